# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on aarch64 and riscv64 with a kernel of that machine, on three CPUs with their own
counters and rings: sites that change while threads run them, under load, with the books kept;
counts and recordings in storms; `sdt` in another process; Debian's perf and bpftrace.

Needs a kernel: guest/guest.py. Emulated all the same: nothing is said here of real caches. What
only one machine has is in test_aarch64_guest.py, with what `./run test` boots, and in
test_riscv64_guest.py: both use the programs and the assertions of this file."""
import pytest

import books
import looks
import recorded
from conftest import INCLUDE, PROGRAMS, ROOT
from cross import hits, need, targets, tools  # noqa: F401 (targets and tools are fixtures)
from guest import boot, kernel, receive
from machines import AARCH64, RISCV64, each

# The runtime is cross-compiled.
pytestmark = [pytest.mark.nosan, pytest.mark.guest]
ASM = ROOT / "tests" / "asm"
WRITES = "proc_mem.force_override=always"  # Debian's riscv64 lets only debuggers write to text so
PARAMETERS = {AARCH64: "", RISCV64: WRITES}
FORMS = {AARCH64: {"inline": [], "call": ["-DSDT_CALL_SITES"],
                   "protected": ["-mbranch-protection=standard"]},
         RISCV64: {"inline": [], "call": ["-DSDT_CALL_SITES"]}}


@pytest.fixture(autouse=True)  # before anything is built for it
def has_kernel(machine):
    kernel(machine.name)
    need(machine.gcc)


# ---- programs ----

def compiled(sdt, machine, name, source, *flags):
    obj = sdt.path(f"{name}.o")
    sdt.command(machine.gcc, "-O2", *flags, "-I", INCLUDE, "-c", source, "-o", obj)
    return obj


def program(sdt, targets, machine, name, source, *flags, objects=()):
    exe = sdt.path(name)
    obj = compiled(sdt, machine, name, PROGRAMS / source, *flags)
    sdt.command(machine.gcc, "-static", sdt.process(obj), *objects, "-Wl,-u,__sdt_register",
                machine.library(targets), "-pthread", "-o", exe)
    return exe


def forms(sdt, targets, machine):
    return [program(sdt, targets, machine, name, "machine_run.c", *flags)
            for name, flags in FORMS[machine].items()]


def programs(sdt, targets, machine):
    """What is in every guest that shows that sites serve."""
    registers = compiled(sdt, machine, "regs", ASM / f"{machine}_registers.S")
    return [*forms(sdt, targets, machine),
            program(sdt, targets, machine, "unwind", "machine_unwind.c", "-fexceptions"),
            program(sdt, targets, machine, "registers", f"{machine}_registers.c",
                    objects=[sdt.process(registers)])]


SIGNATURE = {AARCH64: [], RISCV64: ["-DRSEQ_SIG=0xf1401073"]}  # glibc 2.36 does not say it
WRAPPED = [f"-Wl,--wrap={name}" for name in ("__rseq_offset", "__rseq_size", "pthread_create")]


def registering(sdt, machine):
    """Objects with which a program registers its threads for rseq(2): Debian 12's C library for
    riscv64 does not."""
    if machine is AARCH64:
        return []
    return [compiled(sdt, machine, "rseq", PROGRAMS / "riscv64_rseq.c"), *WRAPPED]


def counting(sdt, targets, machine, name, *flags, objects=()):
    fixture = sdt.process(compiled(sdt, machine, f"{name}_fixture",
                                   PROGRAMS / "machine_fixture.c", *flags))
    probe = "__sdt_called_" if "-DSDT_CALL_SITES" in flags else "__sdt_probe_"
    return program(sdt, targets, machine, name, "runtime_counting.c", *SIGNATURE[machine], *flags,
                   objects=[fixture, f"-Wl,--defsym=fx_probe={probe}fixture___call", *objects])


# ---- what they must print ----

def assert_served(said, machine):
    """What test_machine_runtime.py does, by the ways that programs go on a kernel."""
    for name in FORMS[machine]:
        for mode in ("jump", "trap"):
            assert said[f"/{name} {mode}"][2:7] == hits(mode)
            assert said[f"/{name} {mode}"][-3:] == ["disabled: success", "off: 0 0", "status 0"]
        assert said[f"/{name} count"] == ["1000", "status 0"]


UNWOUND = ["framed: framed outer", "leaf: leaf framed outer", "left: tail outer", "cleanup of run",
           "7 0", "status 0"]
TOGGLED = ["calls enough, wrong 0, failed 0, late 0", "status 0"]


def assert_counted(said, by):
    """BY: {command: where its hits are counted}."""
    for command, where in by.items():
        assert said[f"/{command}"] == [f"counted by {where}", "ok", "status 0"], command


# ---- on both machines ----

@each()
def test_sites_of_all_forms_change_while_threads_run_them(sdt, targets, machine):
    """On three CPUs: the kernel for riscv64 stores what is written to the file byte by byte."""
    word = "toggle" if machine is AARCH64 else "toggle jump"
    commands = [f"/{name} {word}" for name in FORMS[machine]]
    said = boot(sdt, forms(sdt, targets, machine), commands, machine=machine.name,
                parameters=PARAMETERS[machine])
    for command in commands:
        assert said[command] == TOGGLED


@each()
def test_counts_are_exact_in_storms(sdt, targets, machine):
    """By each CPU for itself: threads that move from CPU to CPU, signals, forks, other handlers;
    also if only the first thread is registered for rseq(2), or the kernel refuses it, or is not
    asked for it: then in the probe, by one atomic instruction."""
    rseq = registering(sdt, machine)
    counters = [counting(sdt, targets, machine, "inline", objects=rseq),
                counting(sdt, targets, machine, "call", "-DSDT_CALL_SITES", objects=rseq)]
    by = {"inline storm all": "cpu", "call storm all": "cpu", "call fork all": "cpu",
          "inline vfork all": "cpu", "inline both all": "cpu", "inline signals all": "cpu",
          "inline storm main": "both", "call again none": "probe"}
    if machine is RISCV64:
        counters.append(counting(sdt, targets, machine, "without"))
        by["without storm all"] = "probe"
    said = boot(sdt, counters, [f"/{command}" for command in by], machine=machine.name,
                parameters=PARAMETERS[machine])
    assert_counted(said, by)


@each()
def test_recordings_are_whole(sdt, targets, machine):
    """Each hit of threads, children and signal handlers is in a ring of its CPU, once; and what
    another program reads of them is what was there."""
    wish = "SDT_ENABLE=*=record SDT_RECORD_OPTIONS=ring=2M SDT_RECORD=/"
    commands = {"threads": "threads 3000 4", "forks": "fork 200 kill 2",
                "signals": f"signals 50 {9 if machine is AARCH64 else 60} 900"}
    many = program(sdt, targets, machine, "many", "record_many.c",
                   objects=registering(sdt, machine))
    said = boot(sdt, [many], [line for name, command in commands.items()
                              for line in (f"{wish}{name} /many {command}", f"send /{name}")],
                machine=machine.name, parameters=PARAMETERS[machine])
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


@each()
def test_sdt_looks_into_another_process(sdt, targets, tools, machine):
    flags, objects, callers = [], [], ["run", "start_thread"]
    if machine is RISCV64:  # gcc writes no tables by itself, nor, of static programs, their index
        flags, objects = ["-fasynchronous-unwind-tables"], ["-Wl,--eh-frame-hdr"]
        callers = ["run", "run_thread", "start_thread"]
    exe = program(sdt, targets, machine, "many", "record_many.c", *flags, objects=objects)
    looks.sdt_from_outside(sdt, exe, tools(machine.name), machine.name, callers)


# Where a tracer's breakpoint is: on aarch64 there is no branch of ours; on riscv64 it leaves our
# byte alone.
HITS = {AARCH64: {"off": "732, 0 hits", "counted": "732, 0 hits"},
        RISCV64: {"off": "732, 0 hits", "counted": "732, 6 hits"}}


@each()
def test_perf_there(sdt, targets, machine):
    """Every hit is in its recording. On riscv64 Linux 6.12's perf has no arguments of notes, that
    of 7.2 has."""
    exe = program(sdt, targets, machine, "stops", "gdb_stops.c")
    for run, (printed, found) in looks.perf(sdt, exe, machine.name).items():
        assert HITS[machine][run] in printed
        assert [name for name, _ in found] == ["sale", "left"] * 3
        numbers = [number for _, number in found]
        assert numbers == [*"112233"] or machine is RISCV64 and numbers == [""] * 6


@each()
def test_bpftrace_there(sdt, targets, machine):
    exe = program(sdt, targets, machine, "stops", "gdb_stops.c")
    for run, lines in looks.bpftrace(sdt, exe, machine.name).items():
        assert lines[-1] == "status 0" and {HITS[machine][run], *looks.MAPS} <= set(lines)


@each()
def test_toggling_under_load_with_the_books_kept(sdt, targets, machine):
    exe = books.program(sdt, machine.name, machine.library(targets))
    said = boot(sdt, [exe], books.turns(machine.name), timeout=books.TIMEOUT,
                machine=machine.name, parameters=PARAMETERS[machine], threads="multi")
    books.check(said, machine.name)
