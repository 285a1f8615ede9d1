/* SPDX-License-Identifier: BSD-2-Clause */
/* See subscribe.h: what must be ready before tools may attach. */
#include "forks.h"
#include "hit/counters.h"
#include "hit/sync.h"
#include "patch/trap.h"
#include "process/lock.h"
#include "subscribe.h"

int subscribe_prepare(const struct tool_hooks *hooks)
{
    int error = lock_acquire();
    if (error)
        return error;
    forks_prepare();
    counters_share();
    sync_register();
    trap_keep_for_good();
    forks_tell(hooks);
    lock_release();
    return 0;
}
