/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finding the probe sites: undefined symbols with a probe's name, and the relocations that use
 * them.
 *
 * Nothing is guessed. A use is a site only if relocation type, addend, the bytes of the field and
 * the opcode before it all are those of a call or jump that can be removed without a trace. A use
 * that takes the address is a warning (reference.c judges both cases of "not a site"). Anything
 * else is refused, with the flag that avoids it.
 *
 * Relocations of debug information and of .eh_frame never make a site.
 */
#include "sites_find.h"

#include "args.h"
#include "base/crel.h"
#include "base/diag.h"
#include "base/sorting.h"
#include "functions.h"
#include "instrumented.h"
#include "reference.h"
#include "silence.h"
#include "sleds.h"

#include <stdlib.h>
#include <string.h>

/* ---- the symbols ---- */

static int add_symbol(struct sites *sites, const struct object *o, uint32_t i,
                      const struct probe_name *name)
{
    uint32_t section = object_symbol_section(o, i);
    bool is_ours = section && !strcmp(o->sections[section].name, SDT_SECTION_TAKEN);
    struct diag_place place = {.file = o->path, .symbol = object_symbol_name(o, i)};
    if (section && !strcmp(o->sections[section].name, SDT_SECTION_STUB))
        return diag_refuse(&place, "this object was joined with its companion", NULL, NULL,
                           "link it as it is, or process the object from before the companion");
    if (o->symbols[i].st_shndx != SHN_UNDEF && !is_ours)
        return diag_refuse(&place, "this object defines the probe's symbol itself", NULL,
                           "an undefined symbol, which sdtlink resolves",
                           "remove the definition; stubs are made by sdtlink");
    if (i < o->first_global)
        return diag_refuse(&place, "a probe's symbol is local; the file is damaged", NULL,
                           "an undefined global symbol", NULL);
    if ((sites->symbol_count & (sites->symbol_count - 1)) == 0)
        sites->symbols = memory_resize(sites->symbols, sites->symbol_count * (size_t)2 + 1,
                                       sizeof *sites->symbols);
    sites->symbols[sites->symbol_count++] =
        (struct probe_symbol){.symbol = i, .name = *name, .is_defined = is_ours};
    return 0;
}

/* One that is defined is somebody's own: calls of it are left to that. */
static int add_function_symbol(struct sites *sites, const struct object *o, uint32_t i,
                               const struct probe_name *name)
{
    struct diag_place place = {.file = o->path, .symbol = object_symbol_name(o, i)};
    if (o->symbols[i].st_shndx != SHN_UNDEF)
        return diag_refuse(&place, "this object defines what compilers call at functions", NULL,
                           "an undefined symbol, whose calls sdtlink makes to probes",
                           "remove the definition, or process the object without --functions");
    if (add_symbol(sites, o, i, name) != 0)
        return -1;
    sites->symbols[sites->symbol_count - 1].is_function = true;
    return 0;
}

/* The probes of sleds, which no symbol names: before all symbols, as if an earlier run had defined
 * one for each. */
static void add_sled_symbols(struct sites *sites)
{
    static const char *const calls[] = {SDT_FUNCTION_ENTRY, SDT_FUNCTION_RETURN};
    sites->symbols = memory_resize(NULL, 2, sizeof *sites->symbols);
    for (; sites->symbol_count < 2; sites->symbol_count++)
        sites->symbols[sites->symbol_count] =
            (struct probe_symbol){.name = {.use = SDT_USE_FUNCTION,
                                           .provider = slice_of(SDT_FUNCTION_PROVIDER),
                                           .name = slice_of(calls[sites->symbol_count])},
                                  .is_function = true,
                                  .is_defined = true};
}

