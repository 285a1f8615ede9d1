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

/* The site of a companion's RECORD, in an object that holds both. */
static void check_distance(struct image *image, const struct record *record)
{
    const struct section *section = &image->sections[record->pc.section];
    const struct rela *rela = image_rela_at(image, record->self.section,
                                            record->self.offset + offsetof(struct sdt_site, pc));
    uint64_t start = rela ? image->symbols[rela->symbol].value : 0, end = record->pc.offset;
    uint64_t low = start < end ? start : end, high = start < end ? end : start;
    high += code_site_length(image, record);
    for (size_t i = image_rela_index(section, low);
         i < section->nrelocs && section->relocs[i].offset < high; i++) {
        if (rela_meaning(image, &section->relocs[i]) != RELOC_SHORTEN)
            continue;
        report_defect(image, (struct place){record->pc.section, section->relocs[i].offset},
                      record->label,
                      "expected code that linkers do not shorten, found relocation type %u (%s)",
                      section->relocs[i].type, image->arch->shorten_name);
        return;
    }
}

void check_labels(struct image *image, const struct records *records)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->all[i];
        struct place patch = record->self, pc = record->self, back;
        if (!record->is_sound || record->is_external || !code_length(image, record->kind))
            continue;
        if (record->is_companion) {
            if (image->is_relocatable)
                check_distance(image, record);
            continue;
        }
        patch.offset += offsetof(struct sdt_site, patch);
        pc.offset += offsetof(struct sdt_site, pc);
        check_label(image, record, patch);
        check_label(image, record, pc);
        if (code_way_back(image, record, &back))
            check_label(image, record, back);
    }
}
