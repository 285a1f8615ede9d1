# SPDX-License-Identifier: BSD-2-Clause
"""Which end belongs to which begin: one rule and one spelling in everything that shows latencies.

The program (programs/event_loop.c) has several requests open at once in one thread, and says itself
how long each took, at least and at most. What overlaps by thread is foretold by a model of the rule
that is written here.
"""
import importlib.util
import json
import random
import re
import warnings

import pytest

import attached
from conftest import ROOT
from attached import SDT, Target, ask, json_lines
from report_page import read as read_page
from test_live_top import Screen
from test_sdt_html import rows, text, window  # noqa: F401  (a fixture)

PAIR = "request-begin request-end"
BY_ID = f"{PAIR} match id"


@pytest.fixture(scope="module")
def exe(tmp_path_factory):
    from conftest import Toolbox  # pylint: disable=import-outside-toplevel
    return attached.build(Toolbox(tmp_path_factory.mktemp("loop")), "event_loop.c", name="loop")


def schedule(seed, requests=24, most=5):
    """Words: at most MOST requests are open at once, and end in any order."""
    chance, words, opened, next_one = random.Random(seed), [], [], 1
    while next_one <= requests or opened:
        if next_one <= requests and (not opened or len(opened) < most and chance.random() < 0.5):
            words.append(f"b{next_one}")
            opened.append(next_one)
            next_one += 1
        else:
            words.append(f"e{opened.pop(chance.randrange(len(opened)))}")
        words += chance.choice([["w1"], ["w2", "p"], ["p", "p"], ["w3"]])
    return words


def by_thread(words):
    """(begins and ends that are a pair, begins that overlap) by the rule."""
    pairs, latest, overlaps = [], None, 0
    for word in words:
        if word[0] == "b":
            overlaps += latest is not None
            latest = word
        elif word[0] == "e" and latest:
            pairs.append((int(latest[1:]), int(word[1:])))
            latest = None
    return pairs, overlaps


def truth(output):
    """How long each request took, at least and at most, as it says."""
    return {int(n): (int(least), int(most))
            for n, least, most in re.findall(r"^(\d+) (\d+) (\d+)$", output, re.M)}


def is_true(latency, bounds):
    """Clocks are compared that run at rates which are measured."""
    least, most = bounds
    return least * 0.999 - 1000 <= latency <= most * 1.001 + 1000


def recorded(sdt, exe, words, *args, directory="rec"):
    """What the program says of itself, which is recorded."""
    result = ask(sdt, "record", "-o", directory, *args, "--", exe, *words)
    return truth(result.stdout), result.stderr


def page(sdt, *args, directory="rec"):
    """The latencies that the page has as pairs: (id of begin, id of end, ns); and complaints."""
    result = ask(sdt, "report", "--html=out.html", *args, directory)
    description, events = read_page(sdt.path("out.html").read_text())
    found = [(events[begin][6]["id"], values["id"], time - events[begin][0])
             for time, mark, *_, begin, values in events if mark in ("end", "async end")]
    return found, result.stderr, description


def warned(errors, what=r"\d+ of \d+"):
    """How many begins a message says overlap, and how it says they can be paired."""
    [number] = re.findall(rf"^sdt: warning: loop:request-begin: ({what}) hits began what had not "
                          r"ended\n", errors, re.M)
    return number


# ---- With a value. ----


