/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The section headers of an ELF file about which nothing is known yet, in memory or read
 * piece by piece. For quick reading: every number is checked when it is used, a damaged file has
 * fewer sections or none, and nothing is reported. object.h and list/elf_file.h check everything
 * and report errors.
 */
#ifndef SDT_BASE_ELF_VIEW_H
#define SDT_BASE_ELF_VIEW_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_view {
    /* SIZE bytes at OFFSET, which lie in the file; false: they cannot be read. */
    bool (*read)(void *from, uint64_t offset, void *to, size_t size);
    void *from;
    uint64_t size; /* of the file */
    Elf64_Ehdr header;
    uint64_t count;         /* of sections, as the file says */
    uint64_t names;         /* the one with their names, as the file says */
    const uint8_t *image;   /* the file, if it is in memory … */
    const char *names_text; /* … and its names, if they end in a NUL */
    uint64_t names_size;
};

/* A file of SIZE bytes in memory. False: its header is not that of a 64-bit little-endian file. */
bool elf_view_open(struct elf_view *view, const void *image, uint64_t size);
/* The same of the regular file FD or PATH, mapped until elf_view_unmap(), also if this returns
 * false. FD can be closed before. */
bool elf_view_map_fd(struct elf_view *view, int fd);
bool elf_view_map(struct elf_view *view, const char *path);
void elf_view_unmap(struct elf_view *view);
/* The same of a VIEW with `read`, `from`, `size` and `header`; fills in count and names. */
bool elf_view_start(struct elf_view *view);
/* The same of a 32-bit file, whose header is at the beginning of `header`: that becomes one of 64
 * bits, and so does what elf_view_section() reads. Contents stay as they are. */
bool elf_view_start_narrow(struct elf_view *view);
/* Header INDEX of the table, which may lie after `count`. False: it is not in the file. */
bool elf_view_section(const struct elf_view *view, uint64_t index, Elf64_Shdr *header);

/* In memory: the contents of a section, and its name; NULL: not (all) in the file. */
const uint8_t *elf_view_data(const struct elf_view *view, const Elf64_Shdr *header);
const char *elf_view_name(const struct elf_view *view, const Elf64_Shdr *header);

#endif
