# SPDX-License-Identifier: BSD-2-Clause
"""Probes of <sys/sdt.h>, ours and SystemTap's, and as libbpf's <usdt.h> has them, as sites: what
sdtlink makes of their notes.
"""
import io
import itertools
import os
import pathlib
import re
import subprocess

import pytest
from elftools.elf.elffile import ELFFile

from conftest import INCLUDE, PROGRAMS
from patched import ARGS, RECORD
import usdt
from stapsdt import notes
from uprobe import TRACEFS, Uprobe

pytestmark = pytest.mark.plain  # what compilers make of the header

COMPAT = INCLUDE / "sdt-compat"
ORIGINAL = next(pathlib.Path("/usr/include").glob("**/sys/sdt.h"), None)
HEADERS = ["ours", "original", "usdt"]
LINKERS = ["bfd", "gold", "lld", "mold"]
MODES = {"pie": ["-fPIE", "-pie"], "no-pie": ["-fno-pie", "-no-pie"],
         "static": ["-fno-pie", "-static"], "static-pie": ["-fPIE", "-static-pie"]}


def include(header):
    """Flags that make <sys/sdt.h> the one that is meant."""
    if header == "ours":
        return ["-I", COMPAT]
    if ORIGINAL is None:
        pytest.skip("SystemTap's header is not installed (package systemtap-sdt-dev)")
    return []


def compiled(sdt, source, *flags, header="ours", **kwargs):
    if header == "usdt":
        compiler = kwargs.pop("compiler", None) or "gcc"
        source = usdt.assembled(sdt, source, *flags, compiler=compiler)
        return sdt.compile(source, **kwargs)
    return sdt.compile(source, *include(header), *flags, **kwargs)


def processed(sdt, source, *flags, header="ours", **kwargs):
    return sdt.process(compiled(sdt, source, *flags, header=header, **kwargs), "-q")


