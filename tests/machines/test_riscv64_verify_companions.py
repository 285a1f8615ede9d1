# SPDX-License-Identifier: BSD-2-Clause
"""The second reader and companions on riscv64: right ones pass, and each kind of damage is reported
by name."""
import struct

import pytest

from companion import Companion
from conftest import INCLUDE
from cross import compiled, need
from machines import RISCV64
from patched import (CALL, COMPANION, ENABLED, LIVE, NOP1, PC, RECORD, STUB, TAIL, WORDS,
                     assert_all_named, assert_named, flip, needs_verify, set_kind, shift)
from test_machine_verify import MAIN, made_of  # noqa: F401 (made_of is a fixture)
from test_riscv64 import CLANG, GCC, LINKERS, linked
from test_riscv64_verify import C_EBREAK, MOVED_FLAG, add, half, jal, on_site
from test_riscv64_verify_objects import CALL_PLT, PCREL32, RELAX, SHORTER, Relocations, more, of

pytestmark = [needs_verify, pytest.mark.riscv64]

COMPANION_SOURCE = """
#include <sdt/probe.h>
long one(long a), two(long a), more(long a);
long one(long a)
{
    a += more(a);
    SDT_PROBE(c, one, a);
    return a + 1;
}
long two(long a)
{
    SDT_PROBE(c, two, a);
    return a + 2;
}
"""


@pytest.fixture(scope="module")
def companion(made_of):  # noqa: F811
    """An object, its companion, both linked, and both joined by `ld -r`."""
    made = made_of(RISCV64)
    made.write("companion.c", COMPANION_SOURCE)
    made.write("more.c", "long more(long a);\nlong more(long a) { return a; }\n" + MAIN)
    obj = compiled(made, f"{GCC} -O1 -mno-relax -DSDT_CALL_SITES -fno-optimize-sibling-calls "
                   f"-I {INCLUDE}", source=made.path("companion.c"), name="sites.o")
    compiled(made, f"{GCC} -O1", source=made.path("more.c"), name="more.o")
    made.sdtlink("--companion", "-o", made.path("companion.o"), obj)
    linked(made, obj, made.path("companion.o"), made.path("more.o"), name="called")
    made.command("riscv64-linux-gnu-ld", "-r", obj, made.path("companion.o"), made.path("more.o"),
                 "-o", made.path("joined.o"))
    return made


def test_companions_as_they_are_pass(companion):
    for name in ("companion.o", "called", "joined.o"):
        said = companion.sdtlink("verify", companion.path(name)).stdout
        assert said.startswith(f"{companion.path(name)}: 2 sites, 2 probes: ok"), said


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("clang", CLANG[-1:])
def test_every_linker_of_companions_passes(sdt, companion, clang, linker):
    need(clang.split()[0])
    obj = compiled(sdt, f"{clang} -O2 -fPIC -mno-relax -DSDT_CALL_SITES -I {INCLUDE} "
                   "-fno-optimize-sibling-calls", source=companion.path("companion.c"))
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    for flags in ([], ["-static", "-Wl,--gc-sections"]):
        exe = linked(sdt, obj, sdt.path("companion.o"), companion.path("more.o"), *flags,
                     linker=linker)
        assert sdt.sdtlink("verify", exe).stdout == f"{exe}: 2 sites, 2 probes: ok\n"


def second_record_lost(file):
    """Both of the records say what the first one says."""
    address, offset = file.record(CALL)
    for at in WORDS:
        value = file.get(offset + at, "<i")
        file.put(offset + RECORD.size + at,
                 struct.pack("<i", value and value - RECORD.size))


A_COMPANION = "c:one: expected auipc and jalr by ra, to the probe's stub, found"
CALLED = {
    "a call that is off": (on_site(CALL, half, 4, 0x8013), A_COMPANION),
    "a breakpoint": (on_site(CALL, half, 4, C_EBREAK), A_COMPANION),
    "a jump": (on_site(CALL, add, 4, -0x80), A_COMPANION),
    "a call by t0": (on_site(CALL, add, 0, 0x200), A_COMPANION),
    "a call to elsewhere": (on_site(CALL, add, 4, 2 << 20), A_COMPANION),
    "a relaxed call": (lambda f: f.word(f.site(CALL), jal(1, f.site(CALL), f.stub())), A_COMPANION),
    "a shifted site": (lambda f: shift(f, CALL, PC), A_COMPANION),
    "another stub": (lambda f: shift(f, CALL, STUB, by=2), A_COMPANION),
    "a record of a tail call": (lambda f: set_kind(f, CALL, TAIL), f"c:one: {MOVED_FLAG}"),
    "a record of a question": (lambda f: set_kind(f, CALL, ENABLED),
                               "c:one: expected no companion of a site of kind 7 on this machine"),
    "a record of a note": (lambda f: set_kind(f, CALL, NOP1),
                           "c:one: expected no companion of a site of kind 11 on this machine"),
    "a lost flag": (lambda f: flip(f, CALL, COMPANION),
                    "c:one: expected the companion flag in section"),
    "flags that are live": (lambda f: flip(f, CALL, LIVE), "c:one: unknown flags 0x"),
    "a lost record": (second_record_lost, "expected a record of this `auipc` to "),
}


def test_every_damage_to_a_companion_is_named(companion, sdt):
    assert_all_named(sdt, CALLED, companion.path("called"), Companion)


def test_damage_to_the_object_of_a_companion_is_named(companion, sdt):
    file = Companion(companion.path("joined.o"))
    at = next(at for at, rela in file.relas(".rela.text") if rela["r_info_type"] == CALL_PLT)
    Relocations(file, ".text").retype(at, RELAX)
    assert_named(sdt, "c:one: " + SHORTER, file.save("bad.o"))
