# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on aarch64 with a kernel of that machine: text written through /proc/self/mem,
breakpoints and their signals, membarrier(2), three CPUs with their own counters and rings; the
kernel's uprobes at our sites; `sdt` in another process; toggling under load.

Needs a kernel: guest/guest.py. Emulated all the same: nothing is said here of real caches.
`./run test` boots once, and has the programs of said(); what takes longer is marked `guest`."""
import re

import pytest

import books
import looks
import recorded
from conftest import INCLUDE, PROGRAMS, ROOT
from cross import hits, need, targets, tools  # noqa: F401 (targets and tools are fixtures)
from elfview import ElfView
from guest import boot, kernel, once, receive

pytestmark = [pytest.mark.nosan, pytest.mark.aarch64]  # the runtime is cross-compiled
GCC = "aarch64-linux-gnu-gcc"
ASM = ROOT / "tests" / "asm"
FORMS = ("inline", "call", "protected")
TOGGLED = ["/inline toggle"]
CHECKS = [f"/registers {mode}" for mode in ("jump", "trap", "jump general", "trap general")]
COUNTED = {"counts both all": "cpu", "counts fork all": "cpu", "counts again none": "probe"}


def compiled(sdt, name, source, *flags):
    obj = sdt.path(f"{name}.o")
    sdt.command(GCC, "-O2", *flags, "-I", INCLUDE, "-c", source, "-o", obj)
    return obj


def program(sdt, targets, name, source, *flags, objects=()):
    exe = sdt.path(name)
    sdt.command(GCC, "-static", sdt.process(compiled(sdt, name, PROGRAMS / source, *flags)),
                *objects, "-Wl,-u,__sdt_register", targets("aarch64") / "lib" / "libsdt.a",
                "-pthread", "-o", exe)
    return exe


@pytest.fixture(autouse=True, scope="session")  # before anything is built for it
def machine():
    kernel()
    need(GCC)


def programs(sdt, targets):
    sdt.command(GCC, "-c", ASM / "aarch64_registers.S", "-o", sdt.path("regs.o"))
    return [program(sdt, targets, "inline", "machine_run.c"),
            program(sdt, targets, "call", "machine_run.c", "-DSDT_CALL_SITES"),
            program(sdt, targets, "protected", "machine_run.c", "-mbranch-protection=standard"),
            program(sdt, targets, "unwind", "machine_unwind.c", "-fexceptions"),
            program(sdt, targets, "registers", "aarch64_registers.c",
                    objects=[sdt.process(sdt.path("regs.o"))]),
            program(sdt, targets, "uprobe", "machine_uprobe.c"), counting(sdt, targets, "counts")]


@pytest.fixture(scope="session")
def said(tmp_path_factory, targets):  # noqa: F811 (targets is a fixture)
    runs = [f"/{name} {what}" for name in FORMS for what in ("jump", "trap", "count")]
    commands = [*runs, *TOGGLED, *CHECKS, "/unwind", "/uprobe",
                *(f"/{command}" for command in COUNTED)]
    return once(tmp_path_factory, "aarch64",
                lambda sdt: boot(sdt, programs(sdt, targets), commands))


def test_sites_are_armed_and_serve(said):
    """What test_machine_runtime.py does, by the ways that programs go on a kernel."""
    for name in FORMS:
        for mode in ("jump", "trap"):
            assert said[f"/{name} {mode}"][2:7] == hits(mode)
            assert said[f"/{name} {mode}"][-3:] == ["disabled: success", "off: 0 0", "status 0"]
        assert said[f"/{name} count"] == ["1000", "status 0"]


def test_sites_change_while_threads_run_them(said):
    for command in TOGGLED:
        assert said[command] == ["calls enough, wrong 0, failed 0, late 0", "status 0"]


@pytest.mark.guest
def test_sites_of_all_forms_change_while_threads_run_them(sdt, targets):
    said = boot(sdt, programs(sdt, targets), [f"/{name} toggle" for name in FORMS])
    for name in FORMS:
        assert said[f"/{name} toggle"] == ["calls enough, wrong 0, failed 0, late 0", "status 0"]


def test_inline_sites_keep_every_register(said):
    for check in CHECKS:
        assert said[check] == ["9 hits, SVE: 1", "status 0"]


def test_unwinders_go_through_sites(said):
    assert said["/unwind"] == ["framed: framed outer", "leaf: leaf framed outer",
                               "left: tail outer", "cleanup of run", "7 0", "status 0"]


def test_uprobes_at_sites(said):
    """At the NOP of an inline site and at the branch of a tail site: each hit is counted while the
    site is off; while the kernel's breakpoint is there we leave the word alone; then it is ours."""
    lines = said["/uprobe"]
    assert lines[0] == "uprobes: 0"
    assert sorted(lines[1:3]) == ["uprobe left: 3", "uprobe sale: 3"]
    assert lines[3] == "words d42000a0 d42000a0"  # brk #5
    assert lines[4].startswith("armed: a tracer's breakpoint is at the site")
    assert lines[5:] == ["gone: 0", "armed: 1", "handler sale 7", "handler left 8",
                         "disabled: success", "status 0"]


