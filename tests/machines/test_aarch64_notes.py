# SPDX-License-Identifier: BSD-2-Clause
"""Notes of <sys/sdt.h>, ours and SystemTap's, as sites on aarch64: what handlers read of every
operand that compilers write, semaphores, and what is left alone. qemu runs the programs."""
import re

import pytest

from conftest import INCLUDE, PROGRAMS
from cross import emulated, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from stapsdt import ORIGINAL, include, notes
from test_aarch64 import ASM, CLANG, GCC, LINKERS, disassembled, linked

pytestmark = [pytest.mark.nosan, pytest.mark.aarch64]  # the runtime is cross-compiled

HEADERS = ["ours", "original"]


def compiled(sdt, compiler, source, *flags, header="ours", name="in.o"):
    need(compiler.split()[0])
    sdt.command(*compiler.split(), *include(sdt, header), "-I", INCLUDE, *flags, "-c", source,
                "-o", sdt.path(name))
    return sdt.path(name)


def run(sdt, targets, *objects, linker="bfd", flags=(), args=(), **kwargs):
    sdt.command(GCC, "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o", sdt.path("emulated.o"))
    exe = linked(sdt, *objects, sdt.path("emulated.o"), targets("aarch64") / "lib" / "libsdt.a",
                 "-pthread", *flags, linker=linker)
    found = r": [1-9]\d* sites?, [1-9]\d* probes?(, 1 handler of general registers)?: ok\n$"
    assert re.search(found, sdt.sdtlink("verify", exe).stdout)
    return emulated(sdt, "aarch64", exe, *args, **kwargs).stdout


# ---- arguments ----

@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("compiler", [f"{GCC} -x c -O0", f"{GCC} -x c -O2", *[
    f"{clang} -x c {level}" for clang in CLANG[-1:] for level in ("-O0", "-O2")]])
def test_arguments_of_every_type_arrive(sdt, targets, header, compiler):
    """`x0`, `w0`, `[sp, 8]`, `[x1, 6]`, constants. gcc -O2 names a variable by the low bits of its
    address, which no tracer can read; with registers only it loads it."""
    flags = ["-DSTAP_SDT_ARG_CONSTRAINT=nr"] if "gcc" in compiler and "-O2" in compiler else []
    obj = compiled(sdt, compiler, PROGRAMS / "nop1_values.cc", "-fPIE", *flags, header=header)
    assert run(sdt, targets, sdt.process(obj, "-q")) == "ok\n"


def test_an_operand_that_nobody_can_read_stays_with_tracers(sdt, targets):
    obj = compiled(sdt, f"{GCC} -x c -O2", PROGRAMS / "nop1_values.cc")
    assert "#:lo12:" in sdt.run("readelf", "-n", obj)
    out = sdt.path("out.o")
    warning = sdt.sdtlink("-q", "-o", out, obj).stderr
    assert re.search(r"warning: .* probe values:variables: argument 1, "
                     r'"-4@\[x\d+, #:lo12:\S+\]", has a form that is not read\n', warning)
    assert warning.count("warning") == 1
    assert run(sdt, targets, out, status=1).startswith("variables: 0 arguments, not 5\n")


WRITTEN = r"""
#include <sdt/runtime.h>
#include <stdio.h>
#define NOTE(text) "990: nop\n.pushsection .note.stapsdt, \"?\", \"note\"\n.balign 4\n" \
    ".4byte 8, 992f - 991f, 3\n.asciz \"stapsdt\"\n991: .8byte 990b, 0, 0\n" \
    ".asciz \"m\"\n.asciz \"n\"\n.asciz \"" text "\"\n992: .balign 4\n.popsection\n"
static long memory[4] = {-1, 22, -33, 44};
static void on_hit(const struct sdt_event *e, void *d)
{
    (void)d;
    for (unsigned i = 0; i < sdt_nargs(e); i++)
        printf("%lld ", (long long)sdt_arg(e, i));
    puts("");
}
int main(void)
{
    int id = sdt_enable("m:*", on_hit, NULL);
    register long *base __asm__("x9") = memory + 2;
    register unsigned long wide __asm__("x10") = 0xfffffffefffffff8;
    __asm__ volatile("mov x11, x30\n\tmov x30, #77\n" NOTES "mov x30, x11" : : "r"(base), "r"(wide)
                     : "memory", "x11");
    return sdt_disable(id);
}
"""
OPERANDS = {
    "8@[x9, 8] 8@[x9] -8@[x9,-8] -8@[x9, #-16]": "44 -33 22 -1 ",
    "-4@w10 4@x10 -8@x10 -2@w10 1@x10": "-8 4294967288 -4294967304 -8 248 ",
    " 8@5   -4@-5 8@#0x10 -1@255 8@xzr 4@0X1F 4@010 ": "5 -5 16 -1 0 31 8 ",
    "x10 w10 [x9, 8]": "-4294967304 4294967288 44 ",
    "8@x30 1@[x9] -1@w30": "77 223 77 ",
    "8@[x9, 8], 8@[ x9 , -8 ],4@w10": "44 22 4294967288 ",
    ":": "",
}
UNREAD = ["8@[x9, x10]", "8@[x9, #:lo12:memory]", "8@v0", "16@x9", "8@[x9, 8]!", "8@[x9 8@x9"]


