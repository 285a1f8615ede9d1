/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code that the tool adds: where each piece of it goes, and what it refers to. The pieces are
 * the architecture's; <sdt/format.h> has them with reasons.
 */
#include "stubs.h"

#include "elf/add.h"
#include "orc.h"
#include "unwind.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = SHF_ALLOC | SHF_EXECINSTR };

/* ---- stubs ---- */

static uint32_t add_stub_section(struct set *set, const struct arch_code *code, uint32_t record,
                                 uint32_t group)
{
    const struct set_place places[ARCH_PLACES] = {[ARCH_PLACE_PROBE] = {record, 0}};
    uint32_t section = object_add_section(set->object, SDT_SECTION_STUB, SHT_PROGBITS, TEXT,
                                          set->object->arch->stub_align, group);
    set_add_code(set, section, code, places);
    unwind_add(set, section, 0, code->size);
    return section;
}

/* The symbol of a stub. */
static uint32_t add_name(struct set *set, const struct probe *probe, unsigned bind,
                         uint32_t section, uint64_t at)
{
    char *name = memory_format("%s%.*s___%.*s", SDT_SYMBOL_STUB, (int)probe->provider.length,
                               probe->provider.text, (int)probe->name.length, probe->name.text);
    uint32_t symbol = object_add_symbol(set->object, name, bind, STT_FUNC,
                                        bind == STB_LOCAL ? STV_DEFAULT : STV_HIDDEN, section, at,
                                        set->plan->code->stub.size);
    free(name);
    return symbol;
}

void stubs_add_stub(struct set *set, const struct probe *probe, struct set_probe *made)
{
    struct object *o = set->object;
    made->stub = add_name(set, probe, STB_WEAK, SHN_UNDEF, 0);
    uint32_t group = set->plan->wishes.is_companion ? 0 : object_add_group(o, made->stub);
    made->stub_section =
        add_stub_section(set, &set->plan->code->stub, made->records[SDT_BY_CALL], group);
    object_define_added(o, made->stub, made->stub_section);
}

uint32_t stubs_add_enabled(struct set *set, uint32_t record)
{
    return add_stub_section(set, &set->plan->code->enabled_stub, record, 0);
}

void stubs_add_near(struct set *set)
{
    const struct plan *plan = set->plan;
    for (uint32_t t = 0; t < plan->text_count; t++) {
        const struct planned_text *text = &plan->texts[t];
        uint64_t end = 0;
        if (!text->stub_size)
            continue;
        uint32_t section =
            set_add_own_code(set, text, SDT_SECTION_STUB, set->object->arch->stub_align);
        set_text(set, text)->stubs = section;
        for (uint32_t i = text->first; i < text->first + text->count; i++) {
            const struct planned_site *site = &plan->sites[i];
            if (site->has_entry || site->stub_at < end) /* none, or it is made */
                continue;
            /* Local: the name tells readers of the text whose stub it is, and other files have
             * their own. */
            const struct set_place places[ARCH_PLACES] = {
                [ARCH_PLACE_PROBE] = {set_record(set, site), 0}};
            set_add_code(set, section, &plan->code->stub, places);
            add_name(set, &plan->found->probes[site->site->probe], STB_LOCAL, section, end);
            end += plan->code->stub.size;
        }
        unwind_add(set, section, 0, text->stub_size);
        orc_add(set, text, section, 0);
    }
}

/* ---- loaders ---- */

/* A site that was moved is made right here, before its loader. */
static void add_loader(struct set *set, const struct planned_text *text,
                       const struct planned_site *site)
{
    uint32_t loaders = set_text(set, text)->loaders;
    struct set_place start = set_site_place(set, text, site);
    const struct set_place places[ARCH_PLACES] = {
        [ARCH_PLACE_PATCH] = {start.symbol, start.offset + site->form->patch},
        [ARCH_PLACE_STUB] = set_stub(set, text, site)};
    set_add_code(set, loaders, plan_loader_code(set->plan, site), places);
}

void stubs_add_loaders(struct set *set)
{
    struct object *o = set->object;
    const struct plan *plan = set->plan;
    for (uint32_t t = 0; t < plan->text_count; t++) {
        const struct planned_text *text = &plan->texts[t];
        if (!text->loader_size)
            continue;
        uint32_t section = set_add_own_code(set, text, SDT_SECTION_LOADER, o->arch->loader_align);
        set_text(set, text)->loaders = section;
        for (uint32_t i = text->first; i < text->first + text->count; i++)
            if (plan->sites[i].has_loader)
                add_loader(set, text, &plan->sites[i]);
        unwind_add(set, section, 0, text->loader_size);
        orc_add(set, text, section, 0);
    }
}

/* ---- sites that a companion moves ---- */

