# SPDX-License-Identifier: BSD-2-Clause
"""The second reader on riscv64: whole programs of the launcher, instructions that LLVM does not
know; each kind of damage to a linked file is reported by name: bytes changed with pyelftools. Right
files are in test_machine_verify.py; objects, notes and companions in test_riscv64_verify_*.py."""
import re
import struct

import pytest

from conftest import INCLUDE, PROGRAMS
from cross import compiled, need, targets  # noqa: F401 (targets is a fixture)
from machines import RISCV64
from patched import (CALL, COMPANION, ENABLED, ENABLED_TAIL, FLAGS, INLINE, LIVE, MOVED, NOP1,
                     PC, PROBE, RECORD, TAIL, Patched, assert_all_named, assert_named, copy_record,
                     flip, needs_verify, set_kind, shift)
from test_machine_verify import INLINE_SOURCE, MAIN, made_of  # noqa: F401 (made_of is a fixture)
from test_riscv64 import CLANG, GCC, linked

pytestmark = [needs_verify, pytest.mark.riscv64]

C_NOP, C_EBREAK, RET, NOP = 0x0001, 0x9002, 0x8082, 0x00000013
word, half, add = Patched.word, Patched.half, Patched.add_word


@pytest.fixture
def made(made_of):  # noqa: F811
    return made_of(RISCV64)


# ---- right files ----

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
    put_call(file, file.symbol("odd") + 2, file.stub())  # in the table
    assert sdt.sdtlink("verify", file.save("table")).stdout.endswith(": ok\n")


def test_words_of_tables_are_no_branches(sdt, made):
    """Data among the code that looks like a call of a stub; the symbol table says what it is."""
    file = Patched(made.path("exe"))
    table = file.symbol("room") + 14
    file.word(table, jal(1, table, file.stub()))
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

def on_site(kind, change, at, value):
    return lambda file: change(file, file.site(kind) + at, value)


def on_loader(change, at, value):
    return lambda file: change(file, lead(file, file.site(TAIL)) + at, value)


def on_stub(change, at, value):
    return lambda file: change(file, file.stub() + at, value)


def on_entry(kind, change, at, value):
    return lambda file: change(file, file.stub(kind) + at, value)


def in_room(make, put=None):
    """The first bytes of an empty function become what MAKE says of their address and a stub's."""
    def change(file):
        room = file.symbol("room")
        (put or word)(file, room, make(room, file.stub()))
    return change


def run_into(kind):
    """A longer instruction, whose second half is the first of the site of KIND."""
    def change(file):
        file.half(file.site(kind) - 4, C_NOP)
        file.half(file.site(kind) - 2, 0x0013)
    return change


