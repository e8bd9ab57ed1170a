"""webdataset_golden.py TEST. Writes shards by Python's webdataset and tarfile, beside each the samples that webdataset reads, and runs
TEST, which compares them: also by HTTP, from a server that breaks off transfers and knows ranges."""
import http.server
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import threading

import numpy as np
import webdataset

CLASSES = ["bird", "cat", "dog"]


def samples(n, first=0):
    draw = np.random.default_rng(first)
    for i in range(first, first + n):
        image = draw.integers(0, 256, (6, 9, 3), dtype=np.uint8)
        yield {"__key__": f"deep.er/{'long' * 40 if i % 3 == 0 else ''}{i:04}", "ppm": image, "cls": i % 3,
               "meta.json": {"kind": CLASSES[(i + 1) % 3]}, "x.npy": draw.normal(size=(2, 5)).astype("f4"), "txt": "no"}


def plain(sample):
    """The members of a sample as bytes."""
    out = {}
    for name, value in sample.items():
        file = io.BytesIO()
        if name == "ppm":
            file.write(b"P6\n# a comment\n9 6\n255\n" + value.tobytes())
        elif name == "x.npy":
            np.save(file, value)
        elif name == "__key__":
            continue
        else:
            file.write((json.dumps(value) if name == "meta.json" else str(value)).encode())
        out[name] = file.getvalue()
    return out


def write_by_tarfile(path, rows, form):
    with tarfile.open(path, "w", format=form) as tar:
        for row in rows:
            for name, body in plain(row).items():
                info = tarfile.TarInfo(f"{row['__key__']}.{name.upper()}")
                info.size = len(body)
                tar.addfile(info, io.BytesIO(body))


def write_expected(path, shards, field, target):
    """What Python's webdataset reads from the shards."""
    numbers, labels = [], []
    for row in webdataset.WebDataset(shards, shardshuffle=False, empty_check=False):
        if field == "ppm":
            image = np.frombuffer(row[field][-6 * 9 * 3:], dtype=np.uint8).reshape(6, 9, 3)
            value = np.transpose(image, (2, 0, 1)).astype(np.float32) / np.float32(255)
        else:
            value = np.load(io.BytesIO(row[field]))
        numbers.append(np.ascontiguousarray(value, dtype=np.float32))
        labels.append(int(row["cls"]) if target == "cls" else CLASSES.index(json.loads(row["meta.json"])["kind"]))
    with open(path + ".x", "wb") as file:
        file.write(np.stack(numbers).tobytes())
    with open(path + ".y", "wb") as file:
        file.write(np.array(labels, dtype=np.int64).tobytes())


class Server(http.server.BaseHTTPRequestHandler):
    """Serves files with ranges. The first answers of each file break off after a few bytes, or are errors."""
    folder, asked, whole = "", {}, 0

    def do_GET(self):
        n = Server.asked[self.path] = Server.asked.get(self.path, 0) + 1
        with open(Server.folder + self.path, "rb") as file:
            body = file.read()
        if n == 1:
            self.send_error(503)
            return
        tag, begin, status = f'"{len(body)}"', 0, 200
        asked = re.match(r"bytes=(\d+)-$", self.headers.get("Range", ""))
        if asked and self.headers.get("If-Range") == tag and "forgets" not in self.path:
            begin, status = int(asked[1]), 206
        self.send_response(status)
        if "untagged" not in self.path:
            self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body) - begin))
        if status == 206:
            self.send_header("Content-Range", f"bytes {begin}-{len(body) - 1}/{len(body)}")
        self.end_headers()
        Server.whole += len(body) - begin if n == 4 else 0
        self.wfile.write(body[begin:] if n == 4 else body[begin:begin + len(body) // 3])

    def log_message(self, *_):
        pass


def write_cases(folder, address):
    forms = {"pax": tarfile.PAX_FORMAT, "gnu": tarfile.GNU_FORMAT}
    for name, form in forms.items():
        write_by_tarfile(f"{folder}/{name}-0.tar", samples(5), form)
        write_by_tarfile(f"{folder}/{name}-1.tar", samples(4, 5), form)
    with webdataset.ShardWriter(f"{folder}/wds-%01d.tar", maxcount=5, verbose=0) as writer:
        for row in samples(9):
            writer.write({**plain(row), "__key__": row["__key__"]})
    lines = []
    for name in [*forms, "wds"]:
        for field in ["ppm", "x.npy"]:
            for target in ["cls", "json:kind"]:
                local = f"{folder}/{name}-{{0..1}}.tar"
                expected = f"{folder}/{name}-{field}-{target}"
                write_expected(expected, local, field, target)
                lines.append((local, field, target.replace("json:", "meta.json:"), expected))
    for name in ["plain", "untagged", "forgets"]:
        os.symlink(f"{folder}/wds-0.tar", f"{folder}/{name}-0.tar")
        os.symlink(f"{folder}/wds-1.tar", f"{folder}/{name}-1.tar")
        lines.append((f"{address}/{name}-{{0..1}}.tar", "ppm", "cls", f"{folder}/wds-ppm-cls"))
    with open(folder + "/cases.txt", "w", encoding="utf-8") as file:
        file.writelines(" ".join(line) + "\n" for line in lines)


with tempfile.TemporaryDirectory() as place:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    Server.folder = place
    threading.Thread(target=server.serve_forever, daemon=True).start()
    write_cases(place, f"http://127.0.0.1:{server.server_address[1]}")
    code = subprocess.run([sys.argv[1], "[.webdataset]"], env={**os.environ, "LEVIN_WEBDATASET_CASES": place}).returncode
    if code == 0 and (len(Server.asked) != 6 or set(Server.asked.values()) != {4}):
        code = print("a shard was not fetched in four requests:", Server.asked) or 1
    sys.exit(code)
