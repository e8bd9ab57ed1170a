#!/usr/bin/env python3
"""Makes each file system call of a real run fail in turn, or kills the run before it, and resumes runs that ended."""
import argparse, json, pathlib, re, sys

from runs import CASES, Build, Table, last_error, memory_folder, until_interrupted

CASE = "the best two and last"
# How a call fails. "from then on": all later calls fail too, as on a disk that stays full.
FAULTS = {"EIO": ["EIO"], "ENOSPC": ["ENOSPC"], "EACCES": ["EACCES"], "EINTR": ["EINTR"], "short write": ["short"],
          "ENOSPC from then on": ["ENOSPC", "--after"], "EIO from then on": ["EIO", "--after"], "SIGKILL": None}


def watched(build, words, *faults):
    """Runs the command and returns (code, stderr, report)."""
    report = build.root / "report.json"
    code, err = build.call([str(build.build / "tests/with_faults"), "--below", str(build.base), "--report", str(report), *faults,
                               "--", *words])
    return code, err, json.loads(report.read_text())


def names(report, fault):
    """Yields the names by which an error may refer to the file: its own name, or that of the file it is written for. A checkpoint's
    temporary file may be named by its folder. If all later calls fail, the error may name any file of the folder."""
    for path in filter(None, (report["path"], report["other"])):
        path = pathlib.Path(path)
        own = path.name.split(".new")[0].split(".tmp")[0]
        yield own or path.parent.name
        if "from then on" in fault:
            yield path.parent.name


def attack(build, whole, k, fault, table):
    build.fresh()
    how = ["--fail", str(k), "--error", *FAULTS[fault]] if FAULTS[fault] else ["--kill", str(k)]
    code, err, hit = watched(build, build.fit_words(CASE), *how)
    place = f"call {k} ({hit['name']} {hit['path']}), {fault}"
    table.add(fault, "calls")
    if not hit["name"]:
        return table.add(fault, "not reached")
    if fault == "EINTR" and code != 0:
        table.problem(f"{place}: the call was not made again: {code}: {last_error(err)}")
    if code == 0:
        wrong = build.difference(whole)
        told = any(name in line for name in names(hit, fault) for line in err.splitlines() if "warning" in line)
        if wrong and not told:
            return table.problem(f"{place}: ended with 0, and silently: {wrong}")
        return table.add(fault, "went on, and told" if wrong else "went on, equal")
    error = last_error(err)
    if FAULTS[fault] and (code >= 124 or code == 70 or not error):
        return table.problem(f"{place}: ended with {code}: {err[-600:]}")
    if FAULTS[fault] and not any(name in error for name in names(hit, fault)):
        return table.problem(f"{place}: the error does not name the file: {error}")
    table.add(fault, "ended")
    if not build.run.exists():
        return table.add(fault, "no folder yet")
    wrong, went_on = build.go_on(whole, build.announced())
    table.add(fault, "wrong" if wrong else "gone on with, equal" if went_on else "no checkpoint yet")
    if wrong:
        table.problem(f"{place}: {error}: {wrong}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--every", type=int, default=1, help="only every n-th call, each with another fault")
    parser.add_argument("--only", metavar="PATTERN", help="only calls whose 'NAME PATH' has this regular expression")
    parser.add_argument("--fault", choices=FAULTS, help="this one alone")
    parser.add_argument("--folder", default=memory_folder(), help="for the runs (%(default)s)")
    args = parser.parse_args()
    faults = [args.fault] if args.fault else list(FAULTS)
    table = Table("fault", "calls", "not reached", "went on, equal", "went on, and told", "ended", "no folder yet",
                  "no checkpoint yet", "gone on with, equal", "wrong")
    with Build(args.build, args.folder) as build, until_interrupted():
        build.need_faults()
        whole, _ = build.whole(CASE)
        build.fresh()
        record = build.root / "record"
        code, _, report = watched(build, build.fit_words(CASE), *(["--record", str(record)] if args.only else []))
        print(f"{report['calls']} calls below the run's folder", flush=True)
        chosen = range(1, report["calls"] + 1)
        if args.only:
            calls = [json.loads(line) for line in record.read_text().splitlines()]
            chosen = [k for k in chosen if re.search(args.only, f"{calls[k - 1]['name']} {calls[k - 1]['path']}")]
            print(f"{len(chosen)} of them are chosen", flush=True)
        if code != 0 or build.difference(whole):
            table.problem("the watched run is not the plain one")
        for k in chosen[::args.every]:
            if k % 50 == 1:
                print(f"call {k}", file=sys.stderr, flush=True)
            for fault in faults if args.every == 1 else [faults[k % len(faults)]]:
                attack(build, whole, k, fault, table)
    table.end()


if __name__ == "__main__":
    main()
