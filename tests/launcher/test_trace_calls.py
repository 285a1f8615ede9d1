# SPDX-License-Identifier: BSD-2-Clause
"""`sdt trace` of functions: a call, its result and its duration in one line, as strace prints
system calls; as unfinished, if its thread prints something before it returns.

The programs print their calls and measure them; `--events` has a line for each entry and return.
"""
import json
import re
import signal
import subprocess

import pytest

import patience
from attached import SDT, Target, ask, code, until_attached
from test_functions import COMPILERS, build, truth
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions

UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def lines(text):
    """(thread, probe, what follows it, ns or None) of each line."""
    found = []
    for line in text.splitlines():
        match = re.match(r"\s*(?:2\d{3}-\S+ )?[\d:.]+ +\d+ +\d+/(\d+) +(fn::\S+) +(.*?)"
                         r"(?: <([\d.]+) (\w+)>)?$", line)
        if match:
            ns = float(match[4]) * UNITS[match[5]] if match[4] else None
            text = re.sub(r"0x[0-9a-f]+", "ADDRESS", match[3])
            found.append((int(match[1]), match[2], text, ns))
    return found


def trace(launch, exe, *args, pattern="fn", options=()):
    result = ask(launch.sdt, "trace", *options, pattern, "--", exe, *args)
    return lines(result.stdout), result


def joined(calls):
    """CALLS of one thread, as a program prints entries and ends: in the form of sdt trace."""
    shown = []
    for n, call in enumerate(calls):
        name = re.match(r"\w+", call)[0]
        is_entry = call.startswith(f"{name}(")
        follows = calls[n + 1] if n + 1 < len(calls) else ""
        before = calls[n - 1] if n else ""
        if is_entry and re.match(rf"{name} (=|returns)", follows):
            shown.append(call + follows.removeprefix(name).replace(" returns", ""))
        elif is_entry:
            shown.append(f"{call} <unfinished>")
        elif not before.startswith(f"{name}("):
            shown.append(call)
    return shown


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_call_is_a_line(launch, compiler):
    """With its arguments and its result, as the program prints them."""
    exe = build(launch, "function_arguments.c", "-O2", "-g", compiler=compiler)
    found, _ = trace(launch, exe, "2", "said")
    shown = [text for _, _, text, _ in found if not text.startswith("main")]
    said = re.sub(r"0x[0-9a-f]+", "ADDRESS", launch.sdt.path("said").read_text())
    assert shown == joined(said.splitlines())
    assert len(shown) == 26 and all("(" in text and "<" not in text for text in shown)
    assert all(":return" not in probe and ns for _, probe, text, ns in found
               if not text.startswith("main"))


@pytest.mark.parametrize("compiler", COMPILERS)
def test_calls_in_calls_are_unfinished(launch, compiler):
    """Each line of a thread as often, and in the order, as by --events; threads do not disturb each
    other. What a call took is what the program measures, from inside and from outside."""
    exe = build(launch, "calls.c", "-O1", "-g", compiler=compiler)
    found, result = trace(launch, exe, 3, options=["--rate=0"])
    events, _ = trace(launch, exe, 3, options=["--rate=0", "--events"])
    said = truth(result.stdout)
    for number in range(2):
        one, other = sorted({tid for tid, *_ in found}), sorted({tid for tid, *_ in events})
        assert len(one) == len(other) == 2
        assert [text for tid, _, text, _ in found if tid == one[number]] == \
            joined([text for tid, _, text, _ in events if tid == other[number]])
    inner = sum(ns for _, probe, _, ns in found if probe == "fn::inner:return")
    assert said["inner"] * 0.99 <= inner <= said["outer"] * 1.01  # there are three digits
    assert all(ns is None for *_, ns in events)
    assert {probe for _, probe, text, _ in found if text.endswith("<unfinished>")} == \
        {f"fn::{name}:entry" for name in ("main", "run", "work", "serve", "outer", "inner", "down",
                                          "elsewhere")}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_never_returns_has_no_result(launch, compiler):
    """And none of a call that comes later, at the same place of the stack."""
    exe = build(launch, "functions.c", "-O1", "-g", compiler=compiler)
    found, _ = trace(launch, exe, 3, pattern="fn::deep,fn::jumper")
    assert [(probe, text.endswith("<unfinished>")) for _, probe, text, _ in found] == \
        [("fn::jumper:entry", True), *[("fn::deep:entry", True)] * 5,
         ("fn::jumper:return", False)] * 3
    assert all((ns is not None) == (probe == "fn::jumper:return") for _, probe, _, ns in found)


