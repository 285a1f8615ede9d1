# SPDX-License-Identifier: BSD-2-Clause
"""Links with link-time optimisation through sdtlink list exactly the probes that the optimiser
leaves in the program, with every compiler, linker and kind; ltoproject.py counts the truth.
"""
import collections
import os
import shlex
import signal
import subprocess

import pytest

import patience
from conftest import PROGRAMS
from elfview import ElfView
from ltoproject import (CXX, KINDS, MAIN, SOURCE, Project, assemble, check_sites, compiled, markers,
                        names, use_linker)
from toolchain import CLANGS, NEWER, NEWER_CLANG, OLDER, OLDER_CLANG

pytestmark = pytest.mark.plain  # many links of the same few files

PLUGIN_LINKERS = ["bfd", "gold", "mold"]
CELLS = [(compiler, kind, linker)
         for compiler, kinds in KINDS.items() for kind in kinds
         for linker in PLUGIN_LINKERS + (["lld"] if compiler != "gcc" else [])]
QUICK = [("gcc", "slim", "bfd"), ("gcc", "fat", "mold"), (OLDER_CLANG, "full", "lld"),
         (NEWER_CLANG, "thin", "gold"), (NEWER_CLANG, "thin", "lld")]
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
LIBRARY_HITS = "library 6\nhidden 6\nhidden 7\n"


@cells
def test_program_with_an_archive(sdt, compiler, kind, linker):
    project = Project(sdt, compiler, *KINDS[compiler][kind])
    main, = objects = [project.object("main.c", "-DWITH_CXX")]
    objects += [project.object(name) for name in ("stack.cc", "stack_half.cc")]
    library = project.archive("libparts.a", project.object("sum.c", "-DSDT_CALL_SITES"),
                              *(project.object(name) for name in ("unused.c", "scale.c")))
    words = [use_linker(compiler, linker), *objects, library]
    exe = project.link(*words)
    count = check_sites(exe)
    kinds = {(site.name, site.kind) for site in ElfView(exe).sites() if site.kind != "enabled"}
    assert {kind for name, kind in kinds if name == "add"} == {"call"}
    assert {kind for name, kind in kinds if name != "add"} == {"inline"}
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
    """A use of a probe that is refused after the optimisation; the objects of it go as well."""
    project = Project(sdt, compiler, *KINDS[compiler][kind])
    bad = compiled(sdt, compiler, *project.flags, name="bad.c", text="""
void __dtrace_sdt_a___b(void);
int main(void) { __dtrace_sdt_a___b(); __asm__ volatile("call __dtrace_sdt_a___b+8"); return 0; }
""")
    result = project.link(use_linker(compiler, linker), bad, status=1)
    assert "this is not a plain call" in result.stderr and "(in main)" in result.stderr
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
    project = Project(sdt, OLDER_CLANG, "-flto=thin")
    objects = [project.object(name) for name in ("main.c", "scale.c", "sum.c")]
    cache = sdt.path("cache")
    cache.mkdir()
    option = "--thinlto-cache-dir=" if linker == "lld" else "-plugin-opt=cache-dir="
    contents = []
    for _ in range(2):
        exe = project.link(use_linker(OLDER_CLANG, linker), *objects, f"-Wl,{option}{cache}")
        check_sites(exe)
        assert sdt.run(exe) == HITS + "end 45\ntotal 45\n"
        contents.append({path.name: path.read_bytes() for path in cache.glob("llvmcache-*")})
    assert contents[0] == contents[1] and not [data for data in contents[0].values()
                                               if b"sdt_sites" in data]


