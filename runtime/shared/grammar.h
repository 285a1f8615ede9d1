/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Expressions as users write them, in `sdt report --filter`, in programs of `sdt count` and others,
 * and in sdt_snapshot_when(): `name == "request" && bytes / 1024 > 4`.
 *
 *   or:       and { || and }
 *   and:      not { && not }
 *   not:      ! not | relation
 *   relation: sum [ (== | != | < | <= | > | >= | ^=) sum ]      a ^= "b": text a begins with b
 *   sum:      product { (+ | - | '|' | ^) product }             bits bind as in Go: | as +, & as *
 *   product:  sign { (* | / | % | & | << | >>) sign }
 *   sign:     (- | ~) sign | value
 *   value:    NUMBER | TIME | "TEXT" | true | false | name { part } | call | ( or )
 *   call:     NAME ( or ) | str ( or , or )
 *   name:     NAME | arg.NAME
 *   part:     '[' or ']' | -> NAME | . NAME                    a[2]: the third element of an array
 *
 * The operators are those of code_marks, the functions those of code_names. A TIME, such as 10ms
 * or 1.5s, is an integer, its nanoseconds. operators.h says what is calculated.
 */
#ifndef SDT_GRAMMAR_H
#define SDT_GRAMMAR_H

#include "operators.h"

/* What is wrong with an expression, and where, as an offset. */
struct grammar_error {
    const char *problem; /* NULL: nothing */
    size_t offset;
    bool is_size; /* it would be one, but is nested too deeply, or EMIT had no room */
};

/*
 * A step works on a stack of operands. So to evaluate an expression needs no recursion, and a long
 * chain of operators, which would be a deep tree, costs no stack.
 */
struct grammar_step {
    enum code code;
    size_t offset;        /* in the text: of the constant, name or operator */
    struct term constant; /* of CODE_CONSTANT. A text is as it was written: grammar_text() */
    struct slice name;    /* of CODE_NAME, CODE_MEMBER, and of calls */
    bool is_argument;     /* of CODE_NAME: it was arg.NAME */
    size_t first;         /* of calls: the number of the first step of the first operand, … */
    size_t first_count;   /* … and how many it has */
};

/* Keeps STEP, whose strings are in the text; false: there is no room. */
typedef bool grammar_emit(void *to, const struct grammar_step *step);

/*
 * Parse TEXT, in which no more than DEPTH parentheses, signs and `!` may be inside each other, and
 * call EMIT with TO for each step. False: *ERROR says why. What the names mean is not checked.
 */
bool grammar_parse(const char *text, unsigned depth, grammar_emit *emit, void *to,
                   struct grammar_error *error);

/* Write the characters that a text of an expression means to TO, which has room for as many as were
 * written. How many they are. */
size_t grammar_text(struct slice written, char *to);

#endif
