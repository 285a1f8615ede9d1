# SPDX-License-Identifier: BSD-2-Clause
"""`-i` of `sdt count`, `hist` and `lat`: intervals are intervals, and add up to the total that is
printed at the end and labelled.

The program hits its probes as often as it is told between two looks at what the tool has printed,
so each time the sum of all intervals so far is known.
"""
import collections
import signal
import subprocess

import pytest

import attached
import patience
from attached import SDT, Target, code, json_lines, until_attached

ROUNDS, HITS = 4, 300  # a multiple of 3, so that each round has as many of each key


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt)


class Tool:
    """`sdt ARGS -i …`, of TARGET."""

    def __init__(self, target, *args):
        before = code(target.pid)
        self.process = subprocess.Popen([SDT, *args, "-i", "0.05", "-p", str(target.pid)],
                                        stdout=subprocess.PIPE, text=True)
        until_attached(self.process, target.pid, before)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        output = patience.wait(self.process)[0]
        assert self.process.returncode == 0
        return output


def sums(rows):
    """By probe and key, of all ROWS."""
    found = collections.Counter()
    for row in rows:
        found[row["name"], str(row.get("key"))] += row["count"]
    return +found


def buckets(rows):
    found = collections.Counter()
    for row in rows:
        for low, high, count in row.get("buckets", []):
            found[str(row.get("key")), low, high] += count
    return found


def of_a_round(args):
    """How many hits or values of each key a round has; a tock pairs with each third tick."""
    if "i % 3" in args:
        return {str(key): HITS // 3 for key in range(3)}
    if "i % 3, i - i" in args:
        return {str([key, 0]): HITS // 3 for key in range(3)}
    return {"0" if "by" in args else "None": HITS // 3 if args[0] == "lat" else HITS}


@pytest.mark.parametrize("args", [
    ["count", "live:tick"], ["count", "live:tick", "--follow"], ["count", "live:tick /i >= 0/"],
    ["count", "live:tick", "by", "i % 3"], ["count", "live:tick", "by", "i % 3, i - i"],
    ["hist", "live:tick", "i"], ["hist", "live:tick", "i", "by", "i % 3"],
    ["lat", "live:tick", "live:tock", "match", "i"],
    ["lat", "live:tick", "live:tock", "match", "i", "by", "i - i"]], ids=" ".join)
def test_intervals_add_up_to_the_total(exe, args):
    wanted = of_a_round(args)
    with Target(exe) as target:
        tool = Tool(target, *args, "--json")
        rows = []
        for number in range(1, ROUNDS + 1):
            target.do(f"hit {HITS}")
            while sum(row["count"] for row in rows) < number * sum(wanted.values()):
                rows += json_lines(tool.process.stdout.readline())
            assert {key: n for (_, key), n in sums(rows).items()} == {
                key: number * n for key, n in wanted.items()}
        last = json_lines(tool.end())
    assert all("total" not in row for row in rows)
    rows += [row for row in last if "total" not in row]
    totals = [row for row in last if "total" in row]
    assert totals and all(row["total"] is True for row in totals)
    assert sums(totals) == sums(rows) and sum(sums(totals).values()) == ROUNDS * sum(
        wanted.values())
    assert len(totals) == len(wanted) and buckets(totals) == buckets(rows)


def hits_of(line):
    """The number of a row of a table, or of a summary of a histogram; 0: it is something else."""
    words = line.split()
    return int(words[1]) if line.startswith("count ") else int(words[-2]) if "/s" in line else 0


@pytest.mark.parametrize("args", [["count", "live:tick"], ["count", "live:tick", "by", "i - i"],
                                  ["hist", "live:tick", "i"]], ids=" ".join)
def test_what_people_read(exe, args):
    with Target(exe) as target:
        tool = Tool(target, *args)
        lines = []
        for number in range(1, ROUNDS + 1):
            target.do(f"hit {HITS}")
            while sum(map(hits_of, lines)) < number * HITS:
                lines.append(tool.process.stdout.readline())
            assert sum(map(hits_of, lines)) == number * HITS
        last = tool.end().splitlines()
    [title] = [i for i, line in enumerate(last) if "TOTAL" in line or line.startswith("total ")]
    assert "total" not in "".join(lines).lower() and sum(map(hits_of, last[:title])) == 0
    if args[0] == "hist":
        assert last[title].split()[:2] == ["total", str(ROUNDS * HITS)]
        assert last[title].split()[-2:] == ["max", str(HITS - 1)]
        return
    assert last[title].split()[-2:] == ["TOTAL", "RATE"] and hits_of(last[-1]) == ROUNDS * HITS
    rates = [float(line.split()[-1].removesuffix("/s")) for line in lines if hits_of(line)]
    assert 0 < float(last[-1].split()[-1].removesuffix("/s")) < max(rates)


def test_openmetrics_has_totals_only(exe):
    """Its counters must not fall: each exposition has all hits since the beginning."""
    for args in (["count", "live:tick"], ["count", "live:tick", "by", "i - i"]):
        with Target(exe) as target:
            tool = Tool(target, *args, "--openmetrics")
            values = [0]
            for number in range(1, ROUNDS + 1):
                target.do(f"hit {HITS}")
                while values[-1] < number * HITS:
                    line = tool.process.stdout.readline()
                    values += [int(line.split()[-1])] if "_total{" in line else []
            output = tool.end()
        assert values == sorted(values)
        assert output.endswith(f" {ROUNDS * HITS}\n# EOF\n")
