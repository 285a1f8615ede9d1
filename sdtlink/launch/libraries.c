/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the runtime goes. GNU ld and gold read archives in order, once: what libsdt.a refers to
 * must come after it. So it is put before the compiler's own libraries, which drivers name at the
 * end of the line. musl-gcc names libgcc by its path; people who run the linker themselves name the
 * C library anywhere, also in a script's GROUP before all objects. Where one of the libraries that
 * the runtime needs does not come after it, that library is named a second time.
 */
#include "libraries.h"

#include <ctype.h>
#include <string.h>

/* libNAME.a, libNAME.so, libNAME.so.6, and as distributions have called theirs: libc-2.31.so,
 * libc.musl-x86_64.so.1 */
static bool is_file_of(const char *file, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(file, "lib", 3) != 0 || strncmp(file + 3, name, length) != 0)
        return false;
    const char *rest = file + 3 + length;
    if (rest[0] == '-' && isdigit((unsigned char)rest[1]))
        return strstr(rest, ".so") != NULL;
    return !strcmp(rest, ".a") || !strncmp(rest, ".so", 3) || !strncmp(rest, ".musl-", 6);
}

/* Whether WORD, as on a line or in a script, means the library NAME. */
static bool means(const char *word, const char *name)
{
    if (!strncmp(word, "-l:", 3))
        return is_file_of(basename(word + 3), name);
    return !strncmp(word, "-l", 2) ? !strcmp(word + 2, name) : is_file_of(basename(word), name);
}

/* -lgcc_s is a script in some places, and a file of another name in others. */
static bool is_gcc(const char *word)
{
    static const char builtins[] = "libclang_rt.builtins";
    return means(word, "gcc") || means(word, "gcc_s") ||
           !strncmp(basename(word), builtins, sizeof builtins - 1);
}

static bool is_c(const char *word)
{
    return means(word, "c");
}

bool libraries_is_compilers(const char *word)
{
    static const char *const names[] = {"gcc_eh",  "m",   "stdc++",        "c++",    "rt",    "dl",
                                        "pthread", "ssp", "ssp_nonshared", "unwind", "atomic"};
    bool is = is_c(word) || is_gcc(word);
    for (size_t i = 0; i < COUNT(names) && !is; i++)
        is = means(word, names[i]);
    return is;
}

/* ---- the place ---- */

/* Inputs that drivers put at the end: their libraries, scripts, and the last objects. */
static bool is_drivers(const char *word)
{
    static const char *const files[] = {"crtend.o", "crtendS.o", "crtendT.o", "crtn.o",
                                        "crtfastmath.o"};
    return libraries_is_compilers(word) || IS_ONE_OF(basename(word), files) ||
           !strncmp(word, "--script=", 9);
}

/* What stands before them, and holds for them. */
static bool opens(const char *word)
{
    static const char *const words[] = {"--as-needed", "--no-as-needed", "--push-state",
                                        "--start-group", "-("};
    return IS_ONE_OF(word, words);
}

/* The first of the inputs at the end of LINE that are a driver's. */
static size_t first_of_drivers(const struct line *line)
{
    size_t i = line->input_count;
    while (i > 0 && is_drivers(line->words.list[line->inputs[i - 1].word]))
        i--;
    return i;
}

size_t libraries_runtime_place(const struct line *line)
{
    size_t i = first_of_drivers(line);
    if (i == line->input_count)
        return line->words.count;
    size_t at = line->inputs[i].word, after = i ? line->inputs[i - 1].word + 1 : 1;
    while (at > after && opens(line->words.list[at - 1]))
        at--;
    return at;
}

/* ---- what comes after it ---- */

static bool is_c_input(const struct line_input *input, const void *data)
{
    (void)data;
    return is_c(input->name) || (input->path && is_c(input->path));
}

static bool is_gcc_input(const struct line_input *input, const void *data)
{
    (void)data;
    return is_gcc(input->name) || (input->path && is_gcc(input->path));
}

bool libraries_has_c(const struct line *line)
{
    return line_find(line, is_c_input, NULL) != NULL;
}

/* Whether word AT is between the ends of a group, which the linker reads until nothing is missing.
 */
static bool is_in_group(const struct line *line, size_t at)
{
    static const char *const begins[] = {"--start-group", "-("}, *const ends[] = {"--end-group",
                                                                                  "-)"};
    bool is_in = false;
    for (size_t i = 1; i < at && i < line->words.count; i++) {
        const char *word = line->words.list[i];
        is_in = IS_ONE_OF(word, begins) || (is_in && !IS_ONE_OF(word, ends));
    }
    return is_in;
}

/* A library of LINE for which IS holds is added, unless one of its last inputs, from FIRST, is one.
 */
static void add_if_missing(const struct line *line, size_t first, line_test *is,
                           struct words *words)
{
    const struct line_input *input = line_find(line, is, NULL);
    for (size_t i = first; i < line->input_count; i++)
        if (is(&line->inputs[i], NULL))
            return;
    if (input)
        words_add(words, input->path ? input->path : (char *)(uintptr_t)input->name);
}

void libraries_add_missing(const struct line *line, struct words *words)
{
    size_t first = first_of_drivers(line);
    if (is_in_group(line, libraries_runtime_place(line)))
        return;
    add_if_missing(line, first, is_c_input, words);
    add_if_missing(line, first, is_gcc_input, words);
}
