/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See spelling.h. A full parser of C would need the program's types to tell a cast from a call.
 * This one knows the few forms that have a name; every other expression gets none, since a wrong
 * name is worse than none.
 */
#include "spelling.h"

#include <string.h>

/* The rest of an expression, and how deep it is nested. */
struct cursor {
    const char *at, *end;
    unsigned depth;
};

/* On TEXT, which may be none. */
static struct cursor cursor_on(struct slice text)
{
    const char *begin = text.text ? text.text : "";
    return (struct cursor){begin, begin + text.length, 0};
}

enum { DEEPEST = 32 };

static bool is_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Most words differ in their first character, and their lengths need not be counted. */
static bool is_word(struct slice s, const char *word)
{
    return s.length && *s.text == *word && strncmp(s.text, word, s.length) == 0 &&
           word[s.length] == 0;
}

bool spelling_is_one_of(struct slice s, const char *const *words)
{
    for (; *words; words++)
        if (is_word(s, *words))
            return true;
    return false;
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n'))
        c->at++;
}

/* The next character that is no blank; 0 at the end. */
static char peek(struct cursor *c)
{
    skip_blanks(c);
    return c->at < c->end ? *c->at : 0;
}

/* TEXT, if it is next. */
static bool take(struct cursor *c, const char *text)
{
    if (peek(c) != *text)
        return false;
    size_t length = strlen(text);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, text, length) != 0)
        return false;
    c->at += length;
    return true;
}

static struct slice take_word(struct cursor *c)
{
    skip_blanks(c);
    const char *from = c->at;
    if (c->at < c->end && is_start(*c->at))
        while (c->at < c->end && (is_start(*c->at) || is_digit(*c->at)))
            c->at++;
    return (struct slice){from, (size_t)(c->at - from)};
}

/* After the literal that begins here. */
static void skip_literal(struct cursor *c)
{
    char quote = *c->at++;
    while (c->at < c->end && *c->at != quote)
        c->at += *c->at == '\\' && c->end - c->at > 1 ? 2 : 1;
    c->at += c->at < c->end;
}

/* Up to a top-level comma, or the end; brackets and literals are passed over. */
static struct slice take_item(struct cursor *c)
{
    int depth = 0;
    skip_blanks(c);
    const char *from = c->at;
    while (c->at < c->end && (depth > 0 || *c->at != ',')) {
        if (*c->at == '"' || *c->at == '\'') {
            skip_literal(c);
            continue;
        }
        depth += *c->at == '(' || *c->at == '[' || *c->at == '{';
        depth -= *c->at == ')' || *c->at == ']' || *c->at == '}';
        c->at++;
    }
    const char *to = c->at;
    while (to > from && to[-1] == ' ')
        to--;
    return (struct slice){from, (size_t)(to - from)};
}

/* What is between the bracket here and the one that closes it; false: there is none. */
static bool take_brackets(struct cursor *c, struct cursor *inside)
{
    int depth = 0;
    *inside = (struct cursor){c->at + 1, c->end, c->depth + 1};
    while (c->at < c->end) {
        if (*c->at == '"' || *c->at == '\'') {
            skip_literal(c);
            continue;
        }
        depth += *c->at == '(' || *c->at == '[' || *c->at == '{';
        depth -= *c->at == ')' || *c->at == ']' || *c->at == '}';
        if (depth == 0) {
            inside->end = c->at++;
            return true;
        }
        c->at++;
    }
    return false;
}

/* ---- expressions ---- */

static bool read_unary(struct cursor *c, struct slice *name);

/* All of it is one operand. */
static bool read_whole(struct cursor *c, struct slice *name)
{
    return c->depth < DEEPEST && read_unary(c, name) && peek(c) == 0;
}

