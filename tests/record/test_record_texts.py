# SPDX-License-Identifier: BSD-2-Clause
"""Events with strings come out of a recording as they were, read by babeltrace2.

Each in two ways: by restartable sequences, and without them (a ring for each thread).
"""
import collections
import re

import pytest

pytestmark = pytest.mark.nosan  # what the program does, in many builds of it

WITHOUT = {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
each_way = pytest.mark.parametrize("env", [{}, WITHOUT], ids=["rseq", "without"])
each_form = pytest.mark.parametrize("flags", [[], ["-DSDT_CALL_SITES"]], ids=["inline", "call"])
LONGEST = 70


def recorded(sdt, flags, env, *args):
    """What the program printed, and the events: name, and values."""
    exe = sdt.build("record_texts.c", *flags)
    out = sdt.command(exe, sdt.path("recording"), *args, env=env).stdout
    text = sdt.command("babeltrace2", "--no-delta", sdt.path("recording"), status=None)
    assert (text.returncode, text.stderr[:1000]) == (0, "")
    events = []
    for line in text.stdout.splitlines():
        name = re.search(r" texts:(\w+): ", line)[1]
        fields = re.findall(r'\w+ = (?:"([^"]*)"|(-?\d+))', line.rpartition("}, {")[2])
        events.append((name, [int(number) if number else text for text, number in fields]))
    return out, events


@each_form
@each_way
def test_each_length_and_alignment(sdt, flags, env):
    _, events = recorded(sdt, flags, env)
    wanted = []
    for length in range(LONGEST + 1):
        text = chr(ord("a") + length % 26) * length
        for space in range(8):
            wanted += [("one", [length, text, space]), ("last", [-length, text]),
                       ("two", [-length, text, space, text, length])]
    wanted += [("bad", ["<fault>", -2]), ("bad", ["<null>", -2]), ("bad", ["<fault>", -2])]
    assert events[:-2] == wanted
    # What is too long is cut, each text and all of them; what is no text is never lost.
    assert events[-2] == ("cut", [1, "L" * 1024, 2])
    name, (first, one, second, two, *rest) = events[-1]
    assert (name, first, one, two, rest) == ("full", "L" * 1024, 1, 2, ["", 1, "", 2])
    assert 500 < len(second) < 1024 and set(second) == {"L"}


@each_form
@each_way
def test_threads_and_signal_handlers(sdt, flags, env):
    """No event is lost, torn or there twice, whoever came in between."""
    count = 20_000
    out, events = recorded(sdt, flags, env, str(count))
    of = collections.defaultdict(list)
    for name, values in events:
        of[name].append(values)
    assert sorted(of["numbers"]) == [[t, i] for t in range(4) for i in range(count)]
    assert sorted(of["both"], key=lambda v: (v[0], v[2])) == [
        [t, "12345678901234567890"[:1 + i % 20], i] for t in range(4) for i in range(count)]
    assert int(out) > 0  # some of them in the midst of an event; how many, the timer says
    assert sorted(of["alarm"]) == [[i, f"interrupted {i}", 14] for i in range(int(out))]
