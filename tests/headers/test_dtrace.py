# SPDX-License-Identifier: BSD-2-Clause
"""sdt-dtrace: headers and objects from provider files, beside those of SystemTap's `dtrace`.

The provider files dtrace_*.d are in the manner of known programs. Their headers must give the
compiler the same macros as the stock script's, and the objects the linker the same symbols.
"""
import os
import pathlib
import re
import shutil

import pytest
from conftest import INCLUDE, PROGRAMS, TOOL_BUILD
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from stapsdt import notes
from test_compat import C_DIALECTS, CXX_DIALECTS, MORE_WARNINGS, WARNINGS
from test_compat_tracers import bpftrace, gdb

TOOL = TOOL_BUILD / "sdt-dtrace" / "sdt-dtrace"
COMPAT = INCLUDE / "sdt-compat"
STYLES = sorted(path.stem.removeprefix("dtrace_") for path in PROGRAMS.glob("dtrace_*.d"))
PREPROCESSED = ("display", "postgres", "ruby")
LINKERS = ["bfd", "gold", "lld", "mold"]

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="sdt-dtrace is not built (needs bison)")


def dtrace(sdt, *arguments, tool=TOOL, **kwargs):
    return sdt.command(tool, *arguments, **kwargs)


def made(sdt, mode, style, name, tool=TOOL):
    """The header or object of a provider file of ours."""
    preprocess = ["-C"] if style in PREPROCESSED else []
    dtrace(sdt, mode, *preprocess, f"-I{PROGRAMS}", "-s", PROGRAMS / f"dtrace_{style}.d", "-o",
           name, tool=tool)
    return sdt.path(name)


@pytest.fixture
def stock():
    """SystemTap's script."""
    script = shutil.which("dtrace")
    if script is None or "Systemtap" not in pathlib.Path(script).read_text("utf-8", "replace"):
        pytest.skip("SystemTap's dtrace is not installed (package systemtap-sdt-dev)")
    return script


def macros(sdt, header):
    """All that the compiler knows after this header, without what depends on its maker."""
    text = sdt.run("gcc", "-E", "-dM", "-I", COMPAT, "-x", "c", header)
    return {line for line in text.splitlines() if re.search(r"DTRACE_PROBE|_ENABLED\(", line)}


def semaphores(obj):
    """Name -> (visibility, size, section) of the symbols that an object gives to others."""
    with open(obj, "rb") as stream:
        elf = ELFFile(stream)
        table = next(s for s in elf.iter_sections() if isinstance(s, SymbolTableSection))
        return {symbol.name: (symbol["st_other"]["visibility"], symbol["st_size"],
                              elf.get_section(symbol["st_shndx"]).name)
                for symbol in table.iter_symbols() if symbol["st_info"]["bind"] == "STB_GLOBAL"
                and symbol["st_shndx"] != "SHN_UNDEF"}


# The same as stock


@pytest.mark.parametrize("style", STYLES)
def test_the_header_has_the_macros_of_the_stock_one(sdt, stock, style):
    ours = macros(sdt, made(sdt, "-h", style, "ours.h"))
    theirs = macros(sdt, made(sdt, "-h", style, "theirs.h", tool=stock))
    if style == "traced":  # the script takes a function's arguments for the probe's
        ours, theirs = ({m for m in side if "TRANSLATED(" not in m} for side in (ours, theirs))
    assert ours == theirs
    assert len([m for m in ours if "_ENABLED" in m]) >= 5


@pytest.mark.parametrize("style", STYLES)
def test_the_object_has_the_symbols_of_the_stock_one(sdt, stock, style):
    ours = semaphores(made(sdt, "-G", style, "ours.o"))
    assert ours == semaphores(made(sdt, "-G", style, "theirs.o", tool=stock))
    assert set(ours.values()) == {("STV_HIDDEN", 2, ".probes")}


@pytest.mark.parametrize("style", STYLES)
def test_each_header_compiles_alone_and_beside_the_others(sdt, style):
    made(sdt, "-h", style, "this.h")
    made(sdt, "-h", "qemu" if style != "qemu" else "php", "other.h")
    source = sdt.write("x.c", '#include "this.h"\n#include "other.h"\n#include "this.h"\n'
                       "int x;\n")
    for language in ("c", "c++"):
        sdt.command("gcc", "-x", language, *WARNINGS, *MORE_WARNINGS, "-I", COMPAT, "-c", source)


