# SPDX-License-Identifier: BSD-2-Clause
"""sdtlink list --check: every rule has a file that breaks it, and one close to it that does not.

What the consumers really do with such files is in test_list_consumers.py.
"""
import json
import re
import struct
import subprocess
import urllib.parse

import pytest
from elftools.elf.elffile import ELFFile

import notes as n
import patience
from conftest import ROOT
from notes import assembly, note, semaphore


def findings(sdt, *files, options=(), status=None):
    result = sdt.sdtlink("list", "--check=never", "--json", *options, *files,
                         status=0 if status is None else status)
    return json.loads(result.stdout)


def ids(items):
    return {item["id"] for item in items}


def assemble(sdt, text, name="x", target=None):
    sdt.write(f"{name}.s", text)
    if target:
        sdt.command("llvm-mc", f"--triple={target}", "--filetype=obj", f"{name}.s", "-o",
                    f"{name}.o")
    else:
        sdt.command("as", f"{name}.s", "-o", f"{name}.o")
    return sdt.path(f"{name}.o")


def link(sdt, obj, *flags, linker="ld.bfd", name="x.so"):
    """A shared library: small, and a final link's."""
    sdt.command(linker, "-shared", *(flags or ["--build-id"]), obj, "-o", name)
    return sdt.path(name)


def library(sdt, text, *flags, linker="ld.bfd", name="x"):
    return link(sdt, assemble(sdt, text, name), *flags, linker=linker, name=f"{name}.so")


def two(first, second):
    """One probe with two sites."""
    return assembly(note(args=first), note(args=second))


# ---- arguments: (rule, what breaks it, what does not) ----

ARGUMENTS = [
    ("args-too-many", " ".join(["8@%rax"] * 13), " ".join(["8@%rax"] * 12)),
    ("args-blank-leading", " 8@%rax", "8@%rax"),
    ("args-blank-extra", "8@%rax ", "8@%rax 4@%rbx"),
    ("args-blank-extra", "8@%rax  4@%rbx", ""),
    ("args-comma", "8@%rax, 4@%rbx", "8@%rax 4@8(%rbx)"),
    ("args-colon", ":", ""),
    ("arg-no-size", "%rax", "8@%rax"),
    ("arg-no-size", "8@%rax (%rsp)", "8@%rax 8@0(%rsp)"),
    ("arg-size", "3@%rax", "2@%rax"),
    ("arg-size", "16@8(%rsp)", "8@8(%rsp)"),
    ("file-arg-size", "24@8(%rsp)", "3@8(%rsp)"),
    ("arg-float", "8f@8(%rsp)", "8@8(%rsp)"),
    ("arg-float", "-4f@%eax", "-4@%eax"),
    ("arg-vector-register", "8@%xmm0", "8@%rdi"),
    ("arg-vector-register", "8f@%xmm15", "8@%r15"),
    ("arg-symbol", "8@global(%rip)", "8@8(%rip)"),
    ("arg-symbol", "8@8+global(%rip)", "8@%rsi"),
    ("arg-symbol", "8@global", "8@%rsi"),
    ("arg-symbol", "8@$global", "8@$5"),
    ("arg-segment", "8@%fs:-8", "8@-8(%rax)"),
    ("arg-segment", "8@%fs:0(%rax)", "8@0(%rax)"),
    ("arg-indexed", "8@8(%rax,%rbx,4)", "8@8(%rax)"),
    ("arg-indexed", "8@(%rax,%rbx)", "8@0(%rbx)"),
    ("arg-high-byte", "1@%ah", "1@%al"),
    ("arg-byte-register", "1@%r8b", "1@%r8"),
    ("arg-byte-register", "1@%r15b", "1@%sil"),
    ("arg-expression", "8@-16+4+4(%rbp)", "8@-8(%rbp)"),
    ("arg-sum", "8@-16+8(%rbp)", "8@-8(%rbp)"),
    ("arg-hexadecimal", "8@$0x10", "8@$16"),
    ("arg-hexadecimal", "8@0x10(%rsp)", "8@10(%rsp)"),
    ("arg-constant", "-4@$-5", "-4@%eax"),
    ("arg-no-displacement", "8@(%rsp)", "8@+0(%rsp)"),
    ("arg-at-sign", "8@global@GOTPCREL(%rip)", "8@8(%rip)"),
    ("arg-register", "8@%r16", "8@%r10"),
    ("arg-register", "8@%r7d", "8@%r10d"),
    ("arg-register", "8@%cs", "8@%rcx"),
    ("arg-unreadable", "8@", "8@%rcx"),
    ("arg-unreadable", "8@8(,%rax,4)", "8@8(%rax)"),
    ("arg-unreadable", "8@%rax*2", "8@%rax"),
    ("arg-unreadable", "8@4096", "8@$4096"),
]


