# SPDX-License-Identifier: BSD-2-Clause
"""Small files that ask for much: no megabyte of input may take more than a second.

Each file makes two tables big and lets every entry of the one meet every entry of the other, in the
way in which a simple program would: nested functions and sites, descriptors and sites, symbols and
one endless name, records and sections.
"""
import os
import pathlib
import resource
import shutil
import struct
import tempfile

import pytest

import patience
import yardstick
from conftest import INCLUDE, ROOT
from patched import RECORD

pytestmark = pytest.mark.nosan  # measures time

MEGABYTE = 1 << 20
PROGBITS, SYMTAB, STRTAB, RELA, NOTE, GROUP, SHNDX = 1, 2, 3, 4, 7, 17, 18
WRITE, ALLOC, EXEC = 1, 2, 4
PC32, PLT32, ABS64 = 2, 4, 1
CALL, TAKEN = b"__dtrace_sdt_a___b\0", b"__dtrace_sdt_c___d\0"


class Elf:
    """A file written byte by byte: the lies are the point."""

    def __init__(self, kind=1):
        self.kind, self.sections, self.names = kind, [], b"\0.symtab\0"

    def add(self, name, kind, flags=0, data=b"", link=0, info=0, entry=0, place=None, address=0):
        """Returns the index; PLACE: (offset, size) of bytes that another section has already."""
        self.sections.append([len(self.names), kind, flags, address, data, link, info, entry,
                              place])
        self.names += name.encode() + b"\0"
        return len(self.sections)

    def symbols(self, entries, strings, count_local=1):
        """(name, info, section, value, size) of each, after the empty one."""
        strtab = self.add(".strtab", STRTAB, data=strings)
        data = bytes(24) + b"".join(struct.pack("<IBBHQQ", n, i, 0, s, v, z)
                                    for n, i, s, v, z in entries)
        return self.add(".symtab", SYMTAB, data=data, link=strtab, info=count_local, entry=24)

    def relocations(self, symtab, target, entries):
        data = b"".join(struct.pack("<QIIq", at, kind, symbol, addend)
                        for at, kind, symbol, addend in entries)
        return self.add(".rela", RELA, data=data, link=symtab, info=target, entry=24)

    def write(self, path):
        names = self.add(".shstrtab", STRTAB, data=b"")
        self.sections[-1][4] = self.names
        body, headers = bytearray(64), [bytes(64)]
        for name, kind, flags, address, data, link, info, entry, place in self.sections:
            body += bytes(-len(body) % 8)
            offset, size = place or (len(body), len(data))
            headers.append(struct.pack("<IIQQQQIIQQ", name, kind, flags, address, offset, size,
                                       link, info, 1, entry))
            body += data
        body += bytes(-len(body) % 8)
        struct.pack_into("<4sBBBB8xHHIQQQIHHHHHH", body, 0, b"\x7fELF", 2, 1, 1, 0, self.kind, 62,
                         1, 0, 0, len(body), 0, 64, 0, 0, 64,
                         len(headers) if len(headers) < 0xff00 else 0,
                         names if names < 0xff00 else 0xffff)
        if len(headers) >= 0xff00:
            headers[0] = struct.pack("<32xQII16x", len(headers), names, 0)
        path.write_bytes(body + b"".join(headers))


def calls(count):
    return b"\xe8\0\0\0\0" * count


def nested_functions(elf):
    """Sites after thousands of functions that have ended, in one that has not; a staircase."""
    sites, functions = 12000, 12000
    text = elf.add(".text", PROGBITS, ALLOC | EXEC, calls(sites))
    last = 5 * sites
    entries = [(20, 0x12, text, i, last - 2 * i) for i in range(functions)]
    symtab = elf.symbols([*entries, (1, 0x10, 0, 0, 0)], b"\0" + CALL + b"f\0")
    elf.relocations(symtab, text, [(5 * i + 1, PLT32, functions + 1, -4) for i in range(sites)])


def functions_at_one_place(elf):
    """No sizes, one address."""
    sites, functions = 12000, 20000
    text = elf.add(".text", PROGBITS, ALLOC | EXEC, calls(sites))
    symtab = elf.symbols([(20, 0x12, text, 0, 0)] * functions + [(1, 0x10, 0, 0, 0)],
                         b"\0" + CALL + b"f\0")
    elf.relocations(symtab, text, [(5 * i + 1, PLT32, functions + 1, -4) for i in range(sites)])


