# SPDX-License-Identifier: BSD-2-Clause
"""Objects for aarch64 on any host: what sdtlink makes of calls, tail calls, conditional branches
and questions, in four linkers. qemu runs what needs no runtime."""
import collections
import re

import pytest

import cross
import recorded
from conftest import INCLUDE, PROGRAMS, ROOT
from cross import compiled, need
from elfview import ElfView
from machines import AARCH64
from test_machine_objects import LEAF

ASM = ROOT / "tests" / "asm"
pytestmark = pytest.mark.aarch64
GCC, CLANG, LINKERS, linked = AARCH64.gcc, AARCH64.clangs, AARCH64.linkers, AARCH64.linked
OBJDUMP = "aarch64-linux-gnu-objdump"
NOP, MOV_0 = "nop", "mov w0, #0x0 // #0"
MOVED = 8  # SDT_SITE_MOVED, a second time
COMPILERS = [f"{GCC} -O0", f"{GCC} -O2", f"{GCC} -Os -ffunction-sections",
             f"{GCC} -O2 -mcmodel=tiny", f"{GCC} -O2 -mbranch-protection=standard",
             *[f"{clang} -Os" for clang in CLANG],
             *[f"{clang} -O2 -mbranch-protection=standard" for clang in CLANG]]


@pytest.fixture(autouse=True)
def compilers():
    need(GCC, OBJDUMP)


def emulated(sdt, program):
    return cross.emulated(sdt, "aarch64", program).stdout


def disassembled(sdt, file):
    """{(section, address): the instruction}, and {(section, address): [relocations there]}."""
    code, relocations, section = {}, collections.defaultdict(list), None
    for line in sdt.run(OBJDUMP, "-dr", "--no-show-raw-insn", file).splitlines():
        if line.startswith("Disassembly of section"):
            section = line.split()[-1].rstrip(":")
        elif match := re.match(r"\t+([0-9a-f]+): (R_\w+)\s+(\S+)", line):
            relocations[section, int(match[1], 16)].append((match[2], match[3]))
        elif match := re.match(r" +([0-9a-f]+):\t(.*)", line):
            code[section, int(match[1], 16)] = " ".join(match[2].split())
    return code, relocations


def uses(relocations):
    """How often each symbol of a probe is branched to, as compiled."""
    return collections.Counter((kind, symbol) for all_here in relocations.values()
                               for kind, symbol in all_here if symbol.startswith("__dtrace_sdt"))


def target(instruction):
    return int(re.match(r"bl? ([0-9a-f]+)", instruction)[1], 16)


# ---- what becomes of an object ----

@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_branch_becomes_a_site(sdt, compiler):
    """As many as objdump counts; words and relocations of the object are those of its kind."""
    obj = compiled(sdt, compiler)
    before = uses(disassembled(sdt, obj)[1])
    assert sum(before.values()) >= 5
    out = sdt.process(obj)
    code, relocations = disassembled(sdt, out)
    assert not uses(relocations)
    records = sdt.run(sdt.tool, "list", "--json", out)
    assert records.count('"kind"') == sum(before.values())
    kept = collections.Counter()
    for (section, at), all_here in relocations.items():
        for kind, to in all_here:
            if kind == "R_AARCH64_NONE" and to == "sdt_sites" and section != ".text.sdt_loader":
                others = [r for r in all_here if r[0] != kind]
                kept[others[0][0] if others else "nop"] += 1
                assert not others or others[0][1] == ".Lsdt"  # with addend 0: mold's veneers
                assert others or code[section, at] == NOP
    calls = sum(n for (kind, symbol), n in before.items()
                if kind == "R_AARCH64_CALL26" and "enabled" not in symbol)
    asked = sum(n for (kind, symbol), n in before.items()
                if kind == "R_AARCH64_CALL26" and "enabled" in symbol)
    jumps = sum(n for (kind, _), n in before.items() if kind == "R_AARCH64_JUMP26")
    assert kept == +collections.Counter(
        {"nop": calls, "R_AARCH64_CALL26": asked, "R_AARCH64_JUMP26": jumps})
    view = ElfView(out)
    loaders = {section.index for section in view.sections_named(".text.sdt_loader")}
    assert {label.section for label in view.symbols_named(".Lsdt")} <= loaders and loaders


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("compiler", [f"{GCC} -O2", f"{GCC} -O2 -mbranch-protection=standard"])
def test_linked_sites_are_off_and_lead_to_their_probes(sdt, compiler, linker):
    out = sdt.process(compiled(sdt, compiler))
    exe = linked(sdt, out, linker=linker)
    view = ElfView(exe)
    code = {at: text for (_, at), text in disassembled(sdt, exe)[0].items()}
    sites = view.sites()
    assert collections.Counter(site.kind for site in sites) == \
        {"call": 1, "tail": 2, "enabled": 1, "enabled-tail": 1}
    for site in sites:
        stub = view.symbol("__sdt_stub_" + site.title.replace(":", "___"))
        assert site.stub == stub.value
        head = [code[stub.value + 4 * i] for i in range(4)]
        assert head[:2] == ["bti c", "sub x11, x30, #0x4"]
        assert computed(head[2:], stub.value + 8) == site.probe
        if site.kind == "call":
            assert code[site.pc] == NOP
            continue
        assert site.flags & MOVED
        assert [at for at, text in code.items() if text.startswith(("b ", "bl "))
                and target(text) == site.pc], "no branch leads to the site"
        loader = [code[site.pc + 4 * i] for i in range(4)]
        if site.kind == "tail":
            assert target(loader[0]) == site.pc + 12
            assert loader[1].startswith(f"adr x11, {site.pc:x} ") and loader[3] == "ret"
            assert target(loader[2]) == stub.value + 8
        else:
            assert target(loader[1]) == site.pc + 12
            assert loader[0] == MOV_0 and loader[2].startswith("mov w0, #0x1")
            assert loader[3] == "ret"


