/* SPDX-License-Identifier: BSD-2-Clause */
/* What the command line asks for of each recording. */
#ifndef SDT_DIFF_ASKED_H
#define SDT_DIFF_ASKED_H

#include <stddef.h>

/* What stands for the caller of a hit in --by. */
#define BY_CALLER "caller"

enum { MOST_BY = 8 };

struct asked {
    const char *by[MOST_BY]; /* expressions */
    size_t by_count;         /* 0: by all arguments, functions and callers */
    const char *const *pairs;
    size_t pair_count;
    const char *filter, *description; /* NULL: none */
};

#endif
