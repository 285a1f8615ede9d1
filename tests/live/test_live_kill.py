# SPDX-License-Identifier: BSD-2-Clause
"""kill -9 of tools, and of processes that are traced, at whatever they are doing: between page
and session, session and request, request and answer, and later.

What is left must be a process as it was before, and a tool that ends by itself.
"""
import contextlib
import itertools
import os
import pty
import random
import signal
import struct
import subprocess
import threading
import time

import pytest

import controlpage as cp
import attached
import patience
from conftest import forget_rings
from attached import SDT, Target, ask, code, json_lines
from recorded import rings

pytestmark = pytest.mark.plain  # what a program does when its tool is killed

# A tool begins, has a session, a table and all that it asked for, within these.
MOST_MS = 15
COMMANDS = [["count", "follow:*"], ["count", "follow:hit", "by", "i % 10"],
            ["hist", "follow:hit", "i"], ["lat", "follow:begin", "follow:end", "match", "i"],
            ["trace", "follow:hit"], ["record", "-o", "rec", "-e", "follow:hit"], ["top"],
            ["record", "-o", "rec", "--when", "lat follow:begin follow:end > 1s"], ["list"],
            ["enable", "follow:begin"]]
FOLLOWERS = [[command[0], "--follow", *command[1:]] for command in COMMANDS[:8]]


READERS = []  # of the terminals of `sdt top`


@pytest.fixture
def exe(sdt, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(sdt.dir))  # a trace that is killed cannot remove its directory
    yield attached.build(sdt, "follow_target.c", "target")
    while READERS:
        READERS.pop().join()


