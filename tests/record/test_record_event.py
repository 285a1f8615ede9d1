# SPDX-License-Identifier: BSD-2-Clause
"""<sdt/event.h>: typed events come out of a recording value for value, each whole or not at all,
whatever happens between reservation and commit."""
import collections
import json
import re
import subprocess

import pytest
from conftest import INCLUDE, PROGRAMS

import patience
import recorded
from test_macros import C_DIALECTS, C_WARNINGS, CALLS, CXX_DIALECTS, CXX_WARNINGS, WARNINGS

pytestmark = pytest.mark.nosan  # what the program does, in many builds of it

COMPILERS = ["gcc -O2", "gcc -O0", "clang -O2", "clang -O0", f"gcc -O2 {CALLS}",
             "gcc -O2 -DSDT_NO_MEMORY_CLOBBER", "clang -O2 -DSDT_SEMAPHORES"]
each_way = pytest.mark.parametrize("env", [{}, recorded.NO_RSEQ], ids=["rseq", "no-rseq"])


def build(sdt, *flags, source="record_event.c", **kwargs):
    return recorded.build(sdt, source, "-pthread", *flags, **kwargs)


def fields(event):
    """Without the lengths of arrays, which CTF counts as fields."""
    return {name: value for name, value in event.fields.items()
            if not re.fullmatch(r"_\w+_length", name)}


def record(sdt, exe, *args, env=None, options="ring=4M", status=0):
    """What the program prints, and the events, as (name, fields)."""
    wishes = {**recorded.wish(sdt, "ev", options), **(env or {})}
    out = sdt.command(exe, *args, env=wishes, status=status).stdout
    if status:
        recorded.tool(sdt, "recover", "rec")
    recorded.streams(sdt)
    events, discarded, packets = recorded.read(sdt)
    assert (discarded, packets) == (0, 0)
    return out, [(event.name.partition(":")[2], fields(event)) for event in events]


def check_whole(found):
    """Nothing of an event belongs to another one."""
    for name, event in found:
        assert event["same"] == ~event["number"], (name, event)
        if name == "outer":
            assert event["text"] == f"{event['number']:0{event['number'] % 30}}", event


def numbers(found, name):
    return [event["number"] for of, event in found if of == name]


EMPTY = dict.fromkeys("abcdefghijkl", 0) | {"i": False}
FULL = {"a": -2**7, "b": -2**15, "c": -2**31, "d": -2**63, "e": 2**8 - 1, "f": 2**16 - 1,
        "g": 2**32 - 1, "h": 2**64 - 1, "i": True, "j": 1.5, "k": -0.1, "l": 7}
OTHERS = [
    {"hex": 0, "address": 0, "no_text": 0, "text": "<null>", "written": "", "last": 0},
    {"hex": 0xabcdef01, "address": 0x1234, "no_text": 0x5678, "text": 'there "it" is',
     "written": "short", "last": 1},
    {"hex": 0xabcdef01, "address": 0x1234, "no_text": 0x5678, "text": "<fault>",
     "written": "too long fo", "last": 2}]


def ints(length):
    return {"before": -1, "in": [-i for i in range(min(length, 4))],
            "out": [-i * 2**40 for i in range(min(length, 32))], "after": 1}


VALUES = [
    ("numbers", EMPTY), ("numbers", FULL), *(("others", row) for row in OTHERS),
    *(("ints", ints(length)) for length in (0, 1, 2, 3, 4, 5, 100)),
    ("small", {"bytes": [0, 255, 7], "shorts": [-2**15, 2**15 - 1], "words": []}),
    ("small", {"bytes": [], "shorts": [-2**15, 2**15 - 1], "words": [2**32 - 1]}),
    ("reals", {"floats": [0.5, -1.0000000150474662e30], "doubles": [1e300, -0.25]}),
    ("pointers", {"pointers": [16]})]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_field_is_what_was_written(sdt, compiler):
    compiler, *flags = compiler.split()
    found = record(sdt, build(sdt, *flags, compiler=compiler), "values")[1]
    assert found == VALUES
    lines = recorded.tool(sdt, "report", "--json", "rec").stdout.splitlines()
    # Debug information has names for these.
    shown = [("numbers", EMPTY | {"l": "RED"}), ("numbers", FULL | {"l": "GREEN"}), *VALUES[2:]]
    assert [(row["name"], row["args"]) for row in map(json.loads, lines)] == shown