def plan(sdt, obj):
    """(probe, args) of each site, from the dry run."""
    lines = sdt.sdtlink("--dry-run", obj).stdout.splitlines()
    return [(m[1], m[2]) for m in
            (re.fullmatch(r'\S+ (\S+) nop1 \[90\] -> \[90\] args "(.*)"', line) for line in lines)]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("compiler", ["gcc -x c", "clang -x c", "g++", "clang++"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_arguments_of_every_type_arrive(sdt, header, compiler, level):
    """Registers, the stack, other memory, constants, variables; also what cannot be read."""
    driver, *language = compiler.split()
    # gcc leaves an operand in memory where it can; a pointer into nowhere is then no crash.
    wild = ["-DWILD=1"] if driver in ("gcc", "g++") and level == "-O2" else []
    obj = processed(sdt, "nop1_values.cc", level, *language, *wild, header=header, compiler=driver)
    assert sdt.run(sdt.link(obj)) == "ok\n"


@pytest.mark.parametrize("header", ["ours", "usdt"])
def test_a_handler_changes_nothing_of_live_code(sdt, header):
    """All registers, AVX, x87, flags, direction, red zone; backtrace() walks out of the handler."""
    main = sdt.compile("nop1_registers.c")
    site = processed(sdt, "nop1_registers_asm.S", header=header, compiler="gcc")
    assert sdt.run(sdt.link(main, site)) == "200 hits, 0 errors, walked\n"


@pytest.mark.parametrize("header", ["ours", "usdt"])
def test_threads_signals_recursion_and_exit(sdt, header):
    exe = sdt.link(processed(sdt, "nop1_storm.c", header=header))
    assert sdt.run(exe) == "ok: 0 wrong, some hits, some signals\n"


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("mode", list(MODES))
def test_semaphores(sdt, linker, mode):
    """Hidden, static and of another object; each linker finds them, also those in the GOT."""
    if linker == "gold" and mode == "static-pie":
        pytest.skip("gold does not know the option that gcc passes for -static-pie")
    compile_flag, link_flag = MODES[mode]
    for visibility in ([], ["-DVISIBILITY=unused"]):
        flags = [compile_flag, "-ffunction-sections", *visibility]
        objects = [processed(sdt, "nop1_semaphore.c", *flags, name="main.o"),
                   processed(sdt, "nop1_semaphore.c", *flags, "-DPART", name="part.o"),
                   compiled(sdt, "nop1_semaphore.c", *flags, "-DDEFINE", name="define.o")]
        exe = sdt.link(*objects, link_flag, f"-fuse-ld={linker}", "-Wl,--gc-sections")
        assert sdt.run(exe) == "ok\n"
        assert sdt.sdtlink("verify", exe).stdout.endswith("4 sites, 2 probes: ok\n")


def test_semaphores_of_the_original_header(sdt):
    flags = ["-DVISIBILITY=unused"]
    objects = [processed(sdt, "nop1_semaphore.c", *flags, header="original", name="main.o"),
               processed(sdt, "nop1_semaphore.c", *flags, "-DPART", header="original",
                         name="part.o"),
               compiled(sdt, "nop1_semaphore.c", *flags, "-DDEFINE", name="define.o")]
    assert sdt.run(sdt.link(*objects)) == "ok\n"


LIBRARY = r"""
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
unsigned short lib_call_semaphore __attribute__((section(".probes")));
static int local = 40;
int shown = 41;
int call(int n) { if (*(volatile unsigned short *)&lib_call_semaphore) {
        STAP_PROBE3(lib, call, n, local, shown); return 1; } local += n; return 0; }
"""
LOADER = r"""
#include <dlfcn.h>
#include <sdt/runtime.h>
#include <stdio.h>
int shown = 99; /* the library's own is not used: this one is, as by the library's code */
static volatile long sum;
static void on_hit(const struct sdt_event *e, void *d)
{ (void)d; sum = sum * 1000 + (long)(sdt_arg(e, 0) + sdt_arg(e, 1) + sdt_arg(e, 2)); }
int main(void)
{
    int id = sdt_enable("lib:call,other:none", on_hit, NULL); /* nothing is there yet */
    printf("%s\n", id < 0 ? "none" : "some");
    for (int i = 0; i < 2; i++) {
        void *library = dlopen("./lib.so", RTLD_NOW);
        int (*call)(int) = (int (*)(int))dlsym(library, "call");
        int off = call(0);
        if (i == 0)
            id = sdt_enable("lib:call", on_hit, NULL);
        int on = call(1);
        printf("%d %d %ld\n", off, on, sum);
        dlclose(library);
    }
    return sdt_disable(id);
}
"""


@pytest.mark.parametrize("linker", LINKERS)
def test_a_library_that_is_opened_and_closed(sdt, linker):
    """A subscription in force raises the semaphores of what is loaded later."""
    obj = processed(sdt, sdt.write("lib.c", LIBRARY), "-fPIC")
    sdt.link(obj, "-shared", f"-fuse-ld={linker}", runtime="shared", name="lib.so")
    main = sdt.compile(sdt.write("loader.c", LOADER))
    exe = sdt.link(main, "-rdynamic", runtime="shared")
    # 1 + 40 + 99; loaded again, its semaphore is up at once, so also call(0) hits.
    assert sdt.run(exe) == "none\n0 1 140\n1 1 140139140\n"


def sites_of(sdt, exe):
    return sorted(line.split()[0] for line in sdt.sdtlink("list", exe).stdout.splitlines()
                  if " nop1 " in line)


DEAD = r"""
#include <sys/sdt.h>
void used(int i);
void dead(int i);
__attribute__((noinline)) void used(int i) { STAP_PROBE1(app, used, i); }
void dead(int i) { STAP_PROBE1(app, dead, i); }
int main(void) { used(1); return 0; }
"""


@pytest.mark.parametrize("linker", ["lld", "mold", "bfd"])
def test_dead_functions_lose_their_records(sdt, linker):
    obj = processed(sdt, sdt.write("dead.c", DEAD), "-ffunction-sections")
    exe = sdt.link(obj, f"-fuse-ld={linker}", "-Wl,--gc-sections",
                   *(["-Wl,-z,start-stop-gc"] if linker == "bfd" else []))
    verdict = sdt.sdtlink("verify", exe).stdout
    # The note keeps the function in GNU ld, with every header; mold keeps all records that it has.
    count = {"lld": 1, "mold": 2, "bfd": 2}[linker]
    assert re.search(rf"{count} sites?, {count} probes?: ok", verdict), verdict


TEMPLATE = r"""
#include <sys/sdt.h>
template <typename T> inline int twice(T x) { STAP_PROBE1(app, twice, x); return (int)(x + x); }
inline int once(int x) { STAP_PROBE1(app, once, x); return x; }
int NAME(int x) { return twice(x) + twice(2.5) + once(x); }
"""


@pytest.mark.parametrize("linker", LINKERS)
def test_comdat_functions_keep_one_site_each(sdt, linker):
    source = sdt.write("t.cc", TEMPLATE)
    objects = [processed(sdt, source, "-O0", f"-DNAME={n}", name=f"{n}.o") for n in ("a", "b")]
    main = sdt.compile(sdt.write("m.cc", "int a(int); int b(int);\n"
                                 "int main() { return a(1) + b(1) - 16; }\n"))
    exe = sdt.link(main, *objects, f"-fuse-ld={linker}", compiler="g++")
    sdt.run(exe)
    assert "3 sites, 2 probes: ok" in sdt.sdtlink("verify", exe).stdout


def test_notes_and_code_are_as_before(sdt):
    """For tracers nothing changes; and a second run finds nothing to do."""
    obj = compiled(sdt, "compat_types.c", "-O2")
    out = sdt.process(obj)
    assert [(n.provider, n.name, n.args) for n in notes(out)] == \
           [(n.provider, n.name, n.args) for n in notes(obj)]
    text = [ELFFile(open(path, "rb")).get_section_by_name(".text").data() for path in (obj, out)]
    assert text[0] == text[1]
    again = sdt.path("again.o")
    assert "no probe to process" in sdt.sdtlink("-o", again, out).stdout
    assert again.read_bytes() == out.read_bytes()
    joined = sdt.path("joined.o")
    sdt.command("ld", "-r", "-o", joined, out)
    assert plan(sdt, joined) == []
    other = sdt.compile(sdt.write("other.c", '#include <sys/sdt.h>\n'
                                  'void g(int i) { STAP_PROBE1(app, later, i); }\n'), "-I", COMPAT)
    sdt.command("ld", "-r", "-o", joined, out, other)
    assert [name for name, _ in plan(sdt, joined)] == ["app::g:later"]


def test_partial_links_keep_what_notes_say(sdt):
    """After ld -r all notes are in one section, and places are section + offset."""
    a = compiled(sdt, sdt.write("a.c", '#include <sys/sdt.h>\nvoid f(int i);\n'
                                'void f(int i) { STAP_PROBE1(app, first, i); }\n'))
    b = compiled(sdt, sdt.write("b.c", '#include <sys/sdt.h>\nint v;\nvoid g(void);\n'
                                'void g(void) { STAP_PROBE1(app, second, v); }\n'))
    for linker in ("ld.bfd", "ld.gold", "ld.lld"):  # mold 1.10 crashes, with every header
        joined = sdt.path("joined.o")
        sdt.command(linker, "-r", "-o", joined, a, b)
        found = plan(sdt, joined)
        assert sorted(name for name, _ in found) == ["app::f:first", "app::g:second"]


def asm(sdt, *lines, name="asm.s"):
    """An object with one note by hand: PC LABEL, and three strings."""
    obj = sdt.path(name).with_suffix(".o")
    sdt.command("as", "-o", obj, sdt.write(name, "\n".join(lines) + "\n"))
    return obj


def note(pc, provider="app", probe="hand", args="", semaphore="0", kind=3):
    """SEMAPHORE None: without a word for it, as in the first draft of the format."""
    third = [] if semaphore is None else [f".8byte {semaphore}"]
    return ['.pushsection .note.stapsdt,"","note"', ".balign 4",
            f".4byte 992f-991f, 994f-993f, {kind}", '991: .asciz "stapsdt"', "992: .balign 4",
            f"993: .8byte {pc}", ".8byte 0", *third, f'.asciz "{provider}"',
            f'.asciz "{probe}"', f'.asciz "{args}"', "994: .balign 4", ".popsection"]


def function(*body):
    return [".text", ".globl f", ".type f, @function", "f:", *body, "ret", ".size f, . - f"]


@pytest.mark.parametrize("what,lines", [
    ("the instruction there is not a one-byte NOP",
     function("1: xor %eax, %eax", *note("1b"))),
    ("the note's address is not in this object", function("nop", *note("0x1234"))),
    ("the note's address is not in this object", function("nop", *note("elsewhere"))),
    ("the note's address is not in code of this object",
     function("nop", *note("d")) + [".data", "d: .byte 0x90"]),
    ('provider or name is not a C identifier or contains "___"',
     function("1: nop", *note("1b", provider="a___b"))),
    ('provider or name is not a C identifier or contains "___"',
     function("1: nop", *note("1b", provider="a_"))),
    ('provider or name is not a C identifier or contains "___"',
     function("1: nop", *note("1b", probe="a-b"))),
    ("the probe has more than 12 arguments",
     function("1: nop", *note("1b", args=" ".join(["4@$1"] * 13)))),
    ("another note names the same NOP",
     function("1: nop", *note("1b"), *note("1b", probe="second"))),
    ("the note is longer than its section",
     function("1: nop") + ['.section .note.stapsdt,"","note"', ".4byte 8, 500, 3",
                           '.asciz "stapsdt"']),
    ("the note is too short",
     function("1: nop") + ['.section .note.stapsdt,"","note"', ".4byte 8, 4, 3",
                           '.asciz "stapsdt"', ".4byte 0"]),
    ("the note's strings do not end in it",
     function("1: nop") + ['.section .note.stapsdt,"","note"', ".4byte 8, 28, 3",
                           '.asciz "stapsdt"', ".8byte 1b, 0, 0", '.ascii "abcd"']),
])
def test_a_note_that_cannot_be_a_site_is_left_to_tracers(sdt, what, lines):
    obj = asm(sdt, *lines)
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    assert "warning" in result.stderr and what in result.stderr
    assert "sdt_enable() will not" in result.stderr
    if what.startswith("another"):
        assert len(plan(sdt, obj)) == 1
    else:
        assert sdt.path("out.o").read_bytes() == obj.read_bytes()


def test_descriptors_that_cannot_be_merged_byte_by_byte(sdt):
    """Those that name variables: a word for each, the first one last, the text, and its padding."""
    all_args = ["4@one(%rip)", "-4@two(%rip) 4@%eax 4@one(%rip)", "4@%eax 4@two(%rip)"]
    body = [line for number, args in enumerate(all_args, 1)
            for line in (f"{number}: nop", *note(f"{number}b", probe=f"p{number}", args=args))]
    obj = asm(sdt, *function(*body), ".data", "one: .long 1", "two: .long 2")
    elf = ELFFile(io.BytesIO(sdt.process(obj, "-q").read_bytes()))
    names = [section.name for section in elf.iter_sections()]
    expected, words, texts = b"", [], []
    for args in all_args:
        variables = re.findall(r"(\w+)\(%rip\)", args)
        texts.append(len(expected) + 4 * len(variables))
        words += [(texts[-1] - 4 * (i + 1), name) for i, name in enumerate(variables)]
        expected += bytes(4 * len(variables)) + args.encode() + b"\0"
        expected += bytes(-len(expected) % 4)
    assert elf.get_section(names.index(".rodata.sdt_rip")).data() == expected
    symbols = elf.get_section_by_name(".symtab")

    def relocations(section):
        return [(r["r_offset"], symbols.get_symbol(r["r_info_sym"]), r["r_addend"])
                for r in elf.get_section_by_name(f".rela{section}").iter_relocations()]
    data = names.index(".data")
    found = [(at, {0: "one", 4: "two"}[symbol["st_value"] + addend])
             for at, symbol, addend in relocations(".rodata.sdt_rip")
             if symbol["st_shndx"] == data]
    assert sorted(found) == sorted(words)
    home = names.index(".rodata.sdt_rip")
    led = [(at, addend) for at, symbol, addend in relocations("sdt_sites")
           if symbol["st_shndx"] == home]
    assert sorted(led) == [(RECORD.size * i + ARGS, text) for i, text in enumerate(texts)]


def test_what_is_no_note_of_a_probe_is_passed_over(sdt):
    lines = function("1: nop", *note("1b", kind=7))
    assert plan(sdt, asm(sdt, *lines)) == []
    assert plan(sdt, asm(sdt, *function("1: nop", *note("1b")))) == [("app::f:hand", "")]


def test_notes_can_be_ignored(sdt):
    obj = compiled(sdt, sdt.write("dead.c", DEAD))
    out = sdt.path("out.o")
    assert "no probe" in sdt.sdtlink("--ignore-stapsdt", "-o", out, obj).stdout
    assert out.read_bytes() == obj.read_bytes()
    result = sdt.sdtlink("--companion", "-o", out, obj, status=1)
    assert "no probe to make a companion for" in result.stderr


def byte_offset(exe):
    """The site's place in the file, from its note."""
    [found] = notes(exe)
    with open(exe, "rb") as stream:
        return next(ELFFile(stream).address_offsets(found.pc))


# In each order: what the kernel's tracer and we see of ten hits after each step. The byte is
# shared: what is traced is not ours; a detach takes our breakpoint along, our disable the tracer's.
ORDERS = {
    "aedt": [(10, 0), (10, 0), (10, 0), (0, 0)],
    "aetd": [(10, 0), (10, 0), (0, 0), (0, 0)],
    "ated": [(10, 0), (0, 0), (0, 10), (0, 0)],
    "eadt": [(0, 10), (10, 0), (0, 0), (0, 0)],
    "eatd": [(0, 10), (10, 0), (0, 0), (0, 0)],
    "edat": [(0, 10), (0, 0), (10, 0), (0, 0)],
}


@pytest.mark.parametrize("header", ["ours", "original"])
def test_a_tracer_on_the_same_byte_in_every_order(sdt, header):
    if not os.access(TRACEFS / "uprobe_events", os.W_OK):
        pytest.skip("needs root and tracefs at /sys/kernel/tracing")
    exe = sdt.link(processed(sdt, "nop1_uprobe.c", header=header))
    assert set(ORDERS) == {"".join(p) for p in itertools.permutations("aedt")
                           if p.index("a") < p.index("t") and p.index("e") < p.index("d")}
    with Uprobe(exe, byte_offset(exe)) as probe:
        with subprocess.Popen([exe], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as process:
            def tell(command):
                process.stdin.write(command)
                process.stdin.flush()
                result, ours, wrong = map(int, process.stdout.readline().split())
                assert wrong == 0
                return result, ours

            for order, expected in ORDERS.items():
                seen = []
                for step in order:
                    if step == "a":
                        probe.attach()
                    elif step == "t":
                        probe.detach()
                    else:
                        result, _ = tell(step)
                        if step == "e":
                            assert result == (-16 if order.startswith("ae") else 0)
                    before = probe.hits()
                    _, ours = tell("h")
                    seen.append((probe.hits() - before, ours))
                assert (order, seen) == (order, expected)
            # And afterwards it is as good as new.
            assert tell("e") == (0, 0) and tell("h") == (0, 10) and tell("d") == (0, 0)
            process.stdin.close()
        assert process.returncode == 0


def test_gdb_walks_out_of_a_handler(sdt):
    exe = sdt.link(processed(sdt, "nop1_uprobe.c"))
    with subprocess.Popen([exe], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        run.stdin.write("ewh")
        run.stdin.flush()
        assert "waiting\n" in run.stdout  # reads on to there
        text = sdt.command("gdb", "-batch", "-p", run.pid, "-ex", "bt", status=None).stdout
        run.stdin.write("x")
        run.stdin.close()
        run.stdout.read()  # or what it has to say would end it
    assert run.returncode == 0
    frames = re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\w+)", text, re.M)
    at = frames.index("on_hit")
    assert frames[at:] == ["on_hit", *frames[at + 1:-3], "entry_save_flags", "work", "main"]


ARCHIVE_MAIN = r"""
void used(int i);
#include <sdt/runtime.h>
#include <stdio.h>
int main(void) { int id = sdt_enable("app:used", SDT_COUNT, 0); used(1);
                 printf("%s %d\n", id > 0 ? "on" : "off", (int)sdt_hits("app:used")); return 0; }
"""
ARCHIVE_PART = r"""
#include <sys/sdt.h>
void used(int i);
void used(int i) { STAP_PROBE1(app, used, i); }
"""


def launch(sdt, *args, status=0):
    return sdt.command(sdt.tool, f"--runtime-directory={sdt.static_runtime.parent}", *args,
                       status=status)


@pytest.mark.parametrize("kind", ["object", "archive", "thin"])
def test_the_launcher_processes_the_projects_notes(sdt, kind):
    main = sdt.compile(sdt.write("main.c", ARCHIVE_MAIN))
    part = compiled(sdt, sdt.write("part.c", ARCHIVE_PART))
    if kind != "object":
        sdt.command("ar", "rcsT" if kind == "thin" else "rcs", sdt.path("libpart.a"), part)
        part = sdt.path("libpart.a")
    launch(sdt, "gcc", main, part, "-o", "exe")
    assert sdt.run(sdt.path("exe")) == "on 1\n"
    launch(sdt, "--stapsdt=none", "gcc", main, part, sdt.static_runtime, "-o", "exe")
    assert sdt.run(sdt.path("exe")) == "off 0\n"


def test_the_launcher_leaves_a_c_library_alone(sdt):
    """By its name, wherever it is, unless it is asked for."""
    main = sdt.compile(sdt.write("main.c", ARCHIVE_MAIN))
    part = compiled(sdt, sdt.write("part.c", ARCHIVE_PART))
    (sdt.path("lib")).mkdir()
    library = sdt.path("lib") / "libstdc++.a"
    sdt.command("ar", "rcs", library, part)
    launch(sdt, "gcc", main, library, sdt.static_runtime, "-o", "exe")
    assert sdt.run(sdt.path("exe")) == "off 0\n"
    launch(sdt, "--stapsdt=all", "gcc", main, library, "-o", "exe")
    assert sdt.run(sdt.path("exe")) == "on 1\n"


def test_at_compile_leaves_nothing_for_the_link(sdt):
    part = sdt.write("part.c", ARCHIVE_PART)
    launch(sdt, "--at-compile", "gcc", "-I", COMPAT, "-c", part, "-o", "part.o")
    assert plan(sdt, sdt.path("part.o")) == []
    main = sdt.compile(sdt.write("main.c", ARCHIVE_MAIN))
    result = launch(sdt, "-v", "gcc", main, "part.o", "-o", "exe")
    assert "part.o:" not in result.stderr  # it is linked as it is
    assert sdt.run(sdt.path("exe")) == "on 1\n"


@pytest.mark.parametrize("kind", ["object", "archive"])
def test_notes_that_joined_a_processed_object_become_sites(sdt, kind):
    """`ld -r` of one that was processed and one that was not."""
    part = compiled(sdt, sdt.write("part.c", ARCHIVE_PART))
    other = compiled(sdt, sdt.write("other.c", ARCHIVE_PART.replace("used", "other")))
    done = sdt.process(other, name="done.o")
    sdt.command("ld", "-r", "-o", "both.o", done, part)
    both = sdt.path("both.o")
    if kind == "archive":
        sdt.command("ar", "rcs", "libboth.a", both)
        both = sdt.path("libboth.a")
    main = sdt.compile(sdt.write("main.c", ARCHIVE_MAIN))
    launch(sdt, "gcc", main, both, "-o", "exe")
    assert sdt.run(sdt.path("exe")) == "on 1\n"
    assert sdt.sdtlink("list", sdt.path("exe")).stdout.count(" nop1 ") == 2
