"""results.md from results.json."""

SIDES = {"hand": "LibTorch loop", "python": "Python", "lightning": "Lightning"}
STEPS = """Each side runs in a process of its own, with one thread. Columns with "/ host" are quotients: above 1, the
host is faster. The LibTorch loop is hand-written C++ with `torch::optim`. Python is a plain loop without a loader
(bench/python). Lightning has neither progress bar nor checkpoints. The limit is the step's arithmetic at the GFLOP/s
above, or its bytes at the GB/s above. Peak memory: host / LibTorch loop / Python / Lightning."""


def show(value, digits=2):
    return "-" if value is None else f"{value[0]:.{digits}f} [{value[1]:.{digits}f}, {value[2]:.{digits}f}]"


def ratio(row, side, clock):
    return show(row["ratios"].get(side, {}).get(clock))


def with_unit(value, units):
    """units: the greatest first, each with its factor."""
    factor, unit = next((u for u in units if value >= u[0]), units[-1])
    return f"{value / factor:.3g} {unit}" if value < 999 * factor else f"{value / factor:.0f} {unit}"


def time_text(seconds):
    return with_unit(seconds, [(1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")])


def table(columns, lines, left=1):
    yield "| " + " | ".join(columns) + " |"
    yield "| " + " | ".join(["---"] * left + ["---:"] * (len(columns) - left)) + " |"
    for line in lines:
        yield "| " + " | ".join(str(v) for v in line) + " |"
    yield ""


def steps(rows, limits):
    yield STEPS + "\n"
    columns = ["row", "clock", "host", *(f"{title} / host" for title in SIDES.values())]
    yield from table(columns, ([row["title"] if clock == "cpu" else "", clock, time_text(row["sides"]["host"][clock]),
                                *(ratio(row, side, clock) for side in SIDES)]
                               for row in rows for clock in ("cpu", "wall")), left=2)

    def limited(row):
        host = row["sides"]["host"]
        seconds = row["flops"] / limits["gflops"] / 1e9 or row["bytes"] / limits["gb"] / 1e9
        units = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1, "")]
        what = with_unit(row["flops"], units) + "FLOP" if row["flops"] else with_unit(row["bytes"], units) + "B"
        peaks = [f"{row['sides'][s]['peak_mib']:.0f}" if s in row["sides"] else "-" for s in ("host", *SIDES)]
        return [row["title"], what, time_text(seconds), f"{host['cpu'] / seconds:.1f}", time_text(host["user"]),
                time_text(host["system"]), " / ".join(peaks)]

    yield from table(["row", "a step", "limit", "host / limit", "host, user", "host, system", "peak MiB"],
                     (limited(row) for row in rows))


def start_up(row, _):
    yield "One step of the MLP 8-8-1.\n"
    units = [("wall", 1e3, "wall, ms"), ("cpu", 1e3, "CPU, ms"), ("peak_mib", 1, "peak memory, MiB")]
    yield from table(
        ["", "host", *SIDES.values()],
        ([title, *(f"{scale * row['sides'][s][key]:.0f}" if s in row["sides"] else "-" for s in ("host", *SIDES))]
         for key, scale, title in units))


def listings(row, _):
    yield f"The whole command, with {row['plugins']} plugin files, milliseconds.\n"
    yield from table(["", "wall", "least", "CPU"], ([f"`{t['title']}`", *(f"{1e3 * t[k]:.1f}" for k in ("wall", "least", "cpu"))]
                                                    for t in row["table"]))


def job(row, _):
    yield ("The whole command, and the same network, schedule and data in a plain Python loop, with all cores and with "
           "OMP_WAIT_POLICY=passive, without which waiting threads of Python take the cores from others.\n")
    yield from table(["", "wall, s", "user, s", "system, s", "peak MiB", "test accuracy"], (
        [side, *(f"{cost[key]:.1f}" for key in ("wall", "user", "system")), f"{cost['peak_mib']:.0f}",
         f"{cost['accuracy']:.4f}"] for side, cost in row["sides"].items()))
    quotients = [f"{ratio(row, 'python', clock)} {clock}" for clock in ("wall", "cpu")]
    yield f"Python / host: {', '.join(quotients)}; {row['rounds']} runs.\n"


def processes(row, limits):
    """The limit: the arithmetic of all ranks at the GFLOP/s of the cores that they have."""
    yield (f"The small CNN on Fashion-MNIST, {row['batch']} rows and one thread a process, SGD; wall time of a step after "
           "the first epoch.\n")

    def line(t):
        limit = row["flops"] * max(1, t["processes"] / row["cores"]) / limits["gflops"] / 1e9
        ms = {side: cost["wall"] for side, cost in t["sides"].items()}
        return [t["processes"], *(time_text(ms[side]) for side in ("host", "gloo", "python")), ratio(t, "python", "wall"),
                f"{t['processes'] * row['batch'] / ms['host']:.0f}", time_text(limit), f"{ms['host'] / limit:.1f}"]

    yield from table(["processes", "host", "host, Gloo alone", "Python DDP", "DDP / host", "images a second, host", "limit",
                      "host / limit"], map(line, row["steps"]))
    if not row["to_target"]:
        return
    yield f"From the command's start to a test accuracy of {row['target']} after an epoch:\n"
    yield from table(["processes", "host, s", "its epochs", "Python DDP, s", "its epochs", "DDP / host"], (
        [t["processes"], *(f"{t['sides'][side][key]:.{digits}f}" for side in ("host", "python")
                           for key, digits in (("wall", 1), ("epochs", 0))), ratio(t, "python", "wall")]
        for t in row["to_target"]))


def optimizers(row, limits):
    names = {"small": "12 tensors, 21,900 numbers", "large": "62 tensors, 11.7 M"}
    yield "One thread, CPU time. The limit is the bytes that a step reads and writes at the GB/s above.\n"
    limit = lambda t: time_text(t["bytes"] / limits["gb"] / 1e9) if t["size"] == "large" else "in the cache"
    columns = ["parameters", "optimizer", "host", "`torch::optim` / host", "`torch.optim` / host", "limit"]
    yield from table(columns, ([names[t["size"]], t["optimizer"], time_text(t["sides"]["host"]["cpu"]),
                                ratio(t, "hand", "cpu"), ratio(t, "python", "cpu"), limit(t)]
                               for t in row["table"]), left=2)


def checkpoint(row, _):
    before, after = row["peak_mib"]
    yield f"{row['megabytes']} MB of weights and Adam's state in 120 tensors, 2 threads, milliseconds.\n"
    yield from table(["", "first", "median", "least"],
                     ([t["title"], *(f"{t[k]:.1f}" for k in ("first", "median", "least"))] for t in row["table"]))
    yield f"Peak memory: {before:.0f} MiB before the first save, {after:.0f} MiB with it.\n"


def overhead(row, _):
    yield ("MLP 8-8-1, batch 1, CPU time, in one process with a hand-written loop that has the host's SGD. Both end "
           "with the same weights, bit for bit.\n")
    yield from table(["callbacks", "host - loop, us a step", "host / loop"],
                     ([t["title"], show(t["difference_us"]), show(t["cpu"], 3)] for t in row["table"]))


def callbacks(row, _):
    yield ("CPU time of a step, one thread, least of many rounds, microseconds; logger `tensorboard`, values every 50 "
           "steps. MLP 8-8-1, batch 1, 1,000 steps an epoch; network of the plugin `cnn`, 1x28x28, batch 128, 20 steps an "
           "epoch.\n")
    none = row["table"][0]

    def cells(t, workload):
        added = t[workload] - none[workload]
        return [f"{t[workload]:.1f}", *(["", ""] if t is none else [f"{added:+.1f}", f"{100 * added / none[workload]:+.1f}"])]

    yield from table(["callback", "MLP", "added", "%", "`cnn`", "added", "%"],
                     ([t["title"], *cells(t, "mlp8"), *cells(t, "cnn")] for t in row["table"]))
    yield f"`sample_predictions`, 16 pictures of 28x28: {show(row['grid'])} ms a validation.\n"


def loggers(row, _):
    yield "MLP 64-64-10, batch 32, loss logged; against the hand-written loop with the same optimizer.\n"
    yield from table(["logger", "CPU, host / loop", "wall, host / loop"],
                     ([t["title"], show(t["cpu"], 3), show(t["wall"], 3)] for t in row["table"]))


def text(row, _):
    yield row["text"]


SECTIONS = {"start-up": start_up, "main-job": job, "cnn-50": job, "listings": listings, "processes": processes,
            "optimizers": optimizers, "checkpoint": checkpoint, "overhead": overhead, "callbacks": callbacks,
            "loggers": loggers}


def markdown(results, rows):
    m, limits, measured = results["machine"], results["limits"], results["rows"]
    yield "# Benchmarks\n"
    yield (f"{m['levin']}; {m['compiler']}, {m['build']}; {m['cpu']}, {m['cores']} cores; {m['system']}. "
           f"Python's torch {m['python']}; Lightning {m['lightning']}.\n")
    loads = [r["load"] for r in measured.values()]
    yield (f"Measured by `scripts/bench`, load average {min(loads):.1f} to {max(loads):.1f}. Sides take turns in "
           "mirrored order; quotients are medians of those within a round, with 95 % bootstrap intervals.\n")
    yield (f"Limits of this machine, one thread: {limits['gflops']:.0f} GFLOP/s in floats, {limits['gb']:.0f} GB/s in "
           "`a += s * b` (`bench-limits`).\n")
    of_steps = [r for r in rows if "flops" in r.options or "bytes" in r.options]
    there = [measured[r.name] for r in of_steps if "sides" in measured.get(r.name, {})]
    if there:
        yield "## A training step\n"
        yield from steps(there, limits)
    for row in rows:
        result = measured.get(row.name)
        if row not in of_steps and result and "skipped" not in result:
            yield f"## {row.title[0].upper()}{row.title[1:]}\n"
            yield from SECTIONS.get(row.name, text)(result, limits)
    gaps = [f"- {r.title}: {measured[r.name]['skipped']}" for r in rows if "skipped" in measured.get(r.name, {})]
    gaps += [f"- {r.title}, {SIDES[side]}: {why}" for r in rows
             for side, why in measured.get(r.name, {}).get("missing", {}).items()]
    if gaps:
        yield "## NOT MEASURED\n"
        yield "\n".join(gaps) + "\n"
