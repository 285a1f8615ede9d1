# SPDX-License-Identifier: BSD-2-Clause
"""sdtlink list: every probe and site of objects, programs and libraries, for people and programs.

What is listed is compared with what others see: symbols of nm, instructions of objdump, notes of
readelf.
"""
import io
import json
import re
import struct

import pytest
from elftools.elf.elffile import ELFFile

import notes
from conftest import INCLUDE
from patched import KIND

EXPECTED = {
    ("work", "work__start", "call"),
    ("work", "work__done", "enabled"),
    ("work", "work__done", "call"),
    ("tail", "plain", "tail"),
    ("ask", "plain", "enabled-tail"),
    ("vf_run", "end", "call"),
}


def sites(sdt, *files, status=0):
    return json.loads(sdt.sdtlink("list", "--json", *files, status=status).stdout)


def summary(items):
    return {(s["function"], s["name"], s["kind"]) for s in items}


@pytest.mark.parametrize("processed", [False, True])
def test_object_gives_section_and_offset(sdt, processed):
    obj = sdt.compile("verify_calls.c")
    if processed:
        obj = sdt.process(obj)
    items = sites(sdt, obj)
    assert summary(items) == EXPECTED
    text = sdt.command("objdump", "-d", "-j", ".text", "--no-show-raw-insn", obj).stdout
    first = r"nop$" if processed else r"call\s"
    for site in items:
        assert site["address"] is None
        assert site["provider"] == "demo"
        assert site["module"] == obj.name
        assert site["file"] == str(obj)
        if site["kind"] == "call" and site["section"] == ".text":
            assert re.search(rf"^\s*{site['offset']:x}:\s+{first}", text, re.M), site


def test_processing_changes_no_listed_fact_but_that(sdt):
    obj = sdt.compile("verify_calls.c")
    before, after = sites(sdt, obj), sites(sdt, sdt.process(obj))
    for site in before + after:
        del site["file"], site["module"], site["note"]  # notes are what processing adds
    assert [site["flags"].pop() for site in before] == ["unprocessed"] * len(EXPECTED)
    assert before == after


def test_people_see_what_is_not_processed_yet(sdt):
    obj = sdt.compile("verify_calls.c")
    kind = re.compile(r"  call, unprocessed( |$)", re.M)
    assert kind.search(sdt.sdtlink("list", obj).stdout)
    assert "unprocessed" not in sdt.sdtlink("list", sdt.process(obj)).stdout


def test_arguments(sdt):
    items = sites(sdt, sdt.process(sdt.compile("verify_calls.c")))
    args = {(s["name"], s["kind"]): s for s in items}
    start = args["work__start", "call"]
    assert start["args"] == ["-4@%rdi", "8p@%rsi", "8f@%rdx"]
    assert start["nargs"] == 3 and start["flags"] == []
    assert args["plain", "tail"]["flags"] == ["untyped"]
    assert args["plain", "tail"]["nargs"] == 6
    assert args["end", "call"]["args"] == []


@pytest.mark.parametrize("form", ["-pie", "-no-pie", "-static", "-shared"])
@pytest.mark.parametrize("stripped", [False, True])
def test_linked_file_gives_addresses(sdt, form, stripped):
    flags = ["-DVF_NO_MAIN"] if form == "-shared" else []
    obj = sdt.process(sdt.compile("verify_calls.c", "-fPIC", *flags))
    out = sdt.link(obj, form, runtime=None)
    symbols = {}
    for line in sdt.command("nm", "-S", out).stdout.splitlines():
        fields = line.split()
        if len(fields) == 4:
            symbols[fields[3].split(".")[0]] = (int(fields[0], 16), int(fields[1], 16))
    if stripped:
        sdt.command("strip", out)
    items = sites(sdt, out)
    assert summary(items) == EXPECTED
    elf = ELFFile(io.BytesIO(out.read_bytes()))
    code = {"call": b"\x90\x66\x0f\x1f", "enabled": b"\xb8\0\0\0", "tail": b"\xc3"}
    code["enabled-tail"] = b"\x6a\0\x58\xc3"
    for site in items:
        start, size = symbols[site["function"]]
        assert start <= site["address"] < start + size
        section = elf.get_section_by_name(site["section"])
        assert site["address"] == section["sh_addr"] + site["offset"]
        assert section.data()[site["offset"] :].startswith(code[site["kind"]])


