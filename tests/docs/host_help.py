"""The commands, components and options of the built host, read from its help."""
import functools
import os
import re
import subprocess
import sys


class Host:
    def __init__(self, program):
        self.program = program
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("LEVIN_", "PL_"))}
        self.env["XDG_DATA_HOME"] = "/nonexistent"  # only the plugins beside the host

    @functools.lru_cache(maxsize=None)
    def answer(self, *arguments):
        """Returns the output of `host ARGUMENTS`, or None if the host rejects them."""
        done = subprocess.run([self.program, *arguments], env=self.env, capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else None

    def help(self, *what):
        text = self.answer("help", *what)
        if text is None:
            sys.exit(f"{self.program} help {' '.join(what)} failed")
        return text

    def commands(self):
        listed = self.help().split("\nCommands\n")[1].split("\n\n")[0]
        return set(re.findall(r"^  ([a-z]+)", listed, re.M))

    def components(self):
        """Returns {kind: {id}} of the plugins beside the host."""
        found = re.findall(r"\b(model|data|callback|logger) (\w+)(?=[, ])", self.answer("plugins"))
        return {kind: {id for k, id in found if k == kind} for kind, _ in found}

    def options(self, *what):
        """Returns [(option with its group, [type, meaning])], as listed by `host help WHAT`."""
        found = re.findall(r"^  --([\w.]+)\n((?: {6}.*\n)*)", self.help(*what) + "\n", re.M)
        return [(name, [line.strip() for line in text.splitlines()]) for name, text in found]

    def all_options(self):
        """Returns {trainer.max_epochs, model.depth, callback.timer.duration, ...}"""
        what = {"trainer", "data", "model"} | {id for ids in self.components().values() for id in ids}
        return {name for one in what for name, _ in self.options(one)}

    def flags(self):
        """Returns {max_epochs, config, ...}: the names that may follow -- in some command."""
        texts = [self.help()] + [self.help(command) for command in self.commands()]
        named = {flag for text in texts for flag in re.findall(r"--([\w-]+)", text)}
        return named | {name.split(".")[-1] for name in self.all_options()}
