# SPDX-License-Identifier: BSD-2-Clause
"""A program at work, and what the tools that trace it say when it has ended.

    with Session(builds, "inline", directory) as session:   it waits, its probes are off
        counting = session.sdt("count", "kvd:*")
        session.work()                                       all tools are in force; it works, ends
        counting.lines()                                     the objects that `count --json` printed
"""
import json
import mmap
import os
import pathlib
import struct
import subprocess

import controlpage
import patience
from conftest import TOOL_BUILD
from real.observe import ALWAYS_SET

SDT = TOOL_BUILD / "sdt" / "sdt"


def json_lines(text):
    """Of a tool and of the program it has started: what is an object."""
    return [json.loads(line) for line in text.splitlines() if line.startswith('{"')]


def ask(*argv, status=0):
    result = patience.run([str(SDT), *map(str, argv)], text=True, capture_output=True)
    assert result.returncode == status, (argv, result)
    return result.stdout


def started_by(builds, flavour, directory, *argv):
    """The workload and its environment, with `sdt ARGV --` in front of the program in it."""
    words, environment = builds.command(flavour)
    program = next(word for word in words if word.startswith(str(builds.directory(flavour))))
    wrapper = pathlib.Path(directory) / pathlib.Path(program).name
    quoted = " ".join("'" + str(word).replace("'", "'\\''") + "'" for word in argv)
    wrapper.write_text(f"#!/bin/sh\nexec '{SDT}' {quoted} -- '{program}' \"$@\"\n", "utf-8")
    wrapper.chmod(0o755)
    return [str(wrapper) if word == program else word for word in words], environment


def parent(pid):
    """None: it has ended."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text("utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(stat.rpartition(")")[2].split()[1])


class Looking:
    """One `sdt … --json -p PID`, of which the process knows when it is in force."""

    def __init__(self, session, argv):
        self.process = subprocess.Popen([str(SDT), *argv, "-p", str(session.pid)], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.argv, self.output, self.errors = argv, None, None

    def end(self):
        if self.output is None:
            self.output, self.errors = self.process.communicate()
        assert self.process.returncode == 0, (self.argv, self.errors)
        return self.output

    def lines(self):
        return json_lines(self.end())


class Session:
    def __init__(self, builds, flavour, directory):
        self.go, self.tools, self.asked_for = pathlib.Path(directory) / "go", [], 0
        words, environment = builds.command(flavour)
        self.process = subprocess.Popen(
            words, text=True, stdout=subprocess.PIPE,
            env={**os.environ, **ALWAYS_SET, **environment, "SDT_ATTACH": "1",
                 "WAIT_FOR": str(self.go)})

    def of_ours(self):
        """What `sdt ps` says of the process, which the workload is or has started."""
        result = patience.run([str(SDT), "ps", "--json"], text=True, capture_output=True)
        for line in json_lines(result.stdout):
            if self.process.pid in (line["pid"], parent(line["pid"])) and line["probes"]:
                self.pid = line["pid"]
                return line
        return None

    def __enter__(self):
        try:
            patience.until(lambda: self.of_ours() or self.process.poll() is not None)
            assert self.process.poll() is None
        except BaseException:
            self.go.touch()  # the workload, which has started the program, ends by itself
            raise
        with open(controlpage.find(self.pid), "rb") as file:
            self.page = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return self

    def enabled(self):
        return struct.unpack_from("<I", self.page, controlpage.ENABLED)[0]

    def sdt(self, *argv, asks=1):
        """Start a tool, and wait until what it asks for, so many things, is in force."""
        tool = Looking(self, argv)
        self.tools.append(tool)
        self.asked_for += asks
        patience.until(lambda: self.enabled() >= self.asked_for or tool.process.poll() is not None)
        assert tool.process.poll() is None, (argv, tool.process.communicate())
        return tool

    def work(self):
        """Let it do its work; what it printed."""
        self.go.touch()
        output = self.process.communicate()[0]
        assert self.process.returncode == 0
        return output

    def __exit__(self, *_):
        for process in (self.process, *(tool.process for tool in self.tools)):
            process.kill()  # of one that has ended and was waited for, nothing
            process.wait()
            for stream in filter(None, (process.stdout, process.stderr)):
                stream.close()
