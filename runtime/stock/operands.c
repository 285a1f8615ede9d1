/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See operands.h. As sdtlink does it (probes/stapsdt_args.c): <shared/note_args.h> tells the
 * arguments apart, each gets a TYPE, and operands stay as the producer wrote them, without blanks.
 *
 * The file's symbols locate variables that an operand names. They do not reveal whether another
 * object may define the variable, so the file's own definition is used.
 */
#include "operands.h"

#include <arch/operand.h>
#include <shared/note_args.h>
#include <string.h>

static const char unreadable[] = "8@?";

unsigned operands_count(const char *args)
{
    int count = note_args_count(args, strlen(args));
    return count < 0 ? 1 : (unsigned)count;
}

size_t operands_room(const char *args)
{
    size_t each = sizeof unreadable + NOTE_ARG_ROOM; /* a blank, or the NUL at the end, is in it */
    return strlen(args) + operands_count(args) * each + 1;
}

/* Whether it is known where the variable is that TEXT names; its place is added. */
static bool is_placed(const char *text, const struct operand *operand,
                      struct operand_places *places)
{
    size_t length;
    uint64_t address;
    const char *name = operand_syntax->name(text, &length);
    if (places->n == SDT_MAX_ARGS || !places->find(places->data, name, length, &address))
        return false;
    places->address[places->n++] = address + (uint64_t)operand->displacement;
    return true;
}

/* Write ARG to TO; returns how many bytes that takes, 0: it cannot be read. */
static size_t describe(char *to, const struct note_arg *arg, struct operand_places *places)
{
    struct operand operand;
    if (!note_arg_is_sound(arg))
        return 0;
    char size = operand_syntax->size(arg->operand, arg->operand_length);
    size_t length = note_arg_describe(arg, size, false, to);
    to[length] = '\0';
    const char *place = strchr(to, '@') + 1;
    operand_parse(place, &operand);
    bool is_readable = operand_is_readable(&operand, note_arg_size(arg, size)) &&
                       (operand.kind != OPERAND_SYMBOL || is_placed(place, &operand, places));
    return is_readable ? length : 0;
}

size_t operands_describe(const char *args, char *text, struct operand_places *places)
{
    struct note_args rest;
    struct note_arg arg;
    char *to = text;
    places->n = 0;
    if (note_args_count(args, strlen(args)) < 0) { /* one argument, which cannot be read */
        memcpy(text, unreadable, sizeof unreadable);
        return sizeof unreadable;
    }
    for (note_args_begin(&rest, args, strlen(args)); note_args_next(&rest, &arg);) {
        if (to != text)
            *to++ = ' ';
        size_t length = describe(to, &arg, places);
        if (!length)
            memcpy(to, unreadable, length = sizeof unreadable - 1);
        to += length;
    }
    *to++ = '\0';
    return (size_t)(to - text);
}
