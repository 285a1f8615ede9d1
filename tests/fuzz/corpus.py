# SPDX-License-Identifier: BSD-2-Clause
"""The files that fuzzing starts from: small objects and programs of every kind.

    SDT_BUILD=build-fuzz tests/fuzz/corpus.py DIRECTORY

They are compiled, not committed: so they follow the macros, the compilers and the format. Under
DIRECTORY each target gets a directory of its own.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "support"))

import notes  # noqa: E402  (of the tests)
import recordings  # noqa: E402

BUILD = pathlib.Path(os.environ.get("SDT_BUILD", ROOT / "build")).resolve()
TOOL = BUILD / "sdtlink" / "sdtlink"

MACROS = """
#include <sdt/probe.h>
int work(int a, const char *s, double d);
int work(int a, const char *s, double d)
{
    SDT_PROBE(fuzz, start);
    if (SDT_PROBE_ENABLED(fuzz, args))
        SDT_PROBE(fuzz, args, a, s, d, a, a, a, a, a);
    return a;
}
"""
CALLS = """
void __dtrace_sdt_fuzz___plain(int);
void __dtrace_sdt_fuzz___mod___func___four(int);
int __dtrace_sdtenabled_fuzz___plain(void);
void plain(int a) { __dtrace_sdt_fuzz___plain(a); __asm__(""); }
void four(int a) { __dtrace_sdt_fuzz___mod___func___four(a); __asm__(""); }
void tail(int a) { __dtrace_sdt_fuzz___plain(a); }
void maybe(int a) { if (a) __dtrace_sdt_fuzz___plain(a); }
int question(void) { return __dtrace_sdtenabled_fuzz___plain() + 1; }
int tail_question(void) { return __dtrace_sdtenabled_fuzz___plain(); }
"""
TAKEN = """
void __dtrace_sdt_fuzz___taken(int);
void (*pointer)(int) = __dtrace_sdt_fuzz___taken;
void call(int a) { __dtrace_sdt_fuzz___taken(a); __asm__(""); }
"""
TEMPLATES = """
#include <sdt/probe.h>
template <typename T> T twice(T t) { SDT_PROBE(fuzz, twice, t); return t + t; }
int ints(int i) { return twice(i); }
double doubles(double d) { return twice(d); }
"""
# An old manner of COMDAT, a section in a group with others, two sites in one function without size.
ASSEMBLER = """
    .section .gnu.linkonce.t.f,"ax",@progbits
    .globl f
f:  call __dtrace_sdt_fuzz___once
    ret
    .section .text.g,"axG",@progbits,g,comdat
    .weak g
    .type g, @function
g:  call __dtrace_sdt_fuzz___grouped@PLT
    jmp __dtrace_sdt_fuzz___grouped
    .section .rodata.g,"aG",@progbits,g,comdat
    .quad g
    .section .init,"ax",@progbits
    call __dtrace_sdt_fuzz___init
    .section .note.GNU-stack,"",@progbits
"""
NOTES = """
    .globl _start
_start: nop
    .section .note.GNU-stack,"",@progbits
    .section .stapsdt.base,"aG",@progbits,.stapsdt.base,comdat
    .weak _.stapsdt.base
_.stapsdt.base: .space 1
    .section .note.stapsdt,"",@note
    .balign 4
    .long 8, 2f-1f, 3
    .asciz "stapsdt"
1:  .quad _start, _.stapsdt.base, 0
    .asciz "prov", "name", "-4@%edi 8@8(%rsp)"
2:  .balign 4
"""
# Notes for other machines, and such that no reader reads whole.
ODD_NOTES = notes.assembly(
    notes.note(args="8@%rax 4@$5 8f@8(%rsp) 8@x(%rip) 8@8(%rax,%rbx,4) 16@%xmm0 1@%r8b"),
    notes.note(args="8@%rax,  %fs:8 8@-16+4(%rbp) 8@0x10(%rsp) ", semaphore="prov_probe_semaphore"),
    notes.note(args="4@%eax, 8@%rsi 4@4(%rsi, %rdi, 4)", semaphore=None), notes.note(args=":"),
    notes.note(args="4@8 (%rsi)"), notes.note(args="8@x+ 8(%rip)", provider="libprovider"),
    notes.note(code=".byte 0x0f,0x1f,0x44,0,0", kind=4), notes.note(padded=True, vendor="stap"),
    notes.semaphore("prov_probe_semaphore", align=2))
FOREIGN = {
    "aarch64": ("8@[x0, 16] 4@w1 8@[x0, x1] 8@x2 4@5 8@[x0, #:lo12:x]", ".8byte"),
    "riscv64": ("8@-24(s0) 4@5 8@(a0)", ".8byte"), "s390x": ("8@164(%r15) 8@8(%r1,%r2)", ".8byte"),
    "arm": ("4@[fp, #-8] 4@r0 4@#5", ".4byte"), "i386": ("4@%eax", ".4byte"),
    "powerpc64le": ("8@9,10 i5", ".8byte"),
}
# The other machines that have sites: target → what clang needs to compile for it without its libc.
MACHINES = {"aarch64": ["-mbranch-protection=standard"], "riscv64": ["-march=rv64gc"]}
# Calls, tail calls and conditional ones, and a probe whose address is taken.
BRANCHES = {
    "aarch64": """
    .globl _start
