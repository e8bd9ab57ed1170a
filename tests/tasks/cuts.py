"""Usage: cuts.py HOST LIBRARY [TEST]. Cables that are cut, with network namespaces as machines, and a disk that is full. Needs root."""
import json
import os
import subprocess
import sys
import time

from job import Job, require_nats_server, run_all
from machines import Cluster

WRONG = "02:00:00:00:00:99"  # nobody has this address of a network card: packets to it are lost without a word


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


class Machine:
    """A network namespace with a cable to the one of this process."""

    count = 0

    def __init__(self):
        Machine.count += 1
        n = Machine.count
        self.here, self.there, self.cable = f"10.99.{n}.1", f"10.99.{n}.2", f"cable{n}"
        self.process = subprocess.Popen(["unshare", "-n", "sleep", "1000"])
        self.on = ["nsenter", "-t", str(self.process.pid), "-n"]
        while os.readlink(f"/proc/{self.process.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
            time.sleep(0.01)
        run("ip", "link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", str(self.process.pid))
        run("ip", "address", "add", self.here + "/30", "dev", self.cable)
        run("ip", "link", "set", self.cable, "up")
        run(*self.on, "ip", "address", "add", self.there + "/30", "dev", "eth0")
        run(*self.on, "ip", "link", "set", "eth0", "up")
        run(*self.on, "ip", "link", "set", "lo", "up")

    def cut(self, direction):
        if direction in ("to the worker", "both"):
            run("ip", "neighbor", "replace", self.there, "lladdr", WRONG, "dev", self.cable, "nud", "permanent")
        if direction in ("from the worker", "both"):
            run(*self.on, "ip", "neighbor", "replace", self.here, "lladdr", WRONG, "dev", "eth0", "nud", "permanent")

    def heal(self):
        subprocess.run(["ip", "neighbor", "del", self.there, "dev", self.cable], capture_output=True)
        subprocess.run([*self.on, "ip", "neighbor", "del", self.here, "dev", "eth0"], capture_output=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        subprocess.run(["ip", "link", "del", self.cable], capture_output=True)


def cut_and_heal(host, library, direction):
    with Cluster(host, library, listen="0.0.0.0") as cluster, Machine() as first, Machine() as second:
        cluster.serve()

        def tasks():
            return json.loads(cluster.command("status", job, "--json"))["tasks"]

        cluster.worker("first", server=f"nats://{first.here}:{cluster.port}", on=first.on)
        job = cluster.submit(["sleep 1"] * 60, "--attempts", "10")
        cluster.until(lambda: cluster.done(job) >= 4)
        cluster.worker("second", server=f"nats://{second.here}:{cluster.port}", on=second.on)
        cluster.until(lambda: any(task["worker"].startswith("second") for task in tasks()))
        first.cut(direction)
        cut = time.time()
        given_out = max(task["index"] for task in tasks() if task["state"] == "done") + 5  # two workers of two slots
        # 5 s, the task itself, and the one that the worker had
        cluster.until(lambda: all(task["state"] == "done" for task in tasks()[:given_out]), 9)
        lost = [task for task in tasks()[:given_out] if task["attempts"] > 1]
        # A worker that cannot hear still sends the results of its tasks.
        assert lost or direction == "to the worker", tasks()
        assert all(task["worker"].startswith("second") for task in lost), lost
        time.sleep(max(0.0, cut + 8 - time.time()))
        first.heal()
        healed = time.time()
        cluster.until(lambda: any(task["worker"].startswith("first") and task["ended"] > healed for task in tasks()), 30)
        cluster.check(job, 60)
        calls = sum(task["attempts"] - 1 for task in tasks())
        ended = [f"{task['ended'] - cut:.1f} s" for task in lost]
        print(f"    {direction}: {calls} further attempts; lost tasks were done {', '.join(ended) or '(none)'} after the cut")


def test_a_cut_cable(host, library):
    for direction in ("both", "to the worker", "from the worker"):
        cut_and_heal(host, library, direction)


class Disk:
    def __init__(self, folder, size):
        self.folder = folder
        os.makedirs(folder)
        run("mount", "-t", "tmpfs", "-o", f"size={size}m", "levin-test", folder)

    def resize(self, size):
        run("mount", "-o", f"remount,size={size}m", self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        run("umount", "-l", self.folder)


def test_a_full_disk_of_a_job(host, library):
    job = Job(host, library, ["large 2"] * 10, "--workers", "2")
    with Disk(job.root + "/levin_logs", 12) as disk:
        code, out, err = job.finish()
        assert code == 1 and "No space left on device" in err + out, (code, out, err)
        assert job.report()["done"] < 10
        disk.resize(100)
        code, out, err = job.finish()
        assert code == 0 and job.sums() == 1, (code, out, err)
        assert [task["result_size"] for task in job.report()["tasks"]] == [2 << 20] * 10


def test_a_full_disk_of_the_server_of_a_job(host, library):
    job = Job(host, library, ["large 8"] * 6, "--workers", "2", "--engine", "nats")
    with Disk(job.root + "/levin_logs", 20) as disk:
        code, out, err = job.finish()
        assert code == 1 and ("the NATS server cannot store a result: " in err or "No space left on device" in err), (code, out, err)
        assert "make room" in err and "host tasks --resume" in err, err
        disk.resize(300)
        code, out, err = job.finish()
        assert code == 0 and job.sums() == 1, (code, out, err)


def fill(file):
    with open(file, "wb", buffering=0) as filler:
        try:
            while filler.write(bytes(4096)) == 4096:
                pass
        except OSError:
            pass


def test_a_full_disk_of_a_service(host, library):
    with Cluster(host, library) as cluster, Disk(cluster.root + "/service", 40) as disk:
        service = cluster.serve()
        cluster.worker("one")
        before = cluster.submit(["ok"] * 20)
        cluster.check(before, 20)

        def goes_on(job):
            """A job on a full disk has failed, or it waits for room."""
            end = time.time() + 90
            while cluster.state(job) != "done":
                assert time.time() < end, (cluster.command("status"), open(service.log).read())
                time.sleep(2)
                if cluster.state(job) == "failed":
                    cluster.command("retry", job)

        large = cluster.submit(["large 8"] * 10)  # more than the disk has
        cluster.until(lambda: cluster.state(large) == "failed" or "is full" in open(service.log).read())
        if cluster.state(large) == "failed":
            log = cluster.command("logs", large)
            assert "make room" in log, log
            assert "logs " + large in cluster.command("results", large, code=1)
        disk.resize(300)
        goes_on(large)
        assert len(cluster.command("results", large).splitlines()) == 10

        slow = cluster.submit(["sleep 0.1"] * 100)
        cluster.until(lambda: cluster.done(slow) > 2)
        fill(cluster.root + "/service/filler")
        cluster.until(lambda: "is full" in open(service.log).read())
        with open(cluster.root + "/new.txt", "w") as file:
            file.write("ok" * (32 << 20))  # more than what a job that fails makes free
        error = cluster.command("submit", "--library", library, "--file", cluster.root + "/new.txt", code=1)
        assert "No space left on device; make room" in error, error
        cluster.check(before, 20)
        os.remove(cluster.root + "/service/filler")
        goes_on(slow)
        cluster.check(slow, 100)
        cluster.check(cluster.submit(["ok"] * 30), 30)
        assert service.poll() is None


if sys.argv[4:5] != ["inside"]:
    require_nats_server()
    try_all = "ip link add cable0 type veth && mount -t tmpfs levin-test /mnt"
    tried = subprocess.run(["unshare", "-n", "-m", "sh", "-c", try_all], capture_output=True, text=True)
    if tried.returncode != 0:
        print("SKIPPED: networks and disks cannot be made here: " + tried.stderr.strip())
        sys.exit(77)
    words = [*sys.argv, *[""] * (4 - len(sys.argv)), "inside"]
    os.execvp("unshare", ["unshare", "-n", "-m", sys.executable, *words])
run("ip", "link", "set", "lo", "up")
run_all({name: test for name, test in globals().items() if sys.argv[3] in ("", name)}, *sys.argv[1:3])
