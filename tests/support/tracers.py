# SPDX-License-Identifier: BSD-2-Clause
"""gdb, perf and bpftrace on the probes of programs/compat_traced.c, whoever made their notes.

perf and bpftrace need root and the kernel's uprobes; where they are not to be had, the tests say
so. Each test has a provider of its own, since the kernel's events have no other owner.
"""
import fcntl
import os
import re
import shutil
import tempfile

import pytest
from stapsdt import notes
from watching import Watching

PROBES = ["many__sites", "none", "string", "twelve"]
ROUNDS = 10
ALL_HIT = dict.fromkeys(PROBES, ROUNDS)


def values(i):
    """The arguments of `twelve` in round I; None: an address."""
    return [i - 100, (i + 200) % 256, i - 1000, i + 60000, i, i + 4000000000, i - 5000000000,
            i + 2**63, i == 1, None, 77, i - 5000000001]


WIDTHS = [8, 8, 16, 16, 32, 32, 64, 64, 32, 64, 32, 64]


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


def needs(program, package=None):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed (package {package or program})")


# readelf and eu-readelf


def check_notes_as_read(sdt, reader, path):
    needs(reader, "elfutils")
    text = sdt.run(reader, "-n", path)
    found = re.findall(r"Name: (\w+)", text)
    assert sorted(found) == sorted(n.name for n in notes(path)) != []
    for note in notes(path):
        for address in (note.pc, note.base, note.semaphore):
            assert re.search(rf"0x0*{address:x}\b", text), hex(address)
        assert note.args in text


# gdb


def gdb(sdt, command, *script):
    needs("gdb")
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


def gdb_loses_signs(sdt):
    """gdb 16 narrows a negative number by its magnitude: (int)-5000000000 is -705032704. A note
    names the whole register, and what is above a 32-bit argument in it may be negative."""
    return sdt.run("gdb", "-nx", "-batch", "-ex", "print (int)-5000000000") == "$1 = 705032704\n"


def check_gdb_arguments(sdt, provider, command):
    """All twelve, in every round."""
    arguments = ", ".join(f"(long)$_probe_arg{n}" for n in range(12))
    output = gdb(sdt, command, f"break -probe-stap {provider}:twelve", "commands", "silent",
                 f'printf "%d{" %ld" * 12}\\n", $_probe_argc, {arguments}', "continue", "end",
                 "run")
    rounds = re.findall(r"^12 (.*)$", output, re.M)
    check_rounds(rounds, output, [64] * 12, loses_signs=gdb_loses_signs(sdt))


def check_rounds(lines, output, widths=WIDTHS, loses_signs=False):
    """LINES: the arguments of each round, or the first of them, as decimal numbers; WIDTHS: how
    many bits of each the tool promises to be right. LOSES_SIGNS: of those narrower than a register
    the sign may be wrong."""
    assert len(lines) == ROUNDS, output
    for i, line in enumerate(lines):
        for found, value, width, size in zip(line.split(), values(i), widths, WIDTHS):
            if value is None or loses_signs and size < 64 and int(found) == -value:
                continue
            assert int(found) % 2**width == value % 2**width, (i, line)


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
        needs("perf", "linux-perf")
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


def check_perf(hits, unread=("11",)):
    """UNREAD: arguments that are constants, of which perf has no notion."""
    # Two sites of one probe are two events, many__sites and many__sites_1, or two sites of one.
    assert {p: sum(1 for n, _ in hits if re.fullmatch(rf"{p}(_\d+)?", n)) for p in PROBES} \
        == ALL_HIT
    rounds = [text for name, text in hits if name == "twelve"]
    for i, text in enumerate(rounds):
        found = dict(re.findall(r"arg(\d+)=(-?\d+)", text))
        assert set(found) == {str(n) for n in range(1, 13)} - {*unread}
        for number, (value, width) in enumerate(zip(values(i), WIDTHS), 1):
            if value is not None and str(number) in found:
                # perf script shows what is narrower than 32 bits as unsigned.
                assert int(found[str(number)]) % 2**width == value % 2**width, (number, text)


# bpftrace


def bpftrace(sdt, script, command, wait=False, lines=0):
    """Output of bpftrace and of the command, which it starts itself or (WAIT) finds running.

    A library that the command loads later is found only if bpftrace watches all processes. LINES:
    how many it will print; those that it has not read by the time it is interrupted are lost.
    """
    needs_tracing()
    needs("bpftrace")
    if not wait:
        result = sdt.command("bpftrace", "-e", script, "-c", " ".join(map(str, command)))
        return result.stdout
    with Watching(script) as tracer:
        output = sdt.run(*command)
        tracer.read(lines)
    return output + tracer.output


def count_with_bpftrace(sdt, provider, file, command, wait=False):
    script = " ".join(f'usdt:{file}:{provider}:{name} {{ @hits["{name}"] = count(); }}'
                      for name in PROBES)
    output = bpftrace(sdt, script, command, wait)
    return {n: int(c) for n, c in re.findall(r"@hits\[(\w+)\]: (\d+)", output)}, output


def check_bpftrace_arguments(sdt, provider, file, command, wait=False):
    """Six, more it does not name on this machine; and the text that only the probe sees."""
    names = ", ".join(f"arg{i}" for i in range(6))
    script = (f'usdt:{file}:{provider}:twelve {{ printf("six{" %ld" * 6}\\n", {names}); }} '
              f'usdt:{file}:{provider}:string {{ printf("text %s\\n", str(arg0)); }}')
    output = bpftrace(sdt, script, command, wait, lines=2 * ROUNDS)
    check_rounds(re.findall(r"six (.*)", output), output)
    assert re.findall(r"text (.*)", output) == [f"round {i % 10}" for i in range(ROUNDS)]
