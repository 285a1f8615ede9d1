/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing through libelf, as fast as copying: every section's unmodified bytes are handed over as
 * they lie in the mapping of the input, and what was added as a second piece of data behind them.
 * ELF_F_LAYOUT: the file's layout is ours, in the order of the input, so that what did not grow
 * stays where it was.
 */
#include "diag.h"
#include "object.h"

#include <libelf.h>
#include <stdlib.h>

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) & ~(align - 1) : value;
}

struct position {
    uint64_t offset;
    uint32_t section;
};

static int compare_positions(const void *left, const void *right)
{
    const struct position *a = left, *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->section < b->section ? -1 : a->section > b->section;
}

/* Give every section its file offset, into OFFSETS; returns where the section table goes. */
static uint64_t lay_out(const struct object *o, uint64_t *offsets)
{
    struct position *order = memory_zeroed(o->section_count, sizeof *order);
    uint32_t count = 0;
    for (uint32_t i = 1; i < o->section_count; i++)
        order[count++] = (struct position){
            i < o->input_sections ? o->sections[i].header.sh_offset : UINT64_MAX, i};
    qsort(order, count, sizeof *order, compare_positions);

    uint64_t end = sizeof(Elf64_Ehdr);
    for (uint32_t i = 0; i < count; i++) {
        const struct section *s = &o->sections[order[i].section];
        end = align_up(end, s->header.sh_addralign);
        offsets[order[i].section] = end;
        if (s->header.sh_type != SHT_NOBITS)
            end += section_size(s);
    }
    free(order);
    return align_up(end, 8);
}

static bool add_data(Elf_Scn *scn, void *data, size_t size, uint64_t offset)
{
    if (!size)
        return true;
    Elf_Data *piece = elf_newdata(scn);
    if (!piece)
        return false;
    *piece = (Elf_Data){.d_buf = data,
                        .d_type = ELF_T_BYTE,
                        .d_version = EV_CURRENT,
                        .d_size = size,
                        .d_off = (int64_t)offset,
                        .d_align = 1};
    return true;
}

static bool add_section(Elf *elf, const struct section *s, uint64_t offset)
{
    Elf_Scn *scn = elf_newscn(elf);
    Elf64_Shdr *header = scn ? elf64_getshdr(scn) : NULL;
    if (!header)
        return false;
    *header = s->header;
    header->sh_offset = offset;
    if (s->header.sh_type == SHT_NOBITS)
        return true;
    header->sh_size = section_size(s);
    return add_data(scn, s->data, s->size, 0) && add_data(scn, s->tail.data, s->tail.size, s->size);
}

/* More sections than 16 bits can say: section 0 says it. */
static bool set_counts(Elf *elf, const struct object *o, uint64_t table)
{
    Elf64_Ehdr *header = elf64_newehdr(elf);
    Elf64_Shdr *zero = elf64_getshdr(elf_getscn(elf, 0));
    if (!header || !zero)
        return false;
    *header = o->header;
    header->e_shoff = table;
    header->e_shnum = o->section_count < SHN_LORESERVE ? (uint16_t)o->section_count : 0;
    zero->sh_size = o->section_count < SHN_LORESERVE ? 0 : o->section_count;
    bool is_extended = o->shstrtab >= SHN_LORESERVE;
    header->e_shstrndx = is_extended ? SHN_XINDEX : (uint16_t)o->shstrtab;
    zero->sh_link = is_extended ? o->shstrtab : 0;
    return true;
}

int writer_write(const struct object *o, int fd, const char *path)
{
    bool is_done = false;
    uint64_t *offsets = memory_zeroed(o->section_count, sizeof *offsets);
    uint64_t table = lay_out(o, offsets);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
    if (!elf || !elf64_newehdr(elf))
        goto done;
    elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
    for (uint32_t i = 1; i < o->section_count; i++)
        if (!add_section(elf, &o->sections[i], offsets[i]))
            goto done;
    is_done = set_counts(elf, o, table) && elf_update(elf, ELF_C_WRITE) >= 0;
done:
    if (!is_done)
        diag_error("cannot write %s: %s", path, elf_errmsg(-1));
    elf_end(elf);
    free(offsets);
    return is_done ? 0 : -1;
}
