# SPDX-License-Identifier: BSD-2-Clause
"""Conditions that decide in the process what is recorded, and when a snapshot is taken: `sdt trace
PATTERN /PREDICATE/`, `sdt record -e` and `--when`. babeltrace2 reads what was recorded."""
import os
import re
import signal
import subprocess

import pytest

import controlpage as cp
import attached
import patience
import recorded
from attached import SDT, Target, ask, code, json_lines
from test_launcher import launch  # pylint: disable=unused-import

MANY = 600_000  # more than rings have room for until the tool looks again
EXTEND, SNAPSHOT = 9, 4


@pytest.fixture
def exe(sdt):
    return attached.build(sdt, "live_slow.c", "slow")


def traced(sdt, exe, n, *args):
    """Events of `sdt trace` that it prints, and its messages."""
    result = ask(sdt, "trace", "--json", "--rate=0", *args, "--", exe, n, status=5)
    return json_lines(result.stdout), result.stderr


def numbers(events):
    return [event["args"]["i"] for event in events]


# ---- What is recorded. ----


@pytest.mark.parametrize("condition, chosen", [
    ("i == 599999", [599_999]), ("i >= 10 && i < 13", [10, 11, 12]), ("i < 0", []),
    ('i > 599990 && path == "/odd"', [599_991, 599_993, 599_995, 599_997, 599_999]),
    ("share == 300.5 || str(path) ^= \"/x\"", [601]),
    ("share * 2 == 599999", [599_999]), ("1 / share > 1.9 && share / 3 < i", [1]),
    ("share * 2.5 - i > 149999.4", [599_998, 599_999])])
def test_the_process_decides(sdt, exe, condition, chosen):
    """Otherwise most events would not fit into the rings, and that would be said."""
    events, errors = traced(sdt, exe, MANY, f"slow:done /{condition}/")
    assert (numbers(events), errors) == (chosen, "")


def test_what_it_cannot_decide_is_decided_by_the_tool(sdt, exe):
    """An argument that only one of the probes has."""
    events, _ = traced(sdt, exe, 100, "slow:* /share < 1 || i == 50/")
    assert [(event["name"], event["args"]["i"]) for event in events] == [
        ("done", 0), ("done", 1), ("begin", 50), ("done", 50)]


def test_only_the_tool_was_asked_for_less(sdt, exe):
    """The other way round: what the tool alone decides is recorded, all of it."""
    _, errors = traced(sdt, exe, MANY, "slow:* /share == 299999.5/")
    assert "were lost: there was no room in the rings" in errors


def test_a_recording_of_some_hits(sdt, exe):
    result = ask(sdt, "record", "-o", "rec", "-e", 'slow:done /i % 200 == 7 && path == "/odd"/',
                 "-e", "slow:begin /i < 2/", "-e", "slow:begin /i < 1/", "--", exe, 1000, status=5)
    events, discarded, missing = recorded.read(sdt)
    assert [(event.name, event.fields["i"]) for event in events] == [
        ("slow:begin", 0), ("slow:begin", 1), *(("slow:done", i) for i in range(7, 1000, 200))]
    assert (discarded, missing) == (0, 0) and "7 events, 0 lost" in result.stderr


def test_who_is_recorded_twice_is_recorded_once(sdt, exe):
    ask(sdt, "record", "-o", "rec", "-e", "slow:done /i < 5/", "-e", "slow:done", "--", exe, 20,
        status=5)
    events, _, _ = recorded.read(sdt)
    assert [event.fields["i"] for event in events] == list(range(20))


def test_a_tool_that_is_killed_leaves_no_condition(exe):
    with Target(exe) as target:
        before = code(target.pid)
        tool = subprocess.Popen([SDT, "trace", "slow:* /i > 3/", "-p", str(target.pid)])
        patience.until(lambda: code(target.pid) != before)
        tool.kill()
        tool.wait()
        patience.until(lambda: code(target.pid) == before)
        target.do("go 10")


