# SPDX-License-Identifier: BSD-2-Clause
"""`sdt diff`: recordings that are written here, with a known difference; the numbers of Python's
own statistics module; and the page as an HTML parser sees it."""
import base64
import hashlib
import html
import json
import math
import random
import re
import statistics
import struct
import xml.etree.ElementTree

import pytest

import recorded
from conftest import TOOL_BUILD
from recordings import Trace
from report_page import Elements

TOOL = TOOL_BUILD / "sdt" / "sdt"
KEYS, SLOW = 20, 13
BOTH = struct.Struct("<QQqQQq")  # a begin and an end, with an argument each


def diff(sdt, *args, **kwargs):
    return sdt.command(TOOL, "diff", *args, **kwargs)


def rows(sdt, *args, a="a", b="b", **kwargs):
    return [json.loads(line) for line in
            diff(sdt, "--json", "--top=0", *args, a, b, **kwargs).stdout.splitlines()]


def found(lines):
    """(key, findings) of the rows that have some."""
    return [(row["key"], row["findings"]) for row in lines if row["findings"]]


class Writer:
    """A thread that serves requests one after the other, by a clock of its own. Its events are
    encoded here, since there are many of them."""

    def __init__(self, sdt, directory, seed, **kwargs):
        self.trace = Trace(sdt.path(directory), **kwargs)
        self.begin = self.trace.define("web", "request__begin", "key:int64")
        self.end = self.trace.define("web", "request__end", "status:int64")
        self.chance, self.now, self.latencies = random.Random(seed), 1000, {}
        self.last, self.thread = self.now, self.trace.pid | 24 << 22 | self.trace.pid << 32

    def request(self, key, latency, gap=1000, status=200):
        stream, begin = self.trace.stream(), self.now
        self.last = end = begin + int(latency)
        self.now = end + int(gap)
        stream.events.append((begin, b""))
        stream.events.append((end, BOTH.pack(begin | self.begin.number << 44, self.thread, key,
                                             end | self.end.number << 44, self.thread, status)))
        self.latencies.setdefault(key, []).append(end - begin)
        if len(stream.events) >= 20000:
            stream.packet()

    def requests(self, count, factor=1.0, sigma=0.1, pace=3000):
        """Of random keys, with noise on how long they take and on when they come; those of the
        key SLOW take FACTOR times as long."""
        chance = self.chance
        for key in chance.choices(range(KEYS), k=count):
            latency = 10000 * (1 + key / 10) * math.exp(chance.gauss(0, sigma))
            latency *= factor if key == SLOW else 1
            self.request(key, latency, chance.expovariate(1 / pace))
        return self

    def write(self):
        self.trace.write()
        return self


def write_pair(sdt, seed, factor=1.0, count=8000, **kwargs):
    return (Writer(sdt, "a", 2 * seed).requests(count, **kwargs).write(),
            Writer(sdt, "b", 2 * seed + 1).requests(count, factor, **kwargs).write())


# ---- What is found. ----

ROUNDS = 20


def test_a_slowdown_of_one_key_in_twenty_is_found(sdt):
    """5 % of one key, which is 0.25 % of all, in 19 of 20 pairs of recordings, and no other key."""
    hits = others = 0
    for seed in range(ROUNDS):
        write_pair(sdt, seed, 1.05)
        lines = rows(sdt, "--by=key", "--top=3")  # findings come first
        keys = [key for key, findings in found(lines) if "slower" in findings]
        hits += keys == [SLOW] and lines[0]["key"] == SLOW
        others += any(key != SLOW for key, _ in found(lines))
    assert hits >= 19 and others <= 1


def test_equal_recordings_give_no_alarm(sdt):
    """Of the same distribution, with other random numbers: by key, and by everything."""
    alarms = 0
    for seed in range(ROUNDS):
        write_pair(sdt, 100 + seed, count=3000, sigma=0.3)
        by = ["--by=key"] if seed % 2 else []
        alarms += bool(found(rows(sdt, "--top=3", *by)))
    assert alarms <= 1


def test_the_first_lines_name_what_contributes_most(sdt):
    write_pair(sdt, 1, 1.5)
    for by in ([], ["--by=key"]):
        text = diff(sdt, *by, "a", "b").stdout
        first = "\n".join(text.splitlines()[:2])
        assert re.search(rf"web:request with key={SLOW}: slower: p50 .*, \+[45]\d\.\d %", first)
        assert re.search(r"^PAIR OR PROBE +KEY +COUNT A", text, re.M)
        assert "A: a: 16000 events, " in text


