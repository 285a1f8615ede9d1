/* SPDX-License-Identifier: BSD-2-Clause */
/* The sites of a running process, as its runtime lists them (runtime/control/list.h). */
#ifndef SDT_LIVE_SITES_H
#define SDT_LIVE_SITES_H

#include "attach.h"

#include <stddef.h>

/* One of them. Strings are any bytes but tabs, newlines and NUL: print them by escape.h. */
struct live_site {
    const char *provider, *module, *function, *name;
    uint64_t pc;
    unsigned kind;
    const char *mode;
    int error;
    uint64_t hits;
    int file; /* the process's descriptor of its counters; -1: none */
    uint64_t inode;
    uint32_t offset, pages;
    const char *place;
    const char *arguments; /* NAME:TYPE, perhaps ;VALUE=NAME ..., with spaces between them */
};

struct live_sites {
    struct live_site *site;
    size_t count;
    char *text;
    char **kept; /* strings that others have put into sites */
    size_t kept_count;
};

/* Ask for those that match PATTERN. 0, or -1 after a message. */
int live_sites_ask(struct attached *to, const char *pattern, struct live_sites *sites);
/* The same from TEXT, which has LENGTH bytes and one more for its end, and then belongs to SITES.
 * False: it is not such a list. */
bool live_sites_parse(struct live_sites *sites, char *text, size_t length);
/* TEXT, which a site points to, is freed with SITES. */
void live_sites_keep(struct live_sites *sites, char *text);
void live_sites_free(struct live_sites *sites);

/* Whether PATTERN (shared/pattern.h) names it; not, if that is NULL. */
struct pattern;
bool live_site_matches(const struct live_site *site, const struct pattern *pattern);
/* Whether it only asks whether its probe is on. */
bool live_site_is_question(const struct live_site *site);
bool live_site_is_same_probe(const struct live_site *a, const struct live_site *b);
/* For qsort: by probe, those of one module together. Sites of a probe mostly follow each other, but
 * not all: sorted, they do. */
int live_site_by_probe(const void *left, const void *right);
/* Whether a hit of SITE does something. */
bool live_site_is_on(const struct live_site *site);
/* Whether it should, and cannot; and why. */
bool live_site_is_blocked(const struct live_site *site);
const char *live_site_reason(const struct live_site *site);

#endif
