# SPDX-License-Identifier: BSD-2-Clause
"""<sdt/systemtap.h>: probes whose names tell their types, and handlers that match them.

What the proposal of 2005 promised, and what its readers asked for, one test each.
"""
import itertools
import re
import shutil

import pytest
from conftest import BUILD, INCLUDES, PROGRAMS, ROOT
from toolchain import CLANGS, cxx

WARNINGS = "-Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion".split()
COMPILERS = ["gcc", "clang", "g++", "clang++"]
C_DIALECTS = "c89 c99 c11 c2x gnu89".split()
CXX_DIALECTS = "c++98 c++11 c++17 c++20 c++2b".split()
PREFIX = "__dtrace_sdtasm_run_sdtlink___systemtap___"
FORMS = {PREFIX: [], "__dtrace_sdt_run_sdtlink___systemtap___": ["-DSDT_CALL_SITES"]}


def language(compiler):
    return ["-x", "c++"] if compiler.endswith("++") else []


def all_lists(most=7):
    return ["".join(l) for n in range(most + 1) for l in itertools.product("NS", repeat=n)]


def symbols(sdt, obj, prefix=PREFIX):
    """The names after PREFIX, as nm shows them."""
    lines = sdt.command("nm", obj).stdout.splitlines()
    names = [line.split()[-1] for line in lines]
    return {name[len(prefix) :] for name in names if name.startswith(prefix)}


@pytest.mark.nosan
@pytest.mark.parametrize("kind", ["probes", "handlers"])
def test_the_menu_is_what_the_generator_writes(sdt, kind):
    """The build has it, and there is no other beside the headers that are written by hand."""
    written = sdt.command("/usr/bin/python3", ROOT / "runtime" / "systemtap.py", kind).stdout
    name = f"systemtap_{kind}.h"
    assert written == (BUILD / "runtime" / "include" / "sdt" / name).read_text()
    assert written.count("\n") > 1000 and not list((ROOT / "runtime").rglob(name))


@pytest.mark.nosan
@pytest.mark.parametrize("compiler", ["gcc", "clang++"])
@pytest.mark.parametrize("prefix", FORMS)
def test_all_255_lists_of_types_have_a_macro_and_a_handler(sdt, prefix, compiler):
    """2**8 - 1 lists; each name tells count and types, and so do the recorded types."""
    lines = ["#include <sdt/systemtap.h>", "#include <sdt/systemtap_attach.h>", "void all(void);"]
    attach, body = [], []
    for types in all_lists():
        suffix = "_" + types if types else ""
        words = "".join(", 1" if t == "N" else ', "s"' for t in types)
        body.append(f"SYSTEMTAP_PROBE{suffix}(all{words});")
        attach.append(f"systemtap_handler{suffix} *h{suffix} = 0;")
        attach.append(f"(void)systemtap_attach{suffix}(all, h{suffix});")
        attach.append(f'(void)systemtap_attach_in{suffix}("m", "f", all, h{suffix});')
    lines += ["void all(void) {", *body, "{", *attach, "}", "}"]
    source = sdt.write("all.c", "\n".join(lines) + "\n")
    flags = ["-O0", "-g0", *WARNINGS, *language(compiler), *FORMS[prefix]]
    obj = sdt.compile(source, *flags, compiler=compiler)
    assert symbols(sdt, obj, prefix) == {f"all__{len(types)}{types}" for types in all_lists()}
    raw = sdt.path("args.bin")
    sdt.command("objcopy", "-O", "binary", "-j", ".sdt_args", "--set-section-flags",
                ".sdt_args=alloc", obj, raw)  # fmt: skip
    records = raw.read_bytes()
    for types in all_lists():
        codes = bytes({"N": 0x18, "S": 0xC8}[t] for t in types)
        codes += bytes(4)  # of the spelling
        tail = bytes([len(types)]) + codes + f"systemtap\0all__{len(types)}{types}\0".encode()
        assert records.count(tail) == 1, types


