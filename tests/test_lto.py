# SPDX-License-Identifier: BSD-2-Clause
"""Link-time optimisation: what is recognised, refused and removed, and that links through sdtlink
list exactly the probes that the optimiser leaves in the program.

The truth is counted without us: a marker, bytes that no compiler writes, stands beside each probe
in the source and goes where the optimiser takes the probe (see lto_program.h).
"""
import re
import shlex
import subprocess

import collections
import re
import shlex
import subprocess

import pytest

from conftest import PROGRAMS, ROOT, TOOL_BUILD
from elfview import ElfView

SOURCE = """#include <sdt/probe.h>
int twice(int x) { SDT_PROBE(web, twice, x); return 2 * x; }
"""
CLANGS = ["clang-14", "clang-16"]
NATIVE = {  # the commands that our messages advise
    "gcc": ["gcc", "-flto", "-O2", "-r", "-nostdlib", "-flinker-output=nolto-rel"],
    "clang-14": ["ld.lld-14", "-r"],
    "clang-16": ["ld.lld-16", "-r"],
}


def compiled(sdt, compiler, *flags, text=SOURCE, name="twice.c"):
    return sdt.compile(sdt.write(name, text), *flags, compiler=compiler)


def refused(sdt, path, *words):
    """The message; the directory must be as it was."""
    before = sorted(sdt.dir.iterdir())
    message = sdt.sdtlink("-o", sdt.path("refused.o"), path, status=1).stderr
    assert sorted(sdt.dir.iterdir()) == before
    for word in (str(path), *words):
        assert word in message
    return message


# ---- objects without machine code ----

@pytest.mark.parametrize("flag", ["-flto", "-flto=thin"])
@pytest.mark.parametrize("compiler", CLANGS)
def test_bitcode_is_refused_with_a_command_that_works(sdt, compiler, flag):
    path = compiled(sdt, compiler, flag)
    message = refused(sdt, path, "LLVM bitcode", f"ld.lld -r -o native.o {path}", "sdtlink clang")
    assert "-fno-lto" in message
    sdt.command(*NATIVE[compiler], "-o", "native.o", path)
    assert len(ElfView(sdt.process(sdt.path("native.o"))).sites()) == 1


def wrapped(sdt, path):
    """Bitcode with the wrapper of Apple's tools: magic, version, offset, size, CPU type."""
    bitcode = path.read_bytes()
    header = b"".join(n.to_bytes(4, "little") for n in (0x0B17C0DE, 0, 20, len(bitcode), 0x1000007))
    result = sdt.path("wrapped.o")
    result.write_bytes(header + bitcode)
    return result


@pytest.mark.parametrize("compiler", CLANGS)
def test_wrapped_bitcode(sdt, compiler):
    path = wrapped(sdt, compiled(sdt, compiler, "-flto"))
    refused(sdt, path, "LLVM bitcode", "ld.lld -r")
    sdt.command(*NATIVE[compiler], "-o", "native.o", path)
    assert len(ElfView(sdt.process(sdt.path("native.o"))).sites()) == 1


def test_gcc_slim_is_refused_with_a_command_that_works(sdt):
    path = compiled(sdt, "gcc", "-flto")
    refused(sdt, path, "GIMPLE", "-fno-lto", "sdtlink gcc",
            f"{' '.join(NATIVE['gcc'])} -o native.o {path}")
    sdt.command(*NATIVE["gcc"], "-o", "native.o", path)
    assert len(ElfView(sdt.process(sdt.path("native.o"))).sites()) == 1


def test_gcc_partial_link_without_nolto_rel_is_still_slim(sdt):
    path = compiled(sdt, "gcc", "-flto")
    sdt.command("gcc", "-flto", "-O2", "-r", "-nostdlib", path, "-o", "joined.o")
    refused(sdt, sdt.path("joined.o"), "GIMPLE", "-flinker-output=nolto-rel")


def test_slim_and_native_joined(sdt):
    """ld -r keeps both as they are: the machine code is not all there is."""
    slim = compiled(sdt, "gcc", "-flto")
    native = compiled(sdt, "gcc", text="int other(void) { return 1; }\n", name="other.c")
    sdt.command("ld", "-r", slim, native, "-o", "joined.o")
    refused(sdt, sdt.path("joined.o"), "GIMPLE")


