# SPDX-License-Identifier: BSD-2-Clause
"""Probes of the drop-in <sys/sdt.h> in the tools that they are for: each finds every probe, counts
every hit and reads every argument, in programs and libraries of every linker.

perf and bpftrace need root and the kernel's uprobes; where they are not to be had, the tests say
so. Each test has a provider of its own, since the kernel's events have no other owner.
"""
import fcntl
import itertools
import os
import re
import shutil
import signal
import subprocess
import tempfile

import pytest
from conftest import INCLUDE, PROGRAMS
from stapsdt import notes

pytestmark = pytest.mark.nosan  # runs no tool

COMPAT = INCLUDE / "sdt-compat"
LINKERS = ["bfd", "gold", "lld", "mold"]
PROBES = ["many__sites", "none", "string", "twelve"]
ROUNDS = 10


def values(i):
    """The arguments of `twelve` in round I; None: an address."""
    return [i - 100, (i + 200) % 256, i - 1000, i + 60000, i, i + 4000000000, i - 5000000000,
            i + 2**63, i == 1, None, 77, i - 5000000001]


WIDTHS = [8, 8, 16, 16, 32, 32, 64, 64, 32, 64, 32, 64]


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


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


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
    if shutil.which(reader) is None:
        pytest.skip(f"{reader} is not installed")
    exe = program(sdt, provider, "-O2", "-DSEMAPHORES", linker=linker)
    text = sdt.run(reader, "-n", exe)
    found = re.findall(r"Name: (\w+)", text)
    assert sorted(found) == sorted(n.name for n in notes(exe))
    for note in notes(exe):
        for address in (note.pc, note.base, note.semaphore):
            assert re.search(rf"0x0*{address:x}\b", text), hex(address)
        assert note.args in text


# gdb


def gdb(sdt, command, *script, library=None):
    lines = ["set confirm off", "set width 0", "set pagination off", "set breakpoint pending on",
             "set debuginfod enabled off", *script]
    source = sdt.write("script.gdb", "\n".join(lines) + "\n")
    return sdt.run("gdb", "-nx", "-q", "-batch", "-x", source, "--args", *command)


def count_with_gdb(sdt, provider, command):
    """Hits of each probe, and what the program printed."""
    script = [f"break -probe-stap {provider}:{name}" for name in PROBES]
    script += [f"ignore {number} 100000" for number in range(1, len(PROBES) + 1)]
    output = gdb(sdt, command, *script, "run", "info breakpoints")
    hits = dict.fromkeys(PROBES, 0)
    current = None
    for line in output.splitlines():
        if heading := re.match(r"(\d+) +breakpoint", line):
            current = PROBES[int(heading[1]) - 1]
        elif count := re.search(r"already hit (\d+) time", line):
            hits[current] += int(count[1])
    return hits, output


ALL_HIT = dict.fromkeys(PROBES, ROUNDS)


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
    arguments = ", ".join(f"(long)$_probe_arg{n}" for n in range(12))
    output = gdb(sdt, [exe, ROUNDS], f"break -probe-stap {provider}:twelve", "commands", "silent",
                 f'printf "%d{" %ld" * 12}\\n", $_probe_argc, {arguments}', "continue", "end",
                 "run")
    rounds = re.findall(r"^12 (.*)$", output, re.M)
    assert len(rounds) == ROUNDS, output
    for i, line in enumerate(rounds):
        for found, value in zip(line.split(), values(i), strict=True):
            assert value is None or int(found) % 2**64 == value % 2**64, (i, line)


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


def needs_tracing():
    if os.geteuid() != 0:
        pytest.skip("needs root")
    if not os.access("/sys/kernel/tracing/uprobe_events", os.W_OK):
        pytest.skip("needs tracefs at /sys/kernel/tracing, with uprobe_events")


