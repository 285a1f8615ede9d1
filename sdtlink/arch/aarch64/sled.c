/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * XRay's sleds on aarch64, and what they become. All three sorts are the same: 32 bytes, after
 * which the function goes on. The site is the first word, an inline one: its entry leads to the
 * second.
 *
 *   b    1f                nop        armed: b entry
 *   nop                    b    1f
 *   nop; … (seven); 1:     nop; … (six); 1:
 */
#include "aarch64.h"

enum { WORD = 4, SLED = 32, SITE = 2 * WORD };

static const uint8_t over_sled[WORD] = {SLED / WORD, 0, 0, 0x14};
static const uint8_t over_rest[WORD] = {SLED / WORD - 1, 0, 0, 0x14};

bool aarch64_read_sled(enum arch_sled kind, const uint8_t *code, uint64_t size,
                       struct arch_site *site)
{
    (void)kind;
    if (size < SLED || sdt_aarch64_word(code) != sdt_aarch64_word(over_sled))
        return false;
    for (unsigned at = WORD; at < SLED; at += WORD)
        if (sdt_aarch64_word(code + at) != SDT_AARCH64_NOP)
            return false;
    *site = (struct arch_site){.length = SITE, .kind = SDT_KIND_INLINE};
    return true;
}

void aarch64_fill_sled(unsigned kind, uint8_t *sled)
{
    (void)kind;
    for (unsigned i = 0; i < WORD; i++)
        sled[WORD + i] = over_rest[i];
}
