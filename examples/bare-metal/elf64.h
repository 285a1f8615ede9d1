/* SPDX-License-Identifier: BSD-2-Clause */
/* What loader.c reads of an object: System V ABI, chapter 4, under its names. */
#ifndef ELF64_H
#define ELF64_H

#include <stdint.h>

struct elf_header {
    unsigned char ident[16];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, phoff, shoff;
    uint32_t flags;
    uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};

struct elf_section {
    uint32_t name, type;
    uint64_t flags, addr, offset, size;
    uint32_t link, info;
    uint64_t addralign, entsize;
};

struct elf_symbol {
    uint32_t name;
    unsigned char info, other;
    uint16_t shndx;
    uint64_t value, size;
};

struct elf_rela {
    uint64_t offset, info; /* symbol << 32 | type */
    int64_t addend;
};

enum {
    ET_REL = 1,
    SHT_SYMTAB = 2,
    SHT_RELA = 4,
    SHT_NOBITS = 8,
    SHF_WRITE = 1,
    SHF_ALLOC = 2,
    SHF_EXECINSTR = 4,
    SHN_UNDEF = 0,
    SHN_LORESERVE = 0xff00,
    SHN_ABS = 0xfff1
};

/* The relocations of one section. */
struct relocations;
/* Symbol and addend of the first one at PLACE that has any; 0: there is none. */
uint64_t relocations_value(const struct relocations *all, uint64_t place);

/* relocate.c of each machine: apply one of ALL at PLACE, whose symbol and addend are VALUE. 0; -1:
 * it is of a type that this kernel does not know, or VALUE is out of its range. */
int relocate(const struct relocations *all, unsigned type, unsigned char *place, uint64_t value);
extern const uint16_t machine_elf; /* EM_… */

#endif
