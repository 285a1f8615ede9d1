/* SPDX-License-Identifier: BSD-2-Clause */
#include "chosen.h"

#include "base/demangle.h"
#include "base/memory.h"

#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

enum choice_kind { OF_NAME, OF_FILE, OF_SIZE };

struct choice {
    enum choice_kind kind;
    bool is_excluded;
    const char *glob;
    uint64_t size;
};

/* What the library calls of the C library while it serves a hit, or between two: a program that
 * defines one of these would have the library's calls among its own.
 * tests/launcher/test_functions_which.py compares them with libsdt.so. */
static const char *const of_hits[] = {
    "clock_gettime", "memchr",  "memcmp", "memcpy",  "memmem", "memmove", "memset",
    "sched_getcpu",  "strchr",  "strcmp", "strcspn", "strlen", "strncmp", "strnlen",
    "strpbrk",       "strrchr", "strspn", "strstr",  "syscall"};

/* ---- reading ---- */

/* Where the bracket that opens at OPEN is closed; NULL: nowhere (operator<). */
static char *closing(char *open)
{
    char closes = *open == '(' ? ')' : *open == '<' ? '>' : '}';
    unsigned depth = 0;
    for (char *at = open; *at; at++) {
        depth += *at == *open;
        depth -= *at == closes;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Cut the first element off *REST; NULL: there is none. */
static char *next_element(char **rest)
{
    char *element = *rest, *at = element;
    if (!element)
        return NULL;
    while (*at && *at != ',') {
        char *end = strchr("(<{", *at) ? closing(at) : NULL;
        at = end ? end + 1 : at + 1;
    }
    *rest = *at ? at + 1 : NULL;
    *at = '\0';
    return element;
}

/* TEXT after PREFIX and a colon; NULL: it does not begin so. (file::open is a name.) */
static const char *after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    bool is_so = !strncmp(text, prefix, length) && text[length] == ':' && text[length + 1] != ':';
    return is_so ? text + length + 1 : NULL;
}

static const char *read_size(const char *text, uint64_t *size)
{
    char *end;
    *size = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || *size > UINT32_MAX)
        return "size: takes a number of bytes, such as size:64";
    return NULL;
}

/* What is wrong with ELEMENT; NULL: CHOICE says what it is. */
static const char *read_element(struct choice *choice, const char *element)
{
    *choice = (struct choice){.is_excluded = *element == '-'};
    element += choice->is_excluded;
    const char *size = after(element, "size"), *file = after(element, "file");
    choice->kind = size ? OF_SIZE : file ? OF_FILE : OF_NAME;
    choice->glob = file ? file : element;
    if (size && choice->is_excluded)
        return "size: cannot be excluded; it leaves out what is smaller";
    if (size)
        return read_size(size, &choice->size);
    if (file && strchr(file, '/'))
        return "file: takes a name without directories, as objects have it";
    if (!*choice->glob)
        return "an element names nothing";
    return NULL;
}

const char *chosen_problem(const char *elements)
{
    char *text = memory_format("%s", elements), *rest = *text ? text : NULL, *element;
    const char *problem = NULL;
    while (!problem && (element = next_element(&rest))) {
        struct choice choice;
        problem = read_element(&choice, element);
    }
    free(text);
    return problem;
}

void chosen_read(struct chosen *chosen, const char *elements)
{
    *chosen = (struct chosen){.text = memory_format("%s", elements)};
    chosen->choices = memory_zeroed(strlen(elements) + 1, sizeof *chosen->choices);
    char *rest = *chosen->text ? chosen->text : NULL, *element;
    while ((element = next_element(&rest))) {
        struct choice *choice = &chosen->choices[chosen->count++];
        read_element(choice, element);
        chosen->has_names |= choice->kind != OF_SIZE && !choice->is_excluded;
        chosen->has_globs |= choice->kind == OF_NAME;
        chosen->has_files |= choice->kind == OF_FILE;
    }
}

void chosen_free(struct chosen *chosen)
{
    free(chosen->choices);
    free(chosen->text);
    *chosen = (struct chosen){0};
}

bool chosen_names_files(const char *elements)
{
    struct chosen chosen;
    chosen_read(&chosen, elements);
    bool result = chosen.has_files;
    chosen_free(&chosen);
    return result;
}

/* ---- names of C++ ---- */

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
        char *end = *from == '<' && !is_operator ? closing((char *)(uintptr_t)from) : NULL;
        if (end)
            from = end;
        else
            *to++ = *from;
    }
    *to = '\0';
    return copy;
}

enum { SPELLINGS = 4 };

/* All that GLOBs may match, to be freed: the symbol first. */
static void spell(char *spellings[SPELLINGS], struct slice symbol)
{
    char *name = memory_format("%.*s", (int)symbol.length, symbol.text);
    char *whole = demangle(name);
    spellings[0] = name;
    spellings[1] = whole;
    if (!whole)
        return;
    size_t end = parameters_of(whole, strlen(whole)), begin = result_of(whole, end);
    spellings[2] = memory_format("%.*s", (int)(end - begin), whole + begin);
    spellings[3] = without_arguments(spellings[2]);
}

/* ---- choosing ---- */

static bool is_of_hits(const struct chosen_function *function)
{
    for (size_t i = 0; function->is_global && i < sizeof of_hits / sizeof *of_hits; i++)
        if (slice_compare(function->name, slice_of(of_hits[i])) == 0)
            return true;
    return false;
}

static bool matches(const struct choice *choice, char *const spellings[SPELLINGS], const char *file)
{
    if (choice->kind == OF_FILE)
        return file && pattern_glob(choice->glob, file);
    for (size_t i = 0; i < SPELLINGS && spellings[i]; i++)
        if (pattern_glob(choice->glob, spellings[i]))
            return true;
    return false;
}

/* clang keeps the directories of a source file, gcc does not. */
static const char *base_name(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file;
}

bool chosen_has(const struct chosen *chosen, const struct chosen_function *function)
{
    char *spellings[SPELLINGS] = {0};
    const char *file = base_name(function->file);
    bool is_named = !chosen->has_names, is_excluded = false;
    if (is_of_hits(function))
        return false;
    if (function->is_marked)
        return true;
    if (chosen->has_globs)
        spell(spellings, function->name);
    for (size_t i = 0; i < chosen->count; i++) {
        const struct choice *choice = &chosen->choices[i];
        if (choice->kind == OF_SIZE)
            is_excluded |= function->size && function->size < choice->size;
        else if (choice->is_excluded)
            is_excluded |= matches(choice, spellings, file);
        else
            is_named = is_named || matches(choice, spellings, file);
    }
    for (size_t i = 0; i < SPELLINGS; i++)
        free(spellings[i]);
    return is_named && !is_excluded;
}