def descriptors_far_from_their_site(elf):
    """All of them describe the first site; all others are of another probe."""
    sites, descriptors = 15000, 13000
    text = elf.add(".text", PROGBITS, ALLOC | EXEC, calls(sites))
    entry = bytes(4) + b"\1\0a\0b\0"
    args = elf.add(".sdt_args", PROGBITS, 0, entry * descriptors)
    symtab = elf.symbols([(0, 3, text, 0, 0), (20, 2, text, 0, 5 * sites), (1, 0x10, 0, 0, 0),
                          (22, 0x10, 0, 0, 0)], b"\0" + CALL + b"f\0" + TAKEN, 3)
    elf.relocations(symtab, text, [(5 * i + 1, PLT32, 4 if i else 3, -4) for i in range(sites)])
    elf.relocations(symtab, args, [(len(entry) * i, PC32, 1, 5 * sites)
                                   for i in range(descriptors)])


def addresses_of_many_probes(elf):
    """A warning each, which names the function around."""
    count = 11000
    text = elf.add(".text", PROGBITS, ALLOC | EXEC, b"\x48\x8d\x05\0\0\0\0" * count)
    symtab = elf.symbols([(20, 0x12, text, 7 * i, 7) for i in range(count)] +
                         [(1, 0x10, 0, 0, 0)] * count, b"\0" + CALL + b"f\0")
    elf.relocations(symtab, text,
                    [(7 * i + 3, PC32, count + 1 + i, -4) for i in range(count)])


def one_long_name(elf):
    """Of every probe symbol."""
    name = b"__dtrace_sdt_a___" + b"b" * 500_000 + b"\0"
    elf.symbols([(1, 0x10, 0, 0, 0)] * 20000, b"\0" + name)


def long_names_of_functions(elf):
    """Of every function with a site, each beginning one byte later."""
    sites, length = 9000, 400_000
    text = elf.add(".text" + "x" * 100_000, PROGBITS, ALLOC | EXEC, calls(sites))
    entries = [(20 + i, 0x12, text, 5 * i, 5) for i in range(sites)]
    symtab = elf.symbols([*entries, (1, 0x10, 0, 0, 0)], b"\0" + CALL + b"f" * length + b"\0")
    elf.relocations(symtab, text, [(5 * i + 1, PLT32, sites + 1, -4) for i in range(sites)])


def stubs_with_one_long_name(elf):
    """Defined by the object, as if it had been processed."""
    text = elf.add(".text", PROGBITS, ALLOC | EXEC, calls(1))
    name = b"__sdt_stub_a___" + b"b" * 500_000 + b"\0"
    elf.symbols([(1, 0x10, 0, 0, 0)] + [(20, 0x22, text, 0, 0)] * 20000, b"\0" + CALL + name)


def sections_that_relocate_one(elf):
    text = elf.add(".text", PROGBITS, ALLOC | EXEC, calls(1))
    symtab = elf.symbols([(1, 0x10, 0, 0, 0)], b"\0" + CALL)
    for _ in range(14000):
        elf.relocations(symtab, text, [])


def groups_of_groups(elf):
    """Each is a member of the next, and the last one of the first and of itself."""
    count = 10000
    for i in range(1, count + 1):
        elf.add("", GROUP, data=struct.pack("<III", 1, i % count + 1, i), link=count + 2, info=1,
                entry=4)
    elf.symbols([(1, 0x10, 0, 0, 0)], b"\0" + CALL)


def disabled_sites_in_and_between_functions(elf):
    """No record tells of any; a reader starts at a function, or where the section does."""
    count = 14000
    text = elf.add(".text", PROGBITS, ALLOC | EXEC, b"\x90\x66\x0f\x1f\xc0" * (2 * count))
    elf.symbols([(20, 0x12, text, 10 * i, 5) for i in range(count)] + [(1, 0x10, 0, 0, 0)],
                b"\0" + CALL + b"f\0")


def empty_sections(elf):
    """With sites in none of them, and more than 16 bits can count."""
    elf.names = b"\0x\0.symtab\0"
    elf.sections = [[1, PROGBITS, 0, 0, b"", 0, 0, 0, None] for _ in range(16000)]
    elf.symbols([(1, 0x10, 0, 0, 0)], b"\0" + CALL)


OBJECTS = [nested_functions, functions_at_one_place, descriptors_far_from_their_site,
           addresses_of_many_probes, one_long_name, long_names_of_functions,
           stubs_with_one_long_name, sections_that_relocate_one, groups_of_groups,
           disabled_sites_in_and_between_functions, empty_sections]


