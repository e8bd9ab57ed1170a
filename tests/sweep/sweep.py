"""Sweeps of a small model in a folder of their own."""
import json
import subprocess
import tempfile

SMALL = ["fit", "--model", "mlp", "--data", "synthetic", "--model.hidden=4", "--data.rows=64", "--data.val_rows=32",
         "--trainer.num_threads=1"]


class Sweeps:
    def __init__(self, host):
        self.host = host
        self.folder = tempfile.TemporaryDirectory(prefix="sweep")
        self.root = self.folder.name

    def path(self, number=0):
        return f"{self.root}/levin_logs/sweep_{number}"

    def command(self, *words):
        return [self.host, "sweep", *words]

    def start(self, *words, env=None):
        return subprocess.Popen(self.command(*words), cwd=self.root, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, *words):
        done = subprocess.run(self.command(*words), cwd=self.root, capture_output=True, text=True, timeout=200)
        return done.returncode, done.stdout, done.stderr

    def report(self, number=0):
        code, out, err = self.run("report", self.path(number), "--json")
        assert code == 0, err
        return json.loads(out)
