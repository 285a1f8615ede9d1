/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Diverting threads from a function of somebody else's that does nothing: the one that the dynamic
 * linker calls for debuggers (stock/loader.h).
 */
#ifndef SDT_DIVERT_H
#define SDT_DIVERT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Divert every thread that comes to PLACE, the `ret` that some function begins with, to FUNCTION,
 * for ever. Padding must follow the `ret`. Locked; only once. 0, or an error, and nothing was
 * changed.
 */
int divert_function(uintptr_t place, void (*function)(void));
/* Divert the N CALLS of such a function, in order of addresses, to TARGET, which they reach: all or
 * none. Locked. 0 or an error. */
int divert_calls(const uintptr_t *calls, size_t n, uintptr_t target);

#endif