@pytest.mark.parametrize("seed", range(2))
def test_by_a_value_every_latency_is_the_program_s(sdt, exe, seed):
    words = schedule(seed)
    result = ask(sdt, "lat", "request-begin", "request-end", "match", "id", "--json", "-n", "99",
                 "--", exe, *words)
    took, objects = truth(result.stdout), [json.loads(line) for line in result.stdout.splitlines()
                                           if line.startswith("{")]
    assert not result.stderr and objects[0]["count"] == len(took) == 24
    for one in objects[1:]:
        assert one["begin"]["args"]["id"] == one["end"]["args"]["id"]
        assert is_true(one["latency"], took.pop(one["begin"]["args"]["id"]))
    assert not took

    took, _ = recorded(sdt, exe, words)
    found, errors, description = page(sdt, "-p", BY_ID)
    assert not errors and description["pairs"][0][:4] == ["loop:request-begin", "id", 24, 0]
    assert {begin for begin, *_ in found} == set(took)
    assert all(begin == end and is_true(ns, took[begin]) for begin, end, ns in found)
    result = ask(sdt, "export", "--chrome=out.json", "-p", f"loop:{PAIR.replace(' ', ' loop:')} "
                 "match id", "rec")
    begun, ended = {}, {}
    for event in json.loads(sdt.path("out.json").read_text())["traceEvents"]:
        if event["ph"] in "be":
            {"b": begun, "e": ended}[event["ph"]][int(event["id2"]["local"])] = event["ts"]
    assert not result.stderr and set(begun) == set(ended) == set(took)
    assert all(is_true((ended[n] - begun[n]) * 1000, took[n]) for n in took)


def test_the_recording_knows_what_it_was_made_for(sdt, exe):
    """What --when matches by is in the recording, with its predicates; --pair comes first."""
    words = schedule(7)
    took, errors = recorded(sdt, exe, words, "--when", f"lat {BY_ID} > 1ns")
    assert "warning" not in errors
    found, errors, description = page(sdt)
    assert not errors and description["pairs"][0][:2] == ["loop:request-begin", "id"]
    assert len(found) == 24 and all(begin == end and is_true(ns, took[begin])
                                    for begin, end, ns in found)
    found, errors, _ = page(sdt, "-p", PAIR)
    pairs, overlaps = by_thread(words)
    assert (len(found), warned(errors)) == (len(pairs), f"{overlaps} of 24")

    condition = "lat loop:request-begin /id / 2 > 3 && id != 9/ request-end /status == 200/ " \
                "match  id + 1  >  1 ns"
    recorded(sdt, exe, words, "-e", "poll", "--when", condition, directory="other")
    found, _, description = page(sdt, directory="other")
    assert sorted(begin for begin, *_ in found) == list(range(8, 25, 2))
    assert description["pairs"][0][1] == "id + 1"


# ---- By thread. ----


def test_by_thread_every_view_says_the_same_and_warns(sdt, exe, window):  # noqa: F811
    words = schedule(3)
    pairs, overlaps = by_thread(words)
    assert overlaps > 5 and any(begin != end for begin, end in pairs)
    result = ask(sdt, "lat", *PAIR.split(), "--json", "-n", "99", "--", exe, *words)
    objects = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    assert objects[0]["count"] == len(pairs) == len(objects) - 1
    assert sorted((one["begin"]["args"]["id"], one["end"]["args"]["id"])
                  for one in objects[1:]) == sorted(pairs)
    assert warned(result.stderr, r"\d+") == str(overlaps)
    assert "pair them by a value that both probes have: match id\n" in result.stderr

    took, errors = recorded(sdt, exe, words)
    assert "warning" not in errors
    found, errors, _ = page(sdt)
    assert sorted(found)[0][2] > 0 and sorted(pair[:2] for pair in found) == sorted(pairs)
    assert warned(errors) == f"{overlaps} of {len(took)}"
    advice = "--pair='loop:request-begin loop:request-end match id'"
    assert advice in errors
    for form in ("chrome", "perfetto"):
        result = ask(sdt, "export", f"--{form}=out", "rec")
        assert warned(result.stderr) == f"{overlaps} of {len(took)}" and advice in result.stderr

    window.open(sdt.path("out.html"))
    row = rows(window, "pairs")[0]
    assert (row[:2], row[-1]) == (["loop:request", str(len(pairs))], "thread")
    assert f"{overlaps} of {len(took)} hits began what had not ended" in text(window, "overlaps")
    assert advice in text(window, "overlaps")
    assert window.complaints() == []


def nanoseconds(shown):
    number, unit = re.fullmatch(r"~?([\d.]+) ([unm]?s)", shown).groups()
    return float(number) * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[unit]


