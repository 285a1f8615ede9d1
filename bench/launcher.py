# SPDX-License-Identifier: BSD-2-Clause
"""What `sdtlink CC` adds to links: of a thousand small objects, of real programs, of one object.

The launcher ends by becoming the linker, or by running it on copies: so what it adds is what is
left if a program stands in the linker's place that does nothing. With and without sdtlink take
turns; the figure is the median of the differences within a round, of processor time with all
children and of the time that passes, in relation to the real link; the note has the quartiles. Real
programs are linked from other people's static libraries, without probes. For links with probes, the
link it is compared with is one of objects that have been processed before.
"""
import statistics
import subprocess
import tempfile

import harness

GOAL_WITHOUT, GOAL_WITH, GOAL_ONE = "<= 2 %", "<= 10 %", "<= 1 ms"

# As big as an object of a real program: some functions, data, calls between objects. It is compiled
# once; the others differ in the numbers in their names, and are only assembled.
OBJECT = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef PROBES
#include <sdt/probe.h>
#else
#define SDT_PROBE(...) (void)0
#endif
static const char *names[] = {"aQQQQ", "bQQQQ", "cQQQQ", "dQQQQ"};
struct item { int key; char name[32]; struct item *next; };
static struct item *head;
#define FUNCTION(self, other) \\
    int other(int); \\
    int self(int x) \\
    { \\
        struct item *item = malloc(sizeof *item); \\
        item->key = x; \\
        snprintf(item->name, sizeof item->name, "%s-%d", names[x & 3], x); \\
        item->next = head; \\
        head = item; \\
        SDT_PROBE(bench, itemQQQQ, x); \\
        return x > 1000 ? other(x / 2) : (int)strlen(item->name); \\
    }
