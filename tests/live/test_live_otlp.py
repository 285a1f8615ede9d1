# SPDX-License-Identifier: BSD-2-Clause
"""`--otlp=URL` of sdt count, hist and lat: sums and exponential histograms, compared with what the
program has done; receivers that are away for a while."""
import os
import re
import signal
import subprocess
import threading
import time

import pytest

import attached
import otlp
import patience
from attached import SDT, Target, ask, code, until_attached
from otlp import attributes
from test_openmetrics import SOURCE

ENVIRONMENT = {"NO_PROXY": "*", "no_proxy": "*", "OTEL_SERVICE_NAME": "",
               "OTEL_EXPORTER_OTLP_HEADERS": "", "OTEL_EXPORTER_OTLP_TIMEOUT": ""}
FOREVER = [(503, {}, b"")] * 1000


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt)


def measure(sdt, url, *args, status=0, **kwargs):
    result = ask(sdt, args[0], f"--otlp={url}", *args[1:], status=None,
                 env={**os.environ, **ENVIRONMENT}, **kwargs)
    if "built without libcurl" in result.stderr:
        pytest.skip("this sdt was built without libcurl")
    assert result.returncode == status, result.stderr
    return result


def points_of(request):
    """(resource, metric, points) of a request, which has one metric."""
    [resource] = request["resource_metrics"]
    [scope] = resource["scope_metrics"]
    [metric] = scope["metrics"]
    data = metric.get("sum") or metric["exponential_histogram"]
    assert data["aggregation_temporality"] == 2
    assert "sum" not in metric or data["is_monotonic"]
    return attributes(resource["resource"]), metric, data["data_points"]


def measured(sdt, exe, *args, commands="hit 1000", words=()):
    """The only request."""
    with otlp.Receiver() as receiver:
        result = measure(sdt, receiver.url, *args, "--", exe, *words,
                         input=f"{commands}\nquit\n")
        [(path, _, _, _)] = receiver.seen
        [request] = receiver.requests()
    assert path == "/v1/metrics" and re.search(r"\d+ data points?\n", result.stdout)
    return points_of(request)


def test_counts(sdt, exe):
    resource, metric, points = measured(sdt, exe, "count", "live:*")
    assert (metric["name"], metric["unit"]) == ("sdt.hits", "{hit}")
    assert {attributes(point)["sdt.probe"]: point["as_int"] for point in points} == {
        "tick": 1000, "tock": 334}
    assert resource["service.name"] == exe.name and resource["process.pid"] > 1
    assert all(0 < point["start_time_unix_nano"] <= point["time_unix_nano"] for point in points)


def test_counts_by_keys(sdt, exe):
    _, _, points = measured(sdt, exe, "count", "live:tock", "by", "text,", "i / 500")
    assert {(attributes(point)["sdt.key"], attributes(point)["sdt.key2"]): point["as_int"]
            for point in points} == {("tock", 0): 167, ("tock", 1): 167}


def test_enumerators_are_keys(sdt):
    """But for a name that two values have."""
    exe = attached.build(sdt, sdt.write("states.c", SOURCE), name="states")
    _, _, points = measured(sdt, exe, "count", "live:work", "by", "state", words=["60"])
    assert {attributes(point)["sdt.key"]: point["as_int"] for point in points} == dict.fromkeys(
        ['idle "now"', "busy", 2, 3, 4, 5], 10)


def check_buckets(buckets, scale, values):
    """A value may be in the bucket beside its own, since ours are others."""
    counts, base = buckets["bucket_counts"], 2 ** (2 ** -scale)
    assert sum(counts) == len(values) and len(counts) <= 160
    assert not counts or counts[0] and counts[-1]
    below = 0
    for i, count in enumerate(counts, buckets.get("offset", 0)):
        below += count
        assert (sum(value <= base ** i for value in values) <= below
                <= sum(value <= base ** (i + 2) for value in values)), i


