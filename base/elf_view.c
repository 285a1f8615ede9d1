/* SPDX-License-Identifier: BSD-2-Clause */
#include "elf_view.h"

#include "mapping.h"

#include <string.h>

static bool is_inside(const struct elf_view *view, uint64_t offset, uint64_t size)
{
    return offset <= view->size && size <= view->size - offset;
}

static Elf64_Shdr widened(const Elf32_Shdr *header)
{
    return (Elf64_Shdr){.sh_name = header->sh_name,
                        .sh_type = header->sh_type,
                        .sh_flags = header->sh_flags,
                        .sh_addr = header->sh_addr,
                        .sh_offset = header->sh_offset,
                        .sh_size = header->sh_size,
                        .sh_link = header->sh_link,
                        .sh_info = header->sh_info,
                        .sh_addralign = header->sh_addralign,
                        .sh_entsize = header->sh_entsize};
}

bool elf_view_section(const struct elf_view *view, uint64_t index, Elf64_Shdr *header)
{
    Elf32_Shdr narrow;
    bool is_narrow = view->header.e_ident[EI_CLASS] == ELFCLASS32;
    uint64_t table = view->header.e_shoff;
    size_t size = is_narrow ? sizeof narrow : sizeof *header;
    if (table > view->size || index >= (view->size - table) / size)
        return false;
    void *to = is_narrow ? (void *)&narrow : header;
    if (!view->read(view->from, table + index * size, to, size))
        return false;
    if (is_narrow)
        *header = widened(&narrow);
    return true;
}

static bool start(struct elf_view *view, uint8_t class)
{
    const Elf64_Ehdr *header = &view->header;
    Elf64_Shdr zero;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != class ||
        header->e_ident[EI_DATA] != ELFDATA2LSB)
        return false;
    view->count = header->e_shnum;
    view->names = header->e_shstrndx;
    /* Numbers that have no room in the header are in section 0. */
    bool is_extended = view->count == 0 || view->names == SHN_XINDEX;
    if (is_extended && elf_view_section(view, 0, &zero)) {
        view->count = view->count ? view->count : zero.sh_size;
        view->names = view->names == SHN_XINDEX ? zero.sh_link : view->names;
    }
    return true;
}

bool elf_view_start(struct elf_view *view)
{
    return start(view, ELFCLASS64);
}

bool elf_view_start_narrow(struct elf_view *view)
{
    Elf32_Ehdr narrow;
    memcpy(&narrow, &view->header, sizeof narrow);
    view->header.e_shoff = narrow.e_shoff;
    view->header.e_shnum = narrow.e_shnum;
    view->header.e_shstrndx = narrow.e_shstrndx;
    return start(view, ELFCLASS32);
}

static bool read_memory(void *from, uint64_t offset, void *to, size_t size)
{
    memcpy(to, (const uint8_t *)from + offset, size);
    return true;
}

bool elf_view_open(struct elf_view *view, const void *image, uint64_t size)
{
    Elf64_Shdr names;
    *view = (struct elf_view){
        .read = read_memory, .from = (void *)(uintptr_t)image, .size = size, .image = image};
    if (size < sizeof view->header)
        return false;
    memcpy(&view->header, image, sizeof view->header);
    if (!elf_view_start(view))
        return false;
    const uint8_t *text =
        elf_view_section(view, view->names, &names) ? elf_view_data(view, &names) : NULL;
    if (text && names.sh_size && text[names.sh_size - 1] == 0) {
        view->names_text = (const char *)text;
        view->names_size = names.sh_size;
    }
    return true;
}

bool elf_view_map_fd(struct elf_view *view, int fd)
{
    struct mapping file;
    if (mapping_of(&file, fd))
        return elf_view_open(view, file.data, file.size);
    *view = (struct elf_view){0};
    return false;
}

bool elf_view_map(struct elf_view *view, const char *path)
{
    struct mapping file;
    if (mapping_open(&file, path))
        return elf_view_open(view, file.data, file.size);
    *view = (struct elf_view){0};
    return false;
}

void elf_view_unmap(struct elf_view *view)
{
    mapping_close(&(struct mapping){view->image, view->size});
    *view = (struct elf_view){0};
}

const uint8_t *elf_view_data(const struct elf_view *view, const Elf64_Shdr *header)
{
    bool is_there =
        header->sh_type != SHT_NOBITS && is_inside(view, header->sh_offset, header->sh_size);
    return is_there ? view->image + header->sh_offset : NULL;
}

const char *elf_view_name(const struct elf_view *view, const Elf64_Shdr *header)
{
    return header->sh_name < view->names_size ? view->names_text + header->sh_name : NULL;
}
