"""A terminal of 80 columns on a machine that is nobody's: the home folder /home/me, and Levin in /usr/local."""
import os
import re
import shlex
import subprocess
import time

COLUMNS = 80
FAILED = "'the scene cannot be prepared'"
# In a mount namespace: what is hidden here stays as it is for everybody else.
MACHINE = """mount --bind "$0/installed" /usr/local
mount -t tmpfs tmpfs /home
hostname levin
mkdir -p /home/me/levin
cd /home/me/levin
exec env -i HOME=/home/me PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C.UTF-8 TERM=xterm-256color PAGER=cat SHELL=/bin/bash \
  tmux -u -f /dev/null -S "$0/tmux" start-server \\; set -g exit-empty off \\; set -g default-terminal xterm-256color"""


def shown(command):
    """The rows of a command as it is typed."""
    return ("$ " + command.replace("\n", "\n> ")).split("\n")


class Machine:
    def __init__(self, work):
        self.socket = os.path.join(work, "tmux")
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        subprocess.run(["unshare", *user, "--mount", "--uts", "sh", "-e", "-c", MACHINE, work], check=True)

    def tmux(self, *words, timeout=30):
        done = subprocess.run(["tmux", "-u", "-S", self.socket, *words], check=True, timeout=timeout, text=True, stdout=subprocess.PIPE)
        return done.stdout

    def start(self, script, rows=60):
        """Runs a script in a new terminal."""
        self.tmux("new-session", "-d", "-s", "scene", "-x", str(COLUMNS), "-y", str(rows), "-c", "/home/me/levin", "bash", "-c", script)

    def screen(self, *words):
        return self.tmux("capture-pane", "-p", "-t", "scene", *words)

    def wait(self, pattern, seconds=600):
        end = time.time() + seconds
        while not re.search(pattern, self.screen("-J")):
            if time.time() > end or "host: error" in self.screen():
                raise TimeoutError(f"no {pattern} on the screen:\n{self.screen()}")
            time.sleep(0.1)
        return re.search(pattern, self.screen("-J"))

    def clear(self):
        self.tmux("kill-session", "-t", "scene")

    def forget(self):
        """Removes what the last scene has left in the home folder."""
        self.start("cd /home/me && rm -rf levin && mkdir levin; tmux wait-for -S ready; sleep infinity")
        self.tmux("wait-for", "ready")
        self.clear()

    def play(self, scene):
        """Returns the screen of a scene with its colours."""
        self.forget()
        script = f"(set -e\n{scene.before}:) >../before.log 2>&1 </dev/null || {{ cat ../before.log; echo {FAILED}; }}\n" if scene.before else ""
        for command in scene.commands:
            script += f"printf '\\033[1m%s\\033[0m\\n' {' '.join(map(shlex.quote, shown(command)))}\n{command}\n"
        self.start(script + "tmux wait-for -S done; sleep infinity", scene.rows)
        if scene.until:
            self.wait(scene.until)
        else:
            self.tmux("wait-for", "done", timeout=600)
        screen = self.screen("-e").rstrip("\n")
        if FAILED.strip("'") in screen:
            raise RuntimeError(screen)
        self.clear()
        return screen

    def end(self):
        self.tmux("kill-server")
