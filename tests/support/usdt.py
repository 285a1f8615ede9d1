# SPDX-License-Identifier: BSD-2-Clause
"""Probes as libbpf's <usdt.h> compiles them since July 2026: the NOP that the note names, and one
of ten bytes after it. The sources are those of <sys/sdt.h>; the second NOP is put into what the
compiler makes of them.
"""
import re

from conftest import INCLUDE, PROGRAMS

ROOM = "66 2e 0f 1f 84 00 00 00 00 00"
NOP = re.compile(r"^(\s*990:\s*nop)\b", re.M)


def assembled(sdt, source, *flags, compiler="gcc", name=None):
    """SOURCE, C, C++ or assembly, with such probes: the path of an assembly file."""
    output = sdt.path(f"{name or (PROGRAMS / source).stem}.s")
    how = "-E" if str(source).endswith(".S") else "-S"
    as_written = ["-fno-integrated-as"] if "clang" in compiler else []
    sdt.command(compiler, "-O2", *as_written, "-I", INCLUDE / "sdt-compat", "-I", INCLUDE, *flags,
                how, PROGRAMS / source, "-o", output)
    room = ", ".join(f"0x{byte}" for byte in ROOM.split())
    text, count = NOP.subn(rf"\1\n.byte {room}", output.read_text())
    assert count
    output.write_text(text)
    return output


def program(sdt, source, *flags, name="target"):
    """A program that the tool has never seen."""
    assembly = assembled(sdt, source, *flags, name=name)
    sdt.command("gcc", *flags, assembly, "-pthread", "-ldl", "-o", sdt.path(name))
    return sdt.path(name)
