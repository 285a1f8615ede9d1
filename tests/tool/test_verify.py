# SPDX-License-Identifier: BSD-2-Clause
"""sdtlink verify: right files pass, and every deliberate corruption is named.

Corruptions are made on the bytes of real outputs, with pyelftools to find the place.
"""
import json
import re
import struct

import pytest
from conftest import ROOT
from patched import (CALL, FILE, FUNCTION, KIND, NAME, NARGS, PC, PROBE, R_NONE, RECORD, STUB,
                     TAIL, Patched, changed, needs_verify)
from uprobe import Uprobe, file_offset, needs_tracefs

ASM = ROOT / "tests" / "asm"

pytestmark = needs_verify


def verify(sdt, *args, status=0):
    return sdt.sdtlink("verify", *args, status=status).stdout


def assert_defect(sdt, path, *messages, args=()):
    """verify fails, and one of its lines holds all of MESSAGES."""
    output = verify(sdt, path, *args, status=1)
    assert any(all(m in line for m in messages) for line in output.splitlines()), output
    assert "defect" in output.splitlines()[-1]


@pytest.fixture
def obj(sdt):
    return sdt.process(sdt.compile("verify_calls.c"))


@pytest.fixture
def exe(sdt, obj):
    return sdt.link(obj, runtime=None)


# What is right passes.


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("level", ["-O0", "-O2", "-Os"])
@pytest.mark.parametrize("model", ["-fPIC", "-fno-pic"])
@pytest.mark.parametrize("sections", ["-fno-function-sections", "-ffunction-sections"])
def test_processed_object_passes(sdt, compiler, level, model, sections):
    obj = sdt.compile("verify_calls.c", level, model, sections, compiler=compiler)
    out = sdt.process(obj)
    assert verify(sdt, out, "--against", obj).endswith("probes: ok\n")


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("form", ["-pie", "-no-pie", "-static", "-shared"])
def test_linked_file_passes_also_stripped(sdt, linker, form):
    flags = ("-O2", "-DVF_NO_MAIN") if form == "-shared" else ("-O2",)
    obj = sdt.process(sdt.compile("verify_calls.c", "-fPIC", *flags))
    out = sdt.link(obj, form, f"-fuse-ld={linker}", "-Wl,--gc-sections", runtime=None)
    assert "6 sites, 4 probes: ok\n" in verify(sdt, out)
    sdt.command("strip", out)
    # A stripped library still has the symbols it exports.
    unsure = 3 if form == "-shared" else 6
    assert f"4 probes: ok ({unsure} without a function symbol" in verify(sdt, out)


def test_handwritten_set_passes(sdt):
    """An object written from format.h alone: the reader does not depend on the tool's habits."""
    out = sdt.path("hand.o")
    sdt.command("gcc", "-c", ASM / "verify_processed.S", "-o", out)
    assert verify(sdt, out) == f"{out}: 4 sites, 2 probes: ok\n"


@pytest.mark.parametrize("provider, name", [(200, 1), (95, 3), (94, 3), (40, 200)])
def test_long_names_pass(sdt, provider, name):
    """Longer than what messages show of them."""
    sdt.write("long.c", "#include <sdt/probe.h>\n"
              f"int f(int x) {{ SDT_PROBE({'p' * provider}, {'n' * name}, x); return x; }}\n")
    raw = sdt.compile(sdt.path("long.c"))
    obj = sdt.process(raw)
    assert verify(sdt, obj, "--against", raw) == f"{obj}: 1 site, 1 probe: ok\n"


def test_long_names_that_begin_alike_are_two(sdt):
    """Where messages cut them they are the same."""
    alike = "p" * 100
    sdt.write("alike.c", f"#include <sdt/probe.h>\nint f(int x) {{ SDT_PROBE({alike}a, n, x); "
              f"SDT_PROBE({alike}b, n, x); SDT_PROBE({alike}b, m, x); return x; }}\n")
    raw = sdt.compile(sdt.path("alike.c"))
    obj = sdt.process(raw)
    assert verify(sdt, obj, "--against", raw) == f"{obj}: 3 sites, 3 probes: ok\n"


