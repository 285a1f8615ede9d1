# SPDX-License-Identifier: BSD-2-Clause
"""How long it takes until probes are on, and off again: 1 to a million sites, and the peers.

Each program has just so many sites; `cold` is the first enable in the life of its process, `warm`
the median of the later ones. The default writes each site with a system call of its own, so that
the text is never writable and executable at once; SDT_UNLOCK_TEXT=1 allows one window for all.
"""
import os
import re
import statistics
import time

import harness
import peers

GOALS = {1: 3.0, 65_000: 1000.0}
THREADS = os.cpu_count()


def _sites(bench, count):
    """One processed object with COUNT call sites, ten in a function, a hundred to a probe."""
    source = bench.work / f"latency{count}.s"
    with source.open("w") as out:
        out.write(".text\n")
        for i in range(count):
            if i % 10 == 0:
                out.write(f".globl f{i}\n.type f{i}, @function\n.p2align 4\nf{i}: sub $8, %rsp\n")
            out.write(f" call __dtrace_sdt_bench___p{i // 100}@PLT\n")
            if i % 10 == 9 or i == count - 1:
                out.write(" add $8, %rsp\n ret\n")
        out.write('.section .note.GNU-stack, "", @progbits\n')
    return bench.compile(source, output=f"latency{count}")


def _program(bench, count):
    main = bench.compile(harness.PROGRAMS / "toggle.c", output="toggle-main")
    body = [_sites(bench, count - 1)] if count > 1 else []
    return bench.link(main, *body, output=f"toggle{count}")


def values(out):
    found = {}
    for name, value in map(str.split, out.splitlines()):
        found.setdefault(name, []).append(float(value))
    return found


def _record(bench, what, nanoseconds, sites, goal=None, note="", least=None):
    notes = [f"{nanoseconds / sites:.0f} ns a site"] if sites > 1 else []
    bench.record("latency", what, nanoseconds / 1e3, "us", f"<= {goal:g}" if goal else None,
                 "; ".join(notes + ([note] if note else [])), least and least / 1e3)


# Variations: (label, pattern, threads that run sites, environment)
def _variations(count):
    yield "", "bench:*", 0, {}
    yield f", {THREADS} threads running", "bench:*", THREADS, {}
    if count > 1:
        yield ", SDT_UNLOCK_TEXT=1", "bench:*", 0, {"SDT_UNLOCK_TEXT": "1"}


def _measure_program(bench, count):
    exe = _program(bench, count)
    # A site may cost a microsecond or two each way, and a million of them are in both columns.
    cycles, starts = (201, 5) if count == 1 else (7, 3) if count <= 65_000 else (1, 1)
    samples = {}
    for i in range(starts):
        for label, pattern, threads, more in _variations(count):
            bench.progress(i, starts, f"{count} sites{label}")
            out = bench.command(exe, pattern, cycles, threads, env={**os.environ, **more})
            for name, found in values(out).items():
                samples.setdefault((label, name), []).extend(found)
    for label in dict.fromkeys(label for label, _ in samples):
        def median(name, label=label):
            return statistics.median(samples[label, name])
        sites = int(median("sites"))
        goal = GOALS.get(count) if not label or "UNLOCK" in label else None
        words = f"{sites} site{'s' if sites > 1 else ''}{label}"
        _record(bench, f"enable {words}, cold", median("cold"), sites)
        _record(bench, f"enable {words}, warm", median("enable"), sites, goal,
                least=min(samples[label, "enable_least"]))
        _record(bench, f"disable {words}, warm", median("disable"), sites,
                least=min(samples[label, "disable_least"]))


CALLS = {"open": "open and close /proc/self/mem", "write": "write a byte through it",
         "barrier": "membarrier"}


def _system_calls(bench):
    """What the kernel's part in enabling one site takes at least."""
    exe = bench.work / "system-calls"
    bench.command("gcc", "-O2", harness.PROGRAMS / "system_calls.c", "-o", exe)
    for name, samples in values(bench.command(exe, 1001)).items():
        _record(bench, f"system calls of 1 site: {CALLS[name]}", statistics.median(samples), 1,
                least=min(samples))


def _peer(bench, what, out, sites, note=""):
    found = values(out)
    for phase in ("enable", "disable"):
        first, *later = found[phase]
        _record(bench, f"{what}: {phase}", statistics.median(later or [first]), sites, None,
                "; ".join(filter(None, [f"first {first / 1e3:.4g}", note])))


def _uprobe(bench):
    peers.need_uprobes()
    peers.need_header("sys/sdt.h")
    exe = bench.work / "attach"
    bench.command("gcc", "-O2", harness.PROGRAMS / "attach.c", "-o", exe)
    out = bench.command(exe, peers.note_address(bench, exe), 5 if bench.quick else 15)
    _peer(bench, "perf uprobe, 1 site", out, 1)


def _xray(bench):
    peers.need("clang")
    count = 1000 if bench.quick else 10_000
    source = bench.work / "xray_many.c"
    source.write_text("".join(f"int f{i}(int a) {{ return a + {i}; }}\n" for i in range(count)))
    exe = bench.work / "xray-many"
    # Only its -instrument: the driver's own main is one more function, and no more.
    bench.command("clang", "-O1", "-fxray-instrument", "-fxray-instruction-threshold=1",
                  "-fxray-instrumentation-bundle=function-entry", source,
                  harness.PROGRAMS / "xray_patch.c", "-o", exe)
    _peer(bench, f"XRay, {count} entry sleds", bench.command(exe, 7), count,
          "makes text writable and executable")


_STARTED = """#include <stdio.h>
#include <sys/sdt.h>
#include <time.h>
int main(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    printf("started %ld.%09ld\\n", (long)t.tv_sec, t.tv_nsec);
"""


def _bpftrace(bench):
    """From the start of bpftrace until the program that it starts and traces is in main()."""
    peers.need_uprobes()
    peers.need_header("sys/sdt.h")
    peers.need("bpftrace")
    sites = 20 if bench.quick else 100
    source = bench.work / "bpf_many.c"
    source.write_text(_STARTED + "".join(
        f"    DTRACE_PROBE(many, p{i});\n" for i in range(sites)) + "    return 0;\n}\n")
    exe = bench.work / "bpf-many"
    bench.command("gcc", "-O1", source, "-o", exe)
    for pattern, count in (("p0", 1), ("*", sites)):
        start = time.monotonic()
        out = bench.command("bpftrace", "-e", f"usdt:{exe}:many:{pattern} {{ @ = count(); }}", "-c",
                            exe)
        ended = time.monotonic()
        began = float(re.search(r"^started (\S+)", out, re.M).group(1))
        counted = re.search(r"^@: (\d+)", out, re.M)
        if not counted or int(counted.group(1)) != count:
            raise SystemExit(f"bench: bpftrace counted wrongly: {out}")
        words = f"bpftrace, {count} site{'s' if count > 1 else ''}"
        _record(bench, f"{words}: start until all is attached", (began - start) * 1e9, count)
        _record(bench, f"{words}: detach and end", (ended - began) * 1e9, count)


def measure(bench):
    counts = (1, 1000, 10_000) if bench.quick else (1, 1000, 65_000, 1_000_000)
    for count in counts:
        bench.say(f"enabling and disabling {count} sites")
        _measure_program(bench, count)
    _system_calls(bench)
    bench.say("how long the peers take to attach")
    for peer in (_uprobe, _xray, _bpftrace):
        try:
            peer(bench)
        except peers.Missing as missing:
            bench.skip("latency", str(missing))
