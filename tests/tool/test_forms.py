# SPDX-License-Identifier: BSD-2-Clause
"""Every form that a compiler gives to a probe: found, rewritten, recorded, armed, dispatched.

The truth about how many sites there are is counted by objdump in the object as compiled; what a
program computes is compared with what it computes without sdtlink's doing.
"""
import collections
import re

import pytest

import fixture
from conftest import ROOT
from elfview import ElfView
from patched import R_NONE, Patched
from toolchain import CLANGS, LLDS, LLVMS, NEWER, NEWER_CLANG, OLDER, OLDER_CLANG, cxx

pytestmark = pytest.mark.plain  # what compilers make of calls

MOVED = 8  # SDT_SITE_MOVED, a second time
ASM = ROOT / "tests" / "asm"
# Linkers by the driver and the options that start them.
LINKERS = {
    "bfd": ("gcc", ["-fuse-ld=bfd"]), "gold": ("gcc", ["-fuse-ld=gold"]),
    **{f"lld {n}": (f"clang-{n}", [f"-fuse-ld=lld-{n}"]) for n in LLVMS},
    "mold": (OLDER_CLANG, ["-fuse-ld=mold"]),
}
COMPILED = {
    "gcc -fno-plt": ("gcc", ["-O2", "-fno-plt", "-fPIC"]),
    "gcc -fno-plt, no relaxation": ("gcc", ["-O2", "-fno-plt", "-fPIC",
                                            "-Wa,-mrelax-relocations=no"]),
    "gcc -fno-plt -fcf-protection": ("gcc", ["-O2", "-fno-plt", "-fPIC", "-fcf-protection=full"]),
    "gcc padded branches": ("gcc", ["-O2", "-fno-plt", "-fPIC",
                                    "-Wa,-mbranches-within-32B-boundaries"]),
    f"clang {OLDER} -Os": (OLDER_CLANG, ["-Os", "-fPIC"]),
    f"clang {NEWER} -Os -ffunction-sections": (NEWER_CLANG,
                                               ["-Os", "-fPIC", "-ffunction-sections"]),
    f"clang {NEWER} -fno-plt": (NEWER_CLANG, ["-O2", "-fno-plt", "-fPIC"]),
    "clang retpolines": (OLDER_CLANG, ["-Os", "-mretpoline", "-fPIC"]),
    "gcc thunks": ("gcc", ["-O2", "-mindirect-branch=thunk", "-fPIC"]),
}
# Calls, tail calls, conditional ones, questions; the answers do not depend on the probes.
SOURCE = """
#include <stdio.h>
extern void __dtrace_sdt_src___call(long), __dtrace_sdt_src___tail(long);
extern void __dtrace_sdt_src___cond(long);
extern int __dtrace_sdtenabled_src___call(void);
long sum;
__attribute__((noinline)) void other(long x) { sum += x; }
__attribute__((noinline)) long calls(long x) { __dtrace_sdt_src___call(x); sum += x; return sum; }
__attribute__((noinline)) void tails(long x) { sum += x; __dtrace_sdt_src___tail(x); }
__attribute__((noinline)) void conditional(long x)
{ if (x > 5) { __dtrace_sdt_src___cond(x); return; } sum += x; }
__attribute__((noinline)) int asks(void) { return __dtrace_sdtenabled_src___call() ? 7 : 3; }
__attribute__((noinline)) int asks_if(long x)
{ if (x > 5) return __dtrace_sdtenabled_src___call(); other(x); return 42; }
int main(void)
{
    long answers = 0;
    for (long x = 0; x < 10; x++) {
        calls(x); tails(x); conditional(x);
        answers = answers * 3 + asks() + asks_if(x);
    }
    printf("%ld %ld\\n", sum, answers);
    return 0;
}
"""


