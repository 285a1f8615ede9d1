# SPDX-License-Identifier: BSD-2-Clause
"""Fifty deliberate corruptions, each of which sdtlink verify must report by name.

One file with every form of a site (asm/forms_all.S), as an object and linked; one change a row; the
words that the report must have. The files as they are pass.
"""
import struct

import pytest

from conftest import ROOT
import usdt
from patched import (ARGS, CALL, CALL6, ENABLED, ENABLED_TAIL, JCC, MOVED, NAME, PC, PROBE,
                     R_NONE, RECORD, STUB, TAIL, TAIL6, assert_named, changed, copy_record, flip,
                     needs_verify, set_kind, shift)
from toolchain import NEWER_CLANG, cxx

ASM = ROOT / "tests" / "asm"

pytestmark = needs_verify


# ---- changes of the linked file ----

def jump_of(file, name):
    """Address of the conditional jump in function NAME: after a mov of 5 bytes and a cmp of 4."""
    address = file.symbol(name) + 9
    assert file.data[file.at(address)] == 0x0f
    return address


def aim_jcc(file, to):
    jump = jump_of(file, "fm_jcc")
    file.put(file.at(jump) + 2, struct.pack("<i", to - jump - 6))


def discard_function(file):
    """What linkers leave of a record whose function they dropped: distances to address 0."""
    address, offset = file.record(CALL)
    file.put(offset + PC, struct.pack("<i", -(address + PC)))


def in_room(file, opcode, to):
    room = file.symbol("room")
    file.put(file.at(room), opcode + struct.pack("<i", to - room - 5))


def aim_word(file, word, kind, other):
    """This word of the record of KIND leads where that of OTHER does."""
    (address, offset), (to, _) = file.record(kind), file.record(other)
    file.add(offset + word, "<i", file.follow(to, word) - file.follow(address, word))


def loader_of(file, kind):
    site = file.site(kind)
    return site + 5 + file.get(file.at(site) + 1, "<i")


def at_site(kind, place, data):
    """DATA replaces what is PLACE bytes after the site of KIND."""
    return lambda file: file.put(file.at(file.site(kind)) + place, data)


def note_of(file, name):
    """File offset of the note of probe forms:NAME."""
    section = file.section(".note.stapsdt")
    at = file.data.index(f"\0forms\0{name}\0".encode(), section["sh_offset"]) + 1
    return at - 44  # header, owner and three words


NOTE_PC, NOTE_BASE, NOTE_TEXT = 20, 28, 44


def exchange_notes(file):
    one, two = (note_of(file, name) + NOTE_PC for name in ("call", "jcc"))
    first, second = file.get(one, "<Q"), file.get(two, "<Q")
    file.put(one, struct.pack("<Q", second))
    file.put(two, struct.pack("<Q", first))


