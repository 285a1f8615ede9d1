# SPDX-License-Identifier: BSD-2-Clause
"""<sdt/freebsd.h>: code written for FreeBSD's SDT compiles, and its probes have four parts."""
import re

import pytest
from conftest import INCLUDE, PROGRAMS

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
CALLS = {
    "vfs___namei___lookup___entry": b"\x48\xc8",
    "vfs___namei___lookup___return": b"\x11\x48",
    "proc_________idle": b"",
    "proc_________exit": b"\x14",
    "proc___kernel______signal__send": b"\x14\x11\x18",
    "proc_________four": b"\x14\x14\x14\x11",
    "proc_________five": b"\x14\x14\x14\x14\x11",
    "proc_________six": b"\x14\x14\x14\x14\x14\x11",
    "proc_________seven": b"\x14\x14\x14\x14\x14\x14\x11",
    "proc___two__parts": b"\x11",
}
ENABLED = {"vfs___namei___lookup___return", "proc___two__parts"}
FORMS = {"__dtrace_sdtasm_run_sdtlink___": (2, []),
         "__dtrace_sdt_run_sdtlink___": (1, ["-DSDT_CALL_SITES"])}


def undefined(sdt, obj):
    return {line.split()[-1] for line in sdt.command("nm", "-u", obj).stdout.splitlines()}


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("prefix", FORMS)
def test_probes_have_the_four_part_symbols_and_typed_arguments(sdt, prefix, compiler):
    language = ["-x", "c++"] if compiler.endswith("++") else []
    form, flags = FORMS[prefix]
    obj = sdt.compile("macros_freebsd.c", *flags, *WARNINGS, *language, compiler=compiler)
    expected = {f"{prefix}{name}" for name in CALLS}
    expected |= {f"__dtrace_sdtenabled_run_sdtlink___{name}" for name in ENABLED}
    assert {s for s in undefined(sdt, obj) if s.startswith("__dtrace") and "___" in s} == expected
    raw = sdt.path("args.bin")
    sdt.command("objcopy", "-O", "binary", "-j", ".sdt_args", "--set-section-flags",
                ".sdt_args=alloc", obj, raw)  # fmt: skip
    records = raw.read_bytes()
    for symbol, types in CALLS.items():
        provider, _, rest = symbol.partition("___")
        name = rest.rpartition("___")[2]
        tail = bytes([form + 3, len(types)]) + types + bytes(4)  # of the spelling
        tail += f"{provider}\0{name}\0".encode()
        assert records.count(tail) == 1, symbol


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_disabled_leaves_nothing(sdt, compiler):
    language = ["-x", "c++"] if compiler.endswith("++") else []
    obj = sdt.compile("macros_freebsd.c", "-DSDT_DISABLE", *WARNINGS, *language, compiler=compiler)
    assert not {s for s in undefined(sdt, obj) if "sdt" in s}
    assert ".sdt_args" not in sdt.command("readelf", "-SW", obj).stdout


@pytest.mark.parametrize("dialect", "c99 c11 c17 c2x gnu99".split())
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_c_dialects(sdt, compiler, dialect):
    source = PROGRAMS / "macros_freebsd.c"
    flags = ["-fsyntax-only", f"-std={dialect}", *WARNINGS, "-I", INCLUDE]
    sdt.command(compiler, *flags, source)
    sdt.command(compiler, *flags, "-DSDT_CALL_SITES", source)


@pytest.mark.parametrize("dialect", "c++98 c++11 c++17 c++2b gnu++98".split())
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_cxx_dialects(sdt, compiler, dialect):
    source = PROGRAMS / "macros_freebsd.c"
    # C++98 has no empty macro arguments; g++ and clang++ say so under -Wpedantic.
    pedantic = ["-Wno-pedantic"] if dialect.endswith("98") else []
    flags = ["-fsyntax-only", "-x", "c++", f"-std={dialect}", *WARNINGS, *pedantic, "-I", INCLUDE]
    sdt.command(compiler, *flags, source)
    sdt.command(compiler, *flags, "-DSDT_CALL_SITES", source)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_argument_count_must_be_the_one_in_the_name(sdt, compiler):
    text = "#include <sdt/freebsd.h>\nvoid f(int x);\n"
    text += "void f(int x) { SDT_PROBE2(p, m, f, n, x); }\n"
    argv = [compiler, "-fsyntax-only", "-I", INCLUDE, sdt.write("few.c", text)]
    assert re.search(r"SDT_PROBE2|macro", sdt.command(*argv, status=1).stderr)
