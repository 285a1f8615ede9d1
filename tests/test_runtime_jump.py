# SPDX-License-Identifier: BSD-2-Clause
"""Sites armed by jumps: thunk windows, and what a hit in the middle of live code leaves alone."""
import re

import rt


@rt.each_mode
def test_every_register_survives_a_hit_at_an_inline_site(sdt, mode):
    """General, vector, mask and x87 registers, the red zone; flags where they are live."""
    rt.passes(sdt, rt.program(sdt, "rt_inline.c", fixture="rt_inline.S"), env=mode)


@rt.each_mode
def test_backtrace_through_an_inline_site(sdt, mode):
    exe = rt.program(sdt, "rt_inline.c", fixture="rt_inline.S", ldflags=["-rdynamic"])
    output = rt.passes(sdt, exe, "unwind", env=mode)
    assert re.search(r"in_leaf\+.*\n.*a\.out.*\n.*main", output), output
