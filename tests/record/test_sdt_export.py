# SPDX-License-Identifier: BSD-2-Clause
"""`sdt export`: the same slices, instants and counters in both formats, read by Python and by
protoc with Perfetto's field numbers."""
import json
import re

import pytest

from conftest import ROOT
from recordings import Trace
from test_sdt_report import VALUES, rec, run  # noqa: F401  (a fixture)

START = 1_700_000_000_000_000_000


def export(sdt, form, *args, **kwargs):
    return run(sdt, "export", f"--{form}=out", *args, "rec", **kwargs)


def chrome(sdt, *args, **kwargs):
    """(what, pid, tid, ns, name, arguments) of each event; names of tracks."""
    export(sdt, "chrome", *args, **kwargs)
    trace = json.loads(sdt.path("out").read_text())
    start = int(trace["otherData"]["start"])
    events, names = [], {}
    for event in trace["traceEvents"]:
        if event["ph"] == "M":
            names[event["name"], event["pid"], event["tid"]] = event["args"]["name"]
            continue
        what = {"i": "instant", "B": "begin", "E": "end", "b": "begin", "e": "end",
                "C": "counter"}[event["ph"]]
        where = event["id2"]["local"] if event["ph"] in "be" else event["tid"]
        time = start + round(event["ts"] * 1000)
        events.append((what, event["pid"], where, time, event.get("name"), event.get("args")))
    return events, names


def parse(text):
    """The text format of Protocol Buffers: a list of (name, value); messages are lists."""
    stack = [[]]
    for line in text.splitlines():
        line = line.strip()
        if line.endswith("{"):
            stack[-1].append((line[:-2], inner := []))
            stack.append(inner)
        elif line == "}":
            stack.pop()
        else:
            name, value = line.split(": ", 1)
            stack[-1].append((name, value))
    return stack[0]


def unquote(text):
    octal = re.sub(rb"\\(\d{3}|.)", lambda m: bytes([int(m[1], 8)]) if len(m[1]) == 3 else
                   {b"n": b"\n", b"r": b"\r", b"t": b"\t"}.get(m[1], m[1]), text[1:-1].encode())
    return octal.decode()


def annotation_value(name, value):
    if name == "string_value":
        return unquote(value)
    if name == "bool_value":
        return value == "true"
    return float(value) if name == "double_value" else int(value)


def annotations(event):
    found = {}
    for name, inner in event:
        if name == "debug_annotations":
            fields = dict(inner)
            key = unquote(fields.pop("name"))
            [(kind, value)] = fields.items()
            found[key] = annotation_value(kind, value)
    return found


def perfetto(sdt, *args, **kwargs):
    """The same; where is a tid, or the name of a track. And the tracks, by number."""
    export(sdt, "perfetto", *args, **kwargs)
    shown = sdt.command("protoc", "--decode=Trace", f"-I{ROOT / 'tests'}",
                        ROOT / "tests" / "perfetto.proto", stdin=sdt.path("out").open("rb")).stdout
    assert not re.search(r"^ *\d+[: ]", shown, re.M), "a field that protoc does not know"
    events, tracks = [], {}
    for name, packet in parse(shown):
        fields = dict(packet)
        assert name == "packet" and fields["trusted_packet_sequence_id"] == "1"
        if "track_descriptor" in fields:
            track = dict(fields["track_descriptor"])
            tracks[track["uuid"]] = track
            assert "parent_uuid" not in track or track["parent_uuid"] in tracks
            continue
        event = dict(fields["track_event"])
        what = {"TYPE_SLICE_BEGIN": "begin", "TYPE_SLICE_END": "end", "TYPE_INSTANT": "instant",
                "TYPE_COUNTER": "counter"}[event["type"]]
        track = tracks[event["track_uuid"]]
        thread = dict(track["thread"]) if "thread" in track else {}
        owner = dict(dict(tracks[track["parent_uuid"]]).get("process", ())) \
            if "parent_uuid" in track else {}
        pid = int(thread.get("pid") or owner.get("pid", 0))
        where = int(thread["tid"]) if thread else unquote(track["name"])
        events.append((what, pid, where, int(fields["timestamp"]),
                       unquote(event["name"]) if "name" in event else None,
                       event.get("counter_value") or event.get("double_counter_value")
                       if what == "counter" else annotations(fields["track_event"])))
    return events, tracks


