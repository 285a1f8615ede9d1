# SPDX-License-Identifier: BSD-2-Clause
"""<sdt/probe.h> as a program uses it: what is evaluated when, what a handler sees of memory, which
functions a probe may stand in, and what a compile costs. The running program is the observer."""
import re

import pytest
from conftest import INCLUDE

pytestmark = pytest.mark.plain  # what compilers make of the headers

COMPILERS = ["gcc", "clang", "g++", "clang++"]
CALLS = "-DSDT_CALL_SITES"
LEVELS = ["-O0", "-O2"]
LAZY = (["0 evaluated"], [f"{n} {7 * n}" for n in range(13)] + ["1 7", "79 evaluated"])


def language(compiler):
    return ["-x", "c++"] if "++" in compiler else []


@pytest.mark.parametrize("form", [[], [CALLS], ["-DSDT_SEMAPHORES"]])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_lazy_probe_evaluates_nothing_unless_somebody_looks(sdt, compiler, level, form):
    flags = [level, *form, "-Wall", "-Wextra", "-Werror", *language(compiler)]
    obj = sdt.process(sdt.compile("macros_lazy.c", *flags, "-DWITH_RUNTIME", compiler=compiler))
    out = sdt.run(sdt.link(obj)).splitlines()
    assert out == [*LAZY[0], *LAZY[1]]
    alone = sdt.process(sdt.compile("macros_lazy.c", *flags, compiler=compiler, name="alone.o"))
    assert sdt.run(sdt.link(alone, runtime=None)).splitlines() == LAZY[0]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_lazy_probe_that_is_disabled_leaves_nothing(sdt, compiler):
    obj = sdt.compile("macros_lazy.c", "-DSDT_DISABLE", "-Wall", "-Wextra", "-Werror",
                      *language(compiler), compiler=compiler)
    assert "dtrace" not in sdt.command("nm", obj).stdout
    assert sdt.run(sdt.link(obj, runtime=None)).splitlines() == LAZY[0]


@pytest.mark.parametrize("form", [[], [CALLS]])
@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3", "-Os"])
@pytest.mark.parametrize("compiler", ["gcc", "clang-14", "clang-16", "g++"])
def test_handlers_and_the_program_see_each_others_stores(sdt, compiler, level, form):
    """Stores before the probe, also to statics that no argument points to; the handler's after."""
    obj = sdt.process(sdt.compile("macros_memory.c", level, *form, *language(compiler),
                                  compiler=compiler))
    assert sdt.run(sdt.link(obj)) == "1 2 2\n"


@pytest.mark.parametrize("compiler", ["gcc", "clang-14", "clang-16"])
def test_without_the_clobber_what_a_pointer_points_to_is_current(sdt, compiler):
    source = sdt.write("f.c", "#include <sdt/probe.h>\nstruct s { int a; };"
                              "void f(struct s *p) { p->a = 111; SDT_PROBE(p, n, p);"
                              " p->a = 222; }")
    obj = sdt.compile(source, "-O2", "-DSDT_NO_MEMORY_CLOBBER", "-I", INCLUDE, compiler=compiler)
    listing = sdt.command("objdump", "-d", sdt.process(obj)).stdout
    first, site, second = (listing.find(t) for t in ("$0x6f", "\tnop", "$0xde"))
    assert 0 < first < site < second, listing


@pytest.mark.parametrize("compiler", ["gcc", "g++"])
def test_without_the_clobber_a_value_stays_in_its_register(sdt, compiler):
    """What the option is for: with the clobber the second load is made. (clang loads in any case:
    it takes volatile asm statements to write memory.)"""
    source = sdt.write("f.c", "#include <sdt/probe.h>\nstatic int g; void set(int x); "
                              "void set(int x) { g = x; }\n#ifdef __cplusplus\n"
                              "extern \"C\"\n#endif\nint f(void)\n"
                              "{ int a = g; SDT_PROBE(p, n); return a * 3 + g; }\n")
    loads = {}
    for option in ("-DSDT_NO_MEMORY_CLOBBER", "-UX"):
        obj = sdt.compile(source, "-O2", option, "-I", INCLUDE, *language(compiler),
                          compiler=compiler)
        code = sdt.command("objdump", "-d", "--no-show-raw-insn", obj).stdout
        loads[option] = code.split("<f>:")[1].count("(%rip)")
    assert loads == {"-DSDT_NO_MEMORY_CLOBBER": 1, "-UX": 2}


