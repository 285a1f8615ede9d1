# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink --functions` with debug information: functions' arguments and results.

The programs write themselves what they were called with and what they return, in the words of
`sdt trace`.
"""
import json
import re
import shutil

import pytest

from attached import ask
from test_functions import build, sites
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions

C = "function_arguments.c"


def shown(lines):
    """What follows the probe, in whose name C++ has blanks."""
    return re.findall(r"  fn:.*?:(?:entry|return) +(.*)$", "\n".join(lines), re.M)


def traced(launch, exe, *args, pattern="fn"):
    """What sdt trace shows of each function but main, and what the program wrote into a file."""
    output = ask(launch.sdt, "trace", "--events", pattern, "--", exe, *args, "said").stdout
    calls = [call for call in shown(output.splitlines()) if not call.startswith("main")]
    return calls, launch.sdt.path("said").read_text().splitlines()


@pytest.mark.parametrize("flags", ["-O2 -g", "-O0 -g", "-O1 -gdwarf-4 -gz",
                                   "-O3 -g -fno-pie -no-pie"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_calls_are_shown_as_the_program_made_them(launch, compiler, flags):
    exe = build(launch, C, *flags.split(), compiler=compiler)
    calls, output = traced(launch, exe, "4")
    assert calls == output
    assert len(calls) == 4 * 26


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_methods_references_and_classes_by_value(launch, compiler):
    exe = build(launch, "function_arguments.cc", "-O2", "-g", compiler=compiler,
                chosen="--functions=*shop*,main")
    calls, output = traced(launch, exe, "3")
    assert calls == output
    assert len(calls) == 3 * 8


HOLDER = """
struct Counted { int n; Counted(int); Counted(const Counted &other); ~Counted(); };
struct Holder { Counted counted[1]; long room[3]; };
"""
HOLDS = "int holds(Holder holder, int after) { return holder.counted[0].n + after; }"
MAIN = """
int holds(Holder holder, int after);
Counted::Counted(int given) : n(given) {}
Counted::Counted(const Counted &other) : n(other.n) {}
Counted::~Counted() {}
int main() { return holds({{7}, {1, 2, 3}}, 35) != 42; }
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_class_that_is_copied_by_a_member_s_function(launch, compiler):
    """It is passed by its address. In the file of the function, gcc says nothing of the class but
    its members."""
    write = launch.sdt.write
    exe = build(launch, str(write("main.cc", HOLDER + MAIN)), "-g",
                str(write("holds.cc", HOLDER + HOLDS)), compiler=compiler,
                chosen="--functions=holds*")
    output = ask(launch.sdt, "trace", "--events", "fn", "--", exe).stdout
    (call, result) = shown(output.splitlines())
    assert re.fullmatch(r"holds\(holder=0x[0-9a-f]+, after=35\)", call)
    assert result == "holds = 42"


def test_a_stripped_program_knows_them_too(launch):
    exe = build(launch, C, "-O2", "-g")
    launch.sdt.command("strip", exe)
    calls, output = traced(launch, exe, "2", pattern="fn::half,fn::word")
    assert calls == [line for line in output if line.startswith(("half", "word"))]


@pytest.mark.parametrize("flags", ["-O2", "-O2 -g1"])
def test_without_debug_information_there_is_only_the_call(launch, flags):
    exe = build(launch, C, *flags.split())
    assert all([field["name"] for field in site["fields"]] == ["frame"]
               for site in sites(launch, exe))
    calls, _ = traced(launch, exe, "1", pattern="fn::half")
    assert calls == ["half()", "half returns"]


COPIES = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static int scaled(int x, int by) { return x * by; }
int main(int argc, char **argv)
{
    int all = 0;
    for (int i = 0; i < atoi(argv[1]); i++)
        all += scaled(i, 3);
    printf("%d\\n", all);
    return argc == 9;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_what_the_compiler_has_changed_has_no_arguments(launch, compiler):
    """gcc makes scaled.constprop.0, without `by`. clang may change a static function as well, and
    keeps its name."""
    source = str(launch.sdt.write("copies.c", COPIES))
    exe = build(launch, source, "-O2", "-g", compiler=compiler)
    for site in sites(launch, exe):
        if site["function"] == "scaled":
            assert [field["name"] for field in site["fields"]] == ["frame"]


def test_results_are_values_of_expressions(launch):
    exe = build(launch, C, "-O2", "-g")
    result = ask(launch.sdt, "hist", "--json", "fn::kinds:return", "result", "--", exe, "5")
    row = json.loads(next(line for line in result.stdout.splitlines() if line.startswith("{")))
    assert (row["count"], row["min"], row["max"]) == (5, -2000, 2000)
    result = ask(launch.sdt, "count", "--json", "fn::kinds:entry /rate > 1.0 && !is_last/", "by",
                 "path", "--", exe, "5")
    rows = {row["key"]: row["count"] for row in map(json.loads, (
        line for line in result.stdout.splitlines() if line.startswith("{")))}
    assert rows == {"/x": 2, "/index": 1}


def test_a_function_is_recorded_by_its_name(launch):
    """`fn::NAME` are both of its probes, in the environment of a command as well."""
    exe = build(launch, C, "-O2", "-g")
    output = ask(launch.sdt, "record", "--event=fn::half", "-o", "out", exe, "3").stdout
    said = ask(launch.sdt, "report", "out").stdout
    calls = shown(said.splitlines())
    assert calls == [line for line in output.splitlines() if line.startswith("half")]
    assert len(calls) == 6


TAIL = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) long other(long n) { __asm__ volatile(""); return n + 7; }
__attribute__((noinline)) long chosen(long n)
{
    __asm__ volatile("");
    return n % 3 == 0 ? other(n) : n * 2;
}
int main(int argc, char **argv)
{
    long all = 0;
    for (int i = 0; i < atoi(argv[1]); i++)
        all += chosen(i);
    printf("%ld\\n", all);
    return argc == 9;
}
"""


def test_before_a_tail_call_there_is_no_result(launch):
    """Such a hit counts as one without a value; it is not a result of 0."""
    exe = build(launch, str(launch.sdt.write("tail.c", TAIL)), "-O2", "-g")
    ends = [site for site in sites(launch, exe)
            if (site["function"], site["name"]) == ("chosen", "return")]
    assert sorted(len(site["fields"]) for site in ends) == [1, 2]
    result = ask(launch.sdt, "hist", "--json", "fn::chosen:return", "result", "--", exe, "30")
    row = json.loads(next(line for line in result.stdout.splitlines() if line.startswith("{")))
    assert (row["count"], row["min"]) == (20, 2)
    assert "10 hits had no value" in result.stderr


@pytest.mark.skipif(not shutil.which("gdb"), reason="gdb is not installed")
def test_gdb_says_the_same(launch):
    """At the same functions, from the same debug information, by a reader of its own."""
    exe = build(launch, C, "-O2", "-g")
    script = launch.sdt.write("script.gdb", "\n".join([
        "set print address off", "set breakpoint pending on", "break kinds", "break half", "run 1",
        "printf \"kinds(path=\\\"%s\\\", small=%d, is_last=%s, mode=%s, rate=%g, part=%g, "
        "port=%u)\\n\", path, small, is_last ? \"true\" : \"false\", mode == READ ? \"READ\" : "
        "\"WRITE\", rate, part, port",
        "continue", "printf \"half(n=%d)\\n\", n", "finish"]))
    said = launch.sdt.command("gdb", "-q", "-nx", "-batch", "-x", script, exe).stdout
    calls, _ = traced(launch, exe, "1", pattern="fn::kinds,fn::half")
    assert all(call in said for call in calls if "(" in call), said