def records_and_sections(elf):
    """A program: each word of each record leads into the last of many sections."""
    probe = bytes(16) + b"a:a\0"
    for i in range(5000):
        elf.add("", PROGBITS, ALLOC, place=(64, 1), address=0x1000000 + i)
    elf.add(".data", PROGBITS, ALLOC, probe, address=0x100000)
    count = 15000
    records = b"".join(RECORD.pack(*[0x100000 - 0x1000 - RECORD.size * i - 4 * k
                                     for k in range(3)],
                                   0x100010 - 0x1000 - RECORD.size * i - 12, 0, 0, 0, 0,
                                   0, 1, 0, 0)
                       for i in range(count))
    elf.add("sdt_sites", PROGBITS, ALLOC, records, address=0x1000)


def records_that_name_one_string(elf):
    """As long as half of the file."""
    probe = bytes(16) + b"a:" + b"a" * 500_000 + b"\0"
    elf.add(".data", PROGBITS, ALLOC, probe, address=0x100000)
    records = b"".join(RECORD.pack(*[0x100000 - 0x1000 - RECORD.size * i - 4 * k
                                     for k in range(2)], 0,
                                   *[0x100010 - 0x1000 - RECORD.size * i - 4 * k
                                     for k in (3, 4, 5, 6)],
                                   0, 0, 1, 0, 0) for i in range(14000))
    elf.add("sdt_sites", PROGBITS, ALLOC, records, address=0x1000)


def sites_of_one_probe(elf, count, name, symbols=(), strings=b"\0"):
    """Records that are sound, all of one site, made of a note; returns the section of its code."""
    at, code, data = 0x1000, 0x200000, 0x100000
    probe = bytes(16) + name + b":" + name + b"\0"
    text = elf.add(".text", PROGBITS, ALLOC | EXEC, b"\x90" * 64, address=code)
    elf.add(".data", PROGBITS, ALLOC | WRITE, probe, address=data)
    places = [code, data, code + 32, data + 16, data + 16, 0, 0, 0]
    records = b"".join(
        RECORD.pack(*[place and place - at - RECORD.size * i - 4 * k
                      for k, place in enumerate(places)], 0, 11, 0, 0)
        for i in range(count))
    elf.add("sdt_sites", PROGBITS, ALLOC, records, address=at)
    elf.symbols([(name, info, section and text, value + code, size)
                 for name, info, section, value, size in symbols], strings)
    return text


def sound_records_of_one_long_name(elf):
    """As long as a name may be."""
    sites_of_one_probe(elf, 27000, b"a" * 4095)


def records_of_one_site_with_aliases(elf):
    """Whether a linker has folded them, the names of the functions around tell."""
    sites_of_one_probe(elf, 15000, b"a", [(1, 0x12, 1, 0, 16)] * 20000, b"\0f\0")


def notes_at_one_place(elf):
    """As many as records, one of them with a name that is half of the file."""
    note = struct.pack("<III", 8, 29, 3) + b"stapsdt\0" + \
        struct.pack("<QQQ", 0x200000, 0x200000, 0) + b"a\0a\0\0\0\0\0"
    long = b"a" * 400_000
    sites_of_one_probe(elf, 6000, b"a")
    elf.add(".note.stapsdt", NOTE, 0, struct.pack("<III", 8, 28 + len(long), 3) + b"stapsdt\0" +
            struct.pack("<QQQ", 0x200000, 0x200000, 0) + long + b"\0a\0\0" + note * 6000)


def one_set_shown_often(elf):
    """Thousands of sections are the same records."""
    probe = bytes(16) + b"a:a\0"
    elf.add(".data", PROGBITS, ALLOC, probe, address=0x100000)
    records = b"".join(RECORD.pack(*[0x100000 - 0x1000 - RECORD.size * i - 4 * k
                                     for k in range(3)],
                                   0x100010 - 0x1000 - RECORD.size * i - 12, 0, 0, 0, 0,
                                   0, 1, 0, 0)
                       for i in range(10000))
    elf.names += b"sdt_sites\0"
    at = elf.names.index(b"sdt_sites")
    elf.add("sdt_sites", PROGBITS, ALLOC, records, address=0x1000)
    for _ in range(5000):
        elf.sections.append([at, PROGBITS, ALLOC, 0x1000, b"", 0, 0, 0, (152, len(records))])