def test_slim_object_of_old_gcc(sdt):
    """Before gcc 10 only the symbol __gnu_lto_slim told."""
    source = sdt.write("old.s", '.section .gnu.lto_.decls.1,"e",@progbits\n.byte 1\n.text\n'
                                " call __dtrace_sdt_a___b\n.comm __gnu_lto_slim,1,1\n")
    refused(sdt, sdt.compile(source, compiler="gcc"), "GIMPLE")


# ---- objects with both ----

def fat(sdt, *flags, text=SOURCE, name="twice.c"):
    return compiled(sdt, "gcc", "-flto", "-ffat-lto-objects", *flags, text=text, name=name)


MAIN = "int twice(int); int main(void) { return twice(21) != 42; }\n"


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("flags", [[], ["-g3"], ["-ffunction-sections", "-fPIC"]], ids=str)
def test_fat_object_loses_its_intermediate_code(sdt, linker, flags):
    """Else gcc, which always links with its plugin, would make the machine code anew."""
    original = fat(sdt, *flags)
    obj = sdt.process(original)
    sdt.sdtlink("verify", "--against", original, obj)
    assert not [section.name for section in ElfView(obj).sections if "lto" in section.name]
    main = compiled(sdt, "gcc", "-flto", text=MAIN, name="main.c") if linker != "lld" else \
        compiled(sdt, "gcc", text=MAIN, name="main.c")
    exe = sdt.link(main, obj, f"-fuse-ld={linker}", "-flto")
    assert [site.title for site in ElfView(exe).sites()] == ["web:twice"]
    sdt.run(exe)
    sdt.sdtlink("verify", exe)


@pytest.mark.parametrize("linker", ["ld.bfd", "ld.gold", "ld.lld", "ld.lld-16"])
def test_fat_object_after_another_partial_link(sdt, linker):
    sdt.command(linker, "-r", sdt.process(fat(sdt)), "-o", "joined.o")
    exe = sdt.link("joined.o", compiled(sdt, "gcc", text=MAIN, name="main.c"), "-flto")
    assert [site.title for site in ElfView(exe).sites()] == ["web:twice"]
    sdt.run(exe)


def test_fat_object_after_objcopy_and_strip(sdt):
    obj = sdt.process(fat(sdt, "-g"))
    for command in (["objcopy", obj, "copy.o"], ["llvm-objcopy", obj, "copy.o"],
                    ["strip", "-g", "-o", "copy.o", obj],
                    ["llvm-strip", "-g", "-o", "copy.o", obj]):
        sdt.command(*command)
        assert len(ElfView(sdt.path("copy.o")).sites()) == 1


def test_removal_is_said(sdt):
    path = fat(sdt)
    said = sdt.sdtlink("-o", "out.o", path).stdout
    assert f"{path}: its intermediate code is left out" in said
    assert sdt.sdtlink("-q", "-o", "out.o", path).stdout == ""


def test_fat_object_whose_debug_information_needs_the_other_half(sdt):
    """So does gcc's partial link with -flinker-output=rel, its default for fat objects."""
    sdt.command("gcc", "-flto", "-ffat-lto-objects", "-O2", "-r", "-nostdlib", fat(sdt, "-g"), "-o",
                "joined.o")
    refused(sdt, sdt.path("joined.o"), ".debug_info+0x", "intermediate code", "nolto-rel")


def assemble(sdt, text):
    return sdt.compile(sdt.write("asm.s", text), compiler="gcc")


CALL = ".text\n.globl f\nf: call __dtrace_sdt_a___b\n ret\n"


def test_text_that_needs_the_other_half(sdt):
    obj = assemble(sdt, CALL + '.section .gnu.lto_x,"e",@progbits\n.globl inside\ninside: .byte 1\n'
                               '.section .rodata,"a"\n .quad inside\n')
    refused(sdt, obj, ".rodata+0x0", "inside", "intermediate code")


