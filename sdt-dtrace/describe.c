/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See describe.h. The grammar has checked that these are declarations of C, so a few words tell
 * what they declare: `TYPE`, `TYPE NAME`, `TYPE *NAME`, `TYPE NAME[]`, `TYPE (*NAME)(...)`.
 */
#include "describe.h"

#include "text.h"

#include <string.h>

enum { MAX_NAME = 64 }; /* in sdt-describe(5) */

/* One parameter, as it is read. */
struct parameter {
    struct slice type[8]; /* its words, without qualifiers; those that are too much are left out */
    unsigned words;
    struct slice name;  /* length 0: none */
    unsigned pointers;  /* of stars and brackets */
    bool is_nested;     /* has parentheses: a pointer to something */
    bool is_translated; /* after the colon: what tracers see */
    bool has_type;      /* the next word is the name */
};

static bool is_word(struct slice s, const char *word)
{
    return s.length == strlen(word) && !memcmp(s.text, word, s.length);
}

static bool is_one_of(struct slice s, const char *const *words)
{
    for (; *words; words++)
        if (is_word(s, *words))
            return true;
    return false;
}

static const char *const builtins[] = {"void",  "char",   "short",  "int",      "long",
                                       "float", "double", "signed", "unsigned", NULL};
static const char *const qualifiers[] = {"const", "volatile", "restrict", NULL};
static const char *const tags[] = {"struct", "union", "enum", NULL};

static void take_word(struct parameter *p, struct slice word)
{
    bool is_builtin = is_one_of(word, builtins);
    if (is_one_of(word, qualifiers))
        return;
    if (p->has_type && !is_builtin) {
        if (!p->name.length)
            p->name = word;
        return;
    }
    if (p->words < sizeof p->type / sizeof p->type[0])
        p->type[p->words++] = word;
    /* A tag is followed by its name; words of C's own by more of them. */
    bool is_tag = p->words == 1 && is_one_of(word, tags);
    p->has_type = !is_tag;
}

static void take_other(struct parameter *p, char c, int depth)
{
    p->pointers += c == '*' || c == '&' || c == '[';
    p->is_nested |= c == '(' && depth == 0;
}

static bool is_type(const struct parameter *p, const char *word)
{
    for (unsigned i = 0; i < p->words; i++)
        if (is_word(p->type[i], word))
            return true;
    return false;
}

static const char *pointer_type(const struct parameter *p)
{
    bool is_text =
        p->pointers == 1 && !p->is_nested && p->words == 1 && is_word(p->type[0], "char");
    return is_text ? "string" : "pointer";
}

/* Words of C itself. x86-64: a long has 8 bytes. */
static const char *integer_type(const struct parameter *p)
{
    bool is_unsigned = is_type(p, "unsigned");
    if (is_type(p, "char"))
        return is_unsigned ? "uint8" : "int8";
    if (is_type(p, "short"))
        return is_unsigned ? "uint16" : "int16";
    if (is_type(p, "long"))
        return is_unsigned ? "uint64" : "int64";
    return is_unsigned ? "uint32" : "int32";
}

/* NULL: not known here. */
static const char *type_of(const struct parameter *p)
{
    static const struct {
        const char *name, *type;
    } known[] = {{"string", "string"},   {"bool", "bool"},         {"_Bool", "bool"},
                 {"int8_t", "int8"},     {"int16_t", "int16"},     {"int32_t", "int32"},
                 {"int64_t", "int64"},   {"uint8_t", "uint8"},     {"uint16_t", "uint16"},
                 {"uint32_t", "uint32"}, {"uint64_t", "uint64"},   {"size_t", "uint64"},
                 {"ssize_t", "int64"},   {"uintptr_t", "pointer"}, {"intptr_t", "int64"}};
    if (p->pointers || p->is_nested)
        return pointer_type(p);
    if (!p->words || is_type(p, "float") || is_type(p, "double") || is_type(p, "void"))
        return NULL;
    if (is_one_of(p->type[0], builtins))
        return integer_type(p);
    for (size_t i = 0; p->words == 1 && i < sizeof known / sizeof known[0]; i++)
        if (is_word(p->type[0], known[i].name))
            return known[i].type;
    return NULL;
}

/* What a probe says, so far. */
struct line {
    struct bytes text;
    struct slice names[PROVIDER_MAX_ARGUMENTS];
    unsigned count;
    bool is_of_use;
};

static bool is_used(const struct line *line, struct slice name)
{
    for (unsigned i = 0; i < line->count; i++)
        if (line->names[i].length == name.length &&
            !memcmp(line->names[i].text, name.text, name.length))
            return true;
    return false;
}

static void add_parameter(struct line *line, const struct parameter *p)
{
    const char *type = type_of(p);
    bool has_name = p->name.length && p->name.length <= MAX_NAME && !is_used(line, p->name);
    if (line->count == PROVIDER_MAX_ARGUMENTS)
        return;
    text_add(&line->text, line->count ? ", " : "");
    if (has_name)
        text_add(&line->text, "%.*s", TEXT_SLICE(p->name));
    else
        text_add(&line->text, "_");
    if (type)
        text_add(&line->text, ": %s", type);
    line->names[line->count++] = has_name ? p->name : (struct slice){"", 0};
    line->is_of_use |= has_name || type;
}

void describe_probe(struct bytes *text, const struct source *source,
                    const struct provider_probe *probe)
{
    struct line line = {.count = 0};
    struct parameter parameter = {.words = 0};
    struct span word;
    size_t at = probe->declared.begin;
    int depth = 0;
    enum lexeme lexeme;
    while (at < probe->declared.end && (lexeme = lexer_next(source, &at, &word)) != LEXEME_END &&
           word.end <= probe->declared.end) {
        const char *begin = (const char *)source->text.data + word.begin;
        if (*begin == ',' && depth == 0) {
            add_parameter(&line, &parameter);
            parameter = (struct parameter){.words = 0};
        } else if (*begin == ':' && depth == 0) {
            parameter.is_translated = true;
        } else if (parameter.is_translated) {
            continue;
        } else if (lexeme == LEXEME_WORD && (depth == 0 || !parameter.name.length)) {
            take_word(&parameter, (struct slice){begin, word.end - word.begin});
        } else if (lexeme == LEXEME_OTHER) {
            take_other(&parameter, *begin, depth);
            depth += *begin == '(' || *begin == '[';
            depth -= *begin == ')' || *begin == ']';
        }
    }
    if (probe->count)
        add_parameter(&line, &parameter);
    if (line.is_of_use)
        text_add(text, "probe %.*s:%.*s (%.*s)", TEXT_SLICE(probe->provider),
                 TEXT_SLICE(probe->name), (int)line.text.size, (const char *)line.text.data);
    bytes_free(&line.text);
}

int describe_write(const struct providers *providers, struct output *output)
{
    struct bytes text = {0};
    text_add(&text, "# Made by sdt-dtrace --describe; see sdt-describe(5).\n");
    for (size_t i = 0; i < providers->count; i++) {
        size_t before = text.size;
        if (!providers->list[i].is_again)
            describe_probe(&text, providers->source, &providers->list[i]);
        if (text.size > before)
            text_add(&text, "\n");
    }
    int result = output_put(output, text.data, text.size, 0);
    if (result == 0)
        result = output_finish(output, text.size);
    bytes_free(&text);
    return result;
}
