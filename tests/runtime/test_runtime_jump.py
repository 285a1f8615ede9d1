# SPDX-License-Identifier: BSD-2-Clause
"""Sites armed by jumps: thunk windows, and what a hit in the middle of live code leaves alone."""
import re

import pytest

import recorded
import fixture
from conftest import PROGRAMS


@fixture.each_mode
def test_every_register_survives_a_hit_at_an_inline_site(sdt, mode):
    """General, vector, mask and x87 registers, the red zone; flags where they are live."""
    fixture.passes(sdt, fixture.program(sdt, "runtime_inline.c", fixture="runtime_inline.S"),
                   env=mode)


def test_every_register_survives_in_the_ways_of_other_processors(sdt):
    """What the runtime has found out about the CPU is changed to what another would have said."""
    fixture.passes(sdt, fixture.program(sdt, "runtime_inline.c", fixture="runtime_inline.S"),
                   "other")


@fixture.each_mode
def test_every_register_survives_a_handler_of_general_registers(sdt, mode):
    """And it sees all arguments, also the one in a vector register, which was not saved."""
    exe = fixture.program(sdt, "runtime_inline.c", fixture="runtime_inline.S")
    fixture.passes(sdt, exe, "general", env=mode)


@fixture.each_mode
def test_every_register_survives_when_subscriptions_change_on_the_way(sdt, mode):
    """A hit that came without its vector registers saved calls no handler that may change them."""
    exe = fixture.program(sdt, "runtime_inline.c", fixture="runtime_inline.S")
    fixture.passes(sdt, exe, "late", env=mode)


@pytest.mark.nosan  # its instrumented code uses vector registers
def test_every_register_survives_a_hit_that_is_recorded(sdt):
    """Also where packets begin and end; and the arguments are what is in those registers."""
    exe = fixture.program(sdt, "runtime_inline.c", fixture="runtime_inline.S")
    fixture.passes(sdt, exe, "record")
    events, discarded, _ = recorded.read(sdt)
    assert len(events) == 42 * 65 and discarded == 0
    assert sum(map(len, recorded.streams(sdt))) > 10  # of whatever CPUs the thread was on
    for event in events:
        assert list(event.fields.values()) == [0x103, 0x106, 0x20e, 77, 2.5, 9], event


def x87(sdt, what, env=None):
    exe = fixture.program(sdt, "runtime_x87.c", fixture="runtime_inline.S")
    output = fixture.passes(sdt, exe, what, env=env)
    if "absent" in output:
        pytest.skip(output.splitlines()[0])


def test_a_hit_does_not_bring_x87_into_use(sdt):
    """From then on, all hits of the thread and of those that it starts would have to look at it:
    35 ns each on a Xeon (Sapphire Rapids)."""
    x87(sdt, "use")


def test_the_top_of_the_x87_stack_survives_as_it_would_on_intel(sdt):
    """Where EMMS makes register 0 the top; here the program does that when it comes to one."""
    x87(sdt, "emms")


@fixture.each_mode
def test_the_tiles_of_amx_survive(sdt, mode):
    """A handler that uses others, or releases them."""
    x87(sdt, "tiles", env=mode)


@fixture.each_mode
def test_mask_and_zmm_registers_survive_a_hit_at_an_inline_site(sdt, mode):
    exe = fixture.program(sdt, "runtime_inline.c", fixture="runtime_inline.S")
    output = fixture.passes(sdt, exe, "wide", env=mode)
    if "absent" in output:
        pytest.skip(output.splitlines()[0])


@fixture.each_mode
def test_backtrace_through_an_inline_site(sdt, mode):
    exe = fixture.program(sdt, "runtime_inline.c", fixture="runtime_inline.S",
                          ldflags=["-rdynamic"])
    output = fixture.passes(sdt, exe, "unwind", env=mode)
    assert re.search(r"in_leaf\+.*\n.*a\.out.*\n.*main", output), output


# How a program can be linked; where that leaves its text.
KINDS = {
    "pie": ([], "static"),
    "non-pie": (["-fno-pie", "-no-pie"], "static"),
    "static": (["-static"], "static"),
    "static-pie": (["-static-pie"], "static"),
    "shared": ([], "shared"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_windows_that_are_taken(sdt, kind):
    """The next one is used, down to the last; without one, breakpoints, and the API says why."""
    flags, runtime = KINDS[kind]
    fixture.passes(sdt, fixture.program(sdt, "runtime_window.c", *flags, runtime=runtime))


def test_a_debuggers_breakpoint_over_our_branch(sdt):
    """It wins, and what it puts back is ours again."""
    fixture.passes(sdt, fixture.program(sdt, "runtime_covered.c"))


def test_live_code_needs_no_window(sdt):
    fixture.passes(sdt, fixture.program(sdt, "runtime_no_window.c", fixture="runtime_inline.S"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_window_is_free_in_practice(sdt, kind):
    """With and without address randomisation, and 8 GiB mapped before the first sdt_enable."""
    flags, runtime = KINDS[kind]
    exe = fixture.program(sdt, "runtime_window.c", *flags, runtime=runtime)
    for prefix in ([], ["setarch", "-R"]):
        for load in ([], ["64", "128"]):
            assert sdt.command(*prefix, exe, "which", *load).stdout.endswith(" jump\n"), prefix


@pytest.mark.parametrize("unlock", ["0", "1"])
def test_many_sites_at_once(sdt, unlock):
    """By default no page is ever writable and executable; with SDT_UNLOCK_TEXT, for a moment."""
    exe = fixture.program(sdt, "runtime_many.c", fixture="runtime_many.S",
                          ldflags=["-Wl,--wrap=mprotect"])
    output = fixture.passes(sdt, exe, env={"SDT_UNLOCK_TEXT": unlock})
    times = int(re.search(r"unlocked (\d+) times", output)[1])
    # 201 times on and off; the first time on, those that need no thunk come before the others.
    assert times == (403 if unlock == "1" else 0)


def test_no_data_race_in_the_runtime(sdt):
    """Its own sources under ThreadSanitizer, whose helper thread permits no breakpoints."""
    exe = fixture.thread_sanitized(sdt, PROGRAMS / "runtime_threads.c",
                                   fixture.ASM / "runtime_fixture.S")
    for what in ("exact", "load"):
        fixture.passes(sdt, "setarch", "-R", exe, what, env=fixture.JUMP)
