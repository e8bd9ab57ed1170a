"""Reads the output of `host export`: safetensors with Python's reader, a state_dict with Python's zipfile and pickle as torch.load
does it, and with torch.load if PyTorch is available."""

import collections
import os
import pickle
import subprocess
import sys
import tempfile
import zipfile

import numpy as np
from safetensors import safe_open

TYPES = {"FloatStorage": "f4", "DoubleStorage": "f8", "HalfStorage": "f2", "LongStorage": "i8", "BoolStorage": "?",
         "ByteStorage": "u1", "BFloat16Storage": "u2"}


class Storages(pickle.Unpickler):
    """Accepts only the names that torch.load(weights_only=True) accepts."""

    def __init__(self, archive):
        super().__init__(archive.open("archive/data.pkl"))
        self.archive = archive

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return self.rebuild
        if module == "torch" and name in TYPES:
            return TYPES[name]
        raise pickle.UnpicklingError(f"{module}.{name}")

    def persistent_load(self, parts):
        kind, dtype, key, device, elements = parts
        data = self.archive.read("archive/data/" + key)
        assert (kind, device, len(data)) == ("storage", "cpu", elements * np.dtype(dtype).itemsize), parts
        return np.frombuffer(data, dtype)

    @staticmethod
    def rebuild(storage, offset, shape, strides, requires_grad, hooks):
        assert offset == 0 and requires_grad is False and hooks == collections.OrderedDict()
        steps = [s * storage.itemsize for s in strides]
        return np.lib.stride_tricks.as_strided(storage, shape, steps)


def main(host, golden):
    with tempfile.TemporaryDirectory() as folder:
        files = {ending: os.path.join(folder, "odd" + ending) for ending in (".pt", ".safetensors")}
        for path in files.values():
            subprocess.run([host, "export", os.path.join(golden, "odd-1.13.pt"), "--output", path], check=True)
        archive = zipfile.ZipFile(files[".pt"])
        assert archive.testzip() is None
        state = Storages(archive).load()
        with safe_open(files[".safetensors"], "np") as tensors:
            assert tensors.metadata() == {"format": "pt"}
            names = sorted(tensors.keys())
            for name in names:
                if name != "bfloat":  # NumPy does not have this type
                    assert np.array_equal(tensors.get_tensor(name), state[name]), name
        assert list(state) == names and isinstance(state, collections.OrderedDict)
        assert state["transposed"].shape == (6, 4) and state["scalar"] == 2.5 and state["empty"].shape == (0, 3)
        assert state["longs"].tolist() == [-1, 2**40] and state["bfloat"].tolist() == [0, 0x3F80, 0x4000]
        try:
            import torch
        except ImportError:
            return
        loaded = torch.load(files[".pt"], weights_only=True)
        whole = torch.load(os.path.join(golden, "odd-1.13.pt"))
        assert all(torch.equal(loaded[name], whole[name]) and loaded[name].dtype == whole[name].dtype for name in whole)


main(*sys.argv[1:])
print("Python reads what is exported")