def test_the_screen_of_top(sdt, exe):
    """A row of p50 and p99; those that cannot be trusted have a mark, and a line says why."""
    words = schedule(11, requests=12)
    with Target(exe) as target, \
            Screen(sdt, "--pair", BY_ID, "-p", target.pid, "-i", "0.2", columns=150) as screen:
        screen.shows("latencies are measured")
        target.process.stdin.write(" ".join(words) + "\n")
        said = [target.process.stdout.readline() for _ in range(13)]
        took = truth("".join(said))
        assert len(took) == 12 and said[-1] == "ok\n"
        line = re.search(r"^\* loop:request-begin +.*? 12 +(\S+ \S+) +(\S+ \S+)",
                         screen.shows(r"^\* loop:request-begin +.* 12 +\d"), re.M)
        median, high = map(nanoseconds, line.groups())
        longest = max(most for _, most in took.values())
        assert 0.8 * longest < high <= 1.01 * longest  # as exact as a bucket
        assert min(least for least, _ in took.values()) * 0.8 < median < longest
        assert "~" not in line[0] and "began what had not ended" not in screen.text()
        screen.keys("q")
    with Target(exe) as target, Screen(sdt, "-p", target.pid, "-i", "0.2", columns=150) as screen:
        screen.shows("2 probes|3 probes")
        screen.keys("l")
        screen.shows("latencies are measured")
        target.process.stdin.write(" ".join(words) + "\n")
        while target.process.stdout.readline() != "ok\n":
            pass
        screen.shows(r"^\* loop:request-begin +.* 12 +~\d")
        screen.keys("s")  # what is said of the last key gives way to what is doubtful
        overlaps = by_thread(words)[1]
        screen.shows(rf"^~ loop:request-begin: {overlaps} hits began what had not ended: "
                     "--pair='loop:request-begin loop:request-end match id'")
        screen.keys("q")


