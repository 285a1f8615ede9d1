/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Takes from itself what a control page needs, asks for one, prints what sdt_strerror() says of the
 * answer, and waits until its standard input ends. The first argument says what it takes:
 *
 *   files   its last descriptor     size   files of more than 4096 bytes
 *   filter  memfd_create(2), by seccomp
 */
#include "seccomp.h"

#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

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
        seccomp_forbid(SYS_memfd_create, 0, SECCOMP_RET_ERRNO | 1 /* EPERM */);
    SDT_PROBE(refused, asked, argc);
    puts(sdt_strerror(sdt_attachable()));
    fflush(stdout);
    while (getchar() != EOF)
        ;
    return 0;
}
