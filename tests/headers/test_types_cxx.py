# SPDX-License-Identifier: BSD-2-Clause
"""Objects of C++ as arguments (<sdt/values_cxx.h>): what is recorded of them, what handlers and
tracers get, what a probe with them costs, and what does not compile. babeltrace2, readelf and
objdump are the observers."""
import json
import re

import pytest

import recorded
from conftest import INCLUDE
from elfview import ElfView

pytestmark = pytest.mark.plain  # what compilers make of the headers

FORMS = {"inline": [], "call": ["-DSDT_CALL_SITES"]}
COMPILERS = ["g++", "clang++-14", "clang++-16"]
each = pytest.mark.parametrize("compiler", COMPILERS)
each_form = pytest.mark.parametrize("form", FORMS)

PATH = "/var/lib/a long path"
# probe: name, type as `sdtlink list` has it, value, what a handler prints.
EXPECTED = {
    "texts": [("path", "string", PATH, None), ("view", "string", "a view", "6:a view"),
              ("arg2", "string", "made " + PATH, None), ("substr", "string", "view", "4:view"),
              ("label", "string", "own", None), ("path_2", "string", "/tmp", None)],
    "parts": [("once", "string", "a v", "3:a v"), ("string_view", "string", "", "0:"),
              ("string_", "string", "", None), ("string_view_2", "string", "a", "3:a"),
              ("arg4", "string", "literal", None)],
    "times": [("wait", "duration_ms", 250, "250.0"), ("nanoseconds", "duration_ns", -7, "-7.0"),
              ("microseconds", "duration_us", 2**62, "4611686018427387904.0"),
              ("seconds", "duration_s", 9, "9.0"), ("minutes", "int64", 3, "3.0"),
              ("arg5", "double", 1.5, "1.5"), ("deciseconds", "int64", -4, "-4.0"),
              ("duration", "duration_ns", 11, "11.0"), ("arg8", "duration_s", 5, "5.0")],
    "enums": [("hue", "uint8", 200, "200.0"), ("low", "int64", -5, "-5.0"),
              ("FEW", "uint32", 3, "3.0"), ("byte", "uint8", 255, "255.0")],
}


def build(sdt, compiler, *flags, **kwargs):
    return recorded.build(sdt, "types_cxx.cc", "-std=c++17", *flags, compiler=compiler, **kwargs)


@each
@each_form
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_what_is_recorded(sdt, compiler, form, level):
    exe = build(sdt, compiler, level, *FORMS[form])
    sdt.command(exe, env=recorded.wish(sdt))
    events, discarded, _ = recorded.read(sdt)
    report = recorded.tool(sdt, "report", "--json", "rec").stdout.splitlines()
    ours = {line["name"]: line["args"] for line in map(json.loads, report)}
    assert discarded == 0 and [event.name for event in events] == [f"types:{n}" for n in EXPECTED]
    for event, (name, fields) in zip(events, EXPECTED.items()):
        wanted = {field: value for field, _, value, _ in fields}
        assert event.fields == wanted
        named = {"hue": "green"} if name == "enums" else {}  # by debug information
        assert ours[name] == wanted | named


@each
@each_form
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_what_handlers_get(sdt, compiler, form, level):
    exe = build(sdt, compiler, level, *FORMS[form])
    said = sdt.command(exe, "print").stdout.splitlines()
    for name, fields in EXPECTED.items():
        [line] = [line for line in said if line.startswith(name + "|")]
        for field, kind, value, printed in fields:
            kind = "string_view" if ":" in str(printed) else kind
            assert f"|{field}:{kind}={value if printed is None else printed}" in line


@each_form
def test_what_list_and_notes_say(sdt, form):
    obj = sdt.compile("types_cxx.cc", "-std=c++17", *FORMS[form], compiler="g++")
    processed = sdt.process(obj)
    sdt.sdtlink("verify", processed, "--against", obj)
    for path in (obj, processed):
        sites = json.loads(sdt.sdtlink("list", "--json", path).stdout)
        found = {site["name"]: [(f["name"], f["type"]) for f in site["fields"]] for site in sites}
        assert found == {name: [f[:2] for f in fields] for name, fields in EXPECTED.items()}
    notes = sdt.command("readelf", "-nW", processed).stdout
    types = [[word.split("@")[0] for word in arguments.split()]
             for arguments in re.findall(r"Arguments: (.*)", notes)]
    assert ["8"] * 6 in types and ["1", "-8", "4", "1"] in types
    assert ["-8", "-8", "-8", "-8", "-8", "8", "-8", "-8", "-8"] in types


