# SPDX-License-Identifier: BSD-2-Clause
"""What only companions on aarch64 meet: branches that do not reach a site. The rest is in
test_machine_companion.py."""
import re

import pytest

import companion
from conftest import PROGRAMS
from cross import emulated, need, targets  # noqa: F401 (targets is a fixture)
from test_aarch64 import GCC, compiled, linked

pytestmark = [pytest.mark.nosan, pytest.mark.aarch64]  # the runtime is cross-compiled


def test_a_call_that_the_companion_forgot_is_found(sdt):
    obj = compiled(sdt, f"{GCC} -O1 -fno-inline", *companion.CALLS,
                   source=PROGRAMS / "machine_companion.c")
    other = compiled(sdt, GCC, name="other.o", source=sdt.write(
        "other.c", "void work(long, char *) __asm__(\"__dtrace_sdt_run_sdtlink___c___work\");\n"
        "void other(void);\nvoid other(void) { work(1, 0); }\n"))
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    exe = linked(sdt, obj, other, sdt.path("companion.o"), "-shared", "-Wl,-z,notext",
                 "-Wl,-Bsymbolic")
    said = sdt.sdtlink("verify", exe, status=1).stdout
    assert re.search(r"\(other\+0x\w+\): expected a record of this `bl` to ", said), said


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
