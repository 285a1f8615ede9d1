# SPDX-License-Identifier: BSD-2-Clause
"""The machines that tests/machines/ is about, and how a test is written once for all of them.

    @each()                                     the test gets a Machine, as `machine`
    @each(cpu=lambda m: m.cpus)                 and each of its CPUs
    @each([AARCH64])                            of some of them only

Each cell has a mark named after its machine, as have the files that are about one machine only:
`./run test --target` leaves out those of the other.
"""
import dataclasses
import itertools

import pytest

import cross
from toolchain import CLANGS, LLDS


@dataclasses.dataclass(frozen=True, eq=False)  # each is itself, also in a cache
class Machine:
    name: str
    cpus: dict  # of qemu; what the programs that use every register print there
    linkers: list

    def __str__(self):
        return self.name

    @property
    def gcc(self):
        return cross.gcc(self.name)

    @property
    def clangs(self):
        return [cross.clang(self.name, clang) for clang in CLANGS]

    @property
    def qemu(self):
        return f"qemu-{self.name}"

    def library(self, targets):
        return targets(self.name) / "lib" / "libsdt.a"

    def linked(self, sdt, *inputs, **how):
        return cross.linked(sdt, *inputs, target=self.name, **how)

    def program(self, sdt, targets, *flags, **how):
        return cross.program(sdt, targets, *flags, target=self.name, **how)

    def run(self, sdt, exe, *args, **how):
        """The lines that EXE prints."""
        return cross.run(sdt, exe, *args, target=self.name, **how)


AARCH64 = Machine("aarch64", {"cortex-a57": ("6 hits, SVE: 0", "24 late hits, SVE: 0"),
                              "max": ("9 hits, SVE: 1", "36 late hits, SVE: 1")},
                  ["bfd", "gold", *LLDS, "mold"])
RISCV64 = Machine("riscv64", {
    "rv64": ("6 hits, vectors: 0", "24 late hits, vectors: 0"),
    "rv64,v=true,vlen=256": ("12 hits, vectors: 1", "36 late hits, vectors: 1")},
    ["bfd", *[lld for lld in LLDS if int(lld[4:]) >= 15][-1:], "mold"])  # 14 does not relax
MACHINES = (AARCH64, RISCV64)


def _id(value):
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def each(machines=MACHINES, /, **dimensions):
    """Parametrize a test by the machine, and by what each of DIMENSIONS says that it has."""
    cells = [pytest.param(machine, *values, marks=getattr(pytest.mark, machine.name),
                          id="-".join(map(_id, (machine, *values))))
             for machine in machines
             for values in itertools.product(*(of(machine) for of in dimensions.values()))]
    return pytest.mark.parametrize(["machine", *dimensions], cells)