NO_JCC = "forms:jcc: expected one conditional jump that leads here, found 0"
MOVED_FLAG = "expected the moved flag at jcc and enabled-tail sites only"
NAMES_PATCH = "expected the loader to name the patch byte"
A_NOTE = "expected a note for tracers at this site"
LINKED = {
    "shift_note": (lambda f: f.add(note_of(f, "call") + NOTE_PC, "<Q", 1),
                   "forms:call: expected a site where this note leads, .text+"),
    "aim_note_at_nothing": (lambda f: f.put(note_of(f, "tail") + NOTE_PC, bytes(8)),
                            f"forms:tail: {A_NOTE}"),
    "exchange_notes": (exchange_notes, f"forms:jcc: {A_NOTE}"),
    "rename_note": (lambda f: f.put(note_of(f, "jcc") + NOTE_TEXT + len("forms."), b"J"),
                    f"forms:jcc: {A_NOTE}"),
    "lose_base": (lambda f: f.put(note_of(f, "call6") + NOTE_BASE, bytes(8)),
                  "forms:call6: expected the address of .stapsdt.base here"),
    "move_argument": (lambda f: f.put(f.data.index(b"%rdi", note_of(f, "tail6")), b"%rbx"),
                      "forms:tail6: expected the arguments \"8@%rdi 8@%rsi"),
    "cut_note": (lambda f: f.add(note_of(f, "call") + 4, "<I", -4),
                 ".note.stapsdt+0x0: expected three strings that end with the note"),
    "make_note_anothers": (lambda f: f.put(note_of(f, "call") + 12, b"S"),
                           "expected a stapsdt note of type 3 here"),
    "shift_site": (lambda f: shift(f, CALL, PC, by=1),
                   "expected nop and a 4-byte nop, found 66 0f 1f c0"),
    "nop_jcc": (lambda f: f.put(f.at(jump_of(f, "fm_jcc")), b"\x66\x0f\x1f\x44\0\0"), NO_JCC),
    "nop_jcc_of_question": (
        lambda f: f.put(f.at(jump_of(f, "fm_enabled_jcc")), b"\x66\x0f\x1f\x44\0\0"), NO_JCC),
    "aim_jcc_past_the_site": (lambda f: aim_jcc(f, f.site(JCC) + 5), NO_JCC),
    "aim_jcc_at_the_stub": (lambda f: aim_jcc(f, f.stub(JCC)),
                            "(fm_jcc+0x9): expected a record of this `jg`"),
    "make_jcc_a_jump": (lambda f: f.put(f.at(jump_of(f, "fm_jcc")), b"\x90\xe9"),
                        "(fm_jcc+0xa): forms:jcc: expected a conditional jump to"),
    "discard_function": (discard_function, "expected the record's pc word to lead into the file"),
    "call_stub": (lambda f: in_room(f, b"\xe8", f.stub()),
                  "(room+0x0): expected a record of this `callq`"),
    # Past the loader: it would enter the stub with whatever is in %r11.
    "jump_to_loader_entry": (lambda f: in_room(f, b"\xe9", f.stub(TAIL) + 8),
                             "(room+0x0): expected a record of this `jmp`"),
    "lose_record_of_call": (lambda f: copy_record(f, CALL6, CALL),
                            "(fm_call+0x4): expected a record of this disabled site"),
    "lose_record_of_call6": (lambda f: copy_record(f, CALL, CALL6),
                             "(fm_call6+0x4): expected a record of this disabled site"),
    "lose_record_of_tail": (lambda f: copy_record(f, CALL, TAIL),
                            "expected a record of this `jmp`"),
    "swap_kind": (lambda f: set_kind(f, CALL, ENABLED), "expected mov $0,%eax, found 90 66"),
    "swap_kind_of_tail6": (lambda f: set_kind(f, TAIL6, CALL6),
                           "expected nop and a 5-byte nop, found c3"),
    "swap_kind_of_jcc": (lambda f: set_kind(f, JCC, TAIL), MOVED_FLAG),
    "point_to_another_probe": (lambda f: aim_word(f, PROBE, CALL, TAIL),
                               "expected the record to name the probe's stub"),
    "aim_loader_at_another_stub": (
        lambda f: f.add_word(loader_of(f, TAIL) + 8, f.stub(CALL) - f.stub(TAIL)),
        "forms:tail: expected the loader to enter the stub at"),
    "aim_tail6_at_another_loader": (
        lambda f: f.word(f.site(TAIL6) + 1, loader_of(f, TAIL) - f.site(TAIL6) - 5),
        f"forms:tail6: {NAMES_PATCH}"),
    "let_jcc_site_jump_far": (at_site(JCC, 1, b"\x10"),
                              "forms:jcc: expected the displacement to lead to a loader"),
    "let_jcc_site_name_another": (lambda f: f.add_word(f.site(JCC) + 5 + 3, 5),
                                  f"forms:jcc: {NAMES_PATCH}"),
    "lose_moved_flag": (lambda f: flip(f, JCC, MOVED), f"{MOVED_FLAG}, and at each jcc"),
    "invent_moved_flag": (lambda f: flip(f, CALL, MOVED), f"forms:call: {MOVED_FLAG}"),
    "answer_yes": (at_site(ENABLED, 1, b"\1"), "expected mov $0,%eax, found b8 01 00 00 00"),
    "answer_yes_in_a_tail": (at_site(ENABLED_TAIL, 1, b"\1"),
                             "expected push $0, pop %rax, ret, int3, found 6a 01"),
    "arm_tail": (at_site(TAIL, 0, b"\xe9"),
                 "forms:tail: expected ret and a displacement, found e9"),
    "leave_a_breakpoint": (at_site(CALL, 1, b"\xcc"),
                           "expected nop and a 4-byte nop, found 90 cc"),
    "change_sixth_byte": (at_site(TAIL6, 5, b"\x90"),
                          "forms:tail6: expected ret, a displacement and int3"),
    "change_prefix": (at_site(CALL6, 1, b"\x90"),
                      "forms:call6: expected nop and a 5-byte nop, found 90 90"),
    "lie_about_arguments": (lambda f: f.put(f.at(f.follow(f.record(TAIL6)[0], ARGS)), b"9"),
                            "forms:tail6: expected a descriptor of 6 arguments"),
}


