# SPDX-License-Identifier: BSD-2-Clause
"""sdt serve: what it exposes of processes that come, fork, restart, stop and end, read by HTTP and
from its file, and compared with what the programs have done; what its configuration may say."""
import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import threading
import urllib.error
import urllib.request

import pytest

import attached
import controlpage as cp
import otlp
import patience
from attached import SDT, Target, ask, code
from conftest import ROOT
from test_live_hostile import damaged, listing
from test_openmetrics import SUFFIXES, labels_of

NAME = f"served{os.getpid()}"  # no other process has this name
SAMPLE = re.compile(r"([a-zA-Z_]\w*)(?:\{(.*)\})? (-?[0-9.]+(?:e[+-]?\d+)?)")


def parse(text):
    """An exposition of several families: {(name, labels): value}, the labels as sorted pairs."""
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""] and lines.count("# EOF") == 1
    found, kinds, family = {}, {}, None
    for line in lines[:-2]:
        if match := re.fullmatch(r"# (TYPE|UNIT|HELP) (\w+) (.+)", line):
            if match[1] == "TYPE":
                assert match[2] not in kinds
                family, kinds[match[2]] = match[2], match[3]
            assert match[2] == family
            continue
        match = SAMPLE.fullmatch(line)
        assert match and match[1].startswith(family), line
        assert match[1][len(family):] in SUFFIXES.get(kinds[family], {""})
        identity = (match[1], tuple(sorted(labels_of(match[2] or "").items())))
        assert identity not in found, line
        found[identity] = float(match[3])
    return found


class Serve:
    """`sdt serve` of a configuration with LINES; exposes at an address that is free."""

    def __init__(self, sdt, *lines, options=(), interval="0.1"):
        self.file = sdt.path("serve.conf")
        self.write(*lines)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.process = subprocess.Popen(
            [SDT, "serve", "--config", self.file, "--listen", self.address, "-i", interval,
             *map(str, options)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=sdt.dir)

    def write(self, *lines):
        self.file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def page(self):
        """None: it does not answer yet."""
        try:
            with urllib.request.urlopen(f"http://{self.address}/metrics") as answer:
                return parse(answer.read().decode())
        except urllib.error.URLError:
            if self.process.poll() is not None and "built without" in self.process.stderr.read():
                pytest.skip("this sdt was built without libmicrohttpd")
            return None

    def value(self, name, **labels):
        """Of the sample; None: there is none, or no page."""
        return (self.page() or {}).get((name, tuple(sorted(labels.items()))))

    def until(self, value, name, **labels):
        patience.until(lambda: self.value(name, **labels) == value, self.process)

    def until_processes(self, count):
        self.until(count, "sdt_serve_processes")

    def hits(self, probe="tick", **labels):
        return self.value("sdt_hits_total", provider="live", probe=probe,
                          **{"program": NAME, **labels})

    def until_hits(self, count, probe="tick", **labels):
        patience.until(lambda: self.hits(probe, **labels) == count, self.process)

    def reload(self, *lines):
        """Its last message."""
        self.write(*lines)
        self.process.send_signal(signal.SIGHUP)
        line = ""
        while " error: " in line or not line.startswith("sdt: "):
            line = self.process.stderr.readline()
            assert line
        return line

    def end(self, how=signal.SIGTERM, status=0):
        self.process.send_signal(how)
        _, errors = patience.wait(self.process)
        assert self.process.returncode == status, errors
        return errors

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt, name=NAME)


# ---- What is exposed. ----

def test_counts_histograms_and_latencies(sdt, exe):
    """Of two processes, as one series each; the sites are as before when it has ended."""
    lines = [f"count live:* -p {NAME}", f"hist live:tick i -p {NAME} --by-process",
             f"lat live:tick live:tock match i -p {NAME} --label=team='the \"shop\"'",
             f"sdt count 'live:tick /i >= 90/' by 'i % 2' -p {NAME} \\", "  --label size=large"]
    with Target(exe) as one, Target(exe) as other, Serve(sdt, *lines) as serve:
        before = attached.code_on_disk(one.pid)
        serve.until_processes(2)
        one.do("hit 99")
        other.do("hit 60")
        serve.until_hits(159)
        assert serve.hits("tock") == 53
        assert [serve.hits(key=key, size="large") for key in "01"] == [5, 4]
        for target, hits in (one, 99), (other, 60):
            labels = {"provider": "live", "probe": "tick", "program": NAME, "expression": "i",
                      "pid": str(target.pid)}
            assert serve.value("sdt_value_count", **labels) == hits
            assert serve.value("sdt_value_sum", **labels) == sum(range(hits))
            assert serve.value("sdt_value_bucket", le="15.0", **labels) == 16
        assert serve.value("sdt_latency_seconds_count", provider="live", probe="tick",
                           program=NAME, end="live:tock", team='the "shop"') == 53
        assert code(one.pid) != before
        serve.end()
        assert code(one.pid) == before and code(other.pid) == before


