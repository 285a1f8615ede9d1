# SPDX-License-Identifier: BSD-2-Clause
"""No name of an input reaches the terminal as it is: ESC in each name that an input can carry.

A terminal obeys what it is sent: a file, a member of an archive, a section, a symbol or a note that
is named with escape sequences could repaint the screen, or type for whoever reads the message.
"""
import os
import struct

import pytest
from notes import assembly, note
from patched import needs_verify
from test_launcher import Launcher

from conftest import INCLUDE, TOOL_BUILD

ESC = "\x1b[31m"
SHOWN = r"\x1b[31m"
PROBE = "#include <sdt/probe.h>\nint {0}(int x) {{ SDT_PROBE(p, {0}, x); return x; }}\n"
MAIN = "int main(void) { return 0; }\n"


@pytest.fixture
def launch(sdt):
    return Launcher(sdt)


@pytest.fixture
def harmless(sdt):
    """Run the tool: it must show the ESC (unless told that it cannot), and send none."""
    def run(*args, shows=True, status=None, env=None):
        result = sdt.sdtlink(*args, text=False, status=status, env=env)
        text = result.stdout + result.stderr
        raw = [byte for byte in text if byte < 0x20 and byte != 0x0a or byte == 0x7f]
        assert not raw and b"\xc2\x9b" not in text, text
        assert not shows or SHOWN.encode() in text, text
        assert b"Sanitizer" not in text and b"runtime error" not in text, text
        return text.decode()
    return run


def compiled(sdt, name, text, *flags):
    """An object whose own name is NAME, which may hold anything."""
    source = sdt.write("source.c", text)
    sdt.command("gcc", "-O2", "-I", INCLUDE, *flags, "-c", source, "-o", sdt.dir / name)
    return sdt.dir / name


def renamed(path, *names):
    """Each of NAMES in the file PATH gets ESC written over its first bytes."""
    data = path.read_bytes()
    for name in names:
        assert name in data
        data = data.replace(name, ESC.encode() + name[len(ESC):])
    path.write_bytes(data)
    return path


# ---- names of files ----

def test_files(sdt, harmless):
    """Of inputs and outputs, in directories whose name is no better."""
    directory = sdt.dir / f"directory{ESC}"
    directory.mkdir()
    probe = compiled(sdt, directory / f"probe{ESC}.o", PROBE.format("f"))
    none = compiled(sdt, directory / f"none{ESC}.o", MAIN)
    out = directory / f"out{ESC}.o"
    for args in (["-o", out, probe], ["-v", "-o", out, probe], ["-o", out, none],
                 ["-o", out, out], ["verify", out]):
        harmless(*args, status=0)
    for args in (["--dry-run", probe], ["--dry-run", "--json", probe]):
        harmless(*args, status=0, shows=False)
    for args in ([], ["--summary"], ["--demangle"]):
        harmless("list", *args, none, status=0)
        harmless("list", *args, "--match", "nothing:*", out, status=0)
    for args in (["-o", out, directory], ["-o", directory, probe], ["-o", out, f"{out}.missing"],
                 ["-o", f"{directory}/missing/{ESC}", probe], ["--companion", "-o", out, none],
                 ["--companion", "-o", out, probe], ["finalize", probe], ["finalize", directory],
                 ["verify", f"{out}.missing"], ["list", f"{out}.missing"]):
        harmless(*args, status=1)


