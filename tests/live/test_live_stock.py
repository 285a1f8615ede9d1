# SPDX-License-Identifier: BSD-2-Clause
"""Stock binaries: programs with notes of <sys/sdt.h> that are not processed, under `sdt run`.

Programs are compiled with SystemTap's own header if it is there, else with ours; Debian's python3
is one that others have compiled. Counts are compared with what was asked for, and with
bpftrace's.
"""
import os
import pathlib
import re
import signal
import struct
import subprocess

import attached
import patience
import pytest
import stapsdt
import tracers
from conftest import INCLUDE, PROGRAMS
from attached import Counting, ask, code, sites, states
from stock import Target, check_arguments, counted

pytestmark = pytest.mark.nosan  # the library would be loaded into programs without a sanitizer

PYTHON = "/usr/bin/python3"
SLOW = "sites are breakpoints; a hit takes microseconds"
ORIGINAL = next(pathlib.Path("/usr/include").glob("**/sys/sdt.h"), None)
HEADER = ["-I", ORIGINAL.parent.parent if ORIGINAL else INCLUDE / "sdt-compat"]


def stock(sdt, *flags, source="stock_target.c", name="target"):
    """A program that the tool has never seen."""
    sdt.command("gcc", "-O2", *HEADER, *flags, PROGRAMS / source, "-pthread", "-ldl", "-o",
                sdt.path(name))
    return sdt.path(name)


def plugin(sdt):
    return stock(sdt, "-DPLUGIN", "-fPIC", "-shared", name="plugin.so")


# Counting


@pytest.mark.parametrize("mode", ["-pie", "-no-pie"])
def test_counts_from_the_first_hit_on(sdt, mode):
    exe = stock(sdt, mode, *(["-fno-pie"] if mode == "-no-pie" else []))
    hits, result = counted(sdt, "stock:*", exe, text="hit 50\nthreads 3 1000\nquit\n")
    assert hits == {"stock:tick": 3050, "stock:asked": 3050}
    assert f"2 of 2 {SLOW}" in result.stderr


@pytest.mark.parametrize("is_stock", [False, True])
def test_who_is_given_the_library_to_be_recorded(sdt, is_stock):
    """A processed program has notes as well, and what it needs."""
    header, probe = ("sys/sdt.h", "DTRACE_PROBE") if is_stock else ("sdt/probe.h", "SDT_PROBE")
    source = sdt.write("p.c", f"""
#include <stdio.h>
#include <stdlib.h>
#include <{header}>
int main(void)
{{
    {probe}(a, b);
    puts(getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "none");
}}
""")
    if is_stock:
        sdt.command("gcc", *HEADER, source, "-o", sdt.path("a.out"))
    else:
        sdt.link(sdt.process(sdt.compile(source)), runtime="shared")
    assert {note.provider for note in stapsdt.notes(sdt.path("a.out"))} == {"a"}
    output = ask(sdt, "record", "-o", "rec", "--", sdt.path("a.out")).stdout
    assert ("libsdt.so" in output, "none" in output) == (is_stock, not is_stock)


def test_text_and_semaphores_are_as_before(sdt):
    with Target(stock(sdt)) as target:
        before = code(target.pid)
        assert states(sdt, target.pid) == {"tick": "off", "asked": "off"}
        counting = Counting(target, "stock:*").begin()
        assert set(states(sdt, target.pid).values()) == {"trap"}
        assert target.do("semaphore", None) == "1"
        target.do("threads 2 500")
        assert counting.end() == {"tick": 1000, "asked": 1000}
        assert code(target.pid) == before
        assert target.do("semaphore", None) == "0"
        target.do("hit 10")
        assert set(states(sdt, target.pid).values()) == {"off"}


def test_arguments_as_their_notes_say(sdt):
    exe = sdt.path("traced")
    sdt.command("gcc", "-O2", *HEADER, "-DPROVIDER=stockargs", PROGRAMS / "compat_traced.c",
                PROGRAMS / "compat_main.c", "-o", exe)
    check_arguments(sdt, exe)