def test_llvm_fat_object(sdt):
    """clang 17 and later write it; here the section alone."""
    obj = assemble(sdt, CALL + '.section .llvm.lto,"e",@progbits\n.ascii "BC\\xc0\\xde"\n')
    view = ElfView(sdt.process(obj))
    assert len(view.sites()) == 1 and not view.sections_named(".llvm.lto")


def test_no_companion_for_a_fat_object(sdt):
    message = sdt.sdtlink("--companion", "-o", "c.o", fat(sdt), status=1).stderr
    assert "fat LTO" in message and "-fno-lto" in message and not sdt.path("c.o").exists()


@pytest.mark.parametrize("compiler", CLANGS)
def test_embedded_bitcode_is_machine_code(sdt, compiler):
    """-fembed-bitcode: no linker compiles section .llvmbc."""
    obj = sdt.process(compiled(sdt, compiler, "-fembed-bitcode"))
    exe = sdt.link(obj, compiled(sdt, "gcc", text=MAIN, name="main.c"))
    assert [site.title for site in ElfView(exe).sites()] == ["web:twice"]
    sdt.run(exe)


# ---- the plugin ----

def test_the_numbers_of_the_plugin_interface(sdt):
    """shim.c writes down what it needs of <plugin-api.h> instead of including it."""
    shim = (ROOT / "sdtlink" / "plugin" / "shim.c").read_text()
    numbers = dict(re.findall(r"\b((?:STATUS|LEVEL|TAG)_[A-Z_]+) = (\d+)", shim))
    assert len(numbers) == 7
    official = {"STATUS": "LDPS", "LEVEL": "LDPL", "TAG": "LDPT"}
    checks = "".join(f"_Static_assert({official[kind]}_{rest} == {number}, \"{kind}_{rest}\");\n"
                     for (kind, _, rest), number in
                     ((name.partition("_"), number) for name, number in numbers.items()))
    text = f"""#include <stdint.h>
#include <stddef.h>
#include <plugin-api.h>
{checks}
_Static_assert(sizeof(struct ld_plugin_tv) == 16 && offsetof(struct ld_plugin_tv, tv_u) == 8, "");
"""
    compiled(sdt, "gcc", text=text, name="numbers.c")


def test_the_plugin_alone_says_who_starts_it(sdt):
    obj = compiled(sdt, "gcc", text=MAIN, name="main.c")
    shim = TOOL_BUILD / "sdtlink" / "sdtlink-lto.so"
    for linker in ("ld.bfd", "ld.gold"):
        result = sdt.command(linker, "-plugin", shim, "-r", obj, status=None)
        assert result.returncode != 0 and "started by sdtlink only" in result.stderr


# ---- links through sdtlink ----

# compiler → kind → flags
KINDS = {
    "gcc": {"slim": ["-flto"], "fat": ["-flto", "-ffat-lto-objects"]},
    "clang-14": {"full": ["-flto"], "thin": ["-flto=thin"]},
    "clang-16": {"full": ["-flto"], "thin": ["-flto=thin"]},
}
CXX = {"gcc": "g++", "clang-14": "clang++-14", "clang-16": "clang++-16"}
AR = {"gcc": "gcc-ar", "clang-14": "llvm-ar-14", "clang-16": "llvm-ar-16"}
PLUGIN_LINKERS = ["bfd", "gold", "mold"]
CELLS = [(compiler, kind, linker)
         for compiler, kinds in KINDS.items() for kind in kinds
         for linker in PLUGIN_LINKERS + (["lld"] if compiler != "gcc" else [])]
QUICK = [("gcc", "slim", "bfd"), ("gcc", "fat", "mold"), ("clang-14", "full", "lld"),
         ("clang-16", "thin", "gold"), ("clang-16", "thin", "lld")]
cells = pytest.mark.parametrize("compiler,kind,linker", CELLS)
# The other cells of what depends on one of the three only.
most_cells_slow = pytest.mark.parametrize("compiler,kind,linker", [
    cell if cell in QUICK else pytest.param(*cell, marks=pytest.mark.slow) for cell in CELLS])

