# SPDX-License-Identifier: BSD-2-Clause
"""Inline sites where registers are scarce: every compile succeeds, and every value is right.

Functions with many live values and probes whose arguments are of all kinds are made at random (by a
seed, so that a failure can be had again). The values are compared with those that the same source
hands over as calls, without optimisation.
"""
import json
import random
import re

import pytest
from conftest import INCLUDE
from toolchain import CLANGS, NEWER_CLANG, OLDER_CLANG, cxx

HEAD = """
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <alloca.h>
#include <stdio.h>
struct s { int a; long b; char c[8]; unsigned f : 3; long g : 40; struct s *p; float x; double y;
           short h; const char *name; };
enum e { A, B };
static struct s gs = {-1, -2, "chars", 5, -6, &gs, 0.5f, 2.25, -7, "name"};
static struct s *gp = &gs;
static long lc = 3, arr[64];
static __thread int tl = 4;
static double gd = 1.5;
static char gch = 'g';
__attribute__((noinline)) static void use(long v)
{ lc += v; tl++; arr[v & 63] += v; gd += 1; gch++; }
static void print(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s", sdt_name(event));
    for (unsigned i = 0; i < sdt_nargs(event); i++) {
        unsigned long word = sdt_arg(event, i);
        /* An address is another one in each program: what is there. */
        if (word > 0x100000 && word < 0x800000000000)
            printf(" *%d", *(const signed char *)word);
        else
            printf(" %lx %g", word, sdt_arg_double(event, i));
    }
    putchar('\\n');
}
"""
ARGUMENTS = (
    "q0 q1 q2 q3 q4 q5 q6 q7 p->a p->b p->c[2] p->f p->g p->p p->x p->y p->h p->name p->p->b p->c "
    "p->p->name lc tl arr[q0&63] arr gd gch gs.a gs.p->y gp->p gp 5 -3L 'c' 1.5 2.5f (void*)0 "
    "d0 d1 d2 (float)d0 q1+q2 q3*q4 &gs &arr[q1&63] (enum\te)1 q1<q2 (char)q3 (short)q4 *v "
    "\"text\" vl cl (unsigned\tchar)q5"
).split(" ")


def function(rnd, number):
    body = "long s = 0; const long cl = q1; volatile long vl = q2;\n"
    for k in range(rnd.randint(1, 3)):
        arguments = "".join(f", {rnd.choice(ARGUMENTS)}" for _ in range(rnd.randint(0, 12)))
        probe = f"SDT_PROBE(app, p{number}_{k}{arguments});"
        if rnd.random() < 0.3:
            probe = f"for (long i = 0; i < q1; i++) {{ s += arr[i & 63] * q3; {probe} }}"
        if rnd.random() < 0.2:
            probe = f"if (q2 > s) {{ {probe} }}"
        if rnd.random() < 0.3:
            probe += " use(s);"
        body += "s += q0*q1+q2-q3*q4+q5-q6*q7 + (long)(d0*d1+d2); d0 += d1*d2;\n" + probe + "\n"
    return (
        f"__attribute__((noinline)) static long f{number}(struct s *p, long q0, long q1, long q2, "
        "long q3, long q4, long q5, long q6, long q7, double d0, double d1, double d2, "
        f"volatile int *v)\n{{\n{body}"
        "return s + q0*3 + q1*5 + q2*7 + q3*11 + q4*13 + q5*17 + q6*19 + q7*23 "
        "+ (long)d0 + p->b + cl + vl;\n}\n"
    )


def program(seed, count):
    rnd = random.Random(seed)
    text = HEAD + "".join(function(rnd, i) for i in range(count))
    text += "int main(void)\n{\nvolatile int v = 9;\nsdt_enable(\"app\", print, NULL);\n"
    for i in range(count):
        values = ", ".join(str(rnd.randint(-9, 9)) for _ in range(8))
        text += f'printf("= %ld\\n", f{i}(&gs, {values}, 1.5, -2.25, 0.5, &v));\n'
    return text + "return 0;\n}\n"


