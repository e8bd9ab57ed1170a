"""Sends what the probe wrote with `wandb sync` to a server in this process, and checks what arrives. usage: interop_wandb.py PROBE"""
import gzip
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def expect(got, want):
    if got != want:
        sys.exit(f"got {got!r}, expected {want!r}")


def whole_records(log):
    """Returns where the records of the log end, read as LevelDB's log format."""
    ends, at = [], 7
    while at < len(log):
        left = 32768 - at % 32768
        if left < 7:
            at += left
            continue
        checksum, size, kind = struct.unpack_from("<IHB", log, at)
        expect(zlib.crc32(log[at + 6:at + 7 + size]), checksum)
        at += 7 + size
        if kind in (1, 4):
            ends.append(at)
    return ends


class Server(BaseHTTPRequestHandler):
    """Answers as the server of W&B, as far as `wandb sync` asks, and keeps what it is sent."""

    def do_POST(self):
        body = json.loads(self.body())
        arrived = self.server.arrived
        if not self.path.endswith("/graphql"):
            for name, part in body.get("files", {}).items():
                lines = arrived["streams"].setdefault(name, [])
                lines[part["offset"]:] = part["content"]
            for name in ("exitcode", "complete", "uploaded"):
                if body.get(name) is not None:
                    arrived[name] = body[name]
            return self.answer({"exitcode": None, "limits": {}})
        values = body.get("variables", {})
        if "upsertBucket" in body["query"]:
            arrived["run"].append(values)
            project = {"id": "p", "name": values["project"], "entity": {"id": "e", "name": values["entity"] or "me"}}
            bucket = {"id": "x", "name": values["name"], "displayName": values["displayName"], "project": project,
                      "historyLineCount": 0}
            return self.answer({"data": {"upsertBucket": {"bucket": bucket, "inserted": True}}})
        if "createRunFiles" in body["query"]:
            here = f"http://127.0.0.1:{self.server.server_port}/"
            files = [{"name": name, "uploadUrl": here + name} for name in values["files"]]
            return self.answer({"data": {"createRunFiles": {"runID": "x", "uploadHeaders": [], "files": files}}})
        self.answer({"data": {}})

    def do_PUT(self):
        self.server.arrived["files"][self.path[1:]] = self.body()
        self.answer({})

    def do_GET(self):
        self.answer({})

    def body(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        return gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body

    def answer(self, content):
        text = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def sync(folder, home):
    """Returns what arrived and what wandb printed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.arrived = {"streams": {}, "files": {}, "run": []}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = {"PATH": os.environ["PATH"], "HOME": home, "WANDB_BASE_URL": f"http://127.0.0.1:{server.server_port}",
                   "WANDB_API_KEY": "a" * 40, "WANDB_ERROR_REPORTING": "false", "WANDB_DIR": home, "no_proxy": "*"}
    done = subprocess.run([sys.executable, "-m", "wandb", "sync", folder], env=environment, capture_output=True, text=True, cwd=home,
                          timeout=120)
    server.shutdown()
    said = done.stdout + done.stderr
    if done.returncode != 0 or "View run" not in said:
        sys.exit(f"wandb sync failed ({done.returncode}): {said}")
    return server.arrived, said


with tempfile.TemporaryDirectory() as run, tempfile.TemporaryDirectory() as home:
    subprocess.run([sys.argv[1], run], check=True)
    folders = list((pathlib.Path(run) / "wandb").iterdir())
    expect([folder.name.split("-")[0:2] + [folder.name[-12:]] for folder in folders], [["offline", "run", "0123456789ab"]])
    log = folders[0] / "run-0123456789ab.wandb"
    whole = log.read_bytes()
    arrived, said = sync(str(folders[0]), home)
    expect(("Finished syncing" in said, "WARNING" in said, "ERROR" in said), (True, False, False))

    rows = [json.loads(line) for line in arrived["streams"]["wandb-history.jsonl"]]
    expect([row["_step"] for row in rows], list(range(2015)))
    expect([row["trainer/global_step"] for row in rows], list(range(2011)) + 4 * [2010])
    # the resumed run discards what was logged after the checkpoint
    expect([row for row in rows if "lost" in row], [])
    expect([row["loss"] for row in rows[:2010]], [step / 2 for step in range(2010)])
    expect([rows[step]["acc"] for step in (1999, 2000)], [0.5, 0.75])
    expect(all(a["_runtime"] <= b["_runtime"] for a, b in zip(rows, rows[1:])), True)
    odd = rows[2010]
    expect((math.isnan(float(odd["odd"])), float(odd["high"]), float(odd["low"])), (True, math.inf, -math.inf))
    picture, weights, note, worst = (rows[2011 + i][name] for i, name in enumerate(("a/picture", "weights", "note", "worst")))
    expect((picture["_type"], picture["width"], picture["height"], picture["caption"]), ("image-file", 8, 4, "grey"))
    expect((sum(weights["values"]), len(weights["bins"]) - len(weights["values"]), weights["bins"][-1]), (99, 1, 98))
    expect(note, "x" * 100000)
    expect((worst["_type"], worst["ncols"], worst["nrows"]), ("table-file", 2, 2))

    files = arrived["files"]
    expect((files[picture["path"]][:4], len(files[picture["path"]])), (b"\x89PNG", picture["size"]))
    expect(json.loads(files[worst["path"]]), {"columns": ["file", "loss"], "data": [["a.png", 2.5], ["b.png", 1]]})
    expect((files["artifacts/notes/one.txt"], files["artifacts/notes/deep/two.txt"]), (b"one", b"two"))
    summary = json.loads(files["wandb-summary.json"])
    expect((summary["loss"], summary["acc"], summary["_step"]), (1004.5, 0.75, 2014))
    first, last = arrived["run"][0], arrived["run"][-1]
    expect((first["name"], first["project"], first["entity"], first["displayName"], first["tags"]),
           ("0123456789ab", "probe", "us", "first try", ["vision", "small"]))
    expect(json.loads(first["config"])["model"]["value"], {"lr": 0.1, "name": "mlp"})
    expect(json.loads(last["config"])["model"]["value"], {"lr": 0.1, "name": "mlp", "width": 64})
    expect((arrived["exitcode"], arrived["complete"]), (0, True))

    # a killed run has no exit record, and after a power failure its last record may be incomplete
    for size in (whole_records(whole)[-2], len(whole) // 2, 40000):
        log.write_bytes(whole[:size])
        log.with_name(log.name + ".synced").unlink(missing_ok=True)
        arrived, said = sync(str(folders[0]), home)
        rows = [json.loads(line) for line in arrived["streams"]["wandb-history.jsonl"]]
        expect([row["_step"] for row in rows], list(range(len(rows))))
        expect(len(rows) >= size // 200, True)
        expect("incomplete record" in said, size not in whole_records(whole))
print("wandb sends what the logger wrote")
