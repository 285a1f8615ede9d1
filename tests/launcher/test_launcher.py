# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink CC ARG...`: what it links is what CC would have linked, with probes that work."""
import json
import os
import re
import resource
import shutil

import pytest

from conftest import BUILD, INCLUDE, TOOL_BUILD
from stapsdt import notes
from toolchain import NEWER

LINKERS = ["bfd", "gold", "lld", "mold"]
COMPILERS = ["gcc", "clang"]

WEB = r"""
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
__attribute__((noinline)) int serve(int bytes) { SDT_PROBE(web, request, bytes); return bytes / 2; }
int main(void)
{
    serve(1);
    int id = sdt_enable("web:request", SDT_COUNT, NULL);
    serve(2);
    serve(3);
    printf("%d hits\n", (int)sdt_hits("web:request"));
    return id > 0 ? 0 : 1;
}
"""
LIBRARY = r"""
#include <sdt/probe.h>
int %(name)s(int x) { SDT_PROBE(lib, %(name)s, x); return x + 1; }
"""
# What must not be in the program unless it asks for function `unused`.
UNUSED = LIBRARY % {"name": "unused"} + r"""
#include <stdio.h>
__attribute__((constructor)) static void intruder(void) { puts("intruder"); }
"""
USER = r"""
#include <sdt/runtime.h>
#include <stdio.h>
int used(int), plain(int);
int main(void)
{
    sdt_enable("lib", SDT_COUNT, NULL);
    used(1);
    used(2);
    printf("%d %d\n", (int)sdt_hits("lib"), plain(4));
    return 0;
}
"""


class Launcher:
    """The tool in front of commands, and the files that a test leaves."""

    def __init__(self, sdt):
        self.sdt = sdt
        self.temporary = sdt.dir / "tmp"
        self.temporary.mkdir()
        self.env = {"TMPDIR": str(self.temporary)}
        if TOOL_BUILD != BUILD:
            self.env["SDTLINK_LAUNCH"] = f"--runtime-directory={BUILD / 'runtime'}"

    def __call__(self, *args, **kwargs):
        env = {**self.env, **kwargs.pop("env", {})}
        return self.sdt.sdtlink(*args, env=env, **kwargs)

    def object(self, name, text, *flags, compiler="gcc"):
        source = self.sdt.write(f"{name}.c", text)
        self.sdt.command(compiler, "-O2", "-I", INCLUDE, *flags, "-c", source, "-o", f"{name}.o")
        return f"{name}.o"

    def run(self, name, **kwargs):
        return self.sdt.run(self.sdt.dir / name, **kwargs)

    def left_behind(self):
        return sorted(p.name for p in self.temporary.iterdir())


@pytest.fixture
def launch(sdt):
    launcher = Launcher(sdt)
    yield launcher
    assert launcher.left_behind() == []


def library(launch):
    """Objects of a library of which a program uses two members out of three."""
    return [launch.object("used", LIBRARY % {"name": "used"}), launch.object("unused", UNUSED),
            launch.object("plain", "int plain(int x) { return x * 2; }")]


# ---- links ----

@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_one_word_is_enough(launch, compiler, linker):
    obj = launch.object("web", WEB, compiler=compiler)
    before = (launch.sdt.dir / obj).read_bytes()
    result = launch(compiler, f"-fuse-ld={linker}", obj, "-o", "web")
    assert launch.run("web") == "2 hits\n" and result.stderr == result.stdout == ""
    assert (launch.sdt.dir / obj).read_bytes() == before
    launch.sdt.sdtlink("verify", "web")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_compile_and_link_in_one_command(launch, compiler):
    launch.sdt.write("web.c", WEB)
    launch(compiler, "-O1", "-I", INCLUDE, "web.c", "-o", "web")
    assert launch.run("web") == "2 hits\n"


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("kind, flags", [
    ("pie", ["-fPIE", "-pie"]), ("no-pie", ["-fno-pie", "-no-pie"]),
    ("static", ["-static"]), ("static-pie", ["-fPIE", "-static-pie"])], ids=lambda v: v
    if isinstance(v, str) else "")
