# SPDX-License-Identifier: BSD-2-Clause
"""What only companions on riscv64 meet: calls that change while threads run them, many that are
written together; code that linkers may shorten, which is refused. The rest is in
test_machine_companion.py."""
import struct

import pytest

import companion
from conftest import PROGRAMS
from cross import emulated, need, targets  # noqa: F401 (targets is a fixture)
from patched import assert_named, needs_verify
from test_riscv64 import GCC, compiled

pytestmark = [pytest.mark.nosan, pytest.mark.riscv64]  # the runtime is cross-compiled
CALL_PLT, RELAX = 19, 51  # relocations

MANY = """
#include <pthread.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <unistd.h>
static volatile int stop, wrong, go;
static volatile long rounds;
#define STEP(n) long step##n(long a); long step##n(long a) \\
    { SDT_PROBE(many, step##n, a); return a + n; }
#define TEN(n) STEP(n##0) STEP(n##1) STEP(n##2) STEP(n##3) STEP(n##4) STEP(n##5) STEP(n##6) \\
    STEP(n##7) STEP(n##8) STEP(n##9)
TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8)
static void *run(void *data)
{
    while (!stop) {
        if (step10(1) != 11 || step45(step89(2)) != 136)
            wrong = 1;
        rounds++;
    }
    return data;
}
static pthread_t thread;
__attribute__((constructor(101))) static void early(void)
{
    pthread_create(&thread, NULL, run, NULL);
    while (rounds < 1000)
        usleep(1);
}
int main(void)
{
    long before = rounds;
    while (rounds < before + 1000)
        usleep(1);
    int id = sdt_enable("many:step45", SDT_COUNT, NULL);
    step45(1);
    long counted = (long)sdt_hits("many:step45");
    stop = 1;
    pthread_join(thread, NULL);
    printf("%d %d %d\\n", wrong, id > 0, counted > 0);
    return 0;
}
"""


def test_threads_may_run_the_calls_meanwhile(sdt, targets):
    """Started by an earlier constructor: of each of the 80 calls one byte changes under them."""
    need(GCC, "qemu-riscv64")
    obj = compiled(sdt, f"{GCC} -O1 -fno-inline -mno-relax", *companion.CALLS,
                   source=sdt.write("many.c", MANY))
    exe = companion.link(sdt, targets, "riscv64", obj)
    assert sdt.sdtlink("verify", exe).stdout == f"{exe}: 80 sites, 80 probes: ok\n"
    assert emulated(sdt, "riscv64", exe).stdout == "0 1 1\n"


def test_start_up_writes_many_branches_together(sdt, targets):
    """Each step makes the pages of text writable once for many branches, not for each."""
    need(GCC, "qemu-riscv64")
    functions = "".join(f"void __dtrace_sdt_p___t{i}(long);\nvoid f{i}(long a);\n"
                        f"void f{i}(long a) {{ s = a; __dtrace_sdt_p___t{i}(a); }}\n"
                        for i in range(300))
    source = sdt.write("many.c", f"static volatile long s;\n{functions}"
                                 "int main(void) { f1(1); return (int)s - 1; }\n")
    obj = compiled(sdt, f"{GCC} -O2 -fno-inline -mno-relax", source=source)
    exe = companion.link(sdt, targets, "riscv64", obj)
    said = sdt.command("qemu-riscv64", "-strace", "-L", "/usr/riscv64-linux-gnu", exe).stderr
    assert 3 < said.count("mprotect(") < 100


@needs_verify
def test_what_may_shrink_between_symbol_and_branch_is_named(sdt):
    """In an object that holds both, where no label can be on the branch."""
    obj = companion.compiled(sdt, "riscv64", f"{GCC} -O2")
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    joined = sdt.path("joined.o")
    sdt.command("riscv64-linux-gnu-ld", "-r", obj, sdt.path("companion.o"), "-o", joined)
    said = sdt.sdtlink("verify", joined).stdout
    assert said.startswith(f"{joined}: 7 sites, 5 probes: ok"), said
    file = companion.Companion(joined)
    symbols = file.section(".symtab")
    at = next(at for at, rela in file.relas(".rela.text") if rela["r_info_type"] == CALL_PLT and
              symbols.get_symbol(rela["r_info_sym"]).name == "__dtrace_sdtenabled_cm___tail")
    file.put(at + 8, struct.pack("<I", RELAX))
    assert_named(sdt, "expected code that linkers do not shorten", file.save("bad.o"))


def assert_refused(sdt, obj):
    result = sdt.sdtlink("--companion", "-o", sdt.path("out.o"), obj, status=1)
    assert "linkers may shorten this section" in result.stderr and "-mno-relax" in result.stderr
    assert "sdtlink -o OUT IN" in result.stderr
    assert not sdt.path("out.o").exists()


def test_code_that_linkers_may_shorten_is_refused(sdt):
    assert_refused(sdt, compiled(sdt, f"{GCC} -O2 -fno-inline", *companion.CALLS,
                                source=PROGRAMS / "machine_companion.c"))


def test_padding_alone_is_refused_as_well(sdt):
    """Without a call that may be shortened, R_RISCV_ALIGN moves what comes after it."""
    source = sdt.write("align.S", """
        .option norelax
        .globl  f
f:      call    __dtrace_sdt_p___n
        ret
        .reloc  ., R_RISCV_ALIGN, 2
        nop
""")
    assert_refused(sdt, compiled(sdt, GCC, source=source))
