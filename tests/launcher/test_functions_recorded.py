# SPDX-License-Identifier: BSD-2-Clause
"""Recordings of functions say which function each hit belongs to, and which two hits are a call.

The program counts its own calls; babeltrace2 and protoc read what we write.
"""
import json
import re
import sqlite3
from collections import Counter

import pytest

from attached import ask
from recordings import Trace
from report_page import read as read_page
from test_functions import COMPILERS, build, truth
from test_launcher import launch  # pylint: disable=unused-import
from test_sdt_export import chrome, perfetto
from test_sdt_report import rec, run  # pylint: disable=unused-import

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions
ROUNDS = 5


def record(launch, compiler, source="functions.c", *events):
    """What the program says of its calls."""
    exe = build(launch, source, "-O2", compiler=compiler)
    options = [word for event in events for word in ("-e", event)]
    return truth(ask(launch.sdt, "record", "-o", "rec", *options, "--", exe, ROUNDS).stdout)


def hits(said, name):
    """Those of functions that the program counts; what longjmp() skips has no return."""
    return {function: count for function, count in said.items()
            if function != "total" and not (name == "return" and function == "deep")}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_reader_names_the_function(launch, compiler):
    """In text, JSON, the summary, and by babeltrace2, in a field that takes no room."""
    said = record(launch, compiler)
    text = ask(launch.sdt, "report", "rec").stdout
    lines = json_of(ask(launch.sdt, "report", "--json", "rec").stdout)
    other = launch.sdt.command("babeltrace2", "rec").stdout
    summary = ask(launch.sdt, "report", "--summary", "rec").stdout
    for name in ("entry", "return"):
        wanted = hits(said, name)
        shown = Counter(re.findall(rf" fn::(\w+):{name} +\1(?:\(| =| returns)", text))
        assert {key: shown[key] for key in wanted} == wanted
        shown = Counter(line["function"] for line in lines if line["name"] == name)
        assert {key: shown[key] for key in wanted} == wanted
        shown = Counter(re.findall(rf' fn:{name}: .*{{ function = \( "(\w+)" :', other))
        assert {key: shown[key] for key in wanted} == wanted
        shown = dict(re.findall(rf"^fn::(\w+):{name} +(\d+) ", summary, re.M))
        assert {key: int(shown[key]) for key in wanted} == wanted
    # Two words and the frame.
    streams = sum(path.stat().st_size for path in launch.sdt.path("rec").glob("*/cpu*"))
    packets = len(list(launch.sdt.path("rec").glob("*/cpu*"))) * 2 * 80 + 80
    assert 24 * len(lines) < streams < 24 * len(lines) + packets


def json_of(text):
    return [json.loads(line) for line in text.splitlines()]


def nest(events):
    """(name, names of what it is in, whether its own end is there) of each slice."""
    open_slices, found = {}, []
    for what, pid, where, _, name, arguments in events:
        inside = open_slices.setdefault((pid, where), [])
        if what == "begin":
            inside.append((name, len(found)))
            found.append([name, [one for one, _ in inside[:-1]], None])
        elif what == "end":
            _, number = inside.pop()
            found[number][2] = bool(arguments)
    return found


@pytest.mark.parametrize("read", [chrome, perfetto], ids=lambda read: read.__name__)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_calls_are_nested_slices(launch, compiler, read):
    """As the source has them: recursion is nested; what is tail called is beside its caller; what
    longjmp() skips ends with the call that it returns into."""
    said = record(launch, compiler)
    found = nest(read(launch.sdt)[0])
    complete = Counter(name for name, _, has_end in found if has_end)
    assert {name: complete[name] for name in hits(said, "return")} == hits(said, "return")
    assert not complete["deep"] and complete["main"] == 1
    deep = Counter(tuple(inside) for name, inside, _ in found if name == "deep")
    assert deep == {("main", "jumper", *["deep"] * depth): ROUNDS for depth in range(5)}
    calls = Counter((inside[-1] if inside else None) for name, inside, _ in found if name == "fib")
    assert calls["fib"] == said["fib"] - ROUNDS - 3 * ROUNDS  # 3 threads begin ROUNDS, and main
    assert {tuple(inside) for name, inside, _ in found if name == "after"} == {("main",)}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_page(launch, compiler):
    """C++ as in the source; calls that exceptions end have no end of their own, and no other's."""
    said = record(launch, compiler, "functions.cc")
    result = ask(launch.sdt, "report", "--html=out.html", "rec")
    lost = said["thrown"] * 4
    assert f" {lost} of " in result.stderr and "longjmp() or an exception" in result.stderr
    _, events = read_page(launch.sdt.path("out.html").read_text())
    ends = Counter(kind["slice"] for _, mark, kind, *_ in events if mark == "end")
    assert ends["web::server::serve(int)"] == ends["int twice<int>(int)"] == ROUNDS
    begins = Counter(kind["slice"] for _, mark, kind, *_ in events if mark == "begin")
    assert begins["web::handle(int, int)"] - ends["web::handle(int, int)"] == lost
    for _, mark, kind, _, _, begin, values in events:
        if mark == "end":
            assert events[begin][2]["function"] == kind["function"]
            assert events[begin][6]["frame"] == values["frame"]


