# SPDX-License-Identifier: BSD-2-Clause
"""`sdt` on programs that others wrote, and bpftrace on the same run: both look at the same hits,
and say the same.

The programs have probes with room for a jump (real/include), which are armed at a byte of their own
while the kernel's breakpoint is at another: so they can be counted by both at once. As they come,
with the one byte that <sys/sdt.h> leaves, only one can have a site; those are compared with what
the kernel counts in another run of the same work (see test_real_programs.py).
"""
import collections
import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import time

import patience
import pytest
import recorded
from conftest import BUILD, INCLUDE, ROOT, TOOL_BUILD
from real.build import RUNTIME, TOOL, Builds
from real.debian import Unavailable
from real.observe import Uprobes, run, why_not
from real.programs import ALL, QUESTIONS
from real.session import SDT, Session, ask, json_lines, started_by
from stapsdt import notes
from watching import Watching

pytestmark = [pytest.mark.nosan,  # builds with make and compilers; the tool takes part in links
              pytest.mark.skipif(TOOL_BUILD != BUILD, reason="a program of the tool's own build")]


def programs(*names):
    return [pytest.param(name, marks=[] if name == "kvd" else pytest.mark.slow) for name in names]


@contextlib.contextmanager
def tracing(name, flavour):
    """The builds of a program, which no other test traces meanwhile."""
    if reason := why_not():
        pytest.skip(reason)
    builds = Builds(ALL[name])
    try:
        builds.source()
        builds.directory(flavour)
    except Unavailable as reason:
        pytest.skip(str(reason))
    with open(builds.cache.root / f"{builds.program.package}.tracing", "w", encoding="ascii") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield builds


@pytest.fixture(params=programs(*QUESTIONS))
def builds(request):
    if shutil.which("bpftrace") is None:
        pytest.skip("bpftrace is not installed")
    with tracing(request.param, "inline") as made:
        yield made


# bpftrace


def of_map(output, name):
    return {key: int(value) for key, value
            in re.findall(rf"^@{name}\[(.*)\]: (\d+)$", output, re.M)}


class Bpftrace(Watching):
    """What bpftrace has in its maps in the end: of each probe the hits, and the values of one
    argument of one probe as numbers, of another as text, and the ends of a pair.
    """

    def __init__(self, builds):
        questions = QUESTIONS[builds.program.package]
        actions = collections.defaultdict(list)
        (number, of_number), (text, of_text) = questions.by_number, questions.by_text
        begin, end = questions.pair
        actions[number].append(f"@numbers[arg{of_number}] = count();")
        actions[text].append(f"@texts[str(arg{of_text})] = count();")
        actions[begin].append("@begun[tid] = 1;")
        actions[end].append("if (@begun[tid]) { @pairs[0] = count(); delete(@begun[tid]); }")
        script = ""
        for path in builds.files("inline"):
            for provider, name in sorted({(n.provider, n.name) for n in notes(path)}):
                script += f'usdt:{path}:{provider}:{name} ' \
                    f'{{ @hits["{name}"] = count(); {" ".join(actions[name])} }} '
        super().__init__(script)

    def map(self, name):
        return of_map(self.output, name)

    def hits(self):
        return self.map("hits")


def hits(lines):
    """Of those that were hit at all."""
    return {line["name"]: line["count"] for line in lines if line["count"]}


def by_key(lines):
    assert len({line["key"] for line in lines}) == len(lines)
    return {line["key"]: line["count"] for line in lines}


def probes(builds, flavour):
    return {(note.provider, note.name) for path in builds.files(flavour) for note in notes(path)}


# From the first hit to the last


def test_what_a_command_hits_is_what_bpftrace_counts(builds, tmp_path):
    """Also before main() and after it, in constructors of libraries."""
    questions = QUESTIONS[builds.program.package]
    with Bpftrace(builds) as tracer:
        printed = run(*started_by(builds, "inline", tmp_path, "count", "--json",
                                  *questions.patterns))
    counted = json_lines(printed)
    assert hits(counted) == tracer.hits()
    assert {(line["provider"], line["name"]) for line in counted} == probes(builds, "inline")
    unguarded = {name: n for name, n in builds.program.expected
                 if name not in builds.program.guarded}
    assert {name: tracer.hits()[name] for name in unguarded} == unguarded
    assert [line for line in printed.splitlines() if not line.startswith('{"')] == \
        run(*builds.command("inline")).splitlines(), "the program does what it does alone"


# A process that runs


