# SPDX-License-Identifier: BSD-2-Clause
"""Tables and programs in a process that is traced: by the protocol alone, bytes from
docs/live-programs.md."""
import os
import signal
import struct

import pytest

import controlpage as cp
import attached
import patience
from attached import Target, code
from recorded import rings

NONE, SIGNED = 0, 1
COUNT, HIST = 0, 1
NO_REGISTER, ARGUMENT = 0xff, 0


def program(action, steps=(), value=NO_REGISTER, key=NO_REGISTER):
    size = 24 + 8 * len(steps)
    return struct.pack("<IHHBBHBBBBQ", 0x50544453, 2, size, len(steps), 0, 0, action, value, key,
                       NO_REGISTER, 0) + b"".join(struct.pack("<BBBBI", *step, 0) for step in steps)


def spec(value=NONE, key=NONE, keys=0):
    return struct.pack("<BBBBIIIqQQ", value, key, NONE, 0, keys, 0, 0, 0, 0, 0)


FIRST = (ARGUMENT, 0, 0, SIGNED)  # register 0: the first argument


@pytest.fixture
def shared(sdt):
    return attached.build(sdt)


def table(tool, pid, *args):
    number, fd = tool.ask(cp.TABLE, program=spec(*args))
    assert number > 0
    path = f"/proc/{pid}/fd/{fd}"
    assert os.readlink(path) == "/memfd:sdt-table (deleted)"
    with open(path, "rb") as file:
        return number, os.dup(file.fileno())


def words(fd):
    """All of the table but its header."""
    data = os.pread(fd, os.fstat(fd).st_size, 4096)
    return struct.unpack(f"<{len(data) // 8}Q", data)


def test_hits_add_to_a_table_and_nothing_stays(shared):
    with Target(shared) as target:
        before = code(target.pid)
        tool = cp.Tool(target.pid)
        number, fd = table(tool, target.pid)
        one, _ = tool.ask(cp.ENABLE, b"live:tick", number, program=program(COUNT))
        assert one > 0 and code(target.pid) != before
        target.do("threads 4 5000")
        assert sum(words(fd)) == 20000
        assert tool.ask(cp.DISABLE, argument=one) == (0, -1)
        assert code(target.pid) == before
        assert tool.ask(cp.ENABLE, b"live:tick", number, program=program(COUNT))[0] > 0
        target.do("hit 7")
        tool.end()
        patience.until(lambda: code(target.pid) == before)
        target.do("hit 7")
        assert sum(words(fd)) == 20007
        patience.until(lambda: not any(
            "sdt-table" in os.readlink(f"/proc/{target.pid}/fd/{n}")
            for n in os.listdir(f"/proc/{target.pid}/fd")))
        os.close(fd)


def test_a_child_adds_nothing_to_its_parents_table(shared):
    with Target(shared) as target:
        tool = cp.Tool(target.pid)
        number, fd = table(tool, target.pid)
        assert tool.ask(cp.ENABLE, b"live:tick", number, program=program(COUNT))[0] > 0
        target.do("hit 5")
        target.do("churn 20")
        assert sum(words(fd)) == 5
        tool.end()
        os.close(fd)


def test_a_child_that_follows_adds_to_its_parents_table(shared):
    with Target(shared) as target:
        before, tool = code(target.pid), cp.Tool(target.pid)
        number, fd = table(tool, target.pid)
        assert tool.ask(cp.ENABLE, b"live:tick", number, cp.FOLLOW, program(COUNT))[0] > 0
        target.do("churn 7")
        child = int(target.do("forks", None))
        target.do("hit 30")
        assert sum(words(fd)) == 37 and code(child) != before
        tool.end()
        patience.until(lambda: code(child) == before and code(target.pid) == before)
        target.do("hit 30")
        assert sum(words(fd)) == 37
        os.close(fd)


def test_an_answer_to_the_parent_is_not_the_childs(shared):
    """The tool has not read it yet, and the child has no tool that would say so."""
    with Target(shared) as target:
        tool = cp.Tool(target.pid)
        _, number = tool.ask(cp.LIST, b"live:*", is_read=False)
        child = int(target.do("forks", None))
        files = [os.readlink(f"/proc/{child}/fd/{fd}") for fd in os.listdir(f"/proc/{child}/fd")]
        assert number >= 0
        assert [name for name in files if "sdt-" in name] == ["/memfd:sdt-control (deleted)"]
        tool.end()