def test_what_a_tool_that_was_killed_has_left_is_removed(exe, tmp_path, monkeypatch):
    """By the next one: its directory is in memory. Not what is new, what a tool watches, or what
    a process needs to find its rings, which has been stopped since."""
    def look(target):
        before, known = code(target.pid), set(tmp_path.glob("sdt-trace-*"))
        tool = subprocess.Popen([SDT, "trace", "slow:*", "-p", str(target.pid)],
                                stdout=subprocess.DEVNULL)
        patience.until(lambda: code(target.pid) != before and attached.is_in_poll(tool), tool)
        [directory] = set(tmp_path.glob("sdt-trace-*")) - known
        return tool, directory

    def make_old(*directories):
        for directory in directories:
            os.utime(directory, (1, 1))

    def interrupt(tool):
        tool.send_signal(signal.SIGINT)
        assert tool.wait() == 0

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with Target(exe) as first, Target(exe) as second, Target(exe) as third:
        (killed, left), (lives, watched) = look(first), look(second)
        os.kill(first.pid, signal.SIGSTOP)
        killed.kill()
        killed.wait()
        make_old(left, watched)
        interrupt(look(third)[0])
        assert left.exists() and watched.exists()
        os.kill(first.pid, signal.SIGCONT)
        patience.until(lambda: not recorded.rings(first.pid))  # the lease has ended
        os.utime(left)
        interrupt(look(third)[0])
        assert left.exists()
        make_old(left, watched)
        interrupt(look(third)[0])
        assert not left.exists() and watched.exists()
        interrupt(lives)
    assert not list(tmp_path.glob("sdt-trace-*"))


# ---- Snapshots. ----


def spans(events, name="slow:done"):
    """Runs of numbers without a gap."""
    found = []
    for event in events:
        if event.name != name:
            continue
        i = event.fields["i"]
        if not found or i != found[-1][1] + 1:
            found.append([i, i])
        found[-1][1] = i
    return found


def check_snapshots(events):
    """Each slow one is there with what led to it, and most is not there at all."""
    found = spans(events)
    assert len(found) in (3, 4), found
    for number, (first, last) in enumerate(found[:3]):
        slow = 1000 * number + 777
        assert first < slow - 100 and slow <= last < slow + 300, found
    assert found[3:] in ([], [[found[-1][0], 3499]]), found  # and the end


@pytest.mark.parametrize("condition", [
    "slow:done /int(share * 2) % 1000 == 777 && share + 0.5 > 1/",
    "lat slow:begin slow:done > 1000ms", "lat begin done match i > 1 s",
    "lat slow:begin /i > 5/ slow:done /i < 99999/ > 1000000us",
    "  lat slow:begin /i/2 > 5/ slow:done /i/3 < 9999/ > 1000ms", "  slow:done /i % 1000 == 777/"])
def test_a_snapshot_of_a_program(sdt, exe, condition):
    result = ask(sdt, "record", "-o", "rec", "--ring=16K", "--when", condition, "--", exe, 3500,
                 "wait", status=5)
    events, _, _ = recorded.read(sdt)
    recorded.streams(sdt, gaps=True)
    check_snapshots(events)
    assert result.stderr.endswith(", 3 snapshots\n")


def test_a_snapshot_of_a_process(sdt, exe):
    """Also on disk when nothing has ended: the tool takes it, not the end of the recording."""
    with Target(exe) as target:
        before = code(target.pid)
        tool = subprocess.Popen([SDT, "record", "-o", "rec", "--ring=16K", "-e", "slow:*",
                                 "--when", "lat slow:begin slow:done > 1s",
                                 "-p", str(target.pid)], stderr=subprocess.PIPE, text=True,
                                cwd=sdt.path("."))
        attached.until_attached(tool, target.pid, before)
        target.do("go 700")
        assert not any(path.stat().st_size for path in sdt.path("rec").glob("*/cpu*"))
        target.do("go 1000")
        patience.until(lambda: any(path.stat().st_size
                                   for path in sdt.path("rec").glob("*/cpu*")))
        tool.send_signal(signal.SIGINT)
        errors = patience.wait(tool)[1]
        assert tool.returncode == 0 and errors.endswith(", 1 snapshot\n"), errors
        patience.until(lambda: code(target.pid) == before)
    assert 777 in {event.fields["i"] for event in recorded.read(sdt)[0]}


def test_no_snapshot_without_a_reason(sdt, exe):
    result = ask(sdt, "record", "-o", "rec", "--when", "slow:done /i == 5000/", "--", exe, 500,
                 status=5)
    assert result.stderr.endswith(", 0 snapshots\n")


@pytest.mark.nosan
def test_a_snapshot_of_a_slow_call(launch):
    """--when with the name of a function, of which every call also calls another one."""
    launch.sdt.write("slow.c", """
#include <unistd.h>
#define APART __attribute__((noinline))
APART int deep(int x) { if (x == 5) usleep(1200000); return x + 1; }
APART int serve(int x) { int y = deep(x); return y + deep(x + 100); }
int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += serve(i); return s == 7; }
""")
    launch("--functions", "--runtime=shared", "gcc", "-O1", "slow.c", "-o", "slow")
    result = ask(launch.sdt, "record", "-o", "rec", "--when", "lat serve > 600ms", "--",
                 launch.sdt.dir / "slow")
    assert result.stderr.endswith(", 1 snapshot\n")
    summary = ask(launch.sdt, "report", "--summary", "rec").stdout
    assert re.search(r"^snapshot 1  1\.[2-9]\d s ", summary, re.M)


