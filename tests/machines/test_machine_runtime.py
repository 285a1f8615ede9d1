# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on aarch64 and riscv64: what a handler sees of calls, tail calls and inline sites,
armed by a jump and by a breakpoint, counted, toggled while threads run them.

qemu runs the programs without a kernel of that machine, so what the host's kernel writes to the
text is not seen (programs/machine_emulated.c), and nothing is said here of caches."""
import pytest

from conftest import INCLUDE, PROGRAMS, ROOT
from cross import FORMS, clang, hits, need, targets  # noqa: F401 (targets is a fixture)
from elfview import ElfView
from machines import each

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
KINDS = {  # of sites; a compiler and its flags
    "aarch64": [("inline", "gcc"), ("inline", "gcc", "-O0"),
                ("inline", "gcc", "-mbranch-protection=standard"), ("inline", "clang"),
                ("inline", "clang", "-Os", "-mbranch-protection=standard"),
                ("call", "gcc"), ("call", "gcc", "-Os", "-mcmodel=tiny"), ("call", "clang")],
    "riscv64": [("inline", "gcc"), ("inline", "gcc", "-O0"), ("inline", "clang", "-Os"),
                ("call", "gcc", "-mno-relax"), ("call", "clang")],
}
HANDLERS = {"aarch64": [["jump"], ["trap"], ["jump", "general"], ["trap", "general"]],
            "riscv64": [["jump"], ["trap"]]}
UNWOUND = {"aarch64": [["-mbranch-protection=standard"]], "riscv64": []}
LAUNCHED = {"aarch64": ("bfd", "gold"), "riscv64": ("bfd",)}
LLVM = {"aarch64": "", "riscv64": "-16"}


@pytest.mark.parametrize("mode, number", [("jump", 2), ("trap", 1)])
@each(kind=lambda m: KINDS[m.name])
def test_each_kind_of_site_calls_the_handler(sdt, targets, machine, kind, mode, number):
    kind, compiler, *flags = kind
    compiler = machine.gcc if compiler == "gcc" else clang(machine.name)
    need(compiler.split()[0])
    forms = ["-DSDT_CALL_SITES"] if kind == "call" else []
    exe = machine.program(sdt, targets, *forms, *flags, compiler=compiler)
    kinds = {site.kind for site in ElfView(exe).sites()}
    assert {kind, "enabled"} < kinds and kinds <= {kind, "enabled", "tail", "call"}
    said = machine.run(sdt, exe, mode)
    states = [f"sale mode {mode} error success" for mode in (number, 2)]  # 2: of the question
    states += [f"{name} mode {number} error success" for name in ("left", "dear")]
    assert said[:2] == ["off: 0 0", "enabled: yes"]
    assert said[2:7] == hits(mode)
    assert sorted(said[7:11]) == sorted(states)
    assert said[11:] == ["disabled: success", "off: 0 0"]


@each()
@FORMS
def test_hits_are_counted(sdt, targets, machine, forms):
    """Without restartable sequences: in the probe; where tools may attach, in memory for them."""
    exe = machine.program(sdt, targets, *forms)
    for env in ({}, {"SDT_ATTACH": "1"}):
        assert machine.run(sdt, exe, "count", env=env) == ["1000"]


@each()
def test_pieces_for_a_cpu_add_to_its_row(sdt, machine):
    """Sums, the largest value and the complement of the smallest; a CPU without a row has none."""
    need(machine.gcc, machine.qemu)
    flags = ["-O2", "-Wall", "-Wextra", "-Werror"]
    runtime = ROOT / "runtime"
    sdt.command(machine.gcc, *flags, "-I", runtime, "-I", runtime / "arch" / machine.name,
                PROGRAMS / "machine_percpu.c", "-o", sdt.path("a.out"))
    ones = (1 << 64) - 1
    assert machine.run(sdt, sdt.path("a.out")) == [
        "11 named", "111 named", "0000 named", "00000 named",
        f"28 7 {ones - 7:x} 1", f"29 7 {ones - 3:x} 2", "0 0 0 0"]


@each()
def test_hits_in_constructors_and_destructors_count(sdt, targets, machine):
    exe = machine.program(sdt, targets, source="everywhere_early.c")
    assert machine.run(sdt, exe, env={"SDT_ENABLE": "early=count"}) == ["3"]


@each()
@FORMS
def test_sites_change_while_threads_run_them(sdt, targets, machine, forms):
    exe = machine.program(sdt, targets, *forms)
    assert machine.run(sdt, exe, "toggle", timeout=120) == \
        ["calls enough, wrong 0, failed 0, late 0"]


def registers(sdt, targets, machine, *objects, source=None):
    """A program with sites where every register is in use."""
    need(machine.gcc, machine.qemu)
    sdt.command(machine.gcc, "-c", ROOT / "tests" / "asm" / f"{machine}_registers.S", "-o",
                sdt.path("registers.o"))
    return machine.program(sdt, targets, source=source or f"{machine}_registers.c",
                           objects=[sdt.process(sdt.path("registers.o")), *objects])


@each(cpu=lambda m: m.cpus, args=lambda m: HANDLERS[m.name])
def test_inline_sites_keep_every_register(sdt, targets, machine, cpu, args):
    """With a handler that changes all that functions may change; also those of vectors."""
    exe = registers(sdt, targets, machine)
    assert machine.run(sdt, exe, *args, cpu=cpu) == [machine.cpus[cpu][0]]


@each(cpu=lambda m: m.cpus)
def test_every_register_survives_when_subscriptions_change_on_the_way(sdt, targets, machine, cpu):
    """On aarch64 a hit that came without its vector registers saved calls no handler that may
    change them; on riscv64 all are saved for all handlers, so that each is called."""
    exe = registers(sdt, targets, machine)
    assert machine.run(sdt, exe, "jump", "late", cpu=cpu) == [machine.cpus[cpu][1]]


@each(flags=lambda m: [[], ["-DSDT_CALL_SITES"], ["-Os", "-fomit-frame-pointer"],
                       *UNWOUND[m.name]])
def test_unwinders_go_through_sites(sdt, targets, machine, flags):
    """Each function once, also a leaf; pthread_exit() in a handler leaves them all."""
    exe = machine.program(sdt, targets, "-fexceptions", *flags, source="machine_unwind.c")
    assert machine.run(sdt, exe) == ["framed: framed outer", "leaf: leaf framed outer",
                                     "left: tail outer", "cleanup of run", "7 0"]


FAR = {  # flags of its compiler; what arming by a jump says; the mode that it gets by default
    "aarch64": (["-DSDT_CALL_SITES"], "this mode cannot arm this kind of site here", 1),
    "riscv64": (["-mcmodel=medany"], "armed", 2),
}


@each()
def test_what_is_far_from_its_stub(sdt, targets, machine):
    """A function 512 MiB from the stubs: on aarch64 it cannot be armed by a jump, and by default it
    is trapped; on riscv64 every site reaches. What is called by a tail call reaches on both."""
    flags, said, mode = FAR[machine.name]
    exe = machine.program(sdt, targets, "-fno-pie", *flags, source="machine_far.c",
                          objects=["-no-pie", "-Wl,--section-start=.far=0x20000000"])
    lines = machine.run(sdt, exe)
    assert lines[:2] == [f"by jump: {said}", "by default: armed"]
    assert sorted(lines[2:4]) == [f"far mode {mode}", "left mode 2"]
    assert lines[4:] == ["far 6", "7", "left 8"]


def launched(sdt, targets, machine, *command):
    """COMMAND by the launcher, which adds the runtime of that machine; what the program prints."""
    sdt.command(machine.gcc, "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o",
                sdt.path("emulated.o"))
    sdt.command(sdt.tool, f"--runtime-directory={machine.library(targets).parent}", *command, "-O2",
                "-I", INCLUDE, PROGRAMS / "machine_run.c", sdt.path("emulated.o"), "-o",
                sdt.path("a.out"))
    return machine.run(sdt, sdt.path("a.out"), "jump")


@each(linker=lambda m: LAUNCHED[m.name])
@pytest.mark.parametrize("lto", [[], ["-flto"]], ids=["", "lto"])
@FORMS
def test_sdtlink_in_front_of_the_cross_compiler(sdt, targets, machine, linker, lto, forms):
    """Objects are processed, and the runtime of that machine is added: before the C library also
    where -pthread means -latomic after it, as on riscv64."""
    need(f"{machine}-linux-gnu-ld.{linker}")
    threads = ["-pthread"] if machine.name == "riscv64" else []
    said = launched(sdt, targets, machine, machine.gcc, f"-fuse-ld={linker}", *lto, *forms,
                    *threads, "-ffunction-sections", "-Wl,--gc-sections")
    assert said[2:7] == hits("jump")


@each()
def test_sdtlink_in_front_of_clang(sdt, targets, machine):
    version = LLVM[machine.name]
    need(f"clang{version}", f"ld.lld{version}", machine.gcc)
    said = launched(sdt, targets, machine, *clang(machine.name, f"clang{version}").split(),
                    "-fuse-ld=lld", f"-L/usr/{machine}-linux-gnu/lib", "-pie")
    assert said[2:7] == hits("jump")
