# SPDX-License-Identifier: BSD-2-Clause
"""What the arguments of a probe are called, from the source to a handler (probes/fields.c)."""
import json
import re
import subprocess

import pytest

from conftest import BUILD
from elfview import ElfView
from patched import needs_verify
from toolchain import LINKERS

pytestmark = pytest.mark.plain  # what compilers make of the headers

COMPILERS = ["gcc", "clang", "g++", "clang++"]
FORMS = {"inline": [], "call": ["-DSDT_CALL_SITES"]}
each = pytest.mark.parametrize("compiler", COMPILERS)
each_form = pytest.mark.parametrize("form", FORMS)

# probe: (kind, name) of each argument, and its type for people.
EXPECTED = {
    "path": [("s", "path", "string"), ("i", "n", "int64"), ("i", "n_2", "int32"),
             ("i", "len", "int16"), ("u", "strlen", "uint64"), ("i", "arg5", "int32")],
    "kinds": [("b", "is_open", "bool"), ("f", "event_", "double"), ("p", "conn", "pointer"),
              ("x", "flags", "hex32"), ("p", "path", "pointer"), ("s", "data", "string"),
              ("i", "size", "int32"), ("s", "arg7", "string")],
    "bytes": [("i", "n", "int32"), ("y", "data", "bytes"), ("n", "n_2", "length"),
              ("i", "fd", "int32")],
    "arrays": [("a", "counts", "int16[]"), ("n", "n", "length"), ("m", "arg2", "element"),
               ("i", "rest", "int32")],
    "named": [("t", "uri", "string"), ("n", "arg1", "length"), ("a", "all", "int16[]"),
              ("n", "n", "length"), ("m", "arg4", "element")],
    "passed": [("y", "body", "bytes"), ("n", "arg1", "length"), ("x", "bits", "hex32")],
    "lazy": [("i", "fd", "int32")],
    "own": [("i", "fd", "int32"), ("x", "fd_2", "hex32"), ("i", "twice", "int32")],
    "none": [],
}


def compile_names(sdt, compiler, *flags, name=None):
    source = "argument_names.cc" if compiler.endswith("++") else "argument_names.c"
    return sdt.compile(source, *flags, compiler=compiler, name=name)


def lines_of_probes():
    import conftest
    text = (conftest.PROGRAMS / "argument_names.h").read_text().splitlines()
    found = {}
    for number, line in enumerate(text, 1):
        match = re.match(r" +(?:SDT_PROBE(?:_LAZY)?\(names, |TRACE\()(\w+)", line)
        if match:
            found[match[1]] = number
        if line.startswith("    OWN("):
            found["own"] = number
    return found


def fired(sites):
    return [site for site in sites if not site.kind.startswith("enabled")]


def check_record(site, lines):
    expected = EXPECTED[site.name]
    assert list(site.fields) == [(kind, name) for kind, name, _ in expected]
    path, _, line = site.place.rpartition(":")
    assert path.endswith("argument_names.h")
    # A statement of several lines is where it begins (gcc), or ends (clang).
    assert int(line) in (lines[site.name], lines[site.name] + 1)


@each
@each_form
@pytest.mark.parametrize("level", ["-O0", "-O2 -fPIC"])
def test_names_and_places_are_in_the_file(sdt, compiler, form, level):
    obj = compile_names(sdt, compiler, *level.split(), *FORMS[form])
    processed = sdt.process(obj)
    lines = lines_of_probes()
    for path in (processed, sdt.link(processed)):
        sites = fired(ElfView(path).sites())
        assert {site.name for site in sites} == set(EXPECTED)
        for site in sites:
            check_record(site, lines)
    sdt.sdtlink("verify", processed, "--against", obj)


@each
@each_form
def test_a_handler_is_told_names_and_types(sdt, compiler, form):
    exe = sdt.link(sdt.process(compile_names(sdt, compiler, "-O2", *FORMS[form])),
                   compiler=compiler)
    said = sdt.run(exe).splitlines()
    for name, fields in EXPECTED.items():
        texts = [f"{field}:{kind}" for _, field, kind in fields]
        assert f"{name}({''.join(text + ' ' for text in texts)}: )" in said
        sites = [line.split(" ") for line in said if re.match(rf"{name} \S+:\d+", line)]
        assert any(site[2:] == texts for site in sites), name


