#!/usr/bin/env python3
"""claims.py HOST: what README.md, CONTRIBUTING.md and docs/*.md say that a program can check.

Files and links, commands, options, names of numbers and texts, components, hooks. Prints FILE:LINE and what is wrong.
"""
import fnmatch
import re
import sys

from documents import PAGES, ROOT, all_lines, anchors, lines
from host_help import Host

# ---- what is no claim about the repository or the host

# Paths of a run folder, of an installation, of a build, of a machine, or of the reader's own project.
OTHER_PATHS = """levin_logs/* checkpoints/* RUN_DIR/* build/* build-asan/* lib/* libexec/* share/* /* ~* $* ./* *.example/*
epoch=* state_dict.* val_loss/* levin.*/[0-9]* *_start/end on_*_start/end lib*.so *.pt* *.ckpt *.safetensors *.ts""".split()
OTHER_FILES = """config.json config-1.json log.txt metrics.csv metrics.jsonl index.json profile.txt trace.json batch_size.json lr_find.json
lr_find.svg predictions.csv damaged_images.txt submission.json submit.sh slurm-JOB.out plugins.json iris.csv labels.csv new.csv x.csv hosts.txt
model.safetensors.index.json nccl.h CMakeLists.txt""".split()
# Commands that builds use, and that the host does not list.
BUILD_COMMANDS = {"describe", "embed-description"}
# Options of scripts, sbatch, torchrun and pkg-config, and of the guide's examples.
OTHER_FLAGS = set("torch signal rdzv_id variable cflags bias title shape".split())
# Options that the reader's own plugins have in the examples of these pages, and mistakes that errors.md gives as examples.
OWN_OPTIONS = {"plugin-guide.md": ["model.loss", "model.metrics"], "plugin-check.md": ["callback.patience"], "errors.md": ["max_epoch"]}

SOURCE_ENDINGS = r"\.(?:md|py|sh|cpp|hpp|h|c|rs|json|txt|in|cmake|jsonl|csv|svg|proto)$"
OPTION_GROUPS = r"(trainer|data|model|callback|logger)"


