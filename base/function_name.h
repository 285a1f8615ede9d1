/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The name of a function as people may write it. In C++ there are four spellings:
 *
 *     _ZN2fn6serverIiE5serveEi         as the symbol is
 *     fn::server<int>::serve(int)      whole: one function
 *     fn::server<int>::serve           all of that name
 *     fn::server::serve                those of each template argument
 *
 * A result, which whole names of templates begin with, is in the second only. In C there is one.
 */
#ifndef SDT_BASE_FUNCTION_NAME_H
#define SDT_BASE_FUNCTION_NAME_H

#include "slice.h"

#include <shared/suggest.h>
#include <stdbool.h>

enum { FUNCTION_SYMBOL, FUNCTION_WHOLE, FUNCTION_SHORT, FUNCTION_BARE, FUNCTION_SPELLINGS };

/* Of a function of C, only the first is not NULL. */
struct function_name {
    char *spelling[FUNCTION_SPELLINGS];
};

void function_name_make(struct function_name *name, struct slice symbol);
void function_name_free(struct function_name *name);
/* Whether GLOB (shared/pattern.h) matches one of them. */
bool function_name_matches(const struct function_name *name, const char *glob);
/* Whether GLOB, one part of a pattern, matches the function of SYMBOL in one of its spellings.
 * NULL,
 * "" or `*` match anything; SYMBOL may be NULL (unknown), which nothing else matches. */
bool function_name_part(const char *glob, const char *symbol);
/* Offer each spelling, and each without what is before a `::`. What is suggested is a spelling
 * between BEFORE and AFTER. */
void function_name_offer(const struct function_name *name, struct suggestion *suggestion,
                         const char *before, const char *after);

#endif
