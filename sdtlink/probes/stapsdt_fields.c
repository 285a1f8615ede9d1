/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names and meanings of a note's arguments. <sys/sdt.h> has none; headers that `sdt-dtrace -h`
 * made of provider files have lines of sdt-describe(5) for their probes, in section .sdt_described.
 * An object that was joined from several has the lines of each.
 */
#include "stapsdt.h"

#include "base/diag.h"
#include "elf/beside.h"

#include <shared/describe.h>
#include <stdlib.h>
#include <string.h>

/* ---- the section ---- */

struct lines {
    struct slice *list;
    size_t count, capacity;
};

static void add_lines(struct lines *lines, const char *text, size_t size)
{
    while (size) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        lines->list =
            memory_with_room(lines->list, lines->count, &lines->capacity, sizeof *lines->list);
        if (length)
            lines->list[lines->count++] = (struct slice){text, length};
        size -= length + (end != NULL);
        text += length + (end != NULL);
    }
}

static void add_beside(void *data, const uint8_t *section, size_t size)
{
    add_lines(data, (const char *)section, size);
}

/* `probe PROVIDER:NAME ` */
static struct slice head(struct slice line)
{
    const char *end = memchr(line.text, '(', line.length);
    return (struct slice){line.text, end ? (size_t)(end - line.text) : line.length};
}

static int compare(const void *left, const void *right)
{
    const struct slice *a = left, *b = right;
    int order = slice_compare(head(*a), head(*b));
    return order ? order : slice_compare(*a, *b);
}

/* Each probe once. */
static void join(struct lines *lines, struct bytes *text)
{
    if (lines->count)
        qsort(lines->list, lines->count, sizeof *lines->list, compare);
    for (size_t i = 0; i < lines->count; i++) {
        if (i && slice_compare(head(lines->list[i]), head(lines->list[i - 1])) == 0)
            continue;
        bytes_append(text, lines->list[i].text, lines->list[i].length);
        bytes_append(text, "\n", 1);
    }
}

struct description *stapsdt_read_description(const struct object *o)
{
    struct lines lines = {NULL, 0, 0};
    struct bytes text = {0};
    struct describe_error error;
    struct description *description = NULL;
    for (uint32_t i = 1; i < o->section_count; i++)
        if (o->sections[i].data && !strcmp(o->sections[i].name, SDT_SECTION_DESCRIBED))
            add_lines(&lines, (const char *)o->sections[i].data, o->sections[i].size);
    beside_each(o->beside, BESIDE_DESCRIBED, add_beside, &lines);
    join(&lines, &text);
    if (text.size)
        description = describe_parse((const char *)text.data, text.size, &error);
    if (text.size && !description)
        diag_warn(&(struct diag_place){.file = o->path, .section = SDT_SECTION_DESCRIBED},
                  error.problem,
                  "the arguments have no names: generate the header again with sdt-dtrace -h");
    bytes_free(&text);
    free(lines.list);
    return description;
}

/* ---- a site ---- */

struct own {
    uint8_t kinds[SDT_MAX_ARGS], sizes[SDT_MAX_ARGS];
};

/* Of TEXT, a descriptor: `-4@...`. */
static void read_own(const char *text, struct own *own)
{
    for (unsigned i = 0; *text && i < SDT_MAX_ARGS; i++) {
        bool is_signed = *text == '-';
        own->sizes[i] = (uint8_t)(text[is_signed] - '0');
        own->kinds[i] = text[is_signed + 1] == 'f' ? 'f' : is_signed ? 'i' : 'u';
        text += strcspn(text, " ");
        text += *text == ' ';
    }
}

static bool has_name(const struct describe_probe *probe, const char *name)
{
    for (unsigned i = 0; i < probe->count; i++)
        if (probe->fields[i].name && !strcmp(probe->fields[i].name, name))
            return true;
    return false;
}

/* That of argument I, which may have none, or of a description with fewer fields. */
static char *field_name(const struct describe_probe *probe, unsigned i)
{
    if (i < probe->count && probe->fields[i].name)
        return memory_format("%s", probe->fields[i].name);
    char *name = memory_format("arg%u", i);
    for (unsigned n = 2; has_name(probe, name); n++) {
        free(name);
        name = memory_format("arg%u_%u", i, n);
    }
    return name;
}

/* The descriptor says how large it is; so only what it means is taken. */
static char field_kind(const struct describe_probe *probe, const struct own *own, unsigned fitting,
                       unsigned i)
{
    return fitting >> i & 1 && probe->fields[i].kind ? (char)probe->fields[i].kind
                                                     : (char)own->kinds[i];
}

void stapsdt_name_args(struct stapsdt_args *args, const struct describe_probe *probe)
{
    struct bytes text = {0};
    struct own own = {0};
    if (!probe || !args->count)
        return;
    read_own(args->text, &own);
    unsigned fitting = describe_fitting(probe, own.kinds, own.sizes, args->count);
    bytes_append(&text, args->text, strlen(args->text));
    bytes_append(&text, "\t", 2);
    for (unsigned i = 0; i < args->count; i++) {
        char *name = field_name(probe, i);
        bytes_append(&text, (char[]){field_kind(probe, &own, fitting, i), ':'}, 2);
        bytes_append(&text, name, strlen(name) + 1);
        free(name);
    }
    free(args->text);
    args->text = (char *)text.data;
    args->size = text.size;
}
