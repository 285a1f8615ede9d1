# SPDX-License-Identifier: BSD-2-Clause
"""Objects for i386: ELF32, with relocations that have their addends in the code. The observers are
readelf, pyelftools, four linkers, the program itself, and gdb. Nothing here needs a library of 32
bits, so no package."""
import collections
import re
import shutil

import pytest
from elftools.elf.elffile import ELFFile

import i386
from conftest import PROGRAMS
from cross import need
from i386 import LINKERS, linked

pytestmark = [pytest.mark.i386, i386.runs]
COMPILERS = ["gcc -O0 -fno-pic", "gcc -O2 -fno-pic", "gcc -O2 -fPIC", "gcc -O2 -fPIC -fno-plt -g",
             "gcc -O2 -fno-pic -fno-plt", "gcc -Os -fpie -ffunction-sections", "clang -O0 -fno-pic",
             "clang -Os -fno-pic", "clang -Os -fPIC", "clang -O2 -fPIC -fno-plt",
             "clang -O2 -fno-pic -fno-plt -ffunction-sections"]
SOURCE = PROGRAMS / "i386_sites.c"
LINES = "before\nat the end\nafter\n"


def compiled(sdt, compiler="gcc -O2 -fno-pic", *flags, source=SOURCE, name="in.o"):
    return i386.compiled(sdt, source, compiler, *flags, name=name)


def assembled(sdt, text):
    obj = sdt.path("in.o")
    sdt.command("gcc", "-m32", "-c", sdt.write("in.s", text), "-o", obj)
    return obj


def kinds(sdt, file):
    return collections.Counter(re.findall(r'"kind": ?"([^"]+)"',
                                          sdt.run(sdt.tool, "list", "--json", file)))


def uses(sdt, obj):
    """How many relocations name a probe, by readelf."""
    return len(re.findall(r"R_386_\w+ .*__dtrace_sdt", sdt.run("readelf", "-rW", obj)))


def sections(path):
    """{name: (bytes, [(offset, type, symbol)])} of the sections that have a name of their own."""
    with open(path, "rb") as file:
        elf = ELFFile(file)
        assert elf.elfclass == 32 and elf["e_machine"] == "EM_386"
        names = elf.get_section_by_name(".symtab")
        found = {s.name: [s.data(), []] for s in elf.iter_sections()
                 if s["sh_type"] in ("SHT_PROGBITS", "SHT_NOBITS")}
        for table in elf.iter_sections():
            target = elf.get_section(table["sh_info"]).name
            if table["sh_type"] != "SHT_REL" or target not in found:
                continue
            for relocation in table.iter_relocations():
                symbol = names.get_symbol(relocation["r_info_sym"])
                found[target][1].append((relocation["r_offset"], relocation["r_info_type"],
                                         symbol.name or symbol["st_shndx"]))
        return found


# ---- what becomes of an object ----

def test_all_kinds_occur(sdt):
    found = collections.Counter()
    for compiler in COMPILERS:
        found += kinds(sdt, sdt.process(compiled(sdt, compiler)))
    assert set(found) == {"call", "call6", "tail", "tail6", "jcc", "enabled", "enabled6",
                          "enabled-tail", "enabled-tail6"}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_calls_become_sites_and_all_else_stays(sdt, compiler):
    """Every call becomes a site. Bytes, addends among them, and relocations of all sections are
    those of before, but for the sites'."""
    obj = compiled(sdt, compiler)
    count, out = uses(sdt, obj), sdt.process(obj)
    assert sum(kinds(sdt, out).values()) == count >= 6 and uses(sdt, out) == 0
    assert not re.search(r" UND __dtrace", sdt.run("readelf", "-sW", out))
    before, after = sections(obj), sections(out)
    changed = 0
    for name, (data, relocations) in before.items():
        new, news = after[name]
        probes = [at for at, _, symbol in relocations if str(symbol).startswith("__dtrace")]
        touched = {i for at in probes for i in range(at - 2, at + 4)}
        if name == ".eh_frame": # which gets more
            new, news = new[:len(data)], [it for it in news if it[0] < len(data)]
        assert len(new) == len(data)
        assert all(a == b or i in touched for i, (a, b) in enumerate(zip(data, new))), name
        kept = [it for it in relocations if it[0] not in probes]
        places = {it[0] for it in kept}
        assert [it for it in news if it[0] in places] == kept, name
        changed += data != new
    assert changed