/* Whether what is in brackets can only be a type: `T *`, `unsigned x`, `int`, `size_t`. */
static bool is_type(struct cursor inside)
{
    static const char *const types[] = {"void",   "char",     "short",  "int",  "long", "float",
                                        "double", "unsigned", "signed", "bool", NULL};
    unsigned words = 0;
    struct slice word, last = {NULL, 0};
    while ((word = take_word(&inside)).length || take(&inside, "::")) {
        last = word.length ? word : last;
        words += word.length > 0;
    }
    bool is_pointer = words && peek(&inside) == '*';
    while (take(&inside, "*") || take(&inside, "const"))
        ;
    if (!words || peek(&inside))
        return false;
    return is_pointer || words > 1 || spelling_is_one_of(last, types) ||
           (last.length > 2 && memcmp(last.text + last.length - 2, "_t", 2) == 0);
}

/* Before C are brackets with INSIDE: are they a cast of what follows? */
static bool is_cast(struct cursor *c, const struct cursor *inside)
{
    char next = peek(c);
    char after = c->end - c->at > 1 ? c->at[1] : 0;
    if (is_start(next) || is_digit(next) || (next && strchr("('\"~", next)))
        return true;
    if (next == '!')
        return after != '=';
    return next && strchr("*&+-", next) && after != '=' && !(next == '-' && after == '>') &&
           is_type(*inside);
}

/* `static_cast<T>(x)`: x. False, and nothing taken: WORD is no such cast. */
static bool read_named_cast(struct cursor *c, struct slice word, struct slice *name, bool *is_right)
{
    static const char *const casts[] = {"static_cast", "const_cast", "reinterpret_cast",
                                        "dynamic_cast", NULL};
    struct cursor inside;
    if (!spelling_is_one_of(word, casts))
        return false;
    int depth = 0;
    skip_blanks(c);
    while (c->at < c->end) {
        depth += *c->at == '<';
        depth -= *c->at == '>';
        c->at++;
        if (depth == 0)
            break;
    }
    *is_right = peek(c) == '(' && take_brackets(c, &inside) && read_whole(&inside, name);
    return true;
}

/* After a first operand: members, calls, elements. */
static bool read_postfix(struct cursor *c, struct slice *name)
{
    /* Of these, the object has the better name. */
    static const char *const accessors[] = {"c_str",  "data",   "get",      "load",     "value",
                                            "as_ptr", "as_str", "as_bytes", "as_c_str", NULL};
    struct slice object = {NULL, 0};
    for (char next; (next = peek(c)) != 0;) {
        struct cursor inside;
        if (next == '[' || next == '(') {
            if (!take_brackets(c, &inside))
                return false;
            if (next == '(' && object.length && spelling_is_one_of(*name, accessors))
                *name = object;
        } else if (take(c, "->") || take(c, ".")) {
            object = *name;
            *name = take_word(c);
            if (!name->length)
                return false;
        } else if (!take(c, "++") && !take(c, "--")) {
            break;
        }
    }
    return true;
}

static bool read_word(struct cursor *c, struct slice *name)
{
    static const char *const others[] = {"sizeof", "alignof",  "_Alignof", "__alignof__", "new",
                                         "typeid", "noexcept", "_Generic", "throw",       NULL};
    bool is_right;
    take(c, "::");
    *name = take_word(c);
    if (!name->length || spelling_is_one_of(*name, others))
        return false;
    if (read_named_cast(c, *name, name, &is_right))
        return is_right;
    while (take(c, "::")) {
        *name = take_word(c);
        if (!name->length)
            return false;
    }
    return peek(c) != '"' && peek(c) != '\''; /* L"text" */
}

static bool read_unary(struct cursor *c, struct slice *name)
{
    struct cursor inside;
    /* The values of -n, ~n and !n are not n's; !!n says the same as n. */
    while (!is_start(peek(c)) &&
           (take(c, "!!") || take(c, "++") || take(c, "--") || take(c, "*") || take(c, "&")))
        ;
    if (peek(c) != '(')
        return read_word(c, name) && read_postfix(c, name);
    if (!take_brackets(c, &inside))
        return false;
    if (is_cast(c, &inside)) {
        c->depth++;
        return c->depth < DEEPEST && read_unary(c, name);
    }
    return read_whole(&inside, name) && read_postfix(c, name);
}

/* ---- arguments ---- */

