# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on aarch64 with a kernel of that machine: text written through /proc/self/mem,
breakpoints and their signals, membarrier(2), three CPUs; and the kernel's uprobes at our sites.

Needs a kernel: guest/guest.py. Emulated all the same: nothing is said here of real caches."""
import pathlib
import sys

import pytest

from conftest import INCLUDE, PROGRAMS, ROOT
from cross import need, targets  # noqa: F401 (targets is a fixture)
from test_aarch64_runtime import hits

sys.path.insert(0, str(pathlib.Path(__file__).parent / "guest"))
from guest import boot, kernel  # noqa: E402 (it is not beside this file)

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
GCC = "aarch64-linux-gnu-gcc"
ASM = ROOT / "tests" / "asm"


def program(sdt, targets, name, source, *flags, objects=()):
    obj, exe = sdt.path(f"{name}.o"), sdt.path(name)
    sdt.command(GCC, "-O2", *flags, "-I", INCLUDE, "-c", PROGRAMS / source, "-o", obj)
    sdt.command(GCC, "-static", sdt.process(obj), *objects,
                targets("aarch64") / "lib" / "libsdt.a", "-pthread", "-o", exe)
    return exe


@pytest.fixture(autouse=True)
def machine():
    kernel()
    need(GCC)


def test_sites_are_armed_and_serve(sdt, targets):
    """What test_aarch64_runtime.py does, by the ways that programs go on a kernel."""
    sdt.command(GCC, "-c", ASM / "a64_registers.S", "-o", sdt.path("regs.o"))
    programs = [program(sdt, targets, "inline", "a64_run.c"),
                program(sdt, targets, "call", "a64_run.c", "-DSDT_CALL_SITES"),
                program(sdt, targets, "protected", "a64_run.c", "-mbranch-protection=standard"),
                program(sdt, targets, "unwind", "a64_unwind.c", "-fexceptions"),
                program(sdt, targets, "registers", "a64_registers.c",
                        objects=[sdt.process(sdt.path("regs.o"))])]
    runs = [f"/{name} {what}" for name in ("inline", "call", "protected")
            for what in ("jump", "trap", "count", "toggle")]
    checks = [f"/registers {mode}" for mode in ("jump", "trap", "jump general", "trap general")]
    said = boot(sdt, programs, [*runs, *checks, "/unwind"])
    for name in ("inline", "call", "protected"):
        for mode in ("jump", "trap"):
            assert said[f"/{name} {mode}"][2:7] == hits(mode)
            assert said[f"/{name} {mode}"][-3:] == ["disabled: success", "off: 0 0", "status 0"]
        assert said[f"/{name} count"] == ["1000", "status 0"]
        assert said[f"/{name} toggle"] == ["calls enough, wrong 0, failed 0, late 0", "status 0"]
    for check in checks:
        assert said[check] == ["9 hits, SVE: 1", "status 0"]
    assert said["/unwind"] == ["framed: framed outer", "leaf: leaf framed outer",
                               "left: tail outer", "cleanup of run", "7 0", "status 0"]


def test_uprobes_at_sites(sdt, targets):
    """At the NOP of an inline site and at the branch of a tail site: each hit is counted while the
    site is off; while the kernel's breakpoint is there we leave the word alone; then it is ours."""
    said = boot(sdt, [program(sdt, targets, "uprobe", "a64_uprobe.c")], ["/uprobe"])["/uprobe"]
    assert said[0] == "uprobes: 0"
    assert sorted(said[1:3]) == ["uprobe left: 3", "uprobe sale: 3"]
    assert said[3] == "words d42000a0 d42000a0"  # brk #5
    assert said[4].startswith("armed: a tracer's breakpoint is at the site")
    assert said[5:] == ["gone: 0", "armed: 1", "handler sale 7", "handler left 8",
                        "disabled: success", "status 0"]