def test_kinds_of_executables(launch, linker, kind, flags):
    if (linker, kind) == ("gold", "static-pie"):
        pytest.skip("gold does not know the option that gcc passes for -static-pie")
    obj = launch.object("web", WEB, *[f for f in flags if f.startswith("-f")])
    launch("gcc", f"-fuse-ld={linker}", *flags, obj, "-o", "web")
    assert launch.run("web") == "2 hits\n"


@pytest.mark.parametrize("linker", LINKERS)
def test_garbage_collection_leaves_the_stack_without_code(launch, linker):
    """The objects that bound the set must say so, as all objects of a link."""
    obj = launch.object("web", WEB, "-ffunction-sections")
    assert launch("gcc", f"-fuse-ld={linker}", "-Wl,--gc-sections", obj, "-o", "web").stderr == ""
    headers = launch.sdt.command("readelf", "-lW", "web").stdout
    assert [line.split()[-2] for line in headers.splitlines() if "GNU_STACK" in line] == ["RW"]


def test_garbage_collection_without_room_for_the_bounds(launch):
    """The link ends before the linker is started."""
    obj = launch.object("web", WEB, "-ffunction-sections")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
    said = launch("gcc", "-fuse-ld=bfd", "-Wl,--gc-sections", obj, "-o", "web", status=1,
                  preexec_fn=limit).stderr
    assert "sdt_begin.o" in said and "File too large" in said
    assert said.count("error: ") == 2, said  # ours and collect2's


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("options", [[], ["--no-notes"]], ids=["notes", "--no-notes"])
def test_the_set_is_exact_under_garbage_collection(launch, linker, options):
    """gold and mold cannot drop the notes of what they drop; those are removed afterwards."""
    obj = launch.object("web", WEB + LIBRARY % {"name": "dead"}, "-ffunction-sections")
    launch(*options, "gcc", f"-fuse-ld={linker}", "-Wl,--gc-sections", obj, "-o", "web")
    assert launch.run("web") == "2 hits\n"
    symbols = launch.sdt.command("nm", "web").stdout
    assert " dead\n" not in symbols and " serve\n" in symbols
    assert "dead" not in launch.sdt.sdtlink("list", "web").stdout
    launch.sdt.sdtlink("verify", "web")
    found = notes(launch.sdt.path("web"))
    assert sorted((note.pc, note.name) for note in found) == sorted(
        (site["address"], site["name"]) for site in
        json.loads(launch.sdt.sdtlink("list", "--json", "web").stdout) if not options)


def test_users_own_linker_sets_survive_garbage_collection(launch):
    """What -z start-stop-gc would remove."""
    obj = launch.object("web", WEB.replace("int main", r"""
__attribute__((section("mine"), used)) static int entry = 42;
extern int __start_mine[], __stop_mine[];
int main""").replace("serve(1);", "printf(\"%d\\n\", __start_mine[0]);"),
                        "-ffunction-sections", "-fdata-sections")
    launch("gcc", "-fuse-ld=bfd", "-Wl,--gc-sections", obj, "-o", "web")
    assert launch.run("web") == "42\n2 hits\n"


@pytest.mark.parametrize("linker", LINKERS)
def test_shared_library(launch, linker):
    launch.object("used", LIBRARY % {"name": "used"}, "-fPIC")
    launch("gcc", f"-fuse-ld={linker}", "-shared", "used.o", "-o", "libused.so")
    dynamic = launch.sdt.command("readelf", "-d", "libused.so").stdout
    assert dynamic.count("libsdt.so.0") == 1
    user = launch.object("user", USER + LIBRARY % {"name": "own"} +
                         "int plain(int x) { return x * 2; }")
    # The library needs libsdt.so: the executable takes the same.
    launch("gcc", f"-fuse-ld={linker}", user, "-L.", "-lused", "-Wl,-rpath,.", "-o", "user")
    assert launch.run("user") == "2 8\n"


def test_dlopen(launch):
    launch.object("used", LIBRARY % {"name": "used"}, "-fPIC")
    launch("gcc", "-shared", "used.o", "-o", "plugin.so")
    launch.object("host", WEB.replace("int main(void)\n{", """#include <dlfcn.h>
int main(void)
{
    int (*used)(int) = (int (*)(int))dlsym(dlopen("./plugin.so", RTLD_NOW), "used");
    sdt_enable("lib:used", SDT_COUNT, NULL);
    used(1);
    printf("%d in the plugin\\n", (int)sdt_hits("lib:used"));"""))
    launch("gcc", "host.o", "-o", "host")
    assert launch.run("host") == "1 in the plugin\n2 hits\n"