static int find_symbols(struct sites *sites, const struct object *o, bool with_functions)
{
    const struct section *strings = &o->sections[o->strtab];
    bool have_prefix = names_have_prefix(strings->data, strings->size);
    for (uint32_t i = 1; i < o->symbol_count; i++) {
        struct probe_name name;
        const char *why, *text = (const char *)strings->data + o->symbols[i].st_name;
        if (with_functions && instrumented_parse(text, o->arch->function_options != NULL, &name)) {
            if (add_function_symbol(sites, o, i, &name) != 0)
                return -1;
            continue;
        }
        if (have_prefix)
            text = names_without_prefix(text);
        /* Nearly every name ends here: this loop sees all symbols of a big object. */
        if (text[0] != '_' || text[1] != '_' || text[2] != 'd')
            continue;
        switch (names_parse(text, &name, &why)) {
        case NAMES_OTHER:
            if (strcmp(text, SDT_SYMBOL_MARK) == 0 && o->symbols[i].st_shndx == SHN_UNDEF)
                sites->mark = i;
            break;
        case NAMES_BAD:
            return diag_refuse(&(struct diag_place){.file = o->path, .symbol = text},
                               "this symbol does not name a probe", why,
                               "__dtrace_sdt_<provider>___<name>", "rename the probe");
        case NAMES_PROBE:
            if (add_symbol(sites, o, i, &name) != 0)
                return -1;
        }
    }
    return 0;
}

/* ---- the probes ---- */

/* One probe per distinct provider and name; several symbols and notes may mean one. */
static void collect_probes(struct sites *sites)
{
    uint32_t count = sites->symbol_count + sites->stapsdt.count, kept = 0;
    struct probe *probes = sites->probes = memory_zeroed(count, sizeof *probes);
    for (uint32_t i = 0; i < sites->symbol_count; i++)
        probes[i] = (struct probe){.provider = sites->symbols[i].name.provider,
                                   .name = sites->symbols[i].name.name};
    for (uint32_t i = 0; i < sites->stapsdt.count; i++)
        probes[sites->symbol_count + i] = (struct probe){
            .provider = sites->stapsdt.notes[i].provider, .name = sites->stapsdt.notes[i].name};
    qsort(probes, count, sizeof *probes, probe_compare);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || probe_compare(&probes[kept - 1], &probes[i]) != 0)
            probes[kept++] = probes[i];
    sites->probe_count = kept;
    for (uint32_t i = 0; i < sites->symbol_count; i++) {
        struct probe_symbol *symbol = &sites->symbols[i];
        symbol->probe = (uint32_t)(sites_probe(sites, symbol->name.provider, symbol->name.name) -
                                   sites->probes);
    }
}

/* A stub of ours, as format.h has it. */
static bool is_stub(const struct object *o, uint32_t symbol)
{
    const struct section *s = &o->sections[object_symbol_section(o, symbol)];
    uint32_t size = o->arch->code.stub.size;
    uint64_t at = o->symbols[symbol].st_value;
    return section_is_text(s) && s->size >= size && at <= s->size - size &&
           o->arch->is_stub(s->data + at);
}

static bool is_record(const struct object *o, uint32_t symbol)
{
    const struct section *s = &o->sections[object_symbol_section(o, symbol)];
    uint64_t at = o->symbols[symbol].st_value;
    uint64_t size = s->header.sh_size;
    return (s->header.sh_flags & (SHF_ALLOC | SHF_WRITE)) == (SHF_ALLOC | SHF_WRITE) &&
           size >= sizeof(struct sdt_probe) && at <= size - sizeof(struct sdt_probe);
}

/* The probe of this object that NAME, a stub's or record's after its prefix, belongs to. */
static struct probe *find_probe(const struct sites *sites, const char *name)
{
    const char *why;
    struct probe_name parsed;
    struct probe *probe = NULL;
    if (strnlen(name, MAX_NAME_BYTES) == MAX_NAME_BYTES)
        return NULL;
    char *call = memory_format("%s%s", SDT_SYMBOL_CALL, name);
    if (names_parse(call, &parsed, &why) == NAMES_PROBE)
        probe = sites_probe(sites, parsed.provider, parsed.name);
    free(call);
    return probe;
}

/* Which of the prefixes NAME begins with: an enum sdt_access, ACCESSES for a stub's; -1: none. */
static int prefix_of(const char *name, const char **rest)
{
    for (int i = 0; i <= ACCESSES; i++) {
        const char *prefix = i < ACCESSES ? probe_prefixes[i] : SDT_SYMBOL_STUB;
        *rest = name + strlen(prefix);
        if (strncmp(name, prefix, strlen(prefix)) == 0)
            return i;
    }
    return -1;
}

