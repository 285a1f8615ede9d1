/* SPDX-License-Identifier: BSD-2-Clause */
#include "crel.h"

enum { HAS_ADDENDS = 4, SHIFT = 3 }; /* in the section's first number */
enum { NEW_SYMBOL = 1, NEW_TYPE = 2, NEW_ADDEND = 4, MORE = 0x80 }; /* in a first byte */

/* A LEB128 number, of which 64 bits count. */
static uint64_t read_number(struct crel *crel, bool is_signed)
{
    uint64_t value = 0;
    for (unsigned shift = 0; crel->at < crel->end; shift += 7) {
        uint8_t byte = *crel->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        if (is_signed && (byte & 0x40) && shift + 7 < 64)
            value |= UINT64_MAX << (shift + 7);
        return value;
    }
    crel->is_damaged = true;
    return 0;
}

bool crel_begin(struct crel *crel, const uint8_t *data, size_t size)
{
    *crel = (struct crel){.at = data, .end = data + size};
    uint64_t head = read_number(crel, false);
    crel->count = head >> 3;
    crel->has_addends = head & HAS_ADDENDS;
    crel->shift = head & SHIFT;
    return !crel->is_damaged && crel->count <= (uint64_t)(crel->end - crel->at);
}

bool crel_next(struct crel *crel, Elf64_Rela *rela)
{
    if (crel->count == 0 || crel->at == crel->end) {
        crel->is_damaged |= crel->count > 0;
        return false;
    }
    uint8_t first = *crel->at++;
    unsigned flag_bits = crel->has_addends ? 3 : 2;
    uint64_t distance = (first & 0x7f) >> flag_bits;
    if (first & MORE)
        distance += read_number(crel, false) << (7 - flag_bits);
    crel->offset += distance;
    if (first & NEW_SYMBOL)
        crel->symbol += (uint32_t)read_number(crel, true);
    if (first & NEW_TYPE)
        crel->type += (uint32_t)read_number(crel, true);
    if (crel->has_addends && (first & NEW_ADDEND))
        crel->addend = (int64_t)((uint64_t)crel->addend + read_number(crel, true));
    crel->count--;
    *rela = (Elf64_Rela){.r_offset = crel->offset << crel->shift,
                         .r_info = ELF64_R_INFO((uint64_t)crel->symbol, crel->type),
                         .r_addend = crel->addend};
    return !crel->is_damaged;
}
