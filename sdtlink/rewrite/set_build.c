/* SPDX-License-Identifier: BSD-2-Clause */
/* See set_build.h; set.c says what the records must be to survive a link. */
#include "set_build.h"

#include "elf/add.h"
#include "entries.h"
#include "probes/fields.h"
#include "stubs.h"

#include <stdlib.h>
#include <string.h>

/* ---- records of sites ---- */

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

/* `provider:name`. */
static void relocate_name(struct set *set, uint32_t section, uint64_t offset, uint32_t index)
{
    struct set_probe *made = &set->probes[index];
    const struct probe *probe = &set->plan->found->probes[index];
    if (!made->is_named) {
        char *name = memory_format("%.*s:%.*s", (int)probe->provider.length, probe->provider.text,
                                   (int)probe->name.length, probe->name.text);
        made->name_at = string_pool_add(&set->strings, slice_of(name));
        made->is_named = true;
        free(name);
    }
    set_relocate(set, section, offset, object_symbol_for(set->object, set->string_section),
                 made->name_at);
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
    const struct slice text = {site->args, site->args_size - 1};
    if (!set->fields_section)
        set->fields_section =
            object_add_section(set->object, SDT_SECTION_FIELDS, SHT_PROGBITS, SHF_ALLOC, 1, 0);
    set_relocate(set, section, offset, object_symbol_for(set->object, set->fields_section),
                 string_pool_add(&set->fields, text));
}

void set_add_record(struct set *set, uint32_t section, const struct planned_site *site,
                    uint32_t base, uint64_t offset, struct set_place stub)
{
    const struct source_place source = fields_place(site->site->arguments.spelling);
    const struct sdt_site record = {
        .line = source.line, .kind = site->kind, .nargs = site->nargs, .flags = site->flags};
    uint64_t at = object_append(set->object, section, &record, sizeof record);
    struct slice args = {site->args, strlen(site->args)};
    set_relocate(set, section, at + offsetof(struct sdt_site, pc), base, offset);
    set_relocate(set, section, at + offsetof(struct sdt_site, probe), set_record(set, site), 0);
    set_relocate(set, section, at + offsetof(struct sdt_site, stub), stub.symbol, stub.offset);
    relocate_name(set, section, at + offsetof(struct sdt_site, name), site->site->probe);
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
    set_relocate_string(set, section, at + offsetof(struct sdt_site, file), source.file);
}

/* ---- sites ---- */

/* Of a record. */
enum { MAX_RELOCATIONS = 8 };

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
        struct set_place stub =
            site->has_entry
                ? (struct set_place){object_symbol_for(o, made->entries), site->own_code_at}
                : set_stub(set, text, site);
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

/*
 * In no group: the first definition in a DSO serves all of its objects, and what is left of the
 * others is 16 bytes that nothing touches. (A group for each took 200 bytes in the object.) In a
 * freestanding set each object has its own: for a weak symbol, GNU ld makes an empty section of
 * dynamic relocations, which a kernel's linker script does not name. And the section is simply
 * .bss: one that the script does not name comes behind the kernel's end, where others write.
 */
static uint32_t add_probe(struct set *set, const struct probe *probe, enum sdt_access access)
{
    struct object *o = set->object;
    char *name = memory_format("%s%.*s___%.*s", probe_prefixes[access], (int)probe->provider.length,
                               probe->provider.text, (int)probe->name.length, probe->name.text);
    bool is_own = set->plan->wishes.is_freestanding;
    if (!set->probes_section)
        set->probes_section =
            object_add_section(o, is_own ? ".bss" : SDT_SECTION_PROBES, SHT_NOBITS,
                               SHF_ALLOC | SHF_WRITE, sizeof(struct sdt_probe), 0);
    uint64_t at = object_reserve(o, set->probes_section, sizeof(struct sdt_probe));
    uint32_t symbol = object_add_symbol(o, name, is_own ? STB_LOCAL : STB_WEAK, STT_OBJECT,
                                        is_own ? STV_DEFAULT : STV_HIDDEN, set->probes_section, at,
                                        sizeof(struct sdt_probe));
    free(name);
    return symbol;
}

/* By probe: a bit for each enum sdt_access that one of its sites has. */
static uint8_t *find_accesses(const struct plan *plan)
{
    uint8_t *found = memory_zeroed(plan->found->probe_count, sizeof *found);
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct planned_site *site = &plan->sites[i];
        found[site->site->probe] |= (uint8_t)(1 << kind_access(site->kind, site->flags));
    }
    return found;
}

/* Of PROBE, whose hits come by ACCESSES; what an earlier run has made of it is used again. */
static void add_probe_records(struct set *set, const struct probe *probe, unsigned accesses,
                              struct set_probe *made)
{
    for (unsigned access = 0; access < ACCESSES; access++)
        if ((accesses >> access & 1) && !made->records[access])
            made->records[access] = add_probe(set, probe, access);
}

/* Whether probe INDEX needs a stub: all sites of some have entries, or stubs of their own. */
static bool needs_stub(const struct set *set, const uint8_t *accesses, uint32_t index)
{
    const struct plan *plan = set->plan;
    return plan->wishes.is_companion ||
           ((accesses[index] >> SDT_BY_CALL & 1) && !plan_has_near_stubs(plan));
}

void set_add_probes(struct set *set)
{
    const struct plan *plan = set->plan;
    bool is_companion = plan->wishes.is_companion;
    uint8_t *accesses = find_accesses(plan);
    for (uint32_t i = 0; i < plan->found->probe_count; i++) {
        const struct probe *probe = &plan->found->probes[i];
        struct set_probe *made = &set->probes[i];
        if (!is_companion) {
            memcpy(made->records, probe->records, sizeof made->records);
            made->stub = probe->stub;
        }
        if (!is_companion && !probe->site_count)
            continue;
        add_probe_records(set, probe, accesses[i], made);
        if (needs_stub(set, accesses, i) && !made->stub)
            stubs_add_stub(set, probe, made);
    }
    free(accesses);
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
    if (set->plan->wishes.is_freestanding || has_registration(o))
        return;
    uint32_t symbol = object_add_symbol(o, SDT_SYMBOL_DSO, STB_WEAK, STT_OBJECT, STV_HIDDEN,
                                        SHN_UNDEF, 0, sizeof(struct sdt_dso));
    uint32_t group = object_add_group(o, symbol);
    uint32_t dso = add_dso(o, group);
    object_define_added(o, symbol, dso);
    const uint32_t bounds[2] = {add_bound(o, SDT_SYMBOL_SITES_BEGIN),
                                add_bound(o, SDT_SYMBOL_SITES_END)};
    set_relocate(set, dso, offsetof(struct sdt_dso, sites_begin), bounds[0], 0);
    set_relocate(set, dso, offsetof(struct sdt_dso, sites_end), bounds[1], 0);
    stubs_add_constructors(set, dso, group, bounds);
}

void set_add_companion_registration(struct set *set, uint32_t sites)
{
    struct object *o = set->object;
    uint32_t dso = add_dso(o, 0), symbol = object_symbol_for(o, sites);
    set_relocate(set, dso, offsetof(struct sdt_dso, sites_begin), symbol, 0);
    set_relocate(set, dso, offsetof(struct sdt_dso, sites_end), symbol,
                 section_size(&o->sections[sites]));
    stubs_add_constructors(set, dso, 0, NULL);
}
