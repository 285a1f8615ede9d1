# SPDX-License-Identifier: BSD-2-Clause
"""Descriptions by the user's side, sdt-describe(5): what they make of probes that others
compiled, when they are recorded and afterwards, and what is wrong with a file."""
import json
import re

import pytest
from conftest import INCLUDE, ROOT, TOOL_BUILD
from recorded import build, read, tool, traces, wish
from stapsdt import notes

COMPAT = INCLUDE / "sdt-compat"
DTRACE = TOOL_BUILD / "sdt-dtrace" / "sdt-dtrace"
HEADERS = {"stock": [], "ours": [f"-I{COMPAT}"]}

PROBES = """# What the sources do not say.
probe app:query-begin (sql: string, fd: int32, bytes: uint64 "B",
                       state: enum {0 idle, 1 busy, -7 "not there"})
probe app:block (data: bytes, n: length, took: double "ms", ratio: float, at: pointer);
probe app:level (n: enum int64 {-1 down, 1 up}, small: int8 "µs")
"""

QUERIES = [{"sql": "SELECT 1", "fd": 3, "bytes": 4096, "state": "idle"},
           {"sql": "<null>", "fd": -1, "bytes": 2**64 - 1, "state": "busy"},
           {"sql": "<fault>", "fd": 1 << 30, "bytes": 0, "state": 7}]


def program(sdt, header, compiler="gcc"):
    if header == "stock":
        need_stock_header(sdt)
    return build(sdt, "describe_fields.c", *HEADERS[header], compiler=compiler)


def need_stock_header(sdt):
    sdt.write("has.c", "#if !__has_include(<sys/sdt.h>)\n#error no\n#endif\n")
    if sdt.command("gcc", "-fsyntax-only", "has.c", status=None).returncode:
        pytest.skip("SystemTap's <sys/sdt.h> is not installed (package systemtap-sdt-dev)")


def described(sdt, text=PROBES, name="app.probes"):
    return sdt.write(name, text) or sdt.path(name)


def recorded(sdt, *options, directory="rec", header="ours", compiler="gcc"):
    exe = program(sdt, header, compiler=compiler)
    return tool(sdt, "record", "-o", directory, *options, exe)


def objects(sdt, *options, directory="rec"):
    shown = tool(sdt, "report", "--json", *options, directory)
    return [json.loads(line) for line in shown.stdout.splitlines()]


def args_of(sdt, name, *options, **kwargs):
    return [o["args"] for o in objects(sdt, *options, **kwargs) if o["name"] == name]


def wrong(sdt, text):
    described(sdt, text)
    return sdt.sdtlink("list", "--describe=app.probes", status=1).stderr


# Recording


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("header", HEADERS)
def test_fields_are_recorded_as_described(sdt, header, compiler):
    """Text, blocks, enumerators: as babeltrace2 reads them."""
    recorded(sdt, "--describe", described(sdt), header=header, compiler=compiler)
    events, discarded, _ = read(sdt)
    by_name = {}
    for event in events:
        by_name.setdefault(event.name, []).append(event.fields)
    assert discarded == 0
    assert by_name["app:query__begin"] == QUERIES
    first, second = by_name["app:block"]
    assert first.pop("at") > 2**20 and second.pop("at") == 0
    assert [first, second] == [
        {"_data_length": 3, "data": b"abc", "took": 0.5, "ratio": 1.5},
        {"_data_length": 0, "data": b"", "took": -1e300, "ratio": -0.25}]
    assert by_name["app:level"] == [{"n": "down", "small": -1}, {"n": "up", "small": 1}]


def test_the_report_of_them(sdt):
    recorded(sdt, "--describe", described(sdt))
    assert args_of(sdt, "query__begin") == QUERIES
    text = tool(sdt, "report", "rec").stdout
    assert 'sql="SELECT 1" fd=3 bytes=4096B state=idle\n' in text
    assert "took=0.5ms ratio=1.5 at=0x" in text
    assert "n=down small=-1µs\n" in text


def test_a_filter_takes_names_and_numbers(sdt):
    recorded(sdt, "--describe", described(sdt))
    for condition, count in [('state == "idle"', 1), ("state == 0", 1), ("state >= 1", 2),
                             ('state != "idle"', 1), ('state ^= "bu"', 1), ('"up" == n', 1),
                             ("n < 0", 1), ('state == "none"', 0)]:
        assert len(objects(sdt, "-f", condition)) == count, condition


