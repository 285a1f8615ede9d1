/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt_enable() and sdt_enable_mode(): arguments checked, work passed on (api.c). They are in a file
 * of their own, since a program that names one of them prepares for it at its start (prepare.h),
 * and other programs with probes do not.
 */
#include "prepare.h"
#include "process/msan.h"
#include "rendezvous.h"
#include "subscribe/subscribe.h"

#include <errno.h>
#include <sdt/runtime.h>
#include <stdlib.h>

/* ---- The program's handlers under MemorySanitizer, which does not see what we pass them. ---- */

struct handler {
    sdt_handler *function;
    void *data;
};

static void call_handler(const struct sdt_event *event, void *data)
{
    const struct handler *handler = data;
    msan_knows_parameters(2);
    handler->function(event, handler->data);
}

/* Have *HANDLER called by call_handler(). It stays for good: a hit may be on its way to it. */
static void announce(sdt_handler **handler, void **data)
{
    struct handler *announced = msan_is_there() ? malloc(sizeof *announced) : NULL;
    if (!announced)
        return;
    *announced = (struct handler){*handler, *data};
    *handler = call_handler;
    *data = announced;
}

/* ---- The functions. ---- */

int sdt_enable_mode(const char *pattern, sdt_handler *handler, void *data, int mode)
{
    MSAN_LOOKS_AWAY;
    const struct leader_functions *leader;
    prepare_to_enable();
    int error = rendezvous(&leader);
    if (!subscribe_accepts(pattern, handler, mode))
        return -EINVAL;
    if (error)
        return error;
    if (handler != SDT_COUNT && !(mode & SDT_GENERAL_REGS))
        announce(&handler, &data);
    return leader->subscribe(pattern, handler, data, mode);
}

int sdt_enable(const char *pattern, sdt_handler *handler, void *data)
{
    return sdt_enable_mode(pattern, handler, data, SDT_MODE_AUTO);
}
