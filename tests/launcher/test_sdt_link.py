# SPDX-License-Identifier: BSD-2-Clause
"""sdt_link(): every type of target, exact rebuilds, and the runtime that a target gets."""
import json
import re
import shutil

import pytest

from installed import GENERATORS, prefix  # noqa: F401 (prefix is a fixture)

pytestmark = pytest.mark.nosan  # an installed copy, as users have it

PROBE = """#include <sdt/probe.h>
int NAME(int value);
int NAME(int value)
{
    SDT_PROBE(project, NAME, value);
    return value;
}
"""
CXX_PROBE = PROBE.replace("int NAME(int value);", 'extern "C" int NAME(int value);')

# A program that calls each named function once and prints what the probes of the project counted.
MAIN = """#include <sdt/runtime.h>
#include <stdio.h>
DECLARATIONS
int main(void)
{
    int subscription = sdt_enable("project", SDT_COUNT, 0);
    CALLS
    printf("%d %d\\n", subscription > 0, (int)sdt_hits("project"));
    return 0;
}
"""


def main_calling(*names):
    text = MAIN.replace("DECLARATIONS", " ".join(f"int {name}(int);" for name in names))
    return text.replace("CALLS", " ".join(f"{name}(1);" for name in names))


class Project:
    """A CMake project in a directory, and an installation, whose names hold a blank."""

    def __init__(self, sdt, installed, generator):
        self.sdt = sdt
        self.dir = sdt.path("my project")
        self.dir.mkdir()
        self.prefix = sdt.path("my prefix")
        self.prefix.symlink_to(installed)
        self.generator = generator

    def write(self, lists, **sources):
        """CMakeLists.txt, and NAME.c with a probe project:NAME unless its text is given."""
        head = "cmake_minimum_required(VERSION 3.25)\nproject(p C CXX)\n"
        (self.dir / "CMakeLists.txt").write_text(f"{head}find_package(sdtlink REQUIRED)\n{lists}")
        for name, text in sources.items():
            file = self.dir / (name if "." in name else f"{name}.c")
            file.write_text(text or PROBE.replace("NAME", name))

    def configure(self, *args, status=0):
        return self.sdt.command("cmake", "-B", "build", "-G", self.generator, *args,
                                f"-DCMAKE_PREFIX_PATH={self.prefix}", cwd=self.dir, status=status)

    def build(self, **kwargs):
        return self.sdt.command("cmake", "--build", "build", "-j2", cwd=self.dir, **kwargs)

    def run(self, name, *args, **kwargs):
        return self.sdt.run(self.dir / "build" / name, *args, **kwargs)

    def object(self, target, source):
        return self.dir / "build" / "CMakeFiles" / f"{target}.dir" / f"{source}.o"

    def symbols(self, file):
        return self.sdt.command("nm", "-u", file).stdout

    def needs_libsdt(self, name):
        return "libsdt.so" in self.sdt.command("readelf", "-d", self.dir / "build" / name).stdout


@pytest.fixture(params=GENERATORS)
def project(request, sdt, prefix):  # noqa: F811
    return Project(sdt, prefix, request.param)


def test_every_type_of_target_in_both_languages(project):
    project.write(
        """
        add_library(sta STATIC a.c)
        add_library(obj OBJECT b.c)
        add_library(sha SHARED c.c)
        add_library(mod MODULE d.cc)
        target_precompile_headers(mod PRIVATE <vector>)
        add_executable(app main.c e.cc)
        target_link_libraries(app PRIVATE sta sha $<TARGET_OBJECTS:obj> ${CMAKE_DL_LIBS})
        foreach(target sta obj sha mod app)
          sdt_link(${target})
        endforeach()
        """,
        a="", b="", c="",
        **{"d.cc": CXX_PROBE.replace("NAME", "d"),
           "e.cc": CXX_PROBE.replace("NAME", "e"),
           "main.c": "#include <dlfcn.h>\n" + main_calling("a", "b", "c", "e").replace(
               "CALLS", "").replace(
               "e(1);", """e(1);
               int (*d)(int) = (int (*)(int))dlsym(dlopen(PLUGIN, RTLD_NOW), "d");
               d(1);""")},
    )
    project.configure("-DCMAKE_C_FLAGS=-DPLUGIN='\"libmod.so\"'")
    project.build()
    libraries = f"{project.dir}/build:{project.prefix}/lib"
    assert project.run("app", env={"LD_LIBRARY_PATH": libraries}) == "1 5\n"


