# SPDX-License-Identifier: BSD-2-Clause
"""sdt.py, the module for scripts: what it gives of a program that says what it does."""
import importlib.util
import inspect
import itertools
import json
import os
import re
import subprocess
import sys

import pytest

import attached
import patience
from conftest import ROOT
from attached import SDT, Target, code

pytestmark = pytest.mark.nosan  # what Python makes of the other tests' output

SOURCE = ROOT / "sdt" / "python" / "sdt.py"


@pytest.fixture(name="module")
def fixture_module(monkeypatch):
    monkeypatch.setenv("SDT", str(SDT))
    spec = importlib.util.spec_from_file_location("sdt_module", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt)


def script(sdt, module, exe, body, commands="hit 300"):
    """What BODY prints as JSON, of a program that does COMMANDS; other lines are the program's."""
    text = f"import json, sys\nsys.path.insert(0, {str(SOURCE.parent)!r})\nimport sdt\n" \
           f"exe = [{str(exe)!r}]\nprint('=' + json.dumps({body}))\n"
    result = sdt.command(sys.executable, "-c", text, input=f"{commands}\nquit\n",
                         env={"SDT": module.PROGRAM})
    [line] = [line for line in result.stdout.splitlines() if line.startswith("=")]
    assert result.stdout.splitlines()[:2] == ["here", "ok"]  # the program's, untouched
    return json.loads(line[1:])


def test_counts_of_a_command(sdt, module, exe):
    rows = script(sdt, module, exe, "list(sdt.count('live:*', command=exe))")
    assert {row["name"]: row["count"] for row in rows} == {"tick": 300, "tock": 100}
    rows = script(sdt, module, exe, "list(sdt.count('tick', by='i % 2', command=exe))")
    assert {row["key"]: row["count"] for row in rows} == {0: 150, 1: 150}


def test_histograms_and_latencies(sdt, module, exe):
    [row] = script(sdt, module, exe,
                   "list(sdt.hist('live:tick', 'i', predicate='i < 100', command=exe))")
    assert (row["count"], row["min"], row["max"]) == (100, 0, 99)
    [row] = script(sdt, module, exe, "list(sdt.lat('tick', 'tock', command=exe))")
    assert (row["name"], row["count"]) == ("tick", 100)
    rows = script(sdt, module, exe, "list(sdt.lat('tick', 'tock', command=exe, outliers=3))")
    assert [row.get("outlier") for row in rows] == [None, 1, 2, 3]
    assert rows[1]["begin"]["args"]["i"] == rows[1]["end"]["args"]["i"]


@pytest.mark.parametrize("name", ["count", "hist", "lat", "trace"])
def test_all_options_of_the_command(module, name):
    """But those that say how it is printed, and -p and COMMAND."""
    text = subprocess.run([SDT, name, "--help"], check=True, capture_output=True, text=True).stdout
    options = set(re.findall(r"^ +(?:-\w, )?--([a-z]+)", text, re.M)) - {
        "process", "json", "openmetrics", "otlp", "output", "listen", "exemplars", "histograms",
        "relative", "delta", "events", "help"}
    names = {"duration": "seconds"}
    parameters = inspect.signature(getattr(module, name)).parameters
    assert len(options) > 4 and {names.get(option, option) for option in options} <= set(parameters)


def test_options_are_passed_on(sdt, module, exe):
    sdt.write("live.probes", "probe live:tick (n: int64)\nprobe live:tock (n: int64, word)\n")
    rows = script(sdt, module, exe, "list(sdt.lat('tick', 'tock', command=exe, match='n',"
                  " by=['n % 2', 'n % 3'], begin_predicate='n < 100', end_predicate='n > 5',"
                  " interval=60, follow=True, keys=9, top=1, outliers=2, describe='live.probes'))")
    latencies = [row for row in rows if "outlier" not in row]
    assert [row["count"] for row in latencies] == [16, 16]  # an interval, and the total
    assert latencies[0]["key"] in ([0, 0], [1, 0]) and latencies[1]["total"]
    assert {row["outlier"] for row in rows if "outlier" in row} == {1, 2}
    assert all(6 <= row["begin"]["args"]["n"] < 100 for row in rows if "outlier" in row)
    rows = script(sdt, module, exe, "list(sdt.hist('tick', 'i', by='i % 7', command=exe, keys=9,"
                  " top=2, linear='0:10', predicate='i < 70', interval=60))")
    assert [row["count"] for row in rows] == [10, 10, 10, 10]  # an interval, and the total
    rows = script(sdt, module, exe, "list(sdt.count('live:*', predicate='i > 297', by='name',"
                  " command=exe, top=1))")
    assert [(row["key"], row["count"]) for row in rows] == [("tick", 2)]
    rows = script(sdt, module, exe, "list(sdt.trace('tick', command=exe, limit=3, rate=0,"
                  " stack=2, describe='live.probes'))")
    assert [row["args"]["n"] for row in rows] == [0, 1, 2]
    assert all(len(row["stack"]) == 2 for row in rows)


def test_a_trace(sdt, module, exe):
    events = script(sdt, module, exe,
                    "list(sdt.trace('live:tock', predicate='i > 200', command=exe))")
    assert [event["args"]["i"] for event in events] == list(range(201, 300, 3))


def test_probes_and_processes(module, exe):
    with Target(exe) as target:
        assert {probe["name"] for probe in module.probes(target.pid)} == {"tick", "tock"}
        assert {probe["name"] for probe in module.probes(str(exe), "live:tick")} >= {"tick"}
        assert target.pid in [process["pid"] for process in module.processes()]


def test_intervals_until_the_generator_is_closed(module, exe):
    with Target(exe) as target:
        before = code(target.pid)
        rows = module.count("live:tick", target=target.pid, interval=0.1)
        assert code(target.pid) == before  # it has not begun
        assert next(rows)["count"] == 0
        target.do("hit 500")
        assert 500 in itertools.accumulate(row["count"] for row in rows)
        assert code(target.pid) != before
        rows.close()
        assert code(target.pid) == before
        with pytest.raises(StopIteration):
            next(rows)


def test_a_script_that_is_killed_leaves_nothing(module, exe):
    with Target(exe) as target:
        before = code(target.pid)
        text = f"import sys\nsys.path.insert(0, {str(SOURCE.parent)!r})\nimport sdt\n" \
               f"for row in sdt.count('live:tick', target={target.pid}, interval=0.1): pass\n"
        with subprocess.Popen([sys.executable, "-c", text],
                              env={**os.environ, "SDT": module.PROGRAM}) as process:
            patience.until(lambda: code(target.pid) != before)
            process.kill()
        patience.until(lambda: code(target.pid) == before)


def test_errors(module, exe):
    with Target(exe) as target:
        with pytest.raises(module.NothingMatches, match="no probe of process") as wrong:
            list(module.count("no:such", target=target.pid, seconds=0.1))
        assert wrong.value.status == 3
        with pytest.raises(module.Error, match="has no argument 'j'") as wrong:
            list(module.hist("live:tick", "j", target=target.pid))
        assert wrong.value.status == 1
    with pytest.raises(module.Error, match="there is no process|is not attachable"):
        list(module.count("live:tick", target=target.pid))
    with pytest.raises(module.Error, match="No such file"):
        list(module.hist("live:tick", "i", command=["/no/such/program"]))
    for wrong in ({}, {"target": 1, "command": ["true"]}):
        with pytest.raises(ValueError, match="either a target or a command"):
            module.count("live:tick", **wrong)
