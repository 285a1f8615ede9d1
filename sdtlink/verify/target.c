/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In a linked file a direct branch leads where its displacement says, and one through a word of the
 * GOT where the dynamic relocation of that word says (slots.h). In an object both have a relocation
 * of their own, at the displacement; but the assembler has resolved branches inside a section,
 * which have none.
 */
#include "target.h"

#include <elf.h>

/*
 * The relocation inside the instruction of LENGTH bytes at AT. NONE leads nowhere: it marks
 * handlers and sites. *IS_ONE: there are no others.
 */
static const struct rela *relocation_in(const struct image *image, struct place at, unsigned length,
                                        bool *is_one)
{
    const struct section *section = &image->sections[at.section];
    const struct rela *found = NULL;
    *is_one = true;
    for (size_t i = image_rela_index(section, at.offset);
         i < section->nrelocs && section->relocs[i].offset < at.offset + length; i++) {
        if (rela_meaning(image, &section->relocs[i]) == RELOC_NONE)
            continue;
        *is_one = !found;
        found = &section->relocs[i];
    }
    return found;
}

static struct branch to_symbol(const struct symbol *symbol, uint64_t beyond)
{
    struct branch branch = {.leads = LEADS_UNKNOWN};
    if (symbol->type == STT_GNU_IFUNC && beyond == 0) {
        branch.leads = LEADS_TO_IFUNC;
    } else if (symbol->section) {
        branch.leads = LEADS_TO_PLACE;
        branch.place = (struct place){symbol->section, symbol->value + beyond};
    } else if (symbol->is_undefined && beyond == 0 && symbol->name[0]) {
        branch.leads = LEADS_OUT;
        branch.name = symbol->name;
    }
    return branch;
}

static struct branch in_object(const struct image *image, struct place at, const struct insn *insn)
{
    bool is_one, is_indirect = image->arch->has(insn, INSN_INDIRECT);
    const struct rela *rela = relocation_in(image, at, insn->length, &is_one);
    uint64_t field = at.offset + insn->length - image->arch->field_from_end;
    if (rela && is_one && rela->offset == field) {
        /* By RELA, that of the instruction's field. */
        enum meaning meaning = rela_meaning(image, rela);
        uint64_t beyond = (uint64_t)rela->addend + image->arch->counts_from;
        bool is_direct = meaning == RELOC_DISTANCE || meaning == RELOC_BRANCH;
        bool is_got = meaning == RELOC_GOT || meaning == RELOC_GOT_CODE;
        if (is_indirect ? is_got && beyond == 0 : is_direct)
            return to_symbol(&image->symbols[rela->symbol], beyond);
        return (struct branch){.leads = LEADS_UNKNOWN};
    }
    if (rela || is_indirect || !insn->has_target)
        return (struct branch){.leads = LEADS_UNKNOWN};
    /* A place before the section becomes an offset that no section has. */
    uint64_t distance = insn->target - image->sections[at.section].address;
    return (struct branch){.leads = LEADS_TO_PLACE, .place = {at.section, distance}};
}

static struct branch to_address(const struct image *image, uint64_t address)
{
    uint32_t section = image_section_at(image, address);
    struct place place = {section, address - image->sections[section].address};
    return (struct branch){.leads = LEADS_TO_PLACE, .place = place};
}

static struct branch in_linked_file(const struct image *image, const struct slots *slots,
                                    struct place at, const struct insn *insn)
{
    if (!image->arch->has(insn, INSN_INDIRECT) && insn->has_target)
        return to_address(image, insn->target);
    uint64_t word;
    bool is_by_word = image->arch->word_of(image, at, insn, &word);
    const struct slot *slot = is_by_word ? slots_find(slots, word) : NULL;
    if (!slot)
        return (struct branch){.leads = LEADS_UNKNOWN};
    if (slot->name)
        return (struct branch){.leads = LEADS_OUT, .name = slot->name};
    if (slot->target == 0)
        return (struct branch){.leads = LEADS_TO_IFUNC};
    return to_address(image, slot->target);
}

struct branch target_find(const struct image *image, const struct slots *slots, struct place at,
                          const struct insn *insn)
{
    return image->is_relocatable ? in_object(image, at, insn)
                                 : in_linked_file(image, slots, at, insn);
}
