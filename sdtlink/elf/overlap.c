/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * No two sections may share bytes of the file, and none those of the file's header: a change of one
 * would change the other.
 *
 * The check runs when an object is to be changed, over perhaps hundreds of thousands of sections.
 * Sorting them takes as long as writing the output. But assemblers and partial links lay contents
 * out in the order of the section table, relocations apart from the rest: all sections of an object
 * form two or three spans without gaps except for alignment. So spans are grown, and all sections
 * are sorted only if one falls into a span, or there are too many spans.
 */
#include "overlap.h"

#include "base/diag.h"

#include <stdlib.h>

/* Bytes [start, end) of the file. */
struct range {
    uint64_t start, end;
};

enum { MAX_SPANS = 8 };
struct spans {
    struct range items[MAX_SPANS];
    size_t count;
};

static struct range range_of(const struct section *s)
{
    return (struct range){s->header.sh_offset, s->header.sh_offset + s->size};
}

/* Take RANGE, which needs ALIGN, into the span that it follows, or a new one. False: not simple. */
static bool grow(struct spans *spans, struct range range, uint64_t align)
{
    struct range *follows = NULL;
    for (size_t i = 0; i < spans->count; i++) {
        struct range *span = &spans->items[i];
        if (range.start < span->end && span->start < range.end)
            return false;
        if (range.start >= span->end && range.start - span->end < (align ? align : 1))
            follows = span;
    }
    if (follows) {
        follows->end = range.end;
        return true;
    }
    if (spans->count == MAX_SPANS)
        return false;
    spans->items[spans->count++] = range;
    return true;
}

static bool is_simple(const struct object *o)
{
    struct spans spans = {.items = {{0, sizeof(Elf64_Ehdr)}}, .count = 1};
    for (uint32_t i = 1; i < o->input_sections; i++) {
        const struct section *s = &o->sections[i];
        if (s->size && !grow(&spans, range_of(s), s->header.sh_addralign))
            return false;
    }
    return true;
}

static int compare(const void *left, const void *right)
{
    const struct section *a = *(const struct section *const *)left;
    const struct section *b = *(const struct section *const *)right;
    return a->header.sh_offset < b->header.sh_offset ? -1
                                                     : a->header.sh_offset > b->header.sh_offset;
}

static int check_sorted(const struct object *o)
{
    const struct section **order = memory_zeroed(o->input_sections, sizeof(void *));
    size_t count = 0;
    int result = 0;
    for (uint32_t i = 1; i < o->input_sections; i++)
        if (o->sections[i].size)
            order[count++] = &o->sections[i];
    if (count)
        qsort(order, count, sizeof(void *), compare);
    uint64_t end = sizeof(Elf64_Ehdr);
    for (size_t i = 0; i < count && result == 0; end = range_of(order[i++]).end)
        if (range_of(order[i]).start < end)
            result = diag_refuse(&(struct diag_place){.file = o->path, .symbol = order[i]->name},
                                 "this section overlaps another one, or the ELF header; the file "
                                 "is damaged",
                                 NULL, NULL, NULL);
    free(order);
    return result;
}

int overlap_check(const struct object *o)
{
    return is_simple(o) ? 0 : check_sorted(o);
}
