# SPDX-License-Identifier: BSD-2-Clause
"""A program that is looked into lives on as it would without us, and the tool says what is wrong:
threads that are killed, limits, signals that are blocked."""
import subprocess

import looking
import patience
import pytest
from looking import SDT, ask

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
    with looking.Target(exe) as target:
        result = ask(sdt, "count", "killed:*", "-p", target.pid, status=1)
        assert (f"process {target.pid} (a.out) does not answer: its thread sdt-listener has been "
                "killed, as a seccomp filter may do; restart the program\n") in result.stderr
        target.process.communicate("\n")
        assert target.process.returncode == 42
