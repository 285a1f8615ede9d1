/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach ADDRESS CYCLES: how long one counting uprobe on that (linked) address takes to attach and
 * to detach, in nanoseconds.
 */
#define _GNU_SOURCE
#include "now.h"
#include "uprobe.h"

#include <stdlib.h>
#include <sys/sdt.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    for (int i = 0; i < atoi(argv[2]); i++) {
        double start = now();
        int fd = uprobe_open(strtoul(argv[1], NULL, 16));
        double attached = now();
        if (fd < 0) {
            perror("uprobe");
            return 1;
        }
        close(fd);
        printf("enable %.0f\ndisable %.0f\n", attached - start, now() - attached);
    }
    DTRACE_PROBE(attach, site);
    return 0;
}
