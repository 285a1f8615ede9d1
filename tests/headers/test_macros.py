# SPDX-License-Identifier: BSD-2-Clause
"""<sdt/probe.h>: what compilers make of the macros, read back with pyelftools, in both forms:
inline sites, which SDT_PROBE means, and calls, which -DSDT_CALL_SITES asks for.

The argument records are decoded here from the text of <sdt/format.h>, not with the tool's reader.
"""
import re
import struct
from collections import namedtuple

import pytest
from conftest import INCLUDE, PROGRAMS, ROOT
from elftools.elf.elffile import ELFFile
from toolchain import CLANGS

pytestmark = pytest.mark.plain  # what compilers make of the headers

NOCOMPILE = ROOT / "tests" / "nocompile"
WARNINGS = "-Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion".split()
C_WARNINGS = ["-Wmissing-prototypes", "-Wstrict-prototypes", "-Wnested-externs", "-Wcast-qual"]
CXX_WARNINGS = ["-Wold-style-cast", "-Wredundant-decls"]
C_DIALECTS = "c99 c11 c17 c2x gnu99 gnu11 gnu17 gnu2x".split()
CXX_DIALECTS = "98 11 14 17 20 2b".split()
CALL, INLINE, ENABLED = (f"__dtrace_{family}_run_sdtlink___"
                         for family in ("sdt", "sdtasm", "sdtenabled"))
CALLS = "-DSDT_CALL_SITES"
FORMS = {"inline": [], "call": [CALLS]}

Record = namedtuple("Record", "form section label provider name types operands group")
Use = namedtuple("Use", "section field symbol type before")


class Object:
    """The probe uses and the argument records of an object."""

    def __init__(self, path):
        with open(path, "rb") as stream:
            elf = ELFFile(stream)
            sections = list(elf.iter_sections())
            symbols = list(elf.get_section_by_name(".symtab").iter_symbols())
            groups = {}
            for section in sections:
                if section["sh_type"] == "SHT_GROUP":
                    words = struct.unpack(f"<{section['sh_size'] // 4}I", section.data())
                    groups.update(dict.fromkeys(words[1:], section.name and words))
            self.records, self.uses = [], []
            self.visibility = {s.name: s["st_other"]["visibility"] for s in symbols}
            self.flags = {s["sh_flags"] for s in sections if s.name == ".sdt_args"}
            self.texts = {i: s.data() for i, s in enumerate(sections) if s["sh_flags"] & 4}
            self.groups = groups
            for section in sections:
                if section["sh_type"] != "SHT_RELA":
                    continue
                target = section["sh_info"]
                relocations = list(section.iter_relocations())
                if sections[target].name == ".sdt_args":
                    self._records(target, sections[target].data(), relocations, symbols)
                elif target in self.texts:
                    self._uses(target, relocations, symbols)
        self.records.sort(key=lambda r: (r.section, r.label))
        self.questions = [r for r in self.records if r.form == 3]
        self.records = [r for r in self.records if r.form != 3]
        self.uses.sort(key=lambda u: (u.section, u.field))

    def _records(self, index, data, relocations, symbols):
        by_offset = {r["r_offset"]: r for r in relocations}
        at = 0
        while at < len(data):
            relocation = by_offset.pop(at)
            assert relocation["r_info_type"] == 2, "R_X86_64_PC32"
            symbol = symbols[relocation["r_info_sym"]]
            form, count = data[at + 4 : at + 6]
            assert form in (1, 2, 3, 4, 5), "a call, inline, or a question in an asm statement"
            types = tuple(data[at + 6 : at + 6 + count])
            head = 6 + count
            if form > 3:  # with the distance to the spelling
                assert by_offset.pop(at + head)["r_info_type"] == 2, "R_X86_64_PC32"
                head += 4
                form -= 3
            strings = 2 + (count if form == 2 else 0)
            texts = data[at + head :].split(b"\0", strings)[:strings]
            texts = [text.decode() for text in texts]
            self.records.append(
                Record(
                    form,
                    symbol["st_shndx"],
                    symbol["st_value"] + relocation["r_addend"],
                    *texts[:2],
                    types,
                    texts[2:],
                    self.groups.get(index),
                )
            )
            at += head + sum(len(text) + 1 for text in texts)
        assert at == len(data) and not by_offset

    def _uses(self, index, relocations, symbols):
        for relocation in relocations:
            name = symbols[relocation["r_info_sym"]].name
            if name.startswith((CALL, INLINE, ENABLED)):
                field = relocation["r_offset"]
                before = self.texts[index][max(field - 6, 0) : field]
                self.uses.append(Use(index, field, name, relocation["r_info_type"], before))

    def calls(self, symbol=(CALL, INLINE)):
        return [u for u in self.uses if u.symbol.startswith(symbol)]

    def pairs(self):
        """Each record with its call: the last one of the probe in front of the label; at an inline
        site the one after the NOPs there."""
        for record in self.records:
            family, size = (CALL, 4) if record.form == 1 else (INLINE, -6)
            symbol = f"{family}{record.provider}___{record.name}"
            near = [
                u
                for u in self.calls()
                if u.section == record.section and u.field + size <= record.label
            ]
            assert near and near[-1].symbol == symbol, record
            assert record.form == 1 or near[-1].field == record.label + 6, record
            yield record, near[-1]


