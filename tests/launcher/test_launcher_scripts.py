# SPDX-License-Identifier: BSD-2-Clause
"""What a linker script names in INPUT and GROUP is processed as if it were on the line."""
import shutil

import pytest

from conftest import INCLUDE
from stapsdt import notes
from test_launcher import (LINKERS, USER, WEB, launch,  # noqa: F401 (a fixture)
                           library)
from toolchain import OLDER, OLDER_CLANG, major

linkers = pytest.mark.parametrize("linker", LINKERS)


def archive(launch, path="libx.a"):
    launch.sdt.path(path).parent.mkdir(exist_ok=True, parents=True)
    library(launch)
    launch.sdt.command("ar", "rcs", path, "used.o", "unused.o", "plain.o")


@linkers
@pytest.mark.parametrize("text", [
    "INPUT(web.o)", 'INPUT ( "web.o" )', "/* INPUT(no.o) */GROUP(/* ) */web.o -lm)",
    "OUTPUT_FORMAT(elf64-x86-64)\nGROUP ( AS_NEEDED ( -lm ) web.o AS_NEEDED ( -lm ) )",
    "INPUT(-lm);INPUT(web.o)"])
def test_script_on_the_line(launch, linker, text):
    launch.object("web", WEB)
    launch.sdt.write("all.ld", text + "\n")
    launch("gcc", f"-fuse-ld={linker}", "all.ld", "-o", "web")
    assert launch.run("web") == "2 hits\n"
    assert launch.sdt.path("all.ld").read_text() == text + "\n"


@linkers
def test_script_that_is_a_library(launch, linker):
    """-lx finds a text with two archives, of which one needs the other."""
    archive(launch, "libs/liby.a")
    launch.object("user", USER)
    launch.sdt.write("libs/libx.so", "GROUP ( -ly AS_NEEDED ( -lm ) )\n")
    launch("gcc", f"-fuse-ld={linker}", "user.o", "-Llibs", "-lx", "-o", "user")
    assert launch.run("user") == "2 8\n"  # and no intruder: the member stayed where it was


@linkers
@pytest.mark.parametrize("thin", [False, True])
def test_archive_in_a_group(launch, linker, thin):
    library(launch)
    launch.sdt.command("ar", "rcsT" if thin else "rcs", "libx.a", "used.o", "unused.o", "plain.o")
    launch.object("user", USER)
    launch.sdt.write("all.ld", f"GROUP({launch.sdt.dir}/user.o libx.a)\n")
    launch("gcc", f"-fuse-ld={linker}", "all.ld", "-o", "user")
    assert launch.run("user") == "2 8\n"


@linkers
def test_names_relative_to_the_script(launch, linker):
    """Where plain linking finds them, so do we; and where both places have one, the same."""
    (launch.sdt.dir / "sub").mkdir()
    launch.object("sub/web", WEB)
    launch.object("sub/extra", "int extra;")
    launch.sdt.write("sub/all.ld", "INPUT(web.o extra.o)\n")
    command = ["gcc", f"-fuse-ld={linker}", "sub/all.ld", "-o", "web"]
    plain = launch.sdt.command(*command, status=None).stderr
    result = launch(*command, status=None)
    if "__dtrace_sdt" in plain:  # it has found the object, but there is no probe without us
        assert result.returncode == 0 and launch.run("web") == "2 hits\n"
    else:
        assert result.returncode != 0 and result.stderr == plain
    launch.object("web", WEB.replace("%d hits", "%d hits outside"))
    launch.object("extra", "int extra;")
    launch(*command)
    inside = linker in ("lld", "gold") or linker == "mold" and major("mold", "--version") >= 2
    assert launch.run("web") == ("2 hits\n" if inside else "2 hits outside\n")


@linkers
def test_scripts_that_name_scripts(launch, linker):
    launch.object("web", WEB)
    launch.sdt.write("one.ld", "INPUT(two.ld)\n")
    launch.sdt.write("two.ld", "INPUT(web.o)\n")
    command = ["gcc", f"-fuse-ld={linker}", "one.ld", "-o", "web"]
    if "__dtrace_sdt" not in launch.sdt.command(*command, status=None).stderr:
        pytest.skip(f"{linker} takes no script in a script")
    launch(*command)
    assert launch.run("web") == "2 hits\n"


