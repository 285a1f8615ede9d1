# SPDX-License-Identifier: BSD-2-Clause
"""Which cells of a parametrized test are run without --all (cells.py): each value is in one."""
import itertools
import types

import cells
import pytest
from matrix import table

pytestmark = pytest.mark.nosan  # of the suite itself


class Cell:
    def __init__(self, test, **params):
        self.nodeid = f"{test}[{params}]"
        self.callspec = types.SimpleNamespace(params=params)


def grid(test="t", **dimensions):
    return [Cell(test, **dict(zip(dimensions, row)))
            for row in itertools.product(*dimensions.values())]


def test_every_value_is_run():
    all_of_them = grid(compiler=["gcc", "clang", "g++"], linker=["bfd", "lld"], level=range(5))
    chosen = cells.choose(all_of_them)
    assert len(chosen) == 5 and set(chosen) < set(all_of_them)
    assert set().union(*map(cells.values, chosen)) == set().union(*map(cells.values, all_of_them))


def test_one_dimension_is_run_whole():
    assert len(cells.choose(grid(case=range(80)))) == 80


def test_a_limit_and_the_order():
    all_of_them = grid(case=range(80))
    chosen = cells.choose(all_of_them, 3)
    assert len(chosen) == 3 and sorted(chosen, key=all_of_them.index) == chosen


def test_tests_are_chosen_from_one_by_one():
    one, other = grid("one", a=[1, 2], b=[1, 2]), grid("other", a=[1, 2], b=[1, 2])
    alone = types.SimpleNamespace(nodeid="alone")  # without parameters
    without = cells.left_out([*one, alone, *other])
    assert len(without & set(one)) == len(without & set(other)) == 2 and len(without) == 4


def test_the_quick_cells_of_the_matrix():
    """Each value is in one, and each compiler with each linker; of equals, one whose objects are
    compiled already."""
    def seen(of):
        return set().union(*map(table.shown, of))
    assert seen(table.QUICK) == seen(table.CELLS) and len(table.QUICK) < len(table.CELLS) / 20
    assert cells.choose(range(6), shown=lambda n: {n % 2}, prefer=lambda n, _: n) == [4, 5]
