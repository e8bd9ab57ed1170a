"""The numbers and texts listed in the documents must be those that the trainer provides; the hooks must be those of the ABI, in the
order of a run."""
import re

from documents import ROOT, lines


class ClaimsOfNames:
    def __init__(self, say):
        self.say = say

    def check(self):
        self.served_names()
        self.names_in_the_header()
        self.service_ids()
        self.hooks()

    def served_by_core(self):
        """{"number": names, "text": names}, from the tables of core/services."""
        services = ROOT / "core/services"
        numbers = (services / "trainer_numbers.cpp").read_text() + (services / "speed_settings.cpp").read_text()
        texts = (services / "trainer.cpp").read_text()
        texts = texts[texts.index("origin_prefix = "):texts.index("return nullptr")]
        return {"number": set(re.findall(r'\{"(\w+)",\s', numbers[numbers.index("getters()"):])),
                "text": set(re.findall(r'name == "(\w+)"', texts)) | {re.search(r'origin_prefix = "(\w+)\.', texts).group(1)}}

    def served_names(self):
        page = ROOT / "docs/sdk-reference.md"
        for kind, names in self.served_by_core().items():
            line = next(l for l in lines(page) if l.text.startswith(f"`{kind}(name)` knows "))
            said = {span.split(".")[0] for span in line.spans()} - {f"{kind}(name)", "epoch_loop"}
            for name in sorted(names - said):
                self.say(line, f"the {kind} '{name}' of the trainer is not named")
            for name in sorted(n for n in said - names if re.fullmatch(r"\w+", n)):
                self.say(line, f"the trainer has no {kind} '{name}'")

    def names_in_the_header(self):
        """The comments on levin_trainer.number and .text name what the trainer serves, and nothing else."""
        header = ROOT / "sdk/include/levin/abi.h"
        progress = "\n".join(path.read_text() for path in sorted((ROOT / "core/progress").glob("*.cpp")))
        counters = set(re.findall(r'"(epoch_(?:progress|loop)[\w.]*)"', progress))
        for kind, names in self.served_by_core().items():
            comment = header.read_text().split(f"  levin_status (*{kind})(levin_run*")[0].rsplit("  /* ", 1)[1]
            said = {name.split(".")[0] if name.startswith("origin.") else name for name in re.findall(r'"([a-z_.A-Z]+)"', comment)}
            said -= {"fit", "validate", "test", "predict", "sanity_check", "ready", "started", "processed", "completed"}
            for name in sorted(said ^ (names | (counters if kind == "number" else set()))):
                what = "is served and not named" if name in names | counters else "is named and not served"
                self.say(lines(header)[0], f"the {kind} '{name}' {what} in the comment on levin_trainer.{kind}")

    def service_ids(self):
        """The table of the service or extension "levin.NAME/1" is levin_NAME."""
        for header in sorted((ROOT / "sdk/include/levin").glob("*.h")):
            tables = set(re.findall(r"^} levin_(\w+);", header.read_text(), re.M))
            for line in lines(header):
                for name in re.findall(r'"levin\.(\w+)/\d"', line.text):
                    if name not in tables | {"NAME", "torch", "state_before_setup"}:  # the last two are answered without a table
                        self.say(line, f"there is no table levin_{name}")

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
        """Returns {hook: the line that names it first}, with X replaced by each of the loops."""
        out = {}
        for line in lines(page):
            text = re.sub(r"(\w+_start)`?(?:/|, `?_)end\b", lambda m: f"{m[1]} {m[1][:-5]}end", line.text)
            for name in re.findall(r"\b(?:on_\w+|setup|teardown|configure_model|\w+_dataloader)\b", text):
                out.setdefault(name, line)
            if "data.X_dataloader" in text:
                out.setdefault("test_dataloader", line)
            if "with X's names" in text:  # like the validation above
                for name in [n for n in out if n.startswith("on_validation_") and n != "on_validation_model_zero_grad"]:
                    out.setdefault(name.replace("validation", "test"), line)
        out = {name: line for name, line in out.items() if "X" not in name}
        return out

    def order(self, page, begin, golden):
        """Checks that the calls of a recorded run come in the order of the page."""
        calls = (ROOT / f"tests/engine/golden/hooks/{golden}.txt").read_text().split("\n")[1:]
        names = [re.sub(r"^\w+\.| .*", "", call) for call in calls if call]
        if "on_sanity_check_start" in names:  # its validation is listed separately
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
        """Returns the lines from the one that starts with `begin` to the next unindented line."""
        found = lines(page)
        first = next(i for i, line in enumerate(found) if line.text.startswith(begin))
        last = next(i for i, line in enumerate(found) if i > first and not line.text.startswith("  "))
        return found[first:last]
