# SPDX-License-Identifier: BSD-2-Clause
"""Bad input: a clear error, exit status 1, and nothing lost.

Each refusal must name the file, and where it concerns one use of a probe the section and offset,
the function, the symbol, the relocation, the bytes, and what to do. The previous output stays.
"""
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess

import pytest

import dryrun
import patience
from elfview import ElfView
from toolchain import NEWER_CLANG, OLDER_CLANG

DECLARE = "extern void __dtrace_sdt_a___b(unsigned long);\n"


@pytest.fixture
def refuse(sdt):
    """Run the tool on INPUT; it must refuse, say all WORDS, and leave an existing output alone."""
    def run(path, *words, args=()):
        output = sdt.write("previous.o", "the previous output")
        result = sdt.sdtlink(*args, "-o", output, path, status=1)
        assert result.stdout == ""
        assert result.stderr.startswith("sdtlink: error: ")
        for word in words:
            assert word in result.stderr, result.stderr
        assert output.read_text() == "the previous output"
        assert sorted(p.name for p in sdt.dir.iterdir() if p.name.startswith("previous")) == [
            "previous.o"]
        return result.stderr
    return run


@pytest.fixture
def assemble(sdt):
    def run(text, *flags):
        return sdt.compile(sdt.write("asm.S", text), *flags)
    return run


def simple(sdt, *flags, **kwargs):
    return sdt.compile(sdt.write("simple.c", DECLARE +
                                 "void f(long x) { __dtrace_sdt_a___b(x); __asm__(\"\"); }\n"),
                       *flags, **kwargs)


# ---- the file ----

@pytest.mark.parametrize("content, words", [
    (b"", "an empty file"),
    (b"\x7fEL", "not an ELF file"),
    (b"hello, world\n" * 10, "not an ELF file"),
    (b"\x7fELF\x02\x01\x01", "truncated"),
    (b"!<arch>\n" + b"x" * 100, "an archive"),
    (b"!<thin>\n" + b"x" * 100, "an archive"),
    (b"BC\xc0\xde" + b"\0" * 100, "LLVM bitcode"),
    (b"\xde\xc0\x17\x0b" + b"\0" * 100, "LLVM bitcode"),
], ids=lambda v: v if isinstance(v, str) else "")
def test_not_an_object(sdt, refuse, content, words):
    path = sdt.path("input.o")
    path.write_bytes(content)
    refuse(path, str(path), words)


def test_archive_says_what_to_do(sdt, refuse):
    obj = simple(sdt)
    sdt.command("ar", "rcs", "lib.a", obj)
    refuse(sdt.path("lib.a"), "an archive", "--whole-archive", "in front of the link")


def test_missing_directory_and_unreadable(sdt, refuse):
    refuse(sdt.path("missing.o"), "missing.o", "No such file")
    refuse(sdt.dir, "not a regular file")


@pytest.mark.parametrize("offset, value, words", [
    (4, 1, "32-bit ELF file"), (5, 2, "big-endian"), (4, 9, "damaged"), (5, 0, "damaged"),
    (6, 7, "damaged"), (16, 2, "linked already"), (16, 3, "linked already"), (16, 4, "core dump"),
    (16, 77, "unknown type"), (18, 183, "an unknown relocation"), (18, 21, "ppc64"),
    (18, 3, "a 64-bit ELF file for i386"), (18, 243, "an unknown relocation"),
    (18, 99, "e_machine 99"),
], ids=lambda v: str(v))
def test_other_elf_files(sdt, refuse, offset, value, words):
    data = bytearray(simple(sdt).read_bytes())
    data[offset] = value
    path = sdt.path("other.o")
    path.write_bytes(data)
    refuse(path, words)


def test_executable(sdt, refuse):
    exe = sdt.link(sdt.compile(sdt.write("m.c", "int main(void) { return 0; }")), runtime=None)
    refuse(exe, "an executable or shared library", "process its objects, then link")


# ---- the uses ----