def uses(sdt, obj):
    """The sites as compiled: [(section, mnemonic)], from objdump's listing of an object."""
    out = sdt.command("objdump", "-dr", "--no-show-raw-insn", obj).stdout
    found, section, mnemonic = [], None, None
    for line in out.splitlines():
        if line.startswith("Disassembly of section"):
            section = line.split()[-1].rstrip(":")
        elif re.match(r" +[0-9a-f]+:\t", line):
            mnemonic = line.split("\t")[1].split()[0]
        elif "__dtrace_sdt" in line:
            found.append((section, mnemonic))
    return found


@pytest.fixture
def forms(sdt):
    """asm/forms_all.S, processed."""
    raw = sdt.path("forms_all.o")
    sdt.command("gcc", "-g", "-c", ASM / "forms_all.S", "-o", raw)
    obj = sdt.process(raw)
    assert sdt.sdtlink("verify", "--against", raw, obj).stdout.endswith(
        "10 sites, 5 probes: ok\n")
    return obj


def program(sdt, obj, *flags, ldflags=(), **kwargs):
    return sdt.link(sdt.compile("forms_all.c", "-Wall", "-Wextra", *flags), *([obj] if obj else []),
                    *flags, *ldflags, **kwargs)


# What the object becomes.


def test_records_of_every_form(forms):
    view = ElfView(forms)
    text, loaders = view.section(".text").index, view.section(".text.sdt_loader").index
    assert [(s.function, s.kind, s.flags & MOVED, s.text) for s in view.sites()] == [
        ("fm_call", "call", 0, text), ("fm_call6", "call6", 0, text), ("fm_tail", "tail", 0, text),
        ("fm_tail6", "tail6", 0, text), ("fm_jcc", "jcc", MOVED, loaders),
        ("fm_enabled", "enabled", 0, text), ("fm_enabled6", "enabled6", 0, text),
        ("fm_enabled_tail", "enabled-tail", 0, text),
        ("fm_enabled_tail6", "enabled-tail6", 0, text),
        ("fm_enabled_jcc", "enabled-tail", MOVED, loaders)]
    arguments = {s.kind: s.args for s in view.sites() if s.name == s.kind}
    assert len(set(arguments[k] for k in ("call", "call6", "tail", "tail6", "jcc"))) == 1


def test_relocations_of_every_form(forms):
    """None is left that a linker would relax, and each site's first byte holds its record."""
    view = ElfView(forms)
    relocations = collections.defaultdict(dict)
    for r in view.relocations(".text"):
        relocations[r.offset][r.type] = r
    assert {t for at in relocations.values() for t in at} == {"R_X86_64_NONE", "R_X86_64_PC32"}
    assert not view.undefined() & {n for n in view.undefined() if n.startswith("__dtrace")}
    records = view.section("sdt_sites").index
    anchors = sorted(at for at, types in relocations.items() if "R_X86_64_NONE" in types)
    assert all(relocations[at]["R_X86_64_NONE"].symbol.section == records for at in anchors)
    code = view.section(".text").data
    jumps = {s.function: s.pc for s in view.sites() if s.flags & MOVED}
    assert len(anchors) == 10
    for site in view.sites():
        if not site.flags & MOVED:
            assert site.pc in anchors
    for at in anchors:
        if code[at] == 0x0f:  # the conditional jump, as it was, to what was made for it
            branch = relocations[at + 2]["R_X86_64_PC32"]
            assert code[at:at + 6] == b"\x0f\x8f\0\0\0\0"
            assert branch.symbol.section == view.section(".text.sdt_loader").index
            assert branch.addend + 4 in jumps.values()
    loader, = [r for r in view.relocations(".text.sdt_loader") if r.type == "R_X86_64_NONE"]
    assert loader.symbol.section == records


