"""Usage: ledgers.py HOST LIBRARY [TEST]. Jobs whose ledger is in PostgreSQL: a server of this test's own, which is also killed."""
import glob
import json
import os
import pwd
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from job import Job, require_nats_server, run_all
from machines import Cluster, free_port


class Postgres:
    """A server in a folder of its own. It does not run as root."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="levin_pg_")
        self.user, self.port = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.getuid()).pw_name, free_port()
        if os.geteuid() == 0:
            shutil.chown(self.folder, self.user, self.user)
        self.data, self.process = self.folder + "/data", None
        subprocess.run(self.words("initdb", "-D", self.data, "-U", "levin", "-A", "trust", "--no-sync"), check=True, capture_output=True)
        self.url = f"postgresql://levin@127.0.0.1:{self.port}/postgres"
        self.start()

    def words(self, program, *words):
        change = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"] if os.geteuid() == 0 else []
        return [*change, server_program(program), *words]

    def start(self):
        self.process = subprocess.Popen(self.words("postgres", "-D", self.data, "-p", str(self.port), "-k", self.folder),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.time() + 30
        while subprocess.run([server_program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode != 0:
            assert time.time() < end, "the PostgreSQL server does not start"
            time.sleep(0.05)

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGQUIT)  # at once: it recovers at the next start
            self.process.wait()
            self.process = None

    def ask(self, sql):
        done = subprocess.run([server_program("psql"), "-X", "-A", "-t", self.url, "-c", sql], text=True, capture_output=True, check=True)
        return done.stdout.split()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def server_program(name):
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return found[-1] if found else shutil.which(name)


def schema(folder):
    return open(folder + "/ledger.url").read().split()[1]


def test_a_job_with_its_ledger_in_postgresql(host, library, server):
    job = Job(host, library, ["ok", "once throw", "heavy sleep 0.01", "ok"] * 10, "--ledger", server.url)
    code, _, err = job.finish()
    assert code == 0, err
    job.check_output()
    assert not os.path.exists(job.run + "/ledger.db") and job.sums() == 1
    assert server.ask(f"SELECT state, count(*) FROM {schema(job.run)}.tasks GROUP BY state") == ["1|40"]
    report = job.report()
    assert report["done"] == 40 and report["state"] == "done" and report["ledger"] == f"{server.url} {schema(job.run)}", report
    assert sum(task["attempts"] for task in report["tasks"]) == 50
    table = subprocess.run(job.command("report", job.run), text=True, capture_output=True, check=True).stdout
    assert f"ledger   {server.url} {schema(job.run)}" in table, table
    page = job.root + "/page.html"
    subprocess.run(job.command("report", job.run, "--output", page), check=True, capture_output=True)
    assert "40" in open(page).read()


def test_texts_that_are_no_texts_of_postgresql(host, library, server):
    job = Job(host, library, ["ok", "hostile", "ok infinite", "needs label=b ok", "needs label=a ok"], "--ledger", server.url, "--labels", "a,b", "--attempts", "1")
    code, _, err = job.finish()
    assert code == 1 and "1 of 5 tasks failed" in err, err
    tasks = job.report()["tasks"]
    assert tasks[1]["state"] == "failed" and "alert(1)" in tasks[1]["error"], tasks[1]
    assert [task["state"] for task in tasks].count("done") == 4, tasks


def test_kills_of_the_driver(host, library, server):
    job = Job(host, library, ["sleep 0.02"] * 400, "--ledger", server.url, "--attempts", "1000", "--workers", "3")
    starts = 0
    while True:
        driver = job.start()
        starts += 1
        try:
            driver.communicate(timeout=random.uniform(0.2, 1) if starts < 8 else 60)
            break
        except subprocess.TimeoutExpired:
            driver.kill()
            driver.communicate()
    assert driver.returncode == 0 and starts > 2, (driver.returncode, starts)
    job.check_output()
    assert job.sums() == 1


def test_a_driver_waits_for_the_end_of_the_last_one(host, library, server):
    job = Job(host, library, ["throw"], "--ledger", server.url, "--attempts", "1")
    assert job.finish()[0] == 1
    last = subprocess.Popen([server_program("psql"), "-X", server.url, "-c", f"SELECT pg_advisory_lock(hashtextextended('{schema(job.run)}', 0)), pg_sleep(3)"],
                            stdout=subprocess.DEVNULL)
    while server.ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") != ["1"]:
        time.sleep(0.05)
    driver = job.start()
    time.sleep(1)
    assert driver.poll() is None and last.wait(timeout=20) == 0, driver.poll()
    _, err = driver.communicate(timeout=60)
    assert driver.returncode == 1 and "1 of 1 tasks failed" in err, (driver.returncode, err)


def test_a_server_that_goes_away(host, library, server):
    job = Job(host, library, ["sleep 0.02"] * 200, "--ledger", server.url, "--workers", "2")
    driver = job.start()
    job.await_done(driver, 20)
    server.stop()
    _, err = driver.communicate(timeout=60)
    assert driver.returncode == 1 and f"the ledger {server.url} ({schema(job.run)}) cannot be read or written: " in err, err
    code, _, err = job.finish()
    assert code == 1 and "cannot be opened: " in err and "refused" in err, err
    done = subprocess.run(job.command("report", job.run), text=True, capture_output=True)
    assert done.returncode == 1 and "cannot be opened" in done.stderr, done
    server.start()
    code, _, err = job.finish()
    assert code == 0, err
    job.check_output()
    assert job.sums() == 1


def test_jobs_of_a_service(host, library, server):
    with Cluster(host, library) as cluster:
        service = cluster.serve(more=["--ledger", server.url])
        cluster.worker("one")
        jobs = [cluster.submit(["sleep 0.02"] * n) for n in (30, 31)]
        cluster.until(lambda: cluster.done(jobs[1]) > 3)
        service.kill()
        service.wait()
        service = cluster.serve()  # the jobs know where their ledgers are
        for job, n in zip(jobs, (30, 31)):
            cluster.check(job, n)
            folder = f"{cluster.root}/service/jobs/{job}"
            assert not os.path.exists(folder + "/ledger.db")
            assert server.ask(f"SELECT count(*) FROM {schema(folder)}.tasks WHERE state = 1") == [str(n)]
            assert json.loads(cluster.command("status", job, "--json"))["done"] == n
        error = cluster.command("submit", "--library", library, "--file", __file__, "--ledger", server.url, code=2)
        assert "--ledger belongs to host tasks serve" in error, error


def test_places_that_are_refused(host, library, server):
    def refused(code, part, *words):
        job = Job(host, library, ["ok"], *words)
        got, _, err = job.finish()
        assert got == code and part in err, (words, got, err)
        return job

    refused(2, "a URL such as postgresql://USER@HOST/DATABASE", "--ledger", "mysql://localhost/a")
    refused(2, "leave the password to ~/.pgpass", "--ledger", "postgresql://levin:secret@127.0.0.1/a")
    refused(2, "leave the password to ~/.pgpass", "--ledger", "postgresql://levin@127.0.0.1/a?password=secret")
    refused(2, "leave the password to ~/.pgpass", "--ledger", "postgresql://levin@127.0.0.1/a?sslpassword=secret")
    refused(2, "--ledger: ", "--ledger", "postgresql://levin@127.0.0.1/a?no_such_option=1")
    refused(1, 'database "none" does not exist', "--ledger", server.url.replace("/postgres", "/none"))
    job = Job(host, library, ["throw"], "--ledger", server.url, "--attempts", "1")
    job.finish()
    code, _, err = job.finish("--ledger", server.url)
    assert code == 2 and "--ledger cannot be changed with --resume" in err, err
    for text in ("", "postgresql://levin@127.0.0.1/a\nlevin_1;DROP\n", "postgresql://levin@127.0.0.1/a\n", "\0" * 100):
        with open(job.run + "/ledger.url", "w") as file:
            file.write(text)
        for words in (["--resume", job.run], ["report", job.run]):
            done = subprocess.run(job.command(*words), text=True, capture_output=True)
            assert done.returncode == 4 and done.stderr.count("\n") == 1 and "error[E0406]" in done.stderr and "is damaged" in done.stderr, (text, words, done)


if not server_program("initdb"):
    print("SKIPPED: the programs of PostgreSQL are not installed")
    sys.exit(77)
require_nats_server()
with Postgres() as its_server:
    run_all({name: test for name, test in globals().items() if sys.argv[3:4] in ([], [name])}, *sys.argv[1:3], its_server)
