# SPDX-License-Identifier: BSD-2-Clause
"""The second reader on aarch64 and riscv64: right files of every compiler and linker pass; damage
to what is the same on both, records and notes, is reported by name: bytes changed with
pyelftools."""
import functools
import re
import struct

import pytest

import test_aarch64
import test_riscv64
from conftest import INCLUDE, PROGRAMS, ROOT, Toolbox
from cross import compiled, need
from machines import AARCH64, each
from patched import (CALL, INLINE, NARGS, PC, STUB, Patched, assert_all_named, assert_named,
                     copy_record, needs_verify, note, set_kind, shift)

pytestmark = needs_verify
ASM = ROOT / "tests" / "asm"
COMPILERS = {"aarch64": test_aarch64.COMPILERS, "riscv64": test_riscv64.COMPILERS}
INLINE_SOURCE = """
#include <sdt/probe.h>
long work(long a, int b, double c, const char *d);
long work(long a, int b, double c, const char *d)
{
    SDT_PROBE(v, inline, a, b, d, -5);
    if (SDT_PROBE_ENABLED(v, inline))
        a += (long)c;
    return a + b;
}
"""
MAIN = "int main(void) { return 0; }\n"


@pytest.fixture(scope="module")
def made_of(tmp_path_factory):
    """Compiled, processed and linked once for a machine; tests change copies. One object has all:
    `ld -r` joins what as and cc made."""
    @functools.cache
    def made(machine):
        need(machine.gcc)
        sdt = Toolbox(tmp_path_factory.mktemp("made"))
        parts = [compiled(sdt, machine.gcc, source=ASM / f"{machine}_verify.S", name="forms.o"),
                 compiled(sdt, f"{machine.gcc} -O2 -fPIC -I {INCLUDE}", name="inline.o",
                          source=sdt.write("inline.c", INLINE_SOURCE))]
        sdt.command(f"{machine}-linux-gnu-ld", "-r", *parts, "-o", sdt.path("raw.o"))
        sdt.process(sdt.path("raw.o"), name="all.o")
        main = compiled(sdt, machine.gcc, source=sdt.write("main.c", MAIN), name="main.o")
        machine.linked(sdt, main, sdt.path("all.o"), name="exe")
        sdt.process(compiled(sdt, f"{machine.gcc} -O2 -fPIC", name="f.o"), name="compiled.o")
        if machine is AARCH64:
            sdt.process(compiled(sdt, machine.gcc, source=ASM / "aarch64_branches.S", name="b.o"),
                        name="branches.o")
        else:
            sdt.process(compiled(sdt, f"{machine.gcc} -O2 -fPIC -mno-relax", name="g.o"),
                        name="fixed.o")
        return sdt
    return made


@pytest.fixture
def made(made_of, machine):
    return made_of(machine)


# ---- right files ----

COUNTS = {"aarch64": "8 sites, 4 probes", "riscv64": "7 sites, 3 probes"}


@each()
def test_the_files_as_they_are_pass(made, machine):
    exe, counts = made.path("exe"), COUNTS[machine.name]
    assert made.sdtlink("verify", exe).stdout == f"{exe}: {counts}: ok\n"
    said = made.sdtlink("verify", "--against", made.path("raw.o"), made.path("all.o")).stdout
    assert said.endswith(f"{counts}: ok\n"), said


@each(compiler=lambda m: COMPILERS[m.name])
def test_every_compiler_passes(sdt, machine, compiler):
    need(machine.gcc, compiler.split()[0])
    inline = sdt.write("inline.c", INLINE_SOURCE)
    for source in (PROGRAMS / "machine_forms.c", inline, PROGRAMS / "machine_run.c"):
        obj = compiled(sdt, compiler, "-I", INCLUDE, source=source)
        out = sdt.process(obj)
        said = sdt.sdtlink("verify", "--against", obj, out).stdout
        assert re.search(r": [2-9] sites, [1-3] probes?: ok\n$", said), said


SHAPES = {"a.out": [], "static": ["-static"], "library": ["-shared"], "fixed": ["-no-pie"],
          "stripped": ["-s"], "again.o": ["-r", "-nostdlib"]}
LINKED = {"aarch64": {"all": ["compiled.o", "all.o", "branches.o"]},
          "riscv64": {"relaxed": ["compiled.o", "all.o"], "not": ["fixed.o", "all.o"]}}


