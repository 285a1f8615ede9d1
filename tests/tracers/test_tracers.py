# SPDX-License-Identifier: BSD-2-Clause
"""Probes of <sdt/probe.h> in the tools that look from outside: each finds every probe, counts every
hit and reads every argument, in programs and libraries of every linker.

How each tool is asked is in tracers.py, which the tests of <sys/sdt.h> share; what the notes say is
the subject of test_notes.py, and tracers beside sdt_enable() that of test_tracers_orders.py.
"""
import collections
import itertools
import os
import pathlib
import re
import subprocess
import types

import pytest
from conftest import PROGRAMS, ROOT
from matrix.table import KINDS

import tracers
from stapsdt import notes
from tracers import ALL_HIT, PROBES, ROUNDS, slow
from uprobe import Uprobe, file_offset, needs_tracefs, needs_uprobes

pytestmark = pytest.mark.nosan  # other programs, which are slow

# (form, linker, kind of file); `dlopen` is a library that comes later.
QUICK = [("INLINE", "bfd", "pie"), ("CALL", "lld", "static-pie"), ("INLINE", "mold", "static"),
         ("CALL", "gold", "shared"), ("INLINE", "lld", "dlopen")]
WHERE = [where for where in itertools.product(("bfd", "gold", "lld", "mold"), (*KINDS, "dlopen"))
         if where != ("gold", "static-pie")]  # gold has none
FORMS = itertools.cycle(("CALL", "INLINE"))
REST = [(form, *where) for form, where in zip(FORMS, WHERE)]
TARGETS = [*QUICK, *(slow(*target) for target in REST if target not in QUICK)]
COUNTER = itertools.count()

each_target = pytest.mark.parametrize("form, linker, kind", TARGETS)


@pytest.fixture(name="make")
def fixture_make(sdt):
    """make(form, linker, kind) -> where the probes are, who runs them, the provider."""
    def make(form, linker, kind, *flags, runtime=None):
        provider = f"ours_{os.getpid()}_{next(COUNTER)}"
        is_library = kind in ("shared", "dlopen")
        how = KINDS["shared" if is_library else kind]
        obj = sdt.process(sdt.compile("compat_traced.c", "-DOURS", f"-DSDT_{form}_SITES",
                                      f"-DPROVIDER={provider}", *how.cflags, *flags))
        main = sdt.compile("compat_main.c", *(["-DDLOPEN"] if kind == "dlopen" else how.cflags))
        # perf knows files by their build-id, and only one of 20 bytes.
        options = (f"-fuse-ld={linker}", "-Wl,--build-id=sha1", *how.ldflags)
        file = sdt.link(obj, *([] if is_library else [main]), *options, runtime=runtime,
                        name="libtraced.so" if is_library else "traced")
        command = [str(file), str(ROUNDS)]
        if is_library:
            inputs = [] if kind == "dlopen" else [file, f"-Wl,-rpath,{sdt.dir}"]
            exe = sdt.link(main, *inputs, runtime=None, name="main")
            command = [str(exe), str(ROUNDS), *([str(file)] if kind == "dlopen" else [])]
        return types.SimpleNamespace(file=file, command=command, provider=provider,
                                     is_library=is_library)
    return make


def places(file):
    """[(name, offset of the site in the file, of its semaphore or None)]"""
    return [(note.name, file_offset(file, note.pc),
             file_offset(file, note.semaphore) if note.semaphore else None)
            for note in notes(file)]


@each_target
@pytest.mark.parametrize("reader", ["readelf", "eu-readelf"])
def test_readelf(sdt, make, reader, form, linker, kind):
    tracers.check_notes_as_read(sdt, reader, make(form, linker, kind, "-DSEMAPHORES").file)


# gdb


@each_target
def test_gdb(sdt, make, form, linker, kind):
    """Lists them, stops at every hit, counts semaphores up, reads twelve arguments."""
    target = make(form, linker, kind, "-DSEMAPHORES")
    listed = tracers.gdb(sdt, [target.file], f"info probes stap ^{target.provider}$")
    found = [(line.split()[2], int(line.split()[3], 16)) for line in listed.splitlines()
             if line.startswith("stap")]
    assert sorted(found) == sorted((note.name, note.pc) for note in notes(target.file))
    hits, output = tracers.count_with_gdb(sdt, target.provider, target.command)
    assert hits == ALL_HIT, output
    if not target.is_library:
        assert f"looked {ROUNDS}" in output
    tracers.check_gdb_arguments(sdt, target.provider, target.command)


