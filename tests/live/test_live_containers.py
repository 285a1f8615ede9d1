# SPDX-License-Identifier: BSD-2-Clause
"""Processes that see other files than the tool does: in a chroot, with mounts of their own, another
user's, in namespaces of users and processes, where nothing can be written. They are recorded and
traced from outside, and what they have is named as anywhere else. The program does what it is told,
so what must be recorded is calculated here; babeltrace2 reads it."""
import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess

import pytest

import attached
import patience
import recorded
from attached import SDT, Target, ask, json_lines

N = 30
COUNTS = {"doors:begin": 2 * N, "doors:odd": 2 * N, "doors:end": N, "doors:sign": N}
NAMES = {0: "SHUT", 5: "OPEN", -1: "AJAR"}
NOBODY = 65534

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="namespaces and chroot(2) are root's")


def build(sdt, source="live_doors.c", static=False):
    obj = sdt.process(sdt.compile(source, "-pthread"))
    flags = ["-static", "-Wl,--eh-frame-hdr"] if static else ["-Wl,--export-dynamic", "-ldl"]
    return sdt.link(obj, "-Wl,-u,sdt_version", "-pthread", *flags, name="doors")


def jail(sdt, exe, *others):
    """A root directory with the program, what it needs, and nothing else: no /proc, no /tmp."""
    root = sdt.path("jail")
    for file in [exe, *others, *needed(sdt, exe)]:
        place = root / (file.name if file in (exe, *others) else str(file)[1:])
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)
    return root


def needed(sdt, exe):
    text = sdt.command("ldd", exe, status=None).stdout
    return [pathlib.Path(path) for path in re.findall(r"(/\S+) \(0x", text)]


def unshared(sdt, flags, script, exe):
    """A program in namespaces of its own, where SCRIPT has been run; it is open before that."""
    if sdt.command("unshare", *flags, "true", status=None).returncode:
        pytest.skip(f"unshare {' '.join(flags)} is not permitted here")
    fd = os.open(exe, os.O_RDONLY)
    return Target("unshare", args=[*flags, "sh", "-c", f"{script} && exec /proc/self/fd/{fd}"],
                  pass_fds=[fd], cwd="/")


def child_of(pid):
    [child] = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)


def in_static_chroot(sdt):
    return Target("chroot", args=[jail(sdt, build(sdt, static=True)), "/doors"])


def in_chroot(sdt):
    return Target("chroot", args=[jail(sdt, build(sdt)), "/doors"])


def in_mounts(sdt):
    """The program's file, and the directory of the recording, are hidden there."""
    return unshared(sdt, ["-m"], f"mount -t tmpfs none {sdt.dir}", build(sdt))


def in_read_only_mounts(sdt):
    """Nothing at all can be written, not even to /dev/shm."""
    script = "mount --bind / / && mount -o remount,bind,ro / && mount -t tmpfs -o ro none /dev/shm"
    target = unshared(sdt, ["-m"], script, build(sdt))
    assert not os.access(f"/proc/{target.pid}/root{sdt.dir}", os.W_OK)
    return target


def in_users(sdt):
    return unshared(sdt, ["-U"], "true", build(sdt))


def in_processes(sdt):
    """It is number 1 for itself, or another that we do not know."""
    target = unshared(sdt, ["-m", "-p", "--fork", "--kill-child"],
                      "mount -t proc none /proc", build(sdt))
    target.pid = child_of(target.pid)
    return target


def on_overlay(sdt):
    """As containers have it: the file comes from a layer below."""
    for name in "lower", "upper", "work", "merged":
        sdt.path(name).mkdir()
    exe = build(sdt)
    shutil.copy(exe, sdt.path("lower/doors"))
    script = ("mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work merged && "
              "exec merged/doors")
    if sdt.command("unshare", "-m", "sh", "-c", script.replace("exec merged/doors", "true"),
                   status=None).returncode:
        pytest.skip("no overlay file system can be mounted here")
    return Target("unshare", args=["-m", "sh", "-c", script], cwd=sdt.dir)


def of_another_user(sdt):
    """A user who may not even read the directory of the recording."""
    exe = build(sdt)
    sdt.dir.chmod(0o700)
    fd = os.open(exe, os.O_RDONLY)
    return Target("setpriv", args=[f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                                   f"/proc/self/fd/{fd}"], pass_fds=[fd], cwd="/")


PLACES = [in_static_chroot, in_chroot, in_mounts, in_read_only_mounts, in_users, in_processes,
          on_overlay, of_another_user]


