# SPDX-License-Identifier: BSD-2-Clause
"""Integers that a double cannot hold: largest and smallest values, and their neighbours, are shown
as they are, by every command and in every form."""
import json
import re

import pytest

import attached
from attached import ask, json_lines

MOST, LEAST, LARGE = (1 << 64) - 1, -(1 << 63), (1 << 53) + 1

SOURCE = """
#include <sdt/probe.h>
#include <stdint.h>
#include <stdlib.h>

/* Probe `edge:natural` or `edge:whole` passes the number N, TIMES times. */
int main(int argc, char **argv)
{
    uint64_t natural = strtoull(argv[2], NULL, 10);
    int64_t whole = strtoll(argv[2], NULL, 10);
    for (int i = 0; i < atoi(argv[3]); i++)
        if (argv[1][0] == 'n')
            SDT_PROBE(edge, natural, natural);
        else
            SDT_PROBE(edge, whole, whole);
    return argc != 4;
}
"""


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt, sdt.write("edge.c", SOURCE), name="edge")


NUMBERS = [("natural", MOST), ("natural", MOST - 1), ("natural", LARGE), ("whole", LEAST),
           ("whole", LEAST + 1), ("whole", (1 << 63) - 1), ("whole", -LARGE)]


@pytest.mark.parametrize("kind, number", NUMBERS)
def test_a_histogram(sdt, exe, kind, number):
    run = ["--", exe, kind, number, 3]
    [row] = json_lines(ask(sdt, "hist", f"edge:{kind}", kind, "--json", *run).stdout)
    assert [row[name] for name in ("min", "max", "mean", "p50", "p90", "p99")] == 6 * [number]
    text = ask(sdt, "hist", f"edge:{kind}", kind, *run).stdout
    assert dict(re.findall(r"(\w+) (-?\d+)(?:  |\n)", text)) == {
        "count": "3", **dict.fromkeys(("min", "mean", "p50", "p90", "p99", "max"), str(number))}
    text = ask(sdt, "hist", f"edge:{kind}", kind, "--openmetrics", *run).stdout
    sums = re.findall(r"^sdt_value_sum\{.*\} (.*)$", text, re.M)
    assert sums == ([f"{3 * number}.0"] if number > 0 else [])
    limits = re.findall(r'le="([0-9.]+)"', text)
    assert all(int(limit.removesuffix(".0")) & 1 for limit in limits if float(limit) > 0)


def test_linear_limits(sdt, exe):
    text = ask(sdt, "hist", "edge:natural", "natural", f"--linear={LARGE}:1", "--openmetrics", "--",
               exe, "natural", LARGE, 1).stdout
    assert f'le="{LARGE - 1}.0"}} 0\n' in text and f'le="{LARGE}.0"}} 1\n' in text


@pytest.mark.parametrize("kind, number", NUMBERS)
def test_keys_and_conditions(sdt, exe, kind, number):
    run = ["--", exe, kind, number, 3]
    other = number - 1 if number > 0 else number + 1
    [row] = json_lines(ask(sdt, "count", f"edge:{kind}", "by", kind, "--json", *run).stdout)
    assert (row["key"], row["count"]) == (number, 3)
    assert f"  {number}  3  " in ask(sdt, "count", f"edge:{kind}", "by", kind, *run).stdout
    for value, hits in ((number, 3), (other, 0)):
        literal = str(value) if value > LEAST else f"(-{(1 << 63) - 1} - 1)"
        [row] = json_lines(ask(sdt, "count", f"edge:{kind} /{kind} == {literal}/", "--json",
                               *run).stdout)
        assert row["count"] == hits


@pytest.mark.parametrize("kind, number", NUMBERS[::3])
def test_events_and_reports(sdt, exe, kind, number):
    text = ask(sdt, "trace", f"edge:{kind}", "--json", "--", exe, kind, number, 1).stdout
    assert json.loads(text)["args"] == {kind: number}
    ask(sdt, "record", "-o", "rec", exe, kind, number, 1)
    for form in ([], ["--csv"], ["--json"]):
        assert str(number) in ask(sdt, "report", *form, "rec").stdout
