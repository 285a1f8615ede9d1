# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink finalize`: notes of what gold and mold have dropped go, and all else stays as it is.

The launcher does it. What it had from the linker is seen through a linker of our own, a script that
runs the real one and keeps a copy.
"""
import json
import re
import resource
import shutil
import struct
import subprocess

import pytest

from conftest import INCLUDE
from patched import CALL, KIND, PC, STUB, TAIL, Patched
from stapsdt import notes
from test_compat_tracers import bpftrace, gdb
from test_notes import COMDAT, FORMS, MAIN, TOLD

LINKERS = ["gold", "mold"]
LATE = ".line.stapsdt"
STOCK = r"""
#include <sys/sdt.h>
__attribute__((noinline)) int stock(int x) { STAP_PROBE1(stock, live, x); return x; }
int forgotten(int x) { STAP_PROBE1(stock, dead, x); return x; }
"""


class Link:
    """`sdtlink gcc … -o exe`; `raw` is what the linker made of it."""

    def __init__(self, sdt):
        self.sdt = sdt
        self.raw = sdt.path("raw")
        self.after = "true"  # what else the linker does

    def object(self, name, text, *flags):
        source, obj = self.sdt.write(f"{name}.c", text), self.sdt.path(f"{name}.o")
        self.sdt.command("gcc", "-O2", "-ffunction-sections", "-I", INCLUDE, "-I",
                         INCLUDE / "sdt-compat", *flags, "-c", source, "-o", obj)
        return obj

    def __call__(self, linker, *args, output="exe", status=0, options=()):
        directory = self.sdt.dir / f"linker-{linker}"
        directory.mkdir(exist_ok=True)
        script = directory / f"ld.{linker}"
        script.write_text(f'#!/bin/sh -e\n{shutil.which("ld." + linker)} "$@"\n'
                          f"test -f {output} && cp {output} raw\n{self.after}\n")
        script.chmod(0o755)
        (self.sdt.dir / "tmp").mkdir(exist_ok=True)
        result = self.sdt.sdtlink("-v", f"--runtime-directory={self.sdt.static_runtime.parent}",
                                  *options, "gcc", f"-B{directory}", f"-fuse-ld={linker}",
                                  "-Wl,--gc-sections", *args, "-o", output, status=status,
                                  env={"TMPDIR": str(self.sdt.dir / "tmp")})
        assert list((self.sdt.dir / "tmp").iterdir()) == []
        return result

    def program(self, linker, *args):
        """FORMS with a `main`; its function `dead` is dropped with one probe."""
        self(linker, self.object("forms", FORMS), self.sdt.write("main.c", MAIN), *args)
        return self.sdt.path("exe")


@pytest.fixture
def link(sdt):
    return Link(sdt)


def sites(sdt, path):
    return sorted((site["address"], site["name"]) for site in
                  json.loads(sdt.sdtlink("list", "--json", path).stdout)
                  if "enabled" not in site["kind"])


def told(path):
    return sorted((note.pc, note.name) for note in notes(path))


def check(sdt, path):
    """The set and the notes tell the same, and others read it."""
    assert told(path) == sites(sdt, path) != []
    sdt.sdtlink("verify", path)
    text = sdt.run("readelf", "-nW", path)
    assert sorted(int(pc, 16) for pc in re.findall(r"Location: (\w+)", text)) == [
        pc for pc, _ in told(path)]
    assert "corrupt" not in text and "Warning" not in sdt.command("readelf", "-aW", path).stderr
    return {(note.name, note.args) for note in notes(path)}


def unchanged(before, after):
    """But for the section headers and three letters, nothing that was there is different."""
    old, new = Patched(before), Patched(after)
    table = range(old.elf["e_shoff"], old.elf["e_shoff"] + 64 * old.elf["e_shnum"])
    changed = [at for at, (a, b) in enumerate(zip(old.data, new.data))
               if a != b and at not in table]
    assert len(changed) in (0, 3) and len(new.data) > len(old.data)
    for a, b in zip(old.elf.iter_sections(), new.elf.iter_sections()):
        if a.name not in (LATE, ".note.stapsdt", f".rela{LATE}"):
            assert a.name == b.name or a.name == ".shstrtab"
            assert a.header == b.header
    assert old.data[:64] == new.data[:64]


# ---- links ----

@pytest.mark.plain
@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("mode", ["-pie", "-no-pie", "-static", "-static-pie", "-shared"])
def test_only_what_survives(sdt, link, linker, mode):
    if (linker, mode) == ("gold", "-static-pie"):
        pytest.skip("gold does not know the option that gcc passes for -static-pie")
    flags = "-fPIC" if mode == "-shared" else "-fno-pie" if "no" in mode else "-fPIE"
    obj = link.object("forms", FORMS, flags, *(["-fvisibility=hidden"] * (mode == "-shared")))
    if mode == "-shared":
        entry = link.object("entry", "int run(void); __attribute__((visibility(\"default\"))) "
                            "int entry(void) { return run(); }", "-fPIC", "-fvisibility=hidden")
    else:
        entry = link.object("main", MAIN, flags)
    link(linker, obj, entry, mode, "-Wl,--build-id")
    exe = sdt.path("exe")
    assert " dead\n" not in sdt.run("nm", exe)
    assert check(sdt, exe) == TOLD
    unchanged(link.raw, exe)
    if mode != "-shared":
        assert sdt.run(exe) == sdt.run(link.raw) != ""
    # Once more is nothing more, and the command does what the launcher did.
    before = exe.read_bytes()
    assert "nothing to do" in sdt.sdtlink("finalize", exe).stdout
    assert exe.read_bytes() == before
    result = sdt.sdtlink("finalize", link.raw).stdout
    assert result == f"{link.raw}: 6 sites as recorded; 1 note of dropped code removed, 5 kept\n"
    assert link.raw.read_bytes() == before
    for tool in (["strip"], ["eu-strip"], ["llvm-strip", "--strip-all-gnu"],
                 ["objcopy", "--strip-debug"]):
        stripped = sdt.path("stripped")
        shutil.copy(exe, stripped)
        sdt.command(*tool, stripped)
        assert notes(stripped) == notes(exe)
        assert "nothing to do" in sdt.sdtlink("finalize", stripped).stdout
        if mode != "-shared":
            assert sdt.run(stripped) == sdt.run(exe)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("option", ["-s", "-S", "--compress-debug-sections=zlib", "--icf=all",
                                    "--emit-relocs"])
def test_options_of_linkers(sdt, link, linker, option):
    if (linker, option) == ("gold", "--emit-relocs"):
        pytest.skip("gold 2.40 ends with an internal error if it gets this with --gc-sections")
    exe = link.program(linker, f"-Wl,{option}", "-g")
    assert check(sdt, exe) == TOLD
    unchanged(link.raw, exe)
    sdt.run(exe)


@pytest.mark.parametrize("linker", LINKERS)
def test_copies_of_one_template(sdt, link, linker):
    objects = []
    for name in ("one", "two"):
        source = sdt.write(f"{name}.cc", COMDAT % name)
        objects.append(sdt.compile(source, "-O1", "-ffunction-sections"))
    link(linker, *objects, sdt.compile(sdt.write(
        "m.cc", "int one(int), two(int); int main() { return one(2) + two(3) - 10; }")))
    assert sorted(args for _, args in check(sdt, sdt.path("exe"))) == ["-4@%rdi", "-8@%rdi"]
    sdt.run(sdt.path("exe"))


@pytest.mark.parametrize("linker", LINKERS)
def test_all_of_them_dead(sdt, link, linker):
    link(linker, link.object("forms", FORMS.replace(", used", "")),
         sdt.write("main.c", "int main(void) { return 0; }"))
    exe = sdt.path("exe")
    assert notes(exe) == [] and sites(sdt, exe) == []
    assert sdt.command("readelf", "-nW", exe).stderr == ""
    sdt.run(exe)
    sdt.sdtlink("verify", exe)
    assert "nothing to do" in sdt.sdtlink("finalize", exe).stdout


@pytest.mark.parametrize("linker", LINKERS)
def test_notes_of_sys_sdt_h(sdt, link, linker):
    """gold cannot drop what they are about, with sdtlink or without, and so keeps all."""
    main = link.object("main", "int run(void), stock(int);\n"
                       "int main(void) { return !run() + stock(0); }")
    link(linker, link.object("forms", FORMS), link.object("stock", STOCK), main)
    exe = sdt.path("exe")
    found = {name for name, _ in check(sdt, exe)}
    more = {"live", "dead"} if linker == "gold" else {"live"}
    assert found == {name for name, _ in TOLD} | more
    assert [n.name for n in notes(exe) if n.provider == "stock"] == (
        ["live", "dead"] if linker == "gold" else ["live"])
    sdt.run(exe)


@pytest.mark.parametrize("linker", LINKERS)
def test_notes_that_are_nobodys_sites(sdt, link, linker):
    """Those that the launcher was told to leave to tracers stay as they are."""
    main = link.object("main", "int run(void), stock(int);\n"
                       "int main(void) { return !run() + stock(0); }")
    link(linker, link.object("forms", FORMS), link.object("stock", STOCK.split("int forgotten")[0]),
         main, options=["--stapsdt=none"])
    exe = sdt.path("exe")
    stock = [n for n in notes(exe) if n.provider == "stock"]
    assert stock == notes(link.raw) and len(stock) == 1
    assert {(n.name, n.args) for n in notes(exe)} == TOLD | {("live", stock[0].args)}
    sdt.run(exe)
    sdt.sdtlink("verify", exe)


def test_a_dead_note_that_is_not_ours(sdt):
    """mold leaves it; it goes if it is in no code. Programs without our sites are left alone."""
    link = Link(sdt)
    stock = link.object("stock", STOCK)
    main = link.object("main", "int stock(int), live(int);\nint main(void) "
                       "{ return stock(0) + live(0); }")
    ours = sdt.process(link.object(
        "live", "#include <sdt/probe.h>\nint live(int x) { SDT_PROBE(note, live, x); return x; }"))
    exe = sdt.path("exe")
    sdt.command("gcc", "-fuse-ld=mold", "-Wl,--gc-sections", stock, main, ours, "-o", exe)
    assert sorted(n.name for n in notes(exe)) == ["dead", "live", "live"]
    before = exe.read_bytes()
    result = sdt.sdtlink("finalize", "--dry-run", exe).stdout.splitlines()
    assert len(result) == 2 and re.search(r"stock:dead at 0x\d is to be removed$", result[0])
    assert exe.read_bytes() == before
    kept = [n for n in notes(exe) if n.name == "live"]
    sdt.sdtlink("finalize", exe)
    assert notes(exe) == kept
    sdt.sdtlink("verify", exe)
    sdt.command("gcc", "-fuse-ld=mold", "-Wl,--gc-sections", stock,
                sdt.write("other.c", "int stock(int);\nint main(void) { return stock(0); }"),
                "-o", sdt.path("other"))
    before = sdt.path("other").read_bytes()
    assert "no probe sites of sdtlink" in sdt.sdtlink("finalize", "other").stdout
    assert sdt.path("other").read_bytes() == before


@pytest.mark.parametrize("linker", LINKERS)
def test_tracers(sdt, link, linker):
    exe = link.program(linker)
    output = gdb(sdt, [exe], "break -probe-stap note:typed", "break -probe-stap note:twice",
                 "run", "continue", "info breakpoints")
    assert output.count("breakpoint already hit") == 2, output
    script = f'usdt:{exe}:note:twice {{ @x[arg0] = count(); }}'
    assert "@x[1]: 2" in bpftrace(sdt, script, [exe])


EDGE = r"""
void __dtrace_sdt_note___edge(int);
/* Alone in its section, of which the site is the last instruction. */
__attribute__((noinline, section("verge"))) void edge(int x) { __dtrace_sdt_note___edge(x); }
"""


@pytest.mark.parametrize("linker", LINKERS)
def test_a_site_at_the_very_end_of_a_section(sdt, link, linker):
    edge = link.object("edge", EDGE)
    main = link.object("main", "void edge(int);\nint main(void) { edge(1); return 0; }")
    link(linker, edge, main)
    exe = sdt.path("exe")
    [(address, _)] = sites(sdt, exe)
    section = Patched(exe).section("verge")
    assert address + 5 == section["sh_addr"] + section["sh_size"], "the test's own assumption"
    check(sdt, exe)


# The last note of a section need not be padded; nor was this one by whoever wrote it.
UNPADDED = r"""
        .section .note.stapsdt, "", "note"
        .balign 4
        .long 8, 2f - 1f, 3
        .asciz "stapsdt"
