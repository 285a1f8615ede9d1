/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The site set (sdt_sites, sdt_companion) of processed objects and of linked files.
 *
 * In a linked file the words are distances; in an object the relocations say what they will be.
 * An invalid record ends the file's listing: half a list would be mistaken for a complete one.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "elf_follow.h"
#include "notes.h"
#include "site.h"

#include <arch/machines.h>
#include <inttypes.h>
#include <sdt/format.h>
#include <string.h>

struct record {
    struct list_elf *elf;
    struct list *list;
    uint32_t section;
    uint64_t offset;
};

static int refuse(const struct record *record, const char *what)
{
    return diag_error("%s: %s+0x%" PRIx64 ": the record's %s", record->elf->path,
                      record->elf->sections[record->section].name, record->offset, what);
}

static int follow(const struct record *record, size_t field, struct list_place *place)
{
    return list_elf_follow(record->elf, record->section, record->offset + field, place);
}

/* The string that a word leads to; NULL if the word is 0. -1: it leads elsewhere. */
static int read_string(const struct record *record, uint32_t section, uint64_t offset,
                       const char **string)
{
    struct list_place place;
    int found = list_elf_follow(record->elf, section, offset, &place);
    if (found <= 0)
        return found;
    const char *text = list_elf_string(record->elf, place);
    if (!text)
        return -1;
    *string = list_string(record->list, text);
    return 0;
}

static int read_probe(const struct record *record, struct list_site *site)
{
    struct list_place probe, place;
    if (follow(record, offsetof(struct sdt_site, probe), &probe) != 1 || probe.section == 0)
        return refuse(record, "probe offset is invalid");
    const struct list_section *home = &record->elf->sections[probe.section];
    uint64_t size = home->header.sh_size;
    if (size < sizeof(struct sdt_probe) || probe.offset > size - sizeof(struct sdt_probe))
        return refuse(record, "probe offset does not lead to a complete struct sdt_probe");
    const char *name = NULL;
    if (follow(record, offsetof(struct sdt_site, name), &place) == 1)
        name = list_elf_string(record->elf, place);
    const char *colon = name ? memchr(name, ':', strnlen(name, MAX_NAME_BYTES)) : NULL;
    if (!colon)
        return refuse(record, "name offset does not lead to a provider and a name");
    struct slice provider = {name, (size_t)(colon - name)};
    site->provider = list_strings_add(&record->list->strings, provider);
    site->name = list_string(record->list, colon + 1);
    return 0;
}

static int read_place(const struct record *record, struct list_site *site)
{
    struct list_place place;
    const struct list_elf *elf = record->elf;
    if (follow(record, offsetof(struct sdt_site, pc), &place) != 1)
        return refuse(record, "pc offset is invalid");
    site->offset = place.offset;
    if (place.section == 0) {
        site->symbol = list_string(record->list, place.symbol);
        return 0;
    }
    site->home = place.section;
    site->section = list_string(record->list, elf->sections[place.section].name);
    site->has_address = elf->type != ET_REL;
    if (site->has_address)
        site->address = elf->sections[place.section].header.sh_addr + place.offset;
    return 0;
}

/* The strings one after the other. */
struct strings {
    struct list_elf *elf;
    struct list_place place; /* of the last one, */
    const char *text;        /* which is this */
};

static const char *next_string(void *data)
{
    struct strings *strings = data;
    strings->place.offset += strlen(strings->text) + 1;
    strings->text = list_elf_string(strings->elf, strings->place);
    return strings->text;
}

static int read_args(const struct record *record, unsigned nargs, struct list_site *site)
{
    struct strings strings = {.elf = record->elf};
    int found = follow(record, offsetof(struct sdt_site, args), &strings.place);
    if (found <= 0)
        return found;
    strings.text = list_elf_string(record->elf, strings.place);
    bool is_whole = strings.text &&
                    list_take_args(record->list, site, strings.text, nargs, next_string, &strings);
    return is_whole ? 0 : -1;
}

static bool is_set(const char *name)
{
    return !strcmp(name, SDT_SECTION_SITES) || !strcmp(name, SDT_SECTION_BOUNDED) ||
           !strcmp(name, SDT_SECTION_COMPANION);
}

static int refuse_format(const struct list_elf *elf, unsigned version)
{
    return diag_error("%s: its sites have format %u, and this version reads %u: %s", elf->path,
                      version, SDT_FORMAT_VERSION,
                      version > SDT_FORMAT_VERSION ? "list it with the sdtlink that processed it"
                                                   : "process it again from the compiler's object");
}