/* A stub or record of an earlier run is used again. */
static int adopt(struct sites *sites, const struct object *o, uint32_t symbol)
{
    const char *rest, *text = object_symbol_name(o, symbol);
    int which = prefix_of(text, &rest);
    bool is_for_stub = which == ACCESSES;
    struct probe *probe =
        which >= 0 && object_symbol_section(o, symbol) ? find_probe(sites, rest) : NULL;
    if (!probe)
        return 0;
    if (!(is_for_stub ? is_stub(o, symbol) : is_record(o, symbol)))
        return diag_refuse(&(struct diag_place){.file = o->path, .symbol = text},
                           "this object defines a name that belongs to sdtlink", NULL,
                           "the stub or record that an earlier run of sdtlink made",
                           "rename the definition");
    *(is_for_stub ? &probe->stub : &probe->records[which]) = symbol;
    return 0;
}

static int adopt_earlier(struct sites *sites, const struct object *o)
{
    for (uint32_t i = o->first_global; i < o->symbol_count; i++)
        if (!strncmp(object_symbol_name(o, i), "__sdt_", 6) && adopt(sites, o, i) != 0)
            return -1;
    return 0;
}

/* ---- their groups ---- */

/*
 * A probe's symbol that is undefined leaves the object; a group cannot be named after it. (The
 * group of one that an earlier run defined is fine.)
 */
static int check_groups(const struct sites *sites, const struct object *o)
{
    struct bits leaving;
    int result = 0;
    bits_init(&leaving, o->symbol_count);
    for (uint32_t i = 0; i < sites->symbol_count; i++)
        if (!sites->symbols[i].is_defined)
            bits_set(&leaving, sites->symbols[i].symbol);
    for (uint32_t i = 1; i < o->section_count && result == 0; i++) {
        const Elf64_Shdr *header = &o->sections[i].header;
        if (header->sh_type == SHT_GROUP && bits_test(&leaving, header->sh_info))
            result =
                diag_refuse(&(struct diag_place){.file = o->path,
                                                 .symbol = object_symbol_name(o, header->sh_info)},
                            "a section group has the name of a probe's symbol", NULL, NULL,
                            "give the group the name of a function in it");
    }
    bits_free(&leaving);
    return result;
}

/* ---- their uses ---- */

struct scan {
    struct sites *sites;
    const struct object *object;
    struct bits symbols; /* of probes, and … */
    uint32_t mark;       /* … this one; 0: there is none */
    size_t capacity;
};

static int compare_symbol(const void *key, const void *item)
{
    uint32_t symbol = *(const uint32_t *)key;
    const struct probe_symbol *it = item;
    return symbol < it->symbol ? -1 : symbol > it->symbol;
}

static void add_site(struct scan *scan, const struct site *site)
{
    struct sites *sites = scan->sites;
    sites->items =
        memory_with_room(sites->items, sites->count, &scan->capacity, sizeof *sites->items);
    sites->items[sites->count++] = *site;
    sites->probes[site->probe].site_count++;
}

static void add_stapsdt(struct scan *scan)
{
    const struct sites *sites = scan->sites;
    for (uint32_t i = 0; i < sites->stapsdt.count; i++) {
        const struct stapsdt_note *note = &sites->stapsdt.notes[i];
        const struct probe *probe = sites_probe(sites, note->provider, note->name);
        struct site site = {.place = note->place,
                            .probe = (uint32_t)(probe - sites->probes),
                            .kind = note->kind,
                            .length = scan->object->arch->form(note->kind)->length,
                            .stapsdt = note};
        add_site(scan, &site);
    }
}

