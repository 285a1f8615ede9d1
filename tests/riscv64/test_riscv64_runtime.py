# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on riscv64: what a handler sees of calls, tail calls and inline sites, armed by a
jump and by a breakpoint, counted, recorded, toggled while threads run them.

qemu runs the programs without a kernel of that machine, so what the host's kernel writes to the
text is not seen (programs/machine_emulated.c), and nothing is said here of caches. The programs are
those of aarch64, but for the registers."""
import functools
import re

import pytest

import cross
import recorded
from conftest import INCLUDE, PROGRAMS, ROOT
from cross import FORMS, hits, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
ASM = ROOT / "tests" / "asm"
GCC = cross.gcc("riscv64")
CLANG = cross.clang("riscv64")
program = functools.partial(cross.program, target="riscv64")
run = functools.partial(cross.run, target="riscv64")


@pytest.mark.parametrize("mode, number", [("jump", 2), ("trap", 1)])
@pytest.mark.parametrize("kind, compiler, flags", [
    ("inline", GCC, []), ("inline", GCC, ["-O0"]), ("inline", CLANG, ["-Os"]),
    ("call", GCC, ["-mno-relax"]), ("call", CLANG, [])])
def test_each_kind_of_site_calls_the_handler(sdt, targets, mode, number, kind, compiler, flags):
    need(compiler.split()[0])
    forms = ["-DSDT_CALL_SITES"] if kind == "call" else []
    exe = program(sdt, targets, *forms, *flags, compiler=compiler)
    kinds = {site.kind for site in ElfView(exe).sites()}
    assert {kind, "enabled"} < kinds and kinds <= {kind, "enabled", "tail", "call"}
    said = run(sdt, exe, mode)
    states = [f"sale mode {mode} error success" for mode in (number, 2)]  # 2: of the question
    states += [f"{name} mode {number} error success" for name in ("left", "dear")]
    assert said[:2] == ["off: 0 0", "enabled: yes"]
    assert said[2:7] == hits(mode)
    assert sorted(said[7:11]) == sorted(states)
    assert said[11:] == ["disabled: success", "off: 0 0"]


def test_hits_in_constructors_and_destructors_count(sdt, targets):
    exe = program(sdt, targets, source="everywhere_early.c")
    assert run(sdt, exe, env={"SDT_ENABLE": "early=count"}) == ["3"]


@FORMS
def test_hits_are_counted(sdt, targets, forms):
    """Without restartable sequences, in the probe, and where tools look on, in memory for them."""
    exe = program(sdt, targets, *forms)
    for env in ({}, {"SDT_ATTACH": "1"}):
        assert run(sdt, exe, "count", env=env) == ["1000"]


@FORMS
def test_sites_change_while_threads_run_them(sdt, targets, forms):
    assert run(sdt, program(sdt, targets, *forms), "toggle", timeout=120) == \
        ["calls enough, wrong 0, failed 0, late 0"]


@pytest.mark.parametrize("mode", ["jump", "trap"])
@pytest.mark.parametrize("cpu, hits", [
    ("rv64", "6 hits, vectors: 0"), ("rv64,v=true,vlen=256", "12 hits, vectors: 1")],
    ids=["plain", "vectors"])
def test_inline_sites_keep_every_register(sdt, targets, cpu, hits, mode):
    """With a handler that changes all that functions may change; also those of vectors."""
    need(GCC, "qemu-riscv64")
    sdt.command(GCC, "-c", ASM / "riscv64_registers.S", "-o", sdt.path("registers.o"))
    objects = [sdt.process(sdt.path("registers.o"))]
    exe = program(sdt, targets, source="riscv64_registers.c", objects=objects)
    assert run(sdt, exe, mode, cpu=cpu) == [hits]


@pytest.mark.parametrize("cpu, hits", [
    ("rv64", "24 late hits, vectors: 0"), ("rv64,v=true,vlen=256", "36 late hits, vectors: 1")],
    ids=["plain", "vectors"])
def test_every_register_survives_when_subscriptions_change_on_the_way(sdt, targets, cpu, hits):
    """Here all registers are saved for all handlers, so that each is called."""
    need(GCC, "qemu-riscv64")
    sdt.command(GCC, "-c", ASM / "riscv64_registers.S", "-o", sdt.path("registers.o"))
    objects = [sdt.process(sdt.path("registers.o"))]
    exe = program(sdt, targets, source="riscv64_registers.c", objects=objects)
    assert run(sdt, exe, "jump", "late", cpu=cpu) == [hits]


@pytest.mark.parametrize("flags", [[], ["-DSDT_CALL_SITES"], ["-Os", "-fomit-frame-pointer"]])
def test_unwinders_go_through_sites(sdt, targets, flags):
    """Each function once, a leaf too; pthread_exit() in a handler leaves them all."""
    exe = program(sdt, targets, "-fexceptions", *flags, source="machine_unwind.c")
    assert run(sdt, exe) == ["framed: framed outer", "leaf: leaf framed outer", "left: tail outer",
                             "cleanup of run", "7 0"]


@pytest.mark.parametrize("lto", [[], ["-flto"]], ids=["", "lto"])
@FORMS
def test_sdtlink_in_front_of_the_cross_compiler(sdt, targets, lto, forms):
    """One word in the build: objects are processed, and the runtime of that machine is added,
    before the C library also where -pthread means -latomic after it, as it does here."""
    lib = targets("riscv64") / "lib"
    sdt.command(GCC, "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o", sdt.path("emulated.o"))
    sdt.command(sdt.tool, f"--runtime-directory={lib}", GCC, "-O2", *lto, *forms,
                "-pthread", "-ffunction-sections", "-Wl,--gc-sections", "-I", INCLUDE,
                PROGRAMS / "machine_run.c", sdt.path("emulated.o"), "-o", sdt.path("a.out"))
    assert run(sdt, sdt.path("a.out"), "jump")[2:7] == hits("jump")


def test_sdtlink_in_front_of_clang(sdt, targets):
    need("clang-16", "ld.lld-16", GCC)
    sdt.command(GCC, "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o", sdt.path("emulated.o"))
    clang = CLANG.replace("clang ", "clang-16 ").split()
    sdt.command(sdt.tool, f"--runtime-directory={targets('riscv64') / 'lib'}", *clang, "-O2",
                "-fuse-ld=lld", "-L/usr/riscv64-linux-gnu/lib", "-pie", "-I", INCLUDE,
                PROGRAMS / "machine_run.c", sdt.path("emulated.o"), "-o", sdt.path("a.out"))
    assert run(sdt, sdt.path("a.out"), "jump")[2:7] == hits("jump")


def test_hits_are_recorded(sdt, targets):
    """And the recording is whole: another program reads it."""
    need("babeltrace2")
    exe = program(sdt, targets)
    run(sdt, exe, env={"SDT_RECORD": "out", "SDT_ENABLE": "*=record"}, cwd=sdt.dir)
    read = sdt.run("babeltrace2", sdt.path("out"))
    assert re.findall(r" (shop:\w+): \{", read) == \
        ["shop:sale", "shop:sale", "shop:left", "shop:dear"]
    assert re.search(r'n = 2, what = "coffee", arg2 = 2\.5, .*arg10 = "offee", arg11 = -11', read)


def test_signal_handlers_that_record_in_the_middle_of_a_hit(sdt, targets):
    """A timer interrupts a thread that records all the while: each of its hits is there as well."""
    exe = program(sdt, targets, source="record_many.c", objects=["-Wl,-u,__sdt_register"])
    [said] = run(sdt, exe, "signals", 50, 30, 2000, env=recorded.wish(sdt, options="ring=8M"))
    rounds, handled = map(int, said.split())
    assert recorded.lost(sdt) == 0
    assert recorded.count(sdt) == rounds * recorded.hits_of(50) + handled


def test_pieces_for_a_cpu_add_to_its_row(sdt):
    """Sums, the largest value and the complement of the smallest; a CPU without a row has none."""
    need(GCC, "qemu-riscv64")
    flags = ["-O2", "-Wall", "-Wextra", "-Werror"]
    sdt.command(GCC, *flags, "-I", ROOT / "runtime" / "arch" / "riscv64",
                PROGRAMS / "riscv64_percpu.c", "-o", sdt.path("a.out"))
    ones = (1 << 64) - 1
    assert run(sdt, sdt.path("a.out")) == [
        "11 named", "111 named", "0000 named", "00000 named",
        f"28 7 {ones - 7:x} 1", f"29 7 {ones - 3:x} 2", "0 0 0 0"]


def test_what_is_far_from_its_stub_is_armed_by_a_jump(sdt, targets):
    """512 MiB away, inline and called: on this machine every site reaches."""
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
int main(void)
{
    printf("%d\\n", sdt_enable_mode("p:*", on, NULL, SDT_MODE_JUMP) > 0);
    printf("%d\\n", far(6));
    leave(8);
    return 0;
}
""")
    need(GCC, "qemu-riscv64")
    sdt.command(GCC, "-O2", "-fno-pie", "-mcmodel=medany", "-I", INCLUDE, "-c", source, "-o",
                sdt.path("far.o"))
    sdt.command(GCC, "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o", sdt.path("emulated.o"))
    sdt.command(GCC, "-no-pie", "-Wl,--section-start=.far=0x20000000",
                sdt.process(sdt.path("far.o")), sdt.path("emulated.o"),
                targets("riscv64") / "lib" / "libsdt.a", "-pthread", "-o", sdt.path("a.out"))
    assert run(sdt, sdt.path("a.out")) == ["1", "far 6", "7", "left 8"]


