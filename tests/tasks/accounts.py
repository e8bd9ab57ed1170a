"""Usage: accounts.py HOST LIBRARY [TEST]. Jobs over a NATS server with accounts, whose users show credentials (--creds_file)."""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from job import Job, require_nats_server, run_all
from machines import free_port

OPERATOR, ACCOUNT, USER, SEED = 14 << 3, 0, 20 << 3, 18 << 3


def crc16(data):
    out = 0
    for byte in data:
        out ^= byte << 8
        for _ in range(8):
            out = (out << 1 ^ 0x1021 if out & 0x8000 else out << 1) & 0xFFFF
    return out.to_bytes(2, "little")


def base32(data):
    return base64.b32encode(data + crc16(data)).decode().rstrip("=")


class Identity:
    """An Ed25519 key in the form of NATS: an operator, an account or a user."""

    def __init__(self, folder, name, kind):
        self.name, self.file = name, f"{folder}/{name}.pem"
        run = lambda *words: subprocess.run(["openssl", *words], check=True, capture_output=True).stdout
        run("genpkey", "-algorithm", "ed25519", "-out", self.file)
        self.public = base32(bytes([kind]) + run("pkey", "-in", self.file, "-pubout", "-outform", "DER")[-32:])
        self.seed = base32(bytes([SEED | kind >> 5, (kind & 31) << 3]) + run("pkey", "-in", self.file, "-outform", "DER")[-32:])

    def sign(self, subject, nats, **more):
        """A JWT about another identity."""
        encode = lambda data: base64.urlsafe_b64encode(data).decode().rstrip("=")
        claims = {"jti": subject.name, "iat": int(time.time()), "iss": self.public, "name": subject.name, "sub": subject.public,
                  "nats": {**nats, "version": 2}, **more}
        text = encode(json.dumps({"typ": "JWT", "alg": "ed25519-nkey"}).encode()) + "." + encode(json.dumps(claims).encode())
        with open(self.file + ".text", "w") as file:
            file.write(text)
        signature = subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.file, "-in", file.name], check=True, capture_output=True)
        return text + "." + encode(signature.stdout)


class Server:
    """A nats-server of an operator with the accounts "ours" and "theirs"."""

    def __init__(self):
        self.folder, self.processes = tempfile.TemporaryDirectory(), []
        self.root, self.port = self.folder.name, free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        operator = Identity(self.root, "operator", OPERATOR)
        self.accounts = {name: Identity(self.root, name, ACCOUNT) for name in ("system", "ours", "theirs", "unknown")}
        limits = {name: -1 for name in ("subs", "data", "payload", "imports", "exports", "conn", "leaf", "streams", "consumer", "mem_storage", "disk_storage")}
        plain = {name: -1 for name in ("subs", "data", "payload", "imports", "exports", "conn", "leaf")}
        preload = {account.public: operator.sign(account, {"type": "account", "limits": {**(plain if name == "system" else limits), "wildcards": True}})
                   for name, account in self.accounts.items() if name != "unknown"}
        with open(self.root + "/nats.conf", "w") as file:
            json.dump({"listen": f"127.0.0.1:{self.port}", "jetstream": {"store_dir": self.root + "/store"},
                       "operator": operator.sign(operator, {"type": "operator"}), "resolver": "MEMORY",
                       "system_account": self.accounts["system"].public, "resolver_preload": preload}, file)
        self.begin(shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin"), "-c", self.root + "/nats.conf")

    def creds(self, account, name, **more):
        """A file of credentials, as NATS' nsc writes it."""
        user = Identity(self.root, f"{account}_{name}", USER)
        token = self.accounts[account].sign(user, {"type": "user", "subs": -1, "data": -1, "payload": -1}, **more)
        with open(f"{self.root}/{account}_{name}.creds", "w") as file:
            file.write(f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
                       f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n")
        os.chmod(file.name, 0o600)
        return ["--server", self.url, "--creds_file", file.name]

    def begin(self, *words):
        log = open(f"{self.root}/process_{len(self.processes)}.txt", "w+")
        process = subprocess.Popen(words, stdout=log, stderr=log)
        process.log = log.name
        self.processes.append(process)
        return process

    def worker(self, host, name, creds):
        return self.begin(host, "tasks", "worker", *creds, "--workers", "2", "--name", name, "--folder", f"{self.root}/worker_{name}", "--allow", "any")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def test_a_job_of_an_account(host, library):
    with Server() as server:
        server.worker(host, "theirs", server.creds("theirs", "worker"))
        server.worker(host, "ours", server.creds("ours", "worker"))
        job = Job(host, library, ["sleep 0.01"] * 40, *server.creds("ours", "user"))
        code, out, err = job.finish()
        assert code == 0, (out, err, open(server.processes[0].log).read()[-1000:])
        job.check_output()
        workers = {task["worker"].split("/")[0] for task in job.report()["tasks"]}
        assert workers == {"ours"}, workers  # the other account neither sees the job nor its messages


def test_credentials_that_are_refused(host, library):
    with Server() as server:
        good = server.creds("ours", "user")
        seed_of_another = server.creds("ours", "other")[3]
        mixed = server.root + "/mixed.creds"
        with open(good[3]) as first, open(seed_of_another) as second, open(mixed, "w") as file:
            file.write("".join(first.readlines()[:4] + second.readlines()[4:]))
        os.chmod(mixed, 0o600)
        cut = server.root + "/cut.creds"
        with open(good[3]) as file, open(cut, "w") as out:
            out.write(file.read()[:300])
        os.chmod(cut, 0o600)
        refused = "refuses the credentials in"
        for creds, code, part in ((server.creds("unknown", "user"), 1, refused),
                                  (server.creds("ours", "expired", exp=int(time.time()) - 10), 1, refused),
                                  ([*good[:3], mixed], 1, refused), ([*good[:3], cut], 2, "no nkey user seed found"),
                                  (good[:2], 1, "refuses the token")):
            worker = server.worker(host, "bad", creds)
            got, text = worker.wait(timeout=60), open(worker.log).read()
            assert got == code and text.count("\n") == 1 and part in text, (creds, code, text)


require_nats_server()
run_all({name: test for name, test in globals().items() if sys.argv[3:4] in ([], [name])}, *sys.argv[1:3])
