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
    if (code_function(name) != FUNCTION_STR)
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

/* [ or ] after the name of an array. */
static bool parse_element(struct parser *parser)
{
    const char *bracket = parser->at - 1;
    return parse_inside(parser, "]", "expected ] or an operator") &&
           put_code(parser, bracket, CODE_ELEMENT);
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
    return put(parser, start, step) && (!take(parser, "[") || parse_element(parser));
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
    skip_blanks(parser);
    const char *sign = parser->at;
    if (!take(parser, "-") && !take(parser, "~"))
        return parse_value(parser);
    if (!enter(parser) || !parse_sign(parser))
        return false;
    parser->depth--;
    return put_code(parser, sign, *sign == '~' ? CODE_COMPLEMENT : CODE_NEGATE);
}

/* PART { mark PART }; the marks end with one that is NULL. */
struct mark {
    const char *text;
    enum code code;
};

static const struct mark *take_one(struct parser *parser, const struct mark *marks)
{
    skip_blanks(parser);
    if (!strncmp(parser->at, "&&", 2) || !strncmp(parser->at, "||", 2) ||
        !strncmp(parser->at, "^=", 2)) { /* no & or |, nor ^ */
        while (marks->text && strncmp(marks->text, parser->at, 2) != 0)
            marks++;
        return marks->text && take(parser, marks->text) ? marks : NULL;
    }
    for (; marks->text; marks++)
        if (take(parser, marks->text))
            return marks;
    return NULL;
}

static bool parse_chain(struct parser *parser, bool part(struct parser *parser),
                        const struct mark *marks)
{
    if (!part(parser))
        return false;
    for (const struct mark *mark; (mark = take_one(parser, marks));) {
        const char *at = parser->at - strlen(mark->text);
        if (!part(parser) || !put_code(parser, at, mark->code))
            return false;
    }
    return true;
}

static bool parse_product(struct parser *parser)
{
    static const struct mark marks[] = {{"*", CODE_MULTIPLY},
                                        {"/", CODE_DIVIDE},
                                        {"%", CODE_REMAINDER},
                                        {"&", CODE_BITS},
                                        {"<<", CODE_LEFT},
                                        {">>", CODE_RIGHT},
                                        {0}};
    return parse_chain(parser, parse_sign, marks);
}

static bool parse_sum(struct parser *parser)
{
    static const struct mark marks[] = {
        {"+", CODE_ADD}, {"-", CODE_SUBTRACT}, {"|", CODE_BITS_OR}, {"^", CODE_BITS_XOR}, {0}};
    return parse_chain(parser, parse_product, marks);
}

static bool parse_relation(struct parser *parser)
{
    static const struct mark marks[] = {
        {"==", CODE_EQUAL}, {"!=", CODE_UNEQUAL}, {"<=", CODE_LESS_EQUAL}, {">=", CODE_MORE_EQUAL},
        {"<", CODE_LESS},   {">", CODE_MORE},     {"^=", CODE_BEGINS},     {0}};
    if (!parse_sum(parser))
        return false;
    const struct mark *mark = take_one(parser, marks);
    if (!mark)
        return true;
    const char *at = parser->at - strlen(mark->text);
    if (!parse_sum(parser) || !put_code(parser, at, mark->code))
        return false;
    return !take_one(parser, marks) ||
           fail_at(parser, parser->at - 1, "comparisons do not chain: write a < b && b < c");
}

static bool parse_not(struct parser *parser)
{
    skip_blanks(parser);
    const char *at = parser->at;
    if (at[0] != '!' || at[1] == '=')
        return parse_relation(parser);
    parser->at++;
    if (!enter(parser) || !parse_not(parser))
        return false;
    parser->depth--;
    return put_code(parser, at, CODE_NOT);
}

static bool parse_and(struct parser *parser)
{
    static const struct mark marks[] = {{"&&", CODE_AND}, {0}};
    return parse_chain(parser, parse_not, marks);
}

static bool parse_or(struct parser *parser)
{
    static const struct mark marks[] = {{"||", CODE_OR}, {0}};
    return parse_chain(parser, parse_and, marks);
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