def test_addends_of_all_sizes_stay_where_they_are(sdt):
    """As the linker reads them: both objects, linked, have the same bytes there."""
    obj = assembled(sdt, """
        .globl _start
        .text
_start: call __dtrace_sdt_p___n
        mov  there+4,%eax
        ret
        .section .odd,"aw"
        .long there+0x12345, there-., 0x7f000000
        .word there+3, there-.+2
        .byte there+1, there-.-2
        .section .there,"ax"
there:  .skip 16
""")
    flags = ("-Wl,--section-start=.there=0x20", "-Wl,--section-start=.odd=0x40", "-Wl,-N",
             "-Wl,--unresolved-symbols=ignore-all")
    own = linked(sdt, obj, "bfd", *flags, name="own")
    ours = linked(sdt, sdt.process(obj), "bfd", *flags, name="ours")
    dumps = [sdt.run("objdump", "-sj", ".odd", file).split(".odd:")[1] for file in (own, ours)]
    assert dumps[0] == dumps[1] and "65230100" in dumps[0]


def test_what_is_processed_is_copied(sdt):
    out = sdt.process(compiled(sdt))
    said = sdt.sdtlink("-o", sdt.path("again.o"), out)
    assert "processed before" in said.stdout
    assert sdt.path("again.o").read_bytes() == out.read_bytes()


def test_an_object_without_probes_is_copied(sdt):
    obj = compiled(sdt, source=sdt.write("none.c", "int f(int x) { return x; }"))
    said = sdt.sdtlink("-o", sdt.path("out.o"), obj)
    assert "no probe to process" in said.stdout
    assert sdt.path("out.o").read_bytes() == obj.read_bytes()


# ---- links ----

@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("compiler", [COMPILERS[1], COMPILERS[3], COMPILERS[5], COMPILERS[7]])
def test_the_program_runs(sdt, compiler, linker):
    obj = compiled(sdt, compiler)
    exe = linked(sdt, sdt.process(obj), linker, "-Wl,--gc-sections")
    assert sdt.run(exe) == LINES
    assert sum(kinds(sdt, exe).values()) == uses(sdt, obj)


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld"])
def test_the_program_runs_after_a_partial_link(sdt, linker):
    """(bfd does not read what mold 1.10 -r makes of it.)"""
    if not shutil.which(f"ld.{linker}"):
        pytest.skip(f"no ld.{linker}")
    out, joined = sdt.process(compiled(sdt, "gcc -O2 -fPIC")), sdt.path("joined.o")
    sdt.command(f"ld.{linker}", "-m", "elf_i386", "-r", out, "-o", joined)
    exe = linked(sdt, joined, "bfd")
    assert sdt.run(exe) == LINES and kinds(sdt, exe) == kinds(sdt, out)


@pytest.mark.parametrize("linker", LINKERS)
def test_a_library_needs_no_text_relocations(sdt, linker):
    out = sdt.process(compiled(sdt, "gcc -O2 -fPIC"))
    library = linked(sdt, out, linker, "-shared", name="lib.so")
    dynamic = sdt.run("readelf", "-dW", library)
    assert "INIT_ARRAY" in dynamic and "TEXTREL" not in dynamic
    assert sum(kinds(sdt, library).values()) == uses(sdt, sdt.path("in.o"))


@pytest.mark.parametrize("linker", LINKERS)
def test_the_constructor_registers_twice(sdt, linker):
    exe = linked(sdt, sdt.process(compiled(sdt, "gcc -O2 -fno-pic", "-DREGISTER")), linker)
    assert sdt.run(exe) == "registered\n" * 2 + LINES


