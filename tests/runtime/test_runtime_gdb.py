# SPDX-License-Identifier: BSD-2-Clause
"""gdb goes over sites of each kind in each of their states, in each of its ways."""
import re

import pytest

import fixture
from conftest import CFLAGS

pytestmark = pytest.mark.nosan

STATES = ["off", "jump", "trap"]
ROUNDS = 4


def debug(sdt, kind, state, *commands):
    """Output of gdb on runtime_debugged, stopped before the first round."""
    if any("-fsanitize" in flag for flag in CFLAGS):
        pytest.skip("the sanitizer's own signal handling is in the way")
    exe = fixture.program(sdt, "runtime_debugged.c", kind=kind)
    script = ["set startup-with-shell off", f"set environment RT_MODE={state}", "break main",
              "run", "delete", *commands]
    argv = [word for command in script for word in ("-ex", command)]
    return sdt.command("gdb", "-q", "-batch", "-nx", *argv, exe, status=None).stdout


def outcome(output):
    """How many of the rounds were handled; the program must have found all else in order."""
    found = re.search(r"^handled (\d) of 4$", output, re.M)
    assert found and "exited normally" in output and "\nok\n" in output, output
    return int(found[1])


@fixture.each_kind
@pytest.mark.parametrize("state", STATES)
def test_continue(sdt, kind, state):
    """A breakpoint of ours stops gdb, which swallows it: the event is lost, and nothing else."""
    output = debug(sdt, kind, state, *["continue"] * (ROUNDS + 1))
    assert outcome(output) == (ROUNDS if state == "jump" else 0)
    assert output.count("received signal SIGTRAP") == (ROUNDS if state == "trap" else 0)


# The bytes of the site, in front of which gdb stops, and what they are in each state.
LOOK = ["tbreak *fx_call", "continue", "x/6xb fx_call+4"]
SITE = {"call": {"off": "90 66 0f 1f c0", "jump": "e8 66 0f 1f c0", "trap": "90 cc 0f 1f c0"},
        "call6": {"off": "90 3e 66 0f 1f c0", "jump": "90 e8 66 0f 1f c0",
                  "trap": "90 cc 66 0f 1f c0"},
        "inline": {"off": "90 66 0f 1f 84 e9", "jump": "90 66 0f 1f 00 e9",
                   "trap": "90 cc 0f 1f 84 e9"}}


def check(output, kind, state, stops=None):
    """Jumps are handled. What gdb swallows at a breakpoint of ours is lost, each time; at how many
    of those it says so (STOPS) depends on how it gets there."""
    [row] = re.findall(r"<fx_call\+4>:((?:\s+0x..){6})$", output, re.M)
    assert " ".join(row.replace("0x", "").split()).startswith(SITE[kind][state]), output
    assert outcome(output) == (ROUNDS if state == "jump" else 0), output
    if stops is not None or state != "trap":
        signals = output.count("received signal SIGTRAP")
        assert signals == (stops if state == "trap" else 0), output


@fixture.each_kind
@pytest.mark.parametrize("state", STATES)
def test_step_by_instructions(sdt, kind, state):
    """Through the prologue and the site, into whatever it leads to and some way further."""
    output = debug(sdt, kind, state, *LOOK, *["stepi"] * 60, *["continue"] * (ROUNDS + 1))
    check(output, kind, state)


@fixture.each_kind
@pytest.mark.parametrize("state", STATES)
def test_step_over_and_finish(sdt, kind, state):
    """`next` over the function with the site, `finish` from it, a breakpoint after the site."""
    length = {"call": 5, "call6": 6, "inline": 10}[kind]
    output = debug(sdt, kind, state, *LOOK, "tbreak round_begins", "continue", "finish", "next",
                   "tbreak fx_call", "continue", "finish", f"tbreak *fx_call+{4 + length}",
                   *["continue"] * (2 * ROUNDS))
    check(output, kind, state, stops=ROUNDS)


@fixture.each_kind
@pytest.mark.parametrize("state", STATES)
def test_a_breakpoint_at_the_first_byte(sdt, kind, state):
    """There before the site is armed, and after: the byte of tracers; at a call also the jump's."""
    output = debug(sdt, kind, state, *LOOK, "break *fx_call+4", *["continue"] * (2 * ROUNDS + 1))
    check(output, kind, state, stops=ROUNDS)
    assert output.count("Breakpoint 3, ") == ROUNDS, output


@fixture.each_kind
@pytest.mark.parametrize("where", ["run_once", "round_begins", "*fx_call", "handler"])
def test_sigtrap_passed_on_with_breakpoints_of_its_own(sdt, kind, where):
    """
    `handle SIGTRAP pass` also sends the program the traps of gdb's own breakpoints and steps. That
    ends it by SIGTRAP, as it does when nothing is armed, and not in the middle of an instruction.
    """
    commands = ["handle SIGTRAP nostop noprint pass", f"break {where}", "continue", "continue"]
    for state in ("trap", "off") if where != "handler" else ("trap",):
        output = debug(sdt, kind, state, *commands)
        assert "terminated with signal SIGTRAP" in output, output


@fixture.each_kind
def test_sigtrap_passed_on_without_breakpoints(sdt, kind):
    """Said after the start (gdb has breakpoints in the loader), it lets every event through."""
    output = debug(sdt, kind, "trap", "handle SIGTRAP nostop noprint pass", "signal 0")
    assert outcome(output) == ROUNDS
