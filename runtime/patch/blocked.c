/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See trap.h. Which thread keeps SIGTRAP from being delivered, as /proc has it. A file of its own,
 * since it is the part of traps that no signal handler runs (hit_sources in CMakeLists.txt).
 */
#define _GNU_SOURCE
#include "trap.h"

#include "shared/number.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* What a thread's signal mask says. */
enum blocking { BLOCKS_NOT, BLOCKS_FOR_A_MOMENT, BLOCKS_PERHAPS, BLOCKS };

#define BIT(number) (1ull << ((number)-1))
/* Signals of the C library's own; programs cannot block them: sigprocmask() leaves them out. */
#define INTERNAL (BIT(32) | BIT(33))
/* Every signal that can be blocked but those and SIGSYS. */
#define OF_SANITIZERS (~(INTERNAL | BIT(SIGSYS) | BIT(SIGKILL) | BIT(SIGSTOP)))

/*
 * The C library also blocks its own signals for a moment: both when it starts a thread or runs a
 * program, and one of them when a thread ends (nptl/pthread_create.c of glibc). That thread runs no
 * probes then. But it hardly ever sleeps: one that does may be the program's, which has made the
 * system call itself.
 *
 * Under gcc 14's AddressSanitizer a thread starts with a mask without those two, which a program
 * could have set as well: it gets the time to go, and if it stays, it is the program's.
 */
static enum blocking classify(unsigned long long mask, bool is_asleep)
{
    if (mask & INTERNAL)
        return is_asleep && (mask & BIT(SIGTRAP)) ? BLOCKS_PERHAPS : BLOCKS_FOR_A_MOMENT;
    if (mask == OF_SANITIZERS)
        return BLOCKS_PERHAPS;
    return mask & BIT(SIGTRAP) ? BLOCKS : BLOCKS_NOT;
}

static enum blocking blocking_of(const char *task)
{
    char line[256], path[64];
    enum blocking blocking = BLOCKS_NOT;
    bool is_asleep = false;
    snprintf(path, sizeof path, "/proc/self/task/%.20s/status", task);
    FILE *status = fopen(path, "re");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "State:\tS", 8) == 0)
            is_asleep = true;
        else if (strncmp(line, "SigBlk:", 7) == 0)
            blocking = classify(number_read(line + 7, NULL, 16), is_asleep);
    if (status)
        fclose(status);
    return blocking;
}

/* The same, when a mask that may be the library's has had time to go: a mask that it sets for a
 * moment will do after some milliseconds, but one that may be the program's as well must go, and a
 * thread that has to wait for a processor keeps it. */
static enum blocking settled(const char *task)
{
    enum { MOMENT = 50, LONGER = 1000 }; /* polls */
    const struct timespec pause = {.tv_nsec = 100000};
    enum blocking seen = blocking_of(task);
    for (int i = 0;
         (seen == BLOCKS_FOR_A_MOMENT && i < MOMENT) || (seen == BLOCKS_PERHAPS && i < LONGER);
         i++) {
        nanosleep(&pause, NULL);
        seen = blocking_of(task);
    }
    return seen;
}

/* The thread that last kept a breakpoint from being set; 0: none since it was last read. */
static atomic_int blocker;

/* Whether SIGTRAP is blocked in any thread. Each is waited for by itself: where threads come and go
 * all the time, there is always another one that has just started. */
bool trap_is_blocked(void)
{
    sigset_t mask;
    int found = 0;
    if (pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGTRAP))
        found = (int)syscall(SYS_gettid);
    DIR *tasks = found ? NULL : opendir("/proc/self/task");
    for (struct dirent *entry; tasks && !found && (entry = readdir(tasks));)
        if (entry->d_name[0] != '.' && settled(entry->d_name) >= BLOCKS_PERHAPS)
            found = (int)number_read(entry->d_name, NULL, 10);
    if (tasks)
        closedir(tasks);
    if (found)
        atomic_store(&blocker, found);
    return found != 0;
}

int trap_take_blocker(void)
{
    return atomic_exchange(&blocker, 0);
}

/* /proc/self/task has one link for each thread, beside its own two. */
bool trap_has_one_thread(void)
{
    struct stat tasks;
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}
