# SPDX-License-Identifier: BSD-2-Clause
"""Values in registers of every class while other threads change who is subscribed (race.c).

A race that is there is not always met; test_runtime_jump.py makes each of its hits late, and
tests/unit/test_ways.c tries every order."""
import functools
import re

import pytest

import cross
from conftest import PROGRAMS
from cross import need, targets  # noqa: F401 (targets is a fixture)
from attached import ask

# Where processors are busy, threads spend more of their time on waiting for each other. A sanitized
# tool has nothing to do with that.
ROUNDS = [2000, pytest.param(50_000, marks=[pytest.mark.slow, pytest.mark.nosan])]


def race(sdt):
    return sdt.link(*(sdt.process(sdt.compile(f"{name}.c")) for name in ("race", "race_x86_64")))


def check(said):
    assert re.fullmatch(r"\d+ threads, handler called: yes, wrong: 0", said.strip()), said


@pytest.mark.parametrize("rounds", ROUNDS)
def test_every_class_of_registers_survives(sdt, rounds):
    check(sdt.run(race(sdt), rounds, timeout=1200))


@pytest.mark.parametrize("rounds", [500, pytest.param(20_000, marks=pytest.mark.slow)])
def test_it_survives_a_tool_beside_the_program_s_own_handler(sdt, rounds):
    """The tool's filter leaves vector registers alone, and the program's handler does not."""
    said = ask(sdt, "count", "race:* /number > 5/", "--", race(sdt), rounds, "plain",
               timeout=1200).stdout
    check(next(line for line in said.splitlines() if "threads" in line))
    assert re.search(r"^race:xmm +\d", said, re.M)


@pytest.mark.nosan  # the runtime is cross-compiled
@pytest.mark.parametrize("target, cpu, threads", [
    ("aarch64", "cortex-a57", 4), ("aarch64", "max", 6), ("riscv64", "rv64", 2),
    ("riscv64", "rv64,v=true,vlen=256", 4)])
@pytest.mark.parametrize("rounds", [200, pytest.param(20_000, marks=pytest.mark.slow)])
def test_every_class_survives_on_other_machines(sdt, targets, target, cpu, threads, rounds):
    compiler = cross.gcc(target)
    need(compiler, f"qemu-{target}")
    source = PROGRAMS / f"race_{target}.c"
    sdt.command(compiler, "-O2", "-I", cross.INCLUDE, "-c", source, "-o", sdt.path("classes.o"))
    exe = cross.program(sdt, targets, target=target, source="race.c",
                        objects=[sdt.process(sdt.path("classes.o"))])
    run = functools.partial(cross.run, target=target, cpu=cpu)
    [said] = run(sdt, exe, rounds)
    assert said == f"{threads} threads, handler called: yes, wrong: 0"
