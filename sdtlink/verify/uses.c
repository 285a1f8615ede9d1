/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Uses of stubs and disabled sites that no record accounts for, and the branches that moved sites
 * stand for.
 *
 * A call that sdtlink did not find is a probe that silently never fires. In an object every use has
 * a relocation. In a linked file there is none, so whatever may be a branch in executable code is
 * tried as one: that finds all direct calls and jumps to a stub, and a few accidents, which
 * walk_marks() tells from instructions.
 */
#include "checks.h"

#include "arch.h"
#include "code.h"
#include "disasm.h"
#include "report.h"
#include "walk.h"

#include <elf.h>
#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

/* A sorted list of places, with what stands there. */
struct named {
    struct place place;
    const char *name;
    struct record *moved; /* a moved site; NULL: an entry of a stub */
};
struct places {
    struct named *all;
    size_t count, capacity;
};

/* ALL, an array of COUNT items of SIZE bytes, with room for one more; NULL: out of memory. */
static void *make_room(void *all, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return all;
    size_t wanted = *capacity ? 2 * *capacity : 64;
    void *grown = reallocarray(all, wanted, size);
    if (grown)
        *capacity = wanted;
    return grown;
}

static int add_named(struct places *places, struct named item)
{
    struct named *all = make_room(places->all, places->count, &places->capacity, sizeof *all);
    if (!all)
        return -1;
    places->all = all;
    places->all[places->count++] = item;
    return 0;
}

static int add_place(struct places *places, struct place place, const char *name)
{
    return add_named(places, (struct named){place, name, NULL});
}

static int by_place(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    return place_compare(a->place, b->place);
}

static void sort_places(struct places *places)
{
    if (places->count)
        qsort(places->all, places->count, sizeof *places->all, by_place);
}

static const struct named *find_place(const struct places *places, struct place place)
{
    struct named key = {place, NULL, NULL};
    if (places->count == 0)
        return NULL;
    return bsearch(&key, places->all, places->count, sizeof key, by_place);
}

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_stub_name(const char *name)
{
    return has_prefix(name, SDT_SYMBOL_CALL) || has_prefix(name, SDT_SYMBOL_INLINE) ||
           has_prefix(name, SDT_SYMBOL_ENABLED) || has_prefix(name, SDT_SYMBOL_STUB);
}

/* Where branches must not lead but for good reason: both entries of every stub, from records and
 * from symbols; the moved sites. */
static int find_entries(const struct image *image, struct records *records, struct places *entries)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < records->count; i++) {
        struct record *record = &records->all[i];
        if (record->is_moved && record->is_sound)
            result = add_named(entries, (struct named){record->pc, record->label, record});
    }
    for (size_t i = 0; result == 0 && i < records->nprobes; i++) {
        if (records->probes[i].stub.section == 0)
            continue;
        const char *label = records->probes[i].label;
        struct place stub = records->probes[i].stub;
        result = add_place(entries, stub, label);
        stub.offset += SDT_STUB_AT;
        result |= add_place(entries, stub, label);
    }
    for (uint32_t i = 1; result == 0 && i < image->nsymbols; i++) {
        const struct symbol *symbol = &image->symbols[i];
        if (symbol->section == 0 || !is_stub_name(symbol->name))
            continue;
        struct place stub = {symbol->section, symbol->value};
        result = add_place(entries, stub, symbol->name);
        stub.offset += SDT_STUB_AT;
        result |= add_place(entries, stub, symbol->name);
    }
    sort_places(entries);
    return result;
}

/* The fields that may name a stub or a moved site: those of loaders, and companions' calls. */
static int find_accounted(struct image *image, const struct records *records,
                          struct places *accounted)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < records->count; i++) {
        const struct record *record = &records->all[i];
        struct place fields[CODE_FIELDS];
        unsigned count = record->is_sound ? code_fields(image, record, fields) : 0;
        for (unsigned j = 0; j < count; j++)
            result |= add_place(accounted, fields[j], NULL);
    }
    sort_places(accounted);
    return result;
}

