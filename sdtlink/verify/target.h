/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a call or jump leads, in a linked file or in an object. */
#ifndef SDT_VERIFY_TARGET_H
#define SDT_VERIFY_TARGET_H

#include "arch.h"
#include "slots.h"

enum leads {
    LEADS_TO_PLACE, /* .place, which may be no code */
    LEADS_OUT,      /* to the function .name of another file */
    LEADS_TO_IFUNC, /* a function that is chosen at start-up */
    LEADS_UNKNOWN
};
struct branch {
    enum leads leads;
    struct place place;
    const char *name;
};

/* INSN at AT is a branch. SLOTS: those of a linked file. */
struct branch target_find(const struct image *image, const struct slots *slots, struct place at,
                          const struct insn *insn);

#endif
