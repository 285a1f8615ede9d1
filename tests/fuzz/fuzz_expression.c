/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: expressions. Refused with a place in the text; or evaluated, with names that mean
 * integers, numbers, texts or nothing, without depending on anything else.
 */
#include "base/slice.h"
#include "expression/expression.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

static void look_up(void *scope, size_t index, const struct expression_name *name,
                    struct term *value)
{
    const unsigned *turn = scope;
    static const __int128 integers[] = {0, -1, INT64_MAX, INT64_MIN, UINT64_MAX};
    static const double numbers[] = {0, -0.5, 1e308, 1e-320};
    size_t choice = *turn + strlen(name->name);
    target_require(value->kind == TERM_MISSING, "a name means nothing before it is asked");
    if (index % 4 == 0)
        *value = (struct term){.kind = TERM_INTEGER, .integer = integers[choice % 5]};
    else if (index % 4 == 1)
        *value = (struct term){.kind = TERM_REAL, .real = numbers[choice % 4]};
    else if (index % 4 == 2)
        *value = (struct term){.kind = TERM_TEXT, .text = slice_of(name->name)};
}

static void evaluate(const struct expression *expression, size_t length)
{
    const struct expression_name *names;
    size_t count = expression_names(expression, &names);
    for (size_t i = 0; i < count; i++)
        target_require(names[i].offset < length, "a name lies in the text");
    for (unsigned turn = 0; turn < 3; turn++) {
        bool holds = expression_holds(expression, look_up, &turn);
        target_require(holds == expression_holds(expression, look_up, &turn), "the same twice");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct grammar_error error;
    char *text = malloc(size + 1); /* of its own size: AddressSanitizer sees what is after it */
    target_require(text, "there is memory");
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    struct expression *expression = expression_parse(text, &error);
    target_require(!expression == !!error.problem, "an expression or an error");
    if (expression)
        evaluate(expression, strlen(text));
    else
        target_require(error.offset <= strlen(text), "an error has a place in the text");
    expression_free(expression);
    free(text);
    return 0;
}