@pytest.mark.parametrize("rule, bad, good", ARGUMENTS, ids=lambda value: str(value)[:30])
def test_argument(sdt, rule, bad, good):
    found = findings(sdt, assemble(sdt, assembly(note(args=bad))))
    [finding] = [f for f in found if f["id"] == rule][:1] or [None]
    assert finding, (rule, ids(found))
    if finding["argument"]:
        assert finding["operand"] in bad and (finding["provider"], finding["name"]) == (
            "prov", "probe")
        assert finding["operand"] == \
            re.sub(r",(?= |$)", "", bad).split()[finding["argument"] - 1]
    assert rule not in ids(findings(sdt, assemble(sdt, assembly(note(args=good)), "good")))


UNIVERSAL = ["", "8@%rax", "-8@%r15", "4@%rdi", "-4@%edi", "2@%ax", "1@%al", "-1@%sil",
             "8@-8(%rbp)", "8@+8(%rsp)", "-1@%r8 2@%rdi 4@%rsi 8@%rdx -4@8(%rsp)",
             " ".join(["8@%r9"] * 12)]


@pytest.mark.parametrize("args", UNIVERSAL)
def test_the_universal_grammar_has_no_findings(sdt, args):
    assert findings(sdt, library(sdt, assembly(note(args=args)))) == []


# ---- operands of other machines: (triple, rule or None, arguments) ----

MACHINES = [
    ("aarch64", None, "8@x0 -4@x30 8@[sp, 16] 8@sp"),
    ("aarch64", "arg-not-sp", "8@[x0]"),
    ("aarch64", "arg-not-sp", "8@[x0, -24]"),
    ("aarch64", "arg-indexed", "8@[x0, x1]"),
    ("aarch64", "arg-word-register", "4@w0"),
    ("aarch64", "arg-constant", "4@5"),
    ("aarch64", "arg-symbol", "8@[x0, #:lo12:.LANCHOR0]"),
    ("aarch64", "arg-register", "8@x31"),
    ("aarch64", "arg-unreadable", "8@[x0, 16"),
    ("riscv64", None, "8@a0 -4@-20(s0) 8@0(sp)"),
    ("riscv64", "arg-no-displacement", "8@(a0)"),
    ("riscv64", "arg-register", "8@fa0"),
    ("riscv64", "arg-constant", "4@5"),
    ("s390x", None, "8@%r2 -4@164(%r15)"),
    ("s390x", "arg-indexed", "8@8(%r2,%r3)"),
    ("s390x", "arg-no-displacement", "8@(%r2)"),
    ("s390x", "arg-register", "8@%f0"),
    ("i386", None, "4@%eax -4@8(%ebp) 1@%al"),
    ("i386", "arg-indexed", "4@(%eax,%ebx,4)"),
    ("i386", "arg-register", "4@%rax"),
    ("arm", None, "4@r0 -4@[fp, #-8] 4@[sp]"),
    ("arm", "arg-register", "4@s0"),
    ("powerpc64le", "machine-libbpf", "8@3"),
    ("powerpc64le", "machine-unknown", "8@3"),
    ("powerpc64le", "arg-no-size", "3"),
    ("mips64", "machine-libbpf", "8@$4"),
    ("mips64", "machine-unknown", "8@$4"),
    ("mips64", "arg-float", "8f@$4"),
]
WORD = {"i386": ".4byte", "arm": ".4byte"}