USES = {
    "load from the GOT": ("mov __dtrace_sdt_a___b@GOTPCREL(%rip),%rbx\n call *%rbx\n ret",
                          ["REX_GOTPCRELX", "48 8b 1d [00 00 00 00]", "-fno-plt"]),
    "movabs": ("movabs $__dtrace_sdt_a___b,%rax\n call *%rax\n ret",
               ["R_X86_64_64", "48 b8", "-mcmodel=large"]),
    "movabs PLTOFF": ("movabs $__dtrace_sdt_a___b@PLTOFF,%rax\n ret",
                      ["R_X86_64_PLTOFF64", "-mcmodel=large"]),
    "offset": ("call __dtrace_sdt_a___b+8\n ret", ["addend 4", "addend -4"]),
    "data in text": (".long __dtrace_sdt_a___b - . - 4", ["unknown use"]),
    "short jump": ("jmp .+2\n .byte 0xeb\n .reloc .,R_X86_64_PC8,__dtrace_sdt_a___b-1\n"
                   " .byte 0,0,0,0,0", ["R_X86_64_PC8", "unknown use"]),
    "filled displacement": (".reloc .+1,R_X86_64_PLT32,__dtrace_sdt_a___b-4\n"
                            " .byte 0xe8,1,0,0,0\n ret", ["e8 [01 00 00 00]", "displacement"]),
    "unknown opcode": (".reloc .+1,R_X86_64_PLT32,__dtrace_sdt_a___b-4\n"
                       " .byte 0xe7,0,0,0,0\n ret", ["e7 [00 00 00 00]", "unknown use"]),
    "PLT data": (".long __dtrace_sdt_a___b@PLT - 4", ["unknown use", "R_X86_64_PLT32"]),
    "push from the GOT": ("push __dtrace_sdt_a___b@GOTPCREL(%rip)\n ret",
                          ["R_X86_64_GOTPCREL", "ff 35", "unknown use"]),
    "comparison with the GOT": ("cmp %rax,__dtrace_sdt_a___b@GOTPCREL(%rip)\n ret",
                                ["R_X86_64_GOTPCREL", "48 39 05", "unknown use"]),
    "call through the GOT with REX": (".byte 0x48\n .reloc .+2,R_X86_64_REX_GOTPCRELX,"
                                      "__dtrace_sdt_a___b-4\n .byte 0xff,0x15,0,0,0,0\n ret",
                                      ["REX_GOTPCRELX", "ff 15"]),
    "offset in the GOT": (".reloc .+2,R_X86_64_GOTPCRELX,__dtrace_sdt_a___b+4\n"
                          " .byte 0xff,0x15,0,0,0,0\n ret", ["addend 4", "addend -4"]),
    "load from the GOT, not relaxed": (".reloc .+3,R_X86_64_GOTPCREL,__dtrace_sdt_a___b-4\n"
                                       " .byte 0x48,0x8b,0x05,0,0,0,0\n ret",
                                       [": R_X86_64_GOTPCREL against", "loaded from the GOT"]),
    "subtraction": ("sub $__dtrace_sdt_a___b - 1f, %ecx\n1: ret",
                    ["R_X86_64_PC32", "81 e9 [00 00 00 00]", "arithmetic", "binutils 2.31"]),
    "multiplication": ("imul $__dtrace_sdt_a___b - 1f, %eax, %ebp\n1: ret",
                       ["R_X86_64_PC32", "69 e8 [00 00 00 00]", "arithmetic"]),
    "forced indirect call": ("mov $__dtrace_sdt_a___b, %eax\n call *%rax\n ret",
                             ["R_X86_64_32", "through a register", "-mforce-indirect-call"]),
    "forced indirect jump": ("mov $__dtrace_sdt_a___b, %r9d\n jmp *%r9",
                             ["R_X86_64_32", "through a register"]),
    "GOT offset": ("movabs $__dtrace_sdt_a___b@GOTOFF, %rax\n ret",
                   ["R_X86_64_GOTOFF64", "-mcmodel=large"]),
    "size": (".quad __dtrace_sdt_a___b@SIZE", ["R_X86_64_SIZE64", "unknown use"]),
    "thread-local": ("mov __dtrace_sdt_a___b@GOTTPOFF(%rip), %rax\n ret", ["unknown use"]),
    "short conditional jump": (".byte 0x74\n .reloc .,R_X86_64_PC8,__dtrace_sdt_a___b-1\n"
                               " .byte 0,0,0,0,0", ["R_X86_64_PC8", "unknown use"]),
}