def test_counters_do_not_fall_over_restarts(sdt, exe):
    """Also where the process becomes itself again; what it has counted last is not lost."""
    with Serve(sdt, f"count live:* -p {NAME}", f"hist live:tick i -p {NAME}") as serve:
        serve.until_processes(0)
        for number in range(1, 4):
            with Target(exe) as target:
                serve.until_processes(1)
                target.do("hit 30")
            serve.until(number, "sdt_serve_ended_total")
            assert serve.hits() == 30 * number
            assert serve.value("sdt_value_sum", provider="live", probe="tick", program=NAME,
                               expression="i") == number * sum(range(30))
        with Target(exe) as target:
            serve.until_processes(1)
            target.do("exec", "here")
            serve.until(5, "sdt_serve_attached_total")
            target.do("hit 9")
            serve.until_hits(99)


def test_a_deployment_changes_what_a_probe_passes(sdt):
    """What cannot be added is not: the series begins anew, as the counter of a new process does."""
    source = """
#include <sdt/probe.h>
#include <stdio.h>
int main(void)
{
    puts("here");
    fflush(stdout);
    for (TYPE i = 0; getchar() != EOF; i++) {
        SDT_PROBE(live, tick, i);
        puts("ok");
        fflush(stdout);
    }
}
"""
    labels = {"provider": "live", "probe": "tick", "program": NAME, "expression": "i"}
    seen = []
    with Serve(sdt, f"hist live:tick i -p {NAME}", f"count live:tick -p {NAME}") as serve:
        for kind, hits in ("int", 5), ("unsigned", 3), ("unsigned", 2), ("int", 1):
            exe = attached.build(sdt, sdt.write("deployed.c", source.replace("TYPE", kind)),
                                 name=NAME)
            with Target(exe) as target:
                serve.until_processes(1)
                for _ in range(hits):
                    target.do("")
            serve.until_processes(0)
            seen.append(serve.value("sdt_value_count", **labels))
        assert seen == [5, 3, 5, 1] and serve.hits() == 11
        assert serve.end() == ""


def test_a_process_that_forks(sdt, exe):
    """A child is a process of that name like any other."""
    with Target(exe) as target, Serve(sdt, f"count live:tick by pid -p {NAME}") as serve:
        serve.until_processes(1)
        child = target.do("forks", None)
        serve.until_processes(2)
        target.do("hit 7")
        serve.until_hits(7, key=child)
        target.do("quit", "back")
        target.do("hit 5")
        serve.until_hits(5, key=str(target.pid))


def test_series_of_a_process_go_with_it(sdt, exe):
    """But not at once, so that the last numbers are scraped."""
    with Serve(sdt, f"count live:tick -p {NAME} --by-process") as serve:
        pids = []
        for _ in range(2):
            with Target(exe) as target:
                serve.until_processes(1)
                target.do("hit 3")
                pids.append(target.pid)
            serve.until_processes(0)
        assert [serve.hits(pid=str(pid)) for pid in pids] == [3, 3]


def test_series_of_a_process_that_is_attached_to_anew(sdt, exe):
    """Are the same ones, and go on counting."""
    lines = [f"count live:tick -p {NAME} --by-process", f"count live:tock -p {NAME}"]
    with Target(exe) as target, Serve(sdt, *lines) as serve:
        serve.until_processes(1)
        target.do("hit 3")
        serve.until_hits(3, pid=str(target.pid))
        serve.reload(lines[0])
        serve.until(2, "sdt_serve_attached_total")
        target.do("hit 4")
        serve.until_hits(7, pid=str(target.pid))
        assert serve.value("sdt_serve_series_left_out", reason="duplicate") == 0


