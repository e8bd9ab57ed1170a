#!/usr/bin/env python3
"""Lets each file system call of a real run fail in turn, and what the run does not survive go on without faults."""
import argparse, json, pathlib, sys

from runs import CASES, Build, Table, last_error

CASE = "the best two and last"
# How a call fails; "from then on": so do all later ones, as on a disk that stays full.
FAULTS = [("EIO",), ("ENOSPC",), ("EACCES",), ("EINTR",), ("short",), ("ENOSPC", "--after"), ("EIO", "--after")]


def watched(build, words, *faults):
    """Runs it, and returns (code, stderr, report)."""
    report = build.root / "report.json"
    code, err, _ = build.call([str(build.build / "tests/with_faults"), "--below", str(build.base), "--report", str(report), *faults,
                               "--", *words])
    return code, err, json.loads(report.read_text())


def names(report):
    """What an error may call the file: its own name, that of the file it is written for, or of the folder."""
    for path in filter(None, (report["path"], report["other"])):
        path = pathlib.Path(path)
        yield from (path.name, path.name.split(".new")[0].split(".tmp")[0] or path.parent.name, path.parent.name)


def attack(build, whole, k, fault, table):
    build.fresh()
    code, err, hit = watched(build, build.fit_words(CASE), "--fail", str(k), "--error", *fault)
    row, place = " ".join(fault).replace(" --after", " from then on"), f"call {k} ({hit['name']} {hit['path']}), {' '.join(fault)}"
    table.add(row, "faults")
    if not hit["name"]:
        return table.add(row, "not reached")
    error = last_error(err)
    if code == 0:
        wrong = build.difference(whole)
        told = any(name in line for name in names(hit) for line in err.splitlines() if "warning" in line)
        if wrong and not told:
            return table.problem(f"{place}: ended with 0, and silently: {wrong}")
        return table.add(row, "went on, and told" if wrong else "went on, equal")
    if code >= 124 or code == 70 or not error:
        return table.problem(f"{place}: ended with {code}: {err[-600:]}")
    if not any(name in error for name in names(hit)):
        return table.problem(f"{place}: the error does not name the file: {error}")
    table.add(row, "ended with an error")
    if not build.run.exists():
        return table.add(row, "no folder yet")
    wrong, went_on = build.go_on(whole, build.announced())
    table.add(row, "gone on with, equal" if went_on else "no checkpoint yet")
    if wrong:
        table.problem(f"{place}: {error}: {wrong}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--every", type=int, default=1, help="only every n-th call, each with another fault")
    parser.add_argument("--folder", default="/dev/shm", help="for the runs (%(default)s)")
    args = parser.parse_args()
    table = Table("fault", "faults", "not reached", "went on, equal", "went on, and told", "ended with an error", "no folder yet",
                  "no checkpoint yet", "gone on with, equal")
    with Build(args.build, args.folder) as build:
        build.need_faults()
        whole, _ = build.whole(CASE)
        build.fresh()
        code, _, report = watched(build, build.fit_words(CASE))
        print(f"{report['calls']} calls below the run's folder", flush=True)
        if code != 0 or build.difference(whole):
            table.problem("the watched run is not the plain one")
        for k in range(1, report["calls"] + 1, args.every):
            if k % 50 == 1:
                print(f"call {k}", file=sys.stderr, flush=True)
            chosen = FAULTS if args.every == 1 else [FAULTS[k % len(FAULTS)]]
            for fault in chosen:
                attack(build, whole, k, fault, table)
    table.end()


if __name__ == "__main__":
    main()