@pytest.mark.parametrize("use", USES)
def test_use_that_is_no_site(refuse, assemble, use):
    code, words = USES[use]
    text = (".text\n nop\n.globl work\n.type work,@function\nwork:\n"
            f" {code}\n.size work,.-work\n")
    message = refuse(assemble(text), "asm.o", ".text+0x", "(in work)",
                     "against __dtrace_sdt", "found:", "expected:", "remedy:", *words)
    # The offset is that of the relocation.
    relocation, = [r for r in ElfView(message.split(": ")[2]).relocations(".text")
                   if r.symbol.name.startswith("__dtrace")]
    assert f".text+{relocation.offset:#x} " in message


# One call, several calls, tail calls and questions: flags under which compilers hide them.
HIDDEN_USES = """
extern void __dtrace_sdt_a___b(long);
extern int __dtrace_sdtenabled_a___b(void);
void f(long x) { __dtrace_sdt_a___b(x); __asm__(""); }
void tail(long x) { __dtrace_sdt_a___b(x); }
void loop(long n)
{ for (long i = 0; i < n; i++) { __dtrace_sdt_a___b(i); __dtrace_sdt_a___b(i + 1); } }
int asks(void) { return __dtrace_sdtenabled_a___b() ? 7 : 3; }
"""


@pytest.mark.parametrize("compiler, flags, relocation, remedy", [
    ("gcc", "-fno-plt -fPIC -mindirect-branch=thunk", "R_X86_64_REX_GOTPCRELX", "-fno-plt"),
    ("gcc", "-fno-plt -fPIC -mindirect-branch=thunk-extern", "R_X86_64_REX_GOTPCRELX", "-fno-plt"),
    ("gcc", "-mforce-indirect-call -fPIC", "R_X86_64_REX_GOTPCRELX", "-mforce-indirect-call"),
    ("gcc", "-mforce-indirect-call -fno-pic", "R_X86_64_32", "-mforce-indirect-call"),
    ("gcc", "-mcmodel=large -fno-pic", "R_X86_64_64", "-mcmodel=large"),
    ("gcc", "-mcmodel=large -fPIC", "R_X86_64_PLTOFF64", "-mcmodel=large"),
    ("gcc", "-mcmodel=large -fPIC -fvisibility=hidden -DHIDDEN", "R_X86_64_GOTOFF64",
     "-mcmodel=large"),
    (OLDER_CLANG, "-fno-plt -fPIC -mretpoline", "R_X86_64_REX_GOTPCRELX", "-fno-plt"),
    (NEWER_CLANG, "-fno-plt -fPIC -mretpoline", "R_X86_64_REX_GOTPCRELX", "-fno-plt"),
    (OLDER_CLANG, "-fno-plt -fPIC", "R_X86_64_REX_GOTPCRELX", "-fno-plt"),
    (NEWER_CLANG, "-fno-plt -fPIC -Os", "R_X86_64_REX_GOTPCRELX", "-fno-plt"),
    (OLDER_CLANG, "-mcmodel=large -fno-pic", "R_X86_64_64", "-mcmodel=large"),
    (OLDER_CLANG, "-mcmodel=large -fPIC", "R_X86_64_GOT64", "-mcmodel=large"),
    (NEWER_CLANG, "-mcmodel=large -fPIC -DHIDDEN", "R_X86_64_GOTOFF64", "-mcmodel=large"),
])
def test_compilers_with_unsupported_flags(sdt, refuse, compiler, flags, relocation, remedy):
    declared = "#pragma GCC visibility push(hidden)\n" if "HIDDEN" in flags else ""
    obj = sdt.compile(sdt.write("hidden.c", declared + HIDDEN_USES), *flags.split(),
                      compiler=compiler)
    message = refuse(obj, f": {relocation} against ", "(in ", "found:", "expected:", "remedy:",
                     remedy)
    # clang 18 and later put what -mcmodel=large compiles into .ltext.
    assert re.search(r"\.l?text\+0x", message) and "__dtrace_sdt" in message


def test_the_flags_alone_hide_nothing(sdt):
    """Thunks for indirect branches leave direct calls alone; the medium code model is fine."""
    for compiler, flag in (("gcc", "-mindirect-branch=thunk"), (OLDER_CLANG, "-mretpoline"),
                           ("gcc", "-mcmodel=medium"), (NEWER_CLANG, "-mcmodel=medium")):
        obj = sdt.compile(sdt.write("hidden.c", HIDDEN_USES), flag, compiler=compiler)
        assert len(ElfView(sdt.process(obj)).sites()) == 5