1:      .quad there, 0, 0
        .ascii "others\0there\0-4@%edi\0"
2:
        .text
        .globl there
there:  nop
        ret
"""


@pytest.mark.parametrize("linker", LINKERS)
def test_a_note_of_others_without_padding(sdt, link, linker):
    other = sdt.path("other.o")
    sdt.command("gcc", "-c", sdt.write("other.s", UNPADDED), "-o", other)
    assert Patched(other).section(".note.stapsdt")["sh_size"] % 4 != 0
    link(linker, link.object("forms", FORMS), link.object("main", MAIN.replace(
        "{", "{ extern void there(void); there();", 1)), other, options=["--stapsdt=none"])
    exe = sdt.path("exe")
    assert len(notes(link.raw)) == 1 and link.raw.read_bytes() != exe.read_bytes()
    assert {(n.name, n.args) for n in notes(exe)} == TOLD | {("there", "-4@%edi")}
    text = sdt.command("readelf", "-nW", exe)
    assert text.stdout.count("Provider:") == len(notes(exe)) and text.stderr == ""


def test_a_section_whose_name_is_the_end_of_ours(sdt, link):
    """Linkers store ".stapsdt" in ".line.stapsdt": after the letters that change."""
    link.program("gold")
    file = Patched(link.raw)
    names = {section.name: i for i, section in enumerate(file.elf.iter_sections())}
    at = file.elf["e_shoff"] + 64 * names[".comment"]
    file.put(at, struct.pack("<I", file.section(LATE)["sh_name"] + len(".line")))
    mine = file.save("mine")
    sdt.sdtlink("finalize", mine)
    assert notes(mine) == notes(sdt.path("exe")) != []
    assert {".stapsdt", ".note.stapsdt"} <= {s.name for s in Patched(mine).elf.iter_sections()}
    file.add(at, "<i", -1)  # "e.stapsdt" would become another name
    bad = file.save("bad")
    said = sdt.sdtlink("finalize", bad, status=1).stderr
    assert f"another section shares its name with {LATE}" in said
    assert bad.read_bytes() == bytes(file.data)


# ---- links that are not finalized ----

@pytest.mark.parametrize("linker", LINKERS)
def test_no_output_to_finalize(sdt, link, linker):
    forms, main = link.object("forms", FORMS), link.object("main", MAIN)
    link(linker, forms, main, output="/dev/null")
    link.after = "printf text > exe"
    link(linker, forms, main)
    assert sdt.path("exe").read_text() == "text"


@pytest.mark.parametrize("linker", LINKERS)
def test_a_linker_that_fails(sdt, link, linker):
    link.after = "exit 7"
    result = link(linker, link.object("forms", FORMS), link.object("main", MAIN), status=1)
    assert "ld returned 7" in result.stderr
    assert notes(sdt.path("exe")) == [], "not finalized"


def test_a_linker_that_lies(sdt, link):
    """Like a linker that fails, the launcher leaves no output."""
    link.after = "printf x >> exe"
    result = link("gold", link.object("forms", FORMS), link.object("main", MAIN), status=1)
    assert "exe: after its last section there are 1 bytes" in result.stderr
    assert not sdt.path("exe").exists()


# ---- refusals ----

def point(kind, word, delta):
    def change(file):
        file.add(file.record(kind)[1] + word, "<i", delta)
    return change


def change_site(file):
    file.put(file.at(file.follow(file.record(CALL)[0], PC)), b"\xcc")


def change_loader(file):
    file.add(file.at(file.follow(file.record(TAIL)[0], PC)) + 1, "<i", 1)


def change_register(file):
    """Of the loader's lea: 4c 8d 1d is %r11, which the stub takes over."""
    pc = file.follow(file.record(TAIL)[0], PC)
    loader = pc + 5 + file.get(file.at(pc) + 1, "<i")
    file.put(file.at(loader) + 2, b"\x15")


