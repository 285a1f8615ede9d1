# SPDX-License-Identifier: BSD-2-Clause
"""What probes cost a link: all of the libraries, and a hundred objects with 1 000 sites each.

The control is the same hundred objects compiled with -DSDT_DISABLE. Two costs are told apart: what
the linker needs longer, since each site has a record with seven relocations; and what sdtlink
needs to process the hundred objects before the link. Both together, and the look into all the
libraries, are what the launcher costs, which processes the objects at the link: measured with the
link, and by itself with a program in the linker's place that does nothing.
"""
import pathlib

import big_object
import harness
import sites

GOAL = 1.03


def _links(bench, linker, inputs, libraries, out):
    """Everything is in: undefined is what belongs to libraries that are not linked here."""
    script = ["--whole-archive", *libraries, "--no-whole-archive", bench.runtime]
    options = ["-z", "muldefs", "--unresolved-symbols=ignore-all", "-e", "0"]
    return [linker, *options, "-o", out, *inputs, *script]


def _linkers():
    """Every version of lld that is installed."""
    found = pathlib.Path("/usr/bin").glob("ld.lld-*")
    return sorted((path.name for path in found), key=lambda name: int(name.rpartition("-")[2]))


def measure(bench):
    count = 2_000 if bench.quick else 100_000
    bench.say(f"linking all libraries with {count} sites, processed and compiled without")
    raw = sites.objects(bench, count, 1000, prefix="w")
    control = sites.objects(bench, count, 1000, "-DSDT_DISABLE", prefix="c")
    processed = [path.with_suffix(".sdt.o") for path in raw]
    libraries = big_object.libraries(bench)
    out = bench.work / "linked"

    def process(path, to):
        return [bench.tool, "-q", "-o", to, path]

    tool, = harness.rounds(bench, [[process(*pair) for pair in zip(raw, processed)]], 5)
    idle = bench.idle_linkers / "ld.lld"
    launcher = [bench.tool, "--ld", *_links(bench, idle, raw, libraries, out)]
    alone, = harness.paired(bench, [launcher], 3 if bench.quick else 21)
    for linker in _linkers():
        area = f"link, {linker}"
        launched = [bench.tool, "--ld", *_links(bench, linker, raw, libraries, out)]
        with_probes, without, by_launcher = harness.paired(
            bench,
            [*(_links(bench, linker, inputs, libraries, out) for inputs in (processed, control)),
             launched],
            3 if bench.quick else 5,
            (out,),
        )
        runs = f"{len(raw)} runs, one after another"
        both = with_probes.cpu + tool.cpu
        for what, value, unit, goal, note in (
            ("size of the program", out.stat().st_size / 1e6, "MB", None, ""),
            ("link without probes", without.wall, "s", None, f"{without.cpu:.2f} s of CPU"),
            ("link with probes", with_probes.wall, "s", None, f"{with_probes.cpu:.2f} s of CPU"),
            ("sdtlink on the inputs", tool.wall, "s", None, f"{tool.cpu:.2f} s of CPU, {runs}"),
            ("the linker alone", with_probes.cpu / without.cpu, "x", None, "CPU time"),
            ("sdtlink / link", tool.cpu / without.cpu, "x", None, "CPU time"),
            ("all", both / without.cpu, "x", f"<= {GOAL}", "CPU time"),
            ("sdtlink --ld alone / link", alone.cpu / without.cpu, "x", "<= 0.03",
             f"CPU time, {alone.cpu * 1e3:.0f} ms"),
            ("sdtlink --ld alone / link, time that passes", alone.wall / without.wall, "x",
             "<= 0.03", f"{alone.wall * 1e3:.0f} ms"),
            ("sdtlink --ld", by_launcher.cpu / without.cpu, "x", f"<= {GOAL}", "CPU time"),
            ("sdtlink --ld, time that passes", by_launcher.wall / without.wall, "x", None, ""),
        ):
            bench.record(area, what, value, unit, goal, note)
