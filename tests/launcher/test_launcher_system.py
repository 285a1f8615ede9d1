# SPDX-License-Identifier: BSD-2-Clause
"""Of libraries of the system, of which notes do not count, only the symbols are looked at."""
import pytest

from test_launcher import LIBRARY, launch  # noqa: F401 (a fixture)

USER = r"""
#include <sdt/runtime.h>
#include <stdio.h>
int used(int);
int main(void)
{
    sdt_enable("lib", SDT_COUNT, NULL);
    used(1);
    used(2);
    printf("%d\n", (int)sdt_hits("lib"));
    return 0;
}
"""
PADDING = "char padding[50000] = {1};"
FORMS = {  # what the member is that holds the probe: flags of its compiler and of the link
    "machine code": ("gcc", [], []),
    "slim": ("gcc", ["-flto", "-fno-fat-lto-objects"], ["-flto"]),
    "fat, as machine code": ("gcc", ["-flto", "-ffat-lto-objects"], ["-fno-lto"]),
    "fat, as intermediate code": ("gcc", ["-flto", "-ffat-lto-objects"], ["-flto"]),
    "bitcode": ("clang", ["-flto"], ["-flto", "-fuse-ld=lld"]),
}


@pytest.mark.parametrize("name", ["libsupc++.a", "libproject.a"])
@pytest.mark.parametrize("form", FORMS)
def test_probe_in_a_library_of_the_system(launch, form, name):  # noqa: F811
    """libsupc++.a is one, wherever it is; it is so big here that it is read by pieces."""
    compiler, compile_flags, link_flags = FORMS[form]
    library = LIBRARY % {"name": "used"}
    launch.sdt.command("ar", "rcs", name,
                       launch.object("padding", PADDING),
                       launch.object("used", library, *compile_flags, compiler=compiler),
                       launch.object("more", PADDING.replace("padding", "more")))
    user = launch.object("user", USER, *compile_flags, compiler=compiler)
    launch(compiler, "-O2", *link_flags, user, name, "-o", "user")
    assert launch.run("user") == "2\n"
