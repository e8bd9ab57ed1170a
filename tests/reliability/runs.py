"""Small real runs for the attacks: their options, starting, killing and resuming them, and comparing their folder with that of an
undisturbed run."""
import contextlib, os, pathlib, random, re, shutil, signal, subprocess, sys, tempfile, time

NET = ("--data rows --data.train 14 --data.batch_size 3 --data.val [5] --trainer.max_epochs 3 --model plain --model.momentum 0.9 "
       "--model.dropout 0.3 --model.log true --model.metric true ")
SAVES = "--callback.model_checkpoint."
BEST = SAVES + "monitor validation_step_loss "
CASES = {
    "each step, all kept": NET + SAVES + "every_n_train_steps 1 " + SAVES + "save_top_k -1",
    "the best two and last": NET + BEST + SAVES + "save_top_k 2 " + SAVES + "save_last true",
    "accumulation, validations in a window": NET + BEST + "--trainer.accumulate_grad_batches 2 --trainer.val_check_interval 3 "
        + SAVES + "save_top_k -1",
    "max_steps, two callbacks of one folder": NET + BEST + "--trainer.max_steps 8 --callback second=model_checkpoint "
        "--callback.second.every_n_train_steps 3",
    "workers, averaged weights, rates": NET + SAVES + "every_n_train_steps 2 " + SAVES + "save_last link --data.num_workers 2 "
        "--callback ema=weight_averaging --callback lr=learning_rate_monitor",
    "saved at once, schedules by step": NET + SAVES + "every_n_train_steps 1 " + SAVES + "async_save off --model.scheduler step",
}
QUIET = "--callback model_summary=false --callback progress_bar=false --callback results_table=false --callback early_stopping=false "


