# SPDX-License-Identifier: BSD-2-Clause
"""Which request a snapshot was taken for: `sdt record --when` says it at the end, `sdt report` and
the page mark it and show its events alone.

The program (programs/event_loop.c) has requests open at once in one thread, and says how long each
took. What no program does when it is told to is in recordings that are written here.
"""
import json
import re
import signal
import subprocess

import pytest

import attached
import patience
import recorded
from attached import SDT, Target, ask, code, json_lines
from recordings import Trace
from report_page import read as read_page
from test_pairing import is_true, truth
from test_sdt_html import opened, rows, text, window  # noqa: F401  (a fixture)

WHEN = "lat request-begin /id % 10 == 7/ request-end match id > 1ns"
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


@pytest.fixture(scope="module")
def exe(tmp_path_factory):
    from conftest import Toolbox  # pylint: disable=import-outside-toplevel
    return attached.build(Toolbox(tmp_path_factory.mktemp("loop")), "event_loop.c", name="loop")


def noted(sdt):
    """The lines that say which snapshots there are."""
    return [line for path in sdt.path("rec").glob("*/.snapshots")
            for line in path.read_text().splitlines() if line.startswith("snapshot ")]


def record(sdt, exe, lines, when=WHEN, before="", args=()):
    """A snapshot is taken of each of LINES, of words; what program and tool say."""
    said = []
    with Target(exe) as target:
        text_before = code(target.pid)
        with subprocess.Popen([SDT, "record", "-o", "rec", *args, "--when", when, "-p",
                               str(target.pid)], stderr=subprocess.PIPE, text=True,
                              cwd=sdt.path(".")) as tool:
            attached.until_attached(tool, target.pid, text_before)
            for number, words in enumerate([before, *lines]):
                target.process.stdin.write(words + "\n")
                while (line := target.process.stdout.readline()) != "ok\n":
                    said.append(line)
                patience.until(lambda number=number: len(noted(sdt)) == number, tool)
            tool.send_signal(signal.SIGINT)
            errors = tool.communicate()[1]
            assert tool.returncode == 0, errors
    return truth("".join(said)), errors


def events(sdt, *args):
    return json_lines(ask(sdt, "report", "--json", *args, "rec").stdout)


def test_each_request_is_told_with_its_latency_and_arguments(sdt, exe):
    took, errors = record(sdt, exe, ["b1 b7 p b2 e1 w5 e7 e2", "b3 b17 e3 p w2 e17"], before="p p")
    found = re.findall(r"^snapshot (\d)  ([\d.]+) (\w+)  until \S+ \S+  thread \d+\n"
                       r"    loop:request-begin (.*)\n    loop:request-end (.*)\n", errors, re.M)
    assert [(number, *arguments) for number, _, _, *arguments in found] == [
        ("1", 'id=7 path="/7"', "id=7 status=404"), ("2", 'id=17 path="/17"', "id=17 status=404")]
    for (_, amount, unit, *_), id in zip(found, (7, 17)):
        least, most = took[id]
        assert 0.99 * least <= float(amount) * UNITS[unit] <= 1.01 * most
    assert errors.endswith(", 2 snapshots\n")

    marked = [event for event in events(sdt) if "snapshot" in event]
    assert [(event["name"], event["args"]["id"], event["snapshot"]["number"],
             event["snapshot"]["is"]) for event in marked] == [
        ("request__begin", 7, 1, "begin"), ("request__end", 7, 1, "end"),
        ("request__begin", 17, 2, "begin"), ("request__end", 17, 2, "end")]
    assert all(is_true(event["snapshot"]["latency"], took[event["args"]["id"]])
               for event in marked)
    report = ask(sdt, "report", "rec").stdout
    assert re.search(r"loop:request-begin +id=7 path=\"/7\"\n  \^ snapshot 1 begins\n", report)
    assert re.search(r"loop:request-end +id=17 status=404\n  \^ snapshot 2: [\d.]+ ms since "
                     r"loop:request-begin id=17 path=\"/17\"\n", report)
    assert report.count("^ snapshot") == 4
    summary = ask(sdt, "report", "--summary", "rec").stdout
    assert [line for line in errors.splitlines() if line[:5] != "sdt: "] == \
        summary[summary.index("snapshot 1  "):].splitlines()


