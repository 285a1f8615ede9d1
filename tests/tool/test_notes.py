# SPDX-License-Identifier: BSD-2-Clause
"""The stapsdt notes at our own sites: what they say, and that they go where their code goes."""
import json
import re

import pytest
from elftools.elf.elffile import ELFFile

from conftest import INCLUDE
from elfview import ElfView
from stapsdt import notes

LINKERS = ["bfd", "gold", "lld", "mold"]

# Every form of call site, and every type of argument. `dead` is for --gc-sections.
FORMS = r"""
#define SDT_CALL_SITES
#include <sdt/probe.h>
typedef enum { RED } colour;
#define ALONE __attribute__((noinline, noclone, used))
ALONE int typed(signed char a, unsigned short b, int c, const char *d, float e, double f,
                long g, _Bool h, colour i)
{
    SDT_PROBE(note, typed, a, b, c, d, e, f, g, h, i);
    return a;
}
ALONE int twice(int x) { SDT_PROBE(note, twice, x); return x + 1; }
ALONE int again(int x) { SDT_PROBE(note, twice, x); return x + 2; }
ALONE int none(int x) { SDT_PROBE(note, none); return x + 3; }
__attribute__((noinline, noclone)) int dead(int x) { SDT_PROBE(note, dead, x); return x + 4; }
ALONE int asks(int x) { return SDT_PROBE_ENABLED(note, none) ? x : 0; }
void __dtrace_sdt_note___last(int, int);
ALONE void last(int x) { __dtrace_sdt_note___last(x, 7); }
int run(void)
{
    last(1);
    return typed(1, 2, 3, "d", 5.0f, 6.0, 7, 1, RED) + twice(1) + again(1) + none(1) + asks(1);
}
"""
MAIN = r"""
#include <stdio.h>
int run(void);
int main(void) { printf("%d\n", run()); return 0; }
"""
# In two objects: one copy survives.
COMDAT = r"""
#include <sdt/probe.h>
template <typename T> __attribute__((noinline)) T shared(T x)
{
    SDT_PROBE(note, shared, x);
    return x;
}
int %s(int x) { return shared(x) + shared((long)x); }
"""
TYPED = "-1@%rdi 2@%rsi -4@%rdx 8@%rcx 8@%r8 8@%r9 -8@0(%rsp) 1@8(%rsp) 4@16(%rsp)"
WORDS = "8@%rdi 8@%rsi 8@%rdx 8@%rcx 8@%r8 8@%r9"
TOLD = {("typed", TYPED), ("twice", "-4@%rdi"), ("none", ""), ("last", WORDS)}


def listed(sdt, path):
    """The sites that fire, as (address, name), from the set alone."""
    sites = json.loads(sdt.sdtlink("list", "--json", path).stdout)
    return sorted((site["address"], site["name"]) for site in sites
                  if "enabled" not in site["kind"])


def told(path):
    return sorted((note.pc, note.name) for note in notes(path))


def check(sdt, path):
    """Notes and sites agree, and the base is where each consumer needs it."""
    found = notes(path)
    assert told(path) == listed(sdt, path) != []
    with open(path, "rb") as stream:
        elf = ELFFile(stream)
        names = [section.name for section in elf.iter_sections()]
        assert names.count(".note.stapsdt") == names.count(".stapsdt.base") == 1
        base, text = (elf.get_section_by_name(n) for n in (".stapsdt.base", ".text"))
        assert base["sh_flags"] == 6 and base["sh_size"] == 1
        assert base["sh_addr"] - base["sh_offset"] == text["sh_addr"] - text["sh_offset"]
        assert {note.base for note in found} == {base["sh_addr"]} != {0}
        if ".probes" in names:
            assert names.index(".probes") < names.index(".note.stapsdt")
        for note in found:
            [offset] = elf.address_offsets(note.pc)
            stream.seek(offset)
            assert stream.read(1) in (b"\x90", b"\xc3"), note
    sdt.sdtlink("verify", path)
    return found


@pytest.fixture
def forms(sdt):
    """The processed object, compiled for a mode."""
    def make(*flags):
        source = sdt.write("forms.c", FORMS)
        return sdt.process(sdt.compile(source, "-ffunction-sections", "-fdata-sections", *flags))
    return make


