# SPDX-License-Identifier: BSD-2-Clause
"""Notes of <sys/sdt.h>, ours and SystemTap's, as sites on riscv64: what handlers read of every
operand that compilers write, semaphores, registers, and what is left alone. qemu runs the
programs."""
import re

import pytest

from conftest import INCLUDE, PROGRAMS, ROOT
from cross import emulated, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from stapsdt import ORIGINAL, include, notes
from test_riscv64 import CLANG, GCC, LINKERS, linked, relocations

pytestmark = [pytest.mark.nosan, pytest.mark.riscv64]  # the runtime is cross-compiled

ASM = ROOT / "tests" / "asm"
HEADERS = ["ours", "original"]
NOP = b"\x01\x00"
REFUSED = "this mode cannot arm this kind of site here"


def compiled(sdt, compiler, source, *flags, header="ours", name="in.o"):
    need(compiler.split()[0])
    sdt.command(*compiler.split(), *include(sdt, header), "-I", INCLUDE, *flags, "-c", source,
                "-o", sdt.path(name))
    return sdt.path(name)


def run(sdt, targets, *objects, linker="bfd", flags=(), args=(), **kwargs):
    sdt.command(GCC, "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o", sdt.path("emulated.o"))
    exe = linked(sdt, *objects, sdt.path("emulated.o"), targets("riscv64") / "lib" / "libsdt.a",
                 "-pthread", *flags, linker=linker)
    assert re.search(r"sites? as recorded", sdt.run(sdt.tool, "finalize", "--dry-run", exe))
    assert re.search(r": [1-9]\d* sites?, [1-9]\d* probes?: ok\n$",
                     sdt.sdtlink("verify", exe).stdout)
    return emulated(sdt, "riscv64", exe, *args, **kwargs).stdout


# ---- arguments ----

@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("compiler", [f"{GCC} -x c -O0", f"{GCC} -x c -O2", f"{GCC} -O1", *[
    f"{clang} -x c {level}" for clang in CLANG[-1:] for level in ("-O0", "-O2")]])
def test_arguments_of_every_type_arrive(sdt, targets, header, compiler):
    """`8@a0`, `-4@-28(s0)`, `8f@24(a3)`, constants; as C, and once as C++."""
    # clang gives up where SystemTap's header lets it choose memory
    flags = ["-DSTAP_SDT_ARG_CONSTRAINT=nr"] if "clang" in compiler and header != "ours" else []
    obj = compiled(sdt, compiler, PROGRAMS / "nop1_values.cc", "-fPIE", *flags, header=header)
    assert run(sdt, targets, sdt.process(obj, "-q")) == "ok\n"


