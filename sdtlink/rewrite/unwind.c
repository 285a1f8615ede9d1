/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unwind information for the code that the tool adds, so that at every instruction of a hit
 * debuggers, profilers and exceptions find the whole stack, also in a core dump.
 *
 * The CIEs and their FDEs are appended to the object's own .eh_frame. A second section of that name
 * would be simpler, but ld.bfd's garbage collector remembers only one .eh_frame per object when it
 * looks for the exception tables of live functions, and then throws those of all others away.
 *
 * The CIEs are the architecture's: one for code that has its return address on top of the stack,
 * one for entries, all of which have the same bytes, so that one FDE describes a whole section.
 */
#include "unwind.h"
#include "elf/add.h"

#include <string.h>

/* Whether more can be appended: a zero length ends the section for every reader. */
static bool is_open(const struct section *s)
{
    uint32_t length;
    size_t at = 0;
    while (s->size - at >= sizeof length) {
        memcpy(&length, s->data + at, sizeof length);
        if (length == 0 || length > s->size - at - sizeof length)
            return false;
        at += sizeof length + length;
    }
    return at == s->size && at % 4 == 0;
}

static uint32_t find_unwind(const struct object *o)
{
    for (uint32_t i = o->last_unwind; i > 0; i--) {
        const struct section *s = &o->sections[i];
        if (s->is_unwind && s->header.sh_type != SHT_NOBITS && !s->group && is_open(s))
            return i;
    }
    return 0;
}

/* Where CIE is in the object's .eh_frame; *AT remembers it. */
static uint64_t cie_at(struct set *set, const struct arch_cie *cie, uint64_t *at)
{
    struct object *o = set->object;
    if (!set->unwind)
        set->unwind = find_unwind(o);
    if (!set->unwind)
        set->unwind = object_add_section(o, ".eh_frame", o->arch->unwind_type, SHF_ALLOC, 8, 0);
    if (!*at)
        *at = object_append(o, set->unwind, cie->bytes, cie->size) +
              1; /* it may be the first thing there */
    return *at - 1;
}

static void add(struct set *set, uint64_t cie, uint32_t section, uint64_t offset, uint32_t size)
{
    struct object *o = set->object;
    uint64_t at = section_size(&o->sections[set->unwind]);
    const uint32_t fde[] = {
        20,                       /* length */
        (uint32_t)(at + 4 - cie), /* distance back to the CIE */
        0,                        /* start of the code */
        size,
        0, /* its size; augmentation length, nops */
        0,
    };
    object_append(o, set->unwind, fde, sizeof fde);
    object_relocate(o, set->unwind, at + 8, o->arch->relocations.distance,
                    object_symbol_for(o, section), (int64_t)offset);
}

/* A kernel's object may have none, and its linker script no place for it. */
static bool is_wanted(const struct set *set)
{
    return !set->plan->wishes.is_freestanding || set->object->last_unwind;
}

void unwind_add(struct set *set, uint32_t section, uint64_t offset, uint32_t size)
{
    if (!is_wanted(set))
        return;
    add(set, cie_at(set, &set->object->arch->plain_cie, &set->unwind_cie), section, offset, size);
}

void unwind_add_entries(struct set *set, uint32_t section, uint32_t size)
{
    if (!is_wanted(set))
        return;
    add(set, cie_at(set, &set->object->arch->entry_cie, &set->entry_cie), section, 0, size);
}
