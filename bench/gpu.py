#!/usr/bin/env python3
"""gpu.py HOST [--output FOLDER] [--rows A,B] [--rounds N]

Time of a training step on a GPU: the host with and without trainer.capture, and a plain Python loop on the same LibTorch. Loaders,
loops and optimizers are included, checkpoints and validation are not. A row is the median of rounds in which the sides take turns.
The host's time is (time of N epochs - time of M epochs) / steps between, so that start-up cancels out."""
import argparse
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "python"))


def steps_of(row):
    return row["rows"] // row["batch"]


ROWS = {
    "cnn-128": dict(model="cnn", batch=128, rows=12800, epochs=(2, 12), size=28, channels=1, words=[]),
    "cnn-1024": dict(model="cnn", batch=1024, rows=51200, epochs=(2, 8), size=28, channels=1, words=[]),
    "cnn-128-adam": dict(model="cnn", batch=128, rows=12800, epochs=(2, 12), size=28, channels=1, words=["--model.optimizer", "adam"]),
    "resnet-128": dict(model="resnet", batch=128, rows=6400, epochs=(2, 12), size=32, channels=3, words=["--model.scheduler", "none"]),
    "mlp-32": dict(model="mlp", batch=32, rows=6400, epochs=(2, 12), size=0, channels=1, words=[]),
}


def host_seconds(host, row, epochs, more, folder):
    root = tempfile.mkdtemp(dir=folder)
    data = ["--data", "synthetic", "--data.rows", str(row["rows"]), "--data.batch_size", str(row["batch"]), "--data.num_workers", "4"]
    if row["size"]:
        data += ["--data.size", str(row["size"]), "--data.channels", str(row["channels"])]
    words = ["fit", "--model", row["model"], *data, *row["words"], *more, "--trainer.accelerator", "gpu", "--trainer.max_epochs", str(epochs),
             "--trainer.limit_val_batches", "0", "--trainer.default_root_dir", root, "--quiet"]
    done = subprocess.run([host, *words], text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stderr}{done.stdout}")
    if "not recorded" in done.stderr + done.stdout:
        print("  fell back: " + (done.stderr + done.stdout).strip()[-300:])
    found = glob.glob(os.path.join(root, "**", "last*.ckpt"), recursive=True)
    return max(found, key=os.path.getmtime)


def host_step(host, row, more, folder):
    few, many = (host_seconds(host, row, n, more, folder) for n in row["epochs"])
    text = subprocess.run([host, "ckpt", "diff", "--all", few, many], text=True, capture_output=True).stdout
    if "loops.train_seconds" not in text:
        sys.exit(f"host ckpt diff {few} {many}\n{text}")
    a, b = re.search(r"loops.train_seconds: (\S+) and (\S+)", text).groups()
    return (float(b) - float(a)) / ((row["epochs"][1] - row["epochs"][0]) * steps_of(row))


def python_net(row):
    from torch import nn
    if row["model"] == "cnn":
        from cnn import Cnn
        return Cnn()
    if row["model"] == "mlp":
        return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
    from resnet import ResNet
    return ResNet([1, 1, 1], 16, 3, 2, False, row["channels"], 10)


def python_step(row, adam):
    import torch
    import torch.nn.functional as F
    net = python_net(row).cuda()
    shape = (row["batch"], row["channels"], row["size"], row["size"]) if row["size"] else (row["batch"], 64)
    batches = [(torch.randn(shape).pin_memory(), torch.randint(0, 10, (row["batch"],)).pin_memory()) for _ in range(20)]
    optimizer = torch.optim.Adam(net.parameters()) if adam else torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.5)
    loss_of = F.nll_loss if row["model"] == "cnn" else F.cross_entropy

    def run(n):
        for i in range(n):
            x, y = batches[i % len(batches)]
            loss = loss_of(net(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        torch.cuda.synchronize()

    run(100)
    steps = 1000
    begin = time.monotonic()
    run(steps)
    return (time.monotonic() - begin) / steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host")
    parser.add_argument("--output")
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit("SKIPPED: python3 has no torch")
    if not torch.cuda.is_available():
        print("SKIPPED: there is no GPU", file=sys.stderr)
        sys.exit(77)
    host = os.path.abspath(args.host)
    sides = {"host": [], "capture": ["--trainer.capture", "on"], "python": None}
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in args.rows.split(","):
            row, times = ROWS[name], {side: [] for side in sides}
            for _ in range(args.rounds):
                for side, more in sides.items():
                    t = python_step(row, "adam" in name or row["model"] == "mlp") if side == "python" else host_step(host, row, more, folder)
                    times[side].append(t * 1e6)
            results[name] = {side: statistics.median(t) for side, t in times.items()}
            print(name, {side: round(t) for side, t in results[name].items()}, flush=True)
    device = torch.cuda.get_device_name(0)
    lines = [f"Microseconds a step, {device}, LibTorch {torch.__version__}, median of {args.rounds}.", "",
             "| row | host | host, `--trainer.capture on` | Python | Python / host | Python / capture |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for name, r in results.items():
        lines.append(f"| `{name}` | {r['host']:.0f} | {r['capture']:.0f} | {r['python']:.0f} | {r['python'] / r['host']:.2f} | "
                     f"{r['python'] / r['capture']:.2f} |")
    print("\n".join(lines))
    if args.output:
        with open(os.path.join(args.output, "gpu.md"), "w") as file:
            file.write("\n".join(lines) + "\n")
        with open(os.path.join(args.output, "gpu.json"), "w") as file:
            json.dump({"device": device, "torch": torch.__version__, "microseconds": results}, file, indent=1)


main()
