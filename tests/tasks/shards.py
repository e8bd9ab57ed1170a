"""Usage: shards.py HOST LIBRARY SETS. The example that prepares tar shards: every image and class is in them, whatever the workers."""
import gzip
import os
import subprocess
import sys
import tarfile
import tempfile
import zlib

host, library, sets = sys.argv[1:]


def idx(path, head):
    with gzip.open(path) as file:
        return file.read()[head:]


def shards(root, file, workers):
    """Path, images, bytes and checksum of each shard."""
    subprocess.run([host, "tasks", "--library", library, "--file", file, "--workers", str(workers), "--default_root_dir", root,
                    "--tasks.folder", root + "/shards"], check=True)
    with open(root + "/levin_logs/tasks_0/output") as output:
        return [line.split() for line in output]


def check_set(name, images, labels, rows):
    pixels, classes, seen = idx(images, 16), idx(labels, 8), 0
    for path, count, size, checksum in rows:
        with open(path, "rb") as file:
            raw = file.read()
        assert (len(raw), f"{zlib.crc32(raw):08x}") == (int(size), checksum), path
        with tarfile.open(path, "r:") as archive:
            members = archive.getmembers()
            assert len(members) == 2 * int(count), path
            for image, kind in zip(members[::2], members[1::2]):
                assert (image.name, kind.name) == (f"{seen:06}.pgm", f"{seen:06}.cls"), (image.name, kind.name)
                expected = b"P5\n28 28\n255\n" + pixels[784 * seen:784 * (seen + 1)]
                assert archive.extractfile(image).read() == expected, (path, image.name)
                assert archive.extractfile(kind).read() == b"%d" % classes[seen], (path, kind.name)
                seen += 1
    assert seen == len(classes), (name, seen)
    print(f"{name}: {seen} images in {len(rows)} shards")


with tempfile.TemporaryDirectory() as root:
    all_rows = shards(root + "/all", sets, 3)
    assert len(all_rows) == 70 and os.listdir(root + "/all/shards").__len__() == 70
    lines = [line.split() for line in open(sets) if not line.startswith("#")]
    name, images, labels = lines[1]
    check_set(name, images, labels, [row for row in all_rows if f"/{name}-" in row[0]])
    assert sum(int(row[1]) for row in all_rows) == 70000
    with open(root + "/one.txt", "w") as file:
        file.write(" ".join(lines[1]) + "\n")
    alone = shards(root + "/one", root + "/one.txt", 1)
    assert [row[1:] for row in alone] == [row[1:] for row in all_rows[60:]], "the shards differ with the number of workers"
