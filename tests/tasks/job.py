"""One job of host tasks in a folder of its own, for the other files here."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time


engine_options = []  # of every job here


def processes_below(pid, name):
    """Process ids of the processes of a program that a process has started, or that these have started."""
    out = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                for child in file.read().split():
                    with open(f"/proc/{child}/cmdline") as line:
                        words = line.read().split("\0")
                    if os.path.basename(words[0]) == name or words[1:2] == [name]:
                        out.append(int(child))
                    out += processes_below(child, name)
    except (FileNotFoundError, ProcessLookupError):
        pass
    return out


class Job:
    def __init__(self, host, library, lines, *options):
        options = (*engine_options, *options)
        self.host, self.folder = host, tempfile.TemporaryDirectory()
        self.root, self.lines = self.folder.name, lines
        with open(self.root + "/tasks.txt", "w") as file:
            file.write("".join(line + "\n" for line in lines))
        self.calls = self.root + "/calls"
        self.first = ["--library", library, "--file", self.root + "/tasks.txt", "--default_root_dir", self.root,
                      "--tasks.calls", self.calls, *options]
        self.run = self.root + "/levin_logs/tasks_0"

    def command(self, *words):
        return [self.host, "tasks", *words]

    def start(self, *options):
        """Begins the job, or goes on with it."""
        begun, n = self.has_settings(), 0
        while not begun and os.path.exists(self.run):  # a driver that was killed before it wrote its settings has left the folder
            n += 1
            self.run = f"{self.root}/levin_logs/tasks_{n}"
        words = ["--resume", self.run] if begun else self.first
        return subprocess.Popen(self.command(*words, *options), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def has_settings(self):
        return subprocess.run(self.command("report", self.run), capture_output=True).returncode == 0

    def finish(self, *options, timeout=120):
        process = self.start(*options)
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err

    def report(self):
        done = subprocess.run(self.command("report", self.run, "--json"), text=True, capture_output=True, check=True)
        return json.loads(done.stdout)

    def output(self):
        with open(self.run + "/output") as file:
            return file.read().splitlines()

    def check_output(self, tasks=None):
        """Every task's result is there exactly once, in order."""
        expected = [f"{i} line {i + 1} result {i}" for i in range(len(self.lines))]
        got = self.output()
        assert got == expected, f"{len(got)} lines instead of {len(expected)}: {[l for l in got if l not in expected][:3]}"

    def sums(self):
        return len(open(self.calls).readlines()) if os.path.exists(self.calls) else 0

    def workers(self, driver):
        """Process ids of the driver's workers."""
        return processes_below(driver, "host-tasks-worker")

    def await_done(self, driver, count, seconds=60):
        """Waits until so many tasks are done."""
        end = time.time() + seconds
        while time.time() < end and driver.poll() is None:
            if self.has_settings() and self.report()["done"] >= count:
                return
            time.sleep(0.05)
        raise AssertionError(f"not {count} tasks are done; the driver's code is {driver.poll()}")


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def use_engine(name):
    if name == "nats":
        require_nats_server()
    engine_options[:] = ["--engine", name]


def require_nats_server():
    if not shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin"):
        print("SKIPPED: nats-server is not installed")
        sys.exit(77)


def run_all(names, *arguments):
    """Calls the functions test_* among names."""
    for name, test in sorted(names.items()):
        if name.startswith("test_"):
            begun = time.time()
            test(*arguments)
            print(f"{name[5:].replace('_', ' ')}: {time.time() - begun:.1f} s", flush=True)
