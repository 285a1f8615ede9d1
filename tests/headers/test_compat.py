# SPDX-License-Identifier: BSD-2-Clause
"""The drop-in <sys/sdt.h>: what compilers make of it, beside SystemTap's own header.

The notes are read with stapsdt.py; what tracers make of them is in test_compat_tracers.py.
"""
import os
import pathlib
import re
import shutil

import pytest
from conftest import INCLUDE, PROGRAMS, ROOT
from elftools.elf.elffile import ELFFile
from stapsdt import notes

import toolchain

pytestmark = pytest.mark.nosan  # runs no tool

COMPAT = INCLUDE / "sdt-compat"
ORIGINAL = next(pathlib.Path("/usr/include").glob("**/sys/sdt.h"), None)
PAGE = ROOT / "docs" / "compat.md"
C_DIALECTS = ("c89 gnu89 iso9899:199409 c99 gnu99 c11 gnu11 c17 gnu17 c2x gnu2x").split()
CXX_DIALECTS = [f"{family}++{year}" for year in ("98", "11", "14", "17", "20", "2b")
                for family in ("c", "gnu")]
WARNINGS = "-Wall -Wextra -Wpedantic -Werror".split()
MORE_WARNINGS = "-Wshadow -Wundef -Wvla -Wredundant-decls -Wcast-qual".split()
COMPILERS = ["gcc", "clang", "g++", "clang++"]


@pytest.fixture
def original(sdt):
    """SystemTap's header where -I finds it, as a program's own copy would be found."""
    if ORIGINAL is None:
        pytest.skip("SystemTap's header is not installed (package systemtap-sdt-dev)")
    directory = sdt.path("original") / "sys"
    directory.mkdir(parents=True)
    for header in ORIGINAL.parent.glob("sdt*.h"):
        shutil.copy(header, directory)
    return directory.parent


def build(sdt, compiler, source, *flags, include=COMPAT, status=0):
    """An object, in a directory of its own."""
    language = ["-x", "c++"] if "++" in compiler and not source.endswith(".S") else []
    out = sdt.path(f"{len(list(sdt.dir.iterdir()))}.o")
    result = sdt.command(compiler, *language, *flags, "-I", include, "-c", PROGRAMS / source,
                         "-o", out, status=status)
    return result if status is None else out


def complains(sdt, compiler, dialect, *flags, include=COMPAT):
    """The first complaint of the compiler about all macros in this dialect, or None."""
    # The strings of an asm statement of the user are too long for C89, says clang alone. The
    # original has no STAP_PROBE_ASM_TEMPLATE in C89 and C++: not counted as a complaint.
    old = dialect in C_DIALECTS[:3]
    short = old and compiler == "clang" or include != COMPAT and (old or "++" in compiler)
    flags = [*flags, "-DNO_ASM"] if short else flags
    result = build(sdt, compiler, "compat_dialects.c", f"-std={dialect}", "-O2", *WARNINGS, *flags,
                   include=include, status=None)
    found = re.search(r"error: (.*)", result.stderr)
    assert bool(found) == bool(result.returncode), result.stderr
    return found and found[1]


DIALECTS = [(compiler, dialect) for compiler in COMPILERS
            for dialect in (CXX_DIALECTS if "++" in compiler else C_DIALECTS)]


@pytest.mark.parametrize("compiler,dialect", DIALECTS)
def test_every_dialect_compiles_without_a_warning(sdt, compiler, dialect):
    assert complains(sdt, compiler, dialect, *MORE_WARNINGS) is None


