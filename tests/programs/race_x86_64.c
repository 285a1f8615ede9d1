/* SPDX-License-Identifier: BSD-2-Clause */
/* See race.h. The compiler does not know what is in the registers: it uses none of these here. */
#include "race.h"

#include <cpuid.h>

#define LOAD(move, register, at) move " " #at "(%0), %%" register "\n"
#define STORE(move, register, at) move " %%" register ", " #at "(%0)\n"
#define FOUR(do, move, kind, size)                                                                 \
    do                                                                                             \
    (move, kind "0", 0 * size) do(move, kind "7", 1 * size) do(move, kind "8", 2 * size) do(       \
        move, kind "15", 3 * size)

#define HOLD(name, load, store)                                                                    \
    static __attribute__((noinline)) void name(struct race_value *value, uint64_t number)          \
    {                                                                                              \
        __asm__ volatile(load ::"r"(value) : "memory");                                            \
        SDT_PROBE(race, name, number);                                                             \
        __asm__ volatile(store ::"r"(value) : "memory");                                           \
    }

HOLD(xmm, FOUR(LOAD, "movups", "xmm", 16), FOUR(STORE, "movups", "xmm", 16))
HOLD(ymm, FOUR(LOAD, "vmovups", "ymm", 32), FOUR(STORE, "vmovups", "ymm", 32) "vzeroupper\n")
HOLD(zmm,
     FOUR(LOAD, "vmovups", "zmm", 64) LOAD("vmovups", "zmm16", 256) LOAD("vmovups", "zmm31", 320),
     FOUR(STORE, "vmovups", "zmm", 64) STORE("vmovups", "zmm16", 256)
         STORE("vmovups", "zmm31", 320) "vzeroupper\n")
HOLD(mask, LOAD("kmovq", "k1", 0) LOAD("kmovq", "k7", 8),
     STORE("kmovq", "k1", 0) STORE("kmovq", "k7", 8))
HOLD(x87, "fldl 8(%0)\nfldl 0(%0)\n", "fstpl 0(%0)\nfstpl 8(%0)\n")

static bool has_parts(unsigned parts)
{
    unsigned a, b, c, d, low, high;
    __cpuid(1, a, b, c, d);
    if (!(c & bit_OSXSAVE))
        return false;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & parts) == parts;
}

const struct race_class *race_classes(void)
{
    static struct race_class classes[] = {{"xmm", xmm, false}, {"ymm", ymm, false},
                                          {"zmm", zmm, false}, {"mask", mask, false},
                                          {"x87", x87, false}, {NULL, NULL, true}};
    classes[1].is_absent = !has_parts(4);
    classes[2].is_absent = classes[3].is_absent = !has_parts(0xe0);
    return classes;
}

static __attribute__((noinline, target("avx512f,avx512bw"))) void spoil_wide(void)
{
    __asm__ volatile("vpternlogd $0xff, %%zmm0, %%zmm0, %%zmm0; vmovaps %%zmm0, %%zmm7\n"
                     "vmovaps %%zmm0, %%zmm8; vmovaps %%zmm0, %%zmm15; vmovaps %%zmm0, %%zmm16\n"
                     "vmovaps %%zmm0, %%zmm31; kxnorq %%k1, %%k1, %%k1; kxnorq %%k7, %%k7, %%k7\n"
                     "vzeroupper" ::
                         : "xmm0", "xmm7", "xmm8", "xmm15", "xmm16", "xmm31", "k1", "k7");
}

/* x87: eight numbers that come and go. */
void race_spoil(void)
{
    __asm__ volatile("pcmpeqd %%xmm0, %%xmm0; movaps %%xmm0, %%xmm7; movaps %%xmm0, %%xmm8\n"
                     "movaps %%xmm0, %%xmm15" ::
                         : "xmm0", "xmm7", "xmm8", "xmm15");
    if (has_parts(0xe0))
        spoil_wide();
    else if (has_parts(4))
        __asm__ volatile("vzeroall" ::: "xmm0", "xmm7", "xmm8", "xmm15");
    __asm__ volatile("fldz; fldz; fldz; fldz; fldz; fldz; fldz; fldz\n"
                     "fstp %%st(0); fstp %%st(0); fstp %%st(0); fstp %%st(0)\n"
                     "fstp %%st(0); fstp %%st(0); fstp %%st(0); fstp %%st(0)" ::
                         : "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)");
}
