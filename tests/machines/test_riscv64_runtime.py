# SPDX-License-Identifier: BSD-2-Clause
"""What only the runtime on riscv64 does: one flush for a batch, code that linkers shorten. The rest
is in test_machine_runtime.py."""
import functools
import re

import pytest

import cross
import recorded
from conftest import INCLUDE, ROOT
from cross import need, targets  # noqa: F401 (targets is a fixture)

pytestmark = [pytest.mark.nosan, pytest.mark.riscv64]  # the runtime is cross-compiled
GCC = cross.gcc("riscv64")
program = functools.partial(cross.program, target="riscv64")
run = functools.partial(cross.run, target="riscv64")


def test_signal_handlers_that_record_in_the_middle_of_a_hit(sdt, targets):
    """A timer interrupts a thread that records all the while: each of its hits is there as well."""
    exe = program(sdt, targets, source="record_many.c", objects=["-Wl,-u,__sdt_register"])
    [said] = run(sdt, exe, "signals", 50, 30, 2000, env=recorded.wish(sdt, options="ring=8M"))
    rounds, handled = map(int, said.split())
    assert recorded.lost(sdt) == 0
    assert recorded.count(sdt) == rounds * recorded.hits_of(50) + handled


def test_a_batch_of_sites_is_flushed_once(sdt, targets):
    """riscv_flush_icache(2), whose number is 259, interrupts all CPUs."""
    sites = "\n".join(f"    SDT_PROBE(many, n{i}, {i});" for i in range(200))
    source = sdt.write("many.c", f"""
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
static int flushes;
long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{{
    flushes += number == 259;
    return __real_syscall(number, a, b, c, d, e, f);
}}
int main(void)
{{
    int id = sdt_enable("many", SDT_COUNT, 0), enabled = flushes;
{sites}
    printf("%d hits, ", (int)sdt_hits("many"));
    printf("%d, %d and %d flushes\\n", sdt_disable(id), enabled, flushes);
    return 0;
}}
""")
    exe = program(sdt, targets, source=source, objects=["-Wl,--wrap=syscall"])
    said = run(sdt, exe, env={"SDT_UNLOCK_TEXT": "1"})
    assert said == ["200 hits, 0, 1 and 2 flushes"]


def alignments(sdt, file):
    """[bytes that the linker may take away] at each R_RISCV_ALIGN of an object or archive."""
    return [int(room, 16) for room in
            re.findall(r"R_RISCV_ALIGN\s+([0-9a-f]+)$", sdt.run("readelf", "-rW", file), re.M)]


@pytest.mark.parametrize("source", [*sorted((ROOT / "runtime/arch/riscv64").glob("*.S"))],
                         ids=lambda path: path.name)
def test_what_is_aligned_has_room_wherever_it_comes_to_be(sdt, source):
    """Linkers shorten what is before it by multiples of 2 bytes: less than the alignment - 2 is
    not enough then. An assembler that is told to make no short instructions (.option norvc) takes
    the alignment - 4. Whether that is too small depends on all code before it, so no link tells."""
    need(GCC)
    runtime = ROOT / "runtime"
    sdt.command(GCC, "-I", runtime, "-I", INCLUDE, "-I", source.parent, "-c", source,
                "-o", sdt.path("a.o"))
    rooms = alignments(sdt, sdt.path("a.o"))
    assert rooms and [room for room in rooms if (room + 2) & (room + 1)] == []


def test_the_library_can_be_shortened_everywhere(sdt, targets):
    """The same for what compilers were told in C."""
    rooms = alignments(sdt, targets("riscv64") / "lib" / "libsdt.a")
    assert len(rooms) > 20 and [room for room in rooms if (room + 2) & (room + 1)] == []


def test_a_probe_that_is_only_recorded_may_be_hit_in_a_handler(sdt, targets):
    """By a way of its own, which leaves nothing out where hits are nested, though no handler can
    promise to leave registers of floating point alone there."""
    exe = program(sdt, targets, source="record_in_handler.c", objects=["-Wl,-u,__sdt_register"])
    run(sdt, exe, env=recorded.wish(sdt, "rec"))
    assert [event.fields["i"] for event in recorded.read(sdt)[0]] == list(range(5))
