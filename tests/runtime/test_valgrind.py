# SPDX-License-Identifier: BSD-2-Clause
"""Programs under valgrind, which runs translations of their code, and keeps them.

A program says itself how often it has hit; valgrind's log is read as it is.
"""
import re
import shutil

import pytest

from conftest import INCLUDE
from attached import SDT, json_lines

pytestmark = [
    pytest.mark.nosan,  # valgrind does not run AddressSanitizer's programs
    pytest.mark.skipif(not shutil.which("valgrind"), reason="no valgrind here"),
]

TOGGLED = r"""
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <sys/sdt.h>
static long hits, sum;
static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    hits++;
    sum += (long)sdt_arg(event, 0);
}
__attribute__((noinline)) static void work(int n)
{
    for (int i = 0; i < n; i++) {
        SDT_PROBE(vg, inline, i);
        STAP_PROBE1(vg, nop, i);
    }
}
int main(void)
{
    static const int modes[] = {SDT_MODE_AUTO, SDT_MODE_TRAP};
    for (int i = 0; i < 4; i++) { /* each on code that has run already */
        work(10);
        hits = sum = 0;
        int id = sdt_enable_mode("vg:*", on_hit, NULL, modes[i % 2]);
        work(100);
        sdt_disable(id);
        work(10);
        uint64_t before = sdt_hits("vg:*");
        id = sdt_enable("vg:*", SDT_COUNT, NULL);
        work(50);
        sdt_disable(id);
        work(10);
        printf("%ld %ld %d\n", hits, sum, (int)(sdt_hits("vg:*") - before));
    }
    return 0;
}
"""


def valgrind(sdt, *command, tool="memcheck", **kwargs):
    return sdt.command("valgrind", "-q", f"--tool={tool}", *command, **kwargs)


def without_cfi(log):
    """Lines of valgrind, but for those about unwind tables and the one that explains them."""
    return [line for line in log.splitlines() if "unhandled DW_OP_" not in line]


@pytest.mark.parametrize("runtime", ["static", "shared"])
def test_what_is_armed_after_it_has_run(sdt, runtime):
    exe = sdt.build(sdt.write("toggled.c", TOGGLED), "-I", INCLUDE / "sdt-compat", runtime=runtime)
    result = valgrind(sdt, exe)
    assert result.stdout == "200 9900 100\n" * 4 == sdt.run(exe)
    assert without_cfi(result.stderr) == []  # and memcheck finds nothing


LOOKED_AT = r"""
#include <sdt/probe.h>
__attribute__((noinline)) static void work(int n)
{
    for (int i = 0; i < n; i++)
        SDT_PROBE(vg, seen, i);
}
int main(void)
{
    for (int i = 0; i < 30; i++)
        work(i);
    return 0;
}
"""


def test_sdt_counts_in_a_program_under_valgrind(sdt):
    """`valgrind` starts the program: --follow finds it."""
    exe = sdt.build(sdt.write("looked_at.c", LOOKED_AT), runtime="shared")
    result = sdt.command(SDT, "count", "--follow", "--json", "vg:seen", "--", "valgrind", "-q",
                         "--tool=none", exe)
    assert [line["count"] for line in json_lines(result.stdout)] == [sum(range(30))]


MANY = "#include <sdt/probe.h>\nvoid part{0}(int i);\n" \
    "void part{0}(int i) {{ SDT_PROBE(vg, part{0}, i); }}\n"


def test_what_valgrind_does_not_know_is_explained_once(sdt):
    """Its lines about unwind tables are as many as the library has such tables. Those of a
    program's objects would be hundreds: they have operators that valgrind knows."""
    logs = []
    for count in (1, 6):
        parts = [sdt.process(sdt.compile(sdt.write(f"part{i}.c", MANY.format(i))))
                 for i in range(count)]
        main = sdt.compile(sdt.write("main.c", "#include <sdt/runtime.h>\n"
                                     "int main(void) { return !sdt_version(); }\n"))
        exe = sdt.link(main, *parts, name=f"exe{count}")
        logs.append(valgrind(sdt, exe).stderr)
    counts = [log.count("Warning: DWARF2 CFI reader: unhandled DW_OP_") for log in logs]
    assert counts[0] == counts[1] <= 9
    assert [len(re.findall(r'libsdt: ".*DW_OP_" is harmless', log)) for log in logs] == [1, 1]
