"""The workloads of bench/workload.cpp: the same networks, losses, optimizers and shapes, as plain PyTorch."""

from collections import namedtuple

import torch
import torch.nn.functional as F

import images
from cnn import Cnn
from lstm import Lstm
from mlp import mlp
from resnet import ResNet, default_resnet
from transformer import Transformer

Workload = namedtuple("Workload", "net loss optimizer batches")


def sgd(lr, **options):
    return lambda parameters: torch.optim.SGD(parameters, lr=lr, **options)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=0.001)


def cross_entropy(net, x, y):
    return F.cross_entropy(net(x), y)


def smoothed(net, x, y):
    return F.cross_entropy(net(x), y, label_smoothing=0.1)


def next_character(net, x, _):
    return F.cross_entropy(net(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten())


def each(pairs):
    """An epoch goes over the batches that were made before."""
    return lambda: pairs


def rows(make_x, make_y):
    def make(batch, batches):
        n = batch * batches
        return each(list(zip(make_x(n).split(batch), make_y(n).split(batch))))

    return make


def images_of(shape, classes):
    return rows(lambda n: torch.rand(n, *shape) * 2 - 1, lambda n: torch.randint(classes, (n, )))


def regression(width):
    return rows(lambda n: torch.rand(n, width) * 2 - 1, lambda n: torch.rand(n) * 2 - 1)


characters = rows(lambda n: torch.randint(64, (n, 65)), lambda n: torch.zeros(n))


def shuffled(convert_first):
    """Batches of Fashion-MNIST in a new order in each epoch. convert_first: the whole set becomes floats at once, else
    each batch by itself."""
    def make(batch, batches):
        pixels, y = images.split("train")
        pixels, y = pixels[:54000], y[:54000]
        mean_std = images.mean_and_std(pixels)
        x = images.numbers(pixels, *mean_std) if convert_first else pixels

        def epoch():
            for i in torch.randperm(len(x)).split(batch)[:batches]:
                yield (x[i] if convert_first else images.numbers(x[i], *mean_std)), y[i]

        return epoch

    return make


def data_loader(batch, batches):
    """The same rows by torch.utils.data."""
    pixels, y = images.split("train")
    pixels, y = pixels[:54000], y[:54000]
    data = torch.utils.data.TensorDataset(images.numbers(pixels, *images.mean_and_std(pixels)), y)
    sampler = torch.utils.data.RandomSampler(data, num_samples=batch * batches)
    loader = torch.utils.data.DataLoader(data, batch_size=batch, sampler=sampler)
    return lambda: loader


class Nothing(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.number = torch.nn.Parameter(torch.zeros(()))


def nothing(net, _x, _y):
    return net.number * 1


def squares(net, x, y):
    return F.mse_loss(net(x), y.view(-1, 1))


def nll(net, x, y):
    return F.nll_loss(net(x), y)


def resnet18(kernel, stride, pool, classes):
    return lambda: ResNet([2, 2, 2, 2], 64, kernel, stride, pool, 3, classes)


momentum, nesterov = sgd(0.01, momentum=0.9), sgd(0.01, momentum=0.9, nesterov=True, weight_decay=0.0005)
WORKLOADS = {
    "mlp8": Workload(lambda: mlp(8, 8, 1), squares, sgd(0.01), regression(8)),
    "mlp784": Workload(lambda: mlp(784, 512, 512, 10), cross_entropy, momentum, images_of((784,), 10)),
    "cnn": Workload(Cnn, nll, sgd(0.01, momentum=0.5), images_of((1, 28, 28), 10)),
    "resnet": Workload(default_resnet, smoothed, nesterov, shuffled(True)),
    "resnet18-32": Workload(resnet18(3, 1, False, 10), smoothed, momentum, images_of((3, 32, 32), 10)),
    "resnet18-224": Workload(resnet18(7, 2, True, 1000), smoothed, momentum, images_of((3, 224, 224), 1000)),
    "lstm": Workload(Lstm, next_character, adam, characters),
    "transformer": Workload(Transformer, next_character, adam, characters),
    "indexing": Workload(Nothing, nothing, sgd(0.01), shuffled(False)),
    "data_loader": Workload(Nothing, nothing, sgd(0.01), data_loader),
}