HITS = """\
tick
pair 1 text
pair 1 text
seven -1 seven 99 text 2 1 end
tock 0
pair 0 text
pair 0 text
seven -1 seven 99 text 2 1 end
pair 3 text
reversed text 3
strings array array 5 4
numbers 1 1 1 -1
five 3 text 99 lit array
evaluated 10
"""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", ["-O0", "-O3 -fPIC"])
def test_handlers_get_the_arguments_with_their_own_types(sdt, compiler, flags):
    """Typed and generic forms, off, on, and off again; each argument is evaluated once."""
    flags = [*flags.split(), *language(compiler)]
    obj = sdt.process(sdt.compile("systemtap_forms.c", *flags, compiler=compiler))
    assert sdt.run(sdt.link(obj, compiler=compiler)) == HITS


@pytest.mark.nosan
@pytest.mark.parametrize("compiler", COMPILERS)
def test_in_front_of_the_compiler_with_link_time_optimisation(sdt, compiler):
    exe, linker = sdt.path("launched"), ["-fuse-ld=lld"] if "clang" in compiler else []
    sdt.sdtlink("-q", "--runtime=static", f"--runtime-directory={sdt.static_runtime.parent}",
                compiler, "-O2", "-flto", *linker, *INCLUDES, *language(compiler),
                PROGRAMS / "systemtap_forms.c", "-o", exe)  # fmt: skip
    assert sdt.run(exe) == HITS


def syntax(sdt, compiler, dialect, *flags):
    for source in ("systemtap_forms.c", "systemtap_refused.c"):
        argv = ["-fsyntax-only", f"-std={dialect}", *WARNINGS, "-Wcast-qual", *flags]
        sdt.command(compiler, *argv, *INCLUDES, *language(compiler), PROGRAMS / source)


def slow(compiler):
    return pytest.param(compiler, marks=pytest.mark.slow)


@pytest.mark.nosan
@pytest.mark.parametrize("dialect", C_DIALECTS)
@pytest.mark.parametrize("compiler", ["gcc", "clang", *map(slow, CLANGS)])
def test_c_dialects_compile_without_a_warning(sdt, compiler, dialect):
    for form in ([], ["-O2"], ["-DSDT_CALL_SITES"], ["-DSDT_DISABLE"]):
        syntax(sdt, compiler, dialect, *form)


@pytest.mark.nosan
@pytest.mark.parametrize("dialect", CXX_DIALECTS)
@pytest.mark.parametrize("compiler", ["g++", "clang++", *map(slow, map(cxx, CLANGS))])
def test_cxx_dialects_compile_without_a_warning(sdt, compiler, dialect):
    flags = ["-x", "c++", "-Wno-write-strings"]
    for form in ([], ["-O2"], ["-DSDT_CALL_SITES"], ["-DSDT_DISABLE"]):
        syntax(sdt, compiler, dialect, *form, *flags)


@pytest.mark.nosan
@pytest.mark.parametrize("compiler", COMPILERS)
def test_disabled_probes_evaluate_nothing_and_leave_nothing(sdt, compiler):
    flags = ["-DSDT_DISABLE", "-O0", *language(compiler)]
    obj = sdt.compile("systemtap_forms.c", *flags, compiler=compiler)
    assert not symbols(sdt, obj)
    assert "evaluated 0\n" in sdt.command(sdt.link(obj, compiler=compiler), status=None).stdout


