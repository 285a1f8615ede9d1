/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading a linker's command line as the linker reads it.
 *
 * A word is an option, the value of an option, or an input. The only hard question is which options
 * take the next word: too few of them known, and a value is taken for an input; that is harmless
 * unless it names an object with probes. Too many, and an input is missed; then the linker reports
 * its probes as undefined. One table serves GNU ld, gold, lld and mold, since none of them gives an
 * option a value that another knows without; an option that a linker does not know is an error of
 * that linker anyway. Long options may begin with one hyphen or two, and may be joined to their
 * value by '=', which needs no table.
 */
#include "line.h"

#include <arch/machines.h>
#include <stdlib.h>
#include <string.h>

/* What has to be remembered while the line is read. */
struct state {
    bool is_static, is_binary;
    bool saved[64]; /* is_static of --push-state */
    size_t depth;
};

static void add_input(struct line *line, const struct state *state, char *name, bool is_library)
{
    line->inputs = memory_with_room(line->inputs, line->input_count, &line->input_capacity,
                                    sizeof *line->inputs);
    struct line_input *input = &line->inputs[line->input_count++];
    *input = (struct line_input){.word = line->words.count,
                                 .name = name,
                                 .is_library = is_library,
                                 .is_static = state->is_static};
    if (!is_library)
        input->path = name;
}

static void read_library(struct line *line, const struct state *state, const char *name)
{
    char *word = words_keep(memory_format("-l%s", name));
    add_input(line, state, word, true);
    words_add(&line->words, word);
}

/* A script of -T may name inputs. One word, however it was written. */
static void read_script(struct line *line, const struct state *state, const char *name, char *file)
{
    const char *option = name[0] == 'd' ? "--default-script=" : "--script=";
    add_input(line, state, file, false);
    line->inputs[line->input_count - 1].option = option;
    words_add(&line->words, words_keep(memory_format("%s%s", option, file)));
}

/* An option with its value: remember what matters. Returns true if it has added its words. */
static bool read_value(struct line *line, struct state *state, const char *name, char *value)
{
    static const char *const reports[] = {"Map", "dependency-file", "print-archive-stats",
                                          "why-extract"};
    static const char *const scripts[] = {"T", "script", "dT", "default-script"};
    if (IS_ONE_OF(name, scripts)) {
        read_script(line, state, name, value);
        return true;
    }
    if (!strcmp(name, "l") || !strcmp(name, "library")) {
        read_library(line, state, value);
        return true;
    }
    if (!strcmp(name, "plugin")) { /* two words, however it was written: lto.c looks for them */
        words_add(&line->words, "-plugin");
        words_add(&line->words, value);
        return true;
    }
    if (!strcmp(name, "L") || !strcmp(name, "library-path"))
        words_add(&line->directories, value);
    else if (!strcmp(name, "o") || !strcmp(name, "output"))
        line->output = value;
    else if (!strcmp(name, "m"))
        line->emulation = value;
    else if (!strcmp(name, "sysroot"))
        line->sysroot = value;
    else if (!strcmp(name, "b") || !strcmp(name, "format"))
        state->is_binary = !strcmp(value, "binary");
    else if (IS_ONE_OF(name, reports) && strcmp(value, "-") != 0)
        words_add(&line->reports, value);
    return false;
}

static void read_flag(struct line *line, struct state *state, const char *name)
{
    static const char *const makes_static[] = {"Bstatic", "dn", "non_shared", "static"};
    static const char *const makes_dynamic[] = {"Bdynamic", "dy", "call_shared"};
    static const char *const makes_relocatable[] = {"r", "i", "relocatable", "Ur"};
    static const char *const makes_shared[] = {"shared", "Bshareable"};
    if (IS_ONE_OF(name, makes_static))
        state->is_static = true;
    if (IS_ONE_OF(name, makes_dynamic))
        state->is_static = false;
    if (!strcmp(name, "push-state") && state->depth < sizeof state->saved)
        state->saved[state->depth++] = state->is_static;
    if (!strcmp(name, "pop-state") && state->depth > 0)
        state->is_static = state->saved[--state->depth];
    line->is_relocatable |= IS_ONE_OF(name, makes_relocatable);
    line->is_shared |= IS_ONE_OF(name, makes_shared);
    if (!strcmp(name, "gc-sections") || !strcmp(name, "no-gc-sections"))
        line->collects_garbage = name[0] == 'g';
    if (!strcmp(name, "nostdlib"))
        line->has_default_directories = false;
    if (!strncmp(name, "color-diagnostics", 17) || !strcmp(name, "no-color-diagnostics"))
        line->has_color_option = true;
}

