# SPDX-License-Identifier: BSD-2-Clause
"""What no formatter checks, in every file that is in the repository or about to be."""
import re
import subprocess

import pytest

from conftest import ROOT

pytestmark = pytest.mark.nosan  # runs no tool

SOURCES = (".c", ".h", ".cc", ".S", ".py", ".sh", ".cmake", ".in", ".js", ".css", ".html")
TEXTS = SOURCES + (".md", ".txt", ".json", ".ini", ".1", ".3")
LIMIT = 100
PROSE_LIMIT = 120


def tracked():
    """Every text file; outside of a git checkout, everything below the directories we know."""
    git = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                         capture_output=True, check=False)
    if git.returncode == 0:
        names = git.stdout.splitlines()
    else:
        names = [str(path.relative_to(ROOT)) for part in
                 ("sdtlink", "sdt-dtrace", "sdt", "runtime", "cmake", "tests", "examples", "bench",
                  "demo", "docs")
                 for path in (ROOT / part).rglob("*")]
    return [ROOT / name for name in sorted(names) if (ROOT / name).is_file()]


def is_source(path):
    return path.suffix in SOURCES or path.name in ("CMakeLists.txt", "Makefile", "run")


FILES = [path for path in tracked() if is_source(path) or path.suffix in TEXTS]


def lines(path):
    return path.read_text().split("\n")


def each(select):
    return pytest.mark.parametrize("path", [f for f in FILES if select(f)],
                                   ids=lambda path: str(path.relative_to(ROOT)))


@each(is_source)
def test_licence_line(path):
    assert any("SPDX-License-Identifier: BSD-2-Clause" in line for line in lines(path)[:2])


@each(lambda path: True)
def test_text(path):
    """Short lines without stray white space, and one newline at the end."""
    for number, line in enumerate(lines(path), 1):
        where = f"{path}:{number}"
        assert line == line.rstrip(), f"{where}: white space at the end"
        assert "\t" not in line or path.stem == "Makefile", f"{where}: tab"
        is_table_or_link = path.suffix == ".md" and ("|" in line or "://" in line)
        if path.is_relative_to(ROOT / "bench" / "results"):
            continue  # a row a line
        limit = PROSE_LIMIT if path.suffix == ".md" else LIMIT
        assert len(line) <= limit or is_table_or_link, f"{where}: {len(line)} columns"
    assert lines(path)[-1] == "" and lines(path)[-2:] != ["", ""], f"{path}: end of file"


@each(lambda path: path.name != "test_style.py")
def test_nothing_of_one_machine(path):
    """No path that exists on one computer only, and no host that serves packages to it."""
    found = re.search(r"/root/|/home/|/work/|/tmp/(?!sdtlink)|/Users/", path.read_text())
    assert not found, f"{path}: {found[0]}"


def declarations(header):
    """(name, the text before it) of each function that a header declares."""
    text = header.read_text()
    found = re.finditer(r"^(?!#|\s)(?:[\w ]+?[ *]+)(sdt_\w+)\([^;{]*\);", text, re.M)
    return [(match[1], text[:match.start()]) for match in found]


@pytest.mark.parametrize("name", ["runtime.h"])
def test_public_functions_are_documented(name):
    """A comment above the function, or above the group without blank lines that it stands in, and
    a mention in a manual page."""
    pages = "".join(page.read_text() for page in (ROOT / "docs" / "man").glob("*.3"))
    functions = declarations(ROOT / "runtime" / "include" / "sdt" / name)
    assert len(functions) > 10
    for function, before in functions:
        group = before.rstrip("\n").rsplit("\n\n", 1)[-1]
        assert "*/" in group, f"{function} has no comment"
        assert re.search(rf"\b{function}\b", pages), f"{function} is in no manual page"
