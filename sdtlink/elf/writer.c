/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing, as fast as copying. Most of a big object is unchanged and keeps its place in the file.
 * So the output begins as a copy of the input, which the kernel makes while sites are still being
 * searched (copier.h). Pages that were changed in memory are written over it. Sections that grew
 * and new sections follow, and then the section table. The old bytes of a section that moved belong
 * to no section; large ones that are likely to move are not copied until their place is known. A
 * small input is not copied but laid out anew and written from memory, so that no such bytes are
 * left: they would be a quarter of an object of many probes.
 *
 * elf_update() would do the same job with one write per section: for an object of 190 MB with
 * 257 000 sections, 340 000 writes, which alone took three times as long as copying the file. So
 * libelf's part here is to encode the headers.
 */
#include "writer.h"

#include "add.h"
#include "base/diag.h"
#include "narrow.h"
#include "reindex.h"
#include "symbol_names.h"

#include <libelf.h>
#include <stdlib.h>
#include <string.h>

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) & ~(align - 1) : value;
}

/* Readers that map the file ask for no more than a page; a damaged file may. */
enum { MAX_ALIGN = 4096 };
/* Below this, the kernel's copy costs more than to write the bytes, which have been read. */
enum { WORTH_A_COPY = 1 << 16, WORTH_AN_EARLY_COPY = 1 << 20 };

static bool has_bytes(const struct section *s)
{
    return s->header.sh_type != SHT_NULL && s->header.sh_type != SHT_NOBITS;
}

/* ---- the copy of the input ---- */

void writer_begin(struct object *o, struct output *output)
{
    struct byte_range early[MAX_POSTPONED + 1];
    size_t count = 0;
    uint64_t at = 0;
    if (!o->is_mapped || o->size < WORTH_AN_EARLY_COPY)
        return;
    o->postponed_count = postponed_find(o->image, o->size, o->arch->unwind_type, o->postponed);
    for (size_t i = 0; i < o->postponed_count; i++) {
        struct byte_range bytes = o->postponed[i].bytes;
        if (bytes.start > at)
            early[count++] = (struct byte_range){at, bytes.start};
        if (bytes.end > at)
            at = bytes.end;
    }
    early[count++] = (struct byte_range){at, o->size};
    output_begin_copy(output, o->fd, early, count);
}

static int copy_postponed(const struct object *o, struct output *output, const struct postponed *it)
{
    return output_copy(output, o->fd, it->bytes, it->bytes.start);
}

int writer_write_unchanged(const struct object *o, struct output *output)
{
    if (!output->copier)
        return output_copy(output, o->fd, (struct byte_range){0, o->file_size}, 0);
    if (output_end_copy(output) != 0)
        return -1;
    for (size_t i = 0; i < o->postponed_count; i++)
        if (copy_postponed(o, output, &o->postponed[i]) != 0)
            return -1;
    return 0;
}

/* ---- the layout ---- */

/* How the output differs from the input. */
struct layout {
    bool is_copied;  /* the input was: most of it stays where it is */
    uint32_t *moved; /* sections that grew, are new or have no copy, in order */
    uint32_t count;
    uint64_t old_end; /* of those that stay where they were */
    uint64_t table;   /* the section table */
};

/*
 * Settle every section's offset; those of an input that was copied stay, if they can. This is the
 * only place that asks all of them: an object compiled with -ffunction-sections has hundreds of
 * thousands, and nearly all stay.
 */
static void lay_out(struct object *o, struct layout *layout)
{
    layout->moved = memory_zeroed(o->section_count, sizeof *layout->moved);
    for (uint32_t i = 1; i < o->section_count; i++) {
        struct section *s = &o->sections[i];
        s->offset = s->header.sh_offset;
        if (!layout->is_copied || i >= o->input_sections || s->tail.size > 0)
            layout->moved[layout->count++] = i;
        else if (has_bytes(s) && s->offset + s->size > layout->old_end)
            layout->old_end = s->offset + s->size;
    }
    uint64_t end = layout->old_end;
    for (uint32_t i = 0; i < layout->count; i++) {
        struct section *s = &o->sections[layout->moved[i]];
        uint64_t align = s->header.sh_addralign;
        s->offset = align_up(end, align < MAX_ALIGN ? align : MAX_ALIGN);
        end = s->offset + (has_bytes(s) ? section_size(s) : 0);
    }
    layout->table = align_up(end, sizeof(Elf64_Xword));
}

