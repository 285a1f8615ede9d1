/* SPDX-License-Identifier: BSD-2-Clause */
/* See list.h. */
#include "list.h"

#include "hit/counters.h"
#include "registry/registry.h"
#include "site/field.h"
#include "site/record.h"
#include "subscribe/inspect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lines {
    char *text;
    size_t length, capacity;
    int error;
};

static bool grow(struct lines *lines, size_t more)
{
    if (lines->error || more <= lines->capacity - lines->length)
        return !lines->error;
    size_t capacity = (lines->capacity + more) * 2;
    char *text = realloc(lines->text, capacity);
    if (!text) {
        lines->error = -ENOMEM;
        return false;
    }
    lines->text = text;
    lines->capacity = capacity;
    return true;
}

static __attribute__((format(printf, 2, 3))) void put(struct lines *lines, const char *format, ...)
{
    enum { MOST = 128 }; /* numbers only */
    va_list arguments;
    if (!grow(lines, MOST))
        return;
    va_start(arguments, format);
    int n = vsnprintf(lines->text + lines->length, MOST, format, arguments);
    va_end(arguments);
    lines->length += n > 0 && n < MOST ? (size_t)n : 0;
}

/* TEXT and END; nothing in it can be taken for the end of a field. */
static void put_text(struct lines *lines, const char *text, char end)
{
    static const char digits[] = "0123456789abcdef";
    text = text ? text : "";
    if (!grow(lines, 4 * strlen(text) + 1))
        return;
    char *to = lines->text + lines->length;
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte >= ' ' && byte != 0x7f && byte != '\\') {
            *to++ = (char)byte;
            continue;
        }
        *to++ = '\\';
        *to++ = 'x';
        *to++ = digits[byte >> 4];
        *to++ = digits[byte & 15];
    }
    *to++ = end;
    lines->length = (size_t)(to - lines->text);
}

/* Names of its values, as the descriptor has them: in printable characters, without blanks. */
static void put_labels(struct lines *lines, const struct field *field)
{
    const char *text = field->labels ? field->labels : "";
    size_t length = strcspn(text, ":");
    if (!grow(lines, length))
        return;
    for (size_t i = 0; i < length; i++)
        lines->text[lines->length++] = text[i] > ' ' && text[i] < 0x7f ? text[i] : '?';
}

static void put_arguments(struct lines *lines, const struct site *site,
                          const struct sdt_probe_info *info)
{
    const char *descriptor = (const char *)record_target(&site->record->args);
    for (unsigned i = 0; i < info->nargs && i < SDT_MAX_ARGS; i++) {
        struct field field = {.labels = NULL};
        if (!site->is_bad)
            field = field_at(&site->args, descriptor, i);
        put_text(lines, info->arg_names[i], ':');
        put_text(lines, info->arg_types[i], ' ');
        lines->length -= !lines->error; /* the blank */
        put_labels(lines, &field);
        put_text(lines, "", i + 1 < info->nargs ? ' ' : '\n');
    }
    if (info->nargs == 0)
        put_text(lines, "", '\n');
}

static int put_site(const struct site *site, const struct sdt_probe_info *info, void *data)
{
    static const char *const modes[] = {[SDT_MODE_TRAP] = "trap",
                                        [SDT_MODE_JUMP] = "jump",
                                        [SDT_MODE_OFF] = "off",
                                        [SDT_MODE_BLOCKED] = "blocked"};
    struct lines *lines = data;
    if (!site->probe)
        return 0;
    const struct hit_state *state = site->probe->state;
    struct counters_place place = counters_place(state);
    put_text(lines, info->provider, '\t');
    put_text(lines, info->module, '\t');
    put_text(lines, info->function, '\t');
    put_text(lines, info->name, '\t');
    put(lines, "%" PRIxPTR "\t%u\t%s\t%d\t", (uintptr_t)info->pc, info->kind, modes[info->mode],
        info->error);
    put(lines, "%" PRIu64 "\t%d\t%" PRIu64 "\t%u\t%u\t", counters_sum(state), place.fd, place.inode,
        place.offset, place.pages);
    put_text(lines, info->file, *info->file ? ':' : '\t');
    if (*info->file)
        put(lines, "%u\t", info->line);
    put_arguments(lines, site, info);
    return lines->error;
}

int list_sites(const char *pattern, char **text, size_t *length)
{
    struct lines lines = {0};
    int error = inspect_sites(pattern, put_site, &lines);
    if (error) {
        free(lines.text);
        return error;
    }
    *text = lines.text;
    *length = lines.length;
    return 0;
}
