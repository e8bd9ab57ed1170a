"""Usage: compare.py BUILD [--rounds N] [--sizes 2,1000,...] [--workers 1,2,4]. Tasks that do nothing, by host tasks (local, nats), gearmand
and a pool of processes (Python's multiprocessing): tasks a second by size, memory, and how soon the task of a killed worker runs again."""
import argparse
import json
import multiprocessing
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import threading
import time

COUNTS = {2: 20000, 1000: 20000, 100_000: 2000, 1_000_000: 300, 10_000_000: 40}
GEARMAN_COUNTS = {1_000_000: 20, 10_000_000: 4}  # it takes seconds for each


def children(pid):
    out = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                for child in map(int, file.read().split()):
                    out += [child] + children(child)
    except OSError:
        pass
    return out


def name_and_memory(pid):
    """The program and its largest resident set in MB."""
    try:
        with open(f"/proc/{pid}/status") as file:
            text = file.read()
        with open(f"/proc/{pid}/cmdline") as file:
            words = file.read().split("\0")
    except OSError:
        return None
    peak = re.search(r"VmHWM:\s+(\d+)", text)
    word = "worker" if words[1:2] == ["worker"] else ""
    return (os.path.basename(words[0]) + (" " + word if word else ""), int(peak[1]) / 1000) if peak else None


class Memory(threading.Thread):
    """The largest memory of each program below a process, while it runs."""

    def __init__(self, roots):
        super().__init__(daemon=True)
        self.roots, self.peaks, self.ended = roots, {}, False
        self.start()

    def run(self):
        while not self.ended:
            for root in self.roots:
                for pid in [root] + children(root):
                    found = name_and_memory(pid)
                    if found:
                        self.peaks[found[0]] = max(self.peaks.get(found[0], 0), found[1])
            time.sleep(0.05)


class HostTasks:
    def __init__(self, build, engine):
        self.build, self.engine = build, engine
        self.name = f"host tasks, {engine}"

    def start(self, workers, count, size, seconds, folder):
        with open(folder + "/tasks", "w") as file:
            file.write(f"{count} {size} {seconds}")
        return subprocess.Popen([self.build + "/bin/host", "tasks", "--library", self.build + "/bench/libbench_tasks.so", "--file", folder + "/tasks",
                                 "--engine", self.engine, "--workers", str(workers), "--default_root_dir", folder],
                                text=True, stdout=subprocess.PIPE)

    def run(self, workers, count, size, seconds="0"):
        """Tasks a second while they are handled, and the memory of each program."""
        with tempfile.TemporaryDirectory() as folder:
            job = self.start(workers, count, size, seconds, folder)
            memory = Memory([job.pid])
            out = job.communicate()[0]
            memory.ended = True
            assert job.returncode == 0, out
            rate = float(re.findall(r"failed, ([0-9.]+)/s", out)[-1])
            return rate, memory.peaks

    def recovery(self):
        """Seconds until the task of a killed process begins again; a worker is free."""
        with tempfile.TemporaryDirectory() as folder:
            job = self.start(3, 2, 2, "3", folder)
            time.sleep(2)
            busy = [pid for pid in children(job.pid) if (name_and_memory(pid) or ("",))[0] == "host-tasks-worker"]
            victim = busy[0]
            os.kill(victim, signal.SIGKILL)
            killed = time.time()
            assert job.wait() == 0
            report = json.loads(subprocess.run([self.build + "/bin/host", "tasks", "report", folder + "/levin_logs/tasks_0", "--json"],
                                               text=True, capture_output=True, check=True).stdout)
            with open(folder + "/levin_logs/tasks_0/output") as file:
                began = [float(line.split()[0]) for line in file]
            again = [began[task["index"]] for task in report["tasks"] if task["attempts"] > 1]
            assert len(again) == 1, again
            return again[0] - killed