@pytest.mark.parametrize("linker", ["bfd", "lld"])
def test_partial_link(launch, linker):
    web = launch.object("web", WEB)
    launch("gcc", f"-fuse-ld={linker}", "-r", "-nostdlib", web, "-o", "all.o")
    assert "__dtrace_sdt" not in launch.sdt.command("nm", "all.o").stdout
    launch("gcc", "all.o", "-o", "web")
    assert launch.run("web") == "2 hits\n"


def test_processed_objects_get_the_runtime(launch):
    launch.object("web", WEB)
    launch.sdt.sdtlink("-q", "-o", "web.o", "web.o")
    launch("gcc", "web.o", "-o", "web")
    assert launch.run("web") == "2 hits\n"


# ---- archives ----

def make_archive(launch, kind):
    members = library(launch)
    (launch.sdt.dir / "lib").mkdir()
    if kind == "thin":
        launch.sdt.command("ar", "rcsT", "lib/libx.a", *members)
    elif kind == "llvm":
        launch.sdt.command("llvm-ar", "rcs", "lib/libx.a", *members)
    elif kind == "long names":
        (launch.sdt.dir / "objects").mkdir()
        for name in members:
            shutil.copy(launch.sdt.dir / name, launch.sdt.dir / f"objects/{'long' * 20}_{name}")
        launch.sdt.command("ar", "rcs", "lib/libx.a",
                           *sorted((launch.sdt.dir / "objects").iterdir()))
    else:
        launch.sdt.command("ar", "rcs", "lib/libx.a", *members)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("kind", ["fat", "thin", "llvm", "long names"])
def test_archive(launch, linker, kind):
    make_archive(launch, kind)
    before = (launch.sdt.dir / "lib/libx.a").read_bytes()
    launch.object("user", USER)
    for name, how in [("a", ["-Llib", "-lx"]), ("b", ["lib/libx.a"]), ("c", ["-Llib", "-l:libx.a"]),
                      ("d", ["-Wl,--start-group", "lib/libx.a", "lib/libx.a", "-Wl,--end-group"])]:
        launch("gcc", f"-fuse-ld={linker}", "user.o", *how, "-o", name)
        assert launch.run(name) == "2 8\n"
    launch("gcc", f"-fuse-ld={linker}", "user.o", "-Wl,--whole-archive", "lib/libx.a",
           "-Wl,--no-whole-archive", "-o", "whole")
    assert launch.run("whole") == "intruder\n2 8\n"
    assert (launch.sdt.dir / "lib/libx.a").read_bytes() == before


@pytest.mark.parametrize("kind", ["fat", "thin"])
def test_new_archive_has_the_same_members_and_symbols(launch, kind):
    """The archive that the linker is given, as ar and nm read it."""
    make_archive(launch, kind)
    launch.object("user", USER)
    linker = launch.sdt.write("keep", f"""#!/bin/sh
for word; do case $word in */libx.a) ar t "$word" | sed 's,.*/,,'; nm -s "$word" |
    sed -n '/^Archive index/,/^$/p' | sed 's, in .*/, in ,';; esac; done
exec {shutil.which('ld')} "$@"
""")
    linker.chmod(0o755)
    shown = launch("--ld", linker, "-r", "user.o", "lib/libx.a", "-o", "x.o").stdout
    real = launch("--ld", linker, "-o", "x", "-e", "main", "user.o", "lib/libx.a",
                  status=None).stdout
    assert "used in used.o" in shown and shown == real


BIG = {  # what makes an object big, and where its tables are
    "nothing": "",
    "data": "char DATA[50000] = {1};",
    "symbols": "\n".join(f"void FUNCTION_with_a_long_name_{i}(void) {{}}" for i in range(500)),
}


