"""Usage: kills.py HOST LIBRARY [--engine NAME] [--kills N] [--seed N] [--tasks N]. Kills workers, the driver, the NATS server and the
program that starts the workers, or all of them at random instants, and goes on with the job until it is done. Prints what was killed and how soon lost tasks ran again; fails unless every result is there
exactly once and sum has run once."""
import argparse
import random
import signal
import sys
import time

from job import Job, kill, processes_below, use_engine


def main():
    words = argparse.ArgumentParser()
    words.add_argument("host")
    words.add_argument("library")
    words.add_argument("--engine", default="local")
    words.add_argument("--kills", type=int, default=20)
    words.add_argument("--seed", type=int, default=int(time.time()))
    words.add_argument("--tasks", type=int)
    given = words.parse_args()
    random.seed(given.seed)
    print(f"--seed {given.seed}", flush=True)
    use_engine(given.engine)
    tasks = given.tasks or 120 * given.kills
    job = Job(given.host, given.library, [f"sleep {random.uniform(0, 0.04):.4f}" for _ in range(tasks)], "--attempts", "1000")
    left, starts, seconds = given.kills, 0, time.time()
    killed = {"a worker": 0, "a stopped worker": 0, "the driver": 0, "all": 0}
    odds = [6, 1, 2, 1]
    if given.engine == "nats":
        killed.update({"the NATS server": 0, "host tasks worker": 0})
        odds += [2, 2]
    while True:
        driver = job.start("--workers", "3")
        starts += 1
        while left > 0 and driver.poll() is None:
            time.sleep(random.uniform(0, 0.5))
            workers = job.workers(driver.pid)
            servers, starters = processes_below(driver.pid, "nats-server"), processes_below(driver.pid, "worker")
            what = random.choices(list(killed), odds)[0]
            victims = {"the NATS server": servers, "host tasks worker": starters, "all": workers + servers + starters,
                       "the driver": []}.get(what, random.sample(workers, min(1, len(workers))))
            if not victims and what != "the driver" or driver.poll() is not None:
                continue
            if what == "a stopped worker":
                kill(victims[0], signal.SIGSTOP)
                time.sleep(0.2)
            for pid in victims:
                kill(pid)
            if what in ("all", "the driver"):
                driver.kill()
            killed[what] += 1
            left -= 1
        out, err = driver.communicate(timeout=100)
        if driver.returncode == 0 and left <= 0:
            break
        if driver.returncode == 0:
            print(f"the job was done before {left} kills: more tasks, please", flush=True)
            return 1
        read_was_killed = driver.returncode == 1 and "read: worker 0 was killed by SIGKILL" in err
        assert driver.returncode in (-9, 137) or read_was_killed, (driver.returncode, out, err)
    job.check_output()
    assert job.sums() == 1, f"sum has run {job.sums()} times"
    report = job.report()
    assert report["done"] == tasks and report["failed"] == 0
    again = sum(task["attempts"] > 1 for task in report["tasks"])
    print(f"{tasks} tasks, {sum(killed.values())} kills ({', '.join(f'{n} of {w}' for w, n in killed.items())}), {starts} starts of the "
          f"driver, {again} tasks took more than one attempt, {time.time() - seconds:.1f} s: every result exactly once, one sum")
    return 0


sys.exit(main())
