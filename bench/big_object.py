# SPDX-License-Identifier: BSD-2-Clause
"""sdtlink on large partially linked objects, against cp and objcopy of the same files.

The objects are made of static libraries that others wrote (LLVM, ICU, OpenSSL) and of our own
objects with 20 000 probe sites, partially linked by `ld -r`: once as it comes, with a section and
a COMDAT group for nearly every C++ function, some 260 000 sections; and once with the sections
merged, as kernels and C programs are. cp is the floor: it reads and writes every byte once.
"""
import pathlib

import harness
import sites

GOAL = 1.3
LIBRARIES = (
    "/usr/lib/llvm-*/lib/libLLVM*.a",
    "/usr/lib/x86_64-linux-gnu/libicu*.a",
    "/usr/lib/x86_64-linux-gnu/libcrypto.a",
)
MERGE = ("--force-group-allocation", "-T", harness.PROGRAMS / "merge.ld")


def _libraries(quick):
    found = []
    for pattern in LIBRARIES[2:] if quick else LIBRARIES:
        found += sorted(pathlib.Path("/").glob(pattern.lstrip("/")))
    if not found:
        raise SystemExit("bench: no static libraries: install libssl-dev, llvm-dev, libicu-dev")
    return [path for path in found if not path.is_symlink()]


def _partial_link(bench, name, *options):
    """One ET_REL of everything. Of names that several libraries define, the first counts."""
    output = bench.work / name
    count = 1_000 if bench.quick else 20_000
    inputs = sites.objects(bench, count, 1000)
    libraries = _libraries(bench.quick)
    bench.command(
        "ld", "-r", "-z", "muldefs", *options, "-o", output, *inputs, "--whole-archive", *libraries
    )
    return output


def _fresh(path, *argv):
    """A command that writes PATH, which must not exist: replacing a file costs time of its own."""
    return ["sh", "-c", 'rm -f "$0"; exec "$@"', path, *argv]


def _compare(bench, area, big):
    size = big.stat().st_size
    bench.say(f"{size / 1e6:.0f} MB; timing cp, sdtlink and objcopy on it")
    out, copy, other = (bench.work / name for name in ("out.o", "copy.o", "objcopy.o"))
    process = [bench.tool, "-q", "-o", out, big]
    remove, cp, tool = harness.paired(
        [
            _fresh(out, "true"),
            _fresh(copy, "cp", "--reflink=never", big, copy),
            _fresh(out, *process),
        ],
        5,
    )
    objcopy = harness.wall(["objcopy", big, other], 1)
    cp, tool = cp - remove, tool - remove
    bench.record(area, "size of the object", size / 1e6, "MB", ">= 200")
    bench.record(area, "cp --reflink=never", cp * 1e3, "ms")
    bench.record(area, "sdtlink", tool * 1e3, "ms")
    bench.record(area, "objcopy", objcopy * 1e3, "ms")
    bench.record(area, "sdtlink / cp", tool / cp, "x", f"<= {GOAL}", "median of 5, warm, in turn")
    bench.record(area, "objcopy / cp", objcopy / cp, "x")
    peak = harness.peak_memory(process)
    bench.record(area, "peak memory / size", peak / size, "x", "<= 1.2")


def measure(bench):
    bench.say("partially linking static libraries and probe sites, sections merged")
    _compare(bench, "tool, few sections", _partial_link(bench, "few.o", *MERGE))
    bench.say("the same with a section per function")
    _compare(bench, "tool, many sections", _partial_link(bench, "many.o"))
