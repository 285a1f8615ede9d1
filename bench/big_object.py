# SPDX-License-Identifier: BSD-2-Clause
"""sdtlink on a large partially linked object, against cp and objcopy of the same file.

The object is made of static libraries that others wrote (LLVM, ICU, OpenSSL: C and C++, tens of
thousands of COMDAT groups and sections) and of our own object with 100 000 probe sites, all of it
partially linked by `ld -r`. cp is the floor: it reads and writes every byte once.
"""
import pathlib

import harness
import sites

GOAL = 1.3
LIBRARIES = (
    "/usr/lib/llvm-14/lib/libLLVM*.a",
    "/usr/lib/x86_64-linux-gnu/libicu*.a",
    "/usr/lib/x86_64-linux-gnu/libcrypto.a",
)


def _libraries(quick):
    patterns = LIBRARIES[2:] if quick else LIBRARIES
    found = []
    for pattern in patterns:
        directory, _, name = pattern.rpartition("/")
        found += sorted(pathlib.Path(directory).glob(name))
    if not found:
        raise SystemExit("bench: no static libraries: install libssl-dev, llvm-dev, libicu-dev")
    return [path for path in found if not path.is_symlink()]


def _partial_link(bench, libraries):
    """One ET_REL of everything. Libraries that clash with an earlier one are left out."""
    probes = sites.objects(bench, 10_000 if bench.quick else 100_000, 1000)
    output = bench.work / "big.o"
    bench.command("ld", "-r", "-z", "muldefs", "-o", output, *probes, "--whole-archive", *libraries)
    return output


def measure(bench):
    bench.say("partially linking static libraries and 100 000 probe sites into one object")
    big = _partial_link(bench, _libraries(bench.quick))
    size = big.stat().st_size
    bench.say(f"{size / 1e6:.0f} MB; timing cp, sdtlink and objcopy on it")
    out, copy, strip = (bench.work / name for name in ("out.o", "copy.o", "objcopy.o"))
    cp, tool, objcopy = harness.paired(
        [
            ["cp", "--reflink=never", big, copy],
            [bench.tool, "-q", "-o", out, big],
            ["objcopy", big, strip],
        ],
        5,
    )
    area = "tool"
    bench.record(area, "size of the object", size / 1e6, "MB", ">= 200")
    bench.record(area, "cp --reflink=never", cp * 1e3, "ms")
    bench.record(area, "sdtlink", tool * 1e3, "ms")
    bench.record(area, "objcopy", objcopy * 1e3, "ms")
    bench.record(area, "sdtlink / cp", tool / cp, "x", f"<= {GOAL}", "median of 5, warm, in turn")
    bench.record(area, "objcopy / cp", objcopy / cp, "x")
    peak = harness.peak_memory([bench.tool, "-q", "-o", out, big])
    bench.record(area, "peak memory / size", peak / size, "x", "<= 1.2")
