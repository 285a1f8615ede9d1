# SPDX-License-Identifier: BSD-2-Clause
"""How long it takes to attach to a process that runs: sdt, perf and bpftrace, one probe each.

The process hits the probe without pause. "Armed" is the moment at which its code is no longer that
of the file, "off" the one at which it is again, both read from /proc/PID/mem; time is what passes,
from the start of the command. Meanwhile the states of its threads are read as often as possible,
and the thread that works says what was its longest time between two looks at the clock: of a round
in which no tool is attached as well.
"""
import contextlib
import os
import pathlib
import re
import signal
import statistics
import subprocess
import time

import harness
import peers

PATIENCE = 60
PAUSE = 1e-4  # between two looks: who attaches also needs a processor
CODE = 16  # bytes at the probe


def _program(bench):
    """The program, and where its probe is."""
    main = bench.compile(harness.PROGRAMS / "live_target.c", "-fno-pie", output="live-target")
    exe = bench.link(main, output="live-target", flags=("-no-pie", "-Wl,-u,sdt_attachable"))
    return exe, int(peers.note_address(bench, exe), 16)


class Target:
    """A process, its code at the probe, and its threads."""

    def __init__(self, exe, address):
        self.exe, self.address = exe, address
        self.process = subprocess.Popen([self.exe], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, bufsize=1,
                                        env={**os.environ, "SDT_ATTACH": "1"})
        self.process.stdout.readline()
        self.pid, self.samples, self.stopped = self.process.pid, 0, 0
        self.memory = os.open(f"/proc/{self.pid}/mem", os.O_RDONLY)
        self.original = self.code()
        self.threads = [os.open(f"/proc/{self.pid}/task/{thread}/stat", os.O_RDONLY)
                        for thread in os.listdir(f"/proc/{self.pid}/task")]

    def code(self):
        return os.pread(self.memory, CODE, self.address)

    def look(self):
        """Whether the code is that of the file; and the threads."""
        time.sleep(PAUSE)
        for thread in self.threads:
            state = os.pread(thread, 512, 0).rpartition(b")")[2].split()[0]
            self.samples += 1
            self.stopped += state in (b"T", b"t")
        return self.code() == self.original

    def listener(self):
        """The processor time of the thread that works requests, in nanoseconds."""
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            if (task / "comm").read_text("ascii") == "sdt-listener\n":
                return int((task / "schedstat").read_text("ascii").split()[0])
        return 0

    def longest(self):
        self.process.stdin.write("\n")
        return int(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Command:
    """One way to attach: COMMAND runs until it is interrupted, or (ENDS) by itself."""

    def __init__(self, what, argv, ends=False, goal=None):
        self.what, self.argv, self.ends, self.goal = what, list(map(str, argv)), ends, goal
        self.armed, self.off, self.whole, self.gaps = [], [], [], []

    def wait(self, target, process, wanted):
        deadline = time.monotonic() + PATIENCE
        while target.look() != wanted:
            if process.poll() is not None and not wanted:
                raise peers.Missing(f"{self.what}: {process.stderr.read().strip()[-200:]}")
            if time.monotonic() > deadline:
                raise peers.Missing(f"{self.what}: nothing happened in {PATIENCE} s")
        return time.perf_counter()

    def interrupt(self, process):
        """bpftrace 0.17 forgets a signal that comes while it does not wait for events."""
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(2)

    def run(self, target):
        target.longest()
        start = time.perf_counter()
        with subprocess.Popen(self.argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as process:
            self.armed.append(self.wait(target, process, False) - start)
            self.gaps.append(target.longest())
            stop = time.perf_counter()
            if not self.ends:
                self.interrupt(process)
            off = self.wait(target, process, True)
            process.wait()
            self.whole.append(time.perf_counter() - start)
        if not self.ends:
            self.off.append(off - stop)


def _commands(bench, target, tool):
    """Ours, and those of the peers that are here; perf's event is made and deleted each round."""
    site, pid = "attach:site", target.pid
    yield Command("sdt count, until armed", [tool, "count", site, "-p", pid, "-d", "0.1"], True)
    try:
        peers.need_uprobes()
        peers.need("bpftrace")
        yield Command("bpftrace, until armed",
                      ["bpftrace", "-p", pid, "-e", f"usdt:{target.exe}:{site} {{ @ = count(); }}"])
    except peers.Missing as missing:
        bench.skip("attach", str(missing))


class Perf:
    """`perf probe` for the event, then `perf stat` that counts it in the process."""

    def __init__(self, bench, target):
        peers.need_uprobes()
        peers.need("perf")
        self.bench, self.event = bench, "sdt_attach:site"
        self.environment = {**os.environ, "HOME": str(bench.work)}
        self.ask("buildid-cache", "--add", target.exe)
        self.made = []
        os.environ["HOME"] = str(bench.work)  # also for the command
        self.stat = Command("perf stat, until armed",
                            ["perf", "stat", "-e", self.event, "-p", target.pid])

    def ask(self, *argv):
        return self.bench.command("perf", *argv, env=self.environment)

    def run(self, target):
        start = time.perf_counter()
        self.ask("probe", "-q", f"%{self.event}")
        self.made.append(time.perf_counter() - start)
        try:
            self.stat.run(target)
        finally:
            self.ask("probe", "-q", "-d", self.event)


def _requests(bench, program):
    """What of it is the process's part: a request, from posted to done. The first of a process has
    more to do. What is not
    processor time is waiting for a processor.
    """
    client = bench.work / "live-request"
    bench.command("gcc", "-O2", "-I", harness.ROOT / "runtime", "-I", bench.include,
                  harness.PROGRAMS / "live_request.c", "-o", client)
    values, first = {"enable": [], "disable": []}, []
    rounds = 5 if bench.quick else 21
    for i in range(rounds):
        bench.progress(i, rounds, "requests")
        with Target(*program) as target:
            before = target.listener()
            bench.command(client, target.pid, "attach:site", 1)
            first.append((target.listener() - before) / 1e6)
        with Target(*program) as target:
            out = bench.command(client, target.pid, "attach:site", 20)
        for what, samples in values.items():
            samples.append([int(n) / 1e6 for n in re.findall(rf"^{what} (\d+)$", out, re.M)])
    for what, which, chosen in (("enable", "first", [s[0] for s in values["enable"]]),
                                ("enable", "later", [v for s in values["enable"] for v in s[1:]]),
                                ("disable", "all", [v for s in values["disable"] for v in s])):
        bench.record("attach", f"sdt: a request to {what} one probe, posted to done, {which}",
                     statistics.median(chosen), "ms", "<= 1" if what == "enable" else None,
                     f"most {max(chosen):.1f}", min(chosen))
    bench.record("attach", "sdt: processor time of the first enable and disable",
                 statistics.median(first), "ms", least=min(first))


def _whole(bench, target, tool):
    values = []
    for _ in range(5 if bench.quick else 21):
        start = time.perf_counter()
        bench.command(tool, "count", "attach:site", "-p", target.pid, "-d", "0.001")
        values.append((time.perf_counter() - start) * 1e3)
    bench.record("attach", "sdt count -d 0.001, from start to end", statistics.median(values),
                 "ms", least=min(values))


def _idle(target, seconds):
    """A round in which no tool attaches."""
    target.longest()
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        target.look()
    return target.longest()


def _report(bench, command):
    def row(what, values):
        bench.record("attach", what, statistics.median(values) * 1e3, "ms",
                     least=min(values) * 1e3)
    row(command.what, command.armed)
    if command.off:
        row(command.what.replace("until armed", "from interrupted until off"), command.off)
    bench.record("attach", command.what.replace("until armed", "longest gap of the thread"),
                 statistics.median(command.gaps) / 1e6, "ms", None,
                 f"most {max(command.gaps) / 1e6:.2f}")


def measure(bench):
    bench.say("attaching to a process, ours and the peers")
    tool = bench.tool.parent.parent / "sdt" / "sdt"
    program = _program(bench)
    _requests(bench, program)
    with Target(*program) as target:
        _whole(bench, target, tool)
        commands, perf, idle = list(_commands(bench, target, tool)), None, []
        try:
            perf = Perf(bench, target)
        except peers.Missing as missing:
            bench.skip("attach", str(missing))
        rounds = 3 if bench.quick else 11
        for i in range(rounds):
            bench.progress(i, rounds, "attaching, ours and the peers")
            for way in filter(None, (*commands, perf)):
                way.run(target)
            idle.append(_idle(target, statistics.median(commands[0].armed)))
        for command in (*commands, *([perf.stat] if perf else [])):
            _report(bench, command)
        if perf:
            bench.record("attach", "perf probe, to make the event",
                         statistics.median(perf.made) * 1e3, "ms")
        bench.record("attach", "nobody attaches: longest gap of the thread",
                     statistics.median(idle) / 1e6, "ms", None, f"most {max(idle) / 1e6:.2f}")
        bench.record("attach", "threads seen stopped", target.stopped, f"of {target.samples}", "0")
