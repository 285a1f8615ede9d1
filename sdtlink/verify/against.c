/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing else was changed: an object and the object it was made from, side by side.
 *
 * The tool adds sections and symbols, and so renumbers both. Sections are matched by name and
 * order, groups by their signature, symbols by what they say. What may differ is: the bytes of
 * sites, of what is silenced (silenced.h), and the relocations inside them, members added to
 * groups, symbol numbers, what is made for the tool or useless after it has run (.sdt_args, LTO's
 * sections), strings that only .sdt_args led to (spellings.h), and unwind information appended to
 * .eh_frame. Everything else must be the same byte for byte.
 */
#include "checks.h"

#include "arch.h"
#include "code.h"
#include "relocs.h"
#include "report.h"
#include "silenced.h"
#include "spellings.h"

#include <elf.h>
#include <inttypes.h>
#include <sdt/format.h>
#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRSIG = 0x6fff4c03 }; /* SHT_LLVM_ADDRSIG: symbol numbers only */

struct comparison {
    struct image *image;
    const struct image *original;
    const struct records *records;
    uint32_t *map;               /* section of the original → section of the image, 0: gone */
    const struct record **sites; /* the sound ones, by record_place() */
    size_t nsites;
    struct spellings spellings;
    struct silenced silenced;
};

static int by_place(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    return place_compare(record_place(a), record_place(b));
}

static int sort_sites(struct comparison *pair)
{
    const struct records *records = pair->records;
    pair->sites = calloc(records->count + 1, sizeof *pair->sites);
    if (!pair->sites)
        return -1;
    for (size_t i = 0; i < records->count; i++)
        if (records->all[i].is_sound)
            pair->sites[pair->nsites++] = &records->all[i];
    qsort(pair->sites, pair->nsites, sizeof *pair->sites, by_place);
    return 0;
}

static const char *signature(const struct image *image, const struct section *section)
{
    if (section->type != SHT_GROUP || section->info >= image->nsymbols)
        return "";
    return image->symbols[section->info].name;
}

static bool is_match(const struct comparison *pair, uint32_t old, uint32_t new)
{
    const struct section *a = &pair->original->sections[old], *b = &pair->image->sections[new];
    return a->type == b->type && strcmp(a->name, b->name) == 0 &&
           strcmp(signature(pair->original, a), signature(pair->image, b)) == 0;
}

static bool may_vanish(const struct section *section)
{
    const char *name = section->name;
    if (strncmp(name, ".rela", 5) == 0)
        name += 5;
    return name_is_of_args(name) || silenced_is_map(name) || strncmp(name, ".gnu.lto_", 9) == 0 ||
           strncmp(name, ".gnu.debuglto_", 14) == 0 || strcmp(name, ".llvm.lto") == 0;
}

/* Sections keep their order (groups aside, which must come before new members of theirs). */
static void match_sections(struct comparison *pair)
{
    uint32_t next = 1;
    for (uint32_t old = 1; old < pair->original->nsections; old++) {
        const struct section *section = &pair->original->sections[old];
        bool is_group = section->type == SHT_GROUP;
        uint32_t new = is_group ? 1 : next;
        while (new < pair->image->nsections && !is_match(pair, old, new))
            new ++;
        if (new < pair->image->nsections) {
            pair->map[old] = new;
            next = is_group ? next : new + 1;
        } else if (!may_vanish(section) && !is_group) {
            report_defect(pair->image, (struct place){0, 0}, NULL,
                          "expected section %s [%u] of the original, it is gone", section->name,
                          old);
        }
    }
}

/* The record of the site that PLACE lies in, or NULL. */
static const struct record *site_around(const struct comparison *pair, struct place place)
{
    /* the first site after PLACE */
    size_t low =
        LOWER_BOUND(i, pair->nsites, place_compare(record_place(pair->sites[i]), place) <= 0);
    if (low == 0)
        return NULL;
    const struct record *record = pair->sites[low - 1];
    struct place start = record_place(record);
    unsigned length =
        record->is_moved ? record->branch_length : code_length(pair->image, record->kind);
    bool is_inside = start.section == place.section && place.offset - start.offset < length;
    return is_inside ? record : NULL;
}