def test_the_page_says_where_the_original_warns(sdt, original):
    """The table in docs/compat.md, made again (SDT_UPDATE_DOCS=1 writes it)."""
    rows = ["| compiler | our header complains in | SystemTap's header complains in |",
            "|---|---|---|"]
    for compiler in COMPILERS:
        mine = [d for c, d in DIALECTS if c == compiler and complains(sdt, c, d)]
        theirs = [d for c, d in DIALECTS if c == compiler and
                  complains(sdt, c, d, "-DORIGINAL", include=original)]
        rows.append(f"| {compiler} | {', '.join(mine) or 'none'} | {', '.join(theirs) or 'none'} |")
        assert not mine
    table = "\n".join(rows)
    text = PAGE.read_text()
    here = f"gcc {toolchain.major('gcc')}, clang {toolchain.major('clang')}"
    if here not in text and not os.environ.get("SDT_UPDATE_DOCS"):
        pytest.skip(f"docs/compat.md says where other compilers warn than {here}")
    if os.environ.get("SDT_UPDATE_DOCS"):
        start = text.index("| compiler |")
        end = text.index("\n\n", start)
        PAGE.write_text(text[:start] + table + text[end:])
        text = PAGE.read_text()
    assert table in text


@pytest.mark.parametrize("compiler", COMPILERS)
def test_user_macros_do_not_reach_the_text_of_the_note(sdt, compiler):
    """The words of the assembler lines are strings; musl, for one, has macros weak and hidden."""
    words = "base note nop weak hidden size space comdat progbits stapsdt probes place q k I c n"
    flags = [f"-D{word}=0xbad" for word in words.split()]
    source = sdt.write("words.c", "#include <sys/sdt.h>\n"
                       "void f(int a);\nvoid f(int a) { STAP_PROBE2(words, own, a, 1.5); }\n")
    language = ["-x", "c++"] if "++" in compiler else []
    sdt.command(compiler, *language, *flags, "-I", COMPAT, "-c", source, "-o", sdt.path("w.o"))
    [note] = notes(sdt.path("w.o"))
    assert (note.provider, note.name) == ("words", "own")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_users_argument_keeps_its_own_warnings(sdt, compiler):
    source = sdt.write("own.c", "#include <sys/sdt.h>\nvoid f(int s);\n"
                       "void f(int s) { STAP_PROBE1(app, compare, s & 1 == 2); }\n")
    language = ["-x", "c++"] if "++" in compiler else []
    result = sdt.command(compiler, *language, "-Wall", "-Wextra", "-I", COMPAT, "-c", source,
                         "-o", sdt.path("own.o"))
    assert "Wparentheses" in result.stderr


@pytest.mark.parametrize("compiler", [*COMPILERS, "clang++ -std=c++98", "g++ -std=c++98"])
@pytest.mark.parametrize("declaration", ["__int128 x", "long double x",
                                         "struct { long a, b; } x", "struct { char c[3]; } x"])
def test_other_sizes_do_not_compile_and_say_why(sdt, compiler, declaration):
    source = sdt.write("wide.c", f"#include <sys/sdt.h>\ntypedef {declaration[:-1]}type;\n"
                       "type x;\nvoid f(void);\nvoid f(void) { STAP_PROBE1(app, wide, x); }\n")
    driver, *flags = compiler.split()
    language = ["-x", "c++"] if "++" in driver else []
    result = sdt.command(driver, *language, *flags, "-I", COMPAT, "-c", source,
                         "-o", sdt.path("wide.o"), status=1)
    assert "SDT_an_argument_must_have_1_2_4_or_8_bytes" in result.stderr


# What stands before the @, by the name of the probe.
PREFIXES = {
    "yes": "1", "plain": "-1", "schar": "-1", "uchar": "1", "sshort": "-2", "ushort": "2",
    "sint": "-4", "uint": "4", "slong": "-8", "ulong": "8", "llong": "-8", "ullong": "8",
    "small": "4", "negative": "-4", "wide": "-4", "constant": "-4", "big": "-8",
    "character": "-1", "qualified": "2", "pointer": "8", "function": "8", "null": "8",
    "array": "8", "literal": "8", "word": "4", "sum": "-4", "real": "4f", "real2": "8f",
    "real_constant": "8f", "bit_wide": "8", "decayed_function": "8",
}  # fmt: skip
CXX_PREFIXES = {"scoped": "1", "scoped_int": "-4", "c16": "2", "c32": "4", "nothing": "8"}
# gcc's C gives a bit-field a type of its own width, everybody else its declared type.
BIT_FIELDS = {"bit_u": {"1", "4"}, "bit_s": {"-1", "-4"}}


