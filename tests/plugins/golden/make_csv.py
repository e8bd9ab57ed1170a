#!/usr/bin/env python3
"""Writes csv/*.csv and, beside each, the result of Python's csv module and statistics: the numbers of every row, in order.

Run it after a change: tests/plugins/golden/make_csv.py. It needs only Python.
"""
import csv
import io
import math
import pathlib
import statistics

folder = pathlib.Path(__file__).parent / "csv"
MISSING = {"", "NA", "?", "nan", "inf"}


def rows_of(name, delimiter):
    with open(folder / name, encoding="utf-8-sig", newline="") as file:
        return [row for row in csv.reader(file, delimiter=delimiter) if row]


def number(text):
    return math.nan if text.strip() in MISSING else float(text)


def standard(column, fill):
    present = [v for v in column if not math.isnan(v)]
    mean, deviation = statistics.fmean(present), statistics.pstdev(present)
    filled = [fill(present) if math.isnan(v) else v for v in column]
    return [(v - mean) / deviation for v in filled]


def one_hot(column, own):
    names = sorted({t for t in column if t not in MISSING}, key=lambda t: t.encode())
    names += [""] if own else []
    return [[float(("" if t in MISSING else t) == n) for n in names] for t in column]


def write(name, rows):
    with open(folder / name, "w") as out:
        for row in rows:
            out.write(" ".join(repr(v) for v in row) + "\n")


# Quotes, line ends and delimiters within cells, a byte order mark, CRLF, blank lines, Unicode.
mixed = (
    "\ufeffheight;\"colour; of it\";weight;city;kind\r\n"
    "1.5;red;1e3;\"Zürich\";cat\r\n"
    "\r\n"
    "-2;\"dark \"\"red\"\"\";NA;東京;dog\r\n"
    "+.25;\"two\r\nlines\";12;?;cat\r\n"
    "1e-3;\"a;b\";-7.25; 東京 ;bird\r\n"
    "7;red;inf;Oslo;dog\r\n"
    "0;red;3;Oslo;\"dog\""
)
folder.mkdir(exist_ok=True)
(folder / "mixed.csv").write_bytes(mixed.encode())
header, *rows = rows_of("mixed.csv", ";")
columns = [[cell.strip(" ") for cell in column] for column in zip(*rows)]
heights = standard([number(t) for t in columns[0]], statistics.median)
weights = standard([number(t) for t in columns[2]], statistics.median)
kinds = sorted(set(columns[4]))
write("mixed.txt", [
    [h, *c, w, *t, float(kinds.index(k))]
    for h, c, w, t, k in zip(heights, one_hot(columns[1], True), weights, one_hot(columns[3], True), columns[4])
])

# Only numbers, without a header; the target is a number.
text = io.StringIO()
writer = csv.writer(text, delimiter="\t", lineterminator="\n")
for i in range(40):
    writer.writerow([i * 37 % 11, round(math.sin(i), 6), f"{(i - 20) * 1e5:.3e}", round(0.5 * i + math.cos(i), 6)])
(folder / "numbers.tsv").write_text(text.getvalue())
columns = [[float(t) for t in column] for column in zip(*rows_of("numbers.tsv", "\t"))]
write("numbers.txt", zip(*[standard(c, None) for c in columns[:3]], columns[3]))
