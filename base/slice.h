/* SPDX-License-Identifier: BSD-2-Clause */
/* Slices (shared/slice.h) of the files that a tool reads. */
#ifndef SDT_BASE_SLICE_H
#define SDT_BASE_SLICE_H

#include <shared/slice.h>

/*
 * Names are cut after that many bytes, those of probes refused. A name may be as long as the file,
 * and thousands of symbols may share it: what is copied for each must not be.
 */
enum { MAX_NAME_BYTES = 4095 };
struct slice slice_of(const char *text);

/* By bytes, shorter first among equals; for qsort. */
int slice_compare(struct slice a, struct slice b);

#endif
