# SPDX-License-Identifier: BSD-2-Clause
"""`sdt export --otlp`: spans, their events and log records in a file and to a receiver, which are
the same. test_otlp_receivers.py has what receivers answer."""
import re

import pytest

import otlp
import recorded
from attached import ask
from conftest import ROOT
from otlp import attributes, items
from recordings import Trace
from test_sdt_report import VALUES, rec, run  # noqa: F401  (a fixture)

START = 1_700_000_000_000_000_000
PLAIN = {"NO_PROXY": "*", "no_proxy": "*", "OTEL_SERVICE_NAME": "",
         "OTEL_EXPORTER_OTLP_HEADERS": "", "OTEL_EXPORTER_OTLP_TIMEOUT": ""}


def send(sdt, url, *args, env=None, **kwargs):
    result = run(sdt, "export", f"--otlp={url}", *args, "rec", env={**PLAIN, **(env or {})},
                 **{"status": None, **kwargs})
    if "built without libcurl" in result.stderr:
        pytest.skip("this sdt was built without libcurl")
    return result


def to_file(sdt, *args, env=None, status=0):
    run(sdt, "export", "--otlp=out.json", *args, "rec", env={**PLAIN, **(env or {})}, status=status)
    return list(otlp.read_lines(sdt.path("out.json")))


def to_receiver(sdt, *args, env=None, status=0):
    with otlp.Receiver() as receiver:
        result = send(sdt, receiver.url, *args, env=env)
        assert result.returncode == status, result.stderr
        return receiver.requests()


BOTH = pytest.mark.parametrize("read", [to_file, to_receiver], ids=["json", "protobuf"])


def spans(requests):
    return [span for _, _, span in items(requests)]


def logs(requests):
    return [record for _, _, record in items(requests, "logs")]


def shape(requests):
    """(name, begin, end, name of its parent or None) of each, in order of begin."""
    found = spans(requests)
    names = {span["span_id"]: span for span in found}
    assert len(names) == len(found), "an id occurs twice"
    rows = []
    for span in found:
        assert len(span["span_id"]) == 8 and len(span["trace_id"]) == 16 and span["kind"] == 1
        parent = names[span["parent_span_id"]] if "parent_span_id" in span else None
        assert not parent or parent["trace_id"] == span["trace_id"]
        rows.append((span["name"], span["start_time_unix_nano"] - START,
                     span["end_time_unix_nano"] - START, parent and parent["name"]))
    return sorted(rows, key=lambda row: row[1])


def expected(kind, value):
    if kind.startswith(("hex", "pointer")):
        return hex(value)
    if kind == "uint64" and value >= 2**63:
        return str(value)
    return bool(value) if kind == "bool" else value


@BOTH
def test_arguments_of_every_type(sdt, rec, read):
    trace = Trace(rec)
    kinds = sorted(VALUES)
    fields = [f"a_{name}:{name}" for name in kinds]
    begin, end = trace.define("web", "all_begin", *fields), trace.define("web", "all_end")
    single = trace.define("web", "single", *fields)
    for n in range(4):
        values = [VALUES[name][n] for name in kinds]
        trace.stream().event(10 * n, begin, *values).event(10 * n + 1, single, *values)
        trace.stream().event(10 * n + 2, end).event(10 * n + 3, single, *values)
    trace.write()
    requests = read(sdt)
    assert len(spans(requests)) == len(logs(requests)) == 4
    for n, (span, record) in enumerate(zip(spans(requests), logs(requests))):
        [event] = span["events"]
        assert (event["name"], event["time_unix_nano"]) == ("web:single", START + 10 * n + 1)
        assert (record["event_name"], record["time_unix_nano"]) == ("web:single",
                                                                   START + 10 * n + 3)
        assert record["body"]["string_value"].startswith("web:single a_bool=")
        for found in map(attributes, (span, event, record)):
            for name in kinds:
                assert found[f"a_{name}"] == expected(name, VALUES[name][n]), name
                assert type(found[f"a_{name}"]) is type(expected(name, VALUES[name][n])), name
            assert (found["code.file.path"], found["code.line.number"],
                    found["code.function.name"], found["thread.id"]) == ("web.c", 12, "serve", 4711)