@pytest.mark.parametrize("target, rule, args", MACHINES)
def test_operands_of_other_machines(sdt, target, rule, args):
    text = assembly(note(args=args, word=WORD.get(target, ".8byte")))
    found = findings(sdt, assemble(sdt, text, target=target))
    about_args = {i for i in ids(found) if i.startswith(("arg", "machine", "note"))}
    assert about_args >= {rule} if rule else not about_args, ids(found)


def test_no_arguments_on_an_unknown_machine(sdt):
    found = findings(sdt, assemble(sdt, assembly(note()), target="mips64"))
    assert ids(found) == {"file-relocatable"}


# ---- everything else: (rule, what breaks it, what does not) of (assembly, linker's flags) ----

LLD = ["--build-id", "-z", "separate-code"]
SEMAPHORE = "prov_probe_semaphore"
WITH_SEMAPHORE = assembly(note(semaphore=SEMAPHORE), semaphore(SEMAPHORE))
CLEAN = assembly(note())


def with_semaphore(*args, **kwargs):
    return assembly(note(semaphore=SEMAPHORE), semaphore(SEMAPHORE, *args, **kwargs))


GNU_NOTE = """
    .pushsection .note.stapsdt
    .balign 4
    .4byte 4, 4, 1
    .asciz "GNU"
    .4byte 0
    .popsection
"""
GROUPED = '.text.group,"axG",%progbits,group,comdat'
OTHER = 'prov_probe2_semaphore'
MANY = [note(args=f"8@{8 * i}(%rsp)") for i in range(260)]
FILES = [
    ("args-count-differs", two("8@%rax 4@%rbx", "8@%rax"), two("8@%rax", "4@%rbx")),
    ("args-size-differs", two("8@%rax", "4@%rbx"), two("8@%rax", "8@8(%rbx)")),
    ("args-size-differs", two("8@%rax", "-8@%rax"), two("8@%rax 4@$5", "8@%rax 8@$5")),
    ("args-unread-differs", two("8@$5", "8@%rax"), two("8@$5", "8@$6")),
    ("args-unread-differs", two("8@%rax 8@x(%rip)", "8@%rax 8@%rbx"), two("", "")),
    ("arg-specs", assembly(*MANY), assembly(*MANY[:255] * 2)),
    ("probe-sites", assembly(*MANY[:1] * 129), assembly(*MANY[:1] * 128)),
    ("base-missing", assembly(note(base="0"), base=None), CLEAN),
    ("base-zero", assembly(note(base="0")), CLEAN),
    ("base-moved", assembly(note(base="_.stapsdt.base-4096")), CLEAN),
    ("note-section-loaded", assembly(note(section='.note.stapsdt,"a?",%note')), CLEAN),
    ("note-section-type", assembly(note(section='.note.stapsdt,"?",%progbits')), CLEAN),
    ("note-section-name", assembly(note(section='.note.other,"?",%note')), CLEAN),
    ("note-foreign", assembly(note(), GNU_NOTE), CLEAN),
    ("note-foreign", assembly(note(vendor="stapsdx")), CLEAN),
    ("note-type", assembly(note(kind=4), note()), CLEAN),
    ("note-short", assembly(note(strings='    .ascii "prov"\n')), CLEAN),
    ("note-short", assembly(note(strings="", size=8), ""), CLEAN),
    ("note-two-words", assembly(note(semaphore=None)), CLEAN),
    ("note-cut", assembly(note(), note(size=4096)), assembly(note(), note())),
    ("note-name-empty", assembly(note(name="")), assembly(note(provider=""))),
    ("note-padded", assembly(note(args="8@%rax", padded=True)),
     assembly(note(provider="p", name="name", args="8@%rax"))),
    ("note-padded", assembly(note(args="8@%rax\x008@%rbx")), CLEAN),
    ("pc-zero", assembly(note(pc="0")), CLEAN),
    ("pc-not-code", assembly(note(pc="data"), "    .data\ndata: .8byte 0\n"), CLEAN),
    ("pc-not-code", assembly(note(pc="1 << 40")), CLEAN),
    ("pc-semaphores", assembly(note(), note(name="probe2", pc="1b", semaphore=SEMAPHORE)
                               .replace("990:", "1: nop\n990:")
                               .replace("8byte 1b", "8byte work"), semaphore(SEMAPHORE)),
     assembly(note(), note(name="probe2", pc="work"))),
    ("pc-nop5", assembly(note(code=".byte 0x0f,0x1f,0x44,0,0")), CLEAN),
    ("pc-nop5", assembly(note(code=".byte 0x66,0x0f,0x1f,0x40,0")),
     assembly(note(code=".balign 4096; .skip 4093; 990: .byte 0x0f,0x1f,0x44,0,0"))),
    ("pc-nop-nop5", assembly(note(code="nop; .byte 0x0f,0x1f,0x44,0,0")),
     assembly(note(code="nop; .byte 0x66,0x0f,0x1f,0x40,0"))),
    ("pc-nop-long", assembly(note(code=".byte 0x66,0x0f,0x1f,0x84,0,0,0,0,0")),
     assembly(note(code=".byte 0x0f,0x1f,0x84,0,0,0,0,0"))),
    ("pc-nop-multibyte", assembly(note(code=".byte 0x66,0x90")), CLEAN),
    ("pc-nop-multibyte", assembly(note(code=".byte 0x66,0x0f,0x1f,0xc0")), CLEAN),
    ("pc-unprobeable", assembly(note(code="int3")), CLEAN),
    ("pc-unprobeable", assembly(note(code="hlt")), assembly(note(code="ret"))),
    ("pc-unprobeable", assembly(note(code=".byte 0x66,0x2e,0x0f,0x1f,0x84,0,0,0,0,0")), CLEAN),
    ("pc-unprobeable", assembly(note(code="lock incl (%rax)")), assembly(note(code="incl (%rax)"))),
    ("pc-not-nop", assembly(note(code="push %rbp")), CLEAN),
    ("pc-not-nop", assembly(note(code="call work")), CLEAN),
    ("provider-long", assembly(note(provider="p" * 60)), assembly(note(provider="p" * 59))),
    ("semaphore-mixed", assembly(note(semaphore=SEMAPHORE), note(), semaphore(SEMAPHORE)),
     assembly(note(semaphore=SEMAPHORE), note(semaphore=SEMAPHORE), semaphore(SEMAPHORE))),
    ("semaphore-odd", assembly(note(semaphore=SEMAPHORE + "+1"), semaphore(SEMAPHORE)),
     WITH_SEMAPHORE),
    ("semaphore-no-bytes", with_semaphore('.bss,"aw",%nobits', align=65536), WITH_SEMAPHORE),
    ("semaphore-read-only", with_semaphore('.probes,"a",%progbits'), WITH_SEMAPHORE),
    ("semaphore-relro", with_semaphore('.data.rel.ro,"aw",%progbits'), WITH_SEMAPHORE),
    ("semaphore-section", with_semaphore('.data,"aw",%progbits'), WITH_SEMAPHORE),
    ("perf-semaphore", with_semaphore('.bss,"aw",%nobits', align=65536)
     + '    .section .probes,"aw",%progbits\n    .skip 64\n', WITH_SEMAPHORE),
    ("semaphore-symbol", assembly(note(semaphore="other"), semaphore("other"))
     + semaphore("an_other_semaphore"), WITH_SEMAPHORE),
]


