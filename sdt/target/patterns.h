/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns of probes as users of sdt write them. PROVIDER:MODULE:FUNCTION:NAME, PROVIDER:NAME and
 * PROVIDER are the runtime's (sdt_enable(3)); here, one word may be a name as well: `query-begin`;
 * and `fn::serve` are all probes of the function serve().
 */
#ifndef SDT_PATTERNS_H
#define SDT_PATTERNS_H

#include "attach.h"

/* Whether PART, without commas, is `fn:MODULE:FUNCTION`: all probes of these functions. */
bool patterns_is_function(const char *part);
/*
 * PATTERN, parts with commas between them, as the runtime of process TO understands it: a part
 * without colon stays if there is such a provider, becomes a name of any if there is such a probe,
 * and stands for both if there is neither. The caller's; NULL: after a message.
 */
char *patterns_resolve(struct attached *to, const char *pattern);
/* The same as *RESOLVED, with the sites that match, by one request. 0, or -1 after a message. */
struct live_sites;
int patterns_sites(struct attached *to, const char *pattern, char **resolved,
                   struct live_sites *sites);
/* Those of SITES that match PART of such a pattern: they point into SITES. */
void patterns_part(const struct live_sites *sites, const char *part, struct live_sites *some);

/* Say that sites of process TO which match RESOLVED are breakpoints, or could not be armed, if some
 * are; after they were enabled. */
void patterns_warn(struct attached *to, const char *resolved);
/* The same of SITES, which were listed since. */
void patterns_warn_of(struct attached *to, const struct live_sites *sites);

/* PART, without commas, narrowed to one probe: its modules and functions stay. */
char *patterns_narrow(const char *part, const char *provider, const char *name);

#endif
