# SPDX-License-Identifier: BSD-2-Clause
"""SDT_ENUM_NAMES: from the source to recordings, reports and lists, and to no linked file.
babeltrace2, readelf and the linkers are the observers."""
import json
import re

import pytest

import recorded
from conftest import INCLUDE
from elfview import ElfView

FORMS = {"inline": [], "call": ["-DSDT_CALL_SITES"]}
COMPILERS = {"gcc": [], "clang": [], "g++": ["-x", "c++"], "clang++": ["-x", "c++"],
             "g++ 98": ["-x", "c++", "-std=c++98"]}
each = pytest.mark.parametrize("compiler", COMPILERS)
each_form = pytest.mark.parametrize("form", FORMS)

ODD = 'in "use" */; 100 %'
# What is shown of each event: the name, or the number.
SHOWN = [("change", {"from": "idle", "mode": 0, "flags": 97}),
         ("byte", {"flags": "letter", "mode": 0}),
         ("change", {"from": ODD, "mode": "high", "flags": 4}),
         ("byte", {"flags": "four", "mode": 1 << 31}),
         ("change", {"from": "lost", "mode": "all", "flags": 255}),
         ("byte", {"flags": "last", "mode": 2**32 - 1}),
         ("change", {"from": 7, "mode": 3, "flags": 0}),
         ("byte", {"flags": 0, "mode": 3})]
FROM = [{"value": 0, "name": "idle"}, {"value": 1, "name": ODD}, {"value": -1, "name": "lost"}]


def compile_names(sdt, compiler, *flags, **kwargs):
    return sdt.compile("enum_names.c", *COMPILERS[compiler], *flags,
                       compiler=compiler.split()[0], **kwargs)


def record(sdt, compiler="gcc", form="inline"):
    exe = recorded.build(sdt, "enum_names.c", *COMPILERS[compiler], *FORMS[form],
                         compiler=compiler.split()[0])
    sdt.command(exe, env=recorded.wish(sdt))
    return exe


def report(sdt, *args):
    out = recorded.tool(sdt, "report", "--json", *args, "rec").stdout
    return [(line["name"], line["args"]) for line in map(json.loads, out.splitlines())]


LABELS = """
import bt2, sys
def labels(field):
    if type(field) not in (bt2._SignedEnumerationFieldConst, bt2._UnsignedEnumerationFieldConst):
        return None
    try:
        return sorted(field.labels)
    except AssertionError:  # bt2 of Debian 12: it has none
        return []
for message in bt2.TraceCollectionMessageIterator(sys.argv[1]):
    if type(message) is bt2._EventMessageConst:
        fields = message.event.payload_field
        print([message.event.name.split(":")[1],
               {name: (labels(fields[name]), int(fields[name])) for name in fields}])
"""


def babeltrace(sdt):
    result = sdt.command(recorded.PYTHON, "-c", LABELS, "rec")
    assert result.stderr == ""
    return [eval(line) for line in result.stdout.splitlines()]  # pylint: disable=eval-used


@each
@each_form
def test_recordings_have_the_names(sdt, compiler, form):
    record(sdt, compiler, form)
    assert report(sdt) == SHOWN
    theirs = babeltrace(sdt)
    assert [name for name, _ in theirs] == [name for name, _ in SHOWN]
    for (_, fields), (_, shown) in zip(theirs, SHOWN):
        for name, (labels, number) in fields.items():
            is_text = isinstance(shown[name], str)
            is_enumeration = name in ("from", "mode") and "from" in shown or \
                name == "flags" and "from" not in shown
            assert labels == ([shown[name]] if is_text else [] if is_enumeration else None)
            assert is_text or number == shown[name]
    assert theirs[4][1]["from"] == (["lost"], -1) and theirs[5][1]["flags"] == (["last"], 255)


def test_text_and_filters_take_names_and_numbers(sdt):
    record(sdt)
    text = recorded.tool(sdt, "report", "rec").stdout
    assert " from=idle mode=0 flags=97\n" in text and " flags=0x0 mode=3\n" in text
    assert ' from="in \\"use\\" */; 100 %" mode=high flags=4\n' in text
    for condition, expected in (('from == "lost"', [4]), ("from == -1", [4]),
                                ('arg.flags ^= "l"', [1, 5]), ("mode > 5 && mode < 4000000000",
                                                               [2, 3]), ('from != 0', [2, 4, 6])):
        assert report(sdt, "--filter", condition) == [SHOWN[i] for i in expected], condition
    chrome = sdt.path("out.json")
    recorded.tool(sdt, "export", "rec", "--chrome", chrome)
    events = json.loads(chrome.read_text())
    events = events["traceEvents"] if isinstance(events, dict) else events
    assert [e["args"]["from"] for e in events if "from" in e.get("args", {})][:3] == \
        ["idle", ODD, "lost"]