def test_comdat_functions_pass_through_ld_r(sdt):
    source = """#include <sdt/probe.h>
    template <int N> __attribute__((noinline)) inline int f(int x)
    { SDT_PROBE(demo, f, x + N); return x + N; }
    int ENTRY(int x) { SDT_PROBE(demo, entry, x); return f<1>(x) + f<2>(x); }
    """
    objs = []
    for entry in ("first", "second"):
        sdt.write(f"{entry}.cc", source)
        obj = sdt.compile(sdt.path(f"{entry}.cc"), f"-DENTRY={entry}")
        objs.append(sdt.process(obj))
        assert "3 sites, 2 probes: ok" in verify(sdt, objs[-1], "--against", obj)
    for linker in ("ld.bfd", "ld.gold", "ld.lld"):
        sdt.command(linker, "-r", "-o", "both.o", *objs)
        assert "4 sites, 2 probes: ok" in verify(sdt, "both.o")


@pytest.fixture
def companion(sdt):
    """(partial object, its companion)"""
    obj = sdt.compile("verify_calls.c")
    part, out = sdt.path("part.o"), sdt.path("companion.o")
    sdt.command("ld", "-r", "-o", part, obj)
    sdt.sdtlink("--companion", "-o", out, part)
    return part, out


def test_companion_and_its_program_pass(sdt, companion):
    assert "probes: ok" in verify(sdt, companion[1])
    assert "probes: ok" in verify(sdt, sdt.link(*companion))


def test_companion_site_that_calls_something_else(sdt, companion):
    file = Patched(sdt.link(*companion))
    section = file.section("sdt_companion")
    for at in range(0, section["sh_size"], RECORD.size):
        if file.data[section["sh_offset"] + at + KIND] == CALL:
            site = file.follow(section["sh_addr"] + at, PC)
    file.add(file.at(site) + 1, "<i", 1)
    assert_defect(sdt, file.save("bad"), "expected a call of the probe's stub, found e8")


def test_file_without_probes_passes(sdt):
    sdt.write("none.c", "int none(void) { return 1; }\n")
    assert verify(sdt, sdt.compile(sdt.path("none.c"))).endswith("0 sites, 0 probes: ok\n")


def test_quiet_tells_defects_only(sdt, obj):
    assert verify(sdt, "-q", obj) == ""
    assert "expected a record" in verify(sdt, "-q", sdt.path("verify_calls.o"), status=1)


# What is wrong in an object is named.


def test_unprocessed_call_is_named(sdt):
    assert_defect(
        sdt, sdt.compile("verify_calls.c"), "expected a record of this `callq`",
        "demo___work__start"
    )
    assert_defect(sdt, sdt.path("verify_calls.o"), "expected a record of this `jmp`",
                  "demo___plain")


def edit_words(file, kind_words, delta):
    """Add DELTA to the addends of the words of the first record of the first set."""
    for offset, rela in file.relas(".relasdt_sites"):
        if rela["r_offset"] in kind_words:
            file.add(offset + 16, "<q", delta)


def test_site_shifted_by_one(sdt, obj):
    file = Patched(obj)
    edit_words(file, {PC}, 1)
    bad = file.save("bad.o")
    assert_defect(sdt, bad, "expected nop and a 4-byte nop", "found 66 0f 1f c0")
    assert_defect(sdt, bad, "expected R_X86_64_NONE here")
    edit_words(file, {PC}, 1)
    assert_defect(sdt, file.save("bad.o"), "expected the start of an instruction", "runs into it")


def name_another_probe(file):
    symbols = [s.name for s in file.section(".symtab").iter_symbols()]
    for offset, rela in file.relas(".relasdt_sites"):
        if rela["r_offset"] == PROBE:
            here = symbols[rela["r_info_sym"]]
            other = next(i for i, name in enumerate(symbols)
                         if name.startswith("__sdt_called_") and name != here)
            file.put(offset + 12, struct.pack("<I", other))


def move_the_anchor(file):
    offset = next(o for o, r in file.relas(".rela.text") if r["r_info_type"] == R_NONE)
    file.add(offset, "<Q", 1)


def link_to_another_section(file):
    data = file.elf.get_section_index(".data.rel") or file.elf.get_section_index(".data")
    file.put(file.header("sdt_sites") + 40, struct.pack("<I", data))


def lose_comdat(file, prefix):
    """The first group named after such a symbol is a plain one."""
    symbols = list(file.section(".symtab").iter_symbols())
    group = next(s for s in file.elf.iter_sections() if s["sh_type"] == "SHT_GROUP"
                 and symbols[s["sh_info"]].name.startswith(prefix))
    file.put(group["sh_offset"], bytes(4))


