# SPDX-License-Identifier: BSD-2-Clause
"""The table: what a cell of the matrix is made of, which cells exist, and what is known of them.

A cell is one program, built by one compiler at one optimisation, linked by one linker as one kind
of output, under one option; its name is, say, `gcc-12:mold:-O2:pie:gc`. Compilers and linkers are
those of this machine (toolchain.py). CELLS has all cells; QUICK is the part that every run does:
each value, and each compiler with each linker, is in a cell of it.
"""
import dataclasses
import itertools

import cells
from toolchain import CLANGS, GCC_VERSION, GCCS, LLDS, cxx, has

OPTIMISATIONS = ("-O0", "-O1", "-O2", "-O3", "-Os")


@dataclasses.dataclass(frozen=True)
class Compiler:
    name: str
    c: str
    cxx: str
    family: str


GCC_NAME = f"gcc-{GCC_VERSION}"
COMPILERS = {name: Compiler(name, name, cxx(name), name.split("-")[0])
             for name in (*GCCS, *CLANGS) if has(name) and has(cxx(name))}


@dataclasses.dataclass(frozen=True)
class Linker:
    """`program` is put into a directory under the name that -fuse-ld=`fuse` looks for."""
    name: str
    fuse: str
    program: str
    family: str


LINKERS = {name: Linker(name, name.split("-")[0], f"ld.{name}", name.split("-")[0])
           for name in ("bfd", "gold", *LLDS, "mold") if has(f"ld.{name}")}


@dataclasses.dataclass(frozen=True)
class Kind:
    name: str
    cflags: tuple
    ldflags: tuple


KINDS = {k.name: k for k in (Kind("no-pie", ("-fno-pie",), ("-no-pie",)),
                             Kind("pie", ("-fPIE",), ("-pie",)),
                             Kind("static", ("-fno-pie",), ("-static",)),
                             Kind("static-pie", ("-fPIE",), ("-static-pie",)),
                             Kind("shared", ("-fPIC",), ("-shared",)))}
PROGRAMS = ("no-pie", "pie", "static", "static-pie")
DYNAMIC = ("no-pie", "pie", "shared")
SECTIONS = ("-ffunction-sections", "-fdata-sections")


@dataclasses.dataclass(frozen=True)
class Option:
    """What is done differently. Commands name files as {in} and {out}."""
    name: str
    title: str
    cflags: tuple = ()
    ldflags: tuple = ()
    control_without: tuple = ()  # flags that the control's objects are compiled without
    compilers: tuple = tuple(COMPILERS)
    linkers: tuple = tuple(LINKERS)
    kinds: tuple = tuple(KINDS)
    each: tuple = ()          # command on each processed object
    join: str = ""            # the linker that joins the processed objects with -r
    seed: bool = False        # ... the unprocessed ones, before sdtlink
    archive: bool = False     # the objects are members of an archive
    finish: tuple = ()        # commands on the linked file
    strips_notes: bool = False  # they take the tracers' notes away
    launcher: bool = False    # `sdtlink CC` links the unprocessed objects
    ordering: bool = False    # the linker is given an order of functions
    debug: bool = False       # addr2line must know the sites' functions
    folds: bool = False       # functions that are alike become one
    collects: bool = False    # dead functions are to go


def linker_flags(*flags):
    return tuple(f"-Wl,{flag}" for flag in flags)


