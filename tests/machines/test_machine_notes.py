# SPDX-License-Identifier: BSD-2-Clause
"""Notes of <sys/sdt.h>, ours and SystemTap's, as sites on aarch64 and riscv64: what handlers read
of every operand that compilers write, semaphores, registers, and what is left alone. qemu runs the
programs."""
import re

import pytest

from conftest import INCLUDE, PROGRAMS, ROOT
from cross import emulated, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from machines import each
from stapsdt import ORIGINAL, include, notes
from test_riscv64 import relocations

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
NOP = {"aarch64": b"\x1f\x20\x03\xd5", "riscv64": b"\x01\x00"}
NONE = {"aarch64": "R_AARCH64_NONE", "riscv64": "R_RISCV_NONE"}
REFUSED = "this mode cannot arm this kind of site here"


def compiled(sdt, compiler, source, *flags, header="ours", name="in.o"):
    need(compiler.split()[0])
    sdt.command(*compiler.split(), *include(sdt, header), "-I", INCLUDE, *flags, "-c", source,
                "-o", sdt.path(name))
    return sdt.path(name)


def run(sdt, targets, machine, *objects, linker="bfd", flags=(), args=(), **kwargs):
    sdt.command(machine.gcc, "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o",
                sdt.path("emulated.o"))
    exe = machine.linked(sdt, *objects, sdt.path("emulated.o"), machine.library(targets),
                         "-pthread", *flags, linker=linker)
    assert re.search(r"sites? as recorded", sdt.run(sdt.tool, "finalize", "--dry-run", exe))
    found = r": [1-9]\d* sites?, [1-9]\d* probes?(, 1 handler of general registers)?: ok\n$"
    assert re.search(found, sdt.sdtlink("verify", exe).stdout)
    return emulated(sdt, machine.name, exe, *args, **kwargs).stdout


# ---- arguments ----

def compilers(machine):
    """As C; for riscv64 also once as C++."""
    return [f"{machine.gcc} -x c -O0", f"{machine.gcc} -x c -O2",
            *[f"{machine.gcc} -O1"][:machine.name == "riscv64"],
            *[f"{clang} -x c {level}" for clang in machine.clangs[-1:]
              for level in ("-O0", "-O2")]]


def is_in_registers(machine, compiler, header):
    """gcc -O2 for aarch64 names a variable by the low bits of its address, which no tracer can
    read; with registers only it loads it. clang for riscv64 gives up where SystemTap's header lets
    it choose memory."""
    if machine.name == "aarch64":
        return "gcc" in compiler and "-O2" in compiler
    return "clang" in compiler and header != "ours"


@pytest.mark.parametrize("header", ["ours", "original"])
@each(compiler=compilers)
def test_arguments_of_every_type_arrive(sdt, targets, machine, compiler, header):
    """`x0`, `w0`, `[sp, 8]`, `[x1, 6]`; `8@a0`, `-4@-28(s0)`, `8f@24(a3)`; constants."""
    flags = ["-DSTAP_SDT_ARG_CONSTRAINT=nr"][:is_in_registers(machine, compiler, header)]
    obj = compiled(sdt, compiler, PROGRAMS / "nop1_values.cc", "-fPIE", *flags, header=header)
    assert run(sdt, targets, machine, sdt.process(obj, "-q")) == "ok\n"


LOW_BITS = {  # how gcc is brought to name a variable by those of its address; and what it says
    "aarch64": ([], [], r"\[x\d+, #:lo12:\S+\]"),
    "riscv64": (["-fno-pie", "-mcmodel=medlow"], ["-no-pie"], r"%lo\(\S+\)\(\w+\)"),
}