_start: bl __dtrace_sdt_fuzz___called
    bl __dtrace_sdtenabled_fuzz___called
    cbz w0, __dtrace_sdt_fuzz___cbz
    tbnz x1, #33, __dtrace_sdt_fuzz___tbnz
    b.ne __dtrace_sdt_fuzz___bcond
    b __dtrace_sdt_fuzz___tail
    adrp x0, __dtrace_sdt_fuzz___taken
    add x0, x0, :lo12:__dtrace_sdt_fuzz___taken
    ret
""",
    "riscv64": """
    .globl _start
_start: call __dtrace_sdt_fuzz___called
    call __dtrace_sdtenabled_fuzz___called
    .option norelax
    call __dtrace_sdt_fuzz___fixed
    .option relax
    lla a0, __dtrace_sdt_fuzz___taken
    tail __dtrace_sdt_fuzz___tail
    ret
""",
}
# A function with a frame, and Linux's unwind tables of it.
KERNEL = """
    .text
    .globl kernel
    .type kernel, @function
kernel: push %rbp
    call __dtrace_sdt_fuzz___kernel
    pop %rbp
    jmp __dtrace_sdt_fuzz___kernel
    .size kernel, . - kernel
    .section .orc_unwind_ip, "a"
    .long kernel - ., kernel + 1 - .
    .section .orc_unwind, "a"
    .byte 8, 0, 0, 0, 5, 0, 16, 0, 0, 0, 5, 0
"""
MARKERS = """
    .text
    .globl marked
    .hidden marked
marked: .byte 0x0f,0x1f,0x40,0
    .section .markers,"a",@progbits
    .balign 4
    .long marked - .
    .byte 4
    .string "one"
    .balign 4
    .long marked - .
    .byte 0
    .string "two"
