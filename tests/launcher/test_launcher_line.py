# SPDX-License-Identifier: BSD-2-Clause
"""The launcher in front of a linker itself: options in every place and spelling."""
import re
import shlex
import shutil
import struct

import pytest

from conftest import INCLUDE
from test_launcher import (LIBRARY, LINKERS, USER, WEB, launch,  # noqa: F401 (a fixture)
                           library)


def linkers_line(launch, linker, *inputs, plugin=False):
    """The words, without the linker, that gcc would start LINKER with; the output is called out."""
    shown = launch.sdt.command("gcc", f"-fuse-ld={linker}", "-###", *inputs, "-o", "out").stderr
    line = next(line for line in shown.splitlines() if "collect2" in line)
    words = [word for word in shlex.split(line)[1:] if not word.startswith(("-fuse-ld=", "-flto"))]
    if not plugin:
        words = [word for i, word in enumerate(words)
                 if not word.startswith("-plugin") and words[i - 1] != "-plugin"]
    return words


def without_output(words):
    at = words.index("-o")
    return words[:at] + words[at + 2:]


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("last", [["-o", "out"], ["-oout", "-z", "now", "--build-id"],
                                  ["--no-as-needed", "--output=out", "-O1", "--eh-frame-hdr"]],
                         ids=lambda words: words[0])
def test_options_behind_the_inputs(launch, linker, last):
    """The runtime goes before libc all the same: static, so that the order matters."""
    launch.object("web", WEB)
    words = without_output(linkers_line(launch, linker, "-static", "web.o"))
    launch("--ld", f"ld.{linker}", *words, *last)
    assert launch.run("out") == "2 hits\n"


@pytest.mark.parametrize("linker", LINKERS)
def test_no_library_of_the_driver(launch, linker):
    """Inputs up to the last word: the runtime is after them, and before what has no input."""
    launch.object("used", LIBRARY % {"name": "used"}, "-fPIC")
    launch("--ld", f"ld.{linker}", "-m", "elf_x86_64", "-shared", "-lc",
           "-L/usr/lib/x86_64-linux-gnu", "used.o", "-o", "libused.so")
    assert "libsdt.so.0" in launch.sdt.command("readelf", "-d", "libused.so").stdout


@pytest.mark.parametrize("linker", ["bfd", "gold", "mold"])
@pytest.mark.parametrize("spelling", ["-plugin={}", "--plugin={}", "--plugin {}"])
def test_plugin_in_one_word(launch, linker, spelling):
    launch.object("web", WEB, "-flto")
    words = linkers_line(launch, linker, "-flto", "web.o", plugin=True)
    at = words.index("-plugin")
    words[at:at + 2] = spelling.format(words[at + 1]).split()
    environment = dict(variable.split("=", 1) for variable in (
        "COLLECT_GCC=gcc", "COLLECT_GCC_OPTIONS='-O2' '-flto' '-o' 'out'"))
    launch("--ld", f"ld.{linker}", *words, env=environment)
    assert launch.run("out") == "2 hits\n"


def test_abbreviated_options(launch):
    """GNU ld takes the beginning of a long option for the whole, if no other begins so."""
    launch.object("web", WEB)
    launch("--ld", "ld.bfd", "--relocata", "web.o", "--outp", "all.o")
    assert "__dtrace_sdt" not in launch.sdt.command("nm", "all.o").stdout
    library(launch)
    launch.sdt.command("ar", "rcs", "libx.a", "used.o", "plain.o")
    launch.object("user", USER)
    words = without_output(linkers_line(launch, "bfd", "-static", "user.o", "-lx"))
    launch("--ld", "ld.bfd", *words, "--trace", "--library-p=.", "--gc-sect", "--output=out")
    assert launch.run("out") == "2 8\n"


def test_directories_of_gnu_ld(launch):
    """Without -L, it looks in those that --verbose shows; -nostdlib forbids that."""
    library(launch)
    (launch.sdt.dir / "own").mkdir()
    launch.sdt.command("ar", "rcs", "own/libx.a", "used.o", "plain.o")
    launch.object("user", USER)
    script = launch.sdt.write("ld.bfd", f"""#!/bin/sh
case $* in
*--verbose*) echo 'SEARCH_DIR("/nowhere"); SEARCH_DIR("{launch.sdt.dir}/own");' ;;
*) echo "$@" | tr ' ' '\\n' | grep -c '/1[.]a/.*/own/libx.a\\|own/libx.a$' >&2
   exec {shutil.which('ld.bfd')} "$@" -L{launch.sdt.dir}/own ;;
esac
""")
    script.chmod(0o755)
    words = linkers_line(launch, "bfd", "user.o", "-lx")
    launch("--ld", "./ld.bfd", *words)
    assert launch.run("out") == "2 8\n"
    result = launch("--ld", "./ld.bfd", "-nostdlib", *words, status=1)
    assert "undefined reference to `__dtrace_sdtasm_run_sdtlink___lib___used" in result.stderr


