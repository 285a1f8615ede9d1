# SPDX-License-Identifier: BSD-2-Clause
"""What it costs a function to be a probe (`sdtlink --functions`): off, counted, with its time, and
recorded; beside what else there is for functions.

One program calls an instrumented function and one that is not, as in hit.py; every figure is of one
call, its entry and its return together. What does nothing while it is off, and what is counted in
the process, is counted in instructions as well, by callgrind.
"""
import os
import re
import statistics

import harness
import hit
import peers

SOURCE = harness.PROGRAMS / "every_function.c"
XRAY = ("-fxray-instrument", "-fxray-instruction-threshold=1")
AREA = "every-function"


class Call(hit.Candidate):
    """COMMAND runs the program, whose words come after it."""

    def __init__(self, what, command, exe, runs, words=(), **kwargs):
        super().__init__(what, [exe, *words], runs, **kwargs)
        self.command = command

    def cost(self, bench, threads):
        out = bench.command(*self.command, self.argv[0], threads, self.runs, *self.argv[1:],
                            env=self.environment)
        values = dict(re.findall(r"^(hit|loop) ([0-9.]+)$", out, re.M))
        return float(values["hit"]) - float(values["loop"])


def _build(bench, name, compiler, *flags, launcher=()):
    exe = bench.work / name
    bench.command(*launcher, compiler, "-O2", *flags, SOURCE, "-pthread", "-o", exe)
    return exe


def _ours(bench, scale):
    """With libsdt.so, which tools find in a program that calls nothing of it."""
    directory = bench.runtime.parent
    sdt = bench.tool.parent.parent / "sdt" / "sdt"
    base = {**os.environ, "LD_LIBRARY_PATH": str(directory)}
    launcher = (bench.tool, f"--runtime-directory={directory}", "--functions", "--runtime=shared")
    found = []
    for compiler in ("gcc", "clang"):
        exe = _build(bench, f"ours-{compiler}", compiler, launcher=launcher)
        record = {**base, "SDT_ENABLE": "fn::work:*=record", "SDT_RECORD_OPTIONS": "flight",
                  "SDT_RECORD": str(bench.work / f"recording-{compiler}")}
        count = {**base, "SDT_ENABLE": "fn::work:*=count"}
        name = f"sdtlink --functions {compiler}"
        found += [
            Call(f"{name}: off", (), exe, 50_000_000 // scale, environment=base),
            Call(f"{name}: counted", (), exe, 5_000_000 // scale, environment=count),
            Call(f"{name}: sdt lat", (sdt, "lat", "work", "--"), exe, 1_000_000 // scale,
                 environment=base, goal="<= 2 x (rdtsc + 12 ns)"),
            Call(f"{name}: recorded", (), exe, 1_000_000 // scale, environment=record),
        ]
    return found


def _instrument_functions(bench, scale):
    flags = ("-finstrument-functions", harness.PROGRAMS / "every_function_hooks.c")
    return [Call(f"{compiler} -finstrument-functions: empty hooks", (),
                 _build(bench, f"cyg-{compiler}", compiler, *flags), 5_000_000 // scale)
            for compiler in ("gcc", "clang")]


def _xray(bench, scale):
    peers.need("clang")
    exe = _build(bench, "xray", "clang", *XRAY)
    fdr = {**os.environ, "XRAY_OPTIONS": "patch_premain=true xray_mode=xray-fdr verbosity=0 "
           f"xray_logfile_base={bench.work}/fdr."}
    return [Call("XRay: off", (), exe, 50_000_000 // scale),
            Call("XRay: FDR mode", (), exe, 1_000_000 // scale, environment=fdr)]


def _uftrace(bench, scale):
    """The way that its documentation begins with; and its own dynamic tracing, which is off until
    it changes the text."""
    peers.need("uftrace")
    calls = _build(bench, "uftrace-pg", "gcc", "-pg", "-mfentry")
    nops = _build(bench, "uftrace-nops", "gcc", "-fpatchable-function-entry=5")
    record = ("uftrace", "record", "--no-libcall", "-d", bench.work / "uftrace.data")
    return [Call("uftrace, NOPs: off", (), nops, 50_000_000 // scale),
            Call("uftrace record, NOPs", (*record, "-P", "^work$"), nops, 200_000 // scale),
            Call("uftrace record, -pg", record, calls, 200_000 // scale)]


def _uprobes(bench, scale):
    peers.need_uprobes()
    exe = _build(bench, "uprobes", "gcc")
    return [Call("perf uprobe and uretprobe: counted", (), exe, 50_000 // scale,
                 words=[peers.symbol_address(bench, exe, "work")])]


def _candidates(bench):
    scale, found = 10 if bench.quick else 1, []
    for maker in (_ours, _instrument_functions, _xray, _uftrace, _uprobes):
        try:
            found += maker(bench, scale)
        except peers.Missing as missing:
            bench.skip(AREA, str(missing))
    return found


# ---- instructions ----

def _instructions(bench, call):
    """Of one call, more than of one that is not instrumented."""
    def of(runs):
        out = bench.work / "callgrind.out"
        bench.command("valgrind", "-q", "--tool=callgrind", "--smc-check=all",
                      "--compress-strings=no", f"--callgrind-out-file={out}", call.argv[0], 1, runs,
                      env=call.environment)
        functions, name = {}, None
        for line in out.read_text().splitlines():
            if found := re.match(r"fn=(.*)$", line):
                name = found[1]
            elif found := re.match(r"[+*\d-]\S* (\d+)$", line):
                # What it calls is counted with it, and so is what its site jumps to.
                functions[name] = functions.get(name, 0) + int(found[1])
        return functions.get("work", 0) - functions.get("bare", 0)
    return (of(20_000) - of(10_000)) / 11_000


def _count_instructions(bench, calls):
    peers.need("valgrind")
    for call in calls:
        if call.what.endswith((": off", ": counted", "empty hooks")) and "perf" not in call.what:
            bench.record(AREA, f"{call.what}, instructions", _instructions(bench, call),
                         "instructions", None, "callgrind, without rseq(2)")


def _record_clock(bench, call):
    """What the goal is made of."""
    out = bench.command(call.argv[0], 1, call.runs, env=call.environment)
    values = {name: float(value) for name, value in map(str.split, out.splitlines())}
    bench.record(AREA, "rdtsc", values["clock"] - values["empty"], "ns")


def measure(bench):
    bench.say("functions that are probes, and their peers")
    calls = _candidates(bench)
    try:
        _count_instructions(bench, calls)
    except peers.Missing as missing:
        bench.skip(AREA, str(missing))
    _record_clock(bench, calls[0])
    hit.take_turns(bench, [(call, 1) for call in calls], 3 if bench.quick else 5)
    for call in calls:
        values = call.samples[1]
        bench.record(AREA, call.what, statistics.median(values), "ns a call", call.goal, call.note,
                     min(values))