def test_the_export_of_them(sdt):
    recorded(sdt, "--describe", described(sdt, PROBES.replace(", small: int8 \"µs\"", "")))
    tool(sdt, "export", "--chrome", "out.json", "rec")
    found = [e["args"] for e in json.loads(sdt.path("out.json").read_text())["traceEvents"]
             if e.get("name") == "app:query-begin"]
    assert [args["state"] for args in found] == ["idle", "busy", 7]


def test_a_counter_has_its_unit(sdt):
    sdt.write("one.c", '#include <sys/sdt.h>\nint main(int argc, char **argv)\n'
                       '{ (void)argv; STAP_PROBE1(app, level, argc); return 0; }\n')
    exe = build(sdt, sdt.path("one.c"), f"-I{COMPAT}")
    described(sdt, 'probe app:level (n: uint32 "B")')
    tool(sdt, "record", "-o", "rec", "--describe=app.probes", exe)
    tool(sdt, "export", "--perfetto", "out", "rec")
    shown = sdt.command("protoc", "--decode=Trace", f"-I{ROOT / 'tests'}",
                        ROOT / "tests" / "perfetto.proto", stdin=open(sdt.path("out"), "rb"))
    assert 'unit_name: "B"' in shown.stdout and "counter_value: 1" in shown.stdout


def test_a_part_of_the_arguments(sdt):
    """Fewer fields, and some that stay as they are."""
    recorded(sdt, "--describe", described(sdt, "probe app:query-begin (_: hex64, what)"))
    assert list(args_of(sdt, "query__begin")[0]) == ["arg0", "what", "arg2", "arg3"]
    metadata = (traces(sdt)[0] / "metadata").read_text()
    assert "arg0:hex64 what:int32 arg2:uint64 arg3:int32 */" in metadata


def test_what_a_site_cannot_have(sdt):
    """Its own type stays; names that would be there twice are not taken."""
    recorded(sdt, "--describe", described(sdt, """
        probe app:query-begin (sql: string, fd: string, bytes: bytes, n: length, more, and_more)
        probe app:block (arg1, x, took: int64)
        probe app:level (n: double, small: double)"""))
    assert args_of(sdt, "query__begin")[0] == {"sql": "SELECT 1", "fd": 3, "bytes": ""}
    assert list(args_of(sdt, "block")[0]) == ["arg1", "x", "took", "arg3", "arg4"]
    assert args_of(sdt, "block")[0]["took"] == 0.5
    assert isinstance(args_of(sdt, "level")[1]["n"], float)
    assert args_of(sdt, "level")[1]["small"] == 1
    read(sdt)


def test_a_block_and_its_length_go_together(sdt):
    """Neither is what it is described as if the other cannot be."""
    recorded(sdt, "--describe", described(sdt, """
        probe app:query-begin (_, fd: bytes, bytes: length, _)
        probe app:block (_, n: string, took: length, _, at: bytes, m: length)
        probe app:level (n: bytes, small: length)"""))
    assert args_of(sdt, "query__begin")[0]["fd"] == 3
    assert args_of(sdt, "query__begin")[0]["bytes"] == 4096
    [block, _] = args_of(sdt, "block")
    assert (block["n"], block["took"]) == (3, 0.5) and block["at"] > 2**20
    assert [args["n"] for args in args_of(sdt, "level")] == ["", ""]  # of addresses -1 and 1
    assert [event.fields["n"] for event in read(sdt)[0] if event.name == "app:level"] == [b"", b""]


def test_enumerators_that_a_type_has_no_room_for(sdt):
    """They are left out; without a type of its own, the enumeration has the argument's."""
    recorded(sdt, "--describe", described(sdt, """
        probe app:query-begin (_, fd, bytes: enum {-1 all, 4096 page},
                               state: enum {0 idle, 4294967297 far, -1 minus})
        probe app:level (n: enum {4294967295 far}, small: enum {256 far, -1 minus})"""))
    metadata = (traces(sdt)[0] / "metadata").read_text()
    assert '{ "idle" = 0, "minus" = -1 } _state;' in metadata
    assert '{ "all" = 18446744073709551615, "page" = 4096 } _bytes;' in metadata
    assert "integer { size = 8; align = 8; } _small;" in metadata
    assert [(a["bytes"], a["state"]) for a in args_of(sdt, "query__begin")] == \
        [("page", "idle"), ("all", 1), (0, 7)]
    assert {e.fields["bytes"] for e in read(sdt)[0] if "bytes" in e.fields} == {"page", "all", 0}