@each_way
def test_without_sequences_and_with(sdt, env):
    """And where there is room for a part of an element."""
    exe = build(sdt)
    assert record(sdt, exe, "values", env=env)[1] == VALUES
    sdt.run(exe, "values", env={**recorded.wish(sdt, "ev", "text=30", "short"), **env})
    found = [fields(event) for event in recorded.read(sdt, "short")[0] if event.name == "ev:ints"]
    assert found == [{**ints(n), "in": ints(n)["in"][:7], "out": ints(n)["out"][:3]}
                     for n in (0, 1, 2, 3, 4, 5, 100)]


def test_reports_show_arrays(sdt):
    record(sdt, build(sdt), "values")
    text = recorded.tool(sdt, "report", "--filter", 'name == "ints" && out == 2', "rec").stdout
    assert text.splitlines()[1].endswith("before=-1 in=[0, -1] out=[0, -1099511627776] after=1")
    table = recorded.tool(sdt, "report", "--csv", "--filter", 'name == "reals"', "rec").stdout
    assert table.splitlines()[1].endswith('"[0.5, -1e+30]","[1e+300, -0.25]"')
    recorded.tool(sdt, "export", "--chrome", "out.json", "--perfetto", "out.pftrace", "rec",
                  status=2)
    recorded.tool(sdt, "export", "--chrome", "out.json", "rec")
    args = [row["args"] for row in json.loads(sdt.path("out.json").read_text())["traceEvents"]
            if row.get("name") == "ev:pointers"]
    assert args == [{"pointers": [16]}]
    recorded.tool(sdt, "export", "--perfetto", "out.pftrace", "rec")
    assert b"[0.5, -1e+30]" in sdt.path("out.pftrace").read_bytes()


def test_the_tools_know_fields_and_types(sdt):
    exe = build(sdt)
    sites = json.loads(sdt.sdtlink("list", "--json", exe).stdout)
    listed = {site["name"]: [(field["name"], field["type"]) for field in site["fields"]]
              for site in sites if site.get("fields")}
    assert listed["ints"] == [("before", "int32"), ("in", "int32[]"), ("out", "int64[]"),
                              ("after", "int32")]
    assert listed["others"] == [("hex", "hex32"), ("address", "pointer"), ("no_text", "pointer"),
                                ("text", "string"), ("written", "string"), ("last", "int8")]
    assert [kind for _, kind in listed["small"]] == ["uint8[]", "int16[]", "uint32[]"]
    sdt.sdtlink("verify", exe)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_off_it_is_a_constant_and_touches_no_memory(sdt, compiler):
    text = '#include <sdt/event.h>\nSDT_EVENT(ev, on, SDT_FIELD(int, a), SDT_FIELD(long, b));\n' \
        "void f(int a);\nvoid f(int a)\n{\n    SDT_RESERVE(ev, on, e);\n    if (e) {\n" \
        "        e->a = a;\n        SDT_COMMIT(ev, on, e);\n    }\n}\n"
    obj = sdt.process(sdt.compile(sdt.write("off.c", text), "-fcf-protection=none",
                                  compiler=compiler))
    code = sdt.run("objdump", "-d", "-j", ".text", "--no-show-raw-insn", obj).split("<f>:")[1]
    lines = [line.split("\t")[1] for line in code.splitlines() if "\t" in line]
    before = lines[:[i for i, line in enumerate(lines) if line.startswith("j")][0] + 1]
    assert [line.split()[0] for line in before] == ["mov", "test", before[-1].split()[0]]
    assert "(" not in "".join(before) and len(lines) < 20, code


@each_way
def test_nested_events(sdt, env):
    found = record(sdt, build(sdt), "nested", 500, env=env)[1]
    check_whole(found)
    expected = [number for i in range(500)
                for number in [("inner", 4 * i), *(("outer", 4 * i + k) for k in (0, 2, 3))]]
    assert [(name, event["number"]) for name, event in found] == expected


@each_way
def test_threads_and_signal_handlers(sdt, env):
    out, found = record(sdt, build(sdt), "threads", 5000, env=env)
    check_whole(found)
    handled = int(out)
    assert sorted(numbers(found, "inner")) == list(range(handled))
    assert sorted(numbers(found, "outer")) == list(range(15000))


@pytest.mark.parametrize("way", ["jumps", "ended"])
def test_a_reservation_that_is_left(sdt, way):
    """By longjmp, and by the end of the thread: it has not happened, and nothing else is lost."""
    found = record(sdt, build(sdt), way, 300)[1]
    check_whole(found)
    left = {"jumps": 3, "ended": 2}[way]
    ended = [i for i in range(300) if i % left == (way == "ended")]
    assert numbers(found, "outer") == [i for i in range(300) if i not in ended]
    assert numbers(found, "inner") == (ended if way == "jumps" else [])


