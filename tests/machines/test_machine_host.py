# SPDX-License-Identifier: BSD-2-Clause
"""The tools on an aarch64 host, and on a riscv64 host, which is Debian 13, since 12 has none.

They are built by the cross compiler against Debian's packages for that machine, and run by qemu:
for objects of all machines they write and say what they do on x86-64. In a root file system of that
machine, `sdtlink gcc` makes programs for it.

Needs the root file system: guest/root.py."""
import collections
import functools
import json

import pytest

import hosts
from conftest import BUILD, PROGRAMS, ROOT
from cross import LOADERS
from guest import boot
from hosts import EVERY, Pair
from machines import AARCH64, each
from root import Root, root, tools
from test_launcher import LIBRARY, WEB

pytestmark = pytest.mark.nosan  # the other one is cross-compiled
READELF = {"aarch64": "AArch64", "riscv64": "RISC-V"}  # how it calls a machine


@pytest.fixture(scope="module")
def prefix_of():
    return functools.cache(tools)


@pytest.fixture(autouse=True)
def prefix(machine, prefix_of):
    return prefix_of(machine.name)


@pytest.fixture
def pair(sdt, machine, prefix):
    return Pair(sdt, machine.name, prefix)


@pytest.fixture
def inside(sdt, machine, prefix):
    return Root(sdt, machine.name, prefix)


def machine_of(sdt, file):
    [line] = [line for line in sdt.run("readelf", "-h", file).splitlines() if "Machine:" in line]
    return line.split(":")[1].strip()


@each()
def test_it_is_a_program_of_that_machine(sdt, machine, prefix):
    for name in ("bin/sdtlink", "bin/sdt-dtrace", "bin/sdt", "libexec/sdtlink/sdtlink-list",
                 "libexec/sdtlink/sdtlink-verify", "libexec/sdtlink/sdtlink-lto.so",
                 "lib/libsdt.so"):
        assert machine_of(sdt, prefix / name) == READELF[machine.name], name


# ---- the same answers ----

@each()
def test_the_corpus(sdt, pair):
    """Objects, archives, programs and libraries of three machines: outputs, plans, lists, messages;
    what is refused as well."""
    files = hosts.corpus(sdt)
    names = " ".join(path.name for path in files)
    assert all(f"{machine}_program" in names for machine in ("aarch64", "riscv64"))
    statuses = collections.Counter(answer.status for path in files
                                   for answer in pair.all(path, EVERY))
    assert statuses[0] > 150 and statuses[1] > 50


@each()
def test_damaged_files(sdt, pair):
    """Whatever is refused, is refused in the same words, and never by a crash."""
    sdt.path("bad").mkdir()
    files = [*(ROOT / "tests" / "fuzz" / "regressions" / "object").iterdir()]
    for path in hosts.corpus(sdt):
        files.extend(hosts.damaged(path, sdt.path("bad"), 2))
    statuses = collections.Counter(answer.status for path in files
                                   for answer in pair.all(path, [["-o", "out.o"], ["list"]]))
    assert statuses[0] > 20 and statuses[1] > 50


@each()
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


@each()
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


COMMANDS = {
    "aarch64": ["gcc -O2", "gcc -O2 -static", "gcc -O2 -fuse-ld=gold", "gcc -O2 -flto", "clang -O2",
                "clang -O2 -fuse-ld=lld", "gcc-12 -O2 -no-pie -DSDT_CALL_SITES",
                "aarch64-linux-gnu-gcc -O2"],
    "riscv64": ["gcc -O2", "gcc -O2 -static", "gcc -O2 -flto", "clang -O2",
                "clang -O2 -fuse-ld=lld", "gcc -O2 -no-pie -DSDT_CALL_SITES",
                "riscv64-linux-gnu-gcc -O2"],
}


@each(command=lambda m: COMMANDS[m.name])
def test_a_program_for_the_host(sdt, inside, command):
    build(sdt, inside, command=command.split())
    assert probes(sdt, "a.out") == ["web:request"]
    assert inside.run("./a.out").stdout == "2 hits\n"
    said = inside.run("/prefix/bin/sdtlink", "verify", "a.out")
    assert "1 site" in said.stdout + said.stderr


@each([AARCH64])
def test_a_program_for_x86_64(sdt, inside, prefix):
    """The other way round: its runtime is one of another machine there, in a directory below. What
    it makes runs here."""
    cross_gcc = ["x86_64-linux-gnu-gcc", "-O2"]
    place = prefix / "lib" / "x86_64-linux-gnu"
    if place.exists():
        place.joinpath("libsdt.a").unlink()
        place.rmdir()
    refused = build(sdt, inside, status=1, command=cross_gcc)
    assert "libsdt.a for x86-64 is not installed with this sdtlink" in refused.stderr
    place.mkdir()
    place.joinpath("libsdt.a").write_bytes((BUILD / "runtime" / "libsdt.a").read_bytes())
    for flags in ([], ["-flto"], ["-static"]):
        build(sdt, inside, *flags, command=cross_gcc)
        assert probes(sdt, "a.out") == ["web:request"]
        assert sdt.run(sdt.path("a.out")) == "2 hits\n"


@each()
def test_link_time_optimisation_goes_through_the_plugin(sdt, inside):
    """sdtlink-lto.so is loaded by that machine's linker; the probe is in intermediate code only."""
    build(sdt, inside, "-c", command=["gcc", "-O2", "-flto"])
    assert sdt.path("a.out").read_bytes().count(b".gnu.lto_") > 3
    sdt.path("a.out").rename(sdt.path("web.o"))
    build(sdt, inside, command=["gcc", "-O2", "-flto"], source="web.o")
    assert inside.run("./a.out").stdout == "2 hits\n"


@each()
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


@each()
def test_dtrace_there(sdt, machine, inside):
    """-G starts the compiler of that machine."""
    sdt.write("p.d", "provider shop { probe sale(int); };")
    inside.run("/prefix/bin/sdt-dtrace", "-G", "-s", "p.d", "-o", "p.o", env={"CC": "gcc"})
    assert machine_of(sdt, sdt.path("p.o")) == READELF[machine.name]


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
@each()
def test_probes_of_a_program_built_there_are_counted_there(sdt, machine, inside, prefix):
    """By `sdt` of that machine, from another process, on Linux for it."""
    sdt.write("serve.c", SERVE)
    inside.run("/prefix/bin/sdtlink", "gcc", "-O2", "-static", "-I/prefix/include", "serve.c", "-o",
               "serve")
    libraries = root(machine.name) / "usr" / "lib" / f"{machine}-linux-gnu"
    linker = LOADERS[machine.name]
    needed = [linker, "libc.so.6", "libm.so.6", "libncursesw.so.6", "libtinfo.so.6"]
    look = f"/{linker} --library-path / /sdt count --json -d 1 web -p serve"
    said = boot(sdt, [sdt.path("serve"), prefix / "bin" / "sdt",
                      *(libraries / name for name in needed)],
                ["SDT_ATTACH=1 /serve &", look], machine=machine.name)[look]
    assert said[-1] == "status 0"
    [count] = [json.loads(line) for line in said[:-1]]
    assert (count["provider"], count["name"]) == ("web", "request") and count["count"] > 0