def test_names_that_are_there_twice(sdt):
    recorded(sdt, "--describe", described(sdt, "probe app:query-begin (arg1: string)"))
    assert list(args_of(sdt, "query__begin")[0]) == ["arg0", "arg1", "arg2", "arg3"]
    assert args_of(sdt, "query__begin")[0]["arg0"] == "SELECT 1"
    read(sdt)


def test_probes_with_names_of_their_own(sdt):
    """Described, a probe of <sdt/probe.h> is what the description says."""
    sdt.write("own.c", """#include <sdt/probe.h>
        int main(int argc, char **argv) { SDT_PROBE(app, own, argv[0], argc); return 0; }""")
    exe = build(sdt, sdt.path("own.c"))
    described(sdt, "probe app:own (program: pointer, state: enum {1 alone})")
    tool(sdt, "record", "-o", "rec", "--describe=app.probes", exe)
    [args] = args_of(sdt, "own")
    assert args["state"] == "alone" and args["program"] > 2**20


def test_by_the_environment(sdt):
    """The name of the file is the last option, and may have commas."""
    exe = program(sdt, "ours")
    path = described(sdt, name="a,b.probes")
    sdt.command(exe, env=wish(sdt, options=f"ring=64K,describe={path}"))
    assert args_of(sdt, "query__begin") == QUERIES


@pytest.mark.parametrize("path", ["", "/nowhere/app.probes", "bad.probes", "."])
def test_a_description_that_the_program_cannot_read(sdt, path):
    """It says so, runs, and nothing is recorded."""
    exe = program(sdt, "ours")
    described(sdt, "probe app", name="bad.probes")
    result = sdt.command(exe, env=wish(sdt, options=f"describe={path}"))
    expected = "SDT_RECORD_OPTIONS is not" if not path else \
        "the file that describes probes cannot be read or has an error: " \
        "sdtlink list --describe=FILE says where"
    assert expected in result.stderr
    assert not sdt.path("rec").exists() or not list(sdt.path("rec").glob("*/metadata"))


def test_sdt_record_runs_nothing_if_the_description_is_wrong(sdt):
    exe = program(sdt, "ours")
    described(sdt, "probe app:level (n: strin)")
    result = tool(sdt, "record", "-o", "rec", "--describe=app.probes", exe, status=1)
    assert "app.probes:1:21: expected a type: int8" in result.stderr
    assert not sdt.path("rec").exists()
    assert "cannot read nowhere" in tool(sdt, "record", "--describe=nowhere", exe, status=1).stderr
    assert "--describe needs a file" in tool(sdt, "record", "--describe=", exe, status=2).stderr


def test_the_api(sdt):
    sdt.write("api.c", """#include <sdt/record.h>
        #include <stdio.h>
        int main(int argc, char **argv)
        {
            struct sdt_recorder *recorder;
            struct sdt_record_options options = {.size = sizeof options};
            options.describe = argv[argc - 1];
            int error = sdt_record_create("rec", &options, &recorder);
            printf("%d\\n", error);
            return error ? 0 : sdt_record_destroy(recorder);
        }""")
    exe = build(sdt, sdt.path("api.c"))
    assert sdt.run(exe, described(sdt)).strip() == "0"
    assert sdt.run(exe, "nowhere").strip() == "-74"  # EBADMSG


# Afterwards


def test_a_recording_is_described_afterwards(sdt):
    """All but text, which is not there."""
    recorded(sdt)
    described(sdt)
    result = tool(sdt, "report", "--json", "--describe=app.probes", "rec")
    queries = [o["args"] for o in map(json.loads, result.stdout.splitlines())
               if o["name"] == "query__begin"]
    for query, expected in zip(queries, QUERIES):
        assert query.pop("sql") >= 0
        assert query == {name: value for name, value in expected.items() if name != "sql"}
    assert "app:query-begin: 'sql' was recorded as an address, not as text" in result.stderr
    assert result.stderr.count("'sql'") == 1
    blocks = args_of(sdt, "block", "--describe=app.probes")
    assert [(b["took"], b["ratio"], b["n"]) for b in blocks] == [(0.5, 1.5, 3), (-1e300, -0.25, 0)]
    assert args_of(sdt, "level", "--describe=app.probes")[0] == {"n": "down", "small": -1}


