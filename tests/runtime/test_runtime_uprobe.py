# SPDX-License-Identifier: BSD-2-Clause
"""The kernel's tracer and the runtime on one site: each keeps to its own byte.

Through tracefs, on hand-written sites; every kind in every order: test_tracers_orders.py.
"""
import pytest

import fixture
from uprobe import needs_tracefs, side_by_side

pytestmark = needs_tracefs


def test_a_uprobe_and_our_breakpoint_on_one_site(sdt):
    exe = fixture.program(sdt, "runtime_uprobe.c")
    assert side_by_side(exe, "fx_call", 4) == 1 + 10 + 100 + 10000


# Where the site is in its function of runtime_inline.S.
OWN_BYTE = {"inline": ("in_leaf", 12), "call6": ("in_six", 4)}


@pytest.mark.parametrize("kind", OWN_BYTE)
def test_a_uprobe_and_our_jump_on_one_site(sdt, kind):
    """Both count everything, in every order, a forked child included."""
    exe = fixture.program(sdt, "runtime_uprobe_jump.c", fixture="runtime_inline.S")
    assert side_by_side(exe, *OWN_BYTE[kind], kind) == 1 + 10 + 20 + 100 + 10000


def test_a_uprobe_over_our_call(sdt):
    """One byte for two: the tracer wins while it is there, and nothing crashes."""
    exe = fixture.program(sdt, "runtime_uprobe_jump.c", fixture="runtime_inline.S")
    assert side_by_side(exe, "in_call", 4, "call") == 10 + 100 + 1000
