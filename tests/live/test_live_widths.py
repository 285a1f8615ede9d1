# SPDX-License-Identifier: BSD-2-Clause
"""A probe whose sites pass integers of different types: what one type holds is exact, in keys,
histograms and conditions; what none holds is refused. Values follow from programs/live_widths.c."""
import pytest

import attached
from attached import ask, json_lines

N = 40
NUMBERS = [-i for i in range(N)] + [2**32 - 1 - i for i in range(N)]


@pytest.fixture
def exe(sdt):
    return attached.build(sdt, "live_widths.c", name="widths")


def rows(sdt, exe, *words):
    return json_lines(ask(sdt, *words, "--json", "--", exe, N).stdout)


def test_keys_are_the_numbers_of_all_sites(sdt, exe):
    found = {row["key"]: row["count"] for row in
             rows(sdt, exe, "count", "--top=0", "widths:value", "by", "number")}
    assert found == {number: 1 for number in NUMBERS}
    found = {row["key"]: row["count"] for row in rows(sdt, exe, "count", "widths:value", "by",
                                                      "flag")}
    assert found == {0: N // 2, 1: N // 2, -1: N}


def test_a_histogram_of_all_sites(sdt, exe):
    [row] = rows(sdt, exe, "hist", "widths:value", "number")
    assert (row["count"], row["min"], row["max"]) == (2 * N, min(NUMBERS), max(NUMBERS))
    assert row["mean"] == sum(NUMBERS) / len(NUMBERS)


@pytest.mark.parametrize("condition, holds", [
    ("number > 2147483647", lambda number: number > 2**31 - 1), ("number < 0", lambda n: n < 0),
    ("number == -1 || number == 4294967295", lambda n: n in (-1, 2**32 - 1))])
def test_conditions_of_all_sites(sdt, exe, condition, holds):
    count = sum(map(holds, NUMBERS))
    [row] = rows(sdt, exe, "count", f"widths:value /{condition}/")
    assert row["count"] == count > 0
    traced = rows(sdt, exe, "trace", "--rate=0", f"widths:value /{condition}/")
    assert sorted(event["args"]["number"] for event in traced) == sorted(filter(holds, NUMBERS))
    ask(sdt, "record", "-o", "rec", "-e", f"widths:value /{condition}/", "--", exe, N)
    assert len(json_lines(ask(sdt, "report", "--json", "rec").stdout)) == count


def test_what_no_type_holds_is_refused(sdt, exe):
    result = ask(sdt, "count", "widths:clash", "by", "number", "--", exe, N, status=1)
    assert ("widths:clash passes 'number' as int64 at one site and as uint64 at another, which no "
            "integer of 64 bits holds: choose one by PROVIDER:MODULE:FUNCTION:NAME"
            in result.stderr)
    result = ask(sdt, "count", "widths:kind", "by", "int(number)", "--", exe, N, status=1)
    assert "passes 'number:int32 other:int32' at one site and 'number:double " in result.stderr
    result = ask(sdt, "record", "-o", "rec", "-e", "widths:clash /number > 3/", "--", exe, N,
                 status=1)
    assert "widths:clash passes other arguments at some sites" in result.stderr


def test_an_argument_that_nobody_asks_for_may_be_anything(sdt, exe):
    for probe in "clash", "kind":
        found = {row["key"]: row["count"] for row in
                 rows(sdt, exe, "count", "--top=0", f"widths:{probe}", "by", "other")}
        assert found == {i: 2 for i in range(N)}
    [row] = rows(sdt, exe, "count", "widths::wide:clash", "by", "number > 0")
    assert (row["key"], row["count"]) == (1, N)
