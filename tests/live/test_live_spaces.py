# SPDX-License-Identifier: BSD-2-Clause
"""Namespaces: libraries in one of the loader's own (dlmopen), and processes in PID namespaces, each
of which has a process 1. Nothing is lost, and nothing is added up that is not one thing.

Programs are told how often to hit; who a process is here, we know as its parent, or from /proc.
"""
import os
import pathlib
import signal
import subprocess

import pytest

import attached
import patience
from attached import SDT, ask, json_lines

# ---- The loader's ----

OPENS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef PROBED
#include <sdt/probe.h>
#else
#define SDT_PROBE(...)
#endif
/* PLUGIN N TIMES: in a namespace of its own each time, N hits. */
int main(int argc, char **argv)
{
    int n = atoi(argv[2]);
    for (int i = 0; i < atoi(argv[3]); i++) {
        void *plugin = dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW);
        void (*hits)(int) = plugin ? (void (*)(int))dlsym(plugin, "hits") : NULL;
        if (!hits)
            return puts(dlerror()), 1;
        hits(n);
        SDT_PROBE(space, opened, i);
        dlclose(plugin);
    }
    return 0;
}
"""

PLUGIN = """
#include <sdt/probe.h>
void hits(int n);
void hits(int n)
{
    for (int i = 0; i < n; i++)
        SDT_PROBE(space, plugin, i);
}
__attribute__((constructor)) static void begin(void) { SDT_PROBE(space, loaded); }
"""


def names(lines):
    return {line["name"]: line["count"] for line in lines}


@pytest.fixture(name="plugin")
def fixture_plugin(sdt):
    """With the runtime, which then comes once for each namespace."""
    obj = sdt.process(sdt.compile(sdt.write("plugin.c", PLUGIN), "-fPIC"))
    return sdt.link(obj, "-shared", "-Wl,--no-as-needed", runtime="shared", name="plugin.so")


@pytest.mark.nosan  # a second C library has another malloc than the sanitizer's
@pytest.mark.parametrize("probed", [False, True])
@pytest.mark.parametrize("linked", ["shared", "static"])
def test_a_plugin_in_a_namespace_of_its_own(sdt, plugin, probed, linked):
    if linked == "static" and not probed:
        pytest.skip("without probes, nothing asks for the archive")
    obj = sdt.compile(sdt.write("opens.c", OPENS), *["-DPROBED"] * probed)
    obj = sdt.process(obj) if probed else obj
    exe = sdt.link(obj, "-Wl,-u,sdt_version" if probed else "-Wl,--as-needed", "-ldl",
                   runtime=linked, name="opens")
    lines = json_lines(ask(sdt, "count", "--json", "space:*", "--", exe, plugin, 7, 3).stdout)
    assert names(lines) == {"plugin": 21, "loaded": 3, **({"opened": 3} if probed else {})}
    ask(sdt, "record", "-o", "rec", exe, plugin, 7, 3)
    text = ask(sdt, "report", "rec").stdout
    assert text.count("space:plugin") == 21


# ---- The kernel's ----

# N hits by each of the processes of a namespace; each stays until a line comes.
SPACED = """
#define _GNU_SOURCE
#include <sched.h>
#include <sdt/probe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
static void hits(int n)
{
    for (int i = 0; i < n; i++)
        SDT_PROBE(space, hit, i);
}
int main(int argc, char **argv)
{
    char line[80];
    signal(SIGCHLD, SIG_IGN); /* no zombies */
    puts("here");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        int n = atoi(line + 1);
        if (*line == 'h')
            hits(n);
        pid_t child = *line == 'u' && unshare(CLONE_NEWPID) == 0 ? fork() : 1;
        if (!child) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            hits(n);
            puts(getpid() == 1 ? "ok" : "not 1");
            fflush(stdout);
            pause();
        }
        if (*line != 'u')
            puts("ok");
        fflush(stdout);
    }
    return 0;
}
"""


class Spaced(attached.Target):
    """In a PID namespace of its own; `pid` is its number here."""

    def __init__(self, exe, **kwargs):
        super().__init__("unshare", args=["--pid", "--fork", "--kill-child", exe], **kwargs)
        children = pathlib.Path(f"/proc/{self.pid}/task/{self.pid}/children")
        patience.until(lambda: children.read_text().split())
        self.pid = int(children.read_text().split()[0])


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    if sdt.command("unshare", "--pid", "--fork", "true", status=None).returncode:
        pytest.skip("needs the right to make a PID namespace")
    source = sdt.write("spaced.c", SPACED)
    return attached.build(sdt, source, name=f"sp{os.getpid()}")  # no other process's name


def counting(target, *args):
    before = attached.code(target.pid)
    tool = subprocess.Popen([SDT, *map(str, args)], stdout=subprocess.PIPE, text=True)
    attached.until_attached(tool, target.pid, before)
    return tool


def result(tool):
    tool.send_signal(signal.SIGINT)
    output, _ = tool.communicate()
    assert tool.returncode == 0
    return {line["key"]: line["count"] for line in json_lines(output)}


@pytest.mark.parametrize("key", ["pid", "tid"])
def test_processes_that_are_all_number_1(exe, key):
    with Spaced(exe) as one, Spaced(exe) as other, attached.Target(exe) as third:
        targets = {one.pid: one, other.pid: other, third.pid: third}
        last = max(targets)
        tool = counting(targets[last], "count", "--json", "space:hit", "by", key, "-p", exe.name)
        for pid, target in targets.items():
            target.do(f"h {pid % 50 + 1}")
        assert result(tool) == {pid: pid % 50 + 1 for pid in targets}


def test_a_child_that_its_parent_gives_a_namespace(exe):
    """Followed, it adds to its parent's table, where it would be called process 1."""
    with attached.Target(exe) as target:
        tool = counting(target, "count", "--json", "space:hit", "by", "pid", "--follow", "-p",
                        target.pid)
        target.do("h 5")
        target.do("u 9")
        children = pathlib.Path(f"/proc/{target.pid}/task/{target.pid}/children").read_text()
        assert result(tool) == {target.pid: 5, int(children): 9}
        os.kill(int(children), signal.SIGKILL)


def test_a_child_that_has_ended_is_called_by_its_namespace(exe):
    with attached.Target(exe) as target:
        tool = counting(target, "count", "--json", "space:hit", "by", "pid", "--follow", "-p",
                        target.pid)
        target.do("u 9")
        child = pathlib.Path(f"/proc/{target.pid}/task/{target.pid}/children").read_text().strip()
        space = os.readlink(f"/proc/{child}/ns/pid")
        os.kill(int(child), signal.SIGKILL)
        patience.until(lambda: not os.path.exists(f"/proc/{child}"))
        assert result(tool) == {f"1 in {space}": 9}