@each_form
def test_list_shows_names(sdt, form):
    obj = compile_names(sdt, "gcc", *FORMS[form])
    processed = sdt.process(obj)
    for path in (obj, processed, sdt.link(processed)):
        people = sdt.sdtlink("list", path).stdout
        assert "  path: string, n: int64, n_2: int32, len: int16, strlen: uint64, arg5: int32\n" \
            in people
        assert "  n: int32, data: bytes, fd: int32\n" in people
        sites = json.loads(sdt.sdtlink("list", "--json", path).stdout)
        [site] = [site for site in sites if site["name"] == "bytes"]
        assert site["fields"] == [{"name": "n", "type": "int32"}, {"name": "data", "type": "bytes"},
                                  {"name": "fd", "type": "int32"}]
        assert len(site["args"]) == site["nargs"] == 4
        assert re.search(r"argument_names\.h:\d+$", site["place"])
        summary = sdt.sdtlink("list", "--summary", path).stdout
        assert re.search(r"own +1 +\w+ +fd: int32, fd_2: hex32, twice: int32\n", summary)


def test_summary_where_names_differ(sdt):
    source = sdt.write("differ.c", "#include <sdt/probe.h>\nint f(int a, int b);\nint f(int a, "
                       "int b)\n{ SDT_PROBE(p, q, a); SDT_PROBE(p, q, b); return a; }\n")
    obj = sdt.compile(source)
    assert re.search(r"q +2 +inline +int32\n", sdt.sdtlink("list", "--summary", obj).stdout)
    people = sdt.sdtlink("list", obj).stdout
    assert "  a: int32\n" in people and "  b: int32\n" in people


def contents(path, *sections):
    """What is in them, as objdump prints it; not in which file."""
    out = subprocess.run(["objdump", "-s", *(f"-j{s}" for s in sections), path],
                         capture_output=True, text=True, check=True).stdout
    text = out.split("\n", 3)[3]
    assert all(f"Contents of section {s}:" in text for s in sections)
    return text


@each
@each_form
@pytest.mark.parametrize("level", ["-O1", "-O2"])
def test_names_cost_no_instruction(sdt, compiler, form, level):
    named = compile_names(sdt, compiler, level, *FORMS[form], name="named.o")
    unnamed = compile_names(sdt, compiler, level, *FORMS[form], "-DSDT_NO_NAMES", name="unnamed.o")
    assert contents(named, ".text") == contents(unnamed, ".text")


@each
@each_form
def test_notes_for_tracers_are_the_same(sdt, compiler, form):
    notes = []
    for name, flags in (("named", []), ("unnamed", ["-DSDT_NO_NAMES"])):
        obj = compile_names(sdt, compiler, *FORMS[form], *flags, name=name + ".o")
        notes.append(contents(sdt.process(obj), ".note.stapsdt"))
        assert b"strlen\0" not in b"".join(
            s.data for s in ElfView(sdt.process(obj)).sections_named(".note.stapsdt"))
    assert notes[0] == notes[1]


def test_without_names(sdt):
    obj = sdt.process(compile_names(sdt, "gcc", "-DSDT_NO_NAMES"))
    [site] = [site for site in ElfView(obj).sites() if site.name == "path"]
    assert site.place == ""
    assert list(site.fields) == [(kind, f"arg{i}")
                                 for i, (kind, _, _) in enumerate(EXPECTED["path"])]
    assert b"conn->path" not in obj.read_bytes()
    source = sdt.write("plain.c", "#include <sdt/probe.h>\nint f(int a);\nint f(int a)\n"
                       "{ SDT_PROBE(p, q, a); return a; }\n")
    [site] = ElfView(sdt.process(sdt.compile(source, "-DSDT_NO_NAMES"))).sites()
    assert site.place == "" and site.fields == () and site.args.startswith("-4@")


def test_four_part_probes_have_names(sdt):
    source = sdt.write("four.c", "#include <sdt/freebsd.h>\nSDT_PROVIDER_DEFINE(vfs);\n"
                       "SDT_PROBE_DEFINE2(vfs, namei, lookup, entry, \"char *\", \"int\");\n"
                       "struct s { int flags; };\nint f(const char *path, struct s *s);\n"
                       "int f(const char *path, struct s *s)\n"
                       "{ SDT_PROBE2(vfs, namei, lookup, entry, path, s->flags); return 0; }\n")
    [site] = ElfView(sdt.process(sdt.compile(source))).sites()
    assert site.fields == (("s", "path"), ("i", "flags")) and site.place.endswith("four.c:7")