LINKAGE = """
#include <sdt/probe.h>
int cxx(int x) { SDT_PROBE(p, y, x); return SDT_PROBE_ENABLED(p, y); }
extern "C" int c(int x) { SDT_PROBE(p, y, x); return SDT_PROBE_ENABLED(p, y); }
extern "C" { static int inner(int x) { SDT_PROBE(p, y, x); SDT_PROBE(p, y, x); return x; } }
namespace n { int cxx(int x) { SDT_PROBE(p, y, x); return inner(x); } }
#if __cplusplus >= 201103L || defined(__clang__) // g++ -std=c++98: see <sdt/probe.h>
template <typename T> int in_template(T x) { SDT_PROBE(p, y, x); return 0; }
#else
int in_template(int) { return 0; }
#endif
int main(int argc, char **) { return cxx(argc) + c(argc) + n::cxx(0) + in_template(argc); }
"""


@pytest.mark.parametrize("form", [[], [CALLS]])
@pytest.mark.parametrize("standard", ["98", "11", "17"])
@pytest.mark.parametrize("compiler", ["g++", "clang++-14", "clang++-16"])
def test_one_probe_in_functions_of_both_language_linkages(sdt, compiler, standard, form):
    obj = sdt.compile(sdt.write("linkage.cc", LINKAGE), f"-std=c++{standard}", "-O1", *form,
                      compiler=compiler)
    exe = sdt.link(sdt.process(obj), runtime=None, compiler=compiler)
    listed = sdt.sdtlink("list", "--json", exe).stdout
    assert listed.count('"y"') >= 6
    sdt.run(exe)


TEMPORARY = """
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <cstdio>
struct text {
    char *bytes;
    explicit text(const char *s) : bytes(new char[64]) { std::snprintf(bytes, 64, "%s", s); }
    text(const text &) = delete;
    ~text() { std::snprintf(bytes, 64, "gone"); delete[] bytes; }
    const char *c_str() const { return bytes; }
};
static void print(const sdt_event *event, void *)
{
    std::printf("%s %s\\n", (const char *)sdt_arg(event, 0), (const char *)sdt_arg(event, 1));
}
int main()
{
    sdt_enable("app", print, nullptr);
    SDT_PROBE(app, open, text("a name").c_str(), text("its mode").c_str());
}
"""


@pytest.mark.parametrize("form", [[], [CALLS]])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("compiler", ["g++", "clang++-14", "clang++-16"])
def test_a_temporary_lives_until_the_probe_is_passed(sdt, compiler, level, form):
    obj = sdt.compile(sdt.write("t.cc", TEMPORARY), level, *form, compiler=compiler)
    assert sdt.run(sdt.link(sdt.process(obj), compiler=compiler)) == "a name its mode\n"


WRONG = {
    "std::wstring s; int f(int x) { SDT_PROBE(app, open, x, s); return x; }":
        "argument 2 must be .*pass a member or its address",
    "template <typename... T> void f(T... x) { SDT_PROBE(app, open, x...); }\n"
    "template void f(int, int);": "a parameter pack is not an argument",
    "template <typename... T> void f(T... x) { SDT_PROBE(app, open, 1, x...); }\n"
    "template void f();": "a parameter pack is not an argument",
}


@pytest.mark.parametrize("form", [[], [CALLS]])
@pytest.mark.parametrize("text", WRONG)
@pytest.mark.parametrize("compiler", ["g++", "clang++-14", "clang++-16"])
def test_what_is_no_argument_in_cxx_is_named(sdt, compiler, text, form):
    source = sdt.write("wrong.cc", f"#include <string>\n#include <sdt/probe.h>\n{text}\n")
    argv = [compiler, "-c", "-I", INCLUDE, *form, source, "-o", sdt.path("wrong.o")]
    result = sdt.command(*argv, status=1)
    assert re.search(f"error.*{WRONG[text]}", result.stderr), result.stderr


@pytest.mark.parametrize("compiler, most", [("gcc", 6000), ("clang", 4000), ("g++", 5000),
                                            ("clang++", 3500)])
@pytest.mark.parametrize("form", [[], [CALLS]])
def test_a_probe_is_little_text_to_compile(sdt, compiler, most, form):
    """What compilers are paid for is tokens; the time itself is a row of the benchmarks."""
    source = sdt.write("f.cc" if "++" in compiler else "f.c",
                       "#include <sdt/probe.h>\n@SDT_PROBE(p, n, path, bytes, connection->id)@\n")
    argv = [compiler, "-O2", "-E", "-P", "-I", INCLUDE, *form, source]
    text = sdt.command(*argv).stdout
    assert len(text.split("@")[1]) < most
    assert text.split("@")[1].count("connection->id") <= 6