def test_many_processes(sdt, exe):
    with contextlib.ExitStack() as stack:
        targets = [stack.enter_context(Target(exe)) for _ in range(20)]
        serve = stack.enter_context(Serve(sdt, f"count live:* -p '{NAME[:-1]}?'",
                                          options=["--processes=15"]))
        serve.until_processes(15)
        serve.until(5, "sdt_serve_processes_left_out", reason="limit")
        for target in targets:
            target.do("hit 3")
        serve.until_hits(45)
        errors = serve.end()
        assert errors == ""


# ---- Processes that do not answer. ----

def test_one_that_is_stopped_holds_up_no_other(sdt, exe):
    """One that was stopped before it was found, and one after; they go on, and are counted."""
    with Target(exe) as early, Target(exe) as late, Target(exe) as other:
        before = attached.code_on_disk(late.pid)
        os.kill(early.pid, signal.SIGSTOP)
        with Serve(sdt, f"count live:tick -p {NAME}") as serve:
            serve.until_processes(2)
            serve.until(1, "sdt_serve_processes_left_out", reason="not attachable")
            os.kill(late.pid, signal.SIGSTOP)
            other.do("hit 10")
            serve.until_hits(10)
            os.kill(early.pid, signal.SIGCONT)
            serve.until_processes(3)
            os.kill(late.pid, signal.SIGCONT)
            late.do("hit 5")
            early.do("hit 1")
            serve.until_hits(16)
            os.kill(late.pid, signal.SIGSTOP)
            assert serve.value("sdt_serve_sessions_lost_total") == 0
            serve.end()
            assert code(other.pid) == before
            os.kill(late.pid, signal.SIGCONT)
            patience.until(lambda: code(late.pid) == before)


@contextlib.contextmanager
def called():
    """This process has the name of the others."""
    with open("/proc/self/comm", "r+", encoding="ascii") as file:
        before = file.read().strip()
        file.write(NAME)
        file.flush()
        yield
        file.seek(0)
        file.write(before)


def test_one_that_does_not_answer_ends_no_session_of_others(sdt, exe):
    """To wait for its answers, one for each line, takes longer than a session lasts whose tool does
    not stir."""
    never = threading.Event()
    lines = [f"count live:{name} -p {NAME}" for name in ("tick", "tock", "none", "more")]
    with Target(exe) as target, Serve(sdt, *lines) as serve:
        serve.until_processes(1)
        with cp.Liar(lambda page, at: never.wait(1.2)), called():
            serve.until_processes(2)
            target.do("hit 3")
            serve.until_hits(3)
            assert serve.value("sdt_serve_sessions_lost_total") == 0
            assert serve.value("sdt_serve_failures_total") == len(lines)


def test_serve_itself_is_stopped(sdt, exe):
    """The process ends the session; it is attached to again, and its numbers stay."""
    with Target(exe) as target, Serve(sdt, f"count live:tick -p {NAME}") as serve:
        before = attached.code_on_disk(target.pid)
        serve.until_processes(1)
        target.do("hit 10")
        serve.until_hits(10)
        serve.process.send_signal(signal.SIGSTOP)
        patience.until(lambda: code(target.pid) == before)
        serve.process.send_signal(signal.SIGCONT)
        serve.until(1, "sdt_serve_sessions_lost_total")
        patience.until(lambda: code(target.pid) != before)
        target.do("hit 10")
        serve.until_hits(20)


def test_serve_is_killed(sdt, exe):
    with Target(exe) as target, Serve(sdt, f"count live:tick -p {NAME}") as serve:
        before = attached.code_on_disk(target.pid)
        patience.until(lambda: code(target.pid) != before)
        serve.process.kill()
        patience.until(lambda: code(target.pid) == before)


