# SPDX-License-Identifier: BSD-2-Clause
"""Uprobes by hand: where an address is in a file, and a uprobe through tracefs."""
import itertools
import os
import pathlib
import subprocess

import pytest
from elftools.elf.elffile import ELFFile

TRACEFS = pathlib.Path("/sys/kernel/tracing")
PMU = "/sys/bus/event_source/devices/uprobe/type"

needs_uprobes = pytest.mark.skipif(os.geteuid() != 0 or not os.path.exists(PMU),
                                   reason="needs root and uprobes in the kernel")
needs_tracefs = pytest.mark.skipif(not os.access(TRACEFS / "uprobe_events", os.W_OK),
                                   reason="needs root and tracefs at /sys/kernel/tracing")
COUNTER = itertools.count()


def file_offset(path, address):
    """Where what is loaded at ADDRESS lies in the file."""
    with open(path, "rb") as stream:
        return next(ELFFile(stream).address_offsets(address))


def symbol_offset(path, name, distance=0):
    with open(path, "rb") as stream:
        [found] = ELFFile(stream).get_section_by_name(".symtab").get_symbol_by_name(name)
        return file_offset(path, found["st_value"]) + distance


def command_events(text):
    """Python's append mode seeks, which this file refuses; truncating it removes all events."""
    events = os.open(TRACEFS / "uprobe_events", os.O_WRONLY | os.O_APPEND)
    try:
        os.write(events, text.encode())
    finally:
        os.close(events)


class Uprobe:
    """One uprobe through tracefs; switched on and off by attach() and detach().

    SEMAPHORE is the offset of a reference counter in the file. Skips where the kernel refuses.
    """

    def __init__(self, path, offset, semaphore=None):
        self.name = f"sdt_test_{os.getpid()}_{next(COUNTER)}"
        place = f"{path}:{offset:#x}" + (f"({semaphore:#x})" if semaphore else "")
        try:
            command_events(f"p:sdtlink/{self.name} {place}\n")
        except OSError as error:
            pytest.skip(f"the kernel refuses uprobes here: {error}")
        self.switch = TRACEFS / "events" / "sdtlink" / self.name / "enable"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.detach()
        command_events(f"-:sdtlink/{self.name}\n")

    def attach(self):
        self.switch.write_text("1")

    def detach(self):
        self.switch.write_text("0")

    def hits(self):
        for line in (TRACEFS / "uprobe_profile").read_text().splitlines():
            words = line.split()
            if self.name in words:
                return int(words[words.index(self.name) + 1])
        return None


def side_by_side(exe, symbol, distance, *args, ends=("ok\n", "", 0)):
    """Run EXE, which says when to attach and detach; how often the uprobe was hit.

    ENDS: the last line that it prints, its standard error, and its exit status.
    """
    with Uprobe(exe, symbol_offset(exe, symbol, distance)) as probe:
        with subprocess.Popen([exe, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            while (line := process.stdout.readline()) in ("attach\n", "detach\n"):
                getattr(probe, line.strip())()
                process.stdin.write("go\n")
                process.stdin.flush()
            errors = process.stderr.read()
        assert (line, errors, process.returncode) == ends
        return probe.hits()
