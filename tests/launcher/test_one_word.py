# SPDX-License-Identifier: BSD-2-Clause
"""sdtlink-gcc and its like: a compiler in one word, for tools that take no two."""
import os
import pathlib
import re
import shutil

import pytest

from conftest import INCLUDE, ROOT, TOOL_BUILD
from elfview import ElfView
from test_launcher import LINKERS, USER, WEB, launch, library  # noqa: F401 (a fixture)
from toolchain import has

pytestmark = pytest.mark.plain  # the links are what counts

HERE = TOOL_BUILD / "sdtlink"
NAMES = ["cc", "c++", "gcc", "g++", "gfortran", "clang", "clang++", "ld", "linker"]
PART = r"""
#include <sdt/probe.h>
int part(int n) { SDT_PROBE(one, word, n); return n + 1; }
"""


class Words:
    """Commands that find our names, and `work`, where other names can be put."""

    def __init__(self, launch):
        self.sdt, self.launch = launch.sdt, launch
        self.bin = launch.sdt.path("bin")
        self.bin.mkdir()
        self.env = {**launch.env, "PATH": f"{self.bin}:{HERE}:{os.environ['PATH']}"}

    def __call__(self, *argv, env=None, **kwargs):
        return self.sdt.command(*argv, env={**self.env, **(env or {})}, **kwargs)

    def name(self, name):
        """Another link to the tool."""
        (self.bin / name).symlink_to(HERE / "sdtlink")
        return name

    def program(self, name, text):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)


@pytest.fixture
def words(launch):
    return Words(launch)


def needs(program):
    return pytest.mark.skipif(not has(program), reason=f"this machine has no {program}")


def titles(path):
    return {site.title for site in ElfView(path).sites()}


# ---- the names ----

def test_the_build_has_the_names():
    assert {path.name for path in HERE.glob("sdtlink-*") if path.is_symlink()} == {
        f"sdtlink-{name}" for name in NAMES}
    page = (ROOT / "docs" / "one-word.md").read_text()
    listed = " ".join(re.findall(r"^    bin/.*$", page, re.M))
    assert set(re.findall(r"bin/sdtlink-(\S+)", listed)) == set(NAMES)


@pytest.mark.parametrize("compiler", ["gcc", "cc", "clang"])
@pytest.mark.parametrize("linker", LINKERS)
def test_one_word_links(words, compiler, linker):
    words.sdt.write("web.c", WEB)
    words(f"sdtlink-{compiler}", "-O2", "-I", INCLUDE, f"-fuse-ld={linker}", "web.c", "-o", "web")
    assert words.launch.run("web") == "2 hits\n"


def test_by_a_path(words):
    """Also one that is a link to the link."""
    words.launch.object("web", WEB)
    for name in (HERE / "sdtlink-gcc", "./again/sdtlink-gcc"):
        words.sdt.path("again").mkdir(exist_ok=True)
        again = words.sdt.path("again/sdtlink-gcc")
        again.unlink(missing_ok=True)
        again.symlink_to(HERE / "sdtlink-gcc")
        words(name, "web.o", "-o", "web")
        assert words.launch.run("web") == "2 hits\n"


def test_it_is_the_compiler_for_everybody_who_asks(words):
    """Tools look at what the compiler says of itself."""
    for args in (["--version"], ["-dumpmachine"], ["-E", "-dM", "-xc", "/dev/null"]):
        assert words("sdtlink-gcc", *args).stdout == words("gcc", *args).stdout
    assert words("sdtlink-gcc", status=1).stderr == words("gcc", status=1).stderr
    words.program("gcc", 'echo "$0 $@"; exit 7')
    assert words("sdtlink-gcc", "-c", "a b", status=7).stdout == f"{words.bin}/gcc -c a b\n"


