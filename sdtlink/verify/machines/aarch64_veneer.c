/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Veneers, which linkers write where a `b` or `bl` does not reach (AAELF64, 5.7.6: x16 and x17 are
 * theirs). By bfd, gold, mold, and lld; the second one by lld in executables at a fixed address:
 *
 *     adrp x16, …; add x16, x16, …; br x16
 *     ldr x16, #8; br x16; .xword target
 *
 * Both end with the same instruction, so that is what is searched for. Records reach 2 GiB, so the
 * forms for more than 4 GiB are in no file with sites.
 *
 * In a program with BTI, `br` must lead to a landing pad. Where its target is none, newer linkers
 * (bfd 2.44; not lld 19) write one nearby, which the veneer leads to:
 *
 *     bti c; b target
 */
#include "aarch64.h"

#include "../disasm.h"

#include <string.h>

enum { WORD = 4, MOST = 2 }; /* words before the `br` */

/* Whether the instruction at PLACE begins with TEXT. */
static bool has_text(const struct image *image, struct place place, const char *text)
{
    struct insn insn;
    return disasm_at(image, place, &insn) && strncmp(insn.text, text, strlen(text)) == 0;
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
    if (words == 1)
        return has_text(image, place, "ldr x16, #8") &&
               load_address(image, after(place, 2), target);
    return has_text(image, place, "adrp x16, ") &&
           has_text(image, after(place, 1), "add x16, x16, #") &&
           aarch64_reach(image, place, target);
}

bool aarch64_next_veneer(const struct image *image, struct veneer *at)
{
    static const uint8_t br_x16[WORD] = {0x00, 0x02, 0x1f, 0xd6};
    const struct section *section = &image->sections[at->place.section];
    uint64_t first = (at->place.offset + WORD - 1) / WORD * WORD;
    for (uint64_t end = first; end < section->size && section->size - end >= WORD; end += WORD) {
        if (memcmp(section->data + end, br_x16, WORD) != 0)
            continue;
        for (unsigned words = 1; words <= MOST && (uint64_t)words * WORD <= end - first; words++) {
            at->place.offset = end - words * (uint64_t)WORD;
            if (leads(image, at->place, words, &at->target))
                return true;
        }
    }
    return false;
}

bool aarch64_next_pad(const struct image *image, struct veneer *at)
{
    static const uint8_t bti_c[WORD] = {0x5f, 0x24, 0x03, 0xd5};
    const struct section *section = &image->sections[at->place.section];
    uint64_t offset = (at->place.offset + WORD - 1) / WORD * WORD;
    for (; section->size >= offset && section->size - offset >= (uint64_t)2 * WORD;
         offset += WORD) {
        if (memcmp(section->data + offset, bti_c, WORD) != 0 ||
            !aarch64_is_jump(section, offset + WORD))
            continue;
        at->place.offset = offset;
        if (aarch64_reach(image, after(at->place, 1), &at->target))
            return true;
    }
    return false;
}
