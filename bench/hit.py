# SPDX-License-Identifier: BSD-2-Clause
"""What a hit costs: ours in every form, and the nearest thing that each peer has.

Every figure is of processor time, of the loop with the probe less the same loop without, taken in
one process; the candidates run in turn, round after round, so that a slow moment of the machine
meets all of them. The value is the median of the rounds; the note has the least.
"""
import contextlib
import os
import re
import statistics

import harness
import peers

FLAGS = {"call": ("-DSDT_CALL_SITES",), "inline": ()}
# "calls" is only counted, in instructions: the handler "six", with a function that does nothing.
CONSUMERS = {"count": "count", "empty": "empty handler", "six": "handler that reads 6 arguments",
             "batch": "handler that reads 6 arguments by one call",
             "record": "3 arguments and a timestamp recorded"}
# Of jumps.
GOALS = {"count": "<= 3", "record": "<= 25"}
GOAL_INLINE = {"empty": "<= at a call + 20"}
# Where each CPU counts for itself (docs/decisions/0025), more threads should cost no more.
MANY = (2, 4, 8)
# Makes ours count by a locked increment.
LOCKED = {**os.environ, "GLIBC_TUNABLES": "glibc.pthread.rseq=0"}


class Candidate:
    """One row: a command that prints `hit N` and `loop N`, and how often it runs its loop."""

    def __init__(self, what, argv, runs, goal=None, environment=None, note="", threads=()):
        self.what, self.argv, self.runs, self.goal = what, argv, runs, goal
        self.environment, self.note, self.threads = environment, note, threads
        self.samples = {}

    def cost(self, bench, threads):
        out = bench.command(self.argv[0], threads, self.runs, *self.argv[1:], env=self.environment)
        values = {name: float(value) for name, value in map(str.split, out.splitlines())}
        return values["hit"] - values["loop"]

    def run(self, bench, threads):
        self.samples.setdefault(threads, []).append(self.cost(bench, threads))


def take_turns(bench, jobs, rounds):
    """Each (candidate, threads) once a round."""
    for i in range(rounds):
        for j, (candidate, threads) in enumerate(jobs):
            bench.progress(i * len(jobs) + j, rounds * len(jobs),
                           f"{candidate.what}, threads: {threads}")
            candidate.run(bench, threads)