@each_way
def test_killed_with_an_event_reserved(sdt, env):
    found = record(sdt, build(sdt), "killed", 1000, env=env, status=-9)[1]
    check_whole(found)
    assert numbers(found, "outer") == list(range(1000))


def test_a_child_commits_what_its_parent_reserved(sdt):
    exe = build(sdt)
    child = int(sdt.run(exe, "forked", env=recorded.wish(sdt, "ev")))
    events = recorded.read(sdt)[0]
    assert [event.fields["number"] for event in events] == [1, 1]
    assert child in {event.pid for event in events} and len({event.pid for event in events}) == 2


def test_handlers_get_the_fields_and_may_record_events(sdt):
    exe = build(sdt)
    line = "number:int64 text:string same:int64 {0} {0:0{1}}\n"
    expected = "".join(line.format(n, n % 30) for n in (2, 3)) + "0 1 2\n"
    assert sdt.run(exe, "handlers") == expected
    wishes = {**recorded.wish(sdt, "ev:inner"), "SDT_ENABLE": "ev:inner=record"}
    assert sdt.run(exe, "handlers", env=wishes) == expected
    assert [event.fields["number"] for event in recorded.read(sdt)[0]] == [2, 3]


def test_patterns_switch_events_one_by_one(sdt):
    exe = build(sdt)
    wishes = {**recorded.wish(sdt), "SDT_ENABLE": "ev:in*=record"}
    assert sdt.command(exe, "nested", 1, env=wishes, status=3).stdout == ""
    assert recorded.read(sdt)[0] == []
    wishes = {**recorded.wish(sdt, directory="ints"), "SDT_ENABLE": "ev:in*=record"}
    sdt.run(exe, "values", env=wishes)
    assert {event.name for event in recorded.read(sdt, "ints")[0]} == {"ev:ints"}


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("flags", [["-O2"], ["-O0"], ["-O2", CALLS]], ids=" ".join)
def test_events_in_cxx(sdt, compiler, flags):
    exe = build(sdt, "-std=c++11", *flags, source="record_event.cc", compiler=compiler)
    found = record(sdt, exe)[1]
    orders = [event for name, event in found if name == "order"]
    assert orders == [
        {"number": 1, "what": -2, "who": "customer 1", "prices": [2.0], "city": "Bremen"},
        {"number": 2, "what": 300, "who": "customer 2", "prices": [2.5, 2.5], "city": "x" * 30},
        {"number": 3, "what": -2, "who": "customer 3", "prices": [1.25] * 3, "city": ""}]
    assert numbers(found, "hidden") == list(range(10))
    assert numbers(found, "outer") == [0, 2, 4, 6, 8]


def test_libraries_that_come_and_go_with_events_of_one_name(sdt):
    names = {"numbers": [], "text": ["-DWITH_TEXT"]}
    for name, flags in names.items():
        obj = sdt.process(sdt.compile("record_event_plugin.c", "-fPIC", *flags, name=f"{name}.o"))
        sdt.command("gcc", "-shared", obj, "-o", sdt.path(f"lib{name}.so"))
    exe = build(sdt, "-DPROGRAM", source="record_event_plugin.c")
    _, found = record(sdt, exe, 20, *(sdt.path(f"lib{name}.so") for name in names))
    expected = [event for i in range(20) for event in (
        {"numbers": [i] * 3, "round": i}, {"round": i},
        {"round": i, "text": "in the library"}, {"round": i})]
    assert found == [("same", event) for event in expected]


@pytest.mark.parametrize("flags", [[], ["-DSDT_DISABLE"], [CALLS], ["-DSDT_SEMAPHORES"]],
                         ids=" ".join)
