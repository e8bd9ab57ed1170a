"""Usage: schema.py HOST. The JSON Schema of configuration files is one by jsonschema, which accepts every file that the host
writes and the forms that it reads, and refuses mistakes."""
import json
import subprocess
import sys
import tempfile

import jsonschema

host = sys.argv[1]


def run(*words):
    return subprocess.run([host, *words], check=True, capture_output=True, text=True).stdout


schema = json.loads(run("config", "schema"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)

MLP = ["--model", "mlp", "--data", "synthetic"]
RUNS = [MLP, ["--model", "resnet", "--data", "synthetic"], ["--model", "cnn", "--data", "synthetic"],
        MLP + ["--callback", "best=model_checkpoint", "--callback.best.monitor", "x", "--logger", "csv", "--max_time", "00:01:00:00"]]
with tempfile.TemporaryDirectory() as folder:
    for i, words in enumerate(RUNS):
        file = f"{folder}/{i}.json"
        run("config", "new", file, *words)
        for text in run("config", "show", "--format", "json", *words), run("config", "show", "--format", "json", file):
            for error in validator.iter_errors(json.loads(text)):
                sys.exit(f"{words}: {error.message}")

GOOD = [
    {},
    {"model": "mlp", "data": None, "ckpt_path": "best", "seed_everything": False, "$schema": "x.json"},
    {"model": {"component": "mlp", "lr": "1e-3", "hidden": "8"}},
    {"model": {"component": "levin.mlp:mlp", "hidden": 64}},
    {"model": {"component": "./libown.so", "anything": 1}},
    {"trainer": {"max_epochs": "3", "precision": "BF16-mixed", "limit_val_batches": 0.5, "max_time": "00:01:00:00"}},
    {"trainer.max_epochs": 3, "callback.best.monitor": "x"},
    {"callback": {"early_stopping": {"patience": 3}, "progress_bar": False, "best": {"component": "model_checkpoint", "save_last": True}}},
    {"callback": {"org.example:watch": {}}, "logger": False},
    {"logger": {"csv": {}, "tensorboard": None}, "trainer": None},
    {"include": "a.yaml", "profiles": {"fast": {"trainer": {"fast_dev_run": True}}}},
    {"include": ["a.yaml", "b.toml"], "data": {"component": "mnist", "batch_size": 8}},
    {"model": {"class_path": "nets.MLP", "init_args": {"hidden": 8}}, "data": {"class_path": "rows.MNIST"}},
    {"trainer": {"callbacks": [{"class_path": "lightning.pytorch.callbacks.EarlyStopping", "init_args": {"monitor": "x"}}],
                 "logger": {"class_path": "lightning.pytorch.loggers.CSVLogger"}, "plugins": None, "strategy": "auto",
                 "profiler": {"class_path": "lightning.pytorch.profilers.SimpleProfiler", "init_args": None}}},
    {"trainer": {"callbacks": None, "logger": [{"class_path": "TensorBoardLogger"}, {"class_path": "CSVLogger"}]}},
    {"optimizer": {"class_path": "torch.optim.Adam", "init_args": {"lr": 0.1}}, "lr_scheduler": None, "fit": None},
]
BAD = [
    {"trianer": {}},
    {"max_epochs": 3},
    {"model": 3},
    {"model": {"component": "mlp", "hiden": 8}},
    {"model": {"component": "mlp", "lr": "fast"}},
    {"model": {"component": "mlp", "lr": -1}},
    {"trainer": {"max_epoch": 3}},
    {"trainer": {"max_epochs": [3]}},
    {"trainer": {"max_epochs": -2}},
    {"trainer": {"precision": "17"}},
    {"trainer.max_epochs": "x"},
    {"callback": {"early_stopping": {"patient": 3}}},
    {"callback": {"best": {"component": "model_checkpoint", "monitr": "x"}}},
    {"callback": {"best": 3}},
    {"include": 3},
    {"profiles": {"fast": {"include": "a.yaml"}}},
    {"data": {"component": "mnist", "batch_size": 0}},
    {"trainer": {"callbacks": [{"init_args": {}}]}},
    {"trainer": {"callbacks": 3}},
    {"optimizer": {"class": "torch.optim.Adam"}},
    {"fit": {"trainer": {}}},
]
for value in GOOD:
    for error in validator.iter_errors(value):
        sys.exit(f"{value} is refused: {error.message}")
for value in BAD:
    if validator.is_valid(value):
        sys.exit(f"{value} is accepted")
print(f"{len(GOOD)} files accepted, {len(BAD)} refused")
