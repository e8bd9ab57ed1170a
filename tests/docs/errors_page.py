#!/usr/bin/env python3
"""errors_page.py [--write] HOST

Compares the numbers of errors: core/base/error_codes.hpp, `host explain --json` of the built HOST, docs/error-codes.md, and the list
tests/errors/codes.txt of all numbers that were ever used, which only grows. A number that nothing throws any more has the word "retired" there,
and is never used again.
With --write it writes the page and adds new numbers to the list.
"""
import json
import re
import subprocess
import sys

from documents import ROOT

PAGE, LIST = ROOT / "docs/error-codes.md", ROOT / "tests/errors/codes.txt"
INTRODUCTION = """# Numbers of errors

Every error has a number: `host: error[E0204]: there is no option --max_epoch`. `host explain E0204` prints its entry of this
page, and `host explain` lists all. The digits before the last two are the exit code, except for E0707 and E7501. A number never
gets another meaning.
[errors.md](errors.md) describes the error line and the exit codes. `tests/docs/errors_page.py --write HOST` writes this page.
"""
TITLES = {1: "A plugin, the loop or a file that is written", 2: "Commands, options and configuration", 3: "Plugins", 4: "Data",
          5: "Checkpoints", 6: "NaN and infinite values", 7: "Ranks", 70: "The host and its installation", 75: "Signals"}


def escaped(text):
    return text.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def page(rows):
    out, last = [INTRODUCTION.rstrip("\n")], None
    for row in rows:
        if row["exit_code"] != last:
            last = row["exit_code"]
            out += ["", f"## {TITLES[last]}"]
        out += ["", f"### {row['code']}", "", f"**{row['title']}.** {escaped(row['cause'])}", "", escaped(row["cure"]), "",
                f"    host: error[{row['code']}]: {row['example']}"]
    return "\n".join(out) + "\n"


def main():
    arguments = sys.argv[1:]
    write = arguments[:1] == ["--write"]
    if len(arguments) != 1 + write:
        sys.exit(__doc__)
    rows = json.loads(subprocess.run([arguments[-1], "explain", "--json"], capture_output=True, text=True, check=True).stdout)
    header = (ROOT / "core/base/error_codes.hpp").read_text()
    names = [(f"E{int(number):04}", name) for name, number in re.findall(r"^  (\w+) = (\d+),$", header, re.M)]
    problems = []
    if [code for code, _ in names] != sorted({code for code, _ in names}):
        problems.append("error_codes.hpp: the numbers do not rise")
    if [row["code"] for row in rows] != [code for code, _ in names]:
        differ = {row["code"] for row in rows} ^ {code for code, _ in names}
        problems.append(f"host explain and error_codes.hpp have other numbers, or another order: {sorted(differ)}")
    for row in rows:
        problems += [f"{row['code']}: its {part} is empty" for part in ("title", "cause", "cure", "example") if not row[part]]
    lines = [line.split() for line in LIST.read_text().splitlines()] if LIST.exists() else []
    retired = {code: name for code, name, *word in lines if word == ["retired"]}
    used = [(code, name) for code, name, *_ in lines if code not in retired]
    problems += [f"{code} {name}: this number is retired" for code, name in names if code in retired]
    if write:
        all_lines = {(code, f"{code} {name}\n") for code, name in {*used, *names}} | {(c, f"{c} {n} retired\n") for c, n in retired.items()}
        LIST.write_text("".join(line for _, line in sorted(all_lines)))
        PAGE.write_text(page(rows))
        used = sorted({*used, *names})
    problems += [f"{code} {name}: this number was used for it, and is gone or has another meaning" for code, name in used
                 if (code, name) not in names]
    problems += [f"{code} {name}: not in {LIST.relative_to(ROOT)}; write it with --write" for code, name in names if (code, name) not in used]
    if PAGE.read_text() != page(rows):
        problems.append(f"{PAGE.relative_to(ROOT)} differs from host explain; write it with tests/docs/errors_page.py --write HOST")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(names)} numbers, each explained")


main()
