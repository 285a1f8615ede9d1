# SPDX-License-Identifier: BSD-2-Clause
"""What a program with the runtime does before main, and does not do."""
import re

import pytest

import fixture
from conftest import BUILD, CFLAGS, ROOT

# Says whether the process is registered for the barrier that the runtime uses.
REGISTERED = r'''
    #define _GNU_SOURCE
    #include "sdt/runtime.h"
    #include <errno.h>
    #include <linux/membarrier.h>
    #include <stdio.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    static void say(void)
    {
        long result = syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
        printf("%s\n", result == 0 ? "yes" : errno == EPERM ? "no" : "?");
    }
    int main(void)
    {
        say();
        NAME("nobody:there");
        say();
        return 0;
    }'''
ENABLE = "#define NAME(pattern) sdt_enable(pattern, SDT_COUNT, NULL)"
OTHER = "#define NAME(pattern) sdt_hits(pattern)"
SANITIZED = any("sanitize" in flag for flag in CFLAGS)


@pytest.mark.plain  # a sanitizer's own threads come before ours
@pytest.mark.skipif(SANITIZED, reason="a sanitizer has threads of its own")
@pytest.mark.parametrize("head, runtime, env, expected", [
    (ENABLE, "static", {}, ["yes", "yes"]),
    (ENABLE, "static", {"SDT_DISABLE_RUNTIME": "1"}, ["no", "no"]),
    (OTHER, "static", {}, ["no", "no"]),
    (OTHER, "static", {"SDT_ATTACH": "1"}, ["yes", "yes"]),
    (ENABLE, "shared", {}, ["no", "yes"]),
], ids=["named", "forbidden", "not named", "asked", "shared, called"])
def test_who_is_registered_for_barriers(sdt, head, runtime, env, expected):
    """Before main, where the program in which the library is names sdt_enable(); else at its first
    call, even if nothing matches; nobody else."""
    source = sdt.write("main.c", head + REGISTERED)
    exe = fixture.program(sdt, str(source), runtime=runtime)
    assert sdt.command(exe, env=env).stdout.split() == expected


def hit_sources():
    text = (ROOT / "runtime" / "CMakeLists.txt").read_text()
    lists = re.findall(r"^set\((?:general|hit)_sources\n(.*?)\)$", text, re.M | re.S)
    assert len(lists) == 2
    names = " ".join(lists).split()
    return {name.rsplit("/", 1)[-1] + ".o" for name in names if name.endswith(".c")}


def symbols(sdt, library):
    """Those that the library's objects define."""
    text = sdt.command("nm", "--defined-only", library).stdout
    return {line.split()[2] for line in text.splitlines() if len(line.split()) == 3}


@pytest.mark.plain
@pytest.mark.skipif(SANITIZED, reason="the sanitizer's own functions are called that way")
def test_hits_bind_nothing(sdt):
    """What hits run calls other libraries by addresses that are there since the start."""
    library = BUILD / "runtime" / "libsdt.a"
    own, objects, bound = symbols(sdt, library), set(), {}
    name = None
    for line in sdt.command("readelf", "-rW", library).stdout.splitlines():
        if line.startswith("File: "):
            name = line.rsplit("(", 1)[1].rstrip(")")
            objects.add(name)
        elif "_PLT" in line:
            bound.setdefault(name, set()).add(line.split()[4])
    chosen = hit_sources() & objects
    assert {"dispatch.c.o", "sync.c.o", "trap.c.o", "hit.c.o"} <= chosen
    assert {one: bound[one] - own for one in chosen if bound.get(one, set()) - own} == {}
    assert "fopen" in bound["blocked.c.o"]  # else this would not see them


@pytest.mark.plain
@pytest.mark.skipif(SANITIZED, reason="sanitizers add their own")
def test_few_functions_are_looked_up_at_the_start(sdt):
    """The others are when they are called first, in programs that do not ask for -z now."""
    source = sdt.write("main.c", "int main(void) { return 0; }")
    exe = fixture.program(sdt, str(source), ldflags=["-Wl,-z,lazy", "-Wl,-u,__sdt_register"])
    kinds = sdt.command("readelf", "-rW", exe).stdout
    at_start = kinds.count("_GLOB_DAT")
    assert 0 < at_start < 80 < at_start + kinds.count("_JUMP_SL")