# ---- changes of the object ----

def at_relocation(function, place, kind, change):
    """CHANGE(file, file offset of the relocation of this type PLACE bytes into FUNCTION)."""
    def apply(file):
        where = file.symbol(function) + place
        found, = [at for at, r in file.relas(".rela.text")
                  if (r["r_offset"], r["r_info_type"]) == (where, kind)]
        change(file, found)
    return apply


def lose(file, at):
    file.put(at + 12, struct.pack("<I", 0))  # an R_X86_64_NONE that names nothing


def lose_anchor_of_loaders(file):
    at, = [at for at, r in file.relas(".rela.text.sdt_loader") if r["r_info_type"] == R_NONE]
    lose(file, at)


def aim_jccs(file, change):
    """The addends of both conditional jumps become those that CHANGE makes of them."""
    places = []
    for function in ("fm_jcc", "fm_enabled_jcc"):
        at_relocation(function, 11, 2, lambda _, at: places.append(at + 16))(file)
    for place, addend in zip(places, change(*(file.get(place, "<q") for place in places))):
        file.put(place, struct.pack("<q", addend))


def name_another_probe(file):
    """Probe, stub and name of another, in agreement: only the original knows better."""
    first, second = dict(record_words(file, 0)), dict(record_words(file, 1))
    for word in (PROBE, STUB, NAME):
        file.put(first[word] + 8, file.data[second[word] + 8:second[word] + 24])


def record_words(file, index):
    for at, r in file.relas(".relasdt_sites"):
        if r["r_offset"] // RECORD.size == index:
            yield r["r_offset"] % RECORD.size, at


def record_one_site_twice(file):
    first = dict(record_words(file, 0))
    for word, at in record_words(file, 1):
        file.put(at + 8, file.data[first[word] + 8:first[word] + 24])
    start = file.section("sdt_sites")["sh_offset"]
    file.put(start + RECORD.size, file.data[start:start + RECORD.size])


def exchange_member(file, name):
    """The section NAME leaves the group of its text; another takes its place."""
    members = [i for i, s in enumerate(file.elf.iter_sections()) if s.name == name]
    victim = file.elf.get_section_index(".comment")
    for section in file.elf.iter_sections():
        if section["sh_type"] == "SHT_GROUP":
            words = struct.unpack(f"<{section['sh_size'] // 4}I", section.data())
            for member in members:
                if member in words[1:]:
                    at = section["sh_offset"] + 4 * words.index(member)
                    file.put(at, struct.pack("<I", victim))
                    return
    raise AssertionError(name)


def text(file, function, place):
    """File offset of the byte PLACE bytes into FUNCTION."""
    return file.section(".text")["sh_offset"] + file.symbol(function) + place