def modification_times(project):
    return {path: path.stat().st_mtime_ns
            for path in (project.dir / "build").rglob("*")
            if path.suffix in (".o", ".a", ".so") or path.name == "app"}


def check_rebuilds(project, *args):
    """Nothing to do, nothing done; a changed header, and what includes it is made again."""
    project.write(
        """
        add_executable(app main.c a.c b.c)
        sdt_link(app)
        """,
        a="", main=main_calling("a", "b"),
        **{"b.h": "#define AGAIN\n",
           "b.c": '#include "b.h"\n' + PROBE.replace("NAME", "b").replace("ret", "AGAIN ret")},
    )
    project.configure(*args)
    project.build()
    first = modification_times(project)
    assert len(first) == 4
    assert project.run("app") == "1 2\n"

    project.build()
    assert modification_times(project) == first, "nothing to do, but something was done"

    (project.dir / "b.h").write_text("#define AGAIN SDT_PROBE(project, again);\n")
    project.build()
    second = modification_times(project)
    changed = {path.name for path in first if second[path] != first[path]}
    assert changed == {"b.c.o", "app"}
    assert project.run("app") == "1 3\n"


def test_rebuild_is_exact(project):
    """CMake 3.27 and later ask the linker what it has read, and GNU ld writes blanks of names as
    they are: a project whose paths have some is linked each time, with sdtlink or without."""
    check_rebuilds(project, "-DCMAKE_LINK_DEPENDS_USE_LINKER=OFF")


def test_rebuild_is_exact_where_the_linker_says_what_it_read(project):
    """It must not name our copies, which are gone by then."""
    project.dir = project.dir.rename(project.sdt.path("project"))
    project.prefix = project.prefix.rename(project.sdt.path("prefix"))
    check_rebuilds(project)


@pytest.mark.parametrize("type", ["STATIC", "OBJECT"])
def test_an_object_that_was_refused_is_not_taken_for_done(project, type):
    project.write(f"add_library(lib {type} a.c)\nsdt_link(lib)", a="")
    project.configure("-DCMAKE_C_FLAGS=-mcmodel=large")
    for _ in range(2):
        result = project.build(status=None)
        assert result.returncode != 0
        assert "-mcmodel" in result.stdout + result.stderr
        assert not project.object("lib", "a.c").exists()


def test_an_executable_that_was_refused_does_not_exist(project):
    project.write("add_executable(app main.c a.c)\nsdt_link(app)", a="", main=main_calling("a"))
    project.configure("-DCMAKE_C_FLAGS=-mcmodel=large")
    for _ in range(2):
        result = project.build(status=None)
        assert result.returncode != 0
        assert "a.c.o" in result.stdout + result.stderr
        assert not (project.dir / "build" / "app").exists()


def test_what_the_link_takes_in_is_processed(project):
    """Assembler sources, and archives that were not processed."""
    project.write(
        """
        enable_language(ASM)
        add_library(sta STATIC a.c)
        target_link_libraries(sta PRIVATE sdtlink::headers)
        add_executable(app main.c b.S)
        target_link_libraries(app PRIVATE sta)
        sdt_link(app)
        """,
        a="", main=main_calling("a", "b"),
        **{"b.S": ".globl b\nb: sub $8,%rsp; call __dtrace_sdt_project___b; add $8,%rsp; ret\n"
                  '.section .note.GNU-stack,"",@progbits\n'})
    project.configure()
    project.build()
    symbols = project.symbols(project.object("sta", "a.c"))
    assert "U __dtrace_sdtasm_run_sdtlink___project___a" in symbols
    assert project.run("app") == "1 2\n"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_link_time_optimisation(project, compiler):
    """The objects of the libraries stay what the compiler made them; the links process them."""
    project.write(
        """
        set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
        add_library(sta STATIC a.c)
        add_library(obj OBJECT b.c)
        add_library(sha SHARED c.c)
        add_executable(app main.c d.c)
        target_link_libraries(app PRIVATE sta sha $<TARGET_OBJECTS:obj>)
        foreach(target sta obj sha app)
          sdt_link(${target})
        endforeach()
        """,
        a="", b="", c="", d="", main=main_calling("a", "b", "c", "d"))
    project.configure(f"-DCMAKE_C_COMPILER={compiler}",
                      *["-DCMAKE_C_FLAGS=-fuse-ld=lld"] if compiler == "clang" else [])
    project.build()
    text = project.sdt.command("objdump", "-h", project.object("sta", "a.c"), status=None)
    assert ".gnu.lto" in text.stdout or "not recognized" in text.stderr
    libraries = f"{project.dir}/build:{project.prefix}/lib"
    assert project.run("app", env={"LD_LIBRARY_PATH": libraries}) == "1 4\n"


