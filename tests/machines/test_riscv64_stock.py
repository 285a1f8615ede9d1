# SPDX-License-Identifier: BSD-2-Clause
"""Stock binaries on riscv64: programs with notes of <sys/sdt.h>, unprocessed. Their
NOPs have two bytes, so every site is a breakpoint; and so is each call by which the dynamic linker
tells debuggers of libraries. qemu runs the programs in user mode, and one in the guest."""
import functools
import pathlib
import re

import pytest

import stock
from cross import need, targets  # noqa: F401 (targets is a fixture)
from guest import boot
from stapsdt import notes
from stock import JUMP, TRAP

pytestmark = [pytest.mark.nosan, pytest.mark.riscv64]  # the runtime is cross-compiled

SYSROOT = pathlib.Path("/usr/riscv64-linux-gnu/lib")
LOADER = "ld-linux-riscv64-lp64d.so.1"


@pytest.fixture(autouse=True, scope="module")
def compiler():
    need("riscv64-linux-gnu-gcc")


built, target, run = (functools.partial(function, machine="riscv64")
                      for function in (stock.built, stock.target, stock.run))


def test_no_site_can_be_armed_by_a_jump(sdt, targets):
    said, watched = run(sdt, targets, target(sdt), "stock:*", JUMP, text="hit 2\nquit\n")
    assert said == ["here", "ok"]
    assert watched[:2] == ["stock:tick off", "stock:asked off"] and watched[2].startswith("0 hits")


BYTES = r"""
#include <link.h>
#include <stdio.h>
int main(void)
{
    const unsigned char *text = (unsigned char *)_r_debug.r_ldbase + CODE;
    for (unsigned i = 0; i < CODE_SIZE; i++)
        printf("%02x", text[i]);
    puts("");
    return 0;
}
"""


@pytest.mark.parametrize("match", ["*", "none:*"])
def test_which_bytes_of_the_loader_change(sdt, targets, match):
    """The first two of each call that objdump sees, once a probe is enabled; nothing else."""
    loader = SYSROOT / LOADER
    place = int(re.search(r"(\w+) T _dl_debug_state", sdt.run("riscv64-linux-gnu-nm", "-D", loader))
                [1], 16)
    code = sdt.run("riscv64-linux-gnu-objdump", "-d", loader)
    calls = [int(at, 16) for at in re.findall(rf"^ +(\w+):\t\w+ +\tjal\t{place:x} <", code, re.M)]
    assert len(calls) > 3 and any(call % 4 for call in calls)
    begin, offset, size = (int(number, 16) for number in re.search(
        r"\.text +PROGBITS +(\w+) (\w+) (\w+)", sdt.run("readelf", "-SW", loader)).groups())
    exe = built(sdt, "bytes", sdt.write("bytes.c", BYTES), f"-DCODE={begin}", f"-DCODE_SIZE={size}")
    now = bytes.fromhex(run(sdt, targets, exe, match)[0][0])
    was = loader.read_bytes()[offset:offset + size]
    assert len(now) == len(was)
    changed = {begin + i for i in range(size) if now[i] != was[i]}
    assert changed == {at for call in calls for at in (call, call + 1)}
    assert {now[call - begin:call - begin + 2] for call in calls} == {b"\x02\x90"}  # c.ebreak


def test_a_nop_of_four_bytes_is_skipped(sdt, targets):
    """A program without compressed instructions: docs/portable.md says so."""
    exe = target(sdt, "-march=rv64g")
    assert len(notes(exe)) == 2
    said, watched = run(sdt, targets, exe, "stock:*", text="hit 9\nquit\n")
    assert said == ["here", "ok"] and "0 hits" in watched[-1]


@pytest.mark.guest
def test_with_a_kernel(sdt, targets):
    """Threads, forks, signals, and libraries that come and go 200 times."""
    lib = targets("riscv64") / "lib"
    exe = target(sdt)
    stock.watcher(sdt, targets, machine="riscv64")
    orders = {"hits": "hit 50\nthreads 3 1000\nblocked 20\nhandler\nown\nquit\n",
              "churn": "churn /plugin.so 3 200\nthreads 2 100\nquit\n"}
    for name, text in orders.items():
        sdt.path(name).write_text(text)
    files = {f"lib/{name}": SYSROOT / name for name in (LOADER, "libc.so.6")}
    files |= {"lib/libsdt.so.0": lib / "libsdt.so.0"}
    preload = "/watch.so:/lib/libsdt.so.0"
    settings = f"SDT_STOCK=1 MODE={TRAP} SHOWN=0 LD_PRELOAD={preload}"
    commands = [f"{settings} MATCH={match} /target /{name}"
                for match, name in (("stock:*", "hits"), ("stock*:*", "churn"))]
    said = boot(sdt, [exe, *map(sdt.path, ("plugin.so", "watch.so", *orders))], commands,
                machine="riscv64", files=files)
    assert {lines[-1] for lines in said.values() if lines} == {"status 0"}
    assert "6144 hits, success" in said[commands[0]] and "2 yes" in said[commands[0]]
    assert "1000 hits, success" in said[commands[1]]
