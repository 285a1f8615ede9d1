# SPDX-License-Identifier: BSD-2-Clause
"""Companions on aarch64 and riscv64: branches change while threads run them; damage to sites, words
and branches is reported by name, and left alone by the runtime; inline sites are refused."""
import functools

import pytest

import companion
from conftest import INCLUDE, PROGRAMS, Toolbox
from cross import compiled, emulated, gcc, need, targets  # noqa: F401 (targets is a fixture)
from machines import each
from patched import (CALL, ENABLED, ENABLED_TAIL, JCC, STUB, TAIL, assert_named, flip,
                     needs_verify)

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
MOVED = 8


@pytest.fixture(autouse=True)
def compiler(machine):
    need(machine.gcc)


@each()
def test_threads_may_run_the_branches_meanwhile(sdt, targets, machine):
    """On riscv64 both instructions of each change, and no thread runs one new and one old
    instruction."""
    need(machine.qemu)
    exe = companion.moved(sdt, targets, machine.name, f"{machine.gcc} -O2", "-DTHREADS")
    companion.check(emulated(sdt, machine.name, exe).stdout)


# ---- damage ----

NOT_OURS = "the site or its record is not what sdtlink wrote"
A_BRANCH = "expected a branch to the stub at"
A_WORD = "cm:tail: expected the word before the site to lead to its branch, it leads to"
DAMAGES = {
    "aarch64": {
        "another branch": (lambda f: f.change_site(TAIL, -4, lambda word: word - 4),
                           f"cm:tail: {A_BRANCH}"),
        "a branch to elsewhere": (lambda f: f.change_branch(TAIL, 0, lambda word: word + 1),
                                  f"cm:tail: {A_BRANCH}"),
        "a call": (lambda f: f.change_branch(TAIL, 0, lambda word: word | 1 << 31),
                   f"cm:tail: {A_BRANCH}"),
        "a jump": (lambda f: f.change_branch(ENABLED, 0, lambda word: word & ~(1 << 31)),
                   f"cm:call: {A_BRANCH}"),
        "no condition": (lambda f: f.change_branch(JCC, 0, lambda word: 0xd503201f),
                         f"cm:zero: {A_BRANCH}"),
        "a word that leads nowhere": (
            lambda f: f.change_site(TAIL, -4, lambda word: 0x7ffffff0),
            A_WORD),
        "a word of nothing": (
            lambda f: f.change_site(TAIL, -4, lambda word: 0),
            f"{A_WORD} nothing"),
        "a site that is on": (lambda f: f.change_site(TAIL, 0, lambda word: 0xd503201f),
                              "cm:tail: expected b .+12, found"),
        "an answer that is yes": (lambda f: f.change_site(ENABLED, 4, lambda word: 0xd503201f),
                                  "cm:call: expected mov w0, #0, b .+8, mov w0, #1, ret, found"),
        "a loader of elsewhere": (lambda f: f.change_site(TAIL, 8, lambda word: word + 1),
                                  "cm:tail: expected the loader to enter the stub at"),
        "a lost flag": (lambda f: flip(f, TAIL, MOVED), "cm:tail: expected the moved flag at"),
        "an invented flag": (lambda f: flip(f, CALL, MOVED), "cm:call: expected the moved flag at"),
        "another stub": (lambda f: f.add(f.record(TAIL)[1] + STUB, "<i", 4), "cm:tail: expected"),
    },
    "riscv64": {
        "another branch": (lambda f: f.change_site(TAIL, -4, lambda half: half + 2),
                           f"cm:tail: {A_BRANCH}"),
        "a branch to elsewhere": (lambda f: f.change_branch(TAIL, 6, lambda half: half ^ 0x20),
                                  f"cm:tail: {A_BRANCH}"),
        "a branch that is off": (lambda f: f.change_branch(TAIL, 4, lambda half: 0x8082),
                                 f"cm:tail: {A_BRANCH}"),
        "a call": (lambda f: (f.change_branch(TAIL, 0, lambda half: half & 0xf000 | 0x097),
                              f.change_branch(TAIL, 4, lambda half: 0x80e7),
                              f.change_branch(TAIL, 6, lambda half: half & 0xfff0)),
                   f"cm:tail: {A_BRANCH}"),
        "a word of nothing": (
            lambda f: (f.change_site(TAIL, -4, lambda half: 0),
                       f.change_site(TAIL, -2, lambda half: 0)),
            f"{A_WORD} nothing"),
        "a site that is on": (lambda f: f.change_site(TAIL, 4, lambda half: 0x8067),
                              "cm:tail: expected auipc t2, c.jr ra and half a jr by t2, found"),
        "a site that leads beside its loader": (
            lambda f: f.change_site(TAIL, 6, lambda half: 0x0103),
            "cm:tail: expected the displacement to lead to a"),
        "an answer that is yes": (lambda f: f.change_site(ENABLED_TAIL, 4, lambda half: 0x4505),
                                  "expected nop of four bytes, c.li a0, 0 and c.jr ra, found"),
        "an answer that does not return": (
            lambda f: f.change_site(ENABLED_TAIL, 6, lambda half: 0x0001),
            "expected nop of four bytes, c.li a0, 0 and c.jr ra, found"),
        "a loader of another site": (lambda f: f.change_site(TAIL, 28, lambda half: half + 2),
                                     "cm:tail: expected the loader to name the patch byte"),
    },
}


