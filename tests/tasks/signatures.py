"""Usage: signatures.py HOST LIBRARY [TEST]. Libraries that are signed, and what workers and the service do with forged signatures."""
import hashlib
import os
import shutil
import subprocess
import sys

from job import require_nats_server, run_all
from machines import Cluster

MACHINE = 18  # place of e_machine in an ELF file


def tasks(host, *words, code=0):
    done = subprocess.run([host, "tasks", *words], text=True, capture_output=True, timeout=60)
    assert done.returncode == code, (words, done)
    return done.stdout if code == 0 else done.stderr


class Signed:
    """A copy of the library in a folder, and keys."""

    def __init__(self, host, library, folder):
        self.host, self.folder = host, folder
        self.library = shutil.copy(library, folder + "/libown.so")
        self.signature = self.library + ".sig"
        for name in ("alice", "mallory"):
            tasks(host, "key", f"{folder}/{name}")

    def sign(self, name="alice"):
        tasks(self.host, "sign", "--library", self.library, "--key", f"{self.folder}/{name}")

    def write(self, text):
        with open(self.signature, "w") as file:
            file.write(text)

    def words(self):
        with open(self.signature) as file:
            return file.read().split()


def test_keys_and_signatures_are_those_of_openssl(host, library):
    with Cluster(host, library) as cluster:
        made = Signed(host, library, cluster.root)
        key = made.folder + "/alice"
        assert os.stat(key).st_mode & 0o777 == 0o600, oct(os.stat(key).st_mode)
        made.sign()
        version, processor, digest, signature = made.words()
        assert version == "levin-signature-1" and processor in ("x86-64", "AArch64"), made.words()
        assert digest == hashlib.sha256(open(made.library, "rb").read()).hexdigest()
        with open(made.folder + "/statement", "w") as file:
            file.write(f"{version} {processor} {digest}")
        with open(made.folder + "/bytes", "wb") as file:
            file.write(bytes.fromhex(signature))
        verify = ["openssl", "pkeyutl", "-verify", "-pubin", "-rawin", "-in", made.folder + "/statement", "-sigfile", made.folder + "/bytes", "-inkey"]
        assert subprocess.run([*verify, key + ".pub"], capture_output=True).returncode == 0
        assert subprocess.run([*verify, made.folder + "/mallory.pub"], capture_output=True).returncode != 0
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", made.folder + "/other"], check=True)
        os.chmod(made.folder + "/other", 0o600)
        made.sign("other")
        assert made.words()[3] != signature


def test_a_signed_library_runs_where_the_key_is_allowed(host, library):
    with Cluster(host, library) as cluster:
        made = Signed(host, library, cluster.root)
        made.sign()
        allowed = f"key:{made.folder}/alice.pub"
        cluster.library = made.library
        cluster.serve(allowed)
        cluster.worker("strict", allow=f"key:{made.folder}/mallory.pub")
        cluster.worker("one", allow=allowed)
        job = cluster.submit(["sleep 0.02"] * 20)
        cluster.check(job, 20)
        table = cluster.command("status", job)
        assert "one/1" in table and "strict" not in table, table
        cluster.until(lambda: "its signature is of no key that --allow names" in cluster.command("logs", job), 5)
        assert cluster.submit(["sleep 0.02"] * 20) == job
        with open(made.library, "ab") as file:
            file.write(b"changed")
        made.sign()
        cluster.check(cluster.submit(["ok"] * 5), 5)


def test_forged_signatures_are_refused_by_name(host, library):
    with Cluster(host, library) as cluster:
        made = Signed(host, library, cluster.root)
        cluster.library = made.library
        cluster.serve(f"key:{made.folder}/alice.pub")
        with open(cluster.root + "/tasks.txt", "w") as file:
            file.write("ok\n")

        def refused(part):
            error = cluster.command("submit", "--library", made.library, "--file", cluster.root + "/tasks.txt", code=3)
            assert part in error and "error[E0318]" in error, (part, error)

        refused("libown.so with the SHA-256 sum " + hashlib.sha256(open(library, "rb").read()).hexdigest() + " is not allowed here: it has no signature")
        made.sign("mallory")
        refused("its signature is of no key that --allow names")
        made.sign()
        good = made.words()
        for words, part in ((good[:3], "it has 3 words instead of 4"), ([*good[:3], good[3][:-2]], "its last word has 126 of 128"),
                            ([*good[:3], good[3][:-1] + "g"], "or other characters"), (["x", *good[1:]], "does not begin with levin-signature-1"),
                            ([*good[:2], "0" * 64, good[3]], "it is the signature of another file"), ([], "does not begin"),
                            ([*good, "0" * 1000], "more than 1000 bytes")):
            made.write(" ".join(words))
            refused(part)
        with open(made.signature, "wb") as file:
            file.write(os.urandom(200))
        refused("sign the library again with host tasks sign, or remove the file")
        flipped = "1" if good[3][0] == "0" else "0"
        made.write(" ".join([*good[:3], flipped + good[3][1:]]))
        refused("its signature is of no key that --allow names")
        made.write(" ".join([good[0], "RISC-V", *good[2:]]))
        refused("its signature is for RISC-V, and this machine is ")