@pytest.mark.parametrize("rule, bad, good", FILES, ids=lambda value: str(value)[:20].strip())
def test_file(sdt, rule, bad, good):
    found = findings(sdt, library(sdt, bad))
    assert rule in ids(found), ids(found)
    clean = findings(sdt, library(sdt, good, name="good"))
    assert rule not in ids(clean), clean


def test_clean_files_are_clean(sdt):
    for name, text in (("plain", CLEAN), ("counted", WITH_SEMAPHORE)):
        assert findings(sdt, library(sdt, text, name=name)) == []


def test_build_id(sdt):
    assert ids(findings(sdt, library(sdt, CLEAN, "-z", "now"))) == {"build-id-missing"}


def test_note_outside_of_its_group(sdt):
    """In an object, before two linkers drop the code and keep the note, and two refuse."""
    inside = assembly(note(text=GROUPED))
    outside = assembly(note(text=GROUPED, section='.note.stapsdt,"",%note'))
    assert "note-outside-group" not in ids(findings(sdt, assemble(sdt, inside)))
    assert "note-outside-group" in ids(findings(sdt, assemble(sdt, outside)))


@pytest.mark.parametrize("linker", ["ld.bfd", "ld.gold", "ld.lld", "mold"])
def test_perf_offset(sdt, linker):
    """lld and mold place what is read-only and what is executable at other distances."""
    stock = assembly(note(), base="aG")
    found = ids(findings(sdt, library(sdt, stock, "--build-id", linker=linker)))
    assert ("perf-offset" in found) == (linker in ("ld.lld", "mold"))
    good = findings(sdt, library(sdt, CLEAN, "--build-id", linker=linker))
    assert "perf-offset" not in ids(good)


