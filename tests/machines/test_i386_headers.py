# SPDX-License-Identifier: BSD-2-Clause
"""<sdt/probe.h> and sdt.h for i386: sites with notes, which compile and link without sdtlink. The
observers are readelf, gdb, bpftrace and four linkers. Nothing here needs a library of 32 bits."""
import re
import shutil

import pytest
from test_portable import dialects, words
from tracers import bpftrace

import i386
from conftest import BUILD, INCLUDE, INCLUDES, PROGRAMS
from cross import need
from i386 import LINKERS, linked
from stapsdt import notes

pytestmark = i386.runs
SOURCE = PROGRAMS / "i386_probes.c"
COMPILERS = ["gcc -O0 -fno-pic", "gcc -O0 -fPIC", "gcc -O2 -fno-pic",
             "gcc -O2 -fPIC -fomit-frame-pointer",
             "gcc -O3 -fpie -fno-omit-frame-pointer -mregparm=3", "gcc -Os -fno-pic -std=c99",
             "g++ -x c++ -O0 -fno-pic", "g++ -x c++ -O2 -fPIC -mregparm=2", "clang -O0 -fno-pic",
             "clang -O2 -fPIC", "clang -Os -fno-pic -mregparm=3", "clang++ -x c++ -O2 -fno-pic"]
SOME = [COMPILERS[i] for i in (1, 2, 4, 7, 9)]
WARNINGS = "-Wall -Wextra -Wpedantic -Werror -Wshadow -Wundef -Wno-long-long".split()
FIELDS = {"none": [], "few": ["-4", "-1", "2"], "longs": ["-8", "8", "4"],
          "all": "-4 -1 2 -8 4 8 4 -4 -4 -8 1 -4".split(), "constants": ["-4", "1", "E4"],
          "asked": ["-4"], "event": ["-4", "4", "-8"], "fields": ["B4", "-8", "-4"]}
COUNTERS = {"asked", "event"}


def compiled(sdt, compiler=COMPILERS[2], *flags, source=SOURCE, name="in.o"):
    return i386.compiled(sdt, source, compiler, "-g", *WARNINGS, "-I", INCLUDE, *flags, name=name)


def sizes(args):
    return [arg.split("@")[0] for arg in args.split()]


def is_as_expected(found, expected):
    """Sizes of notes. E, B: where compilers and languages differ in the sign, of an enumeration and
    a bit-field."""
    return len(found) == len(expected) and all(
        a.lstrip("-") == b[1:] if b[0] in "EB" else a == b for a, b in zip(found, expected))


# ---- what compilers make of it ----

@pytest.mark.parametrize("compiler", COMPILERS)
def test_operands_are_what_tracers_read(sdt, compiler):
    """Registers, constants and memory at a distance from a register; 64 bits only in memory; and
    no register of one byte, nor any of 64 bits."""
    register = r"%e(?:[abcd]x|[sd]i|[sb]p)"
    plain = re.compile(rf"-?[124]@(?:{register}|\$-?\d+|-?\d*\({register}\))|"
                       rf"-?8@-?\d*\({register}\)")
    found = notes(linked(sdt, compiled(sdt, compiler)))
    assert {note.name for note in found} == set(FIELDS)
    for note in found:
        assert all(plain.fullmatch(arg) for arg in note.args.split()), note
        assert is_as_expected(sizes(note.args), FIELDS[note.name]), note
        assert bool(note.semaphore) == (note.name in COUNTERS)


def test_both_places_occur(sdt):
    found = {note.name: note.args for note in notes(linked(sdt, compiled(sdt)))}
    assert re.fullmatch(r"-4@%e\w\w -1@%e\w\w 2@%e\w\w", found["few"])
    assert re.search(r" -4@\d+\(%esp\)", found["all"]) and found["constants"].startswith("-4@$-5 ")


@pytest.mark.parametrize("compiler", SOME)
def test_a_site_is_nops(sdt, compiler):
    """One byte, and one of ten, where a jump has room; as on x86-64."""
    exe = linked(sdt, compiled(sdt, compiler))
    code = sdt.run("objdump", "-d", exe)
    for note in notes(exe):
        assert re.search(rf"^ *{note.pc:x}:\t90 +\tnop\n *{note.pc + 1:x}:\t66 2e 0f 1f 84 00 00 \t"
                         r"(?:cs )?nopw ", code, re.M), note


@pytest.mark.parametrize("compiler", ["gcc -m32 -x c", "clang -m32 -x c", "g++ -m32 -x c++",
                                      "clang++ -m32 -x c++"])
def test_nothing_is_warned_of(sdt, compiler):
    for dialect in dialects(compiler):
        old = ["-Wno-c99-extensions"] if dialect == "c++98" and "clang" in compiler else []
        for level in ("-O0 -fPIC", "-O2 -fno-pic"):
            sdt.command(*words(compiler), f"-std={dialect}", *level.split(), "-ffreestanding",
                        *WARNINGS, *old, *INCLUDES, "-c", PROGRAMS / "portable.c", "-o",
                        sdt.path("portable.o"))


