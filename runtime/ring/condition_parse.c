/* SPDX-License-Identifier: BSD-2-Clause */
/* See condition.h. Recursive descent. */
#include "condition.h"

#include "shared/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *at;
    struct condition *to;
    unsigned depth;
    int error;
};

static bool fail(struct parser *parser, int error)
{
    if (!parser->error)
        parser->error = error;
    return false;
}

/* Never NULL: what there is no room for is written to the last one. */
static struct condition_step *emit(struct parser *parser, enum operation operation)
{
    struct condition *to = parser->to;
    if (to->count == CONDITION_STEPS) {
        fail(parser, -E2BIG);
        to->count--;
    }
    to->steps[to->count] = (struct condition_step){.operation = (uint8_t)operation};
    return &to->steps[to->count++];
}

static bool keep(struct parser *parser, const char *text, size_t length)
{
    struct condition *to = parser->to;
    if (length > CONDITION_TEXT - to->text_size)
        return fail(parser, -E2BIG);
    memcpy(to->text + to->text_size, text, length);
    to->text_size += (unsigned)length;
    return true;
}

/* ---- Words. ---- */

static void skip_blanks(struct parser *parser)
{
    parser->at += strspn(parser->at, " \t\n");
}

static bool take(struct parser *parser, const char *mark)
{
    skip_blanks(parser);
    if (strncmp(parser->at, mark, strlen(mark)) != 0)
        return false;
    parser->at += strlen(mark);
    return true;
}

static bool parse_number(struct parser *parser)
{
    struct word_number number;
    size_t length = word_number(parser->at, &number);
    if (length == 0)
        return fail(parser, -EINVAL);
    parser->at += length;
    struct condition_step *step = emit(parser, number.is_real ? OP_REAL : OP_INTEGER);
    step->is_time = number.is_time;
    if (number.is_real)
        step->real = number.real;
    else
        step->integer = number.integer;
    return true;
}

/* What stands after a backslash. */
static bool parse_escape(struct parser *parser)
{
    char meaning;
    size_t length = word_escape(parser->at, &meaning);
    parser->at += length;
    return length ? keep(parser, &meaning, 1) : fail(parser, -EINVAL);
}

static bool parse_text(struct parser *parser)
{
    unsigned start = parser->to->text_size;
    for (parser->at++; *parser->at != '"';) {
        if (!*parser->at)
            return fail(parser, -EINVAL);
        bool is_escape = *parser->at++ == '\\';
        if (is_escape ? !parse_escape(parser) : !keep(parser, parser->at - 1, 1))
            return false;
    }
    parser->at++;
    struct condition_step *step = emit(parser, OP_TEXT);
    step->text = (uint16_t)start;
    step->length = (uint16_t)(parser->to->text_size - start);
    return true;
}

static bool parse_name(struct parser *parser)
{
    size_t length = word_name(parser->at);
    bool is_true = length == 4 && !memcmp(parser->at, "true", 4);
    if (is_true || (length == 5 && !memcmp(parser->at, "false", 5))) {
        emit(parser, OP_INTEGER)->integer = is_true;
        parser->at += length;
        return true;
    }
    bool is_argument = length == 3 && !memcmp(parser->at, "arg.", 4);
    if (is_argument) {
        parser->at += 4;
        length = word_name(parser->at);
    }
    unsigned start = parser->to->text_size;
    if (length == 0)
        return fail(parser, -EINVAL);
    if (!keep(parser, parser->at, length))
        return false;
    parser->at += length;
    struct condition_step *step = emit(parser, OP_NAME);
    step->text = (uint16_t)start;
    step->length = (uint16_t)length;
    step->is_argument = is_argument;
    return true;
}

/* ---- Grammar. ---- */

static bool parse_or(struct parser *parser);

static bool enter(struct parser *parser)
{
    return ++parser->depth <= CONDITION_DEPTH || fail(parser, -E2BIG);
}

