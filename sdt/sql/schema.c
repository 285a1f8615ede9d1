/* SPDX-License-Identifier: BSD-2-Clause */
/* See schema.h. Cells are in row.c. */
#include "schema.h"

#include "base/diag.h"

#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    enum column_type type;
    unsigned bits;
    bool is_optional;
} common[ROW_COMMON_OF_ENDS] = {
    [ROW_EVENT] = {"event", COLUMN_SIGNED, 64, false},
    [ROW_TIME] = {"time", COLUMN_SIGNED, 64, false},
    [ROW_RECORDING] = {"recording", COLUMN_TEXT, 0, false},
    [ROW_HOST] = {"host", COLUMN_TEXT, 0, false},
    [ROW_PROCESS] = {"process", COLUMN_TEXT, 0, false},
    [ROW_PID] = {"pid", COLUMN_SIGNED, 32, false},
    [ROW_TID] = {"tid", COLUMN_SIGNED, 32, false},
    [ROW_CPU] = {"cpu", COLUMN_SIGNED, 32, true},
    [ROW_FUNCTION] = {"function", COLUMN_TEXT, 0, false},
    [ROW_PLACE] = {"place", COLUMN_TEXT, 0, false},
    [ROW_STACK] = {"stack", COLUMN_TEXT, 0, true},
    [ROW_BEGIN] = {"begin", COLUMN_SIGNED, 64, true},
    [ROW_DURATION] = {"duration", COLUMN_SIGNED, 64, true},
};

static char *copy(const char *text)
{
    return memory_format("%s", text);
}

/* ---- tables ---- */

static size_t find_table(struct schema *schema, const struct trace_probe *probe)
{
    char *label =
        probe->function ? memory_format("%s:%s", probe->provider, probe->name) : copy(probe->label);
    size_t number = texts_number(&schema->labels, slice_of(label));
    if (number < schema->count) {
        free(label);
        return number;
    }
    schema->tables =
        memory_with_room(schema->tables, schema->count, &schema->capacity, sizeof *schema->tables);
    schema->tables[schema->count] =
        (struct table){.label = label, .is_functions = probe->function != NULL};
    return schema->count++;
}

static struct column *add_column(struct table *table, const char *name, struct column type)
{
    table->columns =
        memory_with_room(table->columns, table->count, &table->capacity, sizeof *table->columns);
    struct column *column = &table->columns[table->count++];
    *column = type;
    column->name = copy(name);
    return column;
}

static size_t common_count(const struct table *table)
{
    return table->is_end ? ROW_COMMON_OF_ENDS : ROW_COMMON;
}

static void add_common(struct table *table)
{
    for (size_t i = 0; i < common_count(table); i++)
        add_column(table, common[i].name,
                   (struct column){.type = common[i].type,
                                   .bits = common[i].bits,
                                   .is_optional = common[i].is_optional});
}

/* ---- arguments ---- */

/* Of the N-th argument FIELD, from 0: a site may pass several of one name. What is not less than
 * the number of columns is a new one. */
static size_t find_column(struct table *table, const char *field, uint32_t n)
{
    struct bytes key = {0};
    bytes_append32(&key, n);
    bytes_append(&key, field, strlen(field));
    struct slice bytes = {(const char *)key.data, key.size};
    size_t found = texts_number(&table->arguments, bytes) + common_count(table);
    bytes_free(&key);
    return found;
}

static size_t add_field(struct table *table, const char *name, uint32_t n, struct column type)
{
    size_t found = find_column(table, name, n);
    if (found < table->count)
        column_type_widen(&table->columns[found], &type);
    else
        add_column(table, *name ? name : "arg", type)->field = copy(name);
    return found;
}

static size_t add_argument(struct table *table, const struct event_class *class, size_t i)
{
    const struct field *field = &class->fields[i];
    uint32_t n = 0;
    for (size_t k = 0; k < i; k++)
        n += strcmp(class->fields[k].name, field->name) == 0;
    return add_field(table, field->name, n, column_type_of(field));
}

/* Each function has parameters of other names and types. */
static size_t add_of_function(struct table *table, const struct event_class *class, size_t i)
{
    const char *name = class->fields[i].name;
    bool is_return = !strcmp(class->name, SDT_FUNCTION_RETURN);
    bool is_frame = i == 0 && !strcmp(name, SDT_FUNCTION_FRAME);
    bool is_same_in_all = is_frame || i >= trace_arguments(class);
    struct column text = {.type = COLUMN_TEXT, .is_optional = true, .is_object = !is_return};
    return is_same_in_all ? add_argument(table, class, i)
                          : add_field(table, is_return ? name : "arguments", 0, text);
}

static void add_class(struct schema *schema, const struct event_class *class,
                      struct schema_class *known)
{
    struct table *table = &schema->tables[known->table];
    known->columns = memory_zeroed(class->field_count + 1, sizeof *known->columns);
    for (size_t i = 0; i < class->field_count; i++)
        known->columns[i] =
            table->is_functions ? add_of_function(table, class, i) : add_argument(table, class, i);
}