def computed(pair, address):
    """What `adrp, add` put into x10, or the `nop, adr` that linkers make of it."""
    value = None
    for at, text in zip((address, address + 4), pair):
        if match := re.match(r"adrp? x10, ([0-9a-f]+)", text):
            value = int(match[1], 16)
        elif match := re.match(r"add x10, x10, #0x([0-9a-f]+)", text):
            value += int(match[1], 16)
        else:
            assert text == NOP, (at, text)
    return value


def test_conditional_branches_lead_to_sites(sdt):
    """cbz, cbnz, tbz, tbnz, b.cond: the branch stays as it is, and its site returns when off."""
    obj = compiled(sdt, GCC, source=ASM / "aarch64_branches.S", name="branches.o")
    before, relocations = disassembled(sdt, obj)
    out = sdt.process(obj)
    after, rewritten = disassembled(sdt, out)
    places = [place for place, found in relocations.items() if "__dtrace" in found[0][1]]
    assert len(places) == 7
    for place in places:
        (kind, symbol), = relocations[place]
        mnemonic = before[place].split()[0]
        assert after[place].split()[0] == (NOP if symbol.endswith("call") else mnemonic)
        if not symbol.endswith("call"):
            assert kind in [found[0] for found in rewritten[place]]
    functions = ["cbz", "cbnz", "tbz", "tbnz", "condition", "jump", "call"]
    main = sdt.write("main.c", "#include <stdio.h>\n" + "".join(
        f"long by_{name}(long x);\n" for name in functions) + "int main(void)\n{\n"
        "    for (long x = 0; x < 4; x++)\n        printf(\"" + "%ld " * 7 + "\\n\", " +
        ", ".join(f"by_{name}(x)" for name in functions) + ");\n    return 0;\n}\n")
    wanted = "".join(" ".join(str(v) for v in (
        x if x == 0 else x + 100, x if x != 0 else x + 100, x if not x & 2 else x + 100,
        x if x & 2 else x + 100, x if x > 1 else x + 100, x + 10, x + 100)) + " \n"
        for x in range(4))
    assert emulated(sdt, linked(sdt, main, out)) == wanted


@pytest.mark.parametrize("compiler", [f"{GCC} -O0", f"{GCC} -O2", *[f"{c} -O2" for c in CLANG]])
def test_macros_make_inline_sites(sdt, compiler):
    """One NOP each, arguments in registers or constant; a leaf function stays one."""
    source = sdt.write("leaf.c", LEAF)
    out = sdt.process(compiled(sdt, compiler, "-I", INCLUDE, source=source))
    code, relocations = disassembled(sdt, out)
    (site,) = [place for place, found in relocations.items() if ("R_AARCH64_NONE", "sdt_sites")
               in found and place[0] == ".text"]
    assert code[site] == NOP and len(relocations[site]) == 1
    entry = [code[".text.sdt_entry", 4 * i] for i in range(6)]
    assert entry[0] == "str x30, [sp, #-16]!" and entry[3:5] == ["blr x30", "ldr x30, [sp], #16"]
    assert entry[1].startswith("adrp x30, ") and entry[2] == "ldr x30, [x30]"
    assert ("R_AARCH64_JUMP26", f".text+{site[1] + 4:#x}") in relocations[".text.sdt_entry", 20]
    notes = sdt.run("readelf", "-n", out)
    assert re.search(r"Arguments: -8@x\d+ -4@x\d+ 8@x\d+ 8@x\d+ -4@(-5|x\d+) "
                     r"8@(1099511627776|x\d+) -8@x\d+\n", notes), notes
    if "-O2" in compiler:
        text = [text for (section, _), text in code.items() if section == ".text"]
        assert not [line for line in text if "x29" in line or "x30" in line]


