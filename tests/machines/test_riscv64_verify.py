# SPDX-License-Identifier: BSD-2-Clause
"""The second reader on riscv64: right files of every compiler and linker pass, with and without
relaxation, and each kind of damage is reported by name: bytes changed with pyelftools, in an object
and in a linked file."""
import re
import struct

import pytest

from companion import Companion
from conftest import INCLUDE, PROGRAMS, ROOT, Toolbox
from cross import compiled, need, targets  # noqa: F401 (targets is a fixture)
from patched import (CALL, ENABLED, ENABLED_TAIL, FLAGS, INLINE, NARGS, PATCH, PC, PROBE, R_NONE,
                     STUB, TAIL, Patched, assert_all_named, assert_named, copy_record, flip,
                     needs_verify, note, set_kind, shift)
from test_riscv64 import CLANG, COMPILERS, GCC, LINKERS, linked

pytestmark = [needs_verify, pytest.mark.riscv64]

ASM = ROOT / "tests" / "asm"
C_NOP, C_EBREAK, RET, NOP = 0x0001, 0x9002, 0x8082, 0x00000013
INLINE_SOURCE = """
#include <sdt/probe.h>
long work(long a, int b, double c, const char *d);
long work(long a, int b, double c, const char *d)
{
    SDT_PROBE(v, inline, a, b, d, -5);
    if (SDT_PROBE_ENABLED(v, inline))
        a += (long)c;
    return a + b;
}
"""
MAIN = "int main(void) { return 0; }\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Compiled, processed and linked once; tests change copies. One object has all: `ld -r` joins
    what as and cc made."""
    need(GCC)
    sdt = Toolbox(tmp_path_factory.mktemp("made"))
    parts = [compiled(sdt, GCC, source=ASM / "riscv64_verify.S", name="forms.o"),
             compiled(sdt, f"{GCC} -O2 -fPIC -I {INCLUDE}", name="inline.o",
                      source=sdt.write("inline.c", INLINE_SOURCE))]
    sdt.command("riscv64-linux-gnu-ld", "-r", *parts, "-o", sdt.path("raw.o"))
    sdt.process(sdt.path("raw.o"), name="all.o")
    main = compiled(sdt, GCC, source=sdt.write("main.c", MAIN), name="main.o")
    linked(sdt, main, sdt.path("all.o"), name="exe")
    sdt.process(compiled(sdt, f"{GCC} -O2 -fPIC", name="f.o"), name="compiled.o")
    sdt.process(compiled(sdt, f"{GCC} -O2 -fPIC -mno-relax", name="g.o"), name="fixed.o")
    return sdt


# ---- right files ----

def test_the_files_as_they_are_pass(made):
    exe = made.path("exe")
    assert made.sdtlink("verify", exe).stdout == f"{exe}: 7 sites, 3 probes: ok\n"
    said = made.sdtlink("verify", "--against", made.path("raw.o"), made.path("all.o")).stdout
    assert said.endswith("7 sites, 3 probes: ok\n"), said


@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_compiler_passes(sdt, compiler):
    need(compiler.split()[0])
    inline = sdt.write("inline.c", INLINE_SOURCE)
    for source in (PROGRAMS / "machine_forms.c", inline, PROGRAMS / "machine_run.c"):
        obj = compiled(sdt, compiler, "-I", INCLUDE, source=source)
        out = sdt.process(obj)
        said = sdt.sdtlink("verify", "--against", obj, out).stdout
        assert re.search(r": [2-9] sites, [1-3] probes?: ok\n$", said), said


@pytest.mark.parametrize("relaxed", [True, False], ids=["relaxed", "not"])
@pytest.mark.parametrize("linker", LINKERS)
def test_every_linker_passes(sdt, made, linker, relaxed):
    """Executables, static and stripped ones, libraries, and objects that are linked again; -r of
    mold puts one section in two groups. In a stripped file nothing tells where functions begin."""
    inputs = [made.path("compiled.o" if relaxed else "fixed.o"), made.path("all.o")]
    shapes = {"a.out": [], "static": ["-static"], "library": ["-shared"], "fixed": ["-no-pie"],
              "stripped": ["-s"], "again.o": ["-r", "-nostdlib"]}
    if linker == "mold":
        del shapes["again.o"]
    if not relaxed:
        shapes = {name: [*flags, "-Wl,--no-relax"] for name, flags in shapes.items()}
    files = [linked(sdt, *inputs, *flags, linker=linker, name=name)
             for name, flags in shapes.items()]
    said = sdt.sdtlink("verify", *files).stdout.splitlines()
    assert said[:4] == [f"{file}: 12 sites, 6 probes: ok" for file in files[:4]]
    assert said[4] == (f"{files[4]}: 12 sites, 6 probes: ok (12 without a function symbol: "
                       "instruction boundaries not checked)")
    assert len(said) == len(files)
    for line in said[5:]:
        assert re.match(re.escape(f"{files[5]}: 12 sites, 6 probes: ok") + r"( \(linked again with "
                        r"-r: \d+ without SHF_LINK_ORDER to their section\))?$", line), line


@pytest.mark.nosan  # the runtime is cross-compiled
@pytest.mark.parametrize("flags", [["-Wl,--gc-sections"], ["-flto"],
                                   ["-DSDT_CALL_SITES", "-static"]], ids=["gc", "lto", "static"])
def test_what_the_launcher_links_passes(sdt, targets, flags):
    """Whole programs with the runtime: what gcc's LTO makes, and what garbage collection leaves."""
    need(GCC)
    sdt.command(sdt.tool, f"--runtime-directory={targets('riscv64') / 'lib'}", GCC, "-O2", *flags,
                "-pthread", "-ffunction-sections", "-I", INCLUDE, PROGRAMS / "machine_run.c",
                PROGRAMS / "machine_emulated.c", "-o", sdt.path("a.out"))
    assert re.search(r": [4-9] sites, 3 probes: ok\n$",
                     sdt.sdtlink("verify", sdt.path("a.out")).stdout)


ODD = """
    .text
    .globl odd
    .type odd, %function
odd:
    j 1f
    .half 0x0013                    /* the first half of an instruction, but for `$d` */
    .half 0xffff
    .byte 0, 0
1:  .insn r 0x0b, 0, 0, a0, a0, a0  /* custom-0: unknown to LLVM */
    .insn 0x0057                    /* likewise, of V */
    .insn 0x8c00                    /* likewise, of two bytes */
    addi sp, sp, -16
    call __dtrace_sdt_v___odd
    tail __dtrace_sdt_v___odd
    .size odd, .-odd
    .balign 4
    .half 0x0013
"""