def change_stub(file):
    file.add(file.at(file.follow(file.record(CALL)[0], STUB)) + 11, "<i", 8)


def aim_at_data(file):
    address, offset = file.record(CALL)
    data = file.section(".data")["sh_addr"]
    file.put(offset + PC, struct.pack("<i", data - address - PC))


def unknown_kind(file):
    file.put(file.record(CALL)[1] + KIND, b"\x63")


def rename_note(file):
    file.put(file.data.index(b"note\0typed\0"), b"n0te")


def cut_note(file):
    start = file.section(LATE)["sh_offset"]
    second = start + 20 + (file.get(start + 4, "<I") + 3 & ~3)
    file.add(second + 4, "<I", 0x1000000)


def shorten_note(file):
    file.put(file.section(LATE)["sh_offset"] + 4, struct.pack("<I", 20))


def append(file):
    file.data += b"PK"


DAMAGE = {
    change_site: "the site's bytes are not those of its kind",
    change_loader: "the site's displacement does not lead to its loader",
    change_register: "the site's displacement does not lead to its loader",
    change_stub: "the record's stub does not lead to its probe",
    point(CALL, STUB, 1): "the record's stub does not lead to its probe",
    aim_at_data: "the site is not in the file's code",
    unknown_kind: "kind is unknown to this version",
    rename_note: "the site of note:typed at 0x",
    cut_note: "the note is damaged",
    shorten_note: "the note is damaged",
    append: "after its last section there are 2 bytes that another tool has appended",
}


