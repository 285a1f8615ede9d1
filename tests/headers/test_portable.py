# SPDX-License-Identifier: BSD-2-Clause
"""Machines without probes: headers that compile to nothing, a runtime that says so, and links that
pass through sdtlink. Cross compilers make the code, qemu runs it.
"""
import re

import pytest
from conftest import BUILD, INCLUDE, INCLUDES, PROGRAMS, ROOT
from cross import emulated, need, targets  # noqa: F401 (targets is a fixture)
from elftools.elf.elffile import ELFFile

pytestmark = pytest.mark.nosan  # nothing of it is an instrumented build

NOCOMPILE = ROOT / "tests" / "nocompile"
WARNINGS = "-Wall -Wextra -Wpedantic -Werror -Wshadow -Wunused".split()
TARGETS = ["s390x"]  # without probes
PACKAGES = ["aarch64", "riscv64", "s390x"]
FREESTANDING = "-ffreestanding"  # where there are no headers of a C library
C_COMPILERS = [
    "s390x-linux-gnu-gcc -x c", f"gcc -m32 -D__KERNEL__ {FREESTANDING} -x c",
    f"gcc -mx32 {FREESTANDING} -x c", f"clang --target=aarch64_be-linux-gnu {FREESTANDING} -x c",
    "riscv64-linux-gnu-gcc -march=rv64g -mabi=lp64d -x c",
]  # fmt: skip
CXX_COMPILERS = [
    "s390x-linux-gnu-g++ -x c++", f"g++ -mx32 {FREESTANDING} -x c++",
    f"clang++ --target=s390x-linux-gnu {FREESTANDING} -x c++",
]  # fmt: skip
DIALECTS = {"c": "c99 c11 gnu17 c2x".split(), "c++": "c++98 c++11 c++14 c++17 c++20".split()}
SAYS = "probes are not supported on this machine"


def words(compiler):
    need(compiler.split()[0])
    return compiler.split()


def dialects(compiler):
    return DIALECTS["c++" if "++" in compiler else "c"]


def compile_portable(sdt, compiler, dialect, level, *flags, name="portable.o"):
    out = sdt.path(name)
    sdt.command(*words(compiler), f"-std={dialect}", level, *flags, *INCLUDES, "-c",
                PROGRAMS / "portable.c", "-o", out)
    return out


def contents(path):
    """What of an object would be in a program: sections and their relocations; and its symbols."""
    with open(path, "rb") as stream:
        elf = ELFFile(stream)
        sections = {s.name: s.data() for s in elf.iter_sections()
                    if s["sh_type"] != "SHT_NULL" and not s.name.endswith("tab")}
        symbols = elf.get_section_by_name(".symtab").iter_symbols()
        return sections, sorted((s.name, s["st_value"], s["st_size"]) for s in symbols)


# ---- the headers ----

@pytest.mark.parametrize("compiler", C_COMPILERS + CXX_COMPILERS)
def test_nothing_is_left_and_nothing_is_warned_of(sdt, compiler):
    for dialect in dialects(compiler):
        old = ["-Wno-long-long", "-Wno-c99-extensions"] if dialect == "c++98" else []
        for level in ("-O1", "-O2", "-Os"):
            probed = compile_portable(sdt, compiler, dialect, level, *WARNINGS, *old)
            plain = compile_portable(sdt, compiler, dialect, level, "-DPLAIN", name="plain.o")
            # Each has the name of its source in it, and that is the same.
            assert contents(probed) == contents(plain), (dialect, level)
        compile_portable(sdt, compiler, dialect, "-O0", *WARNINGS, *old)


@pytest.mark.parametrize("source", sorted(p.stem for p in NOCOMPILE.glob("*.c")))
def test_misuse_does_not_compile_there_either(sdt, source):
    """One exception: in C++98 gcc checks names when it generates code, and here there is none."""
    path = NOCOMPILE / f"{source}.c"
    # What is pasted to make a symbol's name elsewhere, is a word of a text here.
    expected = re.search(r"/\* expect: (.*) \*/", path.read_text()).group(1)
    expected = expected.replace("pasting", "must be C identifiers")
    for compiler in C_COMPILERS[:3] + CXX_COMPILERS:
        if source == "int128_argument" and "-m32" in compiler:
            continue  # no such type
        argv = [*words(compiler), "-O2", *INCLUDES, path, "-S", "-o", sdt.path("out.s")]
        result = sdt.command(*argv, status=None)
        assert result.returncode != 0, compiler
        assert re.search(f"error.*({expected})", result.stderr), result.stderr
        sdt.command(*argv, "-DFIXED", "-Wall", "-Wextra", "-Werror")


