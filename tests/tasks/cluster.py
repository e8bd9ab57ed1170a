"""Usage: cluster.py HOST LIBRARY [TEST]. Jobs over a NATS server, its workers, and the service that takes jobs of many users."""
import hashlib
import json
import os
import pwd
import signal
import subprocess
import sys
import time

from job import Job, kill, processes_below, require_nats_server, run_all
from machines import Certificates, Cluster
from nats_client import Client


def test_workers_before_and_after_the_service(host, library):
    with Cluster(host, library) as cluster:
        os.makedirs(cluster.root + "/service/nats", mode=0o700)
        with open(cluster.worker_token, "w") as token:
            token.write("worker:abc\n")
        cluster.worker("early")
        cluster.serve()
        job = cluster.submit(["sleep 0.05"] * 100)
        cluster.until(lambda: cluster.done(job) > 2)
        cluster.worker("late")
        cluster.check(job, 100)
        table = cluster.command("status", job)
        assert "early/1" in table and "late/1" in table, table
        assert "tasks 100/100" in cluster.command("logs", job)


def test_a_lost_machine(host, library):
    with Cluster(host, library) as cluster:
        cluster.serve()
        first = cluster.worker("first")
        job = cluster.submit(["sleep 1"] * 6)
        cluster.until(lambda: cluster.done(job) >= 2)
        cluster.worker("second")
        time.sleep(0.3)
        begun = time.time()
        first.kill()
        cluster.check(job, 6)
        seconds = time.time() - begun
        assert seconds < 9, seconds  # its tasks begin on the other within 5 s
        attempts = [line for line in cluster.command("status", job).splitlines() if "more than one attempt" in line][0]
        assert "2 took more than one attempt" in attempts, attempts


def test_the_same_job_twice(host, library):
    with Cluster(host, library) as cluster:
        cluster.serve()
        cluster.worker("one")
        calls = cluster.root + "/calls"
        options = ["--tasks.calls", calls]
        job = cluster.submit(["sleep 0.02"] * 40, *options)
        assert cluster.submit(["sleep 0.02"] * 40, *options) == job
        cluster.check(job, 40)
        assert cluster.submit(["sleep 0.02"] * 40, *options, name="other_name.txt") == job
        other = cluster.submit(["sleep 0.02"] * 41, *options)
        assert other != job
        cluster.check(other, 41)
        assert open(calls).read() == "sum\nsum\n"


def test_the_service_is_killed_and_goes_on(host, library):
    with Cluster(host, library) as cluster:
        service = cluster.serve()
        cluster.worker("one")
        job = cluster.submit(["sleep 0.05"] * 120, "--attempts", "10")
        for count in (10, 40):
            cluster.until(lambda: cluster.done(job) > count)
            service.kill()
            service.wait()
            cluster.until(lambda: not processes_of(cluster.root + "/service/nats/nats.conf"))
            service = cluster.serve()
        cluster.check(job, 120)
        service.send_signal(signal.SIGTERM)
        assert service.wait(timeout=20) == 75
        cluster.serve()
        cluster.check(job, 120)


def processes_of(text):
    out = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as line:
                out += [int(pid)] if text in line.read() else []
        except OSError:
            pass
    return out


def test_the_nats_server_is_killed(host, library):
    with Cluster(host, library) as cluster:
        service = cluster.serve()
        cluster.worker("one")
        job = cluster.submit(["sleep 0.05"] * 100, "--attempts", "10")
        for count in (10, 40):
            cluster.until(lambda: cluster.done(job) > count)
            kill(processes_below(service.pid, "nats-server")[0])
        cluster.check(job, 100)