/*
 * Records do not say which format they have, but the structure that registers them does. It is in
 * writable data, begins with a number that says what it is, and leads to the first record. Files
 * without it, such as those of `ld -r`, say nothing; records for a kernel have it in their flags.
 */
static int check_format(struct list_elf *elf)
{
    for (uint32_t i = 1; i < elf->count; i++) {
        const struct list_section *section = &elf->sections[i];
        if (!section->data || !(section->header.sh_flags & SHF_WRITE))
            continue;
        for (uint64_t at = 0; at + sizeof(struct sdt_dso) <= section->size;
             at += _Alignof(struct sdt_dso)) {
            struct sdt_dso dso;
            struct list_place place;
            memcpy(&dso, section->data + at, sizeof dso);
            if (dso.magic == SDT_FORMAT_MAGIC &&
                (dso.version < SDT_FORMAT_OLDEST || dso.version > SDT_FORMAT_VERSION) &&
                list_elf_follow(elf, i, at + offsetof(struct sdt_dso, sites_begin), &place) == 1 &&
                (place.section == 0 || is_set(elf->sections[place.section].name)))
                return refuse_format(elf, dso.version);
        }
    }
    return 0;
}

static int read_record(const struct record *record)
{
    struct list_elf *elf = record->elf;
    struct list_site *site = list_add(record->list, elf->path);
    struct sdt_site raw;
    memcpy(&raw, elf->sections[record->section].data + record->offset, sizeof raw);
    unsigned version = raw.flags >> SDT_SITE_VERSION_SHIFT;
    if ((raw.flags & SDT_SITE_FREESTANDING) && version != SDT_FORMAT_VERSION)
        return refuse_format(elf, version);
    const struct sdt_form *form = tool_arch_of(elf->machine)->form(raw.kind);
    if (!form)
        return refuse(record, "kind is unknown to this version");
    site->kind = form->name;
    site->is_record = true;
    site->set = record->section;
    site->record = record->offset;
    site->flags = raw.flags;
    if (read_probe(record, site) != 0 || read_place(record, site) != 0)
        return -1;
    uint64_t at = record->offset;
    const char *file = NULL;
    if (read_string(record, record->section, at + offsetof(struct sdt_site, function),
                    &site->function) != 0 ||
        (!(raw.flags & SDT_SITE_SEMAPHORE) && /* then it is that */
         read_string(record, record->section, at + offsetof(struct sdt_site, module),
                     &site->module) != 0) ||
        read_args(record, raw.nargs, site) != 0 ||
        read_string(record, record->section, at + offsetof(struct sdt_site, file), &file) != 0)
        return refuse(record, "function, module, args or file offset does not lead to a string");
    if (file)
        list_take_place(record->list, site, slice_of(file), raw.line);
    struct list_place semaphore;
    bool has_semaphore =
        (raw.flags & (SDT_SITE_SEMAPHORE | SDT_SITE_INDIRECT)) == SDT_SITE_SEMAPHORE;
    if (has_semaphore && follow(record, offsetof(struct sdt_site, module), &semaphore) == 1 &&
        semaphore.section && elf->type != ET_REL)
        site->semaphore = elf->sections[semaphore.section].header.sh_addr + semaphore.offset;
    if (!site->module)
        site->module = list_string(record->list, basename(elf->path));
    return 0;
}

static bool has_notes(const struct list_elf *elf)
{
    for (uint32_t i = 1; i < elf->count; i++)
        if (elf->sections[i].data && !strcmp(elf->sections[i].name, STAPSDT_SECTION))
            return true;
    return false;
}

int list_read_set(struct list_elf *elf, struct list *list)
{
    for (uint32_t i = 1; i < elf->count; i++) {
        const struct list_section *section = &elf->sections[i];
        if (!is_set(section->name))
            continue;
        if (!tool_arch_of(elf->machine) || elf->is_big)
            return diag_error("%s: probe sites of machine %u, which this version does not know",
                              elf->path, elf->machine);
        if (section->header.sh_type == SHT_NOBITS && has_notes(elf))
            continue; /* a separate debug file: they say less, but they are here */
        if (section->header.sh_type == SHT_NOBITS)
            return diag_error("%s: %s has no contents; list the file that this one was split from",
                              elf->path, section->name);
        if (section->size % sizeof(struct sdt_site) != 0)
            return diag_error("%s: %s has %zu bytes, not whole records of %zu", elf->path,
                              section->name, section->size, sizeof(struct sdt_site));
        if (check_format(elf) != 0)
            return -1;
        for (uint64_t at = 0; at < section->size; at += sizeof(struct sdt_site)) {
            struct record record = {elf, list, i, at};
            if (read_record(&record) != 0)
                return -1;
        }
    }
    return 0;
}
