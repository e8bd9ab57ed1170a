#!/usr/bin/env python3
"""Records what a real run writes, creates the states of its folder that a power cut may leave, and resumes the run from each.

Unsynced writes are lost, torn or complete, independently for each file. The names of an unsynced folder are there up to any one
of its changes. A run must resume from a checkpoint that is not older than the newest one announced to a callback."""
import argparse, json, os, pathlib, shutil

from runs import CASES, Build, Table, generator, memory_folder, until_interrupted


class File:
    def __init__(self):
        self.synced, self.later = b"", []  # later: unsynced changes

    def write(self, offset, data):
        self.later.append((offset, data))

    def sync(self):
        self.synced, self.later = self.content(len(self.later)), []

    def content(self, n, torn=None):
        """Returns the bytes after the first n changes. torn: a random generator that drops each change or a part of it."""
        out = bytearray(self.synced)
        for offset, data in self.later[:n]:
            if data is None:  # a new length
                out = out[:offset].ljust(offset, b"\0")
                continue
            if torn is not None:
                data = data[: torn.choice((0, torn.randint(0, len(data)), len(data)))]
            if data:
                out = out.ljust(offset, b"\0")
                out[offset : offset + len(data)] = data
        return bytes(out)


class Folder:
    def __init__(self):
        self.synced, self.now, self.later = {}, {}, []  # maps of names; later: the names after each unsynced change

    def change(self, **names):
        self.now = {k: v for k, v in {**self.now, **names}.items() if v is not None}
        self.later.append(self.now)

    def sync(self):
        self.synced, self.later = self.now, []


class Disk:
    """The state of the kernel and of the disk, call by call."""

    def __init__(self, root):
        self.root, self.top, self.announced = pathlib.Path(root), Folder(), []

    def place(self, path):
        """Returns (folder, name) of an absolute path, or (None, None) if it is elsewhere."""
        try:
            parts = pathlib.Path(path).relative_to(self.root).parts
        except ValueError:
            return None, None
        folder = self.top
        for part in parts[:-1]:
            folder = folder.now.get(part)
            if not isinstance(folder, Folder):
                return None, None
        return (folder, parts[-1]) if parts else (self.top, None)

    def find(self, path):
        folder, name = self.place(path)
        return folder if folder is None or name is None else folder.now.get(name)

    def apply(self, call, data):
        folder, name = self.place(call["path"])
        if folder is None:
            return
        thing = self.find(call["path"])
        what = call["name"]
        if what == "open":
            if thing is None and call["makes"]:
                folder.change(**{name: File()})
            elif call["empties"] and isinstance(thing, File):
                thing.write(0, None)
        elif what == "mkdir" and thing is None:
            folder.change(**{name: Folder()})
        elif what == "write" and isinstance(thing, File):
            thing.write(call["offset"], data)
        elif what == "truncate" and isinstance(thing, File):
            thing.write(call["offset"], None)
        elif what == "sync" and thing is not None:
            thing.sync()
        elif what == "unlink" and thing is not None:
            folder.change(**{name: None})
        elif what in ("rename", "link") and thing is not None:
            self.give_name(what, folder, name, thing, call["other"])

    def give_name(self, what, folder, name, thing, path):
        to, other = self.place(path)
        if to is None or (what == "link" and other in to.now):
            return
        gone = {name: None} if what == "rename" else {}
        if to is folder:
            folder.change(**gone, **{other: thing})
        else:
            to.change(**{other: thing})
            folder.change(**gone)

    def lay_down(self, path, rng, folder=None):
        """Writes a state that a power cut may leave. rng None: the minimal one, with only what was synced."""
        folder = folder or self.top
        names = folder.synced
        if rng is not None and folder.later:
            n = rng.choice((0, rng.randint(0, len(folder.later)), len(folder.later)))
            names = folder.later[n - 1] if n else folder.synced
        path.mkdir(exist_ok=True)
        for name, thing in names.items():
            if isinstance(thing, Folder):
                self.lay_down(path / name, rng, thing)
            else:
                self.lay_down_file(path / name, rng, thing)

    def lay_down_file(self, path, rng, thing):
        if thing in self.files:  # a hard link
            os.link(self.files[thing], path)
            return
        n = 0 if rng is None else rng.choice((0, rng.randint(0, len(thing.later)), len(thing.later)))
        path.write_bytes(thing.content(n, None if rng is None or rng.random() < 0.5 else rng))
        self.files[thing] = path

    def states(self, path, rng):
        self.files = {}
        shutil.rmtree(path, ignore_errors=True)
        self.lay_down(path, rng)


def record(build, case):
    build.fresh()
    file = build.root / "record"
    code, err = build.call([str(build.build / "tests/with_faults"), "--below", str(build.root), "--record", str(file), "--",
                               *build.fit_words(case)])
    if code != 0:
        raise SystemExit(f"the recorded run ended with {code}:\n{err}")
    data = pathlib.Path(str(file) + ".data").read_bytes()
    calls = [json.loads(line) for line in file.read_text().splitlines()]
    return [(c, data[c["at"] : c["at"] + c["bytes"]]) for c in calls]


def attack_case(build, case, n, rng, table):
    whole, _ = build.whole(case)
    calls = record(build, case)
    below = [i for i, (c, _) in enumerate(calls) if c["path"].startswith(str(build.base))]
    points = sorted(rng.choices(below, k=n))
    disk, done = Disk(build.base), 0
    for state, point in enumerate(points):
        for call, data in calls[done : point + 1]:
            disk.apply(call, data)
            if call["name"] == "write" and call["path"] == str(build.announced_file):
                disk.announced.append(int(data))
        done = point + 1
        disk.states(build.base, rng if state % 4 else None)
        announced = max(disk.announced, default=None)
        table.add(case, "states")
        if not build.run.exists():
            wrong, column = ("the folder is gone" if announced is not None else ""), "no folder yet"
        else:
            wrong, went_on = build.go_on(whole, announced)
            column = "gone on with, equal" if went_on else "no checkpoint yet"
        table.add(case, "wrong" if wrong else column)
        if wrong:
            call = calls[point][0]
            table.problem(f"{case}, after call {point} ({call['name']} {call['path']}), state {state}: {wrong}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--states", type=int, default=2000, help="of all configurations together")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--folder", default=memory_folder(), help="for the runs (%(default)s)")
    args = parser.parse_args()
    rng = generator(args.seed)
    table = Table("configuration", "states", "gone on with, equal", "no checkpoint yet", "no folder yet", "wrong")
    with Build(args.build, args.folder) as build, until_interrupted():
        build.need_faults()
        for i, case in enumerate(CASES):
            share = (args.states + i) // len(CASES)
            if share:
                attack_case(build, case, share, rng, table)
    table.end()


if __name__ == "__main__":
    main()
