# SPDX-License-Identifier: BSD-2-Clause
"""Names of the values of enumerations, from the debug information of programs that give none: in
`sdtlink list --json`, reports and `sdt trace`. gdb says what the enumerations are."""
import json
import os
import random
import re
import shutil

import pytest
from elftools.elf.elffile import ELFFile

import recorded
import separate

C = ["gcc", "clang"]
CXX = ["g++", "clang++"]
FORMS = [["-O2", "-gdwarf-4"], ["-O2", "-gdwarf-5"], ["-O0", "-gdwarf-5"]]
form = pytest.mark.parametrize("flags", FORMS, ids=" ".join)

EVENTS = [
    ("members", {"state": "BUSY", "shade": "GREEN", "mode": "TWO", "level": 1, "n": 1,
                 "told": "as_told"}),
    ("variables", {"now": "GONE", "places": "TWO", "places_2": 1, "theme": "BLUE",
                   "chosen": "ONE", "TWO": 2}),
    ("inlined", {"inside": "ONE", "n": 1}),
    ("doubtful", {"kind": 3, "now": 3, "arg2": 6, "arg3": -3, "both": 3}),
    ("doubtful", {"kind": 77, "now": 77, "arg2": 154, "arg3": -77, "both": 3}),
    ("members", {"state": 77, "shade": "GREEN", "mode": "ONE", "level": 1, "n": 1,
                 "told": "as_told"})]


def build(sdt, compiler, *flags, source="enums.c", name="a.out"):
    return sdt.build(source, *flags, compiler=compiler, runtime="shared", name=name,
                     ldflags=["-Wl,--no-as-needed", "-Wl,--build-id"])


def record(sdt, exe, directory="rec"):
    sdt.command(exe, env=recorded.wish(sdt, directory=directory))


def fields(sdt, exe):
    """The enumerators of each site's arguments, by probe and name."""
    sites = json.loads(sdt.command(sdt.tool, "list", "--json", exe).stdout)
    return {(site["name"], field["name"]): {e["value"]: e["name"] for e in field["enumerators"]}
            for site in sites for field in site["fields"] if "enumerators" in field}


def says_gdb(sdt, exe, what):
    """The enumerators of a variable, member or function's result."""
    text = sdt.command("gdb", "-q", "-nx", "-batch", "-ex", f"ptype {what}", exe).stdout
    value, found = -1, {}
    for item in re.search(r"\{(.*)\}", text)[1].split(","):
        name, _, number = item.strip().partition(" = ")
        value = int(number) if number else value + 1
        found[value] = name.rpartition("::")[2]
    return found


@form
@pytest.mark.parametrize("compiler", C)
def test_of_c(sdt, compiler, flags):
    exe = build(sdt, compiler, *flags)
    record(sdt, exe)
    lines = recorded.tool(sdt, "report", "rec").stdout.splitlines()[1:]
    assert [shown(line) for line in lines] == [
        (name, {key: str(value) for key, value in args.items()}) for name, args in EVENTS]
    found = fields(sdt, exe)
    state, other = says_gdb(sdt, exe, "enum state"), says_gdb(sdt, exe, "enum other")
    colour = says_gdb(sdt, exe, "theme")
    assert found.pop(("members", "told")) == {0: "as_told"}
    assert found == {
        ("members", "state"): state, ("members", "shade"): colour, ("members", "mode"): other,
        ("variables", "now"): state, ("variables", "places"): other,
        ("variables", "theme"): colour, ("variables", "chosen"): other,
        ("inlined", "inside"): other}
    assert state == {0: "IDLE", 3: "BUSY", -1: "GONE"}


def shown(line):
    """Name and arguments of a line of text."""
    name, _, rest = line.partition(" enums:")[2].partition("  ")
    return name, dict(re.findall(r'(\w+)=("[^"]*"|\S+)', rest))


@form
@pytest.mark.parametrize("compiler", CXX)
def test_of_cxx(sdt, compiler, flags):
    exe = build(sdt, compiler, *flags, source="enums.cc")
    record(sdt, exe)
    lines = recorded.tool(sdt, "report", "rec").stdout.splitlines()[1:]
    assert [shown(line) for line in lines] == [
        ("method", {"state_": "busy", "level_": "low", "level": "low", "n": "1"}),
        ("templated", {"kind": "gone", "n": "1"})]
    found = fields(sdt, exe)
    assert found["method", "state_"] == found["templated", "kind"] == says_gdb(sdt, exe, "State")
    assert found["method", "level_"] == found["method", "level"] == says_gdb(sdt, exe, "Level")
    assert len(found) == 4


def named(sdt):
    return "state=BUSY" in recorded.tool(sdt, "report", "rec").stdout


@pytest.mark.parametrize("how", ["without", "stripped", "another", "gone", "no build ID"])
def test_numbers_stay_where_nobody_knows(sdt, how):
    flags = ["-O2", "-g0"] if how == "without" else ["-O2", "-g"]
    exe = build(sdt, "gcc", *flags)
    if how == "no build ID":
        sdt.command("objcopy", "--remove-section=.note.gnu.build-id", exe)
    record(sdt, exe)
    assert named(sdt) == (how in ("stripped", "another", "gone"))
    if how == "stripped":
        sdt.command("strip", "-g", exe)
    elif how == "another":
        shutil.copy(build(sdt, "gcc", "-O1", "-g", name="b.out"), exe)
    elif how == "gone":
        exe.unlink()
    text = recorded.tool(sdt, "report", "rec").stdout
    assert "state=3 shade=2" in text and "state=77" in text


