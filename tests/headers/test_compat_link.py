# SPDX-License-Identifier: BSD-2-Clause
"""What linkers make of the drop-in <sys/sdt.h>: its notes, base section and semaphores."""
import pytest
from conftest import PROGRAMS
from elftools.elf.elffile import ELFFile
from stapsdt import notes
from test_compat import COMPAT, build, original  # noqa: F401 (a fixture)

pytestmark = pytest.mark.nosan  # runs no tool

LINKERS = ["bfd", "gold", "lld", "mold"]


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("linker", LINKERS)
def test_inline_functions_and_templates_in_two_objects(sdt, compiler, linker):
    """One copy survives, and so does its note; no note points at a copy that was dropped."""
    header = sdt.write("shared.h", "#include <sys/sdt.h>\n"
                       "template <typename T> __attribute__((noinline)) T twice(T x)\n"
                       "{ STAP_PROBE1(comdat, twice, x); return x + x; }\n"
                       "inline __attribute__((noinline)) int once(int x)\n"
                       "{ STAP_PROBE1(comdat, once, x); return x; }\n")
    objects = []
    for name, body in (("one", "int other(int); int main(int c, char **)\n"
                               "{ return twice(c) + once(c) + other(c) - 6; }\n"),
                       ("two", "int other(int c) { return twice(c) + once(c); }\n")):
        source = sdt.write(f"{name}.cc", f'#include "{header.name}"\n{body}')
        objects.append(sdt.path(f"{name}.o"))
        sdt.command(compiler, "-O1", "-I", COMPAT, "-c", source, "-o", objects[-1])
        assert [bool(note.group) for note in notes(objects[-1])] == [True, True]
    exe = sdt.path("exe")
    sdt.command(compiler, *objects, f"-fuse-ld={linker}", "-o", exe)
    sdt.run(exe)
    assert sorted(n.name for n in notes(exe)) == ["once", "twice"]


GC = ["-ffunction-sections", "-fdata-sections"]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("mode", ["-pie", "-no-pie", "-static", "-shared"])
def test_the_base_is_kept_in_the_text_segment(sdt, compiler, linker, mode):
    """gdb needs it, and perf needs it at the distance of the code. (--gc-sections)"""
    obj = build(sdt, compiler, "compat_types.c", "-O2", *(["-fPIC"] if mode == "-shared" else []),
                *(["-fno-pie"] if mode == "-no-pie" else []), *GC)
    exe = sdt.path("exe")
    sdt.command(compiler, obj, mode, f"-fuse-ld={linker}", "-Wl,--gc-sections", "-o", exe)
    with open(exe, "rb") as stream:
        elf = ELFFile(stream)
        base, text = (elf.get_section_by_name(n) for n in (".stapsdt.base", ".text"))
        assert base["sh_size"] == 1 and base["sh_flags"] == 6, "alloc, execute"
        assert base["sh_addr"] - base["sh_offset"] == text["sh_addr"] - text["sh_offset"]
        found = notes(exe)
        assert {note.base for note in found} == {base["sh_addr"]}
        for note in found:
            [offset] = elf.address_offsets(note.pc)
            stream.seek(offset)
            assert stream.read(1) == b"\x90", note
    assert len(found) == len(notes(obj))


