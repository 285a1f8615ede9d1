/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Only a part of a script's language has to be understood: comments, quotes, braces (in which
 * sections are described, and no files are named), and lists in parentheses.
 */
#include "script.h"

#include "base/diag.h"
#include "elf/object.h"
#include "scan.h"
#include "search.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTED = 16 }; /* scripts that name scripts */

struct script_reader {
    const char *text, *end;
    const char *word; /* the last word or sign that was read, with quotes */
    size_t length;
};

/* A comma is part of a name, unless it stands alone. */
static bool is_part(char byte)
{
    return !isspace((unsigned char)byte) && !strchr("(){};\"", byte);
}

static void skip(struct script_reader *reader)
{
    while (reader->text < reader->end) {
        if (reader->end - reader->text >= 4 && !memcmp(reader->text, "/*", 2)) {
            size_t rest = (size_t)(reader->end - reader->text) - 2;
            const char *close = memmem(reader->text + 2, rest, "*/", 2);
            reader->text = close ? close + 2 : reader->end;
        } else if (isspace((unsigned char)*reader->text)) {
            reader->text++;
        } else {
            return;
        }
    }
}

/* The next word, or sign; false at the end. */
static bool next(struct script_reader *reader)
{
    skip(reader);
    const char *at = reader->word = reader->text;
    if (at >= reader->end)
        return false;
    if (*at == '"') {
        const char *close = memchr(at + 1, '"', (size_t)(reader->end - at) - 1);
        at = close ? close + 1 : reader->end;
    } else if (is_part(*at)) {
        while (at < reader->end && is_part(*at))
            at++;
    } else {
        at++;
    }
    reader->length = (size_t)(at - reader->word);
    reader->text = at;
    return true;
}

static bool is_word(const struct script_reader *reader, const char *word)
{
    return reader->length == strlen(word) && !memcmp(reader->word, word, reader->length);
}

static void add_file(struct script *script, const struct script_reader *reader, bool is_included)
{
    script->files =
        memory_with_room(script->files, script->count, &script->capacity, sizeof *script->files);
    script->files[script->count++] =
        (struct script_file){.at = (size_t)(reader->word - script->text),
                             .length = reader->length,
                             .is_included = is_included};
}

static void read_list(struct script *script, struct script_reader *reader)
{
    for (size_t depth = 0; next(reader);) {
        if (is_word(reader, "("))
            depth++;
        else if (is_word(reader, ")"))
            depth -= depth > 0;
        else if (depth > 0 && !is_word(reader, "AS_NEEDED") && !is_word(reader, ","))
            add_file(script, reader, false);
        /* Also where there is no list at all. */
        if (depth == 0)
            return;
    }
}

/*
 * Is the last word a pattern that means the notes, as .note.* is? `*` is none: it also means what a
 * program needs, so a script that discards `*` has kept that before, and perhaps the notes.
 */
static bool means_notes(const struct script_reader *reader)
{
    bool is_quoted = reader->length >= 2 && reader->word[0] == '"';
    char *pattern =
        memory_format("%.*s", (int)reader->length - 2 * is_quoted, reader->word + is_quoted);
    bool result = fnmatch(pattern, SECTION_STAPSDT, 0) == 0 && fnmatch(pattern, ".text", 0) != 0;
    free(pattern);
    return result;
}

/*
 * What is between braces describes sections: `.notes : { *(.note.*) }`, or `/DISCARD/ : { … }`,
 * which a colon may follow at once. Of several patterns that mean a section, the first counts.
 */
static void read_sections(struct script *script, struct script_reader *reader, bool *is_known)
{
    static const char discard[] = "/DISCARD/";
    bool is_discarded = false;
    for (size_t braces = 1; braces && next(reader);) {
        bool begins_discard = reader->length >= sizeof discard - 1 &&
                              !memcmp(reader->word, discard, sizeof discard - 1);
        if (is_word(reader, "{"))
            braces++;
        else if (is_word(reader, "}"))
            braces--;
        is_discarded = begins_discard || (is_discarded && !is_word(reader, "}"));
        if (!*is_known && means_notes(reader)) {
            *is_known = true;
            script->discards_notes = is_discarded;
        }
    }
}

