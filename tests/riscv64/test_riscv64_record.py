# SPDX-License-Identifier: BSD-2-Clause
"""The callers of a hit on riscv64, which are those that libgcc's unwinder finds in the program
itself; run by qemu in user mode."""
import subprocess

import pytest

import recorded
from cross import need, targets  # noqa: F401 (targets is a fixture)
from test_riscv64_runtime import CLANG, GCC, program, run

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
RUNTIME = ["-Wl,-u,__sdt_register"]  # the program does not call it
QUIET = "-Wno-unused-but-set-variable"  # variables that are there to take room
TABLES = "-fasynchronous-unwind-tables"  # which compilers do not write by themselves there


def record(sdt, exe, *args):
    """Lines that EXE printed, and its events."""
    said = run(sdt, exe, *args, env=recorded.wish(sdt, options="stack=64"))
    events, _, missing = recorded.read(sdt)
    recorded.streams(sdt)
    assert missing == 0
    return said, events


@pytest.mark.parametrize("compiler, flags", [
    (GCC, []), (GCC, ["-fno-omit-frame-pointer"]), (GCC, ["-DSDT_CALL_SITES", "-O0"]),
    (CLANG, ["-Wno-unknown-attributes"])])
def test_callers_are_those_of_backtrace(sdt, targets, compiler, flags):
    """Also in signal handlers, and in qsort()."""
    need(compiler.split()[0])
    exe = program(sdt, targets, "-g", QUIET, TABLES, *flags, compiler=compiler,
                  source="record_stack.c", objects=RUNTIME)
    said, events = record(sdt, exe)
    wanted = [[int(word, 16) for word in line.split()] for line in said]
    assert len(events) == len(wanted) == 8
    for event, line in zip(events, wanted):
        assert event.fields["callers"][1:] == line, event.fields["i"]
    assert len(wanted[3]) > 40


def test_a_stack_that_leads_nowhere(sdt, targets):
    exe = program(sdt, targets, QUIET, TABLES, source="record_stack.c", objects=RUNTIME)
    _, events = record(sdt, exe, "torn")
    assert len(events) == 121
    assert all(1 <= len(event.fields["stack"]) <= 64 for event in events)
    assert {len(event.fields["stack"]) for event in events if event.fields["pc"] == 0} == {1}


def test_code_without_tables_and_large_frames(sdt, targets):
    """Code that a program makes is left by its frame pointer."""
    exe = program(sdt, targets, "-no-pie", TABLES, source="machine_jit.c",
                  objects=[*RUNTIME, "-no-pie"])
    [made], [event] = record(sdt, exe)
    frames = event.fields["stack"]
    assert frames[2] == int(made, 16)
    names = subprocess.run(["riscv64-linux-gnu-addr2line", "-f", "-e", exe,
                            *(hex(frame) for frame in frames)], check=True, capture_output=True,
                           text=True).stdout.splitlines()[::2]
    assert names[:4] == ["hit", "large", "??", "main"] and len(names) > 4


def test_a_probe_that_is_only_recorded_may_be_hit_in_a_handler(sdt, targets):
    """By a way of its own, which leaves nothing out where hits are nested, though no handler can
    promise to leave registers of floating point alone there."""
    exe = program(sdt, targets, source="record_in_handler.c", objects=RUNTIME)
    run(sdt, exe, env=recorded.wish(sdt, "rec"))
    assert [event.fields["i"] for event in recorded.read(sdt)[0]] == list(range(5))
