# SPDX-License-Identifier: BSD-2-Clause
"""Other machines: their compilers, their runtime, and qemu that runs their programs.

    need("qemu-aarch64")               a test ends here if this machine has no such program
    targets("aarch64")                 where headers and libraries for it are installed (a fixture)
    emulated(sdt, "aarch64", program)  run it in user mode
"""
import shutil
import subprocess

import pytest

from conftest import ROOT

BUILT = {}  # by target: one build serves all files of tests


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"this machine has no {program}")


def emulated(sdt, target, program, *args, **kwargs):
    need(f"qemu-{target}")
    return sdt.command(f"qemu-{target}", "-L", f"/usr/{target}-linux-gnu", program, *args, **kwargs)


@pytest.fixture(scope="session")
def targets(tmp_path_factory):
    """The installed packages, by target: built as docs/portable.md says."""
    def build(target):
        need(f"{target}-linux-gnu-gcc", f"{target}-linux-gnu-g++")
        if target not in BUILT:
            place = tmp_path_factory.mktemp(target)
            toolchain = ROOT / "cmake" / "toolchains" / f"{target}-linux-gnu.cmake"
            for argv in (["cmake", "-S", ROOT, "-B", place / "build", "-G", "Ninja",
                          "-DSDT_WERROR=ON", "-DSDT_BUILD_SDT=OFF",
                          f"-DCMAKE_TOOLCHAIN_FILE={toolchain}"],
                         ["cmake", "--build", place / "build"],
                         ["cmake", "--install", place / "build", "--prefix", place / "prefix"]):
                subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
            BUILT[target] = place / "prefix"
        return BUILT[target]
    return build