# What is changed, and what a line of the report must have.
IN_OBJECT = {
    "a stub of this file alone": (lambda f: lose_comdat(f, "__sdt_stub_"),
                                  ["expected the probe's stub in a COMDAT group"]),
    "file beyond its section": (lambda f: edit_words(f, {FILE}, 1 << 20),
                                ["expected the file word to lead to a string"]),
    "wrong probe": (name_another_probe, ["expected", "stub"]),
    "anchor moved": (move_the_anchor, ["expected R_X86_64_NONE here against sdt_sites"]),
    "linked to another section": (link_to_another_section, ["SHF_LINK_ORDER", "to .text"]),
    "string beyond its section": (lambda f: edit_words(f, {FUNCTION}, 1 << 20),
                                  ["expected the function word to lead to a string"]),
    "lying descriptor": (lambda f: f.add(f.section("sdt_sites")["sh_offset"] + NARGS, "<B", 1),
                         ["expected a descriptor of"]),
    "unknown kind": (lambda f: f.put(f.section("sdt_sites")["sh_offset"] + KIND, b"\x63"),
                     ["unknown kind 99"]),
}


@pytest.mark.parametrize("damage", IN_OBJECT)
def test_damage_to_a_record_of_an_object(sdt, obj, damage):
    change, messages = IN_OBJECT[damage]
    assert_defect(sdt, changed(obj, change), *messages)


def test_set_not_linked_at_all(sdt, obj):
    """After `ld -r` that may be so; in the tool's own output it may not."""
    file = Patched(obj)
    file.add(file.header("sdt_sites") + 8, "<Q", -0x80)
    bad = file.save("bad.o")
    assert "without SHF_LINK_ORDER" in verify(sdt, bad)
    assert_defect(
        sdt, bad, "expected its section to be linked",
        args=["--against", sdt.path("verify_calls.o")]
    )


def test_set_out_of_its_group(sdt):
    sdt.write(
        "comdat.cc",
        "#include <sdt/probe.h>\n"
        "inline __attribute__((noinline)) int f(int x) { SDT_PROBE(d, f, x); return x; }\n"
        "int g(int x) { return f(x); }\n",
    )
    file = Patched(sdt.process(sdt.compile(sdt.path("comdat.cc"))))
    member = file.elf.get_section_index("sdt_sites")
    for section in file.elf.iter_sections():
        if section["sh_type"] == "SHT_GROUP":
            words = struct.unpack(f"<{section['sh_size'] // 4}I", section.data())
            if member in words[1:]:
                at = words.index(member)
                victim = file.elf.get_section_index(".comment")
                file.put(section["sh_offset"] + 4 * at, struct.pack("<I", victim))
    assert_defect(sdt, file.save("bad.o"), "expected its section in the group of .text._Z1fi")


def change_relocation(file):
    [offset] = [o for o, r in file.relas(".rela.data.rel") if r["r_info_type"] == 1]
    file.add(offset + 16, "<q", 8)


def change_symbol(file):
    table = file.section(".symtab")
    for i, symbol in enumerate(table.iter_symbols()):
        if symbol.name == "vf_run":
            file.add(table["sh_offset"] + 24 * i + 8, "<Q", 1)


AGAINST = {
    "data": (lambda f: f.put(f.section(".rodata.str1.1")["sh_offset"], b"?"),
             [".rodata", "expected the byte"]),
    "relocation": (change_relocation, ["expected the relocation of the original"]),
    "symbol": (change_symbol, ["expected symbol vf_run as in"]),
}


@pytest.mark.parametrize("damage", AGAINST)
def test_what_differs_from_the_original(sdt, obj, damage):
    change, messages = AGAINST[damage]
    assert_defect(sdt, changed(obj, change), *messages,
                  args=["--against", sdt.path("verify_calls.o")])


def test_text_changed_outside_sites(sdt, obj):
    file = Patched(obj)
    start = file.section(".text")["sh_offset"]
    was = file.data[start]
    file.put(start, bytes([was ^ 1]))
    assert_defect(sdt, file.save("bad.o"), ".text+0x0", f"expected the byte {was:02x}",
                  args=["--against", sdt.path("verify_calls.o")])


# What is wrong in a linked file is named.


def at_site(place, data):
    """DATA replaces what is PLACE bytes after a call's site."""
    return lambda file: file.put(file.at(file.site(CALL)) + place, data)


