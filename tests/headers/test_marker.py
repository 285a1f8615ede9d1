# SPDX-License-Identifier: BSD-2-Clause
"""<sdt/marker.h>: NOPs with a name, listed in section .markers, read here as the proposal of 2005
read it: `readelf -x .markers` and `objdump -d`.
"""
import re
import shutil
import struct
from collections import namedtuple

import pytest
from conftest import INCLUDE, PROGRAMS
from elftools.elf.elffile import ELFFile
from toolchain import CLANGS

WARNINGS = "-Wall -Wextra -Wpedantic -Werror -Wshadow".split()
COMPILERS = ["gcc", "clang", "g++", "clang++"]
LINKERS = ["bfd", "gold", "lld", "mold"]
Entry = namedtuple("Entry", "address length name")


def language(compiler):
    return ["-x", "c++"] if compiler.endswith("++") else []


def dump(sdt, file):
    """(address, bytes) of the section, from readelf's hex dump."""
    text = sdt.command("readelf", "-x", ".markers", file).stdout
    rows = re.findall(r"^  0x([0-9a-f]+) ((?:[0-9a-f]{2,8} ){1,4}|[0-9a-f ]{35})", text, re.M)
    data = b"".join(bytes.fromhex(row) for _, row in rows)
    return int(rows[0][0], 16) if rows else 0, data


def parse(base, data):
    """Entries: a distance, a length, a name; each begins at a multiple of 4."""
    entries, at = [], 0
    while at < len(data):
        distance, length = struct.unpack_from("<iB", data, at)
        end = data.index(b"\0", at + 5)
        entries.append(Entry(base + at + distance, length, data[at + 5 : end].decode()))
        at = (end + 4) & ~3
    return sorted(entries)


def markers(sdt, file):
    return parse(*dump(sdt, file))


def instructions(sdt, file):
    """Address: (length, instruction, function), as objdump reads the text."""
    text, found = None, {}
    for line in sdt.command("objdump", "-d", "--insn-width=16", file).stdout.splitlines():
        if head := re.match(r"[0-9a-f]+ <([\w.]+)>:", line):
            text = head[1]
        elif row := re.match(r"\s+([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*(\S.*)?$", line):
            found[int(row[1], 16)] = (len(row[2].split()), row[3] or "", text)
    return found


def check(sdt, file):
    """Each entry is a run of NOPs, as long as it says; the names by function."""
    code, names = instructions(sdt, file), []
    entries = markers(sdt, file)
    assert len({e.address for e in entries}) == len(entries)
    for entry in entries:
        at = entry.address
        assert at in code, f"{entry} is no instruction"
        while at < entry.address + entry.length:
            length, text, function = code[at]
            assert text.startswith(("nop", "ds nop")), (entry, text)
            at += length
        assert at == entry.address + entry.length and entry.length >= 5
        names.append(f"{function}/{entry.name}")
    return sorted(names)


FEWEST = ["busy/busy", "busy/busy", "busy/busy", "ends/end", "ends/end", "ends/small",
          "turns/small", "turns/turn", "unused/unused"]  # fmt: skip
OUTPUT = f"""\
marker:small: ends/small turns/small
marker:end: ends/end ends/end
marker::turns::{" turns/turn" * 4} turns/small
marker:busy,marker::ends:small:{" busy/busy" * 6} ends/small
marker:unknown: failed
"""
FLAGS = ["-O1", "-O2 -fPIC", "-O3 -funroll-loops", "-O2 -fno-pie -ffunction-sections",
         "-O2 -DSDT_CALL_SITES"]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", FLAGS)
def test_entries_are_nops_and_those_of_one_name_are_enabled_at_once(sdt, compiler, flags):
    pie = ["-no-pie"] if "-fno-pie" in flags else []
    flags = [*flags.split(), *language(compiler)]
    obj = sdt.process(sdt.compile("marker_marks.c", *flags, compiler=compiler))
    exe = sdt.link(obj, sdt.compile("marker_main.c"), *pie, compiler=compiler)
    names = check(sdt, exe)
    assert sorted(set(names)) == sorted(set(FEWEST))
    for name in set(FEWEST):
        assert names.count(name) >= FEWEST.count(name), name
    assert sdt.run(exe) == OUTPUT


