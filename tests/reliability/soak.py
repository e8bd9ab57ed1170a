#!/usr/bin/env python3
"""A fit of many epochs under faults and kills: its memory, descriptors and threads must not grow."""
import argparse, os, statistics, time

from runs import NET, SAVES, Build, Process, Table, generator, last_error

EPOCHS = 1000000
WORDS = (NET.replace("--trainer.max_epochs 3", f"--trainer.max_epochs {EPOCHS}") + SAVES + "every_n_train_steps 1 " + SAVES
         + "monitor training_step_loss " + SAVES + "save_top_k 2 --data.num_workers 2")
SESSIONS = 6  # approximate number; each ends by a kill, or earlier by a failing call


def look(pid):
    """Returns (resident MiB, descriptors, threads)."""
    status = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status") if ":" in line)
    return int(status["VmRSS"].split()[0]) / 1024, len(os.listdir(f"/proc/{pid}/fd")), int(status["Threads"])


def newest_step(build):
    return build.announced() or 0


def engine_of(process):
    """Returns the pid of the engine below the program that makes its calls fail, or that of the process itself."""
    children = open(f"/proc/{process.pid}/task/{process.pid}/children").read().split()
    return int(children[0]) if children else process.pid


class Soak:
    def __init__(self, build, rng, table):
        self.build, self.rng, self.table, self.seen = build, rng, table, []

    def session(self, words, seconds, fault):
        """Runs one process until it ends by a fault, or is killed after the given seconds. Returns (code, stderr)."""
        if fault:
            words = [str(self.build.build / "tests/with_faults"), "--below", str(self.build.base), "--fail", str(fault[0]), "--error",
                     fault[1], "--", *words]
        process, samples = Process(self.build, words), []
        while process.runs() and time.time() - process.start < seconds:
            time.sleep(0.5)
            try:
                samples.append((time.time() - process.start, *look(engine_of(process) if fault else process.pid)))
            except (OSError, KeyError):
                break
        if process.runs() and time.time() - process.start >= seconds:
            process.kill()
        self.seen.append(samples)
        return process.wait(), process.text()

    def run(self, minutes):
        begin = time.monotonic()
        words = self.build.fit_words(WORDS)
        while time.monotonic() - begin < minutes * 60:
            rest = minutes * 60 - (time.monotonic() - begin)
            fault = (self.rng.randint(400, 20000), self.rng.choice(("EIO", "ENOSPC"))) if self.rng.random() < 0.3 else None
            seconds, before = min(rest, self.rng.uniform(0.5, 1.5) * minutes * 60 / SESSIONS), newest_step(self.build)
            code, err = self.session(words, seconds, fault)
            row = "a call fails" if fault else "a kill"
            self.table.add(row, "sessions")
            if code == 137:
                self.table.add(row, "killed")
            elif fault and code > 0 and last_error(err):
                self.table.add(row, "ended with an error")
            else:
                return self.table.problem(f"a session ended with {code}: {err[-500:]}")
            if newest_step(self.build) < before:
                return self.table.problem(f"step {before} was on the disk, now {newest_step(self.build)}")
            words = self.build.resume_words()


def print_growth(sessions, table):
    """Prints the first and the last third of the longest session, without its start."""
    longest = max(sessions, key=len)
    warm = [s for s in longest if s[0] > 0.1 * longest[-1][0]]
    third = max(1, len(warm) // 3)
    print(f"\nthe longest session: {longest[-1][0]:.0f} s, {len(longest)} looks")
    print("\n| | first third | last third | most |\n| --- | ---: | ---: | ---: |")
    for i, (name, least) in enumerate((("resident MiB", 4), ("descriptors", 2), ("threads", 2)), start=1):
        first, last = (statistics.median(s[i] for s in part) for part in (warm[:third], warm[-third:]))
        print(f"| {name} | {first:.0f} | {last:.0f} | {max(s[i] for s in longest):.0f} |")
        if last > first * 1.02 + least:
            table.problem(f"{name} grow from {first:.0f} to {last:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--folder", help="for the run (a temporary one)")
    args = parser.parse_args()
    table = Table("sessions that end by", "sessions", "killed", "ended with an error")
    with Build(args.build, args.folder) as build:
        build.need_faults()
        build.fresh()
        soak = Soak(build, generator(args.seed), table)
        soak.run(args.minutes)
        print(f"{newest_step(build)} steps, each with a checkpoint and rows in three loggers, in {args.minutes:g} minutes")
        print_growth(soak.seen, table)
    table.end()


if __name__ == "__main__":
    main()
