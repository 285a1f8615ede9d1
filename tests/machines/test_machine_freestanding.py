# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink --freestanding` for aarch64 and riscv64: what tests/tool/test_freestanding.py says of
x86-64. qemu runs the program with a runtime of its own."""
import re

import pytest

import freestanding
from conftest import INCLUDE, PROGRAMS
from cross import compiled, emulated, need
from machines import RISCV64, each
from test_freestanding import EXPECTED
from test_freestanding_runtime import EXPECTED as SHOWN
from test_freestanding_companion import seed_expected, seed_lines
from test_freestanding_runtime import seen

SOURCE = PROGRAMS / "freestanding.c"
KERNEL = {"aarch64": ["-mgeneral-regs-only", "-mbranch-protection=pac-ret+leaf+bti"],
          "riscv64": ["-march=rv64imac", "-mabi=lp64", "-mcmodel=medany", "-mno-relax"]}
EVERYWHERE = ["-ffreestanding", "-fno-pie", "-fno-asynchronous-unwind-tables",
              "-fno-unwind-tables", "-D__KERNEL__"]


@pytest.fixture(autouse=True)
def compiler(machine):
    need(machine.gcc)


@each(linker=lambda m: [linker for linker in m.linkers if linker != "gold"],
      flags=lambda m: ["-O2", "-Os -ffunction-sections", "-O0"])
def test_a_runtime_of_its_own_counts_every_hit(sdt, machine, linker, flags):
    obj = compiled(sdt, machine.gcc, *flags.split(), "-I", INCLUDE, source=SOURCE)
    main = compiled(sdt, f"{machine.gcc} -O2", "-I", INCLUDE, name="main.o",
                    source=PROGRAMS / "freestanding_kernel.c")
    exe = machine.linked(sdt, sdt.process(obj, "--freestanding"), main, linker=linker)
    assert emulated(sdt, machine.name, exe).stdout == EXPECTED
    assert ": 8 sites, 6 probes: ok\n" in sdt.sdtlink("verify", exe).stdout


def kernels(machine):
    return [machine.gcc, *machine.clangs[-1:]]


@each(tool=kernels)
def test_an_object_of_a_kernel(sdt, machine, tool):
    """Compiled as Linux is, without registers for floating point: probes do not vanish."""
    flags = KERNEL[machine.name] if "clang" not in tool else [
        flag for flag in KERNEL[machine.name] if "protection" not in flag]
    obj = compiled(sdt, f"{tool} -O2", *EVERYWHERE, *flags, "-I", INCLUDE,
                   source=SOURCE)
    out = sdt.process(obj, "--freestanding")
    names = re.findall(r"^ +\[ *\d+\] (\S+)", sdt.run("readelf", "-SW", out), re.M)
    assert not [name for name in names
                if re.search(r"_array|note\.stapsdt|eh_frame|^\.group|sdt_dso|^\.probes", name)]
    assert {"sdt_sites", ".text.sdt_entry", ".text.sdt_stub", ".init.text.sdt_entry"} <= {*names}
    assert not [name for name in sdt.run("nm", "-u", out).split() if "sdt" in name]
    assert sdt.sdtlink("verify", "--against", obj, out).stdout.endswith(
        "8 sites, 6 probes: ok\n")


@each([RISCV64])
def test_soft_floats_are_supported(sdt, machine):
    source = sdt.write("soft.c", "#define SDT_REQUIRE_SUPPORTED\n#include <sdt/probe.h>\n"
                                 "#if !SDT_HAS_PROBES\n#error none\n#endif\n")
    compiled(sdt, machine.gcc, *KERNEL["riscv64"], "-I", INCLUDE, source=source)


# ---- the freestanding runtime ----

@each(tool=kernels)
def test_what_a_kernel_sees(sdt, machine, tool):
    """tests/runtime/test_freestanding_runtime.py, where qemu's threads are the processors. Without
    the null pointer, which the program follows itself: arguments are loaded before the site."""
    objects = freestanding.runtime(sdt, machine.name, f"{tool} -O2")
    exe = freestanding.program(sdt, machine.name, tool, objects, linker=machine.gcc)
    for what in SHOWN.keys() - {"count-breakpoints", "null"}:
        said = emulated(sdt, machine.name, exe, what).stdout.splitlines()
        assert seen(said) == seen(SHOWN[what]), what


@each(linker=lambda m: [linker for linker in m.linkers if linker != "gold"])
def test_calls_become_nops_when_the_kernel_starts(sdt, machine, linker):
    """The object stays as it is: tests/runtime/test_freestanding_companion.py."""
    flags = f"{machine.gcc} -O2 -fno-pie"
    if machine is RISCV64:
        flags += " -mno-relax"  # or the places would not be known
    objects = freestanding.runtime(sdt, machine.name, flags)
    obj, kernel = (compiled(sdt, flags, "-I", INCLUDE, source=PROGRAMS / f"{name}.c",
                            name=f"{name}.o") for name in ("freestanding_seed", "fake_kernel"))
    companion = sdt.path("companion.o")
    sdt.sdtlink("--companion", "--freestanding", "-o", companion, obj)
    said = sdt.sdtlink("--companion=c.c", "--freestanding", obj, status=1).stderr
    assert "companions in C are for another machine" in said and not sdt.path("c.c").exists()
    exe = machine.linked(sdt, obj, companion, kernel, *objects, "-no-pie", "-pthread",
                         linker=linker)
    assert seed_lines(emulated(sdt, machine.name, exe).stdout) == seed_expected()
    assert sdt.sdtlink("verify", exe).stdout.endswith(": 5 sites, 2 probes: ok\n")
