# SPDX-License-Identifier: BSD-2-Clause
"""`sdt report --tree`, and the flame graph on the page: what slices took below what they were in.

The recordings are written here, so every number is known; test_functions_recorded.py compares those
of programs with `sdt tree`.
"""
import json
import random
import re
from collections import Counter

import pytest

from recordings import Trace
from report_page import read as read_page
from test_sdt_html import opened, text, window  # noqa: F401  (a fixture)
from test_sdt_report import rec, run  # noqa: F401  (a fixture)


def functions(trace, *names):
    """The entry and the return of each."""
    return [trace.define("fn", name, "frame:pointer", function=function)
            for function in names for name in ("entry", "return")]


def tree(sdt, *args, **kwargs):
    """Path → (calls, ns, own, longest); and the messages."""
    result = run(sdt, "report", "--tree", "--json", *args, "rec", **kwargs)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    found = {" ".join(line["path"]): (line["calls"], line["ns"], line["self"], line["max"])
             for line in lines}
    assert len(found) == len(lines)
    return found, result.stderr


def web(rec):
    """Two threads: of functions, and of probes between them."""
    trace = Trace(rec)
    serve, serve_end, parse, parse_end = functions(trace, "serve", "parse")
    begin, end = trace.define("db", "query-begin"), trace.define("db", "query-end")
    for tid, start in ((1, 0), (2, 1000)):
        stream = trace.stream(tid)
        for time, kind, *values in ((0, serve, 96), (10, parse, 64), (30, parse_end, 64),
                                    (40, begin), (45, parse, 64), (50, parse_end, 64), (60, end),
                                    (100, serve_end, 96)):
            stream.event(start + time, kind, *values, tid=tid)
    trace.stream(1).event(2000, parse, 64, tid=1).event(2007, parse_end, 64, tid=1)
    trace.write()


WEB = {"serve": (2, 200, 120, 100), "serve parse": (2, 40, 40, 20),
       "serve db:query": (2, 40, 30, 20), "serve db:query parse": (2, 10, 10, 5),
       "parse": (1, 7, 7, 7)}