def test_without_inlining_a_marker_is_where_its_function_is(sdt):
    exe = sdt.link(sdt.process(sdt.compile("marker_marks.c", "-O0")), sdt.compile("marker_main.c"))
    assert check(sdt, exe) == sorted(
        [n for n in FEWEST if not n.endswith("/small")] + ["small/small"]
    )


def link(sdt, linker, *args, **kwargs):
    if linker == "mold":
        return sdt.link("-B/usr/libexec/mold", "-fuse-ld=mold", *args, **kwargs)
    return sdt.link(f"-fuse-ld={linker}", *args, **kwargs)


@pytest.mark.nosan  # static programs
@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("kind", ["-pie", "-no-pie", "-static", "-static-pie", "-shared"])
def test_every_linker_and_kind_of_file(sdt, linker, kind):
    """No relocation is left for start-up, and the section is read-only."""
    obj = sdt.process(sdt.compile("marker_marks.c", "-fPIC" if kind != "-no-pie" else "-fno-pie"))
    main = [] if kind == "-shared" else [sdt.compile("marker_main.c")]
    runtime = None if kind == "-shared" else "static"
    if kind == "-static-pie" and linker == "gold":
        pytest.skip("gold does not know the option that gcc passes for -static-pie")
    exe = link(sdt, linker, obj, *main, kind, runtime=runtime)
    assert len(check(sdt, exe)) >= len(FEWEST)
    dynamic = sdt.command("readelf", "-dW", exe).stdout
    assert "TEXTREL" not in dynamic
    headers = sdt.command("readelf", "-SW", exe).stdout.splitlines()
    [section] = [line for line in headers if ".markers" in line]
    assert re.search(r"PROGBITS .* A +0 +0 +4$", section), section
    if main:
        assert sdt.run(exe) == OUTPUT


@pytest.mark.nosan
@pytest.mark.parametrize("linker", LINKERS)
def test_the_form_of_the_mail_cannot_be_linked_into_pie(sdt, linker):
    """`.long 771b`, an absolute word: why entries have distances."""
    text = """
#define MARKER(name) __asm__ volatile("771:\\n\\tnop\\n772:\\n" \\
    ".section .markers,\\"a\\"\\n .align 4\\n .long 771b\\n .byte 772b-771b\\n" \\
    ".string \\"" #name "\\"\\n .previous\\n" ::: "memory")
int main(void) { MARKER(init); }
"""
    obj = sdt.compile(sdt.write("mail.c", text), "-fPIE")
    flag = ["-B/usr/libexec/mold"] if linker == "mold" else []
    argv = ["gcc", *flag, f"-fuse-ld={linker}", obj, "-pie", "-o", sdt.path("mail")]
    error = sdt.command(*argv, status=1).stderr
    assert "R_X86_64_32" in error
    sdt.command(*argv, "-no-pie")


@pytest.mark.nosan
@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("language", ["gcc", "clang"])
def test_garbage_collection_drops_the_entries_of_dead_functions(sdt, linker, language):
    """gold and mold keep functions that have probes (and then their entries as well)."""
    obj = sdt.process(sdt.compile("marker_marks.c", "-ffunction-sections", compiler=language))
    flags = ["-Wl,--gc-sections", "-Wl,-u,__sdt_register"]
    flags += ["-Wl,-z,start-stop-gc"] if linker == "bfd" else []
    exe = link(sdt, linker, obj, sdt.compile("marker_main.c"), *flags)
    names = check(sdt, exe)
    has_function = " unused\n" in sdt.command("nm", exe).stdout
    assert ("unused/unused" in names) == has_function
    assert has_function == (linker in ("gold", "mold"))
    assert set(FEWEST) - set(names) <= {"unused/unused"}
    assert sdt.run(exe) == OUTPUT


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("linker", LINKERS)
def test_one_entry_of_each_inline_function_and_template(sdt, compiler, linker):
    objects = []
    for name in ("first", "second"):
        text = f'#include "{PROGRAMS}/marker_shared.h"\n'
        text += f"void {name}();\nvoid {name}() {{ shared(); stack<int>().push(1); }}\n"
        source = sdt.write(f"{name}.cc", text)
        # Not optimised, lest g++ make a copy for each file that leaves arguments out (isra).
        objects.append(sdt.process(sdt.compile(source, "-O0", "-fPIC", compiler=compiler)))
    library = link(sdt, linker, *objects, "-shared", runtime=None, compiler=compiler, name="lib.so")
    assert sorted(name.split("/")[1] for name in check(sdt, library)) == ["push", "shared"]


