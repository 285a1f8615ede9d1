# SPDX-License-Identifier: BSD-2-Clause
"""OTLP to engines that others have written, where they are installed: OpenTelemetry's Collector
(`otelcol`) and VictoriaMetrics. What they answer is what the program has done."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

import attached
import otlp
from attached import SDT, ask
from patience import until
from test_live_otlp import ENVIRONMENT, measure
from test_openmetrics import SOURCE, free_port
from recordings import Trace
from test_sdt_otlp import record_the_page

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@contextlib.contextmanager
def running(argv, log):
    with open(log, "w", encoding="utf-8") as output, \
            subprocess.Popen(argv, stdout=output, stderr=output) as engine:
        try:
            yield engine
        finally:
            engine.kill()


def post(url):
    """The status of a request that has nothing; None: nobody is there."""
    request = urllib.request.Request(url, b"", {"Content-Type": "application/x-protobuf"})
    try:
        with OPENER.open(request) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return None


# ---- OpenTelemetry's Collector. ----

CONFIGURATION = """
receivers: {{otlp: {{protocols: {{http: {{endpoint: "127.0.0.1:{port}"}}}}}}}}
exporters: {{debug: {{verbosity: detailed}}}}
service:
  telemetry: {{metrics: {{level: none}}}}
  pipelines:
    traces: {{receivers: [otlp], exporters: [debug]}}
    metrics: {{receivers: [otlp], exporters: [debug]}}
    logs: {{receivers: [otlp], exporters: [debug]}}
