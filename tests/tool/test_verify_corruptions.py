# SPDX-License-Identifier: BSD-2-Clause
"""Fifty deliberate corruptions, each of which sdtlink verify must report by name.

One file with every form of a site (asm/forms_all.S), as an object and linked; one change a row; the
words that the report must have. The files as they are pass.
"""
import struct

import pytest

from conftest import ROOT
from patched import (ARGS, CALL, CALL6, ENABLED, ENABLED_TAIL, FLAGS, JCC, KIND, PATCH, PC, PROBE,
                     R_NONE, RECORD, STUB, TAIL, TAIL6, Patched, assert_named, copy_record,
                     needs_verify)
from toolchain import NEWER_CLANG, cxx

ASM = ROOT / "tests" / "asm"
MOVED = 8

pytestmark = needs_verify


# ---- changes of the linked file ----

def shift_site(file):
    _, offset = file.record(CALL)
    for word in (PATCH, PC):
        file.add(offset + word, "<i", 1)


def shift_patch_byte(file):
    file.add(file.record(CALL6)[1] + PATCH, "<i", -1)


def jump_of(file, name):
    """Address of the conditional jump in function NAME: after a mov of 5 bytes and a cmp of 4."""
    address = file.symbol(name) + 9
    assert file.data[file.at(address)] == 0x0f
    return address


def nop_jcc(file):
    file.put(file.at(jump_of(file, "fm_jcc")), b"\x66\x0f\x1f\x44\0\0")


def nop_jcc_of_question(file):
    file.put(file.at(jump_of(file, "fm_enabled_jcc")), b"\x66\x0f\x1f\x44\0\0")


def aim_jcc_past_the_site(file):
    file.add(file.at(jump_of(file, "fm_jcc")) + 2, "<i", 5)


def aim_jcc_at_the_stub(file):
    jump, stub = jump_of(file, "fm_jcc"), file.follow(file.record(JCC)[0], STUB)
    file.put(file.at(jump) + 2, struct.pack("<i", stub - jump - 6))


def make_jcc_a_jump(file):
    file.put(file.at(jump_of(file, "fm_jcc")), b"\x90\xe9")


def discard_function(file):
    """What linkers leave of a record whose function they dropped: distances to address 0."""
    address, offset = file.record(CALL)
    for word in (PATCH, PC):
        file.put(offset + word, struct.pack("<i", -(address + word)))


def call_stub(file):
    stub = file.follow(file.record(CALL)[0], STUB)
    room = file.symbol("room")
    file.put(file.at(room), b"\xe8" + struct.pack("<i", stub - room - 5))


def jump_to_loader_entry(file):
    """A jump past the loader, which would enter the stub with whatever is in %r11."""
    stub = file.follow(file.record(TAIL)[0], STUB)
    room = file.symbol("room")
    file.put(file.at(room), b"\xe9" + struct.pack("<i", stub + 8 - room - 5))


def lose_record_of_call(file):
    copy_record(file, CALL6, CALL)


def lose_record_of_call6(file):
    copy_record(file, CALL, CALL6)


def lose_record_of_tail(file):
    copy_record(file, CALL, TAIL)


def swap_kind(file):
    file.put(file.record(CALL)[1] + KIND, bytes([ENABLED]))


def swap_kind_of_tail6(file):
    file.put(file.record(TAIL6)[1] + KIND, bytes([CALL6]))


def swap_kind_of_jcc(file):
    file.put(file.record(JCC)[1] + KIND, bytes([TAIL]))


def point_to_another_probe(file):
    address, offset = file.record(CALL)
    other, _ = file.record(TAIL)
    file.add(offset + PROBE, "<i", file.follow(other, PROBE) - file.follow(address, PROBE))


def aim_loader_at_another_stub(file):
    tail, call = file.record(TAIL)[0], file.record(CALL)[0]
    start = file.follow(tail, PC)
    loader = start + 5 + file.get(file.at(start) + 1, "<i")
    file.add(file.at(loader) + 8, "<i", file.follow(call, STUB) - file.follow(tail, STUB))


def aim_tail6_at_another_loader(file):
    mine, other = file.site(TAIL6), file.site(TAIL)
    loader = other + 5 + file.get(file.at(other) + 1, "<i")
    file.put(file.at(mine) + 1, struct.pack("<i", loader - mine - 5))


