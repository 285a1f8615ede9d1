# SPDX-License-Identifier: BSD-2-Clause
"""The runtime finds the C library and libgcc, wherever a link names them; and needs little of them.

Links of people who run the linker themselves, of compilers that name libgcc by its path, and of
scripts that name the C library.
"""
import pathlib
import re
import subprocess

import pytest

from conftest import INCLUDE
from test_launcher import LINKERS, WEB, launch  # noqa: F401 (a fixture)
from toolchain import accepts, has

pytestmark = pytest.mark.plain  # the links are what counts

linkers = pytest.mark.parametrize("linker", LINKERS)


def file_of(name):
    return subprocess.run(["gcc", f"-print-file-name={name}"], text=True, capture_output=True,
                          check=True).stdout.strip()


CRT = {name: file_of(f"{name}.o") for name in ("crt1", "crti", "crtn")}
LIBC, LIBGCC, LIBGCC_EH = file_of("libc.a"), file_of("libgcc.a"), file_of("libgcc_eh.a")
# Orders in which a line or a script may name its libraries; libgcc_eh is needed by the C library
# of a static program only.
ORDERS = {
    "a file of libgcc before -lc": "OBJ GCC -lc GCC",
    "libgcc first": "GCC OBJ -lc",
    "all first": "-lc GCC OBJ",
    "all first, in a group": "--start-group -lc GCC OBJ --end-group",
    "a file of the C library first": "LIBC GCC OBJ",
    "the name of a file": "-l:LIBC GCC OBJ",
}


def line(order, is_static=False):
    """The words for `ld`."""
    gcc = [LIBGCC, LIBGCC_EH] if is_static else [LIBGCC]
    libc = LIBC if is_static else file_of("libc.so")
    words = ["-static"] if is_static else ["-dynamic-linker", "/lib64/ld-linux-x86-64.so.2"]
    words += [f"-L{pathlib.Path(LIBC).parent}", CRT["crt1"], CRT["crti"]]
    for word in order.split():
        words += gcc if word == "GCC" else [word.replace("OBJ", "web.o").replace(
            "-l:LIBC", f"-l:{pathlib.Path(libc).name}").replace("LIBC", libc)]
    return [*words, CRT["crtn"], "-o", "web"]


@linkers
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_wherever_the_line_names_them(launch, linker, order):
    launch.object("web", WEB, "-fno-pie")
    launch("--ld", f"ld.{linker}", *line(order))
    assert launch.run("web") == "2 hits\n"


@pytest.mark.parametrize("linker", ["bfd", "gold"])
@pytest.mark.parametrize("order", ["--start-group -lc GCC --end-group OBJ", "OBJ GCC -lc GCC -lc",
                                   "--start-group -lc GCC OBJ --end-group"])
def test_the_same_in_a_static_program(launch, linker, order):
    """These linkers read an archive once, where it stands."""
    launch.object("web", WEB, "-fno-pie")
    launch("--ld", f"ld.{linker}", *line(order, is_static=True))
    assert launch.run("web") == "2 hits\n"


SCRIPTS = {
    "GROUP": "INPUT(START web.o) GROUP(-lc) INPUT(GCC END)",
    "first": "INPUT(START) GROUP(-lc GCC) INPUT(web.o END)",
    "AS_NEEDED": "INPUT(START web.o AS_NEEDED(-lc) GCC END)",
    "a path": "INPUT(START web.o LIBC GCC END)",
    "a file of another script": "INPUT(START web.o) INPUT(inner.ld) INPUT(GCC END)",
}


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize("linker", ["bfd", "gold", "lld"])
def test_a_script_that_names_the_c_library(launch, linker, text):
    if linker == "gold" and "inner" in text:
        pytest.skip("gold takes no script in a script")
    launch.object("web", WEB, "-fno-pie")
    launch.sdt.write("inner.ld", "GROUP(-lc)\n")
    for name, value in (("START", f"{CRT['crt1']} {CRT['crti']}"), ("END", CRT["crtn"]),
                        ("LIBC", file_of("libc.so")), ("GCC", LIBGCC)):
        text = text.replace(name, value)
    launch.sdt.write("all.ld", text + "\n")
    launch("--ld", f"ld.{linker}", f"-L{pathlib.Path(LIBC).parent}", "-dynamic-linker",
           "/lib64/ld-linux-x86-64.so.2", "all.ld", "-o", "web")
    assert launch.run("web") == "2 hits\n"


def test_a_script_of_an_option_that_names_the_c_library(launch):
    launch.object("web", WEB, "-fno-pie")
    shown = launch.sdt.command("ld.bfd", "--verbose").stdout
    script = shown.split("==================================================")[1]
    launch.sdt.write("all.ld", f"GROUP(-lc {LIBGCC})\n{script}")
    launch("--ld", "ld.bfd", *[word for word in line("OBJ") if word != "-lc"], "-T", "all.ld")
    assert launch.run("web") == "2 hits\n"


