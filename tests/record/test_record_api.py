# SPDX-License-Identifier: BSD-2-Clause
"""<sdt/record.h>; recorders that come and go, libraries that do, and the program's own SIGSEGV."""
import collections

import pytest

import recorded
import fixture
from conftest import INCLUDES

pytestmark = pytest.mark.plain  # what the runtime does


def numbers(sdt, directory, name="rec:tick"):
    """What is in a recording, by babeltrace2; our own look at the streams comes with it."""
    recorded.streams(sdt, directory, gaps=directory == "flight")
    return [event.fields["i"] for event in recorded.read(sdt, directory)[0] if event.name == name]


@pytest.mark.parametrize("env, runtime", [({}, "static"), (recorded.NO_RSEQ, "shared")],
                         ids=["rseq", "no-rseq"])
def test_the_interface(sdt, env, runtime):
    exe = sdt.build("record_api.c", "-pthread", runtime=runtime)
    fixture.passes(sdt, exe, env=env)
    assert numbers(sdt, "one") == [*range(500), *range(600, 1000)]
    assert numbers(sdt, "two") == numbers(sdt, "two", "rec:other") == [*range(2000, 3000)]
    assert numbers(sdt, "thread") == [*range(20000)]
    newest = numbers(sdt, "flight")
    assert newest[-200:] == [*range(20000, 20200)] and len(newest) > 1500
    assert newest == sorted(set(newest))
    kept = numbers(sdt, "full")
    assert kept[:11] == [*range(11)]
    assert len(kept) + recorded.lost(sdt, "full") == 20000 > 2 * len(kept)
    assert not list(sdt.dir.glob("*/*/.rings"))


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_the_header_is_silent(sdt, compiler):
    """A function there has the name of a structure, of which g++ -Wshadow would warn."""
    name = sdt.write("silent.cc" if "++" in compiler else "silent.c", "#include <sdt/record.h>\n")
    sdt.command(compiler, "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", *INCLUDES,
                "-fsyntax-only", name)


def test_a_recorder_that_cannot_be_made_leaves_nothing_behind(sdt):
    exe = sdt.build("record_no_thread.c", "-pthread", runtime="shared")
    assert sdt.run(exe) == "1 1\n0\n0\n"
    assert not list(sdt.dir.glob("*/*/.rings"))


def test_recorders_that_come_and_go_among_hits(sdt):
    exe = sdt.build("record_api.c", "-pthread", runtime="shared")
    fixture.passes(sdt, exe, "again")
    sizes = []
    for i in range(30):
        words = recorded.words(sdt, f"again{i}")
        sizes.append(len(words))
        for of_thread in recorded.ticks(words).values():
            assert all(a < b for a, b in zip(of_thread, of_thread[1:]))
        if i % 10 == 0:
            assert recorded.count(sdt, f"again{i}") == len(words)
    assert all(size > 100 for size in sizes)


def test_no_data_race_in_the_recorder(sdt):
    """Its own sources under ThreadSanitizer."""
    exe = fixture.thread_sanitized(sdt, sdt.process(sdt.compile("record_api.c")))
    fixture.passes(sdt, "setarch", "-R", exe, "again")


@pytest.mark.parametrize("way, status, output", [
    ("handled", 0, "100\n"), ("default", -11, ""), ("ignored", -11, ""), ("sent", -11, "")])
def test_the_programs_own_faults_are_its_own(sdt, way, status, output):
    exe = sdt.build("record_faults.c", runtime="shared")
    assert sdt.command(exe, way, status=status).stdout == output
    if status:
        recorded.tool(sdt, "recover", "rec")
    events, _, _ = recorded.read(sdt)
    wanted = [*range(100), 100] if way == "handled" else [100]
    assert [tuple(event.fields.values()) for event in events] == [("<fault>", i) for i in wanted]


def test_faults_of_a_program_that_takes_the_signal_later(sdt):
    """After recording began, without a call of ours."""
    exe = sdt.build("record_faults.c", runtime="shared")
    assert sdt.command(exe, "later").stdout == "100\n"
    events, _, _ = recorded.read(sdt)
    assert [event.fields["nowhere"] for event in events] == ["<fault>"] * 101


@pytest.mark.parametrize("env", [{}, recorded.NO_RSEQ], ids=["rseq", "no-rseq"])
@pytest.mark.parametrize("way", ["main", "signal"])
def test_a_program_that_takes_the_signal_in_main_gets_no_fault_of_ours(sdt, way, env):
    """What is recorded by the environment begins before that."""
    exe = sdt.build("record_faults.c", runtime="shared")
    sdt.command(exe, way, env={**recorded.wish(sdt), **env})
    events, _, _ = recorded.read(sdt)
    assert [list(event.fields.values()) for event in events] == [
        ["<fault>", 100], ["both pages", 101], ["first", 102],
        [6, b"first\0", 102], [8, b"xxfirst\0", 102], ["<fault>", 103],
        ["<fault>", 103]]


@pytest.mark.parametrize("rounds", [30, pytest.param(2000, marks=pytest.mark.slow)])
def test_libraries_that_come_and_go(sdt, rounds):
    """Each time their probes are others, with the same names and values."""
    libraries = []
    for name in ("one", "two"):
        obj = sdt.process(sdt.compile("record_plugin.c", "-fPIC", name=f"{name}.o"))
        libraries.append(sdt.link(obj, "-shared", runtime="shared", name=f"{name}.so"))
    exe = recorded.build(sdt, "record_plugin.c", "-DPROGRAM")
    sdt.command(exe, rounds, *libraries, env=recorded.wish(sdt))
    events, _, _ = recorded.read(sdt)
    found = collections.Counter((event.name, event.fields["i"], event.fields["k"])
                                for event in events)
    assert found == {(f"rec:{name}", i, k): 1 for name in ("plugin", "tick", "between")
                     for i in range(rounds) for k in (2, 3)}
    assert {event.fields["arg2"] for event in events if event.name == "rec:plugin"} == \
        {"text in the library"}
    assert len(recorded.words(sdt)) == 6 * rounds