MANY = r"""
#include <sdt/probe.h>
int use(void *);
int f(unsigned n, long long a, long long b, double c, int d, char g, int *h, int i, int j);
int f(unsigned n, long long a, long long b, double c, int d, char g, int *h, int i, int j)
{
    int __attribute__((aligned(64))) big[16];
    char *v = (char *)__builtin_alloca(n);
    for (unsigned x = use(v) + use(big); x < n; x++) {
        SDT_PROBE(p, one, a, b, c, d, i, g, h, i, j, x, v, n);
        SDT_PROBE(p, two, h[d], h[g + 1], big[j], h + i, i, j, x, v, n, a, b, c);
        SDT_PROBE(p, three, h[d], a, h[i], big[d], big[j]);
        if (SDT_PROBE_ENABLED(p, one))
            use(v + d);
        d += d * i + big[x];
    }
    return d;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "g++ -x c++", "clang", "clang++ -x c++"])
def test_there_are_always_enough_registers(sdt, compiler):
    """A frame pointer, a pointer to the arguments, the GOT, and one that the user keeps."""
    source = sdt.write("many.c", MANY)
    kept = [] if "clang" in compiler else ["-ffixed-ebx"]
    for flags in ("-O0 -fPIC", "-O1 -fPIC -fno-omit-frame-pointer", "-O2 -mstackrealign", "-O2 -pg",
                  "-O3 -fPIC -fsanitize=address", "-O2 -DSDT_NO_MEMORY_CLOBBER", "-Os -mregparm=3"):
        i386.compiled(sdt, source, compiler, *flags.split(), *kept, "-I", INCLUDE)


CLASSES = r"""
#include <sdt/probe.h>
struct text { const char *c_str() const { return "text"; } };
struct view {
    typedef int traits_type;
    const char *data() const { return "viewed"; }
    unsigned size() const { return 4; }
};
struct milli { enum { num = 1, den = 1000 }; };
struct time { typedef long long rep; typedef milli period; long long count() const { return -7; } };
void f(text t, view v, time d) { SDT_PROBE(p, classes, t, v, d); }
"""


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_objects_of_classes(sdt, compiler, level):
    """Two addresses of four bytes, and a number of eight."""
    obj = i386.compiled(sdt, sdt.write("c.cc", CLASSES), compiler, level, "-I", INCLUDE)
    [args] = re.findall("Arguments: (.*)", sdt.run("readelf", "-n", obj))
    assert sizes(args) == ["4", "4", "-8"]


def test_without_a_kernel_header_nothing_changes(sdt):
    """Linux for i386 has no probes, as before."""
    obj = i386.compiled(sdt, SOURCE, "gcc -O2 -fno-pic", "-D__KERNEL__", "-I", INCLUDE)
    assert b"stapsdt" not in obj.read_bytes()


# ---- links ----

@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("compiler", SOME)
def test_it_links_and_runs(sdt, compiler, linker):
    exe = linked(sdt, compiled(sdt, compiler), linker, "-Wl,--gc-sections")
    assert sdt.command(exe).stdout == ""
    assert {note.name for note in notes(exe)} == set(FIELDS)


@pytest.mark.parametrize("linker", LINKERS)
def test_a_library_needs_no_text_relocations(sdt, linker):
    obj = compiled(sdt, "gcc -O2 -fPIC", "-DLIBRARY")
    library = linked(sdt, obj, linker, "-shared", "-no-pie", "-Wl,-z,text", name="lib.so")
    assert "TEXTREL" not in sdt.run("readelf", "-dW", library)
    assert {note.name for note in notes(library)} == set(FIELDS)


def test_sdt_h_is_the_same(sdt):
    shutil.copy(BUILD / "runtime" / "include" / "sdt.h", sdt.dir)
    first = notes(linked(sdt, compiled(sdt), name="first"))
    exe = linked(sdt, compiled(sdt, COMPILERS[2], "-DOWN_HEADER", "-I", sdt.dir))
    assert [(n.name, n.args) for n in notes(exe)] == [(n.name, n.args) for n in first]


ASSEMBLY = """
#include "sdt.h"
        .text
        .globl _start
_start: mov $-3, %eax
        push $0x77
SDT_PROBE_ASM(p, pass, "-4@%eax 4@(%esp)")
        mov $1, %eax
        xor %ebx, %ebx
        int $0x80