def test_only_its_events(sdt, exe):
    """Of requests that were open at once, the others are left out, also those that are after it in
    the ring, and what belongs to no request is not."""
    record(sdt, exe, ["p b1 b7 p b2 e1 p w3 p e7 e2 p", "b3 p b17 p e3 p e17"], before="p p")
    everything = events(sdt)
    alone = {number: events(sdt, f"--snapshot={number}") for number in (1, 2)}
    for number, id, polls in ((1, 7, [3, 4, 5]), (2, 17, [8, 9])):
        assert [event["args"].get("n", event["args"].get("id")) for event in alone[number]] == \
            [id, *polls, id]
        assert all(event in everything for event in alone[number])
    assert len(events(sdt, "--snapshot=1", "-f", "name == \"poll\"")) == 3
    assert len(ask(sdt, "report", "--csv", "--snapshot=2", "rec").stdout.splitlines()) == 5
    assert "rec: there is no snapshot 3: it has 2" in \
        ask(sdt, "report", "--snapshot=3", "rec", status=1).stderr


def test_by_thread_and_of_a_hit(sdt, exe):
    """A condition that is no latency has what its thread did since the snapshot before."""
    record(sdt, exe, ["b1 w2 e1", "p b2 p e2"], when="lat request-begin request-end > 1ns")
    assert [event["name"] for event in events(sdt, "--snapshot=2")] == [
        "request__begin", "poll", "request__end"]
    sdt.run("rm", "-r", "rec")
    _, errors = record(sdt, exe, ["b1 e1 p p p", "b2 e2 p p"], when="poll /n == 2 || n == 4/")
    assert re.search(r"^snapshot 2  at \S+ \S+  thread \d+\n    loop:poll n=4\n", errors, re.M)
    assert [event["args"].get("id", event["args"].get("n"))
            for event in events(sdt, "--snapshot=2")] == [2, 2, 3, 4]
    assert "latency" not in [event for event in events(sdt) if "snapshot" in event][0]["snapshot"]


def test_the_programs_own_snapshots(sdt):
    """sdt_snapshot_when(), written by a thread of the process."""
    exe = recorded.build(sdt, "record_snapshot.c", "-pthread")
    sdt.command("taskset", "-c", "0", exe, "flight", 20_000)
    marked = [event for event in events(sdt) if "snapshot" in event]
    assert [event["args"] for event in marked] == [{"ns": 2_000_000, "path": "/slow"}]


@pytest.mark.parametrize("match, warning", [
    ("", "by thread"), (" match id", None), (" match 5", "")])
def test_what_cannot_be_told_is_said(sdt, exe, match, warning):
    """By thread, an event loop has latencies that are too short: perhaps no snapshot at all."""
    words = ["b1", "b2", "e1", "b3", "e2", "e3", "b4", "e4"]
    errors = ask(sdt, "record", "-o", "rec", "--when",
                 f"lat request-begin request-end{match} > 100s", "--", exe, *words).stderr
    assert errors.endswith(", 0 snapshots\n")
    said = re.findall(r"^sdt: warning: request-begin: (\d) hits began what had not ended\n", errors,
                      re.M)
    assert said == ([] if warning is None else ["1"])
    assert ("value that both probes have: match id\n" in errors) == bool(warning)


# ---- The page. ----


def test_the_page(sdt, exe, window):  # noqa: F811
    record(sdt, exe, ["p b1 b7 p b2 e1 w5 p e7 e2", "b3 b17 e3 p e17"], before="p p p")
    opened(sdt, window)
    assert text(window, "snapshots-title") == "Snapshots"
    assert [[row[0], *row[4:]] for row in rows(window, "snapshots")] == [
        ["1", 'loop:request-begin id=7 path="/7"', "loop:request-end id=7 status=404"],
        ["2", 'loop:request-begin id=17 path="/17"', "loop:request-end id=17 status=404"]]
    state = "({...document.getElementById('timeline').dataset})"
    everything = int(window.run(state)["drawn"])
    assert everything == 2 + 3 * 2 + 7  # slices, other begins and ends, and polls
    window.key("m")
    assert "id7" in text(window, "details") and "snapshot1" in text(window, "details")
    colour = "getComputedStyle(document.getElementById('only')).color"
    before = window.run(colour)
    window.key("o")
    assert window.run(colour) != before  # so that it is seen that others are hidden
    shown = window.run(state)
    assert (shown["only"], shown["drawn"]) == ("1", "3")  # it, and two polls
    assert float(shown["to"]) - float(shown["from"]) < 1e9
    window.key("m")
    shown = window.run(state)
    assert (shown["only"], shown["drawn"]) == ("2", "2")
    window.key("o")
    window.key("0")
    shown = window.run(state)
    assert "only" not in shown and int(shown["drawn"]) == everything
    window.run("document.querySelector('#snapshots tbody button').click()")
    window.run("document.getElementById('only').click()")
    window.frame()
    assert window.run(state)["only"] == "1"
    opened(sdt, window, fragment="#snapshot=2")
    assert "id17" in text(window, "details")
    opened(sdt, window, "-f", "name != \"request__begin\"")
    assert [row[4:] for row in rows(window, "snapshots")] == [
        ["", f"loop:request-end id={id} status=404"] for id in (7, 17)]
    assert window.complaints() == []