# What lto_main.c prints when started without arguments.
HITS = """start 1 70000000000
scale 2
scale 3
add 0 1
add 1 2
add 2 3
add 3 4
scale 10
"""
CXX_HITS = """push 4 5
push 8 5
push 4 2
destroyed 1
push 8 2
destroyed 2
destroyed 1
"""
PROBES = {1: "never", 2: "start", 3: "end", 4: "after", 5: "scale", 6: "add", 7: "unused",
          8: "destroyed", 9: "push", 10: "hidden", 11: "library"}
LIBRARY_HITS = "library 6\nhidden 6\nhidden 7\n"


def use_linker(compiler, linker):
    """lld as the compiler's own version: another may not read its bitcode."""
    return f"-fuse-ld={linker}" + (compiler.removeprefix("clang") if linker == "lld" else "")


class Project:
    """The program of tests/programs/lto_*, compiled by one compiler."""

    def __init__(self, sdt, compiler, *flags):
        self.sdt, self.compiler, self.flags = sdt, compiler, flags
        self.tmp = sdt.path("tmp")
        self.tmp.mkdir()

    def object(self, name, *flags):
        source = PROGRAMS / f"lto_{name}"
        return self.sdt.compile(source, *self.flags, *flags, name=source.stem + ".o",
                                compiler=CXX[self.compiler] if source.suffix == ".cc"
                                else self.compiler)

    def archive(self, name, *objects):
        self.sdt.command(AR[self.compiler], "rcs", name, *objects)
        return self.sdt.path(name)

    def link(self, *words, name="program", status=0):
        """Through sdtlink; it must leave no temporary file, whatever happens."""
        result = self.launch(CXX[self.compiler], "-O2", *self.flags, *words, "-o", name,
                             status=status)
        return result if status else self.sdt.path(name)

    def launch(self, *command, status=0, env=None):
        """The runtime beside a sanitized tool would be sanitized, too."""
        result = self.sdt.sdtlink(
            f"--runtime-directory={self.sdt.static_runtime.parent}", *command, status=status,
            env={"TMPDIR": str(self.tmp), **(env or {})})
        assert not list(self.tmp.iterdir()), result.stderr
        return result

    def plain_link(self, *words):
        """The same link without us: functions take the place of the probes."""
        text = "".join(f".globl __dtrace_sdt_lto___{name}\n.hidden __dtrace_sdt_lto___{name}\n"
                       f"__dtrace_sdt_lto___{name}: ret\n" for name in PROBES.values())
        stubs = assemble(self.sdt, text + '.section .note.GNU-stack,"",@progbits\n')
        self.sdt.command(CXX[self.compiler], "-O2", *self.flags, *words, stubs,
                         self.sdt.static_runtime, "-pthread", "-o", "plain")
        return self.sdt.path("plain")


