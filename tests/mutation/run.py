#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Which small changes of the sources no test notices.

    run.py [--build DIR] [--sample N] [--seconds CPU-SECONDS] [--verbose] [--json FILE]
           [--again FILE] [--units] [FILE...]

Each file is changed in one place at a time (mutants.py), in a copy of the sources that is built
again step by step, and a few quick tests are run (table.py) until one fails. A change that no test
notices is printed, with its place; it is a missing test, or it changes nothing that can be seen.
Those of the second sort are listed in known.py, with the reason. One that compiles to the same
bytes is not run at all. --json writes what became of each mutant; --again takes such a file and
runs those that had survived.

--units runs the unit tests only, a second for each mutant: of pure parts these should kill all.
A quick part of the tests is all that a mutant meets: what survives here may yet be killed by
./run test. No part of it either: it takes hours.
"""
import argparse
import collections
import fcntl
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import known
import mutants
import table

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONFIGURE = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS_RELEASE=-O2 -w",
             "-DSDT_STATIC_TOOL=OFF"]
TARGETS = {"runtime": ["sdt", "sdt_shared", "test_registry", "test_pattern", "test_args",
                       "test_semaphore", "test_patch", "test_ring", "test_fields", "test_copy",
                       "test_stock", "sdt_tool"],
           "sdtlink": ["sdtlink", "test_names", "test_forms", "test_needles", "test_plain"],
           "base": ["sdtlink", "sdt_tool", "test_elf_view", "test_plain", "test_words"],
           "sdt": ["sdt_tool"]}
# Folders of other programs, and of other machines than the one that runs the mutants.
NOT_BUILT = {"verify", "none", "aarch64", "riscv64"}
# A test that waits for ever: seconds in which none of its processes has used the processor.
ASLEEP = 30
KILLED, SURVIVED, KNOWN = "killed", "survived", "equivalent"
SAME, BROKEN = "same code", "does not compile"


def only_one(directory):
    """Two runs in one directory would change each other's sources: tests fail that should not."""
    directory.mkdir(parents=True, exist_ok=True)
    lock = open(directory / ".lock", "wb")  # pylint: disable=consider-using-with
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"{directory}: another run uses it; name another with --build") from None
    return lock


