/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A piece of a string that is owned elsewhere: names lie in the files that they are read from.
 */
#ifndef SDTLINK_BASE_SLICE_H
#define SDTLINK_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>

struct slice {
    const char *text;
    size_t length;
};

/*
 * Names are cut after that many bytes, those of probes refused. A name may be as long as the file,
 * and thousands of symbols may share it: what is copied for each must not be.
 */
enum { MAX_NAME_BYTES = 4095 };
struct slice slice_of(const char *text);

bool slice_is(struct slice slice, const char *text);
/* By bytes, shorter first among equals; for qsort. */
int slice_compare(struct slice a, struct slice b);

#endif
