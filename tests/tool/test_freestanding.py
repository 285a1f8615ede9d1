# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink --freestanding`: a set for a kernel, which brings its own runtime.

The program that is made here has a small one (programs/freestanding_kernel.c)."""
import re
import struct

import pytest

from conftest import INCLUDE, ROOT
from elfview import ElfView
from patched import assert_all_named, assert_named, changed, copy_record, needs_verify
from toolchain import CLANGS, LLDS

EXPECTED = ("off: sum 145, entered 0, called 0\n"
            "on: sum 155, entered 30, called 26\n"
            "off again: sum 145, entered 0, called 0\n")
KERNEL = ["-mno-sse", "-mno-mmx", "-mno-80387", "-mno-red-zone", "-mcmodel=kernel", "-fno-pie",
          "-ffreestanding", "-fno-asynchronous-unwind-tables", "-D__KERNEL__", "-g0"]
GCC = ["-mindirect-branch=thunk-extern", "-mindirect-branch-register",
       "-mfunction-return=thunk-extern", "-fno-jump-tables", "-fcf-protection=branch"]
CLANG = ["-mretpoline-external-thunk", "-fcf-protection=branch"]


def kernel(sdt, *flags, compiler="gcc"):
    """The object as a kernel's build makes it, and processed."""
    more = CLANG if compiler.startswith("clang") else GCC
    obj = sdt.compile("freestanding.c", *KERNEL, *more, *flags, compiler=compiler)
    return obj, sdt.process(obj, "--freestanding")


def program(sdt, *flags, compiler="gcc", linker="bfd", options=()):
    obj = sdt.compile("freestanding.c", *flags, compiler=compiler)
    main = sdt.compile("freestanding_kernel.c", "-fno-lto")
    return sdt.link(sdt.process(obj, "--freestanding", *options), main, f"-fuse-ld={linker}",
                    runtime=None)


def sections(sdt, file):
    return re.findall(r"^ +\[ *\d+\] (\S+) +(\S+)", sdt.run("readelf", "-SW", file), re.M)


# ---- hits ----

@pytest.mark.parametrize("flags", ["-O2", "-Os", "-O0", "-O2 -ffunction-sections -fPIE"])
@pytest.mark.parametrize("linker", ["bfd", "gold", "lld"])
@pytest.mark.parametrize("compiler", ["gcc", *CLANGS[-1:]])
def test_a_runtime_of_its_own_counts_every_hit(sdt, compiler, linker, flags):
    exe = program(sdt, *flags.split(), compiler=compiler, linker=linker)
    assert sdt.run(exe) == EXPECTED
    assert sdt.sdtlink("verify", exe).stdout == f"{exe}: 8 sites, 6 probes: ok\n"
    assert sdt.sdtlink("list", exe).stderr == ""  # no advice about libsdt
    sdt.run("strip", exe)
    assert sdt.run(exe) == EXPECTED
    assert "ok" in sdt.sdtlink("verify", exe).stdout


@pytest.mark.parametrize("flag", ["-flto", "-flto=thin"])
@pytest.mark.parametrize("clang, lld", zip(CLANGS, LLDS))
def test_link_time_optimisation(sdt, clang, lld, flag):
    """The partial link makes the code, and sdtlink comes after it: before, there is none."""
    obj = sdt.compile("freestanding.c", flag, compiler=clang)
    said = sdt.sdtlink("--freestanding", "-o", "out.o", obj, status=1).stderr
    assert "this is LLVM bitcode" in said and "ld.lld -r" in said
    native = sdt.path("native.o")
    sdt.command(f"ld.{lld}", "-r", "-o", native, obj)
    main = sdt.compile("freestanding_kernel.c", "-fno-lto")
    exe = sdt.link(sdt.process(native, "--freestanding"), main, runtime=None)
    assert sdt.run(exe) == EXPECTED
    assert sdt.sdtlink("verify", exe).stdout.endswith(": ok\n")