def test_what_is_not_as_recorded(sdt, link):
    link.program("gold")
    for change, words in DAMAGE.items():
        file = Patched(link.raw)
        change(file)
        bad = file.save("bad")
        result = sdt.sdtlink("finalize", bad, status=1)
        assert words in result.stderr and str(bad) in result.stderr, change
        if change is change_stub:
            found = re.search(r"found: +((?:[0-9a-f]{2} ?)+)", result.stderr)
            assert found and len(found[1].split()) == 32, result.stderr
        assert bad.read_bytes() == bytes(file.data) and result.stdout == ""


def test_files_that_cannot_be_finalized(sdt, link):
    obj = link.object("forms", FORMS)
    for name, words in ((sdt.process(obj), "finalize what it is linked into"),
                        (sdt.path("forms.c"), "not an ELF file"),
                        (sdt.path("missing"), "No such file")):
        assert words in sdt.sdtlink("finalize", name, status=1).stderr
    link.program("mold")
    file = Patched(link.raw)
    file.data[18] = 21  # e_machine: PowerPC
    said = sdt.sdtlink("finalize", file.save("other"), status=1).stderr
    assert "other: not a 64-bit file for x86-64" in said


def test_files_that_have_one_site(sdt):
    obj = sdt.compile(sdt.write("one.c", "#include <sdt/probe.h>\n"
                                "int main(void) { SDT_PROBE(one, site); }\n"))
    exe = sdt.link(sdt.process(obj), runtime=None)
    assert ": 1 site as recorded; nothing to do\n" in sdt.sdtlink("finalize", exe).stdout


