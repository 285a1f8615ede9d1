/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branches and disabled sites in the bytes of a linked file.
 *
 * Instructions have no alignment, so every four bytes may be the displacement of a branch. Most can
 * be excluded by where they would lead; for the rest the disassembler decides whether the preceding
 * bytes make a branch of them.
 */
#include "x86_64.h"

#include "../disasm.h"

#include <string.h>

/* ff 15 and ff 25: call and jmp through a word of memory. */
static bool is_through_memory(const uint8_t *opcode)
{
    return opcode[0] == 0xff && (opcode[1] == 0x15 || opcode[1] == 0x25);
}

bool x86_64_next_suspect(const struct section *section, uint64_t low, uint64_t high,
                         struct suspect *found)
{
    for (uint64_t at = found->field; section->size - at >= 4; at++) {
        int32_t distance;
        memcpy(&distance, section->data + at, sizeof distance);
        uint64_t target = section->address + at + 4 + (uint64_t)(int64_t)distance;
        bool is_indirect = at >= 2 && is_through_memory(section->data + at - 2);
        if (is_indirect || (target >= low && target <= high)) {
            *found = (struct suspect){at, target, is_indirect};
            return true;
        }
    }
    return false;
}

/* One (call, jmp), or two (jcc, or through memory). */
bool x86_64_is_branch(const struct image *image, struct place field, unsigned *before)
{
    struct insn insn;
    for (unsigned opcode = 1; opcode <= 2 && opcode <= field.offset; opcode++) {
        struct place start = {field.section, field.offset - opcode};
        if (disasm_at(image, start, &insn) && insn.length == opcode + 4 &&
            x86_64_has(&insn, INSN_BRANCH))
            return (*before = opcode) != 0;
    }
    return false;
}

bool x86_64_is_jump(const struct section *section, uint64_t field)
{
    return section->data[field - 1] == 0xe9;
}

bool x86_64_is_filler(const uint8_t *bytes, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (bytes[i] != 0x90)
            return false;
    return true;
}

uint64_t x86_64_next_disabled(const struct section *section, uint64_t offset)
{
    static const uint8_t call[] = {0x90, 0x66, 0x0f, 0x1f, 0xc0};
    static const uint8_t call6[] = {0x90, 0x3e, 0x66, 0x0f, 0x1f, 0xc0};
    static const uint8_t asm_site[] = {0x90, 0x66, 0x0f, 0x1f, 0x84, 0xe9};
    const uint8_t *at = section->data + offset, *end = section->data + section->size;
    for (; at < end && (at = memchr(at, 0x90, (size_t)(end - at))); at++) {
        if (end - at >= 5 && memcmp(at, call, sizeof call) == 0)
            break;
        if (end - at >= 6 &&
            (memcmp(at, call6, sizeof call6) == 0 || memcmp(at, asm_site, sizeof asm_site) == 0))
            break;
    }
    return at && at < end ? (uint64_t)(at - section->data) : section->size;
}
