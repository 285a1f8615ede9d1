/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See function_patterns.h. A request has room for about thirty symbols. Where more match, sorted
 * symbols are covered by beginnings that no other function of the process has: `_ZN6server*` for
 * all of a class. That is exact for the functions that are there; a library that is loaded later
 * may bring others with such a beginning.
 */
#include "function_patterns.h"

#include "base/diag.h"
#include "base/function_name.h"
#include "base/memory.h"
#include "live_sites.h"

#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

/* Longer symbols are never demangled (base/demangle.c), so nobody can mean them. */
enum { MAX_SYMBOL = 4096, MAX_EXACT = LIVE_REQUEST_TEXT / 2 };

struct function_choice {
    char *wanted;
    char **globs; /* of symbols */
    size_t count;
    struct function_choice *next;
};

struct symbol {
    const char *text;
    bool is_wanted;
};

struct symbols {
    struct symbol *list;
    size_t count;
};

/* ---- Texts. ---- */

char *function_pattern(const struct probe_words *words, const char *function)
{
    const char *name = words->word[WORD_NAME];
    return memory_format("%s:%s:%s:%s", words->word[WORD_PROVIDER], words->word[WORD_MODULE],
                         function, name ? name : "");
}

bool function_patterns_are_names(const struct probe_words *words)
{
    const char *glob = words->word[WORD_FUNCTION];
    return *glob && strcmp(glob, "*") != 0 && strncmp(glob, "_Z", 2) != 0;
}

/* Whether the process understands GLOB. */
static bool is_own(const char *glob)
{
    return !strpbrk(glob, ":,");
}

static void append(char **text, const char *more)
{
    char *joined = *text ? memory_format("%s,%s", *text, more) : memory_format("%s", more);
    free(*text);
    *text = joined;
}

char *function_patterns_wide(const struct probe_words *words)
{
    const char *glob = words->word[WORD_FUNCTION];
    char *wide = is_own(glob) ? function_pattern(words, glob) : NULL;
    if (function_patterns_are_names(words)) {
        char *mangled = function_pattern(words, "_Z*");
        append(&wide, mangled);
        free(mangled);
    }
    return wide;
}

/* ---- Which symbols. ---- */

static int by_text(const void *left, const void *right)
{
    const struct symbol *a = left, *b = right;
    return strcmp(a->text, b->text);
}

/* Each of C++ once, in order, of those of SITES that WORDS may mean. */
static void list_symbols(struct symbols *symbols, const struct probe_words *words,
                         const struct live_sites *sites)
{
    int error;
    size_t kept = 0;
    char *text = function_pattern(words, "_Z*");
    struct pattern *candidates = pattern_parse(text, strlen(text), &error);
    *symbols = (struct symbols){memory_zeroed(sites->count + 1, sizeof *symbols->list), 0};
    for (size_t i = 0; i < sites->count; i++) {
        const char *symbol = sites->site[i].function;
        if (strnlen(symbol, MAX_SYMBOL) < MAX_SYMBOL && !strpbrk(symbol, "*?[\\:,") &&
            live_site_matches(&sites->site[i], candidates))
            symbols->list[symbols->count++].text = symbol;
    }
    pattern_free(candidates);
    free(text);
    qsort(symbols->list, symbols->count, sizeof *symbols->list, by_text);
    for (size_t i = 0; i < symbols->count; i++)
        if (!kept || strcmp(symbols->list[kept - 1].text, symbols->list[i].text) != 0)
            symbols->list[kept++] = symbols->list[i];
    symbols->count = kept;
}

static bool is_chosen(const struct function_choice *choice, const char *symbol)
{
    for (size_t i = 0; i < choice->count; i++)
        if (pattern_glob(choice->globs[i], symbol))
            return true;
    return false;
}

/* Mark those that are meant, and not chosen yet. */
static void want_symbols(struct symbols *symbols, const char *glob,
                         const struct function_choice *choice)
{
    for (size_t i = 0; i < symbols->count; i++) {
        struct symbol *symbol = &symbols->list[i];
        struct function_name name;
        function_name_make(&name, slice_of(symbol->text));
        symbol->is_wanted = function_name_matches(&name, glob) && !is_chosen(choice, symbol->text);
        function_name_free(&name);
    }
}

/* ---- Globs of them. ---- */

static void add_glob(struct function_choice *choice, char *glob)
{
    choice->globs = memory_resize(choice->globs, choice->count + 1, sizeof *choice->globs);
    choice->globs[choice->count++] = glob;
}

