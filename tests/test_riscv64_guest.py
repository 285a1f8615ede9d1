# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on riscv64 with a kernel of that machine: text written through /proc/self/mem and by
mprotect, breakpoints and their signals, membarrier(2), three CPUs; the kernel's uprobes at our
sites; `sdt` in another process; toggling under load.

Needs a kernel: guest/guest.py. Emulated all the same: nothing is said here of real caches. The
programs are those of aarch64, but for the registers."""
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

import recorded
from conftest import INCLUDE, PROGRAMS, ROOT
from cross import need, targets  # noqa: F401 (targets is a fixture)
from test_riscv64_runtime import hits

sys.path.insert(0, str(pathlib.Path(__file__).parent / "guest"))
from guest import boot, kernel, receive  # noqa: E402 (it is not beside this file)

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
GCC = "riscv64-linux-gnu-gcc"
ASM, STRESS = ROOT / "tests" / "asm", ROOT / "tests" / "stress"
TOGGLES = int(os.environ.get("SDT_GUEST_TOGGLES", "20000"))  # in each mode
WRITES = "proc_mem.force_override=always"  # Debian's kernel lets only debuggers write to text so
FORMS = ("inline", "call")


def guest(sdt, programs, commands, **more):
    return boot(sdt, programs, commands, machine="riscv64", **more)


def compiled(sdt, name, source, *flags):
    obj = sdt.path(f"{name}.o")
    sdt.command(GCC, "-O2", *flags, "-I", INCLUDE, "-c", source, "-o", obj)
    return obj


def program(sdt, targets, name, source, *flags, objects=()):
    exe = sdt.path(name)
    sdt.command(GCC, "-static", sdt.process(compiled(sdt, name, PROGRAMS / source, *flags)),
                *objects, "-Wl,-u,__sdt_register", targets("riscv64") / "lib" / "libsdt.a",
                "-pthread", "-o", exe)
    return exe


@pytest.fixture(autouse=True)
def machine():
    kernel("riscv64")
    need(GCC)


@pytest.mark.parametrize("parameters", [WRITES, ""], ids=["proc-self-mem", "mprotect"])
def test_sites_are_armed_and_serve(sdt, targets, parameters):
    """What test_riscv64_runtime.py does, by both ways of writing that programs go on a kernel."""
    sdt.command(GCC, "-c", ASM / "rv_registers.S", "-o", sdt.path("regs.o"))
    programs = [program(sdt, targets, "inline", "a64_run.c"),
                program(sdt, targets, "call", "a64_run.c", "-DSDT_CALL_SITES"),
                program(sdt, targets, "unwind", "a64_unwind.c", "-fexceptions"),
                program(sdt, targets, "registers", "rv_registers.c",
                        objects=[sdt.process(sdt.path("regs.o"))])]
    runs = [f"/{name} {what}" for name in FORMS for what in ("jump", "trap", "count", "toggle")]
    said = guest(sdt, programs, [*runs, "/registers jump", "/registers trap", "/unwind"],
                 parameters=parameters)
    for name in FORMS:
        for mode in ("jump", "trap"):
            assert said[f"/{name} {mode}"][2:7] == hits(mode)
            assert said[f"/{name} {mode}"][-3:] == ["disabled: success", "off: 0 0", "status 0"]
        assert said[f"/{name} count"] == ["1000", "status 0"]
        assert said[f"/{name} toggle"] == ["calls enough, wrong 0, failed 0, late 0", "status 0"]
    for mode in ("jump", "trap"):
        assert said[f"/registers {mode}"] == ["12 hits, vectors: 1", "status 0"]
    assert said["/unwind"] == ["framed: framed outer", "leaf: leaf framed outer",
                               "left: tail outer", "cleanup of run", "7 0", "status 0"]


def test_uprobes_at_sites(sdt, targets):
    """At the auipc of an inline site and of a tail site: each hit is counted while the site is off;
    and while the kernel's breakpoint is there, the site is armed all the same, since our byte is in
    the next instruction."""
    said = guest(sdt, [program(sdt, targets, "uprobe", "a64_uprobe.c")], ["/uprobe"],
                 parameters=WRITES)["/uprobe"]
    assert said[0] == "uprobes: 0"
    assert sorted(said[1:3]) == ["uprobe left: 3", "uprobe sale: 3"]
    assert re.fullmatch("words ....9002 ....9002", said[3])  # c.ebreak
    assert said[4:7] == ["armed: success", "handler sale 5", "handler left 6"]
    assert sorted(said[7:9]) == ["uprobe left: 4", "uprobe sale: 4"]
    assert said[9:] == ["disabled: success", "gone: 0", "armed: 1", "handler sale 7",
                        "handler left 8", "disabled: success", "status 0"]


def counting(sdt, targets, name, *flags):
    signature = "-DRSEQ_SIG=0xf1401073"  # glibc 2.36 does not say it
    fixture = sdt.process(compiled(sdt, f"{name}_fixture", PROGRAMS / "a64_fixture.c", *flags))
    return program(sdt, targets, name, "rt_counting.c", signature, *flags,
                   objects=[fixture, "-Wl,--defsym=P_call=__start_sdt_probes"])


def test_counts_are_exact(sdt, targets):
    """In the probe, by one atomic instruction: threads that move from CPU to CPU, signals, forks,
    other handlers."""
    programs = [counting(sdt, targets, "inline"),
                counting(sdt, targets, "call", "-DSDT_CALL_SITES")]
    commands = ["inline storm all", "call storm all", "call fork all", "inline vfork all",
                "inline both all", "inline signals all", "call again none"]
    said = guest(sdt, programs, [f"/{command}" for command in commands], parameters=WRITES)
    for command in commands:
        assert said[f"/{command}"] == ["counted by probe", "ok", "status 0"], command


def test_recordings_are_whole(sdt, targets):
    """Each hit of threads, children and signal handlers is in a ring of its thread, once."""
    wish = "SDT_ENABLE=*=record SDT_RECORD_OPTIONS=ring=256K SDT_RECORD=/"
    commands = {"threads": "threads 3000 4", "forks": "fork 200 kill 2",
                "signals": "signals 50 9 900"}
    said = guest(sdt, [program(sdt, targets, "many", "record_many.c")],
                 [line for name, command in commands.items()
                  for line in (f"{wish}{name} /many {command}", f"send /{name}")])
    for name in commands:
        receive(said[f"send /{name}"], sdt.path(name))
    words = recorded.words(sdt, "threads")
    assert len(words) == recorded.count(sdt, "threads") == 4 * recorded.hits_of(3000)
    assert all(numbers == list(range(3000)) for numbers in recorded.ticks(words).values())
    assert recorded.lost(sdt, "threads") == 0
    assert recorded.count(sdt, "forks") == 4 * recorded.hits_of(200)
    rounds, handled = map(int, said[f"{wish}signals /many {commands['signals']}"][0].split())
    assert recorded.count(sdt, "signals") + recorded.lost(sdt, "signals") == \
        rounds * recorded.hits_of(50) + handled


@pytest.fixture(scope="session")
def tool(tmp_path_factory):
    """`sdt` for that machine, linked statically."""
    place = tmp_path_factory.mktemp("sdt")
    toolchain = ROOT / "cmake" / "toolchains" / "riscv64-linux-gnu.cmake"
    for argv in (["cmake", "-S", ROOT, "-B", place, "-G", "Ninja", "-DSDT_WERROR=ON",
                  f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", "-DCMAKE_EXE_LINKER_FLAGS=-static"],
                 ["cmake", "--build", place, "--target", "sdt_tool"]):
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return place / "sdt" / "sdt"


def test_sdt_looks_into_another_process(sdt, targets, tool):
    look = {"list": "list --json -p many", "count": "count --json -d 1 rec:t* -p many",
            "trace": "trace --limit=3 rec:tick -p many",
            "record": "record -d 1 -o /rec -p many", "after": "list --json -p many rec",
            "report": "report --summary /rec"}
    commands = ["SDT_ATTACH=1 /many threads 0 2 5000 &",
                *(f"NO_COLOR=1 PAGER=cat /sdt {line}" for line in look.values())]
    said = guest(sdt, [program(sdt, targets, "many", "record_many.c"), tool], commands)
    answer = {name: said[line] for name, line in zip(look, commands[1:])}
    assert {lines[-1] for lines in answer.values()} == {"status 0"}
    for name in ("list", "after"):
        assert {site["state"] for site in map(json.loads, answer[name][:-1])} == {"off"}
    assert all(count["count"] > 100 for count in map(json.loads, answer["count"][:-1]))
    assert re.search(r"rec:tick +i=\d+ thread=[01]", answer["trace"][1])
    assert re.search(r"rec:tick +\d{3,}", "\n".join(answer["report"]))


def ends(place, begin, end):
    """For the linker: what C calls the section PLACE's BEGIN and END."""
    return f"-Wl,--defsym={begin}=__start_{place},--defsym={end}=__stop_{place}"