def check_forms(obj, form):
    """Only e8 with PLT32 or PC32, only hidden symbols, one record for each call and no other; all
    sites of one form, an inline one with its NOPs in front and an operand for each argument."""
    assert obj.calls(), "no probe in the object"
    for use in obj.uses:
        assert use.before[-1] == 0xE8, use
        assert use.type in (2, 4), use
        assert obj.visibility[use.symbol] == "STV_HIDDEN", use
    pairs = list(obj.pairs())
    assert sorted(call.field for _, call in pairs) == sorted(u.field for u in obj.calls())
    assert obj.flags <= {0x80000000, 0x80000200}  # SHF_EXCLUDE, SHF_GROUP
    for record, call in pairs:
        assert record.group == obj.groups.get(call.section)
        assert record.form == {"call": 1, "inline": 2}[form]
        if form == "inline":
            assert call.before == b"\x90\x66\x0f\x1f\x00\xe8"
            assert len(record.operands) == len(record.types)
    questions = [(q.section, q.label + 1) for q in obj.questions]
    asked = [(u.section, u.field) for u in obj.calls(ENABLED)]
    assert questions == (asked if form == "inline" else [])


# Type bytes as <sdt/format.h> defines them: size, 10 signed, 20 floating, 40 pointer, and 80 for
# bool and text.
TYPES = {
    "yes": 0x81, "plain": 0x11, "schar": 0x11, "uchar": 0x01, "sshort": 0x12, "ushort": 0x02,
    "qualified": 0x02, "sint": 0x14, "uint": 0x04, "slong": 0x18, "ulong": 0x08, "real": 0x24,
    "real2": 0x28, "size": 0x08, "i64": 0x18, "u8": 0x01, "small": 0x04, "negative": 0x14,
    "promoted": 0x14, "comparison": 0x01,
}  # fmt: skip
WORDS = {
    "yes": 1, "plain": -2, "schar": -3, "uchar": 0xFD, "sshort": -4, "ushort": 0xFFFC,
    "qualified": 0xFFFE, "sint": -5, "uint": 0xFFFFFFFB, "slong": -6, "ulong": -6,
    "real": -1.5, "real2": 2.25, "size": 7, "i64": -8, "u8": 0x88, "small": 2, "negative": -3,
    "promoted": 0xFD - 4, "comparison": 1,
}  # fmt: skip
MODERN = {"scoped": 0x01, "c16": 0x02, "c32": 0x04, "null": 0x48}


