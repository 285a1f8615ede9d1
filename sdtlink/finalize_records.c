/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records against bytes: what the runtime would check before it arms a site, and what it then
 * relies on. The linker has computed every one of these distances; here they are followed.
 *
 *   pc     the site, in its disabled form (in a companion's records: still the call)
 *   patch  the byte of it that this kind has for that
 *   stub   leads to the record's probe; or is the site's entry, which leads to the record as well
 *   a tail's displacement leads to a loader, that to this site's patch byte and to the stub
 */
#include "diag.h"
#include "finalize_parts.h"
#include "memory.h"

#include <arch/arch.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checked {
    struct list_elf *elf;
    const struct list_site *site;
    const struct sdt_form *form;
    bool is_companion;
    uint64_t pc, patch, probe, stub; /* addresses */
};

/* SIZE bytes of code at ADDRESS; NULL: there is none. */
static const uint8_t *code_at(const struct list_elf *elf, uint64_t address, size_t size)
{
    const struct list_section *home = &elf->sections[list_elf_section_at(elf, address)];
    uint64_t offset = address - home->header.sh_addr;
    if (!(home->header.sh_flags & SHF_EXECINSTR) || home->size < size || offset > home->size - size)
        return NULL;
    return home->data + offset;
}

static int refuse(const struct checked *c, const char *problem, uint64_t address, size_t size)
{
    char found[3 * SDT_STUB_SIZE + 1] = "";
    const uint8_t *bytes = code_at(c->elf, address, size);
    for (size_t i = 0; bytes && i < size; i++)
        snprintf(found + 3 * i, sizeof found - 3 * i, "%02x ", bytes[i]);
    char *probe = memory_format("%s:%s, kind %s", c->site->provider, c->site->name, c->form->name);
    char *where = memory_format("%#llx", (unsigned long long)address);
    struct place place = {.file = c->elf->path,
                          .section = c->elf->sections[c->site->set].name,
                          .offset = c->site->record,
                          .function = c->site->function,
                          .symbol = probe};
    char *text = memory_format("%s at %s", bytes ? found : "no code", where);
    diag_refuse(&place, problem, text, NULL,
                "link again from objects that sdtlink has just processed");
    free(text);
    free(where);
    free(probe);
    return -1;
}

/* Where the 32-bit displacement at FIELD, an address inside code, leads to. */
static uint64_t target_of(const struct list_elf *elf, uint64_t field)
{
    return sdt_x86_64_target(field, code_at(elf, field, sizeof(int32_t)));
}

static int follow(const struct checked *c, size_t field, uint64_t *address)
{
    struct list_place place;
    if (list_elf_follow(c->elf, c->site->set, c->site->record + field, &place) != 1)
        return diag_error("%s: %s+0x%llx: the record's word at %zu leads nowhere", c->elf->path,
                          c->elf->sections[c->site->set].name, (unsigned long long)c->site->record,
                          field);
    *address = c->elf->sections[place.section].header.sh_addr + place.offset;
    return 0;
}

static int check_bytes(const struct checked *c, unsigned kind)
{
    const uint8_t *bytes = code_at(c->elf, c->pc, c->form->length);
    if (!bytes)
        return refuse(c, "the site is not in the file's code", c->pc, c->form->length);
    enum sdt_state wanted = c->is_companion ? SDT_STATE_CALL : SDT_STATE_OFF;
    if (sdt_x86_64_state(kind, bytes) != wanted)
        return refuse(c, "the site's bytes are not those of its kind", c->pc, c->form->length);
    if (c->patch != c->pc + c->form->patch)
        return refuse(c, "the record's patch byte is not in its site", c->patch, 1);
    return 0;
}

static int check_stub(const struct checked *c)
{
    static const uint8_t head[] = {0x4c, 0x8b, 0x1c, 0x24, 0x49, 0x83,
                                   0xeb, 0x05, 0x4c, 0x8d, 0x15};
    const uint8_t *stub = code_at(c->elf, c->stub, SDT_STUB_SIZE);
    if (!stub || memcmp(stub, head, sizeof head) != 0 ||
        target_of(c->elf, c->stub + sizeof head) != c->probe)
        return refuse(c, "the record's stub does not lead to its probe", c->stub, SDT_STUB_SIZE);
    return 0;
}

static int check_loader(const struct checked *c)
{
    static const uint8_t lea[] = {0x4c, 0x8d, 0x1d};
    enum { JUMP_AT = 7, JUMP = 0xe9 };
    uint64_t at = target_of(c->elf, c->pc + 1);
    const uint8_t *loader = code_at(c->elf, at, SDT_LOADER_SIZE);
    if (!loader || memcmp(loader, lea, sizeof lea) != 0 || loader[JUMP_AT] != JUMP ||
        target_of(c->elf, at + sizeof lea) != c->patch ||
        target_of(c->elf, at + JUMP_AT + 1) != c->stub + SDT_STUB_AT)
        return refuse(c, "the site's displacement does not lead to its loader", at,
                      SDT_LOADER_SIZE);
    return 0;
}

/* (A linker that folds functions may let the site's displacement lead to the other's entry.) */
static int check_entry(const struct checked *c, const struct sdt_site *raw)
{
    const uint8_t *code = code_at(c->elf, c->stub, SDT_ENTRY_SIZE);
    const struct list_section *set = &c->elf->sections[c->site->set];
    const struct sdt_entry wanted = {.pc = c->pc,
                                     .record = set->header.sh_addr + c->site->record,
                                     .probe = c->probe,
                                     .kind = raw->kind,
                                     .live_flags = raw->flags & SDT_SITE_LIVE_FLAGS};
    if (!code || !sdt_x86_64_is_entry(c->stub, code, &wanted))
        return refuse(c, "the record's entry is not that of its site", c->stub, SDT_ENTRY_SIZE);
    return 0;
}

static int check_record(struct list_elf *elf, const struct list_site *site)
{
    struct sdt_site raw;
    memcpy(&raw, elf->sections[site->set].data + site->record, sizeof raw);
    struct checked c = {.elf = elf,
                        .site = site,
                        .form = sdt_x86_64_form(raw.kind), /* list_read_set() knows it */
                        .is_companion = raw.flags & SDT_SITE_COMPANION};
    if (follow(&c, offsetof(struct sdt_site, pc), &c.pc) != 0 ||
        follow(&c, offsetof(struct sdt_site, patch), &c.patch) != 0 ||
        follow(&c, offsetof(struct sdt_site, probe), &c.probe) != 0 ||
        follow(&c, offsetof(struct sdt_site, stub), &c.stub) != 0 || check_bytes(&c, raw.kind) != 0)
        return -1;
    if (kind_has_entry(raw.kind))
        return check_entry(&c, &raw);
    if (check_stub(&c) != 0)
        return -1;
    return c.form->keeps_branch && !c.is_companion ? check_loader(&c) : 0;
}

int finalize_check_records(struct list_elf *elf, const struct list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (check_record(elf, &list->sites[i]) != 0)
            return -1;
    return 0;
}