# Makefiles edit headers.
EDITS = [
    ("python", ["s/PYTHON_/PyDTrace_/"], "PyDTrace_FUNCTION_ENTRY_ENABLED()"),
    ("python", ["s/PYTHON_/PyDTrace_/"], "PyDTrace_LINE(a, b, 1)"),
    ("postgres", ["s/POSTGRESQL_/TRACE_POSTGRESQL_/g", "s/( *char \\*/(const char */g",
                  "s/, *char \\*/, const char */g"], "TRACE_POSTGRESQL_QUERY_DONE(a)"),
    ("memcached", ["s,void \\*,const void \\*,", "s,char \\*,const char \\*,g"],
     "MEMCACHED_ASSOC_FIND(a, 1, 2)"),
    ("perl", ["/const/!s/char \\*/const char */g"], "PERL_SUB_ENTRY(a, b, 1, a)"),
    ("ruby", ["s/RUBY_/RUBY_DTRACE_/g", "s/PROBES_H_TMP/RUBY_PROBES_H/"],
     "RUBY_DTRACE_METHOD_CACHE_CLEAR(a, b, 1)"),
    ("php", ["s,PHP_,DTRACE_,g"], "DTRACE_EXECUTE_ENTRY(a, 1)"),
]


@pytest.mark.parametrize("style,edits,use", EDITS)
def test_headers_survive_the_edits_of_makefiles(sdt, style, edits, use):
    made(sdt, "-h", style, "probes.h.tmp")
    scripts = [word for edit in edits for word in ("-e", edit)]
    sdt.write("probes.h", sdt.run("sed", *scripts, "probes.h.tmp"))
    source = sdt.write("x.c", '#include "probes.h"\nint f(char *a, char *b);\n'
                       f"int f(char *a, char *b)\n{{ {use}; return a == b; }}\n")
    sdt.command("gcc", *WARNINGS, *MORE_WARNINGS, "-I", COMPAT, "-c", source)
    assert [n.provider for n in notes(sdt.path("x.o"))] == ([] if "ENABLED" in use else
                                                            [style.replace("gres", "gresql")])


# The whole way, with tracers


def program(sdt, *options, compiler="gcc", linker="bfd"):
    """dtrace_traced.c with its header and its object."""
    made(sdt, "-h", "traced", "dtrace_traced.h")
    made(sdt, "-G", "traced", "probes.o")
    language = ["-x", "c++"] if "++" in compiler else []
    exe = sdt.path("traced")
    sdt.command(compiler, *language, "-O2", "-g", *options, *WARNINGS, "-I", COMPAT, "-I", sdt.dir,
                PROGRAMS / "dtrace_traced.c", "-x", "none", sdt.path("probes.o"),
                f"-fuse-ld={linker}", "-Wl,--build-id=sha1", "-o", exe)
    return exe


DIALECTS = [(compiler, dialect) for compiler in ("gcc", "clang", "g++", "clang++")
            for dialect in (CXX_DIALECTS if "++" in compiler else C_DIALECTS)]


@pytest.mark.parametrize("compiler,dialect", DIALECTS)
def test_every_dialect_compiles_without_a_warning(sdt, compiler, dialect):
    made(sdt, "-h", "traced", "dtrace_traced.h")
    language = ["-x", "c++"] if "++" in compiler else []
    sdt.command(compiler, *language, f"-std={dialect}", "-O2", *WARNINGS, *MORE_WARNINGS,
                "-D_GNU_SOURCE", "-I", COMPAT, "-I", sdt.dir, "-c", PROGRAMS / "dtrace_traced.c",
                "-o", sdt.path("x.o"))


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("linker", LINKERS)
def test_each_probe_is_a_note_with_its_semaphore(sdt, compiler, linker):
    exe = program(sdt, "-Wl,--gc-sections", compiler=compiler, linker=linker)
    assert sdt.run(exe) == "looked 0\n"
    found = {note.name: note for note in notes(exe)}
    names = ["none", "request__start", *(f"a{n}" for n in range(1, 13)), "translated", "catch"]
    assert sorted(found) == sorted(names)
    for name, note in found.items():
        count = re.match(r"a(\d+)$", name)
        assert count is None or len(note.args.split()) == int(count[1])
    with open(exe, "rb") as stream:
        elf = ELFFile(stream)
        probes = elf.get_section_by_name(".probes")
        table = elf.get_section_by_name(".symtab")
        assert probes["sh_addr"] % 4096 == 0, "see docs/compat.md"
        for name, note in found.items():
            symbol, = table.get_symbol_by_name(f"{note.provider}_{name}_semaphore")
            assert symbol["st_value"] == note.semaphore
            assert 0 <= note.semaphore - probes["sh_addr"] < probes["sh_size"]


