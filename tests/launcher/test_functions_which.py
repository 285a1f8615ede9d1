# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink --functions=ELEMENT,…`: which functions are probes, chosen by names in C and C++, by
source files, by size and by attributes; what names of clones become; what never is a probe."""
import shutil

import pytest

from attached import ask
from conftest import BUILD, INCLUDES
from test_functions import COMPILERS, counts, sites, truth
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions


def test_which_functions(launch):
    """Patterns choose; the others' calls are gone as well."""
    launch.sdt.write("a.c", """
#include <sdt/probe.h>
int serve_fast(int x) { return x + 1; }
int serve_slow(int x) { return x + 2; }
int other(int x) { return x + 3; }
SDT_NO_FUNCTION int never(int x) { return x + 4; }
int main(void) { return serve_fast(1) + serve_slow(2) + other(3) + never(4) == 20 ? 0 : 1; }
""")
    wanted = {
        "--functions": {"serve_fast", "serve_slow", "other", "main"},
        "--functions=serve*": {"serve_fast", "serve_slow"},
        "--functions=-serve*": {"other", "main"},
        "--functions=serve*,main,-*slow": {"serve_fast", "main"},
        "--functions=nothing": set(),
        "--functions=file:a.c": {"serve_fast", "serve_slow", "other", "main"},
        "--functions=file:b.c": set(),
        "--functions=-file:?.c": set(),
    }
    for option, functions in wanted.items():
        for compiler in COMPILERS:
            if not shutil.which(compiler):
                continue
            launch(option, compiler, "-O0", *INCLUDES, "a.c", "-o", "prog")
            launch.run("prog")
            found = sites(launch, "prog")
            assert {site["function"] for site in found} == functions, (option, compiler)
            assert {site["name"] for site in found} <= {"entry", "return"}
            assert "__fentry__" not in launch.sdt.command("nm", "prog").stdout


NAMES = """
#include <vector>
namespace fn {
template <class T> struct server {
    __attribute__((noinline)) int serve(T x) { return x + 1; }
    __attribute__((noinline)) server operator+(int) const { return *this; }
    __attribute__((noinline)) bool operator<(const server &) const { return true; }
};
__attribute__((noinline)) int pair(std::vector<int> &, int x) { return x; }
}
namespace { __attribute__((noinline)) int hidden(int x) { return x * 2; } }
namespace file { __attribute__((noinline)) int open(int x) { return x; } }
template <class A, class B> __attribute__((noinline)) A pick(A a, B) { return a; }
int main()
{
    fn::server<int> one;
    fn::server<long> two;
    std::vector<int> none;
    auto lambda = [](int x) __attribute__((noinline)) { return x + 3; };
    return one.serve(1) + two.serve(1) + (int)(one + 1 < one) + fn::pair(none, 1) + hidden(1) +
           file::open(0) + pick<int, char>(0, 'x') + lambda(0) - 11;
}
"""


