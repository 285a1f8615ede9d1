# SPDX-License-Identifier: BSD-2-Clause
"""Programs and tables of live aggregations: docs/live-programs.md against the headers, and hits of
real probes in several threads, each counted once. What programs mean is tested by
unit/test_program.c, test_program_check.c, test_table.c, test_outliers.c and test_compile.c.
"""
import re

import pytest
from conftest import ROOT
from elftools.elf.elffile import ELFFile
from test_docs import section, table

PAGE = (ROOT / "docs" / "live-programs.md").read_text()
RUNTIME = ROOT / "runtime"
STRUCTURES = {"live_program": "exchange/program.h", "live_step": "exchange/program.h",
              "live_table_spec": "exchange/table.h", "live_layout": "exchange/table.h",
              "live_table": "exchange/table.h", "live_flight": "exchange/layout.h",
              "live_exemplar": "exchange/layout.h"}


@pytest.fixture
def entries(sdt):
    """Name → DWARF entry of each structure and enumeration of the headers."""
    lines = [f"#include <{header}>\n" for header in sorted(set(STRUCTURES.values()))]
    lines += [f"extern struct {name} *use_{name}; struct {name} *use_{name};\n"
              for name in STRUCTURES]
    lines += ["enum live_code code; enum live_action action; enum live_fact fact;\n",
              "enum live_type type;\n"]
    source = sdt.write("headers.c", "".join(lines))
    with sdt.compile(source, "-I", RUNTIME).open("rb") as stream:
        unit = next(ELFFile(stream).get_dwarf_info().iter_CUs())
        yield {die.attributes["DW_AT_name"].value.decode(): die
               for die in unit.get_top_DIE().iter_children()
               if die.tag in ("DW_TAG_structure_type", "DW_TAG_enumeration_type")
               and "DW_AT_name" in die.attributes}


def members(die):
    return [(child.attributes.get("DW_AT_data_member_location",
                                  child.attributes.get("DW_AT_const_value")).value,
             child.attributes["DW_AT_name"].value.decode()) for child in die.iter_children()]


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures_are_as_the_page_says(entries, name):
    rows = table(section(PAGE, f"struct {name}"))
    assert [(int(row[0]), row[1]) for row in rows] == members(entries[name])


def test_steps_are_as_the_page_says(entries):
    assert [(int(row[0]), row[1]) for row in table(section(PAGE, "Steps"))] == \
        [(value, name) for value, name in members(entries["live_code"]) if name != "LIVE_CODES"]


def test_facts_actions_and_types_are_as_the_page_says(entries):
    facts = [(value, name.removeprefix("LIVE_").lower())
             for value, name in members(entries["live_fact"]) if name != "LIVE_FACTS"]
    row = re.search(r"LIVE_FACT` \| a: (.*?) \|", PAGE)[1]
    assert [f"{value} {name}" for value, name in facts] == row.split(", ")
    assert [name for _, name in members(entries["live_action"])] == \
        ["LIVE_COUNT", "LIVE_HIST", "LIVE_START", "LIVE_STOP", "LIVE_ENTER", "LIVE_LEAVE",
         "LIVE_ACTIONS"]
    assert dict(members(entries["live_type"])) == \
        dict(enumerate(["LIVE_NONE", "LIVE_SIGNED", "LIVE_UNSIGNED", "LIVE_REAL", "LIVE_STRING"]))


@pytest.mark.nosan
@pytest.mark.parametrize("sites", ["inline", "call"])
@pytest.mark.parametrize("rseq", [True, False])
def test_hits_of_threads_are_counted_once(sdt, sites, rseq):
    """The benchmark's program compares its table with how often it ran."""
    flags = ["-DSDT_CALL_SITES"] if sites == "call" else []
    source = ROOT / "bench" / "programs" / "live.c"
    exe = sdt.link(sdt.process(sdt.compile(source, "-I", RUNTIME, *flags)))
    env = {} if rseq else {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
    for what in ("false", "count", "key", "hist", "text", "lat"):
        out = sdt.command(exe, 3, 100_000, what, env=env).stdout
        assert re.fullmatch(r"hit \d+\.\d+\nloop \d+\.\d+\n", out)
