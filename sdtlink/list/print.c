/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The list as people read it, and as programs do.
 *
 * The text form has the columns of `dtrace -l` (provider, module, function, name), shows `__` in
 * provider and name as `-`, as all of DTrace does, and spells argument types as C does. JSON gives
 * the C identifiers and the descriptors as they are.
 */
#include "site.h"

#include "args.h"
#include "base/described.h"
#include "base/escape_append.h"
#include "base/json.h"
#include "base/table.h"
#include "base/text.h"

#include <inttypes.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, WIDEST = 256 };
static const char *const titles[COLUMNS] = {"PROVIDER", "MODULE", "FUNCTION", "NAME",
                                            "WHERE",    "KIND",   "ARGUMENTS"};

char *list_for_people(const char *text, bool is_name)
{
    struct bytes shown = {0};
    for (const char *from = text ? text : "-"; *from; from++) {
        if (shown.size >= WIDEST) {
            bytes_append(&shown, "...", 3);
            break;
        }
        bool is_hyphen = is_name && from[0] == '_' && from[1] == '_';
        escape_append(&shown, (struct slice){is_hyphen ? "-" : from, 1});
        from += is_hyphen;
    }
    return bytes_take_text(&shown);
}

/* "path: string", or only what is known of it. */
static void append_field(struct bytes *text, const struct list_field *field, struct slice argument)
{
    if (text->size)
        bytes_append(text, ", ", 2);
    bytes_append(text, field->name.text, field->name.length);
    if (field->name.length)
        bytes_append(text, ": ", 2);
    bytes_append(text, field->type ? field->type : argument.text,
                 field->type ? strlen(field->type) : argument.length);
    list_append_details(text, field);
}

char *list_arguments_text(const struct list_site *site, bool with_names)
{
    struct bytes text = {0};
    const char *args = site->args ? site->args : "";
    bool is_note = strcmp(site->kind, "stapsdt") == 0;
    if (site->flags & SDT_SITE_UNTYPED)
        return memory_format("(untyped)");
    if (is_note && !site->described)
        return memory_format("%.*s", WIDEST + 1, note_args_count(args, strlen(args)) ? args : "");
    const char *fields = site->fields;
    unsigned index = 0;
    struct note_args rest;
    struct slice argument;
    note_args_begin(&rest, args, strlen(args));
    while (text.size <= WIDEST && list_next_argument(&rest, &argument)) {
        struct list_field field = list_field_of(site, index++, &fields, argument.text);
        if (argument.length > WIDEST)
            argument.length = WIDEST + 1; /* too long to read */
        if (!with_names)
            field.name.length = 0;
        if (!field.is_hidden)
            append_field(&text, &field, argument);
    }
    return bytes_take_text(&text);
}

static char *where_text(const struct list_site *site)
{
    const char *base = site->section ? site->section : site->symbol ? site->symbol : "?";
    if (site->has_address)
        return memory_format("0x%" PRIx64, site->address);
    if (site->symbol && (int64_t)site->offset < 0) /* a place before the symbol */
        return memory_format("%s-0x%" PRIx64, base, -site->offset);
    return memory_format("%s+0x%" PRIx64, base, site->offset);
}

static void fill_row(const struct list_site *site, char **row)
{
    row[0] = list_for_people(site->provider, true);
    row[1] = list_for_people(site->module, false);
    row[2] = list_for_people(site->demangled ? site->demangled : site->function, false);
    row[3] = list_for_people(site->name, true);
    char *where = where_text(site),
         *kind = memory_format("%s%s", site->kind, site->is_unprocessed ? ", unprocessed" : ""),
         *arguments = list_arguments_text(site, true);
    row[4] = list_for_people(where, false);
    row[5] = list_for_people(kind, false);
    row[6] = list_for_people(arguments, false);
    free(where);
    free(kind);
    free(arguments);
}

void list_print_text(const struct list *list)
{
    struct table table;
    table_start(&table, titles, COLUMNS);
    for (size_t n = 0; n < list->count; n++)
        fill_row(&list->sites[n], table_row(&table));
    table_print(&table);
}

/* However long it is. */
static void append_member(struct bytes *to, const char *key, const char *text)
{
    if (text)
        json_slice(to, key, (struct slice){text, strlen(text)});
    else
        json_null(to, key);
}

