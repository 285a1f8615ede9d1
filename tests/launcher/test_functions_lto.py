# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink --functions` with link-time optimisation: the compiler makes functions' code, and what
is called at their entries and ends, when the program is linked."""
import shutil

import pytest

from conftest import INCLUDES
from test_functions import build, counts, sites, truth
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions
CELLS = [("gcc", "-flto", "bfd"), ("gcc", "-flto", "gold"), ("gcc", "-flto", "mold"),
         ("gcc", "-flto -ffat-lto-objects", "bfd"), ("gcc", "-flto -ffat-lto-objects", "lld"),
         ("clang", "-flto", "lld"), ("clang", "-flto", "mold"),
         ("clang", "-flto=thin", "lld"), ("clang", "-flto=thin", "bfd")]


@pytest.mark.parametrize("compiler, lto, linker", CELLS, ids=[" ".join(cell) for cell in CELLS])
def test_entries_and_returns_are_counted(launch, compiler, lto, linker):
    """In whatever functions the optimiser leaves; the program counts the calls of some."""
    if not shutil.which(f"ld.{linker}"):
        pytest.skip(f"there is no ld.{linker}")
    exe = build(launch, "functions.c", "-O2", *lto.split(), f"-fuse-ld={linker}", compiler=compiler)
    plain = launch.sdt.run(exe, "6")
    wanted = {name: count for name, count in truth(plain).items() if name != "total"}
    entries, output = counts(launch, exe, "fn:::entry", "6")
    assert output.strip() == plain.strip()
    assert {name: entries[name] for name in wanted} == wanted
    returns, _ = counts(launch, exe, "fn:::return", "6")
    assert {name: returns.get(name, 0) for name in wanted} == {**wanted, "deep": 0}


SERVE = """
#include <sdt/probe.h>
__attribute__((noinline)) int serve_fast(int x) { return x + 1; }
__attribute__((noinline)) int serve_slow(int x) { return x * 7; }
SDT_NO_FUNCTION __attribute__((noinline)) int never(int x) { return x + 4; }
"""
MAIN = """
int serve_fast(int), serve_slow(int), never(int);
int main(int argc, char **argv)
{
    (void)argv;
    return serve_fast(argc) + serve_slow(argc) + never(argc) - 14;
}
"""


@pytest.mark.parametrize("option, functions", [
    ("--functions", {"main", "serve_fast", "serve_slow"}),
    ("--functions=serve_*,-*_slow", {"serve_fast"}),
])
@pytest.mark.parametrize("compiler, lto, linker", [CELLS[0], CELLS[5]], ids=["gcc", "clang"])
def test_which_functions(launch, compiler, lto, linker, option, functions):
    """The names are those of the whole program's code; an archive's objects get them as well."""
    if not shutil.which(f"ld.{linker}"):
        pytest.skip(f"there is no ld.{linker}")
    launch.sdt.write("serve.c", SERVE)
    launch.sdt.write("main.c", MAIN)
    launch(option, compiler, "-O1", lto, *INCLUDES, "-c", "serve.c", "main.c")
    launch.sdt.command({"gcc": "gcc-ar", "clang": "llvm-ar"}[compiler], "rc", "libserve.a",
                       "serve.o")
    launch(option, compiler, "-O1", lto, f"-fuse-ld={linker}", "main.o", "libserve.a", "-o", "prog")
    launch.run("prog")
    assert {site["function"] for site in sites(launch, "prog")} == functions
