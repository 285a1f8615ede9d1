# SPDX-License-Identifier: BSD-2-Clause
"""Who records: threads, children, programs that follow one another, signal handlers. Every hit
is in the recording, once, or is counted as lost."""
import collections
import struct

import pytest

import recorded


@pytest.fixture
def many(sdt):
    return recorded.build(sdt, "record_many.c", "-pthread")


@recorded.with_and_without_rseq
def test_every_hit_of_several_threads(sdt, many, rseq):
    sdt.command(many, "threads", 20000, 5, env={**recorded.wish(sdt), **rseq})
    words = recorded.words(sdt)
    assert len(words) == recorded.count(sdt) == 5 * recorded.hits_of(20000)
    assert recorded.lost(sdt) == 0
    threads = recorded.ticks(words)
    assert len(threads) == 5 and all(numbers == list(range(20000)) for numbers in threads.values())


def test_more_threads_than_rings(sdt, many):
    """Without rseq(2) each thread has a ring; there are 64, and those of the dead are inherited."""
    sdt.command(many, "threads", 100, 90,
                env={**recorded.wish(sdt, options="ring=32K"), **recorded.NO_RSEQ})
    words = recorded.words(sdt)
    assert len(words) + recorded.lost(sdt) == 90 * recorded.hits_of(100)
    assert len(words) >= 64 * recorded.hits_of(100)


@recorded.with_and_without_rseq
@pytest.mark.parametrize("way", ["exit", "_exit", "kill"])
def test_children_record_into_the_rings_of_their_parent(sdt, many, way, rseq):
    output = sdt.run(many, "fork", 1000, way, 3, env={**recorded.wish(sdt), **rseq})
    children = [int(line) for line in output.split()]
    [trace] = recorded.traces(sdt)
    parent = int(trace.name.rsplit("-", 1)[1])
    by_pid = collections.defaultdict(list)
    for (pid, tid, thread), numbers in recorded.ticks(recorded.words(sdt)).items():
        assert pid == tid
        by_pid[pid] += [(thread, number) for number in numbers]
    assert by_pid.pop(parent) == [(0, n) for n in [*range(1000)] * 2]
    assert dict(by_pid) == {child: [(i, n) for n in range(1000)]
                            for i, child in enumerate(children, 1)}
    assert not (trace / ".rings").is_symlink() and not recorded.rings(parent)
    assert {event.pid for event in recorded.read(sdt)[0]} == {parent, *children}


def test_a_program_that_follows_another_has_its_own_trace(sdt, many):
    other = recorded.build(sdt, "record_many.c", "-pthread", name="other")
    pid = sdt.run(many, "exec", 500, "/bin/sh", "-c", f'echo $$; exec {other} exit 700 0',
                  env=recorded.wish(sdt)).split()[0]
    assert [trace.name for trace in recorded.traces(sdt)] == [f"a.out-{pid}", f"other-{pid}"]
    recorded.tool(sdt, "recover", "rec")  # exec has left the first one's rings
    assert recorded.count(sdt, f"rec/a.out-{pid}") == recorded.hits_of(500)
    assert recorded.count(sdt, f"rec/other-{pid}") == recorded.hits_of(700)
    assert recorded.count(sdt) == recorded.hits_of(500) + recorded.hits_of(700)


def test_the_same_program_again_has_a_second_trace(sdt, many):
    """Of the same number as well."""
    sdt.command(many, "exec", 500, many, "exit", 700, 0, env=recorded.wish(sdt))
    recorded.tool(sdt, "recover", "rec")
    names = [trace.name for trace in recorded.traces(sdt)]
    assert len(names) == 2 and names[1] == names[0] + "-2"
    assert recorded.count(sdt) == recorded.hits_of(500) + recorded.hits_of(700)


@recorded.with_and_without_rseq
@pytest.mark.parametrize("options", ["ring=8M", "ring=16K,packet=4K"], ids=["room", "full"])
def test_signal_handlers_that_record_in_the_middle_of_a_hit(sdt, many, options, rseq):
    """A timer interrupts the hits of a busy thread everywhere: nothing is lost uncounted, nothing
    there twice or in pieces."""
    rounds, handled = map(int, sdt.run(many, "signals", 1000, 1500 if rseq else 300, 20, env={
        **recorded.wish(sdt, options=options), **rseq}).split())
    words = recorded.words(sdt)
    assert len(words) + recorded.lost(sdt) == rounds * recorded.hits_of(1000) + handled
    assert len(words) == recorded.count(sdt)
    signals = [struct.unpack_from("<qi", word.payload) for word in words
               if word.payload.endswith(b"from a handler\0")]
    others = [word.payload for word in words if not word.payload.endswith(b"from a handler\0")]
    assert all(len(payload) == 12 or b"changes\0" in payload for payload in others)
    numbers = [number for number, _ in signals]
    assert all(number == 14 for _, number in signals) and sorted(set(numbers)) == sorted(numbers)
    if recorded.lost(sdt) == 0:
        assert sorted(numbers) == list(range(handled))
        [of_thread] = recorded.ticks(words).values()
        assert of_thread == [*range(1000)] * rounds
