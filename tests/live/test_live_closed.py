# SPDX-License-Identifier: BSD-2-Clause
"""Programs that close every descriptor that they do not know, as daemons do, among them those by
which tools find their control page: an attached tool goes on, to the last hit; and only a
program that has become another one is given up."""
import signal
import struct
import subprocess

import pytest

import controlpage as cp
import attached
import patience
from attached import SDT, Counting, Target, ask, json_lines

# Hits `shut:before` N times, closes all in one WAY, loads a library if there is one, hits
# `shut:after` N times, and the library's probe.
SOURCE = """
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sdt/probe.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void close_all(const char *way)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (!strcmp(way, "closefrom"))
        closefrom(3);
    else if (!strcmp(way, "close_range"))
        syscall(SYS_close_range, 3, ~0u, 0);
    else
        for (int fd = 3; fd < 4096; fd++)
            close(fd);
    for (int i = 0; i < 30; i++) /* the numbers are used again */
        dup(1);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[2]);
    for (int i = 0; i < n; i++)
        SDT_PROBE(shut, before, i);
    close_all(argv[1]);
    for (int i = 0; i < n; i++)
        SDT_PROBE(shut, after, i);
    void *library = argc > 3 ? dlopen(argv[3], RTLD_NOW) : NULL;
    void (*hits)(long) = library ? (void (*)(long))dlsym(library, "plugin_hits") : NULL;
    if (hits)
        hits(n);
    return argc > 3 && !hits;
}
"""

PLUGIN = """
#include <sdt/probe.h>
void plugin_hits(long n);
void plugin_hits(long n)
{
    for (long i = 0; i < n; i++)
        SDT_PROBE(shut, plugin, i);
}
"""


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt, sdt.write("shut.c", SOURCE), name="shut",
                         flags=("-Wno-unused-result",))


@pytest.fixture(name="plugin")
def fixture_plugin(sdt):
    obj = sdt.process(sdt.compile(sdt.write("plugin.c", PLUGIN), "-fPIC"))
    return sdt.link(obj, "-shared", runtime="shared", name="plugin.so")


def counts(result):
    return {row["name"]: row["count"] for row in json_lines(result.stdout)}


@pytest.mark.parametrize("way", ["close", "closefrom", "close_range"])
@pytest.mark.parametrize("args", [[], ["--follow"], ["-i", "0.02"]], ids=" ".join)
def test_counts_of_a_command(sdt, exe, way, args):
    result = ask(sdt, "count", "shut:*", *args, "--json", "--", exe, way, 500)
    assert counts(result) == {"before": 500, "after": 500}


def test_other_commands(sdt, exe):
    run = ["--", exe, "closefrom", 300]
    assert counts(ask(sdt, "hist", "shut:*", "arg0", "--json", *run)) == {"before": 300,
                                                                         "after": 300}
    assert counts(ask(sdt, "count", "shut:*", "by", "pid", "--json", *run)) == {"before": 300,
                                                                                "after": 300}
    [row] = json_lines(ask(sdt, "lat", "shut:before", "shut:after", "match", "i", "--json",
                           *run).stdout)
    assert row["count"] == 300
    events = json_lines(ask(sdt, "trace", "shut:after", "--rate=0", "--json", *run).stdout)
    assert [event["args"]["i"] for event in events] == list(range(300))
    result = ask(sdt, "record", "-o", "rec", *run[1:])
    assert ": 600 events, 0 lost" in result.stderr


@pytest.mark.parametrize("args", [["count", "shut:*"], ["hist", "shut:*", "arg0"],
                                  ["count", "shut:*", "by", "pid"]], ids=" ".join)
def test_a_library_that_comes_afterwards(sdt, exe, plugin, args):
    """It waits at the page, as there is no gate any more, until its probes are enabled."""
    result = ask(sdt, *args, "--json", "--", exe, "closefrom", 200, plugin)
    assert counts(result) == {"before": 200, "after": 200, "plugin": 200}


def beats(page):
    return struct.unpack_from("<Q", page, cp.SESSIONS + 8)[0]


@pytest.mark.parametrize("args", [[], ["--follow"]], ids=" ".join)
def test_a_process_that_runs(sdt, args):
    with Target(attached.build(sdt)) as target:
        page = cp.open_page(target.pid)
        counting = Counting(target, "live:*", *args).begin()
        target.do("hit 30")
        target.do("fds")
        before = beats(page)
        patience.until(lambda: beats(page) > before + 2, counting.process)  # it has looked again
        target.do("threads 3 3000")
        assert "is not attachable" in ask(sdt, "list", "-p", target.pid, status=1).stderr
        assert counting.process.poll() is None
        assert counting.end() == {"tick": 9030, "tock": 3010}
        assert attached.code(target.pid) == counting.before


def test_what_it_becomes_is_not_looked_into(sdt):
    with Target(attached.build(sdt)) as target:
        counting = Counting(target, "live:*").begin()
        target.do("fds")
        target.do("hit 30")
        target.do("exec", "here")
        assert counting.end(None) == {"tick": 30, "tock": 10}
        assert set(attached.states(sdt, target.pid).values()) == {"off"}


def test_a_trace_of_a_process_that_runs(sdt):
    with Target(attached.build(sdt)) as target:
        before = attached.code(target.pid)
        tool = subprocess.Popen([SDT, "trace", "live:tick", "--rate=0", "--json", "-p",
                                 str(target.pid)], stdout=subprocess.PIPE, text=True)
        attached.until_attached(tool, target.pid, before)
        target.do("fds")
        target.do("hit 50")
        lines = [tool.stdout.readline() for _ in range(50)]
        assert [json_lines(line)[0]["args"]["i"] for line in lines] == list(range(50))
        tool.send_signal(signal.SIGINT)
        assert patience.wait(tool)[0] == ""