def test_what_llvm_does_not_know_is_read_over(sdt):
    """Instructions of extensions, by the length that their first bits tell; and data, by symbols of
    the assembler. clang writes none, and its code comes next: data ends at the next function."""
    text = ODD.replace(".insn 0x0057", ".option push\n.option norvc\n.insn 0x0057\n.option pop")
    objects = [compiled(sdt, GCC, source=sdt.write("odd.s", text), name="odd.o")]
    for clang in CLANG:
        need(clang.split()[0])
        objects.append(compiled(sdt, f"{clang} -O2 -I {INCLUDE} -Dwork=work{len(objects)}",
                                source=sdt.write("inline.c", INLINE_SOURCE),
                                name=f"{len(objects)}.o"))
    main = compiled(sdt, GCC, source=sdt.write("main.c", MAIN), name="main.o")
    outs = [sdt.process(obj, name=f"out{i}.o") for i, obj in enumerate(objects)]
    exe = linked(sdt, *outs, main)
    assert sdt.sdtlink("verify", *outs, exe).stdout.count(": ok\n") == len(outs) + 1
    file = Patched(exe)
    put_call(file, file.symbol("odd") + 2, stub(file))  # in the table
    assert sdt.sdtlink("verify", file.save("table")).stdout.endswith(": ok\n")


def test_words_of_tables_are_no_branches(sdt, made):
    """Data among the code that looks like a call of a stub; the symbol table says what it is."""
    file = Patched(made.path("exe"))
    table = file.symbol("room") + 14
    word(file, table, jal(1, table, stub(file)))
    assert sdt.sdtlink("verify", file.save("table")).stdout.endswith(": ok\n")


# ---- instructions, made here ----

def pair(source, to, first, second):
    """auipc and another one, with the distance in them."""
    distance = to - source
    upper = distance + 0x800 >> 12
    return struct.pack("<II", first | (upper & 0xFFFFF) << 12,
                       second | (distance - (upper << 12) & 0xFFF) << 20)


def put_call(file, at, to, first=0x97, second=0x80E7):
    file.put(file.at(at), pair(at, to, first, second))


def jal(register, source, to):
    d = to - source
    return (0x6F | register << 7 | (d >> 12 & 0xFF) << 12 | (d >> 11 & 1) << 20 |
            (d >> 1 & 0x3FF) << 21 | (d >> 20 & 1) << 31)


def beqz(source, to):
    d = to - source
    return (0x50063 | (d >> 11 & 1) << 7 | (d >> 1 & 0xF) << 8 | (d >> 5 & 0x3F) << 25 |
            (d >> 12 & 1) << 31)


def c_j(source, to):
    d = to - source
    return (0xA001 | (d >> 1 & 7) << 3 | (d >> 4 & 1) << 11 | (d >> 5 & 1) << 2 |
            (d >> 6 & 1) << 7 | (d >> 7 & 1) << 6 | (d >> 8 & 3) << 9 | (d >> 10 & 1) << 8 |
            (d >> 11 & 1) << 12)


def c_bnez(source, to):
    d = to - source
    return (0xE101 | (d >> 1 & 3) << 3 | (d >> 3 & 3) << 10 | (d >> 5 & 1) << 2 |
            (d >> 6 & 3) << 5 | (d >> 8 & 1) << 12)


def lead(file, at):
    """Where auipc at AT leads with the 12 bits that end the next four bytes."""
    first, second = (file.get(file.at(at) + i, "<I") for i in (0, 4))
    upper, lower = first & 0xFFFFF000, second >> 20
    return at + (upper ^ 1 << 31) - (1 << 31) + (lower ^ 1 << 11) - (1 << 11)


# ---- changes of the linked file ----

def stub(file, kind=CALL):
    return file.follow(file.record(kind)[0], STUB)


def word(file, address, value):
    file.put(file.at(address), struct.pack("<I", value & 0xFFFFFFFF))


def half(file, address, value):
    file.put(file.at(address), struct.pack("<H", value))


def add(file, address, delta):
    word(file, address, file.get(file.at(address), "<I") + delta)


def on_site(kind, change, at, value):
    return lambda file: change(file, file.site(kind) + at, value)


def on_loader(change, at, value):
    return lambda file: change(file, lead(file, file.site(TAIL)) + at, value)


def on_stub(change, at, value):
    return lambda file: change(file, stub(file) + at, value)


def on_entry(change, at, value):
    return lambda file: change(file, stub(file, INLINE) + at, value)


def in_room(make, put=None):
    """The first bytes of an empty function become what MAKE says of their address and a stub's."""
    def change(file):
        room = file.symbol("room")
        (put or word)(file, room, make(room, stub(file)))
    return change


def run_into(file):
    """A longer instruction, whose second half is the site's first."""
    half(file, file.site(CALL) - 4, C_NOP)
    half(file, file.site(CALL) - 2, 0x0013)


