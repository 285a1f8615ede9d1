# SPDX-License-Identifier: BSD-2-Clause
"""What `sdt count` says where counting is not as usual: without restartable sequences, in words
that tools cannot read, at sites that cannot be armed, in libraries that come and go. Either the
number is right, or there is none: never 0 for a probe that could not be counted.

Programs are told how often to hit their probes.
"""
import re
import signal
import subprocess

import pytest

import attached
import patience
import toolchain
from attached import SDT, Counting, Target, ask, json_lines
from conftest import INCLUDE

NO_SEQUENCES = {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}

HITS = """
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sdt/probe.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static __attribute__((noinline)) void step(long i)
{
    SDT_PROBE(known, step, i);
}

static void *steps(void *data)
{
    for (long i = 0; i < (long)data; i++)
        step(i);
    return NULL;
}
"""

# THREADS threads hit the probe N times each.
THREADS = HITS + """
int main(int argc, char **argv)
{
    pthread_t threads[8];
    long n = argc > 2 ? atol(argv[2]) : 0;
    for (int i = 0; i < atoi(argv[1]); i++)
        pthread_create(&threads[i], NULL, steps, (void *)n);
    for (int i = 0; i < atoi(argv[1]); i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def counted(sdt, *args, env=None, names=("step",)):
    rows = json_lines(ask(sdt, "count", "--json", *args, env=env).stdout)
    assert [row["name"] for row in rows] == list(names)
    return rows[0]["count"] if len(rows) == 1 else {row["name"]: row["count"] for row in rows}


def built(sdt, *ldflags):
    """With its own copy of the library, by clang, which takes lld by any name."""
    obj = sdt.process(sdt.compile(sdt.write("threads.c", THREADS), "-pthread"))
    return sdt.link(obj, "-Wl,-u,sdt_version", "-pthread", *ldflags, compiler="clang")


@pytest.mark.parametrize("ldflags", [[f"-fuse-ld={ld}"] for ld in toolchain.LINKERS] +
                         [["-static"]], ids=lambda flags: flags[0])
def test_a_program_that_ends(sdt, ldflags):
    """Whether the linker has kept the symbols that tell of restartable sequences, or not."""
    exe = built(sdt, *ldflags)
    for env in (None, NO_SEQUENCES):
        assert counted(sdt, "known:step", "--", exe, 4, 5000, env=env) == 20000


def test_a_program_without_sequences_in_every_form(sdt):
    exe = built(sdt)
    for by in ([], ["by", "pid"]):
        assert counted(sdt, "known:step", *by, "--", exe, 2, 50, env=NO_SEQUENCES) == 100
    run = ["--", exe, 2, 50]
    text = ask(sdt, "count", "known:step", *run, env=NO_SEQUENCES).stdout
    assert text.splitlines()[1].split()[:2] == ["known:step", "100"]
    text = ask(sdt, "count", "known:step", "--openmetrics", *run, env=NO_SEQUENCES).stdout
    assert re.search(r'probe="step",program="[^"]+",pid="\d+"} 100\n', text)
    assert counted(sdt, "known:step", "--follow", *run, env=NO_SEQUENCES) == 100


def test_a_process_that_is_killed(sdt):
    with Target(attached.build(sdt), NO_SEQUENCES) as target:
        counting = Counting(target, "live:*").begin()
        target.do("threads 3 12345")
        target.process.kill()
        assert counting.end(None) == {"tick": 3 * 12345, "tock": 3 * 4115}


@pytest.mark.skipif(not toolchain.has("musl-gcc"), reason="this machine has no musl-gcc")
@pytest.mark.nosan  # the library would need the sanitizer's
def test_a_static_program_with_musl(sdt):
    source = sdt.write("threads.c", THREADS)
    command = [sdt.tool, "musl-gcc", "-static", "-O2", "-I", INCLUDE, source,
               sdt.static_runtime, "-o", sdt.path("musl")]
    sdt.command(*command)
    assert counted(sdt, "known:step", "--", sdt.path("musl"), 2, 50) == 100


# A thread of which the kernel does not tell the CPU any more.
ALONE = HITS + """
extern const ptrdiff_t __rseq_offset __attribute__((weak));

static void *alone(void *data)
{
    char *area = (char *)__builtin_thread_pointer() + (&__rseq_offset ? __rseq_offset : 0);
    if (!&__rseq_offset || syscall(SYS_rseq, area, 32, 1, 0x53053053) != 0)
        exit(9);
    return steps(data);
}

