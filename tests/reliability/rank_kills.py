#!/usr/bin/env python3
"""Sends signals to real fits of several processes at random instants, to a rank, the launcher or its process group. Checks what they
leave on the machine, their messages and exit codes, and that a resumed fit ends like an undisturbed one."""
import argparse, collections, contextlib, os, pathlib, re, signal, time

from runs import SAVES, Build, Process, Table, generator, until_interrupted

ROWS = "--data rows --data.train 25 --data.batch_size 2 --data.val [9] --trainer.max_epochs 3 "
STEPS = SAVES + "every_n_train_steps 1 " + SAVES + "save_top_k -1 "
MNIST = ("--data mnist --data.batch_size 8 --trainer.max_epochs 2 --trainer.limit_val_batches 2 --trainer.gradient_clip_val 1 "
         "--trainer.limit_train_batches ")
CASES = {
    "a regression, dropout, each step": ROWS + "--model shared --model.dropout 0.3 " + STEPS,
    "zero1, accumulation": ROWS + "--model shared --model.optimizer adamw --trainer.strategy zero1 "
        "--trainer.accumulate_grad_batches 3 " + STEPS,
    "validations in an epoch, the best and last": ROWS.replace("25", "24") + "--model shared --model.norm --trainer.val_check_interval 3 " + SAVES +
        "monitor val " + SAVES + "save_top_k 2 " + SAVES + "save_last true ",
    "averaged weights, early stopping": ROWS + "--model plain --model.momentum 0.9 --model.dropout 0.3 --model.log --model.metric "
        "--callback ema=weight_averaging --callback stop=early_stopping --callback.stop.monitor validation_step_loss "
        "--callback.stop.patience 8 " + SAVES + "every_n_train_steps 2 " + SAVES + "save_last link ",
    "manual optimization, two optimizers": ROWS + "--model gan " + STEPS,
    "several optimizers by turns, workers": ROWS + "--model alternating --data.num_workers 2 " + STEPS,
    "mlp on Fashion-MNIST, bfloat16": MNIST + "12 --model mlp --trainer.precision bf16-mixed " + STEPS,
    "resnet on Fashion-MNIST, sync_batchnorm": MNIST + "5 --model resnet --trainer.sync_batchnorm true " + STEPS,
    "a model in C, zero1, Gloo alone": MNIST + "20 --model c_mlp --trainer.strategy zero1 --trainer.shared_memory off " + STEPS,
    "a stream": "--data numbered --model teller --model.on_step synced --trainer.max_epochs 4 " + STEPS,
}
LAUNCHER, GROUP = "launcher", "group"
DEADLY = [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT]
STOPPING = [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGHUP, signal.SIGXCPU]
MARK = "LEVIN_TEST_ATTACK"
NAMED = r"rank (\d+) \(host [^,]+, pid (\d+)\)"