@pytest.mark.plain
@pytest.mark.parametrize("form", ["gnu", "bsd"])
@pytest.mark.parametrize("big", BIG)
def test_probe_anywhere_in_a_big_archive(launch, big, form):
    """Of a big archive only pieces are read."""
    others = [launch.object(f"other{i}", text.replace("DATA", f"d{i}").replace("FUNCTION", f"f{i}"),
                            "-ffunction-sections") for i, text in enumerate(BIG.values())]
    probed = launch.object("used", BIG[big] + LIBRARY % {"name": "used"}, "-ffunction-sections")
    user = launch.object("user", USER.replace("int used(int), plain(int);", """
int used(int);
static int plain(int x) { return x * 2; }
"""))
    for place in range(len(others) + 1):
        members = [*others[:place], probed, *others[place:]]
        (launch.sdt.dir / "libx.a").unlink(missing_ok=True)
        launch.sdt.command("llvm-ar", f"--format={form}", "rcs", "libx.a", *members)
        launch("gcc", "-fuse-ld=lld", user, "libx.a", "-o", "user")
        assert launch.run("user") == "2 8\n"


def test_members_of_one_name(launch):
    for name in ("one", "two"):
        (launch.sdt.dir / name).mkdir()
        launch.object(f"{name}/same", LIBRARY % {"name": name})
    launch.sdt.command("ar", "rcs", "libx.a", "one/same.o", "two/same.o")
    launch.object("user", USER.replace("plain(4)", "two(4)").replace("used", "one")
                  .replace("plain", "two"))
    launch("gcc", "user.o", "libx.a", "-o", "user")
    assert launch.run("user") == "3 5\n" or launch.run("user") == "2 5\n"
    assert launch.sdt.sdtlink("list", "user").stdout.count("inline") == 2


@pytest.mark.parametrize("linker", ["gold", "lld", "mold"])
def test_start_lib(launch, linker):
    library(launch)
    launch.object("user", USER)
    launch("gcc", f"-fuse-ld={linker}", "user.o", "-Wl,--start-lib", "unused.o", "used.o",
           "plain.o", "-Wl,--end-lib", "-o", "user")
    assert launch.run("user") == "2 8\n"


def test_archive_without_symbol_table_stays_without(launch):
    library(launch)
    launch.sdt.command("ar", "rcS", "libx.a", "used.o", "unused.o", "plain.o")
    launch.object("user", USER)
    result = launch("gcc", "-fuse-ld=bfd", "user.o", "libx.a", "-o", "user", status=1)
    assert "libx.a: error adding symbols: archive has no index" in result.stderr
    launch("gcc", "-fuse-ld=lld", "user.o", "libx.a", "-o", "user")
    assert launch.run("user") == "2 8\n"


def test_shared_library_comes_first_unless_static(launch):
    library(launch)
    launch.sdt.command("ar", "rcs", "libx.a", "used.o", "plain.o")
    launch.object("other", "int used(int x) { return x; } int plain(int x) { return 100; }",
                  "-fPIC")
    launch.sdt.command("gcc", "-shared", "other.o", "-o", "libx.so")
    launch.object("user", USER + LIBRARY % {"name": "own"})
    launch("gcc", "user.o", "-L.", "-lx", "-Wl,-rpath,.", "-o", "a")
    launch("gcc", "user.o", "-L.", "-Wl,-Bstatic", "-lx", "-Wl,-Bdynamic", "-o", "b")
    launch("gcc", "user.o", "-L.", "-Wl,--push-state,-Bstatic", "-lx", "-Wl,--pop-state", "-o", "c")
    assert [launch.run(name) for name in "abc"] == ["0 100\n", "2 8\n", "2 8\n"]


# ---- the line ----

def test_response_files(launch):
    name = "we b's \"x\"\\.o"
    os.rename(launch.sdt.dir / launch.object("web", WEB), launch.sdt.dir / name)
    quoted = name.replace("\\", "\\\\").replace(" ", "\\ ").replace("'", "\\'").replace('"', '\\"')
    launch.sdt.write("inner", f"{quoted}\n")
    launch.sdt.write("outer", "@inner -o 'out put'\n")
    for linker in LINKERS:
        launch("gcc", f"-fuse-ld={linker}", "@outer")
        assert launch.run("out put") == "2 hits\n"
    launch.sdt.write("compile", "-c web.c -o c.o\n")
    launch("gcc", "-I", INCLUDE, "@compile")
    assert "__dtrace_sdt" in launch.sdt.command("nm", "c.o").stdout