@pytest.mark.parametrize("element, plain", [
    ("fn::server::serve", {"fn::server<int>::serve(int)", "fn::server<long>::serve(long)"}),
    ("fn::server<int>::serve", {"fn::server<int>::serve(int)"}),
    ("fn::server<int>::serve(int)", {"fn::server<int>::serve(int)"}),
    ("*5serveEi", {"fn::server<int>::serve(int)"}),  # as the symbol is spelled
    ("fn::server<int>::operator+,fn::server::operator<",
     {"fn::server<int>::operator+(int) const",
      "fn::server<int>::operator<(fn::server<int> const&) const"}),
    ("fn::pair(std::vector<int, std::allocator<int> >&, int)",
     {"fn::pair(std::vector<int, std::allocator<int> >&, int)"}),
    ("fn::pair(std::vector<int>&, int)",
     {"fn::pair(std::vector<int, std::allocator<int> >&, int)"}),
    ("(anonymous namespace)::hidden", {"(anonymous namespace)::hidden(int)"}),
    ("file::open", {"file::open(int)"}),  # not of a source file
    ("pick<int, char>", {"int pick<int, char>(int, char)"}),
    ("fn::*,-fn::server", {"fn::server<int>::serve(int)", "fn::server<long>::serve(long)",
                           "fn::server<int>::operator+(int) const",
                           "fn::server<int>::operator<(fn::server<int> const&) const",
                           "fn::pair(std::vector<int, std::allocator<int> >&, int)"}),
])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_names_of_cxx(launch, compiler, element, plain):
    """c++filt says which they are."""
    launch.sdt.write("a.cc", NAMES)
    driver = {"gcc": "g++", "clang": "clang++"}[compiler]
    launch(f"--functions={element}", driver, "-O0", "a.cc", "-o", "prog")
    launch.run("prog")
    names = "\n".join({site["function"] for site in sites(launch, "prog")})
    assert set(launch.sdt.command("c++filt", input=names).stdout.split("\n")) == plain


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_lambda(launch, compiler):
    """gcc calls it main::{lambda(int)#1}, clang main::$_0."""
    launch.sdt.write("a.cc", NAMES)
    driver = {"gcc": "g++", "clang": "clang++"}[compiler]
    launch("--functions=main::*::operator()", driver, "-O0", "a.cc", "-o", "prog")
    [name] = {site["function"] for site in sites(launch, "prog")}
    assert launch.sdt.command("c++filt", name).stdout.strip().endswith("::operator()(int) const")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_by_file_and_size(launch, compiler):
    """A static function of one name in two files; one file of an object that is two; small ones."""
    for name in ("a", "b"):
        launch.sdt.write(f"{name}.c", f"""
static __attribute__((noinline)) int helper(int x) {{ return x * {ord(name)}; }}
int of_{name}(int x) {{ return helper(x) + helper(x + 1); }}
""")
    launch.sdt.write("main.c", "int of_a(int), of_b(int);\n"
                               "int main(void) { return of_a(1) == of_b(1); }\n")

    def built(option, *inputs):
        launch(option, compiler, "-O0", *inputs, "-o", "prog")
        launch.run("prog")
        return sorted(site["function"] for site in sites(launch, "prog") if site["name"] == "entry")

    assert built("--functions=helper", "a.c", "b.c", "main.c") == ["helper"] * 2
    assert built("--functions=file:a.c", "a.c", "b.c", "main.c") == ["helper", "of_a"]
    assert built("--functions=file:a.c,main", "a.c", "b.c", "main.c") == ["helper", "main", "of_a"]
    assert built("--functions=*,-file:b.*", "a.c", "b.c", "main.c") == ["helper", "main", "of_a"]
    launch("--functions", compiler, "-O0", "-c", "a.c", "b.c")
    launch.sdt.command("ld", "-r", "a.o", "b.o", "-o", "both.o")
    # Of an object of two files, only local functions say which one they are from.
    assert built("--functions=file:a.c", "both.o", "main.c") == ["helper"]
    nm = launch.sdt.command("nm", "-S", "both.o").stdout.split("\n")
    least = min(int(line.split()[1], 16) for line in nm if line.endswith("T of_a"))
    assert built(f"--functions=size:{least}", "both.o", "main.c") == ["main", "of_a", "of_b"]
    assert built(f"--functions=size:{least + 1000}", "both.o", "main.c") == []


MARKED = """
#include <sdt/probe.h>
SDT_FUNCTION static int marked(int x) { return x + 1; }
static inline int small(int x) { return x + 2; }
SDT_NO_FUNCTION int never(int x) { return x + 3; }
int main(int argc, char **argv) { (void)argv; return marked(argc) + small(argc) + never(argc) - 9; }
"""


