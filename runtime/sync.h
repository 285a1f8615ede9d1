/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Readers, grace periods and barriers: when may memory that a probe hit might be using be freed?
 *
 * Every probe hit and every trap is a *reader section*. A writer unpublishes something, calls
 * sync_wait(), and may then free it: every section that could have seen it has ended. This is
 * userspace RCU in its "memb" flavour: the reader pays two plain stores; the writer makes them
 * visible with one membarrier(2). liburcu itself was not used because its threads must register
 * before their first section, and a probe can be hit by a thread that nobody told about us.
 */
#ifndef SDT_SYNC_H
#define SDT_SYNC_H

#include <stdbool.h>

struct reader;

/* Make ready: register for membarrier, make the thread-exit key. First enable; locked. */
void sync_start(void);

/*
 * Begin and end a section; sections nest. Async-signal-safe, no locks, no malloc. sync_enter()
 * returns NULL if no record could be had (out of memory): there is then no section.
 */
struct reader *sync_enter(void);
void sync_leave(struct reader *reader);

/* Whether the calling thread is inside a handler, and the marks around the handlers of one hit. */
bool sync_in_handler(void);
bool sync_begin_handlers(struct reader *reader); /* false: this thread is in a handler already */
void sync_end_handlers(struct reader *reader);

/* End all sections of the calling thread: a forced unwinding is leaving a handler for good. */
void sync_abandon(void);

/* Wait until every section that exists now has ended. Not locked; never inside a handler. */
void sync_wait(void);

/* Make all threads see the text as it is now. */
void sync_text(void);

/* In the child of a fork: only the calling thread is left. */
void sync_after_fork_child(void);

#endif