def test_directories_of_gold(launch):
    """It does not say which it has, so they are known: the last one that is tried as well."""
    library(launch)
    (launch.sdt.dir / "root" / "usr" / "lib").mkdir(parents=True)
    launch.sdt.command("ar", "rcs", "root/usr/lib/libx.a", "used.o", "plain.o")
    launch.object("user", USER)
    words = linkers_line(launch, "gold", "user.o", "-lx")
    launch("--ld", "ld.gold", f"--sysroot={launch.sdt.dir}/root", *words)
    assert launch.run("out") == "2 8\n"


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("kind", ["object", "archive", "thin archive"])
def test_absolute_names_that_climb(launch, linker, kind):
    """The root's parent is the root: the copy lies in the link's directory all the same."""
    launch.object("web", WEB)
    climbing = "/.." * 20 + str(launch.sdt.dir)
    name = f"{climbing}/web.o"
    if kind != "object":
        launch.sdt.command("ar", "rcs" + ("T" if "thin" in kind else ""), "libweb.a", "web.o")
        name = f"{climbing}/libweb.a"
    before = {path: path.read_bytes() for path in launch.sdt.dir.glob("*.[oa]")}
    launch("gcc", f"-fuse-ld={linker}", "-Wl,--whole-archive", name, "-Wl,--no-whole-archive",
           "-o", "out")
    assert launch.run("out") == "2 hits\n"
    assert before == {path: path.read_bytes() for path in launch.sdt.dir.glob("*.[oa]")}


@pytest.mark.parametrize("option", ["--ld-path={}", "-fuse-ld={}"])
def test_our_own_name_as_the_linker(launch, option):
    """It stands for the linker that it runs, and does not start itself for ever."""
    own = launch.sdt.tool.parent / "launch" / "ld.lld"
    launch.object("web", WEB)
    launch.object("none", "int main(void) { return 0; }")
    launch("clang", option.format(own), "none.o", "-o", "none")
    launch("clang", option.format(own), "web.o", "-o", "out")
    assert launch.run("out") == "2 hits\n"
    launch("--ld", own, "-r", "web.o", "-o", "all.o")
    assert "__dtrace_sdt" not in launch.sdt.command("nm", "all.o").stdout


def test_a_runtime_of_ones_own(launch):
    """Objects that define what processed ones refer to need no second runtime."""
    launch.object("web", WEB.split("int main")[0] + "int main(void) { return serve(1); }")
    launch.object("mine", "struct sdt_dso; void __sdt_register(struct sdt_dso *d) { (void)d; }"
                  "void __sdt_unregister(struct sdt_dso *d) { (void)d; }")
    launch("gcc", "mine.o", "-shared", "-o", "libmine.so")
    assert "libsdt" not in launch.sdt.command("readelf", "-d", "libmine.so").stdout


def with_wide_table(data):
    """The archive with its symbol table in 64 bits, as for archives of more than 4 GB."""
    size = int(data[56:66])
    table = data[68:68 + size]
    count = struct.unpack_from(">I", table)[0]
    names = table[4 + 4 * count:].rstrip(b"\0") + b"\0"
    length = 8 + 8 * count + len(names)
    length += -length % 8
    moved = length - (size + size % 2)
    offsets = [offset + moved for offset in struct.unpack_from(f">{count}I", table, 4)]
    wide = struct.pack(f">{count + 1}Q", count, *offsets) + names
    header = b"/SYM64/".ljust(48) + str(length).encode().ljust(10) + b"`\n"
    return data[:8] + header + wide.ljust(length, b"\0") + data[68 + size + size % 2:]


