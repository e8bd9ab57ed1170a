#!/usr/bin/env python3
"""Writes images/*: small images of every kind, labels.csv, and in images.txt Pillow's result for each.

Run it after a change: tests/plugins/golden/make_images.py. It needs Pillow and numpy; the tests read its output.
A line of images.txt: file, way, channels, width, height, then the bytes [height][width][channels].
"""
import pathlib
import struct
import zlib

import numpy as np
from PIL import Image, ImageOps

folder = pathlib.Path(__file__).parent / "images"
folder.mkdir(exist_ok=True)


def scene(width, height, channels):
    """Smooth waves, which JPEG preserves; different ones in each channel."""
    y, x = np.mgrid[0:height, 0:width]
    waves = [127 + 120 * np.sin(x / (5 + c) + c) * np.cos(y / (7 - c) - c) for c in range(channels)]
    return np.clip(np.rint(np.stack(waves, -1)), 0, 255).astype(np.uint8)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(path, pixels, colour, bits, interlaced=False, extra=b""):
    """Writes kinds that Pillow does not write. pixels: [height][width][channels] of uint8 or uint16."""
    height, width = pixels.shape[:2]
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    data = b""
    for x, y, dx, dy in passes if interlaced else [(0, 0, 1, 1)]:
        part = pixels[y::dy, x::dx].astype(">u2" if bits == 16 else "u1")
        data += b"".join(b"\0" + row.tobytes() for row in part if part.size)
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, int(interlaced))
    body = chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)


def save(name, image, **options):
    image.save(folder / name, **options)
    names.append(name)


names = []
save("grey.png", Image.fromarray(scene(20, 13, 1)[..., 0]))
save("rgb.png", Image.fromarray(scene(20, 13, 3)))
save("bits.png", Image.fromarray(scene(20, 13, 1)[..., 0]).convert("1"))
save("palette.png", Image.fromarray(scene(20, 13, 3)).quantize(9))
save("palette_alpha.png", Image.fromarray(scene(20, 13, 3)).quantize(9), transparency=2)
save("grey_alpha.png", Image.fromarray(scene(20, 13, 2), "LA"))
save("rgb_alpha.png", Image.fromarray(scene(20, 13, 4), "RGBA"))
save("grey.jpg", Image.fromarray(scene(37, 25, 1)[..., 0]), quality=90)
save("rgb.jpg", Image.fromarray(scene(37, 25, 3)), quality=90)
save("progressive.JPEG", Image.fromarray(scene(37, 25, 3)), quality=90, progressive=True)
save("cmyk.jpg", Image.fromarray(scene(37, 25, 4), "CMYK"), quality=90)
save("large.jpg", Image.fromarray(scene(300, 220, 3)), quality=50)
exif = Image.Exif()
exif[0x0112] = 3
save("large_turned.jpg", Image.fromarray(scene(301, 221, 3)), quality=50, exif=exif)
for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    save(f"turned{orientation}.jpg", Image.fromarray(scene(24, 10, 3)), quality=90, exif=exif)
png(folder / "interlaced.png", scene(21, 14, 3), 2, 8, interlaced=True)
exif = Image.Exif()
exif[0x0112] = 6
png(folder / "turned.png", scene(20, 13, 3), 2, 8, extra=chunk(b"eXIf", exif.tobytes()[6:]))
names += ["interlaced.png", "turned.png"]
sixteen = {"grey16.png": (1, 0), "rgb16.png": (3, 2)}
for name, (channels, colour) in sixteen.items():
    png(folder / name, scene(20, 13, channels).astype(np.uint16) * 257, colour, 16)
names.extend(sixteen)
names.sort()
with open(folder / "labels.csv", "w") as out:
    out.write("file,label\n")
    for i, name in enumerate(names):
        out.write(f"{name},{i % 3}\n")

# Not in labels.csv, which has been there before them.
more = len(names)
save("lossless.webp", Image.fromarray(scene(20, 13, 3)), lossless=True)
save("lossy.webp", Image.fromarray(scene(37, 25, 3)), quality=90)
save("webp_alpha.webp", Image.fromarray(scene(20, 13, 4), "RGBA"), lossless=True, exact=True)
exif = Image.Exif()
exif[0x0112] = 6
save("turned.webp", Image.fromarray(scene(20, 13, 3)), lossless=True, exif=exif)
save("bits.bmp", Image.fromarray(scene(21, 13, 1)[..., 0]).convert("1"))
save("grey.bmp", Image.fromarray(scene(21, 13, 1)[..., 0]))
save("palette.bmp", Image.fromarray(scene(21, 13, 3)).quantize(9))
save("rgb.bmp", Image.fromarray(scene(21, 13, 3)))
save("bits32.bmp", Image.fromarray(scene(21, 13, 4), "RGBA"))