COMPILERS = {"c": ("gcc", *CLANGS), "cc": ("g++", *map(cxx, CLANGS))}
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Og")
OPTIONS = ("", "-fPIC", "-fno-pie -fno-pic", "-fno-omit-frame-pointer", "-mcmodel=medium",
           "-fPIC -fno-omit-frame-pointer", "-fstack-protector-all", "-fcf-protection=full", "-pg",
           "-fsanitize=undefined", "--coverage")


def output(sdt, source, compiler, *flags):
    """What the program prints, its probes on. A value may be a constant: -w."""
    obj = sdt.process(sdt.compile(source, "-w", "-g0", *flags, compiler=compiler))
    driver = [f for f in flags if f in ("-pg", "--coverage", "-fsanitize=undefined")]
    driver += ["-no-pie"] if "-fno-pie" in flags or "-mcmodel=medium" in flags else []
    return sdt.run(sdt.link(obj, *driver, compiler=compiler))


def check_values(sdt, seed, combinations):
    rnd = random.Random(-seed)
    expected = None
    for language, compilers in COMPILERS.items():
        source = sdt.write(f"seed{seed}.{language}", program(seed, 12))
        if expected is None:
            expected = output(sdt, source, "gcc", "-O0", "-DSDT_CALL_SITES")
            assert expected.count("\n") > 12
        every = [(c, level) for c in compilers for level in LEVELS]
        for compiler, level in rnd.sample(every, min(combinations, len(every))):
            options = rnd.choice(OPTIONS).split()
            found = output(sdt, source, compiler, level, *options)
            assert found == expected, (seed, compiler, level, options)


def test_every_value_is_right_where_registers_are_scarce(sdt):
    check_values(sdt, 1, 4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 32))
def test_every_value_is_right_in_more_programs(sdt, seed):
    check_values(sdt, seed, 99)


WORST = ("a->v[i0] a->q[i1] b->h[i2] b->c[i3] c->v[i0+i1] c->n[i2] d->q[i3] d->v[i2] a->n[i3] "
         "b->q[i0] c->h[i1] d->c[i0]").split()


def sites(sdt, obj):
    return json.loads(sdt.sdtlink("list", "--json", obj).stdout)


def worst():
    """Each argument with a base and an index, the stack aligned anew, and its size unknown."""
    text = """#include <sdt/probe.h>
    #include <alloca.h>
    struct s { long v[64]; char *q[64]; short h[64]; unsigned char c[64]; struct s *n[64]; };
    long use(void *);\n"""
    for count in range(13):
        for turn in (0, 7):
            name = f"{count}_{turn}"
            arguments = "".join(f", {WORST[(i + turn) % 12]}" for i in range(count))
            text += f"""long f{name}(struct s *a, struct s *b, struct s *c, struct s *d, long i0,
                                     long i1, long i2, long i3, long z)
            {{
                long *m = (long *)alloca(z), s = 0;
                long big[8] __attribute__((aligned(64)));
                use(m); use(big);
                for (long k = 0; k < z; k++) {{
                    s += a->v[i0] * b->h[i1] + m[k];
                    SDT_PROBE(worst, in{name}{arguments});
                    i0 += s & 7;
                }}
                SDT_PROBE(worst, behind{name}{arguments});
                return s + i0 + i1 * i2 - i3 + m[0] + big[1];
            }}\n"""
    return text


@pytest.mark.parametrize("compiler, options", [
    ("gcc", "-pg -fPIC"), ("gcc", "-pg -ffixed-r15 -mstackrealign"), (OLDER_CLANG, "-pg -fPIC"),
    (NEWER_CLANG, "-fno-omit-frame-pointer -mstackrealign"),
])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_twelve_addresses_of_two_registers_each_compile(sdt, compiler, level, options):
    source = sdt.write("worst.c", worst())
    obj = sdt.process(sdt.compile(source, "-g0", level, *options.split(),
                                  compiler=compiler))
    listed = sites(sdt, obj)
    assert {(s["name"], s["nargs"]) for s in listed} == {
        (f"{where}{count}_{turn}", count) for where in ("in", "behind") for count in range(13)
        for turn in (0, 7)}
    assert {s["kind"] for s in listed} == {"inline"}


