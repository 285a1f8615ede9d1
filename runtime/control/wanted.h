/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether children should still follow (LIVE_FOLLOW): a word for each request, in memory that the
 * children of a fork share with the process that got the request. That process clears it when the
 * request ends; those that have inherited the request read it.
 *
 * So children learn of `sdt disable` in their parent, and of what `sdt enable` has left on without
 * a session. When the process is gone, the word stays as it is.
 */
#ifndef SDT_CONTROL_WANTED_H
#define SDT_CONTROL_WANTED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct wanted {
    _Atomic uint64_t *word; /* NULL: children do not follow */
    uint64_t number;        /* the value of the word as long as they are to */
    bool is_inherited;      /* it is another process's */
};

/* False: there is no memory. */
bool wanted_begin(struct wanted *wanted);
void wanted_end(const struct wanted *wanted);
/* Whether this was inherited, and the process that got the request has ended it. */
bool wanted_is_over(const struct wanted *wanted);

/* In the child of a fork; what is kept is inherited. */
void wanted_after_fork_child(void);

#endif
