"""Each command, option and component named in a document must exist in the host, and each of them must be named in a document."""
import re

from documents import PAGES, ROOT, all_lines, lines

# Commands used by builds, which the host does not list.
BUILD_COMMANDS = {"describe", "embed-description"}
# Options of scripts, sbatch, torchrun and pkg-config, and of the guide's examples.
OTHER_FLAGS = set("torch quick signal rdzv_id variable cflags bias title shape".split())
# Options of the reader's own plugins and instances in the examples of these pages, attributes of Lightning's trainer, and the
# mistakes shown in errors.md.
OWN_OPTIONS = {"error-codes.md": ["trainer.gpus", "trainer.callbacks", "data.root"], "options.md": ["trainer.callbacks"],
               "sdk-reference.md": ["trainer.hpp"], "plugin-guide.md": ["model.loss", "model.metrics"], "plugin-check.md": ["callback.patience"], "errors.md": ["max_epoch"],
               "runs.md": ["callback.hourly.train_time_interval"],
               "first-run.md": ["max_epoch"], "callback.md": ["callback.patience.epochs"], "embed.md": ["trainer.hpp"],
               "coming-from-lightning.md": ["trainer.callback_metrics", "trainer.should_stop"]}

OPTION_GROUPS = r"(trainer|data|model|callback|logger)"


class ClaimsOfHost:
    def __init__(self, say, host):
        self.say, self.host, self.lines = say, host, all_lines()
        self.all_options, self.flags = host.all_options(), host.flags()

    def check(self):
        self.commands()
        self.options()
        self.option_tables()
        self.undocumented()
        self.components()

    def commands(self):
        known = self.host.commands() | BUILD_COMMANDS
        for line in self.lines:
            if line.table == "typed":  # commands that users mistype
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
        """Returns the words after `host` for each command in this line."""
        for code in line.shell():
            found = re.match(r"(?:\$ )?(?:[A-Z_]+=\S+ |(?:srun|mpirun|torchrun|gdb)\b.*? )*(?:[\w~./-]+/)?host (.*)", code)
            if found and line.page.name != "architecture.md":
                yield re.sub(r"[\[\]]", "", found.group(1)).split()

    def options(self):
        for line in self.lines:
            if line.table == "typed":  # commands that users mistype
                continue
            named = re.findall(r"--" + OPTION_GROUPS + r"\.([a-z_][\w.]*\w)", line.text)
            named += re.findall(r"(?<![\w.-])(trainer)\.([a-z_]+)(?![\w(])", line.text)
            for full in (".".join(name) for name in named):
                if full not in self.all_options and full not in OWN_OPTIONS.get(line.page.name, []):
                    self.say(line, f"there is no option {full}")

    def option_tables(self):
        """Checks the first column of tables that start with | option |. optimizers.md has its own test."""
        for line in self.lines:
            if line.table != "option" or line.page.name == "optimizers.md":
                continue
            for name in re.findall(r"`([a-z_]+)`", line.text.split("|")[1]):
                if name not in self.flags:
                    self.say(line, f"there is no option '{name}'")

    def undocumented(self):
        """An option named on no page is reported as missing on the page of all options."""
        text = "\n".join(page.read_text() for page in PAGES)
        for option in sorted(self.all_options):
            if not re.search(rf"--{re.escape(option)}(?![\w.])", text):
                self.say(lines(ROOT / "docs/option-reference.md")[0], f"the option {option} is in no page")

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
