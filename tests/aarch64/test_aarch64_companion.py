# SPDX-License-Identifier: BSD-2-Clause
"""Companions on aarch64: calls become NOPs at start-up, everything else is refused by name."""
import re

import pytest

from conftest import INCLUDE, PROGRAMS
from cross import emulated, need, targets  # noqa: F401 (targets is a fixture)
from test_aarch64 import GCC, LINKERS, compiled, disassembled, linked, target

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
FLAGS = ["-DSDT_CALL_SITES", "-fno-optimize-sibling-calls", "-I", INCLUDE]


@pytest.mark.parametrize("linker", LINKERS)
def test_calls_become_nops_at_start_up(sdt, targets, linker):
    """The object is not touched: the file has its calls, which lead to the stub until then."""
    need(GCC, "qemu-aarch64")
    obj = compiled(sdt, f"{GCC} -O1 -fno-inline", *FLAGS, source=PROGRAMS / "aarch64_companion.c")
    before = obj.read_bytes()
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    assert obj.read_bytes() == before
    sdt.command(GCC, "-c", PROGRAMS / "aarch64_emulated.c", "-o", sdt.path("emulated.o"))
    exe = linked(sdt, obj, sdt.path("companion.o"), sdt.path("emulated.o"),
                 targets("aarch64") / "lib" / "libsdt.a", "-pthread", linker=linker)
    for file in (sdt.path("companion.o"), exe):
        assert sdt.sdtlink("verify", file).stdout == f"{file}: 1 site, 1 probe: ok\n"
    where = re.search(r" work +work +0x(\w+) +call ", sdt.run(sdt.tool, "list", exe))
    code = {at: text for (_, at), text in disassembled(sdt, exe)[0].items()}
    call = code[int(where[1], 16)]
    assert call.startswith("bl ") and code[target(call) + 4] == "sub x11, x30, #0x4"
    assert emulated(sdt, "aarch64", exe).stdout.splitlines() == ["break 2 text", "nop", "110"]


def test_a_call_that_the_companion_forgot_is_found(sdt):
    obj = compiled(sdt, f"{GCC} -O1 -fno-inline", *FLAGS, source=PROGRAMS / "aarch64_companion.c")
    other = compiled(sdt, GCC, name="other.o", source=sdt.write(
        "other.c", "void __dtrace_sdt_c___work(long, const char *);\nvoid other(void);\n"
        "void other(void) { __dtrace_sdt_c___work(1, \"\"); }\n"))
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    exe = linked(sdt, obj, other, sdt.path("companion.o"), "-shared", "-Wl,-z,notext",
                 "-Wl,-Bsymbolic")
    said = sdt.sdtlink("verify", exe, status=1).stdout
    assert re.search(r"\(other\+0x\w+\): expected a record of this `bl` to ", said), said


@pytest.mark.parametrize("flags, source, problem", [
    ([], "aarch64_forms.c", "a companion on aarch64 can patch calls only"),
    (["-I", INCLUDE], "aarch64_companion.c", "a companion cannot patch an inline probe"),
])
def test_the_rest_is_refused_by_name(sdt, flags, source, problem):
    obj = compiled(sdt, f"{GCC} -O2", *flags, source=PROGRAMS / source)
    result = sdt.sdtlink("--companion", "-o", sdt.path("out.o"), obj, status=1)
    assert problem in result.stderr and "sdtlink -o OUT IN" in result.stderr
    assert not sdt.path("out.o").exists()