@pytest.mark.nosan
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("prefix", FORMS)
def test_the_generic_form_picks_the_one_list_of_types(sdt, prefix, compiler, level):
    """Of all the lists it tries, nothing but the right one is left, even without optimisation."""
    lines = ["#include <sdt/systemtap.h>", "void all(int n, const char *s);"]
    lines += ["void all(int n, const char *s) { (void)n; (void)s;"]
    for i, types in enumerate(all_lists(4)):
        words = "".join(", n" if t == "N" else ", s" for t in types)
        lines.append(f"SYSTEMTAP_PROBE(p{i}{words});")
    source = sdt.write("generic.c", "\n".join([*lines, "}"]) + "\n")
    flags = [level, *WARNINGS, *language(compiler), *FORMS[prefix]]
    obj = sdt.compile(source, *flags, compiler=compiler)
    expected = {f"p{i}__{len(types)}{types}" for i, types in enumerate(all_lists(4))}
    assert symbols(sdt, obj, prefix) == expected


@pytest.mark.nosan
def test_the_generic_form_in_templates_and_with_types_of_cxx(sdt):
    text = """
#include <sdt/systemtap.h>
enum class scoped : short { one = 1 };
template <typename T> void look(T x) { SYSTEMTAP_PROBE(template_, x); SYSTEMTAP_PROBE(both, x, 1); }
struct thing { int bits : 3; char text[4]; };
void all(thing &t, const char (&literal)[3]);
void all(thing &t, const char (&literal)[3])
{
    look("s"); look(1); look(scoped::one); look(nullptr);
    SYSTEMTAP_PROBE(members, t.bits, t.text, literal, [](int x) { return x; }(1));
    SYSTEMTAP_PROBE(zero, 0, nullptr, false);
    SYSTEMTAP_PROBE(most, 1, "2", 3u, 4.5, "5", '6', "7");
}
""".replace("template_", "templated")
    source = sdt.write("generic.cc", text)
    for compiler in ("g++", "clang++"):
        obj = sdt.compile(source, "-O0", "-std=c++20", *WARNINGS, compiler=compiler)
        assert symbols(sdt, obj) == {
            "templated__1S", "templated__1N", "both__2SN", "both__2NN", "members__4NSSN",
            "zero__3NNN", "most__7NSNNSNS",
        }  # fmt: skip


REFUSED = {
    "SYSTEMTAP_PROBE_S(x, 1L);": "must_be_a_pointer|invalid conversion|no matching|cannot init",
    "SYSTEMTAP_PROBE_N(x, thing);": "aggregate|cannot convert|invalid cast|operand of type|convers",
    "SYSTEMTAP_PROBE(x, 1, 2, 3, 4, 5, 6, 7, 8);": "takes_at_most_7_arguments",
    "SYSTEMTAP_PROBE_NS(x, 1);": "SYSTEMTAP_PROBE_NS|macro",
    "(void)systemtap_attach_NS(x, on_number);": "types_of_another_probe|conver|no matching",
    "(void)systemtap_attach(x, on_number);": "types_of_another_probe|conver|no matching",
    "(void)systemtap_attach_N(x, on_int);": "types_of_another_probe|conver|no matching",
    "SYSTEMTAP_PROBE(x___y);": "may contain ___",
}


@pytest.mark.nosan
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("statement", REFUSED)
def test_what_does_not_fit_its_types_does_not_compile(sdt, compiler, statement):
    text = """
#include <sdt/systemtap.h>
#include <sdt/systemtap_attach.h>
struct thing { int x; };
void on_number(int64_t a);
void on_int(int a);
void f(struct thing thing);
void f(struct thing thing) { (void)thing; STATEMENT }
"""
    source = sdt.write("wrong.c", text.replace("STATEMENT", statement))
    right = sdt.write("right.c", text.replace("STATEMENT", "SYSTEMTAP_PROBE(x, thing.x);"))
    flags = ["-O1", *INCLUDES, *language(compiler), "-c", "-o", sdt.path("x.o")]
    sdt.command(compiler, *flags, right)
    error = sdt.command(compiler, *flags, source, status=1).stderr
    assert re.search(REFUSED[statement], error), error


