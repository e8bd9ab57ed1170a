"""The logger mlflow against servers that answer well, badly or not at all. usage: mlflow_servers.py PROBE"""
import base64
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlparse

PASSWORD = "a-secret-word"
UID = "0123456789abcdef0123456789abcdef"
NAME = re.compile(r"^[/\w.\- ]*$")


def expect(got, want, what=""):
    if got != want:
        sys.exit(f"{what}: got {got!r}, expected {want!r}")


class Server(ThreadingHTTPServer):
    """The part of MLflow's REST interface that the logger uses, with MLflow's limits. trouble: called before each answer."""

    daemon_threads = True

    def __init__(self, trouble=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.trouble = trouble
        self.lock = threading.Lock()
        self.experiments, self.runs, self.artifacts = {}, [], {}
        self.metrics, self.params, self.tags, self.statuses = Counter(), {}, {}, []
        self.requests, self.authorizations = [], set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def uri(self):
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        pass  # the logger ended the connection

    def answer(self, path, query, body):
        call = path.replace("/api/2.0/mlflow/", "")
        if call == "experiments/get-by-name":
            name = query["experiment_name"][0]
            if name not in self.experiments:
                return 404, {"error_code": "RESOURCE_DOES_NOT_EXIST", "message": "no such experiment"}
            return 200, {"experiment": {"experiment_id": self.experiments[name], "lifecycle_stage": "active"}}
        if call == "experiments/create":
            self.experiments[body["name"]] = "7"
            return 200, {"experiment_id": "7"}
        if call == "runs/search":
            expect(body["filter"], f"tags.`levin.uid` = '{UID}'")
            return 200, {"runs": self.runs}
        if call == "runs/create":
            expect(body["tags"], [{"key": "levin.uid", "value": UID}])
            self.runs.append({"info": {"run_id": "r1", "artifact_uri": "mlflow-artifacts:/7/r1/artifacts"}})
            return 200, {"run": self.runs[-1]}
        expect(body["run_id"], "r1")
        if call == "runs/update":
            self.statuses.append(body["status"])
            return 200, {}
        expect(call, "runs/log-batch")
        expect(len(body["metrics"]) <= 1000 and len(body["params"]) + len(body["tags"]) <= 100, True, "limits")
        for metric in body["metrics"]:
            expect(bool(NAME.match(metric["key"])), True, metric["key"])
            self.metrics[metric["key"], metric["step"], str(metric["value"])] += 1
        for param in body["params"]:
            expect(self.params.setdefault(param["key"], param["value"]), param["value"], "parameters cannot be changed")
        self.tags.update({tag["key"]: tag["value"] for tag in body["tags"]})
        return 200, {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, content, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def handle_request(self):
        server, url = self.server, urlparse(self.path)
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server.authorizations.add(self.headers.get("Authorization"))
        server.requests.append(url.path)
        if server.trouble and server.trouble(self):
            return
        with server.lock:
            if url.path.startswith("/api/2.0/mlflow-artifacts/artifacts/"):
                server.artifacts[unquote(url.path[36:])] = content
                status, body = 200, {}
            else:
                status, body = server.answer(url.path, parse_qs(url.query), json.loads(content or "{}"))
        self.reply(status, json.dumps(body).encode())

    do_GET = do_POST = do_PUT = handle_request


def expect_whole(server, artifacts=True):
    expect(server.statuses[-1], "FINISHED")
    expect(server.metrics["train/loss", 1250, "1250"] + server.metrics["train/loss", 1250, "1250.0"], 1)
    steps = Counter(step for name, step, _ in server.metrics.elements() if name == "train/loss")
    expect((len(steps), set(steps.values())), (1310, {1}), "steps of train/loss")
    expect(server.metrics["odd", 1310, "NaN"] + server.metrics["inf", 1310, "Infinity"], 2)
    expect(server.params, {"model.lr": "0.1", "model.width": "64"})
    expect((server.tags["vision"], server.tags["size"], server.tags["mlflow.runName"]), ("true", "small", 'first "try"'))
    if not artifacts:
        return
    files = {name.replace("7/r1/artifacts/", ""): content for name, content in server.artifacts.items()}
    expect(files.pop("images/picture-3.png")[:4], b"\x89PNG")
    expect(files, {"notes.txt": b"second", "tables/a.csv": b"1,2\n", "tables/deep/b.csv": b"3\n",
                   "texts/note-3.txt": b"hello", "checkpoints/best.ckpt": b"weights"})


def run(uri, folder, status="success", **environment):
    """Returns the messages of the run. Every session ends within its limits, and says no password."""
    env = dict(os.environ, MLFLOW_TRACKING_USERNAME="ann", MLFLOW_TRACKING_PASSWORD=PASSWORD, no_proxy="127.0.0.1", **environment)
    done = subprocess.run([PROBE, folder, uri, status], env=env, capture_output=True, text=True, timeout=100)
    expect(done.returncode, 0, done.stdout + done.stderr)
    expect(PASSWORD in done.stdout + done.stderr, False, "the password in the messages")
    return done.stdout


def in_folder(case):
    with tempfile.TemporaryDirectory() as folder:
        case(folder)
    print("passed:", case.__doc__, flush=True)


def good(folder):
    """a server that answers well gets every value once, also those of the time before a resume"""
    server = Server()
    said = run(server.uri + "/", folder)
    expect_whole(server)
    expect(len(server.runs), 1)
    expect(server.authorizations, {"Basic " + base64.b64encode(f"ann:{PASSWORD}".encode()).decode()})
    expect(f"MLflow shows this run at {server.uri}/#/experiments/7/runs/r1" in said, True, said)
    kept = sorted(os.listdir(folder + "/run/mlflow"))
    expect(kept, ["sent", "spool.jsonl", "uid"])


def failing(folder):
    """a server that fails for a while, and loses answers, gets everything afterwards, and once"""
    count = Counter()

    def trouble(handler):
        count["all"] += 1
        if count["all"] in (1, 3):
            handler.reply(500 if count["all"] == 1 else 429, b"<html>busy", Retry_After="1")
        elif count["all"] == 6:
            handler.connection.close()
        else:
            return False
        return True

    server = Server(trouble)
    said = run(server.uri, folder)
    expect("is away (HTTP status 500); what is logged waits in" in said, True, said)
    if "lacks the last" in said:  # at the end a server that is away is not waited for
        send_rest(server.uri, folder)
    expect_whole(server)


def send_rest(uri, folder):
    """Ends the run once more, as a resume does."""
    time.sleep(1)
    run(uri, folder)


def away(folder):
    """a server that does not exist stops nothing, and the next one gets everything from the spool"""
    said = run("http://127.0.0.1:1", folder)
    expect("lacks the last" in said and "spool.jsonl: a resume of the run sends them" in said, True, said)
    server = Server()
    run(server.uri, folder)
    expect_whole(server)


def bad_answers(folder):
    """garbage, 10 MB, endless headers, deep nesting and redirections are no answers of MLflow"""
    other = Server()
    answers = {
        "garbage": lambda h: h.reply(200, bytes(range(256)) * 4),
        "big": lambda h: h.reply(200, b'{"a":"' + b"x" * 10_000_000 + b'"}'),
        "deep": lambda h: h.reply(200, b'{"experiment":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001),
        "headers": lambda h: h.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 100_000 + b"\r\n"),
        "redirect": lambda h: h.reply(302, b"", Location=other.uri + h.path),
        "ids": lambda h: h.reply(200, b'{"experiment":{"experiment_id":"../../x"},"runs":[{"info":{"run_id":"a/b"}}]}'),
        "types": lambda h: h.reply(200, b'{"experiment":[],"runs":{"info":3},"run":null,"message":["\\u001b[2J"]}'),
        "escape": lambda h: h.reply(400, b'{"message":"\\u001b[2J\\nred"}'),
    }
    for name, answer in answers.items():
        server = Server(lambda handler, answer=answer: answer(handler) or True)
        said = run(server.uri, f"{folder}/{name}", "interrupted")
        expect("is away (" in said, True, name + ": " + said)
        expect("\x1b" in said, False, name)
    expect(other.requests, [], "requests to the server of the redirection")


def silent(folder):
    """a server that never answers, or one byte a second, is left after 5 s when the run is interrupted"""
    end = threading.Event()

    def drip(handler):
        try:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while not end.wait(1):
                handler.wfile.write(b"X")
        except OSError:
            pass
        return True

    for name, trouble in (("hang", lambda h: end.wait() or True), ("drip", drip)):
        server = Server(trouble)
        start = time.monotonic()
        said = run(server.uri, f"{folder}/{name}", "interrupted")
        expect(time.monotonic() - start < 30, True, "two ends of 5 s each")
        expect("lacks the last" in said, True, said)
    end.set()


def no_artifacts(folder):
    """files that the server cannot take do not hold up the metrics"""
    server = Server(lambda h: "mlflow-artifacts" in h.path and (h.reply(507, b"full") or True))
    said = run(server.uri, folder)
    expect("does not take files (HTTP status 507): they stay in" in said, True, said)
    expect_whole(server, artifacts=False)
    expect(server.artifacts, {})


def encrypted(folder):
    """https works, and a certificate that is not trusted is refused"""
    if not shutil.which("openssl"):
        return print("SKIPPED: https: there is no openssl")
    key, certificate = folder + "/key.pem", folder + "/certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    server = Server()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    uri = server.uri.replace("http:", "https:")
    said = run(uri, folder + "/refused", "interrupted")
    expect("certificate" in said, True, said)
    expect(server.requests, [], "requests by an untrusted connection")
    run(uri, folder + "/trusted", MLFLOW_TRACKING_SERVER_CERT_PATH=certificate)
    expect_whole(server)


def forged(folder):
    """a forged spool sends no other file of this machine, and its damaged lines are left out"""
    run("http://127.0.0.1:1", folder, "interrupted")
    logger_folder = folder + "/run/mlflow"
    secret = folder + "/secret"
    open(secret, "w").write("secret")
    os.makedirs(logger_folder + "/1")
    os.symlink(secret, logger_folder + "/1/link")
    lines = [{"file": ["../../secret", "a"]}, {"file": [secret, "b"]}, {"file": ["1/link", "c"]}, {"file": ["uid", "../../d"]},
             {"metrics": {"odd/../name": [1]}}, {"metrics": 3}, {"param": [1, 2]}, {"tag": ["x"]}, {"status": None}, [], 3]
    text = "".join(json.dumps(line) + "\n" for line in lines) + "[" * 200_000 + "\n\0\xff\n" + "x" * 3_000_000 + "\n"
    with open(logger_folder + "/spool.jsonl", "r+") as spool:
        old = spool.read()
        spool.seek(0)
        spool.write(text + old)
    open(logger_folder + "/sent", "w").write("-1 is no number\n")
    server = Server()
    run(server.uri, folder)
    expect(any(b"secret" in content for content in server.artifacts.values()), False, "the secret on the server")
    expect(server.statuses[-1], "FINISHED")


PROBE = sys.argv[1]
with ThreadPoolExecutor() as pool:  # they wait most of the time
    for case in [pool.submit(in_folder, case) for case in (good, failing, away, bad_answers, silent, no_artifacts, encrypted, forged)]:
        case.result()
