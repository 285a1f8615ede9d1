# SPDX-License-Identifier: BSD-2-Clause
"""Objects for aarch64 and riscv64 on any host: programs that compute what they did, call sites of
macros, what processing leaves, and what sdtlink refuses. qemu runs what needs no runtime."""
import re

import pytest

from conftest import INCLUDE
from cross import compiled, emulated, need
from elfview import ElfView, SITE
from machines import each


@pytest.fixture(autouse=True)
def compiler(machine):
    need(machine.gcc)


def printed(sdt, machine, program):
    return emulated(sdt, machine.name, program).stdout


# ---- what becomes of an object ----

@each(linker=lambda m: m.linkers)
def test_a_program_computes_what_it_did(sdt, machine, linker):
    obj = compiled(sdt, f"{machine.gcc} -O2")
    control = compiled(sdt, f"{machine.gcc} -O2", "-DCONTROL", name="control.o")
    wanted = printed(sdt, machine, machine.linked(sdt, obj, control, linker=linker, name="control"))
    assert printed(sdt, machine, machine.linked(sdt, sdt.process(obj), linker=linker)) == wanted


ARGUMENTS = {"aarch64": "8@x0 -4@x1 8@x2 8@x3 -4@x4 -4@x5 -4@x6 -4@x7 1@[sp,0] 8@[sp,8]",
             "riscv64": "8@a0 -4@a1 8@a2 8@a3 -4@a4 -4@a5 -4@a6 -4@a7 1@0(sp) 8@8(sp)"}
ASKED = {"aarch64": r"\.text\.sdt_loader\+0x0", "riscv64": r"\.text\+0x\w+"}


@each()
def test_macros_make_call_sites(sdt, machine):
    """<sdt/probe.h> with -DSDT_CALL_SITES; types, names and questions come through."""
    source = sdt.write("web.c", """
#include <sdt/probe.h>
int serve(const char *path, int size, float weight);
int serve(const char *path, int size, float weight)
{
    if (SDT_PROBE_ENABLED(web, request__begin))
        SDT_PROBE(web, request__begin, path, size, weight, 7UL, 1, 2, 3, 4, (char)5, path);
    return size;
}
""")
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", INCLUDE]
    out = sdt.process(compiled(sdt, f"{machine.gcc} -O2 -DSDT_CALL_SITES", *flags, source=source))
    said = sdt.run(sdt.tool, "list", out)
    assert re.search(r"web +\S+ +serve +request-begin +\.text\+0x\w+ +call +path: string, "
                     r"size: int32, weight: float, arg3: uint64", said), said
    assert re.search(rf"request-begin +{ASKED[machine.name]} +enabled$", said, re.M), said
    notes = sdt.run("readelf", "-n", out)
    assert ARGUMENTS[machine.name] in notes


LEAF = """
#include <sdt/probe.h>
long add(long a, int b, double c, const char *d);
long add(long a, int b, double c, const char *d)
{
    SDT_PROBE(p, n, a, b, c, d, -5, 1UL << 40, a + b);
    return a + b;
}
"""  # what becomes of its inline site is in the file of each machine


# ---- what processing leaves ----

@each()
def test_a_second_run_changes_nothing(sdt, machine):
    once = sdt.process(compiled(sdt, f"{machine.gcc} -O2"))
    assert sdt.process(once, name="twice.o").read_bytes() == once.read_bytes()


@each()
def test_dead_code_takes_its_records_along(sdt, machine):
    source = sdt.write("dead.c", "void __dtrace_sdt_p___live(void), __dtrace_sdt_p___dead(void);\n"
                       "void dead(void);\nvoid dead(void) { __dtrace_sdt_p___dead(); }\n"
                       "int main(void) { __dtrace_sdt_p___live(); return 0; }\n")
    out = sdt.process(compiled(sdt, f"{machine.gcc} -O2 -ffunction-sections", source=source))
    lld = [linker for linker in machine.linkers if linker.startswith("lld")]
    exe = machine.linked(sdt, out, "-Wl,--gc-sections", linker=lld[-1] if lld else "mold")
    titles = [site.title for site in ElfView(exe).sites()]
    assert titles == ["p:live"]
    assert len(ElfView(exe).section("sdt_sites").data) == SITE.size * len(titles)


