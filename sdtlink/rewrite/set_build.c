/* SPDX-License-Identifier: BSD-2-Clause */
/* See set_build.h; set.c says what the records must be to survive a link. */
#include "set_build.h"

#include "elf/add.h"
#include "entries.h"
#include "stubs.h"

#include <stdlib.h>
#include <string.h>

/* ---- sites ---- */

/* Of a record. */
enum { MAX_RELOCATIONS = 7 };

/*
 * In a bounded set, without SHF_LINK_ORDER: linkers would sort the section out of its bounds
 * (bounds.h).
 */
static uint32_t add_records(struct set *set, const struct planned_text *text)
{
    struct object *o = set->object;
    uint32_t group = o->sections[text->section].group;
    if (set->plan->wishes.is_bounded)
        return object_add_section(o, SDT_SECTION_BOUNDED, SHT_PROGBITS, SHF_ALLOC, 4, group);
    uint32_t section = object_add_section(o, SDT_SECTION_SITES, SHT_PROGBITS,
                                          SHF_ALLOC | SHF_LINK_ORDER, 4, group);
    o->sections[section].header.sh_link = text->section;
    return section;
}

static void add_text_sites(struct set *set, const struct planned_text *text)
{
    struct object *o = set->object;
    struct set_text *made = set_text(set, text);
    uint32_t section = add_records(set, text);
    object_expect(o, section, text->count, sizeof(struct sdt_site), MAX_RELOCATIONS);
    for (uint32_t i = 0; i < text->count; i++) {
        const struct planned_site *site = &set->plan->sites[text->first + i];
        struct set_place stub = {set->probes[site->site->probe].stub, 0};
        if (site->has_entry)
            stub = (struct set_place){object_symbol_for(o, made->entries), site->own_code_at};
        struct set_place place = set_site_place(set, text, site);
        set_add_record(set, section, site, place.symbol, place.offset, stub);
    }
    made->records = section;
    object_symbol_for(o, section);
    entries_add_records(set, text);
}

void set_add_sites(struct set *set)
{
    for (uint32_t i = 0; i < set->plan->text_count; i++)
        add_text_sites(set, &set->plan->texts[i]);
}

/* ---- probes ---- */

/* Add a weak hidden symbol, to be defined as soon as its section exists. */
static uint32_t declare(struct object *o, const char *name, uint64_t size)
{
    return object_add_symbol(o, name, STB_WEAK, STT_OBJECT, STV_HIDDEN, SHN_UNDEF, 0, size);
}

static void define(struct object *o, uint32_t symbol, uint32_t section)
{
    o->added[symbol - o->symbol_count].section = section;
}

/* A distance can be linked only to what is surely in the same library. */
static bool has_near_semaphore(const struct object *o, const struct set_probe *probe)
{
    return probe->semaphore &&
           ELF64_ST_VISIBILITY(o->symbols[probe->semaphore].st_other) != STV_DEFAULT;
}

/*
 * A probe's group is named after its record's symbol. A companion makes no groups: if it is linked
 * with rewritten objects that have the same probe, the linker would keep their group and drop the
 * stub that the companion's calls go to.
 */
static void add_probe(struct set *set, const struct probe *probe, struct set_probe *made)
{
    struct object *o = set->object;
    char *name = memory_format("%s%.*s___%.*s", SDT_SYMBOL_PROBE, (int)probe->provider.length,
                               probe->provider.text, (int)probe->name.length, probe->name.text);
    made->record = declare(o, name, sizeof(struct sdt_probe));
    free(name);
    uint32_t group = set->plan->wishes.is_companion ? 0 : object_add_group(o, made->record);
    uint32_t section = object_add_section(o, SDT_SECTION_PROBES, SHT_PROGBITS,
                                          SHF_ALLOC | SHF_WRITE, sizeof(struct sdt_probe), group);
    define(o, made->record, section);
    object_append(o, section, NULL, sizeof(struct sdt_probe));
    set_relocate_string(set, section, offsetof(struct sdt_probe, provider), probe->provider);
    set_relocate_string(set, section, offsetof(struct sdt_probe, name), probe->name);
    if (has_near_semaphore(o, made))
        set_relocate(set, section, offsetof(struct sdt_probe, semaphore), made->semaphore, 0);
    stubs_add_stub(set, probe, made, group);
}

void set_add_probes(struct set *set)
{
    for (uint32_t i = 0; i < set->plan->found->probe_count; i++) {
        const struct probe *probe = &set->plan->found->probes[i];
        if (!set->plan->wishes.is_companion && probe->record && probe->stub)
            set->probes[i].record = probe->record, set->probes[i].stub = probe->stub;
        else if (set->plan->wishes.is_companion || probe->site_count)
            add_probe(set, probe, &set->probes[i]);
    }
}

/* ---- registration ---- */

static bool has_registration(const struct object *o)
{
    for (uint32_t i = o->first_global; i < o->symbol_count; i++)
        if (object_symbol_section(o, i) && !strcmp(object_symbol_name(o, i), SDT_SYMBOL_DSO))
            return true;
    return false;
}

/* Weak and hidden: with default visibility an executable without sites would bind to a library's.
 */
static uint32_t add_bound(struct object *o, const char *name)
{
    return object_add_symbol(o, name, STB_WEAK, STT_NOTYPE, STV_HIDDEN, SHN_UNDEF, 0, 0);
}

static uint32_t add_dso(struct object *o, uint32_t group)
{
    const struct sdt_dso dso = {
        .magic = SDT_FORMAT_MAGIC, .version = SDT_FORMAT_VERSION, .size = sizeof(struct sdt_dso)};
    uint32_t section =
        object_add_section(o, ".data.sdt_dso", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8, group);
    object_append(o, section, &dso, sizeof dso);
    return section;
}

void set_add_registration(struct set *set)
{
    struct object *o = set->object;
    if (has_registration(o))
        return;
    uint32_t symbol = declare(o, SDT_SYMBOL_DSO, sizeof(struct sdt_dso));
    uint32_t group = object_add_group(o, symbol);
    uint32_t dso = add_dso(o, group);
    define(o, symbol, dso);
    set_relocate(set, dso, offsetof(struct sdt_dso, sites_begin),
                 add_bound(o, SDT_SYMBOL_SITES_BEGIN), 0);
    set_relocate(set, dso, offsetof(struct sdt_dso, sites_end), add_bound(o, SDT_SYMBOL_SITES_END),
                 0);
    stubs_add_constructors(set, dso, group);
}

void set_add_companion_registration(struct set *set, uint32_t sites)
{
    struct object *o = set->object;
    uint32_t dso = add_dso(o, 0), symbol = object_symbol_for(o, sites);
    set_relocate(set, dso, offsetof(struct sdt_dso, sites_begin), symbol, 0);
    set_relocate(set, dso, offsetof(struct sdt_dso, sites_end), symbol,
                 section_size(&o->sections[sites]));
    stubs_add_constructors(set, dso, 0);
}
