# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink --functions CC ARG...`: every function is a probe, with nothing in the source.

The programs count their own calls and print them; callgrind counts those of functions that do not.
"""
import json
import re
import shutil

import pytest

from attached import ask
from conftest import CFLAGS, INCLUDES, PROGRAMS
from test_launcher import launch  # pylint: disable=unused-import

COMPILERS = ["gcc", "clang"]
LEVELS = ["-O0", "-O2", "-O3"]

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions


def build(launch, source, *flags, compiler="gcc", chosen="--functions"):
    """With the shared runtime, which tools find in a process that calls nothing of it."""
    is_cxx = str(source).endswith(".cc")
    driver = {"gcc": "g++", "clang": "clang++"}[compiler] if is_cxx else compiler
    launch(chosen, "--runtime=shared", driver, "-pthread", *flags, PROGRAMS / source,
           "-o", "prog")
    return launch.sdt.dir / "prog"


def truth(output):
    """NAME → how often it was called, as the program says."""
    return {name: int(count) for name, count in re.findall(r"^(\w+) (-?\d+)$", output, re.M)}


def counts(launch, exe, pattern, *args):
    """Function → hits, from one line a function; and what the program printed."""
    result = ask(launch.sdt, "count", "--json", pattern, "by", "function", "--", exe, *args)
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    rest = "\n".join(line for line in result.stdout.splitlines() if not line.startswith("{"))
    return {line["key"]: line["count"] for line in map(json.loads, lines)}, rest


def sites(launch, exe):
    return json.loads(launch("list", "--json", exe).stdout)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_entries_and_returns_are_counted(launch, compiler, level):
    """Recursion, tail calls, threads, variadic functions, every register; what longjmp() skips has
    an entry and no return."""
    exe = build(launch, "functions.c", level, compiler=compiler)
    plain = launch.sdt.run(exe, "7")
    entries, output = counts(launch, exe, "fn:::entry", "7")
    assert output.strip() == plain.strip()  # armed, it does what it did
    wanted = {name: count for name, count in truth(plain).items() if name != "total"}
    assert {name: entries[name] for name in wanted} == wanted
    returns, _ = counts(launch, exe, "fn:::return", "7")
    without = {name: 0 if name == "deep" else count for name, count in wanted.items()}
    assert {name: returns.get(name, 0) for name in wanted} == without
    assert returns["main"] == entries["main"] == 1


@pytest.mark.parametrize("mode", ["jump", "trap"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_all_registers_are_kept(launch, compiler, mode):
    """A handler that changes vector registers, at every entry and return of every sort."""
    source = launch.sdt.write("handler.c", f"""
#include <sdt/runtime.h>
#include <string.h>
static volatile double sink;
static volatile long double wide;
static void handler(const struct sdt_event *event, void *data)
{{
    char text[64];
    (void)data;
    memset(text, 'x', sizeof text);
    sink = sink * 1.5 + (double)sdt_nargs(event);
    wide = wide / 3 + 1;
}}
__attribute__((constructor)) static void begin(void)
{{
    if (sdt_enable_mode("fn", handler, 0, SDT_MODE_{mode.upper()}) <= 0)
        __builtin_trap();
}}
""")
    launch.sdt.command(compiler, "-O2", *INCLUDES, "-c", source, "-o", "handler.o")
    launch("--functions", compiler, "-O2", "-pthread", PROGRAMS / "functions.c", "handler.o",
           "-o", "armed")
    launch.sdt.command(compiler, "-O2", "-pthread", PROGRAMS / "functions.c", "-o", "plain")
    assert launch.run("armed") == launch.run("plain")


TOGGLE = r"""
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
enum { THREADS = 3 };
static atomic_int stop;
static atomic_long wrong, rounds[THREADS];
__attribute__((noinline)) long fib(int n)
{
    if (n < 2)
        return n;
    long one = fib(n - 1), two = fib(n - 2);
    __asm__ volatile("" : "+r"(two));
    return one + two;
}
SDT_NO_FUNCTION static void *work(void *data)
{
    atomic_long *own = data;
    while (!stop) {
        wrong += fib(10) != 55;
        ++*own;
    }
    return NULL;
}
/* Until each thread has done N more. */
SDT_NO_FUNCTION static void wait_for(long n)
{
    for (int i = 0; i < THREADS; i++)
        for (long until = rounds[i] + n; rounds[i] < until;)
            sched_yield();
}
SDT_NO_FUNCTION int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &rounds[i]);
    long seen = 0;
    for (int i = 0; i < 300 || rounds[0] < 300 || !seen; i++) {
        int id = sdt_enable_mode("fn", SDT_COUNT, NULL, i % 2 ? SDT_MODE_JUMP : SDT_MODE_TRAP);
        wrong += id <= 0;
        seen += (long)sdt_hits("fn:entry");
        wrong += sdt_disable(id) != 0;
    }
    wait_for(2); /* a thread may have been in a hit all the time */
    long before = (long)sdt_hits("fn:entry");
    wait_for(50);
    stop = 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("wrong %ld, late %ld\n", (long)wrong, (long)sdt_hits("fn:entry") - before);
    return 0;
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_toggled_under_load(launch, compiler):
    """By jump and by breakpoint, while three threads run through the sites."""
    launch.sdt.write("toggle.c", TOGGLE)
    launch("--functions", compiler, "-O2", "-pthread", *INCLUDES, "toggle.c", "-o", "toggle")
    assert launch.run("toggle") == "wrong 0, late 0\n"


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_latency_is_of_one_call(launch, compiler):
    """Pairs do not mix, though the same function is open several times in each thread, and calls of
    it end without a return: `sdt lat` has as many as returned, and says how many did not."""
    exe = build(launch, "functions.c", "-O2", compiler=compiler)
    for function, returned in [("fib", 5 * 15 + 3 * 5 * 5), ("jumper", 5), ("tail", 5)]:
        result = ask(launch.sdt, "lat", "--json", function, "--", exe, "5")
        [line] = [json.loads(line) for line in result.stdout.splitlines() if line[0] == "{"]
        assert line["count"] == returned == truth(result.stdout)[function]
        assert "hits" not in result.stderr
    result = ask(launch.sdt, "lat", "--json", "deep", "--", exe, "5")
    assert not [line for line in result.stdout.splitlines() if line[0] == "{"]
    # The five calls of each depth have the same stack pointer: the next one takes the place.
    assert f"{4 * 5} hits" in result.stderr


