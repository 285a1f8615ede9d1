# SPDX-License-Identifier: BSD-2-Clause
"""`--follow`: the children of a process that is traced, the programs that a command executes,
and all processes of one name.

The program says beforehand how often it hits its probe in how many processes, so that what comes
back is calculated here; and the text of each is read from /proc/PID/mem.
"""
import collections
import os
import select
import signal
import struct
import subprocess
import time

import pytest

import controlpage as cp
import attached
import patience
import recorded
from attached import SDT, Target, ask, code, json_lines


@pytest.fixture
def exe(sdt):
    return attached.build(sdt, "follow_target.c", f"srv{os.getpid()}")  # unique


class Tool:
    """`sdt ARGS --json` that looks while something is done."""

    def __init__(self, *args, **kwargs):
        self.process = subprocess.Popen([SDT, *map(str, args)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, **kwargs)

    def look(self, target, before):
        """Wait until the text of the process has changed."""
        attached.until_attached(self.process, target.pid, before)
        return self

    def end(self, how=signal.SIGINT, status=0):
        if how:
            self.process.send_signal(how)
        output, self.errors = patience.wait(self.process)
        assert self.process.returncode == status, self.errors
        return json_lines("\n".join(line for line in output.splitlines() if line[:1] == "{"))


def follow(target, *args):
    before = code(target.pid)
    tool = Tool(*args, "--follow", "--json", "-p", target.pid).look(target, before)
    page = cp.open_page(target.pid)
    wanted = 2 if args[0] == "lat" or "/i >= 50/" in args else 1
    patience.until(lambda: struct.unpack_from("<I", page, cp.ENABLED)[0] == wanted)
    page.close()
    return tool, before


def count(lines, name="hit"):
    return sum(line["count"] for line in lines if line["name"] == name)


def tree(depth, width):
    """How many processes."""
    return 1 + width * tree(depth - 1, width) if depth else 1


@pytest.mark.parametrize("depth, width, n", [(1, 8, 10000), (3, 3, 1000), (5, 1, 7)])
def test_children_are_counted_from_their_first_instruction(exe, depth, width, n):
    with Target(exe) as target:
        tool, before = follow(target, "count", "follow:*")
        target.do(f"tree {depth} {width} {n}")
        lines = tool.end()
        assert count(lines) == tree(depth, width) * n
        assert {line["name"] for line in lines} == {"hit", "begin", "end"}
        assert set(lines[0]) == {"time", "provider", "name", "count", "rate"}
        patience.until(lambda: code(target.pid) == before)


def test_children_that_live_for_a_moment(exe):
    with Target(exe) as target:
        tool, _ = follow(target, "count", "follow:hit")
        target.do("churn 100")
        assert count(tool.end()) == 100


def test_each_child_by_its_number(exe):
    with Target(exe) as target:
        tool, _ = follow(target, "count", "follow:hit", "by", "pid")
        target.do("hit 5")
        target.do("tree 1 4 100")
        lines = {line["key"]: line["count"] for line in tool.end()}
        assert lines.pop(target.pid) == 105
        assert len(lines) == 4 and set(lines.values()) == {100}


def test_values_and_latencies_of_children(exe):
    with Target(exe) as target:
        tool, _ = follow(target, "hist", "follow:hit", "i")
        target.do("tree 2 3 1000")
        [row] = tool.end()
        assert (row["count"], row["min"], row["max"]) == (13 * 1000, 0, 999)
        tool, _ = follow(target, "lat", "follow:begin", "follow:end", "match", "i")
        target.do("pairs 20")
        [row] = tool.end()
        assert (row["name"], row["count"]) == ("begin", 20)


def test_without_it_children_are_not_watched(exe):
    with Target(exe) as target:
        before = code(target.pid)
        tool = Tool("hist", "follow:hit", "i", "--json", "-p", target.pid).look(target, before)
        target.do("tree 1 4 100")
        child = int(target.do("fork", None))
        assert code(child) == before
        target.do("hit 50")
        [row] = tool.end()
        assert row["count"] == 100


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_child_is_as_in_the_file_when_the_tool_has_ended(exe, how):
    with Target(exe) as target:
        tool, before = follow(target, "count", "follow:hit")
        child = int(target.do("fork", None))
        assert code(child) != before
        target.do("hit 10")
        grandchild = int(target.do("fork", None))
        assert code(grandchild) != before
        lines = tool.end(how, status=0 if how == signal.SIGINT else -how)
        assert how == signal.SIGKILL or count(lines) == 10
        since = time.monotonic()
        for pid in (target.pid, child, grandchild):
            patience.until(lambda pid=pid: code(pid) == before)
            patience.until(lambda pid=pid: "sdt-table" not in maps(pid))
        assert time.monotonic() - since < 60  # a promise of 2 s, on a machine that is not busy
        target.do("hit 10")


def maps(pid):
    with open(f"/proc/{pid}/maps", encoding="utf-8") as text:
        return text.read()


def test_a_child_goes_on_when_its_parent_has_ended(exe):
    with Target(exe) as target:
        tool, before = follow(target, "count", "follow:hit")
        child = int(target.do("orphan", None))
        target.process.wait()
        for _ in range(3):
            target.do("hit 100")
            time.sleep(0.8)  # two leases pass
        assert code(child) != before and tool.process.poll() is None
        target.do("hit 100")
        target.process.stdin.write("quit\n")
        assert count(tool.end(None)) == 400


def test_an_interrupt_ends_it_while_the_parent_has_ended(exe):
    with Target(exe) as target:
        tool, before = follow(target, "count", "follow:hit")
        child = int(target.do("orphan", None))
        target.do("hit 10")
        assert count(tool.end()) == 10
        patience.until(lambda: code(child) == before)
        target.process.stdin.write("quit\n")


def test_two_tools_of_which_one_follows(exe):
    with Target(exe) as target:
        tool, before = follow(target, "count", "follow:hit")
        other = Tool("count", "follow:hit", "-i", "0.05", "--json", "-p", target.pid)
        assert other.process.stdout.readline()  # it has begun
        target.do("tree 1 3 1000")
        child = int(target.do("fork", None))
        target.do("hit 7")
        assert other.end()[-1]["count"] == 1000
        assert count(tool.end()) == 4007
        patience.until(lambda: code(child) == before)


def test_a_child_can_be_looked_into_as_well(exe):
    with Target(exe) as target:
        tool, before = follow(target, "count", "follow:hit")
        child = type("Child", (), {"pid": int(target.do("fork", None))})
        target.do("hit 10")
        own = Tool("count", "follow:hit", "--follow", "--json", "-i", "0.05", "-p", child.pid)
        assert own.process.stdout.readline()
        target.do("tree 1 1 100")
        assert own.end()[-1]["count"] == 200
        assert code(child.pid) != before
        assert count(tool.end()) == 210
        patience.until(lambda: code(child.pid) == before)


def test_reset_ends_it_in_children(sdt, exe):
    with Target(exe) as target:
        tool, before = follow(target, "count", "follow:hit")
        child = int(target.do("fork", None))
        target.do("hit 10")
        ask(sdt, "reset", "-p", target.pid)
        patience.until(lambda: code(child) == before)
        target.do("hit 10")
        assert count(tool.end()) == 10


def test_children_of_vfork_and_of_posix_spawn(exe):
    """One hits in its parent's memory; the other becomes a program that was not asked for."""
    with Target(exe) as target:
        tool, _ = follow(target, "count", "follow:hit")
        target.do("vfork 10")
        target.do("spawn 100")
        target.do("hit 1000")
        assert count(tool.end()) == 1010


def test_a_child_that_becomes_another_program(exe):
    with Target(exe) as target:
        tool, before = follow(target, "count", "follow:hit")
        child = int(target.do("orphan", None))
        target.process.wait()
        target.do("hit 10")
        target.do("exec", "here")
        assert count(tool.end(None)) == 10  # no process is left
        assert code(child) == before


def test_a_child_that_loads_a_library(sdt, exe):
    source = sdt.write("plugin.c", '#include <sdt/probe.h>\nvoid plugin_hits(long n);\n'
                       'void plugin_hits(long n)\n{\n    for (long i = 0; i < n; i++)\n'
                       '        SDT_PROBE(follow, plugin, i);\n}\n')
    plugin = sdt.link(sdt.process(sdt.compile(source, "-fPIC")), "-shared", runtime="shared",
                      name="plugin.so")
    with Target(exe) as target:
        tool, _ = follow(target, "count", "follow:*")
        target.do("fork", None)
        target.do(f"load {plugin} 30")
        assert count(tool.end(), "plugin") == 30


def test_events_of_children(sdt, exe, monkeypatch):
    directory, others = sdt.path("traces"), set(os.listdir("/dev/shm"))
    directory.mkdir()
    monkeypatch.setenv("TMPDIR", str(directory))
    with Target(exe) as target:
        for condition, kept in ((), 1), (("/i >= 50/",), 0.5):
            tool, before = follow(target, "trace", "--rate=0", "follow:hit", *condition)
            target.do("tree 2 2 100")
            child = int(target.do("fork", None))
            target.do("hit 100")
            lines = tool.end()
            patience.until(lambda pid=child: code(pid) == before)
            assert len(lines) == 8 * 100 * kept
            assert len({line["tid"] for line in lines}) == 8
            target.process.stdin.write("quit\n")
            assert target.process.stdout.readline() == "back\n"
        assert not list(directory.iterdir())
        patience.until(lambda: not [name for name in os.listdir("/dev/shm")
                                    if f"sdt-{target.pid}-" in name and name not in others])


# ---- Counting that is left on. ----


def enable(sdt, target, *args):
    return ask(sdt, "enable", *args, "-p", target.pid, "follow:hit").stdout.strip()


def hits(sdt, pid):
    """Those of the probe; compilers may have made several sites of it."""
    [count] = {site["hits"] for site in attached.sites(sdt, pid) if site["name"] == "hit"}
    return count


@pytest.mark.parametrize("how", ["disable", "reset"])
def test_counting_that_is_left_on_in_children(sdt, exe, how):
    """Each counts for itself; what ends it in the parent does in children, and in theirs."""
    with Target(exe) as target:
        before = code(target.pid)
        number = enable(sdt, target, "--follow")
        child = int(target.do("fork", None))
        grandchild = int(target.do("fork", None))
        assert code(child) != before and code(grandchild) != before
        begun = hits(sdt, grandchild)
        target.do("hit 10")
        assert hits(sdt, grandchild) == begun + 10
        assert hits(sdt, child) == begun
        time.sleep(2)  # no lease ends it
        assert code(grandchild) != before
        ask(sdt, how, "-p", target.pid, *([number] if how == "disable" else []))
        for pid in (target.pid, child, grandchild):
            patience.until(lambda pid=pid: code(pid) == before)


def test_what_is_left_on_outlives_the_parent(sdt, exe):
    """The number is the child's as well."""
    with Target(exe) as target:
        before = code(target.pid)
        number = enable(sdt, target, "-f")
        other = enable(sdt, target)
        child = int(target.do("orphan", None))
        target.process.wait()
        time.sleep(2)
        assert code(child) != before
        assert ask(sdt, "disable", "-p", child, other, status=3)  # that is not followed
        ask(sdt, "disable", "-p", child, number)
        assert code(child) == before
        target.process.stdin.write("quit\n")


def test_children_hear_of_each_end_alone(sdt, exe):
    """A word that has been given to something else ends nothing, and begins nothing."""
    with Target(exe) as target:
        before = code(target.pid)
        first, second = enable(sdt, target, "-f"), enable(sdt, target, "-f")
        child = int(target.do("fork", None))
        ask(sdt, "disable", "-p", target.pid, first)
        third = enable(sdt, target, "-f")
        time.sleep(1)
        assert code(child) != before
        ask(sdt, "disable", "-p", target.pid, second)
        patience.until(lambda: code(child) == before)
        ask(sdt, "disable", "-p", target.pid, third)
        assert code(target.pid) == before


def test_more_than_a_page_of_words(sdt, exe):
    with Target(exe) as target:
        before = code(target.pid)
        tool = cp.Tool(target.pid)
        numbers = [tool.ask(cp.ENABLE, b"follow:hit", flags=8 | 2)[0] for _ in range(600)]
        assert all(number > 0 for number in numbers)
        child = int(target.do("fork", None))
        for number in numbers[:-1]:
            assert tool.ask(cp.DISABLE, argument=number)[0] == 0
        time.sleep(1)
        assert code(child) != before
        assert tool.ask(cp.DISABLE, argument=numbers[-1])[0] == 0
        patience.until(lambda: code(child) == before)
        tool.end()


def wait_until_dead(pid):
    """All threads are; /proc says of the first one alone that it is a zombie."""
    process = os.pidfd_open(pid)
    select.select([process], [], [])
    os.close(process)


def test_who_has_ended_is_not_there(sdt, exe):
    """Also before its parent has waited for it."""
    with Target(exe) as target:
        target.process.stdin.write("quit\n")
        wait_until_dead(target.pid)
        for words in (["list"], ["enable", "*"], ["record", "-o", "rec"], ["count", "*"]):
            message = ask(sdt, *words, "-p", target.pid, status=1).stderr
            assert message == f"sdt: error: there is no process {target.pid}\n"


# ---- Recordings. ----


class Recording:
    """`sdt record --follow` of a process."""

    def __init__(self, sdt, target, *args):
        self.sdt, self.target = sdt, target
        self.before = code(target.pid)
        self.others = set(os.listdir("/dev/shm"))
        self.process = subprocess.Popen(
            [SDT, "record", "--follow", "-o", sdt.path("rec"), *args, "-p", str(target.pid)],
            stderr=subprocess.PIPE, text=True)
        attached.until_attached(self.process, target.pid, self.before)

    def end(self, how=signal.SIGINT):
        """The events; nothing of the rings is left."""
        if how:
            self.process.send_signal(how)
        self.errors = patience.wait(self.process)[1]
        assert self.process.returncode == 0, self.errors
        patience.until(lambda: not [name for name in os.listdir("/dev/shm") if
                                    f"sdt-{self.target.pid}-" in name and name not in self.others])
        events, discarded, missing = recorded.read(self.sdt)
        assert (discarded, missing) == (0, 0)
        return events


def test_children_are_recorded_into_their_parents_rings(sdt, exe):
    with Target(exe) as target:
        recording = Recording(sdt, target, "-e", "follow:hit")
        target.do("tree 2 2 100")
        child = int(target.do("fork", None))
        target.do("hit 100")
        events = recording.end()
        patience.until(lambda: code(child) == recording.before)
        assert len(events) == 8 * 100 and len({event.tid for event in events}) == 8
        assert f"{child}" in {str(event.tid) for event in events}


def test_without_it_only_the_process_is_recorded(sdt, exe):
    with Target(exe) as target:
        before = code(target.pid)
        tool = subprocess.Popen([SDT, "record", "-o", sdt.path("rec"), "-p", str(target.pid)],
                                stderr=subprocess.PIPE)
        attached.until_attached(tool, target.pid, before)
        target.do("tree 1 4 100")
        tool.send_signal(signal.SIGINT)
        patience.wait(tool)
        events, _, _ = recorded.read(sdt)
        assert {event.tid for event in events} == {target.pid}


def test_a_recording_goes_on_when_the_parent_has_ended(sdt, exe):
    with Target(exe) as target:
        recording = Recording(sdt, target, "-e", "follow:hit")
        child = int(target.do("orphan", None))
        target.process.wait()
        target.do("hit 10")
        time.sleep(2)  # longer than a lease
        target.do("hit 10")
        target.process.stdin.write("quit\n")
        events = recording.end(None)
        assert [event.tid for event in events] == [child] * 20


def test_conditions_hold_in_children(sdt, exe):
    with Target(exe) as target:
        recording = Recording(sdt, target, "-e", "follow:hit /i >= 90/", "-e", "follow:begin")
        target.do("tree 1 3 100")
        events = recording.end()
        assert {event.name for event in events} == {"follow:hit"}
        found = collections.Counter(event.tid for event in events)
        assert len(found) == 4 and set(found.values()) == {10}
        assert {event.fields["i"] for event in events} == set(range(90, 100))


def test_a_child_takes_a_snapshot(sdt, exe):
    """Of a flight recorder: written because of what the child did, while no process has ended."""
    with Target(exe) as target:
        recording = Recording(sdt, target, "--when", "follow:hit /i == 95/")
        int(target.do("fork", None))
        target.do("hit 100")
        patience.until(lambda: any(path.stat().st_size for path in
                                   sdt.path("rec").glob("*/cpu*")), recording.process)
        recording.end()
        assert ", 1 snapshot\n" in recording.errors


def test_all_processes_of_a_name_are_recorded(sdt, exe):
    with Target(exe) as one, Target(exe) as two:
        before = code(one.pid)
        tool = subprocess.Popen([SDT, "record", "-o", sdt.path("rec"), "-e", "follow:hit", "-p",
                                 exe.name], stderr=subprocess.PIPE)
        for target in (one, two):
            attached.until_attached(tool, target.pid, before)
            target.do("hit 10")
        tool.send_signal(signal.SIGINT)
        patience.wait(tool)
        events, _, _ = recorded.read(sdt)
        assert sorted(event.tid for event in events) == sorted([one.pid] * 10 + [two.pid] * 10)
        assert len([path for path in sdt.path("rec").iterdir() if path.is_dir()]) == 2


@pytest.mark.nosan
def test_what_a_script_executes_is_recorded_with_a_condition(sdt, exe):
    result = ask(sdt, "record", "-f", "-o", "rec", "-e", "follow:hit /i % 2 == 0/", "--", "sh",
                 "-c", f"{exe} 10; {exe} 100; true")
    events, _, _ = recorded.read(sdt)
    assert len(events) == 55 and "55 events, 0 lost" in result.stderr


# ---- Programs that a command executes. ----


def started(sdt, *args, script, commands="hit 10", status=0):
    result = ask(sdt, *args, "--json", "--follow", "--", "sh", "-c", script, status=status,
                 input=f"{commands}\nquit\n")
    return [line for line in json_lines("\n".join(
        text for text in result.stdout.splitlines() if text[:1] == "{"))], result.stderr


@pytest.mark.nosan  # the library of the sanitizer build would be loaded into the shell
@pytest.mark.parametrize("script, n", [
    ("{0}; true", 10), ("exec {0}", 10), ("{0} 100; {0} 1000; true", 1100),
    ("for i in 1 2 3 4 5 6 7 8; do {0} 1000 & done; wait", 8000),
    ("({0} 7 & {0}; wait); {0} 10000", 10017), ("sh -c '{0} 5; {0} 3; true'; true", 8)])
def test_what_a_script_starts(sdt, exe, script, n):
    lines, errors = started(sdt, "count", "follow:hit", script=script.format(exe))
    assert (count(lines), errors) == (n, "")
    [row], _ = started(sdt, "hist", "follow:hit", "i", script=script.format(exe))
    assert row["count"] == n


@pytest.mark.nosan
def test_the_status_of_a_script_is_passed_on(sdt, exe):
    lines, _ = started(sdt, "count", "follow:hit", script=f"{exe} 5; exit 7", status=7)
    assert count(lines) == 5


@pytest.mark.nosan
def test_without_it_a_script_is_all_there_is(sdt, exe):
    result = ask(sdt, "count", "follow:hit", "--", "sh", "-c", f"{exe} 10; true")
    assert "no probe matched" in result.stderr and "--follow" in result.stderr


def test_a_program_that_forks_is_followed_from_its_start(sdt, exe):
    result = ask(sdt, "count", "follow:hit", "--json", "--follow", "--", exe,
                 input="tree 2 4 1000\nspawn 500\nquit\n")
    [line] = json_lines(result.stdout.splitlines()[-1])
    assert line["count"] == 21 * 1000 + 500  # what is executed comes to the gate


# ---- A name of several. ----


def test_a_name_of_several_processes(sdt, exe):
    with Target(exe) as one, Target(exe) as two, Target(exe) as three:
        before = code(one.pid)
        for words in (["count", "follow:hit"], ["hist", "follow:hit", "i"],
                      ["count", "follow:hit", "by", "i"]):
            tool = Tool(*words, "--json", "-p", exe.name)
            for target in (one, two, three):
                tool.look(target, before)
            one.do("hit 10")
            two.do("hit 100")
            three.do("hit 1000")
            lines = tool.end()
            assert count(lines) == 1110
            if "by" in words:
                counts = {line["key"]: line["count"] for line in lines}
                assert (counts[5], counts[50], counts[500]) == (3, 2, 1)
            for target in (one, two, three):
                patience.until(lambda pid=target.pid: code(pid) == before)
        message = ask(sdt, "disable", "-p", exe.name, "1", status=1).stderr  # whose number is it?
        assert f"3 processes have the name '{exe.name}'" in message
        assert all(str(target.pid) in message for target in (one, two, three))


def test_one_of_several_ends(exe):
    with Target(exe) as one, Target(exe) as two:
        before = code(one.pid)
        tool = Tool("count", "follow:hit", "--json", "-p", exe.name)
        for target in (one, two):
            tool.look(target, before)
        first = min(one, two, key=lambda target: target.pid)
        last = two if first is one else one
        first.do("hit 10")
        first.process.kill()
        first.process.wait()
        last.do("hit 100")
        time.sleep(0.5)
        assert tool.process.poll() is None
        last.do("hit 1000")
        last.process.kill()
        assert count(tool.end(None)) == 1110


def test_workers_that_were_there_and_those_that_come(exe):
    """A server with workers: -p NAME --follow attaches to all of them."""
    with Target(exe) as target:
        before = code(target.pid)
        child = int(target.do("fork", None))
        tool = Tool("count", "follow:hit", "--follow", "--json", "-p", exe.name)
        tool.look(target, before).look(type("Child", (), {"pid": child}), before)
        target.do("hit 10")
        target.do("tree 1 3 1000")
        assert count(tool.end()) == 4010
