# SPDX-License-Identifier: BSD-2-Clause
"""Damage to objects for riscv64 is reported by name: relocations above all, among them those that
linkers would shorten, and those that lead to no label."""
import struct

import pytest

from machines import RISCV64
from patched import PC, R_NONE, assert_named, changed, needs_verify
from test_machine_verify import made_of  # noqa: F401 (made_of is a fixture)
from test_riscv64_verify import ENTRY_CALLS, ENTRY_GOES_ON, NO, TO_STUB

pytestmark = [needs_verify, pytest.mark.riscv64]

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


def into(kind):
    """It becomes one of another type."""
    return lambda relocations, at: relocations.retype(at, kind)


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
    "a loader that may shrink": (of(".text.sdt_loader", PCREL32, into(RELAX)),
                                 "v:tail: " + SHORTER),
    "an entry that may shrink": (of(".text.sdt_entry", LO12, into(RELAX)), "v:inline: " + SHORTER),
    "a stub that may shrink": (of(".text.sdt_stub", PCREL32, into(RELAX)), SHORTER),
    "a call without its branch": (
        at_site("v_call", 12, lambda r, at: r.retype(r.find(CALL_PLT, at), R_NONE)), TO_STUB),
    "a call of the second entry": (
        at_site("v_call", 12, lambda r, at: more(8)(r, r.find(CALL_PLT, at))), TO_STUB),
    "a call of another probe": (
        at_site("v_call", 12, lambda r, at: r.aim(r.find(CALL_PLT, at),
                                                  number(r.file, "__sdt_stub_v___tail"), 0)),
        TO_STUB),
    "a call that is relocated twice": (at_site("v_call", 12, call_twice), TO_STUB),
    "a call whose second half has its own": (at_site("v_call", 12, relocate_second), TO_STUB),
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
    "a pc by its section": (of_call(PC, Relocations.resection), "v:call: " + LABEL),
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
    "an entry that calls elsewhere": (of(".text.sdt_entry", HI20, more(8)), ENTRY_CALLS),
    "an entry of half a pair": (of(".text.sdt_entry", LO12, into(R_NONE)), ENTRY_CALLS),
    "an entry whose pair is another's": (
        of(".text.sdt_entry", LO12, lambda r, at: r.aim(at, number(r.file, "v_leaf"), 0)),
        ENTRY_CALLS),
    "an entry whose pair adds": (of(".text.sdt_entry", LO12, more(4)), ENTRY_CALLS),
    "an entry whose pair names the section": (of(".text.sdt_entry", LO12, Relocations.resection),
                                              ENTRY_CALLS),
    "an entry that goes on elsewhere": (of(".text.sdt_entry", CALL_PLT, more(4)), ENTRY_GOES_ON),
    "a word of another type": (of("sdt_sites", PCREL32, into(ADD32)),
                               "expected R_RISCV_32_PCREL, found relocation type 35"),
    "another instruction": (text_half("v_tail", 0, 0x0509), "expected the byte 05 of the original"),
    "a call that does not shrink any more": (
        at_site("v_call", 4, lambda r, at: r.retype(r.find(RELAX, at), R_NONE)),
        "expected the relocation of the original here"),
}


@pytest.mark.parametrize("damage", OBJECT)
def test_damage_to_an_object_is_named(sdt, made_of, damage):  # noqa: F811
    made = made_of(RISCV64)
    change, message = OBJECT[damage]
    bad = changed(made.path("all.o"), change)
    assert_named(sdt, message, "--against", made.path("raw.o"), bad)