def popen(words, pid, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
    """`sdt top` has a terminal, which is not read."""
    argv = [SDT, *words, "-p", str(pid)]
    if words[0] != "top":
        return subprocess.Popen(argv, stdout=stdout, stderr=stderr, text=True,
                                cwd=os.environ["TMPDIR"])
    ours, theirs = pty.openpty()
    process = subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=stderr, text=True,
                               env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    reader = threading.Thread(target=read_all, args=[ours])
    reader.start()
    READERS.append(reader)
    return process


def read_all(terminal):
    with contextlib.suppress(OSError):  # the other end is closed
        while os.read(terminal, 4096):
            pass
    os.close(terminal)


def start(words, pid):
    return popen(words, pid)


def kill(rng, process):
    time.sleep(rng.random() * MOST_MS / 1000)
    process.kill()
    process.wait()


def files(pid):
    names = []
    for fd in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            names.append(os.readlink(f"/proc/{pid}/fd/{fd}"))
    return sorted(names)


def new_target(exe):
    forget_rings()
    return Target(exe)


def is_quiet(target, before):
    with open(f"/proc/{target.pid}/maps", encoding="utf-8") as maps:
        return (code(target.pid) == before and "sdt-table" not in maps.read()
                and not rings(target.pid))


def has_sessions(pid):
    page = cp.open_page(pid)
    places = [struct.unpack_from("<Q", page, cp.SESSIONS + i * cp.SESSION)[0] for i in range(8)]
    page.close()
    return any(places)


def left(target, before):
    """Wait until nothing is."""
    patience.until(lambda: not has_sessions(target.pid))
    patience.until(lambda: is_quiet(target, before))
    patience.until(lambda: not [name for name in files(target.pid)
                                if "sdt-table" in name or "sdt-result" in name])


@pytest.mark.parametrize("follows", [False, True])
@pytest.mark.parametrize("rounds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_tools_that_are_killed(sdt, exe, rounds, follows):
    rng = random.Random(rounds)
    with contextlib.ExitStack() as stack:
        targets = [stack.enter_context(new_target(exe)) for _ in range(4)]
        before = code(targets[0].pid)
        left_on = ["enable", "-f", "follow:begin"]
        commands = itertools.cycle([*FOLLOWERS, left_on] if follows else COMMANDS)
        for _ in range(rounds):
            for target in targets * 7:  # a place is left to ask for what was enabled to end
                tool = start(next(commands), target.pid)
                target.do("churn 1" if follows and rng.random() < 0.3 else "hit 10")
                kill(rng, tool)
            for target in targets:
                patience.until(lambda pid=target.pid: not has_sessions(pid))
                ask(sdt, "reset", "-p", target.pid)  # what `enable` has left on is meant to stay
                left(target, before)
        for target in targets:
            tool = subprocess.Popen([SDT, "count", "follow:hit", "--json", "-p", str(target.pid)],
                                    stdout=subprocess.PIPE, text=True)
            attached.until_attached(tool, target.pid, before)
            target.do("hit 10")
            tool.send_signal(signal.SIGINT)
            [line] = json_lines(patience.wait(tool)[0])
            assert (line["count"], tool.returncode) == (10, 0)


@pytest.mark.parametrize("rounds", [6, pytest.param(200, marks=pytest.mark.slow)])
def test_a_child_of_a_killed_tool(exe, rounds):
    """It was forked at any moment, and goes on; so does its parent."""
    rng = random.Random(rounds)
    with new_target(exe) as target:
        before = code(target.pid)
        for words in itertools.islice(itertools.cycle(FOLLOWERS), rounds):
            tool = start(words, target.pid)
            time.sleep(rng.random() * 3 * MOST_MS / 1000)
            child = type("Child", (), {"pid": int(target.do("fork", None))})
            target.do("hit 100")
            kill(rng, tool)
            left(child, before)
            left(target, before)
            target.do("hit 100")
            target.process.stdin.write("quit\n")
            assert target.process.stdout.readline() == "back\n"


@pytest.mark.parametrize("rounds", [30, pytest.param(1000, marks=pytest.mark.slow)])
def test_processes_that_are_killed(exe, rounds):
    """The tool says what it has, or that there is nothing, and ends."""
    rng = random.Random(rounds)
    words = itertools.cycle(COMMANDS + FOLLOWERS)
    for _ in range(rounds):
        with new_target(exe) as target:
            tool = popen(next(words), target.pid, subprocess.PIPE, subprocess.PIPE)
            kill(rng, target.process)
            _, errors = patience.wait(tool, None)
            assert tool.returncode in (0, 1), errors
            assert not rings(target.pid), (tool.args, errors)


DIES = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
int openat(int directory, const char *name, int flags, ...)
{
    int (*next)(int, const char *, int, ...) = dlsym(RTLD_NEXT, "openat");
    if (strcmp(name, FATAL) == 0)
        kill(getpid(), SIGKILL);
    return next(directory, name, flags, 0644);
}
"""


@pytest.mark.parametrize("name", [".metadata", "metadata"])
def test_a_process_that_is_killed_before_it_describes_its_rings(sdt, exe, name):
    """They are in memory, and could not be read; also if the metadata have been begun."""
    dies = sdt.path("dies.so")
    sdt.command("gcc", "-shared", "-fPIC", f'-DFATAL="{name}"', sdt.write("dies.c", DIES), "-o",
                dies)
    for words in (["record", "-o", "rec"], ["trace", "follow:hit"],
                  ["record", "-o", "rec", "--when", "follow:hit /i > 5/"]):
        with Target(exe, {"LD_PRELOAD": str(dies)}) as target:
            refused = ask(sdt, *words, "-p", target.pid, status=1).stderr
            assert refused == f"sdt: error: process {target.pid} (target) has ended\n"
            assert not rings(target.pid) and not sdt.path("rec").exists()


@pytest.mark.parametrize("rounds", [10, pytest.param(300, marks=pytest.mark.slow)])
def test_parents_that_are_killed(exe, rounds):
    """The child goes on, and is as in the file when the tool has ended."""
    rng = random.Random(rounds)
    words = itertools.cycle(FOLLOWERS)
    for _ in range(rounds):
        with new_target(exe) as target:
            before = code(target.pid)
            tool = start(next(words), target.pid)
            time.sleep(rng.random() * 2 * MOST_MS / 1000)
            child = type("Child", (), {"pid": int(target.do("orphan", None))})
            kill(rng, tool) if rng.random() < 0.5 else tool.send_signal(signal.SIGINT)
            left(child, before)
            target.do("hit 10")
            target.process.stdin.write("quit\n")
            target.process.wait()
            tool.wait()
            # By SIGINT, if it had not come as far as to wait for it.
            assert tool.returncode in (0, 1, -signal.SIGKILL, -signal.SIGINT)
