# SPDX-License-Identifier: BSD-2-Clause
"""docs/architecture.md is complete and true: every room is in it; walks name what exists."""
import re

import pytest

from conftest import ROOT
from test_style import tracked

pytestmark = pytest.mark.nosan  # runs no tool

PAGE = (ROOT / "docs" / "architecture.md").read_text()
PARTS = ["sdtlink", "runtime", "sdt"]


def rooms_in(folder):
    """The directories of FOLDER in which the repository has files, also further down."""
    places = [path.relative_to(folder).parts for path in tracked() if path.is_relative_to(folder)]
    return {parts[0] for parts in places if len(parts) > 1 and parts[0][0] != "."}


def section(heading):
    """What is under a heading, to the next one of any level."""
    return re.search(rf"^#+ {heading}\n(.*?)(?=^#+ |\Z)", PAGE, re.M | re.S)[1]


def rows(text):
    return [[cell.strip() for cell in line.strip("|").split("|")]
            for line in re.findall(r"^\|.*\|$", text, re.M)[2:]]


def written_rooms(heading):
    names = [name for row in rows(section(heading)) for name in re.findall(r"`([\w-]+)/`", row[0])]
    assert len(names) == len(set(names)) > 5
    return set(names)


@pytest.mark.parametrize("part", PARTS)
def test_every_room_of_a_part_is_in_the_page(part):
    assert written_rooms(f"{part}/: [^\n]*") == rooms_in(ROOT / part)


def test_every_room_at_the_top_is_in_the_page():
    assert written_rooms("The rest") == rooms_in(ROOT) - set(PARTS)


def test_every_file_that_is_named_exists():
    tops = "|".join(re.escape(name) for name in rooms_in(ROOT))
    named = set(re.findall(rf"(?<![<\w])(?:{tops})/[\w./-]*\w", PAGE))
    assert len(named) > 30
    assert {name for name in named if not (ROOT / name).exists()} == set()


def defines(text, function):
    """Whether C source TEXT has the body of FUNCTION, which begins at the start of a line."""
    return re.search(rf"^\w[^;{{}}()]*\b{function}\((?:[^;{{}}]|\n)*\)\n\{{", text, re.M)


WALKS = re.findall(r"^## (Walk \d: .*)$", PAGE, re.M)


@pytest.mark.parametrize("number", range(3))
def test_the_functions_of_a_walk_are_where_it_says(number):
    steps = rows(section(re.escape(WALKS[number])))
    assert len(steps) > 10
    for file, functions, _ in steps:
        text = (ROOT / file.strip("`")).read_text()
        names = re.findall(r"`(\w+)\(\)`", functions)
        assert names and [name for name in names if not defines(text, name)] == [], file


def test_there_are_three_walks():
    assert len(WALKS) == 3


def test_a_call_is_no_definition():
    assert defines("static int f(int a,\n             int b)\n{\n}\n", "f")
    assert not defines("int g(void)\n{\n    return f(1);\n}\n", "f")
    assert not defines("int f(int a);\n", "f")