@pytest.mark.parametrize("linker", ["bfd", "lld"])
def test_a_script_that_is_included(launch, linker):
    """Found along -L, and not beside the script that includes it; its probes are processed."""
    (launch.sdt.dir / "sub").mkdir()
    launch.object("web", WEB, "-fno-pie")
    launch.sdt.write("all.ld", f"INPUT({CRT['crt1']} {CRT['crti']})\nINCLUDE inner.ld\n")
    launch.sdt.write("sub/inner.ld", f"INPUT(web.o) GROUP(-lc {LIBGCC} {CRT['crtn']})\n")
    launch("--ld", f"ld.{linker}", f"-L{pathlib.Path(LIBC).parent}", "-Lsub", "-dynamic-linker",
           "/lib64/ld-linux-x86-64.so.2", "all.ld", "-o", "web")
    assert launch.run("web") == "2 hits\n"


def test_a_runtime_that_a_script_names(launch):
    """It is not added a second time, and no other kind is asked for."""
    launch.object("web", WEB)
    launch.sdt.write("all.ld", f"INPUT({launch.sdt.static_runtime})\n")
    result = launch("-v", "gcc", "web.o", "all.ld", "-o", "web")
    assert "runtime added" not in result.stderr and launch.run("web") == "2 hits\n"


def test_a_library_in_a_script_that_needs_the_runtime(launch):
    """The program then shares it."""
    launch.object("part", "#include <sdt/probe.h>\nint part(void) { SDT_PROBE(p, n); return 1; }",
                  "-fPIC")
    launch("gcc", "-shared", "part.o", "-o", "libpart.so.1")
    launch.sdt.write("libpart.so", "INPUT(./libpart.so.1)\n")
    launch.object("web", WEB)
    launch("gcc", "web.o", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "web")
    assert launch.run("web") == "2 hits\n"
    needed = launch.sdt.command("readelf", "-d", "web").stdout
    assert re.search(r"NEEDED.*libsdt\.so", needed)


@pytest.mark.parametrize("options", [[], ["-static"]], ids=["dynamic", "static"])
def test_musl(launch, options):
    """Its compiler names libgcc by a path, and calls its C library libc.so."""
    if not has("musl-gcc"):
        pytest.skip("this machine has no musl-gcc")
    launch.sdt.write("web.c", WEB)
    # gcc 16 asks for a library that musl-gcc does not find once there is a -B.
    without = [flag for flag in ["-fno-link-libatomic"] if accepts("gcc", flag)]
    launch("musl-gcc", "-O2", "-I", INCLUDE, *without, *options, "web.c", "-o", "web")
    assert launch.run("web") == "2 hits\n"


# ---- no C library ----

FREE = """#include <sdt/probe.h>
void _start(void) { SDT_PROBE(p, n); __asm__("mov $60,%eax; xor %edi,%edi; syscall"); }"""


def test_a_warning_where_no_runtime_is_added(launch):
    launch.object("free", FREE)
    command = ["gcc", "-nostdlib", "-static", "free.o", "-o", "free"]
    said = launch(*command).stderr
    assert "free: no runtime added: the link names no C library; its probes stay off" in said
    assert "--runtime=none" in said
    assert launch("--runtime=none", *command).stderr == ""
    launch.run("free")


def test_a_runtime_that_is_asked_for_is_added(launch):
    """Also where the launcher sees no C library."""
    launch.object("free", FREE)
    result = launch("-v", "--runtime=static", "gcc", "-nostdlib", "-static", "free.o", "-o", "free",
                    status=1)
    assert "runtime added" in result.stderr and "undefined reference to `malloc'" in result.stderr


# ---- what the runtime needs ----

def symbols(launch, *words):
    said = launch.sdt.command("nm", "-g", "--quiet", *words).stdout
    return {fields[-1] for row in said.splitlines() if len(fields := row.split()) > 1}


@pytest.mark.nosan
def test_the_static_runtime_needs_nothing_of_libgcc(launch):
    """A link that names no libgcc works with it, if it works without."""
    needed = symbols(launch, "-u", launch.sdt.static_runtime)
    assert "malloc" in needed
    assert not needed & symbols(launch, "--defined-only", LIBGCC)
    launch.object("web", WEB)
    launch("gcc", "-nodefaultlibs", "web.o", "-lc", "-o", "web")
    assert launch.run("web") == "2 hits\n"


@linkers
@pytest.mark.parametrize("kind", ["", "-pie", "-static", "-static-pie", "-shared"])
def test_no_linker_warns(launch, linker, kind):
    """Not of dlopen() in a static program either. Each warning ends the link."""
    if linker == "gold" and kind == "-static-pie":
        pytest.skip("gold has no static-pie")
    launch.object("web", WEB, "-fPIC")
    warnings = ["--fatal-warnings", "--warn-common"]
    if linker == "bfd":
        warnings += ["--warn-execstack", "--warn-rwx-segments", "--warn-textrel"]
    result = launch("gcc", f"-fuse-ld={linker}", kind or "-no-pie", "web.o",
                    *[f"-Wl,{word}" for word in warnings], "-o", "web")
    assert result.stderr == result.stdout == ""
    if kind != "-shared":
        assert launch.run("web") == "2 hits\n"


def test_only_the_librarys_own_files_are_the_runtime(launch):
    """libsdt.rlib is what rustc makes of a crate called sdt: its probes need a runtime."""
    launch.object("web", WEB)
    launch.sdt.command("ar", "rcs", "libsdt.rlib", "web.o")
    launch("gcc", "-Wl,--whole-archive", "libsdt.rlib", "-Wl,--no-whole-archive", "-o", "web")
    assert launch.run("web") == "2 hits\n"
