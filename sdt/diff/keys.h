/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The keys of an event: by which values its pair is split. With --by, those of the user's
 * expressions; without, each argument, the function, and the caller.
 */
#ifndef SDT_DIFF_KEYS_H
#define SDT_DIFF_KEYS_H

#include "asked.h"
#include "groups.h"
#include "report/filter.h"
#include "report/pairs.h"
#include "trace/symbols.h"

enum { MOST_KEYS = 16 }; /* of an event */

/* A group for each split that the event has a key in. */
struct keys {
    uint32_t splits[MOST_KEYS], groups[MOST_KEYS];
    unsigned count;
};

struct keys_reader {
    const struct asked *options;
    struct groups *groups;
    struct filter by[MOST_BY];
    struct symbols symbols;
    struct bytes text; /* of a key */
};

/* For one recording. -1: after a message. */
int keys_start(struct keys_reader *reader, const struct asked *options, struct groups *groups,
               const struct recording *recording);
/* Add those of EVENT of SUBJECT, but for splits that KEYS has already. */
void keys_read(struct keys_reader *reader, const struct event *event, uint32_t subject,
               struct keys *keys);
void keys_end(struct keys_reader *reader);

#endif
