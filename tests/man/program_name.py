"""Usage: program_name.py HOST. Calls HOST by a link `levin` and checks that its messages, hints, help and manual pages name `levin`."""
import os
import re
import subprocess
import sys
import tempfile

HINT = re.compile(r"(?<![\w./-])host(?= [a-z]+\b| --| \[|: |\()")
# Words after `host` in sentences about the program that is called host everywhere in the documents.
SENTENCES = re.compile(r"host (has|does|is|refuses|will|or|and|of|only|itself|gives|already|end|did|a|name|the|in|that|with|itself)\b")


def left(text):
    return [text[max(0, found.start() - 40):found.end() + 30] for found in HINT.finditer(text) if not SENTENCES.match(text, found.start())]


def main():
    host = os.path.abspath(sys.argv[1])
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        levin = os.path.join(folder, "levin")
        os.symlink(host, levin)
        variables = {key: value for key, value in os.environ.items() if key != "LEVIN_PROGRAM"}

        def said(*words, program=levin, **more):
            done = subprocess.run([program, *words], text=True, capture_output=True, cwd=folder, env={**variables, **more})
            return done.stdout + done.stderr

        listed = said("--help")
        commands = re.findall(r"^  ([a-z]+) ", listed.split("Commands\n")[1].split("\nOptions")[0], re.M)
        texts = {"--help": listed, "": said(), "help trainer": said("help", "trainer"), "help optimizers": said("help", "optimizers")}
        for command in commands:
            texts["help " + command] = said("help", command)
            texts[command + " with a mistake"] = said(command, "--no_such_option")
        for what, text in texts.items():
            failed += [f"levin {what} prints ...{part!r}" for part in left(text)]
        if not said("resum").startswith("levin: error[E0201]: there is no command 'resum'"):
            failed.append("an error begins with " + said("resum"))
        if not said("--version").startswith("levin 0"):
            failed.append("--version is " + said("--version"))
        for shell in ("bash", "zsh", "fish"):
            script = said("completion", shell)
            if re.search(r"\bhost\b|_host", script) or "levin" not in script:
                failed.append(f"the completion of {shell} names host")
        # A process that levin starts, and one with an unusable name.
        if not said("--version", program=host, LEVIN_PROGRAM="levin").startswith("levin "):
            failed.append("LEVIN_PROGRAM names nothing")
        for bad in ("", "a b", "../x", "-x", "n" * 99):
            if not said("--version", program=host, LEVIN_PROGRAM=bad).startswith("host "):
                failed.append(f"LEVIN_PROGRAM={bad!r} was taken")
        said("__man", folder + "/man")
        pages = [os.path.join(part, name) for part, _, names in os.walk(folder + "/man") for name in names]
        for page in pages:
            name, text = os.path.basename(page), open(page).read().replace("\\-", "-")
            if not name.startswith("levin"):
                failed.append("there is a page " + name)
            failed += [f"{name} has ...{part!r}" for part in left(text)] + [f"{name} names {found}" for found in re.findall(r"host-\w+\(\d\)", text)]
        if len(pages) < len(commands) + 3:
            failed.append(f"there are {len(pages)} pages")
    if failed:
        sys.exit("\n".join(failed))
    print(f"{len(texts)} texts and {len(pages)} pages name levin")


main()