@pytest.mark.parametrize("clang, lld", zip(CLANGS, LLDS))
def test_what_link_time_optimisation_inlined(sdt, clang, lld):
    """Into a function of another file, with the arguments' names, as a kernel's build has them."""
    objects = [sdt.compile(sdt.write(f"{name}.c", text), *KERNEL, *CLANG, "-flto=thin",
                           "-fvisibility=hidden", compiler=clang) for name, text in [
        ("probed", """
#include <sdt/probe.h>
int probed(int n, const char *s);
int probed(int n, const char *s) { SDT_PROBE(lto, site, n, SDT_STR(s)); return n + 1; }
"""), ("caller", """
int probed(int n, const char *s);
int caller(int n);
int caller(int n) { return probed(n, "caller") * 3; }
""")]]
    native = sdt.path("native.o")
    sdt.command(f"ld.{lld}", "-r", "-o", native, *objects)
    assert ".discard.sdt_args" in dict(sections(sdt, native))
    listed = sdt.sdtlink("list", sdt.process(native, "--freestanding")).stdout
    rows = [re.split(r"\s{2,}", row) for row in listed.splitlines()[1:]]
    assert sorted((row[2], row[3], row[5], row[6]) for row in rows) == [
        (name, "site", "inline", "n: int32, s: string") for name in ("caller", "probed")]


def test_a_conditional_jump(sdt):
    """clang -Os: the jump stays, and its site is elsewhere."""
    clang = CLANGS[-1]
    obj = sdt.compile("freestanding.c", "-Os", compiler=clang)
    assert re.search(r"\tj[a-z]{1,2} .*\n.*R_X86_64_P\w+32\t__dtrace_sdt_kernel___last",
                     sdt.run("objdump", "-dr", obj))
    assert sdt.run(program(sdt, "-Os", compiler=clang)) == EXPECTED


# ---- what is in the object ----

@pytest.mark.parametrize("compiler", ["gcc", *CLANGS[-1:]])
def test_an_object_of_a_kernel(sdt, compiler):
    """Nothing that its loader, linker script and mitigations have no place for."""
    obj, out = kernel(sdt, compiler=compiler)
    names = [name for name, _ in sections(sdt, out)]
    assert not [name for name in names
                if re.search(r"_array|note\.stapsdt|eh_frame|^\.group|sdt_dso|^\.probes|bss\.",
                             name)]
    assert {"sdt_sites", ".text.sdt_entry", ".text.sdt_stub", ".text.sdt_loader",
            ".init.text.sdt_entry"} <= {*names}
    undefined = re.findall(r" U (\S+)", sdt.run("nm", out))
    assert {name for name in undefined if "sdt" in name} == {
        "__sdt_enter", "__sdt_enter_call", "__sdt_finish"}
    code = sdt.run("objdump", "-d", "-j", ".text.sdt_entry", "-j", ".text.sdt_stub", "-j",
                   ".text.sdt_loader", "-j", ".init.text.sdt_entry", out)
    assert "call" in code and "jmp" in code
    assert not re.search(r"\tret|(call|jmp)\s+\*", code)
    assert ".discard.sdt_args" in {name for name, _ in sections(sdt, obj)}
    assert sdt.sdtlink("verify", "--against", obj, out).returncode == 0


def test_disabled_sites_change_nothing_but_flags(sdt):
    _, out = kernel(sdt)
    text = sdt.run("objdump", "-d", "--no-show-raw-insn", "-j", ".text", out)
    assert re.search(r"\tnop\n.*\tnopw +0x0\(%rcx,%rbp,8\)\n", text)
    assert re.search(r"\ttest +\$0x0,%eax\n", text)
    assert "__dtrace_sdt" not in sdt.run("nm", out)


def test_code_follows_its_text(sdt):
    """So what is freed after the start takes its entries with it."""
    _, out = kernel(sdt, "-ffunction-sections")
    names = {name for name, _ in sections(sdt, out)}
    assert {".text.work.sdt_entry", ".text.work.sdt_stub", ".text.last.sdt_loader",
            ".init.text.sdt_entry"} <= names
    assert sdt.sdtlink("verify", out).returncode == 0


def test_a_stack_names_the_probed_function(sdt):
    _, out = kernel(sdt)
    assert re.findall(r" t (\S+\.sdt)$", sdt.run("nm", out), re.M).count("work.sdt") == 2
    assert "begin.sdt" in sdt.run("nm", out)


def test_unwind_information_where_the_object_has_some(sdt):
    obj = sdt.compile("freestanding.c", "-fasynchronous-unwind-tables")
    out = sdt.process(obj, "--freestanding")
    assert sdt.run("readelf", "-wF", out).count("FDE") > sdt.run("readelf", "-wF", obj).count("FDE")


def test_notes_for_who_asks(sdt):
    obj = sdt.compile("freestanding.c")
    plain, noted = (sdt.process(obj, "--freestanding", *more, name=f"{len(more)}.o")
                    for more in ([], ["--notes"]))
    assert "stapsdt" not in sdt.run("readelf", "-n", plain)
    assert sdt.run("readelf", "-n", noted).count("NT_STAPSDT") == 6
    assert sdt.sdtlink("verify", noted).returncode == 0