@pytest.mark.parametrize("linker", LINKERS)
def test_bpftrace_makes_enabled_true(sdt, linker):
    exe = program(sdt, linker=linker)
    script = (f'usdt:{exe}:app:request__start {{ printf("got %d %s\\n", arg0, str(arg1)); }} '
              f'usdt:{exe}:app:a5 {{ printf("five %d %d\\n", arg0, arg4); }}')
    output = bpftrace(sdt, script, [exe, 10])
    assert re.findall(r"got (-?\d+) (\S+)", output) == \
        [(str(i - 5), f"/path/{i}") for i in range(10)]
    assert re.findall(r"five (\d+) (\d+)", output) == [(str(i), "5") for i in range(10)]
    assert "looked 10" in output
    assert sdt.run(exe) == "looked 0\n", "and down again"


@pytest.mark.parametrize("compiler", ["gcc", "clang++"])
def test_gdb_makes_enabled_true(sdt, compiler):
    exe = program(sdt, compiler=compiler)
    output = gdb(sdt, [exe, 10], "break -probe-stap app:request__start", "commands", "silent",
                 'printf "got %d of %d\\n", $_probe_arg0, $_probe_argc', "continue", "end",
                 "break -probe-stap app2__x:catch", "ignore 2 100", "run", "info breakpoints")
    assert re.findall(r"got (-?\d+) of 2", output) == [str(i - 5) for i in range(10)]
    assert "already hit 10 times" in output and "looked 10" in output


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_loop_asks_each_time(sdt, compiler):
    """Nothing else in the loop makes the compiler load the semaphore again."""
    exe = program(sdt, "-O3", "-DLATE", compiler=compiler)
    assert sdt.command(exe, status=None).stdout == "looked 0\n"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("pic", ["-fPIC", "-fPIE", "-fno-pie"])
def test_asking_is_one_load(sdt, compiler, pic):
    made(sdt, "-h", "traced", "traced.h")
    source = sdt.write("ask.c", '#include "traced.h"\nint ask(void);\n'
                       "int ask(void) { return APP_NONE_ENABLED() ? 3 : 4; }\n")
    sdt.command(compiler, "-O2", pic, "-fcf-protection=none", "-I", COMPAT, "-c", source)
    code = sdt.run("objdump", "-dr", "--no-show-raw-insn", "ask.o")
    body = code[code.index("<ask>:"):]
    assert body.count("app_none_semaphore") == 1 and "GOT" not in body, body
    assert len(re.findall(r"^ +[0-9a-f]+:\t[a-z]", body, re.M)) <= 7, body


def test_it_works_with_the_original_header(sdt, stock):
    """Whoever has our dtrace, and not our <sys/sdt.h>, in front."""
    assert stock
    made(sdt, "-h", "traced", "dtrace_traced.h")
    sdt.command("gcc", "-O2", "-I", sdt.dir, "-c", PROGRAMS / "dtrace_traced.c")
    made(sdt, "-G", "traced", "probes.o")
    sdt.command("gcc", "dtrace_traced.o", "probes.o", "-o", "a.out")
    assert sdt.run(sdt.path("a.out")) == "looked 0\n"


# What -G makes


@pytest.mark.parametrize("cc", ["gcc", "clang", "gcc -flto", "clang -flto",
                                "gcc -fsanitize=address"])
