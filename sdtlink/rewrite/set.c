/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The site set: after the final link it must hold exactly the sites that survive. The three
 * rules that achieve it in bfd, gold, lld and mold, with and without --gc-sections, ICF and -r:
 *
 *  1. one sdt_sites section per text section, SHF_LINK_ORDER to it and a member of its group;
 *  2. records relocated against the text's section symbol + offset, PC-relative (for a site that
 *     was moved into the loader section: that section's), or against labels: set_site_place();
 *  3. the call's relocation becomes R_*_NONE from the site to its sdt_sites section, so that
 *     live text keeps its records (rewrite.c), and every record refers to its probe's record, so
 *     that identical-code folding cannot merge two functions that differ only in their probe.
 *
 * Why not simpler: one plain section for all records breaks when a COMDAT group is discarded;
 * SHF_LINK_ORDER alone is lost in gold's and mold's -r; SHF_GNU_RETAIN keeps dead code.
 *
 * Field = target - field: a PC-relative relocation at a field, with the target's offset as addend.
 */
#include "set.h"

#include "elf/add.h"

#include <stdlib.h>
#include <string.h>

void set_begin(struct set *set, struct object *object, const struct plan *plan)
{
    *set = (struct set){.object = object, .plan = plan};
    set->texts = memory_zeroed(plan->text_count, sizeof *set->texts);
    set->probes = memory_zeroed(plan->found->probe_count, sizeof *set->probes);
    set->labels = memory_zeroed(plan->count, sizeof *set->labels);
    set->string_section = object_add_section(object, SDT_SECTION_STRINGS, SHT_PROGBITS,
                                             SHF_ALLOC | SHF_MERGE | SHF_STRINGS, 1, 0);
    object->sections[set->string_section].header.sh_entsize = 1;
}

uint32_t set_record(const struct set *set, const struct planned_site *site)
{
    return set->probes[site->site->probe].records[kind_access(site->kind, site->flags)];
}

struct set_place set_stub(const struct set *set, const struct planned_text *text,
                          const struct planned_site *site)
{
    if (text->stub_size == 0)
        return (struct set_place){set->probes[site->site->probe].stub, 0};
    uint32_t section = set_text(set, text)->stubs;
    return (struct set_place){object_symbol_for(set->object, section), site->stub_at};
}

/*
 * ".text.hot" of ".text.hot.main": linkers gather what begins like that from all files, in a place
 * that may be far from their other text. NULL: it is not such a section.
 */
static const char *gathered(const char *text)
{
    static const char *const places[] = {".text.unlikely", ".text.exit", ".text.startup",
                                         ".text.hot"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t length = strlen(places[i]);
        if (!strncmp(text, places[i], length) && (text[length] == 0 || text[length] == '.'))
            return places[i];
    }
    return NULL;
}

uint32_t set_add_own_code(struct set *set, const struct planned_text *text, const char *name,
                          uint32_t align)
{
    struct object *o = set->object;
    const struct section *of = &o->sections[text->section];
    uint32_t group = of->group;
    const char *place = o->arch->is_own_code_near ? gathered(of->name) : NULL;
    if (set->plan->wishes.is_freestanding)
        place = of->name;
    if (place) {
        char *beside = memory_format("%s%s", place, name + strlen(".text"));
        name = arena_keep(&set->names, beside, strlen(beside) + 1);
        free(beside);
    }
    uint32_t section =
        object_add_section(o, name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, align, group);
    object_symbol_for(o, section);
    return section;
}

void set_finish(struct set *set)
{
    object_append(set->object, set->string_section, set->strings.text.data, set->strings.text.size);
    if (set->fields_section)
        object_append(set->object, set->fields_section, set->fields.text.data,
                      set->fields.text.size);
}

void set_free(struct set *set)
{
    string_pool_free(&set->strings);
    string_pool_free(&set->fields);
    arena_free(&set->names);
    free(set->labels);
    free(set->probes);
    free(set->texts);
    *set = (struct set){0};
}