def test_a_batch_of_sites_is_flushed_once(sdt, targets):
    """riscv_flush_icache(2), whose number is 259, interrupts all CPUs."""
    need(GCC, "qemu-riscv64")
    sites = "\n".join(f"    SDT_PROBE(many, n{i}, {i});" for i in range(200))
    source = sdt.write("many.c", f"""
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
static int flushes;
long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{{
    flushes += number == 259;
    return __real_syscall(number, a, b, c, d, e, f);
}}
int main(void)
{{
    int id = sdt_enable("many", SDT_COUNT, 0), enabled = flushes;
{sites}
    printf("%d hits, ", (int)sdt_hits("many"));
    printf("%d, %d and %d flushes\\n", sdt_disable(id), enabled, flushes);
    return 0;
}}
""")
    sdt.command(GCC, "-O2", "-I", INCLUDE, "-c", source, "-o", sdt.path("many.o"))
    sdt.command(GCC, "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o", sdt.path("emulated.o"))
    sdt.command(GCC, "-Wl,--wrap=syscall", sdt.process(sdt.path("many.o")),
                sdt.path("emulated.o"), targets("riscv64") / "lib" / "libsdt.a", "-pthread", "-o",
                sdt.path("a.out"))
    said = run(sdt, sdt.path("a.out"), env={"SDT_UNLOCK_TEXT": "1"})
    assert said == ["200 hits, 0, 1 and 2 flushes"]


