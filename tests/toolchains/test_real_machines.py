# SPDX-License-Identifier: BSD-2-Clause
"""A program that others wrote, with probes in all of its functions, on aarch64 and riscv64:
Lua, from Debian's source. It prints the same with all probes off, counted, handled by jump and by
breakpoint, and toggled; and counts are those that the program makes itself. qemu runs it."""
import sys

import pytest

import cross
from conftest import INCLUDE, PROGRAMS, ROOT
from cross import need, targets  # noqa: F401 (targets is a fixture)
from real.debian import Archive, Unavailable

sys.path.insert(0, str(ROOT / "bench"))

import functions  # noqa: E402  (of the benchmarks)

pytestmark = [pytest.mark.nosan, pytest.mark.slow]

@pytest.fixture(scope="module")
def lua(tmp_path_factory):
    """Its sources, with EVERYWHERE() in each function of the core that has arguments."""
    directory = tmp_path_factory.mktemp("lua")
    archive = Archive(directory / "apt")
    archive.directory.mkdir()
    try:
        archive.update()
        archive.unpack("lua5.4", directory / "lua")
    except Unavailable as reason:
        pytest.skip(str(reason))
    places, source = functions.Places(), directory / "lua" / "src"
    for name in functions.CORE:
        path = source / f"{name}.c"
        path.write_text('#include "everywhere.h"\n#define PROBE(name, count, ...) '
                        f'EVERYWHERE(name, __VA_ARGS__)\n{places.apply(path.read_text("utf-8"))}',
                        "utf-8")
    (source / "lua5.4-deb-multiarch.h").write_text("#define DEB_HOST_MULTIARCH \"any\"\n")
    assert places.count > 600
    return source


def built(sdt, machine, lib, source):
    gcc = f"{machine}-linux-gnu-gcc"
    need(gcc, f"qemu-{machine}")
    for name in ("everywhere", "machine_emulated"):
        sdt.command(gcc, "-O2", "-I", INCLUDE, "-c", PROGRAMS / f"{name}.c", "-o",
                    sdt.path(f"{name}.o"))
    objects = [sdt.path("everywhere.o"), sdt.path("machine_emulated.o")]
    for name in (*functions.CORE, *functions.OTHERS):
        objects.append(sdt.path(f"{name}.o"))
        sdt.command(gcc, "-std=gnu99", "-O2", "-w", "-DLUA_USE_LINUX", "-DLUA_COMPAT_5_3",
                    "-Dluai_makeseed(L)=42", "-I", INCLUDE, "-I", PROGRAMS, "-c",
                    source / f"{name}.c", "-o", objects[-1])
    sdt.command(sdt.tool, "-q", f"--runtime-directory={lib}", gcc, *objects, "-lm", "-ldl",
                "-pthread", "-o", sdt.path("lua"))
    return sdt.path("lua")


@pytest.mark.parametrize("machine", ["aarch64", "riscv64"])
def test_lua_with_a_probe_in_each_function(sdt, targets, lua, machine):
    exe = built(sdt, machine, targets(machine) / "lib", lua)
    script = ROOT / "tests" / "real" / "workloads" / "language.lua"

    def run(way=None):
        done = cross.emulated(sdt, machine, exe, script, env={"EVERYWHERE": way} if way else {},
                              timeout=1200)
        return done.stdout, done.stderr

    off, silence = run()
    assert (off.count("\n"), silence) == (12, "")
    for way in ("count", "jump", "trap"):
        assert run(way) == (off, f"{way}: many hits, 0 wrong\n")
    assert run("toggle") == (off, "toggle: many hits, 0 wrong, toggled\n")
    assert sdt.command("readelf", "-aW", exe).stderr == ""
    assert sdt.sdtlink("verify", exe).stdout.endswith(": ok\n")
