#!/usr/bin/env python3
"""bench-optimizers for torch.optim: prints seconds of processor time of a step, the median of the rounds, as JSON."""

import json, statistics, time

import torch

from workloads import WORKLOADS

OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=1e-4, momentum=0.9), "adam": lambda p: torch.optim.Adam(p, lr=1e-4),
    "adamw": lambda p: torch.optim.AdamW(p, lr=1e-4), "rmsprop": lambda p: torch.optim.RMSprop(p, lr=1e-4),
    "adagrad": lambda p: torch.optim.Adagrad(p, lr=1e-4)
}


def measure(make, workload, calls):
    parameters = list(WORKLOADS[workload].net().parameters())
    for p in parameters:
        p.grad = torch.randn_like(p) * 0.01
    optimizer, seconds = make(parameters), []
    for _ in range(6):
        begin = time.process_time()
        for _ in range(calls):
            optimizer.step()
        seconds.append((time.process_time() - begin) / calls)
    return statistics.median(seconds[1:])


if __name__ == "__main__":
    torch.set_num_threads(1)
    print(
        json.dumps({
            size: {name: measure(make, workload, calls) for name, make in OPTIMIZERS.items()}
            for size, workload, calls in (("small", "cnn", 100), ("large", "resnet18-224", 2))
        }))
