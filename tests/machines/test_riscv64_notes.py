# SPDX-License-Identifier: BSD-2-Clause
"""Notes of <sys/sdt.h> as sites on riscv64, where each is a breakpoint: handlers that take their
own site away, unwinding, and notes whose lengths are left to the linker. qemu runs the programs."""
import pytest

from cross import need, targets  # noqa: F401 (targets is a fixture)
from machines import RISCV64
from stapsdt import notes
from test_machine_notes import END, HIT, WRITTEN, compiled, run

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
                                      *[f"{clang} -Os" for clang in RISCV64.clangs]])
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


# ---- lengths that are left to the linker, as by LLVM 14; here by any assembler ----

LEFT = r"""
#define NOTE(text, n) "990: nop\n.pushsection .note.stapsdt, \"?\", \"note\"\n.balign 4\n" \
    ".hidden owner" #n ", words" #n ", end" #n "\n.globl owner" #n ", words" #n ", end" #n "\n" \
    "989: .4byte 0, 0, 3\n.reloc 989b, R_RISCV_ADD32, words" #n "\n" \
    ".reloc 989b, R_RISCV_SUB32, owner" #n "\n.reloc 989b + 4, R_RISCV_ADD32, end" #n "\n" \
    ".reloc 989b + 4, R_RISCV_SUB32, words" #n "\nowner" #n ": .asciz \"stapsdt\"\n" \
    "words" #n ": .8byte 990b, 0, 0\n" \
    ".asciz \"m\"\n.asciz \"n\"\n.asciz \"" text "\"\nend" #n ": .balign 4\n.popsection\n"
"""


def left(sdt, note=LEFT):
    """Three notes, which do not say how long they are."""
    before, after = WRITTEN.split("#define NOTE", 1)
    rest = after[after.index("static long"):]
    source = sdt.write("left.c", before + note + rest + HIT["riscv64"] + END)
    text = " ".join(f'NOTE("8@{n}", {n})' for n in (1, 2, 3))
    return compiled(sdt, f"{GCC} -O1", source, f"-DNOTES={text}", name="left.o")


@pytest.mark.parametrize("linker", RISCV64.linkers)
def test_lengths_of_the_linker(sdt, targets, linker):
    obj = left(sdt)
    assert "0000000 00000000 03000000" in sdt.run("readelf", "-x", ".note.stapsdt", obj)
    assert sdt.run("readelf", "-n", obj).count("Arguments: 8@") == 3
    out = sdt.process(obj, "-q")
    assert sdt.sdtlink("verify", "--against", obj, out).stdout.endswith(": ok\n")
    assert run(sdt, targets, RISCV64, out, linker=linker) == "1 | 1\n2 | 2\n3 | 3\n"
    assert [note.args for note in notes(sdt.path("a.out"))] == ["8@1", "8@2", "8@3"]


def test_a_length_that_is_not_in_the_notes(sdt):
    """Of two labels elsewhere, which the linker may bring closer: nobody knows it yet."""
    obj = left(sdt, LEFT.replace('ADD32, end" #n "', "ADD32, main"))
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    assert "the note is longer than its section" in result.stderr
    assert sdt.path("out.o").read_bytes() == obj.read_bytes()


def test_more_notes_joined_those_with_lengths_of_the_linker(sdt, targets):
    """`ld -r` of a processed object with another one, whose note the launcher should find."""
    done = sdt.process(left(sdt), "-q", name="done.o")
    source = sdt.write("more.c", "#include <sys/sdt.h>\nvoid more(void);\n"
                       "void more(void) { STAP_PROBE(m, more); }\n")
    more = compiled(sdt, f"{GCC} -O1", source, name="more.o")
    need("riscv64-linux-gnu-ld")
    sdt.command("riscv64-linux-gnu-ld", "-r", done, more, "-o", sdt.path("both.o"))
    sdt.command(sdt.tool, f"--runtime-directory={RISCV64.library(targets).parent}", GCC,
                sdt.path("both.o"), "-pthread", "-o", sdt.path("exe"))
    assert sdt.sdtlink("list", sdt.path("exe")).stdout.count(" nop1") == 4