def test_the_object_is_machine_code_with_every_compiler(sdt, cc):
    source = PROGRAMS / "dtrace_glib.d"
    dtrace(sdt, "-G", "-s", source, "-o", "x.o", env={"CC": cc})
    names = {f"glib_{probe}_semaphore" for probe in
             re.findall(r"\bprobe (\w+)\(", source.read_text())}
    ours = {name: value for name, value in semaphores(sdt.path("x.o")).items()
            if name.startswith("glib_")}  # a sanitizer has symbols of its own
    assert ours == dict.fromkeys(names, ("STV_HIDDEN", 2, ".probes")) != {}
    sections = sdt.run("readelf", "-SW", "x.o")
    assert ".note.GNU-stack" in sections and ".gnu.lto" not in sections


def test_the_object_keeps_the_marks_that_flags_ask_for(sdt):
    """One object without its mark turns control-flow protection off for the whole program."""
    dtrace(sdt, "-G", "-s", PROGRAMS / "dtrace_glib.d", "-o", "x.o",
           env={"CFLAGS": "-fcf-protection"})
    assert "IBT, SHSTK" in sdt.run("readelf", "-n", "x.o")


def test_the_object_is_the_same_each_time(sdt):
    source = PROGRAMS / "dtrace_perl.d"
    contents = set()
    for name in ("one", "two"):
        sdt.path(name).mkdir()
        dtrace(sdt, "-G", "-s", source, "-o", "x.o", cwd=sdt.path(name), env={"CFLAGS": "-g -O2"})
        contents.add((sdt.path(name) / "x.o").read_bytes())
    assert len(contents) == 1


@pytest.mark.parametrize("where", ["option", "CFLAGS"])
def test_stap_sdt_v2_shows_semaphores_to_other_modules(sdt, where):
    options = ["-DSTAP_SDT_V2"] if where == "option" else []
    env = {"CFLAGS": "-DSTAP_SDT_V2"} if where == "CFLAGS" else {}
    dtrace(sdt, *options, "-G", "-s", PROGRAMS / "dtrace_qemu.d", "-o", "x.o", env=env)
    assert {v[0] for v in semaphores(sdt.path("x.o")).values()} == {"STV_DEFAULT"}
    dtrace(sdt, *options, "-h", "-s", PROGRAMS / "dtrace_qemu.d", "-o", "x.h")
    assert ("visibility" in sdt.path("x.h").read_text()) == (where == "CFLAGS")


def test_objects_on_the_command_line_stay_as_they_are(sdt):
    sdt.write("a.o", "no object, and nobody looks")
    dtrace(sdt, "-G", "-s", PROGRAMS / "dtrace_glib.d", "a.o", "-o", "probes.o", "missing.o")
    assert sdt.path("a.o").read_text() == "no object, and nobody looks"
    assert sorted(p.name for p in sdt.dir.iterdir()) == ["a.o", "probes.o"]


def test_what_pythons_configure_tries(sdt):
    sdt.write("conftest.d", "BEGIN{}\n")
    result = dtrace(sdt, "-G", "-s", "conftest.d", "-o", "conftest.o")
    assert "conftest.d:1:1: warning: no provider" in result.stderr
    assert sdt.path("conftest.o").exists() and semaphores(sdt.path("conftest.o")) == {}


def test_what_rubys_configure_tries(sdt):
    sdt.write("probes.d", "provider conftest{ probe fire(); };")
    dtrace(sdt, "-xnolibs", "-h", "-o", "conftest.h", "-s", "probes.d")
    dtrace(sdt, "-G", "-s", "probes.d", "conftest.o")
    assert sorted(p.name for p in sdt.dir.iterdir()) == ["conftest.h", "probes.d", "probes.o"]


# The command line

COMMANDS = [
    ("-h -s x.d", "x.h"), ("-G -s x.d", "x.o"), ("-h -sx.d -oy.h", "y.h"),
    ("-s sub/x.d -h", "x.h"), ("-h -s sub/x.d -o sub/z.h", "sub/z.h"),
    ("-x nolibs -h -s x.d", "x.h"), ("-xnolibs -G -s x.d a.o b.o", "x.o"),
    ("-64 -h -s x.d", "x.h"), ("-32 -k -h -s x.d", "x.h"),
    ("-fPIC -fpic -h -s x.d", "x.h"), ("-L/usr/lib -L /lib -lm -G -s x.d", "x.o"),
    ("--no-pyparsing --types -h -s x.d", "x.h"), ("-h -s x", "x.h"), ("-h -s .d", ".d.h"),
    ("-C -DA=1 -D B -UC -Isub -I sub -h -s x.d", "x.h"),
]  # fmt: skip


