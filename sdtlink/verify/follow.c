/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a 32-bit field leads to.
 *
 * In a relocatable object the relocation determines it (S + A, whatever P is); in a linked file the
 * word itself is the distance. The distance in an instruction may count from elsewhere than its
 * first byte, hence the bias between image_follow() and image_follow_code().
 */
#include "follow.h"

#include "arch.h"

#include <string.h>

static enum follow follow_reloc(const struct image *image, const struct rela *rela, int64_t bias,
                                struct target *target)
{
    const struct symbol *symbol = &image->symbols[rela->symbol];
    target->type = rela->type;
    target->symbol = symbol;
    target->beyond = (int64_t)((uint64_t)rela->addend + (uint64_t)bias);
    enum meaning meaning = rela_meaning(image, rela);
    if (meaning != RELOC_DISTANCE && meaning != RELOC_BRANCH)
        return FOLLOW_BAD;
    if (symbol->section == 0)
        return symbol->is_undefined && rela->symbol != 0 ? FOLLOW_UNDEFINED : FOLLOW_BAD;
    target->place.section = symbol->section;
    target->place.offset = symbol->value + (uint64_t)target->beyond;
    return target->place.offset <= image->sections[symbol->section].size ? FOLLOW_PLACE
                                                                         : FOLLOW_BAD;
}

static enum follow follow_word(const struct image *image, struct place field, int64_t bias,
                               struct target *target)
{
    uint64_t available;
    int32_t word;
    const uint8_t *bytes = image_bytes(image, field, &available);
    if (!bytes || available < sizeof word)
        return FOLLOW_BAD;
    memcpy(&word, bytes, sizeof word);
    if (word == 0 && bias == 0)
        return FOLLOW_NOTHING;
    if (image->is_relocatable)
        return FOLLOW_BAD; /* a distance that no linker will ever adjust */
    uint64_t address = image->sections[field.section].address + field.offset +
                       (uint64_t)(int64_t)word + (uint64_t)bias;
    target->place.section = image_section_at(image, address);
    if (target->place.section == 0)
        return FOLLOW_BAD;
    target->place.offset = address - image->sections[target->place.section].address;
    return FOLLOW_PLACE;
}

static enum follow follow(struct image *image, struct place field, int64_t bias,
                          struct target *target)
{
    *target = (struct target){0};
    if (!image->is_relocatable)
        return follow_word(image, field, bias, target);
    /* A relocation that does nothing may stand at the same offset; it leads nowhere. */
    const struct section *section = &image->sections[field.section];
    const struct rela *rela = NULL;
    for (size_t i = image_rela_index(section, field.offset);
         i < section->nrelocs && section->relocs[i].offset == field.offset; i++) {
        if (rela_meaning(image, &section->relocs[i]) == RELOC_NONE)
            continue;
        if (rela)
            return FOLLOW_BAD; /* two relocations of one field */
        rela = &section->relocs[i];
    }
    return rela ? follow_reloc(image, rela, bias, target) : follow_word(image, field, bias, target);
}

enum follow image_follow(struct image *image, struct place field, struct target *target)
{
    return follow(image, field, 0, target);
}

enum follow image_follow_code(struct image *image, struct place field, struct target *target)
{
    return follow(image, field, image->arch->counts_from, target);
}
