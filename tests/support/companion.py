# SPDX-License-Identifier: BSD-2-Clause
"""Objects for aarch64 and riscv64 with their companions: linked, run, damaged; and what
tests/programs/companion_moved.c must print."""
import re
import struct

import cross
from conftest import INCLUDE, PROGRAMS
from guest import boot
from patched import Patched

FLAGS = {"aarch64": "-fno-inline", "riscv64": "-fno-inline -mno-relax"}
CALLS = ["-DSDT_CALL_SITES", "-fno-optimize-sibling-calls", "-I", INCLUDE]
FUNCTIONS = ("cm_call", "cm_tail", "cm_zero", "cm_bit", "cm_less")
QUESTIONS = ("cm_asks", "cm_passes")
HITS = " call(1, 2) tail(3, 4) zero(0, 5) bit(8, 6) less(6, 7)"
EVENTS = ["off:; answers 1 0", f"on:{HITS}; answers 2 1", "off:; answers 1 0",
          "tail: tail(3, 4); answers 1 0", "passes: tail(3, 4); answers 1 1", "off:; answers 1 0"]


def link(sdt, targets, machine, obj, *flags, **how):
    """OBJ as it is, with companion.o, which is made of it, and the runtime."""
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    sdt.command(cross.gcc(machine), "-c", PROGRAMS / "machine_emulated.c", "-o",
                sdt.path("emulated.o"))
    return cross.linked(sdt, obj, sdt.path("companion.o"), sdt.path("emulated.o"),
                        "-Wl,-u,__sdt_register", targets(machine) / "lib" / "libsdt.a", "-pthread",
                        *flags, target=machine, **how)


def compiled(sdt, machine, compiler, *flags, name="in.o"):
    return cross.compiled(sdt, f"{compiler} {FLAGS[machine]}", "-I", INCLUDE, *flags, name=name,
                          source=PROGRAMS / "companion_moved.c")


def moved(sdt, targets, machine, compiler, *flags, linker="bfd"):
    return link(sdt, targets, machine, compiled(sdt, machine, compiler, *flags), linker=linker)


def check(stdout, mode="jump"):
    """Armed by MODE; questions have no breakpoint, and serve every mode."""
    off, modes, *others = stdout.splitlines()
    assert [off, *others] == EVENTS
    assert sorted(modes.removeprefix("modes: ").split(" ")) == sorted(
        [f"{name}:{mode}" for name in FUNCTIONS] + [f"{name}:jump" for name in QUESTIONS])


def blocked(stdout, why):
    """The names of those that are blocked, all because of WHY, and the hits that there were."""
    modes, on = stdout.splitlines()[1:3]
    names = re.findall(rf"cm_(\w+):blocked \({re.escape(why)}\)", modes)
    assert modes.count("blocked") == len(names) and on.endswith("; answers 2 1")
    return sorted(names), on.removeprefix("on:").removesuffix("; answers 2 1")


def without(name):
    """The hits of all others."""
    return re.sub(rf" {name}\(\d, \d\)", "", HITS)


def check_in_guest(sdt, targets, machine, **how):
    programs = []
    for name, flags in (("alone", []), ("threads", ["-DTHREADS"])):
        obj = compiled(sdt, machine, f"{cross.gcc(machine)} -O2", *flags)
        programs.append(link(sdt, targets, machine, obj, "-static", name=name))
    commands = ["/alone", "/alone trap", "/threads"]
    said = boot(sdt, programs, commands, machine=machine, **how)
    for command in commands:
        *lines, status = said[command]
        assert status == "status 0", lines
        check("\n".join(lines), "trap" if "trap" in command else "jump")


class Companion(Patched):
    """A file whose records are a companion's. Its sites and branches change in units of an
    instruction."""
    OTHER_SET = "sdt_companion"
    UNITS = {"EM_AARCH64": "<I", "EM_RISCV": "<H"}

    def change(self, address, change):
        unit = self.UNITS[self.elf["e_machine"]]
        offset, most = self.at(address), 1 << 8 * struct.calcsize(unit)
        self.put(offset, struct.pack(unit, change(self.get(offset, unit)) % most))

    def change_site(self, kind, at, change):
        """What is AT bytes after the site of KIND."""
        self.change(self.site(kind) + at, change)

    def change_branch(self, kind, at, change):
        """The same of the branch that this site stands for."""
        word = self.site(kind) - 4
        self.change(word + self.get(self.at(word), "<i") + at, change)
