# SPDX-License-Identifier: BSD-2-Clause
"""The newest dialects of C and C++, with every compiler of this machine that knows them."""
import pytest

from conftest import INCLUDE, INCLUDES, PROGRAMS
from toolchain import EVERY_COMPILER, cxx

pytestmark = [pytest.mark.nosan, pytest.mark.plain]  # runs no tool

C_DIALECTS = "c23 gnu23 c2y gnu2y".split()
CXX_DIALECTS = "c++23 gnu++23 c++26 gnu++26".split()
WARNINGS = "-Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion".split()
FORMS = [[], ["-O2"], ["-O2", "-DSDT_CALL_SITES"], ["-DSDT_SEMAPHORES"], ["-DSDT_DISABLE"]]


def compile_all(sdt, compiler, dialect, name, source):
    everything = sdt.write(name, (PROGRAMS / "every_header.c").read_text())
    argv = [compiler, f"-std={dialect}", *WARNINGS, *INCLUDES, "-I", INCLUDE / "sdt-compat"]
    for form in FORMS:
        sdt.command(*argv, *form, "-c", everything, "-o", "out.o")
        sdt.command(*argv, *form, "-Wno-conversion", "-c", PROGRAMS / source, "-o", "out.o")


@pytest.mark.parametrize("compiler", EVERY_COMPILER)
@pytest.mark.parametrize("dialect", C_DIALECTS)
def test_c(sdt, compiler, dialect):
    compile_all(sdt, compiler, dialect, "everything.c", "macros_types.c")


@pytest.mark.parametrize("compiler", [cxx(name) for name in EVERY_COMPILER])
@pytest.mark.parametrize("dialect", CXX_DIALECTS)
def test_cxx(sdt, compiler, dialect):
    compile_all(sdt, compiler, dialect, "everything.cc", "macros_types.cc")
