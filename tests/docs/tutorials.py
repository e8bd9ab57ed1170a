#!/usr/bin/env python3
"""tutorials.py PREFIX PAGE WORK: does what the tutorial PAGE says, with the Levin installed at PREFIX, in the new folder WORK.

Runs the commands in one shell, writes and edits the files, and compares the output (tutorial_page.py). A command whose output
in the page ends with "host: error[" must fail, and all others must succeed. Exits with 77 if the machine lacks what the page needs.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from tutorial_page import Command, matches, steps

END = "end of the command, status"
# Lines that appear only on a slow machine: the progress of an epoch that takes longer than 10 s.
PROGRESS = re.compile(r"(Epoch \d+/\d+|Validation|Test|Predict\w*|Sanity check\w*): .*\(\d+ %\), ")


def python_with_torch():
    for python in ("python3", "/usr/bin/python3"):
        if shutil.which(python) and not subprocess.run([python, "-c", "import torch"], capture_output=True).returncode:
            return shutil.which(python)
    return None


def missing(page):
    text = page.read_text()
    if "--data mnist" in text and not pathlib.Path("/usr/share/datasets/fashion-mnist").exists():
        return "Fashion-MNIST is not there (apt install dataset-fashion-mnist)"
    if "import torch" in text and not python_with_torch():
        return "Python has no torch (apt install python3-torch)"
    return None


class Shell:
    def __init__(self, prefix, work):
        home = work / "home"
        home.mkdir(parents=True)
        env = {name: value for name, value in os.environ.items() if not name.startswith(("LEVIN_", "XDG_", "SLURM_"))}
        env.update(HOME=str(home), CMAKE_PREFIX_PATH=str(prefix), PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig", TERM="dumb", LC_ALL="C.UTF-8")
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            env[name] = "1"
        env["OMP_WAIT_POLICY"] = "passive"
        tools = work / "tools"  # before the search path
        tools.mkdir()
        if python := python_with_torch():
            (tools / "python3").symlink_to(python)
        env["PATH"] = f"{tools}:{prefix}/bin:{env['PATH']}"
        self.folder = home / "levin"
        self.folder.mkdir()
        self.bash = subprocess.Popen(["bash"], cwd=self.folder, env=env, text=True, errors="replace", stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, command):
        """Returns the exit status and the lines of the output."""
        self.bash.stdin.write(f"{{ {command}\n}} </dev/null; printf '\\n{END} %s\\n' $?\n")
        self.bash.stdin.flush()
        lines = []
        for line in self.bash.stdout:
            if line.startswith(END):
                return int(line.rsplit(" ", 1)[1]), [one for one in lines if not PROGRESS.match(one)]
            print(f"    {line}", end="", flush=True)
            lines.append(line.rstrip("\n"))
        return self.bash.wait(), lines


def write(folder, edit):
    file = folder / edit.file
    file.parent.mkdir(parents=True, exist_ok=True)
    if edit.kind != "diff":
        file.write_text("\n".join(edit.lines) + "\n")
        return None
    old = "".join(line[1:] + "\n" for line in edit.lines if line[:1] != "+")
    new = "".join(line[1:] + "\n" for line in edit.lines if line[:1] != "-")
    text = file.read_text()
    if ("\n" + text).count("\n" + old) != 1:
        return f"the lines before the change are {text.count(old)} times in {edit.file}"
    file.write_text(("\n" + text).replace("\n" + old, "\n" + new, 1)[1:])
    return None


def wrong_with(command, status, got):
    shown = [line for line in command.output if line.strip() not in ("", "...")]
    fails = bool(shown) and shown[-1].startswith("host: error[")
    if (status != 0) != fails:
        return f"the command ended with {status}" + (", and the page shows an error" if fails else "")
    if command.output and not matches(command.output, got):
        return "the output is not that of the page:\n" + "\n".join(f"    {line}" for line in command.output)
    return None


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    prefix, page, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    if lacks := missing(page):
        print(f"SKIPPED: {page.name}: {lacks}")
        sys.exit(77)
    shutil.rmtree(work, ignore_errors=True)
    shell, faults = Shell(prefix, work), []
    for step in steps(page):
        if isinstance(step, Command):
            print(f"{page.name}:{step.line}: $ {step.text}", flush=True)
            wrong = wrong_with(step, *shell.run(step.text))
        else:
            print(f"{page.name}:{step.line}: {step.file}", flush=True)
            wrong = write(shell.folder, step)
        if wrong:
            faults.append(f"{page}:{step.line}: {wrong}")
            print(faults[-1], flush=True)
    print(f"{page.name}: {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
