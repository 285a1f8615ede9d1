# SPDX-License-Identifier: BSD-2-Clause
"""The freestanding runtime (<sdt/kernel.h>) compiled from its sources, as kernels do it.

    runtime(sdt, "x86_64", "gcc -O2 -mgeneral-regs-only")    its objects
    program(sdt, "x86_64", "gcc", objects)                   programs/freestanding_runtime.c with it
"""
from conftest import INCLUDE, PROGRAMS, ROOT

RUNTIME = ROOT / "runtime"
# The words of runtime/freestanding/CMakeLists.txt that are the same on every machine.
ALONE = ["-ffreestanding", "-fno-pie", "-nostdinc", "-fvisibility=hidden"]
GCC = ["-fno-tree-loop-distribute-patterns"]  # no calls of strlen() in place of loops
GENERAL = {"x86_64": ["-mno-red-zone", "-mgeneral-regs-only"],
           "aarch64": ["-mgeneral-regs-only", "-mno-outline-atomics"],
           "riscv64": []}


def sources(machine, home):
    lines = [line.split() for line in (home / "freestanding" / "sources.txt").read_text()
             .splitlines() if not line.startswith("#")]
    return [home / words[-1] for words in lines if len(words) == 1 or words[0] == machine]


def runtime(sdt, machine, compiler, *flags, home=RUNTIME, include=INCLUDE):
    """Nothing is found but the compiler's own headers and ours. HOME has the sources."""
    out = sdt.path("runtime")
    out.mkdir()
    words = compiler.split()
    if "-I" in words:  # of a C library, for a cross compiler
        del words[words.index("-I"):words.index("-I") + 2]
    own = sdt.command(*words, "-print-file-name=include").stdout.strip()
    includes = [word for folder in (own, home / "freestanding" / "include", home / "freestanding",
                                    home, home / "arch" / machine, include)
                for word in ("-isystem" if folder == own else "-I", folder)]
    sdt.command(*words, "-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror",
                "-DPATCH_CHUNK=16", *ALONE, *([] if "clang" in compiler else GCC),
                *GENERAL[machine], *flags, *includes,
                "-c", *sources(machine, home), cwd=out)
    return sorted(out.glob("*.o"))


def program(sdt, machine, compiler, objects, *flags, linker=None):
    plain = ["-O2", "-g", "-fno-pie", "-I", INCLUDE]
    obj = sdt.path("freestanding.o")
    sdt.command(*compiler.split(), *plain, *GENERAL[machine], "-DKEEPS",
                "-c", PROGRAMS / "freestanding.c", "-o", obj)
    parts = []
    for name in ("freestanding_runtime", "fake_kernel"):
        parts.append(sdt.path(f"{name}.o"))
        sdt.command(*compiler.split(), *plain, "-Wall", "-Wextra", "-Werror", *flags,
                    "-c", PROGRAMS / f"{name}.c", "-o", parts[-1])
    exe = sdt.path("kernel")
    sdt.command(*(linker or compiler).split(), *flags, "-no-pie", *parts,
                sdt.process(obj, "--freestanding"), *objects, "-pthread", "-o", exe)
    return exe