def test_slices_are_below_what_they_were_in(sdt, rec):
    web(rec)
    found, errors = tree(sdt)
    assert found == WEB and errors == ""
    assert tree(sdt, "--depth=2")[0] == {
        **{path: row for path, row in WEB.items() if path.count(" ") < 2},
        "serve db:query": (2, 40, 40, 20)}
    assert tree(sdt, "--tree=db:*,nothing")[0] == {"db:query": (2, 40, 30, 20),
                                                   "db:query parse": (2, 10, 10, 5)}
    assert tree(sdt, "--tree=fn::parse")[0] == {"parse": (5, 57, 57, 20)}
    assert tree(sdt, "--filter=tid == 2")[0] == {
        path: (row[0] // 2, row[1] // 2, row[2] // 2, row[3])
        for path, row in WEB.items() if path != "parse"}
    found = tree(sdt, "--threads")[0]
    assert found["web 4711/1"] == (2, 107, 0, 100) and found["web 4711/2"] == (1, 100, 0, 100)
    assert found["web 4711/2 serve db:query parse"] == (1, 5, 5, 5) and len(found) == 2 * 5 + 1


def test_as_text_and_as_stacks(sdt, rec):
    web(rec)
    lines = run(sdt, "report", "--tree", "rec").stdout.splitlines()
    assert lines[0].split() == ["TIME", "SELF", "CALLS", "MAX", "FUNCTION"]
    assert [line[lines[0].index("FUNCTION"):] for line in lines[1:]] == \
        ["serve", "  db:query", "    parse", "  parse", "parse"]
    assert re.match(r"200 ns +120 ns +2 +100 ns +serve$", lines[1])
    shown = run(sdt, "report", "--tree", "--min=10", "rec").stdout
    assert "2 more of less than 10 % of the time" in shown
    stacks = dict(line.rsplit(" ", 1)
                  for line in run(sdt, "report", "--tree", "--folded", "rec").stdout.splitlines())
    assert stacks == {path.replace(" ", ";"): str(row[2]) for path, row in WEB.items()}


def test_the_page_has_the_same_tree(sdt, rec):
    web(rec)
    run(sdt, "report", "--html=out.html", "rec")
    flame = read_page(sdt.path("out.html").read_text())[0]["flame"]

    def flat(nodes, above=""):
        for node in nodes:
            path = f"{above} {node['f']}".strip()
            yield path, (node["c"], node["n"], node["m"])
            yield from flat(node["k"], path)
    assert dict(flat(flame["calls"])) == {path: row[:2] + row[3:] for path, row in WEB.items()}
    assert flame["notes"] == []


def test_what_did_not_end_is_in_no_number(sdt, rec):
    """By longjmp(), at the end, and before the begin; and no later call is below it."""
    trace = Trace(rec)
    run_, run_end, deep, deep_end, leaf, leaf_end = functions(trace, "run", "deep", "leaf")
    stream = trace.stream()
    stream.event(1, leaf_end, 32).event(2, run_, 96)
    for n in range(3):  # 2 of deep() never return; the next call is at the same place, or above
        stream.event(10 * n + 3, deep, 64).event(10 * n + 4, deep, 48)
        stream.event(10 * n + 5, leaf, 64).event(10 * n + 7, leaf_end, 64)
    stream.event(40, deep, 64).event(45, deep_end, 64).event(50, run_end, 96)
    stream.event(60, run_, 96).event(61, leaf, 64).event(62, leaf_end, 64)
    trace.write()
    found, errors = tree(sdt)
    assert found == {"run": (1, 48, 36, 48), "run leaf": (4, 7, 7, 2), "run deep": (1, 5, 5, 5)}
    assert "1 slice had not ended when the recording did" in errors
    assert "6 slices have no end" in errors and "1 slice have no begin" not in errors
    assert "1 slice has no begin" in errors
    assert "3 of 8 hits began what had not ended" not in errors


def test_what_ends_too_late_is_outermost(sdt, rec):
    """And so are pairs by a value, which belong to no thread. What is called meanwhile is below
    what ends in time. A slice that another of its pair follows before its end has no time."""
    trace = Trace(rec)
    names = ("a_begin", "a_end", "b_begin", "b_end", "c_begin", "c_end")
    a, a_end, b, b_end, c, c_end = (trace.define("web", name) for name in names)
    one, other = trace.define("io", "in", "id:int32"), trace.define("io", "out", "id:int32")
    events = [(0, a), (5, b), (7, c), (8, c_end), (10, a_end), (30, b_end),
              (40, a), (42, one, 1), (44, one, 2), (45, a_end), (50, other, 1), (70, other, 2),
              (80, a), (81, a), (83, a_end), (84, a_end)]
    for time, kind, *values in events:
        trace.stream().event(time, kind, *values)
    trace.write()
    found, errors = tree(sdt, "--pair=io:in io:out match id")
    assert found == {"web:a": (2, 15, 12, 10), "web:a web:a": (1, 2, 2, 2),
                     "web:a web:c": (1, 1, 1, 1), "web:b": (1, 25, 25, 25),
                     "io:in": (2, 34, 34, 26)}
    assert "1 slice ended after what it began in" in errors
    assert "1 of 4 hits began what had not ended" in errors


def test_a_child_of_fork_has_its_own_stack(sdt, rec):
    """In a trace that both have; its main() began before there was a child."""
    trace = Trace(rec)
    main, main_end, leaf, leaf_end = functions(trace, "main", "leaf")
    trace.stream(0).event(1, main, 96)
    for cpu, pid, time in ((1, 4712, 10), (0, 4711, 20)):
        trace.stream(cpu).event(time, leaf, 64, pid=pid).event(time + 2, leaf_end, 64, pid=pid)
    trace.stream(1).event(13, main_end, 96, pid=4712)
    trace.stream(0).event(30, main_end, 96)
    trace.write()
    assert tree(sdt)[0] == {"leaf": (1, 2, 2, 2), "main": (1, 29, 27, 29),
                            "main leaf": (1, 2, 2, 2)}


def test_depth_and_room_are_bounded(sdt, rec):
    """What does not fit is counted."""
    trace = Trace(rec)
    down, down_end = functions(trace, "down")
    stream = trace.stream()
    for n in range(300):
        stream.event(n, down, 9600 - 16 * n)
    for n in reversed(range(300)):
        stream.event(600 - n, down_end, 9600 - 16 * n)
    trace.write()
    found, errors = tree(sdt)
    assert len(found) == 128 and set(row[0] for row in found.values()) == {1}
    assert "172 slices were deeper than 128" in errors
    found, errors = tree(sdt, "--threads")
    assert len(found) == 129 and "172 slices" in errors
    assert tree(sdt, "--depth=3")[1] == ""  # that was asked for


def test_paths_are_bounded(sdt, rec):
    trace = Trace(rec)
    names = [f"f{n}" for n in range(41)]
    kinds = functions(trace, *names)
    stream, time = trace.stream(), 0

    def visit(depth):
        nonlocal time
        for n in range(len(names)):
            stream.event(time, kinds[2 * n], 96 - 16 * depth)
            time += 1
            if depth < 2:
                visit(depth + 1)
            stream.event(time, kinds[2 * n + 1], 96 - 16 * depth)
            time += 1
    visit(0)
    trace.write()
    found, errors = tree(sdt)
    assert len(found) == 1 << 16
    assert f"{41 + 41 ** 2 + 41 ** 3 - (1 << 16)} slices found no room" in errors


def test_any_order_of_events(sdt, rec):
    """Begins and ends by chance: no path is twice, nothing takes more time than all threads have,
    and what is counted is what is paired."""
    random.seed(5)
    trace = Trace(rec)
    kinds = [*functions(trace, "f", "g"),
             *(trace.define("web", name) for name in ("x_begin", "x_end"))]
    for n in range(3000):
        kind = random.choice(kinds)
        values = [16 * random.randrange(1, 6)] if kind.fields else []
        trace.stream().event(n, kind, *values, tid=random.randrange(3))
    trace.write()
    found, _ = tree(sdt)
    run(sdt, "report", "--html=out.html", "rec")
    _, events = read_page(sdt.path("out.html").read_text())
    ended = Counter(kind["slice"] for _, mark, kind, *_ in events if mark == "end")
    counted = Counter()
    for path, (calls, ns, own, most) in found.items():
        counted[path.split()[-1]] += calls
        assert 0 <= own <= ns and most <= ns
    assert +counted == ended and len(ended) == 3


def test_hostile_names_stay_names(sdt, rec):
    """On the page."""
    trace = Trace(rec)
    hostile = "</script><script>alert(1)</script>"
    begin, end = functions(trace, hostile)
    trace.stream().event(1, begin, 64).event(3, end, 64)
    trace.write()
    run(sdt, "report", "--html=out.html", "rec")
    page = sdt.path("out.html").read_text()
    assert hostile not in page
    assert read_page(page)[0]["flame"]["calls"][0]["f"] == hostile


def test_the_flame_graph_on_the_page(sdt, rec, window):
    """Boxes are as wide as their time is long, below what they were in. A click enlarges one; the
    search says how much of the time its matches take."""
    web(rec)
    opened(sdt, window)
    boxes = """[...document.querySelectorAll('#flame-graph button')].map(box => [box.title,
        box.getBoundingClientRect().width, box.getBoundingClientRect().top, box.className])"""
    shown = window.run(boxes)
    names = [title.partition(": ")[0] for title, *_ in shown]
    assert names == ["serve", "db:query", "parse", "parse", "parse"]
    width = shown[0][1] / 200
    for (_, wide, _, _), ns in zip(shown, (200, 40, 10, 40, 7)):
        assert abs(wide - ns * width) < 1
    assert shown[0][2] == shown[4][2] < shown[1][2] == shown[3][2] < shown[2][2]
    assert text(window, "flame-facts") == "207 ns in all threads"
    window.run("document.querySelectorAll('#flame-graph button')[1].click()")
    wide = window.run(boxes)
    assert [title.partition(": ")[0] for title, *_ in wide] == ["serve", "db:query", "parse"]
    assert [name for *_, name in wide] == ["above", "", ""]
    assert abs(wide[2][1] / wide[1][1] - 0.25) < 0.01
    assert text(window, "flame-chosen").startswith("db:query: 40 ns (19.3 %), own 30 ns, 2 calls")
    window.run("document.getElementById('flame-all').click()")
    window.run("""(() => { const find = document.getElementById('flame-find');
        find.value = 'QUERY'; find.dispatchEvent(new Event('input')); })()""")
    assert [name for *_, name in window.run(boxes)] == ["", "match", "", "", ""]
    assert text(window, "flame-found") == "19.3 %"
    assert window.complaints() == []


def test_a_page_without_slices_has_no_flame_graph(sdt, rec, window):
    trace = Trace(rec)
    trace.stream().event(1, trace.define("web", "note"))
    trace.write()
    opened(sdt, window)
    assert window.run("document.getElementById('flame-panel').hidden")
    assert run(sdt, "report", "--tree", "rec").stdout.startswith("no calls")


@pytest.mark.parametrize("args, message", [
    (["--folded"], "--depth, --threads, --min and --folded require --tree"),
    (["--tree", "--html=out.html"], "--tree is not for --html, --csv and --summary"),
    (["--tree", "--csv"], "--tree is not for --html, --csv and --summary"),
    (["--tree", "--json", "--folded"], "--json and --folded are mutually exclusive"),
    (["--tree", "--stack"], "--tree has no events"),
    (["--tree", "--relative"], "--tree has no events"),
    (["--tree", "--depth=0"], "a depth is a number from 1 to 128"),
    (["--tree", "--depth=129"], "a depth is a number from 1 to 128"),
    (["--tree", "--min=x"], "--min is a part of the time in percent"),
    (["--tree="], "--tree=NAME needs a name"),
    (["--pair=a b"], "--pair requires --html or --tree"),
])
def test_refused(sdt, rec, args, message):
    web(rec)
    result = run(sdt, "report", *args, "rec", status=2)
    assert message in result.stderr and result.stdout == ""
    assert not sdt.path("out.html").exists()


def test_a_name_that_no_slice_has(sdt, rec):
    web(rec)
    found, errors = tree(sdt, "--tree=serv")
    assert found == {} and "no slice has the name of --tree" in errors
