# SPDX-License-Identifier: BSD-2-Clause
"""A program that is traced lives on as it would without us, and the tool says what is wrong:
threads that are killed, limits, signals that are blocked."""
import fcntl
import os
import pty
import re
import signal
import subprocess
import termios

import attached
import patience
import pytest
from conftest import INCLUDE, PROGRAMS
from attached import SDT, ask

pytestmark = pytest.mark.plain  # small programs, whose exit status is what counts


def build(sdt, text, *flags, name="a.out", runtime="static"):
    obj = sdt.process(sdt.compile(sdt.write(name + ".c", text), *flags, name=name + ".o"))
    return sdt.link(obj, "-Wl,-u,sdt_version", "-pthread", runtime=runtime, name=name)


KILLED = r"""
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sdt/probe.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwrite64, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_THREAD),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
        return 77;
    puts("here");
    fflush(stdout);
    getchar();
    int status;
    pid_t child = fork();
    if (child == 0)
        exit(7);
    SDT_PROBE(killed, hit);
    waitpid(child, &status, 0);
    return 35 + WEXITSTATUS(status);
}
"""


def test_a_listener_that_is_killed_with_the_lock(sdt):
    """By a seccomp filter at the first byte that it writes: the tool says so, and the program goes
    on, forks, and ends as usual."""
    exe = build(sdt, KILLED)
    with attached.Target(exe) as target:
        result = ask(sdt, "count", "killed:*", "-p", target.pid, status=1)
        assert (f"process {target.pid} (a.out) does not answer: its thread sdt-listener has been "
                "killed, as a seccomp filter may do; restart the program\n") in result.stderr
        target.process.communicate("\n")
        assert target.process.returncode == 42


# SIGTRAP


LINKS = {
    "static runtime": ["-pthread"],
    "shared runtime": ["-pthread"],
    "static program": ["-pthread", "-static"],
    "musl": ["-static"],
    "musl, dynamic": [],
    "gold": ["-pthread", "-fuse-ld=gold"],
    "lld": ["-pthread", "-fuse-ld=lld"],
    "mold": ["-pthread", "-fuse-ld=mold"],
    "fortified": ["-pthread", "-O2", "-D_FORTIFY_SOURCE=2"],
}


def masks(sdt, flags, runtime="static", compiler="gcc"):
    runtime = [f"--runtime={runtime}", f"--runtime-directory={sdt.shared_runtime.parent}"]
    sdt.command(sdt.tool, *runtime, compiler, "-Wno-deprecated-declarations", "-I",
                INCLUDE / "sdt-compat", *flags, PROGRAMS / "live_masks.c", "-o", sdt.path("masks"))
    return sdt.path("masks")


@pytest.mark.parametrize("link", LINKS)
def test_a_program_that_blocks_every_signal(sdt, link):
    """And resets every action, when its sites of one byte are armed: it is not killed, and each of
    its hits is counted. The same program without us says what there should be."""
    exe = masks(sdt, LINKS[link], "shared" if link.startswith("shared") else "static",
                "musl-gcc" if link.startswith("musl") else "gcc")
    ways = sdt.run(exe).split("\n")
    assert ways[-2:] == ["alive", ""] and len(ways) > 15
    result = ask(sdt, "count", "--json", "mask:hit", "by", "name", "--", exe)
    said = result.stdout.split("\n")
    assert [line for line in said if not line.startswith("{")] == ways
    [row] = attached.json_lines("\n".join(line for line in said if line.startswith("{")))
    child = 1  # which no tool follows
    assert row["count"] == len(ways) - 2 - child


@pytest.mark.nosan  # one sanitizer in a process is enough
@pytest.mark.parametrize("flags", ["gcc -fsanitize=address -static-libasan",
                                   "clang -fsanitize=undefined"])
def test_a_stock_binary_with_a_sanitizer_in_it(sdt, flags):
    """Its functions come before ours, and call them."""
    compiler, *flags = flags.split()
    exe = sdt.path("stock")
    sdt.command(compiler, *flags, "-w", "-pthread", "-I", INCLUDE / "sdt-compat",
                PROGRAMS / "live_masks.c", "-o", exe)
    ways = sdt.run(exe).split("\n")
    result = ask(sdt, "count", "mask:hit", "--", exe)
    assert re.search(rf"^mask:hit +{len(ways) - 3} ", result.stdout, re.M), result


def test_signals_that_were_blocked_by_who_started_it(sdt):
    """A mask is inherited: SIGTRAP is unblocked where sites are to be armed, and only there."""
    exe = masks(sdt, LINKS["static runtime"])
    asked = sdt.write("asks.c", """
#include <signal.h>
int main(void)
{
    sigset_t now;
    sigprocmask(SIG_SETMASK, (void *)0, &now);
    return sigismember(&now, SIGTRAP);
}
""")
    plain = build(sdt, asked.read_text(), name="plain")
    blocked = {"preexec_fn": lambda: signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTRAP})}
    assert sdt.command(plain, status=None, **blocked).returncode == 1
    assert "alive" in ask(sdt, "record", "-o", "rec", "--", exe, **blocked).stdout
    events = attached.json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert len(events) == sdt.run(exe).count("\n") - 1