NAMED = r"""
#include <sys/sdt.h>
static volatile long counter = 41;
long shared = -7;
static double real = 2.25;
static volatile int words[4] = {1, 2, 3, 4};
__attribute__((noinline)) static void named(void)
{
    __asm__ volatile("990: nop\n"
                     ".pushsection .note.stapsdt,\"\",\"note\"\n"
                     ".balign 4\n"
                     ".4byte 992f-991f,994f-993f,3\n"
                     "991: .asciz \"stapsdt\"\n"
                     "992: .balign 4\n"
                     "993: .8byte 990b, _.stapsdt.base, 0\n"
                     ".asciz \"stocknamed\"\n.asciz \"here\"\n"
                     ".asciz \"-8@counter(%%rip) -8@shared(%%rip) -4@words+8(%%rip) "
                     "-4@4+words(%%rip), -4@$12 8f@real(%%rip)\"\n"
                     "994: .balign 4\n"
                     ".popsection\n" ::"m"(counter), "m"(shared), "m"(words), "m"(real));
}
int main(void)
{
    STAP_PROBE(stocknamed, other);
    counter++;
    named();
    return (int)(real - 2.25);
}
"""


def named(sdt, is_stripped):
    source, exe = sdt.write("named.c", NAMED), sdt.path("named")
    sdt.command("gcc", "-O2", *HEADER, source, "-o", exe)
    if is_stripped:
        sdt.command("strip", exe)
    return exe


def test_operands_that_name_variables(sdt):
    """Where they are, the file's symbols say, and in which function a site is."""
    exe = named(sdt, is_stripped=False)
    ask(sdt, "record", "-o", "rec", "-e", "stocknamed:here", "--", exe)
    [event] = attached.json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert list(event["args"].values()) == [42, -7, 3, 2, 12, 2.25]
    assert event["function"] == "named"


def test_a_variable_that_nobody_finds_is_not_zero(sdt):
    """The site is blocked, and a message says so; the program's other probe is counted."""
    exe = named(sdt, is_stripped=True)
    hits, result = counted(sdt, "stocknamed:*", exe)
    assert hits == {"stocknamed:other": 1, "stocknamed:here": None}
    assert "1 of 2 sites are blocked: their hits are missing" in result.stderr
    assert "an argument of stocknamed:here cannot be read" in result.stderr
    recorded = ask(sdt, "record", "-o", "rec", "-e", "stocknamed:here", "--", exe,
                   env={"SDT_DEBUG": "1"})
    assert "an argument in the probe's note cannot be read" in recorded.stderr


SPACED = r"""
#include <sys/sdt.h>
__attribute__((noinline)) static void spaced(int n, const int *words)
{
    __asm__ volatile("990: nop\n"
                     ".pushsection .note.stapsdt,\"\",\"note\"\n"
                     ".balign 4\n"
                     ".4byte 992f-991f,994f-993f,3\n"
                     "991: .asciz \"stapsdt\"\n"
                     "992: .balign 4\n"
                     "993: .8byte 990b, _.stapsdt.base THIRD\n"
                     ".asciz \"stockspaced\"\n.asciz \"here\"\n"
                     ".asciz \"-4@%%edi, -4@4(%%rsi, %%rdi, 4) , 4@ 8(%%rsi)\"\n"
                     "994: .balign 4\n"
                     ".popsection\n" ::"D"((long)n), "S"(words) : "memory");
}
int main(void)
{
    static const int words[] = {10, 11, 12, 13, 14};
    STAP_PROBE(stockspaced, other);
    spaced(2, words);
    return 0;
}
"""


@pytest.mark.parametrize("third", [", 0", ""])
def test_arguments_between_commas_and_blanks(sdt, third):
    """Also in notes of the format's first draft, which have no word for a semaphore."""
    source, exe = sdt.write("spaced.c", SPACED.replace(" THIRD", third)), sdt.path("spaced")
    sdt.command("gcc", "-O2", *HEADER, source, "-o", exe)
    ask(sdt, "record", "-o", "rec", "-e", "stockspaced:here", "--", exe)
    [event] = attached.json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert list(event["args"].values()) == [2, 13, 12]


def test_sites_that_are_processed_are_not_there_twice(sdt):
    obj = sdt.process(sdt.compile("stock_target.c", "-I", INCLUDE / "sdt-compat"))
    exe = sdt.link(obj, "-pthread", "-ldl", runtime=None, name="processed")
    assert len(stapsdt.notes(exe)) == 2
    with Target(exe) as target:
        assert [site["name"] for site in sites(sdt, target.pid)] == ["tick", "asked"]


