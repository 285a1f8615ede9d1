# SPDX-License-Identifier: BSD-2-Clause
"""Stock binaries on riscv64, programs with notes of <sys/sdt.h>, unprocessed: what is not armed
there; and one in the guest. The rest is in test_machine_stock.py."""
import functools

import pytest

import machine_stock as stock
from cross import need, targets  # noqa: F401 (targets is a fixture)
from guest import boot
from machine_stock import JUMP, TRAP
from stapsdt import notes

pytestmark = [pytest.mark.nosan, pytest.mark.riscv64]  # the runtime is cross-compiled


@pytest.fixture(autouse=True, scope="module")
def compiler():
    need("riscv64-linux-gnu-gcc")


target, run = (functools.partial(function, machine="riscv64")
               for function in (stock.target, stock.run))


def test_no_site_can_be_armed_by_a_jump(sdt, targets):
    said, watched = run(sdt, targets, target(sdt), "stock:*", JUMP, text="hit 2\nquit\n")
    assert said == ["here", "ok"]
    assert watched[:2] == ["stock:tick off", "stock:asked off"] and watched[2].startswith("0 hits")


def test_a_nop_of_four_bytes_is_skipped(sdt, targets):
    """A program without compressed instructions: docs/portable.md says so."""
    exe = target(sdt, "-march=rv64g")
    assert len(notes(exe)) == 2
    said, watched = run(sdt, targets, exe, "stock:*", text="hit 9\nquit\n")
    assert said == ["here", "ok"] and "0 hits" in watched[-1]


@pytest.mark.guest
def test_with_a_kernel(sdt, targets):
    """Threads, forks, signals, and libraries that come and go 200 times."""
    programs, files = stock.in_guest(sdt, "riscv64")
    programs.append(stock.watcher(sdt, targets, machine="riscv64"))
    files["lib/libsdt.so.0"] = targets("riscv64") / "lib" / "libsdt.so.0"
    preload = "/watch.so:/lib/libsdt.so.0"
    settings = f"SDT_STOCK=1 MODE={TRAP} SHOWN=0 LD_PRELOAD={preload}"
    commands = [f"{settings} MATCH={match} /target /{name}"
                for match, name in (("stock:*", "hits"), ("stock*:*", "churn"))]
    said = boot(sdt, programs, commands, machine="riscv64", files=files)
    assert {lines[-1] for lines in said.values() if lines} == {"status 0"}
    assert "6144 hits, success" in said[commands[0]] and "2 yes" in said[commands[0]]
    assert "1000 hits, success" in said[commands[1]]
