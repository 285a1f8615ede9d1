# SPDX-License-Identifier: BSD-2-Clause
"""SDT_SEMAPHORES: SDT_PROBE_ENABLED is true also while a tracer from outside looks."""
import re
import subprocess

import pytest
from elftools.elf.elffile import ELFFile

import patience
from conftest import INCLUDE
from stapsdt import notes
from uprobe import Uprobe, file_offset, needs_tracefs, needs_uprobes

pytestmark = pytest.mark.plain  # what programs and tracers do

LINKERS = ["bfd", "gold", "lld", "mold"]
FORMS = {"inline": [], "call": ["-DSDT_CALL_SITES"]}
KINDS = {"pie": ["-fPIE", "-pie"], "static": ["-fno-pie", "-static"], "shared": ["-fPIC"]}
COMPILERS = {"gcc": ["-x", "c"], "clang": ["-x", "c"], "g++": [], "clang++": []}

# The probe is asked about in one file, and fires in both.
ASKS = r"""
#include <sdt/probe.h>
#ifdef __cplusplus
namespace { namespace inner { template <class T> int ask(T x) {
    if (!SDT_PROBE_ENABLED(app, some__probe)) return 0;
    SDT_PROBE(app, some__probe, x);
    return 1;
} } }
extern "C" int asked(int x);
int asked(int x) { return inner::ask(x) + inner::ask((long)x) > 0; }
#else
int asked(int x);
int asked(int x)
{
    if (!SDT_PROBE_ENABLED(app, some__probe)) return 0;
    SDT_PROBE(app, some__probe, x);
    return 1;
}
#endif
"""
FIRES = r"""
#include <sdt/probe.h>
void fired(int x);
void fired(int x) { SDT_PROBE(app, some__probe, x); }
"""
# For each line of input: what the question is answered. `e` and `d` are for sdt_enable().
MAIN = r"""
#include <sdt/runtime.h>
#include <stdio.h>
int asked(int x);
void fired(int x);
int main(void)
{
    char line[16];
    int id = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 'e')
            id = sdt_enable("app:some-probe", SDT_COUNT, 0);
        else if (line[0] == 'd' && sdt_disable(id) != 0)
            return 1;
        fired(1);
        printf("%d\n", asked(1));
        fflush(stdout);
    }
    return 0;
}
"""


def build(sdt, compiler="gcc", form="inline", linker="bfd", kind="pie", flags=("-O2",), link=()):
    """The program, and the file with the probes."""
    mode = KINDS[kind]
    common = ["-DSDT_SEMAPHORES", *FORMS[form], *flags, mode[0]]
    language = COMPILERS[compiler]
    asks = sdt.compile(sdt.write("asks.cc", ASKS), *common, *language, compiler=compiler)
    fires = sdt.compile(sdt.write("fires.c", FIRES), *common)
    probes = [sdt.process(asks, name="p_asks.o"), sdt.process(fires, name="p_fires.o")]
    main = sdt.compile(sdt.write("main.c", MAIN), mode[0])
    linker = [f"-fuse-ld={linker}", *link]
    if kind == "shared":
        sdt.command("gcc", "-shared", *linker, "-o", "libprobes.so", *probes)
        exe = sdt.link(main, "-L.", "-lprobes", "-Wl,-rpath,$ORIGIN", runtime="shared")
        return exe, sdt.path("libprobes.so")
    exe = sdt.link(main, *probes, *mode[1:], *linker)
    return exe, exe


def offsets(path):
    """Of each site, and of the one semaphore, in the file."""
    found = [note for note in notes(path) if note.provider == "app"]
    [semaphore] = {note.semaphore for note in found}
    with open(path, "rb") as stream:
        [section] = [s for s in ELFFile(stream).iter_sections() if s.name == ".probes"]
    assert section["sh_addr"] <= semaphore < section["sh_addr"] + section["sh_size"]
    assert {note.name for note in found} == {"some__probe"} and len(found) >= 2
    return [file_offset(path, note.pc) for note in found], file_offset(path, semaphore)


class Asked:
    """The running program."""

    def __init__(self, exe):
        self.process = subprocess.Popen([exe], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, cwd=exe.parent)

    def __call__(self, word=""):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        patience.until(lambda: self.process.poll() is not None)
        assert self.process.returncode == 0