def bmp(name, pixels, bits, masks, top_down=False):
    """Writes 16 and 32 bits with masks, which Pillow does not write. pixels: [height][width] of whole pixels."""
    height, width = pixels.shape
    rows = pixels.astype("<u2" if bits == 16 else "<u4")[:: 1 if top_down else -1]
    body = b"".join(row.tobytes() + b"\0" * (-len(row.tobytes()) % 4) for row in rows)
    start = 14 + 40 + 12
    header = struct.pack("<IiiHHIIiiII", 40, width, -height if top_down else height, 1, bits, 3, len(body), 0, 0, 0, 0)
    (folder / name).write_bytes(struct.pack("<2sIHHI", b"BM", start + len(body), 0, 0, start) + header + struct.pack("<III", *masks) + body)
    names.append(name)


red, green, blue = np.moveaxis(scene(21, 13, 3).astype(int), -1, 0)
bmp("masks16.bmp", (red >> 3 << 11) + (green >> 2 << 5) + (blue >> 3), 16, (0xF800, 0x7E0, 0x1F))
bmp("top_down.bmp", (red << 16) + (green << 8) + blue, 32, (0xFF0000, 0xFF00, 0xFF), top_down=True)
names[more:] = sorted(names[more:])


def opened(name, channels, draft=None):
    if name in sixteen:  # Pillow's result for 16 bits depends on its version
        image = Image.fromarray(scene(20, 13, sixteen[name][0]).squeeze())
    else:
        image = Image.open(folder / name)
    if draft:
        image.draft("RGB", draft)
    image = ImageOps.exif_transpose(image)
    if image.mode in ("LA", "RGBA") or "transparency" in image.info:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, (255, 255, 255, 255)), image)
    if channels == 1 and image.mode != "L":
        image = image.convert("RGB")
    return image.convert({1: "L", 3: "RGB"}[channels])


def fit_box(size, result, pct=1.0):
    """Returns the box of ImageOps.fit."""
    width, height = size[0] * pct, size[1] * pct
    shape = result[0] / result[1]
    width, height = (height * shape, height) if width / height > shape else (width, width / shape)
    left, top = (size[0] - width) / 2, (size[1] - height) / 2
    return left, top, left + width, top + height


def reduced(name, channels, size, result, turned):
    """Like the reader for large JPEGs: decoded at an eighth of the size; the last pixels are incomplete."""
    image = opened(name, channels, (size[0] // 8, size[1] // 8))
    assert image.width == -(-size[0] // 8), image.size
    box = [v / 8 for v in fit_box(size, result)]
    if turned:
        box = [v + (image.size[i % 2] - size[i % 2] / 8) for i, v in enumerate(box)]
    return image.resize(result, BILINEAR, box=box)


BILINEAR = Image.Resampling.BILINEAR


def ways(name, channels):
    if name == "large.jpg":
        yield "cover", reduced(name, channels, (300, 220), (9, 7), False)
        return
    if name == "large_turned.jpg":
        yield "cover", reduced(name, channels, (301, 221), (9, 7), True)
        return
    image = opened(name, channels)
    yield "cover", ImageOps.fit(image, (9, 7), BILINEAR)
    if name in ("rgb.png", "turned6.jpg"):
        yield "stretch", image.resize((9, 7), BILINEAR)
        yield "pad", ImageOps.pad(image, (9, 7), BILINEAR, color=255 if channels == 1 else (255, 255, 255))
        yield "crop_pct", ImageOps.fit(image, (9, 7), BILINEAR, bleed=0.125)
    if name == "rgb.png":
        yield "larger", ImageOps.fit(image, (31, 40), BILINEAR)


with open(folder / "images.txt", "w") as out:
    for name in names:
        for channels in (1, 3):
            for way, image in ways(name, channels):
                values = " ".join(str(v) for v in np.asarray(image).ravel())
                out.write(f"{name} {way} {channels} {image.width} {image.height} {values}\n")
