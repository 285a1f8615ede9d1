# SPDX-License-Identifier: BSD-2-Clause
"""What it costs to record a hit, beside LTTng-UST, and whether it can be kept up.

The same fields, in one run and in turn, round after round, as in `hit`: the value is the median of
processor time of the rounds, the note has the least. Both record into memory of which the oldest is
overwritten: what a disk takes is no part of it. Ours always says which process and thread it was;
LTTng does so with the context vpid and vtid, and is measured with and without. The processor's own
clock, which both read, has a row of its own.
"""
import contextlib
import os
import re
import shutil
import statistics

import harness
import hit
import peers

EVENTS = {"one": "1 integer", "three": "3 integers", "six": "6 integers",
          "text": "2 integers and a string of 16 bytes", "array": "1 integer and 8 of 32 bits"}
TYPED = {"event": "three", "event_text": "text", "event_array": "array"}
CLOCK = "rdtsc alone"
# Nanoseconds more than the clock's.
GOALS = {"three": 8, "text": 15}
THREADS = (1, 2)
RATE, SECONDS, RINGS = 5_000_000, 10, "32M"  # for each of two CPUs


class Ours(hit.Candidate):
    """Each run leaves a recording, which is removed."""

    def cost(self, bench, threads):
        directory = bench.work / "recording"
        try:
            out = bench.command(self.argv[0], threads, self.runs, self.argv[1], directory)
        finally:
            shutil.rmtree(directory, ignore_errors=True)
        values = {name: float(value) for name, value in map(str.split, out.splitlines())}
        return values["hit"] - values["loop"]


def _ours(bench):
    found = []
    runs = 100_000 if bench.quick else 1_000_000
    for form, flags in hit.FLAGS.items():
        main = bench.compile(harness.PROGRAMS / "record.c", *flags, output=f"record-{form}")
        exe = bench.link(main, output=f"record-{form}")
        if not found:
            found.append(Ours(CLOCK, [exe, "clock"], runs))
        typed = {event: f"SDT_EVENT, {EVENTS[as_probe]}" for event, as_probe in TYPED.items()}
        for event, people in {**EVENTS, **typed}.items():
            goal = f"<= rdtsc + {GOALS[event]}" if event in GOALS and form == "inline" else None
            found.append(Ours(f"sdtlink, {form} site: {people}", [exe, event], runs, goal))
    return found


def _lttng(bench, stack):
    peers.need_header("lttng/tracepoint.h")
    exe = hit._plain(bench, "record_lttng.c", "record-lttng", "-I", harness.PROGRAMS)
    environment = stack.enter_context(
        peers.lttng(bench, *(f"record:{event}" for event in EVENTS),
                    told=[f"record:{event}_told" for event in EVENTS]))
    runs = 50_000 if bench.quick else 300_000
    return [hit.Candidate(f"LTTng-UST{with_context}: {people}", [exe, event + suffix], runs,
                          environment=environment)
            for suffix, with_context in (("", ""), ("_told", " with vpid and vtid"))
            for event, people in EVENTS.items()]


def _hits(bench):
    with contextlib.ExitStack() as stack:
        candidates = _ours(bench)
        try:
            candidates += _lttng(bench, stack)
        except peers.Missing as missing:
            bench.skip("record", str(missing))
        hit.take_turns(bench, [(candidate, threads) for candidate in candidates
                               for threads in THREADS], 3 if bench.quick else 7)
    for threads in THREADS:
        for c in candidates:
            values = c.samples[threads]
            bench.record("record", f"{c.what}, {threads} thread{'s' if threads > 1 else ''}",
                         statistics.median(values), "ns", c.goal, least=min(values))


def _rate(bench):
    """RATE events a second, and `sdt record` writing them to disk: what is lost, and how fast."""
    main = bench.compile(harness.PROGRAMS / "record_rate.c", output="record-rate")
    exe = bench.link(main, output="record-rate", flags=("-Wl,-u,sdt_record_create",))
    seconds = 2 if bench.quick else SECONDS
    directory = bench.work / "rate"
    tool = bench.tool.parent.parent / "sdt" / "sdt"
    before = os.times()
    result = bench.complete(tool, "record", "-o", directory, f"--ring={RINGS}", exe, RATE, seconds)
    after = os.times()
    shutil.rmtree(directory, ignore_errors=True)
    match = re.search(r"(\d+) events, (\d+) lost", result.stderr)
    if not match:
        raise SystemExit(f"bench: sdt record said nothing: {result.stderr}")
    events, lost = map(int, match.groups())
    waited, program = map(float, result.stdout.split())
    writer = (after.children_user + after.children_system
              - before.children_user - before.children_system - program)
    seconds += waited / 1e3
    note = f"{RINGS} of rings a CPU; others had the program's CPU for {waited:.0f} ms"
    what = f"{RATE / 1e6:g} million events a second, `sdt record`"
    bench.record("record", f"{what}: in the files", events / seconds / 1e6, "million/s", None, note)
    share = 100 * lost / (events + lost)
    bench.record("record", f"{what}: lost", share, "%", "0", f"{lost} events")
    bench.record("record", f"{what}: the writer's processor time", writer / events * 1e9,
                 "ns an event", None, f"{writer:.2f} s; {writer / events * RATE * 100:.0f} % of a"
                 f" CPU at {RATE / 1e6:g} million a second")


def measure(bench):
    bench.say("recording a hit, ours and LTTng's")
    _hits(bench)
    bench.say(f"recording for {2 if bench.quick else SECONDS} seconds")
    _rate(bench)
