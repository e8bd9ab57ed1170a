"""Usage: kills.py HOST [--kills N]. A sweep whose processes are killed at random instants, and that goes on each time, ends
with the trials and the values of a sweep that was not killed."""
import glob
import os
import random
import signal
import sys
import time

from sweep import SMALL, Sweeps

WORDS = ["--param", "model.lr=log(1e-3,1e-1)", "--param", "data.batch_size=8,16", "--sampler", "random", "--trials", "5",
         "--workers", "2"]
FIT = SMALL + ["--max_epochs", "25", "--callback.early_stopping.patience=1000"]


def values(report):
    return {trial["number"]: (trial["value"], trial["params"]) for trial in report["list"]}


def completed(sweeps):
    report = sweeps.report()
    return {trial["number"]: trial["ended"] for trial in report["list"] if trial["state"] == "complete"}


def wait_for_epoch(process, sweep, begun):
    for _ in range(1000):
        if process.poll() is not None or any(os.path.getmtime(path) > begun for path in glob.glob(sweep + "/trial_*/metrics.csv")):
            return
        time.sleep(0.01)


def main(host, kills, seed):
    print(f"seed {seed}", flush=True)
    chance = random.Random(seed)
    whole, killed = Sweeps(host), Sweeps(host)
    code, out, err = whole.run(*WORDS, *FIT)
    assert code == 0, (out, err)
    words, before, done_kills = [*WORDS, *FIT], {}, 0
    while done_kills < kills:
        sweep = killed.start(*words)
        if chance.random() < 0.7:  # else also before the first epoch
            wait_for_epoch(sweep, killed.path(), time.time())
        time.sleep(chance.uniform(0.05, 0.8))
        sweep.send_signal(signal.SIGKILL)
        sweep.communicate()
        done_kills += 1
        if os.path.exists(killed.path() + "/study.journal") and os.path.exists(killed.path() + "/sweep.json"):
            words = ["--resume", killed.path()]
            now = completed(killed)
            assert all(now.get(number) == ended for number, ended in before.items()), "a finished trial was lost or ran again"
            before = now
        elif os.path.exists(killed.path()):
            killed = Sweeps(host)  # killed before it began
    code, out, err = killed.run(*words)
    assert code == 0, (out, err)
    report = killed.report()
    assert report["complete"] == 5 and len(report["list"]) == 5, report
    assert all(completed(killed)[number] == ended for number, ended in before.items())
    assert values(report) == values(whole.report()), (values(report), values(whole.report()))
    folders = sorted(name for name in os.listdir(killed.path()) if name.startswith("trial_"))
    assert folders == [f"trial_{i}" for i in range(5)], folders
    print(f"{done_kills} kills, {len(before)} trials complete before the last start, values equal")


given = sys.argv[2:]
main(sys.argv[1], int(given[given.index("--kills") + 1]) if "--kills" in given else 3,
     int(given[given.index("--seed") + 1]) if "--seed" in given else random.randrange(10**6))