def test_narrower_types_afterwards(sdt):
    """The lowest bytes, as when it is recorded so."""
    recorded(sdt)
    recorded(sdt, "--describe", described(sdt, """probe app:query-begin (_, fd: uint8,
        bytes: int16, state: enum int8 {1 busy}) probe app:level (n: hex32, small: bool)"""),
             directory="then")
    for name in ("query__begin", "level"):
        later = args_of(sdt, name, "--describe=app.probes")
        first = args_of(sdt, name, directory="then")
        for args in later + first:
            args.pop("arg0", None)
        assert later == first
    assert [args["fd"] for args in args_of(sdt, "query__begin", directory="then")] == [3, 255, 0]
    assert args_of(sdt, "level", directory="then")[0] == {"n": 2**32 - 1, "small": True}


def test_what_was_described_when_recorded_is_described_again(sdt):
    recorded(sdt, "--describe", described(sdt))
    described(sdt, """probe app:query-begin (text: string, file: int32, size: uint64 "kB", how)
        probe app:block (text: bytes, _: length, time: double "s")""")
    text = tool(sdt, "report", "--describe=app.probes", "rec").stdout
    assert 'text="SELECT 1" file=3 size=4096kB how=idle\n' in text
    assert "text=616263 time=0.5s ratio=1.5 at=0x" in text
    tool(sdt, "export", "--chrome=out.json", "--describe=app.probes", "rec")
    assert '"file": 3' in sdt.path("out.json").read_text()


def test_a_description_of_something_else(sdt):
    recorded(sdt)
    described(sdt, "probe web:request (x)")
    result = tool(sdt, "report", "--describe=app.probes", "rec")
    assert "app.probes: describes no probe of this recording" in result.stderr
    assert "--describe needs a file" in tool(sdt, "report", "--describe=", "rec", status=2).stderr
    described(sdt, "probe web")
    assert "app.probes:1:10: expected ':'" in tool(sdt, "report", "--describe=app.probes", "rec",
                                                   status=1).stderr


# sdtlink list


@pytest.mark.parametrize("header", HEADERS)
def test_the_list_has_them(sdt, header):
    exe = program(sdt, header)
    described(sdt)
    text = sdt.sdtlink("list", "--describe=app.probes", exe).stdout
    assert "sql: string, fd: int32, bytes: uint64 B, state: int32 {0 idle, 1 busy, -7 not there}" \
        in text
    assert "data: bytes, took: double ms, ratio: float, at: pointer\n" in text
    sites = json.loads(sdt.sdtlink("list", "--json", "--describe=app.probes", exe).stdout)
    [level] = [site for site in sites if site["name"] == "level"]
    assert level["fields"] == [
        {"name": "n", "type": "int64", "enumerators": [{"value": -1, "name": "down"},
                                                       {"value": 1, "name": "up"}]},
        {"name": "small", "type": "int8", "unit": "µs"}]
    plain = json.loads(sdt.sdtlink("list", "--json", exe).stdout)
    assert all(site["fields"] == [] for site in plain)


def test_the_list_of_an_object_that_is_not_processed(sdt):
    obj = sdt.compile("describe_fields.c", f"-I{COMPAT}")
    described(sdt)
    assert "n: int64 {-1 down, 1 up}, small: int8" in \
        sdt.sdtlink("list", "--describe=app.probes", obj).stdout


def test_the_list_says_what_cannot_be(sdt):
    obj = sdt.compile("describe_fields.c", f"-I{COMPAT}")
    described(sdt, """probe app:query-begin (sql: string, fd: string)
        probe app:level (n, small, more)""")
    result = sdt.sdtlink("list", "--describe=app.probes", obj)
    assert "app:query-begin: argument 1 cannot be string: it is int32" in result.stderr
    assert "app:level: 3 fields are described; arguments: 2" in result.stderr
    described(sdt, "probe web:request (x)")
    assert "describes no probe of these files" in \
        sdt.sdtlink("list", "--describe=app.probes", obj).stderr
    assert "--describe cannot be used with --check" in \
        sdt.sdtlink("list", "--check", "--describe=app.probes", obj, status=2).stderr