def let_jcc_site_jump_far(file):
    file.put(file.at(file.site(JCC)) + 1, b"\x10")


def let_jcc_site_name_another(file):
    file.add(file.at(file.site(JCC)) + 5 + 3, "<i", 5)


def lose_moved_flag(file):
    offset = file.record(JCC)[1] + FLAGS
    file.put(offset, struct.pack("<H", file.get(offset, "<H") & ~MOVED))


def invent_moved_flag(file):
    offset = file.record(CALL)[1] + FLAGS
    file.put(offset, struct.pack("<H", file.get(offset, "<H") | MOVED))


def answer_yes(file):
    file.put(file.at(file.site(ENABLED)) + 1, b"\1")


def answer_yes_in_a_tail(file):
    file.put(file.at(file.site(ENABLED_TAIL)) + 1, b"\1")


def arm_tail(file):
    file.put(file.at(file.site(TAIL)), b"\xe9")


def leave_a_breakpoint(file):
    file.put(file.at(file.site(CALL)) + 1, b"\xcc")


def change_sixth_byte(file):
    file.put(file.at(file.site(TAIL6)) + 5, b"\x90")


def change_prefix(file):
    file.put(file.at(file.site(CALL6)) + 1, b"\x90")


def lie_about_arguments(file):
    file.put(file.at(file.follow(file.record(TAIL6)[0], ARGS)), b"9")


def note_of(file, name):
    """File offset of the note of probe forms:NAME."""
    section = file.section(".note.stapsdt")
    at = file.data.index(f"\0forms\0{name}\0".encode(), section["sh_offset"]) + 1
    return at - 44  # header, owner and three words


NOTE_PC, NOTE_BASE, NOTE_TEXT = 20, 28, 44


def shift_note(file):
    file.add(note_of(file, "call") + NOTE_PC, "<Q", 1)


def aim_note_at_nothing(file):
    file.put(note_of(file, "tail") + NOTE_PC, bytes(8))


def exchange_notes(file):
    one, two = (note_of(file, name) + NOTE_PC for name in ("call", "jcc"))
    first, second = file.get(one, "<Q"), file.get(two, "<Q")
    file.put(one, struct.pack("<Q", second))
    file.put(two, struct.pack("<Q", first))


def rename_note(file):
    file.put(note_of(file, "jcc") + NOTE_TEXT + len("forms."), b"J")


def lose_base(file):
    file.put(note_of(file, "call6") + NOTE_BASE, bytes(8))


def move_argument(file):
    at = file.data.index(b"%rdi", note_of(file, "tail6"))
    file.put(at, b"%rbx")


def cut_note(file):
    file.add(note_of(file, "call") + 4, "<I", -4)


def make_note_anothers(file):
    file.put(note_of(file, "call") + 12, b"S")


LINKED = {
    shift_note: "forms:call: expected a site where this note leads, .text+",
    aim_note_at_nothing: "forms:tail: expected a note for tracers at this site",
    exchange_notes: "forms:jcc: expected a note for tracers at this site",
    rename_note: "forms:jcc: expected a note for tracers at this site",
    lose_base: "forms:call6: expected the address of .stapsdt.base here",
    move_argument: "forms:tail6: expected the arguments \"8@%rdi 8@%rsi",
    cut_note: ".note.stapsdt+0x0: expected three strings that end with the note",
    make_note_anothers: "expected a stapsdt note of type 3 here",
    shift_site: "expected nop and a 4-byte nop, found 66 0f 1f c0",
    shift_patch_byte: "expected the patch byte at",
    nop_jcc: "forms:jcc: expected one conditional jump that leads here, found 0",
    nop_jcc_of_question: "forms:jcc: expected one conditional jump that leads here, found 0",
    aim_jcc_past_the_site: "forms:jcc: expected one conditional jump that leads here, found 0",
    aim_jcc_at_the_stub: "(fm_jcc+0x9): expected a record of this `jg`",
    make_jcc_a_jump: "(fm_jcc+0xa): forms:jcc: expected a conditional jump to",
    discard_function: "expected the record's pc word to lead into the file",
    call_stub: "(room+0x0): expected a record of this `callq`",
    jump_to_loader_entry: "(room+0x0): expected a record of this `jmp`",
    lose_record_of_call: "(fm_call+0x4): expected a record of this disabled site",
    lose_record_of_call6: "(fm_call6+0x4): expected a record of this disabled site",
    lose_record_of_tail: "expected a record of this `jmp`",
    swap_kind: "expected mov $0,%eax, found 90 66",
    swap_kind_of_tail6: "expected nop and a 5-byte nop, found c3",
    swap_kind_of_jcc: "expected the moved flag at jcc and enabled-tail sites only",
    point_to_another_probe: "expected the record to name the probe's stub",
    aim_loader_at_another_stub: "forms:tail: expected the loader to enter the stub at",
    aim_tail6_at_another_loader: "forms:tail6: expected the loader to name the patch byte",
    let_jcc_site_jump_far: "forms:jcc: expected the displacement to lead to a loader",
    let_jcc_site_name_another: "forms:jcc: expected the loader to name the patch byte",
    lose_moved_flag: "expected the moved flag at jcc and enabled-tail sites only, and at each jcc",
    invent_moved_flag: "forms:call: expected the moved flag at jcc and enabled-tail sites only",
    answer_yes: "expected mov $0,%eax, found b8 01 00 00 00",
    answer_yes_in_a_tail: "expected push $0, pop %rax, ret, int3, found 6a 01",
    arm_tail: "forms:tail: expected ret and a displacement, found e9",
    leave_a_breakpoint: "expected nop and a 4-byte nop, found 90 cc",
    change_sixth_byte: "forms:tail6: expected ret, a displacement and int3",
    change_prefix: "forms:call6: expected nop and a 5-byte nop, found 90 90",
    lie_about_arguments: "forms:tail6: expected a descriptor of 6 arguments",
}