@pytest.mark.parametrize("compiler", C_COMPILERS + CXX_COMPILERS)
def test_a_program_can_ask_and_insist(sdt, compiler):
    text = "#include <sdt/probe.h>\n#if SDT_HAS_PROBES\n#error there are\n#endif\n"
    source = sdt.write("asks.c", text)
    argv = [*words(compiler), "-fsyntax-only", *INCLUDES, source]
    sdt.command(*argv)
    refused = sdt.command(*argv, "-DSDT_REQUIRE_SUPPORTED", status=1)
    assert "SDT_REQUIRE_SUPPORTED: <sdt/probe.h> supports x86-64" in refused.stderr
    sdt.command(*argv, "-DSDT_REQUIRE_SUPPORTED", "-DSDT_DISABLE")


def test_x86_64_has_probes_whoever_insists(sdt):
    text = "#include <sdt/probe.h>\n#if !SDT_HAS_PROBES\n#error there are none\n#endif\n"
    source = sdt.write("asks.c", text)
    sdt.command("gcc", "-fsyntax-only", "-DSDT_REQUIRE_SUPPORTED", *INCLUDES, source)
    off = sdt.command("gcc", "-fsyntax-only", "-DSDT_DISABLE", *INCLUDES, source, status=1)
    assert "there are none" in off.stderr


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_arguments_are_not_evaluated(sdt, target, level):
    need(f"{target}-linux-gnu-gcc")
    sdt.command(f"{target}-linux-gnu-gcc", level, *WARNINGS, *INCLUDES,
                PROGRAMS / "macros_once.c", "-o", sdt.path("once"))
    assert emulated(sdt, target, sdt.path("once")).stdout == "0 text\n"


@pytest.mark.parametrize("target", ["aarch64", "riscv64"])
def test_notes_of_the_compatible_header_are_there(sdt, target):
    """<sys/sdt.h> needs neither sdtlink nor the runtime, and works as everywhere."""
    need(f"{target}-linux-gnu-gcc")
    source = sdt.write("notes.c", "#include <sys/sdt.h>\nint f(int a, char *b);\n"
                       "int f(int a, char *b) { STAP_PROBE3(m, n, a, b, -7); return a; }\n")
    sdt.command(f"{target}-linux-gnu-gcc", "-O2", *WARNINGS, "-I", INCLUDE / "sdt-compat", "-c",
                source, "-o", sdt.path("notes.o"))
    said = sdt.run("readelf", "-n", sdt.path("notes.o"))
    first, second = {"aarch64": ("x0", "x1"), "riscv64": ("a0", "a1")}[target]
    assert f"Arguments: -4@{first} 8@{second} -4@-7\n" in said, said


# ---- the runtime ----

def exported():
    """The names in libsdt.map. Those that the runtime interposes (start/signals.c) are weak."""
    text = (ROOT / "runtime" / "libsdt.map").read_text()
    return set(re.findall(r"^ +(\w+);$", text, re.M))


@pytest.mark.parametrize("target", PACKAGES)
def test_the_runtime_defines_what_it_defines_elsewhere(sdt, targets, target):
    library = targets(target) / "lib" / "libsdt.so"
    with open(library, "rb") as stream:
        symbols = list(ELFFile(stream).get_section_by_name(".dynsym").iter_symbols())
    defined = {bind: {s.name for s in symbols if s["st_shndx"] != "SHN_UNDEF"
                      and (s["st_info"]["type"], s["st_info"]["bind"]) == ("STT_FUNC", bind)}
               for bind in ("STB_GLOBAL", "STB_WEAK")}
    assert exported() and defined["STB_GLOBAL"] == exported()
    here = set(re.findall(r" W (\w+)", sdt.run("nm", "-D", "--defined-only", sdt.shared_runtime)))
    assert "sigprocmask" in here
    assert defined["STB_WEAK"] == (set() if target in TARGETS else here)
    said = sdt.run("nm", "-g", "--defined-only", targets(target) / "lib" / "libsdt.a")
    assert set(re.findall(r" T (\w+)", said)) >= exported()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", ["static", "shared"])
