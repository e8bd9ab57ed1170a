// Spectrograms of sound, as torchaudio's Spectrogram and MelSpectrogram compute them by default.
#pragma once
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace audio {

struct FeatureOptions {
  std::string kind;  // waveform, spectrogram, mel or log_mel
  int64_t n_fft, hop, n_mels;
  double f_min, f_max;  // f_max 0 = half of the sampling rate
};

class Features {
 public:
  // Throws levin::Error for options that do not fit together. samples: in a row.
  Features(const FeatureOptions& options, int64_t rate, int64_t samples);

  int64_t empty_bands() const;         // mel bands too narrow to hold a frequency: always zero
  std::vector<int64_t> shape() const;  // [1, samples] or [1, bands, frames]
  // Writes the numbers of a row in the order of the shape. Thread-safe.
  void compute(const std::vector<float>& samples, float* out) const;

 private:
  int64_t frames() const { return 1 + (samples_ - options_.n_fft % 2) / options_.hop; }
  int64_t bins() const { return options_.n_fft / 2 + 1; }
  std::vector<double> power_at(const std::vector<float>& samples, int64_t frame) const;
  void make_filters(int64_t rate);

  FeatureOptions options_;
  int64_t samples_;
  std::vector<double> window_;
  std::vector<std::complex<double>> roots_;   // of unity
  std::vector<std::vector<double>> filters_;  // a triangle over the bins for each band
};

}  // namespace audio
