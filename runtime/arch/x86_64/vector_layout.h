/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits of entry_way (vector.h). */
#ifndef SDT_ARCH_VECTOR_LAYOUT_H
#define SDT_ARCH_VECTOR_LAYOUT_H

#define WAY_HAND 1    /* registers are kept by moves, where that can be done */
#define WAY_TELLS 2   /* XGETBV tells what is in use; without it, FXAM does for x87 alone */
#define WAY_COMPACT 4 /* there is XSAVEC, which writes what is in use */

#endif
