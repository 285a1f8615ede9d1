# SPDX-License-Identifier: BSD-2-Clause
"""The callers of a hit: `--stack` of sdt record, trace and report. They are those that backtrace(3)
finds in the program itself; their names are those of addr2line."""
import json
import re
import shutil
import signal
import subprocess

import pytest

import attached
import patience
import recorded
from attached import SDT, Target, ask, json_lines


def build(sdt, *flags, name="a.out"):
    return recorded.build(sdt, "record_stack.c", "-g", "-pthread", *flags, name=name,
                          ldflags=["-pthread"])


def callers(event):
    """After the one with the probe; an argument is called `stack` already."""
    return event.fields["callers"][1:]


@pytest.mark.parametrize("flags", [
    ["-O2", "-fomit-frame-pointer"], ["-O2", "-DSDT_CALL_SITES"], ["-O0"],
    ["-O1", "-fno-omit-frame-pointer"],
    ["-Os", "-fno-asynchronous-unwind-tables", "-funwind-tables"],
    ["-O2", "-fcf-protection=full", "-fstack-clash-protection"]], ids=lambda flags: flags[-1])
@recorded.with_and_without_rseq
def test_callers_are_those_of_backtrace(sdt, flags, rseq):
    exe = build(sdt, *flags)
    shown = sdt.command(exe, env={**recorded.wish(sdt, options="stack=64"), **rseq}).stdout
    events, _, missing = recorded.read(sdt)
    recorded.streams(sdt)
    wanted = [[int(word, 16) for word in line.split()] for line in shown.splitlines()]
    assert len(events) == len(wanted) == 8 and missing == 0
    for event, line in zip(events, wanted):
        assert callers(event) == line, event.fields["i"]
        assert event.fields["stack"] == "text"
    assert len(wanted[3]) > 40 < len(callers(events[3]))


def test_as_many_as_are_asked_for(sdt):
    exe = build(sdt, "-O2")
    for n in (1, 3, 16):
        ask(sdt, "record", "-o", f"rec{n}", f"--stack={n}" if n < 16 else "--stack", "--", exe)
        lengths = [len(event.fields["callers"]) for event in recorded.read(sdt, f"rec{n}")[0]]
        assert max(lengths) == n and len(lengths) == 8
    for wrong in ("0", "65", "x", "-1"):
        assert "--stack takes a number" in ask(sdt, "record", f"--stack={wrong}", exe,
                                               status=2).stderr


@pytest.mark.parametrize("flags", [[], ["-DSDT_CALL_SITES"]], ids=["inline", "call"])
def test_a_stack_that_leads_nowhere(sdt, flags):
    """The program lives, and all hits are there."""
    exe = build(sdt, "-O2", *flags)
    sdt.command(exe, "torn", env=recorded.wish(sdt, options="stack=64"))
    events, _, _ = recorded.read(sdt)
    assert len(events) == 121
    for event in events:
        assert 1 <= len(event.fields["stack"]) <= 64
        if event.fields["pc"] == 0:
            assert len(event.fields["stack"]) == 1


# ---- Names. ----


def names_of(exe, addresses):
    """Functions of addresses in the file, by addr2line."""
    output = subprocess.run(["addr2line", "-f", "-e", exe, *map(hex, addresses)], check=True,
                            capture_output=True, text=True).stdout.splitlines()
    return output[::2]


def base_of(sdt, name):
    [line] = [line for path in sdt.path("rec").glob("*/metadata")
              for line in path.read_text().splitlines()
              if line.startswith("/* sdt-module ") and line.split()[6].endswith(f"/{name}")]
    return int(line.split()[4], 16)


def test_names_are_those_of_addr2line(sdt):
    exe = build(sdt, "-O2", name="deep")
    ask(sdt, "record", "-o", "rec", "--stack", "--", exe)
    events = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    own = [(frame, i) for event in events for i, frame in enumerate(event["stack"])
           if frame["module"] == "deep"]
    base = base_of(sdt, "deep")
    wanted = names_of(exe, [frame["address"] - base - (i > 0) for frame, i in own])
    assert [frame["function"] for frame, _ in own] == wanted
    assert {"leaf", "middle", "with_alloca", "with_alignment", "compare", "main",
            "in_thread"} - set(wanted) == set()
    assert any(frame["module"].startswith("libc.so") for frame in events[0]["stack"])
    text = ask(sdt, "report", "--stack", "--limit=1", "rec").stdout.splitlines()
    assert [line.split("+")[0].strip() for line in text[2:5]] == ["leaf", "middle", "main"]
    assert all(re.fullmatch(r" {8}\S+\+0x[0-9a-f]+( \(\S+\))?", line) for line in text[2:])
    assert "+0x" not in ask(sdt, "report", "rec").stdout