/*
 * Copy what was postponed, and stays. What moved leaves a hole where it was, unless something else
 * is written there. So does the old section table, but not if it is between sections, or even
 * inside of one.
 */
static int copy_what_stays(const struct object *o, struct output *output,
                           const struct layout *layout)
{
    for (size_t i = 0; i < o->postponed_count; i++) {
        const struct postponed *it = &o->postponed[i];
        bool is_gone = it->section ? o->sections[it->section].tail.size > 0
                                   : it->bytes.start >= layout->old_end;
        if (!is_gone && copy_postponed(o, output, it) != 0)
            return -1;
    }
    return 0;
}

/* ---- the contents ---- */

/* Write bytes [start, end) of the input's image to TO, but only the pages that were changed. */
static int write_changes(const struct object *o, struct output *output, uint64_t start,
                         uint64_t end, uint64_t to)
{
    uint64_t at = object_next_change(o, start, end);
    while (at < end) {
        uint64_t stop = object_end_of_change(o, at, end);
        if (output_put(output, o->image + at, stop - at, to + (at - start)) != 0)
            return -1;
        at = object_next_change(o, stop, end);
    }
    return 0;
}

/*
 * Write the old bytes of a section that moved to its new place: of a small one, or of an input that
 * is in memory, together with its neighbours.
 */
static int write_moved(const struct object *o, struct output *output, const struct layout *layout,
                       const struct section *s)
{
    uint64_t start = s->header.sh_offset, end = start + s->size;
    if (s->size < WORTH_A_COPY || !layout->is_copied)
        return output_put(output, s->data, s->size, s->offset);
    if (output_copy(output, o->fd, (struct byte_range){start, end}, s->offset) != 0)
        return -1;
    return write_changes(o, output, start, end, s->offset);
}

/*
 * Write what moved or is new. These sections follow each other; the padding between them is also
 * written, to get long writes.
 */
static int write_new(const struct object *o, struct output *output, const struct layout *layout)
{
    static const uint8_t zeros[MAX_ALIGN];
    uint64_t end = layout->old_end;
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct section *s = &o->sections[layout->moved[i]];
        if (!has_bytes(s))
            continue;
        if (s->offset - end <= sizeof zeros && output_put(output, zeros, s->offset - end, end) != 0)
            return -1;
        if (write_moved(o, output, layout, s) != 0 ||
            output_put(output, s->tail.data, s->tail.size, s->offset + s->size) != 0)
            return -1;
        end = s->offset + section_size(s);
    }
    return 0;
}

/* ---- the headers ---- */

/* The headers of O at DATA, SIZE bytes of TYPE, in place. */
static int encode(const struct object *o, void *data, size_t size, Elf_Type type)
{
    Elf_Data item = {.d_buf = data, .d_size = size, .d_type = type, .d_version = EV_CURRENT};
    Elf_Data encoded = item;
    if (!(object_is_narrow(o) ? elf32_xlatetof : elf64_xlatetof)(&encoded, &item, ELFDATA2LSB))
        return diag_error("cannot encode a header: %s", elf_errmsg(-1));
    return 0;
}

static size_t file_header_size(const struct object *o)
{
    return object_is_narrow(o) ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);
}

static size_t section_header_size(const struct object *o)
{
    return object_is_narrow(o) ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr);
}

