# SPDX-License-Identifier: BSD-2-Clause
"""`--openmetrics` of sdt count, hist and lat, read by a parser of our own that is as strict as
OpenMetrics 1.0, and compared with what the program has done; with `--output`, by Prometheus'
promtool as well."""
import json
import os
import re
import shutil
import socket
import subprocess
import urllib.error
import urllib.request

import patience
import pytest

import attached
from conftest import ROOT
from attached import Target, ask

NAME = r"[a-zA-Z_][a-zA-Z0-9_]*"
LABEL = re.compile(rf'({NAME})="((?:[^"\\\n]|\\[\\"n])*)"(,|$)')
SUFFIXES = {"counter": {"_total"}, "histogram": {"_bucket", "_sum", "_count"}}


def unescaped(text):
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)


def labels_of(text):
    found, at = {}, 0
    while at < len(text):
        match = LABEL.match(text, at)
        assert match and match[1] not in found, text[at:]
        found[match[1]], at = unescaped(match[2]), match.end()
    return found


def parse(text):
    """Of one exposition, with its `# EOF`: (family, type, [(suffix, labels, value)])."""
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""] and lines.count("# EOF") == 1
    family = kind = None
    samples, seen = [], set()
    for line in lines[:-2]:
        if match := re.fullmatch(rf"# (TYPE|UNIT|HELP) ({NAME}) (.+)", line):
            assert not samples and (family is None or match[2] == family)
            assert (match[1], match[2]) not in seen
            seen.add((match[1], match[2]))
            family, kind = match[2], match[3] if match[1] == "TYPE" else kind
            assert match[1] != "UNIT" or family.endswith("_" + match[3])
            continue
        match = re.fullmatch(rf"({NAME})\{{(.*)\}} (-?[0-9.]+(?:e[+-]?[0-9]+)?)", line)
        assert match and match[1].startswith(family), line
        suffix, labels = match[1][len(family):], labels_of(match[2])
        assert suffix in SUFFIXES[kind]
        identity = (suffix, tuple(sorted(labels.items())))
        assert identity not in seen
        seen.add(identity)
        samples.append((suffix, labels, float(match[3])))
    return family, kind, samples


def histogram(samples, **wanted):
    """Its limits with cumulative counts, its sum and count, which may be None."""
    mine = [(suffix, labels, value) for suffix, labels, value in samples
            if wanted.items() <= labels.items()]
    buckets = [(float(labels["le"]), value) for suffix, labels, value in mine
               if suffix == "_bucket"]
    assert buckets == sorted(buckets) and buckets[-1][0] == float("inf")
    assert [count for _, count in buckets] == sorted(count for _, count in buckets)
    totals = {suffix: value for suffix, _, value in mine if suffix != "_bucket"}
    assert totals.get("_count", buckets[-1][1]) == buckets[-1][1]
    assert ("_sum" in totals) == ("_count" in totals)
    return buckets, totals.get("_sum"), totals.get("_count")


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt)


def exposed(sdt, exe, *args, commands="hit 1000"):
    result = ask(sdt, *args, "--openmetrics", "--", exe, input=f"{commands}\nquit\n")
    return re.sub(r"^(here|ok)\n", "", result.stdout, flags=re.M)


def test_counts(sdt, exe):
    family, kind, samples = parse(exposed(sdt, exe, "count", "live:*"))
    assert (family, kind) == ("sdt_hits", "counter")
    for (suffix, labels, value), probe, hits in zip(samples, ("tick", "tock"), (1000, 334),
                                                    strict=True):
        assert int(labels.pop("pid")) > 1
        assert (suffix, value) == ("_total", hits)
        assert labels == {"provider": "live", "probe": probe, "program": exe.name}


def test_counts_by_keys(sdt, exe):
    _, _, samples = parse(exposed(sdt, exe, "count", "live:tock", "by", "text,", "i / 500"))
    assert {(labels["key"], labels["key2"]): value for _, labels, value in samples} == {
        ("tock", "0"): 167, ("tock", "1"): 167}


SOURCE = """
#include <sdt/probe.h>
#include <stdlib.h>

enum state { IDLE, BUSY, LATE, DONE, ODD, OTHER };
SDT_ENUM_NAMES(live, work, state, {IDLE, "idle \\"now\\""}, {BUSY, "busy"}, {LATE, "done"},
               {DONE, "done"}, {ODD, "5"});

int main(int argc, char **argv)
{
    for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 0); i++) {
        enum state state = (enum state)(i % 6);
        _Bool is_even = i % 2 == 0;
        SDT_PROBE(live, work, state, is_even, SDT_HEX(i & 16));
    }
    return 0;
}
"""


