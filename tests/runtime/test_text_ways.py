# SPDX-License-Identifier: BSD-2-Clause
"""Faster ways to write text than the runtime's, and what they would do: why they are not taken.

Decisions 19 and 23 rest on these facts of the kernel. Should one of them change, so may they.
"""
import signal

import pytest

from conftest import PROGRAMS
from uprobe import needs_tracefs, side_by_side


@pytest.fixture(name="program")
def _program(sdt):
    sdt.command("gcc", "-O2", PROGRAMS / "text_ways.c", "-o", "ways")
    return sdt.path("ways")


@needs_tracefs
def test_a_byte_leaves_a_tracer_alone(program):
    assert side_by_side(program, "theirs", 0, "byte") == 10


@needs_tracefs
def test_a_range_takes_a_tracers_breakpoint_away(program):
    """It attached between reading and writing, and will never be hit."""
    assert side_by_side(program, "theirs", 0, "range") == 0


@needs_tracefs
def test_a_range_puts_a_tracers_breakpoint_back(program):
    """It detached between reading and writing; the program dies of what it left."""
    assert side_by_side(program, "theirs", 0, "stale", ends=("", "", -signal.SIGTRAP)) == 0


def test_a_kept_descriptor_writes_the_parents_text(sdt, program):
    assert sdt.command(program, "forked").stdout == (
        "child's text as it was, parent's text changed\n")


def test_a_kept_descriptor_outlives_the_right_to_open_it(sdt, program):
    assert sdt.command(program, "rights").stdout == "opening refused, text changed\n"