def notes_and_sections(elf):
    """Each note's address is looked for among all sections, and so is its base."""
    note = struct.pack("<III", 8, 32, 3) + b"stapsdt\0" + struct.pack("<QQQ", 0x2000000, 1, 0) + \
        b"a\0b\0c\0\0\0"
    for i in range(6000):
        elf.add("", PROGBITS, ALLOC, place=(64, 1), address=0x1000000 + i)
    elf.add(".note.stapsdt", NOTE, 0, note * 9000)


def indexes_far_away(elf):
    """Every function's section is in the extended table, which is the last of many sections."""
    count = 15000
    text = elf.add(".text", PROGBITS, ALLOC | EXEC, bytes(16), address=0x1000)
    symtab = elf.symbols([(1, 0x12, 0xffff, 0x1000, 1)] * count, b"\0f\0")
    for _ in range(6000):
        elf.add("", PROGBITS)
    elf.add("", SHNDX, data=struct.pack("<I", text) * (count + 1), link=symtab)


PROGRAMS = [records_and_sections, records_that_name_one_string, sound_records_of_one_long_name,
            records_of_one_site_with_aliases, notes_at_one_place, one_set_shown_often,
            notes_and_sections, indexes_far_away]


def measure(sdt, *arguments):
    """Seconds of processor time on an idle machine. Beside other work the same instructions and
    system calls take several times as long; so does the yardstick, at the same time.
    """
    seconds = measure_once(sdt, *arguments)
    if 0.5 < seconds < 20:
        seconds = min(seconds / yardstick.slowness(),
                      *(measure_once(sdt, *arguments) / yardstick.slowness() for _ in range(4)))
    return seconds


def measure_once(sdt, *arguments):
    """Whatever the tool has to say, it may not be long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(os.devnull, "wb") as null:
        status = patience.run([sdt.tool, *arguments], cwd=sdt.dir, stdout=null,
                              stderr=null).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert status in (0, 1), arguments
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("attack", OBJECTS, ids=lambda attack: attack.__name__)
def test_objects(sdt, attack):
    elf, path = Elf(), sdt.path("in.o")
    attack(elf)
    elf.write(path)
    assert path.stat().st_size < 1.1 * MEGABYTE
    for command in (["-o", "out.o"], ["--companion", "-o", "sdt.o"], ["--dry-run", "--json"],
                    ["list"], ["list", "--json"], ["verify"]):
        assert measure(sdt, *command, path) < 1, command
    output = sdt.path("out.o")
    assert not output.exists() or output.stat().st_size < 64 * MEGABYTE


@pytest.mark.parametrize("attack", PROGRAMS, ids=lambda attack: attack.__name__)
def test_programs(sdt, attack):
    elf, path = Elf(kind=2), sdt.path("program")
    attack(elf)
    elf.write(path)
    assert path.stat().st_size < 1.1 * MEGABYTE
    for command in (["list"], ["list", "--json"], ["list", "--check"], ["verify"]):
        assert measure(sdt, *command, path) < 1, command


def test_a_list_is_not_hundreds_of_times_as_long_as_its_file(sdt):
    """JSON gives names whole: 280 MB here; text cuts each of them, and says so with dots."""
    elf, path = Elf(kind=2), sdt.path("program")
    records_that_name_one_string(elf)
    elf.write(path)
    refused = sdt.sdtlink("list", "--json", path, status=1)
    assert refused.stdout == "[]\n"
    assert f"bytes of names in a file of {path.stat().st_size}: it is damaged" in refused.stderr
    shown = sdt.sdtlink("list", path).stdout
    assert shown.count("\n") == 14001 and len(shown) < 20 * MEGABYTE
    assert "a" * 256 + "..." in shown and "a" * 257 not in shown


@pytest.mark.parametrize("name", ["self.a/", "other.a/"])
def test_a_thin_archive_of_archives(sdt, name):
    """Thousands of members, each the archive itself, or another one of its kind."""
    member = b"%-16s%-32s%-10d`\n" % (name.encode(), b"", 100)
    archive = b"!<thin>\n" + member * 15000
    sdt.path("self.a").write_bytes(archive)
    sdt.path("other.a").write_bytes(archive)
    sdt.path("ld.bfd").symlink_to("/bin/true")  # a linker that does not care
    assert measure(sdt, "--ld", sdt.path("ld.bfd"), "-o", "x", "self.a") < 1


def test_the_files_mean_what_they_should(sdt):
    """Most of these attacks get through the checks: otherwise they would measure nothing."""
    done = []
    for attack in OBJECTS + PROGRAMS:
        elf, path = Elf(1 if attack in OBJECTS else 2), sdt.path("in.o")
        attack(elf)
        elf.write(path)
        command = ["-q", "-o", "out.o"] if attack in OBJECTS else ["list", "--json"]
        if attack is records_that_name_one_string:
            command = ["list"]
        result = sdt.sdtlink(*command, path, status=None)
        if result.returncode == 0:
            done.append(attack.__name__)
        else:
            print(attack.__name__, result.stderr[:300])
    assert {"nested_functions", "functions_at_one_place", "descriptors_far_from_their_site",
            "addresses_of_many_probes", "long_names_of_functions", "stubs_with_one_long_name",
            "empty_sections", "records_and_sections", "records_that_name_one_string",
            "notes_and_sections", "indexes_far_away"} <= set(done)


# ---- memory ----

@pytest.mark.nosan  # a preloaded wrapper and the sanitizers' own do not go together
def test_tables_do_not_grow_by_one(sdt):
    """Each new section would copy all. realloc() hides that by moving pages; ASan's does not."""
    lines = [f'.section .text.s{i},"ax",@progbits\n.byte 0xc3' for i in range(20_000)]
    lines += [f'.section .text.p{i},"ax",@progbits\np{i}: call __dtrace_sdt_a___b\nret'
              for i in range(700)]
    raw = sdt.compile(sdt.write("grow.S", "\n".join(lines) + "\n"))
    shim, asked = sdt.path("heap.so"), sdt.path("asked")
    sdt.command("gcc", "-D_GNU_SOURCE", "-O1", "-shared", "-fPIC", "-o", shim,
                ROOT / "tests" / "programs" / "heap.c")
    sdt.command(sdt.dynamic_tool, "-o", "out.o", raw,
                env={"LD_PRELOAD": str(shim), "SDT_HEAP": str(asked)})
    assert 1 * MEGABYTE < int(asked.read_text()) < 20 * raw.stat().st_size


