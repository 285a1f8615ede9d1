# SPDX-License-Identifier: BSD-2-Clause
"""A probe has a stub where it is called, and none where all its sites are in the code itself."""
import itertools

import pytest

from elfview import ElfView
from toolchain import LINKERS

HEADER = "#include <sdt/probe.h>\n"
INLINE = HEADER + """
__attribute__((noinline)) void in_code(int n);
void in_code(int n) { SDT_PROBE(app, both, n); SDT_PROBE(app, code, n); }
"""
CALLED = HEADER + """
__attribute__((noinline)) void called(int n);
void called(int n) { SDT_PROBE(app, both, n); SDT_PROBE(app, call, n); }
"""
MAIN = """
#include <sdt/runtime.h>
#include <stdio.h>
void in_code(int n);
void called(int n);
int main(void)
{
    sdt_enable("app:*", SDT_COUNT, NULL);
    for (int i = 0; i < 3; i++)
        in_code(i);
    called(7);
    printf("%d %d %d\\n", (int)sdt_hits("app:both"), (int)sdt_hits("app:code"),
           (int)sdt_hits("app:call"));
    return 0;
}
"""


def compiled(sdt):
    return {"in_code": sdt.compile(sdt.write("in_code.c", INLINE)),
            "called": sdt.compile(sdt.write("called.c", CALLED), "-DSDT_CALL_SITES")}


def stubs(path):
    return sorted(s.name for s in ElfView(path).symbols
                  if s.name.startswith("__sdt_stub_") and isinstance(s.section, int))


def test_where_it_is_called(sdt):
    raw = compiled(sdt)
    assert stubs(sdt.process(raw["in_code"])) == []
    called = ElfView(sdt.process(raw["called"]))
    assert stubs(called.path) == ["__sdt_stub_app___both", "__sdt_stub_app___call"]
    for section in called.sections_named(".text.sdt_stub"):
        assert called.group_of(section.index) is not None


@pytest.mark.parametrize("ld", LINKERS)
@pytest.mark.parametrize("order", itertools.permutations(["in_code", "called"]), ids="-".join)
@pytest.mark.parametrize("joined", ["not", "before", "after"])
def test_one_probe_of_both_sorts(sdt, ld, order, joined):
    """Whichever group of the probe the linker keeps; also in one object, processed before or after
    it was joined, or half of it."""
    raw = compiled(sdt)
    objects = [raw[name] for name in order]
    if joined != "after":
        objects = [sdt.process(obj) for obj in objects]
    if joined != "not":
        sdt.command("ld", "-r", "-o", "joined.o", *objects)
        objects = [sdt.path("joined.o")]
    if joined == "after":
        objects = [sdt.process(objects[0])]
    exe = sdt.link(*objects, sdt.compile(sdt.write("main.c", MAIN)), f"-fuse-ld={ld}",
                   "-Wl,--gc-sections", compiler="clang")
    assert sdt.run(exe) == "4 3 1\n"
    assert stubs(exe) == ["__sdt_stub_app___both", "__sdt_stub_app___call"]


@pytest.mark.parametrize("first", ["in_code", "called"])
def test_what_an_earlier_run_has_made_is_used(sdt, first):
    """One of the two is processed, the other one when it is joined with that."""
    raw = compiled(sdt)
    [other] = set(raw) - {first}
    sdt.command("ld", "-r", "-o", "half.o", sdt.process(raw[first]), raw[other])
    whole = sdt.process(sdt.path("half.o"))
    assert stubs(whole) == ["__sdt_stub_app___both", "__sdt_stub_app___call"]
    exe = sdt.link(whole, sdt.compile(sdt.write("main.c", MAIN)))
    assert sdt.run(exe) == "4 3 1\n"
