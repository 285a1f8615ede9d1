/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the arguments of a site are called and what they mean, derived from how they are spelled in
 * the source; pure. What a spelling looks like is in <sdt/format.h> (.sdt_args).
 *
 * An argument is named after the last identifier of its path, its call or its variable:
 *
 *   n              n            (int)conn->fd     fd        SDT_NAMED("size", a + b)   size
 *   conn->path     path         *count            count     SDT_HEX(flags)             flags
 *   ops[i].len     len          strlen(s)         strlen    SDT_BYTES(data, n)         data, n
 *   &self->lock    lock         name.c_str()      name      SDT_ARRAY(counts, n)       counts, n
 *   a + b, -n, sizeof n, 3      arg0, arg1 …
 *
 * No name is a keyword of C or of TSDL, the language of CTF's metadata: it gets a `_`. The second
 * `n` is n_2.
 */
#ifndef SDTLINK_PROBES_FIELDS_H
#define SDTLINK_PROBES_FIELDS_H

#include "base/slice.h"

#include <sdt/format.h>
#include <stdbool.h>

enum { FIELD_NAME_SIZE = 72 };

struct fields {
    char kind[SDT_MAX_ARGS]; /* a letter of the descriptor */
    char name[SDT_MAX_ARGS][FIELD_NAME_SIZE];
};

static inline bool field_is_duration(uint8_t type)
{
    return (type & ~SDT_ARG_UNIT) == (SDT_ARG_SPECIAL | 8);
}

/* Of COUNT arguments of these types (enum sdt_arg_type). SPELLING may be NULL: arg0, arg1, … */
void fields_derive(struct fields *fields, const char *spelling, const uint8_t *types,
                   unsigned count);
/* Where a site is in its source. */
struct source_place {
    struct slice file; /* empty: unknown */
    uint32_t line;
};
/* Of SPELLING, which begins with "FILE:LINE"; it may be NULL. */
struct source_place fields_place(const char *spelling);

#endif
