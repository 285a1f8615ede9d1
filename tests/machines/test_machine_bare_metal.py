# SPDX-License-Identifier: BSD-2-Clause
"""examples/bare-metal: a kernel that is not Linux, on two processors of qemu's virt machines.

It is built with an installed sdtlink, as its README says, and says itself what it sees; the tests
compare that with the page, look at the image with objdump, and break the kernel."""
import re
import shutil
import subprocess

import pytest

from conftest import ROOT
from cross import need
from installed import prefix  # noqa: F401 (prefix is a fixture)
from machines import RISCV64, each

pytestmark = pytest.mark.nosan  # an installed copy, as users have it

EXAMPLE = ROOT / "examples" / "bare-metal"


NOPS = {"aarch64": r"nop$", "riscv64": r"addi?\s+zero,"}
KERNEL = {"http:request": "cpu: uint32, path: string, bytes: uint32",
          "timer:tick": "cpu: uint32, ticks: uint32", "boot:step": "step: uint32"}


class Kernel:
    """A copy of the example."""

    def __init__(self, sdt, machine, installed):
        need(machine.gcc)
        need(f"qemu-system-{machine.name}")
        self.sdt = sdt
        self.dir = sdt.path("bare-metal")
        shutil.copytree(EXAMPLE, self.dir, ignore=shutil.ignore_patterns("build"))
        self.words = ["make", "-s", f"MACHINE={machine.name}", f"PREFIX={installed}",
                      "CFLAGS=-O2 -g -Wall -Wextra -Werror"]
        self.image = self.dir / "build" / machine.name / "kernel"

    def edit(self, name, old, new):
        path = self.dir / name
        text = path.read_text()
        assert text.count(old) == 1, old
        path.write_text(text.replace(old, new))

    def make(self, target):
        return self.sdt.command(*self.words, target, cwd=self.dir, stdin=subprocess.DEVNULL).stdout


@pytest.fixture
def kernel(sdt, machine, prefix):  # noqa: F811
    return Kernel(sdt, machine, prefix)


def lines(text):
    """What the console got, but for addresses."""
    return re.sub(r" at [0-9a-f]+ ", " at X ", text).split("\n")


@each()
def test_what_its_page_says(kernel):
    page = (EXAMPLE / "README.md").read_text().split("```")[3]
    assert lines(kernel.make("run")) == lines(page.lstrip("\n"))


@each()
def test_its_sites_are_off(sdt, kernel, machine):
    """In the image, as objdump reads it; and no stub and nothing undefined is left."""
    kernel.make("all")
    rows = [re.split(r"\s{2,}", row) for row in
            sdt.sdtlink("list", kernel.image).stdout.splitlines()[1:]]
    assert {f"{row[0]}:{row[3]}": row[6] for row in rows} == KERNEL
    code = sdt.run(f"{machine.name}-linux-gnu-objdump", "-d", "--no-show-raw-insn", kernel.image)
    for row in rows:
        place = int(row[4], 16)
        at = place + 4 if machine is RISCV64 else place  # after the auipc
        assert re.search(rf"^ +{at:x}:\s+{NOPS[machine.name]}", code, re.M), row
    assert not re.search(r"__dtrace_sdt| [Uw] ", sdt.run(f"{machine.name}-linux-gnu-nm",
                                                        kernel.image))
    assert sdt.sdtlink("verify", kernel.image).stdout.endswith(": 3 sites, 3 probes: ok\n")


@each()
def test_hits_that_are_lost_are_seen(kernel):
    """Of the demonstration itself: it counts what the probes must have counted."""
    kernel.edit("cpu.c", "    SDT_PROBE(timer, tick, cpu, ticks);",
                "    if (ticks % 8 != 0)\n        SDT_PROBE(timer, tick, cpu, ticks);")
    kernel.edit("main.c", "    work(i);", "    work(i), work(0);")
    said = kernel.make("run")
    assert "interrupts of both processors, each seen once: WRONG\n" in said
    assert "a module that comes again is counted from its start on: WRONG\n" in said
    assert said.endswith("FAILED\n")