def test_a_broken_spelling_is_refused(sdt):
    obj = sdt.compile("argument_names.c")
    text = bytearray(obj.read_bytes())
    view = ElfView(obj)
    [args] = view.sections_named(".sdt_args")
    text_section = view.section(".text").index
    target = next(r for r in view.relocations(args.index) if r.symbol.section != text_section)
    [relocations] = view.sections_named(".rela.sdt_args")
    at = text.index(relocations.data) + 24 * target.index + 16
    text[at:at + 8] = (1 << 40).to_bytes(8, "little")  # the addend
    broken = sdt.dir / "broken.o"
    broken.write_bytes(text)
    result = sdt.sdtlink("-o", sdt.dir / "out.o", broken, status=1)
    assert "the entry's reference to the spelling of its arguments is broken" in result.stderr


SPELLED = """
#include <sdt/probe.h>
#include <stdio.h>
%s
__attribute__((noinline)) void f(int first, int second);
void f(int first, int second)
{
# 7 "spelled.c"
    SDT_PROBE(app, some, first + 1, second);
# 8 "spelled.c"
    SDT_PROBE(app, other, first, second * 2);
}
int main(void)
{
    f(1, 2);
    puts(%s);
    return 0;
}
"""
SOME, OTHER = "spelled.c:7\nsome, first + 1, second", "spelled.c:8\nother, first, second * 2"


def spelled(sdt, compiler, shown, more="", level="-O2"):
    text = SPELLED % (more, shown.replace("\n", "\\n"))
    raw = sdt.compile(sdt.write("spelled.c", text), level, compiler=compiler)
    assert SOME.encode() in raw.read_bytes() and OTHER.encode() in raw.read_bytes()
    return raw


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("ld", LINKERS)
def test_spellings_are_not_loaded(sdt, compiler, ld):
    """Their strings are among the program's own, where only the tool needs them."""
    obj = sdt.process(spelled(sdt, compiler, '"own"'))
    exe = sdt.link(obj, f"-fuse-ld={ld}", runtime=None, compiler="clang++")
    loaded = b"".join(s.data for s in ElfView(exe).sections if s.flags & 2)
    assert SOME.encode() not in loaded and OTHER.encode() not in loaded
    assert sdt.run(exe) == "own\n"
    sites = sorted(ElfView(exe).sites(), key=lambda site: site.pc)
    assert [(site.name, site.place, site.fields) for site in sites] == [
        ("some", "spelled.c:7", (("i", "arg0"), ("i", "second"))),
        ("other", "spelled.c:8", (("i", "first"), ("i", "arg1")))]


# What else may refer to such a string: code, data, and what other files see.
QUOTED = '"' + SOME.replace("\n", "\\n") + '"'
USES = {
    "code": (f'"{SOME}"', ""), "the middle": (f'"{SOME}" + 3', ""), "the end": ('"second * 2"', ""),
    "data": ("kept", f"const char *volatile kept = {QUOTED};"),
    "an array": ("kept", f"extern const char kept[]; const char kept[] = {QUOTED};"),
}


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("use", USES)
def test_a_string_that_the_program_has_as_well_stays(sdt, compiler, use):
    shown, more = USES[use]
    raw = spelled(sdt, compiler, shown, more)
    obj = sdt.process(raw)
    exe = sdt.link(obj, runtime=None, compiler="clang++")
    expected = {"the middle": SOME[3:], "the end": "second * 2"}.get(use, SOME)
    assert sdt.run(exe) == expected + "\n"
    if (BUILD / "sdtlink" / "sdtlink-verify").exists():
        sdt.sdtlink("verify", "--against", raw, obj)


@needs_verify
def test_verify_sees_a_string_that_is_missing(sdt):
    raw = spelled(sdt, "gcc", f'"{SOME}"')
    obj = sdt.process(raw)
    data = obj.read_bytes()
    assert OTHER.encode() not in data
    obj.write_bytes(data.replace(SOME.encode(), bytes(len(SOME))))
    output = sdt.sdtlink("verify", "--against", raw, obj, status=1).stdout
    assert "expected the string of the original, which is used here" in output
    assert output.splitlines()[-1].endswith(": 1 defect")
    obj.write_bytes(data.replace(b"own", b"xwn").replace(SOME.encode(), SOME.encode()[:-1] + b"X"))
    output = sdt.sdtlink("verify", "--against", raw, obj, status=1).stdout
    assert "expected the byte 64 of the original, found 58" in output