struct search {
    struct places entries, accounted, recorded;
    struct places slots; /* linked files: words that the loader fills with an entry */
    struct mark *marks;
    size_t count, capacity;
};

static int add_mark(struct search *search, struct place field, const char *name,
                    struct record *moved)
{
    if (find_place(&search->accounted, field))
        return 0;
    struct mark *all = make_room(search->marks, search->count, &search->capacity, sizeof *all);
    if (!all)
        return -1;
    search->marks = all;
    search->marks[search->count++] = (struct mark){.at = field, .name = name, .moved = moved};
    return 0;
}

static int search_relocs(struct image *image, uint32_t index, struct search *search)
{
    const struct section *section = &image->sections[index];
    for (size_t i = 0; i < section->nrelocs; i++) {
        const struct rela *rela = &section->relocs[i];
        const struct symbol *symbol = &image->symbols[rela->symbol];
        uint64_t offset = symbol->value + (uint64_t)rela->addend + image->arch->counts_from;
        struct place target = {symbol->section, offset};
        const struct named *entry = symbol->section ? find_place(&search->entries, target) : NULL;
        if (rela_is_idle(image, rela) || !(entry || is_stub_name(symbol->name)))
            continue;
        if (add_mark(search, (struct place){index, rela->offset}, symbol->name,
                     entry ? entry->moved : NULL) != 0)
            return -1;
    }
    return 0;
}

/* The addresses of the entries lie between these; sections need not be in order of address. */
static void entry_range(const struct image *image, const struct places *entries, uint64_t *low,
                        uint64_t *high)
{
    *low = UINT64_MAX;
    *high = 0;
    for (size_t i = 0; i < entries->count; i++) {
        const struct place *place = &entries->all[i].place;
        uint64_t address = image->sections[place->section].address + place->offset;
        if (address < *low)
            *low = address;
        if (address > *high)
            *high = address;
    }
}

static const struct named *entry_at(const struct image *image, const struct search *search,
                                    uint64_t address)
{
    uint32_t home = image_section_at(image, address);
    struct place place = {home, address - image->sections[home].address};
    return home ? find_place(&search->entries, place) : NULL;
}

/* A dynamic relocation makes a word of the GOT the address of a stub when the file is loaded. */
static int find_slots(const struct image *image, struct search *search)
{
    for (uint32_t i = 1; !image->is_relocatable && i < image->nsections; i++) {
        const struct section *table = &image->sections[i];
        if (table->type != SHT_RELA || !(table->flags & SHF_ALLOC) || !table->data)
            continue;
        for (uint64_t at = 0; table->size - at >= sizeof(Elf64_Rela); at += sizeof(Elf64_Rela)) {
            Elf64_Rela rela;
            memcpy(&rela, table->data + at, sizeof rela);
            enum meaning meaning = image->arch->meaning((uint32_t)ELF64_R_TYPE(rela.r_info));
            const struct named *entry =
                meaning == RELOC_RELATIVE ? entry_at(image, search, (uint64_t)rela.r_addend) : NULL;
            uint32_t home = entry ? image_section_at(image, rela.r_offset) : 0;
            struct place slot = {home, rela.r_offset - image->sections[home].address};
            if (home && add_place(&search->slots, slot, entry->name) != 0)
                return -1;
        }
    }
    sort_places(&search->slots);
    return 0;
}

/* What a call or jump through the word at ADDRESS leads to, if that is a stub. */
static const struct named *entry_in(const struct image *image, const struct search *search,
                                    uint64_t address)
{
    uint32_t home = image_section_at(image, address);
    struct place place = {home, address - image->sections[home].address};
    const struct named *slot = home ? find_place(&search->slots, place) : NULL;
    uint64_t available, value;
    const uint8_t *bytes = image_bytes(image, place, &available);
    if (slot || !bytes || available < sizeof value)
        return slot;
    memcpy(&value, bytes, sizeof value); /* a file that is not relocated, or SHT_RELR */
    return entry_at(image, search, value);
}

/*
 * gold fills a gap between two sections with a jump over NOPs, and the section after the gap may
 * start with a stub. Such a jump is in no function and skips nothing but NOPs, or what else a
 * linker puts in itself.
 */
