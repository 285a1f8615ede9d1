# SPDX-License-Identifier: BSD-2-Clause
"""The ids of the trace and span that a thread works for: `--context`, and `trace_id` and `span_id`
in expressions. The program has OpenTelemetry's `otel_thread_ctx_v1` as its specification says, or a
variable of its own; the observers are babeltrace2, protoc, SQLite and the program's own numbers."""
import json
import re
import sqlite3
import subprocess

import pytest

import otlp
import patience
import recorded
from attached import SDT, Target, ask, code, json_lines, until_attached
from conftest import PROGRAMS
from test_sdt_html import opened, text, window  # noqa: F401  (a fixture)

EXPORTED = ["-rdynamic", "-Wl,--no-as-needed"]
TRACES = {thread: bytes(thread * 16 + i for i in range(16)).hex() for thread in (1, 2, 3)}
SPANS = {span: bytes(span * 32 + i for i in range(8)).hex() for span in (1, 2, 3, 4)}


def build(sdt, *flags, name="a.out", ldflags=EXPORTED, own=True):
    own = ["-DCONTEXT_OWN"] if own else []
    return sdt.build("context.c", "-pthread", *own, *flags, runtime="shared", name=name,
                     ldflags=["-pthread", "-ldl", *ldflags])


def library(sdt, *flags, name="libvariable.so"):
    sdt.command("gcc", "-O2", "-fPIC", "-shared", *flags, "-o", name,
                PROGRAMS / "context_variable.c")
    return sdt.path(name)


def wanted(number):
    """What a hit of serve(NUMBER) has: each thread has no context first, then three spans."""
    thread, span = divmod(number, 10)
    return (TRACES[thread], SPANS[span]) if span else None


def record(sdt, exe, *args, options="context", **env):
    sdt.command(exe, *args, env={**recorded.wish(sdt, options=options), **env})


def contexts(sdt):
    """(probe, first argument or None, ids or None) of each event, by babeltrace2."""
    text = sdt.run("babeltrace2", sdt.path("rec"))
    form = (r"(app:\w+): .*\{ trace_id = \[ \[0\] = 0x(\w+), \[1\] = 0x(\w+) \], "
            r"span_id = 0x(\w+) \}, \{ (?:\w+ = (\d+))?")
    rows = re.findall(form, text)
    assert len(rows) == len(text.splitlines())
    return [(probe, int(number) if number else None,
             (f"{high:>016}{low:>016}".lower(), f"{span:>016}".lower())
             if (high, low, span) != ("0", "0", "0") else None)
            for probe, high, low, span, number in rows]


def check_hits(found):
    numbers = [number for number, _ in found]
    assert sorted(numbers) == [10, 11, 12, 13, 20, 21, 22, 23]
    for number, ids in found:
        assert ids == wanted(number), number


@recorded.with_and_without_rseq
@pytest.mark.parametrize("flags", [[], ["-DSDT_CALL_SITES"], ["-O0"]], ids=["inline", "call", "O0"])
def test_every_event_has_the_ids_of_its_thread(sdt, flags, rseq):
    """Whatever it records besides: nothing, a number, a number and a text."""
    record(sdt, build(sdt, *flags), "hit", **rseq)
    rows = contexts(sdt)
    recorded.streams(sdt)
    assert len(rows) == 32
    for probe in ("app:request__begin", "app:step", "app:request__end"):
        check_hits([(number, ids) for name, number, ids in rows if name == probe])
    assert [ids for name, _, ids in rows if name == "app:none"] == \
        [ids for name, _, ids in rows if name == "app:step"]
    texts = [(event.fields["number"], event.fields["path"]) for event in recorded.read(sdt)[0]
             if "path" in event.fields]
    assert texts == [(n, "/some" if n % 10 else "/none") for n in (10, 11, 12, 13, 20, 21, 22, 23)]