static void add_arguments(struct schema *schema, const struct schema_part *part)
{
    for (size_t i = 0; i < part->recording->trace_count; i++)
        for (size_t id = 0; id < part->recording->traces[i].class_limit; id++)
            if (part->recording->traces[i].classes[id])
                add_class(schema, part->recording->traces[i].classes[id], &part->classes[i][id]);
}

/* ---- recordings ---- */

/* Which table each site has. */
static void add_trace(struct schema *schema, struct schema_part *part, size_t i)
{
    const struct trace *trace = &part->recording->traces[i];
    part->classes[i] = memory_zeroed(trace->class_limit + 1, sizeof **part->classes);
    for (size_t id = 0; id < trace->class_limit; id++)
        if (trace->classes[id])
            part->classes[i][id].table =
                find_table(schema, &part->recording->probes[trace->classes[id]->probe]);
}

void schema_add(struct schema *schema, const struct recording *recording, const char *name)
{
    schema->parts = memory_resize(schema->parts, schema->part_count + 1, sizeof *schema->parts);
    struct schema_part *part = &schema->parts[schema->part_count++];
    *part = (struct schema_part){.recording = recording, .name = name};
    part->classes = memory_zeroed(recording->trace_count + 1, sizeof *part->classes);
    for (size_t i = 0; i < recording->probe_count; i++) /* in their order, that of their names */
        find_table(schema, &recording->probes[i]);
    for (size_t i = 0; i < recording->trace_count; i++)
        add_trace(schema, part, i);
}

/* A pair of patterns has many sites, and most of their tables are the same. */
void schema_add_pair(struct schema *schema, const struct trace_probe *begin,
                     const struct trace_probe *end)
{
    struct table_pair pair = {find_table(schema, begin), find_table(schema, end)};
    struct slice bytes = {(const char *)&pair, sizeof pair};
    if (texts_number(&schema->different_pairs, bytes) < schema->pair_count)
        return;
    schema->tables[pair.end].is_end = true;
    schema->pairs = memory_with_room(schema->pairs, schema->pair_count, &schema->pair_capacity,
                                     sizeof *schema->pairs);
    schema->pairs[schema->pair_count++] = pair;
}

/* ---- at the end ---- */

/* False: there is such a name. SQL knows no difference between `Size` and `size`. */
static bool take_name(struct texts *taken, const char *name)
{
    char *folded = copy(name);
    size_t before = taken->count;
    for (char *c = folded; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    size_t number = texts_number(taken, slice_of(folded));
    free(folded);
    return number == before;
}

static void make_unique(struct texts *taken, struct column *column)
{
    if (take_name(taken, column->name))
        return;
    char *name = memory_format("arg_%s", column->name);
    for (unsigned n = 2; !take_name(taken, name); n++) {
        free(name);
        name = memory_format("arg_%s_%u", column->name, n);
    }
    free(column->name);
    column->name = name;
}

static void finish_table(struct table *table)
{
    struct texts taken = {0};
    for (size_t i = 0; i < table->count; i++) {
        make_unique(&taken, &table->columns[i]);
        if (!table->columns[i].is_mixed)
            continue;
        char *problem = memory_format("'%s' has types at its sites that no column can hold: its "
                                      "column is text",
                                      table->columns[i].field);
        diag_warn(&(struct diag_place){.file = table->label}, problem, NULL);
        free(problem);
    }
    texts_free(&taken);
}

static void name_table(struct texts *taken, struct table *table)
{
    /* SQLite has these names for itself. */
    const char *start = strncasecmp(table->label, "sqlite_", strlen("sqlite_")) == 0 ? "_" : "";
    table->name = memory_format("%s%s", start, table->label);
    for (unsigned n = 2; !take_name(taken, table->name); n++) {
        free(table->name);
        table->name = memory_format("%s%s_%u", start, table->label, n);
    }
}

void schema_finish(struct schema *schema)
{
    struct texts taken = {0};
    for (size_t i = 0; i < schema->count; i++)
        name_table(&taken, &schema->tables[i]);
    texts_free(&taken);
    for (size_t i = 0; i < schema->count; i++)
        add_common(&schema->tables[i]);
    for (size_t i = 0; i < schema->part_count; i++)
        add_arguments(schema, &schema->parts[i]);
    for (size_t i = 0; i < schema->count; i++)
        finish_table(&schema->tables[i]);
}

static void free_table(struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->columns[i].name);
        free(table->columns[i].field);
    }
    free(table->columns);
    texts_free(&table->arguments);
    free(table->label);
    free(table->name);
}

static void free_part(struct schema_part *part)
{
    for (size_t i = 0; i < part->recording->trace_count; i++) {
        for (size_t id = 0; id < part->recording->traces[i].class_limit; id++)
            free(part->classes[i][id].columns);
        free(part->classes[i]);
    }
    free(part->classes);
}

void schema_free(struct schema *schema)
{
    for (size_t i = 0; i < schema->count; i++)
        free_table(&schema->tables[i]);
    for (size_t i = 0; i < schema->part_count; i++)
        free_part(&schema->parts[i]);
    texts_free(&schema->labels);
    texts_free(&schema->different_pairs);
    free(schema->tables);
    free(schema->pairs);
    free(schema->parts);
    *schema = (struct schema){0};
}