def test_tables_of_functions(launch):
    """Rows of a function's returns have what their calls took, and no pair is of two functions."""
    said = record(launch, "gcc")
    ask(launch.sdt, "export", "--sqlite=out.db", "rec")
    database = sqlite3.connect(launch.sdt.path("out.db"))
    pairs = [row[0] for row in database.execute("SELECT DISTINCT pair FROM slices")]
    assert len(pairs) > 5 and all(re.fullmatch(r"fn::\w+", pair) for pair in pairs), pairs
    counted = dict(database.execute("SELECT pair, count(*) FROM slices GROUP BY pair"))
    assert [counts for pair, counts in counted.items() if pair == "fn::fib"] == [said["fib"]]


def test_trace_names_it(launch):
    """And a condition about it chooses by it, as a pattern does."""
    exe = build(launch, "functions.c", "-O2")
    for words in (["fn::leaf:*,fn::after:entry"], ["fn:entry", '/function == "leaf"/']):
        output = ask(launch.sdt, "trace", "--events", "--rate=0", " ".join(words), "--", exe,
                     "2").stdout
        shown = Counter(re.findall(r" (fn::\w+:\w+) +\w+(?:\(| =| returns)", output))
        assert shown["fn::leaf:entry"] == truth(output)["leaf"]
        assert set(shown) <= {"fn::leaf:entry", "fn::leaf:return", "fn::after:entry"}


def call(trace, function, field="frame:pointer"):
    fields = [field] if field else []
    return [trace.define("fn", name, *fields, function=function) for name in ("entry", "return")]


def test_frames_tell_calls_apart(sdt, rec):
    """A recursive call is another call; one that never returned is none; threads do not mix. What
    an earlier version has recorded is read in the same way."""
    trace = Trace(rec)
    (f, f_end), (g, g_end) = call(trace, "f"), call(trace, "g")
    events = [(f, 80, 1), (f, 80, 2), (f, 64, 1), (g, 48, 1), (f_end, 64, 1), (f_end, 80, 2),
              (f, 64, 1), (f, 48, 1), (f_end, 48, 1), (g, 48, 1), (g_end, 48, 1), (f_end, 64, 1),
              (f_end, 80, 1), (g_end, 48, 1)]
    for n, (kind, frame, tid) in enumerate(events):
        trace.stream().event(n, kind, frame, tid=tid)
    trace.write()
    run(sdt, "report", "--html=out.html", "rec")
    _, found = read_page(sdt.path("out.html").read_text())
    assert {(begin, n) for n, (_, mark, *_, begin, _) in enumerate(found) if mark == "end"} == \
        {(2, 4), (1, 5), (7, 8), (9, 10), (6, 11), (0, 12)}
    assert found[13][1] == "instant"


def test_pairs_of_the_user(sdt, rec):
    """Of one function, as `sdt lat` spells it: slices of the thread. From a function to another
    that it ends in: by the frame, which both have."""
    trace = Trace(rec)
    (f, f_end), (g, g_end) = call(trace, "f"), call(trace, "g")
    for n, (kind, frame) in enumerate([(f, 64), (f, 48), (f_end, 48), (g, 64), (g_end, 64),
                                       (f, 64), (f_end, 64)]):
        trace.stream().event(n, kind, frame)
    trace.write()
    for words, pairs in (("fn::f:entry fn::f:return match frame", {(1, 2), (3, 4), (5, 6)}),
                         ("fn::f:entry fn::g:return match frame", {(0, 4)})):
        run(sdt, "report", "--html=out.html", "-p", words, "rec")
        _, found = read_page(sdt.path("out.html").read_text())
        assert {(begin, n) for n, (_, mark, *_, begin, _) in enumerate(found)
                if mark in ("end", "async end")} == pairs


def test_calls_without_frames_are_paired_by_thread(sdt, rec):
    """Those of -finstrument-functions: each function by itself."""
    trace = Trace(rec)
    (f, f_end), (g, g_end) = call(trace, "f", None), call(trace, "g", None)
    for n, kind in enumerate((f, g, g_end, f_end)):
        trace.stream().event(n, kind)
    trace.write()
    found = nest(chrome(sdt)[0])
    assert [(name, inside) for name, inside, _ in found] == [("f", []), ("g", ["f"])]