def test_any_program_after_the_prefix(words):
    words.program("x86_64-odd-linux-g++-99.1", f'echo "$@"; exec {shutil.which("g++")} "$@"')
    words.launch.object("web", WEB)
    said = words(words.name("sdtlink-x86_64-odd-linux-g++-99.1"), "web.o", "-o", "web").stdout
    assert "-B" in said and words.launch.run("web") == "2 hits\n"


@pytest.mark.parametrize("driver", ["gdc", "aarch64-linux-gnu-gdc-12", "gfortran", "mpicc"])
def test_drivers_of_other_languages(words, driver):
    """They are told where the linker is; another program is not."""
    words.program(driver, 'echo "$@"')
    words.program("ldc", 'echo "$@"')
    assert re.match(r"-B\S+/launch.* a\.o", words("sdtlink", driver, "a.o").stdout)
    assert words("sdtlink", "ldc", "a.o").stdout == "a.o\n"


@pytest.mark.parametrize("machine", ["aarch64", "riscv64"])
def test_a_cross_compiler(words, machine):
    compiler = f"{machine}-linux-gnu-gcc"
    if not has(compiler):
        pytest.skip(f"this machine has no {compiler}")
    words.sdt.write("part.c", PART + "int main(void) { return part(1); }\n")
    words(words.name(f"sdtlink-{compiler}"), "-O2", "-I", INCLUDE, "part.c", "-o", "part",
          env={"SDTLINK_LAUNCH": "--runtime=none"})
    assert titles(words.sdt.path("part")) == {"one:word"}


def test_a_linker(words):
    """As clang's --ld-path wants one, and by its own name."""
    words.launch.object("web", WEB)
    words("clang", f"--ld-path={HERE / 'sdtlink-ld'}", "web.o", "-o", "web")
    assert words.launch.run("web") == "2 hits\n"
    words.name("sdtlink-ld.lld")
    words("clang", f"--ld-path={words.bin / 'sdtlink-ld.lld'}", "web.o", "-o", "web")
    assert words.launch.run("web") == "2 hits\n"
    assert "LLD" in words.sdt.command("readelf", "-p", ".comment", "web").stdout


def test_options_come_from_the_environment(words):
    words.launch.object("web", WEB)
    runtime = words.env.get("SDTLINK_LAUNCH", "")
    said = words("sdtlink-gcc", "web.o", "-o", "web",
                 env={"SDTLINK_LAUNCH": f"{runtime} -v --runtime=shared"}).stderr
    assert "libsdt.so" in said
    wrong = words("sdtlink-gcc", "web.o", env={"SDTLINK_LAUNCH": "-m64"}, status=2).stderr
    assert "SDTLINK_LAUNCH: '-m64' is not an option of the launcher" in wrong


def test_a_version_of_the_tool_is_no_compiler(words):
    """sdtlink-1.0, as a distribution may call it."""
    said = words(words.name("sdtlink-1.0"), "--version").stdout
    assert said.startswith("sdtlink ")


def test_a_program_that_is_not_there(words):
    said = words(words.name("sdtlink-nowhere-gcc"), "-c", "x.c", status=127).stderr
    assert "cannot run nowhere-gcc" in said


def test_the_linker_is_the_compiler_that_the_environment_names(words):
    """SDTLINK_CC: a name or a path; cc without it."""
    for name in ("cc", "my-cc"):
        words.program(name, f'echo "{name} $@"')
    ran = {chosen: words("sdtlink-linker", "-c", "a b", env={"SDTLINK_CC": chosen}).stdout
           for chosen in ("", "my-cc", str(words.bin / "my-cc"))}
    assert list(ran.values()) == ["cc -c a b\n", "my-cc -c a b\n", "my-cc -c a b\n"]
    words.launch.object("web", WEB)
    words("sdtlink-linker", "web.o", "-o", "web", env={"SDTLINK_CC": "gcc"})
    assert words.launch.run("web") == "2 hits\n"


