# SPDX-License-Identifier: BSD-2-Clause
"""`--restarts`: the processes of a name come and go while a tool looks. Hits count from when the
text of a process has changed, which is read here from /proc/PID/mem."""
import os
import signal
import subprocess

import pytest

import attached
import patience
import recorded
from attached import SDT, Target, ask, code, json_lines

NAME = f"reborn{os.getpid()}"  # no other process has this name


@pytest.fixture
def exe(sdt):
    return attached.build(sdt, name=NAME)


@pytest.fixture(autouse=True)
def kill_tools():
    """One that a failed test has left would attach to the processes of the next."""
    yield
    for tool in Tool.all:
        tool.process.kill()
        tool.process.communicate()
    Tool.all.clear()


class Tool:
    all = []

    def __init__(self, *args, cwd=None):
        self.all.append(self)
        self.process = subprocess.Popen([SDT, *map(str, args)], stdout=subprocess.PIPE, cwd=cwd,
                                        stderr=subprocess.PIPE, text=True)

    def wait(self):
        """Until it waits for the first."""
        assert self.process.stderr.readline() == (
            f"sdt: waiting for an attachable process '{NAME}'\n")
        return self

    def live(self, exe, hits, how="quit"):
        """A process that comes, is found, hits, and ends. Its number."""
        target = Target(exe)
        before = attached.code_on_disk(target.pid)  # it may have attached already
        attached.until_attached(self.process, target.pid, before)
        target.do(f"hit {hits}")
        if how == "exec":
            target.do("exec", "here")
            attached.until_attached(self.process, target.pid, before)
            target.do(f"hit {hits}")
        target.process.kill()
        target.process.wait()
        return target.pid

    def end(self, status=0):
        self.process.send_signal(signal.SIGINT)
        output, errors = patience.wait(self.process)
        assert self.process.returncode == status, errors
        return output, errors


def ended(name):
    return f"sdt: all processes '{name}' have ended; waiting for the next\n"


@pytest.mark.parametrize("how", ["quit", "exec"])
def test_a_service_that_starts_again_is_counted_on(exe, how):
    """Also one that becomes itself again, as servers do for an update."""
    tool = Tool("count", "--json", "live:*", "-p", NAME, "--restarts").wait()
    for hits in 30, 60, 90:
        tool.live(exe, hits, how)
    output, errors = tool.end()
    times = 1 if how == "quit" else 2
    assert {row["name"]: row["count"] for row in json_lines(output)} == {
        "tick": 180 * times, "tock": 60 * times}
    assert set(errors.splitlines(True)) == {ended(NAME)}


def test_by_process_and_in_intervals(exe):
    tool = Tool("count", "--json", "live:tick", "by", "pid", "-p", NAME, "--restarts", "-i",
                "60").wait()
    counts = {tool.live(exe, hits): hits for hits in (7, 9)}
    rows = [row for row in json_lines(tool.end()[0]) if row.get("total")]
    assert {row["key"]: row["count"] for row in rows} == counts


def test_a_histogram_of_all_of_them(exe):
    tool = Tool("hist", "--json", "live:tick", "i", "-p", NAME, "--restarts").wait()
    for hits in 10, 20:
        tool.live(exe, hits)
    [row] = json_lines(tool.end()[0])
    assert (row["count"], row["min"], row["max"]) == (30, 0, 19)


def test_their_events(exe):
    tool = Tool("trace", "--json", "-r", "0", "live:tick", "/i >= 5/", "-p", NAME,
                "--restarts").wait()
    pids = [tool.live(exe, hits) for hits in (10, 20)]
    events = json_lines(tool.end()[0])
    assert [[e["args"]["i"] for e in events if e["pid"] == pid] for pid in pids] == [
        list(range(5, 10)), list(range(5, 20))]


def test_their_recording(sdt, exe):
    tool = Tool("record", "-o", "rec", "-e", "live:tick", "-p", NAME, "--restarts",
                cwd=sdt.dir).wait()
    pids = [tool.live(exe, hits) for hits in (10, 20)]
    assert tool.end()[1].endswith("sdt: rec: 30 events, 0 lost, " + tool_size(sdt))
    assert [len([w for w in recorded.traces(sdt) if w.name.endswith(f"-{pid}")])
            for pid in pids] == [1, 1]
    assert len(recorded.read(sdt)[0]) == 30


