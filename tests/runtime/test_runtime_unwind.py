# SPDX-License-Identifier: BSD-2-Clause
"""Who walks the stack at any moment of a hit finds all of it: unwinders, gdb, cancellation.

The programs are processed by sdtlink: what is walked through is code that it has added.
"""
import json
import re

import pytest

pytestmark = pytest.mark.nosan  # a sanitizer's own frames and signal handling are in the way

WHAT = ["count", "handle", "general", "both"]
MODES = ["jump", "trap"]
each_mode = pytest.mark.parametrize("mode", MODES)
SAMPLES = 2000


def stepped(sdt, *flags, ldflags=(), runtime="static", compiler="gcc"):
    return sdt.build("unwind_step.c", "-Wall", "-Wextra", *flags, ldflags=ldflags, runtime=runtime,
                     compiler=compiler)


def outcome(output):
    """(instructions, places where the walk ended early)"""
    return int(re.search(r"^(\d+) instructions$", output, re.M)[1]), \
        re.findall(r"^lost at (0x[0-9a-f]+), in (.*)$", output, re.M)


@each_mode
@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("unwinder", ["libgcc", "libunwind"])
def test_at_each_instruction(sdt, unwinder, what, mode):
    """Three hits of a thread, its first among them: in the site, the entry, and the runtime."""
    flags = ["-DWITH_LIBUNWIND"] if unwinder == "libunwind" else []
    exe = stepped(sdt, *flags, ldflags=["-lunwind"] if flags else [])
    result = sdt.command(exe, unwinder, what, mode, status=None)
    assert (result.returncode, outcome(result.stdout)[1]) == (0, []), result
    assert result.stdout.endswith("ok\n")


@pytest.mark.parametrize("what", ["record", "record-text"])
@pytest.mark.parametrize("unwinder", ["libgcc", "libunwind"])
def test_at_each_instruction_of_a_recorded_hit(sdt, unwinder, what):
    """Its restartable sequences are interrupted at each instruction: it tries again, and gives up
    in the end. Text is copied from where there is some, and from where there is none."""
    flags = ["-DWITH_LIBUNWIND"] if unwinder == "libunwind" else []
    exe = stepped(sdt, *flags, ldflags=["-lunwind"] if flags else [])
    result = sdt.command(exe, unwinder, what, "jump", status=None)
    steps, lost = outcome(result.stdout)
    assert (result.returncode, lost) == (0, []), result
    assert steps > 1000 and result.stdout.endswith("ok\n")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("kind", ["shared", "static", "static-pie"])
def test_however_the_program_is_made(sdt, kind, compiler):
    runtime = "shared" if kind == "shared" else "static"
    ldflags = [] if kind == "shared" else [f"-{kind}"]
    exe = stepped(sdt, ldflags=ldflags, runtime=runtime, compiler=compiler)
    assert sdt.run(exe, "libgcc", "both", "jump").endswith("ok\n")


@each_mode
@pytest.mark.parametrize("what", ["count", "handle"])
def test_at_each_instruction_of_a_call(sdt, what, mode):
    """But for the thunk, in memory that is in no file: docs/decisions/0026."""
    exe = stepped(sdt, "-DSDT_CALL_SITES")
    result = sdt.command(exe, "libgcc", what, mode, status=None)
    _, lost = outcome(result.stdout)
    assert lost == ([] if mode == "trap" else [(lost[0][0], "no file")] * 3)


@each_mode
@pytest.mark.parametrize("what", ["count", "handle", "general"])
def test_a_profiler(sdt, what, mode):
    exe = sdt.build("unwind_async.c", "-Wall", "-Wextra")
    assert sdt.run(exe, "sample", SAMPLES, what, mode) == f"lost 0 of {SAMPLES}\n"


@pytest.mark.parametrize("what", ["record", "record-text"])
def test_a_profiler_of_recorded_hits(sdt, what):
    exe = sdt.build("unwind_async.c", "-Wall", "-Wextra")
    assert sdt.run(exe, "sample", SAMPLES, what, "jump") == f"lost 0 of {SAMPLES}\n"


