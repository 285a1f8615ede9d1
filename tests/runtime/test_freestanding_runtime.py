# SPDX-License-Identifier: BSD-2-Clause
"""The freestanding runtime (<sdt/kernel.h>), driven by a kernel in a program: its processors are
threads (programs/fake_kernel.c). tests/machines/test_machine_freestanding.py is about the others.

What is shown, programs/freestanding_runtime.c says; what must come, this file."""
import re

import pytest

import freestanding
from conftest import BUILD, INCLUDE, PROGRAMS, ROOT
from installed import prefix  # noqa: F401 (a fixture)
from toolchain import CLANGS

ARCHIVE = BUILD / "runtime" / "libsdt-freestanding.a"
SITES = ["work:work 2", "work:call 6", "work:lazy 0", "work:lazy 1", "follow:follow 1",
         "local:local 1", "keep:keep 11", "last:last 6", "last_perhaps:last 6",
         "asked_last:asked 0", "begin:begin 1"]
QUESTIONS = ["work:lazy 0", "asked_last:asked 0"]
LIBRARY = {"memcmp", "memcpy", "memmove", "memset"}

pytestmark = pytest.mark.nosan  # compiled as for a kernel; one test has sanitizers of its own


def sites(mode, module="all"):
    """What sdt_foreach says; a question has no breakpoint, and answers in every mode."""
    return [f"kernel:{module}:{site} "
            f"{'jump' if mode == 'breakpoint' and site in QUESTIONS else mode} 0" for site in SITES]


def hits(number):
    """One round of run(): kernel:*, and beside it what is in work()."""
    both = [f"kernel:work in work of all: what=text number={number}",
            f"kernel:call in work of all: {number}",
            f"kernel:lazy in work of all: arg0={3 * number}"]
    return [*[f"{who} {line}" for line in both for who in (1, 2)],
            f"1 kernel:begin in begin of all: number={number}",
            f"1 kernel:last in last of all: {number}"]


def traced(mode):
    seen_by_all = "writes that not all processors have seen: 0"
    return [seen_by_all, *sites(mode), *hits(0), *hits(0), *hits(1), "sum 9", "disable 0 0",
            seen_by_all, *sites("off"), "sum 12", "-2 -2 -22 -22"]


EXPECTED = {
    "trace": traced("jump"),
    "breakpoints": traced("breakpoint"),
    "count": ["counted 400000, handled 400000, foreign 0",
              "after 145: counted 400000, handled 400000"],
    "registers": ["1 kernel:local in local of all: second=42", "kept, computed, 6 hits"],
    "null": ["1 kernel:follow in follow of all: second=42", "asked 0 times",
             "1 kernel:follow in follow of all: second=0", "asked then"],
    # The handler's own hit, kernel:last with 8, is counted only.
    "interrupts": ["outer kernel:work in work of all: what=text number=1", "interrupt: enable -1",
                   "inner kernel:last in last of all: 7", "counted 2"],
    "forget": ["1 kernel:begin in begin of all: number=1",
               "kernel:all:begin:begin 1 blocked -116", "-116",
               "3 kernel:last in last of all: 3"],
    "modules": ["-2", *[re.sub(r"off (?=0$)", "jump ", line) if ":last " in line else line
                        for line in sites("off", "one")[:-1]],
                *sites("off", "one")[-1:], "1 kernel:last in last of one: 4",
                *3 * ["1 kernel:last in last of one: 6"], "0, sum 1, nothing is lost"],
    "errors": ["-13", "kernel:all:work:work 2 blocked -13", "left alone"],
    "others": ["disable 0", "left alone", "kernel:all:begin:begin 1 jump 0", "sum 2", "off",
               "enable -84", "left alone"],
    "memory": ["add: many failures", "enable: many failures", "1 kernel:last in last of all: 9",
               "nothing is lost"],
    "damage": ["beyond: -84", "crooked: -84", "cut: -84", "none: 0", "refused: all kernel:work -84",
               "refused: all kernel:call -84", "refused: all kernel:lazy -84", "sum 12"],
}
EXPECTED["count-breakpoints"] = EXPECTED["count"]


