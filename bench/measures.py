"""How each kind of row is measured. A function takes the Bench and the row's options, and returns the JSON result."""

import csv, glob, os, shutil, statistics, subprocess, tempfile, time

from sides import IMAGES, PYTHON_FILES, Side, Skipped, compared, interval, mirrored

WARM_UP = 2  # rounds that do not count
NO_CALLBACKS = [
    w for c in ("early_stopping", "model_checkpoint", "model_summary", "progress_bar", "results_table")
    for w in ("--callback", f"{c}=false")
] + ["--trainer.logger_timeout", "0"]


def need_images():
    if not os.path.isdir(IMAGES):
        raise Skipped(f"there is no {IMAGES} (Debian: dataset-fashion-mnist)")


# ---- a step, by processes that take turns
def steps(bench, workload, batch, batches, flops=0, bytes=0, host=None, python=None,
          sides=("host", "hand", "python", "lightning"), logs=False, share=1.0):
    """host: its options for model and data, if these are not the bench's own. python: Python's workload, if it differs.
    share: part of the rounds, for long rows."""
    if host:
        need_images()
    rounds = max(3, round(bench.rounds * share))
    epochs, threads = WARM_UP + rounds, 1
    words = bench.workload(workload, batch, batches)
    if host:
        words = [w.replace("PLUGIN", bench.plugin) for w in host] + ["--data.batch_size", f"{batch}"] + [
            "--trainer.limit_train_batches", f"{batches}", "--trainer.limit_val_batches", "0"]
    turns = ["--callback", f"{bench.plugin}:take_turns", "--callback.take_turns.folder", "FOLDER"]
    loop = bench.python_loop(python or workload, batch, batches, epochs, "FOLDER", "--threads", threads,
                             *(["--log", "FOLDER/log.csv"] if logs else []))
    logging = ["--model.logs", "true", "--logger", "csv", *NO_CALLBACKS] if logs else []
    hand = [workload, f"{batch * batches}", f"{batch}", f"{threads}", "FOLDER"]
    commands = {"host": bench.fit(threads, epochs, *words, *turns, *logging),
                "hand": [bench.program("hand"), *hand], "python": loop, "lightning": [*loop, "--lightning"]}
    missing = {side: bench.missing[side] for side in sides if side in bench.missing}
    running = {side: Side(commands[side], bench.env(threads)) for side in sides if side not in missing}
    try:
        for side in list(running):
            try:
                running[side].epoch()
            except Skipped as why:
                if side == "host":
                    raise
                missing[side] = str(why)
                running.pop(side).end()
        results = mirrored(list(running), epochs - 1, lambda side: running[side].epoch())[WARM_UP - 1:]
    finally:
        for side in running.values():
            side.end()
    for r in results:
        for cost in r.values():
            for key in ("wall", "cpu", "user", "system"):
                cost[key] /= batches
    return {**compared(results), "flops": flops, "bytes": bytes, "missing": missing}


# ---- the host's own cost, in one process with the hand-written loops
def duel(bench, workload, batch, batches, *more, share=1.0, equal=True):
    """The host's steps minus those of the loop with the same optimizer, which must train the same network, unless a
    callback of the host changes it."""
    rounds = max(3, round(bench.rounds * share)) + WARM_UP
    options = {"workload": workload, "rows": batch * batches, "batch": batch, "out": bench.out}
    rival = [word for key, value in options.items() for word in (f"--callback.rival.{key}", str(value))]
    result = bench.written_by(bench.fit(1, rounds, *bench.workload(workload, batch, batches),
                                        "--callback", f"{bench.plugin}:rival", *rival, *more))
    # The same optimizer agrees bit for bit to the end, another one after the first epoch, before rounding errors grow.
    if equal and (result["difference_same"] != 0 or not result["difference_torch"] < 1e-5):
        raise Skipped(f"the host and the hand-written loops did not train the same network: {result}")
    rounds = result["rounds"][WARM_UP:]
    us = [1e6 * (r["host"]["cpu"] - r["same"]["cpu"]) / result["steps"] for r in rounds]
    return {"difference_us": interval(us), "least_us": min(1e6 * r["host"]["cpu"] / result["steps"] for r in rounds),
            "cpu": interval([r["host"]["cpu"] / r["same"]["cpu"] for r in rounds]),
            "wall": interval([r["host"]["wall"] / r["same"]["wall"] for r in rounds])}


