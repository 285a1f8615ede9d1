# SPDX-License-Identifier: BSD-2-Clause
"""Companions on aarch64: at start-up, calls become NOPs, and all other branches lead to sites in
the companion, except those that do not reach one."""
import re

import pytest

import companion
from conftest import INCLUDE, PROGRAMS
from cross import emulated, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from test_aarch64 import CLANG, GCC, LINKERS, compiled, disassembled, linked, target

pytestmark = [pytest.mark.nosan, pytest.mark.aarch64]  # the runtime is cross-compiled
FLAGS = ["-DSDT_CALL_SITES", "-fno-optimize-sibling-calls", "-I", INCLUDE]


@pytest.mark.parametrize("linker", LINKERS)
def test_calls_become_nops_at_start_up(sdt, targets, linker):
    """The object is not touched: the file has its calls, which lead to the stub until then."""
    need(GCC, "qemu-aarch64")
    obj = compiled(sdt, f"{GCC} -O1 -fno-inline", *FLAGS, source=PROGRAMS / "machine_companion.c")
    before = obj.read_bytes()
    exe = companion.link(sdt, targets, "aarch64", obj, linker=linker)
    assert obj.read_bytes() == before
    for file in (sdt.path("companion.o"), exe):
        assert sdt.sdtlink("verify", file).stdout == f"{file}: 1 site, 1 probe: ok\n"
    where = re.search(r" work +work +0x(\w+) +call ", sdt.run(sdt.tool, "list", exe))
    code = {at: text for (_, at), text in disassembled(sdt, exe)[0].items()}
    call = code[int(where[1], 16)]
    assert call.startswith("bl ") and code[target(call) + 4] == "sub x11, x30, #0x4"
    hits = {"": ["call 2 text"] * 2, "trap": ["break 2 text"]}
    for mode, lines in hits.items():
        assert emulated(sdt, "aarch64", exe, *mode.split()).stdout.splitlines() == \
            [*lines, "nop", "110"]


def test_a_call_that_the_companion_forgot_is_found(sdt):
    obj = compiled(sdt, f"{GCC} -O1 -fno-inline", *FLAGS, source=PROGRAMS / "machine_companion.c")
    other = compiled(sdt, GCC, name="other.o", source=sdt.write(
        "other.c", "void work(long, char *) __asm__(\"__dtrace_sdt_run_sdtlink___c___work\");\n"
        "void other(void);\nvoid other(void) { work(1, 0); }\n"))
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    exe = linked(sdt, obj, other, sdt.path("companion.o"), "-shared", "-Wl,-z,notext",
                 "-Wl,-Bsymbolic")
    said = sdt.sdtlink("verify", exe, status=1).stdout
    assert re.search(r"\(other\+0x\w+\): expected a record of this `bl` to ", said), said


# The function, and how the compiler branches to the probe: what objdump must find there.
BRANCHES = {"cm_tail": "b", "cm_asks": "bl", "cm_passes": "b", "cm_zero": "cbz", "cm_bit": "tbnz",
            "cm_less": "b.lt"}


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("compiler", [f"{GCC} -O2", f"{GCC} -O2 -mbranch-protection=standard",
                                      *[f"{clang} -O2" for clang in CLANG]])
def test_other_branches_lead_to_sites_of_the_companion(sdt, targets, compiler, linker):
    """In the file they lead to the stub, of any of the five kinds of instructions."""
    need(compiler.split()[0], "qemu-aarch64")
    is_mold = linker == "mold"
    exe = companion.moved(sdt, targets, "aarch64", compiler, *["-DNO_TEST_BIT"] * is_mold,
                          linker=linker)
    for file in (sdt.path("companion.o"), exe):
        assert sdt.sdtlink("verify", file).stdout == f"{file}: 7 sites, 5 probes: ok\n"
    assert "7 sites as recorded" in sdt.run(sdt.tool, "finalize", "--dry-run", exe)
    view, code = ElfView(exe), disassembled(sdt, exe)[0]
    for function, mnemonic in BRANCHES.items():
        where = view.symbol(function)
        words = [text for (_, at), text in code.items()
                 if where.value <= at < where.value + where.size]
        mnemonic = "cbnz" if is_mold and mnemonic == "tbnz" else mnemonic
        to_stub = re.compile(rf"{re.escape(mnemonic)} .*<__(sdt_stub|dtrace_sdt)")
        assert any(to_stub.match(word) for word in words), (function, words)
    companion.check(emulated(sdt, "aarch64", exe).stdout)
    companion.check(emulated(sdt, "aarch64", exe, "trap").stdout, "trap")


@pytest.mark.guest
def test_branches_change_in_a_guest(sdt, targets):
    """With a kernel: text is written through /proc/self/mem."""
    companion.check_in_guest(sdt, targets, "aarch64")


# Further than a conditional branch reaches, 1 MiB, and as near as a `b` does, 128 MiB.
FAR_SITES = """
SECTIONS
{
    .far 0x1000000 : { *companion.o(.text.sdt_loader) }
}
INSERT AFTER .text;
"""


def test_a_branch_that_does_not_reach_its_site_is_left_alone(sdt, targets):
    """It leads to the stub as before, which is nearer: while its probe is on, the handler is called
    by an event without a site. The sites of the others are as far."""
    need("qemu-aarch64")
    obj = companion.compiled(sdt, "aarch64", f"{GCC} -O2 -fno-pie")
    exe = companion.link(sdt, targets, "aarch64", obj, "-static", "-no-pie",
                         f"-Wl,-T,{sdt.write('far.ld', FAR_SITES)}")
    said = emulated(sdt, "aarch64", exe).stdout
    assert companion.blocked(said, "this mode cannot arm this kind of site here") == \
        (["bit", "less", "zero"], " call(1, 2) tail(3, 4) (0, 5) (8, 6) (6, 7)")
