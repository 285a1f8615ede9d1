# SPDX-License-Identifier: BSD-2-Clause
"""tests/stress in a guest, on three CPUs: toggling under load, with exact accounting.

    exe = program(sdt, "aarch64", library)    statically linked with that libsdt.a
    said = boot(sdt, [exe], turns("aarch64"), timeout=TIMEOUT, …)
    check(said, "aarch64")

SDT_GUEST_TOGGLES=2500000 makes ten million toggles in all four turns. A toggle has the other CPUs
execute a barrier, and where the emulator gets little of a busy machine, it is their turn late: then
signals at each tick of the guest's clock take what is left. So they come less often than in the
program that is not emulated, and it stands still more often: after 10 000 toggles on aarch64,
instead of 60 000; after 2000 on riscv64, where each write to the text interrupts all CPUs by way of
the firmware, and it toggles less than a hundredth as fast.
"""
import json
import os

from conftest import INCLUDE, ROOT
from cross import gcc

STRESS = ROOT / "tests" / "stress"
GIVEN = os.environ.get("SDT_GUEST_TOGGLES")
TOGGLES = {"aarch64": int(GIVEN or 20000), "riscv64": int(GIVEN or 4000)}  # in each turn
TIMEOUT = 1800 + max(TOGGLES.values()) // 50
ROUNDS = {"aarch64": 4, "riscv64": 1}
FLAGS = ["-O2", "-g", "-Wall", "-Wextra", "-DCOPIES=12", "-fno-toplevel-reorder",
         "-falign-functions=4", "-I", INCLUDE]


def _ends(place, begin, end):
    """For the linker: what C calls the section PLACE's BEGIN and END."""
    return f"-Wl,--defsym={begin}=__start_{place},--defsym={end}=__stop_{place}"


def turns(machine):
    return [f"STRESS_IS_EMULATED=1 STRESS_TIMER=30000 STRESS_ROUNDS={ROUNDS[machine]} "
            f"STRESS_HITS=1 SDT_UNLOCK_TEXT={unlock} /books {seed} {mode} {TOGGLES[machine]}"
            for seed, (mode, unlock) in
            enumerate([("jump", 1), ("jump", 0), ("trap", 1), ("trap", 0)], 1)]


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


def check(said, machine):
    for turn in turns(machine):
        assert said[turn][-1] == "status 0" and len(said[turn]) == 2, (turn, said[turn])
        done = json.loads(said[turn][0])
        assert done["sites"] == 5000 and done["toggles"] >= TOGGLES[machine]
        assert done["stale"] < done["executions"] / 1000  # of qemu's: docs/stress.md
        assert min(done["counted"], done["handled"], done["signals"], done["forks"]) > 0