static bool is_filler(const struct image *image, struct place field, struct place target)
{
    const struct section *section = &image->sections[field.section];
    if (target.section != field.section || target.offset < field.offset + 4 ||
        !image->arch->is_jump(section, field.offset) || image_function(image, field))
        return false;
    uint64_t after = field.offset + 4;
    return image->arch->is_filler(section->data + after, target.offset - after);
}

/*
 * clang -O0 lets what does not return (a call of __cxa_throw) be followed by a jump to an empty
 * block at the function's end, and the next function may be a stub. A real tail call of a stub that
 * happens to come next looks the same here; in the object it has a relocation, which is checked. A
 * moved site that comes next is not excused, where a tail call leads to one.
 */
static bool is_to_own_end(const struct image *image, struct place field, struct place target)
{
    const struct symbol *function = image_function(image, field);
    return function && image->arch->is_jump(&image->sections[field.section], field.offset) &&
           target.section == field.section && function->value + function->size == target.offset;
}

/* Whether FIELD is that of the stub's own jump to TARGET, its second entry. */
static bool is_in_stub(const struct image *image, const struct search *search, struct place field,
                       struct place target)
{
    struct place stub = {target.section, target.offset - SDT_STUB_AT};
    return image->arch->stub_own_jump && field.section == stub.section &&
           field.offset == stub.offset + image->arch->stub_own_jump &&
           find_place(&search->entries, stub);
}

/* FIELD would lead to ENTRY if it were that of a branch. */
static int judge_field(const struct image *image, struct search *search, struct place field,
                       const struct named *entry)
{
    struct record *moved = entry->moved;
    unsigned before;
    if (is_in_stub(image, search, field, entry->place) ||
        !image->arch->is_branch(image, field, &before) || image_is_data(image, field) ||
        is_filler(image, field, entry->place) ||
        (!(moved && image->arch->unit) && is_to_own_end(image, field, entry->place)))
        return 0;
    if (!moved || image->arch->unit || image_function(image, field))
        return add_mark(search, field, entry->name, moved);
    /* A conditional jump, as far as can be said where no function is known. */
    bool is_jump = image->arch->is_jump(&image->sections[field.section], field.offset);
    if (before == image->arch->kept_field || (image->arch->keeps_jumps && is_jump)) {
        moved->branch = (struct place){field.section, field.offset - before};
        moved->branch_length = image->arch->kept_length - (before < image->arch->kept_field);
        moved->branches++;
    }
    return 0;
}

static int search_bytes(struct image *image, uint32_t index, struct search *search)
{
    const struct section *section = &image->sections[index];
    uint64_t low, high;
    entry_range(image, &search->entries, &low, &high);
    struct suspect at = {0};
    for (; image->arch->next_suspect(section, low, high, &at); at.field++) {
        const struct named *entry = at.is_indirect ? entry_in(image, search, at.target)
                                                   : entry_at(image, search, at.target);
        if (entry && judge_field(image, search, (struct place){index, at.field}, entry) != 0)
            return -1;
    }
    return 0;
}

typedef bool next_function(const struct image *image, struct veneer *at);

/* What NEXT finds and leads to an entry. */
static int find_ways(const struct image *image, const struct search *search, next_function *next,
                     struct places *found)
{
    int result = 0;
    for (uint32_t i = 1; next && !image->is_relocatable && i < image->nsections; i++) {
        const struct section *section = &image->sections[i];
        struct veneer at = {.place = {i, 0}};
        if (!(section->flags & SHF_EXECINSTR) || !section->data)
            continue;
        for (; next(image, &at); at.place.offset++) {
            const struct named *entry = entry_at(image, search, at.target);
            if (entry)
                result |= add_named(found, (struct named){at.place, entry->name, entry->moved});
        }
    }
    return result;
}

static int add_entries(struct search *search, struct places *found)
{
    int result = 0;
    for (size_t i = 0; i < found->count; i++)
        result |= add_named(&search->entries, found->all[i]);
    free(found->all);
    sort_places(&search->entries);
    return result;
}

