/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arguments of inline sites and of those with a note of SDT_STANDALONE: the record must agree
 * with what the compiler wrote into .sdt_args of the original. (Those of call sites are where the
 * ABI puts them; the operands of a note are in the note.)
 *
 * The tool writes operands anew, registers by their 64-bit names; so operands are compared by what
 * they mean.
 */
#include "checks.h"

#include "arch.h"
#include "relocs.h"
#include "report.h"

#include <elf.h>
#include <sdt/format.h>
#include <string.h>

/* ---- operands ---- */

static bool is_same_operand(const struct operand *a, const struct operand *b, unsigned size)
{
    uint64_t mask = size < 8 ? (UINT64_C(1) << 8 * size) - 1 : UINT64_MAX;
    if (a->kind != b->kind || a->number != b->number)
        return false;
    return a->kind == CONSTANT ? (((uint64_t)a->value ^ (uint64_t)b->value) & mask) == 0
                               : a->value == b->value;
}

/* Durations are signed integers, and a struct sdt_text is a pointer: the names say more. */
static uint8_t without_meaning(uint8_t type)
{
    if ((type & (SDT_ARG_SPECIAL | SDT_ARG_POINTER | SDT_ARG_SIZE)) == (SDT_ARG_SPECIAL | 8))
        return SDT_ARG_SIGNED | 8;
    return type & SDT_ARG_POINTER ? SDT_ARG_POINTER | 8 : type;
}

/* Whether WORD, `TYPE@OPERAND` of the record, says what TOLD and OPERAND of .sdt_args say; OPERAND
 * may be NULL: it is not told there. */
static bool is_same_argument(const struct arch *arch, const char *word, size_t length, uint8_t told,
                             const char *operand)
{
    uint8_t type = without_meaning(told);
    unsigned size = type & SDT_ARG_SIZE;
    struct operand was, is;
    const char expected[] = {(char)('0' + size), type & SDT_ARG_FLOAT     ? 'f'
                                                 : type & SDT_ARG_POINTER ? 'p'
                                                                          : '@'};
    bool is_negative = length && *word == '-';
    size_t typed = (size_t)is_negative + (expected[1] == '@' ? 1 : 2) + 1;
    return is_negative == ((type & SDT_ARG_SIGNED) != 0) && length > typed &&
           !memcmp(word + is_negative, expected, sizeof expected) && word[typed - 1] == '@' &&
           (!operand || (arch->parse_operand(operand, strlen(operand), &was) &&
                         arch->parse_operand(word + typed, length - typed, &is) &&
                         is_same_operand(&was, &is, size)));
}

/* ---- entries ---- */

/* One entry of .sdt_args. Strings lie in the file. */
struct entry {
    uint64_t at;
    uint8_t form, nargs;
    const uint8_t *types;
    const char *operands; /* nargs strings; inline form only, else NULL */
};

static bool skip_string(const struct section *section, uint64_t *at)
{
    const void *end =
        *at < section->size ? memchr(section->data + *at, 0, section->size - *at) : NULL;
    *at = end ? (uint64_t)((const uint8_t *)end - section->data) + 1 : section->size;
    return end != NULL;
}

static bool is_inline(const struct entry *entry)
{
    return entry->form == SDT_ARGS_INLINE || entry->form == SDT_ARGS_NAMED_INLINE;
}

static bool is_of_note(const struct entry *entry)
{
    return entry->form == SDT_ARGS_NOTE || entry->form == SDT_ARGS_NAMED_NOTE;
}

