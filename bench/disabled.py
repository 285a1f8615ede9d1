# SPDX-License-Identifier: BSD-2-Clause
"""What disabled probes cost, beside those of the peers.

Two loops (processor time, schemes in turn, medians), and one program with a thousand functions of
one probe each: bytes of code and of everything loaded, pages of text written at start-up, time from
start to exit. The same sources without probes are the measure.
"""
import os
import re
import statistics

import harness
import peers

SITES = 1000
ALONE = "-DSDT_STANDALONE"  # as sdt.h has it
# Scheme: compiler, its flags, and those of the link.
SCHEMES = {
    "no probe": ("gcc", (), ()),
    "sdtlink, call sites": ("gcc", ("-DWITH_SDT", "-DSDT_CALL_SITES"), ()),
    "sdtlink, inline sites": ("gcc", ("-DWITH_SDT",), ()),
    "sdt.h alone": ("gcc", ("-DWITH_SDT", ALONE), ()),
    "<sys/sdt.h>": ("gcc", ("-DWITH_STAP",), ()),
    "flag, load-test-branch": ("gcc", ("-DWITH_FLAG",), ()),
    "LTTng-UST": ("gcc", ("-DWITH_LTTNG",), ("-llttng-ust", "-ldl")),
    "no probe, clang": ("clang", (), ()),
    "sdtlink, inline sites, clang": ("clang", ("-DWITH_SDT",), ()),
    "sdt.h alone, clang": ("clang", ("-DWITH_SDT", ALONE), ()),
    "<sys/sdt.h>, clang": ("clang", ("-DWITH_STAP",), ()),
}
FUNCTIONS = {
    "XRay, a function": ("clang", ("-fxray-instrument", "-fxray-instruction-threshold=1"), ()),
    "-finstrument-functions, a function": ("gcc", ("-finstrument-functions",), ()),
}
EACH = {"sdtlink, inline sites, a probe each": ("gcc", ("-DWITH_SDT", "-DPROBE_EACH"), ())}
HEADERS = {"<sys/sdt.h>": "sys/sdt.h", "<sys/sdt.h>, clang": "sys/sdt.h",
           "LTTng-UST": "lttng/tracepoint.h"}


def _build(bench, scheme, source, output):
    """The program of SOURCE with the probes of SCHEME; raises peers.Missing."""
    compiler, flags, libraries = {**SCHEMES, **FUNCTIONS, **EACH}[scheme]
    peers.need(compiler)
    if scheme in HEADERS:
        peers.need_header(HEADERS[scheme])
    obj = bench.work / f"{output}.o"
    bench.command(compiler, "-O2", "-I", bench.include, "-I", harness.PROGRAMS, *flags, "-c",
                  source, "-o", obj)
    if "-DWITH_SDT" in flags and ALONE not in flags:
        bench.command(bench.tool, "-q", "-o", obj, obj)
        libraries = (bench.runtime, "-Wl,-u,sdt_version")
    exe = bench.work / output
    bench.command(compiler, *(f for f in flags if "xray" in f), obj, *libraries, "-pthread", "-o",
                  exe)
    return exe


def _programs(bench, schemes, source, prefix):
    found = {}
    for i, scheme in enumerate(schemes):
        bench.progress(i, len(schemes), f"compiling, {scheme}")
        try:
            found[scheme] = _build(bench, scheme, source, f"{prefix}{i}")
        except peers.Missing as missing:
            bench.skip("disabled", f"{scheme}: {missing}")
    return found


def _base(scheme):
    return "no probe, clang" if scheme.endswith("clang") or "XRay" in scheme else "no probe"


def _loops(bench):
    programs = _programs(bench, SCHEMES, harness.PROGRAMS / "loops.c", "loops")
    samples = {}
    rounds = 5 if bench.quick else 15
    for i in range(rounds):
        for scheme, exe in programs.items():
            bench.progress(i, rounds, f"loops, {scheme}")
            for line in bench.command(exe, 2_000_000).splitlines():
                name, value = line.split()
                samples.setdefault((name, scheme), []).append(float(value))
    for name in ("integer", "float"):
        for scheme in programs:
            values = samples[name, scheme]
            base = samples[name, _base(scheme)]
            goal = "<= 1.02 x" if "inline" in scheme and name == "float" else None
            median = statistics.median(values)
            note = (f"{median / statistics.median(base):.3f} x, "
                    f"of the least {min(values) / min(base):.3f} x")
            bench.record("disabled", f"{name} loop: {scheme}", median, "ns", goal, note,
                         min(values))