def prefixes(args):
    return [arg.split("@")[0] for arg in args.split()]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O2 -DMEMORY", "-O2 -masm=intel"])
def test_every_type_has_its_size_and_sign(sdt, compiler, flags):
    found = notes(build(sdt, compiler, "compat_types.c", *flags.split()))
    cxx = "++" in compiler
    assert {n.name for n in found if n.name == "instance"} == ({"instance"} if cxx else set())
    for note in found:
        if note.name == "instance":
            assert prefixes(note.args) in (["-2", "-2"], ["-8", "-8"])
        elif note.name in BIT_FIELDS:
            assert set(prefixes(note.args)) <= BIT_FIELDS[note.name]
        else:
            expected = {**PREFIXES, **CXX_PREFIXES}[note.name]
            assert prefixes(note.args) == [expected], note
    expected = set(PREFIXES) | set(BIT_FIELDS) | (set(CXX_PREFIXES) if cxx else set())
    assert {n.name for n in found} - {"instance"} == expected


OPERAND = re.compile(r"%r[a-z0-9]{1,2}|\$-?\d+|-?\d*\(%r[a-z0-9]{1,2}(,%r[a-z0-9]{1,2}(,[248])?)?\)"
                     r"|[.\w]+\(%rip\)")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_operands_are_of_the_one_grammar_that_all_consumers_read(sdt, compiler, level):
    """Also with -masm=intel, which must not reach the note: the text is the same."""
    for source in ("compat_types.c", "compat_cost.c", "compat_dialects.c"):
        flags = [level, "-DNO_ASM"]
        found = notes(build(sdt, compiler, source, *flags))
        assert found
        for note in found:
            assert note.args == note.args.strip() and "  " not in note.args
            for arg in note.args.split(" ") if note.args else []:
                prefix, operand = arg.split("@")
                assert re.fullmatch(r"-?[1248]|[48]f", prefix) and OPERAND.fullmatch(operand), note
                if compiler.startswith("clang"):
                    assert "(" not in operand, "clang: registers and constants only"
        intel = notes(build(sdt, compiler, source, *flags, "-masm=intel"))
        assert [(n.name, n.args) for n in intel] == [(n.name, n.args) for n in found]


def sizes(found):
    """Without signs: in C++ the original takes every enum for unsigned."""
    return sorted((n.provider, n.name, [p.lstrip("-") for p in prefixes(n.args)]) for n in found)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("source", ["compat_types.c", "compat_cost.c", "compat_dialects.c"])
def test_the_probes_are_those_of_the_original(sdt, original, compiler, level, source):
    asm = ["-DNO_ASM"] if "++" in compiler else []
    mine, theirs = (notes(build(sdt, compiler, source, level, "-DORIGINAL", *asm, include=include))
                    for include in (COMPAT, original))
    assert sizes(mine) == sizes(theirs)
    if "++" not in compiler:
        assert sorted((n.name, prefixes(n.args)) for n in mine) == sorted(
            (n.name, prefixes(n.args)) for n in theirs)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O2 -masm=intel", "-O2 -m32"])
def test_arguments_may_be_in_vector_registers(sdt, compiler, flags):
    source = sdt.write("vector.c", "#include <sys/sdt.h>\nvoid f(int a, float b, double c);\n"
                       "void f(int a, float b, double c) { STAP_PROBE3(v, three, a, b, c); }\n")
    language = ["-x", "c++"] if "++" in compiler else []
    sdt.command(compiler, *language, *flags.split(), "-msse2", "-DSTAP_SDT_ARG_CONSTRAINT=x",
                "-I", COMPAT, "-c", source, "-o", sdt.path("vector.o"))
    text = sdt.run("readelf", "-n", sdt.path("vector.o"))
    assert re.search(r"Arguments: -4@%xmm\d+ 4f@%xmm\d+ 8f@%xmm\d+$", text, re.M), text


