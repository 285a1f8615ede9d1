# SPDX-License-Identifier: BSD-2-Clause
"""A copy of an ELF file with bytes changed, for the tests of the second reader.

    file = Patched(path)
    address, offset = file.record(CALL)        where a record is, in a linked file
    file.put(file.at(address), b"...")         change it
    file.save("bad")                           write the copy
"""
import io
import struct

import pytest
from elftools.elf.elffile import ELFFile

from conftest import BUILD

RECORD = struct.Struct("<8iIBBH")
WORDS = range(0, 32, 4)  # distances
PC, PROBE, STUB, NAME, FUNCTION, MODULE, ARGS, FILE = WORDS
LINE, KIND, NARGS, FLAGS = 32, 36, 37, 38
CALL, CALL6, INLINE, TAIL, TAIL6, JCC = 1, 2, 3, 4, 5, 6
ENABLED, ENABLED_TAIL, NOP1, NOP11 = 7, 9, 11, 12
COMPANION, LIVE, MOVED = 2, 4, 8  # flags
R_NONE = 0

needs_verify = pytest.mark.skipif(
    not (BUILD / "sdtlink" / "sdtlink-verify").exists(),
    reason="sdtlink-verify was not built: no LLVM >= 14 at configure time",
)


def assert_named(sdt, message, *arguments):
    """`sdtlink verify ARGUMENTS` finds a defect, and says MESSAGE."""
    output = sdt.sdtlink("verify", *arguments, status=1).stdout
    assert any(message in line for line in output.splitlines()), output
    assert "defect" in output.splitlines()[-1]


class Patched:
    """A file to be damaged: finds places with pyelftools, writes bytes, saves a copy."""

    OTHER_SET = ".sdt_sites"

    def __init__(self, path):
        self.data = bytearray(path.read_bytes())
        self.elf = ELFFile(io.BytesIO(bytes(self.data)))
        self.path = path

    def section(self, name):
        section = self.elf.get_section_by_name(name)
        assert section is not None, f"{self.path} has no section {name}"
        return section

    def header(self, name):
        """File offset of a section's header."""
        index = self.elf.get_section_index(name)
        return self.elf["e_shoff"] + index * self.elf["e_shentsize"]

    def at(self, address):
        """File offset of an address of a linked file."""
        for section in self.elf.iter_sections():
            size, start = section["sh_size"], section["sh_addr"]
            if section["sh_flags"] & 2 and section["sh_type"] != "SHT_NOBITS":
                if start <= address < start + size:
                    return section["sh_offset"] + address - start
        raise AssertionError(f"no section holds 0x{address:x}")

    def put(self, offset, data):
        self.data[offset : offset + len(data)] = data

    def get(self, offset, form):
        return struct.unpack_from(form, self.data, offset)[0]

    def add(self, offset, form, delta):
        self.put(offset, struct.pack(form, self.get(offset, form) + delta))

    def save(self, name):
        path = self.path.with_name(name)
        path.write_bytes(self.data)
        path.chmod(0o755)
        return path

    def record(self, kind):
        """(address, file offset) of the first record of KIND in a linked file."""
        section = self.elf.get_section_by_name(self.OTHER_SET) or self.section("sdt_sites")
        for at in range(0, section["sh_size"], RECORD.size):
            offset = section["sh_offset"] + at
            if self.data[offset + KIND] == kind:
                return section["sh_addr"] + at, offset
        raise AssertionError(f"no record of kind {kind}")

    def follow(self, address, word):
        """Where a word of the record at ADDRESS leads."""
        return address + word + self.get(self.at(address) + word, "<i")

    def site(self, kind):
        """Address of the first byte of the first site of KIND."""
        return self.follow(self.record(kind)[0], PC)

    def stub(self, kind=CALL):
        """Where the stub of the first record of KIND is: of an inline site, its entry."""
        return self.follow(self.record(kind)[0], STUB)

    def symbol(self, name):
        [symbol] = self.section(".symtab").get_symbol_by_name(name)
        return symbol["st_value"]

    def word(self, address, value):
        """The four bytes at ADDRESS of a linked file become VALUE."""
        self.put(self.at(address), struct.pack("<I", value & 0xFFFFFFFF))

    def add_word(self, address, delta):
        self.word(address, self.get(self.at(address), "<I") + delta)

    def half(self, address, value):
        self.put(self.at(address), struct.pack("<H", value))

    def relas(self, name):
        """(file offset, relocation) of a relocation section."""
        section = self.section(name)
        for i, rela in enumerate(section.iter_relocations()):
            yield section["sh_offset"] + 24 * i, rela


def changed(path, change, name="bad.o", kind=Patched):
    """A copy of the file PATH, after CHANGE(it)."""
    file = kind(path)
    change(file)
    return file.save(name)


def assert_all_named(sdt, damages, exe, kind=Patched):
    """All DAMAGES, {name: (change, message)}, each to a copy of EXE, in one run: a line of the
    file's, and one that counts its defects."""
    bad = {}
    for number, (damage, (change, _)) in enumerate(damages.items()):
        file = kind(exe)
        change(file)
        assert bytes(file.data) != exe.read_bytes(), damage
        bad[damage] = file.save(f"bad{number}")
    said = sdt.sdtlink("verify", *bad.values(), status=1).stdout.splitlines()
    lines = {damage: [line for line in said if line.startswith(f"{path}: ")]
             for damage, path in bad.items()}
    assert len(said) == sum(map(len, lines.values()))
    assert [damage for damage in bad if "defect" not in lines[damage][-1]] == []
    unnamed = {damage: lines[damage] for damage in bad
               if not any(damages[damage][1] in line for line in lines[damage])}
    assert unnamed == {}


# ---- changes of records in a linked file ----

def copy_record(file, source, target):
    """Make the record of TARGET say what that of SOURCE says: target's own is lost."""
    (from_address, from_offset), (to_address, to_offset) = file.record(source), file.record(target)
    for at in WORDS:
        value = file.get(from_offset + at, "<i")
        file.put(to_offset + at, struct.pack("<i", value and value + from_address - to_address))
    file.put(to_offset + LINE, file.data[from_offset + LINE:from_offset + RECORD.size])


def shift(file, kind, *words, by=2):
    """WORDS of the record of KIND lead BY bytes further."""
    for at in words:
        file.add(file.record(kind)[1] + at, "<i", by)


def flip(file, kind, flag):
    offset = file.record(kind)[1] + FLAGS
    file.put(offset, struct.pack("<H", file.get(offset, "<H") ^ flag))


def set_kind(file, kind, to):
    file.put(file.record(kind)[1] + KIND, bytes([to]))


def note(file, name):
    """File offset of the note of the probe v:NAME."""
    section = file.section(".note.stapsdt")
    return file.data.index(f"\0v\0{name}\0".encode(), section["sh_offset"]) + 1 - 44
