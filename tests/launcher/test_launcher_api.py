# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink CC ARG...` where nothing holds a probe, and something calls the runtime.

sdt_enable() in a program whose probes are in libraries, or are yet to be written: the runtime
comes with it. A link that does not need it is the compiler's own, byte for byte.
"""
import re

import pytest

from conftest import INCLUDE, ROOT
from test_launcher import COMPILERS, LIBRARY, LINKERS, Launcher, needed, write_many_words

ONLY = r"""
#include <sdt/runtime.h>
#include <stdio.h>
int main(void)
{
    printf("%s\n", sdt_strerror(sdt_enable("lib", SDT_COUNT, NULL)));
    return 0;
}
"""
NONE = "no probe matches (SDT_DEBUG=1 says more), or there is no such subscription\n"
USER = "void use(void);\nint main(void) { use(); return 0; }\n"
USES = ONLY.replace("int main", "int use").replace("#include <stdio.h>",
                                                   "#include <stdio.h>\nint use(void);")
DOUBLE = "int sdt_enable(void) { return 0; }\nconst char *sdt_strerror(int e) { return \"own\"; }\n"


@pytest.fixture
def launch(sdt):
    return Launcher(sdt)


def is_the_compilers_own(launch, *args):
    """Linked with sdtlink before it and without: the same bytes."""
    launch(*args, "-o", "with")
    launch.sdt.command(*args, "-o", "without")
    return (launch.sdt.dir / "with").read_bytes() == (launch.sdt.dir / "without").read_bytes()


def test_the_names_are_those_of_the_library(sdt):
    """What scan_object.c looks for is what libsdt.so exports for programs."""
    text = sdt.command("nm", "-D", "--defined-only", sdt.shared_runtime).stdout
    exported = set(re.findall(r" T (sdt_\w+)", text))
    source = (ROOT / "sdtlink" / "launch" / "scan_object.c").read_text()
    table = source[source.index("api_names[] = {"):]
    assert set(re.findall(r'"(sdt_\w+)"', table[:table.index("};")])) == exported


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_program_without_probes(launch, compiler, linker):
    launch.object("only", ONLY, compiler=compiler)
    launch(compiler, f"-fuse-ld={linker}", "only.o", "-o", "only")
    assert launch.run("only") == NONE
    assert "libsdt.so.0" not in needed(launch, "only")


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_cxx(launch, compiler):
    launch.sdt.write("only.cc", ONLY)
    launch(compiler, "-I", INCLUDE, "only.cc", "-o", "only")
    assert launch.run("only") == NONE


@pytest.mark.parametrize("flags", [["gcc", "-flto"], ["gcc", "-flto", "-fuse-ld=gold"],
                                   ["gcc", "-flto", "-ffat-lto-objects"],
                                   ["clang", "-flto", "-fuse-ld=lld"],
                                   ["clang", "-flto=thin", "-fuse-ld=lld"]], ids=" ".join)
def test_link_time_optimisation(launch, flags):
    launch.object("only", ONLY, *[f for f in flags[1:] if "lto" in f], compiler=flags[0])
    launch(*flags, "only.o", "-o", "only")
    assert launch.run("only") == NONE


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("kind", ["rcs", "rcsT"])
def test_archive(launch, linker, kind):
    """A member that is taken needs the runtime; one that is not taken needs nothing."""
    launch.object("uses", USES)
    launch.object("user", USER)
    launch.object("main", "int main(void) { return 0; }")
    launch.sdt.command("ar", kind, "libuses.a", "uses.o")
    launch("gcc", f"-fuse-ld={linker}", "user.o", "libuses.a", "-o", "user")
    assert launch.run("user") == NONE
    assert is_the_compilers_own(launch, "gcc", f"-fuse-ld={linker}", "main.o", "libuses.a")


@pytest.mark.parametrize("linker", LINKERS)
def test_shared_library(launch, linker):
    """It gets libsdt.so, and the program that links it as well."""
    launch.object("uses", USES, "-fPIC")
    launch.object("user", USER)
    launch("gcc", "-shared", f"-fuse-ld={linker}", "uses.o", "-o", "libuses.so")
    assert "libsdt.so.0" in needed(launch, "libuses.so")
    launch("gcc", f"-fuse-ld={linker}", "user.o", "./libuses.so", "-o", "user")
    assert launch.run("user") == NONE


@pytest.mark.parametrize("linker", LINKERS)
def test_program_and_library_of_probes(launch, linker):
    """What it is for: the program has no probe, its library has."""
    launch.object("lib", LIBRARY % {"name": "used"}, "-fPIC")
    launch("gcc", "-shared", f"-fuse-ld={linker}", "lib.o", "-o", "lib.so")
    launch.object("main", r"""
