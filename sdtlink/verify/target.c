/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In a linked file a direct branch leads where its displacement says, and one through a word of the
 * GOT where the dynamic relocation of that word says (slots.h). In an object both have a relocation
 * of their own, at the displacement; but the assembler has resolved branches inside a section,
 * which have none.
 */
#include "target.h"

#include <elf.h>
#include <string.h>

static bool is_got(uint32_t type)
{
    return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX ||
           type == R_X86_64_REX_GOTPCRELX;
}

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
        if (section->relocs[i].type == R_X86_64_NONE)
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

/* By RELA of the displacement, four bytes that end the instruction: it counts from behind them. */
static struct branch by_relocation(const struct image *image, const struct rela *rela,
                                   bool is_indirect)
{
    bool is_direct = rela->type == R_X86_64_PC32 || rela->type == R_X86_64_PLT32;
    if (is_indirect ? is_got(rela->type) && rela->addend == -4 : is_direct)
        return to_symbol(&image->symbols[rela->symbol], (uint64_t)rela->addend + 4);
    return (struct branch){.leads = LEADS_UNKNOWN};
}

static struct branch in_object(const struct image *image, struct place at, const struct insn *insn)
{
    bool is_one;
    const struct rela *rela = relocation_in(image, at, insn->length, &is_one);
    if (rela && is_one && rela->offset == at.offset + insn->length - 4)
        return by_relocation(image, rela, insn_is_indirect(insn));
    if (rela || insn_is_indirect(insn) || !insn->has_target)
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
                                    const struct insn *insn)
{
    if (!insn_is_indirect(insn) && insn->has_target)
        return to_address(image, insn->target);
    const struct slot *slot =
        insn->has_target && strstr(insn->text, "(%rip)") ? slots_find(slots, insn->target) : NULL;
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
    return image->is_relocatable ? in_object(image, at, insn) : in_linked_file(image, slots, insn);
}
