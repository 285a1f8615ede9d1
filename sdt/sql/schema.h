/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events as rows of typed tables: one table for each probe, whichever recordings it is in.
 *
 * All tables begin with the same columns. Those of probes that end a pair then have the number of
 * the begin's event, and the time since. Arguments follow, by name: a site that lacks one, or a
 * recording of another version of the program, has NULL there. Where sites disagree about a type,
 * the column gets one that holds the values of all: a wider integer, else text.
 *
 * Entries of functions (<sdt/format.h>) are one table, whatever number of functions there are, and
 * so are their returns: `function` tells which. The parameters of a function are one column, JSON;
 * its result is text.
 *
 *     struct schema schema = {0};
 *     schema_add(&schema, …); schema_add_pair(&schema, …);       for each recording
 *     schema_finish(&schema);
 *     schema_free(&schema);
 */
#ifndef SDT_SCHEMA_H
#define SDT_SCHEMA_H

#include "base/texts.h"
#include "column_type.h"
#include "trace/trace.h"

/* The columns of every table. */
enum {
    ROW_EVENT, /* number of the event in the export, from 0 */
    ROW_TIME,  /* ns since the epoch */
    ROW_RECORDING,
    ROW_HOST,
    ROW_PROCESS,
    ROW_PID,
    ROW_TID,
    ROW_CPU,
    ROW_FUNCTION,
    ROW_PLACE,
    ROW_STACK, /* functions, the outermost first: `main;serve;read` */
    ROW_COMMON
};
/* The next columns of a table whose probe ends a pair. */
enum { ROW_BEGIN = ROW_COMMON, ROW_DURATION, ROW_COMMON_OF_ENDS };

struct table {
    char *label; /* of the probe; of functions fn:entry or fn:return */
    char *name;  /* the same, where SQL does not take that for another's; of schema_finish() */
    struct column *columns;
    size_t count, capacity;
    struct texts arguments; /* numbered as the columns after the common ones are */
    bool is_end, is_functions;
};

/* Which tables the two probes of a pair have. */
struct table_pair {
    size_t begin, end;
};

/* A site: its table, and which column each of its arguments is in. */
struct schema_class {
    size_t table, *columns;
};

struct schema_part {
    const struct recording *recording;
    const char *name;
    struct schema_class **classes; /* of each trace, by number */
};

struct schema {
    struct table *tables;
    size_t count, capacity;
    struct texts labels, different_pairs; /* numbered as tables and pairs are */
    struct table_pair *pairs;
    size_t pair_count, pair_capacity;
    struct schema_part *parts; /* the recordings, in the order in which they were added */
    size_t part_count;
};

/* RECORDING and NAME, which is shown, stay the caller's. */
void schema_add(struct schema *schema, const struct recording *recording, const char *name);
/* An event of END may end what one of BEGIN began. */
void schema_add_pair(struct schema *schema, const struct trace_probe *begin,
                     const struct trace_probe *end);
/* After the last one: all columns are known. Warns of those that are text since types differ. */
void schema_finish(struct schema *schema);
void schema_free(struct schema *schema);

#endif
