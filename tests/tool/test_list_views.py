# SPDX-License-Identifier: BSD-2-Clause
"""sdtlink list: summary, C++ names, patterns, and what it says of a program without a runtime.

Compared with the long list, which test_list.py compares with others, and with nm -C.
"""
import collections
import json
import os

import pytest

from conftest import BUILD

SOURCE = """
#include <sdt/probe.h>
namespace ns {
template <class T> struct page {
    __attribute__((noipa)) int fetch(T a, int b)
    {
        if (SDT_PROBE_ENABLED(web, page__in)) SDT_PROBE(web, page__in, a, b);
        SDT_PROBE(web, done, b);
        return b;
    }
};
}
extern "C" __attribute__((noinline)) int plain(int c) { SDT_PROBE(disk, done, c); return c; }
int main(int c, char **)
{
    ns::page<int> p;
    ns::page<long> q;
    SDT_PROBE(web, done, c);
    return plain(p.fetch(c, 1) + q.fetch(2, c)) == 99;
}
"""
INT, LONG = "ns::page<int>::fetch(int, int)", "ns::page<long>::fetch(long, int)"


@pytest.fixture
def obj(sdt):
    return sdt.process(sdt.compile(sdt.write("t.cc", SOURCE)), "-q", name="t.o.sdt")


def sites(sdt, *argv):
    return json.loads(sdt.sdtlink("list", "--json", *argv).stdout)


def test_a_summary_has_a_line_for_each_probe(sdt, obj):
    lines = [line.split(maxsplit=3)
             for line in sdt.sdtlink("list", "--summary", obj, obj).stdout.splitlines()]
    assert [line[:3] for line in lines] == [
        ["PROVIDER", "NAME", "SITES"], ["disk", "done", "2"], ["web", "done", "6"],
        ["web", "page-in", "8"]]
    assert [line[3].split("  ")[0] for line in lines[1:]] == \
        ["inline", "inline", "4 enabled, 4 inline"]
    assert lines[2][3].endswith("int32") and lines[3][3].endswith("(they differ)")


def test_a_summary_counts_what_the_list_shows(sdt, obj):
    other = sdt.process(sdt.compile("verify_calls.c"), "-q")
    shown = json.loads(sdt.sdtlink("list", "--summary", "--json", obj, other).stdout)
    expected = collections.defaultdict(collections.Counter)
    files = collections.defaultdict(dict)
    for site in sites(sdt, obj, other):
        expected[site["provider"], site["name"]][site["kind"]] += 1
        files[site["provider"], site["name"]][site["file"]] = None
    assert {(p["provider"], p["name"]): p["kinds"] for p in shown} == expected
    assert {(p["provider"], p["name"]): p["files"] for p in shown} == \
        {probe: list(names) for probe, names in files.items()}
    assert all(p["sites"] == sum(p["kinds"].values()) for p in shown)
    assert len(shown) == len(expected) and shown == sorted(
        shown, key=lambda p: (p["provider"], p["name"]))


def test_a_summary_of_nothing(sdt):
    empty = sdt.compile(sdt.write("empty.c", "int x;\n"))
    assert json.loads(sdt.sdtlink("list", "--summary", "--json", empty).stdout) == []
    result = sdt.sdtlink("list", "--summary", empty)
    assert result.stdout == "" and "no probes" in result.stderr


def test_cxx_names_are_those_of_nm(sdt, obj):
    plain = sdt.command("nm", "-p", obj).stdout.splitlines()
    clear = sdt.command("nm", "-pC", obj).stdout.splitlines()
    names = {a.split(maxsplit=2)[-1]: b.split(maxsplit=2)[-1]
             for a, b in zip(plain, clear) if len(a.split()) == 3}
    found = sites(sdt, "--demangle", obj)
    assert {s["demangled"] for s in found} == {INT, LONG, None}
    for site in found:
        assert names[site["function"]] == (site["demangled"] or site["function"])
    assert all("demangled" not in site for site in sites(sdt, obj))
    text = sdt.sdtlink("list", "--demangle", obj).stdout
    assert INT in text and LONG in text and " _ZN" not in text and "main" in text


@pytest.mark.parametrize("pattern,expected", [
    ("web", 7), ("*", 8), (":done", 4), ("web:page__in", 4), ("web:page-in", 4),
    ("*:page_[i]n", 0), ("web::main:", 1), ("::_ZN2ns4pageIiE*:", 3), (f"::{INT}:", 3),
    (f"web::{LONG}:done", 1), ("::ns::page<*>::fetch*:", 6), ("::*(long, int):page*", 2),
    (":t.o*::", 8), (":other::", 0), ("done", 4), ("page-in", 4), ("p*__in", 4),
    ("disk:[!e]one", 1), ("disk::plain:d?ne", 1), ("disk,web", 0),
])
def test_patterns_are_those_of_sdt_enable_and_know_cxx(sdt, obj, pattern, expected):
    result = sdt.sdtlink("list", "--json", "--demangle", f"--match={pattern}", obj)
    assert len(json.loads(result.stdout)) == expected
    if expected == 0:
        assert "t.o.sdt: no site matches" in sdt.sdtlink("list", f"--match={pattern}", obj).stderr


