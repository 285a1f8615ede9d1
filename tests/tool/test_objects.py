# SPDX-License-Identifier: BSD-2-Clause
"""Objects from everywhere: what compilers make under many flags, what people write in assembler,
what other tools leave. Each is processed, verified by the second reader, linked, run, and
the running program lists its sites."""
import re
import shutil

import pytest

from conftest import INCLUDE, PROGRAMS
from elfview import ElfView

LINKERS = ["bfd", "gold", "lld", "mold"]
MAIN = """
#include <sdt/probe.h>
#include <string.h>
volatile int value;
static __attribute__((noinline)) int same(int x) { SDT_PROBE(app, same, x); return x + value; }
__attribute__((noinline)) int work(int x, const char *s)
{
    char buffer[300];
    memset(buffer, x, sizeof buffer);
    value += buffer[x & 255];
    SDT_PROBE(app, work, x, s);
    if (SDT_PROBE_ENABLED(app, work)) value++;
    return same(x) + value;
}
__attribute__((noinline, cold)) void rare(int x) { SDT_PROBE(app, rare, x, 1.5); value++; }
int sdt_walk(void);
int main(int argc, char **argv) { work(argc, argv[0]); rare(argc); return sdt_walk(); }
"""
# Compiler, its flags, flags of the link.
FLAGS = [
    ("gcc", "-gdwarf-4 -ffunction-sections -fdata-sections", ""),
    ("gcc", "-g -gz", ""),
    ("gcc", "-gsplit-dwarf", ""),
    ("clang", "-gsplit-dwarf=single", ""),
    ("clang", "-gdwarf-5 -ffunction-sections -gz", ""),
    ("clang", "-fno-unique-section-names -ffunction-sections", ""),
    ("clang", "-fbasic-block-sections=all -fstack-size-section", ""),
    ("clang", "-fsanitize=address,undefined -ffunction-sections", "-fsanitize=address,undefined"),
    ("gcc", "-pg", "-pg"),
    ("gcc", "-fcf-protection=full -Wa,-mx86-used-note=yes", ""),
    ("gcc", "-mcmodel=medium", ""),
    ("gcc", "-fno-asynchronous-unwind-tables -fno-unwind-tables", ""),
    ("gcc", "-fstack-clash-protection -fstack-protector-all", ""),
    ("gcc", "-fpatchable-function-entry=5,2 -Wa,-mbranches-within-32B-boundaries", ""),
    ("clang", "-fxray-instrument -fxray-instruction-threshold=1", ""),
    ("clang", "-fprofile-instr-generate -fcoverage-mapping", "-fprofile-instr-generate"),
    ("gcc", "-O0", ""),
    ("clang", "-Oz", ""),
]


@pytest.fixture
def walk(sdt):
    """The reader of the site set in the running program."""
    return sdt.compile(PROGRAMS / "rewrite_walk.c")


def listed(sdt, exe):
    """(function, name) of every site that the running program lists."""
    fields = [line.split(" ", 9) for line in sdt.run(exe).splitlines()]
    return sorted((f[3], f[4]) for f in fields)


def verified(sdt, raw, *flags):
    """RAW processed, and proven by `sdtlink verify` to differ nowhere but at its sites."""
    obj = sdt.process(raw, *flags)
    sdt.sdtlink("verify", "-q", "--against", raw, obj)
    return obj


@pytest.mark.nosan
@pytest.mark.parametrize("compiler, flags, ldflags", FLAGS, ids=[f"{c} {f}" for c, f, _ in FLAGS])
def test_compiler_flags(sdt, walk, compiler, flags, ldflags):
    raw = sdt.compile(sdt.write("main.c", MAIN), "-g0", *flags.split(), compiler=compiler)
    obj = verified(sdt, raw)
    for ld in LINKERS:
        exe = sdt.link(obj, walk, f"-fuse-ld={ld}", *ldflags.split(), runtime=None,
                       compiler="clang")
        assert listed(sdt, exe) == [("rare", "rare"), ("same", "same"), ("work", "work"),
                                    ("work", "work")], ld
        sdt.sdtlink("verify", "-q", exe)


