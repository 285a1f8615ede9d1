# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the tools on another host, for the files that say which: they define HOST, and import
all names of this one.

The tools are built by the cross compiler against Debian's packages for that machine, and run by
qemu: for objects of all machines they write and say what they do on x86-64. In a root file system
of that machine, `sdtlink gcc` makes programs for it.

Needs the root file system: guest/root.py."""
import collections
import json

import pytest

import hosts
from conftest import PROGRAMS, ROOT
from guest import boot
from hosts import EVERY, Pair
from root import Root, root, tools
from test_launcher import LIBRARY, WEB

MACHINES = {"aarch64": "AArch64", "riscv64": "RISC-V"}
LOADERS = {"aarch64": "ld-linux-aarch64.so.1", "riscv64": "ld-linux-riscv64-lp64d.so.1"}


@pytest.fixture(scope="module")
def host(request):
    return request.module.HOST


@pytest.fixture(autouse=True, scope="module")
def prefix(host):
    return tools(host)


@pytest.fixture
def pair(sdt, host, prefix):
    return Pair(sdt, host, prefix)


@pytest.fixture
def inside(sdt, host, prefix):
    return Root(sdt, host, prefix)


def machine_of(sdt, file):
    """As readelf calls it."""
    [line] = [line for line in sdt.run("readelf", "-h", file).splitlines() if "Machine:" in line]
    return line.split(":")[1].strip()


def test_it_is_a_program_of_that_machine(sdt, host, prefix):
    for name in ("bin/sdtlink", "bin/sdt-dtrace", "bin/sdt", "libexec/sdtlink/sdtlink-list",
                 "libexec/sdtlink/sdtlink-verify", "libexec/sdtlink/sdtlink-lto.so",
                 "lib/libsdt.so"):
        assert machine_of(sdt, prefix / name) == MACHINES[host], name


# ---- the same answers ----

def test_the_corpus(sdt, pair):
    """Objects, archives, programs and libraries of three machines: outputs, plans, lists, messages;
    what is refused as well."""
    files = hosts.corpus(sdt)
    names = " ".join(path.name for path in files)
    assert all(f"{machine}_program" in names for machine in ("aarch64", "riscv64"))
    statuses = collections.Counter(answer.status for path in files
                                   for answer in pair.all(path, EVERY))
    assert statuses[0] > 150 and statuses[1] > 50


def test_damaged_files(sdt, pair):
    """Whatever is refused, is refused in the same words, and never by a crash."""
    sdt.path("bad").mkdir()
    files = [*(ROOT / "tests" / "fuzz" / "regressions" / "object").iterdir()]
    for path in hosts.corpus(sdt):
        files.extend(hosts.damaged(path, sdt.path("bad"), 2))
    statuses = collections.Counter(answer.status for path in files
                                   for answer in pair.all(path, [["-o", "out.o"], ["list"]]))
    assert statuses[0] > 20 and statuses[1] > 50


def test_verify(sdt, pair):
    """LLVM's disassembler of the other host, on right files and on damaged ones."""
    statuses = {}
    for path in hosts.corpus(sdt):
        if path.name in ("p_macros.o", "program", "aarch64_program", "p_aarch64_branches.o",
                         "p_riscv64_macros.o"):
            statuses[path.name] = pair.verified([path], path.name).status
            [bad] = hosts.damaged(path, sdt.dir, 1)
            pair.verified([bad], bad.name)
    assert statuses == {"p_macros.o": 0, "program": 0, "aarch64_program": 0,
                        "p_aarch64_branches.o": 0, "p_riscv64_macros.o": 0}


def test_dtrace(pair):
    """Headers of what providers others have written; Ruby's has to go through cpp first."""
    refused = {path.name for path in PROGRAMS.glob("dtrace_*.d")
               if pair.dtrace([path], "-h", "-s", path.name, "-o", "out.h").status != 0}
    assert refused == {"dtrace_ruby.d"}


# ---- the launcher there ----

def build(sdt, inside, *words, status=0, command=("gcc", "-O2"), source="web.c"):
    """From the test's directory; qemu in user mode needs what machine_emulated.c says."""
    sdt.write("web.c", WEB)
    sdt.write("emulated.c", (PROGRAMS / "machine_emulated.c").read_text())
    sources = [source] if "-c" in words or "x86" in command[0] else [source, "emulated.c"]
    return inside.run("/prefix/bin/sdtlink", *command, "-I/prefix/include", *words, *sources, "-o",
                      "a.out", status=status)


