# SPDX-License-Identifier: BSD-2-Clause
"""What the launcher adds to links: of 1000 objects, of one, of libc; with probes and without.

Processor time of the command and all its children, and the time that passes; the two commands of a
pair take turns, and the least of each counts.

    SDT_BUILD=build bench/launcher.py        prints JSON, and the table on standard error
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINKERS = ["bfd", "gold", "lld", "mold"]
COUNT = 1000

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


def make_objects(directory, *flags):
    directory.mkdir()
    (directory / "template.c").write_text(OBJECT)
    subprocess.run(["gcc", "-O2", "-g", *flags, "-I", ROOT / "runtime" / "include", "-S",
                    "template.c"], cwd=directory, check=True)
    template = (directory / "template.s").read_text()
    for i in range(COUNT):
        text = template.replace("QQQQ", f"{i:04}").replace("RRRR", f"{(i + 1) % COUNT:04}")
        subprocess.run(["as", "-o", directory / f"o{i}.o", "-"], input=text, text=True, check=True)
    (directory / "main.c").write_text("int f0000_0(int); int main(void) { return !f0000_0(5); }")
    subprocess.run(["gcc", "-c", "main.c"], cwd=directory, check=True)


def run(command, directory):
    """Processor time of a command and its children, and the time that passes, in milliseconds."""
    start = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=directory, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime),
            1000 * (time.monotonic() - start))


def compare(plain, launched, directory, times):
    """The least that PLAIN took, and that LAUNCHED took more: what a quiet machine would show."""
    pairs = [(run(plain, directory), run(launched, directory)) for _ in range(times)]
    least = [[min(pair[i][kind] for pair in pairs) for i in (0, 1)] for kind in (0, 1)]
    return [(base, with_us - base) for base, with_us in least]


def row(results, what, linker, pair):
    result, text = {"what": what, "linker": linker}, f"{what:34} {linker:5}"
    for kind, (base, added) in zip(("cpu", "wall"), pair):
        result |= {f"{kind}_ms": round(base, 2), f"{kind}_added_ms": round(added, 2),
                   f"{kind}_added_percent": round(100 * added / base, 1)}
        text += f"  {kind} {base:8.2f} ms {added:+7.2f} ms {100 * added / base:+6.1f} %"
    results.append(result)
    print(text, file=sys.stderr)


def main():
    build = pathlib.Path(os.environ.get("SDT_BUILD", ROOT / "build"))
    tool, results = str(build / "sdtlink" / "sdtlink"), []
    runtime = [str(build / "runtime" / "libsdt.a"), "-Wl,-u,__sdt_register"]
    times = int(os.environ.get("SDT_BENCH_TIMES", "21"))
    with tempfile.TemporaryDirectory() as temporary:
        directory = pathlib.Path(temporary)
        plain, probed = directory / "plain", directory / "probed"
        make_objects(plain)
        make_objects(probed, "-DPROBES")
        processed = directory / "processed"
        subprocess.run(["cp", "-r", probed, processed], check=True)
        for i in range(COUNT):
            subprocess.run([tool, "-q", "-o", f"o{i}.o", f"o{i}.o"], cwd=processed, check=True)
        (plain / "hello.c").write_text("int main(void) { return 0; }")
        subprocess.run(["gcc", "-c", "hello.c"], cwd=plain, check=True)
        objects = [f"o{i}.o" for i in range(COUNT)] + ["main.o"]
        for linker in LINKERS:
            gcc = ["gcc", f"-fuse-ld={linker}"]
            link = [*gcc, *objects, "-o", "prog"]
            row(results, "1000 objects without probes", linker,
                compare(link, [tool, *link], plain, times))
            link = [*gcc, "hello.o", "-o", "hello"]
            row(results, "one object without probes", linker,
                compare(link, [tool, *link], plain, times * 3))
            link = [*gcc, "-static", "hello.o", "-o", "hello"]
            row(results, "one object, static, without probes", linker,
                compare(link, [tool, *link], plain, times * 3))
            # The same program from objects that were processed before: what is left is our work.
            link = [*gcc, *objects, "-o", "prog"]
            base = [*gcc, *(str(processed / name) for name in objects), *runtime, "-o", "prog"]
            row(results, "1000 objects with 4 probes each", linker,
                compare(base, [tool, *link], probed, max(3, times // 3)))
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