@pytest.mark.parametrize("seed", range(4))
def test_one_that_says_anything_holds_up_no_other(sdt, exe, seed):
    """It is attached to, and no answer of it makes sense."""
    rng = random.Random(seed)
    files = [listing(damaged(rng)), listing(damaged(rng), seals=0),
             listing(damaged(rng), name="sdt-table"), listing(b"", size=1 << 30)]

    def answer(page, at):
        fd, inode = rng.choice(files)
        page[at + cp.OP:at + cp.TEXT] = rng.randbytes(cp.TEXT - cp.OP)
        struct.pack_into("<iiQ", page, at + cp.RESULT, rng.choice([0, 1, -2, -2**31]),
                         rng.choice([fd, fd, -1]), inode)

    lines = [f"count live:* -p {NAME}", f"hist live:tick i by i -p {NAME}",
             f"lat live:tick live:tock match i -p {NAME}"]
    with cp.Liar(answer), called(), Target(exe) as target, Serve(sdt, *lines) as serve:
        serve.until_processes(2)
        target.do("hit 3")
        serve.until_hits(3)
        target.process.kill()
        serve.until_processes(1)
        serve.end()
    for fd, _ in files:
        os.close(fd)


# ---- The configuration. ----

def test_reload(sdt, exe):
    """What stays in the file keeps its numbers; a file that is wrong changes nothing."""
    count = f"count live:tick -p {NAME}"
    with Target(exe) as target, Serve(sdt, count, f"count live:tock -p {NAME}") as serve:
        serve.until_processes(1)
        target.do("hit 30")
        serve.until_hits(30)
        serve.until_hits(10, "tock")
        assert "the configuration stays as it was" in serve.reload("count live:tick", "zork")
        serve.until(0, "sdt_serve_config_last_reload_successful")
        assert serve.hits("tock") == 10
        assert "commands: 2\n" in serve.reload("# moved", count, f"hist live:tick i -p {NAME}")
        serve.until(1, "sdt_serve_config_last_reload_successful")
        serve.until(2, "sdt_serve_attached_total")
        target.do("hit 3")
        serve.until_hits(33)
        serve.until(3, "sdt_value_count", provider="live", probe="tick", program=NAME,
                    expression="i")
        assert serve.hits("tock") is None
        assert "commands: 1\n" in serve.reload(f"count live:tock -p no{NAME}")
        serve.until_processes(0)


WRONG = {
    "foo bar": "foo: a line begins with count, hist or lat",
    "count live:*": "of which processes?",
    "count 'live:tick /i > /' -p x": "expected a name",
    "hist live:tick -p x": "no expression",
    "lat a b c -p x": "more words",
    "count a:b:c:d:e -p x": "this is no pattern of probes",
    "count live:* -p 12": "-p needs a name",
    "count live:* -p x -i 5": "a line has no such option",
    "count live:* -p x --restarts": "a line has no such option",
    "count live:* -p": "the option needs an argument",
    "count live:* -p x --label=le=3": "has a meaning already",
    "count live:* -p x --label=9=3": "a label is NAME=VALUE",
    "count live:* -p x --label=a=3 --label=a=4": "the label a is given twice",
    "count live:* -p x --keys=0": "--keys needs a number",
    "count live:* -p x --linear=0:10": "--linear is for hist",
    "hist live:tick i -p x --linear=0": "linear buckets are LOW:STEP",
    "count live:* --user=nosuchuser": "there is no such user",
    "count live:* --cgroup=": "--cgroup needs a pattern",
    "count \"live:*": "a quote (\") is not closed",
}


def test_a_wrong_configuration(sdt):
    """Every line that is wrong is named, and nothing begins."""
    sdt.write("wrong.conf", "".join(f"# {i}\n{line}\n" for i, line in enumerate(WRONG)))
    result = ask(sdt, "serve", "--config=wrong.conf", "--listen=127.0.0.1:1", status=2)
    found = [line for line in result.stderr.splitlines() if "error" in line]
    assert len(found) == len(WRONG)
    for i, (line, problem) in enumerate(zip(found, WRONG.values(), strict=True)):
        assert line.startswith(f"sdt: error: wrong.conf:{2 * i + 2}: ") and problem in line


@pytest.mark.parametrize("text, problem", [
    (b"", "there is no command in it"), (b"# count\n\n  \t\n", "there is no command in it"),
    (b"count live:* -p x\0", "it has a NUL byte"), (b"#" * (1 << 20) + b"\n", "more than 1 MiB"),
    (b"count live:* -p x\ncount 'live:* /i/' -p x\n", "the same series as line 1"),
    (b"\xff\xfe" * 99, "a line begins with count")],
    ids=["empty", "comments", "nul", "long", "twins", "bytes"])