def test_an_object(sdt, forms):
    obj = forms()
    found = notes(obj)
    assert {(n.name, n.args) for n in found} == TOLD | {("dead", "-4@%rdi")}
    assert sorted(n.name for n in found).count("twice") == 2
    assert {n.provider for n in found} == {"note"}
    assert {n.base[0] for n in found} == {"_.stapsdt.base"}
    assert {n.semaphore for n in found} == {None}
    assert len({n.pc for n in found}) == len(found)
    assert all(n.group for n in found)


def test_what_others_read(sdt, forms):
    exe = sdt.path("exe")
    sdt.command("gcc", forms(), sdt.write("main.c", MAIN), "-o", exe)
    addresses = {f"{pc:#018x}" for pc, _ in told(exe)}
    text = sdt.run("readelf", "-nW", exe)
    assert set(re.findall(r"Location: (\w+)", text)) == addresses
    assert "<corrupt>" not in text and f"Arguments: {TYPED}\n" in text
    text = sdt.run("eu-readelf", "-n", exe)
    assert {int(pc, 16) for pc in re.findall(r"PC: (\w+)", text)} == {pc for pc, _ in told(exe)}
    assert TYPED in text


@pytest.mark.parametrize("gc", [False, True], ids=["", "gc"])
@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("mode", ["-pie", "-no-pie", "-static", "-static-pie", "-shared"])
def test_notes_of_a_linked_file(sdt, forms, linker, mode, gc):
    if (linker, mode) == ("gold", "-static-pie"):
        pytest.skip("gold does not know the option that gcc passes for -static-pie")
    obj = forms("-fPIC" if mode == "-shared" else "-fno-pie" if "no" in mode else "-fPIE")
    exe = sdt.path("exe")
    sources = [] if mode == "-shared" else [sdt.write("main.c", MAIN)]
    sdt.command("gcc", obj, *sources, mode, f"-fuse-ld={linker}",
                *(["-Wl,--gc-sections"] if gc else []), "-o", exe)
    found = check(sdt, exe)
    # Linked without the launcher, only lld drops `dead` with its site: see docs/toolchains.md.
    is_dropped = gc and linker == "lld" and mode != "-shared"
    assert {(n.name, n.args) for n in found} == TOLD | (
        set() if is_dropped else {("dead", "-4@%rdi")})
    if mode != "-shared":
        assert sdt.run(exe) == sdt.run(exe)
    tools = [["strip"], ["eu-strip"], ["llvm-strip", "--strip-all-gnu"]]
    if (linker, mode) == ("bfd", "-static"):
        tools.pop()  # llvm-strip 14 cannot read what GNU ld makes of .rela.plt here
    for tool in tools:
        stripped = sdt.path("stripped")
        sdt.command("cp", exe, stripped)
        sdt.command(*tool, stripped)
        assert notes(stripped) == found


def test_gnu_ld_drops_notes_of_dead_code(sdt, forms):
    exe = sdt.path("exe")
    sdt.command("gcc", forms(), sdt.write("main.c", MAIN), "-fuse-ld=bfd", "-Wl,--gc-sections",
                "-Wl,-z,start-stop-gc", "-o", exe)
    assert {(n.name, n.args) for n in check(sdt, exe)} == TOLD


@pytest.mark.parametrize("final", LINKERS)
@pytest.mark.parametrize("partial", ["bfd", "gold", "lld"])
def test_joined_by_a_partial_link(sdt, forms, partial, final):
    """With notes of <sys/sdt.h> in the same files, before and after."""
    compat = sdt.write("compat.c", "#include <sys/sdt.h>\n"
                       "int compat(int x) { STAP_PROBE1(compat, x, x); return x; }\n")
    stock = sdt.path("compat.o")
    sdt.command("gcc", "-O2", "-I", INCLUDE / "sdt-compat", "-c", compat, "-o", stock)
    joined, exe = sdt.path("joined.o"), sdt.path("exe")
    sdt.command("gcc", "-r", "-nostdlib", forms(), stock, f"-fuse-ld={partial}", "-o", joined)
    sdt.command("gcc", joined, sdt.write("main.c", MAIN), f"-fuse-ld={final}", "-o", exe)
    found = notes(exe)
    assert {(n.name, n.args) for n in found} >= TOLD
    assert [n.name for n in found if n.provider == "compat"] == ["x"]
    assert told(exe) == listed(sdt, exe)
    sections = sdt.run("readelf", "-SW", exe)
    assert sections.count(".note.stapsdt") == sections.count(".stapsdt.base") == 1


