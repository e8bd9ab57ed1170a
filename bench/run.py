#!/usr/bin/env python3
"""bench/run.py BUILD_FOLDER [--quick] [--rounds N] [--out FOLDER]

Measures the host against training loops written by hand and writes results.md and results.json. scripts/bench builds
what is needed and calls this.

Host and hand-written loops run in one process, epoch by epoch in mirrored order (A B C, C B A, ...), on the same rows in
the same memory, with one thread; that their parameters agree is a condition of every row. Ratios are medians of pairs of
the same round, with a bootstrap interval of 95 %. CPU time is the process's own, so it hardly sees who else is busy."""
import argparse, json, os, platform, random, re, statistics, subprocess, sys, tempfile, time

WORKLOADS = [  # title, workload, batch size, batches per epoch
    ("MLP 8-8-1, batch 1", "mlp8", 1, 1000),
    ("MLP 64-64-10, batch 32", "mlp64", 32, 500),
    ("CNN 1x28x28, batch 128", "cnn", 128, 8),
    ("CNN 1x28x28, batch 1024", "cnn", 1024, 1),
]
LOGGERS = [("none", ["--logger", "false"]),  # rows every 50 steps, and every step
           ("50 ms a call, off the training thread, every 50 steps", ["--logger", "PLUGIN:slow"]),
           ("50 ms a call, off the training thread, every step", ["--logger", "PLUGIN:slow", "--trainer.log_every_n_steps", "1"])]
WITH_LOGGERS = [w for c in ("early_stopping", "model_checkpoint", "model_summary", "progress_bar", "results_table")
                for w in ("--callback", f"{c}=false")] + ["--trainer.logger_timeout", "0"]
CALLBACKS = [("no callback", 0, "idle"), ("5 that want no hook of a step", 5, "idle"),
             ("20 that want no hook of a step", 20, "idle"), ("5 that want the end of every batch", 5, "watch")]


def interval(values):
    """The median and the bounds of its 95 % bootstrap interval."""
    draw = random.Random(0)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(2000))
    return statistics.median(values), medians[49], medians[1949]


class Bench:
    def __init__(self, build, rounds):
        self.host, self.hand = f"{build}/bin/host", f"{build}/bench/bench-hand"
        self.plugin, self.rounds = f"{build}/bench/libbench.so", rounds
        self.work = tempfile.TemporaryDirectory(prefix="levin-bench-")
        self.out = os.path.join(self.work.name, "out.json")

    def fit(self, workload, batch, batches, epochs, *more):
        rows = str(batch * batches)
        return [self.host, "fit", "--model", self.plugin, "--data", self.plugin, "--model.workload", workload,
                "--data.workload", workload, "--data.rows", rows, "--data.batch_size", str(batch), "--data.shuffle", "false",
                *([] if "--logger" in more else ["--trainer.barebones", "true"]), "--trainer.num_threads", "1", "--trainer.accelerator", "cpu",
                "--trainer.max_epochs", str(epochs), "--default_root_dir", self.work.name, *more]

    def rival(self, workload, batch, batches, *more):
        c = "--callback.rival."
        return ["--callback", f"{self.plugin}:rival", c + "workload", workload, c + "rows", str(batch * batches), c + "batch",
                str(batch), c + "out", self.out, *more]

    def run(self, command):
        """The result that the command wrote, with the time at which it was started."""
        began = time.clock_gettime(time.CLOCK_MONOTONIC)
        done = subprocess.run(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}")
        with open(self.out) as file:
            result = json.load(file)
        os.remove(self.out)
        return {**result, "began": began}

    def duel(self, workload, batch, batches, *more):
        """Costs of the rounds, without the first two, which warm up."""
        result = self.run(self.fit(workload, batch, batches, self.rounds + 2, *self.rival(workload, batch, batches), *more))
        # The same optimizer must agree bit for bit to the end; another one after the first epoch, before rounding errors grow.
        if result["difference_same"] != 0 or not result["difference_torch"] < 1e-5:
            sys.exit(f"{workload}: the host and the hand-written loops did not train the same network: {result}")
        result["rounds"] = result["rounds"][2:]
        return result

    def alone(self, side, workload, batch, batches, epochs):
        if side == "host":
            return self.run(self.fit(workload, batch, batches, epochs, *self.rival(workload, batch, batches),
                                     "--callback.rival.alone", "true"))
        return self.run([self.hand, workload, str(batch * batches), str(batch), str(epochs), "torch", self.out])

    def first_step(self, side):
        if side == "host":
            result = self.run(self.fit("mlp8", 1, 10, 1, "--callback", f"{self.plugin}:first_step",
                                       "--callback.first_step.out", self.out))
        else:
            result = self.run([self.hand, "mlp8", "10", "1", "0", "torch", self.out])
        return {"wall": result["wall"] - result["began"], "cpu": result["cpu"], "peak_mib": result["peak_mib"]}

    def mirrored(self, rounds, measure):
        """Pairs of (host, hand) in the order A B, B A, ...; the first pair fills the file cache and is dropped."""
        pairs = []
        for i in range(rounds + 1):
            order = ("host", "hand") if i % 2 == 0 else ("hand", "host")
            got = {side: measure(side) for side in order}
            pairs.append((got["host"], got["hand"]))
        return pairs[1:]


