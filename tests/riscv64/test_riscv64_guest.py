# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on riscv64 with a kernel of that machine: text written through /proc/self/mem and by
mprotect, breakpoints and their signals, membarrier(2), three CPUs; the kernel's uprobes at sites.

Needs a kernel: guest/guest.py. Emulated all the same: nothing is said here of real caches. The
programs are those of aarch64, but for the registers."""
import re

import pytest

from conftest import INCLUDE, PROGRAMS, ROOT
from cross import need, targets  # noqa: F401 (targets is a fixture)
from guest import boot, kernel
from test_riscv64_runtime import hits

pytestmark = [pytest.mark.nosan, pytest.mark.guest]  # the runtime is cross-compiled
GCC = "riscv64-linux-gnu-gcc"
ASM = ROOT / "tests" / "asm"
WRITES = "proc_mem.force_override=always"  # Debian's kernel lets only debuggers write to text so
FORMS = ("inline", "call")


def guest(sdt, programs, commands, **more):
    return boot(sdt, programs, commands, machine="riscv64", **more)


def compiled(sdt, name, source, *flags):
    obj = sdt.path(f"{name}.o")
    sdt.command(GCC, "-O2", *flags, "-I", INCLUDE, "-c", source, "-o", obj)
    return obj


def program(sdt, targets, name, source, *flags, objects=()):
    exe = sdt.path(name)
    sdt.command(GCC, "-static", sdt.process(compiled(sdt, name, PROGRAMS / source, *flags)),
                *objects, "-Wl,-u,__sdt_register", targets("riscv64") / "lib" / "libsdt.a",
                "-pthread", "-o", exe)
    return exe


@pytest.fixture(autouse=True, scope="session")  # before anything is built for it
def machine():
    kernel("riscv64")
    need(GCC)


@pytest.mark.parametrize("parameters", [WRITES, ""], ids=["proc-self-mem", "mprotect"])
def test_sites_are_armed_and_serve(sdt, targets, parameters):
    """What test_riscv64_runtime.py does, by both ways of writing that programs go on a kernel."""
    sdt.command(GCC, "-c", ASM / "rv_registers.S", "-o", sdt.path("regs.o"))
    programs = [program(sdt, targets, "inline", "a64_run.c"),
                program(sdt, targets, "call", "a64_run.c", "-DSDT_CALL_SITES"),
                program(sdt, targets, "unwind", "a64_unwind.c", "-fexceptions"),
                program(sdt, targets, "registers", "rv_registers.c",
                        objects=[sdt.process(sdt.path("regs.o"))])]
    runs = [f"/{name} {what}" for name in FORMS for what in ("jump", "trap", "count")]
    said = guest(sdt, programs, [*runs, "/registers jump", "/registers trap", "/unwind"],
                 parameters=parameters)
    for name in FORMS:
        for mode in ("jump", "trap"):
            assert said[f"/{name} {mode}"][2:7] == hits(mode)
            assert said[f"/{name} {mode}"][-3:] == ["disabled: success", "off: 0 0", "status 0"]
        assert said[f"/{name} count"] == ["1000", "status 0"]
    for mode in ("jump", "trap"):
        assert said[f"/registers {mode}"] == ["12 hits, vectors: 1", "status 0"]
    assert said["/unwind"] == ["framed: framed outer", "leaf: leaf framed outer",
                               "left: tail outer", "cleanup of run", "7 0", "status 0"]


def test_sites_change_while_threads_run_them(sdt, targets):
    """On three CPUs: the kernel stores what is written to the file byte by byte."""
    programs = [program(sdt, targets, "inline", "a64_run.c"),
                program(sdt, targets, "call", "a64_run.c", "-DSDT_CALL_SITES")]
    said = guest(sdt, programs, [f"/{name} toggle jump" for name in FORMS], parameters=WRITES)
    for name in FORMS:
        assert said[f"/{name} toggle jump"] == ["calls enough, wrong 0, failed 0, late 0",
                                                "status 0"]


def test_a_breakpoint_is_not_written_by_the_kernel(sdt, targets):
    """Which would store its two bytes one by one: where mprotect must not be used, there is none.
    Of what a jump takes one byte changes."""
    said = guest(sdt, [program(sdt, targets, "call", "a64_run.c", "-DSDT_CALL_SITES")],
                 ["SDT_LOCK_TEXT=1 /call jump", "SDT_LOCK_TEXT=1 /call trap"], parameters=WRITES)
    assert said["SDT_LOCK_TEXT=1 /call jump"][2:7] == hits("jump")
    errors = [line for line in said["SDT_LOCK_TEXT=1 /call trap"] if " mode 4 error " in line]
    assert [line.split()[0] for line in errors] == ["sale", "left", "dear"]
    assert all("forbidden by SDT_LOCK_TEXT" in line for line in errors)


def test_uprobes_at_sites(sdt, targets):
    """At the auipc of an inline site and of a tail site: each hit is counted while the site is off;
    and while the kernel's breakpoint is there, the site is armed all the same, since our byte is in
    the next instruction."""
    said = guest(sdt, [program(sdt, targets, "uprobe", "a64_uprobe.c")], ["/uprobe"],
                 parameters=WRITES)["/uprobe"]
    assert said[0] == "uprobes: 0"
    assert sorted(said[1:3]) == ["uprobe left: 3", "uprobe sale: 3"]
    assert re.fullmatch("words ....9002 ....9002", said[3])  # c.ebreak
    assert said[4:7] == ["armed: success", "handler sale 5", "handler left 6"]
    assert sorted(said[7:9]) == ["uprobe left: 4", "uprobe sale: 4"]
    assert said[9:] == ["disabled: success", "gone: 0", "armed: 1", "handler sale 7",
                        "handler left 8", "disabled: success", "status 0"]


def test_counts_are_exact(sdt, targets):
    """In the probe, by one atomic instruction: threads that move from CPU to CPU, signals."""
    signature = "-DRSEQ_SIG=0xf1401073"  # glibc 2.36 does not say it
    fixture = sdt.process(compiled(sdt, "fixture", PROGRAMS / "a64_fixture.c"))
    exe = program(sdt, targets, "inline", "rt_counting.c", signature,
                  objects=[fixture, "-Wl,--defsym=P_call=__start_sdt_probes"])
    said = guest(sdt, [exe], ["/inline storm all"], parameters=WRITES)
    assert said["/inline storm all"] == ["counted by probe", "ok", "status 0"]
