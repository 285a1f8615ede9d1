/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arguments of a hit that its process has kept (struct live_side), as values of a recording
 * are. Nothing there is trusted: lengths are checked.
 */
#ifndef SDT_SIDE_VALUES_H
#define SDT_SIDE_VALUES_H

#include "outliers.h"
#include "trace/decode.h"

/* What was cut off ends in this. */
#define SIDE_VALUE_CUT "\xe2\x80\xa6"

/* A text's slice leads into `text`. */
struct side_value {
    struct field field;
    struct value value;
    char text[LIVE_SIDE_TEXT + sizeof SIDE_VALUE_CUT];
};

/* Those of SIDE, a hit of PROBE. Returns how many. */
size_t side_values(struct side_value list[SITE_MAX_ARGUMENTS], const struct outlier_probe *probe,
                   const struct live_side *side);

#endif