def begin(sdt, pid, *args, probe="end", tool=(SDT,)):
    """A tool that is attached to process PID: its probes are on, and it waits for something."""
    tool = subprocess.Popen([*tool, *map(str, args), "-p", str(pid)], cwd=sdt.dir,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    patience.until(lambda: tool.poll() is not None or (
        attached.is_in_poll(tool) and attached.states(sdt, pid)[probe] != "off"), tool)
    return tool


def finish(tool, how=signal.SIGINT):
    if how:
        tool.send_signal(how)
    output, errors = patience.wait(tool)
    assert tool.returncode == 0, errors
    return output, errors


def counted(events):
    return collections.Counter(event.name for event in events)


def check_names(sdt, recording="rec"):
    """What the reports say, although the program's file is not where it says."""
    events = json_lines(ask(sdt, "report", "--json", recording).stdout)
    assert {event["args"]["door"] for event in events if event["name"] == "end"} == \
        set(NAMES.values())
    assert {event["stack"][0]["function"] for event in events if event["name"] == "end"} == {"push"}
    text = ask(sdt, "report", "--stack", recording).stdout
    assert text.count("door=OPEN") and re.search(r"^ +push\+0x", text, re.M)


@pytest.mark.parametrize("place", PLACES)
def test_everything_is_recorded(sdt, place):
    with place(sdt) as target:
        tool = begin(sdt, target.pid, "record", "-o", "rec", "--stack=4", "-e", "doors")
        target.do(f"doors {N}")
        finish(tool)
        if place is in_mounts:
            assert not os.listdir(f"/proc/{target.pid}/root{sdt.dir}")
        events, discarded, lost = recorded.read(sdt)
        assert counted(events) == COUNTS and not discarded + lost
    check_names(sdt)


@pytest.mark.parametrize("place", [in_static_chroot, in_mounts, in_processes])
def test_events_are_traced(sdt, place):
    with place(sdt) as target:
        tool = begin(sdt, target.pid, "trace", "--json", "--stack=2", "-n", N // 3, "doors:end",
                     '/door == "OPEN"/')
        target.do(f"doors {N}")
        events = json_lines(finish(tool, None)[0])
        assert [event["args"]["n"] for event in events] == list(range(1, N, 3))
        assert {event["args"]["door"] for event in events} == {"OPEN"}
        assert {event["stack"][0]["function"] for event in events} == {"push"}
        tool = begin(sdt, target.pid, "count", "--json", "doors:end", "by", "door")
        target.do(f"doors {N}")
        assert {row["key"]: row["count"] for row in json_lines(finish(tool)[0])} == \
            dict.fromkeys(NAMES.values(), N // 3)


@pytest.mark.parametrize("place", [in_chroot, of_another_user])
def test_snapshots_are_taken(sdt, place):
    with place(sdt) as target:
        tool = begin(sdt, target.pid, "record", "-o", "rec", "--when",
                     'doors:end /door == "AJAR" && n == 20/')
        target.do(f"doors {N}")
        assert ", 1 snapshot\n" in finish(tool)[1]
    events = recorded.read(sdt)[0]
    assert [event.fields["n"] for event in events if event.name == "doors:end"][:21] == \
        list(range(21))


def test_a_process_that_is_killed_leaves_every_event(sdt):
    with in_chroot(sdt) as target:
        tool = begin(sdt, target.pid, "record", "-o", "rec", "--stack=4")
        target.do(f"doors {N}")
        target.process.kill()
        finish(tool, None)
    assert counted(recorded.read(sdt)[0]) == COUNTS
    assert not recorded.rings(target.pid)
    check_names(sdt)


PLUGIN = """#include <sdt/probe.h>
void plugin_hits(long n);
void plugin_hits(long n)
{
    for (long i = 0; i < n; i++)
        SDT_PROBE(live, plugin, i);
}
"""


def build_plugin(sdt):
    obj = sdt.process(sdt.compile(sdt.write("plugin.c", PLUGIN), "-fPIC"))
    return sdt.link("-shared", obj, "-Wl,--build-id", runtime=None, name="plugin.so")


def test_what_is_described_when_all_descriptors_are_closed(sdt):
    """A daemon in a chroot that then loads a library: its probes are in memory that is mapped."""
    exe = build(sdt, "live_target.c")
    with Target("chroot", args=[jail(sdt, exe, build_plugin(sdt)), "/doors"]) as target:
        tool = begin(sdt, target.pid, "record", "-o", "rec", "-e", "live", probe="tick")
        target.do("fds")
        target.do("hit 3")
        target.do("load /plugin.so")
        patience.until(lambda: attached.is_in_poll(tool), tool)
        target.do("call /plugin.so 5")
        finish(tool)
    assert counted(recorded.read(sdt)[0]) == {"live:tick": 3, "live:tock": 1, "live:plugin": 5}


def test_a_user_looks_into_a_container_of_its_own(sdt):
    """Without capabilities: the program's libraries are found by name, below its root."""
    root = jail(sdt, build(sdt, "live_target.c"), build_plugin(sdt))
    shutil.copy(SDT, sdt.path("sdt"))
    for path in [sdt.dir, *sdt.dir.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    for directory in sdt.dir.parents:
        if directory.stat().st_mode & 0o777 == 0o700:
            directory.chmod(0o711)
    user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    if sdt.command(*user, "unshare", "-Urm", "true", status=None).returncode:
        pytest.skip("users may not make namespaces here")
    with Target(user[0], args=[*user[1:], "unshare", "-Urm", "chroot", root, "/doors"]) as target:
        target.do("load /plugin.so")
        tool = begin(sdt, target.pid, "record", "-o", "rec", "--stack=6", "-e", "plugin",
                     probe="plugin", tool=[*user, sdt.path("sdt")])
        target.do("call /plugin.so 5")
        finish(tool)
    events = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert len(events) == 5
    for event in events:
        functions = [frame["function"] for frame in event["stack"]]
        assert functions[0] == "plugin_hits" and "main" in functions


def test_children_record_as_well(sdt):
    exe = build(sdt, "live_target.c")
    with Target("chroot", args=[jail(sdt, exe), "/doors"]) as target:
        tool = begin(sdt, target.pid, "record", "--follow", "-o", "rec", "-e", "live:tick",
                     probe="tick")
        target.do("churn 5")
        target.do("hit 1")
        finish(tool)
    events = recorded.read(sdt)[0]
    assert len(events) == 6 and len({event.pid for event in events}) == 6


def test_names_that_the_user_gives(sdt):
    """The process does not see that file either."""
    probes = "probe doors:end (door, number: int64 \"mm\");\n"
    names = sdt.write("names.sdt", "# " + 5000 * "-" + "\n" + probes)
    with in_chroot(sdt) as target:
        tool = begin(sdt, target.pid, "record", "-o", "rec", f"--describe={names}", "-e",
                     "doors:end")
        target.do(f"doors {N}")
        finish(tool)
    assert [event.fields["number"] for event in recorded.read(sdt)[0]] == list(range(N))


def test_a_file_that_was_replaced(sdt):
    """As by an update, while the process still runs the old one: it is in no namespace."""
    exe = attached.build(sdt, "live_doors.c", "doors", ("-O2", "-g"))
    with Target(exe) as target:
        exe.unlink()
        attached.build(sdt, "live_target.c", "other").rename(exe)
        tool = begin(sdt, target.pid, "record", "-o", "rec", "--stack=4")
        target.do(f"doors {N}")
        finish(tool)
    assert counted(recorded.read(sdt)[0]) == COUNTS
    check_names(sdt)
    [kept] = sdt.path("rec").glob(".file-*")
    assert kept.stat().st_blocks * 512 < kept.stat().st_size


# ---- Commands that the tool starts. ----


def test_a_command_in_a_chroot_is_recorded(sdt):
    """Its programs do not find the directory that SDT_RECORD names."""
    root = jail(sdt, build(sdt))
    ask(sdt, "record", "-o", "rec", "--stack=4", "-e", "doors", "--", "chroot", root, "/doors",
        input=f"doors {N}\n")
    assert counted(recorded.read(sdt)[0]) == COUNTS
    check_names(sdt)


def test_a_command_makes_no_directory_where_it_is_another(sdt):
    """One of that name could be made there, and no tool would find it."""
    root = jail(sdt, build(sdt))
    place = root / str(sdt.dir)[1:]
    place.mkdir(parents=True)
    ask(sdt, "record", "-o", "rec", "--", "chroot", root, "/doors", input=f"doors {N}\n")
    assert counted(recorded.read(sdt)[0]) == COUNTS
    assert not list(place.iterdir())


# libsdt of the tool's build is loaded into chroot(8). Where only a library is sanitized, ASan finds
# the realpath() of glibc 2.2, which takes no NULL.
@pytest.mark.nosan
@pytest.mark.parametrize("command", [
    ["trace", "--json", "doors:end"],
    ["record", "-o", "rec", "--when", "doors:end /n == 29/"],
    ["record", "-o", "rec", "-e", "doors:end /n >= 0/"]], ids=["trace", "when", "condition"])
def test_other_commands_in_a_chroot(sdt, command):
    """What is started is chroot(8), which executes the program: as for any command that does."""
    root = jail(sdt, build(sdt))
    program = ["--", "chroot", root, "/doors"]
    result = ask(sdt, *command, "-f", *program, input=f"doors {N}\n")
    if command[0] == "trace":
        numbers = [row["args"]["n"] for row in json_lines(
            "".join(line + "\n" for line in result.stdout.splitlines() if line[0] == "{"))]
    else:
        numbers = [event.fields["n"] for event in recorded.read(sdt)[0]
                   if event.name == "doors:end"]
    assert numbers == list(range(N))
    alone = ask(sdt, *[word.replace("rec", "alone") if word == "rec" else word for word in command],
                *program, input="doors 1\n").stderr
    assert re.search(r"starts the program that has (it|the probe): --follow\n", alone)
