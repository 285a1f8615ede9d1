# SPDX-License-Identifier: BSD-2-Clause
"""Subscriptions to some functions, all of which are one probe: each has the hits of those that it
has chosen, and no other, and no vector register is saved for choosing."""
import json

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
    """One count for the probe; or each function's own."""
    exe = build(launch, "functions.c", "-O2")
    for words in ([], ["by", "function"]):
        output = ask(launch.sdt, "count", "--json", pattern, *words, "--", exe, "5").stdout
        said = truth(output)
        lines = [json.loads(line) for line in output.splitlines() if line[0] == "{"]
        if words:
            assert {line["key"]: line["count"] for line in lines} == \
                {name: said[name] for name in names}
        else:
            assert [line["count"] for line in lines] == [sum(said[name] for name in names)]


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