def alignments(sdt, file):
    """[bytes that the linker may take away] at each R_RISCV_ALIGN of an object or archive."""
    return [int(room, 16) for room in
            re.findall(r"R_RISCV_ALIGN\s+([0-9a-f]+)$", sdt.run("readelf", "-rW", file), re.M)]


@pytest.mark.parametrize("source", [*sorted((ROOT / "runtime/arch/riscv64").glob("*.S"))],
                         ids=lambda path: path.name)
def test_what_is_aligned_has_room_wherever_it_comes_to_be(sdt, source):
    """Linkers shorten what is before it by multiples of 2 bytes: less than the alignment - 2 is
    not enough then. An assembler that is told to make no short instructions (.option norvc) takes
    the alignment - 4. Whether that is too small depends on all code before it, so no link tells."""
    need(GCC)
    runtime = ROOT / "runtime"
    sdt.command(GCC, "-I", runtime, "-I", INCLUDE, "-I", source.parent, "-c", source,
                "-o", sdt.path("a.o"))
    rooms = alignments(sdt, sdt.path("a.o"))
    assert rooms and [room for room in rooms if (room + 2) & (room + 1)] == []


def test_the_library_can_be_shortened_everywhere(sdt, targets):
    """The same for what compilers were told in C."""
    rooms = alignments(sdt, targets("riscv64") / "lib" / "libsdt.a")
    assert len(rooms) > 20 and [room for room in rooms if (room + 2) & (room + 1)] == []
