/* SPDX-License-Identifier: BSD-2-Clause */
/* The sections of an ELF file for this machine, of unknown origin. */
#ifndef SDT_STOCK_SECTIONS_H
#define SDT_STOCK_SECTIONS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

struct dl_phdr_info;

struct stock_sections {
    int fd;
    Elf64_Shdr *all;
    size_t n;
    char *names;
    size_t names_size;
};

/* The file of OBJECT, open, or a negative number: it has none (the vDSO). */
int stock_sections_open(const struct dl_phdr_info *object);

/* 0 or -EILSEQ: FD is no such file, or damaged. To be freed in any case. */
int stock_sections_read(int fd, struct stock_sections *sections);
void stock_sections_free(struct stock_sections *sections);

bool stock_section_is(const struct stock_sections *sections, const Elf64_Shdr *section,
                      const char *name);
/* What SECTION contains, with a NUL after, to be freed; NULL: it is not there. The caller has
 * checked its size. */
void *stock_section_read(const struct stock_sections *sections, const Elf64_Shdr *section);

#endif