@pytest.mark.parametrize("order", ["join, process", "process, join", "process twice"])
def test_partial_links_and_second_runs(sdt, order):
    plain = [sdt.compile("marker_marks.c"), sdt.compile("marker_main.c")]
    joined = sdt.path("joined.o")
    if order == "join, process":
        sdt.command("ld", "-r", *plain, "-o", joined)
        joined = sdt.process(joined)
    elif order == "process, join":
        sdt.command("ld", "-r", sdt.process(plain[0]), plain[1], "-o", joined)
    else:
        once = sdt.process(plain[0])
        sdt.command("ld", "-r", sdt.process(once, name="twice.o"), plain[1], "-o", joined)
    exe = sdt.link(joined)
    assert len(check(sdt, exe)) >= len(FEWEST)
    assert sdt.run(exe) == OUTPUT


@pytest.mark.nosan
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("lto", [[], ["-flto"]])
def test_in_front_of_the_compiler(sdt, compiler, lto):
    exe, linker = sdt.path("launched"), ["-fuse-ld=lld"] if compiler == "clang" else []
    sdt.sdtlink("-q", "--runtime=static", f"--runtime-directory={sdt.static_runtime.parent}",
                compiler, "-O2", *lto, *linker, "-I", INCLUDE, PROGRAMS / "marker_marks.c",
                PROGRAMS / "marker_main.c", "-o", exe)  # fmt: skip
    names = {name.split("/")[1] for name in check(sdt, exe)}
    assert names >= {"busy", "end", "small", "turn"}
    lines = [line.split(":") for line in sdt.run(exe).splitlines()]
    hits = [len(line[-1].split()) for line in lines]
    # By function, link-time optimisation may have put some into others.
    assert hits[:2] == [2, 2] and hits[-1] == 1


@pytest.mark.parametrize("flags,length", [([], 10), (["-DSDT_CALL_SITES"], 5)])
def test_how_long_a_marker_is(sdt, flags, length):
    """Two NOPs, the first of one byte; the entry says the sum."""
    source = sdt.write("one.c", "#include <sdt/marker.h>\nvoid f(void);\n"
                       "void f(void) { MARKER(push); }\n")
    main = sdt.write("main.c", "void f(void); int main(void) { f(); return 0; }\n")
    exe = sdt.link(sdt.process(sdt.compile(source, *flags)), sdt.compile(main))
    [entry] = markers(sdt, exe)
    code = instructions(sdt, exe)
    assert entry.length == length and code[entry.address][0] == 1
    assert code[entry.address + 1][0] == length - 1


def test_a_name_has_a_weak_symbol(sdt):
    """For each name, however many markers it has; none of them is left after strip."""
    source = sdt.write("several.c", "#include <sdt/marker.h>\nvoid f(void);\nvoid f(void)\n{\n"
                       + "    MARKER(push);\n" * 5 + "    MARKER(pop);\n}\n")
    main = sdt.write("main.c", "void f(void); int main(void) { f(); return 0; }\n")
    obj = sdt.process(sdt.compile(source))

    def of_markers(file, *options):
        lines = sdt.command("nm", *options, file).stdout.splitlines()
        return {(row[-1], row[-2]) for row in map(str.split, lines) if "_marker___" in row[-1]}
    assert of_markers(obj) == {(f"__sdt_probe_marker___{name}", "V") for name in ("push", "pop")}
    exe = sdt.link(obj, sdt.compile(main), "-rdynamic")
    assert of_markers(exe) and of_markers(exe, "-D") == set()
    sdt.command("strip", exe)
    assert of_markers(exe) == set() and len(markers(sdt, exe)) == 6