def test_enumerators_are_labels(sdt):
    """A name that two values have, or that reads as a number, would make two series of the same
    labels: then the numbers tell them apart."""
    exe = attached.build(sdt, sdt.write("states.c", SOURCE), name="states")
    output = ask(sdt, "count", "live:work", "by", "state", "--openmetrics", "--", exe, 60).stdout
    found = {labels["key"]: value for _, labels, value in parse(output)[2]}
    assert found == dict.fromkeys(['idle "now"', "busy", "2", "3", "4", "5"], 10)
    output = ask(sdt, "hist", "live:work", "arg2", "by", "is_even,", "arg2", "--openmetrics", "--",
                 exe, 64).stdout
    keys = {(labels["key"], labels["key2"]) for _, labels, _ in parse(output)[2]}
    assert keys == {("true", "0"), ("false", "0"), ("true", "16"), ("false", "16")}
    output = ask(sdt, "count", "live:work", "by", "int(state)", "--openmetrics", "--", exe,
                 60).stdout
    assert {labels["key"] for _, labels, _ in parse(output)[2]} == set("012345")


@pytest.mark.parametrize("expression, values", [
    ("i", range(1000)), ("i * 1000", range(0, 1000000, 1000))])
def test_a_histogram(sdt, exe, expression, values):
    family, kind, samples = parse(exposed(sdt, exe, "hist", "live:tick", expression))
    assert (family, kind) == ("sdt_value", "histogram")
    buckets, total, count = histogram(samples, provider="live", probe="tick",
                                      expression=expression)
    assert (total, count) == (sum(values), len(values))
    for limit, below in buckets:
        assert below == sum(value <= limit for value in values), limit
    assert [limit for limit, _ in buckets[:11]] == [2 ** bit - 1 for bit in range(11)]


def test_values_below_zero(sdt, exe):
    _, _, samples = parse(exposed(sdt, exe, "hist", "live:tick", "500 - i"))
    buckets, total, count = histogram(samples, probe="tick")
    assert total is None and count is None
    values = [500 - i for i in range(1000)]
    for limit, below in buckets:
        assert below == sum(value <= limit for value in values), limit
    assert buckets[0][0] < 0


def test_linear_buckets(sdt, exe):
    _, _, samples = parse(exposed(sdt, exe, "hist", "live:tick", "i", "--linear=100:50"))
    buckets, total, _ = histogram(samples, probe="tick")
    assert total == sum(range(1000)) and len(buckets) > 400
    assert buckets[:3] == [(99, 100), (149, 150), (199, 200)]


def test_histograms_by_key(sdt, exe):
    _, _, samples = parse(exposed(sdt, exe, "hist", "live:tick", "i", "by", "i % 2"))
    assert histogram(samples, key="0")[1:] == (sum(range(0, 1000, 2)), 500)
    assert histogram(samples, key="1")[1:] == (sum(range(1, 1000, 2)), 500)


def test_a_latency_is_in_seconds(sdt, exe):
    text = exposed(sdt, exe, "lat", "live:tick", "live:tock", "match", "i")
    family, kind, samples = parse(text)
    assert (family, kind) == ("sdt_latency_seconds", "histogram")
    assert "# UNIT sdt_latency_seconds seconds\n" in text
    buckets, total, count = histogram(samples, provider="live", probe="tick", end="live:tock")
    assert count == 334 and 0 < total < 60
    assert buckets[0][0] == pytest.approx(255e-9) and 60 < buckets[-2][0] < 70


def test_intervals_have_totals(sdt, exe):
    """Each is an exposition of its own."""
    text = exposed(sdt, exe, "count", "live:tick", "by", "i - i", "-i", "0.001",
                   commands="hit 1000\nhit 1000")
    expositions = re.findall(r".*?^# EOF\n", text, re.M | re.S)
    counts = [value for one in expositions for _, _, value in parse(one)[2]]
    assert counts == sorted(counts) and counts[-1] == 2000


AWKWARD = r"""
#include <sdt/probe.h>
__attribute__((noinline)) static void say(const char *text)
{
    SDT_PROBE(awkward, say, text);
}
int main(void)
{
    say("a\"b\\c\nd\te");
    say("\xff\xc3\xa9");
    return 0;
}
"""