def test_with_callers(sdt):
    record(sdt, build(sdt), "hit", options="context,stack=8")
    rows = contexts(sdt)
    check_hits([(number, ids) for name, number, ids in rows if name == "app:step"])
    events = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert len(events) == 32 and all(event["stack"][0]["function"] == "serve" for event in events)
    assert sum("trace_id" in event["args"] for event in events) == 24


def test_only_if_it_is_asked_for(sdt):
    record(sdt, build(sdt), "hit", options="")
    assert "trace_id" not in sdt.run("babeltrace2", sdt.path("rec"))
    assert "trace_id" not in ask(sdt, "report", "--json", "rec").stdout


@pytest.mark.parametrize("model", ["-mtls-dialect=gnu", "-mtls-dialect=gnu2",
                                   "-ftls-model=initial-exec"])
def test_variables_of_libraries(sdt, model):
    """One that the program is linked with, and one that it loads for itself alone, while it has a
    thread already: `bad` runs in that one."""
    there = library(sdt, model)
    record(sdt, build(sdt, own=False, ldflags=[there, f"-Wl,-rpath,{sdt.dir}"]), "hit")
    check_hits([(number, ids) for name, number, ids in contexts(sdt) if name == "app:step"])
    loads = build(sdt, "-DCONTEXT_LOADED", name="loads", own=False, ldflags=["-Wl,--no-as-needed"])
    for what, count in (("hit", 24), ("bad", 8)):
        directory = f"loaded-{what}"
        ask(sdt, "record", "--context", "-o", directory, "--", loads, what,
            env={"LIBRARY": str(there), "REGISTER": "again"})
        events = json_lines(ask(sdt, "report", "--json", directory).stdout)
        assert sum("trace_id" in event["args"] for event in events) == count


@pytest.mark.parametrize("model", ["-mtls-dialect=gnu", "-mtls-dialect=gnu2",
                                   "-ftls-model=initial-exec"])
def test_a_variable_that_the_program_tells_of(sdt, model):
    there = library(sdt, model, "-DCONTEXT_NAME=mine")
    loads = build(sdt, "-DCONTEXT_LOADED", own=False, ldflags=["-Wl,--no-as-needed"])
    env = {"LIBRARY": str(there)}
    record(sdt, loads, "hit", REGISTER="1", **env)
    check_hits([(number, ids) for name, number, ids in contexts(sdt) if name == "app:step"])
    said = sdt.command(loads, "hit", env={"REGISTER": "wrong", **env}).stdout
    assert said.split() == ["1", "1"]  # -EINVAL: on the stack; not aligned


def test_a_static_program_can_tell_as_well(sdt):
    exe = sdt.build("context.c", "-pthread", "-DCONTEXT_OWN", "-DCONTEXT_NAME=mine",
                    ldflags=["-static", "-Wl,-u,__sdt_register"])
    record(sdt, exe, "hit", REGISTER="1")
    check_hits([(number, ids) for name, number, ids in contexts(sdt) if name == "app:step"])


def test_pointers_that_lead_nowhere(sdt):
    """Memory that is not there, a record that is cut off or not valid, ids that are zero: no ids,
    and all events."""
    record(sdt, build(sdt), "bad")
    rows = [(number, ids) for name, number, ids in contexts(sdt) if name == "app:step"]
    good = (TRACES[1], SPANS[1])
    assert rows == [(0, good), *((n, None) for n in range(1, 9)), (9, good)]


def test_ids_that_the_program_passes_are_those_that_count(sdt):
    exe = build(sdt)
    record(sdt, exe, "pass")
    [event] = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert event["args"] == {"trace_id": "0af7651916cd43dd8448eb211c80319c"}
    shown = ask(sdt, "count", "app:passed", "by", "trace_id", "--json", "--", exe, "pass").stdout
    assert '"0af7651916cd43dd8448eb211c80319c"' in shown


# ---- expressions ----

def keys(text):
    return {row["key"]: row["count"] for line in json_lines(text)
            for row in line.get("keys", [line]) if "key" in row}