"""
# What each target starts from: files with these suffixes, or these texts.
KINDS = {"object": [".o"], "scan": [".o"], "list": [".o", ""], "check": [".o", ""],
         "verify": [".o", ""], "archive": [".a"]}
TEXTS = {
    "words": ["-o a.out crt1.o -L/lib -lfoo --start-group a.o -lc --end-group",
              "-plugin 'x y' -r -Bstatic --whole-archive \"b \\\" c\" -Map=m --gc-sections",
              "-shared -T script -e main -z now @missing --sysroot=/ -pie -static x\\ y",
              "ccache -c x.c -o x.o -MF d -Wl,--as-needed,-o,x -Xlinker y -flto -"],
    "names": ["__dtrace_sdt_a___b", "__dtrace_sdtenabled_a_b___c__d", "__dtrace_sdtasm_a___b",
              "__dtrace_sdt_a___m___f___n", "__dtrace_sdt_a______n", "a:b:c:d,e:f", "[!a-z]*:?\\*",
              "-4@%rdi 8p@%rsi 4f@8(%rsp) 8@$-1", "*a*b*c:x"],
    "notes": ["\0" + text for text in (
        "libfoo\0name\0-4@%edi 4@(%rsi)\0", ":", "%rax, -20(%rbp)", "4@4(%rsi, %rdi, 4) 8@%rsi",
        "8@-16 + 4(%rbp) , 4@ %eax\t8f@%xmm0", "8@name+8(%rip) 8@8 + x(%rip) 4@$-5 %ah",
        "4@4 (%rsp)", "4@(%rsp", "8@9,10 8@9,8@%rax,,")]
    + ["\1" + text for text in ("8@[sp, 16] 4@w1 8@[x0, x1] 8@#5", "4@[ x29 , #-8 ], 8@xzr")]
    + ["\2" + text for text in ("8@-24(s0) 4@5 8@(a0) 8f@fa0", "8@%lo(x)(a5), t1")]
    + ["\4" + "libf" * 4 + "\0noargs\0:\0", "\0" + "12345678" * 2 + "libfoo\0noargs\0:\0"],
    "describe": ['probe a-b:1c-d (_, x "B", y: enum hex8 {0x10 ten, 255 "all", }, f: double);',
                 "# text\nprobe a:b (s: string, n: length, d: bytes, m: length, k: enum {-1 a})",
                 "probe p:q () probe p:r (x: int8, y: uint16, z: pointer, b: bool, _: string)"],
    "expression": ['name == "b" && n > -2 || !(s ^= "/x\\x20")', "a.b", "arg.pid % 2 & 0x1f == 1",
                   "1 < 2 == true", "(x + y * -0.5e3) / z >= 18446744073709551615 - u"],
    "provider": [path.read_text() for path in (ROOT / "tests" / "programs").glob("dtrace_*.d")],
}


def compile_all():
    """name.o of each source; with the compilers and flags that make other relocations of it."""
    for name, text in (("macros.c", MACROS), ("calls.c", CALLS), ("taken.c", TAKEN),
                       ("templates.cc", TEMPLATES), ("assembler.s", ASSEMBLER), ("notes.s", NOTES),
                       ("odd.s", ODD_NOTES), ("markers.s", MARKERS), ("kernel.s", KERNEL)):
        pathlib.Path(name).write_text(text, encoding="ascii")
    include = ["-I", str(ROOT / "runtime" / "include"), "-I", str(ROOT / "tests" / "asm")]
    small = [*include, "-g0", "-fno-asynchronous-unwind-tables", "-fno-ident", "-c"]
    commands = [
        ["gcc", *small, "-O1", "macros.c", "-o", "macros.o"],
        ["gcc", *small, "-O1", "-DSDT_CALL_SITES", "macros.c", "-o", "macrocalls.o"],
        ["clang", *small, "-O1", "macros.c", "-o", "addrsig.o"],  # has .llvm_addrsig
        ["gcc", *include, "-O1", "-g0", "-c", "macros.c", "-o", "unwind.o"],
        ["gcc", *small, "-O2", "calls.c", "-o", "calls.o"],
        ["gcc", *small, "-O0", "-mcmodel=large", "calls.c", "-o", "large.o"],
        ["gcc", *small, "-O2", "-fno-plt", "-fPIC", "calls.c", "-o", "noplt.o"],
        ["clang", *small, "-Os", "-ffunction-sections", "calls.c", "-o", "jcc.o"],
        ["gcc", *small, "-O2", "taken.c", "-o", "taken.o"],
        ["gcc", *small, "-O1", "-flto", "-ffat-lto-objects", "calls.c", "-o", "fat.o"],
        ["g++", *small, "-O1", "-fno-inline", "templates.cc", "-o", "templates.o"],
        ["gcc", "-c", "assembler.s", "-o", "assembler.o"],
        ["gcc", "-c", "notes.s", "-o", "notes.o"],
        ["gcc", "-c", "odd.s", "-o", "odd.o"],
        ["ld", "-shared", "--build-id", "odd.o", "-o", "odd"],
        ["gcc", "-c", "markers.s", "-o", "markers.o"],
        ["gcc", "-c", "kernel.s", "-o", "kernel.o"],
        ["ld", "-shared", "markers.o", "-o", "markers"],
        ["gcc", *small, str(ROOT / "tests" / "asm" / "rewrite_forms.S"), "-o", "forms.o"],
        ["ld", "-r", "-o", "partial.o", "macros.o", "assembler.o"],
    ]
    for target, (args, word) in FOREIGN.items():
        pathlib.Path(f"{target}.s").write_text(
            notes.assembly(notes.note(args=args, word=word)), encoding="ascii")
        commands.append(["llvm-mc", f"--triple={target}", "--filetype=obj", f"{target}.s", "-o",
                         f"{target}.o"])
    for command in commands:
        subprocess.run(command, check=True)


def compile_for(target, flags):
    """By clang, which has all machines in one program; headers of that machine are not needed."""
    clang = ["clang", f"--target={target}-linux-gnu", "-Qunused-arguments", *flags,
             "-ffreestanding", "-g0", "-fPIC", "-fno-ident", "-c", "-I",
             str(ROOT / "runtime" / "include")]
    pathlib.Path(f"{target}_branches.s").write_text(BRANCHES[target], encoding="ascii")
    for name, *options in (("macros", "-O1", "macros.c"),
                           ("macrocalls", "-O1", "-DSDT_CALL_SITES", "macros.c"),
                           ("calls", "-O2", "-ffunction-sections", "calls.c"),
                           ("taken", "-O0", "taken.c"),
                           ("branches", f"{target}_branches.s")):
        subprocess.run([*clang, *options, "-o", f"{target}_{name}.o"], check=True)


def process_for(target):
    """What the tool makes of them, alone and in a program."""
    processed = []
    for name in ("macros", "macrocalls", "calls", "taken", "branches"):
        processed.append(f"p_{target}_{name}.o")
        subprocess.run([str(TOOL), "-q", "-o", processed[-1], f"{target}_{name}.o"], check=True,
                       stderr=subprocess.DEVNULL)
    inputs = [f"p_{target}_{name}.o" for name in ("macros", "calls", "taken")]
    for options in (["-pie", "-o", f"{target}_program"], ["-shared", "-o", f"{target}_library"]):
        subprocess.run(["ld.lld", "--gc-sections", "-z", "undefs", "-e", "work", "-u", "work",
                        *options, *inputs], check=True)
    subprocess.run(["ld.lld", "-r", "-o", f"{target}_again.o", *inputs], check=True)


def process():
    """What the tool makes of them, and what linkers make of that."""
    for name in ("macros", "macrocalls", "templates", "taken", "calls"):
        subprocess.run([str(TOOL), "-q", "-o", f"p_{name}.o", f"{name}.o"], check=True,
                       stderr=subprocess.DEVNULL)
    subprocess.run([str(TOOL), "-q", "--companion", "-o", "companion.o", "macrocalls.o"],
                   check=True)
    subprocess.run([str(TOOL), "-q", "--freestanding", "-o", "p_kernel.o", "kernel.o"], check=True)
    subprocess.run([str(TOOL), "-q", "--freestanding", "-o", "p_kernel_macros.o", "macros.o"],
                   check=True)
    links = [["-static", "-o", "program"], ["-shared", "-o", "library"], ["-r", "-o", "again.o"]]
    for options in links:
        inputs = ["p_macros.o", "p_calls.o", "notes.o"]
        subprocess.run(["ld", "--gc-sections", "-e", "_start", "-u", "work", *options, *inputs],
                       check=True)
    subprocess.run(["ld", "-r", "-o", "mixed.o", "p_templates.o", "assembler.o"], check=True)


def archives():
    """In all manners: GNU, thin, BSD, without a symbol table, with long and with odd names."""
    shutil.copy("calls.o", "a_name_that_is_longer_than_sixteen.o")
    members = ["notes.o", "a_name_that_is_longer_than_sixteen.o", "notes.s"]
    for options, name in ((["ar", "rcsD"], "gnu.a"), (["ar", "rcSD"], "plain.a"),
                          (["ar", "rcsDT"], "thin.a"),
                          (["llvm-ar", "--format=bsd", "rcs"], "bsd.a"),
                          (["llvm-ar", "--format=darwin", "rcs"], "darwin.a")):
        subprocess.run([*options, name, *members], check=True)


def with_extended_indexes(data):
    """The object with a SHT_SYMTAB_SHNDX, which only huge objects need: symbols of sections name
    them through it."""
    result = bytearray(data)
    start, = struct.unpack_from("<Q", data, 40)
    count, = struct.unpack_from("<H", data, 60)
    headers = [bytearray(data[start + 64 * i:start + 64 * (i + 1)]) for i in range(count)]
    symtab = next(i for i, header in enumerate(headers) if header[4] == 2)
    at, size = struct.unpack_from("<QQ", headers[symtab], 24)
    indexes = b""
    for entry in range(at, at + size, 24):
        section, = struct.unpack_from("<H", result, entry + 6)
        indexes += struct.pack("<I", section if section < 0xff00 else 0)
        if 0 < section < 0xff00:
            struct.pack_into("<H", result, entry + 6, 0xffff)
    result += b"\0" * (-len(result) % 8)
    place = len(result)
    result += indexes + b"\0" * (-len(indexes) % 8)
    headers.append(struct.pack("<IIQQQQIIQQ", 0, 18, 0, 0, place, len(indexes), symtab, 0, 4, 4))
    struct.pack_into("<Q", result, 40, len(result))
    struct.pack_into("<H", result, 60, count + 1)
    return bytes(result + b"".join(headers))


def traces(directory):
    """Metadata, a NUL and a stream: every type, pairs, several packets."""
    trace = recordings.Trace(pathlib.Path("rec"))
    begin = trace.define("p", "x_begin", "id:uint64")
    end = trace.define("p", "x_end", "id:uint64")
    every = trace.define("q", "all%", *(f"{kind}:{kind}" for kind in sorted(recordings.TYPES)))
    values = [b"\1\2" if kind == "bytes" else "s" if kind == "string" else 1
              for kind in sorted(recordings.TYPES)]
    stream = trace.stream()
    stream.event(1, begin, 7).event(2, every, *values).packet(room=16)
    stream.event(3, end, 7, tid=9).packet().event(4, begin, 8).packet()
    directory.mkdir(parents=True)
    (directory / "trace").write_bytes(trace.metadata().encode() + b"\0" + stream.data)
    (directory / "metadata").write_bytes(trace.metadata().encode())
    small = "\n".join(line for line in trace.metadata().splitlines()
                      if line.startswith("/* ") or "freq" in line or "offset" in line) + "\n"
    (directory / "small").write_bytes(small.encode() + b"\0" + stream.data)


def program(steps, numbers=(), texts=b"", action=0, value=255, key=(255, 255),
            kept=0):
    """A program of a live aggregation, as docs/live-programs.md has it."""
    body = b"".join(struct.pack("<4BBBH", *step, *([0] * (7 - len(step)))) for step in steps)
    body += b"".join(struct.pack("<Q", number) for number in numbers) + texts
    return struct.pack("<IHHBBHBB2BQ", 0x50544453, 1, 24 + len(body), len(steps), len(numbers),
                       len(texts), action, value, *key, kept) + body


def aggregations(directory):
    """Programs, and specs of tables with some contents."""
    programs = [
        program([(0, 0, 1, 1), (22, 1, 0, 16), (29, 0, 1, 0)], [4096]),
        program([(0, 0, 1, 1)], action=1, value=0),
        program([(0, 0, 0, 2), (3, 1, 0, 0), (24, 2, 1, 16), (29, 0, 2, 0)], [1], b"a" + bytes(7),
                key=(1, 255)),
        program([(0, 0, 0, 1), (0, 1, 1, 2), (7, 2, 0, 1), (8, 3, 2, 0)], key=(3, 0)),
        program([(0, 0, 0, 3), (17, 1, 0, 16)], [1000], action=1, value=1),
        program([(1, 0, 0, 0)], action=3, key=(0, 255)),
        program([(1, 0, 0, 0)], action=2, key=(0, 255), kept=0x121521 | 1 << 48),
        program([(0, 0, 2, 2), (30, 1, 0, 0), (32, 2, 1, 0)], key=(2, 255)),
        program([(0, 0, 4, 2), (0, 1, 5, 1), (31, 2, 0, 16, 1, 0x14), (4, 3, 0, 1, 0, 1)], [2],
                key=(2, 3)),
    ]
    specs = [(0, 0, 0, 0, 0, 0, 0, 0, 0), (1, 4, 1, 0, 8, 16, 0, 0, 0),
             (2, 2, 0, 0, 4, 0, 8, 0, 0), (2, 0, 0, 2, 0, 0, 8, 0, 0), (2, 0, 0, 0, 0, 0, 0, 10, 3)]
    for target, inputs in (("program", programs),
                           ("table", [struct.pack("<4B3IqQQ", *spec, 0) + b"\2" + bytes(7) + b"\7"
                                      for spec in specs])):
        (directory / target).mkdir(parents=True)
        for i, data in enumerate(inputs):
            (directory / target / str(i)).write_bytes(data)


def make(directory):
    """Fill DIRECTORY/<target>/ for every target."""
    directory = pathlib.Path(directory).resolve()
    before = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        try:
            compile_all()
            process()
            for target, flags in MACHINES.items():
                compile_for(target, flags)
                process_for(target)
            archives()
            files = {name.name: name.read_bytes() for name in pathlib.Path(".").iterdir()
                     if name.suffix in (".o", ".a", "")}
            files["extended.o"] = with_extended_indexes(files["calls.o"])
        finally:
            os.chdir(before)
    shutil.rmtree(directory, ignore_errors=True)
    for target, suffixes in KINDS.items():
        (directory / target).mkdir(parents=True)
        for name, data in files.items():
            if pathlib.Path(name).suffix in suffixes:
                (directory / target / name).write_bytes(data)
    for target, texts in TEXTS.items():
        (directory / target).mkdir(parents=True)
        for i, text in enumerate(texts):
            (directory / target / str(i)).write_text(text, encoding="ascii")
    traces(directory / "recording")
    aggregations(directory)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    make(sys.argv[1])
