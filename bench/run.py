#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Reproduces every number that the documentation claims: a table, and JSON beside it.

    bench/run.py [--build DIR] [--json FILE] [--quick] [AREA...]

Areas: tool (sdtlink on a big object against cp and objcopy), startup (a program with 100 000
sites), runtime (enabling, disabling, and the cost of a hit). --quick uses smaller inputs: good for
trying the benchmark itself, not for quoting.
"""
import argparse
import pathlib
import tempfile

import big_object
import harness
import runtime
import startup

AREAS = {"tool": big_object.measure, "startup": startup.measure, "runtime": runtime.measure}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=harness.ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path, help="where to write the rows as JSON")
    parser.add_argument("--quick", action="store_true", help="small inputs")
    parser.add_argument("area", nargs="*", choices=[*AREAS, []], help="default: all")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="sdt-bench-") as work:
        bench = harness.Bench(options.build.resolve(), pathlib.Path(work), options.quick)
        for area in options.area or AREAS:
            AREAS[area](bench)
    harness.show(bench.rows)
    if options.json:
        harness.save(options.json, bench.rows)


if __name__ == "__main__":
    main()