@pytest.mark.parametrize("ld", LINKERS)
@pytest.mark.parametrize("form", ["-pie", "-no-pie", "-static", "-shared"])
def test_bytes_of_every_form_in_the_linked_file(sdt, forms, ld, form):
    """Also where the linker would have relaxed the calls through the GOT, to 67 e8 or e9 .. 90."""
    driver, flags = LINKERS[ld]
    main = [] if form == "-shared" else [sdt.compile(sdt.write(
        "main.c", "int main(void) { return 0; }"))]
    exe = sdt.link(*main, forms, form, *flags, "-Wl,-u,fm_call", runtime=None, compiler=driver)
    view = ElfView(exe)
    found = {(s.function, s.kind): view.bytes(s.pc, 6) for s in view.sites()}
    rel = {name: b[1:5] for name, b in found.items()}
    assert found == {
        ("fm_call", "call"): b"\x90\x66\x0f\x1f\xc0\x48",
        ("fm_call6", "call6"): b"\x90\x3e\x66\x0f\x1f\xc0",
        ("fm_tail", "tail"): b"\xc3" + rel["fm_tail", "tail"] + found["fm_tail", "tail"][5:],
        ("fm_tail6", "tail6"): b"\xc3" + rel["fm_tail6", "tail6"] + b"\xcc",
        ("fm_jcc", "jcc"): b"\xc3\0\0\0\0\x4c",
        ("fm_enabled", "enabled"): b"\xb8\0\0\0\0\x48",
        ("fm_enabled6", "enabled6"): b"\xb8\0\0\0\0\x90",
        ("fm_enabled_tail", "enabled-tail"): b"\x6a\0\x58\xc3\xcc"
        + found["fm_enabled_tail", "enabled-tail"][5:],
        ("fm_enabled_tail6", "enabled-tail6"): b"\x6a\0\x58\xc3\xcc\xcc",
        ("fm_enabled_jcc", "enabled-tail"): b"\x6a\0\x58\xc3\xcc\xcc",
    }
    assert "10 sites, 5 probes: ok" in sdt.sdtlink("verify", exe).stdout
    if "-shared" not in form:
        jump = view.disassemble(view.symbol("fm_jcc").value, 3)[2]
        loader, = [s.pc for s in view.sites() if s.kind == "jcc"]
        assert jump.startswith(f"jg {loader:x} "), jump


@pytest.mark.parametrize("ld", LINKERS)
@pytest.mark.parametrize("name", COMPILED)
def test_what_compilers_make_of_calls(sdt, name, ld):
    """As many sites as objdump saw calls, and the program computes the same, on and off."""
    compiler, flags = COMPILED[name]
    raw = sdt.path("src.o")
    sdt.write("src.c", SOURCE)
    sdt.command(compiler, *flags, "-c", "src.c", "-o", raw)
    compiled = uses(sdt, raw)
    driver, ldflags = LINKERS[ld]
    obj = sdt.process(raw)
    assert sdt.sdtlink("verify", "--against", raw, obj).stdout.endswith(": ok\n")
    sdt.write("stubs.c", "".join(
        f"long {p}{n}(void) {{ return 0; }}\n" for p, n in (
            ("__dtrace_sdt_src___", "call"), ("__dtrace_sdt_src___", "tail"),
            ("__dtrace_sdt_src___", "cond"), ("__dtrace_sdtenabled_src___", "call"))))
    reference = sdt.link(raw, sdt.compile(sdt.path("stubs.c")), runtime=None, name="reference")
    exe = sdt.link(obj, *ldflags, "-Wl,--gc-sections", "-Wl,-u,__sdt_register", compiler=driver)
    assert sdt.sdtlink("verify", exe).stdout.endswith(": ok\n")
    sites = ElfView(exe).sites()
    assert len(sites) == len(compiled) and len({s.pc for s in sites}) == len(sites)
    kinds = collections.Counter(s.kind for s in sites)
    if "-fno-plt" in flags:
        assert kinds["call6"] and kinds["tail6"] and kinds["enabled6"] + kinds["enabled-tail6"] == 2
    if compiler.startswith("clang") and "-Os" in flags:
        jumps = [mnemonic for _, mnemonic in compiled if re.fullmatch(r"j(?!mp).*", mnemonic)]
        assert jumps and kinds["jcc"] == 1
        assert len([s for s in sites if s.flags & MOVED]) == len(jumps) == 2
    expected = sdt.run(reference)
    assert sdt.run(exe) == expected
    watched = sdt.command(exe, env={"SDT_ENABLE": "src=count"}).stdout
    assert watched.split()[0] == expected.split()[0]  # the sums; the questions answer 1 now
    assert watched.split()[1] != expected.split()[1]