def test_a_file_that_is_no_configuration(sdt, text, problem):
    sdt.path("wrong.conf").write_bytes(text)
    result = ask(sdt, "serve", "--config=wrong.conf", "--check", status=2)
    assert problem in result.stderr and not result.stdout


def test_check(sdt):
    sdt.write("right.conf", "sdt count fn::main,'query-begin' -p x\nlat serve -p x # a function\n"
              "count live:* --user=root --cgroup='*.service' --by-process\n")
    assert ask(sdt, "serve", "--config=right.conf", "--check").stdout == (
        "right.conf: right, commands: 3\n")
    assert "No such file" in ask(sdt, "serve", "--config=none.conf", "--check", status=2).stderr
    assert "this is no file" in ask(sdt, "serve", "--config=/dev/zero", "--check", status=2).stderr


@pytest.mark.parametrize("args, problem", [
    ([], "name a configuration"), (["--config=x"], "where to?"),
    (["--config=x", "count"], "said in a file"), (["--config=x", "--series=0"], "a limit is")])
def test_a_wrong_command_line(sdt, args, problem):
    assert problem in ask(sdt, "serve", *args, status=2).stderr


# ---- Bounds. ----

def test_series_are_bounded(sdt, exe):
    with Target(exe) as target, Serve(sdt, f"count live:tick by i -p {NAME}",
                                      options=["--series=10"]) as serve:
        serve.until_processes(1)
        target.do("hit 100")
        serve.until(90, "sdt_serve_series_left_out", reason="limit")
        page = serve.page()
        assert page["sdt_serve_series", ()] == 10
        assert sum(name == "sdt_hits_total" for name, _ in page) == 10


def test_keys_are_bounded_over_restarts(sdt, exe):
    """What has no room is counted, and nothing is counted twice."""
    with Serve(sdt, f"count live:tick by pid -p {NAME} --keys=2") as serve:
        for number in range(1, 5):
            with Target(exe) as target:
                serve.until_processes(1)
                target.do(f"hit {number}")
            serve.until_processes(0)
        page = serve.page()
        assert sorted(value for (name, _), value in page.items() if name == "sdt_hits_total") == [
            3, 4]
        assert page["sdt_serve_hits_lost_total", (("reason", "no room for the key"),)] == 3


def test_two_lines_for_one_series(sdt, exe):
    """A collector would refuse all: the second is left out, with a message that names its line."""
    with Target(exe) as target, Serve(sdt, f"count live:* -p {NAME}",
                                      f"count live:tick -p {NAME}") as serve:
        serve.until_processes(1)
        target.do("hit 3")
        serve.until_hits(3)
        serve.until(1, "sdt_serve_series_left_out", reason="duplicate")
        errors = serve.end()
        assert len(errors.splitlines()) == 1 and "serve.conf:2: its series have" in errors


def test_what_a_process_does_not_have(sdt, exe):
    """Said once, and counted for each process; other lines are not concerned."""
    lines = [f"hist live:tick nosuch -p {NAME}", f"count no:such -p {NAME}",
             f"count live:tick -p {NAME}"]
    with Target(exe) as one, Target(exe), Serve(sdt, *lines) as serve:
        serve.until(2, "sdt_serve_failures_total")
        one.do("hit 3")
        serve.until_hits(3)
        errors = serve.end()
        assert errors.count("error") == 1 and "serve.conf:1: " in errors and "nosuch" in errors


# ---- Which processes. ----

def test_by_user_and_control_group(sdt, exe):
    with open("/proc/self/cgroup", encoding="ascii") as file:
        group = file.readline().rstrip("\n").split(":", 2)[2]
    with Target(exe) as target:
        for lines, is_there in (([f"count live:tick --user={os.getuid()} -p {NAME}"], True),
                                ([f"count live:tick --user=12345 -p {NAME}"], False),
                                ([f"count live:tick --cgroup='{group}' -p {NAME}"], True),
                                ([f"count live:tick --cgroup=no.slice -p {NAME}"], False),
                                ([f"count live:tick -p '*{NAME[2:]}'"], True)):
            with Serve(sdt, *lines) as serve:
                serve.until(int(is_there), "sdt_serve_processes")
                target.do("hit 4")
                if is_there:
                    serve.until_hits(4)
                else:
                    assert serve.hits() is None


