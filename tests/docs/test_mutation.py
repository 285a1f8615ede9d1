# SPDX-License-Identifier: BSD-2-Clause
"""./run mutate: the changes that it makes, and that what it knows is of the sources as they are."""
import pytest

from conftest import ROOT
from mutation import known, mutants, table

pytestmark = pytest.mark.nosan  # of scripts

CODE = """\
/* if (a == 1) return 2; */
#include "1.h"
static int f(int a, char *b) // a < 3
{
    char text[16] = "a && 1";
    if (a && !b)
        return -5;
    f(a - 1,
      b);
    free(b);
    text[0] = '1';
    for (int i = 0; i < a; i++)
        continue;
    return a;
}
"""
CHANGES = {
    (6, "a && !b", "!(a && !b)"), (6, "&&", "||"), (6, "!", ""), (7, "-5", "0"), (7, "5", "6"),
    (8, "f(a - 1,\n      b);", ";"), (8, "-", "+"), (8, "1", "0"), (11, "0", "1"),
    (11, "text[0] = '1';", ";"), (12, "0", "1"), (12, "<", "<="), (13, "continue;", ";"),
    (14, "a", "0"),
}


def test_the_changes_of_a_small_file():
    """Nothing in comments, strings and directives; no size of an array; no leak."""
    found = list(mutants.mutants("x.c", CODE))
    assert {(m.line, m.old, m.new) for m in found} == CHANGES and len(found) == len(CHANGES)
    for mutant in found:
        changed = mutant.apply(CODE)
        assert changed != CODE and changed.count("\n") >= CODE.count("\n") - 1
        assert mutant.text == CODE.splitlines()[mutant.line - 1].strip()
        assert mutant.text[mutant.column:].startswith(mutant.old.split("\n")[0])


def test_the_order_does_not_depend_on_what_is_around():
    """So that a sample stays one, whoever adds lines."""
    more = CODE.replace("{\n", "{\n    g(7);\n", 1)
    before, after = ([m.key for m in mutants.mutants("x.c", text)] for text in (CODE, more))
    assert [key for key in after if key in before] == before and len(after) == len(before) + 2


def test_what_is_equivalent_is_a_mutant_of_its_file_and_has_a_reason():
    """An entry whose line is another by now has to be looked at again."""
    keys = {mutant.key for path in {key[0] for key in known.EQUIVALENT}
            for mutant in mutants.mutants(path, (ROOT / path).read_text("utf-8"))}
    assert known.EQUIVALENT.keys() - keys == set()
    assert min(len(reason) for reason in known.EQUIVALENT.values()) > 20


def test_files_of_the_table_exist():
    for path, groups in table.TESTS.items():
        assert (ROOT / path).exists(), path
        for units, file, _ in groups:
            assert bool(units) != bool(file), path
            assert all((ROOT / "tests" / "unit" / f"{name}.c").exists() for name in units.split())
            assert not file or list((ROOT / "tests").rglob(file)), file