def test_defined_by_somebody(sdt, refuse):
    refuse(sdt.compile(sdt.write("def.c", "void __dtrace_sdt_a___b(void) {}\n"
                                 "void f(void) { __dtrace_sdt_a___b(); }")),
           "__dtrace_sdt_a___b", "defines the probe's symbol itself")


def test_inline_sites(refuse, assemble):
    refuse(assemble("nop\nnopw (%rax)\ncall __dtrace_sdtasm_a___b\n"), "__dtrace_sdtasm_a___b",
           "no argument descriptor")


@pytest.mark.parametrize("name", ["__dtrace_sdt_a", "__dtrace_sdt_1a___b", "__dtrace_sdt____b",
                                  "__dtrace_sdt_a___b___c", "__dtrace_sdtenabled_x"])
def test_bad_names(refuse, assemble, name):
    refuse(assemble(f"call {name}\n"), name, "does not name a probe")


def test_rel_relocations(sdt, refuse, assemble):
    """SHT_REL for code: no compiler writes it on x86-64; if one does, we would miss the calls."""
    data = bytearray(assemble(2 * "call __dtrace_sdt_a___b\n").read_bytes())
    shoff, = struct.unpack_from("<Q", data, 40)
    count, = struct.unpack_from("<H", data, 60)
    for i in range(count):
        at = shoff + 64 * i + 4
        if struct.unpack_from("<I", data, at)[0] == 4:
            struct.pack_into("<I", data, at, 9)
            struct.pack_into("<Q", data, at + 52, 16)
            break
    path = sdt.path("rel.o")
    path.write_bytes(data)
    refuse(path, "relocations in this format", "SHT_RELA")


# ---- argument descriptors ----

def described(entry, code="call __dtrace_sdt_a___b\n1: ret"):
    return (f".text\n.type f,@function\nf: {code}\n.size f,.-f\n"
            f'.section .sdt_args,"e",@progbits\n{entry}\n')


GOOD = '.long 1b - .\n.byte 1, 1, 0x14\n.asciz "a"\n.asciz "b"\n'


def test_descriptor_is_understood(sdt, assemble):
    site, = ElfView(sdt.process(assemble(described(GOOD + GOOD)), "--no-notes")).sites()
    assert (site.args, site.nargs, site.flags) == ("-4@%rdi", 1, 0)


@pytest.mark.parametrize("entry, words", [
    ('.long 1b - .\n.byte 1, 0\n.asciz "a"\n.asciz "other"', "no probe site"),
    (GOOD + '.long 1b - .\n.byte 1, 1, 0x18\n.asciz "a"\n.asciz "b"', "differ"),
    ('.long 0\n.byte 1, 0\n.asciz "a"\n.asciz "b"', "reference to its site is missing"),
    ('.long 1b - .\n.byte 1, 13, 0', "cut off"),
    ('.long 1b - .\n.byte 1, 3, 0x14', "cut off"),
    ('.long 1b - .\n.byte 1, 1, 0x13\n.asciz "a"\n.asciz "b"', "type is unknown"),
    ('.long 1b - .\n.byte 1, 1, 0x22\n.asciz "a"\n.asciz "b"', "type is unknown"),
    ('.long 1b - .\n.byte 1, 0\n.ascii "a"', "names are cut off"),
    ('.long 1b - .\n.byte 2, 0\n.asciz "a"\n.asciz "b"', "no probe site"),
    ('.long 1b - .\n.byte 2, 1, 0x14\n.asciz "a"\n.asciz "b"', "operands are cut off"),
    ('.long 1b - .\n.byte 8, 0\n.asciz "a"\n.asciz "b"', "form is unknown"),
    (".byte 1", "missing"),
    (".long f - .\n.byte 1, 0\n.asciz \"a\"\n.asciz \"b\"", "no probe site"),
], ids=lambda v: "" if "\n" in v or "." in v else v)
def test_bad_descriptors(refuse, assemble, entry, words):
    refuse(assemble(described(entry)), ".sdt_args+0x", words, "remedy:")


def test_descriptor_of_the_function_before_is_not_taken(refuse, assemble):
    code = ("call __dtrace_sdt_a___b\n ret\n.size f,.-f\n"
            ".type g,@function\ng: nop\n1: ret\n.size g,.-g")
    refuse(assemble(described(GOOD, code)), "no probe site")