GC = linker_flags("--gc-sections")
GCC = tuple(n for n, c in COMPILERS.items() if c.family == "gcc")
CLANG = tuple(n for n, c in COMPILERS.items() if c.family == "clang")
LLD = tuple(n for n, l in LINKERS.items() if l.family == "lld")
# What LLVM 11 cannot: clang's own error in C++ at sections for blocks; its lld knows no
# start-stop-gc, writes groups with -r that bfd does not read, and keeps the notes of dead
# functions, which build.py has finalized (docs/limits.md).
NOT_LLD_11 = tuple(n for n in LINKERS if n != "lld-11")
OPTIONS = {o.name: o for o in (
    Option("plain", "no option"),
    Option("gc", "`-ffunction-sections -Wl,--gc-sections`", SECTIONS, GC, collects=True),
    Option("gc-start-stop", "the same with `-z start-stop-gc`", SECTIONS,
           (*GC, *linker_flags("-z,start-stop-gc")),
           linkers=tuple(n for n in ("bfd", *LLD) if n in NOT_LLD_11), collects=True),
    Option("icf", "`-ffunction-sections -Wl,--gc-sections,--icf=all`", SECTIONS,
           (*GC, *linker_flags("--icf=all")), linkers=("gold", *LLD, "mold"), collects=True,
           folds=True),
    Option("noplt", "`-fno-plt`", ("-fno-plt",)),
    Option("noplt-old", "`-fno-plt -Wa,-mrelax-relocations=no`",
           ("-fno-plt", "-Wa,-mrelax-relocations=no")),
    Option("cet", "`-fcf-protection=full`", ("-fcf-protection=full",)),
    Option("branches", "branches aligned by the assembler (padded with prefixes)"),
    Option("gas", "`-fno-integrated-as`", ("-fno-integrated-as",), compilers=CLANG),
    # Both compilers' exceptions end the program there, depending on where the linker puts blocks.
    Option("blocks", "`-fbasic-block-sections=all`, no exceptions thrown",
           ("-fbasic-block-sections=all", "-DMATRIX_THROWS=0"),
           compilers=tuple(n for n in CLANG if n != "clang-11")),
    Option("profiled", "`-pg`", ("-pg",), ("-pg",), kinds=("no-pie", "pie")),
    Option("split-stack", "`-fsplit-stack`", ("-fsplit-stack",), ("-fsplit-stack",),
           kinds=("no-pie", "pie")),
    Option("asan", "`-fsanitize=address`", ("-fsanitize=address",), ("-fsanitize=address",),
           kinds=("no-pie", "pie")),
    Option("tuned", "`-g -Wl,-O2,--build-id,--as-needed -z relro -z now`", ("-g",),
           linker_flags("-O2", "--build-id", "--as-needed", "-z,relro", "-z,now"), debug=True),
    Option("relocs", "`-Wl,--emit-relocs`", (), linker_flags("--emit-relocs")),
    Option("strip", "the result through `strip -s`", finish=(("strip", "-s", "{out}"),)),
    Option("objcopy", "every processed object and the result through `objcopy`",
           each=(("objcopy", "{in}", "{out}"),),
           finish=(("objcopy", "{out}"),)),
    Option("strip-objects", "every processed object through `strip --strip-unneeded`",
           each=(("strip", "--strip-unneeded", "-o", "{out}", "{in}"),)),
    Option("llvm-strip", "every processed object through `llvm-strip -g`, the result `-s`",
           each=(("llvm-strip", "-g", "-o", "{out}", "{in}"),),
           finish=(("llvm-strip", "-s", "{out}"),), strips_notes=True),
    Option("debug-file", "`-g`, then `objcopy --only-keep-debug`, `strip -g`, a debug link",
           ("-g",), debug=True,
           finish=(("objcopy", "--only-keep-debug", "{out}", "{out}.debug"),
                   ("strip", "-g", "{out}"),
                   ("objcopy", "--add-gnu-debuglink={out}.debug", "{out}"))),
    Option("split-dwarf", "`-g -gsplit-dwarf`", ("-g", "-gsplit-dwarf"), debug=True),
    Option("ordered", "`-ffunction-sections` and an order of functions or sections", SECTIONS,
           linkers=("gold", *LLD), ordering=True),
    Option("shuffled", "`-ffunction-sections` and `--shuffle-sections`", SECTIONS,
           linkers=(*LLD, "mold")),
    Option("archive", "the processed objects in an archive", archive=True),
    Option("launcher", "`sdtlink CC` on unprocessed objects", launcher=True),
    Option("launcher-archive", "`sdtlink CC` on an archive of them", launcher=True, archive=True),
    Option("launcher-gc", "`sdtlink CC` with `-ffunction-sections -Wl,--gc-sections`", SECTIONS,
           GC, launcher=True, collects=True),
    Option("fat", "fat LTO objects (`-flto -ffat-lto-objects`), linked without `-flto`",
           ("-flto", "-ffat-lto-objects"), compilers=GCC,
           control_without=("-flto", "-ffat-lto-objects")),  # it would take the other half
    Option("lto-fat", "`sdtlink CC -flto` on fat LTO objects", ("-flto", "-ffat-lto-objects"),
           ("-flto",), compilers=GCC, launcher=True),
    Option("lto-slim", "`sdtlink CC -flto` on slim LTO objects",
           ("-flto", "-fno-fat-lto-objects"), ("-flto",), compilers=GCC, launcher=True),
    Option("lto-full", "`sdtlink CC -flto` on bitcode", ("-flto",), ("-flto",), compilers=CLANG,
           launcher=True),
    Option("lto-thin", "`sdtlink CC -flto=thin` on bitcode", ("-flto=thin",), ("-flto=thin",),
           compilers=CLANG, launcher=True),
    *(Option(f"r-{name}", f"the processed objects joined by `{name} -r`, then `--gc-sections`",
             SECTIONS, GC, kinds=DYNAMIC, join=name, linkers=NOT_LLD_11, collects=True)
      for name in NOT_LLD_11),
    *(Option(f"seed-{name}", f"`{name} -r` of the unprocessed objects, then sdtlink", SECTIONS,
             kinds=DYNAMIC, join=name, seed=True) for name in LINKERS if name != "mold"),
)}


