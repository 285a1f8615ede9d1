# SPDX-License-Identifier: BSD-2-Clause
"""Patterns of `sdt` name functions of C++ as their source does: in every command, by whole names,
without parameters, without template arguments, by globs. What names nothing is said, with what may
be meant, when a program is traced and when it is built."""
import json
import re
import shutil
import sqlite3

import pytest

from attached import Target, ask
from conftest import INCLUDES, PROGRAMS
from test_functions import COMPILERS, build, sites
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions

ROUNDS = 3


@pytest.fixture
def exe(launch):
    return build(launch, "functions_named.cc", "-O1")


def said(output):
    """NAME → calls, as the program counts them."""
    return {name: int(count) for name, count in re.findall(r"^([^{].*) (\d+)$", output, re.M)}


def plain(launch, symbols):
    """What c++filt says of them."""
    return launch.sdt.command("c++filt", input="\n".join(symbols)).stdout.split("\n")


def counted(launch, exe, pattern):
    """NAME → hits of its entry; and the output of the program."""
    output = ask(launch.sdt, "count", "--json", pattern, "by", "function", "--", exe,
                 str(ROUNDS)).stdout
    rows = [json.loads(line) for line in output.splitlines() if line[0] == "{"]
    rows = [row for row in rows if row["name"] == "entry"]
    return dict(zip(plain(launch, [row["key"] for row in rows]),
                    [row["count"] for row in rows])), said(output)


PAYS = ["shop::order<int>::pay(int)", "shop::order<long>::pay(long)", "shop::cart::pay(int)",
        "shop::cart::pay(int, char)"]
PATTERNS = [
    ("fn::shop::cart::pay(int)", PAYS[2:3]),
    ("fn::shop::cart::pay(int, char)", PAYS[3:]),
    ("fn::shop::cart::pay", PAYS[2:]),
    ("fn::shop::cart::pay:entry", PAYS[2:]),
    ("fn:prog:shop::cart::pay:entry", PAYS[2:]),
    ("fn:other:shop::cart::pay:entry,fn::pay", ["pay"]),
    ("fn::shop::order<int>::pay", PAYS[:1]),
    ("fn::shop::order::pay", PAYS[:2]),
    ("fn::shop::order<long>::pay(long):entry,fn::pay:entry", [PAYS[1], "pay"]),
    ("fn::*::pay", PAYS),
    ("fn::shop::cart::operator<", ["shop::cart::operator<(shop::cart const&) const"]),
    ("fn::(anonymous namespace)::hidden", ["(anonymous namespace)::hidden(int)"]),
    ("fn::pick<int, char>", ["long pick<int, char>(int, char)"]),
    ("fn::pick", ["long pick<int, char>(int, char)"]),
    ("fn::pay", ["pay"]),
    ("fn::_ZN4shop4cart3payEi:entry", PAYS[2:3]),
]


@pytest.mark.parametrize("pattern, names", PATTERNS)
def test_patterns(launch, exe, pattern, names):
    hits, calls = counted(launch, exe, pattern)
    assert hits == {name: calls[name] for name in names}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_lambda(launch, compiler):
    """gcc calls it main::{lambda(int)#1}, clang main::$_0."""
    exe = build(launch, "functions_named.cc", "-O1", compiler=compiler)
    hits, calls = counted(launch, exe, "fn::main::*::operator()")
    [(name, count)] = hits.items()
    assert count == calls["lambda"] and name.startswith("main::")


