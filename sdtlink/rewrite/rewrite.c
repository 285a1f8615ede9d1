/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Applying the plan to the object's own sections.
 *
 *   call, enabled   bytes := disabled form; relocation := R_*_NONE, first byte -> sdt_sites (also
 *                   through the GOT: so no linker finds a load to relax, and none makes a GOT
 *                   entry)
 *   tail            bytes := disabled form, a return; relocation := a branch to the site's loader
 *                   (that displacement is dead until the return becomes a jump); an R_*_NONE as
 *                   above
 *   inline          bytes := disabled form; relocation := the displacement of its entry, which
 *                   names the record; where a machine's site has no displacement, an R_*_NONE as
 *                   above
 *   jcc             bytes stay; relocation re-aimed at what was made for it among the loaders; an
 *                   R_*_NONE as above, and one from there
 *   nop1, nop11     bytes stay; an R_*_NONE as above
 *
 * Where a machine keeps the branch of a call as well (riscv64), that leads to the stub.
 *
 * The R_*_NONE is what keeps a site's record alive as long as its text; see set.c. That of the
 * loader section keeps identical-code folding from making one jcc loader of two: nothing else in
 * them differs, as the patch byte that they name is their own.
 */
#include "rewrite.h"

#include "base/diag.h"
#include "base/mapping.h"
#include "base/reading.h"
#include "elf/add.h"
#include "elf/narrow.h"
#include "elf/reindex.h"
#include "probes/sleds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void keep_records(struct object *o, const struct set_text *made, uint32_t section,
                         uint64_t offset)
{
    object_relocate(o, section, offset, o->arch->relocations.none,
                    object_symbol_for(o, made->records), 0);
}

/*
 * The descriptors are in the records now. Empty, not removed: section indexes stay. But not in a
 * group any more: of a group with an empty SHT_RELA section, objcopy and strip (binutils 2.40)
 * lose another member, and the linker finds half a function.
 */
static void empty(struct object *o, uint32_t section)
{
    o->sections[section].size = 0;
    object_leave_group(o, section);
}

/*
 * A site has one relocation, its slot, and needs up to two: what keeps its record, and the branch.
 * The slot becomes the branch if that leads to code of the site's own (loader, entry), else the
 * R_*_NONE; the other one is added. An entry names the record, so a branch to it keeps that.
 */

static bool leads_to_entry(const struct planned_site *site)
{
    return site->has_entry && site->form->keeps_branch;
}

/* Whether the slot stays a branch's: to the site's loader or entry. */
static bool slot_stays_branch(const struct planned_site *site)
{
    return site->has_loader || leads_to_entry(site);
}

static void prepare_site(const struct set *set, const struct planned_text *text,
                         const struct planned_site *site)
{
    struct object *o = set->object;
    const struct arch_relocations *types = &o->arch->relocations;
    if (site->site->is_sled && site->form->keeps_branch) {
        object_relocate(o, text->section, plan_branch(o->arch, site), types->branch_type,
                        object_symbol_for(o, set_text(set, text)->entries),
                        (int64_t)site->own_code_at + types->bias);
    } else if (site->has_loader || site->site->stapsdt || site->site->is_sled) {
        keep_records(o, set_text(set, text), text->section, site->site->place.offset);
    } else if (site->form->keeps_branch && !site->has_entry) {
        /* A branch is added that leads to the stub itself. */
        struct set_place stub = set_stub(set, text, site);
        object_relocate(o, text->section, plan_branch(o->arch, site), types->branch_type,
                        stub.symbol, (int64_t)stub.offset + types->bias);
    }
}

