# SPDX-License-Identifier: BSD-2-Clause
"""Looking into a running process: `sdt ps`, list, count, enable, disable, reset, run.

The program is told how often to hit its probes, so counts are compared with what was asked for; and
its text is read from /proc/PID/mem, which must be as before when probes are disabled.
"""
import itertools
import os
import shutil
import signal
import subprocess

import pytest

import controlpage as cp
import attached
import patience
import recorded
from attached import SDT, Counting, Target, ask, code, sites, states, until_attached


@pytest.fixture(params=["shared", "static"])
def exe(sdt, request):
    if request.param == "static":
        return sdt.link(sdt.process(sdt.compile("live_target.c")), "-Wl,-u,sdt_version",
                        "-Wl,--export-dynamic", "-pthread", name="target")
    return attached.build(sdt)


@pytest.fixture
def shared(sdt):
    return attached.build(sdt)


def hits(n):
    return {"tick": n, "tock": (n + 2) // 3}


def test_counts_are_exact_and_text_is_as_before(sdt, exe):
    with Target(exe) as target:
        before = code(target.pid)
        counting = Counting(target, "live:*").begin()
        target.do("hit 1000")
        target.do("threads 4 100000")
        assert counting.end() == {"tick": 401000, "tock": 334 + 4 * 33334}
        assert code(target.pid) == before
        target.do("hit 1000")
        assert set(states(sdt, target.pid).values()) == {"off"}


def test_a_process_that_is_killed_has_counted_to_the_last_hit(shared):
    with Target(shared) as target:
        counting = Counting(target, "live:*").begin()
        target.do("threads 3 12345")
        target.process.kill()
        assert counting.end(None) == {"tick": 3 * 12345, "tock": 3 * 4115}


def test_a_tool_that_is_killed_leaves_nothing(sdt, shared):
    with Target(shared) as target:
        before = code(target.pid)
        counting = Counting(target, "live:*").begin()
        counting.end(signal.SIGKILL, status=-signal.SIGKILL)
        assert code(target.pid) != before
        patience.until(lambda: code(target.pid) == before)
        assert set(states(sdt, target.pid).values()) == {"off"}


def test_two_tools_count_each_for_itself(shared):
    with Target(shared) as target:
        first = Counting(target, "live:*").begin()
        target.do("hit 600")
        second = Counting(target, "live:tick", "-i", "0.02")
        assert second.process.stdout.readline()  # it has begun
        target.do("hit 300")
        assert first.end() == hits(900)
        target.do("hit 90")
        assert second.end() == {"tick": 390}


def test_a_program_that_is_started_is_counted_from_its_beginning(sdt, shared):
    result = ask(sdt, "count", "--json", "live:*", "--", shared, input="hit 30\nquit\n")
    counts = {line["name"]: line["count"]
              for line in attached.json_lines(result.stdout.replace("here\nok\n", ""))}
    assert counts == hits(30)


@pytest.mark.nosan  # the library of the sanitizer build would be loaded into it
def test_what_cannot_be_counted(sdt):
    static = sdt.write("static.c", "int main(void)\n{\n    return 0;\n}\n")
    program = sdt.link(sdt.compile(static), "-static", runtime=None, name="static")
    for command, status, message in (
            ([program], 1, "has no library libsdt"), (["/no/such"], 127, "No such file"),
            (["false"], 1, "live:*: no probe matched"),
            (["sh", "-c", "kill -9 $$"], 128 + 9, "live:*: no probe matched")):
        assert message in ask(sdt, "count", "live:*", "--", *command, status=status).stderr


@pytest.mark.nosan  # the library of the sanitizer build would be loaded into it
def test_the_status_is_the_programs(sdt):
    source = sdt.write("exits.c", '#include <sdt/probe.h>\nint main(int argc, char **argv)\n{\n'
                       '    (void)argv; SDT_PROBE(a, b, argc); return 40 + argc;\n}\n')
    program = sdt.build(source, runtime="shared")
    result = ask(sdt, "count", "a:b", "--", program, status=41)
    assert result.stdout.split()[3:5] == ["a:b", "1"]


def test_nothing_matches(sdt, shared):
    with Target(shared) as target:
        for command in (["count", "-d", "1"], ["enable"], ["list"], ["record", "-o", "r", "-e"]):
            pattern = "no:such"
            result = ask(sdt, *command, pattern, *(["-p", target.pid]), status=3)
            assert "no:such: no probe of process" in result.stderr
            assert "did you mean" not in result.stderr
        for command in (["count", "-d", "1"], ["enable"], ["record", "-o", "r", "-e"],
                        ["hist"], ["count", "-d", "1", "-i", "1"]):
            result = ask(sdt, *command, "live:tik", *["i"][:command == ["hist"]], "-p", target.pid,
                         status=3)
            assert "matches; did you mean live:tick? See 'sdt list -p" in result.stderr
            result = ask(sdt, *command, "tokc", *["i"][:command == ["hist"]], "-p", target.pid,
                         status=3)
            assert "did you mean" not in result.stderr
        result = ask(sdt, "list", "liv:tick", "-p", target.pid, status=3)
        assert result.stderr.endswith(" matches; did you mean live:tick?\n")
        assert not sdt.path("r").exists()


def test_counting_goes_on_in_the_background(sdt, shared):
    with Target(shared) as target:
        before = code(target.pid)
        number = ask(sdt, "enable", "-p", target.pid, "live:tick").stdout.strip()
        target.do("hit 500")
        assert states(sdt, target.pid) == {"tick": "jump", "tock": "off"}
        [tick] = attached.sites(sdt, target.pid, "live:tick")
        assert tick["hits"] == 500 and tick["fields"] == [{"name": "i", "type": "int64"}]
        ask(sdt, "disable", "-p", target.pid, number)
        assert code(target.pid) == before
        result = ask(sdt, "disable", "-p", target.pid, number, status=3)
        assert f"nothing is enabled with ID {number}" in result.stderr
        ask(sdt, "enable", "-p", target.pid, "live:tick")
        ask(sdt, "enable", "-p", target.pid, "live:tock")
        ask(sdt, "reset", "-p", target.pid)
        assert code(target.pid) == before


def test_a_child_starts_unwatched_with_a_page_of_its_own(sdt, shared):
    with Target(shared) as target:
        before = code(target.pid)
        counting = Counting(target, "live:*").begin()
        ask(sdt, "enable", "-p", target.pid, "live:tock")
        target.do("hit 30")
        child = int(target.do("forks", None))
        assert code(child) == before
        target.do("hit 1000")  # the child does this
        own = Counting(type("Child", (), {"pid": child}), "live:*").begin()
        target.do("hit 60")
        assert own.end() == hits(60)
        target.process.stdin.write("quit\n")
        assert target.process.stdout.readline() == "back\n"
        target.do("hit 3")
        assert counting.end() == {"tick": 33, "tock": 11}


def test_many_children(sdt, shared):
    with Target(shared) as target:
        counting = Counting(target, "live:*").begin()
        target.do("hit 30")
        target.do("churn 50")
        assert counting.end() == hits(30)
        assert len(os.listdir(f"/proc/{target.pid}/task")) == 2


def test_a_process_that_becomes_another_program(sdt, shared):
    with Target(shared) as target:
        counting = Counting(target, "live:*").begin()
        target.do("hit 30")
        target.do("exec", "here")
        assert counting.end(None) == hits(30)
        assert set(states(sdt, target.pid).values()) == {"off"}


def test_values_of_a_library_that_comes_later(sdt, shared):
    """A histogram is asked for again when something was loaded, whatever is printed when."""
    with Target(shared) as target:
        before = code(target.pid)
        tool = subprocess.Popen([attached.SDT, "hist", "--json", "live:*", "i", "-p",
                                 str(target.pid)], stdout=subprocess.PIPE, text=True)
        attached.until_attached(tool, target.pid, before)
        plugin = build_plugin(sdt)
        target.do(f"load {plugin}")
        assert patience.until(lambda: states(sdt, target.pid)["plugin"] != "off", tool)
        target.do(f"call {plugin} 100")
        tool.send_signal(signal.SIGINT)
        rows = {row["name"]: row["count"] for row in attached.json_lines(patience.wait(tool)[0])}
        assert rows["plugin"] == 100


def build_plugin(sdt):
    source = sdt.write("plugin.c", '#include <sdt/probe.h>\nvoid plugin_hits(long n);\n'
                       'void plugin_hits(long n)\n{\n    for (long i = 0; i < n; i++)\n'
                       '        SDT_PROBE(live, plugin, i);\n}\n')
    obj = sdt.process(sdt.compile(source, "-fPIC"))
    return sdt.link(obj, "-shared", runtime="shared", name="plugin.so")


def test_a_library_that_comes_and_goes(sdt, shared):
    plugin = build_plugin(sdt)
    with Target(shared) as target:
        counting = Counting(target, "live:*", "-i", "0.02").begin()
        rows = (attached.json_lines(line)[0] for line in counting.process.stdout)
        seen = itertools.accumulate(row["count"] for row in rows if row["name"] == "plugin")
        for hits_so_far in (100, 200, 300):
            target.do(f"load {plugin}")
            target.do(f"call {plugin} 100")
            assert next(hits for hits in seen if hits >= hits_so_far) == hits_so_far
            target.do(f"unload {plugin}")
        target.do("hit 30")
        counts = counting.end()
        assert {name: counts[name] for name in ("tick", "tock")} == hits(30)
        assert counts["plugin"] == 300


def test_a_recording_of_a_running_process(sdt, shared):
    with Target(shared) as target:
        before = code(target.pid)
        recorder = subprocess.Popen([attached.SDT, "record", "-p", str(target.pid), "-o", "rec"],
                                    cwd=sdt.dir, stderr=subprocess.PIPE, text=True)
        until_attached(recorder, target.pid, before)
        assert ask(sdt, "trace", "live:*", "-p", target.pid, status=1).stderr.endswith(
            ": it records already: end that 'sdt record' or 'sdt trace' first\n")
        target.do("hit 3000")
        recorder.send_signal(signal.SIGINT)
        assert ": 4000 events, 0 lost" in patience.wait(recorder)[1]
        assert recorder.returncode == 0 and code(target.pid) == before
    lines = sdt.command("babeltrace2", "rec").stdout.splitlines()
    assert len(lines) == 4000 and not list(sdt.dir.glob("rec/*/.rings"))


def test_a_recording_of_some_seconds(sdt, shared):
    with Target(shared) as target:
        before = code(target.pid)
        recorder = subprocess.Popen([SDT, "record", "-p", str(target.pid), "-o", "rec", "-d", "2"],
                                    cwd=sdt.dir, stderr=subprocess.PIPE, text=True)
        until_attached(recorder, target.pid, before)
        while recorder.poll() is None:
            target.do("hit 3")
        summary = patience.wait(recorder)[1]
        assert recorder.returncode == 0 and code(target.pid) == before
    assert f": {recorded.count(sdt)} events, 0 lost" in summary
    assert "a program is recorded until it ends" in ask(sdt, "record", "-d", "3", shared,
                                                    status=2).stderr


def test_a_snapshot_of_what_led_here(sdt, shared):
    with Target(shared, {"SDT_RECORD": str(sdt.path("rec")), "SDT_ENABLE": "live:*=record",
                         "SDT_RECORD_OPTIONS": "flight"}) as target:
        target.do("hit 30")
        ask(sdt, "snapshot", "-p", target.pid)
        assert len(sdt.command("babeltrace2", "rec").stdout.splitlines()) == 40
        patience.wait(target.process)  # a killed one would leave its ring in memory
    with Target(shared) as target:
        assert "it does not record" in ask(sdt, "snapshot", "-p", target.pid, status=3).stderr


HOLD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*f)(void *), void *data)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
            dlsym(RTLD_NEXT, "pthread_create");
    write(1, "starting\\n", 9);
    while (access(getenv("HOLD"), F_OK) == 0)
        usleep(1000);
    return create(id, attributes, f, data);
}
"""


def test_a_process_that_has_just_begun(sdt, shared):
    """It answers when it has a thread to do so; that it has none yet is no error."""
    late, hold = sdt.path("late.so"), sdt.path("hold")
    sdt.command("gcc", "-shared", "-fPIC", sdt.write("late.c", HOLD), "-o", late)
    hold.touch()
    target = subprocess.Popen(
        [shared], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "SDT_ATTACH": "1", "LD_PRELOAD": str(late), "HOLD": str(hold)})
    try:
        assert target.stdout.readline() == "starting\n"
        tool = subprocess.Popen([SDT, "list", "--json", "-p", str(target.pid)], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        patience.until(lambda: attached.is_in_nanosleep(tool), tool)
        hold.unlink()
        shown, errors = patience.wait(tool)
        assert (tool.returncode, errors) == (0, "") and '"name": "tick"' in shown
    finally:
        target.kill()
        patience.wait(target)


def test_a_snapshot_that_is_not_its_own(sdt, shared):
    """`sdt record` writes the files: no other process may."""
    with Target(shared) as target:
        before = code(target.pid)
        recorder = subprocess.Popen([SDT, "record", "-p", str(target.pid), "-o", "rec", "--flight"],
                                    cwd=sdt.dir, stderr=subprocess.PIPE, text=True)
        until_attached(recorder, target.pid, before)
        refused = ask(sdt, "snapshot", "-p", target.pid, status=1).stderr
        assert "sdt record" in refused and len(refused.splitlines()) == 1
        recorder.send_signal(signal.SIGINT)
        patience.wait(recorder)
        assert recorder.returncode == 0
    assert "no process" in ask(sdt, "snapshot", "-p", target.pid, status=1).stderr
    for wrong in [], ["-p"], ["-p", ""], ["-p", "1", "more"], ["-x"]:
        assert "sdt snapshot" in ask(sdt, "snapshot", *wrong, status=2).stderr


def test_who_can_be_looked_into(sdt, shared):
    def listed():
        return {line["pid"]: line
                for line in attached.json_lines(ask(sdt, "ps", "--json", status=None).stdout)}

    with Target(shared) as target, Target(shared, {"SDT_ATTACH": "0"}) as closed, \
            Target(shared, {"SDT_DISABLE_RUNTIME": "1"}) as forbidden:
        ask(sdt, "enable", "-p", target.pid, "live:tock")
        seen = listed()
        assert {"program": "target", "probes": 2, "on": 1}.items() <= seen[target.pid].items()
        for other in (closed, forbidden):
            assert other.pid not in seen
            assert len(os.listdir(f"/proc/{other.pid}/task")) == 1
            result = ask(sdt, "list", "-p", other.pid, status=1)
            assert "is not attachable" in result.stderr


@pytest.mark.nosan
def test_run_preloads_the_library(sdt):
    """A program whose probes only that can enable."""
    program = sdt.link(sdt.process(sdt.compile("live_target.c")), "-pthread", runtime=None)
    with RunTarget(program) as target:
        number = ask(sdt, "enable", "-p", target.pid, "live:tick").stdout.strip()
        target.do("hit 10")
        assert attached.sites(sdt, target.pid, "live:tick")[0]["hits"] == 10
        assert number.isdecimal()


class RunTarget(Target):
    def __init__(self, exe):
        self.process = subprocess.Popen([attached.SDT, "run", "--", exe], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)
        self.pid = self.process.pid
        assert self.process.stdout.readline() == "here\n"


def thread_states(pid):
    for tid in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{tid}/stat", encoding="utf-8") as stat:
            yield stat.read().rpartition(")")[2].split()[0]


@pytest.mark.plain
def test_a_stopped_process_does_not_answer(sdt, shared):
    with Target(shared) as target:
        os.kill(target.pid, signal.SIGSTOP)
        patience.until(lambda: set(thread_states(target.pid)) == {"T"})
        assert "does not answer: is it stopped?" in ask(sdt, "list", "-p", target.pid,
                                                       status=1).stderr
        os.kill(target.pid, signal.SIGCONT)
        assert len(states(sdt, target.pid)) == 2


def test_a_page_that_nobody_uses_is_one(sdt, shared):
    """The page has 21 of memory, which are made when they are first read or written: by sessions,
    those of their requests."""
    with Target(shared) as target:
        page = cp.find(target.pid)
        assert os.stat(page).st_blocks * 512 == 4096
        for _ in range(3):
            ask(sdt, "list", "-p", target.pid)
        assert os.stat(page).st_blocks * 512 <= 5 * 4096


def resident(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4


@pytest.mark.parametrize("rounds", [300, pytest.param(10000, marks=pytest.mark.slow)])
def test_tools_that_come_and_go_under_load(shared, rounds):
    """By the protocol: enable, list, disable; each third tool only ends, each ninth forgets."""
    with Target(shared) as target:
        target.do("busy 2")
        before, files = code(target.pid), None
        for i in range(rounds):
            tool = cp.Tool(target.pid, place=i % 4)
            number, _ = tool.ask(cp.ENABLE, b"live:tick" if i % 2 else b"live:*")
            assert number > 0
            assert tool.ask(cp.LIST, b"*")[0] == 0
            if i % 3:
                assert tool.ask(cp.DISABLE, argument=number) == (0, -1)
            if i % 9:
                tool.end()
            else:
                tool.page.close()
            if i % 50 == 0:
                target.do("hit 100")
                target.do("churn 2")
            if i == 20:
                files, memory = len(os.listdir(f"/proc/{target.pid}/fd")), resident(target.pid)
        patience.until(lambda: code(target.pid) == before)
        assert len(os.listdir(f"/proc/{target.pid}/fd")) <= files
        assert resident(target.pid) < memory + 4096


def test_a_name_alone_is_a_pattern(sdt, exe):
    """As for hist and lat: count, enable, list and record take `tick` for live:tick."""
    with Target(exe) as target:
        before = code(target.pid)
        assert [site["name"] for site in sites(sdt, target.pid, "tick")] == ["tick"]
        assert {site["name"] for site in sites(sdt, target.pid, "live")} == {"tick", "tock"}
        counting = Counting(target, "tick").begin()
        target.do("hit 30")
        assert counting.end() == {"tick": 30}
        number = ask(sdt, "enable", "tock", "-p", target.pid).stdout.strip()
        assert states(sdt, target.pid)["tick"] == "off" != states(sdt, target.pid)["tock"]
        ask(sdt, "disable", number, "-p", target.pid)
        assert code(target.pid) == before
        for words in (["count", "none"], ["enable", "none"]):
            result = ask(sdt, *words, "-p", target.pid, status=3)
            assert "sdt: error: none: no probe of process" in result.stderr


REGISTERED = """
#include <sdt/probe.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    SDT_PROBE(live, site);
    printf("%ld\\n", syscall(SYS_membarrier, 1 << 9, 0, 0)); /* MEMBARRIER_CMD_GET_REGISTRATIONS */
    return 0;
}
"""


def test_what_takes_long_with_threads_is_done_before_there_are_some(sdt):
    """A process with several threads that registers for membarrier waits for all processors: the
    first tool would have to. The kernel says what a process has registered for.
    """
    exe = sdt.build(sdt.write("registered.c", REGISTERED), runtime="shared",
                    ldflags=["-Wl,--no-as-needed"])
    registered = {attach: int(sdt.command(exe, env={"SDT_ATTACH": attach}).stdout)
                  for attach in ("0", "1")}
    if registered["0"] < 0:
        pytest.skip("this kernel (before 6.3) does not say what is registered")
    assert registered == {"0": 0, "1": 1 << 4 | 1 << 6}, "private expedited, and with SYNC_CORE"


@pytest.mark.nosan
@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_no_thread_is_stopped(sdt, exe):
    """By what tools do: they neither trace a process nor send it signals, nor write to its memory.
    """
    wrong = "ptrace,process_vm_writev,kill,tkill,tgkill,pidfd_send_signal"
    with Target(exe) as target:
        for args in (["count", "live:*"], ["hist", "tick", "i"], ["trace", "tick"], ["ps"]):
            where = [] if args == ["ps"] else ["-d", "0.05", "-p", target.pid]
            sdt.command("strace", "-f", "-qq", "-e", f"trace={wrong},openat", "-o", "calls", SDT,
                        *args, *where)
            calls = sdt.path("calls").read_text("utf-8")
            assert f"/proc/{target.pid}/fd" in calls
            assert not [line for line in calls.splitlines() if "openat(" not in line]
            assert f"/proc/{target.pid}/mem" not in calls
