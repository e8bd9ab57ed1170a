"""hdf5_golden.py [--write FOLDER] TEST. Writes HDF5 files of many types, layouts and filters with h5py, beside each the numbers as
float32, and runs TEST, which compares them. With --write it writes the file of tests/plugins/golden/hdf5."""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"]
SHAPES = [(5,), (3, 4), (2, 3, 4, 5), (7, 1)]
LAYOUTS = [{}, {"chunks": True}, {"chunks": True, "compression": "gzip"}, {"chunks": True, "compression": "lzf"},
           {"chunks": True, "shuffle": True, "fletcher32": True}]
NEWEST = ("earliest", "v110")  # Debian 12 reads the files of HDF5 1.10, whatever h5py writes


def arrays():
    draw = np.random.default_rng(1)
    for shape in SHAPES:
        yield draw.integers(0, 2, shape).astype(bool)
        for code in TYPES:
            for order in "<>":
                yield (draw.normal(0, 100, shape) if code[0] == "f" else draw.integers(0, 100, shape)).astype(order + code)


def write_cases(folder):
    for i, array in enumerate(arrays()):
        for j, layout in enumerate(LAYOUTS):
            path = f"{folder}/{i}_{j}.h5"
            with h5py.File(path, "w", libver=NEWEST if i % 2 else "earliest") as file:
                file.create_dataset("group/x" if j % 2 else "x", data=array, **layout)
            with open(path + ".f4", "wb") as expected:
                expected.write(np.ascontiguousarray(array).astype(np.float32).tobytes())


def write_golden(folder):
    with h5py.File(folder + "/set.h5", "w", libver="earliest") as file:
        file.create_dataset("x", data=np.arange(20, dtype=np.float32).reshape(10, 2), chunks=(4, 2), compression="gzip")
        file["y"] = np.arange(10) % 3
        file["group/flags"] = np.array([True, False] * 5)
        file["group/who"] = np.arange(10) // 2
        file["texts"] = ["a", "b"]
        file["pairs"] = np.zeros(2, dtype=[("a", "i4"), ("b", "f4")])
        file["number"] = 3
        file["none"] = np.zeros((0, 2))
        file["outside"] = h5py.ExternalLink("/etc/passwd", "/x")
        file["soft"] = h5py.SoftLink("/x")
        file["group/loop"] = file["group"]
        file.create_dataset("raw", shape=(4,), dtype="u1", external=[("/etc/passwd", 0, 4)])
        layout = h5py.VirtualLayout(shape=(4,), dtype="u1")
        layout[:] = h5py.VirtualSource("/etc/passwd.h5", "x", shape=(4,))
        file.create_virtual_dataset("virtual", layout)


if sys.argv[1] == "--write":
    write_golden(sys.argv[2])
else:
    with tempfile.TemporaryDirectory() as folder:
        write_cases(folder)
        sys.exit(subprocess.run([sys.argv[1], "[.h5py]"], env={**os.environ, "LEVIN_H5PY_CASES": folder}).returncode)
