# SPDX-License-Identifier: BSD-2-Clause
"""How much of a thread's stack a hit takes: what sdt_enable(3) promises."""
import re

import pytest

import recorded
import fixture

pytestmark = pytest.mark.nosan  # sanitized code has larger frames

# The bytes that sdt_enable(3) names, below the stack pointer at the site; its red zone included.
COUNT, GENERAL, AVX, BESIDE_XSAVE, FIRST, TRAP = 512, 768, 1536, 512, 128, 512


def measured(sdt, kind):
    output = fixture.passes(sdt, fixture.program(sdt, "runtime_stack.c", kind=kind),
                            env=fixture.JUMP)
    rows = re.findall(r"^(\w+) (\d+) first (\d+)$", output, re.M)
    assert len(rows) == 5
    return {what: (int(used), int(first)) for what, used, first in rows}, \
        int(re.search(r"^xsave (\d+)$", output, re.M)[1])


@fixture.each_kind
def test_a_hit(sdt, kind):
    """The first of a thread, and another one."""
    used, xsave = measured(sdt, kind)
    most = max(AVX, xsave + BESIDE_XSAVE)
    limits = {"count": (COUNT, COUNT), "general": (GENERAL, most + FIRST),
              "own": (most, most + FIRST), "avx": (AVX, AVX), "xsaved": (most, most + FIRST)}
    for what, (limit, first) in limits.items():
        assert used[what][0] <= limit and used[what][1] <= first, (what, used, xsave)


@fixture.each_mode
@fixture.each_kind
def test_on_an_alternate_stack_of_8_kib(sdt, kind, mode):
    """Where a signal handler is the first of its thread to come by a site."""
    fixture.passes(sdt, fixture.program(sdt, "runtime_stack.c", kind=kind), "alternate", env=mode)


@fixture.each_kind
def test_a_signal_that_comes_while_a_breakpoint_is_handled(sdt, kind):
    """It waits: so an alternate stack holds two frames of the kernel, its own and a breakpoint's,
    whatever size they have on this processor."""
    exe = fixture.program(sdt, "runtime_interrupted.c", kind=kind)
    rows = [re.match(r"size (\d+) frame (\d+) used (\d+)\n", fixture.passes(sdt, exe, *size))
            for size in ([65536], [])]
    for size, frame, used in (map(int, row.groups()) for row in rows):
        assert used <= 2 * frame + TRAP and used <= size


# The bytes that sdt_record(3) names.
RECORDED = {"fixed": 1024, "text": 4096, "texts": 4096}


def test_a_recorded_hit(sdt):
    """The first of a thread, those that begin or end a packet, and all others."""
    output = sdt.run(recorded.build(sdt, "record_limits.c", "-O2", "-pthread"), "stack")
    rows = dict((what, (int(used), int(first))) for what, used, first in
                re.findall(r"^(\w+) (\d+) first (\d+)$", output, re.M))
    assert all(0 < used <= RECORDED[what] and first <= RECORDED[what] + 4096
               for what, (used, first) in rows.items()) and rows.keys() == RECORDED.keys(), rows


def test_recorded_hits_on_an_alternate_stack_of_8_kib(sdt):
    """Also a thread's first one, and those with texts."""
    exe = recorded.build(sdt, "record_limits.c", "-O2", "-pthread")
    assert sdt.run(exe, "alternate") == "ok\n"
    assert len(recorded.words(sdt)) == 3 * 400
