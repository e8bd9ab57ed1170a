#!/usr/bin/env python3
"""check.py HOST: the pictures of the documents are those of docs/images, they load nothing and name no machine, and those whose
output is the same on every machine show what HOST prints today. scripts/pictures takes them anew."""
import fcntl
import os
import pathlib
import pty
import re
import struct
import sys
import tempfile
import termios

from scenes import SCENES
from svg import rows_of
from terminal import COLUMNS, shown

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from documents import PAGES, ROOT  # noqa: E402

IMAGES = ROOT / "docs/images"
PLUGINS = "/usr/local/lib/levin/plugins"


def used():
    """The images of the documents, each with the text that stands for it."""
    for page in PAGES:
        for text, path in re.findall(r"!\[([^]]*)\]\(([^)\s]+)\)", page.read_text()):
            yield (page.parent / path).resolve(), text.strip()


def printed(command, home):
    """What a command prints on a terminal of 80 columns."""
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
        os.chdir(home)
        os.environ.update(HOME=home, PAGER="cat", TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execvp("sh", ["sh", "-c", command])
    out = b""
    try:
        while part := os.read(terminal, 65536):
            out += part
    except OSError:  # the end of a terminal
        pass
    os.waitpid(process, 0)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.decode()).replace("\r\n", "\n").rstrip("\n")


def today(scene, host):
    with tempfile.TemporaryDirectory() as home:
        for command in scene.commands:
            yield from shown(command)
            text = printed(re.sub(r"^host ", f"'{host}' ", command), home)
            yield from text.replace(f"{host.parents[1]}/lib/levin/plugins", PLUGINS).split("\n")


def words(rows):
    """Where a line ends depends on the length of the path of a plugin."""
    return " ".join(rows).split()


def wrong_with(name, scene, host):
    picture = IMAGES / f"{name}.svg"
    if not picture.is_file():
        return [f"{picture}: scripts/pictures {name} has not been run"]
    svg = picture.read_text()
    rows = rows_of(svg)
    wrong = [f"{picture}: loads {word}" for word in re.findall(r"url\([^#)][^)]*\)|href=\S+|@import\S*", svg)]
    paths = re.findall(r"(?<![\w.~+-])/[a-z]+/[\w.-]*", "\n".join(rows))
    wrong += [f"{picture}: names {path}" for path in paths if not path.startswith(("/home/me", "/usr/"))]
    if scene.steady and words(rows) != words(now := [*today(scene, host)]):
        wrong.append("\n".join([f"{picture} shows:", *rows, "the host prints today:", *now]))
    return wrong


def main():
    host, wrong, named = pathlib.Path(sys.argv[1]).resolve(), [], dict(used())
    wrong += [f"{path}: no document shows it" for path in IMAGES.iterdir() if path not in named]
    wrong += [f"{path}: a document shows it, and it is not there" for path in named if not path.is_file()]
    wrong += [f"{path}: has no text for those who do not see it" for path, text in named.items() if not text]
    for name, scene in SCENES.items():
        wrong += wrong_with(name, scene, host)
    print("\n".join(wrong) or f"{len(named)} pictures")
    return bool(wrong)


sys.exit(main())
