# SPDX-License-Identifier: BSD-2-Clause
"""Damaged objects through sdtlink: whatever is in the file, it is refused or processed, no more.

    SDT_BUILD=build-asan tests/fuzz/damage.py [--seconds N | --count N] [--seed N] [--keep DIR]

Each round takes a good object, overwrites some fields of its headers, symbols, relocations or
groups with values that programs get wrong (0, 1, all ones, the file's size, a neighbour's value),
or cuts it off, and runs one command of the tool on it. Anything but exit status 0 or 1 is a
finding: the damaged object is kept, and its name printed. The same seed gives the same files.
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("SDT_BUILD", ROOT / "build")).resolve()
TOOL = BUILD / "sdtlink" / "sdtlink"

C_SOURCE = """
#include <sdt/probe.h>
int work(int a, const char *s, double d);
int work(int a, const char *s, double d)
{
    SDT_PROBE(fuzz, start);
    if (SDT_PROBE_ENABLED(fuzz, args))
        SDT_PROBE(fuzz, args, a, s, d, a, a, a, a, a);
    return a;
}
void __dtrace_sdt_fuzz___tail(int);
void tail(int a);
void tail(int a) { __dtrace_sdt_fuzz___tail(a); }
"""
CXX_SOURCE = """
#include <sdt/probe.h>
template <typename T> T twice(T t) { SDT_PROBE(fuzz, twice, t); return t + t; }
int ints(int i) { return twice(i); }
double doubles(double d) { return twice(d); }
"""


def seeds(directory):
    """Name and bytes of the undamaged objects: plain, with groups, partially linked, processed."""
    (directory / "c.c").write_text(C_SOURCE)
    (directory / "x.cc").write_text(CXX_SOURCE)
    compile_flags = ["-O1", "-g0", "-I", str(ROOT / "runtime" / "include"), "-c"]
    commands = [
        ["gcc", *compile_flags, "-o", "c.o", "c.c"],
        ["g++", *compile_flags, "-fno-inline", "-ffunction-sections", "-o", "x.o", "x.cc"],
        ["ld", "-r", "-o", "r.o", "c.o", "x.o"],
        [str(TOOL), "-q", "-o", "p.o", "r.o"],
    ]
    for command in commands:
        subprocess.run(command, cwd=directory, check=True)
    return [(directory / name).read_bytes() for name in ("c.o", "x.o", "r.o", "p.o")]


def fields(data):
    """(offset, size) of what may be damaged: file header, section headers, and all sections that
    are tables for the linker."""
    def word(offset, size):
        return int.from_bytes(data[offset:offset + size], "little")

    table, count = word(40, 8), word(60, 2)
    found = [(offset, size) for offset, size in
             [(16, 2), (18, 2), (40, 8), (48, 4), (52, 2), (58, 2), (60, 2), (62, 2)]]
    for header in range(table, table + 64 * count, 64):
        found += [(header + at, size) for at, size in
                  [(0, 4), (4, 4), (8, 8), (24, 8), (32, 8), (40, 4), (44, 4), (48, 8), (56, 8)]]
        kind, start, size = word(header + 4, 4), word(header + 24, 8), word(header + 32, 8)
        if kind in (2, 4, 17, 18):  # SYMTAB, RELA, GROUP, SYMTAB_SHNDX
            found += [(at, 4) for at in range(start, start + size, 4)]
        elif kind in (1, 3):  # PROGBITS (code, .sdt_args, sets), STRTAB
            found += [(at, 1) for at in range(start, start + size)]
    return found


def damage(data, rng):
    """A damaged copy of DATA."""
    result = bytearray(data)
    places = fields(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at, size = rng.choice(places)
        old = int.from_bytes(data[at:at + size], "little")
        other, _ = rng.choice(places)
        value = rng.choice([
            0, 1, -1, old + 1, old - 1, old ^ (1 << rng.randrange(8 * size)), len(data),
            len(data) - 1, 1 << (8 * size - 1), rng.getrandbits(8 * size),
            int.from_bytes(data[other:other + size], "little"),
        ])
        result[at:at + size] = (value % (1 << (8 * size))).to_bytes(size, "little")
    if rng.random() < 0.1:
        del result[rng.randrange(len(result)):]
    return bytes(result)


def run_tool(directory, rng):
    """One command on bad.o; a description of what is wrong with the result, or None."""
    arguments = rng.choice([
        ["-q", "-o", "out.o", "bad.o"], ["-q", "-o", "out.o", "bad.o"], ["--dry-run", "bad.o"],
        ["-q", "--companion", "-o", "sdt.o", "bad.o"], ["list", "bad.o"],
        ["list", "--json", "bad.o"],
    ])
    command = [str(TOOL), *arguments]
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return f"{' '.join(arguments)}: no end after 60 s"
    if done.returncode not in (0, 1):
        errors = done.stderr.decode(errors="replace").strip().splitlines()
        return f"{' '.join(arguments)}: exit status {done.returncode}: {' / '.join(errors[:3])}"
    if done.returncode == 1 and not done.stderr:
        return f"{' '.join(arguments)}: refused without a word"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, default=sys.maxsize)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default=BUILD / "fuzz")
    options = parser.parse_args()
    # A sanitizer's finding must not look like a refusal.
    os.environ.setdefault("ASAN_OPTIONS", "exitcode=99:allocator_may_return_null=1")
    os.environ.setdefault("UBSAN_OPTIONS", "exitcode=99:halt_on_error=1")

    rounds = findings = 0
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        good = seeds(directory)
        while rounds < options.count and time.monotonic() < end:
            rng = random.Random(f"{options.seed}/{rounds}")
            bad = damage(rng.choice(good), rng)
            (directory / "bad.o").write_bytes(bad)
            complaint = run_tool(directory, rng)
            if complaint:
                findings += 1
                options.keep.mkdir(parents=True, exist_ok=True)
                kept = options.keep / f"{options.seed}-{rounds}.o"
                kept.write_bytes(bad)
                print(f"{kept}: {complaint}")
            rounds += 1
    print(f"{rounds} damaged objects, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
