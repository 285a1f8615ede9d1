# SPDX-License-Identifier: BSD-2-Clause
"""Where sites of <sys/sdt.h> are in the source, from the line tables of debug information."""
import json
import random
import subprocess

import pytest
from conftest import INCLUDE
from elftools.elf.elffile import ELFFile

import separate

COMPAT = INCLUDE / "sdt-compat"

INNER = """
#include <sys/sdt.h>
static inline __attribute__((always_inline)) int twice(int n)
{
    STAP_PROBE1(lines, twice, n);
    return 2 * n;
}
"""
SOURCE = """
#include "include/inner.h"
#include <stdlib.h>

__attribute__((noinline)) int dead(int n)
{
    STAP_PROBE1(lines, dead, n);
    return n;
}

#line 4711 "made.y"
__attribute__((noinline)) int work(int n)
{
    STAP_PROBE1(lines, work, n); STAP_PROBE(lines, same);
    for (int i = 0; i < n; i++)
        n -= twice(i);

    STAP_PROBE1(lines,
                late, n);
    return twice(n);
}

int main(int argc, char **argv)
{
    return work(argc) + (argv[0] ? 0 : 1);
}
"""


def sources(sdt):
    for directory in ("src", "src/include"):
        (sdt.dir / directory).mkdir(exist_ok=True)
    sdt.write("src/include/inner.h", INNER)
    sdt.write("src/main.c", SOURCE)


def program(sdt, compiler, *flags):
    """Compiled without -g but for what FLAGS say, from the directory above."""
    sources(sdt)
    language = ["-x", "c++"] if compiler.endswith("++") else []
    sdt.command(compiler, "-O2", f"-I{COMPAT}", *flags, *language, "src/main.c", "-o", "a.out")
    return sdt.path("a.out")


def places(sdt, file):
    sites = json.loads(sdt.sdtlink("list", "--json", file).stdout)
    return [(site["address"], site["place"]) for site in sites]


def as_addr2line(sdt, file, address):
    shown = sdt.command("addr2line", "-e", file, hex(address)).stdout.split()[0]
    return shown.replace(f"{sdt.dir}/", "")


def check(sdt, file):
    found = places(sdt, file)
    assert len(found) >= 5
    for address, place in found:
        # What GNU's tool has made absolute is left as the compiler has it.
        shown = place.removeprefix("./").replace(f"{sdt.dir}/", "")
        theirs = as_addr2line(sdt, file, address)
        # It reads no 64-bit DWARF 5, and nothing of notes that lld left without their function.
        if theirs.startswith("<artificial>"):
            theirs, shown = (text.rpartition(":")[2] for text in (theirs, shown))
        assert shown == theirs or theirs.startswith("??"), hex(address)
    return {place.rpartition("/")[2] for _, place in found}


@pytest.mark.parametrize("version", [2, 3, 4, 5])
@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_places_are_those_of_the_line_table(sdt, compiler, version):
    exe = program(sdt, compiler, f"-gdwarf-{version}")
    assert {"main.c:7", "made.y:4713", "inner.h:5"} <= check(sdt, exe)
    assert any(place.endswith("src/include/inner.h:5") for _, place in places(sdt, exe))


@pytest.mark.parametrize("flags", [["-gdwarf64"], ["-static"], ["-no-pie"], ["-shared", "-fPIC"],
                                   ["-ffunction-sections", "-Wl,--gc-sections"],
                                   ["-fuse-ld=lld", "-Wl,--gc-sections", "-ffunction-sections"],
                                   ["-fuse-ld=mold"], ["-O0"], ["-O2", "-flto"], ["-gz"]],
                         ids=lambda flags: flags[0])
def test_places_in_every_kind_of_file(sdt, flags):
    assert {"made.y:4713", "inner.h:5"} <= check(sdt, program(sdt, "gcc", "-g", *flags))


def test_several_units(sdt):
    sources(sdt)
    for n in range(20):
        sdt.write(f"src/unit{n}.c", "\n" * n + f"""#include <sys/sdt.h>
            void unit{n}(void) {{ STAP_PROBE(lines, unit{n}); }}""")
    sdt.command("gcc", "-g", "-O2", f"-I{COMPAT}", "src/main.c",
                *[f"src/unit{n}.c" for n in range(20)], "-o", "a.out")
    assert {f"unit{n}.c:{n + 2}" for n in range(20)} <= check(sdt, sdt.path("a.out"))


@pytest.mark.parametrize("flags", [[], ["-g", "-s"]], ids=str)
def test_without_a_line_table(sdt, flags):
    assert {place for _, place in places(sdt, program(sdt, "gcc", *flags))} == {None}


def test_a_file_of_its_own(sdt):
    """As distributions install it, for the build ID."""
    exe = program(sdt, "gcc", "-g", "-Wl,--build-id")
    expected = places(sdt, exe)
    with separate.installed(sdt, exe):
        assert places(sdt, exe) == expected and expected[0][1]
    assert {place for _, place in places(sdt, exe)} == {None}


def test_sites_that_say_where_they_are_are_believed(sdt):
    sdt.write("own.c", """#include <sdt/probe.h>
        #line 12 "somewhere.c"
        int main(int argc, char **argv) { SDT_PROBE(lines, own, argc); return argv[0] == 0; }""")
    exe = sdt.build(sdt.path("own.c"))
    assert [place for _, place in places(sdt, exe)] == ["somewhere.c:12"]


@pytest.mark.sanitized
@pytest.mark.parametrize("number", [80, pytest.param(300, marks=pytest.mark.slow)])
def test_damaged_tables(sdt, number):
    """Whatever bytes are there: the list is complete, with places or without."""
    exe = program(sdt, "gcc", "-gdwarf-5")
    with exe.open("rb") as stream:
        section = ELFFile(stream).get_section_by_name(".debug_line")
        start, size = section["sh_offset"], section["sh_size"]
    right, chance, differ = exe.read_bytes(), random.Random(1), 0
    expected = places(sdt, exe)
    for _ in range(number):
        data = bytearray(right)
        for _ in range(chance.choice([1, 2, 8])):
            data[start + chance.randrange(size)] = chance.choice([0, 1, 0x7f, 0x80, 0xff,
                                                                   chance.randrange(256)])
        sdt.path("bad").write_bytes(data)
        result = subprocess.run([sdt.tool, "list", "--json", "bad"], cwd=sdt.dir,
                                capture_output=True, check=True)
        sites = json.loads(result.stdout)
        assert [site["address"] for site in sites] == [address for address, _ in expected]
        differ += [site["place"] for site in sites] != [place for _, place in expected]
    assert number / 10 < differ < number
