/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef COUNT_H
#define COUNT_H

#include <stdio.h>

struct count {
    unsigned long lines, words, bytes;
};

/* Count what is left of STREAM. NAME is for the probes. */
struct count count_stream(FILE *stream, const char *name);

#endif