@pytest.mark.parametrize("linker", LINKERS)
def test_a_file_without_surviving_probe_has_no_base(sdt, linker):
    """The relocation at the site keeps it, not a flag that would keep it always."""
    source = sdt.write("dead.cc", "#include <sys/sdt.h>\n"
                       "template <typename T> void dead(T x) { STAP_PROBE1(gc, dead, x); }\n"
                       "void (*unused)(int) = dead<int>;\nint main() { return 0; }\n")
    obj = sdt.path("dead.o")
    sdt.command("g++", "-O2", "-I", COMPAT, *GC, "-c", source, "-o", obj)
    assert notes(obj)
    exe = sdt.path("exe")
    status = None if linker == "gold" else 0  # gold keeps notes, and refuses their references
    result = sdt.command("g++", obj, f"-fuse-ld={linker}", "-Wl,--gc-sections", "-o", exe,
                         status=status)
    if result.returncode:
        assert "discarded section" in result.stderr
        return
    with open(exe, "rb") as stream:
        base = ELFFile(stream).get_section_by_name(".stapsdt.base")
    alive = "dead" in sdt.run("nm", exe)
    assert (base is not None) == alive


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld"])
def test_objects_of_both_headers_are_joined(sdt, original, linker):
    """By `ld -r` and then by each linker: every note of both, in one section, with one base."""
    mine = build(sdt, "gcc", "compat_types.c", "-O2")
    theirs = build(sdt, "gcc", "compat_traced.c", "-DPROVIDER=theirs", "-O2", include=original)
    joined = sdt.path("joined.o")
    sdt.command("gcc", "-r", "-nostdlib", mine, theirs, f"-fuse-ld={linker}", "-o", joined)
    names = sorted(n.name for n in [*notes(mine), *notes(theirs)])
    for final in LINKERS:
        exe = sdt.path(f"exe_{final}")
        sdt.command("gcc", joined, f"-fuse-ld={final}", "-o", exe)
        sdt.run(exe)
        assert sorted(n.name for n in notes(exe)) == names
        sections = sdt.run("readelf", "-SW", exe)
        assert sections.count(".note.stapsdt") == sections.count(".stapsdt.base") == 1


@pytest.mark.parametrize("command", [["strip"], ["strip", "--strip-debug"], ["eu-strip"],
                                     ["llvm-strip", "--strip-debug"], ["objcopy", "-g"]])
def test_stripped_files_keep_their_notes(sdt, command):
    exe = sdt.path("exe")
    sdt.command("gcc", "-O2", "-I", COMPAT, PROGRAMS / "compat_types.c", "-o", exe)
    before = notes(exe)
    sdt.command(*command, exe)
    assert notes(exe) == before != []


@pytest.mark.parametrize("command", [
    ["gcc", "-flto"], ["gcc", "-flto", "-fuse-ld=gold"], ["gcc", "-flto", "-fuse-ld=mold"],
    ["clang", "-flto", "-fuse-ld=lld"], ["clang", "-flto=thin", "-fuse-ld=lld"]], ids=" ".join)
def test_link_time_optimisation(sdt, command):
    for extra in ([], ["-DSEMAPHORES"]):
        exe = sdt.path("exe")
        sdt.command(*command, "-O2", *extra, "-DPROVIDER=lto", "-I", COMPAT,
                    PROGRAMS / "compat_traced.c", PROGRAMS / "compat_main.c", "-o", exe)
        assert sdt.run(exe, "3") == "looked 0\n"
        names = {n.name for n in notes(exe)}
        assert names == {"none", "string", "twelve", "many__sites"}
        assert all(bool(n.semaphore) == bool(extra) for n in notes(exe))


def test_semaphores_begin_a_page(sdt):
    """And the note names them; without _SDT_HAS_SEMAPHORES there is none."""
    for linker in LINKERS:
        exe = sdt.path(f"exe_{linker}")
        sdt.command("gcc", "-O2", "-DSEMAPHORES", "-DPROVIDER=sem", "-I", COMPAT, *GC,
                    PROGRAMS / "compat_traced.c", PROGRAMS / "compat_main.c",
                    f"-fuse-ld={linker}", "-Wl,--gc-sections", "-o", exe)
        with open(exe, "rb") as stream:
            elf = ELFFile(stream)
            probes = elf.get_section_by_name(".probes")
            symbols = elf.get_section_by_name(".symtab")
            assert probes["sh_type"] == "SHT_PROGBITS" and probes["sh_addr"] % 4096 == 0
            for note in notes(exe):
                [symbol] = symbols.get_symbol_by_name(f"sem_{note.name}_semaphore")
                assert note.semaphore == symbol["st_value"]
                assert 0 <= note.semaphore - probes["sh_addr"] < probes["sh_size"]
