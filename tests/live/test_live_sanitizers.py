# SPDX-License-Identifier: BSD-2-Clause
"""`sdt` on programs under sanitizers of gcc and clang, which want to be first, see what others
write as uninitialised, and end the program for either. Programs count their own hits."""
import pathlib
import subprocess

import pytest

from conftest import BUILD, INCLUDES, TOOL_BUILD
from attached import SDT, ask, json_lines
from patience import run

pytestmark = pytest.mark.nosan  # the library would be loaded into programs of other sanitizers

LIBRARY = r"""
#include <sdt/probe.h>
int baked(int n);
int baked(int n) { SDT_PROBE(oven, baked, n); return n; }
"""
MAIN = r"""
#include <stdio.h>
int baked(int n);
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 7; i++)
        sum += baked(i);
    printf("%d\n", sum);
    return 0;
}
"""


def compiler_of(sdt, name, sanitizer):
    """The command, where it can link such a program."""
    compiler, *flags = name.split()
    command = [compiler, *flags, f"-fsanitize={sanitizer}", "-g", "-O1"]
    if "-shared-libasan" in flags:
        library = sdt.run(compiler, "-print-file-name=libclang_rt.asan-x86_64.so").strip()
        command.append(f"-Wl,-rpath,{pathlib.Path(library).parent}")
    empty = sdt.write("empty.c", "int main(void) { return 0; }\n")
    result = run([*map(str, command), str(empty), "-o", str(sdt.path("empty"))],
                 capture_output=True, text=True)
    if result.returncode != 0:
        pytest.skip(f"{name} has no {sanitizer} sanitizer here")
    return command


def linked(sdt, command, *objects, runtime=True, name="a.out", flags=()):
    shared = TOOL_BUILD / "runtime"
    library = [shared / "libsdt.so", f"-Wl,-rpath,{shared}"] if runtime else []
    sdt.command(*command, *objects, *library, *flags, "-o", sdt.path(name))
    return sdt.path(name)


def processed(sdt, command, source, *flags):
    obj = sdt.path(source.stem + ".o")
    sdt.command(*command, *INCLUDES, *flags, "-c", source, "-o", obj)
    return sdt.process(obj)


def counts(result):
    return {line["name"]: line["count"] for line in json_lines(
        "\n".join(line for line in result.stdout.splitlines() if line.startswith("{")))}


ALL = [("gcc", "address"), ("gcc", "thread"), ("gcc", "leak"), ("gcc", "undefined"),
       ("clang", "address"), ("clang -shared-libasan", "address"), ("clang", "thread"),
       ("clang", "memory")]


@pytest.mark.parametrize("compiler,sanitizer", ALL)
def test_a_library_with_probes_in_a_program_without(sdt, compiler, sanitizer):
    """sdt preloads the runtime, as the program itself has none; and what a shell starts has it."""
    command = compiler_of(sdt, compiler, sanitizer)
    part = processed(sdt, command, sdt.write("library.c", LIBRARY), "-fPIC")
    library = linked(sdt, command, part, name="liboven.so", flags=["-shared"])
    exe = linked(sdt, command, sdt.write("main.c", MAIN), library, runtime=False,
                 flags=[f"-Wl,-rpath,{sdt.dir}"])
    assert sdt.run(exe) == "21\n"
    result = ask(sdt, "count", "--json", "oven:baked", "--", exe)
    assert counts(result) == {"baked": 7} and "21\n" in result.stdout
    result = ask(sdt, "run", "--", "sh", "-c", str(exe))
    assert (result.stdout, result.stderr) == ("21\n", "")
    ask(sdt, "record", "-o", "rec", "-e", "oven:baked", "--", exe)
    events = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert [event["args"]["n"] for event in events] == list(range(7))


def test_options_of_the_user_stay(sdt):
    """The one that the preloaded library needs is added to them, unless the user has set it."""
    for options, expected in (("", "verify_asan_link_order=0"),
                              ("a=1", "a=1:verify_asan_link_order=0"),
                              ("verify_asan_link_order=1", "verify_asan_link_order=1")):
        result = ask(sdt, "run", "--", "/bin/sh", "-c", "echo $ASAN_OPTIONS",
                     env={"ASAN_OPTIONS": options})
        assert result.stdout == expected + "\n"


UNINITIALISED = r"""
#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int wanted = 3;
static long hits, sum;
__attribute__((noinline)) static void ignores(int a, int b, int c, const char *text)
{
    __asm__ volatile("" : : "r"(&hits) : "memory");
    (void)a, (void)b, (void)c, (void)text;
}
static void on_hit(const struct sdt_event *event, void *data)
{
    uint64_t words[12];
    if (data == &wanted && strcmp(sdt_name(event), "used") == 0)
        hits++;
    if (sdt_args(event, words, 12) == 2 && words[0] < 100 && words[1])
        sum += (long)words[0];
}
static int on_site(const struct sdt_probe_info *site, void *data)
{
    if (strcmp(site->name, "used") == 0 && site->nargs == 2 && site->mode == SDT_MODE_OFF &&
        strcmp(site->arg_names[0], "i") == 0 && site->arg_types[1][0])
        ++*(int *)data;
    return 0;
}
__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < 50; i++) {
        int *nothing = malloc(3 * sizeof *nothing);
        ignores(nothing[0], nothing[1], nothing[2], NULL); /* what is passed is never used */
        free(nothing);
        SDT_PROBE(msan, used, i, "text");
    }
}
int main(int argc, char **argv)
{
    struct sdt_recorder *recorder;
    struct sdt_record_stats stats;
    int sites = 0;
    work();
    sdt_foreach("msan:*", on_site, &sites);
    int id = sdt_enable("msan:used", on_hit, &wanted);
    work();
    sdt_disable(id);
    stats.size = sizeof stats;
    int error = sdt_record_create(argv[1], NULL, &recorder);
    if (argc == 2 && error == 0 && sdt_record_add(recorder, "msan:used") >= 0 &&
        sdt_record_start(recorder) == 0) {
        work();
        sdt_record_stop(recorder);
        if (sdt_record_stats(recorder, &stats) == 0 && stats.used >= 50)
            printf("%d %ld %ld %d\n", sites, hits, sum, (int)stats.lost);
        sdt_record_destroy(recorder);
    }
    return 0;
}
"""


def test_what_the_library_hands_over_is_initialised(sdt):
    """MemorySanitizer sees only what instrumented code has written: the library says the rest."""
    command = compiler_of(sdt, "clang", "memory")
    exe = linked(sdt, command, processed(sdt, command, sdt.write("used.c", UNINITIALISED)))
    result = sdt.command(exe, sdt.path("rec"), status=None)
    assert (result.returncode, result.stdout, result.stderr) == (0, "1 50 1225 0\n", "")
    for words in (["count", "--json", "msan:used"], ["trace", "msan:used"],
                  ["hist", "--json", "msan:used", "i"], ["lat", "msan:used", "msan:used"]):
        looked = ask(sdt, *words, "--", exe, sdt.path(f"rec-{words[0]}"))
        assert "MemorySanitizer" not in looked.stderr, looked.stderr
