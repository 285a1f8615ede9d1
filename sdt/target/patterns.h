/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns of probes as users of sdt write them. PROVIDER:MODULE:FUNCTION:NAME, PROVIDER:NAME and
 * PROVIDER are the runtime's (sdt_enable(3)); here, one word may be a name as well: `query-begin`;
 * `fn::serve` are all probes of the function serve(), and functions of C++ may be written as their
 * source has them (function_patterns.h).
 */
#ifndef SDT_PATTERNS_H
#define SDT_PATTERNS_H

#include "attach.h"

/* Whether a part of PATTERN names functions, so that it takes a process to know which symbols are
 * meant. */
bool patterns_have_functions(const char *pattern);
/* Whether a part of PATTERN is of the functions' provider, by its name: `fn:entry`, `fn::serve`. */
bool patterns_are_functions(const char *pattern);
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
/* The parts of RESOLVED that were not in BEFORE, an earlier answer for the same pattern: functions
 * that have come since. The caller's; NULL: none. */
char *patterns_added(const char *resolved, const char *before);
/* PATTERN matches nothing of TO: keep what may be meant, for target_nothing(). */
void patterns_note_near_miss(struct attached *to, const char *pattern);
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
