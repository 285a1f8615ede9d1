# SPDX-License-Identifier: BSD-2-Clause
"""Processes that lie to `sdt`, tools that lie to a process, and who is not let in.

Both sides are played by tests/support/controlpage.py, from the page's documentation alone.
"""
import os
import random
import shutil
import struct

import pytest

import controlpage as cp
import attached
import patience
from conftest import RINGS_BEFORE
from attached import Counting, Target, ask, code

pytestmark = pytest.mark.sanitized  # a process that lies to the tool

SEEDS = range(40)
SERVING = 1  # of a page
LINE = b"live\ttarget\tf\ttick\t1234\t3\toff\t0\t7\t-1\t0\t0\t0\tf.c:3\ti:int32 s:string\n"


@pytest.fixture
def shared(sdt):
    return attached.build(sdt)


def answer_with(result=0, fd=-1, inode=0, message=b""):
    def answer(page, at):
        struct.pack_into("<iiQ80s", page, at + cp.RESULT, result, fd, inode, message)
    return answer


def listing(text, name="sdt-result", **kwargs):
    fd = cp.file(name, text, **kwargs)
    return fd, os.fstat(fd).st_ino


def test_a_process_that_answers_as_documented(sdt):
    fd, inode = listing(LINE * 2)
    with cp.Liar(answer_with(0, fd, inode)):
        lines = attached.sites(sdt, os.getpid())
    os.close(fd)
    assert [(line["name"], line["hits"], line["fields"]) for line in lines] == 2 * [
        ("tick", 7, [{"name": "i", "type": "int32"}, {"name": "s", "type": "string"}])]


@pytest.mark.parametrize("change, message", [
    ({"magic": 3}, "is invalid"), ({"seals": 0}, "is invalid"), ({"size": 4096}, "is invalid"),
    ({"abi": 9}, "has libsdt 0.1.0, with control page 9; this sdt knows 3"),
    ({"state": 2}, "answers no requests"), ({"pid": 1}, "is not attachable")])
def test_a_page_that_is_not_ours(sdt, change, message):
    with cp.Liar(answer_with(), **change):
        assert message in ask(sdt, "list", "-p", os.getpid(), status=1).stderr
        ask(sdt, "ps", status=None)


def test_what_a_process_says_does_not_reach_the_terminal(sdt):
    fd, inode = listing(LINE.replace(b"tick", b"\x1b[2Jti\x9bck").replace(b"f.c", b"\x07"))
    with cp.Liar(answer_with(0, fd, inode)):
        for args in ([], ["--summary"], ["--json"]):
            shown = ask(sdt, "list", *args, "-p", os.getpid(), text=False).stdout
            assert not set(shown) & {0x1b, 0x9b, 7}
    os.close(fd)
    with cp.Liar(answer_with(-5, message=b"\x1b[2J" * 20)):
        shown = ask(sdt, "list", "-p", os.getpid(), status=1, text=False).stderr
        assert b"\x1b" not in shown


def damaged(rng):
    """A list with anything in it."""
    fields = [LINE.rstrip(b"\n").split(b"\t") for _ in range(rng.randrange(1, 5))]
    for line in fields:
        for _ in range(rng.randrange(4)):
            line[rng.randrange(len(line))] = rng.choice(
                [b"", b"-1", b"4096", b"99999999999999999999", b"8", b"x" * 5000, b"\0", b"::: :",
                 rng.randbytes(9), b"2147483648"])
        if rng.random() < 0.2:
            line.pop()
    return b"\n".join(b"\t".join(line) for line in fields) + rng.choice([b"\n", b"", b"\t\n\n"])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_process_that_says_anything(sdt, seed):
    rng = random.Random(seed)
    files = [listing(damaged(rng)), listing(damaged(rng), seals=0),
             listing(b"", size=rng.choice([0, 4096, 3 << 40])), listing(LINE, name="other")]

    def answer(page, at):
        fd, inode = rng.choice(files)
        page[at + cp.OP:at + cp.TEXT] = rng.randbytes(cp.TEXT - cp.OP)
        struct.pack_into("<iiQ", page, at + cp.RESULT, rng.choice([0, 0, 0, 1, -2, -2**31]),
                         rng.choice([fd, fd, fd, -1, 10**9]), rng.choice([inode, inode, 5]))

    with cp.Liar(answer):
        for command in (["list"], ["list", "--json"], ["count", "*", "-d", "0.05"], ["ps"],
                        ["count", "*", "--follow", "-d", "0.05"],
                        ["hist", "*", "i", "--follow", "-d", "0.05"],
                        ["enable", "*"], ["reset"], ["snapshot"]):
            who = [] if command == ["ps"] else ["-p", os.getpid()]
            result = ask(sdt, *command, *who, status=None, text=False)
            assert result.returncode in (0, 1, 3), result.stderr
    for fd, _ in files:
        os.close(fd)