def test_attaching_refuses_other_types_and_says_so(sdt):
    lines = sdt.run(sdt.build("systemtap_refused.c")).splitlines()
    answers = dict(line.split(": ") for line in lines)
    other = "the probe has arguments of other types than the handler"
    none = "no probe matches (SDT_DEBUG=1 says more), or there is no such subscription"
    assert answers == {
        "right": "attached", "types": other, "count": other, "unknown": none, "function": none,
        "module": none, "real": other, "narrow": other, "more": other,
        "no handler": "an argument is missing or the pattern is malformed", "no session": none,
    }  # fmt: skip


HANDLER = """
#include <stdatomic.h>
#include <stdint.h>
atomic_ulong hits;
void handler(int64_t a, const char *b);
void handler(int64_t a, const char *b) { if (a >= 0 && b[0] == 't') hits++; }
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_handler_may_be_unmapped_once_it_is_detached(sdt, compiler):
    """No thread ends up "calling a bad function pointer" when the probe is removed."""
    source = sdt.write("handler.c", HANDLER)
    libraries = []
    for i in range(2):
        libraries.append(sdt.path(f"handler{i}.so"))
        sdt.command("gcc", "-O2", "-shared", "-fPIC", source, "-o", libraries[-1])
    exe = sdt.build("systemtap_release.c", compiler=compiler)
    assert sdt.run(exe, 40, *libraries) == "released\n"


MODULE = """
#include <sdt/systemtap.h>
void NAME(int n);
void NAME(int n) { SYSTEMTAP_PROBE(loaded, n, "NAME"); SYSTEMTAP_PROBE(loaded, n + 1, "NAME"); }
"""
WATCH = """
#include <sdt/systemtap.h>
#include <sdt/systemtap_attach.h>
#include <stdio.h>
void one(int n), two(int n);
static void on_loaded(int64_t n, const char *where) { printf("%d in %s\\n", (int)n, where); }
int main(void)
{
    int session = systemtap_attach_in_NS("libtwo.so", "", loaded, on_loaded);
    one(1), two(1);
    if (session <= 0 || systemtap_detach(session) != 0)
        return 1;
    session = systemtap_attach_NS(loaded, on_loaded);
    one(5), two(5);
    return systemtap_detach(session);
}
"""


def test_probes_of_one_name_in_several_modules(sdt):
    """`probe module("foo").probe("name")`, and the same without a module: all of that name."""
    libraries = []
    for name in ("one", "two"):
        source = sdt.write(f"{name}.c", MODULE.replace("NAME", name))
        obj = sdt.process(sdt.compile(source, "-fPIC"))
        libraries.append(sdt.path(f"lib{name}.so"))
        sdt.command("gcc", "-shared", obj, "-o", libraries[-1])
    main = sdt.compile(sdt.write("watch.c", WATCH))
    exe = sdt.link(main, *libraries, f"-Wl,-rpath,{sdt.dir}", runtime="shared")
    first, then = ["1 in two", "2 in two"], ["5 in one", "6 in one", "5 in two", "6 in two"]
    assert sdt.run(exe).splitlines() == first + then


def test_a_provider_of_ones_own(sdt):
    text = """