int main(void)
{
    pthread_t thread;
    steps((void *)100L);
    pthread_create(&thread, NULL, alone, (void *)1000L);
    pthread_join(thread, NULL);
    return 0;
}
"""


def test_a_thread_that_has_unregistered(sdt):
    exe = sdt.build(sdt.write("alone.c", ALONE), "-pthread", ldflags=["-pthread"])
    if sdt.command(exe, status=None).returncode == 9:
        pytest.skip("threads are not registered for rseq(2) here")
    assert counted(sdt, "known:step", "--", exe) == 1100


# Hits on command, which the program itself counts before a tool can attach.
COUNTED_BEFORE = """
#include <sdt/runtime.h>
#include <stdio.h>
""" + HITS + """
int main(void)
{
    long n;
    int id = sdt_enable("known:*", SDT_COUNT, NULL);
    steps((void *)77L);
    if (id <= 0 || sdt_attachable() != 0)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (puts("here"); scanf(" hit %ld", &n) == 1; printf("ok %d\\n", (int)sdt_hits("known:step")))
        steps((void *)n);
    return 0;
}
"""


def maps(pid):
    with open(f"/proc/{pid}/maps", encoding="utf-8") as text:
        return text.read()


@pytest.mark.parametrize("env", [{}, NO_SEQUENCES], ids=["sequences", "none"])
def test_what_was_counted_before_anybody_could_look(sdt, env):
    """The program's own count goes on; the tool has its own from its beginning, to the last hit."""
    exe = sdt.build(sdt.write("before.c", COUNTED_BEFORE), "-pthread", ldflags=["-pthread"])
    with Target(exe, {"SDT_ATTACH": "0", **env}) as target:
        counting = Counting(target, "known:step")
        patience.until(lambda: "sdt-counters" in maps(counting.process.pid), counting.process)
        assert target.do("hit 500", None) == "ok 577"
        [site] = attached.sites(sdt, target.pid)
        assert site["hits"] == 577
        assert target.do("hit 23", None) == "ok 600"
        target.process.kill()
        assert counting.end(None) == {"step": 523}


# The program has no memory that it could share: with counters, the probe's number is its own.
REFUSED = """
#define memfd_create other_name
#include <sys/mman.h>
#undef memfd_create
#include <string.h>
""" + HITS + """
int memfd_create(const char *name, unsigned flags)
{
    if (!strcmp(name, "sdt-counters")) {
        errno = EMFILE;
        return -1;
    }
    return (int)syscall(SYS_memfd_create, name, flags);
}

int main(int argc, char **argv)
{
    (void)argv;
    steps((void *)100L);
    if (argc > 1)
        pause();
    return 0;
}
"""


def test_a_number_that_nobody_can_tell_any_more(sdt):
    exe = sdt.build(sdt.write("refused.c", REFUSED), "-pthread", ldflags=["-pthread"])
    result = ask(sdt, "count", "known:step", "--json", "--", exe)
    [row] = json_lines(result.stdout)
    assert (row["count"], row["rate"]) == (None, None)
    assert result.stderr == (
        "sdt: warning: a.out: 1 probes were counted where only the process can read, and it or "
        "their library has ended: their number is not known\n")
    assert ask(sdt, "count", "known:step", "--", exe).stdout.splitlines()[1].split() == [
        "known:step", "?", "?"]
    text = ask(sdt, "count", "known:step", "--openmetrics", "--", exe).stdout
    assert "sdt_hits_total" not in text and text.endswith("# EOF\n")


def test_a_number_that_the_process_can_tell(sdt):
    exe = sdt.build(sdt.write("refused.c", REFUSED), "-pthread", ldflags=["-pthread"])
    tool = subprocess.Popen([SDT, "count", "known:step", "-i", "0.05", "--json", "--", exe, "stay"],
                            stdout=subprocess.PIPE, text=True)
    assert any(json_lines(line)[0]["count"] == 100 for line in tool.stdout)
    tool.send_signal(signal.SIGTERM)  # which it passes on
    rest = json_lines(patience.wait(tool)[0])
    assert rest[-1]["total"] is True and rest[-1]["count"] is None