class Attacked(Process):
    """One command with all that belongs to it."""

    def __init__(self, build, words, tag):
        self.tag = f"{MARK}={tag}".encode()
        super().__init__(build, words, **{MARK: tag})

    def processes(self):
        """Returns {pid: rank}; rank None: the launcher or another process."""
        found = {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                variables = pathlib.Path("/proc", pid, "environ").read_bytes().split(b"\0")
                if self.tag in variables and pathlib.Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                    rank = [v[5:].decode() for v in variables if v.startswith(b"RANK=")]
                    found[int(pid)] = int(rank[0]) if rank else None
        return found

    def left_over(self, seconds):
        """Returns the processes that still run after the given seconds."""
        end = time.time() + seconds
        while (left := self.processes()) and time.time() < end:
            time.sleep(0.05)
        return left

    def kill(self):
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.wait()


def fit_words(build, case, ranks, restarts):
    words = build.fit_words(CASES[case]) + (f"--trainer.devices {ranks} --trainer.accelerator cpu --trainer.deterministic true "
                                            "--trainer.process_group_timeout 30").split()
    return words + ["--plugins", str(build.build / "examples/plugins"), "--trainer.max_restarts", str(restarts)]


def choose(attacked, ranks, rng):
    """Returns the process ids and the name of a victim that has started, or None if none is left."""
    victim = rng.choice([LAUNCHER, GROUP, *range(ranks), *range(ranks)])
    if victim == LAUNCHER:
        return [attacked.pid], "the launcher"
    if victim == GROUP:
        return [-attacked.pid], "the launcher's group"
    pids = [pid for pid, rank in attacked.processes().items() if rank == victim]
    return (pids, f"rank {victim}") if pids else None


def send(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def wrong_code(code, number, victim, restarts, text, pids):
    """Returns what is wrong with the exit code after one signal, or "". Code 0: the signal came after the end, or the run continued."""
    to_rank = victim.startswith("rank")
    allowed = {0}
    if number in STOPPING:
        allowed |= {130 if number == signal.SIGINT else 75, 128 + number}
    elif not to_rank:
        allowed = {128 + number} if number != signal.SIGSTOP else {0}
    elif number == signal.SIGSTOP:
        allowed |= {7}
    else:
        allowed |= {128 + number} | ({70} if number != signal.SIGKILL else set())
    if code not in allowed:
        return f"ended with {code}, not one of {sorted(allowed)}"
    if to_rank and number == signal.SIGKILL and code == 137 and not any(
            int(m[2]) in pids and victim == f"rank {m[1]}" for m in re.finditer(NAMED + " was killed by SIGKILL", text)):
        return "does not name the rank that was killed"
    if to_rank and number == signal.SIGKILL and restarts and code != 0:
        return "was not started again"
    return ""


def attack(build, case, ranks, restarts, rng, tag, seconds):
    """Starts a fit and sends signals. Returns (what was done, what is wrong or "")."""
    attacked = Attacked(build, fit_words(build, case, ranks, restarts), tag)
    try:
        if rng.random() < 0.75:
            while attacked.runs() and build.locked_at() < attacked.start:
                time.sleep(0.005)
            time.sleep(rng.uniform(0, seconds * 1.1))
        else:
            time.sleep(rng.uniform(0, 2))
        found = choose(attacked, ranks, rng)
        if found is None or not attacked.runs():
            code = attacked.wait(120)
            return "nothing", "" if code == 0 else f"ended with {code} alone"
        pids, victim = found
        number = rng.choice(DEADLY[:1] * 4 + DEADLY[1:] + [signal.SIGSTOP] * 2 + STOPPING)
        if number == signal.SIGSTOP and rng.random() < 0.5 and victim.startswith("rank"):
            send(pids, number)  # permanently
        elif number == signal.SIGSTOP:
            send(pids, number)
            time.sleep(rng.uniform(0.05, 4))
            send(pids, signal.SIGCONT)
        else:
            send(pids, number)
        done = f"{number.name} to {victim}"
        code = attacked.wait(90)
        if code is None:
            return done, "did not end within 90 seconds: " + str(attacked.processes())
        left = attacked.left_over(3)
        if left:
            return done, f"ended with {code}, and left {left}"
        return done, wrong_code(code, number, victim, restarts, attacked.text(), pids)
    finally:
        attacked.kill()
        build.last_text = attacked.text()


def go_on(build, whole):
    """Like Build.go_on(). A signal in the last batch leaves interrupted.ckpt if nothing is saved after it. A checkpoint that rank 0
    saved alone, before the first regular one, lacks the state of the other ranks, so the run does not end equal."""
    interruption = build.run / "checkpoints/interrupted.ckpt"
    alone = "rank 0 saved it after another rank was lost" in build.last_text or (
        interruption.exists() and b"ranks" not in interruption.read_bytes())
    wrong, went_on = build.go_on(whole, build.announced())
    if alone and not wrong.startswith("the resume ended"):
        return "", False
    if wrong.startswith("left behind") and interruption.exists():
        interruption.unlink()
        wrong = build.difference(whole)
    return wrong, went_on


def leftovers(build):
    return [str(p) for p in (build.root / "tmp").iterdir()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--folder", help="for the runs (a temporary one)")
    parser.add_argument("--case", help="only those with this in their name")
    args = parser.parse_args()
    rng = generator(args.seed)
    table = Table("configuration", "signals", "gone on with, equal", "without a checkpoint yet", "before it had begun", "wrong")
    done_all = collections.Counter()
    with Build(args.build, args.folder) as build, until_interrupted():
        (build.root / "tmp").mkdir()
        build.environment.update(TMPDIR=str(build.root / "tmp"), LEVIN_HEARTBEAT_TIMEOUT="3")
        wholes = {}
        names = [c for c in CASES if (args.case or "") in c]
        for i in range(args.runs):
            case, ranks, restarts = names[i % len(names)], rng.choice([2, 2, 3, 4]), rng.choice([0, 0, 3])
            if (case, ranks) not in wholes:
                wholes[case, ranks] = build.whole(f"{case} {ranks}", fit_words(build, case, ranks, 0))
            build.fresh()
            done, wrong = attack(build, case, ranks, restarts, rng, f"{os.getpid()}.{i}", wholes[case, ranks][1])
            done_all[done] += 1
            table.add(case, "signals")
            if not wrong and leftovers(build):
                wrong = f"left {leftovers(build)}"
            kind = "wrong"
            if not wrong and not (build.run / "config.json").exists():
                kind = "before it had begun"
            elif not wrong:
                wrong, went_on = go_on(build, wholes[case, ranks][0])
                kind = "wrong" if wrong else "gone on with, equal" if went_on else "without a checkpoint yet"
            table.add(case, kind)
            if wrong:
                table.problem(f"{i}: {case}, {ranks} ranks, {restarts} restarts, {done}: {wrong}\n" + build.last_text[-2500:])
    print(sorted(done_all.items()))
    table.end()


if __name__ == "__main__":
    main()
