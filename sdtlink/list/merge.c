/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One site is listed once, even if several descriptions exist. Our record has the most information
 * (kind, types, module), so it stays, with what only the note has: that there is one, its
 * arguments, its semaphore.
 */
#include "site.h"

#include <stdlib.h>
#include <string.h>

static int compare_text(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a ? a : "", b ? b : "");
}

/* A note or a marker, not a record. */
static bool is_extra(const struct list_site *site)
{
    return strcmp(site->kind, "stapsdt") == 0 || strcmp(site->kind, "marker") == 0;
}

/* By place, then by probe. */
static int by_key(const struct list_site *a, const struct list_site *b)
{
    if (a->has_address && b->has_address && a->address != b->address)
        return a->address < b->address ? -1 : 1;
    int order = compare_text(a->section, b->section);
    if (order)
        return order;
    if (a->home != b->home) /* several sections may share a name */
        return a->home < b->home ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    order = compare_text(a->provider, b->provider);
    return order ? order : compare_text(a->name, b->name);
}

/* Records before notes. */
static int by_place(const void *left, const void *right)
{
    const struct list_site *a = left, *b = right;
    int order = by_key(a, b);
    return order ? order : (int)is_extra(a) - (int)is_extra(b);
}

/* EXTRA tells of the same site. */
static void merge(struct list_site *site, const struct list_site *extra)
{
    if (extra->has_note) {
        site->has_note = true;
        site->note_args = extra->note_args;
        site->semaphore_place = extra->semaphore_place;
    }
    if (extra->semaphore)
        site->semaphore = extra->semaphore;
    if (extra->marker_length)
        site->marker_length = extra->marker_length;
    if (!site->function)
        site->function = extra->function;
}

void list_merge(struct list *list, size_t first)
{
    size_t kept = first, note = first, marker = first; /* records that may still take one */
    if (list->count > first)
        qsort(list->sites + first, list->count - first, sizeof *list->sites, by_place);
    for (size_t i = first; i < list->count; i++) {
        struct list_site *site = &list->sites[i];
        size_t *next = site->has_note ? &note : &marker;
        if (kept == first || by_key(&list->sites[kept - 1], site) != 0)
            note = marker = kept;
        struct list_site *whose = &list->sites[*next];
        if (is_extra(site) && *next < kept &&
            (site->has_note ? !whose->has_note : !whose->marker_length)) {
            merge(whose, site);
            ++*next;
            continue;
        }
        list->sites[kept++] = *site;
    }
    list->count = kept;
}