REGISTERS = ["rax", "rbx", "rcx", "rdx", "rsi", "rdi", *(f"r{i}" for i in range(8, 16))]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O2 -masm=intel"])
def test_variables_in_named_registers(sdt, compiler, flags):
    """Each general register by its 64-bit name, whatever the size; others by their own."""
    types = {"signed char": "-1", "short": "-2", "unsigned": "4", "long": "-8"}
    lines, expected = ["#include <sys/sdt.h>"], {}
    for type_, prefix in types.items():
        for register in REGISTERS:
            name = f"{type_.split()[-1]}_{register}"
            lines.append(f'void {name}(void);\nvoid {name}(void) {{ register {type_} v '
                         f'__asm__("{register}") = 7; STAP_PROBE1(named, {name}, v); }}')
            expected[name] = f"{prefix}@%{register}"
    lines.append('void vector(int a);\nvoid vector(int a) { register int v __asm__("xmm9") = a; '
                 "STAP_PROBE1(named, vector, v); }")
    sdt.command(compiler, *flags.split(), "-DSTAP_SDT_ARG_CONSTRAINT=r", "-I", COMPAT, "-c",
                sdt.write("named.c", "\n".join(lines) + "\n"), "-o", sdt.path("named.o"))
    found = {note.name: note.args for note in notes(sdt.path("named.o"))}
    # gcc keeps to the constraint, clang to the register.
    vector = found.pop("vector")
    assert vector == "-4@%xmm9" if compiler == "clang" else re.fullmatch(r"-4@%r\w\w?", vector)
    assert found == expected


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_asm_statements_of_ones_own(sdt, compiler):
    found = {n.name: n.args for n in notes(build(sdt, compiler, "compat_dialects.c", "-O2"))}
    assert found["plain"] == "-4@%eax 8@4(%rsi,%rdi,4)"
    assert re.fullmatch(r"4@%r\w+ 8@%rax", found["operands"])
    assert prefixes(found["values"]) == ["-4", "-1", "8f"]
    assert found["nothing"] == found["zero"] == ""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_glibc_and_libstdcxx_find_what_they_look_for(sdt, compiler):
    """The texts are those of their configure scripts."""
    source = sdt.write("glibc.c", "#include <sys/sdt.h>\nvoid foo(int i, void *p);\n"
                       "void foo(int i, void *p) { asm(\"\" STAP_PROBE_ASM (foo, bar,\n"
                       "STAP_PROBE_ASM_TEMPLATE (2)) \"\" :: STAP_PROBE_ASM_OPERANDS (2, i, p)); }")
    sdt.command(compiler, "-I", COMPAT, "-c", source, "-o", sdt.path("glibc.o"))
    source = sdt.write("hi.c", "#include <sys/sdt.h>\nint f() { STAP_PROBE(hi, bob); }\n"
                       "#if _SDT_NOTE_TYPE < 3 || !defined STAP_PROBE2\n#error old\n#endif\n")
    assert ' "," ' in sdt.command(compiler, "-E", "-I", COMPAT, source).stdout


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_an_assembler_file(sdt, compiler):
    found = notes(build(sdt, compiler, "compat_asm.S", "-Werror=undef"))
    assert [(n.name, n.args) for n in found] == [
        ("none", ""), ("one", "%rax"), ("two", "-4@%edi 8@16(%rsp)"),
        ("three", "4(%rbx,%rcx,8) $5 1@%al"),
        ("twelve", " ".join(f"8@${i}" for i in range(1, 13)))]
    assert [n.pc[1] for n in found] == [0, 1, 2, 3, 4], "one byte each"