def markers(exe):
    """(address, probe) of each marker in the text, in order."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", exe], check=True, text=True,
                             capture_output=True).stdout
    found = re.findall(r"^ *([0-9a-f]+):\s+nopl +0x5e1c7a([0-9a-f]{2})\(%rax,%rax", listing, re.M)
    return [(int(address, 16), PROBES[int(number, 16)]) for address, number in found]


def names(sites_or_markers):
    return [item[1] if isinstance(item, tuple) else item.name for item in sites_or_markers]


def check_sites(exe):
    """Exactly one site in front of each marker, and nothing else in the list."""
    sites, marked = ElfView(exe).sites(), markers(exe)
    assert names(sites) == names(marked)
    for site, (address, _) in zip(sites, marked):
        assert 0 < address - site.pc < 32, (site, hex(address))
    return collections.Counter(names(sites))


@cells
def test_program_with_an_archive(sdt, compiler, kind, linker):
    project = Project(sdt, compiler, *KINDS[compiler][kind])
    main, = objects = [project.object("main.c", "-DWITH_CXX")]
    objects += [project.object(name) for name in ("stack.cc", "stack_half.cc")]
    library = project.archive("libparts.a", *(project.object(name)
                              for name in ("sum.c", "unused.c", "scale.c")))
    words = [use_linker(compiler, linker), *objects, library]
    exe = project.link(*words)
    count = check_sites(exe)
    assert count["start"] == count["end"] == 1 and not count["unused"]
    assert count == collections.Counter(names(markers(project.plain_link(*words))))
    assert sdt.run(exe) == HITS + CXX_HITS + "end 57\ntotal 57\n"
    sdt.sdtlink("verify", exe)
    assert main.exists()


@most_cells_slow
def test_shared_library_and_its_program(sdt, compiler, kind, linker):
    project = Project(sdt, compiler, *KINDS[compiler][kind], "-fPIC", "-ffunction-sections")
    use = use_linker(compiler, linker)
    library = project.link(use, "-shared", project.object("library.c"), name="libpart.so")
    assert set(check_sites(library)) == {"library", "hidden"}
    objects = [project.object("main.c", "-DWITH_LIBRARY"), project.object("scale.c"),
               project.object("sum.c")]
    exe = project.link(use, "-Wl,--gc-sections", *objects, library,
                       f"-Wl,-rpath,{sdt.dir}:{sdt.shared_runtime.parent}")
    check_sites(exe)
    assert sdt.run(exe) == HITS + LIBRARY_HITS + "end 60\ntotal 60\n"


@most_cells_slow
def test_static_program(sdt, compiler, kind, linker):
    project = Project(sdt, compiler, *KINDS[compiler][kind])
    exe = project.link(use_linker(compiler, linker), "-static", *(project.object(name) for name in
                       ("main.c", "scale.c", "sum.c")))
    check_sites(exe)
    assert sdt.run(exe) == HITS + "end 45\ntotal 45\n"


@most_cells_slow
def test_ordinary_objects_in_the_same_link(sdt, compiler, kind, linker):
    project = Project(sdt, compiler)
    ordinary = [project.object(name) for name in ("scale.c", "stack_half.cc")]
    project.flags = KINDS[compiler][kind]
    exe = project.link(use_linker(compiler, linker), project.object("main.c", "-DWITH_CXX"),
                       *ordinary, project.object("sum.c"), project.object("stack.cc"))
    assert check_sites(exe)["scale"] == 1
    assert sdt.run(exe) == HITS + CXX_HITS + "end 57\ntotal 57\n"


@most_cells_slow
def test_no_probe(sdt, compiler, kind, linker):
    """Then the link is the one without us, byte for byte."""
    project = Project(sdt, compiler, *KINDS[compiler][kind])
    objects = [compiled(sdt, compiler, *project.flags, text=MAIN, name="main.c"),
               compiled(sdt, compiler, *project.flags, text="int twice(int x) { return 2 * x; }\n")]
    words = [use_linker(compiler, linker), "-Wl,--build-id=none", *objects]
    exe = project.link(*words)
    sdt.command(CXX[compiler], "-O2", *project.flags, *words, "-o", "plain")
    assert exe.read_bytes() == sdt.path("plain").read_bytes()


@most_cells_slow
def test_failing_link_leaves_nothing(sdt, compiler, kind, linker):
    """A use of a probe that is refused after the optimisation; the objects of it go, too."""
    project = Project(sdt, compiler, *KINDS[compiler][kind])
    bad = compiled(sdt, compiler, *project.flags, name="bad.c", text="""