def loader_of(file):
    site = file.site(TAIL)
    return site + 5 + file.get(file.at(site) + 1, "<i")


def record_one_site_twice(file):
    start = file.section("sdt_sites")["sh_offset"]
    words = list(RECORD.unpack_from(file.data, start))
    words[:8] = [w - RECORD.size if w else 0 for w in words[:8]]
    file.put(start + RECORD.size, RECORD.pack(*words))


def name_another_linked_probe(file):
    address, offset = file.record(CALL)
    here = file.follow(address, PROBE)
    other = file.follow(file.record(TAIL)[0], PROBE)
    assert other != here
    file.add(offset + PROBE, "<i", other - here)


def give_no_identifier(file):
    file.put(file.at(file.follow(file.record(CALL)[0], NAME)), b"9")


def relocate_the_set(file):
    offset, _ = next(iter(file.relas(".rela.dyn")))
    file.put(offset, struct.pack("<Q", file.section("sdt_sites")["sh_addr"] + 8))


IN_LINKED = {
    "nop bytes": (at_site(1, b"\x90"), ["expected nop and a 4-byte nop", "found 90 90 0f 1f c0"]),
    # 66 0f 1f /1: reserved, though it decodes
    "reserved nop": (at_site(4, b"\xc8"), ["expected nop and a 4-byte nop", "1f c8"]),
    "stub of another probe": (lambda f: f.add_word(f.stub() + 11, 16),
                              ["expected the stub to name its probe"]),
    # sub $6,%r11
    "stub code": (lambda f: f.put(f.at(f.stub()) + 7, b"\x06"),
                  ["expected the probe's stub", "4c 8b 1c 24 49 83 eb 06"]),
    # The stub's other entry
    "loader enters elsewhere": (lambda f: f.add_word(loader_of(f) + 8, -8),
                                ["expected the loader to enter the stub"]),
    "loader of another site": (lambda f: f.add_word(loader_of(f) + 3, 1),
                               ["expected the loader to name the patch byte"]),
    "tail to no loader": (lambda f: f.add_word(f.site(TAIL) + 1, 1),
                          ["expected a loader for the site"]),
    "duplicate record": (record_one_site_twice, ["expected one record of this site"]),
    "wrong probe": (name_another_linked_probe, ["expected", "stub"]),
    "word out of the file": (
        lambda f: f.put(f.record(CALL)[1] + STUB, struct.pack("<i", 0x7FFFFFF0)),
        ["expected the record's stub word to lead into the file"]),
    "name that is no identifier": (give_no_identifier, ["expected C identifiers"]),
    "writable set": (lambda f: f.add(f.header("sdt_sites") + 8, "<Q", 1),
                     ["expected a read-only section"]),
    "dynamic relocation in the set": (relocate_the_set,
                                      ["sdt_sites+0x8", "expected no dynamic relocation"]),
    "bounds given to the runtime": (
        lambda f: f.add_word(f.symbol("__sdt_dso") + 12, -RECORD.size),
        ["expected the bounds of sdt_sites"]),
}


@pytest.mark.parametrize("damage", IN_LINKED)
def test_damage_to_a_linked_file(sdt, exe, damage):
    change, messages = IN_LINKED[damage]
    assert_defect(sdt, changed(exe, change), *messages)