@BOTH
def test_arrays_and_what_is_no_number(sdt, rec, read):
    trace = Trace(rec)
    kind = trace.define("web", "odd", "a:int32[]", "d:double[]", "none:int8[]", "x:double",
                        "e:uint8")
    trace.stream().event(1, kind, [1, -2], [0.5, float("nan")], [], float("-inf"), 1)
    trace.write()
    metadata = trace.path / "metadata"
    metadata.write_text(metadata.read_text().replace("e:uint8 */", "e:uint8:=ms:1=one */"))
    [record] = logs(read(sdt))
    found = attributes(record)
    assert found["a"] == [1, -2] and found["none"] == []
    assert found["d"][0] == 0.5 and found["d"][1] != found["d"][1]
    assert found["x"] == float("-inf") and found["e"] == "one"


@BOTH
def test_hostile_names_and_texts(sdt, rec, read):
    text = b'q"\\\n\0\xff\xe2\x80\xae</script>'.split(b"\0")[0] + b"\xff"
    trace = Trace(rec, program='we"b\n', host="ho\\st")
    kind = trace.define("we__b", "od\nd", "s:string", function='f"\n', place="a\"\n.c:7")
    trace.stream().event(1, kind, text)
    trace.write()
    [(resource, scope, record)] = items(read(sdt), "logs")
    assert resource == {"service.name": 'we"b\n', "host.name": "ho\\st", "process.pid": 4711,
                        "process.executable.name": 'we"b\n'}
    assert scope == "we-b" and record["event_name"] == "we-b:od\nd"
    assert attributes(record)["s"] == text.decode(errors="replace")
    assert attributes(record)["code.file.path"] == 'a"\n.c'


@BOTH
def test_spans_nest_by_thread(sdt, rec, read):
    """Nested ones are children, in each thread by itself; what ends after the one that it began in
    is not, nor a parent; a begin or an end alone is a log record."""
    trace = Trace(rec)
    begin, end = trace.define("web", "request_begin"), trace.define("web", "request_end")
    start, done = trace.define("db", "query-start"), trace.define("db", "query-done")
    load, loaded = trace.define("fs", "load-start"), trace.define("fs", "load-end")
    stream = trace.stream()
    stream.event(1, end)
    stream.event(2, begin).event(3, start).event(4, begin, tid=5).event(5, load).event(6, loaded)
    stream.event(7, done).event(8, end).event(9, end, tid=5)
    stream.event(10, begin).event(11, start).event(12, load).event(13, loaded).event(14, end)
    stream.event(15, done)
    stream.event(20, begin).event(21, start).event(22, end).event(23, load)
    trace.write()
    requests = read(sdt)
    assert shape(requests) == [
        ("web:request", 2, 8, None), ("db:query", 3, 7, "web:request"),
        ("web:request", 4, 9, None), ("fs:load", 5, 6, "db:query"),
        ("web:request", 10, 14, None), ("db:query", 11, 15, None),
        ("fs:load", 12, 13, "web:request"), ("web:request", 20, 22, None)]
    roots = {span["trace_id"] for span in spans(requests) if "parent_span_id" not in span}
    assert len(roots) == 5
    assert [record["event_name"] for record in logs(requests)] == [
        "web:request_end", "fs:load-start"]
    [inner] = [span for span in spans(requests) if span["start_time_unix_nano"] == START + 20]
    assert [event["name"] for event in inner["events"]] == ["db:query-start"]


@BOTH
def test_pairs_across_threads(sdt, rec, read):
    """One that begins in a slice and ends before it, wherever, is its child."""
    trace = Trace(rec)
    begin, end = trace.define("web", "request_begin"), trace.define("web", "request_end")
    out, back = trace.define("rpc", "out", "id:uint64"), trace.define("rpc", "back", "id:uint64")
    stream = trace.stream()
    stream.event(1, begin).event(2, out, 7).event(3, out, 8).event(4, back, 7, tid=9)
    stream.event(5, end).event(6, back, 8)
    trace.write()
    requests = read(sdt, "--pair", "rpc:out rpc:back match id")
    assert shape(requests) == [("web:request", 1, 5, None), ("rpc:out", 2, 4, "web:request"),
                               ("rpc:out", 3, 6, None)]
    by_id = {attributes(span)["id"]: span for span in spans(requests) if span["name"] == "rpc:out"}
    assert attributes(by_id[7])["thread.id"] == 4711
    assert by_id[8]["trace_id"] not in {span["trace_id"] for span in spans(requests)
                                        if span is not by_id[8]}


