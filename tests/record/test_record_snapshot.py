# SPDX-License-Identifier: BSD-2-Clause
"""sdt_snapshot_when(): what led to an event is on disk, and conditions mean what they mean to
`sdt report --filter`."""
import functools
import json

import pytest

import expressions
import recorded
from conftest import ROOT


@pytest.fixture
def snapshot(sdt):
    return recorded.build(sdt, "record_snapshot.c", "-pthread")


@recorded.with_and_without_rseq
def test_what_led_to_it_is_on_disk(sdt, snapshot, rseq):
    """Of 600 000 hits, in rings that have room for 2000: those before the slow request, without a
    gap; and when the program ends, the last ones."""
    n = 200_000
    assert sdt.command("taskset", "-c", "0", snapshot, "flight", n, env=rseq).stdout == "ok\n"
    events, _, missing = recorded.read(sdt)
    recorded.streams(sdt, gaps=True)
    [slow] = [i for i, event in enumerate(events) if event.name == "snap:request"
              and event.fields == {"ns": 2_000_000, "path": "/slow"}]
    ticks = [event.fields["i"] for event in events if event.name == "snap:tick"]
    before = [event.fields["i"] for event in events[:slow] if event.name == "snap:tick"]
    assert before == [*range(n - len(before), n)] and len(before) > 1000
    assert ticks == sorted(set(ticks)) and ticks[-1] == 3 * n - 1 and missing > 0


def test_a_recorder_that_is_no_flight_recorder_has_all(sdt, snapshot):
    """There a snapshot is a moment at which everything is on disk, and nothing stops."""
    sdt.run(snapshot, "discard", 300)
    events, discarded, missing = recorded.read(sdt)
    assert (len(events), discarded, missing) == (903, 0, 0)


@recorded.with_and_without_rseq
def test_what_a_child_has_seen(sdt, snapshot, rseq):
    """Its parent writes it; they share the rings. However late that is, nothing is overwritten (of
    a ring that is full, the oldest packet is left out), and what had no room is counted."""
    sdt.run(snapshot, "child", env=rseq)
    events, _, _ = recorded.read(sdt)
    slow = next(i for i, event in enumerate(events) if event.fields.get("path") == "/slow")
    before = [event.fields["i"] for event in events[:slow]]
    assert before == [*range(1000 - len(before), 1000)] and len(before) > 700
    after = [event.fields["i"] for event in events[slow + 1:] if event.fields["i"] < 100_000]
    assert after == [*range(1000, 1000 + len(after))]
    assert recorded.lost(sdt, gaps=True) == 99_000 - len(after) > 90_000
    assert events[-1].fields["i"] == 199_999


def test_conditions_that_are_refused(sdt, snapshot):
    assert sdt.run(snapshot, "refused") == "ok\n"


@pytest.mark.slow
def test_recording_goes_on_without_a_writer(sdt, snapshot):
    """What is kept for a snapshot is kept for ten seconds at most."""
    result = sdt.command(snapshot, "nobody")
    assert 90 <= int(result.stderr.split()[1]) < 300


CONDITIONS = [
    "n > 0", "n >= 0 && n < 2", "!(n == 1)", "n != 1 || u == 18446744073709551614", "n", "!n",
    "d < 0.25", "d != d", "d == d", "d == -0.5", "d * 4 == n", "-d > 0", "n / 2 == 1", "n % 2 == 1",
    "n & 1", "n / (n - 1) == 2", "n - 3 < 0 - 1", "u > 9223372036854775807", "u + 1 == 0",
    "u * u > 1e38", "0x10 + n == 16", ".5 == d", "0.5e1 == 5", 's == "/index"', 's ^= "/"', "s",
    's == ""', 's < "/j"', 's == "\\x2findex"', 's == "<null>"', 's == "<fault>"', 's == "a b"',
    's + 1 == 1', 's == 1', 'n ^= "1"', 'name == "first"', 'provider == "web"', "arg.name == 3",
    "name == 3", 'function == "main"', "ok", "ok == true", "!ok", "odd - 1 == 2 * arg.name",
    "arg3 == -2", "u & 0xff == 0xfe", "true", "false", "pid == tid",
    "pid > 0 && cpu >= 0", "1 < 2 && 2 <= 2 && 2 >= 2 && 3 > 2", "-9 % 4 == -1", "7 / -2 == -3",
    "((((((((n))))))))", "- - n == n", '"a" == "a"', '"a" < "b"', "1 || 0 && 0", "texts == \"/in\"",
    "1ms == 1000000", "1.5us == 1500", "n < 2ns", "10ms / 1us == 10000", "n * 2us == 4000",
    "2s > u", "n | 1", "n ^ 1 == 2", "~n == 0", "n << 2 == 8", "u >> 60", "n << 64",
    "n - 1 | n & 2",
    "len(s) > 1", "len(s) == len(texts)", "str(s, n) == \"/i\"", "str(s) == s", "int(d * 10) == 2",
    "int(-d) == 0", "numbers[1] == 2", "numbers[0] == -1", "numbers[2] >> 40 == 1", "numbers[n]",
    "numbers[3]", "len(numbers) == 3", "halves[1] < 0", "halves[2] == 2.5", "n[0]",
    'state == "in 100 %"', 'state != "busy" && name ^= "h"', 'state ^= "b"', 'state < "bz"',
    'name == "hyphen-ated"', 'name == "hyphen__ated"', 'name ^= "hyphen-"', 'name < "hyphen-b"',
]


