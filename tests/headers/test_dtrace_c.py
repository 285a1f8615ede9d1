# SPDX-License-Identifier: BSD-2-Clause
"""sdt-dtrace: C around the providers, which the preprocessor brings along, and the environment.

A file that includes headers is mostly declarations and functions. Whatever stands outside of
providers is passed over, and nothing that is in it may be taken for a probe.
"""
import re

import pytest
from conftest import PROGRAMS
from test_dtrace import TOOL, dtrace, macros, semaphores, stock

assert stock  # a fixture

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="sdt-dtrace is not built (needs bison)")

C = [
    "static int x;", "uint32_t x;", "size_t f(void);", "int f(void) { return 1; }",
    "__extension__ typedef struct { int v[2]; } fsid_t;", "__extension__ extern long f(void);",
    "static __inline uint16_t f (uint16_t x) { if (x) { return 1; } return (x << 8) | (x >> 8); }",
    "extern int f(void) __asm__ (\"\" \"g\") __attribute__ ((__nothrow__ , __leaf__));",
    "struct s { int probe; } provider; ", "struct s *f(struct s *probe, int provider) { ; }",
    "struct __attribute__((packed)) s { int x; } x;", "struct s x[2] = { { .a = 1 }, { 2 } };",
    "struct __attribute__((packed)) { int x; } x;",
    "__attribute__((noinline)) static int f(void) {}",
    "int x = 3, *y = &x, f(void);", "int x[] = (int[]){ 1, 2 }, y = 3;", "int (*f(void))[3] {}",
    "typedef int provider;", "extern int probe(int provider);", "int (*probe)(void) = 0;",
    "_Static_assert(sizeof(int) == 4, \"provider q { probe r(); };\");", "__asm__(\"nop\");",
    "void f(void) { provider q; probe(r); char c = '}'; char *s = \"}\"; /* } */ }",
    "extern \"C\" { int f(void); }", "extern \"C\" int f(void);", "int f(a) int a; { return a; }",
    "enum e { BEGIN, END };", "int BEGIN;", "unsigned alignas(8) x;", "[[noreturn]] void f(void);",
    "typedef float v4 __attribute__((vector_size(4 * sizeof(float))));", "UNKNOWN_MACRO",
    "DECLARE_LIST(probe, provider)", "# 1 \"x.h\" 1 3 4\nint x;\n# 2 \"x.d\" 2\n",
]  # fmt: skip


@pytest.mark.parametrize("text", C)
def test_c_outside_of_providers_is_passed_over(sdt, text):
    between = "" if text.startswith(("UNK", "DECL")) else text
    sdt.write("x.d", f"{text}\nprovider p {{ probe n(int); }};{between}\n{text}\n"
              f"provider q {{ probe n(); }}{between}\n")
    dtrace(sdt, "-h", "-s", "x.d")
    assert set(re.findall(r"#define (\w+)\(", sdt.path("x.h").read_text())) == {
        "P_N", "P_N_ENABLED", "Q_N", "Q_N_ENABLED"}


NOT_C = [
    ("int f(void) { provider p { probe n(); };", 1, 41, "unexpected end of the file; expected '}'"),
    ("int f(void) { ] }\nprovider p { probe n(); };", 1, 15, "unexpected ']'; expected '}'"),
    ("int f(void);\n}\n", 2, 1, "unexpected '}'; expected 'provider' or a declaration"),
    ("int f(int x;\nprovider p { probe n(); };", 2, 27,
     "unexpected end of the file; expected ')'"),
    ("int x\nprovider p { probe n(); };", 2, 1, "unexpected 'provider'; expected ';'"),
    ("int x;\nprovder p { probe n(); };", 2, 1,
     "unexpected 'provder'; expected 'provider' or a declaration"),
    ("int x;\nsyscall::read:entry { trace(1); }", 2, 1,
     "unexpected 'syscall'; expected 'provider' or a declaration"),
]


@pytest.mark.parametrize("text,line,column,message", NOT_C)
def test_what_is_not_c_is_an_error(sdt, text, line, column, message):
    sdt.write("x.d", text)
    result = dtrace(sdt, "-h", "-s", "x.d", status=1)
    assert result.stderr.split("\n")[0] == f"x.d:{line}:{column}: error: {message}"
    assert not sdt.path("x.h").exists()


HEADERS = ["sys/types.h", "sys/socket.h", "stdlib.h", "string.h", "stdio.h", "pthread.h", "math.h",
           "linux/types.h", "netinet/in.h"]


@pytest.mark.parametrize("names", [*([name] for name in HEADERS), HEADERS])
def test_headers_of_the_system_are_passed_over(sdt, stock, names):
    includes = "".join(f"#include <{name}>\n" for name in names)
    sdt.write("x.d", f"#define _GNU_SOURCE\n{includes}provider p {{\n"
              "  probe n(size_t, const char *, pid_t);\n  probe empty();\n};\n")
    dtrace(sdt, "-C", "-h", "-s", "x.d")
    dtrace(sdt, "-C", "-h", "-s", "x.d", "-o", "stock.h", tool=stock)
    assert len(macros(sdt, "x.h")) >= 4 and macros(sdt, "x.h") == macros(sdt, "stock.h")
    dtrace(sdt, "-C", "-G", "-s", "x.d")
    assert set(semaphores(sdt.path("x.o"))) == {"p_n_semaphore", "p_empty_semaphore"}


def test_an_error_among_headers_is_at_its_place(sdt):
    """Preprocessed text is long, and most of it is from other files."""
    text = (PROGRAMS / "dtrace_display.d").read_text()
    sdt.write("x.d", text.replace("probe motion(int,", "probe motion(int a b,"))
    result = dtrace(sdt, "-C", "-h", "-s", "x.d", status=1)
    line = text[:text.index("probe motion")].count("\n") + 1
    assert result.stderr.startswith(f"x.d:{line}:21: error: unexpected 'b'; expected")


@pytest.mark.parametrize("ending", ["\\\n", "\\\r\n", "\n"])
def test_flags_may_be_in_several_lines(sdt, ending):
    """As a makefile exports them."""
    sdt.write("x.d", "provider p { probe n(int); };\n")
    sdt.write("cc", "#!/bin/sh\nprintf '<%s>' \"$@\" > said\nexec gcc \"$@\"\n").chmod(0o755)
    dtrace(sdt, "-G", "-s", "x.d", env={
        "CC": f"./cc {ending} -DCC", "CFLAGS": f"-DA=\\\"1.0\\\" {ending} -DB {ending}-DC"})
    assert '<-DCC><-DA="1.0"><-DB><-DC>' in sdt.path("said").read_text()
    assert set(semaphores(sdt.path("x.o"))) == {"p_n_semaphore"}


HOSTILE = ['provider "{}" {{ }};', "provider p {{ probe n(int {}); }};", "provider {} {{ }};",
           'provider p {{ probe n("{}"); }};', "int x; {} }}"]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("escape", ["\x1b]0;title\x07", "\x1b[2J", "\x9b31m", "a\x1b[31m", "\x7f"])
def test_no_byte_of_a_file_reaches_the_terminal_as_a_command(sdt, text, escape):
    sdt.path("x.d").write_bytes(text.format(escape).encode("latin-1"))
    sdt.write("\x1b[1m.d", sdt.path("x.d").read_bytes().decode("latin-1"))
    for name in ("x.d", "\x1b[1m.d"):
        for options in ([], ["-C"]):
            result = dtrace(sdt, *options, "-h", "-s", name, status=1)
            assert "error: unexpected" in result.stderr
            assert re.fullmatch(r"[\n\x20-\x7e]*", result.stderr), result.stderr
