# SPDX-License-Identifier: BSD-2-Clause
"""What every benchmark shares: the built tool, commands, medians, rows and progress.

A figure is quoted as a median of several runs, and compared only with figures of the same run:
machines drift, ratios hold. Each benchmark is a function that takes a Bench and records rows.
"""
import functools
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYSTEM = pathlib.Path("/")
PROGRAMS = ROOT / "bench" / "programs"
LINKERS = ("bfd", "gold", "lld", "mold")
PAUSE = 10  # seconds between two lines of progress in a log
TERMINAL, LOG = 100, 200  # columns of one: a link may name a thousand files


class Bench:
    """The build under test, a scratch directory, and the rows measured so far."""

    def __init__(self, build, work, quick, libraries=SYSTEM):
        self.tool = build / "sdtlink" / "sdtlink"
        self.runtime = build / "runtime" / "libsdt.a"
        self.include = ROOT / "runtime" / "include"
        self.generated = build / "runtime" / "include"  # sdt.h
        self.work = work
        self.quick = quick
        self.libraries = libraries
        self.rows = []
        self.progress_at, self.progress_shown = 0, False

    def say(self, sentence):
        """On stderr, so that standard output stays the result."""
        print(f"{self._clear()}bench: {sentence}", file=sys.stderr, flush=True)

    def _clear(self):
        """Removes the line of progress, if there is one."""
        shown, self.progress_shown = self.progress_shown, False
        return "\r\033[K" if shown else ""

    def progress(self, done, total, what):
        """What is measured next: on a terminal a line that is replaced, elsewhere one now and then,
        so that a long run shows its progress."""
        is_terminal = sys.stderr.isatty()
        now = time.monotonic()
        if now - self.progress_at < (0.2 if is_terminal else PAUSE):
            return
        self.progress_at = now
        line = f"bench:   [{done + 1}/{total}] {what}".replace(f"{self.work}/", "")
        print(self._clear() + line[:TERMINAL if is_terminal else LOG], file=sys.stderr,
              end="" if is_terminal else "\n", flush=True)
        self.progress_shown = is_terminal

    def record(self, area, what, value, unit, goal=None, note="", least=None):
        """A row of the result, which is shown at once: all of them can take half an hour."""
        self.say(f"  {what}: {value:.4g} {unit}" + (f" (goal {goal})" if goal else ""))
        self.rows.append({"area": area, "what": what, "value": value, "unit": unit, "goal": goal,
                          "note": note, "least": least})

    def skip(self, area, why):
        """A peer that could not be measured is a row without a value, not a missing one."""
        self.say(f"{area}: skipped: {why}")
        self.rows.append({"area": area, "what": "skipped", "value": None, "unit": "", "goal": None,
                          "note": why, "least": None})

    def complete(self, *argv, **kwargs):
        argv = [str(a) for a in argv]
        result = subprocess.run(argv, capture_output=True, text=True, check=False, **kwargs)
        if result.returncode != 0:
            raise SystemExit(f"bench: {shlex.join(argv)} failed:\n{result.stderr}")
        return result

    def command(self, *argv, **kwargs):
        return self.complete(*argv, **kwargs).stdout

    def compile(self, source, *flags, output):
        """SOURCE to an object that has been through sdtlink."""
        raw = self.work / (output + ".raw.o")
        self.command("gcc", "-O2", "-I", self.include, *flags, "-c", source, "-o", raw)
        processed = self.work / (output + ".o")
        self.command(self.tool, "-q", "-o", processed, raw)
        return processed

    def link(self, *inputs, output, flags=()):
        exe = self.work / output
        self.command("gcc", *flags, *inputs, self.runtime, "-pthread", "-o", exe)
        return exe

    @functools.cached_property
    def idle_linkers(self):
        """A directory with linkers of all names that do nothing: what is left is the launcher."""
        directory = self.work / "idle"
        directory.mkdir()
        (directory / "idle.c").write_text("int main(void) { return 0; }")
        self.command("gcc", "-static", directory / "idle.c", "-o", directory / "idle")
        for name in LINKERS:
            (directory / f"ld.{name}").symlink_to("idle")
        return directory


class Cost(typing.NamedTuple):
    """Seconds: on the clock, and of all CPUs in user and system mode."""

    wall: float
    cpu: float


def _run(argv):
    """Run a command, quietly; the answer of wait4() and the wall seconds."""
    argv = [str(word) for word in argv]
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    start = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=null)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"bench: {shlex.join(argv)} failed")
    return seconds, usage


def _cost(commands):
    runs = [_run(argv) for argv in commands]
    return Cost(
        sum(seconds for seconds, _ in runs),
        sum(usage.ru_utime + usage.ru_stime for _, usage in runs),
    )


def samples(bench, candidates, repeat, outputs=()):
    """The costs of each candidate, a list of commands: in turn, A B C A B C …

    Before that comes one warm-up. OUTPUTS are removed before each: to replace a file costs time of
    its own.
    """
    costs = [[] for _ in candidates]
    for i in range(repeat + 1):
        for slot, commands in zip(costs, candidates):
            bench.progress(i, repeat + 1, shlex.join(map(str, commands[0])))
            for path in outputs:
                path.unlink(missing_ok=True)
            cost = _cost(commands)
            if i:
                slot.append(cost)
    return costs


def rounds(bench, candidates, repeat, outputs=()):
    """The median cost of each candidate."""
    return [Cost(*map(statistics.median, zip(*slot)))
            for slot in samples(bench, candidates, repeat, outputs)]


def paired(bench, commands, repeat, outputs=()):
    """The same for single commands."""
    return rounds(bench, [[argv] for argv in commands], repeat, outputs)


def peak_memory(argv):
    """Peak resident set of one run, in bytes."""
    return _run(argv)[1].ru_maxrss * 1024


def words(row):
    """The cells of a row: measured, goal, note."""
    measured = "–" if row.get("value") is None else f"{row['value']:.4g} {row['unit']}".rstrip()
    least = None if row.get("least") is None else f"least {row['least']:.4g}"
    return measured, row.get("goal") or "", "; ".join(filter(None, (least, row.get("note"))))


def show(rows):
    """The table, for people."""
    cells = [("area", "what", "measured", "goal", "note")]
    cells += [(row["area"], row["what"], *words(row)) for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    for line in cells:
        print("  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip())