@pytest.mark.parametrize("line,output", COMMANDS)
def test_command_lines_of_makefiles(sdt, line, output):
    sdt.path("sub").mkdir()
    for name in ("x.d", "sub/x.d", "x", ".d"):
        sdt.write(name, "provider p { probe n(int); };\n")
    before = set(sdt.dir.rglob("*"))
    result = dtrace(sdt, *line.split())
    assert (result.stdout, result.stderr) == ("", "")
    assert set(sdt.dir.rglob("*")) - before == {sdt.path(output)}


WRONG = [
    ("", "nothing to do"), ("-s x.d", "nothing to do"), ("-h", "no provider file"),
    ("-h x.d", "no provider file"), ("-h -G -s x.d", "-h, -G and --describe"),
    ("-h -s", "needs an argument"),
    ("-h -s x.d -o", "needs an argument"), ("-h -s x.d y.d", "what is y.d?"),
    ("-h -s x.d -s y.d", "a second file, y.d"), ("-h -s x.d -q", "unknown option -q"),
    ("-h -s x.d --header", "unknown option --header"),
]  # fmt: skip


@pytest.mark.parametrize("line,message", WRONG)
def test_wrong_command_lines(sdt, line, message):
    sdt.write("x.d", "provider p { probe n(int); };\n")
    result = dtrace(sdt, *line.split(), status=2)
    assert result.stdout == "" and re.fullmatch(
        rf"sdt-dtrace: error: .*{re.escape(message)}.* \(see --help\)\n", result.stderr)
    assert [p.name for p in sdt.dir.iterdir()] == ["x.d"]


def test_help_and_version(sdt):
    assert "-G" in dtrace(sdt, "--help").stdout
    assert re.fullmatch(r"sdt-dtrace \(sdtlink\) \d+\.\d+\.\d+\n", dtrace(sdt, "--version").stdout)


def test_it_says_the_name_that_it_was_called_by(sdt):
    sdt.path("dtrace").symlink_to(TOOL)
    assert dtrace(sdt, tool=sdt.path("dtrace"), status=2).stderr.startswith("dtrace: error: ")


# The grammar

MEANINGS = [  # declaration, number of arguments
    ("()", 0), ("(void)", 0), ("( /* none */ )", 0), ("(void *)", 1), ("(a)", 1), ("(a b)", 1),
    ("(unsigned)", 1), ("(unsigned long long int x)", 1), ("(long unsigned)", 1),
    ("(const char *const *restrict p)", 1), ("(char const *p)", 1), ("(struct s *p, union u)", 2),
    ("(enum e v)", 1), ("(int a[])", 1), ("(int [4][N + 1])", 1), ("(char (*)[3])", 1),
    ("(int (*f)(void *, int), int)", 2), ("(void (*)(int, void (*)(void)))", 1),
    ("(int f(int, int))", 1), ("(std_string &s)", 1), ("(int a : int b, c : d *)", 2),
    ("(int a, int b) : (int b)", 2), ("(a, b) : ()", 2), ("(int provider, char *probe)", 2),
    ("(int /* , int */ a, // )\n int b)", 2), ("(int\n#pragma D x\n, int)", 2),
    ("(int,int,int,int,int,int,int,int,int,int,int,int)", 12),
]


@pytest.mark.parametrize("declaration,count", MEANINGS)
@pytest.mark.parametrize("end", [";", ""])
def test_the_number_of_arguments(sdt, declaration, count, end):
    sdt.write("x.d", f"provider p {{ probe n{declaration}{end}\n probe next(); }};")
    dtrace(sdt, "-h", "-s", "x.d")
    names = "".join(f", arg{i}" for i in range(1, count + 1))
    text = sdt.path("x.h").read_text()
    assert f"#define P_N({names[2:]}) \\\nDTRACE_PROBE{count or ''} (p, n{names})\n" in text
    assert "#define P_NEXT() \\\n" in text
    sdt.command("gcc", *WARNINGS, "-I", COMPAT, "-fsyntax-only", "x.h")


