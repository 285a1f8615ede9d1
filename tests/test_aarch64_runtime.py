# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on aarch64: what a handler sees of calls, tail calls and conditional ones, armed by a
branch and by a breakpoint, counted, recorded, toggled while threads run them.

qemu runs the programs without a kernel of that machine, so what the host's kernel writes to the
text is not seen (programs/a64_emulated.c), and nothing is said here of caches."""
import re

import pytest

from conftest import INCLUDE, PROGRAMS
from cross import emulated, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
GCC = "aarch64-linux-gnu-gcc"
CLANG = "clang --target=aarch64-linux-gnu -I /usr/aarch64-linux-gnu/include -fPIE"
ARGUMENTS = ["12 1 tea 2.5 3 4 5 6 -7 8 9 ea -11", "12 2 coffee 2.5 3 4 5 6 -7 8 9 offee -11"]


def program(sdt, targets, *flags, compiler=GCC, ldflags=()):
    need(GCC, "qemu-aarch64")
    options = ["-O2", "-Wall", "-Wextra", "-DSDT_CALL_SITES", "-I", INCLUDE, *flags]
    sdt.command(*compiler.split(), *options, "-c", PROGRAMS / "a64_run.c", "-o", sdt.path("run.o"))
    sdt.command(GCC, "-O2", "-c", PROGRAMS / "a64_emulated.c", "-o", sdt.path("emulated.o"))
    sdt.command(GCC, sdt.process(sdt.path("run.o")), sdt.path("emulated.o"), *ldflags,
                targets("aarch64") / "lib" / "libsdt.a", "-pthread", "-o", sdt.path("a.out"))
    return sdt.path("a.out")


def run(sdt, exe, *args, **kwargs):
    return emulated(sdt, "aarch64", exe, *args, **kwargs).stdout.splitlines()


def hits(word):
    """What the handler prints between "enabled" and "disabled", of one visit to everything."""
    return [f"{word} shop:sale in sell: {ARGUMENTS[0]}", f"{word} shop:sale in sell: {ARGUMENTS[1]}",
            "on: 1 1", f"{word} shop:left in leave: 3", f"{word} shop:dear in expensive: 500"]


@pytest.mark.parametrize("mode, number", [("jump", 2), ("trap", 1)])
@pytest.mark.parametrize("compiler, flags", [
    (GCC, []), (GCC, ["-mbranch-protection=standard"]), (GCC, ["-Os", "-mcmodel=tiny"]),
    (CLANG, []), (CLANG, ["-Os", "-mbranch-protection=standard"])])
def test_each_kind_of_site_calls_the_handler(sdt, targets, mode, number, compiler, flags):
    need(compiler.split()[0])
    exe = program(sdt, targets, *flags, compiler=compiler)
    assert {site.kind for site in ElfView(exe).sites()} == {"call", "tail", "enabled"}
    said = run(sdt, exe, mode)
    states = [f"{name} mode {2 if name == 'question' else number} error success"
              for name in ("sale", "question", "left", "dear")]
    states = [state.replace("question", "sale") for state in states]
    assert said[:2] == ["off: 0 0", "enabled: yes"]
    assert said[2:7] == hits(mode)
    assert sorted(said[7:11]) == sorted(states)
    assert said[11:] == ["disabled: success", "off: 0 0"]


def test_hits_are_counted(sdt, targets):
    assert run(sdt, program(sdt, targets), "count") == ["1000"]


def test_sites_change_while_threads_run_them(sdt, targets):
    assert run(sdt, program(sdt, targets), "toggle", timeout=120) == \
        ["calls enough, wrong 0, failed 0, late 0"]


def test_what_does_not_reach_its_stub_gets_a_breakpoint(sdt, targets):
    """A function 512 MiB from the stubs: by jump it cannot be armed, by default it is trapped."""
    source = sdt.write("far.c", """
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
#define FAR __attribute__((noinline, section(".far")))
extern void __dtrace_sdt_p___left(unsigned long number);
static FAR int far(int a) { SDT_PROBE(p, far, a); return a + 1; }
static FAR void leave(int a) { __dtrace_sdt_p___left((unsigned long)a); }
static void on(const struct sdt_event *event, void *data)
{ (void)data; printf("%s %d\\n", sdt_name(event), (int)sdt_arg(event, 0)); }
static int show(const struct sdt_probe_info *site, void *data)
{ (void)data; printf("%s mode %d\\n", site->name, site->mode); return 0; }
int main(void)
{
    printf("%s\\n", sdt_strerror(sdt_enable_mode("p:far", on, NULL, SDT_MODE_JUMP)));
    printf("%d\\n", sdt_enable("p:*", on, NULL));
    sdt_foreach("p:*", show, NULL);
    printf("%d\\n", far(6));
    leave(8);
    return 0;
}
""")
    need(GCC, "qemu-aarch64")
    sdt.command(GCC, "-O2", "-fno-pie", "-DSDT_CALL_SITES", "-I", INCLUDE, "-c", source, "-o",
                sdt.path("far.o"))
    sdt.command(GCC, "-O2", "-c", PROGRAMS / "a64_emulated.c", "-o", sdt.path("emulated.o"))
    sdt.command(GCC, "-no-pie", "-Wl,--section-start=.far=0x20000000",
                sdt.process(sdt.path("far.o")), sdt.path("emulated.o"),
                targets("aarch64") / "lib" / "libsdt.a", "-pthread", "-o", sdt.path("a.out"))
    said = run(sdt, sdt.path("a.out"))
    assert said[0] == "this mode cannot arm this kind of site here"
    assert sorted(said[2:4]) == ["far mode 1", "left mode 2"] and int(said[1]) > 0
    assert said[4:] == ["far 6", "7", "left 8"]


def test_hits_are_recorded(sdt, targets):
    """And the recording is whole: another program reads it."""
    need("babeltrace2")
    exe = program(sdt, targets)
    run(sdt, exe, env={"SDT_RECORD": "out", "SDT_ENABLE": "*=record"}, cwd=sdt.dir)
    read = sdt.run("babeltrace2", sdt.path("out"))
    assert re.findall(r" (shop:\w+): \{", read) == \
        ["shop:sale", "shop:sale", "shop:left", "shop:dear"]
    assert re.search(r'n = 2, what = "coffee", arg2 = 2\.5, .*arg10 = "offee", arg11 = -11', read)


def test_a_program_without_probes_hears_why(sdt, targets):
    """<sdt/probe.h> makes none without the flag; who asks for a reason is told."""
    need(GCC, "qemu-aarch64")
    source = sdt.write("none.c", "#include <sdt/probe.h>\n#include <sdt/runtime.h>\n"
                       "#include <stdio.h>\nint main(void) { SDT_PROBE(p, n);\n"
                       "printf(\"%s\\n\", sdt_strerror(sdt_enable(\"p:n\", SDT_COUNT, NULL)));\n"
                       "return 0; }\n")
    sdt.command(GCC, "-I", INCLUDE, source, targets("aarch64") / "lib" / "libsdt.a", "-pthread",
                "-o", sdt.path("none"))
    result = emulated(sdt, "aarch64", sdt.path("none"), env={"SDT_DEBUG": "1"})
    assert "no probe matches" in result.stdout
    assert "no probes are registered with this runtime (on aarch64, compile with " \
        "-DSDT_CALL_SITES)" in result.stderr


def test_callers_are_refused(sdt, targets):
    assert run(sdt, program(sdt, targets), "refuse") == \
        ["callers: this mode cannot arm this kind of site here"]
