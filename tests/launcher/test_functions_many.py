# SPDX-License-Identifier: BSD-2-Clause
"""A program of many functions: nothing is done for them at its start, and little when all of them
are enabled for the first time. callgrind counts instructions, which no load changes."""
import re
import shutil

import pytest

from conftest import CFLAGS, INCLUDES
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = [
    pytest.mark.nosan,  # sanitizers put calls of their own into functions
    pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind counts instructions"),
    pytest.mark.skipif(bool(CFLAGS), reason="valgrind does not run sanitizers' programs"),
]

MAIN = """
#include <sdt/probe.h>
#include <sdt/runtime.h>
SDT_NO_FUNCTION int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 1)
        return 0;
    return sdt_disable(sdt_enable_mode("fn:*", SDT_COUNT, 0, SDT_MODE_JUMP)) != 0;
}
"""


def build(launch, count):
    launch.sdt.write("main.c", MAIN + "".join(
        f'__attribute__((noinline)) int f{i}(int x) {{ __asm__ volatile("" : "+r"(x));'
        f" return x + {i}; }}\n" for i in range(count)))
    launch("--functions", "gcc", "-O1", *INCLUDES, "main.c", "-o", f"many{count}")
    return f"./many{count}"


def instructions(launch, *argv):
    out = launch.sdt.path("callgrind.out")
    launch.sdt.command("valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", *argv)
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])


def test_start_and_first_enabling(launch):
    few, many = build(launch, 20), build(launch, 1020)
    start = [instructions(launch, exe) for exe in (few, many)]
    assert start[1] < 1.01 * start[0]
    enabled = [instructions(launch, exe, "enable") for exe in (few, many)]
    sites = 2 * 1000
    # Records are checked, sites armed and disarmed: 2000 each when this was written.
    assert (enabled[1] - enabled[0]) / sites < 2500