PASSED_OVER = [
    "", ";", "// x\n", "/* provider q { probe r(); }; */", "# provider q\n", "#pragma D option x\n",
    "#define X /* provider\n q { */ probe\n", "#define X \\\n provider q {\n", "# src/*/it's\n",
    "typedef int t;", "typedef struct s { int a; struct { char c[2]; } b; } s_t, *p_t;",
    "struct s;", "struct s { int probe; char *provider; };", "union u { int a; };",
    "enum e { A, B = 2 };", "extern int x[3];", "int x;", "const char *x;",
    "inline int PR_X = 'a' + 3;", 'inline string s = "; } provider q {";',
    "#pragma D binding \"1.0\" translator\ntranslator t < s *S > {\n a = S->b ? 1 : x[2].c; \n};",
    "typedef int (*f_t)(void *, int);", "BEGIN { trace(1); }", "END {}", "\f\v\r\n",
]


@pytest.mark.parametrize("text", PASSED_OVER)
def test_what_is_passed_over(sdt, text):
    sdt.write("x.d", f"{text}provider p {{ probe n(int); }};{text}provider q {{ probe n(); }}\n"
              f"{text}")
    dtrace(sdt, "-h", "-s", "x.d")
    assert set(re.findall(r"#define (\w+)\(", sdt.path("x.h").read_text())) == {
        "P_N", "P_N_ENABLED", "Q_N", "Q_N_ENABLED"}


NAMES = [
    ("p2", "n3", "P2_N3"), ("a__b", "c__d", "A__B_C_D"), ("p", "___n", "P___N"),
    ("_p_", "n_", "_P__N_"), ("p", "3cats", "P_3CATS"), ("p", "catch", "P_CATCH"),
    ("MiXed", "cAsE", "MIXED_CASE"), ("probe", "probe", "PROBE_PROBE"), ("p", "int", "P_INT"),
]


@pytest.mark.parametrize("provider,name,macro", NAMES)
def test_names(sdt, stock, provider, name, macro):
    sdt.write("x.d", f"provider {provider} {{ probe {name}(int a); }};\n")
    dtrace(sdt, "-h", "-s", "x.d")
    dtrace(sdt, "-h", "-s", "x.d", "-o", "stock.h", tool=stock)
    assert macros(sdt, "x.h") == macros(sdt, "stock.h")
    sdt.write("x.c", f'#include "x.h"\nint main(void) {{ if ({macro}_ENABLED()) {macro}(3); }}\n')
    dtrace(sdt, "-G", "-s", "x.d", "-o", "probes.o")
    sdt.command("gcc", "-I", COMPAT, "x.c", "probes.o", "-o", "a.out")
    assert [(n.provider, n.name) for n in notes(sdt.path("a.out"))] == [(provider, name)]


def test_a_probe_may_be_declared_twice(sdt):
    sdt.write("x.d", "provider p { probe n(int); };\nprovider p { probe n(long); probe m(); };\n")
    dtrace(sdt, "-h", "-s", "x.d")
    assert sdt.path("x.h").read_text().count("#define P_N(") == 1
    dtrace(sdt, "-G", "-s", "x.d")
    assert len(semaphores(sdt.path("x.o"))) == 2


# Errors: text, line, column, message, what the caret stands under

