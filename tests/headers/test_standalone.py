# SPDX-License-Identifier: BSD-2-Clause
"""sdt.h, one file whose probes work without sdtlink, and better with it: what compilers and linkers
make of it, what tracers see, and what sdtlink makes of the same object.
"""
import itertools
import json
import os
import re
import shutil

import pytest
import tracers
from attached import ask, json_lines
from conftest import BUILD, INCLUDE, PROGRAMS
from elftools.elf.elffile import ELFFile
from elfview import ElfView
from stapsdt import notes
from stock import Target, counted
from toolchain import CLANGS, LLDS

HEADER = BUILD / "runtime" / "include" / "sdt.h"
WARNINGS = "-Wall -Wextra -Wpedantic -Werror -Wshadow -Wundef -Wconversion".split()
COMPILERS = ["gcc", "clang"]
KIND = "nop11"
COUNTER = itertools.count()


@pytest.fixture(name="own")
def fixture_own(sdt):
    """A directory of a project that has its copy of the header, and nothing of ours."""
    directory = sdt.path("project")
    directory.mkdir()
    shutil.copy(HEADER, directory)
    return directory


def built(sdt, own, source, *flags, compiler="gcc", name="program"):
    """A program as its users build it, without a tool or library of ours."""
    sdt.command(*compiler.split(), "-O2", "-I", own, *flags, source, "-o", sdt.path(name))
    return sdt.path(name)


def live(sdt):
    """What stands before the compiler; libsdt is never that of a sanitizer."""
    return [sdt.tool, f"--runtime-directory={BUILD / 'runtime'}"]


PROGRAM = r'''
#include "sdt.h"
#include <stdio.h>
#include <stdlib.h>

struct item { int id; char letter; long size; const char *name; double weight; float share; };
int table[8] = {0, 100, 200, 300, 400, 500, 600, 700};
static int asked;

__attribute__((noinline)) void work(const struct item *item, int i, unsigned char low)
{
    SDT_PROBE(shop, sale, item->id, item->letter, item->size, item->name);
    SDT_PROBE(shop, index, table[i], i, low, 7, -3L, item->weight, item->share, item->id > 3);
    if (SDT_PROBE_ENABLED(shop, asked))
        asked++;
    SDT_PROBE_LAZY(shop, asked, atoi(item->name));
    SDT_PROBE(shop, none);
}

int main(void)
{
    struct item item = {-5, 'x', 1L << 40, "42", 0.5, 2.5f};
    int i;
    for (i = 0; i < 5; i++)
        work(&item, i, (unsigned char)(250 + i));
    printf("%d\n", asked);
    return 0;
}
'''
NAMES = ["asked", "index", "none", "sale"]
FIELDS = {"sale": ["-4", "-1", "-8", "8"], "none": [], "asked": ["-4"],
          "index": ["-4", "-4", "1", "-4", "-8", "8", "4", "-4"]}


def check_notes(path):
    found = notes(path)
    assert sorted(note.name for note in found) == NAMES
    with open(path, "rb") as stream:
        base = ELFFile(stream).get_section_by_name(".stapsdt.base")["sh_addr"]
    for note in found:
        assert note.provider == "shop" and note.base == base
        assert [arg.split("@")[0] for arg in note.args.split()] == FIELDS[note.name]
        assert bool(note.semaphore) == (note.name == "asked")


# ---- The file. ----


def test_it_is_one_file(own):
    text = (own / "sdt.h").read_text()
    assert len(text.splitlines()) <= 1500
    assert re.findall(r"^#include (.*)$", text, re.M) == ["<stddef.h>"]
    assert text.startswith("/* SPDX-License-Identifier: BSD-2-Clause */\n/* Copyright")
    assert re.search(r"This is sdt\.h of sdtlink \d+\.\d+\.\d+\.", text)
    assert "(SDT_STANDALONE)\n#include" not in text and "run_sdtlink" not in text
    assert "!defined(SDT_STANDALONE)" not in text and text.count("GCC system_header") == 1


@pytest.mark.parametrize("flags", ["", "-DSDT_DISABLE", "-DSDT_NO_NAMES", "-DSDT_SEMAPHORES"])
@pytest.mark.parametrize("compiler, dialects", [
    ("gcc", "c89 gnu89 c99 c11 c17 c2x"), ("clang", "c89 gnu89 c99 c11 c17 c2x"),
    ("g++", "c++98 c++11 c++14 c++17 c++20 c++2b"), ("clang++", "c++98 c++11 c++17 c++20 c++2b")])
