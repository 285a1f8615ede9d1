# SPDX-License-Identifier: BSD-2-Clause
"""The stapsdt notes of an ELF file, read without the tool: with pyelftools and struct.

    for note in notes(path):
        note.pc note.base note.semaphore     of an object: (section index, offset), or None
        note.provider note.name note.args    text
        note.group                           whether the note is in a section group

    include(sdt, "ours")                         flags for our <sys/sdt.h>, or for SystemTap's
"""
import pathlib
import shutil
import struct
from collections import namedtuple

import pytest
from elftools.elf.elffile import ELFFile

from conftest import INCLUDE

ORIGINAL = next(pathlib.Path("/usr/include").glob("**/sys/sdt.h"), None)

Note = namedtuple("Note", "pc base semaphore provider name args group")
SHF_GROUP = 0x200


def notes(path):
    with open(path, "rb") as stream:
        elf = ELFFile(stream)
        return [note for section in elf.iter_sections() if section.name == ".note.stapsdt"
                for note in read(elf, section)]


def read(elf, section):
    assert section["sh_type"] == "SHT_NOTE" and not section["sh_flags"] & 2, "a note, not loaded"
    data, words, at = section.data(), relocated(elf, section), 0
    word = elf.elfclass // 8
    while at < len(data):
        name_size, size, kind = struct.unpack_from("<3I", data, at)
        assert (name_size, kind) == (8, 3) and data[at + 12:at + 20] == b"stapsdt\0"
        at += 20
        addresses = struct.unpack_from("<3Q" if word == 8 else "<3I", data, at)
        if words is not None:
            addresses = [words.get(at + word * i) for i in range(3)]
        *texts, end = data[at + 3 * word:at + size].split(b"\0")
        assert len(texts) == 3 and end == b"", "three strings and nothing else"
        yield Note(*addresses, *(text.decode() for text in texts),
                   bool(section["sh_flags"] & SHF_GROUP))
        at += (size + 3) & ~3


def relocated(elf, section):
    """In an object: offset in the note section -> (section index or symbol name, offset)."""
    if elf["e_type"] != "ET_REL":
        return None
    symbols = elf.get_section_by_name(".symtab")
    sections = list(elf.iter_sections())
    index = next(i for i, s in enumerate(sections) if s["sh_offset"] == section["sh_offset"]
                 and s.name == section.name)
    words = {}
    for table in sections:
        if table["sh_type"] == "SHT_RELA" and table["sh_info"] == index:
            for relocation in table.iter_relocations():
                symbol = symbols.get_symbol(relocation["r_info_sym"])
                place = symbol["st_shndx"]
                if place == "SHN_UNDEF" or symbol["st_info"]["bind"] != "STB_LOCAL":
                    place = symbol.name
                words[relocation["r_offset"]] = (
                    place, symbol["st_value"] + relocation["r_addend"])
    return words


def include(sdt, header):
    """Of another machine's compiler. SystemTap's header is the same on all machines; others of its
    directory are not."""
    if header == "ours":
        return ["-I", INCLUDE / "sdt-compat"]
    if ORIGINAL is None:
        pytest.skip("SystemTap's header is not installed (package systemtap-sdt-dev)")
    place = sdt.path("original") / "sys"
    if not place.exists():
        place.mkdir(parents=True)
        for file in ORIGINAL.parent.glob("sdt*.h"):
            shutil.copy(file, place)
    return ["-I", place.parent]
