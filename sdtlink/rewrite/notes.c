/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The notes, and the two sections that go with them. docs/decisions/0017 says what linkers do with
 * other constructions.
 *
 *   .note.stapsdt   one per text section, not loaded; in the text's group if it has one, else in
 *                   one that is no COMDAT group, with something that the text's records keep alive.
 *                   So a linker that drops the records of dead code drops the notes. Late notes
 *                   have another section, and no group but the text's: notes.h.
 *   .stapsdt.base   one byte in the text segment. Each note holds its address; consumers compare
 *                   that with the section's. gdb shows nothing of a file without it.
 *   .probes         where semaphores are. The empty piece that is added begins a page: Linux counts
 *                   in the first mapping that covers a semaphore's place in the file, and with lld
 *                   and mold that may be a page that is read-only by then.
 *
 * The latter two are COMDAT groups with the names that <sys/sdt.h> gives them, kept by an
 * R_*_NONE from the records, which live text keeps. (Not by the notes: gold follows no
 * relocation of a section that is not loaded.)
 */
#include "notes.h"

#include "elf/add.h"
#include "probes/args.h"

#include <string.h>

#define BASE "stapsdt.base"
#define PAGE "stapsdt.probes"
#define SUFFIX "_semaphore"

/* ---- what is there ---- */

/* "p_a_b_semaphore" may be that of p:a_b, of p_a:b, or of both. */
static void find_semaphore(struct set *set, uint32_t symbol, const char *name)
{
    size_t length = strnlen(name, MAX_NAME_BYTES), suffix = strlen(SUFFIX);
    if (length == MAX_NAME_BYTES || length <= suffix || strcmp(name + length - suffix, SUFFIX) != 0)
        return;
    length -= suffix;
    for (const char *at = name; (at = memchr(at, '_', length - (size_t)(at - name))); at++) {
        struct slice provider = {name, (size_t)(at - name)};
        struct slice rest = {at + 1, length - provider.length - 1};
        const struct probe *probe = sites_probe(set->plan->found, provider, rest);
        if (probe)
            set->probes[probe - set->plan->found->probes].semaphore = symbol;
        if (rest.length == 0)
            break;
    }
}

void notes_find(struct set *set)
{
    const struct object *o = set->object;
    const struct sites *found = set->plan->found;
    bool begins_provider[256] = {false}; /* nearly no symbol of a big object gets past this */
    for (uint32_t i = 0; i < found->probe_count; i++)
        begins_provider[(uint8_t)found->probes[i].provider.text[0]] = true;
    for (uint32_t i = o->first_global; i < o->symbol_count; i++) {
        unsigned type = ELF64_ST_TYPE(o->symbols[i].st_info);
        if (type != STT_NOTYPE && type != STT_OBJECT)
            continue;
        const char *name = object_symbol_name(o, i);
        if (name[0] == '_' && name[1] == '.') {
            if (strcmp(name, "_." BASE) == 0)
                set->base = i;
            else if (strcmp(name, "_." PAGE) == 0)
                set->page = i;
        } else if (begins_provider[(uint8_t)name[0]]) {
            find_semaphore(set, i, name);
        }
    }
}

/* ---- what is not wanted ---- */

static uint32_t find_base(const struct object *o)
{
    for (uint32_t i = 1; i < o->symbol_count; i++)
        if (strcmp(object_symbol_name(o, i), "_." BASE) == 0)
            return i;
    return 0;
}

void notes_release(struct object *o)
{
    uint32_t base_symbol = find_base(o);
    for (uint32_t i = 1; base_symbol && i < o->input_sections; i++) {
        const struct section *s = &o->sections[i];
        size_t count = 0;
        Elf64_Rela *relocations = section_is_text(s) && s->rela
                                      ? section_relocations(&o->sections[s->rela], &count)
                                      : NULL;
        for (size_t k = 0; k < count; k++)
            if (relocations[k].r_info ==
                ELF64_R_INFO((uint64_t)base_symbol, o->arch->relocations.none)) {
                relocations[k].r_info = ELF64_R_INFO(0, o->arch->relocations.none);
                object_note_change(o, &relocations[k], sizeof relocations[k]);
            }
    }
}

/* ---- landmarks ---- */

struct landmark {
    const char *group, *symbol, *section;
    uint64_t flags, align, size;
};
static const struct landmark base = {
    "." BASE, "_." BASE, ".stapsdt.base", SHF_ALLOC | SHF_EXECINSTR, 1, 1};
static const struct landmark page = {"." PAGE, "_." PAGE, ".probes", SHF_ALLOC | SHF_WRITE,
                                     4096,     0};

/*
 * Returns the symbol. Assemblers let the section's own symbol name the group where both have the
 * same name; on that, mold 1.10 -r crashes.
 */
static uint32_t add_landmark(struct object *o, const struct landmark *mark)
{
    uint32_t signature =
        object_add_symbol(o, mark->group, STB_WEAK, STT_NOTYPE, STV_HIDDEN, SHN_UNDEF, 0, 0);
    uint32_t group = object_add_group(o, signature);
    uint32_t section =
        object_add_section(o, mark->section, SHT_PROGBITS, mark->flags, mark->align, group);
    object_append(o, section, NULL, mark->size);
    o->added[signature - o->symbol_count].section = section;
    return object_add_symbol(o, mark->symbol, STB_WEAK, STT_NOTYPE, STV_HIDDEN, section, 0,
                             mark->size);
}