@pytest.mark.parametrize("linker", LINKERS)
def test_the_loader_runs_the_constructor(sdt, linker):
    """Of a program that may be anywhere, where the GOT is filled at start-up."""
    if not shutil.which("/lib/ld-linux.so.2"):
        pytest.skip("no loader for programs of 32 bits")
    out = sdt.process(compiled(sdt, "gcc -O2 -fPIC", "-DREGISTER"))
    library = linked(sdt, sdt.process(compiled(sdt, "gcc -O2 -fPIC", name="lib.o")), linker,
                     "-shared", name="lib.so")
    exe = sdt.path("pie")
    sdt.command("gcc", "-m32", "-nostdlib", "-pie", f"-fuse-ld={linker}",
                "-Wl,--no-as-needed", out, library, "-Wl,--export-dynamic", f"-Wl,-rpath,{sdt.dir}",
                "-Wl,--dynamic-linker=/lib/ld-linux.so.2", "-o", exe)
    assert sdt.run(exe).count("registered\n") == 4 # the library by the loader, the program itself


@pytest.mark.parametrize("linker", ["bfd", "lld"])
@pytest.mark.parametrize("compiler", ["clang -Os -fno-pic", "gcc -O2 -fno-pic -fno-plt"])
def test_one_byte_leads_to_the_handler(sdt, compiler, linker):
    """Tail calls and conditional ones: by the loader and the stub, which say which site it was.
    (The others write no program whose text can be changed.)"""
    out = sdt.process(compiled(sdt, compiler, "-DARM"))
    here = kinds(sdt, out)
    exe = linked(sdt, out, linker, "-Wl,-N")
    assert sdt.run(exe).count("hit\n") == here["tail"] + here["tail6"] + here["jcc"] >= 1


# ---- tracers ----

def test_gdb_prints_the_arguments(sdt):
    need("gdb")
    exe = linked(sdt, sdt.process(compiled(sdt, "gcc -O2 -fno-pic", "-g")))
    said = sdt.run("gdb", "-batch", "-nx", "-ex", "break -probe-stap web:begin", "-ex", "run",
                   "-ex", "print $_probe_arg0", "-ex", "x/s $_probe_arg1", "-ex", "continue",
                   "-ex", "x/s $_probe_arg1", exe)
    assert "$1 = 7" in said and '"path"' in said and '"tail"' in said


def test_notes_have_addresses_of_four_bytes(sdt):
    exe = linked(sdt, sdt.process(compiled(sdt)))
    said = sdt.run("readelf", "-n", exe)
    assert said.count("Provider: web") == sum(n for kind, n in kinds(sdt, exe).items()
                                              if not kind.startswith("enabled"))
    words = " ".join(f"4@{4 * i}(%esp)" for i in range(6))
    assert f"Arguments: {words}" in said
    where = {int(it, 16) for it in re.findall(r"Location: (0x[0-9a-f]+)", said)}
    code = sdt.run("objdump", "-d", exe)
    assert where and all(re.search(rf"^ *{at:x}:\t(90|c3) ", code, re.M) for at in where)


# ---- refusals ----

