#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Toggles sites under running threads, with the books kept (stress.h), for as long as asked.

    run.py [--build DIR] [--seed N] [--write PAGE] [--json FILE] [MINUTESm | TOGGLES]

The program runs in turns of some seconds: in each mode, with both ways of writing text, and with a
seed of its own. A turn that ends with anything but balanced books ends the run, and says how
to repeat it. An interrupt (^C) ends it as well: the table then has the turns that were finished.
--write puts the table into PAGE, between its two marks.
"""
import argparse
import datetime
import itertools
import json
import os
import pathlib
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "support"))
import patience  # noqa: E402
HERE = ROOT / "tests" / "stress"
SOURCES = ["stress.c", "toggle.c", "sites.c", "places.c", "sites.S"]
COPIES = 64  # 36 918 sites
PER_TURN = {1: 20_000_000, 0: 5_000_000}  # toggles: through mprotect they are faster
SLOWEST = 500  # toggles per second of processor time; with fewer, the program is taken to hang
BEGIN, END = "<!-- result: written by ./run stress --write -->", "<!-- end of result -->"

# Mode, and whether text is written through mprotect where many sites change. Jumps come twice: a
# breakpoint makes each execution a hundred times slower, and leaves less time for toggling.
TURNS = [("jump", 1), ("auto", 0), ("jump", 0), ("any", 1), ("trap", 1), ("auto", 1), ("any", 0)]
COLUMNS = ["toggles", "executions", "counted", "handled", "signals", "forks", "quiescent points"]


class Unbalanced(Exception):
    """A turn that failed, and how to repeat it."""


def compile_program(build, directory, copies, flags=()):
    """The program, below DIRECTORY."""
    exe = pathlib.Path(directory) / "stress"
    subprocess.run(
        ["gcc", "-O2", "-g", "-Wall", "-Wextra", *flags, f"-DCOPIES={copies}",
         "-I", ROOT / "runtime" / "include", "-I", ROOT / "tests" / "asm",
         *(HERE / source for source in SOURCES), build / "runtime" / "libsdt.a", "-pthread",
         "-o", exe], check=True)
    return exe


def stacks(pid):
    """Where each thread of a process is, as far as gdb can tell."""
    if not shutil.which("gdb"):
        return "(gdb would show where its threads are)"
    argv = ["gdb", "-nx", "-batch", "-p", str(pid), "-ex", "thread apply all backtrace"]
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout


def turn(exe, seed, mode, unlock, toggles):
    """One run of the program: what it did, as a dictionary."""
    argv = [str(exe), str(seed), mode, str(toggles)]
    repeat = f"  SDT_UNLOCK_TEXT={unlock} {' '.join(argv)}\n"
    env = {**os.environ, "SDT_UNLOCK_TEXT": str(unlock)}
    began = time.monotonic()
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        try:
            most = int(120 + toggles / SLOWEST) * os.cpu_count()
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (most, most + 5))
            output, errors = patience.wait(process, look=stacks)
        except patience.Hangs as hangs:
            raise Unbalanced(f"no end of\n{repeat}{hangs}") from None
        except KeyboardInterrupt:
            process.kill()
            raise
    if process.returncode != 0 or errors:
        errors = "\n".join(errors.splitlines()[:20])
        raise Unbalanced(f"status {process.returncode} of\n{repeat}{errors}")
    done = json.loads(output)
    done["seconds"] = time.monotonic() - began
    return done


def show_progress(number, total):
    """One line, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r{number} turns, {total:,} toggles ", end="", file=sys.stderr, flush=True)


def run(exe, seed, toggles, minutes):
    """Turn after turn; the sums for each kind of turn."""
    sums, total = {}, 0
    end = time.monotonic() + 60 * minutes if minutes else None
    for number, (mode, unlock) in enumerate(itertools.cycle(TURNS)):
        show_progress(number, total)
        if (end and time.monotonic() >= end) or (not end and total >= toggles):
            return sums
        share = PER_TURN[unlock] if end else min(PER_TURN[unlock], toggles // len(TURNS) + 1)
        try:
            done = turn(exe, seed + number, mode, unlock, share)
        except KeyboardInterrupt:
            return sums
        row = sums.setdefault((mode, unlock), dict.fromkeys([*COLUMNS, "seconds", "turns"], 0))
        for column in (*COLUMNS, "seconds"):
            row[column] += done[column]
        row["turns"] += 1
        row["sites"] = done["sites"]
        total += done["toggles"]


def processor():
    """Its name, as the kernel knows it."""
    found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return found[1] if found else platform.machine()


def table(sums):
    """The page's block of results."""
    total = {column: sum(row[column] for row in sums.values()) for column in
             [*COLUMNS, "seconds", "turns"]}
    summary = (
        f"{datetime.date.today()}: **{total['toggles']:,} toggles** in {total['seconds']:.0f} s, "
        f"{total['turns']} turns, on {os.cpu_count()} CPUs ({processor()}), "
        f"Linux {'.'.join(platform.release().split('.')[:2])}. "
        "No fault; the counts were exact at each of "
        f"{total['quiescent points']:,} quiescent points.")
    lines = [
        *textwrap.wrap(summary, 110), "",
        "| mode | text written by | " + " | ".join(COLUMNS) + " | seconds |",
        "|---|---|" + "---|" * (len(COLUMNS) + 1)]
    for (mode, unlock), row in [*sorted(sums.items()), (("all", None), total)]:
        way = {0: "`/proc/self/mem`", 1: "mprotect, if many", None: ""}[unlock]
        cells = [f"{row[column]:,}" for column in COLUMNS] + [f"{row['seconds']:.0f}"]
        lines.append(f"| {mode} | {way} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write_page(page, block):
    """Replace what is between the marks of PAGE by BLOCK."""
    text = page.read_text()
    before, rest = text.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    page.write_text(f"{before}{BEGIN}\n{block}{END}{after}")


def amount(text):
    """`10m` or a number of toggles, as (toggles, minutes)."""
    if text.endswith("m"):
        return 0, float(text[:-1])
    return int(text.replace("_", "")), 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--write", type=pathlib.Path, metavar="PAGE")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("amount", nargs="?", type=amount, default="10m",
                        help="minutes, as 10m, or toggles (default: 10m)")
    options = parser.parse_args()
    toggles, minutes = options.amount
    with tempfile.TemporaryDirectory(prefix="sdt-stress-") as directory:
        exe = compile_program(options.build.resolve(), directory, COPIES)
        try:
            sums = run(exe, options.seed, toggles, minutes)
        except Unbalanced as failure:
            sys.exit(f"stress: {failure}")
    block = table(sums)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(block, end="")
    if options.write:
        write_page(options.write, block)
    if options.json:
        options.json.write_text(json.dumps({f"{mode} {unlock}": row for (mode, unlock), row in
                                            sums.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