def call_probe_again(file, at):
    """A site's relocation is that of the call once more."""
    stub, = [i for i, s in enumerate(file.section(".symtab").iter_symbols())
             if s.name == "__sdt_stub_forms___call"]
    file.put(at, struct.pack("<QIIq", file.get(at, "<Q") + 1, 4, stub, -4))
    file.put(text(file, "fm_call", 4), b"\xe8\0\0\0\0")


def turn_condition_round(file):
    start = text(file, "fm_jcc", 9)
    assert file.data[start:start + 2] == b"\x0f\x8f"
    file.put(start + 1, b"\x8e")


def note_relocation(file, field):
    """File offset of the first relocation of FIELD of a note."""
    return next(at for at, r in file.relas(".rela.note.stapsdt") if r["r_offset"] == field)


def make_bundle_a_comdat(file):
    for section in file.elf.iter_sections():
        if section["sh_type"] == "SHT_GROUP" and section.data()[:4] == bytes(4):
            file.put(section["sh_offset"], struct.pack("<I", 1))
            return
    raise AssertionError


OBJECT = {
    "aim_note_elsewhere": (lambda f: f.add(note_relocation(f, NOTE_PC) + 16, "<q", 1), A_NOTE),
    "note_without_base": (
        lambda f: f.put(note_relocation(f, NOTE_BASE) + 8, struct.pack("<Q", 0)),
        "expected the address of .stapsdt.base here"),
    "make_bundle_a_comdat": (
        make_bundle_a_comdat,
        "expected this section in a group that is not a COMDAT group, for .text"),
    "lose_anchor": (at_relocation("fm_call6", 4, R_NONE, lose),
                    "forms:call6: expected R_X86_64_NONE here against sdt_sites"),
    "lose_anchor_of_jcc": (at_relocation("fm_jcc", 9, R_NONE, lose),
                           "forms:jcc: expected R_X86_64_NONE here against sdt_sites"),
    "lose_anchor_of_loaders": (
        lose_anchor_of_loaders,
        "forms:jcc: expected R_X86_64_NONE in this section against sdt_sites"),
    "aim_jcc_elsewhere": (lambda f: aim_jccs(f, lambda one, two: (one + 16, two)), NO_JCC),
    # One of the two records lies.
    "join_jccs": (lambda f: aim_jccs(f, lambda one, two: (one, one)),
                  "forms:jcc: expected one conditional jump that leads here, found 2"),
    # Each leads to what was made for the other: the question fires and the probe asks.
    "swap_the_jccs": (
        lambda f: aim_jccs(f, lambda one, two: (two, one)),
        "expected a record of __dtrace_sdt_forms___jcc, which the original names here"),
    "name_another_probe": (
        name_another_probe,
        "expected a record of __dtrace_sdt_forms___call, which the original names"),
    "record_one_site_twice": (record_one_site_twice, "expected one record of this site, found"),
    "call_probe_again": (at_relocation("fm_call", 4, R_NONE, call_probe_again),
                         "expected nop and a 4-byte nop, found e8"),
    # mov $43,%eax
    "change_text": (lambda f: f.put(text(f, "fm_jcc", 1), b"\x2b"),
                    "expected the byte 2a of the original"),
    "turn_condition_round": (turn_condition_round, "expected the byte 8f of the original"),
}
GROUPS = {
    "sdt_sites": "expected its section in the group of .text._Z5askedl",
    ".text.sdt_loader": "expected this section in the group of .text._Z5askedl",
}


@pytest.fixture
def raw(sdt):
    path = sdt.path("forms_all.o")
    sdt.command("gcc", "-g", "-c", ASM / "forms_all.S", "-o", path)
    return path


