# SPDX-License-Identifier: BSD-2-Clause
"""docs/live.md has the control page as it is: its tables against runtime/exchange/page.h.

The compiler is asked, through the DWARF that it writes, what the structures look like.
"""
import re

import pytest
from conftest import ROOT
from elftools.elf.elffile import ELFFile
from test_docs import assert_structure, section, table

PAGE = (ROOT / "docs" / "live.md").read_text()
INCLUDE = ROOT / "runtime"


@pytest.fixture
def layout(sdt):
    """Name → DWARF entry of each structure of page.h; name → value of each enumerator."""
    source = sdt.write("layout.c", '#include <exchange/page.h>\nstruct live_page page;\n'
                       "enum live_op op;\n"
                       "int of[] = {LIVE_SESSIONS, LIVE_LEASE_MS, LIVE_SERVING, LIVE_POSTED};\n")
    with sdt.compile(source, "-I", INCLUDE).open("rb") as stream:
        unit = next(ELFFile(stream).get_dwarf_info().iter_CUs())
        dies = list(unit.get_top_DIE().iter_children())
        structures = {die.attributes["DW_AT_name"].value.decode(): die for die in dies
                      if die.tag == "DW_TAG_structure_type" and "DW_AT_name" in die.attributes}
        values = {child.attributes["DW_AT_name"].value.decode():
                  child.attributes["DW_AT_const_value"].value for die in dies
                  if die.tag == "DW_TAG_enumeration_type" for child in die.iter_children()}
        yield structures, values


@pytest.mark.parametrize("name", ["live_page", "live_session", "live_request"])
def test_structures_are_as_the_page_says(layout, name):
    assert_structure(PAGE, layout[0][name], name)


def test_constants_are_as_the_page_says(layout):
    text = (INCLUDE / "exchange" / "page.h").read_text()
    defined = {name: int(value, 0) for name, value in re.findall(
        r"^#define (LIVE_\w+) (?:UINT64_C\()?(0x\w+|\d+)u?\)?(?: |$)", text, re.M)}
    rows = [row for heading in ("Constants", "Operations", "States")
            for row in table(section(PAGE, heading))]
    assert {row[0]: int(row[1], 0) for row in rows} == {**defined, **layout[1]}