def conditional_source(sdt, compiler):
    sdt.write("cond.c", r"""
#include <stdio.h>
#include <sdt/runtime.h>
extern void __dtrace_sdt_shop___big(long);
long sum;
__attribute__((noinline)) void sell(long x)
{ if (x > 5) { __dtrace_sdt_shop___big(x); return; } sum += x; }
int main(void)
{
    int id = sdt_enable("shop:big", SDT_COUNT, NULL);
    for (long x = 0; x < 10; x++)
        sell(x);
    sdt_disable(id);
    for (long x = 0; x < 10; x++)
        sell(x);
    printf("%ld, %ld big\n", sum, (long)sdt_hits("shop:big"));
    return 0;
}
""")
    obj = sdt.compile(sdt.path("cond.c"), "-Os", compiler=compiler)
    assert [m for _, m in uses(sdt, obj)][0].startswith("j")
    return obj


@pytest.mark.parametrize("compiler", CLANGS)
def test_a_nop_over_a_conditional_tail_call_is_a_miscompile(sdt, compiler):
    """What this tool does not do: with the jump taken out, both arms run."""
    exe = sdt.link(sdt.process(conditional_source(sdt, compiler)))
    view = ElfView(exe)
    assert [s.kind for s in view.sites()] == ["jcc"]
    assert sdt.run(exe) == "30, 4 big\n"
    start = view.symbol("sell").value
    code = view.bytes(start, 16)
    at = re.search(rb"\x0f[\x80-\x8f]", code, re.S).start()
    assert view.disassemble(start + at).startswith("j")
    data = bytearray(exe.read_bytes())
    text = view.section(".text")
    offset = text.offset + start + at - text.address
    data[offset:offset + 6] = b"\x66\x0f\x1f\x44\x00\x00"
    wrong = sdt.path("wrong")
    wrong.write_bytes(data)
    wrong.chmod(0o755)
    assert sdt.run(wrong) == "90, 0 big\n"
    assert "expected one conditional jump that leads here, found 0" in sdt.sdtlink(
        "verify", wrong, status=1).stdout


def test_question_in_a_conditional_tail_call(sdt):
    sdt.write("ask.c", r"""
#include <stdio.h>
#include <sdt/runtime.h>
extern int __dtrace_sdtenabled_shop___big(void);
extern void __dtrace_sdt_shop___big(long);
__attribute__((noinline)) int asks(long x)
{ if (x > 5) return __dtrace_sdtenabled_shop___big(); return 42; }
int main(void)
{
    printf("%d %d, ", asks(1), asks(9));
    int id = sdt_enable("shop:big", SDT_COUNT, NULL);
    printf("%d %d, ", asks(1), asks(9));
    sdt_disable(id);
    printf("%d %d\n", asks(1), asks(9));
    __dtrace_sdt_shop___big(0);
    return 0;
}
""")
    obj = sdt.compile(sdt.path("ask.c"), "-Os", compiler=NEWER_CLANG)
    assert "jg" in [m for _, m in uses(sdt, obj)] or "jge" in [m for _, m in uses(sdt, obj)]
    exe = sdt.link(sdt.process(obj))
    assert sdt.run(exe) == "42 0, 42 1, 42 0\n"


