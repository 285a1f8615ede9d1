# SPDX-License-Identifier: BSD-2-Clause
"""<sdt/marker.h> for i386: what the proposal of 2005 shows of its markers, by its own commands,
`readelf -x .markers` and `objdump -d`; and what it could not do."""
import json
import re

import pytest

import i386
from conftest import INCLUDE
from i386 import LINKERS, linked
from stapsdt import notes
from test_marker import check, dump, instructions, markers, parse

pytestmark = i386.runs
COMPILERS = ["gcc -O0 -fno-pic", "gcc -O2 -fPIC", "clang -O0 -fno-pic", "clang -O2 -fPIC",
             "g++ -x c++ -O2 -fno-pic", "clang++ -x c++ -Os -fPIC"]
FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", INCLUDE]
MODULE = """
#include <sdt/marker.h>
#ifdef __cplusplus
extern "C" {
#endif
#define OWN __attribute__((noinline, visibility("hidden")))
OWN int init_module(void);
int init_module(void) { MARKER(init); return 0; }
OWN void cleanup_module(void);
void cleanup_module(void) { MARKER(exit); }
void _start(void);
void _start(void) { init_module(); cleanup_module(); __asm__("int $0x80" : : "a"(1), "b"(0)); }
#ifdef __cplusplus
}
#endif
"""


def compiled(sdt, compiler, *flags):
    return i386.compiled(sdt, sdt.write("module.c", MODULE), compiler, *FLAGS, *flags)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_an_object_shows_what_the_mail_shows(sdt, compiler):
    """An address, which is that of the NOP; the length 6; the name. Without any tool of ours."""
    obj = compiled(sdt, compiler, "-fcf-protection=none" if "gcc" in compiler else "-g0")
    code, entries = instructions(sdt, obj), []
    rows = sdt.run("readelf", "-x", ".markers", obj).split("Hex dump of section")[1:]
    for row in rows: # a section for each, as long as nothing has joined them
        data = b"".join(bytes.fromhex(word) for line in row.splitlines()
                        for word in re.findall(r"^  0x\w+ ((?:\w{2,8} ){1,4})", line)
                        for word in word.split())
        entries.append((int.from_bytes(data[:4], "little"), data[4], data[5:].rstrip(b"\0")))
    assert [entry[1:] for entry in entries] == [(6, b"init"), (6, b"exit")]
    for (address, length, _), function in zip(entries, ("init_module", "cleanup_module")):
        assert code[address][:2] == (1, "nop") and code[address][2] == function
        assert code[address + 1][0] == 5 and code[address + 1][1].startswith("nopw")
        assert address + length in code


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("kind", ["-static", "-shared"])
def test_a_linked_file_has_distances(sdt, linker, kind):
    """The mail's absolute word would be a text relocation in a library."""
    obj = compiled(sdt, "gcc -O2 -fPIC")
    exe = linked(sdt, obj, linker, kind, "-Wl,-z,text")
    assert [e.length for e in markers(sdt, exe)] == [6, 6]
    assert check(sdt, exe) == ["cleanup_module/exit", "init_module/init"]
    assert "TEXTREL" not in sdt.run("readelf", "-dW", exe)
    assert {(n.provider, n.name, n.pc) for n in notes(exe)} == {
        ("marker", e.name, e.address) for e in markers(sdt, exe)}


def test_it_runs(sdt):
    assert sdt.command(linked(sdt, compiled(sdt, "gcc -O2 -fno-pic"))).returncode == 0


@pytest.mark.parametrize("linker", ["lld", "mold"])
def test_what_is_dropped_has_no_entry(sdt, linker):
    """bfd keeps every function that a note names, and gold refuses such a note."""
    source = sdt.write("drop.c", MODULE + "void unused(void);\n"
                       "void unused(void) { MARKER(gone); }\n")
    obj = i386.compiled(sdt, source, "gcc -O2 -ffunction-sections", *FLAGS)
    kept = {"init", "exit"}
    for flags, names in (((), kept | {"gone"}), (("-Wl,--gc-sections",), kept)):
        exe = linked(sdt, obj, linker, *flags)
        assert {e.name for e in parse(*dump(sdt, exe))} == names


def test_list_shows_their_length_and_sdtlink_leaves_them(sdt):
    obj = compiled(sdt, "gcc -O2 -fPIC")
    out = sdt.process(obj)
    assert out.read_bytes() == obj.read_bytes()
    found = json.loads(sdt.run(sdt.tool, "list", "--json", linked(sdt, out)))
    assert [(s["provider"], s["name"], s["marker"]["length"]) for s in found] == [
        ("marker", "init", 6), ("marker", "exit", 6)]


def test_gdb_stops_at_one_by_its_name(sdt):
    exe = linked(sdt, compiled(sdt, "gcc -O2 -fno-pic"))
    said = sdt.run("gdb", "-batch", "-nx", "-ex", "break -probe-stap marker:init", "-ex", "run",
                   "-ex", "continue", exe)
    assert "init_module ()" in said and "exited normally" in said