def test_a_page_without_snapshots(sdt, window):  # noqa: F811
    trace = Trace(sdt.path("rec"))
    trace.stream().event(5, trace.define("web", "tick"))
    trace.write()
    opened(sdt, window)
    assert window.run("document.getElementById('snapshots-panel').hidden && "
                      "document.getElementById('only').hidden")
    for key in "moM":
        window.key(key)
    assert window.complaints() == []


# ---- What is noted. ----


def made(sdt, notes, pair="pair begin%20end%20match%20id\n"):
    """Two threads, with requests that go from one to the other; times are ns."""
    trace = Trace(sdt.path("rec"))
    begin, end = (trace.define("web", name, "id:int32") for name in ("begin", "end"))
    work, note = trace.define("web", "work", "id:int32"), trace.define("web", "note")
    stream = trace.stream()
    for time, kind, values, tid in [
            (100, begin, [1], 10), (200, begin, [2], 10), (300, work, [1], 30), (310, note, [], 30),
            (320, note, [], 10), (330, work, [2], 30), (340, note, [], 20), (400, end, [1], 20),
            (500, end, [2], 20), (600, end, [3], 20)]:
        stream.event(time, kind, *values, tid=tid)
    path = trace.write()
    (path / ".snapshots").write_text(pair + notes)
    return path


def test_a_request_that_threads_pass_on(sdt):
    """Its value counts in every thread; what has none, in those of its begin and its end."""
    made(sdt, "snapshot 405 300 4711 20 2\n")
    found = [(event["name"], event["tid"]) for event in events(sdt, "--snapshot=1")]
    assert found == [("begin", 10), ("work", 30), ("note", 10), ("note", 20), ("end", 20)]
    assert re.search(r"^snapshot 1  300 ns  until .*  thread 10 to 20\n    web:begin id=1\n"
                     r"    web:end id=1\n$", ask(sdt, "report", "-s", "rec").stdout, re.M)


@pytest.mark.parametrize("notes, said, marked", [
    ("snapshot 605 100 4711 20 2\n", "web:end id=3\n", 1),  # its begin is not there
    ("snapshot 605 100 4711 20 9\n", "    its event was lost\n", 0),
    ("snapshot 605 100 4711 99 2\n", "    its event was lost\n", 0),
    ("snapshot 505 300 4711 20 2\nsnapshot 405 300 4711 20 2\n", "snapshot 2  300 ns ", 4)])
def test_what_is_not_in_the_recording(sdt, notes, said, marked):
    made(sdt, notes)
    assert said in ask(sdt, "report", "--summary", "rec").stdout
    assert sum("snapshot" in event for event in events(sdt)) == marked
    assert len(events(sdt)) == 10


@pytest.mark.parametrize("notes", [
    "snapshot\n", "snapshot 1\n", "snapshot 1 2 3 4\n", "snapshot -1 2 3 4 5\n",
    "snapshot x 2 3 4 5\n", "snapshot 99999999999999999999 2 3 4 5\n",
    "snapshot 1 2 3 4 4294967296\n",
    "snapshot 405 300 4711 20"])
def test_notes_that_are_none(sdt, notes):
    made(sdt, notes)
    result = ask(sdt, "report", "--json", "rec")
    assert len(result.stdout.splitlines()) == 10 and "snapshot" not in result.stdout
    assert not result.stderr


def test_hostile_notes(sdt):
    """Extreme numbers, and many; a page that is no larger than it may be."""
    top = 2**64 - 1
    many = "".join(f"snapshot {i % 700} {i % 3 and top} {i % 5} {i % 7} {i % 11}\n"
                   for i in range(2_000))
    made(sdt, f"snapshot {top} {top} {2**32 - 1} {2**32 - 1} {2**32 - 1}\nsnapshot 0 0 0 0 0\n"
         + many)
    assert len(events(sdt)) == 10
    ask(sdt, "report", "--html=out.html", "rec")
    description, found = read_page(sdt.path("out.html").read_text())
    assert len(found) == 10 and len(description["snapshots"]) == 2_002
    assert json.dumps(description["snapshots"]).count("null") == 0
    for word in ("0", "x", "-1", "1x", ""):
        assert "--snapshot needs a number" in ask(sdt, "report", f"--snapshot={word}", "rec",
                                                  status=2).stderr
    assert "not for --html" in ask(sdt, "report", "--snapshot=1", "--html=x", "rec",
                                   status=2).stderr
