# SPDX-License-Identifier: BSD-2-Clause
"""Recordings on aarch64 and riscv64, run by qemu in user mode: rings of threads, since there is no
rseq(2), and the callers of a hit, which are those that libgcc's unwinder finds in the program."""
import re
import shutil
import subprocess

import pytest

import recorded
from conftest import PROGRAMS
from cross import clang, gcc, need, targets  # noqa: F401 (targets is a fixture)
from machines import each

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
RUNTIME = ["-Wl,-u,__sdt_register"]  # the program does not call it
QUIET = "-Wno-unused-but-set-variable"  # variables that are there to take room
TABLES = "-fasynchronous-unwind-tables"  # which compilers for riscv64 do not write by themselves
COMPILED = {
    "aarch64": [[], ["-fomit-frame-pointer", "-mbranch-protection=standard"],
                ["-DSDT_CALL_SITES", "-O0", "-mbranch-protection=standard"]],
    "riscv64": [[], ["-fno-omit-frame-pointer"], ["-DSDT_CALL_SITES", "-O0"]],
}


def program(sdt, targets, machine, *flags, **how):
    tables = [TABLES] if machine.name == "riscv64" else []
    return machine.program(sdt, targets, *tables, *flags, **how)


def record(sdt, machine, exe, *args):
    """Lines that EXE printed, and its events."""
    said = machine.run(sdt, exe, *args, env=recorded.wish(sdt, options="stack=64"))
    events, _, missing = recorded.read(sdt)
    recorded.streams(sdt)
    assert missing == 0
    return said, events


@each()
def test_hits_are_recorded(sdt, targets, machine):
    """And the recording is whole: another program reads it."""
    need("babeltrace2")
    exe = machine.program(sdt, targets)
    machine.run(sdt, exe, env={"SDT_RECORD": "out", "SDT_ENABLE": "*=record"}, cwd=sdt.dir)
    read = sdt.run("babeltrace2", sdt.path("out"))
    assert re.findall(r" (shop:\w+): \{", read) == \
        ["shop:sale", "shop:sale", "shop:left", "shop:dear"]
    assert re.search(r'n = 2, what = "coffee", arg2 = 2\.5, .*arg10 = "offee", arg11 = -11', read)


@each()
def test_events_have_the_ids_of_their_thread(sdt, targets, machine):
    """Of the program's variable, and of one in a library that it loads, in threads that are younger
    and older than that."""
    need("babeltrace2")
    exported = ["-rdynamic", "-pthread", *RUNTIME]
    exe = machine.program(sdt, targets, "-DCONTEXT_OWN", source="context.c", objects=exported)
    assert ids(sdt, machine, exe, "hit") == 24
    compiler = gcc(machine.name)
    sdt.command(compiler, "-O2", "-fPIC", "-shared", "-o", "libvariable.so",
                PROGRAMS / "context_variable.c")
    exe = machine.program(sdt, targets, "-DCONTEXT_LOADED", source="context.c", objects=exported)
    loaded = {"LIBRARY": sdt.path("libvariable.so"), "REGISTER": "again"}
    assert ids(sdt, machine, exe, "hit", **loaded) == 24
    assert ids(sdt, machine, exe, "bad", **loaded) == 8


def ids(sdt, machine, exe, what, **env):
    """How many events have that of a trace of the program's, and of a span."""
    shutil.rmtree(sdt.path("rec"), ignore_errors=True)
    machine.run(sdt, exe, what, env={**recorded.wish(sdt, options="context"),
                                     **{name: str(value) for name, value in env.items()}})
    text = sdt.run("babeltrace2", sdt.path("rec"))
    return len(re.findall(r"trace_id = \[ \[0\] = 0x(?:10111213141516|20212223242526)\w{2}, "
                          r"\[1\] = 0x(?:18191A1B1C1D1E|28292A2B2C2D2E)\w{2} \], "
                          r"span_id = 0x[246]0[246]1\w{12} ", text))


@each(how=lambda m: [*((m.gcc, *flags) for flags in COMPILED[m.name]),
                     (clang(m.name), "-Wno-unknown-attributes")])
def test_callers_are_those_of_backtrace(sdt, targets, machine, how):
    """Also in signal handlers, in qsort(), and with return addresses that are signed."""
    compiler, *flags = how
    need(compiler.split()[0])
    exe = program(sdt, targets, machine, "-g", QUIET, *flags, compiler=compiler,
                  source="record_stack.c", objects=RUNTIME)
    said, events = record(sdt, machine, exe)
    wanted = [[int(word, 16) for word in line.split()] for line in said]
    assert len(events) == len(wanted) == 8
    for event, line in zip(events, wanted):
        assert event.fields["callers"][1:] == line, event.fields["i"]
    assert len(wanted[3]) > 40


@each()
def test_a_stack_that_leads_nowhere(sdt, targets, machine):
    exe = program(sdt, targets, machine, QUIET, source="record_stack.c", objects=RUNTIME)
    _, events = record(sdt, machine, exe, "torn")
    assert len(events) == 121
    assert all(1 <= len(event.fields["stack"]) <= 64 for event in events)
    assert {len(event.fields["stack"]) for event in events if event.fields["pc"] == 0} == {1}


@each()
def test_code_without_tables_and_large_frames(sdt, targets, machine):
    """Code that a program makes is left by its frame pointer; the next frame is found all the same,
    though that does not tell where it begins."""
    exe = program(sdt, targets, machine, "-no-pie", source="machine_jit.c",
                  objects=[*RUNTIME, "-no-pie"])
    [made], [event] = record(sdt, machine, exe)
    frames = event.fields["stack"]
    assert frames[2] == int(made, 16)
    names = subprocess.run([f"{machine}-linux-gnu-addr2line", "-f", "-e", exe,
                            *(hex(frame) for frame in frames)], check=True, capture_output=True,
                           text=True).stdout.splitlines()[::2]
    assert names[:4] == ["hit", "large", "??", "main"] and len(names) > 4
