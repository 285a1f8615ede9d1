/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of a site as a running process lists them (live_sites.h), read for compile.h. */
#ifndef SDT_SITE_ARGUMENTS_H
#define SDT_SITE_ARGUMENTS_H

#include "compile.h"

enum { SITE_MAX_ARGUMENTS = 12 };

struct site_arguments {
    struct site_arguments *next; /* the caller's */
    struct compile_argument list[SITE_MAX_ARGUMENTS];
    size_t count;
    bool may_lack; /* some sites of the probe do not have the last one */
    char *text;    /* the strings that the arguments point to */
    void *labels[SITE_MAX_ARGUMENTS];
};

/* Of TEXT, which is NAME:TYPE, perhaps ;VALUE=NAME … after it, with blanks between them. */
struct site_arguments *site_arguments_read(const char *text);
void site_arguments_free(struct site_arguments *arguments);

/*
 * Sites of one probe may pass integers of different types as the same argument. Those of TO become
 * int64 where OTHER's differ in sign and int64 holds all values of both. Returns the first argument
 * for which no integer type holds both, as int64 and uint64; SIZE_MAX: there is none. If OTHER's
 * may be lacking, so may those of TO.
 */
size_t site_arguments_widen(struct site_arguments *to, const struct site_arguments *other);

/* The name of an argument that BEGIN and END have, by which they can be paired; NULL: none. */
const char *site_arguments_common(const struct site_arguments *begin,
                                  const struct site_arguments *end);
/* What to do if begins that are paired by thread come before the ends of others: a sentence, the
 * caller's. COMMON is such an argument; NULL: none is known. */
char *site_arguments_how_to_pair(const char *common);

/* TEXT without the names of values; the caller's. */
char *site_arguments_short(const char *text);

#endif
