/* SPDX-License-Identifier: BSD-2-Clause */
/* See race.h. The compiler does not know what is in the registers: it uses none of these here. */
#include "race.h"

#include <sys/auxv.h>

enum { SVE = 1 << 22 };
#define SVE_ON ".arch_extension sve\n"

#define HOLD(name, load, store)                                                                    \
    static __attribute__((noinline)) void name(struct race_value *value, uint64_t number)          \
    {                                                                                              \
        __asm__ volatile(load ::"r"(value) : "memory");                                            \
        SDT_PROBE(race, name, number);                                                             \
        __asm__ volatile(store ::"r"(value) : "memory");                                           \
    }

HOLD(quad, "ldp q0, q7, [%0]\nldp q16, q31, [%0, #32]\n",
     "stp q0, q7, [%0]\nstp q16, q31, [%0, #32]\n")
/* The halves that functions do not keep. */
HOLD(upper, "mov x9, #7\nmov v8.d[1], x9\nmov v15.d[1], x9\nldr x9, [%0]\n",
     "mov x9, v8.d[1]\ncmp x9, #7\nb.ne 1f\nmov x9, v15.d[1]\ncmp x9, #7\nb.eq 2f\n"
     "1: str xzr, [%0]\n2:\n")
/* Of registers of any size, the first 64 bytes, by way of memory that is large enough. */
HOLD(scalable,
     SVE_ON "ptrue p7.b\nld1rqb {z0.b}, p7/z, [%0]\nld1rqb {z30.b}, p7/z, [%0]\n"
            "ptrue p1.h\nptrue p14.s\n",
     SVE_ON "ptrue p7.b\nld1rqb {z1.b}, p7/z, [%0]\ncmpne p2.b, p7/z, z0.b, z1.b\n"
            "cmpne p3.b, p7/z, z30.b, z1.b\nptrue p4.h\neor p1.b, p7/z, p1.b, p4.b\n"
            "ptrue p4.s\neor p14.b, p7/z, p14.b, p4.b\norr p2.b, p7/z, p2.b, p3.b\n"
            "orr p2.b, p7/z, p2.b, p1.b\norrs p2.b, p7/z, p2.b, p14.b\nb.none 1f\n"
            "str xzr, [%0]\n1:\n")

const struct race_class *race_classes(void)
{
    static struct race_class classes[] = {{"quad", quad, false},
                                          {"upper", upper, false},
                                          {"scalable", scalable, false},
                                          {NULL, NULL, true}};
    classes[2].is_absent = (getauxval(AT_HWCAP) & SVE) == 0;
    return classes;
}

void race_spoil(void)
{
    if (getauxval(AT_HWCAP) & SVE)
        __asm__ volatile(SVE_ON "ptrue p7.b\nmov z0.b, #1\nmov z30.b, #3\npfalse p1.b\n"
                                "pfalse p14.b\n" ::
                                    : "v0", "v30", "memory");
    __asm__ volatile("movi v0.16b, #255\nmovi v7.16b, #255\nmovi v16.16b, #255\n"
                     "movi v31.16b, #255\nmov v8.d[1], xzr\nmov v15.d[1], xzr\n" ::
                         : "v0", "v7", "v16", "v31");
}