def test_the_numbers_are_those_of_python(sdt):
    a, b = write_pair(sdt, 2, 1.2)
    [whole] = [row for row in rows(sdt) if row["by"] is None]
    for name, writer in (("a", a), ("b", b)):
        values = sorted(value for each in writer.latencies.values() for value in each)
        cuts = statistics.quantiles(values, n=100, method="inclusive")
        seconds = (writer.last - 1000) / 1e9
        assert whole["count"][name] == len(values)
        assert whole["mean"][name] == pytest.approx(statistics.fmean(values))
        for share in (50, 90, 99):
            assert whole[f"p{share}"][name] == pytest.approx(cuts[share - 1])
        assert whole["rate"][name] == pytest.approx(len(values) / seconds, rel=1e-3)
    time_a, time_b = (whole["mean"][n] * whole["rate"][n] for n in "ab")
    assert sum(whole["time"].values()) == pytest.approx(time_b - time_a, rel=1e-4)
    for name in ("mean", "p50", "p90", "p99"):
        row = whole[name]
        assert row["low"] <= row["change"] <= row["high"]
        assert row["change"] == pytest.approx(row["b"] / row["a"] - 1)


def test_output_is_reproducible(sdt):
    write_pair(sdt, 3, 1.05, count=2000)
    assert diff(sdt, "a", "b").stdout == diff(sdt, "a", "b").stdout


def test_a_recording_does_not_differ_from_itself(sdt):
    Writer(sdt, "a", 4).requests(2000).write()
    lines = rows(sdt, b="a")
    assert lines and not found(lines)
    assert all(row["p50"]["change"] == 0 and row["rate"]["change"] == 0 for row in lines)
    assert "No difference is certain" in diff(sdt, "a", "a").stdout


def test_only_the_slowest_hundredth(sdt):
    for name, slowest in (("a", 20000), ("b", 60000)):
        writer = Writer(sdt, name, name)
        for i in range(4000):
            writer.request(1, slowest if i % 50 == 7 else 10000 + writer.chance.randrange(1000))
        writer.write()
    assert "tail_slower" in dict(found(rows(sdt, "--by=key")))[None]


def test_a_rate(sdt):
    """More often, in comparison with the others; of a probe that is in no pair. That all of them
    come faster, as on a machine that is less busy, is no finding, but is said."""
    for name, pace, chance in (("a", 4000, 0.2), ("b", 1000, 0.4)):
        writer = Writer(sdt, name, name)
        tick = writer.trace.define("web", "tick", "n:int32")
        for _ in range(3000):
            writer.request(1, 1000, writer.chance.expovariate(1 / pace))
            if writer.chance.random() < chance:
                writer.trace.stream().event(writer.now, tick, 1)
        writer.write()
    lines = rows(sdt)
    assert [(row.get("probe"), row["findings"]) for row in lines] == [
        ("web:tick", ["more"]), (None, [])]
    assert lines[0]["rate"]["change"] == pytest.approx(4, rel=0.2) and "p50" not in lines[0]
    assert lines[1]["rate"]["change"] == pytest.approx(1.5, rel=0.1)
    text = diff(sdt, "--fail-if=rate > +50%", "a", "b", status=1).stdout
    paces = [float(each) for each in re.findall(r"events, (\S+) a second", text)]
    assert paces[1] > 2 * paces[0]


def test_what_is_on_one_side_only(sdt):
    a, b = Writer(sdt, "a", 1).requests(300), Writer(sdt, "b", 2)
    new = b.trace.define("web", "cache__begin"), b.trace.define("web", "cache__end")
    for _ in range(300):
        b.requests(1)
        b.trace.stream().event(b.now, new[0]).event(b.now + 100, new[1])
        b.now += 1000
    a.write()
    b.write()
    [cache] = [row for row in rows(sdt) if row["pair"] == "web:cache"]
    assert cache["findings"] == ["more"] and cache["rate"]["change"] is None
    assert (cache["count"], cache["p50"]) == ({"a": 0, "b": 300}, {"a": None, "b": 100})
    assert re.search(r"^web:cache +- +0 +300 .* new ", diff(sdt, "a", "b").stdout, re.M)