def seen(lines):
    """Without what compilers and linkers decide: the order of sites, and which one is a module of
    its own in `modules`."""
    listed = [re.sub("^kernel:(one|other):", "kernel:one:", line) for line in lines
              if line.startswith("kernel:")]
    return sorted(listed), [line for line in lines if not line.startswith("kernel:")]


def shows(sdt, exe, what):
    return seen(sdt.run(exe, what).splitlines())


# ---- the archive ----

@pytest.fixture
def kernel(sdt):
    probes = sdt.process(sdt.compile("freestanding.c", "-fno-pie", "-DKEEPS",
                                     *freestanding.GENERAL["x86_64"]),
                         "--freestanding")
    parts = [sdt.compile(f"{name}.c", "-fno-pie", "-Wall", "-Wextra", "-Werror")
             for name in ("freestanding_runtime", "fake_kernel")]
    return sdt.link(*parts, probes, ARCHIVE, "-no-pie", "-pthread", runtime=None)


@pytest.mark.parametrize("what", EXPECTED)
def test_what_a_kernel_sees(sdt, kernel, what):
    assert shows(sdt, kernel, what) == seen(EXPECTED[what])


def test_names_of_the_archive(sdt):
    """It defines what <sdt/kernel.h> lists, and no name that a kernel could have; it asks for the
    fourteen functions, and for four that compilers ask for."""
    manual = (INCLUDE / "sdt" / "kernel.h").read_text()
    names = sdt.run("nm", "-g", ARCHIVE)
    defined = {*re.findall(r"^\S+ [A-Z] (\w+)$", names, re.M)}
    asked = {*re.findall(r"^ +U (\w+)$", names, re.M)}
    listed = {*re.findall(r"\bsdt_\w+", re.search(r"FUNCTIONS of.*?differences", manual,
                                                  re.S).group())} - {"sdt_kernel"}
    assert defined == {"__sdt_enter", "__sdt_enter_call", "__sdt_finish", "sdt_add", "sdt_remove",
                       "sdt_forget", "sdt_breakpoint", *listed}
    assert asked - LIBRARY == {*re.findall(r"^[\w ]+?\*?(sdt_kernel_\w+)\(", manual, re.M)}
    assert len(asked - LIBRARY) == 14


def test_code_of_the_archive(sdt):
    """General registers only, nothing through a GOT or for a thread, no code for a red zone."""
    code = sdt.run("objdump", "-dr", ARCHIVE)
    assert not re.search(r"%[xyz]mm|%st|GOT|TPOFF|%fs:", code)
    assert not re.search(r"-0x[0-9a-f]+\(%rsp\)", code)


# ---- from sources ----

LINUX = ["-mcmodel=kernel", "-mno-80387", "-fno-asynchronous-unwind-tables",
         "-fcf-protection=branch", "-mpreferred-stack-boundary=3", "-DSTACK_ALIGNMENT=8"]
THUNKS = ["-mindirect-branch=thunk-extern", "-mindirect-branch-register", "-fno-jump-tables",
          "-mfunction-return=thunk-extern", "-DRETURN_FROM_HIT=jmp __x86_return_thunk"]


def test_compiled_as_linux_is(sdt):
    """With thunks for indirect branches and returns, neither is anywhere; frames are small."""
    objects = freestanding.runtime(sdt, "x86_64", "gcc -O2", *LINUX, *THUNKS,
                                   "-Wframe-larger-than=1024")
    for obj in objects:
        code = sdt.run("objdump", "-d", "--no-show-raw-insn", obj)
        assert not re.search(r"\t(ret|call +\*|jmp +\*|notrack)", code), obj


def test_objtool_can_follow_the_stack(sdt):
    """In what entries call, the stack pointer changes by constants only."""
    objects = freestanding.runtime(sdt, "x86_64", "gcc -O2", *LINUX)
    assembly = next(obj for obj in objects if obj.name == "freestanding.o")
    code = sdt.run("objdump", "-d", "--no-show-raw-insn", assembly)
    entry = re.search(r"<(?:enter_entry|__sdt_enter)>:\n(.*?)ret", code, re.S).group(1)
    assert not re.search(r"and .*rsp|mov +%\w+,%rsp|lea .*,%rsp", entry)


@pytest.mark.parametrize("compiler", ["gcc -O0", "gcc -Os",
                                      *[f"{clang} -O2" for clang in CLANGS[-1:]]])