def test_labels_are_escaped(sdt):
    exe = attached.build(sdt, sdt.write("awkward.c", AWKWARD))
    result = ask(sdt, "count", "awkward:say", "by", "text", "--openmetrics", "--", exe)
    assert 'key="a\\"b\\\\c\\nd\te"' in result.stdout
    _, _, samples = parse(result.stdout)
    assert {labels["key"] for _, labels, _ in samples} == {'a"b\\c\nd\te', "\ufffd\u00e9"}


def test_one_form_at_a_time(sdt, exe):
    for words in (["count", "live:tick"], ["hist", "live:tick", "i"]):
        result = ask(sdt, *words, "--json", "--openmetrics", "--", exe, status=2)
        assert "--json and --openmetrics are mutually exclusive" in result.stderr


# ---- Into a file. ----

def told(target, text):
    """What Prometheus' own tool says of an exposition in its text format: nothing is good."""
    tool = shutil.which("promtool")
    if not tool:
        return ""
    result = subprocess.run([tool, "check", "metrics"], input=text, capture_output=True, text=True,
                            check=False)
    return "" if result.returncode == 0 else f"{target}: {result.stdout}{result.stderr}"


def as_openmetrics(text):
    """Prometheus' text format in the words of the other, which parse() reads."""
    return text.replace("sdt_hits_total counter", "sdt_hits counter").replace(
        "# HELP sdt_hits_total", "# HELP sdt_hits") + "# EOF\n"


@pytest.mark.parametrize("words", [["count", "live:*"], ["count", "live:*", "by", "i % 2"],
                                   ["hist", "live:tick", "i"], ["lat", "live:tick", "live:tock"]])
def test_a_file_for_the_textfile_collector(sdt, exe, words):
    """The same numbers as on standard output, which is empty; in the format that the collector
    reads, and readable for it."""
    result = ask(sdt, *words, "--openmetrics", "--output=sdt.prom", "--", exe,
                 input="hit 1000\nquit\n")
    assert "#" not in result.stdout
    text = sdt.path("sdt.prom").read_text()
    assert "EOF" not in text and "# UNIT" not in text and told(words, text) == ""
    family, kind, samples = parse(as_openmetrics(text))
    assert f"# TYPE {family}{'_total' if kind == 'counter' else ''} {kind}\n" in text
    assert samples and sdt.path("sdt.prom").stat().st_mode & 0o444
    plain = ask(sdt, *words, "--openmetrics", "--output=sdt.txt", "--", exe,
                input="hit 1000\nquit\n")
    assert plain.returncode == 0 and parse(sdt.path("sdt.txt").read_text())[:2] == (family, kind)


def test_a_file_is_replaced_as_a_whole(sdt, exe):
    """Whoever reads it meanwhile finds a complete exposition with all hits so far."""
    path, seen = sdt.path("sdt.prom"), []
    with Target(exe) as target:
        tool = subprocess.Popen([attached.SDT, "count", "live:tick", "--openmetrics", "-i", "0.01",
                                 f"--output={path}", "-p", str(target.pid)])

        def counted():
            if not path.exists():
                return False
            text = path.read_text()
            [(_, labels, value)] = parse(as_openmetrics(text))[2]
            assert labels["pid"] == str(target.pid)
            seen.append(value)
            return value >= 500
        patience.until(path.exists)
        target.do("hit 500")
        patience.until(counted)
        tool.terminate()
        assert tool.wait() == 0
    assert seen == sorted(seen) and seen[-1] == 500
    assert [each.name for each in path.parent.glob("sdt.prom*")] == ["sdt.prom"]


def test_several_processes_have_no_pid(sdt):
    exe = attached.build(sdt, name=f"several{os.getpid()}")  # no other test's process has this name
    with Target(exe) as one, Target(exe) as other:
        assert one.pid != other.pid
        result = ask(sdt, "count", "live:tick", "--openmetrics", "-d", "0.1", "-p", exe.name)
    [(_, labels, _)] = parse(result.stdout)[2]
    assert labels == {"provider": "live", "probe": "tick", "program": exe.name}


