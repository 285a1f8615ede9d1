# SPDX-License-Identifier: BSD-2-Clause
"""Run all fuzz targets for a while, on all processors.

    SDT_BUILD=build-fuzz tests/fuzz/run.py [--seconds CPU-SECONDS] [TARGET...]

Each target starts from the generated corpus, the inputs of tests/fuzz/regressions/ and what earlier
runs have found interesting (kept in the build directory). A finding is also kept; its path and the
command that shows it again are printed, and the exit status is 1.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import corpus

REGRESSIONS = pathlib.Path(__file__).resolve().parent / "regressions"
# How the time is divided.
SHARES = {"object": 40, "list": 10, "check": 10, "verify": 10, "scan": 5, "archive": 10, "words": 5,
          "names": 5, "notes": 5, "provider": 5, "recording": 10, "expression": 5, "program": 5,
          "table": 5, "describe": 5}
# A hang, a leak or an allocation that is out of proportion to 64 KiB of input is a finding as well.
# An input takes milliseconds. libFuzzer knows only time that passes, also beside other work.
LIMITS = ["-timeout=300", "-rss_limit_mb=2000", "-malloc_limit_mb=200", "-max_len=65536"]


def programs():
    """Target -> executable; those that were built."""
    found = {path.name.removeprefix("fuzz_"): path
             for path in (corpus.BUILD / "tests" / "fuzz").glob("fuzz_*") if path.is_file()}
    missing = SHARES.keys() - found.keys()
    if missing:
        print(f"not built, so not run: {', '.join(sorted(missing))}")
    return {target: found[target] for target in SHARES if target in found}


class Worker:
    """One process of a target, with a random seed and a working directory of its own."""

    def __init__(self, target, program, seconds, number):
        state = corpus.BUILD / "fuzz"
        self.target, self.program = target, program
        self.findings = state / "findings" / target
        self.directory = tempfile.TemporaryDirectory(dir=shared_memory())
        self.log = open(state / f"{target}-{number}.log", "w+", encoding="utf-8", errors="replace")
        kept = state / "kept" / target
        inputs = [state / "corpus" / target, REGRESSIONS / target]
        for directory in (self.findings, kept):
            directory.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen(
            [program, f"-max_total_time={seconds}", *LIMITS, "-print_final_stats=1",
             f"-artifact_prefix={self.findings}/", kept, *filter(pathlib.Path.is_dir, inputs)],
            cwd=self.directory.name, stdout=self.log, stderr=self.log)

    def finish(self):
        """(executions, branches covered, the number of findings: 0 or 1)"""
        status = self.process.wait()
        self.log.seek(0)
        text = self.log.read()
        self.log.close()
        self.directory.cleanup()
        executions = re.findall(r"number_of_executed_units:\s*(\d+)", text)
        covered = re.findall(r"\bcov: (\d+)", text)
        if status != 0:
            self.report(text)
        return int(executions[-1] if executions else 0), int(covered[-1] if covered else 0), \
            status != 0

    def report(self, text):
        written = re.findall(r"Test unit written to (\S+)", text)
        reasons = re.findall(r"^(?:SUMMARY|does not hold|.*runtime error).*$", text, re.M)
        print(f"\nfuzz_{self.target}: {reasons[0] if reasons else text[-2000:]}")
        print(f"  log:       {self.log.name}")
        if written:
            print(f"  input:     {written[-1]}")
            print(f"  reproduce: SDT_FUZZ_VERBOSE=1 {self.program} {written[-1]}")


def shared_memory():
    """Files are written thousands of times a second: not to a disk, where that can be avoided."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=600, help="of CPU time, for all targets")
    parser.add_argument("targets", nargs="*", help="only these")
    options = parser.parse_args()
    # A hostile size must meet the tool's own check, not the sanitizer's.
    os.environ.setdefault("ASAN_OPTIONS", "allocator_may_return_null=1")
    corpus.make(corpus.BUILD / "fuzz" / "corpus")

    chosen = {target: program for target, program in programs().items()
              if not options.targets or target in options.targets}
    total = sum(SHARES[target] for target in chosen)
    processors = len(os.sched_getaffinity(0))
    all_executions = findings = 0
    for target, program in chosen.items():
        seconds = max(1, options.seconds * SHARES[target] // total // processors)
        workers = [Worker(target, program, seconds, n) for n in range(processors)]
        results = [worker.finish() for worker in workers]
        executions = sum(result[0] for result in results)
        covered = max(result[1] for result in results)
        print(f"fuzz_{target:8} {processors} x {seconds} s, {executions:9} executions, "
              f"{covered} branches covered", flush=True)
        all_executions += executions
        findings += sum(result[2] for result in results)
    print(f"{all_executions} executions, {findings} findings")
    return 1 if findings or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
