#!/usr/bin/env python3
"""Writes masks/*: an image, its mask as palette and as grey PNG, and in masks.txt Pillow's result for each list of transforms.

Run it after a change: tests/plugins/golden/make_masks.py. It needs Pillow and numpy; the test reads its output.
A line of masks.txt: the list, a bar, then height, width, the bytes of the image [3][height][width] and those of the mask.
"""
import pathlib

import numpy as np
from PIL import Image, ImageOps

folder = pathlib.Path(__file__).parent / "masks"
folder.mkdir(exist_ok=True)
y, x = np.mgrid[0:14, 0:22]
image = Image.fromarray(np.stack([(x * 11 + y * 7) % 256, (x * x * 3 + y * 9) % 256, 40 + (x * 5 + y * y) % 150], -1).astype(np.uint8))
classes = ((x // 5 + y // 4) % 3).astype(np.uint8)
classes[5:8, 9:15] = 255
grey = Image.fromarray(classes)
palette = Image.fromarray(classes, "P")
palette.putpalette([255, 0, 0, 0, 255, 0, 0, 0, 255] + [0, 0, 0] * 253)
image.save(folder / "image.png")
palette.save(folder / "palette.png")
grey.save(folder / "grey.png")
Image.fromarray(np.where(x < 7, 255, 0).astype(np.uint8)).save(folder / "binary.png")


def resized(height, width):
    return image.resize((width, height), Image.Resampling.BILINEAR), grey.resize((width, height), Image.Resampling.NEAREST)


def both(change, fill=255):
    return change(image), change(grey)


results = {
    "resize:7:9": resized(7, 9),
    "resize:20:31": resized(20, 31),
    "resize:28": resized(28, 44),
    "center_crop:8": both(lambda i: i.crop((7, 3, 15, 11))),
    "pad:2": (ImageOps.expand(image, 2, (0, 0, 0)), ImageOps.expand(grey, 2, 255)),
    "flip:1": both(ImageOps.mirror),
    "vertical_flip:1": both(ImageOps.flip),
}
with open(folder / "masks.txt", "w") as out:
    for name, (shown, mask) in results.items():
        numbers = np.concatenate([np.asarray(shown).transpose(2, 0, 1).ravel(), np.asarray(mask).ravel()])
        out.write(f"{name} | {shown.height} {shown.width} {' '.join(map(str, numbers))}\n")
