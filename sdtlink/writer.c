/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing, as fast as copying. Nearly all of a big object leaves as it came, and stays where it
 * was in the file: the kernel copies it from file to file (copy_file_range), in a few long ranges.
 * Over that go the pages that were changed in memory. Sections that grew and sections that are new
 * follow behind, and then the section table. Where a section moved away, a hole is left: a sparse
 * one, without blocks on the disk, if it is large.
 *
 * elf_update() would do the same job with one write per section: for an object of 190 MB with
 * 257 000 sections, 340 000 writes, which alone took three times as long as copying the file. So
 * libelf's part here is to encode the headers.
 */
#include "diag.h"
#include "object.h"
#include "output.h"

#include <libelf.h>
#include <stdlib.h>
#include <string.h>

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) & ~(align - 1) : value;
}

/* A section that was there before and did not grow stays where it was. */
static bool stays(const struct object *o, uint32_t i)
{
    return i < o->input_sections && o->sections[i].tail.size == 0;
}

static bool has_bytes(const struct section *s)
{
    return s->header.sh_type != SHT_NULL && s->header.sh_type != SHT_NOBITS;
}

/* Settle every section's offset in the output. Returns the end of what stays. */
static uint64_t lay_out(struct object *o)
{
    uint64_t old = sizeof(Elf64_Ehdr);
    for (uint32_t i = 1; i < o->section_count; i++) {
        struct section *s = &o->sections[i];
        s->offset = s->header.sh_offset;
        if (stays(o, i) && has_bytes(s) && s->offset + s->size > old)
            old = s->offset + s->size;
    }
    uint64_t end = old;
    for (uint32_t i = 1; i < o->section_count; i++) {
        struct section *s = &o->sections[i];
        if (stays(o, i))
            continue;
        s->offset = align_up(end, s->header.sh_addralign);
        end = s->offset + (has_bytes(s) ? section_size(s) : 0);
    }
    o->table = align_up(end, sizeof(Elf64_Xword));
    return old;
}

/* ---- what stays ---- */

/* Bytes [start, end) of the file. */
struct range {
    uint64_t start, end;
};

static int compare_ranges(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

/* Copy RANGE, then write over it those of its pages that were changed in memory. */
static int write_range(const struct object *o, struct output *output, struct range range)
{
    if (range.start >= range.end)
        return 0;
    if (output_copy(output, o->fd, o->image, range.start, range.end) != 0)
        return -1;
    uint64_t at = object_next_change(o, range.start, range.end);
    while (at < range.end) {
        uint64_t end = object_end_of_change(o, at, range.end);
        if (output_put(output, o->image + at, end - at, at) != 0)
            return -1;
        at = object_next_change(o, end, range.end);
    }
    return 0;
}

/* The input up to END, but for the sections that move: holes are left there. */
static int write_old(const struct object *o, struct output *output, uint64_t end)
{
    size_t count = 0;
    for (uint32_t i = 1; i < o->input_sections; i++)
        count += !stays(o, i);
    struct range *holes = memory_zeroed(count, sizeof *holes);
    count = 0;
    for (uint32_t i = 1; i < o->input_sections; i++)
        if (!stays(o, i) && o->sections[i].size)
            holes[count++] = (struct range){o->sections[i].header.sh_offset,
                                            o->sections[i].header.sh_offset + o->sections[i].size};
    if (count)
        qsort(holes, count, sizeof *holes, compare_ranges);

    int result = 0;
    uint64_t at = sizeof(Elf64_Ehdr);
    for (size_t i = 0; i < count && result == 0; i++) {
        uint64_t stop = holes[i].start < end ? holes[i].start : end;
        result = write_range(o, output, (struct range){at, stop});
        at = holes[i].end;
    }
    free(holes);
    return result == 0 ? write_range(o, output, (struct range){at, end}) : -1;
}

/* ---- what moved or is new ---- */

/* They follow each other; the padding between them is written too, to get long writes. */
static int write_new(const struct object *o, struct output *output, uint64_t end)
{
    static const uint8_t zeros[4096];
    for (uint32_t i = 1; i < o->section_count; i++) {
        const struct section *s = &o->sections[i];
        if (stays(o, i) || !has_bytes(s))
            continue;
        if (s->offset - end <= sizeof zeros && output_put(output, zeros, s->offset - end, end) != 0)
            return -1;
        if (output_put(output, s->data, s->size, s->offset) != 0 ||
            output_put(output, s->tail.data, s->tail.size, s->offset + s->size) != 0)
            return -1;
        end = s->offset + section_size(s);
    }
    return 0;
}

/* ---- the headers ---- */

/* Encode COUNT items of TYPE at DATA, SIZE bytes in all, for the file, and write them at OFFSET. */
static int write_encoded(struct output *output, void *data, size_t size, Elf_Type type,
                         uint64_t offset)
{
    Elf_Data item = {.d_buf = data, .d_size = size, .d_type = type, .d_version = EV_CURRENT};
    Elf_Data encoded = item;
    if (!elf64_xlatetof(&encoded, &item, ELFDATA2LSB))
        return diag_error("cannot encode a header: %s", elf_errmsg(-1));
    return output_put(output, data, size, offset);
}

static int write_table(const struct object *o, struct output *output)
{
    Elf64_Shdr *table = memory_zeroed(o->section_count, sizeof *table);
    for (uint32_t i = 1; i < o->section_count; i++) {
        const struct section *s = &o->sections[i];
        table[i] = s->header;
        table[i].sh_offset = s->offset;
        if (s->header.sh_type != SHT_NOBITS)
            table[i].sh_size = section_size(s);
    }
    /* More sections than 16 bits can say: section 0 says it. */
    table[0].sh_size = o->section_count < SHN_LORESERVE ? 0 : o->section_count;
    table[0].sh_link = o->shstrtab < SHN_LORESERVE ? 0 : o->shstrtab;
    int result =
        write_encoded(output, table, o->section_count * sizeof *table, ELF_T_SHDR, o->table);
    free(table);
    return result;
}

static int write_header(const struct object *o, struct output *output)
{
    Elf64_Ehdr header = o->header;
    header.e_shoff = o->table;
    header.e_shnum = o->section_count < SHN_LORESERVE ? (uint16_t)o->section_count : 0;
    header.e_shstrndx = o->shstrtab < SHN_LORESERVE ? (uint16_t)o->shstrtab : SHN_XINDEX;
    return write_encoded(output, &header, sizeof header, ELF_T_EHDR, 0);
}

int writer_write(struct object *o, struct output *output)
{
    elf_version(EV_CURRENT);
    uint64_t end = lay_out(o);
    /* Must be in this order: the header lies in front of the old bytes, on their first page. */
    if (write_old(o, output, end) != 0 || write_new(o, output, end) != 0 ||
        write_table(o, output) != 0 || write_header(o, output) != 0)
        return -1;
    return output_flush(output);
}