def slices(events):
    """(what, where, ns since the start, name)"""
    return [(what, where, time - START, name) for what, _, where, time, name, _ in events]


BOTH = pytest.mark.parametrize("read", [chrome, perfetto], ids=lambda read: read.__name__)


@BOTH
def test_arguments_of_every_type(sdt, rec, read):
    trace = Trace(rec)
    kinds = sorted(VALUES)
    kind = trace.define("web", "all", *(f"a_{name}:{name}" for name in kinds))
    for n in range(4):
        trace.stream().event(n, kind, *(VALUES[name][n] for name in kinds), tid=9)
    trace.write()
    events, _ = read(sdt)
    assert len(events) == 4
    for n, (what, pid, tid, time, name, args) in enumerate(events):
        assert (what, pid, tid, time, name) == ("instant", 4711, 9, START + n, "web:all")
        for kind_name in kinds:
            value = VALUES[kind_name][n]
            if kind_name == "bytes":
                value = value.hex()
            if read is chrome and kind_name.startswith(("hex", "pointer")):
                value = hex(value)
            assert args[f"a_{kind_name}"] == value, kind_name


@BOTH
def test_names_that_pair_by_themselves(sdt, rec, read):
    """Nested, in two threads; one that ends after the one that it began in, which gets a track of
    its own; an end without a begin, and begins without an end."""
    trace = Trace(rec)
    begin, end = trace.define("web", "request_begin", "n:int32"), trace.define("web", "request_end")
    start, done = trace.define("db", "query-start"), trace.define("db", "query-done", "ok:bool")
    other_start, other_end = trace.define("db", "load-start"), trace.define("db", "load-end")
    trace.define("db", "query-end")  # not that: there is a done
    entry = [trace.define("fn", "entry", function=name) for name in ("f", "g")]
    leave = [trace.define("fn", "return", function=name) for name in ("f", "g")]
    others = [trace.define("web", name) for name in ("restart", "redone", "start", "lone_begin")]
    stream = trace.stream()
    stream.event(1, end)
    stream.event(2, begin, 7).event(3, start).event(4, begin, 8, tid=5).event(5, done, 1)
    stream.event(6, end).event(7, end, tid=5)
    stream.event(10, entry[0]).event(11, entry[1]).event(12, leave[0]).event(13, leave[1])
    stream.event(14, entry[0]).event(15, entry[1]).event(16, leave[0]).event(17, leave[1], pid=9)
    for n, kind in enumerate(others):
        stream.event(20 + n, kind)
    stream.event(30, start)
    stream.event(40, other_start, tid=5).event(41, other_end, tid=5)
    trace.write()
    events, _ = read(sdt)
    alone = "4711.8" if read is chrome else "g"
    assert slices(events) == [
        ("instant", 4711, 1, "web:request_end"),
        ("begin", 4711, 2, "web:request"), ("begin", 4711, 3, "db:query"),
        ("begin", 5, 4, "web:request"), ("end", 4711, 5, None), ("end", 4711, 6, None),
        ("end", 5, 7, None),
        ("begin", 4711, 10, "f"), ("begin", alone, 11, "g"), ("end", 4711, 12, None),
        ("end", alone, 13, "g" if read is chrome else None),
        ("begin", 4711, 14, "f"), ("begin", 4711, 15, "g"), ("end", 4711, 16, None),
        ("end", 4711, 16, None), ("instant", 9, 17, "fn::g:return"),
        ("instant", 4711, 20, "web:restart"), ("instant", 4711, 21, "web:redone"),
        ("instant", 4711, 22, "web:start"), ("instant", 4711, 23, "web:lone_begin"),
        ("begin", 4711, 30, "db:query"),
        ("begin", 5, 40, "db:load"), ("end", 5, 41, None)]
    assert events[1][5] == {"n": 7} and events[4][5] == {"ok": True}
    # The one that f's return closes has no arguments of its own.
    assert not events[13][5] and not events[14][5]