@pytest.mark.parametrize("change", [
    ["strip", "-g"], ["strip", "--strip-unneeded"], ["objcopy", "--compress-debug-sections"],
    ["objcopy", "--rename-section", ".text=.text.renamed"],
    ["ld.bfd", "-r"], ["ld.gold", "-r"], ["ld.lld", "-r"], ["ld.bfd", "-r", "--unique"],
    ["ld.bfd", "-r", "--force-group-allocation"],
], ids=" ".join)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_objects_that_another_tool_changed(sdt, walk, compiler, change):
    raw = sdt.compile(sdt.write("main.c", MAIN), "-ffunction-sections", compiler=compiler)
    changed = sdt.path("changed.o")
    sdt.command(change[0], *change[1:], *(["-o"] if "objcopy" not in change else []),
                *([changed, raw] if "objcopy" not in change else [raw, changed]))
    exe = sdt.link(verified(sdt, changed), walk, runtime=None, compiler=compiler)
    assert sorted(name for _, name in listed(sdt, exe)) == ["rare", "same", "work", "work"]


INLINE = """
#include <sdt/probe.h>
inline __attribute__((noinline)) int shared(int x)
{
    SDT_PROBE(app, shared, x);
    if (x > 100) throw x;
    return x;
}
"""


@pytest.mark.parametrize("change", ["objcopy", "strip --strip-unneeded -o", "llvm-objcopy",
                                    "llvm-strip --strip-unneeded -o", "ld -r -o"])
def test_tools_on_processed_objects_keep_their_groups(sdt, walk, change):
    """Copies of an inline function: of the group that the linker drops, nothing may stay."""
    objects = []
    for name, body in (("one", "int two(); extern \"C\" int sdt_walk();\n"
                        "int main() { return shared(1) - two() + sdt_walk(); }"),
                       ("two", "int two() { try { return shared(1); } catch (int x) "
                               "{ return x; } }")):
        obj = sdt.process(sdt.compile(sdt.write(f"{name}.cc", INLINE + body)))
        objects.append(sdt.path(f"{name}.changed.o"))
        names = [obj, objects[-1]] if "objcopy" in change else [objects[-1], obj]
        assert sdt.command(*change.split(), *names).stderr == ""
    for ld in LINKERS:
        exe = sdt.link(*objects, walk, f"-fuse-ld={ld}", runtime=None, compiler="g++")
        assert listed(sdt, exe) == [("_Z6sharedi", "shared")], ld


def test_stale_addrsig_is_left_alone(sdt):
    """objcopy keeps .llvm_addrsig but clears its link; its indexes mean nothing any more."""
    raw = sdt.compile(sdt.write("sig.c", "extern void __dtrace_sdt_a___b(long), g(void *);\n"
                                "void f(long x) { __dtrace_sdt_a___b(x); g(f); }\n"),
                      "-faddrsig", "-g0", compiler="clang")
    copy = sdt.path("copy.o")
    sdt.command("objcopy", "--update-section",
                f".llvm_addrsig={sdt.write('indexes', 3 * chr(0x7f))}", raw, copy)
    view = ElfView(copy)
    assert view.section(".llvm_addrsig").link == 0 and len(view.symbols) < 0x7f
    assert ElfView(sdt.process(copy)).section(".llvm_addrsig").data == b"\x7f\x7f\x7f"