# A thread that blocks SIGTRAP, and then loads a probe whose site only a breakpoint can arm.
BLOCKS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sdt/probe.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    unsigned long trap = 1ul << (SIGTRAP - 1); /* sigprocmask() may be another library's */
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &trap, NULL, sizeof trap);
    void *library = dlopen(argv[1], RTLD_NOW);
    void (*hits)(long) = library ? (void (*)(long))dlsym(library, "blocked_hits") : NULL;
    for (int i = 0; i < 100; i++)
        SDT_PROBE(known, free, i);
    if (hits)
        hits(100);
    return !hits;
}
"""

BLOCKED = """
#include <sys/sdt.h>
void blocked_hits(long n);
void blocked_hits(long n)
{
    for (long i = 0; i < n; i++)
        DTRACE_PROBE1(known, blocked, i);
}
"""


@pytest.mark.parametrize("follow", [[], ["--follow"]], ids=["alone", "follow"])
def test_a_probe_that_cannot_be_armed(sdt, follow):
    obj = sdt.process(sdt.compile(sdt.write("blocked.c", BLOCKED), "-fPIC", "-I",
                                  INCLUDE / "sdt-compat"))
    library = sdt.link(obj, "-shared", runtime=None, name="blocked.so")
    exe = sdt.build(sdt.write("blocks.c", BLOCKS), ldflags=["-Wl,--export-dynamic", "-ldl"])
    command = "count", "known:*", *follow, "--", exe, library
    env = {"SDT_STOCK": "0"}  # no breakpoint in the dynamic loader
    result = ask(sdt, *command[:-3], "--json", *command[-3:], env=env)
    rows = {row["name"]: row["count"] for row in json_lines(result.stdout)}
    assert rows == {"free": 100, "blocked": None}
    # How many sites there are says the compiler: gcc 14 makes several of one in a loop.
    assert re.search(r"\d of \d sites are blocked: their hits are missing: a tracer's breakpoint "
                     "is there, or a thread blocks SIGTRAP", result.stderr), result.stderr
    text = ask(sdt, *command, env=env).stdout
    assert [line.split() for line in text.splitlines() if "blocked" in line] == [
        ["known:blocked", "?", "?"]]
    text = ask(sdt, *command[:-3], "--openmetrics", *command[-3:], env=env).stdout
    assert re.search(r'probe="free",.*} 100\n', text) and "blocked" not in text


PLUGIN = """
#include <sdt/probe.h>
void plugin_hits(long n);
void plugin_hits(long n)
{
    for (long i = 0; i < n; i++)
        SDT_PROBE(live, plugin, i);
}
"""


def plugin(sdt):
    obj = sdt.process(sdt.compile(sdt.write("plugin.c", PLUGIN), "-fPIC"))
    return sdt.link(obj, "-shared", runtime="shared", name="plugin.so")


def test_a_library_that_was_unloaded_before_the_end(sdt):
    """Nothing was read since it was loaded: at the end the process would forget its counters."""
    library = plugin(sdt)
    with Target(attached.build(sdt)) as target:
        target.do(f"load {library}")
        counting = Counting(target, "live:*").begin()
        target.do(f"call {library} 100")
        target.do(f"unload {library}")
        assert counting.end() == {"plugin": 100, "tick": 0, "tock": 0}


def test_a_library_that_is_loaded_while_nobody_prints(sdt):
    """Its probe is enabled although the tool has no interval."""
    library = plugin(sdt)
    with Target(attached.build(sdt)) as target:
        before = attached.code(target.pid)
        tool = subprocess.Popen([SDT, "hist", "live:*", "arg0", "--json", "-p", str(target.pid)],
                                stdout=subprocess.PIPE, text=True)
        attached.until_attached(tool, target.pid, before)
        target.do(f"load {library}")
        patience.until(lambda: attached.states(sdt, target.pid)["plugin"] == "jump", tool)
        target.do(f"call {library} 100")
        tool.send_signal(signal.SIGINT)
        rows = {row["name"]: row["count"] for row in json_lines(patience.wait(tool)[0])}
        assert rows == {"plugin": 100}


def test_a_program_whose_file_was_replaced(sdt):
    """As by an upgrade: it is still called what it was called."""
    exe = attached.build(sdt)
    with Target(exe) as target:
        exe.unlink()
        exe.write_bytes(b"another")
        ask(sdt, "enable", "-p", target.pid, "live:target:*:tick")
        target.do("hit 7")
        [site] = attached.sites(sdt, target.pid, "live:target:*:tick")
        assert (site["module"], site["hits"]) == ("target", 7)
