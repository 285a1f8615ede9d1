# SPDX-License-Identifier: BSD-2-Clause
"""Counting, by each CPU for itself and in the probe: exact, whoever comes in between."""
import re

import pytest

import fixture
from conftest import CFLAGS

EXPORTS = ["-Wl,--export-dynamic-symbol=__sdt_register",
           "-Wl,--export-dynamic-symbol=__sdt_unregister"]
# Who counts, and what makes it so.
WAYS = {"cpu": {}, "probe": {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}}
each_way = pytest.mark.parametrize("way", WAYS)


def check(sdt, exe, *args, way, env=None):
    """Exact, and counted where it should be."""
    output = fixture.passes(sdt, exe, *args, env={**fixture.JUMP, **WAYS.get(way, {}),
                                                  **(env or {})})
    counted = re.search(r"^counted by (\w+)$", output, re.M)[1]
    if way != "probe" and counted == "probe":
        pytest.skip("the C library registers no threads for rseq(2) here")
    assert counted == way


@fixture.each_kind
@each_way
@pytest.mark.parametrize("part", ["storm", "fork", "vfork", "again", "both"])
def test_exact(sdt, part, way, kind):
    check(sdt, fixture.program(sdt, "runtime_counting.c", kind=kind), part, "all", way=way)


def test_exact_in_threads_that_are_not_registered(sdt):
    check(sdt, fixture.program(sdt, "runtime_counting.c"), "storm", "main", way="both")


def test_exact_where_the_kernel_refuses(sdt):
    check(sdt, fixture.program(sdt, "runtime_counting.c"), "storm", "none", way="probe")


def test_exact_by_breakpoints(sdt):
    """The way there is another, and much longer."""
    check(sdt, fixture.program(sdt, "runtime_counting.c"), "again", "all", way="cpu",
          env=fixture.TRAP)


@pytest.mark.parametrize("runtime, flags", [("shared", []), ("static", ["-static"]),
                                            ("static", ["-static-pie"])])
def test_exact_in_a_program_of_another_make(sdt, runtime, flags):
    exe = fixture.program(sdt, "runtime_counting.c", runtime=runtime, ldflags=flags)
    check(sdt, exe, "storm", "all", way="cpu")


@fixture.each_kind
def test_hits_that_a_signal_interrupts(sdt, kind):
    """At each instruction: it is in the probe's own word, and none is lost or counted twice."""
    check(sdt, fixture.program(sdt, "runtime_counting.c", kind=kind), "steps", "all", way="cpu")


@fixture.each_kind
@each_way
@pytest.mark.nosan
def test_hits_that_a_debugger_steps_through(sdt, way, kind):
    """Each step interrupts; a piece of code that began again and again would never end."""
    check(sdt, fixture.program(sdt, "runtime_stepped.c", kind=kind), way=way)


@each_way
def test_libraries_come_and_go(sdt, way):
    exe = fixture.program(sdt, "runtime_counting.c", ldflags=EXPORTS)
    output = fixture.passes(sdt, exe, "library", "all", fixture.library(sdt, "plugin.so"),
                       env={**fixture.JUMP, **WAYS[way]})
    assert output == "ok\n"

# For gdb, stopped where FUNCTION begins: the names of the frames at each instruction of one hit. It
# sees no more of the guarded piece than the beginning, since the kernel takes it out: so it is told
# that it were at the others. At a `ret` of assembly it asks no unwind information (its "epilogue"
# unwinder), and takes the entry in the window for the caller.
WALK = """
import gdb

def show(where):
    names, frame = [], gdb.newest_frame()
    while frame:
        names.append(str(frame.name()))
        frame = frame.older()
    print("at", where, *names)

def pc():
    return int(gdb.parse_and_eval("(long)$pc"))

begin = pc()
code = gdb.selected_frame().architecture().disassemble(begin, count=80)
stored = [i for i, one in enumerate(code) if "%fs:0x8(" in one["asm"]][0]
ends = [i for i, one in enumerate(code) if one["asm"].startswith("inc")][0]
while gdb.newest_frame().name() == "FUNCTION":
    here = pc()
    if "ret" not in [one["asm"].strip() for one in code if one["addr"] == here]:
        show(hex(here - begin))
    if here == code[stored + 1]["addr"]:
        for one in code[stored + 1:ends + 1]:
            gdb.execute("set var $pc = " + hex(one["addr"]))
            show("piece")
        gdb.execute("set var $pc = " + hex(here))
    gdb.execute("stepi", to_string=True)
"""


@pytest.mark.nosan
@pytest.mark.parametrize("kind, function", [("call", "trampoline_count"),
                                            ("inline", "entry_count")])
def test_debuggers_find_the_callers_at_every_instruction(sdt, kind, function):
    script = sdt.path("walk.py")
    script.write_text(WALK.replace("FUNCTION", function))
    exe = fixture.program(sdt, "runtime_counting.c", kind=kind)
    commands = ["set startup-with-shell off", "set environment RT_MODE=jump",
                f"tbreak *{function}", "run again all", f"source {script}"]
    output = sdt.command("gdb", "-q", "-batch", "-nx",
                         *[word for command in commands for word in ("-ex", command)], exe).stdout
    seen = re.findall(r"^at (\S+) (.*)$", output, re.M)
    assert [where for where, _ in seen].count("piece") == 6, output
    assert len({where for where, _ in seen}) > 8, output
    for where, names in seen:
        assert names.split()[:2] == [function, "fx_call"] and names.endswith(" main"), where
