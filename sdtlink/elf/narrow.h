/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Objects of ELF32. All stages see structures of ELF64 and relocations with addends: an object of
 * ELF32 is read into these, and written from them. This is the only place that knows its own.
 *
 * On some machines the relocations of ELF32 have no addends (SHT_REL): the addend is what the
 * relocated field of the section holds. Here it is read from there, and at the end written back to
 * there; so between the two, what a field holds does not count. For a relocation that nobody has
 * changed, that writes what was there.
 */
#ifndef SDTLINK_ELF_NARROW_H
#define SDTLINK_ELF_NARROW_H

#include "object.h"

/* Make the image of an object of ELF32 one of ELF64. Numbers that do not add up stay such that the
 * checks of read.c find them. 0, or -1 after a message. */
int narrow_widen(struct object *object);

/* Make the contents of all sections those of ELF32; only writing comes after it. 0, or -1 after
 * saying what has no room there. */
int narrow_sections(struct object *object);
/* The headers, for writing. */
void narrow_file_header(const Elf64_Ehdr *wide, Elf32_Ehdr *header);
void narrow_section_header(const Elf64_Shdr *wide, Elf32_Shdr *header);

/* Whether FILE, the output, has RELOCATION as number SLOT of the relocations of section S, whose
 * first SIZE bytes at OFFSET are BYTES, but for the addend that is among them. */
bool narrow_is_written(const struct object *object, const uint8_t *file, const struct section *s,
                       uint32_t slot, const Elf64_Rela *relocation, uint64_t offset,
                       const uint8_t *bytes, size_t size);

#endif