def test_perf_offset_says_both(sdt):
    lib = library(sdt, assembly(note(), base="aG"), "--build-id", linker="ld.lld")
    [finding] = [f for f in findings(sdt, lib) if f["id"] == "perf-offset"]
    with open(lib, "rb") as stream:
        elf = ELFFile(stream)
        [right] = [s["p_offset"] + work - s["p_vaddr"] for s in elf.iter_segments()
                   for work in [elf.get_section_by_name(".text")["sh_addr"]]
                   if s["p_type"] == "PT_LOAD" and s["p_flags"] & 1]
    assert f"is at {right:#x} of the file" in finding["detail"]


SHARED_PAGE = """
    .section .data.rel.ro,"aw",%progbits
    .8byte 1, 2, 3
"""


@pytest.mark.parametrize("linker", ["ld.bfd", "ld.lld", "mold"])
def test_semaphore_in_a_page_that_is_mapped_twice(sdt, linker):
    small = assembly(note(semaphore=SEMAPHORE), SHARED_PAGE, semaphore(SEMAPHORE, align=2))
    found = ids(findings(sdt, library(sdt, small, "--build-id", "-z", "relro", linker=linker)))
    assert ("semaphore-shared-page" in found) == (linker != "ld.bfd"), found
    aligned = assembly(note(semaphore=SEMAPHORE), SHARED_PAGE, semaphore(SEMAPHORE, align=4096))
    found = findings(sdt, library(sdt, aligned, "--build-id", "-z", "relro", linker=linker))
    assert "semaphore-shared-page" not in ids(found)


def reorder(path, first, second):
    """Exchange two section headers that nothing refers to by number."""
    data = bytearray(path.read_bytes())
    with open(path, "rb") as stream:
        elf = ELFFile(stream)
        a, b = (elf["e_shoff"] + 64 * elf.get_section_index(name) for name in (first, second))
    data[a:a + 64], data[b:b + 64] = data[b:b + 64], data[a:a + 64]
    path.write_bytes(data)


