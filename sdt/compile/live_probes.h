/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of a running process, one by one, for expressions that are compiled for the arguments
 * of each.
 */
#ifndef SDT_LIVE_PROBES_H
#define SDT_LIVE_PROBES_H

#include "site_arguments.h"
#include "target/live_sites.h"

/* Whether OTHER is of the same probe as SITE, and passes something else; a function's result that
 * is not known there (live_site_is_tail()) does not count. */
bool live_site_is_other(const struct live_site *site, const struct live_site *other);
/* Whether site number I is a function's end before its result is known, and others have one. */
bool live_site_is_tail(const struct live_sites *sites, size_t i);
/* The arguments of site number FIRST of SITES, of types that hold those of all sites of its probe,
 * as far as there are such (site_arguments_widen). The caller's. */
struct site_arguments *live_site_arguments(const struct live_sites *sites, size_t first);
/* Whether site number I of SITES is the first of its probe that is no question. */
bool live_site_is_first(const struct live_sites *sites, size_t i);

/*
 * Call VISIT for each probe that PATTERN matches: PART is what of the pattern does (patterns.h
 * narrows it to the probe), and site number I of SITES the first of it. Ends with the first status
 * that is not 0, or a status after a message. *FOUND: there was one.
 */
typedef int live_probe_visit(void *data, const char *part, const struct live_sites *sites,
                             size_t i);
int live_probes_each(struct attached *to, const char *pattern, live_probe_visit *visit, void *data,
                     bool *found);

#endif
