/* SPDX-License-Identifier: BSD-2-Clause */
/* RISC-V ABIs Specification, "Relocations": those that gcc writes for a kernel without a GOT.
 * Nothing is relaxed here. */
#include "../elf64.h"

#include <stdbool.h>
#include <stddef.h>

const uint16_t machine_elf = 243; /* EM_RISCV */

enum {
    R_RISCV_NONE = 0,
    R_RISCV_32 = 1,
    R_RISCV_64 = 2,
    R_RISCV_BRANCH = 16,
    R_RISCV_JAL = 17,
    R_RISCV_CALL = 18,
    R_RISCV_CALL_PLT = 19,
    R_RISCV_PCREL_HI20 = 23,
    R_RISCV_PCREL_LO12_I = 24,
    R_RISCV_PCREL_LO12_S = 25,
    R_RISCV_ADD32 = 35,
    R_RISCV_ADD64 = 36,
    R_RISCV_SUB32 = 39,
    R_RISCV_SUB64 = 40,
    R_RISCV_RVC_BRANCH = 44,
    R_RISCV_RVC_JUMP = 45,
    R_RISCV_RELAX = 51,
    R_RISCV_32_PCREL = 57
};

static uint64_t get_bytes(const unsigned char *place, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)place[i] << (8 * i);
    return value;
}

static int put_bytes(unsigned char *place, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        place[i] = (unsigned char)(value >> (8 * i));
    return 0;
}

/* Replace the bits of MASK by those of IMMEDIATE in the instruction of SIZE bytes. */
static int put(unsigned char *place, uint32_t mask, uint32_t immediate, size_t size)
{
    uint32_t word = (uint32_t)get_bytes(place, size);
    return put_bytes(place, (word & ~mask) | (immediate & mask), size);
}

static bool fits(int64_t distance, unsigned bits)
{
    int64_t limit = (int64_t)1 << (bits - 1);
    return distance >= -limit && distance < limit;
}

/* Bits HIGH to LOW of VALUE, moved to bit AT. */
static uint32_t bits(int64_t value, unsigned high, unsigned low, unsigned at)
{
    return ((uint32_t)(value >> low) & ((1u << (high - low + 1)) - 1)) << at;
}

/* auipc, to which the signed lower 12 bits are added. */
static int put_high(unsigned char *place, int64_t distance)
{
    if (!fits(distance + 0x800, 32))
        return -1;
    return put(place, 0xfffff000, (uint32_t)(distance + 0x800), 4);
}

/* VALUE is where the auipc is. */
static int put_low(const struct relocations *all, unsigned type, unsigned char *place,
                   uint64_t value)
{
    uint64_t target = relocations_value(all, value);
    int64_t distance = (int64_t)(target - value);
    if (target == 0)
        return -1;
    if (type == R_RISCV_PCREL_LO12_I)
        return put(place, 0xfff00000, bits(distance, 11, 0, 20), 4);
    return put(place, 0xfe000f80, bits(distance, 11, 5, 25) | bits(distance, 4, 0, 7), 4);
}

static int put_branch(unsigned type, unsigned char *place, int64_t to)
{
    switch (type) {
    case R_RISCV_BRANCH:
        return !fits(to, 13) ? -1
                             : put(place, 0xfe000f80,
                                   bits(to, 12, 12, 31) | bits(to, 10, 5, 25) | bits(to, 4, 1, 8) |
                                       bits(to, 11, 11, 7),
                                   4);
    case R_RISCV_JAL:
        return !fits(to, 21) ? -1
                             : put(place, 0xfffff000,
                                   bits(to, 20, 20, 31) | bits(to, 10, 1, 21) |
                                       bits(to, 11, 11, 20) | bits(to, 19, 12, 12),
                                   4);
    case R_RISCV_RVC_BRANCH:
        return !fits(to, 9) ? -1
                            : put(place, 0x1c7c,
                                  bits(to, 8, 8, 12) | bits(to, 4, 3, 10) | bits(to, 7, 6, 5) |
                                      bits(to, 2, 1, 3) | bits(to, 5, 5, 2),
                                  2);
    default: /* R_RISCV_RVC_JUMP */
        return !fits(to, 12) ? -1
                             : put(place, 0x1ffc,
                                   bits(to, 11, 11, 12) | bits(to, 4, 4, 11) | bits(to, 9, 8, 9) |
                                       bits(to, 10, 10, 8) | bits(to, 6, 6, 7) | bits(to, 7, 7, 6) |
                                       bits(to, 3, 1, 3) | bits(to, 5, 5, 2),
                                   2);
    }
}

/* auipc and jalr. */
static int put_call(unsigned char *place, int64_t distance)
{
    return put_high(place, distance) || put(place + 4, 0xfff00000, bits(distance, 11, 0, 20), 4);
}

int relocate(const struct relocations *all, unsigned type, unsigned char *place, uint64_t value)
{
    int64_t distance = (int64_t)(value - (uintptr_t)place);
    switch (type) {
    case R_RISCV_NONE:
    case R_RISCV_RELAX:
        return 0;
    case R_RISCV_32:
        return value >> 32 ? -1 : put_bytes(place, value, 4);
    case R_RISCV_64:
        return put_bytes(place, value, 8);
    case R_RISCV_32_PCREL:
        return !fits(distance, 32) ? -1 : put_bytes(place, (uint64_t)distance, 4);
    case R_RISCV_ADD32:
        return put_bytes(place, get_bytes(place, 4) + value, 4);
    case R_RISCV_SUB32:
        return put_bytes(place, get_bytes(place, 4) - value, 4);
    case R_RISCV_ADD64:
        return put_bytes(place, get_bytes(place, 8) + value, 8);
    case R_RISCV_SUB64:
        return put_bytes(place, get_bytes(place, 8) - value, 8);
    case R_RISCV_PCREL_HI20:
        return put_high(place, distance);
    case R_RISCV_PCREL_LO12_I:
    case R_RISCV_PCREL_LO12_S:
        return put_low(all, type, place, value);
    case R_RISCV_CALL:
    case R_RISCV_CALL_PLT:
        return put_call(place, distance);
    case R_RISCV_BRANCH:
    case R_RISCV_JAL:
    case R_RISCV_RVC_BRANCH:
    case R_RISCV_RVC_JUMP:
        return put_branch(type, place, distance);
    default:
        return -1;
    }
}
