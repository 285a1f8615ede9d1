# SPDX-License-Identifier: BSD-2-Clause
"""What only the runtime on aarch64 does: breakpoints that a CPU still has, streaming mode, sites
that do not reach, the CMake package. The rest is in test_machine_runtime.py."""
import functools

import pytest

import cross
import recorded
from conftest import INCLUDE, PROGRAMS, ROOT
from cross import hits, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from machines import AARCH64
from test_machine_runtime import registers

pytestmark = [pytest.mark.nosan, pytest.mark.aarch64]  # the runtime is cross-compiled
GCC = cross.gcc("aarch64")
program = functools.partial(cross.program, target="aarch64")
run = functools.partial(cross.run, target="aarch64")


def test_a_breakpoint_that_is_gone_is_not_met_again(sdt, targets):
    """A CPU may have it still; in an emulator it may have it for ever (docs/stress.md). What memory
    says is done for the thread; a `bl` is left to the CPU."""
    exe = program(sdt, targets, "-DSDT_CALL_SITES", source="aarch64_late.c")
    assert sorted(run(sdt, exe)) == ["2", "armed here: 0", "armed left: 4", "off here: 4",
                                     "off left: 12"]
    exe = program(sdt, targets, source="aarch64_late.c")
    said = dict(line.split(": ") for line in run(sdt, exe)[:4])
    assert said["off here"] == "4" and int(said["armed here"]) > 4  # where the `b` leads


@pytest.mark.parametrize("cpu, hits", [("cortex-a57", 2000), ("max", 3000)])
def test_recording_keeps_every_register(sdt, targets, cpu, hits):
    """The recorder is called with the program's vector registers in place: also where one packet
    ends and the next one begins, no function of the C library may clear or copy memory for it."""
    exe = registers(sdt, targets, AARCH64, "-Wl,-u,__sdt_register")
    said = run(sdt, exe, "record", cpu=cpu,
               env=recorded.wish(sdt, "regs", options="packet=4K,ring=256K"))
    assert said == [f"0 hits, SVE: {int(cpu == 'max')}"]
    assert recorded.count(sdt) == hits and len(recorded.streams(sdt)[0]) > 5


STREAMING = {"ordinary": "1 ordinary, 0 streaming, 0 counted",
             "general": "1 ordinary, 3 streaming, 0 counted",
             "count": "0 ordinary, 0 streaming, 4 counted"}


@pytest.mark.parametrize("mode", ["jump", "trap"])
@pytest.mark.parametrize("handler", STREAMING)
def test_what_runs_in_streaming_mode(sdt, targets, mode, handler):
    """Of SME: counters, and handlers that promise to use general registers only. No other handler;
    and in any case z0 to z31, the predicates, ZA and the mode itself stay."""
    exe = registers(sdt, targets, AARCH64, source="aarch64_streaming.c")
    assert run(sdt, exe, mode, handler, cpu="max") == [STREAMING[handler]]


PROJECT = """cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES C)
find_package(sdtlink REQUIRED)
add_executable(app app.c emulated.c)
sdt_link(app)
"""