def tool_size(sdt):
    size = sum(path.stat().st_size for path in sdt.path("rec").glob("*/cpu*"))
    return f"{size / 1024:.1f} KiB\n" if size >= 1024 else f"{size} bytes\n"


def test_those_that_are_there_and_one_that_comes(exe):
    """What is there when the tool starts is taken as without the option: also its mistakes."""
    with Target(exe) as one, Target(exe) as other:
        before = code(one.pid)
        tool = Tool("count", "--json", "live:tick", "-p", NAME, "--restarts")
        for target in one, other:
            attached.until_attached(tool.process, target.pid, before)
            target.do("hit 10")
        tool.live(exe, 100)
        one.do("hit 1")
        output, errors = tool.end()
        assert [row["count"] for row in json_lines(output)] == [121]
        assert not errors
        wrong = Tool("count", "no:such", "-p", NAME, "--restarts").process
        assert f"no:such: no probe of 2 processes '{NAME}' matches" in patience.wait(wrong)[1]
        assert wrong.returncode == 3


def test_without_it_the_end_is_said(exe):
    with Target(exe) as target:
        before = code(target.pid)
        tool = Tool("count", "live:tick", "-p", NAME).process
        attached.until_attached(tool, target.pid, before)
        target.process.kill()
        assert patience.wait(tool)[1] == f"sdt: process {target.pid} ({NAME}) has ended\n"
        assert tool.returncode == 0
    with Target(exe) as one, Target(exe) as other:
        before = code(one.pid)
        tool = Tool("trace", "live:tick", "-p", NAME).process
        for target in one, other:
            attached.until_attached(tool, target.pid, before)
        for target in one, other:
            target.process.kill()
        assert patience.wait(tool)[1] == f"sdt: all processes '{NAME}' have ended\n"
        assert tool.returncode == 0


def test_nobody_comes():
    tool = Tool("count", "live:tick", "-p", NAME, "--restarts").wait().process
    tool.send_signal(signal.SIGTERM)
    assert patience.wait(tool)[1] == f"sdt: error: no attachable process '{NAME}' has come\n"
    assert tool.returncode == 3


def test_it_is_for_names(sdt):
    for words in (["count", "a:b", "-p", os.getpid()], ["trace", "a:b", "--", "true"],
                  ["hist", "a:b", "x", "--", "true"], ["record", "-p", "1"],
                  ["record", "true"]):
        words[1:1] = ["--restarts"]
        assert "--restarts is for processes of a name: -p NAME" in ask(sdt, *words, status=2).stderr


def test_a_process_that_dies_at_once(exe):
    """As a service that cannot start: nothing of it is an error of the tool."""
    tool = Tool("count", "--json", "live:tick", "-p", NAME, "--restarts")
    tool.live(exe, 5)
    for _ in range(50):
        target = Target(exe)
        target.process.kill()
        target.process.wait()
    tool.live(exe, 6)
    output, errors = tool.end()
    assert [row["count"] for row in json_lines(output)] == [11]
    assert "error" not in errors


NO_THREAD = """
#include <unistd.h>

/* As a process that takes long to start. */
int pthread_create(void *thread, void *attributes, void *function, void *argument)
{
    (void)thread, (void)attributes, (void)function, (void)argument;
    for (;;)
        pause();
}
"""


def test_a_process_that_dies_while_it_starts(sdt, exe):
    """Its page is there, the thread that serves it not yet: the tool waits for that."""
    sdt.write("no_thread.c", NO_THREAD)
    sdt.command("gcc", "-shared", "-fPIC", "no_thread.c", "-o", "no_thread.so")
    environment = {**os.environ, "SDT_ATTACH": "1", "LD_PRELOAD": str(sdt.path("no_thread.so"))}
    tool = Tool("count", "--json", "live:tick", "-p", NAME, "--restarts").wait()
    for _ in "first", "next":
        with subprocess.Popen([exe], env=environment) as process:
            patience.until(lambda: has_page_of(tool.process.pid, process.pid), tool.process)
            process.kill()
        tool.live(exe, 5)
    output, errors = tool.end()
    assert [row["count"] for row in json_lines(output)] == [10]
    assert set(errors.splitlines(True)) == {ended(NAME)}


def has_page_of(tool, pid):
    """Whether both have the control page in memory."""
    of_tool, of_process = (
        {line.split()[4] for line in open(f"/proc/{number}/maps", encoding="utf-8")
         if "memfd:sdt-control" in line} for number in (tool, pid))
    return bool(of_tool & of_process)