TIMES = [
    "wait > 5ms", "wait >= 5ms && wait < 0.011s", "wait < 0", "-5ms > wait", "wait == -10000us",
    "wait < rest", "rest - wait == 1us", "wait == rest - 1us", "wait + 1ns > 5ms",
    "wait * 2 > 12ms",
    "wait / 2ms == 2", "rest % 1ms == 1us", "long_time > 999ms", "long_time < 0ns && wait < 0",
    "moment < 2ns && moment > -1ns", "wait * 0.5 > 2.4ms", "wait * 0.001 == long_time * 0.005",
    "long_time * 5 == wait * 1000", "-wait >= 5000000ns", "wait * rest > 1",
    "wait & 5", "moment == 1",
]


@pytest.mark.plain
def test_conditions_mean_what_filters_mean(sdt):
    """And what they mean by the rules, of which there is a third version in expressions.py."""
    shown = check_conditions(sdt, CONDITIONS, 18)
    events, _, _ = recorded.read(sdt)
    assert len(events) == len(shown) == 18
    for line, event in zip(shown, events):
        expected = [expressions.holds(condition, functools.partial(value_of, event))
                    for condition in CONDITIONS]
        wrong = [condition for condition, found, right in zip(CONDITIONS, line, expected)
                 if (found == "1") != right]
        assert wrong == [], event


def value_of(event, name):
    """Of a name in an expression, for expressions.py."""
    provider, probe = (expressions.Name(part, "ascii") for part in event.name.split(":"))
    own = {"provider": provider, "name": probe, "function": "main", "pid": event.pid,
           "tid": event.tid, "cpu": event.cpu}
    value = event.fields.get(name.removeprefix("arg."), own.get(name))
    if name in own:
        value = own[name]
    return value.encode() if isinstance(value, str) else value


def test_conditions_with_times(sdt):
    """Durations of C++ have a unit, a sign, and meet each other."""
    shown = check_conditions(sdt, TIMES, 24, sdt.compile("record_condition_times.cc",
                                                         compiler="g++"))
    columns = list(zip(*shown[18:]))
    assert "".join(columns[TIMES.index("wait > 5ms")]) == "000011"
    assert "".join(columns[TIMES.index("wait < 0")]) == "110000"
    assert "".join(columns[TIMES.index("wait + 1ns > 5ms")]) == "000111"
    assert "".join(columns[TIMES.index("long_time > 999ms")]) == "000111"
    assert "".join(columns[TIMES.index("wait / 2ms == 2")]) == "000100"
    assert all("1" in column for column in columns)


VIEWS = {
    'path == "/index"': "10000", 'path ^= "/in"': "11000", 'path == ""': "00100", "path": "11011",
    'path == "<null>"': "00010", 'path == "<fault>"': "00001", "len(path) == 3": "01000",
    'str(path, 2) == "/i"': "11000",
}


def test_conditions_with_views(sdt):
    """Of a string_view, the text that is there, as it is recorded."""
    shown = check_conditions(sdt, list(VIEWS), 23,
                             sdt.compile("record_condition_views.cc", "-std=c++17"))
    assert ["".join(column) for column in zip(*shown[18:])] == list(VIEWS.values())


def check_conditions(sdt, conditions, hits, *objects):
    """Hits are numbered by their times. Lines of what the recorder has found."""
    own = sdt.compile("record_condition.c", "-I", ROOT / "runtime")
    exe = sdt.link(*(sdt.process(obj) for obj in (own, *objects)), runtime="static",
                   compiler="g++" if objects else "gcc")
    shown = sdt.run(exe, *conditions).splitlines()
    assert len(shown) == hits
    events = [json.loads(line) for line in
              recorded.tool(sdt, "report", "--json", "rec").stdout.splitlines()]
    times = [event["time"] for event in events]
    assert len(set(times)) == hits
    for i, condition in enumerate(conditions):
        chosen = recorded.tool(sdt, "report", "--json", "--filter", condition, "rec",
                               status=None).stdout.splitlines()
        wanted = [times.index(json.loads(line)["time"]) for line in chosen]
        assert [n for n, line in enumerate(shown) if line[i] == "1"] == wanted, condition
    return shown