def _ours(bench):
    scale = 10 if bench.quick else 1
    found = []
    for form, flags in FLAGS.items():
        main = bench.compile(harness.PROGRAMS / "hit.c", *flags, output=f"hit-{form}")
        exe = bench.link(main, output=f"hit-{form}")
        found.append(Candidate(f"sdtlink, {form} site: off", [exe, "off", "jump"],
                               5_000_000 // scale))
        for mode, runs in (("jump", 1_000_000), ("trap", 10_000)):
            for consumer, people in CONSUMERS.items():
                goals = {**GOALS, **(GOAL_INLINE if form == "inline" else {})}
                goal = goals.get(consumer) if mode == "jump" else None
                word = "breakpoint" if mode == "trap" else mode
                found.append(Candidate(f"sdtlink, {form} site: {people}, {word}",
                                       [exe, consumer, mode], runs // scale, goal,
                                       threads=MANY if goal and consumer == "count" else ()))
        found.append(Candidate(f"sdtlink, {form} site: count without rseq(2), jump",
                               [exe, "count", "jump"], 1_000_000 // scale, environment=LOCKED,
                               threads=MANY))
    return found


def _plain(bench, source, name, *flags, compiler="gcc"):
    exe = bench.work / name
    bench.command(compiler, "-O2", *flags, harness.PROGRAMS / source, "-pthread", "-o", exe,
                  *(("-llttng-ust", "-ldl") if "lttng" in str(source) else ()))
    return exe


def _branches(bench):
    exe = _plain(bench, "hit_branch.c", "hit-branch")
    runs = 500_000 if bench.quick else 5_000_000
    return [
        Candidate("flag, load-test-branch: off", [exe, "flag_off"], runs),
        Candidate("flag, load-test-branch: count", [exe, "flag_count"], runs, threads=MANY),
        Candidate("function pointer: off", [exe, "pointer_off"], runs),
        Candidate("function pointer: reads 6 arguments", [exe, "pointer_six"], runs),
    ]


def _instrument_functions(bench):
    exe = _plain(bench, "hit_function.c", "hit-cyg", "-finstrument-functions",
                 "-finstrument-functions-exclude-function-list=main,loop_,enable")
    runs = 100_000 if bench.quick else 1_000_000
    return [Candidate("-finstrument-functions: count", [exe, "count"], runs,
                      note="also calls a hook at each exit; cannot be off")]


def _xray(bench):
    peers.need("clang")
    exe = _plain(bench, "hit_function.c", "hit-xray", "-DWITH_XRAY", "-fxray-instrument",
                 "-fxray-instruction-threshold=100000",
                 "-fxray-instrumentation-bundle=function-entry", compiler="clang")
    runs = 100_000 if bench.quick else 1_000_000
    return [Candidate("XRay, entry sled: off", [exe, "off"], runs),
            Candidate("XRay, entry sled: handler that counts", [exe, "count"], runs)]


def _uprobe(bench):
    peers.need_header("sys/sdt.h")
    exe = _plain(bench, "hit_uprobe.c", "hit-uprobe")
    runs = 10_000 if bench.quick else 50_000
    found = [Candidate("<sys/sdt.h>: off", [exe, "nop1"], 50 * runs)]
    peers.need_uprobes()
    return found + [
        Candidate("<sys/sdt.h> + uprobe, nop1: perf count",
                  [exe, "nop1", peers.note_address(bench, exe)], runs),
        Candidate("uprobe on a 5-byte nop: perf count",
                  [exe, "nop5", peers.symbol_address(bench, exe, "site5")], runs,
                  note="Linux 6.18 breaks leaf functions and forks so"),
    ]


def _stock(bench):
    """Programs that sdtlink has not processed, with libsdt preloaded as `sdt run` does."""
    peers.need_header("sys/sdt.h")
    plain = _plain(bench, "hit_uprobe.c", "hit-stock")
    roomy = _plain(bench, "hit_uprobe.c", "hit-stock-room", "-DONE_HEADER", "-I", bench.generated)
    armed = {**os.environ, "LD_PRELOAD": str(bench.runtime.with_suffix(".so")), "SDT_STOCK": "1",
             "SDT_ENABLE": "hit:site=count"}
    scale = 10 if bench.quick else 1
    return [
        Candidate("stock binary of <sys/sdt.h>: count, breakpoint", [plain, "nop1"],
                  10_000 // scale, environment=armed),
        Candidate("sdt.h alone: off", [roomy, "nop1"], 5_000_000 // scale),
        Candidate("sdt.h alone: count, jump", [roomy, "nop1"], 1_000_000 // scale,
                  "<= 15", environment=armed),
    ]


def _bpftrace(bench, stack):
    peers.need_uprobes()
    peers.need_header("sys/sdt.h")
    found = []
    runs = 5_000 if bench.quick else 30_000
    for name, what, action in (
        ("hit-bpf-count", "count", "@ = count()"),
        ("hit-bpf-six", "sum of 6 arguments", "@ = sum(arg0 + arg1 + arg2 + arg3 + arg4 + arg5)"),
    ):
        exe = _plain(bench, "hit_uprobe.c", name)
        candidate = Candidate(f"<sys/sdt.h> + bpftrace: {what}", [exe, "nop1"], runs)
        # Nothing says that all is attached, but the cost of a hit does.
        stack.enter_context(peers.bpftrace(f"usdt:{exe}:hit:site {{ {action}; }}",
                                           lambda c=candidate: c.cost(bench, 1) > 200))
        found.append(candidate)
    return found


def _lttng(bench, stack):
    peers.need_header("lttng/tracepoint.h")
    exe = _plain(bench, "hit_lttng.c", "hit-lttng", "-I", harness.PROGRAMS)
    runs = 50_000 if bench.quick else 300_000
    found = [Candidate("LTTng-UST: off", [exe, "off"], 10 * runs)]
    environment = stack.enter_context(peers.lttng(bench, "hit:one", "hit:six"))
    return found + [
        Candidate("LTTng-UST: event with 1 field, recorded", [exe, "one"], runs,
                  environment=environment, note="with a clock, into a ring buffer"),
        Candidate("LTTng-UST: event with 6 fields, recorded", [exe, "six"], runs,
                  environment=environment, note="with a clock, into a ring buffer"),
    ]


def _candidates(bench, stack):
    makers = [_ours, _branches, _instrument_functions, _xray, _uprobe, _stock,
              lambda b: _bpftrace(b, stack), lambda b: _lttng(b, stack)]
    found = []
    for maker in makers:
        try:
            found += maker(bench)
        except peers.Missing as missing:
            bench.skip("hit", str(missing))
    return found


# ---- instructions ----

def _instructions(bench, exe, consumer):
    """Of one hit, counted by callgrind: of a long run less a short one, and of the loop's own."""
    def total(runs):
        out = bench.work / "callgrind.out"
        bench.command("valgrind", "--tool=callgrind", "--smc-check=all",
                      f"--callgrind-out-file={out}", exe, 1, runs, consumer, "jump")
        return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M).group(1))
    return (total(20_000) - total(10_000)) / 11_000


def _count_instructions(bench):
    peers.need("valgrind")
    for form in FLAGS:
        bench.say(f"  callgrind: {form} sites")
        exe = bench.work / f"hit-{form}"
        off = _instructions(bench, exe, "off")
        counted = {}
        for consumer, people in CONSUMERS.items():
            try:
                more = _instructions(bench, exe, consumer) - off
            except SystemExit as error:
                raise peers.Missing(f"valgrind cannot run it: {error}") from error
            counted[consumer] = more
            bench.record("hit", f"{form} site: {people}, jump", round(more), "instructions", None,
                         "callgrind; more than when off")
        calls = _instructions(bench, exe, "calls") - off
        # A function that does nothing is two instructions.
        bench.record("hit", f"{form} site: 6 times sdt_arg() itself",
                     round(counted["six"] - calls) + 12, "instructions", "<= 60",
                     "callgrind; without the handler's own")
        bench.record("hit", f"{form} site: sdt_args() of 6, with the handler",
                     round(counted["batch"] - counted["empty"]), "instructions", None,
                     "callgrind; more than an empty handler")


def measure(bench):
    threads = sorted({1, os.cpu_count()})
    bench.say(f"hits of our probes and of their peers, {threads} threads")
    with contextlib.ExitStack() as stack:
        candidates = _candidates(bench, stack)
        take_turns(bench, [(candidate, n) for candidate in candidates
                           for n in sorted({*threads, *candidate.threads})],
                   3 if bench.quick else 5)
    for n in sorted({n for c in candidates for n in c.samples}):
        for c in [c for c in candidates if n in c.samples]:
            values = c.samples[n]
            bench.record("hit", f"{c.what}, {n} thread{'s' if n > 1 else ''}",
                         statistics.median(values), "ns", c.goal, c.note, min(values))
    try:
        _count_instructions(bench)
    except peers.Missing as missing:
        bench.skip("hit", str(missing))
