/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The entries of sites with live registers (inline, nop1, nop11): code that is the site's own, in a
 * section beside its text, of the same group. <sdt/format.h> has the bytes.
 *
 * The runtime could create them when a site is enabled, in memory that one NOP for all sites can
 * reach. They are in the file because unwinders read files: code created at run time must be
 * registered with each unwinder, and libgcc's then takes a lock at every frame, also in signal
 * handlers (docs/decisions/0026-entries-are-in-the-file.md). And enabling such a site changes one
 * byte.
 */
#include "entries.h"

#include "elf/add.h"
#include "unwind.h"

#include <stdlib.h>
#include <string.h>

static const struct arch_code *entry_of(const struct tool_arch *arch, const struct site *site)
{
    bool has_own = kind_is_of_note(site->kind) && arch->note_entry.bytes;
    return has_own ? &arch->note_entry : &arch->entry;
}

static void add_entry(struct set *set, const struct planned_text *text,
                      const struct planned_site *site)
{
    struct object *o = set->object;
    struct set_place start = set_site_place(set, text, site);
    const struct set_place places[ARCH_PLACES] = {
        [ARCH_PLACE_PROBE] = {set_record(set, site), 0},
        [ARCH_PLACE_RETURN] = {start.symbol, start.offset + site->form->length}};
    set_add_code(set, set_text(set, text)->entries, entry_of(o->arch, site->site), places);
}

void entries_add(struct set *set)
{
    struct object *o = set->object;
    const struct plan *plan = set->plan;
    const struct arch_code *entry = &o->arch->entry;
    for (uint32_t t = 0; t < plan->text_count; t++) {
        const struct planned_text *text = &plan->texts[t];
        if (!text->entry_size)
            continue;
        uint32_t section = set_add_own_code(set, text, SDT_SECTION_ENTRY, o->arch->entry_align);
        set_text(set, text)->entries = section;
        /* entries_add_records() adds one relocation more. */
        object_expect(o, section, text->entry_size / entry->size, entry->size,
                      entry->fixup_count + 1);
        for (uint32_t i = text->first; i < text->first + text->count; i++)
            if (plan->sites[i].has_entry)
                add_entry(set, text, &plan->sites[i]);
        object_add_symbol(o, SDT_SYMBOL_ENTRIES, STB_LOCAL, STT_FUNC, STV_DEFAULT, section, 0,
                          text->entry_size);
        unwind_add_entries(set, section, text->entry_size);
    }
}

void entries_add_records(struct set *set, const struct planned_text *text)
{
    struct object *o = set->object;
    const struct set_text *made = set_text(set, text);
    for (uint32_t i = 0; i < text->count; i++) {
        const struct planned_site *site = &set->plan->sites[text->first + i];
        const struct set_place record = {o->sections[made->records].symbol,
                                         i * sizeof(struct sdt_site)};
        if (site->has_entry)
            set_add_fixup(set, made->entries, site->own_code_at, &o->arch->entry_record, &record);
    }
}