@BOTH
def test_arguments_of_the_end(sdt, rec, read):
    """What differs from the begin's has a name of its own; overlapping pairs are marked."""
    trace = Trace(rec)
    begin = trace.define("web", "request_begin", "path:string", "n:int32")
    end = trace.define("web", "request_end", "path:string", "n:int32", "ok:bool")
    stream = trace.stream()
    stream.event(1, begin, "/a", 1).event(2, end, "/a", 2, 1)
    stream.event(3, begin, "/b", 1).event(4, begin, "/c", 1)
    stream.event(5, end, "/c", 1, 0).event(6, end, "/b", 1, 0)
    trace.write()
    one, inner, outer = map(attributes, spans(read(sdt)))
    assert (one["path"], one["n"], one["end.n"], one["ok"]) == ("/a", 1, 2, True)
    assert "end.path" not in one and "sdt.overlaps" not in one and "sdt.overlaps" not in inner
    assert outer["sdt.overlaps"] is True and outer["path"] == "/b" and "end.path" not in outer


def test_ids_are_those_of_the_pair(sdt, rec):
    """The same in each export and both encodings, whatever else is exported."""
    trace = Trace(rec)
    begin, end = trace.define("web", "request_begin", "n:int32"), trace.define("web", "request_end")
    tick = trace.define("web", "tick")
    for n in range(3):
        trace.stream().event(n, tick).event(n, begin, n).event(n, end)
    trace.stream().event(7, begin, 7).event(7, end).event(7, begin, 8).event(7, end)
    trace.write()

    def ids(requests):
        return {attributes(span)["n"]: (span["trace_id"], span["span_id"])
                for span in spans(requests)}
    first = ids(to_file(sdt))
    assert len(set(first.values())) == 5
    assert first == ids(to_file(sdt, "--filter", "name != \"tick\"")) == ids(to_receiver(sdt))


TRACE, SPAN = bytes(range(16, 32)), bytes(range(1, 9))


@pytest.mark.parametrize("kinds, values", [
    (("string", "string"), (TRACE.hex().upper(), SPAN.hex())), (("bytes", "bytes"), (TRACE, SPAN)),
    (("uint8[]", "uint8[]"), (TRACE, SPAN)), (("bytes", "hex64"), (TRACE, 0x0102030405060708))],
    ids=["hex", "bytes", "array", "number"])
@BOTH
def test_a_trace_that_the_program_names(sdt, rec, read, kinds, values):
    trace = Trace(rec)
    fields = [f"trace_id:{kinds[0]}", f"span_id:{kinds[1]}"]
    begin, end = trace.define("web", "request_begin", *fields), trace.define("web", "request_end")
    start, done = trace.define("db", "query-start"), trace.define("db", "query-done")
    tick = trace.define("web", "tick", *fields)
    other = [value if isinstance(value, int) else value[::-1] for value in values]
    stream = trace.stream()
    stream.event(1, begin, *values).event(2, start).event(3, tick, *values).event(4, tick, *other)
    stream.event(5, done).event(6, end).event(7, tick, *values)
    trace.write()
    requests = read(sdt)
    query, request = sorted(spans(requests), key=lambda span: span["name"])
    assert request["trace_id"] == query["trace_id"] == TRACE
    assert request["parent_span_id"] == SPAN and query["parent_span_id"] == request["span_id"]
    assert not {"trace_id", "span_id"} & set(attributes(request))
    assert [event["time_unix_nano"] - START for event in query["events"]] == [3]
    alone, last = logs(requests)
    assert alone["trace_id"] not in (TRACE, b"") and last["trace_id"] == TRACE
    assert last["span_id"] == SPAN


