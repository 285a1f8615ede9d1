# SPDX-License-Identifier: BSD-2-Clause
"""Every call that can fail, failing once: each allocation, system call and call of libelf.

tests/programs/fail.c makes the n-th call of one function fail, n = 1, 2, 3 … until there is no n-th
call. Each time the tool either does its work all the same, with the same result, or says why not.
"""
import errno
import itertools
import json
import os

import pytest

import patience
from conftest import PROGRAMS

pytestmark = pytest.mark.nosan  # preloaded wrappers and the sanitizers' own do not go together

SOURCE = """
#include <sdt/probe.h>
void __dtrace_sdt_fault___taken(int);
void __dtrace_sdt_fault___tail(int);
void (*pointer)(int) = __dtrace_sdt_fault___taken;
template <class T> T twice(T x) { SDT_PROBE(fault, twice, x); return x + x; }
int ints(int x) { return SDT_PROBE_ENABLED(fault, twice) ? twice(x) : 0; }
void tail(int x) { __dtrace_sdt_fault___tail(x); }
""".replace("void __dtrace", 'extern "C" void __dtrace')

# Function -> the errors that it may fail with; 0: half of the work is done.
SYSTEM = {
    "open": [errno.EMFILE], "fstat": [errno.EIO], "stat": [errno.EIO],
    "mkostemp": [errno.EACCES], "fchmod": [errno.EPERM], "rename": [errno.EXDEV],
    "ftruncate": [errno.EIO], "close": [errno.EIO, errno.EINTR], "mmap": [errno.ENOMEM],
    "pthread_create": [errno.EAGAIN], "pread": [errno.EIO, errno.EINTR, 0],
    "pwrite": [errno.EIO, errno.ENOSPC, errno.EINTR, 0],
    "copy_file_range": [errno.EIO, errno.ENOSPC, errno.EXDEV, errno.EINTR, 0],
}
LIBELF = ["elf_memory", "elf_kind", "gelf_getehdr", "elf_getphdrnum", "gelf_getphdr",
          "elf_getshdrnum", "elf_getshdrstrndx", "elf_getscn", "gelf_getshdr", "elf_rawdata",
          "elf_strptr", "elf64_xlatetom", "elf64_xlatetof"]
COMMANDS = {
    "rewrite": ["-o", "out.o", "in.o"],
    "middle": ["-o", "out.o", "middle.o"],
    "big": ["-o", "out.o", "big.o"],
    "copy": ["-o", "out.o", "none.o"],
    "companion": ["--companion", "-o", "out.o", "plain.o"],
    "dry-run": ["--dry-run", "--json", "in.o"],
    "list": ["list", "--json", "in.o", "set.o", "a.out"],
    "link": ["--runtime=none", "--ld", "ld", "-e", "main", "-o", "out.o", "in.o", "libplain.a"],
    "partial": ["--ld", "ld", "-r", "-o", "out.o", "in.o", "libplain.a"],
}
# Called by no command that reads objects only, and by none that lists only.
WRITING = {"mkostemp", "fchmod", "rename", "ftruncate", "pwrite", "copy_file_range",
           "pthread_create", "elf64_xlatetof", "stat"}
# A small object is read, not mapped, and no copy is made of it before it is written.
OF_BIG_ONES = {"pthread_create", "copy_file_range", "ftruncate", "mmap"}