@pytest.mark.parametrize("expression, values, scale", [
    ("i", range(1000), 3), ("i - 500", range(-500, 500), 3), ("i % 1", [0] * 1000, 3),
    ("1 << (i % 60)", [1 << i % 60 for i in range(1000)], 1),
    ("(1 << (i % 60)) - 8", [(1 << i % 60) - 8 for i in range(1000)], 1)])
def test_a_histogram(sdt, exe, expression, values, scale):
    _, metric, [point] = measured(sdt, exe, "hist", "live:tick", expression)
    assert (metric["name"], metric["unit"]) == ("sdt.value", "1")
    assert attributes(point) == {"sdt.provider": "live", "sdt.probe": "tick",
                                 "sdt.expression": expression}
    assert point["count"] == 1000 and point.get("scale", 0) == scale
    assert (point["min"], point["max"]) == (min(values), float(max(values)))
    assert point.get("sum") == (None if min(values) < 0 else pytest.approx(sum(values)))
    assert point.get("zero_count", 0) == sum(value == 0 for value in values)
    check_buckets(point["positive"], scale, [value for value in values if value > 0])
    check_buckets(point["negative"], scale, [-value for value in values if value < 0])


def test_a_linear_histogram(sdt, exe):
    _, _, [point] = measured(sdt, exe, "hist", "--linear=0:10", "live:tick", "i")
    assert point["count"] == 1000 and (point["min"], point["max"]) == (0, 999)
    assert sum(point["positive"]["bucket_counts"]) == 1000


def test_a_latency(sdt, exe):
    """In seconds. The same that sdt lat --json says, at another time, to an order of magnitude."""
    _, metric, [point] = measured(sdt, exe, "lat", "live:tick", "live:tock", "match", "i")
    assert (metric["name"], metric["unit"]) == ("sdt.latency", "s")
    assert attributes(point) == {"sdt.provider": "live", "sdt.probe": "tick",
                                 "sdt.end": "live:tock"}
    positive = point["positive"]
    assert point["count"] == 334
    assert point.get("zero_count", 0) + sum(positive["bucket_counts"]) == 334
    assert 0 <= point["min"] <= point["sum"] / 334 <= point["max"] < 10
    highest = 2 ** ((positive["offset"] + len(positive["bucket_counts"])) / 2 ** point["scale"])
    assert highest / 1.3 < point["max"] < highest * 1.3


class Tool:
    """`sdt count live:* -i … --otlp=…`, of TARGET."""

    def __init__(self, target, url):
        before = code(target.pid)
        self.process = subprocess.Popen(
            [SDT, "count", "live:*", "-i", "0.05", f"--otlp={url}", "-p", str(target.pid)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **ENVIRONMENT})
        until_attached(self.process, target.pid, before)

    def end(self, status=0):
        self.process.send_signal(signal.SIGINT)
        _, errors = patience.wait(self.process)
        assert self.process.returncode == status, errors
        return errors


@pytest.fixture(name="target")
def fixture_target(sdt, exe):
    with otlp.Receiver() as receiver:
        measure(sdt, receiver.url, "count", "live:*", "--", exe, input="quit\n")  # or skips
    with Target(exe) as target:
        yield target


def seen(receiver, tool, count):
    patience.until(lambda: len(receiver.seen) >= count, tool.process)


def most_hits(request):
    return max(point["as_int"] for point in points_of(request)[2])


def test_intervals(target):
    """Totals, from one start on, by one connection."""
    with otlp.Receiver() as receiver:
        tool = Tool(target, receiver.url)
        target.do("hit 300")
        seen(receiver, tool, 2)
        target.do("hit 30")
        seen(receiver, tool, len(receiver.seen) + 2)
        assert tool.end() == ""
        requests = receiver.requests()
    counts = [most_hits(request) for request in requests]
    assert counts == sorted(counts) and counts[-1] == 330 and counts[0] <= 300
    points = [point for request in requests for point in points_of(request)[2]]
    assert len({point["start_time_unix_nano"] for point in points}) == 1
    times = [point["time_unix_nano"] for point in points]
    assert times == sorted(times) and receiver.connections == 1


