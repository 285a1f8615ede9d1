/* SPDX-License-Identifier: BSD-2-Clause */
/* See std_names.h. The name is copied over itself, list by list. */
#include "std_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct copying {
    char *begin, *to;
    const char *from;
};

static void copy_until(struct copying *c, const char *ends);

/* ---- What was written. ---- */

static bool is_after(const struct copying *c, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(c->to - c->begin) >= length && !strncmp(c->to - length, word, length);
}

/* Where the qualified name begins that ends at END. */
static char *name_before(const struct copying *c, char *end)
{
    while (end > c->begin && (isalnum((unsigned char)end[-1]) || strchr("_:~", end[-1])))
        end--;
    return end;
}

static bool begins(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && !strncmp(text, word, length);
}

/* ---- Arguments. ---- */

struct text {
    const char *begin, *end;
};

/* Whether ARGUMENT is what the library takes if nobody says what to take for FIRST. */
static bool is_default(struct text first, struct text argument)
{
    static const char *const of_first[] = {"std::char_traits<", "std::less<", "std::equal_to<",
                                           "std::hash<", "std::default_delete<"};
    if (begins(argument.begin, argument.end, "std::allocator<"))
        return true;
    for (size_t i = 0; i < sizeof of_first / sizeof *of_first; i++) {
        if (!begins(argument.begin, argument.end, of_first[i]))
            continue;
        const char *of = argument.begin + strlen(of_first[i]), *end = argument.end - 1;
        while (end > of && end[-1] == ' ')
            end--;
        return end - of == first.end - first.begin && !strncmp(of, first.begin, (size_t)(end - of));
    }
    return false;
}

/* std::basic_string<char> is std::string; its list was written from LIST on. */
static void rename_basic(struct copying *c, char *list)
{
    static const char std[] = "std::basic_", of_char[] = "<char>";
    char *name = name_before(c, list), *basic = name + strlen("std::");
    if (c->to - list != sizeof of_char - 1 || strncmp(list, of_char, sizeof of_char - 1) != 0 ||
        !begins(name, list, std))
        return;
    memmove(basic, name + sizeof std - 1, (size_t)(list - name) - (sizeof std - 1));
    c->to = list - strlen("basic_");
}

/* One, without white space around it. */
static struct text copy_argument(struct copying *c)
{
    char *begin = c->to;
    copy_until(c, ",>");
    while (c->to > begin && c->to[-1] == ' ')
        c->to--;
    return (struct text){begin, c->to};
}

static void copy_arguments(struct copying *c)
{
    char *list = c->to, *cut = NULL;
    bool is_std = begins(name_before(c, list), list, "std::");
    *c->to++ = *c->from++;
    struct text first = copy_argument(c);
    while (*c->from == ',') {
        char *comma = c->to;
        *c->to++ = *c->from++;
        if (*c->from == ' ')
            *c->to++ = *c->from++;
        bool is_left_out = is_std && is_default(first, copy_argument(c));
        cut = is_left_out ? (cut ? cut : comma) : NULL;
    }
    c->to = cut ? cut : c->to;
    if (*c->from != '>')
        return;
    if (c->to[-1] == '>' && c->to < c->from)
        *c->to++ = ' ';
    *c->to++ = *c->from++;
    rename_basic(c, list);
}

/* ---- Everything else. ---- */

/* operator<, operator->, operator<=>: no lists. */
static bool copy_operator(struct copying *c)
{
    if (!is_after(c, "operator"))
        return false;
    size_t length = strspn(c->from, "<>=-");
    memmove(c->to, c->from, length);
    c->to += length;
    c->from += length;
    return length != 0;
}

static bool skip_namespace(struct copying *c)
{
    static const char *const spaces[] = {"__cxx11::", "__1::"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (is_after(c, "std::") && !strncmp(c->from, spaces[i], strlen(spaces[i]))) {
            c->from += strlen(spaces[i]);
            return true;
        }
    return false;
}

static void copy_brackets(struct copying *c, const char *end)
{
    *c->to++ = *c->from++;
    copy_until(c, end);
    if (*c->from)
        *c->to++ = *c->from++;
}

/* Up to one of ENDS that is in no brackets, or the end. */
static void copy_until(struct copying *c, const char *ends)
{
    while (*c->from) {
        if (copy_operator(c) || skip_namespace(c))
            continue;
        if (strchr(ends, *c->from) && !(*c->from == '>' && is_after(c, "-")))
            return;
        if (*c->from == '<')
            copy_arguments(c);
        else if (*c->from == '(')
            copy_brackets(c, ")");
        else if (*c->from == '{')
            copy_brackets(c, "}");
        else
            *c->to++ = *c->from++;
    }
}

void std_names_shorten(char *name)
{
    struct copying copying = {name, name, name};
    copy_until(&copying, "");
    *copying.to = '\0';
}
