#!/usr/bin/env python3
"""page.py HOST [CHROMIUM]: the page of host board in a real browser, with made run folders."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

host, chromium = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
if not os.path.isfile(chromium):
    print("SKIPPED: the page of host board is not tested: there is no chromium")
    sys.exit(77)


def check(what, holds):
    if not holds:
        print("FAILED:", what)
        sys.exit(1)


def make_run(folder, lr, rows, epochs=2):
    os.makedirs(folder + "/checkpoints")
    with open(folder + "/config.json", "w") as file:
        json.dump({"model": {"component": "mlp", "options": {"lr": lr}}, "origins": {"model.lr": "--lr"}}, file)
    with open(folder + "/metrics.csv", "w") as file:
        file.write("epoch,step,train_loss,val_loss,<b>x</b>\n")
        for step in range(rows):
            file.write(f"{step * epochs // rows},{step},{1 / (step + 1)},{2 / (step + 1) if step % 10 == 9 else ''},1\n")
    with open(folder + "/log.txt", "w") as file:
        file.write("2026-01-02T03:04:05.678 info <script>document.title='hacked'</script>\n")


class Board:
    def __init__(self, folder):
        self.process = subprocess.Popen([host, "board", folder], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def page(self, script=""):
        """The page's elements after a few seconds of its life."""
        with tempfile.TemporaryDirectory() as profile:
            return subprocess.run(
                [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + profile, "--window-size=1400,900",
                 "--virtual-time-budget=8000", "--dump-dom", self.address + script], capture_output=True, text=True, timeout=120).stdout

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(10)


with tempfile.TemporaryDirectory() as folder:
    make_run(folder + "/version_0", 0.1, 100)
    make_run(folder + "/version_1", 0.2, 100)
    board = Board(folder)
    dom = board.page()
    check("the address is in the first line", board.address.startswith("http://127.0.0.1:"))
    check("the runs are listed: " + dom[:500], "2 runs, 0 running, 2 shown" in dom)
    check("a chart for each metric", len(re.findall(r'<figure [^>]*class="chart"', dom)) == 2)
    check("the curves are drawn", dom.count("<canvas") >= 4 and "version_0 train" in dom and "version_1 val" in dom)
    check("the option that differs is a column", "model.lr" in dom)
    check("names are text", "<b>x</b>" not in dom)
    check("the token leaves the address bar's history to the cookie", "token=" not in dom)
    check("Ctrl-C ends it with success", board.end() == 0)

with tempfile.TemporaryDirectory() as folder:
    for n in range(1000):
        make_run(f"{folder}/version_{n}", n / 1000, 3)
    make_run(folder + "/version_1000", 5, 1000000)
    board = Board(folder)
    begin = time.time()
    dom = board.page()
    print(f"1001 runs, one of a million steps: the page is there after {time.time() - begin:.1f} s")
    check("a thousand runs and a million points", "1001 runs, 0 running, 10 shown" in dom and "version_1000 train" in dom)
    board.end()
print("ok")
