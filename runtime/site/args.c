/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See args.h. Operands are skipped here: at call sites the calling convention determines where each
 * argument is; the operand only repeats it for external tracers.
 */
#include "args.h"

#include <string.h>

/* One TYPE, `[-]SIZE[f|p]@`; returns what follows it, or NULL. */
static const char *parse_type(const char *text, uint8_t *type)
{
    enum { pointer = '0' + sizeof(uintptr_t) };
    bool is_signed = *text == '-';
    if (is_signed)
        text++;
    char size = *text;
    if (size != '1' && size != '2' && size != '4' && size != '8')
        return NULL;
    *type = (uint8_t)((size - '0') | (is_signed ? SDT_ARG_SIGNED : 0));
    text++;
    if (*text == 'f' || *text == 'p') {
        bool is_float = *text == 'f';
        if (is_float ? size != '4' && size != '8' : size != pointer || is_signed)
            return NULL;
        *type |= is_float ? SDT_ARG_FLOAT : SDT_ARG_POINTER;
        text++;
    }
    return *text == '@' ? text + 1 : NULL;
}

bool args_parse(const char *text, unsigned count, struct args *args)
{
    if (count > SDT_MAX_ARGS)
        return false;
    args->count = (uint8_t)count;
    for (unsigned i = 0; i < count; i++) {
        text = parse_type(text, &args->type[i]);
        if (!text)
            return false;
        size_t operand = strcspn(text, " \t");
        if (operand == 0)
            return false;
        text += operand;
        if (*text == ' ' && *++text == '\0')
            return false;
    }
    if (*text == '\t') /* names follow: field.h */
        text++;
    return *text == '\0';
}

void args_untyped(struct args *args)
{
    args->count = 6;
    memset(args->type, sizeof(uintptr_t), sizeof args->type);
}