def test_names_are_those_that_people_see(sdt):
    """A begin and its end in one spelling."""
    source = sdt.write("loop.c", """
#include <sdt/probe.h>
int main(void)
{
    SDT_PROBE(my__web, request__begin);
    SDT_PROBE(my__web, request__end);
    return 0;
}
""")
    exe = attached.build(sdt, source, name="loop")
    output = ask(sdt, "lat", "my__web:request__begin", "my-web:request-end", "--openmetrics", "--",
                 exe).stdout
    _, _, samples = parse(output)
    assert {(labels["provider"], labels["probe"], labels["end"]) for _, labels, _ in samples} == {
        ("my-web", "request-begin", "my-web:request-end")}


def test_a_file_that_cannot_be_written(sdt, exe):
    result = ask(sdt, "count", "live:tick", "--openmetrics", "--output=none/sdt.prom", "--", exe,
                 input="quit\n", status=1)
    assert "none/sdt.prom" in result.stderr
    for words in (["count", "live:tick"], ["hist", "live:tick", "i"]):
        result = ask(sdt, *words, "--output=x.prom", "--", exe, status=2)
        assert "--output is for --openmetrics" in result.stderr


# ---- By HTTP. ----

def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(port, path="/metrics", **kwargs):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", **kwargs)
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
        return answer.headers["Content-Type"], answer.read().decode()


@pytest.mark.parametrize("words", [["count", "live:tick"], ["count", "live:tick", "by", "i - i"]])
def test_metrics_are_served(words, exe):
    port, counts = free_port(), []
    with Target(exe) as target:
        tool = subprocess.Popen([attached.SDT, *words, "--openmetrics", "-i", "0.02",
                                 f"--listen=127.0.0.1:{port}", "-p", str(target.pid)],
                                stderr=subprocess.PIPE, text=True)

        def counted(hits):
            try:
                kind, text = get(port)
            except urllib.error.URLError:
                return False  # it does not listen yet
            assert kind == "application/openmetrics-text; version=1.0.0; charset=utf-8"
            counts.append(sum(value for _, _, value in parse(text)[2]))
            return counts[-1] == hits
        if not patience.until(lambda: counted(0), tool):
            complaint = tool.stderr.read()
            assert "libmicrohttpd" in complaint, complaint
            pytest.skip("no libmicrohttpd")
        target.do("hit 300")
        assert patience.until(lambda: counted(300), tool)
        for path, kwargs, status in (("/", {}, 404), ("/metrics", {"data": b"x"}, 405)):
            with pytest.raises(urllib.error.HTTPError) as error:
                get(port, path, **kwargs)
            assert error.value.code == status
        tool.terminate()
        assert tool.wait() == 0 and tool.stderr.read() == ""
    assert counts == sorted(counts)


def test_addresses_that_are_none(sdt, exe):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        for address, problem in (("nowhere", "no address to listen at"), (":80", "no address"),
                                 (f"127.0.0.1:{taken.getsockname()[1]}", "cannot listen at")):
            result = ask(sdt, "count", "live:tick", "--openmetrics", f"--listen={address}", "--",
                         exe, status=1)
            assert problem in result.stderr or "libmicrohttpd" in result.stderr
    for words in (["count", "live:tick"], ["hist", "live:tick", "i"]):
        result = ask(sdt, *words, "--listen=127.0.0.1:1", "--", exe, status=2)
        assert "--listen is for --openmetrics" in result.stderr
        result = ask(sdt, *words, "--openmetrics", "--listen=127.0.0.1:1", "--output=x", "--", exe,
                     status=2)
        assert "--output and --listen are mutually exclusive" in result.stderr


EXAMPLE = ROOT / "examples" / "prometheus"


def test_the_example_for_prometheus():
    """The rules are valid, and the dashboard names only what they or sdt make."""
    rules = (EXAMPLE / "sdt.rules.yml").read_text()
    made = set(re.findall(r"record: (\S+)", rules)) | {"sdt_hits_total"}
    panels = json.loads((EXAMPLE / "dashboard.json").read_text())["panels"]
    named = {name for panel in panels for target in panel["targets"]
             for name in re.findall(r"sdt[\w:]+", target["expr"].split(".prom")[0])}
    assert len(made) == 5 and named == made
    assert set(re.findall(r"sdt_\w+", rules)) == {
        f"sdt_latency_seconds_{each}" for each in ("bucket", "count", "sum")}
    if not shutil.which("promtool"):
        pytest.skip("no promtool (Debian: prometheus): the rules are not checked")
    for name in "prometheus.yml", "serve-prometheus.yml":
        subprocess.run(["promtool", "check", "config", EXAMPLE / name], check=True)