# Files


def test_a_right_file_is_right(sdt):
    described(sdt, PROBES + """
        probe p:q() probe p:r ()  # without fields
        probe a-b:1c-d (_, x "B", y : enum hex8 { 0x10 ten, 255 "all of it", } );""")
    result = sdt.sdtlink("list", "--describe=app.probes")
    assert result.stdout == "" and result.stderr == ""
    described(sdt, "")
    assert sdt.sdtlink("list", "--describe=app.probes").stderr == ""


LONG = "x" * 65
TWICE = "this enumerator's number or name is a duplicate"
MANY = ", ".join(f"{i} n{i}" for i in range(257))


@pytest.mark.parametrize("text, place, problem", [
    ("prob a:b ()", "1:1", "expected 'probe', as in: probe app:read (fd: int32)"),
    ("probe a:b () x", "1:14", "expected 'probe'"),
    ("probe", "1:6", "expected the probe's provider"),
    ("probe a b", "1:9", "expected ':' between provider and name"),
    ("probe a:* ()", "1:9", "expected the probe's name; patterns are not possible here"),
    ("probe a:b", "1:10", "expected '(' and the fields"),
    ("probe a:b (", "1:12", "expected the name of a field, or '_' to leave it as it is"),
    ("probe a:b (x", "1:13", "expected ',' or ')' after a field"),
    ("probe a:b (x,)", "1:14", "expected the name of a field"),
    ("probe a:b (x y)", "1:14", "expected ',' or ')' after a field"),
    ("probe a:b (x, y, x)", "1:18", "another field has this name"),
    ("\n\n  probe a:b (x: int)", "3:17", "expected a type: int8 ... int64"),
    (f"probe a:b ({LONG})", "1:12", "the name is longer than 64 bytes"),
    ("probe a:b (%s)" % ", ".join("abcdefghijklm"), "1:48", "more than 12 fields"),
    ("probe a:b () probe a:b (x)", "1:14", "this probe is described twice"),
    ("probe a:b-c () probe a:b__c (x)", "1:16", "this probe is described twice"),
    ('probe a:b (x "B', "1:14", "this text does not end: a quote is missing"),
    ('probe a:b (x "B\n")', "1:16", "a text is UTF-8 without control characters"),
    ('probe a:b (x "\\n")', "1:15", "a text is UTF-8 without control characters"),
    ('probe a:b (x "")', "1:14", "this text is empty"),
    ('probe a:b (x "12345678901234567")', "1:14", "this text is too long"),
    ("probe a:b (x: bytes)", "1:20", "a field of bytes is followed by its length"),
    ("probe a:b (x: bytes, y)", "1:22", "a field of bytes is followed by its length"),
    ("probe a:b (x: length)", "1:12", "a length follows a field of bytes or a string"),
    ("probe a:b (x, y: length)", "1:15", "a length follows a field of bytes or a string"),
    ("probe a:b (x: enum)", "1:19", "expected '{' or the enumeration's type"),
    ("probe a:b (x: enum string {0 a})", "1:20", "expected '{' or the enumeration's type"),
    ("probe a:b (x: enum int8 0 a)", "1:25", "expected '{' and the enumerators"),
    ("probe a:b (x: enum {})", "1:21", "expected the number of an enumerator"),
    ("probe a:b (x: enum {a})", "1:21", "expected the number of an enumerator"),
    ("probe a:b (x: enum {0})", "1:22", "expected the enumerator's name after its number"),
    ("probe a:b (x: enum {0 a 1 b})", "1:25", "expected ',' or '}' after an enumerator"),
    ("probe a:b (x: enum {0 a, 1 a})", "1:26", TWICE),
    ("probe a:b (x: enum {0 a, 0x0 b})", "1:26", TWICE),
    ("probe a:b (x: enum int8 {128 a})", "1:26", "this number does not fit"),
    ("probe a:b (x: enum int8 {-129 a})", "1:26", "this number does not fit"),
    ("probe a:b (x: enum uint8 {256 a})", "1:27", "this number does not fit"),
    ("probe a:b (x: enum uint8 {-1 a})", "1:27", "this number does not fit"),
    ("probe a:b (x: enum {18446744073709551616 a})", "1:21", "this number does not fit"),
    ("probe a:b (x: enum int64 {9223372036854775808 a})", "1:27", "this number does not fit"),
    ("probe a:b (x: enum {%s})" % MANY, "1:2361", "more than 256 enumerators"),
], ids=lambda value: value[:40])
def test_a_wrong_file_is_wrong_there(sdt, text, place, problem):
    shown = wrong(sdt, text)
    assert f"error: app.probes:{place}: {problem}" in shown


