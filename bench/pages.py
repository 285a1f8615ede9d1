#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Prints the benchmarks' tables, quoted numbers and pictures into the pages.

    bench/pages.py           says which files differ from what bench/results has, status 1 if any
    bench/pages.py --write   writes them

A table stands between <!-- bench: NAME --> and <!-- /bench --> (tables.py), a number before a
comment (quoted.py); the pictures are files of their own (plot.py). After a run, look at what
changed: the sentences around the numbers are still those of the earlier run.
"""
import argparse
import re
import sys

import plot
import quoted
import results
import tables
from harness import ROOT

BLOCK = re.compile(r"(<!-- bench: ([\w-]+) -->\n).*?(<!-- /bench -->)", re.S)


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def filled(text):
    """A page with the tables and numbers that the results have now."""
    text = BLOCK.sub(lambda match: match[1] + "\n" + "\n".join(tables.TABLES[match[2]]())
                     + "\n\n" + match[3], text)
    return quoted.fill(text)


def contents():
    """File -> what it should contain."""
    rows = results.read(quoted.MAIN, "hit")["rows"]
    found = {path: filled(path.read_text("utf-8")) for path in pages()}
    found[ROOT / "docs" / "hits.svg"] = plot.hits(rows)
    found[ROOT / "docs" / "peers.svg"] = plot.peers(rows)
    return found


def update():
    """Writes what differs; the names of these files."""
    changed = []
    for path, text in contents().items():
        if path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            changed.append(path)
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        for path in update():
            print(path.relative_to(ROOT))
        return
    differ = [path for path, text in contents().items() if path.read_text("utf-8") != text]
    for path in differ:
        print(f"{path.relative_to(ROOT)} differs from bench/results: bench/pages.py --write")
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