def test_an_assembler_file_has_the_same_note_as_c(sdt):
    """Byte by byte, relocations included."""
    for semaphores in ([], ["-D_SDT_HAS_SEMAPHORES"]):
        c = sdt.write("same.c", "#include <sys/sdt.h>\nextern unsigned short p_n_semaphore;\n"
                      "__asm__(\".text\\n\" STAP_PROBE_ASM(p, n, 4@%eax));\n")
        s = sdt.write("same_.S", "#include <sys/sdt.h>\n.text\nSTAP_PROBE1(p, n, 4@%eax)\n")
        dumps = []
        for source in (c, s):
            out = sdt.path("same.o")
            sdt.command("gcc", *semaphores, "-I", COMPAT, "-c", source, "-o", out)
            dump = sdt.run("readelf", "-W", "-r", "-g", "-x.note.stapsdt", "-x.stapsdt.base", out)
            # Where things are in the file differs, and the order of symbols.
            dumps.append(re.sub(r"at offset 0x\w+|\[ *\d+\]|0000000\d0000(?=0)", "", dump))
        assert dumps[0] == dumps[1] and "R_X86_64_NONE" in dumps[0]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("flags", ["-O0", "-O3", "-fPIC", "-fPIE", "-O2 -mcmodel=large", "-Os",
                                   "-O2 -fcf-protection=full", "-O2 -ffunction-sections"])
def test_a_site_is_one_byte_and_nothing_else_of_the_note_is_loaded(sdt, compiler, flags):
    """Every note's PC is a NOP of one byte; dynamic relocations come from nowhere."""
    obj = build(sdt, compiler, "compat_cost.c", *flags.split())
    found = notes(obj)
    with open(obj, "rb") as stream:
        elf = ELFFile(stream)
        for note in found:
            section, offset = note.pc
            assert elf.get_section(section).data()[offset] == 0x90
            assert note.base == ("_.stapsdt.base", 0) and note.semaphore is None
            assert note.group == bool(elf.get_section(section)["sh_flags"] & 0x200)
    assert len(found) >= 24


PADDING = re.compile(r"\t(nop[wl]|data16|cs nop|xchg +%ax,%ax)")


def instructions(sdt, obj):
    """Function -> number of instructions, padding not counted."""
    counts, function, is_text = {}, None, False
    for line in sdt.run("objdump", "-d", "--no-show-raw-insn", obj).splitlines():
        if line.startswith("Disassembly of section "):
            is_text = line.split()[-1] in (".text:", ".ltext:")  # clang 18, -mcmodel=large
        elif not is_text:
            continue
        elif heading := re.fullmatch(r"[0-9a-f]+ <([^>.]*).*>:", line):
            function = heading[1]
        elif line.startswith(" ") and not PADDING.search(line):
            counts[function] = counts.get(function, 0) + 1
    return counts


@pytest.mark.parametrize("compiler", COMPILERS)
def test_no_function_has_more_instructions_than_with_the_original(sdt, original, compiler):
    added = {"mine": 0, "theirs": 0}
    for flags in ("-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -fPIC", "-O2 -mcmodel=large"):
        bare, mine, theirs = (
            instructions(sdt, build(sdt, compiler, "compat_cost.c", *flags.split(), *extra,
                                    include=include))
            for include, extra in ((COMPAT, ["-DNONE"]), (COMPAT, []), (original, [])))
        assert set(mine) == set(theirs) and len(mine) >= 22
        assert {f: (n, theirs[f]) for f, n in mine.items() if n > theirs[f]} == {}
        added["mine"] += sum(mine.values()) - sum(bare.values())
        added["theirs"] += sum(theirs.values()) - sum(bare.values())
    if compiler.startswith("clang"):
        assert added["mine"] < 0.6 * added["theirs"], added


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_what_a_pointer_points_to_is_in_memory_at_the_site(sdt, compiler):
    """A buffer that only the probe gets is written before it, though nothing else reads it."""
    source = sdt.write("buffer.c", "#include <sys/sdt.h>\nvoid f(int x); void f(int x)\n"
                       "{ int b[2]; b[0] = x; b[1] = 0x5eed; STAP_PROBE1(app, buffer, b); }\n")
    sdt.command(compiler, "-O2", "-I", COMPAT, "-c", source, "-o", sdt.path("buffer.o"))
    code = sdt.run("objdump", "-d", "--no-show-raw-insn", sdt.path("buffer.o"))
    store, site = (re.search(pattern, code) for pattern in ("5eed", r"\tnop\s*\n"))
    assert store and site and store.start() < site.start(), code


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O0 -fPIC", "-O0 -mcmodel=large",
                                   "-O1 -fsanitize=address", "-Og -fstack-protector-all",
                                   "-O2 -fno-omit-frame-pointer -fsanitize=address -fPIC"])