def test_an_operand_that_nobody_can_read_stays_with_tracers(sdt, targets):
    """Without PIE gcc names a variable by the low bits of its address."""
    flags = ["-fno-pie", "-mcmodel=medlow"]
    obj = compiled(sdt, f"{GCC} -x c -O2", PROGRAMS / "nop1_values.cc", *flags)
    assert "%lo(" in sdt.run("readelf", "-n", obj)
    out = sdt.path("out.o")
    warning = sdt.sdtlink("-q", "-o", out, obj).stderr
    assert re.search(r'values:variables: argument 1, "-4@%lo\(', warning)
    said = run(sdt, targets, out, flags=["-no-pie"], status=1)
    assert said.startswith("variables: 0 arguments, not 5\n")
    loaded = compiled(sdt, f"{GCC} -x c -O2", PROGRAMS / "nop1_values.cc", *flags,
                      "-DSTAP_SDT_ARG_CONSTRAINT=nr")
    assert run(sdt, targets, sdt.process(loaded, "-q"), flags=["-no-pie"]) == "ok\n"


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
    printf("%g\n", sdt_arg_double(e, 0));
}
int main(void)
{
    int id = sdt_enable("m:*", on_hit, NULL);
    register long *base __asm__("s2") = memory + 2;
    register unsigned long wide __asm__("t1") = 0xfffffffefffffff8;
    register double real __asm__("fs1") = -2.5;
    register float half __asm__("fa3") = 0.5;
    __asm__ volatile("mv t3, ra\n\tli ra, 77\n" NOTES "mv ra, t3" : : "r"(base), "r"(wide),
                     "f"(real), "f"(half) : "memory", "t3");
    return sdt_disable(id);
}
"""
OPERANDS = {
    "8@8(s2) 8@(s2) -8@-8(s2) -8@-0x10(x18)": "44 -33 22 -1 44",
    "-4@t1 4@x6 -8@t1 -2@t1 1@t1": "-8 4294967288 -4294967304 -8 248 -8",
    " 8@5   -4@-5 8@0x10 -1@255 8@zero 4@0X1F 4@010 ": "5 -5 16 -1 0 31 8 5",
    "t1 8(s2)": "-4294967304 44 1.84467e+19",
    "8@ra 1@(s2) -1@x1": "77 223 77 77",
    "8f@fs1": "-4610560118520545280 -2.5",
    "4f@fa3 8f@f9": "4602678819172646912 -4610560118520545280 0.5",
    "8@8( s2 ), 8@5,-4@t1": "44 5 -8 44",
}
UNREAD = ["8@s2(8)", "8@%lo(memory)(s2)", "8@v0", "16@s2", "8@8(s2)!", "8@8(s2", "8@x32", "8@ft12"]


def test_operands_that_people_write(sdt, targets):
    """By all the names that registers have, those of floating point too."""
    source = sdt.write("written.c", WRITTEN)
    text = " ".join(f'NOTE("{operands}")' for operands in OPERANDS).replace("%", "%%")
    out = sdt.process(compiled(sdt, f"{GCC} -O1", source, f"-DNOTES={text}"), "-q")
    assert run(sdt, targets, out).splitlines() == list(OPERANDS.values())
    sites = ElfView(sdt.path("a.out")).sites()
    assert [site.nargs for site in sites] == [len(said.split()) - 1 for said in OPERANDS.values()]
    for site in sites:
        assert len(site.args.split(" ")) == site.nargs


@pytest.mark.parametrize("operands", UNREAD)
def test_operands_that_nobody_can_read(sdt, operands):
    source = sdt.write("written.c", WRITTEN)
    text = f'NOTE("8@s2 {operands}")'.replace("%", "%%")
    obj = compiled(sdt, f"{GCC} -O1", source, f"-DNOTES={text}")
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


# ---- what a hit leaves ----

@pytest.mark.parametrize("mode", ["jump", "trap"])
@pytest.mark.parametrize("cpu, hits", [
    ("rv64", "6 hits, vectors: 0"), ("rv64,v=true,vlen=256", "12 hits, vectors: 1")],
    ids=["plain", "vectors"])
def test_every_register_is_kept(sdt, targets, cpu, hits, mode):
    """Also t1, which an inline site gives away. A jump is asked for and refused, so that such a
    site is not hit: there is no room."""
    flags = ["-DNOTES", "-I", INCLUDE]
    site = sdt.process(compiled(sdt, GCC, ASM / "riscv64_registers.S", *flags, name="s.o"), "-q")
    main = compiled(sdt, f"{GCC} -O2", PROGRAMS / "riscv64_registers.c", *flags, name="main.o")
    said = run(sdt, targets, site, main, args=[mode], env={"QEMU_CPU": cpu})
    assert said == {"trap": f"{hits}\n", "jump": f"{REFUSED}\n0{hits[hits.index(' '):]}\n"}[mode]


HITS = r"""
#include <sdt/runtime.h>
#include <stdio.h>
#include <sys/sdt.h>
static int id, handled;
static void on_hit(const struct sdt_event *e, void *d)
{
    handled += (int)sdt_arg(e, 0);
    if (d)
        printf("disabled in the handler: %d\n", sdt_disable(id));
}
__attribute__((noinline)) static int work(int a)
{
    STAP_PROBE1(m, n, a);
    return a + 1;
}
int main(void)
{
    id = sdt_enable("m:n", SDT_COUNT, NULL);
    for (int i = 0; i < 1000; i++)
        work(i);
    printf("%llu %d\n", (unsigned long long)sdt_hits("m:n"), sdt_disable(id));
    id = sdt_enable("m:n", on_hit, NULL);
    int other = sdt_enable("m:n", SDT_COUNT, NULL);
    work(work(5));
    printf("handled %d\n", handled);
    sdt_disable(other);
    sdt_disable(id);
    work(7);
    id = sdt_enable("m:n", on_hit, "disable");
    printf("%d\n", work(8));
    printf("handled %d\n", handled);
    return 0;
}
"""


@pytest.mark.parametrize("compiler", [f"{GCC} -O2", *[f"{clang} -Os" for clang in CLANG[-1:]]])
def test_hits_are_counted_and_handled(sdt, targets, compiler):
    """Threads leave an entry by a breakpoint: the signal stays the runtime's for that, also where
    the handler has taken away the last site (-115: it has not ended yet)."""
    source = sdt.write("hits.c", HITS)
    obj = compiled(sdt, compiler, source, "-fPIE")
    assert run(sdt, targets, sdt.process(obj, "-q")).splitlines() == [
        "1000 0", "handled 11", "disabled in the handler: -115", "9", "handled 19"]


def test_unwinders_go_through_a_handler(sdt, targets):
    """From the handler to the probed function and to its callers, each once."""
    source = sdt.write("unwind.c", r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <sys/sdt.h>
#include <unwind.h>
#define FUNCTION __attribute__((noinline, noclone)) void
static int id;
FUNCTION leaf(int a) { STAP_PROBE1(m, n, a); }
FUNCTION middle(int a) { leaf(a); puts("middle"); }
static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data)
{
    (void)data;
    Dl_info info;
    void *pc = (void *)(_Unwind_GetIP(context) - 1);
    if (dladdr(pc, &info) && info.dli_sname)
        printf("%s ", info.dli_sname);
    return _URC_NO_REASON;
}
static void on_hit(const struct sdt_event *e, void *d)
{
    (void)e;
    (void)d;
    _Unwind_Backtrace(step, NULL);
    puts("");
}
int main(void)
{
    id = sdt_enable("m:n", on_hit, NULL);
    middle(3);
    return sdt_disable(id);
}
""")
    obj = compiled(sdt, f"{GCC} -O1", source, "-fPIE", "-fasynchronous-unwind-tables")
    said = run(sdt, targets, sdt.process(obj, "-q"), flags=["-rdynamic"]).splitlines()
    names = said[0].split()
    assert names[names.index("leaf"):][:3] == ["leaf", "middle", "main"] and said[1] == "middle"
    assert names.count("leaf") == 1