# ---- what processing leaves ----

def test_branch_protection_is_still_promised(sdt):
    """The object says BTI and PAC, and so does the program that linkers make of it."""
    out = sdt.process(compiled(sdt, f"{GCC} -O2 -mbranch-protection=standard"))
    assert "AArch64 feature: BTI, PAC" in sdt.run("readelf", "-n", out)
    exe = linked(sdt, out, "-Wl,-z,force-bti", "-nostartfiles", "-Wl,-e,main")
    assert "AArch64 feature: BTI" in sdt.run("readelf", "-n", exe)


# ---- refusals ----

@pytest.mark.parametrize("name", ["libsdt.a", "libsdt.so"])
@pytest.mark.parametrize("is_given", [False, True], ids=["added", "given"])
def test_a_runtime_of_another_machine_is_refused_by_name(sdt, name, is_given):
    """Linkers pass over it, and no probe would ever fire."""
    runtime = sdt.static_runtime.parent
    kind = "static" if name.endswith(".a") else "shared"
    options = [f"--runtime={kind}", f"--runtime-directory={runtime}"]
    result = sdt.sdtlink(*options, GCC, "-O2", PROGRAMS / "machine_forms.c",
                         *[runtime / name][:is_given], "-o", sdt.path("a.out"), status=1)
    assert re.search(name + r"\S* is a runtime for x86-64, and this link is for aarch64: name the "
                     r"directory of the right one with --runtime-directory=DIR", result.stderr)
    assert not sdt.path("a.out").exists()


@pytest.mark.nosan
def test_clang_needs_no_function_that_libgcc_has_not(sdt):
    """clang multiplies 128 bits with a check by a function of its own library."""
    source = ROOT / "runtime" / "shared" / "operators.c"
    for clang in CLANG:
        obj = compiled(sdt, f"{clang} -O2", "-D_GNU_SOURCE", "-I", ROOT / "runtime", "-I", INCLUDE,
                       "-I", ROOT / "runtime" / "arch" / "aarch64", source=source)
        assert "__mulo" not in sdt.run("nm", "-u", obj)


@pytest.mark.nosan
@pytest.mark.slow
def test_a_runtime_that_clang_has_built(sdt):
    need("clang", "qemu-aarch64")
    toolchain = ROOT / "cmake" / "toolchains" / "aarch64-linux-gnu-clang.cmake"
    build = sdt.path("build")
    sdt.command("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DSDT_WERROR=ON",
                f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", timeout=600)
    sdt.command("cmake", "--build", build, timeout=600)
    sdt.command(GCC, "-c", PROGRAMS / "machine_emulated.c", "-o", sdt.path("emulated.o"))
    obj = sdt.process(compiled(sdt, f"{GCC} -O2 -I {INCLUDE}", source=PROGRAMS / "machine_run.c"))
    for library in ("libsdt.a", "libsdt.so"):
        exe = linked(sdt, obj, sdt.path("emulated.o"), build / "runtime" / library, "-pthread",
                     f"-Wl,-rpath,{build / 'runtime'}")
        for mode in ("jump", "trap"):
            said = cross.emulated(sdt, "aarch64", exe, mode).stdout
            assert f"{mode} shop:left in leave: 3\n" in said
    comment = sdt.run("readelf", "-p", ".comment", build / "runtime" / "libsdt.so")
    assert "clang" in comment
    # No handler can promise there to leave vector registers alone; the recorder does all the same.
    obj = sdt.process(compiled(sdt, f"{GCC} -O2 -I {INCLUDE}",
                               source=PROGRAMS / "record_in_handler.c", name="nested.o"))
    exe = linked(sdt, obj, sdt.path("emulated.o"), build / "runtime" / "libsdt.a", "-pthread")
    cross.emulated(sdt, "aarch64", exe, env=recorded.wish(sdt, "rec"))
    assert recorded.count(sdt) == 5


def test_other_machines_are_still_none_of_ours(sdt):
    need("clang")
    obj = compiled(sdt, "clang --target=powerpc64le-linux-gnu -O2", source=sdt.write(
        "calls.c", "void __dtrace_sdt_p___n(void);\nvoid f(void);\n"
        "void f(void) { __dtrace_sdt_p___n(); }\n"))
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj, status=1)
    assert "not an x86-64, i386, aarch64 or riscv64 relocatable object" in result.stderr
