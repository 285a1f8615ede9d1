#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures the numbers that the documentation claims: a table, and JSON, from which pages are made.

    bench/run.py [--build DIR] [--json FILE] [--results DIR] [--libraries DIR] [--quick] [AREA...]

Areas: tool (sdtlink on an object of 1 GB against cp and objcopy), small (a thousand small objects),
linear (up to a million sites), link (what a whole link costs more), launcher (what `sdtlink CC`
adds to links with probes and without, by all linkers), startup (a program with 100 000
sites), disabled, hit and latency (what probes cost that are off, that are hit, and until they are
on, each beside other tracers), record (what it costs to record a hit, beside LTTng-UST, and whether
5 million a second can be kept up), context (what the ids of a trace add to that), live (what a live
aggregation costs at a hit, beside bpftrace's maps), attach (how long it takes to attach to a
process that runs, beside perf and bpftrace), page (a million events in the page of sdt report
--html), functions, functions-aarch64 and functions-riscv64 (probes that are off in each function of
Lua), every-function (what `sdtlink --functions` costs a call, off and on, beside XRay, uftrace,
uprobes and others), many-functions (until 10 000 functions are armed, and the start of a program of
100 000), instructions and instructions-riscv64 (of a hit; on aarch64 and riscv64), compile (what a
probe costs to compile).
--quick uses smaller inputs: good for trying the benchmark itself, not for quoting.
--libraries names a directory in which packages with static libraries were unpacked (dpkg -x), if
they are not installed.

Rows and progress are shown on standard error as they come, and all rows together at the end.
--json FILE has the rows of all areas of this run. --results DIR has a file for each area,
DIR/AREA.json, which is written when the area is done; bench/results/MACHINE is such a directory,
and `bench/pages.py --write` makes tables, numbers and pictures of the pages from it.
"""
import argparse
import pathlib
import sys
import tempfile
import time

import attaching
import big_object
import compiling
import context
import disabled
import every_function
import functions
import harness
import hit
import instructions
import launcher
import latency
import linear
import live
import many_functions
import page
import recording
import results
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
    "every-function": every_function.measure,
    "many-functions": many_functions.measure,
    "functions-aarch64": functions.measure_aarch64,
    "functions-riscv64": functions.measure_riscv64,
    "compile": compiling.measure,
    "hit": hit.measure,
    "instructions": instructions.measure,
    "instructions-riscv64": instructions.measure_riscv64,
    "record": recording.measure,
    "context": context.measure,
    "live": live.measure,
    "attach": attaching.measure,
    "latency": latency.measure,
    "page": page.measure,
}


def _save(path, areas, is_quick, rows, load):
    """LOAD: of the minute before and of the last one, in which the benchmark itself ran."""
    words = ["./run", "bench", *areas, *(["--quick"] if is_quick else [])]
    results.save(path, f"written by {' '.join(words)}", {**results.machine(), "load": load}, rows)


def _measure(bench, options, areas):
    """Each area in turn; the load before the first one."""
    results.machine()
    first = before = results.load()
    for number, area in enumerate(areas, 1):
        count, start = len(bench.rows), time.monotonic()
        bench.say(f"[{number}/{len(areas)}] {area}")
        AREAS[area](bench)
        bench.say(f"[{number}/{len(areas)}] {area}: {time.monotonic() - start:.0f} s")
        if options.results:
            _save(options.results / f"{area}.json", [area], options.quick, bench.rows[count:],
                  [before, results.load()])
        before = results.load()
    return first


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=harness.ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path, help="where to write all rows")
    parser.add_argument("--results", type=pathlib.Path, metavar="DIR",
                        help="where to write the rows of each area, as AREA.json")
    parser.add_argument("--libraries", type=pathlib.Path, default=harness.SYSTEM)
    parser.add_argument("--quick", action="store_true", help="small inputs")
    parser.add_argument("area", nargs="*", choices=[*AREAS, []], help="default: all")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="sdt-bench-") as work:
        bench = harness.Bench(
            options.build.resolve(), pathlib.Path(work), options.quick, options.libraries
        )
        load = _measure(bench, options, options.area or list(AREAS))
    harness.show(bench.rows)
    if options.json:
        _save(options.json, options.area, options.quick, bench.rows, [load, results.load()])
    if options.results and options.results.resolve().parent == results.DIRECTORY:
        print("bench: bench/pages.py --write prints them into the pages", file=sys.stderr)


if __name__ == "__main__":
    main()
