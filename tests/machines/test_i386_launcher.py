# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink gcc -m32`: the calls of a link for i386 become sites, in four linkers, from objects,
archives, partial links and link-time optimisation; and what is missing is said."""
import re
import shutil

import pytest

import i386
from conftest import BUILD, INCLUDE
from i386 import LINKERS
from stapsdt import notes

pytestmark = [i386.runs, pytest.mark.nosan]
CALLS = """
void __dtrace_sdt_web___begin(int, const char *);
void __dtrace_sdt_web___gone(int);
int __dtrace_sdtenabled_web___begin(void);
void unused(int a);
void unused(int a) { __dtrace_sdt_web___gone(a); }
void start(void);
void start(void)
{
    int status = __dtrace_sdtenabled_web___begin();
    __dtrace_sdt_web___begin(7, "text");
    for (;;)
        __asm__ volatile("int $0x80" : : "a"(1), "b"(status ? 1 : 42));
}
"""
START = "void start(void);\nvoid _start(void);\nvoid _start(void) { start(); }\n"
COMPILE = ["-m32", "-O2", "-ffreestanding", "-fno-stack-protector", "-ffunction-sections",
           "-fno-pic"]
LINK = ["-nostdlib", "-static", "-no-pie", "-Wl,--gc-sections"]


@pytest.fixture(name="sources")
def fixture_sources(sdt):
    return [sdt.write("calls.c", CALLS), sdt.write("start.c", START)]


def sites(sdt, file):
    return sorted(re.findall(r"^web +\S+ +\S+ +(\w+) +\S+ +(\w+)",
                             sdt.run(sdt.tool, "list", file), re.M))


def is_right(sdt, exe):
    assert sites(sdt, exe) == [("begin", "call"), ("begin", "enabled")]
    assert sdt.command(exe, status=42).stderr == ""


def link(sdt, *words, launcher=("--runtime=none",), status=0):
    return sdt.command(sdt.tool, *launcher, *words, "-o", sdt.path("exe"), status=status)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("linker", LINKERS)
def test_every_linker(sdt, sources, compiler, linker):
    """Notes are there if they are right: gold's and mold's would name what was dropped."""
    if not shutil.which(f"ld.{linker}"):
        pytest.skip(f"no ld.{linker}")
    said = link(sdt, compiler, *COMPILE, *LINK, f"-fuse-ld={linker}", *sources)
    is_right(sdt, sdt.path("exe"))
    has_notes = linker in ("bfd", "lld")
    assert [note.name for note in notes(sdt.path("exe"))] == ["begin"] * has_notes
    assert ("no notes: gold and mold" in said.stderr) != has_notes


@pytest.mark.parametrize("lto", ["gcc", "clang -fuse-ld=lld"])
def test_link_time_optimisation(sdt, sources, lto):
    link(sdt, *lto.split(), *COMPILE, *LINK, "-flto", *sources)
    is_right(sdt, sdt.path("exe"))


def test_archives_partial_links_and_at_compile(sdt, sources):
    calls, start = sdt.path("calls.o"), sdt.path("start.o")
    for source, obj in zip(sources, (calls, start)):
        sdt.command("gcc", *COMPILE, "-c", source, "-o", obj)
    sdt.command("ar", "rcs", sdt.path("libcalls.a"), calls)
    link(sdt, "gcc", "-m32", *LINK, start, sdt.path("libcalls.a"))
    is_right(sdt, sdt.path("exe"))
    sdt.command(sdt.tool, "gcc", "-m32", "-nostdlib", "-r", calls, start, "-o", sdt.path("both.o"))
    assert ("gone", "tail") in sites(sdt, sdt.path("both.o"))
    link(sdt, "gcc", "-m32", *LINK, sdt.path("both.o"))
    sdt.command(sdt.path("exe"), status=42)
    sdt.command(sdt.tool, "--at-compile", "gcc", *COMPILE, "-c", sources[0], "-o", calls)
    sdt.command("gcc", "-m32", *LINK, start, calls, "-o", sdt.path("exe"))
    assert ("begin", "enabled") in sites(sdt, sdt.path("exe")) # without bounds, bfd keeps the rest
    sdt.command(sdt.path("exe"), status=42)


def test_a_library_has_no_text_relocations(sdt, sources):
    link(sdt, "gcc", "-m32", "-O2", "-fPIC", "-shared", "-nostdlib", "-Wl,-z,text", sources[0])
    assert ("begin", "call") in sites(sdt, sdt.path("exe"))
    assert "TEXTREL" not in sdt.run("readelf", "-dW", sdt.path("exe"))


def test_a_cross_compiler_is_one_that_says_m32(sdt, sources):
    """What Debian has under the name of the machine."""
    compiler = sdt.write("i686-linux-gnu-gcc", '#!/bin/sh\nexec gcc -m32 "$@"\n')
    compiler.chmod(0o755)
    link(sdt, compiler, *COMPILE[1:], *LINK, *sources)
    is_right(sdt, sdt.path("exe"))


def test_notes_alone_change_nothing(sdt):
    """They are no sites yet, so the link is the compiler's own: no runtime is asked for."""
    source = sdt.write("noted.c", '#include <sdt/probe.h>\nvoid _start(void);\n'
                       'void _start(void) { SDT_PROBE(p, noted, 1); }\n')
    argv = ["gcc", *COMPILE, *LINK, "-Wl,--build-id=none", "-I", INCLUDE, source]
    sdt.command(*argv, "-o", sdt.path("own"))
    said = link(sdt, *argv, launcher=("--runtime=static",))
    assert said.stdout + said.stderr == ""
    assert sdt.path("exe").read_bytes() == sdt.path("own").read_bytes()


