# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on riscv64 with a kernel of that machine: text written through /proc/self/mem and by
mprotect, breakpoints and their signals, membarrier(2), three CPUs; the kernel's uprobes at sites.

Needs a kernel: guest/guest.py. Emulated all the same: nothing is said here of real caches. The
programs are those of aarch64, but for the registers. `./run test` boots once, and has the programs
of said(); what takes longer is marked `guest`."""
import re

import pytest

import books
from conftest import INCLUDE, PROGRAMS, ROOT
from cross import need, targets  # noqa: F401 (targets is a fixture)
from guest import boot, kernel, once
from test_riscv64_runtime import hits

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
GCC = "riscv64-linux-gnu-gcc"
ASM = ROOT / "tests" / "asm"
WRITES = "proc_mem.force_override=always"  # Debian's kernel lets only debuggers write to text so
FORMS = ("inline", "call")
SERVING = [*(f"/{name} {what}" for name in FORMS for what in ("jump", "trap", "count")),
           "/registers jump", "/registers trap", "/unwind"]


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


def programs(sdt, targets):
    sdt.command(GCC, "-c", ASM / "rv_registers.S", "-o", sdt.path("regs.o"))
    return [program(sdt, targets, "inline", "a64_run.c"),
            program(sdt, targets, "call", "a64_run.c", "-DSDT_CALL_SITES"),
            program(sdt, targets, "unwind", "a64_unwind.c", "-fexceptions"),
            program(sdt, targets, "registers", "rv_registers.c",
                    objects=[sdt.process(sdt.path("regs.o"))])]


@pytest.fixture(scope="session")
def said(tmp_path_factory, targets):  # noqa: F811 (targets is a fixture)
    """Here the kernel lets programs write to text through /proc/self/mem."""
    commands = [*SERVING, *(f"/{name} toggle jump" for name in FORMS), "SDT_LOCK_TEXT=1 /call jump",
                "SDT_LOCK_TEXT=1 /call trap", "/uprobe", "/counts both all"]

    def run(sdt):
        more = [program(sdt, targets, "uprobe", "a64_uprobe.c"), counting(sdt, targets, "counts")]
        return guest(sdt, [*programs(sdt, targets), *more], commands, parameters=WRITES)
    return once(tmp_path_factory, "riscv64", run)


def serve(said):
    """What test_riscv64_runtime.py does."""
    for name in FORMS:
        for mode in ("jump", "trap"):
            assert said[f"/{name} {mode}"][2:7] == hits(mode)
            assert said[f"/{name} {mode}"][-3:] == ["disabled: success", "off: 0 0", "status 0"]
        assert said[f"/{name} count"] == ["1000", "status 0"]
    for mode in ("jump", "trap"):
        assert said[f"/registers {mode}"] == ["12 hits, vectors: 1", "status 0"]
    assert said["/unwind"] == ["framed: framed outer", "leaf: leaf framed outer",
                               "left: tail outer", "cleanup of run", "7 0", "status 0"]


def test_sites_are_armed_and_serve(said):
    serve(said)


@pytest.mark.guest
def test_sites_are_armed_by_mprotect(sdt, targets):
    """Where Debian's kernel lets only debuggers write to text."""
    serve(guest(sdt, programs(sdt, targets), SERVING))


def test_sites_change_while_threads_run_them(said):
    """On three CPUs: the kernel stores what is written to the file byte by byte."""
    for name in FORMS:
        assert said[f"/{name} toggle jump"] == ["calls enough, wrong 0, failed 0, late 0",
                                                "status 0"]


def test_a_breakpoint_is_not_written_by_the_kernel(said):
    """Which would store its two bytes one by one: where mprotect must not be used, there is none.
    Of what a jump takes one byte changes."""
    assert said["SDT_LOCK_TEXT=1 /call jump"][2:7] == hits("jump")
    errors = [line for line in said["SDT_LOCK_TEXT=1 /call trap"] if " mode 4 error " in line]
    assert [line.split()[0] for line in errors] == ["sale", "left", "dear"]
    assert all("forbidden by SDT_LOCK_TEXT" in line for line in errors)


def test_uprobes_at_sites(said):
    """At the auipc of an inline site and of a tail site: each hit is counted while the site is off;
    and while the kernel's breakpoint is there, the site is armed all the same, since our byte is in
    the next instruction."""
    lines = said["/uprobe"]
    assert lines[0] == "uprobes: 0"
    assert sorted(lines[1:3]) == ["uprobe left: 3", "uprobe sale: 3"]
    assert re.fullmatch("words ....9002 ....9002", lines[3])  # c.ebreak
    assert lines[4:7] == ["armed: success", "handler sale 5", "handler left 6"]
    assert sorted(lines[7:9]) == ["uprobe left: 4", "uprobe sale: 4"]
    assert lines[9:] == ["disabled: success", "gone: 0", "armed: 1", "handler sale 7",
                         "handler left 8", "disabled: success", "status 0"]


def counting(sdt, targets, name):
    signature = "-DRSEQ_SIG=0xf1401073"  # glibc 2.36 does not say it
    fixture = sdt.process(compiled(sdt, "fixture", PROGRAMS / "a64_fixture.c"))
    return program(sdt, targets, name, "rt_counting.c", signature,
                   objects=[fixture, "-Wl,--defsym=P_call=__start_sdt_probes"])


def test_counts_are_exact(said):
    """In the probe, by one atomic instruction; with handlers."""
    assert said["/counts both all"] == ["counted by probe", "ok", "status 0"]


@pytest.mark.guest
def test_counts_are_exact_in_storms(sdt, targets):
    """Of threads that move from CPU to CPU, and of signals."""
    said = guest(sdt, [counting(sdt, targets, "counts")], ["/counts storm all"], parameters=WRITES)
    assert said["/counts storm all"] == ["counted by probe", "ok", "status 0"]


@pytest.mark.guest
def test_toggling_under_load_with_the_books_kept(sdt, targets):
    """By jump through /proc/self/mem and by mprotect, and by breakpoint."""
    books.toggle(sdt, "riscv64", targets("riscv64") / "lib" / "libsdt.a",
                 [("jump", 1), ("jump", 0), ("trap", 1)], parameters=WRITES)
