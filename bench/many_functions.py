# SPDX-License-Identifier: BSD-2-Clause
"""What a program of very many functions that are probes costs: until all are armed, and at its
start while none is. Beside XRay, whose sleds are patched all at once, and the same program as it is
without."""
import statistics

import harness
import latency
import peers

AREA = "many-functions"
PER_FILE = 2000


def _sources(bench, count):
    """COUNT functions that do a little, in files as a program has them."""
    paths = []
    for first in range(0, count, PER_FILE):
        path = bench.work / f"many{count}-{first}.c"
        path.write_text("".join(
            f"int many_{i}(int n) {{ return n * {i} + 1; }}\n"
            for i in range(first, min(first + PER_FILE, count))))
        paths.append(path)
    return paths


def _build(bench, name, compiler, count, main, functions):
    """All with `sdtlink --functions`, or none; the runtime is in both."""
    launcher = (bench.tool, f"--runtime-directory={bench.runtime.parent}")
    if functions:
        launcher += ("--functions=many_*",)
    exe = bench.work / name
    bench.command(*launcher, compiler, "-O1", "-I", bench.include, main, *_sources(bench, count),
                  "-pthread", "-o", exe)
    return exe


def _enabling(bench, compiler, count):
    """In the process, as in latency.py: each site, of which a function has two, is written by a
    system call of its own, or in one window for all."""
    exe = _build(bench, f"many-{compiler}", compiler, count, harness.PROGRAMS / "toggle.c", True)
    for label, environment in (("", {}), (", SDT_UNLOCK_TEXT=1", {"SDT_UNLOCK_TEXT": "1"})):
        out = bench.command("env", *(f"{k}={v}" for k, v in environment.items()), exe,
                            "fn::many_*:*", 15, 0)
        values = {name: median for name, [median] in latency.values(out).items()}
        for what in ("enable", "disable"):
            bench.record(AREA, f"{what} {count} functions, {compiler}{label}", values[what] / 1e6,
                         "ms", "<= 20" if what == "enable" else None,
                         f"{values['sites']:.0f} sites; first {values['cold'] / 1e6:.3g}"
                         if what == "enable" else "", values[f"{what}_least"] / 1e6)


def _enabling_xray(bench, count):
    peers.need("clang")
    exe = bench.work / "many-xray"
    bench.command("clang", "-O1", "-fxray-instrument", "-fxray-instruction-threshold=1",
                  *_sources(bench, count), harness.PROGRAMS / "xray_patch.c", "-o", exe)
    values = latency.values(bench.command(exe, 15))
    for what in ("enable", "disable"):
        bench.record(AREA, f"{what} {count} functions, XRay", statistics.median(values[what]) / 1e6,
                     "ms", None, "makes text writable and executable", min(values[what]) / 1e6)


def _starting(bench, compiler, count):
    names = {True: f"startup-functions-{compiler}", False: f"startup-plain-{compiler}"}
    programs = [_build(bench, name, compiler, count, harness.PROGRAMS / "startup.c", functions)
                for functions, name in names.items()]
    dirty = bench.command(programs[0], "pages").split()[1]
    bench.record(AREA, f"text pages dirtied, {compiler}", int(dirty), "pages", "0")
    costs = harness.paired(bench, [[program] for program in programs], 41)
    probed, plain = (cost.wall * 1e6 for cost in costs)
    bench.record(AREA, f"start to exit, {count} functions, {compiler}", probed, "us", None,
                 "median of 41")
    bench.record(AREA, f"start to exit, without, {compiler}", plain, "us", None, "median of 41")
    bench.record(AREA, f"difference, {compiler}", probed - plain, "us", "<= 30")


def measure(bench):
    armed, started = (1000, 5000) if bench.quick else (10_000, 100_000)
    bench.say(f"{armed} functions that are armed, and {started} that are not")
    for compiler in ("gcc", "clang"):
        try:
            peers.need(compiler)
            _enabling(bench, compiler, armed)
            _starting(bench, compiler, started)
        except peers.Missing as missing:
            bench.skip(AREA, str(missing))
    try:
        _enabling_xray(bench, armed)
    except peers.Missing as missing:
        bench.skip(AREA, str(missing))
