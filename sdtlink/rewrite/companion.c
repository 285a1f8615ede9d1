/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Companion mode: the object stays as it is, and a second one brings what it needs.
 *
 * The companion defines the symbols that the object's calls name, as stubs, and lists the places of
 * the calls; at start-up the runtime checks each and rewrites it to NOPs. What cannot become a site
 * where it is (on aarch64 and riscv64: all but calls) gets a site in the companion, to which
 * start-up leads its branch. A place is written as "global symbol of the object + distance", per
 * text section, since another object's section cannot be named. So:
 *
 *   - a text section with sites needs a global symbol that cannot be replaced (strong, not COMDAT);
 *   - the list refers to every such section, so --gc-sections keeps all code that has probes;
 *   - symbols with default visibility serve in executables only: a shared library's linker refuses
 *     PC-relative references to what another library might replace;
 *   - tracer notes are impossible: the kernel decodes a probed instruction from the file, which
 *     still has the call.
 *
 * Offsets inside a section must stay right: on x86-64 and aarch64, linkers do not change the length
 * of a direct call. On riscv64 they do where a relocation says that they may, and such a section is
 * refused.
 */
#include "companion.h"

#include "base/diag.h"
#include "companion_base.h"
#include "elf/add.h"
#include "plan_print.h"
#include "set_build.h"
#include "stubs.h"

#include <stdlib.h>
#include <string.h>

/* The message about the first unsupported site, except for its bytes. */
static const struct arch_refusal in_group = {
    "this section is in a group that the linker may drop in favour of another object's; a "
    "companion cannot follow that",
    NULL,
    "process the object itself: sdtlink -o OUT IN",
};
static const struct arch_refusal no_base = {
    "no global symbol is defined in this section, so a companion cannot locate its sites",
    "a strong global symbol in each section with probes",
    "compile without -ffunction-sections, or with -fno-reorder-functions, or process the object "
    "itself: sdtlink -o OUT IN",
};

static const struct arch_refusal odd_base = {
    "the global symbol that places in this section are counted from has a name that C and the "
    "assembler do not read",
    "letters, digits and _ . $",
    "make an object: --companion --freestanding -o FILE.o",
};

static int refuse(const struct plan *plan, const struct planned_site *planned,
                  const struct arch_refusal *refusal)
{
    bool is_about_bytes = refusal != &in_group && refusal != &no_base && refusal != &odd_base &&
                          refusal != plan->object->arch->companion_relaxed;
    return plan_refuse(plan, planned, refusal, is_about_bytes);
}

static const struct arch_refusal only_calls = {
    "a companion of a kernel serves calls only: at start-up one byte or word is written, and what "
    "is not a call would need more",
    "a direct call",
    "compile with -fno-optimize-sibling-calls and -DSDT_CALL_SITES, and ask no question; or "
    "process the object itself: sdtlink --freestanding -o OUT IN",
};

static bool is_plain(const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
    return name[strspn(name, letters)] == '\0';
}

static const struct arch_refusal *choose(const struct plan *plan, const struct site *site)
{
    const struct tool_arch *arch = plan->object->arch;
    if (plan->wishes.is_freestanding)
        return &only_calls;
    if (site->kind == SDT_KIND_INLINE)
        return arch->companion_inline;
    if (site->arguments.is_asm_enabled)
        return arch->companion_enabled;
    return site->is_moved ? arch->companion_moved : arch->companion_got;
}

/* Whether linkers may shorten SECTION, and so move what is in it. */
static bool is_relaxed(const struct object *o, uint32_t section)
{
    const struct arch_relocations *types = &o->arch->relocations;
    size_t count = 0;
    const Elf64_Rela *relocations =
        types->relax ? section_relocations(&o->sections[o->sections[section].rela], &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        uint32_t type = ELF64_R_TYPE(relocations[i].r_info);
        if (type == types->relax || type == types->align)
            return true;
    }
    return false;
}

static bool can_serve(const struct plan *plan, const struct site *site)
{
    const struct tool_arch *arch = plan->object->arch;
    if (plan->wishes.is_freestanding && (site->kind != SDT_KIND_CALL || site->is_moved))
        return false;
    return arch->companion(site->kind, site->is_moved).kind && !site->arguments.is_asm_enabled;
}

/* The first site of TEXT whose base has a name that its companion cannot have; NULL: none. */
static const struct planned_site *find_odd(const struct plan *plan, const struct planned_text *text,
                                           const struct companion_bases *bases)
{
    for (uint32_t i = text->first; plan->wishes.is_text && i < text->first + text->count; i++) {
        uint32_t base = companion_base(bases, text->section, plan->sites[i].site->place.offset);
        if (base && !is_plain(object_symbol_name(plan->object, base)))
            return &plan->sites[i];
    }
    return NULL;
}