def test_dialects(sdt, flags):
    """Without a warning."""
    text = f'#include "{PROGRAMS}/record_event.h"\nvoid f(long n);\nvoid f(long n)\n{{\n' \
        "    SDT_RESERVE(ev, outer, e);\n    SDT_RESERVE(ev, others, o);\n" \
        "    SDT_RESERVE(ev, ints, i);\n    SDT_RESERVE(ev, reals, r);\n" \
        "    if (e && o && i && r) {\n        e->number = n;\n        o->last = 1;\n" \
        "        i->in_length = 3;\n        r->doubles[0] = 1;\n" \
        "        if (SDT_EVENT_ENABLED(ev, reals))\n            SDT_DISCARD(ev, reals, r);\n" \
        "    }\n    SDT_COMMIT(ev, outer, e);\n    SDT_COMMIT(ev, others, o);\n" \
        "    SDT_COMMIT(ev, ints, i);\n    SDT_COMMIT(ev, reals, r);\n}\n"
    argv = ["-c", "-o", sdt.path("out.o"), *WARNINGS, "-I", INCLUDE, *flags]
    source = sdt.write("dialects.c", text)
    for dialect in C_DIALECTS:
        for compiler in ("gcc", "clang"):
            sdt.command(compiler, f"-std={dialect}", *C_WARNINGS, *argv, source)
    source = sdt.write("dialects.cc", text)
    for dialect in CXX_DIALECTS:
        for compiler in ("g++", "clang++"):
            sdt.command(compiler, f"-std=gnu++{dialect}", *CXX_WARNINGS, *argv, source)


def test_disabled_events_leave_nothing(sdt):
    obj = sdt.compile("record_event.c", "-pthread", "-DSDT_DISABLE")
    assert "sdt" not in re.sub("sdt_(enable|disable|arg|nargs)", "", sdt.run("nm", "-u", obj))
    assert ".sdt_args" not in sdt.run("readelf", "-SW", obj)


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("items, count", [("SDT_FIELD(int, f{})", 13),
                                          ("SDT_FIELD_ARRAY(int, f{}, 2)", 5)])
def test_too_many_fields_do_not_compile(sdt, compiler, items, count):
    def source(n):
        listed = ", ".join(items.format(i) for i in range(n))
        return sdt.write(f"many{n}.c", f"#include <sdt/event.h>\nSDT_EVENT(ev, many, {listed});\n"
                         "void f(void);\nvoid f(void)\n{\n    SDT_RESERVE(ev, many, e);\n"
                         "    SDT_COMMIT(ev, many, e);\n}\n")
    language = "c++" if "++" in compiler else "c"
    argv = [compiler, "-x", language, "-c", "-I", INCLUDE, "-o", sdt.path("many.o")]
    sdt.command(*argv, source(count - 1))
    result = sdt.command(*argv, source(count), status=1)
    assert "at most 12 arguments" in result.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_seed_macros_are_recorded_with_names(sdt, compiler):
    """Those of <sdt/systemtap.h>: names from the source, types from letters, or from the source."""
    text = "#include <sdt/systemtap.h>\nint main(int argc, char **argv)\n{\n" \
        "    const char *path = argv[0];\n    SYSTEMTAP_PROBE(tick);\n" \
        "    SYSTEMTAP_PROBE_N(woken, argc);\n    SYSTEMTAP_PROBE_NS(opened, argc, path);\n" \
        "    SYSTEMTAP_PROBE(opened, argc, path);\n" \
        "    SYSTEMTAP_PROBE_SNN(mixed, argv[1], 2 * argc, -argc);\n    return 0;\n}\n"
    suffix = "cc" if "++" in compiler else "c"
    exe = recorded.build(sdt, sdt.write(f"seed.{suffix}", text), compiler=compiler)
    sdt.run(exe, "x", env=recorded.wish(sdt, "systemtap"))
    found = [(event.name, event.fields) for event in recorded.read(sdt)[0]]
    opened = ("systemtap:opened__2NS", {"argc": 2, "path": str(exe)})
    assert found == [("systemtap:tick__0", {}), ("systemtap:woken__1N", {"argc": 2}),
                     opened, opened,
                     ("systemtap:mixed__3SNN", {"argv": "x", "arg1": 4, "arg2": -2})]


@pytest.mark.slow
def test_killed_at_any_moment(sdt):
    """Of a program that does nothing but reserve and commit."""
    exe = build(sdt)
    for delay in range(100):
        process = subprocess.Popen([exe, "nested", "100000000"], cwd=sdt.dir,
                                   env={**recorded.wish(sdt, "ev", "ring=4M", f"rec{delay}")})
        # Not while it is still empty: docs/recording.md, "Files".
        patience.until(lambda n=delay: [path for path in sdt.path(f"rec{n}").glob("*/metadata")
                                        if path.stat().st_size], process)
        try:
            process.wait(delay / 5000)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        recorded.tool(sdt, "recover", f"rec{delay}")
        events = recorded.read(sdt, f"rec{delay}")[0]
        found = [(event.name.partition(":")[2], fields(event)) for event in events]
        check_whole(found)
        counts = collections.Counter(numbers(found, "outer"))
        assert set(counts.values()) <= {1}