def test_dialects(sdt, own, compiler, dialects, flags):
    source = sdt.write("dialects.c", PROGRAM)
    language = ["-x", "c++"] if "++" in compiler else []
    for dialect in dialects.split():
        unsaid = ["-Wno-long-long"] if dialect == "c++98" else []
        for level in ("-O0", "-O2"):
            sdt.command(compiler, *language, f"-std={dialect}", *WARNINGS, *unsaid, level,
                        *flags.split(), "-I", own, "-c", source, "-o", sdt.path("dialects.o"))


@pytest.mark.parametrize("target", ["x86_64-linux-gnux32", "arm-linux-gnueabihf",
                                    "x86_64-windows-gnu"])
def test_nothing_is_left_elsewhere(sdt, own, target):
    source = sdt.write("else.c", PROGRAM.replace("<stdio.h>", "<stddef.h>").replace(
        "#include <stdlib.h>", "int printf(const char *, ...); int atoi(const char *);").replace(
            "1L << 40", "1000"))
    sdt.command("clang", f"--target={target}", "-O2", "-Wall", "-Werror", "-I", own, "-c", source,
                "-o", sdt.path("else.o"))
    assert b"stapsdt" not in sdt.path("else.o").read_bytes()


def test_whichever_comes_first_counts(sdt, own):
    for first, second, uses in (('"sdt.h"', "<sdt/probe.h>", 0), ("<sdt/probe.h>", '"sdt.h"', 1)):
        source = sdt.write("both.c", f"#include {first}\n#include {second}\n"
                           "void f(int a) { SDT_PROBE(shop, both, a); }\n")
        text = sdt.run("nm", sdt.compile(source, "-I", own, "-Wall", "-Werror"))
        assert text.count("run_sdtlink") == uses


# ---- Without sdtlink. ----

LINKS = {"pie": ["-fPIE", "-pie"], "no-pie": ["-fno-pie", "-no-pie"], "static": ["-static"],
         "lto": ["-flto"], "O0": ["-O0"], "gc": ["-ffunction-sections", "-Wl,--gc-sections"]}


@pytest.mark.parametrize("how", LINKS)
@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_it_links_and_runs(sdt, own, compiler, linker, how):
    if how == "lto" and (compiler, linker) in {("gcc", "lld"), ("gcc", "mold"), ("clang", "mold")}:
        pytest.skip("this linker has no plugin for this compiler")
    exe = built(sdt, own, sdt.write("shop.c", PROGRAM), *LINKS[how], f"-fuse-ld={linker}",
                compiler=compiler)
    assert sdt.run(exe) == "0\n"
    check_notes(exe)
    tracers.check_notes_as_read(sdt, "readelf", exe)
    assert "__dtrace" not in sdt.run("nm", "-u", exe)
    sections = sdt.run("readelf", "-SW", exe)
    assert ".sdt_args" not in sections
    assert re.search(r" \.probes .* 4096$", sections, re.M)  # it shares no page with constants
    sdt.run("strip", exe)
    check_notes(exe)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.nosan  # the library would be loaded into a program without a sanitizer
def test_its_sites_are_armed_by_jumps(sdt, own, compiler):
    exe = built(sdt, own, sdt.write("shop.c", PROGRAM), compiler=compiler)
    hits, result = counted(sdt, "shop:*", exe)
    assert hits == dict.fromkeys((f"shop:{name}" for name in NAMES), 5)
    ends = [note for note in notes(exe) if (note.pc + 11) % 16 == 0]  # may be a gap: breakpoints
    assert ("breakpoints" in result.stderr) == bool(ends)
    assert re.search("^5$", result.stdout, re.M)


def traced(sdt, own, compiler, *flags):
    """The program of the tracers' tests, its probes those of the header."""
    provider = f"alone_{os.getpid()}_{next(COUNTER)}"
    sdt.command(compiler, "-O2", "-DOURS", f"-DPROVIDER={provider}", "-include", own / "sdt.h",
                "-I", INCLUDE, *flags, PROGRAMS / "compat_traced.c", PROGRAMS / "compat_main.c",
                "-Wl,--build-id=sha1", "-o", sdt.path("traced"))
    return provider, sdt.path("traced"), [sdt.path("traced"), tracers.ROUNDS]


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_gdb_sees_the_arguments(sdt, own, compiler, level):
    provider, file, command = traced(sdt, own, compiler, level)
    if "clang" in compiler and re.search(r"@%r\d+b\b", sdt.run("readelf", "-n", file)):
        pytest.skip("gdb calls r8b r8l (docs/limits.md)")
    tracers.check_gdb_arguments(sdt, provider, command)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_perf_sees_the_arguments(sdt, own, compiler):
    provider, file, command = traced(sdt, own, compiler)
    with tracers.Perf(sdt, provider) as perf:
        tracers.check_perf(perf.record(file, command))


