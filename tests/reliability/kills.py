#!/usr/bin/env python3
"""Kills real runs at random instants, resumes them, and compares the results with runs that were not killed."""
import argparse

from runs import CASES, Build, Table, generator, until_interrupted

KILLS = 3  # per run at most


def kill(build, words, seconds, rng):
    """Kills mostly during training and saving, sometimes during the start. Returns (code, stderr)."""
    if rng.random() < 0.2:
        return build.call(words, kill_after=rng.uniform(0.02, 2 * seconds))
    return build.call(words, kill_after=rng.uniform(0.001, seconds * 1.02), begun=True)


def attack(build, case, whole, seconds, rng, table):
    build.fresh()
    words, killed = build.fit_words(case), 0
    while killed < KILLS:
        code, err = kill(build, words, seconds, rng)
        if code != 137:
            if code != 0 and build.announced() is not None:
                return table.problem(f"{case}, after {killed} kills: ended with {code}: {err[-400:]}")
            break
        killed += 1
        table.add(case, "kills")
        words = build.resume_words()
        if not (build.run / "config.json").exists():  # the run has not begun
            build.fresh()
            words = build.fit_words(case)
        if rng.random() < 0.5:
            break
    if not (build.run / "config.json").exists():
        return table.add(case, "before it had begun")
    wrong, went_on = build.go_on(whole, build.announced())
    table.add(case, "gone on with, equal" if went_on and not wrong else "without a checkpoint yet" if not wrong else "wrong")
    if wrong:
        table.problem(f"{case}, after {killed} kills: {wrong}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--folder", help="for the runs (a temporary one)")
    args = parser.parse_args()
    rng = generator(args.seed)
    table = Table("configuration", "runs", "kills", "gone on with, equal", "without a checkpoint yet", "before it had begun", "wrong")
    with Build(args.build, args.folder) as build, until_interrupted():
        whole = {case: build.whole(case) for case in CASES}
        for i in range(args.runs):
            case = list(CASES)[i % len(CASES)]
            table.add(case, "runs")
            attack(build, case, *whole[case], rng, table)
    table.end()


if __name__ == "__main__":
    main()
