"""Each file, folder and heading that a document names or links to must exist."""
import fnmatch
import re

from documents import ROOT, all_lines, anchors

# Paths in a run folder, an installation, a build, a machine, or the reader's own project.
OTHER_PATHS = "levin_logs/* checkpoints/* RUN_DIR/* build/* lib/* libexec/* share/* /* ~* $*".split()
OTHER_FILES = """config.json config-1.json code.json code-1.json code.diff log.txt log.rank-*.txt metrics.csv metrics.jsonl index.json profile.txt trace.json batch_size.json autotune.json lr_find.json
lr_find.svg predictions.csv damaged_images.txt sweep.json submission.json submit.sh slurm-JOB.out
model.safetensors.index.json spool.jsonl nccl.h metadata.jsonl tokenizer.json roc_val.svg pr_val.svg calibration_val.svg""".split()
SOURCE_ENDINGS = r"\.(?:md|py|sh|cpp|hpp|h|c|rs|json|txt|in|cmake|jsonl|csv|svg|proto)$"


class ClaimsOfFiles:
    def __init__(self, say):
        self.say = say
        self.folders = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name not in ("build", "levin_logs")}
        self.names = {path.name for folder in self.folders for path in (ROOT / folder).rglob("*")} | {path.name for path in ROOT.iterdir()}

    def check(self):
        for line in all_lines():
            for link in line.links():
                self.link(line, link)
            if line.page.parent.name == "tutorials":  # names files that its steps make; tutorials.py does them
                continue
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
            is_file = re.search(SOURCE_ENDINGS, path) and not path.startswith(".")
            return not is_file or path in self.names or any(fnmatch.fnmatch(path, other) for other in OTHER_FILES)
        if first == "levin" and "." in path:
            return (ROOT / "sdk/include" / path).exists() or fnmatch.fnmatch(path, "levin.*/*")
        if first not in self.folders:
            in_backticks = path in line.spans() and re.search(SOURCE_ENDINGS, path)
            return not in_backticks or any(fnmatch.fnmatch(path, other) for other in OTHER_PATHS)
        if path == "trainer/global_step":  # a metric of wandb
            return True
        # core/loops/fit_loop stands for its .cpp and .hpp, docs/adr/0037 for a longer name.
        return any(True for ending in ("", ".*", "-*") for _ in ROOT.glob(path + ending))
