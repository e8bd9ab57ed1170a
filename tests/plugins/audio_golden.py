"""audio_golden.py TEST. Writes WAV and FLAC files by Python's soundfile and wave, beside each the waveform, spectrogram and mel bands by
numpy, with the formulas of torchaudio's Spectrogram, MelSpectrogram and AmplitudeToDB, and runs TEST, which compares them."""
import os
import subprocess
import sys
import tempfile
import wave

import numpy as np
import soundfile

RATE = 11025
FORMATS = [("wav", "PCM_16"), ("wav", "PCM_24"), ("wav", "PCM_U8"), ("wav", "FLOAT"), ("flac", "PCM_16"), ("flac", "PCM_24")]


def padded(sound, n):
    return np.pad(sound, (0, max(0, n - len(sound))))[:n]


def spectrogram(sound, n_fft, hop):
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n_fft) / n_fft)
    # torch.stft(center=True, pad_mode="reflect")
    around = np.pad(sound, n_fft // 2, mode="reflect")
    frames = [around[i:i + n_fft] * window for i in range(0, len(around) - n_fft + 1, hop)]
    return np.abs(np.fft.rfft(frames, axis=1).T) ** 2


def mel_filters(n_fft, n_mels):
    def to_mel(hertz):
        return 2595 * np.log10(1 + hertz / 700)

    frequencies = np.linspace(0, RATE // 2, n_fft // 2 + 1)
    points = 700 * (10 ** (np.linspace(to_mel(0), to_mel(RATE // 2), n_mels + 2) / 2595) - 1)
    slopes = points[None, :] - frequencies[:, None]
    down, up = -slopes[:, :-2] / np.diff(points)[:-1], slopes[:, 2:] / np.diff(points)[1:]
    return np.maximum(0, np.minimum(down, up)).T


def features(kind, sound, n_fft, hop, n_mels):
    if kind == "waveform":
        return sound
    power = spectrogram(sound, n_fft, hop)
    if kind == "spectrogram":
        return power
    mel = mel_filters(n_fft, n_mels) @ power
    return mel if kind == "mel" else 10 * np.log10(np.maximum(mel, 1e-10))


def write_sounds(folder, ending, subtype, channels):
    draw = np.random.default_rng(channels)
    for name in ["a/1", "a/2", "b/1"]:
        os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
        sound = np.clip(draw.normal(0, 0.2, (int(draw.integers(4000, 9000)), channels)), -1, 1)
        soundfile.write(f"{folder}/{name}.{ending}", sound, RATE, subtype=subtype)
    with wave.open(f"{folder}/b/2.wav", "wb") as file:  # by another library
        file.setparams((channels, 2, RATE, 0, "NONE", ""))
        file.writeframes(draw.integers(-32768, 32767, (6000, channels)).astype("<i2").tobytes())


def sounds_of(folder):
    for name in sorted(f"{kind}/{file}" for kind in "ab" for file in os.listdir(f"{folder}/{kind}")):
        sound, _ = soundfile.read(f"{folder}/{name}", dtype="float32", always_2d=True)
        yield sound.mean(axis=1, dtype=np.float32)


def write_cases(place):
    lines = []
    for i, (ending, subtype) in enumerate(FORMATS):
        folder = f"{place}/set{i}"
        write_sounds(folder, ending, subtype, 1 + i % 3)
        for j, (kind, n_fft, hop, n_mels, seconds) in enumerate([("waveform", 400, 160, 64, 0.5), ("spectrogram", 400, 160, 64, 0.7),
                                                                 ("mel", 512, 100, 40, 0.5), ("log_mel", 225, 63, 20, 0.6)]):
            rows = [features(kind, padded(sound, int(seconds * RATE + 0.5)).astype(np.float64), n_fft, hop, n_mels)
                    for sound in sounds_of(folder)]
            expected = f"{place}/expected{i}_{j}"
            with open(expected, "wb") as file:
                file.write(np.stack(rows).astype(np.float32).tobytes())
            lines.append(f"{folder} {kind} {n_fft} {hop} {n_mels} {seconds} {expected}\n")
    with open(place + "/cases.txt", "w", encoding="utf-8") as file:
        file.writelines(lines)


with tempfile.TemporaryDirectory() as temporary:
    write_cases(temporary)
    sys.exit(subprocess.run([sys.argv[1], "[.audio]"], env={**os.environ, "LEVIN_AUDIO_CASES": temporary}).returncode)
