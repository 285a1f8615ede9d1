/* SPDX-License-Identifier: BSD-2-Clause */
/* The callers of events as texts (stack.h), of which each is made once: most come again. */
#ifndef SDT_FOLDED_STACKS_H
#define SDT_FOLDED_STACKS_H

#include "base/texts.h"
#include "trace/merge.h"
#include "trace/symbols.h"

/* All zero: none. */
struct folded_stacks {
    struct symbols symbols;
    struct texts different; /* a process and addresses, numbered as texts are */
    char **texts;
    size_t count, capacity, size; /* of them; in bytes */
};

/* NULL: EVENT has no callers. Valid until the next call. */
const char *folded_stack(struct folded_stacks *stacks, const struct event *event);
void folded_stacks_free(struct folded_stacks *stacks);

#endif
