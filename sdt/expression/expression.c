/* SPDX-License-Identifier: BSD-2-Clause */
/* See expression.h. */
#include "expression.h"

#include <stdlib.h>

/* ---- From the text. ---- */

static char *keep(struct expression *to, struct slice name)
{
    struct bytes copy = {0};
    bytes_append(&copy, name.text, name.length);
    bytes_append(&copy, "", 1);
    char *kept = arena_keep(&to->arena, copy.data, copy.size);
    bytes_free(&copy);
    return kept;
}

/* The number of the name that a call in STEP has as its first operand. */
static size_t operand_of(const struct expression *to, const struct grammar_step *step)
{
    const struct step *first = &to->steps[step->first];
    return step->first_count == 1 && first->code == CODE_NAME ? first->index : SIZE_MAX;
}

static bool add_step(void *data, const struct grammar_step *given)
{
    struct expression *to = data;
    struct step step = {.code = given->code, .offset = given->offset, .constant = given->constant};
    if (step.constant.kind == TERM_TEXT) {
        char *text = keep(to, given->constant.text); /* what is meant is no longer */
        size_t length = grammar_text(given->constant.text, text);
        step.constant = (struct term){.kind = TERM_TEXT, .text = {text, length}};
    }
    if (given->name.length) {
        bool is_call = given->code == CODE_CALL || given->code == CODE_CALL_TWO;
        to->names =
            memory_with_room(to->names, to->name_count, &to->name_capacity, sizeof *to->names);
        to->names[to->name_count] =
            (struct expression_name){.name = keep(to, given->name),
                                     .is_argument = given->is_argument,
                                     .is_call = is_call,
                                     .is_member = given->code == CODE_MEMBER,
                                     .offset = given->offset,
                                     .of = is_call ? operand_of(to, given) : SIZE_MAX};
        step.index = to->name_count++;
        step.function = code_function(given->name);
    }
    to->steps = memory_with_room(to->steps, to->count, &to->capacity, sizeof *to->steps);
    to->steps[to->count++] = step;
    return true;
}

struct expression *expression_parse(const char *text, struct grammar_error *error)
{
    struct expression *expression = memory_zeroed(1, sizeof *expression);
    if (grammar_parse(text, MAX_DEPTH, add_step, expression, error))
        return expression;
    expression_free(expression);
    return NULL;
}

void expression_free(struct expression *expression)
{
    if (!expression)
        return;
    free(expression->steps);
    free(expression->names);
    arena_free(&expression->arena);
    free(expression);
}

size_t expression_names(const struct expression *expression, const struct expression_name **names)
{
    *names = expression->names;
    return expression->name_count;
}

/* ---- To a value. ---- */

static struct term apply(const struct step *step, const struct term *operands)
{
    if (step->code != CODE_CALL && step->code != CODE_CALL_TWO)
        return code_apply(step->code, &operands[0], &operands[1]);
    return code_call(step->function, &operands[0],
                     step->code == CODE_CALL_TWO ? &operands[1] : NULL);
}

struct term expression_value(const struct expression *expression, expression_lookup *lookup,
                             void *scope)
{
    static const struct term missing = {.kind = TERM_MISSING};
    struct term stack[STACK_SIZE + 1];
    size_t top = 0;
    for (size_t i = 0; i < expression->count; i++) {
        const struct step *step = &expression->steps[i];
        if (top < code_operands(step->code) || top == STACK_SIZE)
            return missing; /* the parser does not write such code */
        if (step->code == CODE_CONSTANT)
            stack[top++] = step->constant;
        else if (step->code == CODE_NAME) {
            stack[top] = missing;
            lookup(scope, step->index, &expression->names[step->index], &stack[top++]);
        } else {
            top -= code_operands(step->code);
            stack[top] = apply(step, &stack[top]);
            top++;
        }
    }
    return top == 1 ? stack[0] : missing;
}

bool expression_holds(const struct expression *expression, expression_lookup *lookup, void *scope)
{
    struct term value = expression_value(expression, lookup, scope);
    return code_is_true(&value);
}
