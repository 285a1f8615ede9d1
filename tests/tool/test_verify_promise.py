# SPDX-License-Identifier: BSD-2-Clause
"""sdtlink verify follows handlers that promise to leave vector registers alone."""
import re
import shutil

import pytest

from conftest import PROGRAMS, ROOT
from patched import Patched, needs_verify

pytestmark = needs_verify

SOURCE = "verify_promise.c"
KINDS = {"pie": (["-fPIE"], ["-pie"], "static"),
         "non-pie": (["-fno-pie"], ["-no-pie"], "static"),
         "shared-runtime": (["-fPIE"], ["-pie"], "shared"),
         "no-plt": (["-fPIE", "-fno-plt"], ["-pie"], "shared"),
         "static": (["-fno-pie"], ["-static"], "static"),
         "static-pie": (["-fPIE"], ["-static-pie"], "static"),
         "library": (["-fPIC", "-DENTRY=start"], ["-shared"], "shared")}
COMPILERS = ["gcc", "clang", "g++", "clang++"]


def build(sdt, *flags, kind="pie", compiler="gcc", ldflags=()):
    source = PROGRAMS / SOURCE
    if compiler.endswith("++"):
        source = sdt.path("verify_promise.cc")
        shutil.copy(PROGRAMS / SOURCE, source)
    more, form, runtime = KINDS[kind]
    obj = sdt.compile(source, "-Wall", "-Wextra", "-O2", *more, *flags, compiler=compiler,
                      name="promise.o")
    return sdt.link(obj, *more, *form, *flags, *ldflags, runtime=runtime, compiler=compiler,
                    name="promise")


def verify(sdt, path, status=0):
    return sdt.sdtlink("verify", path, status=status).stdout


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kind", KINDS)
def test_kept_promise_passes(sdt, kind, compiler):
    """Also recursion, a tail call, and every function of the API that is said to keep it."""
    exe = build(sdt, kind=kind, compiler=compiler)
    assert ", 1 handler of general registers: ok\n" in verify(sdt, exe)
    sdt.command("strip", "--strip-debug", exe)
    assert ", 1 handler of general registers: ok\n" in verify(sdt, exe)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kind", KINDS)
def test_breach_is_named_with_the_calls_that_lead_to_it(sdt, kind, compiler):
    output = verify(sdt, build(sdt, "-DBREAK_DOUBLE", kind=kind, compiler=compiler), status=1)
    assert re.search(r"add.*: on_double: expected general registers only, found `.*%xmm.*` "
                     r"\(on_double -> .*helper.* -> .*add.*\)", output), output
    assert output.endswith(": 1 defect\n")


def test_stripped_library_names_places(sdt):
    """Without symbols it goes on from the record; functions are told by their places."""
    exe = build(sdt, "-DBREAK_DOUBLE", kind="shared-runtime")
    sdt.command("strip", exe)
    output = verify(sdt, exe, status=1)
    assert re.search(r"on_double: expected general .* \(on_double -> \.text\+0x\w+\)",
                     output), output
    assert output.endswith(": 1 defect\n")


@pytest.mark.parametrize("kind", ["pie", "shared-runtime", "no-plt", "library"])
def test_calls_into_the_c_library_are_named(sdt, kind):
    output = verify(sdt, build(sdt, "-DBREAK_COPY", kind=kind), status=1)
    assert re.search(r"on_copy: cannot be followed: another library has (strlen|memcpy) "
                     r"\(on_copy", output), output


def test_function_that_is_chosen_at_start_is_named(sdt):
    output = verify(sdt, build(sdt, "-DBREAK_COPY", kind="static"), status=1)
    assert re.search(r"on_copy: cannot be followed: chosen at start-up \(ifunc\)", output), output


def test_state_without_registers_counts(sdt):
    output = verify(sdt, build(sdt, "-DBREAK_STATE"), status=1)
    assert re.search(r"on_state: expected general registers only, found `ldmxcsr", output), output


