/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See selector.h. /proc/PID/cgroup has a line for each hierarchy, `NUMBER:CONTROLLERS:PATH`; with
 * version 2, there is one. A pattern is compared with each part of the path, since what stands
 * above a container differs from one runtime to the next: docker-ID.scope, cri-containerd-ID.scope.
 */
#include "selector.h"

#include "target/process_name.h"

#include <shared/pattern.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool selector_is_name(const char *name)
{
    return !strpbrk(name, "*?[\\");
}

static bool has_part(char *path, const char *glob)
{
    char *rest = path;
    for (char *part; (part = strsep(&rest, "/\n"));)
        if (*part && pattern_glob(glob, part))
            return true;
    return false;
}

static bool is_in_group(pid_t pid, const char *glob)
{
    char path[64], line[4096];
    bool is_found = false;
    snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
    FILE *file = fopen(path, "re");
    while (file && !is_found && fgets(line, sizeof line, file)) {
        char *group = strstr(line, ":/"); /* controllers have neither colon nor slash */
        is_found =
            group && (pattern_glob(glob, strtok(group + 1, "\n")) || has_part(group + 1, glob));
    }
    if (file)
        fclose(file);
    return is_found;
}

static bool is_of_user(pid_t pid, uid_t user)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    return stat(path, &status) == 0 && status.st_uid == user;
}

bool selector_fits(const struct selector *selector, pid_t pid)
{
    const char *name = selector->name;
    if (selector->has_user && !is_of_user(pid, selector->user))
        return false;
    if (name &&
        !(selector_is_name(name) ? process_is_called(pid, name) : process_matches(pid, name)))
        return false;
    return !selector->cgroup || is_in_group(pid, selector->cgroup);
}
