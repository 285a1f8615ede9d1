/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stock binaries: objects with notes of <sys/sdt.h> that sdtlink has not seen. Only if the
 * environment asks for it (SDT_STOCK, which `sdt run` sets).
 */
#ifndef SDT_STOCK_H
#define SDT_STOCK_H

#include <stddef.h>

/* Examine the objects that are loaded, now and from now on. Before main. */
void stock_start(void);
/* What was found at the start. */
struct stock_tally {
    size_t objects, sites, skipped; /* skipped: notes that cannot be sites */
};
struct stock_tally stock_tally(void);

#endif