def test_order_of_headers(sdt):
    lib = library(sdt, WITH_SEMAPHORE)
    assert findings(sdt, lib) == []
    sdt.command("strip", lib)
    reorder(lib, ".probes", ".note.stapsdt")
    assert "note-section-order" in ids(findings(sdt, lib))


def test_probe_below_the_first_code(sdt):
    """bcc takes the address of the first executable section for the lowest of any code."""
    script = "SECTIONS {{ . = 0x1000; .text : {{ *(.text) }} . = {}; .low : {{ *(.low) }} }}\n"
    obj = assemble(sdt, assembly(note(text='.low,"ax",%progbits')))
    for place, name in (("0x2000", "behind"), ("0x800", "below")):
        sdt.write(f"{name}.ld", script.format(place))
        found = ids(findings(sdt, link(sdt, obj, "-T", f"{name}.ld", name=name)))
        assert ("pc-below-code" in found) == (name == "below"), found


def test_two_sections_of_notes(sdt):
    sdt.write("keep.ld", "SECTIONS { .note.first : { *(.note.first) } } INSERT AFTER .text;")
    text = assembly(note(), note(name="other", section='.note.second,"?",%note'))
    lib = library(sdt, text)
    data = lib.read_bytes()
    assert "note-section-many" not in ids(findings(sdt, lib))
    # the names as two sections that are called alike
    with open(lib, "rb") as stream:
        elf = ELFFile(stream)
        header = {s.name: (elf["e_shoff"] + 64 * i, s["sh_name"])
                  for i, s in enumerate(elf.iter_sections())}
    copy = bytearray(data)
    struct.pack_into("<I", copy, header[".note.second"][0], header[".note.stapsdt"][1])
    lib.write_bytes(copy)
    assert "note-section-many" in ids(findings(sdt, lib))


def test_debug_file(sdt):
    lib = library(sdt, WITH_SEMAPHORE)
    sdt.command("objcopy", "--only-keep-debug", lib, "x.debug")
    assert ids(findings(sdt, "x.debug")) == {"file-debug"}


def test_object_and_class(sdt):
    assert ids(findings(sdt, assemble(sdt, CLEAN))) == {"file-relocatable"}
    small = assemble(sdt, assembly(note(word=".4byte")), target="i386")
    assert ids(findings(sdt, small)) == {"file-relocatable", "class-32"}


def test_our_own_sites(sdt):
    """A record without a note is a probe that no tracer sees; the sites of is-enabled have none."""
    sdt.write("own.c", "#include <sdt/probe.h>\nint main(void) { if (SDT_PROBE_ENABLED(p, n))\n"
                       "SDT_PROBE(p, n, 1); return 0; }\n")
    exe = sdt.link(sdt.process(sdt.compile(sdt.path("own.c"))), runtime=None)
    sites = json.loads(sdt.sdtlink("list", "--json", exe).stdout)
    bare = [s for s in sites if not s["note"] and not s["kind"].startswith("enabled")]
    found = [f for f in findings(sdt, exe) if f["id"] == "site-without-note"]
    assert {f["address"] for f in found} == {s["address"] for s in bare}
    obj = sdt.compile(sdt.path("own.c"), "-DSDT_CALL_SITES", name="calls.o")
    sdt.sdtlink("--companion", "-o", "sdt.o", obj)
    assert "companion-site" in ids(findings(sdt, sdt.link(obj, "sdt.o", name="companion")))


# ---- the command ----


def test_exit_status_and_levels(sdt):
    """(finding, level) -> status."""
    error = assemble(sdt, assembly(note(args="%rax")), "error")
    warning = assemble(sdt, assembly(note(args="8@$1")), "warning")
    clean = library(sdt, CLEAN, name="clean")
    for path, statuses in ((error, (1, 1, 1, 0)), (warning, (0, 1, 1, 0)), (clean, (0, 0, 0, 0))):
        for level, status in zip(("error", "warning", "note", "never"), statuses):
            sdt.sdtlink("list", f"--check={level}", path, status=status)
    sdt.sdtlink("list", "--check", error, status=1)
    sdt.sdtlink("list", "--check", warning, status=0)
    sdt.sdtlink("list", "--check=never", clean, "missing.so", status=1)


