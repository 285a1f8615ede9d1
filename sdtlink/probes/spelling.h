/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of a probe, as the source spells them (fields.h). */
#ifndef SDTLINK_PROBES_SPELLING_H
#define SDTLINK_PROBES_SPELLING_H

#include "base/slice.h"

#include <sdt/format.h>
#include <stdbool.h>

/* The description of one argument. */
struct said {
    struct slice name; /* length 0: nothing */
    char kind;         /* 0: nothing */
};

struct spelling {
    struct said items[SDT_MAX_ARGS];
    unsigned count;
    bool is_wrong; /* not as many as the compiler saw */
};

/* Read TEXT: the name of a probe, and its arguments, after commas. SPELLING is zeroed. */
void spelling_read(struct spelling *spelling, const char *text);
/* Whether S is one of WORDS, which NULL ends. */
bool spelling_is_one_of(struct slice s, const char *const *words);
/* Whether S is a C identifier or keyword. */
bool spelling_is_identifier(struct slice s);

#endif