void rewrite_prepare(const struct set *set)
{
    struct object *o = set->object;
    const struct plan *plan = set->plan;
    for (uint32_t t = 0; t < plan->text_count; t++) {
        const struct planned_text *text = &plan->texts[t];
        const struct set_text *made = &set->texts[t];
        for (uint32_t i = text->first; i < text->first + text->count; i++)
            prepare_site(set, text, &plan->sites[i]);
        if (text->has_moved)
            keep_records(o, made, made->loaders, 0);
    }
    for (uint32_t i = 0; i < plan->found->symbol_count; i++)
        if (!plan->found->symbols[i].is_taken && !plan->found->symbols[i].is_defined)
            object_drop_symbol(o, plan->found->symbols[i].symbol);
    if (plan->found->mark)
        object_drop_symbol(o, plan->found->mark);
    size_t count;
    const uint32_t *args = object_args(o, &count);
    for (size_t i = 0; i < count; i++) {
        empty(o, args[i]);
        empty(o, o->sections[args[i]].rela); /* of section 0 this changes nothing */
    }
    for (uint32_t i = 1; plan->found->has_sleds && i < o->input_sections; i++)
        if (section_is_of_sleds(&o->sections[i])) {
            empty(o, i);
            empty(o, o->sections[i].rela);
        }
    /* Not emptied: debuggers have heard of the variables there. mold excludes no SHF_ALLOC. */
    const uint32_t *enums = object_enums(o, &count);
    for (size_t i = 0; i < count; i++)
        o->sections[enums[i]].header.sh_flags = SHF_EXCLUDE;
}

/* What the site's relocation becomes, with final symbol indexes. */
static Elf64_Rela planned_relocation(const struct set *set, const struct planned_text *text,
                                     const struct planned_site *site)
{
    const struct object *o = set->object;
    const struct set_text *made = set_text(set, text);
    const struct arch_relocations *types = &o->arch->relocations;
    if (!slot_stays_branch(site)) {
        uint32_t symbol = added_index(o, o->sections[made->records].symbol);
        return (Elf64_Rela){site->site->place.offset, ELF64_R_INFO(symbol, types->none), 0};
    }
    uint32_t section = site->has_entry ? made->entries : made->loaders;
    uint32_t symbol = added_index(o, o->sections[section].symbol);
    uint32_t type = site->is_moved ? site->site->branch_type : types->branch_type;
    int64_t addend = (int64_t)site->own_code_at + types->bias;
    if (site->is_moved && types->has_veneers) {
        symbol = added_index(o, set->labels[site - set->plan->sites]);
        addend = 0;
    }
    return (Elf64_Rela){plan_branch(o->arch, site), ELF64_R_INFO(symbol, type), addend};
}

/* A linker would shorten the site, which must keep its size: that comes next, if it is there. */
static void forbid_relaxing(struct object *o, Elf64_Rela *relocations, size_t count, size_t slot)
{
    const struct arch_relocations *types = &o->arch->relocations;
    Elf64_Rela *next = &relocations[slot + 1];
    if (!types->relax || slot + 1 == count || next->r_offset != relocations[slot].r_offset ||
        ELF64_R_TYPE(next->r_info) != types->relax)
        return;
    next->r_info = ELF64_R_INFO(0, types->none);
    object_note_change(o, next, sizeof *next);
}

/* A call in a function that was not chosen: no call, and no relocation. */
static void silence(struct object *o, const struct site *site)
{
    const struct section *s = &o->sections[site->place.section];
    uint8_t *bytes = s->data + site->place.offset;
    size_t count;
    if (site->is_sled)
        return; /* it does nothing as it is */
    Elf64_Rela *relocations = section_relocations(&o->sections[s->rela], &count);
    Elf64_Rela *relocation = &relocations[site->slot];
    o->arch->silence(site->kind, bytes);
    *relocation = (Elf64_Rela){site->place.offset, ELF64_R_INFO(0, o->arch->relocations.none), 0};
    object_note_change(o, bytes, site->length);
    object_note_change(o, relocation, sizeof *relocation);
    forbid_relaxing(o, relocations, count, site->slot);
}

