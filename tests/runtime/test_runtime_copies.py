# SPDX-License-Identifier: BSD-2-Clause
"""What leads the copies of the runtime to each other: notes, which may be of any origin and lie."""
import struct

import pytest
from elftools.elf.elffile import ELFFile

import fixture


def test_a_runtime_of_another_version_that_is_not_in_charge(sdt):
    """Its objects are not ours to see: nothing matches, and the error says why."""
    source = sdt.compile("runtime_other_version.c", "-DFOLLOWS")
    sites = fixture.assemble(sdt, "runtime_other_version.S", "-DFOLLOWS", name="fixture.o")
    fixture.passes(sdt, sdt.link(source, sites))


# A program header: type, flags, offset, vaddr, paddr, filesz, memsz, align.
HEADER = struct.Struct("<IIQQQQQQ")
NOTE, LOAD = 4, 1


def change_header(path, kind, change):
    """CHANGE(fields) to each program header of type KIND."""
    data = bytearray(path.read_bytes())
    elf = ELFFile(path.open("rb"))
    start, size = elf["e_phoff"], elf["e_phentsize"]
    places = [start + i * size for i, segment in enumerate(elf.iter_segments())
              if segment.header.p_type == {NOTE: "PT_NOTE", LOAD: "PT_LOAD"}[kind]]
    assert places
    for place in places:
        fields = dict(zip(("type", "flags", "offset", "vaddr", "paddr", "filesz", "memsz", "align"),
                          HEADER.unpack_from(data, place)))
        HEADER.pack_into(data, place, *{**fields, **change(fields)}.values())
    path.write_bytes(data)


# What the PT_NOTE of a library says.
LIES = {
    "outside": lambda f: {"vaddr": 0x40000000},
    "outside, below": lambda f: {"vaddr": (1 << 64) - 0x10000000},
    "too long": lambda f: {"memsz": 1 << 30, "filesz": 1 << 30},
    "longest": lambda f: {"memsz": (1 << 64) - 1},
    "wraps": lambda f: {"vaddr": (1 << 64) - 16, "memsz": 4096},
    "odd": lambda f: {"vaddr": f["vaddr"] + 1},
    "empty": lambda f: {"memsz": 0},
}


def plain_library(sdt, name, *flags, text="int nothing;"):
    return sdt.link(sdt.compile(sdt.write("plain.c", text), "-fPIC"), "-shared",
                    "-Wl,--build-id", *flags, runtime=None, name=name)


@pytest.mark.parametrize("lie", LIES)
def test_a_note_that_is_not_where_its_header_says(sdt, lie):
    library = plain_library(sdt, "lies.so")
    change_header(library, NOTE, LIES[lie])
    fixture.passes(sdt, fixture.program(sdt, "runtime_notes.c"), library)


def test_a_note_beyond_the_end_of_its_file(sdt):
    """In pages that the loader has mapped and the file does not have: reading them is SIGBUS."""
    library = plain_library(sdt, "short.so", "-nostartfiles")
    data = [s["p_vaddr"] for s in ELFFile(library.open("rb")).iter_segments("PT_LOAD")
            if s["p_flags"] & 2]
    size = 2 * library.stat().st_size & ~4095
    assert len(data) == 1 and size > 8192
    change_header(library, LOAD,
                  lambda f: {"filesz": size, "memsz": size} if f["flags"] & 2 else {})
    change_header(library, NOTE, lambda f: {"vaddr": data[0] + size - 4096, "memsz": 64})
    fixture.passes(sdt, fixture.program(sdt, "runtime_notes.c"), library, env=fixture.NO_LEAK_CHECK)


# Our note, whose copy is not where it says: (distance, version in the copy, size).
COPIES = {
    "nowhere": ("0x70000000", 2, 64),
    "read-only": ("constant - .", 2, 64),
    "of another version": ("variable - .", 3, 64),
    "too small": ("variable - .", 2, 8),
    "misaligned": ("variable - . + 4", 2, 64),
}


@pytest.mark.parametrize("copy", COPIES)
def test_our_note_without_a_copy(sdt, copy):
    distance, version, size = COPIES[copy]
    text = f'''__asm__(".pushsection .note.sdtlink, \\"a\\", @note\\n .balign 4\\n .long 8, 8, 1\\n"
        ".asciz \\"sdtlink\\"\\n .long 2\\n .long {distance}\\n .popsection\\n"
        ".pushsection .data\\n .balign 8\\n .long 0, 0\\n"
        "variable: .long {version}, {size}, 0, 0, 0, 0\\n"
        ".popsection\\n .pushsection .rodata\\n .balign 8\\n constant: .long 2, 64, 0, 0\\n"
        ".popsection\\n");'''
    library = plain_library(sdt, "lies.so", text=text)
    fixture.passes(sdt, fixture.program(sdt, "runtime_notes.c"), library)
