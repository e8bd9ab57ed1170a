"""Usage: jobs.py HOST LIBRARY LIBRARY_WITH_LIBTORCH [ENGINE [TEST]]. Jobs of host tasks, with tasks that fail in every way."""
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from job import Job, kill, run_all, use_engine


def test_a_job(host, library):
    job = Job(host, library, ["ok"] * 49 + ["ok infinite"] + ["heavy ok"] * 3)
    code, out, err = job.finish("--workers", "3")
    assert code == 0, err
    assert out.splitlines()[0] == job.run and out.splitlines()[-1] == job.run + "/output", out
    assert "tasks 53/53, 0 running, 0 failed" in out, out
    job.check_output()
    report = job.report()
    assert report["state"] == "done" and report["done"] == 53 and report["failed"] == 0, report
    assert {task["worker"].split("/")[-1] for task in report["tasks"]} <= {"1", "2", "3"}
    assert all(task["attempts"] == 1 for task in report["tasks"])
    table = subprocess.run(job.command("report", job.run), text=True, capture_output=True).stdout
    assert "53 done, 0 failed, 0 waiting" in table and "job      done, faults of " in table, table
    code, out, err = job.finish()  # goes on with a job that is done
    assert code == 0 and job.sums() == 1, (err, job.sums())


def test_faults_of_one_attempt(host, library):
    lines = ["ok", "once crash", "once exit", "once throw", "once hang", "ok"]
    job = Job(host, library, lines, "--time_limit", "1")
    code, out, err = job.finish("--workers", "2")
    assert code == 0, (out, err)
    job.check_output()
    attempts = [task["attempts"] for task in job.report()["tasks"]]
    assert attempts == [1, 2, 2, 2, 2, 1], attempts


def test_tasks_that_always_fail_are_set_aside(host, library):
    lines = ["ok", "crash", "throw", "exit", "large 3", "hang", "ok"]
    job = Job(host, library, lines, "--time_limit", "0.5", "--max_size", "2")
    code, out, err = job.finish("--workers", "2")
    assert code == 1 and "error[E0125]" in err and "5 of 7 tasks failed" in err and "host tasks --resume" in err, (code, err)
    assert not os.path.exists(job.run + "/output") and job.sums() == 0
    report = job.report()
    errors = [task["error"] for task in report["tasks"]]
    assert report["done"] == 2 and report["failed"] == 5
    for i, part in {1: "was killed by SIGSEGV", 2: "libtask_faults.so: faults.handle: this task throws", 3: "ended with exit code 7",
                    4: "has 3145728 bytes, more than the limit of 2097152: raise --max_size", 5: "did not end within 0.5 s"}.items():
        assert part in errors[i], errors[i]
        assert report["tasks"][i]["attempts"] == 3
    assert "its last line: libtask_faults.so: warning: about to crash" in errors[1], errors[1]
    assert "task 1 is set aside after 3 attempts: worker" in out, out
    code, _, err = job.finish("--max_size", "64")  # tries the failed ones again; one limit was the reason
    assert code == 1 and "4 of 7 tasks failed" in err, err
    assert job.report()["done"] == 3


def test_processes_of_a_lost_worker_end(host, library):
    seconds = [f"5000.{os.getpid()}{i}" for i in range(2)]
    job = Job(host, library, ["once child " + seconds[0], "once orphan " + seconds[1]], "--time_limit", "1")
    code, _, err = job.finish()
    assert code == 0 and [task["attempts"] for task in job.report()["tasks"]] == [2, 2], err
    left = subprocess.run(["ps", "-eo", "args"], text=True, capture_output=True, check=True).stdout
    assert not any("sleep " + s in left for s in seconds), "a process of a killed worker is still there"


def test_limits_of_memory(host, library):
    job = Job(host, library, ["ok", "memory 900", "ok"], "--memory", "400")
    code, _, err = job.finish("--attempts", "1")
    assert code == 1 and "1 of 3 tasks failed" in err, err
    assert "out of memory" in job.report()["tasks"][1]["error"], job.report()["tasks"][1]


