#!/usr/bin/env python3
"""page.py HOST [CHROMIUM]: the page of host board in a real browser, with made run folders."""
import atexit
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time

from browser import Browser

host, chromium = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
if not os.path.isfile(chromium):
    print("SKIPPED: the page of host board is not tested: there is no chromium")
    sys.exit(77)


def check(what, holds):
    if not holds:
        print("FAILED:", what)
        sys.exit(1)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb" if isinstance(text, bytes) else "w") as file:
        file.write(text)


def make_run(folder, lr, rows, epochs=2, origin="--lr"):
    os.makedirs(folder + "/checkpoints")
    write(folder + "/config.json", json.dumps({
        "model": {"component": "mlp", "options": {"lr": lr, "width": 64}, "version": "0.1.0", "sha256": "ab" * 32},
        "trainer": {"optimizer": "sgd" if lr > 0.15 else "adam"}, "origins": {"model.lr": origin}}))
    with open(folder + "/metrics.csv", "w") as file:
        file.write("epoch,step,train_loss,val_loss,<b>x</b>,DeviceStatsMonitor.on_train_batch_end/cpu_percent\n")
        for step in range(rows):
            file.write(f"{step * epochs // rows},{step},{1 / (step + 1)},{2 / (step + 1) if step % 10 == 9 else ''},1,{step % 100}\n")
    write(folder + "/checkpoints/index.json", json.dumps({"best": {"score": lr * 2, "monitor": "val_loss", "path": "checkpoints/best.ckpt"}}))
    write(folder + "/log.txt", "2026-01-02T03:04:05.678 info <script>document.title='hacked'</script>\n")


# ---- event files, by hand

def field(number, content):
    content = content.encode() if isinstance(content, str) else content
    size, n = b"", len(content)
    while n > 127:
        size, n = size + bytes([n & 127 | 128]), n >> 7
    return bytes([number << 3 | 2]) + size + bytes([n]) + content


def record(step, value):
    event = b"\x09" + struct.pack("<d", 1.7e9 + step) + bytes([0x10, step]) + field(5, field(1, value))
    return struct.pack("<Q", len(event)) + b"crc4" + event + b"crc4"


def plugin(name):
    return field(9, field(1, field(1, name)))


def text_value(tag, text):
    return field(1, tag + "/text_summary") + field(8, b"\x08\x07" + field(8, text)) + plugin("text")


def pr_curve(tag):
    rows = [[2, 2, 1]] * 4 + [[0.5, 0.75, 1], [1, 0.5, 0.25]]
    return field(1, tag) + field(8, b"\x08\x01" + field(5, struct.pack("<18f", *sum(rows, [])))) + plugin("pr_curves")


def histogram(tag):
    return field(1, tag) + field(5, b"\x09" + struct.pack("<d", 0) + field(6, struct.pack("<2d", 1, 2)) + field(7, struct.pack("<2d", 5, 7)))