@pytest.mark.parametrize("compiler", COMPILERS)
def test_call_through_a_pointer_cannot_be_followed(sdt, compiler):
    output = verify(sdt, build(sdt, "-DBREAK_POINTER", compiler=compiler), status=1)
    assert "on_pointer: cannot be followed: unknown target of " in output, output


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_record_lives_as_long_as_its_handler(sdt, linker, compiler):
    """--gc-sections drops both or none."""
    sdt.write("dead.c", """#include <sdt/runtime.h>
    SDT_GENERAL_REGS_HANDLER(on_live) { (void)event; ++*(long *)data; }
    SDT_GENERAL_REGS_HANDLER(on_dead) { (void)event; *(long *)data += 2; }
    sdt_handler *dead(void);
    sdt_handler *dead(void) { return on_dead; }
    sdt_handler *volatile live;
    int main(void) { live = on_live; return 0; }
    """)
    obj = sdt.compile(sdt.path("dead.c"), "-O2", "-ffunction-sections", compiler=compiler)
    exe = sdt.link(obj, "-Wl,--gc-sections", f"-fuse-ld={linker}", runtime=None,
                   compiler=compiler)
    assert ", 1 handler of general registers: ok" in verify(sdt, exe)
    assert "on_dead" not in sdt.command("nm", exe).stdout
    file = Patched(exe)
    section = file.section(".sdt_handlers")
    at = section["sh_offset"]
    assert file.data[at + 4:at + section["sh_size"]] == b"on_live\0"


def test_damaged_name_is_escaped(sdt):
    file = Patched(build(sdt, "-DBREAK_DOUBLE"))
    at = file.section(".sdt_handlers")["sh_offset"]
    at = file.data.index(b"on_double\0", at)
    file.data[at:at + 4] = b"\x1b[2J"
    output = verify(sdt, file.save("bad"), status=1)
    assert "\x1b" not in output
    assert r": \x1b[2Jouble: expected general registers only" in output


def test_damaged_distance_is_a_defect(sdt):
    file = Patched(build(sdt))
    at = file.section(".sdt_handlers")["sh_offset"]
    file.data[at:at + 4] = b"\xff\xff\xff\x7f"
    assert "expected a handler and its name" in verify(sdt, file.save("bad"), status=1)


def test_name_without_an_end_is_a_defect(sdt):
    file = Patched(build(sdt))
    section = file.section(".sdt_handlers")
    file.data[section["sh_offset"] + section["sh_size"] - 1] = 0x41
    assert "expected a handler and its name" in verify(sdt, file.save("bad"), status=1)


# ---- Objects ----

OBJECTS = {"pie": ["-fPIE"], "non-pie": ["-fno-pie"], "no-plt": ["-fPIC", "-fno-plt"],
           "sections": ["-fPIE", "-ffunction-sections"], "unoptimized": ["-O0"]}
PROMISE = re.compile(r".*: on_\w+: .*")


def objects(sdt, kind, compiler, *flags):
    """As compiled, processed, and processed after ld -r."""
    source = PROGRAMS / SOURCE
    if compiler.endswith("++"):
        source = sdt.path("verify_promise.cc")
        shutil.copy(PROGRAMS / SOURCE, source)
    obj = sdt.compile(source, "-O2", *OBJECTS[kind], *flags, compiler=compiler, name="promise.o")
    sdt.command("ld", "-r", obj, "-o", sdt.path("partial.o"))
    return [obj, sdt.process(obj, name="processed.o"),
            sdt.process(sdt.path("partial.o"), name="both.o")]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kind", OBJECTS)
def test_kept_promise_passes_in_an_object(sdt, kind, compiler):
    """Also where the handler has probes, which are calls before the object is processed."""
    for flags in ((), ("-DPROBES",), ("-DPROBES", "-DSDT_CALL_SITES")):
        before, *after = objects(sdt, kind, compiler, *flags)
        for obj in after:
            assert ", 1 handler of general registers: ok\n" in verify(sdt, obj)
        output = verify(sdt, before, status=1 if flags else 0)
        assert ", 1 handler of general registers: " in output
        assert not PROMISE.findall(output)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kind", OBJECTS)
