"""Usage: downloads.py HOST. Data at http addresses: files and archives, once a machine, whatever breaks."""
import gzip
import hashlib
import io
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
import zlib

from server import Server

CSV = "a,b,y\n" + "".join(f"{i % 7},{i % 5},{i % 2}\n" for i in range(60))
OPTIONS = "--trainer.accelerator cpu --trainer.max_epochs 1 --trainer.enable_progress_bar false --data.batch_size 8".split()


def tar(members, mode="w:gz"):
    """The bytes of an archive of {name: bytes}; a member that is a TarInfo is added as it is."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, data in members.items():
            info = data if isinstance(data, tarfile.TarInfo) else tarfile.TarInfo(name)
            if not isinstance(data, tarfile.TarInfo):
                info.size = len(data)
            archive.addfile(info, io.BytesIO(data) if info.isfile() else None)
    return out.getvalue()


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def png(draw):
    """A picture of 8 x 8 random pixels."""
    rows = b"".join(b"\0" + draw.randbytes(24) for _ in range(8))
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks)


def pictures(folder, n=12):
    draw = random.Random(0)
    return {f"{folder}{kind}/{i}.png": png(draw) for kind in ("cat", "dög") for i in range(n)}


def idx(shape, values):
    return gzip.compress(struct.pack(f">BBBB{len(shape)}I", 0, 0, 8, len(shape), *shape) + bytes(values))


class Case:
    """A folder with a cache of its own, and a server. measured: a cache with what the host measures and remembers."""

    def __init__(self, host, measured=None):
        self.host, self.server, self.temporary = host, Server(), tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.cache = self.folder / "cache/levin"
        if measured:
            shutil.copytree(measured, self.cache)

    def words(self, *words):
        return [self.host, "fit", *OPTIONS, *words]

    def env(self, **env):
        return {**os.environ, "no_proxy": "*", "XDG_CACHE_HOME": str(self.folder / "cache"), **env}

    def fit(self, *words, code=0, **env):
        done = subprocess.run(self.words(*words), cwd=self.folder, env=self.env(**env), text=True, capture_output=True, timeout=300)
        assert done.returncode == code, (words, done)
        return done.stdout + done.stderr

    def csv(self, address, *words, **more):
        return self.fit("--model", "mlp", "--data", "csv", "--data.file", address, "--data.target", "y", *words, **more)

    def folder_of_pictures(self, address, *words, **more):
        return self.fit("--model", "cnn", "--data", "image_folder", "--data.dir", address, *words, **more)

    def cached(self):
        """The names of the copies, without the folder that each one has, and without what else the host keeps there."""
        return sorted(path.name for path in self.cache.glob("*/*"))


def test_a_file_is_downloaded_once(case):
    case.server.files["x.csv"] = CSV.encode()
    url = case.server.url("x.csv")
    out = case.csv(url)
    assert f"downloading {url}" in out and "downloaded" in out, out
    out = case.csv(url)
    assert "downloading" not in out and f"/x.csv, the copy of {url}" in out, out
    assert case.server.times("x.csv") == 1 and case.cached() == ["x.csv"], case.cached()
    assert url in case.fit("--model", "mlp", "--data", "csv", "--data.file", url, "--data.target", "y", "--print_config")
    case.server.files.clear()
    assert "epoch" in case.csv(url, LEVIN_OFFLINE="1").lower()  # from the cache
    out = case.csv(case.server.url("other.csv"), code=4, LEVIN_OFFLINE="1")
    assert "LEVIN_OFFLINE is set, and " in out and "/other.csv does not exist" in out, out


def test_a_run_resumes_with_its_address(case):
    case.server.files["x.csv"] = CSV.encode()
    case.csv(case.server.url("x.csv"))
    done = subprocess.run([case.host, "resume", "levin_logs/version_0", "--trainer.max_epochs", "2"], cwd=case.folder, env=case.env(), text=True,
                          capture_output=True, timeout=300)
    assert done.returncode == 0 and case.server.times("x.csv") == 1, done


def test_a_checksum_is_compared(case):
    case.server.files["x.csv"] = CSV.encode()
    digest = hashlib.sha256(CSV.encode()).hexdigest()
    out = case.csv(case.server.url("x.csv#sha256=" + "0" * 64), code=4)
    assert f"has the SHA-256 {digest}, and 0000" in out and "was not kept" in out and case.cached() == [], out
    case.csv(case.server.url("x.csv#sha256=" + digest))
    assert "'md5' is not known; behind # of an address stand sha256=DIGITS, subdirectory=PATH and array=NAME" in case.csv(case.server.url("x.csv#md5=1"), code=2)


def test_archives_are_unpacked(case):
    files = case.server.files
    files["one.zip"] = zipped({"__MACOSX/._x": b"", ".DS_Store": b"", "x.csv": CSV})
    files["two.zip"] = zipped({"red/x.csv": CSV, "white/x.csv": CSV, "readme": "?"})
    files["pictures.tgz"] = tar(pictures("top/"))
    files["pictures.tar"] = tar(pictures(""), "w")
    files["pictures.tar.xz"] = tar(pictures("deep/down/"), "w:xz")
    files["pictures.tar.bz2"] = tar(pictures("top/"), "w:bz2")
    files["pictures.zip"] = zipped(pictures("top/"))
    case.csv(case.server.url("one.zip"))
    case.csv(case.server.url("two.zip?download=1#subdirectory=red/x.csv"))
    assert case.server.times("two.zip") == 1
    case.csv(case.server.url("two.zip?download=1#subdirectory=white/x.csv"))
    assert case.server.times("two.zip") == 1
    out = case.csv(case.server.url("two.zip?download=1#subdirectory=pink"), code=4)
    assert "has no 'pink', which its address names behind #subdirectory=; it has readme, red, white" in out, out
    assert "has no '../x'" in case.csv(case.server.url("two.zip?download=1#subdirectory=../x"), code=4)
    for name in ("pictures.tgz", "pictures.tar", "pictures.tar.bz2", "pictures.zip", "pictures.tar.xz#subdirectory=deep/down"):
        assert "unpacking" in case.folder_of_pictures(case.server.url(name))
    case.folder_of_pictures(case.server.url("pictures.tar.xz#subdirectory=down"))
    assert all(name.endswith(".unpacked") for name in case.cached()), case.cached()
    files["download"] = files["pictures.zip"]
    assert "#subdirectory=. behind it unpacks it" in case.folder_of_pictures(case.server.url("download"), code=4)
    case.folder_of_pictures(case.server.url("download#subdirectory=."))
    files["mac.tgz"] = tar({"._top": b"x", ".hidden": b"x", "top/._a": b"x", **pictures("top/")})
    case.folder_of_pictures(case.server.url("mac.tgz"))


def test_a_set_of_images(case):
    draw = random.Random(0)
    images, labels = [draw.randrange(256) for _ in range(40 * 28 * 28)], [i % 10 for i in range(40)]
    case.server.files["set.zip"] = zipped({f"set/{name}-{kind}": data for name in ("train", "t10k") for kind, data in (
        ("images-idx3-ubyte.gz", idx((40, 28, 28), images)), ("labels-idx1-ubyte.gz", idx((40,), labels)))})
    case.fit("--model", "mlp", "--data", "mnist", "--data.dir", case.server.url("set.zip"))


def test_bad_archives_are_refused_and_not_kept(case):
    link, device = tarfile.TarInfo("cat/link.png"), tarfile.TarInfo("cat/device.png")
    link.type, link.linkname, device.type = tarfile.SYMTYPE, "/etc/passwd", tarfile.CHRTYPE
    good = pictures("")
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        archive.writestr("x.csv", CSV)
    stored = stored.getvalue()
    flipped = stored.replace(b"3,3,", b"3,4,", 1)
    encrypted = stored.replace(b"PK\3\4\x14\0\0\0", b"PK\3\4\x14\0\1\0").replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0")
    assert flipped != stored != encrypted
    whole = tar(pictures(""), "w")
    cut = whole[:len(whole.rstrip(b"\0")) // 512 * 512 + 512]
    packed = bytearray(gzip.compress(whole, compresslevel=0))
    packed[600] ^= 1
    bad = {
        "cut.tar": (cut, "it is truncated: the zeros at its end are missing"),
        "cut.tgz": (gzip.compress(cut), "it is truncated: the zeros at its end are missing"),
        "crc.tgz": (bytes(packed), "is no archive, or damaged: "),
        "half.tgz": (gzip.compress(whole)[:-4], "it is truncated"),
        "flipped.zip": (flipped, "is no archive, or damaged: ZIP bad CRC"),
        "cut.zip": (zipped({"x.csv": CSV, "z.csv": CSV}).split(b"PK\1\2")[0], "is no archive, or damaged"),
        "encrypted.zip": (encrypted, "is encrypted: download and unpack it yourself"),
        "hole.zip": (stored[:20], "is no archive, or damaged"),
        "long.tar": (tar({**good, "a/" * 10 + "x" * 300: b"x"}, "w"), "cannot be written: File name too long"),
        "nameless.tar": (tar({**good, "": b"x"}, "w"), "a member has no name"),
        "dot.tar": (tar({**good, ".": b"x"}, "w"), "cannot be written"),
        "html.zip": (b"<html>not found</html>", "is an HTML page; the file was not kept"),
        "noise.zip": (b"noise" * 1000, "is no archive, or damaged"),
        "empty.zip": (b"", "is empty; the file was not kept"),
        "short.tgz": (tar(good)[:-2000], "is no archive, or damaged"),
        "up.tar": (tar({**good, "../../out.png": b"x"}, "w"), "has the member '../../out.png', which would lie outside its folder"),
        "root.tar": (tar({**good, "/tmp/levin-out.png": b"x"}, "w"), "has the member '/tmp/levin-out.png', which would lie outside"),
        "none.tar": (tar({}, "w"), "is an archive without files"),
        "file.tar": (tar({"cat": b"x", **good}, "w"), "the member 'cat/0.png' cannot be written: Not a directory"),
    }
    for name, (data, message) in bad.items():
        case.server.files[name] = data
        out = case.folder_of_pictures(case.server.url(name), code=4)
        assert message in out, (name, out)
    assert case.cached() == [], case.cached()
    assert not list(case.folder.rglob("out.png")) and not os.path.exists("/tmp/levin-out.png")
    case.server.files["links.tar"] = tar({**good, "link": link, "device": device}, "w")
    assert "2 of its members are links or devices, and were left out" in case.folder_of_pictures(case.server.url("links.tar"))


def test_other_addresses_are_refused(case):
    assert "404" in case.csv(case.server.url("nowhere.csv"), code=4) and case.cached() == []
    case.server.files.update({"page.csv": b" <!DOCTYPE HTML>\n<p>", "empty.csv": b""})
    assert "page.csv is an HTML page; the file was not kept" in case.csv(case.server.url("page.csv"), code=4)
    assert "empty.csv is empty; the file was not kept" in case.csv(case.server.url("empty.csv"), code=4) and case.cached() == []
    assert "an address has no spaces: write %20" in case.csv(case.server.url("x y.csv"), code=2)
    out = case.csv("s3://bucket/x.csv", code=2)
    assert "is an address; expected the path of a file or folder, or an http address" in out, out
    out = case.csv(case.server.url("x.csv"), "--callback", "prediction_writer", "--callback.prediction_writer.output_dir", "https://x.org/a", code=2)
    assert "expected the path of a file or folder: download it first" in out, out
    out = case.csv("http://127.0.0.1:1/x.csv", code=4)
    assert out.count("trying again") == 5 and "cannot be downloaded" in out, out


def test_a_transfer_goes_on_where_it_broke_off(case):
    rows = (CSV + CSV[6:] * 400).encode()
    case.server.files["x.csv"], case.server.cut["x.csv"] = rows, 100000
    assert "trying again" in case.csv(case.server.url("x.csv"))
    assert [begin for _, begin in case.server.asked] == [0, 100000], case.server.asked
    assert next(case.cache.glob("*/x.csv")).read_bytes() == rows


def run_until_part(case, words, file):
    """Starts a run, and waits until a part of the file is there."""
    run = subprocess.Popen(words, cwd=case.folder, env=case.env(), start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    asked = len(case.server.asked)
    while len(case.server.asked) == asked or not any(part.stat().st_size for part in case.cache.glob(f"*/{file}*.part")):
        assert run.poll() is None, run.returncode
        time.sleep(0.02)
    return run


def test_a_stopped_download_goes_on(case):
    rows = (CSV + CSV[6:] * 400).encode()
    for name, data in (("x.csv", rows), ("x.zip", zipped({"x.csv": rows + random.Random(0).randbytes(10)}))):
        case.server.files[name] = data
        case.server.slow.add(name)
        words = case.words("--model", "mlp", "--data", "csv", "--data.file", case.server.url(name), "--data.target", "y")
        for end, code in ((signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 75)):
            run = run_until_part(case, words, name)
            run.send_signal(end)
            if end == signal.SIGKILL:
                os.killpg(run.pid, end)
            began = time.monotonic()
            assert run.wait(60) == code, (run.returncode, code)
            assert end == signal.SIGKILL or time.monotonic() - began < 30 and case.server.slow, "a signal does not end a download"
        case.server.slow.clear()
        case.csv(case.server.url(name), code=0 if name == "x.csv" else 4)
        assert case.server.asked[-1][1] > 0, case.server.asked


def test_a_part_of_another_version_is_not_used(case):
    rows = (CSV + CSV[6:] * 400).encode()
    case.server.files["x.csv"] = rows
    case.server.slow.add("x.csv")
    words = case.words("--model", "mlp", "--data", "csv", "--data.file", case.server.url("x.csv"), "--data.target", "y")
    os.killpg(run_until_part(case, words, "x.csv").pid, signal.SIGKILL)
    case.server.slow.clear()
    case.server.tag, case.server.files["x.csv"] = "two", rows.replace(b"3,3,1", b"5,5,1")
    out = case.csv(case.server.url("x.csv"))
    assert "answers with another part of the file; trying again" in out, out
    assert next(case.cache.glob("*/x.csv")).read_bytes() == case.server.files["x.csv"]


def test_secrets_of_an_address_are_not_shown(case):
    case.server.files["x.csv"] = CSV.encode()
    url = case.server.url("x.csv?token=hush&" + "x" * 300).replace("://", "://me:secret@")
    out = case.csv(url)
    shown = case.server.url("x.csv?...")
    assert f"downloading {shown}\n" in out and "hush" not in out and "secret" not in out and case.cached() == ["x.csv"], out
    out = case.csv(url.replace("x.csv", "y.csv"), code=4)
    assert "y.csv?... cannot be downloaded" in out and "hush" not in out and "secret" not in out, out


def test_endings_and_arrays_are_those_of_the_file(case):
    case.server.files["l.json"] = json.dumps([{"file": f"{kind}/{i}.png", "label": kind} for kind in ("cat", "dög") for i in range(12)]).encode()
    case.server.files["pictures.zip"] = zipped(pictures(""))
    case.folder_of_pictures(case.server.url("pictures.zip"), "--data.labels", case.server.url("l.json?download=1"))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, shape, kind, data in (("x", (40, 3), "<f4", struct.pack("<120f", *range(120))), ("labels", (40,), "<i8", struct.pack("<40q", *[0, 1] * 20))):
            header = str({"descr": kind, "fortran_order": False, "shape": shape}).encode().ljust(117) + b"\n"
            archive.writestr(name + ".npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + data)
    case.server.files["set.npz"] = out.getvalue()
    case.fit("--model", "mlp", "--data", "npy", "--data.inputs", case.server.url("set.npz?download=1#array=x"), "--data.targets", case.server.url("set.npz?download=1#array=labels"))
    assert case.server.times("set.npz") == 1


def test_a_prediction_does_without_what_trained(case):
    case.server.files["x.csv"] = CSV.encode()
    case.csv(case.server.url("x.csv"))
    shutil.rmtree(case.cache)
    (case.folder / "new.csv").write_text(CSV)
    words = [case.host, "predict", "--ckpt_path", "levin_logs/version_0/checkpoints/last.ckpt", "--data.predict_file", "new.csv"]
    done = subprocess.run(words, cwd=case.folder, env=case.env(LEVIN_OFFLINE="1"), text=True, capture_output=True, timeout=300)
    assert done.returncode == 0 and "warning: --data.file: " in done.stderr and "goes on without it" in done.stderr, done
    words = [case.host, "test", "--ckpt_path", "levin_logs/version_0/checkpoints/last.ckpt", "--data.file", "http://me:secret@127.0.0.1:1/x.csv?token=hush"]
    done = subprocess.run(words, cwd=case.folder, env=case.env(LEVIN_OFFLINE="1"), text=True, capture_output=True, timeout=300)
    assert done.returncode == 4 and "secret" not in done.stderr and "hush" not in done.stderr, done


def test_processes_download_once(case):
    case.server.files["x.csv"] = CSV.encode()
    case.server.slow.add("x.csv")
    case.csv(case.server.url("x.csv"), "--trainer.devices", "2", "--trainer.strategy", "ddp")
    assert case.server.times("x.csv") == 1, case.server.asked
    case.server.files["y.zip"] = zipped({"x.csv": CSV})
    case.server.slow.add("y.zip")
    words = case.words("--model", "mlp", "--data", "csv", "--data.file", case.server.url("y.zip"), "--data.target", "y")
    runs = [subprocess.Popen(words, cwd=case.folder, env=case.env(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(3)]
    outs = [run.communicate(timeout=300)[0] for run in runs]
    assert all(run.returncode == 0 for run in runs), outs
    assert case.server.times("y.zip") == 1 and sum("unpacking" in out for out in outs) == 1, outs


def test_a_full_disk_leaves_nothing(case):
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
        print("SKIPPED: a full disk: unshare -rm is not allowed here")
        return
    case.server.files["x.zip"] = zipped({"x.csv": CSV, "big": b"0" * 3000000})
    words = " ".join(case.words("--model", "mlp", "--data", "csv", "--data.file", case.server.url("x.zip"), "--data.target", "y"))
    script = f"mount -t tmpfs -o size=1m none {case.cache} && {{ {words}; code=$?; ls {case.cache}; exit $code; }}"
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=case.folder, env=case.env(), text=True, capture_output=True, timeout=300)
    assert done.returncode == 1 and "No space left" in done.stderr and ".part" not in done.stdout, done


def main():
    host = os.path.abspath(sys.argv[1])
    chosen = sys.argv[2] if len(sys.argv) > 2 else ""
    first = Case(host)
    first.fit("--model", "mlp", "--data", "synthetic", "--trainer.limit_train_batches", "1")
    for name, test in list(globals().items()):
        if name.startswith("test_") and chosen in name:
            test(Case(host, first.cache))
            print("ok", name)


main()
