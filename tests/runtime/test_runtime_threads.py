# SPDX-License-Identifier: BSD-2-Clause
"""The runtime and threads: what the first hit of one costs, and those that end or switch."""
import pathlib

import pytest

import recorded
import fixture


@pytest.mark.parametrize("way", ["strict", "kill", "count"])
@fixture.each_kind
@fixture.each_mode
def test_a_first_hit_makes_no_system_call(sdt, mode, kind, way):
    exe = fixture.program(sdt, "runtime_first_hit.c", kind=kind)
    result = sdt.command(exe, way, status=None, env={**mode, **fixture.NO_LEAK_CHECK})
    if result.returncode == 77:
        pytest.skip("seccomp is not permitted here")
    assert (result.returncode, result.stdout, result.stderr) == (0, "ok\n", "")


@pytest.mark.nosan  # AddressSanitizer has far more instructions, and stops at signals it sees
def test_a_signal_anywhere_in_a_first_hit(sdt):
    """Both want a record for the thread: it keeps one, and no other thread gets it."""
    exe = fixture.program(sdt, "runtime_claim.c", ldflags=["-pthread"])
    fixture.passes(sdt, exe, env=fixture.JUMP)


@pytest.mark.nosan  # AddressSanitizer does not know threads that end by the system call
def test_a_recorded_hit_makes_no_system_call(sdt):
    """Neither a thread's first one, nor one that begins a packet, nor a text that is not there."""
    clock = pathlib.Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    if clock.read_text() != "tsc\n":
        pytest.skip("the kernel's clock is not the time-stamp counter: sdt_record(3)")
    exe = recorded.build(sdt, "record_limits.c", "-O2", "-pthread")
    result = sdt.command(exe, "strict", status=None)
    if result.returncode == 77:
        pytest.skip("seccomp is not permitted here")
    assert (result.returncode, result.stdout, result.stderr) == (0, "ok\n", "")
    assert len(recorded.words(sdt)) == 4 * 50 * 400


def test_a_dead_thread_whose_number_lives_on_is_not_waited_for(sdt):
    exe = fixture.program(sdt, "runtime_reused_id.c")
    result = sdt.command(exe, status=None, env=fixture.NO_LEAK_CHECK)
    if result.returncode == 77:
        pytest.skip(f"needs root to choose the number of a thread: {result.stderr}")
    assert (result.returncode, result.stdout, result.stderr) == (0, "ok\n", "")


@pytest.mark.nosan  # AddressSanitizer says that it does not know makecontext
@fixture.each_kind
@fixture.each_mode
def test_a_handler_that_switches_contexts_does_what_the_page_says(sdt, mode, kind):
    fixture.passes(sdt, fixture.program(sdt, "runtime_context.c", kind=kind), env=mode)
