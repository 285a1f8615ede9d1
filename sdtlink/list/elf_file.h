/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A read-only view of any ELF file of any class and byte order, for `sdtlink list`: object.h reads
 * only objects of the machines that the tool knows. Headers, symbols and relocations are given in
 * their 64-bit forms, in the byte order of this machine; section contents as they are. Every place
 * it gives out lies inside its section.
 */
#ifndef SDTLINK_LIST_ELF_FILE_H
#define SDTLINK_LIST_ELF_FILE_H

#include "base/mapping.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct list_section {
    const char *name;
    Elf64_Shdr header;
    const uint8_t *data; /* NULL: no bytes in the file */
    size_t size;
    uint32_t rela;      /* ET_REL: the section of relocations that applies to it; 0: none */
    Elf64_Rela *sorted; /* its relocations by offset; made on first use */
    size_t sorted_count;
};

struct list_function {
    uint32_t section;
    uint64_t start, size; /* start: offset in the section */
    const char *name;
};

struct list_elf {
    const char *path;
    int fd;
    void *elf;           /* libelf's handle */
    struct mapping file; /* all of it, if it can be mapped */
    uint16_t type, machine;
    bool is_64, is_big;
    unsigned word;        /* bytes of an address: 4 or 8 */
    Elf64_Phdr *segments; /* the program headers */
    size_t segment_count;
    const Elf64_Phdr **loads; /* those that are PT_LOAD, by address */
    size_t load_count;
    struct list_section *sections;
    uint32_t count;
    uint64_t size;                /* of the file */
    uint32_t symtab;              /* .symtab, or .dynsym if there is none; 0: none */
    uint32_t shndx, stapsdt_base; /* the sections of that type and name; 0: none */
    uint32_t *by_address;         /* the sections that occupy memory */
    uint32_t address_count;
    struct list_function *functions; /* by section and start */
    size_t function_count;
};

struct list_place {
    uint32_t section;   /* 0: in another object */
    uint64_t offset;    /* in the section, or from the symbol */
    const char *symbol; /* if section is 0 */
};

/* -1 after saying why; to be closed in any case. */
int list_elf_open(struct list_elf *elf, const char *path);
void list_elf_close(struct list_elf *elf);

/* The unsigned number of SIZE (1, 2, 4 or 8) bytes in the file's byte order. */
uint64_t list_elf_number(const struct list_elf *elf, const uint8_t *data, size_t size);
/* MEMBER of the structure at DATA, which is of this type in a 64-bit file and of that in others. */
#define LIST_ELF_MEMBER(elf, data, type64, type32, member)                                         \
    ((elf)->is_64                                                                                  \
         ? list_elf_number(elf, (data) + offsetof(type64, member), sizeof((type64 *)NULL)->member) \
         : list_elf_number(elf, (data) + offsetof(type32, member),                                 \
                           sizeof((type32 *)NULL)->member))
/* The PT_LOAD around ADDRESS, which may lie after its bytes in the file; NULL: none. */
const Elf64_Phdr *list_elf_segment(const struct list_elf *elf, uint64_t address);
/* Of struct list_function; for qsort and bsearch. */
int list_elf_by_start(const void *left, const void *right);
/* Whether it is for a machine that this version processes objects of. */
bool list_elf_is_ours(const struct list_elf *elf);
/* Whether an undefined symbol's name starts with PREFIX. */
bool list_elf_has_undefined(const struct list_elf *elf, const char *prefix);
/* The string at a place, to be read by list_text(): it ends inside its section, or is longer than
 * what that copies. NULL: there is none. */
const char *list_elf_string(const struct list_elf *elf, struct list_place place);
/* The symbol of that number; false: there is none. */
bool list_elf_symbol(const struct list_elf *elf, uint32_t index, Elf64_Sym *symbol);
const char *list_elf_symbol_name(const struct list_elf *elf, const Elf64_Sym *symbol);
/* The section a symbol is defined in; 0: undefined, absolute, common or nonsense. */
uint32_t list_elf_symbol_section(const struct list_elf *elf, uint32_t index,
                                 const Elf64_Sym *symbol);

#endif
