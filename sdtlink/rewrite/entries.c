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
#include "orc.h"
#include "unwind.h"

#include <stdlib.h>
#include <string.h>

static const struct arch_code *entry_of(const struct arch_pieces *code, const struct site *site)
{
    bool has_own = kind_is_of_note(site->kind) && code->note_entry.bytes;
    return has_own ? &code->note_entry : &code->entry;
}

/*
 * Kernels print the nearest symbol of each return address: it says which function was probed, and
 * that this is not it.
 */
static void name_entry(struct set *set, const struct planned_site *site, uint32_t section,
                       uint64_t at)
{
    const struct slice of = site->function.length ? site->function : slice_of(SDT_SYMBOL_ENTRIES);
    char *name = memory_format("%.*s.sdt", (int)of.length, of.text);
    object_add_symbol(set->object, name, STB_LOCAL, STT_FUNC, STV_DEFAULT, section, at,
                      set->plan->code->entry.size);
    free(name);
}

static void add_entry(struct set *set, const struct planned_text *text,
                      const struct planned_site *site)
{
    struct set_place start = set_site_place(set, text, site);
    const struct set_place places[ARCH_PLACES] = {
        [ARCH_PLACE_PROBE] = {set_record(set, site), 0},
        [ARCH_PLACE_RETURN] = {start.symbol, start.offset + site->form->length}};
    uint32_t entries = set_text(set, text)->entries;
    uint64_t at = set_add_code(set, entries, entry_of(set->plan->code, site->site), places);
    orc_add_entry(set, site, entries, at);
    if (set->plan->wishes.is_freestanding)
        name_entry(set, site, entries, at);
}

void entries_add(struct set *set)
{
    struct object *o = set->object;
    const struct plan *plan = set->plan;
    const struct arch_code *entry = &plan->code->entry;
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
        if (!plan->wishes.is_freestanding)
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