FOLDED = """
extern void __dtrace_sdt_a___b(long);
extern int __dtrace_sdtenabled_a___b(void);
#define TWICE(function) function(1) function(2)
#define FIRES(n) __attribute__((noinline)) void jcc##n(long x) \\
    { if (x > 5) __dtrace_sdt_a___b(x); }
#define LEAVES(n) __attribute__((noinline)) void tail##n(long x) { __dtrace_sdt_a___b(x); }
#define ASKS(n) __attribute__((noinline)) int asks##n(long x) \\
    { if (x > 5) return __dtrace_sdtenabled_a___b(); return 3; }
TWICE(FIRES) TWICE(LEAVES) TWICE(ASKS)
int main(int c, char **v)
{ jcc1(c); jcc2(c); tail1(c); tail2(c); return asks1(c) + asks2(c) - 6; }
"""


def folded(sdt, obj, ld, icf):
    """The linked file, and how many places its sites have."""
    driver, flags = LINKERS[ld]
    exe = sdt.link(obj, *flags, f"-Wl,--icf={icf}", "-Wl,--gc-sections", runtime=None,
                   compiler=driver)
    view = ElfView(exe)
    assert sorted(s.function for s in view.sites()) == ["asks1", "asks2", "jcc1", "jcc2", "tail1",
                                                        "tail2"]
    return exe, len({s.pc for s in view.sites()})


@pytest.mark.parametrize("icf", ["all", "safe"])
@pytest.mark.parametrize("ld", ["gold", *(f"lld {n}" for n in LLVMS), "mold"])
def test_folding_makes_no_one_site_of_two(sdt, ld, icf):
    """Two functions with the same probe are the same code, and two sites."""
    obj = sdt.process(sdt.compile(sdt.write("fold.c", FOLDED), "-Os", "-ffunction-sections",
                                  "-faddrsig", compiler=NEWER_CLANG))
    exe, places = folded(sdt, obj, ld, icf)
    assert places == 6
    assert sdt.sdtlink("verify", exe).stdout.endswith(": ok\n")
    # What holds them apart: without the reference to their records, linkers fold the loaders.
    file = Patched(obj)
    for section in file.elf.iter_sections():
        if section.name == ".rela.text.sdt_loader":
            for i, rela in enumerate(section.iter_relocations()):
                if rela["r_info_type"] == R_NONE:
                    file.put(section["sh_offset"] + 24 * i + 12, bytes(4))
    _, places = folded(sdt, file.save("bare.o"), ld, icf)
    assert places == (6 if (ld, icf) == ("gold", "safe") else 4)


@pytest.mark.parametrize("ld", LINKERS)
@pytest.mark.parametrize("first", ["ld.bfd", "ld.gold", *(f"ld.{lld}" for lld in LLDS)])
def test_moved_sites_survive_a_partial_link(sdt, forms, first, ld):
    driver, flags = LINKERS[ld]
    other = sdt.process(sdt.compile(sdt.write(
        "more.cc", "extern \"C\" void __dtrace_sdt_forms___jcc(long) noexcept;\n"
        "template <int N> __attribute__((noinline)) void f(long x)\n"
        "{ if (x > N) __dtrace_sdt_forms___jcc(x); }\n"
        "extern \"C\" void more(long x) { f<1>(x); f<2>(x); }\n"), "-Os",
        compiler=cxx(NEWER_CLANG)))
    joined = sdt.path("joined.o")
    sdt.command(first, "-r", "-o", joined, forms, other)
    sdt.sdtlink("verify", joined)
    again = sdt.process(joined, name="again.o")
    assert again.read_bytes() == joined.read_bytes()
    main = sdt.compile(sdt.write("main.c", "void more(long); int fm_jcc(long);\n"
                                 "int main(int c, char **v) { more(c); return fm_jcc(c) - 42; }"))
    exe = sdt.link(main, joined, *flags, "-Wl,--gc-sections", runtime=None, compiler=driver)
    sites = ElfView(exe).sites()
    live = [s for s in sites if s.kind == "jcc"]
    assert {s.function for s in live} >= {"fm_jcc", "_Z1fILi1EEvl", "_Z1fILi2EEvl"}
    assert len({s.pc for s in sites}) == len(sites)
    assert sdt.sdtlink("verify", exe).stdout.endswith(": ok\n")
    sdt.run(exe)


