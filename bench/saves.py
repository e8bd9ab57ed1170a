#!/usr/bin/env python3
"""bench/saves.py BUILD_FOLDER [--mb 140] [--saves 9] [--threads 2] [--folder FOLDER]

Measures how long a save keeps training waiting, beside a plain copy of as many bytes, and prints medians in milliseconds.
Build with -DLEVIN_BUILD_BENCH=ON, or by scripts/bench. The files are written below FOLDER (a temporary one)."""
import argparse, json, os, statistics, subprocess, tempfile

WHAT = [("stall", "saved beside training: the call"), ("until_durable", "until the file is durable"),
        ("hard_link", "a hard link to it"), ("at_once", "saved at once"), ("plain_copy", "memcpy of as many bytes, one thread")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--mb", type=float, default=140)
    parser.add_argument("--saves", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    with tempfile.TemporaryDirectory(prefix="levin-saves-", dir=args.folder) as work:
        out = os.path.join(work, "out.json")
        subprocess.run([f"{build}/bin/host", "fit", "--model", f"{build}/bench/libbench_saves.so", "--model.mb", str(args.mb),
                        "--data", f"{build}/bench/libbench.so", "--data.rows", str(args.saves + 1), "--data.batch_size", "1",
                        "--trainer.max_epochs", "1", "--trainer.accelerator", "cpu", "--trainer.num_threads", str(args.threads),
                        "--logger", "false", "--trainer.enable_checkpointing", "false", "--callback", "early_stopping=false",
                        "--callback", f"{build}/bench/libbench_saves.so:stall", "--callback.stall.out", out,
                        "--default_root_dir", work], check=True, stdout=subprocess.DEVNULL)
        with open(out) as file:
            result = json.load(file)
    print(f"{result['bytes'] / 1e6:.0f} MB, {args.threads} threads, {args.saves} saves; the first one, then the others\n")
    print("| | first, ms | median, ms | least, ms |\n| --- | ---: | ---: | ---: |")
    for key, title in WHAT:
        print(f"| {title} | {result[key][0]:.1f} | {statistics.median(result[key][1:]):.1f} | {min(result[key][1:]):.1f} |")
    before, after = result["peak_mib"]
    print(f"\npeak memory {before:.0f} MiB before the first save, {after:.0f} MiB with it")


if __name__ == "__main__":
    main()