# perf


@each_target
def test_perf(sdt, make, form, linker, kind):
    """buildid-cache, list, probe, record: every hit, and the arguments but for constants."""
    with tracers.Perf(sdt, None) as perf:
        target = make(form, linker, kind)
        perf.provider = target.provider
        tracers.check_perf(perf.record(target.file, target.command),
                           unread={"CALL": (), "INLINE": ("11",)}[form])


# Uprobes by hand


@needs_tracefs
@each_target
def test_tracefs(sdt, make, form, linker, kind):
    target = make(form, linker, kind, "-DSEMAPHORES")
    hits = collections.Counter()
    for name, offset, semaphore in places(target.file):
        with Uprobe(target.file, offset, semaphore) as probe:
            probe.attach()
            output = sdt.run(*target.command)
            assert output == f"looked {ROUNDS if name == 'twelve' else 0}\n"
            hits[name] += probe.hits()
    assert hits == ALL_HIT
    assert sdt.run(*target.command) == "looked 0\n", "and down again"


@needs_uprobes
@each_target
def test_perf_event_open(sdt, make, form, linker, kind):
    target = make(form, linker, kind, "-DSEMAPHORES")
    tracer = sdt.link(sdt.compile("tracer_count.c"), runtime=None, name="tracer_count")
    hits = collections.Counter()
    for name, offset, semaphore in places(target.file):
        assert semaphore
        output = sdt.run(tracer, target.file, f"{offset:x}", f"{semaphore:x}", *target.command)
        looked, counted = re.fullmatch(r"looked (\d+)\nhits (\d+)\n", output).groups()
        assert int(looked) == (ROUNDS if name == "twelve" else 0)
        hits[name] += int(counted)
    assert hits == ALL_HIT


# bpftrace


@each_target
def test_bpftrace(sdt, make, form, linker, kind):
    """Of one process, where bpftrace can, and of all; semaphores up and down; six arguments."""
    target = make(form, linker, kind, "-DSEMAPHORES")
    for wait in (True,) if target.is_library else (False, True):
        hits, output = tracers.count_with_bpftrace(sdt, target.provider, target.file,
                                                   target.command, wait)
        assert hits == ALL_HIT, output
        assert f"looked {ROUNDS}" in output
        assert sdt.run(*target.command) == "looked 0\n", "and down again"
    tracers.check_bpftrace_arguments(sdt, target.provider, target.file, target.command, wait=True)


# libbpf


@pytest.fixture(scope="module", name="libbpf")
def fixture_libbpf(tmp_path_factory):
    """The tracer tracer_libbpf.c, and what it loads into the kernel."""
    if os.geteuid() != 0 or not os.path.exists("/usr/include/bpf/usdt.bpf.h"):
        pytest.skip("needs root and libbpf-dev")
    tracers.needs("clang")
    directory = tmp_path_factory.mktemp("libbpf")
    for command in (["clang", "-O2", "-g", "--target=bpf", "-D__TARGET_ARCH_x86",
                     "-I/usr/include/x86_64-linux-gnu", "-c", PROGRAMS / "tracer_libbpf.bpf.c",
                     "-o", "tracer_libbpf.bpf.o"],
                    ["gcc", "-Wall", PROGRAMS / "tracer_libbpf.c", "-lbpf", "-o", "tracer_libbpf"]):
        subprocess.run(command, cwd=directory, check=True)
    return [directory / "tracer_libbpf", directory / "tracer_libbpf.bpf.o"]


@each_target
@pytest.mark.parametrize("scope", ["all", "pid"])
def test_libbpf(sdt, make, libbpf, scope, form, linker, kind):
    """Every hit, all twelve arguments, semaphores."""
    target = make(form, linker, kind, "-DSEMAPHORES")
    result = sdt.command(*libbpf, target.file, target.provider, ",".join(PROBES), scope,
                         *target.command, env={"TRACED_WAITS": "1"}, status=None)
    if result.returncode == 3:
        pytest.skip(f"the kernel does not load BPF programs here: {result.stderr}")
    assert result.returncode == 0, result
    lines = [line.split() for line in result.stdout.splitlines() if not line.startswith("looked")]
    assert collections.Counter(line[0] for line in lines) == ALL_HIT
    counts = {"none": "0", "string": "1", "twelve": "12", "many__sites": "1"}
    assert all(line[1] == counts[line[0]] for line in lines)
    rounds = [" ".join(line[2:]) for line in lines if line[0] == "twelve"]
    tracers.check_rounds(rounds, result.stdout, [64] * 12)
    assert f"looked {ROUNDS}" in result.stdout


