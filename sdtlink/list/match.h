/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `sdtlink list --match=PATTERN`: the sites that a pattern of sdt_enable(3) names, before there is
 * a process to ask: `provider:module:function:name`, or `provider:name`, or `provider`; and, as
 * `sdt` has it, `name` alone, if there is no such provider.
 *
 * One thing goes beyond the runtime: the function may be a C++ name as people write it
 * (base/function_name.h), and `fn:module:function` are all its probes. Several patterns are several
 * options.
 */
#ifndef SDTLINK_LIST_MATCH_H
#define SDTLINK_LIST_MATCH_H

#include "site.h"

#include <shared/suggest.h>

struct list_match {
    struct list_pattern *patterns;
    size_t count;
};

/* Add a pattern; -1 after saying what is wrong with it. */
int list_match_add(struct list_match *match, const char *text);
void list_match_free(struct list_match *match);
/* Remove the sites from number FIRST on that no pattern names. No pattern names all. If that were
 * all of them: a function that may be meant. */
struct suggestion list_match_keep(const struct list_match *match, struct list *list, size_t first);

#endif
