/* SPDX-License-Identifier: BSD-2-Clause */
/* See snapshot.h. The word is in shared memory: so is the futex, for forked children and others. */
#define _GNU_SOURCE
#include "snapshot.h"

#include "ring/condition.h"
#include "ring/conditional.h"
#include "ring/hit.h"

#include "process/fault.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct trigger {
    const struct rings *rings;
    struct ring_file *file;
    struct condition condition;
};

struct trigger *snapshot_trigger(const char *condition, const struct rings *rings,
                                 struct ring_file *file, int *error)
{
    struct trigger *trigger = malloc(sizeof *trigger);
    *error = trigger ? condition_parse(condition, &trigger->condition) : -ENOMEM;
    if (*error) {
        free(trigger);
        return NULL;
    }
    trigger->rings = rings;
    trigger->file = file;
    return trigger;
}

void snapshot_wake(struct ring_file *file)
{
    syscall(SYS_futex, &file->wanted, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* The caller of handlers keeps errno. */
void snapshot_hit(const struct sdt_event *event, void *data)
{
    const struct trigger *trigger = data;
    const struct ring_file *file = trigger->file;
    if (!atomic_load_explicit(&trigger->rings->is_on, memory_order_relaxed) ||
        atomic_load_explicit(&file->wanted, memory_order_relaxed) ||
        !condition_holds(&trigger->condition, event, trigger->rings))
        return;
    conditional_snapshot(trigger->rings, event, 0);
}

void snapshot_wait(struct ring_file *file, long nanoseconds)
{
    const struct timespec most = {.tv_nsec = nanoseconds};
    syscall(SYS_futex, &file->wanted, FUTEX_WAIT, 0, &most, NULL, 0);
}

void snapshot_done(struct ring_file *file, bool is_written)
{
    if (is_written)
        atomic_fetch_add(&file->snapshots, 1);
    ring_forget_snapshot(file);
}
