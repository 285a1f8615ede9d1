/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live_request PID PATTERN ROUNDS: how long a process takes to count hits of a pattern, and to end
 * that, from the moment that a tool's request is posted until its answer is there, in nanoseconds.
 * The protocol is that of docs/live.md; what a tool does before and after is no part of it.
 */
#define _GNU_SOURCE
#include "now.h"

#include <dirent.h>
#include <exchange/page.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct live_page *page;

static struct live_page *find_page(const char *pid)
{
    char directory[64], link[320], name[64];
    snprintf(directory, sizeof directory, "/proc/%s/fd", pid);
    DIR *entries = opendir(directory);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        snprintf(link, sizeof link, "%s/%s", directory, entry->d_name);
        ssize_t n = readlink(link, name, sizeof name - 1);
        name[n > 0 ? n : 0] = '\0';
        if (strcmp(name, "/memfd:" LIVE_PAGE_NAME " (deleted)") != 0)
            continue;
        int fd = open(link, O_RDWR | O_CLOEXEC);
        void *found = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (fd >= 0 && found != MAP_FAILED)
            return found;
    }
    fprintf(stderr, "process %s has no control page\n", pid);
    exit(1);
}

static void ring(void)
{
    atomic_fetch_add(&page->bell, 1);
    syscall(SYS_futex, &page->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static int32_t ask(uint32_t op, const char *text, uint64_t argument, const char *what)
{
    struct live_request *request = &page->requests[0];
    request->op = op;
    request->session = atomic_load(&page->sessions[0].id);
    request->argument = argument;
    request->flags = request->program_size = 0;
    snprintf(request->text, sizeof request->text, "%s", text);
    double start = now();
    atomic_store(&request->state, LIVE_POSTED);
    ring();
    for (uint32_t state; (state = atomic_load(&request->state)) != LIVE_DONE;)
        syscall(SYS_futex, &request->state, FUTEX_WAIT, state, NULL, NULL, 0);
    printf("%s %.0f\n", what, now() - start);
    int32_t result = request->result;
    atomic_store(&request->state, LIVE_FREE);
    atomic_fetch_add(&page->sessions[0].beat, 1);
    return result;
}

int main(int argc, char **argv)
{
    uint64_t nobody = 0;
    if (argc != 4)
        return 2;
    page = find_page(argv[1]);
    if (!atomic_compare_exchange_strong(&page->sessions[0].id, &nobody, (uint64_t)getpid()))
        return 1;
    for (int i = 0; i < atoi(argv[3]); i++) {
        int32_t id = ask(LIVE_ENABLE, argv[2], 0, "enable");
        if (id <= 0 || ask(LIVE_DISABLE, "", (uint64_t)id, "disable") < 0) {
            fprintf(stderr, "%d: %s\n", id, page->requests[0].message);
            return 1;
        }
    }
    atomic_store(&page->sessions[0].id, 0);
    ring();
    return 0;
}