@BOTH
def test_pairs_of_the_user(sdt, rec, read):
    trace = Trace(rec)
    a, b = trace.define("web", "in", "id:uint64", "x:bool"), trace.define("web", "out", "id:uint64")
    c, d = trace.define("web", "lock"), trace.define("web", "unlock")
    stream = trace.stream()
    stream.event(1, a, 10, 1).event(2, a, 11, 0, tid=5).event(3, c).event(4, b, 11, tid=6)
    stream.event(5, b, 10).event(6, d)
    trace.write()
    events, _ = read(sdt, "--pair", "web:in web:out match id", "-p", "lock unlock")
    found = slices(events)
    if read is perfetto:  # a track for each, all of one name
        found = [(w, "web:in" if where == "web:in" else where, t, n or "web:in")
                 for w, where, t, n in found if where != 4711]
        assert found == [("begin", "web:in", 1, "web:in"), ("begin", "web:in", 2, "web:in"),
                         ("end", "web:in", 4, "web:in"), ("end", "web:in", 5, "web:in")]
    else:
        assert [f for f in found if f[1] != 4711] == [
            ("begin", "10", 1, "web:in"), ("begin", "11", 2, "web:in"),
            ("end", "11", 4, "web:in"), ("end", "10", 5, "web:in")]
    assert [f for f in slices(events) if f[1] == 4711] == [
        ("begin", 4711, 3, "web:lock"), ("end", 4711, 6, None)]


@BOTH
def test_names_with_hyphens(sdt, rec, read):
    """Both spellings name a pair; what is shown has the hyphens."""
    trace = Trace(rec)
    kinds = [trace.define("my__db", name) for name in (
        "query__begin", "query__end", "lock__in", "lock__out", "a__tick")]
    for n, kind in enumerate(kinds):
        trace.stream().event(n, kind)
    trace.write()
    events, _ = read(sdt, "--pair", "my-db:lock-in my__db:lock__out")
    assert [(what, name) for what, _, _, name in slices(events)] == [
        ("begin", "my-db:query"), ("end", None), ("begin", "my-db:lock-in"), ("end", None),
        ("instant", "my-db:a-tick")]


def test_tracks_of_identities_differ(sdt, rec):
    """In Perfetto's format: a begin and its end share a track, and no other pair does."""
    trace = Trace(rec)
    a, b = trace.define("p", "a", "id:uint64"), trace.define("p", "b", "id:uint64")
    for n in range(50):
        trace.stream().event(n, a, n).event(100 + n, a, n, pid=12)
        trace.stream().events.sort(key=lambda event: event[0])
    for n in range(50):
        trace.stream().event(200 + n, b, n)
    trace.write()
    _, tracks = perfetto(sdt, "-p", "p:a p:b match id")
    assert sum(track.get("name") == '"p:a"' for track in tracks.values()) == 100


@BOTH
def test_counters(sdt, rec, read):
    """An instant whose one argument is a number, and no address or bit set."""
    trace = Trace(rec)
    numbers = [trace.define("p", kind, f"v:{kind}")
               for kind in ("int64", "uint64", "double", "hex8", "bool", "string")]
    two = trace.define("p", "two", "a:int8", "b:int8")
    for n, (kind, value) in enumerate(zip(numbers, (-2**63, 2**64 - 1, 0.25, 1, 1, "1"))):
        trace.stream().event(n, kind, value)
    trace.stream().event(10, two, 1, 2)
    trace.write()
    events, _ = read(sdt)
    assert sum(event[0] == "instant" for event in events) == 7
    counters = [event for event in events if event[0] == "counter"]
    assert [event[3] - START for event in counters] == [0, 1, 2]
    if read is chrome:
        assert [(event[4], event[5]["v"]) for event in counters] == [
            ("p:int64", -2**63), ("p:uint64", 2**64 - 1), ("p:double", 0.25)]
    else:
        assert [(event[2], float(event[5])) for event in counters] == [
            ("p:int64", -2.0**63), ("p:uint64", 2.0**64), ("p:double", 0.25)]


def test_names_of_tracks(sdt, rec):
    for pid, program in ((100, "web"), (200, 'd"b')):
        trace = Trace(rec, program=program, pid=pid)
        kind = trace.define("p", "n")
        trace.stream(3).event(1, kind).event(2, kind, tid=pid + 1)
        trace.write()
    _, names = chrome(sdt, "--cpus")
    assert names == {("process_name", 100, 100): "web", ("thread_name", 100, 100): "main",
                     ("thread_name", 100, 101): "thread", ("process_name", 200, 200): 'd"b',
                     ("thread_name", 200, 200): "main", ("thread_name", 200, 201): "thread",
                     ("process_name", 0, 0): "CPUs", ("thread_name", 0, 3): "CPU"}
    events, tracks = perfetto(sdt, "--cpus")
    assert sorted(unquote(dict(track["process"])["process_name"]) for track in tracks.values()
                  if "process" in track) == ['d"b', "web"]
    assert [event[2] for event in events].count("CPU 3") == 4
    assert events[1][5] == {"pid": 200, "tid": 200}


