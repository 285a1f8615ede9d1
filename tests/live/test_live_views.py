# SPDX-License-Identifier: BSD-2-Clause
"""What is asked of a running process in expressions: `sdt hist`, `lat`, `count … by`, `trace`.

The program says beforehand which values its probes will have, so that what comes back is calculated
here, from those.
"""
import collections
import signal
import subprocess

import pytest

import attached
import patience
from attached import SDT, Target, ask, code, json_lines, until_attached


@pytest.fixture
def exe(sdt):
    return attached.build(sdt)


def started(sdt, exe, *args, commands="hit 1000", status=0):
    """Objects that `sdt ARGS --json` prints of a program that does COMMANDS, and its messages."""
    result = ask(sdt, *args, "--json", "--", exe, input=f"{commands}\nquit\n", status=status)
    return [line for line in json_lines("\n".join(
        text for text in result.stdout.splitlines() if text.startswith("{")))], result.stderr


def test_what_there_is_nothing_of(sdt, exe):
    """A count without a key has no column for one; of nothing there is no histogram."""
    def lines(*args):
        return [line for line in ask(sdt, *args, "--", exe, input="hit 9\nquit\n")
                .stdout.splitlines() if line not in ("", "here", "ok")]
    head, row = lines("count", "live:tick /i > 3/")
    assert (head.split(), row.split()[:2]) == (["PROBE", "COUNT", "RATE"], ["live:tick", "5"])
    head, _ = lines("count", "live:tick /i > 7/", "by", "i")
    assert head.split() == ["PROBE", "KEY", "COUNT", "RATE"]
    assert lines("count", "live:tick /i > 99/", "by", "i") == ["live:tick: no hits"]
    for by in ([], ["by", "tid"]):
        assert lines("hist", "live:tick /i > 99/", "i", *by) == ["live:tick  i", "no values"]


def in_range(values, low, high):
    return sum(low <= value <= high for value in values)


@pytest.mark.parametrize("expression, values", [
    ("i", range(1000)), ("i * 1000 + 7", [i * 1000 + 7 for i in range(1000)]),
    ("500 - i", [500 - i for i in range(1000)]), ("i << 50", [i << 50 for i in range(1000)]),
    ("arg0 % 7", [i % 7 for i in range(1000)]), ("(-(i & 12))", [-(i & 12) for i in range(1000)])])