def word(value):
    if isinstance(value, float):
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    return value & (2**64 - 1)


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("form", FORMS)
def test_every_scalar_type_is_described(sdt, form, compiler, level):
    cxx = compiler.endswith("++")
    source = "macros_types.cc" if cxx else "macros_types.c"
    obj = Object(sdt.compile(source, level, *FORMS[form], compiler=compiler))
    check_forms(obj, form)
    found = {(r.provider, r.name): r.types for r in obj.records}
    for name, code in TYPES.items():
        assert found["types", name] == (code,), name
    for (provider, name), types in found.items():
        if provider == "pointers":
            assert types == (0xC8 if name in ("literal", "string") else 0x48,), name
    # The type of a bit-field has no name of its own: declared (clang) or promoted (gcc).
    assert found["bits", "u"] in ((0x14,), (0x04,))
    assert found["bits", "s"] == (0x14,)
    assert found["bits", "wide"] in ((0x18,), (0x08,))
    if cxx:
        for name, code in MODERN.items():
            assert found["modern", name] == (code,), name
        assert found["modern", "lambda"] == (0x01, 0x02)
        types = {r.types for r in obj.records if r.name == "constructed"}
        assert types == {(0x12, 0x48), (0x28, 0x48)}


def types_and_counts(sdt, compiler, *flags):
    """The two programs as objects whose functions have their C names also in C++."""
    language = ["-x", "c++"] if compiler.endswith("++") else []
    names = {"_Z7scalarsv": "scalars", "_Z8pointersP6opaquePFvvE": "pointers"}
    names |= {"_Z10bit_fieldsPK4bits": "bit_fields", "_Z6countsl": "counts"}
    objects = []
    for source in ("macros_types.c", "macros_counts.c"):
        objects.append(sdt.compile(source, *flags, *language, compiler=compiler))
        if language:
            args = [f"--redefine-sym={old}={new}" for old, new in names.items()]
            sdt.command("objcopy", *args, objects[-1])
    return objects


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_every_argument_of_a_call_arrives_as_one_word(sdt, compiler, level):
    types, counts = types_and_counts(sdt, compiler, level, CALLS)
    main = sdt.compile("macros_words.c")
    symbols = {u.symbol for o in (types, counts) for u in Object(o).uses}
    stubs = [f"-Wl,--defsym={symbol}=record" for symbol in sorted(symbols)]
    exe = sdt.link(types, counts, main, *stubs, runtime=None)
    lines = [[int(w, 16) for w in line.split()] for line in sdt.run(exe).splitlines()]

    expected = [word(v) for v in WORDS.values()]
    assert [line[0] for line in lines[: len(expected)]] == expected
    rest = lines[len(expected) :]
    pointers, rest = [line[0] for line in rest[:8]], rest[8:]
    assert pointers[:2] == [0x1234, 0x5678]
    assert pointers[7] == 0 and all(pointers[:7])
    assert pointers[6] == pointers[3] + 4
    bits, rest = [line[0] for line in rest[:3]], rest[3:]
    assert bits == [5, word(-3), 0xFFFFFFFFFF]
    for count in range(13):
        assert rest[count][:count] == [word(-2 + i) for i in range(count)]
    cycle = [word(-2), word(-2.0), word(-1), word(-1.5)] * 3
    assert len(rest) == 17
    for line, count in zip(rest[13:], (1, 4, 7, 10)):
        assert line[:count] == cycle[:count]


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O2 -fPIC"])
@pytest.mark.parametrize("form", FORMS)
def test_a_handler_sees_the_values_of_the_source(sdt, form, compiler, flags):
    objects = types_and_counts(sdt, compiler, *flags.split(), *FORMS[form])
    objects = [sdt.process(obj) for obj in objects]
    exe = sdt.link(*objects, sdt.compile("macros_run.c"))
    lines = [line.split() for line in sdt.run(exe).splitlines()]
    # Each word as sdt_arg() gives it and as the number that sdt_arg_double() makes of it.
    words = {tuple(line[:2]): [int(w, 16) for w in line[3::2]] for line in lines}
    numbers = {tuple(line[:2]): [float(w) for w in line[4::2]] for line in lines}
    assert len(lines) == len(WORDS) + 8 + 3 + 13 + 4
    for name, value in WORDS.items():
        assert words["types", name] == [word(value)], name
        if name != "ulong":  # as unsigned: not -6 but 2**64 - 6
            assert numbers["types", name] == [value], name
    assert numbers["types", "ulong"] == [float(2**64 - 6)]
    assert words["pointers", "opaque"] == [0x1234]
    assert [words["bits", name] for name in ("u", "s", "wide")] == [[5], [word(-3)], [2**40 - 1]]
    counts = [line for line in lines if line[:2] == ["counts", "n"]]
    for count, line in enumerate(counts):
        assert line[2] == str(count)
        assert [float(w) for w in line[4::2]] == [i - 2 for i in range(count)]
    mixed = [line for line in lines if line[1] == "mixed"]
    assert [float(w) for w in mixed[3][4::2]] == ([-2, -2, -1, -1.5] * 3)[:10]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("form", FORMS)