def test_nothing_changes_unless_it_is_asked_for(sdt):
    exe = stock(sdt)
    hits, result = counted(sdt, "stock:*", exe, text="hit 5\nquit\n", env={"SDT_STOCK": "0"})
    assert hits == {} and "no probe matched" in result.stderr


def test_static_programs_cannot_be(sdt):
    _, result = counted(sdt, "stock:*", stock(sdt, "-static"), status=1, text="quit\n")
    assert "has no library libsdt" in result.stderr


# Programs of others


def test_python_as_bpftrace_sees_it(sdt):
    """Of each, another run of the same script: both are at the same byte."""
    noted = {note.name for note in stapsdt.notes(os.path.realpath(PYTHON))}
    if not noted:
        pytest.skip(f"{PYTHON} has no notes")
    often = "line" if "line" in noted else "audit"  # Python 3.12 has no line any more
    script = sdt.write("work.py", "import gc\nfor i in range(40):\n"
                       "    list(map(lambda n: n, range(i)))\n    gc.collect(i % 3)\n")
    command = [PYTHON, "-I", "-S", script]
    ours, _ = counted(sdt, f"python:{often} python:gc__start", *command,
                      env={"PYTHONHASHSEED": "0"})
    assert ours[f"python:{often}"] >= 40 and ours["python:gc__start"] >= 40
    names = [often, "gc__start"]
    probes = " ".join(f'usdt:{os.path.realpath(PYTHON)}:python:{name} {{ @["{name}"] = count(); }}'
                      for name in names)
    output = tracers.bpftrace(sdt, probes, command)
    theirs = {name: int(n) for name, n in re.findall(r"@\[(\w+)\]: (\d+)", output)}
    assert {f"python:{name}": theirs[name] for name in names} == ours


def test_exceptions_of_libstdcxx(sdt):
    """The library of Debian; a program without any probe."""
    source = sdt.write("throws.cc", "int main()\n{\n    int caught = 0;\n"
                       "    for (int i = 0; i < 321; i++)\n        try {\n            throw i;\n"
                       "        } catch (int) {\n            caught++;\n        }\n"
                       "    return caught != 321;\n}\n")
    exe = sdt.path("throws")
    sdt.command("g++", source, "-o", exe)
    hits, result = counted(sdt, "libstdcxx:*", exe, status=None)
    if not hits:
        pytest.skip("this libstdc++ has no notes")
    assert result.returncode == 0
    assert hits["libstdcxx:throw"] == hits["libstdcxx:catch"] == 321


# What comes and goes


def test_libraries_that_are_loaded_later(sdt):
    library = plugin(sdt)
    hits, _ = counted(sdt, "stockplugin", stock(sdt),
                      text=f"load {library} 7\nload {library} 5\nquit\n")
    assert hits == {"stockplugin:hit": 12}


def test_a_library_that_comes_and_goes_while_others_hit(sdt):
    """Every instance is counted to its last hit, and no text that is gone is written to."""
    library = plugin(sdt)
    hits, _ = counted(sdt, "stock*:*", stock(sdt),
                      text=f"churn {library} 3 200\nthreads 2 100\nquit\n")
    assert hits["stockplugin:hit"] == 600 and hits["stock:tick"] == 200


def test_tools_that_come_and_go_while_a_library_does(sdt):
    library = plugin(sdt)
    with Target(stock(sdt)) as target:
        target.process.stdin.write(f"churn {library} 1 3000\n")
        for _ in range(15):
            ask(sdt, "count", "-d", "0.01", "-p", target.pid, "stock*:*", status=None)
        assert target.process.stdout.readline() == "ok\n"
        counting = Counting(target, "stock*:*").begin()
        target.do(f"keep {library} 4")
        target.do("hit 2")
        assert counting.end() == {"hit": 4, "tick": 2, "asked": 2}


def test_children_start_unwatched(sdt):
    with Target(stock(sdt)) as target:
        counting = Counting(target, "stock:*").begin()
        assert target.do("forks 100", None) == "0"
        target.do("hit 3")
        assert counting.end() == {"tick": 3, "asked": 3}


# SIGTRAP


def test_threads_and_handlers_that_block_every_signal(sdt):
    hits, _ = counted(sdt, "stock:tick", stock(sdt), text="blocked 20\nhandler\nquit\n")
    assert hits == {"stock:tick": 21}