/* TEXT, argument by argument; returns how many there are. */
static size_t append_arguments(struct bytes *to, const char *text)
{
    struct note_args rest;
    struct slice argument;
    size_t count = 0;
    note_args_begin(&rest, text ? text : "", text ? strlen(text) : 0);
    json_open(to, "args", '[');
    for (; list_next_argument(&rest, &argument); count++)
        json_slice(to, NULL, argument);
    json_close(to, ']');
    return count;
}

static void append_details_json(struct bytes *to, const struct list_field *field)
{
    void *memory;
    struct describe_field details = list_details(field, &memory);
    if (details.unit)
        json_string(to, "unit", details.unit);
    if (details.label_count)
        json_open(to, "enumerators", '[');
    for (unsigned i = 0; i < details.label_count; i++) {
        char *value = list_label_value(&details, i);
        json_open(to, NULL, '{');
        json_key(to, "value");
        text_append(to, value);
        json_string(to, "name", details.labels[i].text);
        json_close(to, '}');
        free(value);
    }
    if (details.label_count)
        json_close(to, ']');
    free(memory);
}

/* The names, and what the values mean; a length is a part of what it is the length of. */
static void append_fields(struct bytes *to, const struct list_site *site)
{
    const char *fields = site->fields;
    const char *args = site->args ? site->args : "";
    unsigned index = 0;
    struct note_args rest;
    struct slice argument;
    json_open(to, "fields", '[');
    note_args_begin(&rest, args, strlen(args));
    while ((site->described || (fields && *fields)) && list_next_argument(&rest, &argument)) {
        struct list_field field = list_field_of(site, index++, &fields, argument.text);
        if (field.is_hidden)
            continue;
        json_open(to, NULL, '{');
        json_slice(to, "name", field.name);
        json_string(to, "type", field.type ? field.type : "?");
        append_details_json(to, &field);
        json_close(to, '}');
    }
    json_close(to, ']');
}

/* What else the file says of the site, for outside tracers and readers of markers. */
static void append_note(struct bytes *to, const struct list_site *site)
{
    if (!site->semaphore_place && site->semaphore)
        json_natural(to, "semaphore", site->semaphore);
    else
        json_string(to, "semaphore", site->semaphore_place);
    if (site->has_note) {
        json_open(to, "note", '{');
        append_arguments(to, site->note_args);
        json_close(to, '}');
    } else {
        json_null(to, "note");
    }
    if (site->marker_length) {
        json_open(to, "marker", '{');
        json_natural(to, "length", site->marker_length);
        json_close(to, '}');
    } else {
        json_null(to, "marker");
    }
}

/* All but SDT_SITE_NOTE, which the note says. */
static void append_flags(struct bytes *to, const struct list_site *site)
{
    static const char *const names[] = {"untyped",   "companion", "live-flags", "moved",
                                        "semaphore", "indirect",  NULL,         "freestanding"};
    json_open(to, "flags", '[');
    for (unsigned bit = 0; bit < sizeof names / sizeof names[0]; bit++)
        if (names[bit] && (site->flags >> bit & 1))
            json_string(to, NULL, names[bit]);
    if (site->is_unprocessed)
        json_string(to, NULL, "unprocessed");
    json_close(to, ']');
}

static void append_site(struct bytes *to, const struct list_site *site, bool with_demangled)
{
    json_open(to, NULL, '{');
    append_member(to, "file", site->file);
    append_member(to, "provider", site->provider);
    append_member(to, "module", site->module);
    append_member(to, "function", site->function);
    if (with_demangled)
        append_member(to, "demangled", site->demangled);
    append_member(to, "name", site->name);
    if (site->has_address)
        json_natural(to, "address", site->address);
    else
        json_null(to, "address");
    append_member(to, "section", site->section);
    if (site->symbol)
        append_member(to, "symbol", site->symbol);
    json_integer(to, "offset", (int64_t)site->offset);
    append_member(to, "kind", site->kind);
    json_natural(to, "nargs", append_arguments(to, site->args));
    append_fields(to, site);
    append_member(to, "place", site->place);
    append_flags(to, site);
    append_member(to, "runtime", site->runtime);
    append_note(to, site);
    json_close(to, '}');
}

void list_print_json(const struct list *list, bool with_demangled)
{
    struct bytes text = {0};
    json_open(&text, NULL, '[');
    for (size_t i = 0; i < list->count; i++) {
        json_line(&text, "  ");
        append_site(&text, &list->sites[i], with_demangled);
        json_flush(&text);
    }
    text_append(&text, list->count ? "\n]\n" : "]\n");
    json_finish(&text);
}