def test_streams_that_hand_out_nothing(host, library):
    """As after kills of the server, when it has lost a stream, messages, or what a consumer has handed out."""
    with Cluster(host, library) as cluster:
        cluster.serve()
        client = Client(cluster.port, cluster.nats + "/service_token")

        def streams():
            return set(client.jetstream("STREAM.NAMES")["streams"] or [])

        def replace_consumer(stream, subject, **config):
            config = {"durable_name": "task", "ack_policy": "explicit", "filter_subject": f"levin.job.{stream.split('_')[1]}.{subject}", **config}
            client.jetstream(f"CONSUMER.DELETE.{stream}.task")
            client.jetstream(f"CONSUMER.DURABLE.CREATE.{stream}.task", stream_name=stream, config=config)

        jobs, broken = [], []
        for i in range(3):
            jobs.append(cluster.submit(["sleep 0.05"] * (60 + i)))
            cluster.until(lambda: len(streams()) > i)
            broken += streams() - set(broken)
        cluster.worker("one")
        cluster.until(lambda: min(cluster.done(job) for job in jobs) > 5)
        client.jetstream(f"STREAM.DELETE.{broken[0]}")
        replace_consumer(broken[1], "nothing")
        replace_consumer(broken[2], "task", ack_wait=3600 * 10**9)
        client.request(f"$JS.API.CONSUMER.MSG.NEXT.{broken[2]}.task", b'{"batch": 1000, "no_wait": true}')
        cluster.until(lambda: not streams() & set(broken))
        for i, job in enumerate(jobs):
            cluster.check(job, 60 + i)
            tasks = json.loads(cluster.command("status", job, "--json"))["tasks"]
            assert all(task["attempts"] == 1 for task in tasks), tasks


def test_ten_jobs_side_by_side(host, library):
    with Cluster(host, library) as cluster:
        cluster.serve()
        cluster.worker("one")
        jobs = [cluster.submit(["sleep 0.01"] * (200 + i)) for i in range(10)]
        cluster.until(lambda: min(cluster.done(job) for job in jobs) > 5)
        assert max(cluster.done(job) for job in jobs) < 200, "one job has taken the workers from the others"
        for i, job in enumerate(jobs):
            cluster.check(job, 200 + i)


def test_workers_get_tasks_whose_needs_they_meet(host, library):
    with Cluster(host, library) as cluster:
        cluster.serve()
        cluster.worker("plain")
        job = cluster.submit(["ok"] * 5 + ["needs label=fast,gpus=1 ok"] * 4 + ["needs cpus=1000 ok"])
        cluster.until(lambda: cluster.done(job) == 5)
        cluster.worker("fast", "--labels", "fast", "--gpus", "1")
        cluster.until(lambda: cluster.done(job) == 9)
        table = cluster.command("status", job)
        assert "worker   fast/" in table and "plain/" in table, table
        cluster.until(lambda: "task 9 (line 10) cannot run: no worker has what it needs; fast lacks 1000 cpus" in cluster.command("logs", job), 20)
        cluster.until(lambda: "waiting after 0 attempts: no worker has what it needs" in cluster.command("status", job), 5)
        cluster.worker("large", "--cpus", "1000")
        cluster.check(job, 10)


def test_a_worker_that_drops_privileges(host, library):
    if os.geteuid() != 0:
        print("a worker that drops privileges: SKIPPED, this user is not root")
        return
    with Cluster(host, library) as cluster:
        for user, part in (("root", "is root itself"), ("no_such_user", "there is no user")):
            bad = cluster.worker("bad", "--user", user, token=__file__)
            assert bad.wait(timeout=20) == 2 and part in open(bad.log).read(), open(bad.log).read()
        cluster.serve()
        os.chmod(cluster.root, 0o755)
        worker = cluster.worker("one", "--user", "nobody")
        nobody = pwd.getpwnam("nobody")
        job = cluster.submit(["user"] * 2 + ["memory 900"], "--memory", "400", "--attempts", "1")
        cluster.until(lambda: cluster.state(job) == "failed")
        assert "out of memory" in cluster.command("logs", job), cluster.command("logs", job)
        got = cluster.command("results", cluster.submit(["user"]), "--wait")
        assert got == f"0 line 1 {nobody.pw_uid} {nobody.pw_gid} {nobody.pw_dir}\n", got
        slow = cluster.submit(["once hang"], "--time_limit", "1")
        cluster.check(slow, 1)
        last = cluster.submit(["sleep 30"])
        cluster.until(lambda: processes_below(worker.pid, "host-tasks-worker") and cluster.state(last) == "running")
        children = processes_below(worker.pid, "host-tasks-worker")
        worker.kill()
        cluster.until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in children), 5)


