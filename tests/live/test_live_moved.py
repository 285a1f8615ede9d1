# SPDX-License-Identifier: BSD-2-Clause
"""Functions that llvm-bolt has moved: what is left of them has sites that never execute. They are
blocked, with a reason, wherever a site can be; those that it left alone work.

The program counts its own calls; symbols and sections are read by readelf.
"""
import struct

import pytest

import toolchain
from attached import ask, json_lines

BOLT = next((name for name in ("llvm-bolt", *(f"llvm-bolt-{n}" for n in range(19, 13, -1)))
             if toolchain.has(name)), None)
pytestmark = [pytest.mark.nosan,
              pytest.mark.skipif(not BOLT, reason="this machine has no llvm-bolt")]

SOURCE = """
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <stdlib.h>
long grind(long n), sieve(long n);
__attribute__((noinline)) long grind(long n) { SDT_PROBE(moved, grind, n); return n * 3; }
__attribute__((noinline)) long sieve(long n)
{
    SDT_PROBE(moved, sieve, n);
    return n % 3 ? grind(n) : n;
}
int main(int argc, char **argv)
{
    long sum = 0;
    printf("%d\\n", argc > 2 ? sdt_enable(argv[2], SDT_COUNT, NULL) > 0 : 0);
    for (long i = 0; i < atol(argv[1]); i++)
        sum += sieve(i);
    return sum == 0;
}
"""


@pytest.fixture(name="program", params=["inline", "call"])
def fixture_program(sdt, request):
    flags = ["-DSDT_CALL_SITES"] if request.param == "call" else []
    obj = sdt.process(sdt.compile(sdt.write("moved.c", SOURCE), *flags))
    return sdt.link(obj, "-Wl,--emit-relocs", "-Wl,--no-as-needed", runtime="shared", name="moved")


def bolt(sdt, program, *options):
    output = sdt.path("bolted")
    sdt.command(BOLT, program, *options, "-o", output)
    assert ".bolt.org.text" in sdt.command("readelf", "-SW", output).stdout
    return output


def counts(sdt, exe, n=60):
    result = ask(sdt, "count", "--json", "moved:*", "--", exe, n)
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    return {row["name"]: row["count"] for row in json_lines("\n".join(lines))}, result.stderr


def test_moved_functions_are_blocked(sdt, program):
    exe = bolt(sdt, program)
    found, errors = counts(sdt, exe)
    assert found == {"grind": None, "sieve": None}
    [warning] = errors.splitlines()
    assert "2 of 2 sites are blocked: their hits are missing: llvm-bolt has moved" in warning
    assert sdt.run(exe, 60, "moved:*") == "0\n", "sdt_enable() refuses"
    assert counts(sdt, program)[0] == {"grind": 40, "sieve": 60}


def test_functions_that_stayed_count(sdt, program):
    found, errors = counts(sdt, bolt(sdt, program, "-skip-funcs=sieve"))
    assert found == {"grind": None, "sieve": 60} and "1 of 2 sites are blocked" in errors
    assert counts(sdt, bolt(sdt, program, "-skip-funcs=sieve,grind")) == \
        ({"grind": 40, "sieve": 60}, "")


def test_without_symbols_nothing_is_known_to_have_stayed(sdt, program):
    exe = bolt(sdt, program, "-skip-funcs=sieve,grind")
    image = bytearray(exe.read_bytes())  # strip and objcopy fail on what llvm-bolt leaves
    begin, count = struct.unpack_from("<Q", image, 40)[0], struct.unpack_from("<H", image, 60)[0]
    for at in range(begin, begin + 64 * count, 64):
        if struct.unpack_from("<I", image, at + 4)[0] == 2:  # SHT_SYMTAB
            struct.pack_into("<I", image, at + 4, 0)
    exe.write_bytes(image)
    assert not sdt.command("readelf", "-sW", "--syms", exe).stdout.count("grind")
    assert counts(sdt, exe)[0] == {"grind": None, "sieve": None}