"""


@pytest.fixture(name="collector")
def fixture_collector(sdt):
    """(URL, what it has received, as text)."""
    program = shutil.which("otelcol") or shutil.which("otelcol-contrib")
    if not program:
        pytest.skip("no otelcol: OpenTelemetry's Collector is not installed")
    port, log = free_port(), sdt.path("collector.log")
    config = sdt.write("collector.yaml", CONFIGURATION.format(port=port))
    url = f"http://127.0.0.1:{port}"
    with running([program, f"--config=file:{config}"], log) as engine:
        until(lambda: post(f"{url}/v1/traces") == 200 or engine.poll() is not None)
        assert engine.poll() is None, log.read_text()
        yield url, log.read_text


def send(sdt, url, recording):
    result = sdt.command(SDT, "export", f"--otlp={url}", recording,
                         env={**os.environ, **ENVIRONMENT}, status=None)
    if "built without libcurl" in result.stderr:
        pytest.skip("this sdt was built without libcurl")
    assert result.returncode == 0, result.stderr
    return result.stdout


def shown(text, item):
    """What it has printed of each: its members, and its attributes."""
    for part in re.split(rf"^{item} #\d+$", text, flags=re.M)[1:]:
        part = re.split(r"^(?:[\w ]+ #\d+.*|\d{4}-\d\d-.*|\t?\{.*)$", part, flags=re.M)[0]
        yield (dict(re.findall(r"^ *([\w ]+?) *: *(.*?) *$", part, re.M)),
               dict(re.findall(r"^     -> ([\w.]+): \w+\((.*?)\)$", part, re.M | re.S)))


def test_the_collector_has_the_spans(sdt, collector):
    """As in the file, with ids and parents; and what is in no span is a log record."""
    url, received = collector
    record_the_page(sdt)
    ask(sdt, "export", "--otlp=spans.json", "rec")
    assert send(sdt, url, "rec") == f"{url}: 4 spans, 1 log record\n"
    until(lambda: len(re.findall("^Span #", received(), re.M)) == 4 and
          re.search("^LogRecord #", received(), re.M))
    wanted = {(span["name"], span["trace_id"].hex(), span["span_id"].hex(),
               span.get("parent_span_id", b"").hex()) for _, _, span in otlp.items(
                   list(otlp.read_lines(sdt.path("spans.json"))))}
    spans = list(shown(received(), "Span"))
    assert {(head["Name"], head["Trace ID"], head["ID"], head["Parent ID"])
            for head, _ in spans} == wanted
    assert sorted(values["path"] for head, values in spans if head["Name"] == "web:request") == [
        "/index.html", "/search"]
    assert all(head["Kind"] == "Internal" and head["Status code"] == "Unset" for head, _ in spans)


def test_the_collector_has_many_spans(sdt, collector):
    """Of several requests, each once."""
    url, received = collector
    trace = Trace(sdt.path("many"))
    begin, end = trace.define("web", "get__begin", "n:int32"), trace.define("web", "get__end")
    for n in range(1300):
        trace.stream().event(2 * n, begin, n).event(2 * n + 1, end)
    trace.write()
    assert send(sdt, url, "many") == f"{url}: 1300 spans\n"
    until(lambda: len(re.findall("^Span #", received(), re.M)) == 1300)
    spans = list(shown(received(), "Span"))
    assert {int(values["n"]) for _, values in spans} == set(range(1300))
    assert len({head["ID"] for head, _ in spans}) == 1300


def test_the_collector_has_the_metrics(sdt, collector):
    url, received = collector
    exe = attached.build(sdt)
    for args in (["count", "live:*"], ["hist", "live:tick", "i"]):
        measure(sdt, url, *args, "--", exe, input="hit 1000\nquit\n")
    until(lambda: "ExponentialHistogramDataPoints #" in received())
    counts = {values["sdt.probe"]: head["Value"]
              for head, values in shown(received(), "NumberDataPoints")}
    assert counts == {"tick": "1000", "tock": "334"}
    [(head, _)] = shown(received(), "ExponentialHistogramDataPoints")
    assert (head["Count"], float(head["Sum"]), float(head["Min"]), float(head["Max"])) == (
        "1000", 499500, 0, 999)


# ---- VictoriaMetrics. ----

class Database:
    def __init__(self, url):
        self.url, self.otlp = url, f"{url}/opentelemetry"

    def query(self, text):
        """Labels and value of each series, in a moment: it rounds times to seconds."""
        post(f"{self.url}/internal/force_flush")
        words = urllib.parse.urlencode({"query": text, "nocache": 1, "time": time.time() + 2})
        with OPENER.open(f"{self.url}/api/v1/query?{words}") as answer:
            found = json.load(answer)["data"]["result"]
        return [(series["metric"], float(series["value"][1])) for series in found]


@pytest.fixture(name="database")
def fixture_database(sdt):
    program = shutil.which("victoria-metrics")
    if not program:
        pytest.skip("no victoria-metrics (Debian: victoria-metrics)")
    url = f"http://127.0.0.1:{free_port()}"
    with running([program, f"-storageDataPath={sdt.path('data')}",
                  "-search.latencyOffset=0s", f"-httpListenAddr={url.removeprefix('http://')}"],
                 sdt.path("database.log")) as engine:
        until(lambda: post(f"{url}/internal/force_flush") or engine.poll() is not None)
        if post(f"{url}/opentelemetry/v1/metrics") != 200:
            pytest.skip("this victoria-metrics has no receiver for OTLP; 1.112 has one")
        yield Database(url)


def test_counts_in_a_database(sdt, database):
    exe = attached.build(sdt)
    measure(sdt, database.otlp, "count", "live:*", "by", "i / 500", "-i", "60", "--", exe,
            input="hit 1000\nquit\n")
    found = database.query('{__name__="sdt.hits"}')
    assert {(labels["sdt.probe"], labels["sdt.key"]): value for labels, value in found} == {
        ("tick", "0"): 500, ("tick", "1"): 500, ("tock", "0"): 167, ("tock", "1"): 167}
    assert {labels["service.name"] for labels, _ in found} == {exe.name}


def test_totals_grow_in_a_database(sdt, database):
    """Each interval sends totals, so increase() over all of them is what was hit."""
    exe = attached.build(sdt)
    with attached.Target(exe) as target:
        before = attached.code(target.pid)
        with subprocess.Popen([SDT, "count", f"--otlp={database.otlp}", "-i", "0.2", "live:tick",
                               "-p", str(target.pid)], env={**os.environ, **ENVIRONMENT},
                              stdout=subprocess.DEVNULL) as tool:
            attached.until_attached(tool, target.pid, before)
            for hits in range(1000, 4000, 1000):
                target.do("hit 1000")
                until(lambda: [value for _, value in database.query('{__name__="sdt.hits"}')]
                      == [hits])  # pylint: disable=cell-var-from-loop
            tool.send_signal(signal.SIGINT)
            assert tool.wait() == 0


def test_histograms_in_a_database(sdt, database):
    exe = attached.build(sdt)
    measure(sdt, database.otlp, "hist", "live:tick", "i", "--", exe, input="hit 1000\nquit\n")
    measure(sdt, database.otlp, "lat", "tick", "tock", "--", exe, input="hit 300\nquit\n")
    [(_, count)] = database.query('{__name__="sdt.value_count"}')
    [(_, total)] = database.query('{__name__="sdt.value_sum"}')
    assert (count, total) == (1000, 499500)
    for quantile in (0.1, 0.5, 0.9):
        [(_, value)] = database.query(f"histogram_quantile({quantile}, sum by (vmrange) "
                                      '({__name__="sdt.value_bucket"}))')
        assert value == pytest.approx(1000 * quantile, rel=0.12)
    [(labels, count)] = database.query('{__name__="sdt.latency_count"}')
    assert (labels["sdt.probe"], labels["sdt.end"], count) == ("tick", "tock", 100)
    [(_, total)] = database.query('{__name__="sdt.latency_sum"}')
    assert 0 < total < 100


def test_odd_keys_in_a_database(sdt, database):
    exe = attached.build(sdt, sdt.write("states.c", SOURCE), name="states")
    measure(sdt, database.otlp, "count", "live:work", "by", "state", "--", exe, "60")
    assert {labels["sdt.key"]: value for labels, value in
            database.query('{__name__="sdt.hits"}')} == dict.fromkeys(
        ['idle "now"', "busy", "2", "3", "4", "5"], 10)
