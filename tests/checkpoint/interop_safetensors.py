"""Levin's files in Python's safetensors, Python's in Levin, and the same verdict on mutated files."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

PROBE = sys.argv.pop()
PADS = "__pad__."


def read(mode, *paths):
    lines = subprocess.run([PROBE, "read", mode, *paths], check=True, stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in lines.decode().splitlines()]


def accepts(path):
    """Opens the file as the reference reader does, which checks the sizes of the tensors."""
    try:
        with safe_open(path, framework="numpy") as file:
            file.keys()
        return True
    except Exception:
        return False


def file_of(header, data):
    return len(header).to_bytes(8, "little") + header + data


def has_repeated_key(header):
    repeated = False

    def check(pairs):
        nonlocal repeated
        repeated |= len({key for key, _ in pairs}) != len(pairs)
        return dict(pairs)

    try:
        json.loads(header, object_pairs_hook=check)
    except (ValueError, RecursionError):
        pass
    return repeated


class Interop(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_python_reads_what_we_write(self):
        path = self.path("ours.ckpt")
        subprocess.run([PROBE, "write", path], check=True)
        expected = {
            "model.weight": np.array(
                [0, -1.5, 2.25, 1e-30, 3e30, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], np.float32
            ).reshape(5, 3),
            "optimizer.steps": np.array([1, -2, 3, -4, 5, -6, 7, -8], np.int64),
            "optimizer.lr": np.array(0.1, np.float32),
            "mask": np.array([[True], [False], [True]]),
            "empty": np.zeros((0, 4), np.float16),
        }
        with safe_open(path, framework="numpy") as file:
            names = {name for name in file.keys() if not name.startswith(PADS)}
            self.assertEqual(names, set(expected))
            for name, value in expected.items():
                found = file.get_tensor(name)
                self.assertEqual(found.dtype, value.dtype, name)
                self.assertEqual(found.shape, value.shape, name)
                np.testing.assert_array_equal(found, value, name)
            metadata = file.metadata()
        self.assertEqual(metadata["format"], "pt")
        self.assertEqual(metadata["note"], 'line\nhä€ "quoted" \\')
        manifest = json.loads(metadata["levin"])
        self.assertEqual(manifest["config"], {"lr": 0.1, "name": "résumé"})
        self.assertEqual(set(manifest["tensors"]), set(expected))

    def test_every_tensor_begins_at_a_multiple_of_64_bytes(self):
        path = self.path("ours.ckpt")
        subprocess.run([PROBE, "write", path], check=True)
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length))
        for name, info in header.items():
            if name != "__metadata__" and not name.startswith(PADS):
                self.assertEqual((8 + length + info["data_offsets"][0]) % 64, 0, name)

    def test_we_read_what_python_writes(self):
        types = {
            "F64": np.float64, "F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32,
            "I16": np.int16, "I8": np.int8, "U64": np.uint64, "U32": np.uint32, "U16": np.uint16,
            "U8": np.uint8, "BOOL": np.bool_, "C64": np.complex64,
        }  # fmt: skip
        generator = np.random.default_rng(0)
        tensors = {name: generator.integers(0, 2, (3, 5)).astype(dtype) for name, dtype in types.items()}
        tensors["scalar"] = np.array(7.5)
        tensors["empty"] = np.zeros((2, 0, 3), np.float32)
        tensors["nämé \n\t"] = np.arange(3, dtype=np.int32)
        path = self.path("theirs.safetensors")
        save_file(tensors, path, metadata={"format": "np", "ключ": "значение"})
        (found,) = read("reference", path)
        self.assertTrue(found["ok"], found)
        self.assertEqual(found["metadata"], {"format": "np", "ключ": "значение"})
        self.assertEqual(set(found["tensors"]), set(tensors))
        for name, value in tensors.items():
            self.assertEqual(found["tensors"][name]["shape"], list(value.shape), name)
            self.assertEqual(found["tensors"][name]["data"], value.tobytes().hex(), name)
        for code in types:
            self.assertEqual(found["tensors"][code]["dtype"], code)
        (refused,) = read("strict", path)
        self.assertIn("not a checkpoint of this program", refused["error"])

    def test_python_copies_of_our_files_are_readable_but_no_checkpoints(self):
        ours, copy = self.path("ours.ckpt"), self.path("copy.safetensors")
        subprocess.run([PROBE, "write", ours], check=True)
        save_file(load_file(ours), copy, metadata=safe_open(ours, framework="numpy").metadata())
        self.assertTrue(read("reference", copy)[0]["ok"])
        self.assertFalse(read("strict", copy)[0]["ok"])

    def test_mutated_files_get_the_verdict_of_the_reference_reader(self):
        """Only duplicate names are judged differently: Levin rejects them."""
        seeds = [
            (b'{"__metadata__":{"a":"b"},"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},'
             b'"u":{"dtype":"U8","shape":[],"data_offsets":[8,9]}}', b"123456789"),
            (b'{"t":{"dtype":"F4","shape":[4,0,3],"data_offsets":[0,0]}}  \n', b""),
        ]  # fmt: skip
        words = [b"0", b"-0", b"1e0", b"1.0", b"01", b"18446744073709551615", b"18446744073709551616", b"null", b"{}",
                 b"[]", b'"', b"\\u0000", b"\\ud800", b"\xff", b"\xc3\xa9", b"\x00", b"\x7f", b"\x01", b"/**/", b",",
                 b'"x":[1,{"y":-2.5e300}],', b'"x":1e999,', b'"__metadata__":null,', b"F6_E2M3", b" ", b"\t", b"\xef\xbb\xbf",
                 b'"shape":[0],', b"[[", b"C64", b"F8_E8M0", b"F8_E4M3FNUZ"]  # fmt: skip
        generator = random.Random(int(os.environ.get("LEVIN_FUZZ_SEED", "1")))
        runs = int(os.environ.get("LEVIN_INTEROP_RUNS", "3000"))
        cases, paths = [], []
        for run in range(runs):
            header, data = generator.choice(seeds)
            for _ in range(generator.choice((1, 1, 2, 3))):
                at = generator.randrange(len(header) + 1)
                cut = generator.choice((0, 0, 0, 1, 1, 2, 8))
                header = header[:at] + generator.choice(words + [b""] * 6) + header[at + cut :]
            if generator.random() < 0.1:
                data = data[: generator.randrange(len(data) + 1)] + b"x" * generator.randrange(3)
            paths.append(self.path(str(run)))
            cases.append(header)
            with open(paths[-1], "wb") as file:
                file.write(file_of(header, data))
        ours = [verdict for i in range(0, runs, 500) for verdict in read("reference", *paths[i : i + 500])]
        accepted = 0
        for header, path, verdict in zip(cases, paths, ours):
            theirs = accepts(path)
            accepted += theirs
            if theirs and has_repeated_key(header):
                self.assertFalse(verdict["ok"], header)
            else:
                self.assertEqual(verdict["ok"], theirs, (header, verdict.get("error")))
        print(f"{accepted} of {runs} mutated files accepted by both")


if __name__ == "__main__":
    unittest.main(verbosity=2)
