# SPDX-License-Identifier: BSD-2-Clause
"""Results that are checked in: bench/results/MACHINE/AREA.json, from which the pages are printed.

A file is one run of one area: the rows, and what they depend on. Rows of different files were
measured at different moments and can be compared only if the machine is the same. `source` says
whether `./run bench` wrote the file, or whether it was transcribed from a page that is older than
these files. A row has no key for what it does not have:

    what, unit    what was measured
    value         the median, where there is no other word; not there if it was skipped, or if only
                  the least is known
    least         the least of the rounds
    goal, note    text
    area          if a file has rows of several kinds of input
"""
import functools
import json
import os
import pathlib
import platform
import re
import subprocess
import time

DIRECTORY = pathlib.Path(__file__).resolve().parent / "results"
PEERS = {"LTTng-UST": ("lttng", "--version"), "bpftrace": ("bpftrace", "--version")}
VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2", "avx": "AVX"}


def _first_line(*argv):
    try:
        out = subprocess.run(argv, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return out.stdout.partition("\n")[0] if out.returncode == 0 else ""


def _version(*argv):
    found = re.search(r"\d+\.\d+(\.\d+)*", re.sub(r"\(.*?\)", "", _first_line(*argv)))
    return found[0] if found else None


def _commit():
    """What was measured; with a plus sign if the sources were changed since."""
    here = ("git", "-C", str(DIRECTORY.parent))
    changes = _first_line(*here, "status", "--porcelain", "--untracked-files=no")
    return _first_line(*here, "rev-parse", "--short=10", "HEAD") + ("+" if changes else "") or None


def _processor():
    """As the kernel describes the first processor."""
    first = pathlib.Path("/proc/cpuinfo").read_text("utf-8").partition("\n\n")[0]
    told = {name.strip(): value.strip() for name, _, value in
            (line.partition(":") for line in first.splitlines())}
    features = told.get("flags", "").split()
    return {"cpu": told.get("model name", platform.machine()),
            "family": told.get("cpu family"), "model": told.get("model"),
            "vector": next((people for flag, people in VECTORS.items() if flag in features), None)}


@functools.cache
def machine():
    """What does not change during a run; asked for before it, so that the commit is the one that
    was measured. Of the kernel two numbers: the rest names its host."""
    return {**_processor(), "cpus": os.cpu_count(),
            "kernel": ".".join(platform.release().split(".")[:2]),
            "compilers": {name: _version(name, "--version") for name in ("gcc", "clang")},
            "peers": {name: _version(*argv) for name, argv in PEERS.items()},
            "commit": _commit(), "date": time.strftime("%Y-%m-%d", time.gmtime())}


def load():
    """Of the last minute."""
    return round(os.getloadavg()[0], 2)


def _row(row):
    """A line, of what there is; six digits are more than any measurement has."""
    return json.dumps({key: float(f"{value:.6g}") if isinstance(value, float) else value
                       for key, value in row.items() if value not in (None, "")},
                      ensure_ascii=False)


def save(path, source, circumstances, rows):
    """A row a line, so that a newer run is a readable difference."""
    machine_lines = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value)}"
                                 for key, value in circumstances.items())
    head = f'{{\n "source": {json.dumps(source)},\n "machine": {{\n  {machine_lines}\n }},'
    lines = ",\n  ".join(map(_row, rows))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{head}\n "rows": [\n  {lines}\n ]\n}}\n', "utf-8")


@functools.cache
def read(machine_name, area):
    """The file as it is, or None."""
    path = DIRECTORY / machine_name / f"{area}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def machines():
    return sorted(path.name for path in DIRECTORY.iterdir() if path.is_dir())


def row(machine_name, area, what, kind=None):
    """One row, or None: the file does not have it, or there is no such file."""
    found = [each for each in (read(machine_name, area) or {"rows": []})["rows"]
             if each["what"] == what and each.get("area", area) == (kind or area)]
    if len(found) > 1:
        raise SystemExit(f"bench: {machine_name}/{area}.json has {what!r} more than once")
    return found[0] if found else None
