# SPDX-License-Identifier: BSD-2-Clause
"""`sdt count -- COMMAND` from a program's first constructor to its last destructor, whatever linker
and runtime it has, and in libraries. Each function hits its probe once, as the C standard has it.
"""
import pytest

import toolchain
from conftest import BUILD, INCLUDE, TOOL_BUILD
from attached import ask, json_lines

SOURCE = """
#include <sdt/probe.h>
#include <stdio.h>
#define PLACE(attribute, name) \\
    __attribute__((attribute)) static void name(void) { SDT_PROBE(early, name); puts(#name); }
PLACE(constructor(101), one)
PLACE(constructor(65000), two)
PLACE(constructor, three)
PLACE(destructor, five)
PLACE(destructor(65000), six)
PLACE(destructor(101), seven)
"""
MAIN = "int main(void) { SDT_PROBE(early, four); puts(\"four\"); return 0; }\n"
ALL = "one two three four five six seven".split()

CXX = """
#include <sdt/probe.h>
#include <cstdio>
struct object {
    object() { SDT_PROBE(early, begin); }
    ~object() { SDT_PROBE(early, end); std::puts("end"); }
} first __attribute__((init_priority(101))), second;
int main() { return 0; }
"""

LIBRARY = """
#include <dlfcn.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        dlclose(dlopen(argv[i], RTLD_NOW));
    return 0;
}
"""


def counts(sdt, *command):
    """What the tool says, and what the program does."""
    result = ask(sdt, "count", "--json", "early:*", "--", *command)
    lines = result.stdout.splitlines()
    rows = json_lines("\n".join(line for line in lines if line.startswith("{")))
    return {row["name"]: row["count"] for row in rows}, [line for line in lines if line[0] != "{"]


def processed(sdt, text, name, *flags):
    return sdt.process(sdt.compile(sdt.write(name, text), *flags))


def linked(sdt, *inputs, runtime="static", **kwargs):
    """The whole runtime, which nothing but weak references asks for."""
    return sdt.link("-Wl,-u,sdt_version", "-Wl,--no-as-needed", *inputs, runtime=runtime, **kwargs)


@pytest.mark.parametrize("linker, kind", [
    ("bfd", "shared"), ("bfd", "static"), ("bfd", "-static"), ("gold", "static"), ("lld", "shared"),
    ("mold", "-static")])
def test_each_constructor_and_destructor_counts(sdt, linker, kind):
    if TOOL_BUILD != BUILD and kind == "shared":
        pytest.skip("the tool's library has a sanitizer, and the program's has none")
    obj = processed(sdt, SOURCE + MAIN, "early.c")
    flags = [kind] if kind == "-static" else []
    exe = linked(sdt, obj, f"-fuse-ld={linker}", *flags,
                 runtime=kind if kind == "shared" else "static")
    assert counts(sdt, exe) == (dict.fromkeys(ALL, 1), ALL)


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
def test_through_a_partial_link(sdt, linker):
    """Some linkers join .init_array with what has a priority, some do not."""
    joined = sdt.path("joined.o")
    sdt.command(f"ld.{linker}", "-r", "-o", joined, processed(sdt, SOURCE, "early.c"),
                processed(sdt, "#include <sdt/probe.h>\n#include <stdio.h>\n" + MAIN, "main.c"))
    exe = linked(sdt, joined, f"-fuse-ld={linker}")
    assert counts(sdt, exe) == (dict.fromkeys(ALL, 1), ALL)


def test_static_position_independent(sdt):
    exe = linked(sdt, processed(sdt, SOURCE + MAIN, "early.c", "-fPIE"), "-static-pie")
    assert counts(sdt, exe) == (dict.fromkeys(ALL, 1), ALL)


@pytest.mark.skipif(not toolchain.has("musl-gcc"), reason="this machine has no musl-gcc")
@pytest.mark.nosan
def test_static_with_musl(sdt):
    exe = sdt.path("musl")
    sdt.command(sdt.tool, "musl-gcc", "-static", "-O2", "-I", INCLUDE,
                sdt.write("early.c", SOURCE + MAIN), sdt.static_runtime, "-o", exe)
    assert counts(sdt, exe) == (dict.fromkeys(ALL, 1), ALL)


def test_objects_of_cxx(sdt):
    exe = linked(sdt, processed(sdt, CXX, "early.cc"), compiler="g++")
    assert counts(sdt, exe) == ({"begin": 2, "end": 2}, ["end", "end"])


# GNU ld's own, without what knows priorities, and with what must be in a library at all.
def script_without_priorities(sdt):
    script = sdt.command("ld.bfd", "--verbose").stdout.split("=" * 50)[1]
    lines = [line for line in script.splitlines()
             if ".init_array." not in line and ".fini_array." not in line]
    assert len(lines) < len(script.splitlines())
    return sdt.write("plain.ld", "\n".join(lines))


def test_a_script_that_knows_no_priorities(sdt):
    """What is registered twice elsewhere is registered once here, among the constructors."""
    obj = processed(sdt, SOURCE.replace("(101)", "").replace("(65000)", "") + MAIN, "early.c")
    exe = linked(sdt, obj, f"-Wl,-T,{script_without_priorities(sdt)}", "-fuse-ld=bfd")
    found, words = counts(sdt, exe)
    assert sorted(words) == sorted(ALL) and found["four"] == 1
    assert {found[name] for name in ALL} <= {0, 1}
    assert [found[name] for name in ("five", "six", "seven")] == [1, 1, 1]


def test_libraries_that_are_opened(sdt):
    """Each time anew; what destructors do in a library that is closed may come too late."""
    obj = processed(sdt, SOURCE, "early.c", "-fPIC")
    library = sdt.link(obj, "-shared", runtime=None, name="early.so")
    exe = linked(sdt, sdt.compile(sdt.write("main.c", LIBRARY)), "-Wl,--export-dynamic",
                 "-Wl,-u,__sdt_register", "-Wl,-u,__sdt_unregister", "-ldl", name="opens")
    found, words = counts(sdt, exe, library, library)
    assert words == (ALL[:3] + ALL[4:]) * 2
    assert [found[name] for name in ALL[:3]] == [2, 2, 2]