@pytest.mark.parametrize("kind, value", [
    ("string", "0" * 32), ("string", TRACE.hex()[:-1]), ("string", TRACE.hex()[:-1] + "g"),
    ("string", ""), ("bytes", bytes(16)), ("bytes", TRACE[:8]), ("uint16[]", [1] * 8),
    ("int64", 1), ("uint64", 1)], ids=range(9))
def test_what_is_no_trace_id_is_an_argument(sdt, rec, kind, value):
    trace = Trace(rec)
    begin = trace.define("web", "request_begin", f"trace_id:{kind}")
    trace.stream().event(1, begin, value).event(2, trace.define("web", "request_end"))
    trace.write()
    [span] = spans(to_file(sdt))
    assert span["trace_id"] not in (TRACE, bytes(16)) and "parent_span_id" not in span
    found = attributes(span)["trace_id"]
    assert found == value


@BOTH
def test_a_span_has_128_events(sdt, rec, read):
    """The others are log records, which name the span."""
    trace = Trace(rec)
    begin, end = trace.define("web", "request_begin"), trace.define("web", "request_end")
    tick = trace.define("web", "tick", "n:int32")
    stream = trace.stream().event(0, begin)
    for n in range(200):
        stream.event(1 + n, tick, n)
    stream.event(300, end).event(301, tick, 200)
    trace.write()
    requests = read(sdt)
    [span], records = spans(requests), logs(requests)
    assert [attributes(event)["n"] for event in span["events"]] == [*range(128)]
    assert [attributes(record)["n"] for record in records] == [*range(128, 201)]
    assert {(record["trace_id"], record["span_id"]) for record in records[:-1]} == {
        (span["trace_id"], span["span_id"])}
    assert not {"trace_id", "span_id"} & set(records[-1])


@BOTH
def test_requests_are_small(sdt, rec, read):
    trace = Trace(rec)
    begin, end = trace.define("web", "request_begin", "s:string"), trace.define("web",
                                                                               "request_end")
    for n in range(1200):
        trace.stream().event(2 * n, begin, "x" if n < 1100 else "x" * 60000)
        trace.stream().event(2 * n + 1, end).packet()
    trace.write()
    requests = read(sdt)
    counts = [len(spans([request])) for request in requests]
    assert sum(counts) == 1200 and counts[:2] == [512, 512] and max(counts[3:]) < 30


def test_processes_and_services(sdt, rec):
    """Each process and each provider of it has a list of its own; a child has its own number."""
    for program, pid, host in (("web", 4711, "one"), ("db", 4712, "two")):
        trace = Trace(rec, program, pid, host)
        begin, end = trace.define(program, "work_begin"), trace.define(program, "work_end")
        tick = trace.define("other", "tick")
        trace.stream().event(pid, begin).event(pid + 1, end).event(pid + 2, tick)
        trace.stream().event(pid + 3, begin, pid=9, tid=9).event(pid + 4, end, pid=9, tid=9)
        trace.write()
    requests = to_file(sdt)
    assert {(found["service.name"], found["host.name"], found["process.pid"], scope, span["name"])
            for found, scope, span in items(requests)} == {
        (program, host, number, program, f"{program}:work")
        for program, pid, host in (("web", 4711, "one"), ("db", 4712, "two"))
        for number in (pid, 9)}
    assert {scope for _, scope, _ in items(requests, "logs")} == {"other"}
    requests = to_file(sdt, env={"OTEL_SERVICE_NAME": "shop"})
    assert {found["service.name"] for found, _, _ in items(requests)} == {"shop"}
    assert {found["process.executable.name"] for found, _, _ in items(requests)} == {"web", "db"}


PAGE = (ROOT / "docs" / "opentelemetry.md").read_text()


def record_the_page(sdt):
    [source] = re.findall(r"^```c web\.c\n(.*?)^```", PAGE, re.M | re.S)
    exe = recorded.build(sdt, sdt.write("web.c", source), name="web")
    ask(sdt, "record", "-o", "rec", "--", exe)


