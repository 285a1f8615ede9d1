# SPDX-License-Identifier: BSD-2-Clause
"""`sdt tree`: the calls below a function, of programs that `sdtlink --functions` has built.

The programs do what the tests know (programs/calls.c), count their own calls (functions.c), and
measure their own time; callgrind says which function calls which, and how often.
"""
import collections
import json
import re
import shutil
import signal
import subprocess

import pytest

import browser as chromium
import patience
from attached import SDT, Target, ask, code, until_attached
from conftest import PROGRAMS
from test_functions import COMPILERS, build, truth
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions


def json_lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def tree(sdt, *args, **kwargs):
    """Path → its line, and the result."""
    result = ask(sdt, "tree", "--json", *args, **kwargs)
    lines = json_lines(result.stdout)
    paths = {tuple(line["path"]): line for line in lines}
    assert len(paths) == len(lines)
    return paths, result


def calls(paths):
    return {" ".join(path): line["calls"] for path, line in paths.items()}


def by_function(paths):
    found = collections.Counter()
    for path, line in paths.items():
        found[path[-1]] += line["calls"]
    return found


SERVE = {"serve": 1, "serve outer": 1, "serve outer inner": 1, "serve outer inner leaf": 1,
         "serve outer leaf": 1, "serve leaf": 1, "serve down": 1, "serve down down": 1,
         "serve down down down": 1, "serve down down down down": 1,
         "serve down down down down leaf": 1}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_tree_is_that_of_the_program(launch, compiler):
    """Of the function alone, in both threads; outer() is also called elsewhere."""
    exe = build(launch, "calls.c", "-O1", "-fno-optimize-sibling-calls", compiler=compiler)
    paths, result = tree(launch.sdt, "serve", "--", exe, 50)
    assert calls(paths) == {path: 100 * count for path, count in SERVE.items()}
    assert result.stderr == ""
    both, _ = tree(launch.sdt, "else*", "inner", "--", exe, 50)
    assert calls(both) == {"elsewhere": 50, "elsewhere outer": 50, "elsewhere leaf": 50,
                           "elsewhere outer inner": 50, "elsewhere outer inner leaf": 50,
                           "elsewhere outer leaf": 50, "inner": 100, "inner leaf": 100}
    whole, _ = tree(launch.sdt, "*", "--", exe, 50)
    assert {path[0] for path in whole} == {"main", "work"}
    for caller in ("work", "main run"):
        assert calls(whole)[f"{caller} serve outer inner"] == 50


@pytest.mark.parametrize("compiler", COMPILERS)
def test_times_are_those_of_the_program(launch, compiler):
    """The program's two measurements, from inside and from outside of the function, enclose it; and
    what is a function's own is what its callees have left."""
    exe = build(launch, "calls.c", "-O1", compiler=compiler)
    paths, result = tree(launch.sdt, "serve", "elsewhere", "--", exe, 100)
    said = truth(result.stdout)
    measured = sum(line["ns"] for path, line in paths.items() if path[-1] == "inner")
    assert said["inner"] * 0.999 <= measured <= said["outer"] * 1.001
    for path, line in paths.items():
        below = [other for longer, other in paths.items()
                 if longer[:-1] == path and len(longer) == len(path) + 1]
        assert line["self"] == line["ns"] - sum(other["ns"] for other in below)
        assert line["ns"] / line["calls"] <= line["max"] <= line["ns"]
    assert paths["serve", "outer", "inner"]["self"] >= 0.9 * 200 * 20000


