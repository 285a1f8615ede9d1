# SPDX-License-Identifier: BSD-2-Clause
"""A tracer and sdt_enable() on one site, attached, enabled, hit, disabled and detached in every
order, with forks in between: nothing crashes, no result changes, and either both counts are exact
or the loss is the one that docs/tracers.md names.
"""
import itertools
import re

import pytest
from conftest import Toolbox

import orders
import usdt
from stapsdt import notes
from uprobe import file_offset, needs_uprobes, symbol_offset

pytestmark = [needs_uprobes, pytest.mark.nosan]

KINDS = ("call", "call6", "tail", "jcc", "inline", "nop11")
CELLS = [("call", "auto"), *itertools.product(KINDS, ("trap", "jump"))]


@pytest.fixture(scope="module", name="program")
def fixture_program(tmp_path_factory):
    """programs/tracer_orders.c with a site of each kind, and where the tracer finds each."""
    sdt = Toolbox(tmp_path_factory.mktemp("orders"))
    flags = ("-DPROVIDER=orders", "-Wall", "-Wextra")
    sites = [sdt.process(sdt.compile("tracer_sites.c", *form, *flags, name=f"{len(form)}.o"))
             for form in ((), ("-DSDT_CALL_SITES",))]
    noted = usdt.assembled(sdt, "tracer_sites.c", *flags, "-DNOTES")
    sites.append(sdt.process(sdt.compile(noted, name="noted.o")))
    exe = sdt.link(sdt.compile("tracer_orders.c", *flags), *sites)
    places = {note.name: file_offset(exe, note.pc) for note in notes(exe)}
    assert set(places) == set(KINDS)

    for name in ("nop5", "nop5_leaf"):
        places[name] = symbol_offset(exe, f"tr_{name}_site")

    def play(kind, mode, scope, steps, status=0):
        """The lines that the program prints."""
        result = sdt.command(exe, kind, f"{places[kind]:x}", mode, scope, input=steps,
                             status=status)
        return result.stdout.splitlines()

    return play


def check_exact(lines, scope):
    """Both counts are the hits, where a tracer counts them."""
    tracer = probe = False
    for line in lines:
        if line == "T":
            tracer = not tracer
        elif line[0] == "O":
            assert line == "O 0"
            probe = not probe
        elif line[0] in "hf":
            hits, seen, counted = map(int, line.split()[1:])
            watched = tracer and (scope == "all" or line[0] == "h")
            assert (seen, counted) == (hits * watched, hits * probe), line


@pytest.mark.parametrize("scope", ["all", "self"])
@pytest.mark.parametrize("mode", ["trap", "jump"])
@pytest.mark.parametrize("kind", ["inline", "nop11"])
def test_both_counts_are_exact_at_live_code(program, kind, mode, scope):
    """Any two moves in any order, forks included, by this count alone and not by the model's."""
    steps = orders.walk(2, ("h", "f"))
    check_exact(program(kind, mode, scope, steps)[:-1], scope)


@pytest.mark.parametrize("scope", ["all", pytest.param("self", marks=pytest.mark.slow)])
@pytest.mark.parametrize("length", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind, mode", CELLS)
def test_every_order(program, kind, mode, length, scope):
    """As the bytes say that are written; see orders.Process, and docs/tracers.md for the losses."""
    steps = orders.walk(length)
    expected = orders.Model(kind, mode, scope).expect(steps)
    seen = program(kind, mode, scope, steps)
    for number, (line, should) in enumerate(zip(seen, expected)):
        assert line == should, f"line {number + 1} of {steps}:\n" + "\n".join(seen[:number + 1])
    assert len(seen) == len(expected)


@pytest.mark.parametrize("kind, mode", [("inline", "jump"), ("inline", "trap"), ("call", "trap")])
def test_each_counts_every_hit_while_the_other_comes_and_goes(program, kind, mode):
    """Under a thread that does nothing but hit the site."""
    *_, storm, _, ok = program(kind, mode, "all", "Os" + "T" * 9 + "sO")
    hits, _, counted = map(int, storm.split()[1:])
    assert ok == "ok" and counted == hits > 0
    *_, storm, _, ok = program(kind, mode, "all", "Ts" + "O" * 99 + "sT")
    hits, seen, _ = map(int, storm.split()[1:])
    assert ok == "ok" and seen == hits > 0


@pytest.mark.parametrize("kind, mode", [("call", "jump"), ("tail", "jump"), ("tail", "trap")])
def test_nothing_breaks_where_the_byte_is_shared(program, kind, mode):
    assert program(kind, mode, "all", "OsTOTO" * 4 + "s")[-1] == "ok"


def test_a_leaf_function_keeps_its_red_zone(program):
    """With us, whatever the mode; not with a 5-byte NOP at the note's address, on Linux 6.18."""
    for mode in ("trap", "jump"):
        assert program("inline", mode, "all", "hThOhfTfhOh")[-1] == "ok"
    if "b e8" not in program("nop5", "auto", "all", "Thhhb"):
        pytest.skip("this kernel does not make a call of a 5-byte NOP: there is nothing to show")
    assert program("nop5", "auto", "all", "hhh")[-1] == "ok", "the kernel is who does it"
    assert program("nop5_leaf", "auto", "all", "hhh")[-1] == "ok"
    assert re.match("wrong result: ", program("nop5_leaf", "auto", "all", "Thhh", status=1)[-1])


def test_children_forked_under_a_tracer_live(program):
    """With us; with a 5-byte NOP they die on Linux 6.18, even where there is no red zone."""
    for kind, mode in CELLS:
        assert program(kind, mode, "all", "ThOhfTfThf")[-1] == "ok"
    if "b e8" not in program("nop5", "auto", "all", "Thhhb"):
        pytest.skip("this kernel does not make a call of a 5-byte NOP: there is nothing to show")
    assert program("nop5", "auto", "all", "hf")[-1] == "ok"
    last = program("nop5", "auto", "all", "Thhf", status=1)[-1]
    assert re.match("the child ended with status 0x.?b$", last), last
