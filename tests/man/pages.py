"""Usage: pages.py HOST. Writes the manual pages of HOST to a temporary folder and checks that each command has one, that they name
what the help names, and that `mandoc -T lint` and `man --warnings` find nothing wrong."""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def output(*command, **more):
    return subprocess.run(command, text=True, capture_output=True, check=True, **more).stdout


def plain(roff):
    """The text of a page without fonts and escapes."""
    for escape, text in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~"), (r"\(dq", '"'), (r"\&", "")):
        roff = roff.replace(escape, text)
    return re.sub(r"\\f[BIR]", "", roff).replace(r"\e", "\\")


def missing(pages, host):
    listed = output(host, "--help")
    commands = re.findall(r"^  ([a-z]+) ", listed.split("Commands\n")[1].split("\nOptions")[0], re.M)
    for command in commands:
        if f"host-{command}.1" not in pages:
            yield f"there is no page host-{command}.1"
            continue
        words = set(plain(pages[f"host-{command}.1"]).split())
        shown = output(host, "help", command).split("\nOften used")[0].replace("--version, --help", "")
        for option in re.findall(r"--[a-z][a-z_-]+(?![a-z_.-])", shown):
            if not any(option in word for word in words):
                yield f"host-{command}.1 does not name {option}"
    for option in re.findall(r"^  (--trainer\.\S+)", output(host, "help", "trainer").split("\nServed by")[0], re.M):
        if option not in plain(pages["host-options.7"]):
            yield f"host-options.7 does not name {option}"
    plugins = os.path.join(os.path.dirname(os.path.dirname(host)), "lib/levin/plugins")
    for file in sorted(os.listdir(plugins)) if os.path.isdir(plugins) else []:
        found = re.findall(r"^  (--\S+)", output(host, "help", os.path.join(plugins, file)), re.M)
        for option in found:
            if option not in plain(pages["host-components.7"]):
                yield f"host-components.7 does not name {option} of {file}"


def complaints(folder, pages):
    tools = [tool for tool in ("mandoc", "man") if shutil.which(tool)]
    for name in pages:
        path = os.path.join(folder, "man" + name[-1], name)
        if "mandoc" in tools:
            yield subprocess.run(["mandoc", "-T", "lint", path], text=True, capture_output=True).stdout
        if "man" in tools:
            asked = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path], text=True, errors="replace", capture_output=True,
                                   env=dict(os.environ, LC_ALL="C.UTF-8", MANROFFSEQ="", MANWIDTH="80"))
            yield asked.stderr


def main():
    host = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([host, "__man", folder], check=True, env=dict(os.environ, SOURCE_DATE_EPOCH="86400"))
        pages = {name: open(os.path.join(folder, part, name)).read() for part in ("man1", "man7") for name in os.listdir(os.path.join(folder, part))}
        failed = list(missing(pages, host)) + [text for text in complaints(folder, pages) if text]
        failed += [f"{name} has another date" for name, text in pages.items() if "1970-01-02" not in text]
    if failed:
        sys.exit("\n".join(failed))
    absent = [tool for tool in ("mandoc", "man") if not shutil.which(tool)]
    if absent:
        print(f"SKIPPED: the pages are not linted by {' and '.join(absent)}: apt install mandoc man-db", file=sys.stderr)
        sys.exit(77)
    print(f"{len(pages)} pages")


main()