@pytest.mark.parametrize("compiler, level", [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O2")])
def test_calls_are_those_that_the_program_counts(launch, compiler, level):
    """Recursion, tail calls and threads; of what longjmp() ends, a message says how much it was."""
    exe = build(launch, "functions.c", level, compiler=compiler)
    paths, result = tree(launch.sdt, "*", "--", exe, 6)
    said = truth(result.stdout)
    assert {name: by_function(paths)[name] for name in said if name != "total"} == \
        {name: 0 if name == "deep" else count for name, count in said.items() if name != "total"}
    assert f"{said['deep']} calls ended without a return" in result.stderr
    # fib(5) has 1, 2, 4, 6 and 2 calls on its levels, and fib(3) 1, 2 and 2.
    found = calls(paths)
    for root, count, levels in (("main", 6, [1, 2, 4, 6, 2]), ("work", 18, [1, 2, 2])):
        for depth, number in enumerate(levels, 1):
            assert found[" ".join([root] + ["fib"] * depth)] == count * number
    assert "main jumper" in found and "main jumper fib" not in found


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_an_exception_ends_is_not_paired_with_another_call(launch, compiler):
    exe = build(launch, "functions.cc", "-O2", compiler=compiler)
    paths, result = tree(launch.sdt, "*serve*", "--", exe, 90)
    said = truth(result.stdout)
    serve, handle = "_ZN3web6server5serveEi", "_ZN3web6handleEii"
    assert calls(paths) == {
        " ".join([serve] + [handle] * depth): 90 if depth == 0 else said["returned"] // 3
        for depth in range(5)}
    assert f"{4 * said['thrown']} calls ended without a return" in result.stderr
    shown = ask(launch.sdt, "tree", "--min=0", "*serve*", "--", exe, 90).stdout
    assert re.search(r"  90 .*  web::server::serve\(int\)\n.*  60 .*    web::handle\(int, int\)\n",
                     shown)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_did_not_return_is_not_around_what_comes_next(launch, compiler):
    """Though the next call has the same frame, and no hit is between the two."""
    exe = build(launch, "calls.c", "-O1", compiler=compiler)
    paths, result = tree(launch.sdt, "jumping", "--", exe, 1, "jump", 7)
    assert calls(paths) == {"jumping": 1, "jumping leaf": 1}
    assert "7 calls ended without a return" in result.stderr


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind knows who calls whom")
def test_callers_are_those_of_callgrind(launch):
    """Of all pairs of functions, summed over the paths."""
    exe = build(launch, "calls.c", "-O1")
    out = launch.sdt.dir / "callgrind.out"
    launch.sdt.command("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
                       "--compress-strings=no", "--compress-pos=no", exe, "7")
    called, caller, callee = collections.Counter(), None, None
    for line in out.read_text().splitlines():
        name = re.sub(r"'\d+$", "", line.partition("=")[2])
        if line.startswith("fn="):
            caller = name
        elif line.startswith("cfn="):
            callee = name
        elif line.startswith("calls="):
            called[caller, callee] += int(line[6:].split()[0])
    paths, _ = tree(launch.sdt, "*", "--", exe, 7)
    own = collections.Counter()
    for path, line in paths.items():
        if len(path) > 1:
            own[path[-2:]] += line["calls"]
    assert len(own) > 8 and own == {pair: called[pair] for pair in own}


def test_depth_and_room_are_bounded(launch):
    """What does not fit is counted."""
    exe = build(launch, "calls.c", "-O1")
    paths, result = tree(launch.sdt, "-d", 2, "serve", "--", exe, 50)
    assert calls(paths) == {path: 100 for path in SERVE if path.count(" ") < 2}
    assert result.stderr == ""  # that was asked for
    paths, result = tree(launch.sdt, "--keys=4", "serve", "--", exe, 50)
    missing = int(re.search(r"serve:entry: (\d+) calls found no room", result.stderr)[1])
    assert len(paths) == 4 and sum(calls(paths).values()) + missing == 100 * len(SERVE)
    paths, result = tree(launch.sdt, "down", "--", exe, 1, "down", 199)
    assert calls(paths) == {" ".join(["down"] * depth): 1 for depth in range(1, 129)}
    # 200 calls of down(), and one of leaf().
    assert "73 calls were deeper than 128" in result.stderr


def test_folded_stacks(launch):
    exe = build(launch, "calls.c", "-O1")
    result = ask(launch.sdt, "tree", "--folded", "serve", "--", exe, 20)
    lines = [line.rpartition(" ") for line in result.stdout.splitlines() if ";" in line]
    assert {path.replace(";", " ") for path, _, _ in lines} <= set(SERVE)
    times = {path: int(ns) for path, _, ns in lines}
    assert times["serve;outer;inner"] >= 0.9 * 40 * 20000


@pytest.mark.skipif(not chromium.PROGRAM, reason="no chromium: apt-get install chromium")
def test_a_flame_graph_in_a_page(launch, tmp_path):
    """Boxes are as wide as their time is long, below their callers. A click enlarges one, and the
    search says how much of the time its matches take. The page loads nothing."""
    launch.sdt.write("tag.cc", """
template <typename T> struct box { __attribute__((noinline)) T get(T x); };
template <typename T> T box<T>::get(T x) { return x * 2; }
__attribute__((noinline)) int serve(int x)
{
    box<int> one;
    for (int i = 0; i < 300; i++)
        x += one.get(x);
    return x;
}
int main() { return serve(1) + serve(2) == 7; }
""")
    launch("--functions", "--runtime=shared", "g++", "-O1", "tag.cc", "-o", "prog")
    exe, file = launch.sdt.dir / "prog", launch.sdt.dir / "flame.html"
    paths, _ = tree(launch.sdt, f"--html={file}", "main", "--", exe)
    serve, get = "_Z5servei", "_ZN3boxIiE3getEi"
    assert calls(paths) == {"main": 1, f"main {serve}": 2, f"main {serve} {get}": 600}
    page = chromium.Browser(tmp_path / "profile")
    try:
        page.open(file)
        boxes = """[...document.querySelectorAll('#graph button')].map(box => [box.title,
            box.getBoundingClientRect().width, box.getBoundingClientRect().top, box.className])"""
        shown = page.run(boxes)
        assert [title.partition(": ")[0] for title, *_ in shown] == \
            ["main", "serve(int)", "box<int>::get(int)"]
        ns = [paths[path]["ns"] for path in (("main",), ("main", serve), ("main", serve, get))]
        for (title, width, _, _), time, count in zip(shown, ns, (1, 2, 600)):
            assert abs(width / shown[0][1] - time / ns[0]) < 0.01
            assert f", {count} calls, " in title
        assert shown[0][2] < shown[1][2] < shown[2][2]
        page.run("document.querySelectorAll('#graph button')[2].click()")
        page.frame()
        wide = page.run(boxes)
        assert [round(width) for _, width, _, _ in wide] == [round(shown[0][1])] * 3
        assert [name for *_, name in wide] == ["above", "above", ""]
        assert page.run("document.getElementById('chosen').textContent") == wide[2][0]
        page.key("0")
        page.key("/")
        page.type("BOX<")
        assert [name for *_, name in page.run(boxes)] == ["", "", "match"]
        share = float(page.run("document.getElementById('found').textContent").rstrip(" %"))
        assert abs(share - 100 * ns[2] / ns[0]) < 0.1
        assert page.run("document.getElementById('name').textContent") == "prog"
        assert page.complaints() == []
    finally:
        page.close()


def test_a_page_that_cannot_be_written(launch):
    exe = build(launch, "calls.c", "-O1")
    result = ask(launch.sdt, "tree", "--html=/nowhere/flame.html", "serve", "--", exe, 1, status=1)
    assert "/nowhere/flame.html" in result.stderr and "inner" not in result.stdout


def test_a_running_process_and_intervals(launch):
    """The program works between two lines that it is given. The intervals add up to the total, and
    then no site is armed any more."""
    exe = build(launch, "calls.c", "-O1")
    with Target(exe, args=["1", "told"]) as target:
        before = code(target.pid)
        tool = subprocess.Popen([SDT, "tree", "--json", "-i", "0.05", "serve", "-p",
                                 str(target.pid)], stdout=subprocess.PIPE, text=True)
        until_attached(tool, target.pid, before)
        parts = []
        for rounds, done in ((1, 1), (3, 4)):
            for _ in range(rounds):
                target.do("go", None)
                target.process.stdout.readline()
            # Until that is in an interval.
            while sum(line["calls"] for line in parts if line["path"] == ["serve"]) < 2 * done:
                parts.append(json.loads(tool.stdout.readline()))
        tool.send_signal(signal.SIGINT)
        parts += json_lines(tool.stdout.read())  # what is read ahead is in its buffer
        patience.wait(tool)
        assert tool.returncode == 0 and code(target.pid) == before
    total = {" ".join(line["path"]): line for line in parts if line.get("total")}
    assert {path: line["calls"] for path, line in total.items()} == \
        {path: 8 * count for path, count in SERVE.items()}
    for path, line in total.items():
        mine = [part for part in parts
                if " ".join(part["path"]) == path and not part.get("total")]
        assert len(mine) >= 2
        assert sum(part["calls"] for part in mine) == line["calls"]
        assert sum(part["ns"] for part in mine) == line["ns"]


def test_children_are_followed(launch):
    """A child of fork() goes on in the same table."""
    exe = build(launch, "calls.c", "-O1")
    paths, _ = tree(launch.sdt, "-f", "main", "--", exe, 20, "fork")
    found = calls(paths)
    assert found["main"] == 2  # in each of the two processes
    assert found["main run serve outer inner leaf"] == 20


def test_a_function_of_a_library_that_comes_later(launch):
    """It is a place where a tree begins from the moment on that it is loaded."""
    launch.sdt.write("lib.c", "__attribute__((noinline)) int below(int x) { return x + 1; }\n"
                              "int serve_late(int x) { int y = below(x); return y + below(y); }\n")
    launch.sdt.write("main.c", """
#include <dlfcn.h>
int serve_early(int x) { return x; }
int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    int (*serve)(int) = (int (*)(int))dlsym(library, "serve_late");
    int sum = serve_early(1);
    for (int i = 0; i < 10; i++)
        sum += serve(i);
    return sum == 7;
}
""")
    shared = ["--functions", "--runtime=shared", "gcc", "-O0"]
    launch(*shared, "-shared", "-fPIC", "lib.c", "-o", "lib.so")
    launch(*shared, "main.c", "-o", "prog", "-ldl")
    paths, _ = tree(launch.sdt, "serve*", "--", launch.sdt.dir / "prog",
                    launch.sdt.dir / "lib.so")
    assert calls(paths) == {"serve_early": 1, "serve_late": 10, "serve_late below": 20}


@pytest.mark.parametrize("args, status, message", [
    ([], 2, "name a function, or all by '*'"),
    (["fn::f:entry"], 2, "a function is a name or a glob"),
    (["-d", "0", "main"], 2, "a depth is a number from 1 to 128"),
    (["-d", "129", "main"], 2, "a depth is a number from 1 to 128"),
    (["-k", "x", "main"], 2, "there is room for a number of paths"),
    (["--min=101", "main"], 2, "--min is a part of the time in percent"),
    (["--json", "--folded", "main"], 2, "--json and --folded are mutually exclusive"),
    (["--folded", "-i", "1", "main"], 2, "--folded is of the whole time"),
    (["nothing"], 0, "fn::nothing:entry: no probe matched"),
])
def test_refused(launch, args, status, message):
    exe = build(launch, "calls.c", "-O1")
    result = ask(launch.sdt, "tree", *args, "--", exe, 1, status=status)
    assert message in result.stderr and "TIME" not in result.stdout


def test_without_a_frame_it_is_refused(launch):
    """Calls of -finstrument-functions could not be paired."""
    launch.sdt.command("gcc", "-O1", "-finstrument-functions", "-c", PROGRAMS / "calls.c")
    launch("-o", "out.o", "--functions", "calls.o")
    launch("--runtime=shared", "gcc", "out.o", "-pthread", "-o", "prog")
    result = ask(launch.sdt, "tree", "serve", "--", launch.sdt.dir / "prog", 1, status=1)
    assert "its functions do not say their frame" in result.stderr


def test_many_places_are_refused_by_name(launch):
    source = "".join(f"int many_{i}(int x) {{ return x + {i}; }}\n" for i in range(250))
    launch.sdt.write("many.c", source + "int main(void) { return many_1(0) == 2; }\n")
    launch("--functions", "--runtime=shared", "gcc", "-O0", "many.c", "-o", "prog")
    exe = launch.sdt.dir / "prog"
    result = ask(launch.sdt, "tree", "many*", "--", exe, status=1)
    assert "fn::many*:entry: more than 240 functions match" in result.stderr
    paths, _ = tree(launch.sdt, "many_1", "--", exe)
    assert calls(paths) == {"many_1": 1}
