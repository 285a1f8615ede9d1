# SPDX-License-Identifier: BSD-2-Clause
"""Inline sites: what the compilers make of SDT_PROBE, and what sdtlink makes of that.

The arguments are checked by gdb, which stops at each site's first byte and reads the operands that
the record names, and by objdump, which sees what is left of a probe in the code.
"""
import json
import re

import pytest
from conftest import INCLUDE
from matrix.table import BRANCHES
from toolchain import CLANGS, major

pytestmark = pytest.mark.plain  # what compilers make of the headers

COMPILERS = ["gcc", *CLANGS]
INLINE = ("-I", INCLUDE)
UNIVERSAL = re.compile(r"-?[1248][fp]?@(%r[a-z0-9]+|\$-?\d+|(-?\d+)?\(%r[a-z0-9]+\))$")
SOURCE = """
#include <sdt/probe.h>
struct s { int a; long b; char c[8]; unsigned f : 3; long g : 40; void *p; float x; double y; };
struct s one = {.a = -1, .b = -2, .c = "chars", .f = 5, .g = -6, .p = &one, .x = 0.5f, .y = 2.25};
static long counter = -77, table[8] = {0, 11, 22, 33};
static __thread short thread = -9;
volatile int spill;
#define APART __attribute__((noinline)) void
APART fields(struct s *p)
{ SDT_PROBE(app, fields, p->a, p->b, p->c[1], p->f, p->g, p->p, p->x, p->y); }
APART globals(int i) { SDT_PROBE(app, globals, counter, one.b, table[i], thread, one.c[2]); }
APART constants(void) { SDT_PROBE(app, constants, 1, -2L, 'x', 1.5, 2.5f, (void *)0); }
APART none(void) { SDT_PROBE(app, none); }
APART twelve(long a, long b, long c, long d, long e, long f, long g, long h, char *s, short *t)
{
    SDT_PROBE(app, twelve, a, b, c, d, e, f, g, h, *s, *t, counter, s);
}
int main(void)
{
    short half = -3;
    counter += spill; table[3] += spill; thread += (short)spill; one.b += spill;
    fields(&one); globals(3); constants(); none();
    twelve(1, 2, 3, 4, 5, 6, 7, 8, one.c, &half);
    return 0;
}
"""
EXPECTED = {
    "fields": [-1, -2, 104, 5, -6, "&one", 0.5, 2.25],
    "globals": [-77, -2, 33, -9, 97],
    "constants": [1, -2, 120, 1.5, 2.5, 0],
    "none": [],
    "twelve": [1, 2, 3, 4, 5, 6, 7, 8, 99, -3, -77, "one.c"],
}


def sites(sdt, path):
    return json.loads(sdt.sdtlink("list", "--json", path).stdout)


def gdb_expression(argument):
    """What gdb evaluates for `TYPE@OPERAND`, in its own words."""
    kind, operand = argument.split("@")
    size = int(kind.strip("-fp"))
    integer = {1: "char", 2: "short", 4: "int", 8: "long"}[size]
    integer = integer if kind.startswith("-") else "unsigned " + integer
    memory = re.match(r"(-?\d*)\(%(\w+)\)$", operand)
    if memory:
        kind = {"4f": "float", "8f": "double"}.get(kind, integer)
        return f"*({kind} *)((char *)${memory[2]} + ({memory[1] or 0}))"
    value = operand[1:] if operand[0] == "$" else "$" + operand[1:]
    if "f" in kind:
        return f"{{{'float' if size == 4 else 'double'}}}&(({integer}[1]){{({integer}){value}}})"
    return f"({integer}){value}"