@pytest.mark.parametrize("by,ids", [
    ("trace_id", {TRACES[1]: 3, TRACES[2]: 3}),
    ("span_id", {SPANS[1]: 2, SPANS[2]: 2, SPANS[3]: 2})])
@pytest.mark.parametrize("command", [["count", "app:step"],
                                     ["lat", "app:request-begin", "app:request-end"]],
                         ids=lambda command: command[0])
def test_keys(sdt, command, by, ids):
    """A hit without a context has no key, and is counted as such."""
    result = ask(sdt, *command, "by", by, "--", build(sdt), "hit")
    rows = dict(re.findall(r"([0-9a-f]{16,32}) +(\d+) ", result.stdout))
    assert {key: int(count) for key, count in rows.items()} == ids
    assert "2 hits had no value, or no key" in result.stdout + result.stderr


def test_conditions(sdt):
    exe = build(sdt)
    for condition, count in ((f'/trace_id == "{TRACES[2]}"/', 3), ("/trace_id/", 6),
                             (f'/span_id == "{SPANS[3]}"/', 2), ("/!trace_id/", 2),
                             ('/trace_id == ""/', 0)):
        shown = ask(sdt, "count", "app:step", condition, "--", exe, "hit", status=None).stdout
        assert sum(map(int, re.findall(r"app:step +(\d+)", shown))) == count, condition
    unknown = ask(sdt, "count", "app:step", "by", "trace_idd", "--", exe, "hit", status=None)
    assert "did you mean 'trace_id'?" in unknown.stderr


