# SPDX-License-Identifier: BSD-2-Clause
"""Objects of link-time optimisation: what is recognised, refused with a command that works, and
taken out of objects that hold machine code as well. test_lto_links.py has the links.
"""
import re

import pytest

from conftest import ROOT, TOOL_BUILD
from elfview import ElfView
from ltoproject import MAIN, SOURCE, assemble, compiled
from toolchain import CLANGS, LLVMS, NEWER

NATIVE = {  # the commands that our messages advise
    "gcc": ["gcc", "-flto", "-O2", "-r", "-nostdlib", "-flinker-output=nolto-rel"],
    **{f"clang-{n}": [f"ld.lld-{n}", "-r"] for n in LLVMS},
}


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


@pytest.mark.parametrize("linker", ["ld.bfd", "ld.gold", "ld.lld", f"ld.lld-{NEWER}"])
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
    assert len(numbers) == 8
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