void rewrite_sites(const struct set *set)
{
    struct object *o = set->object;
    const struct plan *plan = set->plan;
    for (uint32_t t = 0; t < plan->text_count; t++) {
        const struct planned_text *text = &plan->texts[t];
        struct section *s = &o->sections[text->section];
        size_t count;
        Elf64_Rela *relocations = section_relocations(&o->sections[s->rela], &count);
        for (uint32_t i = text->first; i < text->first + text->count; i++) {
            const struct planned_site *site = &plan->sites[i];
            uint8_t *bytes = s->data + site->site->place.offset;
            if (site->site->stapsdt)
                continue; /* its NOP stays, and its relocation was added */
            memcpy(bytes, site->after, site->site->length);
            object_note_change(o, bytes, site->site->length);
            if (site->site->is_sled)
                continue; /* its relocation was added */
            Elf64_Rela *relocation = &relocations[site->site->slot];
            *relocation = planned_relocation(set, text, site);
            object_note_change(o, relocation, sizeof *relocation);
            forbid_relaxing(o, relocations, count, site->site->slot);
        }
    }
    for (uint32_t i = 0; i < plan->found->silenced_count; i++)
        silence(o, &plan->found->silenced[i]);
}

/* Whether FILE, the output as mapped, holds the site and its relocation as planned. */
static bool is_as_planned(const uint8_t *file, const struct set *set,
                          const struct planned_text *text, const struct planned_site *site)
{
    const struct object *o = set->object;
    const struct section *s = &o->sections[text->section];
    const uint8_t *bytes = file + s->offset + site->site->place.offset;
    if (site->site->stapsdt)
        return *bytes == *site->after;
    if (site->site->is_sled)
        return memcmp(bytes, site->after, site->site->length) == 0;
    Elf64_Rela planned = planned_relocation(set, text, site);
    if (object_is_narrow(o))
        return narrow_is_written(o, file, s, site->site->slot, &planned, site->site->place.offset,
                                 site->after, site->site->length);
    const uint8_t *relocation =
        file + o->sections[s->rela].offset + site->site->slot * sizeof(Elf64_Rela);
    return memcmp(bytes, site->after, site->site->length) == 0 &&
           memcmp(relocation, &planned, sizeof planned) == 0;
}

static int check_sites(const uint8_t *file, const struct set *set)
{
    const struct plan *plan = set->plan;
    for (uint32_t t = 0; t < plan->text_count; t++) {
        const struct planned_text *text = &plan->texts[t];
        for (uint32_t i = text->first; i < text->first + text->count; i++)
            if (!is_as_planned(file, set, text, &plan->sites[i]))
                return diag_error("%s: a probe site was not written as planned; this is a bug in "
                                  "sdtlink",
                                  set->object->path);
    }
    return 0;
}

static int refuse_size(const struct set *set)
{
    return diag_error("%s: the output's size is not as planned", set->object->path);
}

static int check_mapped(const struct set *set, int fd)
{
    struct mapping file;
    if (!mapping_of(&file, fd))
        return diag_errno("cannot map the output");
    bool is_as_long = file.size == set->object->output_size;
    int result = is_as_long ? check_sites(file.data, set) : refuse_size(set);
    mapping_close(&file);
    return result;
}

/* To map a small file, look at it and unmap it costs more than to read it. */
static int check_read(const struct set *set, int fd)
{
    struct stat status;
    size_t size = set->object->output_size;
    if (fstat(fd, &status) != 0)
        return diag_errno("cannot read the output");
    if ((size_t)status.st_size != size)
        return refuse_size(set);
    uint8_t *file = memory_resize(NULL, size, 1);
    errno = reading_all(fd, file, size, 0);
    int result = errno ? diag_errno("cannot read the output") : check_sites(file, set);
    free(file);
    return result;
}

int rewrite_check(const struct set *set, int fd)
{
    return set->object->is_mapped ? check_mapped(set, fd) : check_read(set, fd);
}