BLOCKS = {
    "sigprocmask": "sigprocmask(SIG_SETMASK, &all, NULL); hit(0);",
    "sigblock": "sigblock(~0); hit(0);",
    "sigsetmask": "sigsetmask(~0); hit(0);",
    "sighold": "sighold(SIGTRAP); hit(0);",
    "sigsuspend": "sigsuspend(&all);",
    "ppoll": "ppoll(NULL, 0, NULL, &all);",
    "pselect": "pselect(0, NULL, NULL, NULL, NULL, &all);",
    "epoll_pwait": "struct epoll_event e; epoll_pwait(epoll_create1(0), &e, 1, -1, &all);",
    "epoll_pwait2": "struct epoll_event e; epoll_pwait2(epoll_create1(0), &e, 1, NULL, &all);",
}


@pytest.mark.parametrize("how", BLOCKS)
def test_whatever_blocks_signals(sdt, how):
    """By itself, or while it waits for the signal whose handler hits."""
    source = sdt.write("blocks.c", f"""#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/sdt.h>
#include <sys/select.h>
#include <unistd.h>
static void hit(int n) {{ STAP_PROBE1(stockblocks, hit, n); }}
int main(void)
{{
    sigset_t all, now;
    signal(SIGALRM, hit);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL); /* so that the alarm comes when it is waited for */
    sigdelset(&all, SIGALRM);
    ualarm(20000, 0);
    {BLOCKS[how]}
    sigprocmask(SIG_SETMASK, NULL, &now);
    return !sigismember(&now, SIGUSR2);
}}
""")
    exe = sdt.path("blocks")
    sdt.command("gcc", "-Wno-deprecated-declarations", *HEADER, source, "-o", exe)
    hits, _ = counted(sdt, "stockblocks:*", exe)
    assert hits == {"stockblocks:hit": 1}


def test_a_program_with_a_handler_of_its_own(sdt):
    """It gets the traps that are its own, and no other; and finds its handler where it was put."""
    exe = stock(sdt)
    hits, result = counted(sdt, "stock:tick", exe, text="own\nhit 4\nquit\n")
    assert hits == {"stock:tick": 5}
    assert "2 yes\n" in result.stdout
    assert "2 yes\n" in sdt.run(exe, input="own\nhit 4\nquit\n")


def test_a_program_that_lets_itself_be_killed(sdt):
    """An int3 of its own, without a handler, ends it as usual."""
    source = sdt.write("dies.c", '#include <sys/sdt.h>\nint main(void)\n{\n'
                       '    STAP_PROBE(stock, here);\n    __asm__ volatile("int3");\n'
                       '    return 0;\n}\n')
    exe = sdt.path("dies")
    sdt.command("gcc", *HEADER, source, "-o", exe)
    hits, _ = counted(sdt, "stock:here", exe, status=128 + signal.SIGTRAP)
    assert hits == {"stock:here": 1}


def test_a_tracer_that_came_first_keeps_the_site(sdt):
    tracers.needs_tracing()
    exe = stock(sdt)
    with Target(exe) as target:
        probe = f'usdt:{exe}:stock:asked {{ @hits = count(); }}'
        with tracers.Watching(probe) as tracer:
            result = ask(sdt, "enable", "-p", target.pid, "stock:asked", status=1)
            assert "breakpoint is at the site" in result.stderr
            target.do("hit 6")
        assert "@hits: 6" in tracer.output


@pytest.mark.parametrize("passes", ["nopass", "pass"])
def test_a_debugger_that_comes_later(sdt, passes):
    """It has a breakpoint where ours is, at the loader's function for debuggers."""
    tracers.needs("gdb")
    library, log = plugin(sdt), sdt.path("gdb.log")
    with Target(stock(sdt)) as target:
        counting = Counting(target, "stock:*").begin()
        with log.open("w", encoding="utf-8") as output:
            debugger = subprocess.Popen(
                ["gdb", "-nx", "-q", "-batch", "-ex", "set debuginfod enabled off", "-ex",
                 f"handle SIGTRAP {passes} nostop noprint", "-ex", "handle SIGUSR1 nopass stop",
                 "-p", str(target.pid), "-ex", "echo attached\\n", "-ex", "continue", "-ex",
                 "detach"], stdout=output, stderr=output)
        try:
            patience.until(lambda: "attached" in log.read_text(), debugger)
            target.do(f"churn {library} 3 20")
            os.kill(target.pid, signal.SIGUSR1)
            assert patience.wait(debugger) is not None or debugger.returncode == 0
        finally:
            debugger.kill()
        assert "received signal SIGUSR1" in log.read_text()
        target.do(f"churn {library} 3 20")
        target.do("semaphore", None)
        counting.end()