/* Bytes FROM..TO of both sections must be equal, but for spellings, which may be zeros; reports the
 * first that is not. */
static bool compare_run(const struct comparison *pair, uint32_t old, uint64_t from, uint64_t to)
{
    const uint8_t *a = pair->original->sections[old].data;
    const uint8_t *b = pair->image->sections[pair->map[old]].data;
    if (from >= to || memcmp(a + from, b + from, to - from) == 0)
        return true;
    while (from < to &&
           (a[from] == b[from] ||
            (b[from] == 0 && spellings_hold(&pair->spellings, (struct place){old, from}))))
        from++;
    if (from == to)
        return true;
    report_bytes(pair->image, (struct place){pair->map[old], from}, 1, NULL,
                 "expected the byte %02x of the original", a[from]);
    return false;
}

/* The same, but for what is silenced. */
static bool compare_bytes(const struct comparison *pair, uint32_t old, uint64_t from, uint64_t to)
{
    while (from < to) {
        uint64_t end = silenced_end(&pair->silenced, (struct place){old, from});
        uint64_t next = end ? end : silenced_next(&pair->silenced, (struct place){old, from});
        if (!end && !compare_run(pair, old, from, next < to ? next : to))
            return false;
        from = next;
    }
    return true;
}

/* All bytes outside the sites. */
static void compare_contents(const struct comparison *pair, uint32_t old)
{
    const struct section *section = &pair->original->sections[old];
    uint64_t at = 0;
    uint32_t new = pair->map[old];
    size_t i = records_first(pair->records, (struct place){new, 0});
    for (; i < pair->records->count && pair->records->all[i].pc.section == new; i++) {
        const struct record *record = &pair->records->all[i];
        if (!record->is_sound || record->pc.offset < at)
            continue;
        if (!compare_bytes(pair, old, at, record->pc.offset))
            return;
        at = record->pc.offset + code_length(pair->image, record->kind);
    }
    compare_bytes(pair, old, at, section->size);
}

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Names that sources leave undefined for the tool; they go when no use is left. */
static bool is_for_tool(const struct symbol *symbol)
{
    return symbol->is_undefined &&
           (has_prefix(symbol->name, SDT_SYMBOL_CALL) ||
            has_prefix(symbol->name, SDT_SYMBOL_INLINE) ||
            has_prefix(symbol->name, SDT_SYMBOL_ENABLED) || silenced_is_call(symbol->name, NULL) ||
            strcmp(symbol->name, SDT_SYMBOL_MARK) == 0);
}

/* How symbol A of the original, as it must now be, and symbol B of the image are ordered. */
static int compare_symbol(const struct comparison *pair, const struct symbol *a,
                          const struct symbol *b)
{
    uint32_t section = pair->map[a->section];
    int order = strcmp(a->name, b->name);
    if (order)
        return order;
    if (section != b->section)
        return section < b->section ? -1 : 1;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->size < b->size ? -1 : a->size > b->size;
}

static bool is_same_symbol(const struct comparison *pair, const struct symbol *a,
                           const struct symbol *b)
{
    if (is_for_tool(a)) /* where its address is taken, the tool defines it */
        return strcmp(a->name, b->name) == 0 &&
               (b->is_undefined ||
                strcmp(pair->image->sections[b->section].name, SDT_SECTION_TAKEN) == 0);
    return compare_symbol(pair, a, b) == 0 && a->type == b->type && a->binding == b->binding &&
           a->visibility == b->visibility && a->is_undefined == b->is_undefined;
}

/* The next relocation of TABLE below LIMIT of what was section OLD that lies in no site. */
static bool next_outside(const struct comparison *pair, const struct section *table, uint32_t old,
                         uint64_t limit, uint64_t *index, struct rela *rela)
{
    while (relocs_at(table, *index, rela)) {
        ++*index;
        if (rela->offset < limit &&
            !site_around(pair, (struct place){pair->map[old], rela->offset}) &&
            !silenced_end(&pair->silenced, (struct place){old, rela->offset}))
            return true;
    }
    return false;
}

/* Whether REST, "<provider>___[<module>___<function>___]<name>", is that of "provider:name" WHOLE.
 */
