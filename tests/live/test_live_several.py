# SPDX-License-Identifier: BSD-2-Clause
"""A name that several processes have: `sdt list`, `top`, `enable`, `disable`, `reset`, `snapshot`
attach to all of them. The programs are told how often to hit their probes."""
import os

import pytest

import attached
import patience
from attached import Target, ask, code, json_lines
from test_live_top import Screen

NAME = f"worker{os.getpid()}"  # no other process has this name


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt, name=NAME)


@pytest.fixture(name="pair")
def fixture_pair(exe):
    with Target(exe) as one, Target(exe) as two:
        yield sorted((one, two), key=lambda target: target.pid)


def hits(sdt, name=NAME):
    rows = json_lines(ask(sdt, "list", "--json", "-p", name).stdout)
    return {(row["pid"], row["name"]): row["hits"] for row in rows}


def test_list(sdt, pair):
    one, two = pair
    assert set(hits(sdt)) == {(target.pid, name) for target in pair for name in ("tick", "tock")}
    lines = [line.split() for line in ask(sdt, "list", "-p", NAME, "tick").stdout.splitlines()]
    assert lines[0][:3] == ["PID", "PROVIDER", "FUNCTION"]
    assert [line[:4] for line in lines[1:]] == [[str(target.pid), "live", "tick", "tick"]
                                                for target in (one, two)]
    lines = [line.split() for line in ask(sdt, "list", "--summary", "-p", NAME).stdout.splitlines()]
    assert [line[0] for line in lines] == ["PID"] + 2 * [str(one.pid)] + 2 * [str(two.pid)]
    assert ask(sdt, "list", "-p", one.pid, "tick").stdout.startswith("PROVIDER ")
    assert f"no:such: no probe of 2 processes '{NAME}' matches" in \
        ask(sdt, "list", "-p", NAME, "no:such", status=3).stderr


def test_enable_and_disable(sdt, pair):
    one, two = pair
    before = [code(target.pid) for target in pair]
    ask(sdt, "enable", "-p", one.pid, "live:tock")  # so the next have different numbers
    ids = ask(sdt, "enable", "-p", NAME, "live:tick").stdout.split()
    assert [id.split(":")[0] for id in ids] == [str(one.pid), str(two.pid)]
    assert len({id.split(":")[1] for id in ids}) == 2
    one.do("hit 30")
    two.do("hit 12")
    assert hits(sdt) == {(one.pid, "tick"): 30, (one.pid, "tock"): 10, (two.pid, "tick"): 12,
                         (two.pid, "tock"): 0}
    assert "2 processes have the name" in ask(sdt, "disable", "-p", NAME, "1", status=1).stderr
    ask(sdt, "disable", *ids)
    ask(sdt, "reset", "-p", NAME)
    assert [code(target.pid) for target in pair] == before
    again = ask(sdt, "enable", "-p", NAME, "tock").stdout.split()
    ask(sdt, "disable", "-p", NAME, *again)  # as with one process
    assert [code(target.pid) for target in pair] == before
    assert "nothing is enabled with ID" in ask(sdt, "disable", again[0], status=3).stderr
    two.process.kill()
    two.process.wait()
    ids = ask(sdt, "enable", "-p", NAME, "tick").stdout.split()
    assert len(ids) == 1 and ids[0].isdigit()  # there is one left
    ask(sdt, "disable", "-p", NAME, *ids)


def test_reset(sdt, pair):
    before = [code(target.pid) for target in pair]
    ask(sdt, "enable", "-p", NAME, "*")
    assert all(code(target.pid) != text for target, text in zip(pair, before))
    ask(sdt, "reset", "-p", NAME)
    assert [code(target.pid) for target in pair] == before


def test_a_probe_that_only_one_has(sdt, exe, pair):
    library = sdt.build(sdt.write("plugin.c", "#include <sdt/probe.h>\n"
                                  "void plugin_hits(long n);\nvoid plugin_hits(long n)\n"
                                  "{\n    for (long i = 0; i < n; i++)\n"
                                  "        SDT_PROBE(plugin, hit, i);\n}\n"),
                        "-fPIC", ldflags=["-shared"], runtime=None, name="plugin.so")
    _, two = pair
    two.do(f"load {library}")
    [word] = ask(sdt, "enable", "-p", NAME, "plugin:hit").stdout.split()
    assert word.split(":")[0] == str(two.pid)
    two.do(f"call {library} 7")
    assert hits(sdt)[two.pid, "hit"] == 7
    assert f"plugin:miss: no probe of 2 processes '{NAME}' matches" in \
        ask(sdt, "enable", "-p", NAME, "plugin:miss", status=3).stderr
    rows = json_lines(ask(sdt, "count", "--json", "-d", "0.1", "plugin:hit", "-p", NAME).stdout)
    assert [row["name"] for row in rows] == ["hit"]
    for command in (["count", "plugin:hit", "by", "i"], ["hist", "plugin:hit", "i"],
                    ["lat", "plugin:hit", "tick"], ["trace", "plugin:hit"],
                    ["trace", "plugin:hit", "/i > 3/"],
                    ["record", "-o", "rec", "-e", "plugin:hit /i > 3/"]):
        ask(sdt, *command, "-d", "0.1", "-p", NAME)


@pytest.mark.parametrize("who", ["both", "one", "none"])
def test_snapshot(sdt, exe, who):
    env = {"SDT_RECORD": str(sdt.path("rec")), "SDT_RECORD_OPTIONS": "flight",
           "SDT_ENABLE": "live:tick=record"}
    with Target(exe, env if who != "none" else {}) as one, \
            Target(exe, env if who == "both" else {}) as two:
        one.do("hit 5")
        two.do("hit 5")
        result = ask(sdt, "snapshot", "-p", NAME, status=3 if who == "none" else 0)
        assert result.stderr == ("sdt: error: none of 2 processes "
                                 f"'{NAME}' records\n" if who == "none" else "")
        if who != "none":
            found = json_lines(ask(sdt, "report", "--json", "rec").stdout)
            assert {event["pid"] for event in found} == \
                ({one.pid, two.pid} if who == "both" else {one.pid})
            assert all(path.stat().st_size for path in sdt.path("rec").glob("*/cpu*"))


def test_top(sdt, pair):
    one, two = pair
    before = [code(target.pid) for target in pair]
    with Screen(sdt, "live:*", "-p", NAME, "-i", "0.2", columns=120) as screen:
        screen.shows(r", 2 processes +2 probes, 2 counted")
        one.do("hit 30")
        two.do("hit 3")
        screen.shows(r"^[* ] live:tick .* 33\b")
        screen.keys("a")
        screen.shows(", 0 counted")
        for target, text in zip(pair, before):
            patience.until(lambda target=target, text=text: code(target.pid) == text)
        screen.keys("a")
        screen.shows(", 2 counted")
        two.process.kill()
        screen.shows(r", 1 process ")
        one.do("hit 3")
        screen.shows(r"^[* ] live:tick .* 36\b")
        screen.keys("q")
        screen.shows("^status=0$")
    patience.until(lambda: code(one.pid) == before[0])
