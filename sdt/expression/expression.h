/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conditions on events, as users write them: `name == "request" && bytes / 1024 > 4`. Pure: what a
 * name means is asked of the caller.
 *
 *   or:       and { || and }
 *   and:      not { && not }
 *   not:      ! not | relation
 *   relation: sum [ (== | != | < | <= | > | >= | ^=) sum ]      a ^= "b": text a begins with b
 *   sum:      product { (+ | - | '|' | ^) product }             bits bind as in Go: | as +, & as *
 *   product:  sign { (* | / | % | & | << | >>) sign }
 *   sign:     (- | ~) sign | value
 *   value:    NUMBER | TIME | "TEXT" | true | false | name [ '[' or ']' ] | call | ( or )
 *   call:     NAME ( or ) | str ( or , or )
 *   name:     NAME | arg.NAME                                  a[2]: the third element of an array
 *
 * Integers are exact: the whole range of signed and unsigned 64-bit ones. What has no value (a name
 * that this event does not have, a division by zero, text in a sum, text compared with a number) is
 * missing; a comparison with it is false, and as a condition it counts as false.
 *
 * A TIME, such as 10ms or 1.5s, is an integer, its nanoseconds. An argument that is a duration also
 * has a unit: if the units of a comparison, a sum or a quotient differ, both become nanoseconds.
 */
#ifndef SDT_EXPRESSION_H
#define SDT_EXPRESSION_H

#include "operand.h"

struct expression;

/* What is wrong with an expression, and where, as an offset. */
struct expression_error {
    const char *problem;
    size_t offset;
};

/* NULL if TEXT is no expression; *ERROR is set then. */
struct expression *expression_parse(const char *text, struct expression_error *error);
void expression_free(struct expression *expression);

/* The names used, in order. */
size_t expression_names(const struct expression *expression, const struct expression_name **names);

/* Gives name number INDEX its meaning: sets *VALUE, which is "missing" before. */
typedef void expression_lookup(void *scope, size_t index, const struct expression_name *name,
                               struct operand *value);
/* The functions that expression_holds() knows: int(), len(), str(). The memory of the process is
 * gone, so str() takes a text, and can only shorten it. */
bool expression_can_call(const char *name);
/* What the expression is. A text in it lies where LOOKUP has found it. */
struct operand expression_value(const struct expression *expression, expression_lookup *lookup,
                                void *scope);
/* Does the expression hold? */
bool expression_holds(const struct expression *expression, expression_lookup *lookup, void *scope);

#endif
