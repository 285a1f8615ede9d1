/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqlite_text.h"

#include "base/text.h"

#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* In QUOTES, " for a name, ' for a text. */
static void append_quoted(struct bytes *to, const char *name, char quote)
{
    text_char(to, quote);
    for (; *name; name++) {
        if (*name == quote)
            text_char(to, quote);
        text_char(to, *name);
    }
    text_char(to, quote);
}

static void append_name(struct bytes *to, const char *before, const char *name)
{
    text_append(to, before);
    append_quoted(to, name, '"');
}

static const char *type_name(size_t i, const struct column *column)
{
    if (i == ROW_EVENT)
        return " INTEGER PRIMARY KEY";
    if (i == ROW_STACK)
        return " INTEGER";
    switch (column->type) {
    case COLUMN_BOOL:
    case COLUMN_SIGNED:
    case COLUMN_UNSIGNED:
        return column->is_optional ? " INTEGER" : " INTEGER NOT NULL";
    case COLUMN_FLOAT:
    case COLUMN_DOUBLE:
        return " REAL";
    case COLUMN_BLOB:
        return " BLOB";
    default:
        return column->is_optional ? " TEXT" : " TEXT NOT NULL";
    }
}

void sqlite_table_text(struct bytes *to, const struct table *table)
{
    append_name(to, "CREATE TABLE ", table->name);
    for (size_t i = 0; i < table->count; i++) {
        append_name(to, i ? ", " : " (", table->columns[i].name);
        text_append(to, type_name(i, &table->columns[i]));
    }
    text_char(to, ')');
}

void sqlite_insert_text(struct bytes *to, const struct table *table)
{
    append_name(to, "INSERT INTO ", table->name);
    for (size_t i = 0; i < table->count; i++)
        text_append(to, i ? ", ?" : " VALUES (?");
    text_char(to, ')');
}

/* ---- pairs ---- */

/* BEGIN to END as the headline of `sdt lat`: a provider that both have is named once. */
static char *view_name(const struct schema *schema, const struct table_pair *pair)
{
    const char *begin = schema->tables[pair->begin].name, *end = schema->tables[pair->end].name;
    const char *colon = strchr(begin, ':');
    size_t provider = colon ? (size_t)(colon - begin) + 1 : 0;
    bool is_same = strncmp(begin, end, provider) == 0;
    return memory_format("%s to %s", begin, end + (is_same ? provider : 0));
}

static bool has_column(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcasecmp(table->columns[i].name, name) == 0)
            return true;
    return false;
}

/* An argument of the end: after a prefix, if the begin has a column of that name. */
static void append_end_argument(struct bytes *to, const struct schema *schema,
                                const struct table_pair *pair, size_t i)
{
    const char *argument = schema->tables[pair->end].columns[i].name;
    char *name = memory_format("%s", argument);
    while (has_column(&schema->tables[pair->begin], name) || strcasecmp(name, "end") == 0 ||
           strcasecmp(name, "duration") == 0) {
        char *longer = memory_format("end_%s", name);
        free(name);
        name = longer;
    }
    append_name(to, ", e.", argument);
    append_name(to, " AS ", name);
    free(name);
}

void sqlite_view_text(struct bytes *to, const struct schema *schema, const struct table_pair *pair)
{
    const struct table *begin = &schema->tables[pair->begin], *end = &schema->tables[pair->end];
    char *name = view_name(schema, pair);
    append_name(to, "CREATE VIEW ", name);
    free(name);
    text_append(to, " AS SELECT e.event AS \"end\", e.duration");
    for (size_t i = 0; i < begin->count; i++)
        append_name(to, ", b.", begin->columns[i].name);
    for (size_t i = ROW_COMMON_OF_ENDS; i < end->count; i++)
        append_end_argument(to, schema, pair, i);
    append_name(to, " FROM ", end->name);
    append_name(to, " AS e JOIN ", begin->name);
    text_append(to, " AS b ON b.event = e.\"begin\"");
}

#define SLICE "event, \"end\", time, duration, recording, host, process, pid, tid, stack"

/* Calls have the names of their functions. */
static void append_select(struct bytes *to, const struct schema *schema,
                          const struct table_pair *pair)
{
    char *name = view_name(schema, pair);
    bool is_calls =
        schema->tables[pair->begin].is_functions && schema->tables[pair->end].is_functions;
    text_append(to, is_calls ? "SELECT '" SDT_FUNCTION_PROVIDER "::' || function" : "SELECT ");
    if (!is_calls)
        append_quoted(to, name, '\'');
    append_name(to, " AS pair, " SLICE " FROM ", name);
    free(name);
}

/* Without a pair, an empty view: a query of it is no mistake. SQLite joins 500 SELECTs at most. */
void sqlite_slices_text(struct bytes *to, const struct schema *schema)
{
    enum { JOINED = 400 };
    text_append(to, "CREATE VIEW slices AS ");
    if (!schema->pair_count)
        text_append(to, "SELECT NULL AS pair, NULL AS event, NULL AS \"end\", NULL AS time, NULL "
                        "AS duration, NULL AS recording, NULL AS host, NULL AS process, NULL AS "
                        "pid, NULL AS tid, NULL AS stack WHERE 0");
    for (size_t i = 0; i < schema->pair_count; i++) {
        bool is_first = i % JOINED == 0, is_last = (i + 1) % JOINED == 0;
        text_append(to, i ? " UNION ALL " : "");
        text_append(to, is_first ? "SELECT * FROM (" : "");
        append_select(to, schema, &schema->pairs[i]);
        text_append(to, is_last || i + 1 == schema->pair_count ? ")" : "");
    }
}