def test_twelve_arguments_where_registers_are_scarce(sdt, compiler, flags):
    """An aligned local, a variable-length array and alloca() take three registers from twelve."""
    source = sdt.write("scarce.c", """#include <sys/sdt.h>
        extern void use(void *);
        int f(int n, int a, int b, int c, int d, int e, long *p);
        int f(int n, int a, int b, int c, int d, int e, long *p)
        {
            _Alignas(64) char aligned[64];
            int array[n];
            use(aligned);
            use(array);
            STAP_PROBE12(app, scarce, n, a, b, c, d, e, p[0], p[1], p[2], p[3], aligned[n],
                         array[a]);
            use(__builtin_alloca(n));
            return array[a] + aligned[b] + a + b + c + d + e;
        }
        """)
    sdt.command(compiler, *flags.split(), "-I", COMPAT, "-c", source, "-o", sdt.path("scarce.o"))
    [note] = notes(sdt.path("scarce.o"))
    assert len(note.args.split()) == 12


def test_the_constraint_can_be_chosen(sdt):
    def operands(constraint):
        obj = build(sdt, "gcc", "compat_types.c", "-O2", "-DMEMORY",
                    f"-DSTAP_SDT_ARG_CONSTRAINT={constraint}")
        return [n.args for n in notes(obj) if n.args]

    assert any("(" in args for args in operands("nor"))
    assert not any("(" in args for args in operands("nr"))


def test_variadic_form_also_after_a_second_include(sdt):
    source = sdt.write("twice.c", "#include <sys/sdt.h>\n#define SDT_USE_VARIADIC\n"
                       "#include <sys/sdt.h>\nvoid f(int a);\n"
                       "void f(int a) { STAP_PROBEV(v, none); STAP_PROBEV(v, two, a, 'x'); }\n")
    sdt.command("gcc", "-Wall", "-Wextra", "-Werror", "-I", COMPAT, "-c", source,
                "-o", sdt.path("twice.o"))
    assert [(n.name, len(n.args.split())) for n in notes(sdt.path("twice.o"))] == [
        ("none", 0), ("two", 2)]


def test_both_headers_of_ours_in_one_file(sdt):
    source = sdt.write("both.c", "#include <sys/sdt.h>\n#include <sdt/probe.h>\nvoid f(int a);\n"
                       "void f(int a) { STAP_PROBE1(b, one, a); SDT_PROBE(b, two, a); }\n")
    for compiler in COMPILERS:
        language = ["-x", "c++"] if "++" in compiler else []
        sdt.command(compiler, *language, "-Wall", "-Wextra", "-Werror", "-I", COMPAT, "-I", INCLUDE,
                    "-c", source, "-o", sdt.path("both.o"))
        assert [n.name for n in notes(sdt.path("both.o"))] == ["one"]


@pytest.mark.parametrize("target", ["aarch64", "riscv64", "powerpc64le", "s390x", "i386", "x86_64"])
def test_other_machines_compile(sdt, target):
    """No consumer here reads them; the notes have their places and sizes."""
    source = sdt.write("machine.c", "#include <sys/sdt.h>\nint f(int a, char b, long *c);\n"
                       "int f(int a, char b, long *c) { STAP_PROBE4(m, n, a, b, c[1], 7); "
                       "return a; }\n")
    out = sdt.path("machine.o")
    sdt.command("clang", f"--target={target}-linux-gnu", "-O2", "-I", COMPAT, "-c", source,
                "-o", out)
    text = sdt.run("llvm-readobj", "--string-dump=.note.stapsdt", out)
    assert re.search(r"-4@\S+ -?1@\S+ -[48]@\S+ -4@\S*7", text), text
