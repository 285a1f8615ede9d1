/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * XRay's sleds on x86-64, and what they become. A site is armed by one byte; the rest is never
 * reached in between.
 *
 *   entry, tail   eb 09               jmp 1f               90 a9 rel32       nop; test $rel32,%eax
 *                 66 0f 1f 84 … 02    nopw 512(…); 1:      0f 1f 44 00 00    nopl 0(%rax,%rax)
 *   return        c3                  ret                  c3 rel32          ret
 *                 2e 66 0f 1f 84 … 02 nopw %cs:512(…)      c3 cc cc cc cc cc ret
 */
#include "x86_64.h"

#include <string.h>

enum { SLED = 11 };

static const uint8_t entry_sled[SLED] = {0xeb, 0x09, 0x66, 0x0f, 0x1f, 0x84, 0, 0, 2, 0, 0};
static const uint8_t return_sled[SLED] = {0xc3, 0x2e, 0x66, 0x0f, 0x1f, 0x84, 0, 0, 2, 0, 0};

bool x86_64_read_sled(enum arch_sled kind, const uint8_t *code, uint64_t size,
                      struct arch_site *site)
{
    bool is_return = kind == ARCH_SLED_RETURN;
    if (size < SLED || memcmp(code, is_return ? return_sled : entry_sled, SLED) != 0)
        return false;
    *site = (struct arch_site){.length = SLED,
                               .kind = is_return ? SDT_KIND_FUNCTION_RETURN : SDT_KIND_FUNCTION6};
    return true;
}

void x86_64_fill_sled(unsigned kind, uint8_t *sled)
{
    static const uint8_t nop[] = {0x0f, 0x1f, 0x44, 0, 0};
    static const uint8_t ret[] = {0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc};
    if (kind == SDT_KIND_FUNCTION_RETURN)
        memcpy(sled + SLED - sizeof ret, ret, sizeof ret);
    else
        memcpy(sled + SLED - sizeof nop, nop, sizeof nop);
}
