/* SPDX-License-Identifier: BSD-2-Clause */
/* See scan.h. */
#include "scan.h"

#include "base/memory.h"
#include "base/now.h"
#include "base/sorting.h"
#include "target/process_name.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAUSE_UNWANTED 5 /* seconds */
#define MOST_PAUSE 30
#define MOST_SECONDS 0.5

struct seen {
    pid_t pid;
    char name[PROCESS_COMM]; /* the kernel's, when it was offered */
    enum scan_outcome outcome;
    unsigned tries;
    int64_t next; /* now(): when it is due; 0: at once */
};

static int by_pid(const void *one, const void *other)
{
    pid_t a = ((const struct seen *)one)->pid, b = ((const struct seen *)other)->pid;
    return (a > b) - (a < b);
}

static struct seen *find(const struct scan *scan, pid_t pid)
{
    const struct seen wanted = {.pid = pid};
    return scan->count ? bsearch(&wanted, scan->list, scan->count, sizeof wanted, by_pid) : NULL;
}

/* The list becomes the processes that there are, with what is known of them. */
static void list_all(struct scan *scan)
{
    struct seen *list = NULL;
    size_t count = 0, capacity = 0;
    DIR *entries = opendir("/proc");
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (pid <= 0 || *end || pid == getpid())
            continue;
        const struct seen *before = find(scan, (pid_t)pid);
        list = memory_with_room(list, count, &capacity, sizeof *list);
        list[count++] = before ? *before : (struct seen){.pid = (pid_t)pid};
    }
    if (entries)
        closedir(entries);
    sort_unsorted(list, count, sizeof *list, by_pid);
    free(scan->list);
    scan->list = list;
    scan->count = count;
}

static double pause_after(const struct seen *seen)
{
    if (seen->outcome == SCAN_UNWANTED)
        return PAUSE_UNWANTED;
    return seen->tries < 5 ? 1 << (seen->tries - 1) : MOST_PAUSE;
}

/* Whether it is time to offer SEEN; NAME becomes its name. */
static bool is_due(const struct seen *seen, char name[PROCESS_COMM])
{
    if (seen->outcome == SCAN_TAKEN && seen->tries)
        return false;
    process_comm(seen->pid, name);
    return seen->next <= now() || strcmp(seen->name, name) != 0;
}

static void offer(struct seen *seen, const char *name,
                  enum scan_outcome (*take)(void *data, pid_t pid, bool is_again), void *data)
{
    if (strcmp(seen->name, name) != 0)
        seen->tries = 0;
    seen->outcome = take(data, seen->pid, seen->tries > 0 && seen->outcome == SCAN_REFUSED);
    seen->tries++;
    seen->next = now() + (int64_t)(pause_after(seen) * (double)SECOND);
    snprintf(seen->name, sizeof seen->name, "%s", name);
}

bool scan_look(struct scan *scan, enum scan_outcome (*take)(void *data, pid_t pid, bool is_again),
               void *data)
{
    int64_t began = now();
    bool is_all = true;
    list_all(scan);
    scan->refused = scan->left_out = 0;
    for (size_t i = 0; i < scan->count; i++) {
        struct seen *seen = &scan->list[i];
        char name[PROCESS_COMM];
        bool has_time = seconds_since(began) < MOST_SECONDS;
        if (has_time && is_due(seen, name))
            offer(seen, name, take, data);
        is_all = is_all && has_time;
        scan->refused += seen->outcome == SCAN_REFUSED;
        scan->left_out += seen->outcome == SCAN_FULL;
    }
    return is_all;
}

void scan_release(struct scan *scan, pid_t pid)
{
    struct seen *seen = find(scan, pid);
    if (seen)
        *seen = (struct seen){.pid = pid};
}

void scan_anew(struct scan *scan)
{
    for (size_t i = 0; i < scan->count; i++)
        if (scan->list[i].outcome != SCAN_TAKEN)
            scan->list[i] = (struct seen){.pid = scan->list[i].pid};
}

void scan_free(struct scan *scan)
{
    free(scan->list);
    *scan = (struct scan){0};
}