def test_arguments_of_begin_and_end_functions_and_keys_explain(sdt):
    """Without --by: each of them is tried; one with a single value says nothing of its own."""
    for name, factor in (("a", 1), ("b", 3)):
        writer = Writer(sdt, name, name)
        for i in range(3000):
            status = 500 if i % 10 == 0 else 200
            latency = 10000 * writer.chance.uniform(0.9, 1.1)
            writer.request(i % 3, latency * (factor if status == 500 else 1), status=status)
        writer.write()
    lines = rows(sdt)
    assert {row["by"] for row in lines} == {None, "key", "status"}
    best = max((row for row in lines if row["by"]), key=lambda row: row["time"]["usual"])
    assert (best["by"], best["key"], best["findings"][0]) == ("status", 500, "slower")
    assert "with status=500: slower" in "".join(diff(sdt, "a", "b").stdout.splitlines()[:2])


def test_several_recordings_on_a_side(sdt):
    """Noise from one run to the next is noise: it is seen only where there are several runs."""
    for side, factor in (("a", 1), ("b", 1.3)):
        for run in range(8):
            pace = 1 + 0.06 * random.Random(f"{side}{run}").uniform(-1, 1)
            writer = Writer(sdt, f"{side}/{run}", f"{side}{run}")
            for i in range(400):
                latency = 10000 * pace * writer.chance.uniform(0.95, 1.05)
                writer.request(i % 2, latency * (factor if i % 2 else 1))
            writer.write()
    lines = rows(sdt, "--by=key")
    assert lines[0]["key"] == 1 and "slower" in lines[0]["findings"]
    assert "slower" not in dict(found(lines)).get(0, [])
    assert "8 recordings" in diff(sdt, "a", "b").stdout
    one_each = rows(sdt, "--by=key", a="a/0", b="b/0")
    assert [row["count"] for row in one_each if row["by"] is None] == [{"a": 400, "b": 400}]


def test_pairs_and_filters(sdt):
    """The words of sdt report: a pair by a value, and a condition."""
    for name, factor in (("a", 1), ("b", 2)):
        trace = Trace(sdt.path(name))
        take, give = trace.define("q", "take", "id:int32"), trace.define("q", "give", "id:int32")
        for i in range(0, 600, 2):  # two are open at once
            base = 10000 * i
            trace.stream().event(base, take, i).event(base + 10, take, i + 1)
            trace.stream().event(base + 1000 * factor + i % 7, give, i)
            trace.stream().event(base + 5000 + i % 5, give, i + 1)
        trace.write()
    lines = rows(sdt, "--pair=q:take q:give match id", "--by=id % 2")
    found_keys = dict(found(lines))
    assert found_keys[0] == ["slower"] and 1 not in found_keys
    lines = rows(sdt, "--pair=q:take q:give match id", "--filter=id % 2 == 1")
    [line] = lines
    assert not line["findings"] and line["count"] == {"a": 300, "b": 300}


CALLS = """
#include <sdt/probe.h>
static volatile int sink;
__attribute__((noinline)) static void job(int n)
{
    SDT_PROBE(calls, job__begin, n);
    sink += n;
    SDT_PROBE(calls, job__end);
}
__attribute__((noinline)) static void red(int n) { job(n); sink += 1; }
__attribute__((noinline)) static void blue(int n) { job(n); sink += 2; }
int main(int argc, char **argv)
{
    for (int i = 0; i < 40; i++)
        (i % 4 ? red : blue)(argc);
    return argv[argc] != 0;
}
"""


def test_callers_are_keys(sdt):
    """Of a program that was recorded: which function called the one with the probe."""
    exe = recorded.build(sdt, sdt.write("calls.c", CALLS), "-O2", name="calls")
    for name in "ab":
        sdt.command(TOOL, "record", "--stack", "-o", name, "--", exe)
    lines = rows(sdt, "--by=caller")
    assert {row["key"] and row["key"].split(".")[0]: row["count"]["b"] for row in lines
            if row["pair"] == "calls:job"} == {None: 40, "red": 30, "blue": 10}


# ---- Conditions. ----