@pytest.mark.parametrize("ld", LINKERS)
def test_sites_in_sections_of_every_sort(sdt, ld):
    """.init, .text.unlikely, .text.startup, .cold parts, a hand-made section."""
    driver, flags = LINKERS[ld]
    sdt.write("init.S", """
        .section .init, "ax", @progbits
        call __dtrace_sdt_where___init
        .section .text.unlikely, "ax", @progbits
        .globl rarely
        .type rarely, @function
rarely: jmp *__dtrace_sdt_where___rarely@GOTPCREL(%rip)
        .size rarely, . - rarely
        .section my_text, "ax", @progbits
        .globl mine
        .type mine, @function
mine:   test %edi, %edi
        jne __dtrace_sdt_where___mine
        ret
        .size mine, . - mine
        .section .note.GNU-stack, "", @progbits
""")
    objects = [sdt.process(sdt.compile(sdt.path("init.S"))),
               sdt.process(sdt.compile("forms_sections.c", "-fPIC"))]
    assert ElfView(objects[1]).sections_named(".text.unlikely")
    cold, = [s for s in ElfView(objects[1]).sites() if s.name == "cold"]
    assert cold.function == "partly"
    exe = sdt.link(*objects, *flags, compiler=driver)
    # .init runs before anything is enabled.
    result = sdt.command(exe, env={"SDT_ENABLE": "where=count"})
    assert result.stdout == "0 1 1 1 1\n"
    # The C library's _init has no size, so nothing says that .init's code is a function's.
    assert ": ok (1 without a function symbol" in sdt.sdtlink("verify", exe).stdout
    assert {s.name: s.kind for s in ElfView(exe).sites()} == {
        "init": "call", "startup": "call", "rarely": "tail6", "mine": "jcc", "cold": "call"}


# Prefixes. The byte before an opcode may be a prefix or the end of the instruction before; the
# tool does not look, so each must do no harm in any state, or be found by the second reader.

PREFIXES = {
    "addr32": "0x67", "bnd": "0xf2", "rep": "0xf3", "cs": "0x2e", "ds": "0x3e", "es": "0x26",
    "ss": "0x36", "fs": "0x64", "gs": "0x65", "bnd, ds": "0xf2, 0x3e", "addr32, cs": "0x67, 0x2e",
}


def prefixed_program(sdt, prefix, **kwargs):
    """forms_all.S with PREFIX before every call and jump that names a probe."""
    text = (ASM / "forms_all.S").read_text()
    text, count = re.subn(r"^        (?=jg |\\insn)", rf"        .byte {prefix}\n        ", text,
                          flags=re.M)
    assert count == 4  # two macros, two conditional jumps
    raw = sdt.path("prefixed.o")
    sdt.write("prefixed.S", text)
    sdt.command("gcc", "-c", "prefixed.S", "-o", raw)
    obj = sdt.process(raw)
    return raw, obj


@pytest.mark.parametrize("prefix", PREFIXES)
def test_prefixed_forms_run_in_every_state(sdt, prefix):
    raw, obj = prefixed_program(sdt, PREFIXES[prefix])
    assert sdt.sdtlink("verify", "--against", raw, obj).stdout.endswith(
        "10 sites, 5 probes: ok\n")
    fixture.passes(sdt, program(sdt, obj))