static void add_sleds(struct scan *scan, const struct sleds *sleds)
{
    for (size_t i = 0; i < sleds->count; i++) {
        const struct sled *sled = &sleds->items[i];
        uint32_t symbol = sled->kind != ARCH_SLED_ENTRY;
        add_site(scan, &(struct site){.place = sled->place,
                                      .probe = scan->sites->symbols[symbol].probe,
                                      .symbol = symbol,
                                      .is_sled = true,
                                      .is_marked = sled->is_marked,
                                      .kind = sled->site.kind,
                                      .length = sled->site.length,
                                      .arguments.is_given = true});
    }
}

/* One relocation that names a probe. */
static int look_at(struct scan *scan, uint32_t section, uint32_t slot, const Elf64_Rela *relocation)
{
    const struct object *o = scan->object;
    uint32_t symbol = ELF64_R_SYM(relocation->r_info);
    struct probe_symbol *named = bsearch(&symbol, scan->sites->symbols, scan->sites->symbol_count,
                                         sizeof *scan->sites->symbols, compare_symbol);
    struct reference reference = {o, section, relocation, named->name.use};
    struct arch_site found;
    switch (reference_judge(&reference, &found)) {
    case ARCH_SITE:
        add_site(scan, &(struct site){.place = {section, found.offset},
                                      .slot = slot,
                                      .probe = named->probe,
                                      .symbol = (uint32_t)(named - scan->sites->symbols),
                                      .kind = found.kind,
                                      .length = found.length,
                                      .is_moved = found.is_moved,
                                      .branch_type = found.branch_type,
                                      /* of no arguments */
                                      .arguments.is_given = named->is_function});
        return 0;
    case ARCH_ADDRESS:
        if (named->name.use == SDT_USE_INLINE || named->name.use == SDT_USE_FUNCTION)
            return reference_refuse(&reference);
        if (!named->is_taken) {
            named->taken_section = section;
            named->taken_relocation = relocation;
        }
        named->is_taken = true;
        return 0;
    default:
        return reference_refuse(&reference);
    }
}

static int scan_relocations(struct scan *scan, uint32_t rela)
{
    const struct object *o = scan->object;
    size_t count;
    const Elf64_Rela *relocations = section_relocations(&o->sections[rela], &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t symbol = ELF64_R_SYM(relocations[i].r_info);
        if (!bits_test(&scan->symbols, symbol))
            continue;
        if (symbol == scan->mark)
            scan->sites->mark = 0; /* it is needed */
        else if (look_at(scan, o->sections[rela].header.sh_info, (uint32_t)i, &relocations[i]) != 0)
            return -1;
    }
    return 0;
}

static int scan_section(struct scan *scan, uint32_t i)
{
    const struct object *o = scan->object;
    const struct section *s = &o->sections[i];
    bool is_rel = s->header.sh_type == SHT_REL &&
                  (o->sections[s->header.sh_info].header.sh_flags & SHF_ALLOC);
    if (is_rel || s->header.sh_type == SHT_CREL)
        return diag_refuse(&(struct diag_place){.file = o->path, .symbol = s->name},
                           "relocations in this format are not supported", NULL, "SHT_RELA",
                           "for CREL, compile without -Wa,--crel");
    if (s->header.sh_type != SHT_RELA)
        return 0;
    const struct section *target = &o->sections[s->header.sh_info];
    if (!(target->header.sh_flags & SHF_ALLOC) || target->is_unwind)
        return 0;
    return scan_relocations(scan, i);
}

static int compare_sites(const void *left, const void *right)
{
    const struct site *a = left, *b = right;
    return place_compare(&a->place, &b->place);
}

/* Two relocations at one instruction, or a jump into the middle of a site: not from a compiler. */
static int check_distinct(const struct sites *sites, const struct object *o)
{
    for (uint32_t i = 1; i < sites->count; i++) {
        const struct site *a = &sites->items[i - 1], *b = &sites->items[i];
        if (a->place.section != b->place.section || a->place.offset + a->length <= b->place.offset)
            continue;
        const struct site *call = b->stapsdt ? a : b;
        struct diag_place place = {.file = o->path,
                                   .section = o->sections[b->place.section].name,
                                   .offset = b->place.offset};
        if (!call->stapsdt)
            place.symbol = object_symbol_name(o, site_symbol(sites, call)->symbol);
        return diag_refuse(&place, "two probe sites overlap; the file is damaged", NULL, NULL,
                           NULL);
    }
    return 0;
}

