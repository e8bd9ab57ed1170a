"""Usage: engine.py HOST. Trials as tasks of workers of a NATS server, also when the sweep or a worker is killed."""
import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

from sweep import SMALL, Sweeps

sys.path.append(os.path.join(os.path.dirname(__file__), "../tasks"))
from machines import Certificates

GRID = ["--param", "model.lr=0.1,0.01,0.001", "--sampler", "grid", "--workers", "2"]


class Cluster(Sweeps):
    def __init__(self, host, tls=False):
        super().__init__(host)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.server, self.token, self.processes = f"nats://127.0.0.1:{self.port}", self.root + "/service/nats/user_token", []
        self.certificate = Certificates(self.root).own("server") if tls else []
        self.tls = ["--tls_ca", self.root + "/ca.pem"] if tls else []
        if tls:
            self.server = self.server.replace("nats:", "tls:")
        self.remote = ["--server", self.server, "--token_file", "service/nats/user_token", *self.tls]

    def __enter__(self):
        self.begin("serve", "--listen", f"127.0.0.1:{self.port}", "--folder", self.root + "/service", "--allow", "any", *self.certificate)
        self.until(lambda: os.path.exists(self.token.replace("user_", "worker_")))
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(timeout=60)

    def begin(self, *words):
        with open(f"{self.root}/process_{len(self.processes)}.txt", "w") as log:
            self.processes.append(subprocess.Popen([self.host, "tasks", *words], stdout=log, stderr=log))
        return self.processes[-1]

    def worker(self, name):
        return self.begin("worker", "--server", self.server, "--token_file", self.token.replace("user_", "worker_"), "--workers", "2", "--name", name,
                          "--folder", f"{self.root}/worker_{name}", "--allow", "any", *self.tls)

    def until(self, holds):
        end = time.time() + 60
        while not holds():
            assert time.time() < end, [open(log).read() for log in glob.glob(self.root + "/process_*.txt")]
            time.sleep(0.05)

    def log(self, trial):
        with open(f"{self.path()}/trial_{trial}/log.txt") as file:
            return file.read()


def values(report):
    return {trial["number"]: (trial["state"], trial["value"], trial["params"]) for trial in report["list"]}


def test_the_values_are_those_of_one_machine(host):
    with Cluster(host) as cluster:
        cluster.worker("a")
        asha = [*GRID, "--scheduler", "asha"]
        code, out, err = cluster.run(*asha, *cluster.remote, *SMALL, "--max_epochs", "3")
        assert code == 0, (out, err)
        remote = cluster.report()
        assert remote["complete"] == 1 and remote["pruned"] == 2, remote
        assert "resumes from" in cluster.log(remote["best"])  # the promoted trial
        here = Sweeps(host)
        code, out, err = here.run(*asha, *SMALL, "--max_epochs", "3")
        assert code == 0 and values(here.report()) == values(remote), (values(here.report()), values(remote))
        code, out, err = cluster.run(*GRID, "--metric", "nothing", "--mode", "min", *cluster.remote, *SMALL, "--max_epochs", "1")
        assert code == 1 and "has logged no 'nothing'" in cluster.report(1)["list"][0]["error"], (out, err)


def test_an_encrypted_connection(host):
    with Cluster(host, tls=True) as cluster:
        cluster.worker("a")
        plain = ["--server", cluster.server.replace("tls:", "nats:"), "--token_file", "service/nats/user_token"]
        code, out, err = cluster.run(*GRID, *plain, *SMALL, "--max_epochs", "1")
        assert code == 1 and "asks for TLS: write --server tls://" in err, (code, out, err)
        code, out, err = cluster.run("--resume", cluster.path(), "--server", cluster.server, *cluster.tls)
        assert code == 0 and cluster.report()["complete"] == 3, (code, out, err)


def test_kills(host):
    with Cluster(host) as cluster:
        worker = cluster.worker("a")
        fit = [*SMALL, "--max_epochs", "300", "--callback.early_stopping.patience=100000"]
        sweep = cluster.start(*GRID, *cluster.remote, *fit)
        begun = [f"{cluster.path()}/trial_{n}/metrics.csv" for n in (0, 1)]
        cluster.until(lambda: all(map(os.path.exists, begun)))
        sweep.kill()  # the trials go on
        sweep.communicate()
        cluster.until(lambda: os.path.getsize(begun[0]) > 3000)
        worker.kill()  # the next worker resumes them
        worker.wait()
        sweep = cluster.start("--resume", cluster.path())
        time.sleep(0.5)
        sweep.send_signal(signal.SIGINT)
        out, _ = sweep.communicate(timeout=60)
        assert sweep.returncode == 130, out
        cluster.worker("b")
        code, out, err = cluster.run("--resume", cluster.path())
        assert code == 0, (out, err)
        report = cluster.report()
        assert report["complete"] == 3 and report["failed"] == 0, report
        assert "resumes from" in cluster.log(0) + cluster.log(1)
        here = Sweeps(host)
        code, out, err = here.run(*GRID, *fit)
        assert code == 0 and values(here.report()) == values(report), (values(here.report()), values(report))


def test_failures(host):
    with Cluster(host) as cluster:
        fit = [*SMALL, "--max_epochs", "1"]
        wrong = ["--server", cluster.server, "--token_file", "wrong"]
        with open(cluster.root + "/wrong", "w") as file:
            file.write("wrong\n")
        code, out, err = cluster.run(*GRID, *wrong, *fit)
        assert code == 1 and "refuses the token" in err and "go on with host sweep --resume" in err, (code, out, err)
        assert cluster.report()["failed"] == 0, cluster.report()
        cluster.worker("a")
        code, out, err = cluster.run("--resume", cluster.path(), "--token_file", "service/nats/user_token")
        assert code == 0 and cluster.report()["complete"] == 3, (code, out, err)
        kill = ["--callback", "shell_command", "--callback.shell_command.command", "kill -9 $PPID"]
        code, out, err = cluster.run("--param", "model.lr=0.1,0.2", "--sampler", "grid", *cluster.remote, *fit, *kill)
        report = cluster.report(1)
        assert code == 1 and [t["state"] for t in report["list"]] == ["failed"] * 2, (code, out, err)
        assert "killed by SIGKILL" in report["list"][0]["error"], report["list"]
        plugins = os.path.join(os.path.dirname(host), "../tests/plugins_for_tests")
        code, out, err = cluster.run(*GRID, *cluster.remote, *fit, "--plugins", plugins, "--logger", "near", "--logger.near.key=x")
        assert code == 2 and "--logger.near.key is a secret" in err, (code, out, err)


def main(host):
    if not shutil.which("nats-server") and not os.path.exists("/usr/sbin/nats-server"):
        print("SKIPPED: there is no nats-server: install Debian's nats-server")
        return 77
    for name, test in list(globals().items()):
        if name.startswith("test_") and sys.argv[2:] in ([], [name]):
            begun = time.monotonic()
            test(host)
            print(f"{name}: {time.monotonic() - begun:.1f} s", flush=True)
    return 0


sys.exit(main(sys.argv[1]))