@pytest.mark.parametrize("chosen", ["sdtlink-linker", "sdtlink", "/usr/bin/sdtlink-gcc"])
def test_the_linker_is_not_sdtlink_itself(words, chosen):
    said = words("sdtlink-linker", "-c", "a.c", env={"SDTLINK_CC": chosen}, status=2).stderr
    assert f"SDTLINK_CC: '{chosen}' is sdtlink itself; name the compiler" in said


@pytest.mark.parametrize("chosen", ["wrapper", "/opt/bin/rust", "cc -m64"])
def test_the_linker_is_a_compiler(words, chosen):
    """Of another program sdtlink does not know how it links."""
    said = words("sdtlink-linker", "-c", "a.c", env={"SDTLINK_CC": chosen}, status=2).stderr
    assert f"SDTLINK_CC: '{chosen}' does not have the name of a compiler" in said


# ---- the name without a compiler ----

NAMELESS = [["-m64", "a.o", "-o", "out", "-Wl,--as-needed"], ["-c", "-x", "ada", "a.adb"],
            ["-o", "out", "a.o", "-lm"], ["a.o", "b.o", "-o", "out", "-L."], ["@words"],
            ["-v", "-c", "a.c"], ["-shared", "a.o"], ["-dynamic-linker", "/lib/ld.so", "a.o"],
            ["-fPIC", "--version"]]


@pytest.mark.parametrize("args", NAMELESS, ids=" ".join)
def test_a_compilers_words_without_its_name(words, args):
    words.sdt.write("a.o", "")
    words.sdt.write("words", "-m64 a.o -o out\n")
    said = words("sdtlink", *args, status=2).stderr
    assert "words for a compiler or linker" in said and "sdtlink-gcc" in said
    assert "sdtlink cc" in said and "invalid option" not in said
    assert not words.sdt.path("out").exists()


@pytest.mark.parametrize("args, words_of_it", [
    (["--quite", "-o", "out", "a.o"], "unrecognized option '--quite'"),
    (["-o", "-odd", "a.o"], "cannot"), (["list", "-m64"], "invalid option"),
    (["-qo", "out", "a.o", "b.o"], "more than one input file"), (["--", "-c"], "cannot")])
def test_other_mistakes_have_messages_of_their_own(words, args, words_of_it):
    said = words("sdtlink", *args, status=None).stderr
    assert "words for a compiler" not in said, words_of_it


# ---- tools ----

@needs("rustc")
@pytest.mark.nosan
def test_rustc(words):
    words.launch.object("part", PART)
    words.sdt.command("ar", "rcs", "libpart.a", "part.o")
    words.sdt.write("main.rs", "extern \"C\" { fn part(n: i32) -> i32; }\n"
                    "fn main() { println!(\"{}\", unsafe { part(3) }); }\n")
    command = ["rustc", "-L", ".", "-lstatic=part", "-o", "main", "main.rs"]
    words(*command, "-C", "linker=sdtlink-gcc")
    assert words.launch.run("main") == "4\n" and titles(words.sdt.path("main")) == {"one:word"}
    said = words(*command, "-C", "linker=sdtlink", status=1)
    assert "words for a compiler or linker" in said.stdout + said.stderr


@needs("gnatmake")
@pytest.mark.nosan
def test_gnatmake(words):
    words.launch.object("part", PART)
    words.sdt.write("main.adb", """with Ada.Text_IO;
procedure Main is
   function Part (N : Integer) return Integer;
   pragma Import (C, Part, "part");
begin
   Ada.Text_IO.Put_Line (Integer'Image (Part (3)));
end Main;
""")
    words("gnatmake", "-q", "--GCC=sdtlink-gcc", "main.adb", "-largs", "--GCC=sdtlink-gcc",
          "part.o")
    assert words.launch.run("main") == " 4\n" and titles(words.sdt.path("main")) == {"one:word"}


