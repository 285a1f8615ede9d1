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
                 ("base", "sdtlink", "sdt-dtrace", "sdt", "runtime", "cmake", "tests", "examples",
                  "bench", "debian", "demo", "docs", "packaging", "rust")
                 for path in (ROOT / part).rglob("*")]
    return [ROOT / name for name in sorted(names) if (ROOT / name).is_file()]


def is_source(path):
    return path.suffix in SOURCES or path.name in ("CMakeLists.txt", "Makefile", "run")


FILES = [path for path in tracked() if is_source(path) or path.suffix in TEXTS]


def lines(path):
    return path.read_text().split("\n")


def complaints(select, look):
    """What LOOK says of each file that SELECT takes. One test for all: thousands would take half a
    minute of pytest's own time."""
    return [f"{path.relative_to(ROOT)}{said}" for path in FILES if select(path)
            for said in look(path)]


def of_text(path):
    for number, line in enumerate(lines(path), 1):
        is_table_or_link = path.suffix == ".md" and ("|" in line or "://" in line)
        is_result = path.is_relative_to(ROOT / "bench" / "results")  # a row a line
        limit = PROSE_LIMIT if path.suffix == ".md" else LIMIT
        if line != line.rstrip() and not is_result:
            yield f":{number}: white space at the end"
        if "\t" in line and path.stem != "Makefile":
            yield f":{number}: tab"
        if len(line) > limit and not is_table_or_link and not is_result:
            yield f":{number}: {len(line)} columns"
    if lines(path)[-1] != "" or lines(path)[-2:] == ["", ""]:
        yield ": end of file"


def of_places(path):
    found = re.search(r"/root/|/home/|/work/|/tmp/(?!sdtlink)|/Users/", path.read_text())
    return [f": {found[0]}"] if found else []


def of_licence(path):
    is_there = any("SPDX-License-Identifier: BSD-2-Clause" in line for line in lines(path)[:2])
    return [] if is_there else [": no licence line"]


def test_licence_lines():
    assert complaints(is_source, of_licence) == []


def test_texts():
    """Short lines without stray white space, and one newline at the end."""
    assert complaints(lambda path: True, of_text) == []


def test_nothing_of_one_machine():
    """No path that exists on one computer only, and no host that serves packages to it."""
    assert complaints(lambda path: path.name != "test_style.py", of_places) == []


def test_they_complain(tmp_path):
    bad = tmp_path / "bad.c"
    bad.write_text("int a; \n\tint b;\n" + "x" * 101 + "\n// /ho" + "me/me\n\n")
    assert list(of_text(bad)) == [":1: white space at the end", ":2: tab", ":3: 101 columns",
                                  ": end of file"]
    assert of_places(bad) and of_licence(bad)


def test_no_file_of_cmake_asks_for_a_later_one():
    """`cmake_policy(VERSION 3.25)` alone is an error in the oldest CMake that is supported."""
    oldest = re.search(r"^cmake_minimum_required\(VERSION ([\d.]+)\.\.\.",
                       (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
    policy = re.compile(r"^cmake_policy\(VERSION ([\d.]+)\)", re.M)
    asked = {path.name: version for path in (ROOT / "cmake").glob("**/*.cmake")
             for version in policy.findall(path.read_text())}
    assert len(asked) >= 2
    assert {name: version for name, version in asked.items()
            if not version.startswith(f"{oldest}...")} == {}


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