def check(sdt, exe, path):
    """Off; on for a tracer, for sdt_enable(), for both and one of both; off."""
    sites, semaphore = offsets(path)
    sdt.sdtlink("verify", path)
    with Asked(exe) as asked, Uprobe(path, sites[0], semaphore) as first, \
            Uprobe(path, sites[-1], semaphore) as last:
        assert asked() == 0
        first.attach()
        assert asked() == 1
        last.attach()
        first.detach()
        assert asked() == 1 and asked("e") == 1
        last.detach()
        assert asked() == 1 and asked("d") == 0
        assert first.hits() + last.hits() >= 2


@needs_uprobes
@needs_tracefs
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_a_tracer_makes_it_true(sdt, compiler, form, level):
    check(sdt, *build(sdt, compiler, form, flags=(level,)))


@needs_uprobes
@needs_tracefs
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("linker", LINKERS)
def test_whatever_is_linked(sdt, linker, kind):
    sections = ("-O2", "-ffunction-sections", "-fdata-sections")
    check(sdt, *build(sdt, linker=linker, kind=kind, flags=sections, link=("-Wl,--gc-sections",)))


@needs_uprobes
@needs_tracefs
@pytest.mark.parametrize("compiler, flags", [
    ("gcc", ["-flto"]), ("clang", ["-flto", "-fuse-ld=lld"]),
    ("clang", ["-flto=thin", "-fuse-ld=lld"])])
def test_link_time_optimisation(sdt, compiler, flags):
    sources = [sdt.write(name, text) for name, text in
               (("asks.c", ASKS), ("fires.c", FIRES), ("main.c", MAIN))]
    sdt.command(sdt.tool, f"--runtime-directory={sdt.static_runtime.parent}", compiler, "-O2",
                "-DSDT_SEMAPHORES", "-I", INCLUDE, *flags, *sources, "-o", "a.out")
    check(sdt, sdt.path("a.out"), sdt.path("a.out"))


def test_a_semaphore_stays_that_only_notes_lead_to(sdt):
    """No site asks: but a tracer that writes to the address must hit the counter."""
    main = "int main(void) { void fired(int); fired(1); return 0; }"
    for linker in LINKERS:
        fires = sdt.process(sdt.compile(sdt.write("fires.c", FIRES), "-DSDT_SEMAPHORES",
                                        "-ffunction-sections"))
        exe = sdt.link(sdt.compile(sdt.write("main.c", main)), fires, f"-fuse-ld={linker}",
                       "-Wl,--gc-sections")
        [note] = notes(exe)
        with open(exe, "rb") as stream:
            symbols = ELFFile(stream).get_section_by_name(".symtab")
            [symbol] = symbols.get_symbol_by_name("app_some__probe_semaphore")
            assert note.semaphore == symbol["st_value"] != 0


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dialect", ["c99", "gnu17", "c++98", "c++11", "gnu++20"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_no_compiler_warns(sdt, compiler, dialect, form):
    # g++ also warns without semaphores of a call in an unnamed namespace of C++98: not our matter.
    source = ASKS.replace("namespace {", "namespace named {").replace(
        "inner::", "named::inner::") if dialect == "c++98" else ASKS
    sdt.compile(sdt.write("asks.cc", source), "-x", "c++" if "++" in dialect else "c",
                f"-std={dialect}", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
                "-Wconversion", "-Werror", "-DSDT_SEMAPHORES", *FORMS[form], compiler=compiler)


def test_the_price(sdt):
    """One load more for a question, and nothing for a probe."""
    for form, flags in FORMS.items():
        sizes = {}
        for define in ([], ["-DSDT_SEMAPHORES"]):
            for name, source in (("asks", ASKS), ("fires", FIRES)):
                obj = sdt.compile(sdt.write(f"{name}.c", source), "-O2", *flags, *define)
                text = sdt.command("objdump", "-d", obj).stdout
                sizes[name, bool(define)] = len(re.findall("^ +[0-9a-f]+:\t", text, re.M))
                assert ("movzwl" in text) == (name == "asks" and bool(define)), form
        assert sizes["fires", True] == sizes["fires", False], form