NOP1 = 11
COMPANION, LIVE, MOVED = 2, 4, 8
MOVED_FLAG = "expected the moved flag at tail and enabled-tail sites of companions, and only there"
OFF_CALL = "v:call: expected auipc ra and addi zero, ra, found"
OFF_INLINE = "v:inline: expected auipc t1 and addi zero, t1, found"
OFF_TAIL = "v:tail: expected auipc t2, c.jr ra and half a jr by t2, found"
NO = "v:call: expected nop and li a0, 0, of four bytes each, found"
NO_TAIL = "v:call: expected nop of four bytes, c.li a0, 0 and c.jr ra, found"
A_LOADER, A_STUB = "v:tail: expected a loader for the site at", "expected the probe's stub"
AN_ENTRY = "v:inline: expected an entry for the site at"
A_RECORD = "(room+0x0): expected a record of this "
LINKED = {
    # sites
    "an armed call": (on_site(CALL, half, 4, 0x80E7), OFF_CALL),
    "a breakpoint": (on_site(CALL, half, 4, C_EBREAK), OFF_CALL),
    "a tracer's breakpoint": (on_site(CALL, half, 0, C_EBREAK), OFF_CALL),
    "a call by t0": (on_site(CALL, add, 0, 0x200), OFF_CALL),
    "a call by another base": (on_site(CALL, add, 4, 5 << 15), OFF_CALL),
    "a call that changes ra": (on_site(CALL, add, 4, 0x80), OFF_CALL),
    "a call to elsewhere": (on_site(CALL, add, 4, 2 << 20),
                            "v:call: expected the displacement to lead to the stub at"),
    "a call of another page": (on_site(CALL, add, 0, 1 << 12),
                               "v:call: expected the displacement to lead to the stub at"),
    "a shifted call": (lambda f: shift(f, CALL, PC, PATCH), OFF_CALL),
    "a call inside an instruction": (run_into, "v:call: expected the start of an instruction, but"),
    "a shifted patch": (lambda f: shift(f, CALL, PATCH), "v:call: expected the patch byte at"),
    "a site outside": (lambda f: f.put(f.record(CALL)[1] + PC, struct.pack("<i", 1 << 30)),
                       "expected the record's pc word to lead into the file"),
    "a site in data": (lambda f: [shift(f, CALL, at, by=f.symbol("room") + 14 - f.site(CALL))
                                  for at in (PATCH, PC)], OFF_CALL),
    "an armed tail": (on_site(TAIL, half, 4, 0x8067), OFF_TAIL),
    "a tail with a breakpoint": (on_site(TAIL, half, 4, C_EBREAK), OFF_TAIL),
    "a tail by t1": (on_site(TAIL, add, 0, -0x80), OFF_TAIL),
    "a tail that goes on": (on_site(TAIL, half, 4, C_NOP), OFF_TAIL),
    "half a jump by t0": (on_site(TAIL, add, 4, -0x10000), OFF_TAIL),
    "a tail to elsewhere": (on_site(TAIL, add, 4, 2 << 20), A_LOADER),
    "a tail out of the file": (on_site(TAIL, add, 0, 0x40000 << 12),
                               "v:tail: expected the displacement to lead to a loader"),
    "an answer that is yes": (on_site(ENABLED, half, 6, 0x0010), NO),
    "an answer of two bytes": (on_site(ENABLED, word, 4, 0x00014501), NO),
    "an answer in a1": (on_site(ENABLED, add, 4, 0x80), NO),
    "an answer that is off by nops": (on_site(ENABLED, word, 0, C_NOP << 16 | C_NOP), NO),
    "a last answer that is yes": (on_site(ENABLED_TAIL, half, 4, 0x4505), NO_TAIL),
    "a last answer without end": (on_site(ENABLED_TAIL, half, 6, C_NOP), NO_TAIL),
    "an armed inline site": (on_site(INLINE, half, 4, 0x0067), OFF_INLINE),
    "an inline site with a breakpoint": (on_site(INLINE, half, 4, C_EBREAK), OFF_INLINE),
    "an inline site by t2": (on_site(INLINE, add, 0, 0x80), OFF_INLINE),
    "an inline site of another entry": (on_site(INLINE, add, 4, 16 << 20),
                                        "v:inline: expected the displacement to lead to the entry"),
    # loaders
    "a loader of another": (on_loader(add, 20, 2), "v:tail: expected the loader to name the patch"),
    "a loader by t0": (on_loader(add, 0, -0x100), A_LOADER),
    "a loader that reads elsewhere": (on_loader(add, 4, 4 << 20), A_LOADER),
    "a loader of half a word": (on_loader(add, 4, -0x1000), A_LOADER),
    "a loader that adds nothing": (on_loader(half, 8, C_NOP), A_LOADER),
    "a loader without its nop": (on_loader(half, 10, RET), A_LOADER),
    "a loader that calls": (on_loader(add, 16, 0x80), A_LOADER),
    "a loader that jumps by t2": (on_loader(add, 16, 1 << 15), A_LOADER),
    "a loader that enters at 0": (lambda f: put_call(f, lead(f, f.site(TAIL)) + 12, stub(f, TAIL),
                                                     0x317, 0x30067),
                                  "v:tail: expected the loader to enter the stub at"),
    # stubs
    "a stub that forgets": (on_stub(half, 0, C_NOP), A_STUB),
    "a stub that is 2 short": (on_stub(half, 2, 0x13F9), A_STUB),
    "a stub that jumps too far": (on_stub(half, 4, 0xA019), A_STUB),
    "a stub that does not return": (on_stub(half, 6, C_NOP), A_STUB),
    "a stub by t1": (on_stub(add, 8, 0x80), A_STUB),
    "a stub that reads elsewhere": (on_stub(add, 12, 4 << 20), A_STUB),
    "a stub that adds nothing": (on_stub(half, 16, C_NOP), A_STUB),
    "a stub that loads a word": (on_stub(add, 18, -0x1000), A_STUB),
    "a stub that asks otherwise": (on_stub(add, 22, 0x1000), A_STUB),
    "a stub that goes elsewhere": (on_stub(add, 22, 0x100), A_STUB),
    "a stub that calls": (on_stub(half, 26, 0x9302), A_STUB),
    "a stub of another probe": (on_stub(add, 28, 64), "expected the stub to name its probe at"),
    # entries
    "an entry that calls elsewhere": (on_entry(add, 4, 8 << 20),
                                      "v:inline: expected the entry to call what"),
    "an entry of another page": (on_entry(add, 0, 1 << 12),
                                 "v:inline: expected the entry to call what"),
    "an entry by t0": (on_entry(add, 0, -0x80), AN_ENTRY),
    "an entry that loads a word": (on_entry(add, 4, -0x1000), AN_ENTRY),
    "an entry that jumps": (on_entry(word, 8, 0x00030067), AN_ENTRY),
    "an entry that loses ra": (on_entry(word, 8, 0x000300E7), AN_ENTRY),
    "an entry that calls at an offset": (on_entry(add, 8, 4 << 20), AN_ENTRY),
    "an entry that does not come back": (on_entry(add, 16, 0x80), AN_ENTRY),
    "an entry that goes on elsewhere": (on_entry(add, 16, 4 << 20),
                                        "v:inline: expected the entry to go on at"),
    "an entry without its nop": (on_entry(word, 20, 0), AN_ENTRY),
    "an entry of another record": (on_entry(add, 24, 32),
                                   "v:inline: expected the entry to name its record at"),
    "an entry of another probe": (on_entry(add, 28, 64),
                                  "v:inline: expected the entry to name its record at"),
    "a record of no entry": (lambda f: shift(f, INLINE, STUB, by=16), AN_ENTRY),
    # uses without a record
    "a forgotten call": (
        lambda f: put_call(f, f.symbol("room"), stub(f)),
        A_RECORD + "`auipc` to __sdt_stub_v___call, found 97"),
    "a forgotten tail call": (
        lambda f: put_call(f, f.symbol("room"), stub(f) + 8, 0x317, 0x30067),
        A_RECORD + "`auipc` to __sdt_stub_v___call, found 17 03"),
    "a forgotten call by t0": (lambda f: put_call(f, f.symbol("room"), stub(f), 0x297, 0x282E7),
                               A_RECORD + "`auipc` to __sdt_stub_v___call"),
    "a forgotten relaxed call": (in_room(lambda a, b: jal(1, a, b)),
                                 A_RECORD + "`jal` to __sdt_stub_v___call"),
    "a forgotten jump": (in_room(lambda a, b: jal(0, a, b)),
                         A_RECORD + "`j` to __sdt_stub_v___call"),
    "a forgotten branch": (in_room(beqz), A_RECORD + "`beqz` to __sdt_stub_v___call"),
    "a forgotten short jump": (in_room(c_j, half), A_RECORD + "`j` to __sdt_stub_v___call"),
    "a forgotten short branch": (in_room(c_bnez, half), A_RECORD + "`bnez` to __sdt_stub_v___call"),
    "a forgotten disabled call": (
        lambda f: put_call(f, f.symbol("room"), stub(f), second=0x8013),
        A_RECORD + "disabled site, found 97"),
    # records
    "a lost record of a call": (lambda f: copy_record(f, TAIL, CALL),
                                "(v_call+0x8): expected a record of this disabled site"),
    "a lost record of a tail": (lambda f: copy_record(f, CALL, TAIL),
                                "(v_tail+0x2): expected a record of this disabled site"),
    "a lost inline record": (lambda f: copy_record(f, CALL, INLINE),
                             "expected a record of this disabled site"),
    "a record twice": (lambda f: copy_record(f, TAIL, CALL),
                       "v:tail: expected one record of this site, found"),
    "an invented flag": (lambda f: flip(f, CALL, MOVED),
                         f"v:call: {MOVED_FLAG}"),
    "a companion's flag": (lambda f: flip(f, CALL, COMPANION),
                           "v:call: expected no companion flag in section"),
    "a call6": (lambda f: set_kind(f, CALL, 2), "v:call: unknown kind 2"),
    "a condition": (lambda f: set_kind(f, CALL, 6), "v:call: unknown kind 6"),
    "a nop1": (lambda f: set_kind(f, CALL, NOP1), "v:call: expected c.nop, found"),
    "flags that are live": (lambda f: flip(f, INLINE, LIVE), "v:inline: unknown flags 0x44"),
    "a tail of a call": (lambda f: set_kind(f, CALL, TAIL),
                         "v:call: expected auipc t2, c.jr ra and half a jr by t2, found"),
    "another probe": (lambda f: f.add(f.record(CALL)[1] + PROBE, "<i",
                                      f.follow(f.record(TAIL)[0], PROBE) -
                                      f.follow(f.record(CALL)[0], PROBE)),
                      "expected the record to name the probe's stub"),
    "an argument less": (lambda f: f.put(f.record(INLINE)[1] + NARGS, b"\3"),
                         "v:inline: expected a descriptor of 3 arguments, found"),
    "a note elsewhere": (lambda f: f.add(note(f, "call") + 20, "<Q", 4),
                         "v:call: expected a note for tracers at this site"),
    "a note of another": (lambda f: f.put(note(f, "inline") + 46, b"I"),
                          "v:inline: expected a note for tracers at this site"),
}