"""


def test_assembly(sdt):
    shutil.copy(BUILD / "runtime" / "include" / "sdt.h", sdt.dir)
    exe = linked(sdt, i386.compiled(sdt, sdt.write("in.S", ASSEMBLY), "gcc -g"))
    [note] = notes(exe)
    assert (note.name, note.args) == ("pass", "-4@%eax 4@(%esp)")
    said = gdb(sdt, exe, {"pass": "%d %x"})
    assert said["pass"] == ["-3 77"]


# ---- tracers ----

def gdb(sdt, exe, formats):
    """{probe: what gdb prints of its arguments, at each hit}, and how the program ended."""
    need("gdb")
    script = ""
    for name, form in formats.items():
        args = "".join(f", $_probe_arg{i}" for i in range(form.count("%")))
        args = re.sub(r"(\$_probe_arg%d)" % form.split().index("%s"), r"(char *)\1", args) \
            if "%s" in form.split() else args
        script += (f"break -probe-stap p:{name}\ncommands\nsilent\n"
                   f'printf "{name}: {form}\\n"{args}\ncontinue\nend\n')
    said = sdt.run("gdb", "-batch", "-nx", "-x", sdt.write("script", script + "run\n"), exe)
    found = {name: re.findall(rf"^{name}: (.*)$", said, re.M) for name in formats}
    found["exit"] = re.findall(r"exited (.*)\]", said)
    return found


ROUNDS = range(3)
EVENTS = [f"{-1000 * i - 1} x {(1 << 40) + i}" for i in ROUNDS]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_gdb_prints_the_arguments(sdt, compiler):
    """And turns probes on that have a semaphore."""
    said = gdb(sdt, linked(sdt, compiled(sdt, compiler)), {
        "few": "%d %d %d", "longs": "%lld %llx %s", "fields": "%d %lld %d",
        "all": "%d %d %d %lld %s %llx %x %d %d %lld %d %d", "constants": "%d %d %d", "asked": "%d",
        "event": "%d %s %lld"})
    numbers = [f"{-1000 * i - 1} {-5 - i} {65000 + i}" for i in ROUNDS]
    reals = ["3fe0000000000000", "3ff8000000000000", "4004000000000000"]  # 0.5, 1.5, 2.5
    shares = ["40200000", "40600000", "40900000"]  # 2.5, 3.5, 4.5
    assert said["few"] == numbers
    assert said["longs"] == [f"{(1 << 40) + i} {reals[i]} text" for i in ROUNDS]
    assert said["fields"] == [f"{17 + i} {-(1 << 38) - i} 99" for i in ROUNDS]
    assert said["all"] == [f"{numbers[i]} {(1 << 40) + i} text {reals[i]} {shares[i]} 7 -3 -4 "
                           f"{int(i < 2)} {70 + i}" for i in ROUNDS]
    assert said["constants"] == ["-5 200 1"] * 3
    assert said["asked"] == [str(2 * (-1000 * i - 1)) for i in ROUNDS]
    assert said["event"] == EVENTS
    assert said["exit"] == ["with code 03"]


def test_gdb_that_asks_for_nothing_changes_nothing(sdt):
    said = gdb(sdt, linked(sdt, compiled(sdt)), {"few": "%d"})
    assert said["exit"] == ["normally"] and len(said["few"]) == 3


@pytest.mark.parametrize("compiler", SOME)
def test_bpftrace_prints_the_arguments(sdt, compiler):
    exe = linked(sdt, compiled(sdt, compiler))
    said = bpftrace(sdt, f'usdt:{exe}:p:few {{ printf("few %d %d %d\\n", (int32)arg0, (int8)arg1,'
                    f' (uint16)arg2); }} usdt:{exe}:p:longs {{ printf("longs %ld %s\\n", arg0, '
                    'str(arg2)); }', [exe])
    assert re.findall("few (.*)", said) == [f"{-1000 * i - 1} {-5 - i} {65000 + i}" for i in ROUNDS]
    assert re.findall("longs (.*)", said) == [f"{(1 << 40) + i} text" for i in ROUNDS]


# ---- sdtlink ----

def test_sdtlink_leaves_them_to_tracers_and_says_so(sdt):
    """There is no runtime that would make them live. It reads the types before it says so."""
    obj = compiled(sdt)
    said = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    assert "notes are no sites on i386 yet" in said.stderr and "no probe to process" in said.stdout
    assert sdt.path("out.o").read_bytes() == obj.read_bytes()
    quiet = sdt.sdtlink("--ignore-stapsdt", "-o", sdt.path("out.o"), obj)
    assert quiet.stderr == ""


def test_calls_beside_them_become_sites(sdt):
    source = sdt.write("both.c", "#include <sdt/probe.h>\nvoid __dtrace_sdt_p___called(int);\n"
                       "void f(const char *t) { SDT_PROBE(p, noted, t); "
                       "__dtrace_sdt_p___called(1); SDT_PROBE(p, noted, t + 1); }\n")
    obj = i386.compiled(sdt, source, "gcc -O2 -fPIC", "-I", INCLUDE)
    out = sdt.process(obj)
    listed = sdt.run(sdt.tool, "list", out)
    assert len(re.findall(r" noted .* stapsdt ", listed)) == 2
    assert len(re.findall(r" called .* call ", listed)) == 1