def test_an_inlined_function_has_no_calls(launch):
    """It has probes, for callers elsewhere; the message says why there is nothing."""
    launch.sdt.write("inlined.c", "int twice(int n) { return 2 * n; }\n"
                     "int main(int argc, char **argv) { (void)argv; return twice(argc) - 2; }\n")
    build(launch, launch.sdt.path("inlined.c"), "-O2")
    for command in ("lat", "tree"):
        assert "no calls (where the compiler has inlined" in ask(
            launch.sdt, command, "twice", "--", "./prog").stdout


@pytest.mark.parametrize("compiler", COMPILERS)
def test_exceptions(launch, compiler):
    """A handler's frames are below those that are unwound; calls that an exception ends have no
    return, and none is paired with another's entry."""
    exe = build(launch, "functions.cc", "-O2", compiler=compiler)
    plain = launch.sdt.run(exe, "12")
    said = truth(plain)
    entries, output = counts(launch, exe, "fn::*handle*:entry", "12")
    assert output.strip() == plain.strip()
    assert list(entries.values()) == [said["returned"] + said["thrown"] * 4 + 8]
    result = ask(launch.sdt, "lat", "--json", "*handle*", "--", exe, "12")
    [line] = [json.loads(line) for line in result.stdout.splitlines() if line[0] == "{"]
    assert line["count"] == said["returned"] + 8  # and those of depth 0 that did not throw
    names = {site["function"] for site in sites(launch, exe)}
    assert any("serve" in name for name in names) and any("twice" in name for name in names)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_is_there_when_off(launch, compiler):
    """No call, and no name of what would be called."""
    exe = build(launch, "functions.c", "-O2", "-fno-pie", "-no-pie", compiler=compiler)
    symbols = launch.sdt.command("nm", exe).stdout
    assert "__fentry__" not in symbols and "__return__" not in symbols
    disassembly = launch.sdt.command("objdump", "-d", "--no-show-raw-insn", exe).stdout
    fib = re.search(r"<fib>:\n((?:.+\n)+)", disassembly)[1]
    assert re.search(r"test +\$0x", fib) and not re.search(r"call.*(fentry|cyg)", fib)


def called_by_callgrind(launch, exe, *args):
    """Function, as c++filt has it → how often it was called. Functions are the symbols' here: of
    copies all together, of what was split off (f.part) for itself."""
    out = launch.sdt.dir / "callgrind.out"
    launch.sdt.command("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
                       "--demangle=no", "--compress-strings=no", "--compress-pos=no", exe, *args)
    called, name = {}, None
    for line in out.read_text().splitlines():
        if line.startswith("cfn="):
            # Without the level of recursion.
            name = re.sub(r"('\d+|\.(isra|constprop|lto_priv)\.\d+)+$", "", line[4:])
            name = re.sub(r"\.part\.\d+.*", ".part", name)
            if ".cold" in name:  # a part of a function that is jumped to
                name = None
        elif line.startswith("calls=") and name:
            called[name] = called.get(name, 0) + int(line[6:].split()[0])
    return demangled(launch, called)