def test_reports_of_a_running_job_are_whole(host, library):
    with Cluster(host, library) as cluster:
        cluster.serve()
        cluster.worker("one")
        job = cluster.submit(["sleep 0.001"] * 6000)  # reports of several messages
        cluster.until(lambda: cluster.done(job) > 0)
        while cluster.state(job) != "done":
            assert len(json.loads(cluster.command("status", job, "--json"))["tasks"]) == 6000
        cluster.check(job, 6000)


def test_priority(host, library):
    with Cluster(host, library) as cluster:
        cluster.serve()
        cluster.worker("one")
        low = cluster.submit(["sleep 0.05"] * 200)
        cluster.until(lambda: cluster.done(low) > 5)
        high = cluster.submit(["sleep 0.05"] * 60, "--priority", "5")
        cluster.check(high, 60)
        assert cluster.done(low) < 100, cluster.done(low)
        cluster.check(low, 200)


def test_cancel_and_retry(host, library):
    with Cluster(host, library) as cluster:
        cluster.serve()
        cluster.worker("one")
        job = cluster.submit(["sleep 0.1"] * 20 + ["sleep 60"])
        cluster.until(lambda: cluster.done(job) > 2)
        cluster.command("cancel", job)
        cluster.until(lambda: cluster.state(job) == "cancelled")
        assert "it is cancelled" in cluster.command("results", job, code=1)
        bad = cluster.submit(["ok"] * 5 + ["throw"])
        cluster.until(lambda: cluster.state(bad) == "failed")
        assert "this task throws" in cluster.command("logs", bad)
        assert "this task throws" in cluster.command("status", bad)
        cluster.command("retry", bad)
        cluster.until(lambda: cluster.command("logs", bad).count("1 of 6 tasks failed") == 2)
        good = cluster.submit(["ok"] * 10)  # the worker is free again
        cluster.check(good, 10)
        assert "can be retried" in cluster.command("retry", good, code=2)


def test_libraries_that_are_not_allowed(host, library):
    with Cluster(host, library) as cluster:
        cluster.serve()
        cluster.worker("strict", allow="0" * 64)
        cluster.worker("open", allow=hashlib.sha256(open(library, "rb").read()).hexdigest())
        job = cluster.submit(["sleep 0.02"] * 30)
        cluster.check(job, 30)
        table = cluster.command("status", job)
        assert "open/1" in table and "strict" not in table, table
        cluster.until(lambda: "worker strict cannot use the library" in cluster.command("logs", job), 5)
    with Cluster(host, library) as cluster:
        cluster.serve("0" * 64)
        error = subprocess.run([host, "tasks", "submit", "--library", library, "--file", __file__, "--server", cluster.server,
                                "--token_file", cluster.token], text=True, capture_output=True)
        assert error.returncode == 3 and "error[E0318]" in error.stderr and "is not allowed" in error.stderr, error


