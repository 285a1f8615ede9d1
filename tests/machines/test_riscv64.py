# SPDX-License-Identifier: BSD-2-Clause
"""Objects for riscv64 on any host: what sdtlink makes of calls, tail calls and questions, in bfd,
lld and mold, with and without relaxation."""
import collections
import re

import pytest

from conftest import INCLUDE
from cross import compiled, need
from elfview import ElfView
from machines import RISCV64
from test_machine_objects import LEAF

pytestmark = pytest.mark.riscv64
GCC, CLANG, LINKERS, linked = RISCV64.gcc, RISCV64.clangs, RISCV64.linkers, RISCV64.linked
OBJDUMP = "riscv64-linux-gnu-objdump"
COMPILERS = [f"{GCC} -O0", f"{GCC} -O2", f"{GCC} -Os -ffunction-sections", f"{GCC} -O2 -mno-relax",
             f"{GCC} -O2 -fno-pie -mcmodel=medlow", *[f"{clang} -Os" for clang in CLANG],
             *[f"{clang} -O2 -mno-relax" for clang in CLANG]]
MASK = 0xffffffff


@pytest.fixture(autouse=True)
def compilers():
    need(GCC, OBJDUMP)


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
        if site.kind == "call":
            assert first & 0xfff == 0x097 and second & 0xfffff == 0x08013
            assert target(site.pc, first, second) == stub
        elif site.kind == "tail":
            assert first & 0xfff == 0x397 and second & 0xfffff == 0x38082
            loader = target(site.pc, first, second)
            code = words(exe, loader, 6)
            assert (loader + code[5] - ((code[5] >> 31) << 32)) & MASK == (site.pc + 4) & MASK
            assert target(loader + 12, code[3], code[4]) == stub + 8
        else:
            assert (first, second) == \
                (0x13, {"enabled": 0x00000513, "enabled-tail": 0x80824501}[site.kind])
        distance = words(exe, stub + 28, 1)[0]
        assert (stub + 8 + distance) & MASK == site.probe & MASK
    if not flags and linker != "mold":  # calls of one instruction have room for no site
        assert re.search(r"\tjal\t", sdt.run(OBJDUMP, "-d", "--no-show-raw-insn", exe))


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
    source = sdt.write("leaf.c", LEAF)
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


def test_markers_are_where_their_sites_are(sdt):
    """After calls that relaxation shortens: the list in the program has the final addresses."""
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
