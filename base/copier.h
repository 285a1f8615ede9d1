/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copying bytes from file to file, at once or in the background.
 *
 * Most of an object leaves the tool unchanged. Copying it and searching for probe sites both take
 * time in proportion to its size, and one waits for the kernel while the other computes: so they
 * run in parallel.
 */
#ifndef SDT_BASE_COPIER_H
#define SDT_BASE_COPIER_H

#include <stddef.h>
#include <stdint.h>

/* Bytes [start, end) of a file. */
struct byte_range {
    uint64_t start, end;
};

/* Copy BYTES of file FROM to file TO, at TARGET. Returns 0, or -1 with errno set. */
int copy_bytes(int from, int to, struct byte_range bytes, uint64_t target);
/* BYTES of file TO are about to be written: where that pays, have the file system reserve them. */
void copy_reserve(int to, struct byte_range bytes);

/* Start to copy COUNT ranges, in order, to the same places. The two files must stay open. */
struct copier *copier_start(int from, int to, const struct byte_range *ranges, size_t count);
/* Wait until it is done; frees COPIER. Returns 0, or -1 with errno set. */
int copier_join(struct copier *copier);
/* Stop as soon as possible; frees COPIER. */
void copier_cancel(struct copier *copier);

#endif
