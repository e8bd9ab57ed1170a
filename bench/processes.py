#!/usr/bin/env python3
"""Measures training in several processes: the host against Python's DistributedDataParallel on the same LibTorch.

The same small CNN on Fashion-MNIST, 128 rows a process, SGD, one thread a process. The sides take turns within each round.
Measured are a step after the first epoch, without and with the host's shared memory, and the time from the command's start until
the test accuracy after an epoch is 0.87. Prints JSON for scripts/bench --rows processes.

  processes.py BUILD [--processes 1,2,4] [--rounds 5] [--quick] [--python /usr/bin/python3]
"""
import argparse, csv, glob, json, os, subprocess, sys, tempfile, time

from sides import compared

BATCH, BATCHES, EPOCHS = 128, 100, 2  # rows per process, batches per epoch, number of epochs (the last one is timed)
TARGET, MOST_EPOCHS = 0.87, 40

RIVAL = r'''
import os, sys, time, gzip, struct
import numpy, torch, torch.nn.functional as F
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
torch.set_num_threads(1)
torch.manual_seed(42)
rank, world, batch, batches, epochs = (int(v) for v in sys.argv[1:6])
target, meeting = float(sys.argv[6]), sys.argv[7]
def read(name):
    data = gzip.open("/usr/share/datasets/fashion-mnist/" + name).read()
    dims = struct.unpack(">%dI" % data[3], data[4:4 + 4 * data[3]])
    return numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * data[3]).reshape(dims)
def split(name):
    x = torch.from_numpy(read(name + "-images-idx3-ubyte.gz").copy()).float().div(255).sub(0.1307).div(0.3081).unsqueeze(1)
    return x, torch.from_numpy(read(name + "-labels-idx1-ubyte.gz").copy()).long()
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = torch.nn.Conv2d(1, 10, 5), torch.nn.BatchNorm2d(10)
        self.conv2, self.bn2 = torch.nn.Conv2d(10, 20, 5), torch.nn.BatchNorm2d(20)
        self.fc1, self.fc2 = torch.nn.Linear(320, 50), torch.nn.Linear(50, 10)
    def forward(self, x):
        x = x.to(memory_format=torch.channels_last)
        x = self.bn1(F.relu(F.max_pool2d(self.conv1(x), 2)))
        x = self.bn2(F.relu(F.max_pool2d(self.conv2(x), 2)))
        return F.log_softmax(self.fc2(F.relu(self.fc1(x.flatten(1)))), 1)
(x, y), (test_x, test_y) = split("train"), split("t10k")
net = model = Net()
if world > 1:
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=world)
    net = DistributedDataParallel(model)
def accuracy():
    model.eval()
    with torch.no_grad():
        right = sum((model(test_x[i:i + batch]).argmax(1) == test_y[i:i + batch]).sum()
                    for i in range(rank * batch, len(test_x), world * batch))
    model.train()
    if world > 1:
        dist.all_reduce(right)
    return right.item() / len(test_x)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01 * world, momentum=0.5)
for epoch in range(epochs):
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(epoch))[rank::world]
    begin, steps = time.perf_counter(), batches or len(order) // batch
    for i in range(steps):
        rows = order[i * batch:(i + 1) * batch]
        loss = F.nll_loss(net(x[rows]), y[rows])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    seconds = time.perf_counter() - begin
    if target and accuracy() >= target:
        break
if rank == 0:
    print(epoch + 1 if target else seconds / steps, flush=True)
if world > 1:
    dist.barrier()
    os._exit(0)  # threads of Gloo that are still there at an ordinary exit end some processes by std::terminate
'''