static int check_text(const struct plan *plan, const struct planned_text *text,
                      const struct companion_bases *bases)
{
    for (uint32_t i = text->first; i < text->first + text->count; i++)
        if (!can_serve(plan, plan->sites[i].site))
            return refuse(plan, &plan->sites[i], choose(plan, plan->sites[i].site));
    if (is_relaxed(plan->object, text->section))
        return refuse(plan, &plan->sites[text->first], plan->object->arch->companion_relaxed);
    if (plan->object->sections[text->section].group)
        return refuse(plan, &plan->sites[text->first], &in_group);
    if (!companion_base(bases, text->section, 0))
        return refuse(plan, &plan->sites[text->first], &no_base);
    const struct planned_site *odd = find_odd(plan, text, bases);
    return odd ? refuse(plan, odd, &odd_base) : 0;
}

int companion_check(const struct plan *plan)
{
    int result = 0;
    if (plan->wishes.is_text && !plan->object->arch->has_text_companions)
        return diag_refuse(&(struct diag_place){.file = plan->object->path},
                           "companions in C are for another machine", NULL, NULL,
                           "make an object: --companion --freestanding -o FILE.o");
    if (plan->object->is_fat)
        return diag_refuse(
            &(struct diag_place){.file = plan->object->path},
            "it holds intermediate code as well (fat LTO): a link that uses it generates the "
            "machine code anew, and the recorded offsets would be wrong",
            NULL, NULL, "compile with -fno-lto");
    struct companion_bases bases = companion_bases(plan->object);
    for (uint32_t i = 0; i < plan->text_count && result == 0; i++)
        result = check_text(plan, &plan->texts[i], &bases);
    companion_bases_free(&bases);
    return result;
}

/* Define each undefined symbol; returns their ids, in the order of found->symbols. */
static uint32_t *define_symbols(struct set *set)
{
    const struct sites *found = set->plan->found;
    uint32_t *ids = memory_zeroed(found->symbol_count, sizeof *ids);
    for (uint32_t i = 0; i < found->symbol_count; i++) {
        const struct probe_symbol *symbol = &found->symbols[i];
        const struct set_probe *probe = &set->probes[symbol->probe];
        uint32_t section = symbol->name.use == SDT_USE_ENABLED
                               ? stubs_add_enabled(set, probe->records[SDT_BY_CALL])
                               : probe->stub_section;
        /* A kernel is one link. */
        bool is_own = set->plan->wishes.is_freestanding;
        ids[i] =
            object_add_symbol(set->object, object_symbol_name(set->plan->object, symbol->symbol),
                              is_own ? STB_GLOBAL : STB_WEAK, STT_FUNC, STV_HIDDEN, section, 0,
                              set->object->arch->code.stub.size);
    }
    return ids;
}

/* The companion's symbol for each of INPUT's that places are counted from; 0: none yet. */
static uint32_t refer(struct set *set, uint32_t *known, uint32_t base)
{
    if (!known[base])
        known[base] = object_add_symbol(set->object, object_symbol_name(set->plan->object, base),
                                        STB_GLOBAL, STT_NOTYPE, STV_DEFAULT, SHN_UNDEF, 0, 0);
    return known[base];
}

static uint32_t add_sites(struct set *set, const uint32_t *symbols)
{
    const struct plan *plan = set->plan;
    const struct object *input = plan->object;
    struct companion_bases bases = companion_bases(input);
    uint32_t *known = memory_zeroed(input->symbol_count, sizeof *known);
    const char *name = plan->wishes.is_freestanding ? SDT_SECTION_SITES : SDT_SECTION_COMPANION;
    uint32_t section = object_add_section(set->object, name, SHT_PROGBITS, SHF_ALLOC, 4, 0);
    for (uint32_t t = 0; t < plan->text_count; t++) {
        const struct planned_text *text = &plan->texts[t];
        for (uint32_t i = text->first; i < text->first + text->count; i++) {
            const struct site *site = plan->sites[i].site;
            uint32_t base = companion_base(&bases, text->section, site->place.offset);
            struct set_place stub = {symbols[site->symbol], 0};
            struct set_place place = {refer(set, known, base),
                                      site->place.offset - input->symbols[base].st_value};
            if (plan->sites[i].is_moved)
                place = stubs_add_moved(set, &plan->sites[i], place, stub);
            set_add_record(set, section, &plan->sites[i], place.symbol, place.offset, stub);
        }
    }
    free(known);
    companion_bases_free(&bases);
    return section;
}

void companion_build(struct object *companion, const struct plan *plan)
{
    struct set set;
    set_begin(&set, companion, plan);
    set_add_probes(&set);
    uint32_t *symbols = define_symbols(&set);
    uint32_t sites = add_sites(&set, symbols);
    if (!plan->wishes.is_freestanding) /* there, the kernel knows the bounds of its set */
        set_add_companion_registration(&set, sites);
    object_add_stack_note(companion);
    set_finish(&set);
    set_free(&set);
    free(symbols);
}