def test_every_command(launch, exe):
    """The file and the process, trees, latencies, traces, recordings, tables."""
    pattern, name = "shop::cart::pay(int, char)", "shop::cart::pay(int, char)"
    listed = ask(launch.sdt, "list", exe, f"fn::{pattern}").stdout
    assert [line.split()[-4] for line in listed.splitlines()[1:]]
    assert len(re.findall(re.escape(name), listed)) == 2 and listed.count("\n") == 3
    tree = ask(launch.sdt, "tree", pattern, "--", exe, str(ROUNDS)).stdout
    assert re.search(rf" {ROUNDS} .* {re.escape(name)}$", tree, re.M)
    for word in (pattern, f"fn::{pattern}", f"fn:prog:{pattern}"):
        latency = ask(launch.sdt, "lat", "-n", "0", word, "--", exe, str(ROUNDS)).stdout
        assert f"\n{name}\ncount {ROUNDS} " in "\n" + latency
    traced = ask(launch.sdt, "trace", f"fn::{pattern}:entry", "--", exe, str(ROUNDS)).stdout
    assert len(re.findall(rf"fn::{re.escape(name)}:entry", traced)) == ROUNDS
    ask(launch.sdt, "record", "-e", f"fn::{pattern}", "-e", "fn::pay", "-o", "rec", exe,
        str(ROUNDS))
    summary = ask(launch.sdt, "report", "-s", "rec").stdout
    assert {(name, "entry"), (name, "return"), ("pay", "entry"), ("pay", "return")} == \
        set(re.findall(r"^fn::(.*):(\w+) +\d+ ", summary, re.M))
    ask(launch.sdt, "report", f"--pair={pattern}", "--html=out.html", "rec")
    ask(launch.sdt, "export", "--sqlite=out.db", "rec")
    database = sqlite3.connect(launch.sdt.path("out.db"))
    assert dict(database.execute("SELECT pair, count(*) FROM slices GROUP BY pair")) == \
        {f"fn::{name}": ROUNDS, "fn::pay": ROUNDS}


def test_more_than_a_request_has_room_for(launch):
    """Symbols that begin alike, some with `__`, of which some are not meant: exactly those that
    are, each once."""
    names = [f"{word}{i}" for i in range(40) for word in ("a_", "a__", "a___", "b")]
    calls = "\n".join(f"{space}::{name}({i});" for i, name in enumerate(names)
                      for space in ("meant", "meantime"))
    bodies = "\n".join(f"APART void {name}(int x) {{ sink += x; }}" for name in names)
    launch.sdt.write("many.cc", f"""
#define APART __attribute__((noipa))
static volatile long sink;
namespace meant {{ {bodies} struct s {{ APART void a(int x) const {{ sink += x; }} }}; }}
namespace meantime {{ {bodies} }}
int main() {{ {calls} meant::s().a(1); return 0; }}
""")
    launch("--functions", "--runtime=shared", "g++", "-O1", "many.cc", "-o", "many")
    exe = launch.sdt.dir / "many"

    def hits(pattern):
        output = ask(launch.sdt, "count", "--json", pattern, "by", "function", "--", exe).stdout
        rows = [json.loads(line) for line in output.splitlines()]
        assert {row["count"] for row in rows} == {1}
        return set(plain(launch, [row["key"] for row in rows]))

    both = {f"meant::{name}(int)" for name in names}
    assert hits("fn::meant::*:entry") == both | {"meant::s::a(int) const"}
    assert hits("fn::meant::a_[!_]*:entry") == {name for name in both if "::a_" in name} - \
        {name for name in both if "::a__" in name}
    assert hits("fn::*::b*:entry") == {f"{space}::{name}(int)" for name in names if name[0] == "b"
                                       for space in ("meant", "meantime")}
    result = ask(launch.sdt, "count", "fn::*::*[13579](int):entry", "--", exe, status=None)
    assert "have no room in a request: name fewer" in result.stderr


@pytest.mark.parametrize("pattern, meant", [
    ("fn::payy", "fn::pay"),
    ("fn::shop::crat::pay", "fn::shop::cart::pay"),
    ("fn::cart::pay:entry", "fn::shop::cart::pay:entry"),
    ("fn::hiden:entry", "fn::(anonymous namespace)::hidden:entry"),
    ("fn::shop::pay_all(long)", "fn::shop::pay_all(int)"),
])
def test_near_misses(launch, exe, pattern, meant):
    said = f"no probe matched; did you mean {meant}?"
    assert said in ask(launch.sdt, "count", pattern, "--", exe).stderr
    assert said in ask(launch.sdt, "trace", pattern, "--", exe).stderr
    assert f"no site matches; did you mean {meant}?" in ask(launch.sdt, "list", exe, pattern).stderr
    function = re.sub(r"^fn::|:entry$", "", pattern)
    meant = re.sub(r":entry$", "", meant)
    for command in "tree", "lat":
        result = ask(launch.sdt, command, function, "--", exe)
        assert f"no probe matched; did you mean {meant}:entry?" in result.stderr


