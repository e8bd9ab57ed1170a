"""The networks of libnetworks.so and Python's networks have the same parameter names, and the same bits as scores of files of
Python and as weights after ten steps of SGD. A new network is a row of ROWS. Without names of models only those of SHORT
are compared, because all take many minutes; the word all compares all."""

import os
import sys
import tempfile

import numpy as np
import torch
import torchvision
from torch import nn

import python_networks
from interop_torchvision import Host, tensors

CLASSES, BATCH, STEPS = 5, 2, 10
SGD = {"lr": 0.01, "momentum": 0, "weight_decay": 0}
OFF = [word for name in ("early_stopping", "model_summary", "progress_bar", "results_table")
       for word in ("--callback", f"{name}=false")]


def of_torchvision(name, **arguments):
    return lambda: getattr(torchvision.models, name)(weights=None, num_classes=CLASSES, **arguments)


def without_dropout(network):  # where torchvision has no argument for it
    def make():
        net = network()
        for module in net.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0
        return net
    return make


def small_vit():
    net = torchvision.models.VisionTransformer(32, 8, 2, 3, 48, 96, num_classes=CLASSES)
    nn.init.normal_(net.heads.head.weight)  # torchvision's is 0
    return net


def images(size):
    return torch.randn(CLASSES, 3, size, size), torch.arange(CLASSES)


def segmented(size):
    return torch.randn(CLASSES, 3, size, size), torch.arange(CLASSES * size * size).remainder(CLASSES).view(-1, size, size)


def tokens(length):
    text = torch.randint(CLASSES, (CLASSES, length + 1))
    text[0, 1:1 + CLASSES] = torch.arange(CLASSES)  # each token occurs
    return text[:, :-1], text[:, 1:]


class Row:
    """options: of the model; steps: how many are compared besides the scores."""

    def __init__(self, model, options, network, data, steps=STEPS, channels_last=False):
        self.model, self.options, self.network, self.data = model, options, network, data
        self.steps, self.channels_last = steps, channels_last
        self.name = "_".join([model, *(str(value) for value in options.values())])


no_dropout = {"dropout": 0}
SHORT = ("alexnet", "gpt", "lstm", "tabular")
ROWS = [
    Row("alexnet", no_dropout, of_torchvision("alexnet", **no_dropout), images(64)),
    Row("vgg", {"depth": 11, **no_dropout}, of_torchvision("vgg11", **no_dropout), images(32), steps=2),
    Row("vgg", {"depth": 16, "bn": "true"}, of_torchvision("vgg16_bn"), images(32), steps=0),
    Row("resnet", {"depth": 18, "stem": "imagenet"}, of_torchvision("resnet18"), images(64), channels_last=True),
    Row("inception_v3", no_dropout, of_torchvision("inception_v3", aux_logits=False, init_weights=False, **no_dropout),
        images(75)),
    Row("inception_v3", {"auxiliary": "true", **no_dropout},
        of_torchvision("inception_v3", init_weights=False, **no_dropout), images(299), steps=1),
    Row("mobilenet_v3", {"size": "small", **no_dropout}, of_torchvision("mobilenet_v3_small", **no_dropout), images(64)),
    Row("mobilenet_v3", {"size": "large", **no_dropout}, of_torchvision("mobilenet_v3_large", **no_dropout), images(64)),
    Row("efficientnet", {"stochastic_depth": 0, **no_dropout},
        without_dropout(of_torchvision("efficientnet_b0", stochastic_depth_prob=0)), images(64)),
    Row("efficientnet", {"variant": "b2"}, of_torchvision("efficientnet_b2"), images(32), steps=0),
    Row("efficientnet", {"variant": "b5"}, of_torchvision("efficientnet_b5"), images(32), steps=0),
    Row("vit", {"patch": 8, "layers": 2, "heads": 3, "hidden": 48, "mlp": 96}, small_vit, images(32)),
    Row("vit", {"variant": "b_32"}, of_torchvision("vit_b_32", image_size=64), images(64), steps=0),
    Row("unet", {"width": 8}, lambda: python_networks.UNet(3, CLASSES, 8), segmented(36)),
    Row("gpt", {"layers": 2, "heads": 2, "hidden": 16, **no_dropout}, lambda: python_networks.GPT(CLASSES, 12, 2, 2, 16),
        tokens(12)),
    Row("lstm", {"embedding": 8, "hidden": 12, **no_dropout},
        lambda: python_networks.LSTMLanguageModel(CLASSES, 8, 12, 2), tokens(12)),
    Row("tabular", {"width": 16, "hidden": 24, **no_dropout}, lambda: python_networks.Tabular(7, CLASSES, 3, 16, 24),
        (torch.randn(CLASSES, 7), torch.arange(CLASSES))),
]


