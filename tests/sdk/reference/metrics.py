#!/usr/bin/env python3
"""metrics.py METRIC_VALUES [--cases N] [--seed N] [METRIC...]

Compares named metrics with scikit-learn, SciPy or the definition in NumPy, and with torchmetrics where it is installed, on N random
cases each (30): classes that are absent, constant targets and predictions, ties, left-out targets, several outputs. Other
splits into batches and ranks must give the same values. A metric of levin/util/metric_table.hpp that no oracle knows is an error.
"""
import argparse
import math
import pathlib
import re
import subprocess
import sys
import warnings

import numpy as np

import classification
import images
import multilabel
import regression
import texts

warnings.filterwarnings("ignore")
TABLE = pathlib.Path(__file__).resolve().parents[3] / "sdk/include/levin/util/metric_table.hpp"
TOLERANCE = 1e-6
FAMILIES = {"classification": classification, "clustering": classification, "retrieval": classification, "segmentation": images,
            "multilabel": multilabel, "label_retrieval": multilabel, "regression": regression, "image": images, "text": texts}


def names_of_table():
    """Family -> names."""
    found, family = {}, None
    for line in TABLE.read_text().split("\n"):
        head = re.match(r"#define LEVIN_(\w+)_METRICS\(", line)
        if head:
            family = head[1].lower()
        row = re.match(r"\s+METRIC\((\w+),", line)
        if row:
            found.setdefault(family, []).append(row[1])
    return found


def text(numbers):
    return " ".join(repr(float(x)) for x in np.asarray(numbers).reshape(-1))


def shape(numbers):
    return "x".join(str(n) for n in np.asarray(numbers).shape)


def in_hex(c):
    """A case of texts."""
    return [f"{c.metric} texts"] + [" ".join("." + text.encode().hex() for text in texts) for texts in (c.prediction, c.target)]


def same(a, b, tolerance=TOLERANCE):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= tolerance * max(1, abs(a), abs(b))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("metrics", nargs="*")
    parser.add_argument("--cases", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_intermixed_args()
    rng = np.random.default_rng(args.seed)
    cases = []
    for family, names in names_of_table().items():
        for name in names:
            if args.metrics and name not in args.metrics:
                continue
            for _ in range(args.cases):
                cases.append((name, family, FAMILIES[family].case(name, rng)))
    lines = []
    for _, family, c in cases:
        lines += in_hex(c) if family == "text" else [
            f"{c.metric} {c.classes} {c.labels} {int(c.logits)} {shape(c.prediction)} {shape(c.target)}", text(c.prediction), text(c.target)]
    answers = subprocess.run([args.program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout.split("\n")
    wrong, compared, by_torchmetrics = {}, 0, set()
    for (name, family, c), answer in zip(cases, answers):
        def report(what):
            shown = repr if family == "text" else text
            wrong.setdefault((family, name), []).append(
                f"{c.metric}: {what}; predictions {np.shape(c.prediction)} {shown(c.prediction)[:300]}; targets {shown(c.target)[:200]}")
        if answer.startswith("error"):
            report(answer)
            continue
        value, *splits = map(float, answer.split())
        if not all(same(value, other, 1e-9) for other in splits):
            report(f"{value} in one batch, and {splits} in others")
        for oracle in FAMILIES[family].oracles(c):
            expected = oracle.value(c)
            if expected is None:
                continue
            compared += 1
            if oracle.tool == "torchmetrics":
                by_torchmetrics.add((family, name))
            if not same(value, float(expected), oracle.tolerance):
                report(f"{value}, and {float(expected)} by {oracle.tool}")
    for (family, name), reports in wrong.items():
        print(f"{name} of {family}: {len(reports)} of {args.cases} cases differ")
        for each in reports[:3]:
            print("   ", each)
    print(f"{len(cases)} cases of {len({(name, family) for name, family, _ in cases})} metrics, {compared} values compared, {len(by_torchmetrics)} metrics "
          f"also with torchmetrics")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
