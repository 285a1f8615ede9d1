/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branches and disabled sites in the code of a linked file.
 *
 * Every even address may begin an instruction, of two bytes or of four; its first bits tell which.
 * What seems to be a branch by its bits is confirmed by the disassembler (is_branch), and whether
 * it begins an instruction is found by reading the function.
 *
 * Linkers make one instruction of the two of a call where they are allowed to (relaxation), so all
 * that have a distance are examined: 1 MiB by `jal`, 4 KiB and less by others.
 */
#include "riscv64.h"

#include "../disasm.h"

#include <string.h>

enum { PARCEL = 2, WORD = 4, PAIR = 8 };

static uint32_t parcel_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return parcel_at(bytes) | parcel_at(bytes + PARCEL) << 16;
}

/* The bits FIRST..FIRST+COUNT of CODE, moved to bit AT. */
static uint32_t bits(uint32_t code, unsigned first, unsigned count, unsigned at)
{
    return (code >> first & ((UINT32_C(1) << count) - 1)) << at;
}

/* VALUE, whose sign is in bit TOP. */
static int64_t with_sign(uint32_t value, unsigned top)
{
    int64_t sign = INT64_C(1) << top;
    return ((int64_t)value ^ sign) - sign;
}

/* The RISC-V Instruction Set Manual, volume I: formats J and B, and CJ and CB of extension C. */
static int64_t distance_j(uint32_t word)
{
    return with_sign(bits(word, 21, 10, 1) | bits(word, 20, 1, 11) | bits(word, 12, 8, 12) |
                         bits(word, 31, 1, 20),
                     20);
}

static int64_t distance_b(uint32_t word)
{
    return with_sign(bits(word, 8, 4, 1) | bits(word, 25, 6, 5) | bits(word, 7, 1, 11) |
                         bits(word, 31, 1, 12),
                     12);
}

static int64_t distance_cj(uint32_t parcel)
{
    return with_sign(bits(parcel, 3, 3, 1) | bits(parcel, 11, 1, 4) | bits(parcel, 2, 1, 5) |
                         bits(parcel, 7, 1, 6) | bits(parcel, 6, 1, 7) | bits(parcel, 9, 2, 8) |
                         bits(parcel, 8, 1, 10) | bits(parcel, 12, 1, 11),
                     11);
}

static int64_t distance_cb(uint32_t parcel)
{
    return with_sign(bits(parcel, 3, 2, 1) | bits(parcel, 10, 2, 3) | bits(parcel, 2, 1, 5) |
                         bits(parcel, 5, 2, 6) | bits(parcel, 12, 1, 8),
                     8);
}

/* `auipc` and a `jalr` by the same register. */
static bool pair_distance(const uint8_t *bytes, int64_t *to)
{
    uint32_t first = word_at(bytes), second = word_at(bytes + WORD);
    if ((first & 0x7f) != 0x17 || (second & 0x707f) != 0x67 ||
        bits(first, 7, 5, 0) != bits(second, 15, 5, 0))
        return false;
    *to = with_sign(first & 0xfffff000, 31) + with_sign(second >> 20, 11);
    return true;
}

/* Of the LEFT bytes that begin with a parcel: whether they are a branch that has its distance. */
static bool branch_distance(const uint8_t *bytes, uint64_t left, int64_t *to)
{
    uint32_t parcel = parcel_at(bytes);
    if ((parcel & 0xe003) == 0xa001) /* c.j */
        *to = distance_cj(parcel);
    else if ((parcel & 0xc003) == 0xc001) /* c.beqz, c.bnez */
        *to = distance_cb(parcel);
    else if (left >= WORD && (parcel & 0x7f) == 0x6f) /* jal */
        *to = distance_j(word_at(bytes));
    else if (left >= WORD && (parcel & 0x7f) == 0x63) /* beq, … */
        *to = distance_b(word_at(bytes));
    else
        return left >= PAIR && pair_distance(bytes, to);
    return true;
}

static uint64_t next_parcel(uint64_t offset)
{
    return (offset + PARCEL - 1) / PARCEL * PARCEL;
}

bool riscv64_next_suspect(const struct section *section, uint64_t low, uint64_t high,
                          struct suspect *found)
{
    uint64_t at = next_parcel(found->field);
    for (; at <= section->size && section->size - at >= PARCEL; at += PARCEL) {
        int64_t to;
        if (!branch_distance(section->data + at, section->size - at, &to))
            continue;
        uint64_t target = section->address + at + (uint64_t)to;
        if (target >= low && target <= high) {
            *found = (struct suspect){at, target, false};
            return true;
        }
    }
    return false;
}

bool riscv64_is_branch(const struct image *image, struct place field, unsigned *before)
{
    struct insn insn;
    *before = 0;
    if (disasm_at(image, field, &insn) && insn.has_target && riscv64_has(&insn, INSN_BRANCH))
        return true;
    return riscv64_begins_branch(image, field);
}

/* A jump writes no register: `c.j`, or what has `zero` for one. */
bool riscv64_is_jump(const struct section *section, uint64_t field)
{
    const uint8_t *bytes = section->data + field;
    uint64_t left = section->size - field;
    int64_t to;
    if ((parcel_at(bytes) & 0xe003) == 0xa001)
        return true;
    if (left >= WORD && (word_at(bytes) & 0xfff) == 0x6f)
        return true;
    return left >= PAIR && pair_distance(bytes, &to) && bits(word_at(bytes + WORD), 7, 5, 0) == 0;
}

/*
 * `auipc ra` or `auipc t1` before an `addi zero` by the same register, and `auipc t2` before a
 * `c.jr ra`: others have no reason to write that.
 */
static bool is_disabled(const uint8_t *bytes)
{
    uint32_t second = word_at(bytes + WORD) & 0xfffff;
    switch (word_at(bytes) & 0xfff) {
    case 0x097:                   /* auipc ra */
        return second == 0x08013; /* addi  zero, ra, … */
    case 0x317:                   /* auipc t1 */
        return second == 0x30013; /* addi  zero, t1, … */
    case 0x397:                   /* auipc t2 */
        return second == 0x38082; /* c.jr  ra; half a jr by t2 */
    default:
        return false;
    }
}

/* The entry of a note's site begins so; no other code calls through t1 right after storing it. */
static bool is_note_entry(const uint8_t *bytes)
{
    return word_at(bytes) == 0xe41a1141 &&                 /* c.addi sp, -16; c.sdsp t1, 8(sp) */
           (word_at(bytes + 4) & 0xfff) == 0x317 &&        /* auipc  t1 */
           (word_at(bytes + PAIR) & 0xfffff) == 0x33303 && /* ld     t1, …(t1) */
           word_at(bytes + 12) == 0x30367;                 /* jalr   t1, 0(t1) */
}

uint64_t riscv64_next_disabled(const struct section *section, uint64_t offset)
{
    uint64_t at = next_parcel(offset);
    for (; at <= section->size && section->size - at >= PAIR; at += PARCEL)
        if (is_disabled(section->data + at) ||
            (section->size - at >= SDT_ENTRY_SIZE && is_note_entry(section->data + at)))
            return at;
    return section->size;
}
