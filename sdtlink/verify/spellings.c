/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Strings that .sdt_args of the original leads to: how arguments are spelled, for the tool. They
 * are among the program's own strings, and may be zeros in the image, so that links drop them; but
 * not where anything else that is loaded refers to one.
 */
#include "spellings.h"

#include "report.h"

#include <elf.h>
#include <sdt/format.h>
#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

struct spelling {
    struct place place; /* of the original */
    uint64_t end;
};

static int by_place(const void *left, const void *right)
{
    const struct spelling *a = left, *b = right;
    return place_compare(a->place, b->place);
}

/* The section that TABLE, a section of the original, has relocations of; NULL: it has none. */
static const struct section *relocated_by(const struct image *original, const struct section *table)
{
    bool is_table = table->type == SHT_RELA && table->data && table->info < original->nsections;
    return is_table ? &original->sections[table->info] : NULL;
}

/* Where relocation I of TABLE leads; section 0: to no string. BIAS: what instructions add. */
static struct place string_of(const struct image *original, const struct section *table, uint64_t i,
                              int64_t bias)
{
    Elf64_Rela rela;
    memcpy(&rela, table->data + i * sizeof rela, sizeof rela);
    uint32_t index = (uint32_t)ELF64_R_SYM(rela.r_info);
    const struct symbol *symbol = index < original->nsymbols ? &original->symbols[index] : NULL;
    if (!symbol || !(original->sections[symbol->section].flags & SHF_STRINGS))
        return (struct place){0, 0};
    int64_t more = symbol->type == STT_SECTION ? rela.r_addend + bias : 0;
    return (struct place){symbol->section, symbol->value + (uint64_t)more};
}

static void take(struct spellings *spellings, const struct image *original,
                 const struct section *table)
{
    for (uint64_t i = 0; i < table->size / sizeof(Elf64_Rela); i++) {
        struct place place = string_of(original, table, i, 0);
        uint64_t available;
        const uint8_t *text = place.section ? image_bytes(original, place, &available) : NULL;
        const uint8_t *end = text ? memchr(text, 0, available) : NULL;
        if (end)
            spellings->all[spellings->count++] =
                (struct spelling){place, place.offset + (uint64_t)(end - text) + 1};
    }
}

static bool is_of_args(const struct image *original, const struct section *table)
{
    const struct section *section = relocated_by(original, table);
    return section && name_is_of_args(section->name);
}

int spellings_read(struct spellings *spellings, const struct image *original)
{
    size_t most = 1;
    for (uint32_t i = 1; i < original->nsections; i++)
        if (is_of_args(original, &original->sections[i]))
            most += original->sections[i].size / sizeof(Elf64_Rela);
    *spellings = (struct spellings){.all = calloc(most, sizeof *spellings->all)};
    if (!spellings->all)
        return -1;
    for (uint32_t i = 1; i < original->nsections; i++)
        if (is_of_args(original, &original->sections[i]))
            take(spellings, original, &original->sections[i]);
    qsort(spellings->all, spellings->count, sizeof *spellings->all, by_place);
    return 0;
}

void spellings_free(struct spellings *spellings)
{
    free(spellings->all);
}

bool spellings_hold(const struct spellings *spellings, struct place place)
{
    size_t after =
        LOWER_BOUND(i, spellings->count, place_compare(spellings->all[i].place, place) <= 0);
    const struct spelling *last = after ? &spellings->all[after - 1] : NULL;
    return last && last->place.section == place.section && place.offset < last->end;
}

/* Whether the string at PLACE of the original is there no more. */
static bool is_blanked(const struct spellings *spellings, const struct image *image,
                       const struct image *original, const uint32_t *map, struct place place)
{
    uint64_t available;
    const uint8_t *was = place.section ? image_bytes(original, place, &available) : NULL;
    if (!was || !*was || !spellings_hold(spellings, place) || !map[place.section])
        return false;
    const uint8_t *is =
        image_bytes(image, (struct place){map[place.section], place.offset}, &available);
    return is && !*is;
}

/* Whether relocation I of TABLE leads to a string that is there no more. */
static bool has_lost(const struct spellings *spellings, const struct image *image,
                     const struct image *original, const uint32_t *map, const struct section *table,
                     uint64_t i)
{
    static const int64_t biases[] = {0, 4}; /* x86-64's instructions count from their end */
    bool is_lost = false;
    for (size_t b = 0; b < sizeof biases / sizeof *biases; b++)
        is_lost |=
            is_blanked(spellings, image, original, map, string_of(original, table, i, biases[b]));
    return is_lost;
}

void spellings_check(const struct spellings *spellings, struct image *image,
                     const struct image *original, const uint32_t *map)
{
    for (uint32_t t = 1; t < original->nsections && spellings->count; t++) {
        const struct section *table = &original->sections[t];
        const struct section *section = relocated_by(original, table);
        if (!section || !(section->flags & SHF_ALLOC))
            continue;
        for (uint64_t i = 0; i < table->size / sizeof(Elf64_Rela); i++)
            if (has_lost(spellings, image, original, map, table, i)) {
                uint64_t offset;
                memcpy(&offset, table->data + i * sizeof(Elf64_Rela), sizeof offset);
                report_defect(image, (struct place){map[table->info], offset}, NULL,
                              "expected the string of the original, which is used here");
            }
    }
}
