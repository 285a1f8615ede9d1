/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Executables and libraries that have probes and did not register them with this runtime.
 */
#ifndef SDT_STRAY_H
#define SDT_STRAY_H

#include <stddef.h>
#include <stdint.h>

enum { STRAY_MAX = 16 };

struct stray {
    uintptr_t low, high; /* its segments lie in [low, high) */
    char name[80];       /* of its file, without directory; "": the program itself */
};

/* Objects that refer to __sdt_register: up to STRAY_MAX of them into FOUND; how many. No lock. */
size_t stray_candidates(struct stray *found);

#endif
