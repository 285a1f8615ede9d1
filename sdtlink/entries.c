/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The entries of sites with live registers (inline, nop1): code that is the site's own, in a
 * section beside its text, of the same group. <sdt/format.h> has the bytes.
 *
 * They could be made by the runtime, when a site is enabled, near a place that one NOP for all can
 * lead to. They are in the file because unwinders look at files: what is made at run time must be
 * registered with each of them, and libgcc's then takes a lock at every frame, in signal handlers
 * as well (docs/decisions/0026-entries-are-in-the-file.md). And enabling such a site is one byte.
 */
#include "set.h"

#include <stdlib.h>
#include <string.h>

/* Make the displacement at FIELD of the entry at AT, after which an instruction ends, lead there.
 */
static void relocate_branch(struct set *set, uint32_t section, uint64_t at, unsigned field,
                            uint32_t symbol, uint64_t target)
{
    image_relocate(set->object, section, at + field, R_X86_64_PC32, symbol, (int64_t)target - 4);
}

static void add_entry(struct set *set, const struct planned_text *text,
                      const struct planned_site *site)
{
    struct object *o = set->object;
    const struct set_probe *probe = &set->probes[site->site->probe];
    uint64_t enter = offsetof(struct sdt_probe, enter);
    if (site->flags & SDT_SITE_LIVE_FLAGS)
        enter += sizeof(uint64_t);
    uint64_t at = image_append(o, text->entries, sdt_x86_64_entry_code, SDT_ENTRY_SIZE);
    relocate_branch(set, text->entries, at, SDT_ENTRY_ENTER, probe->record, enter);
    relocate_branch(set, text->entries, at, SDT_ENTRY_JUMP, image_section_symbol(o, text->section),
                    site->site->offset + site->form->length);
    image_relocate(o, text->entries, at + SDT_ENTRY_PROBE, R_X86_64_PC32, probe->record, 0);
}

/* Of an entry, one of which entries_add_records() adds. */
enum { RELOCATIONS = 4 };

void entries_add(struct set *set, struct plan *plan)
{
    struct object *o = set->object;
    for (uint32_t t = 0; t < plan->text_count; t++) {
        struct planned_text *text = &plan->texts[t];
        if (!text->entry_size)
            continue;
        text->entries =
            image_add_section(o, SDT_SECTION_ENTRY, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
                              SDT_ENTRY_SIZE, o->sections[text->section].group);
        image_section_symbol(o, text->entries);
        image_expect(o, text->entries, text->entry_size / SDT_ENTRY_SIZE, SDT_ENTRY_SIZE,
                     RELOCATIONS);
        for (uint32_t i = text->first; i < text->first + text->count; i++)
            if (plan->sites[i].has_entry)
                add_entry(set, text, &plan->sites[i]);
        image_add_symbol(o, SDT_SYMBOL_ENTRIES, STB_LOCAL, STT_FUNC, STV_DEFAULT, text->entries, 0,
                         text->entry_size);
        unwind_add_entries(set, text->entries, text->entry_size);
    }
}

void entries_add_records(struct set *set, const struct planned_text *text)
{
    struct object *o = set->object;
    for (uint32_t i = 0; i < text->count; i++) {
        const struct planned_site *site = &set->plan->sites[text->first + i];
        if (site->has_entry)
            image_relocate(o, text->entries, site->loader + SDT_ENTRY_RECORD, R_X86_64_PC32,
                           o->sections[text->records].symbol,
                           (int64_t)(i * sizeof(struct sdt_site)));
    }
}
