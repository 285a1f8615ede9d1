# SPDX-License-Identifier: BSD-2-Clause
"""Programs for the tests of the runtime, with hand-written processed sites (asm/runtime_fixture.S).

They need no tool: the runtime is tested against <sdt/format.h> alone.
"""
import json

import pytest

from conftest import BUILD, CFLAGS, INCLUDE, ROOT

ASM = ROOT / "tests" / "asm"

# What the fixture's sites can be that are armed at a call or in live code: their kind numbers.
KINDS = {"call": 1, "call6": 2, "inline": 3}
each_kind = pytest.mark.parametrize("kind", KINDS)


def assemble(sdt, source="runtime_fixture.S", *flags, name=None):
    output = sdt.path(name or source.replace(".S", ".o"))
    argv = ["gcc", "-g", "-I", ASM, *flags, "-c", ASM / source]
    sdt.made.make(argv, output, lambda: sdt.command(*argv, "-o", output))
    return output


def program(sdt, source, *flags, runtime="static", ldflags=(), fixture="runtime_fixture.S",
            name="a.out", kind="call"):
    """tests/programs/SOURCE with the fixture and the runtime, as a program; KIND: of its sites."""
    define = f"-DFX_KIND={KINDS[kind]}"
    flags = ("-Wall", "-Wextra", define, *flags)
    return sdt.link(sdt.compile(source, *flags, name=name + ".o"),
                    assemble(sdt, fixture, define, name=name + ".fixture.o"),
                    *flags, *ldflags, runtime=runtime, name=name,
                    compiler="g++" if source.endswith(".cc") else "gcc")


def library(sdt, name, *flags, runtime=None, ldflags=(), kind="call"):
    """runtime_plugin.c and the fixture as a shared library."""
    define = f"-DFX_KIND={KINDS[kind]}"
    return sdt.link(sdt.compile("runtime_plugin.c", "-fPIC", define, *flags, name=name + ".o"),
                    assemble(sdt, "runtime_fixture.S", define, name=name + ".fixture.o"), "-shared",
                    *ldflags, runtime=runtime, name=name)


def thread_sanitized(sdt, *rest):
    """The runtime's own sources and REST, flags and files, as a program under ThreadSanitizer."""
    if any("-fsanitize" in flag for flag in CFLAGS):
        pytest.skip("another sanitizer is in use")
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    libraries = "sdt_objects.dir", "sdt_arch.dir"
    sources = sorted({command["file"] for command in commands
                      if any(name in command["command"] for name in libraries)})
    assert len(sources) > 90
    runtime, exe = ROOT / "runtime", sdt.path("a.out")
    sdt.command("gcc", "-g", "-O1", "-fsanitize=thread", "-funwind-tables", '-DSDT_VERSION="test"',
                "-I", runtime, "-I", runtime / "arch" / "x86_64", "-I", INCLUDE, "-I", ASM,
                *sources, *rest, "-pthread", "-o", exe)
    return exe


# How the sites of a program are armed: see fixture_mode() of runtime_fixture.h.
TRAP = {"RT_MODE": "trap"}
JUMP = {"RT_MODE": "jump"}
each_mode = pytest.mark.parametrize("mode", [JUMP, TRAP], ids=["jump", "trap"])


# AddressSanitizer's leak checker cannot stop threads that ended by themselves, nor open files when
# there may be none, and reads pages that no file has.
NO_LEAK_CHECK = {"ASAN_OPTIONS": "detect_leaks=0"}


def passes(sdt, exe, *args, **kwargs):
    """The program's own checks all hold: it says so, and nothing else."""
    result = sdt.command(exe, *args, **kwargs)
    assert result.stdout.endswith("ok\n") and result.stderr == "", result
    return result.stdout


__all__ = ["ASM", "CFLAGS", "INCLUDE", "JUMP", "KINDS", "NO_LEAK_CHECK", "TRAP", "assemble",
           "each_kind", "each_mode", "library", "passes", "program", "thread_sanitized"]