@pytest.mark.parametrize("linker", LINKERS)
def test_a_note_goes_with_its_copy(sdt, linker):
    objects = []
    for name in ("one", "two"):
        source = sdt.write(f"{name}.cc", COMDAT % name)
        objects.append(sdt.process(sdt.compile(source, "-O1"), name=f"{name}.sdt.o"))
        assert [bool(note.group) for note in notes(objects[-1])] == [True] * 2
    source = sdt.write("m.cc",
                       "int one(int), two(int); int main() { return one(2) + two(3) - 10; }")
    main, exe = sdt.compile(source), sdt.path("exe")
    sdt.command("g++", *objects, main, f"-fuse-ld={linker}", "-o", exe)
    sdt.run(exe)
    assert sorted(n.args for n in check(sdt, exe)) == ["-4@%rdi", "-8@%rdi"]


def test_processed_twice(sdt, forms):
    once = forms()
    twice = sdt.path("twice.o")
    result = sdt.sdtlink("-o", twice, once)
    assert twice.read_bytes() == once.read_bytes()
    assert not result.stderr  # of a tail call's note, at a ret, either


def test_without(sdt, forms):
    forms()
    bare = sdt.process(sdt.path("forms.o"), "--no-notes", name="bare.o")
    exe = sdt.path("exe")
    sdt.command("gcc", bare, sdt.write("main.c", MAIN), "-o", exe)
    assert "stapsdt" not in sdt.run("readelf", "-SsW", bare) + sdt.run("readelf", "-SsW", exe)
    assert listed(sdt, exe)
    sdt.sdtlink("verify", "--against", sdt.path("forms.o"), bare)
    sdt.sdtlink("verify", exe)


def test_one_number_of_arguments(sdt):
    """A site without types is told with as many words as the probe has arguments elsewhere."""
    source = sdt.write("words.c", r"""
#include <sdt/probe.h>
void plain(int) __asm__("__dtrace_sdt_note___words");
int with(int x) { SDT_PROBE(note, words, x, x); return x; }
int without(int x) { plain(x); return x; }
""")
    obj = sdt.compile(source, "-DSDT_CALL_SITES")
    result = sdt.sdtlink("-o", sdt.path("words.sdt.o"), obj)
    assert result.stderr == ""
    assert {n.args for n in notes(sdt.path("words.sdt.o"))} == {"-4@%rdi -4@%rsi",
                                                                 "8@%rdi 8@%rsi"}
    sdt.sdtlink("verify", "--against", obj, sdt.path("words.sdt.o"))


def test_different_numbers_of_arguments(sdt):
    source = sdt.write("numbers.c", r"""
#include <sdt/probe.h>
int one(int x) { SDT_PROBE(note, numbers, x); return x; }
int two(int x, int y) { SDT_PROBE(note, numbers, x, y); return x + y; }
""")
    obj = sdt.compile(source)
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    assert "warning" in result.stderr and "a different number of arguments" in result.stderr
    assert "(in two)" in result.stderr and "sdtasm_run_sdtlink___note___numbers" in result.stderr
    assert {n.args for n in notes(sdt.path("out.o"))} == {"-4@%rdi", "-4@%rdi -4@%rsi"}
    assert sdt.sdtlink("--no-notes", "-o", sdt.path("out.o"), obj).stderr == ""