class Copy:
    """The sources as they are now, and a build of them."""

    def __init__(self, directory, seconds, units_only):
        self.seconds, self.units_only = seconds, units_only
        self.lock = only_one(directory)
        self.passed = set()  # groups, as the sources are
        self.source, self.build = directory / "source", directory / "build"
        self.temporary = directory / "tests"
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT,
                                check=True, capture_output=True, text=True).stdout.splitlines()
        for name in listed:
            self.copy(name)
        self.cmake("-S", self.source, "-B", self.build, *CONFIGURE)
        self.cmake("--build", self.build, "-j", "1")

    def copy(self, name):
        """Only what differs, lest all be built again."""
        source, target = ROOT / name, self.source / name
        if not source.is_file():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            shutil.copy(source, target)

    @staticmethod
    def cmake(*arguments):
        subprocess.run(["cmake", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)

    def make(self, path):
        """Build what PATH is part of; None: it does not compile, else its object file's bytes."""
        result = subprocess.run(["ninja", "-C", self.build, *TARGETS[path.split("/")[0]]],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if result.returncode != 0:
            return None
        directory, _, name = path.partition("/")
        found = sorted(self.build.glob(f"{directory}/CMakeFiles/*.dir/{name}.o"))
        assert found, f"{path} is not compiled"
        return b"".join(file.read_bytes() for file in found)

    def groups(self, path):
        return [group for group in table.groups(path) if group[0] or not self.units_only]

    def units(self, programs):
        for name in programs.split():
            if self.run([self.build / "tests" / "unit" / name], self.seconds // 4) != 0:
                return f"unit {name}"
        return None

    def system(self, file, expression):
        shutil.rmtree(self.temporary, ignore_errors=True)
        words = ["-k", expression] if expression else []
        log = self.build / "pytest.log"
        status = self.run(["/usr/bin/python3", "-m", "pytest", "-x", "-q", "--tb=no", "-p",
                           "no:xdist", "-p", "no:cacheprovider", "--basetemp", self.temporary,
                           "-m", "not slow", next((self.source / "tests").rglob(file)), *words],
                          self.seconds, log)
        if status not in (0, 1) and status > 0:
            raise SystemExit(f"{file}: pytest ended with status {status}: see {log}")
        if status == 0:
            return None
        failed = re.findall(r"^(?:FAILED|ERROR) \S*?(\w+\.py::\S+)", log.read_text("utf-8"), re.M)
        return failed[0] if failed else f"{file}: no end of it"

    def run(self, argv, seconds, log=None):
        """Exit status; a process of it may take so much processor time, and none at all for long
        is a hang."""
        def limit():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
        with open(log or os.devnull, "wb") as output:
            process = subprocess.Popen(argv, stdout=output, stderr=output, preexec_fn=limit,
                                       env={**os.environ, "SDT_BUILD": str(self.build)},
                                       stdin=subprocess.DEVNULL)
        used, since = 0, time.monotonic()
        while True:
            try:
                return process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                now = sum(session(process.pid).values())
                if now != used:
                    used, since = now, time.monotonic()
                elif time.monotonic() - since > ASLEEP:
                    end(process.pid)
                    process.wait()
                    return -signal.SIGKILL


def session(leader):
    """Process -> the processor time that it has used, of all in a session of ours."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(words[3]) == leader:
            found[int(path.parent.name)] = sum(map(int, words[11:15]))
    return found


def end(leader):
    for process in session(leader):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def killer(copy, groups):
    """The first test that fails, or None."""
    for units, file, expression in groups:
        failed = copy.units(units) if units else copy.system(file, expression)
        if failed:
            return failed
    return None


def judge(copy, mutant, source, original):
    """(what became of it, by which test)"""
    if mutant.key in known.EQUIVALENT:
        return KNOWN, known.EQUIVALENT[mutant.key]
    path = copy.source / mutant.path
    path.write_text(mutant.apply(source))
    made = copy.make(mutant.path)
    if made is None or made == original:
        return (BROKEN if made is None else SAME), ""
    test = killer(copy, copy.groups(mutant.path))
    return (KILLED if test else SURVIVED), test or ""


def chosen(path, source, sample, again):
    """All mutants of a file, or some."""
    found = [mutant for mutant in mutants.mutants(path, source)
             if again is None or mutant.key in again]
    return found if sample is None else found[:sample]


def examine(copy, path, sample, again, report):
    source = (ROOT / path).read_text("utf-8")
    original = copy.make(path)
    test = killer(copy, [group for group in copy.groups(path) if group not in copy.passed])
    copy.passed.update(copy.groups(path))
    if original is None or test:
        raise SystemExit(f"{path}: fails as it is: {test or 'does not compile'}")
    counts = collections.Counter()
    try:
        for mutant in chosen(path, source, sample, again):
            begun = time.monotonic()
            result, why = judge(copy, mutant, source, original)
            counts[result] += 1
            report(mutant, result, why, time.monotonic() - begun)
    finally:
        (copy.source / path).write_text(source)
    return counts


def reporter(verbose, file):
    def report(mutant, result, why, seconds):
        if file:
            record = {"path": mutant.path, "line": mutant.line, "text": mutant.text,
                      "column": mutant.column, "old": mutant.old, "new": mutant.new,
                      "result": result, "why": why, "seconds": round(seconds, 1)}
            file.write(json.dumps(record) + "\n")
            file.flush()
        if result == SURVIVED or verbose:
            print(f"{result}: {mutant.title}{f' ({why})' if why else ''}\n    {mutant.text}",
                  flush=True)
    return report


def row(name, counts):
    cells = [sum(counts.values()) - counts[BROKEN], counts[KILLED], counts[SURVIVED],
             counts[KNOWN] + counts[SAME]]
    return f"| {name} | " + " | ".join(map(str, cells)) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build-mutate", type=pathlib.Path)
    parser.add_argument("--sample", type=int, help="at most so many mutants a file")
    parser.add_argument("--seconds", type=int, default=20, help="of CPU time, for each process")
    parser.add_argument("--json", type=argparse.FileType("a"), help="a line for each mutant")
    parser.add_argument("--again", type=argparse.FileType(), help="the survivors in such a file")
    parser.add_argument("--units", action="store_true", help="only the unit tests")
    parser.add_argument("--verbose", action="store_true", help="what became of each mutant")
    parser.add_argument("files", nargs="*", help="such as runtime/patch/patch.c; default: all")
    options = parser.parse_args()
    again = None
    if options.again:
        records = [json.loads(line) for line in options.again]
        again = {(r["path"], r["text"], r["column"], r["old"], r["new"]) for r in records
                 if r["result"] == SURVIVED}
    files = options.files or sorted({key[0] for key in again} if options.again else
                                    {str(path.relative_to(ROOT)) for directory in TARGETS
                                     for path in (ROOT / directory).rglob("*.c")
                                     if not NOT_BUILT & {*path.relative_to(ROOT).parts}})
    for path in files:
        if path.partition("/")[0] not in TARGETS or not (ROOT / path).is_file():
            raise SystemExit(f"{path}: no file of {' or '.join(TARGETS)}/")
    copy = Copy(options.build.resolve(), options.seconds, options.units)
    report, rows = reporter(options.verbose, options.json), {}
    for path in files:
        rows[path] = examine(copy, path, options.sample, again, report)
        print(row(f"`{path}`", rows[path]), flush=True)
    print("\n| file | mutants | killed | survived | equivalent |\n|---|---|---|---|---|")
    print("\n".join(row(f"`{path}`", counts) for path, counts in rows.items()))
    total = sum(rows.values(), collections.Counter())
    print(row("all", total))
    return 1 if total[SURVIVED] else 0


if __name__ == "__main__":
    sys.exit(main())