def probes(sdt, file):
    """As the tool of this host lists them."""
    listing = json.loads(sdt.sdtlink("list", "--json", sdt.path(file)).stdout)
    return [f"{site['provider']}:{site['name']}" for site in listing]


def check_program(sdt, inside, command):
    """What COMMAND makes there of a program with a probe."""
    build(sdt, inside, command=command)
    assert probes(sdt, "a.out") == ["web:request"]
    assert inside.run("./a.out").stdout == "2 hits\n"
    said = inside.run("/prefix/bin/sdtlink", "verify", "a.out")
    assert "1 site" in said.stdout + said.stderr


def test_link_time_optimisation_goes_through_the_plugin(sdt, inside):
    """sdtlink-lto.so is loaded by that machine's linker; the probe is in intermediate code only."""
    build(sdt, inside, "-c", command=["gcc", "-O2", "-flto"])
    assert sdt.path("a.out").read_bytes().count(b".gnu.lto_") > 3
    sdt.path("a.out").rename(sdt.path("web.o"))
    build(sdt, inside, command=["gcc", "-O2", "-flto"], source="web.o")
    assert inside.run("./a.out").stdout == "2 hits\n"


def test_a_library_and_objects_that_are_processed_when_compiled(sdt, inside):
    """The library gets libsdt.so of its own machine, by a run path; --at-compile and list there."""
    sdt.write("emulated.c", (PROGRAMS / "machine_emulated.c").read_text())
    sdt.write("lib.c", LIBRARY % {"name": "one"})
    sdt.write("main.c", WEB.replace('"web:request"', '"lib:one"')
              .replace("serve(int bytes) {", "serve(int bytes) { extern int one(int); one(bytes);"))
    tool = "/prefix/bin/sdtlink"
    inside.run(tool, "gcc", "-O2", "-fPIC", "-shared", "-I/prefix/include", "lib.c", "-o",
               "libone.so")
    inside.run(tool, "--at-compile", "gcc", "-O2", "-I/prefix/include", "-c", "main.c")
    listed = inside.run(tool, "list", "main.o").stdout
    assert listed == sdt.sdtlink("list", "main.o").stdout and "request" in listed
    inside.run(tool, "gcc", "main.o", "-L.", "-lone", "-Wl,-rpath,/work", "emulated.c", "-o",
               "a.out")
    assert "/prefix/lib" in sdt.run("readelf", "-d", sdt.path("libone.so"))
    assert inside.run("./a.out").stdout == "2 hits\n"


def test_dtrace_there(sdt, host, inside):
    """-G starts the compiler of that machine."""
    sdt.write("p.d", "provider shop { probe sale(int); };")
    inside.run("/prefix/bin/sdt-dtrace", "-G", "-s", "p.d", "-o", "p.o", env={"CC": "gcc"})
    assert machine_of(sdt, sdt.path("p.o")) == MACHINES[host]


# ---- and with a kernel of that machine ----

SERVE = r"""
#include <sdt/probe.h>
#include <unistd.h>
__attribute__((noinline)) int serve(int bytes) { SDT_PROBE(web, request, bytes); return bytes / 2; }
int main(void)
{
    for (int i = 0;; i++)
        usleep(1000 + serve(i & 1));
}
"""


@pytest.mark.slow
def test_probes_of_a_program_built_there_are_counted_there(sdt, host, inside, prefix):
    """By `sdt` of that machine, from another process, on Linux for it."""
    sdt.write("serve.c", SERVE)
    inside.run("/prefix/bin/sdtlink", "gcc", "-O2", "-static", "-I/prefix/include", "serve.c", "-o",
               "serve")
    libraries = root(host) / "usr" / "lib" / f"{host}-linux-gnu"
    needed = [LOADERS[host], "libc.so.6", "libm.so.6", "libncursesw.so.6", "libtinfo.so.6"]
    look = f"/{LOADERS[host]} --library-path / /sdt count --json -d 1 web -p serve"
    said = boot(sdt, [sdt.path("serve"), prefix / "bin" / "sdt",
                      *(libraries / name for name in needed)],
                ["SDT_ATTACH=1 /serve &", look], machine=host)[look]
    assert said[-1] == "status 0"
    [count] = [json.loads(line) for line in said[:-1]]
    assert (count["provider"], count["name"]) == ("web", "request") and count["count"] > 0
