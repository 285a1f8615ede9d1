#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Reproduces every number that the documentation claims: a table, and JSON beside it.

    bench/run.py [--build DIR] [--json FILE] [--markdown FILE] [--plot FILE] [--libraries DIR]
                 [--quick] [AREA...]

Areas: tool (sdtlink on an object of 1 GB against cp and objcopy), small (a thousand small objects),
linear (up to a million sites), link (what a whole link costs more), launcher (what `sdtlink CC`
adds to links with probes and without, by all linkers), startup (a program with 100 000
sites), disabled, hit and latency (what probes cost that are off, that are hit, and until they are
on, each beside other tracers), record (what it costs to record a hit, beside LTTng-UST, and whether
5 million a second can be kept up), live (what a live aggregation costs at a hit, beside bpftrace's
maps), attach (how long it takes to look into a process that runs, beside perf and bpftrace), page
(a million events in the page of sdt report --html), functions (probes that are off in
each function of Lua), compile (what a probe costs to compile). --quick uses smaller inputs: good
for trying the benchmark itself, not for quoting. --libraries names a directory in which packages
with static libraries were unpacked (dpkg -x), if they are not installed. --plot draws the rows of
`hit` as a picture. Rows are shown on standard error as they come, and all together at the end.
"""
import argparse
import pathlib
import tempfile

import attaching
import big_object
import compiling
import disabled
import functions
import harness
import hit
import launcher
import latency
import linear
import live
import page
import plot
import recording
import small_objects
import startup
import whole_link

AREAS = {
    "tool": big_object.measure,
    "small": small_objects.measure,
    "linear": linear.measure,
    "link": whole_link.measure,
    "launcher": launcher.measure,
    "startup": startup.measure,
    "disabled": disabled.measure,
    "functions": functions.measure,
    "compile": compiling.measure,
    "hit": hit.measure,
    "record": recording.measure,
    "live": live.measure,
    "attach": attaching.measure,
    "latency": latency.measure,
    "page": page.measure,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=harness.ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path, help="where to write the rows as JSON")
    parser.add_argument("--markdown", type=pathlib.Path, help="where to write them as a page")
    parser.add_argument("--plot", type=pathlib.Path, help="where to draw the hits, as SVG")
    parser.add_argument("--libraries", type=pathlib.Path, default=harness.SYSTEM)
    parser.add_argument("--quick", action="store_true", help="small inputs")
    parser.add_argument("area", nargs="*", choices=[*AREAS, []], help="default: all")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="sdt-bench-") as work:
        bench = harness.Bench(
            options.build.resolve(), pathlib.Path(work), options.quick, options.libraries
        )
        areas = options.area or list(AREAS)
        for number, area in enumerate(areas, 1):
            bench.say(f"[{number}/{len(areas)}] {area}")
            AREAS[area](bench)
    harness.show(bench.rows)
    if options.plot:
        options.plot.write_text(plot.hits(bench.rows))
    if options.markdown:
        options.markdown.write_text(harness.markdown(bench.rows))
    if options.json:
        harness.save(options.json, bench.rows)


if __name__ == "__main__":
    main()