@pytest.mark.parametrize("place", [(0, 2), (4096 - 8, 1), (4096, 1), (0, 3), (3, 1), (0, 10**9)])
def test_counters_that_are_not_there(sdt, place):
    """Words of which some would be after the end of the file."""
    offset, pages = place
    counters, inode = listing(b"\1" * 8192, name="sdt-counters")
    text = LINE.replace(b"\t-1\t0\t0\t0\t",
                        b"\t%d\t%d\t%d\t%d\t" % (counters, inode, offset, pages))
    fd, number = listing(text)
    with cp.Liar(answer_with(0, fd, number)):
        result = ask(sdt, "count", "--json", "*", "-p", os.getpid(), "-d", "0.05")
        [line] = attached.json_lines(result.stdout)
        assert line["name"] == "tick"
    os.close(fd)
    os.close(counters)


# ---- Tools that lie. ----


def put_request(page, rng, directory):
    place = rng.randrange(8)
    session = rng.getrandbits(64) | 1
    struct.pack_into("<QQ", page, cp.SESSIONS + place * cp.SESSION, session, rng.getrandbits(64))
    at = cp.REQUESTS + (2 * place + rng.randrange(2)) * cp.REQUEST
    text = rng.choice([b"live:*\0", b"live:tick\0", b"*" * 1024, rng.randbytes(1024), b"\0",
                       b"[[[\0", b"a:b:c\0", b",,,\0", directory + b"\0:\0live:tick\0",
                       directory + b"\0:ring=9999999999M\0*\0", b"/nowhere/at/all\0:flight\0*\0",
                       directory + b"\0:" + b"x" * 900])
    page[at + cp.TEXT:at + cp.REQUEST] = rng.randbytes(cp.REQUEST - cp.TEXT)
    page[at + cp.TEXT:at + cp.TEXT + len(text)] = text
    struct.pack_into("<IQQII", page, at + cp.OP, rng.choice([*range(12), rng.getrandbits(32)]),
                     rng.choice([session, session, session, 0, 5]),
                     rng.choice([1, 2, 3, 0, 2**63, rng.getrandbits(64)]),
                     rng.choice([0, 1, 2, 3, 8, 9, 11, rng.getrandbits(32)]),
                     rng.choice([0, 0, 1, 4096, 4097, 2**32 - 1]))
    struct.pack_into("<I", page, at, rng.choice([cp.POSTED] * 5 + [0, 2, 3, 77]))


@pytest.mark.parametrize("seed", range(4))
def test_a_tool_that_asks_for_anything(sdt, shared, seed):
    rng = random.Random(seed)
    directory = os.fsencode(sdt.path("rec"))
    with Target(shared) as target:
        before = code(target.pid)
        target.do("busy 2")
        page = cp.open_page(target.pid)
        patience.until(lambda: struct.unpack_from("<I", page, cp.STATE)[0] == SERVING)
        good = page[:88]
        for _ in range(400):
            if rng.random() < 0.3:
                at = rng.randrange(cp.SIZE - 64)
                page[at:at + 64] = rng.randbytes(64)
            else:
                put_request(page, rng, directory)
            cp.ring(page)
            if rng.random() < 0.2:
                target.do(rng.choice(["hit 9", "churn 1"]))
        page[:88] = good
        page[cp.SESSIONS:] = bytes(cp.SIZE - cp.SESSIONS)
        cp.ring(page)
        ask(sdt, "reset", "-p", target.pid)
        patience.until(lambda: code(target.pid) == before)
        page.close()
        counting = Counting(target, "live:tock").begin()
        target.do("hit 30")
        assert counting.end() == {"tock": 10}
        shutil.rmtree(sdt.path("rec"), ignore_errors=True)
        assert not [name for name in os.listdir("/dev/shm")
                    if f"-{target.pid}-" in name and name not in RINGS_BEFORE]