def loss_of(output, target):
    if not isinstance(output, torch.Tensor):  # Inception's scores in training
        return nn.functional.cross_entropy(output[0], target) + nn.functional.cross_entropy(output[1], target) * 0.4
    return nn.functional.cross_entropy(output, target)


def trained(row, net):
    """Returns the weights and buffers after a plain loop."""
    (x, y), optimizer = row.data, torch.optim.SGD(net.train().parameters(), **SGD)
    for step in range(row.steps):
        at = step % (len(x) // BATCH) * BATCH
        input = x[at:at + BATCH]
        if row.channels_last:
            input = input.clone(memory_format=torch.channels_last)
        optimizer.zero_grad()
        loss_of(net(input), y[at:at + BATCH]).backward()
        optimizer.step()
    return net.state_dict()


def state(host, run):
    """Returns the same of a run's newest checkpoint."""
    path = os.path.join(host.folder, "trained.pt")
    host.run("export", run, "--ckpt_path", "last", "-o", path, "--force")
    return torch.load(path)


def scores(row, net):
    # In the host's batches, because the sizes of a product may choose its kernel. With gradients, because attention has
    # other kernels without them.
    net.eval()
    return torch.cat([net(batch).softmax(1).detach() for batch in row.data[0].split(BATCH)])


def same(what, ours, theirs):
    assert sorted(ours) == sorted(theirs), (what, set(ours) ^ set(theirs))
    for name, tensor in theirs.items():
        assert torch.equal(ours[name], tensor), (what, name, (ours[name].double() - tensor.double()).abs().max().item())


def check(host, row):
    torch.manual_seed(1)
    net, weights, rows = row.network(), os.path.join(host.folder, "init.pth"), os.path.join(host.folder, "rows.npz")
    torch.save(net.state_dict(), weights)
    np.savez(rows, x=row.data[0].numpy(), y=row.data[1].numpy())
    common = ["--model", row.model, "--data", "npy", "--data.inputs", rows, "--data.val_rows", "0", "--data.batch_size",
              str(BATCH), "--data.shuffle", "false", "--data.drop_last", "true", "--trainer.cpu_kernels", "off",
              "--logger", "false", *OFF, "--trainer.log_version", row.name]
    common += [word for key, value in row.options.items() for word in (f"--model.{key}", str(value))]
    if row.data[1].dim() > 1:
        common += ["--data.task", "per_element"]
    run = os.path.join(host.folder, "levin_logs", row.name)
    host.run("predict", *common, "--ckpt_path", weights)
    predicted = tensors(os.path.join(run, "predictions.safetensors"))["probabilities"]
    same(row.name, {"scores": predicted}, {"scores": scores(row, net)})
    if row.steps == 0:
        return
    host.run("fit", *common, "--model.init_from", weights, "--model.optimizer", "sgd", "--model.scheduler", "none",
             "--model.label_smoothing", "0", "--model.nesterov", "false", "--trainer.max_steps", str(row.steps),
             *(word for key, value in SGD.items() for word in ("--model." + key, str(value))))
    same(row.name, state(host, run), trained(row, net))


def main(binary, plugins, *names):
    torch.set_num_threads(1)
    for row in ROWS:
        if names == ("all",) or row.model in (names or SHORT):
            with tempfile.TemporaryDirectory() as folder:
                check(Host(binary, plugins, folder), row)
                print(row.name, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