@pytest.mark.parametrize("strip", ["strip", "llvm-strip"])
def test_strip_keeps_them(sdt, strip):
    exe = sdt.link(sdt.process(sdt.compile("marker_marks.c")), sdt.compile("marker_main.c"))
    if not shutil.which(strip):
        pytest.skip(f"no {strip} here")
    before = markers(sdt, exe)
    sdt.command(strip, exe)
    assert markers(sdt, exe) == before
    assert sdt.run(exe) == OUTPUT


LOADED = """
#include <sdt/marker.h>
void loaded(void);
void loaded(void) { MARKER(small); MARKER(other); }
"""
ACROSS = """
#include <inttypes.h>
#include <sdt/marker.h>
#include <sdt/runtime.h>
#include <stdio.h>
void loaded(void);
static void hit(const struct sdt_event *event, void *data)
{
    (void)data;
    printf(" %s/%s", sdt_module(event), sdt_name(event));
}
int main(void)
{
    for (int i = 0; i < 2; i++) {
        int id = sdt_enable(i ? "marker:libloaded.so::" : "marker:small", hit, NULL);
        MARKER(small);
        loaded();
        MARKER(other);
        if (sdt_disable(id) != 0)
            return 1;
        puts("");
    }
    return 0;
}
"""


def test_markers_of_one_name_in_a_program_and_a_library(sdt):
    """One call enables them all, and no other; a library by its name."""
    library = sdt.path("libloaded.so")
    loaded = sdt.process(sdt.compile(sdt.write("loaded.c", LOADED), "-fPIC"))
    sdt.command("gcc", "-shared", loaded, "-o", library)
    main = sdt.process(sdt.compile(sdt.write("across.c", ACROSS)))
    exe = sdt.link(main, library, f"-Wl,-rpath,{sdt.dir}", runtime="shared", name="across")
    assert sdt.run(exe) == (
        " across/small libloaded.so/small\n libloaded.so/small libloaded.so/other\n"
    )


@pytest.mark.nosan
@pytest.mark.parametrize("compiler", ["gcc", "clang", *CLANGS, "g++", "clang++"])
def test_every_dialect_compiles_without_a_warning(sdt, compiler):
    c, cxx = "c89 c99 c11 c17 c2x gnu89", "c++98 c++11 c++17 c++20 c++2b"
    for dialect in (cxx if compiler.endswith("++") else c).split():
        for disable in ([], ["-DSDT_DISABLE"]):
            argv = ["-fsyntax-only", f"-std={dialect}", *WARNINGS, *disable, *language(compiler)]
            sdt.command(compiler, *argv, "-I", INCLUDE, PROGRAMS / "marker_marks.c")


def test_disabled_markers_leave_nothing(sdt):
    obj = sdt.compile("marker_marks.c", "-DSDT_DISABLE")
    assert ".markers" not in sdt.command("readelf", "-SW", obj).stdout
    assert "sdt" not in sdt.command("nm", obj).stdout


NO_NAMES = {
    "two-words": "must be C identifiers", "a___b": "may contain ___", "": "must be C identifiers",
    '"text"': r"past(?:ing|ed) .*\"text\"",
}  # fmt: skip


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", NO_NAMES)
def test_what_is_no_name_does_not_compile(sdt, compiler, name):
    """With an error that says so, at the line; and without the marker there would be none."""
    text = "#include <sdt/marker.h>\nvoid f(void);\n\nvoid f(void) {{ MARKER({}); }}\n"
    argv = [compiler, "-O1", *WARNINGS, "-I", INCLUDE, "-c", "bad.c"]
    sdt.write("bad.c", text.format(name))
    error = sdt.command(*argv, status=1).stderr
    assert re.search(rf"^bad\.c:4:\d+: error: .*{NO_NAMES[name]}", error, re.M), error
    sdt.write("bad.c", text.format("two_words"))
    assert sdt.command(*argv).stderr == ""