# Notes that lie


def note_section(exe):
    """Offset and size of .note.stapsdt in the file."""
    from elftools.elf.elffile import ELFFile
    with open(exe, "rb") as stream:
        section = ELFFile(stream).get_section_by_name(".note.stapsdt")
        return section["sh_offset"], section["sh_size"]


def damaged(sdt, exe, change):
    data = bytearray(exe.read_bytes())
    offset, size = note_section(exe)
    change(data, offset, size)
    path = sdt.path("damaged")
    path.write_bytes(data)
    path.chmod(0o755)
    return path


def put(fmt, at, *values):
    return lambda data, offset, size: struct.pack_into(fmt, data, offset + at, *values)


DAMAGE = {
    "the address is in no code": (put("<Q", 20, 8), 1),
    "the address is huge": (put("<Q", 20, 2**64 - 3), 1),
    "the address is no NOP's": (lambda data, offset, size: struct.pack_into(
        "<Q", data, offset + 20, struct.unpack_from("<Q", data, offset + 20)[0] + 1), 1),
    "the name is no identifier": (put("<B", 44, ord("%")), 1),
    "the description is too long": (put("<I", 4, 0xfffffff0), 0),
    "the name's size is too long": (put("<I", 0, 0xffffffff), 0),
    "the description is too short": (put("<I", 4, 20), None),
    "another vendor's": (put("<B", 12, ord("X")), 1),
    "nothing ends": (lambda data, offset, size: data.__setitem__(
        slice(offset + 44, offset + size), b"x" * (size - 44)), None),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_notes_that_lie_are_skipped(sdt, what):
    """The first of two notes, or both; the program runs as before."""
    change, left = DAMAGE[what]
    exe = damaged(sdt, stock(sdt), change)
    hits, result = counted(sdt, "*", exe, text="hit 9\nquit\n")
    assert result.stdout.startswith("here\nok\n")
    assert {*hits.values()} <= {9, 0}
    if left is not None:
        assert len([name for name in hits if name.startswith("stock:")]) == left


def test_what_c_libraries_hit_with_signals_blocked_is_skipped(sdt):
    source = sdt.write("libc.c", '#include <sys/sdt.h>\nint main(void)\n{\n'
                       '    STAP_PROBE(libc, setjmp);\n    STAP_PROBE(rtld, lll_lock_wait);\n'
                       '    STAP_PROBE(libc, longjmp);\n    STAP_PROBE(mine, setjmp);\n'
                       '    return 0;\n}\n')
    exe = sdt.path("libc")
    sdt.command("gcc", *HEADER, source, "-o", exe)
    hits, _ = counted(sdt, "libc,rtld,mine", exe)
    assert {"libc:setjmp", "rtld:lll_lock_wait"}.isdisjoint(hits)
    assert hits["libc:longjmp"] == hits["mine:setjmp"] == 1


def test_what_was_skipped_is_counted(sdt):
    exe = damaged(sdt, stock(sdt), DAMAGE["the address is no NOP's"][0])
    result = ask(sdt, "run", "--", exe, input="quit\n", env={"SDT_DEBUG": "1"})
    assert re.search(r"SDT_STOCK: \d+ sites of \d+ objects .*; 1 notes skipped", result.stderr)


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_file_that_was_replaced_is_not_believed(sdt, is_replaced):
    """It was loaded before a tool asked; now the path leads to another one, with other code."""
    library, other = plugin(sdt), stock(sdt, "-DPLUGIN", "-fPIC", "-shared", "-O0", name="other.so")
    with Target(stock(sdt)) as target:
        target.do(f"keep {library} 1")
        if is_replaced:
            other.rename(library)
        found = {site["provider"] for site in sites(sdt, target.pid)}
        assert found == {"stock"} if is_replaced else {"stock", "stockplugin"}