static void read_text(struct script *script)
{
    struct script_reader reader = {.text = script->text, .end = script->text + script->size};
    bool knows_notes = false;
    while (next(&reader)) {
        if (is_word(&reader, "{"))
            read_sections(script, &reader, &knows_notes);
        else if (is_word(&reader, "INPUT") || is_word(&reader, "GROUP") ||
                 is_word(&reader, "STARTUP"))
            read_list(script, &reader);
        else if (is_word(&reader, "INCLUDE") && next(&reader))
            add_file(script, &reader, true);
    }
}

static int load(struct script *script, const char *path)
{
    struct bytes text = {0};
    char part[4096];
    size_t got;
    FILE *file = fopen(path, "re");
    if (!file)
        return diag_errno("cannot read %s", path);
    while ((got = fread(part, 1, sizeof part, file)) > 0)
        bytes_append(&text, part, got);
    int result = ferror(file) ? diag_errno("cannot read %s", path) : 0;
    fclose(file);
    script->text = (char *)text.data;
    script->size = text.size;
    return result;
}

static int scan_named(const struct line *line, struct line_input *input, unsigned depth);

static int scan_one(const struct line *line, const struct line_input *input,
                    struct script_file *file, unsigned depth)
{
    const char *text = input->script->text + file->at;
    bool is_quoted = file->length >= 2 && text[0] == '"';
    size_t length = file->length - (is_quoted ? 2 : 0);
    const char *name = words_keep(memory_format("%.*s", (int)length, text + is_quoted));
    file->input.name = name;
    file->input.is_static = input->is_static;
    /* GNU ld and lld look for what is INCLUDEd along -L, and not beside the script. */
    const char *from = file->is_included ? NULL : input->path;
    file->input.path =
        words_keep(search_named(line, from, name, input->is_static, &file->is_moved));
    if (!file->input.path) /* the linker will say that */
        return 0;
    if ((errno = scan_file(&line->rules, file->input.path, &file->input.found)) != 0)
        return diag_errno("cannot read %s", file->input.path);
    return file->input.found & SCAN_SCRIPT ? scan_named(line, &file->input, depth + 1) : 0;
}

static int scan_named(const struct line *line, struct line_input *input, unsigned depth)
{
    static const unsigned inherited = SCAN_PROBES | SCAN_PROCESSED | SCAN_LTO_PROBES | SCAN_LTO |
                                      SCAN_SLIM | SCAN_API | SCAN_OWN_API | SCAN_DISCARDS;
    if (depth > MAX_NESTED) /* they name each other; the linker will say that */
        return 0;
    input->script = memory_zeroed(1, sizeof *input->script);
    if (load(input->script, input->path) != 0)
        return -1;
    if (!input->script->text) /* it has become empty since */
        return 0;
    read_text(input->script);
    if (input->script->discards_notes)
        input->found |= SCAN_DISCARDS;
    for (size_t i = 0; i < input->script->count; i++) {
        struct script_file *file = &input->script->files[i];
        if (scan_one(line, input, file, depth) != 0)
            return -1;
        input->found |= file->input.found & inherited;
    }
    return 0;
}

int script_scan(const struct line *line, struct line_input *input)
{
    return scan_named(line, input, 0);
}

/* What the copy has in the place of a name; NULL: the name. To be freed. */
static char *new_name(const struct script_file *file)
{
    const struct line_input *input = &file->input;
    if (input->replacement)
        return memory_format("\"%s\"", input->replacement);
    char *real = file->is_moved ? realpath(input->path, NULL) : NULL;
    char *name = real ? memory_format("\"%s\"", real) : NULL;
    free(real);
    return name;
}

int script_write(const struct script *script, const char *output)
{
    size_t at = 0;
    struct bytes text = {0};
    for (size_t i = 0; i < script->count; i++) {
        const struct script_file *file = &script->files[i];
        char *name = new_name(file);
        if (!name)
            continue;
        bytes_append(&text, script->text + at, file->at - at);
        bytes_append(&text, name, strlen(name));
        at = file->at + file->length;
        free(name);
    }
    bytes_append(&text, script->text + at, script->size - at);
    FILE *file = fopen(output, "we");
    bool is_written = file && fwrite(text.data, 1, text.size, file) == text.size;
    bytes_free(&text);
    if ((file && fclose(file) != 0) || !is_written)
        return diag_errno("cannot write %s", output);
    return 0;
}