static void add(struct spelling *list, struct said said)
{
    if (list->count == SDT_MAX_ARGS)
        list->is_wrong = true;
    else
        list->items[list->count++] = said;
}

static void read_item(struct spelling *list, struct slice item, struct said said, unsigned depth);

/* SDT_NAMED("name", x), or what it expands to: ((void)"" "name", (x)). */
static void read_named(struct spelling *list, struct cursor *c, struct said said, unsigned depth)
{
    take(c, "\"\"");
    if (take(c, "\"")) {
        said.name.text = c->at;
        while (c->at < c->end && *c->at != '"')
            c->at++;
        said.name.length = (size_t)(c->at - said.name.text);
        c->at += c->at < c->end;
    }
    list->is_wrong |= !take(c, ",");
    read_item(list, take_item(c), said, depth + 1);
}

static bool begins_with(struct cursor c, const char *text)
{
    return take(&c, text);
}

/* Without the brackets that SDT_NAMED puts around what another of these macros has become. */
static struct slice without_brackets(struct slice item)
{
    struct cursor c = cursor_on(item), inside;
    while (peek(&c) == '(' && take_brackets(&c, &inside) && !peek(&c) &&
           begins_with(inside, "((void)")) {
        item = (struct slice){inside.at, (size_t)(inside.end - inside.at)};
        c = inside;
    }
    return item;
}

/* SDT_HEX(x) and the like; false: it is none of them. */
static bool read_wrapper(struct spelling *list, struct slice item, struct said said, unsigned depth)
{
    static const struct {
        const char *name, *expanded;
        char kind;
    } kinds[] = {{"SDT_HEX", "sdt_means_x_", 'x'},   {"SDT_PTR", "sdt_means_p_", 'p'},
                 {"SDT_STR", "sdt_means_s_", 's'},   {"SDT_BYTES", "sdt_means_y_", 'y'},
                 {"SDT_ARRAY", "sdt_means_a_", 'a'}, {"SDT_TEXT", "sdt_means_t_", 't'},
                 {"", "sdt_means_n_", 'n'},          {"", "sdt_means_m_", 'm'}};
    struct cursor c = cursor_on(without_brackets(item)), inside;
    struct slice word = take_word(&c);
    bool is_expanded = !word.length && take(&c, "((void)");
    if (is_expanded) {
        c.end -= c.end > c.at;
        inside = c;
        word = take_word(&inside);
    } else if (!word.length || peek(&c) != '(' || !take_brackets(&c, &inside) || peek(&c)) {
        return false;
    }
    if (is_word(word, "SDT_NAMED") || (is_expanded && peek(&inside) == '"')) {
        read_named(list, &inside, said, depth);
        return true;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!is_word(word, is_expanded ? kinds[i].expanded : kinds[i].name))
            continue;
        said.kind = kinds[i].kind;
        if (is_expanded)
            take(&inside, ",");
        read_item(list, take_item(&inside), said, depth + 1);
        if (is_expanded || !strchr("yta", said.kind))
            return true;
        list->is_wrong |= !take(&inside, ",");
        read_item(list, take_item(&inside), (struct said){{NULL, 0}, 'n'}, depth + 1);
        if (said.kind == 'a')
            add(list, (struct said){{NULL, 0}, 'm'});
        return true;
    }
    return false;
}

static void read_item(struct spelling *list, struct slice item, struct said said, unsigned depth)
{
    struct cursor c = cursor_on(item);
    struct slice name;
    if (depth < DEEPEST && read_wrapper(list, item, said, depth))
        return;
    if (!said.name.length && read_whole(&c, &name))
        said.name = name;
    add(list, said);
}

void spelling_read(struct spelling *spelling, const char *text)
{
    struct cursor c = {text, text + strlen(text), 0};
    take_item(&c); /* the probe's name */
    for (spelling->is_wrong = false; !spelling->is_wrong && take(&c, ",");)
        read_item(spelling, take_item(&c), (struct said){{NULL, 0}, 0}, 0);
}

bool spelling_is_identifier(struct slice s)
{
    struct cursor c = cursor_on(s);
    return s.length && is_start(*s.text) && take_word(&c).length == s.length;
}
