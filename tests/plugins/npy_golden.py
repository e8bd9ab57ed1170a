"""npy_golden.py [--write FOLDER] TEST. Writes .npy and .npz files of every type, order and version with NumPy, beside each the numbers
as float32, and runs TEST, which compares them. With --write it writes the archives of tests/plugins/golden/npy."""
import os
import subprocess
import sys
import tempfile

import numpy as np

TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"]
SHAPES = [(5,), (3, 4), (2, 3, 4, 5), (4, 1), (1, 7, 1)]


def expect(path, array):
    with np.errstate(over="ignore"):
        numbers = np.ascontiguousarray(array).astype(np.float32)
    with open(path + ".f4", "wb") as file:
        file.write(numbers.tobytes())


def arrays():
    draw = np.random.default_rng(1)
    for shape in SHAPES:
        yield np.array(draw.integers(0, 2, shape), dtype=bool)
        for code in TYPES:
            for order in "<>":
                dtype = np.dtype(order + code)
                raw = draw.integers(0, 256, int(np.prod(shape)) * dtype.itemsize, dtype=np.uint8)
                array = np.frombuffer(raw.tobytes(), dtype=dtype).reshape(shape)
                yield np.where(np.isnan(array), array.dtype.type(1), array).astype(dtype)  # the bits of a NaN are not compared
    yield np.array([0, -0.0, np.inf, -np.inf, 6e-8, 6.1e-5, 65504, 0.333], dtype=np.float16)
    yield np.array([2**24 + 1, 2**53 + 1, -2**63], dtype=np.int64)


def write_cases(folder):
    for i, array in enumerate(arrays()):
        for fortran in (False, True):
            shaped = np.asfortranarray(array) if fortran else array
            path = f"{folder}/{i}_{array.dtype.str[1:]}_{fortran}"
            for version in (None, (1, 0), (2, 0), (3, 0)) if i % 17 == 0 else (None,):
                name = f"{path}_{version}.npy"
                with open(name, "wb") as file:
                    np.lib.format.write_array(file, shaped, version=version, allow_pickle=False)
                expect(name, array)
            (np.savez if i % 2 else np.savez_compressed)(path + ".npz", x=shaped, y=np.zeros(3))
            expect(path + ".npz", array)


if sys.argv[1] == "--write":
    rows = {"x": np.array([[1, 2], [3, 4]], dtype=np.uint8), "y": np.array([0, 1], dtype=np.uint8)}
    np.savez(sys.argv[2] + "/stored.npz", **rows)
    np.savez_compressed(sys.argv[2] + "/deflated.npz", **rows)
else:
    with tempfile.TemporaryDirectory() as folder:
        write_cases(folder)
        sys.exit(subprocess.run([sys.argv[1], "[.numpy]"], env={**os.environ, "LEVIN_NUMPY_CASES": folder}).returncode)