static bool is_name_of(const char *rest, const char *whole)
{
    size_t provider = strcspn(whole, ":"), length = strlen(rest);
    const char *name = whole + provider + 1;
    size_t tail = strlen(name);
    return length >= provider + 3 + tail && strncmp(rest, whole, provider) == 0 &&
           strncmp(rest + provider, "___", 3) == 0 && strcmp(rest + length - tail, name) == 0 &&
           strncmp(rest + length - tail - 3, "___", 3) == 0;
}

/* What the original called or asked here is what the record says. */
static bool is_use_of(const struct symbol *symbol, const struct record *record)
{
    const char *prefix = kind_is_question(record->kind)    ? SDT_SYMBOL_ENABLED
                         : record->kind == SDT_KIND_INLINE ? SDT_SYMBOL_INLINE
                                                           : SDT_SYMBOL_CALL;
    if (silenced_is_call(symbol->name, record->name))
        return true;
    if (!has_prefix(symbol->name, prefix))
        return false;
    const char *rest = symbol->name + strlen(prefix);
    return is_name_of(rest, record->name) ||
           (has_prefix(rest, SDT_SYMBOL_REMEDY) &&
            is_name_of(rest + strlen(SDT_SYMBOL_REMEDY), record->name));
}

/* Every use of a probe in the original has a site, and its record names that probe. */
static void compare_uses(const struct comparison *pair, uint32_t old)
{
    const struct section *table = &pair->original->sections[old];
    struct rela rela;
    for (uint64_t i = 0; relocs_at(table, i, &rela); i++) {
        struct place place = {pair->map[table->info], rela.offset};
        const struct record *record = site_around(pair, place);
        if (rela.symbol >= pair->original->nsymbols || !record)
            continue; /* outside a site the relocation must be there as it was */
        const struct symbol *symbol = &pair->original->symbols[rela.symbol];
        if (is_for_tool(symbol) && !is_use_of(symbol, record))
            report_defect(pair->image, record_place(record), record->label,
                          "expected a record of %s, which the original names here", symbol->name);
    }
}

static void compare_relocs(const struct comparison *pair, uint32_t old)
{
    const struct section *a = &pair->original->sections[old];
    const struct section *b = &pair->image->sections[pair->map[old]];
    uint64_t i = 0, j = 0;
    struct rela was = {0}, is = {0};
    if (a->info >= pair->original->nsections || pair->map[a->info] != b->info) {
        report_defect(pair->image, (struct place){pair->map[old], 0}, NULL,
                      "expected relocations of the same section as in the original");
        return;
    }
    compare_uses(pair, old);
    uint64_t limit = pair->original->sections[a->info].size; /* after it: what was appended */
    for (;;) {
        bool has_old = next_outside(pair, a, a->info, limit, &i, &was);
        bool has_new = next_outside(pair, b, a->info, limit, &j, &is);
        if (!has_old && !has_new)
            return;
        bool is_same = has_old && has_new && was.offset == is.offset && was.addend == is.addend &&
                       was.type == is.type && was.symbol < pair->original->nsymbols &&
                       is.symbol < pair->image->nsymbols &&
                       is_same_symbol(pair, &pair->original->symbols[was.symbol],
                                      &pair->image->symbols[is.symbol]);
        if (is_same)
            continue;
        report_defect(pair->image, (struct place){b->info, has_old ? was.offset : is.offset}, NULL,
                      "expected the relocation of the original here");
        return;
    }
}

static void compare_groups(const struct comparison *pair, uint32_t old)
{
    const struct section *a = &pair->original->sections[old];
    for (uint64_t at = 4; at < a->size; at += 4) {
        uint32_t member;
        memcpy(&member, a->data + at, sizeof member);
        uint32_t new = pair->map[member];
        if (new && !may_vanish(&pair->image->sections[new]) &&
            pair->image->sections[new].group != pair->map[old])
            report_defect(pair->image, (struct place){new, 0}, NULL,
                          "expected the section in group %s, as in the original",
                          signature(pair->original, a));
    }
}

/* Flags. The names of enumerators are in the descriptors now, and go at the link. */
static uint64_t may_change(const struct section *section)
{
    return may_vanish(section)                             ? SHF_GROUP
           : strcmp(section->name, SDT_SECTION_ENUMS) == 0 ? SHF_EXCLUDE | SHF_ALLOC
                                                           : 0;
}

