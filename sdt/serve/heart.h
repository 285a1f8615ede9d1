/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The beat of all sessions, in a thread of its own: a process ends a session whose tool does not
 * stir for a second and a half. Meanwhile sdt serve may wait for another process, which is stopped,
 * or read the debug information of a large one.
 */
#ifndef SDT_HEART_H
#define SDT_HEART_H

#include "target/attach.h"

/* Start the thread. -1: after a message. */
int heart_begin(void);
void heart_end(void);
/* Beat for PROCESS, which has a session, from now on; and no more. */
void heart_add(struct attached *process);
void heart_remove(const struct attached *process);

#endif
