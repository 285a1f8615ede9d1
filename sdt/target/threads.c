/* SPDX-License-Identifier: BSD-2-Clause */
/* See threads.h. */
#include "threads.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file WHAT of thread ID, or NULL. */
static FILE *open_file(pid_t pid, const char *id, const char *what)
{
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task/%s/%s", (int)pid, id, what);
    return fopen(path, "re");
}

static void read_name(pid_t pid, const char *id, struct thread *thread)
{
    FILE *file = open_file(pid, id, "comm");
    if (!file || !fgets(thread->name, sizeof thread->name, file))
        snprintf(thread->name, sizeof thread->name, "?");
    thread->name[strcspn(thread->name, "\n")] = '\0';
    thread->id = (pid_t)atoi(id);
    if (file)
        fclose(file);
}

bool threads_have(pid_t pid, const char *name)
{
    char path[64];
    struct thread thread = {0};
    bool has = false;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    if (!tasks)
        return true;
    for (struct dirent *entry; !has && (entry = readdir(tasks));) {
        if (entry->d_name[0] == '.')
            continue;
        read_name(pid, entry->d_name, &thread);
        has = strcmp(thread.name, name) == 0;
    }
    closedir(tasks);
    return has;
}