def test_every_damage_to_a_linked_file_is_named(made, sdt):
    assert_all_named(sdt, LINKED, made.path("exe"))


# ---- changes of the object ----

CALL_PLT, HI20, LO12, ADD32, RELAX, PCREL32, ADDRESS = 19, 23, 24, 35, 51, 57, 2


class Relocations:
    """Those of one section of an object, to be changed."""

    def __init__(self, file, name):
        self.file, self.name = file, name

    def find(self, kind, offset=None):
        """File offset of the first one of this type, or of that at OFFSET."""
        return next(at for at, rela in self.file.relas(".rela" + self.name)
                    if rela["r_info_type"] == kind and offset in (None, rela["r_offset"]))

    def retype(self, at, kind):
        self.file.put(at + 8, struct.pack("<I", kind))

    def aim(self, at, symbol, addend):
        """The relocation at AT names symbol number SYMBOL."""
        self.file.put(at + 12, struct.pack("<Iq", symbol, addend))

    def resection(self, at):
        """It names the section instead of a label there: right until a linker moves the code."""
        symbols = self.file.section(".symtab")
        label = symbols.get_symbol(self.file.get(at + 12, "<I"))
        assert label["st_info"]["type"] == "STT_NOTYPE"
        self.aim(at, number(self.file, None, label["st_shndx"]),
                 self.file.get(at + 16, "<q") + label["st_value"])


def number(file, name, section=None):
    """Of the symbol of that name, or of that section's."""
    return next(i for i, symbol in enumerate(file.section(".symtab").iter_symbols())
                if (symbol.name == name if name else symbol["st_shndx"] == section and
                    symbol["st_info"]["type"] == "STT_SECTION"))


def at_site(function, skip, change):
    """CHANGE(relocations of .text, offset of the site that lies SKIP bytes into FUNCTION)."""
    return lambda file: change(Relocations(file, ".text"), file.symbol(function) + skip)


def let_shrink(relocations, offset):
    """The tool has made R_RISCV_NONE of R_RISCV_RELAX, without a symbol."""
    at, = [at for at, rela in relocations.file.relas(".rela.text") if rela["r_offset"] == offset and
           rela["r_info_type"] == R_NONE and rela["r_info_sym"] == 0]
    relocations.retype(at, RELAX)
    return at


def lose_anchor(relocations, offset):
    for at, rela in relocations.file.relas(".rela.text"):
        if rela["r_offset"] == offset and rela["r_info_type"] == R_NONE:
            relocations.aim(at, 0, 0)


def relocate_second(relocations, offset):
    at = let_shrink(relocations, offset)
    relocations.file.put(at, struct.pack("<QIIq", offset + 4, LO12,
                                         number(relocations.file, "v_leaf"), 0))