@pytest.mark.parametrize("condition, status", [
    ("p50 > +30%", 1), ("p50>+30 %", 1), ("p50 > +80%", 0), ("mean > +1us", 1), ("mean > +1ms", 0),
    ("p99 < -10%", 0), ("p50 > +0%", 1), ("rate < -90%", 0)])
def test_a_condition(sdt, condition, status):
    for name, factor in (("a", 1), ("b", 1.5)):
        writer = Writer(sdt, name, name)
        for _ in range(1000):
            writer.request(1, 10000 * factor * writer.chance.uniform(0.9, 1.1))
        writer.write()
    result = diff(sdt, f"--fail-if={condition}", "a", "b", status=status)
    assert (f"error: {condition} holds: web:request: +" in result.stderr) == (status == 1)
    assert "web:request: slower: p50 " in result.stdout


def test_noise_does_not_fail_a_build(sdt):
    """p99 of 20 keys with 100 values each is anywhere; no change is certain."""
    for name in "ab":
        Writer(sdt, name, name).requests(2000, sigma=0.8).write()
    lines = rows(sdt, "--by=key")
    assert any(abs(row["p90"]["change"]) > 0.3 for row in lines)
    diff(sdt, "--by=key", "--fail-if=p90 > +5%", "--fail-if=mean > +5%", "a", "b")


def test_too_few_for_a_condition(sdt):
    for name in "ab":
        Writer(sdt, name, name).requests(100).write()
    result = diff(sdt, "--fail-if=p99 > +10%", "a", "b", status=3)
    assert "p99 > +10%: there are too few events to tell, in every row" in result.stderr


@pytest.mark.parametrize("condition, problem", [
    ("p98 > +1%", "begins with mean, p50, p90, p99 or rate"), ("", "begins with mean"),
    ("p99 = +1%", "after the name there is > or <"), ("p99 > 10%", "it needs a + or -"),
    ("p99 > +x", "not a number"), ("p99 > +10", "needs a unit"), ("p99 > +1%%", "needs a unit"),
    ("rate > +1ms", "the limit of a rate needs a percent sign"), ("p99 > +nan%", "not a number")])
def test_what_is_no_condition(sdt, condition, problem):
    assert problem in diff(sdt, f"--fail-if={condition}", "a", "b", status=2).stderr


# ---- Bad input. ----

def test_no_recording(sdt):
    Writer(sdt, "a", 1).requests(10).write()
    (sdt.dir / "empty").mkdir()
    assert "empty: there is no recording" in diff(sdt, "a", "empty", status=1).stderr
    assert "cannot read none" in diff(sdt, "none", "a", status=1).stderr
    assert "two recordings are compared" in diff(sdt, "a", status=2).stderr
    assert "--keys is for --by" in diff(sdt, "--keys=5", "a", "a", status=2).stderr


def test_a_recording_without_events(sdt):
    Writer(sdt, "a", 1).requests(10).write()
    Writer(sdt, "b", 1).write()
    result = diff(sdt, "a", "b", status=1)
    assert "b: the recording has no events, so there is nothing to compare" in result.stderr
    assert result.stdout == ""


def test_another_version(sdt):
    Writer(sdt, "a", 1).requests(10).write()
    Writer(sdt, "b", 1, version=2).requests(10).write()
    result = diff(sdt, "a", "b", "--html=out.html", status=1)
    assert "the recording has version '2'; this program reads version 1" in result.stderr
    assert not (sdt.dir / "out.html").exists()


def test_no_common_probe(sdt):
    Writer(sdt, "a", 1).requests(10).write()
    trace = Trace(sdt.path("b"))
    trace.stream().event(1, trace.define("db", "query"))
    trace.write()
    result = diff(sdt, "a", "b", status=3)
    assert "a and b have no probe in common that passes" in result.stderr


def test_unknown_names(sdt):
    write_pair(sdt, 5, count=10)
    assert "did you mean 'key'" in diff(sdt, "--by=kex", "a", "b", status=1).stderr
    diff(sdt, "--by=key +", "a", "b", status=2)
    assert "this recording has no such probe" in diff(sdt, "--pair=x:y web:request-end", "a", "b",
                                                      status=1).stderr


