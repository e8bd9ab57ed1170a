"""Usage: slurm_kills.py HOST LIBRARY slurm|slurm_files [KILLS [SEED]]. By hand, in the cluster that SLURM_CONF names, on this machine: kills
processes of a job at random instants, resumes it until it is done, and requires every result once."""
import os
import random
import signal
import subprocess
import sys
import time

from job import Job, kill, processes_below

host, library, engine = sys.argv[1:4]
kills = int(sys.argv[4]) if len(sys.argv) > 4 else 30
seed = int(sys.argv[5]) if len(sys.argv) > 5 else int(time.time())
random.seed(seed)
os.environ["LEVIN_HEARTBEAT_TIMEOUT"] = "3"
tasks = 120 * kills
options = ["--listen", "127.0.0.1:0"] if engine == "slurm" else []
job = Job(host, library, [f"sleep {random.uniform(0, 0.04):.4f}" for _ in range(tasks)], "--attempts", "1000", "--engine", engine,
          "--workers", "4", *options)


def workers():
    """Process ids of the job's workers that SLURM has started."""
    word = "worker" if engine == "slurm" else "files-worker"
    out = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as line:
                words = line.read().split("\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if word in words and any(one.startswith(job.root) for one in words):
            out.append(int(pid))
    return out


def hit(what, driver):
    """Returns false if there is nothing of this kind."""
    found = workers()
    computing = [child for worker in found for child in processes_below(worker, "host-tasks-worker")]
    victims = {"a process": computing, "a worker": found, "a stopped worker": found, "all": found + computing,
               "the NATS server": processes_below(driver.pid, "nats-server")}.get(what, [])
    if what == "every SLURM job":
        subprocess.run(["scancel", f"--user={os.getuid()}"], check=True)
    elif what in ("the driver", "all"):
        for pid in victims:
            kill(pid)
        driver.kill()
    elif not victims:
        return False
    elif what == "a stopped worker":
        victim = random.choice(victims)
        kill(victim, signal.SIGSTOP)
        time.sleep(3.5)  # it is lost, and then goes on
        kill(victim, signal.SIGCONT)
    else:
        kill(random.choice(victims))
    return True


odds = {"a process": 6, "a worker": 4, "a stopped worker": 2, "the driver": 3, "every SLURM job": 1, "all": 1}
if engine == "slurm":
    odds["the NATS server"] = 3
done, starts, begun = dict.fromkeys(odds, 0), 0, time.time()
while True:
    running = job.start()
    starts += 1
    while sum(done.values()) < kills and running.poll() is None:
        time.sleep(random.uniform(0, 1.2))
        kind = random.choices(list(odds), list(odds.values()))[0]
        if running.poll() is None and hit(kind, running):
            done[kind] += 1
    stdout, stderr = running.communicate(timeout=200)
    if running.returncode == 0:
        break
    assert running.returncode in (-9, 137), (running.returncode, stdout, stderr)
job.check_output()
assert job.sums() == 1, f"sum has run {job.sums()} times"
again = sum(task["attempts"] > 1 for task in job.report()["tasks"])
print(f"--seed {seed}: {tasks} tasks, {sum(done.values())} kills ({', '.join(f'{n} of {w}' for w, n in done.items())}), {starts} starts of the driver, "
      f"{again} tasks took more than one attempt, {time.time() - begun:.0f} s: every result exactly once, one sum")