@pytest.fixture
def exe(sdt, raw):
    sdt.write("room.S", ".globl room, main\n.type room,@function\nroom: .skip 5, 0x90\nret\n"
                        ".size room,.-room\n.type main,@function\nmain: xor %eax,%eax\nret\n"
                        ".size main,.-main\n.section .note.GNU-stack,\"\",@progbits\n")
    return sdt.link(sdt.compile(sdt.path("room.S")), sdt.process(raw), runtime=None)


def test_the_files_as_they_are_pass(sdt, raw, exe):
    assert sdt.sdtlink("verify", exe).stdout == f"{exe}: 10 sites, 5 probes: ok\n"
    obj = sdt.path("forms_all.sdt.o")
    assert sdt.sdtlink("verify", "--against", raw, obj).stdout.endswith(
        "10 sites, 5 probes: ok\n")


@pytest.mark.parametrize("damage", LINKED)
def test_in_a_linked_file(sdt, exe, damage):
    change, message = LINKED[damage]
    assert_named(sdt, message, changed(exe, change))


@pytest.mark.parametrize("damage", OBJECT)
def test_in_an_object(sdt, raw, damage):
    change, message = OBJECT[damage]
    assert_named(sdt, message, "--against", raw, changed(sdt.process(raw), change))


@pytest.mark.parametrize("section", GROUPS)
def test_in_a_group(sdt, section):
    sdt.write("comdat.cc", """
extern "C" void __dtrace_sdt_a___b(long) noexcept;
__attribute__((noinline)) inline void asked(long x) { if (x > 5) __dtrace_sdt_a___b(x); }
void f(long x) { asked(x); asked(x + 1); }
""")
    obj = sdt.process(sdt.compile(sdt.path("comdat.cc"), "-Os", compiler=cxx(NEWER_CLANG)))
    assert sdt.sdtlink("verify", obj).stdout.endswith(": ok\n")
    bad = changed(obj, lambda file: exchange_member(file, section))
    assert_named(sdt, GROUPS[section], bad)


def test_the_note_of_a_nop1_site(sdt):
    """It is another's, and still there: as `<sys/sdt.h>` left it."""
    source = sdt.write("stock.c", "#include <sys/sdt.h>\n"
                       "int main(int argc, char **argv) { STAP_PROBE1(forms, nop, argc); "
                       "return argv == 0; }\n")
    stock = sdt.path("stock.o")
    sdt.command("gcc", "-O2", "-I", ROOT / "runtime" / "include" / "sdt-compat", "-c", source,
                "-o", stock)
    obj = sdt.process(stock)
    exe = sdt.link(obj, runtime=None)
    for path in (obj, exe):
        sdt.sdtlink("verify", path)
        bad = changed(path, lambda f: f.put(note_of(f, "nop") + NOTE_TEXT + len("forms."), b"N"))
        assert_named(sdt, f"forms:nop: {A_NOTE}", bad)
    bad = changed(exe, lambda file: file.add(note_of(file, "nop") + NOTE_PC, "<Q", 1))
    assert_named(sdt, f"forms:nop: {A_NOTE}", bad)


def test_the_room_of_a_nop11_site(sdt):
    """The file has exactly what was compiled: tracers look for it, and the runtime as well."""
    source = sdt.write("stock.c", "#include <sys/sdt.h>\n"
                       "int main(int argc, char **argv) { STAP_PROBE1(forms, room, argc); "
                       "return argv == 0; }\n")
    obj = sdt.process(sdt.compile(usdt.assembled(sdt, source)))
    exe = sdt.link(obj, runtime=None)
    site = bytes.fromhex("90" + usdt.ROOM)
    for path in (obj, exe):
        sdt.sdtlink("verify", path)
        assert "room" in sdt.sdtlink("list", path).stdout
        for at, byte in ((0, 0x66), (1, 0x90), (2, 0x66), (5, 0x44), (6, 0xe9), (10, 1)):
            bad = changed(path, lambda file: file.put(file.data.index(site) + at, bytes([byte])))
            assert_named(sdt, "forms:room: expected nop and a 10-byte nop", bad)