# ---- Readers. ----

def test_a_receiver_of_opentelemetry(sdt, exe):
    """All lines in one request, a resource for each program or process."""
    lines = [f"count live:* -p {NAME}", f"hist live:tick i -p {NAME} --label team=shop",
             f"lat live:tick live:tock match i -p {NAME} --by-process"]
    with otlp.Receiver() as receiver, Target(exe) as target:
        with Serve(sdt, *lines, options=[f"--otlp={receiver.url}"]) as serve:
            serve.until_processes(1)
            target.do("hit 30")
            serve.until_hits(30)
            serve.end()
        request = receiver.requests()[-1]
    found = {}
    for resource in request["resource_metrics"]:
        pid = otlp.attributes(resource["resource"]).get("process.pid")
        [scope] = resource["scope_metrics"]
        for metric in scope["metrics"]:
            data = metric.get("sum") or metric["exponential_histogram"]
            for point in data["data_points"]:
                names = otlp.attributes(point)
                found[pid, metric["name"], names["sdt.probe"]] = (
                    point.get("as_int") or point["count"], names.get("team"))
    assert found == {(None, "sdt.hits", "tick"): (30, None), (None, "sdt.hits", "tock"): (10, None),
                     (None, "sdt.value", "tick"): (30, "shop"),
                     (target.pid, "sdt.latency", "tick"): (10, None)}


def test_a_page_cannot_be_written(sdt, exe):
    """Nothing is in the way of the next one; the status says it."""
    with Target(exe) as target, Serve(sdt, f"count live:* -p {NAME}",
                                      options=["--output=no/serve.prom"]) as serve:
        serve.until_processes(1)
        target.do("hit 3")
        serve.until_hits(3)  # a page that came after the first file
        sdt.path("no").mkdir()
        target.do("hit 27")
        serve.until_hits(30)
        assert "no/serve.prom" in serve.end(status=1)
    assert "} 30\n" in sdt.path("no/serve.prom").read_text(encoding="utf-8")


EXAMPLE = ROOT / "examples" / "prometheus"


def test_the_example(sdt, exe):
    """Its configuration is right, and the dashboard names only what there is, or what rules make of
    it."""
    ask(sdt, "serve", "--check", "--config", EXAMPLE / "serve.conf")
    unit = (EXAMPLE / "sdt-serve.service").read_text(encoding="utf-8")
    for line in re.findall(r"^Exec\w+=/usr/bin/sdt (serve .*)$", unit, re.M):
        assert set(re.findall(r"--\w+", line)) <= {"--config", "--check", "--listen"}
    rules = (EXAMPLE / "sdt.rules.yml").read_text(encoding="utf-8")
    panels = json.loads((EXAMPLE / "serve-dashboard.json").read_text(encoding="utf-8"))["panels"]
    named = {name for panel in panels for target in panel["targets"]
             for name in re.findall(r"sdt[\w:]+", target["expr"])}
    with Target(exe), Serve(sdt, f"count live:* -p {NAME}") as serve:
        serve.until_processes(1)
        there = {name for name, _ in serve.page()}
    assert len(named) > 8 and named <= there | set(re.findall(r"record: (\S+)", rules))


def test_prometheus_reads_the_file(sdt, exe):
    lines = [f"count live:* -p {NAME}", f"lat live:tick live:tock by i -p {NAME}"]
    with Target(exe) as target, Serve(sdt, *lines, options=["--output=serve.prom"]) as serve:
        serve.until_processes(1)
        target.do("hit 30")
        serve.until_hits(30)
        serve.end()
    text = sdt.path("serve.prom").read_text(encoding="utf-8")
    assert f'sdt_hits_total{{provider="live",probe="tick",program="{NAME}"}} 30\n' in text
    assert "# EOF" not in text and text.count("# TYPE sdt_hits_total counter\n") == 1
    if not shutil.which("promtool"):
        pytest.skip("no promtool (Debian: prometheus)")
    result = sdt.command("promtool", "check", "metrics", input=text)
    assert not [line for line in result.stderr.splitlines() if "error" in line], result.stderr