def test_the_api_answers_that_it_is_not_supported(sdt, targets, target, kind):
    lib = targets(target) / "lib"
    library = [lib / "libsdt.a", "-static"] if kind == "static" else [f"-L{lib}", "-lsdt"]
    sdt.command(f"{target}-linux-gnu-gcc", "-O2", "-Wall", "-Wextra", "-Werror",
                "-I", targets(target) / "include", PROGRAMS / "portable_api.c", *library,
                f"-Wl,-rpath,{lib}", "-o", sdt.path("api"))
    result = emulated(sdt, target, sdt.path("api"), env={"SDT_ENABLE": "app:*=count"})
    text = (ROOT / "CMakeLists.txt").read_text()
    version = re.search(r"^project\(sdtlink VERSION ([\d.]+)", text, re.M)[1]
    assert result.stdout == (
        f"other answers 0, seen 0, hits 0, enabled 0\n{SAYS}: sdt_probe(3) names those that are\n"
        f"success\n{version}\n")
    assert result.stderr == ""
    assert not sdt.path("recording").exists()
    told = emulated(sdt, target, sdt.path("api"),
                    env={"SDT_ENABLE": "app:*=count", "SDT_DEBUG": "1"})
    assert told.stderr == (f"libsdt {version}: {SAYS}: SDT_ENABLE, SDT_RECORD, SDT_ATTACH and "
                           "SDT_STOCK have no effect\n")
    assert emulated(sdt, target, sdt.path("api"), env={"SDT_DEBUG": "0"}).stderr == ""


PROJECT = """cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES C)
find_package(sdtlink REQUIRED)
add_library(part STATIC part.c)
add_executable(app app.c)
target_link_libraries(app PRIVATE part)
sdt_link(part)
sdt_link(app)
"""
PART = """#include <sdt/probe.h>
int part(int a);
int part(int a) { SDT_PROBE(app, part, a); return a; }
"""
APP = """#include <sdt/runtime.h>
#include <stdio.h>
int part(int a);
int main(void) { printf("%s\\n", sdt_strerror(sdt_enable("*", SDT_COUNT, NULL))); return part(0); }
"""


