"""Networks that Python wrote as TorchScript are trained by the host as by a plain loop in Python."""

import os
import subprocess
import sys
import tempfile
import zipfile

import torch

ROWS, BATCH, STEPS = 64, 8, 8
OFF = [word for name in ("early_stopping", "model_summary", "progress_bar", "results_table")
       for word in ("--callback", f"{name}=false")]


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 16)
        self.norm = torch.nn.BatchNorm1d(16)

    def forward(self, x):
        return self.norm(self.linear(x)).relu()


class Net(torch.nn.Module):
    def __init__(self, outputs):
        super().__init__()
        self.block = Block()
        self.drop = torch.nn.Dropout(0.0)
        self.head = torch.nn.Linear(16, outputs)
        self.register_buffer("scale", torch.tensor(2.0))

    def forward(self, x):
        if self.training:
            x = x * 1.0
        return self.head(self.drop(self.block(x))) * self.scale


class TwoInputs(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(4, 3)

    def forward(self, x, mask):
        return self.head(x * mask)


class OwnOperator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.ops.levin_test.twice(self.head(x))


class Host:
    def __init__(self, binary, folder):
        self.binary, self.folder = os.path.abspath(binary), folder
        self.environment = dict(os.environ, OMP_NUM_THREADS="1", HOME=folder)

    def run(self, *words, fails=False):
        done = subprocess.run([self.binary, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert (done.returncode != 0) == fails, done.stderr
        return done.stderr + done.stdout

    def fit(self, network, data, name, *more, fails=False):
        return self.run("fit", "--model", network, "--data", "csv", "--data.file", data, "--data.target", "y",
                        "--data.val_rows", "0", "--data.batch_size", str(BATCH), "--data.shuffle", "false",
                        "--data.normalize", "none", "--logger", "false", *OFF, "--trainer.log_version", name, *more, fails=fails)

    def weights(self, name):
        self.run("export", f"levin_logs/{name}", "--ckpt_path", "last", "-o", f"{name}.pt", "--force")
        return torch.load(os.path.join(self.folder, f"{name}.pt"))


def write_rows(path, classes):
    torch.manual_seed(1)
    x = torch.randn(ROWS, 4)
    y = (x.sum(1) > 0).long() + (x[:, 0] > 1).long() if classes else x.sum(1, keepdim=True)
    with open(path, "w") as file:
        file.write("a,b,c,d,y\n")
        for row, target in zip(x.tolist(), y.flatten().tolist()):
            file.write(",".join(repr(v) for v in row) + f",{'class' + str(target) if classes else repr(target)}\n")
    return x, y


def trained(net, x, y, loss, steps):
    """Returns the state after a plain loop."""
    net = torch.jit.load(net)
    net.train()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    for step in range(steps):
        at = step * BATCH % ROWS
        optimizer.zero_grad()
        loss(net(x[at:at + BATCH]), y[at:at + BATCH]).backward()
        optimizer.step()
    return net.state_dict()


def same(ours, theirs):
    assert sorted(ours) == sorted(theirs), (list(ours), list(theirs))
    for name, tensor in theirs.items():
        assert torch.allclose(ours[name], tensor, rtol=1e-4, atol=1e-6), (name, ours[name], tensor)


def check_training(host, folder, classes):
    torch.manual_seed(3)
    file, data = os.path.join(folder, "network.pt"), os.path.join(folder, "rows.csv")
    name = "classes" if classes else "numbers"
    x, y = write_rows(data, classes)
    torch.jit.script(Net(3 if classes else 1)).save(file)
    sgd = ("--model.optimizer", "sgd", "--model.lr", "0.01", "--model.momentum", "0.9")
    host.fit(file, data, name, *sgd, "--max_steps", str(STEPS))
    loss = torch.nn.functional.cross_entropy if classes else torch.nn.functional.mse_loss
    same(host.weights(name), trained(file, x, y, loss, STEPS))
    # A run that is stopped and resumed ends with the same weights.
    host.fit(file, data, name + "_half", *sgd, "--max_steps", str(STEPS // 2))
    host.run("resume", f"levin_logs/{name}_half", "--max_steps", str(STEPS))
    one, two = host.weights(name), host.weights(name + "_half")
    assert all(torch.equal(one[key], two[key]) for key in one)
    # The trained network goes back to Python as TorchScript.
    host.run("export", f"levin_logs/{name}", "--ckpt_path", "last", "--format", "torchscript", "-o", name + ".ts")
    back, own = torch.jit.load(os.path.join(folder, name + ".ts")).eval(), torch.jit.load(file).eval()
    own.load_state_dict(one)
    assert torch.allclose(back(x), own(x), atol=1e-6)


def check_resume_of_random(host, folder):
    """A network with random numbers and layers that TorchScript's optimizer would rewrite resumes with the same bits."""
    class Random(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.LayerNorm(16), torch.nn.GELU())
            self.drop = torch.nn.Dropout(0.3)
            self.head = torch.nn.Linear(16, 3)

        def forward(self, x):
            x = self.drop(self.first(x))
            return self.head(torch.tanh(x) * torch.sigmoid(x) + x / 3.0)

    torch.manual_seed(5)
    file, data = os.path.join(folder, "random.pt"), os.path.join(folder, "rows.csv")
    write_rows(data, True)
    torch.jit.script(Random()).save(file)
    host.fit(file, data, "whole", "--max_steps", str(STEPS), "--seed_everything", "1")
    host.fit(file, data, "half", "--max_steps", str(STEPS // 2), "--seed_everything", "1")
    host.run("resume", "levin_logs/half", "--max_steps", str(STEPS))
    one, two = host.weights("whole"), host.weights("half")
    assert all(torch.equal(one[key], two[key]) for key in one), [k for k in one if not torch.equal(one[k], two[k])]


def check_refusals(host, folder):
    data = os.path.join(folder, "rows.csv")
    write_rows(data, True)
    torch.manual_seed(1)
    files = {"state.pt": "a file of torch.save", "two.pt": "takes 2: x, mask", "none.pt": "No such file",
             "frozen.pt": "no parameters to train", "quantized.pt": "quantized layer", "classes.pt": "[rows, classes]"}
    net = Net(3).eval()
    torch.save(net.state_dict(), os.path.join(folder, "state.pt"))
    torch.jit.script(TwoInputs()).save(os.path.join(folder, "two.pt"))
    torch.jit.freeze(torch.jit.script(net)).save(os.path.join(folder, "frozen.pt"))
    quantized = torch.quantization.quantize_dynamic(net, {torch.nn.Linear}, dtype=torch.qint8)
    torch.jit.script(quantized).save(os.path.join(folder, "quantized.pt"))
    torch.jit.script(Net(5)).save(os.path.join(folder, "classes.pt"))
    library = torch.library.Library("levin_test", "DEF")
    library.define("twice(Tensor x) -> Tensor")
    library.impl("twice", lambda x: x * 2, "CompositeImplicitAutograd")
    files["operator.pt"] = "levin_test::twice"
    torch.jit.script(OwnOperator()).save(os.path.join(folder, "operator.pt"))
    # The records of torch.export's files, before and since PyTorch 2.8.
    exported = {"old.pt2": ["version", "serialized_exported_program.json"],
                "new.pt2": ["new/archive_format", "new/models/model.json", "new/data/weights/model_weights_config.json"]}
    for file, records in exported.items():
        files[file] = "torch.export"
        with zipfile.ZipFile(os.path.join(folder, file), "w") as archive:
            for record in records:
                archive.writestr(record, "pt2")
    for file, reason in files.items():
        text = host.fit(os.path.join(folder, file), data, "refused", "--max_steps", "1", fails=True)
        assert reason in text, (file, text)
    torch.jit.trace(net, torch.ones(2, 4)).save(os.path.join(folder, "traced.pt"))
    text = host.fit(os.path.join(folder, "traced.pt"), data, "traced", "--max_steps", "1")
    assert "batch norm is always in evaluation mode" in text, text
    text = host.fit(os.path.join(folder, "traced.pt"), data, "loss", "--model.loss", "mse", fails=True)
    assert "for which there are: cross_entropy, nll" in text, text


def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        host = Host(binary, folder)
        for classes in (True, False):
            check_training(host, folder, classes)
        check_resume_of_random(host, folder)
        check_refusals(host, folder)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(sys.argv[1])