def write_many_words(launch, last):
    """The file `line`: more objects than one command can hold, and LAST."""
    launch.object("nothing", "")
    directory = launch.sdt.dir / ("d" * 200)
    directory.mkdir()
    names = [f"{directory.name}/n{i}.o" for i in range(15000)]
    for name in names:
        os.link(launch.sdt.dir / "nothing.o", launch.sdt.dir / name)
    launch.sdt.write("line", "\n".join([*names, last]))


@pytest.mark.plain
def test_many_words(launch):
    """More than one command can hold: the linker gets a response file."""
    launch.object("web", WEB)
    write_many_words(launch, "web.o")
    for linker in ("lld", "mold"):
        launch("gcc", f"-fuse-ld={linker}", "@line", "-o", "web")
        assert launch.run("web") == "2 hits\n"


NAMES = ["with space.o", "quote'.o", 'double".o', "new\nline.o", "back\\slash.o", "./-dash.o",
         "sub/../web.o", "$HOME.o", "umläut.o", "a;b.o"]


@pytest.mark.parametrize("name", NAMES)
def test_names(launch, name):
    (launch.sdt.dir / "sub").mkdir()
    os.rename(launch.sdt.dir / launch.object("web", WEB), launch.sdt.dir / name)
    launch("gcc", name, "-o", "web")
    assert launch.run("web") == "2 hits\n"


def test_names_outside_of_the_directory(launch):
    launch.object("web", WEB)
    (launch.sdt.dir / "deep/er").mkdir(parents=True)
    (launch.sdt.dir / "link.o").symlink_to("web.o")
    for name in ("../../web.o", str(launch.sdt.dir / "web.o"), "../../deep/../link.o",
                 "..//.././web.o"):
        launch("gcc", name, "-o", "web", cwd=launch.sdt.dir / "deep/er")
        assert launch.run("deep/er/web") == "2 hits\n"


def test_order_of_inputs(launch):
    parts = []
    for i in range(20):
        probe = f"SDT_PROBE(p, n{i});" if i % 3 == 0 else ""
        parts.append(launch.object(f"o{i}", f"""#include <sdt/probe.h>
#include <stdio.h>
__attribute__((constructor)) static void c(void) {{ {probe} printf("%d ", {i}); }}"""))
    launch.object("main", "int main(void) { return 0; }")
    for linker in LINKERS:
        launch("gcc", f"-fuse-ld={linker}", "main.o", *parts, "-o", "main")
        assert launch.run("main").split() == [str(i) for i in range(20)]


def test_binary_inputs_are_left_alone(launch):
    """A processed object as data is data."""
    launch.object("web", WEB)
    shutil.copy(launch.sdt.dir / "web.o", launch.sdt.dir / "blob")
    for linker, name in [("bfd", "elf64-x86-64"), ("lld", "elf")]:
        launch("gcc", f"-fuse-ld={linker}", "web.o", "-Wl,-b,binary", "blob", f"-Wl,-b,{name}",
               "-o", "web")
        assert (launch.sdt.dir / "blob").read_bytes() in (launch.sdt.dir / "web").read_bytes()
        assert launch.run("web") == "2 hits\n"


def test_two_links_are_equal(launch):
    launch.object("web", WEB)
    for linker in LINKERS:
        for name in ("a", "b"):
            launch("gcc", f"-fuse-ld={linker}", "web.o", "-o", name)
        assert (launch.sdt.dir / "a").read_bytes() == (launch.sdt.dir / "b").read_bytes()


@pytest.mark.parametrize("linker", LINKERS)
def test_map_and_dependencies_name_the_originals(launch, linker):
    make_archive(launch, "fat")
    launch.object("user", USER)
    launch("gcc", f"-fuse-ld={linker}", "user.o", "lib/libx.a", "-o", "user",
           "-Wl,-Map=map", "-Wl,--dependency-file=dep")
    made_map = (launch.sdt.dir / "map").read_text()
    dependencies = (launch.sdt.dir / "dep").read_text()
    assert "sdtlink." not in made_map + dependencies
    assert "lib/libx.a" in made_map and "lib/libx.a" in dependencies


# ---- the runtime ----

def needed(launch, name):
    return re.findall(r"NEEDED.*\[(.*)\]", launch.sdt.command("readelf", "-d", name).stdout)