@pytest.mark.parametrize("target", TARGETS)
def test_a_project_with_the_package_needs_no_change(sdt, targets, target):
    for name, text in (("CMakeLists.txt", PROJECT), ("part.c", PART), ("app.c", APP)):
        sdt.write(name, text)
    toolchain = ROOT / "cmake" / "toolchains" / f"{target}-linux-gnu.cmake"
    sdt.command("cmake", "-S", sdt.dir, "-B", sdt.path("b"), "-G", "Ninja",
                f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", f"-DCMAKE_PREFIX_PATH={targets(target)}")
    sdt.command("cmake", "--build", sdt.path("b"))
    assert SAYS in emulated(sdt, target, sdt.path("b") / "app").stdout


@pytest.mark.parametrize("target", TARGETS)
def test_pkg_config(sdt, targets, target):
    sdt.write("part.c", PART)
    sdt.write("app.c", APP)
    lib = targets(target) / "lib"
    flags = sdt.command("pkg-config", "--cflags", "--libs", "sdtlink",
                        env={"PKG_CONFIG_LIBDIR": str(lib / "pkgconfig")}).stdout.split()
    sdt.command(f"{target}-linux-gnu-gcc", "part.c", "app.c", *flags, f"-Wl,-rpath,{lib}",
                "-o", sdt.path("app"))
    assert SAYS in emulated(sdt, target, sdt.path("app")).stdout


# ---- the launcher ----

LINKERS = {"s390x": ["bfd"]}  # what Debian has for it
MAIN = """#include <sdt/probe.h>
int main(int argc, char **argv)
{
    SDT_PROBE(app, run, argc, argv[0]);
    return SDT_PROBE_ENABLED(app, run);
}
"""


@pytest.mark.parametrize("target, linker", [(t, x) for t in TARGETS for x in LINKERS[t]])
@pytest.mark.parametrize("lto", [[], ["-flto"]], ids=["", "lto"])
def test_a_link_for_another_machine_is_the_compilers_own(sdt, target, linker, lto):
    need(f"{target}-linux-gnu-gcc")
    compiler = f"{target}-linux-gnu-gcc"
    need(f"{target}-linux-gnu-ld.{linker}")
    check_link(sdt, target, [compiler, "-O2", *lto, f"-fuse-ld={linker}"])


def check_link(sdt, target, command):
    compiler, *options = command
    argv = [*options, *INCLUDES, sdt.write("main.c", MAIN)]
    sdt.command(compiler, *argv, "-o", sdt.path("own"))
    result = sdt.sdtlink(compiler, *argv, "-o", sdt.path("ours"))
    assert result.stdout + result.stderr == ""
    assert sdt.path("ours").read_bytes() == sdt.path("own").read_bytes()
    assert emulated(sdt, target, sdt.path("ours")).returncode == 0
    told = sdt.sdtlink("-v", compiler, *argv, "-o", sdt.path("ours"))
    assert told.stderr == ("sdtlink: the objects are for another machine, which has no probes: "
                           "linked as they are\n")


@pytest.mark.parametrize("target", TARGETS)
def test_a_link_that_calls_the_runtime_takes_that_of_its_machine(sdt, targets, target):
    """The tool's own, which it offers to links for x86-64, would not fit."""
    lib = targets(target) / "lib"
    sdt.write("part.c", PART)
    sdt.write("app.c", APP)
    argv = [f"{target}-linux-gnu-gcc", *INCLUDES, "part.c", "app.c"]
    sdt.sdtlink(*argv, f"-L{lib}", "-lsdt", f"-Wl,-rpath,{lib}", "-o", sdt.path("app"))
    assert SAYS in emulated(sdt, target, sdt.path("app")).stdout
    failed = sdt.command(sdt.tool, *argv, "-o", sdt.path("app"), status=1)
    assert "undefined reference to `sdt_enable'" in failed.stderr
    assert str(BUILD) not in failed.stderr


def test_objects_are_left_alone_when_they_are_compiled_and_joined(sdt):
    need("s390x-linux-gnu-gcc")
    source = sdt.write("main.c", MAIN)
    argv = ["-O2", *INCLUDES, source]
    sdt.command("s390x-linux-gnu-gcc", *argv, "-c", "-o", sdt.path("own.o"))
    sdt.sdtlink("--at-compile", "s390x-linux-gnu-gcc", *argv, "-c", "-o", sdt.path("ours.o"))
    assert sdt.path("ours.o").read_bytes() == sdt.path("own.o").read_bytes()
    for launcher, name in (([], "own"), ([sdt.tool], "ours")):
        sdt.command(*launcher, "s390x-linux-gnu-gcc", "-r", "own.o", "-o", sdt.path(name))
    assert sdt.path("ours").read_bytes() == sdt.path("own").read_bytes()


# ---- one object ----

OBJECTS = ["s390x-linux-gnu-gcc", f"gcc -mx32 {FREESTANDING}",
           f"clang --target=powerpc64le-linux-gnu {FREESTANDING}"]


@pytest.mark.parametrize("compiler", OBJECTS)
def test_an_object_without_probes_is_copied(sdt, compiler):
    obj, out = sdt.path("main.o"), sdt.path("out.o")
    sdt.command(*words(compiler), "-g", *INCLUDES, "-c", sdt.write("main.c", MAIN), "-o", obj)
    obj.chmod(0o640)
    said = sdt.sdtlink("-o", out, obj)
    assert said.stdout == (f"{obj}: an object for another machine, with no probe to process; "
                           f"copied to {out}\n")
    assert out.read_bytes() == obj.read_bytes() and out.stat().st_mode & 0o777 == 0o640
    before = obj.read_bytes()
    sdt.sdtlink("-q", "-o", obj, obj)
    assert obj.read_bytes() == before
    sdt.sdtlink("-q", "--require-probes", "-o", out, obj, status=3)
    assert sdt.sdtlink("--dry-run", "--json", obj).stdout == "[]\n"
    sdt.sdtlink("--companion", "-o", sdt.path("companion.o"), obj, status=1)
    assert not sdt.path("companion.o").exists()


@pytest.mark.parametrize("compiler, machine", zip(OBJECTS, ["big-endian", "x32", "ppc64"]))
def test_an_object_that_names_a_probe_is_refused(sdt, compiler, machine):
    """The program itself calls the probe's function: that cannot be passed over."""
    text = "void __dtrace_sdt_app___run(void);\nvoid f(void);\n"
    text += "void f(void) { __dtrace_sdt_app___run(); }\n"
    obj = sdt.path("calls.o")
    sdt.command(*words(compiler), "-c", sdt.write("calls.c", text), "-o", obj)
    refused = sdt.sdtlink("-o", sdt.path("out.o"), obj, status=1)
    assert machine in refused.stderr and not sdt.path("out.o").exists()


# ---- the installation ----

def test_the_package_has_no_tools(targets):
    prefix = targets("aarch64")
    names = {str(p.relative_to(prefix)) for p in prefix.rglob("*")}
    assert {"lib/libsdt.a", "lib/libsdt.so", "include/sdt/probe.h", "include/sdt/nothing.h",
            "lib/pkgconfig/sdtlink.pc", "lib/cmake/sdtlink/sdtlinkConfig.cmake"} <= names
    assert not any(name.startswith(("bin/", "libexec/")) for name in names)