@pytest.mark.parametrize("prefix, form, instruction", [
    (0x66, "jmp __dtrace_sdt_a___b", "retw"),
    (0x66, "call __dtrace_sdtenabled_a___b", "movw $0, %ax"),
    (0x66, "jmp __dtrace_sdtenabled_a___b", "pushw $0"),
    (0x41, "call __dtrace_sdt_a___b", "xchgl %r8d, %eax"),
    (0x49, "call *__dtrace_sdt_a___b@GOTPCREL(%rip)", "xchgq %r8, %rax"),
    (0x41, "call __dtrace_sdtenabled_a___b", "movl $0, %r8d"),
])
def test_prefix_that_would_change_the_site_is_found_by_the_second_reader(sdt, prefix, form,
                                                                         instruction):
    """No compiler or assembler writes these by itself."""
    def verified(before, status):
        text = (f".globl f\n.type f,@function\nf: {before}\n"
                f"{form}\nret\n.size f,.-f\n")
        obj = sdt.process(sdt.compile(sdt.write("prefix.S", text)))
        return sdt.sdtlink("verify", obj, status=status).stdout
    assert (f"expected the start of an instruction, but `{instruction}`"
            in verified(f"nop\n.byte {prefix}", 1))
    # The same byte as the end of an instruction is no prefix.
    assert verified(f"push ${prefix}", 0).endswith(": ok\n")


@pytest.mark.parametrize("prefix", [0x66, 0x40, 0x48])
def test_prefix_without_effect_on_a_nop(sdt, prefix):
    obj = sdt.process(sdt.compile(sdt.write(
        "ok.S", ".globl f\n.type f,@function\nf: nop\n"
        f".byte {prefix}\ncall __dtrace_sdt_a___b\nret\n.size f,.-f\n")))
    assert sdt.sdtlink("verify", obj).stdout.endswith(": ok\n")


def test_calls_as_a_linker_relaxes_them(sdt):
    """`67 e8` and `e9 .. 90`, should an earlier link have left them in an object."""
    obj = sdt.process(sdt.compile(sdt.write("relaxed.S", """
.globl f, g
.type f,@function
f: .byte 0x67
 call __dtrace_sdt_a___b
 ret
.size f,.-f
.type g,@function
g: jmp __dtrace_sdt_a___c
 nop
.size g,.-g
""")))
    assert [(s.pc, s.kind) for s in ElfView(obj).sites()] == [(1, "call"), (7, "tail")]
    assert sdt.sdtlink("verify", obj).stdout.endswith("2 sites, 2 probes: ok\n")


# The running program.

LINKED = {
    "pie": ([], "static"), "non-pie": (["-fno-pie", "-no-pie"], "static"),
    "static": (["-static"], "static"), "static-pie": (["-static-pie"], "static"),
    "shared runtime": ([], "shared"), "gold": (["-fuse-ld=gold"], "static"),
    "lld": (["-fuse-ld=lld"], "static"),
}


@pytest.mark.parametrize("kind", LINKED)
def test_every_form_in_every_mode(sdt, forms, kind):
    flags, runtime = LINKED[kind]
    fixture.passes(sdt, program(sdt, forms, *flags, runtime=runtime))


@pytest.mark.parametrize("ld", LINKERS)
def test_every_form_in_a_library_that_is_loaded(sdt, forms, ld):
    driver, flags = LINKERS[ld]
    library = sdt.link(forms, "-shared", *flags, runtime=None, name="forms.so", compiler=driver)
    exe = program(sdt, None, "-DFM_LIBRARY", runtime="shared", ldflags=["-Wl,--no-as-needed"])
    fixture.passes(sdt, exe, "modes", library)


@pytest.mark.parametrize("kind", ["pie", "static", "shared runtime"])
def test_every_form_under_threads(sdt, forms, kind):
    flags, runtime = LINKED[kind]
    fixture.passes(sdt, program(sdt, forms, *flags, runtime=runtime), "threads")