def test_a_wrong_token(host, library):
    with Cluster(host, library) as cluster:
        cluster.serve()
        wrong = cluster.root + "/wrong"
        with open(wrong, "w") as file:
            file.write("wrong\n")
        worker = cluster.worker("one", token=wrong)
        assert worker.wait(timeout=20) == 1 and "refuses the token" in open(worker.log).read(), open(worker.log).read()
        done = subprocess.run([host, "tasks", "status", "--server", cluster.server, "--token_file", wrong], text=True, capture_output=True)
        assert done.returncode == 1 and "error[E0127]" in done.stderr and "refuses the token" in done.stderr, done
        for name in os.listdir(cluster.nats):
            assert name == "store" or os.stat(f"{cluster.nats}/{name}").st_mode & 0o77 == 0, name
        second = cluster.begin("serve", "--listen", f"127.0.0.1:{cluster.port}", "--folder", cluster.root + "/second", "--allow", "any")
        assert second.wait(timeout=20) == 1 and "address already in use" in open(second.log).read(), open(second.log).read()


def test_users_and_workers_have_rights_of_their_own(host, library):
    with Cluster(host, library) as cluster:
        service = cluster.serve()
        worker = cluster.worker("one", token=cluster.token)
        assert worker.wait(timeout=20) == 1 and "does not permit this with the token given" in open(worker.log).read(), open(worker.log).read()
        users = {"--server": cluster.server, "--token_file": cluster.worker_token}
        words = [word for pair in users.items() for word in pair]
        for command in (["submit", "--library", library, "--file", __file__], ["--library", library, "--file", __file__], ["status"]):
            done = subprocess.run([host, "tasks", *command, *words], cwd=cluster.root, text=True, capture_output=True, timeout=20)
            assert done.returncode == 1 and "jobs need the server's user_token" in done.stderr, (command, done)
        worker, user = Client(cluster.port, cluster.worker_token), Client(cluster.port, cluster.token)
        for client, subjects in ((worker, ["$JS.API.STREAM.CREATE.a", "$JS.API.STREAM.DELETE.a", "$JS.API.CONSUMER.MSG.NEXT.a.result",
                                           "$JS.API.CONSUMER.DELETE.a.task", "levin.service", "levin.jobs", "levin.job.a.task",
                                           "levin.job.a.blob.library.0", "$JS.ACK.a.result.1.1.1.1.1", "_INBOX.a"]),
                                 (user, ["levin.workers", "levin.job.a.result", "levin.job.a.blob.1.result.b.0", "_INBOX.a",
                                         "$JS.API.CONSUMER.MSG.NEXT.a.task", "$JS.ACK.a.task.1.1.1.1.1", "$JS.API.STREAM.UPDATE.a"])):
            for subject in subjects:
                client.publish(subject, b"{}")
            list(client.messages())
            assert len(client.refused) == len(subjects), (subjects, client.refused)
        secrets = [open(f"{cluster.nats}/{name}_token").read().strip().split(":")[1] for name in ("user", "worker", "service")]
        lines = b"".join(open(f"/proc/{pid}/cmdline", "rb").read() for pid in processes_below(service.pid, "nats-server") + [service.pid]).decode()
        logs = open(service.log).read() + open(f"{cluster.nats}/nats.log").read()
        assert not any(secret in lines + logs for secret in secrets), lines + logs
        unnamed = cluster.begin("serve", "--listen", ":0", "--folder", cluster.root + "/unnamed", "--allow", "any")
        assert unnamed.wait(timeout=20) == 2 and "or 0.0.0.0 for all" in open(unnamed.log).read(), open(unnamed.log).read()


def refused(cluster, code, part, *words):
    done = subprocess.run([cluster.host, "tasks", "status", *words], text=True, capture_output=True, timeout=60)
    assert done.returncode == code and part in done.stderr, (words, done)


