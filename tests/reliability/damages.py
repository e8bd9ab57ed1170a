#!/usr/bin/env python3
"""Damages a checkpoint of a real run in many random ways: no damaged file may be accepted, and none may crash the reader."""
import argparse, subprocess, sys

from runs import Build, generator

CASE = "the best two and last"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--damages", type=int, default=100000)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--folder", help="for the run (a temporary one)")
    args = parser.parse_args()
    seed = generator(args.seed).randrange(2**32)
    with Build(args.build, args.folder) as build:
        whole, _ = build.whole(CASE)
        tool = build.build / "tests/damage_checkpoint"
        sys.exit(subprocess.run([tool, whole / "checkpoints/last.ckpt", str(args.damages), str(seed)]).returncode)


if __name__ == "__main__":
    main()