def test_a_write_that_fails(sdt, link):
    link.program("gold")
    before = link.raw.read_bytes()
    size = len(before) + 40

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    result = sdt.sdtlink("finalize", link.raw, status=1, preexec_fn=limit)
    assert "cannot write" in result.stderr and "File too large" in result.stderr
    assert link.raw.read_bytes() == before


def test_a_program_that_runs(sdt, link):
    main = link.object("main", "#include <stdio.h>\nint run(void);\n"
                       "int main(void) { puts(\"up\"); fflush(stdout); getchar(); return !run(); }")
    link("mold", link.object("forms", FORMS), main)
    before = link.raw.read_bytes()
    with subprocess.Popen([link.raw], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout.readline() == b"up\n"
        sdt.sdtlink("finalize", "--dry-run", link.raw)
        assert "Text file busy" in sdt.sdtlink("finalize", link.raw, status=1).stderr
        running.stdin.close()
    assert running.returncode == 0 and link.raw.read_bytes() == before


@pytest.mark.parametrize("args, words", [
    ([], "expected exactly one file"), (["a", "b"], "expected exactly one file"),
    (["--nonsense", "a"], "unrecognized option"),
], ids=" ".join)
def test_wrong_command_lines(sdt, args, words):
    result = sdt.sdtlink("finalize", *args, status=2)
    assert words in result.stderr and "Try 'sdtlink finalize --help'." in result.stderr


def test_help_and_quiet(sdt, link):
    assert sdt.sdtlink("finalize", "--help").stdout.startswith("Usage: sdtlink finalize")
    link.program("mold")
    result = sdt.sdtlink("finalize", "-q", link.raw)
    assert result.stdout == result.stderr == ""
    assert link.raw.read_bytes() == sdt.path("exe").read_bytes()
