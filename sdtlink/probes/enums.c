/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See enums.h. Many files may include a header with SDT_ENUM_NAMES, and an object may be joined
 * from many files: the first entry counts, with a warning if others differ.
 */
#include "enums.h"

#include "base/diag.h"
#include "base/probe_label.h"
#include "elf/beside.h"

#include <inttypes.h>
#include <shared/lower_bound.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC INT64_C(0x7364744e616d6573) /* of the entry with the provider */

enum { HEAD = 3 };    /* entries: provider, name, argument */
enum { MOST = 1000 }; /* names of an argument: its descriptor is compared and copied whole */

_Static_assert(sizeof(struct enum_entry) == 64, "as <sdt/enum.h> lays it out");

static int refuse(const struct object *o, uint64_t offset, const char *problem)
{
    struct diag_place place = {.file = o->path, .section = SDT_SECTION_ENUMS, .offset = offset};
    return diag_refuse(&place, problem, NULL, NULL,
                       "compile the file again with this <sdt/probe.h>");
}

static struct slice text_of(const struct enum_entry *entry)
{
    return (struct slice){entry->text, strnlen(entry->text, sizeof entry->text)};
}

/* What is after the entries of one argument may be padding, of zeros. */
static bool is_padding(const struct enum_entry *entry)
{
    return entry->value == 0 && entry->text[0] == 0;
}

/* The names that begin with entry FIRST of LIMIT; how many entries those are, or 0. */
static size_t read_names(const struct enum_entry *entries, size_t first, size_t limit,
                         struct enum_names *names)
{
    size_t end = first + HEAD;
    if (entries[first].value != MAGIC || limit - first < HEAD)
        return 0;
    while (end < limit && entries[end].value != MAGIC && !is_padding(&entries[end]))
        end++;
    for (size_t i = first; i < end; i++)
        if (text_of(&entries[i]).length == sizeof entries->text)
            return 0;
    *names = (struct enum_names){.provider = text_of(&entries[first]),
                                 .name = text_of(&entries[first + 1]),
                                 .argument = text_of(&entries[first + 2]),
                                 .entries = entries + first + HEAD,
                                 .count = (uint32_t)(end - first - HEAD)};
    return end - first;
}

static int read_section(struct bytes *items, const struct object *o, const struct section *s)
{
    const struct enum_entry *entries = (const struct enum_entry *)(const void *)s->data;
    size_t limit = s->size / sizeof *entries, used;
    if ((uintptr_t)s->data % _Alignof(struct enum_entry) || s->size % sizeof *entries)
        return refuse(o, 0, "this section has an unknown layout");
    for (size_t i = 0; i < limit; i += used) {
        struct enum_names names;
        used = is_padding(&entries[i]) ? 1 : read_names(entries, i, limit, &names);
        if (!used)
            return refuse(o, i * sizeof *entries, "the names of an enumeration cannot be read");
        if (used > HEAD + MOST)
            return refuse(o, i * sizeof *entries, "an argument has more than 1000 names of values");
        if (!is_padding(&entries[i]))
            bytes_append(items, &names, sizeof names);
    }
    return 0;
}

static int compare_probes(const struct enum_names *a, const struct enum_names *b)
{
    int order = slice_compare(a->provider, b->provider);
    return order ? order : slice_compare(a->name, b->name);
}

static int compare_names(const struct enum_names *a, const struct enum_names *b)
{
    int order = compare_probes(a, b);
    return order ? order : slice_compare(a->argument, b->argument);
}

static int compare_items(const void *left, const void *right)
{
    const struct enum_names *a = left, *b = right;
    int order = compare_names(a, b);
    order = order ? order : a->is_beside - b->is_beside;
    return order ? order : a->entries < b->entries ? -1 : a->entries > b->entries;
}

static void wrong(const struct enum_names *names, const struct object *o, const char *problem,
                  const char *advice)
{
    char *probe = probe_label(names->provider, names->name);
    char *symbol =
        memory_format("%s, %.*s", probe, (int)names->argument.length, names->argument.text);
    struct diag_place place = {.file = o->path, .section = SDT_SECTION_ENUMS, .symbol = symbol};
    diag_warn(&place, problem, advice);
    free(symbol);
    free(probe);
}

/* Of several that say something of one argument, the first stays. */
static void drop_copies(struct enums *enums, const struct object *o)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < enums->count; i++) {
        const struct enum_names *item = &enums->items[i], *last = &enums->items[kept - 1];
        if (!kept || compare_names(last, item) != 0)
            enums->items[kept++] = *item;
        else if (last->count != item->count ||
                 memcmp(last->entries, item->entries, item->count * sizeof *item->entries) != 0)
            wrong(item, o, "two SDT_ENUM_NAMES of the same argument differ; the first one counts",
                  "put it into one header");
    }
    enums->count = kept;
}