def test_the_records_say_what_they_are(sdt):
    _, out = kernel(sdt)
    flags = [site.flags for site in ElfView(out).sites()]
    assert len(flags) == 8 and all(flag & 0x80 and flag >> 8 == 6 for flag in flags)
    listed = sdt.sdtlink("list", "--json", out).stdout
    assert listed.count('"freestanding"') == 8 and '"direct-tail"' in listed


# ---- linker scripts ----

SCRIPT = """
ENTRY(main)
SECTIONS
{
    . = 0x400000;
    .text : { *(.text .text.startup .text.unlikely) }
    .init.text : { *(.init.text .init.text.sdt_*) }
    INCLUDE sdt.lds
    .rodata : { *(.rodata .rodata.str* .rodata.cst*) }
    .data : { *(.data) }
    .bss : { *(.bss) }
    .got : { *(.got .got.plt .igot.plt .iplt .plt) }
    .rela.dyn : { *(.rela.*) *(.rela_*) }
    .symtab 0 : { *(.symtab) }
    .strtab 0 : { *(.strtab) }
    .shstrtab 0 : { *(.shstrtab) }
    /DISCARD/ : { *(.note.* .comment .eh_frame .note .gnu.* .llvm_addrsig) }
}
"""


@pytest.mark.parametrize("linker", ["ld.bfd", "ld.lld"])
def test_a_script_that_names_every_section(sdt, linker):
    """With the snippet that is shipped, nothing is left over: the set has its bounds, the probes
    are in memory that the start clears."""
    _, out = kernel(sdt)
    glue = sdt.write("glue.s", ".globl main, __sdt_enter, __sdt_enter_call, __sdt_finish, "
                     "__x86_return_thunk\n"
                     ".section .rodata\n.quad __start_sdt_sites, __stop_sdt_sites\n.text\n"
                     "main:\n__sdt_enter:\n__sdt_enter_call:\n__sdt_finish:\n"
                     "__x86_return_thunk:\n ret\n")
    script = sdt.write("kernel.lds", SCRIPT)
    exe = sdt.path("kernel")
    sdt.run(linker, "-L", ROOT / "runtime" / "freestanding", "-T", script,
            "--orphan-handling=error", sdt.compile(glue, "-g0"), out, "-o", exe)
    view = ElfView(exe)
    assert len(list(view.sites())) == 8
    bounds = [view.symbol(name).value for name in ("__start_sdt_sites", "__stop_sdt_sites")]
    assert bounds[1] - bounds[0] == 8 * 40
    bss = view.section(".bss")
    assert all(bss.address <= site.probe < bss.address + bss.size for site in view.sites())
    assert sdt.sdtlink("verify", exe).returncode == 0


def test_an_address_that_is_taken(sdt):
    """What it leads to does nothing, is in no group, and returns as the kernel does."""
    source = sdt.write("taken.c", """
void __dtrace_sdt_p___n(long);
int __dtrace_sdtenabled_p___n(void);
void *taken(int), *asked(int);
void *taken(int n) { __dtrace_sdt_p___n(n); return (void *)__dtrace_sdt_p___n; }
void *asked(int n) { return n ? (void *)__dtrace_sdtenabled_p___n : 0; }
""")
    out = sdt.process(sdt.compile(source, *KERNEL), "--freestanding")
    code = sdt.run("objdump", "-dr", "-j", ".text.sdt_taken", out)
    assert code.count("endbr64") == 2 and code.count("__sdt_finish") == 2 and "\tret" not in code
    assert not [name for name, kind in sections(sdt, out) if kind == "GROUP"]
    assert sdt.sdtlink("verify", out).returncode == 0


def test_inline_functions_of_cxx(sdt):
    """In their groups, of which a link keeps one; a kernel may be written in C++."""
    objects = []
    for name in ("one", "two"):
        source = sdt.write(f"{name}.cc", '''#include <sdt/probe.h>
inline __attribute__((noinline)) int shared(int n) { SDT_PROBE(p, n, n); return n + 1; }
int %s(int n) { return shared(n); }
''' % name)
        objects.append(sdt.process(sdt.compile(source, *KERNEL), "--freestanding"))
    sdt.run("ld", "-r", *objects, "-o", sdt.path("both.o"))
    assert len(ElfView(sdt.path("both.o")).sites()) == 1
    assert sdt.sdtlink("verify", sdt.path("both.o")).returncode == 0


