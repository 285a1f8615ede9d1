# SPDX-License-Identifier: BSD-2-Clause
"""What a live aggregation costs at a hit, beside a map of bpftrace.

The figures are of the hit above one whose handler does nothing, at an inline site, in one run and
in turn; the value is the median of the rounds, the note has the least. Instructions are those of
callgrind, which has no restartable sequences: tables add with locked instructions there, as with C
libraries that do not register for them. They are counted once more with the program playing the
kernel's part. The rows of bpftrace are of its uprobe, less the same loop without.
"""
import contextlib
import os
import re
import statistics

import harness
import hit
import peers

WHAT = {"false": "predicate that is false",
        "real": "predicate that is false, of a product of doubles",
        "chosen": "recording, with a predicate that is false",
        "count": "count", "key": "count by an integer",
        "hist": "histogram", "text": "count by a string of 16 bytes",
        "lat": "latency, both ends",
        "slow": "latency, both ends, the slowest kept with 2 integers and a string"}
GOALS = {"false": "4", "real": "10", "chosen": "4", "key": "10", "hist": "8", "text": "25",
         "lat": "40 + 2 rdtsc"}
# The nearest that bpftrace has, of the probe of hit_uprobe.c.
SCRIPTS = {"count": "@ = count()", "count by an integer": "@[arg0] = count()",
           "histogram": "@ = hist(arg0)"}


def _ours(bench):
    main = bench.compile(harness.PROGRAMS / "live.c", "-I", harness.ROOT / "runtime",
                         output="live")
    exe = bench.link(main, output="live")
    runs = 100_000 if bench.quick else 2_000_000
    return {name: hit.Candidate(name, [exe, name], runs) for name in ("empty", *WHAT)}


def _bpftrace(bench, stack):
    peers.need_uprobes()
    peers.need_header("sys/sdt.h")
    runs = 5_000 if bench.quick else 30_000
    found = []
    for number, (what, action) in enumerate(SCRIPTS.items()):
        exe = hit._plain(bench, "hit_uprobe.c", f"live-bpf-{number}")
        candidate = hit.Candidate(f"<sys/sdt.h> + bpftrace: {what}", [exe, "nop1"], runs)
        stack.enter_context(peers.bpftrace(f"usdt:{exe}:hit:site {{ {action}; }}",
                                           lambda c=candidate: c.cost(bench, 1) > 200))
        found.append(candidate)
    return found


def _record(bench, what, values, goal=None):
    bench.record("live", what, statistics.median(values), "ns", goal, least=min(values))


def _hits(bench):
    with contextlib.ExitStack() as stack:
        ours, others = _ours(bench), []
        try:
            others = _bpftrace(bench, stack)
        except peers.Missing as missing:
            bench.skip("live", str(missing))
        hit.take_turns(bench, [(candidate, 1) for candidate in (*ours.values(), *others)],
                       3 if bench.quick else 9)
    empty = ours["empty"].samples[1]
    _record(bench, "sdtlink: an empty handler that leaves vector registers alone", empty)
    for name, what in WHAT.items():
        values = [value - base for value, base in zip(ours[name].samples[1], empty)]
        goal = f"<= {GOALS[name]}" if name in GOALS else None
        _record(bench, f"sdtlink: {what}, above an empty handler", values, goal)
    for candidate in others:
        _record(bench, candidate.what, candidate.samples[1])
    return ours["empty"].argv[0]


def _instructions(bench, exe, what, env):
    def total(runs):
        out = bench.work / "callgrind.out"
        bench.command("valgrind", "--tool=callgrind", "--smc-check=all",
                      f"--callgrind-out-file={out}", exe, 1, runs, what, env=env)
        return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M).group(1))
    return (total(20_000) - total(10_000)) / 11_000


def measure(bench):
    bench.say("live aggregations, ours and bpftrace's")
    exe = _hits(bench)
    try:
        peers.need("valgrind")
        for how, more_env in (("", {}), (", with rseq(2)", {"LIVE_PLAYS_RSEQ": "1"})):
            env = {**os.environ, **more_env}
            empty = _instructions(bench, exe, "empty", env)
            for name, what in WHAT.items():
                more = _instructions(bench, exe, name, env) - empty
                bench.record("live", f"{what}, above an empty handler{how}", round(more),
                             "instructions", None, "callgrind" + ("" if how else
                                                                  "; without rseq(2)"))
    except peers.Missing as missing:
        bench.skip("live", str(missing))
