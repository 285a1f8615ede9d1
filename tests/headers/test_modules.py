# SPDX-License-Identifier: BSD-2-Clause
"""Probes in modules of C++: in what a module exports, and in whoever imports it."""
import pytest

from conftest import INCLUDE
from test_launcher import launch  # noqa: F401 (a fixture)
from toolchain import CLANGS, cxx

pytestmark = pytest.mark.plain  # what compilers make of the headers

ORCHARD = """
module;
#include <sdt/probe.h>
export module orchard;
export struct word {
    const char *text;
    const char *c_str() const { return text; }
};
export inline int press(int n)
{
    SDT_PROBE(orchard, press, n, n * 2);
    SDT_PROBE_LAZY(orchard, lazy, n + 1);
    return SDT_PROBE_ENABLED(orchard, press) ? 1 : 0;
}
export template <typename T> T squeeze(T n)
{
    SDT_PROBE(orchard, squeeze, n);
    return n;
}
export inline void label(const char *text)
{
    SDT_PROBE(orchard, label, word{text});
}
export void inside(int n);
void inside(int n)
{
    SDT_PROBE(orchard, inside, n);
}
"""
MAIN = """
#include <sdt/runtime.h>
#include <stdio.h>
#include <string.h>
import orchard;
static void hit(const struct sdt_event *event, void *)
{
    if (strcmp(sdt_name(event), "label") == 0)
        printf("label=%s ", (const char *)sdt_arg(event, 0));
    else
        printf("%s=%d ", sdt_name(event), (int)sdt_arg(event, 0));
}
int main()
{
    if (sdt_enable("orchard:*", hit, 0) < 0)
        return 1;
    int is_enabled = press(3);
    squeeze(5L);
    squeeze('\\6');
    label("pear");
    inside(8);
    printf("%d\\n", is_enabled);
}
"""


@pytest.mark.parametrize("flags", [[], ["-DSDT_CALL_SITES"], ["-DSDT_SEMAPHORES"],
                                   ["-DSDT_NO_MEMORY_CLOBBER", "-DSDT_NO_NAMES"]], ids=" ".join)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_exported_functions(launch, level, flags):
    """g++ writes the probes of exported inline functions and templates into the compiled module,
    and reads them back in the importer."""
    launch.sdt.write("orchard.cc", ORCHARD)
    launch.sdt.write("main.cc", MAIN)
    launch("g++", "-std=c++20", "-fmodules-ts", level, *flags, "-I", INCLUDE, "orchard.cc",
           "main.cc", "-o", "main")
    assert launch.run("main") == "press=3 lazy=4 squeeze=5 squeeze=6 label=pear inside=8 1\n"


@pytest.mark.parametrize("flags", [[], ["-DSDT_CALL_SITES"]], ids=" ".join)
@pytest.mark.parametrize("clang", CLANGS)
def test_exported_functions_of_clang(launch, clang, flags):
    """clang compiles the module's interface into a file of its own, and makes machine code of
    that."""
    if int(clang.removeprefix("clang-")) < 16:
        pytest.skip("clang has modules of C++20 since version 16")
    launch.sdt.write("orchard.cppm", ORCHARD)
    launch.sdt.write("main.cc", MAIN)
    options = ["-std=c++20", "-O2", *flags, "-I", INCLUDE]
    launch.sdt.command(cxx(clang), *options, "--precompile", "orchard.cppm", "-o", "orchard.pcm")
    launch(cxx(clang), *options, "-fprebuilt-module-path=.", "orchard.pcm", "main.cc", "-o", "main")
    assert launch.run("main") == "press=3 lazy=4 squeeze=5 squeeze=6 label=pear inside=8 1\n"