def test_table_for_people(sdt):
    obj = sdt.process(sdt.compile("verify_calls.c"))
    lines = sdt.sdtlink("list", obj).stdout.splitlines()
    assert lines[0].split() == "PROVIDER MODULE FUNCTION NAME WHERE KIND ARGUMENTS".split()
    start = next(line for line in lines if "work-start" in line)
    assert "work__start" not in start
    assert start.endswith("n: int32, name: string, weight: double")
    assert re.search(r"\.text(\.\w+)?\+0x[0-9a-f]+ +call ", start)
    column = lines[0].index("WHERE")
    assert all(line[column] == "." and line[column - 1] == " " for line in lines[1:])
    assert any(line.endswith("(untyped)") for line in lines)


def test_four_part_names_override_module_and_function(sdt):
    sdt.write(
        "bsd.c",
        "void __dtrace_sdt_io___disk___read___start(long);\n"
        "int main(void) { __dtrace_sdt_io___disk___read___start(1); return 0; }\n",
    )
    obj = sdt.compile(sdt.path("bsd.c"))
    for path in (obj, sdt.process(obj), sdt.link(sdt.process(obj), runtime=None)):
        [site] = sites(sdt, path)
        names = [site[k] for k in ("provider", "module", "function", "name")]
        assert names == ["io", "disk", "read", "start"]


def test_companion_object(sdt):
    sdt.write(
        "part.c",
        "#include <sdt/probe.h>\n"
        "int main(void) { SDT_PROBE(demo, main, 1); return 0; }\n",
    )
    obj = sdt.compile(sdt.path("part.c"), "-O0", "-DSDT_CALL_SITES")
    sdt.sdtlink("--companion", "-o", "sdt.o", obj)
    [site] = sites(sdt, "sdt.o")
    assert (site["name"], site["kind"], site["flags"]) == ("main", "call", ["companion"])
    assert site["address"] is None and site["section"] is None
    assert site["symbol"] == "main" and site["offset"] > 0
    exe = sdt.link(obj, "sdt.o")
    [linked] = sites(sdt, exe)
    start = int(sdt.command("nm", exe).stdout.split(" T main")[0].split()[-1], 16)
    assert linked["address"] == start + site["offset"]
    assert linked["function"] == "main"


NOTE_SOURCE = """
    .text
    .globl traced
    .type traced, @function
traced:
    push %rbp
990: nop
    pop %rbp
    ret
    .size traced, . - traced
    .section .note.stapsdt,"",@note
    .balign 4
    .long 992f-991f, 994f-993f, 3
991: .asciz "stapsdt"
992: .balign 4
993: .8byte 990b
    .8byte _.stapsdt.base
    .8byte 0
    .asciz "prov"
    .asciz "probe"
    .asciz "-4@%edi 8@-16(%rbp)"
994: .balign 4
    .section .stapsdt.base,"aG","progbits",.stapsdt.base,comdat
    .weak _.stapsdt.base
    .hidden _.stapsdt.base
_.stapsdt.base: .space 1
    .size _.stapsdt.base, 1
    .section .note.GNU-stack,"",@progbits
"""


def test_stapsdt_notes(sdt):
    sdt.write("note.S", NOTE_SOURCE)
    sdt.write("main.c", "void traced(void); int main(void) { traced(); return 0; }\n")
    sdt.command("gcc", "-c", "note.S", "-o", "note.o")
    expected = {
        "provider": "prov",
        "name": "probe",
        "function": "traced",
        "kind": "stapsdt",
        "args": ["-4@%edi", "8@-16(%rbp)"],
        "nargs": 2,
    }
    [site] = sites(sdt, "note.o")
    assert site | expected == site
    assert (site["section"], site["offset"], site["address"]) == (".text", 1, None)
    exe = sdt.link(sdt.compile(sdt.path("main.c")), "note.o", runtime=None)
    [site] = sites(sdt, exe)
    assert site | expected == site
    notes = sdt.command("readelf", "-n", exe).stdout
    assert site["address"] == int(re.search(r"Location: (0x\w+)", notes)[1], 16)
    assert sdt.sdtlink("list", exe).stdout.rstrip().endswith("-4@%edi 8@-16(%rbp)")