# bcc


BCC_LIST = """
import sys
from bcc import USDT
file = USDT(path=sys.argv[1])  # the probes die with it
for probe in file.enumerate_probes():
    for i in range(probe.num_locations):
        print(probe.name.decode(), probe.num_arguments, hex(probe.get_location(i).address))
"""
BCC_COUNT = """
import subprocess, sys
from bcc import BPF, USDT
usdt = USDT(path=sys.argv[1])
usdt.enable_probe_or_bail(sys.argv[2] + ":twelve", "hit")
bpf = BPF(text='''
BPF_HASH(counts, u64, u64);
int hit(struct pt_regs *ctx)
{
    int value = 0;
    bpf_usdt_readarg(5, ctx, &value);
    counts.increment(value);
    return 0;
}''', usdt_contexts=[usdt])
subprocess.run(sys.argv[3:], check=True)
print(sorted((key.value, value.value) for key, value in bpf["counts"].items()))
"""


@pytest.fixture(name="bcc")
def fixture_bcc(sdt):
    """bcc(script, argument...) -> what became of a Python script that uses it."""
    if subprocess.run(["/usr/bin/python3", "-c", "import bcc"], capture_output=True,
                      check=False).returncode != 0:
        pytest.skip("python3-bpfcc is not installed")

    def run(script, *arguments, **env):
        return sdt.command("/usr/bin/python3", "-c", script, *arguments, status=None, env=env)

    return run


def kernel_headers(sdt):
    """What bcc compiles with: those of the running kernel, or any that Debian has installed."""
    if os.path.exists(f"/lib/modules/{os.uname().release}/build"):
        return {}
    source = pathlib.Path("/usr/src")
    parts = [*sorted(source.glob("linux-headers-*-amd64"))[-1:],
             *sorted(source.glob("linux-headers-*-common"))[-1:]]
    if len(parts) < 2:
        pytest.skip("bcc needs the headers of a kernel (package linux-headers-amd64)")
    for part in parts:  # Debian has them in two halves
        for directory in ("include", "arch/x86/include"):
            for path in (part / directory).iterdir():
                link = sdt.path("headers") / directory / path.name
                link.parent.mkdir(parents=True, exist_ok=True)
                if not link.exists():
                    link.symlink_to(path)
    return {"BCC_KERNEL_SOURCE": str(sdt.path("headers"))}


@each_target
def test_bcc_lists(make, bcc, form, linker, kind):
    target = make(form, linker, kind)
    counts = {"none": 0, "string": 1, "twelve": 12, "many__sites": 1}
    lines = sorted(bcc(BCC_LIST, target.file).stdout.splitlines())
    assert lines == sorted(f"{note.name} {counts[note.name]} {note.pc:#x}"
                           for note in notes(target.file))


@pytest.mark.slow
@pytest.mark.parametrize("form, linker, kind", QUICK)
def test_bcc_counts(sdt, make, bcc, form, linker, kind):
    """By the value of the fifth argument, which is the round."""
    tracers.needs_tracing()
    headers = kernel_headers(sdt)
    target = make(form, linker, kind)
    result = bcc(BCC_COUNT, target.file, target.provider, *target.command, **headers)
    assert result.stdout.splitlines()[-1:] == [str([(i, 1) for i in range(ROUNDS)])], result


# The page


def test_the_commands_of_the_page(sdt):
    page = (ROOT / "docs" / "tracers.md").read_text()
    [source] = re.findall(r"```c\n(#include.*?)```", page, re.S)
    obj = sdt.process(sdt.compile(sdt.write("app.c", source)))
    sdt.link(obj, "-Wl,--build-id=sha1", runtime=None, name="app")
    path = f"{sdt.tool.parent}:{os.environ['PATH']}"
    expected = [r"Name: request\n(.*\n)*.*request", r"\$1 = 2\n0 GET\n",
                r"@calls: 10\n(.*\n)*@sum: 45\n", r"( *app .*sdt_app:request.*\n){10}"]
    blocks = re.findall(r"```sh\n(.*?)```", page, re.S)
    with tracers.Perf(sdt, "app") as perf:
        for words, block in zip(expected, blocks, strict=True):
            output = sdt.run("sh", "-ec", block, env={"PATH": path, "HOME": str(perf.home)})
            assert re.search(words, output), output
