/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread that serves the requests in a control page. */
#ifndef SDT_CONTROL_LISTENER_H
#define SDT_CONTROL_LISTENER_H

#include "exchange/page.h"

#include <stdbool.h>

/* 0 or an error. PAGE stays. IS_CHILD: of a fork, where what is followed goes on. */
int listener_start(struct live_page *page, bool is_child);

/* Around fork(): it waits, for a limited time, for the request that is being processed. */
void listener_before_fork(void);
void listener_after_fork_parent(void);
void listener_after_fork_child(void);

#endif
