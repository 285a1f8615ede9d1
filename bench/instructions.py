# SPDX-License-Identifier: BSD-2-Clause
"""How many instructions a hit executes on aarch64 and riscv64, in a program that qemu runs: counted
by the plugin of functions.py, as the difference between two runs, more than with a probe that is
off. No times: qemu has none. Its user mode has no rseq(2) either, so for counters of each CPU,
which aarch64 has, the instructions of the counting function, up to its `ret`, are read from its
disassembly: no branch before that is taken.
"""
import re

import functions
import harness
import peers

FEW, MANY = 1000, 11000
# What is executed before and after that function: of an entry, and of a stub.
AROUND = {"inline": 6, "call site": 7}
WHATS = {"off": "off", "count": "counted without rseq(2)", "handler": "empty handler",
         "general": "empty handler of general registers"}
FORMS = (("inline", ()), ("call site", ("-DSDT_CALL_SITES",)))


def _runtime(bench, triple):
    """libsdt.a for that machine."""
    toolchain = harness.ROOT / "cmake" / "toolchains" / f"{triple}.cmake"
    build = bench.work / triple
    bench.command("cmake", "-S", harness.ROOT, "-B", build, "-G", "Ninja", "-DSDT_BUILD_SDT=OFF",
                  f"-DCMAKE_TOOLCHAIN_FILE={toolchain}")
    bench.command("cmake", "--build", build, "--target", "sdt")
    return build / "runtime" / "libsdt.a"


def _build(bench, triple, runtime, form, flags):
    gcc, exe = f"{triple}-gcc", bench.work / f"{triple} {form}" / "hits"
    exe.parent.mkdir()
    helper = harness.ROOT / "tests" / "programs" / "machine_emulated.c"
    bench.command(gcc, "-O2", "-c", helper, "-o", exe.parent / "emulated.o")
    bench.command(gcc, "-O2", *flags, "-I", bench.include, "-c",
                  harness.PROGRAMS / "hit_instructions.c", "-o", exe.parent / "hits.o")
    bench.command(bench.tool, "-q", "-o", exe.parent / "hits.o", exe.parent / "hits.o")
    bench.command(gcc, "-no-pie", exe.parent / "hits.o", exe.parent / "emulated.o", runtime,
                  "-pthread", "-o", exe)
    return exe


def _until_return(bench, triple, exe, function):
    """Instructions of FUNCTION, to its first `ret`."""
    text = bench.command(f"{triple}-objdump", "-d", "--no-show-raw-insn",
                         f"--disassemble={function}", exe)
    found = re.findall(r"^ *[0-9a-f]+:\t(\w+)", text, re.M)
    return found.index("ret") + 1


def _form(bench, area, triple, exe, form, whats, off):
    """The rows of one form of site; OFF is how many instructions it has while it is off."""
    def executed(what, hits):
        return functions.executed_in_qemu(bench, exe, what, hits, triple=triple).total()

    each = {what: (executed(what, MANY) - executed(what, FEW)) / (MANY - FEW) for what in whats}
    for what in whats:
        more = each[what] - each["off"] if what != "off" else off
        bench.record(area, f"{form}, {WHATS[what]}", more, "instructions")


def _is_possible(bench, area, triple):
    bench.say(f"instructions of a hit on {triple.partition('-')[0]}, in qemu")
    try:
        functions.need_counter(triple)
        peers.need("ninja")
    except peers.Missing as why:
        bench.skip(area, str(why))
        return False
    return True


def measure(bench):
    area, triple = "instructions", functions.ARM
    if not _is_possible(bench, area, triple):
        return
    runtime = _runtime(bench, triple)
    for form, flags in FORMS:
        exe = _build(bench, triple, runtime, form, flags)
        _form(bench, area, triple, exe, form, WHATS, 1)
        counted = _until_return(bench, triple, exe, "trampoline_count" if flags else "entry_count")
        bench.record(area, f"{form}, counted", AROUND[form] + counted, "instructions")


def measure_riscv64(bench):
    """Where SDT_GENERAL_REGS is 0, and hits are counted in the probe."""
    area, triple = "instructions-riscv64", functions.RISCV
    if not _is_possible(bench, area, triple):
        return
    runtime = _runtime(bench, triple)
    for form, flags in FORMS:
        exe = _build(bench, triple, runtime, form, flags)
        _form(bench, area, triple, exe, form, ["off", "count", "handler"], 2)