def test_call_added(sdt, obj):
    sdt.write(
        "room.S",
        ".globl room\n.type room,@function\nroom: .skip 5, 0x90\nret\n.size room,.-room\n",
    )
    sdt.command("gcc", "-c", "room.S", "-o", "room.o")
    for linker in ("bfd", "gold", "lld", "mold"):
        exe = sdt.link(obj, sdt.path("room.o"), f"-fuse-ld={linker}", runtime=None)
        file = Patched(exe)
        room, stub = file.symbol("room"), file.stub()
        file.put(file.at(room), b"\xe8" + struct.pack("<i", stub - room - 5))
        assert_defect(sdt, file.save("bad"), "(room+0x0)", "expected a record of this `callq`")


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("model", [["-pie"], ["-no-pie"], ["-static"], ["-shared"]], ids=str)
@pytest.mark.parametrize("relaxed", [True, False])
def test_call_of_a_forgotten_object(sdt, linker, model, relaxed):
    """Its symbol is defined, since another object takes the address: the link succeeds, and a call
    through the GOT, as the linker relaxes it or leaves it, is a probe that never fires."""
    sdt.write("forgotten.S", ".globl forgotten\n.type forgotten,@function\n"
              "forgotten: call *__dtrace_sdt_demo___plain@GOTPCREL(%rip)\nret\n"
              ".size forgotten,.-forgotten\n.section .note.GNU-stack,\"\",@progbits\n")
    flags = [] if relaxed else ["-Wa,-mrelax-relocations=no"]
    library = ["-DVF_NO_MAIN", "-fPIC"] if model == ["-shared"] else []
    exe = sdt.link(sdt.process(sdt.compile("verify_calls.c", *library)),
                   sdt.compile(sdt.path("forgotten.S"), *flags), *model, f"-fuse-ld={linker}",
                   runtime=None)
    # mold relaxes to 90 e8, so that the call is the second instruction.
    assert_defect(sdt, exe, "(forgotten+0x", "expected a record of this `callq`")


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("is_stripped", [False, True])
def test_forgotten_object_in_a_shared_library(sdt, linker, is_stripped):
    """Of probes that are declared without visibility, hence undefined symbols as any other."""
    source = sdt.write("plain.c", """
    void __dtrace_sdt_p___n(int);
    int __dtrace_sdtenabled_p___q(void);
    void f(int x) { if (__dtrace_sdtenabled_p___q()) __dtrace_sdt_p___n(x); }
    """)
    obj = sdt.compile(source, "-fPIC")
    library = sdt.link(obj, "-shared", f"-fuse-ld={linker}", runtime=None, name="forgotten.so")
    if is_stripped:
        sdt.command("strip", library)
    for name in ("__dtrace_sdt_p___n", "__dtrace_sdtenabled_p___q"):
        assert_defect(sdt, library, "dynsym+0x" if is_stripped else "symtab+0x",
                      f"expected no use of {name}")
    library = sdt.link(sdt.process(obj), "-shared", f"-fuse-ld={linker}", runtime=None)
    assert "2 sites, 2 probes: ok" in verify(sdt, library)


def test_site_inside_an_instruction(sdt, obj):
    """The bytes are right, but they are the operand of a movabs."""
    sdt.write(
        "inside.S",
        ".globl inside\n.type inside,@function\n"
        "inside: movabs $0x909090c01f0f6690, %rax\nret\n.size inside,.-inside\n",
    )
    sdt.command("gcc", "-c", "inside.S", "-o", "inside.o")
    file = Patched(sdt.link(obj, sdt.path("inside.o"), runtime=None))
    address, offset = file.record(CALL)
    target = file.symbol("inside") + 2
    file.put(offset + PC, struct.pack("<i", target - address - PC))
    assert_defect(
        sdt, file.save("bad"), "expected the start of an instruction", "movabsq", "(inside+0x2)"
    )


# Files that cannot be read, and the command line.


