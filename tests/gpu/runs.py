#!/usr/bin/env python3
"""runs.py HOST [--device gpu|cpu] [--only TEXT] [--logs FILE]

Runs the shipped plugins on a GPU and prints a table of what held. Ends with 77 where LibTorch finds no GPU. --device cpu runs the
rows that need no GPU on the CPU, to find mistakes of this script."""
import argparse
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

CNN = "--model cnn --data synthetic --data.size 28 --data.rows 2000 --data.batch_size 128".split()
RESNET = ("--model resnet --data synthetic --data.size 32 --data.channels 3 --data.rows 500 --data.batch_size 64 "
          "--data.val_rows 128 --data.test_rows 128 --model.scheduler none").split()
MLP = "--model mlp --data synthetic --data.rows 2000 --data.batch_size 32".split()
NETWORKS = {"cnn": CNN, "resnet": RESNET, "mlp": MLP}
PRECISIONS = "32-true bf16-mixed 16-mixed bf16-true 16-true 64-true".split()
OPTIMIZERS = "sgd adam adamw rmsprop adagrad adadelta adamax nadam radam asgd rprop lamb lion lbfgs".split()
EXACT = ["--trainer.deterministic", "true"]


class Runs:
    """The runs of one row, in a folder of their own."""
    def __init__(self, host, device, folder):
        self.host, self.device, self.folder, self.text = host, device, folder, ""

    def host_says(self, *words, code=0, within=150):
        environment = dict(os.environ, CUBLAS_WORKSPACE_CONFIG=":4096:8")
        done = subprocess.run([self.host, *words], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=within)
        self.text += f"$ host {' '.join(words)}\n{done.stdout}== {done.returncode}\n"
        lines = [line for line in done.stdout.splitlines() if "error" in line] or ["no error line"]
        assert done.returncode == code, f"exit code {done.returncode}, not {code}: {lines[-1][:200]}"
        return done.stdout

    def fit(self, *words, epochs=1, on=None, name="run", code=0, command="fit"):
        """Returns the checkpoint saved last."""
        self.host_says(command, *words, "--trainer.accelerator", on or self.device, "--trainer.max_epochs", str(epochs),
                       "--trainer.default_root_dir", os.path.join(self.folder, name), code=code)
        return self.last(name)

    def last(self, name):
        found = glob.glob(os.path.join(self.folder, name, "**", "checkpoints", "last*.ckpt"), recursive=True)
        return max(found, key=os.path.getmtime) if found else None

    def differences(self, a, b):
        """Largest differences of weights and optimizer state, by name."""
        text = self.host_says("ckpt", "diff", a, b, "--all")
        rows = [line.split(": largest difference ") for line in text.splitlines() if ": largest difference " in line]
        return {name.strip(): float(rest.split(",")[0]) for name, rest in rows
                if name.strip().startswith(("state_dict.", "optimizer_states."))}

    def same(self, a, b, within=0.0):
        differ = {name: d for name, d in self.differences(a, b).items() if not d <= within}
        assert not differ, f"{len(differ)} tensors differ by more than {within}, such as {next(iter(differ.items()))}"



def resumed(run, *words):
    whole = run.fit(*words, *EXACT, epochs=3, name="whole")
    part = run.fit(*words, *EXACT, epochs=1, name="part")
    run.same(whole, run.fit(*words, *EXACT, "--ckpt_path", part, epochs=3, name="rest"))


def crossed(run):
    adam = [*CNN, "--model.optimizer", "adam"]
    first = run.fit(*adam, name="gpu")
    second = run.fit(*adam, "--ckpt_path", first, epochs=2, on="cpu", name="cpu")
    run.fit(*adam, "--ckpt_path", second, epochs=3, name="back")


def as_on_the_cpu(run, optimizer, *words):
    words = [*CNN, "--model.optimizer", optimizer, *words, "--trainer.limit_train_batches", "4", "--data.shuffle", "false",
             "--trainer.precision", "64-true"]  # a GPU's convolutions in float are of TF32
    run.same(run.fit(*words, name="a"), run.fit(*words, on="cpu", name="b"), within=1e-6)


def captured(run, *words, within=0.0, says=None, silent=True):
    eager = run.fit(*words, *EXACT, epochs=2, name="eager")
    graph = run.fit(*words, *EXACT, "--trainer.capture", "on", epochs=2, name="graph")
    fell_back = "steps are not recorded" in run.text
    assert fell_back != silent, "it fell back" if fell_back else "it did not fall back"
    assert says is None or says in run.text, f"it does not say '{says}'"
    run.same(eager, graph, within=within)


def copied(run):
    a = run.fit(*CNN, *EXACT, epochs=2, name="a")
    b = run.fit(*CNN, *EXACT, "--data.pin_memory", "false", epochs=2, name="b")
    c = run.fit(*CNN, *EXACT, "--data.num_workers", "4", epochs=2, name="c")
    run.same(a, b)
    run.same(a, c)


def used(run):
    c = run.fit(*CNN)
    device = ["--trainer.accelerator", run.device, "--ckpt_path", c]
    for command in ("validate", "test", "predict"):
        run.host_says(command, *CNN, *device)
    run.host_says("predict", *CNN, "--trainer.accelerator", "cpu", "--ckpt_path", c)
    for form in ("safetensors", "torchscript"):
        run.host_says("export", c, "--format", form)
    run.host_says("ckpt", "verify", c)