@pytest.fixture(scope="module")
def damaged(targets, tmp_path_factory):
    """A program of a machine, made once, with one of its damages."""
    @functools.cache
    def made(name):
        return companion.moved(Toolbox(tmp_path_factory.mktemp("damaged")), targets, name,
                               f"{gcc(name)} -O2")

    def damage(machine, name):
        file = companion.Companion(made(machine.name))
        DAMAGES[machine.name][name][0](file)
        return file.save("bad")
    return damage


@needs_verify
@each(damage=lambda m: DAMAGES[m.name])
def test_every_damage_is_named(sdt, damaged, machine, damage):
    assert_named(sdt, DAMAGES[machine.name][damage][1], damaged(machine, damage))


@needs_verify
@each()
def test_damage_that_the_runtime_would_rely_on_is_refused_by_finalize(sdt, damaged, machine):
    said = sdt.sdtlink("finalize", damaged(machine, "a branch to elsewhere"), status=1).stderr
    assert "what the site stands for is no branch to its stub" in said


@each()
def test_a_wrong_branch_is_left_alone(sdt, damaged, machine):
    """The runtime does not touch it either, and says so; the other sites work."""
    need(machine.qemu)
    said = emulated(sdt, machine.name, damaged(machine, "another branch")).stdout
    [name], hits = companion.blocked(said, NOT_OURS)
    assert hits == companion.without(name)
    if machine.name == "aarch64":
        assert name == "tail"


# ---- what is refused ----

INLINE = {
    "probe": ("machine_companion.c", "a companion cannot patch an inline probe"),
    "asks": ("""
#include <sdt/probe.h>
int f(void);
int f(void) { return SDT_PROBE_ENABLED(p, n); }
""", "a companion cannot patch an inline SDT_PROBE_ENABLED"),
}


@each()
@pytest.mark.parametrize("case", INLINE)
def test_inline_sites_are_refused_by_name(sdt, machine, case):
    source, problem = INLINE[case]
    source = sdt.write("asks.c", source) if "\n" in source else PROGRAMS / source
    obj = compiled(sdt, f"{machine.gcc} -O2 {companion.FLAGS[machine.name]}", "-I", INCLUDE,
                   source=source)
    result = sdt.sdtlink("--companion", "-o", sdt.path("out.o"), obj, status=1)
    assert problem in result.stderr and "-DSDT_CALL_SITES" in result.stderr
    assert "sdtlink -o OUT IN" in result.stderr
    assert not sdt.path("out.o").exists()