#include <sdt/runtime.h>
#include <stdio.h>
int used(int);
int main(void)
{
    sdt_enable("lib", SDT_COUNT, NULL);
    used(1);
    printf("%d\n", (int)sdt_hits("lib"));
    return 0;
}
""")
    launch("gcc", f"-fuse-ld={linker}", "main.o", "./lib.so", "-o", "program")
    assert launch.run("program") == "1\n"
    assert "libsdt.so.0" in needed(launch, "program")


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("kind", ["defined", "archive", "shared", "weak", "shared output"])
def test_a_link_that_needs_nothing(launch, linker, kind):
    """Other code defines what is called, or the code can do without."""
    declare = "int sdt_enable(void);\nconst char *sdt_strerror(int);\n"
    if kind == "weak":
        declare = declare.replace("int sdt", "__attribute__((weak)) int sdt", 1).replace(
            "const", "__attribute__((weak)) const", 1)
    body = "{ return sdt_enable ? sdt_strerror(sdt_enable()) == 0 : 0; }\n"
    launch.object("main", declare + "int main(void) " + body, "-fPIC")
    launch.object("own", DOUBLE, "-fPIC")
    launch.sdt.command("ar", "rcs", "libown.a", "own.o")
    launch.sdt.command("gcc", "-shared", "own.o", "-o", "libown.so")
    inputs = {"defined": ["own.o"], "archive": ["libown.a"], "shared": ["./libown.so"], "weak": [],
              "shared output": ["-shared", "own.o"]}[kind]
    assert is_the_compilers_own(launch, "gcc", f"-fuse-ld={linker}", "main.o", *inputs)


def test_users_own_choice(launch):
    """--runtime, -lsdt, no C library, and a runtime that is not installed."""
    launch.object("only", ONLY)
    wrong = launch("--runtime=none", "gcc", "only.o", "-o", "only", status=1).stderr
    assert "undefined reference to `sdt_enable'" in wrong
    launch("--runtime=shared", "gcc", "only.o", "-o", "only")
    assert "libsdt.so.0" in needed(launch, "only") and launch.run("only") == NONE
    missing = launch("-v", "--runtime-directory=/nonexistent", "gcc", "only.o", "-o", "x",
                     status=1).stderr
    assert "undefined reference to `sdt_enable'" in missing and "sdtlink: error" not in missing
    assert "no runtime offered: libsdt.a is not installed" in missing
    runtime = launch.sdt.static_runtime
    assert is_the_compilers_own(launch, "gcc", "only.o", runtime)
    result = launch("gcc", "-nostdlib", "-shared", "only.o", "-o", "x.so")
    assert result.stderr == "" and needed(launch, "x.so") == []


def test_partial_link(launch):
    launch.object("only", ONLY)
    assert is_the_compilers_own(launch, "gcc", "-r", "only.o")


@pytest.mark.plain
@pytest.mark.parametrize("kind", ["api", "processed"])
def test_many_words(launch, kind):
    """More than one command can hold, in a link without copies: the linker gets them all."""
    launch.object("only", ONLY if kind == "api" else
                  "#include <sdt/probe.h>\nint main(void) { SDT_PROBE(p, n); return 0; }\n")
    if kind == "processed":
        launch.sdt.sdtlink("-q", "-o", "only.o", "only.o")
    write_many_words(launch, "only.o")
    # gcc raises its limit for the stack, and with it that for words, as far as it may.
    command = f"ulimit -Hs 8192; exec {launch.sdt.tool} gcc -fuse-ld=mold @line -o only"
    launch.sdt.command("bash", "-c", command, env=launch.env)
    assert launch.run("only") == (NONE if kind == "api" else "")
