# SPDX-License-Identifier: BSD-2-Clause
"""Names for people are one and the same everywhere: `gc-done` for the probe gc__done, as DTrace
writes it, and functions of C++ as their source has them. Both spellings are understood; JSON and
the like have the C identifier and the symbol."""
import json
import subprocess

import pytest

import attached
import controlpage as cp
from attached import SDT, Target, ask, json_lines

SOURCE = """
#include <cstdio>
#include <cstring>
#include <sdt/probe.h>
namespace shop {
struct order {
    __attribute__((noipa)) void pay(long i)
    {
        SDT_PROBE(the__shop, gc__start, i);
        SDT_PROBE(the__shop, gc__done, i);
    }
};
}
int main()
{
    char line[100];
    shop::order order;
    puts("here");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        for (long i = 0; i < 100; i++)
            order.pay(i);
        puts("ok");
        fflush(stdout);
    }
    return 0;
}
"""
FUNCTION, SYMBOL = "shop::order::pay(long)", "_ZN4shop5order3payEl"


@pytest.fixture
def exe(sdt):
    return attached.build(sdt, sdt.write("shop.cc", SOURCE), "shop")


def shown(sdt, exe, *args):
    """What people see of a command that starts the program."""
    result = ask(sdt, *args, "--", exe, input="once\n")
    return result.stdout.replace("here\n", "").replace("ok\n", "")


@pytest.mark.parametrize("args, part", [
    (["count", "the-shop:*"], "the-shop:gc-done"),
    (["count", "the__shop:*", "by", "name"], "the-shop:gc-done  gc-done"),
    (["count", "the__shop:gc__done", "by", "provider,name"], "the-shop gc-done"),
    (["count", "gc-done", "by", "function"], FUNCTION),
    (["count", "gc-done", '/name == "gc-done" && provider == "the__shop"/'], "100"),
    (["hist", "gc__done", "i", "by", "name"], "the-shop:gc-done  i  gc-done"),
    (["lat", "gc__start", "gc__done"], "the-shop:gc-start to gc-done"),
    (["lat", "the__shop:gc__start", "the__shop:gc__done", "by", "function"],
     f"\n{FUNCTION}  100 "),
    (["lat", "the__shop:gc__start", "the__shop:gc__done", "by", "function", "--histograms"],
     f"the-shop:gc-start to the-shop:gc-done  {FUNCTION}"),
    (["trace", "gc__done"], "the-shop:gc-done  i=99"),
    (["trace", "gc-done", "{provider}:{name} in {function}"], f"the-shop:gc-done in {FUNCTION}"),
])
def test_tables_and_events(sdt, exe, args, part):
    text = shown(sdt, exe, *args)
    assert part in text
    assert "__" not in text and "_Z" not in text


def test_lists_of_a_process_and_of_its_file(sdt, exe):
    with Target(exe) as target:
        for argv in ([SDT, "list", "-p", target.pid], [SDT, "list", "--summary", "-p", target.pid],
                     [SDT, "list", exe], [sdt.tool, "list", exe],
                     [sdt.tool, "list", "--summary", exe], [sdt.tool, "list", "--check", exe],
                     [sdt.tool, "--dry-run", "-o", "x.o", sdt.compile(sdt.path("shop.cc"))]):
            text = sdt.command(*argv).stdout
            if "--check" not in argv:
                assert "the-shop" in text and "gc-done" in text
            assert "__" not in text
            assert ("_Z" not in text and FUNCTION in text) or "--summary" in argv or \
                argv[1] in ("--dry-run",) or "--check" in argv


def test_what_is_meant(sdt, exe):
    """Whichever way it is misspelt."""
    with Target(exe) as target:
        for wrong in "the-shop:gc-dome", "the__shop:gc__dome", "the_shop:gc-done":
            result = ask(sdt, "count", wrong, "-p", target.pid, status=3)
            assert "did you mean the-shop:gc-done?" in result.stderr
        result = ask(sdt, "list", "the-shop:gc_done", "-p", target.pid, status=3)
        assert result.stderr.endswith("did you mean the-shop:gc-done?\n")


def test_recordings(sdt, exe):
    ask(sdt, "record", "-o", "rec", exe, input="once\n")
    for argv in (["report", "rec"], ["report", "--summary", "rec"],
                 ["report", "--filter", 'name == "gc-done"', "rec"]):
        text = ask(sdt, *argv).stdout
        assert "the-shop:gc-done" in text and "__" not in text
    first = json.loads(ask(sdt, "report", "--json", "rec").stdout.splitlines()[0])
    assert (first["provider"], first["name"], first["function"]) == (
        "the__shop", "gc__start", SYMBOL)


def test_scripts_get_identifiers(sdt, exe):
    for args, key in (["name"], "gc__done"), (["function"], SYMBOL):
        result = subprocess.run([SDT, "count", "--json", "gc-done", "by", *args, "--", exe],
                                input="once\n", capture_output=True, text=True, check=True)
        [row] = [line for line in json_lines(result.stdout.replace("here\n", "")
                                             .replace("ok\n", ""))]
        assert (row["provider"], row["name"], row["key"]) == ("the__shop", "gc__done", key)
    listed = json.loads(sdt.sdtlink("list", "--json", exe).stdout)
    assert {(site["name"], site["function"]) for site in listed} == {
        ("gc__start", SYMBOL), ("gc__done", SYMBOL)}


# The bell of the control page rings once for a session, once for a request, and once when the list
# that was an answer has been taken: two lists, and what enables the probes, are six.
@pytest.mark.parametrize("pattern", ["the-shop:*", "the-shop", "gc-done", "gc-done,gc-*,the-shop"])
def test_the_process_is_asked_for_its_sites_before_and_after(exe, pattern):
    with Target(exe) as target, cp.open_page(target.pid) as page:
        counting = attached.Counting(target, pattern).begin()
        assert int.from_bytes(page[cp.BELL:cp.BELL + 4], "little") == 6
        target.do("once")
        assert counting.end()["gc__done"] == 100
