"""cifar_files.py FOLDER: writes small sets in the exact formats of CIFAR-10 and CIFAR-100: FOLDER/{cifar-10-batches-bin,cifar-10-batches-py,
cifar-100-binary,cifar-100-python}, cifar-10-python.tar.gz, and the batches of CIFAR-10 in today's protocols of pickle in protocol-4 and -5. Each batch has 4 rows; row r of file f has the byte (7 f + r) % 256 in red,
1 more in green, 2 more in blue, with the label (f + r) % 10 (fine: (3 f + r) % 100, coarse: (f + r) % 20). The pickles have the opcodes that
Python 2 wrote. NumPy is not needed."""
import os
import pickle
import struct
import sys
import tarfile
import types

ROWS = 4


def text(value):  # SHORT_BINSTRING or BINSTRING, as Python 2 wrote a str
    return b"U" + bytes([len(value)]) + value if len(value) < 256 else b"T" + struct.pack("<i", len(value)) + value


def number(value):
    return b"K" + bytes([value]) if value < 256 else b"M" + struct.pack("<H", value) if value < 65536 else b"J" + struct.pack("<i", value)


def array(rows, data):
    dtype = b"cnumpy\ndtype\nq\x05U\x02u1K\x00K\x01\x87Rq\x06(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
    return (b"cnumpy.core.multiarray\n_reconstruct\nq\x03cnumpy\nndarray\nK\x00\x85U\x01b\x87R(K\x01" + number(rows) + number(3072) +
            b"\x86" + dtype + b"\x89" + text(data) + b"tb")


def entries(values):
    return b"(" + b"".join(text(key) + value for key, value in values.items()) + b"u"


def dictionary(values):
    return b"\x80\x02}q\x01" + entries(values) + b"."


def integers(values):
    return b"]q\x02(" + b"".join(number(value) for value in values) + b"e"


def names(values):
    return b"](" + b"".join(text(value) for value in values) + b"e"


def images(file):
    return b"".join(bytes([(7 * file + row + colour) % 256]) * 1024 for row in range(ROWS) for colour in range(3))


def labels(file, step, classes):
    return [(step * file + row) % classes for row in range(ROWS)]


def rows(*columns, data):
    return b"".join(bytes(column[row] for column in columns) + data[3072 * row:3072 * (row + 1)] for row in range(ROWS))


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/{name}", "wb") as file:
        file.write(data)


def module(name):
    return sys.modules.setdefault(name, types.ModuleType(name))


def named(module_name, what):
    """Makes pickles name a class or function as one of NumPy."""
    what.__module__, what.__qualname__ = module_name, what.__name__
    setattr(module(module_name), what.__name__, what)
    return what


def _reconstruct():
    pass


def _frombuffer():
    pass


class dtype:
    def __reduce__(self):
        return dtype, ("u1", False, True), (3, "|", None, None, None, -1, -1, 0)


class ndarray:
    """Is pickled as NumPy pickles an array of bytes."""

    def __init__(self, rows, data):
        self.rows, self.data = rows, data

    def __reduce_ex__(self, protocol):
        shape = (self.rows, 3072)
        if protocol >= 5:
            return _frombuffer, (pickle.PickleBuffer(bytearray(self.data)), dtype(), shape, "C")
        return _reconstruct, (ndarray, (0,), b"b"), (1, shape, dtype(), False, self.data)


def write_protocol(root, protocol):
    for file in range(6):
        batch = {"batch_label": "training batch", "labels": labels(file, 1, 10), "data": ndarray(ROWS, images(file)), "filenames": ["x.png"] * ROWS}
        write(f"{root}/protocol-{protocol}", "test_batch" if file == 5 else f"data_batch_{file + 1}", pickle.dumps(batch, protocol))
    write(f"{root}/protocol-{protocol}", "batches.meta", pickle.dumps({"label_names": [f"name{i}" for i in range(10)], "num_vis": 3072}, protocol))


def write_all(root):
    for file in range(6):
        name = "test_batch" if file == 5 else f"data_batch_{file + 1}"
        data, own = images(file), labels(file, 1, 10)
        write(f"{root}/cifar-10-batches-bin", name + ".bin", rows(own, data=data))
        write(f"{root}/cifar-10-batches-py", name, dictionary({
            b"batch_label": text(b"training batch"), b"labels": integers(own), b"data": array(ROWS, data),
            b"filenames": names([b"x.png"] * ROWS)}))
    ten = [f"name{i}".encode() for i in range(10)]
    write(f"{root}/cifar-10-batches-bin", "batches.meta.txt", b"\n".join(ten) + b"\n\n")
    write(f"{root}/cifar-10-batches-py", "batches.meta", dictionary({
        b"num_cases_per_batch": number(10000), b"label_names": names(ten), b"num_vis": number(3072)}))
    for file, name in enumerate(("train", "test")):
        data, fine, coarse = images(file), labels(file, 3, 100), labels(file, 1, 20)
        write(f"{root}/cifar-100-binary", name + ".bin", rows(coarse, fine, data=data))
        # As Python 3 pickles bytes in protocol 2: text that _codecs.encode would turn into bytes. The array is Python 2's.
        other = {b"coarse_labels": coarse, b"fine_labels": fine, b"batch_label": b"\xe9\xff"}
        write(f"{root}/cifar-100-python", name, pickle.dumps(other, 2)[:-1] + entries({b"data": array(ROWS, data)}) + b".")
    with tarfile.open(f"{root}/cifar-10-python.tar.gz", "w:gz") as tar:
        tar.add(f"{root}/cifar-10-batches-py", "cifar-10-batches-py")


for package in ["numpy", "numpy.core", "numpy.core.multiarray", "numpy.core.numeric"]:
    module(package)
for name, what in {"numpy": ndarray, "numpy.core.multiarray": _reconstruct, "numpy.core.numeric": _frombuffer}.items():
    named(name, what)
named("numpy", dtype)
write_all(sys.argv[1])
for protocol in [3, 4, 5]:
    write_protocol(sys.argv[1], protocol)
