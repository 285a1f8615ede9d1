# SPDX-License-Identifier: BSD-2-Clause
"""Which cells of a parametrized test run: all of them only with `./run test --all`.

A test with a dimension for the compiler, one for the linker and one for the kind of output has a
cell for each combination, and each is a program to build. Without --all, so many cells run that
each value of each dimension is in one of them: nothing that a single value breaks is missed. With
a limit, no more than that many: what is run under sanitizers as well needs no more there.
"""
import collections


def values(item):
    """What a cell shows: its values, each with the name of its dimension."""
    return {(name, repr(value)) for name, value in item.callspec.params.items()}


def choose(cells, limit=None, shown=values, prefer=lambda cell, chosen: 0):
    """Cells that together show all that SHOWN(cell) says of any of them, in their order. The choice
    depends on nothing else, so all processes of a run agree. Of those that show as much that is
    new: the one of which PREFER says most."""
    rest = {cell: shown(cell) for cell in cells}
    chosen, missing = [], set().union(*rest.values())
    while missing and len(chosen) != limit:
        new = {cell: len(missing & says) for cell, says in rest.items()}
        most = max(new.values())
        best = max((cell for cell in rest if new[cell] == most),
                   key=lambda cell: prefer(cell, chosen))
        missing -= rest.pop(best)
        chosen.append(best)
    return [cell for cell in cells if cell not in rest]


def left_out(items, limit=None):
    """Those of ITEMS, of all tests, that are not run."""
    tests = collections.defaultdict(list)
    for item in items:
        if hasattr(item, "callspec"):
            machine = str(item.callspec.params.get("machine"))  # its values are its own
            tests[item.nodeid.partition("[")[0], machine].append(item)
    return {cell for cells in tests.values() for cell in set(cells) - set(choose(cells, limit))}
