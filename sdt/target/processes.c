/* SPDX-License-Identifier: BSD-2-Clause */
#include "processes.h"

#include "base/memory.h"
#include "command/command.h"

#include <stdlib.h>

size_t target_count(const struct target *target)
{
    return 1 + target->other_count;
}

struct attached *target_at(struct target *target, size_t i)
{
    return i == 0 ? &target->process : target->others[i - 1];
}

bool target_is_there(struct target *target, size_t i)
{
    const struct attached *process = target_at(target, i);
    return process->page && attach_is_there(process);
}

int processes_first(struct target *target, pid_t pid)
{
    /* One that has said at its gate that it has no page may have ended since. */
    int result = target->started.problem ? ATTACH_NONE : attach_open(&target->process, pid);
    if (result == 0)
        return attach_begin(&target->process) == 0 ? STATUS_DONE : STATUS_FAILED;
    attach_explain(pid, result, &target->process, target->started.problem);
    return STATUS_FAILED;
}

/* Begin a session with PROCESS, which may end meanwhile without that being an error. */
static bool begin_quietly(struct attached *process)
{
    process->is_late = true;
    bool has_begun = attach_begin(process) == 0;
    process->is_late = false;
    return has_begun;
}

bool processes_quietly(struct attached *process, pid_t pid)
{
    if (attach_open(process, pid) == 0 && begin_quietly(process))
        return true;
    if (process->page)
        attach_pass(process);
    attach_close(process);
    return false;
}

static void forget_last(struct target *target)
{
    free(target->others[--target->other_count]);
}

struct attached *processes_other(struct target *target, pid_t pid)
{
    struct attached *process = memory_zeroed(1, sizeof *process);
    target->others = memory_resize(target->others, target->other_count + 1, sizeof *target->others);
    target->others[target->other_count++] = process;
    if (processes_quietly(process, pid))
        return process;
    forget_last(target);
    return NULL;
}

struct attached *processes_find(struct target *target, pid_t pid)
{
    for (size_t i = 0; i < target_count(target); i++) {
        struct attached *process = target_at(target, i);
        if (process->page && process->pid == pid && attach_is_there(process))
            return process;
    }
    return NULL;
}

void processes_close_all(struct target *target)
{
    attach_close(&target->process);
    for (; target->other_count; forget_last(target))
        attach_close(target->others[target->other_count - 1]);
    free(target->others);
    target->others = NULL;
}
