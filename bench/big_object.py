# SPDX-License-Identifier: BSD-2-Clause
"""sdtlink on large partially linked objects, against cp and objcopy of the same files.

The objects are made of static libraries that others wrote (LLVM, clang, MLIR, ICU, OpenSSL) and of
our own objects with 100 000 probe sites, partially linked: once as it comes (ld.lld -r), with a
section and a COMDAT group for nearly every C++ function, more than a million sections; and once
with the sections merged (ld -r with a script), as kernels and C programs are. cp is the floor: it
reads and writes every byte once.
"""
import re
import subprocess

import harness
import sites

GOAL = 0.8
# Several versions of one library: most of their functions differ, and the sum is over 1 GB.
LIBRARIES = (
    "usr/lib/llvm-*/lib/lib*.a",
    "usr/lib/x86_64-linux-gnu/libicu*.a",
    "usr/lib/x86_64-linux-gnu/libcrypto.a",
)
# BOLT's runtime, which only BOLT links: it names hidden symbols that no library has.
NOT_LINKABLE = "libbolt_rt_"
MERGE = ("--force-group-allocation", "-T", harness.PROGRAMS / "merge.ld")
# Seconds. objcopy takes 30 for 260 000 sections, and the time grows faster than they do.
PATIENCE = 100


def libraries(bench):
    """The static libraries, from / and from where --libraries says that packages were unpacked."""
    found = []
    for root in dict.fromkeys((bench.libraries, harness.SYSTEM)):
        for pattern in LIBRARIES[2:] if bench.quick else LIBRARIES:
            found += sorted(path for path in root.glob(pattern)
                            if not path.is_symlink() and not path.name.startswith(NOT_LINKABLE))
    if not found:
        raise SystemExit("bench: no static libraries; `./run bench` installs the packages")
    return found


def _partial_links(bench):
    """Two ET_REL of everything. Of names that several libraries define, the first counts."""
    many, few = bench.work / "many.o", bench.work / "few.o"
    inputs = sites.objects(bench, 1_000 if bench.quick else 100_000, 1000)
    whole = ["--whole-archive", *libraries(bench)]
    bench.say("  ld.lld -r")
    bench.command("ld.lld", "-r", "-z", "muldefs", "-o", many, *inputs, *whole)
    bench.say("  ld -r, sections merged")
    bench.command("ld", "-r", *MERGE, "-o", few, many)
    return many, few


def _objcopy(bench, area, big, cp):
    out = bench.work / "objcopy.o"
    bench.say("  objcopy")
    try:
        subprocess.run(["objcopy", big, out], check=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        bench.record(area, "objcopy", PATIENCE, "s", None, "stopped: it was not done by then")
        return
    finally:
        out.unlink(missing_ok=True)
    cost, = harness.paired(bench, [["objcopy", big, out]], 1, (out,))
    bench.record(area, "objcopy", cost.wall * 1e3, "ms")
    bench.record(area, "objcopy / cp", cost.wall / cp.wall, "x")


def _sections(bench, big):
    """If they are too many for the header's field, readelf prints the number in parentheses."""
    found = re.search(r"Number of section headers: +(\d+)(?: \((\d+)\))?",
                      bench.command("readelf", "-hW", big))
    return int(found[2] or found[1])


def _compare(bench, area, big):
    size = big.stat().st_size
    bench.say(f"{size / 1e6:.0f} MB; timing cp, sdtlink and objcopy on it")
    out, copy = bench.work / "out.o", bench.work / "copy.o"
    process = [bench.tool, "-q", "-o", out, big]
    cp, tool = harness.paired(
        bench, [["cp", "--reflink=never", big, copy], process], 5 if bench.quick else 7,
        (out, copy),
    )
    bench.record(area, "size of the object", size / 1e6, "MB", ">= 1000")
    bench.record(area, "sections", _sections(bench, big), "")
    bench.record(area, "cp --reflink=never", cp.wall * 1e3, "ms", None, f"CPU {cp.cpu * 1e3:.0f}")
    bench.record(area, "sdtlink", tool.wall * 1e3, "ms", None, f"CPU {tool.cpu * 1e3:.0f}")
    bench.record(
        area, "sdtlink / cp", tool.wall / cp.wall, "x", f"<= {GOAL}", "medians, warm, in turn"
    )
    bench.record(area, "sdtlink / cp, CPU time", tool.cpu / cp.cpu, "x")
    peak = harness.peak_memory(process)
    bench.record(area, "peak memory / size", peak / size, "x", "<= 1.2")
    for path in (out, copy):
        path.unlink(missing_ok=True)
    _objcopy(bench, area, big, cp)


def measure(bench):
    bench.say("partially linking static libraries and probe sites (takes some minutes)")
    many, few = _partial_links(bench)
    _compare(bench, "tool, few sections", few)
    _compare(bench, "tool, many sections", many)
    many.unlink()
    few.unlink()
