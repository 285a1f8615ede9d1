# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on riscv64 with a kernel of that machine: text written through /proc/self/mem and by
mprotect, breakpoints and their signals, membarrier(2); the kernel's uprobes at sites; gdb. The rest
is in test_machine_guest.py. The programs are those of aarch64, but for the registers."""
import re

import pytest

import looks
from cross import hits, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from guest import boot, kernel
from machines import RISCV64
from test_machine_guest import FORMS, HITS, UNWOUND, WRITES, assert_served, program, programs

# The runtime is cross-compiled.
pytestmark = [pytest.mark.nosan, pytest.mark.guest, pytest.mark.riscv64]


@pytest.fixture(autouse=True, scope="session")  # before anything is built for it
def has_kernel():
    kernel("riscv64")
    need(RISCV64.gcc)


@pytest.mark.parametrize("parameters", [WRITES, ""], ids=["proc-self-mem", "mprotect"])
def test_sites_are_armed_and_serve(sdt, targets, parameters):
    """By both ways of writing that programs go on a kernel."""
    runs = [f"/{name} {what}" for name in FORMS[RISCV64] for what in ("jump", "trap", "count")]
    said = boot(sdt, programs(sdt, targets, RISCV64),
                [*runs, "/registers jump", "/registers trap", "/unwind"], machine="riscv64",
                parameters=parameters)
    assert_served(said, RISCV64)
    for mode in ("jump", "trap"):
        assert said[f"/registers {mode}"] == ["12 hits, vectors: 1", "status 0"]
    assert said["/unwind"] == UNWOUND


def test_a_breakpoint_is_not_written_by_the_kernel(sdt, targets):
    """Which would store its two bytes one by one: where mprotect must not be used, there is none.
    Of what a jump takes one byte changes."""
    said = boot(sdt, [program(sdt, targets, RISCV64, "call", "machine_run.c", "-DSDT_CALL_SITES")],
                ["SDT_LOCK_TEXT=1 /call jump", "SDT_LOCK_TEXT=1 /call trap"], machine="riscv64",
                parameters=WRITES)
    assert said["SDT_LOCK_TEXT=1 /call jump"][2:7] == hits("jump")
    errors = [line for line in said["SDT_LOCK_TEXT=1 /call trap"] if " mode 4 error " in line]
    assert [line.split()[0] for line in errors] == ["sale", "left", "dear"]
    assert all("forbidden by SDT_LOCK_TEXT" in line for line in errors)


def test_uprobes_at_sites(sdt, targets):
    """At the auipc of an inline site and of a tail site: each hit is counted while the site is off;
    and while the kernel's breakpoint is there, the site is armed all the same, since our byte, or
    our breakpoint, is in the next instruction."""
    said = boot(sdt, [program(sdt, targets, RISCV64, "uprobe", "machine_uprobe.c")],
                ["/uprobe", "/uprobe trap"], machine="riscv64", parameters=WRITES)
    for command in ("/uprobe", "/uprobe trap"):
        lines = said[command]
        assert lines[0] == "uprobes: 0"
        assert sorted(lines[1:3]) == ["uprobe left: 3", "uprobe sale: 3"]
        assert re.fullmatch("words ....9002 ....9002", lines[3])  # c.ebreak
        assert lines[4:7] == ["armed: success", "handler sale 5", "handler left 6"]
        assert sorted(lines[7:9]) == ["uprobe left: 4", "uprobe sale: 4"]
        assert lines[9:] == ["disabled: success", "gone: 0", "armed: 1", "handler sale 7",
                             "handler left 8", "disabled: success", "status 0"]


GDB = """break -probe-stap shop:sale
break -probe-stap shop:left
run
printf "sale %d %s\\n", (int)$_probe_arg0, (char *)$_probe_arg1
backtrace
continue
printf "left %d\\n", (int)$_probe_arg0
backtrace
x/2i $pc
x/2i SALE
next
finish
continue
printf "sale %d %s\\n", (int)$_probe_arg0, (char *)$_probe_arg1
delete
continue
"""
SECOND = {"off": ["addi", "addi"], "counted": ["jalr", "jr"]}  # of a site's two instructions


def test_gdb_there(sdt, targets):
    """It stops at sites that are off and at sites that are counted, and reads their arguments. Its
    breakpoint was there first: the runtime armed the site with it in place."""
    exe = program(sdt, targets, RISCV64, "stops", "gdb_stops.c", "-Og", "-g")
    sites = {site.kind: site.pc for site in ElfView(exe).sites()}
    script = GDB.replace("SALE", hex(sites["inline"]))
    seen = looks.gdb(sdt, exe, "riscv64", {"off": script, "counted":
                                           "set environment SDT_ENABLE=*=count\n" + script})
    for run, lines in seen.items():
        text = "\n".join(lines)
        assert [line for line in lines if line.startswith(("sale ", "left "))] == \
            ["sale 1 tea", "left 1", "sale 2 tea"]
        assert re.findall(r"^#\d+ .*?(\w+) \(", text, re.M) == \
            ["sell", "visit", "main", "leave", "visit", "main"]
        shown = re.findall(r"^.. 0x(\w+) <[^>]*>:\t(\w+)", text, re.M)
        assert [int(shown[i][0], 16) for i in (0, 2)] == [sites["call"], sites["inline"]]
        assert [name for _, name in shown] == ["auipc", SECOND[run][0], "auipc", SECOND[run][1]]
        assert "Value returned is $1 = 201" in text
        assert HITS[RISCV64][run] in lines and lines[-1] == "status 0"
