"""Reads the event files written by the probe with TensorBoard's own reader. usage: interop_tensorboard.py PROBE"""
import io
import subprocess
import sys
import tempfile
import wave

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.hparams import plugin_data_pb2
from tensorboard.plugins.pr_curve import plugin_data_pb2 as pr_curve_pb2
from tensorboard.plugins.projector import projector_config_pb2
from tensorboard.util import tensor_util
from google.protobuf import text_format
from PIL import Image, ImageSequence


def expect(got, want):
    if got != want:
        sys.exit(f"got {got!r}, expected {want!r}")


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.argv[1], folder], check=True)
    events = EventAccumulator(folder)
    events.Reload()

    # the resumed run discards the steps after 3
    expect([(e.step, e.value) for e in events.Scalars("loss")], [(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0), (4, 40.0), (5, 50.0)])
    expect([e.value for e in events.Scalars("hp_metric")], [-1.0])
    image = events.Images("picture")[0]
    expect((image.width, image.height, image.encoded_image_string[:4]), (8, 4, b"\x89PNG"))
    histogram = events.Histograms("weights")[0].histogram_value
    expect((histogram.num, histogram.min, histogram.max, sum(histogram.bucket)), (100.0, 0.0, 99.0, 100.0))
    expect(list(events.Tensors("note/text_summary")[0].tensor_proto.string_val), [b"hello"])
    sound = events.Audio("beep")[0]
    expect((sound.sample_rate, sound.length_frames, sound.content_type), (8000.0, 400, "audio/wav"))
    with wave.open(io.BytesIO(sound.encoded_audio_string)) as file:
        expect(file.getparams()[:4], (2, 2, 8000, 400))
        expect(file.readframes(1), b"\x00\x40\x00\x40")
    expect(list(events.Tensors("beep/caption/text_summary")[0].tensor_proto.string_val), [b"two channels"])
    expect(list(events.Tensors("worst/text_summary")[0].tensor_proto.string_val),
           [b"| file | loss |\n| --- | --- |\n| a.png | 2.5 |\n"])

    for tag, channels, most in (("grey", 1, 0), ("coloured", 3, 3)):
        video = Image.open(io.BytesIO(events.Images(tag)[0].encoded_image_string))
        expect((video.format, video.n_frames, video.size, video.info["duration"], video.info["loop"]),
               ("GIF", 5, (90, 70), 50, 0))
        for number, frame in enumerate(ImageSequence.Iterator(video)):
            begin, count = number * 70 * 90 * channels, 70 * 90 * channels
            want = [i * i % 65521 // 256 for i in range(begin, begin + count)]
            got = list(frame.convert("RGB" if channels == 3 else "L").tobytes())
            if most == 0:
                expect(got, want)
            elif abs(sum(got) - sum(want)) > most * count or max(abs(a - b) for a, b in zip(got, want)) > 52:
                sys.exit(f"frame {number} of '{tag}' does not have its colours: {sum(got) - sum(want)} in {count}, "
                         f"{max(abs(a - b) for a, b in zip(got, want))} at most")

    figure = events.Images("curve")[0]
    expect((figure.width, figure.height, figure.encoded_image_string[:4]), (128, 64, b"\x89PNG"))
    curve = tensor_util.make_ndarray(events.Tensors("classes")[0].tensor_proto).tolist()
    expect(curve[:4], [[2, 2, 2, 1, 1], [2, 1, 0, 0, 0], [0, 1, 2, 2, 2], [0, 0, 0, 1, 1]])
    expect([[round(n, 3) for n in row] for row in curve[4:]], [[0.5, 0.667, 1, 1, 1], [1, 1, 1, 0.5, 0.5]])
    expect(pr_curve_pb2.PrCurvePluginData.FromString(bytes(events.PluginTagToContent("pr_curves")["classes"])).num_thresholds, 5)
    graph = events.Graph()
    expect([(node.name, node.op, list(node.input)) for node in graph.node], [("x", "Input", []), ("net/fc", "Linear", ["x"])])
    layout = layout_pb2.Layout.FromString(events.Tensors("custom_scalars__config__")[0].tensor_proto.string_val[0])
    both, limits = layout.category[0].chart
    expect((layout.category[0].title, both.title, list(both.multiline.tag)), ("losses", "both", ["train_loss", "val_loss"]))
    series = limits.margin.series[0]
    expect((series.value, series.lower, series.upper), ("v", "low", "high"))
    config = text_format.Parse(open(folder + "/projector_config.pbtxt").read(), projector_config_pb2.ProjectorConfig())
    words, plain = config.embeddings
    expect((words.tensor_name, plain.tensor_name, plain.metadata_path), ("words:3", "plain:3", ""))
    expect(open(folder + "/" + words.tensor_path).read(), "1.0\t2.0\n3.5\t-4.0\n")
    expect(open(folder + "/" + words.metadata_path).read(), "word\tn\ncat\t1\na b\t2\n")

    content = {tag: plugin_data_pb2.HParamsPluginData.FromString(bytes(data))
               for tag, data in events.PluginTagToContent("hparams").items()}
    start = content["_hparams_/session_start_info"].session_start_info.hparams
    expect((start["model/lr"].number_value, start["name"].string_value, start["flag"].bool_value), (0.1, "x", True))
    expect([info.name for info in content["_hparams_/experiment"].experiment.hparam_infos], ["model/lr", "name", "flag"])
    expect(content["_hparams_/session_end_info"].session_end_info.status, 1)
print("TensorBoard reads what the logger wrote")