def test_arguments_are_evaluated_once_and_not_at_all_if_disabled(sdt, form, compiler):
    obj = sdt.compile("macros_once.c", *WARNINGS, *FORMS[form], compiler=compiler)
    assert len(Object(obj).records) == 3
    assert sdt.run(sdt.link(sdt.process(obj), runtime=None)) == "6 ext\n"
    off = sdt.compile("macros_once.c", *WARNINGS, "-DSDT_DISABLE", compiler=compiler, name="off.o")
    assert not Object(off).uses and not Object(off).records
    assert sdt.run(sdt.link(off, runtime=None)) == "0 text\n"


FLAGS = [
    "-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -fPIC", "-O2 -fno-plt", "-O2 -fPIC -fno-plt",
    "-O0 -fPIC -fno-plt", "-Os -fno-plt", "-O2 -fcf-protection", "-O2 -ffunction-sections",
    "-O3 -funroll-loops", "-O2 -mcmodel=medium", "-O2 -fno-pic -no-pie", "-O2 -pg",
]  # fmt: skip


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("form", FORMS)
def test_every_site_is_one_direct_call_with_its_record(sdt, form, compiler, flags):
    obj = Object(sdt.compile("macros_sites.c", *flags.split(), *FORMS[form], compiler=compiler))
    check_forms(obj, form)
    assert len(obj.calls(ENABLED)) == 2
    assert {r.types for r in obj.records if r.name == "tail"} == {(0x14,) * 8}
    assert {r.types for r in obj.records if r.name == "hoisted"} == {(0x14,) * 2, (0x14, 0x18)}
    types = {r.types for r in obj.records if r.name == "floating"}
    assert types == {(0x28, 0x14)}


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-Os -fPIC", "-O2 -fno-exceptions"])
@pytest.mark.parametrize("form", FORMS)
def test_comdat_functions_keep_their_records(sdt, form, compiler, flags):
    obj = Object(sdt.compile("macros_types.cc", *flags.split(), *FORMS[form], compiler=compiler))
    check_forms(obj, form)
    if "-O0" in flags:
        grouped = [r for r in obj.records if r.group]
        names = {r.name for r in grouped}
        assert {"constructed", "destroyed", "reference"} <= names


@pytest.mark.parametrize("form, compiler", [("call", "g++"), ("inline", "g++"),
                                            ("inline", "clang++")])
def test_sites_are_direct_with_no_plt(sdt, form, compiler):
    """clang's calls are not, in templates and unnamed namespaces: the header says so."""
    obj = sdt.compile("macros_types.cc", "-fPIC", "-fno-plt", *FORMS[form], compiler=compiler)
    check_forms(Object(obj), form)


@pytest.mark.parametrize("form", FORMS)
def test_a_probe_does_not_keep_gcc_from_inlining(sdt, form):
    obj = Object(sdt.compile("macros_sites.c", *FORMS[form], compiler="gcc"))
    assert len([r for r in obj.records if r.name == "small"]) == 3
    symbols = sdt.command("nm", sdt.path("macros_sites.o")).stdout
    assert not re.search(r" t small", symbols)