@needs("go")
@pytest.mark.nosan
@pytest.mark.slow
def test_go(words):
    """Go tests the linker's flags by the first word of CC: one that is refused changes the link."""
    words.sdt.write("go.mod", "module word\n")
    words.sdt.write("main.go", f"""package main

/*
#cgo CFLAGS: -I{INCLUDE}
#include <sdt/probe.h>
static int part(int n) {{ SDT_PROBE(one, word, n); return n + 1; }}
*/
import "C"
import "fmt"

func main() {{ fmt.Println(C.part(3)) }}
""")
    cache = {"GOCACHE": str(words.sdt.path("cache")), "GOFLAGS": "-mod=mod",
             "GOPATH": str(words.sdt.path("go"))}
    result = words("go", "build", "-o", "main", ".", env={"CC": "sdtlink-gcc", **cache},
                   timeout=600)
    assert result.stderr == "" and words.launch.run("main") == "4\n"
    assert titles(words.sdt.path("main")) == {"one:word"}


CMAKE = f"""cmake_minimum_required(VERSION 3.20)
project(word C)
include_directories({INCLUDE})
add_library(part STATIC used.c unused.c plain.c)
add_executable(main main.c)
target_link_libraries(main part)
"""
CMAKE_WAYS = {
    "compiler": ["-DCMAKE_C_COMPILER=sdtlink-gcc"],
    "launchers": ["-DCMAKE_C_COMPILER_LAUNCHER=sdtlink", "-DCMAKE_C_LINKER_LAUNCHER=sdtlink"],
    "clang": ["-DCMAKE_C_COMPILER=sdtlink-clang"],
}


def project(words):
    """USER, and a library of which it uses two members out of three."""
    library(words.launch)
    words.sdt.write("main.c", USER)


@pytest.mark.parametrize("way", CMAKE_WAYS.values(), ids=CMAKE_WAYS)
def test_cmake(words, way):
    project(words)
    words.sdt.write("CMakeLists.txt", CMAKE)
    words("cmake", "-B", "build", *way)
    words("cmake", "--build", "build")
    assert words.sdt.run(words.sdt.path("build/main")) == "2 8\n"


def test_cmakes_launcher_of_compilers_alone(words):
    """It is not asked to link: the linker's own message says what is missing, or the objects are
    processed when they are compiled."""
    project(words)
    words.sdt.write("CMakeLists.txt", CMAKE)
    words("cmake", "-B", "build", "-DCMAKE_C_COMPILER_LAUNCHER=sdtlink")
    failed = words("cmake", "--build", "build", status=None)
    assert failed.returncode and "_run_sdtlink___lib___used" in failed.stdout + failed.stderr
    runtime = words.sdt.static_runtime
    words("cmake", "-B", "again", "-DCMAKE_C_COMPILER_LAUNCHER=sdtlink;--at-compile",
          f"-DCMAKE_C_STANDARD_LIBRARIES={runtime}")
    words("cmake", "--build", "again")
    assert words.sdt.run(words.sdt.path("again/main")) == "2 8\n"


@needs("meson")
def test_meson(words):
    project(words)
    words.sdt.write("meson.build", f"""project('word', 'c')
include = ['-I{INCLUDE}']
part = static_library('part', 'used.c', 'unused.c', 'plain.c', c_args: include)
executable('main', 'main.c', link_with: part, c_args: include)
""")
    words("meson", "setup", "build", env={"CC": "sdtlink-gcc"})
    words("ninja", "-C", "build")
    assert words.sdt.run(words.sdt.path("build/main")) == "2 8\n"


def test_a_path_in_a_makefile(words):
    """And a prefix of cross compilers, as the kernel's makefiles have it."""
    project(words)
    words.sdt.write("Makefile", f"""CFLAGS = -I{INCLUDE}
CC = $(CROSS_COMPILE)gcc
main: main.o used.o plain.o
\t$(CC) -o $@ $^
""")
    path = pathlib.Path(HERE / "sdtlink-")
    words("make", f"CROSS_COMPILE={path}")
    assert words.launch.run("main") == "2 8\n"
