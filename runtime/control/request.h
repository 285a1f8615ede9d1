/* SPDX-License-Identifier: BSD-2-Clause */
/* The requests of tools. Only the listener calls this. */
#ifndef SDT_CONTROL_REQUEST_H
#define SDT_CONTROL_REQUEST_H

#include "exchange/page.h"

/* Serve request INDEX of PAGE, which is RUNNING; its answer is in it afterwards. */
void request_serve(struct live_page *page, unsigned index);
/* Close what was given to tools that do not need it any more. */
void request_clean(struct live_page *page);
/* In the child of a fork: what was given to tools belongs to its parent. */
void request_after_fork_child(void);

/* To be called now and then: recorded callers may be in modules that have come since. */
void request_refresh(void);

#endif
