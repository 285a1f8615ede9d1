/* SPDX-License-Identifier: BSD-2-Clause */
/* See threads.h. */
#include "threads.h"

#include <dirent.h>
#include <signal.h>
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

static void read_thread(pid_t pid, const char *id, struct thread *thread)
{
    FILE *file = open_file(pid, id, "comm");
    if (!file || !fgets(thread->name, sizeof thread->name, file))
        snprintf(thread->name, sizeof thread->name, "?");
    thread->name[strcspn(thread->name, "\n")] = '\0';
    thread->id = (pid_t)strtol(id, NULL, 10);
    if (file)
        fclose(file);
}

/* Go through the threads of PID until IS_IT says yes of one, which is *THREAD then. Whether it has;
 * IF_HIDDEN, where they cannot be seen. */
static bool find(pid_t pid, struct thread *thread,
                 bool (*is_it)(pid_t pid, const char *id, const void *data), const void *data,
                 bool if_hidden)
{
    char path[64];
    bool is_found = false;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    if (!tasks)
        return if_hidden;
    for (struct dirent *entry; !is_found && (entry = readdir(tasks));) {
        if (entry->d_name[0] == '.')
            continue;
        is_found = is_it(pid, entry->d_name, data);
        if (is_found)
            read_thread(pid, entry->d_name, thread);
    }
    closedir(tasks);
    return is_found;
}

static bool has_name(pid_t pid, const char *id, const void *name)
{
    struct thread thread;
    read_thread(pid, id, &thread);
    return strcmp(thread.name, name) == 0;
}

bool threads_have(pid_t pid, const char *name)
{
    struct thread thread;
    return find(pid, &thread, has_name, name, true);
}

static bool blocks_trap(pid_t pid, const char *id, const void *data)
{
    char line[256];
    bool blocks = false;
    (void)data;
    FILE *file = open_file(pid, id, "status");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "SigBlk:", 7) == 0)
            blocks = strtoull(line + 7, NULL, 16) >> (SIGTRAP - 1) & 1;
    if (file)
        fclose(file);
    return blocks;
}

bool threads_block_trap(pid_t pid, struct thread *thread)
{
    return find(pid, thread, blocks_trap, NULL, false);
}
