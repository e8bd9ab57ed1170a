#!/usr/bin/env python3
"""saves.py FOLDER MB SAVES: the seconds in which torch.save writes MB 10^6 bytes of weights and Adam's state in 120
tensors to the disk, as JSON."""
import json, os, sys, time

import torch

TENSORS = 120


def main():
    folder, megabytes, saves = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    net = torch.nn.ParameterList(torch.rand(int(megabytes * 1e6 / 3 / 4) // TENSORS) for _ in range(TENSORS))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-6)
    sum(p.mean() for p in net).backward()
    optimizer.step()
    seconds = []
    for _ in range(saves):
        begin = time.monotonic()
        with open(f"{folder}/python.ckpt", "wb") as file:
            torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict()}, file)
            file.flush()
            os.fsync(file.fileno())
        seconds.append(time.monotonic() - begin)
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