def test_people_see_the_unit(sdt):
    sdt.command(build(sdt, "g++"), env=recorded.wish(sdt))
    text = recorded.tool(sdt, "report", "rec").stdout
    assert " wait=250ms nanoseconds=-7ns " in text and " seconds=9s minutes=3 arg5=1.5 " in text
    passed = recorded.tool(sdt, "report", "--filter", "wait == 250 && seconds < 10", "rec").stdout
    assert passed.count("types:times") == 1
    table = recorded.tool(sdt, "report", "--csv", "--filter", "wait", "rec").stdout
    assert "250" in table and "250ms" not in table


SCALARS = """
#include <sdt/probe.h>
#ifdef __cplusplus
extern "C"
#endif
long f(const char *p, int a, long b, unsigned char c, double *d, float g);
long f(const char *p, int a, long b, unsigned char c, double *d, float g)
{
    SDT_PROBE(p, one, p, a, b, c, *d, g);
    SDT_PROBE(p, two, a + 1, d, 7, &b);
    return a + b;
}
"""


def count_instructions(sdt, obj):
    listing = sdt.command("objdump", "-d", "--no-show-raw-insn", obj).stdout
    return len(re.findall(r"^ +[0-9a-f]+:\t\w", listing, re.MULTILINE))


@each_form
@pytest.mark.parametrize("c, cxx", [("gcc", "g++"), ("clang-14", "clang++-14")])
def test_scalars_cost_what_they_cost_in_c(sdt, c, cxx, form):
    source = sdt.write("scalars.c", SCALARS)
    counts = [count_instructions(sdt, sdt.compile(source, "-O2", *FORMS[form], *language,
                                                  compiler=compiler, name=f"{compiler}.o"))
              for compiler, language in ((c, []), (cxx, ["-x", "c++"]))]
    assert counts[1] <= counts[0]


OFF = """
#include <sdt/probe.h>
#include <string>
#include <string_view>
#include <chrono>
extern "C" int scalar(int x) { SDT_PROBE(p, n, x); return x; }
extern "C" int text(const std::string &s, int x) { SDT_PROBE(p, s, s); return x; }
extern "C" int view(std::string_view s, int x) { SDT_PROBE(p, v, s); return x; }
extern "C" int wait(std::chrono::milliseconds s, int x) { SDT_PROBE(p, d, s); return x; }
"""


@pytest.mark.parametrize("compiler", ["g++", "clang++-14"])
def test_what_objects_cost_while_nobody_looks(sdt, compiler):
    """Of text a load at most, of a view two stores and its address, of a duration nothing."""
    obj = sdt.compile(sdt.write("off.cc", OFF), "-std=c++17", "-O2", "-fomit-frame-pointer",
                      "-fcf-protection=none", compiler=compiler)
    listing = sdt.command("objdump", "-d", "--no-show-raw-insn", obj).stdout
    counts = {name: len(re.findall(r"^ +[0-9a-f]+:\t\w", body, re.MULTILINE))
              for name, body in re.findall(r"<(\w+)>:\n((?: .*\n)+)", listing)}
    assert counts["text"] - counts["scalar"] <= 1
    assert counts["wait"] - counts["scalar"] <= 0
    assert counts["view"] - counts["scalar"] <= 6


def test_the_header_brings_nothing_along(sdt):
    source = sdt.write("empty.cc", "#include <sdt/probe.h>\n")
    result = sdt.command("g++", "-std=c++20", "-I", INCLUDE, "-M", source).stdout
    headers = re.findall(r"\S+\.h\b", result)
    assert all("/sdt/" in header or "stdc-predef" in header for header in headers)
    assert any(header.endswith("values_cxx.h") for header in headers)
    assert "namespace std" not in sdt.command("g++", "-I", INCLUDE, "-E", source).stdout