def test_addrsig_that_names_missing_symbols(sdt):
    """Of a tool that took symbols away and knew nothing of .llvm_addrsig: linkers but lld do not
    read it, and lld takes all addresses to matter where its link is cleared."""
    raw = sdt.compile(sdt.write("sig.c", "extern void __dtrace_sdt_a___b(long), g(void *);\n"
                                "void f(long x) { __dtrace_sdt_a___b(x); g(f); }\n"),
                      "-faddrsig", "-g0", compiler="clang")
    section = ElfView(raw).section(".llvm_addrsig")
    assert section.link and section.data
    image = bytearray(open(raw, "rb").read())
    image[section.offset] = 0x7f
    with open(raw, "wb") as file:
        file.write(image)
    done = ElfView(sdt.process(raw)).section(".llvm_addrsig")
    assert done.link == 0
    main = sdt.compile(sdt.write("main.c", "void f(long);\nvoid g(void *);\nvoid g(void *p) "
                                 "{ (void)p; }\nint main(void) { f(1); return 0; }\n"))
    for linker in LINKERS:
        sdt.link(main, sdt.process(raw), f"-fuse-ld={linker}", runtime=None)


@pytest.mark.parametrize("flags", [[], ["-DSDT_CALL_SITES"], ["-DSDT_SEMAPHORES"]], ids=" ".join)
def test_names_with_a_prefix(sdt, flags):
    """objcopy --prefix-symbols, by which two copies of a library get into one program."""
    source = sdt.write("sow.c", """
#include <sdt/probe.h>
int sow(int n);
int sow(int n)
{
    SDT_PROBE(farm, sow, n);
    return SDT_PROBE_ENABLED(farm, sow);
}
""")
    main = sdt.compile(sdt.write("main.c", """
#include <sdt/runtime.h>
#include <stdio.h>
int a_sow(int), b__sow(int), sow(int);
static void hit(const struct sdt_event *event, void *data)
{
    printf("%d%s ", (int)sdt_arg(event, 0), data ? "" : sdt_arg_name(event, 0));
}
int main(void)
{
    sdt_enable("farm:sow", hit, 0);
    printf("%d\\n", a_sow(1) + b__sow(2) + sow(3));
}
"""), "-I", INCLUDE)
    plain = sdt.compile(source, "-I", INCLUDE, "-O2", *flags)
    objects = [plain]
    for prefix in ("a_", "b__"):
        objects.append(sdt.path(f"{prefix}.o"))
        sdt.command("objcopy", f"--prefix-symbols={prefix}", plain, objects[-1])
    together = sdt.path("all.o")
    sdt.command("ld", "-r", *objects, "-o", together)
    for inputs in ([sdt.process(obj) for obj in objects], [sdt.process(together)]):
        exe = sdt.link(main, *inputs)
        assert sdt.run(exe).split()[:3] == ["1n", "2n", "3n"] and sdt.run(exe)[-2] == "3"


def call_graph(sdt, path):
    """What llvm-readobj makes of .llvm.call-graph-profile: (from, to, weight)."""
    said = sdt.run("llvm-readobj", "--cg-profile", path)
    return re.findall(r"From: (\S*) .*\n\s*To: (\S*) .*\n\s*Weight: (\d+)", said)


def test_the_profile_of_calls_keeps_its_names(sdt):
    """clang -fprofile-use writes it, with relocations of the kind without addends."""
    source = sdt.write("profile.s", "\n".join(
        [f"f{i}: call __dtrace_sdt_app___p{i}\nret" for i in range(20)] +
        [f".cg_profile f{i}, f{i + 1}, {i + 100}" for i in range(19)] +
        [f".globl f{i}" for i in range(0, 20, 2)] +
        [".cg_profile f3, __dtrace_sdt_app___p3, 7"]) + "\n")
    raw = sdt.compile(source, compiler="clang")
    before, after = call_graph(sdt, raw), call_graph(sdt, sdt.process(raw))
    assert len(before) == 20 and before[-1] == ("f3", "__dtrace_sdt_app___p3", "7")
    assert after == before[:-1] + [("f3", "", "7")]


