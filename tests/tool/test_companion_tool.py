# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink --companion`: the object untouched, a second one with stubs and the sites' places."""
import struct
import subprocess

import pytest

from elfview import COMPANION, SITE, ElfView
from test_rewrite import DECLARE, FORMS, LINKERS, linker

RUN = FORMS.replace("int sdt_walk(void);", "").replace("return sdt_walk();", "return 0;")


def companion(sdt, partial, *args, status=0):
    out = sdt.path("sdt.o")
    result = sdt.sdtlink("--companion", "-o", out, *args, partial, status=status)
    return out if status == 0 else result.stderr


def partial_link(sdt, *objects):
    out = sdt.path("partial.o")
    sdt.command("ld", "-r", "-o", out, *objects)
    return out


def linked_sites(view):
    """The companion's records in a linked file: [(pc, stub, flags, kind number)]."""
    table = view.section("sdt_companion")
    found = []
    for at in range(0, table.size, SITE.size):
        words = SITE.unpack_from(table.data, at)
        place = [table.address + at + 4 * i + words[i] for i in range(8)]
        found.append((place[0], place[2], words[11], words[9]))
    return found


@pytest.mark.parametrize("ld", LINKERS)
@pytest.mark.parametrize("mode", [["-no-pie"], ["-pie"]], ids=" ".join)
def test_places_are_the_calls(sdt, ld, mode):
    """Every record points at a call or jump whose target is the record's stub, whatever the linker
    did to the sections (hot, cold and startup text are separate ones here)."""
    partial = partial_link(sdt, sdt.compile(sdt.write("forms.c", RUN), "-fPIE"))
    before = partial.read_bytes()
    sdt_o = companion(sdt, partial)
    assert partial.read_bytes() == before
    exe = sdt.link(partial, sdt_o, linker(ld), *mode, "-Wl,--gc-sections", runtime=None,
                   compiler="clang")
    sdt.run(exe)  # the probes are off: stubs return, is-enabled says no
    view = ElfView(exe)
    sites = linked_sites(view)
    assert len(sites) == 6
    for pc, stub, flags, _ in sites:
        opcode = view.bytes(pc, 1)[0]
        target = pc + 5 + struct.unpack("<i", view.bytes(pc + 1, 4))[0]
        assert opcode in (0xe8, 0xe9) and target == stub and flags & COMPANION
        # mov (%rsp),%r11; sub $5,%r11; lea probe(%rip),%r10: what the runtime checks
        assert view.disassemble(stub, 2) == ["mov (%rsp),%r11", "sub $0x5,%r11"]


def test_object_is_well_formed(sdt):
    sdt_o = companion(sdt, partial_link(sdt, sdt.compile(sdt.write("forms.c", RUN))))
    result = subprocess.run(["readelf", "-aW", str(sdt_o)], capture_output=True, text=True,
                            check=True)
    assert result.stderr == ""
    assert sdt.command("eu-elflint", "--gnu-ld", sdt_o).stdout == "No errors\n"
    view = ElfView(sdt_o)
    assert [s.kind for s in view.sites("sdt_companion")].count("call") == 3
    assert not view.groups
    for name in ("__dtrace_sdt_app___work", "__dtrace_sdtenabled_app___work"):
        assert (view.symbol(name).bind, view.symbol(name).visibility) == ("WEAK", "HIDDEN")
    assert view.symbol("__dtrace_sdt_app___work").section == view.symbol(
        "__sdt_stub_app___work").section


def test_deterministic(sdt):
    partial = partial_link(sdt, sdt.compile(sdt.write("forms.c", RUN)))
    first = companion(sdt, partial).read_bytes()
    assert companion(sdt, partial).read_bytes() == first


def test_runtime_makes_nops_and_counts(sdt):
    """The whole flow: the runtime turns the calls into NOPs at start-up, and probes work."""
    if not sdt.static_runtime.exists():
        pytest.skip(f"{sdt.static_runtime} is not built")
    source = DECLARE + """
#include <sdt/runtime.h>
PROBE(app, work); ENABLED(app, work);
__attribute__((noinline)) int work(int x)
{ HIT(app, work, x, 1); return x + (__dtrace_sdtenabled_app___work() ? 100 : 0); }
int main(void)
{
    const unsigned char *code = (const unsigned char *)work;
    int calls = 0;
    for (int i = 0; i < 64; i++)
        calls += code[i] == 0x90 && code[i + 1] == 0x66 && code[i + 2] == 0x0f;
    if (calls != 1 || work(1) != 1)
        return 1;
    int id = sdt_enable("app:work", SDT_COUNT, 0);
    if (id <= 0)
        return 2;
    int answer = work(1) + work(1);
    if (sdt_disable(id) != 0 || work(1) != 1)
        return 3;
    return answer == 202 && sdt_hits("app:work") == 2 ? 0 : 4;
}
"""
    partial = partial_link(sdt, sdt.compile(sdt.write("run.c", source)))
    for ld in LINKERS:
        exe = sdt.link(partial, companion(sdt, partial), linker(ld), compiler="clang")
        sdt.run(exe)


def test_together_with_rewritten_objects_of_the_same_probe(sdt):
    """Two sets in one program: each keeps its own, both work without a runtime."""
    partial = partial_link(sdt, sdt.compile(sdt.write("forms.c", RUN)))
    other = sdt.process(sdt.compile(sdt.write("other.c", DECLARE + "PROBE(app, work);\n"
                                    "void other(void) { HIT(app, work, 1, 2); }")))
    for ld in LINKERS:
        exe = sdt.link(other, partial, companion(sdt, partial), linker(ld), runtime=None,
                       compiler="clang")
        sdt.run(exe)
        view = ElfView(exe)
        assert len(view.sites()) == 1 and len(linked_sites(view)) == 6


