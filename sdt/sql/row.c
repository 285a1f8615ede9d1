/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Texts of a recording are whatever bytes a program had; databases refuse what is not UTF-8, so bad
 * bytes become U+FFFD. Names of values are texts, values without a name their number.
 */
#include "row.h"

#include "base/escape.h"
#include "base/escape_append.h"
#include "base/json.h"
#include "trace/value_text.h"

#include <stdlib.h>

void row_start(struct row *row, const struct schema *schema)
{
    size_t most = 0;
    for (size_t i = 0; i < schema->count; i++)
        most = schema->tables[i].count > most ? schema->tables[i].count : most;
    *row = (struct row){.capacity = most};
    row->cells = memory_zeroed(most + 1, sizeof *row->cells);
    row->composed = memory_zeroed(most + 1, sizeof *row->composed);
}

void row_free(struct row *row)
{
    for (size_t i = 0; i < row->capacity; i++)
        bytes_free(&row->composed[i]);
    free(row->composed);
    free(row->cells);
    *row = (struct row){0};
}

static void set_number(struct row *row, size_t i, int64_t number)
{
    row->cells[i] = (struct cell){.number = number};
}

static void set_text(struct row *row, size_t i, struct slice text)
{
    struct bytes *composed = &row->composed[i];
    size_t plain = escape_plain_length(text.text, text.length);
    if (plain < text.length && escape_utf8_length(text) != text.length) {
        composed->size = 0;
        escape_append_utf8(composed, text);
        text = (struct slice){(const char *)composed->data, composed->size};
    }
    row->cells[i] = (struct cell){.text = text};
}

/* A text that the recording keeps, most often that of the row before. */
static void set_kept(struct row *row, size_t i, const char *text)
{
    if (row->kept[i] != text)
        set_text(row, i, slice_of(text));
    row->kept[i] = text;
}

/* What is no text itself. */
static void set_as_text(struct row *row, size_t i, const struct field *field,
                        const struct value *value)
{
    struct bytes *composed = &row->composed[i];
    composed->size = 0;
    if (field->kind == FIELD_BYTES)
        text_value(composed, field, value);
    else
        text_json_value(composed, field, value);
    row->cells[i].is_null = field->kind == FIELD_UNKNOWN;
    row->cells[i].text = (struct slice){(const char *)composed->data, composed->size};
}

static void set_value(struct row *row, size_t i, enum column_type type, const struct field *field,
                      const struct value *value)
{
    const char *label = field->label_count ? decode_label(field, value) : NULL;
    row->cells[i].is_null = false;
    if (label)
        set_text(row, i, slice_of(label));
    else if (type == COLUMN_TEXT && field->kind == FIELD_STRING)
        set_text(row, i, value->text);
    else if (type == COLUMN_TEXT)
        set_as_text(row, i, field, value);
    else if (type == COLUMN_BLOB)
        row->cells[i].text = value->text;
    else if (type == COLUMN_FLOAT || type == COLUMN_DOUBLE)
        row->cells[i].real = value->real;
    else
        row->cells[i].natural = value->natural;
}

static void add_member(struct row *row, size_t i, const struct field *field,
                       const struct value *value)
{
    struct bytes *object = &row->composed[i];
    if (row->cells[i].is_null) {
        object->size = 0;
        json_open(object, NULL, '{');
    } else {
        object->size--; /* what had closed it */
    }
    json_key(object, field->name);
    text_json_value(object, field, value);
    json_close(object, '}');
    row->cells[i] = (struct cell){.text = {(const char *)object->data, object->size}};
}

static void set_common(struct row *row, const struct schema_part *part, const struct event *event,
                       const struct row_place *place)
{
    set_number(row, ROW_EVENT, (int64_t)place->number);
    set_number(row, ROW_TIME, event->time);
    set_kept(row, ROW_RECORDING, part->name);
    set_kept(row, ROW_HOST, event->trace->host);
    set_kept(row, ROW_PROCESS, event->trace->program);
    set_number(row, ROW_PID, event->pid);
    set_number(row, ROW_TID, event->tid);
    set_number(row, ROW_CPU, event->cpu);
    row->cells[ROW_CPU].is_null = event->cpu == NO_CPU;
    set_kept(row, ROW_FUNCTION, event->class->title ? event->class->title : event->class->function);
    set_kept(row, ROW_PLACE, event->class->place);
    row->cells[ROW_STACK] = (struct cell){.is_null = !place->stack};
    if (place->stack)
        row->cells[ROW_STACK].text = slice_of(place->stack);
}

void row_compose(struct row *row, const struct schema *schema, const struct event *event,
                 const struct row_place *place)
{
    const struct schema_part *part = &schema->parts[place->part];
    const struct schema_class *class =
        &part->classes[event->trace - event->recording->traces][event->class->id];
    const struct table *table = &schema->tables[class->table];
    row->table = class->table;
    set_common(row, part, event, place);
    for (size_t i = ROW_COMMON; i < table->count; i++)
        row->cells[i].is_null = true;
    if (place->has_begin)
        set_number(row, ROW_BEGIN, (int64_t)place->begin);
    if (place->has_duration)
        set_number(row, ROW_DURATION, place->duration);
    for (size_t i = 0; i < event->value_count; i++) {
        const struct column *column = &table->columns[class->columns[i]];
        const struct field *field = &event->class->fields[i];
        if (column->is_object)
            add_member(row, class->columns[i], field, &event->values[i]);
        else
            set_value(row, class->columns[i], column->type, field, &event->values[i]);
    }
}
