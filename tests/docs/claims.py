#!/usr/bin/env python3
"""claims.py HOST: checks the claims of README.md, CONTRIBUTING.md and docs/*.md that a program can check.

Files and links, commands, options, components, names of numbers and texts, hooks. Prints FILE:LINE and the error.
"""
import sys

from claims_of_files import ClaimsOfFiles
from claims_of_host import ClaimsOfHost
from claims_of_names import ClaimsOfNames
from documents import PAGES, ROOT
from host_help import Host


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wrong = []

    def say(line, what):
        wrong.append(f"{line.page.relative_to(ROOT)}:{line.number}: {what}")

    for claims in (ClaimsOfFiles(say), ClaimsOfHost(say, Host(sys.argv[1])), ClaimsOfNames(say)):
        claims.check()
    print("".join(line + "\n" for line in wrong) + f"{len(PAGES)} pages, {len(wrong)} wrong claims")
    sys.exit(1 if wrong else 0)


main()