# ---- changes of the object ----

def text_relocation(file, offset, kind):
    """File offset of the relocation of this type at OFFSET of .text."""
    found, = [at for at, r in file.relas(".rela.text")
              if (r["r_offset"], r["r_info_type"]) == (offset, kind)]
    return found


def offset_of(file, name):
    return file.symbol(name)


def lose_anchor(file):
    at = text_relocation(file, offset_of(file, "fm_call6") + 4, R_NONE)
    file.put(at + 12, struct.pack("<I", 0))  # an R_X86_64_NONE that names nothing


def lose_anchor_of_jcc(file):
    at = text_relocation(file, offset_of(file, "fm_jcc") + 9, R_NONE)
    file.put(at + 12, struct.pack("<I", 0))


def lose_anchor_of_loaders(file):
    at, = [at for at, r in file.relas(".rela.text.sdt_loader") if r["r_info_type"] == R_NONE]
    file.put(at + 12, struct.pack("<I", 0))


def aim_jcc_elsewhere(file):
    at = text_relocation(file, offset_of(file, "fm_jcc") + 11, 2)
    file.add(at + 16, "<q", 16)


def join_jccs(file):
    """Two conditional jumps to one site: one of the two records lies."""
    one = text_relocation(file, offset_of(file, "fm_jcc") + 11, 2)
    two = text_relocation(file, offset_of(file, "fm_enabled_jcc") + 11, 2)
    file.put(two + 16, file.data[one + 16:one + 24])


def swap_the_jccs(file):
    """Each leads to what was made for the other: the question fires and the probe asks."""
    one = text_relocation(file, offset_of(file, "fm_jcc") + 11, 2)
    two = text_relocation(file, offset_of(file, "fm_enabled_jcc") + 11, 2)
    addends = file.get(one + 16, "<q"), file.get(two + 16, "<q")
    file.put(one + 16, struct.pack("<q", addends[1]))
    file.put(two + 16, struct.pack("<q", addends[0]))


def name_another_probe(file):
    """Probe and stub of another, in agreement: only the original knows better."""
    first, second = dict(record_words(file, 0)), dict(record_words(file, 1))
    for word in (PROBE, STUB):
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


def take_out_of_group(file):
    """The record's section leaves the group of its text; another takes its place."""
    exchange_member(file, "sdt_sites")


def take_loaders_out_of_group(file):
    exchange_member(file, ".text.sdt_loader")


def exchange_member(file, name):
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


def call_probe_again(file):
    """A site's relocation is that of the call once more."""
    at = text_relocation(file, offset_of(file, "fm_call") + 4, R_NONE)
    stub, = [i for i, s in enumerate(file.section(".symtab").iter_symbols())
             if s.name == "__sdt_stub_forms___call"]
    file.put(at, struct.pack("<QIIq", file.get(at, "<Q") + 1, 4, stub, -4))
    start = file.section(".text")["sh_offset"] + offset_of(file, "fm_call") + 4
    file.put(start, b"\xe8\0\0\0\0")


