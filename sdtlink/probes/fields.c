/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See fields.h: names that can be used, and what the values mean. spelling.c has read what the
 * source says.
 */
#include "fields.h"

#include "spelling.h"

#include <shared/lower_bound.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = FIELD_NAME_SIZE - 8 };

/* As strcmp() of WORD and S. */
static int compare_word(const char *word, struct slice s)
{
    int order = strncmp(word, s.text, s.length);
    return order ? order : word[s.length] != 0;
}

static bool is_keyword(struct slice s)
{
    /* Of C, and of TSDL; in order. */
    /* clang-format off */
    static const char *const keywords[] = {
        "_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex", "_Generic", "_Imaginary",
        "_Noreturn", "_Static_assert", "_Thread_local", "align", "auto", "bool", "break",
        "callsite", "case", "char", "clock", "const", "continue", "default", "do",
        "double", "else", "enum", "env", "event", "extern", "false", "float",
        "floating_point", "for", "goto", "if", "inline", "int", "integer", "long",
        "nullptr", "register", "restrict", "return", "short", "signed", "sizeof",
        "static", "stream", "string", "struct", "switch", "trace", "true", "typealias",
        "typedef", "union", "unsigned", "variant", "void", "volatile", "while"
    };
    /* clang-format on */
    enum { COUNT = sizeof keywords / sizeof *keywords };
    size_t at = LOWER_BOUND(i, COUNT, compare_word(keywords[i], s) < 0);
    return at < COUNT && compare_word(keywords[at], s) == 0;
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
    size_t base = said.length < MAX_NAME ? said.length : MAX_NAME;
    if (said.text && spelling_is_identifier(said)) {
        memcpy(name, said.text, base);
        if (is_keyword(said))
            name[base++] = '_';
        name[base] = '\0';
    } else {
        base = (size_t)snprintf(name, FIELD_NAME_SIZE, "arg%u", i);
    }
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
