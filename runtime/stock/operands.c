/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See operands.h. As sdtlink does it (probes/stapsdt_args.c): each argument gets a TYPE, `N@`,
 * `-N@` or `Nf@`, that may be missing in asm written by hand; then the register's name says it, as
 * it does for gdb. The operand stays as the producer wrote it, and is evaluated at a hit.
 *
 * A blank ends an operand, but not inside of brackets: `8@[sp, 16]`, as compilers for aarch64 spell
 * it. The descriptor has no blanks there.
 *
 * The file's symbols locate variables that an operand names. They do not reveal whether another
 * object may define the variable, so the file's own definition is used.
 */
#include "operands.h"

#include <arch/operand.h>
#include <shared/note_type.h>
#include <stdlib.h>
#include <string.h>

static size_t skip_blanks(const char *text)
{
    return strspn(text, " \t");
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* How long the argument at TEXT is. */
static size_t piece_length(const char *text)
{
    size_t length = 0;
    unsigned depth = 0;
    for (; text[length] && (depth || !is_blank(text[length])); length++) {
        depth += text[length] == '[';
        depth -= text[length] == ']' && depth;
    }
    return length;
}

unsigned operands_count(const char *args)
{
    unsigned n = 0;
    for (args += skip_blanks(args); *args; args += skip_blanks(args)) {
        args += piece_length(args);
        n++;
    }
    return n;
}

size_t operands_room(const char *args)
{
    return strlen(args) + (size_t)operands_count(args) * 4 + 1;
}

static bool is_available(const char *piece, size_t length, size_t type)
{
    size_t operand = type ? type + 1 : 0;
    return operand < length && !memchr(piece + operand, '@', length - operand) &&
           (!type || is_note_type(piece, type));
}

/* The operand `name+8`, in any order: its name, and the sum of its numbers. */
static bool split(const char *operand, size_t length, const char **name, size_t *name_length,
                  uint64_t *sum)
{
    *name = NULL;
    *sum = 0;
    for (size_t i = 0; i < length;) {
        bool is_negative = operand[i] == '-';
        i += operand[i] == '-' || operand[i] == '+';
        size_t end = i;
        while (end < length && operand[end] != '+' && operand[end] != '-')
            end++;
        bool is_number = i < end && operand[i] >= '0' && operand[i] <= '9';
        if (end == i || (!is_number && (*name || is_negative)))
            return false;
        if (is_number) {
            uint64_t value = strtoull(operand + i, NULL, 0);
            *sum += is_negative ? -value : value;
        } else {
            *name = operand + i;
            *name_length = end - i;
        }
        i = end;
    }
    return *name != NULL;
}

/* Whether it is known where the operand is. If it names a variable, its place is added. */
static bool is_placed(const char *operand, size_t length, struct operand_places *places)
{
    const char *name;
    size_t name_length = 0, n;
    uint64_t sum, address;
    if (!operand_has_symbol(operand, length, &n))
        return true;
    if (!n || places->n == SDT_MAX_ARGS || !split(operand, n, &name, &name_length, &sum) ||
        !places->find(places->data, name, name_length, &address))
        return false;
    places->address[places->n++] = address + sum;
    return true;
}

static char *append(char *to, const char *text, size_t n)
{
    memcpy(to, text, n);
    return to + n;
}

static char *describe(char *to, const char *piece, size_t length, struct operand_places *places)
{
    size_t type = note_type_length(piece, length), operand = type ? type + 1 : 0;
    if (!is_available(piece, length, type) || !is_placed(piece + operand, length - operand, places))
        return append(to, "8@?", 3);
    char size = operand_size(piece, length);
    to = append(to, type ? piece : &size, type ? type : 1);
    *to++ = '@';
    for (size_t i = operand; i < length; i++)
        if (!is_blank(piece[i]))
            *to++ = piece[i];
    return to;
}

size_t operands_describe(const char *args, char *text, struct operand_places *places)
{
    places->n = 0;
    char *to = text;
    for (args += skip_blanks(args); *args; args += skip_blanks(args)) {
        size_t length = piece_length(args);
        if (to != text)
            *to++ = ' ';
        to = describe(to, args, length, places);
        args += length;
    }
    *to++ = '\0';
    return (size_t)(to - text);
}
