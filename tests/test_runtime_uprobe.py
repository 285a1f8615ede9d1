# SPDX-License-Identifier: BSD-2-Clause
"""The kernel's tracer and the runtime on one site: each keeps to its own byte."""
import os
import pathlib
import subprocess

import pytest
from elftools.elf.elffile import ELFFile

import rt

TRACEFS = pathlib.Path("/sys/kernel/tracing")


def file_offset(exe, symbol, distance):
    with open(exe, "rb") as stream:
        elf = ELFFile(stream)
        [found] = elf.get_section_by_name(".symtab").get_symbol_by_name(symbol)
        return next(elf.address_offsets(found["st_value"])) + distance


def command_events(text):
    """Python's append mode seeks, which this file refuses; truncating it removes all events."""
    events = os.open(TRACEFS / "uprobe_events", os.O_WRONLY | os.O_APPEND)
    try:
        os.write(events, text.encode())
    finally:
        os.close(events)


class Uprobe:
    """One uprobe through tracefs; switched on and off by attach() and detach()."""

    def __init__(self, exe, offset):
        self.name = f"sdt_test_{os.getpid()}"
        command_events(f"p:sdtlink/{self.name} {exe}:{offset:#x}\n")
        self.switch = TRACEFS / "events" / "sdtlink" / self.name / "enable"

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

    def remove(self):
        self.detach()
        command_events(f"-:sdtlink/{self.name}\n")


def side_by_side(exe, symbol, distance, *args):
    """Run EXE, which says when to attach and detach; how often the uprobe was hit."""
    if not os.access(TRACEFS / "uprobe_events", os.W_OK):
        pytest.skip("needs root and tracefs at /sys/kernel/tracing")
    try:
        probe = Uprobe(exe, file_offset(exe, symbol, distance))
    except OSError as error:
        pytest.skip(f"the kernel refuses uprobes here: {error}")
    try:
        with subprocess.Popen([exe, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            while (line := process.stdout.readline()) in ("attach\n", "detach\n"):
                getattr(probe, line.strip())()
                process.stdin.write("go\n")
                process.stdin.flush()
            errors = process.stderr.read()
        assert (line, errors, process.returncode) == ("ok\n", "", 0)
        return probe.hits()
    finally:
        probe.remove()


def test_a_uprobe_and_our_breakpoint_on_one_site(sdt):
    exe = rt.program(sdt, "rt_uprobe.c")
    assert side_by_side(exe, "fx_call", 4) == 1 + 10 + 100 + 10000


# Where the site is in its function of rt_inline.S.
OWN_BYTE = {"inline": ("in_leaf", 12), "call6": ("in_six", 4)}


@pytest.mark.parametrize("kind", OWN_BYTE)
def test_a_uprobe_and_our_jump_on_one_site(sdt, kind):
    """Both count everything, in every order, a forked child included."""
    exe = rt.program(sdt, "rt_uprobe_jump.c", fixture="rt_inline.S")
    assert side_by_side(exe, *OWN_BYTE[kind], kind) == 1 + 10 + 20 + 100 + 10000


def test_a_uprobe_over_our_call(sdt):
    """One byte for two: the tracer wins while it is there, and nothing crashes."""
    exe = rt.program(sdt, "rt_uprobe_jump.c", fixture="rt_inline.S")
    assert side_by_side(exe, "in_call", 4, "call") == 10 + 100 + 1000
