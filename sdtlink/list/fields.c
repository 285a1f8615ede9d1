/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the arguments of a site are called, and what their values mean: the strings after its
 * descriptor (<sdt/format.h>).
 */
#include "site.h"

#include "base/memory.h"

#include <string.h>

bool list_take_args(struct list *list, struct list_site *site, const char *text, unsigned nargs,
                    const char *(*next)(void *data), void *data)
{
    struct bytes fields = {0};
    size_t length = strlen(text);
    if (!length || text[length - 1] != '\t') {
        site->args = list_string(list, text);
        return true;
    }
    site->args = list_strings_add(&list->strings, (struct slice){text, length - 1});
    const char *string = text;
    for (unsigned i = 0; i < nargs && string; i++) {
        string = next(data);
        if (string && i)
            bytes_append(&fields, " ", 1);
        if (string)
            bytes_append(&fields, string, strlen(string));
    }
    bytes_append(&fields, "", 1);
    site->fields = list_strings_keep(&list->strings, (char *)fields.data);
    return string != NULL;
}

void list_take_place(struct list *list, struct list_site *site, struct slice file, uint32_t line)
{
    if (file.length)
        site->place = list_strings_keep(
            &list->strings, memory_format("%.*s:%u", (int)file.length, file.text, line));
}

/* "-4@%rdi" as "int32"; NULL for what is not a descriptor of ours. */
static const char *type_name(const char *text)
{
    static const struct {
        const char *type, *name;
    } names[] = {{"-1@", "int8"},  {"-2@", "int16"},  {"-4@", "int32"},  {"-8@", "int64"},
                 {"1@", "uint8"},  {"2@", "uint16"},  {"4@", "uint32"},  {"8@", "uint64"},
                 {"4f@", "float"}, {"8f@", "double"}, {"8p@", "pointer"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(text, names[i].type, strlen(names[i].type)) == 0)
            return names[i].name;
    return NULL;
}

/* Of an array, whose descriptor is followed by that of its length, and of an element. */
static const char *array_type(const char *type)
{
    static const char *const arrays[][2] = {
        {"int8", "int8[]"},     {"int16", "int16[]"},    {"int32", "int32[]"},
        {"int64", "int64[]"},   {"uint8", "uint8[]"},    {"uint16", "uint16[]"},
        {"uint32", "uint32[]"}, {"uint64", "uint64[]"},  {"float", "float[]"},
        {"double", "double[]"}, {"pointer", "pointer[]"}};
    for (unsigned i = 0; i < 2; i++) {
        type += strcspn(type, " ");
        type += *type == ' ';
    }
    const char *element = type_name(type);
    for (size_t i = 0; element && i < sizeof arrays / sizeof arrays[0]; i++)
        if (!strcmp(element, arrays[i][0]))
            return arrays[i][1];
    return NULL;
}

/* What a KIND makes of it. */
static const char *meaning(char kind, const char *type)
{
    static const char *const hex[] = {"hex8", "hex16", "hex32", "hex64"};
    const char *size = type + (*type == '-');
    switch (kind) {
    case 'b':
        return "bool";
    case 'p':
        return "pointer";
    case 's':
    case 't':
    case 'v':
        return "string";
    case 'y':
        return "bytes";
    case 'a':
        return array_type(type);
    case 'S':
        return "duration_s";
    case 'M':
        return "duration_ms";
    case 'U':
        return "duration_us";
    case 'N':
        return "duration_ns";
    case 'x':
        return hex[*size == '8' ? 3 : *size == '4' ? 2 : *size == '2'];
    default:
        return type_name(type);
    }
}

struct list_field list_next_field(const char **fields, const char *type)
{
    struct list_field field = {.type = type_name(type)};
    size_t length = *fields ? strcspn(*fields, " ") : 0;
    const char *colon = length ? memchr(*fields, ':', length) : NULL;
    if (colon) {
        size_t before = (size_t)(colon + 1 - *fields);
        field.name = (struct slice){colon + 1, length - before};
        field.labels = before > 2 ? *fields + 1 : NULL;
        field.type = meaning(**fields, type);
        field.kind = **fields;
        field.is_hidden = **fields == 'n' || **fields == 'm';
    }
    if (*fields)
        *fields += length + ((*fields)[length] == ' ');
    return field;
}
