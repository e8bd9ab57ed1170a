#!/usr/bin/env python3
"""cnn_job.py EPOCHS BATCH LR: trains the network of the plugin cnn on all training images of Fashion-MNIST with SGD, and
prints the test accuracy."""

import os, sys

import torch
import torch.nn.functional as F

import images
from cnn import Cnn


def main():
    epochs, batch, lr = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    torch.set_num_threads(os.cpu_count())
    torch.manual_seed(0)
    (pixels, y), (test_pixels, test_y) = images.split("train"), images.split("t10k")
    mean_std = images.mean_and_std(pixels)
    x, net = images.numbers(pixels, *mean_std), Cnn()
    optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.5)
    for _ in range(epochs):
        for i in torch.randperm(len(x)).split(batch):
            loss = F.nll_loss(net(x[i]), y[i])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
    net.eval()
    with torch.no_grad():
        answers = torch.cat([net(x).argmax(1) for x in images.numbers(test_pixels, *mean_std).split(batch)])
    print((answers == test_y).float().mean().item())


if __name__ == "__main__":
    main()