def test_runtime_option(launch):
    launch.object("web", WEB.replace("int main", "extern int x; int main"))
    launch("--runtime=shared", "gcc", "web.o", "-o", "shared")
    assert "libsdt.so.0" in needed(launch, "shared") and launch.run("shared") == "2 hits\n"
    launch("--runtime=static", "gcc", "web.o", "-o", "static")
    assert "libsdt.so.0" not in needed(launch, "static") and launch.run("static") == "2 hits\n"
    assert "sdt_enable" in launch("--runtime=none", "gcc", "web.o", "-o", "none", status=1).stderr


def test_runtime_is_not_added_twice(launch):
    launch.object("web", WEB)
    runtime = launch.sdt.static_runtime
    launch("gcc", "web.o", runtime, "-o", "one")
    launch("gcc", "web.o", f"-L{runtime.parent}", "-Wl,-Bstatic", "-lsdt", "-Wl,-Bdynamic", "-o",
           "two")
    launch("gcc", "web.o", f"-L{runtime.parent}", "-lsdt", f"-Wl,-rpath,{runtime.parent}", "-o",
           "three")
    for name in ("one", "two", "three"):
        assert launch.run(name) == "2 hits\n"
    assert "libsdt.so.0" in needed(launch, "three")


def test_no_runtime_without_libc(launch):
    launch.object("free", """#include <sdt/probe.h>
void _start(void) { SDT_PROBE(p, n); __asm__("mov $60,%eax; xor %edi,%edi; syscall"); }""")
    result = launch("-v", "gcc", "-nostdlib", "-static", "free.o", "-o", "free")
    assert "no C library" in result.stderr
    launch.run("free")


def test_missing_runtime(launch):
    launch.object("web", WEB)
    result = launch("--runtime-directory=/nonexistent", "gcc", "web.o", "-o", "web", status=1)
    assert "--runtime=none" in result.stderr and "collect2" in result.stderr


def test_a_plain_program_has_no_trace_of_us(launch):
    launch.object("plain", "int main(void) { return 0; }")
    launch("gcc", "plain.o", "-o", "with")
    launch.sdt.command("gcc", "plain.o", "-o", "without")
    assert (launch.sdt.dir / "with").read_bytes() == (launch.sdt.dir / "without").read_bytes()


# ---- commands that do not link ----

PASSED = [["--version"], ["-dumpversion"], ["-print-prog-name=cc1"], ["-E", "web.c"],
          ["-S", "web.c", "-o", "-"], ["-M", "web.c"], ["-fsyntax-only", "web.c"], [],
          ["-###", "web.c"], ["-E", "-x", "c", "-"], ["-Wl,--version"], ["nonexistent.c"],
          ["-print-search-dirs"]]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("args", PASSED, ids=" ".join)
def test_other_commands_are_passed_through(launch, compiler, args):
    launch.sdt.write("web.c", WEB)
    args = [compiler, "-I", INCLUDE, *args] if args else [compiler]
    expected = launch.sdt.command(*args, status=None, input="int x;\n", env=launch.env)
    result = launch(*args, status=None, input="int x;\n")
    # gcc tells the linker its version as well, and says by which name it does.
    streams = ["returncode", "stdout"] + (["stderr"] if "-Wl,--version" not in args else [])
    for stream in streams:
        a, b = getattr(expected, stream), getattr(result, stream)
        assert re.sub(r"(cc|-)\w{6}\b", "", str(a)) == re.sub(r"(cc|-)\w{6}\b", "", str(b))


def test_any_program(launch):
    assert launch("echo", "-c", "x").stdout == "-c x\n"
    assert launch("sh", "-c", "exit 7", status=7).stdout == ""
    assert launch("sh", "-c", "kill -TERM $$", status=-15).stdout == ""
    mistaken = launch("nonexistent", "x", status=127).stderr
    assert "cannot run nonexistent" in mistaken and "list, verify, finalize" in mistaken
    assert "remedy" not in launch("nonexistent-gcc", "x.o", status=127).stderr
    launch.sdt.write("data", "")
    assert "cannot run ./data" in launch("./data", status=126).stderr