WAITS = """
#include <stdio.h>
#define APART __attribute__((noinline))
static char line[64];
static APART int waits(int n) { return fgets(line, sizeof line, stdin) ? n : -1; }
static APART int quick(int n) { __asm__ volatile("" : "+r"(n)); return n; }
int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("here");
    while (waits(1) > 0 && *line != 'e')
        printf("%d\\n", quick(7));
    return 0;
}
"""


def test_a_call_that_lasts_is_shown_meanwhile(launch):
    """After a second, as unfinished; its return has the whole duration. One that has just begun
    when the trace ends is shown as well."""
    launch.sdt.write("waits.c", WAITS)
    launch("--functions", "--runtime=shared", "gcc", "-g", "-O1", "waits.c", "-o", "waits")
    with Target(launch.sdt.dir / "waits") as target:
        before = code(target.pid)
        with subprocess.Popen([SDT, "trace", "fn::waits,fn::quick", "-p", str(target.pid)],
                              stdout=subprocess.PIPE, text=True) as tool:
            until_attached(tool, target.pid, before)
            target.process.stdin.write("go\n")
            assert target.process.stdout.readline() == "7\n"
            assert tool.stdout.readline().startswith("TIME")
            shown = [tool.stdout.readline() for _ in range(3)]
            assert [text for _, _, text, _ in lines("".join(shown))] == \
                ["waits = 1", "quick(n=7) = 7", "waits(n=1) <unfinished>"]
            target.process.stdin.write("go\n")
            assert target.process.stdout.readline() == "7\n"
            shown = [tool.stdout.readline() for _ in range(2)]
            (_, _, text, ns), (_, _, other, _) = lines("".join(shown))
            assert (text, other) == ("waits = 1", "quick(n=7) = 7") and ns > 0.99e9
            tool.send_signal(signal.SIGINT)
            [(_, _, text, _)] = lines(tool.stdout.read())
            assert text == "waits(n=1) <unfinished>"
            patience.wait(tool)
            assert tool.returncode == 0


@pytest.mark.parametrize("options, pattern", [
    (["--events"], "fn::leaf"), (["--delta"], "fn::leaf"), (["--stack"], "fn::leaf"),
    ([], "fn::leaf:entry"), ([], "fn::leaf /x >= 0/"),
])
def test_events_are_lines(launch, options, pattern):
    """Where each says something of its own, or the returns are not asked for."""
    exe = build(launch, "calls.c", "-O1", "-g")
    found, _ = trace(launch, exe, 1, options=options, pattern=pattern)
    assert {text for _, probe, text, _ in found if probe == "fn::leaf:entry"} == \
        {"leaf(x=0)", "leaf(x=2)", "leaf(x=3)"}
    assert all(probe != "fn::leaf" and ns is None for _, probe, _, ns in found)
    assert ("fn::leaf:return" in {probe for _, probe, _, _ in found}) == bool(options)


def test_limits_are_of_lines(launch):
    exe = build(launch, "calls.c", "-O1", "-g")
    found, _ = trace(launch, exe, 1, options=["--limit=2"], pattern="fn::leaf")
    assert [text for _, _, text, _ in found] == ["leaf(x=0) = 1", "leaf(x=0) = 1"]
    found, result = trace(launch, exe, 200, options=["--rate=50"], pattern="fn::leaf")
    left_out = int(re.search(r"(\d+) events more than --rate allows", result.stderr)[1])
    assert found and all(probe == "fn::leaf" or "= " in text for _, probe, text, _ in found)
    assert left_out > 0
    lines_of_json = [json.loads(line) for line in ask(
        launch.sdt, "trace", "--json", "fn::leaf", "--", exe, 1).stdout.splitlines()
        if line[0] == "{"]
    assert {line["name"] for line in lines_of_json} == {"entry", "return"}