def test_a_child_that_is_not_followed_has_left_the_rings(sdt, shared):
    """Its parent need not wait for it to have the recording whole: it may never run again."""
    with Target(shared) as target:
        tool = cp.Tool(target.pid)
        with cp.watching(sdt.path("rec")) as directory:
            recording, _ = tool.ask(cp.RECORD, directory + b"\0:\0live:*")
        assert recording > 0 and rings(target.pid)
        target.do("hit 10")
        child = int(target.do("forks", None))
        os.kill(child, signal.SIGSTOP)
        tool.end()
        patience.until(lambda: not rings(target.pid))
        os.kill(child, signal.SIGKILL)


HOLD = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void hold(void)
{
    while (access(getenv("HOLD"), F_OK) == 0)
        usleep(1000);
}
__attribute__((constructor)) static void before_the_runtime(void)
{
    pthread_atfork(NULL, NULL, hold);
}
"""


def test_a_child_that_is_the_last_to_leave_removes_the_rings(sdt, shared):
    """The recording ends while fork() is on its way: the child has had no time to leave it, and
    then lives for a moment only."""
    early, hold = sdt.path("early.so"), sdt.path("hold")
    sdt.command("gcc", "-shared", "-fPIC", "-Wl,-z,initfirst", sdt.write("early.c", HOLD), "-o",
                early)
    with Target(shared, {"LD_PRELOAD": str(early), "HOLD": str(hold)}) as target:
        tool = cp.Tool(target.pid)
        with cp.watching(sdt.path("rec")) as directory:
            assert tool.ask(cp.RECORD, directory + b"\0:\0live:*")[0] > 0
        target.do("hit 10")
        hold.touch()
        target.process.stdin.write("churn 1\n")
        patience.until(lambda: children(target.pid))
        tool.end()
        patience.until(lambda: not maps_rings(target.pid))
        assert rings(target.pid) and maps_rings(children(target.pid)[0])
        hold.unlink()
        assert target.process.stdout.readline() == "ok\n"
        assert not rings(target.pid)
        [trace] = sdt.path("rec").glob("target-*")
        assert sdt.command("babeltrace2", trace).stdout.count("live:tick") == 10


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return file.read().split()


def maps_rings(pid):
    with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
        return "/dev/shm/" in file.read()


@pytest.mark.parametrize("keys", [(NONE, SIGNED, 4096), (SIGNED, NONE, 0)])
def test_a_table_that_is_not_what_was_asked_for(sdt, shared, keys):
    """A process, which is this one, has another one's table for an answer."""
    site = "live t f tick 1 3 off 0 7 -1 0 0 0 f.c:3 i:int32\n".replace(" ", "\t")
    listing = cp.file("sdt-result", site.encode())
    with Target(shared) as target:
        _, fd = table(cp.Tool(target.pid), target.pid, *keys)

        def answer(page, at):
            asked = struct.unpack_from("<I", page, at + cp.OP)[0]
            given = {cp.LIST: listing, cp.TABLE: fd}.get(asked, -1)
            inode = os.fstat(given).st_ino if given >= 0 else 0
            struct.pack_into("<iiQ80s", page, at + cp.RESULT, asked != cp.LIST, given, inode, b"")

        with cp.Liar(answer):
            for words_of in (["count", "--follow", "*"], ["count", "*", "by", "str(i)"]):
                result = attached.ask(sdt, *words_of, "-d", "0.05", "-p", os.getpid(), status=1)
                assert "table has a format that this sdt does not know" in result.stderr
        os.close(fd)
    os.close(listing)


def test_what_is_refused(shared):
    with Target(shared) as target:
        tool = cp.Tool(target.pid)
        number, fd = table(tool, target.pid)
        good = program(HIST, [FIRST], value=0)
        for bad in (b"x", good[:-1], good + b"\0" * 8, b"\xff" * 4096,
                    good):  # the table has no histogram
            assert tool.ask(cp.ENABLE, b"live:tick", number, program=bad)[0] < 0
        assert tool.ask(cp.ENABLE, b"live:tick", number + 1, program=program(COUNT))[0] < 0
        for bad in (b"", b"\xff" * 36, spec()[:-1]):
            assert tool.ask(cp.TABLE, program=bad)[0] < 0
        for flags in (cp.FOLLOW, 128):  # counters are a child's own; there is no such flag
            assert tool.ask(cp.ENABLE, b"live:tick", flags=flags)[0] < 0
        other = cp.Tool(target.pid, place=1)
        assert other.ask(cp.ENABLE, b"live:tick", number, program=program(COUNT))[0] < 0
        other.end()
        tool.end()
        os.close(fd)
