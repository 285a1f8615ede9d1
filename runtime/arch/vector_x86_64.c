/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which vector state entry_save saves, and how much room that takes: asked of the CPU
 * once, before the first site of that kind is armed.
 *
 * Source: Intel SDM vol. 1, chapter 13 (XSAVE; CPUID leaf 0DH gives size and place of each part).
 */
#include "vector.h"

#include <cpuid.h>
#include <stdbool.h>

enum {
    FXSAVE_SIZE = 512,
    XSAVE_SIZE = 576, /* with its header */
    PARTS = 0x800e7,  /* x87, SSE, AVX, three of AVX-512, APX */
    COMMON = 7,       /* the first three */
    BY_HAND_SIZE = XSAVE_SIZE + 16 * 32,
    HAS_XSAVEC = 2, /* of leaf 0DH, 1 */
    HAS_XGETBV_1 = 4
};

/* 0: by FXSAVE, which every x86-64 has. */
uint32_t entry_vector_parts;
uint64_t entry_vector_size = FXSAVE_SIZE;
uint32_t entry_vector_compact;
uint32_t entry_vector_by_hand, entry_vector_others;

static uint32_t enabled_parts(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

void vector_prepare(void)
{
    unsigned a, b, c, d;
    uint64_t size = XSAVE_SIZE;
    if (entry_vector_parts || !__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return;
    uint32_t parts = enabled_parts() & PARTS;
    for (unsigned part = 2; part < 32; part++) {
        if (!(parts >> part & 1) || !__get_cpuid_count(0xd, part, &a, &b, &c, &d))
            continue;
        if (b + a > size) /* its place, its size */
            size = b + a;
    }
    entry_vector_size = size; /* the compacted form is no longer */
    if (!__get_cpuid_count(0xd, 1, &a, &b, &c, &d))
        a = 0;
    entry_vector_compact = a & HAS_XSAVEC;
    entry_vector_parts = parts;
    bool tells = a & HAS_XGETBV_1;
    uint32_t others = parts & ~(uint32_t)COMMON;
    if ((parts & COMMON) != COMMON || (others && !tells))
        return;
    entry_vector_by_hand = VECTOR_DEAD_FLAGS | (tells ? VECTOR_LIVE_FLAGS : 0);
    entry_vector_others = others;
    if (entry_vector_size < BY_HAND_SIZE)
        entry_vector_size = BY_HAND_SIZE;
}
