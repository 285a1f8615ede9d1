/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See value.h: comparing an argument whose values have names with a text. The values for
 * which the comparison holds are known beforehand, so the process only compares numbers. A value
 * without a name is not a text, and no comparison with one holds, as in reports.
 */
#include "value.h"

#include <stdio.h>
#include <string.h>

/* LABEL's value as a register of A's type and size has it. */
static uint64_t value_of(const struct value *a, const struct describe_label *label)
{
    unsigned shift = 64 - 8 * a->look.size;
    uint64_t bits = label->value << shift;
    return a->type == LIVE_SIGNED ? (uint64_t)((int64_t)bits >> shift) : bits >> shift;
}

/* Whether an earlier label has the same value: then that is its name. */
static bool is_second(const struct value *a, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (value_of(a, &a->look.labels[k]) == value_of(a, &a->look.labels[i]))
            return true;
    return false;
}

static bool holds(enum code code, const struct describe_label *label, const struct value *b)
{
    struct term name = {.kind = TERM_TEXT, .text = slice_of(label->text)};
    struct term result = code_apply(code, &name, &b->known);
    return code_is_true(&result);
}

static struct value fail_of(struct compiler *compiler, const struct value *a)
{
    char names[80] = "";
    size_t length = 0;
    for (size_t i = 0; i < a->look.label_count && length < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                   a->look.labels[i].text);
    return compile_fail(compiler, "this never holds; the names of its values are %s", names);
}

struct value compile_labels(struct compiler *compiler, enum code code, struct value *a,
                            const struct value *b)
{
    struct assembly *assembly = &compiler->assembly;
    struct value made = {.type = LIVE_NONE};
    for (size_t i = 0; i < a->look.label_count; i++) {
        const struct describe_label *label = &a->look.labels[i];
        if (is_second(a, i) || !holds(code, label, b))
            continue;
        struct value one = value_in_register(compiler, LIVE_UNSIGNED);
        assemble_step(assembly, LIVE_EQUAL, one.number, a->number,
                      assemble_number(assembly, value_of(a, label)));
        if (made.type != LIVE_NONE) {
            assemble_step(assembly, LIVE_EITHER, made.number, made.number, one.number);
            value_let_go(compiler, &one);
        } else
            made = one;
    }
    value_let_go(compiler, a);
    return made.type == LIVE_NONE ? fail_of(compiler, a) : made;
}
