#!/usr/bin/env python3
"""loop.py WORKLOAD BATCH BATCHES EPOCHS FOLDER [--threads N] [--lightning] [--log FILE]

A plain training loop, or the same by Lightning, in turns with other sides (turns.py). --log: the loss is logged in each
step, and written to the file in every 50th. FOLDER first:FILE = a single step, whose time is written into FILE."""
import argparse, json, sys

import torch

from turns import Turns, cost
from workloads import WORKLOADS


class FirstStep:
    def __init__(self, path):
        self.path = path

    def wait(self):
        return True

    def done(self):
        with open(self.path, "w") as file:
            json.dump(cost(), file)
        sys.exit()


def plain(args, workload, turns):
    net, batches = workload.net(), workload.batches(args.batch, args.batches)
    optimizer = workload.optimizer(net.parameters())
    log, step = open(args.log, "w") if args.log else None, 0
    while turns.wait():
        for x, y in batches():
            loss = workload.loss(net, x, y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            step += 1
            if log and step % 50 == 0:
                print(f"{step},{loss.item()}", file=log)
        turns.done()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workload", choices=WORKLOADS)
    for name in ("batch", "batches", "epochs"):
        parser.add_argument(name, type=int)
    parser.add_argument("folder")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--lightning", action="store_true")
    parser.add_argument("--log")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    turns = FirstStep(args.folder[6:]) if args.folder.startswith("first:") else Turns(args.folder)
    if args.lightning:
        from lightning_loop import lightning

        lightning(args, WORKLOADS[args.workload], turns)
    else:
        plain(args, WORKLOADS[args.workload], turns)


if __name__ == "__main__":
    main()