def test_a_syntax_that_tracers_do_not_read_is_refused(sdt):
    source = sdt.write("f.c", "#include <sdt/probe.h>\nvoid f(int x) { SDT_PROBE(p, n, x); }\n")
    for compiler in ("gcc", *CLANGS):
        argv = [compiler, "-c", "-masm=intel", "-I", INCLUDE, source, "-o", sdt.path("f.o")]
        assert "SDT_CALL_SITES" in sdt.command(*argv, status=1).stderr
        sdt.command(*argv, "-DSDT_CALL_SITES")


PLACES = """
#include <sdt/probe.h>
template <typename T> T twice(T x) { SDT_PROBE(places, in_template, x); return x + x; }
namespace {
struct hidden { int x;
    int get() const { SDT_PROBE(places, unnamed, x, this);
                      return SDT_PROBE_ENABLED(places, unnamed); } };
}
struct holder { long a; holder(long x) : a(x) { SDT_PROBE(places, constructed, a); }
                ~holder() { SDT_PROBE(places, destroyed, a); } };
#if __cplusplus >= 202002L
#include <coroutine>
struct task { struct promise_type {
    task get_return_object() { return {}; } std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; } void return_void() {}
    void unhandled_exception() {} }; };
task run(int x) { SDT_PROBE(places, before, x); co_await std::suspend_never{};
                  if (SDT_PROBE_ENABLED(places, behind)) SDT_PROBE(places, behind, x + 1); }
constexpr int folded(int x)
{
    if (!__builtin_is_constant_evaluated()) { SDT_PROBE(places, folded, x); }
    return x;
}
static_assert(folded(3) == 3);
#endif
int main(int argc, char **argv)
{
    auto lambda = [&](auto x) { SDT_PROBE(places, in_lambda, x, argc, argv[0]); return x; };
    hidden h = {argc};
    holder one(argc);
    int value = __extension__({ SDT_PROBE(places, expression, argc); argc; });
#if __cplusplus >= 202002L
    run(value);
    value += folded(argc) - argc;
#endif
    return twice(lambda(value)) + (int)twice(1.5) + h.get() - 5;
}
"""


@pytest.mark.parametrize("compiler", ["g++", *map(cxx, CLANGS)])
@pytest.mark.parametrize("flags", ["-O0 -std=c++14", "-O2 -std=c++20", "-O3 -std=c++17 -fPIC"])
def test_probes_stand_wherever_a_statement_may(sdt, compiler, flags):
    flags = [*flags.split(), *(["-fcoroutines"] if compiler == "g++" else []),
             *(["-Wno-unknown-warning-option"] if compiler != "g++" else [])]
    if compiler == "clang++-14":
        flags = [f.replace("c++20", "c++17") for f in flags]  # libstdc++'s <coroutine> wants more
    source = sdt.write("places.cc", PLACES)
    obj = sdt.process(sdt.compile(source, *flags, compiler=compiler))
    listed = {s["name"] for s in sites(sdt, obj)}
    always, new = (set(re.findall(r"SDT_PROBE\(places, (\w+)", text)) for text in (
        re.sub(r"#if .*?#endif", "", PLACES, flags=re.S), PLACES))
    assert listed == (new if "-std=c++20" in flags else always) and len(always) == 6
    sdt.run(sdt.link(obj, compiler=compiler))


def test_general_registers_are_enough(sdt):
    source = sdt.write("f.c", "#include <sdt/probe.h>\nint f(int *x, long y)"
                              "{ SDT_PROBE(p, n, x, *x, y, 1.5); return SDT_PROBE_ENABLED(p, n); }")
    for compiler in ("gcc", *CLANGS):
        obj = sdt.process(sdt.compile(source, "-mgeneral-regs-only",
                                      compiler=compiler))
        assert [(s["kind"], s["nargs"]) for s in sites(sdt, obj)] == [("inline", 4), ("enabled", 0)]
