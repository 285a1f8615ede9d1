/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The set must list exactly the sites that survive the link. In an object that depends on three
 * things which no compiler checks: the set's section is tied to the text section (SHF_LINK_ORDER
 * and the same group), its words are relocated against the section symbol (or labels: labels.c),
 * and each site carries an anchor, a relocation that does nothing but name the section of its own
 * record, or leads to an entry that names it. In a linked file it must be constant: not writable,
 * and untouched by dynamic relocations.
 */
#include "checks.h"

#include "arch.h"
#include "code.h"
#include "report.h"

#include <elf.h>
#include <inttypes.h>
#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

static bool is_set(const struct section *section)
{
    return strcmp(section->name, SDT_SECTION_SITES) == 0 ||
           strcmp(section->name, SDT_SECTION_BOUNDED) == 0 ||
           strcmp(section->name, SDT_SECTION_COMPANION) == 0;
}

static void check_flags(struct image *image, uint32_t index)
{
    const struct section *section = &image->sections[index];
    struct place start = {index, 0};
    if (section->type != SHT_PROGBITS || !(section->flags & SHF_ALLOC))
        report_defect(image, start, NULL, "expected a section with contents that is loaded");
    if (section->flags & (SHF_WRITE | SHF_EXECINSTR))
        report_defect(image, start, NULL, "expected a read-only section, found flags 0x%" PRIx64,
                      section->flags);
}

/*
 * Every relocation of the set is a distance, of one of the words of a record; or keeps what the
 * tracers' notes need alive.
 */
static void check_words(struct image *image, uint32_t index)
{
    const struct section *section = &image->sections[index];
    for (size_t i = 0; i < section->nrelocs; i++) {
        const struct rela *rela = &section->relocs[i];
        uint64_t word = rela->offset % sizeof(struct sdt_site);
        bool is_semaphore = word == offsetof(struct sdt_site, module);
        enum meaning meaning = rela_meaning(image, rela);
        if (meaning == RELOC_NONE && word == offsetof(struct sdt_site, kind))
            continue;
        if (meaning != RELOC_DISTANCE && !(is_semaphore && meaning == RELOC_GOT))
            report_defect(image, (struct place){index, rela->offset}, NULL,
                          "expected %s, found relocation type %u", image->arch->distance_name,
                          rela->type);
        else if (word % 4 != 0 || word >= offsetof(struct sdt_site, line))
            report_defect(image, (struct place){index, rela->offset}, NULL,
                          "expected relocations on the seven distances of a record only");
    }
}

/*
 * What another `ld -r` does to good objects: gold unties the set, and bfd merges the sets of
 * several text sections into one that is linked to the first of them. The anchors still keep every
 * record alive, so this is told but no defect, unless the object is known to come from the tool.
 */
static bool is_relinked(const struct image *image, const struct records *records, uint32_t index)
{
    const struct section *set = &image->sections[index];
    if (!(set->flags & SHF_LINK_ORDER) || set->link == 0)
        return true;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->all[i];
        if (record->is_sound && record->self.section == index &&
            record_place(record).section == set->link)
            return true;
    }
    return false;
}

/* Returns whether the record's section is as `ld -r` left it. */
static bool check_link(struct image *image, const struct records *records,
                       const struct record *record, bool is_direct)
{
    const struct section *set = &image->sections[record->self.section];
    uint32_t text = record_place(record).section;
    bool is_linked = (set->flags & SHF_LINK_ORDER) && set->link == text;
    bool is_excused = !is_linked && !is_direct && is_relinked(image, records, record->self.section);
    if (!is_linked && !is_excused)
        report_defect(
            image, record->self, record->label,
            "expected its section to be linked (SHF_LINK_ORDER) to %s [%u], found %s [%u]",
            image->sections[text].name, text,
            set->link < image->nsections ? image->sections[set->link].name : "none", set->link);
    if (set->group != image->sections[text].group)
        report_defect(image, record->self, record->label,
                      "expected its section in the group of %s (%u), found group %u",
                      image->sections[text].name, image->sections[text].group, set->group);
    if (image->arch->shorten_name)
        return is_excused; /* check_labels() checks that */
    for (uint64_t word = 0; word <= offsetof(struct sdt_site, pc); word += 4) {
        const struct rela *rela =
            image_rela_at(image, record->self.section, record->self.offset + word);
        if (rela && image->symbols[rela->symbol].type != STT_SECTION)
            report_defect(image, (struct place){record->self.section, record->self.offset + word},
                          record->label, "expected a relocation against the section symbol of %s",
                          image->sections[text].name);
    }
    return is_excused;
}

/* Whether RELA is an anchor that keeps RECORD alive. */
static bool is_anchor(const struct image *image, const struct rela *rela,
                      const struct record *record)
{
    const struct symbol *symbol = &image->symbols[rela->symbol];
    return rela_meaning(image, rela) == RELOC_NONE && symbol->type == STT_SECTION &&
           symbol->section == record->self.section;
}

/* Whether one at OFFSET of section INDEX does. */
static bool has_anchor(const struct image *image, uint32_t index, uint64_t offset,
                       const struct record *record)
{
    const struct section *text = &image->sections[index];
    for (size_t i = image_rela_index(text, offset);
         i < text->nrelocs && text->relocs[i].offset == offset; i++)
        if (is_anchor(image, &text->relocs[i], record))
            return true;
    return false;
}

/*
 * The anchor at the first byte of a site, which keeps the record alive as long as the text. A site
 * that leads to its entry needs none: the entry names the record.
 */