/* Have the records in SECTION keep SYMBOL alive. At a field that has no relocation otherwise. */
static void keep(struct set *set, uint32_t section, uint32_t symbol)
{
    object_relocate(set->object, section, offsetof(struct sdt_site, kind),
                    set->object->arch->relocations.none, symbol, 0);
}

/* ---- notes ---- */

/* A note up to its addresses, of which there are three before its strings. */
enum { SIZE_AT = 1, HEAD = 5 };
enum { PC, BASE_ADDRESS, SEMAPHORE, ADDRESSES };
/* Room for one; what is longer grows. */
enum { USUAL_SIZE = 96, MAX_RELOCATIONS = 3 };
static const uint32_t head_template[HEAD] = {8, 0, 3, 0x70617473 /* stap */, 0x00746473 /* sdt */};

static void append_string(struct bytes *notes, struct slice text)
{
    bytes_append(notes, text.text, text.length);
    bytes_append(notes, "", 1);
}

/* Relocate address number WHICH of the note at AT. */
static void relocate(struct set *set, uint32_t section, uint64_t at, unsigned which,
                     uint32_t symbol, uint64_t addend)
{
    object_relocate(set->object, section,
                    at + sizeof head_template + which * (uint64_t)set->object->arch->word,
                    set->object->arch->relocations.address, symbol, (int64_t)addend);
}

static void add_note(struct set *set, uint32_t section, const struct planned_text *text,
                     const struct planned_site *site)
{
    struct object *o = set->object;
    const struct probe *probe = plan_probe(set->plan, site);
    uint32_t semaphore = set->probes[probe - set->plan->found->probes].semaphore;
    struct set_place start = set_site_place(set, text, site);
    struct bytes *notes = &o->sections[section].tail;
    uint64_t at = bytes_append(notes, head_template, sizeof head_template);

    bytes_append(notes, NULL, ADDRESSES * (size_t)o->arch->word);
    append_string(notes, probe->provider);
    append_string(notes, probe->name);
    args_append_note(notes, o->arch, site->site, site->note_args);
    bytes_append(notes, "", 1);
    uint32_t size = (uint32_t)(notes->size - at - sizeof head_template);
    memcpy(notes->data + at + SIZE_AT * sizeof size, &size, sizeof size);
    bytes_append(notes, NULL, -size & 3);

    relocate(set, section, at, PC, start.symbol, start.offset);
    relocate(set, section, at, BASE_ADDRESS, set->base, 0);
    if (semaphore)
        relocate(set, section, at, SEMAPHORE, semaphore, 0);
}

/* Where no site asks, nothing else does: but a tracer that counts there must hit the counter.
 * Whether there is one. */
static bool keep_semaphores(struct set *set, const struct planned_text *text)
{
    uint32_t kept = 0;
    for (uint32_t i = text->first; i < text->first + text->count; i++) {
        const struct planned_site *site = &set->plan->sites[i];
        uint32_t semaphore = set->probes[site->site->probe].semaphore;
        if ((site->flags & SDT_SITE_NOTE) && semaphore && semaphore != kept)
            keep(set, set_text(set, text)->records, kept = semaphore);
    }
    return kept != 0;
}

/*
 * The group of the notes at a text section's sites. Where the text has none, it is one of a byte
 * that the records keep alive and the notes. Not of text and notes, since a group must stand before
 * its members; nor of records and notes, since lld -r moves records to their text, before the
 * group.
 */
static uint32_t find_group(struct set *set, const struct planned_text *text)
{
    struct object *o = set->object;
    uint32_t records = set_text(set, text)->records;
    uint32_t group = o->sections[records].group;
    if (!group) {
        uint32_t anchor = object_add_bundle(o, SDT_SECTION_ANCHOR, SHF_ALLOC, &group);
        object_append(o, anchor, NULL, 1); /* ld.bfd -r drops empty ones */
        keep(set, records, object_symbol_for(o, anchor));
    }
    return group;
}

static void add_notes(struct set *set, const struct planned_text *text)
{
    struct object *o = set->object;
    uint32_t records = set_text(set, text)->records;
    bool is_late = set->plan->wishes.has_late_notes;
    uint32_t group = is_late ? o->sections[records].group : find_group(set, text);
    const char *name = is_late ? NOTES_LATE_SECTION : ".note.stapsdt";
    uint32_t section = object_add_section(o, name, SHT_NOTE, 0, 4, group);
    object_expect(o, section, text->count, USUAL_SIZE, MAX_RELOCATIONS);
    for (uint32_t i = text->first; i < text->first + text->count; i++)
        if (set->plan->sites[i].flags & SDT_SITE_NOTE)
            add_note(set, section, text, &set->plan->sites[i]);
    keep(set, records, set->base);
    if (keep_semaphores(set, text)) {
        if (!set->page)
            set->page = add_landmark(o, &page);
        keep(set, records, set->page);
    }
}

void notes_add(struct set *set)
{
    const struct plan *plan = set->plan;
    for (uint32_t t = 0; t < plan->text_count; t++) {
        if (!plan->texts[t].has_notes)
            continue;
        if (!set->base)
            set->base = add_landmark(set->object, &base);
        add_notes(set, &plan->texts[t]);
    }
}