@pytest.mark.parametrize("linker", LINKERS)
def test_symbol_table_of_64_bits(launch, linker):
    """It stays one, and leads to the same members."""
    library(launch)
    launch.sdt.command("ar", "rcs", "libx.a", "unused.o", "used.o", "plain.o")
    archive = launch.sdt.path("libx.a")
    before = launch.sdt.command("nm", "--print-armap", "libx.a").stdout
    archive.write_bytes(with_wide_table(archive.read_bytes()))
    assert launch.sdt.command("nm", "--print-armap", "libx.a").stdout == before
    launch.object("user", USER)
    keep = launch.sdt.write("keep", "#!/bin/sh\nfor word; do case $word in */libx.a) cp \"$word\" "
                            f"{launch.sdt.dir}/copy.a ;; esac; done\n"
                            f"exec {shutil.which('ld.' + linker)} \"$@\"\n")
    keep.chmod(0o755)
    words = linkers_line(launch, linker, "user.o", "-L.", "-lx")
    launch("--ld", "./keep", *words)
    assert launch.run("out") == "2 8\n"
    copy = launch.sdt.path("copy.a").read_bytes()
    assert copy[8:16] == b"/SYM64/ "

    def table(text):
        return [line for line in text.splitlines() if " in " in line]

    shown = launch.sdt.command("nm", "--print-armap", "copy.a").stdout
    assert table(shown) == table(before) and table(shown)


@pytest.mark.parametrize("linker", LINKERS)
def test_linker_inherits_no_descriptor_of_ours(launch, linker):
    launch.object("web", WEB)
    script = launch.sdt.write("show", "#!/bin/sh\nls -l /proc/self/fd > fds\n"
                              f"exec {shutil.which('ld.' + linker)} \"$@\"\n")
    script.chmod(0o755)
    launch("--ld", "./show", *linkers_line(launch, linker, "web.o"))
    assert launch.run("out") == "2 hits\n"
    found = re.findall(r" (\d+) -> (.*)", launch.sdt.path("fds").read_text())
    assert [number for number, _ in found] == ["0", "1", "2", "3"]  # 3: the directory that ls reads
    assert found[3][1].startswith("/proc/")
    launch.object("none", "int main(void) { return 0; }")
    launch("--ld", "./show", *linkers_line(launch, linker, "none.o"))
    found = re.findall(r" (\d+) -> (.*)", launch.sdt.path("fds").read_text())
    assert [number for number, _ in found] == ["0", "1", "2", "3"]


def test_compiler_inherits_no_descriptor_of_ours(launch):
    """Under --at-compile, and started by the linker's plugin."""
    compiler = launch.sdt.write("gcc", "#!/bin/sh\nls -l /proc/self/fd > fds\n"
                                f"exec {shutil.which('gcc')} \"$@\"\n")
    compiler.chmod(0o755)
    launch.sdt.write("web.c", WEB)
    launch("--at-compile", "./gcc", "-I", INCLUDE, "-c", "web.c")
    assert len(re.findall(" -> ", launch.sdt.path("fds").read_text())) == 4
    launch.object("web", WEB, "-flto")
    (launch.sdt.dir / "bin").mkdir()
    wrapper = launch.sdt.command("gcc", "-print-prog-name=lto-wrapper").stdout.strip()
    script = launch.sdt.write("bin/lto-wrapper", "#!/bin/sh\nls -l /proc/self/fd > "
                              f"{launch.sdt.dir}/fds\nexec {wrapper} \"$@\"\n")
    script.chmod(0o755)
    launch.sdt.path("fds").unlink()
    launch("gcc", "-flto", f"-B{launch.sdt.dir}/bin", "web.o", "-o", "web")
    assert launch.run("web") == "2 hits\n"
    shown = launch.sdt.path("fds").read_text()
    assert "sdtlink." not in shown and "signalfd" not in shown


@pytest.mark.parametrize("names", [["a.o", "./a.o", "x/../a.o", "x//a.o"],
                                   ["x/a.o", "a.o"], ["x/a.o", "../{}/x/a.o"]])
def test_names_that_mean_the_same_place(launch, names):
    """One copy for each spelling: the linker says what it says of the originals."""
    (launch.sdt.dir / "x").mkdir()
    launch.object("a", WEB)
    launch.object("x/a", LIBRARY % {"name": "used"})
    names = [name.format(launch.sdt.dir.name) for name in names]
    command = ["gcc", "-fuse-ld=bfd", "-Wl,-z,muldefs", "-Wl,-t", *names, "a.o", "-o", "out"]
    result = launch(*command)
    traced = [line for line in result.stdout.splitlines() if line in names]
    assert traced == names + ["a.o"] * ("a.o" in names)
    assert launch.run("out") == "2 hits\n"