def test_signatures_in_forged_jobs_are_refused_by_the_worker(host, library):
    """Whoever may submit announces jobs to the workers: they believe no service."""
    with Cluster(host, library) as cluster:
        made = Signed(host, library, cluster.root)
        cluster.library = made.library
        cluster.serve("any")
        worker = cluster.worker("one", allow=f"key:{made.folder}/alice.pub")
        made.sign("mallory")
        job = cluster.submit(["ok"])
        cluster.until(lambda: "worker one cannot use the library" in cluster.command("logs", job))
        os.remove(made.signature)
        cluster.until(lambda: "is not allowed here: its signature is of no key" in open(worker.log).read(), 5)
        unsigned = cluster.submit(["ok"])
        assert unsigned != job
        cluster.until(lambda: "it has no signature" in cluster.command("logs", unsigned))
        made.sign()
        cluster.check(cluster.submit(["ok"]), 1)


def test_keys_that_cannot_be_used(host, library):
    with Cluster(host, library) as cluster:
        made = Signed(host, library, cluster.root)
        key, sign = made.folder + "/alice", ["sign", "--library", made.library, "--key"]
        assert "is there already" in tasks(host, "key", key, code=2)
        assert "name the file" in tasks(host, "key", code=2)
        os.remove(key)
        assert "alice.pub is there already" in tasks(host, "key", key, code=2)
        assert not os.path.exists(key)
        key = made.folder + "/mallory"
        os.chmod(key, 0o640)
        if os.geteuid() != 0:  # a group may read the keys of root, as Debian's ssl-cert does
            assert f"--key: other users can read {key}: chmod 600" in tasks(host, *sign, key, code=2)
        os.chmod(key, 0o644)
        assert f"--key: other users can read {key}: chmod 600" in tasks(host, *sign, key, code=2)
        os.chmod(key, 0o600)
        os.chmod(key + ".pub", 0o600)
        assert "has no private key of Ed25519" in tasks(host, *sign, key + ".pub", code=2)
        assert "no file" in tasks(host, "sign", "--library", key + ".so", "--key", key, code=2)
        assert "are needed" in tasks(host, "sign", "--library", made.library, code=2)
        text = made.folder + "/text.so"
        with open(text, "w") as file:
            file.write("text")
        tasks(host, "sign", "--library", text, "--key", key, code=3)
        rsa, password = made.folder + "/rsa", made.folder + "/password"
        subprocess.run(["openssl", "genpkey", "-algorithm", "rsa", "-out", rsa], check=True, capture_output=True)
        subprocess.run(["openssl", "pkey", "-in", key, "-aes256", "-passout", "pass:a", "-out", password], check=True, capture_output=True)
        for bad in (rsa, password):
            os.chmod(bad, 0o600)
            assert "has no private key of Ed25519 without a password" in tasks(host, *sign, bad, code=2)
        for bad, part in ((key, "has a private key; workers need its public key alone"), (text, "has no public key of Ed25519"), (key + ".none", "mallory.none")):
            worker = cluster.worker("bad", allow=f"key:{bad}", token=text)
            assert worker.wait(timeout=20) == 2 and part in open(worker.log).read(), open(worker.log).read()
            service = cluster.begin("serve", "--folder", made.folder + "/bad", "--allow", f"key:{bad}")
            assert service.wait(timeout=20) == 2 and part in open(service.log).read(), open(service.log).read()


def test_a_library_for_another_processor_can_be_signed(host, library):
    with Cluster(host, library) as cluster:
        made = Signed(host, library, cluster.root)
        with open(made.library, "r+b") as file:
            file.seek(MACHINE)
            file.write((243).to_bytes(2, "little"))
        made.sign()
        assert made.words()[1] == "RISC-V", made.words()


require_nats_server()
run_all({name: test for name, test in globals().items() if sys.argv[3:4] in ([], [name])}, *sys.argv[1:3])