class Claims:
    def __init__(self, host):
        self.host, self.lines, self.wrong = host, all_lines(), []
        self.names = {path.name for path in ROOT.rglob("*") if "build" not in path.relative_to(ROOT).parts[:1]}
        self.all_options, self.flags = host.all_options(), host.flags()
        self.folders = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "build"}

    def say(self, line, what):
        self.wrong.append(f"{line.page.relative_to(ROOT)}:{line.number}: {what}")

    # ---- files

    def files(self):
        for line in self.lines:
            for link in line.links():
                self.link(line, link)
            for path in {*line.spans(), *re.findall(r"(?<![\w./<>~-])[a-z]+/[\w./-]*\w", line.text)}:
                path = re.sub(r":\d+$", "", path.rstrip("/"))
                if re.fullmatch(r"[\w.+*/<>$~=-]+", path) and not self.is_there(line, path):
                    self.say(line, f"there is no file or folder {path}")

    def link(self, line, link):
        if re.match(r"https?://", link):
            return
        path, _, anchor = link.partition("#")
        page = (line.page.parent / path).resolve() if path else line.page
        if not page.exists():
            self.say(line, f"the link {link} leads nowhere")
        elif anchor and anchor not in anchors(page):
            self.say(line, f"the link {link}: there is no such heading")

    def is_there(self, line, path):
        first = path.split("/")[0]
        if "/" not in path:
            return not re.search(SOURCE_ENDINGS, path) or path.startswith(".") or path in OTHER_FILES or path in self.names
        if first == "levin" and "." in path:
            return (ROOT / "sdk/include" / path).exists() or fnmatch.fnmatch(path, "levin.*/*")
        if first not in self.folders:
            in_backticks = path in line.spans() and re.search(SOURCE_ENDINGS, path)
            return not in_backticks or any(fnmatch.fnmatch(path, other) for other in OTHER_PATHS)
        return any(True for ending in ("", ".*", "-*") for _ in ROOT.glob(path + ending))  # core/loops/fit_loop is .cpp and .hpp, docs/adr/0037 a longer name

    # ---- commands and options

    def commands(self):
        known = self.host.commands() | BUILD_COMMANDS
        for line in self.lines:
            if line.table == "typed":  # what users type wrongly
                continue
            for words in self.host_calls(line):
                command = words[0] if words else ""
                for one in command.replace("\\|", "|").split("|"):
                    if re.fullmatch(r"[a-z][a-z-]*", one) and one not in known:
                        self.say(line, f"'host {one}': the host has no such command")
                if command == "help" and len(words) > 1 and re.fullmatch(r"[a-z_]+", words[1]) and not self.host.answer(*words[:2]):
                    self.say(line, f"'host help {words[1]}': the host knows nothing of this name")
                self.known_flags(line, words if command not in BUILD_COMMANDS else [])
            if line.page.name != "CONTRIBUTING.md":
                self.known_flags(line, [word for span in line.spans() if span.startswith("--") for word in span.split()])

    def known_flags(self, line, words):
        for word in words:
            flag = re.fullmatch(r"--([a-z][\w-]*)(=.*)?", word)
            if flag and flag.group(1) not in self.flags | OTHER_FLAGS | set(OWN_OPTIONS.get(line.page.name, [])):
                self.say(line, f"'{word}': the host has no such option")

    def host_calls(self, line):
        """The words after `host` of each command of this line."""
        for code in line.shell():
            found = re.match(r"(?:\$ )?(?:[A-Z_]+=\S+ |(?:srun|mpirun|torchrun|gdb)\b.*? )*(?:[\w~./-]+/)?host (.*)", code)
            if found and line.page.name != "architecture.md":
                yield re.sub(r"[\[\]]", "", found.group(1)).split()

    def options(self):
        for line in self.lines:
            if line.table == "typed":  # what users type wrongly
                continue
            named = re.findall(r"--" + OPTION_GROUPS + r"\.([a-z_][\w.]*\w)", line.text)
            named += re.findall(r"(?<![\w.-])(trainer)\.([a-z_]+)(?![\w(])", line.text)
            for full in (".".join(name) for name in named):
                if full not in self.all_options and full not in OWN_OPTIONS.get(line.page.name, []):
                    self.say(line, f"there is no option {full}")

    def option_tables(self):
        """The first column of tables that begin with | option |; optimizers.md has a test of its own."""
        for line in self.lines:
            if line.table != "option" or line.page.name == "optimizers.md":
                continue
            for name in re.findall(r"`([a-z_]+)`", line.text.split("|")[1]):
                if name not in self.flags:
                    self.say(line, f"there is no option '{name}'")

    # ---- names that the trainer serves

    def served_names(self):
        services = ROOT / "core/services"
        numbers = (services / "trainer_numbers.cpp").read_text()
        served = {"number": set(re.findall(r'\{"(\w+)",\s', numbers[numbers.index("getters()"):]))}
        texts = (services / "trainer.cpp").read_text()
        texts = texts[texts.index("origin_prefix = "):texts.index("return nullptr")]
        served["text"] = set(re.findall(r'name == "(\w+)"', texts)) | {re.search(r'origin_prefix = "(\w+)\.', texts).group(1)}
        page = ROOT / "docs/sdk-reference.md"
        for kind, names in served.items():
            line = next(l for l in lines(page) if l.text.startswith(f"`{kind}(name)` knows "))
            said = {span.split(".")[0] for span in line.spans()} - {f"{kind}(name)", "epoch_loop"}
            for name in sorted(names - said):
                self.say(line, f"the {kind} '{name}' of the trainer is not named")
            for name in sorted(n for n in said - names if re.fullmatch(r"\w+", n)):
                self.say(line, f"the trainer has no {kind} '{name}'")

    # ---- components

    def components(self):
        page = ROOT / "docs/features.md"
        rows = {"model": "models", "data": "data", "callback": "callbacks", "logger": "loggers"}
        for kind, ids in self.host.components().items():
            line = next(l for l in lines(page) if l.text.startswith(f"| {rows[kind]} |"))
            said = set(line.spans())
            for id in sorted(ids - said):
                self.say(line, f"the {kind} '{id}' is not named")
            for id in sorted(said - ids):
                self.say(line, f"no {kind} '{id}' ships")

    # ---- hooks

    def hooks(self):
        page = ROOT / "docs/hooks.md"
        hooks = re.findall(r"\bX\([A-Z_]+, \d+, (\w+)\)", (ROOT / "sdk/include/levin/abi.h").read_text())
        said = self.hooks_said(page)
        for hook in hooks:
            if hook not in said:
                self.say(lines(page)[0], f"the hook {hook} of levin/abi.h is not named")
        sdk = set(re.findall(r"\w+", "\n".join(path.read_text() for path in (ROOT / "sdk/include").rglob("*.h*"))))
        for hook, line in said.items():
            if hook.startswith("on_") and hook not in sdk:
                self.say(line, f"there is no hook '{hook}'")
        for begin, golden in (("fit:", "fit_datamodule_checkpoint"), ("predict:", "predict_datamodule")):
            self.order(page, begin, golden)

    def hooks_said(self, page):
        """{hook: the line that names it first}, with X as each of the loops."""
        out = {}
        for line in lines(page):
            text = re.sub(r"(\w+_start)`?(?:/|, `?_)end\b", lambda m: f"{m[1]} {m[1][:-5]}end", line.text)
            for name in re.findall(r"\b(?:on_\w+|setup|teardown|configure_model|\w+_dataloader)\b", text):
                out.setdefault(name, line)
            if "data.X_dataloader" in text:
                out.setdefault("test_dataloader", line)
            if "with X's names" in text:  # as validation above
                for name in [n for n in out if n.startswith("on_validation_") and n != "on_validation_model_zero_grad"]:
                    out.setdefault(name.replace("validation", "test"), line)
        out = {name: line for name, line in out.items() if "X" not in name}
        return out

    def order(self, page, begin, golden):
        """The calls of a run that was observed come in the order of the page."""
        calls = (ROOT / f"tests/engine/golden/hooks/{golden}.txt").read_text().split("\n")[1:]
        names = [re.sub(r"^\w+\.| .*", "", call) for call in calls if call]
        if "on_sanity_check_start" in names:  # its validation is a line of its own
            names[names.index("on_sanity_check_start") + 1:names.index("on_sanity_check_end")] = []
        said = {}
        for line in self.block(page, begin):
            for name in re.findall(r"[a-z_]+", re.sub(r"(?<=\w)\(.*?\)| {4,}(?=\S).*|\[.*?\]", "", line.text.strip())):
                said.setdefault(name, line)
        observed = [name for name in dict.fromkeys(names) if name in said]
        for name, before in zip([name for name in said if name in names], observed):
            if name != before:
                return self.say(said[name], f"'{name}' stands where a run calls '{before}'")

    def block(self, page, begin):
        """The lines from the one that begins so to the next that is not indented."""
        found = lines(page)
        first = next(i for i, line in enumerate(found) if line.text.startswith(begin))
        last = next(i for i, line in enumerate(found) if i > first and not line.text.startswith("  "))
        return found[first:last]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    claims = Claims(Host(sys.argv[1]))
    for check in (claims.files, claims.commands, claims.options, claims.option_tables, claims.served_names, claims.components, claims.hooks):
        check()
    print("\n".join(claims.wrong), end="\n" if claims.wrong else "")
    print(f"{len(PAGES)} pages, {len(claims.wrong)} wrong claims")
    sys.exit(1 if claims.wrong else 0)


main()