DISCARDS = "SECTIONS { /DISCARD/ : { *(%s) } }\nINSERT BEFORE .text;\n"
SYSTEM_STYLE = WEB.replace("SDT_PROBE(web, request, bytes)", "DTRACE_PROBE1(web, request, bytes)"
                           ).replace("#include <sdt/probe.h>", "#include <sys/sdt.h>")


@pytest.mark.parametrize("patterns", [
    ".note.stapsdt) *(.stapsdt.base", ".note*) *(.stapsdt*", ".comment .note.* .stapsdt.base"])
@pytest.mark.parametrize("linker", ["bfd", "lld"])
@pytest.mark.parametrize("text", [WEB, SYSTEM_STYLE], ids=["ours", "system"])
def test_script_that_discards_notes(launch, linker, patterns, text):
    """Without us such a link works: GNU ld refuses references to what a script discards."""
    launch.object("web", text, "-I", INCLUDE / "sdt-compat")
    launch.sdt.write("discard.ld", DISCARDS % patterns)
    said = launch("-v", "gcc", f"-fuse-ld={linker}", "-Wl,-T,discard.ld", "web.o", "-o", "web")
    assert launch.run("web") == "2 hits\n" and notes(launch.sdt.path("web")) == []
    assert "a linker script discards .note.stapsdt" in said.stdout + said.stderr


KEEPS = ("SECTIONS { .note.stapsdt 0 : { *(.note.stapsdt) } /DISCARD/ : { *(.note.*) } }\n"
         "INSERT AFTER .comment;\n")


@pytest.mark.parametrize("script", [
    DISCARDS % ".comment", KEEPS, DISCARDS.replace("*(", "*nothing.o(") % "*"],
    ids=["something else", "what is left of the notes", "all of some file"])
def test_script_that_keeps_the_notes(launch, script):
    """Of several patterns that mean a section, linkers take the first; `*` need not mean them."""
    launch.object("web", WEB)
    launch.sdt.write("discard.ld", script)
    launch("gcc", "-Wl,-T,discard.ld", "web.o", "-o", "web")
    assert launch.run("web") == "2 hits\n" and len(notes(launch.sdt.path("web"))) == 1


def test_script_that_names_itself(launch):
    launch.sdt.write("own.ld", "INPUT(own.ld)\n")
    launch.object("web", WEB)
    command = ["ld.lld", "own.ld", "web.o", "-o", "web"]
    result = launch("--ld", "--runtime=none", *command, status=None)
    assert result.returncode != 0 and "sdtlink" not in result.stderr


def test_sysroot(launch):
    """An absolute name in a script below the sysroot is below the sysroot as well."""
    archive(launch, "tree/opt/liby.a")
    launch.object("user", USER)
    for name in ("usr", "lib", "lib64"):
        (launch.sdt.dir / "tree" / name).symlink_to(f"/{name}")
    launch.sdt.write("tree/opt/libx.so", "INPUT(/opt/liby.a)\n")
    launch("gcc", "-fuse-ld=bfd", f"-Wl,--sysroot={launch.sdt.dir}/tree", "user.o",
           f"-L{launch.sdt.dir}/tree/opt", "-lx", "-o", "user")
    assert launch.run("user") == "2 8\n"


@pytest.mark.parametrize("option", ["-T all.ld", "-Tall.ld", "--script=all.ld", "--script all.ld",
                                    "-T elsewhere.ld", "-dT all.ld"])
def test_script_of_an_option(launch, option):
    """GNU ld's own script, and an object in front of it."""
    launch.object("web", WEB)
    launch.object("main", "int main2(void); int main(void) { return main2(); }")
    shown = launch.sdt.command("ld.bfd", "-pie", "--verbose").stdout
    script = "INPUT(web.o)\n" + shown.split("==================================================")[1]
    launch.sdt.write("all.ld", script)
    (launch.sdt.dir / "sub").mkdir()
    launch.sdt.write("sub/elsewhere.ld", script)
    words = [f"-Wl,{word}" for word in option.split()]
    launch("gcc", "-fuse-ld=bfd", "-Lsub", *words, "-o", "web")
    assert launch.run("web") == "2 hits\n"