/* The entry at *AT, and *AT moved after it; false: there is none, or it is cut off. */
static bool next_entry(const struct section *section, uint64_t *at, struct entry *entry)
{
    enum { HEAD = 6 };
    if (!section->data || section->size - *at < HEAD)
        return false;
    *entry = (struct entry){.at = *at,
                            .form = section->data[*at + 4],
                            .nargs = section->data[*at + 5],
                            .types = section->data + *at + HEAD};
    bool is_named = entry->form == SDT_ARGS_NAMED_CALL || entry->form == SDT_ARGS_NAMED_INLINE ||
                    entry->form == SDT_ARGS_NAMED_NOTE;
    unsigned spelling = is_named ? 4 : 0; /* a distance */
    if (section->size - *at - HEAD < entry->nargs + spelling)
        return false;
    *at += HEAD + entry->nargs + spelling;
    bool is_whole = skip_string(section, at);        /* the provider */
    is_whole = is_whole && skip_string(section, at); /* the name */
    entry->operands = is_inline(entry) ? (const char *)section->data + *at : NULL;
    for (unsigned i = 0; is_whole && is_inline(entry) && i < entry->nargs; i++)
        is_whole = skip_string(section, at);
    return is_whole;
}

/* Whether relocation INDEX of RELAS, which is RELA, makes a distance, perhaps with the next one. */
static bool is_distance(const struct image *original, const struct section *relas, uint64_t index,
                        const struct rela *rela)
{
    struct rela next;
    enum meaning meaning = original->arch->meaning(rela->type);
    if (meaning != RELOC_PLUS || !relocs_at(relas, index + 1, &next))
        return meaning == RELOC_DISTANCE;
    return next.offset == rela->offset && original->arch->meaning(next.type) == RELOC_MINUS;
}

/* Where the entry's first word leads. RELAS: of its section; *INDEX moves on. */
static struct place site_of(const struct image *original, const struct section *relas,
                            const struct entry *entry, uint64_t *index)
{
    struct rela rela;
    bool is_there;
    while ((is_there = relocs_at(relas, *index, &rela)) && rela.offset < entry->at)
        ++*index;
    if (!is_there || rela.offset != entry->at || rela.symbol >= original->nsymbols ||
        !is_distance(original, relas, *index, &rela))
        return (struct place){0, 0};
    return (struct place){original->symbols[rela.symbol].section,
                          original->symbols[rela.symbol].value + (uint64_t)rela.addend};
}

/* Argument by argument. */
static void compare_arguments(struct image *image, const struct record *record,
                              const struct entry *entry)
{
    const char *operand = entry->operands, *word = record->args ? record->args : "";
    bool is_same = record->nargs == entry->nargs;
    for (unsigned i = 0; is_same && i < entry->nargs; i++) {
        size_t length = strcspn(word, " \t");
        is_same = is_same_argument(image->arch, word, length, entry->types[i], operand);
        word += length + (word[length] == ' ');
        operand += operand ? strlen(operand) + 1 : 0;
        if (!is_same)
            report_defect(image, record_place(record), record->label,
                          "expected argument %u where the compiler said it is, the record says "
                          "\"%.100s\"",
                          i + 1, record->args);
    }
    if (record->nargs != entry->nargs)
        report_defect(image, record_place(record), record->label,
                      "expected the %u arguments that the compiler told, the record has %u",
                      entry->nargs, record->nargs);
}

/* RELAS are the relocations of SECTION, a .sdt_args. */
static void check_section(struct image *image, const struct image *original,
                          const struct section *section, const struct section *relas,
                          const uint32_t *map, const struct records *records)
{
    struct entry entry;
    uint64_t at = 0, index = 0;
    while (next_entry(section, &at, &entry)) {
        struct place place = site_of(original, relas, &entry, &index);
        if ((!is_inline(&entry) && !is_of_note(&entry)) || place.section == 0)
            continue;
        place.section = map[place.section];
        size_t first = records_first(records, place);
        const struct record *record = first < records->count ? &records->all[first] : NULL;
        if (record && record->is_sound && place_is_same(record_place(record), place))
            compare_arguments(image, record, &entry);
    }
}

void check_arguments(struct image *image, const struct image *original, const uint32_t *map,
                     const struct records *records)
{
    for (uint32_t i = 1; i < original->nsections; i++) {
        const struct section *relas = &original->sections[i];
        if (relas->type != SHT_RELA || !relas->data || relas->info >= original->nsections)
            continue;
        const struct section *section = &original->sections[relas->info];
        if (name_is_of_args(section->name))
            check_section(image, original, section, relas, map, records);
    }
}
