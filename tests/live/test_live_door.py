# SPDX-License-Identifier: BSD-2-Clause
"""Why requests are worked by a thread of our own, and not by whoever hits a probe (decision 35).

Each test has both: a handler that does at a hit what a tool asks for, and the same wish of a tool,
by the protocol, where the hit is in the same place. The first is what must not be done to a program
that a tool attaches to; where it starts to work, the decision can be thought over.
"""
import os

import pytest

import controlpage as cp
import attached

pytestmark = pytest.mark.nosan  # malloc is the program's; frames are larger

# Bytes. A signal stack of 8 KiB, which was SIGSTKSZ, has the signal's own frame in it, of up to
# 3.5 KiB; stacks of coroutines are smaller.
ROOM = 4096


@pytest.fixture
def target(sdt):
    with attached.Target(attached.build(sdt, "live_door.c")) as target:
        yield target


def enable(target, pattern):
    """As a tool, whose session goes on."""
    tool = cp.Tool(target.pid)
    assert tool.ask(cp.ENABLE, pattern)[0] > 0
    return tool


def test_a_small_stack(target):
    """A counted hit takes 512 bytes (test_runtime_stack.py), and the first request of a process
    9 KiB, where vector registers have 512 bits. Below it is what is another's."""
    tool = enable(target, b"door:plain")
    assert 0 < int(target.do("stack", None)) < 1024
    tool.end()
    target.do("at door:plain")
    assert int(target.do("stack", None)) > ROOM


def test_a_hit_under_the_lock_of_malloc(target):
    tool = enable(target, b"door:malloc")
    assert target.do("malloc 1000", None) == "0 1000"
    tool.end()
    target.do("at door:malloc")
    deadlocks, _ = target.do("malloc 1", None).split()
    assert int(deadlocks) > 0


def test_a_thread_that_may_make_no_system_calls(target):
    tool = enable(target, b"door:plain")
    assert target.do("strict 1000", None) == "lives"
    tool.end()
    target.do("at door:plain")
    assert target.do("strict 1", None) == "killed"


def library(sdt):
    source = sdt.write("plugin.c", "#include <sdt/probe.h>\nvoid plugin_hits(long n);\n"
                       "void plugin_hits(long n)\n{\n    SDT_PROBE(door, plugin, n);\n}\n")
    return sdt.link(sdt.process(sdt.compile(source, "-fPIC")), "-shared", runtime="shared",
                    name="plugin.so")


PATCH, OFF, ON = 4, b"\x84", b"\x00"  # decision 26


def test_text_that_goes_while_a_tool_writes_to_it(sdt, target):
    """Whoever writes from outside cannot keep an object from being unloaded between looking at the
    byte and writing it. In the process a lock does."""
    target.do(f"map {library(sdt)}")
    [site] = attached.sites(sdt, target.pid, "door:plugin")
    place = site["address"] + PATCH
    with open(f"/proc/{target.pid}/mem", "r+b", buffering=0) as memory:
        assert os.pread(memory.fileno(), 1, place) == OFF
        target.do("instead")
        assert target.do("look", None) == "0"
        assert os.pwrite(memory.fileno(), ON, place) == 1
    assert target.do("look", None) == "1"