void __dtrace_sdt_a___b(void);
int main(void) { __dtrace_sdt_a___b(); __asm__ volatile("call __dtrace_sdt_a___b+8"); return 0; }
""")
    result = project.link(use_linker(compiler, linker), bad, status=1)
    assert "this is no plain call" in result.stderr and "(in main)" in result.stderr
    assert not sdt.path("program").exists()


@most_cells_slow
def test_undefined_symbol_is_reported_as_ever(sdt, compiler, kind, linker):
    project = Project(sdt, compiler, *KINDS[compiler][kind])
    words = [use_linker(compiler, linker), project.object("main.c")]
    result = project.link(*words, status=1)
    assert "scale" in result.stderr and "sum_of" in result.stderr
    assert "__dtrace_sdt" not in result.stderr


@pytest.mark.parametrize("linker", ["lld", *PLUGIN_LINKERS])
def test_fat_objects_of_which_the_machine_code_is_linked(sdt, linker):
    """lld takes that half always, the others without the plugin."""
    project = Project(sdt, "gcc", "-flto", "-ffat-lto-objects")
    objects = [project.object(name) for name in ("main.c", "scale.c", "sum.c")]
    project.flags = [] if linker == "lld" else ["-fno-lto"]
    exe = project.link(f"-fuse-ld={linker}", *objects)
    assert check_sites(exe)["scale"] == 1
    assert sdt.run(exe) == HITS + "end 45\ntotal 45\n"


def test_slim_objects_and_lld(sdt):
    project = Project(sdt, "gcc", "-flto")
    result = project.link("-fuse-ld=lld", project.object("scale.c"), status=1)
    assert "lto_scale.o" in result.stderr and "GIMPLE" in result.stderr
    assert "-fuse-ld=" in result.stderr


@pytest.mark.parametrize("linker", ["bfd", "gold"])
def test_gcc_partial_links(sdt, linker):
    """With machine code as the result it has the sites; with intermediate code it is left alone."""
    project = Project(sdt, "gcc", "-flto")
    objects = [project.object(name) for name in ("main.c", "scale.c", "sum.c")]
    use = f"-fuse-ld={linker}"
    native = project.link(use, "-r", "-nostdlib", "-flinker-output=nolto-rel", *objects,
                          name="native.o")
    assert len(ElfView(native).sites()) == len(markers(native)) > 5
    slim = project.link(use, "-r", "-nostdlib", *objects, name="slim.o")
    for partial in (native, slim):
        exe = project.link(use, partial)
        check_sites(exe)
        assert sdt.run(exe) == HITS + "end 45\ntotal 45\n"


@pytest.mark.parametrize("compiler", CLANGS)
def test_lld_partial_link(sdt, compiler):
    project = Project(sdt, compiler, "-flto")
    objects = [project.object(name) for name in ("main.c", "scale.c", "sum.c")]
    partial = project.link(use_linker(compiler, "lld"), "-r", "-nostdlib", *objects, name="part.o")
    assert len(ElfView(partial).sites()) == len(markers(partial)) > 5
    exe = project.link(use_linker(compiler, "lld"), partial)
    check_sites(exe)
    assert sdt.run(exe) == HITS + "end 45\ntotal 45\n"


@pytest.mark.parametrize("linker", ["gold", "bfd", "lld"])
def test_thin_lto_cache_is_never_changed(sdt, linker):
    project = Project(sdt, "clang-14", "-flto=thin")
    objects = [project.object(name) for name in ("main.c", "scale.c", "sum.c")]
    cache = sdt.path("cache")
    cache.mkdir()
    option = "--thinlto-cache-dir=" if linker == "lld" else "-plugin-opt=cache-dir="
    contents = []
    for _ in range(2):
        exe = project.link(use_linker("clang-14", linker), *objects, f"-Wl,{option}{cache}")
        check_sites(exe)
        assert sdt.run(exe) == HITS + "end 45\ntotal 45\n"
        contents.append({path.name: path.read_bytes() for path in cache.glob("llvmcache-*")})
    assert contents[0] == contents[1] and not [data for data in contents[0].values()
                                               if b"sdt_sites" in data]


def test_newer_bitcode_fails_with_the_linkers_words(sdt):
    project = Project(sdt, "clang-16", "-flto")
    objects = [project.object(name) for name in ("main.c", "scale.c", "sum.c")]
    result = project.link("-fuse-ld=lld-14", *objects, status=1)
    assert "LLVM16" in result.stderr and "Reader: 'LLVM 14" in result.stderr


DEAD_REFERENCE = """#include <sdt/probe.h>
int in_member(int x);
static int helper(int x) { return in_member(x); }
int unneeded(int x) { return helper(x); }
int main(void) { SDT_PROBE(web, main, 1); return 0; }
"""
MEMBER = """#include <stdio.h>
__attribute__((constructor)) static void say(void) { puts("constructed"); }
int in_member(int x) { return x; }
"""


@most_cells_slow
def test_member_that_only_dead_code_asks_for(sdt, compiler, kind, linker):
    """If it is linked without us (not by mold), it is with us: it has a constructor."""
    project = Project(sdt, compiler, *KINDS[compiler][kind])
    member = compiled(sdt, compiler, text=MEMBER, name="member.c")
    library = project.archive("libmember.a", member)
    main = compiled(sdt, compiler, *project.flags, text=DEAD_REFERENCE, name="main.c")
    words = [use_linker(compiler, linker), main, library]
    exe = project.link(*words)
    assert [site.title for site in ElfView(exe).sites()] == ["web:main"]
    stub = assemble(sdt, ".globl __dtrace_sdt_web___main\n__dtrace_sdt_web___main: ret\n")
    sdt.command(CXX[compiler], "-O2", *project.flags, *words, stub, "-o", "plain")
    expected = "" if linker == "mold" else "constructed\n"
    assert sdt.run(exe) == sdt.run(sdt.path("plain")) == expected


ORDERS = ["group lazy main", "lazy main group", "main lazy group"]


@pytest.mark.parametrize("kind", KINDS["clang-14"])
@pytest.mark.parametrize("order", ORDERS)
def test_lld_whole_archive_and_wrap(sdt, kind, order):
    """Options that take hold of bitcode: all members, --wrap, --start-lib."""
    flags = KINDS["clang-14"][kind]
    project = Project(sdt, "clang-14", *flags)
    wrapper = compiled(sdt, "clang-14", *flags, name="wrapper.c", text="""
