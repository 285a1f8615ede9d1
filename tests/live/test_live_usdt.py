# SPDX-License-Identifier: BSD-2-Clause
"""Stock binaries whose notes name a NOP with room for a jump after it, as libbpf's <usdt.h> has
them: their sites are armed by jumps. Counts are compared with what was asked for, and bytes with
those of the file.
"""
import struct

import pytest
import tracers
import usdt
from attached import Counting, ask, code, states
from stock import Target, check_arguments, counted

pytestmark = pytest.mark.nosan  # the library would be loaded into programs without a sanitizer

SLOW = "sites are breakpoints"
ROOM = bytes.fromhex(usdt.ROOM)
SITE = 1 + len(ROOM)


@pytest.mark.parametrize("mode", ["-fPIE -pie", "-fno-pie -no-pie"])
def test_counts_from_the_first_hit_on(sdt, mode):
    exe = usdt.program(sdt, "stock_target.c", *mode.split())
    hits, result = counted(sdt, "stock:*", exe, text="hit 50\nthreads 3 1000\nquit\n")
    assert hits == {"stock:tick": 3050, "stock:asked": 3050}
    assert SLOW not in result.stderr


def pieces(text, places):
    """The bytes of the sites, and all others."""
    found = {name: text[at:at + SITE] for name, at in places.items()}
    for at in places.values():
        text = text[:at] + bytes(SITE) + text[at + SITE:]
    return found, text


def test_only_the_operand_of_the_nop_stays(sdt):
    """A thread may be about to run the jump in it, so that is never taken out."""
    exe = usdt.program(sdt, "stock_target.c")
    with Target(exe) as target:
        text, = code(target.pid)
        places = {"tick": text.index(b"\x90" + ROOM), "asked": text.rindex(b"\x90" + ROOM)}
        before, others = pieces(text, places)
        assert set(before.values()) == {b"\x90" + ROOM}

        counting = Counting(target, "stock:*").begin()
        assert states(sdt, target.pid) == {"tick": "jump", "asked": "jump"}
        armed, same = pieces(*code(target.pid), places)
        assert same == others
        for site in armed.values():
            assert site[:7] == b"\x90\x66\x2e\x0f\x1f\x00\xe9" and site[7:] != bytes(4)
        target.do("threads 2 500")
        assert counting.end() == {"tick": 1000, "asked": 1000}

        assert states(sdt, target.pid) == {"tick": "off", "asked": "off"}
        after, same = pieces(*code(target.pid), places)
        assert same == others
        for name, site in after.items():
            assert site == armed[name][:5] + b"\x84" + armed[name][6:]
        again = Counting(target, "stock:tick").begin()
        target.do("hit 7")
        assert again.end() == {"tick": 7}
        assert pieces(*code(target.pid), places) == (after, others)


def test_arguments_as_their_notes_say(sdt):
    traced = usdt.assembled(sdt, "compat_traced.c", "-DPROVIDER=stockargs")
    exe = sdt.path("traced")
    sdt.command("gcc", "-O2", "-DPROVIDER=stockargs", traced, usdt.PROGRAMS / "compat_main.c",
                "-o", exe)
    check_arguments(sdt, exe)


# A gap before an aligned place: the loop comes to it by a jump, and the probe falls into it.
GAP = """
        .text
        .globl  main
main:   mov     $100, %ecx
        test    %edi, %edi
        jz      1f
        .balign 16
        .skip   5, 0x90
        .set    site, .
990:    nop
1:      .byte   0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
        .skip   {more}, 0x90
loop:   dec     %ecx
        jnz     1b
        xor     %eax, %eax
        ret
        .section .note.stapsdt, "", @note
        .balign 4
        .4byte  8, 2f - 1f, 3
        .asciz  "stapsdt"
1:      .8byte  990b, _.stapsdt.base, 0
        .asciz  "gap"
        .asciz  "site"
        .asciz  "4@%ecx"
2:      .balign 4
        .section .stapsdt.base, "aG", @progbits, .stapsdt.base, comdat
        .weak   _.stapsdt.base
        .hidden _.stapsdt.base
_.stapsdt.base: .space 1
        .section .note.GNU-stack, "", @progbits
"""


def gap(sdt, more):
    source = sdt.write("gap.s", GAP.format(more=more))
    sdt.command("gcc", source, "-o", sdt.path("gap"))
    return sdt.path("gap")


@pytest.mark.parametrize("more", [0, 16])
def test_a_gap_is_no_room(sdt, more):
    """99 of 100 times, it is reached from elsewhere. A breakpoint at the NOP itself sees one."""
    hits, result = counted(sdt, "gap:*", gap(sdt, more))
    assert hits == {"gap:site": 1}
    assert f"gap: 1 of 1 {SLOW}" in result.stderr


def test_an_operand_of_others_is_left_alone(sdt):
    """The site is off, but for what its NOP holds: no jump of ours, and not what a file has."""
    exe = usdt.program(sdt, "stock_target.c")
    data = bytearray(exe.read_bytes())
    at = data.index(b"\x90" + ROOM)
    struct.pack_into("<I", data, at + 7, 0x1234)
    exe.write_bytes(data)
    with Target(exe) as target:
        counting = Counting(target, "stock:*").begin()
        assert sorted(states(sdt, target.pid).values()) == ["jump", "trap"]
        target.do("hit 9")
        assert counting.end() == {"tick": 9, "asked": 9}


def test_a_library_that_comes_and_goes_while_others_hit(sdt):
    library = sdt.path("plugin.so")
    sdt.command("gcc", "-shared", usdt.assembled(sdt, "stock_target.c", "-DPLUGIN", "-fPIC",
                                                 name="plugin"), "-o", library)
    hits, _ = counted(sdt, "stock*:*", usdt.program(sdt, "stock_target.c"),
                      text=f"churn {library} 3 200\nthreads 2 100\nquit\n")
    assert hits["stockplugin:hit"] == 600 and hits["stock:tick"] == 200


def test_tools_that_come_and_go_under_load(sdt):
    """Threads are in the sites whenever those change; none is lost."""
    with Target(usdt.program(sdt, "stock_target.c")) as target:
        target.process.stdin.write("threads 4 30000000\n")
        target.process.stdin.flush()
        for _ in range(15):
            ask(sdt, "count", "-d", "0.01", "-p", target.pid, "stock:*", status=None)
        assert target.process.poll() is None


def test_a_tracer_at_the_nop_before(sdt):
    """Their byte and ours are different ones: both count all."""
    tracers.needs_tracing()
    exe = usdt.program(sdt, "stock_target.c")
    with Target(exe) as target:
        with tracers.Watching(f"usdt:{exe}:stock:asked {{ @hits = count(); }}") as tracer:
            counting = Counting(target, "stock:asked").begin()
            assert states(sdt, target.pid)["asked"] == "jump"
            target.do("hit 6")
            assert counting.end() == {"asked": 6}
        assert "@hits: 6" in tracer.output
