/* SPDX-License-Identifier: BSD-2-Clause */
/* See grammar.h. Recursive descent. */
#include "grammar.h"

#include "words.h"

struct parser {
    const char *text, *at;
    unsigned depth, most;
    size_t count; /* of steps */
    grammar_emit *emit;
    void *to;
    struct grammar_error *error;
};

static bool fail_at(struct parser *parser, const char *at, const char *problem)
{
    if (!parser->error->problem) {
        parser->error->problem = problem;
        parser->error->offset = (size_t)(at - parser->text);
    }
    return false;
}

static bool fail(struct parser *parser, const char *problem)
{
    return fail_at(parser, parser->at, problem);
}

static bool fail_for_size(struct parser *parser, const char *problem)
{
    parser->error->is_size = !parser->error->problem;
    return fail(parser, problem);
}

static bool put(struct parser *parser, const char *at, struct grammar_step step)
{
    step.offset = (size_t)(at - parser->text);
    parser->count++;
    return parser->emit(parser->to, &step) || fail_for_size(parser, "too long");
}

static bool put_code(struct parser *parser, const char *at, enum code code)
{
    return put(parser, at, (struct grammar_step){.code = code});
}

static bool put_constant(struct parser *parser, const char *at, struct term operand)
{
    return put(parser, at, (struct grammar_step){.code = CODE_CONSTANT, .constant = operand});
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

/* The operator of LEVEL that stands here is taken; NULL: there is none. "&&" is not "&". */
static const struct code_mark *take_mark(struct parser *parser, enum level level)
{
    const struct code_mark *found = NULL;
    size_t longest = 0;
    skip_blanks(parser);
    for (const struct code_mark *mark = code_marks; *mark->text; mark++) {
        size_t length = strlen(mark->text);
        if (length < longest || strncmp(parser->at, mark->text, length) != 0)
            continue;
        if (length > longest)
            found = NULL;
        longest = length;
        if (mark->level == level)
            found = mark;
    }
    parser->at += found ? longest : 0;
    return found;
}

static bool parse_number(struct parser *parser)
{
    struct word_number number;
    const char *start = parser->at;
    size_t length = word_number(start, &number);
    if (length == 0)
        return fail(parser, "not a number that fits 64 bits, and no time such as 10ms");
    parser->at += length;
    return put_constant(parser, start,
                        number.is_real ? (struct term){.kind = TERM_REAL, .real = number.real}
                                       : (struct term){.kind = TERM_INTEGER,
                                                       .unit = number.is_time,
                                                       .integer = number.integer});
}

static bool skip_escape(struct parser *parser)
{
    char meaning;
    size_t length = word_escape(parser->at, &meaning);
    parser->at += length;
    return length || fail(parser, "no such escape in a text");
}

static bool parse_text(struct parser *parser)
{
    const char *start = parser->at++;
    while (*parser->at != '"') {
        if (!*parser->at)
            return fail(parser, "the text has no closing \"");
        if (*parser->at++ == '\\' && !skip_escape(parser))
            return false;
    }
    struct slice written = {start + 1, (size_t)(parser->at++ - start - 1)};
    return put_constant(parser, start, (struct term){.kind = TERM_TEXT, .text = written});
}

size_t grammar_text(struct slice written, char *to)
{
    const char *at = written.text, *end = at + written.length;
    char *begin = to;
    while (at < end)
        if (*at++ == '\\')
            at += word_escape(at, to++);
        else
            *to++ = at[-1];
    return (size_t)(to - begin);
}

static bool parse_or(struct parser *parser);

static bool enter(struct parser *parser)
{
    return ++parser->depth <= parser->most || fail_for_size(parser, "nested too deeply");
}

/* OR and what closes it; the parser is after what opens it. */
static bool parse_inside(struct parser *parser, const char *closing, const char *problem)
{
    if (!enter(parser) || !parse_or(parser))
        return false;
    parser->depth--;
    return take(parser, closing) || fail(parser, problem);
}

/* `, or`, as str() may have it. */
static bool parse_second(struct parser *parser, struct slice name)
{
    enum function function = code_function(name);
    if (function == FUNCTIONS || code_names[function].most < 2)
        return fail(parser, "only str() takes two values, an address and a length");
    return take(parser, ",") && parse_or(parser);
}

static bool parse_call(struct parser *parser, struct slice name)
{
    struct grammar_step call = {.code = CODE_CALL, .name = name, .first = parser->count};
    if (!take(parser, "(") || !enter(parser) || !parse_or(parser))
        return false;
    call.first_count = parser->count - call.first;
    skip_blanks(parser);
    if (*parser->at == ',') {
        call.code = CODE_CALL_TWO;
        if (!parse_second(parser, name))
            return false;
    }
    parser->depth--;
    if (!take(parser, ")"))
        return fail(parser, "expected ) or an operator");
    return put(parser, name.text, call);
}

/* -> or . has been read. What is meant is a member either way: a pointer has no others. */
static bool parse_member(struct parser *parser, const char *at)
{
    skip_blanks(parser);
    struct slice name = {parser->at, word_name(parser->at)};
    parser->at += name.length;
    if (!name.length)
        return fail(parser, "expected the name of a member");
    return put(parser, at, (struct grammar_step){.code = CODE_MEMBER, .name = name});
}

/* [ or ] after the name of an array. */
static bool parse_element(struct parser *parser)
{
    const char *bracket = parser->at - 1;
    return parse_inside(parser, "]", "expected ] or an operator") &&
           put_code(parser, bracket, CODE_ELEMENT);
}

/* What follows a name. */
static bool parse_parts(struct parser *parser)
{
    for (;;) {
        skip_blanks(parser);
        const char *at = parser->at;
        if (take(parser, "[")) {
            if (!parse_element(parser))
                return false;
        } else if (!take(parser, "->") && !take(parser, ".")) {
            return true;
        } else if (!parse_member(parser, at)) {
            return false;
        }
    }
}

static bool parse_name(struct parser *parser)
{
    const char *start = parser->at;
    struct slice name = {start, word_name(start)};
    parser->at += name.length;
    bool is_true = slice_is(name, "true");
    if (is_true || slice_is(name, "false"))
        return put_constant(parser, start, (struct term){.kind = TERM_INTEGER, .integer = is_true});
    bool is_argument = slice_is(name, "arg") && *parser->at == '.';
    if (is_argument) {
        name = (struct slice){parser->at + 1, word_name(parser->at + 1)};
        parser->at += 1 + name.length;
        if (!name.length)
            return fail(parser, "expected the name of an argument");
    }
    skip_blanks(parser);
    if (*parser->at == '(' && !is_argument)
        return parse_call(parser, name);
    struct grammar_step step = {.code = CODE_NAME, .name = name, .is_argument = is_argument};
    return put(parser, start, step) && parse_parts(parser);
}

/* ---- Grammar. ---- */

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
        return fail(parser, "expected a name, a number, a \"text\" or (");
    return parse_inside(parser, ")", "expected ) or an operator");
}