static bool is_newly_taken(const struct probe_symbol *symbol)
{
    return symbol->is_taken && !symbol->is_defined;
}

/* The functions around all sites, the labels that describe them, and what takes addresses. */
static struct functions *index_functions(const struct sites *sites, const struct object *o,
                                         bool with_functions)
{
    struct bytes places = {0};
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct place *place = &sites->items[i].place;
        bytes_append(&places, place, sizeof *place);
    }
    for (uint32_t i = 0; i < sites->symbol_count; i++) {
        const struct probe_symbol *symbol = &sites->symbols[i];
        if (!is_newly_taken(symbol))
            continue;
        struct place place = {symbol->taken_section, symbol->taken_relocation->r_offset};
        bytes_append(&places, &place, sizeof place);
    }
    args_collect_places(o, &places);
    if (with_functions)
        silence_collect_places(o, &places);
    struct functions *functions = functions_index(o, (const struct place *)(void *)places.data,
                                                  places.size / sizeof(struct place));
    bytes_free(&places);
    return functions;
}

static void name_functions(struct sites *sites, struct functions *functions)
{
    for (uint32_t i = 0; i < sites->count; i++)
        sites->items[i].function =
            functions_find(functions, sites->items[i].place.section, sites->items[i].place.offset);
}

static void warn_of_taken(const struct sites *sites, const struct object *o,
                          struct functions *functions)
{
    for (uint32_t i = 0; i < sites->symbol_count; i++) {
        const struct probe_symbol *symbol = &sites->symbols[i];
        struct reference reference = {o, symbol->taken_section, symbol->taken_relocation,
                                      symbol->name.use};
        if (is_newly_taken(symbol))
            reference_warn(&reference, functions);
    }
}

static int find_uses(struct sites *sites, const struct object *o, const struct sleds *sleds)
{
    int result = 0;
    struct scan scan = {.sites = sites, .object = o, .mark = sites->mark};
    bits_init(&scan.symbols, o->symbol_count);
    for (uint32_t i = 0; i < sites->symbol_count; i++)
        if (sites->symbols[i].symbol)
            bits_set(&scan.symbols, sites->symbols[i].symbol);
    if (scan.mark)
        bits_set(&scan.symbols, scan.mark);
    for (uint32_t i = 1; i < o->section_count && result == 0 && sites->symbol_count; i++)
        result = scan_section(&scan, i);
    bits_free(&scan.symbols);
    if (result != 0)
        return -1;
    add_stapsdt(&scan);
    add_sleds(&scan, sleds);
    sort_unsorted(sites->items, sites->count, sizeof *sites->items, compare_sites);
    return check_distinct(sites, o);
}

int sites_find(struct sites *sites, const struct object *o, bool with_stapsdt,
               const struct functions_asked *asked)
{
    *sites = (struct sites){0};
    struct functions *functions = NULL;
    struct sleds sleds = {0};
    int result = asked ? sleds_read(&sleds, o) : 0;
    sites->has_sleds = sleds.count > 0;
    if (sites->has_sleds)
        add_sled_symbols(sites);
    if (result == 0)
        result = find_symbols(sites, o, asked != NULL);
    if (result == 0 && with_stapsdt)
        stapsdt_read(&sites->stapsdt, o);
    if (result == 0 && (sites->symbol_count || sites->stapsdt.count)) {
        collect_probes(sites);
        result = adopt_earlier(sites, o);
        if (result == 0)
            result = check_groups(sites, o);
        if (result == 0)
            result = find_uses(sites, o, &sleds);
    }
    if (result == 0) {
        functions = index_functions(sites, o, asked != NULL);
        name_functions(sites, functions);
        if (asked)
            silence(sites, o, functions, asked);
        warn_of_taken(sites, o, functions);
        /* Must be after name_functions(): a descriptor belongs to a site of its own function. */
        result = args_read(sites, o, functions);
    }
    functions_free(functions);
    sleds_free(&sleds);
    if (result != 0)
        sites_free(sites);
    return result;
}
