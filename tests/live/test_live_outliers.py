# SPDX-License-Identifier: BSD-2-Clause
"""The slowest of `sdt lat`, with the arguments of both hits. The program (programs/live_outliers.c)
says which requests are slow."""
import re
import time

import pytest

import attached
from attached import ask, json_lines


@pytest.fixture
def exe(sdt):
    return attached.build(sdt, "live_outliers.c", name="requests")


def latencies(sdt, exe, *args, program=("1", "200", "7", "50")):
    """Histograms, and the slowest, as objects."""
    result = ask(sdt, "lat", "web:begin", "web:end", *args, "--json", "--", exe, *program)
    rows = json_lines(result.stdout)
    assert not result.stderr
    return ([row for row in rows if "outlier" not in row],
            [row for row in rows if "outlier" in row])


def args_of(i, thread=0):
    return ({"path": f"/{thread}/{i}", "i": i, "sizes": [i, -1]},
            {"state": "failed" if i % 2 else "done", "arg1": i / 4, "arg2": i > 3})


def test_the_slowest_have_the_arguments_of_both_hits(sdt, exe):
    before = time.time_ns()
    [row], slowest = latencies(sdt, exe, "--outliers=2")
    assert row["count"] == 200 and row["max"] == slowest[0]["latency"]
    assert [one["outlier"] for one in slowest] == [1, 2]
    assert slowest[0]["latency"] >= slowest[1]["latency"] >= 200_000_000
    assert sorted(one["begin"]["args"]["i"] for one in slowest) == [7, 50]
    for one in slowest:
        begin, end = args_of(one["begin"]["args"]["i"])
        tid = one["begin"]["tid"]
        assert one["begin"] == {"provider": "web", "name": "begin", "tid": tid, "args": begin}
        assert one["end"] == {"provider": "web", "name": "end", "tid": tid, "args": end}
        assert before < one["time"] < time.time_ns() and tid > 0


def test_the_slowest_of_all_threads(sdt, exe):
    [row], slowest = latencies(sdt, exe, "-n", "8", program=("4", "3000", "11", "2500"))
    assert row["count"] == 4 * 3000
    assert sorted(one["begin"]["args"]["path"] for one in slowest) == sorted(
        f"/{thread}/{i}" for thread in range(4) for i in (11, 2500))
    assert len({one["begin"]["tid"] for one in slowest}) == 4


def test_without_the_option_scripts_get_histograms_only(sdt, exe):
    assert latencies(sdt, exe)[1] == [] and latencies(sdt, exe, "--outliers=0")[1] == []
    assert len(latencies(sdt, exe, "--outliers=200", program=("1", "9", "3"))[1]) == 9


def test_a_condition_and_keys(sdt, exe):
    rows, slowest = latencies(sdt, exe, "by", "state", "-n", "1")
    assert {row["key"]: row["count"] for row in rows} == {"done": 100, "failed": 100}
    assert slowest[0]["begin"]["args"]["i"] in (7, 50)
    result = ask(sdt, "lat", "web:begin /i < 40/", "web:end", "-n", "1", "--json", "--", exe,
                 "1", "200", "7", "50")
    assert json_lines(result.stdout)[1]["begin"]["args"] == args_of(7)[0]


def test_for_people(sdt, exe):
    result = ask(sdt, "lat", "web:begin", "web:end", "--", exe, "1", "200", "7")
    text = result.stdout[result.stdout.index("slowest"):]
    assert len(re.findall(r"^  [0-9.]+ [un]?m?s  until ....-..-.. ..:..:..\.[0-9]{9}"
                          r"  thread [0-9]+$", text, re.M)) == 5
    assert re.search(r'^    web:begin  path="/0/7" i=7 sizes=\[7, -1\]\n'
                     r"    web:end  state=failed arg1=1.75 arg2=true$", text, re.M)
    result = ask(sdt, "lat", "web:begin", "web:end", "-n", "0", "--", exe, "1", "200", "7")
    assert "slowest" not in result.stdout and "count 200" in result.stdout


def test_those_that_have_come_since(sdt, exe):
    """Each is shown once, with the interval that it came in."""
    result = ask(sdt, "lat", "web:begin", "web:end", "-n", "3", "-i", "0.05", "--json", "--", exe,
                 "1", "200", "7", "50", "90", "120", "150")
    shown = [row["begin"]["args"]["i"] for row in json_lines(result.stdout) if "outlier" in row]
    assert len(shown) == len(set(shown)) and len(set(shown) & {7, 50, 90, 120, 150}) >= 3


def test_several_probes_and_several_forms(sdt):
    """Which probe it was; and where the sites of one differ in what they pass, nothing is shown."""
    source = sdt.write("forms.c", """
        #include <sdt/probe.h>
        #include <unistd.h>
        int main(void)
        {
            long number = 5;
            const char *text = "text";
            SDT_PROBE(web, get__begin, number);
            usleep(3000);
            SDT_PROBE(web, done, number);
            SDT_PROBE(web, put__begin, text);
            usleep(3000);
            SDT_PROBE(web, done, text);
            return 0;
        }""")
    exe = attached.build(sdt, source, name="forms")
    result = ask(sdt, "lat", "web:*-begin", "web:done", "-n", "5", "--json", "--", exe)
    slowest = json_lines(result.stdout)[1:]
    assert {one["begin"]["name"]: one["begin"]["args"] for one in slowest} == {
        "get__begin": {"number": 5}, "put__begin": {"text": "text"}}
    assert [one["end"]["args"] for one in slowest] == [{}, {}]
    assert slowest[0]["latency"] >= slowest[1]["latency"] >= 3_000_000


@pytest.mark.parametrize("option", ["--outliers=x", "--outliers=240", "--outliers=-1"])
def test_what_is_no_number_of_them(sdt, exe, option):
    result = ask(sdt, "lat", "web:begin", "web:end", option, "--", exe, status=2)
    assert "an option's argument is not a number, or is too large" in result.stderr