def memory_folder():
    """Returns a folder where syncs cost nothing, or None (the folder of temporary files) if there is none."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None


class Process:
    """A command that runs in a session of its own, in the root folder of a Build."""

    def __init__(self, build, words, **variables):
        self.start, self.errors = time.time(), tempfile.TemporaryFile(dir=build.root)
        self.process = subprocess.Popen(words, cwd=build.root, env=dict(build.environment, **variables),
                                        stdout=subprocess.DEVNULL, stderr=self.errors, start_new_session=True)
        self.pid = self.process.pid

    def runs(self):
        return self.process.poll() is None

    def wait(self, seconds=None):
        """The exit code, 128 + N if signal N ended it; None: it still runs after these seconds."""
        try:
            code = self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        return code if code >= 0 else 128 - code

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def text(self):
        """What it has written to stderr."""
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")


class Build:
    """The programs of a build folder. Runs are in `root`, a temporary folder below --folder, one at a time."""

    def __init__(self, build, folder=None):
        self.build = pathlib.Path(build).resolve()
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="levin-reliability-", dir=folder)).resolve()
        self.base, self.announced_file = self.root / "runs", self.root / "announced"
        self.run = self.base / "levin_logs" / "version_0"
        self.environment = dict(os.environ, OMP_NUM_THREADS="1", HOME=str(self.root), LEVIN_TEST_ANNOUNCED=str(self.announced_file),
                                XDG_CACHE_HOME=str(self.build / "tests" / "cache"))
        self.environment.pop("LEVIN_PLUGIN_PATH", None)

    def need_faults(self):
        """Exits with 77, which ctest shows as skipped, if the calls of a program cannot be made to fail."""
        code, err = self.call([str(self.build / "tests/with_faults"), "--below", str(self.base), "--", "true"])
        if code == 125:
            print("SKIPPED: " + err.strip(), file=sys.stderr)
            sys.exit(77)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)

    def fresh(self):
        shutil.rmtree(self.base, ignore_errors=True)
        self.announced_file.unlink(missing_ok=True)
        self.base.mkdir()

    def fit_words(self, case):
        """case: the name of a case, or options."""
        plugins = self.build / "tests" / "plugins_for_tests"
        return [str(self.build / "bin/host"), "fit", "--plugins", str(plugins), "--default_root_dir", str(self.base),
                *QUIET.split(), *"--logger csv --logger tensorboard --logger jsonl --trainer.log_every_n_steps 1".split(),
                *"--callback announcer --callback model_checkpoint --trainer.num_sanity_val_steps 1".split(), *CASES.get(case, case).split()]

    def resume_words(self):
        return [str(self.build / "bin/host"), "resume", str(self.run)]

    def call(self, words, kill_after=None, begun=False):
        """Returns (code, stderr). kill_after: seconds until SIGKILL; with begun they are counted from when the run has its folder. A command
        that hangs is killed after 120 s."""
        process = Process(self, words)
        while begun and process.runs() and self.locked_at() < process.start:
            time.sleep(0.002)
        code = process.wait(kill_after or 120)
        if code is None:
            process.kill()
            code = process.wait() if kill_after else 124
        return code, process.text()

    def locked_at(self):
        """Returns the time at which the newest process of the run locked its folder, by the clock of the file system."""
        lock = self.run / ".lock"
        return lock.stat().st_mtime if lock.exists() else 0

    def announced(self):
        """Returns the step of the newest checkpoint announced to a callback as written to the disk, or None."""
        if not self.announced_file.exists():
            return None
        return max(map(int, self.announced_file.read_text().split()), default=None)

    def whole(self, case, words=None):
        """Returns a copy of the folder of an undisturbed run of the case, and the seconds that the run took after locking its folder."""
        self.fresh()
        code, err = self.call(words or self.fit_words(case))
        seconds = time.time() - self.locked_at()
        if code != 0:
            sys.exit(f"the case '{case}' does not run:\n{err}")
        kept = self.root / "whole" / re.sub(r"\W+", "_", case)
        if not kept.exists():
            shutil.copytree(self.run, kept)
        return kept, seconds

    def difference(self, whole):
        """Returns the difference between this run's folder and the whole one, or ""."""
        left = [str(p) for p in self.run.rglob("*") if re.search(r"\.new$|\.tmp", p.name) or p.name == "interrupted.ckpt"]
        if left:
            return f"left behind: {left}"
        result = subprocess.run([self.build / "tests/compare_runs", whole, self.run], capture_output=True, text=True)
        return result.stdout.strip() if result.returncode else ""

    def go_on(self, whole, announced):
        """Resumes to the end. Returns (what is wrong or "", whether it resumed). A run without an announced checkpoint may report that there
        is none. Any other must resume from the newest one or a later one, and end like the whole run."""
        code, err = self.call(self.resume_words())
        last = (err.strip().splitlines() or [""])[-1]
        if code != 0:
            refused = code in (2, 5) and "host: error[" in err
            return ("" if announced is None and refused else f"the resume ended with {code}: {last}"), False
        found = re.search(r"resumes from .* step (\d+)\)", err)
        if announced is not None and (not found or int(found[1]) < announced):
            return f"step {announced} was announced, and the resume says: {found[0] if found else last}", True
        return self.difference(whole), True


def last_error(err):
    lines = [line for line in err.splitlines() if line.startswith("host: error[")]
    return lines[-1] if lines else ""


class Table:
    """Counts by row and column, as Markdown."""

    def __init__(self, first, *columns):
        self.first, self.columns, self.rows, self.problems = first, columns, {}, []

    def add(self, row, *columns):
        counts = self.rows.setdefault(row, dict.fromkeys(self.columns, 0))
        for column in columns:
            counts[column] += 1

    def problem(self, text):
        self.problems.append(text)
        print("FAILED: " + text, file=sys.stderr, flush=True)

    def end(self):
        rows = dict(self.rows)
        rows["all"] = {c: sum(r[c] for r in self.rows.values()) for c in self.columns}
        print(f"\n| {self.first} | " + " | ".join(self.columns) + " |\n| --- |" + " ---: |" * len(self.columns))
        for name, counts in rows.items():
            print(f"| {name} | " + " | ".join(str(counts[c]) for c in self.columns) + " |")
        print(f"\n{len(self.problems)} problems")
        sys.exit(1 if self.problems else 0)


@contextlib.contextmanager
def until_interrupted():
    """Ctrl-C ends the attack; the results so far are printed."""
    try:
        yield
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)


def generator(seed):
    seed = seed if seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", flush=True)
    return random.Random(seed)