@each(linker=lambda m: m.linkers, inputs=lambda m: LINKED[m.name])
def test_every_linker_passes(sdt, made, machine, linker, inputs):
    """Executables, static and stripped ones, libraries, and objects that are linked again; -r of
    mold puts one section in two groups, and mold 1.10 refuses TSTBR14, which is in branches.o.
    In a stripped file for riscv64 nothing tells where functions begin."""
    names = LINKED[machine.name][inputs]
    counts = "20 sites, 14 probes" if machine is AARCH64 else "12 sites, 6 probes"
    shapes = dict(SHAPES)
    if linker == "mold":
        del shapes["again.o"]
        if machine is AARCH64:
            names, counts = names[:2], "13 sites, 7 probes"
    flags = ["-Wl,--no-relax"] if inputs == "not" else []
    files = [machine.linked(sdt, *map(made.path, names), *flags, *shape, linker=linker, name=name)
             for name, shape in shapes.items()]
    said = sdt.sdtlink("verify", *files).stdout.splitlines()
    remarks = {"again.o": r"( \(linked again with -r: \d+ without SHF_LINK_ORDER to their "
                          r"section\))?"}
    if machine is not AARCH64:
        remarks["stripped"] = (r" \(12 without a function symbol: instruction boundaries not "
                               r"checked\)")
    assert len(said) == len(files)
    for file, line in zip(files, said):
        assert re.fullmatch(re.escape(f"{file}: {counts}: ok") + remarks.get(file.name, ""), line)


@each()
def test_a_big_endian_file_is_refused(sdt, machine):
    need(machine.gcc)
    obj = compiled(sdt, f"{machine.gcc} -mbig-endian", source=sdt.write("main.c", MAIN))
    result = sdt.sdtlink("verify", obj, status=1)
    assert "a big-endian file: sdtlink makes no probes in such" in result.stderr


# ---- damage ----

RECORDS = {
    "a site outside": (lambda f: f.put(f.record(CALL)[1] + PC, struct.pack("<i", 1 << 30)),
                       "expected the record's pc word to lead into the file"),
    "a call6": (lambda f: set_kind(f, CALL, 2), "v:call: unknown kind 2"),
    "a lost inline record": (lambda f: copy_record(f, CALL, INLINE),
                             "expected a record of this disabled site"),
    "a record of no entry": (lambda f: shift(f, INLINE, STUB, by=16),
                             "v:inline: expected an entry for the site at"),
    "an entry of another record": (lambda f: f.add_word(f.stub(INLINE) + 24, 32),
                                   "v:inline: expected the entry to name its record at"),
    "an entry of another probe": (lambda f: f.add_word(f.stub(INLINE) + 28, 16),
                                  "v:inline: expected the entry to name its record at"),
    "an argument less": (lambda f: f.put(f.record(INLINE)[1] + NARGS, b"\3"),
                         "v:inline: expected a descriptor of 3 arguments, found"),
    "a note elsewhere": (lambda f: f.add(note(f, "call") + 20, "<Q", 4),
                         "v:call: expected a note for tracers at this site"),
    "a note of another": (lambda f: f.put(note(f, "inline") + 46, b"I"),
                          "v:inline: expected a note for tracers at this site"),
}


@each()
def test_every_damage_to_records_and_notes_is_named(sdt, made, machine):
    assert_all_named(sdt, RECORDS, made.path("exe"))


ARGUED = {"aarch64": lambda m: [f"{m.gcc} -O2 -fPIC"],
          "riscv64": lambda m: [f"{m.gcc} -O2", f"{m.gcc} -O2 -mno-relax",
                                *[f"{clang} -O2" for clang in m.clangs]]}


@each(compiler=lambda m: ARGUED[m.name](m))
def test_an_argument_where_the_compiler_did_not_say(sdt, machine, compiler):
    """Record and note agree; only .sdt_args of the original knows better."""
    need(machine.gcc, compiler.split()[0])
    obj = compiled(sdt, f"{compiler} -I {INCLUDE}", source=sdt.write("inline.c", INLINE_SOURCE))
    file = Patched(sdt.process(obj))
    places = list(re.finditer(rb"-8@[asx](\d)", bytes(file.data)))
    assert len(places) == 2
    for place in places:
        file.put(place.start(1), b"6" if place[1] != b"6" else b"5")
    assert_named(sdt, "v:inline: expected argument 1 where the compiler said it is", "--against",
                 obj, file.save("bad.o"))
