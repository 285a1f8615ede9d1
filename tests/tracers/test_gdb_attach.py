# SPDX-License-Identifier: BSD-2-Clause
"""gdb attaches to a program whose threads run into breakpoints all the time.

gdb 13 that is told a number only takes the program for a 32-bit one until it has read its files. A
thread that it finds at an int3 is set back by one byte then, to an address of 32 bits. So it
also crashes programs that have nothing of sdtlink, but none whose file it knows (docs/tracers.md).
"""
import re
import signal
import subprocess

import pytest

from conftest import CFLAGS

pytestmark = pytest.mark.nosan

MANY, SOME = 40, 4


class Storm:
    def __init__(self, exe):
        self.process = subprocess.Popen([exe], stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        assert self.process.stdout.readline() == "here\n"
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.stdout.close()
        self.process.wait()

    def attached(self, sdt, times, *args):
        """How it has ended meanwhile; None: it has not."""
        for _ in range(times):
            output = sdt.command("gdb", "-q", "-batch", "-nx", *args, "-p", self.process.pid,
                                 status=None).stdout
            if self.process.poll() is not None:
                return self.process.returncode
            assert "detached" in output, output
        return None


@pytest.fixture(params=["plain", "sdt"])
def exe(sdt, request):
    if any("-fsanitize" in flag for flag in CFLAGS):
        pytest.skip("the sanitizer's own signal handling is in the way")
    if request.param == "sdt":
        return sdt.build("trap_storm.c", "-pthread", runtime="shared")
    return sdt.link(sdt.compile("plain_storm.c", "-pthread"), "-pthread", name="plain")


def test_gdb_alone_crashes_it_with_and_without_sdtlink(sdt, exe):
    """The proof that it is gdb. Where gdb does no longer, there is nothing to prove."""
    version = re.search(r" (\d+)\.", sdt.command("gdb", "--version").stdout.splitlines()[0])[1]
    with Storm(exe) as storm:
        status = storm.attached(sdt, MANY)
    if status is None and version != "13":
        pytest.skip(f"gdb {version} crashes nothing")
    assert status == -signal.SIGSEGV


@pytest.mark.parametrize("how", ["program", "architecture"])
def test_gdb_that_knows_the_program_does_not(sdt, exe, how):
    with Storm(exe) as storm:
        args = [exe] if how == "program" else ["-iex", "set architecture i386:x86-64"]
        assert storm.attached(sdt, SOME, *args) is None
