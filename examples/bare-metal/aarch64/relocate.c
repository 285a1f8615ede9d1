/* SPDX-License-Identifier: BSD-2-Clause */
/* ELF for the Arm 64-bit Architecture (aaelf64), "Relocation": those that gcc writes for a kernel
 * without a GOT. */
#include "../elf64.h"

#include <stddef.h>

const uint16_t machine_elf = 183; /* EM_AARCH64 */

enum {
    R_AARCH64_NONE = 0,
    R_AARCH64_ABS64 = 257,
    R_AARCH64_ABS32 = 258,
    R_AARCH64_PREL64 = 260,
    R_AARCH64_PREL32 = 261,
    R_AARCH64_ADR_PREL_LO21 = 274,
    R_AARCH64_ADR_PREL_PG_HI21 = 275,
    R_AARCH64_ADD_ABS_LO12_NC = 277,
    R_AARCH64_LDST8_ABS_LO12_NC = 278,
    R_AARCH64_CONDBR19 = 280,
    R_AARCH64_JUMP26 = 282,
    R_AARCH64_CALL26 = 283,
    R_AARCH64_LDST16_ABS_LO12_NC = 284,
    R_AARCH64_LDST32_ABS_LO12_NC = 285,
    R_AARCH64_LDST64_ABS_LO12_NC = 286
};

/* Put BITS of VALUE into the instruction at PLACE, from SHIFT on. */
static int put(unsigned char *place, uint64_t value, unsigned bits, unsigned shift)
{
    uint32_t *word = (uint32_t *)place, mask = ((1u << bits) - 1) << shift;
    *word = (*word & ~mask) | ((uint32_t)(value << shift) & mask);
    return 0;
}

/* The same with a distance, which must have that many bits. */
static int put_signed(unsigned char *place, int64_t distance, unsigned bits, unsigned shift)
{
    int64_t limit = (int64_t)1 << (bits - 1);
    if (distance < -limit || distance >= limit)
        return -1;
    return put(place, (uint64_t)distance, bits, shift);
}

static int put_adr(unsigned char *place, int64_t distance)
{
    int64_t limit = (int64_t)1 << 20;
    if (distance < -limit || distance >= limit)
        return -1;
    put(place, (uint64_t)distance & 3, 2, 29);
    return put(place, (uint64_t)(distance >> 2), 19, 5);
}

/* One that may be unaligned. */
static int put_word(unsigned char *place, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        place[i] = (unsigned char)(value >> (8 * i));
    return 0;
}

int relocate(const struct relocations *all, unsigned type, unsigned char *place, uint64_t value)
{
    int64_t distance = (int64_t)(value - (uintptr_t)place);
    int64_t pages = ((int64_t)(value >> 12) - (int64_t)((uintptr_t)place >> 12));
    (void)all;
    switch (type) {
    case R_AARCH64_NONE:
        return 0;
    case R_AARCH64_ABS64:
        return put_word(place, value, 8);
    case R_AARCH64_PREL64:
        return put_word(place, (uint64_t)distance, 8);
    case R_AARCH64_ABS32:
        return value >> 32 ? -1 : put_word(place, value, 4);
    case R_AARCH64_PREL32:
        return distance != (int32_t)distance ? -1 : put_word(place, (uint64_t)distance, 4);
    case R_AARCH64_ADR_PREL_LO21:
        return put_adr(place, distance);
    case R_AARCH64_ADR_PREL_PG_HI21:
        return put_adr(place, pages);
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC:
        return put(place, value & 4095, 12, 10);
    case R_AARCH64_LDST16_ABS_LO12_NC:
        return put(place, (value & 4095) >> 1, 12, 10);
    case R_AARCH64_LDST32_ABS_LO12_NC:
        return put(place, (value & 4095) >> 2, 12, 10);
    case R_AARCH64_LDST64_ABS_LO12_NC:
        return put(place, (value & 4095) >> 3, 12, 10);
    case R_AARCH64_CONDBR19:
        return put_signed(place, distance >> 2, 19, 5);
    case R_AARCH64_JUMP26:
    case R_AARCH64_CALL26:
        return put_signed(place, distance >> 2, 26, 0);
    default:
        return -1;
    }
}