def test_the_table_has_cxx_names_without_being_asked(sdt, obj):
    assert sdt.sdtlink("list", obj).stdout == sdt.sdtlink("list", "--demangle", obj).stdout


def test_cxx_names_match_whether_shown_or_not(sdt, obj):
    assert len(sites(sdt, f"--match=::{INT}:", obj)) == 3
    assert sdt.sdtlink("list", f"--match=::{INT}:", obj).stdout.count(INT) == 3


def test_patterns_add_up_and_count_in_a_summary(sdt, obj):
    argv = ("--match=disk", "--match=::main:", obj)
    assert {s["function"] for s in sites(sdt, *argv)} == {"plain", "main"}
    lines = sdt.sdtlink("list", "--summary", *argv).stdout.splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [["disk", "done", "1"], ["web", "done", "1"]]


@pytest.mark.parametrize("argv,message", [
    (["--match=a:b:c"], "three parts"), (["--match="], "the pattern is empty"),
    (["--summary", "--check"], "cannot be used with --check"),
    (["--demangle", "--rules"], "cannot be used with --check"),
    (["--match=a", "--check"], "cannot be used with --check"),
])
def test_a_wrong_command_line(sdt, obj, argv, message):
    result = sdt.sdtlink("list", *argv, obj, status=2)
    assert message in result.stderr and result.stdout == ""


def function(name):
    return (f'.text\n.globl "{name}"\n.type "{name}",@function\n"{name}": call '
            f'__dtrace_sdt_p___n\nret\n.size "{name}", .-"{name}"\n')


def test_names_that_are_none_stay_as_they_are(sdt):
    """A line break in a name must not give it the next one's."""
    source = sdt.write("odd.s", function("_Z1fv/_Z1gv") + function("_Znonsense") +
                       function("_Z1hv"))
    odd = sdt.compile(source)
    odd.write_bytes(odd.read_bytes().replace(b"_Z1fv/_Z1gv", b"_Z1fv\n_Z1gv"))
    found = {s["function"]: s["demangled"] for s in sites(sdt, "--demangle", odd)}
    assert found == {"_Z1fv\n_Z1gv": None, "_Znonsense": None, "_Z1hv": "h()"}


def test_a_name_that_stands_for_gigabytes_ends(sdt):
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    parts = "".join(f"S_IS{digits[i]}_S{digits[i]}_E" for i in range(34))
    source = sdt.write("bomb.s", function("_Z1f1AIiiE" + parts))
    assert [site["demangled"] for site in sites(sdt, "--demangle", sdt.compile(source))] == [None]


def linked(sdt, obj, runtime, *flags):
    return sdt.link(obj, *flags, runtime=runtime, compiler="g++")


@pytest.mark.parametrize("flags", [(), ("-no-pie",), ("-static",), ("-static-pie",), ("-s",)])
def test_a_program_without_a_runtime_is_told_of(sdt, obj, flags):
    program = linked(sdt, obj, None, *flags)
    result = sdt.sdtlink("list", program)
    assert "warning" in result.stderr and "probe sites and no runtime" in result.stderr
    assert "link with -lsdt" in result.stderr and "page-in" in result.stdout
    assert {s["runtime"] for s in sites(sdt, program)} == {"none"}
    assert sdt.sdtlink("list", "--json", program).stderr == ""


@pytest.mark.parametrize("flags", [(), ("-no-pie",), ("-static",), ("-static-pie",), ("-s",),
                                   ("-fuse-ld=gold",), ("-fuse-ld=lld",), ("-fuse-ld=mold", "-s")])
def test_a_program_with_one_is_not(sdt, obj, flags):
    main = sdt.process(sdt.compile(sdt.write("main.c", """
        #include <sdt/runtime.h>
        __attribute__((constructor)) static void start(void) { sdt_enable("web", SDT_COUNT, 0); }
        """)), "-q")
    program = sdt.link(main, obj, *flags, compiler="g++")
    result = sdt.sdtlink("list", program)
    assert result.stderr == "" and "page-in" in result.stdout
    assert {s["runtime"] for s in sites(sdt, program)} == {"inside"}


def test_one_that_is_needed_and_libraries_are_not_told_of(sdt):
    obj = sdt.process(sdt.compile(sdt.write("t.cc", SOURCE), "-fPIC"), "-q")
    library = sdt.link(obj, "-shared", runtime=None, compiler="g++", name="libt.so")
    assert sdt.sdtlink("list", library).stderr == ""
    assert {s["runtime"] for s in sites(sdt, library)} == {"none"}
    needing = sdt.link(obj, "-Wl,--no-as-needed", f"-L{BUILD}/runtime", "-lsdt", runtime=None,
                       compiler="g++", name="needing")
    assert sdt.sdtlink("list", needing).stderr == ""
    assert {s["runtime"] for s in sites(sdt, needing)} == {"needed"}
    assert {s["runtime"] for s in sites(sdt, obj)} == {None}
    assert os.access(needing, os.X_OK)