@pytest.mark.parametrize("ld", LINKERS)
def test_hand_written_sections(sdt, walk, ld):
    """.init and .fini, subsections, a section of one's own, labels without type or size."""
    raw = sdt.compile(sdt.write("odd.S", """
    .section .init,"ax",@progbits
    sub $8,%rsp
    call __dtrace_sdt_a___init
    add $8,%rsp
    .section .fini,"ax",@progbits
    sub $8,%rsp
    call __dtrace_sdt_a___fini
    add $8,%rsp
    .text 1
    .globl late
late: call __dtrace_sdt_a___late
    ret
    .text 0
    .globl early
early: call __dtrace_sdt_a___early
    call __dtrace_sdt_a___early
.Llocal: jmp __dtrace_sdt_a___early
    .section odd,"ax",@progbits
    nop
    call __dtrace_sdt_a___odd
    jmp __dtrace_sdtenabled_a___odd
    .section .note.GNU-stack,"",@progbits
"""), "-g0")
    main = sdt.compile(sdt.write("m.c", "int sdt_walk(void); void late(void), early(void);\n"
                                 "int main(void) { late(); early(); return sdt_walk(); }"))
    exe = sdt.link(main, verified(sdt, raw), walk, f"-fuse-ld={ld}", runtime=None, compiler="clang")
    assert [name for _, name in listed(sdt, exe)] == sorted(
        ["init", "fini", "late", "early", "early", "early", "odd", "odd"])
    sdt.sdtlink("verify", "-q", exe)


def test_group_signatures(sdt):
    """A local symbol, a section symbol, and a group that is no COMDAT: all keep their name."""
    raw = sdt.compile(sdt.write("groups.S", "".join(f"""
    .section .text.{name},"axG",@progbits,{signature}
    .globl {name}
{name}: call __dtrace_sdt_a___g
    jmp __dtrace_sdt_a___g
""" for name, signature in (("foo", "foosig,comdat"), ("bar", ".text.bar,comdat"),
                            ("baz", "baz")))), "-g0")

    def groups(path):
        text = sdt.command("readelf", "-gW", path).stdout
        return re.findall(r"(COMDAT )?group section \[ *\d+\] `.group' \[(.*)\]", text)
    before = groups(raw)
    assert [name for _, name in before] == ["foosig", ".text.bar", "baz"]
    assert groups(verified(sdt, raw))[:3] == before


def test_group_with_the_name_of_a_probe(sdt):
    """The symbol leaves the object: the group would have no name, and equal all others."""
    raw = sdt.compile(sdt.write(
        "g.S", '.section .text.q,"axG",@progbits,__dtrace_sdt_a___q,comdat\n'
        "call __dtrace_sdt_a___q\n"))
    message = sdt.sdtlink("-o", "out.o", raw, status=1).stderr
    assert "section group" in message and "__dtrace_sdt_a___q" in message


@pytest.mark.parametrize("name", ["__sdt_stub_a___b", "__sdt_probe_a___b",
                                  "__sdt_flagged_a___b", "__sdt_called_a___b"])
@pytest.mark.parametrize("kind", ["text", "data"])
def test_a_stub_or_record_that_somebody_defined(sdt, name, kind):
    """It would be used as our own, and the program would jump into it."""
    if "stub" not in name and kind == "data":
        body = f".data\n.globl {name}\n{name}: .quad 0"  # too small for a record
    else:
        body = f".{kind}\n.globl {name}\n{name}: .fill 64"
    raw = sdt.compile(sdt.write("stub.S", f".text\ncall __dtrace_sdt_a___b\n ret\n{body}\n"))
    message = sdt.sdtlink("-o", "out.o", raw, status=1).stderr
    assert f"{name}: this object defines a name that belongs to sdtlink" in message


@pytest.mark.parametrize("note", ["", '.section .note.GNU-stack,"",@progbits\n',
                                  '.section .note.GNU-stack,"x",@progbits\n'])