@pytest.mark.parametrize("lto", [[], ["-flto", "-fuse-ld=lld"], ["-flto"]], ids=["", "lld", "lto"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_marked(launch, compiler, lto):
    """SDT_FUNCTION is chosen although nothing names it, and not inlined."""
    if lto[1:] and (compiler == "gcc" or not shutil.which("ld.lld")):
        pytest.skip("lld cannot link this")
    launch.sdt.write("a.c", MARKED)
    for option, wanted in [("--functions=main", {"marked", "main"}),
                           ("--functions=size:1000", {"marked"})]:
        launch(option, compiler, "-O2", *INCLUDES, *lto, "a.c", "-o", "prog")
        launch.run("prog")
        assert {site["function"] for site in sites(launch, "prog")} == wanted
    launch.sdt.command(compiler, "-O2", *INCLUDES, "-c", "a.c", "-o", "plain.o")
    assert "__patchable" not in launch.sdt.command("readelf", "-SW", "plain.o").stdout


PARTS = """
#include <stdio.h>
extern int calls;
int calls;
static int f(int *x)
{
    if (!x)
        return 0; /* this much is inlined */
    calls++;
    for (int i = 0; i < *x; i++)
        printf("%d%s", i, i % 3 ? " " : "");
    for (int i = 0; i < *x; i++)
        printf("%d%s", i, i % 5 ? " " : "");
    return *x + (int)printf("\\n");
}
int main(int argc, char **argv)
{
    int sum = 0;
    (void)argv;
    for (int i = 0; i < 4; i++)
        sum += f(i % 2 ? &argc : NULL) + f(i > 2 ? &argc : NULL);
    printf("sum %d\\nf %d\\n", sum, calls);
    return 0;
}
"""


def test_parts_of_functions(launch):
    """What gcc splits off is called by the rest: a function of its own, f.part, of one call."""
    launch.sdt.write("a.c", PARTS)
    launch("--functions", "--runtime=shared", "gcc", "-O3", "a.c", "-o", "prog")
    if ".part." not in launch.sdt.command("nm", "prog").stdout:
        pytest.skip("this gcc does not split the function")
    entries, output = counts(launch, launch.sdt.dir / "prog", "fn::f*:entry")
    assert entries == {"f.part": truth(output)["f"]}


OWN = """
#include <stddef.h>
#include <stdio.h>
size_t strlen(const char *s)
{
    const volatile char *at = s;
    while (*at)
        at++;
    return (size_t)((const char *)at - s);
}
static __attribute__((noinline)) int memcmp(int x) { __asm__("" : "+r"(x)); return x; }
int main(void) { printf("%zu\\n", strlen("four") + memcmp(0)); return 0; }
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_hits_call_is_no_probe(launch, compiler):
    """A program's own strlen() is called by the library as well: it would be counted."""
    launch.sdt.write("a.c", OWN)
    flags = ["-O2", "-fno-builtin", "-w"]
    launch("--functions=*,strlen", "--runtime=shared", compiler, *flags, "a.c", "-o", "prog")
    assert {site["function"] for site in sites(launch, "prog")} == {"main", "memcmp"}
    result = ask(launch.sdt, "count", "fn:entry", "by", "function", "--", launch.sdt.dir / "prog")
    assert "strlen" not in result.stdout


def test_what_hits_call_is_known(launch):
    """All that the library takes of the C library's strings and memory."""
    names = launch.sdt.command("nm", "-D", "--undefined-only",
                               BUILD / "runtime" / "libsdt.so").stdout.split()
    used = {name.split("@")[0] for name in names if name.startswith(("mem", "str"))}
    # These are for what happens between hits: they allocate, or are for numbers and messages.
    used -= {"memfd_create", "strdup", "strndup", "strerror", "strtod", "strtoull"}
    assert len(used) > 10
    source = "".join(f"void {name}(void) {{}}\n" for name in sorted(used))
    launch.sdt.write("a.c", source + "void other(void) {}\n")
    launch.sdt.command("gcc", "-fno-builtin", "-w", "-pg", "-mfentry", "-c", "a.c")
    launch("-o", "out.o", "--functions", "a.o")
    assert {site["function"] for site in sites(launch, "out.o")} == {"other"}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_part_of_a_program_without(launch, compiler):
    """The compiler's own option against it is heard: no NOP is compiled."""
    option = {"gcc": "-fno-instrument-functions", "clang": "-fno-xray-instrument"}[compiler]
    launch.sdt.write("a.c", "int f(int x) { return x * 2; }\n")
    launch("--functions", compiler, "-O2", option, "-c", "a.c", "-o", "with.o")
    launch.sdt.command(compiler, "-O2", "-c", "a.c", "-o", "plain.o")
    disassembly = {name: launch.sdt.command("objdump", "-d", name).stdout.replace(name, "")
                   for name in ("with.o", "plain.o")}
    assert disassembly["with.o"] == disassembly["plain.o"]


@pytest.mark.parametrize("elements, problem", [
    ("file:src/a.c", "file: takes a name without directories, as objects have it"),
    ("file:", "an element names nothing"),
    ("a,,b", "an element names nothing"),
    ("-", "an element names nothing"),
    ("size:", "size: takes a number of bytes"),
    ("size:-3", "size: takes a number of bytes"),
    ("size:10k", "size: takes a number of bytes"),
    ("-size:10", "size: cannot be excluded"),
])
def test_bad_elements_are_refused(launch, elements, problem):
    launch.sdt.write("a.c", "int f(int x) { return x * 2; }\n")
    launch.sdt.command("gcc", "-c", "a.c")
    for line, env in [([f"--functions={elements}", "gcc", "-c", "a.c", "-o", "out.o"], {}),
                      (["gcc", "-c", "a.c", "-o", "out.o"],
                       {"SDTLINK_LAUNCH": f"--functions={elements}"}),
                      ([f"--functions={elements}", "-o", "out.o", "a.o"], {})]:
        result = launch(*line, status=2, env=env)
        assert problem in result.stderr and elements in result.stderr
        assert not (launch.sdt.dir / "out.o").exists()


def test_files_with_link_time_optimisation_are_refused(launch):
    launch.sdt.write("a.c", "int main(void) { return 0; }\n")
    result = launch("--functions=main,-file:b.c", "gcc", "-flto", "a.c", "-o", "prog", status=1)
    assert "file:… cannot be used with link-time optimisation" in result.stderr
    assert not (launch.sdt.dir / "prog").exists()
