/* SPDX-License-Identifier: BSD-2-Clause */
#include "module_file.h"

#include "base/memory.h"

#include <shared/build_id.h>

#include <stdlib.h>
#include <string.h>

/* Whether build ID, in hexadecimal, is among the notes of a section. */
static bool notes_have(const uint8_t *notes, size_t size, const char *id)
{
    char found[129]; /* runtimes record IDs of 64 bytes at most (unwind/stack_modules.c) */
    build_id_text(notes, size, found, sizeof found);
    return *id && !strcmp(found, id);
}

bool module_file_has_id(const struct elf_view *file, const char *id)
{
    Elf64_Shdr header;
    for (uint64_t i = 0; i < file->count && elf_view_section(file, i, &header); i++) {
        const uint8_t *notes = elf_view_data(file, &header);
        if (notes && header.sh_type == SHT_NOTE && notes_have(notes, header.sh_size, id))
            return true;
    }
    return !*id;
}

char *module_file_kept(const char *trace, const char *id)
{
    bool is_id = *id && !id[strspn(id, "0123456789abcdef")];
    return is_id ? memory_format("%s/../.file-%s", trace, id) : NULL;
}

static bool map(struct elf_view *file, const char *path, const char *id)
{
    if (elf_view_map(file, path) && module_file_has_id(file, id))
        return true;
    elf_view_unmap(file);
    return false;
}

bool module_file_map(struct elf_view *file, const char *path, const char *trace, const char *id)
{
    if (map(file, path, id))
        return true;
    char *kept = module_file_kept(trace, id);
    bool is_there = kept && map(file, kept, id);
    free(kept);
    return is_there;
}
