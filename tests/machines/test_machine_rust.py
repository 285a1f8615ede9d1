# SPDX-License-Identifier: BSD-2-Clause
"""The crate sdt, rust/, on aarch64 and riscv64: what rustc makes of its probes there, without
sdtlink and with it, and their hits, in qemu's user mode.

Rust's library for the other machine is that of Debian, which `./run test --target MACHINE` has
fetched, or one that rustc itself knows. It must come from the same version as rustc: riscv64's is
that of Debian 13. Elsewhere the tests are skipped.
"""
import re

import pytest

import recorded
import tracers
from conftest import PROGRAMS, ROOT
from cross import need, targets  # noqa: F401 (targets is a fixture)
from machines import each
from stapsdt import notes
from test_rust import (COMPILERS, LISTED, OPERANDS, Rust, check_events, fields,
                       fixture_crates)  # noqa: F401 (a fixture)

pytestmark = [pytest.mark.plain, pytest.mark.nosan]  # the runtime is cross-compiled
PROGRAM = "fn main() { println!(\"here\"); }\n"
TRIPLES = {"aarch64": "aarch64-unknown-linux-gnu", "riscv64": "riscv64gc-unknown-linux-gnu"}
REGISTERS = {"aarch64": r"[xw]\d+", "riscv64": r"[ast]\d+"}


@pytest.fixture(name="rust", params=COMPILERS or [None])
def fixture_rust(request, sdt, crates, targets, machine):
    if request.param is None:
        pytest.skip("this machine has no rustc")
    need(machine.gcc, machine.qemu)
    rustc, target = COMPILERS[request.param], f"--target={TRIPLES[machine.name]}"
    fetched = ROOT / "build" / "guest" / f"rust-{machine.name}" / "usr"
    source = sdt.write("empty.rs", PROGRAM)
    for flags in ([target, f"--sysroot={fetched}"], [target]):
        tried = sdt.command(rustc, *flags, f"-Clinker={machine.gcc}", source, "-o",
                            sdt.path("empty"), status=None)
        if tried.returncode == 0:
            return Rust(sdt, rustc, crates, flags, machine.gcc, targets(machine.name) / "lib")
    pytest.skip(f"rustc {request.param} has no library for {machine.name}")


@each(level=lambda _: ["0", "2"])
def test_notes(rust, machine, level):
    """Without sdtlink."""
    exe = rust.build("rust_shop.rs", level=level)
    assert machine.run(rust.sdt, exe) == []
    tracers.check_notes_as_read(rust.sdt, "readelf", exe)
    assert {note.name for note in notes(exe)} == OPERANDS.keys()
    for note in notes(exe):
        sizes, places = zip(*(argument.split("@") for argument in note.args.split()))
        assert " ".join(sizes) == OPERANDS[note.name]
        assert all(re.fullmatch(REGISTERS[machine.name], place) for place in places)


@each(level=lambda _: ["0", "2"])
def test_the_same_source_is_live(rust, machine, level):
    """Every hit, with its arguments; and a question that is answered yes."""
    sdt = rust.sdt
    sdt.command(machine.gcc, "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o",
                sdt.path("emulated.o"))
    exe = rust.build("rust_shop.rs", f"-Clink-arg={sdt.path('emulated.o')}", level=level,
                     is_live=True)
    assert machine.run(sdt, exe) == []
    assert {row["name"]: fields(row) for row in rust.rows(exe)} == LISTED
    pattern = "shop:sale,shop:index,shop:six"
    assert machine.run(sdt, exe, env=recorded.wish(sdt, pattern)) == []
    check_events(sdt)
    assert machine.run(sdt, exe, env={"SDT_ENABLE": "shop:asked=count"}) == ["asked"] * 5
