# SPDX-License-Identifier: BSD-2-Clause
"""Probes add nothing to the dynamic symbols that a file defines: packaging tools compare these.

Hidden ones count as well: GNU ld wrote __start_sdt_sites of shared libraries into the table so.
"""
import pytest

import cross
from conftest import INCLUDE
from cross import compiled, need
from elfview import ElfView
from test_launcher import LINKERS
from toolchain import LLDS

pytestmark = pytest.mark.plain  # the links are what counts

PLUG = r"""
#include <sdt/probe.h>
int plug(int n) { SDT_PROBE(port, plug, n); return n + 1; }
int asked(int n) { return SDT_PROBE_ENABLED(port, plug) ? n : 0; }
int main(void) { return plug(-1) + asked(3); }
"""
KINDS = {"library": ["-shared"], "library that drops dead code": ["-shared", "-Wl,--gc-sections"],
         "program": ["-pie"], "program that exports": ["-pie", "-rdynamic"],
         "program at a fixed place": ["-no-pie", "-rdynamic"]}


def defined(sdt, path):
    """Names in the dynamic table, whatever their visibility, without those of gold itself."""
    rows = sdt.command("readelf", "--dyn-syms", "-W", path).stdout.splitlines()
    rows = [row for row in rows if (" GLOBAL " in row or " WEAK " in row) and " UND " not in row]
    return {row.split()[-1] for row in rows} - {"_edata", "_end", "__bss_start"}


def plug(sdt, name, *flags, compiler="gcc"):
    return compiled(sdt, compiler, "-O2", "-fPIC", "-ffunction-sections", "-I", INCLUDE, *flags,
                    source=sdt.write("plug.c", PLUG), name=name)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_nothing_new_is_exported(sdt, linker, kind):
    """By hand and by the launcher. The set is there, and complete."""
    before = plug(sdt, "none.o", "-DSDT_DISABLE")
    control = sdt.link(before, *kind, f"-fuse-ld={linker}", runtime=None, name="control")
    obj = plug(sdt, "plug.o")
    by_hand = sdt.link(sdt.process(obj), *kind, f"-fuse-ld={linker}", runtime=None, name="by-hand")
    sdt.sdtlink("--runtime=none", "gcc", obj, *kind, f"-fuse-ld={linker}", "-o",
                sdt.path("launched"))
    for path in (by_hand, sdt.path("launched")):
        assert defined(sdt, path) == defined(sdt, control)
        assert len(ElfView(path).sites()) == 2
        sdt.sdtlink("verify", path)


@pytest.mark.parametrize("machine", ["aarch64", "riscv64"])
@pytest.mark.parametrize("linker", ["bfd", *LLDS[-1:], "mold"])
@pytest.mark.parametrize("kind", [["-shared"], ["-pie", "-rdynamic"]], ids=["library", "program"])
def test_on_other_machines(sdt, machine, linker, kind):
    need(cross.gcc(machine))
    flags = ["-nostdlib", "-Wl,-e,main", *kind]
    files = [cross.linked(sdt, obj, *flags, target=machine, linker=linker, name=name)
             for name, obj in (("control", plug(sdt, "none.o", "-DSDT_DISABLE",
                                                compiler=cross.gcc(machine))),
                               ("plug", sdt.process(plug(sdt, "plug.o",
                                                         compiler=cross.gcc(machine)))))]
    assert defined(sdt, files[0]) == defined(sdt, files[1])
    assert len(ElfView(files[1]).sites()) == 2
    sdt.sdtlink("verify", files[1])


@pytest.mark.parametrize("linker", LINKERS)
def test_a_static_runtime_in_a_library(sdt, linker):
    """It is that library's, and no other's."""
    sdt.sdtlink("gcc", "-shared", f"-fuse-ld={linker}", plug(sdt, "none.o", "-DSDT_DISABLE"), "-o",
                sdt.path("control"))
    sdt.sdtlink("--runtime=static", f"--runtime-directory={sdt.static_runtime.parent}", "gcc",
                "-shared", f"-fuse-ld={linker}", plug(sdt, "plug.o"), "-o", sdt.path("plug.so"))
    assert defined(sdt, sdt.path("plug.so")) == defined(sdt, sdt.path("control"))
    assert "sdt_hits" in sdt.command("nm", "plug.so").stdout


@pytest.mark.parametrize("linker", LINKERS)
def test_a_library_without_sites_left(sdt, linker):
    """What calls the bounds of the set is there also if there is no set."""
    source = sdt.write("dead.c", "#include <sdt/probe.h>\n__attribute__((visibility(\"hidden\")))\n"
                       "void dead(void) { SDT_PROBE(p, n); }\nint alive(void) { return 1; }\n")
    obj = compiled(sdt, "gcc", "-O2", "-fPIC", "-ffunction-sections", "-I", INCLUDE,
                   source=source, name="dead.o")
    keeps_nothing = [] if linker == "gold" else ["-Wl,-z,start-stop-gc"]
    path = sdt.link(sdt.process(obj), "-shared", f"-fuse-ld={linker}", "-Wl,--gc-sections",
                    *keeps_nothing, runtime=None, name="dead.so")
    assert defined(sdt, path) == {"alive"}
    sdt.sdtlink("verify", path)
