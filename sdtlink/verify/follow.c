/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a 32-bit field leads to.
 *
 * In a relocatable object the relocation determines it (S + A, whatever P is); in a linked file the
 * word itself is the distance. The distance in an instruction may count from elsewhere than its
 * first byte, hence the bias between image_follow() and image_follow_code(). It may also have other
 * widths, and be in two instructions: then the machine says where they lead (arch->reach).
 */
#include "follow.h"

#include "arch.h"

#include <elf.h>
#include <string.h>

static enum follow follow_reloc(const struct image *image, const struct rela *rela, int64_t bias,
                                struct target *target)
{
    const struct symbol *symbol = &image->symbols[rela->symbol];
    target->type = rela->type;
    target->symbol = symbol;
    target->beyond = (int64_t)((uint64_t)rela->addend + (uint64_t)bias);
    if (symbol->section == 0)
        return symbol->is_undefined && rela->symbol != 0 ? FOLLOW_UNDEFINED : FOLLOW_BAD;
    target->place.section = symbol->section;
    target->place.offset = symbol->value + (uint64_t)target->beyond;
    return target->place.offset <= image->sections[symbol->section].size ? FOLLOW_PLACE
                                                                         : FOLLOW_BAD;
}

/* An address of a linked file, or in an object one in section 0 + HOME. */
static enum follow follow_address(const struct image *image, uint64_t address, uint32_t home,
                                  struct target *target)
{
    target->place.section = home ? home : image_section_at(image, address);
    if (target->place.section == 0)
        return FOLLOW_BAD;
    const struct section *section = &image->sections[target->place.section];
    target->place.offset = address - section->address;
    return target->place.offset <= section->size ? FOLLOW_PLACE : FOLLOW_BAD;
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
    return follow_address(image, address, 0, target);
}

/* The relocation of FIELD, NULL if there is none; false: there are several. One that does nothing
 * may stand at the same offset; it leads nowhere. */
static bool find_reloc(const struct image *image, struct place field, const struct rela **rela)
{
    const struct section *section = &image->sections[field.section];
    *rela = NULL;
    for (size_t i = image_rela_index(section, field.offset);
         i < section->nrelocs && section->relocs[i].offset == field.offset; i++) {
        if (rela_is_idle(image, &section->relocs[i]))
            continue;
        if (*rela)
            return false;
        *rela = &section->relocs[i];
    }
    return true;
}

enum follow image_follow_word(struct image *image, struct place field, int64_t bias,
                              struct target *target)
{
    const struct rela *rela;
    *target = (struct target){0};
    if (!image->is_relocatable)
        return follow_word(image, field, bias, target);
    if (!find_reloc(image, field, &rela))
        return FOLLOW_BAD;
    if (!rela)
        return follow_word(image, field, bias, target);
    enum meaning meaning = rela_meaning(image, rela);
    if (meaning != RELOC_DISTANCE && meaning != RELOC_BRANCH)
        return FOLLOW_BAD;
    return follow_reloc(image, rela, bias, target);
}

enum follow image_follow(struct image *image, struct place field, struct target *target)
{
    return image_follow_word(image, field, 0, target);
}

/* Whether the pair at FIELD, whose first relocation is RELA, is an address by two of them. */
static bool is_pair(const struct image *image, struct place field, const struct rela *rela,
                    const struct rela *low)
{
    const struct symbol *label = &image->symbols[low->symbol];
    if (rela_meaning(image, low) == RELOC_REST)
        return label->type != STT_SECTION && low->addend == 0 &&
               place_is_same((struct place){label->section, label->value}, field);
    return rela_meaning(image, low) == RELOC_LOW && low->symbol == rela->symbol &&
           low->addend == rela->addend;
}

/* Whether nothing else is relocated in the two instructions that begin at FIELD. */
static bool is_alone(const struct image *image, struct place field)
{
    const struct section *section = &image->sections[field.section];
    uint64_t end = field.offset + UINT64_C(2) * image->arch->pair;
    for (size_t i = image_rela_index(section, field.offset + 1);
         i < section->nrelocs && section->relocs[i].offset < end; i++)
        if (!rela_is_idle(image, &section->relocs[i]))
            return false;
    return true;
}

/* The relocations of the instruction at FIELD, and of the next one if they are a pair. */
static enum follow follow_pair(const struct image *image, struct place field,
                               const struct rela *rela, struct target *target)
{
    const struct rela *low;
    struct place next = {field.section, field.offset + image->arch->pair};
    enum meaning meaning = rela_meaning(image, rela);
    bool is_one = meaning == RELOC_BRANCH || (meaning == RELOC_CALL && is_alone(image, field));
    if (meaning == RELOC_PAGE)
        is_one = find_reloc(image, next, &low) && low && is_pair(image, field, rela, low);
    return is_one ? follow_reloc(image, rela, 0, target) : FOLLOW_BAD;
}

enum follow image_follow_code(struct image *image, struct place field, struct target *target)
{
    const struct rela *rela = NULL;
    uint64_t address;
    if (!image->arch->reach)
        return image_follow_word(image, field, image->arch->counts_from, target);
    *target = (struct target){0};
    if (image->is_relocatable && !find_reloc(image, field, &rela))
        return FOLLOW_BAD;
    if (rela)
        return follow_pair(image, field, rela, target);
    /* In an object, the assembler has resolved what stays inside of a section. */
    if (!image->arch->reach(image, field, &address))
        return FOLLOW_BAD;
    return follow_address(image, address, image->is_relocatable ? field.section : 0, target);
}