def syntax(sdt, compiler, source, *flags):
    sdt.command(compiler, "-fsyntax-only", *WARNINGS, "-I", INCLUDE, *flags, PROGRAMS / source)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("dialect", C_DIALECTS)
def test_c_dialects_compile_without_a_warning(sdt, compiler, dialect):
    for form in ([], ["-O2"], [CALLS], ["-DSDT_DISABLE"]):
        for source in ("macros_types.c", "macros_counts.c"):
            flags = [f"-std={dialect}", "-Wno-conversion", *C_WARNINGS, *form]
            syntax(sdt, compiler, source, *flags)


@pytest.mark.parametrize("clang", CLANGS)
@pytest.mark.parametrize("dialect", ["c99", "c11", "gnu17"])
def test_clang_warns_of_nothing_at_all_in_c(sdt, clang, dialect):
    source = PROGRAMS / "every_header.c"
    for form in ([], [CALLS], ["-DSDT_SEMAPHORES"], ["-DSDT_NO_MEMORY_CLOBBER"], ["-DSDT_DISABLE"]):
        sdt.command(clang, f"-std={dialect}", "-Weverything", "-Werror", "-O2", *form,
                    "-I", INCLUDE, "-I", INCLUDE / "sdt-compat", "-fsyntax-only", source)


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("dialect", CXX_DIALECTS)
@pytest.mark.parametrize("family", ["c", "gnu"])
def test_cxx_dialects_compile_without_a_warning(sdt, compiler, dialect, family):
    useless = ["-Wuseless-cast"] if compiler == "g++" else []
    for form in ([], ["-O2"], [CALLS], ["-DSDT_DISABLE"]):
        flags = [f"-std={family}++{dialect}", *CXX_WARNINGS, *useless, *form]
        if dialect == "98":
            flags.append("-Wno-long-long")  # <stdint.h>
        syntax(sdt, compiler, "macros_types.cc", *flags, "-Wno-conversion", "-Wno-old-style-cast")


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_the_users_argument_keeps_its_own_warnings(sdt, compiler):
    text = "#include <sdt/probe.h>\nvoid f(int s, unsigned u);\n"
    text += "void f(int s, unsigned u) { SDT_PROBE(app, compare, s < u); }\n"
    source = sdt.write("own.cc" if "++" in compiler else "own.c", text)
    argv = [compiler, "-c", "-Wall", "-Wextra", "-I", INCLUDE, source, "-o", sdt.path("own.o")]
    for form in FORMS.values():
        assert "Wsign-compare" in sdt.command(*argv, *form).stderr


COMPILERS = ["gcc -x c", "clang -x c", "g++ -x c++", "g++ -std=c++98 -x c++", "clang++ -x c++"]


@pytest.mark.parametrize("source", sorted(p.stem for p in NOCOMPILE.glob("*.c")))
@pytest.mark.parametrize("compiler", COMPILERS)
def test_misuse_does_not_compile_and_says_why(sdt, source, compiler):
    path = NOCOMPILE / f"{source}.c"
    expected = re.search(r"/\* expect: (.*) \*/", path.read_text()).group(1)
    for flags in (["-O0"], ["-O2"], ["-O0", CALLS], ["-O2", CALLS]):
        argv = [*compiler.split(), *flags, "-I", INCLUDE, path, "-S", "-o", sdt.path("out.s")]
        result = sdt.command(*argv, status=None)
        assert result.returncode != 0
        assert re.search(f"error.*({expected})", result.stderr), result.stderr
        if "-O2" in flags:
            sdt.command(*argv, "-DFIXED", "-Wall", "-Wextra", "-Werror")


def test_the_large_code_model_is_told_what_to_do(sdt):
    """Machines without probes: test_portable.py."""
    source = sdt.write("app.c", "#include <sdt/probe.h>\nvoid f(void) { SDT_PROBE(app, run); }\n")
    argv = ["gcc", "-fsyntax-only", "-mcmodel=large", "-I", INCLUDE, source]
    assert "SDT_DISABLE" in sdt.command(*argv, status=1).stderr
    sdt.command(*argv, "-DSDT_DISABLE")
