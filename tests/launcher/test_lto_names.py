# SPDX-License-Identifier: BSD-2-Clause
"""Names in programs that link-time optimisation has divided into several objects: those of
arguments, of the values of enumerations (SDT_ENUM_NAMES, and the debug information's), and of
provider files. gcc divides a large program, and a small one if it is told to; so does lld. The list
of the same program without link-time optimisation says what the names are."""
import json

import pytest

from conftest import BUILD, ROOT
from ltoproject import Project, use_linker
from toolchain import NEWER_CLANG, OLDER_CLANG

pytestmark = pytest.mark.plain  # links of the same few files

HEADER = """
#include <sdt/probe.h>
#include "provider.h"
enum method { GET, PUT, POST = 7 };
enum colour { RED, GREEN };
SDT_ENUM_NAMES(shop, sale, colour, {RED, "red"}, {GREEN, "green"});
void sell(enum method method, enum colour colour, const char *text, unsigned long letters);
void resell(enum method method, enum colour colour, const char *text, unsigned long letters);
"""
FIRST = """
#include "shop.h"
__attribute__((noinline)) void sell(enum method method, enum colour colour, const char *text,
                                    unsigned long letters)
{
    SDT_PROBE(shop, sale, method, colour, SDT_TEXT(text, letters));
    PROVIDED_OPENED(colour, (char *)text);
    resell(method, colour, text, letters);
}
"""
SECOND = """
#include "shop.h"
void resell(enum method method, enum colour colour, const char *text, unsigned long letters)
{
    SDT_PROBE(shop, sale, method, colour, SDT_TEXT(text, letters));
    PROVIDED_OPENED(colour, (char *)text);
}
"""
MAIN = """
#include "shop.h"
int main(int argc, char **argv)
{
    sell(argc > 1 ? POST : GET, argc > 2 ? GREEN : RED, argv[0], 3);
    return 0;
}
"""
PROVIDER = "provider provided {\n    probe opened(int colour, char *text);\n};\n"


def build(sdt, compiler, flags, links=()):
    """What `sdtlink list --json` says of the program: the fields of each probe, by function."""
    sdt.path("tmp").exists() and sdt.path("tmp").rmdir()
    project = Project(sdt, compiler, *flags)
    sdt.write("provider.d", PROVIDER)
    sdt.command(BUILD / "sdt-dtrace" / "sdt-dtrace", "-h", "-s", "provider.d", "-o", "provider.h")
    sdt.write("shop.h", HEADER)
    objects = [sdt.compile(sdt.write(name, text), "-O2", "-g", *flags, "-I", sdt.dir,
                           "-I", ROOT / "runtime" / "include" / "sdt-compat",
                           compiler=compiler) for name, text in
               (("first.c", FIRST), ("second.c", SECOND), ("main.c", MAIN))]
    sdt.command(BUILD / "sdt-dtrace" / "sdt-dtrace", "-G", "-s", "provider.d", "-o", "provider.o")
    exe = project.link(*links, *objects, sdt.path("provider.o"))
    assert sdt.run(exe) == ""
    sites = json.loads(sdt.sdtlink("list", "--json", exe).stdout)
    found = {}
    for site in sites:
        fields = [(field["name"], field["type"], [e["name"] for e in field.get("enumerators", [])])
                  for field in site["fields"]]
        assert found.setdefault(site["name"], fields) == fields, site
    assert len(sites) >= 4
    return found


@pytest.mark.parametrize("compiler, flags, linker, more", [
    ("gcc", ["-flto", "-flto-partition=max"], "bfd", []),
    (OLDER_CLANG, ["-flto=thin"], "gold", []),
    (NEWER_CLANG, ["-flto"], "lld", ["-Wl,--lto-partitions=3"]),
])
def test_names_are_found_in_other_parts_of_the_program(sdt, compiler, flags, linker, more):
    use = use_linker(compiler, linker)
    assert build(sdt, compiler, flags, [use, *more]) == build(sdt, compiler, [], [use]) == {
        "sale": [("method", "uint32", ["GET", "PUT", "POST"]),
                 ("colour", "uint32", ["red", "green"]), ("text", "string", [])],
        "opened": [("colour", "uint32", ["RED", "GREEN"]), ("text", "string", [])]}
