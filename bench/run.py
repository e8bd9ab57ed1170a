#!/usr/bin/env python3
"""run.py BUILD [--rows NAME,NAME] [--quick] [--rounds N] [--python PYTHON] [--out FOLDER]

Measures rows (rows.py) and writes results.md and results.json. scripts/bench builds what is needed and calls this. Rows
that results.json has of the same build and machine are kept if they are not measured again."""

import argparse, json, os, platform, re, subprocess, time

import report
from rows import QUICK, ROWS, chosen
from sides import Bench, Skipped


def machine(bench):
    with open("/proc/cpuinfo") as file:
        text = file.read()
    model = re.search(r"model name\s*:\s*(.*)", text)
    vectors = ", AVX-512" if " avx512f " in text else ", AVX2" if " avx2 " in text else ""
    with open("/etc/os-release") as file:
        system = re.search(r'PRETTY_NAME="(.*)"', file.read())
    with open(f"{bench.build}/CMakeCache.txt") as file:
        cache = file.read()
    compiler = re.search(r"CMAKE_CXX_COMPILER:\w+=(.*)", cache).group(1)
    return {"cpu": (model.group(1) if model else platform.machine()) + vectors, "cores": len(os.sched_getaffinity(0)),
            "system": f"{system.group(1) if system else 'Linux'}, {platform.machine()}",
            "compiler": subprocess.check_output([compiler, "--version"], text=True).splitlines()[0],
            "build": os.path.basename(bench.build), **bench.versions}


def measure(row, bench):
    begin = time.monotonic()
    try:
        result = row.measure(bench, **row.options)
    except Skipped as why:
        result = {"skipped": str(why)}
        print(f"    NOT MEASURED: {why}", flush=True)
    for side, why in result.get("missing", {}).items():
        print(f"    NOT MEASURED: {side}: {why}", flush=True)
    load, seconds = os.getloadavg()[0], time.monotonic() - begin
    return {"title": row.title, **result, "load": round(load, 1), "seconds": round(seconds, 1)}


def former(path, machine):
    try:
        with open(path) as file:
            results = json.load(file)
        return results if results["machine"] == machine else {}
    except (OSError, ValueError, KeyError):
        return {}


def save(results, path):
    """One line for each row."""
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in results["rows"].items())
    head = ", ".join(f'"{key}": {json.dumps(results[key])}' for key in ("machine", "limits"))
    with open(path, "w") as file:
        file.write(f'{{{head}, "rows": {{\n{rows}\n}}}}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rows", help="names with commas; list = print the names")
    parser.add_argument("--quick", action="store_true", help="a few rows and rounds, less than a minute")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--out", default="bench/results")
    args = parser.parse_args()
    rows = chosen(args.rows.split(",") if args.rows else QUICK if args.quick else [row.name for row in ROWS])
    bench = Bench(args.build, args.python, args.rounds or (5 if args.quick else 21), args.quick)
    results = {"machine": machine(bench), "limits": {}, "rows": {}}
    results["limits"] = bench.json_of([bench.program("limits"), "1"])
    before = former(f"{args.out}/results.json", results["machine"])
    results["rows"] = before.get("rows", {})
    for key, value in before.get("limits", {}).items():  # other processes only lower what is measured
        results["limits"][key] = max(value, results["limits"][key])
    os.makedirs(args.out, exist_ok=True)
    for row in rows:
        print(f"  {row.name}: {row.title}", flush=True)
        results["rows"][row.name] = measure(row, bench)
        save(results, f"{args.out}/results.json")
    text = "\n".join(report.markdown(results, ROWS))
    with open(f"{args.out}/results.md", "w") as file:
        file.write(text)
    print("\n" + text)


if __name__ == "__main__":
    main()