@each_form
def test_list_and_handlers(sdt, form):
    obj = compile_names(sdt, "gcc", *FORMS[form])
    processed = sdt.process(obj)
    exe = sdt.link(processed)
    for path in (obj, processed, exe):
        sites = {s["name"]: s["fields"] for s in json.loads(
            sdt.sdtlink("list", "--json", path).stdout)}
        assert sites["change"][0] == {"name": "from", "type": sites["change"][0]["type"],
                                      "enumerators": FROM}
        assert "enumerators" not in sites["change"][2]
        assert [e["value"] for e in sites["byte"][0]["enumerators"]] == [97, 4, 255]
        assert "mode: uint32 {2147483648 high, 4294967295 all}, flags: uint8\n" in \
            sdt.sdtlink("list", path).stdout
    sdt.sdtlink("verify", processed, "--against", obj)
    said = sdt.run(exe, "print").splitlines()
    assert re.fullmatch(r"from:u?int32 mode:uint32", said[0])
    assert said[1] == "flags:hex8 mode:uint32"


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_no_linked_file_has_the_section(sdt, compiler, linker):
    """With debug information, which speaks of the variables in it."""
    obj = compile_names(sdt, compiler, "-g", "-O2")
    assert len(ElfView(obj).sections_named(".sdt_enums")) == 1
    exe = sdt.link(sdt.process(obj), f"-fuse-ld={linker}", compiler=compiler)
    assert not ElfView(exe).sections_named(".sdt_enums")
    sdt.run(exe)


def test_one_header_in_several_objects(sdt):
    """`ld -r` of two files has the names twice; names that differ are said, and the first count."""
    first = compile_names(sdt, "gcc", name="first.o")
    sdt.command("objcopy", "--redefine-sym=main=unused", "--redefine-sym=change=other", first)
    second = compile_names(sdt, "gcc", name="second.o")
    sdt.command("ld", "-r", first, second, "-o", "both.o")
    result = sdt.sdtlink("list", "--json", "both.o")
    assert result.stderr == ""
    fields = [s["fields"][0]["enumerators"] for s in json.loads(result.stdout)
              if s["name"] == "change"]
    assert fields == [FROM, FROM]
    third = sdt.write("third.c", '#include <sdt/probe.h>\n'
                      'SDT_ENUM_NAMES(names, change, from, {0, "nothing"});\n')
    sdt.command("ld", "-r", second, sdt.compile(third), "-o", "differ.o")
    result = sdt.sdtlink("list", "--json", "differ.o")
    assert "names:change, from: two SDT_ENUM_NAMES of the same argument differ" in result.stderr
    assert FROM in [s["fields"][0].get("enumerators") for s in json.loads(result.stdout)]


SOURCE = """
#include <sdt/probe.h>
SDT_ENUM_NAMES(p, n, %s, {1, "one"});
int f(int state, double real, const char *text);
int f(int state, double real, const char *text) { SDT_PROBE(p, n, state, real, text); return 0; }
"""


@pytest.mark.parametrize("argument, is_there", [("state", True), ("stat", False), ("real", False),
                                                ("text", False)])
def test_names_of_nothing_are_told(sdt, argument, is_there):
    obj = sdt.compile(sdt.write("f.c", SOURCE % argument))
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    message = (f"p:n, {argument}: SDT_ENUM_NAMES: no site of the probe has an integer argument "
               "of this name")
    assert (message in result.stderr) != is_there
    assert is_there == (result.stderr == "")
    elsewhere = sdt.compile(sdt.write("g.c", '#include <sdt/probe.h>\nSDT_ENUM_NAMES(p, n, state, '
                                      '{1, "one"});\nint f(int x);\nint f(int x) '
                                      '{ SDT_PROBE(q, m, x); return x; }\n'))
    assert sdt.sdtlink("-o", sdt.path("out.o"), elsewhere).stderr == ""


@pytest.mark.parametrize("offset, data", [(0, b"\1"), (8, b"x" * 56), (64 * 2 + 8, b"x" * 56)])
def test_a_damaged_section_is_refused(sdt, offset, data):
    obj = sdt.compile(sdt.write("f.c", SOURCE % "state"))
    [section] = ElfView(obj).sections_named(".sdt_enums")
    text = bytearray(obj.read_bytes())
    at = bytes(text).index(section.data)
    text[at + offset:at + offset + len(data)] = data
    broken = sdt.dir / "broken.o"
    broken.write_bytes(text)
    result = sdt.sdtlink("-o", sdt.dir / "out.o", broken, status=1)
    assert "the names of an enumeration cannot be read" in result.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("entry", ['{x, "variable"}', '{1, "' + "x" * 56 + '"}'])
def test_what_does_not_compile(sdt, compiler, entry):
    language = ["-x", "c++"] if "++" in compiler else []
    source = sdt.write("f.c", "#include <sdt/probe.h>\nextern int x;\n"
                       f"SDT_ENUM_NAMES(p, n, a, {entry});\nint f(int a);\n"
                       "int f(int a) { SDT_PROBE(p, n, a); return a; }\n")
    if "xxx" in entry and not language:  # C has a warning, or takes it without the NUL
        obj = sdt.compile(source, "-w", compiler=compiler)
        assert "cannot be read" in sdt.sdtlink("-o", "out.o", obj, status=1).stderr
        return
    result = sdt.command(compiler, "-c", *language, "-I", INCLUDE, source, "-o", "f.o",
                         status=1)
    assert "error:" in result.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang++"])
def test_disabled_leaves_nothing(sdt, compiler):
    language = ["-x", "c++"] if "++" in compiler else []
    obj = sdt.compile("enum_names.c", *language, "-DSDT_DISABLE", compiler=compiler)
    assert not ElfView(obj).sections_named(".sdt_enums")