def test_compiler_behind_others(launch):
    launch.object("web", WEB)
    launch("env", "A=b", "gcc", "web.o", "-o", "a", env={"CCACHE_DIR": str(launch.temporary)})
    launch("ccache", "gcc", "web.o", "-o", "b", env={"CCACHE_DISABLE": "1"})
    assert launch.run("a") == launch.run("b") == "2 hits\n"


@pytest.mark.parametrize("first", [["--ld", "ld"], ["ld"], ["ld.lld"], ["mold"],
                                   ["--ld", "ld.gold"], ["x86_64-linux-gnu-ld.bfd"]], ids=" ".join)
def test_ld(launch, first):
    launch.object("web", WEB)
    line = launch.sdt.command("gcc", "web.o", "-o", "web", "-###").stderr.splitlines()[-2]
    words = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', line)
    words = [a or b for a, b in words][1:]
    words = [w for w in words if "plugin" not in w]
    launch(*first, *words)
    assert launch.run("web") == "2 hits\n"


@pytest.mark.parametrize("option", ["--ld-path=/usr/bin/ld.mold", "-fuse-ld=/usr/bin/ld.mold",
                                    "--ld-path=ld.mold", f"-fuse-ld=lld-{NEWER}"])
def test_linker_named_by_path(launch, option):
    launch.object("web", WEB)
    launch("clang", option, "web.o", "-o", "web")
    assert launch.run("web") == "2 hits\n"
    comment = launch.sdt.command("readelf", "-p", ".comment", "web").stdout
    assert (f"LLD {NEWER}" if "lld" in option else "mold") in comment


# ---- usage ----

def test_first_argument_decides(launch):
    launch.object("web", WEB)
    launch("-v", "web.o", "-o", "out.o")
    assert "__dtrace_sdt" not in launch.sdt.command("nm", "out.o").stdout
    shutil.copy(launch.sdt.dir / "web.o", launch.sdt.dir / "noname")
    launch("-v", "noname", "-o", "out2.o")
    assert "sdtlink -o OUT noname" in launch("./noname", status=2).stderr.replace("./", "")
    for wrong in (["x.o"], ["x.a"], ["--ld"], ["--at-compile"], ["--runtime=static"],
                  ["--ld", "--nonsense", "ld"]):
        assert "sdtlink" in launch(*wrong, status=2).stderr
    assert "in.o" not in launch("-q", "echo", "x").stdout


@pytest.mark.parametrize("word, kinds", [
    ("--runtime=bogus", "auto, static, shared or none"), ("--stapsdt=", "project, all or none"),
    ("--ld-path=x", "is not an option of the launcher")])
def test_wrong_options(launch, word, kinds):
    """Who wrote the word into the environment must be told that it is there."""
    told = launch("--at-compile", word, "gcc", status=2).stderr
    assert f"error: '{word}'" in told and kinds in told and "--help" in told
    told = launch("gcc", "--version", status=2, env={"SDTLINK_LAUNCH": word}).stderr
    assert f"error: SDTLINK_LAUNCH: '{word}'" in told and kinds in told
    if "=b" in word:
        assert kinds in launch(word, "gcc", status=2).stderr


def test_the_variable_of_the_user_is_read_only(launch):
    """What driver mode tells linker mode has a variable of its own, which no driver listens to."""
    fake = launch.sdt.dir / "gcc"
    fake.write_text('#!/bin/sh\necho "$SDTLINK_LAUNCH|$SDTLINK_LINKER_MODE|"\n')
    fake.chmod(0o755)
    env = {"SDTLINK_LAUNCH": "--runtime=static", "SDTLINK_LINKER_MODE": "--no-notes"}
    assert launch("-q", "./gcc", "a.o", env=env).stdout == \
        "--runtime=static|-q\n--runtime=static|\n"
    assert launch("--runtime=auto", "./gcc", "a.o", env=env).stdout == "--runtime=static||\n"


def test_verbose_says_what_is_done(launch):
    make_archive(launch, "fat")
    launch.object("user", USER + LIBRARY % {"name": "user"})
    words = launch("-v", "gcc", "user.o", "lib/libx.a", "-o", "user").stderr
    assert "user.o: 1 probe, 1 site" in words and "lib/libx.a(used.o): 1 probe, 1 site" in words
    assert "runtime added: " in words and re.search(r"sdtlink: \S*ld .*user\.o.*libsdt\.a", words)