@pytest.mark.parametrize("tool", [None, "dwz", "dwz -m"])
def test_a_file_of_its_own(sdt, tool):
    """As distributions install it: compressed, and without what units have in common (dwz)."""
    exe = build(sdt, "gcc", "-O2", "-gdwarf-4", "-gz")
    expected = fields(sdt, exe)
    record(sdt, exe)
    with separate.installed(sdt, exe, tool):
        assert fields(sdt, exe) == expected and expected
        assert named(sdt)
    assert not named(sdt)
    assert fields(sdt, exe) == {("members", "told"): expected["members", "told"]}


@pytest.mark.parametrize("build_id", [None, b"x", b"x" * 20, b"x" * 21])
def test_what_the_information_names_is_not_opened(sdt, build_id):
    """Whoever opens a FIFO waits for ever: a split unit's file, or the one that dwz has made, whose
    build ID may be one of any length."""
    exe = build(sdt, "gcc", "-O2", "-gdwarf-4", *([] if build_id else ["-gsplit-dwarf"]))
    if build_id:
        separate.share(sdt, "common", exe, shutil.copy(exe, sdt.path("twin")))
        link = sdt.path("link")
        link.write_bytes(b"common\0" + build_id)
        sdt.command("objcopy", "--update-section", f".gnu_debugaltlink={link}", exe)
    files = [sdt.path("common")] if build_id else list(sdt.dir.glob("*.dwo"))
    for file in files:
        file.unlink()
        os.mkfifo(file)
    assert files and ("members", "state") not in fields(sdt, exe)


def test_a_library(sdt):
    """It is found by its own path, also if that is not told from the root on."""
    obj = sdt.process(sdt.compile("enums.c", "-O2", "-g", "-fPIC", "-Dmain=run_enums"))
    sdt.link("-Wl,--no-as-needed", obj, "-shared", "-Wl,--build-id", runtime="shared",
             name="libenums.so")
    sdt.write("main.c", "int run_enums(int, char **); int main(int c, char **v)"
                        "{ return run_enums(c, v); }")
    sdt.command("gcc", "-o", "program", "main.c", "-L.", "-lenums", "-Wl,-rpath-link,/")
    sdt.command("./program", env={**recorded.wish(sdt), "LD_LIBRARY_PATH": "."})
    assert named(sdt)


def test_what_a_user_says_goes_for_more(sdt):
    record(sdt, build(sdt, "gcc", "-O2", "-g"))
    sdt.write("fields", "probe enums:members (state: enum {3 mine})")
    text = recorded.tool(sdt, "report", "--describe=fields", "rec").stdout
    assert "state=mine" in text and "state=BUSY" not in text and "shade=GREEN" in text


@pytest.mark.nosan  # the library of the sanitizer build would be loaded into it
def test_perfetto_and_trace(sdt):
    exe = build(sdt, "gcc", "-O2", "-g")
    record(sdt, exe)
    recorded.tool(sdt, "export", "--perfetto", "out", "rec")
    assert b"BUSY" in sdt.path("out").read_bytes()
    text = recorded.tool(sdt, "trace", "enums:*", "--", exe).stdout
    assert "state=BUSY shade=GREEN" in text


def test_damaged_information(sdt):
    """Bytes of it are changed at random, or cut off: names may be missing, and that is all."""
    exe = build(sdt, "gcc", "-O2", "-g")
    data = exe.read_bytes()
    with exe.open("rb") as file:
        sections = [(s["sh_offset"], s["sh_size"]) for s in ELFFile(file).iter_sections()
                    if s.name in (".debug_info", ".debug_abbrev", ".debug_str")]
    assert len(sections) == 3
    seed = random.randrange(1 << 32)
    dice = random.Random(seed)
    for _ in range(60):
        changed = bytearray(data)
        for _ in range(dice.choice([1, 3, 20])):
            start, size = dice.choice(sections[:2])
            changed[start + dice.randrange(min(size, 4000))] = dice.choice([0, 1, 0xff,
                                                                           dice.randrange(256)])
        exe.write_bytes(changed)
        sites = json.loads(sdt.command(sdt.tool, "list", "--json", exe).stdout)
        assert len(sites) == 4, seed


@pytest.mark.parametrize("flag", ["-gdwarf-4", "-gdwarf-5"])
def test_addresses_of_255_bytes(sdt, flag):
    """The header of a unit says how large its addresses are: more than a number holds."""
    exe = build(sdt, "gcc", "-O2", flag)
    data = bytearray(exe.read_bytes())
    with exe.open("rb") as file:
        elf = ELFFile(file)
        start = elf.get_section_by_name(".debug_info")["sh_offset"]
        places = [start + unit.cu_offset + (7 if unit["version"] >= 5 else 10)
                  for unit in elf.get_dwarf_info().iter_CUs()]
    for place in places:
        assert data[place] == 8
        data[place] = 255
    exe.write_bytes(data)
    assert len(json.loads(sdt.command(sdt.tool, "list", "--json", exe).stdout)) == 4
