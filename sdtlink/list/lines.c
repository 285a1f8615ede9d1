/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The source locations of sites whose record has none: from the program's debug information.
 */
#include "dwarf/lines.h"

#include "base/memory.h"
#include "site.h"

#include <shared/lower_bound.h>
#include <stdlib.h>

enum { PATH_SHOWN = 1000 };

/* The sites to be told, by address. */
struct wanted {
    struct list *list;
    struct list_site **sites;
    size_t *next; /* of each, the first from there on that is not told yet, or one that is nearer */
    size_t count;
};

static size_t next_untold(const struct wanted *wanted, size_t i)
{
    while (wanted->next[i] != i)
        i = wanted->next[i] = wanted->next[wanted->next[i]];
    return i;
}

static void tell(const struct dwarf_row *row, void *data)
{
    const struct wanted *wanted = data;
    size_t low = LOWER_BOUND(i, wanted->count, wanted->sites[i]->address < row->begin);
    low = next_untold(wanted, low);
    for (; low < wanted->count && wanted->sites[low]->address < row->end;
         low = next_untold(wanted, low)) {
        char *place = memory_format("%.*s:%u", PATH_SHOWN, row->file, row->line);
        wanted->sites[low]->place = list_strings_keep(&wanted->list->strings, place);
        wanted->next[low] = low + 1;
    }
}

static int by_address(const void *left, const void *right)
{
    const struct list_site *a = *(const struct list_site *const *)left;
    const struct list_site *b = *(const struct list_site *const *)right;
    return (a->address > b->address) - (a->address < b->address);
}

void list_read_lines(const struct dwarf *dwarf, struct list *list, size_t first)
{
    struct wanted wanted = {.list = list};
    wanted.sites = memory_zeroed(list->count - first + 1, sizeof(struct list_site *));
    for (size_t i = first; i < list->count; i++)
        if (list->sites[i].has_address && !list->sites[i].place)
            wanted.sites[wanted.count++] = &list->sites[i];
    qsort(wanted.sites, wanted.count, sizeof *wanted.sites, by_address);
    wanted.next = memory_zeroed(wanted.count + 1, sizeof *wanted.next);
    for (size_t i = 0; i <= wanted.count; i++)
        wanted.next[i] = i;
    if (wanted.count)
        dwarf_read_lines(dwarf, tell, &wanted);
    free(wanted.next);
    free(wanted.sites);
}
