/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes: one struct sdt_probe for each sort of sites, and one stub where sites lead to it, which
 * in objects is in a COMDAT group, so that a DSO ends up with one. In a linked file, the
 * registration object must hand exactly the set to the runtime.
 */
#include "checks.h"

#include "code.h"
#include "report.h"

#include <elf.h>
#include <inttypes.h>
#include <sdt/format.h>
#include <shared/lower_bound.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct probe_record *find_probe(const struct records *records, struct place place)
{
    size_t i = LOWER_BOUND(k, records->nprobes, place_compare(records->probes[k].self, place) < 0);
    bool is_there = i < records->nprobes && place_is_same(records->probes[i].self, place);
    return is_there ? &records->probes[i] : NULL;
}

/* Whether SYMBOL is PREFIX and NAME, "provider:name", as it stands in symbols: "provider___name".
 */
static bool is_symbol_of(const char *symbol, const char *prefix, const char *name)
{
    size_t head = strcspn(name, ":"), before = strlen(prefix);
    const char *rest = symbol + before;
    return strncmp(symbol, prefix, before) == 0 && strncmp(rest, name, head) == 0 &&
           strncmp(rest + head, "___", 3) == 0 && strcmp(rest + head + 3, name + head + 1) == 0;
}

static bool begins_with(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Whether NAME is what a probe's symbol can be called. */
static bool is_for_probe(const char *name)
{
    return begins_with(name, SDT_SYMBOL_PROBE) || begins_with(name, SDT_SYMBOL_FLAGGED) ||
           begins_with(name, SDT_SYMBOL_CALLED);
}

/* A symbol __sdt_…_<provider>___<name> names the probe of that name and sort, and no other. */
static void check_symbols(struct image *image, const struct records *records)
{
    for (uint32_t i = 1; i < image->nsymbols; i++) {
        const struct symbol *symbol = &image->symbols[i];
        struct place place = {symbol->section, symbol->value};
        if (!symbol->section || !is_for_probe(symbol->name))
            continue;
        const struct probe_record *probe = find_probe(records, place);
        if (probe && !is_symbol_of(symbol->name, probe->prefix, probe->name))
            report_defect(image, place, probe->label, "expected the probe of symbol %s",
                          symbol->name);
        if (probe && image->is_relocatable && !image->is_freestanding &&
            symbol->visibility != STV_HIDDEN)
            report_defect(image, place, probe->label, "expected symbol %s to be hidden",
                          symbol->name);
    }
}

/* Other objects have the same, of which a link keeps one. */
static void check_comdat(struct image *image, const struct probe_record *probe, struct place place,
                         const char *what)
{
    const struct section *group = &image->sections[image->sections[place.section].group];
    if (!group->data || !(group->data[0] & GRP_COMDAT))
        report_defect(image, place, probe->label, "expected %s in a COMDAT group", what);
}

static void check_probe(struct image *image, const struct probe_record *probe)
{
    /* There is one companion object in a program: it needs no groups. */
    bool needs_groups = image->is_relocatable && !probe->is_companion;
    const struct section *home = &image->sections[probe->self.section];
    if (!(home->flags & SHF_WRITE) || !(home->flags & SHF_ALLOC))
        report_defect(image, probe->self, probe->label,
                      "expected the probe in writable memory, found flags 0x%" PRIx64, home->flags);
    if ((home->address + probe->self.offset) % sizeof(struct sdt_probe) != 0)
        report_defect(image, probe->self, probe->label, "expected the probe aligned to %zu",
                      sizeof(struct sdt_probe));
    if (probe->stub.section == 0)
        return;
    code_check_stub(image, probe);
    if (needs_groups && !probe->is_stub_near)
        check_comdat(image, probe, probe->stub, "the probe's stub");
}

static int by_name(const void *left, const void *right)
{
    const struct probe_record *a = *(const struct probe_record *const *)left;
    const struct probe_record *b = *(const struct probe_record *const *)right;
    int order = strcmp(a->prefix, b->prefix);
    return order ? order : strcmp(a->name, b->name);
}

/* A probe that exists twice in a DSO would be enabled by halves. */
static void check_unique(struct image *image, const struct records *records)
{
    struct probe_record **order = calloc(records->nprobes + 1, sizeof *order);
    if (!order)
        return;
    for (size_t i = 0; i < records->nprobes; i++)
        order[i] = &records->probes[i];
    qsort(order, records->nprobes, sizeof *order, by_name);
    for (size_t i = 1; i < records->nprobes; i++)
        if (by_name(&order[i - 1], &order[i]) == 0 &&
            !place_is_same(order[i - 1]->self, order[i]->self))
            report_defect(image, order[i]->self, order[i]->label,
                          "expected one probe record of this name, found another at %s",
                          report_place(image, order[i - 1]->self));
    free(order);
}

/* All records of a probe have its name and its sort, and name its one stub, or an entry. */
static void check_records(struct image *image, const struct records *records)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->all[i];
        const struct probe_record *probe = records_probe(records, record);
        if (probe && (strcmp(probe->name, record->name) != 0 ||
                      strcmp(probe->prefix, records_prefix(record)) != 0))
            report_defect(image, record->self, record->label,
                          "expected a probe of its own at %s, found that of %s%s",
                          report_place(image, record->probe), probe->prefix, probe->label);
        if (!probe || kind_has_entry(record->kind))
            continue;
        if (probe->is_stub_near) {
            /* A stub of its own lives and dies with the text of the site. */
            uint32_t text = image->sections[record->pc.section].group;
            uint32_t stub = image->sections[record->stub.section].group;
            if (text != stub)
                report_defect(image, record->self, record->label,
                              "expected site and stub in one group, found %u and %u", text, stub);
        } else if (!place_is_same(probe->stub, record->stub))
            report_defect(image, record->self, record->label,
                          "expected the record to name the probe's stub at %s, found %s",
                          report_place(image, probe->stub), report_place(image, record->stub));
    }
}