@pytest.mark.parametrize("text", ["probe a:b (x: enum int8 {-128 a, 127 b})",
                                  "probe a:b (x: enum int64 {-9223372036854775808 a, 0 b})",
                                  "probe a:b (x: enum uint64 {18446744073709551615 a})",
                                  "probe a:b (x: string, n: length, y: bytes, m: length)"])
def test_the_ends_of_what_is_right(sdt, text):
    described(sdt, text)
    sdt.sdtlink("list", "--describe=app.probes")


def test_a_terminal_gets_no_escapes(sdt):
    sdt.path("app.probes").write_bytes(b"probe a:b \x1b[31m (\xff")
    shown = sdt.sdtlink("list", "--describe=app.probes", status=1).stderr
    assert "\x1b" not in shown and "\\x1b" in shown


def test_a_file_that_is_too_large(sdt):
    described(sdt, "#" * (1 << 20) + "\n")
    assert "the file is longer than 1 MiB" in sdt.sdtlink("list", "--describe=app.probes",
                                                          status=1).stderr
    described(sdt, "".join(f"probe a:b{i}()\n" for i in range(10001)))
    assert "more than 10000 probes" in sdt.sdtlink("list", "--describe=app.probes",
                                                   status=1).stderr


# Provider files

PROVIDER = """
typedef unsigned int LocalTransactionId;
provider app {
    probe query__begin(const char *sql, int fd, uint64_t bytes, enum state state);
    probe block(void *data, unsigned n, double, float ratio : string translated, void *at);
    probe level(LocalTransactionId xid, bool);
    probe odd(char name[], char **argv, int (*f)(int a, char *b), struct plan *, unsigned char *u,
              long long int x, const volatile unsigned short y, string s, size_t);
    probe none();
    probe again(int n, int n);
    probe bare(float);
};
"""
needs_dtrace = pytest.mark.skipif(not DTRACE.exists(), reason="sdt-dtrace is not built (bison)")


@needs_dtrace
def test_a_provider_file_as_a_description(sdt):
    sdt.write("app.d", PROVIDER)
    sdt.command(DTRACE, "--describe", "-s", "app.d")
    lines = sdt.path("app.probes").read_text().splitlines()
    assert lines[1:] == [
        "probe app:query__begin (sql: string, fd: int32, bytes: uint64, state)",
        "probe app:block (data: pointer, n: uint32, _, ratio, at: pointer)",
        "probe app:level (xid, _: bool)",
        "probe app:odd (name: string, argv: pointer, f: pointer, _: pointer, u: pointer, x: int64, "
        "y: uint16, s: string, _: uint64)",
        "probe app:again (n: int32, _: int32)"]
    sdt.sdtlink("list", "--describe=app.probes")
    recorded(sdt, "--describe=app.probes")
    assert args_of(sdt, "query__begin")[0] == {"sql": "SELECT 1", "fd": 3, "bytes": 4096,
                                               "state": 0}
    result = sdt.command(DTRACE, "--describe", "-h", "-s", "app.d", status=2)
    assert "-h, -G and --describe: one at a time" in result.stderr


DTRACE_PROGRAM = """
#include "app.h"
static int shared = 7;
__attribute__((noinline)) void query(const char *sql, int fd, unsigned long bytes)
{
    APP_QUERY_BEGIN(sql, fd, bytes, shared++);
    APP_LEVEL(fd, 1);
    APP_AGAIN(shared, fd);
    APP_BLOCK(fd, 1u, 0.5, 0.5f, 7);
}
int main(void) { query("SELECT 1", 3, 4096); return 0; }
"""


