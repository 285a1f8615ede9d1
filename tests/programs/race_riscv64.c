/* SPDX-License-Identifier: BSD-2-Clause */
/* See race.h. The compiler does not know what is in the registers: it uses none of these here. */
#include "race.h"

#include <sys/auxv.h>

enum { VECTORS = 1 << ('v' - 'a') };
#define WITH_VECTORS(code) ".option push\n.option arch, +v\n" code ".option pop\n"

#define HOLD(name, load, store)                                                                    \
    static __attribute__((noinline)) void name(struct race_value *value, uint64_t number)          \
    {                                                                                              \
        __asm__ volatile(load ::"r"(value) : "t0", "memory");                                      \
        SDT_PROBE(race, name, number);                                                             \
        __asm__ volatile(store ::"r"(value) : "t0", "memory");                                     \
    }

HOLD(floats, "fld ft0, 0(%0)\nfld fa0, 8(%0)\nfld fa7, 16(%0)\nfld ft11, 24(%0)\n",
     "fsd ft0, 0(%0)\nfsd fa0, 8(%0)\nfsd fa7, 16(%0)\nfsd ft11, 24(%0)\n")
HOLD(vectors,
     WITH_VECTORS("vsetivli t0, 2, e64, m1, ta, ma\nvle64.v v0, (%0)\nvle64.v v31, (%0)\n"),
     WITH_VECTORS("csrr t0, vl\naddi t0, t0, -2\nbnez t0, 1f\nvse64.v v0, (%0)\n"
                  "vle64.v v1, (%0)\nvmsne.vv v0, v1, v31\nvcpop.m t0, v0\nbeqz t0, 2f\n"
                  "1: sd zero, (%0)\n2:\n"))

const struct race_class *race_classes(void)
{
    static struct race_class classes[] = {
        {"floats", floats, false}, {"vectors", vectors, false}, {NULL, NULL, true}};
    classes[1].is_absent = (getauxval(AT_HWCAP) & VECTORS) == 0;
    return classes;
}

void race_spoil(void)
{
    __asm__ volatile("fmv.d.x ft0, zero\nfmv.d.x fa0, zero\nfmv.d.x fa7, zero\n"
                     "fmv.d.x ft11, zero\n" ::
                         : "ft0", "fa0", "fa7", "ft11");
    if (getauxval(AT_HWCAP) & VECTORS)
        __asm__ volatile(WITH_VECTORS("vsetvli t0, zero, e64, m8, ta, ma\nvmv.v.i v0, -1\n"
                                      "vmv.v.i v24, -4\n")::
                             : "t0", "memory");
}