@pytest.mark.parametrize("what", ["record", "record-text"])
def test_asynchronous_cancellation_of_recorded_hits(sdt, what):
    exe = sdt.build("unwind_async.c", "-Wall", "-Wextra")
    assert sdt.run(exe, "cancel", "500", what, "jump") == "lost 0 of 500\n"


@each_mode
@pytest.mark.parametrize("what", ["off", "count", "handle", "general"])
def test_asynchronous_cancellation_runs_the_clean_ups(sdt, what, mode):
    exe = sdt.build("unwind_async.c", "-Wall", "-Wextra")
    assert sdt.run(exe, "cancel", "500", what, mode) == "lost 0 of 500\n"


SOURCE = """
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdlib.h>
#include <string.h>
static volatile long calls;
static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    calls += (long)sdt_arg(event, 0);
}
__attribute__((noinline)) long probed(long a)
{
    long b = a * 2; /* before */
    SDT_PROBE(unwind, gdb, a); /* the site */
    b += calls; /* after */
    return b;
}
__attribute__((noinline)) long caller(long a)
{
    long b = probed(a); /* calls */
    return b + 1; /* returned */
}
int main(int argc, char **argv)
{
    (void)argc;
    int id = sdt_enable_mode("unwind:gdb", strcmp(argv[1], "count") ? on_hit : SDT_COUNT, NULL,
                             strcmp(argv[2], "trap") ? SDT_MODE_JUMP : SDT_MODE_TRAP);
    return id > 0 && caller(1) && caller(2) && caller(3) ? 0 : 1;
}
"""

# Step by instructions out of the probed function's first hit; what frames are there at each.
STEPPER = """
import gdb, json
gdb.execute("break probed")
gdb.execute("run")
gdb.execute("delete")
found = []
while gdb.selected_thread() and gdb.selected_thread().is_valid():
    frame, names = gdb.newest_frame(), []
    pc = frame.pc()
    while frame:
        names.append(frame.name())
        frame = frame.older()
    if names[0] == "caller":
        break
    found.append((pc, names))
    gdb.execute("stepi", to_string=True)
print("FOUND", json.dumps(found))
"""


def debugged(sdt):
    return sdt.build(sdt.write("walked.c", SOURCE), "-O1", "-g", "-fno-omit-frame-pointer")


@pytest.mark.parametrize("what", ["count", "handle"])
def test_gdb_at_each_instruction(sdt, what):
    """The whole stack, however deep; and nothing in it that gdb has no name for."""
    exe = debugged(sdt)
    script = sdt.write("stepper.py", STEPPER)
    output = sdt.command("gdb", "-q", "-batch", "-nx", "-ex", "set startup-with-shell off", "-ex",
                         f"set args {what} jump", "-x", script, exe).stdout
    found = json.loads(re.search(r"^FOUND (.*)$", output, re.M)[1])
    assert len(found) > 20
    wrong = [(hex(pc), names) for pc, names in found
             if names[-3:] != ["probed", "caller", "main"] or None in names]
    assert not wrong, wrong


@each_mode
@pytest.mark.parametrize("what", ["count", "handle"])
def test_gdb_goes_over_an_armed_site(sdt, what, mode):
    """`next` stays in the function, `finish` comes back to its caller, `bt` shows both."""
    exe = debugged(sdt)
    commands = ["set startup-with-shell off", f"set args {what} {mode}", "break probed", "run",
                "next", "next", "bt", "finish", "continue", "next", "next", "next", "next",
                "continue", "step", "step", "bt", "delete", "continue"]
    argv = [word for command in commands for word in ("-ex", command)]
    result = sdt.command("gdb", "-q", "-batch", "-nx", *argv, exe)
    output = result.stdout + result.stderr
    assert "Cannot find bounds" not in output and "??" not in output, output
    assert output.count("/* after */") >= 2 and "/* returned */" in output, output
    assert re.search(r"#0  probed .*\n#1 .* in caller .*\n#2 .* in main ", output), output
    assert "exited normally" in output, output