def test_a_process_that_runs(sdt):
    with Target(build(sdt), args=["lines"]) as target:
        before = code(target.pid)
        tool = subprocess.Popen(
            [SDT, "trace", "--context", "--json", "-n", "2", "app:step", '/trace_id != ""/', "-p",
             str(target.pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until_attached(tool, target.pid, before)
        target.do("x")
        target.do("x")
        output, errors = patience.wait(tool)
    assert tool.returncode == 0, errors
    events = json_lines(output)
    assert [event["args"].get("trace_id") for event in events] == [TRACES[3]] * 2
    assert [event["args"].get("span_id") for event in events] == [SPANS[4]] * 2


# The sanitized library in a program without sanitizer: libasan finds an old realpath(3) there,
# which takes no NULL.
@pytest.mark.nosan
def test_the_format_of_trace(sdt):
    shown = ask(sdt, "trace", "--context", "app:step", "/trace_id/",
                "{trace_id} {span_id} {number}", "--", build(sdt), "hit").stdout
    assert shown.splitlines() == [f"{TRACES[n // 10]} {SPANS[n % 10]} {n}"
                                  for n in (11, 12, 13, 21, 22, 23)]


@pytest.mark.parametrize("condition,count", [
    (f'span_id == "{SPANS[3]}" && number == 23', 1), (f'trace_id == "{TRACES[3]}"', 0),
    (f'trace_id ^= "{TRACES[2][:9]}" && number > 22', 1), ('arg.trace_id == ""', 0)])
def test_snapshots_of_one_trace(sdt, condition, count):
    """When it is hit for that trace, and not otherwise; also of a program without any."""
    assert sdt.command(build(sdt), "when", condition).stdout == f"{count}\n"
    without = sdt.build("context.c", "-pthread", "-DCONTEXT_OWN", "-DCONTEXT_NAME=mine",
                        runtime="shared", name="without", ldflags=["-pthread", "-ldl"])
    assert sdt.command(without, "when", condition).stdout == "0\n"


@pytest.mark.nosan  # as above
def test_record_when_it_is_that_trace(sdt):
    exe = build(sdt)
    for condition, count in ((f'/trace_id == "{TRACES[2]}"/', 1),
                             (f'/span_id == "{SPANS[4]}"/', 0)):
        directory = f"when-{count}"
        ask(sdt, "record", "--flight", "-o", directory, "--when", f"app:step {condition}", "-e",
            "app:*", "--", exe, "hit")
        events = json_lines(ask(sdt, "report", "--json", "--snapshot=1", directory,
                                status=None).stdout)
        assert bool(events) == bool(count)


# ---- what is made of a recording ----

@pytest.fixture(name="recorded_hits")
def fixture_recorded_hits(sdt):
    record(sdt, build(sdt), "hit")
    return sdt


def test_spans_are_children_of_the_threads_own(recorded_hits):
    sdt = recorded_hits
    result = ask(sdt, "export", "--otlp=out.json", "rec")
    assert result.returncode == 0
    spans = [span for _, _, span in otlp.items(list(otlp.read_lines(sdt.path("out.json"))))]
    assert len(spans) == 8
    for span in spans:
        number = otlp.attributes(span)["number"]
        if wanted(number):
            assert (span["trace_id"].hex(), span["parent_span_id"].hex()) == wanted(number)
        else:
            assert span["trace_id"].hex() not in TRACES.values()
            assert not span.get("parent_span_id")
        assert not {"trace_id", "span_id"} & set(otlp.attributes(span))


def test_a_span_between_two_probes_is_the_inner_ones_parent(sdt):
    """The library began one after our first: it is the parent of our second."""
    exe = build(sdt)
    record(sdt, exe, "nested")
    ask(sdt, "export", "--otlp=out.json", "rec")
    outer, inner, same = sorted(
        (span for _, _, span in otlp.items(list(otlp.read_lines(sdt.path("out.json"))))),
        key=lambda span: span["start_time_unix_nano"])
    assert {span["trace_id"].hex() for span in (outer, inner, same)} == {TRACES[1]}
    assert outer["parent_span_id"].hex() == SPANS[1]
    assert inner["parent_span_id"].hex() == SPANS[2]
    assert same["parent_span_id"] == inner["span_id"]


def test_columns(recorded_hits):
    sdt = recorded_hits
    ask(sdt, "export", "--sqlite=out.db", "rec")
    with sqlite3.connect(sdt.path("out.db")) as database:
        rows = database.execute(
            'select number, trace_id, span_id from "app:request-end"').fetchall()
    check_hits([(number, (trace, span) if trace or span else None)
                for number, trace, span in rows])


def test_reports_and_filters(recorded_hits):
    sdt = recorded_hits
    events = json_lines(ask(sdt, "report", "--json", "--filter",
                            f'trace_id == "{TRACES[1]}" && span_id != "{SPANS[2]}"', "rec").stdout)
    assert [e["args"]["number"] for e in events if e["name"] == "step"] == [11, 13]
    text = ask(sdt, "report", "--filter", 'name == "none"', "rec").stdout.splitlines()[1:]
    assert [line.split(None, 4)[4:] for line in text[:2]] == \
        [["app:none"], [f'app:none           trace_id="{TRACES[1]}" span_id="{SPANS[1]}"']] or text


def test_perfetto_and_page(recorded_hits):
    """Counters are still counters: the ids are no second argument."""
    sdt = recorded_hits
    ask(sdt, "export", "--chrome=out.json", "rec")
    events = json.loads(sdt.path("out.json").read_text())["traceEvents"]
    assert {e["args"]["trace_id"] for e in events if "trace_id" in e.get("args", {})} == \
        {TRACES[1], TRACES[2]}
    assert [e for e in events if e["ph"] == "C"]
    ask(sdt, "export", "--perfetto=out.pftrace", "rec")
    assert TRACES[2].encode() in sdt.path("out.pftrace").read_bytes()
    ask(sdt, "report", "--html=out.html", "rec")
    assert '"trace_id", "c"' in sdt.path("out.html").read_text()


def test_the_page_shows_ids_that_were_there(recorded_hits, window):  # noqa: F811
    opened(recorded_hits, window)
    for words, found in ((TRACES[1], 9), (SPANS[3], 6), ("span_id=", 18), ("path=", 8)):
        window.key("/")
        window.run("document.getElementById('find').select()")
        window.type(words)
        assert text(window, "found") == f"{found} matches", words
