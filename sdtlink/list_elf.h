/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A read-only view of any 64-bit little-endian ELF file, for `sdtlink list`: object.h knows
 * relocatable objects only. Every place it gives out lies inside its section.
 */
#ifndef SDTLINK_LIST_ELF_H
#define SDTLINK_LIST_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct list_section {
    const char *name;
    Elf64_Shdr header;
    const uint8_t *data; /* NULL: no bytes in the file */
    size_t size;
    uint32_t rela;      /* ET_REL: the SHT_RELA section that applies to it; 0: none */
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
    void *elf; /* libelf's handle */
    uint16_t type, machine;
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

int list_elf_open(struct list_elf *elf, const char *path);
void list_elf_close(struct list_elf *elf);

/* What the 32-bit (or, for relocated 64-bit words, wider) field leads to. 1: a place; 0: nothing
 * (the word is 0); -1: out of the file or not understood, nothing was said. */
int list_elf_follow(struct list_elf *elf, uint32_t section, uint64_t offset,
                    struct list_place *place);
/* The section around an address of a linked file, 0: none. */
uint32_t list_elf_section_at(const struct list_elf *elf, uint64_t address);
/* The string at a place, to be read by list_text(): it ends inside its section, or is longer than
 * what that copies. NULL: there is none. */
const char *list_elf_string(const struct list_elf *elf, struct list_place place);
/* The function around a place, NULL: unknown. */
const char *list_elf_function(const struct list_elf *elf, struct list_place place);
/* The relocation at exactly OFFSET, ignoring R_*_NONE; NULL: none. */
const Elf64_Rela *list_elf_rela(struct list_elf *elf, uint32_t index, uint64_t offset);
/* Whether an undefined symbol's name starts with PREFIX. */
bool list_elf_has_undefined(const struct list_elf *elf, const char *prefix);
/* What the symbol and addend of RELA say. */
int list_elf_target(const struct list_elf *elf, const Elf64_Rela *rela, struct list_place *place);

#endif