def test_newer_bitcode_fails_with_the_linkers_words(sdt):
    project = Project(sdt, NEWER_CLANG, "-flto")
    objects = [project.object(name) for name in ("main.c", "scale.c", "sum.c")]
    result = project.link(f"-fuse-ld=lld-{OLDER}", *objects, status=1)
    assert f"LLVM{NEWER}" in result.stderr and f"Reader: 'LLVM {OLDER}" in result.stderr


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
    stub = assemble(sdt, "".join(f".globl {symbol}\n{symbol}: ret\n" for symbol in (
        "__dtrace_sdtasm_run_sdtlink___web___main", "__dtrace_sdtmark")))
    sdt.command(CXX[compiler], "-O2", *project.flags, *words, stub, "-o", "plain")
    said = sdt.run(sdt.path("plain"))
    assert sdt.run(exe) == said
    assert said == "constructed\n" or linker == "mold"


ORDERS = ["group lazy main", "lazy main group", "main lazy group"]


@pytest.mark.parametrize("kind", KINDS[OLDER_CLANG])
@pytest.mark.parametrize("order", ORDERS)
def test_lld_whole_archive_and_wrap(sdt, kind, order):
    """Options that take hold of bitcode: all members, --wrap, --start-lib."""
    flags = KINDS[OLDER_CLANG][kind]
    project = Project(sdt, OLDER_CLANG, *flags)
    wrapper = compiled(sdt, OLDER_CLANG, *flags, name="wrapper.c", text="""
int __real_scale(int x);
int __wrap_scale(int x) { return __real_scale(x) + 1000; }
""")
    library = project.archive("libparts.a", *(project.object(name)
                              for name in ("sum.c", "unused.c", "scale.c")))
    group = ["-Wl,--whole-archive", library, "-Wl,--no-whole-archive"]
    lazy = ["-Wl,--start-lib", wrapper, "-Wl,--end-lib"]
    parts = {"group": group, "lazy": lazy, "main": [project.object("main.c")]}
    words = [word for part in order.split() for word in parts[part]]
    words += [use_linker(OLDER_CLANG, "lld"), "-Wl,--wrap=scale"]
    exe = project.link(*words)
    assert check_sites(exe) == collections.Counter(names(markers(project.plain_link(*words))))
    assert sdt.run(exe) == "unused member linked\n" + HITS + "end 3045\ntotal 3045\n"


