# SPDX-License-Identifier: BSD-2-Clause
"""Notes of <sys/sdt.h> as sites on riscv64, where each is a breakpoint: handlers that take their
own site away, and unwinding. qemu runs the programs."""
import pytest

from cross import targets  # noqa: F401 (a fixture)
from machines import RISCV64
from test_machine_notes import compiled, run

pytestmark = [pytest.mark.nosan, pytest.mark.riscv64]  # the runtime is cross-compiled
GCC = RISCV64.gcc

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


@pytest.mark.parametrize("compiler", [f"{GCC} -O2",
                                      *[f"{clang} -Os" for clang in RISCV64.clangs[-1:]]])
def test_hits_are_counted_and_handled(sdt, targets, compiler):
    """Threads leave an entry by a breakpoint: the signal stays the runtime's for that, also where
    the handler has taken away the last site (-115: it has not ended yet)."""
    source = sdt.write("hits.c", HITS)
    obj = compiled(sdt, compiler, source, "-fPIE")
    assert run(sdt, targets, RISCV64, sdt.process(obj, "-q")).splitlines() == [
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
    said = run(sdt, targets, RISCV64, sdt.process(obj, "-q"), flags=["-rdynamic"]).splitlines()
    names = said[0].split()
    assert names[names.index("leaf"):][:3] == ["leaf", "middle", "main"] and said[1] == "middle"
    assert names.count("leaf") == 1
