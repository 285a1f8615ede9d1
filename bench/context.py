# SPDX-License-Identifier: BSD-2-Clause
"""How many instructions the ids of a trace add to a hit that is recorded (`sdt record --context`),
and exemplars to one of a histogram: those of callgrind, as the difference between two runs. First
of the function that reads the ids, then of the whole hit, more than without ids, on the way into
the ring without rseq(2), which callgrind does not have."""
import os
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


def _exemplars(bench):
    """Of a histogram with few values, whose exemplars are there already."""
    main = bench.compile(harness.PROGRAMS / "live.c", "-I", harness.ROOT / "runtime",
                         output="live")
    exe = bench.link(main, output="live")

    def total(runs, what):
        out = bench.work / "callgrind.out"
        bench.command("valgrind", "--tool=callgrind", "--smc-check=all",
                      f"--callgrind-out-file={out}", exe, 1, runs, what,
                      env={**os.environ, "LIVE_PLAYS_RSEQ": "1"})
        return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M).group(1))

    # A tenth is run before.
    each = {what: (total(MANY, what) - total(FEW, what)) / (1.1 * (MANY - FEW))
            for what in ("few", "exemplars")}
    _row(bench, "exemplars of a histogram, more than without", each["exemplars"] - each["few"])


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
    _exemplars(bench)
