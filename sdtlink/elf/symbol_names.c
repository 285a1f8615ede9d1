/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A symbol that is dropped leaves its name behind: for each probe, the 45 bytes or more of a stub
 * that nobody calls any more. Whether another symbol has the same name, or the end of it, only a
 * look at all of them tells.
 */
#include "symbol_names.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The table, and the one that is to replace it. */
struct names {
    const struct section *old;
    size_t size; /* of that */
    struct bytes fresh;
    uint32_t *where; /* of each byte of the old one at which a name begins: where that is now */
};

/* Call CHANGE for every word that names a string of the table; the symbol before the first one may
 * do so too. LLVM puts the sections' names into the same one. */
static void for_each(struct object *o, struct names *names,
                     void (*change)(struct names *names, Elf64_Word *at))
{
    const struct section *symbols = &o->sections[o->symtab];
    for (size_t at = 0; at < section_size(symbols); at += sizeof(Elf64_Sym))
        change(names, &((Elf64_Sym *)(void *)section_byte(symbols, at))->st_name);
    for (uint32_t i = 1; o->shstrtab == o->strtab && i < o->section_count; i++)
        change(names, &o->sections[i].header.sh_name);
}

/* Names may end in each other: then the new table would be larger, and perhaps much. */
static bool is_smaller(const struct names *names)
{
    return names->fresh.size < names->size;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): as for_each() calls it */
static void take(struct names *names, Elf64_Word *at)
{
    const char *name = (const char *)section_byte(names->old, *at);
    if (is_smaller(names) && *at && !names->where[*at])
        names->where[*at] = (uint32_t)bytes_append(&names->fresh, name, strlen(name) + 1);
}

static void move(struct names *names, Elf64_Word *at)
{
    *at = names->where[*at];
}

void symbol_names_compact(struct object *o)
{
    struct section *strings = &o->sections[o->strtab];
    size_t size = section_size(strings);
    struct names names = {
        .old = strings, .size = size, .where = memory_zeroed(size, sizeof *names.where)};
    bytes_append(&names.fresh, "", 1);
    for_each(o, &names, take);
    if (is_smaller(&names)) {
        for_each(o, &names, move);
        bytes_free(&strings->tail);
        strings->size = 0;
        strings->tail = names.fresh;
    } else {
        bytes_free(&names.fresh);
    }
    free(names.where);
}
