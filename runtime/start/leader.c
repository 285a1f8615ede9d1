/* SPDX-License-Identifier: BSD-2-Clause */
/* See leader.h. */
#include "leader.h"

#include "control/attach.h"
#include "copies.h"
#include "patch/trap.h"
#include "process/context.h"
#include "process/early.h"
#include "process/environment.h"
#include "process/loaded.h"
#include "recorder/recorder.h"
#include "report.h"
#include "subscribe/inspect.h"
#include "subscribe/subscribe.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

static int leader_subscribe(const char *pattern, sdt_handler *handler, void *data, int mode)
{
    if (environment_forbids())
        return -EPERM;
    int result = subscribe(pattern, strlen(pattern), handler, data, mode & ~SDT_PENDING,
                           subscribe_needs(mode));
    if (result == -ENOENT && copies_have_other_version())
        result = -EEXIST;
    if (result == -ENOENT || result == -EEXIST)
        report_no_match(pattern);
    return result;
}

static int leader_subscribe_early(const char *pattern, size_t length, sdt_handler *handler,
                                  void *data)
{
    if (environment_forbids())
        return -EPERM;
    return subscribe(pattern, length, handler, data, SDT_MODE_AUTO | SUBSCRIBE_GENERAL_REGS,
                     SUBSCRIBE_ANYHOW);
}

static void leader_add(struct sdt_dso *dso)
{
    subscribe_object_came(dso);
    attach_object_came();
    report_object();
}

/*
 * The program's own text never goes away: when its probes say good-bye, the process is ending, and
 * nothing else will go either. What still hits a probe, in destructors that come later, counts.
 */
static void leader_remove(struct sdt_dso *dso)
{
    static SDT_EARLY atomic_bool is_ending;
    report_last_chance();
    if (loaded_is_program(dso))
        atomic_store(&is_ending, true);
    if (!atomic_load(&is_ending))
        subscribe_object_left(dso);
}

const struct leader_functions leader_functions = {
    .subscribe = leader_subscribe,
    .subscribe_early = leader_subscribe_early,
    .unsubscribe = unsubscribe,
    .foreach = inspect_foreach,
    .hits = inspect_hits,
    .add_object = leader_add,
    .remove_object = leader_remove,
    .recording = &recorder_functions,
    .index_now = subscribe_index_now,
    .attach_start = attach_start,
    .trap_keeper = &trap_keeper,
    .start = leader_start,
    .use_context = context_use,
};