int __real_scale(int x);
int __wrap_scale(int x) { return __real_scale(x) + 1000; }
""")
    library = project.archive("libparts.a", *(project.object(name)
                              for name in ("sum.c", "unused.c", "scale.c")))
    group = ["-Wl,--whole-archive", library, "-Wl,--no-whole-archive"]
    lazy = ["-Wl,--start-lib", wrapper, "-Wl,--end-lib"]
    parts = {"group": group, "lazy": lazy, "main": [project.object("main.c")]}
    words = [word for part in order.split() for word in parts[part]]
    words += [use_linker("clang-14", "lld"), "-Wl,--wrap=scale"]
    exe = project.link(*words)
    assert check_sites(exe) == collections.Counter(names(markers(project.plain_link(*words))))
    assert sdt.run(exe) == "unused member linked\n" + HITS + "end 3045\ntotal 3045\n"


def test_lld_object_that_nobody_asks_for_stays_where_it_is_lazy(sdt):
    """The native objects must not become lazy because bitcode in front of them was."""
    project = Project(sdt, "clang-14", "-flto")
    lazy = compiled(sdt, "clang-14", "-flto", name="lazy.c", text="""
#include <sdt/probe.h>
int lazy(int x) { SDT_PROBE(web, lazy, x); return x; }
""")
    main = compiled(sdt, "clang-14", "-flto", name="main.c", text="""
#include <sdt/probe.h>
#include <stdio.h>
int lazy(int x);
__attribute__((constructor)) static void say(void) { SDT_PROBE(web, say); puts("constructed"); }
__attribute__((noinline)) int main(int argc, char **argv) { return lazy(argc - 1); }
""")
    exe = project.link(use_linker("clang-14", "lld"), "-Wl,--start-lib", lazy, "-Wl,--end-lib",
                       main)
    assert sorted(names(ElfView(exe).sites())) == ["lazy", "say"]
    assert sdt.run(exe) == "constructed\n"


@pytest.mark.parametrize("directory", ["libs", "./libs/", "../"])
@pytest.mark.parametrize("compiler", CLANGS)
def test_lld_members_of_found_libraries(sdt, compiler, directory):
    """A reference from a bitcode member to a native one, in libraries however they are named."""
    project = Project(sdt, compiler, "-flto")
    place = (sdt.dir / directory).resolve()
    place.mkdir(exist_ok=True)
    tag = sdt.dir.name  # ../ is shared with other tests
    middle = compiled(sdt, compiler, "-flto", name="middle.c", text="""