def test_breach_is_named_in_an_object(sdt, kind, compiler):
    for obj in objects(sdt, kind, compiler, "-DBREAK_DOUBLE"):
        output = verify(sdt, obj, status=1)
        assert re.search(r"add.*: on_double: expected general registers only, found `.*%xmm.*` "
                         r"\(on_double -> .*helper.* -> .*add.*\)", output) or \
            kind == "unoptimized" and re.search(r"helper.*: on_double: expected general", output)
        assert output.endswith(", 2 handlers of general registers: 1 defect\n")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kind", OBJECTS)
def test_what_an_object_does_not_define_is_named(sdt, kind, compiler):
    for obj in objects(sdt, kind, compiler, "-DBREAK_COPY", "-DBREAK_OTHER"):
        output = verify(sdt, obj, status=1)
        assert re.search(r"on_copy: cannot be followed: another file has (strlen|memcpy) "
                         r"\(on_copy", output), output
        assert re.search(r"on_other: cannot be followed: another file has \w*in_another_object",
                         output), output
        assert output.endswith(", 3 handlers of general registers: 2 defects\n")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_call_through_a_pointer_cannot_be_followed_in_an_object(sdt, compiler):
    for obj in objects(sdt, "pie", compiler, "-DBREAK_POINTER"):
        output = verify(sdt, obj, status=1)
        assert "on_pointer: cannot be followed: unknown target of " in output, output