def call_twice(relocations, offset):
    at = let_shrink(relocations, offset)
    relocations.retype(at, CALL_PLT)
    relocations.aim(at, number(relocations.file, "__sdt_stub_v___call"), 0)


def of(name, kind, change, offset=None):
    """CHANGE(relocations of section NAME, file offset of the first one of that type)."""
    def apply(file):
        relocations = Relocations(file, name)
        change(relocations, relocations.find(kind, offset))
    return apply


def more(delta):
    return lambda relocations, at: relocations.file.add(at + 16, "<q", delta)


def by_function(relocations, at):
    """From the beginning of the function: that is where a call may shrink."""
    file = relocations.file
    label = file.section(".symtab").get_symbol(file.get(at + 12, "<I"))
    function = file.symbol("v_call")
    assert function < label["st_value"] < function + 24
    relocations.aim(at, number(file, "v_call"),
                    file.get(at + 16, "<q") + label["st_value"] - function)


def of_call(word_at, change):
    """The relocation of a word of v:call's record."""
    def apply(file):
        first = next(rela["r_offset"] for _, rela in file.relas(".relasdt_sites")
                     if rela["r_info_type"] == PCREL32 and rela["r_offset"] % 32 == PC and
                     file.section(".symtab").get_symbol(rela["r_info_sym"])["st_value"] ==
                     file.symbol("v_call") + 12)
        of("sdt_sites", PCREL32, change, first - PC + word_at)(file)
    return apply


def text_half(function, at, value):
    def change(file):
        start = file.section(".text")["sh_offset"] + file.symbol(function) + at
        file.put(start, struct.pack("<H", value))
    return change


SHORTER = "expected code that linkers do not shorten, found relocation type 51"
LABEL = "expected a relocation against a label of the site at .text+0x"
OBJECT = {
    "an anchor that is gone": (at_site("v_call", 12, lose_anchor),
                               "v:call: expected R_RISCV_NONE here against sdt_sites"),
    "an anchor of a tail": (at_site("v_tail", 2, lose_anchor),
                            "v:tail: expected R_RISCV_NONE here against sdt_sites"),
    "a call that may shrink": (at_site("v_call", 12, let_shrink), "v:call: " + SHORTER),
    "a tail that may shrink": (at_site("v_tail", 2, let_shrink), "v:tail: " + SHORTER),
    "an answer that may shrink": (at_site("v_ask", 12, let_shrink), "v:call: " + SHORTER),
    "a loader that may shrink": (of(".text.sdt_loader", PCREL32,
                                    lambda r, at: r.retype(at, RELAX)), "v:tail: " + SHORTER),
    "an entry that may shrink": (of(".text.sdt_entry", LO12, lambda r, at: r.retype(at, RELAX)),
                                 "v:inline: " + SHORTER),
    "a stub that may shrink": (of(".text.sdt_stub", PCREL32, lambda r, at: r.retype(at, RELAX)),
                               SHORTER),
    "a call without its branch": (
        at_site("v_call", 12, lambda r, at: r.retype(r.find(CALL_PLT, at), R_NONE)),
        "v:call: expected the displacement to lead to the stub at"),
    "a call of the second entry": (
        at_site("v_call", 12, lambda r, at: more(8)(r, r.find(CALL_PLT, at))),
        "v:call: expected the displacement to lead to the stub at"),
    "a call of another probe": (
        at_site("v_call", 12, lambda r, at: r.aim(r.find(CALL_PLT, at),
                                                  number(r.file, "__sdt_stub_v___tail"), 0)),
        "v:call: expected the displacement to lead to the stub at"),
    "a call that is relocated twice": (at_site("v_call", 12, call_twice),
                                       "v:call: expected the displacement to lead to the stub at"),
    "a call whose second half has its own": (
        at_site("v_call", 12, relocate_second),
        "v:call: expected the displacement to lead to the stub at"),
    "a tail of another's loader": (
        at_site("v_tail", 2, lambda r, at: more(24)(r, r.find(CALL_PLT, at))),
        "v:tail: expected the loader to name the patch byte"),
    "an answer with a branch": (
        at_site("v_ask", 12, lambda r, at: r.file.put(
            let_shrink(r, at) + 8, struct.pack("<IIq", CALL_PLT, number(r.file, "v_leaf"), 0))),
        NO),
    "an unrecorded call": (
        at_site("v_call", 4, lambda r, at: r.aim(r.find(CALL_PLT, at),
                                                 number(r.file, "__sdt_stub_v___call"), 0)),
        "(v_call+0x4): expected a record of this `auipc` to __sdt_stub_v___call, found 97"),
    "a pc by its section": (of_call(PC, Relocations.resection),
                            "v:call: " + LABEL),
    "a patch by its section": (of_call(PATCH, Relocations.resection), "v:call: " + LABEL),
    "a pc by its function": (of_call(PC, by_function), "found one against v_call"),
    "a loader's patch by its section": (of(".text.sdt_loader", PCREL32, Relocations.resection),
                                        "v:tail: " + LABEL),
    "a way back by its section": (of(".text.sdt_entry", CALL_PLT, Relocations.resection),
                                  "v:inline: " + LABEL),
    "a note by its section": (of(".note.stapsdt", ADDRESS, Relocations.resection), LABEL),
    "a stub of another probe": (of(".text.sdt_stub", PCREL32, more(8)),
                                "expected the stub to name its probe at"),
    "a loader that enters at 0": (of(".text.sdt_loader", CALL_PLT, more(-8)),
                                  "v:tail: expected the loader to enter the stub at"),
    "an entry that calls elsewhere": (of(".text.sdt_entry", HI20, more(8)),
                                      "v:inline: expected the entry to call what"),
    "an entry of half a pair": (of(".text.sdt_entry", LO12, lambda r, at: r.retype(at, R_NONE)),
                                "v:inline: expected the entry to call what"),
    "an entry whose pair is another's": (
        of(".text.sdt_entry", LO12, lambda r, at: r.aim(at, number(r.file, "v_leaf"), 0)),
        "v:inline: expected the entry to call what"),
    "an entry whose pair adds": (of(".text.sdt_entry", LO12, more(4)),
                                 "v:inline: expected the entry to call what"),
    "an entry whose pair names the section": (
        of(".text.sdt_entry", LO12, Relocations.resection),
        "v:inline: expected the entry to call what"),
    "an entry that goes on elsewhere": (of(".text.sdt_entry", CALL_PLT, more(4)),
                                        "v:inline: expected the entry to go on at"),
    "a word of another type": (of("sdt_sites", PCREL32, lambda r, at: r.retype(at, ADD32)),
                               "expected R_RISCV_32_PCREL, found relocation type 35"),
    "another instruction": (text_half("v_tail", 0, 0x0509), "expected the byte 05 of the original"),
    "a call that does not shrink any more": (
        at_site("v_call", 4, lambda r, at: r.retype(r.find(RELAX, at), R_NONE)),
        "expected the relocation of the original here"),
}


