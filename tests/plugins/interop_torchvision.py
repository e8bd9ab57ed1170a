"""torchvision's weights give the same bits in libresnet.so with LibTorch's kernels, and Levin's in torchvision."""

import glob
import json
import os
import struct
import subprocess
import sys
import tempfile

import numpy as np
import torch
import torchvision
from PIL import Image

CLASSES, SIZE, IMAGES = 5, 64, 6
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
DTYPES = {"F32": np.float32, "I64": np.int64}


def tensors(path):
    """Returns the tensors of a safetensors file."""
    with open(path, "rb") as file:
        data = file.read()
    end = 8 + struct.unpack("<Q", data[:8])[0]
    out = {}
    for name, entry in json.loads(data[8:end]).items():
        if name == "__metadata__" or entry["dtype"] not in DTYPES:
            continue
        begin, stop = (end + offset for offset in entry["data_offsets"])
        flat = np.frombuffer(data[begin:stop], DTYPES[entry["dtype"]])
        out[name] = torch.from_numpy(flat.copy()).reshape(entry["shape"])
    return out


def make_images(folder):
    """Returns the images as the network gets them."""
    random = np.random.RandomState(7)
    pixels = random.randint(0, 256, (IMAGES, SIZE, SIZE, 3)).astype(np.uint8)
    for i, image in enumerate(pixels):
        of_class = os.path.join(folder, str(i % CLASSES))
        os.makedirs(of_class, exist_ok=True)
        Image.fromarray(image).save(os.path.join(of_class, f"{i}.png"))
    order = sorted(range(IMAGES), key=lambda i: (i % CLASSES, i))
    x = (pixels[order].transpose(0, 3, 1, 2) / 255.0 - np.array(MEAN).reshape(3, 1, 1)) / np.array(STD).reshape(3, 1, 1)
    return torch.from_numpy(np.ascontiguousarray(x, np.float32))


def network(depth):
    torch.manual_seed(depth)
    out = getattr(torchvision.models, f"resnet{depth}")(weights=None, num_classes=CLASSES).eval()
    for module in out.modules():
        if isinstance(module, torch.nn.BatchNorm2d):  # as if trained
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 1.5)
            module.weight.data.uniform_(0.5, 1.5)
    return out


def answers(net, x):
    with torch.inference_mode():
        return net(x).softmax(1)


class Host:
    def __init__(self, binary, plugins, folder):
        self.binary, self.plugins, self.folder = binary, plugins, folder
        self.environment = dict(os.environ, OMP_NUM_THREADS="1", HOME=folder)

    def run(self, *words):
        command = [self.binary, *words, "--plugins", self.plugins]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done

    def predict(self, depth, images, weights, version, kernels="off"):
        self.run("predict", "--model", "resnet", "--model.depth", str(depth), "--model.stem", "imagenet", "--data",
                 "image_folder", "--data.dir", images, "--data.size", str(SIZE), "--data.predict_dir", images,
                 "--data.batch_size", str(IMAGES), "--ckpt_path", weights, "--trainer.log_version", version,
                 "--trainer.cpu_kernels", kernels)
        run = os.path.join(self.folder, "levin_logs", version)
        return tensors(os.path.join(run, "predictions.safetensors"))["probabilities"]

    def train(self, images, weights):
        """Returns the newest checkpoint of a fit that starts with these weights."""
        self.run("fit", "--model", "resnet", "--model.depth", "18", "--model.stem", "imagenet", "--data", "image_folder",
                 "--data.dir", images, "--data.size", str(SIZE), "--data.batch_size", "2", "--trainer.max_steps", "1",
                 "--model.init_from", weights, "--trainer.log_version", "trained", "--logger", "false")
        return os.path.join(self.folder, "levin_logs", "trained")


def check_optimizer(host, run, folder):
    """Python's optimizer loads the exported state, by its own parameter indices."""
    path = os.path.join(folder, "ours.ckpt")
    host.run("export", run, "--ckpt_path", "last", "-o", path)
    file, net = torch.load(path), torchvision.models.resnet18(weights=None, num_classes=CLASSES)
    net.load_state_dict(file["state_dict"], strict=True)
    (saved,), named = file["optimizer_states"], dict(net.named_parameters())
    groups = [{"params": [named[name] for name in group["param_names"]]} for group in saved["param_groups"]]
    optimizer = torch.optim.SGD(groups, lr=1.0, momentum=0.5)
    optimizer.load_state_dict(saved)
    own = glob.glob(os.path.join(run, "checkpoints", "*.ckpt"))[0]  # after one step all of them are equal
    buffers = {name.split(".", 3)[3][: -len(".momentum_buffer")]: value for name, value in tensors(own).items()
               if name.endswith(".momentum_buffer")}
    assert len(buffers) == len(named) and optimizer.param_groups[0]["momentum"] != 0.5
    for name, parameter in named.items():
        assert torch.equal(optimizer.state[parameter]["momentum_buffer"], buffers[name]), name


def main(binary, plugins):
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        images, host = os.path.join(folder, "images"), Host(binary, plugins, folder)
        x = make_images(images)
        for depth in (18, 50):
            net, path = network(depth), os.path.join(folder, f"resnet{depth}.pth")
            torch.save(net.state_dict(), path)
            expected = answers(net, x)
            assert torch.equal(host.predict(depth, images, path, f"given{depth}"), expected), depth
            with_kernels = host.predict(depth, images, path, f"kernels{depth}", "auto")
            assert torch.allclose(with_kernels, expected, rtol=1e-5, atol=1e-6), depth
        run = host.train(images, os.path.join(folder, "resnet18.pth"))
        check_optimizer(host, run, folder)
        host.run("export", run, "--ckpt_path", "last", "-o", os.path.join(folder, "ours.pt"))
        ours = torchvision.models.resnet18(weights=None, num_classes=CLASSES).eval()
        ours.load_state_dict(torch.load(os.path.join(folder, "ours.pt")), strict=True)
        assert not torch.equal(answers(ours, x), answers(network(18), x))
        assert torch.equal(host.predict(18, images, os.path.join(folder, "ours.pt"), "ours"), answers(ours, x))


if __name__ == "__main__":
    main(*sys.argv[1:])
    print("torchvision's weights and ours give the same bits on both sides")