# ---- what becomes of the object ----

@pytest.mark.parametrize("relax", ["-mrelax", "-mno-relax"])
@pytest.mark.parametrize("linker", LINKERS)
def test_the_note_stays_and_leads_to_the_nop(sdt, linker, relax):
    """Tracers see what they saw. The NOP is not changed by the tool, but anchored to its record;
    after the link note and record agree, also where calls before it were shortened."""
    source = sdt.write("n.c", "#include <sys/sdt.h>\n#include <stdio.h>\nint f(int a);\n"
                       "int f(int a)\n"
                       "{ puts(\"a\"); puts(\"b\"); STAP_PROBE1(m, n, a); return a; }\n"
                       "int main(void) { return f(0) + f(0); }\n")
    obj = compiled(sdt, f"{GCC} -O2 {relax} -fPIE", source)
    out = sdt.process(obj)
    before, after = notes(obj), notes(out)
    assert [(n.provider, n.name, n.args) for n in before] == \
        [(n.provider, n.name, n.args) for n in after]
    anchors = [found for found in relocations(sdt, out).values()
               if ("R_RISCV_NONE", "sdt_sites") in found]
    assert len(anchors) == len(after)
    assert sdt.process(out, "-q", name="twice.o").read_bytes() == out.read_bytes()
    exe = linked(sdt, out, linker=linker)
    assert sdt.sdtlink("verify", "--against", obj, out).stdout.endswith(": ok\n")
    assert sdt.sdtlink("verify", exe).stdout.endswith(": ok\n")
    view = ElfView(exe)
    assert sorted(site.pc for site in view.sites()) == sorted(int(n.pc) for n in notes(exe))
    for site in view.sites():
        assert site.kind == "nop1" and view.bytes(site.pc, 2) == NOP


@pytest.mark.parametrize("code", [".option norvc\nnop\n.option rvc", "mv a0, a0",
                                  "addi zero, t1, 5", ".byte 0"])
def test_what_is_no_nop_of_two_bytes_stays_a_note(sdt, code):
    """For a breakpoint of two bytes there must be an instruction of two."""
    source = sdt.write("n.S", f"""
        .text
f:      {code.replace(chr(10), "; ")}
        nop
        nop
        .pushsection .note.stapsdt, "", "note"
        .long 8, 2f - 1f, 3
        .asciz "stapsdt"
1:      .8byte f + {1 if "byte" in code else 0}, 0, 0
        .asciz "m"
        .asciz "n"
        .asciz ""
2:      .balign 4
        .popsection
""")
    obj = compiled(sdt, GCC, source)
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    assert "the instruction there is not a NOP of two bytes (c.nop)" in result.stderr
    assert sdt.path("out.o").read_bytes() == obj.read_bytes()