def test_stack_arguments_of_every_form(sdt):
    """Arguments 6 and on: after the return address at a tail call, before it at a call."""
    sdt.write("eight.c", r"""
#include <stdio.h>
#include <sdt/runtime.h>
typedef unsigned long w;
extern void __dtrace_sdt_eight___arg(w, w, w, w, w, w, w, w);
__attribute__((noinline)) void call(w a) { __dtrace_sdt_eight___arg(a, 2, 3, 4, 5, 6, 7, 8);
    __asm__ volatile(""); }
__attribute__((noinline)) void leave(w a, w b, w c, w d, w e, w f, w g, w h)
{ __dtrace_sdt_eight___arg(a, b, c, d, e, f, g, h); }
__attribute__((noinline)) void maybe(w a, w b, w c, w d, w e, w f, w g, w h)
{ if (a) __dtrace_sdt_eight___arg(a, b, c, d, e, f, g, h); }
static void handler(const struct sdt_event *e, void *data)
{
    (void)data;
    for (unsigned i = 0; i < sdt_nargs(e); i++)
        printf("%lu", (w)sdt_arg(e, i));
    puts("");
}
int main(void)
{
    int id = sdt_enable("eight", handler, NULL);
    call(1); leave(1, 2, 3, 4, 5, 6, 7, 8); maybe(1, 2, 3, 4, 5, 6, 7, 8);
    sdt_disable(id);
    return 0;
}
""")
    for compiler, flags in ((NEWER_CLANG, ["-Os"]), ("gcc", ["-O2", "-fno-plt", "-fPIC"])):
        raw = sdt.compile(sdt.path("eight.c"), *flags, compiler=compiler)
        exe = sdt.link(sdt.process(raw))
        # Without a descriptor six arguments are known; that they are right is what is tested here.
        assert sdt.run(exe) == "123456\n" * 3


def gdb(sdt, exe, *commands, args=(), env=()):
    settings = ["set startup-with-shell off", "set breakpoint pending off",
                *(f"set environment {e}" for e in env)]
    argv = [word for command in (*settings, *commands) for word in ("-ex", command)]
    return sdt.command("gdb", "-q", "-batch", "-nx", *argv, "--args", exe, *args, status=None,
                       env={"ASAN_OPTIONS": "detect_leaks=0"}).stdout


def test_gdb_continues_over_armed_sites(sdt, forms):
    """All forms are armed by their jumps: none stops it."""
    exe = program(sdt, forms)
    output = gdb(sdt, exe, "run", args=["once"], env=["SDT_ENABLE=forms=count"])
    assert re.findall(r"in (fm_\w+) \(\)", output) == [], output
    assert "exited normally" in output, output


@pytest.mark.parametrize("env", [[], ["SDT_ENABLE=forms=count"]], ids=["off", "armed"])
def test_gdb_breaks_at_every_site(sdt, forms, env):
    """A debugger's own breakpoint on the tracers' byte of each site, and on from there."""
    exe = program(sdt, forms, "-no-pie")
    sites = ElfView(exe).sites()
    breaks = [f"break *{s.pc:#x}" for s in sites]
    output = gdb(sdt, exe, *breaks, "run", *["continue"] * 12, args=["once"], env=env)
    assert len(set(re.findall(r"^Breakpoint (\d+), ", output, re.M))) == 10, output
    assert "exited normally" in output, output


def test_unwinding_from_every_form(sdt, forms):
    """gdb's frames from a handler: the caller of a tail or jcc site is main's, as compiled."""
    sdt.write("handler.c", r"""
#include <sdt/runtime.h>
long fm_tail6(long), fm_jcc(long), fm_call6(long);
__attribute__((noinline)) void handler(const struct sdt_event *e, void *d)
{ (void)e; (void)d; __asm__ volatile(""); }
int main(void)
{
    int id = sdt_enable("forms:tail6,forms:jcc", handler, 0);
    fm_tail6(10);
    __asm__ volatile("");
    fm_jcc(10);
    sdt_disable(id);
    return 0;
}
""")
    exe = sdt.link(sdt.compile(sdt.path("handler.c")), forms)
    output = gdb(sdt, exe, "break handler", "run", "bt", "continue", "bt", "continue")
    stacks = re.findall(r"^#0 .*?(?=^Breakpoint|^$|\Z)", output, re.M | re.S)
    frames = [re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\S+) \(", s, re.M) for s in stacks]
    assert len(frames) == 2 and all(f[0] == "handler" and f[-1] == "main" for f in frames), output
    assert "exited normally" in output