def test_faults_of_read_and_sum(host, library):
    for kind, reason in (("throw", "this task throws"), ("crash", "SIGSEGV"), ("exit", "exit code 7")):
        for call in ("read", "sum"):
            job = Job(host, library, ["ok"] * 3, f"--tasks.{call}", kind)
            code, _, err = job.finish()
            assert code == 1 and reason in err and call + ": " in err, (code, err)
            assert not os.path.exists(job.run + "/output")
            assert job.report()["done"] == (3 if call == "sum" else 0)
    job = Job(host, library, [])
    code, _, err = job.finish()
    assert code == 4 and "has no tasks" in err, err


def test_tasks_run_where_their_needs_are_met(host, library):
    lines = ["needs gpus=1 alone {0}"] * 12 + ["needs gpus=2,cpus=2 alone {0}"] * 3 + ["ok", "needs memory=600 sleep 0.05"] * 4
    with tempfile.TemporaryDirectory() as folder:
        job = Job(host, library, [line.format(folder) for line in lines])
        code, out, err = job.finish("--workers", "4", "--gpus", "2", "--memory_total", "1000", "--attempts", "1")
        assert code == 0, (out, err, job.report()["tasks"])
    job.check_output()
    report = job.report()
    assert [task["needs"] for task in report["tasks"]][11:17] == ["gpus=1", "cpus=2 gpus=2", "cpus=2 gpus=2", "cpus=2 gpus=2", "", "memory=600"]


def test_a_task_with_cpus_has_as_many_threads(host, library):
    job = Job(host, library, ["needs cpus=3 threads"])
    code, out, err = job.finish("--workers", "1", "--cpus", "4")
    assert code == 0 and job.output() == ["0 line 1 3"], (out, err, job.output())


def test_tasks_that_no_worker_can_run_are_named(host, library):
    lines = ["ok", "needs gpus=1000 ok", "needs label=no_such_machine ok", "needs label=mine,cpus=2 ok", "ok"]
    job = Job(host, library, lines, "--gpus", "1", "--labels", "mine, other")
    begun = time.time()
    code, out, err = job.finish("--workers", "2")
    assert code == 1 and "2 of 5 tasks failed" in err and time.time() - begun < 30, (code, err)
    assert "task 1 (line 2) is set aside: this machine lacks 1000 gpus (it has 1)" in out, out
    assert "task 2 (line 3) is set aside: this machine lacks the label 'no_such_machine'" in out, out
    assert [task["state"] for task in job.report()["tasks"]] == ["done", "failed", "failed", "done", "done"]
    code, out, err = job.finish("--gpus", "1000", "--labels", "no_such_machine")  # the user says that it has them
    assert code == 0, (out, err)
    job.check_output()
    for line, part in (("needs label=a+b/c ok", "is no label"), ("needs label=" + "x" * 65 + " ok", "is no label")):
        job = Job(host, library, [line])
        code, _, err = job.finish()
        assert code == 1 and part in err, (code, err)
    job = Job(host, library, [f"needs memory={i} ok" for i in range(1, 80)])
    code, _, err = job.finish()
    assert code == 4 and "79 different needs" in err, (code, err)


def test_a_task_that_needs_much_is_not_passed_over(host, library):
    job = Job(host, library, ["sleep 0.3"] * 2 + ["needs cpus=2 ok"] + ["sleep 0.3"] * 20)
    driver = job.start("--workers", "2", "--cpus", "2")
    job.await_done(driver, 12)  # over NATS the driver knows after a second what workers have
    assert job.report()["tasks"][2]["state"] == "done", "tasks of one CPU have kept a task of two from starting"
    code = driver.wait(timeout=60)
    driver.communicate()
    assert code == 0
    job.check_output()


def test_a_lost_worker_gives_its_resources_back(host, library):
    with tempfile.TemporaryDirectory() as folder:
        job = Job(host, library, ["needs gpus=2 once crash", "needs gpus=1 once exit", f"needs gpus=2 alone {folder}"])
        code, out, err = job.finish("--workers", "3", "--gpus", "2")
    assert code == 0, (out, err)
    job.check_output()