@pytest.mark.parametrize("damage", OBJECT)
def test_damage_to_an_object_is_named(sdt, made, damage):
    file = Patched(made.path("all.o"))
    change, message = OBJECT[damage]
    change(file)
    assert_named(sdt, message, "--against", made.path("raw.o"), file.save("bad.o"))


@pytest.mark.parametrize("compiler", [f"{GCC} -O2", f"{GCC} -O2 -mno-relax",
                                      *[f"{clang} -O2" for clang in CLANG]])
def test_an_argument_where_the_compiler_did_not_say(sdt, compiler):
    """Record and note agree; only .sdt_args of the original knows better."""
    need(compiler.split()[0])
    obj = compiled(sdt, f"{compiler} -I {INCLUDE}", source=sdt.write("inline.c", INLINE_SOURCE))
    file = Patched(sdt.process(obj))
    places = list(re.finditer(rb"-8@([as])(\d)", bytes(file.data)))
    assert len(places) == 2
    for place in places:
        file.put(place.start(2), b"6" if place[2] != b"6" else b"5")
    assert_named(sdt, "v:inline: expected argument 1 where the compiler said it is", "--against",
                 obj, file.save("bad.o"))


# ---- notes of <sys/sdt.h> ----

NOTED_SOURCE = """
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
__extension__ unsigned short v_note_semaphore __attribute__((section(".probes")));
long noted(long a, long *b);
long v_leaf(void);
long noted(long a, long *b)
{
    b[0] = b[1] + v_leaf();
    STAP_PROBE2(v, note, a, b);
    return a + b[1];
}
"""


@pytest.fixture(scope="module")
def noted(made):
    """The same with a note, which is a site like the others."""
    obj = compiled(made, f"{GCC} -O2 -fPIC -I {INCLUDE}/sdt-compat", name="noted.o",
                   source=made.write("noted.c", NOTED_SOURCE))
    made.process(obj, name="noted.sdt.o")
    linked(made, made.path("main.o"), made.path("all.o"), made.path("noted.sdt.o"), name="noted")
    return made


def test_notes_as_they_are_pass(noted):
    said = noted.sdtlink("verify", noted.path("noted")).stdout
    assert said.endswith(": 8 sites, 4 probes: ok\n"), said
    said = noted.sdtlink("verify", "--against", noted.path("noted.o"),
                         noted.path("noted.sdt.o")).stdout
    assert said.endswith(": 1 site, 1 probe: ok\n"), said


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("compiler", [f"{GCC} -O2", *[f"{clang} -Os" for clang in CLANG[-1:]]])
def test_every_compiler_and_linker_of_notes_passes(sdt, noted, compiler, linker):
    need(compiler.split()[0])
    obj = compiled(sdt, f"{compiler} -fPIC -ffunction-sections -I {INCLUDE}/sdt-compat",
                   source=sdt.write("noted.c", NOTED_SOURCE))
    out = sdt.process(obj)
    files = [out] + [
        linked(sdt, noted.path("main.o"), noted.path("all.o"), out, *flags, linker=linker,
               name=name)
        for name, flags in {"static": ["-static", "-Wl,--gc-sections", "-Wl,-u,noted"],
                            "library": ["-shared"]}.items()]
    said = sdt.sdtlink("verify", *files).stdout.splitlines()
    assert len(said) == 3 and said[2] == f"{files[2]}: 8 sites, 4 probes: ok"
    for line in said[:2]:
        assert re.search(r": [1-8] sites?, [1-4] probes?: ok$", line), line


def on_note_entry(change, at, value):
    return lambda file: change(file, stub(file, NOP1) + at, value)


def run_into_note(file):
    half(file, file.site(NOP1) - 4, C_NOP)
    half(file, file.site(NOP1) - 2, 0x0013)