class Perf:
    """perf with a home of its own, where it keeps what it knows of files."""

    def __init__(self, sdt, provider):
        needs_tracing()
        if shutil.which("perf") is None:
            pytest.skip("perf is not installed (package linux-perf)")
        self.sdt, self.provider = sdt, provider
        self.home = sdt.path("home")
        self.home.mkdir()

    def run(self, *arguments, status=0):
        return self.sdt.command("perf", *arguments, status=status, env={"HOME": str(self.home)})

    def __enter__(self):
        # Two perf at once get in each other's way: one may then fail to delete its events.
        self.lock = open(tempfile.gettempdir() + "/sdt_test_perf.lock", "w", encoding="ascii")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_):
        self.run("probe", "-d", f"sdt_{self.provider}:*", status=None)
        self.lock.close()

    def record(self, file, command):
        """Every hit as (probe, text), by way of the notes."""
        self.run("buildid-cache", "--add", file)
        listed = self.run("list", "sdt").stdout
        assert sorted(set(re.findall(rf"sdt_{self.provider}:(\w+)", listed))) == PROBES
        self.run("probe", f"sdt_{self.provider}:*")
        self.run("record", "-q", "-o", "perf.data", "-e", f"sdt_{self.provider}:*", *command)
        script = self.run("script", "-i", "perf.data").stdout
        return re.findall(rf"sdt_{self.provider}:(\w+): (.*)", script)


def check_perf(hits):
    # Two sites of one probe are two events, many__sites and many__sites_1, or two sites of one.
    assert {p: sum(1 for n, _ in hits if re.fullmatch(rf"{p}(_\d+)?", n)) for p in PROBES} \
        == ALL_HIT
    rounds = [text for name, text in hits if name == "twelve"]
    for i, text in enumerate(rounds):
        found = dict(re.findall(r"arg(\d+)=(-?\d+)", text))
        # perf knows no constants: argument 11.
        assert set(found) == {str(n) for n in range(1, 13)} - {"11"}
        for number, (value, width) in enumerate(zip(values(i), WIDTHS), 1):
            if value is not None and number != 11:
                # perf script shows what is narrower than 32 bits as unsigned.
                assert int(found[str(number)]) % 2**width == value % 2**width, (number, text)


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


def bpftrace(sdt, script, command, wait=False):
    """Output of bpftrace and of the command, which it starts itself or (WAIT) finds running.

    A library that the command loads later is found only if bpftrace watches all processes.
    """
    needs_tracing()
    if shutil.which("bpftrace") is None:
        pytest.skip("bpftrace is not installed")
    if not wait:
        result = sdt.command("bpftrace", "-e", script, "-c", " ".join(map(str, command)))
        return result.stdout
    script = 'BEGIN { printf("ready\\n"); } ' + script
    with subprocess.Popen(["bpftrace", "-e", script], stdout=subprocess.PIPE, cwd=sdt.dir,
                          stderr=subprocess.DEVNULL, text=True) as tracer:
        try:
            output = ""
            for line in tracer.stdout:
                output += line
                if line == "ready\n":
                    break
            output += sdt.run(*command)
        finally:
            tracer.send_signal(signal.SIGINT)
        return output + tracer.stdout.read()


def count_with_bpftrace(sdt, provider, file, command, wait=False):
    script = " ".join(f'usdt:{file}:{provider}:{name} {{ @hits["{name}"] = count(); }}'
                      for name in PROBES)
    output = bpftrace(sdt, script, command, wait)
    return {n: int(c) for n, c in re.findall(r"@hits\[(\w+)\]: (\d+)", output)}, output


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
    names = ", ".join(f"arg{i}" for i in range(6))
    script = (f'usdt:{exe}:{provider}:twelve {{ printf("six{" %ld" * 6}\\n", {names}); }} '
              f'usdt:{exe}:{provider}:string {{ printf("text %s\\n", str(arg0)); }}')
    output = bpftrace(sdt, script, [exe, ROUNDS])
    rounds = re.findall(r"six (.*)", output)
    assert len(rounds) == ROUNDS, output
    for i, line in enumerate(rounds):
        for found, expected, width in zip(line.split(), values(i), WIDTHS):
            assert int(found) % 2**width == expected % 2**width, (i, line)
    assert re.findall(r"text (.*)", output) == [f"round {i % 10}" for i in range(ROUNDS)]