/* The bounds that the constructor gives to the runtime are those of the section. */
static void check_bounds(struct image *image, struct place dso, const struct section *set)
{
    uint64_t available, base = image->sections[dso.section].address + dso.offset;
    const uint8_t *bytes = image_bytes(image, dso, &available);
    struct sdt_dso header;
    if (!bytes || available < sizeof header) {
        report_defect(image, dso, NULL, "expected a struct sdt_dso of %zu bytes", sizeof header);
        return;
    }
    memcpy(&header, bytes, sizeof header);
    uint64_t begin = base + offsetof(struct sdt_dso, sites_begin) + (uint64_t)header.sites_begin;
    uint64_t end = base + offsetof(struct sdt_dso, sites_end) + (uint64_t)header.sites_end;
    if (header.magic == SDT_FORMAT_MAGIC && header.version > SDT_FORMAT_VERSION)
        report_defect(image, dso, NULL,
                      "expected format %u, found %u: verify it with the sdtlink that processed it",
                      SDT_FORMAT_VERSION, header.version);
    else if (header.magic != SDT_FORMAT_MAGIC || header.version < SDT_FORMAT_OLDEST ||
             header.size != sizeof header)
        report_bytes(image, dso, 8, NULL, "expected magic, version and size of struct sdt_dso");
    else if (begin != set->address || end != set->address + set->size)
        report_defect(image, dso, NULL,
                      "expected the bounds of %s 0x%" PRIx64 "-0x%" PRIx64 ", found 0x%" PRIx64
                      "-0x%" PRIx64,
                      set->name, set->address, set->address + set->size, begin, end);
}

static void check_registration(struct image *image)
{
    const struct section *set = NULL;
    for (uint32_t i = 1; i < image->nsections; i++)
        if (strcmp(image->sections[i].name, SDT_SECTION_SITES) == 0 ||
            strcmp(image->sections[i].name, SDT_SECTION_BOUNDED) == 0)
            set = &image->sections[i];
    for (uint32_t i = 1; set && i < image->nsymbols; i++) {
        const struct symbol *symbol = &image->symbols[i];
        if (symbol->section && strcmp(symbol->name, SDT_SYMBOL_DSO) == 0)
            check_bounds(image, (struct place){symbol->section, symbol->value}, set);
    }
}

void check_probes(struct image *image, const struct records *records)
{
    for (size_t i = 0; i < records->nprobes; i++)
        check_probe(image, &records->probes[i]);
    check_symbols(image, records);
    if (!image->is_freestanding) /* its runtime knows probes by their names */
        check_unique(image, records);
    check_records(image, records);
    if (!image->is_relocatable)
        check_registration(image);
}