def test_a_histogram_has_all_values(sdt, exe, expression, values):
    [row], _ = started(sdt, exe, "hist", "live:tick", expression)
    values = [value for value in values if -1 << 63 <= value < 1 << 63]  # others are missing
    assert (row["provider"], row["name"]) == ("live", "tick") and "key" not in row
    assert (row["count"], row["min"], row["max"]) == (len(values), min(values), max(values))
    assert row["mean"] == pytest.approx(
        sum(values) / len(values), rel=1e-6 if sum(values) < 1 << 64 else 0.07)  # as documented
    for low, high, n in row["buckets"]:
        assert n == in_range(values, low, high), (low, high)
    assert sum(n for _, _, n in row["buckets"]) == len(values)
    ordered = sorted(values)
    for share, name in ((50, "p50"), (90, "p90"), (99, "p99")):
        exact = ordered[len(values) * share // 100]
        assert any(low <= exact <= high and low - 1 <= row[name] <= high + 1
                   for low, high, _ in row["buckets"]), (name, row[name], exact)


def test_linear_buckets(sdt, exe):
    [row], _ = started(sdt, exe, "hist", "live:tick", "i", "--linear=100:50")
    assert [bucket[2] for bucket in row["buckets"]] == [100] + 18 * [50]
    assert [bucket[:2] for bucket in row["buckets"]][1:3] == [[100, 149], [150, 199]]


@pytest.mark.parametrize("condition, count", [
    ("i >= 100 && i < 200", 100), ("i % 10 == 0 || i > 989", 109), ("!(i & 1)", 500),
    ("i < 0", 0), ("i ^= 5", None), ("name == \"tick\" && i == 3", 1), ("cpu >= 0", 1000)])
def test_a_condition(sdt, exe, condition, count):
    if count is None:
        assert "live:tick" not in str(started(sdt, exe, "count", f"live:tick /{condition}/",
                                              status=1)[0])
        return
    rows, _ = started(sdt, exe, "count", f"live:tick /{condition}/")
    assert [row["count"] for row in rows] == [count]


def test_counts_by_keys(sdt, exe):
    rows, _ = started(sdt, exe, "count", "live:*", "by", "i", "%", "3")
    counts = {(row["name"], row["key"]): row["count"] for row in rows}
    assert counts == {("tick", 0): 334, ("tick", 1): 333, ("tick", 2): 333, ("tock", 0): 334}
    rows, _ = started(sdt, exe, "count", "live:tock", "by", "text,", "i / 500")
    assert {tuple(row["key"]): row["count"] for row in rows} == {("tock", 0): 167, ("tock", 1): 167}


def test_each_thread_is_a_key(sdt, exe):
    rows, _ = started(sdt, exe, "hist", "live:tick", "i", "by", "tid",
                      commands="threads 4 5000")
    assert [row["count"] for row in rows] == 4 * [5000] and len({row["key"] for row in rows}) == 4


def test_more_keys_than_there_is_room_for(sdt, exe):
    rows, errors = started(sdt, exe, "count", "live:tick", "by", "i", "--keys=4")
    [lost] = [int(line.split()[3]) for line in errors.splitlines() if "found no room" in line]
    assert sum(row["count"] for row in rows) + lost == 1000 and 0 < len(rows) < 100


@pytest.mark.parametrize("by, key", [([], None), (["by", "text"], "tock"), (["by", "i - i"], 0)])
def test_a_latency_is_between_what_matches(sdt, exe, by, key):
    """tick(i) is followed by tock(i) for each third i. `text` is known at the end only."""
    [row], _ = started(sdt, exe, "lat", "live:tick", "live:tock", *by, "match", "i")
    assert (row["name"], row["count"], row.get("key")) == ("tick", 334, key)
    assert 0 <= row["min"] <= row["p50"] <= row["p99"] <= row["max"] < 10**9


def test_a_latency_by_thread(sdt, exe):
    """From a tick to the next tock of the same thread: of ticks in a row, the last one counts."""
    [row], _ = started(sdt, exe, "lat", "tick", "tock", commands="threads 4 3000")
    assert row["count"] == 4 * 1000


def test_a_latency_of_what_overlaps_in_a_thread(sdt, exe):
    """Ticks in a row are reported, with the way to pair them. Paired that way, there is nothing to
    report."""
    _, errors = started(sdt, exe, "lat", "tick", "tock")
    assert f"live:tick: {1000 - 334} hits began what had not ended" in errors
    assert "pair them by a value that both probes have: match i" in errors
    _, errors = started(sdt, exe, "lat", "tick", "tock", "match", "i")
    assert "had not" not in errors and "match" not in errors


def test_a_process_that_runs_is_as_before_afterwards(exe):
    with Target(exe) as target:
        before = code(target.pid)
        tool = subprocess.Popen([SDT, "hist", "tick", "i", "--json", "-p", str(target.pid)],
                                stdout=subprocess.PIPE, text=True)
        until_attached(tool, target.pid, before)
        target.do("hit 100")
        tool.send_signal(signal.SIGINT)
        [row] = json_lines(patience.wait(tool)[0])
        assert (row["count"], tool.returncode) == (100, 0)
        assert code(target.pid) == before
        patience.until(lambda: "sdt-table" not in maps(target.pid))


def test_a_tool_that_is_killed_leaves_no_table(exe):
    with Target(exe) as target:
        before = code(target.pid)
        tool = subprocess.Popen([SDT, "lat", "tick", "tock", "-p", str(target.pid)])
        until_attached(tool, target.pid, before)
        assert "sdt-table" in maps(target.pid)
        tool.kill()
        tool.wait()
        patience.until(lambda: code(target.pid) == before)
        patience.until(lambda: "sdt-table" not in maps(target.pid))
        target.do("hit 10")


def maps(pid):
    with open(f"/proc/{pid}/maps", encoding="utf-8") as text:
        return text.read()


@pytest.mark.parametrize("args, status, message", [
    (["hist", "live:tick", "j"], 1, "the probe has no argument 'j', but i\n  j\n  ^"),
    (["hist", "live:tick", "i +"], 1, "expected a name"),
    (["hist", "live:tick"], 2, "no expression: of what is the histogram?"),
    (["hist", "live:tock", "text"], 1,
     "a histogram needs numbers; 'sdt count PATTERN by EXPRESSION' counts texts"),
    (["hist", "no:such", "i"], 3, "no:such: no probe of process"),
    (["count", "live:tick", "by", "i,", "i,", "i"], 2, "at most two keys"),
    (["count", "live:tick by i"], 2, "'by' is a word of its own"),
    (["count", "live:tick /i/ 2"], 2, "after a pattern"),
    (["count", "live:tick /i/", "/i/"], 2, "two conditions"),
    (["count", "live:tick", "by"], 2, "'by' needs an expression"),
    (["lat", "live:tick"], 2, "two patterns are needed"),
    (["lat", "live:tick", "live:tock", "live:tick"], 2, "more words than are understood"),
    (["lat", "live:tick", "live:tock", "by", "i,", "tid,", "i"], 2, "at most two keys"),
    (["trace", "live:tick", "{i"], 2, "a format has names in braces"),
    (["trace", "live:tick /j > 1/"], 1, "no probe of this recording has an argument 'j'")])
def test_what_is_wrong_is_said(sdt, exe, args, status, message):
    with Target(exe) as target:
        before = code(target.pid)
        result = ask(sdt, *args, "-d", "0.5", "-p", target.pid, status=status)
        assert message in result.stderr
        assert code(target.pid) == before


# ---- trace ----


def test_events_as_they_happen(sdt, exe):
    events, errors = started(sdt, exe, "trace", "live:*", "--rate=0", commands="hit 300")
    assert [event["args"]["i"] for event in events if event["name"] == "tick"] == list(range(300))
    assert [event["args"] for event in events if event["name"] == "tock"] == [
        {"i": i, "text": "tock"} for i in range(0, 300, 3)]
    assert [event["time"] for event in events] == sorted(event["time"] for event in events)
    assert not errors


def test_a_trace_in_words_of_ones_own(sdt, exe):
    result = ask(sdt, "trace", "tock /i > 5/", "{{{name}}} {text} #{i} {nothing}", "--", exe,
                 input="hit 10\nquit\n")
    assert [line for line in result.stdout.splitlines() if "#" in line] == [
        "{tock} tock #6 ?", "{tock} tock #9 ?"]


def test_a_trace_has_limits(sdt, exe):
    events, _ = started(sdt, exe, "trace", "live:tick", "--limit=7")
    assert [event["args"]["i"] for event in events] == list(range(7))
    events, errors = started(sdt, exe, "trace", "live:tick", "--rate=5")
    [skipped] = [int(line.split("): ")[1].split()[0]) for line in errors.splitlines()]
    assert len(events) + skipped == 1000 and len(events) % 5 == 0


def test_a_trace_of_a_process_leaves_nothing(sdt, exe, monkeypatch):
    directory = sdt.path("traces")
    directory.mkdir()
    monkeypatch.setenv("TMPDIR", str(directory))
    with Target(exe) as target:
        before = code(target.pid)
        tool = subprocess.Popen([SDT, "trace", "--json", "live:*", "-p", str(target.pid)],
                                stdout=subprocess.PIPE, text=True)
        until_attached(tool, target.pid, before)
        target.do("hit 3")
        names = collections.Counter(json_lines(tool.stdout.readline())[0]["name"]
                                    for _ in range(4))
        assert names == {"tick": 3, "tock": 1}
        tool.send_signal(signal.SIGINT)
        assert (patience.wait(tool)[0], tool.returncode) == ("", 0)
        assert code(target.pid) == before and not list(directory.iterdir())