def check_histogram(row, values):
    """VALUES: value → how often."""
    total = sum(values.values())
    assert (row["count"], row["min"], row["max"]) == (total, min(values), max(values))
    assert row["mean"] == pytest.approx(sum(v * n for v, n in values.items()) / total, rel=1e-6)
    for low, high, n in row["buckets"]:
        assert n == sum(many for value, many in values.items() if low <= value <= high)
    assert sum(n for _, _, n in row["buckets"]) == total
    ordered = sorted(collections.Counter(values).elements())
    for share, name in ((50, "p50"), (90, "p90"), (99, "p99")):
        exact = ordered[total * share // 100]
        assert any(low <= exact <= high and low - 1 <= row[name] <= high + 1
                   for low, high, _ in row["buckets"]), (name, row[name], exact)


def read_back(sdt):
    """A recording, as babeltrace2 has it, as the objects of a trace."""
    events, *losses = recorded.read(sdt, "recording")
    assert losses == [0, 0]
    return [{"name": event.name.partition(":")[2], "args": event.fields} for event in events]


def traced(lines, probe, number):
    """The values of an argument of a probe in a trace."""
    return collections.Counter(list(line["args"].values())[number] for line in lines
                               if line["name"] == probe)


@pytest.mark.parametrize("recorder", ["trace", "record"])
def test_a_session(builds, sdt, tmp_path, recorder):
    """All at once on one process, as in the manual: ps, list, count, count by, hist, lat, and trace
    or record, of which a process has room for one; and bpftrace on the same hits.
    """
    questions = QUESTIONS[builds.program.package]
    (number, of_number), (text, of_text) = questions.by_number, questions.by_text
    with Session(builds, "inline", tmp_path) as session, Bpftrace(builds) as tracer:
        before = session.of_ours()
        assert (before["on"], before["tools"]) == (0, 0)
        listed = json_lines(ask("list", "--json", "-p", session.pid))
        assert {(site["provider"], site["name"]) for site in listed} == probes(builds, "inline")
        assert {site["state"] for site in listed} == {"off"}
        shown = [line.split() for line in ask("list", "-p", session.pid).splitlines()[1:]]
        assert {(words[0], words[2]) for words in shown} == {
            (provider, name.replace("__", "-")) for provider, name in probes(builds, "inline")}
        count = session.sdt("count", "--json", *questions.patterns)
        count_number = session.sdt("count", "--json", number, "by", f"arg{of_number}")
        count_text = session.sdt("count", "--json", text, "by", f"arg{of_text}")
        hist = session.sdt("hist", "--json", number, f"arg{of_number}")
        lat = session.sdt("lat", "--json", *questions.pair, asks=2)
        events = session.sdt("trace", "--json", "--rate=0", "*") if recorder == "trace" else \
            session.sdt("record", "-o", str(tmp_path / "recording"))
        assert session.of_ours()["on"] == len(probes(builds, "inline"))
        assert session.of_ours()["tools"] == len(session.tools)
        session.work()
        for tool in session.tools:
            tool.end()
    expected, numbers, texts = (tracer.map(name) for name in ("hits", "numbers", "texts"))
    numbers = {int(key): n for key, n in numbers.items()}
    assert hits(count.lines()) == expected and len(numbers) > 1 and texts
    assert by_key(count_number.lines()) == numbers
    assert by_key(count_text.lines()) == texts
    [row] = hist.lines()
    check_histogram(row, numbers)
    [row] = lat.lines()
    assert row["count"] == tracer.map("pairs")["0"]
    assert 0 < row["min"] <= row["p50"] <= row["p99"] <= row["max"] < 60e9
    seen = events.lines() if recorder == "trace" else read_back(sdt)
    assert collections.Counter(event["name"] for event in seen) == expected
    assert traced(seen, number, of_number) == numbers
    assert traced(seen, text, of_text) == texts


# As they come, with sites of one byte


@pytest.fixture(name="stock", params=programs("kvd", "memcached", "tcl8.6"))
def fixture_stock(request):
    with tracing(request.param, "stock") as made:
        made.directory("sdtlink")
        yield made


def test_the_kernel_counts_the_same_in_the_stock_build(stock, tmp_path):
    """By breakpoints, ours and the kernel's, at the same places."""
    with Uprobes(stock.files("stock")) as uprobes:
        printed = run(*stock.command("stock"))
        expected = uprobes.hits()
    patterns = [f"{provider}:*" for provider in stock.program.providers]
    seen = run(*started_by(stock, "sdtlink", tmp_path, "count", "--json", *patterns))
    assert hits(json_lines(seen)) == expected
    assert [line for line in seen.splitlines() if not line.startswith('{"')] == printed.splitlines()


def test_a_recording_has_what_the_kernel_counts_in_the_stock_build(stock, sdt, tmp_path):
    with Uprobes(stock.files("stock")) as uprobes:
        run(*stock.command("stock"))
        expected = uprobes.hits()
    run(*started_by(stock, "sdtlink", tmp_path, "record", "-o", tmp_path / "recording",
                    "--ring=256M"))
    assert collections.Counter(event["name"] for event in read_back(sdt)) == expected


@pytest.mark.skipif(not shutil.which("bpftrace"), reason="bpftrace is not installed")
def test_a_tracer_that_has_the_sites_is_told_of(tmp_path):
    """It keeps what it has, and whose hits are missing is not left to be found out."""
    with tracing("kvd", "sdtlink") as made:
        [path] = made.files("sdtlink")
        command, environment = started_by(made, "sdtlink", tmp_path, "count", "--json", "kvd:*")
        with Watching(f"usdt:{path}:kvd:find {{ @n[0] = count(); }}") as tracer:
            result = patience.run(command, text=True, capture_output=True,
                                  env={**os.environ, **environment})
    expected = dict(made.program.expected)
    assert of_map(tracer.output, "n") == {"0": expected.pop("find")}
    assert hits(json_lines(result.stdout)) == expected
    find, every = (sum(note.name in names for note in notes(path))
                   for names in ({"find"}, {note.name for note in notes(path)}))
    assert f"{find} of {every} sites are blocked: their hits are missing" in result.stderr


# SQLite, in the demo


@pytest.fixture(name="orders", scope="module")
def fixture_orders(tmp_path_factory):
    """The demo's server, with a database."""
    if (reason := why_not()) or shutil.which("bpftrace") is None:
        pytest.skip(reason or "bpftrace is not installed")
    place = tmp_path_factory.mktemp("orders")
    if "/" not in run(["gcc", "-print-file-name=libsqlite3.a"], {}):
        pytest.skip("SQLite is not installed (package libsqlite3-dev)")
    run(["make", "-s", "-C", str(place), "-f", str(ROOT / "demo" / "Makefile"),
         f"SDT_INCLUDE={INCLUDE}", f"SDTLINK={TOOL}", f"LIBSDT={RUNTIME / 'libsdt.a'}", "orders"],
        {})
    run([str(place / "orders"), str(place / "orders.db"), "20000", str(place / "recording")], {})
    return place


def serve(place, *argv):
    """What a tool says of the server, in which two threads work for a while."""
    with subprocess.Popen([str(SDT), *argv, "--json", "--", str(place / "orders"),
                           str(place / "orders.db"), "serve"], text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as tool:
        for _ in range(4):
            time.sleep(0.3)
            tool.stdin.write("\n")
            tool.stdin.flush()
        output, _ = patience.wait(tool)
    assert tool.returncode == 0 and "the database is sound" in output
    return json_lines(output)


def traced_by_bpftrace(place, script, *argv):
    """What the tool says of a run, and bpftrace's output."""
    for probe in ("sqlite:page", "sqlite:read", "orders:query__begin", "orders:query__end"):
        script = script.replace(f"<{probe}>", f"usdt:{place / 'orders'}:{probe}")
    with Watching(script) as tracer:
        seen = serve(place, *argv)
    return seen, tracer.output


@pytest.mark.slow
def test_sqlite_counted_by_file(orders):
    """As in the manual of hist."""
    rows, output = traced_by_bpftrace(
        orders, "<sqlite:read> /arg1 > 512/ { @n[arg4] = count(); }",
        "hist", "sqlite:read /bytes > 512/", "bytes", "by", "fd")
    assert {str(row["key"]): row["count"] for row in rows} == of_map(output, "n")
    assert len(rows) >= 2 and min(row["count"] for row in rows) > 100


@pytest.mark.slow
def test_sqlite_counted_by_argument(orders):
    rows, output = traced_by_bpftrace(
        orders, "<sqlite:page> { @found[arg1] = count(); }", "count",
        "sqlite:page", "by", "arg1")
    assert {str(row["key"]): row["count"] for row in rows} == of_map(output, "found")


@pytest.mark.slow
def test_sqlite_counted_with_a_condition(orders):
    [row], output = traced_by_bpftrace(
        orders, "<sqlite:page> /arg0 % 3 == 1/ { @n[0] = count(); }", "count",
        "sqlite:page /number % 3 == 1/")
    assert {"0": row["count"]} == of_map(output, "n")


@pytest.mark.slow
def test_sqlite_latency_by_query(orders):
    """The texts are longer than what bpftrace has of them, and than what is kept of a key."""
    rows, output = traced_by_bpftrace(
        orders, "<orders:query__begin> { @begun[tid] = nsecs; } <orders:query__end> "
        "{ @n[str(arg0, 40)] = count(); @total = sum(nsecs - @begun[tid]); }",
        "lat", "query-begin", "query-end", "by", "sql")
    assert {row["key"][:30]: row["count"] for row in rows} == \
        {text[:30]: n for text, n in of_map(output, "n").items()}
    [total] = re.findall(r"@total: (\d+)", output)
    # Bpftrace sees each probe a moment before the tool does, and both may lose the processor there.
    assert int(total) / 2 < sum(row["mean"] * row["count"] for row in rows) < int(total) * 2
