#!/usr/bin/env python3
"""take.py WORK [NAME ...]: takes the pictures of docs/images with the Levin in WORK/installed (scripts/pictures)."""
import pathlib
import signal
import sys

from board import PICTURES, take_board
from scenes import SCENES
from svg import svg_of
from terminal import COLUMNS, Machine

IMAGES = pathlib.Path(__file__).resolve().parents[3] / "docs/images"


def main():
    work, names = sys.argv[1], sys.argv[2:] or [*SCENES, "board"]
    unknown = [name for name in names if name not in (*SCENES, "board")]
    if unknown:
        sys.exit(f"there is no picture {unknown[0]}; there are {', '.join(SCENES)} and board")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    machine = Machine(work)
    try:
        for name in names:
            if name == "board":
                take_board(machine, IMAGES)
                print(*(f"docs/images/{one}.png" for one in PICTURES), sep="\n", flush=True)
                continue
            (IMAGES / f"{name}.svg").write_text(svg_of(machine.play(SCENES[name]), name, COLUMNS))
            print(f"docs/images/{name}.svg", flush=True)
    finally:
        machine.end()


main()
