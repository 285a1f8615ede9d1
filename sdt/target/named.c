/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See named.h. Nothing tells of a new process but /proc, unless one is root; so its names are
 * searched twice a second. What a process does before it is found is missed.
 */
#include "named.h"

#include "base/diag.h"
#include "base/now.h"
#include "command/command.h"
#include "interrupt.h"
#include "search.h"

#include <poll.h>
#include <stdio.h>

#define LOOK_SECONDS 0.5

/* Those in SEARCH; a status. The first of them may be the first of TARGET. */
static int open_found(struct target *target, const struct search *search)
{
    int status = processes_first(target, search->found[0]);
    for (size_t i = 1; i < search->count && status == STATUS_DONE; i++)
        processes_other(target, search->found[i]);
    return status;
}

static bool open_new(struct target *target)
{
    struct search search;
    bool is_any = false;
    search_all(target->who, &search);
    for (size_t i = 0; i < search.count && !is_any; i++)
        is_any = processes_quietly(&target->process, search.found[i]);
    search_free(&search);
    target->process.is_late = is_any;
    return is_any;
}

static int wait_for_first(struct target *target)
{
    struct pollfd wait = {.fd = interrupt_descriptor(), .events = POLLIN};
    fprintf(stderr, "sdt: waiting for an attachable process '%s'\n", target->who);
    while (!open_new(target))
        if (poll(&wait, 1, (int)(LOOK_SECONDS * 1000)) > 0 && interrupt_is_ours(&target->started)) {
            diag_error("no attachable process '%s' has come", target->who);
            return STATUS_NOTHING;
        }
    return STATUS_DONE;
}

int named_open(struct target *target)
{
    struct search search;
    enum search_wanted wanted = target->restarts    ? SEARCH_ANY
                                : target->takes_all ? SEARCH_SOME
                                                    : SEARCH_ONE;
    int status = STATUS_FAILED;
    target->looked = now();
    if (search_attachable(target->who, wanted, &search))
        status = search.count ? open_found(target, &search) : wait_for_first(target);
    search_free(&search);
    return status;
}

bool named_look(struct target *target)
{
    struct search search;
    bool is_any = false;
    if (!target->restarts || seconds_since(target->looked) < LOOK_SECONDS)
        return false;
    target->looked = now();
    search_all(target->who, &search);
    for (size_t i = 0; i < search.count; i++) {
        bool is_known = processes_find(target, search.found[i]);
        struct attached *process = is_known ? NULL : processes_other(target, search.found[i]);
        if (process)
            is_any = process->is_late = true;
    }
    search_free(&search);
    return is_any;
}
