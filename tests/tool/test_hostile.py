# SPDX-License-Identifier: BSD-2-Clause
"""Files that lie: every field of every header and symbol, one at a time; names that are none."""
import itertools
import json
import struct

import pytest

import dryrun
import patience
from elfview import ElfView

pytestmark = pytest.mark.sanitized  # damaged files

SOURCE = """
extern "C" void __dtrace_sdt_a___b(long) __attribute__((visibility("hidden")));
extern "C" int __dtrace_sdtenabled_a___c() __attribute__((visibility("hidden")));
template <class T> __attribute__((noinline)) T f(T x)
{ __dtrace_sdt_a___b(x); asm volatile(""); return x + 1; }
void tail(long x) { if (__dtrace_sdtenabled_a___c()) f(x); __dtrace_sdt_a___b(f(x)); }
"""
# Offset and format of each member.
ELF_HEADER = [(40, "Q"), (48, "I"), (52, "H"), (54, "H"), (56, "H"), (58, "H"), (60, "H"),
              (62, "H")]
SECTION_HEADER = [(0, "I"), (4, "I"), (8, "Q"), (16, "Q"), (24, "Q"), (32, "Q"), (40, "I"),
                  (44, "I"), (48, "Q"), (56, "Q")]
SYMBOL = [(0, "I"), (4, "B"), (5, "B"), (6, "H"), (8, "Q"), (16, "Q")]
RELOCATION = [(0, "Q"), (8, "I"), (12, "I"), (16, "Q")]


def tables(data):
    """(offset, type, size) of every section's contents."""
    start, = struct.unpack_from("<Q", data, 40)
    count, = struct.unpack_from("<H", data, 60)
    for i in range(count):
        kind, = struct.unpack_from("<I", data, start + 64 * i + 4)
        yield (*struct.unpack_from("<QQ", data, start + 64 * i + 24), kind)


def fields(data, part):
    """(offset in the file, format) of every field of PART."""
    start, = struct.unpack_from("<Q", data, 40)
    count, = struct.unpack_from("<H", data, 60)
    if part == "headers":
        yield from ELF_HEADER
        for i in range(count):
            yield from ((start + 64 * i + at, code) for at, code in SECTION_HEADER)
        return
    kind, members, size = {"symbols": (2, SYMBOL, 24), "relocations": (4, RELOCATION, 24),
                           "groups": (17, [(0, "I")], 4)}[part]
    for offset, length, found in tables(data):
        if found == kind:
            for entry in range(offset, offset + length, size):
                yield from ((entry + at, code) for at, code in members)


def lies(data, part):
    """Every field with 0, 1, the largest and the smallest number, and its neighbours."""
    for at, code in fields(data, part):
        bits = 8 * struct.calcsize(code)
        true, = struct.unpack_from("<" + code, data, at)
        for value in {0, 1, (1 << bits) - 1, 1 << (bits - 1), true + 1, true - 1, len(data),
                      1 << min(28, bits - 1)}:
            value &= (1 << bits) - 1
            if value != true:
                copy = bytearray(data)
                struct.pack_into("<" + code, copy, at, value)
                yield f"{at}={value:#x}", bytes(copy)


@pytest.mark.parametrize("part, step", [
    ("headers", 20), pytest.param("headers", 1, marks=pytest.mark.slow),
    ("symbols", 7), pytest.param("symbols", 1, marks=pytest.mark.slow),
    ("relocations", 7), pytest.param("relocations", 1, marks=pytest.mark.slow), ("groups", 1)])
def test_one_lie_at_a_time(sdt, part, step):
    raw = sdt.compile(sdt.write("rich.cc", SOURCE), "-g0").read_bytes()
    path, output = sdt.path("lie.o"), sdt.path("out.o")
    seen = {0: 0, 1: 0}
    for what, data in itertools.islice(lies(raw, part), 0, None, step):
        path.write_bytes(data)
        result = patience.run([str(sdt.tool), "-q", "-o", str(output), str(path)],
                              capture_output=True)
        message = result.stderr.decode()
        assert result.returncode in seen, (what, message)
        assert "Sanitizer" not in message and "runtime error" not in message, (what, message)
        seen[result.returncode] += 1
        dryrun.compare(sdt.tool, ["-q", "-o", "out.o", path], result.returncode, message)
        if result.returncode == 0:
            assert output.stat().st_size < len(data) + 65536, what
            output.unlink()
        else:
            assert message.startswith("sdtlink: error: "), what
        assert not list(sdt.dir.glob("out.o*")), what
    assert seen[0] > 0 and seen[1] > 0


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_overlapping_sections(sdt, step):
    """Each section moved over each other one: a change of one would change the other."""
    raw = sdt.compile(sdt.write("rich.cc", SOURCE), "-g0")
    data, path, refused = raw.read_bytes(), sdt.path("lie.o"), 0
    start, = struct.unpack_from("<Q", data, 40)
    sections = list(enumerate(tables(data)))
    moves = [(i, offset) for i, (_, size, _) in sections for j, (offset, other, _) in sections
             if i != j and size and other and offset + size <= len(data)]
    assert len(moves) > 100
    for i, offset in moves[::step]:
        copy = bytearray(data)
        struct.pack_into("<Q", copy, start + 64 * i + 24, offset)
        path.write_bytes(copy)
        result = sdt.sdtlink("-o", "out.o", path, status=None)
        if result.returncode == 0:  # no symbol was left that names a probe
            assert "no probe to process" in result.stdout
            assert sdt.path("out.o").read_bytes() == copy
        refused += "overlaps another one" in result.stderr
    assert refused > 20 / step


SMALL = ".text\nf: call __dtrace_sdt_a___b\n ret\n" + "".join(
    f'.section .rodata.s{i},"a"\n.byte {i}\n' for i in range(20))


