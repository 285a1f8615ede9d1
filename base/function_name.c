/* SPDX-License-Identifier: BSD-2-Clause */
/* See function_name.h. */
#include "function_name.h"

#include "demangle.h"
#include "memory.h"
#include "probe_words.h"
#include "std_names.h"

#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

/* The beginning of NAME[0..LENGTH)'s parameters: the last parentheses; LENGTH: there are none. */
static size_t parameters_of(const char *name, size_t length)
{
    size_t at = length, depth = 0;
    while (at > 0 && name[at - 1] != ')')
        at--;
    for (; at > 0; at--) {
        depth += name[at - 1] == ')';
        depth -= name[at - 1] == '(';
        if (depth == 0)
            return at - 1;
    }
    return length;
}

/* Where NAME[0..LENGTH) begins after its result, which templates have: after the last space that is
 * in no brackets, and is not of "operator new". */
static size_t result_of(const char *name, size_t length)
{
    static const char word[] = "operator";
    size_t depth = 0;
    for (size_t at = length; at > 0; at--) {
        char c = name[at - 1];
        depth += strchr(")>}", c) != NULL;
        depth -= depth && strchr("(<{", c);
        bool is_operator =
            at > sizeof word - 1 && !strncmp(name + at - sizeof word, word, sizeof word - 1);
        if (c == ' ' && depth == 0)
            return is_operator ? 0 : at;
    }
    return 0;
}

/* NAME without template arguments. */
static char *without_arguments(const char *name)
{
    char *copy = memory_format("%s", name), *to = copy;
    for (const char *from = name; *from; from++) {
        bool is_operator = to - copy >= 8 && !strncmp(to - 8, "operator", 8);
        const char *end = *from == '<' && !is_operator ? probe_words_closing(from) : NULL;
        if (end)
            from = end;
        else
            *to++ = *from;
    }
    *to = '\0';
    return copy;
}

void function_name_make(struct function_name *name, struct slice symbol)
{
    *name = (struct function_name){{memory_format("%.*s", (int)symbol.length, symbol.text)}};
    char *whole = name->spelling[FUNCTION_WHOLE] = demangle(name->spelling[FUNCTION_SYMBOL]);
    if (!whole)
        return;
    size_t end = parameters_of(whole, strlen(whole)), begin = result_of(whole, end);
    name->spelling[FUNCTION_SHORT] = memory_format("%.*s", (int)(end - begin), whole + begin);
    name->spelling[FUNCTION_BARE] = without_arguments(name->spelling[FUNCTION_SHORT]);
}

void function_name_free(struct function_name *name)
{
    for (size_t i = 0; i < FUNCTION_SPELLINGS; i++)
        free(name->spelling[i]);
    *name = (struct function_name){{NULL}};
}

static bool has_spelling(const struct function_name *name, const char *glob)
{
    for (size_t i = 0; i < FUNCTION_SPELLINGS && name->spelling[i]; i++)
        if (pattern_glob(glob, name->spelling[i]))
            return true;
    return false;
}

bool function_name_matches(const struct function_name *name, const char *glob)
{
    if (has_spelling(name, glob) || !strstr(glob, "std::"))
        return has_spelling(name, glob);
    char *plain = memory_format("%s", glob); /* as another tool has shown it */
    std_names_shorten(plain);
    bool result = has_spelling(name, plain);
    free(plain);
    return result;
}

bool function_name_part(const char *glob, const char *symbol)
{
    struct function_name name;
    if (pattern_part(glob, symbol) || !symbol)
        return pattern_part(glob, symbol);
    function_name_make(&name, slice_of(symbol));
    bool result = function_name_matches(&name, glob);
    function_name_free(&name);
    return result;
}

void function_name_offer(const struct function_name *name, struct suggestion *suggestion,
                         const char *before, const char *after)
{
    for (unsigned i = 0; i < FUNCTION_SPELLINGS && name->spelling[i]; i++) {
        bool is_short = i != FUNCTION_WHOLE && name->spelling[FUNCTION_SHORT];
        char *best =
            memory_format("%s%s%s", before, name->spelling[is_short ? FUNCTION_SHORT : i], after);
        for (const char *from = name->spelling[i]; from;) {
            suggest_offer_as(suggestion, from, best);
            from = strstr(from, "::");
            from = from ? from + 2 : NULL;
        }
        free(best);
    }
}