SEMAPHORES = r"""
#include <sdt/probe.h>
extern unsigned short note_a_b_semaphore __attribute__((section(".probes"), visibility("hidden")));
extern unsigned short other_semaphore;
%s
int look(int x)
{
    SDT_PROBE(note_a, b, x);
    SDT_PROBE(note, a_b, x);
    SDT_PROBE(note, c, x);
    return note_a_b_semaphore;
}
"""


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_semaphores(sdt, linker, where):
    """A symbol <provider>_<name>_semaphore of the object is its probe's, on a page of its own."""
    define = ("unsigned short note_a_b_semaphore __attribute__((section(\".probes\"), "
              "visibility(\"hidden\"))) = 0;\n")
    obj = sdt.process(sdt.compile(sdt.write("sem.c", SEMAPHORES % (
        define if where == "here" else ""))))
    main = MAIN + "int look(int); int run(void) { return look(1); }\n"
    exe = sdt.path("exe")
    sdt.command("gcc", obj, sdt.write("main.c", main + (define if where != "here" else "")),
                f"-fuse-ld={linker}", "-Wl,--gc-sections", "-o", exe)
    found = {(n.provider, n.name): n.semaphore for n in check(sdt, exe)}
    with open(exe, "rb") as stream:
        elf = ELFFile(stream)
        [symbol] = elf.get_section_by_name(".symtab").get_symbol_by_name("note_a_b_semaphore")
        assert elf.get_section_by_name(".probes")["sh_addr"] % 4096 == 0
    assert found == {("note_a", "b"): symbol["st_value"], ("note", "a_b"): symbol["st_value"],
                     ("note", "c"): 0}
    assert sdt.run(exe) == "0\n"


def test_landmarks_that_are_there_are_not_added_again(sdt):
    """A part of the object was processed before, or has notes of <sys/sdt.h>."""
    source = r"""
#include <sdt/probe.h>
unsigned short note_NAME_semaphore __attribute__((section(".probes"), visibility("hidden"))) = 0;
int NAME(int x) { SDT_PROBE(note, NAME, x); return x; }
"""
    one, two = (sdt.compile(sdt.write(f"{name}.c", source.replace("NAME", name)))
                for name in ("one", "two"))
    partial = sdt.path("partial.o")
    sdt.command("ld", "-r", "-o", partial, sdt.process(one), two)
    view = ElfView(sdt.process(partial))
    assert sorted(note.name for note in notes(view.path)) == ["one", "two"]
    for landmark in ("stapsdt.base", "stapsdt.probes"):
        assert [symbol.name for symbol in view.symbols].count(f"_.{landmark}") == 1
        assert [name for name, _ in view.groups].count(f".{landmark}") == 1


@pytest.mark.parametrize("linker", LINKERS)
def test_a_semaphore_that_may_be_another_librarys(sdt, linker):
    """The notes hold an address, and name it."""
    obj = sdt.process(sdt.compile(sdt.write("sem.c", r"""
#include <sdt/probe.h>
unsigned short note_seen_semaphore __attribute__((section(".probes"))) = 0;
int look(int x) { SDT_PROBE(note, seen, x); return note_seen_semaphore; }
"""), "-fPIC"))
    library = sdt.path("libseen.so")
    sdt.command("gcc", "-shared", obj, f"-fuse-ld={linker}", "-o", library)
    [note] = check(sdt, library)
    with open(library, "rb") as stream:
        [symbol] = ELFFile(stream).get_section_by_name(".dynsym").get_symbol_by_name(
            "note_seen_semaphore")
    assert note.semaphore == symbol["st_value"]


@pytest.mark.parametrize("linker", ["gold", "lld", "mold"])
def test_folded_code(sdt, linker):
    """Identical functions become one: two notes at one address, which agree."""
    source = sdt.write("same.c", "#include <sdt/probe.h>\n" + "".join(
        f"__attribute__((noinline)) int {name}(int x) {{ SDT_PROBE(note, same, x); return x; }}\n"
        for name in ("a", "b")) + "int run(void) { return a(1) + b(2); }\n")
    obj = sdt.process(sdt.compile(source, "-ffunction-sections"))
    exe = sdt.path("exe")
    sdt.command("gcc", obj, sdt.write("main.c", MAIN), f"-fuse-ld={linker}", "-Wl,--icf=all",
                "-o", exe)
    found = check(sdt, exe)
    assert [n.args for n in found] == ["-4@%rdi"] * 2 and {n.semaphore for n in found} == {0}


def test_a_companion_has_none(sdt):
    source = sdt.write("one.c", "#include <sdt/probe.h>\n"
                       "int one(int x) { SDT_PROBE(note, one, x); return x; }\n")
    obj = sdt.compile(source, "-DSDT_CALL_SITES")
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    assert notes(sdt.path("companion.o")) == []