@pytest.mark.parametrize("args, status, message", [
    (["--when", "lat slow:begin slow:done"], 2, "a latency is written 'lat BEGIN END > 10ms'"),
    (["--when", "lat slow:begin slow:done > 10"], 2, "a latency is written"),
    (["--when", "lat slow:begin > 10ms"], 2, "two patterns are needed"),
    (["--when", "lat slow:begin slow:done match > 1s"], 2, "'match' needs an expression"),
    (["--when", "slow:done /i"], 2, "between slashes"),
    (["--when", "slow:done /i + /"], 1, "expected a name"),
    (["--when", "slow:done /share % 2 > 1/"], 1, "this needs integers: int(x) makes one"),
    (["--when", "slow:none /i > 3/"], 3, "slow:none: no probe of process"),
    (["--when", "lat slow:none slow:done > 3ms"], 3, "slow:none: no probe of process"),
    (["--when", "slow:done", "--when", "slow:done"], 2, "one --when"),
    (["-e", "slow:begin /share > 1/"], 1, "the probe has no argument 'share', but i"),
    (["-e", "/i > 1/"], 2, "a condition is written after a pattern")])
def test_what_is_wrong_is_said(sdt, exe, args, status, message):
    with Target(exe) as target:
        before = code(target.pid)
        result = ask(sdt, "record", "-o", "rec", *args, "-p", target.pid, status=status)
        assert message in result.stderr
        assert not sdt.path("rec").exists()
        patience.until(lambda: code(target.pid) == before)


@pytest.mark.parametrize("args", [["--when", "slow:done /i + /"], ["-e", "slow:begin /share > 1/"],
                                  ["--when", "lat slow:none slow:done > 3ms"]])
def test_what_is_refused_leaves_a_recording_as_it_was(sdt, exe, args):
    """Also an empty directory, and what the same process has recorded before."""
    def files():
        return sorted(path.relative_to(sdt.path("rec")) for path in sdt.path("rec").rglob("*"))
    with Target(exe) as target:
        sdt.path("rec").mkdir()
        assert ask(sdt, "record", "-o", "rec", *args, "-p", target.pid, status=None).returncode
        assert [path.name for path in files()] in ([], [".sdt-recording"])
        before = code(target.pid)
        tool = subprocess.Popen([SDT, "record", "-o", sdt.path("rec"), "-e", "slow:done", "-p",
                                 str(target.pid)], stderr=subprocess.PIPE)
        attached.until_attached(tool, target.pid, before)
        target.do("go 100")
        tool.send_signal(signal.SIGINT)
        assert b" 100 events" in patience.wait(tool)[1]
        there = files()
        assert any(path.name.startswith("cpu") for path in there)
        assert ask(sdt, "record", "-o", "rec", *args, "-p", target.pid, status=None).returncode
        assert files() == there


# ---- The protocol. ----


def test_a_condition_belongs_to_a_recording(sdt, exe):
    """A tool that asks for one without a recording, with a program that is none, or a table that is
    not there; and one whose recording ends before what was added to it."""
    with Target(exe) as target:
        before = code(target.pid)
        tool = cp.Tool(target.pid)
        assert tool.ask(EXTEND, b"slow:done")[0] == -22
        assert tool.ask(cp.RECORD, os.fsencode(sdt.path("rec")) + b"\0:\0")[0] == -20
        assert not sdt.path("rec").exists()  # no tool watches it
        with cp.watching(sdt.path("rec")) as directory:
            recording = tool.ask(cp.RECORD, directory + b"\0:\0")[0]
        assert recording >= 1 << 30 and code(target.pid) == before
        assert tool.ask(EXTEND, b"slow:done", program=b"anything")[0] == -22
        assert tool.ask(EXTEND, b"slow:done", argument=3, program=b"anything")[0] == -2
        assert tool.ask(EXTEND, b"no:such")[0] == -2
        assert tool.ask(EXTEND, b"slow:done", flags=SNAPSHOT)[0] > 0
        assert tool.ask(EXTEND, b"slow:done")[0] > 0 and code(target.pid) != before
        assert tool.ask(cp.DISABLE, argument=recording)[0] == 0
        assert code(target.pid) == before
        target.do("go 100")
        assert tool.ask(EXTEND, b"slow:done")[0] == -22
        tool.end()
