/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CREL: relocations as differences, in LEB128 numbers. clang 20 and later write them with
 * `-Wa,--crel,--allow-experimental-crel`.
 *
 * A section begins with a number: how many relocations, whether they have addends, and by how many
 * bits offsets are shifted. Each relocation is a byte, which says what differs from the one before
 * and holds the lowest bits of the distance, and then what does.
 */
#ifndef SDT_BASE_CREL_H
#define SDT_BASE_CREL_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The section type; older <elf.h> do not have it. Tools for other systems may use the number. */
#ifndef SHT_CREL
#define SHT_CREL 0x40000014
#endif

struct crel {
    const uint8_t *at, *end;
    uint64_t count; /* of those that are left */
    bool has_addends;
    bool is_damaged; /* crel_next() has found the end before the last one */
    unsigned shift;
    uint64_t offset;
    uint32_t symbol, type;
    int64_t addend;
};

/* The section's SIZE bytes at DATA. False: they are damaged. There are no more relocations than
 * bytes. */
bool crel_begin(struct crel *crel, const uint8_t *data, size_t size);
/* The next relocation, of a 64-bit object. False: there is none. */
bool crel_next(struct crel *crel, Elf64_Rela *rela);

#endif