def compare(result, other, clock):
    steps = result["steps"]
    us = lambda side: statistics.median(1e6 * r[side][clock] / steps for r in result["rounds"])
    return {"host_us": us("host"), "hand_us": us(other),
            "ratio": interval([r["host"][clock] / r[other][clock] for r in result["rounds"]]),
            "difference_us": interval([1e6 * (r["host"][clock] - r[other][clock]) / steps for r in result["rounds"]])}


def show(value, digits):
    return f"{value[0]:.{digits}f} [{value[1]:.{digits}f}, {value[2]:.{digits}f}]"


def noise(result):
    """How far CPU time of the same work, and waiting, moved between rounds."""
    cpu = sorted(r["same"]["cpu"] for r in result["rounds"])
    wall = sum(r[s]["wall"] for r in result["rounds"] for s in ("host", "same", "torch"))
    used = sum(r[s]["cpu"] for r in result["rounds"] for s in ("host", "same", "torch"))
    return {"cpu_spread": cpu[-1] / cpu[0], "wall_over_cpu": wall / used}


def machine(build):
    with open("/proc/cpuinfo") as file:
        model = re.search(r"model name\s*:\s*(.*)", file.read())
    cache = open(f"{build}/CMakeCache.txt").read()
    compiler = re.search(r"CMAKE_CXX_COMPILER:\w+=(.*)", cache).group(1)
    version = subprocess.run([f"{build}/bin/host", "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    compiled = subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]
    return {"cpu": model.group(1) if model else platform.machine(), "cores": os.cpu_count(), "system": system(),
            "levin": " ".join(version.split()), "compiler": compiled,
            "build": re.search(r"CMAKE_BUILD_TYPE:\w+=(.*)", cache).group(1)}


def system():
    with open("/etc/os-release") as file:
        name = re.search(r'PRETTY_NAME="(.*)"', file.read())
    return f"{name.group(1) if name else 'Linux'}, {platform.machine()}"


def measure(bench, quick):
    results = {"steps": [], "callbacks": []}
    workloads = WORKLOADS[:3] if quick else WORKLOADS
    for title, workload, batch, batches in workloads:
        print(f"  {title}", flush=True)
        duel = bench.duel(workload, batch, batches)
        results["steps"].append({"title": title, "noise": noise(duel),
                                 **{f"{o}_{c}": compare(duel, o, c) for o in ("torch", "same") for c in ("cpu", "wall")}})
    for title, count, kind in CALLBACKS:
        print(f"  callbacks: {title}", flush=True)
        more = [w for i in range(count) for w in ("--callback", f"c{i}={bench.plugin}:{kind}")]
        duel = bench.duel("mlp8", 1, 1000, *more)
        results["callbacks"].append({"title": title, "noise": noise(duel), "cpu": compare(duel, "same", "cpu")})
    print("  callbacks: none, the loss is logged", flush=True)
    duel = bench.duel("mlp8", 1, 1000, "--model.logs", "true")
    results["callbacks"].append({"title": "no callback; the model logs its loss", "noise": noise(duel),
                                 "cpu": compare(duel, "same", "cpu")})
    results["loggers"] = []
    for title, words in LOGGERS:
        print(f"  loggers: {title}", flush=True)
        duel = bench.duel("mlp64", 32, 500, "--model.logs", "true", *WITH_LOGGERS, *(w.replace("PLUGIN", bench.plugin) for w in words))
        results["loggers"].append({"title": title, "noise": noise(duel), **{c: compare(duel, "same", c) for c in ("cpu", "wall")}})
    print("  start-up", flush=True)
    pairs = bench.mirrored(3 if quick else 10, bench.first_step)
    results["first_step"] = {c: {"host": statistics.median(a[c] for a, _ in pairs),
                                 "hand": statistics.median(b[c] for _, b in pairs),
                                 "difference": interval([a[c] - b[c] for a, b in pairs])} for c in ("wall", "cpu", "peak_mib")}
    results["processes"] = []
    for title, workload, batch, batches in workloads:
        print(f"  {title}, processes of their own", flush=True)
        pairs = bench.mirrored(1 if quick else 4, lambda side: bench.alone(side, workload, batch, batches, 6))
        us = lambda r: statistics.median(1e6 * next(iter(e.values()))["cpu"] / r["steps"] for e in r["rounds"][2:])
        results["processes"].append({"title": title, "host_us": statistics.median(us(a) for a, _ in pairs),
                                     "hand_us": statistics.median(us(b) for _, b in pairs),
                                     "ratio": interval([us(a) / us(b) for a, b in pairs]),
                                     "host_mib": statistics.median(a["peak_mib"] for a, _ in pairs),
                                     "hand_mib": statistics.median(b["peak_mib"] for _, b in pairs)})
    return results


def markdown(r):
    m, out = r["machine"], []
    add = out.append
    add(f"# The host against loops written by hand\n\n{m['levin']}; {m['compiler']}, {m['build']}; {m['cpu']}, {m['cores']} cores; "
        f"{m['system']}. One thread, {r['rounds']} rounds, medians of pairs with 95 % bootstrap intervals. Load average "
        f"{r['load'][0]:.1f} before, {r['load'][1]:.1f} after.\n")
    add("## A step, both sides in one process\n\nThe hand-written loop once with `torch::optim::SGD`, as everybody writes it, "
        "and once with the host's own SGD, which shows what the host costs beside the optimizer. In every row the parameters "
        "were the same: to the end and bit for bit with the same optimizer, within 1e-5 after the first epoch with the other.\n")
    add("| workload | clock | host, us | torch::optim, us | host / it | same optimizer, us | host / it | host - it, us |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for s in r["steps"]:
        for clock in ("cpu", "wall"):
            t, o = s[f"torch_{clock}"], s[f"same_{clock}"]
            add(f"| {s['title']} | {clock} | {t['host_us']:.1f} | {t['hand_us']:.1f} | {show(t['ratio'], 3)} | "
                f"{o['hand_us']:.1f} | {show(o['ratio'], 3)} | {show(o['difference_us'], 2)} |")
    add("\n## What the host itself costs a step\n\nMLP 8-8-1, batch 1, against the loop with the same optimizer, CPU time.\n")
    add("| callbacks | host - hand, us a step | host / hand |\n| --- | ---: | ---: |")
    for c in r["callbacks"]:
        add(f"| {c['title']} | {show(c['cpu']['difference_us'], 2)} | {show(c['cpu']['ratio'], 3)} |")
    add("\n## What a slow logger costs a step\n\nMLP 64-64-10, batch 32, whose loss is logged, against the loop with the same optimizer. The "
        "last column is the wall time of a step against the run without a logger.\n")
    add("| logger | CPU, host / hand | wall, host / hand | against none |\n| --- | ---: | ---: | ---: |")
    for l in r["loggers"]:
        against = l["wall"]["ratio"][0] / r["loggers"][0]["wall"]["ratio"][0]
        add(f"| {l['title']} | {show(l['cpu']['ratio'], 3)} | {show(l['wall']['ratio'], 3)} | {against:.3f} |")
    add("\n## From the start of the process to the first optimizer step\n\nAgainst a LibTorch program that makes one step.\n")
    add("| | host | program | difference |\n| --- | ---: | ---: | ---: |")
    for key, name, scale, digits in (("wall", "wall, ms", 1e3, 0), ("cpu", "CPU, ms", 1e3, 0), ("peak_mib", "peak memory, MiB", 1, 1)):
        f = r["first_step"][key]
        add(f"| {name} | {scale * f['host']:.{digits}f} | {scale * f['hand']:.{digits}f} | "
            f"{show([scale * v for v in f['difference']], digits)} |")
    add("\n## In processes of their own\n\nThe host sets up its process (allocator, threads); the program is left as a user "
        "would start it, with `torch::optim::SGD` and OMP_NUM_THREADS=1. CPU time; peak memory of the whole process.\n")
    add("| workload | host, us a step | program, us a step | host / program | host, MiB | program, MiB |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: |")
    for p in r["processes"]:
        add(f"| {p['title']} | {p['host_us']:.1f} | {p['hand_us']:.1f} | {show(p['ratio'], 3)} | {p['host_mib']:.1f} | {p['hand_mib']:.1f} |")
    rows = r["steps"] + r["callbacks"]
    add(f"\n## How noisy it was\n\nCPU time of the same hand-written epoch, slowest round over fastest: "
        f"{max(s['noise']['cpu_spread'] for s in rows):.2f} at worst, "
        f"{statistics.median(s['noise']['cpu_spread'] for s in rows):.2f} in the median row. Wall over CPU time: "
        f"{min(s['noise']['wall_over_cpu'] for s in rows):.2f} to {max(s['noise']['wall_over_cpu'] for s in rows):.2f} (1: the machine was ours).\n")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--out", default="bench/results")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    rounds = args.rounds or (10 if args.quick else 30)
    before = os.getloadavg()[0]
    results = measure(Bench(build, rounds), args.quick)
    results.update(machine=machine(build), rounds=rounds, load=[before, os.getloadavg()[0]])
    os.makedirs(args.out, exist_ok=True)
    with open(f"{args.out}/results.json", "w") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    text = markdown(results)
    with open(f"{args.out}/results.md", "w") as file:
        file.write(text)
    print("\n" + text)


if __name__ == "__main__":
    main()
