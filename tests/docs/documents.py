"""The user documentation, line by line, with its code, links and headings."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")),
         *sorted((ROOT / "docs/tutorials").glob("*.md"))]
SHELL = ("", "sh", "bash", "console")  # languages of code blocks that may contain commands


class Line:
    def __init__(self, page, number, text, block, table):
        self.page, self.number, self.text = page, number, text
        self.block = block  # None = prose; else the language of the code block, "" if unnamed
        self.table = table  # title of the first column of the surrounding table; None = no table

    def spans(self):
        """Returns the texts in backticks."""
        return re.findall(r"`([^`]+)`", self.text) if self.block is None else []

    def shell(self):
        """Returns the code that may be a command, without a comment."""
        if self.block in SHELL:
            return [re.sub(r"\s# .*", "", self.text).strip()]
        return self.spans()

    def links(self):
        return re.findall(r"\]\(([^)\s]+)\)", self.text) if self.block is None else []


def lines(page):
    block, table, out = None, None, []
    for number, text in enumerate(page.read_text().replace("\\_", "_").split("\n"), 1):
        fence = re.match(r" *```(\w*)", text)
        if fence:
            block = fence.group(1) if block is None else None
            continue
        indented = block is None and text.startswith("    ")
        cells = text.split("|") if text.startswith("|") else None
        table = (table or cells[1].strip()) if cells else None
        out.append(Line(page, number, text, "" if indented else block, table))
    return out


def anchors(page):
    """Returns the anchors of a page's headings, as GitHub generates them."""
    out = {}
    for line in lines(page):
        heading = re.match(r"#+ (.*)", line.text) if line.block is None else None
        if heading:
            slug = re.sub(r"[^\w\- ]", "", heading.group(1).lower()).replace(" ", "-")
            out[slug] = out.get(slug, -1) + 1
    return {slug if i == 0 else f"{slug}-{i}" for slug, n in out.items() for i in range(n + 1)}


def all_lines():
    return [line for page in PAGES for line in lines(page)]
