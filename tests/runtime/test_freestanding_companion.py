# SPDX-License-Identifier: BSD-2-Clause
"""The scheme of 2015 in a kernel: objects with plain calls stay as they are, `sdtlink --companion
--freestanding` reads their relocations and defines what they call, as an object or as a file in C,
and the freestanding runtime makes NOPs of the calls when the kernel starts."""
import json
import re

import pytest

from conftest import BUILD, INCLUDE, ROOT
from toolchain import CLANGS, LLDS

ARCHIVE = BUILD / "runtime" / "libsdt-freestanding.a"

pytestmark = pytest.mark.nosan  # compiled as for a kernel

SEED = ["before: 2", "add 0", "off: 2", *(f"{name} {{mode}} 0" for name in (
    "vfs:close in seed_close", "vfs:open in hit", "vfs:open in main", "vfs:open in main",
    "vfs:open in seed_open"))]


def seed_lines(text):
    """What programs/freestanding_seed.c prints, its lists sorted: compilers decide where its
    functions are."""
    lines = text.splitlines()
    lists = [sorted(lines[at:at + 5]) for at in (3, 8, 16)]
    return lines[:3] + lists[0] + lists[1] + lines[13:16] + lists[2] + lines[21:]


def seed_expected():
    modes = [[line.format(mode=mode) for line in SEED[3:]] for mode in ("off", "jump", "off")]
    return [*SEED[:3], *modes[0], *modes[1], "open: 7", "close: 7", "counted 200000", *modes[2]]


def seed_parts(sdt):
    return [sdt.compile(f"{name}.c", "-fno-pie", "-mgeneral-regs-only", "-Wall", "-Wextra",
                        "-Werror") for name in ("freestanding_seed", "fake_kernel")]


def calls(sdt, exe):
    """What objdump sees of the calls of probes."""
    return re.findall(r"\t(\w+) +\w+ <__dtrace_sdt_(\w+)>", sdt.run(
        "objdump", "-d", "--no-show-raw-insn", exe))


@pytest.mark.parametrize("name", ["companion.o", "companion.c"])
@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
def test_calls_become_nops_when_the_kernel_starts(sdt, name, linker):
    """In the file they are calls; sdtlink's companion defines what they call, and says where they
    are, as an object or in C."""
    obj, kernel_obj = seed_parts(sdt)
    before = obj.read_bytes()
    companion = sdt.path(name)
    sdt.sdtlink(f"--companion={companion}", "--freestanding", obj)
    if name.endswith(".c"):
        text = companion.read_text()
        assert '"vfs:open", "seed_open", 6' in text and " seed_open + 0x" in text
        companion = sdt.compile(companion, "-fno-pie", "-Wall", "-Wextra", "-Werror")
    exe = sdt.link(obj, companion, kernel_obj, ARCHIVE, "-no-pie", "-pthread", f"-fuse-ld={linker}",
                   runtime=None)
    assert obj.read_bytes() == before
    assert sorted(calls(sdt, exe)) == [("call", "vfs___close"), *4 * [("call", "vfs___open")]]
    assert seed_lines(sdt.run(exe)) == seed_expected()
    assert sdt.sdtlink("verify", exe).stdout.endswith(": 5 sites, 2 probes: ok\n")


PLACES = """
void __dtrace_sdt_a___inner(int n);
void __dtrace_sdt_a___one(int n);
void __dtrace_sdt_a___two(int n);
int one(int n);
int two(int n);
static __attribute__((noinline)) int inner(int n) { __dtrace_sdt_a___inner(n); return n * n; }
int one(int n) { n = inner(n); __dtrace_sdt_a___one(n); return n + 1; }
static __attribute__((noinline)) int other(int n) { __dtrace_sdt_a___inner(n); return n * 3; }
int two(int n) { n = other(n); __dtrace_sdt_a___two(n); return n + 2; }
"""


def test_a_place_is_counted_from_the_last_global_symbol_before_it(sdt):
    """As nm and objdump see the object; from the first one where none is before."""
    obj = sdt.compile(sdt.write("places.c", PLACES), "-fno-pie", "-fno-toplevel-reorder")
    sdt.sdtlink("--companion=places.out.c", "--freestanding", obj)
    said = sorted((symbol, int(sign + distance, 16)) for symbol, sign, distance in re.findall(
        r"^SDT_COMPANION_SITE\(\w+, \w+, (\w+) ([+-]) (\w+),$",
        sdt.path("places.out.c").read_text(), re.M))
    symbols = sorted((int(value, 16), name) for value, name in re.findall(
        r"^(\w+) T (\w+)$", sdt.run("nm", obj), re.M))
    calls_at = [int(at, 16) - 1 for at in re.findall(
        r"^(\w+) R_X86_64_PLT32 +__dtrace_sdt_", sdt.run("objdump", "-r", obj), re.M)]
    nearest = [max((s for s in symbols if s[0] <= at), default=symbols[0]) for at in calls_at]
    assert said == sorted((name, at - value) for at, (value, name) in zip(calls_at, nearest))
    assert [name for name, _ in said] == ["one", "one", "one", "two"] and said[0][1] < 0