def test_a_project_finds_the_tool_of_the_machine_that_builds(sdt, targets):
    """The package for aarch64 has none of its own."""
    need(GCC, "qemu-aarch64")
    sdt.write("CMakeLists.txt", PROJECT)
    for name, source in (("app.c", "machine_run.c"), ("emulated.c", "machine_emulated.c"),
                         ("machine_toggle.h", "machine_toggle.h")):
        sdt.write(name, (PROGRAMS / source).read_text())
    toolchain = ROOT / "cmake" / "toolchains" / "aarch64-linux-gnu.cmake"
    configure = ["cmake", "-S", sdt.dir, "-B", sdt.path("b"), "-G", "Ninja",
                 f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", f"-DCMAKE_PREFIX_PATH={targets('aarch64')}"]
    refused = sdt.command(*configure, "-DSDTLINK_EXECUTABLE=SDTLINK_EXECUTABLE-NOTFOUND", status=1,
                          env={"PATH": "/usr/bin:/bin"})
    assert "sdtlink for the machine that builds is not in PATH" in refused.stderr
    sdt.command(*configure, f"-DSDTLINK_EXECUTABLE={sdt.tool}")
    sdt.command("cmake", "--build", sdt.path("b"))
    assert run(sdt, sdt.path("b") / "app", "jump")[2:7] == hits("jump")


def test_a_link_without_a_runtime_for_the_machine_is_refused(sdt):
    need(GCC)
    result = sdt.command(sdt.tool, GCC, "-O2", "-I", INCLUDE, PROGRAMS / "machine_run.c", "-o",
                         sdt.path("a.out"), status=1)
    assert "libsdt.a for aarch64 is not installed with this sdtlink" in result.stderr
    assert not sdt.path("a.out").exists()


GATHERED = ("unlikely", "hot", "startup", "exit")
FAR_APART = """
#include <sdt/probe.h>
extern void __dtrace_sdt_p___call(unsigned long number);
extern void __dtrace_sdt_p___last(unsigned long number);
extern int __dtrace_sdtenabled_p___call(void);
#define ALL(name, section)                                                              \\
    section int name(int a)                                                             \\
    {                                                                                   \\
        SDT_PROBE(p, inline, a);                                                        \\
        __dtrace_sdt_p___call((unsigned long)a);                                        \\
        return a + __dtrace_sdtenabled_p___call();                                      \\
    }                                                                                   \\
    section void name##_last(int a) { __dtrace_sdt_p___last((unsigned long)a); }
ALL(NAME, )
#define IN(kind) ALL(NAME_##kind, __attribute__((section(".text." #kind))))
""" + "".join(f"IN({kind})\n" for kind in GATHERED)
FAR_APART_MAIN = """
#include <sdt/runtime.h>
#include <stdio.h>
static void on(const struct sdt_event *event, void *data)
{ (void)data; printf("%s %d\\n", sdt_name(event), (int)sdt_arg(event, 0)); }
static int show(const struct sdt_probe_info *site, void *data)
{
    ++*(int *)data;
    if (site->mode != SDT_MODE_JUMP)
        printf("%s %d\\n", site->name, site->mode);
    return 0;
}
#define RUN(name, number)                                                               \\
    extern int name(int);                                                               \\
    extern void name##_last(int);                                                       \\
    printf("asked %d\\n", name(number) - number);                                       \\
    name##_last(number)
int main(void)
{
    int count = 0;
    printf("%d\\n", sdt_enable_mode("p:*", on, NULL, SDT_MODE_JUMP) > 0);
    sdt_foreach("p:*", show, &count);
    printf("%d\\n", count);
    ALL_OF_THEM
    return 0;
}
"""
# As in a text of more than a GiB: what a file has is together, and far from the others' and the
# C library's; and so is what linkers gather of all files.
PLACES = """
SECTIONS
{
    .one  0x10000000 : { *far_one*(.text .text.sdt_*) }
    .two  0x20000000 : { *far_two*(.text .text.sdt_*) }
""" + "".join(f"    .{kind} 0x{3 + i}0000000 : {{ *far_*(.text.{kind} .text.{kind}.*) }}\n"
               for i, kind in enumerate(GATHERED)) + """
}
INSERT BEFORE .init;
"""


def test_each_file_of_a_huge_text_has_its_stubs_beside_it(sdt, targets):
    """All kinds of sites by branch, in files that share probes and are 256 MiB apart, and in what
    linkers put elsewhere: cold and hot code, that of start-up and exit."""
    need(GCC, "qemu-aarch64")
    objects, names = [], []
    for name in ("one", "two"):
        names += [name, *(f"{name}_{kind}" for kind in GATHERED)]
        source = sdt.write(f"far_{name}.c", FAR_APART.replace("NAME", name))
        sdt.command(GCC, "-O2", "-fno-pie", "-I", INCLUDE, "-c", source, "-o",
                    sdt.path(f"far_{name}.o"))
        objects.append(sdt.process(sdt.path(f"far_{name}.o")))
    runs = " ".join(f"RUN({name}, {i});" for i, name in enumerate(names))
    main = sdt.write("main.c", FAR_APART_MAIN.replace("ALL_OF_THEM", runs))
    sdt.command(GCC, "-O2", "-fno-pie", "-I", INCLUDE, "-c", main, "-o", sdt.path("main.o"))
    sdt.command(GCC, "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o", sdt.path("emulated.o"))
    exe = sdt.path("a.out")
    sdt.command(GCC, "-static", "-no-pie", f"-Wl,-T,{sdt.write('places.ld', PLACES)}",
                sdt.path("main.o"), *objects, sdt.path("emulated.o"),
                targets("aarch64") / "lib" / "libsdt.a", "-pthread", "-o", exe)
    pieces = {site.pc >> 28 for site in ElfView(exe).sites()}
    assert len(pieces) == 2 + len(GATHERED), pieces
    sdt.sdtlink("verify", exe)
    assert run(sdt, exe) == ["1", str(4 * len(names)), *(
        line for i in range(len(names))
        for line in (f"inline {i}", f"call {i}", "asked 1", f"last {i}"))]


def test_an_inline_site_too_far_from_its_entry_is_left_alone(sdt, targets):
    """The linker's veneer on the way back would change x16: so its record is refused."""
    source = sdt.write("far.c", """
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
static __attribute__((noinline, section(".far"))) int far(int a) { SDT_PROBE(p, far, a); return a; }
static int show(const struct sdt_probe_info *site, void *data)
{ (void)data; printf("%s: %s\\n", site->name, sdt_strerror(site->error)); return 0; }
int main(void)
{
    printf("%s\\n", sdt_enable("p:*", SDT_COUNT, NULL) > 0 ? "armed" : "refused");
    sdt_foreach("p:*", show, NULL);
    printf("%d\\n", far(6));
    return 0;
}
""")
    exe = program(sdt, targets, "-fno-pie", source=source,
                  objects=["-no-pie", "-Wl,--section-start=.far=0x20000000"])
    assert run(sdt, exe) == \
        ["refused", ": the site or its record is not what sdtlink wrote", "6"]