int in_member(int x);
static int helper(int x) { return in_member(x); }
int unneeded(int x) { return helper(x); }
int middle(int x) { return x; }
""")
    outer = project.archive(place / f"libmiddle{tag}.a", middle)
    inner = project.archive(place / f"libmember{tag}.a",
                            compiled(sdt, compiler, text=MEMBER, name="member.c"))
    main = compiled(sdt, compiler, "-flto", name="main.c", text="""
#include <sdt/probe.h>
int middle(int x);
int main(void) { SDT_PROBE(web, main, 1); return middle(0); }
""")
    exe = project.link(use_linker(compiler, "lld"), main, f"-L{directory}", f"-lmiddle{tag}",
                       f"-lmember{tag}")
    assert sdt.run(exe) == "constructed\n"
    for library in (outer, inner):
        library.unlink()


def test_lld_names_the_files_that_were_given(sdt):
    """In its map, and in the dependency file, which make believes."""
    project = Project(sdt, "clang-14", "-flto")
    objects = [project.object(name) for name in ("main.c", "scale.c", "sum.c")]
    exe = project.link(use_linker("clang-14", "lld"), *objects,
                       "-Wl,--dependency-file=depends,-Map=map")
    depends = sdt.path("depends").read_text()
    assert depends.startswith(f"{exe.name}: ")
    for obj in objects:
        assert f" {obj} " in depends
    for text in (depends, sdt.path("map").read_text()):
        assert str(project.tmp) not in text
    assert "lto.tmp:(.text" in sdt.path("map").read_text()


def test_lld_says_what_the_optimiser_warns_of(sdt):
    """And says it once: the second link does not optimise."""
    project = Project(sdt, "clang-14", "-flto")
    objects = [project.object("main.c"), project.object("scale.c"),
               project.object("sum.c", "--target=x86_64-unknown-linux-gnu")]
    command = ["clang-14", "-flto", use_linker("clang-14", "lld"), *objects, "-o", "program"]
    result = project.launch(*command)
    warning, = [line for line in result.stderr.splitlines() if "warning: " in line]
    assert "different target triples" in warning
    assert warning in sdt.command(*command, status=None).stderr


@pytest.mark.parametrize("compiler,linker", [
    ("gcc", "bfd"), ("gcc", "gold"), ("gcc", "mold"), ("clang-14", "bfd"), ("clang-14", "lld")])
def test_linker_without_a_driver(sdt, compiler, linker):
    """sdtlink --ld, with the command line that the driver would have used."""
    project = Project(sdt, compiler, "-flto")
    objects = [project.object(name) for name in ("main.c", "scale.c", "sum.c")]
    words = [CXX[compiler], "-flto", use_linker(compiler, linker), *objects, "-o", "program"]
    shown = sdt.command(*words, "-###").stderr
    line = shlex.split(next(text for text in shown.splitlines() if "-dynamic-linker" in text))
    if compiler == "gcc":  # collect2, which passes all but its own options on
        line = [f"ld.{linker}"] + [word for word in line[1:]
                                   if word != "-flto" and not word.startswith("-fuse-ld=")]
    project.launch("--ld", *line,
                   env={"COLLECT_GCC": "gcc", "COLLECT_GCC_OPTIONS": "'-O2' '-flto'"})
    check_sites(sdt.path("program"))
    assert sdt.run(sdt.path("program")) == HITS + "end 45\ntotal 45\n"


def test_two_plugins(sdt):
    """GNU ld loads both; machine code, which both have to keep what it needs for, joins the two."""
    project = Project(sdt, "gcc")
    main = project.object("main.c")
    project.flags = ["-flto"]
    objects = [main, project.object("scale.c"),
               sdt.compile(PROGRAMS / "lto_sum.c", "-flto", compiler="clang-14")]
    plugin = sdt.command("llvm-config-14", "--libdir").stdout.strip() + "/LLVMgold.so"
    exe = project.link("-fuse-ld=bfd", *objects, f"-Wl,-plugin,{plugin}")
    check_sites(exe)
    assert sdt.run(exe) == HITS + "end 45\ntotal 45\n"