GOT_LOAD = "mov __dtrace_sdt_p___n@GOT(%ebx),%esi\n call *%esi\n ret"
REFUSED = {
    "load from the GOT": (GOT_LOAD, ["R_386_GOT32X", "loaded from the GOT", "-fno-plt"]),
    "through a register": ("mov $__dtrace_sdt_p___n,%eax\n call *%eax\n ret",
                           ["R_386_32", "called through a register", "-mforce-indirect-call"]),
    "with an offset": ("call __dtrace_sdt_p___n+8", ["not a plain call", "addend 4"]),
    "arithmetic": ("sub $__dtrace_sdt_p___n-.,%ecx", ["not a plain call"]),
    "inline": (".byte 0x90,0x66,0x0f,0x1f,0\n call __dtrace_sdtasm_p___n", ["no inline probe"]),
    "prefix": ("lea __dtrace_sdt_p___n@GOT(%ebx),%eax", ["unknown use of a probe"]),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_known_is_refused(sdt, what):
    text, words = REFUSED[what]
    said = sdt.sdtlink("-o", sdt.path("out.o"), assembled(sdt, text + "\n"), status=1)
    assert all(word in said.stderr for word in words) and not sdt.path("out.o").exists()


def damage(sdt, change):
    """An object whose bytes CHANGE(bytes, ELFFile) has changed."""
    obj = compiled(sdt)
    data = bytearray(obj.read_bytes())
    with open(obj, "rb") as file:
        change(data, ELFFile(file))
    obj.write_bytes(data)
    return obj


def header(elf, kind):
    """Where the header of the first section of KIND is."""
    index = next(i for i, s in enumerate(elf.iter_sections()) if s["sh_type"] == kind)
    return elf["e_shoff"] + index * elf["e_shentsize"]


def put(data, at, *values):
    data[at:at + len(values)] = bytes(values)


DAMAGE = {
    "another class": (lambda d, e: put(d, 4, 2), "a 64-bit ELF file for i386"),
    "no table": (lambda d, e: put(d, 32, 0, 0, 0, 0), "no complete section table"),
    "a table outside": (lambda d, e: put(d, 34, 0xff, 0xff), "no complete section table"),
    "entries of 64 bits": (lambda d, e: put(d, 46, 64), "e_shentsize is wrong"),
    "symbols of 64 bits": (lambda d, e: put(d, header(e, "SHT_SYMTAB") + 36, 24),
                           "its entry size is wrong"),
    "symbols cut": (lambda d, e: put(d, header(e, "SHT_SYMTAB") + 20, 33),
                    "its entry size is wrong"),
    "contents outside": (lambda d, e: put(d, header(e, "SHT_PROGBITS") + 19, 0x7f),
                         "its contents lie outside the file"),
    "addends": (lambda d, e: put(d, header(e, "SHT_REL") + 4, 4), "addends of their own"),
    "a strange relocation": (
        lambda d, e: put(d, e.get_section_by_name(".rel.text")["sh_offset"] + 4, 200),
        "relocation type 200 is not known"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damaged_objects_are_refused(sdt, what):
    change, words = DAMAGE[what]
    said = sdt.sdtlink("-o", sdt.path("out.o"), damage(sdt, change), status=1)
    assert words in said.stderr and not sdt.path("out.o").exists()


def test_an_object_of_any_length_is_refused_or_copied(sdt):
    """Cut off anywhere, it is refused and nothing is written."""
    data = compiled(sdt).read_bytes()
    obj = sdt.path("cut.o")
    for size in range(0, len(data), 97):
        obj.write_bytes(data[:size])
        said = sdt.sdtlink("-o", sdt.path("out.o"), obj, status=1)
        assert "sdtlink: error" in said.stderr and not sdt.path("out.o").exists()


def test_x32_and_companions_are_refused(sdt):
    out = sdt.path("out.o")
    x32 = sdt.path("x32.o")
    sdt.command("gcc", "-mx32", "-ffreestanding", "-c", sdt.write(
        "x.c", "void __dtrace_sdt_p___n(void);\nvoid f(void) { __dtrace_sdt_p___n(); }\n"),
        "-o", x32)
    assert "(x32)" in sdt.sdtlink("-o", out, x32, status=1).stderr
    said = sdt.sdtlink("--companion", "-o", out, compiled(sdt), status=1)
    assert "no companions for i386" in said.stderr and not out.exists()


def test_verify_says_that_it_does_not_read_such_files(sdt):
    said = sdt.command(sdt.tool, "verify", sdt.process(compiled(sdt)), status=1)
    assert "class 1, machine 3" in said.stderr
