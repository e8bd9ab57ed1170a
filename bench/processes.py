#!/usr/bin/env python3
"""Measures training in several processes: the host against Python's DistributedDataParallel on the same LibTorch.

The same small CNN on Fashion-MNIST, 128 rows a process, SGD, one thread a process. Both sides take turns, and each
time is that of a step after the first epoch. Prints a table in Markdown; --out FILE writes it, too.

  processes.py BUILD [--processes 1,2,4] [--rounds 5] [--python /usr/bin/python3] [--out FILE]
"""
import argparse, csv, glob, json, os, statistics, subprocess, sys, tempfile, time

BATCH, BATCHES = 128, 100  # rows of a process, batches of an epoch

RIVAL = r'''
import os, sys, time, gzip, struct
import numpy, torch, torch.nn.functional as F
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
torch.set_num_threads(1)
rank, world, batch, batches = (int(v) for v in sys.argv[1:5])
def read(name):
    data = gzip.open("/usr/share/datasets/fashion-mnist/" + name).read()
    dims = struct.unpack(">%dI" % data[3], data[4:4 + 4 * data[3]])
    return numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * data[3]).reshape(dims)
x = torch.from_numpy(read("train-images-idx3-ubyte.gz").copy()).float().div(255).sub(0.1307).div(0.3081).unsqueeze(1)
y = torch.from_numpy(read("train-labels-idx1-ubyte.gz").copy()).long()
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
net = Net()
if world > 1:
    dist.init_process_group("gloo", init_method="file://" + sys.argv[5], rank=rank, world_size=world)
    net = DistributedDataParallel(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.5)
for epoch in range(3):
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(epoch))[rank::world]
    begin = time.perf_counter()
    for i in range(batches):
        rows = order[i * batch:(i + 1) * batch]
        loss = F.nll_loss(net(x[rows]), y[rows])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    seconds = time.perf_counter() - begin
if rank == 0:
    print(seconds / batches)
'''


def rival(python, processes, folder):
    meeting = os.path.join(folder, "meeting%d" % time.monotonic_ns())
    command = lambda rank: [python, "-c", RIVAL, str(rank), str(processes), str(BATCH), str(BATCHES), meeting]
    ranks = [subprocess.Popen(command(r), stdout=subprocess.PIPE, text=True) for r in range(processes)]
    out = [r.communicate()[0] for r in ranks]
    if any(r.returncode for r in ranks):
        sys.exit("Python's side failed")
    return float(out[0])


def host(build, processes, folder, *more):
    root = os.path.join(folder, "run%d" % time.monotonic_ns())
    command = [os.path.join(build, "bin", "host"), "fit", "--model", "cnn", "--data", "mnist", "--data.val_rows", "0",
               "--data.batch_size", str(BATCH), "--trainer.limit_train_batches", str(BATCHES), "--trainer.max_epochs",
               "3", "--trainer.num_threads", "1", "--trainer.devices", str(processes), "--trainer.default_root_dir",
               root, "--callback.model_checkpoint", "false", "--callback.early_stopping", "false",
               "--callback.throughput_monitor", "true", "--trainer.log_every_n_steps", str(BATCHES), "--quiet", *more]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    rows = list(csv.DictReader(open(glob.glob(root + "/levin_logs/version_0/metrics.csv")[0])))
    rates = [float(r["train/device/batches_per_sec"]) for r in rows if r.get("train/device/batches_per_sec")]
    return 1 / rates[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--processes", default="1,2,4")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--out")
    args = parser.parse_args()
    lines = ["| processes | host, ms a step | host without shared memory | Python DDP | rows a second, host |",
             "| --- | --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as folder:
        for n in (int(p) for p in args.processes.split(",")):
            sides = {"host": [], "gloo": [], "python": []}
            for _ in range(args.rounds):
                sides["host"].append(host(args.build, n, folder))
                sides["gloo"].append(host(args.build, n, folder, "--trainer.shared_memory", "off"))
                sides["python"].append(rival(args.python, n, folder))
            best = {k: 1000 * statistics.median(v) for k, v in sides.items()}
            lines.append("| %d | %.2f | %.2f | %.2f | %.0f |" % (n, best["host"], best["gloo"], best["python"],
                                                                 n * BATCH / best["host"] * 1000))
            print(lines[-1], flush=True)
    text = "\n".join(lines) + "\n"
    print(text)
    if args.out:
        open(args.out, "w").write(text)


main()
