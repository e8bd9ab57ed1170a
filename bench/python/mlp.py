from torch import nn


def mlp(*widths):
    layers = [nn.Linear(widths[0], widths[1])]
    for i in range(1, len(widths) - 1):
        layers += [nn.ReLU(), nn.Linear(widths[i], widths[i + 1])]
    return nn.Sequential(*layers)
