# SPDX-License-Identifier: BSD-2-Clause
"""tests/stress in a guest: sites are toggled under load on three CPUs, with the books kept.

    toggle(sdt, "aarch64", library, [("jump", 1), ("trap", 0)])

SDT_GUEST_TOGGLES says how many changes of text each (mode, SDT_UNLOCK_TEXT) makes at least; they
come in turns of some thousands, with a seed each, and the file `console` in the test's directory
shows what was done so far.
"""
import json
import os

from conftest import INCLUDE, ROOT
from guest import boot

STRESS = ROOT / "tests" / "stress"
TOGGLES = int(os.environ.get("SDT_GUEST_TOGGLES", "20000"))
A_TURN = 500_000
FLAGS = ["-O2", "-g", "-Wall", "-Wextra", "-DCOPIES=12", "-fno-toplevel-reorder",
         "-falign-functions=4"]
PLACES = {"st_begin": "__start_st_text", "st_end": "__stop_st_text",
          "st_functions": "__start_st_table", "st_functions_end": "__stop_st_table"}


def program(sdt, gcc, library):
    """Linked by a script's symbols, with the sites of sites_compiled.c."""
    objects = {}
    for name in ("stress", "toggle", "sites", "sites_compiled"):
        objects[name] = sdt.path(f"{name}.o")
        sdt.command(gcc, *FLAGS, "-I", INCLUDE, "-c", STRESS / f"{name}.c", "-o", objects[name])
    sites = sdt.process(objects.pop("sites_compiled"))
    ends = [f"-Wl,--defsym={ours}={linkers}" for ours, linkers in PLACES.items()]
    sdt.command(gcc, "-static", *objects.values(), sites, library, "-pthread", *ends, "-o",
                sdt.path("books"))
    return sdt.path("books")


def toggle(sdt, machine, library, ways, **more):
    """Boot, toggle in all ways; each execution was counted, or handled, where its site was armed,
    and nowhere else."""
    exe = program(sdt, f"{machine}-linux-gnu-gcc", library)
    turns = {way: [f"SDT_UNLOCK_TEXT={way[1]} /books {seed} {way[0]} {min(TOGGLES, A_TURN)}"
                   for seed in range(number, 100 * -(-TOGGLES // A_TURN), 100)]
             for number, way in enumerate(ways, 1)}
    said = boot(sdt, [exe], [turn for way in ways for turn in turns[way]], machine=machine,
                timeout=1800 + len(ways) * TOGGLES // 50, **more)
    for way in ways:
        done = [json.loads(said[turn][0]) for turn in turns[way] if said[turn][1:] == ["status 0"]]
        assert len(done) == len(turns[way]), said
        for books in done:
            assert books["sites"] == 5000
            assert min(books[what] for what in ("counted", "handled", "signals", "forks")) > 0
        assert sum(books["toggles"] for books in done) >= TOGGLES