class Gearman:
    name = "gearmand"

    def __init__(self, build):
        self.program = build + "/bench/bench-gearman"

    def begin(self, workers):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = str(free.getsockname()[1])
        gearmand = shutil.which("gearmand", path=os.environ["PATH"] + ":/usr/sbin")
        self.server = subprocess.Popen([gearmand, "--listen", "127.0.0.1", "--port", self.port, "--log-file", "none", "--threads", "2"])
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", int(self.port))).close()
                break
            except OSError:
                time.sleep(0.05)
        self.workers = [subprocess.Popen([self.program, "worker", self.port], stderr=subprocess.DEVNULL) for _ in range(workers)]

    def end(self):
        for process in self.workers + [self.server]:
            process.kill()
            process.wait()

    @staticmethod
    def begun(pid):
        """Returns true if the process sleeps in a task and not in poll."""
        with open(f"/proc/{pid}/syscall") as file:
            return file.read().split()[0] in ("230", "35")  # clock_nanosleep, nanosleep

    def client(self, count, size, seconds):
        return subprocess.Popen([self.program, "client", self.port, str(count), str(size), seconds], text=True, stdout=subprocess.PIPE)

    def run(self, workers, count, size, seconds="0"):
        self.begin(workers)
        try:
            client = self.client(count, size, seconds)
            memory = Memory([self.server.pid, client.pid] + [worker.pid for worker in self.workers])
            out = client.communicate()[0].splitlines()
            memory.ended = True
            assert client.returncode == 0 and len(out) == count + 1
            return count / float(out[0]), memory.peaks
        finally:
            self.end()

    def recovery(self):
        self.begin(3)
        try:
            client = self.client(2, 2, "3")
            time.sleep(2)
            busy = [worker for worker in self.workers if self.begun(worker.pid)]
            busy[0].kill()
            killed = time.time()
            lines = client.communicate()[0].splitlines()[1:]
            assert client.returncode == 0 and len(lines) == 2
            return max(float(line.split()[0]) for line in lines) - killed
        finally:
            self.end()


def echo(data):
    return f"{time.time()} {len(data)}"


class Pool:
    name = "multiprocessing.Pool"

    def run(self, workers, count, size, seconds="0"):
        with multiprocessing.Pool(workers) as pool:
            pool.map(echo, [b"x"] * workers)
            memory = Memory([os.getpid()])
            data, begin = b"x" * size, time.time()
            for _ in pool.imap_unordered(echo, (data for _ in range(count))):
                pass
            rate = count / (time.time() - begin)
            memory.ended = True
        return rate, memory.peaks


def main():
    words = argparse.ArgumentParser()
    words.add_argument("build")
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--sizes", default="2,1000,100000,1000000,10000000")
    words.add_argument("--workers", default="1,2,4")
    given = words.parse_args()
    build = os.path.abspath(given.build)
    sides = [HostTasks(build, "local"), HostTasks(build, "nats"), Gearman(build), Pool()]
    for size in map(int, given.sizes.split(",")):
        for workers in map(int, given.workers.split(",")):
            rates, memory = {side.name: [] for side in sides}, {}
            for _ in range(given.rounds):
                for side in sides:
                    counts = {**COUNTS, **GEARMAN_COUNTS} if isinstance(side, Gearman) else COUNTS
                    rate, peaks = side.run(workers, counts.get(size, 1000), size)
                    rates[side.name].append(rate)
                    memory[side.name] = peaks
            for side in sides:
                rate = statistics.median(rates[side.name])
                peaks = ", ".join(f"{name} {peak:.0f}" for name, peak in sorted(memory[side.name].items()))
                print(f"{size} bytes, {workers} workers, {side.name}: {rate:.0f} tasks a second, {1e6 / rate:.0f} us a task; MB: {peaks}", flush=True)
    for side in sides[:3]:
        seconds = [side.recovery() for _ in range(given.rounds)]
        print(f"{side.name}: the task of a killed process runs again after {', '.join(f'{one:.2f}' for one in seconds)} s", flush=True)


main()