def test_tls(host, library):
    for clients_too in (False, True):
        with Cluster(host, library) as cluster:
            made = Certificates(cluster.root)
            cluster.serve(more=[*made.own("server"), *(made.authority() if clients_too else [])])
            plain, cluster.server = cluster.server, f"tls://127.0.0.1:{cluster.port}"
            tls = [*made.authority(), *(made.own("client") if clients_too else [])]
            cluster.worker("one", *tls)
            job = cluster.submit(["ok"] * 10, *tls)
            got = cluster.command("results", job, "--wait", *tls).splitlines()
            assert len(got) == 10, got
            own = Job(host, library, ["ok"] * 5, "--server", cluster.server, "--token_file", cluster.token, *tls)
            code, out, err = own.finish()
            assert code == 0, (out, err)
            token = ["--token_file", cluster.token]
            refused(cluster, 1, "asks for TLS: write --server tls://", "--server", plain, *token)
            refused(cluster, 1, "no TLS connection", "--server", cluster.server, *token)  # of an authority that is not known
            if clients_too:
                refused(cluster, 1, "cannot be used", "--server", cluster.server, *token, *made.authority())


def test_a_certificate_of_another_machine(host, library):
    with Cluster(host, library) as cluster:
        made = Certificates(cluster.root)
        cluster.serve(more=made.own("elsewhere"))
        refused(cluster, 1, "no TLS connection", "--server", f"tls://127.0.0.1:{cluster.port}", "--token_file", cluster.token, *made.authority())


def test_files_that_cannot_be_used(host, library):
    with Cluster(host, library) as cluster:
        made = Certificates(cluster.root)
        server = ["--server", "tls://127.0.0.1:1"]
        missing, key = cluster.root + "/missing", cluster.root + "/client.key"
        for name in ("tls_ca", "creds_file", "token_file"):
            refused(cluster, 2, f"--{name}: {missing} cannot be read", *server, f"--{name}", missing)
        refused(cluster, 2, "--tls_cert and --tls_key are given together", *server, "--tls_key", key)
        refused(cluster, 2, "ca.key has no certificates", *server, "--tls_ca", cluster.root + "/ca.key")
        refused(cluster, 2, "has no certificate with the key of --tls_key", *server, "--tls_cert", cluster.root + "/server.pem", "--tls_key", key)
        os.chmod(key, 0o644)
        refused(cluster, 2, f"--tls_key: other users can read {key}: chmod 600", *server, *made.own("client"))
        for words, part in ((made.authority(), "--tls_ca needs --tls_cert"), (made.own("client"), "other users can read")):
            bad = cluster.begin("serve", "--listen", f"127.0.0.1:{cluster.port}", "--folder", cluster.root + "/service", *words, "--allow", "any")
            assert bad.wait(timeout=20) == 2 and part in open(bad.log).read(), open(bad.log).read()
        cluster.serve()
        refused(cluster, 1, "has no TLS: write --server nats://", "--server", f"tls://127.0.0.1:{cluster.port}", "--token_file", cluster.token)


def test_large_tasks_and_results(host, library):
    for engine in (["--engine", "local"], ["--engine", "nats"]):
        job = Job(host, library, ["padded 5 large 6", "padded 1 ok", "large 10", "padded 10 ok"] * 2, *engine, "--workers", "2")
        code, out, err = job.finish()
        assert code == 0, (out, err)
        sizes = [task["result_size"] for task in job.report()["tasks"]]
        assert sizes == [6 << 20, 8, 10 << 20, 8] * 2, sizes


def test_what_the_service_allows(host, library):
    for allowed in ("any", hashlib.sha256(open(library, "rb").read()).hexdigest(), os.path.dirname(library)):
        with Cluster(host, library) as cluster:
            cluster.serve(allowed)
            cluster.worker("one", allow=allowed)
            cluster.check(cluster.submit(["ok"] * 5), 5)


def test_a_driver_of_ones_own(host, library):
    with Cluster(host, library) as cluster:
        cluster.serve()
        job = Job(host, library, ["sleep 0.05"] * 60, "--server", cluster.server, "--token_file", cluster.token)
        driver = job.start()
        cluster.worker("one")
        job.await_done(driver, 10)
        driver.kill()
        driver.communicate()
        code, _, err = job.finish()
        assert code == 0, err
        job.check_output()


require_nats_server()
run_all({name: test for name, test in globals().items() if sys.argv[3:4] in ([], [name])}, *sys.argv[1:3])
