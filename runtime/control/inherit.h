/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sessions that a child of fork(2) has inherited from its parent or another ancestor (LIVE_FOLLOW):
 * what they have requested continues in the child, in the same tables. The page in which the tool
 * has its session tells how long: it stays mapped here, whether its process lives or not.
 *
 * The mapping also tells the tool whether any process is left: the page's file is locked as long as
 * some process has it mapped (attach.c).
 */
#ifndef SDT_CONTROL_INHERIT_H
#define SDT_CONTROL_INHERIT_H

#include "exchange/page.h"

#include <stdbool.h>

/* In the child of a fork, whose parent had PAGE. False: SESSION is over, or there is no room. */
bool inherit_take(struct live_page *page, uint64_t session);
bool inherit_has(uint64_t session);
/* Whether PAGE is that of any such session. */
bool inherit_needs(const struct live_page *page);

/* A session that is over, at time NOW (ms), or 0. */
uint64_t inherit_over(int64_t now);
/* Of SESSION nothing is left here; its page is unmapped, if no other needs it. */
void inherit_end(uint64_t session);
/* Any session; 0: there is none. */
uint64_t inherit_any(void);

#endif
