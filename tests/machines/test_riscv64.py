# SPDX-License-Identifier: BSD-2-Clause
"""Objects for riscv64 on any host: what sdtlink makes of calls, tail calls and questions, in bfd,
lld and mold, with and without relaxation; what it refuses. qemu runs what needs no runtime."""
import collections
import functools
import re

import pytest

import cross
from conftest import INCLUDE, PROGRAMS
from cross import compiled, need
from elfview import ElfView, SITE
from toolchain import CLANGS, LLDS

pytestmark = pytest.mark.riscv64
linked = functools.partial(cross.linked, target="riscv64")
GCC = cross.gcc("riscv64")
OBJDUMP = "riscv64-linux-gnu-objdump"
CLANG = [cross.clang("riscv64", clang) for clang in CLANGS]
COMPILERS = [f"{GCC} -O0", f"{GCC} -O2", f"{GCC} -Os -ffunction-sections", f"{GCC} -O2 -mno-relax",
             f"{GCC} -O2 -fno-pie -mcmodel=medlow", *[f"{clang} -Os" for clang in CLANG],
             *[f"{clang} -O2 -mno-relax" for clang in CLANG]]
LLD = [lld for lld in LLDS if int(lld[4:]) >= 15]  # before, it does not relax
LINKERS = ["bfd", *LLD[-1:], "mold"]
MASK = 0xffffffff


@pytest.fixture(autouse=True)
def compilers():
    need(GCC, OBJDUMP)


def emulated(sdt, program):
    return cross.emulated(sdt, "riscv64", program).stdout


def relocations(sdt, file):
    """{(section, offset): [(type, symbol)]}, by readelf."""
    found, section = collections.defaultdict(list), None
    for line in sdt.run("readelf", "-rW", file).splitlines():
        if match := re.match(r"Relocation section '\.rela(\S+)'", line):
            section = match[1]
        elif match := re.match(r"([0-9a-f]{16})\s+[0-9a-f]+ (R_\w+)(?:\s+[0-9a-f]{16} (\S*))?",
                               line):
            found[section, int(match[1], 16)].append((match[2], match[3] or ""))
    return found


def uses(found):
    return {place: symbol for place, all_here in found.items() for _, symbol in all_here
            if symbol.startswith("__dtrace_sdt")}


def aligned(found):
    return {place for place, all_here in found.items() if ("R_RISCV_ALIGN", "") in all_here}


def words(exe, address, count):
    view = ElfView(exe)
    return [int.from_bytes(view.bytes(address + 4 * i, 4), "little") for i in range(count)]


def target(at, first, second):
    """Where auipc and jalr lead, computed here and not by the tool."""
    upper = (first & 0xfffff000) - ((first & 0x80000000) << 1)
    lower = (second >> 20) - ((second >> 31) << 12)
    return at + upper + lower


# ---- what becomes of an object ----

@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_call_becomes_a_site(sdt, compiler):
    """As many as readelf counts; none may be relaxed, all other pairs may as before."""
    obj = compiled(sdt, compiler)
    before = relocations(sdt, obj)
    places = uses(before)
    assert len(places) >= 5
    out = sdt.process(obj)
    after = relocations(sdt, out)
    assert not uses(after)
    assert sdt.run(sdt.tool, "list", "--json", out).count('"kind"') == len(places)
    for place, symbol in places.items():
        types = [kind for kind, _ in after[place]]
        assert "R_RISCV_RELAX" not in types
        assert ("R_RISCV_NONE", "sdt_sites") in after[place]
        leads = [to for kind, to in after[place] if kind == "R_RISCV_CALL_PLT"]
        assert leads == [] if "enabled" in symbol else len(leads) == 1
    relaxed = {place for place, found in before.items() if ("R_RISCV_RELAX", "") in found}
    kept = {place for place, found in after.items() if ("R_RISCV_RELAX", "") in found}
    assert kept == relaxed - set(places)
    assert aligned(after) == aligned(before)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("flags", [[], ["-mno-relax"]], ids=["relaxed", "not"])