def test_consumers_and_ignored_rules(sdt):
    obj = assemble(sdt, assembly(note(args="1@%r8b 8@%rax")))
    assert "arg-byte-register" in ids(findings(sdt, obj))
    assert "arg-byte-register" in ids(findings(sdt, obj, options=["--consumers=perf,gdb"]))
    assert "arg-byte-register" not in ids(findings(sdt, obj, options=["--consumers=libbpf"]))
    assert "arg-byte-register" not in ids(
        findings(sdt, obj, options=["--ignore=pc-zero,arg-byte-register"]))


@pytest.mark.parametrize("options, message", [
    (["--check=fatal", "x"], "error, warning, note or never"),
    (["--check", "--consumers=gdb,strace", "x"], "unknown consumer"),
    (["--check", "--ignore=no-such", "x"], "there is no rule 'no-such'"),
    (["--ignore=pc-zero", "x"], "require --check"),
    (["--check", "--json", "--sarif", "x"], "--json and --sarif are mutually exclusive"),
    (["--check"], "no file given"),
])
def test_command_line(sdt, options, message):
    assert message in sdt.sdtlink("list", *options, status=2).stderr


def test_text(sdt):
    lib = library(sdt, assembly(note(args="8@%rax 8@x(%rip)"), note(name="fine", args="8@%rbx")))
    result = sdt.sdtlink("list", "--check", lib, status=1)
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"{lib}: error: prov:probe at 0x")
    assert 'in work, argument 2 "8@x(%rip)": The operand names a symbol' in lines[0]
    assert lines[0].endswith("[arg-symbol]")
    assert "    libbpf, bpftrace: refuses the whole probe" in lines
    assert any(line.startswith("    remedy: ") for line in lines)
    columns = next(line for line in lines if line.startswith("gdb ")).split()
    row = next(line for line in lines if line.endswith(" prov:probe")).split()
    cells = dict(zip(columns, row))
    assert cells["libbpf"] == "lost" and cells["perf"] == "args" and cells["uprobe"] == "ok"
    assert not any(line.endswith(" prov:fine") for line in lines)
    assert lines[-1] == "2 probes in 1 file: 1 error, 0 warnings, 0 notes; understood by all: 1"
    assert "\033" not in result.stdout


def test_not_more_than_a_thousand_findings_of_a_rule(sdt):
    """The others are counted, and standard error says how many of which rule."""
    lib = library(sdt, assembly(*[note(args="8@$5")] * 1002))
    result = sdt.sdtlink("list", "--check=warning", lib, status=1)
    assert result.stdout.count("[arg-constant]") == 1000
    assert f"{lib}: 2 more findings of arg-constant are not shown" in result.stderr
    assert "1 probe in 1 file: 0 errors, 1002 warnings, 1 note;" in result.stdout
    assert len(json.loads(sdt.sdtlink("list", "--check", "--json", lib).stdout)) == 1001


def test_colour_on_a_terminal_only(sdt):
    obj = assemble(sdt, assembly(note(args="%rax")))
    for no_colour, expected in (("", True), ("1", False)):
        shown = patience.run(
            ["script", "-qec", f"{sdt.tool} list --check {obj}", "/dev/null"],
            stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
            env={"NO_COLOR": no_colour, "TERM": "xterm", "PATH": "/usr/bin:/bin"}).stdout
        assert ("\033[1;31merror" in shown) == expected


