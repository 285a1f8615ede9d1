/* SPDX-License-Identifier: BSD-2-Clause */
#include "crel.h"

#include "base/crel.h"

#include <stdlib.h>
#include <sys/mman.h>

static Elf64_Shdr header_of(const struct object *o, uint32_t i)
{
    Elf64_Shdr header;
    memcpy(&header, o->image + o->header.e_shoff + i * sizeof header, sizeof header);
    return header;
}

static bool is_inside(const struct object *o, const Elf64_Shdr *header)
{
    return header->sh_offset <= o->size && header->sh_size <= o->size - header->sh_offset;
}

/* The relocations of CREL as Elf64_Rela, to the end of TO. */
static void decode(struct crel *crel, struct bytes *to)
{
    Elf64_Rela rela;
    while (crel_next(crel, &rela))
        bytes_append(to, &rela, sizeof rela);
}

/* `.crel.text` becomes `.rela.text`: the names are equally long. */
static void rename_section(const struct object *o, const Elf64_Shdr *names,
                           const Elf64_Shdr *header)
{
    static const char from[] = ".crel", to[] = ".rela";
    if (!is_inside(o, names) || header->sh_name >= names->sh_size ||
        names->sh_size - header->sh_name < sizeof from - 1)
        return;
    uint8_t *name = o->image + names->sh_offset + header->sh_name;
    if (memcmp(name, from, sizeof from - 1) == 0)
        memcpy(name, to, sizeof to - 1);
}

/* The image, with MORE after it. */
static void grow(struct object *o, const struct bytes *more)
{
    uint8_t *image = memory_resize(NULL, o->size + more->size, 1);
    memcpy(image, o->image, o->size);
    memcpy(image + o->size, more->data, more->size);
    if (o->is_mapped)
        munmap(o->image, object_mapped_size(o));
    else
        free(o->image);
    o->image = image;
    o->is_mapped = false;
    o->size += more->size;
}

/* Append the relocations of section I to MORE, and say so in its header. */
static int expand(const struct object *o, uint32_t i, struct bytes *more, uint64_t *left)
{
    Elf64_Shdr header = header_of(o, i), names = header_of(o, o->shstrtab);
    struct crel crel;
    size_t start = more->size;
    if (!is_inside(o, &header))
        return object_damaged(o, i, "its contents lie outside the file");
    if (header.sh_size > *left)
        return object_damaged(o, i, "it overlaps other sections");
    *left -= header.sh_size;
    if (!crel_begin(&crel, o->image + header.sh_offset, header.sh_size))
        crel.is_damaged = true;
    else if (!crel.has_addends)
        return 0;
    else
        decode(&crel, more);
    if (crel.is_damaged)
        return object_damaged(o, i, "it has fewer relocations than it says");
    header.sh_type = SHT_RELA;
    header.sh_offset = o->size + start;
    header.sh_size = more->size - start;
    header.sh_entsize = sizeof(Elf64_Rela);
    header.sh_addralign = 8;
    rename_section(o, &names, &header);
    memcpy(o->image + o->header.e_shoff + i * sizeof header, &header, sizeof header);
    return 0;
}

int crel_expand(struct object *o)
{
    struct bytes more = {0};
    uint64_t left = o->size;
    static const uint8_t zeros[8];
    int result = 0;
    for (uint32_t i = 1; i < o->input_sections && result == 0; i++) {
        if (header_of(o, i).sh_type != SHT_CREL)
            continue;
        if (more.size == 0) /* aligned in the file */
            bytes_append(&more, zeros, -o->size & 7);
        result = expand(o, i, &more, &left);
    }
    if (result == 0 && more.size)
        grow(o, &more);
    bytes_free(&more);
    return result;
}
