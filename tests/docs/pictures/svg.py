"""A screen with its colours as SVG, which needs no font of the network; and the rows of such an SVG."""
import io
import re
import xml.etree.ElementTree

FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
CHARACTER = 12.2  # the width that rich gives a character


def svg_of(screen, name, columns):
    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.console import Console
    from rich.text import Text

    form = re.sub(r"@font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    form = form.replace(' clip-path="url(#{unique_id}-clip-terminal)"', "")  # it cuts off the underscores of the last row
    form = re.sub(r"[ \t]+$", "", form.replace("Fira Code, monospace", FONTS), flags=re.MULTILINE)
    console = Console(width=columns, record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor", legacy_windows=False)
    console.print(Text.from_ansi(screen), soft_wrap=True)
    return console.export_svg(title="~/levin", code_format=form, unique_id=name)


def rows_of(svg):
    rows = {}
    for text in xml.etree.ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        line = re.search(r"-line-(\d+)\)", text.get("clip-path", ""))
        if line and text.text.strip("\n"):
            row = rows.get(int(line[1]), "")
            rows[int(line[1])] = row.ljust(round(float(text.get("x")) / CHARACTER)) + text.text.replace("\xa0", " ")
    return [rows.get(number, "").rstrip() for number in range(max(rows) + 1)]