# A handler in assembly, which calls in every form that an object can have.
FORMS = {
    "same section": ("call local", None),
    "backwards, to the start of the section": ("call first", None),
    "other section": ("call other", None),
    "through a section symbol": ("call .text.other", None),
    "got": ("call *other@GOTPCREL(%rip)", None),
    "jump by the got": ("jmp *other@GOTPCREL(%rip)", None),
    "short jump to the same section": ("jmp local", None),
    "conditional": ("jne other", None),
    "short jump to another section": (".byte 0xeb\n.reloc ., R_X86_64_PC8, other-1\n.byte 0",
                                      "unknown target of jmp"),
    "beyond a symbol": ("call strange+8", "unknown target of callq"),
    "got, beyond a symbol": ("call *other@GOTPCREL+8(%rip)", "unknown target of callq"),
    "pointer": ("call *pointer(%rip)", "unknown target of callq"),
    "pointer in the same section": ("call *near(%rip)\nret\nnear: .quad 0",
                                    "unknown target of callq"),
    "absolute": ("call *other", "unknown target of callq"),
    "loaded": ("mov other@GOTPCREL(%rip), %rax\ncall *%rax", "unknown target of callq"),
    "ifunc": ("call chosen", r"chosen at start-up \(ifunc\): callq"),
    "data": ("call pointer", "a branch to something that is not code"),
    "before the section": (".byte 0xe8\n.long -4096", "a branch to something that is not code"),
    "undefined": ("call strange", "another file has strange"),
    "undefined, by the got": ("call *strange@GOTPCREL(%rip)", "another file has strange"),
    "undefined, conditional": ("jne strange", "another file has strange"),
    "library": ("call sdt_arg", None),
    "library, by the got": ("call *sdt_arg@GOTPCREL(%rip)", None),
    "without return": ("call abort\nmovaps %xmm0, %xmm1", None),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_call_in_an_object(sdt, form):
    """What is said to be followed is: with a breach at the target it is found."""
    call, lost = FORMS[form]
    for breach in ("nop", "movaps %xmm0, %xmm1"):
        source = sdt.write("forms.s", f"""
            .section .text.handler,"ax"
            .type first, @function
        first: {breach}
            ret
            .size first, . - first
            .type on_form, @function
        on_form:
        .Lat: .reloc .Lat, R_X86_64_NONE, .Lrecord
            .pushsection .sdt_handlers,"ao",@progbits,.Lat
        .Lrecord: .long .Lat - .
            .asciz "on_form"
            .popsection
            {call}
            ret
            .size on_form, . - on_form
            .type local, @function
        local: {breach}
            ret
            .size local, . - local
            .section .text.other,"ax"
            .globl other
            .type other, @function
        other: {breach}
            ret
            .size other, . - other
            .type chosen, @gnu_indirect_function
        chosen: ret
            .size chosen, . - chosen
            .data
        pointer: .quad other
            .section .note.GNU-stack
            """)
        sdt.command("gcc", "-c", source, "-o", sdt.path("forms.o"))
        is_followed = not lost and "library" not in form and form != "without return"
        is_broken = is_followed and breach != "nop"
        output = verify(sdt, sdt.path("forms.o"), status=1 if lost or is_broken else 0)
        assert ("expected general registers only, found `movaps" in output) == is_broken, output
        assert lost is None or re.search(f"on_form: cannot be followed: {lost}", output), output


def test_handler_in_a_processed_object(sdt):
    """sdtlink moves sections: the record stays with its handler."""
    sdt.write("both.c", """#include <sdt/probe.h>
    #include <sdt/runtime.h>
    SDT_GENERAL_REGS_HANDLER(on_hit) { *(unsigned long *)data += sdt_arg(event, 0); }
    static unsigned long sum;
    int main(void)
    {
        int id = sdt_enable_mode("a:b", on_hit, &sum, SDT_MODE_AUTO | SDT_GENERAL_REGS);
        SDT_PROBE(a, b, 41);
        return id <= 0 || sum != 41;
    }
    """)
    for flags in (["-ffunction-sections"], ["-DSDT_CALL_SITES"]):
        obj = sdt.compile(sdt.path("both.c"), "-O2", *flags)
        out = sdt.process(obj)
        assert verify(sdt, out).endswith("1 probe, 1 handler of general registers: ok\n")
        sdt.sdtlink("verify", "--against", obj, out)
        exe = sdt.link(out, "-Wl,--gc-sections", runtime="static")
        assert "1 site, 1 probe, 1 handler of general registers: ok" in verify(sdt, exe)
        sdt.command(exe)


# The functions of libsdt that handlers may call.


def test_functions_that_keep_the_promise_are_those_that_the_header_names():
    header = (ROOT / "runtime" / "include" / "sdt" / "runtime.h").read_text()
    said = re.search(r"these keep the promise: (.*?)\.\n", header, re.DOTALL)[1]
    code = (ROOT / "sdtlink" / "verify" / "promise.c").read_text()
    known = re.search(r"is_allowed\(.*?names\[\] = {(.*?)NULL", code, re.DOTALL)[1]
    assert sorted(re.findall(r"sdt_\w+", said)) == sorted(re.findall(r"sdt_\w+", known))


VECTORS = re.compile(r"%(?:[xyzt]?mm\d|st\b|k[0-7])|^(?:f[a-z]|emms|ldmxcsr|xsave|xrstor|vzero)")


def functions_of(sdt, path):
    """What objdump shows: name → instructions."""
    text = sdt.command("objdump", "-d", "--no-show-raw-insn", path).stdout
    functions = {}
    for line in text.splitlines():
        if start := re.match(r"[0-9a-f]+ <([^>]+)>:", line):
            functions[start[1].split("@")[0]] = current = []
        elif "\t" in line:
            current.append(line.split("\t", 1)[1])
    return functions


def first_breach(functions, root):
    """By direct calls and jumps. None: the promise is kept."""
    seen, waiting = {root}, [root]
    while waiting:
        name = waiting.pop()
        for instruction in functions[name]:
            if VECTORS.search(instruction):
                return f"{name}: {instruction}"
            target = re.match(r"(?:\w+ )?(?:call|j\w+)\s+[0-9a-f]+ <([^>+@]+)", instruction)
            if target and target[1] not in seen:
                seen.add(target[1])
                waiting.append(target[1])
    return None


@pytest.mark.nosan
def test_functions_of_the_library_keep_the_promise(sdt):
    """As objdump sees the library: also what a hit runs before it calls the handler."""
    header = (ROOT / "runtime" / "include" / "sdt" / "runtime.h").read_text()
    said = re.search(r"these keep the promise: (.*?)\.\n", header, re.DOTALL)[1]
    functions = functions_of(sdt, sdt.shared_runtime)
    for name in [*re.findall(r"sdt_\w+", said), "dispatch_event", "fetch_run"]:
        assert first_breach(functions, name) is None
    assert "%xmm0" in first_breach(functions, "sdt_arg_double")
