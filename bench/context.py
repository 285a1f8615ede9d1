# SPDX-License-Identifier: BSD-2-Clause
"""How many instructions the ids of a trace add to a hit that is recorded (`sdt record --context`):
those of callgrind, as the difference between two runs. First of the function that reads them, then
of the whole hit, more than without ids, on the way into the ring without rseq(2), which callgrind
does not have."""
import re
import shutil

import harness
import peers

FEW, MANY = 10_000, 20_000
WHATS = {"none": "of a thread that has none", "ids": "of a thread that has a context"}
GOALS = {"ids": "<= 60"}


def _instructions(bench, exe, what, function):
    """In FUNCTION and what it calls, for each hit."""
    def total(runs):
        out, directory = bench.work / "callgrind.out", bench.work / "recording"
        bench.command("valgrind", "--tool=callgrind", "--smc-check=all",
                      f"--toggle-collect={function}", f"--callgrind-out-file={out}", exe, runs,
                      what, directory)
        shutil.rmtree(directory, ignore_errors=True)
        return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M).group(1))
    return (total(MANY) - total(FEW)) / (MANY - FEW)


def _row(bench, what, value, goal=None):
    bench.record("context", what, round(value), "instructions", goal, "callgrind")


def measure(bench):
    bench.say("the ids of a trace in a recording")
    try:
        peers.need("valgrind")
    except peers.Missing as missing:
        bench.skip("context", str(missing))
        return
    main = bench.compile(harness.PROGRAMS / "record_context.c", output="record-context")
    exe = bench.link(main, output="record-context")
    plain = _instructions(bench, exe, "plain", "loop_one")
    for what, people in WHATS.items():
        _row(bench, f"reading the ids {people}", _instructions(bench, exe, what, "context_read"),
             GOALS.get(what))
        _row(bench, f"recording with the ids {people}, more than without",
             _instructions(bench, exe, what, "loop_one") - plain)
