"""Fashion-MNIST from Debian's package."""

import gzip, struct

import numpy
import torch

FOLDER = "/usr/share/datasets/fashion-mnist"


def read(name):
    data = gzip.open(f"{FOLDER}/{name}").read()
    dims = struct.unpack(f">{data[3]}I", data[4:4 + 4 * data[3]])
    return torch.from_numpy(numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * data[3]).reshape(dims).copy())


def split(name):
    """Pixels uint8 [N, 28, 28], and labels int64 [N]."""
    return read(f"{name}-images-idx3-ubyte.gz"), read(f"{name}-labels-idx1-ubyte.gz").long()


def numbers(pixels, mean, std):
    return pixels.float().div_(255).sub_(mean).div_(std).unsqueeze(1)


def mean_and_std(pixels):
    values = pixels.float().div_(255)
    return values.mean().item(), values.std().item()
