# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink --functions` where functions are not what they mostly are: calls that end by a jump, an
exit or on another stack, resolvers, code in assembly, coroutines; and objects of several makers."""
import json
import re

import pytest

from attached import ask
from conftest import INCLUDES, PROGRAMS
from test_functions import COMPILERS, build, counts, sites, truth
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions


def said(output):
    """NAME → how often it was entered and how often it returned, as the program says."""
    return {name: (int(entered), int(left))
            for name, entered, left in re.findall(r"^(\w+) (\d+) (\d+)$", output, re.M)}


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_how_calls_end(launch, compiler, level):
    """longjmp(), pthread_exit(), exit(), two contexts, a signal handler on its own stack: what does
    not return has no return, and `sdt lat` has as many pairs as there are returns."""
    exe = build(launch, "functions_odd.c", "-w", level, compiler=compiler)
    plain = launch.sdt.run(exe, "7")
    wanted = said(plain)
    assert wanted["thrower"] == (7, 4) and wanted["step"] == (8, 8)
    entries, output = counts(launch, exe, "fn:::entry", "7")
    assert output.strip() == plain.strip()
    assert {name: entries[name] for name in wanted} == {name: n for name, (n, _) in wanted.items()}
    returns, _ = counts(launch, exe, "fn:::return", "7")
    assert {name: returns.get(name, 0) for name in wanted} == \
        {name: n for name, (_, n) in wanted.items()}
    for name in ("thrower", "step", "signalled", "leaver"):
        result = ask(launch.sdt, "lat", "--json", name, "--", exe, "7")
        [line] = [json.loads(line) for line in result.stdout.splitlines() if line[0] == "{"]
        assert line["count"] == wanted[name][1], name


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_naked_function(launch, compiler):
    """It has no epilogue, and so no return."""
    exe = build(launch, "functions_odd.c", "-w", "-O2", compiler=compiler)
    assert [site["name"] for site in sites(launch, exe) if site["function"] == "bare"] == ["entry"]


@pytest.mark.parametrize("link", [["-static"], ["-static-pie", "-fPIE"]], ids=["static", "pie"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_before_relocation(launch, compiler, link):
    """The resolver of an IFUNC runs before a static program has relocated itself."""
    launch("--functions", "--runtime=static", compiler, "-w", "-O2", *link, "-pthread",
           PROGRAMS / "functions_odd.c", "-o", "prog")
    wanted = said(launch.sdt.run(launch.sdt.dir / "prog", "5"))
    assert wanted["resolved"] == (5, 5)
    result = ask(launch.sdt, "count", "--json", "fn::res*:entry", "by", "function", "--",
                 launch.sdt.dir / "prog", "5")
    lines = [json.loads(line) for line in result.stdout.splitlines() if line[0] == "{"]
    # The resolver has run before anything could be armed.
    assert [(line["key"], line["count"]) for line in lines] == [("resolved", 5)]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_coroutines(launch, compiler):
    """The function that makes the coroutine, and the one that is resumed, which has its name and
    more; with gcc, the first calls the second. Each call has an entry and a return."""
    source = PROGRAMS / "functions_coroutine.cc"
    driver = {"gcc": "g++", "clang": "clang++"}[compiler]
    if launch.sdt.command(driver, "-std=c++20", "-fsyntax-only", source, status=None).returncode:
        pytest.skip(f"{driver} does not know the coroutines of this C++ library")
    exe = build(launch, "functions_coroutine.cc", "-std=c++20", "-O2", compiler=compiler)
    wanted = truth(launch.sdt.run(exe, "5"))
    entries, _ = counts(launch, exe, "fn::*counting*:entry", "5")
    returns, _ = counts(launch, exe, "fn::*counting*:return", "5")
    assert entries == returns
    assert entries["_Z8countingi"] == wanted["made"]
    [resumed] = [count for name, count in entries.items() if re.search(r"\.(actor|resume)$", name)]
    assert resumed == wanted["resumed"] + (wanted["made"] if compiler == "gcc" else 0)


OTHER = "int {0}(int x) {{ return x + 1; }}\n"


def test_objects_of_several_makers(launch):
    """gcc's calls of both sorts, clang's sleds, one without anything, and one that was processed
    already: in one link, in one object, and processed again."""
    for name in ("calls", "fentry", "sleds", "plain", "done"):
        launch.sdt.write(f"{name}.c", OTHER.format(name))
    launch.sdt.write("main.c", "int calls(int), fentry(int), sleds(int), plain(int), done(int);\n"
                     "int main(void) { return calls(fentry(sleds(plain(done(0))))) - 5; }\n")
    launch.sdt.command("gcc", "-O2", "-finstrument-functions", "-c", "calls.c")
    launch("--functions", "gcc", "-O2", "-c", "fentry.c")
    launch("--functions", "clang", "-O2", "-c", "sleds.c")
    launch.sdt.command("gcc", "-O2", "-c", "plain.c", "main.c")
    launch("--functions", "--at-compile", "gcc", "-O2", "-c", "done.c")
    objects = ["calls.o", "fentry.o", "sleds.o", "plain.o", "done.o"]
    wanted = {(name, end) for name in ("calls", "fentry", "sleds", "done")
              for end in ("entry", "return")}

    def found(path):
        return {(site["function"], site["name"]) for site in sites(launch, path)}

    launch("--functions", "gcc", "main.o", *objects, "-o", "prog")
    launch.run("prog")
    assert found("prog") == wanted
    launch.sdt.command("ld", "-r", *objects, "-o", "joined.o")
    launch("-q", "--functions", "-o", "out.o", "joined.o")
    assert found("out.o") == wanted
    assert ": ok" in launch("verify", "--against", "joined.o", "out.o").stdout
    launch("-q", "--functions", "-o", "again.o", "out.o")
    assert (launch.sdt.dir / "again.o").read_bytes() == (launch.sdt.dir / "out.o").read_bytes()
    launch("gcc", "main.o", "again.o", "-o", "prog")
    launch.run("prog")
    assert found("prog") == wanted


@pytest.mark.parametrize("compiler", COMPILERS)
def test_functions_without_names(launch, compiler):
    """Of a function without a symbol only its places are known: nothing that is named means it."""
    launch.sdt.write("a.c", "static __attribute__((noinline)) int nameless(int x)\n"
                     "{ __asm__ volatile(\"\" : \"+r\"(x)); return x * 2; }\n"
                     "int main(void) { return nameless(1) - 2; }\n")
    launch("--functions", compiler, "-O2", "-c", "a.c")
    launch.sdt.command("objcopy", "-w", "--strip-symbol=nameless*", "a.o", "stripped.o")
    for elements, wanted in [("", {None, "main"}), ("main", {"main"}), ("-main", {None}),
                             ("nameless", set()), ("file:*", {"main"})]:
        launch("-q", f"--functions={elements}", "-o", "out.o", "stripped.o")
        assert {site["function"] or None for site in sites(launch, "out.o")} == wanted, elements
        launch(compiler, "out.o", "-o", "prog")
        launch.run("prog")


def test_the_program_calls_them_itself(launch):
    """A function pointer to what gcc calls is refused by name."""
    launch.sdt.write("a.c", "void __fentry__(void);\nvoid (*p)(void) = __fentry__;\n"
                     "int f(int x) { return x; }\n")
    launch("--functions", "gcc", "-O2", *INCLUDES, "-c", "a.c")
    result = launch("--functions", "-o", "out.o", "a.o", status=1)
    assert "this is not a call that gcc makes at the entry or the end" in result.stderr
    assert not (launch.sdt.dir / "out.o").exists()