def test_a_receiver_that_is_away_for_a_while(target):
    """The next request has what it missed."""
    with otlp.Receiver((503, {}, b"")) as receiver:
        tool = Tool(target, receiver.url)
        target.do("hit 300")
        seen(receiver, tool, 3)
        errors = tool.end()
        assert most_hits(receiver.requests()[-1]) == 300
    assert "it answers 503; trying again at the next interval" in errors
    assert re.search(r"it answers 503: \d+ of \d+ data points not delivered", errors)
    assert "the last ones, which have the same totals, were delivered" in errors


def test_a_receiver_that_stays_away(target):
    """The program does all that it should."""
    with otlp.Receiver(*FOREVER) as receiver:
        tool = Tool(target, receiver.url)
        target.do("hit 300")
        seen(receiver, tool, 3)
        target.do("hit 300")
        errors = tool.end(status=1)
    assert errors.count("trying again at the next interval") == 1
    [(missing, total)] = re.findall(r"it answers 503: (\d+) of (\d+) data points not delivered",
                                    errors)
    assert missing == total


def test_a_receiver_that_hangs(target):
    """The session goes on, and what waits is replaced by what is newer."""
    hung = threading.Event()

    def wait(handler):
        hung.wait()
        handler.close_connection = True
    with otlp.Receiver(wait) as receiver:
        tool = Tool(target, receiver.url)
        target.do("hit 300")
        seen(receiver, tool, 1)
        time.sleep(2)  # longer than a session lasts without its tool
        target.do("hit 30")
        hung.set()
        seen(receiver, tool, 2)
        errors = tool.end()
        assert most_hits(receiver.requests()[-1]) == 330
    assert "the last ones, which have the same totals, were delivered" in errors


def test_a_receiver_that_wants_to_be_left_alone(target):
    with otlp.Receiver((429, {"Retry-After": "600"}, b"")) as receiver:
        tool = Tool(target, receiver.url)
        target.do("hit 300")
        seen(receiver, tool, 1)
        target.do("hit 300")
        errors = tool.end(status=1)
    assert len(receiver.seen) == 1 and "and asks to wait for 600 s" in errors


def test_a_receiver_that_rejects_some(sdt, exe):
    """Each time: then these are lost."""
    rejecting = (200, {}, bytes([0x0a, 2, 0x08, 1]))
    with otlp.Receiver(*[rejecting] * 1000) as receiver:
        result = measure(sdt, receiver.url, "count", "live:*", "-i", "60", "--", exe, status=1,
                         input="hit 300\nquit\n")
    assert "the receiver rejects them: 1 of 2 data points not delivered" in result.stderr


def test_nothing_was_hit(sdt, exe):
    with otlp.Receiver() as receiver:
        result = measure(sdt, receiver.url, "hist", "live:tick", "i", "--", exe, input="quit\n")
    assert not receiver.seen and "nothing to deliver" in result.stdout


@pytest.mark.parametrize("args, problem", [
    (["--otlp=out.json"], "--otlp needs http:// or https://"),
    (["--otlp=http://"], "this address names no host"),
    (["--otlp=http://localhost", "--json"], "--otlp prints nothing"),
    (["--otlp=http://localhost", "--openmetrics"], "--otlp prints nothing")])
@pytest.mark.parametrize("command", [["count", "live:*"], ["hist", "live:tick", "i"],
                                     ["lat", "tick", "tock"]], ids=["count", "hist", "lat"])
def test_command_lines_that_are_wrong(sdt, exe, command, args, problem):
    assert problem in ask(sdt, command[0], *args, *command[1:], "--", exe, status=2).stderr


def test_the_check_of_buckets_can_fail():
    with pytest.raises(AssertionError):
        check_buckets({"offset": 0, "bucket_counts": [1, 1]}, 3, [1.05, 9.0])
