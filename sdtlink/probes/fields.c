/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See fields.h: names that can be used, and what the values mean. spelling.c has read what the
 * source says.
 */
#include "fields.h"

#include "spelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = FIELD_NAME_SIZE - 8 };

static bool is_keyword(struct slice s)
{
    static const char *const keywords[] = {
        /* of C */
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
        "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
        "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
        "union", "unsigned", "void", "volatile", "while", "_Alignas", "_Alignof", "_Atomic",
        "_Bool", "_Complex", "_Generic", "_Imaginary", "_Noreturn", "_Static_assert",
        "_Thread_local", "bool", "true", "false", "nullptr",
        /* of TSDL */
        "align", "callsite", "clock", "env", "event", "floating_point", "integer", "stream",
        "string", "trace", "typealias", "variant", NULL};
    return spelling_is_one_of(s, keywords);
}

static bool is_used(const struct fields *fields, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(fields->name[i], name) == 0)
            return true;
    return false;
}

/* The name of argument I, which none before it has. */
static void set_name(struct fields *fields, unsigned i, struct slice said)
{
    char *name = fields->name[i];
    int length = (int)(said.length < MAX_NAME ? said.length : MAX_NAME);
    const char *suffix = is_keyword(said) ? "_" : "";
    if (spelling_is_identifier(said))
        snprintf(name, FIELD_NAME_SIZE, "%.*s%s", length, said.text, suffix);
    else
        snprintf(name, FIELD_NAME_SIZE, "arg%u", i);
    size_t base = strlen(name);
    for (unsigned n = 2; is_used(fields, i, name); n++)
        snprintf(name + base, FIELD_NAME_SIZE - base, "_%u", n);
}

/* A type byte that says it all; 0: there is nothing but a number or an address. */
static char kind_of_type(uint8_t type)
{
    static const char units[] = "SMUN";
    if (field_is_duration(type))
        return units[(type & SDT_ARG_UNIT) >> 4];
    return type == SDT_ARG_TEXT ? 'v' : 0;
}

/* What the value means: by what was SAID, where the type allows it. */
static char kind_of(char said, uint8_t type, char before)
{
    char kind = kind_of_type(type);
    if (kind)
        return said == 'p' && kind == 'v' ? said : kind;
    bool is_float = type & SDT_ARG_FLOAT, is_pointer = type & SDT_ARG_POINTER;
    bool is_wide = (type & SDT_ARG_SIZE) == 8 && !is_float;
    if (said == 'x' && !is_float && !is_pointer)
        return said;
    if (said == 'n' && before && strchr("yta", before) && !is_float && !is_pointer)
        return said;
    if (said == 'm' && before == 'n')
        return said;
    if (said && strchr("psyta", said) && is_wide)
        return said;
    if (is_float)
        return 'f';
    if (is_pointer)
        return type & SDT_ARG_SPECIAL ? 's' : 'p';
    return type & SDT_ARG_SPECIAL ? 'b' : type & SDT_ARG_SIGNED ? 'i' : 'u';
}

/* Text and bytes need their length; an array also an element. */
static bool lacks_parts(const struct fields *fields, unsigned i, unsigned count)
{
    char kind = fields->kind[i];
    const char *parts = kind == 'y' || kind == 't' ? "n" : kind == 'a' ? "nm" : "";
    size_t length = strlen(parts);
    return count - i - 1 < length || memcmp(fields->kind + i + 1, parts, length) != 0;
}

struct source_place fields_place(const char *spelling)
{
    size_t length = spelling ? strcspn(spelling, "\n") : 0;
    const char *colon = length ? memrchr(spelling, ':', length) : NULL;
    if (!colon)
        return (struct source_place){{"", 0}, 0};
    return (struct source_place){{spelling, (size_t)(colon - spelling)},
                                 (uint32_t)strtoul(colon + 1, NULL, 10)};
}

void fields_derive(struct fields *fields, const char *spelling, const uint8_t *types,
                   unsigned count)
{
    struct spelling list = {.is_wrong = true};
    if (spelling)
        spelling_read(&list, spelling + strcspn(spelling, "\n"));
    bool is_known = !list.is_wrong && list.count == count;
    for (unsigned i = 0; i < count; i++) {
        struct said said = is_known ? list.items[i] : (struct said){{NULL, 0}, 0};
        fields->kind[i] = kind_of(said.kind, types[i], i ? fields->kind[i - 1] : 0);
        set_name(fields, i, said.name);
    }
    for (unsigned i = 0; i < count; i++)
        if (lacks_parts(fields, i, count))
            fields->kind[i] = 'p';
}