@pytest.mark.parametrize("compiler", COMPILERS)
def test_bpftrace_sees_the_arguments(sdt, own, compiler):
    provider, file, command = traced(sdt, own, compiler)
    tracers.check_bpftrace_arguments(sdt, provider, file, command)
    assert tracers.count_with_bpftrace(sdt, provider, file, command)[0] == tracers.ALL_HIT


# ---- Semaphores. ----

ASKS = '#include "sdt.h"\nint is_on(void) { return SDT_PROBE_ENABLED(shop, far) != 0; }\n'
HITS = '''#include "sdt.h"
#include <stdio.h>
ASKED
int main(void)
{
    int on = 0, i;
    for (i = 0; i < 3; i++) {
        SDT_PROBE(shop, far, i);
        on += is_on();
    }
    printf("%d\\n", on);
    return 0;
}
'''


def far(sdt, own, is_asked, *tool, flags=()):
    """A program that asks in another file than it hits in, or nowhere."""
    asked = "int is_on(void);" if is_asked else "static int is_on(void) { return 0; }"
    sources = [sdt.write("hits.c", HITS.replace("ASKED", asked))]
    sources += [sdt.write("asks.c", ASKS)] if is_asked else []
    sdt.command(*tool, "gcc", "-O2", "-I", own, *flags, *sources, "-o", sdt.path("far"))
    return sdt.path("far")


@pytest.mark.parametrize("is_live", [False, True])
def test_a_semaphore_is_where_a_question_is(sdt, own, is_live):
    tool = live(sdt) if is_live else []
    assert {note.semaphore for note in notes(far(sdt, own, False, *tool))} == {0}
    exe = far(sdt, own, True, *tool)
    assert all(note.semaphore for note in notes(exe))
    assert sdt.run(exe) == "0\n"
    if is_live:
        sdt.sdtlink("verify", exe)


@pytest.mark.parametrize("linker", ["bfd", "lld", "mold"])
@pytest.mark.parametrize("is_live", [False, True])
def test_tracers_answer_the_question(sdt, own, is_live, linker):
    exe = far(sdt, own, True, *(live(sdt) if is_live else []), flags=[f"-fuse-ld={linker}"])
    output = tracers.bpftrace(sdt, f'usdt:{exe}:shop:far {{ printf("hit %d\\n", arg0); }}', [exe])
    assert re.findall(r"hit (\d)", output) == ["0", "1", "2"]
    assert re.search(r"^3$", output, re.M)


@pytest.mark.nosan
@pytest.mark.parametrize("is_live", [False, True])
@pytest.mark.parametrize("is_asked", [False, True])
def test_our_tool_answers_the_question(sdt, own, is_live, is_asked):
    exe = far(sdt, own, is_asked, *(live(sdt) if is_live else []))
    hits, result = counted(sdt, "shop:far", exe)
    assert hits == {"shop:far": 3}
    assert re.search(rf"^{3 if is_asked else 0}$", result.stdout, re.M)


# ---- With sdtlink. ----

LISTED = {"sale": "id: int32, letter: int8, size: int64, name: string", "none": "",
          "index": "table: int32, i: int32, low: uint8, arg3: int32, arg4: int64, weight: double, "
                   "share: float, arg7: int32", "asked": "atoi: int32"}


@pytest.mark.parametrize("how", ["", "-flto", "-O0", "-fno-pie -no-pie"])
@pytest.mark.parametrize("compiler", [*COMPILERS, *(f"{CLANGS[-1]} -fuse-ld={LLDS[-1]}",)])
def test_the_same_source_is_live(sdt, own, compiler, how):
    """Names and types, by nothing but one more word before the compiler."""
    exe = sdt.path("live")
    sdt.command(*live(sdt), *compiler.split(), "-O2", *how.split(), "-I", own,
                sdt.write("shop.c", PROGRAM), "-o", exe)
    sdt.sdtlink("verify", exe)
    check_notes(exe)
    rows = json.loads(sdt.sdtlink("list", "--json", exe).stdout)
    listed = {row["name"]: arguments(row) for row in rows}
    assert listed == LISTED
    assert {site.kind for site in ElfView(exe).sites()} == {KIND}


