/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The entries of section .markers, written by <sdt/marker.h>: address, length, name.
 *
 * The assembler does not know where the compiler puts the call of a marker, only that it is the
 * next one with that name after the entry's label. We know the sites. So the entry's reference is
 * changed to the first byte of its site, and its length from 0 to the site's.
 *
 * An object without markers of ours may have a section of this name for purposes of its own: it is
 * ignored. Entries that an earlier run has settled have a length, and stay.
 */
#include "markers.h"

#include "base/diag.h"
#include "elf/add.h"
#include "probes/sites.h"
#include "set.h"

#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_AT = 4, NAME_AT = 5 };

static bool is_text(struct slice slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.text, text, slice.length) == 0;
}

static bool has_markers(const struct sites *sites)
{
    for (uint32_t i = 0; i < sites->probe_count; i++)
        if (is_text(sites->probes[i].provider, MARKERS_PROVIDER))
            return true;
    return false;
}

static int refuse(const struct object *o, uint64_t offset, const char *problem)
{
    struct diag_place place = {.file = o->path, .section = MARKERS_SECTION, .offset = offset};
    return diag_refuse(&place, problem, NULL, NULL,
                       "compile the file again with this <sdt/marker.h>");
}

/* The first site at or after OFFSET of SECTION that is marker NAME; count: there is none. */
static uint32_t find_site(const struct sites *sites, uint32_t section, uint64_t offset,
                          const char *name)
{
    const struct place place = {section, offset};
    uint32_t low = LOWER_BOUND(i, sites->count, place_compare(&sites->items[i].place, &place) < 0);
    for (; low < sites->count && sites->items[low].place.section == section; low++) {
        const struct probe_name *found = &site_symbol(sites, &sites->items[low])->name;
        if (found->use != SDT_USE_ENABLED && is_text(found->provider, MARKERS_PROVIDER) &&
            is_text(found->name, name))
            return low;
    }
    return sites->count;
}

/* The entry that RELOCATION, of section S, belongs to. */
static int find_entry(struct markers *markers, const struct object *o, const struct sites *sites,
                      struct bits *claimed, const struct section *s, Elf64_Rela *relocation)
{
    uint64_t at = relocation->r_offset;
    uint32_t symbol = (uint32_t)ELF64_R_SYM(relocation->r_info);
    const char *text = (const char *)s->data + at + NAME_AT;
    if (at % 4 || at > s->size || s->size - at <= NAME_AT ||
        strnlen(text, s->size - at - NAME_AT) == s->size - at - NAME_AT)
        return refuse(o, at, "this entry of a marker is cut off");
    if (s->data[at + LENGTH_AT] != 0)
        return 0;
    uint32_t section = object_symbol_section(o, symbol);
    uint32_t type = ELF64_R_TYPE(relocation->r_info), paired = o->arch->relocations.difference;
    bool is_distance = type == o->arch->relocations.distance || (paired && type == paired);
    if (!is_distance || section == SHN_UNDEF)
        return refuse(o, at, "this entry does not say how far its marker is");
    uint64_t base = o->symbols[symbol].st_value;
    uint32_t i = find_site(sites, section, base + (uint64_t)relocation->r_addend, text);
    if (i == sites->count)
        return refuse(o, at, "there is no marker after the label of this entry");
    if (bits_test(claimed, i))
        return refuse(o, at, "two entries name the same marker");
    bits_set(claimed, i);
    const struct marker_entry entry = {.relocation = relocation,
                                       .length_at = &s->data[at + LENGTH_AT],
                                       .home = s->rela ? o->sections[s->rela].header.sh_info : 0,
                                       .site = sites->items[i].place,
                                       .addend = (int64_t)(sites->items[i].place.offset - base),
                                       .length = sites->items[i].length};
    bytes_append(&markers->entries, &entry, sizeof entry);
    return 0;
}

int markers_find(struct markers *markers, const struct object *o, const struct sites *sites)
{
    int result = 0;
    if (!has_markers(sites))
        return 0;
    struct bits claimed;
    bits_init(&claimed, sites->count);
    for (uint32_t i = 1; i < o->input_sections && result == 0; i++) {
        const struct section *s = &o->sections[i];
        if (strcmp(s->name, MARKERS_SECTION) != 0 || !s->rela || !s->data)
            continue;
        size_t count;
        Elf64_Rela *relocations = section_relocations(&o->sections[s->rela], &count);
        for (size_t k = 0; k < count && result == 0; k++)
            if (k == 0 || relocations[k].r_offset != relocations[k - 1].r_offset)
                result = find_entry(markers, o, sites, &claimed, s, &relocations[k]);
    }
    bits_free(&claimed);
    return result;
}

/* Where linkers move code, the label is no measure: its relocations go, and one with a label of the
 * site comes. */
static void settle_moving(struct object *o, const struct marker_entry *entry)
{
    uint64_t offset = entry->relocation->r_offset;
    uint32_t label = object_add_symbol(o, SET_LABEL, STB_LOCAL, STT_NOTYPE, STV_DEFAULT,
                                       entry->site.section, entry->site.offset, 0);
    size_t count;
    Elf64_Rela *all = section_relocations(&o->sections[o->sections[entry->home].rela], &count);
    for (Elf64_Rela *at = entry->relocation; at < all + count && at->r_offset == offset; at++) {
        at->r_info = ELF64_R_INFO(0, o->arch->relocations.none);
        object_note_change(o, at, sizeof *at);
    }
    object_relocate(o, entry->home, offset, o->arch->relocations.distance, label, 0);
}

void markers_settle(struct object *o, const struct markers *markers)
{
    const struct marker_entry *entries = (const void *)markers->entries.data;
    for (size_t i = 0; i < markers->entries.size / sizeof *entries; i++) {
        const struct marker_entry *entry = &entries[i];
        if (o->arch->relocations.relax)
            settle_moving(o, entry);
        else
            entry->relocation->r_addend = entry->addend;
        *entry->length_at = entry->length;
        object_note_change(o, entry->relocation, sizeof *entry->relocation);
        object_note_change(o, entry->length_at, 1);
    }
}

void markers_free(struct markers *markers)
{
    bytes_free(&markers->entries);
}
