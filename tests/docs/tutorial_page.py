"""The steps of a tutorial: the fenced blocks of its page, in their order.

```console      commands after "$ ", each followed by the output that it must have
```diff         an edit of a file
```cpp, ...     the content of a file
The paragraph before an edit or a content names the file; further edits of it need no name.
"""
import re

FILE = re.compile(r"`([\w./-]+\.\w+)`")


class Command:
    def __init__(self, text, line):
        self.text, self.line, self.output = text, line, []


class Edit:
    def __init__(self, file, kind, lines, line):
        self.file, self.kind, self.lines, self.line = file, kind, lines, line


def commands(block, line):
    """The commands of a console block. A line that ends in a backslash goes on in the next one, after "> "."""
    found = []
    for number, text in enumerate(block, line):
        if found and found[-1].text.endswith("\\") and text.startswith("> "):
            found[-1].text += "\n" + text[2:]
        elif text.startswith("$ "):
            found.append(Command(text[2:], number))
        elif found:
            found[-1].output.append(text)
        else:
            raise ValueError(f"line {number}: output before the first command")
    return found


def steps(page):
    found, paragraph, block = [], "", None
    for number, text in enumerate(page.read_text().split("\n"), 1):
        fence = re.match(r" *```(\w*)", text)
        if fence and block is None:
            block, language, first = [], fence.group(1), number + 1
        elif fence:
            if language == "console":
                found += commands(block, first)
            else:
                file = file_of(paragraph, first, language == "diff" and found[-1])
                found.append(Edit(file, language, block, first))
            block, paragraph = None, ""
        elif block is not None:
            block.append(text)
        else:
            paragraph = text if text.startswith("#") else f"{paragraph} {text}"
    return found


def file_of(paragraph, line, before):
    names = FILE.findall(paragraph)
    if not names and not isinstance(before, Edit):
        raise ValueError(f"line {line}: the text before this block names no file")
    return names[-1] if names else before.file


NUMBER = r"[-+]?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?k?|nan|inf)"
UNITS = "it/s|s|ms|us|B|KiB|MiB|GiB"
VARIES = re.compile(rf"(?P<dots>\.\.\.)|(?P<time>\d+:\d\d)|(?P<number>-?\d+\.\d+(?:e[-+]?\d+)?|\d+(?= (?:{UNITS})\b))")


def pattern_of(line):
    """A line of expected output: times and numbers that depend on the machine match any others; whole numbers must be equal."""
    out, at = "", 0
    line = re.sub(r"\s+", " ", line.strip())
    for found in VARIES.finditer(line):
        out += re.escape(line[at:found.start()])
        out += {"dots": ".*", "time": r"\d+:\d\d", "number": NUMBER}[found.lastgroup]
        at = found.end()
    return out + re.escape(line[at:]) + r"\n"


def matches(expected, got):
    """Compares a command's output with that in the page, where a line "..." stands for any lines."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else pattern_of(line) for line in expected if line.strip())
    return re.fullmatch(pattern, "".join(re.sub(r"\s+", " ", line.strip()) + "\n" for line in got if line.strip()))
