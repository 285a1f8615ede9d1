# SPDX-License-Identifier: BSD-2-Clause
"""CREL, the compressed relocations of newer clang: `-Wa,--crel,--allow-experimental-crel`."""
import io

import pytest
from elftools.elf.elffile import ELFFile

import crel
from elfview import ElfView
from toolchain import CLANGS

SOURCE = """
#include <sdt/probe.h>
#include <string.h>
volatile int value;
__attribute__((noinline)) int work(int x, const char *s)
{
    SDT_PROBE(crel, work, x, s);
    if (SDT_PROBE_ENABLED(crel, work))
        value++;
    SDT_PROBE_LAZY(crel, lazy, value, 1.5);
    return x + (int)strlen(s);
}
int other(int x) { SDT_PROBE(crel, other, x); return work(x, "text") + work(-x, "more"); }
"""
MAIN = """
#include <sdt/runtime.h>
static void hit(const struct sdt_event *event, void *hits)
{
    (void)event;
    ++*(int *)hits;
}
int main(void)
{
    int hits = 0;
    if (sdt_enable("crel:*", hit, &hits) < 0)
        return 1;
    other(1);
    return hits == 5 && value == 2 ? 0 : 2;
}
"""
REMEDY = "compile without -Wa,--crel"


def objects(sdt, *flags, more="", has_addends=True):
    """The same object with both kinds of relocations."""
    rela = sdt.compile(sdt.write("work.c", SOURCE + more), *flags)
    compressed = sdt.path("crel.o")
    compressed.write_bytes(crel.convert(rela.read_bytes(), has_addends))
    return rela, compressed


def contents(path):
    """All that is in each section, and the symbols; not how their names share a table."""
    view = ElfView(path)
    tables = (".symtab", ".strtab", ".shstrtab")
    return ([(s.name, s.type, s.flags, s.link, s.info, s.align, s.entsize,
              None if s.name in tables else s.data) for s in view.sections], view.symbols)


# 128 KiB are mapped and not read; from 1 MiB on, the kernel copies an input meanwhile.
@pytest.mark.parametrize("size", [0, 1 << 18, 1 << 21])
@pytest.mark.parametrize("flags", [[], ["-DSDT_CALL_SITES", "-ffunction-sections"]],
                         ids=["inline", "calls"])
def test_what_is_made_is_the_same(sdt, flags, size):
    """Sections, their names, relocations, groups and sites are those of an object with RELA."""
    more = f"char bytes[{size}] = {{1}}; void *places[] = {{work, other, bytes}};" if size else ""
    rela, compressed = objects(sdt, *flags, more=more)
    made = sdt.process(compressed)
    assert contents(made) == contents(sdt.process(rela))
    assert len(ElfView(made).sites()) == 5
    sdt.command(sdt.tool, "verify", "--against", rela, made)


def test_an_object_without_probes_is_copied(sdt):
    obj = sdt.compile(sdt.write("plain.c", "int puts(const char *); int f(void) "
                                "{ return puts(__FILE__); }"))
    obj.write_bytes(crel.convert(obj.read_bytes()))
    assert sdt.process(obj).read_bytes() == obj.read_bytes()


def test_list_shows_the_same(sdt):
    rela, compressed = objects(sdt)
    shown, expected = (sdt.sdtlink("list", "--json", obj).stdout for obj in (compressed, rela))
    assert shown == expected.replace("work.o", "crel.o") and "fields" in shown


def test_verify_says_what_it_does_not_read(sdt):
    rela, compressed = objects(sdt)
    result = sdt.command(sdt.tool, "verify", "--against", compressed, sdt.process(rela), status=1)
    assert "CREL" in result.stderr and REMEDY in result.stderr


def test_relocations_without_addends_are_refused(sdt):
    _, compressed = objects(sdt, has_addends=False)
    result = sdt.sdtlink("-o", "out.o", compressed, status=1)
    assert "relocations in this format are not supported" in result.stderr
    assert REMEDY in result.stderr and not sdt.path("out.o").exists()


def damaged(data, change):
    """DATA with CHANGE(contents) in place of .crel.text's, which are as long."""
    start, end = crel.find(data, ".crel.text")
    new = change(data[start:end])
    assert len(new) == end - start
    return data[:start] + new + data[end:]


@pytest.mark.parametrize("change", [
    lambda old: b"\xff" * len(old),  # a number without an end
    lambda old: b"\xfc\xff\x7f" + old[3:],  # more relocations than bytes
    lambda old: bytes([old[0] + 8]) + old[1:],  # one more
    lambda old: old[:-1] + b"\x80",  # the last number goes on
], ids=["endless", "many", "one more", "cut off"])
def test_damaged_sections_are_refused(sdt, change):
    _, compressed = objects(sdt)
    compressed.write_bytes(damaged(compressed.read_bytes(), change))
    result = sdt.sdtlink("-o", "out.o", compressed, status=1)
    assert "fewer relocations than it says; the file is truncated or damaged" in result.stderr
    assert not sdt.path("out.o").exists()


@pytest.mark.parametrize("compiler", CLANGS)
def test_what_clang_writes(sdt, compiler):
    """All linkers take what is made of it, also those that do not know CREL."""
    flags = ["-Wa,--crel,--allow-experimental-crel"]
    if sdt.command(compiler, *flags, "-c", "-o", "empty.o", sdt.write("empty.c", ""),
                   status=None).returncode != 0:
        pytest.skip(f"{compiler} does not write CREL")
    obj = sdt.compile(sdt.write("main.c", SOURCE + MAIN), *flags, compiler=compiler)
    types = {s.header["sh_type"] for s in ELFFile(io.BytesIO(obj.read_bytes())).iter_sections()}
    assert crel.SHT_CREL in types and len(types) > 2
    sdt.run(sdt.link(sdt.process(obj)))