def test_descriptor_without_any_site(refuse, assemble):
    refuse(assemble(described(GOOD, "nop\n1: ret")), "no probe site")


# ---- the output ----

def test_read_only_directory(sdt):
    """Root may write anywhere, unless it gives up the capability to."""
    obj = simple(sdt)
    directory = sdt.path("ro")
    directory.mkdir()
    directory.chmod(0o555)
    as_user = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
    result = sdt.command(*as_user, sdt.tool, "-o", directory / "out.o", obj, status=1)
    assert "cannot create a file beside" in result.stderr and "out.o" in result.stderr
    assert "Permission denied" in result.stderr and not list(directory.iterdir())


def test_output_directory_missing_or_not_a_file(sdt):
    obj = simple(sdt)
    assert "No such file" in sdt.sdtlink("-o", sdt.path("no/out.o"), obj, status=1).stderr
    sdt.path("dir").mkdir()
    assert "not a regular file" in sdt.sdtlink("-o", sdt.path("dir"), obj, status=1).stderr
    assert "not a regular file" in sdt.sdtlink("-o", "/dev/null", obj, status=1).stderr


def test_dry_run_looks_at_the_output(sdt):
    """-o need not be given with --dry-run; if it is, it has to be possible."""
    obj = simple(sdt)
    for output in (sdt.dir, "/dev/null", "x" * 5000):
        wrong = sdt.sdtlink("-o", output, obj, status=1)
        result = sdt.sdtlink("--dry-run", "-o", output, obj, status=1)
        assert (result.stdout, result.stderr) == ("", wrong.stderr)
    assert "a:b" in sdt.sdtlink("--dry-run", "-o", "out.o", obj).stdout.replace("::f:", ":")
    assert not sdt.path("out.o").exists()


@pytest.mark.parametrize("source", ["probes", "none"])
def test_full_disk(sdt, source):
    """RLIMIT_FSIZE stands for the full disk: write() fails in the middle."""
    obj = simple(sdt) if source == "probes" else sdt.compile(
        sdt.write("none.c", "int x[4096] = {1};"))
    output = sdt.write("out.o", "previous")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    result = subprocess.run([str(sdt.tool), "-o", str(output), str(obj)], capture_output=True,
                            text=True, preexec_fn=limit, check=False)
    assert result.returncode == 1 and "cannot write" in result.stderr
    assert "out.o" in result.stderr
    assert output.read_text() == "previous"
    assert not [p for p in sdt.dir.iterdir() if p.name.startswith("out.o.")]


@pytest.mark.parametrize("stream", ["full", "closed pipe"])
@pytest.mark.parametrize("source, options", [
    ("probes", []), ("probes", ["-v"]), ("probes", ["--companion"]), ("none", []),
    ("none", ["--require-probes"])], ids=str)