/* A branch to a linker's veneer leads to where that goes on: it is an entry as well. */
static int find_veneers(const struct image *image, struct search *search)
{
    struct places found = {0};
    int result = find_ways(image, search, image->arch->next_veneer, &found);
    return result | add_entries(search, &found);
}

/*
 * So is the landing pad that a veneer leads to. A function that is but a tail call of a probe looks
 * the same, `bti c; b`; there the jump is the one that the site expects, and it is not passed over.
 */
static int find_pads(const struct image *image, struct search *search)
{
    struct places found = {0}, pads = {0};
    int result = find_ways(image, search, image->arch->next_pad, &found);
    for (size_t i = 0; i < found.count; i++) {
        const struct record *moved = found.all[i].moved;
        struct place jump = found.all[i].place;
        struct insn insn;
        jump.offset += image->arch->pad_jump;
        if (!moved || !disasm_at(image, jump, &insn) || image->arch->is_kept(&insn, moved->kind))
            continue;
        result |= add_named(&pads, found.all[i]);
        result |= add_place(&search->accounted, jump, NULL);
    }
    free(found.all);
    sort_places(&search->accounted);
    return result | add_entries(search, &pads);
}

/* Sites and entries that have a record. */
static int find_recorded(const struct records *records, struct places *recorded)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < records->count; i++) {
        const struct record *record = &records->all[i];
        result = add_place(recorded, record->pc, NULL);
        if (kind_has_entry(record->kind))
            result |= add_place(recorded, record->stub, NULL);
    }
    sort_places(recorded);
    return result;
}

/*
 * What only the tool writes, over a call or for it. Its record may have been lost: such a probe
 * never fires either.
 */
static int search_disabled(struct image *image, uint32_t index, struct search *search)
{
    const struct section *section = &image->sections[index];
    uint64_t (*next)(const struct section *, uint64_t) = image->arch->next_disabled;
    for (uint64_t at = next(section, 0); at < section->size; at = next(section, at + 1)) {
        struct place place = {index, at};
        if (!find_place(&search->recorded, place) && add_mark(search, place, NULL, NULL) != 0)
            return -1;
    }
    return 0;
}

/*
 * A shared library may leave symbols undefined, and with default visibility also those of probes:
 * then an object that was forgotten links without a word, and its first call ends the program.
 */
static void check_undefined(struct image *image)
{
    uint32_t table = 0;
    for (uint32_t i = 1; i < image->nsections; i++)
        if (image->sections[i].type == SHT_SYMTAB ||
            (image->sections[i].type == SHT_DYNSYM && table == 0))
            table = i;
    for (uint32_t i = 1; table && i < image->nsymbols; i++)
        if (image->symbols[i].is_undefined && is_stub_name(image->symbols[i].name))
            report_defect(image, (struct place){table, i * sizeof(Elf64_Sym)}, NULL,
                          "expected no use of %s, of which none is left in processed objects",
                          image->symbols[i].name);
}

int uses_find(struct image *image, struct records *records, struct mark **marks, size_t *count)
{
    struct search search = {0};
    if (!image->is_relocatable)
        check_undefined(image);
    int result = find_entries(image, records, &search.entries);
    result |= find_accounted(image, records, &search.accounted);
    result |= find_pads(image, &search);
    result |= find_veneers(image, &search);
    result |= find_recorded(records, &search.recorded);
    result |= find_slots(image, &search);
    for (uint32_t i = 1; result == 0 && i < image->nsections; i++) {
        const struct section *section = &image->sections[i];
        if (!(section->flags & SHF_EXECINSTR) || !section->data)
            continue;
        if (image->is_relocatable)
            result = search_relocs(image, i, &search);
        else if (search.entries.count)
            result = search_bytes(image, i, &search);
        if (result == 0)
            result = search_disabled(image, i, &search);
    }
    free(search.entries.all);
    free(search.accounted.all);
    free(search.recorded.all);
    free(search.slots.all);
    *marks = search.marks;
    *count = search.count;
    return result;
}
