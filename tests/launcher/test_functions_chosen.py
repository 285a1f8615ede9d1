# SPDX-License-Identifier: BSD-2-Clause
"""Subscriptions to some functions, all of which are one probe: each has the hits of those that it
has chosen, and no other, and no vector register is saved for choosing."""
import json
import re

import pytest

from attached import ask
from conftest import INCLUDES, PROGRAMS
from test_functions import COMPILERS, build, truth
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions


@pytest.mark.parametrize("compiler", COMPILERS)
def test_patterns_that_overlap(launch, compiler):
    """They come and go while threads run through the functions."""
    launch("--functions", compiler, "-O2", "-pthread", *INCLUDES,
           PROGRAMS / "functions_chosen.c", "-o", "prog")
    assert launch.sdt.run("./prog", "3000").endswith("wrong 0\n")


@pytest.mark.parametrize("pattern, names", [
    ("fn::leaf:entry", ["leaf"]),
    ("fn::f*b:entry", ["fib"]),
    ("fn::leaf:entry,fn::after:entry", ["leaf", "after"]),
])
def test_counts_of_some_functions(launch, pattern, names):
    """Each function's own count, also if nobody says so; or one for the probe."""
    exe = build(launch, "functions.c", "-O2")
    for words in ([], ["by", "function"], ["--sum"], ["by", "name"]):
        output = ask(launch.sdt, "count", "--json", pattern, *words, "--", exe, "5").stdout
        said = truth(output)
        lines = [json.loads(line) for line in output.splitlines() if line[0] == "{"]
        if words in ([], ["by", "function"]):
            assert {line["key"]: line["count"] for line in lines} == \
                {name: said[name] for name in names}
        else:
            assert [line["count"] for line in lines] == [sum(said[name] for name in names)]


def test_a_row_for_each_function(launch):
    """Of all functions, without an option; of a condition as well. A probe beside them has one."""
    launch.sdt.write("web.c", """
#include <sdt/probe.h>
__attribute__((noinline)) static int leaf(int n) { SDT_PROBE(web, leaf, n); return n + 1; }
__attribute__((noinline)) static int twice(int n) { return leaf(n) + leaf(n + 1); }
int main(void) { return twice(1) + leaf(7) != 13; }
""")
    launch("--functions", "--runtime=shared", "gcc", "-g", "-O1", *INCLUDES, "web.c", "-o", "web")
    exe = launch.sdt.dir / "web"

    def table(*words):
        return re.findall(r"^(\S+) +(?:([a-z]\w*) +)?(\d+) +[\d.]+/s$",
                          ask(launch.sdt, "count", *words, "--", exe).stdout, re.M)
    assert table("fn::*", "web:*") == [
        ("fn:entry", "leaf", "3"), ("fn:entry", "main", "1"), ("fn:entry", "twice", "1"),
        ("fn:return", "leaf", "3"), ("fn:return", "main", "1"), ("fn:return", "twice", "1"),
        ("web:leaf", "", "3")]
    assert table("fn:entry") == table("fn::*:entry") == table("fn::*", "web:*")[:3]
    assert table("fn::leaf:entry /n > 1/") == [("fn:entry", "leaf", "2")]
    assert table("--sum", "fn") == [("fn:entry", "", "5"), ("fn:return", "", "5")]
    assert table("--sum", "fn::leaf:entry /n > 1/") == [("fn:entry", "", "2")]
    shown = ask(launch.sdt, "count", "--openmetrics", "fn:entry", "--", exe).stdout
    assert {key: int(count) for key, count in re.findall(r'key="(\w+)"} (\d+)', shown)} == \
        {"leaf": 3, "main": 1, "twice": 1}


@pytest.mark.parametrize("words, message", [
    (["count", "--sum", "fn:entry", "by", "module"], "--sum and 'by' are mutually exclusive"),
    (["hist", "--sum", "fn:return", "result"], "--sum is for sdt count"),
])
def test_sums_are_refused_elsewhere(launch, words, message):
    assert message in ask(launch.sdt, *words, "--", "true", status=2).stderr


HANDLERS = """
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdlib.h>
static volatile unsigned long hits;
SDT_GENERAL_REGS_HANDLER(leave_vectors) { (void)event; (void)data; hits++; }
SDT_NO_FUNCTION static void any(const struct sdt_event *event, void *data)
{
    (void)event; (void)data;
    hits++;
}
__attribute__((noinline)) int serve(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
__attribute__((noinline)) int other(int x) { __asm__ volatile("" : "+r"(x)); return x + 2; }
SDT_NO_FUNCTION int main(int argc, char **argv)
{
    int mode = argc > 1 && *argv[1] == 'g' ? SDT_GENERAL_REGS : 0;
    sdt_handler *handler = argc > 1 && *argv[1] == 'c' ? SDT_COUNT : mode ? leave_vectors : any;
    if (sdt_enable_mode("fn::serve:entry", handler, NULL, SDT_MODE_JUMP | mode) <= 0)
        return 2;
    if (argc > 2) /* another's, of another function */
        sdt_enable_mode("fn::other:entry", SDT_COUNT, NULL, SDT_MODE_JUMP);
    return serve(other(1)) != 4 || (handler != SDT_COUNT && hits != 1);
}
"""


@pytest.mark.parametrize("arguments, is_saved", [
    (["general"], False), (["general", "and another"], False), (["count"], False), (["any"], True),
])
def test_vector_registers_are_not_saved_for_choosing(launch, arguments, is_saved):
    """gdb stops where they would be, and does for a handler that promises nothing."""
    launch.sdt.write("handlers.c", HANDLERS)
    launch("--functions", "--runtime=static", "gcc", "-O2", "-g", *INCLUDES, "handlers.c", "-o",
           "prog")
    said = launch.sdt.command("gdb", "-q", "-batch", "-nx", "-ex", "break vector_dispatch",
                              "-ex", "run", "-ex", "backtrace 1", "--args", "prog", *arguments,
                              status=None).stdout
    assert ("Breakpoint 1, " in said) == is_saved, said
    assert is_saved or "exited normally" in said, said
