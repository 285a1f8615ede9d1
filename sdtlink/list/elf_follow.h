/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a field of an ELF file leads: to a place in a section, a symbol, a function. */
#ifndef SDTLINK_LIST_ELF_FOLLOW_H
#define SDTLINK_LIST_ELF_FOLLOW_H

#include "elf_file.h"

/* What the 32-bit (or, for relocated 64-bit words, wider) field leads to. 1: a place; 0: nothing
 * (the word is 0); -1: out of the file or not understood, without a message. */
int list_elf_follow(struct list_elf *elf, uint32_t section, uint64_t offset,
                    struct list_place *place);
/* The section around an address of a linked file, 0: none. */
uint32_t list_elf_section_at(const struct list_elf *elf, uint64_t address);
struct list_place list_elf_place(const struct list_elf *elf, uint64_t address);
/* The function around a place, NULL: unknown. */
const char *list_elf_function(const struct list_elf *elf, struct list_place place);
/* The relocation at exactly OFFSET, ignoring R_*_NONE; NULL: none. */
const Elf64_Rela *list_elf_rela(struct list_elf *elf, uint32_t index, uint64_t offset);
/* The 32-bit word at OFFSET (inside the section) that says how far two labels are apart. */
uint32_t list_elf_distance(struct list_elf *elf, uint32_t index, uint64_t offset);
/* What the symbol and addend of RELA say. */
int list_elf_target(const struct list_elf *elf, const Elf64_Rela *rela, struct list_place *place);

#endif