/* ---- other objects ---- */

struct search {
    struct bytes *items;
    bool (*knows)(const void *data, struct slice provider, struct slice name);
    const void *data;
};

/* As read_section() does, of an object that reports its faults itself. */
static void read_beside(void *data, const uint8_t *section, size_t size)
{
    const struct search *search = data;
    const struct enum_entry *entries = (const struct enum_entry *)(const void *)section;
    size_t limit = size / sizeof *entries, used = 1;
    if ((uintptr_t)section % _Alignof(struct enum_entry))
        return;
    for (size_t i = 0; i < limit && used; i += used) {
        struct enum_names names;
        bool is_nothing = is_padding(&entries[i]);
        used = is_nothing ? 1 : read_names(entries, i, limit, &names);
        names.is_used = names.is_beside = true;
        if (!is_nothing && used && used <= HEAD + MOST &&
            search->knows(search->data, names.provider, names.name))
            bytes_append(search->items, &names, sizeof names);
    }
}

int enums_read(struct enums *enums, const struct object *o,
               bool (*knows)(const void *data, struct slice provider, struct slice name),
               const void *data)
{
    struct bytes items = {0};
    struct search search = {&items, knows, data};
    int result = 0;
    size_t count;
    const uint32_t *sections = object_enums(o, &count);
    for (size_t i = 0; i < count && result == 0; i++)
        if (o->sections[sections[i]].size)
            result = read_section(&items, o, &o->sections[sections[i]]);
    beside_each(o->beside, BESIDE_ENUMS, read_beside, &search);
    enums->items = (struct enum_names *)(void *)items.data;
    enums->count = (uint32_t)(items.size / sizeof *enums->items);
    if (enums->count)
        qsort(enums->items, enums->count, sizeof *enums->items, compare_items);
    if (result == 0)
        drop_copies(enums, o);
    return result;
}

void enums_free(struct enums *enums)
{
    free(enums->items);
    *enums = (struct enums){0};
}

struct enum_names *enums_find(const struct enums *enums, struct slice provider, struct slice name,
                              uint32_t *count)
{
    const struct enum_names wanted = {.provider = provider, .name = name};
    /* the first that is not before it */
    uint32_t low = LOWER_BOUND(i, enums->count, compare_probes(&enums->items[i], &wanted) < 0);
    for (*count = 0; low + *count < enums->count; ++*count)
        if (compare_probes(&enums->items[low + *count], &wanted) != 0)
            break;
    return *count ? &enums->items[low] : NULL;
}

/* A part of a descriptor: what is not a letter, digit, `_`, `-` or `.` is in hexadecimal. */
static void append_text(struct bytes *text, struct slice name)
{
    for (size_t i = 0; i < name.length; i++) {
        unsigned char c = (unsigned char)name.text[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
        char code[4];
        int length = snprintf(code, sizeof code, is_plain ? "%c" : "%%%02x", c);
        bytes_append(text, code, (size_t)length);
    }
}

/* What an argument of TYPE has of VALUE. */
static int64_t as_type(int64_t value, uint8_t type)
{
    unsigned shift = 64 - 8 * (type & SDT_ARG_SIZE);
    uint64_t high = (uint64_t)value << shift;
    return type & SDT_ARG_SIGNED ? (int64_t)high >> shift : (int64_t)(high >> shift);
}

void enums_append(struct bytes *text, const struct enum_names *names, uint8_t type)
{
    for (uint32_t i = 0; i < names->count; i++) {
        int64_t value = as_type(names->entries[i].value, type);
        bool is_known = false;
        for (uint32_t k = 0; k < i && !is_known; k++)
            is_known = as_type(names->entries[k].value, type) == value;
        if (is_known || !names->entries[i].text[0])
            continue;
        char *number = type & SDT_ARG_SIGNED ? memory_format(";%" PRId64 "=", value)
                                             : memory_format(";%" PRIu64 "=", (uint64_t)value);
        bytes_append(text, number, strlen(number));
        append_text(text, text_of(&names->entries[i]));
        free(number);
    }
}

void enums_report(const struct enum_names *names, uint32_t count, const struct object *o)
{
    for (uint32_t i = 0; i < count; i++)
        if (!names[i].is_used)
            wrong(&names[i], o,
                  "SDT_ENUM_NAMES: no site of the probe has an integer argument of this name",
                  "`sdtlink list` shows what arguments are called; SDT_NAMED gives them names");
}
