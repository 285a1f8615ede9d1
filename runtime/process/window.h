/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Address space for thunks. The thunk of a site lies at its patch byte plus a constant that only
 * depends on the MM in the site's bytes, so the thunks of one object need one range of addresses,
 * its *window*, which is its text shifted by that constant. The range may be in use.
 */
#ifndef SDT_WINDOW_H
#define SDT_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a window is wanted for. */
struct window_need {
    uintptr_t low, high;             /* first and last patch byte with a thunk; 0: none has one */
    uintptr_t reach_low, reach_high; /* where thunks lead: the code of the object itself */
    uint8_t mm;                      /* the one to try first: the sites hold it already */
};

struct window {
    uintptr_t begin;
    size_t size;
    uint8_t mm; /* that the sites must hold */
};

/*
 * Map *WINDOW: read and execute, no memory until something is written to it. Locked.
 * 0; -EADDRINUSE: no place for thunks is free; or the kernel's error for executable pages: -EACCES,
 * -EPERM, -ENOMEM. *WINDOW has size 0 then.
 */
int window_map(const struct window_need *need, struct window *window);
/* Unmap it. No thread may be in it. */
void window_unmap(struct window *window);

#endif