void set_relocate(struct set *set, uint32_t section, uint64_t offset, uint32_t symbol,
                  uint64_t addend)
{
    object_relocate(set->object, section, offset, set->object->arch->relocations.distance, symbol,
                    (int64_t)addend);
}

void set_relocate_string(struct set *set, uint32_t section, uint64_t offset, struct slice text)
{
    if (text.length)
        set_relocate(set, section, offset, object_symbol_for(set->object, set->string_section),
                     string_pool_add(&set->strings, text));
}

struct set_place set_site_place(struct set *set, const struct planned_text *text,
                                const struct planned_site *site)
{
    struct object *o = set->object;
    bool is_moved = site->is_moved;
    uint32_t section = is_moved ? set_text(set, text)->loaders : text->section;
    uint64_t offset = is_moved ? site->own_code_at : site->site->place.offset;
    uint32_t *label = &set->labels[site - set->plan->sites];
    bool needs_label =
        is_moved ? o->arch->relocations.has_veneers : o->arch->relocations.relax != 0;
    if (needs_label && !*label)
        *label =
            object_add_symbol(o, SET_LABEL, STB_LOCAL, STT_NOTYPE, STV_DEFAULT, section, offset, 0);
    if (is_moved || !needs_label) /* that label is for the branch */
        return (struct set_place){object_symbol_for(o, section), offset};
    return (struct set_place){*label, 0};
}

void set_add_fixup(struct set *set, uint32_t section, uint64_t at, const struct arch_fixup *fixup,
                   const struct set_place *place)
{
    object_relocate(set->object, section, at + fixup->at, fixup->type, place->symbol,
                    (int64_t)place->offset + fixup->addend);
}

/* The object may be the one that defines it. */
static uint32_t find_global(const struct object *o, const char *name)
{
    for (uint32_t i = o->first_global; i < o->symbol_count; i++)
        if (strcmp(object_symbol_name(o, i), name) == 0)
            return i;
    return 0;
}

/* What PLACE is, if a symbol says that: a function of a freestanding runtime, or the GOT. False:
 * none does. */
static bool find_named(struct set *set, unsigned place, struct set_place *found)
{
    static const char *const names[] = {SDT_SYMBOL_ENTER, SDT_SYMBOL_ENTER_CALL, SDT_SYMBOL_FINISH,
                                        "_GLOBAL_OFFSET_TABLE_"};
    struct object *o = set->object;
    if (place < ARCH_PLACE_ENTER || place > ARCH_PLACE_GOT)
        return false;
    unsigned i = place - ARCH_PLACE_ENTER;
    if (!set->named[i])
        set->named[i] = find_global(o, names[i]);
    if (!set->named[i])
        set->named[i] =
            object_add_symbol(o, names[i], STB_GLOBAL, STT_NOTYPE, STV_DEFAULT, SHN_UNDEF, 0, 0);
    *found = (struct set_place){set->named[i], 0};
    return true;
}

uint64_t set_add_code(struct set *set, uint32_t section, const struct arch_code *code,
                      const struct set_place places[ARCH_PLACES])
{
    uint64_t at = object_append(set->object, section, code->bytes, code->size);
    for (uint32_t i = 0; i < code->fixup_count; i++) {
        struct arch_fixup fixup = code->fixups[i];
        struct set_place place;
        if (!find_named(set, fixup.place, &place))
            place = places[fixup.place];
        if (fixup.place == ARCH_PLACE_ITSELF) { /* linkers allow no addend */
            place.symbol = object_add_symbol(set->object, SET_LABEL, STB_LOCAL, STT_NOTYPE,
                                             STV_DEFAULT, section, at + (uint64_t)fixup.addend, 0);
            fixup.addend = 0;
        }
        set_add_fixup(set, section, at, &fixup, &place);
    }
    return at;
}
