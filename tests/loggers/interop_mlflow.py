"""Reads what the logger wrote with MLflow's own client: from a file store, and from a real server that is killed while a run
trains and comes back. usage: interop_mlflow.py PROBE HOST"""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter

os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"  # MLflow 3.7 and later read a file store only with it
os.environ["no_proxy"] = "127.0.0.1"
os.environ["GIT_PYTHON_REFRESH"] = "quiet"
from mlflow import MlflowClient

PROBE, HOST = map(os.path.abspath, sys.argv[1:])
UID = "0123456789abcdef0123456789abcdef"


def expect(got, want, what=""):
    if got != want:
        sys.exit(f"{what}: got {got!r}, expected {want!r}")


def files_of(client, run_id, path=None):
    for entry in client.list_artifacts(run_id, path):
        if entry.is_dir:
            yield from files_of(client, run_id, entry.path)
        else:
            yield entry.path


def only_run(client, experiment):
    runs = client.search_runs([client.get_experiment_by_name(experiment).experiment_id])
    expect(len(runs), 1, "runs")
    return runs[0]


def steps_of(client, run, name):
    history = client.get_metric_history(run.info.run_id, name)
    steps = Counter(metric.step for metric in history)
    expect(set(steps.values()), {1}, f"values of a step of {name}")
    expect(all(metric.timestamp > 1_600_000_000_000 for metric in history), True, "time")
    return steps


def expect_probe(client):
    run = only_run(client, 'probe "1"')
    expect((run.info.status, run.info.run_name), ("FINISHED", 'first "try"'))
    expect(run.data.params, {"model.lr": "0.1", "model.width": "64"})
    expect((run.data.tags["vision"], run.data.tags["size"]), ("true", "small"))
    expect((run.data.metrics["train/loss"], run.data.metrics["acc_top 1"], run.data.metrics["acc_top 1_2"]), (2618.0, 0.5, 0.25))
    expect((run.data.metrics["odd"] != run.data.metrics["odd"], run.data.metrics["inf"] > 1e300), (True, True))
    expect(len(steps_of(client, run, "train/loss")), 1310)
    expect(sorted(files_of(client, run.info.run_id)), ["checkpoints/best.ckpt", "images/picture-3.png", "notes.txt",
                                                       "tables/a.csv", "tables/deep/b.csv", "texts/note-3.txt"])


class Server:
    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder, self.uri = folder, f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        log = open(self.folder + "/server.log", "a")
        command = [sys.executable, "-m", "mlflow", "server", "--port", str(self.port), "--workers", "1",
                   "--backend-store-uri", f"sqlite:///{self.folder}/mlflow.db", "--artifacts-destination", self.folder + "/files"]
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, start_new_session=True)
        for _ in range(240):
            time.sleep(0.5)
            try:
                return urllib.request.urlopen(self.uri + "/health", timeout=5).read()
            except OSError:
                continue
        sys.exit("MLflow's server does not answer:\n" + open(self.folder + "/server.log").read()[-2000:])

    def kill(self):
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def fit(folder, uri, *more):
    """Starts a run of 20,000 steps that logs each of them, which takes some seconds."""
    command = [HOST, "fit", "--model", "mlp", "--data", "synthetic", "--data.rows", "320000", "--data.batch_size", "32",
               "--max_epochs", "2", "--log_every_n_steps", "1", "--logger", "mlflow", "--logger.mlflow.tracking_uri", uri,
               "--logger.mlflow.log_model", "best", "--callback", "progress_bar=false", "--default_root_dir", folder, *more]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)


def wait_for(condition, what):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    sys.exit("this did not happen: " + what)


def size_of(path):
    return os.path.getsize(path) if os.path.exists(path) else 0


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([PROBE, folder, folder + "/mlruns", "success"], check=True, stdout=subprocess.DEVNULL)
    expect_probe(MlflowClient(folder + "/mlruns"))
    print("MLflow reads the file store")

    server = Server(folder)
    try:
        client = MlflowClient(server.uri)
        os.mkdir(folder + "/probe")
        subprocess.run([PROBE, folder + "/probe", server.uri, "success"], check=True, stdout=subprocess.DEVNULL)
        expect_probe(client)
        print("MLflow's server has the run")

        run = fit(folder, server.uri)
        spool = folder + "/levin_logs/version_0/mlflow/spool.jsonl"
        wait_for(lambda: size_of(spool) > 20_000, "the run logs")
        server.kill()
        before = size_of(spool)
        wait_for(lambda: size_of(spool) > before, "the run goes on without the server")
        os.killpg(run.pid, signal.SIGSTOP)  # so that it does not end before the server is back
        server.start()
        os.killpg(run.pid, signal.SIGCONT)
        said = run.communicate(timeout=200)[0]
        expect(run.returncode, 0, said)
        if "lacks the last" in said:  # it ended before the server was back
            subprocess.run([HOST, "resume", folder + "/levin_logs/version_0"], check=True, capture_output=True)
        found = only_run(client, "levin_logs")
        expect((found.info.status, found.data.params["data.rows"]), ("FINISHED", "320000"), said)
        expect(len(steps_of(client, found, "train_loss")), 20000)
        expect([path for path in files_of(client, found.info.run_id) if path.endswith(".ckpt")] != [], True)
        print("MLflow's server has the run during which it was killed")
    finally:
        server.kill()
