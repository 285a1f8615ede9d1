# SPDX-License-Identifier: BSD-2-Clause
"""How many instructions a hit executes on aarch64, in a program that qemu runs: counted by the
plugin of functions.py, as the difference between two runs, more than with a probe that is off. No
times: qemu has none. Its user mode has no rseq(2) either, so for counters of each CPU the
instructions of the counting function, up to its `ret`, are read from its disassembly: no branch
before that is taken.
"""
import re

import functions
import harness
import peers

AREA = "instructions"
FEW, MANY = 1000, 11000
# What is executed before and after that function: of an entry, and of a stub.
AROUND = {"inline": 6, "call site": 7}
WHATS = {"off": "off", "count": "counted without rseq(2)", "handler": "empty handler",
         "general": "empty handler of general registers"}


def _runtime(bench):
    """libsdt.a for that machine."""
    toolchain = harness.ROOT / "cmake" / "toolchains" / f"{functions.ARM}.cmake"
    build = bench.work / "runtime"
    bench.command("cmake", "-S", harness.ROOT, "-B", build, "-G", "Ninja", "-DSDT_BUILD_SDT=OFF",
                  f"-DCMAKE_TOOLCHAIN_FILE={toolchain}")
    bench.command("cmake", "--build", build, "--target", "sdt")
    return build / "runtime" / "libsdt.a"


def _build(bench, runtime, form, flags):
    gcc, exe = f"{functions.ARM}-gcc", bench.work / form / "hits"
    exe.parent.mkdir()
    helper = harness.ROOT / "tests" / "programs" / "a64_emulated.c"
    bench.command(gcc, "-O2", "-c", helper, "-o", exe.parent / "emulated.o")
    bench.command(gcc, "-O2", *flags, "-I", bench.include, "-c",
                  harness.PROGRAMS / "hit_instructions.c", "-o", exe.parent / "hits.o")
    bench.command(bench.tool, "-q", "-o", exe.parent / "hits.o", exe.parent / "hits.o")
    bench.command(gcc, "-no-pie", exe.parent / "hits.o", exe.parent / "emulated.o", runtime,
                  "-pthread", "-o", exe)
    return exe


def _until_return(bench, exe, function):
    """Instructions of FUNCTION, to its first `ret`."""
    text = bench.command(f"{functions.ARM}-objdump", "-d", "--no-show-raw-insn",
                         f"--disassemble={function}", exe)
    found = re.findall(r"^ *[0-9a-f]+:\t(\w+)", text, re.M)
    return found.index("ret") + 1


def measure(bench):
    bench.say("instructions of a hit on aarch64, in qemu")
    try:
        functions.need_counter()
        peers.need("ninja")
    except peers.Missing as why:
        bench.skip(AREA, str(why))
        return
    runtime = _runtime(bench)
    for form, flags in (("inline", ()), ("call site", ("-DSDT_CALL_SITES",))):
        exe = _build(bench, runtime, form, flags)

        def executed(what, hits):
            return functions.executed_in_qemu(bench, exe, what, hits).total()

        each = {what: (executed(what, MANY) - executed(what, FEW)) / (MANY - FEW) for what in WHATS}
        for what, title in WHATS.items():
            more = each[what] - each["off"] if what != "off" else 1
            bench.record(AREA, f"{form}, {title}", more, "instructions")
        counted = _until_return(bench, exe, "trampoline_count" if flags else "entry_count")
        bench.record(AREA, f"{form}, counted", AROUND[form] + counted, "instructions")
