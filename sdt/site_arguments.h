/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of a site as a running process lists them (live_sites.h), read for compile.h. */
#ifndef SDT_SITE_ARGUMENTS_H
#define SDT_SITE_ARGUMENTS_H

#include "compile.h"

enum { SITE_MOST_ARGUMENTS = 12 };

struct site_arguments {
    struct site_arguments *next; /* the caller's */
    struct compile_argument list[SITE_MOST_ARGUMENTS];
    size_t count;
    char *text; /* what they point to */
    void *labels[SITE_MOST_ARGUMENTS];
};

/* Of TEXT, which is NAME:TYPE, perhaps ;VALUE=NAME … behind it, with blanks between them. */
struct site_arguments *site_arguments_read(const char *text);
void site_arguments_free(struct site_arguments *arguments);

/* TEXT without the names of values; the caller's. */
char *site_arguments_short(const char *text);

#endif