def test_lld_object_that_nobody_asks_for_stays_where_it_is_lazy(sdt):
    """The native objects must not become lazy because bitcode in front of them was."""
    project = Project(sdt, OLDER_CLANG, "-flto")
    lazy = compiled(sdt, OLDER_CLANG, "-flto", name="lazy.c", text="""
#include <sdt/probe.h>
int lazy(int x) { SDT_PROBE(web, lazy, x); return x; }
""")
    main = compiled(sdt, OLDER_CLANG, "-flto", name="main.c", text="""
#include <sdt/probe.h>
#include <stdio.h>
int lazy(int x);
__attribute__((constructor)) static void say(void) { SDT_PROBE(web, say); puts("constructed"); }
__attribute__((noinline)) int main(int argc, char **argv) { return lazy(argc - 1); }
""")
    exe = project.link(use_linker(OLDER_CLANG, "lld"), "-Wl,--start-lib", lazy, "-Wl,--end-lib",
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
    project = Project(sdt, OLDER_CLANG, "-flto")
    objects = [project.object(name) for name in ("main.c", "scale.c", "sum.c")]
    exe = project.link(use_linker(OLDER_CLANG, "lld"), *objects,
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
    project = Project(sdt, OLDER_CLANG, "-flto")
    objects = [project.object("main.c"), project.object("scale.c"),
               project.object("sum.c", "--target=x86_64-unknown-linux-gnu")]
    command = [OLDER_CLANG, "-flto", use_linker(OLDER_CLANG, "lld"), *objects, "-o", "program"]
    result = project.launch(*command)
    warning, = [line for line in result.stderr.splitlines() if "warning: " in line]
    assert "different target triples" in warning
    assert warning in sdt.command(*command, status=None).stderr


@pytest.mark.parametrize("compiler,linker", [
    ("gcc", "bfd"), ("gcc", "gold"), ("gcc", "mold"), (OLDER_CLANG, "bfd"), (OLDER_CLANG, "lld")])
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
               sdt.compile(PROGRAMS / "lto_sum.c", "-flto", compiler=OLDER_CLANG)]
    plugin = sdt.command(f"llvm-config-{OLDER}", "--libdir").stdout.strip() + "/LLVMgold.so"
    exe = project.link("-fuse-ld=bfd", *objects, f"-Wl,-plugin,{plugin}")
    check_sites(exe)
    assert sdt.run(exe) == HITS + "end 45\ntotal 45\n"


VERSIONED = """#include <sdt/probe.h>
__asm__(".symver old_twice,twice@V1");
__asm__(".symver new_twice,twice@@V2");
int old_twice(int x) { SDT_PROBE(web, old, x); return 2 * x; }
int new_twice(int x) { SDT_PROBE(web, new, x); return x + x; }
int helper(int x) { return x; }
"""


@pytest.mark.parametrize("compiler,kind", [(compiler, kind) for compiler in CLANGS
                                           for kind in KINDS[compiler]])
def test_lld_versions_of_symbols(sdt, compiler, kind):
    """A version script, and .symver in bitcode: the exported symbols are those of a plain link."""
    project = Project(sdt, compiler, *KINDS[compiler][kind])
    obj = compiled(sdt, compiler, *project.flags, "-fPIC", text=VERSIONED, name="versioned.c")
    sdt.write("versions", "V1 { global: twice; local: *; };\nV2 { global: twice; } V1;\n")
    words = ["-shared", use_linker(compiler, "lld"), obj, "-Wl,--version-script=versions"]
    library = project.link(*words, name="libversioned.so")
    symbols = [f"__dtrace_sdt{kind}_run_sdtlink___web___{name}"
               for kind in ("", "asm") for name in ("old", "new")]
    stubs = assemble(sdt, "".join(f".globl {symbol}\n.hidden {symbol}\n{symbol}: ret\n"
                                  for symbol in symbols))
    sdt.command(CXX[compiler], *project.flags, *words, stubs, "-o", "libplain.so")
    exported = [{line.split()[-1] for line in sdt.command(
        "nm", "-D", "--defined-only", "--with-symbol-versions", path).stdout.splitlines()}
        for path in (library, "libplain.so")]
    assert exported[0] == exported[1] and {"twice@V1", "twice@@V2"} <= exported[0]
    assert sorted(site.title for site in ElfView(library).sites()) == ["web:new", "web:old"]


@pytest.mark.parametrize("linker", ["bfd", "lld"])
def test_interrupt_while_code_is_made(sdt, linker):
    """By the compiler, after the linker's plugin, or by lld: Ctrl-C ends it, nothing stays."""
    tmp = sdt.path("tmp")
    tmp.mkdir()
    (sdt.dir / "bin").mkdir()
    compiler, name = ("gcc", "lto-wrapper") if linker == "bfd" else (OLDER_CLANG, "ld.lld")
    script = sdt.write(f"bin/{name}", f"#!/bin/sh\necho > {sdt.dir}/started\nexec sleep infinity\n")
    script.chmod(0o755)
    compiled(sdt, compiler, "-flto", text=SOURCE + MAIN.replace("int twice(int);", ""))
    command = ([sdt.tool, "gcc", "-flto", f"-B{sdt.dir}/bin"] if linker == "bfd"
               else [sdt.tool, "--ld", script]) + ["twice.o", "-o", "program"]
    with subprocess.Popen([str(word) for word in command], cwd=sdt.dir, start_new_session=True,
                          env={**os.environ, "TMPDIR": str(tmp)}, stderr=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) \
            as process:
        patience.until(sdt.path("started").exists, process)
        assert any(path.name.startswith("sdtlink.") for path in tmp.iterdir())
        os.killpg(process.pid, signal.SIGINT)
        patience.wait(process)  # until the last of them has closed its standard error
    assert process.returncode != 0
    assert not [path.name for path in tmp.iterdir() if path.name.startswith("sdtlink.")]
