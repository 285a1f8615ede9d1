# SPDX-License-Identifier: BSD-2-Clause
"""Programs of 32 bits that need no library, so that any machine with an x86-64 compiler can build
and run them."""
import platform
import shutil

import pytest

from cross import need

LINKERS = ["bfd", "gold", "lld", "mold"]
BASE = "-m32 -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables"
runs = pytest.mark.skipif(platform.machine() != "x86_64", reason="runs programs of 32 bits")


def compiled(sdt, source, compiler="gcc -O2 -fno-pic", *flags, name="in.o"):
    need(compiler.split()[0])
    sdt.command(*compiler.split(), *BASE.split(), *flags, "-c", source, "-o", sdt.path(name))
    return sdt.path(name)


def linked(sdt, obj, linker="bfd", *flags, name="a.out"):
    if not shutil.which(f"ld.{linker}"):
        pytest.skip(f"no ld.{linker}")
    sdt.command("gcc", "-m32", "-nostdlib", "-static", "-no-pie", f"-fuse-ld={linker}", obj, *flags,
                "-o", sdt.path(name))
    return sdt.path(name)
