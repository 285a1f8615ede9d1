/* SPDX-License-Identifier: BSD-2-Clause */
/* Being told by the dynamic loader of what it loads and unloads, as debuggers are. */
#ifndef SDT_STOCK_LOADER_H
#define SDT_STOCK_LOADER_H

/* What it is doing: RT_CONSISTENT, RT_ADD or RT_DELETE of <link.h>; -1: unknown. */
int loader_state(void);

/*
 * Have it call CHANGED, for ever, before and after each change of its list of objects, with that
 * state. Locked. 0, or an error: nothing was changed, and it may be tried again.
 */
int loader_watch(void (*changed)(int state));

#endif