static bool parse_sign(struct parser *parser)
{
    const struct code_mark *sign = take_mark(parser, LEVEL_SIGN);
    if (!sign)
        return parse_value(parser);
    const char *at = parser->at - 1;
    if (!enter(parser) || !parse_sign(parser))
        return false;
    parser->depth--;
    return put_code(parser, at, sign->code);
}

/* PART { mark of LEVEL PART } */
static bool parse_chain(struct parser *parser, bool part(struct parser *parser), enum level level)
{
    if (!part(parser))
        return false;
    for (const struct code_mark *mark; (mark = take_mark(parser, level));) {
        const char *at = parser->at - strlen(mark->text);
        if (!part(parser) || !put_code(parser, at, mark->code))
            return false;
    }
    return true;
}

static bool parse_product(struct parser *parser)
{
    return parse_chain(parser, parse_sign, LEVEL_PRODUCT);
}

static bool parse_sum(struct parser *parser)
{
    return parse_chain(parser, parse_product, LEVEL_SUM);
}

static bool parse_relation(struct parser *parser)
{
    if (!parse_sum(parser))
        return false;
    const struct code_mark *mark = take_mark(parser, LEVEL_RELATION);
    if (!mark)
        return true;
    const char *at = parser->at - strlen(mark->text);
    if (!parse_sum(parser) || !put_code(parser, at, mark->code))
        return false;
    return !take_mark(parser, LEVEL_RELATION) ||
           fail_at(parser, parser->at - 1, "comparisons do not chain: write a < b && b < c");
}

static bool parse_not(struct parser *parser)
{
    const struct code_mark *mark = take_mark(parser, LEVEL_NOT);
    if (!mark)
        return parse_relation(parser);
    const char *at = parser->at - 1;
    if (!enter(parser) || !parse_not(parser))
        return false;
    parser->depth--;
    return put_code(parser, at, mark->code);
}

static bool parse_and(struct parser *parser)
{
    return parse_chain(parser, parse_not, LEVEL_AND);
}

static bool parse_or(struct parser *parser)
{
    return parse_chain(parser, parse_and, LEVEL_OR);
}

bool grammar_parse(const char *text, unsigned depth, grammar_emit *emit, void *to,
                   struct grammar_error *error)
{
    struct parser parser = {
        .text = text, .at = text, .most = depth, .emit = emit, .to = to, .error = error};
    *error = (struct grammar_error){0};
    if (!parse_or(&parser))
        return false;
    skip_blanks(&parser);
    return !*parser.at || fail(&parser, *parser.at == '=' ? "expected an operator; equality is =="
                                                          : "expected an operator");
}
