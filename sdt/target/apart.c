/* SPDX-License-Identifier: BSD-2-Clause */
#include "apart.h"

#include <stdio.h>
#include <sys/stat.h>

/* Whether NAME below /proc/PID is something else than OURS. */
static bool differs(pid_t pid, const char *name, const char *ours)
{
    char path[64];
    struct stat theirs, own;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return stat(path, &theirs) == 0 && stat(ours, &own) == 0 &&
           (theirs.st_dev != own.st_dev || theirs.st_ino != own.st_ino);
}

bool apart_is(pid_t pid)
{
    return differs(pid, "ns/mnt", "/proc/self/ns/mnt") || differs(pid, "root", "/");
}
