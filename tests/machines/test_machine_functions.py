# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink --functions` on aarch64 and riscv64: XRay's sleds where clang has them, and calls of
-finstrument-functions elsewhere. The program counts its own calls; qemu runs it."""
import json
import re

import pytest

from conftest import INCLUDE, PROGRAMS
from cross import clang, need, targets  # noqa: F401 (targets is a fixture)
from machines import AARCH64, each

pytestmark = pytest.mark.nosan  # the runtime is cross-compiled
VERSIONS = {"aarch64": "", "riscv64": "-16"}  # of clang: lld 14 does not relax
LEVELS = [["-O0"], ["-O2"]]
GUARDED = {"aarch64": [["-O2", "-mbranch-protection=standard"]], "riscv64": [["-Os"]]}


def driver(machine, compiler):
    if compiler == "gcc":
        return [machine.gcc]
    version = VERSIONS[machine.name]
    need(f"clang{version}", f"ld.lld{version}", machine.gcc)
    return [*clang(machine.name, f"clang{version}").split(), "-fuse-ld=lld",
            f"-L/usr/{machine}-linux-gnu/lib", "-pie"]


def watched(sdt, targets, machine, compiler, *flags, source="functions.c"):
    """SOURCE with functions as probes, and what watches them; what calls it is no probe."""
    need(machine.gcc, machine.qemu)
    for name in ("machine_functions.c", "machine_emulated.c"):
        sdt.command(machine.gcc, "-O2", "-Wall", "-Wextra", "-Werror", "-I", INCLUDE, "-c",
                    PROGRAMS / name, "-o", sdt.path(name).with_suffix(".o"))
    command = driver(machine, compiler)
    sdt.command(sdt.tool, "--functions", *command, *flags, "-c", PROGRAMS / source, "-o",
                sdt.path("prog.o"))
    sdt.command(sdt.tool, "--functions", f"--runtime-directory={machine.library(targets).parent}",
                *command, sdt.path("prog.o"), sdt.path("machine_functions.o"),
                sdt.path("machine_emulated.o"), "-pthread", "-o", sdt.path("prog"))
    return sdt.path("prog")


def counted(lines):
    """What the program says of itself, what the watcher says of entries and of returns."""
    own, seen = {}, {"entry": {}, "return": {}}
    for line in lines:
        if match := re.fullmatch(r"(entry|return) (\S+) (\d+)", line):
            seen[match[1]][match[2]] = int(match[3])
        elif match := re.fullmatch(r"(\w+) (\d+)", line):
            own[match[1]] = int(match[2])
    return own, seen["entry"], seen["return"]


NAMES = ["leaf", "fib", "tail", "after", "mix", "sum", "value", "jumper", "deep"]


@pytest.mark.parametrize("mode", ["jump", "trap"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@each(flags=lambda m: [*LEVELS, *GUARDED[m.name]])
def test_entries_and_returns_are_counted(sdt, targets, machine, flags, compiler, mode):
    """Recursion, tail calls, threads, variadic functions; what longjmp() skips has no return. The
    total that the program computes is that of another run, with nothing armed."""
    exe = watched(sdt, targets, machine, compiler, *flags)
    lines = machine.run(sdt, exe, "3", env={"WATCH": mode}, timeout=300)
    own, entries, returns = counted(lines)
    assert {name: entries[name] for name in NAMES} == {name: own[name] for name in NAMES}
    assert {name: returns.get(name, 0) for name in NAMES} == \
        {name: 0 if name == "deep" else own[name] for name in NAMES}
    assert own["mixed"] == 0
    has_frames = (machine, compiler) == (AARCH64, "clang")
    assert own["paired"] == (sum(returns.values()) if has_frames else 0)
    sdt.command(machine.gcc, "-O2", PROGRAMS / "functions.c", "-pthread", "-o", sdt.path("plain"))
    assert machine.run(sdt, sdt.path("plain"), "3")[0] == lines[0]


@each([AARCH64])
def test_sleds(sdt, machine):
    """XRay's become inline sites, at the same places; off, two instructions."""
    need("clang", f"{machine}-linux-gnu-objdump")
    sdt.write("a.c", "int g(int);\nint f(int x) { return g(x + 1); }\n"
                     "int h(int x) { return x * 3; }\n")
    sdt.command(*clang(machine.name).split(), "-O2", "-fxray-instrument",
                "-fxray-instruction-threshold=1", "-c", "a.c", "-o", "a.o")
    sdt.sdtlink("--functions", "-o", "out.o", "a.o")
    sites = json.loads(sdt.sdtlink("list", "--json", "out.o").stdout)
    assert sorted((site["function"], site["name"], site["kind"]) for site in sites) == [
        ("f", "entry", "inline"), ("f", "return", "inline"),
        ("h", "entry", "inline"), ("h", "return", "inline")]
    disassembly = sdt.command(f"{machine}-linux-gnu-objdump", "-d", "--no-show-raw-insn",
                              "out.o").stdout
    [first] = re.findall(r"<f>:\n.*\tnop\n.*\tb\t([0-9a-f]+) <f\+0x20>\n", disassembly)
    assert f" {first}:\tadd" in disassembly
    sdt.sdtlink("verify", "out.o")
    sdt.sdtlink("-o", "again.o", "out.o")  # processed already


@each([AARCH64])
def test_a_damaged_sled_is_refused(sdt, machine):
    """Other code where XRay's map says that there is a sled."""
    need("clang")
    sdt.write("a.c", "int h(int x) { return x * 3; }\n")
    sdt.command(*clang(machine.name).split(), "-O2", "-fxray-instrument",
                "-fxray-instruction-threshold=1", "-c", "a.c", "-o", "a.o")
    image = sdt.path("a.o").read_bytes()
    nops = bytes.fromhex("1f2003d5") * 7
    assert image.count(nops) == 2
    sdt.path("bad.o").write_bytes(image.replace(nops, nops[:-4] + b"\0" * 4, 1))
    message = sdt.sdtlink("--functions", "-o", "out.o", "bad.o", status=1).stderr
    assert "this entry does not lead to a sled of XRay's" in message
    assert not sdt.path("out.o").exists()


WAYS = {"aarch64": ["gcc", "clang", "sleds"], "riscv64": ["gcc", "clang"]}


@each(way=lambda m: WAYS[m.name])
def test_verify_knows_what_was_not_chosen(sdt, machine, way):
    """Two words of NOPs, or one; a sled stays."""
    compiler = machine.gcc if way == "gcc" else clang(machine.name)
    need(compiler.split()[0])
    options = {"gcc": ["-finstrument-functions"],
               "clang": ["-finstrument-functions-after-inlining"],
               "sleds": ["-fxray-instrument", "-fxray-instruction-threshold=1"]}[way]
    sdt.write("a.c", "int other(int);\nint leaf(int x) { return x * 3; }\n"
                     "void both(int x) { if (other(x)) other(x + 2); }\n")
    sdt.command(*compiler.split(), "-O2", *options, "-c", "a.c", "-o", "a.o")
    for elements, chosen in [("", {"leaf", "both"}), ("leaf", {"leaf"}), ("none", set())]:
        sdt.sdtlink("-q", f"--functions={elements}", "-o", "out.o", "a.o")
        sites = json.loads(sdt.sdtlink("list", "--json", "out.o").stdout)
        assert {site["function"] for site in sites if site["name"] == "entry"} == chosen
        assert ": ok" in sdt.sdtlink("verify", "--against", "a.o", "out.o").stdout
