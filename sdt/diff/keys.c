/* SPDX-License-Identifier: BSD-2-Clause */
#include "keys.h"

#include "print/text.h"

/* As many bytes of a text are the key as in a process (exchange/layout.h). */
#include <exchange/layout.h>

#include <stdlib.h>

static bool is_caller(const char *by)
{
    return strcmp(by, BY_CALLER) == 0;
}

int keys_start(struct keys_reader *reader, const struct asked *options, struct groups *groups,
               const struct recording *recording)
{
    *reader = (struct keys_reader){.options = options, .groups = groups};
    for (size_t i = 0; i < options->by_count; i++)
        if (!is_caller(options->by[i]) &&
            (filter_parse(&reader->by[i], options->by[i]) != 0 ||
             filter_check(&reader->by[i], options->by[i], recording) != 0))
            return -1;
    return 0;
}

void keys_end(struct keys_reader *reader)
{
    for (size_t i = 0; i < MOST_BY; i++)
        filter_free(&reader->by[i]);
    symbols_free(&reader->symbols);
    bytes_free(&reader->text);
}

static bool has_split(const struct keys *keys, uint32_t split)
{
    for (unsigned i = 0; i < keys->count; i++)
        if (keys->splits[i] == split)
            return true;
    return false;
}

static void add(struct keys_reader *reader, struct keys *keys, uint32_t subject, const char *by,
                struct slice key, bool is_text)
{
    uint32_t split = groups_split(reader->groups, subject, by);
    size_t length = key.length < LIVE_MAX_KEY_TEXT ? key.length : LIVE_MAX_KEY_TEXT;
    if (keys->count == MOST_KEYS || has_split(keys, split))
        return;
    keys->splits[keys->count] = split;
    keys->groups[keys->count++] =
        groups_find(reader->groups, split, (struct slice){key.text, length}, is_text);
}

/* ---- Values. ---- */

static void add_term(struct keys_reader *reader, struct keys *keys, uint32_t subject,
                     const char *by, const struct term *term)
{
    struct slice key = {0};
    bool is_text = term->kind == TERM_TEXT || (term->has_label && !term->element);
    reader->text.size = 0;
    if (term->kind == TERM_TEXT)
        key = term->text;
    else if (is_text)
        key = term->label;
    else if (term->kind == TERM_INTEGER && term->integer < 0)
        text_integer(&reader->text, (int64_t)term->integer);
    else if (term->kind == TERM_INTEGER)
        text_natural(&reader->text, (uint64_t)term->integer);
    else if (term->kind == TERM_REAL)
        text_real(&reader->text, term->real);
    else
        return;
    if (!is_text)
        key = (struct slice){(const char *)reader->text.data, reader->text.size};
    add(reader, keys, subject, by, key, is_text);
}

/* The function that called the probed one, or its module. */
static void add_caller(struct keys_reader *reader, struct keys *keys, uint32_t subject,
                       const struct event *event)
{
    struct field element;
    if (!event->callers || event->callers->text.length < 2 * sizeof(uint64_t))
        return;
    const struct field *field = &event->class->fields[event->class->field_count];
    uint64_t address = decode_element(field, event->callers, 1, &element).natural;
    struct symbol symbol = symbols_find(&reader->symbols, event->trace, address - (address != 0));
    reader->text.size = 0;
    if (symbol.function)
        text_function(&reader->text, symbol.function);
    else
        text_append(&reader->text, symbol.module ? symbol.module : "?");
    add(reader, keys, subject, BY_CALLER,
        (struct slice){(const char *)reader->text.data, reader->text.size}, true);
}

/* ---- Which. ---- */

static void add_asked(struct keys_reader *reader, struct keys *keys, uint32_t subject,
                      const struct event *event)
{
    for (size_t i = 0; i < reader->options->by_count; i++) {
        const char *by = reader->options->by[i];
        if (is_caller(by)) {
            add_caller(reader, keys, subject, event);
            continue;
        }
        struct term term = filter_value(&reader->by[i], event);
        add_term(reader, keys, subject, by, &term);
    }
}

/* Of an argument, what an expression of its name would be. */
static void add_field(struct keys_reader *reader, struct keys *keys, uint32_t subject,
                      const struct event *event, size_t i)
{
    const struct field *field = &event->class->fields[i];
    if (field->kind == FIELD_ARRAY || field->kind == FIELD_BYTES || field->kind == FIELD_UNKNOWN ||
        field->kind == FIELD_FLOAT || field->kind == FIELD_DOUBLE || field->kind == FIELD_POINTER)
        return;
    struct term term = filter_field(field, &event->values[i]);
    add_term(reader, keys, subject, field->name, &term);
}

static void add_all(struct keys_reader *reader, struct keys *keys, uint32_t subject,
                    const struct event *event)
{
    const char *function = event->class->function;
    for (size_t i = 0; i < event->value_count; i++)
        add_field(reader, keys, subject, event, i);
    if (*function)
        add(reader, keys, subject, "function", slice_of(function), true);
    add_caller(reader, keys, subject, event);
}

void keys_read(struct keys_reader *reader, const struct event *event, uint32_t subject,
               struct keys *keys)
{
    if (reader->options->by_count)
        add_asked(reader, keys, subject, event);
    else
        add_all(reader, keys, subject, event);
}