def options():
    rows = []
    add = lambda name, *words, **more: rows.append((name, lambda run: run.fit(*words, **more)))
    for name, network in NETWORKS.items():
        add(name, *network)
    for precision in PRECISIONS:
        for name in ("cnn", "resnet"):
            add(f"{name} {precision}", *NETWORKS[name], "--trainer.precision", precision)
    for optimizer in OPTIMIZERS:
        add(f"optimizer {optimizer}", *CNN, "--model.optimizer", optimizer)
        if optimizer != "lbfgs" and optimizer != "rprop":
            rows.append((f"{optimizer} as on the CPU", lambda run, o=optimizer: as_on_the_cpu(run, o)))
    rows.append(("sgd with all options as on the CPU", lambda run: as_on_the_cpu(run, "sgd", "--model.momentum", "0.9", "--model.weight_decay", "0.01")))
    add("clip by norm", *CNN, "--trainer.gradient_clip_val", "0.5")
    rows.append(("clip as on the CPU", lambda run: as_on_the_cpu(run, "adamw", "--trainer.gradient_clip_val", "0.1")))
    add("clip by value", *CNN, "--trainer.gradient_clip_val", "0.5", "--trainer.gradient_clip_algorithm", "value")
    add("accumulation", *CNN, "--trainer.accumulate_grad_batches", "3")
    for kind in ("simple", "advanced"):
        add(f"profiler {kind}", *CNN, "--trainer.profiler", kind)
    for name in ("deterministic", "benchmark", "detect_anomaly", "terminate_on_nan"):
        add(name, *CNN, f"--trainer.{name}", "true")
    for value in ("highest", "high", "medium"):
        add(f"matmul precision {value}", *MLP, "--trainer.float32_matmul_precision", value)
    add("gradient norms", *CNN, "--trainer.track_grad_norm", "2", "--trainer.log_every_n_steps", "1")
    bad = ["--model.lr", "1000000", "--model.momentum", "0.99"]
    add("skipped steps", *CNN, *bad, "--trainer.non_finite", "skip")
    add("a stop at NaN", *CNN, *bad, epochs=2, code=6)
    add("debug plugins", *CNN, "--debug-plugins")
    for callback in ("weight_averaging", "device_stats_monitor", "gpu_memory_monitor"):
        add(callback, *CNN, "--callback", callback, epochs=2)
    for finder in ("learning_rate_finder", "batch_size_finder"):
        add(finder, *CNN, "--callback", finder, command="tune")
    add("dp", *CNN, "--trainer.strategy", "dp", "--trainer.devices", "1")
    for strategy in ("ddp", "zero1"):
        add(f"{strategy} with NCCL", *CNN, "--trainer.strategy", strategy, "--trainer.devices", "1", "--trainer.process_group_backend", "nccl")
    for name, network in (("cnn", CNN), ("resnet", RESNET)):
        rows.append((f"{name} resumed", lambda run, n=network: resumed(run, *n)))
    rows.append(("adamw in 16-mixed resumed", lambda run: resumed(run, *CNN, "--model.optimizer", "adamw", "--trainer.precision", "16-mixed")))
    rows.append(("gpu, cpu, gpu", crossed))
    rows.append(("copies in pinned memory", copied))
    rows.append(("validate, test, predict, export", used))
    rows.append(("cnn captured", lambda run: captured(run, *CNN)))
    rows.append(("cnn adam captured, clipped", lambda run: captured(run, *CNN, "--model.optimizer", "adam", "--trainer.gradient_clip_val", "1")))
    rows.append(("resnet captured", lambda run: captured(run, *RESNET)))
    rows.append(("mlp captured", lambda run: captured(run, *MLP)))
    rows.append(("bf16-mixed captured", lambda run: captured(run, *CNN, "--trainer.precision", "bf16-mixed")))
    rows.append(("resumed captured", lambda run: resumed(run, *CNN, "--trainer.capture", "on")))
    rows.append(("skip, captured", lambda run: captured(run, *CNN, "--trainer.non_finite", "skip")))
    rows.append(("16-mixed is not captured", lambda run: captured(run, *CNN, "--trainer.precision", "16-mixed", silent=False, says="16-mixed changes")))
    rows.append(("the profiler is not captured", lambda run: captured(run, *CNN, "--trainer.profiler", "simple", silent=False, says="trainer.profiler")))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host")
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--only", default="")
    parser.add_argument("--logs")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    args = parser.parse_args()
    host = os.path.abspath(args.host)
    doctor = subprocess.run([host, "doctor"], text=True, capture_output=True).stdout
    if args.device == "gpu" and "cuda (" not in doctor:
        print("SKIPPED: LibTorch finds no GPU on this machine", file=sys.stderr)
        sys.exit(77)
    rows = [row for row in options() if args.only in row[0]]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        def outcome(i):
            name, function = rows[i]
            place = os.path.join(folder, str(i))
            os.mkdir(place)
            run = Runs(host, args.device, place)
            try:
                function(run)
                return name, "", run.text
            except Exception as e:  # the other rows go on
                return name, f"{type(e).__name__}: {e}", run.text
        results = list(pool.map(outcome, range(len(rows))))
    for name, failure, _ in results:
        print(f"{'FAILED' if failure else 'ok':7} {name:36} {failure[:220]}")
    if args.logs:
        with open(args.logs, "w") as file:
            for name, failure, text in results:
                file.write(f"######## {name}: {failure or 'ok'}\n{text}\n")
    failed = sum(1 for _, failure, _ in results if failure)
    print(f"{len(results)} rows, {failed} failed")
    sys.exit(1 if failed else 0)


main()
