/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records against bytes: what the runtime would check before it arms a site, and what it then
 * relies on. The linker has computed every one of these distances; here they are followed.
 *
 *   pc     the site, in its disabled form (in a companion's records: still the call)
 *   stub   leads to the record's probe; or is the site's entry, which leads to the record as well
 *   a tail's displacement leads to a loader, which leads to this site's patch byte and to the stub
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/probe_label.h"
#include "list/elf_follow.h"
#include "passes.h"

#include <arch/machines.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checked {
    struct list_elf *elf;
    const struct list_site *site;
    const struct tool_arch *arch;
    const struct sdt_form *form;
    bool is_companion, is_moved;
    uint64_t pc, probe, stub; /* addresses */
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
    const uint8_t *bytes = code_at(c->elf, address, size);
    char *found = memory_zeroed(3 * size + 1, 1);
    for (size_t i = 0; bytes && i < size; i++)
        snprintf(found + 3 * i, 3 * (size - i) + 1, "%02x ", bytes[i]);
    char *name = probe_label(slice_of(c->site->provider), slice_of(c->site->name));
    char *probe = memory_format("%s, kind %s", name, c->form->name);
    char *where = memory_format("%#llx", (unsigned long long)address);
    struct diag_place place = {.file = c->elf->path,
                               .section = c->elf->sections[c->site->set].name,
                               .offset = c->site->record,
                               .function = c->site->function,
                               .symbol = probe};
    char *text = memory_format("%s at %s", bytes ? found : "no code", where);
    diag_refuse(&place, problem, text, NULL,
                "link again from objects that sdtlink has just processed");
    free(text);
    free(found);
    free(where);
    free(probe);
    free(name);
    return -1;
}

static int follow(const struct checked *c, size_t field, uint64_t *address)
{
    struct list_place place;
    if (list_elf_follow(c->elf, c->site->set, c->site->record + field, &place) != 1)
        return diag_error("%s: %s+0x%llx: the record's offset at %zu is invalid", c->elf->path,
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
    bool is_compiled = c->is_companion && !c->is_moved;
    enum sdt_state wanted = is_compiled ? c->arch->as_compiled : SDT_STATE_OFF;
    if (c->arch->state(kind, bytes) != wanted)
        return refuse(c, "the site's bytes are not those of its kind", c->pc, c->form->length);
    return 0;
}

static int check_stub(const struct checked *c)
{
    size_t size = c->arch->code.stub.size;
    const uint8_t *stub = code_at(c->elf, c->stub, size);
    if (!stub || !c->arch->is_stub(stub) || c->arch->stub_probe(c->stub, stub) != c->probe)
        return refuse(c, "the record's stub does not lead to its probe", c->stub, size);
    return 0;
}

static int check_loader(const struct checked *c, unsigned kind)
{
    size_t size = c->arch->code.loader.size;
    const uint8_t *site = code_at(c->elf, c->pc, c->form->length); /* check_bytes() found it */
    uint64_t at = c->arch->kept_branch(kind, c->pc, site);
    if (!c->form->returns)
        return at == c->stub ? 0
                             : refuse(c, "the site's displacement does not lead to its stub", c->pc,
                                      c->form->length);
    const uint8_t *loader = code_at(c->elf, at, size);
    if (!loader || !c->arch->is_loader(at, loader, c->pc + c->form->patch, c->stub))
        return refuse(c, "the site's displacement does not lead to its loader", at, size);
    return 0;
}

/* The branch in the text that a companion's moved site stands for leads to the stub. */
static int check_branch(const struct checked *c)
{
    uint32_t size = c->arch->companion_branch_size;
    uint64_t at = c->pc - SDT_COMPANION_BRANCH;
    const uint8_t *word = code_at(c->elf, at, SDT_COMPANION_BRANCH);
    int32_t distance = 0;
    if (word)
        memcpy(&distance, word, sizeof distance);
    at += (uint64_t)(int64_t)distance;
    const uint8_t *branch = word && size ? code_at(c->elf, at, size) : NULL;
    if (!branch || c->arch->companion_branch(at, branch) != c->stub)
        return refuse(c, "what the site stands for is no branch to its stub", at, size);
    return 0;
}

/* (A linker that folds functions may let the site's displacement lead to the other's entry.) */
static int check_entry(const struct checked *c, const struct sdt_site *raw)
{
    size_t size = c->arch->code.entry.size;
    const uint8_t *code = code_at(c->elf, c->stub, size);
    const struct list_section *set = &c->elf->sections[c->site->set];
    const struct sdt_entry wanted = {.pc = c->pc,
                                     .record = set->header.sh_addr + c->site->record,
                                     .probe = c->probe,
                                     .kind = raw->kind,
                                     .live_flags = raw->flags & SDT_SITE_LIVE_FLAGS};
    if (!code || !c->arch->is_entry(c->stub, code, &wanted))
        return refuse(c, "the record's entry is not that of its site", c->stub, size);
    return 0;
}

static int check_record(struct list_elf *elf, const struct list_site *site)
{
    const struct tool_arch *arch = tool_arch_of(elf->machine); /* as finalize.c has seen */
    struct sdt_site raw;
    memcpy(&raw, elf->sections[site->set].data + site->record, sizeof raw);
    if (raw.flags & SDT_SITE_FREESTANDING)
        return diag_error("%s: its set is freestanding, and nothing of it is to be finalized",
                          elf->path);
    struct checked c = {.elf = elf,
                        .site = site,
                        .arch = arch,
                        .form = arch->form(raw.kind), /* list_read_set() knows it */
                        .is_companion = raw.flags & SDT_SITE_COMPANION,
                        .is_moved = raw.flags & SDT_SITE_MOVED};
    if (follow(&c, offsetof(struct sdt_site, pc), &c.pc) != 0 ||
        follow(&c, offsetof(struct sdt_site, probe), &c.probe) != 0 ||
        follow(&c, offsetof(struct sdt_site, stub), &c.stub) != 0 || check_bytes(&c, raw.kind) != 0)
        return -1;
    if (kind_has_entry(raw.kind))
        return check_entry(&c, &raw);
    if (check_stub(&c) != 0 || (c.is_companion && c.is_moved && check_branch(&c) != 0))
        return -1;
    bool has_loader = c.form->keeps_branch && (!c.is_companion || c.is_moved);
    return has_loader ? check_loader(&c, raw.kind) : 0;
}

int finalize_check_records(struct list_elf *elf, const struct list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (check_record(elf, &list->sites[i]) != 0)
            return -1;
    return 0;
}