#define SYSTEMTAP_PROVIDER PROJECT
#define PROJECT shop
#include <sdt/systemtap.h>
#include <sdt/systemtap_attach.h>
#include <stdio.h>
static void on_sale(int64_t n) { printf("%d\\n", (int)n); }
int main(void)
{
    int session = systemtap_attach_N(sale, on_sale);
    SYSTEMTAP_PROBE_N(sale, 1);
    SYSTEMTAP_PROBE(sale, 2);
    return systemtap_detach(session);
}
"""
    obj = sdt.compile(sdt.write("shop.c", text))
    assert symbols(sdt, obj, "__dtrace_sdtasm_run_sdtlink___shop___") == {"sale__1N"}
    assert sdt.run(sdt.link(sdt.process(obj))) == "1\n2\n"


def translate(names):
    """A consumer for probes about which nothing is known but the names of symbols."""
    lines = ["#include <sdt/systemtap_attach.h>", "#include <stdio.h>"]
    attach = []
    for i, name in enumerate(sorted(names)):
        probe, count, types = re.fullmatch(r"(\w+)__(\d)([NS]*)", name).groups()
        assert len(types) == int(count)
        ctypes = ["int64_t" if t == "N" else "const char *" for t in types]
        parameters = ", ".join(f"{c} a{k}" for k, c in enumerate(ctypes)) or "void"
        form = " ".join("%ld" if t == "N" else "%s" for t in types)
        words = "".join(f", (long)a{k}" if t == "N" else f", a{k}" for k, t in enumerate(types))
        lines.append(f'static void h{i}({parameters}) {{ printf("{probe} {form}\\n"{words}); }}')
        suffix = "_" + types if types else ""
        attach.append(f'if (systemtap_attach{suffix}({probe}, h{i}) <= 0) puts("failed");')
    lines += ["__attribute__((constructor)) static void attach(void) {", *attach, "}"]
    return "\n".join(lines) + "\n"


TRANSLATED = """
#include <dlfcn.h>
#include <sdt/systemtap.h>
int main(int argc, char **argv)
{
    if (argc > 1 && !dlopen(argv[1], RTLD_NOW))
        return 1;
    SYSTEMTAP_PROBE(start);
    for (int i = 1; i < argc; i++)
        SYSTEMTAP_PROBE(word, i, argv[i]);
    SYSTEMTAP_PROBE_SNS(end, "the", argc, "end");
}
"""


def test_a_translator_makes_handlers_from_symbol_names_alone(sdt):
    """As arity and types are in the stylized names, a tool "can generate interface functions with
    exactly matching signatures".
    """
    obj = sdt.process(sdt.compile(sdt.write("traced.c", TRANSLATED)))
    exe = sdt.link("-Wl,--no-as-needed", obj, runtime="shared")
    names = symbols(sdt, exe, "__sdt_probe_systemtap___")
    assert names == {"start__0", "word__2NS", "end__3SNS"}
    consumer = sdt.write("consumer.c", translate(names))
    library = sdt.path("consumer.so")
    sdt.command("gcc", "-shared", "-fPIC", *INCLUDES, consumer, "-o", library)
    assert sdt.run(exe) == ""
    lines = [line.strip() for line in sdt.run(exe, library).splitlines()]
    assert lines == ["start", f"word 1 {library}", "end the 2 end"]


def data_references(sdt, exe, count):
    """Memory reads and writes of each function, as cachegrind counts them."""
    out = sdt.path(f"cachegrind.{count}")
    sdt.command("valgrind", "--tool=cachegrind", "--cache-sim=yes",
                f"--cachegrind-out-file={out}", exe, count)  # fmt: skip
    totals, function, events = {}, None, []
    for line in out.read_text().splitlines():
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("fn="):
            function = line[3:]
        elif line[:1].isdigit() and function:
            row = dict(zip(events, map(int, line.split()[1:])))
            reads, writes = totals.get(function, (0, 0))
            totals[function] = reads + row.get("Dr", 0), writes + row.get("Dw", 0)
    return totals


@pytest.mark.nosan  # counts the loads of compiled code
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_probe_that_is_off_touches_no_memory(sdt, compiler):
    """The macro of the mail reads a word each time; a NOP reads and writes none."""
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind here")
    obj = sdt.process(sdt.compile("systemtap_off.c", compiler=compiler))
    exe = sdt.link(obj, runtime=None, compiler=compiler)
    few, many = data_references(sdt, exe, 1000), data_references(sdt, exe, 11000)
    per_turn = {
        name: tuple((m - f) / 10000 for f, m in zip(few[name], many[name]))
        for name in many
        if name.startswith("loop_")
    }
    assert per_turn == {
        "loop_plain": (0, 0), "loop_proposed": (1, 0), "loop_systemtap": (0, 0),
        "loop_marker": (0, 0),
    }  # fmt: skip