def test_a_probe_that_is_spelled_in_two_ways(sdt):
    """By <sdt/probe.h>, which says what to do, and by hand or by an older header. It is one probe,
    and each call finds its own symbol defined."""
    obj = sdt.compile(sdt.write("two.c", """
#include <sdt/probe.h>
#include <sdt/runtime.h>
void by_hand(unsigned long) __asm__("__dtrace_sdt_app___work");
__attribute__((noinline)) void work(long x) { SDT_PROBE(app, work, x); by_hand(2); __asm__(""); }
int main(void)
{
    int id = sdt_enable("app:work", SDT_COUNT, 0);
    work(1);
    return id > 0 && sdt_hits("app:work") == 2 ? 0 : 1;
}
"""), "-DSDT_CALL_SITES")
    view = ElfView(companion(sdt, obj))
    names = {"__dtrace_sdt_app___work", "__dtrace_sdt_run_sdtlink___app___work"}
    assert names <= {symbol.name for symbol in view.symbols if symbol.section}
    assert [site.title for site in view.sites("sdt_companion")] == ["app:work"] * 2
    for inputs in ([obj, view.path], [sdt.process(obj)]):
        exe = sdt.link(*inputs)
        sdt.run(exe)
        sdt.sdtlink("verify", exe)
    sdt.sdtlink("verify", "--against", obj, sdt.process(obj))


def test_of_an_object_in_part_of_which_that_is_done(sdt):
    """What the rewritten part defines is in the object, and not for the companion to define."""
    other = sdt.process(sdt.compile(sdt.write("other.c", DECLARE + "PROBE(app, work);\n"
                                    "void other(void) { HIT(app, work, 1, 2); }")))
    partial = partial_link(sdt, sdt.compile(sdt.write("forms.c", RUN)), other)
    before = partial.read_bytes()
    for ld in LINKERS:
        exe = sdt.link(partial, companion(sdt, partial), linker(ld), runtime=None,
                       compiler="clang")
        sdt.run(exe)
        view = ElfView(exe)
        assert len(view.sites()) == 1 and len(linked_sites(view)) == 6
    assert partial.read_bytes() == before


@pytest.mark.parametrize("source, words", [
    ("static __attribute__((noinline)) void f(long x) { HIT(a, b, x, x); }\n"
     "__attribute__((section(\".text.other\"))) void g(long x) { f(x); }",
     ["no global symbol", "(in f)", "sdtlink -o"]),
    ("__attribute__((weak)) void f(long x) { HIT(a, b, x, x); }", ["no global symbol", "(in f)"]),
])
def test_section_without_a_base(sdt, source, words):
    obj = sdt.compile(sdt.write("base.c", DECLARE + "PROBE(a, b);\n" + source))
    message = companion(sdt, obj, status=1)
    for word in words:
        assert word in message
    assert not sdt.path("sdt.o").exists()


def test_comdat_section(sdt):
    obj = sdt.compile(sdt.write("comdat.cc", """
extern "C" void __dtrace_sdt_a___b(long) __attribute__((visibility("hidden")));
template <class T> __attribute__((noinline)) void f(T x) { __dtrace_sdt_a___b(x); asm(""); }
void g(long x) { f(x); }
"""))
    assert "in a group" in companion(sdt, obj, status=1)


@pytest.mark.parametrize("code, words", [
    ("jne __dtrace_sdt_a___b", "its branch would need another target"),
    ("jne __dtrace_sdtenabled_a___b", "-fno-optimize-sibling-calls"),
    ("call *__dtrace_sdt_a___b@GOTPCREL(%rip)", "the final linker chooses its encoding"),
    ("jmp *__dtrace_sdt_a___b@GOTPCREL(%rip)", "without -fno-plt"),
    ("call *__dtrace_sdtenabled_a___b@GOTPCREL(%rip)", "sdtlink -o OUT IN"),
    ("jmp *__dtrace_sdtenabled_a___b@GOTPCREL(%rip)", "ff 25 00 00 00 00"),
    ('1: nop\n nopw (%rax)\n call __dtrace_sdtasm_a___b\n .pushsection .sdt_args, "e"\n'
     ' .long 1b - .\n .byte 2, 0\n .asciz "a"\n .asciz "b"\n .popsection', "-DSDT_CALL_SITES"),
])
def test_forms_without_a_companion(sdt, code, words):
    obj = sdt.compile(sdt.write("asm.S", f".globl f\nf: {code}\n ret\n"))
    assert words in companion(sdt, obj, status=1)


def test_no_probe(sdt):
    obj = sdt.compile(sdt.write("none.c", "int x;"))
    assert "no probe" in companion(sdt, obj, status=1)


def test_joined_with_its_object_there_is_nothing_left_to_do(sdt):
    """An object and its companion in one are complete: rewriting that would make two sets."""
    partial = partial_link(sdt, sdt.compile(sdt.write("forms.c", RUN)))
    joined = sdt.path("joined.o")
    sdt.command("ld", "-r", "-o", joined, partial, companion(sdt, partial))
    message = sdt.sdtlink("-o", "out.o", joined, status=1).stderr
    assert "joined with its companion" in message and "link it as it is" in message
    sdt.run(sdt.link(joined, runtime=None))