WRONG = {
    "std::vector<char> v": "std::vector SDT_BYTES of data and size",
    "std::wstring v": "argument 2 must be an integer",
    "std::atomic<int> v": r"std::atomic.* \.load\(\)",
    "std::unique_ptr<int> v": "pass a member or its address",
    "std::optional<int> v": "pass a member or its address",
    "std::chrono::duration<long double> v": "argument 2 must be an integer",
    "union { int a; } v": "argument 2 must be an integer",
}


@each_form
@pytest.mark.parametrize("declaration", WRONG)
@pytest.mark.parametrize("compiler", ["g++", "clang++-14"])
def test_what_is_refused_and_the_one_message(sdt, compiler, declaration, form):
    includes = "".join(f"#include <{name}>\n" for name in (
        "atomic", "chrono", "memory", "optional", "string", "vector"))
    source = sdt.write("wrong.cc", f"{includes}#include <sdt/probe.h>\n{declaration};\n"
                       "int f(int x) { SDT_PROBE(app, open, x, v); return x; }\n")
    result = sdt.command(compiler, "-std=c++17", "-c", "-I", INCLUDE, *FORMS[form], source,
                         "-o", sdt.path("wrong.o"), status=1)
    errors = [line for line in result.stderr.splitlines() if "error:" in line]
    assert len(errors) == 1 and re.search(WRONG[declaration], errors[0]), result.stderr


GENERAL = """
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <string_view>
struct s { int a; const char *p; unsigned b : 3; };
enum class e : unsigned char { x };
SDT_GENERAL_REGS_ONLY int f(s *q, e v, std::string_view t);
SDT_GENERAL_REGS_ONLY int f(s *q, e v, std::string_view t)
{
    SDT_PROBE(p, q, q->a, q->p, q, v, nullptr, 3u, true, q->b, t);
    if (SDT_PROBE_ENABLED(p, q))
        return 1;
    return 0;
}
int main() { s q = {1, "x", 2}; return f(&q, e::x, "text"); }
"""


@each
@each_form
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_in_functions_of_general_registers(sdt, compiler, form, level):
    source = sdt.write("general.cc", GENERAL)
    obj = sdt.process(sdt.compile(source, "-std=c++17", level, *FORMS[form], compiler=compiler))
    sdt.run(sdt.link(obj, compiler=compiler))


TEXT = """
#include <sdt/probe.h>
#ifdef __cplusplus
extern "C"
#endif
int main(void)
{
    const char *line = "GET /index.html";
    int n = 3;
    SDT_PROBE(p, n, SDT_TEXT(line, n), SDT_NAMED("rest", n));
    return 0;
}
"""


@each_form
@pytest.mark.parametrize("compiler", ["gcc", "clang++"])
def test_text_of_a_length(sdt, compiler, form):
    source = sdt.write("text.cc" if "++" in compiler else "text.c", TEXT)
    exe = recorded.build(sdt, source, *FORMS[form], compiler=compiler)
    sdt.command(exe, env=recorded.wish(sdt))
    events, _, _ = recorded.read(sdt)
    assert [event.fields for event in events] == [{"line": "GET", "rest": 3}]


BYTES = """
#include <sdt/probe.h>
#ifdef __cplusplus
extern "C"
#endif
int f(unsigned char *u, signed char *s, char *c);
int f(unsigned char *u, signed char *s, char *c)
{
    SDT_PROBE(p, n, u, (const unsigned char *)u, s, c, (const char *)c, SDT_STR(u));
    return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_only_char_is_text(sdt, compiler):
    """unsigned char * are bytes of unknown length: an address, until the source says SDT_STR."""
    language = ["-x", "c++"] if "++" in compiler else []
    obj = sdt.compile(sdt.write("bytes.c", BYTES), *language, compiler=compiler)
    [site] = ElfView(sdt.process(obj)).sites()
    assert [kind for kind, _ in site.fields] == ["p", "p", "p", "s", "s", "s"]