def test_linked_sites_are_off_and_lead_to_their_probes(sdt, flags, linker):
    """In bytes that are decoded here; and the program has become shorter around them."""
    obj = compiled(sdt, f"{GCC} -O2", *flags)
    exe = linked(sdt, sdt.process(obj), linker=linker)
    view = ElfView(exe)
    sites = view.sites()
    assert collections.Counter(site.kind for site in sites) == \
        {"call": 1, "tail": 2, "enabled": 1, "enabled-tail": 1}
    for site in sites:
        first, second = words(exe, site.pc, 2)
        stub = view.symbol("__sdt_stub_" + site.title.replace(":", "___")).value
        assert site.stub == stub
        assert site.patch == site.pc + (6 if site.kind == "enabled" else 4)
        if site.kind == "call":
            assert first & 0xfff == 0x097 and second & 0xfffff == 0x08013
            assert target(site.pc, first, second) == stub
        elif site.kind == "tail":
            assert first & 0xfff == 0x397 and second & 0xfffff == 0x38082
            loader = target(site.pc, first, second)
            code = words(exe, loader, 6)
            assert (loader + code[5] - ((code[5] >> 31) << 32)) & MASK == site.patch & MASK
            assert target(loader + 12, code[3], code[4]) == stub + 8
        else:
            assert (first, second) == \
                (0x13, {"enabled": 0x00000513, "enabled-tail": 0x80824501}[site.kind])
        distance = words(exe, stub + 28, 1)[0]
        assert (stub + 8 + distance) & MASK == site.probe & MASK
    if not flags and linker != "mold":  # calls of one instruction have room for no site
        assert re.search(r"\tjal\t", sdt.run(OBJDUMP, "-d", "--no-show-raw-insn", exe))


@pytest.mark.parametrize("linker", LINKERS)
def test_a_program_computes_what_it_did(sdt, linker):
    obj = compiled(sdt, f"{GCC} -O2")
    control = compiled(sdt, f"{GCC} -O2", "-DCONTROL", name="control.o")
    wanted = emulated(sdt, linked(sdt, obj, control, linker=linker, name="control"))
    assert emulated(sdt, linked(sdt, sdt.process(obj), linker=linker)) == wanted


def test_labels_stay_out_of_the_symbol_table(sdt):
    exe = linked(sdt, sdt.process(compiled(sdt, f"{GCC} -O2")))
    assert ".Lsdt" not in sdt.run("readelf", "-sW", exe)


def test_a_partial_link_keeps_what_leads_to_sites(sdt):
    """ld -r moves sections together; the final link relaxes."""
    once = sdt.process(compiled(sdt, f"{GCC} -O2"))
    sdt.command("riscv64-linux-gnu-ld", "-r", once, "-o", sdt.path("joined.o"))
    exe = linked(sdt, sdt.path("joined.o"))
    assert len(ElfView(exe).sites()) == 5
    assert "5 sites as recorded" in sdt.run(sdt.tool, "finalize", exe)


@pytest.mark.parametrize("compiler", [f"{GCC} -O0", f"{GCC} -O2", *[f"{c} -O2" for c in CLANG]])
def test_macros_make_inline_sites(sdt, compiler):
    """Two instructions each, arguments in registers or constant; a leaf function stays one."""
    source = sdt.write("leaf.c", """
#include <sdt/probe.h>
long add(long a, int b, double c, const char *d);
long add(long a, int b, double c, const char *d)
{
    SDT_PROBE(p, n, a, b, c, d, -5, 1UL << 40, a + b);
    return a + b;
}
""")
    out = sdt.process(compiled(sdt, compiler, "-I", INCLUDE, source=source))
    assert re.findall(r'"kind": "(\S+)"', sdt.run(sdt.tool, "list", "--json", out)) == ["inline"]
    code = sdt.run(OBJDUMP, "-d", "--no-show-raw-insn", "-j", ".text", out)
    assert re.search(r"auipc\tt1,0x0\n.*\t(mv|addi?)\tzero,t1", code), code
    notes = sdt.run("readelf", "-n", out)
    reg = r"[ast]\d+"
    assert re.search(rf"Arguments: -8@{reg} -4@{reg} 8@{reg} 8@{reg} -4@(-5|{reg}) "
                     rf"8@(1099511627776|{reg}) -8@{reg}\n", notes), notes
    if "-O2" in compiler:
        assert not re.search(r"\bra\b|\bsp\b", code)


def test_macros_make_call_sites(sdt):
    source = sdt.write("web.c", """
#include <sdt/probe.h>
int serve(const char *path, int size, float weight);
int serve(const char *path, int size, float weight)
{
    if (SDT_PROBE_ENABLED(web, request__begin))
        SDT_PROBE(web, request__begin, path, size, weight, 7UL, 1, 2, 3, 4, (char)5, path);
    return size;
}
""")
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", INCLUDE]
    out = sdt.process(compiled(sdt, f"{GCC} -O2 -DSDT_CALL_SITES", *flags, source=source))
    said = sdt.run(sdt.tool, "list", out)
    assert re.search(r"web +\S+ +serve +request-begin +\.text\+0x\w+ +call +path: string, "
                     r"size: int32, weight: float, arg3: uint64", said), said
    notes = sdt.run("readelf", "-n", out)
    assert "8@a0 -4@a1 8@a2 8@a3 -4@a4 -4@a5 -4@a6 -4@a7 1@0(sp) 8@8(sp)" in notes


