/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls of functions as a tree: which are open in each thread, one below the other, and what each
 * path of calls has taken, in a table of LIVE_CALLS (exchange/table.h).
 *
 * LIVE_ENTER puts a call on its thread's stack, with its frame, the time and the row of its path;
 * LIVE_LEAVE takes it off. Frames are stack pointers, so those of calls that are open one below the
 * other go down. A frame that is not below the topmost open call's says that this call has ended
 * without a return, by an exception or longjmp(): it is dropped and counted, and no call is paired
 * with the end of another one.
 *
 * Open calls are in memory of the process alone, and not in the table, which is shared with the
 * tool, and with children of fork(): a child goes on with a copy of its thread's calls.
 */
#ifndef SDT_BYTECODE_CALLS_H
#define SDT_BYTECODE_CALLS_H

#include <sdt/runtime.h>
#include <stddef.h>

struct calls;

/* Bytes, all zero, for the open calls of one table. */
size_t calls_size(void);

/* Handlers, of general registers only; DATA is a struct live_aggregation. */
void calls_enter(const struct sdt_event *event, void *data);
void calls_leave(const struct sdt_event *event, void *data);

#endif
