# SPDX-License-Identifier: BSD-2-Clause
"""`--exemplars` of sdt count, hist, lat and serve: each is one of the program's requests, which are
told by the number in their trace's id; read from OpenMetrics by a parser of our own and Prometheus,
and from OTLP by protoc."""
import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.parse

import pytest

import attached
import otlp
import patience
from attached import SDT, Target, ask, code, until_attached
from test_live_otlp import measure, points_of
from test_openmetrics import free_port, get, labels_of

N = 1000
STEP, PAIR = "app::serve:step", ["app::serve:request-begin", "app::serve:request-end"]
LINE = re.compile(r'(\w+)\{(.*?)\} (\S+)(?: # \{(.*)\} (\S+) (\d+\.\d{9}))?')
ODD = '/odd, "quoted"'


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return sdt.build("context.c", "-pthread", "-DCONTEXT_OWN", runtime="shared",
                     ldflags=["-pthread", "-ldl", "-rdynamic", "-Wl,--no-as-needed"])


def number_of(trace, span):
    """That of the request with these ids."""
    assert re.fullmatch("77" + "0" * 22 + "[0-9a-f]{8}", trace), trace
    assert re.fullmatch("77" + "0" * 6 + trace[-8:], span), span
    number = int(trace[-8:], 16)
    assert 1 <= number <= N and number % 4
    return number


def samples(text):
    """(sample, its labels, its value, labels, value and time of the exemplar or None)."""
    found = []
    for line in text.splitlines():
        if not line.startswith("#"):
            match = LINE.fullmatch(line)
            assert match, line
            found.append((match[1], labels_of(match[2]), float(match[3]),
                          match[4] and (labels_of(match[4]), float(match[5]), float(match[6]))))
    return found


def openmetrics(sdt, exe, *args, words=("many", str(N))):
    before = time.time()
    text = ask(sdt, args[0], "--openmetrics", "--exemplars", *args[1:], "--", exe,
               *words).stdout
    rows = samples(text)
    for _, _, _, exemplar in rows:
        if exemplar:
            labels, _, moment = exemplar
            assert sum(len(name) + len(value) for name, value in labels.items()) <= 128
            assert before - 1 <= moment <= time.time() + 1
    return rows


def test_a_histogram_has_the_largest_of_each_power_of_two(sdt, exe):
    """Of the requests with a context: the last one of a power is often none of these."""
    rows = openmetrics(sdt, exe, "hist", STEP, "number")
    below, seen = 0, []
    for name, labels, _, exemplar in rows:
        if not name.endswith("_bucket") or labels["le"] == "+Inf":
            assert not exemplar or labels["le"] == "+Inf"
            continue
        limit = float(labels["le"])
        inside = [n for n in range(1, N + 1) if below < n <= limit and n % 4]
        if inside and limit >= 15:  # below, limits share one
            ids, value, _ = exemplar
            assert value == max(inside) == number_of(ids["trace_id"], ids["span_id"])
            assert ids["number"] == str(int(value))
            seen.append(value)
        assert inside or not exemplar
        below = limit
    assert seen == [15, 31, 63, 127, 255, 511, 999]


def test_a_latency_has_the_arguments_of_where_it_began(sdt, exe):
    rows = openmetrics(sdt, exe, "lat", *PAIR, "by", "path")
    seen, below = {}, {}
    for name, labels, _, exemplar in rows:
        if not exemplar:
            below[labels["key"]] = float(labels.get("le", "0"))
            continue
        ids, value, _ = exemplar
        number = number_of(ids["trace_id"], ids["span_id"])
        assert name == "sdt_latency_seconds_bucket"
        assert ids["number"] == str(number) and ids["path"] == labels["key"]
        assert labels["key"] == (ODD if number % 2 else "/even")
        assert below.get(labels["key"], 0) < value <= float(labels["le"])
        below[labels["key"]] = float(labels["le"])
        seen[labels["key"]] = number
    assert set(seen) == {ODD, "/even"}


def test_a_count(sdt, exe):
    rows = openmetrics(sdt, exe, "count", STEP, "by", "number % 2")
    assert {labels["key"]: value for _, labels, value, _ in rows} == {"0": N / 2, "1": N / 2}
    for name, labels, _, (ids, value, _) in rows:
        assert name == "sdt_hits_total" and value == 1
        assert number_of(ids["trace_id"], ids["span_id"]) % 2 == int(labels["key"])
    [(_, _, value, (ids, _, _))] = openmetrics(sdt, exe, "count", STEP)
    assert value == N and number_of(ids["trace_id"], ids["span_id"])