# ---- a thousand functions ----

def _many(bench):
    lines = ['#include "scheme.h"\n#include "text_pages.h"\n']
    for i in range(SITES):
        lines.append(f"__attribute__((noinline)) long many_{i}(long a, int b, const char *c)\n{{\n"
                     f"    a = a * {i + 3} + b;\n    PROBE_OF(each_{i}, a, b, c);\n"
                     f"    return a ^ c[{i}];\n"
                     "}\n")
    lines.append("int main(int argc, char **argv)\n{\n    (void)argv;\n"
                 '    if (argc > 1)\n        printf("%ld\\n", text_pages_written());\n'
                 "    return 0;\n}\n")
    source = bench.work / "many.c"
    source.write_text("".join(lines))
    return source


def _sizes(bench, exe):
    """Bytes of code of the program's own functions, of all that is loaded from the file, and of
    what of that is in writable sections."""
    symbols = bench.command("nm", "-S", exe)
    code = sum(int(size, 16) for size in re.findall(r"^\w+ (\w+) T many_\d+$", symbols, re.M))
    loads = re.findall(r"^ +LOAD +\S+ \S+ \S+ (0x\w+)", bench.command("readelf", "-lW", exe), re.M)
    flags = re.findall(r"^ +\[ *\d+\] \S+ +\S+ +\S+ \S+ (\w+) \S+ +(\S+) ",
                       bench.command("readelf", "-SW", exe), re.M)
    writable = sum(int(size, 16) for size, flag in flags if "W" in flag and "A" in flag)
    return code, sum(int(size, 16) for size in loads), writable


def _empty_runtime(bench):
    """What the runtime itself, linked and not used, adds to what is loaded."""
    found = []  # loaded, writable
    for name, extra in (("none", ()), ("runtime", (bench.runtime, "-Wl,-u,sdt_version"))):
        exe = bench.work / f"empty-{name}"
        bench.command("gcc", "-xc", os.devnull, "-c", "-o", f"{exe}.o")
        bench.command("gcc", "-shared", f"{exe}.o", *extra, "-pthread", "-o", exe)
        found.append(_sizes(bench, exe)[1:])
    return [with_it - without for without, with_it in zip(*found)]


def _thousand(bench):
    schemes = [*SCHEMES, *FUNCTIONS, *EACH]
    programs = _programs(bench, schemes, _many(bench), "many")
    runtime = _empty_runtime(bench)
    sizes = {scheme: _sizes(bench, exe) for scheme, exe in programs.items()}
    for scheme, (code, loaded, writable) in sizes.items():
        if scheme == _base(scheme):
            continue
        is_ours = "sdtlink" in scheme
        own = runtime if is_ours else (0, 0)
        base = sizes[_base(scheme)]
        bench.record("disabled", f"code: {scheme}", (code - base[0]) / SITES, "bytes a site")
        bench.record("disabled", f"loaded: {scheme}", (loaded - own[0] - base[1]) / SITES,
                     "bytes a site", "<= 96" if is_ours else None,
                     f"and {own[0]} of the runtime, once" if is_ours else "")
        if is_ours:
            bench.record("disabled", f"writable: {scheme}", (writable - own[1] - base[2]) / SITES,
                         "bytes a site", "<= 16", f"and {own[1]} of the runtime, once")
    costs = harness.samples(bench, [[[exe]] for exe in programs.values()],
                            11 if bench.quick else 41)
    walls = {scheme: [cost.wall * 1e6 for cost in slot] for scheme, slot in zip(programs, costs)}
    start = {scheme: statistics.median(wall) for scheme, wall in walls.items()}
    for scheme, exe in programs.items():
        bench.record("disabled", f"text pages written at start: {scheme}",
                     int(bench.command(exe, "pages")), "pages",
                     "0" if "sdtlink" in scheme else None)
        bench.record("disabled", f"start to exit: {scheme}", start[scheme], "us", None,
                     f"{start[scheme] - start[_base(scheme)]:+.0f}", min(walls[scheme]))


def measure(bench):
    bench.say("what probes cost that are off: loops, sizes, start-up")
    _loops(bench)
    _thousand(bench)
