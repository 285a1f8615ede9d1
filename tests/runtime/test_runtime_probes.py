# SPDX-License-Identifier: BSD-2-Clause
"""The whole way: <sdt/probe.h>, a compiler, sdtlink, a linker, the runtime."""
import pytest

import fixture

COMPILERS = ["gcc", "clang", "g++", "clang++"]
OPTIONS = ["-O0", "-O2", "-Os", "-O3 -fPIC", "-O2 -ffunction-sections -fno-plt"]
OPTIONS += [f"{options} -DSDT_CALL_SITES" for options in OPTIONS]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_arguments_reach_the_handler(sdt, compiler, options):
    exe = sdt.build("runtime_probes.c", *options.split(), compiler=compiler)
    fixture.passes(sdt, exe)


def test_with_the_shared_runtime(sdt):
    fixture.passes(sdt, sdt.build("runtime_probes.c", runtime="shared"))


def test_companion_of_a_partial_link(sdt):
    """The seed's own flow: the object stays as it is, its companion brings the site set."""
    partial = sdt.path("partial.o")
    sdt.command("ld", "-r", "-o", partial, sdt.compile("runtime_probes.c", "-DSDT_CALL_SITES"))
    before = partial.read_bytes()
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), partial)
    assert partial.read_bytes() == before
    fixture.passes(sdt, sdt.link(partial, sdt.path("companion.o")))
