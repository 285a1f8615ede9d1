# SPDX-License-Identifier: BSD-2-Clause
"""What the launcher adds to links: of 1000 objects, of one, of libc; with probes and without.

Each pair of commands is run alternately, so that whatever else the machine does hits both; reported
is the median of the differences, and what part of the median link that is.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINKERS = ["bfd", "gold", "lld", "mold"]
COUNT = 1000

# As big as the objects of a real program: some functions, data, calls between objects.
OBJECT = """
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
%(probe)s
static const char *names_%(i)d[] = {"a%(i)d", "b%(i)d", "c%(i)d", "d%(i)d"};
struct item_%(i)d { int key; char name[32]; struct item_%(i)d *next; };
static struct item_%(i)d *head_%(i)d;
""" + "".join("""
int f%(i)d_""" + str(k) + """(int x)
{
    struct item_%(i)d *item = malloc(sizeof *item);
    item->key = x + """ + str(k) + """;
    snprintf(item->name, sizeof item->name, "%%s-%%d", names_%(i)d[x & 3], x);
    item->next = head_%(i)d;
    head_%(i)d = item;
    %(use)s
    return x > 1000 ? f%(next)d_""" + str(k) + """(x / 2) : (int)strlen(item->name);
}
""" for k in range(4))
DECLARE = "".join("int f%(next)d_" + str(k) + "(int);\n" for k in range(4))


def make_objects(directory, with_probes):
    use, probe = "", ""
    if with_probes:
        probe = "#include <sdt/probe.h>"
        use = "SDT_PROBE(bench, item%(i)d, x);"
    directory.mkdir()
    for i in range(COUNT):
        values = {"i": i, "next": (i + 1) % COUNT, "probe": probe}
        values["use"] = use % values
        text = DECLARE % values + OBJECT % values
        (directory / f"o{i}.c").write_text(text)
    (directory / "main.c").write_text("int f0_0(int); int main(void) { return f0_0(5) == 0; }")
    make = "all: " + " ".join(f"o{i}.o" for i in range(COUNT)) + " main.o\n"
    (directory / "Makefile").write_text(make)
    subprocess.run(["make", "-s", f"-j{os.cpu_count()}", "CFLAGS=-O2 -g -I"
                    f"{ROOT}/runtime/include"], cwd=directory, check=True)


def run(command, directory):
    start = time.perf_counter()
    subprocess.run(command, cwd=directory, check=True)
    return (time.perf_counter() - start) * 1000


def compare(plain, launched, directory, times):
    """Median of PLAIN, and of the difference to LAUNCHED, in milliseconds."""
    run(plain, directory), run(launched, directory)
    base, differences = [], []
    for _ in range(times):
        before = run(plain, directory)
        base.append(before)
        differences.append(run(launched, directory) - before)
    return statistics.median(base), statistics.median(differences)


def row(results, what, linker, pair):
    base, added = pair
    results.append({"what": what, "linker": linker, "link_ms": round(base, 2),
                    "added_ms": round(added, 2), "added_percent": round(100 * added / base, 1)})
    print(f"{what:34} {linker:5} {base:9.2f} ms {added:+8.2f} ms {100 * added / base:+7.1f} %",
          file=sys.stderr)


def main():
    build = pathlib.Path(os.environ.get("SDT_BUILD", ROOT / "build"))
    tool, results = str(build / "sdtlink" / "sdtlink"), []
    runtime = [str(build / "runtime" / "libsdt.a"), "-Wl,-u,__sdt_register"]
    times = int(os.environ.get("SDT_BENCH_TIMES", "21"))
    with tempfile.TemporaryDirectory() as temporary:
        directory = pathlib.Path(temporary)
        plain, probed = directory / "plain", directory / "probed"
        make_objects(plain, False)
        make_objects(probed, True)
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
