# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on riscv64 with a kernel of that machine: text written through /proc/self/mem and by
mprotect, breakpoints and their signals, membarrier(2), three CPUs; the kernel's uprobes at sites;
`sdt` in another process; Debian's perf, bpftrace and gdb.

Needs a kernel: guest/guest.py. Emulated all the same: nothing is said here of real caches. The
programs are those of aarch64, but for the registers."""
import re

import pytest

import books
import looks
import recorded
from conftest import INCLUDE, PROGRAMS, ROOT
from cross import hits, need, targets, tools  # noqa: F401 (targets and tools are fixtures)
from elfview import ElfView
from guest import boot, kernel, receive

# The runtime is cross-compiled.
pytestmark = [pytest.mark.nosan, pytest.mark.guest, pytest.mark.riscv64]
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
    """What test_machine_runtime.py does, by both ways of writing that programs go on a kernel."""
    sdt.command(GCC, "-c", ASM / "riscv64_registers.S", "-o", sdt.path("regs.o"))
    programs = [program(sdt, targets, "inline", "machine_run.c"),
                program(sdt, targets, "call", "machine_run.c", "-DSDT_CALL_SITES"),
                program(sdt, targets, "unwind", "machine_unwind.c", "-fexceptions"),
                program(sdt, targets, "registers", "riscv64_registers.c",
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
    programs = [program(sdt, targets, "inline", "machine_run.c"),
                program(sdt, targets, "call", "machine_run.c", "-DSDT_CALL_SITES")]
    said = guest(sdt, programs, [f"/{name} toggle jump" for name in FORMS], parameters=WRITES)
    for name in FORMS:
        assert said[f"/{name} toggle jump"] == ["calls enough, wrong 0, failed 0, late 0",
                                                "status 0"]


def test_a_breakpoint_is_not_written_by_the_kernel(sdt, targets):
    """Which would store its two bytes one by one: where mprotect must not be used, there is none.
    Of what a jump takes one byte changes."""
    said = guest(sdt, [program(sdt, targets, "call", "machine_run.c", "-DSDT_CALL_SITES")],
                 ["SDT_LOCK_TEXT=1 /call jump", "SDT_LOCK_TEXT=1 /call trap"], parameters=WRITES)
    assert said["SDT_LOCK_TEXT=1 /call jump"][2:7] == hits("jump")
    errors = [line for line in said["SDT_LOCK_TEXT=1 /call trap"] if " mode 4 error " in line]
    assert [line.split()[0] for line in errors] == ["sale", "left", "dear"]
    assert all("forbidden by SDT_LOCK_TEXT" in line for line in errors)


def test_uprobes_at_sites(sdt, targets):
    """At the auipc of an inline site and of a tail site: each hit is counted while the site is off;
    and while the kernel's breakpoint is there, the site is armed all the same, since our byte, or
    our breakpoint, is in the next instruction."""
    said = guest(sdt, [program(sdt, targets, "uprobe", "machine_uprobe.c")],
                 ["/uprobe", "/uprobe trap"], parameters=WRITES)
    for command in ("/uprobe", "/uprobe trap"):
        lines = said[command]
        assert lines[0] == "uprobes: 0"
        assert sorted(lines[1:3]) == ["uprobe left: 3", "uprobe sale: 3"]
        assert re.fullmatch("words ....9002 ....9002", lines[3])  # c.ebreak
        assert lines[4:7] == ["armed: success", "handler sale 5", "handler left 6"]
        assert sorted(lines[7:9]) == ["uprobe left: 4", "uprobe sale: 4"]
        assert lines[9:] == ["disabled: success", "gone: 0", "armed: 1", "handler sale 7",
                             "handler left 8", "disabled: success", "status 0"]


WRAPPED = [f"-Wl,--wrap={name}" for name in ("__rseq_offset", "__rseq_size", "pthread_create")]
SIGNATURE = "-DRSEQ_SIG=0xf1401073"  # glibc 2.36 does not say it


def registered(sdt, targets, name, source, *flags, objects=()):
    """A program that registers its threads for rseq(2), which Debian 12's C library does not."""
    rseq = compiled(sdt, f"{name}_rseq", PROGRAMS / "riscv64_rseq.c")
    return program(sdt, targets, name, source, *flags, objects=[*objects, rseq, *WRAPPED])


def counting(sdt, name, *flags):
    fixture = sdt.process(compiled(sdt, f"{name}_fixture", PROGRAMS / "machine_fixture.c", *flags))
    return [fixture, "-Wl,--defsym=P_call=__start_sdt_probes"]


