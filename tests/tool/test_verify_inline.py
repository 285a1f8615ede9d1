# SPDX-License-Identifier: BSD-2-Clause
"""Deliberate corruptions of inline sites, which sdtlink verify must report by name.

Such a site is 90, then a NOP that leads to its entry; its arguments are where the compiler said.
"""
import re

import pytest

from patched import (ARGS, CALL, INLINE, NARGS, PC, STUB, Patched, assert_named, changed,
                     needs_verify, set_kind, shift)

pytestmark = needs_verify


def at_site(place, data):
    """DATA replaces what is PLACE bytes after the site."""
    return lambda file: file.put(file.at(file.site(INLINE)) + place, data)


def in_entry(place, delta):
    return lambda file: file.add_word(file.stub(INLINE) + place, delta)


def name_another_register(file):
    """What sdt_enable() and a tracer would read differs."""
    at = file.at(file.follow(file.record(INLINE)[0], ARGS))
    register = file.data.index(b"@%r", at) + 3
    file.put(register, b"s" if file.data[register] != ord("s") else b"d")


def lose_a_word(file):
    """A blank where an argument was to begin."""
    at = file.at(file.follow(file.record(INLINE)[0], ARGS))
    file.put(at, b" ")
    note = file.data.index(b"\0forms\0inline\0", file.section(".note.stapsdt")["sh_offset"])
    file.put(note + len("?forms?inline?"), b" ")


EXPECTED = "forms:inline: expected nop and a 9-byte nop with e9 as its SIB byte"
INLINE_SITE = {
    "no_tracers_byte": (at_site(0, b"\x66"), f"{EXPECTED}, found 66 66 0f 1f 84 e9"),
    "leave_the_call": (at_site(4, b"\x00\xe8"), f"{EXPECTED}, found 90 66 0f 1f 00 e8"),
    "arm_inline": (at_site(4, b"\x00"), f"{EXPECTED}, found 90 66 0f 1f 00 e9"),
    "spoil_the_jump": (at_site(5, b"\xeb"), f"{EXPECTED}, found 90 66 0f 1f 84 eb"),
    "lead_elsewhere": (lambda f: f.add_word(f.site(INLINE) + 6, 32),
                       "forms:inline: expected the displacement to lead to the entry at"),
    "name_another_entry": (lambda f: shift(f, INLINE, STUB, by=16),
                           "forms:inline: expected an entry for the site at"),
    # A red zone of 64 bytes.
    "spoil_the_entry": (lambda f: f.put(f.at(f.stub(INLINE)) + 4, b"\xc0"),
                        "forms:inline: expected an entry for the site at"),
    "go_on_elsewhere": (in_entry(20, -4), "forms:inline: expected the entry to go on at"),
    # What entries of sites with live flags call.
    "call_elsewhere": (in_entry(7, 8), "forms:inline: expected the entry to call what"),
    "name_another_record": (in_entry(24, 32),
                            "forms:inline: expected the entry to name its record at"),
    "name_another_probe": (in_entry(28, 16),
                           "forms:inline: expected the entry to name its record at"),
    "shift_inline_site": (lambda f: shift(f, INLINE, PC, by=1),
                          "expected a record of this disabled site"),
    "call_inline_a_call": (lambda f: set_kind(f, INLINE, CALL),
                           "forms:inline: expected nop and a 4-byte nop, found 90 66 0f 1f 84"),
    "lose_a_word": (lose_a_word, "forms:inline: expected a descriptor of 4 arguments, found \" "),
    "lose_an_argument": (lambda f: f.put(f.record(INLINE)[1] + NARGS, b"\3"),
                         "forms:inline: expected a descriptor of 3 arguments, found"),
    "name_another_register": (name_another_register, "forms:inline: expected the arguments"),
}


INLINE_SOURCE = """
#include <sdt/probe.h>
struct pair { long a; int b; };
__attribute__((noinline)) long work(long x, struct pair *pair)
{
    SDT_PROBE(forms, inline, x, 42, pair->b, pair);
    return x * 3;
}
int main(int argc, char **argv)
{
    struct pair pair = {argc, argv != 0};
    return work(0, &pair) != 0;
}
"""


@pytest.mark.parametrize("damage", INLINE_SITE)
def test_in_an_inline_site(sdt, damage):
    source = sdt.write("inline.c", INLINE_SOURCE)
    exe = sdt.link(sdt.process(sdt.compile(source, "-O2")), runtime=None)
    sdt.sdtlink("verify", exe)
    change, message = INLINE_SITE[damage]
    assert_named(sdt, message, changed(exe, change))


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("was, now", [(b"-4@$42", b"-4@$43"), (b"8p@%rsi", b"8p@%rdi"),
                                      (b"-8@%rdi", b"-4@%rdi")])
def test_arguments_that_the_compiler_did_not_tell(sdt, compiler, was, now):
    """Record and note agree with each other, and not with the source."""
    raw = sdt.compile(sdt.write("inline.c", INLINE_SOURCE), "-O2", compiler=compiler)
    obj = sdt.process(raw)
    assert sdt.sdtlink("verify", "--against", raw, obj).stdout.endswith(": ok\n")
    file = Patched(obj)
    for old, new in ((was, now), (was.replace(b"p@", b"@"), now.replace(b"p@", b"@"))):
        file.data = bytearray(bytes(file.data).replace(old, new))
    output = sdt.sdtlink("verify", "--against", raw, file.save("bad.o"), status=1).stdout
    assert re.search("forms:inline: expected argument [124] where the compiler said it is", output)