def test_no_more_tools_than_there_are_places(sdt, shared):
    with Target(shared) as target:
        page = cp.open_page(target.pid)
        for i in range(8):
            struct.pack_into("<Q", page, cp.SESSIONS + i * cp.SESSION, 100 + i)
        assert "8 tools are attached already" in ask(sdt, "list", "-p", target.pid, status=1).stderr
        cp.ring(page)  # none of them moves
        patience.until(lambda: struct.unpack_from("<Q", page, cp.SESSIONS)[0] == 0)
        assert len(attached.states(sdt, target.pid)) == 2
        page.close()


@pytest.mark.parametrize("left, becomes", [(cp.POSTED, cp.POSTED), (cp.DONE, cp.DONE),
                                           (cp.RUNNING, cp.FREE)])
def test_what_a_place_without_a_session_keeps(sdt, shared, left, becomes):
    """The process may not clear what the next tool has posted since it looked; but that tool waits
    for a request that runs."""
    with Target(shared) as target:
        cp.Tool(target.pid).ask(cp.LIST, b"*")  # the place was used, which the process knows
        other = cp.Tool(target.pid, place=1)
        struct.pack_into("<Q", other.page, cp.SESSIONS, 0)
        struct.pack_into("<I", other.page, cp.REQUESTS, left)
        for _ in range(2):  # it has looked around before it begins with the second
            other.ask(cp.LIST, b"*")
        assert struct.unpack_from("<I", other.page, cp.REQUESTS)[0] == becomes
        other.end()
        assert len(attached.states(sdt, target.pid)) == 2


# ---- Who is let in. ----


def as_nobody(*argv):
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--", *argv]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_another_user_is_not_let_in(sdt, shared):
    with Target(shared) as target:
        result = sdt.command(*as_nobody(attached.SDT, "list", "-p", target.pid), status=1,
                             cwd="/")
        assert "cannot be attached to: it belongs to another user" in result.stderr
        assert str(target.pid) not in sdt.command(*as_nobody(attached.SDT, "ps"), status=None,
                                                  cwd="/").stdout


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_a_user_looks_into_processes_of_his_own(sdt, shared):
    """The page is his; nothing but the kernel's own check of users is in the way."""
    for directory in [shared.parent, *shared.parent.parents]:
        if directory.stat().st_uid == 0 and directory.name.startswith(("pytest", "popen", "test_")):
            directory.chmod(0o755)

    class Own(Target):
        def __init__(self):
            self.process = attached.subprocess.Popen(
                as_nobody(str(shared)), stdin=-1, stdout=-1, text=True, bufsize=1, cwd="/",
                env={**os.environ, "SDT_ATTACH": "1"})
            self.pid = self.process.pid
            assert self.process.stdout.readline() == "here\n"

    with Own() as target:
        sdt.command(*as_nobody(attached.SDT, "enable", "-p", target.pid, "live:tick"), cwd="/")
        target.do("hit 5")
        assert '"hits": 5' in sdt.command(
            *as_nobody(attached.SDT, "list", "--json", "-p", target.pid, "live:tick"),
            cwd="/").stdout


def test_a_process_that_is_not_dumpable(sdt):
    source = sdt.write("secret.c", '''
#include <errno.h>
#include <sdt/runtime.h>
#include <sys/prctl.h>
int main(void)
{
    prctl(PR_SET_DUMPABLE, 0);
    int refused = sdt_attachable();
    prctl(PR_SET_DUMPABLE, 1);
    return refused != -EPERM || sdt_attachable() != 0 || sdt_attachable() != 0;
}
''')
    sdt.run(sdt.link(sdt.compile(source)))


def test_a_process_that_cannot_be_made_attachable_says_so_each_time(sdt):
    source = sdt.write("full.c", '''
#include <errno.h>
#include <sdt/runtime.h>
#include <sys/resource.h>
int main(void)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    return sdt_attachable() != -EMFILE || sdt_attachable() != -EMFILE;
}
''')
    sdt.run(sdt.link(sdt.compile(source)))


def test_a_process_that_closes_what_it_does_not_know(sdt, shared):
    """Only tools that found it before find it; its children can be found."""
    with Target(shared) as target:
        counting = Counting(target, "live:*").begin()
        target.do("hit 30")
        target.do("fds")
        target.do("hit 30")
        assert counting.end() == {"tick": 60, "tock": 20}
        assert "is not attachable" in ask(sdt, "list", "-p", target.pid, status=1).stderr
        child = int(target.do("forks", None))
        assert len(attached.states(sdt, child)) == 2