OFF_NOTE = "v:note: expected c.nop, found"
A_NOTE_ENTRY = "v:note: expected an entry for the site at"
NOTED = {
    # sites
    "a breakpoint": (on_site(NOP1, half, 0, C_EBREAK), OFF_NOTE + " 02 90"),
    "a nop of four bytes": (on_site(NOP1, word, 0, NOP), OFF_NOTE + " 13 00"),
    "another hint": (on_site(NOP1, half, 0, 0x0005), OFF_NOTE + " 05 00"),
    "a shifted note": (lambda f: shift(f, NOP1, PC, PATCH), OFF_NOTE),
    "a shifted patch": (lambda f: shift(f, NOP1, PATCH), "v:note: expected the patch byte at"),
    "a note inside an instruction": (run_into_note,
                                     "v:note: expected the start of an instruction, but"),
    # entries
    "an entry on the caller's stack": (on_note_entry(half, 0, C_NOP), A_NOTE_ENTRY),
    "an entry with too much stack": (on_note_entry(half, 0, 0x1101), A_NOTE_ENTRY),
    "an entry that stores t0": (on_note_entry(half, 2, 0xE416), A_NOTE_ENTRY),
    "an entry that stores elsewhere": (on_note_entry(half, 2, 0xE01A), A_NOTE_ENTRY),
    "an entry by t0": (on_note_entry(add, 4, -0x80), A_NOTE_ENTRY),
    "an entry of another page": (on_note_entry(add, 4, 1 << 12),
                                 "v:note: expected the entry to call what"),
    "an entry of inline sites' functions": (on_note_entry(add, 8, -(8 << 20)),
                                            "v:note: expected the entry to call what"),
    "an entry that loads a word": (on_note_entry(add, 8, -0x1000), A_NOTE_ENTRY),
    "an entry that jumps": (on_note_entry(word, 12, 0x00030067), A_NOTE_ENTRY),
    "an entry that loses ra": (on_note_entry(word, 12, 0x000300E7), A_NOTE_ENTRY),
    "an entry that calls at an offset": (on_note_entry(add, 12, 4 << 20), A_NOTE_ENTRY),
    "an entry that goes on elsewhere": (on_note_entry(add, 16, 2),
                                        "v:note: expected the entry to go on at"),
    "an entry that does not go on": (on_note_entry(word, 16, 0),
                                     "v:note: expected the entry to go on at"),
    "an entry with more code": (on_note_entry(word, 20, NOP), A_NOTE_ENTRY),
    "an entry of another record": (on_note_entry(add, 24, 32),
                                   "v:note: expected the entry to name its record at"),
    "an entry of another probe": (on_note_entry(add, 28, 64),
                                  "v:note: expected the entry to name its record at"),
    "an inline site's entry": (
        lambda f: f.put(f.at(stub(f, NOP1)), bytes(f.data[f.at(stub(f, INLINE)):][:24])),
        A_NOTE_ENTRY),
    # records
    "a record of no entry": (lambda f: shift(f, NOP1, STUB, by=16), A_NOTE_ENTRY),
    "flags that are not live": (lambda f: flip(f, NOP1, LIVE),
                                "v:note: expected the flag of live flags at the site of a note"),
    "a moved note": (lambda f: flip(f, NOP1, MOVED),
                     f"v:note: {MOVED_FLAG}"),
    "a companion's flag": (lambda f: flip(f, NOP1, COMPANION),
                           "v:note: expected no companion flag in section"),
    "a note that we made": (lambda f: flip(f, NOP1, 64), "v:note: unknown flags 0x74"),
    "an inline site": (lambda f: set_kind(f, NOP1, INLINE),
                       "v:note: expected auipc t1 and addi zero, t1, found"),
    "a call": (lambda f: set_kind(f, NOP1, CALL),
               "v:note: expected auipc ra and addi zero, ra, found"),
    "a lost record": (lambda f: copy_record(f, CALL, NOP1),
                      "expected a record of this disabled site, found 41 11 1a e4"),
    "a semaphore in the code": (
        lambda f: f.add(f.record(NOP1)[1] + 20, "<i", f.site(NOP1) - f.symbol("v_note_semaphore")),
        "v:note: expected the semaphore word to lead to writable memory"),
    "a note elsewhere": (lambda f: f.add(note(f, "note") + 20, "<Q", 2),
                         "v:note: expected a note for tracers at this site"),
}


def test_every_damage_to_a_note_is_named(noted, sdt):
    assert_all_named(sdt, NOTED, noted.path("noted"))


def at_note(change):
    """CHANGE(relocations of .text, offset of the note's site)."""
    def apply(file):
        anchor = next(rela["r_offset"] for _, rela in file.relas(".rela.text")
                      if rela["r_info_type"] == R_NONE and rela["r_info_sym"])
        change(Relocations(file, ".text"), anchor)
    return apply


NOTED_OBJECT = {
    "an anchor that is gone": (at_note(lose_anchor),
                               "v:note: expected R_RISCV_NONE here against sdt_sites"),
    "a nop that is relocated": (at_note(lambda r, at: r.file.put(
        r.find(CALL_PLT), struct.pack("<Q", at))), OFF_NOTE),
    "a nop that may go": (at_note(lambda r, at: r.file.put(
        r.find(RELAX), struct.pack("<Q", at))), "v:note: " + SHORTER),
    "a pc by its section": (of("sdt_sites", PCREL32, Relocations.resection, PC),
                            "v:note: " + LABEL),
    "a patch by its section": (of("sdt_sites", PCREL32, Relocations.resection, PATCH),
                               "v:note: " + LABEL),
    "a way back by its section": (of(".text.sdt_entry", PCREL32, Relocations.resection, 16),
                                  "v:note: " + LABEL),
    "a way back by another type": (of(".text.sdt_entry", PCREL32, lambda r, at: r.retype(at, ADD32),
                                      16), "v:note: expected the entry to go on at"),
    "an entry that goes on elsewhere": (of(".text.sdt_entry", PCREL32, more(2), 16),
                                        "v:note: expected the entry to go on at"),
    "an entry that may shrink": (of(".text.sdt_entry", LO12, lambda r, at: r.retype(at, RELAX)),
                                 "v:note: " + SHORTER),
    "an entry of half a pair": (of(".text.sdt_entry", LO12, lambda r, at: r.retype(at, R_NONE)),
                                "v:note: expected the entry to call what"),
    "an entry that calls elsewhere": (of(".text.sdt_entry", HI20, more(-8)),
                                      "v:note: expected the entry to call what"),
    "an entry with a distance more": (
        of(".text.sdt_entry", PCREL32,
           lambda r, at: r.file.put(at, struct.pack("<Q", 20)), 28), A_NOTE_ENTRY),
}


@pytest.mark.parametrize("damage", NOTED_OBJECT)
def test_damage_to_an_object_with_a_note_is_named(sdt, noted, damage):
    file = Patched(noted.path("noted.sdt.o"))
    change, message = NOTED_OBJECT[damage]
    change(file)
    assert_named(sdt, message, file.save("bad.o"))


# ---- companions ----

COMPANION_SOURCE = """
#include <sdt/probe.h>
long one(long a), two(long a), more(long a);
long one(long a)
{
    a += more(a);
    SDT_PROBE(c, one, a);
    return a + 1;
}
long two(long a)
{
    SDT_PROBE(c, two, a);
    return a + 2;
}
"""


@pytest.fixture(scope="module")
def companion(made):
    """An object, its companion, both linked, and both joined by `ld -r`."""
    made.write("companion.c", COMPANION_SOURCE)
    made.write("more.c", "long more(long a);\nlong more(long a) { return a; }\n" + MAIN)
    obj = compiled(made, f"{GCC} -O1 -mno-relax -DSDT_CALL_SITES -fno-optimize-sibling-calls "
                   f"-I {INCLUDE}", source=made.path("companion.c"), name="sites.o")
    compiled(made, f"{GCC} -O1", source=made.path("more.c"), name="more.o")
    made.sdtlink("--companion", "-o", made.path("companion.o"), obj)
    linked(made, obj, made.path("companion.o"), made.path("more.o"), name="called")
    made.command("riscv64-linux-gnu-ld", "-r", obj, made.path("companion.o"), made.path("more.o"),
                 "-o", made.path("joined.o"))
    return made


