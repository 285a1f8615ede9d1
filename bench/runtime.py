# SPDX-License-Identifier: BSD-2-Clause
"""Enabling, disabling, and the cost of a hit, measured inside one program by its own clock."""
import harness
import sites


def _times(bench, exe, *argv):
    """The `name value` lines that a benchmark program prints, as floats."""
    pairs = (line.split() for line in bench.command(exe, *argv).splitlines())
    return {name: float(value) for name, value in pairs}


def _toggle(bench):
    count = 10_000 if bench.quick else 65_000
    bench.say(f"enabling and disabling 1, 1 000 and {count} sites")
    main = bench.compile(harness.PROGRAMS / "toggle.c", output="toggle-main")
    exe = bench.link(main, sites.processed(bench, count), output="toggle")
    times = _times(bench, exe)
    for what in ("one site", "1000 sites", "all sites"):
        key = what.replace(" ", "_")
        number = int(times[key + "_count"])
        for phase in ("cold_enable", "warm_enable", "warm_disable"):
            nanoseconds = times[f"{key}_{phase}"]
            bench.record(
                "runtime",
                f"{phase.replace('_', ' ')}, {number} sites",
                nanoseconds / 1e3,
                "us",
                None,
                f"{nanoseconds / number:.0f} ns a site",
            )


def _hit(bench):
    bench.say("hitting a call site and a tail site: off, counting, with an empty handler")
    exe = bench.link(bench.compile(harness.PROGRAMS / "hit.c", output="hit-main"), output="hit")
    times = _times(bench, exe, "100000" if bench.quick else "1000000")
    for key, what in (
        ("empty", "loop without a probe"),
        ("off", "call site, off"),
        ("count", "call site, jump, SDT_COUNT"),
        ("handler", "call site, jump, empty handler"),
        ("trap_count", "call site, breakpoint, SDT_COUNT"),
        ("trap_handler", "call site, breakpoint, empty handler"),
        ("tail_off", "tail site (and its function), off"),
        ("tail_count", "tail site, jump, SDT_COUNT"),
        ("tail_handler", "tail site, jump, empty handler"),
        ("int3", "for scale: a bare int3, empty signal handler"),
        ("getppid", "for scale: one getppid()"),
    ):
        bench.record("runtime", what, times[key], "ns a run")


def measure(bench):
    _toggle(bench)
    _hit(bench)