def test_entries_alone_are_instants(sdt, rec):
    """Of a function whose returns were not asked for, beside one whose calls are slices."""
    trace = Trace(rec)
    alone = trace.define("fn", "entry", "frame:pointer", function="alone")
    both, end = call(trace, "both")
    trace.stream().event(1, both, 8).event(2, alone, 16).event(3, end, 8)
    trace.write()
    assert [(what, name) for what, _, _, _, name, _ in chrome(sdt)[0]] == [
        ("begin", "both"), ("instant", "fn::alone:entry"), ("end", None)]


def test_columns(sdt, rec):
    """Entries of all functions have the same columns."""
    trace = Trace(rec)
    kinds = [call(trace, name)[0] for name in ("f", "g")]
    for n, kind in enumerate(kinds):
        trace.stream().event(n, kind, 256)
    trace.write()
    header, *lines = run(sdt, "report", "--csv", "rec").stdout.splitlines()
    assert header == "time,cpu,pid,tid,provider,name,function,frame"
    assert [line.split(",")[6:] for line in lines] == [["f", "0x100"], ["g", "0x100"]]


def test_snapshots_have_the_calls_inside(launch):
    """Of one slow call: itself and what it called, though these have other frames."""
    launch.sdt.write("slow.c", """
#include <time.h>
__attribute__((noinline)) void inner(int ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, 0);
}
__attribute__((noinline)) void serve(int ms) { inner(ms); __asm__ volatile(""); }
int main(void)
{
    for (int i = 0; i < 4; i++)
        serve(i == 2 ? 300 : 0);
    return 0;
}
""")
    launch("--functions", "--runtime=shared", "gcc", "-O2", "slow.c", "-o", "slow")
    ask(launch.sdt, "record", "-o", "rec", "-e", "fn:*", "--when",
        "lat fn::serve:entry fn::serve:return match frame > 200ms", "--", "./slow")
    lines = json_of(ask(launch.sdt, "report", "--json", "--snapshot=1", "rec").stdout)
    assert [(line["function"], line["name"]) for line in lines] == [
        ("serve", "entry"), ("inner", "entry"), ("inner", "return"), ("serve", "return")]
    slices = nest(chrome(launch.sdt)[0])
    assert slices.count(["inner", ["main", "serve"], True]) == 4
    # The tree of just that call; of all, it has four.
    tree = calls_of(launch, "--snapshot=1")
    assert {path: line["calls"] for path, line in tree.items()} == {"serve": 1, "serve inner": 1}
    assert tree["serve inner"]["ns"] > 200_000_000
    assert calls_of(launch, "--tree=serve")["serve inner"]["calls"] == 4


def calls_of(launch, *args):
    """Path → line of `sdt report --tree`."""
    lines = json_of(ask(launch.sdt, "report", "--tree", "--json", *args, "rec").stdout)
    return {" ".join(line["path"]): line for line in lines}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_tree_is_that_of_sdt_tree(launch, compiler):
    """Each path as often as in the process; of all functions, or below one. Times are those of the
    program, which measures its calls from inside and from outside."""
    exe = build(launch, "calls.c", "-O1", compiler=compiler)
    output = ask(launch.sdt, "record", "-o", "rec", "-e", "fn:*", "--", exe, 20).stdout
    for root in "*", "serve":
        lines = ask(launch.sdt, "tree", "--json", root, "--", exe, 20).stdout.splitlines()
        live = {" ".join(line["path"]): line["calls"]
                for line in (json.loads(line) for line in lines if line[0] == "{")}
        found = calls_of(launch, f"--tree={root}")
        assert {path: line["calls"] for path, line in found.items()} == live and len(live) > 8
    said, found = truth(output), calls_of(launch)
    inner = sum(line["ns"] for path, line in found.items() if path.endswith("inner"))
    assert said["inner"] * 0.999 <= inner <= said["outer"] * 1.001


@pytest.mark.parametrize("compiler", COMPILERS)
def test_exceptions_in_the_tree(launch, compiler):
    """What they end has no time, and nothing that comes later is below it."""
    said = record(launch, compiler, "functions.cc")
    serve, handle = "_ZN3web6server5serveEi", "_ZN3web6handleEii"
    found = calls_of(launch, "--tree=web::server::serve")
    assert {path: line["calls"] for path, line in found.items()} == {
        " ".join([serve] + [handle] * depth): ROUNDS if depth == 0 else said["returned"] // 3
        for depth in range(5)}
    result = ask(launch.sdt, "report", "--tree=web::server::serve(int)", "--min=0", "rec")
    assert f"{4 * said['thrown']} slices have no end" in result.stderr
    assert re.search(r" 5 .* web::server::serve\(int\)\n.* 3 .*   web::handle\(int, int\)\n",
                     result.stdout)