THIRTEEN = ", ".join(["int"] * 13)
ERRORS = [
    ("provder p {", 1, 1, "unexpected 'provder'; expected 'provider' or a declaration"),
    ("syscall:::entry {}", 1, 1, "unexpected 'syscall'; expected 'provider' or a declaration"),
    ("\n\n  provider {", 3, 12, "unexpected '{'; expected a name"),
    ("provider p\nprobe n();", 2, 1, "unexpected 'probe'; expected '{'"),
    ("provider 3p {};", 1, 10, "unexpected '3p'; expected a name"),
    ('provider "p" {};', 1, 10, "unexpected '\"p\"'; expected a name"),
    ("provider p-q {};", 1, 11, "unexpected '-'; expected '{'"),
    ("provider p {\n  n();\n};", 2, 3, "unexpected 'n'; expected 'probe', ';' or '}'"),
    ("provider p {\n  probe (int);\n};", 2, 9,
     "unexpected '('; expected a type, a name or a number"),
    ("provider p {\n  probe n;\n};", 2, 10, "unexpected ';'; expected '('"),
    ("provider p {\n\tprobe n(int a int b);\n};", 2, 16,
     "unexpected 'int'; expected ':', ',' or ')'"),
    ("provider p { probe n(int a b); };", 1, 28, "unexpected 'b'; expected ':', ',' or ')'"),
    ("provider p { probe n(int a; };", 1, 27, "unexpected ';'; expected ':', ',' or ')'"),
    ("provider p { probe n(int,); };", 1, 26, "unexpected ')'; expected a type or a name"),
    ("provider p { probe n(,int); };", 1, 22, "unexpected ','; expected a type, a name or ')'"),
    ("provider p { probe n(*a); };", 1, 22, "unexpected '*'; expected a type, a name or ')'"),
    ("provider p { probe n(struct); };", 1, 28, "unexpected ')'; expected a name"),
    ("provider p { probe n(int a[); };", 1, 28, "unexpected ')'; expected ']'"),
    ("provider p { probe n(int ...); };", 1, 26, "unexpected '.'; expected ')'"),
    ("provider p { probe n(a), m(); };", 1, 24,
     "unexpected ','; expected 'probe', ':', ';' or '}'"),
    ("provider p { probe n(a) : b; };", 1, 27, "unexpected 'b'; expected '('"),
    ("provider p { probe n(int a)", 1, 28,
     "unexpected end of the file; expected 'probe', ':', ';' or '}'"),
    ("provider p {\n  probe n();\n\n\n", 2, 13,
     "unexpected end of the file; expected 'probe', ';' or '}'"),
    ("struct s { int a; }\nprovider p { probe n(); };", 2, 1,
     "unexpected 'provider'; expected ';'"),
    ("typedef struct {\n int a;\nprovider p { probe n(); };\n", 3, 27,
     "unexpected end of the file; expected '}'"),
    ("provider p {}; }", 1, 16, "unexpected '}'; expected 'provider' or a declaration"),
    ("provider p { probe n$m(); };", 1, 21, "unexpected '$'; expected '('"),
    ("provider pé {};", 1, 11, "unexpected byte 0xc3; expected '{'"),
    ("provider p\0 {};", 1, 11, "unexpected byte 0x00; expected '{'"),
    ("provider p {};\n/* never\n", 2, 1, "this comment does not end"),
    ('inline string s = "x;\n', 1, 19, "this string does not end"),
    (f"provider p {{\n probe n({THIRTEEN});\n}};", 2, 8,
     "probe 'n' has 13 arguments; tracers read at most 12"),
    ("provider p {\n probe a_b();\n probe a__b();\n};", 3, 8,
     "probe 'a__b' makes the name P_A_B, and so does 'a_b' in line 2"),
    ("provider p {\n probe a();\n probe a__enabled();\n};", 3, 8,
     "probe 'a__enabled' makes the name P_A_ENABLED, and so does 'a' in line 2"),
    ("provider a_b { probe c(); };\nprovider a { probe b_c(); };", 2, 20,
     "probe 'b_c' makes the name A_B_C, and so does 'c' in line 1"),
    ("provider p {\n probe n(int);\n probe n();\n};", 3, 8,
     "probe 'n': the number of arguments is 0 here and 1 in line 2"),
]


@pytest.mark.parametrize("text,line,column,message", ERRORS)
def test_errors_say_where_and_what(sdt, text, line, column, message):
    sdt.path("x.d").write_bytes(text.encode())
    sdt.write("x.h", "as before")
    result = dtrace(sdt, "-h", "-s", "x.d", status=1)
    first, shown, caret, *rest = result.stderr.split("\n")
    assert first == f"x.d:{line}:{column}: error: {message}" and rest == [""]
    expected = text.encode().split(b"\n")[line - 1]
    assert shown == "    " + "".join(chr(c) if 32 <= c < 127 else " " if c == 9 else "."
                                     for c in expected)
    assert caret == "    " + " " * (column - 1) + "^"
    assert sdt.path("x.h").read_text() == "as before"
    assert sorted(p.name for p in sdt.dir.iterdir()) == ["x.d", "x.h"]


