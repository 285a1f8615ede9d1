/* SPDX-License-Identifier: BSD-2-Clause */
/* See stress.h: whether sites.S has put the sites where it means to. */
#include "stress.h"

void sites_check_places(void)
{
    uint64_t offsets[SDT_KIND_NOP11 + 1] = {0};
    unsigned pages[SDT_KIND_NOP11 + 1] = {0};
    for (unsigned n = 0; n < stress_count; n++) {
        uintptr_t pc = (uintptr_t)stress_sites[n].pc;
        offsets[stress_sites[n].kind] |= 1ull << pc % 64;
        pages[stress_sites[n].kind] |= pc % 4096 > 4096 - 7 ? 1u << (4096 - pc % 4096) : 0;
    }
    static const unsigned kinds[] = {SDT_KIND_CALL,    SDT_KIND_CALL6,       SDT_KIND_INLINE,
                                     SDT_KIND_NOP1,    SDT_KIND_NOP11,       SDT_KIND_TAIL,
                                     SDT_KIND_ENABLED, SDT_KIND_ENABLED_TAIL};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        CHECK_EQUAL(offsets[kinds[i]], -1);
        CHECK_EQUAL(pages[kinds[i]], 0x7e);
    }
}

/* The second byte is the constant that is returned. */
unsigned sites_answer(const uint8_t *pc)
{
    return __atomic_load_n(&pc[1], __ATOMIC_RELAXED);
}