class Board:
    def __init__(self, folder):
        self.process = subprocess.Popen([host, "board", folder], stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.address = self.process.stdout.readline().strip()

    def end(self):
        browser.open("about:blank")  # a page that is left open would ask on
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(10)


browser = Browser(chromium)
atexit.register(browser.process.kill)


def has(text):
    return f"document.body.innerText.includes({json.dumps(text)})"


def nodes(role):
    """The names of the nodes that a screen reader finds."""
    tree = browser.call("Accessibility.getFullAXTree")["nodes"]
    return [node.get("name", {}).get("value", "") for node in tree if not node.get("ignored") and node.get("role", {}).get("value") == role]


with tempfile.TemporaryDirectory() as folder:
    make_run(folder + "/version_0", 0.1, 100)
    make_run(folder + "/version_1", 0.2, 100, origin="sweep.yaml:3")
    write(folder + "/version_1/checkpoints/best.ckpt", "damaged")
    write(folder + "/version_1/log.rank-1.txt", "2026-01-02T03:04:05.678 info begins\n")
    write(folder + "/version_1/log.txt", "2026-01-02T03:04:05.678 info begins\n2026-01-02T03:04:07.678 error lost rank 1 (host a, pid 7) in all_gather\n")
    write(folder + "/version_1/predictions.csv", "row,class\n0,cat\n1,<i>dog</i>\n")
    write(folder + "/version_1/events.out.tfevents.1", record(1, pr_curve("pr")) + record(2, pr_curve("pr")) + record(2, histogram("weights"))
          + record(2, text_value("confusion_matrix_val", "| target | cat | a\\|b |\n| --- | --- | --- |\n| cat | 9 | 1 |\n| a\\|b | 0 | 4 |\n"))
          + record(2, text_value("note", "<img src=x onerror=alert(1)>")))
    board = Board(folder)
    check("the address is in the first line", board.address.startswith("http://127.0.0.1:"))
    browser.open(board.address)
    check("the runs are listed", browser.wait(has("2 runs, 0 running, 2 shown")))
    check("a chart for each metric", browser.wait("document.querySelectorAll('#charts figure.chart').length === 2"))
    check("the curves are drawn", browser.do("document.querySelectorAll('#charts canvas').length") >= 4)
    check("series are named", browser.do(has("version_0 train")) and browser.do(has("version_1 val")))
    check("the option that differs is a column", browser.do(has("model.lr")))
    check("small numbers are short", browser.do("[numberText(0.00000444633), numberText(0.0003), numberText(0)].join()") == "4.44633e-6,0.0003,0")
    check("ranks are a column", browser.do("[...document.querySelectorAll('th')].some((one) => one.innerText === 'ranks')"))
    check("names are text", "<b>x</b>" not in browser.dom())
    check("the token leaves the address", browser.do("location.search") == "")
    check("a screen reader hears the curves", any(name.startswith("curve of loss: version_0 train from 1 to 0.01") for name in nodes("image")))
    check("system load is in no curve of a metric", not browser.do(has("cpu_percent")))

    # by keyboard alone
    browser.do("document.getElementById('tab-curves').focus()")
    browser.key("ArrowRight")
    check("the arrow goes to the next view", browser.do("document.activeElement.id") == "tab-hparams")
    check("a line for each run", browser.wait("document.querySelectorAll('#hparam-plot path[data-run]').length === 2"))
    check("the table has the best run first", browser.wait("document.querySelector('#hparam-plot tbody th').innerText === 'version_0'"))
    check("the lines are named for a screen reader", any(name.startswith("2 runs as lines through") for name in nodes("image")))
    browser.do("document.querySelector('#hparam-plot tbody button').focus()")
    check("the focus lights a line", browser.do("document.querySelectorAll('path.lit').length") == 1)
    browser.do("{ const one = document.getElementById('hparam-metric'); one.value = 'train_loss'; one.dispatchEvent(new Event('input')); }")
    check("another metric is chosen", browser.do(has("Runs by train_loss")))

    browser.do("document.getElementById('tab-media').click()")
    check("the PR curve is drawn", browser.wait("document.querySelectorAll('#media svg polyline').length === 1"))
    check("its average precision is said", "precision by recall; average precision 0.6875" in nodes("image"))
    check("the confusion matrix is a table with shades", browser.do("document.querySelectorAll('#media td.count').length") == 4)
    check("its cells are text", browser.do(has("a|b")))
    check("the histogram is drawn", browser.do("document.querySelectorAll('#media rect').length") == 2)
    check("a text is no element", browser.do("document.querySelectorAll('#media pre')[0].innerText") == "<img src=x onerror=alert(1)>")
    browser.do("{ const one = document.querySelector('#media input[type=range]'); one.focus(); one.value = 0; one.dispatchEvent(new Event('change')); }")
    check("an earlier step is shown, and keeps the focus", browser.wait(has("version_1, step 1")) and browser.do("document.activeElement.type") == "range")

    browser.do("document.getElementById('tab-system').click()")
    check("the system's load has a chart", browser.wait("document.querySelectorAll('#system canvas').length >= 2") and browser.do(has("cpu_percent")))

    browser.do("focusRun(state.runs[1].id)")
    check("the run is shown", browser.wait(has("Options that were set")))
    check("the lost rank is named", browser.do(has("Lost: rank 1")) and browser.do(has("1 (lost)")))
    check("tables are shown as text", browser.do(has("<i>dog</i>")))
    browser.do("{ const one = document.querySelector('#run select'); one.focus(); one.value = state.runs[0].id; one.dispatchEvent(new Event('change')); }")
    check("the difference has values and origins", browser.wait(
        "[...document.querySelectorAll('#run tr')].some((row) => row.innerText.split('\\t').join(' ') === 'model.lr 0.2 sweep.yaml:3 0.1 --lr')"))
    check("the choice keeps the focus", browser.do("document.activeElement.tagName") == "SELECT")
    check("a damaged checkpoint is named", browser.do("document.querySelectorAll('#run td .failed').length") == 1)
    check("views have addresses", browser.do("location.hash") == "#run")
    for role in ("tab", "tablist", "table", "columnheader", "rowheader", "combobox"):
        check("a screen reader finds a " + role, nodes(role))
    check("each control has a name", all(name for role in ("button", "checkbox", "combobox", "slider", "searchbox") for name in nodes(role)))

    # colours: text that can be read in both, by the contrast of WCAG
    contrast = """(() => { const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((one) => one / 255)
      .map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const ground = getComputedStyle(document.documentElement).colorScheme && matchMedia('(prefers-color-scheme: dark)').matches ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)';
      return ['h1', '#status', '.failed', 'td', '[role=tab]'].map((one) => { const a = light(getComputedStyle(document.querySelector(one)).color), b = light(ground);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }); })()"""
    for scheme in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        check(f"text has contrast in {scheme}: {browser.do(contrast)}", min(browser.do(contrast)) >= 4.5)
    browser.call("Emulation.setEmulatedMedia", media="print")
    check("controls are not printed", browser.do("getComputedStyle(document.querySelector('[role=tablist]')).display") == "none")
    check("the log is printed whole", browser.do("getComputedStyle(document.querySelector('pre.log')).maxHeight") == "none")
    browser.call("Emulation.setEmulatedMedia", media="", features=[])
    check("Ctrl-C ends it with success", board.end() == 0)

with tempfile.TemporaryDirectory() as folder:
    for n in range(1000):
        make_run(f"{folder}/version_{n}", n / 1000, 3)
    make_run(folder + "/version_1000", 5, 1000000)
    board = Board(folder)
    begin = time.time()
    browser.open(board.address)
    check("a thousand runs and a million points", browser.wait(has("1001 runs, 0 running, 10 shown")) and browser.wait(has("version_1000 train")))
    print(f"1001 runs, one of a million steps: the page is there after {time.time() - begin:.1f} s")
    check("everything was read", browser.wait(has("1001 runs, 0 running, 10 shown") + " && !" + has("reading")))
    lasted = browser.do("(async () => { const begin = performance.now(); drawRuns(); await new Promise((done) => requestAnimationFrame(() => setTimeout(done))); return performance.now() - begin; })()")
    print(f"1001 runs: the table is drawn {lasted:.0f} ms after its data are there")
    # of a long table only the rows in sight are elements
    rows = "[...document.querySelectorAll('#run-table tbody tr[data-id]')]"
    check("few rows are drawn", browser.do(rows + ".length") < 100)
    check("a screen reader hears how many there are", browser.do("document.getElementById('run-table').getAttribute('aria-rowcount')") == "1002")
    check("the first row is the second of the table", browser.do(rows + "[0].getAttribute('aria-rowindex') + ' ' + " + rows + "[0].cells[1].innerText") == "2 version_0")
    sight = "(() => { const one = document.getElementById('runs').getBoundingClientRect(); return document.elementFromPoint(one.left + 80, one.bottom - 30).closest('tr')?.innerText; })()"
    width = browser.do("document.getElementById('run-table').offsetWidth")
    browser.do("document.getElementById('runs').scrollTop = 14000")
    check("scrolled rows are drawn", browser.wait(f"/^\\s*version_5\\d\\d\\s/.test({sight})"))
    check("columns keep their widths", browser.do("document.getElementById('run-table').offsetWidth") == width)
    browser.do(rows + ".find((row) => row.innerText.includes('version_510')).querySelector('input').focus()")
    browser.do("document.getElementById('runs').scrollTop = 0")
    check("the focus stays on a row out of sight", browser.wait(rows + "[0].innerText.includes('version_0')") and browser.do("document.activeElement.ariaLabel") == "show version_510")
    check("and few rows are drawn", browser.do(rows + ".length") < 100)
    browser.key("ArrowDown")
    check("an arrow goes to the next row", browser.do("document.activeElement.ariaLabel") == "show version_511")
    browser.key("End")
    check("End goes to the last row", browser.do("document.activeElement.ariaLabel") == "show version_1000" and browser.wait(f"{sight}.includes('version_1000')"))
    browser.key(" ")
    check("a row is chosen by the keyboard", browser.wait(has("1001 runs, 0 running, 9 shown")) and browser.do("document.activeElement.ariaLabel") == "show version_1000")
    browser.key("Home")
    check("Home goes to the first row", browser.do("document.activeElement.ariaLabel") == "show version_0" and browser.wait("document.getElementById('runs').scrollTop < 100"))
    for n in range(120):
        browser.key("Tab")
    check("Tab goes on through rows that were not drawn", browser.do("document.activeElement.closest('tr').innerText.includes('version_60')"))
    for wanted in ("version_0", "version_1000"):
        browser.do("[...document.querySelectorAll('#run-table th button')].find((one) => one.innerText.startsWith('best')).click(); document.getElementById('runs').scrollTop = 0")
        check("sorting brings up " + wanted, browser.wait(f"{rows}[0].cells[1].innerText === '{wanted}'"))
    browser.do("{ const one = document.getElementById('run-filter'); one.value = 'version_99'; one.dispatchEvent(new Event('input')); }")
    check("a filter leaves few rows", browser.do(rows + ".length") == 11 and browser.do("document.getElementById('run-table').getAttribute('aria-rowcount')") == "12")
    browser.do("{ const one = document.getElementById('run-filter'); one.value = ''; one.dispatchEvent(new Event('input')); }")
    browser.do("window.addEventListener('beforeprint', () => { window.printed = " + rows + ".length; })")
    browser.call("Page.printToPDF")
    check("all rows are printed", browser.do("window.printed") == 1001 and browser.wait(rows + ".length < 100"))
    browser.do("show('hparams')")
    check("a thousand lines", browser.wait("document.querySelectorAll('#hparam-plot path[data-run]').length === 1001"))
    board.end()
check("no script failed: " + "; ".join(browser.problems), not browser.problems)
browser.end()
print("ok")