def test_near_misses_in_a_process(launch):
    launch.sdt.write("wait.cc", """
#include <cstdio>
namespace shop { __attribute__((noipa)) void pay(int) {} }
int main() { char line[99]; puts("here"); fflush(stdout);
             while (fgets(line, sizeof line, stdin)) { shop::pay(1); puts("ok"); fflush(stdout); } }
""")
    launch("--functions", "--runtime=shared", "g++", "-O1", "wait.cc", "-o", "wait")
    with Target(launch.sdt.dir / "wait") as target:
        for command in "count", "list", "trace", "enable":
            result = ask(launch.sdt, command, "fn::shop::payy", "-p", str(target.pid), status=3)
            assert "did you mean fn::shop::pay?" in result.stderr, command
        listed = ask(launch.sdt, "list", "-p", str(target.pid), "fn::shop::pay").stdout
        assert listed.count("shop::pay(int)") == 2


WARNING = "sdtlink: warning: prog: --functions={} chooses no function"


@pytest.mark.parametrize("elements, missing, advice", [
    ("shop::cart::pya", ["shop::cart::pya"], "did you mean shop::cart::pay?"),
    ("pay,cart::pay,file:none.c", ["cart::pay", "file:none.c"], "did you mean shop::cart::pay?"),
    ("*nowhere*", ["*nowhere*"], "inlined"),
    ("pay,-nowhere,size:100000", [], ""),
    ("shop::*,main,file:functions_named.cc", [], ""),
])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_build_that_chooses_nothing(launch, compiler, elements, missing, advice):
    """By two objects: what is in one of them is chosen."""
    launch.sdt.write("other.c", "int other(int x) { return x + 1; }\n")
    result = launch(f"--functions={elements}", {"gcc": "g++", "clang": "clang++"}[compiler],
                    "-O1", *INCLUDES, PROGRAMS / "functions_named.cc", "other.c", "-o", "prog")
    warnings = [line for line in result.stderr.splitlines() if "chooses no function" in line]
    assert warnings == [WARNING.format(element) for element in missing]
    assert advice in result.stderr


def test_a_build_without_functions_says_nothing(launch):
    """Objects that were compiled without the option, and link-time optimisation, whose functions
    are not known yet."""
    launch.sdt.write("a.c", "int main(void) { return 0; }\n")
    launch.sdt.command("gcc", "-c", "a.c")
    assert "chooses" not in launch("--functions=none", "gcc", "a.o", "-o", "prog").stderr
    assert "chooses" not in launch("--functions=none", "gcc", "-flto", "a.c", "-o", "prog").stderr


def test_a_tool_without_sdtlink_list(launch):
    """Functions are probes all the same; that they have no arguments is said."""
    launch.sdt.write("a.c", "int serve(int n) { return n + 1; }\n"
                            "int main(void) { return serve(-1); }\n")
    launch("--functions", "gcc", "-g", "-O0", "-c", "a.c")
    alone = launch.sdt.path("bin")
    alone.mkdir()
    shutil.copy(launch.sdt.tool, alone / "sdtlink")
    for tool, is_said in (alone / "sdtlink", True), (launch.sdt.tool, False):
        said = launch.sdt.command(tool, "--functions", "-o", "b.o", "a.o").stderr
        assert ("a.o: its functions have no arguments: sdtlink-list" in said) == is_said
        fields = {field["name"] for site in sites(launch, "b.o") for field in site["fields"]}
        assert ("n" in fields) != is_said and "frame" in fields
