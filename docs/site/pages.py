"""A hook of mkdocs: the pages in the order of README.md's table of documents, and links as a site needs them."""
import os
import re

from mkdocs.exceptions import PluginError
from mkdocs.structure.nav import Link

LINK = re.compile(r"\[([^]]+)\]\(([^()\s#]+)(#[^()\s]*)?\)")
ROW = re.compile(r"^\| ([a-z ]+) \| (.*\]\(.*) \|$")


def title_of(file):
    with open(file, encoding="utf-8") as lines:
        return next(line[2:].strip() for line in lines if line.startswith("# "))


def entries(root, text, folder):
    """The pages that the links of a row lead to: (title, path) each; those of a folder are listed one by one."""
    path = os.path.join(root, folder)
    if not os.path.isdir(path):
        return [{text[0].upper() + text[1:]: folder}]
    pages = sorted(name for name in os.listdir(path) if name.endswith(".md"))
    return [{text[0].upper() + text[1:]: [{title_of(os.path.join(path, page)): f"{folder}/{page}"} for page in pages]}]


def on_config(config):
    root = config["docs_dir"]
    nav = [{"Levin": "README.md"}]
    with open(os.path.join(root, "README.md"), encoding="utf-8") as lines:
        documents = lines.read().split("\n## Documents\n")[1]
    for line in documents.split("\n"):
        if row := ROW.match(line):
            pages = [entry for text, path, _ in LINK.findall(row[2]) for entry in entries(root, text, path)]
            nav.append({row[1][0].upper() + row[1][1:]: pages})
    named = str(nav)
    pages = [f"{folder}/{page}" for folder in ("docs", "docs/tutorials") for page in sorted(os.listdir(os.path.join(root, folder)))]
    lost = [page for page in pages if page.endswith(".md") and f"{page}'" not in named]
    if lost:
        raise PluginError("README.md: the table of documents has no link to " + ", ".join(lost))
    config["nav"] = nav
    return config


def on_nav(nav, config, files):
    if os.path.isfile(os.path.join(config["docs_dir"], "api", "index.html")):
        nav.items.append(Link("API", "api/index.html"))
    return nav


def on_page_markdown(markdown, page, config, files):
    """A link to a folder leads to its README.md; what the site does not have stays as plain words."""
    here = os.path.join(config["docs_dir"], os.path.dirname(page.file.src_path))

    def kept(link):
        text, path, place = link[1], link[2], link[3] or ""
        if ":" in path:
            return link[0]
        file = os.path.normpath(os.path.join(here, path))
        if os.path.isfile(os.path.join(file, "README.md")):
            return f"[{text}]({path.rstrip('/')}/README.md{place})"
        if os.path.isfile(file):
            return link[0]
        pages = sorted(name for name in os.listdir(file) if name.endswith(".md")) if os.path.isdir(file) else []
        return f"[{text}]({path.rstrip('/')}/{pages[0]})" if pages else text

    parts = re.split(r"(^```.*?^```|^(?: {4}[^\n]*\n)+)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if i % 2 else LINK.sub(kept, part) for i, part in enumerate(parts))