def test_toggling_under_load_with_the_books_kept(sdt, targets):
    """tests/stress on three CPUs, with the sites of aarch64. SDT_GUEST_TOGGLES=5000000 makes ten
    million in all."""
    flags = ["-g", "-Wall", "-Wextra", "-DCOPIES=12", "-fno-toplevel-reorder"]
    rest = [compiled(sdt, name, STRESS / f"{name}.c", *flags) for name in
            ("stress", "toggle", "sites")]
    sites = sdt.process(compiled(sdt, "st_sites", STRESS / "sites_aarch64.c", *flags))
    sdt.command(GCC, "-static", *rest, sites, targets("riscv64") / "lib" / "libsdt.a", "-pthread",
                ends("st_text", "st_begin", "st_end"),
                ends("st_table", "st_functions", "st_functions_end"), "-o", sdt.path("books"))
    turns = [f"SDT_UNLOCK_TEXT={unlock} /books {seed} jump {TOGGLES}"
             for seed, unlock in enumerate([1, 0], 1)]
    said = guest(sdt, [sdt.path("books")], turns, timeout=1800 + TOGGLES // 50, parameters=WRITES)
    for turn in turns:
        assert said[turn][-1] == "status 0" and len(said[turn]) == 2, turn
        done = json.loads(said[turn][0])
        assert done["sites"] == 5000 and done["toggles"] >= TOGGLES
        assert min(done["counted"], done["handled"], done["signals"], done["forks"]) > 0