def test_slow_tasks_run_twice(host, library):
    with tempfile.TemporaryDirectory() as folder:
        lines = ["ok"] * 6 + [f"first_slow {folder}/there"]
        job = Job(host, library, lines, "--speculative")
        begun = time.time()
        code, out, err = job.finish("--workers", "2", "--attempts", "1")
        assert code == 0 and time.time() - begun < 40, (time.time() - begun, out, err)
        job.check_output()
        assert [task["attempts"] for task in job.report()["tasks"]] == [1] * 7 and job.sums() == 1
        job = Job(host, library, ["ok"] * 3 + ["sleep 3", "sleep 3"], "--speculative")  # the second one changes nothing
        code, out, err = job.finish("--workers", "4", "--attempts", "1")
        assert code == 0 and "5/5" in out, (out, err)
        job.check_output()


def test_a_job_from_before_tasks_had_needs(host, library):
    job = Job(host, library, ["sleep 0.2"] * 10)
    driver = job.start("--workers", "1")
    job.await_done(driver, 2)
    driver.kill()
    driver.communicate()
    with sqlite3.connect(job.run + "/ledger.db") as ledger:
        ledger.execute("ALTER TABLE tasks DROP COLUMN needs")
    ledger.close()
    assert job.report()["all"] == 10
    code, out, err = job.finish("--workers", "4")
    assert code == 0, (out, err)
    job.check_output()


def test_ctrl_c(host, library):
    job = Job(host, library, ["sleep 0.3"] * 30)
    driver = job.start("--workers", "2")
    job.await_done(driver, 2)
    driver.send_signal(signal.SIGINT)
    out, err = driver.communicate(timeout=20)
    assert driver.returncode == 130, (driver.returncode, err)
    waits = re.search(r"waiting for ([012]) running tasks", out)  # 0 or 1 where a worker is between two tasks
    assert "go on with: host tasks --resume " in out and waits, out
    done = job.report()["done"]
    assert 2 + int(waits.group(1)) <= done < 30 and not job.report()["runs"], done
    table = subprocess.run(job.command("report", job.run), text=True, capture_output=True).stdout
    assert "job      stopped while running, " in table, table
    driver = job.start("--workers", "8")
    job.await_done(driver, done + 4)
    driver.send_signal(signal.SIGTERM)
    driver.communicate(timeout=20)
    assert driver.returncode == 75, driver.returncode
    code, _, err = job.finish("--workers", "8")
    assert code == 0, err
    job.check_output()
    assert job.sums() == 1


def test_two_drivers(host, library):
    job = Job(host, library, ["sleep 0.2"] * 20)
    driver = job.start("--workers", "2")
    job.await_done(driver, 1)
    assert job.report()["runs"]
    code, _, err = job.finish()
    assert code == 1 and "error[E0123]" in err and "another host tasks is running the job in" in err, (code, err)
    out, err = driver.communicate(timeout=60)
    assert driver.returncode == 0, err
    job.check_output()


def test_a_lost_worker_is_noticed_at_once(host, library):
    job = Job(host, library, ["sleep 1.5"] * 2)
    driver = job.start("--workers", "2")
    while len(job.workers(driver.pid)) < 2 or not job.has_settings():
        time.sleep(0.05)
    time.sleep(0.7)
    begun = time.time()
    kill(job.workers(driver.pid)[0])
    driver.communicate(timeout=30)
    seconds = time.time() - begun
    assert driver.returncode == 0 and seconds < 6, seconds
    job.check_output()
    assert sorted(task["attempts"] for task in job.report()["tasks"]) == [1, 2]


def test_a_killed_driver_leaves_no_process(host, library):
    job = Job(host, library, ["sleep 30"] * 2)
    driver = job.start("--workers", "2")
    while len(job.workers(driver.pid)) < 2:
        time.sleep(0.05)
    workers = job.workers(driver.pid)
    driver.kill()
    driver.communicate(timeout=20)
    end = time.time() + 5
    while time.time() < end and any(os.path.exists(f"/proc/{pid}") for pid in workers):
        time.sleep(0.05)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in workers)


def test_a_library_with_libtorch(host, _):
    job = Job(host, sys.argv[3], ["10", "100", "20"])
    job.first = [word for word in job.first if word not in ("--tasks.calls", job.calls)]
    code, out, err = job.finish("--workers", "2")
    assert code == 0, (out, err)
    assert job.output() == [f"{10 ** 3 + 100 ** 3 + 20 ** 3}.000000"], job.output()


