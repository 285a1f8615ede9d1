/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What all readers of probes use to fill the list.
 */
#include "site.h"

#include "base/memory.h"
#include "elf_follow.h"

#include <stdlib.h>
#include <string.h>

struct list_site *list_add(struct list *list, const char *file)
{
    list->sites = memory_with_room(list->sites, list->count, &list->capacity, sizeof *list->sites);
    struct list_site *site = &list->sites[list->count++];
    *site = (struct list_site){.file = file};
    return site;
}

bool list_is_question(const struct list_site *site)
{
    return strncmp(site->kind, "enabled", 7) == 0;
}

void list_free(struct list *list)
{
    list_strings_free(&list->strings);
    free(list->sites);
    *list = (struct list){0};
}

const char *list_string(struct list *list, const char *text)
{
    return list_strings_add(&list->strings, slice_of(text));
}

struct list_place list_at_address(const struct list_elf *elf, uint64_t address,
                                  struct list_site *site)
{
    site->has_address = true;
    site->address = address;
    return list_elf_place(elf, address);
}

void list_at_place(struct list *list, const struct list_elf *elf, struct list_place place,
                   struct list_site *site)
{
    if (place.section == 0)
        return;
    const char *function = list_elf_function(elf, place);
    site->home = place.section;
    site->offset = place.offset;
    site->section = list_string(list, elf->sections[place.section].name);
    site->function = function ? list_string(list, function) : NULL;
}
