# SPDX-License-Identifier: BSD-2-Clause
"""gdb on programs of other machines, from this one: it stops at our notes, reads their arguments,
steps over sites and out of functions that have them, while they are off and while they are armed.

It talks to qemu, which runs the program in user mode, and has gdb's breakpoints to itself: they are
not in the text, and no uprobe is. What a debugger and the runtime do to the same word is the
subject of the guests' tests.
"""
import os
import re
import subprocess

import pytest

import patience
from cross import need, program, targets  # noqa: F401 (targets is a fixture)

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
MACHINES = pytest.mark.parametrize("machine", ["aarch64", "riscv64"])
# gdb 13 does not read the arguments of notes on riscv64, and says so; there, the variables.
ARGUMENTS = {"aarch64": ("(int)$_probe_arg0", "(char *)$_probe_arg1"), "riscv64": ("n", "what")}
SUM = 41 + 201 + 42 + 202 + 43 + 203


def debugged(sdt, targets, machine, steps, **variables):  # noqa: F811
    """What gdb prints in each of STEPS, which are (name, command...); and what the program does."""
    need("gdb-multiarch")
    exe = program(sdt, targets, "-Og", "-g", target=machine, source="gdb_stops.c")
    lines = ["set pagination off", "set confirm off", f"set sysroot /usr/{machine}-linux-gnu",
             f"file {exe}", "target remote socket", "break -probe-stap shop:sale",
             "break -probe-stap shop:left"]
    for name, *commands in [*steps, ("end", "delete", "continue")]:
        lines += [rf"echo \n@ {name}\n", *commands]
    script = sdt.write("script.gdb", "\n".join(lines) + "\n")
    argv = [f"qemu-{machine}", "-g", "socket", "-L", f"/usr/{machine}-linux-gnu", str(exe)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, cwd=sdt.dir,
                          env={**os.environ, **variables}) as emulator:
        try:
            assert patience.until(sdt.path("socket").exists, emulator)
            output = sdt.run("gdb-multiarch", "-nx", "-q", "-batch", "-x", script)
            printed, _ = patience.wait(emulator)
        finally:
            emulator.kill()
    parts = re.split(r"^@ (.*)\n", output, flags=re.M)
    seen = {name: part.strip() for name, part in zip(parts[1::2], parts[2::2])}
    return seen, printed.splitlines()


def show(machine):
    """The commands that print both arguments, and the first one."""
    first, second = ARGUMENTS[machine]
    return rf'printf "%d %s\n", {first}, {second}', rf'printf "%d\n", {first}'


def functions(backtrace):
    return re.findall(r"^#\d+ .*?(\w+) \(", backtrace, re.M)


@MACHINES
def test_gdb_stops_at_sites_and_steps_over_them(sdt, targets, machine):  # noqa: F811
    """Sites that are off: an inline one, and a call."""
    both, first = show(machine)
    seen, printed = debugged(sdt, targets, machine, [
        ("sale", "continue", both), ("callers", "backtrace"), ("next", "next"),
        ("out", "finish"), ("left", "continue", first), ("instruction", "stepi", "backtrace"),
        ("out again", "finish"), ("second", "continue", both)])
    assert seen["sale"].splitlines()[-1] == "1 tea"
    assert functions(seen["callers"]) == ["sell", "visit", "main"]
    assert seen["next"].splitlines()[0].endswith("return price;")
    assert "Value returned is $1 = 41" in seen["out"]
    assert seen["left"].splitlines()[-1] == "1"
    assert functions(seen["instruction"]) == ["leave", "visit", "main"]
    assert "Value returned is $2 = 201" in seen["out again"]
    assert seen["second"].splitlines()[-1] == "2 tea"
    assert printed == [f"{SUM}, 0 hits"]


@MACHINES
def test_gdb_at_sites_that_are_armed(sdt, targets, machine):  # noqa: F811
    """It stops there too, and each hit is counted. Out of an inline site's function it finds by
    `advance`: `next` follows the branch, and ends in our code."""
    both, first = show(machine)
    seen, printed = debugged(sdt, targets, machine, [
        ("sale", "continue", both), ("callers", "backtrace"), ("line", "advance 17"),
        ("out", "finish"), ("left", "continue", first), ("next", "next", "backtrace"),
        ("out again", "finish"), ("second", "continue", both)], SDT_ENABLE="*=count")
    assert seen["sale"].splitlines()[-1] == "1 tea"
    assert functions(seen["callers"]) == ["sell", "visit", "main"]
    assert seen["line"].splitlines()[-1].endswith("return price;")
    assert "Value returned is $1 = 41" in seen["out"]
    assert seen["left"].splitlines()[-1] == "1"
    assert functions(seen["next"]) == ["leave", "visit", "main"]
    assert "Value returned is $2 = 201" in seen["out again"]
    assert seen["second"].splitlines()[-1] == "2 tea"
    assert printed == [f"{SUM}, 6 hits"]