def overhead(bench):
    callbacks = [("no callback", 0, "idle"), ("5 without hooks of a step", 5, "idle"),
                 ("20 without hooks of a step", 20, "idle"), ("5 with on_train_batch_end", 5, "watch")]
    return {"table": [{"title": title, **duel(bench, "mlp8", 1, 1000, *(
        w for i in range(count) for w in ("--callback", f"c{i}={bench.plugin}:{kind}")))}
                      for title, count, kind in callbacks]}


def callbacks(bench):
    """Each callback in fits of its own, in turns with the others. The least time of many rounds: other programs on the
    machine only add to it."""
    named = lambda name, **options: ["--callback", name, *(
        w for key, value in options.items() for w in (f"--callback.{name}.{key}", str(value)))]
    kinds = {"no callback": [], "`freeze_schedule`, of a later epoch": named("freeze_schedule", freeze='{"1000":"*"}'),
             "`pruning`, half of the weights": named("pruning"),
             "`learning_rate_warmup`": named("learning_rate_warmup", num_warmup_steps=10**15, start_factor=0.5),
             "`gradient_monitor`, every 50 steps": named("gradient_monitor"),
             "`histogram_monitor`, once in an epoch": named("histogram_monitor")}
    sizes = {"mlp8": (1, 1000, 1.0), "cnn": (128, 20, 0.3)}
    logging = ["--logger", "tensorboard", *NO_CALLBACKS]

    def least(title, workload):
        batch, batches, share = sizes[workload]
        return duel(bench, workload, batch, batches, *logging, *kinds[title], share=share, equal=False)["least_us"]

    found = [{title: {workload: least(title, workload) for workload in sizes} for title in kinds} for _ in range(4)]
    return {"table": [{"title": title, **{workload: min(turn[title][workload] for turn in found) for workload in sizes}}
                      for title in kinds], "grid": grids(bench)}