static size_t common_length(const char *a, const char *b)
{
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

/* How many of SYMBOLS, from FIRST on, have the same character AT. */
static size_t group_size(const struct symbol *first, size_t count, size_t at)
{
    size_t size = 1;
    while (size < count && first[size].text[at] == first->text[at])
        size++;
    return size;
}

static size_t count_wanted(const struct symbol *first, size_t count)
{
    size_t wanted = 0;
    for (size_t i = 0; i < count; i++)
        wanted += first[i].is_wanted;
    return wanted;
}

/*
 * Globs for those that are wanted of COUNT symbols, which are all that have the first LEAST
 * characters in common. A glob is as long as it can be, and ends in no `_`: two of these are one
 * character for a pattern.
 */
static void cover(struct function_choice *choice, const struct symbol *first, size_t count,
                  size_t least)
{
    size_t wanted = count_wanted(first, count);
    size_t common = common_length(first->text, first[count - 1].text), length = common;
    while (length > least && first->text[length - 1] == '_')
        length--;
    if (wanted == 0)
        return;
    if (count == 1) {
        add_glob(choice, memory_format("%s", first->text));
        return;
    }
    if (wanted == count && length > 0 && first->text[length - 1] != '_') {
        add_glob(choice, memory_format("%.*s*", (int)length, first->text));
        return;
    }
    for (size_t i = 0, size; i < count; i += size) {
        size = group_size(first + i, count - i, common);
        cover(choice, first + i, size, common + 1);
    }
}

/* One for each, if there is room. */
static void choose_symbols(struct function_choice *choice, const struct symbols *symbols)
{
    size_t bytes = 0;
    for (size_t i = 0; i < symbols->count; i++)
        bytes += symbols->list[i].is_wanted ? strlen(symbols->list[i].text) + 1 : 0;
    if (bytes >= MAX_EXACT) {
        cover(choice, symbols->list, symbols->count, 0);
        return;
    }
    for (size_t i = 0; i < symbols->count; i++)
        if (symbols->list[i].is_wanted)
            add_glob(choice, memory_format("%s", symbols->list[i].text));
}

/* ---- What was chosen. ---- */

/* The choice for WORDS, which is WANTED; a new one has what the process itself would take. */
static struct function_choice *choice_for(struct attached *to, const struct probe_words *words,
                                          const char *wanted)
{
    struct function_choice *choice = to->choices;
    while (choice && strcmp(choice->wanted, wanted) != 0)
        choice = choice->next;
    if (choice)
        return choice;
    choice = memory_zeroed(1, sizeof *choice);
    choice->wanted = memory_format("%s", wanted);
    choice->next = to->choices;
    to->choices = choice;
    if (is_own(words->word[WORD_FUNCTION]))
        add_glob(choice, memory_format("%s", words->word[WORD_FUNCTION]));
    return choice;
}

void function_patterns_forget(struct attached *to)
{
    for (struct function_choice *choice; (choice = to->choices);) {
        to->choices = choice->next;
        for (size_t i = 0; i < choice->count; i++)
            free(choice->globs[i]);
        free(choice->globs);
        free(choice->wanted);
        free(choice);
    }
}

static char *text_of(const struct function_choice *choice, const struct probe_words *words)
{
    char *text = NULL;
    for (size_t i = 0; i < choice->count; i++) {
        char *pattern = function_pattern(words, choice->globs[i]);
        append(&text, pattern);
        free(pattern);
    }
    /* None: what matches nothing. */
    return text ? text : function_pattern(words, "_Z");
}

char *function_patterns_choose(struct attached *to, const struct probe_words *words,
                               const struct live_sites *sites)
{
    const char *glob = words->word[WORD_FUNCTION];
    char *wanted = function_pattern(words, glob);
    if (!function_patterns_are_names(words))
        return wanted;
    struct function_choice *choice = choice_for(to, words, wanted);
    struct symbols symbols;
    list_symbols(&symbols, words, sites);
    want_symbols(&symbols, glob, choice);
    size_t count = count_wanted(symbols.list, symbols.count);
    if (symbols.count)
        choose_symbols(choice, &symbols);
    char *text = text_of(choice, words);
    if (strlen(text) >= LIVE_REQUEST_TEXT) {
        diag_error("%s: the symbols of the %zu functions that match have no room in a request: "
                   "name fewer, or all functions by '*'",
                   wanted, count);
        free(text);
        text = NULL;
    }
    free(symbols.list);
    free(wanted);
    return text;
}
