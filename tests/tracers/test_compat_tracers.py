# SPDX-License-Identifier: BSD-2-Clause
"""Probes of the drop-in <sys/sdt.h> in the tools that they are for: each finds every probe, counts
every hit and reads every argument, in programs and libraries of every linker.

How each tool is asked is in tracers.py. Each test has a provider of its own, since the kernel's
events have no other owner.
"""
import itertools
import os
import re

import pytest
from conftest import INCLUDE, PROGRAMS
from stapsdt import notes
from tracers import (ALL_HIT, PROBES, ROUNDS, Perf, bpftrace, check_bpftrace_arguments,
                     check_gdb_arguments, check_notes_as_read, check_perf, count_with_bpftrace,
                     count_with_gdb, gdb, slow)

pytestmark = pytest.mark.nosan  # runs no tool

COMPAT = INCLUDE / "sdt-compat"
LINKERS = ["bfd", "gold", "lld", "mold"]
COUNTER = itertools.count()


@pytest.fixture
def provider():
    return f"compat_{os.getpid()}_{next(COUNTER)}"


def program(sdt, provider, *flags, compiler="gcc", linker="bfd"):
    exe = sdt.path("traced")
    # perf knows files by their build-id, and only one of 20 bytes.
    sdt.command(compiler, "-g", f"-DPROVIDER={provider}", "-I", COMPAT, *flags,
                PROGRAMS / "compat_traced.c", PROGRAMS / "compat_main.c", f"-fuse-ld={linker}",
                "-Wl,--build-id=sha1", "-o", exe)
    return exe


def library(sdt, provider, *flags, linker="bfd"):
    """A library with the probes, and the command that runs them by dlopen()."""
    shared, exe = sdt.path("libtraced.so"), sdt.path("loader")
    sdt.command("gcc", "-O2", "-g", "-fPIC", "-shared", f"-DPROVIDER={provider}", "-I", COMPAT,
                *flags, PROGRAMS / "compat_traced.c", f"-fuse-ld={linker}", "-Wl,--build-id=sha1",
                "-o", shared)
    sdt.command("gcc", "-DDLOPEN", PROGRAMS / "compat_main.c", "-o", exe)
    return shared, [str(exe), str(ROUNDS), str(shared)]


LIBRARIES = [slow("bfd"), slow("gold"), "lld", slow("mold")]
MODES = [("bfd", "-pie"), slow("bfd", "-no-pie"), slow("bfd", "-static"),
         slow("bfd", "-static-pie"), slow("gold", "-pie"), slow("gold", "-static"), ("lld", "-pie"),
         slow("lld", "-static"), slow("mold", "-pie"), ("mold", "-static-pie")]


def traced(sdt, provider, linker, mode, *flags):
    code = ["-fno-pie"] if mode == "-no-pie" else ["-fPIE"] if "pie" in mode else []
    return program(sdt, provider, "-O2", *code, mode, *flags, linker=linker)


# readelf and eu-readelf


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("reader", ["readelf", "eu-readelf"])
def test_readelf_shows_every_note(sdt, provider, linker, reader):
    check_notes_as_read(sdt, reader, program(sdt, provider, "-O2", "-DSEMAPHORES", linker=linker))


# gdb


@pytest.mark.parametrize("linker,mode", MODES)
def test_gdb_stops_at_every_hit(sdt, provider, linker, mode):
    exe = traced(sdt, provider, linker, mode, "-DSEMAPHORES")
    hits, output = count_with_gdb(sdt, provider, [exe, ROUNDS])
    assert hits == ALL_HIT, output
    # gdb counts semaphores up when it inserts its breakpoints, where it can write memory then.
    assert f"looked {ROUNDS}" in output


@pytest.mark.parametrize("linker", LIBRARIES)
def test_gdb_stops_in_a_library_that_comes_later(sdt, provider, linker):
    _, command = library(sdt, provider, linker=linker)
    hits, output = count_with_gdb(sdt, provider, command)
    assert hits == ALL_HIT, output


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O2 -masm=intel"])
def test_gdb_reads_twelve_arguments(sdt, provider, compiler, flags):
    exe = program(sdt, provider, *flags.split(), compiler=compiler)
    check_gdb_arguments(sdt, provider, [exe, ROUNDS])


@pytest.mark.parametrize("linker", LINKERS)
def test_gdb_lists_the_probes(sdt, provider, linker):
    exe = program(sdt, provider, "-O2", linker=linker)
    listed = gdb(sdt, [exe], f"info probes stap ^{provider}$")
    found = sorted(line.split()[2] for line in listed.splitlines() if line.startswith("stap"))
    assert found == sorted(n.name for n in notes(exe))