def test_operands_that_people_write(sdt, targets):
    """In a record a blank ends an operand, so those in brackets go."""
    source = sdt.write("written.c", WRITTEN)
    text = " ".join(f'NOTE("{operands}")' for operands in OPERANDS)
    out = sdt.process(compiled(sdt, f"{GCC} -O1", source, f"-DNOTES={text}"), "-q")
    assert run(sdt, targets, out).splitlines() == list(OPERANDS.values())
    sites = ElfView(sdt.path("a.out")).sites()
    assert [site.nargs for site in sites] == [len(said.split()) for said in OPERANDS.values()]
    for site in sites:
        assert len((site.args or "").split()) == site.nargs


@pytest.mark.parametrize("operands", UNREAD)
def test_operands_that_nobody_can_read(sdt, operands):
    source = sdt.write("written.c", WRITTEN)
    obj = compiled(sdt, f"{GCC} -O1", source, f'-DNOTES=NOTE("8@x9 {operands}")')
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    assert "argument 2" in result.stderr and "no probe to process" in result.stdout


# ---- semaphores ----

@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("visibility", [[], ["-DVISIBILITY=unused"]], ids=["hidden", "default"])
def test_semaphores(sdt, targets, linker, visibility):
    """Hidden, static and of another object. One that may be another file's is found by a word that
    the loader fills, in executables of each kind."""
    source = PROGRAMS / "nop1_semaphore.c"
    header = "original" if ORIGINAL and linker == "bfd" else "ours"
    for compile_flag, link_flag in (("-fPIE", "-pie"), ("-fno-pie", "-static")):
        part, main, define = [
            compiled(sdt, f"{GCC} -O2", source, compile_flag, "-ffunction-sections", *visibility,
                     *flags, header=header, name=f"{number}.o")
            for number, flags in enumerate((["-DPART"], [], ["-DDEFINE"]))]
        objects = [sdt.process(part, "-q"), sdt.process(main, "-q"), define]
        words = [".data.rel.ro.sdt" in sdt.run("readelf", "-SW", obj) for obj in objects[:2]]
        assert words == ([False, True] if visibility else [False, False])
        assert run(sdt, targets, *objects, linker=linker,
                   flags=[link_flag, "-Wl,--gc-sections"]) == "ok\n"


# ---- registers ----

@pytest.mark.parametrize("mode", ["jump", "trap"])
def test_every_register_and_the_flags_are_kept(sdt, targets, mode):
    flags = ["-O2", "-DNOTES", "-I", INCLUDE]
    site = sdt.process(compiled(sdt, GCC, ASM / "aarch64_registers.S", *flags, name="s.o"), "-q")
    main = compiled(sdt, GCC, PROGRAMS / "aarch64_registers.c", *flags, name="main.o")
    assert run(sdt, targets, site, main, args=[mode], env={"QEMU_CPU": "max"}) == "9 hits, SVE: 1\n"


# ---- what becomes of the object ----

def test_the_note_stays_and_the_nop_stays(sdt):
    """Tracers see what they saw; the NOP is not changed by the tool, but anchored to its record."""
    source = sdt.write("n.c", "#include <sys/sdt.h>\nint f(int a);\n"
                       "int f(int a) { STAP_PROBE1(m, n, a); return a; }\n")
    obj = compiled(sdt, f"{GCC} -O2", source)
    out = sdt.process(obj)
    before, after = notes(obj), notes(out)
    assert [(n.pc[1], n.provider, n.name, n.args) for n in before] == \
        [(n.pc[1], n.provider, n.name, n.args) for n in after]
    code, relocations = disassembled(sdt, out)
    assert code[".text", after[0].pc[1]] == "nop"
    assert ("R_AARCH64_NONE", "sdt_sites") in relocations[".text", after[0].pc[1]]
    assert sdt.process(out, "-q", name="twice.o").read_bytes() == out.read_bytes()


@pytest.mark.parametrize("code", [".inst 0xd503203f", "mov x0, x0", ".byte 0, 0"])
def test_what_is_no_nop_stays_a_note(sdt, code):
    """`yield` is a hint as well; and two bytes into a word there may be anything."""
    source = sdt.write("n.S", f"""
        .text
f:      {code}
        nop
        nop
        .pushsection .note.stapsdt, "", "note"
        .long 8, 2f - 1f, 3
        .asciz "stapsdt"
1:      .8byte f + {2 if "byte" in code else 0}, 0, 0
        .asciz "m"
        .asciz "n"
        .asciz ""
2:      .balign 4
        .popsection
""")
    obj = compiled(sdt, GCC, source)
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    assert "the instruction there is not a NOP and cannot be replaced" in result.stderr
    assert sdt.path("out.o").read_bytes() == obj.read_bytes()
