/* SPDX-License-Identifier: BSD-2-Clause */
/* See site_arguments.h. */
#include "site_arguments.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void take(struct site_arguments *arguments, char *word)
{
    struct compile_argument *argument = &arguments->list[arguments->count];
    unsigned label_count = 0;
    char *colon = strchr(word, ':'), *labels = colon ? strchr(colon, ';') : NULL;
    if (!colon)
        return;
    if (labels) {
        arguments->labels[arguments->count] = describe_read_labels(labels, &label_count);
        *labels = '\0';
    }
    *colon = '\0';
    *argument = (struct compile_argument){.name = word, .type = colon + 1};
    argument->labels = arguments->labels[arguments->count++];
    argument->label_count = label_count;
}

struct site_arguments *site_arguments_read(const char *text)
{
    struct site_arguments *arguments = memory_zeroed(1, sizeof *arguments);
    char *rest = arguments->text = memory_format("%s", text);
    for (char *word; (word = strsep(&rest, " ")) && arguments->count < SITE_MAX_ARGUMENTS;)
        take(arguments, word);
    return arguments;
}

void site_arguments_free(struct site_arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->labels[i]);
    free(arguments->text);
    free(arguments);
}

/* ---- Sites that differ. ---- */

/* Bits of an integer of TYPE, negative if it has no sign; 0: it is something else. */
static int bits_of(const char *type)
{
    static const char *const names[] = {"int", "uint", "hex"};
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(names[i]);
        char *end;
        long bits = strncmp(type, names[i], length) == 0 ? strtol(type + length, &end, 10) : 0;
        if (bits > 0 && bits <= 64 && !*end)
            return i == 0 ? (int)bits : (int)-bits;
    }
    return strcmp(type, "length") == 0 ? 64 : strcmp(type, "bool") == 0 ? -8 : 0;
}

size_t site_arguments_widen(struct site_arguments *to, const struct site_arguments *other)
{
    size_t worst = SIZE_MAX;
    to->may_lack |= other->may_lack;
    for (size_t i = 0; i < to->count && i < other->count; i++) {
        struct compile_argument *a = &to->list[i];
        const struct compile_argument *b = &other->list[i];
        int one = bits_of(a->type), two = bits_of(b->type);
        if (!one || !two || (one > 0) == (two > 0) || a->label_count || b->label_count)
            continue;
        if (one == -64 || two == -64)
            worst = worst < i ? worst : i;
        else
            a->type = "int64";
    }
    return worst;
}

char *site_arguments_short(const char *text)
{
    char *brief = memory_format("%s", text), *to = brief;
    for (; *text; text += *text == ';' ? strcspn(text, " ") : 0)
        if (*text != ';')
            *to++ = *text++;
    *to = '\0';
    return brief;
}

/* ---- Begins and ends. ---- */

/* Whether a key can be made of it, and the program has given it a name. */
static bool can_match(const struct compile_argument *argument)
{
    static const char *const others[] = {"float", "double", "length", "element", "bytes"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(argument->type, others[i]))
            return false;
    bool is_numbered =
        !strncmp(argument->name, "arg", 3) && argument->name[3] >= '0' && argument->name[3] <= '9';
    return !is_numbered && !strchr(argument->type, '[');
}

const char *site_arguments_common(const struct site_arguments *begin,
                                  const struct site_arguments *end)
{
    for (size_t i = 0; i < begin->count; i++)
        for (size_t k = 0; k < end->count; k++)
            if (can_match(&begin->list[i]) && !strcmp(begin->list[i].name, end->list[k].name))
                return begin->list[i].name;
    return NULL;
}

char *site_arguments_how_to_pair(const char *common)
{
    return memory_format("begin and end are paired by thread; if one thread has several open at "
                         "once, pair them by a value that both probes have: match %s",
                         common ? common : "EXPRESSION");
}
