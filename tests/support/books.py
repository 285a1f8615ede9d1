# SPDX-License-Identifier: BSD-2-Clause
"""tests/stress in a guest, on three CPUs: toggling under load, with exact accounting.

    exe = program(sdt, "aarch64", library)    statically linked with that libsdt.a
    said = boot(sdt, [exe], TURNS, timeout=TIMEOUT, …)
    check(said)

SDT_GUEST_TOGGLES=2500000 makes ten million toggles in all four turns.
"""
import json
import os

from conftest import INCLUDE, ROOT
from cross import gcc

STRESS = ROOT / "tests" / "stress"
TOGGLES = int(os.environ.get("SDT_GUEST_TOGGLES", "20000"))  # in each turn
TIMEOUT = 1800 + TOGGLES // 50
TURNS = [f"STRESS_IS_EMULATED=1 SDT_UNLOCK_TEXT={unlock} /books {seed} {mode} {TOGGLES}"
         for seed, (mode, unlock) in
         enumerate([("jump", 1), ("jump", 0), ("trap", 1), ("trap", 0)], 1)]
FLAGS = ["-O2", "-g", "-Wall", "-Wextra", "-DCOPIES=12", "-fno-toplevel-reorder",
         "-falign-functions=4", "-I", INCLUDE]


def _ends(place, begin, end):
    """For the linker: what C calls the section PLACE's BEGIN and END."""
    return f"-Wl,--defsym={begin}=__start_{place},--defsym={end}=__stop_{place}"


def program(sdt, machine, library):
    objects = {}
    for name in ("stress", "toggle", "sites", "sites_compiled"):
        objects[name] = sdt.path(f"{name}.o")
        sdt.command(gcc(machine), *FLAGS, "-c", STRESS / f"{name}.c", "-o", objects[name])
    objects["sites_compiled"] = sdt.process(objects["sites_compiled"])
    sdt.command(gcc(machine), "-static", *objects.values(), library, "-pthread",
                _ends("stress_text", "stress_begin", "stress_end"),
                _ends("stress_table", "stress_functions", "stress_functions_end"),
                "-o", sdt.path("books"))
    return sdt.path("books")


def check(said):
    for turn in TURNS:
        assert said[turn][-1] == "status 0" and len(said[turn]) == 2, turn
        done = json.loads(said[turn][0])
        assert done["sites"] == 5000 and done["toggles"] >= TOGGLES
        assert done["stale"] < done["executions"] / 1000  # of qemu's: docs/stress.md
        assert min(done["counted"], done["handled"], done["signals"], done["forks"]) > 0
