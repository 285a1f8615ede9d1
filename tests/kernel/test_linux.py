# SPDX-License-Identifier: BSD-2-Clause
"""examples/linux: Debian's Linux 6.1 with probes in it and in a module, from its source to three
boots in qemu; and the same by the scheme of 2015, with a companion. `./run test --kernel` fetches
what that needs, and runs this alone; `./run test --all` runs it with everything else.

The builds and the boots are made once, by the example's own script with an installed sdtlink. What
the tests read is the log of the kernel's console, and the image, with objdump.
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess

import pytest

from conftest import ROOT
from cross import once
from installed import prefix  # noqa: F401 (prefix is a fixture)

pytestmark = [pytest.mark.slow, pytest.mark.nosan]

SOURCE = pathlib.Path("/usr/src/linux-source-6.1.tar.xz")
EXAMPLE = ROOT / "examples" / "linux"
BUSYBOX = ROOT / "build" / "guest" / "busybox" / "bin" / "busybox"
NEEDED = ["qemu-system-x86_64", "flex", "bison", "bc", "cpio", "kmod"]
KERNEL = {"proc:fork", "proc:exit", "kmem:alloc", "vfs:open", "sched:switch", "init:initcall"}
BESIDE = {"beside:site", "beside:call", "beside:lazy"}  # those that measure
OURS = ["inline", "call", "lazy"]


class Linux:
    """What was printed; of the first boot by the number of the part, which boot/init says. BEFORE
    is how the files of one of the two kernels begin."""

    def __init__(self, work, before=""):
        self.work, self.image = work, work / f"{before}vmlinux"
        self.said, self.build, self.boot, self.stress, self.count = (
            (work / f"{before}{name}.log").read_text(errors="replace").replace("\r", "")
            for name in ("said", "build", "boot", "stress", "count"))
        self.part, self.stress_part = parts(self.boot), parts(self.stress)


def parts(log):
    pieces = re.split(r"^### (\d+)\. .*\n", log, flags=re.M)
    return {int(number): text for number, text in zip(pieces[1::2], pieces[2::2])}


def run_example(tool, work, results, *options):
    """What tests read goes to RESULTS, also of a run that failed: it is not repeated."""
    environment = {"SDTLINK": str(tool), "BUSYBOX": str(BUSYBOX), "JOBS": str(os.cpu_count())}
    before = "seed." if options else ""
    script = subprocess.run([EXAMPLE / "run.sh", *options, work], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                            env={**os.environ, **environment})
    (results / f"{before}said.log").write_text(script.stdout)
    for log in ("build", "boot", "stress", "count"):
        if (work / f"{before}{log}.log").exists():
            shutil.copy(work / f"{before}{log}.log", results)
    if (work / "build" / "vmlinux").exists():
        shutil.copy(work / "build" / "vmlinux", results / f"{before}vmlinux")
    return script.returncode == 0


def measure(tool, work, results):
    """beside.py's table; not of the tracepoint, since lockdep checks each."""
    table = subprocess.run([EXAMPLE / "beside.py", work, tool, *OURS], text=True, check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    (results / "beside.md").write_text(table.stdout)


def make(tool, work, results):
    results.mkdir(parents=True)
    if run_example(tool, work, results):
        measure(tool, work, results)
        if run_example(tool, work, results, "--seed"):
            shutil.copy(work / "build" / "sdt-companion.c", results)
    shutil.rmtree(work)


@pytest.fixture(scope="module")
def example(tmp_path_factory, prefix):  # noqa: F811
    if platform.machine() != "x86_64":
        pytest.skip("it is built for x86-64, by the compiler of this machine")
    missing = [what for what in NEEDED if not shutil.which(what)] + [
        str(file) for file in (SOURCE, BUSYBOX) if not file.exists()]
    if missing:
        pytest.skip(f"./run test --kernel fetches {', '.join(missing)}")
    return once(tmp_path_factory, "linux", lambda *where: make(prefix / "bin" / "sdtlink", *where))


@pytest.fixture(scope="module")
def linux(example):
    said = (example / "said.log").read_text()
    assert said.endswith("all right\n"), said
    return Linux(example)


@pytest.fixture(scope="module")
def seed(linux):
    said = (linux.work / "seed.said.log").read_text()
    assert said.endswith("all right\n"), said
    return Linux(linux.work, "seed.")


def sites(text):
    """Each line of debugfs' `probes`: name, state, the first bytes, arguments."""
    found = re.findall(r"^(\w+):(\w+):(\w+):(\w+) [0-9a-f]{16} (\w+)(?: \((-?\d+)\))?"
                       r"(?: \[([0-9a-f ]+)\])?(.*)$", text, re.M)
    return [(f"{site[0]}:{site[3]}", site[4], site[6], site[7].split()) for site in found]


def counted(text):
    return {name: int(count) for name, count in re.findall(r"^\d+ (\S+) (\d+)$", text, re.M)}


def traced(text, name):
    return re.findall(rf"^sdt: {name} in (.*)$", text, re.M)


@pytest.fixture(params=["linux", "seed"])
def either(request):
    return request.getfixturevalue(request.param)


def test_the_build_says_nothing(either):
    """modpost, objtool, the linker and the compiler, but for what objtool says of the same Linux
    without probes; and the script's own checks."""
    assert either.said.endswith("all right\n")
    complaints = re.findall(r".*(?:modpost:|objtool:|orphan|warning:).*", either.build)
    assert not [line for line in complaints
                if not re.search(r"do_one_initcall\+\w+: unreachable instruction$", line)]


def test_no_complaint_of_the_kernel(either):
    for log in (either.boot, either.stress, either.count):
        assert not re.search(r"Oops|BUG:|WARNING|duplicate|refused:|rcu_sched", log)
        assert "### done" in log


def test_sites_are_off_in_the_image(sdt, linux):
    """As objdump reads it: a NOP of one byte and one of nine."""
    listed = sdt.sdtlink("list", linux.image).stdout
    rows = [re.split(r"\s{2,}", row) for row in listed.splitlines()[1:]]
    assert {f"{row[0]}:{row[3]}" for row in rows} == KERNEL | BESIDE
    inline = [int(row[4], 16) for row in rows if row[5] == "inline"]
    assert len(inline) >= 5
    for at in inline:
        code = sdt.run("objdump", "-d", "--no-show-raw-insn", f"--start-address={at}",
                       f"--stop-address={at + 10}", linux.image)
        assert re.findall(r":\s+(nop\w*)", code)[:2] == ["nop", "nopw"], code
    assert "__dtrace_sdt" not in sdt.run("nm", linux.image)
    assert sdt.sdtlink("verify", linux.image).stdout.endswith(": ok\n")


def test_all_sites_are_listed_and_off(linux):
    """But that of the initcalls, whose text is gone."""
    for number in (1, 9):
        listed = sites(linux.part[number])
        assert {site[0] for site in listed} == KERNEL | BESIDE
        assert {site[1] for site in listed if site[0] != "init:initcall"} == {"off"}
        assert [site[1] for site in listed if site[0] == "init:initcall"] == ["blocked"]
    assert ("vfs:open", "off", "90 66 0f 1f 84 e9",
            ["dfd:int32", "name:string", "flags:uint64", "mode:uint64"]) in [
                (name, state, bytes_[:17], arguments)
                for name, state, bytes_, arguments in sites(linux.part[1])]


def test_initcalls_are_counted_from_the_first_one(either):
    """sdt=init:initcall on the command line. There are more than a hundred in every Linux."""
    assert counted(either.part[2])["init:initcall"] > 100
    assert "not enabled: init:initcall" in either.part[12]


def test_values_and_names(either):
    assert 'do_sys_openat2() dfd=-100 name="/proc/version" flags=0x8000 mode=0x0' in traced(
        either.part[4], "vfs:open")
    exits = traced(either.part[5], "proc:exit")  # of (exit 3), a plain call
    [[pid]] = [re.findall(r"arg1=0x([0-9a-f]+)", line) for line in exits if "arg0=0x300" in line]
    forks = traced(either.part[5], "proc:fork")  # a question
    assert any(f"nr={int(pid, 16)} comm=\"init\"" in line for line in forks)


def test_by_breakpoint(either):
    assert any('name="/proc/version"' in line for line in traced(either.part[6], "vfs:open"))
    assert any("arg0=0x400" in line for line in traced(either.part[6], "proc:exit"))
    assert re.search(r"^vfs:.* breakpoint \[(90 )?cc ", either.part[6], re.M)


def test_a_module_comes_goes_and_comes_again(linux):
    """What was enabled before it came is on from its first instruction; three calls, then 100 000
    twice; 200 003 in all."""
    assert traced(linux.part[7], "demo:init") == ["init_module() arg0=7"]
    assert traced(linux.part[7], "demo:work") == [
        f'work() what="poke" n={n}' for n in range(3)]
    assert counted(linux.part[7])["demo:work"] == 200003
    assert linux.part[8].startswith("0\n")
    again = sites(linux.part[8])
    assert {"demo:work", "demo:call", "demo:lazy"} == {
        site[0] for site in again if site[1] == "on"}


def test_stacks_are_whole(linux):
    stack = linux.part[10].partition("Call Trace:")[2].partition("RIP:")[0]
    frames = re.findall(r"^ (\w[\w.]*)\+0x", stack, re.M)
    assert frames[frames.index("do_sys_openat2.sdt") + 1:] == [
        "__x64_sys_openat", "do_syscall_64", "entry_SYSCALL_64_after_hwframe"]


def test_beside_ftrace_kprobes_and_tracepoints(linux):
    """Of the same functions: each sees the call, and so do we."""
    both = linux.part[13]
    assert any('name="/proc/version"' in line for line in traced(both, "vfs:open"))
    assert {(site[0], site[1]) for site in sites(both)} == {("vfs:open", "on"),
                                                            ("sched:switch", "on")}
    assert re.search(r"cat-\d+ .* ours: \(do_sys_openat2\+0x0/", both)
    assert re.search(r"cat-\d+ .* do_sys_openat2 <-__x64_sys_openat", both)
    assert re.search(r"cat-\d+ .* sched_switch: prev_comm=cat ", both)


def test_a_kprobe_on_a_site(linux):
    """It is hit; and when it is gone, the site is as it was, and fires. Kprobes become jumps over
    the site, while it is enabled and disabled: in the second boot too, 800 times."""
    hit, left = re.search(r"^(\d+)\n((?:sdt: .*\n)+)vfs:.* off \[90 66 0f 1f 84 e9 ",
                          linux.part[14], re.M).groups()
    assert int(hit) >= 2
    assert any('name="/proc/version"' in line for line in traced(left, "vfs:open"))


def test_every_hit_is_counted_while_sites_change(linux):
    """Two processes on two processors, 800 toggles, by jump and by breakpoint, and never without
    hits beside them: the processes go on until all toggles are done."""
    assert "processors: 2\n" in linux.stress and "### 800 toggles\n" in linux.stress
    worked = [int(times) for times in re.findall(r"^worked: (\d+)$", linux.stress, re.M)]
    assert len(worked) == 2 and min(worked) >= 3000
    assert counted(linux.stress)["demo:work"] == 1000 * sum(worked)


def test_what_a_site_costs(linux):
    """Instructions that qemu counted are those of objdump's list (beside.py): two NOPs, and no
    other change of the function; a plain call moves arguments; a question is three, and gcc's one
    more."""
    rows = re.findall(r"^\| `?([\w ]+)`? +\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|",
                      (linux.work / "beside.md").read_text(), re.M)
    table = {name: [int(word) for word in words] for name, *words in rows}
    assert table["SDT_PROBE"] == [2, 10, 32, table["SDT_PROBE"][3]]
    assert table["SDT_PROBE"][0] < table["SDT_PROBE_LAZY"][0] < table["a plain call"][0]
    hits = re.findall(r"^(?:inline|call|lazy)-\w+ (\d+) (\d+)$", linux.count, re.M)
    assert len(hits) == 8 and {of for of, _ in hits} == {"1000"}


# ---- The scheme of 2015. ----


def calls(sdt, seed):
    """Of each line of the companion: the probe, and what objdump finds there in the image."""
    symbols = {name: int(at, 16) for at, name in re.findall(
        r"^(\w+) T (\S+)$", sdt.run("nm", seed.image), re.M)}
    for base, sign, distance, name in re.findall(
            r"^SDT_COMPANION_SITE\(\w+, \w+, (\w+) ([+-]) (\w+),\s+\"(\S+)\"",
            (seed.work / "sdt-companion.c").read_text(), re.M):
        at = symbols[base] + int(sign + distance, 16)
        yield name, re.search(r":\t((?:\w\w )+)\s*(\w+)", sdt.run(
            "objdump", "-d", f"--start-address={at}", f"--stop-address={at + 5}",
            seed.image)).groups()


def test_calls_are_calls_in_the_image_and_nops_in_the_running_kernel(sdt, seed):
    """One byte differs, and the displacement is the linker's."""
    image = sorted(calls(sdt, seed))
    assert {name for name, _ in image} == KERNEL
    assert {instruction for _, (_, instruction) in image} == {"call"}
    assert f"sdt: {len(image)} sites in vmlinux, added in " in seed.boot
    expected = sorted((name, f"a9{code[2:].rstrip()}") for name, (code, _) in image
                      if name != "init:initcall")  # whose text is gone
    for part in (seed.part[1], seed.part[9], seed.stress_part[1], seed.stress_part[3]):
        listed = [site for site in sites(part) if site[0] != "init:initcall"]
        assert sorted((name, code[:14]) for name, _, code, _ in listed) == expected
        assert {state for _, state, _, _ in listed} == {"off"}


def test_every_call_is_counted_while_sites_change(seed):
    """By us and by a kprobe on the function; 400 toggles, beside 20 000 opens or more on each of
    two processors. boot/init.seed says why both see the same number."""
    assert "processors: 2\n" in seed.stress
    ours = counted(seed.stress_part[2])["vfs:open"]
    [(theirs, missed)] = re.findall(r"^\s*ours\s+(\d+)\s+(\d+)$", seed.stress_part[2], re.M)
    assert (ours, missed) == (int(theirs), "0")
    assert ours >= 40000 + 2 * 400
