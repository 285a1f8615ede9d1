/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where linkers make code shorter (riscv64), the place of a site is known only after the link. They
 * move symbols along with the code; the section symbol stays, and so does the offset from it. A
 * relocation against the section symbol then leads to other code, without a warning.
 *
 * So what leads to a site must lead to a symbol on it, and no further than to its end: nothing is
 * cut out of the site itself (code.c checks that). What the tool adds has sections of its own,
 * which do not shrink; neither does data. A companion can put no label into another's code: nothing
 * may shrink between the symbol that it counts from and the site.
 */
#include "checks.h"

#include "arch.h"
#include "code.h"
#include "report.h"

#include <elf.h>
#include <sdt/format.h>
#include <stddef.h>

/* Whether SYMBOL moves with the site of RECORD. */
static bool is_label(const struct image *image, const struct symbol *symbol,
                     const struct record *record)
{
    uint64_t beyond = symbol->value - record->pc.offset;
    return symbol->type != STT_SECTION && symbol->section == record->pc.section &&
           beyond <= code_length(image, record->kind);
}

void check_label(struct image *image, const struct record *record, struct place field)
{
    const struct section *section = &image->sections[field.section];
    if (!image->is_relocatable || !image->arch->shorten_name)
        return;
    for (size_t i = image_rela_index(section, field.offset);
         i < section->nrelocs && section->relocs[i].offset == field.offset; i++) {
        const struct symbol *symbol = &image->symbols[section->relocs[i].symbol];
        if (!rela_is_idle(image, &section->relocs[i]) && !is_label(image, symbol, record))
            report_defect(image, field, record->label,
                          "expected a relocation against a label of the site at %s, found one "
                          "against %s",
                          report_place(image, record->pc), symbol->name);
    }
}

/* The site of a companion's RECORD, or its branch: AT, which FIELD leads to. In an object that
 * holds both. */
static void check_distance(struct image *image, const struct record *record, struct place field,
                           struct place at)
{
    const struct section *section = &image->sections[at.section];
    const struct rela *rela = image_rela_at(image, field.section, field.offset);
    uint64_t start = rela ? image->symbols[rela->symbol].value : 0, end = at.offset;
    uint64_t low = start < end ? start : end, high = start < end ? end : start;
    high += code_site_length(image, record);
    for (size_t i = image_rela_index(section, low);
         i < section->nrelocs && section->relocs[i].offset < high; i++) {
        if (rela_meaning(image, &section->relocs[i]) != RELOC_SHORTEN)
            continue;
        report_defect(image, (struct place){at.section, section->relocs[i].offset}, record->label,
                      "expected code that linkers do not shorten, found relocation type %u (%s)",
                      section->relocs[i].type, image->arch->shorten_name);
        return;
    }
}

/* What a companion itself holds does not shrink. */
static void check_companion_distance(struct image *image, const struct record *record,
                                     struct place pc)
{
    struct place word = {record->pc.section, record->pc.offset - SDT_COMPANION_BRANCH};
    if (!image->is_relocatable)
        return;
    if (!record->is_moved)
        check_distance(image, record, pc, record->pc);
    else if (record->has_branch)
        check_distance(image, record, word, record->branch);
}

void check_labels(struct image *image, const struct records *records)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->all[i];
        struct place pc = record->self, back;
        if (!record->is_sound || record->is_external || !code_length(image, record->kind))
            continue;
        pc.offset += offsetof(struct sdt_site, pc);
        if (record->is_companion) {
            check_companion_distance(image, record, pc);
            continue;
        }
        check_label(image, record, pc);
        if (code_way_back(image, record, &back))
            check_label(image, record, back);
    }
}
