# SPDX-License-Identifier: BSD-2-Clause
"""Other machines: their compilers, their runtime, and qemu that runs their programs.

    need("qemu-aarch64")               a test ends here if this machine has no such program
    targets("aarch64")                 where headers and libraries for it are installed (a fixture)
    emulated(sdt, "aarch64", program)  run it in user mode
"""
import fcntl
import os
import shutil
import subprocess

import pytest

from conftest import ROOT


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"this machine has no {program}")


def emulated(sdt, target, program, *args, **kwargs):
    need(f"qemu-{target}")
    return sdt.command(f"qemu-{target}", "-L", f"/usr/{target}-linux-gnu", program, *args, **kwargs)


@pytest.fixture(scope="session")
def targets(tmp_path_factory):
    """The installed packages, by target: built as docs/portable.md says, by whoever is first of all
    processes of a run. xdist gives each a directory of its own below the run's."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def build(target):
        need(f"{target}-linux-gnu-gcc", f"{target}-linux-gnu-g++")
        place = base / f"{target}-linux-gnu"
        with open(base / f"{target}.lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (place / "prefix").exists():
                install(target, place / "build", place / "new")
                (place / "new").rename(place / "prefix")  # whole, or not there
        return place / "prefix"
    return build


def install(target, build, prefix):
    toolchain = ROOT / "cmake" / "toolchains" / f"{target}-linux-gnu.cmake"
    for argv in (["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DSDT_WERROR=ON",
                  "-DSDT_BUILD_SDT=OFF", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}"],
                 ["cmake", "--build", build],
                 ["cmake", "--install", build, "--prefix", prefix]):
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