@each()
def test_an_operand_that_nobody_can_read_stays_with_tracers(sdt, targets, machine):
    flags, link, operand = LOW_BITS[machine.name]
    obj = compiled(sdt, f"{machine.gcc} -x c -O2", PROGRAMS / "nop1_values.cc", *flags)
    assert re.search(operand, sdt.run("readelf", "-n", obj))
    out = sdt.path("out.o")
    warning = sdt.sdtlink("-q", "-o", out, obj).stderr
    assert re.search(r"warning: .* probe values:variables: argument 1, "
                     rf'"-4@{operand}", has a form that is not read\n', warning)
    assert warning.count("warning") == 1
    said = run(sdt, targets, machine, out, flags=link, status=1)
    assert said.startswith("variables: 0 arguments, not 5\n")
    loaded = compiled(sdt, f"{machine.gcc} -x c -O2", PROGRAMS / "nop1_values.cc", *flags,
                      "-DSTAP_SDT_ARG_CONSTRAINT=nr")
    assert run(sdt, targets, machine, sdt.process(loaded, "-q"), flags=link) == "ok\n"


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
    printf("| %g\n", sdt_arg_double(e, 0));
}
int main(void)
{
    int id = sdt_enable("m:*", on_hit, NULL);
"""
HIT = {
    "aarch64": r"""
    register long *base __asm__("x9") = memory + 2;
    register unsigned long wide __asm__("x10") = 0xfffffffefffffff8;
    __asm__ volatile("mov x11, x30\n\tmov x30, #77\n" NOTES "mov x30, x11" : : "r"(base),
                     "r"(wide) : "memory", "x11");
""",
    "riscv64": r"""
    register long *base __asm__("s2") = memory + 2;
    register unsigned long wide __asm__("t1") = 0xfffffffefffffff8;
    register double real __asm__("fs1") = -2.5;
    register float half __asm__("fa3") = 0.5;
    __asm__ volatile("mv t3, ra\n\tli ra, 77\n" NOTES "mv ra, t3" : : "r"(base), "r"(wide),
                     "f"(real), "f"(half) : "memory", "t3");
""",
}
END = "    return sdt_disable(id);\n}\n"
OPERANDS = {  # each with the values that the handler reads, and the first one as a double
    "aarch64": {
        "8@[x9, 8] 8@[x9] -8@[x9,-8] -8@[x9, #-16]": "44 -33 22 -1 | 44",
        "-4@w10 4@x10 -8@x10 -2@w10 1@x10": "-8 4294967288 -4294967304 -8 248 | -8",
        " 8@5   -4@-5 8@#0x10 -1@255 8@xzr 4@0X1F 4@010 ": "5 -5 16 -1 0 31 8 | 5",
        "x10 w10 [x9, 8]": "-4294967304 4294967288 44 | 1.84467e+19",
        "8@x30 1@[x9] -1@w30": "77 223 77 | 77",
        "8@[x9, 8], 8@[ x9 , -8 ],4@w10": "44 22 4294967288 | 44",
        ":": "| 0",
    },
    "riscv64": {
        "8@8(s2) 8@(s2) -8@-8(s2) -8@-0x10(x18)": "44 -33 22 -1 | 44",
        "-4@t1 4@x6 -8@t1 -2@t1 1@t1": "-8 4294967288 -4294967304 -8 248 | -8",
        " 8@5   -4@-5 8@0x10 -1@255 8@zero 4@0X1F 4@010 ": "5 -5 16 -1 0 31 8 | 5",
        "t1 8(s2)": "-4294967304 44 | 1.84467e+19",
        "8@ra 1@(s2) -1@x1": "77 223 77 | 77",
        "8f@fs1": "-4610560118520545280 | -2.5",
        "4f@fa3 8f@f9": "4602678819172646912 -4610560118520545280 | 0.5",
        "8@8( s2 ), 8@5,-4@t1": "44 5 -8 | 44",
    },
}
UNREAD = {  # as the second one
    "aarch64": [f"8@x9 {operand}" for operand in (
        "8@[x9, x10]", "8@[x9, #:lo12:memory]", "8@v0", "16@x9", "8@[x9, 8]!", "8@[x9 8@x9")],
    "riscv64": [f"8@s2 {operand}" for operand in (
        "8@s2(8)", "8@%lo(memory)(s2)", "8@v0", "16@s2", "8@8(s2)!", "8@8(s2", "8@x32", "8@ft12")],
}


def written(sdt, machine, *operands):
    """A program with a note for each of OPERANDS."""
    source = sdt.write("written.c", WRITTEN + HIT[machine.name] + END)
    text = " ".join(f'NOTE("{operand}")' for operand in operands).replace("%", "%%")
    return compiled(sdt, f"{machine.gcc} -O1", source, f"-DNOTES={text}")


@each()
def test_operands_that_people_write(sdt, targets, machine):
    """By all the names that registers have, on riscv64 those of floating point as well. In a record
    a blank ends an operand, so those in brackets go."""
    operands = OPERANDS[machine.name]
    out = sdt.process(written(sdt, machine, *operands), "-q")
    assert run(sdt, targets, machine, out).splitlines() == list(operands.values())
    sites = ElfView(sdt.path("a.out")).sites()
    assert [site.nargs for site in sites] == \
        [len(said.split("|")[0].split()) for said in operands.values()]
    for site in sites:
        assert len(site.args.split(" ") if site.args else []) == site.nargs


@each(operands=lambda m: UNREAD[m.name])
def test_operands_that_nobody_can_read(sdt, machine, operands):
    result = sdt.sdtlink("-o", sdt.path("out.o"), written(sdt, machine, operands))
    assert "argument 2" in result.stderr and "no probe to process" in result.stdout


# ---- semaphores ----

@each(linker=lambda m: m.linkers)
@pytest.mark.parametrize("visibility", [[], ["-DVISIBILITY=unused"]], ids=["hidden", "default"])
def test_semaphores(sdt, targets, machine, linker, visibility):
    """Hidden, static and of another object. One that may be another file's is found by a word that
    the loader fills, in executables of each kind."""
    source = PROGRAMS / "nop1_semaphore.c"
    header = "original" if ORIGINAL and linker == "bfd" else "ours"
    for compile_flag, link_flag in (("-fPIE", "-pie"), ("-fno-pie", "-static")):
        part, main, define = [
            compiled(sdt, f"{machine.gcc} -O2", source, compile_flag, "-ffunction-sections",
                     *visibility, *flags, header=header, name=f"{number}.o")
            for number, flags in enumerate((["-DPART"], [], ["-DDEFINE"]))]
        objects = [sdt.process(part, "-q"), sdt.process(main, "-q"), define]
        words = [".data.rel.ro.sdt" in sdt.run("readelf", "-SW", obj) for obj in objects[:2]]
        assert words == ([False, True] if visibility else [False, False])
        assert run(sdt, targets, machine, *objects, linker=linker,
                   flags=[link_flag, "-Wl,--gc-sections"]) == "ok\n"


# ---- registers ----

@pytest.mark.parametrize("mode", ["jump", "trap"])
@each(cpu=lambda m: m.cpus)
def test_every_register_is_kept(sdt, targets, machine, cpu, mode):
    """And the flags; also t1, which an inline site on riscv64 gives away. A jump is asked for and
    refused there, so that such a site is not hit: there is no room."""
    flags = ["-O2", "-DNOTES", "-I", INCLUDE]
    code = ROOT / "tests" / "asm" / f"{machine}_registers.S"
    site = sdt.process(compiled(sdt, machine.gcc, code, *flags, name="s.o"), "-q")
    main = compiled(sdt, machine.gcc, PROGRAMS / f"{machine}_registers.c", *flags, name="main.o")
    said = run(sdt, targets, machine, site, main, args=[mode], env={"QEMU_CPU": cpu})
    hits = machine.cpus[cpu][0]
    if machine.name == "riscv64" and mode == "jump":
        assert said == f"{REFUSED}\n0{hits[hits.index(' '):]}\n"
    else:
        assert said == f"{hits}\n"


# ---- what becomes of the object ----

@each(linker=lambda m: m.linkers,
      relax=lambda m: {"aarch64": [[]], "riscv64": [["-mrelax"], ["-mno-relax"]]}[m.name])
def test_the_note_stays_and_leads_to_the_nop(sdt, machine, linker, relax):
    """Tracers see what they saw. The NOP is not changed by the tool, but anchored to its record;
    after the link note and record agree, also where calls before it were shortened."""
    source = sdt.write("n.c", "#include <sys/sdt.h>\n#include <stdio.h>\nint f(int a);\n"
                       "int f(int a)\n"
                       "{ puts(\"a\"); puts(\"b\"); STAP_PROBE1(m, n, a); return a; }\n"
                       "int main(void) { return f(0) + f(0); }\n")
    obj = compiled(sdt, f"{machine.gcc} -O2 -fPIE", source, *relax)
    out = sdt.process(obj)
    before, after = notes(obj), notes(out)
    assert [(n.pc[1], n.provider, n.name, n.args) for n in before] == \
        [(n.pc[1], n.provider, n.name, n.args) for n in after]
    anchors = [at for (_, at), found in relocations(sdt, out).items()
               if (NONE[machine.name], "sdt_sites") in found]
    assert sorted(anchors) == sorted(n.pc[1] for n in after)
    assert sdt.process(out, "-q", name="twice.o").read_bytes() == out.read_bytes()
    exe = machine.linked(sdt, out, linker=linker)
    assert sdt.sdtlink("verify", "--against", obj, out).stdout.endswith(": ok\n")
    assert sdt.sdtlink("verify", exe).stdout.endswith(": ok\n")
    view, nop = ElfView(exe), NOP[machine.name]
    assert sorted(site.pc for site in view.sites()) == sorted(int(n.pc) for n in notes(exe))
    for site in view.sites():
        assert site.kind == "nop1" and view.bytes(site.pc, len(nop)) == nop


LEFT = {  # no NOP, or none for a breakpoint of two bytes; and where the note says that it is
    "aarch64": [(".inst 0xd503203f /* yield */", 0), ("mov x0, x0", 0), (".byte 0, 0", 2)],
    "riscv64": [(".option norvc; nop; .option rvc", 0), ("mv a0, a0", 0), ("addi zero, t1, 5", 0),
                (".byte 0", 1)],
}
WHY = {"aarch64": "the instruction there is not a NOP and cannot be replaced",
       "riscv64": "the instruction there is not a NOP of two bytes (c.nop)"}


@each(code=lambda m: LEFT[m.name])
def test_what_is_no_nop_stays_a_note(sdt, machine, code):
    """Another hint, and anything there may be inside an instruction."""
    code, skip = code
    source = sdt.write("n.S", f"""
        .text
f:      {code}
        nop
        nop
        .pushsection .note.stapsdt, "", "note"
        .long 8, 2f - 1f, 3
        .asciz "stapsdt"
1:      .8byte f + {skip}, 0, 0
        .asciz "m"
        .asciz "n"
        .asciz ""
2:      .balign 4
        .popsection
""")
    obj = compiled(sdt, machine.gcc, source)
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    assert WHY[machine.name] in result.stderr
    assert sdt.path("out.o").read_bytes() == obj.read_bytes()
