#!/usr/bin/env python3
"""instructions.py BUILD [--write]

Counts by callgrind what a steady training step executes in Levin's own files, and how often these call an allocation, and
compares both with steps.json. Neither depends on the machine's speed or on other programs. More than 5 % more instructions
or half an allocation more is a failure; --write replaces the stored count of this compiler, LibTorch and build, after a change that is worth
it. Ends with 77 where the counts cannot be compared."""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

STEPS = 200
LIMITS = {"instructions": lambda stored: 1.05 * stored, "allocations": lambda stored: stored + 0.5}
STORED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "steps.json")
ALLOCATIONS = re.compile(r"^(malloc|calloc|realloc|posix_memalign|aligned_alloc|operator new.*)(@.*)?$")
STRINGS = re.compile(r"/libstdc\+\+\.so")  # allocates for std::string in place of its caller


def skipped(why):
    print(f"SKIPPED: {why}", file=sys.stderr)
    sys.exit(77)


def profile(build, folder):
    """The profile of STEPS steps of a small network that logs its loss, as callgrind writes it."""
    plugins = f"{build}/tests/plugins_for_tests"
    fit = [f"{build}/bin/host", "fit", "--plugins", plugins, "--model", "steady", "--model.logs", "true", "--data", "ones",
           "--data.batch_size", "4", "--trainer.max_epochs", "1", "--trainer.accelerator", "cpu", "--trainer.num_threads", "1",
           "--trainer.cpu_kernels", "off",
           "--trainer.log_every_n_steps", "1000000", "--logger", "false", "--callback", "counted", "--callback.counted.steps",
           str(STEPS), "--default_root_dir", folder]
    # The plugins' descriptions are cached by a run without valgrind, where loading them takes no time.
    subprocess.run([*fit, "--fast_dev_run", "true"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--separate-threads=yes", "--trace-children=yes",
                "--trace-children-skip-by-arg=describe,--try-product", f"--callgrind-out-file={folder}/profile.%p"]
    # valgrind has no AVX-512, and the host would choose OpenBLAS's kernels for the real processor.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Prescott"}
    done = subprocess.run([*valgrind, *fit], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    profiles = [f"{folder}/{name}" for name in os.listdir(folder) if name.startswith("profile.")]
    largest = max(profiles, key=os.path.getsize, default=None)
    if done.returncode or largest is None or os.path.getsize(largest) < 10000:
        sys.exit(f"the run under valgrind ended with {done.returncode}:\n{done.stdout[-3000:]}")
    with open(largest, errors="replace") as file:
        return file.read()


def counts(text, build):
    """Instructions by function within the files of the build, and calls of an allocation by caller, there and in strings."""
    names = {"ob": {}, "fn": {}}
    instructions, allocations = collections.Counter(), collections.Counter()
    place = {"ob": "", "fn": ""}
    called = {"ob": "", "fn": ""}
    of_call = False  # the next line has the cost of a call

    def name_of(kind, value):
        number, _, name = value.partition(" ")
        if name:
            names[kind][number] = name
        return names[kind].get(number, value)

    for line in text.splitlines():
        key, equals, value = line.partition("=")
        if equals and key in ("ob", "fn"):
            place[key] = name_of(key, value)
            if key == "fn":
                called["ob"] = place["ob"]
        elif equals and key in ("cob", "cfn"):
            called[key[1:]] = name_of(key[1:], value)
        elif equals and key == "calls":
            of_levin = place["ob"].startswith(build) or STRINGS.search(place["ob"]) and not ALLOCATIONS.match(place["fn"])
            if of_levin and ALLOCATIONS.match(called["fn"]):
                allocations[place["fn"]] += int(value.split()[0])
            of_call, called["ob"] = True, place["ob"]
        elif re.match(r"[0-9+*-]\S* \d+$", line):
            if not of_call and place["ob"].startswith(build):
                instructions[place["fn"]] += int(line.split()[1])
            of_call = False
    return instructions, allocations


def kind_of(build):
    with open(f"{build}/CMakeCache.txt") as file:
        cache = dict(re.findall(r"^(\w+):\w+=(.*)$", file.read(), re.M))
    compiler = subprocess.check_output([cache["CMAKE_CXX_COMPILER"], "-dumpfullversion"], text=True).strip()
    family = "clang" if "clang" in cache["CMAKE_CXX_COMPILER"] else "gcc"
    torch = re.search(r"LibTorch ([\d.]+)", subprocess.check_output([f"{build}/bin/host", "--version"], text=True)).group(1)
    flags = cache.get(f"CMAKE_CXX_FLAGS_{cache['CMAKE_BUILD_TYPE'].upper()}", "")
    checked = ", checked" if cache.get("LEVIN_CHECKED") == "ON" else ""
    if cache.get("LEVIN_SANITIZE"):
        skipped("a build with sanitizers executes other instructions")
    return f"{family} {compiler}, LibTorch {torch}, {flags}{checked}"


def report(counter, title, count=12):
    print(f"{title}, a step:")
    for name, n in counter.most_common(count):
        print(f"  {n / STEPS:10.1f}  {name[:150]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    build = os.path.realpath(args.build)
    if not shutil.which("valgrind") or not os.path.exists(f"{build}/tests/plugins_for_tests/libtest_counted.so"):
        skipped("valgrind is not there (apt install valgrind, then configure again): the instructions of a step are not counted")
    kind = kind_of(build)
    with open(STORED) as file:
        stored = json.load(file)
    if kind not in stored and not args.write:
        skipped(f"{STORED} has no counts for {kind}: store them with {sys.argv[0]} {args.build} --write")
    with tempfile.TemporaryDirectory() as folder:
        instructions, allocations = counts(profile(build, folder), build + "/")
    now = {"instructions": round(sum(instructions.values()) / STEPS), "allocations": round(sum(allocations.values()) / STEPS, 2)}
    print(f"{kind}: {now['instructions']} instructions and {now['allocations']} allocations a step")
    if args.write:
        stored[kind] = now
        with open(STORED, "w") as file:
            json.dump(stored, file, indent=2, sort_keys=True)
            file.write("\n")
        return
    worse = [what for what, count in stored[kind].items() if now[what] > LIMITS[what](count)]
    if worse:
        report(instructions, "Instructions")
        report(allocations, "Allocations")
        sys.exit(f"a step has more {' and '.join(worse)} than stored ({json.dumps(stored[kind])}); if it is worth it: "
                 f"{sys.argv[0]} {args.build} --write")


main()
