/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector registers that a handler at a site of live registers may change; vector.S. */
#ifndef SDT_ARCH_VECTOR_H
#define SDT_ARCH_VECTOR_H

#include "vector_layout.h"

#include <stdbool.h>
#include <stdint.h>

/* Must be before the first site with an entry is armed. Locked. */
void vector_prepare(void);

/* What a CPU and its system are able to do. */
struct vector_features {
    uint32_t parts;       /* XCR0: what of the state the system keeps; 0: there is no XSAVE */
    uint32_t xsave_size;  /* bytes that XSAVE writes for those parts that we keep, */
    uint32_t rare_size;   /* and with those that are seldom in use */
    bool has_xsavec;      /* it writes what is in use */
    bool has_xgetbv_1;    /* XGETBV tells what is in use */
    bool has_wide_masks;  /* AVX512BW: all 64 bits of a mask register can be moved */
    bool is_xgetbv_quick; /* quicker than FXAM on an empty stack */
};
/* What to do on it: a pure function, for vector_prepare() and for tests. */
struct vector_choice {
    uint32_t way;         /* WAY_… */
    uint32_t parts;       /* to be saved by hand, bits of XCR0 */
    uint64_t hand_size;   /* bytes of stack for that */
    uint32_t xsave_parts; /* what XSAVE is asked for; 0: use FXSAVE */
    uint64_t xsave_size;
    uint32_t rare_parts; /* what it is asked for if it is in use, beside those */
    uint64_t rare_size;
};
struct vector_choice vector_choose(const struct vector_features *features);
/* Examine this machine. */
struct vector_features vector_look(void);
/* Have CHOICE done from now on. */
void vector_use(const struct vector_choice *choice);

#endif
