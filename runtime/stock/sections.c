/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See sections.h. The file is read, not mapped: if a mapped file is truncated, the program ends by
 * SIGBUS.
 */
#define _GNU_SOURCE
#include "sections.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <machine/elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NAMES = 1 << 20 }; /* bytes */

int stock_sections_open(const struct dl_phdr_info *object)
{
    const char *name = object->dlpi_name ? object->dlpi_name : "";
    if (*name && *name != '/')
        return strchr(name, '/') ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    return open(*name ? name : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

/* The SIZE bytes at OFFSET of the file and a NUL, to be freed; NULL: they are not there. */
static void *read_at(int fd, uint64_t offset, uint64_t size)
{
    char *bytes = offset > INT64_MAX ? NULL : calloc(1, size + 1);
    size_t done = 0;
    while (bytes && done < size) {
        ssize_t n = pread(fd, bytes + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            free(bytes);
            return NULL;
        }
        done += (size_t)n;
    }
    return bytes;
}

static bool is_header_right(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
           header->e_machine == MACHINE_ELF && header->e_shentsize == sizeof(Elf64_Shdr) &&
           header->e_shnum > 0 && header->e_shstrndx < header->e_shnum;
}

int stock_sections_read(int fd, struct stock_sections *sections)
{
    Elf64_Ehdr header;
    *sections = (struct stock_sections){.fd = fd};
    if (pread(fd, &header, sizeof header, 0) != sizeof header || !is_header_right(&header))
        return -EILSEQ;
    sections->n = header.e_shnum;
    sections->all = read_at(fd, header.e_shoff, sections->n * sizeof *sections->all);
    if (!sections->all)
        return -EILSEQ;
    const Elf64_Shdr *names = &sections->all[header.e_shstrndx];
    if (names->sh_type != SHT_STRTAB || names->sh_size > MAX_NAMES)
        return -EILSEQ;
    sections->names_size = names->sh_size;
    sections->names = read_at(fd, names->sh_offset, names->sh_size);
    return sections->names ? 0 : -EILSEQ;
}

void stock_sections_free(struct stock_sections *sections)
{
    free(sections->all);
    free(sections->names);
    *sections = (struct stock_sections){0};
}

bool stock_section_is(const struct stock_sections *sections, const Elf64_Shdr *section,
                      const char *name)
{
    return section->sh_name < sections->names_size &&
           strcmp(sections->names + section->sh_name, name) == 0;
}

void *stock_section_read(const struct stock_sections *sections, const Elf64_Shdr *section)
{
    return read_at(sections->fd, section->sh_offset, section->sh_size);
}