struct set_place stubs_add_moved(struct set *set, const struct planned_site *site,
                                 struct set_place branch, struct set_place stub)
{
    struct object *o = set->object;
    const struct arch_code *code = plan_loader_code(set->plan, site);
    uint32_t align = o->arch->loader_align;
    if (!set->moved)
        set->moved = object_add_section(o, SDT_SECTION_LOADER, SHT_PROGBITS, TEXT, align, 0);
    uint64_t begin = object_append(o, set->moved, NULL, align), at = begin + align;
    struct set_place start = {object_symbol_for(o, set->moved), at};
    const struct set_place places[ARCH_PLACES] = {
        [ARCH_PLACE_PATCH] = {start.symbol, at + site->form->patch}, [ARCH_PLACE_STUB] = stub};
    set_relocate(set, set->moved, at - SDT_COMPANION_BRANCH, branch.symbol, branch.offset);
    set_add_code(set, set->moved, code, places);
    unwind_add(set, set->moved, at, code->size);
    return start;
}

/* ---- functions for address-taken symbols ---- */

/* The undefined symbol itself becomes the definition, in a group of its name. */
static void add_taken(struct set *set, const struct probe_symbol *symbol)
{
    struct object *o = set->object;
    const struct arch_code *code = symbol->name.use == SDT_USE_ENABLED
                                       ? &set->plan->code->taken_enabled
                                       : &set->plan->code->taken_call;
    bool is_alone = set->plan->wishes.is_freestanding;
    uint32_t group = is_alone ? 0 : object_add_group(o, symbol->symbol);
    uint32_t section =
        object_add_section(o, SDT_SECTION_TAKEN, SHT_PROGBITS, TEXT, o->arch->code_align, group);
    set_add_code(set, section, code, NULL);
    unwind_add(set, section, 0, code->size);
    object_define_symbol(o, symbol->symbol, STB_WEAK, STT_FUNC, STV_HIDDEN, section, code->size);
}

void stubs_add_taken(struct set *set)
{
    const struct sites *found = set->plan->found;
    for (uint32_t i = 0; i < found->symbol_count; i++)
        if (found->symbols[i].is_taken && !found->symbols[i].is_defined)
            add_taken(set, &found->symbols[i]);
}

/* ---- registration ---- */

/* Code that calls the runtime's function CALLEE; where it is in section CODE. */
static uint64_t add_call(struct set *set, uint32_t code, uint32_t dso, const char *callee)
{
    struct object *o = set->object;
    struct set_place places[ARCH_PLACES] = {0};
    places[ARCH_PLACE_REGISTER].symbol =
        object_add_symbol(o, callee, STB_WEAK, STT_NOTYPE, STV_DEFAULT, SHN_UNDEF, 0, 0);
    places[ARCH_PLACE_DSO].symbol = object_symbol_for(o, dso);
    return set_add_code(set, code, &o->arch->constructor, places);
}

/* Have the loader call what is AT that place of CODE. */
static void add_pointer(struct set *set, uint32_t code, uint64_t at, const char *array,
                        uint32_t array_type)
{
    struct object *o = set->object;
    uint32_t group = o->sections[code].group;
    uint8_t word = o->arch->word;
    uint32_t pointers =
        object_add_section(o, array, array_type, SHF_ALLOC | SHF_WRITE, word, group);
    o->sections[pointers].header.sh_entsize = word;
    object_append(o, pointers, NULL, word);
    object_relocate(o, pointers, 0, o->arch->relocations.address, object_symbol_for(o, code),
                    (int64_t)at);
}

/*
 * The constructors of the program may hit probes, so the registration comes before them: by a
 * priority that the compilers keep for themselves. A linker script need not know priorities, and
 * what it does not know is never called: so the same function also stands where it always finds it,
 * and the runtime does nothing the second time.
 */
void stubs_add_constructors(struct set *set, uint32_t dso, uint32_t group, const uint32_t *bounds)
{
    const struct tool_arch *arch = set->object->arch;
    uint32_t code = object_add_section(set->object, ".text.sdt_dso", SHT_PROGBITS, TEXT,
                                       arch->code_align, group);
    uint64_t begin = add_call(set, code, dso, "__sdt_register");
    add_pointer(set, code, begin, ".init_array.00100", SHT_INIT_ARRAY);
    add_pointer(set, code, begin, ".init_array", SHT_INIT_ARRAY);
    uint64_t end = add_call(set, code, dso, "__sdt_unregister");
    add_pointer(set, code, end, ".fini_array", SHT_FINI_ARRAY);
    if (bounds) {
        /*
         * In a shared library, GNU ld puts __start_sdt_sites and __stop_sdt_sites into the table of
         * dynamic symbols, hidden as they are (seen of 2.40), where packaging tools take them for
         * new exports. It does not if something calls them. So something does, which is never
         * executed.
         */
        for (unsigned i = 0; i < 2; i++) {
            const struct set_place places[ARCH_PLACES] = {[ARCH_PLACE_BOUND] = {bounds[i], 0}};
            set_add_code(set, code, &set->object->arch->bound_call, places);
        }
    }
    unwind_add(set, code, 0, (uint32_t)section_size(&set->object->sections[code]));
}
