# SPDX-License-Identifier: BSD-2-Clause
"""Instructions of a hit, of which docs/benchmarks.md tells: what no clock shows and a change may
lose. Of `bench/programs/hit.c`, with libsdt.a."""
import re
import shutil

import pytest
from conftest import BUILD, ROOT

pytestmark = pytest.mark.nosan  # counts instructions of optimised code
PROGRAMS = ROOT / "bench" / "programs"
MORE_SITES = """
#include "hit.c"
void another_site(long i, int runs)
{
    SDT_PROBE(hit, site, i, runs, (int)i, (short)i, (char)i, &runs);
}
"""


def build(sdt, source, *flags):
    obj = sdt.process(sdt.compile(source, "-O2", "-I", PROGRAMS, *flags))
    exe = sdt.path("hit")
    sdt.command("gcc", obj, BUILD / "runtime" / "libsdt.a", "-lpthread", "-ldl", "-o", exe)
    return exe


def of_a_hit(sdt, exe, consumer):
    """A long run less a short one; there is a tenth more hits than it is asked for."""
    def total(runs):
        out = sdt.path("callgrind.out")
        sdt.command("valgrind", "--tool=callgrind", "--smc-check=all",
                    f"--callgrind-out-file={out}", exe, 1, runs, consumer, "jump")
        return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M).group(1))
    return (total(4000) - total(2000)) / 2200


@pytest.mark.parametrize("flags, sites, by_six, by_batch", [
    (["-DSDT_CALL_SITES"], 1, 60, 90), ([], 1, 60, 90), ([], 2, 100, 160)],
    ids=["call", "inline", "inline, several sites"])
def test_reading_six_arguments(sdt, flags, sites, by_six, by_batch):
    """By six calls of sdt_arg, of which the handler's own is known; by one of sdt_args."""
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind here")
    source = PROGRAMS / "hit.c" if sites == 1 else sdt.write("more.c", MORE_SITES)
    exe = build(sdt, source, *flags)
    spent = {consumer: of_a_hit(sdt, exe, consumer)
             for consumer in ("empty", "six", "calls", "batch")}
    assert 20 < spent["six"] - spent["calls"] + 12 <= by_six, spent
    assert 20 < spent["batch"] - spent["empty"] <= by_batch, spent
