# SPDX-License-Identifier: BSD-2-Clause
"""`sdt lat` by keys. The program (programs/event_loop.c) says how long each request took."""
import json
import re

import pytest

import attached
from attached import ask

LAT = ["lat", "request-begin", "request-end", "match", "id"]
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
WORDS = [word for id in range(1, 13) for word in (f"b{id}", f"w{id % 4}", f"e{id}")]


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt, "event_loop.c", name="loop")


def truth(output):
    return {int(id): (int(least), int(most))
            for id, least, most in re.findall(r"^(\d+) (\d+) (\d+)$", output, re.M)}


def table(output):
    """Key → numbers; the line above; times in nanoseconds."""
    title, *lines = re.search(r"^loop:.*\n(?:.+\n)+", output, re.M)[0].splitlines()
    heads, *rows = [re.split(r" {2,}", line.strip()) for line in lines]
    assert heads == ["KEY", "COUNT", "MEAN", "P50", "P90", "P99", "MAX", "SUM"]
    found = {}
    for key, count, *times in rows:
        found[key] = [int(count)] + [float(number) * UNITS[unit]
                                     for number, unit in map(str.split, times)]
    return title, found


@pytest.mark.parametrize("by, key", [
    (["id", "%", "3"], lambda id: str(id % 3)), (["path"], lambda id: f"/{id}"),
    (["status"], lambda id: "404" if id % 2 else "200"),
    (["status,", "id % 3"], lambda id: f"{404 if id % 2 else 200} {id % 3}"),
    (["path, id % 2"], lambda id: f"/{id} {id % 2}")])
def test_a_row_for_each_key(sdt, exe, by, key):
    """Keys that are known where it begins, and where it ends."""
    output = ask(sdt, *LAT, "by", *by, "--outliers=0", "--", exe, *WORDS).stdout
    took = truth(output)
    title, rows = table(output)
    assert title == "loop:request-begin to request-end" and len(took) == 12
    of_key = {}
    for number, bounds in took.items():
        of_key.setdefault(key(number), []).append(bounds)
    assert set(rows) == set(of_key)
    for name, (count, mean, p50, p90, p99, high, total) in rows.items():
        least, most = (sum(bound[i] for bound in of_key[name]) for i in (0, 1))
        assert count == len(of_key[name])
        assert 0.99 * least - 1000 <= total <= 1.01 * most + 1000  # three digits
        assert mean == pytest.approx(total / count, rel=0.02, abs=2)
        assert max(bound[0] for bound in of_key[name]) * 0.99 - 1000 <= high
        assert high <= max(bound[1] for bound in of_key[name]) * 1.01 + 1000
        assert p50 <= p90 * 1.01 <= p99 * 1.02 <= high * 1.03


def test_the_most_frequent_keys(sdt, exe):
    words = ["b1", "e1", "b2", "e2", "b3", "e3", "b2", "e2", "b3", "e3", "b3", "e3"]
    output = ask(sdt, *LAT, "by", "id", "-t", "2", "-n", "0", "--", exe, *words).stdout
    assert list(table(output)[1]) == ["3", "2"]
    assert "1 more keys; --top=0 shows all\n" in output


def test_histograms_instead(sdt, exe):
    output = ask(sdt, *LAT, "by", "id", "--histograms", "-n", "0", "--", exe, *WORDS).stdout
    assert re.findall(r"^loop:request-begin to request-end  (\d+)\ncount 1  min ", output, re.M) \
        and "KEY" not in output
    output = ask(sdt, *LAT, "-n", "0", "--", exe, *WORDS).stdout  # nor without a key
    assert "request-end\ncount 12  min " in output and "KEY" not in output


def test_nothing_has_ended_yet(sdt, exe):
    output = ask(sdt, *LAT, "by", "id", "--", exe, "b1").stdout
    assert output == "loop:request-begin to request-end\nno values\n\n"


def test_for_scripts(sdt, exe):
    output = ask(sdt, *LAT, "by", "id % 2, path", "--json", "--", exe, *WORDS).stdout
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    assert {(*row["key"], row["count"]) for row in rows} == {(n % 2, f"/{n}", 1)
                                                            for n in range(1, 13)}
    output = ask(sdt, *LAT, "by", "status, id", "--openmetrics", "--", exe, "b1", "e1").stdout
    assert re.search(r'^sdt_latency_seconds_count\{.*,key="404",key2="1"\} 1$', output, re.M)


@pytest.mark.parametrize("words, message, status", [
    (["by", "path, status"],
     "'status' is not known where it begins, and 'path' not where it ends", 1),
    (["by", "id, nobody"], "no argument 'nobody'", 1),
    (["by", "id, id, id"], "at most two keys", 2)])
def test_keys_that_are_refused(sdt, exe, words, message, status):
    result = ask(sdt, *LAT, *words, "--", exe, status=status)
    assert message in result.stderr
    assert "--histograms is for sdt lat" in ask(sdt, "hist", "poll", "n", "--histograms", "--", exe,
                                                status=2).stderr
