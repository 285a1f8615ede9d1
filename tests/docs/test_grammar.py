# SPDX-License-Identifier: BSD-2-Clause
"""The operators and functions of expressions: the page, `--help` and the tests' own expressions
have those of the parser (runtime/shared/operators.c)."""
import re

import expressions
import pytest
from conftest import ROOT

pytestmark = pytest.mark.nosan  # of the documentation

SHARED = ROOT / "runtime" / "shared"
PAGE = (ROOT / "docs" / "man" / "sdt-hist.1").read_text()
SECTION = re.search(r"^\.Sh EXPRESSIONS\n(.*?)^\.Sh ", PAGE, re.M | re.S)[1]


def operators():
    """Those of each level, from those that bind tightest."""
    header = (SHARED / "operators.h").read_text()
    names = re.findall(r"LEVEL_\w+", re.search(r"^enum level \{(.*?)\}", header, re.M | re.S)[1])
    levels = {name: [] for name in names}
    source = (SHARED / "operators.c").read_text()
    table = re.search(r"code_marks\[\] = \{\n(.*?)^\};", source, re.M | re.S)[1].splitlines()
    assert table.pop().strip() == '{"", 0, 0},'
    for line in table:
        mark, level = re.fullmatch(r' +\{"(\S+)", (LEVEL_\w+), CODE_\w+\},', line).groups()
        levels[level].append(mark)
    return list(levels.values())


def functions():
    """Each with the number of operands that it takes at most."""
    source = (SHARED / "operators.c").read_text()
    table = re.search(r"code_names\[FUNCTIONS\] = \{\n(.*?)^\};", source, re.M | re.S)[1]
    rows = [re.fullmatch(r' +\[FUNCTION_\w+\] = \{"(\w+)", (\d)\},', line).groups()
            for line in table.splitlines()]
    return {name: int(most) for name, most in rows}


def test_the_page_has_the_operators_of_the_parser():
    table = re.search(r"^\.Bl -column .*?\n(.*?)^\.El", SECTION, re.M | re.S)[1]
    rows = [re.fullmatch(r'\.It Li "?(.+?)"? Ta .+', line)[1] for line in table.splitlines()]
    assert [row.replace("\\&", "").split() for row in rows] == operators()


def test_the_page_has_the_functions_of_the_parser():
    shown = [line.split() for line in re.findall(r"^\.It Fn (.+)", SECTION, re.M)]
    assert sorted((name, len(operands)) for name, *operands in shown) == sorted(
        (name, count + 1) for name, most in functions().items() for count in range(most))


def test_help_has_the_operators_and_functions_of_the_parser():
    source = (ROOT / "sdt" / "measure" / "measured.c").read_text()
    lines = re.findall(r'"(.*?)(?:\\n)?" *\\?$', source[source.index('"Expressions:'):], re.M)
    text = "".join(lines)
    listed = re.search(r"module; (.*?); (.*?), *comparisons, *(\S+) \(begins with\), (.*?)\.", text)
    assert re.findall(r"(\w+)\(x\)", listed[1]) == list(functions())
    comparisons = {"==", "!=", "<", "<=", ">", ">="}
    assert sorted({*listed[2].split(), listed[3], *listed[4].split(", ")} | comparisons) == sorted(
        {mark for level in operators() for mark in level})


def test_the_tests_have_the_operators_of_the_parser():
    sign, *levels = operators()
    assert sorted(sign) == ["-", "~"]
    assert [sorted(level or ["!"]) for level in reversed(expressions.LEVELS)] == [
        sorted(level) for level in levels]
