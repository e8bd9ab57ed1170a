"""Usage: predictions.py HOST SHARDS_LIBRARY LIBRARY SETS. The example that predicts for tar shards: the accuracy is that of host test, and
the predictions are the same with any number of workers."""
import csv
import subprocess
import sys
import tempfile

host, shards_library, library, sets = sys.argv[1:]


def run(*words):
    subprocess.run([host, *words], check=True, stdout=subprocess.DEVNULL, cwd=root.name)


root = tempfile.TemporaryDirectory()
with open(root.name + "/sets.txt", "w") as file:
    file.writelines(line for line in open(sets) if line.startswith("test "))
run("tasks", "--library", shards_library, "--file", "sets.txt", "--tasks.folder", "shards")
run("--model", "cnn", "--data", "mnist", "--data.mean", "0.286", "--data.std", "0.353", "--trainer.max_epochs", "1",
    "--data.batch_size", "100", "--trainer.limit_train_batches", "40", "--trainer.limit_val_batches", "5", "--trainer.limit_test_batches", "40")
with open(root.name + "/levin_logs/tasks_0/output") as file:
    first = file.readlines()[:4]
with open(root.name + "/first.txt", "w") as file:
    file.writelines(first)
with open(root.name + "/levin_logs/version_0/metrics.csv") as file:
    tested = [float(row["test_acc"]) for row in csv.DictReader(file) if row["test_acc"]][-1]
outputs = []
for workers in ("1", "2"):
    run("tasks", "--library", library, "--file", "first.txt", "--workers", workers, "--tasks.only", "test-",
        "--tasks.checkpoint", "levin_logs/version_0/checkpoints/last.ckpt")
    with open(f"{root.name}/levin_logs/tasks_{len(outputs) + 1}/output") as file:
        outputs.append(file.read().splitlines())
predicted = float(outputs[0][-1].split()[1])
print(f"{len(outputs[0]) - 1} images: accuracy {predicted}, host test {tested}")
assert len(outputs[0]) == 4001 and tested > 0.5
assert [line.split()[:3] for line in outputs[0]] == [line.split()[:3] for line in outputs[1]]
assert abs(predicted - tested) < 0.0005
