"""A service with its NATS server and workers on this machine, for the other files here."""
import socket
import subprocess
import tempfile
import time


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Cluster:
    """A service with its NATS server, and workers, in a folder of their own."""

    def __init__(self, host, library, listen="127.0.0.1"):
        self.host, self.library, self.folder, self.listen = host, library, tempfile.TemporaryDirectory(), listen
        self.root, self.port, self.processes = self.folder.name, free_port(), []
        self.server, self.nats = f"nats://127.0.0.1:{self.port}", self.root + "/service/nats"
        self.token, self.worker_token = self.nats + "/user_token", self.nats + "/worker_token"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.communicate()

    def begin(self, *words, on=()):
        """on: the begin of a command that starts programs on another machine."""
        log = open(f"{self.root}/process_{len(self.processes)}.txt", "w+")
        process = subprocess.Popen([*on, self.host, "tasks", *words], stdout=log, stderr=log, text=True)
        process.log = log.name
        self.processes.append(process)
        return process

    def serve(self, *allow, more=()):
        process = self.begin("serve", "--listen", f"{self.listen}:{self.port}", "--folder", self.root + "/service", *more,
                             "--allow", *(allow or [self.library]))
        self.until(lambda: "worker_token " in open(process.log).read() or process.poll() is not None)
        assert process.poll() is None, open(process.log).read()
        return process

    def worker(self, name, *more, allow="any", token=None, server=None, on=()):
        return self.begin("worker", "--server", server or self.server, "--token_file", token or self.worker_token, "--workers", "2", "--name", name,
                          "--folder", self.root + "/worker_" + name, "--allow", allow, *more, on=on)

    def command(self, *words, code=0):
        done = subprocess.run([self.host, "tasks", *words, "--server", self.server, "--token_file", self.token], text=True,
                              capture_output=True, timeout=120)
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def submit(self, lines, *options, name="tasks.txt"):
        with open(f"{self.root}/{name}", "w") as file:
            file.write("".join(line + "\n" for line in lines))
        return self.command("submit", "--library", self.library, "--file", f"{self.root}/{name}", *options).strip()

    def check(self, job, count):
        got = self.command("results", job, "--wait").splitlines()
        assert got == [f"{i} line {i + 1} result {i}" for i in range(count)], got[:3]

    def state(self, job):
        return [line.split()[1] for line in self.command("status").splitlines() if line.startswith(job)][0]

    def done(self, job):
        return int([line.split()[2].split("/")[0] for line in self.command("status").splitlines() if line.startswith(job)][0])

    def until(self, holds, seconds=30):
        end = time.time() + seconds
        while not holds():
            assert time.time() < end, [open(p.log).read()[-500:] for p in self.processes]
            time.sleep(0.05)


class Certificates:
    """An authority, and certificates of it for the server and a client."""

    def __init__(self, folder):
        self.folder, key = folder, ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        self.openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem")
        for name, place in (("server", "IP:127.0.0.1"), ("client", "DNS:client"), ("elsewhere", "IP:127.0.0.2")):
            with open(f"{folder}/{name}.ext", "w") as file:
                file.write(f"subjectAltName={place}\n")
            self.openssl("req", *key, "-subj", f"/CN={name}", "-keyout", name + ".key", "-out", name + ".csr")
            self.openssl("x509", "-req", "-days", "2", "-in", name + ".csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                         "-extfile", name + ".ext", "-out", name + ".pem")

    def openssl(self, *words):
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)

    def own(self, name):
        return ["--tls_cert", f"{self.folder}/{name}.pem", "--tls_key", f"{self.folder}/{name}.key"]

    def authority(self):
        return ["--tls_ca", self.folder + "/ca.pem"]