def test_a_section_over_the_files_header(sdt):
    """And over nothing else."""
    raw = sdt.compile(sdt.write("small.S", SMALL))
    data, view = bytearray(raw.read_bytes()), ElfView(raw)
    start, = struct.unpack_from("<Q", data, 40)
    struct.pack_into("<QQ", data, start + 64 * view.section(".rodata.s3").index + 24, 0, 32)
    path = sdt.path("lie.o")
    path.write_bytes(data)
    refused = sdt.sdtlink("-o", "out.o", path, status=1)
    assert "overlaps another one, or the ELF header" in refused.stderr
    assert not sdt.path("out.o").exists()


def test_sections_may_adjoin_in_any_order(sdt):
    """Twenty of a byte, of which the first is the last in the file."""
    raw = sdt.compile(sdt.write("small.S", SMALL))
    data, view = bytearray(raw.read_bytes()), ElfView(raw)
    start, = struct.unpack_from("<Q", data, 40)
    places = [start + 64 * view.section(f".rodata.s{i}").index + 24 for i in range(20)]
    offsets = [struct.unpack_from("<Q", data, place)[0] for place in places]
    assert offsets == list(range(offsets[0], offsets[0] + 20))
    for place, offset in zip(places, reversed(offsets)):
        struct.pack_into("<Q", data, place, offset)
    path = sdt.path("reversed.o")
    path.write_bytes(data)
    done = ElfView(sdt.process(path))
    assert [done.section(f".rodata.s{i}").data for i in range(20)] == [
        bytes([19 - i]) for i in range(20)]
    assert len(done.sites()) == 1


def test_a_local_undefined_probe(sdt):
    """No assembler writes it. The table of symbols would come out one too short."""
    raw = sdt.compile(sdt.write("local.S", ".text\nf: call __dtrace_sdt_a___b\n ret\n"), "-g0")
    data = bytearray(raw.read_bytes())
    start, = struct.unpack_from("<Q", data, 40)
    for i, (offset, size, kind) in enumerate(tables(data)):
        if kind == 2:
            struct.pack_into("<I", data, start + 64 * i + 44, size // 24)
            for entry in range(offset, offset + size, 24):
                data[entry + 4] &= 0x0f
    raw.write_bytes(data)
    assert "symbol is local" in sdt.sdtlink("-o", "out.o", raw, status=1).stderr


# ---- names ----

def renamed(sdt, name):
    """An object whose function has NAME, any bytes, of the length of 'placeholder'."""
    raw = sdt.compile(sdt.write("name.c", "extern void __dtrace_sdt_a___b(long);\n"
                                "void placeholder(long x) { __dtrace_sdt_a___b(x);"
                                " __asm__(\"\"); }\n"), "-g0", "-ffunction-sections")
    assert len(name) == len(b"placeholder")
    raw.write_bytes(raw.read_bytes().replace(b"placeholder", name))
    return raw


# Bytes, what people see, what JSON says.
NAMES = [
    (b"\x1b[31mred\x1b[0", r"\x1b[31mred\x1b[0", "\x1b[31mred\x1b[0"),
    (b"new\nli\ttab!", r"new\x0ali\x09tab!", "new\nli\ttab!"),
    (b"quo\"te\\back", "quo\"te\\back", "quo\"te\\back"),
    ("größe_abc".encode(), r"gr\xc3\xb6\xc3\x9fe_abc", "größe_abc"),
    (b"\xc0\xaf\xff_broken!", r"\xc0\xaf\xff_broken!", "\ufffd\ufffd\ufffd_broken!"),
    (b"\xc2\x9b31m_csi_x", r"\xc2\x9b31m_csi_x", "\x9b31m_csi_x"),
    (b"\xed\xa0\x80_surroga", r"\xed\xa0\x80_surroga", "\ufffd\ufffd\ufffd_surroga"),
]


@pytest.mark.parametrize("name, shown, value", NAMES, ids=[n[1] for n in NAMES])
def test_names_that_hold_anything(sdt, name, shown, value):
    """A name reaches neither the terminal nor a JSON parser as it is."""
    raw = renamed(sdt, name)
    obj = sdt.process(raw)
    for command in (["--dry-run", raw], ["list", raw], ["list", obj]):
        text = sdt.sdtlink(*command, text=False).stdout
        assert shown.encode() in text
        assert all(byte == 0x0a or 0x20 <= byte < 0x7f for byte in text)
    for command in (["--dry-run", "--json", raw], ["list", "--json", raw], ["list", "--json", obj]):
        text = sdt.sdtlink(*command, text=False).stdout
        assert all(byte == 0x0a or byte >= 0x20 for byte in text) and b"\x9b" not in text
        site, = json.loads(text.decode("utf-8"))
        assert (site["function"], site["section"]) == (value, f".text.{value}")


def test_names_in_errors_and_defects(sdt):
    """The same in what is refused, and in what `verify` finds."""
    name, shown, _ = NAMES[0]
    raw = renamed(sdt, name)
    obj = sdt.process(raw)
    text, = [s for s in ElfView(raw).sections if s.name.startswith(".text.")]
    broken = bytearray(raw.read_bytes())
    place = broken.index(text.data)
    broken[place + text.data.index(b"\xe8")] = 0xe7
    raw.write_bytes(broken)
    message = sdt.sdtlink("-o", "out.o", raw, status=1).stderr
    assert f"(in {shown})" in message and "\x1b" not in message
    damaged = bytearray(obj.read_bytes())
    place = damaged.index(b"\x90\x66\x0f\x1f\xc0")
    damaged[place + 4] = 0x05
    obj.write_bytes(damaged)
    message = sdt.sdtlink("verify", obj, status=1).stdout
    assert shown in message and "\x1b" not in message