STAYS = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <sdt/probe.h>
#include <signal.h>
#include <stdio.h>
#include <sys/sdt.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_barrier_t barrier;
static void *stay(void *data)
{
    unsigned long all = ~0ul;
    pthread_setname_np(pthread_self(), "stubborn");
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
    pthread_barrier_wait(&barrier);
    pause();
    return data;
}
static void begin(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, stay, NULL);
    pthread_barrier_wait(&barrier);
}
__attribute__((used, section(".preinit_array"))) static void (*const early)(void) = begin;
int main(int argc, char **argv)
{
    STAP_PROBE(stays, hit);
    SDT_PROBE(stays, quick);
    puts("here");
    fflush(stdout);
    return argc > 1 && argv ? getchar() : 0;
}
"""


def test_a_thread_that_nobody_keeps_from_blocking_sigtrap(sdt):
    """Since before the library began, by a system call of its own: the sites are not armed, and
    every command says why."""
    source = sdt.write("stays.c", STAYS)
    obj = sdt.process(sdt.compile(source, "-I", INCLUDE / "sdt-compat"))
    exe = sdt.link(obj, "-Wl,-u,__sdt_register", "-pthread")
    why = r"thread \d+ \(stubborn\) blocks SIGTRAP: it would end the process at a breakpoint\n"
    result = ask(sdt, "count", "stays:*", "--", exe)
    assert "here\n" in result.stdout and re.search(r"^stays:quick +1 ", result.stdout, re.M)
    assert re.search(r"warning: a\.out: 1 of 2 sites are blocked: their hits are missing: a "
                     r"tracer's breakpoint is there, or a thread blocks SIGTRAP\n"
                     rf"  advice: +{why}", result.stderr)
    with attached.Target(exe, args=["wait"]) as target:
        for command in (["count"], ["record", "-o", "live", "-e"]):
            result = ask(sdt, *command, "stays:hit", "-p", target.pid, status=1)
            assert re.search(rf"error: process \d+ \(a\.out\): stays:hit: {why}", result.stderr)
    result = ask(sdt, "record", "-o", "rec", "-e", "stays:hit", "--", exe)
    assert "here\n" in result.stdout and "no matching probe was hit" in result.stderr
    assert re.search(r"^libsdt [\d.]+: probes that need a breakpoint are not recorded: "
                     r"thread \d+ blocks SIGTRAP$", result.stderr, re.M)


# The size of files, and who reads what is said


LIMITED = r"""
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
int main(int argc, char **argv)
{
    sigset_t set, waiting;
    for (int i = 0; i < 5; i++)
        SDT_PROBE(limited, hit, i);
    if (argc > 1) {
        puts("here");
        fflush(stdout);
        getchar();
    }
    /* A signal that was waiting is the program's. */
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGXFSZ);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    int error = sdt_attachable();
    if (error == 0 && argc <= 1 && argv)
        return 1;
    sigpending(&waiting);
    return sigismember(&waiting, SIGXFSZ) ? 42 : 2;
}
"""


@pytest.mark.parametrize("kib", [0, 82])
@pytest.mark.parametrize("way", ["SDT_ATTACH=1", "SDT_ENABLE=limited:*=count",
                                 "SDT_ENABLE=limited:*=record", "sdt run", "sdt record"])
def test_no_file_may_be_larger_than(sdt, way, kib):
    """Files in memory as well: where one would be, the program is not ended by SIGXFSZ."""
    exe = build(sdt, LIMITED)
    words = [SDT, *way.split()[1:], *(["-o", sdt.path("rec")] if "record" in way else []), "--",
             exe] if way.startswith("sdt") else [exe]
    env = {} if way.startswith("sdt") else dict([way.split("=", 1)], SDT_RECORD=sdt.path("rec"))
    result = sdt.command("bash", "-c", f'ulimit -f {kib}; exec "$@"', "bash", *words, status=None,
                         env=env)
    assert result.returncode == 42, result


def test_a_table_that_is_larger_than_a_file_may_be(sdt):
    """The control page is not."""
    exe = build(sdt, LIMITED)
    with attached.Target("bash", args=["-c", f"ulimit -f 100; exec {exe} wait"]) as target:
        result = ask(sdt, "count", "--keys", "100000", "-p", target.pid, "limited:hit", "by", "i",
                     status=1)
        assert "RLIMIT_FSIZE" in result.stderr, result.stderr
        target.process.communicate("\n")
        assert target.process.returncode == 42


def test_nobody_reads_what_the_library_says(sdt):
    """A message that breaks a pipe, or comes from the background of a terminal that stops such
    programs: the program goes on."""
    exe = build(sdt, LIMITED)
    env = {"SDT_ENABLE": "limited:*=record", "SDT_RECORD": "/proc/nowhere"}
    assert "libsdt" in sdt.command(exe, status=42, env=env).stderr
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen([exe], stderr=writer, env={**os.environ, **env}) as process:
        os.close(writer)
    assert process.returncode == 42
    ours, terminal = pty.openpty()
    modes = termios.tcgetattr(terminal)
    modes[3] |= termios.TOSTOP
    termios.tcsetattr(terminal, termios.TCSANOW, modes)
    script = f"set -m; {exe} & wait $!; echo status $?"
    with subprocess.Popen(["bash", "-c", script], stdin=terminal, stdout=subprocess.PIPE,
                          stderr=terminal, env={**os.environ, **env}, text=True,
                          preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0))
                          ) as process:
        said = patience.wait(process)[0]
    os.close(ours)
    os.close(terminal)
    assert said == "status 42\n"
