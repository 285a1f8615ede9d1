/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Diverting threads from a foreign function that does nothing: the one that the dynamic linker
 * calls for debuggers (stock/loader.h).
 */
#ifndef SDT_DIVERT_H
#define SDT_DIVERT_H

#include "resolve.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Divert every thread that comes to PLACE, the `ret` that some function begins with, to FUNCTION,
 * for ever. Padding must follow the `ret`. Locked; only once. 0, or an error, and nothing was
 * changed.
 */
int divert_function(uintptr_t place, void (*function)(void));
/* So many calls at most. */
#define DIVERT_CALLS RESOLVE_PLACES
/* Divert the N CALLS of such a function, in order of addresses, to TARGET, which they reach: all or
 * none. Locked. 0 or an error. */
int divert_calls(const uintptr_t *calls, size_t n, uintptr_t target);
/* Divert the N CALLS, of LENGTH bytes each, to FUNCTION, which may be anywhere: each becomes a
 * breakpoint. All or none. Locked; only once. 0 or an error. */
int divert_calls_by_trap(const uintptr_t *calls, size_t n, size_t length, void (*function)(void));

#endif
