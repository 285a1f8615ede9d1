/* SPDX-License-Identifier: BSD-2-Clause */
/* See forks.h. */
#include "forks.h"

#include "hit/sync.h"
#include "patch/trap.h"
#include "process/lock.h"
#include "process/msan.h"
#include "ring/current.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static const struct tool_hooks *_Atomic tools;

/*
 * glibc's pthread_atfork() is linked into the caller, and says by this symbol whose handlers they
 * are. crtbegin.o defines it; people who run the linker themselves may leave that out. The null
 * pointer stands for the program.
 */
extern void *const program_handle __asm__("__dso_handle")
    __attribute__((weak, visibility("hidden")));
void *const program_handle = NULL;

static void before_fork(void)
{
    MSAN_LOOKS_AWAY;
    const struct tool_hooks *hooks = atomic_load(&tools);
    if (hooks)
        hooks->before_fork(); /* what it waits for takes the lock */
    lock_before_fork();
}

static void after_fork_parent(void)
{
    MSAN_LOOKS_AWAY;
    const struct tool_hooks *hooks = atomic_load(&tools);
    lock_after_fork_parent();
    if (hooks)
        hooks->after_fork_parent();
}

static void after_fork_child(void)
{
    MSAN_LOOKS_AWAY;
    const struct tool_hooks *hooks = atomic_load(&tools);
    sync_after_fork_child();
    lock_after_fork_child();
    trap_know_process();
    recorder_after_fork_child();
    if (hooks)
        hooks->after_fork_child();
}

void forks_prepare(void)
{
    static bool is_prepared;
    if (!is_prepared)
        pthread_atfork(before_fork, after_fork_parent, after_fork_child);
    is_prepared = true;
}

void forks_tell(const struct tool_hooks *hooks)
{
    atomic_store(&tools, hooks);
}

void forks_counters_go(void)
{
    const struct tool_hooks *hooks = atomic_load(&tools);
    if (hooks)
        hooks->counters_go();
}