def test_hostile_and_foreign_files_are_refused(sdt, exe, obj):
    sdt.write("text.c", "int x;\n")
    cases = {"text": (b"int x;\n", "not an ELF file"), "empty": (b"", "not an ELF file")}
    cut = obj.read_bytes()
    cases["cut"] = (cut[: len(cut) // 2], "outside the file")
    file = Patched(obj)
    file.put(file.header(".text") + 24, struct.pack("<Q", 1 << 60))
    cases["far"] = (bytes(file.data), "lies outside the file")
    file = Patched(obj)
    file.put(file.header(".symtab") + 40, struct.pack("<I", 60000))
    cases["link"] = (bytes(file.data), "symbol")
    file = Patched(exe)
    file.put(40, bytes(8))
    cases["bare"] = (bytes(file.data), "no section headers")
    for name, (data, message) in cases.items():
        sdt.path(name).write_bytes(data)
        result = sdt.sdtlink("verify", name, obj, status=1)
        assert message in result.stderr, (name, result.stderr)
        assert f"{name}: " in result.stderr
        assert "probes: ok" in result.stdout, "the next file is verified all the same"


def test_command_line(sdt, obj):
    assert "Usage: sdtlink verify" in sdt.sdtlink("verify", "--help").stdout
    assert "no file given" in sdt.sdtlink("verify", status=2).stderr
    assert "one file" in sdt.sdtlink("verify", "--against", obj, obj, obj, status=2).stderr
    assert "unrecognized option" in sdt.sdtlink("verify", "--no-such", obj, status=2).stderr


def test_against_refuses_linked_files_at_once(sdt, obj, exe):
    """Not after defects that are none: the other checks believe that nothing was linked."""
    for original, file in ((obj, exe), (exe, obj)):
        result = sdt.sdtlink("verify", "--against", original, file, status=1)
        assert result.stderr == f"sdtlink verify: {exe}: --against compares relocatable objects\n"
        assert result.stdout == ""


def test_tool_without_its_second_reader(sdt, obj):
    """A copied sdtlink says what is missing instead of running another version's reader."""
    copy = sdt.path("sdtlink")
    copy.write_bytes(sdt.tool.read_bytes())
    copy.chmod(0o755)
    result = sdt.command(copy, "verify", obj, status=1)
    assert "sdtlink-verify is not installed" in result.stderr
    assert "llvm-dev" in result.stderr
    assert "sdtlink-list is not installed" in sdt.command(copy, "list", obj, status=1).stderr


def test_tool_loads_neither_llvm_nor_libdw(sdt):
    loaded = sdt.command("ldd", sdt.tool).stdout
    assert "LLVM" not in loaded and "libdw" not in loaded


@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "riscv64"])
def test_every_kind_of_message_is_explained(machine):
    """Each message of the second reader begins as one of the page's does."""
    page = (ROOT / "docs" / "messages.md").read_text().split("## sdtlink verify")[1]
    page = page.split("## The linker")[0]
    known = [item.split("…") for item in re.findall(r"`([^`]+)`", page)]
    said = set()
    verify = ROOT / "sdtlink" / "verify"
    arch = (verify / "machines" / f"{machine}.c").read_text()
    header = (verify / "machines" / "machines.h").read_text()
    names = dict(re.findall(r'\.(\w+_(?:name|words)) = "([^"]+)"', arch))
    known_machines = re.search(r'MACHINES_NAMES "([^"]+)"', header)[1]
    for path in verify.glob("*.c"):
        text = path.read_text().replace('" MACHINES_NAMES "', known_machines)
        for call in re.findall(r"\breport_(?:defect|bytes|failure)\((.*?)\);", text, re.S):
            literals = re.search(r'"(?:[^"\\]|\\.)*"(?:\s*(?:PRI\w+\s*)?"(?:[^"\\]|\\.)*")*', call)
            message = ("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals.group()))
                       if literals else "")
            needed = re.findall(r"arch->(\w+_(?:name|words))", call)
            if not set(needed) <= set(names):
                continue  # about what this machine does not have
            for name in needed:
                message = message.replace("%s", names[name], 1)
            said.add(message)
    said -= {"", "out of memory", "expected %s", "%s"}
    assert len(said) > 40
    if "kept_words" not in names:  # no site is moved
        said = {message for message in said if "_NONE in this section" not in message}
    unexplained = [message for message in sorted(said) if not any(
        all(part.strip() in message for part in parts) and any(part.strip() for part in parts)
        for parts in known if parts != ["expected ", ""])]
    assert unexplained == []


@needs_tracefs
def test_the_breakpoints_of_a_tracer_are_not_taken_for_the_file(sdt, exe):
    """The kernel puts them into every private mapping of the file, also into one that only reads.
    """
    site = json.loads(sdt.sdtlink("list", "--json", exe).stdout)[0]
    findings = sdt.sdtlink("list", "--check=never", exe).stdout
    with Uprobe(exe, file_offset(exe, site["address"])) as tracer:
        tracer.attach()
        verify(sdt, exe)
        assert sdt.sdtlink("list", "--check=never", exe).stdout == findings


def test_a_jump_to_the_end_of_its_function_is_no_use_of_what_comes_next(sdt):
    """clang -O0 writes one after a call that does not return; a stub may come next."""
    source = sdt.write("end.S", """
    .text
    .balign 32
    .globl main
    .type main, @function
main:
    call __dtrace_sdt_a___b
    xor %eax, %eax
    ret
    .skip 19, 0x90
    .byte 0xe9, 0, 0, 0, 0
    .size main, . - main
    .section .note.GNU-stack,"",@progbits
""")
    exe = sdt.link(sdt.process(sdt.compile(source)), "-nostartfiles", "-Wl,-e,main", runtime=None)
    code = sdt.command("objdump", "-d", exe).stdout
    assert re.search(r"jmp +[0-9a-f]+ <__sdt_stub_a___b>", code), code
    assert sdt.sdtlink("verify", exe).stdout.endswith(": ok\n")
