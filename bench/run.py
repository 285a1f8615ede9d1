#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Reproduces every number that the documentation claims: a table, and JSON beside it.

    bench/run.py [--build DIR] [--json FILE] [--libraries DIR] [--quick] [AREA...]

Areas: tool (sdtlink on an object of 1 GB against cp and objcopy), small (a thousand small objects),
linear (up to a million sites), link (what a whole link costs more), launcher (what `sdtlink CC`
adds to links with probes and without, by all linkers), startup (a program with 100 000
sites), runtime (enabling, disabling, and the cost of a hit). --quick uses smaller inputs: good for
trying the benchmark itself, not for quoting. --libraries names a directory in which packages with
static libraries were unpacked (dpkg -x), if they are not installed.
"""
import argparse
import pathlib
import tempfile

import big_object
import harness
import launcher
import linear
import runtime
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
    "runtime": runtime.measure,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=harness.ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path, help="where to write the rows as JSON")
    parser.add_argument("--libraries", type=pathlib.Path, default=harness.SYSTEM)
    parser.add_argument("--quick", action="store_true", help="small inputs")
    parser.add_argument("area", nargs="*", choices=[*AREAS, []], help="default: all")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="sdt-bench-") as work:
        bench = harness.Bench(
            options.build.resolve(), pathlib.Path(work), options.quick, options.libraries
        )
        for area in options.area or AREAS:
            AREAS[area](bench)
    harness.show(bench.rows)
    if options.json:
        harness.save(options.json, bench.rows)


if __name__ == "__main__":
    main()
