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

void set_finish(struct set *set)
{
    object_append(set->object, set->string_section, set->strings.text.data, set->strings.text.size);
}

void set_free(struct set *set)
{
    string_pool_free(&set->strings);
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

/* Sites follow each other in a function, whose name is looked for only once. */
static void relocate_function(struct set *set, uint32_t section, uint64_t offset, struct slice name)
{
    if (!name.length)
        return;
    if (name.text != set->function.text || name.length != set->function.length)
        set->function_at = string_pool_add(&set->strings, name);
    set->function = name;
    set_relocate(set, section, offset, object_symbol_for(set->object, set->string_section),
                 set->function_at);
}

/* ---- sites ---- */

struct set_place set_site_place(struct set *set, const struct planned_text *text,
                                const struct planned_site *site)
{
    struct object *o = set->object;
    bool is_moved = site->site->is_moved;
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

/*
 * The field leads to a word of our own that has the address of TARGET: where no relocation names
 * the GOT's. In a library, the dynamic linker fills it; it lives and goes with the records.
 */
static void relocate_word(struct set *set, uint32_t section, uint64_t offset,
                          const struct stapsdt_target *target)
{
    struct object *o = set->object;
    if (set->words_of != section)
        set->words = object_add_section(o, SDT_SECTION_WORDS, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
                                        sizeof(uint64_t), o->sections[section].group);
    set->words_of = section;
    uint64_t word = object_append(o, set->words, NULL, sizeof(uint64_t));
    object_relocate(o, set->words, word, o->arch->relocations.address, target->symbol,
                    target->addend);
    set_relocate(set, section, offset, object_symbol_for(o, set->words), word);
}

/* The field leads to what TARGET says, or to the word of the GOT that has its address. */
static void relocate_target(struct set *set, uint32_t section, uint64_t offset,
                            const struct stapsdt_target *target)
{
    const struct arch_relocations *types = &set->object->arch->relocations;
    bool is_indirect = stapsdt_is_indirect(set->object, target);
    if (is_indirect && types->got == types->none) {
        relocate_word(set, section, offset, target);
        return;
    }
    object_relocate(set->object, section, offset, is_indirect ? types->got : types->distance,
                    target->symbol, target->addend);
}

/*
 * A descriptor that names variables. Where they are only the final linker knows: a word for each
 * stands before the text, the first one last. So it cannot be one of the merged strings.
 */
static void add_operands(struct set *set, uint32_t section, uint64_t offset,
                         const struct planned_site *site)
{
    struct object *o = set->object;
    if (set->operands_of != section)
        set->operands = object_add_section(o, SDT_SECTION_OPERANDS, SHT_PROGBITS, SHF_ALLOC, 4,
                                           o->sections[section].group);
    set->operands_of = section;
    object_append(o, set->operands, NULL, site->target_count * sizeof(int32_t));
    uint64_t text = object_append(o, set->operands, site->args, site->args_size);
    object_append(o, set->operands, NULL, -section_size(&o->sections[set->operands]) % 4);
    for (unsigned i = 0; i < site->target_count; i++)
        relocate_target(set, set->operands, text - (i + 1) * sizeof(int32_t), &site->targets[i]);
    set_relocate(set, section, offset, object_symbol_for(o, set->operands), text);
}

/* A descriptor that names follow. A linker that merges strings would tear it apart. */
static void add_fields(struct set *set, uint32_t section, uint64_t offset,
                       const struct planned_site *site)
{
    if (!set->fields)
        set->fields =
            object_add_section(set->object, SDT_SECTION_FIELDS, SHT_PROGBITS, SHF_ALLOC, 1, 0);
    uint64_t text = object_append(set->object, set->fields, site->args, site->args_size);
    set_relocate(set, section, offset, object_symbol_for(set->object, set->fields), text);
}

void set_add_record(struct set *set, uint32_t section, const struct planned_site *site,
                    uint32_t base, uint64_t offset, struct set_place stub)
{
    const struct sdt_site record = {
        .kind = site->site->kind, .nargs = site->nargs, .flags = site->flags};
    uint64_t at = object_append(set->object, section, &record, sizeof record);
    uint32_t probe = site->site->probe;
    struct slice args = {site->args, strlen(site->args)};
    set_relocate(set, section, at + offsetof(struct sdt_site, patch), base,
                 offset + site->form->patch);
    set_relocate(set, section, at + offsetof(struct sdt_site, pc), base, offset);
    set_relocate(set, section, at + offsetof(struct sdt_site, probe), set->probes[probe].record, 0);
    set_relocate(set, section, at + offsetof(struct sdt_site, stub), stub.symbol, stub.offset);
    relocate_function(set, section, at + offsetof(struct sdt_site, function), site->function);
    if (site->flags & SDT_SITE_SEMAPHORE)
        relocate_target(set, section, at + offsetof(struct sdt_site, module),
                        &site->site->stapsdt->semaphore);
    else
        set_relocate_string(set, section, at + offsetof(struct sdt_site, module), site->module);
    if (site->target_count)
        add_operands(set, section, at + offsetof(struct sdt_site, args), site);
    else if (args.length + 1 < site->args_size)
        add_fields(set, section, at + offsetof(struct sdt_site, args), site);
    else
        set_relocate_string(set, section, at + offsetof(struct sdt_site, args), args);
}