TYPES = {
    "yes": 1, "plain": -2, "schar": -3, "uchar": 0xFD, "sshort": -4, "ushort": 0xFFFC, "sint": -5,
    "uint": 0xFFFFFFFB, "slong": -6, "ulong": 2**64 - 6, "llong": -7, "ullong": 2**64 - 7,
    "small": 2, "negative": -3, "wide": ord("w"), "constant": -9, "big": 0x123456789ABC,
    "character": ord("c"), "qualified": 0xFFFE, "null": 0, "word": 1, "sum": 2, "bit_u": 5,
    "bit_s": -3, "bit_wide": 0xFFFFFFFFFF,
}  # fmt: skip
CXX_TYPES = {"scoped": 200, "scoped_int": -8, "c16": 0xFFF6, "c32": 0xFFFFFFF6, "nothing": 0}
STRINGS = {"array": "array", "literal": "literal", "pointer": "pointer"}


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O2 -DMEMORY", "-O2 -masm=intel"])
def test_gdb_reads_every_type(sdt, compiler, flags):
    """Floating point excepted, of which gdb has no notion."""
    exe, cxx = sdt.path("types"), "++" in compiler
    sdt.command(compiler, *(["-x", "c++"] if cxx else []), *flags.split(), "-I", COMPAT,
                PROGRAMS / "compat_types.c", "-o", exe)
    expected = {**TYPES, **(CXX_TYPES if cxx else {})}
    script = []
    for name in [*expected, *STRINGS]:
        kind, cast = ("%s", "char *") if name in STRINGS else ("%ld", "long")
        script += [f"break -probe-stap types:{name}", "commands", "silent",
                   f'printf "{name} %d {kind}\\n", $_probe_argc, ({cast})$_probe_arg0',
                   "continue", "end"]
    output = gdb(sdt, [exe], *script, "run")
    found = dict(re.findall(r"^(\w+) 1 (\S+)$", output, re.M))
    for name, value in expected.items():
        assert int(found[name]) % 2**64 == value % 2**64, (name, output)
    assert {name: found[name] for name in STRINGS} == STRINGS


# perf


@pytest.mark.parametrize("linker,mode", MODES)
def test_perf_counts_every_hit(sdt, provider, linker, mode):
    with Perf(sdt, provider) as perf:
        exe = traced(sdt, provider, linker, mode)
        check_perf(perf.record(exe, [exe, ROUNDS]))


@pytest.mark.parametrize("linker", LIBRARIES)
def test_perf_counts_in_a_library(sdt, provider, linker):
    with Perf(sdt, provider) as perf:
        shared, command = library(sdt, provider, linker=linker)
        check_perf(perf.record(shared, command))


def test_perf_counts_semaphores_up(sdt, provider):
    with Perf(sdt, provider) as perf:
        exe = program(sdt, provider, "-O2", "-DSEMAPHORES")
        perf.run("buildid-cache", "--add", exe)
        perf.run("probe", "-q", f"sdt_{provider}:twelve")
        result = perf.run("record", "-q", "-o", "perf.data", "-e", f"sdt_{provider}:twelve", exe,
                          ROUNDS)
        assert f"looked {ROUNDS}" in result.stdout + result.stderr


# bpftrace


@pytest.mark.parametrize("linker,mode", MODES)
def test_bpftrace_counts_every_hit_and_semaphores_up(sdt, provider, linker, mode):
    exe = traced(sdt, provider, linker, mode, "-DSEMAPHORES")
    hits, output = count_with_bpftrace(sdt, provider, exe, [exe, ROUNDS])
    assert hits == ALL_HIT, output
    assert f"looked {ROUNDS}" in output
    assert sdt.run(exe, ROUNDS) == "looked 0\n", "and down again"


@pytest.mark.parametrize("linker", LIBRARIES)
def test_bpftrace_counts_in_a_library_that_comes_later(sdt, provider, linker):
    shared, command = library(sdt, provider, "-DSEMAPHORES", linker=linker)
    hits, output = count_with_bpftrace(sdt, provider, shared, command, wait=True)
    assert hits == ALL_HIT, output
    assert f"looked {ROUNDS}" in output


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("flags", ["-O0", "-O2"])
def test_bpftrace_reads_arguments(sdt, provider, compiler, flags):
    """Six, more it does not name on this machine; and the text that only the probe sees."""
    exe = program(sdt, provider, flags, compiler=compiler)
    check_bpftrace_arguments(sdt, provider, exe, [exe, ROUNDS])