def test_in_python(exe, monkeypatch):
    monkeypatch.setenv("SDT", str(SDT))
    spec = importlib.util.spec_from_file_location("sdt_module", ROOT / "sdt" / "python" / "sdt.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    words = schedule(5)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        [row] = module.lat("request-begin", "request-end", match="id", command=[exe, *words])
        assert row["count"] == 24 and not seen
        [row] = module.lat("request-begin", "request-end", command=[exe, *words])
    pairs, overlaps = by_thread(words)
    assert row["count"] == len(pairs)
    assert [each.category for each in seen] == len(seen) * [module.Warned]
    assert any(f"{overlaps} hits began what had not ended; begin and end are paired by thread"
               in str(each.message) for each in seen)


# ---- Several processes. ----


@pytest.mark.parametrize("how", ["own", "passed on"])
def test_processes_that_have_the_same_values(sdt, exe, how):
    """Two children, forked before, use the same numbers at the same time: each ends its own. What
    a parent has begun, a child may end."""
    words = ("p s b1 w2 b2 e1 w1 e2 ." if how == "own" else "b1 w2 f e1 . b2 e2").split()
    count = 4 if how == "own" else 2
    result = ask(sdt, "lat", "request-begin", "request-end", "match", "id", "--follow", "--json",
                 "-n", "9", "--", exe, *words)
    objects = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    assert objects[0]["count"] == count and not result.stderr
    bounds = re.findall(r"^(\d) (\d+) (\d+)$", result.stdout, re.M)
    assert len(bounds) == count
    said = sorted((int(n), int(least), int(most)) for n, least, most in bounds)
    found = sorted((one["begin"]["args"]["id"], one["latency"]) for one in objects[1:])
    for (number, latency), (n, least, most) in zip(found, said):
        assert number == n and is_true(latency, (least, most))
    assert {one["begin"]["tid"] == one["end"]["tid"] for one in objects[1:]} == \
        ({True} if how == "own" else {True, False})

    recorded(sdt, exe, words, "--follow", "--when", f"lat {BY_ID} > 1s")
    found, errors, description = page(sdt)
    assert not errors and description["pairs"][0][2:4] == [count, 0]
    assert sorted(begin for begin, *_ in found) == sorted(int(n) for n, *_ in bounds)
    assert all(begin == end for begin, end, _ in found)


# ---- Words. ----


@pytest.mark.parametrize("pair", [
    BY_ID, f"loop:{PAIR.replace(' ', ' loop:')} match id", "request__begin request__end match id",
    "loop:request-b* *:request-end match id", "loop::begin:request-begin loop::end: match id",
    "loop:*:*:*-begin loop:request-end match id % 1000"])
def test_names_of_probes(sdt, exe, pair):
    """The same patterns as in a process: bare names, either spelling, globs, four parts."""
    words = schedule(1, requests=6)
    result = ask(sdt, "lat", *pair.split(" ", 3), "--json", "--", exe, *words)
    assert not result.stderr and '"count": 6' in result.stdout
    recorded(sdt, exe, words)
    found, errors, _ = page(sdt, "--pair", pair)
    assert not errors and len(found) == 6 and all(a == b for a, b, _ in found)


def test_bare_names_are_recorded_and_listed(sdt, exe):
    """Also where a program is told by its environment, or only its file is looked at."""
    result = ask(sdt, "record", "-o", "rec", "-e", "request-begin", "-e", "p*l", exe,
                 *schedule(1, requests=3))
    events = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert {event["name"] for event in events} == {"request__begin", "poll"}
    assert f"{len(events)} events" in result.stderr
    listed = json.loads(ask(sdt, "list", "--json", exe, "request-end").stdout)
    assert [site["name"] for site in listed] == ["request__end"]


@pytest.mark.parametrize("command, words, status", [
    (["lat", "-m", "id", "a", "b"], "'match' is a word after the patterns", 2),
    (["lat", "--match=id", "a", "b"], "BEGIN END match EXPRESSION", 2),
    (["lat", "request-begin", "request-end match id"], "'match' is a word of its own", 2),
    (["report", "--html=x", "-p", "a:b=a:c:by id", "rec"], "'BEGIN END match EXPRESSION'", 2),
    (["report", "--html=x", "-p", "poll poll", "rec"], "poll: this probe has two roles", 1),
    (["report", "--html=x", "-p", PAIR, "-p", "request-end poll", "rec"],
     "request-end: this probe has two roles", 1),
    (["report", "--html=x", "-p", "a:b:c poll", "rec"], "three parts", 1),
    (["report", "--html=x", "-p", f"{PAIR} match idd", "rec"], "did you mean 'id'?", 1),
])
def test_there_is_one_spelling(sdt, exe, command, words, status):
    if command[0] == "report":
        recorded(sdt, exe, ["p", "b1", "e1"])
    else:
        command = [*command, "--", exe]
    assert words in ask(sdt, *command, status=status).stderr


def test_what_is_noted_is_not_trusted(sdt, exe):
    """Lines that are none of a pair, expressions that are none, and no file."""
    recorded(sdt, exe, schedule(2, requests=5))
    [trace] = sdt.path("rec").glob("loop-*")
    notes = trace / ".snapshots"
    for line, complaint in [
            ("pair", False), ("pair %", True), ("other %20x", False), ("pair nobody%20here", False),
            ("pair poll%20poll", False), ("pair a%20b%20match%20(", True),
            ("pair request%2dbegin%20request%2dend%20match%20comm", True),
            ("pair " + "a" * 5000 + "%20b", False), ("pair \x00\xff%ff%00", False),
            ("pair \xff%ff%00", True)]:
        notes.write_bytes(line.encode("latin-1") + b"\n")
        result = ask(sdt, "report", "--html=out.html", "rec")
        _, events = read_page(sdt.path("out.html").read_text())
        assert sum(mark == "begin" for _, mark, *_ in events) == 5, line
        assert ("cannot be evaluated here" in result.stderr) == complaint, line
    notes.unlink()
    notes.symlink_to("/dev/null")
    assert ".snapshots" not in ask(sdt, "report", "--html=out.html", "rec").stderr
    notes.unlink()
    notes.mkdir()
    assert ".snapshots: this cannot be read" in ask(sdt, "report", "--html=out.html", "rec").stderr
