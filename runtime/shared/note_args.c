/* SPDX-License-Identifier: BSD-2-Clause */
/* See note_args.h. */
#include "note_args.h"

#include "words.h"

#include <string.h>

/* ---- Where an argument ends. ---- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

static bool is_one_of(char c, const char *all)
{
    return c && strchr(all, c) != NULL;
}

/* Whether an operand goes on at NEXT, which is after blanks, the last of them not at its end. */
static bool goes_on(char before, const char *next, const char *end)
{
    bool is_sign = *next == '+' || *next == '-';
    return is_one_of(before, "@+-*/|&^~<>!=:$#") || is_one_of(*next, "*/|&^<>=:)]") ||
           (is_sign && next + 1 < end && is_blank(next[1]));
}

/* The characters of the type before an '@' at TEXT; 0 if it has none. */
static size_t type_length(const char *text, size_t length)
{
    const char *at = memchr(text, '@', length);
    size_t i = 0;
    if (!at)
        return 0;
    i += text[0] == '-';
    while (text[i] >= '0' && text[i] <= '9')
        i++;
    i += text[i] == 'f';
    return text + i == at ? i : 0;
}

/* Whether the operand in TEXT is a number, to which a parenthesis that follows may belong. */
static bool is_number(const char *text, size_t length)
{
    size_t type = type_length(text, length);
    size_t i = type ? type + 1 : 0;
    bool has_digit = false;
    for (; i < length; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '9';
        has_digit |= is_digit;
        if (!is_digit && !(has_digit && is_one_of(text[i], "abcdefABCDEFxX")) &&
            !is_one_of(text[i], "+- "))
            return false;
    }
    return has_digit;
}

/* Whether the comma AT is in the argument at START: `8@9,10`, memory at the sum of two registers as
 * PowerPC has it. */
static bool is_in_pair(const char *start, const char *at, const char *end)
{
    const char *next = at + 1;
    while (next < end && *next >= '0' && *next <= '9')
        next++;
    return type_length(start, (size_t)(at - start)) && is_number(start, (size_t)(at - start)) &&
           next > at + 1 && (next == end || *next == ',' || is_blank(*next));
}

/* Where the argument at START ends; NULL, and a problem, if that is unknown. */
static const char *find_end(struct note_args *args, const char *start)
{
    unsigned depth = 0;
    const char *at = start;
    for (; at < args->end; at++) {
        if (*at == '(' || *at == '[') {
            depth++;
        } else if (*at == ')' || *at == ']') {
            if (!depth--) {
                args->problem = "a bracket closes that was not opened";
                return NULL;
            }
        } else if (!depth && *at == ',') {
            if (!is_in_pair(start, at, args->end))
                return at;
        } else if (!depth && is_blank(*at)) {
            const char *next = skip_blanks(at, args->end);
            if (next == args->end || !goes_on(at[-1], next, args->end)) {
                if (next < args->end && *next == '(' && is_number(start, (size_t)(at - start)))
                    args->problem = "a blank before a parenthesis may separate arguments or not";
                return args->problem ? NULL : at;
            }
            at = next - 1;
        }
    }
    if (depth)
        args->problem = "a bracket is not closed";
    return depth ? NULL : at;
}

/* Move after what separates two arguments; false: a comma has none before or after it. */
static bool skip_separator(struct note_args *args)
{
    args->at = skip_blanks(args->at, args->end);
    if (args->at == args->end || *args->at != ',')
        return true;
    args->at = skip_blanks(args->at + 1, args->end);
    return args->at < args->end && *args->at != ',';
}

void note_args_begin(struct note_args *args, const char *text, size_t length)
{
    const char *end = text + length, *at = skip_blanks(text, end);
    while (end > at && is_blank(end[-1]))
        end--;
    if (end - at == 1 && *at == ':')
        at = end;
    *args = (struct note_args){.at = at, .end = end};
    if (at < end && *at == ',')
        args->problem = "a comma has no argument before it";
}

bool note_args_next(struct note_args *args, struct note_arg *arg)
{
    const char *start = args->at;
    if (args->problem || start == args->end)
        return false;
    const char *end = find_end(args, start);
    if (!end)
        return false;
    size_t length = (size_t)(end - start), type = type_length(start, length);
    const char *operand = type ? skip_blanks(start + type + 1, end) : start;
    *arg = (struct note_arg){start, operand, length, (size_t)(end - operand), type};
    args->at = end;
    if (!skip_separator(args))
        args->problem = "a comma has no argument after it";
    return true;
}

int note_args_count(const char *text, size_t length)
{
    struct note_args args;
    struct note_arg arg;
    int count = 0;
    note_args_begin(&args, text, length);
    while (note_args_next(&args, &arg))
        count++;
    return args.problem ? -1 : count;
}

/* ---- What an argument says. ---- */

/* Whether these LENGTH characters are a type that a record can describe. */
static bool is_described(const char *type, size_t length)
{
    bool is_signed = length && type[0] == '-', is_float = length && type[length - 1] == 'f';
    if (length != 1u + is_signed + is_float || (is_signed && is_float))
        return false;
    return is_one_of(type[is_signed], is_float ? "48" : "1248");
}

/* Whether blanks stand between two words, which without them would be one: `[sp 16]`. */
static bool has_two_words(const char *text, size_t length)
{
    const char *end = text + length;
    for (const char *at = text + 1; at < end; at++) {
        bool begins = is_blank(*at) && (word_is_letter(at[-1]) || word_is_digit(at[-1]));
        const char *next = begins ? skip_blanks(at, end) : end;
        if (next < end && (word_is_letter(*next) || word_is_digit(*next)))
            return true;
    }
    return false;
}

bool note_arg_is_sound(const struct note_arg *arg)
{
    return arg->operand_length && !has_two_words(arg->operand, arg->operand_length) &&
           !memchr(arg->operand, '@', arg->operand_length) &&
           (!arg->type || is_described(arg->text, arg->type));
}

unsigned note_arg_size(const struct note_arg *arg, char size)
{
    return (unsigned)((arg->type ? arg->text[arg->text[0] == '-'] : size) - '0');
}

size_t note_arg_describe(const struct note_arg *arg, char size, bool is_indirect, char *to)
{
    size_t length = arg->type ? arg->type : 1;
    memcpy(to, arg->type ? arg->text : &size, length);
    to[length++] = '@';
    if (is_indirect)
        to[length++] = '*';
    for (size_t i = 0; i < arg->operand_length; i++)
        if (!is_blank(arg->operand[i]))
            to[length++] = arg->operand[i];
    return length;
}
