# SPDX-License-Identifier: BSD-2-Clause
"""Companions on riscv64: calls become NOPs at start-up, in objects whose code linkers leave as it
is; everything else is refused by name."""
import re

import pytest

from conftest import INCLUDE, PROGRAMS
from cross import emulated, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from test_riscv64 import CLANG, GCC, LINKERS, compiled, linked, target, words

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
FLAGS = ["-DSDT_CALL_SITES", "-fno-optimize-sibling-calls", "-I", INCLUDE]
SOURCE = PROGRAMS / "aarch64_companion.c"


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("compiler", [f"{GCC} -O1", *[f"{clang} -O1" for clang in CLANG[-1:]]])
def test_calls_become_nops_at_start_up(sdt, targets, compiler, linker):
    """The object is not touched: the file has its calls, which lead to the stub until then. Armed
    by a jump, a site is the call again."""
    need(compiler.split()[0], "qemu-riscv64")
    obj = compiled(sdt, f"{compiler} -fno-inline -mno-relax", *FLAGS, source=SOURCE)
    before = obj.read_bytes()
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    assert obj.read_bytes() == before
    sdt.command(GCC, "-c", PROGRAMS / "aarch64_emulated.c", "-o", sdt.path("emulated.o"))
    exe = linked(sdt, obj, sdt.path("companion.o"), sdt.path("emulated.o"),
                 targets("riscv64") / "lib" / "libsdt.a", "-pthread", linker=linker)
    [where] = re.findall(r" work +work +0x(\w+) +call ", sdt.run(sdt.tool, "list", exe))
    first, second = words(exe, int(where, 16), 2)
    assert first & 0xfff == 0x097 and second & 0xfffff == 0x080e7
    stub = ElfView(exe).symbol("__dtrace_sdt_c___work").value
    assert target(int(where, 16), first, second) == stub
    for file in (sdt.path("companion.o"), exe):
        assert sdt.sdtlink("verify", file).stdout == f"{file}: 1 site, 1 probe: ok\n"
    assert "1 site as recorded" in sdt.run(sdt.tool, "finalize", "--dry-run", exe)
    hits = {"": ["call 2 text"] * 2, "trap": ["break 2 text"]}
    for mode, lines in hits.items():
        assert emulated(sdt, "riscv64", exe, *mode.split()).stdout.splitlines() == \
            [*lines, "nop", "110"]


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
    obj = compiled(sdt, f"{GCC} -O1 -fno-inline -mno-relax", *FLAGS,
                   source=sdt.write("many.c", MANY))
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj)
    sdt.command(GCC, "-c", PROGRAMS / "aarch64_emulated.c", "-o", sdt.path("emulated.o"))
    exe = linked(sdt, obj, sdt.path("companion.o"), sdt.path("emulated.o"),
                 targets("riscv64") / "lib" / "libsdt.a", "-pthread")
    assert sdt.sdtlink("verify", exe).stdout == f"{exe}: 80 sites, 80 probes: ok\n"
    assert emulated(sdt, "riscv64", exe).stdout == "0 1 1\n"


INLINE = ["-I", INCLUDE]
REFUSED = {
    "tail": (["-mno-relax", "-DSDT_CALL_SITES", "-I", INCLUDE], "aarch64_forms.c",
             "a companion on riscv64 can patch calls only", "-fno-optimize-sibling-calls"),
    "inline": (["-mno-relax", *INLINE], "aarch64_companion.c",
               "a companion cannot patch an inline probe", "-DSDT_CALL_SITES"),
    "relaxed": (FLAGS, "aarch64_companion.c", "linkers may shorten this section", "-mno-relax"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_the_rest_is_refused_by_name(sdt, case):
    flags, source, problem, remedy = REFUSED[case]
    obj = compiled(sdt, f"{GCC} -O2 -fno-inline", *flags, source=PROGRAMS / source)
    result = sdt.sdtlink("--companion", "-o", sdt.path("out.o"), obj, status=1)
    assert problem in result.stderr and remedy in result.stderr
    assert "sdtlink -o OUT IN" in result.stderr
    assert not sdt.path("out.o").exists()


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
    obj = compiled(sdt, GCC, source=source)
    result = sdt.sdtlink("--companion", "-o", sdt.path("out.o"), obj, status=1)
    assert "linkers may shorten this section" in result.stderr
