/* SPDX-License-Identifier: BSD-2-Clause */
/* What the environment says; see <sdt/runtime.h>. */
#ifndef SDT_ENVIRONMENT_H
#define SDT_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/* The value of a variable; NULL: it is not set, empty, or not ours to read. */
const char *environment_value(const char *name);
/* SDT_DISABLE_RUNTIME: nothing may ever be armed. */
bool environment_forbids(void);
/* SDT_UNLOCK_TEXT: text may be writable and executable while many sites are written. */
bool environment_allows_unlocking(void);
/* SDT_LOCK_TEXT: text may never be writable and executable. */
bool environment_locks_text(void);
/* SDT_STOCK: make sites of the notes of objects that sdtlink has not seen. */
bool environment_wants_stock(void);
/* Whether sites may be armed from outside: SDT_ENABLE, SDT_ATTACH or SDT_STOCK is set. */
bool environment_may_arm(void);
/* SDT_DEBUG: say what was done. */
bool environment_debugs(void);
/*
 * How much of ENTRY, a `pattern=consumer` of SDT_ENABLE, is the pattern, and, unless that is NULL,
 * whether its consumer is `record`; 0: it is malformed.
 */
size_t environment_pattern_length(const char *entry, size_t length, bool *records);

#endif
