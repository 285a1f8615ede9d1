# SPDX-License-Identifier: BSD-2-Clause
"""The second reader and notes of <sys/sdt.h> on riscv64, where each is a NOP of two bytes: right
files pass, and each kind of damage is reported by name."""
import re
import struct

import pytest

from conftest import INCLUDE
from cross import compiled, need
from machines import RISCV64
from patched import (CALL, COMPANION, INLINE, LIVE, MODULE, MOVED, NOP1, PC, R_NONE, STUB,
                     assert_all_named, assert_named, changed, copy_record, flip, needs_verify, note,
                     set_kind, shift)
from test_machine_verify import made_of  # noqa: F401 (made_of is a fixture)
from test_riscv64 import CLANG, GCC, LINKERS, linked
from test_riscv64_verify import (C_EBREAK, C_NOP, MOVED_FLAG, NOP, add, half, on_entry, on_site,
                                 run_into, word)
from test_riscv64_verify_objects import (ADD32, CALL_PLT, HI20, LABEL, LO12, PCREL32, RELAX,
                                         SHORTER, Relocations, into, lose_anchor, more, of)

pytestmark = [needs_verify, pytest.mark.riscv64]

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
def noted(made_of):  # noqa: F811
    """The same with a note, which is a site like the others."""
    made = made_of(RISCV64)
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


OFF_NOTE = "v:note: expected c.nop, found"
ENTRY_CALLS = "v:note: expected the entry to call what"
ENTRY_GOES_ON = "v:note: expected the entry to go on at"
AN_ENTRY = "v:note: expected an entry for the site at"
NOTED = {
    # sites
    "a breakpoint": (on_site(NOP1, half, 0, C_EBREAK), OFF_NOTE + " 02 90"),
    "a nop of four bytes": (on_site(NOP1, word, 0, NOP), OFF_NOTE + " 13 00"),
    "another hint": (on_site(NOP1, half, 0, 0x0005), OFF_NOTE + " 05 00"),
    "a shifted note": (lambda f: shift(f, NOP1, PC), OFF_NOTE),
    "a note inside an instruction": (run_into(NOP1),
                                     "v:note: expected the start of an instruction, but"),
    # entries
    "an entry on the caller's stack": (on_entry(NOP1, half, 0, C_NOP), AN_ENTRY),
    "an entry with too much stack": (on_entry(NOP1, half, 0, 0x1101), AN_ENTRY),
    "an entry that stores t0": (on_entry(NOP1, half, 2, 0xE416), AN_ENTRY),
    "an entry that stores elsewhere": (on_entry(NOP1, half, 2, 0xE01A), AN_ENTRY),
    "an entry by t0": (on_entry(NOP1, add, 4, -0x80), AN_ENTRY),
    "an entry of another page": (on_entry(NOP1, add, 4, 1 << 12), ENTRY_CALLS),
    "an entry of inline sites' functions": (on_entry(NOP1, add, 8, -(8 << 20)), ENTRY_CALLS),
    "an entry that loads a word": (on_entry(NOP1, add, 8, -0x1000), AN_ENTRY),
    "an entry that jumps": (on_entry(NOP1, word, 12, 0x00030067), AN_ENTRY),
    "an entry that loses ra": (on_entry(NOP1, word, 12, 0x000300E7), AN_ENTRY),
    "an entry that calls at an offset": (on_entry(NOP1, add, 12, 4 << 20), AN_ENTRY),
    "an entry that goes on elsewhere": (on_entry(NOP1, add, 16, 2), ENTRY_GOES_ON),
    "an entry that does not go on": (on_entry(NOP1, word, 16, 0), ENTRY_GOES_ON),
    "an entry with more code": (on_entry(NOP1, word, 20, NOP), AN_ENTRY),
    "an entry of another record": (on_entry(NOP1, add, 24, 32),
                                   "v:note: expected the entry to name its record at"),
    "an entry of another probe": (on_entry(NOP1, add, 28, 16),
                                  "v:note: expected the entry to name its record at"),
    "an inline site's entry": (
        lambda f: f.put(f.at(f.stub(NOP1)), bytes(f.data[f.at(f.stub(INLINE)):][:24])), AN_ENTRY),
    # records
    "a record of no entry": (lambda f: shift(f, NOP1, STUB, by=16), AN_ENTRY),
    "flags that are not live": (lambda f: flip(f, NOP1, LIVE),
                                "v:note: expected the flag of live flags at the site of a note"),
    "a moved note": (lambda f: flip(f, NOP1, MOVED), f"v:note: {MOVED_FLAG}"),
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
        lambda f: f.add(f.record(NOP1)[1] + MODULE, "<i",
                        f.site(NOP1) - f.symbol("v_note_semaphore")),
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
    "a way back by its section": (of(".text.sdt_entry", PCREL32, Relocations.resection, 16),
                                  "v:note: " + LABEL),
    "a way back by another type": (of(".text.sdt_entry", PCREL32, into(ADD32), 16), ENTRY_GOES_ON),
    "an entry that goes on elsewhere": (of(".text.sdt_entry", PCREL32, more(2), 16), ENTRY_GOES_ON),
    "an entry that may shrink": (of(".text.sdt_entry", LO12, into(RELAX)), "v:note: " + SHORTER),
    "an entry of half a pair": (of(".text.sdt_entry", LO12, into(R_NONE)), ENTRY_CALLS),
    "an entry that calls elsewhere": (of(".text.sdt_entry", HI20, more(-8)), ENTRY_CALLS),
    "an entry with a distance more": (
        of(".text.sdt_entry", PCREL32,
           lambda r, at: r.file.put(at, struct.pack("<Q", 20)), 28), AN_ENTRY),
}


@pytest.mark.parametrize("damage", NOTED_OBJECT)
def test_damage_to_an_object_with_a_note_is_named(sdt, noted, damage):
    change, message = NOTED_OBJECT[damage]
    assert_named(sdt, message, changed(noted.path("noted.sdt.o"), change))
