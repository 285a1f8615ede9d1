/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Veneers, which linkers write where a `b` or `bl` does not reach (AAELF64, 5.7.6: x16 and x17 are
 * theirs). By bfd, gold, lld and mold:
 *
 *     adrp x16, …; add x16, x16, …; br x16                      4 GiB
 *     ldr x16, #8; br x16; .xword target                        executables at a fixed address
 *     ldr x16, #16; adr x17, #0; add x16, x16, x17; br x16; .xword target - the adr
 *
 * All end with the same instruction, so that is what is looked for. Not known are those of one
 * branch only (`bti c; b`), which bfd since 2.42 and lld since 18 write for landing pads.
 */
#include "aarch64.h"

#include "../disasm.h"

#include <string.h>

enum { WORD = 4, LONGEST = 3 * WORD }; /* before the `br` */

static bool has_text(const struct image *image, struct place place, const char *text)
{
    struct insn insn;
    return disasm_at(image, place, &insn) && strcmp(insn.text, text) == 0;
}

/* PLACE, so many WORDS on. */
static struct place after(struct place place, unsigned words)
{
    return (struct place){place.section, place.offset + words * (uint64_t)WORD};
}

static bool load_address(const struct image *image, struct place place, uint64_t *value)
{
    uint64_t available;
    const uint8_t *bytes = image_bytes(image, place, &available);
    if (!bytes || available < sizeof *value)
        return false;
    memcpy(value, bytes, sizeof *value);
    return true;
}

/* Where the veneer of WORDS before its `br` leads that begins at PLACE; false: it is none. */
static bool leads(const struct image *image, struct place place, unsigned words, uint64_t *target)
{
    struct insn insn;
    switch (words) {
    case 1:
        return has_text(image, place, "ldr x16, #8") &&
               load_address(image, after(place, 2), target);
    case 2:
        return disasm_at(image, place, &insn) && strncmp(insn.text, "adrp x16, ", 10) == 0 &&
               disasm_at(image, after(place, 1), &insn) &&
               strncmp(insn.text, "add x16, x16, #", 15) == 0 &&
               aarch64_reach(image, place, target);
    case 3:
        if (!has_text(image, place, "ldr x16, #16") ||
            !has_text(image, after(place, 1), "adr x17, #0") ||
            !has_text(image, after(place, 2), "add x16, x16, x17") ||
            !load_address(image, after(place, 4), target))
            return false;
        *target += image->sections[place.section].address + place.offset + WORD;
        return true;
    default:
        return false;
    }
}

bool aarch64_next_veneer(const struct image *image, struct veneer *at)
{
    static const uint8_t br_x16[WORD] = {0x00, 0x02, 0x1f, 0xd6};
    const struct section *section = &image->sections[at->place.section];
    uint64_t first = (at->place.offset + WORD - 1) / WORD * WORD;
    for (uint64_t end = first; end < section->size && section->size - end >= WORD; end += WORD) {
        if (memcmp(section->data + end, br_x16, WORD) != 0)
            continue;
        for (unsigned words = 1; words * WORD <= LONGEST && words * WORD <= end - first; words++) {
            at->place.offset = end - words * (uint64_t)WORD;
            if (leads(image, at->place, words, &at->target))
                return true;
        }
    }
    return false;
}
