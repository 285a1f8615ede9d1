/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of tracer_sites.c: each hits its site once, and returns its argument. */
#ifndef TRACER_SITES_H
#define TRACER_SITES_H

long tr_call(long a);
long tr_call6(long a);
long tr_tail(long a);
long tr_jcc(long a);
long tr_inline(long a);
long tr_nop11(long a);

/* No probes of ours: with a 5-byte NOP for the tracer, which must not be done. */
long tr_nop5(long a);
long tr_nop5_leaf(long a);
extern const unsigned char tr_nop5_site[], tr_nop5_leaf_site[];

#endif
