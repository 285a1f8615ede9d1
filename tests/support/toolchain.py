# SPDX-License-Identifier: BSD-2-Clause
"""The compilers and linkers of this machine: found, not named.

Every distribution has one gcc, one clang and one lld whose names have no number. The default LLVM
also has numbered names, and so do the other versions: `clang-14`, `clang-16`. Tests that need two
versions of LLVM take the default and one other from here; with SDT_TOOLCHAINS=all, every version of
gcc and LLVM that is there (`./run test --compilers`). What a distribution does not have, such as
gold, is named in the first lines that pytest prints, and tests that need it are skipped by name.
"""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

LLVM_PROGRAMS = ("clang", "clang++", "ld.lld", "llvm-ar", "llvm-config")
# What may be missing. Everything else that a test runs is part of every distribution.
OPTIONAL = re.compile(r"(clang|clang\+\+|ld\.gold|ld\.lld|ld\.mold|mold|llvm-[a-z]+)(-\d+)?")
# Dialects that not every supported compiler knows.
NEW_DIALECT = re.compile(r"-std=(?:c|gnu)(?:2[xy]|23|\+\+2[bc]|\+\+2[36])")
LINKER_OPTION = re.compile(r"-fuse-ld=((gold|lld|mold)(-\d+)?)")


def has(program):
    return shutil.which(program) is not None


def major(program, option="-dumpversion"):
    """The major version of a program; None: it is not there."""
    if not has(program):
        return None
    said = subprocess.run([program, option], capture_output=True, text=True, check=True)
    return int(re.search(r"\d+", said.stdout)[0])


def numbered(*programs):
    """Numbers with which all of these programs are there, ascending."""
    names = {path.name for directory in os.environ["PATH"].split(":")
             for path in pathlib.Path(directory).glob(f"{programs[0]}-*")}
    numbers = {int(name.rpartition("-")[2]) for name in names
               if re.fullmatch(rf"{programs[0]}-\d+", name)}
    return sorted(n for n in numbers if all(has(f"{p}-{n}") for p in programs))


@functools.cache
def accepts(compiler, *flags):
    """Whether a compiler and its assembler have these options, without a complaint; False: it is
    not here."""
    argv = [compiler, "-Werror", "-x", "c++" if "++" in compiler else "c", *flags, "-c", os.devnull]
    with tempfile.TemporaryDirectory() as place:
        argv += ["-o", f"{place}/out.o"]
        return has(compiler) and subprocess.run(argv, capture_output=True).returncode == 0


@functools.cache
def pie(compiler):
    """What makes a compiler's objects fit for the programs that gcc links: Debian's clang makes
    them so by itself since LLVM 14."""
    return ["-fPIE"] if "clang" in compiler and (major(compiler) or 14) < 14 else []


def choose_llvms(default, versions):
    """The default and one other: the newest that is at most two above it. A stable distribution
    gets newer ones later, for its browsers. `./run` installs by the same rule (second_llvm)."""
    others = [n for n in versions if n != default and (default is None or n <= default + 2)]
    return sorted({*others[-1:], *({default} & set(versions))})


def missing(argv):
    """The optional program that a command names and that is not here; None: all are."""
    words = [str(word) for word in argv]
    wanted = [word for word in words if OPTIONAL.fullmatch(word)]
    wanted += [f"ld.{match[1]}" for word in words if (match := LINKER_OPTION.fullmatch(word))]
    return next((program for program in wanted if not has(program)), None)


def unknown_dialect(argv):
    """The new -std= of a command that its compiler does not know; None: there is no such."""
    compiler, *words = map(str, argv)
    said = [word for word in words if NEW_DIALECT.fullmatch(word)]
    language = ["-x", "c++"] if any("++" in word for word in said) else []
    return said[0] if said and not accepts(compiler, *said, *language) else None


IS_ALL = os.environ.get("SDT_TOOLCHAINS") == "all"
GCC_VERSION = major("gcc")
# From the oldest ones on that have inline sites: see <sdt/probe.h>.
GCC_VERSIONS = [n for n in numbered("gcc", "g++") if n >= 9]
COMPLETE_LLVMS = [n for n in numbered(*LLVM_PROGRAMS) if n >= 11]
GCCS = [f"gcc-{n}" for n in (GCC_VERSIONS if IS_ALL else [GCC_VERSION])]
LLVMS = COMPLETE_LLVMS if IS_ALL else choose_llvms(major("clang"), COMPLETE_LLVMS)
# For tests that are quick with each: all that are here.
EVERY_COMPILER = [*(f"gcc-{n}" for n in GCC_VERSIONS), *(f"clang-{n}" for n in COMPLETE_LLVMS)]
CLANGS = [f"clang-{n}" for n in LLVMS]
LLDS = [f"lld-{n}" for n in LLVMS]
# For tests that take one of the two. Names without a number where there is no complete LLVM: such
# tests are skipped then, by the name.
OLDER, NEWER = ([str(n) for n in (LLVMS[0], LLVMS[-1])] if LLVMS else ["", ""])
OLDER_CLANG, NEWER_CLANG = (f"clang-{n}" if n else "clang" for n in (OLDER, NEWER))
LINKERS = [name for name in ("bfd", "gold", *LLDS, "mold") if has(f"ld.{name}")]
ABSENT = [name for name in ("clang", "ld.gold", "ld.lld", "ld.mold") if not has(name)]


def cxx(compiler):
    """`clang++-16` of `clang-16`, `g++-12` of `gcc-12`."""
    return compiler.replace("clang", "clang++").replace("gcc", "g++")


def describe():
    """For the head of a test run."""
    here = (f"toolchain: {', '.join(GCCS)}, {', '.join(CLANGS) or 'no LLVM'}; "
            f"{', '.join(LINKERS)}")
    lines = [here]
    if len(LLVMS) < 2:
        lines.append("toolchain: no second LLVM here; what differs between versions is not tested")
    if ABSENT:
        lines.append(f"toolchain: this machine has no {', '.join(ABSENT)}; "
                     "tests that need it are skipped")
    return lines