@pytest.mark.parametrize("clang, lld", zip(CLANGS, LLDS))
def test_link_time_optimisation(sdt, clang, lld):
    """It puts each function into a section of its own, where a static one has no global symbol; a
    script makes one of them (examples/linux/kernel/sdt/text.lds)."""
    obj = sdt.compile(sdt.write("places.c", PLACES), "-fno-pie", "-flto=thin", compiler=clang)
    native = sdt.path("native.o")
    sdt.command(f"ld.{lld}", "-r", "-o", native, obj)
    said = sdt.sdtlink("--companion=c.c", "--freestanding", native, status=1).stderr
    assert ".text.inner+" in said and "no global symbol is defined in this section" in said
    script = ROOT / "examples" / "linux" / "kernel" / "sdt" / "text.lds"
    sdt.command(f"ld.{lld}", "-r", "-T", script, "-o", native, obj)
    sdt.sdtlink("--companion=c.c", "--freestanding", native)
    assert sdt.path("c.c").read_text().count("\nSDT_COMPANION_SITE(") == 4


def test_a_call_that_is_elsewhere_is_refused_by_name(sdt):
    """As where a linker had moved it: it stays a call, and the others are sites."""
    obj, kernel_obj = seed_parts(sdt)
    companion = sdt.path("companion.c")
    sdt.sdtlink("--companion", "--freestanding", "-o", companion, obj)
    text, n = re.subn(r"(, seed_open \+ )0x3,", r"\g<1>0x4,", companion.read_text())
    assert n == 1
    companion.write_text(text)
    exe = sdt.link(obj, sdt.compile(companion, "-fno-pie"), kernel_obj, ARCHIVE, "-no-pie",
                   "-pthread", runtime=None)
    said = sdt.run(exe).splitlines()
    assert "refused: kernel vfs:open -84" in said
    assert [line for line in said if line.startswith("vfs:close")].count(
        "vfs:close in seed_close jump 0") == 1
    assert "vfs:open in seed_open off 0" not in said
    assert ": 2 defects" in sdt.sdtlink("verify", exe, status=1).stdout


def test_only_calls_have_companions_in_kernels(sdt):
    obj = sdt.compile("freestanding.c", "-fno-pie", "-DKEEPS")
    said = sdt.sdtlink("--companion", "--freestanding", "-o", "c.o", obj, status=1).stderr
    assert "a companion of a kernel serves calls only" in said
    assert "sdtlink --freestanding -o OUT IN" in said and not sdt.path("c.o").exists()
    said = sdt.sdtlink("--companion", "-o", "c.c", obj, status=2).stderr
    assert "a companion in C requires --freestanding" in said


ODD = """
void __dtrace_sdt_a___b(int n);
int odd(int n);
int odd(int n) { __dtrace_sdt_a___b(n); return n; }
"""


def test_a_name_that_is_no_word_of_c(sdt):
    obj = sdt.compile(sdt.write("odd.c", ODD), "-fno-pie")
    sdt.command("objcopy", "--redefine-sym", "odd=o) d", obj)
    said = sdt.sdtlink("--companion=odd.out.c", "--freestanding", obj, status=1).stderr
    assert "a name that C and the assembler do not read" in said
    assert not sdt.path("odd.out.c").exists()
    sdt.sdtlink("--companion=c.o", "--freestanding", obj)


def test_a_section_s_name_ends_no_comment(sdt):
    obj = sdt.compile(sdt.write("odd.c", ODD), "-fno-pie")
    sdt.command("objcopy", "--rename-section", ".text=.te*/xt", obj)
    sdt.sdtlink("--companion=odd.out.c", "--freestanding", obj)
    sdt.compile(sdt.path("odd.out.c"), "-Wall", "-Wextra", "-Werror")


def test_words_of_a_companion_in_c(sdt):
    """Names, types, and a file's name that a compiler and an assembler must read back."""
    source = sdt.write('a "name"\t\\n.c', """
#define SDT_CALL_SITES
#include <sdt/probe.h>
int odd(const char *what, int n);
int odd(const char *what, int n)
{
    SDT_PROBE(words, odd, SDT_STR(what), SDT_NAMED("count", n));
    __asm__ volatile("" ::: "memory");
    return n;
}
""")
    obj = sdt.path("odd.o")
    sdt.command("gcc", "-O2", "-fno-pie", "-I", INCLUDE, "-c", source, "-o", obj)
    listed = []
    for name in ("companion.o", "companion.c"):
        sdt.sdtlink("--companion", "--freestanding", "-o", name, obj)
        companion = sdt.path(name)
        if name.endswith(".c"):
            companion = sdt.compile(companion, "-fno-pie")
        listed += [{key: value for key, value in site.items() if key not in ("file", "module")}
                   for site in json.loads(sdt.sdtlink("list", "--json", companion).stdout)]
    assert listed[0] == listed[1]
    assert "count" in str(listed[0]["fields"]) and listed[0]["place"].startswith(str(source))