class Sides:
    def __init__(self, build, python, folder):
        self.build, self.python, self.folder, self.count = build, python, folder, 0

    def fresh(self, name):
        self.count += 1
        return os.path.join(self.folder, name + str(self.count))

    def rival(self, processes, batches, epochs, target):
        """What rank 0 prints, and the seconds of the whole command."""
        meeting, begin = self.fresh("meeting"), time.monotonic()
        words = [str(v) for v in (processes, BATCH, batches, epochs, target)] + [meeting]
        ranks = [subprocess.Popen([self.python, "-W", "ignore", "-c", RIVAL, str(r), *words], stdout=subprocess.PIPE, text=True)
                 for r in range(processes)]
        out = [r.communicate()[0] for r in ranks]
        seconds = time.monotonic() - begin
        if any(r.returncode for r in ranks):
            sys.exit("Python's side failed")
        return float(out[0]), seconds

    def host(self, processes, epochs, *more):
        """The rows of the run's metrics.csv, and the seconds of the whole command."""
        root, begin = self.fresh("run"), time.monotonic()
        command = [os.path.join(self.build, "bin", "host"), "fit", "--model", "cnn", "--data", "mnist", "--data.val_rows", "0",
                   "--model.lr", "0.01", "--model.momentum", "0.5", "--data.mean", "0.1307", "--data.std", "0.3081",
                   "--data.batch_size", str(BATCH), "--trainer.max_epochs", str(epochs), "--trainer.num_threads", "1",
                   "--trainer.devices", str(processes), "--trainer.scale_lr", "linear", "--trainer.default_root_dir", root,
                   "--callback.model_checkpoint", "false", "--quiet", *more]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - begin
        with open(glob.glob(root + "/levin_logs/version_0/metrics.csv")[0]) as file:
            return list(csv.DictReader(file)), seconds

    def host_step(self, processes, *more):
        rows, _ = self.host(processes, EPOCHS, "--trainer.limit_train_batches", str(BATCHES), "--trainer.log_every_n_steps",
                            str(BATCHES), "--callback", "throughput_monitor", "--callback.early_stopping", "false", *more)
        return 1 / [float(r["train/device/batches_per_sec"]) for r in rows if r.get("train/device/batches_per_sec")][-1]

    def host_to_target(self, processes):
        rows, seconds = self.host(processes, MOST_EPOCHS, "--data.validate_on_test", "true", "--callback.early_stopping.monitor",
                                  "val_acc", "--callback.early_stopping.mode", "max",
                                  "--callback.early_stopping.stopping_threshold", str(TARGET),
                                  "--callback.early_stopping.patience", str(MOST_EPOCHS))
        values = [float(r["val_acc"]) for r in rows if r.get("val_acc")]
        if values[-1] < TARGET:
            sys.exit("the host did not reach %g within %d epochs: %s" % (TARGET, MOST_EPOCHS, values))
        return len(values), seconds


def steps(sides, processes, rounds):
    def one(n):
        return {"host": {"wall": sides.host_step(n)},
                "gloo": {"wall": sides.host_step(n, "--trainer.shared_memory", "off")},
                "python": {"wall": sides.rival(n, BATCHES, EPOCHS, 0)[0]}}
    return [{"processes": n, **compared([one(n) for _ in range(rounds)], ["wall"])} for n in processes]


def to_target(sides, processes, rounds):
    def one(n):
        cost = {}
        for side, (epochs, seconds) in {"host": sides.host_to_target(n),
                                        "python": sides.rival(n, 0, MOST_EPOCHS, TARGET)}.items():
            cost[side] = {"wall": seconds, "epochs": epochs}
        return cost
    return [{"processes": n, **compared([one(n) for _ in range(rounds)], ["wall"])} for n in processes]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--processes", default="1,2,4")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one round of steps")
    parser.add_argument("--python", default="/usr/bin/python3")
    args = parser.parse_args()
    processes, rounds = [int(p) for p in args.processes.split(",")], 1 if args.quick else args.rounds
    with tempfile.TemporaryDirectory() as folder:
        sides = Sides(args.build, args.python, folder)
        result = {"batch": BATCH, "target": TARGET, "steps": steps(sides, processes, rounds),
                  "to_target": [] if args.quick else to_target(sides, processes, max(1, rounds - 2))}
    print(json.dumps(result))


main()