@BOTH
def test_nothing_but_text_in_strings(sdt, rec, read):
    """Also of names; both formats want UTF-8."""
    trace = Trace(rec, program="a\033b")
    kind = trace.define("p", "n", "s:string")
    trace.stream().event(1, kind, b"\xff\xc3(").event(2, kind, "\033\x7f\"")
    trace.write()
    events, _ = read(sdt)
    assert [event[5]["s"] for event in events] == ["\ufffd\ufffd(", "\033\x7f\""]
    if read is chrome:
        assert b"\033" not in sdt.path("out").read_bytes()


@BOTH
def test_numbers_that_are_none(sdt, rec, read):
    trace = Trace(rec)
    trace.stream().event(1, trace.define("p", "n", "d:double", "e:int8"), float("inf"), 1)
    trace.write()
    events, _ = read(sdt)
    assert events[0][5]["d"] == (None if read is chrome else float("inf"))


@BOTH
def test_filter_and_empty_recordings(sdt, rec, read):
    trace = Trace(rec)
    kind = trace.define("p", "n", "i:int8", "j:int8")
    trace.write()
    assert read(sdt)[0] == []
    trace.stream().event(1, kind, 1, 0).event(2, kind, 2, 0)
    trace.write()
    assert [event[3] - START for event in read(sdt, "-f", "i == 2")[0]] == [2]


@pytest.mark.parametrize("args, words", [
    (["rec"], "no output"), (["--chrome=a", "--perfetto=b", "rec"], "one output at a time"),
    (["--chrome=", "rec"], "an output needs a name"), (["--chrome=a"], "no recording"),
    (["--chrome=a", "-p", "non:sense", "rec"], "non:sense: two patterns are needed"),
    (["--chrome=a", "-p", "a:b=c:d:by id", "rec"], "two words, and perhaps an expression: "
     "'BEGIN END match EXPRESSION'"),
    (["--chrome=a", "-p", "a:b c:d match", "rec"], "'match' needs an expression"),
    (["--chrome=a", "-p", "a:b c:d by id", "rec"], "a pair has no 'by'"),
    (["--chrome=a", "-p", "a:b c:d match (", "rec"], "expected a name"),
    (["--chrome=a", "-f", "(", "rec"], "expected a name"),
], ids=lambda value: "-".join(value) if isinstance(value, list) else "")
def test_wrong_command_lines(sdt, args, words):
    result = run(sdt, "export", *args, status=2)
    assert words in result.stderr and not sdt.path("a").exists()


def test_failures_leave_the_output_as_it_was(sdt, rec):
    trace = Trace(rec)
    trace.stream().event(1, trace.define("p", "n"))
    trace.write()
    sdt.path("out").write_text("before")
    unknown = export(sdt, "chrome", "-p", "p:n p:none", status=1)
    assert "p:none: this recording has no such probe" in unknown.stderr
    assert "cannot read none" in run(sdt, "export", "--chrome=out", "none", status=1).stderr
    assert sdt.path("out").read_text() == "before"
    assert sorted(path.name for path in sdt.dir.iterdir()) == ["out", "rec"]
    assert "not a regular file" in run(sdt, "export", "--chrome=rec", "rec", status=1).stderr


def test_a_damaged_recording_is_exported_with_a_warning(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("p", "n")
    trace.stream().event(1, kind).event(2, kind, number=9).event(3, kind)
    trace.write()
    assert [event[3] - START for event in chrome(sdt, status=1)[0]] == [1, 3]


def test_slices_that_never_end(sdt, rec):
    """Deeper than a viewer shows, they are instants: memory does not grow with them."""
    trace = Trace(rec)
    begin = trace.define("p", "x_begin")
    trace.define("p", "x_end")
    for n in range(300):
        trace.stream().event(n, begin)
    trace.write()
    events, _ = chrome(sdt)
    assert [event[0] for event in events] == ["begin"] * 256 + ["instant"] * 44
