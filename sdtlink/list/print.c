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
#include "base/escape.h"
#include "base/escape_append.h"
#include "base/memory.h"
#include "base/table.h"

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
    bytes_append(&shown, "", 1);
    return (char *)shown.data;
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
    bytes_append(&text, "", 1);
    return (char *)text.data;
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

static char *kind_text(const struct list_site *site)
{
    return memory_format("%s%s", site->kind, site->is_unprocessed ? ", unprocessed" : "");
}

static void fill_row(const struct list_site *site, char **row)
{
    row[0] = list_for_people(site->provider, true);
    row[1] = list_for_people(site->module, false);
    row[2] = list_for_people(site->demangled ? site->demangled : site->function, false);
    row[3] = list_for_people(site->name, true);
    char *where = where_text(site), *kind = kind_text(site),
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

static void print_member(const char *name, const char *text)
{
    printf("\"%s\": ", name);
    if (text)
        escape_print_json(stdout, (struct slice){text, strlen(text)});
    else
        printf("null");
    printf(", ");
}

/* TEXT, argument by argument; returns how many there are. */
static size_t print_arguments(const char *text)
{
    struct note_args rest;
    struct slice argument;
    size_t count = 0;
    note_args_begin(&rest, text ? text : "", text ? strlen(text) : 0);
    putchar('[');
    while (list_next_argument(&rest, &argument)) {
        if (count++)
            printf(", ");
        escape_print_json(stdout, argument);
    }
    putchar(']');
    return count;
}

static void print_args(const struct list_site *site)
{
    printf("\"args\": ");
    size_t count = print_arguments(site->args);
    printf(", \"nargs\": %zu, ", count);
}

static void print_details(const struct list_field *field)
{
    void *memory;
    struct describe_field details = list_details(field, &memory);
    if (details.unit) {
        printf(", \"unit\": ");
        escape_print_json(stdout, slice_of(details.unit));
    }
    for (unsigned i = 0; i < details.label_count; i++) {
        char *value = list_label_value(&details, i);
        printf("%s{\"value\": %s, \"name\": ", i ? ", " : ", \"enumerators\": [", value);
        free(value);
        escape_print_json(stdout, slice_of(details.labels[i].text));
        printf(i + 1 == details.label_count ? "}]" : "}");
    }
    free(memory);
}

/* The names, and what the values mean; a length is a part of what it is the length of. */
static void print_fields(const struct list_site *site)
{
    const char *fields = site->fields, *separator = "";
    printf("\"fields\": [");
    const char *args = site->args ? site->args : "";
    unsigned index = 0;
    struct note_args rest;
    struct slice argument;
    note_args_begin(&rest, args, strlen(args));
    while ((site->described || (fields && *fields)) && list_next_argument(&rest, &argument)) {
        struct list_field field = list_field_of(site, index++, &fields, argument.text);
        if (field.is_hidden)
            continue;
        printf("%s{\"name\": ", separator);
        escape_print_json(stdout, field.name);
        printf(", \"type\": ");
        escape_print_json(stdout, slice_of(field.type ? field.type : "?"));
        print_details(&field);
        putchar('}');
        separator = ", ";
    }
    printf("], ");
}

/* What else the file says of the site, for outside tracers and readers of markers. */
static void print_note(const struct list_site *site)
{
    printf("\"semaphore\": ");
    if (site->semaphore_place)
        escape_print_json(stdout, slice_of(site->semaphore_place));
    else if (site->semaphore)
        printf("%" PRIu64, site->semaphore);
    else
        printf("null");
    printf(", \"note\": ");
    if (site->has_note) {
        printf("{\"args\": ");
        print_arguments(site->note_args);
        putchar('}');
    } else {
        printf("null");
    }
    printf(", \"marker\": ");
    if (site->marker_length)
        printf("{\"length\": %u}", site->marker_length);
    else
        printf("null");
}

/* All but SDT_SITE_NOTE, which the note says. */
static void print_flags(const struct list_site *site)
{
    static const char *const names[] = {"untyped", "companion", "live-flags",
                                        "moved",   "semaphore", "indirect"};
    const char *separator = "";
    printf("\"flags\": [");
    for (unsigned bit = 0; bit < sizeof names / sizeof names[0]; bit++) {
        if (!(site->flags >> bit & 1))
            continue;
        printf("%s\"%s\"", separator, names[bit]);
        separator = ", ";
    }
    if (site->is_unprocessed)
        printf("%s\"unprocessed\"", separator);
    putchar(']');
}

static void print_site(const struct list_site *site, bool with_demangled)
{
    printf("  {");
    print_member("file", site->file);
    print_member("provider", site->provider);
    print_member("module", site->module);
    print_member("function", site->function);
    if (with_demangled)
        print_member("demangled", site->demangled);
    print_member("name", site->name);
    if (site->has_address)
        printf("\"address\": %" PRIu64 ", ", site->address);
    else
        printf("\"address\": null, ");
    print_member("section", site->section);
    if (site->symbol)
        print_member("symbol", site->symbol);
    printf("\"offset\": %" PRId64 ", ", (int64_t)site->offset);
    print_member("kind", site->kind);
    print_args(site);
    print_fields(site);
    print_member("place", site->place);
    print_flags(site);
    printf(", ");
    print_member("runtime", site->runtime);
    print_note(site);
    putchar('}');
}

void list_print_json(const struct list *list, bool with_demangled)
{
    printf("[");
    for (size_t i = 0; i < list->count; i++) {
        printf("%s\n", i ? "," : "");
        print_site(&list->sites[i], with_demangled);
    }
    printf("%s]\n", list->count ? "\n" : "");
}
