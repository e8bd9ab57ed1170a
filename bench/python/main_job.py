#!/usr/bin/env python3
"""main_job.py [THREADS]: trains the default network of the plugin resnet as `host --model resnet --data mnist` does: 10
epochs, batches of 128, SGD with one cycle, the best epoch by validation loss is tested. Prints the test accuracy."""

import os, sys, tempfile

import torch
import torch.nn.functional as F

import images
from resnet import default_resnet

BATCH, EPOCHS, VALIDATION = 128, 10, 6000


def evaluate(net, x, y):
    """The mean loss and the accuracy."""
    net.eval()
    loss = right = 0
    with torch.no_grad():
        for a, b in zip(x.split(BATCH), y.split(BATCH)):
            answer = net(a)
            loss += F.cross_entropy(answer, b, label_smoothing=0.1, reduction="sum").item()
            right += (answer.argmax(1) == b).sum().item()
    net.train()
    return loss / len(y), right / len(y)


def main():
    torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count())
    torch.manual_seed(0)
    (pixels, labels), (test_pixels, test_y) = images.split("train"), images.split("t10k")
    order = torch.randperm(len(labels))
    train, val = order[VALIDATION:], order[:VALIDATION]
    mean_std = images.mean_and_std(pixels[train])
    x, y = images.numbers(pixels[train], *mean_std), labels[train]
    val_x, val_y = images.numbers(pixels[val], *mean_std), labels[val]
    net = default_resnet()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9, nesterov=True, weight_decay=0.0005)
    steps = -(-len(x) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.3, total_steps=EPOCHS * steps)
    best = float("inf")
    with tempfile.NamedTemporaryFile() as file:
        for _ in range(EPOCHS):
            for i in torch.randperm(len(x)).split(BATCH):
                loss = F.cross_entropy(net(x[i]), y[i], label_smoothing=0.1)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                optimizer.step()
                schedule.step()
            loss, _ = evaluate(net, val_x, val_y)
            if loss < best:
                best = loss
                torch.save(net.state_dict(), file.name)
        net.load_state_dict(torch.load(file.name))
    print(evaluate(net, images.numbers(test_pixels, *mean_std), test_y)[1])


if __name__ == "__main__":
    main()
