/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copying bytes from file to file, at once or in the background.
 *
 * Nearly all of an object leaves the tool as it came. The copy of it and the search for probe sites
 * both take time in proportion to its size, and one waits for the kernel while the other computes:
 * so they run at the same time.
 */
#ifndef SDTLINK_COPIER_H
#define SDTLINK_COPIER_H

#include <stdint.h>

/* Copy bytes [start, end) of file FROM to file TO, at TARGET. Returns 0, or -1 with errno set. */
int copy_bytes(int from, int to, uint64_t start, uint64_t end, uint64_t target);

/* Start to copy the first SIZE bytes to the same place. The two files must stay open. */
struct copier *copier_start(int from, int to, uint64_t size);
/* Wait until it is done; frees COPIER. Returns 0, or -1 with errno set. */
int copier_join(struct copier *copier);
/* Stop as soon as possible; frees COPIER. */
void copier_cancel(struct copier *copier);

#endif
