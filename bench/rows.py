#!/usr/bin/env python3
"""The rows of scripts/bench, each with its title and how it is measured. rows.py NAME,NAME|list checks names and prints
the list."""

import sys
from collections import namedtuple

import measures


def conv(inputs, outputs, kernel, side):
    """Multiplications of a convolution whose result has side x side pixels."""
    return inputs * outputs * kernel**2 * side**2


def mlp(*widths):
    return [a * b for a, b in zip(widths, widths[1:])]


def resnet(blocks, width, kernel, side, channels, classes, pool=False):
    """side: of the first convolution's result."""
    layers, inputs = [conv(channels, width, kernel, side)], width
    side //= 2 if pool else 1
    for stage, count in enumerate(blocks):
        outputs = width * 2**stage
        side = -(-side // 2) if stage else side
        for _ in range(count):
            layers += [conv(inputs, outputs, 3, side), conv(outputs, outputs, 3, side)]
            layers += [conv(inputs, outputs, 1, side)] if inputs != outputs else []
            inputs = outputs
    return layers + [inputs * classes]


def lstm(length, width, hidden, vocabulary):
    return [0, length * (4 * hidden * (width + hidden) + hidden * vocabulary)]


def transformer(length, width, layers, vocabulary):
    return [0, length * (layers * (12 * width**2 + 2 * length * width) + width * vocabulary)]


def training(batch, layers):
    """Operations of a step: the first layer needs no gradient of its input."""
    return 2 * batch * (3 * sum(layers) - layers[0])


Row = namedtuple("Row", "name title measure options")


def step(name, title, workload, batch, batches, layers=None, **more):
    return Row(name, title, measures.steps, dict(workload=workload, batch=batch, batches=batches,
                                                 flops=training(batch, layers) if layers else 0, **more))


def loader(name, title, batches, python):
    pixels = 128 * 28 * 28 * (1 + 4 + 4)  # bytes of a batch: read as uint8, written and read as float
    return step(name, title, "nothing", 128, batches, host=["--model", "PLUGIN", "--model.workload", "nothing", *MNIST],
                python=python, sides=("host", "python"), bytes=pixels)


MNIST = ["--data", "mnist"]
CNN = [conv(1, 10, 5, 24), conv(10, 20, 5, 8), 320 * 50, 50 * 10]
ROWS = [
    step("mlp8-1", "MLP 8-8-1, batch 1", "mlp8", 1, 1000, mlp(8, 8, 1)),
    step("mlp8-1-log", "MLP 8-8-1, batch 1, loss to CSV every 50 steps", "mlp8", 1, 1000, mlp(8, 8, 1), logs=True),
    step("mlp8-32", "MLP 8-8-1, batch 32", "mlp8", 32, 1000, mlp(8, 8, 1)),
    step("mlp784", "MLP 784-512-512-10, batch 128", "mlp784", 128, 40, mlp(784, 512, 512, 10)),
    step("cnn-128", "network of the plugin `cnn`, 1x28x28, batch 128", "cnn", 128, 8, CNN),
    step("cnn-1024", "network of the plugin `cnn`, 1x28x28, batch 1024", "cnn", 1024, 2, CNN, share=0.5),
    step("resnet", "plugins `resnet` and `mnist`, batch 128", "resnet", 128, 8, resnet([1, 1, 1], 16, 3, 14, 1, 10),
         host=["--model", "resnet", *MNIST]),
    Row("main-job", "main job: `host --model resnet --data mnist`", measures.main_job, {}),
    Row("cnn-50", "50 epochs of `cnn` on Fashion-MNIST, batch 1024", measures.cnn_job,
        dict(epochs=50, batch=1024, lr=0.08)),
    step("resnet18-32", "ResNet-18, 3x32x32, batch 16", "resnet18-32", 16, 1,
         resnet([2, 2, 2, 2], 64, 3, 32, 3, 10), share=0.3),
    step("resnet18-224", "ResNet-18, 3x224x224, batch 4", "resnet18-224", 4, 1,
         resnet([2, 2, 2, 2], 64, 7, 112, 3, 1000, True), share=0.3),
    step("lstm", "character LSTM, 64 characters, batch 32", "lstm", 32, 5, lstm(64, 64, 128, 64)),
    step("transformer", "character Transformer, 64 characters, batch 32", "transformer", 32, 5,
         transformer(64, 64, 2, 64)),
    loader("loader", "loader alone, plugin `mnist`, batch 128; Python indexes tensors", 400, "indexing"),
    loader("loader-dataset", "loader alone; Python uses DataLoader and TensorDataset", 100, "data_loader"),
    Row("loaders", "loader alone beside `torch::data`, images in memory", measures.program, dict(
        name="loaders", note="Median wall time of an epoch of 60,000 images of 28 x 28 in batches of 128.")),
    Row("optimizers", "optimizers alone", measures.optimizers, {}),
    Row("start-up", "start of the process to the first optimizer step", measures.start_up, {}),
    Row("listings", "commands that only read plugins", measures.listings, {}),
    Row("checkpoint", "time of saves", measures.checkpoint, {}),
    Row("overhead", "cost of a step in the host itself", measures.overhead, {}),
    Row("callbacks", "cost of callbacks on a step", measures.callbacks, {}),
    Row("loggers", "slow loggers", measures.loggers, {}),
    Row("processes", "several processes beside Python's DistributedDataParallel", measures.processes,
        dict(step_flops=training(128, CNN))),
    Row("all-reduce", "all-reduce among processes of this machine", measures.program, dict(
        name="all-reduce", words=["2", "4"],
        note="A rank that comes last waits for nobody, so compare the medians; the last column is their quotient.")),
    Row("log-reduction", "ten values logged on the step with `sync_dist`", measures.program, dict(
        name="log-reduction", words=["2", "4"], note="Median wall time and mean CPU time of a step at rank 0.")),
    Row("kernels", "kernels for the CPU", measures.program, dict(
        name="kernels", note="One thread, minimum CPU time of many calls.")),
    Row("finite", "check of loss and gradients for NaN and infinity", measures.program, dict(
        name="finite", note="One thread, minimum CPU time of many calls.")),
]
QUICK = ["mlp8-1", "mlp784", "cnn-128", "resnet", "optimizers"]


def chosen(names):
    """The rows with these names. Ends the program with the list for an unknown one, and for `list`."""
    unknown = sorted(set(names) - {row.name for row in ROWS})
    if not unknown:
        return [row for row in ROWS if row.name in names]
    for row in ROWS:
        print(f"  {row.name:16} {row.title}")
    sys.exit(0 if unknown == ["list"] else f"there is no row '{unknown[0]}'; the rows are listed above")


if __name__ == "__main__":
    chosen(sys.argv[1].split(","))