def test_other_compilers(sdt, compiler):
    objects = freestanding.runtime(sdt, "x86_64", compiler, "-fno-pie")
    exe = freestanding.program(sdt, "x86_64", compiler.split()[0], objects)
    for what in ("trace", "breakpoints", "count", "registers", "forget", "modules", "memory"):
        assert shows(sdt, exe, what) == seen(EXPECTED[what]), what


def test_with_sanitizers(sdt):
    """What the runtime allocates is bounded, and freed once. (A set that is too long for its memory
    reads what AddressSanitizer puts between variables.)"""
    sanitize = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    objects = freestanding.runtime(sdt, "x86_64", "gcc -O1", *sanitize)
    exe = freestanding.program(sdt, "x86_64", "gcc", objects, *sanitize)
    for what in EXPECTED.keys() - {"damage"}:
        said = sdt.command(exe, what, env={"ASAN_OPTIONS": "detect_leaks=0"}).stdout
        assert seen(said.splitlines()) == seen(EXPECTED[what]), what


def test_a_kernel_without_a_function_does_not_link(sdt):
    obj = sdt.compile("freestanding.c", "-fno-pie")
    main = sdt.write("main.c", "int sdt_add(void *m);\nint main(void) { return sdt_add(0); }\n")
    said = sdt.command("gcc", "-no-pie", main, sdt.process(obj, "--freestanding"), ARCHIVE,
                       status=1).stderr
    assert "undefined reference to `sdt_kernel_lock'" in said


def test_libsdt_is_not_for_kernels(sdt):
    """The other way round: the freestanding runtime refuses the sites of a program."""
    obj = sdt.compile("freestanding.c", "-fno-pie", "-DKEEPS", "-mgeneral-regs-only")
    exe = sdt.path("kernel")
    sdt.command("gcc", "-O2", "-fno-pie", "-no-pie", "-I", INCLUDE,
                PROGRAMS / "freestanding_runtime.c", PROGRAMS / "fake_kernel.c", sdt.process(obj),
                ARCHIVE, "-pthread", "-o", exe)
    lines = sdt.command(exe, "trace", status=1).stdout.splitlines()
    assert len([line for line in lines if line.startswith("refused: all ")]) == len(SITES)
    assert lines[-1] == "enable: -84"


# ---- what it is made of ----

def test_sources_are_installed(sdt, prefix):
    """What is installed can be compiled, as it says in docs/kernel.md."""
    home = prefix / "share" / "sdtlink" / "freestanding"
    objects = freestanding.runtime(sdt, "x86_64", "gcc -O2", home=home, include=home / "include")
    exe = freestanding.program(sdt, "x86_64", "gcc", objects)
    assert shows(sdt, exe, "trace") == seen(EXPECTED["trace"])
    assert (prefix / "lib" / "libsdt-freestanding.a").exists()


def test_the_recipe_of_the_page(sdt, prefix):
    """What docs/kernel.md says, word for word, but for the place of the installation."""
    page = (ROOT / "docs" / "kernel.md").read_text()
    recipe = re.search(r"```sh\n(D=/usr/share.*?)```", page, re.S).group(1)
    home = sdt.path("recipe")
    home.mkdir()
    sdt.command("bash", "-ec", recipe.replace("/usr/share", f"{prefix}/share"), cwd=home,
                env={"KERNEL_CFLAGS": "-fno-pie " + " ".join(freestanding.GENERAL["x86_64"])})
    exe = freestanding.program(sdt, "x86_64", "gcc", [home / "sdt-runtime.o"])
    assert shows(sdt, exe, "trace") == seen(EXPECTED["trace"])


def test_sources_are_those_of_libsdt():
    """No twin: what has a name of libsdt's is a header for a kernel's way of it."""
    home = ROOT / "runtime" / "freestanding"
    own = {path.relative_to(home).as_posix() for path in home.rglob("*.[ch]")}
    same = {path for path in own if (ROOT / "runtime" / path).exists()}
    assert same == {"hit/sync.h", "patch/thunk.h", "ring/conditional.h", "ring/current.h",
                    "ring/recipe.h", "site/set.h", "stock/build.h"}
