#!/usr/bin/env python3
"""Writes transforms.txt: Pillow's results for one image and each operation. It needs Pillow and numpy; the test reads its output.

A line: operation, argument, then the bytes [channel][y][x]. The first line is the image.
"""
import pathlib

import numpy as np
from PIL import Image, ImageEnhance, ImageOps

y, x = np.mgrid[0:9, 0:11]
pixels = np.stack([(x * 21 + y * 7) % 256, (x * x * 3 + y * 25) % 256, 40 + (x * 13 + y * y * 2) % 150], -1).astype(np.uint8)
image = Image.fromarray(pixels)
lines = [("image", 0, image), ("grey", 0, image.convert("L").convert("RGB"))]
for angle in (0, 17, -45, 90):
    lines.append(("rotate", angle, image.rotate(-angle, Image.Resampling.BILINEAR)))
for factor in (0.3, 1.7):
    for name, kind in (("brightness", "Brightness"), ("contrast", "Contrast"), ("saturation", "Color"), ("sharpness", "Sharpness")):
        lines.append((name, factor, getattr(ImageEnhance, kind)(image).enhance(factor)))
lines += [("posterize", bits, ImageOps.posterize(image, bits)) for bits in (2, 5, 8)]
lines += [("solarize", 100, ImageOps.solarize(image, 100)), ("auto_contrast", 0, ImageOps.autocontrast(image)),
          ("equalize", 0, ImageOps.equalize(image)), ("scale", 7, image.resize((7, 7), Image.Resampling.BILINEAR))]
text = "".join(f"{name} {argument} {' '.join(map(str, np.asarray(result).transpose(2, 0, 1).ravel()))}\n" for name, argument, result in lines)
(pathlib.Path(__file__).parent / "transforms.txt").write_text(text)
