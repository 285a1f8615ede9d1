/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Takes from itself what a control page needs, asks for one, prints what sdt_strerror() says of the
 * answer, and waits until its standard input ends. The first argument says what it takes:
 *
 *   files   its last descriptor     size   files of more than 4096 bytes
 *   filter  memfd_create(2), by seccomp
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static void forbid_memfd(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
    const struct rlimit no_more = {3, 3}, small = {4096, 4096};
    if (argc > 1 && strcmp(argv[1], "files") == 0)
        setrlimit(RLIMIT_NOFILE, &no_more);
    if (argc > 1 && strcmp(argv[1], "size") == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &small);
    }
    if (argc > 1 && strcmp(argv[1], "filter") == 0)
        forbid_memfd();
    SDT_PROBE(refused, asked, argc);
    puts(sdt_strerror(sdt_attachable()));
    fflush(stdout);
    while (getchar() != EOF)
        ;
    return 0;
}