FUNCTION(fQQQQ_0, fRRRR_0)
FUNCTION(fQQQQ_1, fRRRR_1)
FUNCTION(fQQQQ_2, fRRRR_2)
FUNCTION(fQQQQ_3, fRRRR_3)
"""


def _objects(directory, include, count, *flags):
    """COUNT objects and main.o."""
    directory.mkdir()
    (directory / "template.c").write_text(OBJECT)
    subprocess.run(["gcc", "-O2", "-g", *flags, "-I", include, "-S", "template.c"], cwd=directory,
                   check=True)
    template = (directory / "template.s").read_text()
    for i in range(count):
        text = template.replace("QQQQ", f"{i:04}").replace("RRRR", f"{(i + 1) % count:04}")
        subprocess.run(["as", "-o", directory / f"o{i}.o", "-"], input=text, text=True, check=True)
    (directory / "main.c").write_text("int f0000_0(int); int main(void) { return !f0000_0(5); }")
    subprocess.run(["gcc", "-c", "main.c"], cwd=directory, check=True)
    return [directory / f"o{i}.o" for i in range(count)] + [directory / "main.o"]


def _compile(bench, name, *flags):
    obj = bench.work / f"{name}.o"
    bench.command("gcc", "-O2", *flags, "-c", harness.PROGRAMS / f"{name}.c", "-o", obj)
    return obj


def _real_programs(bench):
    """(what, compiler, words): as far as the libraries are installed."""
    config = "llvm-config"
    # What the archives need: in Debian 13 libz and libzstd.
    needed = [word for word in bench.command("pkg-config", "--static", "--libs-only-l",
                                             "libcrypto").split() if word != "-lcrypto"]
    found = [("OpenSSL client, libssl.a and libcrypto.a", "gcc",
              [_compile(bench, "tls_client"), "-l:libssl.a", "-l:libcrypto.a", *needed])]
    if not bench.quick:
        include = bench.command(config, "--includedir").strip()
        libraries = bench.command(config, "--link-static", "--ldflags", "--libs", "--system-libs",
                                  "irreader", "x86", "passes").split()
        found.append(("LLVM's optimiser, 44 archives", "g++",
                      [_compile(bench, "compile_ir", f"-I{include}"), *libraries]))
    return found


def _compare(bench, what, plain, launched, repeat, count=0, goal=GOAL_WITHOUT):
    """One row of processor time, one of the clock; COUNT: objects, for the cost of each."""
    out = bench.work / "linked"
    linker = plain[1].removeprefix("-fuse-ld=")
    # mold leaves its work to a child that is not waited for.
    fork = ["-Wl,--no-fork"] if linker == "mold" else []
    link, = harness.paired(bench, [[*plain, *fork, "-o", out]], max(3, repeat // 4), (out,))
    pairs = list(zip(*harness.samples(
        bench, [[[*words, f"-B{bench.idle_linkers}", "-o", out]] for words in (plain, launched)],
        repeat)))
    for kind in ("cpu", "wall"):
        base = getattr(link, kind) * 1e3
        added = [(getattr(two, kind) - getattr(one, kind)) * 1e3 for one, two in pairs]
        low, median, high = statistics.quantiles(added, n=4)
        note = f"{median:+.2f} ms to {base:.1f}, quartiles {low:+.2f} and {high:+.2f}"
        if count and kind == "cpu":
            note += f"; {median / count * 1e3:.1f} us an object"
        name = {"cpu": "processor time", "wall": "time"}[kind]
        bench.record(f"launcher, {linker}", f"{what}: added {name}", 100 * median / base, "%",
                     goal if kind == "cpu" and what != "one object" else None, note)
        bench.record(f"launcher, {linker}", f"{what}: added {name}, absolute", median, "ms",
                     GOAL_ONE if what == "one object" and kind == "cpu" else None)


def _copies(bench, plain, processed, repeat):
    """What it costs to read the objects PLAIN and write the bytes of PROCESSED, by a program that
    does nothing else, where the launcher writes."""
    exe, lines = bench.work / "copies", bench.work / "copies.txt"
    bench.command("gcc", "-O2", harness.PROGRAMS / "copies.c", "-o", exe)
    lines.write_text("".join(f"{(processed / path.name).stat().st_size} {path}\n"
                             for path in plain))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        command = ["sh", "-c", f'exec {exe} "$1" < {lines}', "sh", directory]
        cost, = harness.paired(bench, [command], repeat)
    bench.record("launcher", f"{len(plain)} objects read, their copies written, nothing else",
                 cost.cpu * 1e3, "ms", None, f"{cost.cpu / len(plain) * 1e6:.1f} us an object")


def measure(bench):
    count, repeat = (100, 3) if bench.quick else (1000, 21)
    bench.say(f"links of {count} objects, of real programs and of one object, in turn")
    plain = _objects(bench.work / "plain", bench.include, count)
    probed = _objects(bench.work / "probed", bench.include, count, "-DPROBES")
    processed = bench.work / "processed"
    processed.mkdir()
    for path in probed:
        bench.command(bench.tool, "-q", "-o", processed / path.name, path)
    hello = bench.work / "hello.c"
    hello.write_text("int main(void) { return 0; }")
    bench.command("gcc", "-c", hello, "-o", hello.with_suffix(".o"))
    _copies(bench, probed, processed, repeat)
    programs = _real_programs(bench)
    for linker in harness.LINKERS:
        def add(what, compiler, words, count=0, linker=linker):
            link = [compiler, f"-fuse-ld={linker}", *words]
            _compare(bench, what, link, [bench.tool, *link], repeat, count)

        add(f"{count} objects of 10 KB", "gcc", plain, count)
        for what, compiler, words in programs:
            add(what, compiler, words)
        add("one object", "gcc", [hello.with_suffix(".o")])
        add("one object, -static", "gcc", ["-static", hello.with_suffix(".o")])
        gcc = ["gcc", f"-fuse-ld={linker}"]
        runtime = [bench.runtime, "-Wl,-u,__sdt_register"]
        before = [*gcc, *(processed / path.name for path in probed), *runtime]
        _compare(bench, f"{count} objects, 4 probes each", before,
                 [bench.tool, *gcc, *probed], repeat, count, GOAL_WITH)
