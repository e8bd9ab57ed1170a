"""Usage: slurm_jobs.py HOST LIBRARY. Jobs whose workers SLURM places, in the cluster that SLURM_CONF names (slurm_test.cpp)."""
import os
import shutil
import subprocess
import sys
import time

from job import Job, kill, run_all

os.environ["LEVIN_HEARTBEAT_TIMEOUT"] = "2"  # the default is 15 s
FILES = ("--engine", "slurm_files", "--workers", "3")


def workers_of(job):
    """Process ids of the workers that SLURM has started for a job by files."""
    out = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as line:
                words = line.read().split("\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if "files-worker" in words and any(word.startswith(job.root) for word in words):
            out.append(int(pid))
    return out


def check(job, code_out_err):
    code, out, err = code_out_err
    assert code == 0, (out, err)
    job.check_output()
    assert job.sums() == 1


def test_workers_by_files(host, library):
    job = Job(host, library, ["sleep 0.03"] * 60 + ["once throw", "once crash"], *FILES)
    check(job, job.finish())
    assert len({task["worker"] for task in job.report()["tasks"]}) >= 2
    assert not os.path.exists(job.run + "/exchange"), "files of the job are left"


def test_workers_over_nats(host, library):
    if not shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin"):
        return print("SKIPPED: nats-server is not installed")
    job = Job(host, library, ["sleep 0.03"] * 60 + ["once throw"], "--engine", "slurm", "--workers", "3", "--listen", "127.0.0.1:0")
    check(job, job.finish())
    assert len({task["worker"] for task in job.report()["tasks"]}) >= 2


def test_a_lost_worker(host, library):
    job = Job(host, library, ["sleep 0.3"] * 20, *FILES)
    driver = job.start()
    job.await_done(driver, 3)
    kill(workers_of(job)[0])
    out, err = driver.communicate(timeout=60)
    check(job, (driver.returncode, out, err))
    assert sum(task["attempts"] > 1 for task in job.report()["tasks"]) <= 1


def test_a_killed_driver_goes_on(host, library):
    job = Job(host, library, ["sleep 0.1"] * 40, *FILES)
    driver = job.start()
    job.await_done(driver, 10)
    driver.kill()
    driver.communicate()
    time.sleep(0.5)  # its workers go on
    done = job.report()["done"]
    check(job, job.finish())
    assert 10 <= done < 40 and all(task["attempts"] == 1 for task in job.report()["tasks"])


def test_cancelled_workers_are_submitted_again(host, library):
    job = Job(host, library, ["sleep 0.2"] * 30, *FILES)
    driver = job.start()
    job.await_done(driver, 5)
    subprocess.run(["scancel", "-u", "root"], check=True)
    out, err = driver.communicate(timeout=60)
    check(job, (driver.returncode, out, err))


def test_what_workers_have(host, library):
    job = Job(host, library, ["needs cpus=2,memory=100 ok", "ok", "needs cpus=3 ok", "needs gpus=1 ok"], "--engine", "slurm_files",
              "--workers", "1", "--cpus", "2", "--memory_total", "200")
    code, out, err = job.finish()
    assert code == 1, (out, err)
    tasks = job.report()["tasks"]
    assert [task["state"] for task in tasks] == ["done", "done", "failed", "failed"], tasks
    assert "a worker of SLURM lacks 3 cpus (it has 2)" in tasks[2]["error"] and "lacks 1 gpus (it has 0)" in tasks[3]["error"], tasks


def test_refusals(host, library):
    job = Job(host, library, ["ok"])
    for words, part in ((["--engine", "slurm_files"], "--workers N says"), (["--engine", "slurm", "--workers", "2"], "--listen HOST:PORT"),
                        (["--sbatch", "time=1"], "belong to --engine slurm"), ([*FILES, "--server", "nats://127.0.0.1:1"], "exclude each other"),
                        ([*FILES, "--speculative"], "is not possible with"),
                        ([*FILES, "--sbatch", "array=1-3"], "host tasks sets it itself"), ([*FILES, "--sbatch", "-p"], "by its long name")):
        done = subprocess.run(job.command(*job.first, *words), text=True, capture_output=True, timeout=60)
        assert done.returncode == 2 and part in done.stderr, (words, done.stderr)
    done = subprocess.run(job.command(*job.first, *FILES, "--sbatch", "partition=nowhere"), text=True, capture_output=True, timeout=60)
    assert done.returncode == 1 and "invalid partition" in done.stderr, done.stderr
    done = subprocess.run(job.command(*job.first, *FILES), text=True, capture_output=True, timeout=60, env={**os.environ, "PATH": "/nowhere"})
    assert done.returncode == 2 and "no program sbatch in PATH" in done.stderr, done.stderr


run_all(globals(), *sys.argv[1:3])