def provider_object(sdt, flags, compiler):
    sdt.write("app.d", PROVIDER)
    source = sdt.write("main.c", DTRACE_PROGRAM) or sdt.path("main.c")
    sdt.command(DTRACE, "-h", "-s", "app.d")
    sdt.command(DTRACE, "-G", "-s", "app.d")
    return sdt.compile(source, f"-I{sdt.dir}", *flags, compiler=compiler)


@needs_dtrace
@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_brings_the_names(sdt, header, compiler):
    """sdtlink puts them after the descriptors; in the program, nothing else is left of them."""
    if header == "stock":
        need_stock_header(sdt)
    obj = provider_object(sdt, HEADERS[header], compiler)
    before = [(n.provider, n.name, n.args) for n in notes(obj)]
    processed = sdt.process(obj)
    assert [(n.provider, n.name, n.args) for n in notes(processed)] == before
    exe = sdt.link(processed, sdt.path("app.o"), "-Wl,--no-as-needed", runtime="shared",
                   compiler=compiler)
    sdt.sdtlink("verify", exe)
    assert "sdt_described" not in sdt.command("readelf", "-SW", exe).stdout
    sites = {s["name"]: s for s in json.loads(sdt.sdtlink("list", "--json", exe).stdout)}
    assert [f["name"] for f in sites["query__begin"]["fields"]] == ["sql", "fd", "bytes", "state"]
    assert [f["type"] for f in sites["query__begin"]["fields"]] == ["string", "int32", "uint64",
                                                                    "int32"]
    assert [f["name"] for f in sites["level"]["fields"]] == ["xid", "arg1"]
    assert [f["name"] for f in sites["again"]["fields"]] == ["n", "arg1"]
    block = sites["block"]
    if ".LC" in " ".join(block["args"]):  # a constant that only the assembler could find
        assert block["kind"] == "stapsdt" and block["fields"] == []
    else:  # 4 bytes are no address
        types = [f["type"] for f in block["fields"]]
        assert types[:2] + types[4:] == ["int32", "uint32", "int32"]
    assert "clang" in compiler or "(%rip)" in sites["again"]["args"][0]  # kept in another section
    tool(sdt, "record", "-o", "rec", exe)
    assert args_of(sdt, "query__begin") == [{"sql": "SELECT 1", "fd": 3, "bytes": 4096, "state": 7}]
    assert args_of(sdt, "level") == [{"xid": 3, "arg1": True}]
    assert args_of(sdt, "again") == [{"n": 8, "arg1": 3}]


@needs_dtrace
def test_a_header_without_names(sdt):
    obj = provider_object(sdt, [f"-I{COMPAT}", "-DSDT_NO_NAMES"], "gcc")
    assert "sdt_described" not in sdt.command("readelf", "-SW", obj).stdout
    assert json.loads(sdt.sdtlink("list", "--json", sdt.process(obj)).stdout)[0]["fields"] == []


@needs_dtrace
def test_objects_that_were_joined(sdt):
    """Each line is there twice; also a section that is damaged."""
    obj = provider_object(sdt, [f"-I{COMPAT}"], "gcc")
    other = sdt.compile(sdt.path("main.c"), f"-I{sdt.dir}", f"-I{COMPAT}", "-Dmain=other",
                        "-Dquery=query2", name="other.o")
    sdt.command("ld", "-r", "-o", "both.o", obj, other)
    dump = sdt.command("readelf", "-p", ".sdt_described", "both.o").stdout
    assert dump.count("app:query__begin") == 2
    sites = json.loads(sdt.sdtlink("list", "--json", sdt.process(sdt.path("both.o"))).stdout)
    described = [site for site in sites if site["kind"] != "stapsdt"]
    assert all(site["fields"] for site in described) and len(described) == 4
    # A symbol that is there twice, and constants that only the assembler could find.
    assert [site["name"] for site in sites if site not in described] == 2 * ["again", "block"]
    sdt.path("junk").write_bytes(b"probe app:query__begin (sql: strin)\n\xff\n")
    sdt.command("objcopy", "--update-section", ".sdt_described=junk", obj, "bad.o")
    result = sdt.sdtlink("-o", "fine.o", "bad.o")
    assert re.search(r"bad.o: \.sdt_described.*expected", result.stderr)
    assert json.loads(sdt.sdtlink("list", "--json", "fine.o").stdout)[0]["fields"] == []