static bool parse_value(struct parser *parser)
{
    skip_blanks(parser);
    if (word_is_digit(*parser->at) || (*parser->at == '.' && word_is_digit(parser->at[1])))
        return parse_number(parser);
    if (*parser->at == '"')
        return parse_text(parser);
    if (word_is_letter(*parser->at))
        return parse_name(parser);
    if (!take(parser, "("))
        return fail(parser, -EINVAL);
    if (!enter(parser) || !parse_or(parser))
        return false;
    parser->depth--;
    return take(parser, ")") || fail(parser, -EINVAL);
}

static bool parse_sign(struct parser *parser)
{
    if (!take(parser, "-"))
        return parse_value(parser);
    if (!enter(parser) || !parse_sign(parser))
        return false;
    parser->depth--;
    emit(parser, OP_NEGATE);
    return true;
}

/* PART { mark PART }; the marks end with one that is NULL. */
struct mark {
    const char *text;
    enum operation operation;
};

static const struct mark *take_one(struct parser *parser, const struct mark *marks)
{
    skip_blanks(parser);
    for (; marks->text; marks++)
        /* && is no & */
        if ((strcmp(marks->text, "&") != 0 || parser->at[0] != '&' || parser->at[1] != '&') &&
            take(parser, marks->text))
            return marks;
    return NULL;
}

static bool parse_chain(struct parser *parser, bool part(struct parser *parser),
                        const struct mark *marks)
{
    if (!part(parser))
        return false;
    for (const struct mark *mark; (mark = take_one(parser, marks));) {
        if (!part(parser))
            return false;
        emit(parser, mark->operation);
    }
    return true;
}

static bool parse_product(struct parser *parser)
{
    static const struct mark marks[] = {
        {"*", OP_MULTIPLY}, {"/", OP_DIVIDE}, {"%", OP_REMAINDER}, {"&", OP_BITS}, {0}};
    return parse_chain(parser, parse_sign, marks);
}

static bool parse_sum(struct parser *parser)
{
    static const struct mark marks[] = {{"+", OP_ADD}, {"-", OP_SUBTRACT}, {0}};
    return parse_chain(parser, parse_product, marks);
}

static bool parse_relation(struct parser *parser)
{
    static const struct mark marks[] = {
        {"==", OP_EQUAL}, {"!=", OP_UNEQUAL}, {"<=", OP_LESS_EQUAL}, {">=", OP_MORE_EQUAL},
        {"<", OP_LESS},   {">", OP_MORE},     {"^=", OP_BEGINS},     {0}};
    if (!parse_sum(parser))
        return false;
    const struct mark *mark = take_one(parser, marks);
    if (!mark)
        return true;
    if (!parse_sum(parser))
        return false;
    emit(parser, mark->operation);
    return !take_one(parser, marks) || fail(parser, -EINVAL);
}

static bool parse_not(struct parser *parser)
{
    skip_blanks(parser);
    if (parser->at[0] != '!' || parser->at[1] == '=')
        return parse_relation(parser);
    parser->at++;
    if (!enter(parser) || !parse_not(parser))
        return false;
    parser->depth--;
    emit(parser, OP_NOT);
    return true;
}

static bool parse_and(struct parser *parser)
{
    static const struct mark marks[] = {{"&&", OP_AND}, {0}};
    return parse_chain(parser, parse_not, marks);
}

static bool parse_or(struct parser *parser)
{
    static const struct mark marks[] = {{"||", OP_OR}, {0}};
    return parse_chain(parser, parse_and, marks);
}

int condition_parse(const char *text, struct condition *condition)
{
    struct parser parser = {.at = text, .to = condition};
    condition->count = condition->text_size = 0;
    if (parse_or(&parser)) {
        skip_blanks(&parser);
        if (*parser.at)
            fail(&parser, -EINVAL);
    }
    return parser.error;
}