HUGE_PAGES = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")


@pytest.mark.nosan  # a sanitizer's own memory is in small pages
@pytest.mark.skipif(not HUGE_PAGES.exists() or "[never]" in HUGE_PAGES.read_text(),
                    reason="the kernel gives no huge pages")
def test_page_faults(sdt):
    """Tables are read and written in huge pages, and so is what is added: in small ones this would
    take more than 3000 faults, at up to 20 us each."""
    elf, count = Elf(), 20_000
    text = elf.add(".text", PROGBITS, ALLOC | EXEC, calls(count))
    symtab = elf.symbols([(1, 0x12, text, 0, count * 5), (3, 0x10, 0, 0, 0)], b"\0f\0" + CALL)
    elf.relocations(symtab, text, [(i * 5 + 1, PLT32, 2, -4) for i in range(count)])
    elf.write(sdt.path("in.o"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    sdt.sdtlink("-q", "-o", "out.o", "in.o")
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before < 500


# ---- what is no object ----

@pytest.mark.parametrize("command", [["-o", "out.o"], ["list"], ["verify"]],
                         ids=lambda command: command[0])
def test_what_is_no_regular_file(sdt, command):
    """A FIFO without a writer is not waited for, a device that never ends not read."""
    fifo = sdt.path("fifo")
    os.mkfifo(fifo)
    for path in (fifo, "/dev/zero", "/dev/null", sdt.dir, "/proc/self/mem"):
        result = sdt.sdtlink(*command, path, status=1)
        assert result.stderr.startswith(("sdtlink: error: ", "sdtlink verify: "))
        assert sorted(entry.name for entry in sdt.dir.iterdir()) == ["fifo"]


def test_a_sparse_file_beyond_any_address_space(sdt):
    """With a header of an object at its start: no memory for all of it, no time to copy it."""
    raw = sdt.compile(sdt.write("x.c", "int x;"), "-I", INCLUDE)
    # Few file systems have files as long; tmpfs has.
    for parent in (sdt.dir, "/dev/shm"):
        with tempfile.TemporaryDirectory(dir=parent) as directory:
            path = shutil.copy(raw, directory)
            try:
                os.truncate(path, 1 << 48)
            except OSError:
                continue
            refused = sdt.sdtlink("-o", "out.o", path, status=1)
            assert f"error: cannot map {path}: Cannot allocate memory" in refused.stderr
            assert not sdt.path("out.o").exists()
            listed = sdt.sdtlink("list", path)  # which reads what it needs
            assert (listed.stdout, listed.stderr) == ("", f"sdtlink: {path}: no probes\n")
            return
    pytest.skip("no file system here has files of 256 terabytes")