static void compare_section(const struct comparison *pair, uint32_t old)
{
    const struct section *a = &pair->original->sections[old];
    const struct section *b = &pair->image->sections[pair->map[old]];
    bool is_renumbered = a->type == SHT_SYMTAB || a->type == SHT_STRTAB ||
                         a->type == SHT_SYMTAB_SHNDX || a->type == ADDRSIG;
    if ((a->flags ^ b->flags) & ~may_change(a))
        report_defect(pair->image, (struct place){pair->map[old], 0}, NULL,
                      "expected flags 0x%" PRIx64 " of the original, found 0x%" PRIx64, a->flags,
                      b->flags);
    if (is_renumbered || may_vanish(a))
        return;
    bool may_grow = strcmp(a->name, ".eh_frame") == 0 && a->size <= b->size;
    if (a->type == SHT_GROUP)
        compare_groups(pair, old);
    else if (a->type == SHT_RELA)
        compare_relocs(pair, old);
    else if (a->size != b->size && !may_grow)
        report_defect(pair->image, (struct place){pair->map[old], 0}, NULL,
                      "expected %" PRIu64 " bytes as in the original, found %" PRIu64, a->size,
                      b->size);
    else if (a->data && b->data)
        compare_contents(pair, old);
}

static int by_name(const void *left, const void *right)
{
    const struct symbol *a = *(const struct symbol *const *)left;
    const struct symbol *b = *(const struct symbol *const *)right;
    int order = strcmp(a->name, b->name);
    if (order)
        return order;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->size < b->size ? -1 : a->size > b->size;
}

/* Whether SYMBOL is among the COUNT symbols of the image at SORTED. */
static bool has_symbol(const struct comparison *pair, const struct symbol *symbol,
                       const struct symbol **sorted, size_t count)
{
    size_t low = LOWER_BOUND(i, count, compare_symbol(pair, symbol, sorted[i]) > 0);
    for (; low < count && compare_symbol(pair, symbol, sorted[low]) == 0; low++)
        if (is_same_symbol(pair, symbol, sorted[low]))
            return true;
    return false;
}

/* The original's symbols must all be there, in whatever order. */
static int compare_symbols(const struct comparison *pair)
{
    const struct image *image = pair->image, *original = pair->original;
    const struct symbol **sorted = calloc(image->nsymbols + 1, sizeof *sorted);
    if (!sorted)
        return report_failure(image, "out of memory");
    for (uint32_t i = 0; i < image->nsymbols; i++)
        sorted[i] = &image->symbols[i];
    qsort(sorted, image->nsymbols, sizeof *sorted, by_name);
    for (uint32_t i = 1; i < original->nsymbols; i++) {
        const struct symbol *symbol = &original->symbols[i];
        bool may_go = is_for_tool(symbol) || (symbol->section && pair->map[symbol->section] == 0);
        if (!may_go && !has_symbol(pair, symbol, sorted, image->nsymbols))
            report_defect(pair->image, (struct place){pair->map[symbol->section], symbol->value},
                          NULL, "expected symbol %s as in the original", symbol->name);
    }
    free(sorted);
    return 0;
}

int check_against(struct image *image, const struct image *original, const struct records *records)
{
    struct comparison pair = {.image = image, .original = original, .records = records};
    pair.map = calloc(original->nsections, sizeof *pair.map);
    if (!pair.map || sort_sites(&pair) != 0 || spellings_read(&pair.spellings, original) != 0) {
        free(pair.sites);
        free(pair.map);
        return report_failure(image, "out of memory");
    }
    match_sections(&pair);
    const struct sited sited = {pair.sites, pair.nsites};
    if (silenced_read(&pair.silenced, image, original, pair.map, &sited) != 0)
        report_failure(image, "out of memory");
    for (uint32_t i = 1; i < original->nsections; i++)
        if (pair.map[i])
            compare_section(&pair, i);
    check_arguments(image, original, pair.map, records);
    spellings_check(&pair.spellings, image, original, pair.map);
    int result = compare_symbols(&pair);
    silenced_free(&pair.silenced);
    spellings_free(&pair.spellings);
    free(pair.sites);
    free(pair.map);
    return result;
}