# ---- Linux's unwind tables ----

ORC = """
    .section .orc_unwind_ip, "a"
1:  .long {function} - .
2:  .long {function} + 4 - .
    .section .orc_unwind, "a"
    .short 8, 0
    .byte 5, 0
    .short 24, 0
    .byte 5, 0
"""


def quoted(text):
    return "\n".join('"' + line.replace('"', r'\"') + r'\n"' for line in text.splitlines())


def orc(sdt, more=""):
    """An object with tables such as objtool's: the function has a frame from its fifth byte on."""
    source = sdt.write("orc.c", """
#include <sdt/probe.h>
int probed(int);
__attribute__((noinline)) int probed(int n)
{
    __asm__ volatile(".byte 0x90, 0x90, 0x90, 0x90"); /* where a prologue is */
    SDT_PROBE(p, n, n);
    return n;
}
__asm__(%s);
""" % quoted(ORC.format(function="probed") + more))
    return sdt.compile(source, *KERNEL, "-fno-toplevel-reorder")


def rows(file):
    """(place, distance of the frame, register) of each row, by the two tables."""
    view = ElfView(file)
    data = view.section(".orc_unwind").data
    table = [struct.unpack_from("<hhBB", data, 6 * i) for i in range(len(data) // 6)]
    places = {rela.offset // 4: (view.sections[rela.symbol.section].name,
                                 rela.addend + rela.symbol.value)
              for rela in view.relocations(".orc_unwind_ip")}
    return [(*places[i], row[0], row[2]) for i, row in enumerate(table)]


def test_orc_rows(sdt):
    """In the entry, the frame is what it is at the site, but for the 128 bytes that are skipped."""
    obj = orc(sdt)
    out = sdt.process(obj, "--freestanding")
    assert rows(out)[:2] == rows(obj)
    assert rows(out)[2:] == [(".text.sdt_entry", 0, 24, 5), (".text.sdt_entry", 5, 24 + 128, 5),
                             (".text.sdt_entry", 19, 24, 5)]


def test_orc_rows_of_what_is_called(sdt):
    """In a stub, and where a tail call leads, the frame is that of a function that begins."""
    source = sdt.write("called.c", """
void __dtrace_sdt_p___n(long), __dtrace_sdt_p___last(long), probed(int);
void probed(int n)
{
    __asm__ volatile(".byte 0x90, 0x90, 0x90, 0x90");
    __dtrace_sdt_p___n(n);
    __dtrace_sdt_p___last(n);
}
__asm__(%s);
""" % quoted(ORC.format(function="probed")))
    out = sdt.process(sdt.compile(source, *KERNEL, "-fno-toplevel-reorder"), "--freestanding")
    assert sorted(rows(out)[2:]) == [(".text.sdt_loader", 0, 8, 5), (".text.sdt_stub", 0, 8, 5)]


def test_orc_rows_of_another_size(sdt):
    obj = orc(sdt, "    .long 0\n")
    said = sdt.sdtlink("--freestanding", "-o", "out.o", obj, status=1).stderr
    assert ".orc_unwind" in said and "rows" in said
    assert not sdt.path("out.o").exists()


# ---- refusals ----

def test_options_that_exclude_each_other(sdt):
    obj = sdt.compile("freestanding.c")
    assert "exclude each other" in sdt.sdtlink("--freestanding", "--notes", "--no-notes", "-o",
                                               "out.o", obj, status=2).stderr


def test_notes_are_there_without_asking(sdt):
    obj = sdt.compile("freestanding.c")
    assert "requires --freestanding" in sdt.sdtlink("--notes", "-o", "out.o", obj, status=2).stderr


def test_a_call_through_the_got(sdt):
    obj = sdt.compile("freestanding.c", "-fPIC", "-fno-plt")
    said = sdt.sdtlink("--freestanding", "-o", "out.o", obj, status=1).stderr
    assert re.search(r"freestanding\.o: \.text\+0x\w+ \(in work\): __dtrace_sdt_kernel___call",
                     said), said
    assert "compile without -fno-plt" in said and "ff 15" in said
    assert not sdt.path("out.o").exists()


def test_what_was_processed_for_another(sdt):
    """An object is for a kernel, or for user space, and stays that."""
    obj = sdt.compile("freestanding.c")
    for first, second, said in (([], ["--freestanding"], "was processed for user space"),
                                (["--freestanding"], [], "was processed for a kernel")):
        once = sdt.process(obj, *first, name="once.o")
        refused = sdt.sdtlink(*second, "-o", "twice.o", once, status=1).stderr
        assert "once.o: sdt_sites+0x0" in refused and said in refused
        assert not sdt.path("twice.o").exists()
        again = sdt.process(once, *first, name="again.o")
        assert again.read_bytes() == once.read_bytes()


def test_nothing_is_finalized(sdt):
    exe = program(sdt, "-O2")
    before = exe.read_bytes()
    assert "is freestanding" in sdt.sdtlink("finalize", exe, status=1).stderr
    assert exe.read_bytes() == before


def test_a_program_of_user_space(sdt):
    """There is no such function in libsdt: nothing is silently without probes."""
    obj = sdt.process(sdt.compile("freestanding.c"), "--freestanding")
    main = sdt.write("main.c", "int main(void) { return 0; }\n")
    said = sdt.command("gcc", main, obj, sdt.static_runtime, "-pthread", status=None).stderr
    assert "undefined reference to `__sdt_enter'" in said


def test_sets_are_not_mixed(sdt):
    """libsdt refuses the records of the other kind, verify says it."""
    kernels = sdt.process(sdt.compile("freestanding.c"), "--freestanding")
    glue = sdt.compile("freestanding_kernel.c", "-Dmain=other_main")
    own = sdt.write("own.c", """
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
static void handler(const struct sdt_event *event, void *data) { (void)event; (void)data; }
int work(const char *, int);
int main(void)
{
    int id = sdt_enable("kernel", handler, NULL);
    work("text", 1);
    printf("%d %d\\n", id, sdt_enable("own", handler, NULL) >= 0);
    SDT_PROBE(own, probe, 1);
    return 0;
}
""")
    exe = sdt.link(sdt.process(sdt.compile(own, "-I", INCLUDE)), kernels, glue)
    assert sdt.run(exe) == "-84 1\n"  # -EILSEQ
    said = sdt.sdtlink("verify", exe, status=1).stdout
    assert "freestanding as a whole, or not at all" in said


# ---- verify finds what is wrong ----

INLINE, DIRECT_CALL, DIRECT_TAIL, DIRECT_ENABLED_TAIL = 3, 13, 14, 15
# Where it is, and its bytes that are neither distances nor never executed.
CODE = {"entry": (lambda file: file.stub(INLINE), [*range(7), *range(11, 20)]),
        "stub": (lambda file: file.stub(DIRECT_CALL), [*range(11), 15]),
        "call": (lambda file: file.site(DIRECT_CALL), [0]),
        "loader": (lambda file: file.site(DIRECT_TAIL), [0, 1, 2, 3, 4, 9, 14]),
        "question": (lambda file: file.site(DIRECT_ENABLED_TAIL), [*range(6)])}


@needs_verify
@pytest.mark.parametrize("code", CODE)
def test_verify_reads_every_byte(sdt, code):
    find, offsets = CODE[code]

    def change(at):
        def flip(file):
            place = file.at(find(file) + at)
            file.put(place, bytes([file.data[place] ^ 0x11]))
        return flip
    assert_all_named(sdt, {f"byte {at}": (change(at), "expected") for at in offsets},
                     program(sdt, "-O2"))


@needs_verify
@pytest.mark.parametrize("code, at, name", [("entry", 7, "__sdt_enter"),
                                            ("stub", 16, "__sdt_enter_call"),
                                            ("loader", 15, "__sdt_finish"),
                                            ("question", 6, "__sdt_finish")])
def test_verify_follows_every_branch(sdt, code, at, name):
    """A byte further is another function, or none."""
    bad = changed(program(sdt, "-O2"),
                  lambda file: file.add(file.at(CODE[code][0](file) + at), "<i", 1))
    assert_named(sdt, name, bad)


@needs_verify
@pytest.mark.parametrize("name", ["__sdt_enter", "__sdt_enter_call", "__sdt_finish"])
def test_verify_knows_the_functions(sdt, name):
    """One of them under another name."""
    _, out = kernel(sdt)
    sdt.run("objcopy", f"--redefine-sym={name}=another", out)
    assert name in sdt.sdtlink("verify", out, status=1).stdout


@needs_verify
def test_verify_finds_a_call_without_a_record(sdt):
    bad = changed(program(sdt, "-O2"), lambda file: copy_record(file, INLINE, DIRECT_CALL))
    assert_named(sdt, "expected a record of this `testl`", bad)