@pytest.mark.parametrize("linker", ["bfd", "gold"])
def test_commas(launch, linker):
    launch.object("web", WEB)
    launch.object("a,b", "int ab;")
    launch.sdt.write("all.ld", "INPUT(web.o , -lm , a,b.o)\n")
    launch("gcc", f"-fuse-ld={linker}", "all.ld", "-o", "web")
    assert launch.run("web") == "2 hits\n"


def test_option_that_begins_like_the_one_for_scripts(launch):
    launch.object("web", WEB)
    launch("gcc", "-fuse-ld=bfd", "-no-pie", "-Wl,-Ttext-segment=0x600000", "web.o", "-o", "web")
    assert launch.run("web") == "2 hits\n"
    launch("gcc", "-fuse-ld=bfd", "-no-pie", "-Wl,-Ttext", "-Wl,0x700000", "web.o", "-o", "web")
    assert launch.run("web") == "2 hits\n"


@linkers
def test_messages_have_the_names_of_the_originals(launch, linker):
    """Also that of the script in which a name leads nowhere."""
    launch.object("web", WEB.replace("serve(1)", "missing()").replace("int main", "int missing();"
                                                                      "int main"))
    (launch.sdt.dir / "sub").mkdir()
    launch.sdt.write("sub/all.ld", "INPUT(web.o)\n")
    result = launch("gcc", f"-fuse-ld={linker}", "sub/all.ld", "-o", "web", status=1)
    assert "web.o" in result.stderr and "missing" in result.stderr
    assert "sdtlink." not in result.stderr
    launch.sdt.write("sub/all.ld", "INPUT(web.o nowhere.o)\n")
    result = launch("gcc", f"-fuse-ld={linker}", "sub/all.ld", "-o", "web", status=1)
    assert "nowhere.o" in result.stderr and "sdtlink." not in result.stderr


def test_what_cannot_be_processed_is_named(launch):
    launch.object("bad", '__asm__(".text\\nbogus: call __dtrace_sdt_p___n+4\\n");\n'
                  "int main(void) { return 0; }")
    launch.sdt.write("all.ld", "INPUT(bad.o)\n")
    result = launch("gcc", "all.ld", "-o", "out", status=1)
    assert "bad.o" in result.stderr and not launch.sdt.path("out").exists()


def test_bitcode_in_a_script_for_lld(launch):
    """Between its two links the launcher takes bitcode from the line, so it has to be there."""
    launch.object("web", WEB, "-flto", compiler=OLDER_CLANG)
    launch.sdt.write("all.ld", "INPUT(web.o)\n")
    command = [OLDER_CLANG, "-flto", f"-fuse-ld=lld-{OLDER}", "all.ld", "-o", "web"]
    result = launch(*command, status=1)
    assert "all.ld: the script names an object for link-time optimisation" in result.stderr
    launch(OLDER_CLANG, "-flto", f"-fuse-ld=lld-{OLDER}", "web.o", "-o", "web")
    assert launch.run("web") == "2 hits\n"


def test_intermediate_code_in_a_script(launch):
    launch.object("web", WEB, "-flto")
    launch.sdt.write("all.ld", "INPUT(web.o)\n")
    launch("gcc", "-flto", "-fuse-ld=bfd", "all.ld", "-o", "web")
    assert launch.run("web") == "2 hits\n"


@linkers
def test_no_probes_no_difference(launch, linker):
    """The linker gets the very words that it would have got."""
    launch.object("none", "int main(void) { return 0; }")
    launch.sdt.write("all.ld", "INPUT(none.o)\n")
    log = launch.sdt.path("log")
    script = launch.sdt.write("fake", f"#!/bin/sh\necho \"$@\" > {log}\n"
                              f"exec {shutil.which('ld.' + linker)} \"$@\"\n")
    script.chmod(0o755)
    launch("--ld", "./fake", "-e", "main", "all.ld", "-o", "out")
    assert log.read_text() == "-e main all.ld -o out\n"
