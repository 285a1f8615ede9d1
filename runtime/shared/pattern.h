/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns that name probes: `provider:module:function:name` as in DTrace, any part a glob or
 * empty (which matches anything), `provider:name` and `provider` as short forms, several of them
 * joined by commas. Pure functions; pattern_match() is async-signal-safe.
 */
#ifndef SDT_PATTERN_H
#define SDT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct pattern;

/* NULL and *ERROR = -EINVAL (malformed) or -ENOMEM; free with pattern_free(), which takes NULL. */
struct pattern *pattern_parse(const char *text, size_t length, int *error);
void pattern_free(struct pattern *pattern);

/* MODULE and FUNCTION may be NULL (unknown): only an empty part or `*` matches them. */
bool pattern_match(const struct pattern *pattern, const char *provider, const char *module,
                   const char *function, const char *name);

/* Whether there are a MODULE and a FUNCTION with which it matches. */
bool pattern_may_match(const struct pattern *pattern, const char *provider, const char *name);

/* Whether MODULE or FUNCTION can make a difference. */
bool pattern_names_places(const struct pattern *pattern);

/* Whether GLOB, one part of a pattern, matches TEXT. NULL or "" as GLOB, as `*`, matches anything;
 * TEXT may be NULL (unknown), which nothing else matches. */
bool pattern_part(const char *glob, const char *text);

/* Glob matching: `*`, `?`, `[set]` with ranges and `!` or `^`, `\` before a literal character. */
bool pattern_glob(const char *glob, const char *text);

#endif