MOVED_FLAG = "expected the moved flag at tail and enabled-tail sites of companions, and only there"
OFF_CALL = "v:call: expected auipc ra and addi zero, ra, found"
TO_STUB = "v:call: expected the displacement to lead to the stub at"
OFF_INLINE = "v:inline: expected auipc t1 and addi zero, t1, found"
OFF_TAIL = "v:tail: expected auipc t2, c.jr ra and half a jr by t2, found"
NO = "v:call: expected nop and li a0, 0, of four bytes each, found"
NO_TAIL = "v:call: expected nop of four bytes, c.li a0, 0 and c.jr ra, found"
A_LOADER, A_STUB = "v:tail: expected a loader for the site at", "expected the probe's stub"
AN_ENTRY = "v:inline: expected an entry for the site at"
ENTRY_CALLS = "v:inline: expected the entry to call what"
ENTRY_GOES_ON = "v:inline: expected the entry to go on at"
A_RECORD = "(room+0x0): expected a record of this "
LINKED = {
    # sites
    "an armed call": (on_site(CALL, half, 4, 0x80E7), OFF_CALL),
    "a breakpoint": (on_site(CALL, half, 4, C_EBREAK), OFF_CALL),
    "a tracer's breakpoint": (on_site(CALL, half, 0, C_EBREAK), OFF_CALL),
    "a call by t0": (on_site(CALL, add, 0, 0x200), OFF_CALL),
    "a call by another base": (on_site(CALL, add, 4, 5 << 15), OFF_CALL),
    "a call that changes ra": (on_site(CALL, add, 4, 0x80), OFF_CALL),
    "a call to elsewhere": (on_site(CALL, add, 4, 2 << 20), TO_STUB),
    "a call of another page": (on_site(CALL, add, 0, 1 << 12), TO_STUB),
    "a shifted call": (lambda f: shift(f, CALL, PC), OFF_CALL),
    "a call inside an instruction": (run_into(CALL),
                                     "v:call: expected the start of an instruction, but"),
    "a site in data": (lambda f: shift(f, CALL, PC, by=f.symbol("room") + 14 - f.site(CALL)),
                       OFF_CALL),
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
    "a loader that enters at 0": (lambda f: put_call(f, lead(f, f.site(TAIL)) + 12, f.stub(TAIL),
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
    "a stub of another probe": (on_stub(add, 28, 16), "expected the stub to name its probe at"),
    # entries
    "an entry that calls elsewhere": (on_entry(INLINE, add, 4, 8 << 20), ENTRY_CALLS),
    "an entry of another page": (on_entry(INLINE, add, 0, 1 << 12), ENTRY_CALLS),
    "an entry by t0": (on_entry(INLINE, add, 0, -0x80), AN_ENTRY),
    "an entry that loads a word": (on_entry(INLINE, add, 4, -0x1000), AN_ENTRY),
    "an entry that jumps": (on_entry(INLINE, word, 8, 0x00030067), AN_ENTRY),
    "an entry that loses ra": (on_entry(INLINE, word, 8, 0x000300E7), AN_ENTRY),
    "an entry that calls at an offset": (on_entry(INLINE, add, 8, 4 << 20), AN_ENTRY),
    "an entry that does not come back": (on_entry(INLINE, add, 16, 0x80), AN_ENTRY),
    "an entry that goes on elsewhere": (on_entry(INLINE, add, 16, 4 << 20), ENTRY_GOES_ON),
    "an entry without its nop": (on_entry(INLINE, word, 20, 0), AN_ENTRY),
    # uses without a record
    "a forgotten call": (lambda f: put_call(f, f.symbol("room"), f.stub()),
                         A_RECORD + "`auipc` to __sdt_stub_v___call, found 97"),
    "a forgotten tail call": (lambda f: put_call(f, f.symbol("room"), f.stub() + 8, 0x317, 0x30067),
                              A_RECORD + "`auipc` to __sdt_stub_v___call, found 17 03"),
    "a forgotten call by t0": (lambda f: put_call(f, f.symbol("room"), f.stub(), 0x297, 0x282E7),
                               A_RECORD + "`auipc` to __sdt_stub_v___call"),
    "a forgotten relaxed call": (in_room(lambda a, b: jal(1, a, b)),
                                 A_RECORD + "`jal` to __sdt_stub_v___call"),
    "a forgotten jump": (in_room(lambda a, b: jal(0, a, b)),
                         A_RECORD + "`j` to __sdt_stub_v___call"),
    "a forgotten branch": (in_room(beqz), A_RECORD + "`beqz` to __sdt_stub_v___call"),
    "a forgotten short jump": (in_room(c_j, half), A_RECORD + "`j` to __sdt_stub_v___call"),
    "a forgotten short branch": (in_room(c_bnez, half), A_RECORD + "`bnez` to __sdt_stub_v___call"),
    "a forgotten disabled call": (lambda f: put_call(f, f.symbol("room"), f.stub(), second=0x8013),
                                  A_RECORD + "disabled site, found 97"),
    # records
    "a lost record of a call": (lambda f: copy_record(f, TAIL, CALL),
                                "(v_call+0x8): expected a record of this disabled site"),
    "a lost record of a tail": (lambda f: copy_record(f, CALL, TAIL),
                                "(v_tail+0x2): expected a record of this disabled site"),
    "a record twice": (lambda f: copy_record(f, TAIL, CALL),
                       "v:tail: expected one record of this site, found"),
    "an invented flag": (lambda f: flip(f, CALL, MOVED), f"v:call: {MOVED_FLAG}"),
    "a companion's flag": (lambda f: flip(f, CALL, COMPANION),
                           "v:call: expected no companion flag in section"),
    "a condition": (lambda f: set_kind(f, CALL, 6), "v:call: unknown kind 6"),
    "a nop1": (lambda f: set_kind(f, CALL, NOP1), "v:call: expected c.nop, found"),
    "flags that are live": (lambda f: flip(f, INLINE, LIVE), "v:inline: unknown flags 0x44"),
    "a tail of a call": (lambda f: set_kind(f, CALL, TAIL),
                         "v:call: expected auipc t2, c.jr ra and half a jr by t2, found"),
    "another probe": (lambda f: f.add(f.record(CALL)[1] + PROBE, "<i",
                                      f.follow(f.record(TAIL)[0], PROBE) -
                                      f.follow(f.record(CALL)[0], PROBE)),
                      "expected the record to name the probe's stub"),
}


def test_every_damage_to_a_linked_file_is_named(made, sdt):
    assert_all_named(sdt, LINKED, made.path("exe"))


# ---- what this machine does not have ----

def test_companions_of_other_sites_are_named(sdt, made):
    """sdtlink makes none of inline sites, and moves those of tail calls and questions; the second
    reader takes none of them for one of a branch that is still in the text."""
    sdt.command("riscv64-linux-gnu-objcopy", "--rename-section", "sdt_sites=sdt_companion",
                made.path("all.o"), sdt.path("renamed.o"))
    file = Patched(sdt.path("renamed.o"))
    for section in file.elf.iter_sections():
        if section.name == "sdt_companion":
            for at in range(section["sh_offset"], section["sh_offset"] + section["sh_size"],
                            RECORD.size):
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
