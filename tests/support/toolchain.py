# SPDX-License-Identifier: BSD-2-Clause
"""The compilers and linkers of this machine: found, not named.

Every distribution has one gcc, one clang and one lld whose names have no number. The default LLVM
also has numbered names, and so do the other versions: `clang-14`, `clang-16`. Tests that need two
versions of LLVM take the default and one other from here. What a distribution does not have, such
as gold, is named in the first lines that pytest prints, and tests that need it are skipped by name.
"""
import os
import pathlib
import re
import shutil
import subprocess

LLVM_PROGRAMS = ("clang", "clang++", "ld.lld", "llvm-ar", "llvm-config")
# What may be missing. Everything else that a test runs is part of every distribution.
OPTIONAL = re.compile(r"(clang|clang\+\+|ld\.gold|ld\.lld|ld\.mold|mold|llvm-[a-z]+)(-\d+)?")
LINKER_OPTION = re.compile(r"-fuse-ld=((gold|lld|mold)(-\d+)?)")


def has(program):
    return shutil.which(program) is not None


def major(program, option="-dumpversion"):
    """The major version of a program; None: it is not there."""
    if not has(program):
        return None
    said = subprocess.run([program, option], capture_output=True, text=True, check=True)
    return int(re.search(r"\d+", said.stdout)[0])


def complete_llvms():
    """Versions of which all programs are there, ascending."""
    names = {path.name for directory in os.environ["PATH"].split(":")
             for path in pathlib.Path(directory).glob("clang-*")}
    numbers = {int(name.removeprefix("clang-")) for name in names
               if re.fullmatch(r"clang-\d+", name)}
    return sorted(n for n in numbers if all(has(f"{p}-{n}") for p in LLVM_PROGRAMS))


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


GCC_VERSION = major("gcc")
LLVMS = choose_llvms(major("clang"), complete_llvms())
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
    here = f"toolchain: gcc {GCC_VERSION}, {', '.join(CLANGS) or 'no LLVM'}; {', '.join(LINKERS)}"
    lines = [here]
    if len(LLVMS) < 2:
        lines.append("toolchain: no second LLVM here; what differs between versions is not tested")
    if ABSENT:
        lines.append(f"toolchain: this machine has no {', '.join(ABSENT)}; "
                     "tests that need it are skipped")
    return lines