PAINT = """#include <sdt/probe.h>
enum colour { RED, GREEN, BLUE = 9 };
SDT_ENUM_NAMES(project, paint, colour, {RED, "red"}, {GREEN, "green"}, {BLUE, "blue"});
void paint(enum colour colour);
void paint_again(enum colour colour, const char *text, unsigned long length);
"""


@pytest.mark.parametrize("project", ["Ninja"], indirect=True)
@pytest.mark.parametrize("flags", [
    ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_C_FLAGS=-flto-partition=max"],
    ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_C_FLAGS=-fuse-ld=mold -flto-partition=max"],
    ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_C_FLAGS=-fuse-ld=lld"]],
    ids=["gcc", "gcc-mold", "clang-lld"])
def test_names_in_a_release_with_link_time_optimisation(project, flags):
    """Of values and of arguments, whose sites and names the compiler puts into several objects."""
    project.write(
        """
        add_library(sta STATIC a.c)
        add_executable(app main.c b.c)
        target_link_libraries(app PRIVATE sta)
        sdt_link(sta)
        sdt_link(app)
        """, **{"paint.h": PAINT}, a="""#include "paint.h"
void paint(enum colour colour) { SDT_PROBE(project, paint, colour); }
""", b="""#include "paint.h"
__attribute__((noinline)) void paint_again(enum colour colour, const char *text,
                                           unsigned long length)
{
    SDT_PROBE(project, paint, colour);
    SDT_PROBE(project, write, SDT_TEXT(text, length));
}
""", main="""#include "paint.h"
int main(int argc, char **argv) { paint(argc); paint_again(argc, argv[0], 1); }
""")
    project.configure("-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON",
                      *flags)
    project.build()
    sites = json.loads(project.sdt.command(project.prefix / "bin" / "sdtlink", "list", "--json",
                                           project.dir / "build" / "app").stdout)
    found = [(site["name"], [(field["name"], [value["name"] for value in
                                              field.get("enumerators", [])])
                             for field in site["fields"]]) for site in sites]
    names = [("colour", ["red", "green", "blue"])]
    assert sorted(found) == [("paint", names), ("paint", names), ("write", [("text", [])])]


def test_dead_probes_are_collected(project):
    """Because executables are processed when they are linked."""
    project.write("add_executable(app main.c a.c)\nsdt_link(app)", main=main_calling("a"),
                  **{"a.c": PROBE.replace("NAME", "a") + PROBE.replace("NAME", "dead")})
    project.configure("-DCMAKE_C_FLAGS=-ffunction-sections -Wl,--gc-sections")
    project.build()
    sites = project.sdt.command(project.prefix / "bin" / "sdtlink", "list", "--json",
                                project.dir / "build" / "app").stdout
    assert [site["name"] for site in json.loads(sites)] == ["a"]
    assert " dead" not in project.sdt.command("nm", project.dir / "build" / "app").stdout


def test_compile_commands_and_dependencies_name_no_part_of_us(project):
    """Tools read the one, make the others."""
    project.write("add_library(sta STATIC a.c)\nadd_executable(app main.c)\n"
                  "target_link_libraries(app PRIVATE sta)\nsdt_link(sta)\nsdt_link(app)",
                  a="", main=main_calling("a"))
    project.configure("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    project.build()
    build = project.dir / "build"
    for command in json.loads((build / "compile_commands.json").read_text()):
        assert "bin/sdtlink" not in command["command"]
    dependencies = list(build.rglob("*.d"))
    assert dependencies or project.generator == "Ninja"  # which keeps them in its own file
    for file in dependencies:
        assert "/tmp/sdtlink" not in file.read_text(), file


def test_another_sdtlink_links_again(project):
    prefix = project.sdt.path("copy")  # noqa: F811
    shutil.copytree(project.prefix, prefix, symlinks=True)
    project.prefix.unlink()
    project.prefix.symlink_to(prefix)
    project.write("add_executable(app main.c a.c)\nsdt_link(app)", a="", main=main_calling("a"))
    project.configure()
    project.build()
    before = modification_times(project)
    (prefix / "bin" / "sdtlink").touch()
    project.build()
    after = modification_times(project)
    assert {path.name for path in before if after[path] != before[path]} == {"app"}


def test_several_configurations(sdt, prefix):  # noqa: F811
    project = Project(sdt, prefix, "Ninja Multi-Config")
    project.write("add_library(sta STATIC a.c)\nadd_executable(app main.c)\n"
                  "target_link_libraries(app PRIVATE sta)\nsdt_link(sta)\nsdt_link(app)",
                  a="", main=main_calling("a"))
    project.configure()
    for configuration in ("Debug", "Release"):
        sdt.command("cmake", "--build", "build", "--config", configuration, cwd=project.dir)
        assert project.run(f"{configuration}/app") == "1 1\n"


def test_response_files(sdt, prefix):  # noqa: F811
    project = Project(sdt, prefix, "Ninja")
    project.write("set(CMAKE_NINJA_FORCE_RESPONSE_FILE ON)\n"
                  "add_executable(app main.c a.c)\nsdt_link(app)", a="", main=main_calling("a"))
    project.configure()
    commands = sdt.command("ninja", "-t", "commands", "app", cwd=project.dir / "build").stdout
    assert "@CMakeFiles/app.rsp" in commands
    project.build()
    assert project.run("app") == "1 1\n"


def test_a_target_without_sdt_link_does_not_link(project):
    project.write(
        "add_executable(app main.c a.c)\n"
        "target_link_libraries(app sdtlink::headers sdtlink::runtime)",
        a="", main=main_calling("a"),
    )
    project.configure()
    result = project.build(status=None)
    assert result.returncode != 0
    assert "__dtrace_sdtasm_run_sdtlink___project___a" in result.stdout + result.stderr


def test_launchers_that_were_there_still_run(project):
    log = project.sdt.path("launched")
    script = project.sdt.write("launcher", f'#!/bin/sh\necho "$*" >>"{log}"\nexec "$@"\n')
    script.chmod(0o755)
    project.write("add_library(sta STATIC a.c)\nadd_executable(app main.c)\n"
                  "target_link_libraries(app PRIVATE sta)\nsdt_link(sta)\nsdt_link(app)",
                  a="", main=main_calling("a"))
    project.configure(f"-DCMAKE_C_COMPILER_LAUNCHER={script}",
                      f"-DCMAKE_C_LINKER_LAUNCHER={script}")
    log.unlink(missing_ok=True)  # configure checks also use it
    project.build()
    launched = log.read_text().splitlines()
    assert len([line for line in launched if " -c " in line]) == 2
    assert len([line for line in launched if " -c " not in line]) == 1
    assert project.run("app") == "1 1\n"


def test_checks_behind_the_compiler(project):
    """CMake wraps the compiler's launcher, or the link, in a command of its own."""
    tidy = project.sdt.write("tidy", "#!/bin/sh\nexit 0\n")
    tidy.chmod(0o755)
    project.write("add_library(sta STATIC a.c)\nadd_executable(app main.c)\n"
                  "target_link_libraries(app PRIVATE sta)\nsdt_link(sta)\nsdt_link(app)",
                  a="", main=main_calling("a"))
    project.configure(f"-DCMAKE_C_CLANG_TIDY={tidy}", "-DCMAKE_LINK_WHAT_YOU_USE=ON")
    project.build()
    assert project.run("app") == "1 1\n"


@pytest.mark.parametrize("argument, is_shared", [("", False), ("RUNTIME static", False),
                                                 ("RUNTIME shared", True)])
def test_runtime_of_an_executable(project, argument, is_shared):
    project.write(f"add_executable(app main.c a.c)\nsdt_link(app {argument})", a="",
                  main=main_calling("a"))
    project.configure()
    project.build()
    assert project.needs_libsdt("app") == is_shared
    assert project.run("app") == "1 1\n"


def test_runtime_none_links_and_runs(project):
    project.write(
        "add_executable(app main.c a.c)\nsdt_link(app RUNTIME none)",
        a="", main="int a(int); int main(void) { return a(0); }",
    )
    project.configure()
    project.build()
    assert not project.needs_libsdt("app")
    assert "w __sdt_register" in project.symbols(project.dir / "build" / "app")
    project.run("app")


def test_an_executable_gets_the_runtime_of_a_library_behind_others(project):
    """Also when the library is described after the executable, in another directory."""
    (project.dir / "tools").mkdir()
    (project.dir / "tools" / "CMakeLists.txt").write_text(
        "add_executable(app ../main.c)\ntarget_link_libraries(app PRIVATE outer)\nsdt_link(app)\n"
    )
    project.write(
        """
        add_subdirectory(tools)
        add_library(outer STATIC b.c)
        target_link_libraries(outer PRIVATE inner)
        add_library(inner SHARED a.c)
        sdt_link(outer)
        sdt_link(inner)
        """,
        a="", b="", main=main_calling("a", "b"),
    )
    project.configure()
    project.build()
    assert project.needs_libsdt("tools/app")
    assert project.run("tools/app") == "1 2\n"


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
def test_the_runtime_survives_as_needed(project, linker):
    """Processed objects refer to it weakly, which alone would not keep a library."""
    project.write(
        """
        add_library(sha SHARED a.c)
        sdt_link(sha)
        add_executable(app main.c)
        target_link_libraries(app PRIVATE sha)
        """,
        a="", main="int a(int); int main(void) { return a(0); }",
    )
    flags = f"-fuse-ld={linker} -Wl,--as-needed"
    project.configure(f"-DCMAKE_SHARED_LINKER_FLAGS={flags}", f"-DCMAKE_EXE_LINKER_FLAGS={flags}")
    project.build()
    assert project.needs_libsdt("libsha.so")
    project.run("app")


def test_a_program_that_never_calls_the_runtime_has_it(project):
    """SDT_ENABLE in the environment must reach it."""
    project.write(
        "add_executable(app main.c a.c)\nsdt_link(app)",
        a="", main="int a(int); int main(void) { return a(0); }",
    )
    project.configure()
    project.build()
    defined = project.sdt.command("nm", "--defined-only", project.dir / "build" / "app").stdout
    assert re.search(r" [TW] __sdt_register$", defined, re.M)
    result = project.sdt.command(project.dir / "build" / "app",
                                 env={"SDT_ENABLE": "project=count", "SDT_DEBUG": "1"})
    assert "SDT_ENABLE: 1 in force" in result.stderr and "error" not in result.stderr


@pytest.mark.parametrize("lists, message", [
    ("sdt_link(nothing)", "nothing is not a target"),
    ("add_library(i INTERFACE)\nsdt_link(i)", "not compiled by this project"),
    ("sdt_link(sdtlink::runtime)", "not compiled by this project"),
    ("add_library(a a.c)\nsdt_link(a RUNTIME both)", "RUNTIME is shared, static or none"),
    ("add_library(a a.c)\nsdt_link(a STATIC)", "unknown argument STATIC"),
    ("add_library(a a.c)\nsdt_link(a)\nsdt_link(a)", "called twice"),
])
def test_misuse_is_refused(project, lists, message):
    project.write(lists, a="")
    result = project.configure(status=1)
    assert message in " ".join(result.stderr.split())
