/* SPDX-License-Identifier: BSD-2-Clause */
#include "chosen.h"

#include "base/function_name.h"
#include "base/memory.h"
#include "base/probe_words.h"
#include "unmatched.h"

#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

enum choice_kind { OF_NAME, OF_FILE, OF_SIZE };

struct choice {
    enum choice_kind kind;
    bool is_excluded;
    const char *element, *glob; /* all of it, and without file: */
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
    choice->element = element;
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
    while (!problem && (element = probe_words_next(&rest))) {
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
    while ((element = probe_words_next(&rest))) {
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

/* ---- choosing ---- */

static bool is_of_hits(const struct chosen_function *function)
{
    for (size_t i = 0; function->is_global && i < sizeof of_hits / sizeof *of_hits; i++)
        if (slice_compare(function->name, slice_of(of_hits[i])) == 0)
            return true;
    return false;
}

/* FILE and NAME may be those of nothing. */
static bool matches(const struct choice *choice, const struct function_name *name, const char *file)
{
    if (choice->kind == OF_FILE)
        return file && pattern_glob(choice->glob, file);
    return function_name_matches(name, choice->glob);
}

/* clang keeps the directories of a source file, gcc does not. */
static const char *base_name(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file;
}

/* Whether element I, of a name or a file, matches. */
static bool takes(const struct chosen *chosen, size_t i, const struct function_name *name,
                  const char *file)
{
    bool is_matched = matches(&chosen->choices[i], name, file);
    if (chosen->unmatched)
        unmatched_note(chosen->unmatched, i, name, is_matched);
    return is_matched;
}

bool chosen_has(const struct chosen *chosen, const struct chosen_function *function)
{
    struct function_name name = {{NULL}};
    const char *file = base_name(function->file);
    bool is_named = !chosen->has_names, is_excluded = false;
    if (is_of_hits(function))
        return false;
    if (chosen->has_globs)
        function_name_make(&name, function->name);
    for (size_t i = 0; i < chosen->count; i++) {
        const struct choice *choice = &chosen->choices[i];
        if (choice->kind == OF_SIZE)
            is_excluded |= function->size && function->size < choice->size;
        else if (takes(chosen, i, &name, file))
            *(choice->is_excluded ? &is_excluded : &is_named) = true;
    }
    function_name_free(&name);
    return function->is_marked || (is_named && !is_excluded);
}

/* ---- what was not chosen ---- */

/* The elements that name functions or files; NULL in the place of others. To be freed. */
static const char **wanted_texts(const struct chosen *chosen)
{
    const char **texts = memory_zeroed(chosen->count + 1, sizeof *texts);
    for (size_t i = 0; i < chosen->count; i++)
        if (chosen->choices[i].kind != OF_SIZE && !chosen->choices[i].is_excluded)
            texts[i] = chosen->choices[i].element;
    return texts;
}

struct unmatched *chosen_watch(const char *elements)
{
    struct chosen chosen;
    chosen_read(&chosen, elements);
    const char **texts = wanted_texts(&chosen);
    struct unmatched *unmatched = unmatched_begin(texts, chosen.count);
    free(texts);
    chosen_free(&chosen);
    return unmatched;
}

void chosen_warn(const struct unmatched *unmatched, const char *elements, const char *output)
{
    struct chosen chosen;
    chosen_read(&chosen, elements);
    const char **texts = wanted_texts(&chosen);
    unmatched_warn(unmatched, texts, chosen.count, output);
    free(texts);
    chosen_free(&chosen);
}
