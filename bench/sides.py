"""The sides of a comparison: processes of the host, a hand-written LibTorch loop, a plain Python loop and Lightning."""

import json, os, random, select, statistics, subprocess, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PYTHON_FILES = os.path.join(ROOT, "bench", "python")
IMAGES = "/usr/share/datasets/fashion-mnist"


def interval(values):
    """The median and the bounds of its 95 % bootstrap interval."""
    draw = random.Random(0)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(2000))
    return [statistics.median(values), medians[49], medians[1949]]


class Skipped(Exception):
    """A row or a side that cannot be measured here, and why."""


class Side:
    """A process that runs an epoch when it is told (turns.hpp, python/turns.py)."""
    def __init__(self, command, env):
        self.folder = tempfile.TemporaryDirectory(prefix="levin-bench-")
        folder = self.folder.name
        for name in ("go", "done"):
            os.mkfifo(f"{folder}/{name}")
        self.go, self.answers = (os.open(f"{folder}/{name}", os.O_RDWR) for name in ("go", "done"))
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([word.replace("FOLDER", folder) for word in command], env=env, cwd=folder,
                                        stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)

    def epoch(self):
        os.write(self.go, b"go\n")
        answer = b""
        while not answer.endswith(b"\n"):
            if select.select([self.answers], [], [], 0.2)[0]:
                answer += os.read(self.answers, 4096)
            elif self.process.poll() is not None:
                self.output.seek(0)
                lines = self.output.read().strip().splitlines() or ["no output"]
                raise Skipped(f"ended with {self.process.returncode}: {lines[-1]}")
        return json.loads(answer)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.go)
        os.close(self.answers)
        self.folder.cleanup()


class Bench:
    def __init__(self, build, python, rounds, quick):
        self.build, self.python, self.rounds, self.quick = os.path.abspath(build), python, rounds, quick
        self.host, self.plugin = f"{self.build}/bin/host", f"{self.build}/bench/libbench_plugin.so"
        self.saves = f"{self.build}/bench/libbench_saves.so"
        self.work = tempfile.TemporaryDirectory(prefix="levin-bench-")
        self.out = os.path.join(self.work.name, "out.json")
        self.missing = {}
        self.levin = " ".join(self.text_of([self.host, "--version"]).split())
        self.versions = {"levin": self.levin,
                         "python": self.version("python", "-c", "import torch; print(torch.__version__)"),
                         "lightning": self.version("lightning", f"{PYTHON_FILES}/lightning_loop.py")}

    def version(self, side, *words):
        """The version of Python's torch, or of Lightning, where it can be imported and is on the host's LibTorch."""
        done = subprocess.run([self.python, "-W", "ignore", *words], env=self.env(1), capture_output=True, text=True)
        lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines() or ["no output"]
        if done.returncode:
            self.missing[side] = lines[-1]
        elif side == "python" and f"LibTorch {'.'.join(lines[-1].split('.')[:2])})" not in self.levin:
            self.missing[side] = f"torch {lines[-1]} of {self.python} is not the host's LibTorch"
        elif side == "lightning" and "python" in self.missing:
            self.missing[side] = self.missing["python"]
        return f"NOT MEASURED ({self.missing[side]})" if side in self.missing else lines[-1]

    def env(self, threads):
        path = f"{ROOT}/.cache/lightning:{os.environ.get('PYTHONPATH', '')}"
        return {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}

    def program(self, name):
        path = f"{self.build}/bench/bench-{name}"
        if not os.path.exists(path):
            raise Skipped(f"{path} was not built")
        return path

    def text_of(self, command, threads=1):
        done = subprocess.run(command, env=self.env(threads), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        if done.returncode:
            raise Skipped(f"{' '.join(command)} ended with {done.returncode}: {done.stdout.strip()[-2000:]}")
        return done.stdout

    def json_of(self, command, threads=1):
        return json.loads(self.text_of(command, threads))

    def written_by(self, command):
        """The JSON that the command writes into self.out, with the time at which the command was started."""
        began = time.monotonic()
        self.text_of(command)
        with open(self.out) as file:
            result = json.load(file)
        os.remove(self.out)
        return {**result, "began": began}

    def fit(self, threads, epochs, *more):
        barebones = [] if "--logger" in more else ["--trainer.barebones", "true"]
        return [self.host, "fit", "--trainer.num_threads", f"{threads}", "--trainer.accelerator", "cpu",
                "--trainer.max_epochs", f"{epochs}", "--default_root_dir", self.work.name, *barebones, *more]

    def workload(self, name, batch, batches):
        return ["--model", self.plugin, "--model.workload", name, "--data", self.plugin, "--data.workload", name,
                "--data.rows", f"{batch * batches}", "--data.batch_size", f"{batch}", "--data.shuffle", "false"]

    def python_loop(self, *words):
        return [self.python, "-W", "ignore", f"{PYTHON_FILES}/loop.py", *(str(w) for w in words)]


def mirrored(names, rounds, measure):
    """Results of the rounds by name, in the order A B C, C B A, ..."""
    results = []
    for i in range(rounds):
        results.append({name: measure(name) for name in (names if i % 2 == 0 else names[::-1])})
    return results


def compared(rounds, clocks=("cpu", "wall")):
    """Medians of each side, and of its quotients by the host in the same round."""
    sides = {side: {key: statistics.median(r[side][key] for r in rounds) for key in rounds[0][side]}
             for side in rounds[0]}
    ratios = {side: {clock: interval([r[side][clock] / r["host"][clock] for r in rounds]) for clock in clocks}
              for side in sides if side != "host"}
    return {"rounds": len(rounds), "sides": sides, "ratios": ratios}
