# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink verify --against` of objects with functions as probes: it knows the calls of functions
that were not chosen, and XRay's map; and what else has changed is still found."""
import json

import pytest

from elfview import ElfView

WAYS = {
    "fentry": ["gcc", "-pg", "-mfentry", "-minstrument-return=call"],
    "fentry, no-pie": ["gcc", "-fno-pie", "-pg", "-mfentry", "-minstrument-return=call"],
    "calls": ["gcc", "-finstrument-functions"],
    "calls, no-plt": ["gcc", "-fno-plt", "-finstrument-functions"],
    "sleds": ["clang", "-fxray-instrument", "-fxray-instruction-threshold=1"],
    "after inlining": ["clang", "-finstrument-functions-after-inlining"],
}
SOURCE = """
int leaf(int x) { return x * 3; }
extern int other(int);
int chained(int x) { return other(x + 1); }
void both(int x) { if (other(x)) other(x + 2); }
"""


def original(sdt, way, *flags):
    sdt.write("a.c", SOURCE)
    sdt.command(*WAYS[way], "-O2", *flags, "-c", "a.c", "-o", "in.o")
    return sdt.path("in.o")


def entered(sdt, path):
    """The functions whose entries are sites."""
    sites = json.loads(sdt.sdtlink("list", "--json", path).stdout)
    return {site["function"] for site in sites if site["name"] == "entry"}


@pytest.mark.parametrize("sections", ["-fno-function-sections", "-ffunction-sections"])
@pytest.mark.parametrize("way", WAYS)
def test_chosen_or_not(sdt, way, sections):
    path = original(sdt, way, sections)
    for elements, chosen in [("", {"leaf", "chained", "both"}), ("leaf,both", {"leaf", "both"}),
                             ("none", set())]:
        sdt.sdtlink("-q", f"--functions={elements}", "-o", "out.o", path)
        assert entered(sdt, "out.o") == chosen
        assert ": ok" in sdt.sdtlink("verify", "--against", path, "out.o").stdout


@pytest.mark.parametrize("way, element, was", [
    ("fentry", "leaf", "660f1f440000"), ("fentry, no-pie", "leaf", "0f1f440000"),
    ("calls", "leaf", "0f1f440000"), ("sleds", "both", "0f1f440000"),
])
def test_what_else_has_changed_is_found(sdt, way, element, was):
    """Code in the place of NOPs, of a call that is none any more and of a sled's rest."""
    path = original(sdt, way)
    sdt.sdtlink("-q", f"--functions={element}", "-o", "out.o", path)
    [text] = ElfView(sdt.path("out.o")).sections_named(".text")
    image = bytearray(sdt.path("out.o").read_bytes())
    at = image.index(bytes.fromhex(was), text.offset)
    image[at:at + 1] = b"\xf4"  # hlt
    sdt.path("bad.o").write_bytes(image)
    result = sdt.sdtlink("verify", "--against", path, "bad.o", status=1)
    assert "expected what does nothing here, as nothing is called for this function" in \
        result.stdout + result.stderr


def test_a_silenced_call_that_stayed_is_found(sdt):
    """The bytes of the call, with nothing that it leads to."""
    path = original(sdt, "fentry, no-pie")
    sdt.sdtlink("-q", "--functions=leaf", "-o", "out.o", path)
    image = sdt.path("out.o").read_bytes()
    sdt.path("bad.o").write_bytes(image.replace(bytes.fromhex("0f1f440000"),
                                                bytes.fromhex("e800000000"), 1))
    result = sdt.sdtlink("verify", "--against", path, "bad.o", status=1)
    assert "expected what does nothing here" in result.stdout + result.stderr
