/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See numbers.h. The kernel tells each process's numbers in all namespaces from here inwards, so
 * those that run can be found by the last one. The answers are kept: what was shown as a row stays
 * that row, whatever ends or begins.
 */
#include "numbers.h"

#include "base/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct known {
    uint64_t inside, outside; /* 0: was not found */
    bool is_thread;
};

static struct known *all;
static size_t count;

uint32_t numbers_own(const char *status)
{
    char line[256];
    uint32_t number = 0;
    FILE *file = fopen(status, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "NSpid:", 6) == 0) {
            const char *last = strrchr(line, '\t');
            number = last ? (uint32_t)strtoul(last, NULL, 10) : 0;
        }
    if (file)
        fclose(file);
    return number;
}

/* As in space.h: of process WHO, a number or "self". 0: unknown. */
static uint64_t space_of(const char *who)
{
    char path[320];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%s/ns/pid", who);
    return stat(path, &status) == 0 ? (uint64_t)(status.st_ino & UINT32_MAX) << 32 : 0;
}

static uint64_t own_space(void)
{
    static uint64_t own;
    return own ? own : (own = space_of("self"));
}

static uint64_t keep(uint64_t inside, bool is_thread, uint64_t outside)
{
    all = memory_resize(all, count + 1, sizeof *all);
    all[count++] = (struct known){inside, outside, is_thread};
    return outside;
}

static const struct known *find(uint64_t inside, bool is_thread)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].inside == inside && all[i].is_thread == is_thread)
            return &all[i];
    return NULL;
}

static void learn(uint64_t inside, bool is_thread, uint64_t outside)
{
    if ((uint32_t)inside && !find(inside, is_thread))
        keep(inside, is_thread, outside);
}

static bool is_number(const struct dirent *entry)
{
    return entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
}

/* Process WHO, which is in SPACE, and its threads. */
static void learn_process(const char *who, uint64_t space)
{
    char path[600];
    snprintf(path, sizeof path, "/proc/%s/status", who);
    learn(space | numbers_own(path), false, strtoul(who, NULL, 10));
    snprintf(path, sizeof path, "/proc/%s/task", who);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads && (entry = readdir(threads));) {
        snprintf(path, sizeof path, "/proc/%s/task/%s/status", who, entry->d_name);
        if (is_number(entry))
            learn(space | numbers_own(path), true, strtoul(entry->d_name, NULL, 10));
    }
    if (threads)
        closedir(threads);
}

void numbers_note(pid_t pid)
{
    char who[16];
    snprintf(who, sizeof who, "%d", (int)pid);
    uint64_t space = space_of(who);
    if (space && space != own_space())
        learn_process(who, space);
}

/* Each that is not found costs a search of all processes; what a process says may be anything. */
static uint64_t search(uint64_t inside, bool is_thread)
{
    enum { MOST = 256 };
    static unsigned failures;
    if (failures < MOST) {
        uint64_t space = inside >> 32 << 32;
        DIR *processes = opendir("/proc");
        for (struct dirent *entry; processes && (entry = readdir(processes));)
            if (is_number(entry) && space_of(entry->d_name) == space)
                learn_process(entry->d_name, space);
        if (processes)
            closedir(processes);
    }
    const struct known *known = find(inside, is_thread);
    failures += !known;
    return known ? known->outside : keep(inside, is_thread, 0);
}

uint64_t numbers_outside(uint64_t inside, bool is_thread)
{
    uint64_t space = inside >> 32 << 32;
    if (space == 0 || space == own_space())
        return inside - space;
    const struct known *known = find(inside, is_thread);
    return known ? known->outside : search(inside, is_thread);
}