# ---- what is missing, and what does not fit ----

def test_a_runtime_of_another_machine_is_refused(sdt, sources):
    said = link(sdt, "gcc", *COMPILE, *LINK, *sources, status=1, launcher=(
        "--runtime=static", f"--runtime-directory={BUILD / 'runtime'}"))
    assert "libsdt.a is a runtime for x86-64, and this link is for i386" in said.stderr
    assert not sdt.path("exe").exists()


def test_a_runtime_that_is_not_there_is_named(sdt, sources):
    sdt.path("none").mkdir()
    said = link(sdt, "gcc", *COMPILE, *LINK, *sources, status=1, launcher=(
        "--runtime=static", f"--runtime-directory={sdt.path('none')}"))
    assert "libsdt.a for i386 is not installed" in said.stderr and "--runtime=none" in said.stderr
    assert not sdt.path("exe").exists()


def test_objects_of_both_classes_are_the_linker_s_to_refuse(sdt, sources):
    """Earlier output is as it was before a link that fails: the linker's, or there is none."""
    sdt.command("gcc", "-O2", "-ffreestanding", "-c", sources[0], "-o", sdt.path("wide.o"))
    before = sdt.path("wide.o").read_bytes()
    said = link(sdt, "gcc", *COMPILE, *LINK, sources[1], sdt.path("wide.o"), status=1)
    assert "incompatible with i386 output" in said.stderr
    assert sdt.path("wide.o").read_bytes() == before and not sdt.path("exe").exists()


def test_a_damaged_object_is_the_linker_s_to_refuse(sdt, sources):
    """Headers and symbols that lead out of the file are passed over, not followed."""
    obj = sdt.path("calls.o")
    sdt.command("gcc", *COMPILE, "-c", sources[0], "-o", obj)
    data = obj.read_bytes()
    for at, value in ((32, b"\xff\xff\xff\x7f"), (48, b"\xff\xff"), (50, b"\xff\xff")):
        obj.write_bytes(data[:at] + value + data[at + len(value):])
        said = link(sdt, "gcc", *COMPILE, *LINK, sources[1], obj, status=1)
        assert "calls.o" in said.stderr and not sdt.path("exe").exists()
    for size in (52, 100, len(data) - 1):
        obj.write_bytes(data[:size])
        said = link(sdt, "gcc", *COMPILE, *LINK, sources[1], obj, status=1)
        assert said.stderr and not sdt.path("exe").exists()