def test_the_page(sdt):
    """Its program, and what its session prints."""
    record_the_page(sdt)
    with otlp.Receiver() as receiver:
        result = send(sdt, receiver.url, status=0)
        requests = receiver.requests()
    assert result.stdout.replace(receiver.url, "http://localhost:4318") in PAGE.splitlines(True)
    assert [(name, parent) for name, _, _, parent in shape(requests)] == [
        ("web:request", None), ("db:query", "web:request")] * 2
    assert [attributes(span)["path"] for span in spans(requests)
            if span["name"] == "web:request"] == ["/index.html", "/search"]
    assert [len(span["events"]) for span in spans(requests)] in ([1, 1, 0, 0], [0, 0, 1, 1])
    assert [record["event_name"] for record in logs(requests)] == ["web:start"]


def test_callers(sdt):
    """The same lines as sdt report's."""
    exe = recorded.build(sdt, "record_stack.c", "-g", "-pthread", "-O2", ldflags=["-pthread"])
    ask(sdt, "record", "-o", "rec", "--stack=4", "--", exe)
    lines = run(sdt, "report", "--stack", "rec").stdout.splitlines()
    shown = ["".join(f"{line.strip()}\n" for line in lines[n + 1:n + 5])
             for n, line in enumerate(lines) if not line.startswith(("TIME", "        "))]
    found = [attributes(record)["code.stacktrace"] for record in logs(to_file(sdt))]
    assert len(found) == 8
    short = [text for text in found if text.count("\n") < 4]
    assert [text for text in found if text not in short] == [
        text for text, other in zip(shown, found) if other not in short]
    assert len(short) < 8


def test_nothing_to_export(sdt, rec):
    trace = Trace(rec)
    trace.define("web", "tick")
    trace.stream().packet()
    trace.write()
    assert to_file(sdt) == []
    with otlp.Receiver() as receiver:
        result = send(sdt, receiver.url, status=0)
    assert result.stdout == f"{receiver.url}: nothing to deliver\n" and not receiver.seen


# ---- The command line. ----

def simple(rec, count=1, ticks=0):
    trace = Trace(rec)
    begin, end = trace.define("web", "request_begin"), trace.define("web", "request_end")
    tick = trace.define("web", "tick")
    for n in range(count):
        trace.stream().event(3 * n, begin).event(3 * n + 1, end)
    for n in range(ticks):
        trace.stream().event(3 * count + n, tick)
    trace.write()


@pytest.mark.parametrize("out, problem", [
    ("grpc://localhost", "OTLP goes to http:// or https://, or into a file"),
    ("http://", "this address names no host"), ("https:///v1", "this address names no host"),
    ("http://:4318", "this address names no host"), ("", "an output needs a name"),
    ("localhost:4318", "a receiver is http://localhost:4318; a file of that name is "
     "./localhost:4318")])
def test_what_is_no_output(sdt, rec, out, problem):
    simple(rec)
    result = run(sdt, "export", f"--otlp={out}", "rec", status=2)
    assert problem in result.stderr
    assert not sdt.path("localhost:4318").exists()


def test_one_output_at_a_time(sdt, rec):
    simple(rec)
    for other in ("--chrome=a", "--perfetto=a", "--otlp=http://localhost"):
        assert "one output at a time" in run(sdt, "export", "--otlp=b", other, "rec",
                                             status=2).stderr


def test_a_file_that_cannot_be_written(sdt, rec):
    simple(rec)
    result = run(sdt, "export", "--otlp=none/out.json", "rec", status=1)
    assert "none/out.json" in result.stderr


@pytest.mark.parametrize("name, value", [
    ("TIMEOUT", "1s"), ("TIMEOUT", "0"), ("TIMEOUT", "-5"), ("TIMEOUT", "99999999999"),
    ("HEADERS", "secret"), ("HEADERS", "a b=secret"), ("HEADERS", "=secret"),
    ("HEADERS", "a=secret%0d%0ax"), ("HEADERS", "a=b,c=%2"), ("HEADERS", "a=%zz")])
def test_variables_that_are_wrong(sdt, rec, name, value):
    simple(rec)
    with otlp.Receiver() as receiver:
        result = send(sdt, receiver.url, env={f"OTEL_EXPORTER_OTLP_{name}": value}, status=1)
    assert f"OTEL_EXPORTER_OTLP_{name}" in result.stderr and not receiver.seen
    assert "secret" not in result.stderr