static Elf64_Shdr section_header(const struct object *o, uint32_t i)
{
    const struct section *s = &o->sections[i];
    Elf64_Shdr header = s->header;
    if (i == 0) { /* More sections than 16 bits can say: section 0 says it. */
        header = (Elf64_Shdr){
            .sh_size = o->section_count < SHN_LORESERVE ? 0 : o->section_count,
            .sh_link = o->shstrtab < SHN_LORESERVE ? 0 : o->shstrtab,
        };
    } else {
        header.sh_offset = s->offset;
        header.sh_size = has_bytes(s) ? section_size(s) : s->header.sh_size;
    }
    return header;
}

/* Those that are written at a time. */
enum { BLOCK = 512 };
union headers {
    Elf64_Shdr wide[BLOCK];
    Elf32_Shdr narrow[BLOCK];
};

static int write_table(const struct object *o, struct output *output, const struct layout *layout)
{
    union headers block;
    const bool is_narrow = object_is_narrow(o);
    const size_t size = section_header_size(o);
    for (uint32_t first = 0; first < o->section_count;) {
        uint32_t count = 0;
        while (count < BLOCK && first + count < o->section_count) {
            if (is_narrow) {
                const Elf64_Shdr header = section_header(o, first + count);
                narrow_section_header(&header, &block.narrow[count]);
            } else {
                block.wide[count] = section_header(o, first + count);
            }
            count++;
        }
        if (encode(o, &block, count * size, ELF_T_SHDR) != 0 ||
            output_put(output, &block, count * size, layout->table + first * size) != 0)
            return -1;
        first += count;
    }
    return 0;
}

/* Of an input, in its place there: it is written with what stays. */
static int write_header(struct object *o, struct output *output, const struct layout *layout)
{
    Elf64_Ehdr header = o->header;
    header.e_shoff = layout->table;
    header.e_shnum = o->section_count < SHN_LORESERVE ? (uint16_t)o->section_count : 0;
    header.e_shstrndx = o->shstrtab < SHN_LORESERVE ? (uint16_t)o->shstrtab : SHN_XINDEX;
    union {
        Elf64_Ehdr wide;
        Elf32_Ehdr narrow;
    } encoded = {.wide = header};
    const size_t size = file_header_size(o);
    if (object_is_narrow(o))
        narrow_file_header(&header, &encoded.narrow);
    if (encode(o, &encoded, size, ELF_T_EHDR) != 0)
        return -1;
    if (!o->image)
        return output_put(output, &encoded, size, 0);
    memcpy(o->image, &encoded, size);
    object_note_change(o, o->image, size);
    return 0;
}

/* Write what stays where it was, over the copy: without one it is the header. */
static int write_old(const struct object *o, struct output *output, const struct layout *layout)
{
    if (!o->image)
        return 0;
    if (!layout->is_copied)
        return output_put(output, o->image, layout->old_end, 0);
    /* Must be after the copy of the input, which is written over here. */
    if (output_end_copy(output) != 0 || copy_what_stays(o, output, layout) != 0)
        return -1;
    return write_changes(o, output, 0, layout->old_end, 0);
}

int writer_write(struct object *o, struct output *output)
{
    struct layout layout = {.is_copied = output->copier, .old_end = file_header_size(o)};
    int result = -1;
    elf_version(EV_CURRENT);
    if (!layout.is_copied)
        symbol_names_compact(o);
    if (object_is_narrow(o) && narrow_sections(o) != 0)
        return -1;
    lay_out(o, &layout);
    o->output_size = layout.table + o->section_count * section_header_size(o);
    output_reserve(output, (struct byte_range){layout.old_end, o->output_size});
    if (write_header(o, output, &layout) == 0 && write_old(o, output, &layout) == 0 &&
        write_new(o, output, &layout) == 0 && write_table(o, output, &layout) == 0)
        result = output_finish(output, o->output_size);
    free(layout.moved);
    return result;
}

int writer_write_created(struct object *object, const char *path)
{
    struct output output = {.fd = -1};
    int result = -1;
    object_add_stack_note(object);
    reindex(object);
    if (output_open(&output, path, object->mode) == 0 && writer_write(object, &output) == 0)
        result = output_commit(&output);
    output_abandon(&output);
    object_close(object);
    return result;
}