def test_counts_are_exact(sdt, targets):
    """By each CPU for itself: threads that move from CPU to CPU, signals, forks, other handlers;
    also if only the first thread is registered for rseq(2), or the kernel refuses it, or is not
    asked for it: then in the probe, by one atomic instruction."""
    programs = [registered(sdt, targets, "inline", "runtime_counting.c", SIGNATURE,
                           objects=counting(sdt, "inline")),
                registered(sdt, targets, "call", "runtime_counting.c", SIGNATURE,
                           "-DSDT_CALL_SITES", objects=counting(sdt, "call", "-DSDT_CALL_SITES")),
                program(sdt, targets, "without", "runtime_counting.c", SIGNATURE,
                        objects=counting(sdt, "without"))]
    by = {"inline storm all": "cpu", "call storm all": "cpu", "call fork all": "cpu",
          "inline vfork all": "cpu", "inline both all": "cpu", "inline signals all": "cpu",
          "inline storm main": "both", "call again none": "probe", "without storm all": "probe"}
    said = guest(sdt, programs, [f"/{command}" for command in by], parameters=WRITES)
    for command, where in by.items():
        assert said[f"/{command}"] == [f"counted by {where}", "ok", "status 0"], command


def test_recordings_are_whole(sdt, targets):
    """Each hit of threads, children and signal handlers is in a ring of its CPU, once; and what
    another program reads of them is what was there."""
    wish = "SDT_ENABLE=*=record SDT_RECORD_OPTIONS=ring=256K SDT_RECORD=/"
    commands = {"threads": "threads 3000 4", "forks": "fork 200 kill 2",
                "signals": "signals 50 60 900"}
    said = guest(sdt, [registered(sdt, targets, "many", "record_many.c")],
                 [line for name, command in commands.items()
                  for line in (f"{wish}{name} /many {command}", f"send /{name}")],
                 parameters=WRITES)
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


TABLES = ["-fasynchronous-unwind-tables"]  # which gcc does not write by itself there,
INDEX = ["-Wl,--eh-frame-hdr"]  # nor, of static programs, what finds them


def test_sdt_looks_into_another_process(sdt, targets, tools):
    exe = program(sdt, targets, "many", "record_many.c", *TABLES, objects=INDEX)
    callers = ["run", "run_thread", "start_thread"]
    looks.sdt_from_outside(sdt, exe, tools("riscv64"), "riscv64", callers)


# ---- Debian's tools ----

HITS = {"off": "732, 0 hits", "counted": "732, 6 hits"}  # their breakpoint leaves our byte alone


def test_perf_there(sdt, targets):
    """Every hit is in its recording, and in the program's own count. Linux 6.12's perf has no
    arguments of notes there, that of 7.2 has."""
    seen = looks.perf(sdt, program(sdt, targets, "stops", "gdb_stops.c"), "riscv64")
    for run, (printed, hits) in seen.items():
        assert HITS[run] in printed
        assert [name for name, _ in hits] == ["sale", "left"] * 3
        assert [number for _, number in hits] in ([""] * 6, [*"112233"])


def test_bpftrace_there(sdt, targets):
    seen = looks.bpftrace(sdt, program(sdt, targets, "stops", "gdb_stops.c"), "riscv64")
    for run, lines in seen.items():
        assert lines[-1] == "status 0" and {HITS[run], *looks.MAPS} <= set(lines)


GDB = """break -probe-stap shop:sale
break -probe-stap shop:left
run
printf "sale %d %s\\n", (int)$_probe_arg0, (char *)$_probe_arg1
backtrace
continue
printf "left %d\\n", (int)$_probe_arg0
backtrace
x/2i $pc
x/2i SALE
next
finish
continue
printf "sale %d %s\\n", (int)$_probe_arg0, (char *)$_probe_arg1
delete
continue
"""
SECOND = {"off": ["addi", "addi"], "counted": ["jalr", "jr"]}  # of a site's two instructions


def test_gdb_there(sdt, targets):
    """It stops at sites that are off and at sites that are counted, and reads their arguments. Its
    breakpoint was there first: the runtime armed the site with it in place."""
    exe = program(sdt, targets, "stops", "gdb_stops.c", "-Og", "-g")
    sites = {site.kind: site.pc for site in ElfView(exe).sites()}
    script = GDB.replace("SALE", hex(sites["inline"]))
    seen = looks.gdb(sdt, exe, "riscv64", {"off": script, "counted":
                                           "set environment SDT_ENABLE=*=count\n" + script})
    for run, lines in seen.items():
        text = "\n".join(lines)
        assert [line for line in lines if line.startswith(("sale ", "left "))] == \
            ["sale 1 tea", "left 1", "sale 2 tea"]
        assert re.findall(r"^#\d+ .*?(\w+) \(", text, re.M) == \
            ["sell", "visit", "main", "leave", "visit", "main"]
        shown = re.findall(r"^.. 0x(\w+) <[^>]*>:\t(\w+)", text, re.M)
        assert [int(shown[i][0], 16) for i in (0, 2)] == [sites["call"], sites["inline"]]
        assert [name for _, name in shown] == ["auipc", SECOND[run][0], "auipc", SECOND[run][1]]
        assert "Value returned is $1 = 201" in text
        assert HITS[run] in lines and lines[-1] == "status 0"


def test_toggling_under_load_with_the_books_kept(sdt, targets):
    exe = books.program(sdt, "riscv64", targets("riscv64") / "lib" / "libsdt.a")
    said = guest(sdt, [exe], books.turns("riscv64"), timeout=books.TIMEOUT, parameters=WRITES,
                 threads="multi")
    books.check(said, "riscv64")
