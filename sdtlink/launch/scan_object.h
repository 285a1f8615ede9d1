/* SPDX-License-Identifier: BSD-2-Clause */
/* A look into objects: what do their symbols and sections say? For scan.c. */
#ifndef SDTLINK_LAUNCH_SCAN_OBJECT_H
#define SDTLINK_LAUNCH_SCAN_OBJECT_H

#include "elf/view.h"
#include "pieces.h"
#include "scan.h"

/* A look into a file, or into one object after the other of an archive. */
struct look {
    struct pieces pieces;
    struct elf_view elf;    /* of the object */
    uint64_t strings_index; /* the section of the string table that was read last; 0: none */
    struct bytes strings, symbols;
    bool ignores_fat;   /* of the rules */
    bool wants_image;   /* the question can only be answered with all of it in memory */
    bool is_by_symbols; /* only what its symbols say is of interest */
};

/* The bits of the object with header ELF that LOOK's pieces are at. */
unsigned look_at_elf(struct look *look, const Elf64_Ehdr *elf);
/* Whether TEXT is in the SIZE bytes at STRINGS. */
bool look_for_text(const uint8_t *strings, uint64_t size, const char *text);

#endif