def demangled(launch, of_symbols):
    """The same by names of C++: a destructor may have two symbols."""
    names = launch.sdt.command("c++filt", input="\n".join(of_symbols)).stdout.splitlines()
    result = {}
    for name, count in zip(names, of_symbols.values()):
        result[name] = result.get(name, 0) + count
    return result


NEVER_RETURN = {"functions.c": {"deep"}, "functions.cc": {"web::handle(int, int)"}}  # not always


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind counts calls")
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("source", ["functions.c", "functions.cc"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_counts_are_those_of_callgrind(launch, compiler, source, level):
    """Of all functions of the program, whatever was inlined, copied or split: in C and C++, with
    threads and recursion. Each call has an entry; and a return, but for a jump or an exception."""
    if CFLAGS:
        pytest.skip("valgrind does not run sanitizers' programs")
    exe = build(launch, source, level, compiler=compiler)
    called = called_by_callgrind(launch, exe, "9")
    entries, returns = (demangled(launch, counts(launch, exe, f"fn:::{end}", "9")[0])
                        for end in ("entry", "return"))
    assert len(entries) >= 3 and {name: called.get(name) for name in entries} == entries
    differ = {name for name in entries if entries[name] != returns.get(name, 0)}
    assert differ == NEVER_RETURN[source]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_objects_archives_and_at_compile(launch, compiler):
    """Compiled before the link, in an archive; or processed in place."""
    launch.sdt.write("lib.c", "int lib(int x) { return x * 2; }\n")
    launch.sdt.write("main.c", "int lib(int);\nint main(void) { return lib(1) - 2; }\n")
    for options in ([], ["--at-compile"]):
        launch("--functions", *options, compiler, "-O2", "-c", "lib.c", "main.c")
        launch.sdt.command("rm", "-f", "lib.a")
        launch.sdt.command("ar", "rc", "lib.a", "lib.o")
        launch("--functions", compiler, "main.o", "lib.a", "-o", "prog")
        launch.run("prog")
        assert {site["function"] for site in sites(launch, "prog")} == {"lib", "main"}


@pytest.mark.skipif(not shutil.which("ccache"), reason="there is no ccache")
def test_ccache(launch):
    """It knows the options again, which it gets in a file."""
    launch.sdt.write("a.c", "int f(int x) { return x * 2; }\n")
    env = {"CCACHE_DIR": str(launch.sdt.dir / "cache"), "CCACHE_NODISABLE": "1"}
    for hits in (0, 1):
        launch("--functions", "ccache", "gcc", "-O2", "-c", "a.c", env=env)
        assert "__return__" in launch.sdt.command("nm", "a.o").stdout
        stats = launch.sdt.command("ccache", "--print-stats", env=env).stdout
        assert sum(int(n) for n in re.findall(r"_cache_hit\t(\d+)", stats)) == hits


def test_an_object_by_hand(launch):
    """Of gcc's options, of -finstrument-functions, and what verify says of them."""
    launch.sdt.write("a.c", "int f(int x) { return x * 2; }\n")
    for options in (["-pg", "-mfentry", "-minstrument-return=call"], ["-finstrument-functions"],
                    ["-finstrument-functions", "-fno-plt"]):
        launch.sdt.command("gcc", "-O2", *options, "-c", "a.c")
        launch("-o", "out.o", "--functions", "a.o")
        assert {(site["function"], site["name"]) for site in sites(launch, "out.o")} == \
            {("f", "entry"), ("f", "return")}
        launch("verify", "out.o")
        launch("-o", "out.o", "a.o")  # not asked for
        assert "U " in launch.sdt.command("nm", "out.o").stdout
    launch.sdt.command("clang", "-O2", "-fxray-instrument", "-fxray-instruction-threshold=1", "-c",
                       "a.c")
    launch("-o", "out.o", "--functions", "a.o")
    launch("verify", "out.o")


OWN = "void __cyg_profile_func_enter(void *f, void *c) { (void)f; (void)c; }\n"


@pytest.mark.parametrize("line, message", [
    (["--functions", "--freestanding", "-o", "out.o", "a.o"],
     "--functions cannot be used with --freestanding or --companion"),
    (["--functions", "--companion", "-o", "out.o", "a.o"],
     "--functions cannot be used with --freestanding or --companion"),
    (["--functions", "-o", "out.o", "own.o"], "this object defines what compilers call"),
])
def test_refused(launch, line, message):
    launch.sdt.write("a.c", "int f(int x) { return x * 2; }\n")
    launch.sdt.write("own.c", OWN)
    launch.sdt.command("gcc", "-c", "a.c", "own.c")
    result = launch(*line, status=2 if "--companion" in message else 1)
    assert message in result.stderr
    assert not (launch.sdt.dir / "out.o").exists()