/* An option that begins with WORD; NEXT is the word after it or NULL. Returns the words used. */
static size_t read_option(struct line *line, struct state *state, char *word, char *next)
{
    char *start = word + (word[1] == '-' ? 2 : 1), *equals = strchr(start, '=');
    char *typed = memory_format("%.*s", equals ? (int)(equals - start) : (int)strlen(start), start);
    const char *name = line_option_name(line->flavour, word, typed);
    bool is_short = line_option_is_short(word);
    bool is_long = line_option_is_long(name), is_added = false;
    char letter[2] = {word[1], 0};
    size_t used = 1;

    if (is_long && equals) {
        is_added = read_value(line, state, name, equals + 1);
    } else if ((is_long || (is_short && !word[2])) && next) {
        is_added = read_value(line, state, name, next);
        used = 2;
    } else {
        read_flag(line, state, name);
        /* -lfoo, -Ldir, -Tfile, -ofile; but -no-pie, -Bstatic and -export-dynamic are flags. */
        if (is_short && strchr("lLT", word[1]))
            is_added = read_value(line, state, letter, word + 2);
        else if (is_short && strchr("bmo", word[1]) && strncmp(word, "-omagic", 7) != 0)
            read_value(line, state, letter, word + 2);
    }
    if (!is_added)
        for (size_t i = 0; i < used; i++)
            words_add(&line->words, i ? next : word);
    free(typed);
    return used;
}

void line_read(struct line *line, char **argv, const char *linker)
{
    struct state state = {0};
    struct words words = {0};
    *line = (struct line){.flavour = line_flavour(linker),
                          .linker = linker,
                          .output = "a.out",
                          .has_default_directories = true};
    words_add(&line->words, argv[0]);
    words_expand(&words, argv + 1);
    for (size_t i = 0; i < words.count;) {
        char *word = words.list[i];
        if (word[0] == '-' && word[1]) {
            i += read_option(line, &state, word, words.list[i + 1]);
            continue;
        }
        if (!state.is_binary)
            add_input(line, &state, word, false);
        words_add(&line->words, word);
        i++;
    }
    line->is_static = state.is_static;
    line->ends_binary = state.is_binary;
    line->arch = tool_arch_emulated(line->emulation);
    free(words.list);
}

void line_insert(struct line *line, size_t at, char *const *list, size_t count)
{
    struct words words = {0};
    for (size_t i = 0; i <= line->words.count; i++) {
        for (size_t k = 0; i == at && k < count; k++)
            words_add(&words, list[k]);
        if (i < line->words.count)
            words_add(&words, line->words.list[i]);
    }
    for (size_t i = 0; i < line->input_count; i++)
        line->inputs[i].word += line->inputs[i].word >= at ? count : 0;
    free(line->words.list);
    line->words = words;
}

void line_remove(struct line *line, size_t at)
{
    size_t kept = 0;
    memmove(&line->words.list[at], &line->words.list[at + 1],
            (line->words.count - at) * sizeof *line->words.list);
    line->words.count--;
    for (size_t i = 0; i < line->input_count; i++) {
        if (line->inputs[i].word == at)
            continue;
        line->inputs[kept] = line->inputs[i];
        line->inputs[kept++].word -= line->inputs[i].word > at;
    }
    line->input_count = kept;
}

static const struct line_input *find_from(const struct line_input *input, line_test *is,
                                          const void *data)
{
    const struct line_input *found = is(input, data) ? input : NULL;
    const struct script *script = input->script; /* NOLINT(clang-analyzer-core.NullDereference) */
    for (size_t i = 0; !found && script && i < script->count; i++)
        found = find_from(&script->files[i].input, is, data);
    return found;
}

const struct line_input *line_find(const struct line *line, line_test *is, const void *data)
{
    const struct line_input *found = NULL;
    for (size_t i = 0; i < line->input_count && !found; i++)
        found = find_from(&line->inputs[i], is, data);
    return found;
}

static void free_script(struct script *script)
{
    for (size_t i = 0; script && i < script->count; i++)
        free_script(script->files[i].input.script);
    if (script) {
        free(script->text);
        free(script->files);
    }
    free(script);
}

void line_free(struct line *line)
{
    for (size_t i = 0; i < line->input_count; i++)
        free_script(line->inputs[i].script);
    free(line->words.list);
    free(line->directories.list);
    free(line->reports.list);
    free(line->inputs);
    *line = (struct line){0};
}

enum line_flavour line_flavour(const char *path)
{
    static const struct {
        const char *part;
        enum line_flavour flavour;
    } names[] = {
        {"lld", FLAVOUR_LLD}, {"mold", FLAVOUR_MOLD}, {"gold", FLAVOUR_GOLD}, {"bfd", FLAVOUR_BFD}};
    char *real = realpath(path, NULL);
    const char *name = basename(real ? real : path);
    enum line_flavour flavour = FLAVOUR_UNKNOWN;
    for (size_t i = 0; i < sizeof names / sizeof *names && !flavour; i++)
        if (strstr(name, names[i].part))
            flavour = names[i].flavour;
    free(real);
    return flavour;
}
