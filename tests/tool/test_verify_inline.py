# SPDX-License-Identifier: BSD-2-Clause
"""Deliberate corruptions of inline sites, which sdtlink verify must report by name.

Such a site is 90, then a NOP that leads to its entry; its arguments are where the compiler said.
"""
import re

import pytest

from patched import (ARGS, CALL, INLINE, KIND, NARGS, PATCH, PC, STUB, Patched,
                     assert_named, needs_verify)

pytestmark = needs_verify


def no_tracers_byte(file):
    file.put(file.at(file.site(INLINE)), b"\x66")


def leave_the_call(file):
    file.put(file.at(file.site(INLINE)) + 4, b"\x00\xe8")


def arm_inline(file):
    file.put(file.at(file.site(INLINE)) + 4, b"\x00")


def spoil_the_jump(file):
    file.put(file.at(file.site(INLINE)) + 5, b"\xeb")


def lead_elsewhere(file):
    file.add(file.at(file.site(INLINE)) + 6, "<i", 32)


def name_another_entry(file):
    file.add(file.record(INLINE)[1] + STUB, "<i", 16)


def entry(file):
    return file.at(file.follow(file.record(INLINE)[0], STUB))


def spoil_the_entry(file):
    """A red zone of 64 bytes."""
    file.put(entry(file) + 4, b"\xc0")


def call_elsewhere(file):
    """What entries of sites with live flags call."""
    file.add(entry(file) + 7, "<i", 8)


def go_on_elsewhere(file):
    file.add(entry(file) + 20, "<i", -4)


def name_another_record(file):
    file.add(entry(file) + 24, "<i", 32)


def name_another_probe(file):
    file.add(entry(file) + 28, "<i", 64)


def shift_inline_site(file):
    for word in (PATCH, PC):
        file.add(file.record(INLINE)[1] + word, "<i", 1)


def call_inline_a_call(file):
    file.put(file.record(INLINE)[1] + KIND, bytes([CALL]))


def lose_an_argument(file):
    file.put(file.record(INLINE)[1] + NARGS, b"\3")


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
    no_tracers_byte: f"{EXPECTED}, found 66 66 0f 1f 84 e9",
    leave_the_call: f"{EXPECTED}, found 90 66 0f 1f 00 e8",
    arm_inline: f"{EXPECTED}, found 90 66 0f 1f 00 e9",
    spoil_the_jump: f"{EXPECTED}, found 90 66 0f 1f 84 eb",
    lead_elsewhere: "forms:inline: expected the displacement to lead to the entry at",
    name_another_entry: "forms:inline: expected an entry for the site at",
    spoil_the_entry: "forms:inline: expected an entry for the site at",
    go_on_elsewhere: "forms:inline: expected the entry to go on at",
    call_elsewhere: "forms:inline: expected the entry to call what",
    name_another_record: "forms:inline: expected the entry to name its record at",
    name_another_probe: "forms:inline: expected the entry to name its record at",
    shift_inline_site: "expected a record of this disabled site",
    call_inline_a_call: "forms:inline: expected the patch byte at",
    lose_a_word: "forms:inline: expected a descriptor of 4 arguments, found \" ",
    lose_an_argument: "forms:inline: expected a descriptor of 3 arguments, found",
    name_another_register: "forms:inline: expected the arguments",
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


@pytest.mark.parametrize("change", INLINE_SITE, ids=lambda f: f.__name__)
def test_in_an_inline_site(sdt, change):
    source = sdt.write("inline.c", INLINE_SOURCE)
    exe = sdt.link(sdt.process(sdt.compile(source, "-O2")), runtime=None)
    sdt.sdtlink("verify", exe)
    file = Patched(exe)
    change(file)
    assert_named(sdt, INLINE_SITE[change], file.save("bad"))


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