# ---- refusals ----

CALL = "void __dtrace_sdt_p___n(void);\nint f(void) { __dtrace_sdt_p___n(); return 1; }\n"
REFUSED = {
    "aarch64": {
        "got": (CALL, ["-O2", "-fno-plt", "-fPIC"],
                "the probe's address is loaded from the GOT", "compile without -fno-plt"),
        "inline": ("void f(void) { __asm__(\"b __dtrace_sdtasm_p___n\"); }\n", [],
                   "this is not an inline probe site", "use SDT_PROBE"),
        "offset": ("void f(void) { __asm__ volatile(\"bl __dtrace_sdt_p___n + 8\"); }\n", [],
                   "this is not a plain branch", "without an offset"),
        "unknown": ("void f(void) { __asm__ volatile(\"ldr x0, __dtrace_sdt_p___n\"); }\n", [],
                    "unknown use of a probe", "call the probe as a function"),
        "ILP32": (CALL, ["-mabi=ilp32"], "a 32-bit ELF file (ILP32)", "-mabi=lp64"),
        "big-endian": (CALL, ["-mbig-endian"], "a big-endian ELF file", "-mlittle-endian"),
    },
    "riscv64": {
        "got": ("void f(void) { __asm__(\"la a0, __dtrace_sdt_p___n\"); }\n", ["-fPIC"],
                "the probe's address is loaded from the GOT", "compile without -fno-plt"),
        "jal": ("void f(void) { __asm__ volatile(\"jal ra, __dtrace_sdt_p___n\"); }\n", [],
                "a branch of one instruction leads to the probe", "write `call` or `tail`"),
        "inline": ("void f(void) { __asm__(\"call __dtrace_sdtasm_p___n\"); }\n", [],
                   "this is not an inline probe site", "use SDT_PROBE"),
        "offset": ("void f(void) { __asm__ volatile(\"call __dtrace_sdt_p___n + 8\"); }\n", [],
                   "this is not a plain call", "without an offset"),
        "register": ("void f(void) { __asm__ volatile(\"call t0, __dtrace_sdt_p___n\"); }\n", [],
                     "this is not a plain call", "call the probe's symbol itself"),
        "RV32": (CALL, ["-march=rv32gc", "-mabi=ilp32d"], "a 32-bit ELF file (RV32)",
                 "-march=rv64gc"),
        "big-endian": (CALL, ["-mbig-endian"], "a big-endian ELF file", "-mlittle-endian"),
    },
}


@each(case=lambda m: REFUSED[m.name])
def test_refused_by_name(sdt, machine, case):
    text, flags, problem, remedy = REFUSED[machine.name][case]
    obj = compiled(sdt, machine.gcc, *flags, source=sdt.write("bad.c", text))
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj, status=1)
    assert problem in result.stderr and remedy in result.stderr
    assert not sdt.path("out.o").exists()


@each()
def test_an_address_is_a_warning(sdt, machine):
    """What takes a probe's address can still call it; it does nothing."""
    source = sdt.write("taken.c", "#include <stdio.h>\nvoid __dtrace_sdt_p___n(void);\n"
                       "void (*volatile taken)(void) = __dtrace_sdt_p___n;\n"
                       "int main(void) { taken(); puts(\"back\"); return 0; }\n")
    obj = compiled(sdt, f"{machine.gcc} -O2", source=source)
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    assert "the probe's address is taken here" in result.stderr
    assert {"aarch64": "R_AARCH64_ABS64", "riscv64": "R_RISCV_64"}[machine.name] in result.stderr
    assert printed(sdt, machine, machine.linked(sdt, sdt.path("out.o"))) == "back\n"
