# SPDX-License-Identifier: BSD-2-Clause
"""The operators and functions of expressions: the page, `--help` and the tests' own expressions
have those of the parser (runtime/shared/operators.c)."""
import re
import runpy

import expressions
import pytest
from conftest import ROOT

pytestmark = pytest.mark.nosan  # of the documentation

MAN = ROOT / "docs" / "man"
PAGE = (MAN / "sdt-hist.1").read_text()
SECTION = re.search(r"^\.Sh EXPRESSIONS\n(.*?)^\.Sh ", PAGE, re.M | re.S)[1]
TABLES = (ROOT / "runtime" / "shared" / "operators.c").read_text()
written = runpy.run_path(str(MAN / "operators.py"))  # what writes the page
operators = written["operators"]


def functions():
    """Each with the number of operands that it takes at most."""
    table = re.search(r"code_names\[FUNCTIONS\] = \{\n(.*?)^\};", TABLES, re.M | re.S)[1]
    rows = [re.fullmatch(r' +\[FUNCTION_\w+\] = \{"(\w+)", (\d)\},', line).groups()
            for line in table.splitlines()]
    return {name: int(most) for name, most in rows}


def test_the_page_is_what_the_parsers_table_writes():
    assert written["page"]() == PAGE
    assert sum(map(len, operators())) == len(re.findall(r", LEVEL_", TABLES))


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