def arguments(row):
    return ", ".join(f"{field['name']}: {field['type']}" for field in row["fields"])


def events_of(sdt, own, source):
    """What a live program records."""
    exe = sdt.path("live")
    sdt.command(*live(sdt), "gcc", "-O2", "-I", own, sdt.write("live.c", source), "-o", exe)
    ask(sdt, "record", "-o", "rec", "-e", "shop:*", "--", exe)
    return json_lines(ask(sdt, "report", "--json", "rec").stdout)


@pytest.mark.nosan
def test_events_of_a_live_program(sdt, own):
    events = events_of(sdt, own, PROGRAM)
    assert [event["name"] for event in events[:4]] == ["sale", "index", "asked", "none"]
    assert len(events) == 20
    assert events[0]["args"] == {"id": -5, "letter": ord("x"), "size": 1 << 40, "name": "42"}
    assert events[5]["args"] == {"table": 100, "i": 1, "low": 251, "arg3": 7, "arg4": -3,
                                 "weight": 0.5, "share": 2.5, "arg7": 0}


EVENT = r'''
#include "sdt.h"
#include <stdio.h>

SDT_EVENT(shop, got, SDT_FIELD(long, size), SDT_FIELD_TEXT(name, 32));

int main(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        SDT_RESERVE(shop, got, e);
        if (e) {
            e->size = 10L * i;
            snprintf(e->name, sizeof e->name, "pool %d", i);
            SDT_COMMIT(shop, got, e);
        }
    }
    return 0;
}
'''


@pytest.mark.nosan
def test_typed_events(sdt, own):
    assert [event["args"] for event in events_of(sdt, own, EVENT)] == [
        {"size": 10 * i, "name": f"pool {i}"} for i in range(3)]


def test_objects_are_proven(sdt, own):
    obj = sdt.compile(sdt.write("shop.c", PROGRAM), "-I", own)
    made = sdt.process(obj)
    sdt.sdtlink("verify", made, "--against", obj)
    assert made.stat().st_size < 2 * obj.stat().st_size
    again = sdt.process(made, name="again.o")
    assert again.read_bytes() == made.read_bytes()


def test_another_type_than_was_told_is_found(sdt, own):
    """Notes do not say pointers; the record must agree with .sdt_args."""
    obj = sdt.compile(sdt.write("shop.c", PROGRAM), "-I", own)
    made = sdt.process(obj)
    assert made.read_bytes().count(b"8p@") == 1
    made.write_bytes(made.read_bytes().replace(b"8p@", b"8f@"))
    said = sdt.sdtlink("verify", made, "--against", obj, status=1).stdout
    assert "expected argument 4 where the compiler said it is" in said


def test_archives_and_objects_of_both_headers(sdt, own):
    """An archive that sdtlink has not seen, linked with it; the main program has <sdt/probe.h>."""
    part = sdt.compile(sdt.write("part.c", '#include "sdt.h"\nvoid part(int a)\n{\n'
                                 "    SDT_PROBE(shop, part, a);\n}\n"), "-I", own)
    main = sdt.compile(sdt.write("main.c", "#include <sdt/probe.h>\nvoid part(int);\n"
                                 "int main(void)\n{\n    SDT_PROBE(shop, whole);\n"
                                 "    part(3);\n    return 0;\n}\n"))
    sdt.command("ar", "rcs", sdt.path("libpart.a"), part)
    exe = sdt.path("both")
    sdt.command(*live(sdt), "gcc", main, sdt.path("libpart.a"), "-o", exe)
    sdt.sdtlink("verify", exe)
    assert {site.name: site.kind for site in ElfView(exe).sites()} == {
        "part": KIND, "whole": "inline"}


def test_operands_in_intel_s_syntax_are_refused(sdt, own):
    said = sdt.command("gcc", "-masm=intel", "-I", own, "-c", sdt.write("shop.c", PROGRAM), "-o",
                       sdt.path("intel.o"), status=1).stderr
    assert "with -masm=intel, define SDT_DISABLE" in said