def test_whether_the_stack_is_executable_is_not_ours_to_say(sdt, note):
    """Without the note old assembler code may rely on it."""
    raw = sdt.compile(sdt.write("bare.S", ".text\n.globl f\nf: call __dtrace_sdt_a___b\n ret\n"
                                + note), "-g0")
    notes = [ElfView(path).sections_named(".note.GNU-stack") for path in (raw, sdt.process(raw))]
    assert [s.flags for s in notes[0]] == [s.flags for s in notes[1]]
    assert len(notes[1]) == (1 if note else 0)


@pytest.mark.parametrize("tool, name, source", [
    ("gfortran", "work.f90", """
subroutine work(x)
  use iso_c_binding
  integer(c_long), value :: x
  interface
    subroutine p(a) bind(c, name="__dtrace_sdt_other___p")
      use iso_c_binding
      integer(c_long), value :: a
    end subroutine
  end interface
  call p(x)
  print *, x
end subroutine
"""),
    ("gnatmake", "work.adb", """
with Interfaces.C;
procedure Work (X : Interfaces.C.long) is
   procedure P (A : Interfaces.C.long);
   pragma Import (C, P, "__dtrace_sdt_other___p");
begin
   P (X);
end Work;
"""),
])
def test_other_languages(sdt, tool, name, source):
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    sdt.write(name, source)
    sdt.command(tool, *(["-q"] if tool == "gnatmake" else ["-O2"]), "-c", name)
    obj = verified(sdt, sdt.path("work.o"))
    site, = ElfView(obj).sites()
    assert (site.name, site.kind) in (("p", "call"), ("p", "tail"))
    assert "(untyped)" in sdt.sdtlink("list", obj).stdout


@pytest.mark.parametrize("mode", ["SDT_MODE_AUTO", "SDT_MODE_TRAP"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_stack_arguments_of_a_tail_site(sdt, compiler, mode):
    """At a tail site the return address is on the stack already: arguments 6 and on lie a word
    higher than at a call. The macros make no such site; calls by hand do."""
    source = sdt.write("tail.c", """
extern void __dtrace_sdt_a___t(long, long, long, long, long, long, long, long, long);
volatile int value;
__attribute__((noinline))
void f(long a, long b, long c, long d, long e, long g, long h, long i, long j)
{
    value++;
    __dtrace_sdt_a___t(a, b, c, d, e, g, h, i, j);
}
""")
    user = sdt.write("user.c", """
#include <sdt/runtime.h>
#include <stdio.h>
void f(long, long, long, long, long, long, long, long, long);
static void handler(const struct sdt_event *event, void *data)
{
    (void)data;
    for (unsigned i = 0; i < 10; i++)
        printf("%lu ", (unsigned long)sdt_arg(event, i));
}
int main(void)
{
    if (sdt_enable_mode("a:t", handler, 0, MODE) < 0)
        return 1;
    f(10, 11, 12, 13, 14, 15, 16, 17, 18);
    return 0;
}
""")
    # The macro would have described the call; here the test does.
    sdt.command(compiler, "-O2", "-S", source, "-o", "tail.S")
    code, jumps = re.subn(r"(jmp\s+__dtrace_sdt_a___t.*)", r"\1\n.Lbehind:",
                          sdt.path("tail.S").read_text())
    assert jumps == 1
    sdt.write("tail.S", code + '\n.section .sdt_args,"e",@progbits\n.long .Lbehind - .\n'
              ".byte 1, 9" + ", 0x18" * 9 + '\n.asciz "a"\n.asciz "t"\n')
    obj = sdt.process(sdt.compile(sdt.path("tail.S"), compiler=compiler))
    site, = ElfView(obj).sites()
    assert (site.kind, site.nargs) == ("tail", 9)
    assert site.args.endswith("-8@%r9 -8@8(%rsp) -8@16(%rsp) -8@24(%rsp)")
    exe = sdt.link(obj, sdt.compile(user, f"-DMODE={mode}"))
    assert sdt.run(exe).split() == [str(n) for n in range(10, 19)] + ["0"]