static void check_anchor(struct image *image, const struct record *record)
{
    struct place site = record_place(record);
    if (!code_leads_to_entry(image, record) &&
        !has_anchor(image, site.section, site.offset, record))
        report_defect(image, site, record->label,
                      "expected %s here against %s [%u], the section of its record",
                      image->arch->none_name, image->sections[record->self.section].name,
                      record->self.section);
}

/*
 * What was made for a moved site is told from another's by an anchor somewhere in its section, and
 * must be dropped with the text when a linker drops a group.
 */
static void check_moved(struct image *image, const struct record *record)
{
    const struct section *home = &image->sections[record->pc.section];
    const struct section *text = &image->sections[record->branch.section];
    bool is_anchored = false;
    for (size_t i = 0; i < home->nrelocs && !is_anchored; i++)
        is_anchored = is_anchor(image, &home->relocs[i], record);
    if (!is_anchored)
        report_defect(image, record->pc, record->label,
                      "expected %s in this section against %s [%u], the section of its record",
                      image->arch->none_name, image->sections[record->self.section].name,
                      record->self.section);
    if (home->group != text->group)
        report_defect(image, record->pc, record->label,
                      "expected this section in the group of %s (%u), found group %u", text->name,
                      text->group, home->group);
}

static int by_place(const void *left, const void *right)
{
    return place_compare(*(const struct place *)left, *(const struct place *)right);
}

/* Whether a moved site lies in section INDEX: what it holds is the tool's. */
static bool holds_moved(const struct records *records, uint32_t index)
{
    size_t i = records_first(records, (struct place){index, 0});
    return i < records->count && records->all[i].pc.section == index && records->all[i].is_moved;
}

/* The anchors of section INDEX that lead to records, against the SITES that have one. */
static void check_anchors_of(struct image *image, uint32_t index, const struct place *sites,
                             size_t count)
{
    const struct section *text = &image->sections[index];
    for (size_t i = 0; i < text->nrelocs; i++) {
        const struct symbol *symbol = &image->symbols[text->relocs[i].symbol];
        struct place place = {index, text->relocs[i].offset};
        if (rela_meaning(image, &text->relocs[i]) != RELOC_NONE || symbol->type != STT_SECTION ||
            symbol->section == 0 || !is_set(&image->sections[symbol->section]) ||
            bsearch(&place, sites, count, sizeof place, by_place))
            continue;
        report_defect(
            image, place, NULL, "expected a record of the site here, %s says that it is in %s [%u]",
            image->arch->none_name, image->sections[symbol->section].name, symbol->section);
    }
}

/* A site whose record is lost can never be enabled. */
static void check_anchors(struct image *image, const struct records *records)
{
    struct place *sites = calloc(records->count + 1, sizeof *sites);
    size_t count = 0;
    if (!sites)
        return;
    for (size_t i = 0; i < records->count; i++)
        if (!records->all[i].is_external)
            sites[count++] = record_place(&records->all[i]);
    qsort(sites, count, sizeof *sites, by_place);
    for (uint32_t i = 1; i < image->nsections; i++)
        if ((image->sections[i].flags & SHF_EXECINSTR) && image->sections[i].nrelocs &&
            !holds_moved(records, i))
            check_anchors_of(image, i, sites, count);
    free(sites);
}

static void check_address(struct image *image, const struct section *table, uint64_t address)
{
    uint32_t index = image_section_at(image, address);
    if (index != 0 && is_set(&image->sections[index]))
        report_defect(image, (struct place){index, address - image->sections[index].address}, NULL,
                      "expected no dynamic relocation in the set, found one in %s", table->name);
}

/* SHT_RELR: an even word is an address, an odd one a bitmap of the 63 words after it. */
static void check_relr(struct image *image, const struct section *table)
{
    uint64_t next = 0;
    for (uint64_t at = 0; table->size - at >= 8; at += 8) {
        uint64_t word;
        memcpy(&word, table->data + at, sizeof word);
        if ((word & 1) == 0) {
            check_address(image, table, word);
            next = word + 8;
            continue;
        }
        for (unsigned bit = 1; bit < 64; bit++)
            if (word >> bit & 1)
                check_address(image, table, next + 8 * (uint64_t)(bit - 1));
        next += UINT64_C(63) * 8;
    }
}

static void check_dynamic(struct image *image)
{
    enum { RELR = 19 }; /* SHT_RELR; not in every <elf.h> */
    for (uint32_t i = 1; i < image->nsections; i++) {
        const struct section *table = &image->sections[i];
        if (!(table->flags & SHF_ALLOC) || !table->data)
            continue;
        if (table->type == RELR)
            check_relr(image, table);
        for (uint64_t at = 0; table->type == SHT_RELA && table->size - at >= sizeof(Elf64_Rela);
             at += sizeof(Elf64_Rela)) {
            Elf64_Rela rela;
            memcpy(&rela, table->data + at, sizeof rela);
            check_address(image, table, rela.r_offset);
        }
    }
}

void check_set(struct image *image, const struct records *records, bool is_direct, size_t *relinked)
{
    for (uint32_t i = 1; i < image->nsections; i++) {
        if (!is_set(&image->sections[i]))
            continue;
        check_flags(image, i);
        check_words(image, i);
    }
    if (!image->is_relocatable) {
        check_dynamic(image);
        return;
    }
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->all[i];
        if (!record->is_sound || record->is_companion)
            continue;
        if (record->is_moved && record->branches == 0)
            continue; /* check_sites() has said it */
        if (record->is_moved)
            check_moved(image, record);
        *relinked += check_link(image, records, record, is_direct);
        check_anchor(image, record);
    }
    check_anchors(image, records);
}