@pytest.mark.nosan
@pytest.mark.parametrize("place", [0, 3])
def test_a_site_that_could_be_a_gap_is_known(sdt, own, place):
    """Without sdtlink one that ends at a multiple of 16 is a breakpoint, with it a jump."""
    source = sdt.write("gap.c", r'''
#include "sdt.h"
#include <stdio.h>
#include <string.h>
__attribute__((noinline, aligned(16))) void hit(void)
{
    __asm__ volatile(".balign 16\n\t.skip 5 + %c0, 0x90" : : "i"(PLACE));
    SDT_PROBE(shop, gap);
}
int main(void)
{
    char line[16];
    puts("here");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4) != 0) {
        hit();
        puts("ok");
        fflush(stdout);
    }
    return 0;
}
''')
    flags = ["-O2", "-I", own, f"-DPLACE={place}", source]
    alone = built(sdt, own, source, f"-DPLACE={place}")
    [note] = notes(alone)
    assert (note.pc + 11) % 16 == place
    made = sdt.path("live")
    sdt.command(*live(sdt), "gcc", *flags, "-o", made)
    assert {site.kind for site in ElfView(made).sites()} == {KIND}
    for exe, state in ((alone, "trap" if place == 0 else "jump"), (made, "jump")):
        with Target(exe) as target:
            ask(sdt, "enable", "-p", target.pid, "shop:gap")
            target.do("hit")
            [line] = json_lines(ask(sdt, "list", "--json", "-p", target.pid).stdout)
            assert (line["state"], line["hits"]) == (state, 1)


@pytest.mark.parametrize("told, message", [
    (r".byte 7, 2, \1, \1", "the note of this site has a different number of arguments"),
    (r".byte 7, 1, 8", "the note of this site has an argument of a different size")])
def test_an_entry_that_does_not_fit_its_note_is_refused(sdt, own, told, message):
    source = sdt.write("less.c", '#include "sdt.h"\nvoid f(int a) { SDT_PROBE(shop, less, a); }\n')
    text = sdt.path("less.s")
    sdt.command("gcc", "-O2", "-I", own, "-S", source, "-o", text)
    changed, count = re.subn(r"\.byte 7, 1, (\d+)", told, text.read_text())
    assert count == 1
    text.write_text(changed)
    sdt.command("gcc", "-c", text, "-o", sdt.path("less.o"))
    said = sdt.sdtlink("-o", sdt.path("out.o"), sdt.path("less.o"), status=1).stderr
    assert message in said
    assert "shop:less" in said and not sdt.path("out.o").exists()


def test_notes_can_be_left_to_tracers(sdt, own):
    obj = sdt.compile(sdt.write("shop.c", PROGRAM), "-I", own)
    made = sdt.process(obj, "--ignore-stapsdt")
    assert not ElfView(made).sites()


# ---- Assembly. ----


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("is_live", [False, True])
def test_assembly(sdt, own, compiler, is_live):
    """In a .S file, and in an asm statement with and without operands."""
    text = sdt.write("in.S", '#include "sdt.h"\n.text\n.globl pass\n.type pass, %function\npass:\n'
                     'SDT_PROBE_ASM(shop, pass, "-4@%edi 8@%rsi")\nret\n.size pass, . - pass\n'
                     '.section .note.GNU-stack, "", %progbits\n')
    main = sdt.write("main.c", r'''
#include "sdt.h"
void pass(int, const char *);
int main(void)
{
    long value = 77;
    pass(-3, "text");
    __asm__ volatile(SDT_PROBE_ASM(shop, operand, "-8@%[value]") : : [value] "r"(value));
    __asm__ volatile(SDT_PROBE_ASM(shop, plain, "") : : : "memory");
    return 0;
}
''')
    tool = live(sdt) if is_live else []
    exe = sdt.path("assembled")
    sdt.command(*tool, compiler, "-O2", "-Wall", "-Wextra", "-Wpedantic", "-I", own, main, text,
                "-o", exe)
    found = {note.name: note.args for note in notes(exe)}
    assert found["pass"] == "-4@%edi 8@%rsi" and found["plain"] == ""
    assert re.fullmatch(r"-8@%r\w\w", found["operand"])
    if is_live:
        assert sorted(site.name for site in ElfView(exe).sites()) == ["operand", "pass", "plain"]
    output = sdt.command("gdb", "-nx", "-batch", "-ex", "break -probe-stap shop:pass", "-ex", "run",
                         "-ex", 'printf "%d %s\\n", (int)$_probe_arg0, (char *)$_probe_arg1',
                         exe).stdout
    assert "-3 text" in output