@pytest.mark.parametrize("content", [
    b"", b"\x7fEL", b"text", b"\x7fELF\x02\x01\x01", b"!<arch>\n" + b"x" * 100,
    b"BC\xc0\xde" + bytes(100), b"\x7fELF\x01\x01\x01" + bytes(100),
    b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x01\0\x3e\0" + b"\xff" * 100],
    ids=["empty", "magic", "text", "start", "archive", "bitcode", "32 bits", "numbers"])
def test_files_that_are_refused(sdt, harmless, content):
    path = sdt.dir / f"bad{ESC}"
    path.write_bytes(content)
    harmless("-o", "out.o", path, status=1)
    harmless("finalize", path, status=1)
    harmless("list", path, status=1)
    harmless("verify", path, status=1)


@pytest.mark.parametrize("name, shown", [
    ("größe.o", "größe.o"), ("a\x9b31mb.o", r"a\xc2\x9b31mb.o"),
    ("r\u202el.o", r"r\xe2\x80\xael.o"),
    (os.fsdecode(b"latin\xf6\x9b.o"), r"latin\xf6\x9b.o")], ids=["utf-8", "csi", "bidi", "latin"])
def test_other_characters(sdt, name, shown):
    """A name in another language is readable; C1, directions and broken UTF-8 are escaped."""
    probe = compiled(sdt, name, PROBE.format("f"))
    for args in (["-o", "out.o", probe], ["verify", probe], ["-o", "out.o", f"{probe}/"],
                 ["finalize", probe]):
        result = sdt.sdtlink(*args, text=False, status=None)
        assert shown.encode() in result.stdout + result.stderr, args


# ---- names in objects ----

def test_sections_and_symbols(sdt, harmless):
    text = "#include <sdt/probe.h>\nint placeholder(int x) { SDT_PROBE(p, n, x); return x; }\n"
    obj = renamed(compiled(sdt, "names.o", text, "-ffunction-sections", "-g0"), b"placeholder")
    harmless("--dry-run", obj)
    harmless("--dry-run", "--json", obj, shows=False)
    out = sdt.process(obj, "-v")
    harmless("list", out)
    damaged = bytearray(out.read_bytes())
    damaged[damaged.index(b"\x90\x66\x0f\x1f\x84\xe9") + 3] = 0x05
    out.write_bytes(damaged)
    harmless("verify", out, status=1)


# What is refused, in a function and section whose names hold ESC, or with such a probe.
REFUSED = {
    "use": "call __dtrace_sdt_a___b+8",
    "probe": "call __dtrace_sdt_placeholder",
    "defined": ".globl __dtrace_sdt_a___placeholder\n__dtrace_sdt_a___placeholder: ret\n"
               "call __dtrace_sdt_a___placeholder",
    "inline": "nop\ncall __dtrace_sdtasm_a___b",
    "descriptor": '1: nop\n.pushsection .sdt_args,"e"\n.long 1b - .\n.byte 1, 0\n'
                  '.asciz "a"\n.asciz "placeholder"\n.popsection\ncall __dtrace_sdt_a___b',
    "conditional": "jne __dtrace_sdt_a___b",
}


@pytest.mark.parametrize("use", REFUSED)
@pytest.mark.parametrize("options", [[], ["--companion"]], ids=["rewrite", "companion"])
def test_what_is_refused(sdt, harmless, use, options):
    source = sdt.write("bad.s", '.section .text.placeholder,"ax"\n.type placeholder,@function\n'
                       f"placeholder: {REFUSED[use]}\nret\n.size placeholder,.-placeholder\n")
    sdt.command("gcc", "-c", source, "-o", "bad.o")
    obj = renamed(sdt.dir / "bad.o", b"placeholder")
    is_fine = use == "conditional" and not options
    harmless(*options, "-o", "out.o", obj, status=0 if is_fine else 1, shows=not is_fine)


def test_overlapping_sections(sdt, harmless):
    obj = compiled(sdt, "over.o", PROBE.format("f") + "__attribute__((section(\"placeholder\"))) "
                   "int data = 1;", "-g0")
    data = bytearray(obj.read_bytes())
    table, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    strings, = struct.unpack_from("<Q", data, table + 64 * names + 24)
    for at in range(table, table + 64 * count, 64):
        name = strings + struct.unpack_from("<I", data, at)[0]
        if data[name:].startswith(b"placeholder\0"):
            struct.pack_into("<Q", data, at + 24, 16)
    obj.write_bytes(data)
    harmless("-o", "out.o", renamed(obj, b"placeholder"), status=1)


NAMED = {"provider": {"provider": "placeholder"}, "name": {"name": "placeholder"},
         "args": {"args": "8@placeholder"}, "vendor": {"vendor": "placeholder"}}


@pytest.mark.parametrize("part", NAMED)
def test_notes(sdt, harmless, part):
    """Of <sys/sdt.h>, in objects and in what is linked from them."""
    source = sdt.write("notes.s", assembly(note(**NAMED[part])))
    sdt.command("gcc", "-c", source, "-o", "notes.o")
    obj = renamed(sdt.dir / "notes.o", b"placeholder")
    sdt.command("gcc", "-c", sdt.write("main.c", MAIN), "-o", "main.o")
    shows = part != "vendor"
    for args in (["-o", "out.o", obj], ["--dry-run", obj], ["--dry-run", "--json", obj],
                 ["list", obj], ["list", "--check", obj], ["verify", obj]):
        harmless(*args, shows=shows and args[:-1] == ["--dry-run"])
    sdt.command("gcc", "main.o", obj, "-o", "program")
    for args in (["list"], ["list", "--check"], ["verify"], ["finalize", "--dry-run"]):
        harmless(*args, "program", shows=shows and args == ["list"])


def test_notes_to_be_removed(sdt, harmless):
    """`finalize --dry-run` names them; what is dropped is what leads nowhere."""
    site = sdt.process(compiled(sdt, "site.o", PROBE.format("f") + MAIN))
    source = sdt.write("notes.s", assembly(note(provider="placeholder", pc="0x10")))
    sdt.command("gcc", "-c", source, "-o", "notes.o")
    sdt.command("gcc", site, renamed(sdt.dir / "notes.o", b"placeholder"), "-o", f"program{ESC}")
    assert "to be removed" in harmless("finalize", "--dry-run", f"program{ESC}", status=0)
    assert "1 note of dropped code removed" in harmless("finalize", f"program{ESC}", status=0)


@needs_verify
def test_verify(sdt, harmless):
    obj = compiled(sdt, f"verify{ESC}.o", PROBE.format("f"))
    harmless("verify", obj, status=1)
    out = sdt.process(obj, name=f"out{ESC}.o")
    harmless("verify", "--against", obj, out, status=0)
    harmless("verify", "--against", f"missing{ESC}", out, status=1)
    exe = sdt.link(sdt.process(compiled(sdt, "main.o", MAIN)), out, runtime=None,
                   name=f"exe{ESC}")
    harmless("verify", exe, status=0)
    harmless("verify", "--against", exe, exe, status=1)


# ---- the launcher ----

def test_links(sdt, launch, harmless):
    """-v shows commands and inputs; archives have members, directories and names of their own."""
    probe = compiled(sdt, f"probe{ESC}.o", PROBE.format("f"))
    other = compiled(sdt, f"other{ESC}.o", PROBE.format("g"))
    main = compiled(sdt, f"main{ESC}.o", MAIN)
    archive, thin = f"lib{ESC}.a", f"thin{ESC}.a"
    sdt.command("ar", "rcs", archive, probe)
    sdt.command("ar", "rcsT", thin, other)
    script = sdt.write(f"script{ESC}", f'INPUT("{archive}" "{thin}")')
    words = ["-Wl,--whole-archive", archive, thin, "-Wl,--no-whole-archive"]
    for linker in ("bfd", "gold", "lld", "mold"):
        harmless("-v", "gcc", f"-fuse-ld={linker}", main, *words, "-o", f"a{ESC}", status=0,
                 env=launch.env)
    harmless("-v", "gcc", main, script, "-o", f"a{ESC}", status=0, env=launch.env, shows=False)
    sdt.write("source.c", PROBE.format("f"))
    harmless("-v", "--at-compile", "gcc", "-I", INCLUDE, "-c", "source.c", "-o", probe, status=0,
             env=launch.env, shows=False)
    harmless("-v", "--ld", "ld", "-r", probe, "-o", f"r{ESC}.o", status=0, env=launch.env,
             shows=False)


@pytest.mark.parametrize("kind", ["object", "member", "thin", "script"])
def test_links_that_are_refused(sdt, launch, harmless, kind):
    text = 'void f(void) { __asm__("call __dtrace_sdt_a___b+8"); }\n'
    bad = compiled(sdt, f"bad{ESC}.o", text)
    main = compiled(sdt, "main.o", MAIN)
    sdt.write("source.c", text)
    name = f"lib{ESC}.a"
    sdt.command("ar", "rcsT" if kind == "thin" else "rcs", name, bad)
    script = sdt.write(f"script{ESC}", f'INPUT("{name}")')
    given = {"object": bad, "script": script}.get(kind, name)
    harmless("gcc", main, given, "-o", "program", status=1, env=launch.env)
    harmless("--at-compile", "gcc", "-c", "source.c", "-o", bad, status=1, env=launch.env)


@pytest.mark.parametrize("linker", ["bfd", "gold", "mold"])
def test_links_of_lto_that_are_refused(sdt, launch, harmless, linker):
    """The plugin speaks through the linker: of the object that the compiler made in TMPDIR."""
    compiled(sdt, "bad.o", MAIN + '__asm__("call __dtrace_sdt_a___b+8");\n', "-flto")
    directory = sdt.path(f"tmp{ESC}")
    directory.mkdir()
    text = harmless("gcc", "-flto", f"-fuse-ld={linker}", "bad.o", "-o", "program", status=1,
                    env={**launch.env, "TMPDIR": str(directory)})
    assert f"tmp{SHOWN}" in text[text.index("that link-time optimisation made"):]


@pytest.mark.parametrize("linker", ["bfd", "gold"])
def test_plugin_that_is_missing(sdt, harmless, linker):
    """Its name in our words and in the dynamic linker's."""
    compiled(sdt, "main.o", MAIN)
    shim = TOOL_BUILD / "sdtlink" / "sdtlink-lto.so"
    result = sdt.command(f"ld.{linker}", "-plugin", shim, f"-plugin-opt=sdtlink-plugin=/no{ESC}",
                         "-plugin-opt=sdtlink-tool=x", "-plugin-opt=sdtlink-directory=x", "main.o",
                         "-o", "program", status=None)
    assert result.returncode != 0 and "\x1b" not in result.stdout + result.stderr
    assert result.stderr.count(f"/no{SHOWN}") == 2


def test_damaged_archives(sdt, launch, harmless):
    probe = compiled(sdt, f"probe{ESC}.o", PROBE.format("f"))
    main = compiled(sdt, "main.o", MAIN)
    archive = sdt.dir / f"lib{ESC}.a"
    sdt.command("ar", "rcs", archive, probe)
    with open(archive, "ab") as file:
        file.write(b"next/           0           0     0     644     x         `\n")
    harmless("gcc", main, archive, "-o", "program", status=1, env=launch.env)


@pytest.mark.parametrize("args", [
    ["--runtime={}", "gcc"], ["--stapsdt={}", "gcc"],
    ["{}"], ["./{}.o"], ["-v", "{}"], ["--ld", "{}"], ["--{}", "gcc"],
    ["--{}", "-o", "out.o", "probe.o"], ["list", "--{}"], ["verify", "--{}"], ["finalize", "--{}"],
    ["-{}", "-o", "out.o", "probe.o"], ["-q{}", "-o", "out.o", "probe.o"], ["verify", "-q{}"],
    ["-vo{}.o", "probe.o"],
], ids=" ".join)
def test_words_of_the_command_line(sdt, harmless, args):
    compiled(sdt, "main.o", MAIN)
    compiled(sdt, "probe.o", PROBE.format("f"))
    sdt.write(f"{ESC}.o", "")
    harmless(*(arg.format(ESC) for arg in args))


def test_words_of_the_environment(sdt, launch, harmless):
    compiled(sdt, "main.o", MAIN)
    harmless("gcc", "main.o", env={"SDTLINK_LAUNCH": f"--{ESC}"}, status=2)
    compiled(sdt, "probe.o", PROBE.format("f"))
    harmless("gcc", "main.o", "probe.o", "-o", "x", status=1,
             env={**launch.env, "TMPDIR": f"/missing{ESC}"})
