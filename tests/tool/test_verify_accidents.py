# SPDX-License-Identifier: BSD-2-Clause
"""sdtlink verify: bytes that look like a use of a probe, and are none.

In a linked file any four bytes may be a displacement that leads to a stub, and with a thousand
probes some are. Each test proves by objdump that its program holds such bytes.
"""
import re
import struct

import pytest
from elftools.elf.elffile import ELFFile
from patched import needs_verify

pytestmark = needs_verify

NO_STACK = '.section .note.GNU-stack,"",@progbits\n'
FORMS = {"function symbols": False, "stripped": True}


def calls_of_probes(sdt, count):
    """An object with COUNT probes, a call each."""
    functions = (function(f"f{i}", f"call __dtrace_sdt_p___n{i}\n") for i in range(count))
    main = function("main", "xor %eax,%eax\n")
    return sdt.process(assemble(sdt, "probes", main + "".join(functions)))


def assemble(sdt, name, text):
    sdt.write(f"{name}.s", text + NO_STACK)
    sdt.command("gcc", "-c", f"{name}.s", "-o", f"{name}.o")
    return sdt.path(f"{name}.o")


def function(name, body):
    return (f".text\n.globl {name}\n.type {name},@function\n"
            f"{name}: {body}ret\n.size {name},.-{name}\n")


def finish(sdt, exe, is_stripped):
    if is_stripped:
        sdt.command("strip", exe)
    return sdt.sdtlink("verify", exe, status=None)


def accidents(sdt, exe):
    """Bytes e8 and a distance to a stub, at places where objdump has no instruction."""
    with open(exe, "rb") as file:
        elf = ELFFile(file)
        text = elf.get_section_by_name(".text")
        data, base = text.data(), text["sh_addr"]
        stubs = {symbol["st_value"] for symbol in elf.get_section_by_name(".symtab").iter_symbols()
                 if symbol.name.startswith("__sdt_stub_")}
    stubs |= {stub + 8 for stub in stubs}
    shown = sdt.command("objdump", "-d", "-j", ".text", "--no-show-raw-insn", exe).stdout
    instructions = {int(at, 16) for at in re.findall(r"^\s*([0-9a-f]+):\t", shown, re.MULTILINE)}
    looks = (at for at in range(len(data) - 5) if data[at] == 0xe8 and
             base + at + 5 + struct.unpack_from("<i", data, at + 1)[0] in stubs)
    return [base + at for at in looks if base + at not in instructions]


def test_accident_inside_an_instruction(sdt):
    """The search above finds one that is there by construction."""
    obj = calls_of_probes(sdt, 1)
    other = assemble(sdt, "other", ".hidden __sdt_stub_p___n0\n" + function(
        "table", "nop\n.byte 0xb8, 0xe8, 0, 0, 0\n.byte 0x48, 0xb8, 0, 0, 0, 0xe8\n"
        ".long __sdt_stub_p___n0 - . - 4\n"))
    exe = sdt.link(obj, other, runtime=None)
    assert len(accidents(sdt, exe)) == 1
    assert finish(sdt, exe, False).stdout.endswith("1 site, 1 probe: ok\n")


@pytest.mark.parametrize("form", FORMS)
def test_short_jumps_before_short_backward_calls(sdt, form):
    """75 e8 e8 xx ff ff ff: jne, call. From byte 1 it reads as a call 12 to 64 KB back."""
    obj = calls_of_probes(sdt, 1000)
    loop = ".rept 20\n.byte 0x75, 0xe8\ncall b{0}\n.endr\n"  # at each distance from a stub
    backward = "".join(function(f"b{i}", loop.format(i)) + f".p2align 5\n.skip {i + 1}\n"
                       for i in range(32))
    exe = sdt.link(obj, assemble(sdt, "backward", backward), runtime=None)
    assert accidents(sdt, exe)
    result = finish(sdt, exe, FORMS[form])
    assert (result.returncode, "1000 sites, 1000 probes: ok" in result.stdout) == (0, True), \
        result.stdout


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("probes", [20000, pytest.param(50000, marks=pytest.mark.slow)])
def test_runtime_is_not_accused(sdt, probes, form):
    """Its functions lie after a megabyte of stubs, which a few of their bytes happen to name."""
    obj = calls_of_probes(sdt, probes)
    exe = sdt.link(obj, "-Wl,--whole-archive", sdt.static_runtime, "-Wl,--no-whole-archive",
                   "-pthread", runtime=None)
    result = finish(sdt, exe, FORMS[form])
    assert (result.returncode, f"{probes} probes: ok" in result.stdout) == (0, True), result.stdout


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("opcode", ["0xff, 0x90", "0xff, 0xa3"], ids=["call", "jmp"])
def test_offset_into_a_table_of_functions(sdt, opcode, form):
    """`call *offset(%rax)`: the offset, read as a distance, happens to lead to a stub."""
    obj = calls_of_probes(sdt, 1)
    other = assemble(sdt, "other", ".hidden __sdt_stub_p___n0\n" + function(
        "virtual", f".byte {opcode}\n.long __sdt_stub_p___n0 - . - 4\n"))
    exe = sdt.link(obj, other, runtime=None)
    result = finish(sdt, exe, FORMS[form])
    assert (result.returncode, "1 probe: ok" in result.stdout) == (0, True), result.stdout


TABLE = ".byte 0x06, 0x06, 0x0e, 0x16, 0x1e, 0x27, 0x2f, 0x37\n"  # no instructions of x86-64


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("is_use", [False, True], ids=["accident", "use"])
def test_tables_in_the_text(sdt, is_use, form):
    """After bytes that are not code, an accident is still an accident and a use is a use."""
    obj = calls_of_probes(sdt, 1)
    bytes_before = "nop\n.byte 0xe8\n" if is_use else ".byte 0x48, 0xb8, 0, 0, 0, 0xe8\n"
    other = assemble(sdt, "other", ".hidden __sdt_stub_p___n0\n" + function(
        "after_table", f"jmp 1f\n{TABLE}1: .skip 32, 0x90\n{bytes_before}"
        ".long __sdt_stub_p___n0 - . - 4\n"))
    exe = sdt.link(obj, other, runtime=None)
    result = finish(sdt, exe, FORMS[form])
    if is_use:
        assert (result.returncode, result.stdout.count("record of this `callq`")) == (1, 1)
    else:
        assert (result.returncode, "1 probe: ok" in result.stdout) == (0, True), result.stdout