def test_markers_are_where_their_sites_are(sdt):
    """Behind calls that relaxation shortens: the list in the program has the final addresses."""
    source = sdt.write("markers.c", """
#include <sdt/marker.h>
#include <stdio.h>
__attribute__((noinline)) static int f(int a) { return puts("x") + a; }
int main(int c, char **v) { (void)v; f(c); f(c); MARKER(one); f(c); MARKER(two); return 0; }
""")
    obj = compiled(sdt, f"{GCC} -O1 -I {INCLUDE}", source=source)
    exe = linked(sdt, sdt.process(obj))
    view = ElfView(exe)
    section = view.section(".markers")
    sites = {site.title: site.pc for site in view.sites()}
    for name in ("one", "two"):
        at = section.data.index(name.encode() + b"\0") - 5
        distance = int.from_bytes(section.data[at:at + 4], "little", signed=True)
        assert section.address + at + distance == sites[f"marker:{name}"]
        assert section.data[at + 4] == 8


# ---- what processing leaves ----

def test_a_second_run_changes_nothing(sdt):
    once = sdt.process(compiled(sdt, f"{GCC} -O2"))
    assert sdt.process(once, name="twice.o").read_bytes() == once.read_bytes()


def test_dead_code_takes_its_records_along(sdt):
    source = sdt.write("dead.c", "void __dtrace_sdt_p___live(void), __dtrace_sdt_p___dead(void);\n"
                       "void dead(void);\nvoid dead(void) { __dtrace_sdt_p___dead(); }\n"
                       "int main(void) { __dtrace_sdt_p___live(); return 0; }\n")
    out = sdt.process(compiled(sdt, f"{GCC} -O2 -ffunction-sections", source=source))
    exe = linked(sdt, out, "-Wl,--gc-sections", linker=LLD[-1] if LLD else "mold")
    titles = [site.title for site in ElfView(exe).sites()]
    assert titles == ["p:live"]
    assert len(ElfView(exe).section("sdt_sites").data) == SITE.size * len(titles)


# ---- refusals ----

CALL = "void __dtrace_sdt_p___n(void);\nint f(void) { __dtrace_sdt_p___n(); return 1; }\n"
REFUSED = {
    "got": ("void f(void) { __asm__(\"la a0, __dtrace_sdt_p___n\"); }\n", [GCC, "-fPIC"],
            "the probe's address is loaded from the GOT", "compile without -fno-plt"),
    "jal": ("void f(void) { __asm__ volatile(\"jal ra, __dtrace_sdt_p___n\"); }\n", [GCC],
            "a branch of one instruction leads to the probe", "write `call` or `tail`"),
    "inline": ("void f(void) { __asm__(\"call __dtrace_sdtasm_p___n\"); }\n", [GCC],
               "this is not an inline probe site", "use SDT_PROBE"),
    "offset": ("void f(void) { __asm__ volatile(\"call __dtrace_sdt_p___n + 8\"); }\n", [GCC],
               "this is not a plain call", "without an offset"),
    "register": ("void f(void) { __asm__ volatile(\"call t0, __dtrace_sdt_p___n\"); }\n", [GCC],
                 "this is not a plain call", "call the probe's symbol itself"),
    "RV32": (CALL, [GCC, "-march=rv32gc", "-mabi=ilp32d"], "a 32-bit ELF file (RV32)",
             "-march=rv64gc"),
    "big-endian": (CALL, [GCC, "-mbig-endian"], "a big-endian ELF file", "-mlittle-endian"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_name(sdt, case):
    text, compiler, problem, remedy = REFUSED[case]
    obj = compiled(sdt, " ".join(compiler), source=sdt.write("bad.c", text))
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj, status=1)
    assert problem in result.stderr and remedy in result.stderr
    assert not sdt.path("out.o").exists()


def test_an_address_is_a_warning(sdt):
    """What takes a probe's address can still call it; it does nothing."""
    source = sdt.write("taken.c", "#include <stdio.h>\nvoid __dtrace_sdt_p___n(void);\n"
                       "void (*volatile taken)(void) = __dtrace_sdt_p___n;\n"
                       "int main(void) { taken(); puts(\"back\"); return 0; }\n")
    result = sdt.sdtlink("-o", sdt.path("out.o"), compiled(sdt, f"{GCC} -O2", source=source))
    assert "the probe's address is taken here" in result.stderr
    assert emulated(sdt, linked(sdt, sdt.path("out.o"))) == "back\n"