def counting(sdt, targets, name, *flags):
    fixture = sdt.process(compiled(sdt, f"{name}_fixture", PROGRAMS / "machine_fixture.c", *flags))
    return program(sdt, targets, name, "runtime_counting.c", *flags,
                   objects=[fixture, "-Wl,--defsym=P_call=__start_sdt_probes"])


def test_counts_are_exact(said):
    """By each CPU for itself, over forks and with handlers; or in the probe, without rseq(2)."""
    for command, where in COUNTED.items():
        assert said[f"/{command}"] == [f"counted by {where}", "ok", "status 0"], command


@pytest.mark.guest
def test_counts_are_exact_in_storms(sdt, targets):
    """By each CPU for itself: threads that move from CPU to CPU, signals, forks, other handlers;
    also if only the first thread is registered for rseq(2), or the kernel refuses it."""
    both = [counting(sdt, targets, "inline"), counting(sdt, targets, "call", "-DSDT_CALL_SITES")]
    by = {"inline storm all": "cpu", "call storm all": "cpu", "call fork all": "cpu",
          "inline vfork all": "cpu", "inline both all": "cpu", "inline signals all": "cpu",
          "inline storm main": "both", "call again none": "probe"}
    said = boot(sdt, both, [f"/{command}" for command in by])
    for command, where in by.items():
        assert said[f"/{command}"] == [f"counted by {where}", "ok", "status 0"], command


@pytest.mark.guest
def test_recordings_are_whole(sdt, targets):
    """Each hit of threads, children and signal handlers is in a ring of its CPU, once."""
    wish = "SDT_ENABLE=*=record SDT_RECORD_OPTIONS=ring=256K SDT_RECORD=/"
    commands = {"threads": "threads 3000 4", "forks": "fork 200 kill 2",
                "signals": "signals 50 9 900"}
    said = boot(sdt, [program(sdt, targets, "many", "record_many.c")],
                [line for name, command in commands.items()
                 for line in (f"{wish}{name} /many {command}", f"send /{name}")])
    for name in commands:
        receive(said[f"send /{name}"], sdt.path(name))
    words = recorded.words(sdt, "threads")
    assert len(words) == recorded.count(sdt, "threads") == 4 * recorded.hits_of(3000)
    assert all(numbers == list(range(3000)) for numbers in recorded.ticks(words).values())
    assert len({event.cpu for event in recorded.read(sdt, "threads")[0]}) > 1
    assert recorded.lost(sdt, "threads") == 0
    assert recorded.count(sdt, "forks") == 4 * recorded.hits_of(200)
    rounds, handled = map(int, said[f"{wish}signals /many {commands['signals']}"][0].split())
    assert recorded.count(sdt, "signals") + recorded.lost(sdt, "signals") == \
        rounds * recorded.hits_of(50) + handled


@pytest.mark.guest
def test_sdt_looks_into_another_process(sdt, targets, tools):
    exe = program(sdt, targets, "many", "record_many.c")
    looks.sdt_from_outside(sdt, exe, tools("aarch64"), "aarch64", ["run", "start_thread"])


GDB = """set environment SDT_ENABLE=*=count
break -probe-stap shop:left
run
printf "argument %d\\n", (int)$_probe_arg0
backtrace
x/i $pc
x/i sale
delete
next
finish
continue
"""


@pytest.mark.guest
def test_gdb_there(sdt, targets):
    """Which has put its breakpoint at a site before the runtime comes to arm it: there it wins, and
    no hit is counted; the other site is armed, as its disassembly shows."""
    exe = program(sdt, targets, "stops", "gdb_stops.c", "-Og", "-g")
    site = next(site for site in ElfView(exe).sites() if site.kind == "inline")
    lines = looks.gdb(sdt, exe, "aarch64", {"script": GDB.replace("sale", hex(site.pc))})["script"]
    text = "\n".join(lines)
    assert "argument 1" in lines and re.search(r"^#1 .* in visit \(n=", text, re.M)
    branch = re.search(r"^ +(0x[0-9a-f]+) <sell.*>:\tb\t(0x[0-9a-f]+) <__sdt_entries", text, re.M)
    assert int(branch[1], 16) == site.pc
    assert re.search("=> 0x[0-9a-f]+ <leave.*>:\tnop", text)
    assert "Value returned is $1 = 201" in text
    assert "732, 3 hits" in lines and lines[-1] == "status 0"


@pytest.mark.guest
def test_perf_there(sdt, targets):
    seen = looks.perf(sdt, program(sdt, targets, "stops", "gdb_stops.c"), "aarch64")
    for printed, hits in seen.values():
        assert "732, 0 hits" in printed  # its breakpoint is at the site: our branch is not
        assert hits == [(name, number) for number in "123" for name in ("sale", "left")]


@pytest.mark.guest
def test_bpftrace_there(sdt, targets):
    seen = looks.bpftrace(sdt, program(sdt, targets, "stops", "gdb_stops.c"), "aarch64")
    for lines in seen.values():
        assert lines[-1] == "status 0" and {"732, 0 hits", *looks.MAPS} <= set(lines)


@pytest.mark.guest
def test_toggling_under_load_with_the_books_kept(sdt, targets):
    exe = books.program(sdt, "aarch64", targets("aarch64") / "lib" / "libsdt.a")
    said = boot(sdt, [exe], books.turns("aarch64"), timeout=books.TIMEOUT, threads="multi")
    books.check(said, "aarch64")
