#!/usr/bin/env python3
"""jpeg_folder.py BUILD [--images N] [--size WIDTHxHEIGHT] [--rounds N] [--workers N]

Reads a folder of JPEGs as ImageNet trains on them (random_resized_crop to 224, flip, normalize, batch 32) by the host's image_folder and
by Python's DataLoader with Pillow and torchvision, in turns, on the same cores. The model has one parameter, so that the loader is
all there is. The host's time is (time of 4 epochs - time of 2 epochs) / 2, so that start-up cancels out; Python's is that of the second
epoch and later ones with persistent workers. Prints a table of medians. Needs torch and torchvision for Python (Debian:
python3-torchvision)."""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

BATCH = 32


def make_images(folder, count, size):
    import numpy as np
    from PIL import Image
    random = np.random.default_rng(0)
    width, height = (int(side) for side in size.split("x"))
    for i in range(count):
        target = folder / f"class{i % 4}"
        target.mkdir(exist_ok=True)
        small = random.integers(0, 256, (height // 16, width // 16, 3), dtype=np.uint8)
        Image.fromarray(small).resize((width, height), Image.Resampling.BICUBIC).save(target / f"{i}.jpg", quality=85)


def python_epochs(folder, workers, epochs):
    """Runs in a process of its own: prints the seconds of each epoch."""
    import torch
    from torchvision import datasets, transforms as t
    torch.set_num_threads(1)
    change = t.Compose([t.RandomResizedCrop(224), t.RandomHorizontalFlip(), t.ToTensor(),
                        t.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])
    data = torch.utils.data.DataLoader(datasets.ImageFolder(folder, change), batch_size=BATCH, shuffle=True, num_workers=workers,
                                       persistent_workers=workers > 0)
    for _ in range(epochs):
        begin = time.monotonic()
        for _x, _y in data:
            pass
        print(time.monotonic() - begin)


def host_seconds(build, folder, workers, epochs):
    with tempfile.TemporaryDirectory() as root:
        words = ["fit", "--model", f"{build}/bench/libbench_plugin.so", "--model.workload", "nothing", "--data", "image_folder", "--data.dir",
                 folder, "--data.transforms", "random_resized_crop:224, flip, normalize", "--data.val_rows", "0", "--data.batch_size", str(BATCH),
                 "--trainer.max_epochs", str(epochs), "--trainer.default_root_dir", root, "--trainer.enable_checkpointing", "false", "--quiet"]
        if workers is not None:
            words += ["--data.num_workers", str(workers)]
        begin = time.monotonic()
        subprocess.run([f"{build}/bin/host", *words], check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--images", type=int, default=640)
    parser.add_argument("--size", default="500x375")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--python", default="/usr/bin/python3", help="a Python with torch and torchvision")
    parser.add_argument("--epochs-of", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.epochs_of:
        python_epochs(args.epochs_of, args.workers, 3)
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([args.python, "-c", f"import sys; sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r}); import jpeg_folder, pathlib; "
                        f"jpeg_folder.make_images(pathlib.Path({folder!r}), {args.images}, {args.size!r})"], check=True)
        times = {"host": [], "host, workers by itself": [], "Python": []}
        for _ in range(args.rounds):
            for name, workers in (("host", args.workers), ("host, workers by itself", None)):
                long, short = (host_seconds(args.build, folder, workers, epochs) for epochs in (4, 2))
                times[name].append((long - short) / 2)
            done = subprocess.run([args.python, __file__, args.build, "--epochs-of", folder, "--workers", str(args.workers)], check=True,
                                  capture_output=True, text=True)
            times["Python"].append(statistics.median(float(line) for line in done.stdout.split()[1:]))
    print(f"{args.images} JPEGs of {args.size}, {args.workers} workers, median of {args.rounds} rounds\n")
    print("| loader | images a second | beside Python |\n| --- | --- | --- |")
    python = statistics.median(times["Python"])
    for name, seconds in times.items():
        median = statistics.median(seconds)
        print(f"| {name} | {args.images / median:.0f} | {python / median:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
