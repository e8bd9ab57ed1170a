"""Writes the files in this folder: weights as saved by PyTorch. Run it with PyTorch 1.13 and with a current release: python make.py
NAME, where NAME is 1.13 or 2."""

import io
import sys
import zipfile
from collections import OrderedDict

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 2, 2)
        self.norm = torch.nn.BatchNorm2d(2)
        self.head = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
        for i, p in enumerate(self.parameters()):
            with torch.no_grad():
                p.copy_(torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) + 100 * i)

    def forward(self, x):
        return self.head(self.norm(self.conv(x)).mean(dim=(2, 3)))


def odd_tensors():
    base = torch.arange(24, dtype=torch.float32).reshape(4, 6)
    out = OrderedDict(
        transposed=base.t(),
        slice=base[1:3, ::2],
        expanded=torch.tensor([7.0]).expand(3, 2),
        tied=base,
        scalar=torch.tensor(2.5, dtype=torch.float64),
        empty=torch.zeros(0, 3),
        half=torch.arange(3).half(),
        bfloat=torch.arange(3).bfloat16(),
        flags=torch.tensor([True, False]),
        longs=torch.tensor([-1, 2**40]),
        bytes=torch.arange(3, dtype=torch.uint8),
        parameter=torch.nn.Parameter(torch.ones(2)),
    )
    return out


def other_forms():
    """Names and tensors of unusual forms, each beside a plain one."""
    dense = torch.tensor([[0.0, 1.0], [2.0, 0.0]])
    forms = {
        "sparse": dense.to_sparse(),
        "csr": dense.to_sparse_csr(),
        "quantized": torch.quantize_per_tensor(dense, 0.1, 0, torch.qint8),
        "meta": torch.empty(2, device="meta"),
        "listed": [dense, dense],
        "complex": torch.zeros(1, dtype=torch.complex64),
    }
    for name, value in forms.items():
        torch.save(OrderedDict(dense=dense, other=value), f"{name}-1.13.pt")
    for name in ("sparse", "quantized"):
        torch.save(OrderedDict(dense=dense, other=forms[name]), f"{name}-1.13-legacy.pt",
                   _use_new_zipfile_serialization=False)
    torch.save(OrderedDict(dense=dense, other=dense.as_subclass(Subclass)), "subclass-1.13.pt")


class Subclass(torch.Tensor):
    pass


def main(name):
    net = Net()
    torch.save(net.state_dict(), f"state_dict-{name}.pt")
    torch.save(odd_tensors(), f"odd-{name}.pt")
    torch.save(odd_tensors(), f"odd-{name}-legacy.pt", _use_new_zipfile_serialization=False)
    optimizer = torch.optim.Adam(net.parameters())
    lightning = {
        "epoch": 3,
        "global_step": 120,
        "pytorch-lightning_version": "2.6.6",
        "state_dict": OrderedDict(("net." + k, v) for k, v in net.state_dict().items()),
        "loops": {"fit_loop": {"state_dict": {}}},
        "callbacks": {"ModelCheckpoint{'monitor': 'val_loss'}": {"best_model_score": torch.tensor(0.5)}},
        "optimizer_states": [optimizer.state_dict()],
        "lr_schedulers": [],
        "hyper_parameters": {"lr": 1e-3, "huge": 2**100, "real": -0.25, "of": complex},
    }
    torch.save(lightning, f"lightning-{name}.ckpt")
    if name == "2":
        return
    other_forms()
    torch.save(net, "module-1.13.pt")
    torch.jit.script(net).save("script-1.13.pt")
    torch.save([1, 2], "list-1.13.pt")
    wide = io.BytesIO(open("state_dict-1.13.pt", "rb").read())
    with zipfile.ZipFile(wide) as source, zipfile.ZipFile("zip64-1.13.pt", "w", zipfile.ZIP_STORED) as out:
        for member in source.infolist():
            with out.open(zipfile.ZipInfo(member.filename), "w", force_zip64=True) as to:
                to.write(source.read(member))
    with zipfile.ZipFile(wide) as source, zipfile.ZipFile("deflated-1.13.pt", "w", zipfile.ZIP_DEFLATED) as out:
        for member in source.infolist():
            out.writestr(member.filename, source.read(member))


main(sys.argv[1])