def test_sarif(sdt):
    obj = assemble(sdt, assembly(note(args="%rax \x1b[31m")))
    out = sdt.sdtlink("list", "--check", "--sarif", obj, status=1).stdout
    log = json.loads(out)
    [run] = log["runs"]
    assert log["version"] == "2.1.0" and "\033" not in out
    driver = run["tool"]["driver"]
    assert driver["version"] in sdt.sdtlink("--version").stdout
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(rules) == len(set(rules))
    # What code hosts ask of a rule, and of a place.
    for rule in driver["rules"]:
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
    for result in run["results"]:
        assert result["ruleId"] in rules and result["level"] in ("error", "warning", "note")
        [location] = result["locations"]
        place = location["physicalLocation"]
        assert urllib.parse.unquote(place["artifactLocation"]["uri"]) == str(obj)
        assert place["region"]["startLine"] == 1


def test_sarif_names_files_by_uris(sdt):
    name = "a b%[é].o"
    assemble(sdt, assembly(note(args="%rax"))).rename(sdt.path(name))
    log = json.loads(sdt.sdtlink("list", "--check", "--sarif", name, status=1).stdout)
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for result in log["runs"][0]["results"]}
    assert uris == {urllib.parse.quote(name)} == {"a%20b%25%5B%C3%A9%5D.o"}


def test_escape_sequences_do_not_reach_the_terminal(sdt):
    obj = assemble(sdt, assembly(note(provider="\x1b[2J", name="\x07", args="\x1b]0;x\x07")))
    for options in (["--check"], ["--check", "--json"], []):
        out = sdt.sdtlink("list", *options, obj, status=None).stdout
        assert "\x1b" not in out and "\x07" not in out


# ---- the table ----


def all_rules(sdt):
    return json.loads(sdt.sdtlink("list", "--rules", "--json").stdout)


ELSEWHERE = {"build-id-missing", "note-outside-group", "perf-offset", "semaphore-shared-page",
             "note-section-order", "pc-below-code", "note-section-many", "file-debug",
             "file-relocatable", "class-32", "site-without-note", "companion-site"}


def test_every_rule_is_tested(sdt):
    tested = {row[0] for row in ARGUMENTS + FILES} | {row[1] for row in MACHINES} | ELSEWHERE
    assert tested - {None} == {rule["id"] for rule in all_rules(sdt)}


def test_every_rule_is_documented(sdt):
    text = (ROOT / "docs" / "consumers.md").read_text()
    for rule in all_rules(sdt):
        assert f"| `{rule['id']}` |" in text, rule["id"]


def test_severity_follows_from_the_effects(sdt):
    """error: a tracer loses the probe or the program suffers; warning: a value, or a slow hit."""
    assert sdt.sdtlink("list", "--rules").stdout.count("remedy: ") == len(all_rules(sdt))
    for rule in all_rules(sdt):
        effects = {c["effect"] for c in rule["consumers"]}
        current = {c["effect"] for c in rule["consumers"]
                   if not (c["versions"] or "").startswith("libbpf before 1.1")}
        if rule["id"] in ("class-32", "file-debug", "companion-site"):
            continue  # as intended by who made the file
        assert (rule["severity"] == "error") == bool(current & {"lost", "harm"}), rule
        assert effects <= {"noise", "value", "lost", "harm"}


def test_notes_are_shaped_as_stock_ones(sdt):
    """The assembly of these tests is what <sys/sdt.h> makes, but for what a test changes."""
    sdt.write("stock.c", "#include <sys/sdt.h>\nint main(void) { STAP_PROBE(prov, probe); }\n")
    sdt.command("gcc", "-c", "-O2", "stock.c")
    ours = assemble(sdt, CLEAN)
    sections = []
    for path in ("stock.o", ours):
        with open(sdt.path(path), "rb") as stream:
            section = ELFFile(stream).get_section_by_name(".note.stapsdt")
            sections.append((section.data(), section["sh_type"], section["sh_flags"] & ~0x200))
    assert sections[0] == sections[1]
    assert n.GOOD_BASE
