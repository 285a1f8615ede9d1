# SPDX-License-Identifier: BSD-2-Clause
"""What runs at a hit leaves vector registers alone: objdump looks at the objects of the files that
runtime/CMakeLists.txt compiles for general registers only, as the compiler has made them."""
import json
import pathlib
import re
import subprocess

import pytest

from conftest import BUILD, ROOT
from cross import targets  # noqa: F401 (a fixture)

VECTOR = re.compile(r"%(?:[xyz]mm\d+|k[0-7]|st\b|mm[0-7])")


def sources():
    """By the commands that compile the library; a file is compiled more than once, also for the
    freestanding runtime."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    place = ROOT / "runtime"
    files = {pathlib.Path(command["file"]) for command in commands
             if " -mgeneral-regs-only " in command["command"] and
             "/sdt_objects.dir/" in command["command"]}
    return sorted(str(file.relative_to(place)) for file in files if file.is_relative_to(place))


def instructions(source):
    obj = BUILD / "runtime" / "CMakeFiles" / "sdt_objects.dir" / f"{source}.o"
    lines = subprocess.run(["objdump", "-d", "--no-show-raw-insn", obj], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return [line for line in lines if re.match(r" +[0-9a-f]+:\t", line)]


def test_the_files_that_calculate_at_a_hit_are_among_them():
    assert {"bytecode/hit.c", "bytecode/interpret.c", "bytecode/softfloat.c", "bytecode/tally.c",
            "ring/hit.c"} <= set(sources())


@pytest.mark.nosan
@pytest.mark.parametrize("source", sources())
def test_no_instruction_names_a_vector_register(source):
    code = instructions(source)
    assert len(code) > 10 and not [line for line in code if VECTOR.search(line)]


@pytest.mark.nosan
def test_the_same_look_finds_them_elsewhere():
    """In a file that calculates with the processor's doubles."""
    assert [line for line in instructions("ring/condition.c") if VECTOR.search(line)]


# Functions of the C library that use vector registers, …
MEMORY = re.compile(r"(mem|str|bcmp|[mc]alloc|realloc|free|v?sn?printf)")
# … and what may call them, since no hit comes to it with the program's own in them.
ELSEWHERE = {"peek.c.o": {"memcpy"}, "field.c.o": {"strchr", "strlen"},
             "argument.c.o": {"memset", "strchr"}, "dispatch.c.o": {"calloc", "free"}}


@pytest.mark.nosan
@pytest.mark.parametrize("machine", ["", "aarch64"])
def test_no_function_of_the_c_library_is_called_that_uses_them(targets, machine):
    """Compilers call memset() for what a program only initialises."""
    library = targets(machine) / "lib" / "libsdt.a" if machine else BUILD / "runtime" / "libsdt.a"
    names = {f"{pathlib.Path(source).name}.o" for source in sources()}
    names |= {"fetch.c.o", "ring_alone.c.o"} if machine else set()
    said = subprocess.run(["nm", "--print-file-name", library], check=True, capture_output=True,
                          text=True).stdout
    symbols = re.findall(r"^\S*:(\S+):[0-9a-f]* +(\w) (\S+)$", said, re.M)
    assert names <= {name for name, _, _ in symbols}
    assert {(name, symbol) for name, kind, symbol in symbols
            if name in names and kind == "U" and MEMORY.match(symbol) and
            symbol not in ELSEWHERE.get(name, ())} == set()


@pytest.mark.nosan
def test_calculating_with_doubles_calls_nothing():
    """Not the compiler's own functions either, which would take doubles in vector registers."""
    obj = BUILD / "runtime" / "CMakeFiles" / "sdt_objects.dir" / "bytecode" / "softfloat.c.o"
    undefined = subprocess.run(["nm", "--undefined-only", obj], check=True, capture_output=True,
                               text=True).stdout.split()
    assert set(undefined) <= {"U", "_GLOBAL_OFFSET_TABLE_"}
