# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on aarch64 with a kernel of that machine: text written through /proc/self/mem,
breakpoints and their signals, membarrier(2), three CPUs with their own counters; the kernel's
uprobes at our sites; gdb. The rest is in test_machine_guest.py.

`./run test` boots once, and has the programs of said(); what takes longer is marked `guest`."""
import re

import pytest

import looks
from cross import need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from guest import boot, kernel, once
from machines import AARCH64
from test_machine_guest import (FORMS, TOGGLED, UNWOUND, assert_counted, assert_served, counting,
                                program, programs)

pytestmark = [pytest.mark.nosan, pytest.mark.aarch64]  # the runtime is cross-compiled
CHECKS = [f"/registers {mode}" for mode in ("jump", "trap", "jump general", "trap general")]
COUNTED = {"counts both all": "cpu", "counts fork all": "cpu", "counts again none": "probe"}


@pytest.fixture(autouse=True, scope="session")  # before anything is built for it
def has_kernel():
    kernel()
    need(AARCH64.gcc)


@pytest.fixture(scope="session")
def said(tmp_path_factory, targets):  # noqa: F811 (targets is a fixture)
    runs = [f"/{name} {what}" for name in FORMS[AARCH64] for what in ("jump", "trap", "count")]
    commands = [*runs, "/inline toggle", *CHECKS, "/unwind", "/uprobe",
                *(f"/{command}" for command in COUNTED)]
    return once(tmp_path_factory, "aarch64", lambda sdt: boot(
        sdt, [*programs(sdt, targets, AARCH64),
              program(sdt, targets, AARCH64, "uprobe", "machine_uprobe.c"),
              counting(sdt, targets, AARCH64, "counts")], commands))


def test_sites_are_armed_and_serve(said):
    assert_served(said, AARCH64)


def test_sites_change_while_threads_run_them(said):
    assert said["/inline toggle"] == TOGGLED


def test_inline_sites_keep_every_register(said):
    for check in CHECKS:
        assert said[check] == ["9 hits, SVE: 1", "status 0"]


def test_unwinders_go_through_sites(said):
    assert said["/unwind"] == UNWOUND


def test_uprobes_at_sites(said):
    """At the NOP of an inline site and at the branch of a tail site: each hit is counted while the
    site is off; while the kernel's breakpoint is there we leave the word alone; then it is ours."""
    lines = said["/uprobe"]
    assert lines[0] == "uprobes: 0"
    assert sorted(lines[1:3]) == ["uprobe left: 3", "uprobe sale: 3"]
    assert lines[3] == "words d42000a0 d42000a0"  # brk #5
    assert lines[4].startswith("armed: a tracer's breakpoint is at the site")
    assert lines[5:] == ["gone: 0", "armed: 1", "handler sale 7", "handler left 8",
                         "disabled: success", "status 0"]


def test_counts_are_exact(said):
    """By each CPU for itself, over forks and with handlers; or in the probe, without rseq(2)."""
    assert_counted(said, COUNTED)


GDB = """set environment SDT_ENABLE=*=count
break -probe-stap shop:left
run
printf "argument %d\\n", (int)$_probe_arg0
backtrace
x/i $pc
x/i sale
delete
next
finish
continue
"""


@pytest.mark.guest
def test_gdb_there(sdt, targets):
    """Which has put its breakpoint at a site before the runtime comes to arm it: there it wins, and
    no hit is counted; the other site is armed, as its disassembly shows."""
    exe = program(sdt, targets, AARCH64, "stops", "gdb_stops.c", "-Og", "-g")
    site = next(site for site in ElfView(exe).sites() if site.kind == "inline")
    lines = looks.gdb(sdt, exe, "aarch64", {"script": GDB.replace("sale", hex(site.pc))})["script"]
    text = "\n".join(lines)
    assert "argument 1" in lines and re.search(r"^#1 .* in visit \(n=", text, re.M)
    branch = re.search(r"^ +(0x[0-9a-f]+) <sell.*>:\tb\t(0x[0-9a-f]+) <__sdt_entries", text, re.M)
    assert int(branch[1], 16) == site.pc
    assert re.search("=> 0x[0-9a-f]+ <leave.*>:\tnop", text)
    assert "Value returned is $1 = 201" in text
    assert "732, 3 hits" in lines and lines[-1] == "status 0"