class Bench:
    """Inputs of each kind, and what comes of them when nothing fails."""

    def __init__(self, sdt):
        self.sdt = sdt
        sdt.compile(sdt.write("in.cc", SOURCE), "-fno-inline", "-ffunction-sections")
        sdt.compile(sdt.write("none.c", "int x[100000] = {1};"))
        sdt.compile(sdt.write("plain.c", "void __dtrace_sdt_a___b(int);\n"
                              "int main(void) { __dtrace_sdt_a___b(1); return 0; }"))
        pad = sdt.write("pad", "x" * 3_000_000)  # copied by a thread
        sdt.command("objcopy", "--add-section", f".pad={pad}", "in.o", "big.o")
        small = sdt.write("small", "x" * 300_000)  # mapped, and written from memory
        sdt.command("objcopy", "--add-section", f".pad={small}", "in.o", "middle.o")
        with open(sdt.path("big.o"), "ab") as file:  # copied as well, and cut off again
            file.write(bytes(1_000_000))
        sdt.process("in.o", name="set.o")
        sdt.link(sdt.process("plain.o", name="main.o"))
        sdt.command("ar", "rcs", "libplain.a", "plain.o", "none.o")
        self.shim = sdt.path("fail.so")
        sdt.command("gcc", "-D_GNU_SOURCE", "-O1", "-shared", "-fPIC", "-o", self.shim,
                    PROGRAMS / "fail.c")
        self.files = {path: path.read_bytes() for path in sdt.dir.iterdir()}
        self.output = sdt.path("out.o")

    def run(self, command, fault=""):
        """Whether the fault came about, and (status, stdout, stderr, output or None)."""
        self.output.write_text("from an earlier run")
        arguments = [self.sdt.dynamic_tool, *COMMANDS[command]]
        if command == "list":  # without the program that only starts this one
            arguments = [self.sdt.tool.with_name("sdtlink-list"), *arguments[2:]]
        result = patience.run(
            arguments, cwd=self.sdt.dir, capture_output=True, text=True,
            env={**os.environ, "LD_PRELOAD": str(self.shim), "SDT_FAIL": fault,
                 "TMPDIR": str(self.sdt.dir)})
        output = self.output.read_bytes() if self.output.exists() else None
        self.output.unlink(missing_ok=True)
        errors = result.stderr.replace("[failed]\n", "")
        return "[failed]" in result.stderr, (result.returncode, result.stdout, errors, output)

    def check_nothing_else_changed(self):
        assert set(self.sdt.dir.iterdir()) == set(self.files)
        for path, data in self.files.items():
            assert path.read_bytes() == data, path


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    from conftest import Toolbox
    return Bench(Toolbox(tmp_path_factory.mktemp("faults")))


def fail_each(bench, command, function, error, expected):
    """Let each call fail; returns how many there are."""
    fired, (good, *rest) = bench.run(command)
    assert not fired and good == 0
    for n in itertools.count(1):
        fault = f"{function}:{n}:{error}"
        fired, (status, out, errors, output) = bench.run(command, fault)
        if not fired:
            assert (status, out, errors, output) == (good, *rest), fault
            return n - 1
        if status == 0 and "not all debug information" in errors:
            assert json.loads(out) and len(json.loads(out)) == len(json.loads(rest[0])), fault
        elif status == 0:
            assert (out, output) == (rest[0], rest[2]), fault
        else:
            assert status == 1, (fault, status, errors)
            lost = [None] if command == "partial" else []  # the linker's, taken back
            assert output in [b"from an earlier run", *lost], fault
            lines = errors.splitlines()
            lines = lines if command == "link" else lines[-1:]  # others work meanwhile
            assert any(line.startswith("sdtlink: error: ") and expected in line
                       for line in lines), (fault, errors)
        bench.check_nothing_else_changed()


@pytest.mark.parametrize("command", COMMANDS)
def test_each_allocation(bench, command):
    assert fail_each(bench, command, "malloc", errno.ENOMEM, "memory") > 10


@pytest.mark.parametrize("function", SYSTEM)
def test_each_system_call(bench, function):
    for error in SYSTEM[function]:
        calls = {command: fail_each(bench, command, function, error, "")
                 for command in COMMANDS}
        writes = calls["big"] if function in OF_BIG_ONES else calls["rewrite"]
        assert writes and (function not in WRITING or calls["list"] == 0), calls


@pytest.mark.parametrize("command", ["rewrite", "middle", "big", "copy", "companion", "dry-run",
                                     "list"])
@pytest.mark.parametrize("size", [0, 64, 4096, 1_000_000])
def test_a_file_that_is_cut_off_while_it_is_read(bench, command, size):
    """Of a small one nothing is left to be read; of a mapped one the pages are gone, and the kernel
    sends SIGBUS to who reads them."""
    for n in itertools.count(1):
        fired, (status, _, errors, output) = bench.run(command, f"cut:{n}:{size}")
        shorter = [path for path, data in bench.files.items() if path.read_bytes() != data]
        for path in shorter:
            path.write_bytes(bench.files[path])
        bench.check_nothing_else_changed()
        if not fired:
            break
        assert status in (0, 1), (n, status, errors)
        if status == 1:
            assert "sdtlink: error: " in errors, errors
            assert output == b"from an earlier run"
    assert n > 1


@pytest.mark.parametrize("function", LIBELF)
def test_each_call_of_libelf(bench, function):
    total = sum(fail_each(bench, command, function, 0, "") for command in ("rewrite", "list"))
    assert total, f"{function} is called by no command: take it out of the list"