def test_an_object_that_sdtlink_may_not_change_has_no_lengths(sdt):
    """A companion's program: an entry leads to its marker, or in front of it."""
    obj = sdt.compile("marker_marks.c", "-DSDT_CALL_SITES")
    companion = sdt.path("companion.o")
    sdt.sdtlink("--companion", "-o", companion, obj)
    exe = sdt.link(obj, companion, sdt.compile("marker_main.c"))
    code, entries = instructions(sdt, exe), markers(sdt, exe)
    assert len(entries) >= len(FEWEST) and {e.length for e in entries} == {0}
    for entry in entries:
        at, text = entry.address, ""
        while "_marker___" not in text:
            length, text, _ = code[at]
            at += length
        assert re.match(rf"call .*_marker___{entry.name}>", text)
    assert sdt.run(exe) == OUTPUT


SITE = """
.text
.globl f
.type f, @function
f: call __dtrace_sdt_marker___x@PLT
991: ret
.size f, . - f
.section .note.GNU-stack
.section .markers, "a"
"""
DAMAGED = {
    ".long f - .\n.byte 0\n": "this entry of a marker is cut off",
    '.byte 0\n.long f - .\n.byte 0\n.asciz "x"\n': "this entry of a marker is cut off",
    '.long f - .\n.byte 0\n.ascii "x"\n': "this entry of a marker is cut off",
    '.long f\n.byte 0\n.asciz "x"\n': "this entry does not say how far its marker is",
    '.long f - .\n.byte 0\n.asciz "y"\n': "there is no marker after the label of this entry",
    '.long 991b - .\n.byte 0\n.asciz "x"\n': "there is no marker after the label of this entry",
    '.long f-.\n.byte 0\n.asciz "x"\n.balign 4\n.long f-.\n.byte 0\n.asciz "x"\n':
        "two entries name the same marker",
}  # fmt: skip


@pytest.mark.parametrize("entry", DAMAGED)
def test_a_damaged_entry_is_refused(sdt, entry):
    obj = sdt.compile(sdt.write("damaged.s", SITE + entry))
    output = sdt.path("out.o")
    result = sdt.sdtlink("-o", output, obj, status=1)
    assert DAMAGED[entry] in result.stderr and ".markers" in result.stderr
    assert not output.exists()


def test_an_entry_whose_relocation_names_no_symbol_is_refused(sdt):
    obj = sdt.compile(sdt.write("damaged.s", SITE + '.long f - .\n.byte 0\n.asciz "x"\n'))
    data = bytearray(obj.read_bytes())
    with open(obj, "rb") as stream:
        section = ELFFile(stream).get_section_by_name(".rela.markers")
        struct.pack_into("<I", data, section["sh_offset"] + 12, 0x7fffff)  # half of r_info
    obj.write_bytes(data)
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj, status=1)
    assert ".markers+0x0: a relocation's symbol is out of range" in result.stderr
    assert not sdt.path("out.o").exists()


def test_a_section_of_that_name_without_our_markers_is_left_alone(sdt):
    text = SITE.replace("sdt_marker___x", "sdt_other___x") + ".long f\n.quad f\n.byte 0\n"
    obj = sdt.compile(sdt.write("foreign.s", text))
    assert dump(sdt, sdt.process(obj)) == dump(sdt, obj)


@pytest.mark.nosan
def test_gdb_finds_a_marker_by_its_entry(sdt):
    """With nothing but the section: break at address + distance, and be in the function."""
    if not shutil.which("gdb"):
        pytest.skip("no gdb here")
    main = sdt.write("main.c", "void turns(int); int main(void) { turns(1); return 0; }\n")
    obj = sdt.process(sdt.compile("marker_marks.c", "-fno-pie"))
    exe = sdt.link(obj, sdt.compile(main, "-fno-pie"), "-no-pie", runtime=None)
    [entry] = [e for e in markers(sdt, exe) if e.name == "turn"][:1]
    commands = [f"break *{entry.address:#x}", "run", "backtrace 1"]
    argv = [word for command in commands for word in ("-ex", command)]
    output = sdt.command("gdb", "-nx", "-batch", *argv, exe).stdout
    assert re.search(r"#0 .*\bturns \(", output), output
