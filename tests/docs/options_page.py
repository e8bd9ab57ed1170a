#!/usr/bin/env python3
"""options_page.py [--write] HOST

Compares docs/option-reference.md with `host help` of the built HOST: every option of the Trainer and of every shipped component, and the
transforms.
With --write it writes the page.
"""
import re
import sys

from documents import ROOT
from host_help import Host

PAGE = ROOT / "docs/option-reference.md"
INTRODUCTION = """# Reference of the options

Every option of the Trainer and of each component that ships, as `host help` prints it. `tests/docs/options_page.py --write HOST` writes
this page. [options.md](options.md) says where values come from, how they are written, and what differs from Lightning.
"""
GROUPS = [("The Trainer", "trainer"), ("Every data module", "data"), ("Every model", "model")]
KINDS = [("Models", "model"), ("Data modules", "data"), ("Callbacks", "callback"), ("Loggers", "logger")]


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def row(option, lines):
    """An option that a component serves for the Trainer has only a meaning, no type."""
    kind, meaning = lines if len(lines) == 2 else ("", *lines)
    default = re.search(r" \((?:default )?((?:(?<=default ).*|required))\)$", kind)
    kind = kind[:default.start()] if default else kind
    return f"| `{option}` | {cell(kind)} | {cell(default.group(1)) if default else ''} | {cell(meaning)} |"


def table(text):
    """Returns the options of a help text, with its titles as headings."""
    out, inside = [], False
    for title, option, lines in re.findall(r"^(?:([A-Z][\w ]*)$|  (--[\w.]+)\n((?: {6}.*\n)+))", text + "\n", re.M):
        if title:
            out += ["", f"### {title}"]
            inside = False
            continue
        if not inside:
            out += ["", "| option | type | default | meaning |", "| --- | --- | --- | --- |"]
            inside = True
        out.append(row(option, [line.strip() for line in lines.splitlines()]))
    return out


def component(host, kind, id):
    """Returns the part of `host help ID` that describes the component of this kind, from its second line to its recommendations."""
    parts = re.split(rf"^(?=(?:model|data|callback|logger) {id} )", host.help(id), flags=re.M)
    text = next(part for part in parts if part.startswith(f"{kind} {id} "))
    summary, options = text.split("\n", 2)[1:]
    return ["", f"### {id}", "", f"{summary}."] + table(options.split("\nRecommends\n")[0])


def transforms(host):
    """Returns the table of the names that --data.transforms takes."""
    out = ["", "## Transforms", "", "Names for `--data.transforms` ([transforms.md](transforms.md)).", "",
           "| transform | meaning |", "| --- | --- |"]
    return out + [f"| `{usage}` | {cell(meaning)} |" for usage, meaning in re.findall(r"^  (\S+)\n {6}(.*)$", host.help("transforms"), re.M)]


def page(host):
    out = [INTRODUCTION.rstrip("\n")]
    for title, group in GROUPS:
        out += ["", f"## {title}"] + table(re.sub(r"^(Every |LEVIN_|Its own).*", "", host.help(group), flags=re.M))
    for title, kind in KINDS:
        out += ["", f"## {title}"]
        for id in sorted(host.components()[kind]):
            out += component(host, kind, id)
    return "\n".join(out + transforms(host)) + "\n"


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--write"] and len(arguments) == 2:
        return PAGE.write_text(page(Host(arguments[1])))
    if len(arguments) != 1:
        sys.exit(__doc__)
    said, wanted = (text.split("\n") for text in (PAGE.read_text() if PAGE.exists() else "", page(Host(arguments[0]))))
    if said == wanted:
        return print(f"{PAGE.relative_to(ROOT)}: {len(wanted)} lines are what the host says")
    at = next((i for i, pair in enumerate(zip(said, wanted)) if pair[0] != pair[1]), min(len(said), len(wanted)))
    sys.exit(f"{PAGE.relative_to(ROOT)}:{at + 1}: this line differs from `host help`, which gives\n"
             f"  {wanted[at] if at < len(wanted) else '(the end)'}\nwrite the page with: tests/docs/options_page.py --write {arguments[0]}")


main()
