# SPDX-License-Identifier: BSD-2-Clause
"""Companions on aarch64 and riscv64: at start-up, calls become NOPs, and all other branches lead to
sites in the companion, also while threads run them; damage to sites, words and branches is reported
by name, and left alone by the runtime; inline sites are refused."""
import functools
import re

import pytest

import companion
import test_aarch64
import test_riscv64
from conftest import INCLUDE, PROGRAMS, Toolbox
from cross import compiled, emulated, gcc, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from machines import AARCH64, each
from patched import (CALL, ENABLED, ENABLED_TAIL, JCC, MOVED, STUB, TAIL, assert_named, flip,
                     needs_verify)

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled


@pytest.fixture(autouse=True)
def compiler(machine):
    need(machine.gcc)


# ---- right ones ----

def assert_calls_its_stub(sdt, machine, exe, at):
    """The call at AT; it is read by objdump on aarch64, and here on riscv64."""
    if machine is AARCH64:
        code = {place: text for (_, place), text in test_aarch64.disassembled(sdt, exe)[0].items()}
        assert code[at].startswith("bl ")
        assert code[test_aarch64.target(code[at]) + 4] == "sub x11, x30, #0x4"
    else:
        first, second = test_riscv64.words(exe, at, 2)
        assert first & 0xfff == 0x097 and second & 0xfffff == 0x080e7
        stub = ElfView(exe).symbol("__dtrace_sdt_run_sdtlink___c___work").value
        assert test_riscv64.target(at, first, second) == stub


CALLING = {"aarch64": lambda m: [f"{m.gcc} -O1"],
           "riscv64": lambda m: [f"{m.gcc} -O1", *[f"{clang} -O1" for clang in m.clangs[-1:]]]}


@each(compiler=lambda m: CALLING[m.name](m), linker=lambda m: m.linkers)
def test_calls_become_nops_at_start_up(sdt, targets, machine, compiler, linker):
    """The object is not touched: the file has its calls, which lead to the stub until then. Armed
    by a jump, a site on riscv64 is the call again."""
    need(compiler.split()[0], machine.qemu)
    obj = compiled(sdt, f"{compiler} {companion.FLAGS[machine.name]}", *companion.CALLS,
                   source=PROGRAMS / "machine_companion.c")
    before = obj.read_bytes()
    exe = companion.link(sdt, targets, machine.name, obj, linker=linker)
    assert obj.read_bytes() == before
    for file in (sdt.path("companion.o"), exe):
        assert sdt.sdtlink("verify", file).stdout == f"{file}: 1 site, 1 probe: ok\n"
    assert "1 site as recorded" in sdt.run(sdt.tool, "finalize", "--dry-run", exe)
    [where] = re.findall(r" work +work +0x(\w+) +call ", sdt.run(sdt.tool, "list", exe))
    assert_calls_its_stub(sdt, machine, exe, int(where, 16))
    for mode, lines in {"": ["call 2 text"] * 2, "trap": ["break 2 text"]}.items():
        assert machine.run(sdt, exe, *mode.split()) == [*lines, "nop", "110"]


# The function, and how the compiler branches to the probe: what objdump must find there.
BRANCHES = {"cm_tail": "b", "cm_asks": "bl", "cm_passes": "b", "cm_zero": "cbz", "cm_bit": "tbnz",
            "cm_less": "b.lt"}


def assert_branches_to_stubs(sdt, machine, exe, linker):
    """In the file: of any of the five kinds of instructions that there are on aarch64."""
    view = ElfView(exe)
    if machine is AARCH64:
        code = test_aarch64.disassembled(sdt, exe)[0]
        for function, mnemonic in BRANCHES.items():
            where = view.symbol(function)
            words = [text for (_, at), text in code.items()
                     if where.value <= at < where.value + where.size]
            mnemonic = "cbnz" if linker == "mold" and mnemonic == "tbnz" else mnemonic
            to_stub = re.compile(rf"{re.escape(mnemonic)} .*<__(sdt_stub|dtrace_sdt)")
            assert any(to_stub.match(word) for word in words), (function, words)
    else:
        stub = view.symbol("__dtrace_sdt_cm___tail").value
        tail = view.symbol("cm_tail")
        branches = [at for at in range(tail.value, tail.value + tail.size - 6, 2)
                    if test_riscv64.words(exe, at, 1)[0] & 0xfff == 0x317 and
                    test_riscv64.target(at, *test_riscv64.words(exe, at, 2)) == stub]
        assert len(branches) == 1


PROTECTED = {"aarch64": ["-O2 -mbranch-protection=standard"], "riscv64": []}


@each(compiler=lambda m: [f"{m.gcc} {flags}" for flags in ("-O2", *PROTECTED[m.name])] +
      [f"{clang} -O2" for clang in m.clangs], linker=lambda m: m.linkers)
def test_other_branches_lead_to_sites_of_the_companion(sdt, targets, machine, compiler, linker):
    """What a site holds is checked by verify and finalize."""
    need(compiler.split()[0], machine.qemu)
    flags = ["-DNO_TEST_BIT"] if machine is AARCH64 and linker == "mold" else []
    exe = companion.moved(sdt, targets, machine.name, compiler, *flags, linker=linker)
    for file in (sdt.path("companion.o"), exe):
        assert sdt.sdtlink("verify", file).stdout == f"{file}: 7 sites, 5 probes: ok\n"
    assert "7 sites as recorded" in sdt.run(sdt.tool, "finalize", "--dry-run", exe)
    assert_branches_to_stubs(sdt, machine, exe, linker)
    companion.check(emulated(sdt, machine.name, exe).stdout)
    companion.check(emulated(sdt, machine.name, exe, "trap").stdout, "trap")


WRITES = {"aarch64": [""], "riscv64": ["proc_mem.force_override=always", ""]}  # for the kernel


@pytest.mark.guest
@each(parameters=lambda m: WRITES[m.name])
def test_branches_change_in_a_guest(sdt, targets, machine, parameters):
    """With a kernel: text is written through /proc/self/mem, if it allows that. A parcel of riscv64
    is written by mprotect."""
    companion.check_in_guest(sdt, targets, machine.name, parameters=parameters)


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