@pytest.mark.parametrize("options", ["-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -fPIC",
                                     "-O2 -fno-pie -fno-pic", "-O2 -fcf-protection=full",
                                     "-O2 -fno-omit-frame-pointer", "-O2 -mcmodel=medium -fPIC"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_each_operand_is_one_that_all_tracers_read(sdt, compiler, options):
    obj = sdt.process(sdt.compile(sdt.write("app.c", SOURCE), *options.split(), *INLINE,
                                  compiler=compiler))
    found = sites(sdt, obj)
    assert {s["kind"] for s in found} == {"inline"}
    assert {s["name"]: s["nargs"] for s in found} == {n: len(v) for n, v in EXPECTED.items()}
    for site in found:
        assert all(UNIVERSAL.match(argument) for argument in site["args"]), site
    assert "__dtrace_sdt" not in sdt.command("nm", obj).stdout


@pytest.mark.parametrize("options", ["-O0", "-O2", "-O2 -fPIC", "-Os"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_gdb_reads_the_values_where_the_record_says(sdt, compiler, options):
    obj = sdt.process(sdt.compile(sdt.write("app.c", SOURCE), "-g", *options.split(), *INLINE,
                                  compiler=compiler))
    exe = sdt.link(obj, runtime=None)
    found = {s["name"]: s for s in sites(sdt, exe)}
    script = ["set confirm off", "set width 0", "starti"]
    main = int(sdt.command("nm", exe).stdout.split(" T main")[0].split()[-1], 16)
    base = f"(long)&main - {main}"
    for name, values in EXPECTED.items():
        site = found[name]
        script += [f"tbreak *({base} + {site['address']})", "continue", f'echo @{name}\\n']
        for argument, value in zip(site["args"], values):
            if isinstance(value, float):
                continue
            script.append(f"print/d (long)({gdb_expression(argument)}) == (long)({value})")
    out = sdt.command("gdb", "-batch", *(f"-ex={line}" for line in script), exe).stdout
    integers = sum(not isinstance(v, float) for vs in EXPECTED.values() for v in vs)
    assert re.findall(r"^\$\d+ = (.*)$", out, re.M) == ["1"] * integers, out
    assert re.findall(r"^@(\w+)$", out, re.M) == list(EXPECTED), out


def added(sdt, compiler, body, *options):
    """How many instructions, but for NOPs, the probe in BODY adds to its function."""
    counts = []
    for disable in ([], ["-DSDT_DISABLE"]):
        source = sdt.write("f.c", "#include <sdt/probe.h>\n" + body)
        obj = sdt.compile(source, "-O2", *options, *INLINE, *disable, compiler=compiler)
        if not disable:
            obj = sdt.process(obj)
        listing = sdt.command("objdump", "-d", "--no-show-raw-insn", obj).stdout
        function = listing.split("<f>:")[1].split("\n\n")[0]
        code = [line.split("\t")[1] for line in function.splitlines() if "\t" in line]
        counts.append(sum("nop" not in line for line in code))
    return counts[0] - counts[1]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("body", [
    "long f(long a, long b) { SDT_PROBE(p, n, a, b); return a + b; }",
    "double f(double a) { SDT_PROBE(p, n); return a * 2; }",
    "int f(const char *s) { SDT_PROBE(p, n, s, 5); return *s; }",
], ids=["words", "none", "pointer"])
def test_a_probe_that_is_off_is_two_nops(sdt, compiler, body):
    assert added(sdt, compiler, body) == 0


def test_gcc_loads_no_field_for_a_probe(sdt):
    assert added(sdt, "gcc", "struct s { long a, b; }; int f(struct s *p)"
                             "{ SDT_PROBE(p, n, p->a, p->b); return 1; }") == 0


def test_a_global_costs_its_load(sdt):
    assert added(sdt, "gcc", "static long g; void set(long x) { g = x; }"
                             "int f(void) { SDT_PROBE(p, n, g); return 1; }") == 1


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_a_pointer_points_to_is_current(sdt, compiler):
    """Two stores, the probe between them: a compiler that forgot the first would be right without
    it."""
    obj = sdt.compile(sdt.write("f.c", "#include <sdt/probe.h>\nstruct s { int a; };"
                                "void f(struct s *p) { p->a = 111; SDT_PROBE(p, n, p);"
                                " p->a = 222; }"), "-O2", *INLINE, compiler=compiler)
    listing = sdt.command("objdump", "-d", sdt.process(obj)).stdout
    first, site, second = (listing.find(t) for t in ("$0x6f", "\tnop", "$0xde"))
    assert 0 < first < site < second, listing


def test_a_companion_refuses(sdt):
    obj = sdt.compile(sdt.write("f.c", "#include <sdt/probe.h>\nvoid f(int x)"
                                "{ SDT_PROBE(p, n, x); }"), "-O2", *INLINE)
    result = sdt.sdtlink("--companion", "-o", sdt.path("c.o"), obj, status=1)
    assert "inline probe" in result.stderr and "-DSDT_CALL_SITES" in result.stderr
    assert not sdt.path("c.o").exists()


QUESTION = """#include <sdt/probe.h>
double f(double a, double b, long c)
{ if (SDT_PROBE_ENABLED(p, n)) SDT_PROBE(p, n, c * c * c); return a * b; }
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_question_is_three_instructions_and_spills_nothing(sdt, compiler):
    """mov, test, jump; what the answer yes leads to is out of the way, or after the return."""
    flags = ("-O2", *INLINE)
    obj = sdt.process(sdt.compile(sdt.write("f.c", QUESTION), *flags, compiler=compiler))
    listing = sdt.command("objdump", "-d", "--no-show-raw-insn", obj).stdout
    function = listing.split("<f>:")[1].split("\n\n")[0]
    code = [line.split("\t")[1].split()[0] for line in function.splitlines() if "\t" in line]
    assert code[:2] == ["mov", "test"] and code[2] in ("jne", "je"), listing
    # By one way or the other: three instructions, the product, and the return.
    off = code[3:] if code[2] == "jne" else code[code.index("mulsd"):]
    assert off[:2] == ["mulsd", "ret"], listing
    assert "push" not in code and "sub" not in code, listing


def test_a_companion_refuses_the_question(sdt):
    source = sdt.write("f.c", "#include <sdt/probe.h>\nint f(void)"
                              "{ return SDT_PROBE_ENABLED(p, n); }")
    obj = sdt.compile(source, "-O2", *INLINE)
    result = sdt.sdtlink("--companion", "-o", sdt.path("c.o"), obj, status=1)
    assert "inline SDT_PROBE_ENABLED" in result.stderr and "e8 00 00 00 00" in result.stderr
    assert not sdt.path("c.o").exists()
    sdt.sdtlink("--companion", "-o", sdt.path("c.o"),
                sdt.compile(source, "-O2", "-DSDT_CALL_SITES", "-fno-optimize-sibling-calls"))


@pytest.mark.parametrize("code, entry, words", [
    ("call __dtrace_sdtenabled_p___n", '.long 990b - . + 1\n.byte 3, 0\n.asciz "p"\n.asciz "n"',
     "no is-enabled site of this probe"),
    ("call __dtrace_sdtenabled_p___n", '.long 990b - .\n.byte 3, 0\n.asciz "p"\n.asciz "m"',
     "no is-enabled site of this probe"),
    ("call __dtrace_sdt_p___n", '.long 990b - .\n.byte 3, 0\n.asciz "p"\n.asciz "n"',
     "no is-enabled site of this probe"),
    ("call __dtrace_sdtenabled_p___n", '.long 990b - .\n.byte 3, 1, 8\n.asciz "p"\n.asciz "n"',
     "an is-enabled site has no arguments"),
])
def test_a_question_that_is_not_where_its_entry_says_is_refused(sdt, code, entry, words):
    obj = sdt.path("f.o")
    source = f'f: nop; 990: {code}; ret\n.section .sdt_args,"e"\n{entry}\n'
    sdt.command("gcc", "-c", sdt.write("f.s", source), "-o", obj)
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj, status=1)
    assert words in result.stderr and not sdt.path("out.o").exists()


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_the_macros_of_freebsd_make_inline_sites(sdt, compiler):
    language = ["-x", "c++"] if "++" in compiler else []
    obj = sdt.process(sdt.compile("macros_freebsd.c", *language, *INLINE, compiler=compiler))
    kinds = {site["kind"] for site in sites(sdt, obj)}
    assert kinds == {"inline", "enabled"}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_verify_finds_nothing(sdt, compiler):
    """Also not that the mark of intermediate code, which clang's objects name, is gone."""
    obj = sdt.compile(sdt.write("app.c", SOURCE), *INLINE, compiler=compiler)
    sdt.sdtlink("verify", "-q", "--against", obj, sdt.process(obj))


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("kind", ["-pie", "-no-pie", "-static", "-shared"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_forgotten_object_does_not_link(sdt, compiler, kind, linker):
    """By the probe's name, also where other undefined symbols are none of the linker's business."""
    flags = ["-O2", *INLINE, "-fno-pic" if kind == "-no-pie" else "-fPIC"]
    obj = sdt.compile(sdt.write("f.c", "#include <sdt/probe.h>\nint main(void)"
                                "{ SDT_PROBE(p, n); return 0; }"), *flags, compiler=compiler)
    link = ["gcc", kind, f"-fuse-ld={linker}", obj, "-o", sdt.path("a.out")]
    if linker == "mold" and kind == "-shared" and major("mold", "--version") == 2:
        # It takes an undefined hidden symbol for address 0. Nothing in an object can prevent that.
        sdt.command(*link)
        link.append("-Wl,-z,defs")
    result = sdt.command(*link, status=1)
    assert "__dtrace_sdtasm_run_sdtlink___p___n" in result.stderr


@pytest.mark.parametrize("asm, words", [
    ("nop; nopw (%rax); call __dtrace_sdtasm_p___n",
     "no argument descriptor names this inline probe site"),
    ("nop; call __dtrace_sdtasm_p___n", "compile again with this version's <sdt/probe.h>"),
    ("call __dtrace_sdtasm_p___n", "this is not an inline probe site"),
    ("lea __dtrace_sdtasm_p___n(%rip), %rax", "this is not an inline probe site"),
])
def test_what_is_no_inline_site_is_refused(sdt, asm, words):
    obj = sdt.path("f.o")
    sdt.command("gcc", "-c", sdt.write("f.s", f"f: xor %eax, %eax; {asm}; ret\n"), "-o", obj)
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj, status=1)
    assert words in result.stderr and not sdt.path("out.o").exists()


@pytest.mark.parametrize("operand", ["counter(%rip)", "(%rax,%rbx,8)", "%ah", "%xmm0", "$sym",
                                     "%fs:x", "8+4(%rax)", "", "(%eax)", "5", "0x10(%rax)"])
def test_operands_that_tracers_do_not_read_are_refused(sdt, operand):
    source = (f'f: 990: nop; nopw (%rax); call __dtrace_sdtasm_p___n; ret\n.section .sdt_args,"e"\n'
              f'.long 990b - .\n.byte 2, 1, 8\n.asciz "p"\n.asciz "n"\n.asciz "{operand}"\n')
    obj = sdt.path("f.o")
    sdt.command("gcc", "-c", sdt.write("f.s", source), "-o", obj)
    result = sdt.sdtlink("-o", sdt.path("out.o"), obj, status=1)
    assert "neither in a register, a constant, nor in memory" in result.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
def test_an_assembler_that_aligns_branches_leaves_sites_whole(sdt, compiler):
    """It would put NOPs between the two instructions of a site."""
    flags = BRANCHES["gcc" if compiler == "gcc" else "clang"]
    body = "".join(f"if (x & {1 << i % 31}) {{ SDT_PROBE(app, some, x, y); y += x ^ {i}; "
                   f"if (SDT_PROBE_ENABLED(app, some)) y++; }}\n" for i in range(200))
    source = sdt.write("many.c", "#include <sdt/probe.h>\nint f(int x, int y);\n"
                       f"int f(int x, int y) {{\n{body}return y; }}\n")
    for level in ("-O0", "-Os", "-O2"):
        obj = sdt.process(sdt.compile(source, level, *flags, compiler=compiler))
        assert len(sdt.sdtlink("list", obj).stdout.splitlines()) == 401
