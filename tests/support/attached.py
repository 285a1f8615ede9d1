# SPDX-License-Identifier: BSD-2-Clause
"""A program to trace (programs/live_target.c), and `sdt` that attaches to it."""
import json
import os
import signal
import subprocess

import patience
from conftest import BUILD, TOOL_BUILD

SDT = TOOL_BUILD / "sdt" / "sdt"
POLL = ("7", "271")  # poll(2) and ppoll(2): a process that waits for something to happen
NANOSLEEP = ("35", "230")  # nanosleep(2) and clock_nanosleep(2)


def build(sdt, source="live_target.c", name="target", flags=("-Wall", "-Wextra")):
    """With its own copy of the library where that of the tool's build, which has a sanitizer, would
    be loaded into it."""
    linker = "g++" if str(source).endswith(".cc") else "gcc"
    if TOOL_BUILD == BUILD:
        return sdt.build(source, *flags, "-pthread", runtime="shared",
                         ldflags=["-Wl,--no-as-needed", "-ldl"], name=name)
    obj = sdt.process(sdt.compile(source, *flags, "-pthread"))
    return sdt.link(obj, "-Wl,-u,sdt_version", "-Wl,--export-dynamic", "-pthread", "-ldl",
                    compiler=linker, name=name)


class Target:
    """with Target(exe) as target: …; it does what target.do("hit 10") says."""

    def __init__(self, exe, env=None, args=(), **kwargs):
        self.process = subprocess.Popen(
            [exe, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env={**os.environ, "SDT_ATTACH": "1", **(env or {})}, **kwargs)
        self.pid = self.process.pid
        assert self.process.stdout.readline() == "here\n"

    def do(self, line, answer="ok"):
        self.process.stdin.write(line + "\n")
        got = self.process.stdout.readline().strip()
        assert answer is None or got == answer, got
        return got

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def ask(sdt, *args, **kwargs):
    return sdt.command(SDT, *args, **kwargs)


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


def sites(sdt, pid, *args):
    return json_lines(ask(sdt, "list", "--json", "-p", pid, *args).stdout)


def states(sdt, pid):
    return {site["name"]: site["state"] for site in sites(sdt, pid)}


class Counting:
    """`sdt count --json` while something is done."""

    def __init__(self, target, *args):
        self.target = target
        self.before = code(target.pid)  # after Popen() it may be too late
        self.process = subprocess.Popen(
            [SDT, "count", "--json", *map(str, args), "-p", str(target.pid)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def begin(self):
        until_attached(self.process, self.target.pid, self.before)
        return self

    def end(self, how=signal.SIGINT, status=0):
        if how:
            self.process.send_signal(how)
        output, errors = patience.wait(self.process)
        assert self.process.returncode == status, errors
        self.errors = errors
        return {line["name"]: line["count"] for line in json_lines(output)}


def until_attached(tool, pid, text):
    """Wait until the text of process PID is no longer TEXT, and TOOL asks for nothing more: it only
    waits for something to happen, and the process may do what it likes."""
    patience.until(lambda: code(pid) != text and is_in_poll(tool), tool)


def _is_in(tool, calls):
    try:
        with open(f"/proc/{tool.pid}/syscall", encoding="ascii") as file:
            return file.read().split()[0] in calls
    except OSError:  # it has just ended
        return False


def is_in_poll(tool):
    return _is_in(tool, POLL)


def is_in_nanosleep(tool):
    return _is_in(tool, NANOSLEEP)


def code(pid):
    """The executable pages of the program itself, as they are now: read by us, not by the tool."""
    return _pages(pid, f"/proc/{pid}/mem", lambda begin, offset: begin)


def code_on_disk(pid):
    """The same pages as they were before anybody attached: what to compare with where a tool may
    have attached before a test can read the process."""
    return _pages(pid, f"/proc/{pid}/exe", lambda begin, offset: offset)


def _pages(pid, source, where):
    path = os.readlink(f"/proc/{pid}/exe")
    found = []
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, open(source, "rb") as file:
        for line in maps:
            fields = line.split()
            if "x" in fields[1] and fields[-1] == path:
                begin, end = (int(part, 16) for part in fields[0].split("-"))
                file.seek(where(begin, int(fields[2], 16)))
                found.append(file.read(end - begin))
    assert found
    return found