def test_without_a_context_there_is_none(sdt, exe):
    rows = openmetrics(sdt, exe, "hist", STEP, "/number % 4 == 0/", "number")
    assert rows[-1][2] == N / 4 and not any(exemplar for _, _, _, exemplar in rows)


def test_ids_that_the_program_passes(sdt, exe):
    [(_, _, _, (labels, _, _))] = openmetrics(sdt, exe, "count", "app:passed", words=("pass",))
    assert labels["trace_id"] == "0af7651916cd43dd8448eb211c80319c"


def test_names_and_values_that_do_not_fit_are_left_out(sdt):
    source = sdt.write("long.c", r"""
#include <sdt/probe.h>
struct { int n; } *p = &(typeof(*p)){7};
int main(void)
{
    const char *trace = "0af7651916cd43dd8448eb211c80319c";
    const char *text = "\xc3\xa4\xc3\xa4\xc3\xa4\xff\n\"\\ 123456789012345678901234567890123456789";
    SDT_PROBE(app, many, SDT_NAMED("trace_id", trace), text, p->n, SDT_NAMED("much", text));
    return 0;
}
""")
    exe = sdt.build(source, "-g", runtime="shared", name="long")
    [(_, _, _, (labels, _, _))] = openmetrics(sdt, exe, "count", "app:many", words=())
    assert labels == {
        "trace_id": "0af7651916cd43dd8448eb211c80319c", "n": "7",
        "text": 'äää\ufffd\n"\\ 123456789012345678901234567890123456789'}


@pytest.mark.parametrize("args, what", [
    (["--exemplars"], "--exemplars is for --openmetrics and --otlp"),
    (["--exemplars", "--json"], "--exemplars is for --openmetrics and --otlp"),
    (["--exemplars", "--openmetrics", "--output=x.prom"], "Prometheus' text format has no exemp")])
def test_what_is_refused(sdt, args, what):
    result = ask(sdt, "count", *args, STEP, "-p", "1", status=2)
    assert what in result.stderr and not sdt.path("x.prom").exists()


# ---- OTLP ----

@pytest.mark.parametrize("args, factor", [
    (["count", STEP], 0), (["hist", STEP, "number"], 1),
    (["lat", *PAIR, "by", "path"], 1e-9)],
    ids=lambda args: args[0] if isinstance(args, list) else "")
def test_otlp(sdt, exe, args, factor):
    with otlp.Receiver() as receiver:
        measure(sdt, receiver.url, *args, "--exemplars", "--", exe, "many", str(N))
        requests = receiver.requests()
    _, _, points = points_of(requests[-1])
    exemplars = [(point, one) for point in points for one in point["exemplars"]]
    assert exemplars
    for point, one in exemplars:
        number = number_of(one["trace_id"].hex(), one["span_id"].hex())
        filtered = otlp.attributes({"attributes": one["filtered_attributes"]})
        assert filtered["number"] == number and filtered["thread.id"] > 1
        assert point["start_time_unix_nano"] <= one["time_unix_nano"] <= \
            point["time_unix_nano"] + 1e9
        if args[0] == "count":
            assert one["as_int"] == 1
        elif args[0] == "hist":
            assert one["as_double"] == number
        else:
            assert filtered["path"] == otlp.attributes(point)["sdt.key"]
            assert point["min"] <= one["as_double"] <= point["max"]


