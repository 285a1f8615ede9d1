/* SPDX-License-Identifier: BSD-2-Clause */
/* From an event to the cells of its table's columns (schema.h). */
#ifndef SDT_ROW_H
#define SDT_ROW_H

#include "schema.h"
#include "trace/merge.h"

/* The members of a value are those of trace/decode.h; that of a boolean is `number`. */
struct cell {
    bool is_null;
    union {
        int64_t number;
        uint64_t natural;
        double real;
        struct slice text;
    };
};

struct row {
    size_t table;
    struct cell *cells;
    struct bytes *composed; /* texts that the recording does not have as they are, by column */
    size_t capacity;
    const char *kept[ROW_COMMON]; /* of which a cell was made, of texts that a recording keeps */
};

/* What an event is besides its values. */
struct row_place {
    size_t part;     /* index of its recording */
    uint64_t number; /* of the event */
    bool has_begin, has_duration;
    uint64_t begin; /* number of the begin's event */
    int64_t duration;
    const char *stack; /* UTF-8; NULL: it has none */
};

/* ROW has room for the cells of any table of SCHEMA. */
void row_start(struct row *row, const struct schema *schema);
/* ROW becomes that of EVENT, as long as EVENT is valid. */
void row_compose(struct row *row, const struct schema *schema, const struct event *event,
                 const struct row_place *place);
void row_free(struct row *row);

#endif
