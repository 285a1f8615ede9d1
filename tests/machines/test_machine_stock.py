# SPDX-License-Identifier: BSD-2-Clause
"""Stock binaries on aarch64 and riscv64: programs with notes of <sys/sdt.h>, unprocessed. The NOPs
of riscv64 have two bytes, so every site there is a breakpoint; and so is each call by which the
dynamic linker tells debuggers of libraries. qemu in user mode runs the programs with the library
preloaded."""
import re
import struct

import pytest

import machine_stock as stock
import tracers
from conftest import PROGRAMS
from cross import hits, loader, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from machine_stock import AUTO, JUMP, TRAP, moved, with_note
from machines import AARCH64, each
from stapsdt import notes

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
MODES = {"aarch64": [JUMP, TRAP, AUTO], "riscv64": [TRAP, AUTO]}


@pytest.fixture(autouse=True)
def compiler(machine):
    need(machine.gcc)


def armed(machine, mode):
    return "trap" if machine.name == "riscv64" or mode == TRAP else "jump"


@each(mode=lambda m: MODES[m.name])
@pytest.mark.parametrize("link", ["-pie", "-no-pie"])
def test_sites_are_armed(sdt, targets, machine, link, mode):
    exe = stock.target(sdt, link, *(["-fno-pie"] if link == "-no-pie" else []),
                       machine=machine.name)
    said, watched = stock.run(sdt, targets, exe, "stock:*", mode, shown=4, machine=machine.name,
                              text="hit 2\nthreads 3 100\nsemaphore\nforks 2\nown\nquit\n")
    assert said[-4:] == ["ok", "1", "1", "2 yes"]
    half = struct.unpack("<q", struct.pack("<d", 0.5))[0]
    assert watched[:4] == ["stock:tick in tick: 0", "stock:asked in tick: 0 0",
                           "stock:tick in tick: 1", f"stock:asked in tick: 1 {half}"]
    how = armed(machine, mode)
    assert watched[4:] == [f"stock:tick {how}", f"stock:asked {how}", "606 hits, success"]


@each(mode=lambda m: MODES[m.name])
def test_libraries_that_come_and_go(sdt, targets, machine, mode):
    """The loader's calls of its function for debuggers lead to the runtime first."""
    plugin = sdt.path("plugin.so")
    exe = stock.target(sdt, machine=machine.name)
    said, watched = stock.run(sdt, targets, exe, "stock*:*", mode, machine=machine.name, text=(
        f"load {plugin} 7\nchurn {plugin} 3 50\nkeep {plugin} 5\nthreads 2 9\nquit\n"))
    assert said == ["here", "ok", "ok", "ok", "ok"]
    how = armed(machine, mode)
    assert sorted(watched[:3]) == [f"stock:asked {how}", f"stock:tick {how}",
                                   f"stockplugin:hit {how}"]
    assert watched[3:] == ["198 hits, success"]


@each()
def test_arguments_as_their_notes_say(sdt, targets, machine):
    """In registers, in memory (on aarch64 `[sp, 8]`, with a blank), constants; every size."""
    exe = stock.built(sdt, "traced", [PROGRAMS / "compat_traced.c", PROGRAMS / "compat_main.c"],
                      "-O0", "-USTAP_SDT_ARG_CONSTRAINT", "-DPROVIDER=stockargs",
                      machine=machine.name)
    memory = {"aarch64": ", ", "riscv64": "("}[machine.name]
    assert any(memory in note.args for note in notes(exe))
    said, watched = stock.run(sdt, targets, exe, "stockargs:twelve", shown=100,
                              machine=machine.name)
    rounds = [line.split(": ")[1] for line in watched if ": " in line]
    tracers.check_rounds(rounds, said)


@each(mode=lambda m: {"aarch64": ["jump", "trap"], "riscv64": ["trap"]}[m.name],
      compiler=lambda m: [m.gcc, *m.clangs])
def test_one_header_is_live(sdt, targets, machine, mode, compiler):
    """What sdtlink makes of the notes of sdt.h; without it, they are as those above."""
    need(compiler.split()[0])
    exe = machine.program(sdt, targets, "-DSDT_STANDALONE", compiler=compiler)
    assert {site.kind for site in ElfView(exe).sites()} == {"nop1", "tail"}  # one is assembly
    said = machine.run(sdt, exe, mode)
    assert said[:2] == ["off: 0 0", "enabled: yes"]
    assert said[2:7] == hits(mode)
    assert said[-2:] == ["disabled: success", "off: 0 0"]
    sdt.sdtlink("verify", exe)


LIES = {  # how many bytes after its site a note says that it is
    "aarch64": {"in a word": 2, "no NOP": 4, "far": 1 << 40, "no code": -0x1000},
    "riscv64": {"in a parcel": 1, "no NOP": 2, "far": 1 << 40, "no code": -0x1000},
}


@each(lie=lambda m: LIES[m.name])
def test_notes_that_lie_are_skipped(sdt, targets, machine, lie):
    exe = with_note(stock.target(sdt, machine=machine.name), moved(LIES[machine.name][lie]))
    said, watched = stock.run(sdt, targets, exe, text="hit 9\nquit\n", machine=machine.name)
    assert said == ["here", "ok"]
    assert watched == [f"stock:asked {armed(machine, AUTO)}", "9 hits, success"]


# ---- the dynamic loader, whose calls of a function for debuggers tell of libraries ----

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
CALLS = {"aarch64": r"bl?", "riscv64": "jal"}


@each()
@pytest.mark.parametrize("match", ["*", "none:*"])
def test_which_bytes_of_the_loader_change(sdt, targets, machine, match):
    """Of each call that objdump sees, once a probe is enabled; nothing else, so that the function
    itself stays what it is. On aarch64 the call leads elsewhere, on riscv64 its first two bytes
    become a breakpoint."""
    library = loader(machine.name)
    place = re.search(r"(\w+) T _dl_debug_state", sdt.run(f"{machine}-linux-gnu-nm", "-D", library))
    code = sdt.run(f"{machine}-linux-gnu-objdump", "-d", library)
    calls = [int(at, 16) for at in re.findall(
        rf"^ +(\w+):\t\w+ +\t{CALLS[machine.name]}\t{int(place[1], 16):x} <", code, re.M)]
    begin, offset, size = (int(number, 16) for number in re.search(
        r"\.text +PROGBITS +(\w+) (\w+) (\w+)", sdt.run("readelf", "-SW", library)).groups())
    exe = stock.built(sdt, "bytes", sdt.write("bytes.c", BYTES), f"-DCODE={begin}",
                      f"-DCODE_SIZE={size}", machine=machine.name)
    now = bytes.fromhex(stock.run(sdt, targets, exe, match, machine=machine.name)[0][0])
    was = library.read_bytes()[offset:offset + size]
    assert len(now) == len(was)
    changed = {begin + i for i in range(size) if now[i] != was[i]}
    if machine is AARCH64:
        assert calls and {at & ~3 for at in changed} == set(calls)
        assert all(now[at - begin + 3] & 0xfc == was[at - begin + 3] & 0xfc for at in calls)
    else:
        assert len(calls) > 3 and any(call % 4 for call in calls)
        assert changed == {at for call in calls for at in (call, call + 1)}
        assert {now[call - begin:call - begin + 2] for call in calls} == {b"\x02\x90"}  # c.ebreak
