/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branches, loaders and entries in the words of a linked file.
 *
 * A branch is recognised by a few bits of its word, and the disassembler confirms what it seems to
 * be (is_branch). A disabled call is a `nop` like any other; but the words of loaders and entries
 * do not occur in a row elsewhere.
 */
#include "aarch64.h"

#include "../disasm.h"

#include <string.h>

enum { WORD = 4 };

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The BITS from FIRST on, a signed number of words, in bytes. */
static int64_t distance(uint32_t word, unsigned first, unsigned bits)
{
    int64_t value = word >> first & ((UINT32_C(1) << bits) - 1);
    int64_t sign = INT64_C(1) << (bits - 1);
    return ((value ^ sign) - sign) * WORD;
}

/* Arm ARM, C4.1: branches that have their distance in the word. */
static bool branch_distance(uint32_t word, int64_t *to)
{
    if ((word & 0x7c000000) == 0x14000000) /* b, bl */
        *to = distance(word, 0, 26);
    else if ((word & 0xff000000) == 0x54000000 || (word & 0x7e000000) == 0x34000000)
        *to = distance(word, 5, 19);            /* b.cond; cbz, cbnz */
    else if ((word & 0x7e000000) == 0x36000000) /* tbz, tbnz */
        *to = distance(word, 5, 14);
    else
        return false;
    return true;
}

bool aarch64_next_suspect(const struct section *section, uint64_t low, uint64_t high,
                          struct suspect *found)
{
    uint64_t at = (found->field + WORD - 1) / WORD * WORD;
    for (; at <= section->size && section->size - at >= WORD; at += WORD) {
        int64_t to;
        if (!branch_distance(word_at(section->data + at), &to))
            continue;
        uint64_t target = section->address + at + (uint64_t)to;
        if (target >= low && target <= high) {
            *found = (struct suspect){at, target, false};
            return true;
        }
    }
    return false;
}

bool aarch64_is_branch(const struct image *image, struct place field, unsigned *before)
{
    struct insn insn;
    *before = 0;
    return disasm_at(image, field, &insn) && insn.has_target && aarch64_has(&insn, INSN_BRANCH);
}

bool aarch64_is_jump(const struct section *section, uint64_t field)
{
    return (word_at(section->data + field) & 0xfc000000) == 0x14000000;
}

static bool are_all(const uint8_t *bytes, uint64_t count, uint32_t word)
{
    for (uint64_t i = 0; i + WORD <= count; i += WORD)
        if (word_at(bytes + i) != word)
            return false;
    return true;
}

/*
 * With --fix-cortex-a53-843419, Debian's default, bfd moves an instruction out of some sequences,
 * to where a `b` goes back from. These pairs are in a section of the linker's own that begins with
 * a jump over it and a `nop`, and ends with zeros up to a page.
 */
static bool is_erratum_fix(const uint8_t *bytes, uint64_t count)
{
    const uint64_t pair = UINT64_C(2) * WORD;
    uint64_t at = WORD;
    if (count < WORD || word_at(bytes) != 0xd503201f) /* nop */
        return false;
    while (count - at >= pair && word_at(bytes + at) != 0 &&
           (word_at(bytes + at + WORD) & 0xfc000000) == 0x14000000) /* b */
        at += pair;
    return at > WORD && are_all(bytes + at, count - at, 0);
}

bool aarch64_is_filler(const uint8_t *bytes, uint64_t count)
{
    return count % WORD == 0 && (are_all(bytes, count, 0xd503201f) || /* nop */
                                 is_erratum_fix(bytes, count));
}

/* The first words of a loader; and of an entry: the bits that are no distances. */
static bool is_loader(const uint8_t *bytes)
{
    return word_at(bytes) == 0x14000003 &&   /* b   .+12 */
           word_at(bytes + 4) == 0x10ffffeb; /* adr x11, .-4 */
}

static bool is_entry(const uint8_t *bytes)
{
    return word_at(bytes) == 0xf81f0ffe &&                    /* str  x30, [sp, #-16]! */
           (word_at(bytes + 4) & 0x9f00001f) == 0x9000001e && /* adrp x30, … */
           (word_at(bytes + 8) & 0xffc003ff) == 0xf94003de && /* ldr  x30, [x30, …] */
           word_at(bytes + 12) == 0xd63f03c0 &&               /* blr  x30 */
           word_at(bytes + 16) == 0xf84107fe;                 /* ldr  x30, [sp], #16 */
}

uint64_t aarch64_next_disabled(const struct section *section, uint64_t offset)
{
    uint64_t at = (offset + WORD - 1) / WORD * WORD;
    for (; at <= section->size && section->size - at >= WORD; at += WORD) {
        uint64_t left = section->size - at;
        if ((left >= 16 && is_loader(section->data + at)) ||
            (left >= SDT_ENTRY_SIZE && is_entry(section->data + at)))
            return at;
    }
    return section->size;
}
