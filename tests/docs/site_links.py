#!/usr/bin/env python3
"""site_links.py SITE: the site of scripts/docs is whole: its pages are there, each link of them leads to a page and a
heading that exist, nothing is loaded from other servers, and a search finds words of the documents."""
import html
import json
import os
import re
import sys


def pages_of(site):
    for folder, folders, files in os.walk(site):
        folders[:] = [name for name in folders if os.path.join(folder, name) != os.path.join(site, "api")]
        for file in files:
            if file.endswith(".html"):
                with open(os.path.join(folder, file), encoding="utf-8") as text:
                    yield os.path.join(folder, file), text.read()


def target_of(page, path):
    if not path:
        return page
    target = os.path.normpath(os.path.join(os.path.dirname(page), path))
    return os.path.join(target, "index.html") if os.path.isdir(target) else target


def main():
    site = os.path.abspath(sys.argv[1])
    pages = dict(pages_of(site))
    headings = {page: set(re.findall(r'id="([^"]+)"', text)) for page, text in pages.items()}
    wrong = []
    for page, text in pages.items():
        if page.endswith("404.html"):
            continue  # its links begin at the root of the server
        loads = re.findall(r'<(?:script|img)[^>]*src="(https?:[^"]+)"|<link rel="stylesheet" href="(https?:[^"]+)"', text)
        wrong += [f"{page}: loads {''.join(load)}" for load in loads]
        for link in map(html.unescape, re.findall(r'(?:href|src)="([^":]+)"', text)):
            path, _, place = link.partition("#")
            target = target_of(page, path)
            if not os.path.exists(target) or (place and target in headings and place not in headings[target]):
                wrong.append(f"{page}: {link}")
    if len(pages) < 100:
        wrong.append(f"there are {len(pages)} pages")
    with open(os.path.join(site, "search", "search_index.json"), encoding="utf-8") as index:
        found = {entry["location"] for entry in json.load(index)["docs"] if "speculative" in entry["text"]}
    if not any(place.startswith("docs/tasks/") for place in found):
        wrong.append(f"a search for 'speculative' finds {found}")
    print("\n".join(wrong) or f"{len(pages)} pages")
    return bool(wrong)


sys.exit(main())
