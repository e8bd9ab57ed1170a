"""Usage: trials.py HOST. host trial --json: another program says the values and reads the metric."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from sweep import SMALL

LONG = ["--max_epochs", "100000", "--callback.early_stopping.patience=1000000"]


class Trials:
    def __init__(self, host, *words):
        self.folder = tempfile.TemporaryDirectory(prefix="trial")
        self.process = subprocess.Popen([host, "trial", "--json", *words], cwd=self.folder.name, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def say(self, message):
        print(message if isinstance(message, str) else json.dumps(message), file=self.process.stdin, flush=True)

    def event(self):
        return json.loads(self.process.stdout.readline())

    def until(self, kind):
        while True:
            event = self.event()
            if event["event"] == kind:
                return event

    def ends(self):
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


def test_trials_one_after_another(host):
    trials = Trials(host, *SMALL, "--max_epochs", "2")
    runs = []
    for lr in (0.1, 1e-6):
        trials.say({"params": {"model.lr": lr, "data.batch_size": 16}})
        run = trials.event()
        assert run["event"] == "start", run
        values = [trials.event(), trials.event()]
        assert [(v["event"], v["epoch"]) for v in values] == [("value", 1), ("value", 2)], values
        end = trials.event()
        assert end["event"] == "end" and end["state"] == "complete" and end["run"] == run["run"], end
        assert end["value"] == min(v["value"] for v in values), (end, values)
        with open(run["run"] + "/config.json") as file:
            saved = json.load(file)
        assert saved["model"]["options"]["lr"] == lr, saved["model"]
        runs.append((run["run"], end["value"]))
    assert trials.ends()[0] == 0
    assert runs[0][0] != runs[1][0] and runs[0][1] < runs[1][1], runs


def test_stop_ends_the_running_trial_alone(host):
    trials = Trials(host, *SMALL, *LONG)
    trials.say({"stop": True})  # nothing runs
    trials.say({"params": {}})
    trials.until("value")
    trials.say({"stop": True})
    end = trials.until("end")
    assert end["state"] == "stopped" and end["value"] > 0 and os.listdir(end["run"] + "/checkpoints"), end
    trials.say({"params": {"max_epochs": 1}})  # contradicts the command
    end = trials.until("end")
    assert end["state"] == "failed" and "max_epochs" in end["error"] and end["run"] is None, end
    trials.say({"params": {}})
    trials.until("value")
    trials.process.send_signal(signal.SIGINT)
    end = trials.until("end")
    assert end["state"] == "stopped" and trials.ends()[0] == 130, end


def test_trials_die_with_their_program(host):
    trials = Trials(host, *SMALL, *LONG)
    trials.say({"params": {}})
    trials.until("value")
    trials.process.kill()
    trials.process.wait()
    for _ in range(200):
        left = subprocess.run(["pgrep", "-f", trials.folder.name], capture_output=True, text=True).stdout.split()
        if not left:
            return
        time.sleep(0.02)
    raise AssertionError(left)


def test_failures_and_refusals(host):
    trials = Trials(host, "--params", '{"model.lrr": 1}', *SMALL)
    code, out, _ = trials.ends()
    end = json.loads(out)
    assert code == 1 and end["state"] == "failed" and "did you mean 'lr'" in end["error"] and end["code"] == "E0204", out
    trials = Trials(host, "--params", '{"model.lr": 0.1}', "--metric", "val_los", "--mode", "min", *SMALL, "--max_epochs", "1")
    code, out, _ = trials.ends()
    end = json.loads(out.splitlines()[-1])
    assert code == 1 and "did you mean 'val_loss'" in end["error"], out
    for words, wanted in ((["--metric", "val_acc", *SMALL], "--mode max"), (["--mode", "least", *SMALL], "min or max"), ([], "missing"),
                          (["test", "--model", "mlp"], "missing"), (["--jsn", *SMALL], "did you mean '--json'"),
                          (["--params", "{", *SMALL], "--params"), (["--params", '{"--model.lr": 1}', *SMALL], "without dashes"),
                          (["--params", '{"log_version": "a"}', *SMALL], "chosen for each trial"), (["--params", "[]", *SMALL], "object")):
        code, out, err = Trials(host, *words).ends()
        assert code == 2 and wanted in err and not out, (words, code, out, err)
    for line, wanted in (("{", "line 1 of the input"), ("[]", 'has to be {"params"'), ('{"params": 1}', "object"),
                         ('{"params": {}, "x": 1}', "has to be"), ('{"stop": false}', "has to be"), ("x" * (2 << 20), "longer than 1 MiB")):
        trials = Trials(host, *SMALL)
        try:
            trials.say(line)
        except BrokenPipeError:
            pass
        code, _, err = trials.ends()
        assert code == 2 and wanted in err, (line[:50], code, err)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        begun = time.monotonic()
        test(sys.argv[1])
        print(f"{name}: {time.monotonic() - begun:.1f} s", flush=True)