def doubling(n):
    """A mangled name of so many types, each of which names the one before twice."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    pairs = "".join(f"PFvS{digits[i]}_S{digits[i]}_E" for i in range(1, 2 * n, 2))
    return f"_Z4deepPFv1AS_E{pairs}"


@pytest.mark.skipif(not shutil.which("llvm-cxxfilt"), reason="llvm-cxxfilt is not installed")
@pytest.mark.parametrize("n", [1, 16], ids=["short", "endless"])
def test_names_of_cxx_are_those_of_the_source(sdt, n):
    """For people; programs get symbols. A name that would be endless stays mangled. Demanglers
    differ in blanks, and we leave out defaults."""
    name = doubling(n)
    exe = recorded.build(sdt, "record_stack_names.cc", "-O1", f'-DSYMBOL="{name}"',
                         compiler="g++")
    ask(sdt, "record", "-o", "rec", "--stack", "--", exe)
    symbols = [event["stack"][0]["function"]
               for event in json_lines(ask(sdt, "report", "--json", "rec").stdout)]
    assert symbols[0] == name and symbols[1].startswith("_ZNK4shop12_GLOBAL__N_1")
    text = ask(sdt, "report", "--stack", "rec").stdout.splitlines()
    shown = [after.strip().rsplit("+0x", 1)[0] for before, after in zip(text, text[1:])
             if re.search(r" shop:\w", before)]
    wanted = [sdt.command("llvm-cxxfilt", symbol).stdout.strip() for symbol in symbols]
    if n > 1:
        assert len(wanted[0]) > 100_000
        wanted[0] = name
    string = "std::__cxx11::basic_string<char,std::char_traits<char>,std::allocator<char>>"
    assert [line.replace(" ", "") for line in shown] == \
           [line.replace(" ", "").replace(string, "std::string") for line in wanted]


def test_another_file_gives_no_names(sdt):
    exe = build(sdt, "-O2", "-Wl,--build-id", name="deep")
    ask(sdt, "record", "-o", "rec", "--stack", "--", exe)
    build(sdt, "-O1", name="deep")
    frames = [frame for event in json_lines(ask(sdt, "report", "--json", "rec").stdout)
              for frame in event["stack"] if frame["module"] == "deep"]
    assert frames and not any(frame["function"] for frame in frames)
    exe.write_bytes(b"\x7fELF\2\1" + b"\xff" * 4000)
    ask(sdt, "report", "--stack", "rec")


def test_a_recording_that_says_anything(sdt):
    """Modules that are nowhere, or whose file is none: a warning, or no names."""
    exe = build(sdt, "-O2", name="deep")
    ask(sdt, "record", "-o", "rec", "--stack", "--", exe)
    [path] = sdt.path("rec").glob("*/metadata")
    text = path.read_text()
    path.write_text(text + "/* sdt-module 0 ffffffffffffffff 0 - /dev/zero */\n")
    ask(sdt, "report", "--stack", "rec")
    path.write_text(text + "/* sdt-module 0 x 0 - /etc/passwd */\n/* sdt-module 1 2 3 */\n")
    assert "a module" in ask(sdt, "report", "--stack", "rec", status=1).stderr


# ---- While it runs. ----


def test_events_with_their_callers(sdt):
    exe = attached.build(sdt)
    with Target(exe) as target:
        before = attached.code(target.pid)
        tool = subprocess.Popen([SDT, "trace", "--stack=3", "--limit=2", "-p", str(target.pid),
                                 "live:tick /i >= 1/"], stdout=subprocess.PIPE, text=True)
        attached.until_attached(tool, target.pid, before)
        target.do("hit 5")
        lines = patience.wait(tool)[0].splitlines()
    assert lines[2].startswith("        tick+0x") and lines[2].endswith(" (target)")
    assert "main+0x" in lines[3] or "hit+0x" in lines[3]
    assert len(lines) == 1 + 2 * 4


PLUGIN = """#include <sdt/probe.h>
static __attribute__((noinline)) void inner(long i)
{
    SDT_PROBE(live, plugin, i);
}
void plugin_hits(long n);
void plugin_hits(long n)
{
    for (long i = 0; i < n; i++)
        inner(i);
}
"""


def build_plugin(sdt):
    source = sdt.write("plugin.c", PLUGIN)
    return sdt.link(sdt.process(sdt.compile(source, "-fPIC")), "-shared", runtime="shared",
                    name="plugin.so")


def recording(sdt, target, *args):
    """A tool that records TARGET, and a function that counts lines of modules in what it wrote."""
    before = attached.code(target.pid)
    tool = subprocess.Popen([SDT, "record", "-o", "rec", "--stack", *args, "-p", str(target.pid)],
                            cwd=sdt.path("."), stderr=subprocess.DEVNULL)
    attached.until_attached(tool, target.pid, before)
    [metadata] = sdt.path("rec").glob("*/metadata")
    return tool, lambda name: sum(
        line.startswith("/* sdt-module ") and f"/{name}" in line
        for line in metadata.read_text().splitlines())


@pytest.mark.nosan  # the library of the sanitizer build would be loaded into it
def test_callers_in_a_library_that_came_later(sdt):
    """The process sees within a moment that there is one, and says where it is."""
    exe, plugin = attached.build(sdt), build_plugin(sdt)
    with Target(exe) as target:
        tool, lines = recording(sdt, target)
        target.do(f"load {plugin}")
        patience.until(lambda: lines("plugin.so"))
        target.do(f"call {plugin} 2")
        tool.send_signal(signal.SIGINT)
        tool.wait()
    events = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    frames = [[frame["function"] for frame in event["stack"]] for event in events
              if event["name"] == "plugin"]
    assert len(frames) == 2 and frames[0][:2] == ["inner", "plugin_hits"] and "main" in frames[0]


@pytest.mark.nosan
def test_tables_are_made_while_threads_walk(sdt):
    """Two threads hit a probe all the while, and others fork; none finds a table that is gone."""
    exe, plugin = attached.build(sdt), build_plugin(sdt)
    with Target(exe) as target:
        tool, lines = recording(sdt, target, "--flight", "--ring=64K")
        target.do("busy 2")
        for _ in range(4):
            seen = lines("libc.so")
            target.do(f"load {plugin}")
            target.do("churn 5")
            patience.until(lambda: lines("libc.so") > seen)
            target.do(f"call {plugin} 100")
            target.do(f"unload {plugin}")
        target.do("hit 3")
        tool.send_signal(signal.SIGINT)
        assert tool.wait() == 0
    events = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert len(events) > 100
    assert {event["stack"][0]["function"].split(".")[0] for event in events} <= {
        "tick", "tock", "inner"}
    assert {len(event["stack"]) > 1 for event in events} == {True}


@pytest.mark.nosan  # the library of the sanitizer build would be loaded into it
def test_json_has_addresses(sdt):
    exe = build(sdt, "-O2")
    result = ask(sdt, "trace", "--stack", "--json", "deep:hit /i == 1/", "--", exe)
    [event] = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    lines = [line for line in result.stdout.splitlines() if line.startswith("0x")]
    assert [frame["address"] for frame in event["stack"]][1:] == [
        int(word, 16) for word in lines[0].split()]


def probe_of_python():
    """Where Debian's python3 has a probe, and the probe's semaphore; None: nowhere, or it moves."""
    notes = subprocess.run(["readelf", "-nh", "/usr/bin/python3"], capture_output=True, text=True,
                           check=False).stdout
    found = re.search(r"Name: function__entry\s+Location: (0x\w+), .*Semaphore: (0x\w+)", notes)
    return found.groups() if found and re.search(r"Type: +EXEC", notes) else None


@pytest.mark.nosan
@pytest.mark.skipif(not shutil.which("gdb"), reason="no gdb")
@pytest.mark.skipif(not probe_of_python(), reason="this python3 has no probes, or moves")
def test_a_stock_program_as_gdb_sees_it(sdt):
    """Stripped, optimised, without frame pointers, compiled by others; a breakpoint."""
    place, semaphore = probe_of_python()
    command = ["/usr/bin/python3", "-c", "pass"]
    script = sdt.write("gdb.txt", "set debuginfod enabled off\nset backtrace past-main on\nstarti\n"
                       f"set {{short}}{semaphore} = 1\nbreak *{place}\ncontinue\nbt 40\n")
    shown = sdt.command("gdb", "-q", "-batch", "-nx", "-x", script, "--args", *command).stdout
    wanted = [int(word, 16) for word in re.findall(r"^#\d+ +(0x\w+) in", shown, re.M)]
    traced = ask(sdt, "trace", "--json", "--stack=40", "--limit=1", "python:function__entry", "--",
                 *command).stdout
    got = [frame["address"] for frame in json_lines(traced)[0]["stack"]]
    own = [address for address in got if address < 1 << 32]  # the libraries lie elsewhere
    assert own == [address for address in wanted if address < 1 << 32] and len(own) > 8
    assert len(got) == len(wanted)