def test_a_report_page(host, library):
    job = Job(host, library, ["ok", "sleep 0.1", "throw", "hostile"] + ["ok"] * 20)
    assert job.finish("--workers", "2", "--attempts", "2")[0] == 1
    page = job.root + "/page.html"

    def report(*words):
        return subprocess.run(job.command("report", job.run, *words), text=True, capture_output=True, timeout=60)

    assert report().stdout.startswith("job      failed, "), report()
    done = report("--output", page)
    assert (done.returncode, done.stdout.strip()) == (0, page), done
    with open(page, encoding="utf-8") as file:  # bytes that are not UTF-8 are not in it
        text = file.read()
    assert text.count("<svg") == 3 and text.count("<title>") == 4 and "Content-Security-Policy" in text
    assert "<script" not in text and "<img" not in text and "\x1b" not in text and "src=\"" not in text and "href" not in text
    for part in ("this task throws", "line 3", "Timeline", "tasks done", "&lt;script&gt;alert(1)&lt;/script&gt;",
                 "&lt;img src=x", "<th scope=\"row\">24</th><td>22</td><td>2</td>"):
        assert part in text, part
    assert "fill=\"#d62728\"" in text, "attempts that failed are in the timeline"
    done = report("--output", page)
    assert done.returncode == 2 and "exists" in done.stderr, done
    assert report("--output", page, "--force").returncode == 0
    for words, part in ((["--output", job.root + "/page.pdf"], "end with .html or .md"), (["--output", page, "--json"], "exclude"),
                        (["--output"], "output")):
        done = report(*words)
        assert done.returncode == 2 and part in done.stderr, done
    assert report("--output", job.root + "/page.md").returncode == 0
    with open(job.root + "/page.md", encoding="utf-8") as file:
        text = file.read()
    assert "| worker |" in text and text.count("<script") == text.count("\\<script") and "\x1b" not in text
    tasks = job.report()["tasks"]
    assert all(abs(time.time() - task["ended"]) < 60 for task in tasks), tasks


def test_a_report_on_an_older_ledger(host, library):
    job = Job(host, library, ["ok", "throw"])
    assert job.finish("--attempts", "1")[0] == 1
    ledger = sqlite3.connect(job.run + "/ledger.db")
    ledger.execute("ALTER TABLE tasks DROP COLUMN ended")
    ledger.commit()
    ledger.close()
    assert [task["ended"] for task in job.report()["tasks"]] == [0, 0]
    subprocess.run(job.command("report", job.run, "--output", job.root + "/page.html"), check=True, capture_output=True)
    assert job.finish("--attempts", "1")[0] == 1
    assert [task["ended"] > 0 for task in job.report()["tasks"]] == [False, True]


def test_bad_command_lines(host, library):
    job = Job(host, library, ["ok"])
    for words, code, part in (
            ([], 2, "no library is named"), (["--library", library], 2, "no file of tasks is named"),
            (["--library", library, "--file", "/no/such"], 2, "there is no file '/no/such'"),
            (job.first + ["--wrokers", "2"], 2, "there is no option --wrokers; did you mean 'workers'?"),
            (job.first + ["--workers", "x"], 2, "--workers"), (job.first + ["--tasks.sums", "ok"], 2, "sum"),
            (job.first + ["--tasks.sum", "bad"], 2, "one of: ok, throw, crash, exit"), (["report"], 2, "no run folder is named"),
            (["report", job.root], 2, "is no run of host tasks"), (["--resume", job.root], 2, "is no run of host tasks"),
            (["--library", "/bin/true", "--file", job.root + "/tasks.txt"], 3, "/bin/true"), (job.first + ["stray"], 2, "unexpected argument")):
        done = subprocess.run(job.command(*words), text=True, capture_output=True, timeout=60)
        assert done.returncode == code and part in done.stderr, (words, done.returncode, done.stderr)
    assert not os.path.exists(job.root + "/levin_logs"), "a refused command has made a folder"


use_engine(sys.argv[4] if len(sys.argv) > 4 else "local")
run_all({name: test for name, test in globals().items() if sys.argv[5:6] in ([], [name])}, *sys.argv[1:3])