def grids(bench, epochs=40):
    """Processor time of a whole fit with `sample_predictions` less that of one without, for each validation."""
    plain = [bench.host, "fit", "--model", "cnn", "--data", "synthetic", "--data.size", "28", "--data.rows", "128",
             "--data.val_rows", "128", "--batch_size", "128", "--max_epochs", str(epochs), "--accelerator", "cpu",
             "--trainer.default_root_dir", "FOLDER", "--quiet", "--logger", "tensorboard", *NO_CALLBACKS]
    commands = {"without": plain, "with": [*plain, "--callback", "sample_predictions"]}
    rounds = mirrored(list(commands), max(5, bench.rounds // 2) + 1, lambda name: in_folder(commands[name], bench))[1:]
    return interval([1e3 * (r["with"] - r["without"]) / epochs for r in rounds])


def in_folder(command, bench):
    with tempfile.TemporaryDirectory(prefix="levin-bench-") as folder:
        return whole([folder if word == "FOLDER" else word for word in command], bench.env(1))[0]["cpu"]


def loggers(bench):
    slow = ["--logger", f"{bench.plugin}:slow"]
    kinds = [("none", ["--logger", "false"]), ("50 ms a call, on its own thread, every 50 steps", slow),
             ("50 ms a call, on its own thread, every step", [*slow, "--trainer.log_every_n_steps", "1"])]
    return {"table": [{"title": title, **duel(bench, "mlp64", 32, 500, "--model.logs", "true", *NO_CALLBACKS, *words)}
                      for title, words in kinds]}


# ---- from the start of the process to the first optimizer step
def start_up(bench):
    first = bench.python_loop("mlp8", 1, 1, 1, f"first:{bench.out}")
    commands = {"host": bench.fit(1, 1, *bench.workload("mlp8", 1, 10), "--callback", f"{bench.plugin}:first_step",
                                  "--callback.first_step.out", bench.out),
                "hand": [bench.program("hand"), "mlp8", "1", bench.out],
                "python": first, "lightning": [*first, "--lightning"]}

    def measure(side):
        result = bench.written_by(commands[side])
        return {"wall": result["wall"] - result["began"], "cpu": result["cpu"], "peak_mib": result["peak_mib"]}

    names = [side for side in commands if side not in bench.missing]
    rounds = mirrored(names, max(3, bench.rounds // 2) + 1, measure)[1:]  # the first round fills the file cache
    return {**compared(rounds), "missing": dict(bench.missing)}


# ---- commands that only read plugins
def listings(bench, plugins=50):
    """host help, and host plugins with copies of the shipped plugins, as files of as many plugins."""
    with tempfile.TemporaryDirectory(prefix="levin-bench-") as folder:
        shipped = sorted(glob.glob(f"{bench.build}/lib/levin/plugins/*.so"))
        for i in range(plugins - len(shipped)):
            shutil.copy(shipped[i % len(shipped)], f"{folder}/libcopy{i}.so")
        commands = {"host help": ["help"], "host plugins": ["plugins", "--plugins", folder],
                    "host help resnet": ["help", "resnet", "--plugins", folder]}
        rounds = mirrored(list(commands), bench.rounds + 1, lambda name: whole([bench.host, *commands[name]],
                                                                              bench.env(1))[0])[1:]
    return {"plugins": plugins, "table": [
        {"title": name, **{key: statistics.median(r[name][key] for r in rounds) for key in ("wall", "cpu")},
         "least": min(r[name]["wall"] for r in rounds)} for name in commands]}


# ---- the main job: what `host --model resnet --data mnist` trains
def whole(command, env):
    """Wall and processor time of a whole command, and what it prints."""
    begin = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if status:
        raise Skipped(f"{' '.join(command)} failed: {text[-2000:]}")
    return {"wall": time.monotonic() - begin, "cpu": usage.ru_utime + usage.ru_stime, "user": usage.ru_utime,
            "system": usage.ru_stime, "peak_mib": usage.ru_maxrss / 1024}, text


def job(bench, host, python):
    """host and python: the words of the two commands, which print or log the test accuracy."""
    need_images()
    if "python" in bench.missing:
        raise Skipped(bench.missing["python"])
    env = bench.env(1)
    del env["OMP_NUM_THREADS"]

    def measure(side):
        if side == "python":
            command = [bench.python, "-W", "ignore", *python]
            cost, text = whole(command, {**env, "OMP_WAIT_POLICY": "passive"})
            return {**cost, "accuracy": float(text)}
        with tempfile.TemporaryDirectory(dir=bench.work.name) as root:
            cost, _ = whole([bench.host, *host, "--default_root_dir", root], env)
            with open(glob.glob(f"{root}/**/metrics.csv", recursive=True)[0]) as file:
                accuracy = [row["test_acc"] for row in csv.DictReader(file) if row.get("test_acc")][-1]
        return {**cost, "accuracy": float(accuracy)}

    return compared(mirrored(["host", "python"], max(1, bench.rounds // 7), measure))


def main_job(bench):
    return job(bench, ["--model", "resnet", "--data", "mnist"], [f"{PYTHON_FILES}/main_job.py"])


def cnn_job(bench, epochs, batch, lr):
    words = {"model": "cnn", "model.lr": lr, "model.momentum": 0.5, "data": "mnist", "data.batch_size": batch,
             "data.val_rows": 0, "trainer.max_epochs": epochs}
    host = [word for key, value in words.items() for word in (f"--{key}", str(value))]
    return job(bench, [*host, "--callback", "early_stopping=false"],
               [f"{PYTHON_FILES}/cnn_job.py", str(epochs), str(batch), str(lr)])


# ---- optimizers alone
def optimizers(bench):
    bytes_of = {"sgd": 20, "adam": 28, "adamw": 28, "rmsprop": 20, "adagrad": 20}  # read and written of a parameter
    numbers = {"small": 21900, "large": 11689512}
    commands = {"cpp": [bench.program("optimizers")]}
    if "python" not in bench.missing:
        commands["python"] = [bench.python, f"{PYTHON_FILES}/optimizers.py"]
    rounds = mirrored(list(commands), max(1 if bench.quick else 3, bench.rounds // 6),
                      lambda name: bench.json_of(commands[name]))
    table = []
    for size, count in numbers.items():
        for name, bytes in bytes_of.items():
            sides = [{**{side: {"cpu": seconds} for side, seconds in r["cpp"][size][name].items()},
                      **({"python": {"cpu": r["python"][size][name]}} if "python" in r else {})} for r in rounds]
            table.append({"size": size, "optimizer": name, "bytes": bytes * count, **compared(sides, ["cpu"])})
    return {"table": table, "missing": {k: v for k, v in bench.missing.items() if k == "python"}}


# ---- what a save costs training
def plain_writes(folder, megabytes, count):
    """Milliseconds in which the disk takes as many bytes by write and fsync."""
    data, times = os.urandom(1 << 20) * round(megabytes), []
    for _ in range(count):
        begin = time.monotonic()
        with open(f"{folder}/plain", "wb", buffering=0) as file:
            for i in range(0, len(data), 1 << 20):
                file.write(data[i:i + (1 << 20)])
            os.fsync(file.fileno())
        times.append(1e3 * (time.monotonic() - begin))
        os.remove(f"{folder}/plain")
    return times


def checkpoint(bench, megabytes=140, saves=9):
    with tempfile.TemporaryDirectory(prefix="levin-saves-") as work:
        words = {"model": bench.saves, "model.mb": megabytes, "data": bench.plugin, "data.rows": saves + 1,
                 "data.batch_size": 1, "trainer.max_epochs": 1, "trainer.accelerator": "cpu", "trainer.num_threads": 2,
                 "logger": "false", "trainer.enable_checkpointing": "false", "default_root_dir": work,
                 "callback.stall.out": bench.out}
        options = [word for key, value in words.items() for word in (f"--{key}", str(value))]
        result = bench.written_by([bench.host, "fit", *options, "--callback", "early_stopping=false", "--callback",
                                   f"{bench.saves}:stall"])
        titles = {"stall": "asynchronous save: training waits", "until_durable": "from then until the file is durable",
                  "hard_link": "hard link to the file", "at_once": "synchronous save",
                  "plain_copy": "`memcpy` of as many bytes, one thread"}
        times = {title: result[key] for key, title in titles.items()}
        times["plain `write` and `fsync` of as many bytes"] = plain_writes(work, megabytes, saves + 1)
        if "python" not in bench.missing:
            command = [bench.python, f"{PYTHON_FILES}/saves.py", work, str(megabytes), str(saves + 1)]
            times["Python: `torch.save` and fsync"] = [1e3 * s for s in bench.json_of(command)]
    return {"megabytes": megabytes, "peak_mib": result["peak_mib"],
            "table": [{"title": title, "first": ms[0], "median": statistics.median(ms[1:]), "least": min(ms[1:])}
                      for title, ms in times.items()]}


# ---- programs that print a table of their own
def program(bench, name, note, words=()):
    return {"text": f"{note}\n\n" + bench.text_of([bench.program(name), *words])}


# ---- several processes
def processes(bench, step_flops, numbers=(1, 2, 4)):
    """A step with each number of processes, and without --quick the time to a test accuracy."""
    need_images()
    if "python" in bench.missing:
        raise Skipped(bench.missing["python"])
    command = ["python3", f"{PYTHON_FILES}/../processes.py", bench.build, "--python", bench.python, "--rounds",
               str(max(1, bench.rounds // 5)), "--processes", ",".join(str(n) for n in numbers)]
    return {**bench.json_of(command + (["--quick"] if bench.quick else [])), "flops": step_flops,
            "cores": len(os.sched_getaffinity(0))}