def test_summary_that_cannot_be_written(sdt, options, source, stream):
    """The work has failed then, and what fails leaves the previous output alone."""
    obj = simple(sdt) if source == "probes" else sdt.compile(sdt.write("none.c", "int x = 1;"))
    output = sdt.write("out.o", "previous")
    if stream == "full":
        writer = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, writer = os.pipe()
        os.close(reader)
    result = subprocess.run([str(sdt.tool), *options, "-o", str(output), str(obj)], stdout=writer,
                            stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    if stream == "full":
        assert result.returncode == 1 and "cannot write to standard output" in result.stderr
    else:
        assert result.returncode == -signal.SIGPIPE
    assert output.read_text() == "previous"
    assert not [p for p in sdt.dir.iterdir() if p.name.startswith("out.o.")]
    sdt.sdtlink("-q", *options, "-o", output, obj, status=None)
    assert output.read_bytes() != b"previous"


@pytest.mark.parametrize("source", ["probes", "none"])
def test_closed_standard_output(sdt, source):
    """No summary is wanted then, and the work is done."""
    obj = simple(sdt) if source == "probes" else sdt.compile(sdt.write("none.c", "int x = 1;"))
    sdt.sdtlink("-o", "expected.o", obj)
    sdt.command("sh", "-c", '"$@" >&-', "sh", sdt.tool, "-o", "out.o", obj)
    assert sdt.path("out.o").read_bytes() == sdt.path("expected.o").read_bytes()
    sdt.command("sh", "-c", '"$@" >&-', "sh", sdt.tool, "--dry-run", obj,
                status=1 if source == "probes" else 0)


def test_small_tmpfs(sdt):
    """The real thing where we may mount: ENOSPC."""
    mount = sdt.path("small")
    mount.mkdir()
    obj = sdt.compile(sdt.write("big.c", DECLARE + "int x[40000] = {1};\n"
                                "void f(long x) { __dtrace_sdt_a___b(x); __asm__(\"\"); }"))
    command = (f"mount -t tmpfs -o size=64k none {mount} && echo previous >{mount}/o && "
               f"{sdt.tool} -o {mount}/o {obj}; s=$?; cat {mount}/o; ls {mount} | wc -l; exit $s")
    if sdt.command("unshare", "-rm", "true", status=None).returncode != 0:
        pytest.skip("no mount namespace for us here")
    result = sdt.command("unshare", "-rm", "sh", "-c", command, status=1)
    assert f"cannot write {mount}/o" in result.stderr and "No space left" in result.stderr
    assert result.stdout.split() == ["previous", "1"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_removes_the_temporary_file(sdt, number):
    """Stopped by a signal while it writes a big output: nothing is left."""
    obj = simple(sdt)
    big = sdt.path("big.o")
    sdt.command("objcopy", "--add-section", f".pad={sdt.write('pad', 'x' * 300_000_000)}", obj, big)
    output = sdt.path("out.o")
    with subprocess.Popen([str(sdt.tool), "-o", str(output), str(big)]) as process:
        patience.until(lambda: list(sdt.dir.glob("out.o.*")), process, pause=0)
        process.send_signal(number)
        status = process.wait()
    if status == 0:
        assert output.exists()  # it was faster than the signal
    else:
        assert status == -number and not output.exists()
    assert not list(sdt.dir.glob("out.o.*"))


# ---- damaged files ----

def outcome(sdt, path):
    """Exit status of the tool on a damaged file: it must decide, never crash."""
    result = patience.run([str(sdt.tool), "-q", "-o", str(sdt.path("out.o")), str(path)],
                          capture_output=True, text=True)
    assert result.returncode in (0, 1), (result.returncode, result.stderr)
    if result.returncode == 1:
        assert result.stderr.startswith("sdtlink: error: "), result.stderr
    assert "Sanitizer" not in result.stderr and "runtime error" not in result.stderr
    dryrun.compare(sdt.tool, ["-q", "-o", "out.o", path], result.returncode, result.stderr)
    return result.returncode


def rich_object(sdt):
    """Groups, tails, descriptors, debug information: small, but with every table there is."""
    source = sdt.write("rich.cc", """
extern "C" void __dtrace_sdt_a___b(long) __attribute__((visibility("hidden")));
extern "C" int __dtrace_sdtenabled_a___c() __attribute__((visibility("hidden")));
template <class T> __attribute__((noinline)) T f(T x)
{ __dtrace_sdt_a___b(x); asm volatile(""); return x + 1; }
void tail(long x) { if (__dtrace_sdtenabled_a___c()) f(x); __dtrace_sdt_a___b(f(x)); }
""")
    return sdt.compile(source, "-g0")


@pytest.mark.sanitized
@pytest.mark.parametrize("step", [251, pytest.param(61, marks=pytest.mark.slow)])
def test_truncations(sdt, step):
    data = rich_object(sdt).read_bytes()
    path = sdt.path("cut.o")
    outcomes = []
    for length in sorted({*range(0, 80), *range(80, len(data), step), len(data) - 1}):
        path.write_bytes(data[:length])
        outcomes.append(outcome(sdt, path))
    assert outcomes and set(outcomes) == {1}


def mutants(data, count, seed):
    """Deterministic damage, mostly where the tables are."""
    rng = random.Random(seed)
    shoff, = struct.unpack_from("<Q", data, 40)
    extremes = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 0xffffffffffffffff]
    for _ in range(count):
        mutant = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            place = rng.choice([rng.randrange(len(data)), rng.randrange(shoff, len(data)),
                                rng.randrange(64)])
            if rng.random() < 0.5:
                mutant[place] ^= 1 << rng.randrange(8)
            else:
                size = rng.choice([2, 4, 8])
                place = min(place - place % size, len(data) - size)
                value = rng.choice(extremes) & ((1 << 8 * size) - 1)
                mutant[place:place + size] = value.to_bytes(size, "little")
        yield bytes(mutant)


@pytest.mark.sanitized
@pytest.mark.parametrize("number", [50, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["raw", "processed"])
def test_mutations(sdt, kind, number):
    """Damaged objects: accepted or refused, never a crash or a hang."""
    obj = rich_object(sdt)
    if kind == "processed":
        obj = sdt.process(obj)
    path = sdt.path("mutant.o")
    seen = {0: 0, 1: 0}
    for mutant in mutants(obj.read_bytes(), number, kind):
        path.write_bytes(mutant)
        try:
            seen[outcome(sdt, path)] += 1
        except (AssertionError, subprocess.TimeoutExpired):
            shutil.copy(path, sdt.path("crasher.o"))
            raise
    assert seen[0] and seen[1]


def section_header(data, name):
    """File offset of the header of the section NAME."""
    shoff, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    strings, = struct.unpack_from("<Q", data, shoff + 64 * names + 24)
    for i in range(count):
        at, = struct.unpack_from("<I", data, shoff + 64 * i)
        if data[strings + at:data.index(b"\0", strings + at)].decode() == name:
            return shoff + 64 * i
    raise AssertionError(name)


@pytest.mark.parametrize("name, field, value, words", [
    (".rela.text", "<56Q", 0, "entry size"), (".rela.text", "<56Q", 8, "entry size"),
    (".rela.text", "<44I", 9999, "sh_info"), (".rela.text", "<40I", 9999, "sh_link"),
    (".rela.text", "<40I", 1, "symbol table"), (".rela.text", "<32Q", 25, "multiple"),
    (".text", "<24Q", 1 << 40, "outside the file"), (".text", "<32Q", 1 << 63, "outside"),
    (".text", "<48Q", 3, "power of two"), (".symtab", "<44I", 0, "sh_info"),
    (".symtab", "<44I", 1 << 30, "sh_info"), (".symtab", "<56Q", 0, "entry size"),
    (".symtab", "<40I", 1, "string table"), (".symtab", "<0I", 1 << 30, "name"),
    (".group", "<32Q", 0, "group"), (".group", "<32Q", 6, "multiple"),
    (".group", "<44I", 1 << 20, "signature"), (".text", "<32Q", 1 << 12, "overlaps"),
], ids=str)
def test_numbers_out_of_range(sdt, refuse, name, field, value, words):
    """Each table with one wrong number: refused by name, not by accident."""
    data = bytearray(rich_object(sdt).read_bytes())
    at = section_header(data, name)
    offset, code = int(field[1:-1]), "<" + field[-1]
    if words == "overlaps":
        value = len(data) - struct.unpack_from("<Q", data, at + 24)[0]
    struct.pack_into(code, data, at + offset, value)
    path = sdt.path("damaged.o")
    path.write_bytes(data)
    refuse(path, "damaged", words)


@pytest.mark.parametrize("field, value", [(40, 1 << 50), (40, 0), (60, 65000), (62, 60000)])
def test_elf_header_out_of_range(sdt, refuse, field, value):
    data = bytearray(rich_object(sdt).read_bytes())
    struct.pack_into("<Q" if field == 40 else "<H", data, field, value)
    path = sdt.path("damaged.o")
    path.write_bytes(data)
    refuse(path, "damaged.o")


def test_relocation_out_of_range(sdt, refuse):
    data = bytearray(simple(sdt).read_bytes())
    at = section_header(data, ".rela.text")
    offset, = struct.unpack_from("<Q", data, at + 24)
    struct.pack_into("<Q", data, offset, 1 << 33)
    path = sdt.path("damaged.o")
    path.write_bytes(data)
    refuse(path, "outside its section")


def test_symbol_of_a_relocation_out_of_range(sdt, refuse):
    data = bytearray(sdt.compile(sdt.write("two.c", DECLARE + "extern void g(void);\n"
                                 "void f(long x) { __dtrace_sdt_a___b(x); g(); }"),
                                 "-g0").read_bytes())
    at = section_header(data, ".rela.text")
    offset, size = struct.unpack_from("<QQ", data, at + 24)
    for i in range(0, size, 24):
        info, = struct.unpack_from("<Q", data, offset + i + 8)
        struct.pack_into("<Q", data, offset + i + 8, (info & 0xffffffff) | 0xfffffff << 32)
        break
    path = sdt.path("damaged.o")
    path.write_bytes(data)
    assert outcome(sdt, path) == 1
    refuse(path, "out of range")
