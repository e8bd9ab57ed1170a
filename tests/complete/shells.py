"""Usage: shells.py SHELL HOST PLUGIN [NAME]. Types command lines and the Tab key into SHELL (bash, zsh or fish) on a pseudo terminal, with
HOST as `host` or NAME, and checks what stands on the command line then. PLUGIN is the file of a model with the option `depth`."""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import sys
import tempfile
import termios
import time

SETUP = {
    # Ctrl-X prints the command line between << and >>, and clears it.
    "bash": r"""PS1='ready> '; source <(host completion bash); bind 'set completion-ignore-case off'; bind 'set bell-style none'
show() { printf '\n<<%s>>\n' "$READLINE_LINE"; READLINE_LINE= READLINE_POINT=0; }; bind -x '"\C-xs": show'""",
    "zsh": r"""PS1='ready> '; autoload -Uz compinit; compinit -u -D; source <(host completion zsh); unsetopt beep
show() { print; print -r -- "<<$BUFFER>>"; BUFFER=; zle reset-prompt }; zle -N show; bindkey '^Xs' show""",
    "fish": r"""function fish_prompt; echo -n 'ready> '; end; host completion fish | source
function show; printf '\n<<%s>>\n' (commandline); commandline ''; commandline -f repaint; end; bind \cxs show""",
}
START = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"], "fish": ["fish", "--no-config", "-i"]}

# What is typed before Tab, and what stands there after it. A tuple has what each of bash, zsh and fish leaves.
CASES = [
    ("host val", "host validate "),
    ("host completion z", "host completion zsh "),
    ("host fit --max_ep", "host fit --max_epochs "),
    ("host fit --model=toy_n", "host fit --model=toy_net "),
    ("host fit --model toy_n", "host fit --model toy_net "),
    ("host fit --model toy_net --data toy_rows --model.de", "host fit --model toy_net --data toy_rows --model.depth "),
    ("host --model 'toy_net' --model.de", "host --model 'toy_net' --model.depth "),
    ("host --model toy_net --mode", "host --model toy_net --model"),
    ("host --model toy_net --depth 3", "host --model toy_net --depth 34 "),
    ("host --model PLUGIN --model.de", "host --model PLUGIN --model.depth "),
    ("host --model ./my\\ plugins/libtoy.so:toy_net --model.de", "host --model ./my\\ plugins/libtoy.so:toy_net --model.depth "),
    ('host --model "./my plugins/libtoy.so:toy_net" --model.de', 'host --model "./my plugins/libtoy.so:toy_net" --model.depth '),
    ("host --callback=best=model_ch", "host --callback=best=model_checkpoint "),
    ("host fit --accelerator=cu", "host fit --accelerator=cuda "),
    ("host fit --trainer.accelerator cu", "host fit --trainer.accelerator cuda "),
    ("host fit --fast_dev_run=t", "host fit --fast_dev_run=true "),
    ("host resume lev", ("host resume levin_logs", "host resume levin_logs", "host resume levin_logs/")),
    ("host resume levin_logs/v", "host resume levin_logs/version_"),
    ("host fit --config opt", "host fit --config options.json "),
    ("host fit --config=opt", "host fit --config=options.json "),
    ("host fit --config a\\ f", "host fit --config a\\ file.json "),
    ("host fit --config 'a f", "host fit --config 'a file.json' "),
    ("host fit --plugins my", "host fit --plugins my\\ plugins/"),
    ("host test --run levin_logs/version_0 --ckpt_path la", "host test --run levin_logs/version_0 --ckpt_path last "),
    ("host export --format tor", "host export --format torchscript "),
    ("host ckpt ver", "host ckpt verify "),
    ("host fit --model mlp --model.metrics f1:macro,jac", "host fit --model mlp --model.metrics f1:macro,jaccard "),
    ("host nothing --no", "host nothing --no"),
    ("host --model /no/such.so --model.init_fr", "host --model /no/such.so --model.init_from "),
    ("host --model $(touch touched) --max_ep", "host --model $(touch touched) --max_epochs "),
    ("host --model `touch touched` --max_ep", ("host --model `touch touched` --max_ep",) + 2 * ("host --model `touch touched` --max_epochs ",)),
]


class Terminal:
    def __init__(self, command, folder, variables):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, variables)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self.text = ""

    def read(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            self.text += os.read(self.fd, 65536).decode(errors="replace")
        except OSError:
            return False
        return True

    def until(self, pattern, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern, self.text, re.S)
            if found:
                self.text = self.text[found.end():]
                return found
            self.read(0.2)
        sys.exit(f"FAILED: the terminal never showed {pattern!r}; it shows {self.text[-2000:]!r}")

    def type(self, keys):
        os.write(self.fd, keys.encode())


def main():
    shell, host, plugin = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
    if not shutil.which(shell):
        print(f"SKIPPED: the completion of {shell}, because {shell} is not installed: apt-get install {shell}", file=sys.stderr)
        sys.exit(77)
    program = sys.argv[4] if len(sys.argv) > 4 else "host"

    def named(text):
        return re.sub(r"\bhost\b", program, text)

    failed = []
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/home/bin")
        os.symlink(host, f"{folder}/home/bin/{program}")
        os.makedirs(f"{folder}/work/my plugins")
        shutil.copy(plugin, f"{folder}/work/my plugins/libtoy.so")
        for run in range(2):
            os.makedirs(f"{folder}/work/levin_logs/version_{run}/checkpoints")
            open(f"{folder}/work/levin_logs/version_{run}/config.json", "w").close()
        for name in ("options.json", "a file.json"):
            open(f"{folder}/work/{name}", "w").close()
        before = sorted(os.walk(f"{folder}/work"))
        variables = {"HOME": f"{folder}/home", "PATH": f"{folder}/home/bin:" + os.environ["PATH"], "TERM": "xterm", "LANG": "C.UTF-8",
                     "LEVIN_PLUGIN_PATH": os.path.dirname(plugin)}
        terminal = Terminal(START[shell], f"{folder}/work", variables)
        for line in named(SETUP[shell]).splitlines():
            terminal.type(line + "\r")
        terminal.type("echo be'gin'\r")
        terminal.until("begin\r")
        for typed, expected in CASES:
            if isinstance(expected, tuple):
                expected = expected[list(START).index(shell)]
            typed, expected = named(typed), named(expected)
            typed, expected = typed.replace("PLUGIN", plugin), expected.replace("PLUGIN", plugin)
            terminal.type(typed)
            terminal.type("\t")
            terminal.read(0.15)
            terminal.type("\x18s")
            left = terminal.until("<<(.*?)>>").group(1)
            if left != expected:
                failed.append(f"{typed!r} + Tab\n  left     {left!r}\n  expected {expected!r}")
        terminal.type("\x03\x04")
        os.close(terminal.fd)
        os.waitpid(terminal.pid, 0)
        if sorted(os.walk(f"{folder}/work")) != before:
            failed.append("the Tab key has written into the current folder")
    if failed:
        sys.exit("\n".join(failed))
    print(f"{shell}: {len(CASES)} command lines completed")


main()