@pytest.mark.parametrize("cpp", ["", "gcc -E", "clang -E"])
def test_errors_behind_the_preprocessor_name_the_original_line(sdt, cpp):
    sdt.write("inc.h", "#define INT int\n\nprovider q { probe m(INT INT x y); };\n")
    sdt.write("x.d", '#define N 3\n\n#include "inc.h"\n')
    sdt.write("y.d", "#define N 3\n\n/* two\n lines */\nprovider p { probe n(int N); };\n")
    result = dtrace(sdt, "-C", "-h", "-s", "x.d", status=1, env={"CPP": cpp})
    assert result.stderr.removeprefix("./").startswith("inc.h:3:32: error: unexpected 'y'")
    result = dtrace(sdt, "-C", "-h", "-s", "y.d", status=1, env={"CPP": cpp})
    assert result.stderr.startswith("y.d:5:26: error: unexpected '3'")


FAILURES = [
    ("-h -s none.d", {}, "sdt-dtrace: error: cannot read none.d: No such file or directory"),
    ("-h -s .", {}, "sdt-dtrace: error: cannot read .: Is a directory"),
    ("-C -h -s none.d", {}, "sdt-dtrace: error: cpp failed, with exit status 1"),
    ("-C -h -s x.d", {"CPP": "no-such-cpp"}, "cannot run no-such-cpp: No such file or directory"),
    ("-h -s x.d -o no/x.h", {}, "cannot create a file beside no/x.h"),
    ("-h -s x.d -o .", {}, "cannot write .: it exists and is not a regular file"),
    ("-G -s x.d", {"CC": "no-such-cc"}, "cannot run no-such-cc: No such file or directory"),
    ("-G -s x.d", {"CC": "gcc -fno-such-flag"}, "gcc failed, with exit status 1"),
    ("-G -s x.d", {"CC": "sh -c 'kill -9 $$'"}, "sh was ended by signal 9"),
]  # fmt: skip


@pytest.mark.parametrize("line,env,message", FAILURES)
def test_failures_leave_nothing_behind(sdt, line, env, message):
    sdt.write("x.d", "provider p { probe n(int); };\n")
    sdt.write("x.o", "as before")
    result = dtrace(sdt, *line.split(), status=1, env=env)
    assert message in result.stderr
    assert sorted(p.name for p in sdt.dir.iterdir()) == ["x.d", "x.o"]
    assert sdt.path("x.o").read_text() == "as before"
    if "no-such-flag" in env.get("CC", ""):
        assert "unrecognized command-line option" in result.stderr, "the compiler's own words"


def test_a_full_disk_leaves_nothing_behind(sdt):
    sdt.write("x.d", "provider p { " + "probe n%d();" * 2000 % tuple(range(2000)) + "};\n")
    result = sdt.command("bash", "-c", f"ulimit -f 8; {TOOL} -h -s x.d", status=1)
    assert "cannot write x.h: File too large" in result.stderr
    assert [p.name for p in sdt.dir.iterdir()] == ["x.d"]


# Hostile text

MILLION = 1000000
HOSTILE = {
    "braces": ("struct s " + "{" * MILLION + "}" * MILLION + ";", 1),
    "parentheses": ("provider p { probe n(int " + "(*" * MILLION + ")" * MILLION + "); };", 1),
    "functions": ("provider p { probe n(int " + "(int" * MILLION + ")" * MILLION + "); };", 1),
    "comments": ("/*" * MILLION, 1),
    "quotes": ("int x = " + "'" * MILLION, 1),
    "stars": ("provider p { probe n(int " + "*" * MILLION + "); };", 0),
    "long name": ("provider p { probe " + "x" * MILLION + "(); };", 0),
    "long garbage": ("?" * MILLION, 1),
    "lines": ("\n" * MILLION + "?", 1),
    "hashes": ("#" * MILLION + "\n" + "#\n" * MILLION, 0),
    "arguments": ("provider p { probe n(" + "a," * MILLION + "a); };", 1),
    "the same": ("provider p { " + "probe n();\n" * 100000 + "};", 0),
    "probes": ("provider p { " + "".join(f"probe n{i}(int a);\n" for i in range(30000)) + "};", 0),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_dealt_with_in_a_second(sdt, name):
    text, status = HOSTILE[name]
    sdt.write("x.d", text)
    before = os.times()
    result = dtrace(sdt, "-h", "-s", "x.d", status=status)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - \
        before.children_system
    assert TOOL_BUILD.name.endswith("asan") or spent < 1, f"{spent} s of processor time"
    assert len(result.stderr) < 1000, "short words"
