/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names for the values of arguments that have an enumeration type and no SDT_ENUM_NAMES: from the
 * program's debug information, if it identifies the enumeration without doubt.
 */
#include "dwarf/enums.h"
#include "base/memory.h"
#include "site.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One argument; `KIND:NAME` of a site's fields. */
struct argument {
    struct list_site *site;
    size_t number;
};

struct wishes {
    struct dwarf_wish *items;
    size_t count, capacity;
};

static void wish_for(struct wishes *wishes, struct list_site *site, size_t number,
                     struct slice name)
{
    wishes->items =
        memory_with_room(wishes->items, wishes->count, &wishes->capacity, sizeof *wishes->items);
    struct argument *of = memory_zeroed(1, sizeof *of);
    *of = (struct argument){site, number};
    wishes->items[wishes->count++] =
        (struct dwarf_wish){.function = site->function,
                            .name = memory_format("%.*s", (int)name.length, name.text),
                            .of = of};
}

/* The integers of SITE without names of values. */
static void wish_for_all(struct wishes *wishes, struct list_site *site)
{
    const char *at = site->fields;
    for (size_t i = 0; at && *at; i++) {
        size_t length = strcspn(at, " ");
        if (length > 2 && at[1] == ':' && strchr("iux", *at))
            wish_for(wishes, site, i, (struct slice){at + 2, length - 2});
        at += length + (at[length] == ' ');
    }
}

static void append_labels(struct bytes *text, const struct dwarf_wish *wish)
{
    for (size_t i = 0; i < wish->label_count; i++) {
        char *value = memory_format(";%lld=", (long long)wish->labels[i].value);
        bytes_append(text, value, strlen(value));
        free(value);
        for (const char *c = wish->labels[i].name; *c; c++) {
            char code[4] = {*c};
            if (!isalnum((unsigned char)*c) && *c != '_')
                snprintf(code, sizeof code, "%%%02x", (unsigned char)*c);
            bytes_append(text, code, strlen(code));
        }
    }
}

/* After the letter of the field. */
static void set_labels(struct list *list, const struct dwarf_wish *wish)
{
    const struct argument *argument = wish->of;
    struct bytes text = {0};
    const char *fields = argument->site->fields, *at = fields;
    for (size_t i = 0; i < argument->number; i++)
        at += strcspn(at, " ") + 1;
    bytes_append(&text, fields, (size_t)(at + 1 - fields));
    append_labels(&text, wish);
    bytes_append(&text, at + 1, strlen(at + 1) + 1);
    argument->site->fields = list_strings_keep(&list->strings, (char *)text.data);
}

void list_read_enums(struct dwarf *dwarf, struct list *list, size_t first)
{
    struct wishes wishes = {0};
    for (size_t i = first; i < list->count; i++)
        if (list->sites[i].fields && list->sites[i].function)
            wish_for_all(&wishes, &list->sites[i]);
    dwarf_find_enums(dwarf, wishes.items, wishes.count);
    for (size_t i = 0; i < wishes.count; i++)
        if (wishes.items[i].labels)
            set_labels(list, &wishes.items[i]);
    for (size_t i = 0; i < wishes.count; i++) {
        free((char *)wishes.items[i].name);
        free(wishes.items[i].of);
    }
    dwarf_free_wishes(wishes.items, wishes.count);
}
