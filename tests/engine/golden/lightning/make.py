"""Makes the Lightning checkpoints in this folder, and expected.json: the weights with which Lightning itself ends when it resumes
from them. Run it in this folder with the releases of PyTorch and Lightning for the files:

    python make.py

The model is that of tests/plugins_for_tests/twin.cpp, and the rows are those of rows.cpp."""

import json
import os

import pytorch_lightning as pl
import torch
from torch.optim import lr_scheduler as schedules

BATCH, ROWS, EPOCHS = 3, 12, 4


def value(index, column):
    z = (index * 31 + column + 1) * 0x9E3779B97F4A7C15 % 2**64
    z ^= z >> 29
    return torch.tensor(float(z % 2000)) / 1000.0 - 1.0


def row(index):
    x = torch.stack([value(index, c) for c in range(4)])
    y = torch.tensor(0.5)
    for c in range(4):
        y = y + c * x[c]
    return x, y.reshape(1)


class Rows:
    """A loader that can resume within an epoch, like Levin's."""

    def __init__(self):
        rows = [row(i) for i in range(ROWS)]
        self.batches = [tuple(torch.stack(t) for t in zip(*rows[i : i + BATCH])) for i in range(0, ROWS, BATCH)]
        self.at = 0

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        if self.at == len(self.batches):  # Lightning does not fetch beyond the last batch
            self.at = 0
        while self.at < len(self.batches):
            self.at += 1
            yield self.batches[self.at - 1]

    def state_dict(self):
        return {"at": self.at}

    def load_state_dict(self, state):
        self.at = state["at"]


class Net(torch.nn.Module):
    def __init__(self, last_first=False):
        super().__init__()
        if last_first:
            self.last = torch.nn.Linear(4, 1)
        self.first = torch.nn.Linear(4, 4)
        self.norm = torch.nn.BatchNorm1d(4)
        if not last_first:
            self.last = torch.nn.Linear(4, 1)

    def forward(self, x):
        return self.last(self.norm(self.first(x).tanh()))


class Twin(pl.LightningModule):
    def __init__(self, case):
        super().__init__()
        torch.manual_seed(1)
        self.case = case
        self.net = Net(case.get("last_first", False))
        self.save_hyperparameters({"case": case["name"], "lr": 0.05})

    def training_step(self, batch, index):
        loss = torch.nn.functional.mse_loss(self.net(batch[0]), batch[1])
        self.log("loss", loss, on_epoch=True, on_step=False)
        return loss

    def configure_optimizers(self):
        case, params = self.case, list(self.parameters())
        if case.get("frozen"):
            self.net.first.requires_grad_(False)
        if case.get("two_groups"):
            named = list(self.named_parameters())
            params = [{"params": [p for n, p in named if n.endswith("weight")]},
                      {"params": [p for n, p in named if n.endswith("bias")], "lr": 0.025}]
        if case.get("named"):
            params = self.named_parameters()
        optimizer = case["optimizer"](params, **case["options"])
        if "schedule" not in case:
            return optimizer
        schedule = {"scheduler": case["schedule"](optimizer), "interval": case.get("interval", "epoch")}
        if isinstance(schedule["scheduler"], schedules.ReduceLROnPlateau):
            schedule["monitor"] = "loss"
        return [optimizer], [schedule]


def warm(optimizer):
    return schedules.SequentialLR(optimizer, [schedules.LinearLR(optimizer, 0.5, total_iters=3),
                                              schedules.ExponentialLR(optimizer, 0.8)], [3])


optim = torch.optim
CASES = [
    dict(name="adam-step", optimizer=optim.Adam, options=dict(lr=0.05), schedule=lambda o: schedules.StepLR(o, 1, 0.5)),
    dict(name="adamw-cosine-mid", optimizer=optim.AdamW, options=dict(lr=0.05, amsgrad=True), interval="step",
         schedule=lambda o: schedules.CosineAnnealingLR(o, 20), every=2, file=6),
    dict(name="sgd-groups", optimizer=optim.SGD, options=dict(lr=0.05, momentum=0.9, nesterov=True), two_groups=True,
         schedule=lambda o: schedules.MultiStepLR(o, [1, 3], 0.3)),
    dict(name="rmsprop-one-cycle", optimizer=optim.RMSprop, options=dict(lr=0.01, momentum=0.5, centered=True),
         interval="step", schedule=lambda o: schedules.OneCycleLR(o, 0.05, total_steps=17)),
    dict(name="adagrad-plateau", optimizer=optim.Adagrad, options=dict(lr=0.05, lr_decay=0.1),
         schedule=lambda o: schedules.ReduceLROnPlateau(o, patience=0, threshold=10.0, threshold_mode="abs")),
    dict(name="sgd-sequential", optimizer=optim.SGD, options=dict(lr=0.05), schedule=warm, interval="step"),
    dict(name="adam-named", optimizer=optim.Adam, options=dict(lr=0.05), named=True, last_first=True),
    dict(name="adam-frozen", optimizer=optim.Adam, options=dict(lr=0.05), frozen=True),
    dict(name="adam-restarts-mid", optimizer=optim.Adam, options=dict(lr=0.05), every=1, file=7, interval="step",
         schedule=lambda o: schedules.CosineAnnealingWarmRestarts(o, 3, 2)),
    dict(name="nadam", optimizer=optim.NAdam, options=dict(lr=0.05, decoupled_weight_decay=True, weight_decay=0.1)),
    dict(name="radam", optimizer=optim.RAdam, options=dict(lr=0.05)),
    dict(name="adamax", optimizer=optim.Adamax, options=dict(lr=0.05)),
    dict(name="adadelta", optimizer=optim.Adadelta, options=dict(lr=0.5, eps=1e-4)),
    dict(name="asgd", optimizer=optim.ASGD, options=dict(lr=0.05, lambd=0.01, t0=3)),
    dict(name="rprop", optimizer=optim.Rprop, options=dict(lr=0.01, etas=(0.4, 1.3))),
]


def fit(case, epochs, folder, ckpt=None):
    model = Twin(case)
    saving = pl.callbacks.ModelCheckpoint(dirpath=folder, save_top_k=-1, every_n_train_steps=case.get("every"),
                                          filename="{step}")
    trainer = pl.Trainer(max_epochs=epochs, accelerator="cpu", logger=False, callbacks=[saving],
                         enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(model, Rows(), ckpt_path=ckpt, weights_only=False)
    return model


expected = {"torch": torch.__version__, "lightning": pl.__version__}
for case in CASES:
    folder = "/tmp/twin-" + case["name"]
    fit(case, 2, folder)
    step = case.get("file", 8)
    os.replace(f"{folder}/step={step}.ckpt", case["name"] + ".ckpt")
    model = fit(case, EPOCHS, folder + "-on", case["name"] + ".ckpt")
    expected[case["name"]] = {n: t.flatten().tolist() for n, t in model.net.state_dict().items()}
json.dump(expected, open("expected.json", "w"), indent=1)
