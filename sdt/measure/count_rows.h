/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How often each probe of a running process is hit: the words that its runtime counts in, mapped
 * and read here (runtime/hit/counters.h). Reading needs no work of the process.
 */
#ifndef SDT_COUNT_ROWS_H
#define SDT_COUNT_ROWS_H

#include "target/live_sites.h"

/* The words of one probe of one object. */
struct count_words {
    uint64_t inode; /* 0: in no file; what the process has last said */
    uint32_t offset, pages;
    const uint8_t *file; /* mapped; NULL: it cannot be mapped */
    char *module;
    uint64_t base, last; /* when we began; when we last read */
    bool is_listed;      /* scratch */
};

struct count_row {
    char *provider, *name;
    struct count_words *words;
    size_t count;
    uint64_t gone;            /* hits in words that are gone */
    uint64_t total, previous; /* hits since we began; the same, when that was last printed */
    size_t sites, armed;      /* that should count; those that do */
    bool is_untold;           /* only the process knew the number, and does not any more */
};

/* Whether the total is a number of hits, and not what is left when hits could not be counted, or
 * the count was lost. */
static inline bool count_row_is_known(const struct count_row *row)
{
    return !row->is_untold && (row->armed || !row->sites || row->total);
}

struct count_rows {
    struct count_row *row; /* by provider and name */
    size_t count;
    struct count_file *files;
    uint64_t generation, freed; /* of the page, when the sites were listed: set after learning */
    bool must_ask;              /* some words are in no file */
};

/*
 * Add SITES. Sites that are already known do not change. HAS_BEGUN: new sites have been counted for
 * us from their first hit; otherwise their present counts are not ours.
 */
void count_rows_learn(struct count_rows *rows, const struct attached *process,
                      const struct live_sites *sites, bool has_begun);
/* The row of a probe, made if there is none. */
struct count_row *count_rows_row(struct count_rows *rows, const char *provider, const char *name);
/* Read all words, unless they may belong to other probes by now. */
void count_rows_read(struct count_rows *rows, const struct live_page *page);
/* Which of SITES are armed, once they were enabled: those of one more process. */
void count_rows_note_armed(struct count_rows *rows, const struct live_sites *sites);
/* How many rows are not known, since only the process could tell. HAS_ENDED: it cannot be asked. */
size_t count_rows_untold(struct count_rows *rows, bool has_ended);
void count_rows_free(struct count_rows *rows);

#endif