def test_more_keys_than_are_kept(sdt):
    """An identifier: without --by it explains nothing; with it, what is beyond the limit is
    counted, and the whole is right."""
    for name in "ab":
        writer = Writer(sdt, name, name)
        for i in range(3000):
            writer.request(i, 1000)
        writer.write()
    result = diff(sdt, "a", "b")
    assert "'key' has more than 1000 values, and is left out" in result.stderr
    assert "key=" not in result.stdout
    result = diff(sdt, "--by=key", "--keys=100", "--top=0", "--json", "a", "b")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(lines) == 101 and "5800 hits have keys beyond the first 100" in result.stderr
    assert [row["count"] for row in lines if row["by"] is None] == [{"a": 3000, "b": 3000}]


@pytest.mark.slow
def test_a_million_keys(sdt):
    for name in "ab":
        writer = Writer(sdt, name, name)
        for i in range(500_000):
            writer.request(i if name == "a" else -i, 1000)
        writer.write()
    result = diff(sdt, "--by=key", "a", "b")
    assert "hits have keys beyond the first 10000" in result.stderr


def test_damage_is_told(sdt):
    write_pair(sdt, 6, count=500)
    path = sdt.path("b/web-4711/cpu0")
    path.write_bytes(path.read_bytes()[:-100])
    result = diff(sdt, "a", "b", status=1)
    assert "the packet is cut off" in result.stderr and "web:request" in result.stdout


def test_lost_events_are_told(sdt):
    a, b = Writer(sdt, "a", 1).requests(100), Writer(sdt, "b", 1).requests(100)
    a.write()
    b.trace.stream().packet(discarded=77)
    b.write()
    assert "b: 77 events were lost: rates are too low" in diff(sdt, "a", "b").stderr


# ---- The page. ----

HOSTILE = "</p><script>alert(1)</script>\x1b[31m\"'&"


def write_nested(sdt):
    """request { parse, query { fetch } }; only fetch is slower in B."""
    for name, factor in (("a", 1), ("b", 2)):
        trace, chance, now = Trace(sdt.path(name)), random.Random(name), 1000
        kinds = {each: (trace.define("web", f"{each}__begin", "path:string"),
                        trace.define("web", f"{each}__end"))
                 for each in ("request", "parse", "query", "fetch")}
        for i in range(400):
            for step in ("+request", "+parse", "-parse", "+query", "+fetch", "-fetch", "-query",
                         "-request"):
                begin, end = kinds[step[1:]]
                now += int((3000 * factor if step == "-fetch" else 1000) * chance.uniform(.9, 1.1))
                if step[0] == "+":
                    trace.stream().event(now, begin, HOSTILE if i % 2 else "/")
                else:
                    trace.stream().event(now, end)
        trace.write()


def svg_of(text, name):
    [one] = re.findall(rf'<svg class="{name}".*?</svg>', text, re.S)[:1]
    return xml.etree.ElementTree.fromstring(one)


def test_the_tree_of_the_page(sdt):
    """Each bar is below its parent and inside it; only the time of fetch itself has changed."""
    write_nested(sdt)
    diff(sdt, "--html=out.html", "a", "b")
    bars = {}
    for group in svg_of(sdt.path("out.html").read_text(), "tree"):
        rect = group.find("rect")
        bars[group.find("title").text.split("\n")[0]] = (
            rect.get("class"), *(float(rect.get(each)) for each in ("x", "y", "width")))
    assert {name: bar[2] for name, bar in bars.items()} == {
        "web:request": 0, "web:parse": 24, "web:query": 24, "web:fetch": 48}
    assert {name: bar[0] for name, bar in bars.items()} == {
        "web:request": "same", "web:parse": "same", "web:query": "same", "web:fetch": "slower-3"}
    for child, parent in (("parse", "request"), ("query", "request"), ("fetch", "query")):
        (_, x, _, width), (_, left, _, room) = bars[f"web:{child}"], bars[f"web:{parent}"]
        assert left <= x + 0.01 and x + width <= left + room + 0.01
    assert bars["web:request"][3] == pytest.approx(1000)