def change_text(file):
    start = file.section(".text")["sh_offset"] + offset_of(file, "fm_jcc")
    file.put(start + 1, b"\x2b")  # mov $43,%eax


def turn_condition_round(file):
    start = file.section(".text")["sh_offset"] + offset_of(file, "fm_jcc") + 9
    assert file.data[start:start + 2] == b"\x0f\x8f"
    file.put(start + 1, b"\x8e")


def note_relocation(file, field):
    """File offset of the first relocation of FIELD of a note."""
    return next(at for at, r in file.relas(".rela.note.stapsdt") if r["r_offset"] == field)


def aim_note_elsewhere(file):
    file.add(note_relocation(file, NOTE_PC) + 16, "<q", 1)


def note_without_base(file):
    file.put(note_relocation(file, NOTE_BASE) + 8, struct.pack("<Q", 0))


def make_bundle_a_comdat(file):
    for section in file.elf.iter_sections():
        if section["sh_type"] == "SHT_GROUP" and section.data()[:4] == bytes(4):
            file.put(section["sh_offset"], struct.pack("<I", 1))
            return
    raise AssertionError


OBJECT = {
    aim_note_elsewhere: "expected a note for tracers at this site",
    note_without_base: "expected the address of .stapsdt.base here",
    make_bundle_a_comdat: "expected this section in a group that is not a COMDAT group, for .text",
    lose_anchor: "forms:call6: expected R_X86_64_NONE here against sdt_sites",
    lose_anchor_of_jcc: "forms:jcc: expected R_X86_64_NONE here against sdt_sites",
    lose_anchor_of_loaders: "forms:jcc: expected R_X86_64_NONE in this section against sdt_sites",
    aim_jcc_elsewhere: "forms:jcc: expected one conditional jump that leads here, found 0",
    join_jccs: "forms:jcc: expected one conditional jump that leads here, found 2",
    swap_the_jccs: "expected a record of __dtrace_sdt_forms___jcc, which the original names here",
    name_another_probe: "expected a record of __dtrace_sdt_forms___call, which the original names",
    record_one_site_twice: "expected one record of this site, found",
    call_probe_again: "expected nop and a 4-byte nop, found e8",
    change_text: "expected the byte 2a of the original",
    turn_condition_round: "expected the byte 8f of the original",
}
GROUPS = {
    take_out_of_group: "expected its section in the group of .text._Z5askedl",
    take_loaders_out_of_group: "expected this section in the group of .text._Z5askedl",
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


@pytest.mark.parametrize("change", LINKED, ids=lambda f: f.__name__)
def test_in_a_linked_file(sdt, exe, change):
    file = Patched(exe)
    change(file)
    assert_named(sdt, LINKED[change], file.save("bad"))


@pytest.mark.parametrize("change", OBJECT, ids=lambda f: f.__name__)
def test_in_an_object(sdt, raw, change):
    file = Patched(sdt.process(raw))
    change(file)
    assert_named(sdt, OBJECT[change], "--against", raw, file.save("bad.o"))


@pytest.mark.parametrize("change", GROUPS, ids=lambda f: f.__name__)
def test_in_a_group(sdt, change):
    sdt.write("comdat.cc", """
extern "C" void __dtrace_sdt_a___b(long) noexcept;
__attribute__((noinline)) inline void asked(long x) { if (x > 5) __dtrace_sdt_a___b(x); }
void f(long x) { asked(x); asked(x + 1); }
""")
    obj = sdt.process(sdt.compile(sdt.path("comdat.cc"), "-Os", compiler=cxx(NEWER_CLANG)))
    assert sdt.sdtlink("verify", obj).stdout.endswith(": ok\n")
    file = Patched(obj)
    change(file)
    assert_named(sdt, GROUPS[change], file.save("bad.o"))


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
        file = Patched(path)
        file.put(note_of(file, "nop") + NOTE_TEXT + len("forms."), b"N")
        assert_named(sdt, "forms:nop: expected a note for tracers at this site", file.save("bad"))
    file = Patched(exe)
    shift_of = note_of(file, "nop") + NOTE_PC
    file.add(shift_of, "<Q", 1)
    assert_named(sdt, "forms:nop: expected a note for tracers at this site", file.save("bad"))