def test_an_interval_sends_those_that_are_new(exe):
    """Once each, with a hit for each line that the program reads. Not each tenth of a second: a
    request that is replaced by the next one takes its exemplars with it."""
    with otlp.Receiver() as receiver, Target(exe, args=["lines"]) as target:
        before = code(target.pid)
        tool = subprocess.Popen(
            [SDT, "count", STEP, "--exemplars", "-i", "1", f"--otlp={receiver.url}", "-p",
             str(target.pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until_attached(tool, target.pid, before)

        def sent():
            return [one["time_unix_nano"] for request in receiver.requests()
                    for point in points_of(request)[2] for one in point["exemplars"]]

        target.do("x")
        patience.until(lambda: len(sent()) == 1)
        seen = len(receiver.seen)
        patience.until(lambda: len(receiver.seen) >= seen + 2)
        assert len(sent()) == 1
        time.sleep(1)  # after the second for which the first one is kept
        target.do("x")
        patience.until(lambda: len(sent()) == 2)
        tool.terminate()
        patience.wait(tool)


# ---- sdt serve ----

def test_serve(sdt, exe):
    """Also of a process that has ended; and to a receiver. Its name is that of no other test."""
    served = shutil.copy(exe, sdt.path("served"))
    with otlp.Receiver() as receiver:
        serve = subprocess.Popen(
            [SDT, "serve", "--config", sdt.write("serve.conf", f"""
count {STEP} -p served --exemplars
hist {STEP} number -p served --exemplars --label=kind=number
count app::serve:none -p served
"""), f"--listen=127.0.0.1:{(port := free_port())}", "-i", "1", f"--otlp={receiver.url}"],
            stderr=subprocess.PIPE, text=True)

        def page():
            try:
                return get(port)[1]
            except urllib.error.URLError:
                return ""

        try:
            with Target(served, args=["lines"]) as target:
                if not patience.until(lambda: "sdt_serve_processes 1\n" in page(), serve):
                    pytest.skip(serve.stderr.read())
                target.do("x")
            patience.until(lambda: "sdt_serve_processes 0\n" in page(), serve)
            rows = samples("\n".join(line for line in page().splitlines()
                                     if line.startswith(("sdt_hits_total", "sdt_value_bucket"))))
        finally:
            serve.terminate()
            patience.wait(serve)
        requests = receiver.requests()
    shown = {(name, labels["probe"], labels.get("le")): one for name, labels, _, one in rows if one}
    trace = bytes(3 * 16 + i for i in range(16)).hex()
    assert set(shown) == {("sdt_hits_total", "step", None), ("sdt_value_bucket", "step", "1.0")}
    assert all(labels["trace_id"] == trace and labels["number"] == "1" and value == 1
               for labels, value, _ in shown.values())
    sent = [one for request in requests for resource in request["resource_metrics"]
            for scope in resource["scope_metrics"] for metric in scope["metrics"]
            for point in (metric.get("sum") or metric["exponential_histogram"])["data_points"]
            for one in point["exemplars"]]
    assert [one["trace_id"].hex() for one in sent] == [trace] * 2


# ---- Prometheus ----

def exemplars_of(port, query):
    """What Prometheus has stored: (labels, value)."""
    words = urllib.parse.urlencode({"query": query, "start": time.time() - 60,
                                    "end": time.time() + 60})
    try:
        text = get(port, f"/api/v1/query_exemplars?{words}")[1]
    except urllib.error.URLError:
        return []  # it does not listen yet
    return [(one["labels"], float(one["value"])) for series in json.loads(text)["data"]
            for one in series["exemplars"]]


def test_prometheus_stores_them(sdt, exe):
    if not shutil.which("prometheus"):
        pytest.skip("no prometheus (Debian: prometheus)")
    port, own = free_port(), free_port()
    config = sdt.write("prometheus.yml", f"""
scrape_configs:
  - job_name: sdt
    scrape_interval: 200ms
    scrape_timeout: 200ms
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
""")
    with Target(exe, args=["lines"]) as target:
        before = code(target.pid)
        tool = subprocess.Popen(
            [SDT, "hist", STEP, "number * 100", "--openmetrics", "--exemplars", "-i", "0.1",
             f"--listen=127.0.0.1:{port}", "-p", str(target.pid)], stderr=subprocess.PIPE,
            text=True)
        if not patience.until(lambda: code(target.pid) != before, tool):
            complaint = tool.stderr.read()
            assert "libmicrohttpd" in complaint, complaint
            pytest.skip("no libmicrohttpd")
        engine = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--web.listen-address=127.0.0.1:{own}",
             f"--storage.tsdb.path={sdt.path('data')}", "--enable-feature=exemplar-storage"],
            stderr=subprocess.DEVNULL)
        try:
            target.do("x")
            patience.until(lambda: exemplars_of(own, "sdt_value_bucket"), engine)
            [(labels, value)] = exemplars_of(own, "sdt_value_bucket")
        finally:
            engine.terminate()
            engine.wait()
            tool.terminate()
            patience.wait(tool)
    assert value == 100 and labels["number"] == "1"
    assert labels["trace_id"] == bytes(3 * 16 + i for i in range(16)).hex()
    assert labels["span_id"] == bytes((4 * 32 + i) % 256 for i in range(8)).hex()