def test_note_base_moved_after_the_link(sdt):
    """As prelink does it: the section moves, the note keeps the old base."""
    sdt.write("note.S", NOTE_SOURCE)
    sdt.write("main.c", "void traced(void); int main(void) { traced(); return 0; }\n")
    sdt.command("gcc", "-c", "note.S", "-o", "note.o")
    exe = sdt.link(sdt.compile(sdt.path("main.c")), "note.o", runtime=None)
    [site] = sites(sdt, exe)
    data = bytearray(exe.read_bytes())
    note = ELFFile(io.BytesIO(bytes(data))).get_section_by_name(".note.stapsdt")["sh_offset"]
    for word in (20, 28):
        value = struct.unpack_from("<Q", data, note + word)[0]
        struct.pack_into("<Q", data, note + word, value - 0x1000)
    exe.write_bytes(data)
    assert sites(sdt, exe) == [site]


def test_several_files_and_errors(sdt):
    obj = sdt.process(sdt.compile("verify_calls.c"))
    sdt.write("text.c", "int x;\n")
    result = sdt.sdtlink("list", "--json", "text.c", "missing.o", obj, status=1)
    assert "text.c: not an ELF file" in result.stderr
    assert "missing.o: No such file" in result.stderr
    assert len(json.loads(result.stdout)) == 6


def test_file_without_probes(sdt):
    sdt.write("none.c", "int none(void) { return 1; }\n")
    obj = sdt.compile(sdt.path("none.c"))
    assert sites(sdt, obj) == []
    result = sdt.sdtlink("list", obj)
    assert result.stdout == "" and "no probes" in result.stderr