def write_calls(sdt, rounds):
    """serve { walk { walk { leaf } } }, so often; and work, around all of them. Recursive calls
    have frames of their own."""
    for name in "a", "b":
        trace, now = Trace(sdt.path(name)), 1000
        kinds = {each: [trace.define("fn", side, "frame:pointer", function=each)
                        for side in ("entry", "return")]
                 for each in ("work", "serve", "walk", "leaf")}
        calls = [("serve", 0, 900), ("walk", 0, 800), ("walk", 0, 700), ("leaf", 0, 600),
                 ("leaf", 1, 600), ("walk", 1, 700), ("walk", 1, 800), ("serve", 1, 900)]
        for function, side, frame in [("work", 0, 1000), *calls * rounds, ("work", 1, 1000)]:
            now += 10
            trace.stream().event(now, kinds[function][side], frame)
            if len(trace.stream().events) >= 20000:
                trace.stream().packet()
        trace.write()


def test_calls_are_nested_by_their_frames(sdt):
    """A recursive call is below the one that made it, not beside it."""
    write_calls(sdt, 50)
    diff(sdt, "--html=out.html", "a", "b")
    rows_of = {group.find("title").text.split("\n")[0] + group.find("rect").get("y")
               for group in svg_of(sdt.path("out.html").read_text(), "tree")}
    assert rows_of == {"work0", "serve24", "walk48", "walk72", "leaf96"}


def test_a_call_around_very_many_others(sdt):
    write_calls(sdt, 40_000)
    result = diff(sdt, "--json", "--top=0", "--by=function", "a", "b")
    counts = {row["key"]: row["count"]["a"] for row in map(json.loads, result.stdout.splitlines())
              if row["by"]}
    assert counts == {"work": 1, "serve": 40_000, "walk": 80_000, "leaf": 40_000}
    assert not result.stderr


@pytest.mark.parametrize("apart", [{"boot": "12" * 16, "space": 2}, {"host": "other"}],
                         ids=["containers", "hosts"])
def test_equal_numbers_of_processes_are_not_mixed(sdt, apart):
    """While the one has a request, the other has a query, which is not within it."""
    for name in ("a", "b"):
        one = Trace(sdt.path(name), program="one", **{**apart, "space": 1, "host": "machine"})
        other = Trace(sdt.path(name), program="two", **apart)
        traces = {"request": one, "query": other}
        kinds = {(sign, each): trace.define("web", f"{each}__{end}") for each, trace in
                 traces.items() for sign, end in (("+", "begin"), ("-", "end"))}
        for i in range(50):
            for step, time in (("+request", 0), ("+query", 1), ("-query", 2), ("-request", 9)):
                traces[step[1:]].stream().event((10 * i + time + 1) * 1000,
                                                kinds[step[0], step[1:]])
        one.write()
        other.write()
    diff(sdt, "--html=out.html", "a", "b")
    bars = {group.find("title").text.split("\n")[0]: float(group.find("rect").get("y"))
            for group in svg_of(sdt.path("out.html").read_text(), "tree")}
    assert bars == {"web:request": 0, "web:query": 0}


def test_the_page_has_the_rows_and_both_distributions(sdt):
    write_nested(sdt)
    text = diff(sdt, "--html=out.html", "a", "b").stdout
    page = sdt.path("out.html").read_text()
    for line in text.splitlines()[:2]:
        assert html.escape(line, quote=False).replace('"', "&quot;") in page
    curves = svg_of(page, "distribution")
    paths = {each.get("class"): each.get("d") for each in curves.iter("path")
             if each.get("class") in "ab"}
    assert set(paths) == {"a", "b"} and paths["a"] != paths["b"]


def test_names_are_not_markup_and_the_page_loads_nothing(sdt):
    write_nested(sdt)
    diff(sdt, "--html=out.html", "a", "b")
    text = sdt.path("out.html").read_text()
    elements = Elements(text)
    tags = [tag for tag, _ in elements.tags]
    assert "script" not in tags and "&lt;script&gt;alert(1)" in text and "\x1b" not in text
    [policy] = [attrs["content"] for _, attrs in elements.tags
                if attrs.get("http-equiv") == "Content-Security-Policy"]
    [(_, _, style)] = elements.raw
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert "default-src 'none'" in policy and f"style-src 'sha256-{digest}'" in policy
    for tag, attrs in elements.tags:
        assert not any(name.startswith("on") or name == "style" for name in attrs), (tag, attrs)
        assert "src" not in attrs and attrs.get("href", "data:,") == "data:,"


def test_a_page_that_cannot_be_written(sdt):
    write_pair(sdt, 7, count=100)
    result = diff(sdt, "--html=none/out.html", "a", "b", status=1)
    assert "none/out.html" in result.stderr