def test_companions_as_they_are_pass(companion):
    for name in ("companion.o", "called", "joined.o"):
        said = companion.sdtlink("verify", companion.path(name)).stdout
        assert said.startswith(f"{companion.path(name)}: 2 sites, 2 probes: ok"), said


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("clang", CLANG[-1:])
def test_every_linker_of_companions_passes(sdt, companion, clang, linker):
    need(clang.split()[0])
    obj = compiled(sdt, f"{clang} -O2 -fPIC -mno-relax -DSDT_CALL_SITES -I {INCLUDE} "
                   "-fno-optimize-sibling-calls", source=companion.path("companion.c"))
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    for flags in ([], ["-static", "-Wl,--gc-sections"]):
        exe = linked(sdt, obj, sdt.path("companion.o"), companion.path("more.o"), *flags,
                     linker=linker)
        assert sdt.sdtlink("verify", exe).stdout == f"{exe}: 2 sites, 2 probes: ok\n"


def second_record_lost(file):
    """Both of the records say what the first one says."""
    address, offset = file.record(CALL)
    for at in range(0, 28, 4):
        value = file.get(offset + at, "<i")
        file.put(offset + 32 + at, struct.pack("<i", value and value - 32))


A_COMPANION = "c:one: expected auipc and jalr by ra, to the probe's stub, found"
CALLED = {
    "a call that is off": (on_site(CALL, half, 4, 0x8013), A_COMPANION),
    "a breakpoint": (on_site(CALL, half, 4, C_EBREAK), A_COMPANION),
    "a jump": (on_site(CALL, add, 4, -0x80), A_COMPANION),
    "a call by t0": (on_site(CALL, add, 0, 0x200), A_COMPANION),
    "a call to elsewhere": (on_site(CALL, add, 4, 2 << 20), A_COMPANION),
    "a relaxed call": (lambda f: word(f, f.site(CALL), jal(1, f.site(CALL), stub(f))), A_COMPANION),
    "a shifted site": (lambda f: shift(f, CALL, PC, PATCH), A_COMPANION),
    "a shifted patch": (lambda f: shift(f, CALL, PATCH), "c:one: expected the patch byte at"),
    "another stub": (lambda f: shift(f, CALL, STUB, by=2), A_COMPANION),
    "a record of a tail call": (lambda f: set_kind(f, CALL, TAIL), f"c:one: {MOVED_FLAG}"),
    "a record of a question": (lambda f: set_kind(f, CALL, ENABLED),
                               "c:one: expected no companion of a site of kind 7 on this machine"),
    "a record of a note": (lambda f: set_kind(f, CALL, NOP1),
                           "c:one: expected no companion of a site of kind 11 on this machine"),
    "a lost flag": (lambda f: flip(f, CALL, COMPANION),
                    "c:one: expected the companion flag in section"),
    "flags that are live": (lambda f: flip(f, CALL, LIVE), "c:one: unknown flags 0x"),
    "a lost record": (second_record_lost, "expected a record of this `auipc` to "),
}


def test_every_damage_to_a_companion_is_named(companion, sdt):
    assert_all_named(sdt, CALLED, companion.path("called"), Companion)


def test_damage_to_the_object_of_a_companion_is_named(companion, sdt):
    file = Companion(companion.path("companion.o"))
    of("sdt_companion", PCREL32, more(2), PATCH)(file)
    assert_named(sdt, "c:one: expected the patch byte 4 bytes after the pc, the record says 6",
                 file.save("bad.o"))
    file = Companion(companion.path("joined.o"))
    at = next(at for at, rela in file.relas(".rela.text") if rela["r_info_type"] == CALL_PLT)
    Relocations(file, ".text").retype(at, RELAX)
    assert_named(sdt, "c:one: " + SHORTER, file.save("bad.o"))


# ---- what this machine does not have ----

def test_companions_of_other_sites_are_named(sdt, made):
    """sdtlink makes none of inline sites, and moves those of tail calls and questions; the second
    reader takes none of them for one of a branch that is still in the text."""
    sdt.command("riscv64-linux-gnu-objcopy", "--rename-section", "sdt_sites=sdt_companion",
                made.path("all.o"), sdt.path("renamed.o"))
    file = Patched(sdt.path("renamed.o"))
    for section in file.elf.iter_sections():
        if section.name == "sdt_companion":
            for at in range(section["sh_offset"], section["sh_offset"] + section["sh_size"], 32):
                file.put(at + FLAGS, struct.pack("<H", file.get(at + FLAGS, "<H") | COMPANION))
    bad = file.save("bad.o")
    assert_named(sdt, f"v:tail: {MOVED_FLAG}", bad)
    for label, kind in (("v:call", ENABLED), ("v:inline", INLINE)):
        assert_named(sdt, f"{label}: expected no companion of a site of kind {kind} on this "
                     "machine", bad)
    assert_named(sdt, "v:call: expected auipc and jalr by ra, to the probe's stub, found", bad)


def test_promises_of_handlers_are_named(sdt):
    """SDT_GENERAL_REGS is 0: the macro leaves no record, so there is nothing to follow."""
    handler = sdt.write("handler.c", "#include <sdt/runtime.h>\nvoid *taken(void);\n"
                        "SDT_GENERAL_REGS_HANDLER(on) { (void)event; (void)data; }\n"
                        "void *taken(void) { return (void *)on; }\n"
                        "_Static_assert(SDT_GENERAL_REGS == 0, \"no promise\");\n")
    obj = compiled(sdt, f"{GCC} -O2 -I {INCLUDE}", source=handler)
    assert sdt.sdtlink("verify", obj).stdout == f"{obj}: 0 sites, 0 probes: ok\n"
    record = sdt.write("record.s", "f: ret\n.section .sdt_handlers, \"a\"\n.long f - .\n"
                       ".asciz \"f\"\n")
    assert_named(sdt, "handlers+0x0: expected no handlers of general registers on this machine",
                 compiled(sdt, GCC, source=record, name="record.o"))


def test_a_big_endian_file_is_refused(sdt):
    obj = compiled(sdt, f"{GCC} -mbig-endian", source=sdt.write("main.c", MAIN))
    result = sdt.sdtlink("verify", obj, status=1)
    assert "a big-endian file: sdtlink makes no probes in such" in result.stderr