def damaged(obj):
    """Name, bytes, message: what a hostile file may say."""
    data = obj.read_bytes()
    elf = ELFFile(io.BytesIO(data))
    start = elf.get_section_by_name("sdt_sites")["sh_offset"]

    def header(name, field):
        index = elf.get_section_index(name)
        return elf["e_shoff"] + index * elf["e_shentsize"] + field

    def put(offset, form, value):
        copy = bytearray(data)
        struct.pack_into(form, copy, offset, value)
        return bytes(copy)

    table = elf.get_section_by_name(".relasdt_sites")["sh_offset"]
    yield "kind", put(start + KIND, "<B", 200), "kind is unknown"
    yield "size", put(header("sdt_sites", 32), "<Q", 33), "not whole records"
    yield "far", put(header("sdt_sites", 24), "<Q", 1 << 40), "sdt_sites"
    yield "addend", put(table + 16, "<q", 1 << 40), None
    yield "probe", put(table + 24 + 16, "<q", 1 << 40), "probe offset"
    yield "name", put(table + 3 * 24 + 16, "<q", 1 << 40), "name offset"
    yield "string", put(table + 4 * 24 + 16, "<q", 1 << 40), "does not lead to a string"
    yield "symbol", put(table + 24 + 12, "<I", 0xFFFFFF), "probe offset"
    yield "cut", data[: len(data) // 2], ""
    yield "headers", data[:64], ""
    for name, field in ((".symtab", 40), (".relasdt_sites", 44)):
        yield f"link{field}", put(header(name, field), "<I", 0xFFFFFFF0), None


def test_hostile_files_are_refused(sdt):
    obj = sdt.process(sdt.compile("verify_calls.c"))
    for name, data, message in damaged(obj):
        sdt.path(name).write_bytes(data)
        result = sdt.sdtlink("list", "--json", name, status=None)
        assert result.returncode in (0, 1), (name, result)
        json.loads(result.stdout)
        if message is not None:
            assert result.returncode == 1, name
            assert message in result.stderr and name in result.stderr, (name, result.stderr)


@pytest.mark.parametrize("damage,problem", [
    (notes.note(name="bad", strings='    .ascii "prov"\n'), "the note's strings do not end in it"),
    (notes.note(name="bad", strings=""), "the note's strings do not end in it"),
    (notes.note(name="bad", size=4096), "the note does not end in its section"),
])
def test_a_note_that_cannot_be_read_does_not_hide_the_others(sdt, damage, problem):
    is_cut = "section" in problem
    more = [] if is_cut else [notes.note(name="behind")]
    sdt.write("t.s", notes.assembly(notes.note(name="before"), damage, *more))
    sdt.command("gcc", "-shared", "-nostdlib", "t.s", "-o", "t.so")
    result = sdt.sdtlink("list", "--json", "t.so")
    assert [site["name"] for site in json.loads(result.stdout)] == \
        (["before"] if is_cut else ["before", "behind"])
    assert result.stderr.count("warning: t.so: .note.stapsdt+0x") == 1 and problem in result.stderr


def test_many_notes_that_cannot_be_read_are_counted(sdt):
    bad = notes.note(strings='    .ascii "prov"\n')
    sdt.write("t.s", notes.assembly(*[bad] * 30, notes.note(name="good")))
    sdt.command("gcc", "-shared", "-nostdlib", "t.s", "-o", "t.so")
    result = sdt.sdtlink("list", "--json", "t.so")
    assert [site["name"] for site in json.loads(result.stdout)] == ["good"]
    assert result.stderr.count("do not end in it") == 10
    assert "20 more notes cannot be read" in result.stderr


def probed(sdt):
    """A program with probes of both headers, with debug information."""
    source = sdt.write("probed.c", "#include <sdt/probe.h>\n#include <sys/sdt.h>\n"
                       "int main(int argc, char **argv)\n{\n"
                       "    SDT_PROBE(deb, ours, argc, argv[0]);\n    SDT_PROBE(deb, none);\n"
                       "    STAP_PROBE1(deb, theirs, argc);\n    return 0;\n}\n")
    obj = sdt.compile(source, "-g", "-O2", "-I", INCLUDE / "sdt-compat")
    return sdt.link(sdt.process(obj), "-g")


@pytest.mark.parametrize("split", ["objcopy", "eu-strip"])
def test_a_separate_debug_file_is_listed_from_its_notes(sdt, split):
    """It has no records, whose sections have no bytes there."""
    exe = probed(sdt)
    if split == "objcopy":
        sdt.command("objcopy", "--only-keep-debug", exe, "exe.debug")
    else:
        sdt.command("eu-strip", "-o", "stripped", "-f", "exe.debug", exe)
    with open(sdt.path("exe.debug"), "rb") as stream:
        assert ELFFile(stream).get_section_by_name("sdt_sites")["sh_type"] == "SHT_NOBITS"

    def told(path):
        return {(site["provider"], site["name"], site["address"], site["function"],
                 tuple(site["note"]["args"]))
                for site in sites(sdt, path) if site["note"]}
    assert told("exe.debug") == told(exe) and len(told(exe)) == 3
    assert {site["kind"] for site in sites(sdt, "exe.debug")} == {"stapsdt"}


def test_a_debug_file_without_notes_is_refused(sdt):
    exe = probed(sdt)
    sdt.command("objcopy", "--only-keep-debug", "-R", ".note.stapsdt", exe, "exe.debug")
    assert "list the file that this one was split from" in \
        sdt.sdtlink("list", "exe.debug", status=1).stderr


def test_a_colon_means_no_arguments(sdt):
    sdt.write("t.s", notes.assembly(notes.note(args=":"), notes.note(args="", name="none"),
                                    notes.note(args="4@1(%rsi, %rdi), %eax", name="two")))
    sdt.command("gcc", "-c", "t.s", "-o", "t.o")
    assert [(site["args"], site["nargs"]) for site in sites(sdt, "t.o")] == \
        [([], 0), ([], 0), (["4@1(%rsi, %rdi)", "%eax"], 2)]
    assert ":" not in sdt.sdtlink("list", "t.o").stdout


def test_command_line(sdt):
    assert "Usage: sdtlink list" in sdt.sdtlink("list", "--help").stdout
    assert "no file given" in sdt.sdtlink("list", status=2).stderr
    assert "unrecognized option" in sdt.sdtlink("list", "--no-such", status=2).stderr


# ---- other machines, classes and byte orders ----

TARGETS = ["x86_64", "i386", "aarch64", "aarch64_be", "armv7", "armv7eb", "riscv64", "riscv32",
           "s390x", "powerpc64", "powerpc64le", "powerpc", "mips64", "mips64el", "mips", "mipsel",
           "sparcv9"]
NARROW = {"i386", "armv7", "armv7eb", "riscv32", "powerpc", "mips", "mipsel"}
# Those that lld links.
LINKED = {"x86_64": "elf_x86_64", "i386": "elf_i386", "aarch64": "aarch64linux",
          "riscv64": "elf64lriscv", "riscv32": "elf32lriscv", "mips": "elf32btsmip",
          "mips64": "elf64btsmip", "mips64el": "elf64ltsmip", "powerpc64le": "elf64lppc",
          "powerpc64": "elf64ppc", "powerpc": "elf32ppc", "armv7": "armelf_linux_eabi"}


def assemble(sdt, target, text):
    sdt.write("t.s", text)
    sdt.command("llvm-mc", f"--triple={target}-linux-gnu", "--filetype=obj", "t.s", "-o", "t.o")
    return sdt.path("t.o")


@pytest.mark.parametrize("target", TARGETS)
def test_notes_of_any_machine(sdt, target):
    word = ".4byte" if target in NARROW else ".8byte"
    text = notes.assembly(
        notes.note(args="4@5 8@[sp, 16]", word=word, semaphore="prov_probe_semaphore"),
        notes.note(name="second", word=word),
        notes.note(provider="lib", name="draft", args="4@5, 8@6", word=word, semaphore=None),
        notes.semaphore("prov_probe_semaphore", align=4))
    first, second, draft = sites(sdt, assemble(sdt, target, text))
    assert (first["provider"], first["name"], first["section"]) == ("prov", "probe", ".text")
    assert (first["args"], first["nargs"]) == (["4@5", "8@[sp, 16]"], 2)
    assert (first["offset"], first["semaphore"]) == (0, ".probes+0x0") or (
        first["offset"], first["semaphore"]) == (0, "prov_probe_semaphore")
    assert second["name"] == "second" and second["offset"] in (1, 2, 4)
    assert first["address"] is None and second["semaphore"] is None
    assert (draft["provider"], draft["name"], draft["args"], draft["semaphore"]) == \
        ("lib", "draft", ["4@5", "8@6"], None)


@pytest.mark.parametrize("target", sorted(LINKED))
def test_linked_notes_of_any_machine(sdt, target):
    word = ".4byte" if target in NARROW else ".8byte"
    obj = assemble(sdt, target, notes.assembly(
        notes.note(word=word, semaphore="prov_probe_semaphore"),
        notes.note(provider="libdraft", word=word, semaphore=None),
        notes.semaphore("prov_probe_semaphore", align=4)))
    sdt.command("ld.lld", "-m", LINKED[target], "-e", "work", obj, "-o", "t")
    site, draft = sites(sdt, "t")
    assert (draft["provider"], draft["name"], draft["semaphore"]) == ("libdraft", "probe", None)
    assert 0 < draft["address"] - site["address"] <= 4
    symbols = {line.split()[2]: int(line.split()[0], 16)
               for line in sdt.command("llvm-nm", "t").stdout.splitlines()}
    assert site["address"] == symbols["work"]
    assert site["semaphore"] == symbols["prov_probe_semaphore"]
    if target in ("x86_64", "aarch64", "armv7", "i386"):
        assert site["function"] == "work"


def test_a_semaphore_moves_with_the_base(sdt):
    """As in the first extractor: PC and semaphore, by what .stapsdt.base has moved; 0 stays 0."""
    sdt.write("t.s", notes.assembly(
        notes.note(semaphore="prov_probe_semaphore - 64", pc="990b - 64",
                   base="_.stapsdt.base - 64"),
        notes.note(name="bare", pc="990b - 64", base="_.stapsdt.base - 64"),
        notes.semaphore("prov_probe_semaphore")))
    sdt.command("as", "t.s", "-o", "t.o")
    sdt.command("ld", "-shared", "t.o", "-o", "t")
    first, bare = sites(sdt, "t")
    symbols = {line.split()[2]: int(line.split()[0], 16)
               for line in sdt.command("nm", "t").stdout.splitlines()}
    assert first["address"] == symbols["work"] and bare["address"] == symbols["work"] + 1
    assert first["semaphore"] == symbols["prov_probe_semaphore"] and bare["semaphore"] is None


# ---- markers ----

I386_MARKERS = """
    .text
    .globl marked
    .type marked, @function
marked:
    push %ebp
771: .byte 0x8d, 0xb6, 0, 0, 0, 0
772: ret
773: .byte 0x8d, 0xb6, 0, 0, 0, 0
774: ret
    .size marked, . - marked
    .section .markers,"a"
    .align 4
    .long 771b
    .byte 772b-771b
    .string "init"
    .align 4
    .long 773b
    .byte 774b-773b
    .string "exit"
"""


@pytest.mark.parametrize("linked", [False, True])
def test_markers_of_the_proposal(sdt, linked):
    """i386, as the mail has them: an address, a length, a name."""
    path = assemble(sdt, "i386", I386_MARKERS)
    start = 0
    if linked:
        sdt.command("ld", "-m", "elf_i386", "-e", "marked", path, "-o", "t")
        path = sdt.path("t")
        start = int(sdt.command("nm", path).stdout.split(" T marked")[0].split()[-1], 16)
    found = sites(sdt, path)
    assert [(s["provider"], s["name"], s["kind"]) for s in found] == [
        ("marker", "init", "marker"), ("marker", "exit", "marker")]
    assert [(s["section"], s["offset"], s["marker"]["length"]) for s in found] == [
        (".text", 1, 6), (".text", 8, 6)]
    assert found[0]["function"] == "marked"
    if linked:
        assert found[0]["address"] == start + 1


@pytest.mark.parametrize("linked", [False, True])
def test_markers_by_distance(sdt, linked):
    """The form that fits position-independent code."""
    sdt.write("t.s", """
        .text
        .globl marked
marked: ret
1:      .byte 0x0f, 0x1f, 0x40, 0
        .section .markers,"a",@progbits
        .balign 4
        .long 1b - .
        .byte 4
        .asciz "near"
        .balign 4
        .long 1b - .
        .byte 0
        .asciz "unprocessed"
        .balign 4
    """)
    sdt.command("as", "t.s", "-o", "t.o")
    if linked:
        sdt.command("ld", "-shared", "t.o", "-o", "t")
    [site] = sites(sdt, "t" if linked else "t.o")
    assert (site["name"], site["kind"], site["offset"]) == ("near", "marker", 1)
    sdt.write("cut.s", '.section .markers,"a",@progbits\n.long 5\n.byte 4\n.ascii "endless"\n')
    sdt.command("as", "cut.s", "-o", "cut.o")
    assert "marker does not end" in sdt.sdtlink("list", "cut.o", status=1).stderr


# ---- one site, told of twice ----

def with_notes(sdt, exe, semaphore):
    """The program with a note for its first site; and where that is."""
    site = sites(sdt, exe)[0]
    text = notes.note(provider=site["provider"], name=site["name"], args="8@%rdi",
                      pc=str(site["address"]), base="0", semaphore=str(semaphore))
    sdt.write("extra.s", text[text.index("    .pushsection"):].replace("?", ""))
    sdt.command("as", "extra.s", "-o", "extra.o")
    sdt.command("objcopy", "--dump-section", ".note.stapsdt=notes.bin", "extra.o")
    sdt.command("objcopy", "--add-section", ".note.stapsdt=notes.bin", exe, "noted")
    data = bytearray(sdt.path("noted").read_bytes())
    elf = ELFFile(io.BytesIO(bytes(data)))
    header = elf["e_shoff"] + 64 * elf.get_section_index(".note.stapsdt")
    struct.pack_into("<I", data, header + 4, 7)  # SHT_NOTE
    sdt.path("noted").write_bytes(data)
    return site


def test_a_record_and_a_note_are_one_site(sdt):
    """Our own note says what the record says."""
    exe = sdt.link(sdt.process(sdt.compile("verify_calls.c")), runtime=None)
    found = sites(sdt, exe)
    assert len({site["address"] for site in found}) == len(found) == len(EXPECTED)
    fires = [site for site in found if not site["kind"].startswith("enabled")]
    assert [site["note"] for site in found if site not in fires] == [None, None]
    assert len(fires) == 4
    for site in fires:
        assert site["note"]["args"] == [re.sub("[pf]@", "@", text) for text in site["args"]]


def test_a_record_and_a_strange_note_are_one_site(sdt):
    """What it says is listed beside what the record says."""
    exe = sdt.link(sdt.process(sdt.compile("verify_calls.c"), "--no-notes"), runtime=None)
    before = sites(sdt, exe)
    assert {site["note"] for site in before} == {None}
    first = with_notes(sdt, exe, 4096)
    after = sites(sdt, "noted")
    assert len(after) == len(before)
    [merged] = [site for site in after if site["address"] == first["address"]]
    assert merged["kind"] == first["kind"] and merged["args"] == first["args"]
    assert merged["note"] == {"args": ["8@%rdi"]} and merged["semaphore"] == 4096


def test_core_dumps_are_named(sdt):
    data = bytearray(assemble(sdt, "x86_64", ".text\nnop\n").read_bytes())
    struct.pack_into("<H", data, 16, 4)
    sdt.path("core").write_bytes(data)
    assert "a core dump" in sdt.sdtlink("list", "core", status=1).stderr