@dataclasses.dataclass(frozen=True)
class Cell:
    compiler: str
    linker: str
    optimisation: str
    kind: str
    option: str

    def __str__(self):
        return ":".join(dataclasses.astuple(self))

    @property
    def cflags(self):
        flags = [*KINDS[self.kind].cflags, *OPTIONS[self.option].cflags]
        if self.option == "branches":
            flags += BRANCHES[COMPILERS[self.compiler].family]
        return (self.optimisation, *flags)

    @property
    def ldflags(self):
        flags = (self.optimisation, *KINDS[self.kind].ldflags, *OPTIONS[self.option].ldflags)
        return flags + (SHUFFLE[self.linker] if self.option == "shuffled" else ())


BRANCHES = {"gcc": ["-Wa,-malign-branch-boundary=32", "-Wa,-malign-branch-prefix-size=5",
                    "-Wa,-malign-branch=jcc+fused+jmp+call+ret+indirect"],
            "clang": ["-mbranches-within-32B-boundaries"]}
# Not `*`: lld takes a group that is named by a section symbol, as libstdc++.a's .stapsdt.base is,
# for another than one of that name. Shuffled, the two may change places: docs/tracers.md.
LLD_SHUFFLE = linker_flags(*(f"--shuffle-sections={name}*=7" for name in
                             (".text", ".rodata", ".data", "sdt_", ".eh_frame", ".gcc_except")))
SHUFFLE = {**{name: LLD_SHUFFLE for name in LLD}, "mold": linker_flags("--shuffle-sections=7")}


def exists(compiler, linker, kind, option):
    return compiler in option.compilers and linker in option.linkers and kind in option.kinds


def all_cells():
    """Everything with everything, without an option. With one: every compiler, linker and kind,
    each at one optimisation, which moves along from cell to cell."""
    for compiler, linker, kind in itertools.product(COMPILERS, LINKERS, KINDS):
        for optimisation in OPTIMISATIONS:
            yield Cell(compiler, linker, optimisation, kind, "plain")
    for o, option in enumerate(list(OPTIONS.values())[1:]):
        for (c, compiler), (l, linker), (k, kind) in itertools.product(
                enumerate(COMPILERS), enumerate(LINKERS), enumerate(KINDS)):
            if exists(compiler, linker, kind, option):
                yield Cell(compiler, linker, OPTIMISATIONS[(o + 2 * c + l + k) % 5], kind,
                           option.name)


def shown(cell):
    """What a cell is an example of: each of its values, and its compiler with its linker."""
    return {*enumerate(dataclasses.astuple(cell)), (cell.compiler, cell.linker)}


CELLS = tuple(all_cells())
OBJECTS = {cell: (cell.compiler, cell.cflags) for cell in CELLS}


def is_compiled(cell, chosen):
    """Whether another cell has compiled these objects already: compiling takes the time."""
    return any(OBJECTS[cell] == OBJECTS[other] for other in chosen)


QUICK = set(cells.choose(CELLS, shown=shown, prefer=is_compiled))
